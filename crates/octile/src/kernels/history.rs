//! The edits a map has seen: lets scratch memory that caches facts about the map detect what is stale.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// The edits of a planner's map. They are numbered, and each has a mark that is unique among all planners.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The number of the last edit.
    now: u32,
    /// The marks of the most recent edits, the latest at the end.
    marks: VecDeque<u64>,
}

/// Scratch memory that has missed more edits than this starts from scratch.
const MOST_MARKS: usize = 4096;

impl History {
    pub(crate) fn new() -> Self {
        Self { now: 0, marks: VecDeque::from([Self::new_mark()]) }
    }

    fn new_mark() -> u64 {
        static MARKS: AtomicU64 = AtomicU64::new(0);
        MARKS.fetch_add(1, Ordering::Relaxed)
    }

    /// Records another edit and returns its number.
    pub(crate) fn advance(&mut self) -> u32 {
        if self.now == u32::MAX {
            // Memory of any earlier map starts from scratch. Older numbers now look newer: what they describe is
            // checked again, which is always safe.
            self.marks.clear();
            self.now = 0;
        }
        self.now += 1;
        if self.marks.len() == MOST_MARKS {
            self.marks.pop_front();
        }
        self.marks.push_back(Self::new_mark());
        self.now
    }

    /// The number of the last edit.
    #[inline]
    pub(crate) fn now(&self) -> u32 {
        self.now
    }

    /// A mark that identifies the current map among all maps of all planners.
    pub(crate) fn mark(&self) -> u64 {
        self.marks[self.marks.len() - 1]
    }

    /// Whether the map had this mark in its recent history.
    pub(crate) fn knows(&self, mark: u64) -> bool {
        self.marks.contains(&mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_the_edits_before_they_split() {
        let mut one = History::new();
        let before = one.mark();
        let mut other = one.clone();
        assert_eq!((one.advance(), other.advance()), (1, 1));
        assert!(one.knows(before) && other.knows(before));
        assert!(!one.knows(other.mark()) && one.mark() != other.mark());
        for _ in 0..MOST_MARKS {
            one.advance();
        }
        assert!(!one.knows(before), "too long ago");
    }

    #[test]
    fn numbers_restart_when_they_overflow() {
        let mut history = History { now: u32::MAX - 1, ..History::new() };
        let [before, last] = [history.mark(), {
            _ = history.advance();
            history.mark()
        }];
        assert!(history.knows(before) && history.now() == u32::MAX);
        assert_eq!(history.advance(), 1);
        assert!(!history.knows(before) && !history.knows(last) && history.knows(history.mark()));
    }
}
