//! Distances between cells: sweeps over the block, from the upper left and back, until nothing changes.
//!
//! A sweep carries the best paths along straight runs: what a cell has from the four neighbours that come before it is
//! carried on to the four behind it, with the place where the run began. So each path knows where it turns.

use super::Distances;
use super::block::{Block, rim_points};
use super::lanes::{self, Lanes};
use crate::geometry::units::{Narrow, Units};

/// Codes of cells at the begin of runs towards larger numbers; the others count down from the largest code. On equal
/// lengths the smaller code wins, which is the longer run.
const BACK: u32 = 127;

/// The cells of a block, in rows.
type Cells<const S: usize, const Q: usize> = [[Lanes<Q>; S]; S];

#[inline(always)]
pub(super) fn block<const S: usize, const Q: usize>(distances: Distances, pattern: u64, out: &mut Block) {
    let free = !pattern & (u64::MAX >> (64 - S * S));
    let mut cells = [[lanes::far::<Q>(); S]; S];
    for (lane, point) in rim_points::<S>(distances).enumerate() {
        if free >> point & 1 == 1 {
            lanes::put(&mut cells[point / S][point % S], lane, lanes::bits(0, point as u32));
        }
    }
    match distances {
        Distances::Tile => settle::<S, Q, false>(&mut cells, free),
        _ => settle::<S, Q, true>(&mut cells, free),
    }
    out.resize(S * S, 4 * Q);
    for (point, lanes) in cells.as_flattened().iter().enumerate() {
        let point_of = |code: u32| if code > BACK / 2 { BACK - code } else { code };
        lanes::write(lanes, out.row_mut(point), |codes, _| codes.map(point_of));
    }
}

/// Sweeps until nothing changes.
#[inline(always)]
fn settle<const S: usize, const Q: usize, const DIAGONAL: bool>(cells: &mut Cells<S, Q>, free: u64) {
    let turned = free.reverse_bits() >> (64 - S * S);
    sweep::<S, Q, DIAGONAL, false>(cells, free);
    // A sweep that changes nothing directly behind one of the other sense leaves nothing to do for either.
    while sweep::<S, Q, DIAGONAL, true>(cells, turned) && sweep::<S, Q, DIAGONAL, false>(cells, free) {}
}

/// One sweep from the upper left, or turned by half, from the lower right. Returns whether something changed.
#[inline(always)]
fn sweep<const S: usize, const Q: usize, const DIAGONAL: bool, const TURNED: bool>(
    cells: &mut Cells<S, Q>,
    free: u64,
) -> bool {
    let none = lanes::far::<Q>();
    let mut changed = [0; 4];
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
            let code = if TURNED { BACK + 1 + point - (S * S) as u32 } else { point };
            let from_left = if from_left { &right[x - 1] } else { &none };
            let from_right = if from_right { &left[x + 1] } else { &none };
            for q in 0..Q {
                let (old, a, b) = (cell[q], along[q], down[x][q]);
                let (c, d) = (from_left[q], from_right[q]);
                let best = old.min(a).min(b);
                let best = if DIAGONAL { best.min(c.min(d)) } else { best };
                best.compare(old, &mut changed);
                cell[q] = best;
                let here = best.extended(0, code);
                along[q] = a.min(here).lengthened(Narrow::STRAIGHT);
                down[x][q] = b.min(here).lengthened(Narrow::STRAIGHT);
                if DIAGONAL {
                    next_right[x][q] = c.min(here).lengthened(Narrow::DIAGONAL);
                    next_left[x][q] = d.min(here).lengthened(Narrow::DIAGONAL);
                }
            }
        }
    }
    lanes::is_shorter(changed)
}

/// What the row before `y` has left, and the place for what this one leaves.
#[inline(always)]
fn by_turns<T>([even, odd]: &mut [T; 2], y: usize) -> (&T, &mut T) {
    if y.is_multiple_of(2) { (odd, even) } else { (even, odd) }
}

/// Whether the four cells at and behind this one are free: the diagonal moves between them are legal.
#[inline]
fn is_square<const S: usize>(free: u64, x: usize, y: usize) -> bool {
    let square = 0b11 | 0b11 << S;
    free >> (y * S + x) & square == square
}
