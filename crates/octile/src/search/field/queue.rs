//! The cells that a search has still to visit, in buckets as wide as a straight move.
//!
//! **Why three buckets do, without any order inside.** Every move costs at least the width of a bucket and less than twice that. So what a
//! cell leads to lies in one of the next two buckets, and no cell is improved by another of its own bucket: when a bucket is taken up,
//! the costs of all cells in it are final.

use crate::geometry::units::{Cost, Units};
use crate::search::SizeBytes;
use crate::search::widths::Overflow;

/// A queue of cells by cost. A cell whose cost falls is put in again; whoever takes it out sees by its cost which entry counts.
#[derive(Clone, Debug)]
pub(super) struct Queue<U: Units> {
    /// The bucket of a number is at its remainder by three, so that the same search uses the same memory again.
    circle: [Vec<u32>; 3],
    /// That of the bucket being visited.
    number: usize,
    /// Where the cells begin that no other has led to: the cheapest last. They come into their buckets when those are visited.
    seeds: Vec<(U::Cost, u32)>,
}

impl<U: Units> SizeBytes for Queue<U> {
    fn size_bytes(&self) -> usize {
        self.circle.iter().map(SizeBytes::size_bytes).sum::<usize>() + self.seeds.size_bytes()
    }
}

/// The bucket being visited and the two behind it.
pub(super) struct Buckets<'a, U: Units> {
    pub(super) now: &'a [u32],
    next: &'a mut Vec<u32>,
    after: &'a mut Vec<u32>,
    /// Costs in the first are below this, but not by more than a straight move.
    end: U::Cost,
}

impl<U: Units> Queue<U> {
    pub(super) fn new() -> Self {
        Self { circle: Default::default(), number: 0, seeds: Vec::new() }
    }

    /// Forgets all cells.
    pub(super) fn clear(&mut self) {
        self.circle.iter_mut().for_each(Vec::clear);
        self.seeds.clear();
        self.number = 0;
    }

    /// Adds a cell, of any cost, before the first [`advance`](Self::advance).
    pub(super) fn seed(&mut self, cost: U::Cost, id: u32) {
        self.seeds.push((cost, id));
    }

    /// Puts the seeds in order.
    pub(super) fn begin(&mut self) {
        self.seeds.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Goes on to the next bucket; `false` if all have been visited.
    pub(super) fn advance(&mut self) -> Result<bool, Overflow> {
        self.circle[self.number % 3].clear();
        self.number += 1;
        if self.circle.iter().all(Vec::is_empty) {
            let Some(&(cost, _)) = self.seeds.last() else { return Ok(false) };
            self.number = (cost.into() / U::STRAIGHT.into()) as usize;
        }
        let end = self.end();
        while let Some((_, id)) = self.seeds.pop_if(|(cost, _)| *cost < end) {
            self.circle[self.number % 3].push(id);
        }
        // A limit is a whole number of buckets.
        if end > U::LIMIT { Err(Overflow) } else { Ok(true) }
    }

    fn end(&self) -> U::Cost {
        U::Cost::of((self.number as u64 + 1) * U::STRAIGHT.into())
    }

    /// What is to be visited now, and where to put what that leads to.
    #[inline]
    pub(super) fn buckets(&mut self) -> Buckets<'_, U> {
        let end = self.end();
        let [a, b, c] = &mut self.circle;
        let (now, next, after) = match self.number % 3 {
            0 => (a, b, c),
            1 => (b, c, a),
            _ => (c, a, b),
        };
        Buckets { now, next, after, end }
    }
}

impl<U: Units> Buckets<'_, U> {
    /// Whether an entry of a cell with this cost counts. Otherwise the cell was visited when it had become cheaper, or was lost.
    #[inline]
    pub(super) fn holds(&self, cost: U::Cost) -> bool {
        cost < self.end && cost + U::STRAIGHT >= self.end
    }

    /// Adds a cell that one move leads to.
    #[inline]
    pub(super) fn push(&mut self, cost: U::Cost, id: u32) {
        if cost < self.end + U::STRAIGHT { self.next.push(id) } else { self.after.push(id) }
    }

    /// As [`push`](Self::push), but not if the cell is in the same bucket for the cost it had `before`.
    #[inline]
    pub(super) fn push_once(&mut self, cost: U::Cost, before: U::Cost, id: u32) {
        let end = self.end + U::STRAIGHT;
        if cost < end {
            if before >= end {
                self.next.push(id);
            }
        } else if before >= end + U::STRAIGHT {
            self.after.push(id);
        }
    }
}
