//! Scratch memory of searches over cells, in 32-bit costs and, for the rare query that needs them, in 64-bit costs.

use crate::geometry::CellId;
use crate::geometry::units::{Cost, Narrow, Units, Width};
use crate::grid::Grid;
use crate::kernels::ds::buckets::Buckets;
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::table::Table;
use crate::kernels::pause::Pause;
use crate::kernels::widths::{Memories, Overflow, Widths};
use crate::planner::size_bytes;

/// Flag bits of a node's mark: three for the direction it was reached in, one for closed.
pub(crate) const FLAG_BITS: u32 = 4;

/// The flag of a node that has been expanded.
pub(crate) const CLOSED: u32 = 8;

/// The bits of a mark that hold the direction in which the node was reached.
pub(crate) const DIR: u32 = 7;

/// Search data of a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node<C> {
    pub(crate) g: C,
    /// The number of the query, and the flags.
    pub(crate) mark: u32,
}

impl<C> Node<C> {
    /// Whether the query with this mark has reached the node.
    #[inline]
    pub(crate) fn is_seen(&self, mark: u32) -> bool {
        self.mark & !(CLOSED | DIR) == mark
    }

    /// Whether it was expanded, and has not become cheaper since.
    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        self.mark & CLOSED != 0
    }
}

/// The search data of all cells.
pub(crate) type Nodes<U> = Table<Node<<U as Units>::Cost>, FLAG_BITS>;

/// Nodes and open lists in one kind of units.
#[derive(Debug)]
pub(crate) struct Memory<U: Units> {
    pub(crate) nodes: Nodes<U>,
    pub(crate) heap: Heap<U::Entry>,
    pub(crate) buckets: Buckets<U>,
    /// The number of bits of an id in an open-list entry.
    pub(crate) id_bits: u32,
}

size_bytes!(for [U: Units] Memory<U>: nodes, heap, buckets);

impl<U: Units> Memory<U> {
    pub(crate) fn new(grid: &Grid) -> Self {
        Self {
            nodes: Table::new(grid.padded_cells()),
            heap: Heap::new(),
            buckets: Buckets::new(),
            id_bits: usize::BITS - grid.padded_cells().leading_zeros(),
        }
    }
}

impl<U: Units> Memories for Memory<U> {
    type In<V: Units> = Memory<V>;
}

/// Scratch memory of a search over cells: one per thread, reused between queries.
#[derive(Debug)]
pub(crate) struct CellScratch {
    pub(crate) widths: Widths<Memory<Narrow>>,
    pub(crate) pause: Pause<PausedCells>,
}

/// Where a search over cells was paused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PausedCells {
    /// The mark of the nodes that it has reached.
    pub(crate) mark: u32,
    /// The best goal so far.
    pub(crate) best: Reached<u64>,
    pub(crate) width: Width,
}

/// A goal that a search has reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached<C> {
    pub(crate) id: CellId,
    /// The cost to reach it.
    pub(crate) g: C,
    /// Its index among the goals: of those with the same cost, the first counts.
    pub(crate) place: usize,
}

impl<C: Cost> Reached<C> {
    /// No goal yet: a goal at any cost is better.
    pub(crate) fn none() -> Self {
        Self { id: CellId(0), g: C::MAX, place: usize::MAX }
    }

    /// Takes another goal of the same cost if it comes first among the goals. Returns whether no other goal comes
    /// before it.
    #[inline]
    pub(crate) fn improve(&mut self, other: Self) -> bool {
        if other.place < self.place {
            *self = other;
        }
        self.place == 0
    }

    /// The goal, if any.
    ///
    /// # Errors
    /// If its cost is not exact.
    #[inline]
    pub(crate) fn exactly<U: Units<Cost = C>>(self) -> Result<Option<Self>, Overflow> {
        if self.g == C::MAX {
            return Ok(None);
        }
        if self.g >= U::LIMIT { Err(Overflow) } else { Ok(Some(self)) }
    }

    /// The same, with its cost in an integer of another width that can hold it.
    pub(crate) fn resized<D: Cost>(self) -> Reached<D> {
        Reached { id: self.id, g: D::of(self.g.into()), place: self.place }
    }
}

size_bytes!(CellScratch: widths);

impl CellScratch {
    pub(crate) fn new(grid: &Grid) -> Self {
        Self { widths: Widths::new(Memory::new(grid)), pause: Pause::default() }
    }

    /// Lets the next search resume the last one.
    pub(crate) fn go_on(&mut self) {
        self.pause.go_on();
    }
}
