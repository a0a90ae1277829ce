//! The cells that a search has yet to visit, in buckets no wider than the cheapest move.
//!
//! **Why cells need no order inside a bucket.** No move costs less than the width of a bucket. So a cell's successors
//! lie in later buckets, and no cell is improved by another cell of its own bucket: when a bucket is visited, the costs
//! of all cells in it are final.
//!
//! **Why a few buckets suffice.** A successor is no farther away than the most expensive move. On a map without terrain
//! costs that is less than two straight moves, so [`Queue`] has three buckets, each as wide as a straight move. Over
//! terrain, [`Ring`] has as many as the most expensive move needs, up to a thousand; their width is a power of two, so
//! that costs need no division.

use std::cmp::Reverse;

use crate::geometry::order;
use crate::geometry::units::{Cost, Units, Width};
use crate::grid::Ground;
use crate::kernels::widths::Overflow;
use crate::planner::SizeBytes;

/// Cells by cost, bucket by bucket. A cell whose cost falls is added again; its current cost shows which of its entries
/// is valid.
pub(super) trait Order<U: Units> {
    type Buckets<'a>: Buckets<'a, U>
    where
        Self: 'a;

    /// Removes all cells.
    fn clear(&mut self);

    /// Adds a cell, of any cost, before the first [`advance`](Self::advance).
    fn seed(&mut self, cost: U::Cost, id: u32);

    /// Sorts the seeds.
    fn begin(&mut self);

    /// Advances to the next bucket; `false` if all have been visited.
    fn advance(&mut self) -> Result<bool, Overflow>;

    /// The buckets, to read the current one and to add successors.
    fn buckets(&mut self) -> Self::Buckets<'_>;
}

/// The bucket being visited and the following ones.
pub(super) trait Buckets<'a, U: Units> {
    /// The cells to visit.
    fn now(&self) -> &'a [u32];

    /// Whether an entry of a cell with this cost is valid. Otherwise the cell was visited earlier at a lower cost, or
    /// lost its cost.
    fn holds(&self, cost: U::Cost) -> bool;

    /// Adds a successor.
    fn push(&mut self, cost: U::Cost, id: u32);

    /// As [`push`](Self::push), but skips a cell that is in the same bucket for the cost it had `before`.
    fn push_once(&mut self, cost: U::Cost, before: U::Cost, id: u32);
}

/// The order of cells on a map without terrain costs.
#[derive(Clone, Debug)]
pub(super) struct Queue<U: Units> {
    /// Bucket n is at index n modulo 3, so that a repeated search uses the same memory.
    circle: [Vec<u32>; 3],
    /// The number of the bucket being visited.
    number: usize,
    /// The cells where the search starts, the cheapest last. They are moved into their buckets when those are visited.
    seeds: Vec<(U::Cost, u32)>,
}

impl<U: Units> Default for Queue<U> {
    fn default() -> Self {
        Self { circle: Default::default(), number: 0, seeds: Vec::new() }
    }
}

impl<U: Units> SizeBytes for Queue<U> {
    fn size_bytes(&self) -> usize {
        self.circle.iter().map(SizeBytes::size_bytes).sum::<usize>() + self.seeds.size_bytes()
    }
}

/// The bucket being visited and the next two.
pub(super) struct QueueBuckets<'a, U: Units> {
    now: &'a [u32],
    next: &'a mut Vec<u32>,
    after: &'a mut Vec<u32>,
    /// The end of the first bucket, which is as wide as a straight move.
    end: U::Cost,
}

impl<U: Units> Queue<U> {
    fn end(&self) -> U::Cost {
        U::Cost::of((self.number as u64 + 1) * U::STRAIGHT.into())
    }
}

impl<U: Units> Order<U> for Queue<U> {
    type Buckets<'a> = QueueBuckets<'a, U>;

    fn clear(&mut self) {
        self.circle.iter_mut().for_each(Vec::clear);
        self.seeds.clear();
        self.number = 0;
    }

    fn seed(&mut self, cost: U::Cost, id: u32) {
        self.seeds.push((cost, id));
    }

    fn begin(&mut self) {
        order::sort_by_key(&mut self.seeds, |&seed| Reverse(seed));
    }

    fn advance(&mut self) -> Result<bool, Overflow> {
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
        // The limit is a whole number of buckets.
        if end > U::LIMIT { Err(Overflow) } else { Ok(true) }
    }

    #[inline]
    fn buckets(&mut self) -> QueueBuckets<'_, U> {
        let end = self.end();
        let [a, b, c] = &mut self.circle;
        let (now, next, after) = match self.number % 3 {
            0 => (a, b, c),
            1 => (b, c, a),
            _ => (c, a, b),
        };
        QueueBuckets { now, next, after, end }
    }
}

impl<'a, U: Units> Buckets<'a, U> for QueueBuckets<'a, U> {
    #[inline]
    fn now(&self) -> &'a [u32] {
        self.now
    }

    #[inline]
    fn holds(&self, cost: U::Cost) -> bool {
        cost < self.end && cost + U::STRAIGHT >= self.end
    }

    #[inline]
    fn push(&mut self, cost: U::Cost, id: u32) {
        if cost < self.end + U::STRAIGHT { self.next.push(id) } else { self.after.push(id) }
    }

    #[inline]
    fn push_once(&mut self, cost: U::Cost, before: U::Cost, id: u32) {
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

/// The order of cells over terrain.
#[derive(Clone, Debug)]
pub(super) struct Ring<U: Units> {
    /// A power of two of buckets. The number of a bucket modulo this is its index.
    circle: Vec<Vec<u32>>,
    /// The number of the bucket being visited.
    number: u64,
    /// The number of entries in all buckets.
    waiting: usize,
    /// The width of a bucket is two to this power.
    shift: u32,
    /// The cost of the most expensive move.
    greatest_move: u64,
    /// As in [`Queue`].
    seeds: Vec<(U::Cost, u32)>,
}

impl<U: Units> Default for Ring<U> {
    fn default() -> Self {
        Self { circle: Vec::new(), number: 0, waiting: 0, shift: 0, greatest_move: 0, seeds: Vec::new() }
    }
}

impl<U: Units> SizeBytes for Ring<U> {
    fn size_bytes(&self) -> usize {
        let buckets = self.circle.capacity() * size_of::<Vec<u32>>();
        buckets + self.circle.iter().map(SizeBytes::size_bytes).sum::<usize>() + self.seeds.size_bytes()
    }
}

/// The bucket being visited and all others.
pub(super) struct RingBuckets<'a> {
    now: &'a [u32],
    /// The buckets before it in memory, and those after it.
    others: (&'a mut [Vec<u32>], &'a mut [Vec<u32>]),
    number: u64,
    waiting: &'a mut usize,
    shift: u32,
}

impl<U: Units> Ring<U> {
    /// Prepares the ring for the terrain costs of a map, without cells.
    pub(super) fn prepare(&mut self, ground: &Ground) {
        self.clear();
        let (straight, diagonal): (u64, u64) = (U::STRAIGHT.into(), U::DIAGONAL.into());
        self.shift = (straight * u64::from(ground.least_counts())).ilog2();
        self.greatest_move = diagonal * u64::from(ground.greatest_counts());
        // Enough for moves from anywhere in the first bucket.
        let buckets = ((self.greatest_move >> self.shift) as usize + 2).next_power_of_two();
        if buckets > self.circle.len() {
            self.circle.resize_with(buckets, Vec::new);
        }
    }

    fn index(&self) -> usize {
        self.number as usize & (self.circle.len() - 1)
    }

    /// Whether a visited cell may have a successor that costs more than `most`.
    pub(super) fn may_exceed(&self, most: U::Cost) -> bool {
        self.end() + self.greatest_move > most.into()
    }

    fn end(&self) -> u64 {
        (self.number + 1) << self.shift
    }
}

impl<U: Units> Order<U> for Ring<U> {
    type Buckets<'a> = RingBuckets<'a>;

    fn clear(&mut self) {
        self.circle.iter_mut().for_each(Vec::clear);
        self.seeds.clear();
        (self.number, self.waiting) = (0, 0);
    }

    fn seed(&mut self, cost: U::Cost, id: u32) {
        self.seeds.push((cost, id));
    }

    fn begin(&mut self) {
        order::sort_by_key(&mut self.seeds, |&seed| Reverse(seed));
    }

    fn advance(&mut self) -> Result<bool, Overflow> {
        let index = self.index();
        self.waiting -= self.circle[index].len();
        self.circle[index].clear();
        let first = self.seeds.last().map(|&(cost, _)| cost.into() >> self.shift);
        match first {
            None if self.waiting == 0 => return Ok(false),
            Some(first) if self.waiting == 0 => self.number = first,
            _ => {
                self.number += 1;
                while self.circle[self.index()].is_empty() && first != Some(self.number) {
                    self.number += 1;
                }
            }
        }
        let (index, end) = (self.index(), self.end());
        while let Some((_, id)) = self.seeds.pop_if(|(cost, _)| (*cost).into() < end) {
            self.circle[index].push(id);
            self.waiting += 1;
        }
        // In the widest units, costs above the limit are never added.
        if U::WIDTH == Width::Narrow && self.may_exceed(U::LIMIT) { Err(Overflow) } else { Ok(true) }
    }

    #[inline]
    fn buckets(&mut self) -> RingBuckets<'_> {
        let (index, number, shift) = (self.index(), self.number, self.shift);
        let (before, rest) = self.circle.split_at_mut(index);
        match rest {
            [now, after @ ..] => {
                RingBuckets { now, others: (before, after), number, waiting: &mut self.waiting, shift }
            }
            [] => unreachable!("the index is below the number of buckets"),
        }
    }
}

impl<'a, U: Units> Buckets<'a, U> for RingBuckets<'a> {
    #[inline]
    fn now(&self) -> &'a [u32] {
        self.now
    }

    #[inline]
    fn holds(&self, cost: U::Cost) -> bool {
        cost.into() >> self.shift == self.number
    }

    #[inline]
    fn push(&mut self, cost: U::Cost, id: u32) {
        let (before, after) = &mut self.others;
        let (now, mask) = (before.len(), before.len() + after.len());
        // A move leads to another bucket, and never all the way around.
        let index = (cost.into() >> self.shift) as usize & mask;
        let bucket = if index < now { &mut before[index] } else { &mut after[index - now - 1] };
        bucket.push(id);
        *self.waiting += 1;
    }

    #[inline]
    fn push_once(&mut self, cost: U::Cost, before: U::Cost, id: u32) {
        if cost.into() >> self.shift != before.into() >> self.shift {
            Buckets::<U>::push(self, cost, id);
        }
    }
}
