//! Random choices whose outcome for a seed never changes.

use octile::{Cell, Grid};

/// A seeded source of random choices: `SplitMix64` (Steele, Lea & Flood 2014).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, all about equally likely.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u32
    }

    /// A cell of a map, all equally likely.
    pub(super) fn cell(&mut self, grid: &Grid) -> Cell {
        let x = self.below(grid.width());
        Cell::new(x, self.below(grid.height()))
    }

    /// So many pairs of different free cells that are `connected`, all equally likely. Less, if they are too rare to be found.
    pub(super) fn pairs(
        &mut self,
        grid: &Grid,
        count: usize,
        connected: impl Fn(Cell, Cell) -> bool,
    ) -> Vec<(Cell, Cell)> {
        let pairs = (0..count.saturating_mul(MOST_TRIES)).map(|_| (self.cell(grid), self.cell(grid)));
        let pairs = pairs.filter(|&(a, b)| a != b && grid.is_free(a) && grid.is_free(b) && connected(a, b));
        pairs.take(count).collect()
    }
}

/// How many pairs are drawn for each that is wanted.
const MOST_TRIES: usize = 10_000;

/// The seeds of the maps of a set.
pub(super) fn seeds(first: u64) -> impl Iterator<Item = u64> {
    (0..).map(move |nth| first.wrapping_add(nth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut dice = Dice::new(1);
        let rolls: Vec<u32> = (0..6).map(|_| dice.below(1000)).collect();
        assert_eq!(rolls, [566, 745, 971, 444, 444, 762]);
    }

    #[test]
    fn choices_are_even() {
        let (mut dice, mut counts) = (Dice::new(7), [0; 5]);
        for _ in 0..50_000 {
            counts[dice.below(5) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
