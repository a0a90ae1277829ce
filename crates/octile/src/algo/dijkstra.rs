//! Dijkstra's search: without a heuristic as a planner, and from one cell to all others.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: none; follows edits. With
//!   [pruners](crate::prune) some milliseconds, repeated when the map changes.
//! - **Complexity**: time O(n log n), scratch O(n), for n cells.
//! - **Reference**: Dijkstra, "A note on two problems in connexion with graphs", 1959.
//! - **Deviations**: none. (The judge that tests compare with is another, naive one, in `octile-testkit`.)
//!
//! # Example
//! ```
//! use octile::{Cell, Grid, Octile, algo::dijkstra};
//! let grid: Grid = "...\n.@.\n..@".parse()?;
//! let distances = dijkstra::distances(&grid, Cell::new(0, 0));
//! assert_eq!(distances.to(Cell::new(2, 1)), Some(Octile::new(3, 0)));
//! assert_eq!(distances.to(Cell::new(2, 2)), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::best_first::{CellSearch, Estimate, GATES_PAY_BELOW, index_kinds};
use super::{Entry, IndexEffort};
use crate::cell::CellId;
use crate::ds::heap::Heap;
use crate::error::BuildError;
use crate::grid::Movement;
use crate::planner::Guarantee;
use crate::prune::{GATES_USE_KEY, LOOKUP_KEY, PRUNE_KEY, Prune, Terrain};
use crate::units::{Units, Wide};
use crate::{Cell, Finder, Grid, Octile};

/// The line of [`Dijkstra`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "dijkstra",
    summary: "search without a heuristic, in all directions",
    guarantee: |_| Guarantee::GridOptimal,
    index: IndexEffort::None,
    movements: |_| &Movement::ALL,
    keys: &[PRUNE_KEY, LOOKUP_KEY, GATES_USE_KEY],
    paper: "Dijkstra 1959",
    variants: &["dijkstra:prune=blocked-areas+gates,gates=always"],
    check: |options| Prune::from_options(options).map(drop),
    indexes: index_kinds,
    build: |grid, options| {
        let prune = Prune::from_options(options)?;
        let terrain = Terrain::from_options(grid, prune, GATES_PAY_BELOW, options)?;
        Ok(Finder::from_planner(Dijkstra { terrain }))
    },
};

/// Dijkstra's search as a planner.
#[derive(Clone, Debug)]
pub struct Dijkstra {
    terrain: Terrain,
}

impl Dijkstra {
    /// A planner for `grid`.
    ///
    /// # Errors
    /// If the grid's movement rule is not supported.
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        Self::with_pruning(grid, Prune::default())
    }

    /// As [`new`](Dijkstra::new), with pruners.
    ///
    /// # Errors
    /// If the grid's movement rule is not supported.
    pub fn with_pruning(grid: &Grid, prune: Prune) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &Movement::ALL)?;
        Ok(Self { terrain: Terrain::new(grid, prune, GATES_PAY_BELOW) })
    }
}

impl CellSearch for Dijkstra {
    const ENTRY: Entry = ENTRY;

    fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    fn terrain_mut(&mut self) -> &mut Terrain {
        &mut self.terrain
    }

    fn estimate(&self) -> Estimate {
        Estimate::Zero
    }
}

/// The exact distance from one cell to every other; see [`distances`].
#[derive(Clone, Debug)]
pub struct Distances {
    grid: Grid,
    source: Cell,
    /// By padded id, in [`Wide`] units; [`UNREACHED`] where there is no path.
    costs: Vec<u64>,
}

/// The cost of cells that are not reached.
pub(crate) const UNREACHED: u64 = u64::MAX;

impl Distances {
    /// Where the distances are measured from.
    pub fn source(&self) -> Cell {
        self.source
    }

    /// The cost of a shortest path to `cell`; `None` if there is none, or the cell is off the map or blocked.
    pub fn to(&self, cell: Cell) -> Option<Octile> {
        let cost = if self.grid.contains(cell) { self.costs[self.grid.id(cell).index()] } else { UNREACHED };
        (cost != UNREACHED).then(|| Wide::decode(cost))
    }
}

/// The distances from `source` to all cells. From a blocked or off-map cell nothing is reached.
pub fn distances(grid: &Grid, source: Cell) -> Distances {
    let mut costs = vec![UNREACHED; grid.padded_cells()];
    if grid.is_free(source) {
        let anywhere = |_: CellId, _: CellId| true;
        spread(grid, (&mut costs, &mut Heap::new()), grid.id(source), UNREACHED, anywhere, |_| ());
    }
    Distances { grid: grid.clone(), source, costs }
}

/// Writes the distances from a free cell into a table by padded id, in [`Wide`] units, that is [`UNREACHED`] everywhere: up to `limit`,
/// by moves that are `allowed` from one cell to the next. Calls `reached` with every cell that is written, once. The heap is empty, and
/// left so.
pub(crate) fn spread(
    grid: &Grid,
    (costs, heap): (&mut [u64], &mut Heap<u128>),
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
    use crate::grid::generate;

    /// Passes over all moves until nothing changes.
    fn naive(grid: &Grid, source: CellId, limit: u64, allowed: impl Fn(CellId, CellId) -> bool) -> Vec<u64> {
        let mut costs = vec![UNREACHED; grid.padded_cells()];
        costs[source.index()] = 0;
        loop {
            let before = costs.clone();
            for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
                let id = grid.id(cell);
                for dir in grid.moves_of(id) {
                    let next = grid.id(dir.step(cell, 1));
                    let price = if dir.is_diagonal() { Wide::DIAGONAL } else { Wide::STRAIGHT };
                    let cost = costs[id.index()].saturating_add(price);
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
    fn distances_keep_to_the_limit_and_to_the_moves_allowed() {
        let mut heap = Heap::new();
        for (seed, movement) in (0..6).flat_map(|seed| Movement::ALL.map(|movement| (seed, movement))) {
            let grid = generate::random(17, 13, 20, seed).unwrap().with_movement(movement);
            let source = grid.cells().find(|&cell| grid.is_free(cell)).map(|cell| grid.id(cell)).unwrap();
            // Moves that may be made one way only.
            let some = |from: CellId, to: CellId| (from.0 * 3 + to.0 + seed as u32) % 7 != 0;
            for limit in [0, Wide::DIAGONAL, 6 * Wide::STRAIGHT, UNREACHED] {
                let (mut costs, mut reached) = (vec![UNREACHED; grid.padded_cells()], Vec::new());
                spread(&grid, (&mut costs, &mut heap), source, limit, some, |id| reached.push(id));
                assert_eq!(costs, naive(&grid, source, limit, some), "seed {seed}, limit {limit}\n{grid:?}");
                assert_eq!(heap.pop(), None);
                // Each that was written, once.
                reached.sort_unstable_by_key(|id| id.0);
                let written = (0..grid.padded_cells()).filter(|&id| costs[id] != UNREACHED);
                assert!(reached.iter().map(|id| id.index()).eq(written));
            }
            assert_eq!(
                distances(&grid, grid.cell(source)).costs,
                naive(&grid, source, UNREACHED, |_, _| true),
                "seed {seed}\n{grid:?}"
            );
        }
    }
}
