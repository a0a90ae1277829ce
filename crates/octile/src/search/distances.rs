//! Dijkstra's search from one cell to all others.

use super::ds::heap::Heap;
use crate::geometry::units::{Units, Wide};
use crate::geometry::{Cell, CellId, Octile};
use crate::grid::Grid;

/// The exact distance from one cell to every other; see [`distances`].
#[derive(Clone, Debug)]
pub struct Distances {
    grid: Grid,
    source: Cell,
    /// By padded id, in [`Wide`] units; [`UNREACHED`] where there is no path.
    costs: Vec<u64>,
}

const UNREACHED: u64 = u64::MAX;

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
///
/// ```
/// use octile::{Cell, Grid, Octile, distances};
/// let grid: Grid = "...\n.@.\n..@".parse()?;
/// let distances = distances(&grid, Cell::new(0, 0));
/// assert_eq!(distances.to(Cell::new(2, 1)), Some(Octile::new(3, 0)));
/// assert_eq!(distances.to(Cell::new(2, 2)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distances(grid: &Grid, source: Cell) -> Distances {
    let mut costs = vec![UNREACHED; grid.padded_cells()];
    let mut heap = Heap::new();
    let id_steps = grid.id_steps();
    if grid.is_free(source) {
        costs[grid.id(source).index()] = 0;
        heap.push(Wide::pack(0, 0, grid.id(source).0, 0));
    }
    while let Some(entry) = heap.pop() {
        let (g, id) = (Wide::f(entry), CellId(Wide::id(entry, 0)));
        if costs[id.index()] < g {
            continue;
        }
        for dir in grid.moves_of(id) {
            let next = id.0.wrapping_add(id_steps[dir as usize]);
            let next_g = g + if dir.is_diagonal() { Wide::DIAGONAL } else { Wide::STRAIGHT };
            if next_g < costs[next as usize] {
                costs[next as usize] = next_g;
                heap.push(Wide::pack(next_g, next_g, next, 0));
            }
        }
    }
    Distances { grid: grid.clone(), source, costs }
}
