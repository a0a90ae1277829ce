//! Sets of changes to a map.

use super::area::{self, Area};
use super::{EditFault, Grid, OffMap, Prices};
use crate::geometry::Cell;

/// Cells to block or free, or to give another price, applied in one go. Where a cell is named twice, the last word
/// counts.
///
/// Whether a cell is free and what it costs when it is are two things: a price frees nothing, and what is freed has the
/// price that it had before, or got meanwhile.
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

/// The cells from `min` to `max`, both included, and what becomes of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Rect {
    pub(super) min: Cell,
    pub(super) max: Cell,
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub(super) change: Change,
}

/// What becomes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub(super) enum Change {
    /// It becomes free, or blocked.
    Free(bool),
    /// It costs this when it is free.
    Price(u8),
}

impl Rect {
    /// Its cells, row by row.
    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let Self { min, max, .. } = *self;
        (min.y..=max.y).flat_map(move |y| (min.x..=max.x).map(move |x| Cell::new(x, y)))
    }

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

    /// Gives a cell a price from 1 to 255, on a map that has prices. A blocked cell stays blocked, and has it once it
    /// is free.
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

    /// Gives every cell of the rectangle between two corners, both included, a price.
    pub fn price_rect(&mut self, a: impl Into<Cell>, b: impl Into<Cell>, price: u8) -> &mut Self {
        self.set_rect(a.into(), b.into(), Change::Price(price))
    }

    /// Makes the rectangle between two corners, both included, ground of a class, for whoever pays these prices: free
    /// at its price, or blocked.
    ///
    /// ```
    /// use octile::{Convention, Edits, Prices, Terrain};
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

    /// Adds what others change, after all that is there.
    pub(crate) fn append(&mut self, others: &Self) {
        self.rects.extend_from_slice(&others.rects);
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
    pub(crate) fn areas(&self) -> impl Iterator<Item = Area> + '_ {
        area::joined(self.rects.iter().map(Rect::area), 2)
    }

    /// Adds a rectangle.
    pub(super) fn push(&mut self, rect: Rect) {
        self.rects.push(rect);
    }

    /// Adds a rectangle, in one with a recent one if they are as wide and this stands on top of it.
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

    /// How many cells and rectangles were named.
    ///
    /// ```
    /// assert_eq!(octile::Edits::new().block((1, 1)).free_rect((2, 2), (9, 9)).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.rects.len()
    }

    /// Whether nothing is to change.
    pub fn is_empty(&self) -> bool {
        self.rects.is_empty()
    }

    /// Checks that every cell lies on `grid`, and that prices are for a map that has some.
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
    /// Names the first cell that does not.
    pub fn check(&self, grid: &Grid) -> Result<(), EditFault> {
        self.rects.iter().try_for_each(|&Rect { min, max, change }| match change {
            _ if !grid.contains(max) => Err(OffMap { cell: max, width: grid.width(), height: grid.height() }.into()),
            Change::Price(0) => Err(EditFault::Price { cell: min }),
            Change::Price(price) if grid.convention().is_none() => Err(EditFault::NoPrices { cell: min, price }),
            Change::Price(_) | Change::Free(_) => Ok(()),
        })
    }

    /// The cells to free or block in the order they were named, with the state each is to have. Check first: a
    /// rectangle that leaves the map may name billions.
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

    /// The cells to give a price in the order they were named, with that price. Check first, as for
    /// [`iter`](Edits::iter).
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

/// What edits have changed on a map, compared with what it was before all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changed {
    /// Areas that hold all cells that have become free or blocked, and seldom many others.
    pub(crate) areas: Vec<Area>,
    /// How many such cells there are. One that was named several times may count as often.
    pub(crate) cells: usize,
    /// Whether a price has changed.
    pub(crate) has_prices: bool,
}

impl Changed {
    /// Whether anything has changed.
    pub(crate) fn is_any(&self) -> bool {
        self.has_prices || !self.areas.is_empty()
    }

    /// Adds an area with so many cells that have changed, in one with the last if that is less work for who looks at
    /// cells and their neighbours.
    pub(super) fn add(&mut self, area: Area, cells: usize) {
        self.cells += cells;
        match self.areas.last_mut() {
            Some(last) if last.is_worth_joining(area, 2) => *last = last.with(area),
            _ => self.areas.push(area),
        }
    }

    /// How many rows and columns lie in areas or beside them: the work for who looks along lines.
    pub(crate) fn lines(&self) -> usize {
        self.areas.iter().map(|area| area.width() + area.height() + 4).sum()
    }
}

impl<C: Into<Cell>> Extend<(C, bool)> for Edits {
    /// Adds cells, each with whether it is to be free.
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
