//! Compact numbers of jump points: the rank of each one on the map, row by row.

use super::straight::{Straight, Word as StraightWord};
use super::{bits_between, transposed};
use crate::grid::area::Area;

/// 64 cells of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word {
    /// Jump points in any direction.
    points: u64,
    /// The number of jump points before this word in its row.
    before: u32,
}

/// An empty range of rows.
pub(super) const NO_ROWS: (usize, usize) = (usize::MAX, 0);

/// The numbers of all jump points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranks {
    words: Vec<Word>,
    words_per_line: usize,
    /// The number of jump points before each row; one more entry at the end.
    before: Vec<u32>,
}

impl Ranks {
    pub(super) fn build(rows: &Straight, columns: &Straight) -> Self {
        let in_columns = transposed(columns, rows, StraightWord::jump_points);
        let points = rows.words.iter().zip(in_columns).map(|(word, column)| word.jump_points() | column);
        let words = points.map(|points| Word { points, before: 0 }).collect();
        let mut ranks = Self { words, words_per_line: rows.words_per_line, before: vec![0; rows.lines + 1] };
        for line in 0..rows.lines {
            ranks.count(line);
        }
        ranks.add_up((0, rows.lines - 1));
        ranks
    }

    /// Counts the points of a row.
    fn count(&mut self, line: usize) {
        let mut before = 0;
        for word in &mut self.words[line * self.words_per_line..(line + 1) * self.words_per_line] {
            word.before = before;
            before += word.points.count_ones();
        }
    }

    /// Updates the totals after the jump points of the rows `first..=last` have changed; no row if `first` is larger
    /// than `last`.
    pub(super) fn add_up(&mut self, (first, last): (usize, usize)) {
        if first > last {
            return;
        }
        let before = self.before[last + 1];
        for line in first..=last {
            let last = &self.words[(line + 1) * self.words_per_line - 1];
            self.before[line + 1] = self.before[line] + last.before + last.points.count_ones();
        }
        let more = self.before[last + 1].wrapping_sub(before);
        if more != 0 {
            for before in &mut self.before[last + 2..] {
                *before = before.wrapping_add(more);
            }
        }
    }

    /// Updates the jump points in an edited area and next to it. Returns the first and last row for
    /// [`add_up`](Self::add_up).
    pub(super) fn follow(&mut self, rows: &Straight, columns: &Straight, area: Area) -> (usize, usize) {
        let mut changed = NO_ROWS;
        let (first, last) = ((area.left - 1).max(1), (area.right + 1).min(columns.lines - 2));
        for line in ((area.top - 1).max(1)..=(area.bottom + 1).min(rows.lines - 2)).rev() {
            let words = &mut self.words[line * self.words_per_line..][..self.words_per_line];
            let mut more = 0_u32;
            for (at, word) in words.iter_mut().enumerate().skip(first / 64) {
                word.before = word.before.wrapping_add(more);
                if at <= last / 64 {
                    let points = rows.words[line * self.words_per_line + at].jump_points();
                    let points = points | columns.across(line, at, first, last);
                    let differs = (points ^ word.points) & bits_between(at, first, last);
                    more =
                        more.wrapping_add((word.points ^ differs).count_ones()).wrapping_sub(word.points.count_ones());
                    word.points ^= differs;
                    changed = if differs == 0 { changed } else { (line, changed.1.max(line)) };
                } else if more == 0 {
                    break;
                }
            }
        }
        changed
    }

    /// The number of jump points.
    pub(super) fn len(&self) -> usize {
        self.before[self.before.len() - 1] as usize
    }

    /// All jump points in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.words.iter().enumerate().flat_map(move |(at, word)| {
            let (line, first) = (at / self.words_per_line, at % self.words_per_line * 64);
            let next = |points: &u64| Some(points & (points - 1)).filter(|_| *points & (points - 1) != 0);
            std::iter::successors(Some(word.points).filter(|&points| points != 0), next)
                .map(move |points| (first + points.trailing_zeros() as usize, line))
        })
    }

    /// The number of a jump point.
    #[inline]
    pub(super) fn number(&self, x: usize, y: usize) -> u32 {
        let word = &self.words[y * self.words_per_line + x / 64];
        self.before[y] + word.before + (word.points & ((1 << (x % 64)) - 1)).count_ones()
    }

    /// The jump points of 64 cells of a row.
    #[inline]
    pub(super) fn points(&self, y: usize, word: usize) -> u64 {
        self.words[y * self.words_per_line + word].points
    }

    /// Whether a cell is a jump point.
    #[inline]
    pub(super) fn contains(&self, x: usize, y: usize) -> bool {
        self.words[y * self.words_per_line + x / 64].points >> (x % 64) & 1 == 1
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&self.words[..]) + size_of_val(&self.before[..])
    }
}
