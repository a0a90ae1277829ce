//! Caverns: scattered rock, smoothed by a cellular automaton.

/// The radius of the neighbourhood in each round: large at first, which makes halls, and small at last, which makes
/// smooth walls.
const REACH: [usize; 5] = [4, 4, 3, 2, 1];

/// A map that is becoming caverns.
pub(super) struct Rock {
    width: usize,
    height: usize,
    /// 1 for rock, 0 for free cells, row by row.
    cells: Vec<u8>,
}

impl Rock {
    /// Creates rock from `is_rock`, called cell by cell, row by row.
    pub(super) fn new(width: u32, height: u32, is_rock: impl FnMut() -> bool) -> Self {
        let (width, height) = (width as usize, height as usize);
        let cells = std::iter::repeat_with(is_rock).take(width * height).map(u8::from).collect();
        Self { width, height, cells }
    }

    /// Smooths the rock: in each round, the cells with the most rock around them become rock, as many of them as there
    /// was rock before.
    ///
    /// The usual automaton makes a cell rock if more than half of its neighbours are. With neighbourhoods this large,
    /// that turns 46 cells in a hundred into 18, and 50 into 53, which is hard to control.
    pub(super) fn smooth(&mut self) {
        let rock = self.cells.iter().map(|&cell| u64::from(cell)).sum();
        for reach in REACH {
            let counts = self.around(reach);
            let least = threshold(&counts, rock);
            for (cell, count) in self.cells.iter_mut().zip(counts) {
                *cell = u8::from(count >= least);
            }
        }
    }

    /// The free cells of each row.
    pub(super) fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = bool>> {
        self.cells.chunks(self.width).map(|row| row.iter().map(|&cell| cell == 0))
    }

    /// The number of rock cells in the square around each cell; everything outside the map is rock.
    fn around(&self, reach: usize) -> Vec<u8> {
        let side = 2 * reach + 1;
        let (mut across, mut padded) = (Vec::with_capacity(self.cells.len()), Vec::new());
        for row in self.cells.chunks(self.width) {
            padded.clear();
            padded.resize(reach, 1);
            padded.extend_from_slice(row);
            padded.resize(self.width + 2 * reach, 1);
            across.extend(padded.windows(side).map(|cells| cells.iter().sum::<u8>()));
        }
        let mut counts = vec![0; self.cells.len()];
        for (y, counts) in counts.chunks_mut(self.width).enumerate() {
            let rows = y.saturating_sub(reach)..(y + reach + 1).min(self.height);
            let outside = (side - rows.len()) * side;
            counts.fill(outside as u8);
            for row in rows {
                counts.iter_mut().zip(&across[row * self.width..]).for_each(|(count, cells)| *count += cells);
            }
        }
        counts
    }
}

/// The count for which the number of cells with at least that count is nearest to `cells`.
fn threshold(counts: &[u8], cells: u64) -> u8 {
    let mut having = [0_u64; 256];
    for &count in counts {
        having[usize::from(count)] += 1;
    }
    let (mut best, mut above) = ((cells, u8::MAX), 0);
    for count in (0..u8::MAX).rev() {
        above += having[usize::from(count)];
        best = best.min((above.abs_diff(cells), count));
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_rock_agree_with_counting_one_by_one() {
        let (width, height) = (7_usize, 5_usize);
        let mut dice = crate::geometry::Dice::new(1);
        let rock = Rock::new(width as u32, height as u32, || dice.hits(1, 2));
        for reach in 1..=4_usize {
            let counts = rock.around(reach);
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let is_rock = |x: usize, y: usize| {
                    // Shifted by the reach, so that no coordinate is negative.
                    let (Some(x), Some(y)) = (x.checked_sub(reach), y.checked_sub(reach)) else { return true };
                    x >= width || y >= height || rock.cells[y * width + x] == 1
                };
                let square = (y..=y + 2 * reach).flat_map(|y| (x..=x + 2 * reach).map(move |x| (x, y)));
                let slow = square.filter(|&(x, y)| is_rock(x, y)).count();
                assert_eq!(usize::from(counts[y * width + x]), slow, "{x},{y} within {reach}");
            }
        }
    }

    #[test]
    fn thresholds_are_as_near_as_counts_allow() {
        let counts = [0, 1, 1, 2, 2, 2, 9, 9];
        for (cells, rock) in [(0, 0), (1, 2), (2, 2), (3, 2), (4, 5), (5, 5), (7, 7), (8, 8)] {
            let least = threshold(&counts, cells);
            assert_eq!(counts.iter().filter(|&&count| count >= least).count(), rock, "{cells}");
        }
    }
}
