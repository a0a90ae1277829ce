//! A table of search nodes that forgets everything in O(1).
//!
//! Each node carries a mark whose upper bits are the number of the query that wrote it; nodes of earlier queries count
//! as unseen. When the numbers run out, the table is cleared once and numbering starts again.

use std::cell::Cell;
use std::ops::{Index, IndexMut};

use crate::planner::size_bytes;

/// Nodes by padded cell id. `FLAG_BITS` low bits of a mark are the node's own; a default node has mark 0.
#[derive(Debug)]
pub(crate) struct Table<T, const FLAG_BITS: u32> {
    nodes: Vec<T>,
    generation: u32,
}

impl<T: Copy + Default, const FLAG_BITS: u32> Table<T, FLAG_BITS> {
    pub(crate) fn new(len: usize) -> Self {
        Self { nodes: vec![T::default(); len], generation: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds `more` nodes, which count as unseen.
    pub(crate) fn extend(&mut self, more: usize) {
        self.nodes.resize(self.nodes.len() + more, T::default());
    }

    /// Begins a query: all nodes count as unseen. Returns the mark of its nodes, flags zero.
    pub(crate) fn begin(&mut self) -> u32 {
        if self.generation == u32::MAX >> FLAG_BITS {
            self.nodes.fill(T::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.generation << FLAG_BITS
    }

    /// The nodes, for a search that shares them with its pruner.
    pub(crate) fn as_cells(&mut self) -> &[Cell<T>] {
        Cell::from_mut(&mut self.nodes[..]).as_slice_of_cells()
    }
}

size_bytes!(for [T, const FLAG_BITS: u32] Table<T, FLAG_BITS>: nodes);

impl<T, const FLAG_BITS: u32> Index<usize> for Table<T, FLAG_BITS> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.nodes[index]
    }
}

impl<T, const FLAG_BITS: u32> IndexMut<usize> for Table<T, FLAG_BITS> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.nodes[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_differ_between_queries_and_survive_running_out() {
        // 29 flag bits leave generations 1 to 7.
        let mut table = Table::<u32, 29>::new(1);
        let mut last = 0;
        for query in 0..20 {
            let mark = table.begin();
            assert_ne!(mark, 0, "a default node must count as unseen");
            assert_ne!(mark, last);
            assert_ne!(table[0] & !((1 << 29) - 1), mark, "query {query} saw a node of an earlier one");
            table[0] = mark | 5;
            last = mark;
        }
    }
}
