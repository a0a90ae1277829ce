//! Scratch memory of searches over numbered nodes.

use crate::geometry::units::Units;
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::table::Table;
use crate::planner::size_bytes;

/// Nodes and the open list of their numbers, in one kind of units.
///
/// Nodes are stored under the numbers that searches use, or they are [sparse](NodeMemory::sparse): then there is memory
/// only for the nodes that the query has reached, and for their neighbours. Every query assigns indices again, starting
/// from the first: indices break ties in the open list, so they must not depend on earlier queries.
#[derive(Debug)]
pub(crate) struct NodeMemory<U: Units, N, const FLAG_BITS: u32> {
    pub(crate) nodes: Table<N, FLAG_BITS>,
    pub(crate) heap: Heap<U::Entry>,
    /// The number of bits of a node number in an open-list entry.
    pub(crate) id_bits: u32,
    /// For each page of a sparse memory, the index of its first node plus one; 0 if this query has not reached it.
    pages: Vec<u32>,
    /// The pages that this query has reached, in the order of their indices.
    reached: Vec<u32>,
}

/// The number of nodes in a page of a sparse memory.
const PAGE: u32 = 16;

size_bytes!(for [U: Units, N, const FLAG_BITS: u32] NodeMemory<U, N, FLAG_BITS>: nodes, heap, pages, reached);

impl<U: Units, N: Copy + Default, const FLAG_BITS: u32> NodeMemory<U, N, FLAG_BITS> {
    pub(crate) fn new(count: usize) -> Self {
        Self { nodes: Table::new(count), pages: Vec::new(), ..Self::sparse(count) }
    }

    /// With memory only for nodes that have a [place](NodeMemory::place).
    pub(crate) fn sparse(count: usize) -> Self {
        let pages = vec![0; count / PAGE as usize + 1];
        Self { nodes: Table::new(0), heap: Heap::new(), id_bits: id_bits(count), pages, reached: Vec::new() }
    }

    /// Begins a query that may need `count` nodes, which may be more than before if an edit has added some: all count
    /// as unseen. Returns the mark of its nodes, with flags zero.
    pub(crate) fn begin(&mut self, count: usize) -> u32 {
        if self.pages.is_empty() {
            if self.nodes.len() < count {
                *self = Self::new(count);
            }
            // The bits that ids leave free break ties: an older memory with more nodes must not leave fewer.
            self.id_bits = id_bits(count);
        }
        for page in self.reached.drain(..) {
            self.pages[page as usize] = 0;
        }
        self.heap.clear();
        self.nodes.begin()
    }

    /// The index of the node with this number in a sparse memory.
    #[inline]
    pub(crate) fn place(&mut self, number: u32) -> u32 {
        let (page, rest) = (number / PAGE, number % PAGE);
        match self.pages[page as usize] {
            0 => self.add(page) + rest,
            first => first - 1 + rest,
        }
    }

    /// Makes room for a page, and returns its index.
    #[cold]
    fn add(&mut self, page: u32) -> u32 {
        let first = self.reached.len() as u32 * PAGE;
        if self.nodes.len() == first as usize {
            self.nodes.extend(PAGE as usize);
        }
        self.reached.push(page);
        self.pages[page as usize] = first + 1;
        first
    }
}

/// The number of bits for the numbers of this many nodes, including those of the last page of a sparse memory.
fn id_bits(count: usize) -> u32 {
    usize::BITS - (count + PAGE as usize).leading_zeros()
}
