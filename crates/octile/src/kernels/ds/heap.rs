//! The open list of most searches: a four-ary heap of packed entries with a bypass slot.
//!
//! A search often pushes an entry that is the very next to be popped. The slot keeps the smallest entry pushed since
//! the last pop out of the heap. If it is still the smallest at the next pop, it never enters the heap; otherwise it
//! replaces the popped root, which saves one of two sifts.

use super::Open;
use crate::geometry::CellId;
use crate::geometry::units::{Max, Units};
use crate::planner::size_bytes;

const ARITY: usize = 4;

/// A min-heap. [`Max::MAX`] is not a valid entry.
///
/// Entry 0 is the root, and the children of entry `n` are group `n`: four adjacent entries, `MAX` where unused. So a
/// group is always read whole, in one cache line, and the end of the heap needs no special case.
#[derive(Debug)]
pub(crate) struct Heap<E> {
    root: E,
    groups: Vec<[E; ARITY]>,
    /// The number of entries in the groups.
    len: usize,
    /// The smallest entry pushed since the last pop; `MAX` when empty.
    slot: E,
}

size_bytes!(for [E] Heap<E>: groups);

impl<E: Copy + Ord + Max> Default for Heap<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy + Ord + Max> Heap<E> {
    pub(crate) fn new() -> Self {
        Self { root: E::MAX, groups: Vec::new(), len: 0, slot: E::MAX }
    }

    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.len = 0;
        self.root = E::MAX;
        self.slot = E::MAX;
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: E) {
        if entry < self.slot {
            let displaced = std::mem::replace(&mut self.slot, entry);
            if displaced < E::MAX {
                self.insert(displaced);
            }
        } else {
            self.insert(entry);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<E> {
        let slot = std::mem::replace(&mut self.slot, E::MAX);
        if self.root < slot {
            let root = self.root;
            let last = if slot < E::MAX { slot } else { self.take_last() };
            self.sift_down(last);
            return Some(root);
        }
        (slot < E::MAX).then_some(slot)
    }

    #[inline]
    fn insert(&mut self, entry: E) {
        if self.root == E::MAX {
            self.root = entry;
            return;
        }
        // The index of the new entry, counted from the first entry of group 0; its parent is the entry with the number
        // of its group.
        let mut at = self.len;
        self.len += 1;
        if at / ARITY == self.groups.len() {
            self.groups.push([E::MAX; ARITY]);
        }
        while at >= ARITY {
            let parent = at / ARITY - 1;
            let above = self.groups[parent / ARITY][parent % ARITY];
            if above <= entry {
                break;
            }
            self.groups[at / ARITY][at % ARITY] = above;
            at = parent;
        }
        if at < ARITY && entry < self.root {
            self.groups[0][at] = std::mem::replace(&mut self.root, entry);
        } else {
            self.groups[at / ARITY][at % ARITY] = entry;
        }
    }

    /// Removes the last entry from the groups, or the root if it is the only entry.
    #[inline]
    fn take_last(&mut self) -> E {
        let Some(at) = self.len.checked_sub(1) else { return E::MAX };
        self.len = at;
        let last = std::mem::replace(&mut self.groups[at / ARITY][at % ARITY], E::MAX);
        if at % ARITY == 0 {
            self.groups.pop();
        }
        last
    }

    /// Replaces the root by `entry`.
    #[inline]
    fn sift_down(&mut self, entry: E) {
        let mut group = 0;
        let mut hole = None;
        while let Some(&[a, b, c, d]) = self.groups.get(group) {
            // Pairwise, without branches: which child wins is unpredictable.
            let (ab, ab_at) = if b < a { (b, 1) } else { (a, 0) };
            let (cd, cd_at) = if d < c { (d, 3) } else { (c, 2) };
            let (smallest, child) = if cd < ab { (cd, cd_at) } else { (ab, ab_at) };
            if entry <= smallest {
                break;
            }
            self.place(hole, smallest);
            hole = Some((group, child));
            group = group * ARITY + child + 1;
        }
        self.place(hole, entry);
    }

    /// Writes an entry to a slot of a group, or to the root.
    #[inline]
    fn place(&mut self, at: Option<(usize, usize)>, entry: E) {
        match at {
            Some((group, child)) => self.groups[group][child] = entry,
            None => self.root = entry,
        }
    }
}

/// A heap as the open list of a search over cells, whose ids have this many bits.
pub(crate) struct CellHeap<'a, U: Units> {
    heap: &'a mut Heap<U::Entry>,
    id_bits: u32,
}

impl<E> Heap<E> {
    #[inline]
    pub(crate) fn of_cells<U: Units<Entry = E>>(&mut self, id_bits: u32) -> CellHeap<'_, U> {
        CellHeap { heap: self, id_bits }
    }
}

impl<U: Units> Open<U> for CellHeap<'_, U> {
    #[inline]
    fn is_sorted(&self) -> bool {
        true
    }

    fn begin(&mut self, _: U::Cost) {
        self.heap.clear();
    }

    #[inline]
    fn push(&mut self, f: U::Cost, g: U::Cost, id: CellId) {
        self.heap.push(U::pack(f, g, id.0, self.id_bits));
    }

    #[inline]
    fn pop(&mut self, best: U::Cost) -> Option<(U::Cost, CellId)> {
        let entry = self.heap.pop()?;
        let f = U::f(entry);
        (f <= best).then(|| (f, CellId(U::id(entry, self.id_bits))))
    }

    #[inline]
    fn least(&self, f: U::Cost) -> f64 {
        f.into() as f64
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
        let mut dice = crate::geometry::Dice::new(7);
        for step in 0..20_000 {
            // Grow for a while, then shrink until both have been empty many times.
            if dice.hits(if step < 5_000 { 10 } else { 7 }, 16) {
                let entry = dice.below(1 << 14);
                ours.push(entry);
                theirs.push(Reverse(entry));
            } else {
                assert_eq!(ours.pop(), theirs.pop().map(|Reverse(entry)| entry));
            }
        }
        ours.push(1);
        ours.clear();
        assert_eq!(ours.pop(), None);
    }
}
