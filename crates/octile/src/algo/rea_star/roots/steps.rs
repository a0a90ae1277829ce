//! Sets of cells along a line, as the bits of a window that begins one cell before its position (`Strip`).
//!
//! A cell is given by its number of steps ahead of the position, from -1 to [`LANES`]; ahead is towards higher
//! positions if `FORWARD`.

use crate::grid::bits::WINDOW;

/// The number of cells, from the position on, with both neighbours in the window: all but the one before it and the
/// last.
pub(super) const LANES: usize = WINDOW - 2;

/// The cell this many steps ahead.
#[inline]
pub(super) const fn bit<const FORWARD: bool>(steps: usize) -> u64 {
    if FORWARD { 2 << steps } else { 1 << (62 - steps) }
}

/// The first `count` cells from the position on.
#[inline]
pub(super) const fn first<const FORWARD: bool>(count: usize) -> u64 {
    let ones = (1 << count) - 1;
    if FORWARD { ones << 1 } else { ones << (63 - count) }
}

/// Each cell moved one step ahead.
#[inline]
pub(super) const fn ahead<const FORWARD: bool>(cells: u64) -> u64 {
    if FORWARD { cells << 1 } else { cells >> 1 }
}

/// Each cell moved one step back.
#[inline]
pub(super) const fn back<const FORWARD: bool>(cells: u64) -> u64 {
    if FORWARD { cells >> 1 } else { cells << 1 }
}

/// The number of steps to the nearest of some cells.
#[inline]
pub(super) const fn nearest<const FORWARD: bool>(cells: u64) -> usize {
    (if FORWARD { cells.trailing_zeros() } else { cells.leading_zeros() }) as usize - 1
}

/// The number of free cells from the position on; correct up to [`LANES`].
#[inline]
pub(super) const fn run<const FORWARD: bool>(free: u64) -> usize {
    // The cell before the position is shifted out; a one at the far end stops the count.
    if FORWARD { (!free >> 1 | 1 << 63).trailing_zeros() as usize } else { (!free << 1 | 1).leading_zeros() as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const FORWARD: bool>() {
        for steps in 0..=LANES {
            let cell = bit::<FORWARD>(steps);
            assert_eq!((cell.count_ones(), nearest::<FORWARD>(cell)), (1, steps));
            assert_eq!(
                (ahead::<FORWARD>(cell), back::<FORWARD>(ahead::<FORWARD>(cell))),
                (bit::<FORWARD>(steps + 1), cell)
            );
            let free = first::<FORWARD>(steps);
            assert_eq!((free.count_ones() as usize, run::<FORWARD>(free)), (steps, steps));
            // The cell before the position, and cells after a blocked one, do not count.
            let before = back::<FORWARD>(bit::<FORWARD>(0));
            assert_eq!(run::<FORWARD>(free | before | bit::<FORWARD>(steps + 1)), steps);
            assert_eq!(nearest::<FORWARD>(cell | bit::<FORWARD>(LANES)), steps);
        }
    }

    #[test]
    fn cells_are_counted_in_steps_both_ways() {
        check::<true>();
        check::<false>();
    }
}
