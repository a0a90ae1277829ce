//! Where paths may turn: cells up to which a path can be followed without a look into the database.
//!
//! Some optimal path is *canonical*: it makes every diagonal move as early as it can. Such a path leaves a straight line only
//! where an obstacle has just ended beside it (a *forced* cell), and a diagonal line only for a straight one that leads to a
//! forced cell or to the goal. If the database [prefers diagonal moves](super::Ties), what it gives is the first move of such a
//! path: had a path that begins with a straight move a canonical form that does not, a diagonal first move were optimal too. So
//! from a straight move on the path goes straight to the next forced cell or the goal; from a diagonal one on diagonally to
//! the next cell from which a straight line to either side of the diagonal leads to a forced cell, or to the row or column
//! of the goal.

use crate::cell::CellId;
use crate::{Cell, Dir, Grid, Movement};

/// For each cell, row by row, the directions in which a path that arrives may have to turn: a bit for each. Under rules other
/// than octile it always may.
pub(super) fn of(grid: &Grid) -> Vec<u8> {
    if grid.movement() != Movement::Octile {
        return vec![u8::MAX; grid.width() as usize * grid.height() as usize];
    }
    let steps = grid.id_steps();
    let forced = |id: CellId| FORCED[grid.moves_of(id).0 as usize];
    // Straight directions in which a forced cell is ahead.
    let mut ahead = vec![0_u8; grid.padded_cells()];
    let ids = || (0..grid.padded_cells() as u32).map(CellId);
    for dir in Dir::ALL.into_iter().filter(|dir| !dir.is_diagonal()) {
        let bit = 1 << dir as u8;
        let mut look = |id: CellId| {
            if grid.moves_of(id).contains(dir) {
                let next = CellId(id.0.wrapping_add(steps[dir as usize]));
                ahead[id.index()] |= (forced(next) | ahead[next.index()]) & bit;
            }
        };
        // From the far end of each line.
        if matches!(dir, Dir::N | Dir::W) { ids().for_each(&mut look) } else { ids().rev().for_each(&mut look) }
    }
    let stops = |cell: Cell| {
        let id = grid.id(cell);
        let sides = |dir: Dir| 1 << dir.turn(-1) as u8 | 1 << dir.turn(1) as u8;
        let turns = |dir: &Dir| dir.is_diagonal() && ahead[id.index()] & sides(*dir) != 0;
        Dir::ALL.into_iter().filter(turns).fold(forced(id), |set, dir| set | 1 << dir as u8)
    };
    grid.cells().map(stops).collect()
}

/// By the legal moves of a cell, the straight directions in which it is forced for a path that arrives: to some side it can go
/// on, and the diagonal move back is barred.
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
