//! Distances between cells: sweeps over the block, from the upper left and back, until nothing changes.
//!
//! A sweep carries the best paths along straight runs: what a cell has from the four neighbours that come before it is
//! carried on to the four behind it, with the place where the run began. So each path knows where it turns.

use super::Distances;
use super::block::{Block, rim_points};
use super::lanes::{self, Lanes};
use crate::units::{Narrow, Units};

/// Codes of cells at the begin of runs towards larger numbers; the others count down from the largest code. On equal
/// lengths the smaller code wins, which is the longer run.
const BACK: u32 = 127;

/// The cells of a block, in rows.
type Cells<const S: usize, const L: usize> = [[Lanes<L>; S]; S];

#[inline]
pub(super) fn block<const S: usize, const L: usize>(distances: Distances, pattern: u64, out: &mut Block) {
    let free = !pattern & (u64::MAX >> (64 - S * S));
    let mut cells = [[lanes::far::<L>(); S]; S];
    for (lane, point) in rim_points::<S>(distances).enumerate() {
        if free >> point & 1 == 1 {
            cells[point / S][point % S][lane] = lanes::value(0, point as u32);
        }
    }
    match distances {
        Distances::Tile => settle::<S, L, false>(&mut cells, free),
        _ => settle::<S, L, true>(&mut cells, free),
    }
    let (distance, via) = out.rows::<L>(S * S);
    for ((lanes, distance), via) in cells.as_flattened().iter().zip(distance).zip(via) {
        lanes::write(lanes, distance, via, |code, _| if code > BACK / 2 { BACK - code } else { code });
    }
}

/// Sweeps until nothing changes.
#[inline]
fn settle<const S: usize, const L: usize, const DIAGONAL: bool>(cells: &mut Cells<S, L>, free: u64) {
    let turned = free.reverse_bits() >> (64 - S * S);
    sweep::<S, L, DIAGONAL, false>(cells, free);
    // A sweep that changes nothing directly behind one of the other sense leaves nothing to do for either.
    while sweep::<S, L, DIAGONAL, true>(cells, turned) && sweep::<S, L, DIAGONAL, false>(cells, free) {}
}

/// One sweep from the upper left, or turned by half, from the lower right. Returns whether something changed.
#[inline]
fn sweep<const S: usize, const L: usize, const DIAGONAL: bool, const TURNED: bool>(
    cells: &mut Cells<S, L>,
    free: u64,
) -> bool {
    let is_free = |x: usize, y: usize| free >> (y * S + x) & 1 == 1;
    let mut changed = [0; L];
    // What goes down, and down to the right and to the left, from the row above; these two for even and odd rows.
    let (mut down, mut right, mut left) = ([lanes::far(); S], [[lanes::far(); S]; 2], [[lanes::far(); S]; 2]);
    for y in 0..S {
        let mut along = lanes::far();
        for x in 0..S {
            if !is_free(x, y) {
                (along, down[x]) = (lanes::far(), lanes::far());
                continue;
            }
            let cell = if TURNED { &mut cells[S - 1 - y][S - 1 - x] } else { &mut cells[y][x] };
            let mut best = lanes::min(&lanes::min(cell, &along), &down[x]);
            let from_left = DIAGONAL && x > 0 && y > 0 && diagonal::<S>(free, x - 1, y - 1);
            let from_right = DIAGONAL && x + 1 < S && y > 0 && diagonal::<S>(free, x, y - 1);
            if from_left {
                best = lanes::min(&best, &right[(y + 1) & 1][x - 1]);
            }
            if from_right {
                best = lanes::min(&best, &left[(y + 1) & 1][x + 1]);
            }
            lanes::differ(&mut changed, &best, cell);
            *cell = best;
            let point = (y * S + x) as u32;
            let here = lanes::extend(&best, 0, if TURNED { BACK + 1 + point - (S * S) as u32 } else { point });
            along = lanes::lengthen(&lanes::min(&along, &here), Narrow::STRAIGHT);
            down[x] = lanes::lengthen(&lanes::min(&down[x], &here), Narrow::STRAIGHT);
            if DIAGONAL {
                let carried = if from_left { lanes::min(&right[(y + 1) & 1][x - 1], &here) } else { here };
                right[y & 1][x] = lanes::lengthen(&carried, Narrow::DIAGONAL);
                let carried = if from_right { lanes::min(&left[(y + 1) & 1][x + 1], &here) } else { here };
                left[y & 1][x] = lanes::lengthen(&carried, Narrow::DIAGONAL);
            }
        }
    }
    changed.iter().fold(0, |all, bits| all | bits) != 0
}

/// Whether the four cells at and behind this one are free: the diagonal moves between them are legal.
#[inline]
fn diagonal<const S: usize>(free: u64, x: usize, y: usize) -> bool {
    let square = 0b11 | 0b11 << S;
    free >> (y * S + x) & square == square
}
