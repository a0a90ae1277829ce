//! Layouts: how the rows of a database, one per source, are compressed and looked up.
//!
//! A row is a list of records with a fixed number of bits each. A record describes a set of targets and holds a symbol
//! for them. Layouts differ in the set of targets: a [run](runs) in some order, a [rectangle](rectangles), a
//! [square](quadtree) of a quad-tree, or a [single target](uncompressed).

pub(super) mod quadtree;
pub(super) mod rectangles;
pub(super) mod runs;
pub(super) mod uncompressed;

use super::Settings;
use super::bits::{self, bits_below};
use super::symbols::{SYMBOL_BITS, Symbols};
use crate::geometry::{Cell, CellId};
use crate::grid::Grid;
use crate::planner::names;

/// How the rows of a database are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Runs of targets, in an order that keeps neighbours on the map close together.
    #[default]
    Runs,
    /// The paper's rectangles.
    Rectangles,
    /// Squares of a quad-tree, which the paper compares with its rectangles.
    Quadtree,
    /// One symbol per target.
    Uncompressed,
}

names! { Layout { Runs = "runs", Rectangles = "rectangles", Quadtree = "quadtree", Uncompressed = "uncompressed" } }

/// The widths in bits of the fields of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    pub(super) targets: u32,
    /// The width of a target's rank in the order.
    pub(super) rank: u32,
    x: u32,
    y: u32,
}

impl Widths {
    pub(super) fn new(width: u32, height: u32, targets: u32) -> Self {
        Self { targets, rank: bits_below(targets.into()), x: bits_below(width.into()), y: bits_below(height.into()) }
    }

    /// Bits per record in a layout. At least 8 except for lists of known length, so that the size of a row determines
    /// its number of records. Records too wide to start at any bit, on maps with very long sides, have 64.
    pub(super) fn record(&self, layout: Layout) -> u32 {
        let place = match layout {
            Layout::Runs => u16::BITS,
            Layout::Rectangles => 2 * (self.x + self.y),
            Layout::Quadtree => 2 * self.x.max(self.y),
            Layout::Uncompressed => return SYMBOL_BITS,
        };
        let bits = (place + SYMBOL_BITS).max(8);
        if bits > bits::MAX_BITS { u64::BITS } else { bits }
    }
}

/// A target, in the forms that the layouts look up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) cell: Cell,
    pub(super) rank: u32,
    /// The interleaved bits of x and y.
    key: u64,
}

impl Target {
    pub(super) fn new(cell: Cell, rank: u32) -> Self {
        Self { cell, rank, key: quadtree::key(cell.x, cell.y) }
    }
}

/// One row of a database while it is built.
pub(super) struct Row<'a> {
    pub(super) source: Cell,
    /// The valid symbols of every cell, row by row.
    pub(super) symbols: &'a [Symbols],
    /// Whether other sources share the row, which are then targets at the source's own cell.
    pub(super) is_shared: bool,
}

/// Statistics of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) records: u64,
    /// The average number of records examined to find a target of a row, in 65,536ths.
    pub(super) checks: u64,
}

impl Counts {
    /// The counts of a row whose targets, `area` in number, need `checks` checks in total.
    fn of_row(records: u64, checks: u64, area: u64) -> Self {
        Self { records, checks: (checks << 16).checked_div(area).unwrap_or_default() }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.checks += other.checks;
    }
}

/// Compresses rows. One per thread, reused between rows.
pub(super) trait Encoder {
    /// Appends the records of a row.
    fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Counts;
}

/// Data shared by the encoders of a map.
pub(super) struct Plan<'a> {
    pub(super) grid: &'a Grid,
    pub(super) settings: Settings,
    pub(super) widths: Widths,
    /// The free cells in target order, as indices into rows of symbols.
    pub(super) order: Vec<u32>,
    pub(super) areas: Option<rectangles::Areas>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(grid: &'a Grid, settings: Settings, cells: &[CellId]) -> Self {
        let place = |&id: &CellId| {
            let Cell { x, y } = grid.cell(id);
            y * grid.width() + x
        };
        Self {
            grid,
            settings,
            widths: Widths::new(grid.width(), grid.height(), grid.free_cells()),
            order: cells.iter().map(place).collect(),
            areas: (settings.layout == Layout::Rectangles).then(|| rectangles::Areas::new(grid)),
        }
    }

    /// Creates an encoder.
    pub(super) fn encoder(&'a self) -> Box<dyn Encoder + Send + 'a> {
        let bits = self.widths.record(self.settings.layout);
        match (self.settings.layout, &self.areas) {
            (Layout::Runs, _) => Box::new(runs::RunEncoder::new(&self.order)),
            (Layout::Uncompressed, _) => Box::new(uncompressed::SymbolEncoder { order: &self.order }),
            (Layout::Quadtree, _) => Box::new(quadtree::SquareEncoder::new(self.grid, bits)),
            (Layout::Rectangles, Some(areas)) => {
                Box::new(rectangles::RectangleEncoder::new(areas, self.widths, bits, self.settings.default_move))
            }
            (Layout::Rectangles, None) => unreachable!("rectangles have areas"),
        }
    }
}

/// A row of a database: a range of the bytes of all rows, which are followed by some more bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowBytes<'a> {
    pub(super) rows: &'a [u8],
    /// The start and end of the row.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl RowBytes<'_> {
    /// The number of whole records.
    #[inline]
    fn records(&self, size: RecordSize) -> usize {
        let bits = self.end.saturating_sub(self.start) as u64 * 8;
        (bits.wrapping_mul(size.inverse) >> RecordSize::INVERSE_BITS) as usize
    }

    /// The record at an index.
    #[inline]
    fn record(&self, index: usize, bits: u32) -> Option<u64> {
        bits::read(self.rows, self.start as u64 * 8 + index as u64 * u64::from(bits), bits)
    }

    /// The symbol of the last record whose position is not after `place`. Records are a position and a symbol, in
    /// order.
    #[inline]
    fn last_up_to(&self, place: u64, size: RecordSize) -> Option<u8> {
        let bits = size.bits;
        let key = place << SYMBOL_BITS | ((1 << SYMBOL_BITS) - 1);
        let (mut first, mut len) = (0, self.records(size));
        let mut record = self.record(0, bits)?;
        while len > 1 {
            let half = len / 2;
            let middle = self.record(first + half, bits)?;
            // Branch-free: a branch would be mispredicted half of the time.
            let is_later = middle > key;
            first += if is_later { 0 } else { half };
            record = if is_later { record } else { middle };
            len -= half;
        }
        Some(symbol_of(record))
    }
}

/// The symbol of a record.
#[inline]
fn symbol_of(record: u64) -> u8 {
    (record & ((1 << SYMBOL_BITS) - 1)) as u8
}

/// The number of records a binary search examines.
fn halvings(records: usize) -> u64 {
    u64::from(usize::BITS - records.saturating_sub(1).leading_zeros()).max(1)
}

/// The bits of a record, in a form that saves every lookup a division.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordSize {
    bits: u32,
    /// `2^INVERSE_BITS / bits`, rounded up: correct for rows of up to 8 MB, that is, more than a million records.
    inverse: u64,
}

impl RecordSize {
    const INVERSE_BITS: u32 = 32;

    fn new(bits: u32) -> Self {
        Self { bits, inverse: (1_u64 << Self::INVERSE_BITS).div_ceil(bits.into()) }
    }
}

/// Looks up targets in the rows of a database.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lookup {
    Runs(runs::RunLookup),
    Squares(RecordSize),
    Rectangles(rectangles::RectangleLookup),
    Symbols,
}

impl Lookup {
    pub(super) fn new(layout: Layout, widths: Widths) -> Self {
        let size = RecordSize::new(widths.record(layout));
        match layout {
            Layout::Runs => Self::Runs(runs::RunLookup::new(widths.targets)),
            Layout::Quadtree => Self::Squares(size),
            Layout::Rectangles => Self::Rectangles(rectangles::RectangleLookup::new(widths, size)),
            Layout::Uncompressed => Self::Symbols,
        }
    }

    /// The symbol for a target. It may be any number below 16 if the bytes are not those of a database; `None` if they
    /// are invalid.
    #[inline]
    pub(super) fn symbol(self, row: RowBytes, target: &Target) -> Option<u8> {
        match self {
            Self::Runs(lookup) => lookup.symbol(row, target.rank),
            Self::Squares(size) => row.last_up_to(target.key, size),
            Self::Rectangles(lookup) => lookup.symbol(row, target.cell),
            Self::Symbols => row.record(target.rank as usize, SYMBOL_BITS).map(|symbol| symbol as u8),
        }
    }

    /// The rectangles of a row, if the layout has rectangles.
    pub(super) fn rectangles(self, row: RowBytes) -> Option<Vec<(Cell, Cell)>> {
        match self {
            Self::Rectangles(lookup) => Some(lookup.places(row)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{MAX_CELLS, MAX_SIDE};

    /// On every possible map, records can be read at any bit, and the size of a row determines its number of records.
    #[test]
    fn records_fit_their_bits() {
        for width_bits in 0..16 {
            let width = MAX_SIDE.min(2 << width_bits);
            let height = MAX_SIDE.min((MAX_CELLS / u64::from(width)) as u32);
            let widths = Widths::new(width, height, u32::MAX);
            for layout in Layout::ALL {
                let bits = widths.record(layout);
                assert!(bits <= bits::MAX_BITS || bits == u64::BITS, "{width} x {height}, {layout}: {bits}");
                let place = if layout == Layout::Rectangles { 2 * (widths.x + widths.y) } else { 0 };
                assert!(place + SYMBOL_BITS <= bits);
            }
        }
        for bits in 8..=64 {
            for records in [0, 1, 2, 7, 100, 65_537, 1_000_000] {
                let end = (records * bits as usize).div_ceil(8);
                assert_eq!(RowBytes { rows: &[], start: 3, end: end + 3 }.records(RecordSize::new(bits)), records);
            }
        }
    }
}
