//! The cells that a search has still to visit, in buckets no wider than the cheapest move.
//!
//! **Why they need no order inside a bucket.** No move costs less than a bucket is wide. So what a cell leads to lies
//! in a later bucket, and no cell is improved by another of its own bucket: when a bucket is taken up, the costs of all
//! cells in it are final.
//!
//! **Why few buckets do.** What a cell leads to is no farther off than the dearest move. On a map without prices that
//! is less than two straight moves, so that [`Queue`] has three buckets as wide as one. Over terrain [`Ring`] has as
//! many as the dearest move needs, up to a thousand; their width is a power of two, so that no cost has to be divided.

use std::cmp::Reverse;

use crate::geometry::order;
use crate::geometry::units::{Cost, Units, Width};
use crate::grid::Ground;
use crate::kernels::widths::Overflow;
use crate::planner::SizeBytes;

/// Cells by cost, bucket after bucket. A cell whose cost falls is put in again; whoever takes it out sees by its cost
/// which entry counts.
pub(super) trait Order<U: Units> {
    type Buckets<'a>: Buckets<'a, U>
    where
        Self: 'a;

    /// Forgets all cells.
    fn clear(&mut self);

    /// Adds a cell, of any cost, before the first [`advance`](Self::advance).
    fn seed(&mut self, cost: U::Cost, id: u32);

    /// Puts the seeds in order.
    fn begin(&mut self);

    /// Goes on to the next bucket; `false` if all have been visited.
    fn advance(&mut self) -> Result<bool, Overflow>;

    /// What is to be visited now, and where to put what that leads to.
    fn buckets(&mut self) -> Self::Buckets<'_>;
}

/// The bucket being visited and those behind it.
pub(super) trait Buckets<'a, U: Units> {
    /// What is to be visited.
    fn now(&self) -> &'a [u32];

    /// Whether an entry of a cell with this cost counts. Otherwise the cell was visited when it had become cheaper, or
    /// was lost.
    fn holds(&self, cost: U::Cost) -> bool;

    /// Adds a cell that one move leads to.
    fn push(&mut self, cost: U::Cost, id: u32);

    /// As [`push`](Self::push), but not if the cell is in the same bucket for the cost it had `before`.
    fn push_once(&mut self, cost: U::Cost, before: U::Cost, id: u32);
}

/// The order of cells on a map without prices.
#[derive(Clone, Debug)]
pub(super) struct Queue<U: Units> {
    /// The bucket of a number is at its remainder by three, so that the same search uses the same memory again.
    circle: [Vec<u32>; 3],
    /// That of the bucket being visited.
    number: usize,
    /// Where the cells begin that no other has led to: the cheapest last. They come into their buckets when those are
    /// visited.
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

/// The bucket being visited and the two behind it.
pub(super) struct Three<'a, U: Units> {
    now: &'a [u32],
    next: &'a mut Vec<u32>,
    after: &'a mut Vec<u32>,
    /// Costs in the first are below this, but not by more than a straight move.
    end: U::Cost,
}

impl<U: Units> Queue<U> {
    fn end(&self) -> U::Cost {
        U::Cost::of((self.number as u64 + 1) * U::STRAIGHT.into())
    }
}

impl<U: Units> Order<U> for Queue<U> {
    type Buckets<'a> = Three<'a, U>;

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
        // A limit is a whole number of buckets.
        if end > U::LIMIT { Err(Overflow) } else { Ok(true) }
    }

    #[inline]
    fn buckets(&mut self) -> Three<'_, U> {
        let end = self.end();
        let [a, b, c] = &mut self.circle;
        let (now, next, after) = match self.number % 3 {
            0 => (a, b, c),
            1 => (b, c, a),
            _ => (c, a, b),
        };
        Three { now, next, after, end }
    }
}

impl<'a, U: Units> Buckets<'a, U> for Three<'a, U> {
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
    /// A power of two of buckets. That of a number is at its remainder.
    circle: Vec<Vec<u32>>,
    /// That of the bucket being visited.
    number: u64,
    /// How many entries are in all buckets.
    waiting: usize,
    /// A bucket is as wide as two to this power.
    shift: u32,
    /// No move costs more.
    dearest: u64,
    /// As those of [`Queue`].
    seeds: Vec<(U::Cost, u32)>,
}

impl<U: Units> Default for Ring<U> {
    fn default() -> Self {
        Self { circle: Vec::new(), number: 0, waiting: 0, shift: 0, dearest: 0, seeds: Vec::new() }
    }
}

impl<U: Units> SizeBytes for Ring<U> {
    fn size_bytes(&self) -> usize {
        let buckets = self.circle.capacity() * size_of::<Vec<u32>>();
        buckets + self.circle.iter().map(SizeBytes::size_bytes).sum::<usize>() + self.seeds.size_bytes()
    }
}

/// The bucket being visited and all others.
pub(super) struct Around<'a> {
    now: &'a [u32],
    /// The buckets before it in memory, and those behind it.
    others: (&'a mut [Vec<u32>], &'a mut [Vec<u32>]),
    number: u64,
    waiting: &'a mut usize,
    shift: u32,
}

impl<U: Units> Ring<U> {
    /// Makes it suit the prices of a map, without cells.
    pub(super) fn suit(&mut self, ground: &Ground) {
        self.clear();
        let (straight, diagonal): (u64, u64) = (U::STRAIGHT.into(), U::DIAGONAL.into());
        self.shift = (straight * u64::from(ground.least_counts())).ilog2();
        self.dearest = diagonal * u64::from(ground.greatest_counts());
        // From anywhere in the first bucket.
        let buckets = ((self.dearest >> self.shift) as usize + 2).next_power_of_two();
        if buckets > self.circle.len() {
            self.circle.resize_with(buckets, Vec::new);
        }
    }

    fn place(&self) -> usize {
        self.number as usize & (self.circle.len() - 1)
    }

    /// Whether a cell that was visited may lead to one that costs more than `most`.
    pub(super) fn may_exceed(&self, most: U::Cost) -> bool {
        self.end() + self.dearest > most.into()
    }

    fn end(&self) -> u64 {
        (self.number + 1) << self.shift
    }
}

impl<U: Units> Order<U> for Ring<U> {
    type Buckets<'a> = Around<'a>;

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
        let place = self.place();
        self.waiting -= self.circle[place].len();
        self.circle[place].clear();
        let first = self.seeds.last().map(|&(cost, _)| cost.into() >> self.shift);
        match first {
            None if self.waiting == 0 => return Ok(false),
            Some(first) if self.waiting == 0 => self.number = first,
            _ => {
                self.number += 1;
                while self.circle[self.place()].is_empty() && first != Some(self.number) {
                    self.number += 1;
                }
            }
        }
        let (place, end) = (self.place(), self.end());
        while let Some((_, id)) = self.seeds.pop_if(|(cost, _)| (*cost).into() < end) {
            self.circle[place].push(id);
            self.waiting += 1;
        }
        // In the widest units nothing that is too dear is put in.
        if U::WIDTH == Width::Narrow && self.may_exceed(U::LIMIT) { Err(Overflow) } else { Ok(true) }
    }

    #[inline]
    fn buckets(&mut self) -> Around<'_> {
        let (place, number, shift) = (self.place(), self.number, self.shift);
        let (before, rest) = self.circle.split_at_mut(place);
        match rest {
            [now, after @ ..] => Around { now, others: (before, after), number, waiting: &mut self.waiting, shift },
            [] => unreachable!("a ring has its place"),
        }
    }
}

impl<'a, U: Units> Buckets<'a, U> for Around<'a> {
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
        // A move leads to another bucket, and not once around.
        let place = (cost.into() >> self.shift) as usize & mask;
        let bucket = if place < now { &mut before[place] } else { &mut after[place - now - 1] };
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
