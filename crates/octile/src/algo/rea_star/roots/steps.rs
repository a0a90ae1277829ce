//! Sets of cells along a line as the bits of a window that begins one cell before its place (`Strip`).
//!
//! A cell is known by how many steps ahead of the place it is, from -1 to [`LANES`]; ahead is towards higher positions
//! if `FORWARD`.

use crate::grid::bits::WINDOW;

/// How many cells from the place on have both neighbours in the window: all but the one before it and the last.
pub(super) const LANES: usize = WINDOW - 2;

/// The cell so many steps ahead.
#[inline]
pub(super) const fn bit<const FORWARD: bool>(steps: usize) -> u64 {
    if FORWARD { 2 << steps } else { 1 << (62 - steps) }
}

/// The cells from the place on, so many.
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

/// How many steps ahead the nearest of some cells is.
#[inline]
pub(super) const fn nearest<const FORWARD: bool>(cells: u64) -> usize {
    (if FORWARD { cells.trailing_zeros() } else { cells.leading_zeros() }) as usize - 1
}

/// How many cells from the place on are free; right up to [`LANES`] of them.
#[inline]
pub(super) const fn run<const FORWARD: bool>(free: u64) -> usize {
    // The cell before the place is shifted out; a one at the far end stops the count.
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
            // Neither the cell before the place nor what comes after a blocked one counts.
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
