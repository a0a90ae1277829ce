//! Which edits a map has seen: what working memory needs to know that remembers something of a map from one query to
//! the next.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// The edits of a planner's map. They are numbered, and each has a mark that no other edit of any planner has.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The number of the last edit.
    now: u32,
    /// The marks of the last edits, the very last at the end.
    marks: VecDeque<u64>,
}

/// Memory that has not been used for so many edits begins anew.
const MOST_MARKS: usize = 4096;

impl History {
    pub(crate) fn new() -> Self {
        Self { now: 0, marks: VecDeque::from([Self::new_mark()]) }
    }

    fn new_mark() -> u64 {
        static MARKS: AtomicU64 = AtomicU64::new(0);
        MARKS.fetch_add(1, Ordering::Relaxed)
    }

    /// Another edit: gives its number.
    pub(crate) fn advance(&mut self) -> u32 {
        if self.now == u32::MAX {
            // Memory of the map as it was begins anew. Older numbers look newer then: what they are about is looked at
            // again, which is never wrong.
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

    /// What identifies the map as it is now, among all maps of all planners.
    pub(crate) fn mark(&self) -> u64 {
        self.marks[self.marks.len() - 1]
    }

    /// Whether the map was once as this mark tells, not too long ago.
    pub(crate) fn knows(&self, mark: u64) -> bool {
        self.marks.contains(&mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_know_what_they_have_in_common() {
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
    fn numbers_begin_again_when_they_run_out() {
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
