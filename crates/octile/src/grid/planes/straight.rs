//! The planes of one axis: the cells of all rows, or of all columns, 64 to a word.

use super::bits_between;
use crate::grid::area::Area;
use crate::grid::bits::{BitLines, reached};

/// Towards larger positions: east in rows, south in columns.
pub(super) const AHEAD: usize = 0;
/// Towards smaller positions.
pub(super) const BACK: usize = 1;

/// 64 cells of a line. Positions are padded: the first cell of the map is position 1 of line 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) free: u64,
    /// Where a scan in each direction ends: at a blocked cell, or at a *jump point*, a free cell beside which an
    /// obstacle on a neighbouring line has just ended.
    pub(super) stop: [u64; 2],
    /// Free cells from which a scan in each direction ends at a jump point.
    pub(super) reach: [u64; 2],
}

impl Word {
    /// Jump points in either direction.
    pub(super) fn jump_points(&self) -> u64 {
        self.free & (self.stop[AHEAD] | self.stop[BACK])
    }

    /// The cells from which a forward scan, if it gets there, leads to a jump point: jump points, and cells with a jump
    /// point ahead.
    fn leads_on<const DIR: usize>(&self) -> u64 {
        self.stop[DIR] & self.free | !self.stop[DIR] & self.reach[DIR]
    }
}

/// All lines of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Straight {
    pub(super) words: Vec<Word>,
    pub(super) words_per_line: usize,
    pub(super) lines: usize,
}

/// A change of `reach` bits in one word.
#[derive(Clone, Copy)]
pub(super) struct Flip {
    pub(super) line: usize,
    pub(super) word: usize,
    /// [`AHEAD`] or [`BACK`].
    pub(super) dir: usize,
    pub(super) bits: u64,
}

impl Straight {
    /// The planes of `lines` padded lines of `len` padded positions.
    pub(super) fn build(bits: &BitLines, lines: usize, len: usize) -> Self {
        let words_per_line = len.div_ceil(64);
        let blocked = Word { stop: [u64::MAX; 2], ..Word::default() };
        let mut planes = Self { words: vec![blocked; lines * words_per_line], words_per_line, lines };
        for line in 1..lines - 1 {
            for word in 0..words_per_line {
                planes.words[line * words_per_line + word].free = bits.word(line, word * 64);
            }
        }
        for line in 1..lines - 1 {
            for word in 0..words_per_line {
                planes.words[line * words_per_line + word].stop = planes.stops(line, word);
            }
            planes.spread::<AHEAD>(line, 0, words_per_line - 1, |_| {});
            planes.spread::<BACK>(line, 0, words_per_line - 1, |_| {});
        }
        planes
    }

    /// Where scans stop in a word of a line of the map.
    ///
    /// The words of all lines are adjacent, so the neighbour of a line's last word is the first word of the next line.
    /// The bits at both ends are padding, and zero.
    fn stops(&self, line: usize, word: usize) -> [u64; 2] {
        let at = line * self.words_per_line + word;
        let free = |at: usize| self.words.get(at).map_or(0, |word| word.free);
        // A line's cells, and for each cell the one behind it in forward and in backward scans.
        let shifted = |at: usize| {
            let middle = free(at);
            (middle, middle << 1 | free(at.wrapping_sub(1)) >> 63, middle >> 1 | free(at + 1) << 63)
        };
        let (middle, ahead, back) = shifted(at);
        let (before, before_ahead, before_back) = shifted(at - self.words_per_line);
        let (after, after_ahead, after_back) = shifted(at + self.words_per_line);
        let turns = [before & !before_ahead | after & !after_ahead, before & !before_back | after & !after_back];
        [!middle | ahead & turns[AHEAD], !middle | back & turns[BACK]]
    }

    /// Recomputes which cells of a line reach a jump point, after the stops in the words from `first` to `last` have
    /// changed. Continues beyond them, against the direction of scans, as long as anything changes. Cells before the
    /// words depend only on whether the nearest stop beyond their word is a jump point.
    fn spread<const DIR: usize>(&mut self, line: usize, first: usize, last: usize, mut flipped: impl FnMut(Flip)) {
        let words = &mut self.words[line * self.words_per_line..][..self.words_per_line];
        let (mut word, end) = if DIR == AHEAD { (last, first) } else { (first, last) };
        // The neighbouring words in the direction of scans; there are none at the ends of the line.
        let next = |word: usize| if DIR == AHEAD { word + 1 } else { word.wrapping_sub(1) };
        let previous = |word: usize| if DIR == AHEAD { word.wrapping_sub(1) } else { word + 1 };
        let (first_cell, last_cell) = if DIR == AHEAD { (0, 63) } else { (63, 0) };
        // Whether the nearest stop beyond the word is a jump point.
        let mut carry = words.get(next(word)).is_some_and(|next| next.leads_on::<DIR>() >> first_cell & 1 == 1);
        loop {
            let entry = &mut words[word];
            let reach = reached(entry.stop[DIR] & entry.free, entry.stop[DIR], DIR == AHEAD, &mut carry) & entry.free;
            let flips = reach ^ std::mem::replace(&mut entry.reach[DIR], reach);
            if flips != 0 {
                flipped(Flip { line, word, dir: DIR, bits: flips });
            }
            let is_last = if DIR == AHEAD { word <= end } else { word >= end };
            word = previous(word);
            let Some(entry) = words.get(word) else { return };
            let differs = entry.free & (entry.reach[DIR] ^ if carry { u64::MAX } else { 0 });
            if is_last && differs >> last_cell & 1 == 0 {
                return;
            }
        }
    }

    /// Copies the cells of an area from the map, whose rows are this axis's lines, and reports every bit of `reach`
    /// that changes. Returns whether any cell has changed.
    pub(super) fn follow(&mut self, bits: &BitLines, area: Area, mut flipped: impl FnMut(Flip)) -> bool {
        if !self.copy(bits, area) {
            return false;
        }
        let (first, last) = ((area.left - 1) / 64, (area.right + 1) / 64);
        for line in (area.top - 1).max(1)..=(area.bottom + 1).min(self.lines - 2) {
            // Where cells have changed, a stop may have become a jump point, or the reverse.
            let mut changed = [(area.top..=area.bottom).contains(&line); 2];
            for word in first..=last {
                let stop = self.stops(line, word);
                let before = std::mem::replace(&mut self.words[line * self.words_per_line + word].stop, stop);
                changed[AHEAD] |= stop[AHEAD] != before[AHEAD];
                changed[BACK] |= stop[BACK] != before[BACK];
            }
            if changed[AHEAD] {
                self.spread::<AHEAD>(line, first, last, &mut flipped);
            }
            if changed[BACK] {
                self.spread::<BACK>(line, first, last, &mut flipped);
            }
        }
        true
    }

    /// Copies which cells of an area are free, and returns whether any has changed.
    fn copy(&mut self, bits: &BitLines, area: Area) -> bool {
        let mut changed = 0;
        for line in area.top..=area.bottom {
            for word in area.left / 64..=area.right / 64 {
                let free = &mut self.words[line * self.words_per_line + word].free;
                let differs = (*free ^ bits.word(line, word * 64)) & bits_between(word, area.left, area.right);
                *free ^= differs;
                changed |= differs;
            }
        }
        changed != 0
    }

    /// Whether a cell is a jump point: a path that comes in this direction may turn there.
    pub(super) fn is_jump_point<const DIR: usize>(&self, line: usize, position: usize) -> bool {
        let word = &self.words[line * self.words_per_line + position / 64];
        (word.stop[DIR] & word.free) >> (position % 64) & 1 == 1
    }

    /// The lines from `first` to `last`, among 64, with a jump point in either direction at a position.
    pub(super) fn across(&self, position: usize, word: usize, first: usize, last: usize) -> u64 {
        let lines = first.max(word * 64)..=last.min(word * 64 + 63);
        let is_point =
            |line: usize| self.words[line * self.words_per_line + position / 64].jump_points() >> (position % 64) & 1;
        lines.fold(0, |points, line| points | is_point(line) << (line % 64))
    }

    /// The distance to the first jump point in a direction, if no blocked cell comes first.
    #[inline]
    pub(super) fn jump<const DIR: usize>(&self, line: usize, position: usize) -> Option<u32> {
        let reach = self.words[line * self.words_per_line + position / 64].reach[DIR];
        (reach >> (position % 64) & 1 == 1).then(|| self.steps::<DIR>(line, position))
    }

    /// The number of steps a scan from a free cell takes until it stops.
    #[inline]
    pub(super) fn steps<const DIR: usize>(&self, line: usize, position: usize) -> u32 {
        let first = line * self.words_per_line + position / 64;
        let bit = position % 64;
        let mut at = first;
        if DIR == AHEAD {
            let mut stop = self.words[at].stop[AHEAD] & !1 << bit;
            while stop == 0 {
                at += 1;
                stop = self.words[at].stop[AHEAD];
            }
            ((at - first) * 64) as u32 + stop.trailing_zeros() - bit as u32
        } else {
            let mut stop = self.words[at].stop[BACK] & ((1 << bit) - 1);
            while stop == 0 {
                at -= 1;
                stop = self.words[at].stop[BACK];
            }
            ((first - at) * 64) as u32 + stop.leading_zeros() + bit as u32 - 63
        }
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }
}
