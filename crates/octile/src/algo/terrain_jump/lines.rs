//! Where straight scans stop: the cells of all rows, or of all columns, 64 per word.

use crate::grid::bits::reached;
use crate::planner::size_bytes;

/// 64 cells of a line, for scans in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    /// Where a scan stops.
    stop: u64,
    /// Where moves may follow, even if only straight on.
    live: u64,
}

/// The lines of an axis for scans in one direction: towards larger positions if `AHEAD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines<const AHEAD: bool> {
    words: Vec<Word>,
    /// The cells from which a scan reaches a live stop.
    reach: Vec<u64>,
    words_per_line: usize,
}

size_bytes!(for [const AHEAD: bool] Lines<AHEAD>: words, reach);

impl<const AHEAD: bool> Lines<AHEAD> {
    /// Lines on which no scan stops.
    pub(super) fn new(lines: usize, len: usize) -> Self {
        let words_per_line = len.div_ceil(64);
        let count = lines * words_per_line;
        Self { words: vec![Word { stop: 0, live: u64::MAX }; count], reach: vec![0; count], words_per_line }
    }

    /// Sets whether a scan stops at a cell, and whether moves may follow there.
    #[inline]
    pub(super) fn set(&mut self, line: usize, position: usize, stop: bool, live: bool) {
        let (word, bit) = (&mut self.words[line * self.words_per_line + position / 64], position % 64);
        word.stop = word.stop & !(1 << bit) | u64::from(stop) << bit;
        word.live = word.live & !(1 << bit) | u64::from(live) << bit;
    }

    /// The length of a scan from a cell until it stops, and whether moves may follow there.
    #[inline]
    pub(super) fn scan(&self, line: usize, position: usize) -> (u32, bool) {
        let first = line * self.words_per_line + position / 64;
        let bit = position % 64;
        let mut at = first;
        if AHEAD {
            let mut word = &self.words[at];
            let mut stop = word.stop & !1 << bit;
            while stop == 0 {
                at += 1;
                word = &self.words[at];
                stop = word.stop;
            }
            let end = stop.trailing_zeros();
            (((at - first) * 64) as u32 + end - bit as u32, word.live >> end & 1 == 1)
        } else {
            let mut word = &self.words[at];
            let mut stop = word.stop & ((1 << bit) - 1);
            while stop == 0 {
                at -= 1;
                word = &self.words[at];
                stop = word.stop;
            }
            let end = stop.ilog2();
            (((first - at) * 64) as u32 + bit as u32 - end, word.live >> end & 1 == 1)
        }
    }

    /// Updates which cells of a line reach a live stop, after the stops at the positions from `first` to `last` have
    /// changed; continues against the direction of scans as long as anything changes. Reports every change: the word of
    /// the line, and which of its cells changed.
    pub(super) fn spread(&mut self, line: usize, first: usize, last: usize, mut flipped: impl FnMut(usize, u64)) {
        let range = line * self.words_per_line..(line + 1) * self.words_per_line;
        let (words, reach) = (&self.words[range.clone()], &mut self.reach[range]);
        let (first, last) = (first / 64, last / 64);
        let (mut at, end) = if AHEAD { (last, first) } else { (first, last) };
        let next = |word: usize| if AHEAD { word + 1 } else { word.wrapping_sub(1) };
        let edge = if AHEAD { 0 } else { 63 };
        // Whether the nearest stop beyond the word is live.
        let mut carry = words
            .get(next(at))
            .is_some_and(|word| (word.stop & word.live | !word.stop & reach[next(at)]) >> edge & 1 == 1);
        let mut is_within = true;
        while let Some(word) = words.get(at) {
            let now = reached(word.stop & word.live, word.stop, AHEAD, &mut carry);
            let flips = now ^ std::mem::replace(&mut reach[at], now);
            if flips != 0 {
                flipped(at, flips);
            } else if !is_within {
                return;
            }
            is_within &= at != end;
            at = if AHEAD { at.wrapping_sub(1) } else { at + 1 };
        }
    }
}
