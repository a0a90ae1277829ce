//! The order of the targets in a row of runs: cells that are close in the order should be close on the map, so that
//! runs are long.

use crate::geometry::{Cell, CellId, Dir};
use crate::grid::Grid;
use crate::planner::names;

/// How the free cells of a map are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// In the order of a depth-first traversal of the map.
    #[default]
    Dfs,
    /// Along the Hilbert curve.
    Hilbert,
}

names! { Order { Dfs = "dfs", Hilbert = "hilbert" } }

impl Order {
    /// The free cells of a map in this order.
    pub(super) fn cells(self, grid: &Grid) -> Vec<CellId> {
        match self {
            Self::Dfs => depth_first(grid),
            Self::Hilbert => {
                let bits = u32::BITS - (grid.width().max(grid.height()) - 1).leading_zeros();
                let mut cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
                cells.sort_by_cached_key(|cell| hilbert(cell.x, cell.y, bits));
                cells.into_iter().map(|cell| grid.id(cell)).collect()
            }
        }
    }
}

/// Straight moves first: they make longer strips than diagonal ones.
const WALK: [Dir; 8] = [Dir::N, Dir::E, Dir::S, Dir::W, Dir::NE, Dir::SE, Dir::SW, Dir::NW];

fn depth_first(grid: &Grid) -> Vec<CellId> {
    let steps = grid.id_steps();
    let mut seen = vec![false; grid.padded_cells()];
    let (mut order, mut waiting) = (Vec::with_capacity(grid.free_cells() as usize), Vec::new());
    for root in grid.cells().filter(|&cell| grid.is_free(cell)) {
        waiting.push(grid.id(root));
        while let Some(id) = waiting.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            order.push(id);
            let moves = grid.moves_of(id);
            let next = WALK.iter().rev().filter(|&&dir| moves.contains(dir));
            waiting
                .extend(next.map(|&dir| CellId(id.0.wrapping_add(steps[dir as usize]))).filter(|id| !seen[id.index()]));
        }
    }
    order
}

/// The position of a cell on the Hilbert curve through a square with sides of `2^bits` cells.
fn hilbert(mut x: u32, mut y: u32, bits: u32) -> u64 {
    let mut place = 0;
    for bit in (0..bits).rev() {
        let (right, below) = (x >> bit & 1, y >> bit & 1);
        place = place << 2 | u64::from((3 * right) ^ below);
        let low = (1 << bit) - 1;
        (x, y) = (x & low, y & low);
        if below == 0 {
            if right == 1 {
                (x, y) = (low - x, low - y);
            }
            (x, y) = (y, x);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_free_cell_has_one_place() {
        let grid: Grid = "..@.\n.@@.\n@@..".parse().unwrap();
        for order in Order::ALL {
            let mut cells = order.cells(&grid);
            assert_eq!(cells.len() as u32, grid.free_cells());
            cells.sort_by_key(|id| id.0);
            cells.dedup();
            assert_eq!(cells.len() as u32, grid.free_cells());
        }
    }

    #[test]
    fn hilberts_curve_goes_from_neighbour_to_neighbour() {
        let grid = Grid::open(16, 16).unwrap();
        let cells: Vec<Cell> = Order::Hilbert.cells(&grid).into_iter().map(|id| grid.cell(id)).collect();
        assert!(cells.windows(2).all(|pair| pair[0].x.abs_diff(pair[1].x) + pair[0].y.abs_diff(pair[1].y) == 1));
    }
}
