//! Working memory of the search by roots.

use super::{Hit, Quadrants};
use crate::geometry::units::Units;
use crate::geometry::{Cell, CellId};
use crate::grid::Grid;
use crate::kernels::ds::heap::Heap;
use crate::planner::size_bytes;

/// What the start came from.
pub(super) const START: u32 = u32::MAX;

/// What the search remembers of a root.
#[derive(Clone, Copy, Debug)]
struct Root<C> {
    g: C,
    /// The number of the root that its leg came from, or [`START`].
    from: u32,
    /// Where it is; a side of a map fits.
    x: u16,
    y: u16,
    /// The quadrants that are, were or will be expanded at this cost.
    known: Quadrants,
    /// Those that wait for it on the open list.
    waiting: Quadrants,
}

impl<C> Root<C> {
    #[inline]
    fn cell(&self) -> Cell {
        Cell::new(self.x.into(), self.y.into())
    }
}

/// A root to be expanded, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<C> {
    pub(super) number: u32,
    pub(super) hit: Hit<C>,
}

/// Roots are numbered in the order in which they are reached, so that those which are used together lie together. Most
/// cells are asked about once: a bit for each says whether it has a number in this query, which is 32 times smaller
/// than the numbers.
#[derive(Debug)]
pub(in crate::algo::rea_star) struct Memory<U: Units> {
    roots: Vec<Root<U::Cost>>,
    /// A bit a padded cell: whether it is among the roots.
    seen: Vec<u64>,
    /// The number of a cell that is.
    numbers: Vec<u32>,
    pub(super) heap: Heap<U::Entry>,
    /// How many bits a number takes in an open-list entry.
    pub(super) id_bits: u32,
    /// What an expansion found.
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

    /// Begins a query: no cell is seen.
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

    /// Adds a root that was not reached before, and returns its number.
    #[inline]
    pub(super) fn add(&mut self, id: CellId, from: u32, Hit { cell, g, quadrants }: Hit<U::Cost>) -> u32 {
        let number = self.roots.len() as u32;
        self.seen[id.index() / 64] |= 1 << (id.index() % 64);
        self.numbers[id.index()] = number;
        let (x, y) = (cell.x as u16, cell.y as u16);
        self.roots.push(Root { g, from, x, y, known: quadrants, waiting: Quadrants::default() });
        number
    }

    /// Takes note of another way to a root, and returns which quadrants are to be expanded because of it; none if that
    /// way costs more, or if they are known, or wait with others.
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

    /// Lets quadrants of a root wait for the open list.
    #[inline]
    pub(super) fn await_turn(&mut self, number: u32, quadrants: Quadrants) {
        let waiting = &mut self.roots[number as usize].waiting;
        *waiting = waiting.and(quadrants);
    }

    /// Takes what waits at a root; nothing if the entry is stale.
    #[inline]
    pub(super) fn take(&mut self, number: u32) -> Option<Task<U::Cost>> {
        let root = &mut self.roots[number as usize];
        let quadrants = std::mem::take(&mut root.waiting);
        let hit = Hit { cell: root.cell(), g: root.g, quadrants };
        (!quadrants.is_empty()).then_some(Task { number, hit })
    }

    /// Overwrites `legs` with the roots on the way to one, from the start on, and the goal.
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
