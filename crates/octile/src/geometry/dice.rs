//! Random choices that never change for a given seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded source of random choices: the same for a seed on every machine and in every version.
///
/// The stream is `ChaCha8`'s, fixed by its definition, and the choices are derived from it here, so no library update
/// can change a generated map.
///
/// ```
/// use octile::Grid;
/// use octile::geometry::Dice;
/// let mut dice = Dice::new(1);
/// let grid = Grid::from_fn(100, 100, |_| !dice.hits(1, 4))?;
/// assert!((7300..7700).contains(&grid.free_cells()), "about three cells in four are free");
/// # Ok::<(), octile::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice for a seed.
    ///
    /// ```
    /// use octile::geometry::Dice;
    /// assert_eq!(Dice::new(42).below(1000), 348);
    /// ```
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number below `end`, all about equally likely (to one part in `2^64 / end`); 0 if `end` is 0.
    ///
    /// ```
    /// use octile::geometry::Dice;
    /// let mut dice = Dice::new(42);
    /// assert_eq!([dice.below(1000), dice.below(1000), dice.below(1)], [348, 285, 0]);
    /// ```
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(end)) >> 64) as u64
    }

    /// Returns true with probability `hits / rolls`.
    ///
    /// ```
    /// use octile::geometry::Dice;
    /// let mut dice = Dice::new(42);
    /// let sixes = (0..6000).filter(|_| dice.hits(1, 6)).count();
    /// assert!((900..1100).contains(&sixes));
    /// ```
    pub fn hits(&mut self, hits: u64, rolls: u64) -> bool {
        self.below(rolls) < hits
    }

    /// One of the items, all equally likely; `None` if there are none.
    ///
    /// ```
    /// use octile::{Cell, Grid};
    /// use octile::geometry::Dice;
    /// let grid: Grid = "@@@\n@.@".parse()?;
    /// let free = grid.cells().filter(|&cell| grid.is_free(cell));
    /// assert_eq!(Dice::new(1).choose(free), Some(Cell::new(1, 1)));
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn choose<T>(&mut self, items: impl Iterator<Item = T>) -> Option<T> {
        let mut chosen = None;
        for (count, item) in (1..).zip(items) {
            if self.hits(1, count) {
                chosen = Some(item);
            }
        }
        chosen
    }

    /// Shuffles the items.
    ///
    /// ```
    /// use octile::geometry::Dice;
    /// let mut items = [1, 2, 3, 4, 5, 6, 7, 8];
    /// Dice::new(1).shuffle(&mut items);
    /// assert_ne!(items, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// assert_eq!(items.iter().sum::<i32>(), 36);
    /// ```
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut dice = Dice::new(42);
        let rolls: Vec<u64> = (0..8).map(|_| dice.below(1000)).collect();
        assert_eq!(rolls, [348, 285, 493, 367, 825, 67, 489, 266]);
    }

    #[test]
    fn choices_are_even() {
        let mut dice = Dice::new(0);
        let mut counts = [0; 5];
        for _ in 0..50_000 {
            counts[dice.choose(0..5_usize).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        assert_eq!(dice.choose(std::iter::empty::<u8>()), None);
    }

    #[test]
    fn a_shuffle_keeps_the_items_and_puts_each_everywhere() {
        let mut dice = Dice::new(1);
        let mut places_of_zero = [false; 6];
        for _ in 0..200 {
            let mut items = [0, 1, 2, 3, 4, 5];
            dice.shuffle(&mut items);
            places_of_zero[items.iter().position(|&item| item == 0).unwrap()] = true;
            items.sort_unstable();
            assert_eq!(items, [0, 1, 2, 3, 4, 5]);
        }
        assert_eq!(places_of_zero, [true; 6]);
    }
}
