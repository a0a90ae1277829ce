//! Computes the distances of one pattern.

use super::block::Block;
use super::{Distances, cells, corners};
use crate::geometry::SMALL;

/// Computes the distances of a pattern of `S` x `S` cells, `S` from 2 to 8. Bits beyond the block must be 0.
///
/// A point that is a blocked cell, or a corner of blocked cells only, has no distances, not even to itself.
#[inline(always)]
pub(crate) fn block<const S: usize>(distances: Distances, pattern: u64, out: &mut Block) {
    const { assert!(S >= 2 && S <= super::MAX_SIZE) };
    if SMALL {
        return block_of(S, distances, pattern, out);
    }
    // Rust cannot compute a quarter of the row length from `S` in a type, so each case is spelled out.
    match (distances.of_cells(), S) {
        (true, 2) => cells::block::<S, 1>(S, distances, pattern, out),
        (true, 3) => cells::block::<S, 2>(S, distances, pattern, out),
        (true, 4) => cells::block::<S, 3>(S, distances, pattern, out),
        (true, 5) => cells::block::<S, 4>(S, distances, pattern, out),
        (true, 6) => cells::block::<S, 5>(S, distances, pattern, out),
        (true, 7) => cells::block::<S, 6>(S, distances, pattern, out),
        (true, _) => cells::block::<S, 7>(S, distances, pattern, out),
        (false, 2) => corners::block::<2>(S, distances, pattern, out),
        (false, 3) => corners::block::<3>(S, distances, pattern, out),
        (false, 4) => corners::block::<4>(S, distances, pattern, out),
        (false, 5) => corners::block::<5>(S, distances, pattern, out),
        (false, 6) => corners::block::<6>(S, distances, pattern, out),
        (false, 7) => corners::block::<7>(S, distances, pattern, out),
        (false, _) => corners::block::<8>(S, distances, pattern, out),
    }
}

/// [`block`] for all sizes, compiled once.
#[inline(never)]
fn block_of(size: usize, distances: Distances, pattern: u64, out: &mut Block) {
    if distances.of_cells() {
        cells::block::<8, 7>(size, distances, pattern, out);
    } else {
        corners::block::<8>(size, distances, pattern, out);
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::Oracle;
    use super::*;

    fn check<const S: usize>(patterns: impl Iterator<Item = u64>) {
        let mut out = Block::new();
        for pattern in patterns {
            for distances in Distances::ALL {
                block::<S>(distances, pattern, &mut out);
                Oracle::new(distances, S, pattern).check(&out);
            }
        }
    }

    /// Patterns with more and more blocked cells.
    fn sample(size: usize, count: u64) -> impl Iterator<Item = u64> {
        let mut dice = crate::geometry::Dice::new(1);
        (0..count).map(move |number| {
            let mut next = || dice.below(u64::MAX);
            let pattern = match number % 5 {
                0 => next() & next() & next(),
                1 => next() & next(),
                2 => next() & (next() | next()),
                3 => next(),
                _ => next() | next(),
            };
            pattern & (u64::MAX >> (64 - size * size))
        })
    }

    #[test]
    fn distances_of_all_small_blocks_are_exact() {
        check::<2>(0..1 << 4);
        check::<3>(0..1 << 9);
    }

    #[test]
    fn distances_of_larger_blocks_are_exact() {
        check::<4>(sample(4, 400));
        check::<5>(sample(5, 40));
        check::<6>(sample(6, 20));
        check::<7>(sample(7, 10));
        check::<8>(sample(8, 10).chain([0, u64::MAX, 0x55aa_55aa_55aa_55aa]));
    }
}
