//! Prunes a search for one query, without changing the cost of its answer.
//!
//! Pruners are asked only about legal cells and moves. "Passable" and "worth entering" remain two questions: a pruned
//! cell is not an obstacle, and a diagonal move may pass beside it.

use crate::geometry::{Cell, CellId, Dir, DirSet};
use crate::grid::Grid;

/// A pruner, prepared for one query. A search tries only the moves of [`moves`](Pruner::moves); when a watched move
/// leads to a cell for the first time, the search enters the cell only if [`may_enter`](Pruner::may_enter) returns
/// true.
pub(crate) trait Pruner {
    /// The moves of a cell that the search has entered.
    fn moves(&self, grid: &Grid, id: CellId, cell: Cell) -> Moves;

    /// Whether the search may enter `cell`, to which a watched move leads. The answer is the same for all watched moves
    /// to that cell.
    fn may_enter(&self, by: Move, cell: Cell) -> bool;
}

/// The moves of a cell, as classified by a pruner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    /// The legal moves except those that the search does not need.
    pub(crate) tried: DirSet,
    /// The moves that need a check: the others lead to cells that may be entered.
    pub(crate) watched: DirSet,
}

/// A move of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) dir: Dir,
    pub(crate) to: CellId,
}

/// For pruners that are too rare to specialise searches for them.
impl Pruner for &dyn Pruner {
    fn moves(&self, grid: &Grid, id: CellId, cell: Cell) -> Moves {
        (**self).moves(grid, id, cell)
    }

    fn may_enter(&self, by: Move, cell: Cell) -> bool {
        (**self).may_enter(by, cell)
    }
}

/// Prunes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Everywhere;

impl Pruner for Everywhere {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, _: Cell) -> Moves {
        Moves { tried: grid.moves_of(id), watched: DirSet::NONE }
    }

    #[inline]
    fn may_enter(&self, _: Move, _: Cell) -> bool {
        true
    }
}

/// Applies two pruners.
pub(crate) struct Both<A, B>(pub(crate) A, pub(crate) B);

impl<A: Pruner, B: Pruner> Pruner for Both<A, B> {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, cell: Cell) -> Moves {
        let (a, b) = (self.0.moves(grid, id, cell), self.1.moves(grid, id, cell));
        Moves { tried: DirSet(a.tried.0 & b.tried.0), watched: DirSet(a.watched.0 | b.watched.0) }
    }

    #[inline]
    fn may_enter(&self, by: Move, cell: Cell) -> bool {
        self.0.may_enter(by, cell) && self.1.may_enter(by, cell)
    }
}
