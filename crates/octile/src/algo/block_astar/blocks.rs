//! The map divided into blocks: the pattern of each, its table, and the lanes where a search can leave it.

use super::lanes::Side;
use super::lddb::Distances;
use super::points::{Border, Edges, Layout};
use super::squeeze;
use super::tables::{Source, Table, Tables};
use crate::geometry::Cell;
use crate::grid::bits::BitLines;
use crate::grid::{Edits, Grid};

/// The blocks of a map, surrounded by one ring of blocked ones. Cells of a block beyond the map are blocked.
#[derive(Clone, Debug)]
pub(super) struct Blocks<const S: usize> {
    pub(super) side: Side<S>,
    /// The number of blocks in a row, including the ring.
    pub(super) stride: usize,
    rows: usize,
    distances: Distances,
    /// The number of each block's table; none in the ring and for blocks without a free cell.
    pub(super) ids: Vec<u32>,
    pub(super) borders: Vec<Border>,
    tables: Tables<S>,
}

/// The number of a missing table.
const NONE: u32 = u32::MAX;

impl<const S: usize> Blocks<S> {
    pub(super) fn new<P: Layout>(grid: &Grid, side: Side<S>, distances: Distances, source: Source) -> Self {
        let cells = side.cells();
        let (stride, rows) = (grid.width() as usize, grid.height() as usize);
        let (stride, rows) = (stride.div_ceil(cells) + 2, rows.div_ceil(cells) + 2);
        let mut blocks = Self {
            side,
            stride,
            rows,
            distances,
            ids: vec![NONE; stride * rows],
            borders: vec![Border::default(); stride * rows],
            tables: Tables::new(side, distances, source),
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
        let (x, y, cells) = (cell.x as usize, cell.y as usize, self.side.cells());
        ((y / cells + 1) * self.stride + x / cells + 1, (x % cells, y % cells))
    }

    /// The position of a block: its upper left cell, moved by one block so that the ring counts too.
    #[inline(always)]
    pub(super) fn origin(&self, block: usize) -> (usize, usize) {
        (block % self.stride * self.side.cells(), block / self.stride * self.side.cells())
    }

    /// The distances in a block that has a free cell.
    #[inline(always)]
    pub(super) fn table<P: Layout>(&self, block: usize) -> &Table<S> {
        self.tables.get::<P>(self.ids[block])
    }

    /// Whether a block has a free cell.
    pub(super) fn is_open(&self, block: usize) -> bool {
        self.ids[block] != NONE
    }

    /// Updates the blocks that edits affect; the map has changed already.
    pub(super) fn follow<P: Layout>(&mut self, grid: &Grid, edits: &Edits) {
        let cells = self.side.cells();
        for (cell, _) in edits.iter() {
            let (x, y) = (cell.x as usize / cells + 1, cell.y as usize / cells + 1);
            self.read_pattern(grid, x, y);
            // The border of a block also depends on the cells around it.
            let around = |at: u32| (at as usize).div_ceil(cells)..=(at as usize + 1 + cells) / cells;
            let (columns, rows) = (around(cell.x), around(cell.y));
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
        let cells = self.side.cells();
        let mut free = 0;
        for row in 0..cells {
            let line = (y - 1) * cells + row + 1;
            free |= bits(grid.rows(), grid.height(), line, (x - 1) * cells + 1, cells) << (row * cells);
        }
        let at = y * self.stride + x;
        let whole = u64::MAX >> (64 - cells * cells);
        let id = if free == 0 { NONE } else { self.tables.take(!free & whole) };
        let before = std::mem::replace(&mut self.ids[at], id);
        if before != NONE {
            self.tables.release(before);
        }
    }

    fn read_border<P: Layout>(&mut self, grid: &Grid, x: usize, y: usize) {
        let cells = self.side.cells();
        let (left, top) = ((x - 1) * cells, (y - 1) * cells);
        let row = |line: usize| bits(grid.rows(), grid.height(), line, left, cells + 2);
        let column = |line: usize| bits(grid.columns(), grid.width(), line, top, cells + 2);
        let edges = Edges {
            inside: [row(top + 1), row(top + cells), column(left + 1), column(left + cells)],
            outside: [row(top), row(top + cells + 1), column(left), column(left + cells + 1)],
        };
        let diagonal = self.distances != Distances::Tile;
        self.borders[y * self.stride + x] = P::border(cells, &edges, squeeze(self.distances), diagonal);
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
