//! Working memory of searches over numbered nodes.

use crate::geometry::units::Units;
use crate::search::ds::heap::Heap;
use crate::search::ds::table::Table;
use crate::search::size_bytes;

/// Nodes and the open list of their numbers, in one kind of units.
///
/// Nodes may have numbers as searches know them, or be [sparse](NodeMemory::sparse): then there is memory only for those that
/// were reached, and their neighbours.
#[derive(Debug)]
pub(crate) struct NodeMemory<U: Units, N, const FLAG_BITS: u32> {
    pub(crate) nodes: Table<N, FLAG_BITS>,
    pub(crate) heap: Heap<U::Entry>,
    /// How many bits the number of a node takes in an open-list entry.
    pub(crate) id_bits: u32,
    /// For each page of a sparse memory where its nodes begin, plus one; 0 if it has none yet.
    pages: Vec<u32>,
}

/// How many nodes of a sparse memory have room together.
const PAGE: u32 = 16;

size_bytes!(for [U: Units, N, const FLAG_BITS: u32] NodeMemory<U, N, FLAG_BITS>: nodes, heap, pages);

impl<U: Units, N: Copy + Default, const FLAG_BITS: u32> NodeMemory<U, N, FLAG_BITS> {
    pub(crate) fn new(count: usize) -> Self {
        Self { nodes: Table::new(count), pages: Vec::new(), ..Self::sparse(count) }
    }

    /// With memory for those that have a [place](NodeMemory::place).
    pub(crate) fn sparse(count: usize) -> Self {
        let id_bits = usize::BITS - (count + PAGE as usize).leading_zeros();
        Self { nodes: Table::new(0), heap: Heap::new(), id_bits, pages: vec![0; count / PAGE as usize + 1] }
    }

    /// Begins a query that may need so many nodes, more than before if an edit has made some: all count as unseen. Returns the
    /// mark of its nodes, flags zero.
    pub(crate) fn begin(&mut self, count: usize) -> u32 {
        if self.pages.is_empty() && self.nodes.len() < count {
            *self = Self::new(count);
        }
        self.heap.clear();
        self.nodes.begin()
    }

    /// Where the node of this number is in a sparse memory.
    #[inline]
    pub(crate) fn place(&mut self, number: u32) -> u32 {
        let (page, rest) = (number / PAGE, number % PAGE);
        match self.pages[page as usize] {
            0 => self.add(page) + rest,
            first => first - 1 + rest,
        }
    }

    /// Makes room for a page, and says where.
    #[cold]
    fn add(&mut self, page: u32) -> u32 {
        let first = self.nodes.len() as u32;
        self.nodes.extend(PAGE as usize);
        self.pages[page as usize] = first + 1;
        first
    }
}
