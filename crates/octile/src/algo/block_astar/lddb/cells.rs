//! Distances between cells: sweeps over the block, alternately from the upper left and from the lower right, until
//! nothing changes.
//!
//! A sweep carries the best paths along straight runs: the paths of a cell from the four neighbours before it continue
//! to the four neighbours after it, with the cell where the run began. So each path records where it turns.

use super::block::{Block, points_on_rim};
use super::lanes::{self, Lanes};
use super::{BlockSize, Distances};
use crate::geometry::units::{Narrow, Units};

/// The largest code. Cells where a run towards larger numbers begins use their number as code; the others count down
/// from this. For equal lengths the smaller code wins, which is the longer run.
const BACK: u32 = 127;

/// The cells of a block, in rows.
type Cells<const S: usize, const Q: usize> = [[Lanes<Q>; S]; S];

/// Computes the distances of a pattern of this size, at most `S` x `S`. A row is at most `Q` times four lanes.
#[inline(always)]
pub(super) fn block<const S: usize, const Q: usize>(
    size: BlockSize,
    distances: Distances,
    pattern: u64,
    out: &mut Block,
) {
    let (width, height, free) = (size.width(), size.height(), !pattern & size.whole());
    let rim = 2 * (width + height) - 4;
    let mut cells = [[lanes::far::<Q>(); S]; S];
    for (lane, point) in points_on_rim((width, height)).enumerate() {
        if free >> point & 1 == 1 {
            lanes::put(&mut cells[point / width][point % width], lane, lanes::bits(0, point as u32));
        }
    }
    match distances {
        Distances::Tile => settle(&mut cells, size, free, false),
        _ => settle(&mut cells, size, free, true),
    }
    out.resize(size.area(), rim);
    for (row, lanes) in cells[..height].iter().enumerate() {
        for (column, lanes) in lanes[..width].iter().enumerate() {
            let point_of = |code: u32| if code > BACK / 2 { BACK - code } else { code };
            lanes::write(lanes, out.row_mut(row * width + column), |codes, _| codes.map(point_of));
        }
    }
}

/// Sweeps until nothing changes.
#[inline(always)]
fn settle<const S: usize, const Q: usize>(cells: &mut Cells<S, Q>, size: BlockSize, free: u64, diagonal: bool) {
    let turned = free.reverse_bits() >> (64 - size.area());
    sweep(cells, size, free, diagonal, false);
    // If a sweep right after one in the other direction changes nothing, neither direction has anything left to do.
    while sweep(cells, size, turned, diagonal, true) && sweep(cells, size, free, diagonal, false) {}
}

/// One sweep from the upper left or, if `is_turned`, from the lower right. Returns whether something changed.
#[cfg_attr(not(feature = "small"), inline(always))]
#[cfg_attr(feature = "small", inline(never))]
fn sweep<const S: usize, const Q: usize>(
    cells: &mut Cells<S, Q>,
    size: BlockSize,
    free: u64,
    diagonal: bool,
    is_turned: bool,
) -> bool {
    let (width, height, none) = (size.width(), size.height(), lanes::far::<Q>());
    let quarters = lanes::quarters(2 * (width + height) - 4);
    let mut changed = [0; 4];
    let mut down = [none; S];
    // The paths going down to the right and down to the left, for even and for odd rows.
    let (mut right, mut left) = ([[none; S]; 2], [[none; S]; 2]);
    for y in 0..height {
        let ((right, next_right), (left, next_left)) = (alternate(&mut right, y), alternate(&mut left, y));
        let mut along = none;
        for x in 0..width {
            if free >> (y * width + x) & 1 == 0 {
                (along, down[x]) = (none, none);
                continue;
            }
            let from_left = diagonal && x > 0 && y > 0 && is_square(width, free, x - 1, y - 1);
            let from_right = diagonal && x + 1 < width && y > 0 && is_square(width, free, x, y - 1);
            let point = (y * width + x) as u32;
            let cell = if is_turned { &mut cells[height - 1 - y][width - 1 - x] } else { &mut cells[y][x] };
            let code = if is_turned { BACK + 1 + point - size.area() as u32 } else { point };
            let from_left = if from_left { &right[x - 1] } else { &none };
            let from_right = if from_right { &left[x + 1] } else { &none };
            for q in 0..quarters {
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
fn is_square(width: usize, free: u64, x: usize, y: usize) -> bool {
    let square = 0b11 | 0b11 << width;
    free >> (y * width + x) & square == square
}
