//! Scratch memory of the search by roots.

use super::{Hit, Quadrants};
use crate::geometry::units::Units;
use crate::geometry::{Cell, CellId};
use crate::grid::Grid;
use crate::kernels::ds::heap::Heap;
use crate::planner::size_bytes;

/// The parent of the start.
pub(super) const START: u32 = u32::MAX;

/// The state of a root in the search.
#[derive(Clone, Copy, Debug)]
struct Root<C> {
    g: C,
    /// The number of its parent root, or [`START`].
    from: u32,
    /// Its cell; map sides fit into 16 bits.
    x: u16,
    y: u16,
    /// The quadrants that are, were or will be expanded at this cost.
    known: Quadrants,
    /// The quadrants that wait on the open list.
    waiting: Quadrants,
}

impl<C> Root<C> {
    #[inline]
    fn cell(&self) -> Cell {
        Cell::new(self.x.into(), self.y.into())
    }
}

/// A root to be expanded, with the quadrants to expand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<C> {
    pub(super) number: u32,
    pub(super) hit: Hit<C>,
}

/// Roots are numbered in the order in which they are reached, so that roots used together are close in memory. Most
/// cells are looked up only once: one bit per cell says whether it has a number in this query. The bits take 32 times
/// less memory than the numbers.
#[derive(Debug)]
pub(in crate::algo::rea_star) struct Memory<U: Units> {
    roots: Vec<Root<U::Cost>>,
    /// One bit per padded cell: whether it is a root in this query.
    seen: Vec<u64>,
    /// The numbers of those cells.
    numbers: Vec<u32>,
    pub(super) heap: Heap<U::Entry>,
    /// The number of bits for a root in an open-list entry.
    pub(super) id_bits: u32,
    /// The roots that an expansion found.
    pub(super) hits: Vec<Hit<U::Cost>>,
    /// The ends of the hops of a path, for a probe.
    pub(super) points: Vec<Cell>,
}

size_bytes!(for [U: Units] Memory<U>: roots, seen, numbers, heap, hits, points);

impl<U: Units> Memory<U> {
    pub(super) fn new(grid: &Grid) -> Self {
        let cells = grid.padded_cells();
        Self {
            roots: Vec::new(),
            seen: vec![0; cells.div_ceil(64)],
            numbers: vec![0; cells],
            heap: Heap::new(),
            id_bits: usize::BITS - cells.leading_zeros(),
            hits: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Begins a query: clears all bits.
    pub(super) fn begin(&mut self, grid: &Grid) {
        if self.roots.len() * 4 > self.seen.len() {
            self.seen.fill(0);
        } else {
            for root in &self.roots {
                self.seen[grid.id(root.cell()).index() / 64] = 0;
            }
        }
        self.roots.clear();
        self.heap.clear();
        self.hits.clear();
    }

    /// The number of a root, if the query has reached it.
    #[inline]
    pub(super) fn number(&self, id: CellId) -> Option<u32> {
        let is_seen = self.seen[id.index() / 64] >> (id.index() % 64) & 1 == 1;
        is_seen.then(|| self.numbers[id.index()])
    }

    /// Adds a root that was not reached before. Returns its number.
    #[inline]
    pub(super) fn add(&mut self, id: CellId, from: u32, Hit { cell, g, quadrants }: Hit<U::Cost>) -> u32 {
        let number = self.roots.len() as u32;
        self.seen[id.index() / 64] |= 1 << (id.index() % 64);
        self.numbers[id.index()] = number;
        let (x, y) = (cell.x as u16, cell.y as u16);
        self.roots.push(Root { g, from, x, y, known: quadrants, waiting: Quadrants::default() });
        number
    }

    /// Records another path to a root. Returns the quadrants to expand because of it; none if the path costs more, or
    /// if its quadrants are known or can wait with others.
    #[inline]
    pub(super) fn improve(
        &mut self,
        number: u32,
        from: u32,
        Hit { g, quadrants, .. }: Hit<U::Cost>,
    ) -> Option<Quadrants> {
        let root = &mut self.roots[number as usize];
        if g > root.g {
            return None;
        }
        if g < root.g {
            *root = Root { g, from, known: quadrants, waiting: Quadrants::default(), ..*root };
            return Some(quadrants);
        }
        let new = quadrants.without(root.known);
        root.known = root.known.and(new);
        if !root.waiting.is_empty() {
            root.waiting = root.waiting.and(new);
            return None;
        }
        (!new.is_empty()).then_some(new)
    }

    /// Puts quadrants of a root in the waiting state, for the open list.
    #[inline]
    pub(super) fn await_turn(&mut self, number: u32, quadrants: Quadrants) {
        let waiting = &mut self.roots[number as usize].waiting;
        *waiting = waiting.and(quadrants);
    }

    /// Takes the waiting quadrants of a root; none if the entry is stale.
    #[inline]
    pub(super) fn take(&mut self, number: u32) -> Option<Task<U::Cost>> {
        let root = &mut self.roots[number as usize];
        let quadrants = std::mem::take(&mut root.waiting);
        let hit = Hit { cell: root.cell(), g: root.g, quadrants };
        (!quadrants.is_empty()).then_some(Task { number, hit })
    }

    /// Overwrites `legs` with the roots on the path to one, from the start on, and the goal.
    pub(super) fn legs_to(&self, last: u32, goal: Cell, legs: &mut Vec<Cell>) {
        legs.clear();
        legs.push(goal);
        let mut number = last;
        while let Some(root) = self.roots.get(number as usize) {
            legs.push(root.cell());
            number = root.from;
        }
        legs.reverse();
    }
}
