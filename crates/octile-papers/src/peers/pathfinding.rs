//! A\* of the crate `pathfinding`, which searches any graph given by closures.
//!
//! It gets cells as nodes, integer costs, and a closure that gives the legal moves of a cell. That tests the eight
//! neighbours, as anyone would write it, or reads octile's own table of legal moves, so that only the searches differ.

use std::ops::Mul;

use octile::geometry::{Dir, DirSet};
use octile::planner::Probe;
use octile::{Cell, Grid, GridCost, PathQuery};
use pathfinding::num_traits::Zero;

use super::Foreign;

/// Straight and diagonal moves, priced like octile's own.
const STRAIGHT: u32 = 33_461;
const DIAGONAL: u32 = 47_321;

/// The peer; with `TABLE` it reads the table of legal moves.
#[derive(Clone)]
pub(super) struct Pathfinding<const TABLE: bool> {
    /// Whether the cost of any path fits in 32 bits: shorter entries make a faster search.
    is_small: bool,
}

impl<const TABLE: bool> Pathfinding<TABLE> {
    fn moves(grid: &Grid, cell: Cell) -> DirSet {
        if TABLE { grid.moves(cell) } else { tested_moves(grid, cell) }
    }

    /// The cells of the path.
    fn astar<C, P>(grid: &Grid, query: PathQuery, probe: &mut P) -> Option<Vec<Cell>>
    where
        C: Zero + Ord + Copy + Mul<Output = C> + From<u32>,
        P: Probe + ?Sized,
    {
        let (straight, diagonal) = (C::from(STRAIGHT), C::from(DIAGONAL));
        let price = move |dir: Dir| if dir.is_diagonal() { diagonal } else { straight };
        let successors = |&cell: &Cell| {
            probe.expanded(cell);
            Self::moves(grid, cell).into_iter().map(move |dir| (dir.step(cell, 1), price(dir)))
        };
        let estimate = |&cell: &Cell| {
            let estimate = GridCost::between(cell, query.goal);
            C::from(estimate.straight) * straight + C::from(estimate.diagonal) * diagonal
        };
        let (path, _) = pathfinding::prelude::astar(&query.start, successors, estimate, |&cell| cell == query.goal)?;
        Some(path)
    }
}

/// The legal moves of a cell, found by looking at its neighbours.
fn tested_moves(grid: &Grid, cell: Cell) -> DirSet {
    let free = Dir::ALL.map(|dir| grid.is_free(dir.step(cell, 1)));
    let beside = |i: usize| free[(i + 7) % 8] && free[(i + 1) % 8];
    Dir::ALL.into_iter().filter(|&dir| free[dir as usize] && (!dir.is_diagonal() || beside(dir as usize))).collect()
}

impl<const TABLE: bool> Foreign for Pathfinding<TABLE> {
    const NAME: &'static str = if TABLE { "peer/pathfinding-moves" } else { "peer/pathfinding" };

    fn new(grid: &Grid) -> Self {
        // No path visits a cell twice, and the estimate is never above the width and the height together.
        let most_moves = u64::from(grid.largest_component()) + u64::from(grid.width()) + u64::from(grid.height());
        Self { is_small: u32::try_from(most_moves * u64::from(DIAGONAL)).is_ok() }
    }

    fn points<P: Probe + ?Sized>(&self, grid: &Grid, query: PathQuery, probe: &mut P) -> Option<Vec<Cell>> {
        if self.is_small {
            Self::astar::<u32, P>(grid, query, probe)
        } else {
            Self::astar::<u64, P>(grid, query, probe)
        }
    }
}
