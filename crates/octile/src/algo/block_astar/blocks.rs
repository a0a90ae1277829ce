//! The map divided into blocks: the pattern of each, its table, and the lanes where a search can leave it.

use std::sync::Arc;

use super::lddb::{Distances, Lddb};
use super::points::{Border, Edges, Layout};
use super::size::BlockSize;
use super::squeeze;
use super::tables::{Table, Tables};
use crate::geometry::Cell;
use crate::grid::bits::BitLines;
use crate::grid::{Edits, Grid};

/// The blocks of a map, surrounded by one ring of blocked ones. Cells of a block beyond the map are blocked.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub(super) size: BlockSize,
    /// The number of blocks in a row, including the ring.
    pub(super) stride: usize,
    rows: usize,
    distances: Distances,
    /// The number of each block's table; none in the ring and for blocks without a free cell.
    pub(super) ids: Vec<u32>,
    pub(super) borders: Vec<Border>,
    tables: Tables,
}

/// The number of a missing table.
const NONE: u32 = u32::MAX;

impl Blocks {
    pub(super) fn new<P: Layout>(
        grid: &Grid,
        size: BlockSize,
        distances: Distances,
        database: Option<Arc<Lddb>>,
    ) -> Self {
        let stride = (grid.width() as usize).div_ceil(size.width()) + 2;
        let rows = (grid.height() as usize).div_ceil(size.height()) + 2;
        let mut blocks = Self {
            size,
            stride,
            rows,
            distances,
            ids: vec![NONE; stride * rows],
            borders: vec![Border::default(); stride * rows],
            tables: Tables::new(size, distances, database),
        };
        for (x, y) in (1..rows - 1).flat_map(|y| (1..stride - 1).map(move |x| (x, y))) {
            blocks.read_pattern(grid, x, y);
            blocks.read_border::<P>(grid, x, y);
        }
        blocks
    }

    /// The number of blocks, including the ring.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The block of a cell, and the cell's position in it.
    #[inline]
    pub(super) fn of(&self, cell: Cell) -> (usize, (usize, usize)) {
        let (x, y, width, height) = (cell.x as usize, cell.y as usize, self.size.width(), self.size.height());
        ((y / height + 1) * self.stride + x / width + 1, (x % width, y % height))
    }

    /// The position of a block: its upper left cell, moved by one block so that the ring counts too.
    #[inline(always)]
    pub(super) fn origin(&self, block: usize) -> (usize, usize) {
        (block % self.stride * self.size.width(), block / self.stride * self.size.height())
    }

    /// The distances in a block that has a free cell.
    #[inline(always)]
    pub(super) fn table<P: Layout>(&self, block: usize) -> &Table {
        self.tables.get::<P>(self.ids[block])
    }

    /// Whether a block has a free cell.
    pub(super) fn is_open(&self, block: usize) -> bool {
        self.ids[block] != NONE
    }

    /// Updates the blocks that edits affect; the map has changed already.
    pub(super) fn follow<P: Layout>(&mut self, grid: &Grid, edits: &Edits) {
        let (width, height) = (self.size.width(), self.size.height());
        for (cell, _) in edits.iter() {
            let (x, y) = (cell.x as usize / width + 1, cell.y as usize / height + 1);
            self.read_pattern(grid, x, y);
            // The border of a block also depends on the cells around it.
            let around = |at: u32, side: usize| (at as usize).div_ceil(side)..=(at as usize + 1 + side) / side;
            let (columns, rows) = (around(cell.x, width), around(cell.y, height));
            for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
                if (1..self.stride - 1).contains(&x) && (1..self.rows - 1).contains(&y) {
                    self.read_border::<P>(grid, x, y);
                }
            }
        }
        if self.tables.is_cluttered(self.ids.len()) {
            self.tables.compact(&mut self.ids);
        }
    }

    fn read_pattern(&mut self, grid: &Grid, x: usize, y: usize) {
        let (width, height) = (self.size.width(), self.size.height());
        let mut free = 0;
        for row in 0..height {
            let line = (y - 1) * height + row + 1;
            free |= bits(grid.rows(), grid.height(), line, (x - 1) * width + 1, width) << (row * width);
        }
        let at = y * self.stride + x;
        let id = if free == 0 { NONE } else { self.tables.take(!free & self.size.whole()) };
        let before = std::mem::replace(&mut self.ids[at], id);
        if before != NONE {
            self.tables.release(before);
        }
    }

    fn read_border<P: Layout>(&mut self, grid: &Grid, x: usize, y: usize) {
        let (width, height) = (self.size.width(), self.size.height());
        let (left, top) = ((x - 1) * width, (y - 1) * height);
        let row = |line: usize| bits(grid.rows(), grid.height(), line, left, width + 2);
        let column = |line: usize| bits(grid.columns(), grid.width(), line, top, height + 2);
        let edges = Edges {
            inside: [row(top + 1), row(top + height), column(left + 1), column(left + width)],
            outside: [row(top), row(top + height + 1), column(left), column(left + width + 1)],
        };
        let diagonal = self.distances != Distances::Tile;
        self.borders[y * self.stride + x] = P::border(self.size, &edges, squeeze(self.distances), diagonal);
    }

    /// The number of patterns with a slot for a table.
    #[cfg(test)]
    pub(super) fn patterns(&self) -> usize {
        self.tables.len()
    }

    /// Memory in bytes.
    pub(super) fn size_bytes(&self) -> usize {
        self.len() * (size_of::<u32>() + size_of::<Border>()) + self.tables.size_bytes()
    }
}

/// Free cells of a padded line as bits, starting at a padded position. There are none beyond the map.
fn bits(lines: &BitLines, last: u32, line: usize, position: usize, count: usize) -> u64 {
    if line > last as usize || line == 0 { 0 } else { lines.window(line, position) & ((1 << count) - 1) }
}
