//! An open list of circular buckets: pushing and popping take constant time, at the price of an inexact order.
//!
//! Entries whose f lies within half a straight move share a bucket and are popped last in, first out. A search with
//! buckets must therefore be ready to re-expand a cell, and may stop only when the whole bucket lies at or above the
//! best goal cost. A cell that becomes cheaper has a smaller f, so its newest entry is popped before all its others.

use super::Open;
use crate::geometry::CellId;
use crate::geometry::units::{Cost, Units};
use crate::planner::SizeBytes;

/// One step with a consistent heuristic raises f by at most twice the cost of a diagonal move, less than six buckets.
const BUCKETS: usize = 8;

/// A queue whose entries are never below the bucket being emptied nor 8 buckets above it.
#[derive(Debug)]
pub(crate) struct Buckets<U: Units> {
    /// The f and the id of each entry.
    circle: [Vec<(U::Cost, CellId)>; BUCKETS],
    /// The number of the bucket being emptied, not reduced modulo the circle.
    current: u64,
    len: usize,
}

impl<U: Units> SizeBytes for Buckets<U> {
    fn size_bytes(&self) -> usize {
        self.circle.iter().map(SizeBytes::size_bytes).sum()
    }
}

impl<U: Units> Buckets<U> {
    pub(crate) fn new() -> Self {
        Self { circle: std::array::from_fn(|_| Vec::new()), current: 0, len: 0 }
    }

    #[inline]
    fn number(f: U::Cost) -> u64 {
        f.into() / (U::STRAIGHT.into() / 2)
    }

    /// No remaining entry has a smaller f.
    #[inline]
    fn lower_bound(&self) -> U::Cost {
        U::Cost::of(self.current * (U::STRAIGHT.into() / 2))
    }
}

impl<U: Units> Open<U> for Buckets<U> {
    #[inline]
    fn is_sorted(&self) -> bool {
        false
    }

    fn begin(&mut self, first_f: U::Cost) {
        self.circle.iter_mut().for_each(Vec::clear);
        self.current = Self::number(first_f);
        self.len = 0;
    }

    #[inline]
    fn push(&mut self, f: U::Cost, _: U::Cost, id: CellId) {
        let number = Self::number(f);
        debug_assert!((self.current..self.current + BUCKETS as u64).contains(&number));
        self.circle[number as usize % BUCKETS].push((f, id));
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self, best: U::Cost) -> Option<(U::Cost, CellId)> {
        while self.len > 0 {
            if let Some(entry) = self.circle[self.current as usize % BUCKETS].pop() {
                self.len -= 1;
                if entry.0 < best {
                    return Some(entry);
                }
            } else {
                self.current += 1;
                if self.lower_bound() >= best {
                    return None;
                }
            }
        }
        None
    }

    /// The next entry may have a lower f, by less than the width of a bucket.
    #[inline]
    fn least(&self, f: U::Cost) -> f64 {
        f.into() as f64 - U::STRAIGHT.into() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::units::Narrow;

    const WIDTH: u32 = Narrow::STRAIGHT / 2;

    fn filled(entries: &[(u32, u32)]) -> Buckets<Narrow> {
        let mut buckets = Buckets::new();
        buckets.begin(3 * WIDTH);
        for &(f, id) in entries {
            buckets.push(f, 0, CellId(id));
        }
        buckets
    }

    #[test]
    fn buckets_come_in_order_and_what_shares_one_last_in_first_out() {
        let entries = [(3 * WIDTH + 1, 0), (5 * WIDTH, 1), (3 * WIDTH, 2), (9 * WIDTH, 3), (6 * WIDTH - 1, 4)];
        let mut buckets = filled(&entries);
        let order: Vec<u32> = std::iter::from_fn(|| buckets.pop(u32::MAX)).map(|(_, id)| id.0).collect();
        assert_eq!(order, [2, 0, 4, 1, 3]);
        buckets.push(12 * WIDTH, 0, CellId(7));
        assert_eq!((buckets.pop(u32::MAX), buckets.pop(u32::MAX)), (Some((12 * WIDTH, CellId(7))), None));
        buckets.push(13 * WIDTH, 0, CellId(8));
        buckets.begin(0);
        assert_eq!(buckets.pop(u32::MAX), None);
    }

    /// Entries at or above the best cost are skipped, and entries of later buckets are left in place.
    #[test]
    fn nothing_comes_out_that_is_not_below_the_best() {
        let entries = [(4 * WIDTH, 0), (4 * WIDTH + 9, 1), (4 * WIDTH + 10, 2), (6 * WIDTH, 3)];
        let mut buckets = filled(&entries);
        assert_eq!(buckets.pop(4 * WIDTH + 10), Some((4 * WIDTH + 9, CellId(1))));
        assert_eq!(buckets.pop(4 * WIDTH), None);
        assert_eq!(buckets.len, 1);
    }
}
