//! [`Edits`]: a batch of changes to a map.

use super::area::{self, Area};
use super::{EditFault, Grid, OffMap, Prices};
use crate::geometry::Cell;

/// A batch of cells to block, free or reprice. If a cell is named more than once, the last change wins.
///
/// Whether a cell is free and what it costs when free are independent: setting a price does not free a cell, and a
/// freed cell has its old price, or the price it was given while blocked.
///
/// ```
/// use octile::{Edits, Grid};
/// let mut grid = Grid::open(8, 8)?;
/// grid.apply(Edits::new().block((3, 3)).block_rect((5, 0), (5, 6)))?;
/// assert!(!grid.is_free((3, 3)) && !grid.is_free((5, 4)));
///
/// // From cells, each with its new state:
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

/// The cells from `min` to `max`, both included, with the same change for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Rect {
    pub(super) min: Cell,
    pub(super) max: Cell,
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub(super) change: Change,
}

/// The change of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub(super) enum Change {
    /// The cell becomes free, or blocked.
    Free(bool),
    /// The cell's price when it is free.
    Price(u8),
}

impl Rect {
    /// The cells of the rectangle, row by row.
    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let Self { min, max, .. } = *self;
        (min.y..=max.y).flat_map(move |y| (min.x..=max.x).map(move |x| Cell::new(x, y)))
    }

    /// The rectangle in padded coordinates.
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
    /// An empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Blocks a cell.
    pub fn block(&mut self, cell: impl Into<Cell>) -> &mut Self {
        let cell = cell.into();
        self.set_rect(cell, cell, Change::Free(false))
    }

    /// Frees a cell.
    pub fn free(&mut self, cell: impl Into<Cell>) -> &mut Self {
        let cell = cell.into();
        self.set_rect(cell, cell, Change::Free(true))
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
        self.set_rect(a.into(), b.into(), Change::Free(false))
    }

    /// Frees every cell of the rectangle between two corners, both included.
    pub fn free_rect(&mut self, a: impl Into<Cell>, b: impl Into<Cell>) -> &mut Self {
        self.set_rect(a.into(), b.into(), Change::Free(true))
    }

    /// Sets the price of a cell, from 1 to 255, on a map that has prices. A blocked cell stays blocked, and has this
    /// price once it is freed.
    ///
    /// ```
    /// use octile::{Edits, Grid};
    /// let mut grid: Grid = "111@".parse()?;
    /// grid.apply(Edits::new().price((0, 0), 7).price((3, 0), 7))?;
    /// assert_eq!([0, 1, 2, 3].map(|x| grid.price((x, 0))), [7, 1, 1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn price(&mut self, cell: impl Into<Cell>, price: u8) -> &mut Self {
        let cell = cell.into();
        self.set_rect(cell, cell, Change::Price(price))
    }

    /// Sets the price of every cell of the rectangle between two corners, both included.
    pub fn price_rect(&mut self, a: impl Into<Cell>, b: impl Into<Cell>, price: u8) -> &mut Self {
        self.set_rect(a.into(), b.into(), Change::Price(price))
    }

    /// Sets the terrain class of the rectangle between two corners, both included: with these prices, its cells become
    /// free at the price of the class, or blocked.
    ///
    /// ```
    /// use octile::Edits;
    /// use octile::grid::{Convention, Prices, Terrain};
    /// let (boat, terrain) = (Prices::blocked().with(b'~', 2), Terrain::new(3, 1, *b"...")?);
    /// let mut grid = terrain.grid(&boat, Convention::Enter);
    /// grid.apply(Edits::new().class_rect((1, 0), (2, 0), b'~', &boat))?;
    /// assert_eq!([0, 1, 2].map(|x| grid.price((x, 0))), [0, 2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn class_rect(&mut self, a: impl Into<Cell>, b: impl Into<Cell>, class: u8, prices: &Prices) -> &mut Self {
        let (a, b) = (a.into(), b.into());
        match prices.of(class) {
            0 => self.block_rect(a, b),
            price => self.price_rect(a, b, price).free_rect(a, b),
        }
    }

    fn set_rect(&mut self, a: Cell, b: Cell, change: Change) -> &mut Self {
        let min = Cell::new(a.x.min(b.x), a.y.min(b.y));
        let max = Cell::new(a.x.max(b.x), a.y.max(b.y));
        self.rects.push(Rect { min, max, change });
        self
    }

    /// Appends the edits of another batch.
    pub(crate) fn append(&mut self, others: &Self) {
        self.rects.extend_from_slice(&others.rects);
    }

    /// Removes all edits and keeps the memory.
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

    /// The rectangles, in the order they were added.
    pub(super) fn rects(&self) -> &[Rect] {
        &self.rects
    }

    /// Areas that contain all the cells and few others, for code that examines cells and their neighbours.
    pub(crate) fn areas(&self) -> impl Iterator<Item = Area> + '_ {
        area::joined(self.rects.iter().map(Rect::area), 2)
    }

    /// Adds a rectangle.
    pub(super) fn push(&mut self, rect: Rect) {
        self.rects.push(rect);
    }

    /// Adds a rectangle; it is merged with a recent one directly below it of the same columns and change.
    pub(super) fn join(&mut self, rect: Rect) {
        const RECENT: usize = 8;
        let is_below = |below: &&mut Rect| {
            let columns = |rect: &Rect| (rect.min.x, rect.max.x, rect.change);
            columns(below) == columns(&rect) && below.min.y == rect.max.y + 1
        };
        match self.rects.iter_mut().rev().take(RECENT).find(is_below) {
            Some(below) => below.min.y = rect.min.y,
            None => self.rects.push(rect),
        }
    }

    /// The number of cells and rectangles added.
    ///
    /// ```
    /// assert_eq!(octile::Edits::new().block((1, 1)).free_rect((2, 2), (9, 9)).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.rects.len()
    }

    /// Whether the batch is empty.
    pub fn is_empty(&self) -> bool {
        self.rects.is_empty()
    }

    /// Checks that every cell is on `grid`, and that prices are set only on a map that has prices.
    ///
    /// ```
    /// use octile::{Edits, Grid};
    /// let grid = Grid::open(4, 4)?;
    /// assert!(Edits::new().block((3, 3)).check(&grid).is_ok());
    /// let error = Edits::new().block((3, 4)).check(&grid).unwrap_err();
    /// assert_eq!(error.to_string(), "edited cell 3,4 is off the map: x must be below 4 and y below 4");
    /// assert!(Edits::new().price((3, 3), 2).check(&grid).is_err());
    /// # Ok::<(), octile::GridError>(())
    /// ```
    ///
    /// # Errors
    /// Names the first edit that fails.
    pub fn check(&self, grid: &Grid) -> Result<(), EditFault> {
        self.rects.iter().try_for_each(|&Rect { min, max, change }| match change {
            _ if !grid.contains(max) => Err(OffMap { cell: max, width: grid.width(), height: grid.height() }.into()),
            Change::Price(0) => Err(EditFault::Price { cell: min }),
            Change::Price(price) if grid.convention().is_none() => Err(EditFault::NoPrices { cell: min, price }),
            Change::Price(_) | Change::Free(_) => Ok(()),
        })
    }

    /// The cells to free or block, in the order they were added, with their new state. Call [`check`](Edits::check)
    /// first: a rectangle that leaves the map may name billions of cells.
    ///
    /// ```
    /// use octile::{Cell, Edits};
    /// let mut edits = Edits::new();
    /// edits.block_rect((1, 0), (2, 0)).free((2, 0));
    /// assert!(edits.iter().eq([(Cell::new(1, 0), false), (Cell::new(2, 0), false), (Cell::new(2, 0), true)]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Cell, bool)> + '_ {
        self.rects.iter().flat_map(|rect| {
            let state = if let Change::Free(free) = rect.change { Some(free) } else { None };
            state.into_iter().flat_map(|free| rect.cells().map(move |cell| (cell, free)))
        })
    }

    /// The cells whose price is set, in the order they were added, with their new price. Call [`check`](Edits::check)
    /// first, as for [`iter`](Edits::iter).
    ///
    /// ```
    /// use octile::{Cell, Edits};
    /// let mut edits = Edits::new();
    /// edits.price_rect((1, 0), (2, 0), 5).block((2, 0));
    /// assert!(edits.prices().eq([(Cell::new(1, 0), 5), (Cell::new(2, 0), 5)]));
    /// ```
    pub fn prices(&self) -> impl Iterator<Item = (Cell, u8)> + '_ {
        self.rects.iter().flat_map(|rect| {
            let price = if let Change::Price(price) = rect.change { Some(price) } else { None };
            price.into_iter().flat_map(|price| rect.cells().map(move |cell| (cell, price)))
        })
    }
}

/// What a batch of edits has changed, compared with the map before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changed {
    /// Areas that contain all cells that became free or blocked, and few others.
    pub(crate) areas: Vec<Area>,
    /// The number of such cells. A cell that was named several times may be counted several times.
    pub(crate) cells: usize,
    /// Whether a price has changed.
    pub(crate) has_prices: bool,
}

impl Changed {
    /// Whether anything has changed.
    pub(crate) fn is_any(&self) -> bool {
        self.has_prices || !self.areas.is_empty()
    }

    /// Adds an area with `cells` changed cells; it is merged with the last area if that is less work for code that
    /// examines cells and their neighbours.
    pub(super) fn add(&mut self, area: Area, cells: usize) {
        self.cells += cells;
        match self.areas.last_mut() {
            Some(last) if last.is_worth_joining(area, 2) => *last = last.with(area),
            _ => self.areas.push(area),
        }
    }

    /// The number of rows and columns in the areas or next to them: the work of code that scans lines.
    pub(crate) fn lines(&self) -> usize {
        self.areas.iter().map(|area| area.width() + area.height() + 4).sum()
    }
}

impl<C: Into<Cell>> Extend<(C, bool)> for Edits {
    /// Adds cells, each with whether it becomes free.
    fn extend<I: IntoIterator<Item = (C, bool)>>(&mut self, cells: I) {
        for (cell, free) in cells {
            let cell = cell.into();
            self.set_rect(cell, cell, Change::Free(free));
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
