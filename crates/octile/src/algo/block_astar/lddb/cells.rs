//! Distances between cells: sweeps over the block, alternately from the upper left and from the lower right, until
//! nothing changes.
//!
//! A sweep carries the best paths along straight runs: the paths of a cell from the four neighbours before it continue
//! to the four neighbours after it, with the cell where the run began. So each path records where it turns.

use super::Distances;
use super::block::{Block, points_on_rim};
use super::lanes::{self, Lanes};
use crate::geometry::units::{Narrow, Units};

/// The largest code. Cells where a run towards larger numbers begins use their number as code; the others count down
/// from this. For equal lengths the smaller code wins, which is the longer run.
const BACK: u32 = 127;

/// The cells of a block, in rows.
type Cells<const S: usize, const Q: usize> = [[Lanes<Q>; S]; S];

/// Computes the distances of a pattern of `size` x `size` cells, at most `S`. A row is `size - 1` times four lanes, at
/// most `Q` times.
#[inline(always)]
pub(super) fn block<const S: usize, const Q: usize>(size: usize, distances: Distances, pattern: u64, out: &mut Block) {
    let free = !pattern & (u64::MAX >> (64 - size * size));
    let mut cells = [[lanes::far::<Q>(); S]; S];
    for (lane, point) in points_on_rim(size).enumerate() {
        if free >> point & 1 == 1 {
            lanes::put(&mut cells[point / size][point % size], lane, lanes::bits(0, point as u32));
        }
    }
    match distances {
        Distances::Tile => settle(&mut cells, size, free, false),
        _ => settle(&mut cells, size, free, true),
    }
    out.resize(size * size, 4 * (size - 1));
    for (row, lanes) in cells[..size].iter().enumerate() {
        for (column, lanes) in lanes[..size].iter().enumerate() {
            let point_of = |code: u32| if code > BACK / 2 { BACK - code } else { code };
            lanes::write(lanes, size - 1, out.row_mut(row * size + column), |codes, _| codes.map(point_of));
        }
    }
}

/// Sweeps until nothing changes.
#[inline(always)]
fn settle<const S: usize, const Q: usize>(cells: &mut Cells<S, Q>, size: usize, free: u64, diagonal: bool) {
    let turned = free.reverse_bits() >> (64 - size * size);
    sweep(cells, size, free, diagonal, false);
    // If a sweep right after one in the other direction changes nothing, neither direction has anything left to do.
    while sweep(cells, size, turned, diagonal, true) && sweep(cells, size, free, diagonal, false) {}
}

/// One sweep from the upper left or, if `is_turned`, from the lower right. Returns whether something changed.
#[cfg_attr(not(feature = "small"), inline(always))]
#[cfg_attr(feature = "small", inline(never))]
fn sweep<const S: usize, const Q: usize>(
    cells: &mut Cells<S, Q>,
    size: usize,
    free: u64,
    diagonal: bool,
    is_turned: bool,
) -> bool {
    let none = lanes::far::<Q>();
    let mut changed = [0; 4];
    let mut down = [none; S];
    // The paths going down to the right and down to the left, for even and for odd rows.
    let (mut right, mut left) = ([[none; S]; 2], [[none; S]; 2]);
    for y in 0..size {
        let ((right, next_right), (left, next_left)) = (alternate(&mut right, y), alternate(&mut left, y));
        let mut along = none;
        for x in 0..size {
            if free >> (y * size + x) & 1 == 0 {
                (along, down[x]) = (none, none);
                continue;
            }
            let from_left = diagonal && x > 0 && y > 0 && is_square(size, free, x - 1, y - 1);
            let from_right = diagonal && x + 1 < size && y > 0 && is_square(size, free, x, y - 1);
            let point = (y * size + x) as u32;
            let cell = if is_turned { &mut cells[size - 1 - y][size - 1 - x] } else { &mut cells[y][x] };
            let code = if is_turned { BACK + 1 + point - (size * size) as u32 } else { point };
            let from_left = if from_left { &right[x - 1] } else { &none };
            let from_right = if from_right { &left[x + 1] } else { &none };
            for q in 0..size - 1 {
                let (old, a, b) = (cell[q], along[q], down[x][q]);
                let (c, d) = (from_left[q], from_right[q]);
                let best = old.min(a).min(b);
                let best = if diagonal { best.min(c.min(d)) } else { best };
                best.compare(old, &mut changed);
                cell[q] = best;
                let here = best.extended(0, code);
                along[q] = a.min(here).lengthened(Narrow::STRAIGHT);
                down[x][q] = b.min(here).lengthened(Narrow::STRAIGHT);
                if diagonal {
                    next_right[x][q] = c.min(here).lengthened(Narrow::DIAGONAL);
                    next_left[x][q] = d.min(here).lengthened(Narrow::DIAGONAL);
                }
            }
        }
    }
    lanes::is_shorter(changed)
}

/// The result of the row before `y`, and the storage for the result of this row.
#[inline(always)]
fn alternate<T>([even, odd]: &mut [T; 2], y: usize) -> (&T, &mut T) {
    if y.is_multiple_of(2) { (odd, even) } else { (even, odd) }
}

/// Whether this cell and the three cells right of it, below it and diagonally below are free: then diagonal moves
/// between them are legal.
#[inline(always)]
fn is_square(size: usize, free: u64, x: usize, y: usize) -> bool {
    let square = 0b11 | 0b11 << size;
    free >> (y * size + x) & square == square
}
