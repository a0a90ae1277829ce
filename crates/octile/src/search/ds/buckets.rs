//! An open list of circular buckets: pushing and popping take constant time, at the price of an inexact order.
//!
//! Entries whose f lies within half a straight move share a bucket and come out last in, first out. A search over
//! buckets must therefore be ready to expand a cell again, and may stop only when the whole bucket lies at or above the
//! best goal cost: [`Buckets::lower_bound`].

use crate::geometry::units::{Cost, Units};

/// An entry: what the search needs to know when it comes out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<C> {
    pub(crate) f: C,
    pub(crate) g: C,
    pub(crate) id: u32,
}

/// One step with a consistent heuristic raises f by at most twice the diagonal's price, less than six buckets.
const BUCKETS: usize = 8;

/// A queue whose entries are never below the bucket being emptied nor 8 buckets above it.
#[derive(Debug)]
pub(crate) struct Buckets<U: Units> {
    circle: [Vec<Entry<U::Cost>>; BUCKETS],
    /// The number of the bucket being emptied, not reduced to its place in the circle.
    current: u64,
    len: usize,
}

impl<U: Units> Buckets<U> {
    pub(crate) fn new() -> Self {
        Self { circle: std::array::from_fn(|_| Vec::new()), current: 0, len: 0 }
    }

    /// Empties the queue; the first entry will have the given f.
    pub(crate) fn clear(&mut self, first_f: U::Cost) {
        self.circle.iter_mut().for_each(Vec::clear);
        self.current = Self::number(first_f);
        self.len = 0;
    }

    #[inline]
    fn number(f: U::Cost) -> u64 {
        f.into() / (U::STRAIGHT.into() / 2)
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: Entry<U::Cost>) {
        let number = Self::number(entry.f);
        debug_assert!((self.current..self.current + BUCKETS as u64).contains(&number));
        self.circle[number as usize % BUCKETS].push(entry);
        self.len += 1;
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry<U::Cost>> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        loop {
            if let Some(entry) = self.circle[self.current as usize % BUCKETS].pop() {
                return Some(entry);
            }
            self.current += 1;
        }
    }

    /// No entry still to come has a smaller f.
    #[inline]
    pub(crate) fn lower_bound(&self) -> U::Cost {
        U::Cost::of(self.current * (U::STRAIGHT.into() / 2))
    }
}
