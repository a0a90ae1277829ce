//! Working memory of searches over cells, in 32-bit costs and, for the rare query that needs them, in 64-bit ones.

use crate::Grid;
use crate::ds::buckets::Buckets;
use crate::ds::heap::Heap;
use crate::ds::table::Table;
use crate::units::{Narrow, Units, Wide};

/// Flag bits of a node's mark: three for the direction it was reached in, one for closed.
const FLAG_BITS: u32 = 4;

/// The flag of a node that has been expanded.
pub(super) const CLOSED: u32 = 8;

/// The bits of a mark that hold the direction in which the node was reached.
pub(super) const DIR: u32 = 7;

/// What a search remembers of a cell. `X` is what it needs besides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node<C, X> {
    pub(super) g: C,
    /// The number of the query, and the flags.
    pub(super) mark: u32,
    pub(super) extra: X,
}

impl<C, X> Node<C, X> {
    /// Whether the query with this mark has reached the node.
    #[inline]
    pub(super) fn is_seen(&self, mark: u32) -> bool {
        self.mark & !(CLOSED | DIR) == mark
    }
}

/// Nodes and open lists in one kind of units.
#[derive(Debug)]
pub(crate) struct Memory<U: Units, X> {
    pub(super) nodes: Table<Node<U::Cost, X>, FLAG_BITS>,
    pub(super) heap: Heap<U::Entry>,
    pub(super) buckets: Buckets<U>,
    stride: u32,
    /// How many bits an id takes in an open-list entry.
    pub(super) id_bits: u32,
}

impl<U: Units, X: Copy + Default> Memory<U, X> {
    pub(super) fn new(grid: &Grid) -> Self {
        Self {
            nodes: Table::new(grid.padded_cells()),
            heap: Heap::new(),
            buckets: Buckets::new(),
            stride: grid.stride(),
            id_bits: usize::BITS - grid.padded_cells().leading_zeros(),
        }
    }
}

/// Working memory of a search over cells: one per thread, reused between queries.
#[derive(Debug)]
pub struct SearchScratch<X = ()> {
    narrow: Memory<Narrow, X>,
    /// Made when a query first needs it.
    wide: Option<Box<Memory<Wide, X>>>,
}

/// A 32-bit search came near the limit of exactness and must be run in 64 bits.
#[derive(Debug)]
pub(super) struct Overflow;

/// A search that can be run in any units.
pub(super) trait ExactSearch<X> {
    /// Runs it, and returns whether there is a path.
    fn run<U: Units>(&mut self, memory: &mut Memory<U, X>) -> Result<bool, Overflow>;
}

impl<X: Copy + Default> SearchScratch<X> {
    pub(super) fn new(grid: &Grid) -> Self {
        Self { narrow: Memory::new(grid), wide: None }
    }

    /// Whether it was made for a map of this shape.
    pub(super) fn fits(&self, grid: &Grid) -> bool {
        self.narrow.stride == grid.stride() && self.narrow.nodes.len() == grid.padded_cells()
    }

    /// Runs a search in 32-bit costs if no sum can overflow before the search notices that it passed
    /// [`Units::LIMIT`], and in 64-bit ones if it does pass it. `farthest` is the most that one step can add to a cost
    /// below the limit, its estimate included, in [`Narrow`] units.
    pub(super) fn run(&mut self, grid: &Grid, farthest: u64, search: &mut impl ExactSearch<X>) -> bool {
        if u64::from(Narrow::LIMIT) + farthest < u64::from(u32::MAX)
            && let Ok(found) = search.run(&mut self.narrow)
        {
            return found;
        }
        let wide = self.wide.get_or_insert_with(|| Box::new(Memory::new(grid)));
        search.run(wide).unwrap_or_else(|Overflow| unreachable!("64-bit costs hold every path of the largest map"))
    }

    /// Whether some query needed 64-bit costs.
    #[cfg(test)]
    pub(super) fn went_wide(&self) -> bool {
        self.wide.is_some()
    }
}
