//! Sets of changes to a map.

use super::area::{self, Area};
use super::{Grid, OffMap};
use crate::geometry::Cell;

/// Cells to block or free, applied in one go. Where a cell is named twice, the last word counts.
///
/// ```
/// use octile::{Edits, Grid};
/// let mut grid = Grid::open(8, 8)?;
/// grid.apply(Edits::new().block((3, 3)).block_rect((5, 0), (5, 6)))?;
/// assert!(!grid.is_free((3, 3)) && !grid.is_free((5, 4)));
///
/// // From cells and the state that each is to have:
/// let doors: Edits = [((5, 2), true), ((5, 4), true)].into_iter().collect();
/// grid.apply(&doors)?;
/// assert!(grid.is_free((5, 4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Edits {
    rects: Vec<Rect>,
}

/// The cells from `min` to `max`, both included, all of which become free or blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Rect {
    pub(super) min: Cell,
    pub(super) max: Cell,
    pub(super) free: bool,
}

impl Rect {
    /// Its cells.
    pub(super) fn area(&self) -> Area {
        let padded = |place: u32| place as usize + 1;
        Area {
            left: padded(self.min.x),
            right: padded(self.max.x),
            top: padded(self.min.y),
            bottom: padded(self.max.y),
        }
    }
}

impl Edits {
    /// No change.
    pub fn new() -> Self {
        Self::default()
    }

    /// Blocks a cell.
    pub fn block(&mut self, cell: impl Into<Cell>) -> &mut Self {
        let cell = cell.into();
        self.set_rect(cell, cell, false)
    }

    /// Frees a cell.
    pub fn free(&mut self, cell: impl Into<Cell>) -> &mut Self {
        let cell = cell.into();
        self.set_rect(cell, cell, true)
    }

    /// Blocks every cell of the rectangle between two corners, both included.
    ///
    /// ```
    /// use octile::{Edits, Grid};
    /// let mut grid = Grid::open(4, 4)?;
    /// grid.apply(Edits::new().block_rect((2, 2), (1, 1)).free((2, 2)))?; // corners in any order
    /// assert_eq!(grid.free_cells(), 16 - 4 + 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn block_rect(&mut self, a: impl Into<Cell>, b: impl Into<Cell>) -> &mut Self {
        self.set_rect(a.into(), b.into(), false)
    }

    /// Frees every cell of the rectangle between two corners, both included.
    pub fn free_rect(&mut self, a: impl Into<Cell>, b: impl Into<Cell>) -> &mut Self {
        self.set_rect(a.into(), b.into(), true)
    }

    fn set_rect(&mut self, a: Cell, b: Cell, free: bool) -> &mut Self {
        let min = Cell::new(a.x.min(b.x), a.y.min(b.y));
        let max = Cell::new(a.x.max(b.x), a.y.max(b.y));
        self.rects.push(Rect { min, max, free });
        self
    }

    /// Forgets all of them, and keeps the memory.
    ///
    /// ```
    /// use octile::Edits;
    /// let mut edits = Edits::new().block((3, 3)).clone();
    /// edits.clear();
    /// assert!(edits.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.rects.clear();
    }

    /// What was named, in that order.
    pub(super) fn rects(&self) -> &[Rect] {
        &self.rects
    }

    /// Areas that hold all cells, and seldom many others: for who looks at cells and their neighbours.
    pub(super) fn areas(&self) -> impl Iterator<Item = Area> + '_ {
        area::joined(self.rects.iter().map(Rect::area), 2)
    }

    /// Adds a rectangle, in one with a recent one if they are as wide and this stands on top of it.
    pub(super) fn join(&mut self, rect: Rect) {
        const RECENT: usize = 8;
        let is_below = |below: &&mut Rect| {
            let columns = |rect: &Rect| (rect.min.x, rect.max.x, rect.free);
            columns(below) == columns(&rect) && below.min.y == rect.max.y + 1
        };
        match self.rects.iter_mut().rev().take(RECENT).find(is_below) {
            Some(below) => below.min.y = rect.min.y,
            None => self.rects.push(rect),
        }
    }

    /// Whether nothing is to change.
    pub fn is_empty(&self) -> bool {
        self.rects.is_empty()
    }

    /// Checks that every cell lies on `grid`.
    ///
    /// ```
    /// use octile::{Cell, Edits, Grid};
    /// let grid = Grid::open(4, 4)?;
    /// assert!(Edits::new().block((3, 3)).check(&grid).is_ok());
    /// assert_eq!(Edits::new().block((3, 4)).check(&grid).unwrap_err().cell, Cell::new(3, 4));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    ///
    /// # Errors
    /// Names the first cell that does not.
    pub fn check(&self, grid: &Grid) -> Result<(), OffMap> {
        match self.rects.iter().find(|rect| !grid.contains(rect.max)) {
            Some(rect) => Err(OffMap { cell: rect.max, width: grid.width(), height: grid.height() }),
            None => Ok(()),
        }
    }

    /// The cells in the order they were named, with the state each is to have. Check first: a rectangle that leaves the
    /// map may name billions.
    ///
    /// ```
    /// use octile::{Cell, Edits};
    /// let mut edits = Edits::new();
    /// edits.block_rect((1, 0), (2, 0)).free((2, 0));
    /// assert!(edits.iter().eq([(Cell::new(1, 0), false), (Cell::new(2, 0), false), (Cell::new(2, 0), true)]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Cell, bool)> + '_ {
        self.rects.iter().flat_map(|&Rect { min, max, free }| {
            (min.y..=max.y).flat_map(move |y| (min.x..=max.x).map(move |x| (Cell::new(x, y), free)))
        })
    }
}

impl<C: Into<Cell>> Extend<(C, bool)> for Edits {
    /// Adds cells, each with whether it is to be free.
    fn extend<I: IntoIterator<Item = (C, bool)>>(&mut self, cells: I) {
        for (cell, free) in cells {
            let cell = cell.into();
            self.set_rect(cell, cell, free);
        }
    }
}

impl<C: Into<Cell>> FromIterator<(C, bool)> for Edits {
    fn from_iter<I: IntoIterator<Item = (C, bool)>>(cells: I) -> Self {
        let mut edits = Self::new();
        edits.extend(cells);
        edits
    }
}
