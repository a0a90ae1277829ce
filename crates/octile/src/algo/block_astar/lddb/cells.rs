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

#[inline(always)]
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
#[inline(always)]
fn settle<const S: usize, const L: usize, const DIAGONAL: bool>(cells: &mut Cells<S, L>, free: u64) {
    let turned = free.reverse_bits() >> (64 - S * S);
    sweep::<S, L, DIAGONAL, false>(cells, free);
    // A sweep that changes nothing directly behind one of the other sense leaves nothing to do for either.
    while sweep::<S, L, DIAGONAL, true>(cells, turned) && sweep::<S, L, DIAGONAL, false>(cells, free) {}
}

/// One sweep from the upper left, or turned by half, from the lower right. Returns whether something changed.
#[inline(always)]
fn sweep<const S: usize, const L: usize, const DIAGONAL: bool, const TURNED: bool>(
    cells: &mut Cells<S, L>,
    free: u64,
) -> bool {
    let none = lanes::far();
    let mut changed = [0; L];
    let mut down = [none; S];
    // What leads down to the right and to the left: from even and from odd rows.
    let (mut right, mut left) = ([[none; S]; 2], [[none; S]; 2]);
    for y in 0..S {
        let ((right, next_right), (left, next_left)) = (by_turns(&mut right, y), by_turns(&mut left, y));
        let mut along = none;
        for x in 0..S {
            if free >> (y * S + x) & 1 == 0 {
                (along, down[x]) = (none, none);
                continue;
            }
            let from_left = DIAGONAL && x > 0 && y > 0 && is_square::<S>(free, x - 1, y - 1);
            let from_right = DIAGONAL && x + 1 < S && y > 0 && is_square::<S>(free, x, y - 1);
            let point = (y * S + x) as u32;
            let cell = if TURNED { &mut cells[S - 1 - y][S - 1 - x] } else { &mut cells[y][x] };
            let mut runs = Runs { along: &mut along, down: &mut down[x] };
            let code = if TURNED { BACK + 1 + point - (S * S) as u32 } else { point };
            if DIAGONAL {
                let diagonals = [
                    (if from_left { &right[x - 1] } else { &none }, &mut next_right[x]),
                    (if from_right { &left[x + 1] } else { &none }, &mut next_left[x]),
                ];
                runs.pass_eight(cell, code, diagonals, &mut changed);
            } else {
                runs.pass_four(cell, code, &mut changed);
            }
        }
    }
    changed.iter().fold(0, |all, bits| all | bits) != 0
}

/// What the row before `y` has left, and the place for what this one leaves.
#[inline(always)]
fn by_turns<T>([even, odd]: &mut [T; 2], y: usize) -> (&T, &mut T) {
    if y.is_multiple_of(2) { (odd, even) } else { (even, odd) }
}

/// Paths along the row and down the column that lead to a cell, and then those that lead on from it.
struct Runs<'a, const L: usize> {
    along: &'a mut Lanes<L>,
    down: &'a mut Lanes<L>,
}

impl<const L: usize> Runs<'_, L> {
    #[inline(always)]
    fn pass_four(&mut self, cell: &mut Lanes<L>, code: u32, changed: &mut [u32; L]) {
        for lane in 0..L {
            let (along, down, old) = (self.along[lane], self.down[lane], cell[lane]);
            let best = lanes::less(lanes::less(old, along), down);
            changed[lane] |= best.to_bits() ^ old.to_bits();
            cell[lane] = best;
            let here = lanes::extended(best, 0, code);
            self.along[lane] = lanes::lengthened(lanes::less(along, here), Narrow::STRAIGHT);
            self.down[lane] = lanes::lengthened(lanes::less(down, here), Narrow::STRAIGHT);
        }
    }

    /// As `pass_four`, with the paths down to the right and to the left: those that lead here, and a place for the next.
    #[inline(always)]
    fn pass_eight(
        &mut self,
        cell: &mut Lanes<L>,
        code: u32,
        [(right, next_right), (left, next_left)]: [(&Lanes<L>, &mut Lanes<L>); 2],
        changed: &mut [u32; L],
    ) {
        for lane in 0..L {
            let (along, down, old) = (self.along[lane], self.down[lane], cell[lane]);
            let (right, left) = (right[lane], left[lane]);
            let best = lanes::less(lanes::less(old, along), lanes::less(down, lanes::less(right, left)));
            changed[lane] |= best.to_bits() ^ old.to_bits();
            cell[lane] = best;
            let here = lanes::extended(best, 0, code);
            self.along[lane] = lanes::lengthened(lanes::less(along, here), Narrow::STRAIGHT);
            self.down[lane] = lanes::lengthened(lanes::less(down, here), Narrow::STRAIGHT);
            next_right[lane] = lanes::lengthened(lanes::less(right, here), Narrow::DIAGONAL);
            next_left[lane] = lanes::lengthened(lanes::less(left, here), Narrow::DIAGONAL);
        }
    }
}

/// Whether the four cells at and behind this one are free: the diagonal moves between them are legal.
#[inline]
fn is_square<const S: usize>(free: u64, x: usize, y: usize) -> bool {
    let square = 0b11 | 0b11 << S;
    free >> (y * S + x) & square == square
}
