//! Computes the distances of one pattern.

use super::block::Block;
use super::{BlockSize, Distances, cells, corners};
use crate::geometry::SMALL;

/// Computes the distances of a pattern of `S` x `S` cells, `S` from 2 to 8. Bits beyond the block must be 0.
///
/// A point that is a blocked cell, or a corner of blocked cells only, has no distances, not even to itself.
#[inline(always)]
pub(crate) fn block<const S: usize>(distances: Distances, pattern: u64, out: &mut Block) {
    const { assert!(S >= 2 && S <= super::MAX_SIZE) };
    let size = BlockSize::square(S).expect("from 2 to 8");
    if SMALL {
        return block_of_any(size, distances, pattern, out);
    }
    // Rust cannot compute a quarter of the row length from `S` in a type, so each case is spelled out.
    match (distances.of_cells(), S) {
        (true, 2) => cells::block::<S, 1>(size, distances, pattern, out),
        (true, 3) => cells::block::<S, 2>(size, distances, pattern, out),
        (true, 4) => cells::block::<S, 3>(size, distances, pattern, out),
        (true, 5) => cells::block::<S, 4>(size, distances, pattern, out),
        (true, 6) => cells::block::<S, 5>(size, distances, pattern, out),
        (true, 7) => cells::block::<S, 6>(size, distances, pattern, out),
        (true, _) => cells::block::<S, 7>(size, distances, pattern, out),
        (false, 2) => corners::block::<2>(size, distances, pattern, out),
        (false, 3) => corners::block::<3>(size, distances, pattern, out),
        (false, 4) => corners::block::<4>(size, distances, pattern, out),
        (false, 5) => corners::block::<5>(size, distances, pattern, out),
        (false, 6) => corners::block::<6>(size, distances, pattern, out),
        (false, 7) => corners::block::<7>(size, distances, pattern, out),
        (false, _) => corners::block::<8>(size, distances, pattern, out),
    }
}

/// Computes the distances of a pattern of any size. The sizes that are used most have separate code.
pub(crate) fn block_of(size: BlockSize, distances: Distances, pattern: u64, out: &mut Block) {
    match size.side() {
        Some(5) => block::<5>(distances, pattern, out),
        Some(8) => block::<8>(distances, pattern, out),
        _ => block_of_any(size, distances, pattern, out),
    }
}

/// [`block`] for all sizes, compiled once.
#[inline(never)]
fn block_of_any(size: BlockSize, distances: Distances, pattern: u64, out: &mut Block) {
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
                Oracle::new(distances, BlockSize::square(S).unwrap(), pattern).check(&out);
            }
        }
    }

    /// Patterns with more and more blocked cells.
    fn sample(side: usize, count: u64) -> impl Iterator<Item = u64> {
        sample_of(BlockSize::square(side).unwrap(), count)
    }

    fn sample_of(size: BlockSize, count: u64) -> impl Iterator<Item = u64> {
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
            pattern & size.whole()
        })
    }

    #[test]
    fn distances_of_all_small_blocks_are_exact() {
        check::<2>(0..1 << 4);
        check::<3>(0..1 << 9);
    }

    #[test]
    fn distances_of_rectangles_are_exact() {
        let mut out = Block::new();
        for (width, height) in (2..=8).flat_map(|width| (2..=8).map(move |height| (width, height))) {
            let size = BlockSize::new(width, height).unwrap();
            let count = if size.area() < 13 { 60 } else { 160 / size.area() as u64 };
            for pattern in sample_of(size, count.max(3)).chain([0, size.whole()]) {
                for distances in Distances::ALL {
                    block_of_any(size, distances, pattern, &mut out);
                    Oracle::new(distances, size, pattern).check(&out);
                }
            }
        }
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
