//! Rows that several neighbouring sources share.
//!
//! The first moves from a cell and from its neighbour are often the same: two rows are *compatible* if for every target
//! some symbol is valid in both. The symbol for the suggested move helps, as it stands for another move at another
//! source, and so do cells that are never looked up. Compatible rows are stored once, with the symbols that are valid
//! in all of them.
//!
//! Sources are numbered row by row, and taken in blocks of [`BLOCK`]. In a block, each source joins the row of the
//! source before it if it is compatible with all that share that row, and else begins a row. So a row depends on the
//! map and on its block alone, and not on the part of the database that is built. In the file, the row of a source that
//! has joined is empty: the last row before it that is not empty is its own.

use super::build::{BuiltRow, Worker};
use super::layout::Counts;
use super::symbols::Symbols;
use crate::geometry::{Cell, CellId};

/// The sources that may share a row are in blocks of this many.
pub(super) const BLOCK: usize = 32;

/// Builds rows block by block. One per thread.
pub(super) struct SharingWorker<'a> {
    worker: Worker<'a>,
    /// All sources of the map.
    sources: &'a [CellId],
    /// The rows of the last block, and its number.
    block: Option<(usize, Vec<BuiltRow>)>,
    /// The source that began the current row, the symbols valid for all that share it, and their number.
    leader: Cell,
    common: Vec<Symbols>,
    sharers: usize,
}

impl<'a> SharingWorker<'a> {
    pub(super) fn new(worker: Worker<'a>, sources: &'a [CellId]) -> Self {
        Self { worker, sources, block: None, leader: Cell::new(0, 0), common: Vec::new(), sharers: 0 }
    }

    pub(super) fn row(&mut self, source: CellId) -> BuiltRow {
        let number = self.sources.partition_point(|other| other.0 < source.0);
        let (block, nth) = (number / BLOCK, number % BLOCK);
        if self.block.as_ref().is_none_or(|(last, _)| *last != block) {
            self.block = Some((block, self.rows(block)));
        }
        self.block.as_mut().map(|(_, rows)| std::mem::take(&mut rows[nth])).unwrap_or_default()
    }

    /// The rows of a block. All that share a row count its checks; the first of them has its bytes and records.
    fn rows(&mut self, block: usize) -> Vec<BuiltRow> {
        let sources = self.sources.chunks(BLOCK).nth(block).unwrap_or_default();
        let mut rows = Vec::with_capacity(sources.len());
        for &source in sources {
            let (cell, symbols) = self.worker.symbols(source);
            let fits = self.sharers > 0 && self.common.iter().zip(symbols).all(|(one, other)| one & other != 0);
            if fits {
                self.common.iter_mut().zip(symbols).for_each(|(one, other)| *one &= other);
            } else {
                let symbols = symbols.to_vec();
                self.end_row(&mut rows);
                (self.leader, self.common) = (cell, symbols);
            }
            self.sharers += 1;
        }
        self.end_row(&mut rows);
        rows
    }

    /// Encodes the current row, if there is one.
    fn end_row(&mut self, rows: &mut Vec<BuiltRow>) {
        let Some(others) = self.sharers.checked_sub(1) else { return };
        let (bytes, counts) = self.worker.encode(self.leader, &self.common, others > 0);
        rows.push((bytes, counts));
        rows.extend((0..others).map(|_| (Vec::new(), Counts { records: 0, ..counts })));
        self.sharers = 0;
    }
}
