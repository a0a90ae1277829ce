//! Working memory of searches over numbered nodes.

use crate::geometry::units::Units;
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::table::Table;
use crate::planner::size_bytes;

/// Nodes and the open list of their numbers, in one kind of units.
///
/// Nodes may have numbers as searches know them, or be [sparse](NodeMemory::sparse): then there is memory only for
/// those that the query has reached, and their neighbours. Places are given out again for every query, from the first
/// one on: they break ties in the open list, so they must not depend on earlier queries.
#[derive(Debug)]
pub(crate) struct NodeMemory<U: Units, N, const FLAG_BITS: u32> {
    pub(crate) nodes: Table<N, FLAG_BITS>,
    pub(crate) heap: Heap<U::Entry>,
    /// How many bits the number of a node takes in an open-list entry.
    pub(crate) id_bits: u32,
    /// For each page of a sparse memory where its nodes begin, plus one; 0 if this query has not reached it.
    pages: Vec<u32>,
    /// The pages that this query has reached, in the order of their places.
    reached: Vec<u32>,
}

/// How many nodes of a sparse memory have room together.
const PAGE: u32 = 16;

size_bytes!(for [U: Units, N, const FLAG_BITS: u32] NodeMemory<U, N, FLAG_BITS>: nodes, heap, pages, reached);

impl<U: Units, N: Copy + Default, const FLAG_BITS: u32> NodeMemory<U, N, FLAG_BITS> {
    pub(crate) fn new(count: usize) -> Self {
        Self { nodes: Table::new(count), pages: Vec::new(), ..Self::sparse(count) }
    }

    /// With memory for those that have a [place](NodeMemory::place).
    pub(crate) fn sparse(count: usize) -> Self {
        let pages = vec![0; count / PAGE as usize + 1];
        Self { nodes: Table::new(0), heap: Heap::new(), id_bits: id_bits(count), pages, reached: Vec::new() }
    }

    /// Begins a query that may need so many nodes, more than before if an edit has made some: all count as unseen.
    /// Returns the mark of its nodes, flags zero.
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
        let first = self.reached.len() as u32 * PAGE;
        if self.nodes.len() == first as usize {
            self.nodes.extend(PAGE as usize);
        }
        self.reached.push(page);
        self.pages[page as usize] = first + 1;
        first
    }
}

/// How many bits the numbers of so many nodes take, those of the last page of a sparse memory included.
fn id_bits(count: usize) -> u32 {
    usize::BITS - (count + PAGE as usize).leading_zeros()
}
