//! Stations: for each cell, its row in the database, and how far a path continues in each direction before it may turn.
//!
//! Some optimal path is *canonical*: it makes every diagonal move as early as it can. Such a path leaves a straight
//! line only where an obstacle has just ended beside it (a *forced* cell), and a diagonal line only for a straight one
//! that leads to a forced cell or to the goal. If the database [prefers diagonal moves](super::Ties), it returns the
//! first move of such a path: if a path that begins with a straight move had a canonical form that does not, a diagonal
//! first move would be optimal too. So after a straight move the path goes straight to the next forced cell or the
//! goal. After a diagonal move it goes on diagonally to the next cell from which a straight line to either side of the
//! diagonal leads to a forced cell, or to the row or column of the goal.

use super::file::View;
use crate::geometry::{CellId, Dir};
use crate::grid::Grid;

/// The station of a cell.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(super) struct Station {
    /// In each direction, the number of moves to the next cell where the path may turn, or to the end of the line; 0 if
    /// there is no legal move. Longer lines are cut: an early stop is never wrong.
    pub(super) hops: [u8; 8],
    /// The start and end of its row.
    pub(super) row: [u32; 2],
}

/// The stations of a map, by padded id.
pub(super) fn of(grid: &Grid, view: View) -> Vec<Station> {
    let steps = grid.id_steps();
    let forced = |id: CellId| FORCED[grid.moves_of(id).0 as usize];
    let mut stations = vec![Station::default(); grid.padded_cells()];
    // The straight directions in which a forced cell is ahead.
    let mut ahead = vec![0_u8; grid.padded_cells()];
    for dir in Dir::ALL.into_iter().filter(|dir| !dir.is_diagonal()) {
        for id in from_far_end(grid, dir).filter(|&id| grid.moves_of(id).contains(dir)) {
            let next = CellId(id.0.wrapping_add(steps[dir as usize]));
            ahead[id.index()] |= (forced(next) | ahead[next.index()]) & 1 << dir as u8;
        }
    }
    for dir in Dir::ALL {
        let sides = 1 << dir.turn(-1) as u8 | 1 << dir.turn(1) as u8;
        for id in from_far_end(grid, dir).filter(|&id| grid.moves_of(id).contains(dir)) {
            let next = CellId(id.0.wrapping_add(steps[dir as usize]));
            let may_turn =
                if dir.is_diagonal() { ahead[next.index()] & sides != 0 } else { forced(next) >> dir as u8 & 1 == 1 };
            let beyond = if may_turn { 0 } else { stations[next.index()].hops[dir as usize] };
            stations[id.index()].hops[dir as usize] = beyond.saturating_add(1);
        }
    }
    let free = grid.cells().filter(|&cell| grid.is_free(cell));
    for (cell, row) in free.zip(view.row_ends()) {
        stations[grid.id(cell).index()].row = row;
    }
    stations
}

/// All cells, those further in a direction first.
fn from_far_end(grid: &Grid, dir: Dir) -> impl Iterator<Item = CellId> {
    let last = grid.padded_cells() as u32 - 1;
    let is_towards_first = dir.dy() < 0 || dir.dy() == 0 && dir.dx() < 0;
    (0..=last).map(move |i| CellId(if is_towards_first { i } else { last - i }))
}

/// By the legal moves of a cell, the straight directions in which an arriving path finds the cell forced: it can
/// continue to some side, and the diagonal move back on that side is illegal.
static FORCED: [u8; 256] = {
    let mut forced = [0; 256];
    let mut moves = 0;
    while moves < 256 {
        let mut dir = 0;
        while dir < 8 {
            let (left, right) = ((dir + 6) % 8, (dir + 2) % 8);
            let (back_left, back_right) = ((dir + 5) % 8, (dir + 3) % 8);
            let is_forced = moves >> left & 1 == 1 && moves >> back_left & 1 == 0
                || moves >> right & 1 == 1 && moves >> back_right & 1 == 0;
            forced[moves] |= (is_forced as u8) << dir;
            dir += 2;
        }
        moves += 1;
    }
    forced
};
