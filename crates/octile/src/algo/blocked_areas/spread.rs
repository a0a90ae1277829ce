//! Dijkstra's search from one cell along some of the moves.

use crate::geometry::CellId;
use crate::geometry::units::{Units, Wide};
use crate::grid::Grid;
use crate::kernels::ds::heap::Heap;

/// The cost of cells that are not reached.
pub(super) const UNREACHED: u64 = u64::MAX;

/// Writes the distances from a free cell into a table by padded id, in [`Wide`] units. The table must be [`UNREACHED`]
/// everywhere. Distances go up to `limit`, along moves that are `allowed` from one cell to the next. Calls `reached`
/// once for every cell that it writes. The heap must be empty, and is left empty.
pub(super) fn spread(
    grid: &Grid,
    costs: &mut [u64],
    heap: &mut Heap<u128>,
    source: CellId,
    limit: u64,
    allowed: impl Fn(CellId, CellId) -> bool,
    mut reached: impl FnMut(CellId),
) {
    let id_steps = grid.id_steps();
    costs[source.index()] = 0;
    reached(source);
    heap.push(Wide::pack(0, 0, source.0, 0));
    while let Some(entry) = heap.pop() {
        let (g, id) = (Wide::f(entry), CellId(Wide::id(entry, 0)));
        if costs[id.index()] < g {
            continue;
        }
        for dir in grid.moves_of(id) {
            let next = CellId(id.0.wrapping_add(id_steps[dir as usize]));
            let next_g = g + if dir.is_diagonal() { Wide::DIAGONAL } else { Wide::STRAIGHT };
            let before = costs[next.index()];
            if next_g < before && next_g <= limit && allowed(id, next) {
                if before == UNREACHED {
                    reached(next);
                }
                costs[next.index()] = next_g;
                heap.push(Wide::pack(next_g, next_g, next.0, 0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::grid::Movement;

    /// Distances by passes over all moves until nothing changes.
    fn naive(grid: &Grid, source: CellId, limit: u64, allowed: impl Fn(CellId, CellId) -> bool) -> Vec<u64> {
        let mut costs = vec![UNREACHED; grid.padded_cells()];
        costs[source.index()] = 0;
        loop {
            let before = costs.clone();
            for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
                let id = grid.id(cell);
                for dir in grid.moves_of(id) {
                    let next = grid.id(dir.step(cell, 1));
                    let step = if dir.is_diagonal() { Wide::DIAGONAL } else { Wide::STRAIGHT };
                    let cost = costs[id.index()].saturating_add(step);
                    if cost <= limit && allowed(id, next) {
                        costs[next.index()] = costs[next.index()].min(cost);
                    }
                }
            }
            if costs == before {
                return costs;
            }
        }
    }

    #[test]
    fn distances_respect_the_limit_and_the_allowed_moves() {
        let mut heap = Heap::new();
        for (seed, movement) in (0..6).flat_map(|seed| Movement::ALL.map(|movement| (seed, movement))) {
            let grid = generate::random(17, 13, 20, seed).unwrap().with_movement(movement);
            let source = grid.cells().find(|&cell| grid.is_free(cell)).map(|cell| grid.id(cell)).unwrap();
            // Some moves are allowed in one direction only.
            let some = |from: CellId, to: CellId| !(from.0 * 3 + to.0 + seed as u32).is_multiple_of(7);
            for limit in [0, Wide::DIAGONAL, 6 * Wide::STRAIGHT, UNREACHED] {
                let (mut costs, mut reached) = (vec![UNREACHED; grid.padded_cells()], Vec::new());
                spread(&grid, &mut costs, &mut heap, source, limit, some, |id| reached.push(id));
                assert_eq!(costs, naive(&grid, source, limit, some), "seed {seed}, limit {limit}\n{grid:?}");
                assert_eq!(heap.pop(), None);
                // Each written cell, once.
                reached.sort_unstable_by_key(|id| id.0);
                let written = (0..grid.padded_cells()).filter(|&id| costs[id] != UNREACHED);
                assert!(reached.iter().map(|id| id.index()).eq(written));
            }
        }
    }
}
