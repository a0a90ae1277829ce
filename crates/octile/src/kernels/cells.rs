//! Working memory of searches over cells, in 32-bit costs and, for the rare query that needs them, in 64-bit ones.

use crate::geometry::CellId;
use crate::geometry::units::{Mid, Narrow, Units, Wide, Width};
use crate::grid::Grid;
use crate::kernels::ds::buckets::Buckets;
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::table::Table;
use crate::kernels::pause::Pause;
use crate::kernels::widths::{Overflow, Widths};
use crate::planner::size_bytes;

/// Flag bits of a node's mark: three for the direction it was reached in, one for closed.
pub(crate) const FLAG_BITS: u32 = 4;

/// The flag of a node that has been expanded.
pub(crate) const CLOSED: u32 = 8;

/// The bits of a mark that hold the direction in which the node was reached.
pub(crate) const DIR: u32 = 7;

/// What a search remembers of a cell.
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
}

/// Nodes and open lists in one kind of units.
#[derive(Debug)]
pub(crate) struct Memory<U: Units> {
    pub(crate) nodes: Table<Node<U::Cost>, FLAG_BITS>,
    pub(crate) heap: Heap<U::Entry>,
    pub(crate) buckets: Buckets<U>,
    /// How many bits an id takes in an open-list entry.
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

/// Working memory of a search over cells: one per thread, reused between queries.
#[derive(Debug)]
pub(crate) struct CellScratch {
    widths: Widths<Memory<Narrow>, Memory<Wide>>,
    /// Once a query over terrain has needed it.
    mid: Option<Box<Memory<Mid>>>,
    pub(crate) pause: Pause<PausedCells>,
}

/// How a search over cells was stopped: the nodes that it has reached have this mark, and the best goal so far, if
/// goals may come in any order, costs so much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PausedCells {
    pub(crate) mark: u32,
    pub(crate) best: (CellId, u64),
    pub(crate) width: Width,
}

size_bytes!(CellScratch: widths, mid);

impl CellScratch {
    pub(crate) fn new(grid: &Grid) -> Self {
        Self { widths: Widths::new(Memory::new(grid)), mid: None, pause: Pause::default() }
    }

    /// Lets the next search go on where the last one was stopped.
    pub(crate) fn go_on(&mut self) {
        self.pause.go_on();
    }

    /// As [`Widths::run`].
    pub(crate) fn run<S>(
        &mut self,
        grid: &Grid,
        farthest: u64,
        search: &mut S,
        in_32_bits: impl FnOnce(&mut S, &mut Memory<Narrow>) -> Result<bool, Overflow>,
        in_64_bits: impl FnOnce(&mut S, &mut Memory<Wide>) -> Result<bool, Overflow>,
    ) -> bool {
        self.widths.run(farthest, search, in_32_bits, |_| Memory::new(grid), in_64_bits)
    }

    /// Runs a search over terrain in the first units that do, from `least` on: so that no sum wraps around before the
    /// search notices that it passed the limit, when it goes on to the next. `farthest` is the most that one step can
    /// add to a cost below the limit, its estimate included, in straight moves of price 1.
    ///
    /// # Errors
    /// If none of them do.
    pub(crate) fn run_over_terrain(
        &mut self,
        grid: &Grid,
        (least, farthest): (Width, u64),
        search: &mut impl AnyWidth,
    ) -> Result<bool, Overflow> {
        let fits_narrow = u64::from(Narrow::LIMIT) + farthest * u64::from(Narrow::STRAIGHT) < u64::from(u32::MAX);
        if least <= Width::Narrow
            && fits_narrow
            && let Ok(found) = search.run(&mut self.widths.narrow)
        {
            return Ok(found);
        }
        let fits_mid = Mid::LIMIT + farthest * Mid::STRAIGHT < Mid::END && grid.padded_cells() < 1 << Mid::ID_BITS;
        if least <= Width::Mid && fits_mid {
            let mid = self.mid.get_or_insert_with(|| Box::new(Memory::new(grid)));
            if let Ok(found) = search.run(mid) {
                return Ok(found);
            }
        }
        search.run_wide(self.widths.wide_or(|| Memory::new(grid)))
    }

    /// Whether some query needed 64-bit costs.
    #[cfg(test)]
    pub(crate) fn went_wide(&self) -> bool {
        self.widths.went_wide()
    }
}

/// A search that can be run in units of every width.
pub(crate) trait AnyWidth {
    /// Runs it in units that most queries need.
    ///
    /// # Errors
    /// If a cost comes near the limit of exactness.
    fn run<U: Units<Entry = u64>>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow>;

    /// Runs it in the widest.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    fn run_wide(&mut self, memory: &mut Memory<Wide>) -> Result<bool, Overflow>;
}
