//! The open list of most searches: a four-ary heap of packed entries with a bypass slot.
//!
//! A search often pushes an entry that is the very next to be popped. The slot keeps the smallest entry pushed since the
//! last pop out of the heap: if it is still the smallest when the next one is wanted it never enters, and otherwise it
//! takes the place of the popped root, saving one of two sifts.

use crate::units::Max;

const ARITY: usize = 4;

/// A min-heap. [`Max::MAX`] is not a valid entry.
#[derive(Debug)]
pub(crate) struct Heap<E> {
    entries: Vec<E>,
    /// `MAX` when empty.
    slot: E,
}

impl<E: Copy + Ord + Max> Heap<E> {
    pub(crate) fn new() -> Self {
        Self { entries: Vec::new(), slot: E::MAX }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.slot = E::MAX;
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: E) {
        if entry < self.slot {
            let displaced = std::mem::replace(&mut self.slot, entry);
            if displaced < E::MAX {
                self.push_heap(displaced);
            }
        } else {
            self.push_heap(entry);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<E> {
        let slot = std::mem::replace(&mut self.slot, E::MAX);
        match self.entries.first() {
            Some(&root) if root < slot => {
                let last = if slot < E::MAX { slot } else { self.entries.pop()? };
                self.sift_down(last);
                Some(root)
            }
            _ => (slot < E::MAX).then_some(slot),
        }
    }

    #[inline]
    fn push_heap(&mut self, entry: E) {
        let mut at = self.entries.len();
        self.entries.push(entry);
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[at] = self.entries[parent];
            at = parent;
        }
        self.entries[at] = entry;
    }

    /// Puts `entry` in the place of the root.
    #[inline]
    fn sift_down(&mut self, entry: E) {
        let entries = &mut self.entries[..];
        if entries.is_empty() {
            return;
        }
        let mut at = 0;
        loop {
            let first = at * ARITY + 1;
            let (child, smallest) = if let Some(&[a, b, c, d]) = entries.get(first..first + ARITY) {
                // Pairwise, without branches: which child wins is a coin toss that no predictor learns.
                let (ab, ab_at) = if b < a { (b, first + 1) } else { (a, first) };
                let (cd, cd_at) = if d < c { (d, first + 3) } else { (c, first + 2) };
                if cd < ab { (cd_at, cd) } else { (ab_at, ab) }
            } else {
                let Some(smallest) = (first..entries.len()).min_by_key(|&child| entries[child]) else { break };
                (smallest, entries[smallest])
            };
            if entry <= smallest {
                break;
            }
            entries[at] = smallest;
            at = child;
        }
        entries[at] = entry;
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use super::*;

    #[test]
    fn pops_what_a_binary_heap_pops() {
        let (mut ours, mut theirs) = (Heap::<u64>::new(), BinaryHeap::new());
        let mut state = 7_u64;
        for step in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Grow for a while, then shrink until both have been empty many times.
            if state >> 33 & 15 < if step < 5_000 { 10 } else { 7 } {
                ours.push(state >> 50);
                theirs.push(Reverse(state >> 50));
            } else {
                assert_eq!(ours.pop(), theirs.pop().map(|Reverse(entry)| entry));
            }
        }
        ours.push(1);
        ours.clear();
        assert_eq!(ours.pop(), None);
    }
}
