//! Terrain: the prices of cells. [`Convention`] says how the prices of cells make the price of a move; [`Terrain`] and
//! [`Prices`] make the prices of cells from terrain classes.
//!
//! On a map without terrain every free cell has the price 1, under both conventions.

use std::fmt;
use std::sync::Arc;

use super::area::Area;
use super::error::GridError;
use super::{Grid, GridBuilder};
use crate::geometry::{Cell, CellId, Dir, GridCost, PathCost, names};

/// How the prices of cells make the price of a move.
///
/// ```
/// use octile::Grid;
/// use octile::geometry::Dir;
/// use octile::grid::Convention;
/// let grid: Grid = "13\n35".parse()?; // prices; the default convention is `average`
/// assert_eq!(grid.move_cost((0, 0), Dir::E).unwrap().length(), 2.0);
/// assert_eq!(grid.move_cost((0, 0), Dir::SE).unwrap().to_string(), "3√2");
/// let grid = grid.with_convention(Convention::Enter);
/// assert_eq!(grid.move_cost((0, 0), Dir::E).unwrap().length(), 3.0);
/// assert_eq!(grid.move_cost((0, 0), Dir::SE).unwrap().to_string(), "5√2");
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Convention {
    /// The mean of the cells that a move touches: `(a + b) / 2` for a straight move, `√2 (a + b + c + d) / 4` for a
    /// diagonal one, whose four cells are its ends and those beside it. A move costs the same both ways. This is the
    /// convention of the literature on weighted grids. Where a corner may be cut and one of the cells beside the move
    /// is blocked, the other counts twice.
    #[default]
    Average,
    /// The price of the cell entered, times 1 or √2, as in many games. The way back may cost a different sum.
    Enter,
}

names! { Convention, "a convention for prices" { Average = "average", Enter = "enter" } }

impl Convention {
    /// The number of counts per price of 1: [`GridCost`]s of paths under `average` are in quarters.
    pub(crate) const fn parts(self) -> u32 {
        match self {
            Self::Average => 4,
            Self::Enter => 1,
        }
    }

    /// The counts of a straight move between cells of these prices.
    #[inline]
    pub(crate) const fn straight(self, from: u32, to: u32) -> u32 {
        match self {
            Self::Average => 2 * (from + to),
            Self::Enter => to,
        }
    }

    /// The counts of a legal diagonal move, with the prices of the cells on both sides; 0 is blocked.
    #[inline]
    pub(crate) const fn diagonal(self, from: u32, to: u32, [one, other]: [u32; 2]) -> u32 {
        match self {
            Self::Average if one == 0 || other == 0 => from + to + 2 * (one + other),
            Self::Average => from + to + one + other,
            Self::Enter => to,
        }
    }
}

/// The price of each terrain class for one kind of unit: from 1 to 255, or 0 where the class is blocked. A boat and a
/// tank use two of these with the same [`Terrain`].
///
/// ```
/// use octile::grid::Prices;
/// let tank = Prices::blocked().with(b'.', 1).with(b'S', 3);
/// assert_eq!((tank.of(b'.'), tank.of(b'S'), tank.of(b'W')), (1, 3, 0));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Prices {
    of_classes: [u8; 256],
}

impl Prices {
    /// Blocks every class.
    pub const fn blocked() -> Self {
        Self::of_all(0)
    }

    /// Gives every class the same price.
    pub const fn of_all(price: u8) -> Self {
        Self { of_classes: [price; 256] }
    }

    /// Changes the price of one class.
    ///
    /// ```
    /// use octile::grid::Prices;
    /// assert_eq!(Prices::of_all(2).with(7, 9).of(7), 9);
    /// ```
    #[must_use]
    pub const fn with(mut self, class: u8, price: u8) -> Self {
        self.of_classes[class as usize] = price;
        self
    }

    /// The price of a class; 0 if it is blocked.
    pub const fn of(&self, class: u8) -> u8 {
        self.of_classes[class as usize]
    }
}

impl fmt::Debug for Prices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let free = (0..=u8::MAX).map(|class| (class, self.of(class))).filter(|&(_, price)| price != 0);
        f.debug_map().entries(free.map(|(class, price)| (char::from(class), price))).finish()
    }
}

/// The terrain class of each cell of a map: a number from 0 to 255, such as a letter. With the [`Prices`] of a kind of
/// unit it makes a [`Grid`].
///
/// ```
/// use octile::grid::{Convention, Prices, Terrain};
/// let terrain = Terrain::new(3, 1, *b".~#")?;
/// let tank = terrain.grid(&Prices::blocked().with(b'.', 1), Convention::Average);
/// let boat = terrain.grid(&Prices::blocked().with(b'.', 9).with(b'~', 1), Convention::Average);
/// assert_eq!((tank.free_cells(), boat.free_cells(), boat.price((0, 0))), (1, 2, 9));
/// # Ok::<(), octile::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terrain {
    width: u32,
    height: u32,
    classes: Arc<[u8]>,
}

impl Terrain {
    /// Terrain from the classes of the cells, row by row.
    ///
    /// # Errors
    /// If the number of classes differs from the number of cells, or no map can have that size.
    pub fn new(width: u32, height: u32, classes: impl Into<Arc<[u8]>>) -> Result<Self, GridError> {
        let classes = classes.into();
        GridBuilder::check_size(width.into(), height.into())?;
        if classes.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(GridError::Classes { width, height, found: classes.len() });
        }
        Ok(Self { width, height, classes })
    }

    /// The number of cells in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The class of a cell; `None` off the map.
    ///
    /// ```
    /// use octile::grid::Terrain;
    /// let terrain = Terrain::new(2, 1, *b"ab")?;
    /// assert_eq!((terrain.class((1, 0)), terrain.class((2, 0))), (Some(b'b'), None));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn class(&self, cell: impl Into<Cell>) -> Option<u8> {
        let Cell { x, y } = cell.into();
        (x < self.width && y < self.height).then(|| self.classes[y as usize * self.width as usize + x as usize])
    }

    /// The classes of all cells, row by row.
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// The map for these prices.
    pub fn grid(&self, prices: &Prices, convention: Convention) -> Grid {
        let mut builder = GridBuilder::of_checked_size(self.width, self.height).convention(convention);
        for (y, row) in (0..).zip(self.classes.chunks(self.width as usize)) {
            for (x, &class) in (0..).zip(row) {
                builder.set_price((x, y), prices.of(class));
            }
        }
        builder.build()
    }
}

/// The prices of the cells of a map in the form that searches use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ground {
    convention: Convention,
    /// By padded id: the price of each cell when it is free; blocking a cell does not change it.
    under: Vec<u8>,
    /// By padded id: the price of a free cell in [units](Self::unit), and 0 for a blocked cell.
    prices: Vec<u8>,
    /// A common divisor of the prices of all free cells. Dividing by it makes costs smaller, and so exact for longer
    /// paths.
    unit: u8,
    /// The number of free cells of each price in units.
    counts: Box<[u32; 256]>,
}

impl Ground {
    /// Prices by padded id, and the free cells. Padding and cells without a price have the price 1.
    pub(super) fn new(convention: Convention, under: Vec<u8>, free: impl Iterator<Item = CellId> + Clone) -> Self {
        let (prices, counts) = (vec![0; under.len()], Box::new([0; 256]));
        let unit = free.clone().map(|id| under[id.index()]).reduce(divisor).unwrap_or(1);
        let mut ground = Self { convention, under, prices, unit, counts };
        free.for_each(|id| ground.freed(id));
        ground
    }

    /// The convention.
    #[inline]
    pub(crate) fn convention(&self) -> Convention {
        self.convention
    }

    /// By padded id: the price of each free cell in units of [`unit`](Self::unit), and 0 for each blocked one.
    #[inline]
    pub(crate) fn prices(&self) -> &[u8] {
        &self.prices
    }

    /// The factor from prices in searches to prices of the map.
    #[inline]
    pub(crate) fn unit(&self) -> u8 {
        self.unit
    }

    /// By padded id: the price of each cell when it is free.
    pub(crate) fn under(&self) -> &[u8] {
        &self.under
    }

    /// The number of free cells of each price in units.
    #[inline]
    pub(crate) fn counts(&self) -> &[u32; 256] {
        &self.counts
    }

    /// The lowest price of a free cell in units; 1 if there is none.
    pub(crate) fn least(&self) -> u8 {
        (1..=u8::MAX).find(|&price| self.counts[usize::from(price)] > 0).unwrap_or(1)
    }

    /// The highest price of a free cell in units; 1 if there is none.
    pub(crate) fn greatest(&self) -> u8 {
        (1..=u8::MAX).rev().find(|&price| self.counts[usize::from(price)] > 0).unwrap_or(1)
    }

    /// The mean price of free cells; 1 if there is none.
    pub(crate) fn mean(&self) -> f64 {
        let counted = (0..=u8::MAX).zip(self.counts().iter());
        let (sum, cells) = counted.fold((0.0, 0.0), |(sum, cells), (price, &count)| {
            (sum + f64::from(price) * f64::from(count), cells + f64::from(count))
        });
        if cells > 0.0 { sum / cells * f64::from(self.unit) } else { 1.0 }
    }

    /// Whether all free cells have the same price.
    pub(crate) fn is_even(&self) -> bool {
        self.least() == self.greatest()
    }

    /// Updates the prices after a cell has become free.
    pub(super) fn freed(&mut self, id: CellId) {
        if !self.under[id.index()].is_multiple_of(self.unit) {
            self.divide(divisor(self.under[id.index()], self.unit));
        }
        let price = self.under[id.index()] / self.unit;
        self.prices[id.index()] = price;
        self.counts[usize::from(price)] += 1;
    }

    /// Updates the prices after a cell has become blocked.
    pub(super) fn blocked(&mut self, id: CellId) {
        let price = std::mem::take(&mut self.prices[id.index()]);
        self.counts[usize::from(price)] -= 1;
    }

    /// Sets the price of the cells of an area.
    pub(super) fn set(&mut self, area: Area, stride: usize, price: u8) {
        if !price.is_multiple_of(self.unit) {
            self.divide(divisor(price, self.unit));
        }
        let reduced = price / self.unit;
        for y in area.top..=area.bottom {
            for id in y * stride + area.left..=y * stride + area.right {
                self.under[id] = price;
                if self.prices[id] != 0 {
                    self.counts[usize::from(self.prices[id])] -= 1;
                    self.counts[usize::from(reduced)] += 1;
                    self.prices[id] = reduced;
                }
            }
        }
    }

    /// Changes to a smaller unit.
    fn divide(&mut self, unit: u8) {
        let times = self.unit / unit;
        self.unit = unit;
        self.counts.fill(0);
        for price in self.prices.iter_mut().filter(|price| **price != 0) {
            *price *= times;
            self.counts[usize::from(*price)] += 1;
        }
    }

    /// The cost of a path from the straight and diagonal counts of a search; `None` if the counts overflow.
    pub(crate) fn path_cost(&self, counts: GridCost) -> Option<PathCost> {
        let counts = counts.checked_mul(self.unit.into())?;
        Some(PathCost::Priced { counts, parts: self.convention.parts() })
    }

    /// The length of a straight move that counts 1.
    pub(crate) fn count_value(&self) -> f64 {
        f64::from(self.unit) / f64::from(self.convention.parts())
    }

    pub(super) fn size_bytes(&self) -> usize {
        2 * self.prices.len() + size_of::<[u32; 256]>()
    }
}

/// The greatest common divisor of two prices.
fn divisor(mut a: u8, mut b: u8) -> u8 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Grid {
    /// A map with these prices of cells: from 1 to 255, or 0 for blocked cells.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::grid::Convention;
    /// let grid = Grid::from_prices(3, 1, Convention::Enter, |cell| [1, 0, 5][cell.x as usize])?;
    /// assert_eq!([0, 1, 2, 3].map(|x| grid.price((x, 0))), [1, 0, 5, 0]);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    ///
    /// # Errors
    /// See [`Grid::open`].
    pub fn from_prices(
        width: u32,
        height: u32,
        convention: Convention,
        mut price: impl FnMut(Cell) -> u8,
    ) -> Result<Self, GridError> {
        let mut builder = GridBuilder::new(width, height)?.convention(convention);
        for y in 0..height {
            for x in 0..width {
                builder.set_price((x, y), price(Cell::new(x, y)));
            }
        }
        Ok(builder.build())
    }

    /// Returns the same map with prices: from 1 to 255, or 0 to block a cell. Blocked cells stay blocked.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::grid::Convention;
    /// let grid: Grid = "..@".parse()?;
    /// let grid = grid.with_prices(Convention::Average, |cell| cell.x as u8 + 1);
    /// assert_eq!([0, 1, 2].map(|x| grid.price((x, 0))), [1, 2, 0]);
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    #[must_use]
    pub fn with_prices(&self, convention: Convention, mut price: impl FnMut(Cell) -> u8) -> Self {
        let mut builder = self.edit().convention(convention);
        for cell in self.cells() {
            let is_blocked = !self.is_free(cell);
            builder.set_price(cell, price(cell));
            if is_blocked {
                builder.set(cell, false);
            }
        }
        builder.build()
    }

    /// Returns the same map under another convention; without prices, the map is unchanged.
    #[must_use]
    pub fn with_convention(&self, convention: Convention) -> Self {
        if self.convention().is_none_or(|now| now == convention) {
            return self.clone();
        }
        self.changed(|data| data.ground.iter_mut().for_each(|ground| ground.convention = convention))
    }

    /// Returns the same map without prices: every free cell has the price 1.
    ///
    /// ```
    /// use octile::Grid;
    /// let grid: Grid = "19@".parse()?;
    /// assert_eq!(grid.without_prices(), "..@".parse()?);
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    #[must_use]
    pub fn without_prices(&self) -> Self {
        if self.ground().is_none() {
            return self.clone();
        }
        self.changed(|data| data.ground = None)
    }

    /// How the prices of cells make the prices of moves; `None` for a map without prices.
    pub fn convention(&self) -> Option<Convention> {
        self.ground().map(Ground::convention)
    }

    /// The price of a cell, from 1 to 255: 1 on a map without prices; 0 if it is blocked or off the map.
    #[inline]
    pub fn price(&self, cell: impl Into<Cell>) -> u8 {
        let cell = cell.into();
        match self.ground() {
            _ if !self.contains(cell) => 0,
            Some(ground) => ground.prices[self.id(cell).index()] * ground.unit,
            None => self.is_free(cell).into(),
        }
    }

    /// The price of a cell when it is free, from 1 to 255, also while it is blocked; 0 off the map. Use it for
    /// obstacles that may disappear, such as buildings.
    ///
    /// ```
    /// use octile::{Edits, Grid};
    /// use octile::grid::Convention;
    /// let mut grid = Grid::from_prices(2, 1, Convention::Enter, |_| 7)?;
    /// grid.apply(Edits::new().block((1, 0)))?;
    /// assert_eq!((grid.price((1, 0)), grid.price_when_free((1, 0))), (0, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn price_when_free(&self, cell: impl Into<Cell>) -> u8 {
        let cell = cell.into();
        match self.ground() {
            _ if !self.contains(cell) => 0,
            Some(ground) => ground.under()[self.id(cell).index()],
            None => 1,
        }
    }

    /// The cost of a move; `None` if it is not legal.
    ///
    /// ```
    /// use octile::{Grid, GridCost};
    /// use octile::geometry::Dir;
    /// let grid = Grid::open(2, 2)?;
    /// assert_eq!(grid.move_cost((0, 0), Dir::SE), Some(GridCost::new(0, 1).into()));
    /// assert_eq!(grid.move_cost((0, 0), Dir::N), None);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn move_cost(&self, cell: impl Into<Cell>, dir: Dir) -> Option<PathCost> {
        let cell = cell.into();
        self.moves(cell).contains(dir).then(|| self.cost_of_counts(self.move_counts(cell, dir)))
    }

    /// The cost of a legal move in counts: quarters under [`Convention::Average`].
    pub(crate) fn move_counts(&self, cell: Cell, dir: Dir) -> GridCost {
        let price = |cell: Cell| u32::from(self.price(cell));
        let to = dir.step(cell, 1);
        let count = match self.convention() {
            None => 1,
            Some(convention) if dir.is_diagonal() => {
                convention.diagonal(price(cell), price(to), [-1, 1].map(|turn| price(dir.turn(turn).step(cell, 1))))
            }
            Some(convention) => convention.straight(price(cell), price(to)),
        };
        GridCost::of_steps(dir, count)
    }

    /// The cost of these counts on this map.
    pub(crate) fn cost_of_counts(&self, counts: GridCost) -> PathCost {
        match self.convention() {
            Some(convention) => PathCost::Priced { counts, parts: convention.parts() },
            None => PathCost::Grid(counts),
        }
    }

    /// The prices of cells in the form that searches use; `None` for a map without prices.
    #[inline]
    pub(crate) fn ground(&self) -> Option<&Ground> {
        self.data.ground.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Dice;
    use crate::grid::{Edits, Movement};

    /// After any edits, the stored prices equal those of a new map, except for the unit, which may be smaller.
    #[test]
    fn grounds_follow_edits() {
        let mut dice = Dice::new(5);
        for round in 0..60 {
            let (width, height) = (1 + dice.below(9) as u32, 1 + dice.below(9) as u32);
            let kinds: &[u8] = [&[0, 6, 12][..], &[7], &[0, 1, 2, 5], &[10, 20, 255]][round % 4];
            let mut grid =
                Grid::from_prices(width, height, Convention::Average, |_| dice.choose(kinds.iter().copied()).unwrap())
                    .unwrap();
            for _ in 0..8 {
                let mut cell = || Cell::new(dice.below(width.into()) as u32, dice.below(height.into()) as u32);
                let (a, b) = (cell(), cell());
                let mut edits = Edits::new();
                match dice.below(3) {
                    0 => edits.block_rect(a, b),
                    1 => edits.free_rect(a, b),
                    _ => edits.price_rect(a, b, dice.choose([1, 3, 6, 12, 200].into_iter()).unwrap()),
                };
                let before = grid.clone();
                assert_eq!(grid.apply(&edits).unwrap(), grid != before, "{edits:?}");
                let rebuilt = grid.edit().build();
                assert_eq!(grid, rebuilt);
                assert_eq!(grid.fingerprint(), rebuilt.fingerprint());
                let (ours, theirs) = (grid.ground().unwrap(), rebuilt.ground().unwrap());
                assert!(theirs.unit.is_multiple_of(ours.unit) || grid.free_cells() == 0);
                for cell in grid.cells() {
                    assert_eq!(grid.price(cell), rebuilt.price(cell));
                    assert_eq!(grid.price(cell) == 0, !grid.is_free(cell));
                }
                let price = |ground: &Ground| (ground.least() * ground.unit, ground.greatest() * ground.unit);
                assert!(price(ours) == price(theirs) || grid.free_cells() == 0);
            }
        }
    }

    #[test]
    fn a_blocked_cell_keeps_its_price() {
        let mut grid: Grid = "15\n15".parse().unwrap();
        grid.apply(Edits::new().block((1, 0))).unwrap();
        assert_eq!(grid.price((1, 0)), 0);
        grid.apply(Edits::new().price((1, 0), 9)).unwrap();
        assert_eq!(grid.price((1, 0)), 0, "setting a price does not free a cell");
        grid.apply(Edits::new().free((1, 0))).unwrap();
        assert_eq!(grid.price((1, 0)), 9);
    }

    /// A blocked side cell is replaced by the other one.
    #[test]
    fn cut_corners_have_a_price() {
        let grid: Grid = "1@\n35".parse().unwrap();
        let grid = grid.with_movement(Movement::OctileCutting);
        assert_eq!(grid.move_counts(Cell::new(0, 0), Dir::SE), GridCost::new(0, 1 + 5 + 3 + 3));
        let back = grid.move_counts(Cell::new(1, 1), Dir::NW);
        assert_eq!(back, GridCost::new(0, 12), "the way back costs the same");
    }
}
