//! How a search asks the BA-tree: about squares of 16 x 16 cells.
//!
//! A descent of the tree takes longer than the expansion of a cell. But a search that asks about one cell sooner or
//! later asks about most cells in its neighbourhood. So the first question about a square makes it ask the tree about
//! all cells of the square, and the query keeps the answer: two bytes for each row of a square.

use std::cell::Cell as Slot;

use super::BaTree;
use super::area::{Area, SQUARE};
use crate::geometry::{Cell, CellId, DirSet};
use crate::grid::Grid;
use crate::kernels::ds::table::Table;
use crate::kernels::prune::{Move, Moves, Pruner};
use crate::planner::size_bytes;

/// What the tree has told the current query. Empty unless there is a tree.
#[derive(Debug)]
pub(crate) struct AreaMemory {
    /// For each square of the map, the mark of the last query that asked about it.
    asked: Table<u32, 0>,
    /// The cells of the squares that this query may not enter, row by row: a bit for each cell.
    closed: Vec<u16>,
}

size_bytes!(AreaMemory: asked, closed);

impl AreaMemory {
    pub(crate) fn new() -> Self {
        Self { asked: Table::new(0), closed: Vec::new() }
    }

    /// Begins a query that may enter the areas of its ends, if any.
    pub(super) fn query<'a>(
        &'a mut self,
        grid: &Grid,
        areas: &'a [Area],
        tree: &'a BaTree,
        open: [Option<usize>; 2],
    ) -> TreeQuery<'a> {
        let [columns, rows] = [grid.width(), grid.height()].map(|side| side.div_ceil(SQUARE));
        let squares = columns as usize * rows as usize;
        if self.asked.len() < squares {
            self.asked.extend(squares - self.asked.len());
            self.closed.resize(squares * SQUARE as usize, 0);
        }
        let (mark, asked) = (self.asked.begin(), self.asked.as_cells());
        let closed = Slot::from_mut(&mut self.closed[..]).as_slice_of_cells();
        TreeQuery { areas, tree, open, columns, mark, asked, closed }
    }
}

/// The areas as one query sees them, through the tree.
#[derive(Clone, Copy)]
pub(crate) struct TreeQuery<'a> {
    areas: &'a [Area],
    tree: &'a BaTree,
    /// The areas of the query's ends, if any.
    open: [Option<usize>; 2],
    /// The number of squares side by side.
    columns: u32,
    mark: u32,
    asked: &'a [Slot<u32>],
    closed: &'a [Slot<u16>],
}

impl TreeQuery<'_> {
    /// Asks the tree about the square of a cell.
    #[inline(never)]
    fn ask(&self, square: usize, cell: Cell) {
        let corner = Cell::new(cell.x / SQUARE * SQUARE, cell.y / SQUARE * SQUARE);
        let opposite = Cell::new(corner.x + (SQUARE - 1), corner.y + (SQUARE - 1));
        let (mut closed, mut open) = ([0; SQUARE as usize], [0; SQUARE as usize]);
        self.tree.meeting(self.areas, corner, opposite, |area| {
            let cells = if self.open.contains(&Some(area)) { &mut open } else { &mut closed };
            self.areas[area].add_inside(corner, cells);
        });
        let rows = self.closed[square * SQUARE as usize..].iter().zip(closed).zip(open);
        rows.for_each(|((row, closed), open)| row.set(closed & !open));
        self.asked[square].set(self.mark);
    }
}

impl Pruner for TreeQuery<'_> {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, _: Cell) -> Moves {
        Moves { tried: grid.moves_of(id), watched: DirSet::ALL }
    }

    #[inline]
    fn may_enter(&self, _: Move, cell: Cell) -> bool {
        let square = (cell.y / SQUARE * self.columns + cell.x / SQUARE) as usize;
        if self.asked[square].get() != self.mark {
            self.ask(square, cell);
        }
        let row = self.closed[square * SQUARE as usize + (cell.y % SQUARE) as usize].get();
        row >> (cell.x % SQUARE) & 1 == 0
    }
}
