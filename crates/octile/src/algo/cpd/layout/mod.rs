//! Layouts: how the rows of a database, one for each source, are compressed and looked up.
//!
//! A row is a list of records, each a number of a fixed count of bits: what targets it is for, and a symbol. They
//! differ in what a record is for: a [run](runs) of targets in some order, a [rectangle](rectangles), a
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
    /// Runs of targets, in an order in which neighbours are close on the map.
    #[default]
    Runs,
    /// The paper's rectangles.
    Rectangles,
    /// Squares of a quad-tree, which the paper compares with.
    Quadtree,
    /// A symbol for every target.
    Uncompressed,
}

names! { Layout { Runs = "runs", Rectangles = "rectangles", Quadtree = "quadtree", Uncompressed = "uncompressed" } }

/// How many bits the parts of a record take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    pub(super) targets: u32,
    /// Of a target's place in the order.
    pub(super) rank: u32,
    x: u32,
    y: u32,
}

impl Widths {
    pub(super) fn new(width: u32, height: u32, targets: u32) -> Self {
        Self { targets, rank: bits_below(targets.into()), x: bits_below(width.into()), y: bits_below(height.into()) }
    }

    /// Bits of a record in a layout. At least 8, but for lists whose length is known, so that the bytes of a row tell
    /// how many it has. Records that are too wide to lie anywhere, of maps with very long sides, have 64.
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

/// A target, in the ways that layouts ask for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) cell: Cell,
    pub(super) rank: u32,
    /// The bits of x and y in turn.
    key: u64,
}

impl Target {
    pub(super) fn new(cell: Cell, rank: u32) -> Self {
        Self { cell, rank, key: quadtree::key(cell.x, cell.y) }
    }
}

/// One row of a database, in the making.
pub(super) struct Row<'a> {
    pub(super) source: Cell,
    /// What is right for every cell, row by row.
    pub(super) symbols: &'a [Symbols],
}

/// What is told of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) records: u64,
    /// How many records are looked at to find a target, on average over the targets of a row, in 65,536ths.
    pub(super) checks: u64,
}

impl Counts {
    /// The counts of a row in which targets with so much area need so many checks in sum.
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

/// Compresses rows: one per thread, reused between rows.
pub(super) trait Encoder {
    /// Appends the records of a row.
    fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Counts;
}

/// What encoders of a map have in common.
pub(super) struct Plan<'a> {
    pub(super) grid: &'a Grid,
    pub(super) settings: Settings,
    pub(super) widths: Widths,
    /// The free cells in order, as places in rows of symbols.
    pub(super) order: Vec<u32>,
    areas: Option<rectangles::Areas>,
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

    /// A new encoder.
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

/// A row of a database: its bytes among those of all rows, which some more bytes follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowBytes<'a> {
    pub(super) rows: &'a [u8],
    /// Where it begins and ends.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl RowBytes<'_> {
    /// How many whole records it has.
    #[inline]
    fn records(&self, size: RecordSize) -> usize {
        let bits = self.end.saturating_sub(self.start) as u64 * 8;
        (bits.wrapping_mul(size.inverse) >> RecordSize::INVERSE_BITS) as usize
    }

    /// A record.
    #[inline]
    fn record(&self, index: usize, bits: u32) -> Option<u64> {
        bits::read(self.rows, self.start as u64 * 8 + index as u64 * u64::from(bits), bits)
    }

    /// The symbol of the last record whose place is not behind `place`: records of a place and a symbol, in order.
    #[inline]
    fn last_up_to(&self, place: u64, size: RecordSize) -> Option<u8> {
        let bits = size.bits;
        let key = place << SYMBOL_BITS | ((1 << SYMBOL_BITS) - 1);
        let (mut first, mut len) = (0, self.records(size));
        let mut record = self.record(0, bits)?;
        while len > 1 {
            let half = len / 2;
            let middle = self.record(first + half, bits)?;
            // Without a branch: it would be guessed wrong half of the time.
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

/// How many records a search by halves looks at.
fn halvings(records: usize) -> u64 {
    u64::from(usize::BITS - records.saturating_sub(1).leading_zeros()).max(1)
}

/// The bits of a record, in a way that saves every lookup a division by them.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordSize {
    bits: u32,
    /// `2^INVERSE_BITS / bits`, rounded up: right for rows of up to 8 MB, of more than a million records.
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

    /// The symbol for a target, which may be any number below 16 if the bytes are not those of a database; `None` if
    /// they cannot be.
    #[inline]
    pub(super) fn symbol(self, row: RowBytes, target: &Target) -> Option<u8> {
        match self {
            Self::Runs(lookup) => lookup.symbol(row, target.rank),
            Self::Squares(size) => row.last_up_to(target.key, size),
            Self::Rectangles(lookup) => lookup.symbol(row, target.cell),
            Self::Symbols => row.record(target.rank as usize, SYMBOL_BITS).map(|symbol| symbol as u8),
        }
    }

    /// The rectangles of a row, if that is what records are for.
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

    /// On every map that there can be, records can be read where they lie, and rows tell how many they have.
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
