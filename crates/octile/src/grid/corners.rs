//! The corners of a map as any-angle planners use them: moves from one to the next, and which may be connected.

use std::sync::Arc;

use super::components::{Components, Contact};
use super::sight::Squeeze;
use super::{Edits, Grid};
use crate::error::EditError;
use crate::{Cell, Corner, Dir, DirSet};

/// Which of the four cells around a corner are free: a bit each for upper left, upper right, lower left and lower right.
/// The padding counts as blocked.
#[inline]
fn around(grid: &Grid, corner: Corner) -> usize {
    let (x, y) = (corner.x as usize, corner.y as usize);
    let pair = |line| grid.rows().window(line, x) as usize & 3;
    pair(y) | pair(y + 1) << 2
}

/// The cells around a pinch that is its lower right cell's, and around one that is nobody's.
const LOWER_RIGHT_PINCH: usize = 0b1001;
const CLOSED_PINCH: usize = 0b0110;

/// Whether, where squeezing is forbidden, a line between two corners may end at `corner`; see [`Squeeze`].
#[inline]
pub(crate) fn may_end(grid: &Grid, corner: Corner, other: Corner) -> bool {
    match around(grid, corner) {
        LOWER_RIGHT_PINCH => other.x >= corner.x && other.y >= corner.y,
        CLOSED_PINCH => false,
        _ => true,
    }
}

/// Whether a shortest path may turn at a corner: an obstacle has a corner there.
pub(crate) fn is_turn(grid: &Grid, corner: Corner) -> bool {
    let blocked = !around(grid, corner) & 15;
    blocked.count_ones() == 1 || blocked == LOWER_RIGHT_PINCH || blocked == CLOSED_PINCH
}

/// The moves of a corner to its eight neighbours for each state of the cells around it, where squeezing is allowed: a straight
/// move needs one of the two cells beside it, a diagonal one the cell that it crosses.
const MOVES: [DirSet; 16] = {
    let mut table = [DirSet::NONE; 16];
    let mut around = 0;
    while around < 16 {
        let free = around as u8;
        let (nw, ne, sw, se) = (free & 1, free >> 1 & 1, free >> 2 & 1, free >> 3);
        let straight = (nw | ne) | (ne | se) << 2 | (se | sw) << 4 | (sw | nw) << 6;
        table[around] = DirSet(straight | ne << 1 | se << 3 | sw << 5 | nw << 7);
        around += 1;
    }
    table
};

/// The legal moves of a corner to its neighbours.
#[inline]
pub(crate) fn moves(grid: &Grid, corner: Corner, squeeze: Squeeze) -> DirSet {
    let moves = MOVES[around(grid, corner)];
    if squeeze == Squeeze::Allowed { moves } else { without_squeezing(grid, corner, moves) }
}

/// The moves that begin and end where a line may.
fn without_squeezing(grid: &Grid, corner: Corner, moves: DirSet) -> DirSet {
    let may_go = |dir: &Dir| {
        let to = step(corner, *dir);
        may_end(grid, corner, to) && may_end(grid, to, corner)
    };
    moves.into_iter().filter(may_go).collect()
}

/// The neighbour in a direction, which the caller knows to be on the map.
#[inline]
pub(crate) fn step(corner: Corner, dir: Dir) -> Corner {
    Corner::new(corner.x.wrapping_add_signed(dir.dx()), corner.y.wrapping_add_signed(dir.dy()))
}

/// A map on whose corners a planner works under a squeeze rule: what any-angle planners hold. It knows which cells may be
/// connected under the rule, and follows edits at a cost proportional to the edit.
#[derive(Clone, Debug)]
pub(crate) struct CornerMap {
    grid: Grid,
    squeeze: Squeeze,
    /// The cells that hang together by corners, if squeezing is allowed. If not, the grid knows.
    touching: Option<Arc<Components>>,
}

impl CornerMap {
    pub(crate) fn new(grid: &Grid, squeeze: Squeeze) -> Self {
        let (stride, height) = (grid.stride() as usize, grid.height() as usize);
        let label = || Arc::new(Components::label(grid.rows(), stride, height, Contact::Corners));
        Self { grid: grid.clone(), squeeze, touching: (squeeze == Squeeze::Allowed).then(label) }
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(crate) fn squeeze(&self) -> Squeeze {
        self.squeeze
    }

    /// Whether a path between two free cells may exist; as certain as [`Grid::may_connect`].
    pub(crate) fn may_connect(&self, a: Cell, b: Cell) -> bool {
        match &self.touching {
            Some(components) => components.may_connect(self.grid.id(a), self.grid.id(b)),
            None => self.grid.may_connect(a, b),
        }
    }

    /// Changes the map; see [`Planner::apply`](crate::Planner::apply).
    pub(crate) fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        edits.check(&self.grid)?;
        let stride = self.grid.stride() as usize;
        if let Some(components) = &mut self.touching
            && edits.iter().any(|(cell, free)| self.grid.is_free(cell) != free)
        {
            let components = Arc::make_mut(components);
            for (cell, free) in edits.iter() {
                components.set(self.grid.id(cell), stride, free);
            }
        }
        self.grid.apply(edits)
    }
}
