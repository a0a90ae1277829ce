//! The four directions of expansion as one: coordinates along and across an interval.

use crate::geometry::{Cell, Dir};
use crate::grid::Grid;
use crate::grid::bits::BitLines;

/// The straight directions in the order of frames and stop tables: each next to its opposite.
pub(super) const STRAIGHT: [Dir; 4] = [Dir::N, Dir::S, Dir::W, Dir::E];

/// A grid as seen from a search node that expands in a straight direction. An interval lies along `u`; the expansion
/// goes along `v`. Coordinates are padded: the first cell of the map is 1.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    /// Lines of constant `v`, positions `u`.
    pub(super) lines: &'a BitLines,
    /// Lines of constant `u`, positions `v`.
    pub(super) across: &'a BitLines,
    /// The steps of padded ids for `u` and `v`.
    pub(super) u_step: usize,
    pub(super) v_step: usize,
    /// The number of `u` coordinates on the map.
    pub(super) u_count: usize,
    /// Whether the expansion goes to larger `v`.
    pub(super) forward: bool,
    /// The direction of expansion, as an index into the straight directions.
    pub(super) index: u8,
    /// The same for the directions to smaller and to larger `u`.
    pub(super) low_side: usize,
    pub(super) high_side: usize,
}

impl<'a> Frame<'a> {
    pub(super) fn new(grid: &'a Grid, dir: Dir) -> Self {
        let along_rows = matches!(dir, Dir::N | Dir::S);
        let (rows, columns, stride) = (grid.rows(), grid.columns(), grid.stride() as usize);
        let (lines, across) = if along_rows { (rows, columns) } else { (columns, rows) };
        let (u_step, v_step) = if along_rows { (1, stride) } else { (stride, 1) };
        let u_count = if along_rows { grid.width() } else { grid.height() } as usize;
        let (low_side, high_side) = if along_rows { (2, 3) } else { (0, 1) };
        let index = STRAIGHT.iter().position(|&straight| straight == dir).unwrap_or_default() as u8;
        let forward = matches!(dir, Dir::S | Dir::E);
        Self { lines, across, u_step, v_step, u_count, forward, index, low_side, high_side }
    }

    /// The padded id of a cell.
    #[inline]
    pub(super) fn id(&self, u: usize, v: usize) -> usize {
        u * self.u_step + v * self.v_step
    }

    #[inline]
    pub(super) fn cell(&self, u: usize, v: usize) -> Cell {
        let (u, v) = (u as u32 - 1, v as u32 - 1);
        if self.u_step == 1 { Cell::new(u, v) } else { Cell::new(v, u) }
    }

    /// The `u` and `v` of a cell.
    #[inline]
    pub(super) fn uv(&self, cell: Cell) -> (usize, usize) {
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        if self.u_step == 1 { (x, y) } else { (y, x) }
    }

    #[inline]
    pub(super) fn is_free(&self, u: usize, v: usize) -> bool {
        self.lines.get(v, u)
    }

    /// The line one step ahead of line `v`.
    #[inline]
    pub(super) fn ahead(&self, v: usize) -> usize {
        if self.forward { v + 1 } else { v - 1 }
    }

    /// The last line to which the interval from `first` to `last` on line `v` can be pushed through free cells.
    #[inline]
    pub(super) fn grow(&self, first: usize, last: usize, v: usize) -> usize {
        // A few narrow columns are scanned one by one, wide rows one after the other.
        if last == first {
            self.reach(first, v)
        } else if last - first < 6 {
            let ends = (first..=last).map(|u| self.reach(u, v));
            if self.forward { ends.min().unwrap_or(v) } else { ends.max().unwrap_or(v) }
        } else {
            let mut end = v;
            while self.lines.all_free(self.ahead(end), first, last) {
                end = self.ahead(end);
            }
            end
        }
    }

    /// The last free cell ahead in column `u`, from the free cell at `v`.
    #[inline]
    pub(super) fn reach(&self, u: usize, v: usize) -> usize {
        if self.forward { self.across.run_end(u, v) - 1 } else { self.across.run_start(u, v) }
    }
}

/// The cells from `min` to `max`, all free.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) min: Cell,
    pub(super) max: Cell,
}

impl Rect {
    pub(super) fn contains(&self, cell: Cell) -> bool {
        (self.min.x..=self.max.x).contains(&cell.x) && (self.min.y..=self.max.y).contains(&cell.y)
    }

    pub(super) fn area(&self) -> u64 {
        u64::from(self.max.x - self.min.x + 1) * u64::from(self.max.y - self.min.y + 1)
    }
}

/// The rectangle that a cell expands to, first along its column, then to both sides. With `cross`, also the one that it
/// expands to first along its row, if that differs.
pub(super) fn start_rects(grid: &Grid, cell: Cell, cross: bool) -> [Option<Rect>; 2] {
    let rect = |back: Dir, ahead: Dir| {
        let (back, ahead) = (Frame::new(grid, back), Frame::new(grid, ahead));
        let (u, v) = ahead.uv(cell);
        let (first, last) = (ahead.lines.run_start(v, u), ahead.lines.run_end(v, u) - 1);
        let (low, high) = (back.grow(first, last, v), ahead.grow(first, last, v));
        Rect { min: ahead.cell(first, low), max: ahead.cell(last, high) }
    };
    let upright = rect(Dir::W, Dir::E);
    let lying = cross.then(|| rect(Dir::N, Dir::S)).filter(|lying| *lying != upright);
    [Some(upright), lying]
}
