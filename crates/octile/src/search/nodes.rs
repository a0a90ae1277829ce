//! Working memory of searches over numbered nodes.

use crate::geometry::units::Units;
use crate::search::ds::heap::Heap;
use crate::search::ds::table::Table;

/// Nodes and the open list of their numbers, in one kind of units.
#[derive(Debug)]
pub(crate) struct NodeMemory<U: Units, N, const FLAG_BITS: u32> {
    pub(crate) nodes: Table<N, FLAG_BITS>,
    pub(crate) heap: Heap<U::Entry>,
    /// How many bits the number of a node takes in an open-list entry.
    pub(crate) id_bits: u32,
}

impl<U: Units, N: Copy + Default, const FLAG_BITS: u32> NodeMemory<U, N, FLAG_BITS> {
    pub(crate) fn new(count: usize) -> Self {
        Self { nodes: Table::new(count), heap: Heap::new(), id_bits: usize::BITS - count.leading_zeros() }
    }

    /// Begins a query that may need so many nodes, more than before if an edit has made some: all count as unseen. Returns the
    /// mark of its nodes, flags zero.
    pub(crate) fn begin(&mut self, count: usize) -> u32 {
        if self.nodes.len() < count {
            *self = Self::new(count);
        }
        self.heap.clear();
        self.nodes.begin()
    }
}
