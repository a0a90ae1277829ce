//! The map: [`Grid`], its movement rules, and edits.
//!
//! # Movement
//! The default rule, [`Movement::Octile`], is that of the MovingAI benchmarks: eight neighbours, straight moves cost 1,
//! diagonal ones √2, and a diagonal move needs both cells beside it to be free. [`Movement`] has the others.

mod agent;
pub(crate) mod area;
pub(crate) mod bits;
mod brush;
mod clearance;
pub(crate) mod components;
pub(crate) mod corners;
mod edits;
mod error;
mod fit;
mod georeference;
pub(crate) mod nearest;
pub(crate) mod planes;
pub mod sight;
mod terrain;

use std::fmt;
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::Xxh3;

pub use self::agent::{Agent, AgentError, Room};
use self::area::Area;
use self::bits::{BitLines, WINDOW};
pub use self::clearance::Clearance;
use self::components::{Components, Contact};
pub(crate) use self::edits::Changed;
pub use self::edits::Edits;
use self::edits::{Change, Rect};
pub use self::error::{EditFault, GridError, OffMap};
pub use self::fit::Fit;
pub use self::georeference::Georeference;
pub use self::sight::Squeeze;
pub(crate) use self::terrain::Ground;
pub use self::terrain::{Convention, Prices, Terrain};
use crate::geometry::{Cell, CellId, Corner, Dir, DirSet, names};

/// The movement rule: which moves are legal. A [`Grid`] carries its rule; building a planner that does not support it
/// fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Movement {
    /// Eight neighbours; a diagonal move needs both cells beside it to be free (MovingAI's rule).
    #[default]
    Octile,
    /// Four neighbours.
    Tile,
    /// Eight neighbours; a diagonal move may cut one corner: it needs one of the two cells beside it to be free. The
    /// gap between two obstacles that touch at a corner stays closed.
    OctileCutting,
}

names! { Movement, "a movement rule" { Octile = "octile", Tile = "tile", OctileCutting = "octile-cutting" } }

impl Movement {
    /// The code of the rule in index files. It never changes.
    pub(crate) const fn code(self) -> u32 {
        match self {
            Self::Octile => 1,
            Self::Tile => 2,
            Self::OctileCutting => 3,
        }
    }

    /// The rule with this code.
    pub(crate) fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|movement| movement.code() == code)
    }

    /// Whether the move from `cell` in direction `dir` is legal, given which cells are free.
    ///
    /// ```
    /// use octile::{Cell, Movement};
    /// use octile::geometry::Dir;
    /// let is_free = |cell: Cell| cell != Cell::new(1, 0); // an obstacle to the east
    /// assert!(!Movement::Octile.allows(is_free, Cell::new(0, 0), Dir::SE));
    /// assert!(Movement::OctileCutting.allows(is_free, Cell::new(0, 0), Dir::SE));
    /// ```
    pub fn allows(self, is_free: impl Fn(Cell) -> bool, cell: Cell, dir: Dir) -> bool {
        let ends = is_free(cell) && is_free(dir.step(cell, 1));
        let sides = [dir.turn(-1), dir.turn(1)].map(|side| dir.is_diagonal() && is_free(side.step(cell, 1)));
        ends && match self {
            _ if !dir.is_diagonal() => true,
            Self::Octile => sides == [true, true],
            Self::Tile => false,
            Self::OctileCutting => sides != [false, false],
        }
    }

    /// The legal moves of a cell for each state of the 3 x 3 cells around it. The index has one bit per cell, column by
    /// column from the right, each column from the bottom up.
    fn table(self) -> Box<[u8; 512]> {
        let centre = Cell::new(1, 1);
        Box::new(std::array::from_fn(|free| {
            let is_free = |cell: Cell| free >> ((2 - cell.x) * 3 + 2 - cell.y) & 1 == 1;
            Dir::ALL.into_iter().filter(|&dir| self.allows(is_free, centre, dir)).collect::<DirSet>().0
        }))
    }
}

/// The maximum side of a map.
pub const MAX_SIDE: u32 = 65_534;

/// The maximum number of cells of a map, padding included.
pub const MAX_CELLS: u64 = 1 << 28;

/// A grid map with its movement rule: immutable while shared, cheap to clone.
///
/// ```
/// use octile::{Cell, Grid};
/// let grid: Grid = "
///     ..@.
///     ..@.
///     ....
/// ".parse()?;
/// assert_eq!((grid.width(), grid.height(), grid.free_cells()), (4, 3, 10));
/// assert!(!grid.is_free(Cell::new(2, 0)));
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
#[derive(Clone)]
pub struct Grid {
    data: Arc<Data>,
}

/// The shared data of a grid. Per-cell tables have one ring of blocked cells as padding; see [`CellId`].
#[derive(Clone)]
struct Data {
    width: u32,
    height: u32,
    /// Cells in a padded row.
    stride: u32,
    /// `ceil(2^64 / stride)`: the row of an id is the upper half of its product with this.
    stride_reciprocal: u64,
    movement: Movement,
    /// The same bits twice: `rows` by padded y, `columns` by padded x.
    rows: BitLines,
    columns: BitLines,
    /// The legal moves of every cell; blocked cells have none.
    moves: Vec<u8>,
    /// [`Movement::table`] of the rule.
    move_table: Box<[u8; 512]>,
    free_cells: u32,
    components: Components,
    /// The prices of cells, if they are not all 1.
    ground: Option<Ground>,
    /// Computed on first use, cleared by edits.
    fingerprint: OnceLock<u64>,
}

impl Grid {
    /// A map without obstacles.
    ///
    /// ```
    /// use octile::Grid;
    /// assert_eq!(Grid::open(4, 3)?.free_cells(), 12);
    /// assert!(Grid::open(4, 0).is_err());
    /// # Ok::<(), octile::GridError>(())
    /// ```
    ///
    /// # Errors
    /// If a side is 0 or the map is larger than [`MAX_SIDE`] or [`MAX_CELLS`] allow.
    pub fn open(width: u32, height: u32) -> Result<Self, GridError> {
        Self::from_fn(width, height, |_| true)
    }

    /// A map whose free cells are those for which `is_free` holds.
    ///
    /// ```
    /// use octile::Grid;
    /// let grid = Grid::from_fn(3, 3, |cell| cell.x != 1 || cell.y == 0)?;
    /// assert_eq!(octile::formats::ascii::write(&grid), "...\n.@.\n.@.\n");
    /// # Ok::<(), octile::GridError>(())
    /// ```
    ///
    /// # Errors
    /// See [`Grid::open`].
    pub fn from_fn(width: u32, height: u32, mut is_free: impl FnMut(Cell) -> bool) -> Result<Self, GridError> {
        let mut builder = GridBuilder::new(width, height)?;
        for y in 0..height {
            builder.set_row(y, (0..width).map(|x| is_free(Cell::new(x, y))));
        }
        Ok(builder.build())
    }

    /// The number of cells in a row.
    #[inline]
    pub fn width(&self) -> u32 {
        self.data.width
    }

    /// The number of rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.data.height
    }

    /// The movement rule.
    #[inline]
    pub fn movement(&self) -> Movement {
        self.data.movement
    }

    /// Returns the same map under another movement rule.
    ///
    /// ```
    /// use octile::{Grid, Movement};
    /// let grid = Grid::open(3, 3)?;
    /// assert_eq!(grid.moves((1, 1)).into_iter().len(), 8);
    /// assert_eq!(grid.with_movement(Movement::Tile).moves((1, 1)).into_iter().len(), 4);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    #[must_use]
    pub fn with_movement(&self, movement: Movement) -> Self {
        if movement == self.movement() {
            return self.clone();
        }
        self.changed(|data| {
            (data.movement, data.move_table) = (movement, movement.table());
            data.fill_all_moves();
        })
    }

    /// A copy of the map with a change after which its fingerprint is another.
    fn changed(&self, change: impl FnOnce(&mut Data)) -> Self {
        let mut data = (*self.data).clone();
        change(&mut data);
        data.fingerprint = OnceLock::new();
        Self { data: Arc::new(data) }
    }

    /// Returns the map of the cells where an agent fits, under the same movement rule. Paths on this map are paths for
    /// the agent. [`Room`] matters for discs: it says whether they need room at the centres of cells, as in grid paths,
    /// or everywhere in them, as in any-angle paths. If the agent fits on every free cell, as [`Agent::POINT`] does,
    /// this is the same map, shared.
    ///
    /// For a map that changes, use a [`Fit`].
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::grid::{Agent, Room};
    /// let grid: Grid = "
    ///     .....
    ///     ..@..
    ///     .....
    ///     .....
    /// ".parse()?;
    /// let fitting = grid.for_agent(Agent::square(2)?, Room::Centre);
    /// assert_eq!(octile::formats::ascii::write(&fitting), "
    /// .@@.@
    /// .@@.@
    /// ....@
    /// @@@@@
    /// ".trim_start());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_agent(&self, agent: Agent, room: Room) -> Self {
        Fit::new(agent, room).grid(self)
    }

    /// The number of free cells.
    pub fn free_cells(&self) -> u32 {
        self.data.free_cells
    }

    /// The number of connected components of the free cells. Takes a pass over the cells.
    ///
    /// ```
    /// use octile::Grid;
    /// assert_eq!("..@.\n@@@.".parse::<Grid>()?.components(), 2);
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn components(&self) -> usize {
        self.data.components.count()
    }

    /// The number of cells of the largest connected component. Takes as long as [`Grid::components`].
    ///
    /// ```
    /// use octile::Grid;
    /// assert_eq!("..@.\n@@@.\n@...".parse::<Grid>()?.largest_component(), 5);
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn largest_component(&self) -> u32 {
        self.data.components.largest()
    }

    /// Whether the cell lies on the map.
    #[inline]
    pub fn contains(&self, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        cell.x < self.width() && cell.y < self.height()
    }

    /// Whether the cell lies on the map and is free.
    ///
    /// ```
    /// use octile::Grid;
    /// let grid: Grid = "..@".parse()?;
    /// assert!(grid.is_free((0, 0)) && !grid.is_free((2, 0)) && !grid.is_free((0, 1)));
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    #[inline]
    pub fn is_free(&self, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        self.contains(cell) && self.data.rows.get(cell.y as usize + 1, cell.x as usize + 1)
    }

    /// The legal moves of a cell: none if it is blocked or off the map.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::geometry::Dir;
    /// let grid: Grid = "..\n.@".parse()?;
    /// assert_eq!(grid.moves((0, 0)).into_iter().collect::<Vec<_>>(), [Dir::E, Dir::S]);
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    #[inline]
    pub fn moves(&self, cell: impl Into<Cell>) -> DirSet {
        let cell = cell.into();
        if self.contains(cell) { self.moves_of(self.id(cell)) } else { DirSet::default() }
    }

    /// Whether there is a path between two cells: both are free and in one component. Needs no search, also after
    /// edits.
    ///
    /// ```
    /// use octile::Grid;
    /// let grid: Grid = ".@.".parse()?;
    /// assert!(!grid.may_connect((0, 0), (2, 0)));
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn may_connect(&self, a: impl Into<Cell>, b: impl Into<Cell>) -> bool {
        let (a, b) = (a.into(), b.into());
        self.is_free(a) && self.is_free(b) && self.data.components.connect(a, b)
    }

    /// A hash of the map and its movement rule: equal maps have equal fingerprints, on every machine.
    ///
    /// ```
    /// use octile::{Grid, Movement};
    /// let (one, same): (Grid, Grid) = ("..@".parse()?, "GS#".parse()?);
    /// assert_eq!(one.fingerprint(), same.fingerprint());
    /// assert_ne!(one.fingerprint(), one.with_movement(Movement::Tile).fingerprint());
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        *self.data.fingerprint.get_or_init(|| self.data.compute_fingerprint())
    }

    /// A builder that starts from this map.
    ///
    /// ```
    /// use octile::Grid;
    /// let grid = Grid::open(3, 1)?;
    /// let mut builder = grid.edit();
    /// builder.set((1, 0), false);
    /// assert_eq!((grid.free_cells(), builder.build().free_cells()), (3, 2));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn edit(&self) -> GridBuilder {
        GridBuilder {
            width: self.width(),
            height: self.height(),
            movement: self.movement(),
            rows: self.data.rows.clone(),
            prices: self.ground().map(|ground| (ground.convention(), ground.under().to_vec())),
        }
    }

    /// Changes cells in place, in time proportional to the number of cells changed. If the map is shared it is copied
    /// first, and the other owners keep the old map.
    ///
    /// ```
    /// use octile::{Edits, Grid};
    /// let mut grid = Grid::open(4, 4)?;
    /// let before = grid.clone();
    /// assert!(grid.apply(Edits::new().block((1, 1)))?);
    /// assert!(!grid.is_free((1, 1)) && before.is_free((1, 1)));
    /// assert!(!grid.apply(Edits::new().block((1, 1)))?, "nothing changes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    /// Returns whether any cell has changed.
    ///
    /// # Errors
    /// If a cell is off the map, or an edit sets a price on a map without prices. Nothing has changed then.
    pub fn apply(&mut self, edits: &Edits) -> Result<bool, EditFault> {
        Ok(self.change(edits)?.is_any())
    }

    /// Like [`apply`](Grid::apply), but returns what has changed.
    pub(crate) fn change(&mut self, edits: &Edits) -> Result<Changed, EditFault> {
        edits.check(self)?;
        if !self.changes_under(edits) {
            return Ok(Changed::default());
        }
        let (has_prices, unit) = (self.prices_change_under(edits), self.ground().map(Ground::unit));
        let data = Arc::make_mut(&mut self.data);
        let mut changed = Changed { has_prices, ..data.apply(edits) };
        if !changed.areas.is_empty() {
            data.follow(edits, &changed);
        }
        data.fingerprint = OnceLock::new();
        // Freeing and then blocking a cell may change the unit of prices although no cell has changed.
        changed.has_prices |= self.ground().map(Ground::unit) != unit;
        Ok(changed)
    }

    /// Whether any of the edits, applied alone, would change the map. All of them must be on the map.
    pub(crate) fn changes_under(&self, edits: &Edits) -> bool {
        let differs = |rect: &Rect| match rect.change {
            Change::Free(free) => {
                self.data.rows_of(rect.area()).any(|piece| piece.cells != if free { piece.mask } else { 0 })
            }
            Change::Price(_) => false,
        };
        edits.rects().iter().any(differs) || self.prices_change_under(edits)
    }

    /// Whether the edits change any price.
    fn prices_change_under(&self, edits: &Edits) -> bool {
        self.ground()
            .is_some_and(|ground| edits.prices().any(|(cell, price)| ground.under()[self.id(cell).index()] != price))
    }

    /// All cells of the map, row by row.
    ///
    /// ```
    /// use octile::{Cell, Grid};
    /// let grid = Grid::open(2, 2)?;
    /// assert!(grid.cells().eq([(0, 0), (1, 0), (0, 1), (1, 1)].map(Cell::from)));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + DoubleEndedIterator + use<> {
        let width = self.width();
        (0..width * self.height()).map(move |place| Cell::new(place % width, place / width))
    }

    /// Heap memory in bytes.
    pub fn size_bytes(&self) -> usize {
        let cells = self.padded_cells();
        cells + 2 * cells / 8 + self.data.components.size_bytes() + self.ground().map_or(0, Ground::size_bytes)
    }

    /// The character that shows a cell: free, blocked, or over terrain its price, with `+` for ten or more.
    fn character(&self, cell: Cell) -> char {
        match self.price(cell) {
            0 => '@',
            _ if self.ground().is_none() => '.',
            price @ 1..=9 => char::from(b'0' + price),
            _ => '+',
        }
    }

    /// The number of padded ids.
    #[inline]
    pub(crate) fn padded_cells(&self) -> usize {
        self.data.moves.len()
    }

    /// The number of cells in a padded row: the id of the cell below is larger by this.
    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        self.data.stride
    }

    #[inline]
    pub(crate) fn id(&self, cell: Cell) -> CellId {
        CellId((cell.y + 1) * self.data.stride + cell.x + 1)
    }

    #[inline]
    pub(crate) fn cell(&self, id: CellId) -> Cell {
        let y = ((u128::from(id.0) * u128::from(self.data.stride_reciprocal)) >> 64) as u32;
        Cell::new(id.0 - y * self.data.stride - 1, y - 1)
    }

    /// The index of a corner in tables with one entry per padded cell: the id of the cell to its upper left.
    #[inline]
    pub(crate) fn corner_id(&self, corner: Corner) -> u32 {
        corner.y * self.data.stride + corner.x
    }

    /// The corner with this index.
    #[inline]
    pub(crate) fn corner(&self, id: u32) -> Corner {
        let y = ((u128::from(id) * u128::from(self.data.stride_reciprocal)) >> 64) as u32;
        Corner::new(id - y * self.data.stride, y)
    }

    #[inline]
    pub(crate) fn moves_of(&self, id: CellId) -> DirSet {
        DirSet(self.data.moves[id.index()])
    }

    /// The change of an id for one step in each direction; add with wrap-around.
    pub(crate) fn id_steps(&self) -> [u32; 8] {
        Dir::ALL.map(|dir| (dir.dy() * self.data.stride as i32 + dir.dx()) as u32)
    }

    #[inline]
    pub(crate) fn rows(&self) -> &BitLines {
        &self.data.rows
    }

    #[inline]
    pub(crate) fn columns(&self) -> &BitLines {
        &self.data.columns
    }
}

impl PartialEq for Grid {
    /// Compares size, movement rule, convention, and for every cell whether it is free and its price.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.data, &other.data)
            || (self.width(), self.height(), self.movement()) == (other.width(), other.height(), other.movement())
                && self.data.rows == other.data.rows
                && self.convention() == other.convention()
                && self.ground().map(Ground::under) == other.ground().map(Ground::under)
    }
}

impl Eq for Grid {}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid {}x{} {}", self.width(), self.height(), self.movement())?;
        if self.width() > 80 || self.height() > 80 {
            return Ok(());
        }
        for y in 0..self.height() {
            let row: String = (0..self.width()).map(|x| self.character(Cell::new(x, y))).collect();
            write!(f, "\n{row}")?;
        }
        Ok(())
    }
}

/// Up to a window of cells in a row.
struct Piece {
    y: usize,
    first: usize,
    cells: u64,
    mask: u64,
}

/// If more than one cell in this many changes, all derived data is recomputed. Following the changes cell by cell takes
/// .1 to .2 us per cell, recomputing 512 x 512 cells 600 to 1600 us: the same time if one cell in 26 to 81 changes and
/// these lie far apart. Adjacent changes take a fifth of that.
const MANY_CELLS: usize = 40;

impl Data {
    /// The cells of an area, row by row, up to a window at a time.
    fn rows_of(&self, area: Area) -> impl Iterator<Item = Piece> + '_ {
        (area.top..=area.bottom).flat_map(move |y| {
            (area.left..=area.right).step_by(WINDOW).map(move |first| {
                let len = WINDOW.min(area.right + 1 - first);
                Piece {
                    y,
                    first,
                    mask: u64::MAX >> (64 - len),
                    cells: self.rows.window(y, first) & (u64::MAX >> (64 - len)),
                }
            })
        })
    }

    /// Applies edits to cells and prices, and returns what has changed. Data derived from the free cells is not
    /// updated.
    fn apply(&mut self, edits: &Edits) -> Changed {
        let mut before = Vec::with_capacity(edits.rects().len());
        let frees = |rect: &&Rect| matches!(rect.change, Change::Free(_));
        for rect in edits.rects().iter().filter(frees) {
            before.extend(self.rows_of(rect.area()).map(|piece| piece.cells));
        }
        for rect in edits.rects() {
            match rect.change {
                Change::Free(free) => self.set(rect.area(), free),
                Change::Price(price) => self.set_price(rect.area(), price),
            }
        }
        let (mut changed, mut before) = (Changed::default(), before.into_iter());
        for rect in edits.rects().iter().filter(frees) {
            for (piece, before) in self.rows_of(rect.area()).zip(&mut before) {
                let differs = piece.cells ^ before;
                if differs != 0 {
                    let (left, right) = (differs.trailing_zeros(), differs.ilog2());
                    let [left, right] = [left, right].map(|place| piece.first + place as usize);
                    let area = Area { left, right, top: piece.y, bottom: piece.y };
                    changed.add(area, differs.count_ones() as usize);
                }
            }
        }
        changed
    }

    /// Frees or blocks the cells of an area.
    fn set(&mut self, area: Area, free: bool) {
        for y in area.top..=area.bottom {
            for first in (area.left..=area.right).step_by(WINDOW) {
                let last = area.right.min(first + WINDOW - 1);
                let differs = self.rows.window(y, first) ^ if free { u64::MAX } else { 0 };
                self.count(
                    y * self.stride as usize + first,
                    differs << (63 + first - last) >> (63 + first - last),
                    free,
                );
            }
            self.rows.fill(y, area.left, area.right, free);
        }
    }

    /// Updates all data derived from the free cells after edits.
    fn follow(&mut self, edits: &Edits, changed: &Changed) {
        let (width, height) = (self.width as usize, self.height as usize);
        if changed.cells > self.moves.len() / MANY_CELLS {
            self.columns = self.rows.transposed(height + 2, width + 2);
            self.components = Components::label(&self.rows, width, height, Contact::Sides);
            return self.fill_all_moves();
        }
        for rect in edits.rects() {
            if let Change::Free(free) = rect.change {
                for x in rect.area().left..=rect.area().right {
                    self.columns.fill(x, rect.area().top, rect.area().bottom, free);
                }
            }
        }
        for &area in &changed.areas {
            self.fill_moves_around(area);
        }
        self.components.follow(&self.rows, changed.areas.iter().copied());
    }

    /// Updates counts for cells of a row that became free or blocked: bit 0 of `cells` is the cell at index `first`.
    fn count(&mut self, first: usize, mut cells: u64, free: bool) {
        let count = cells.count_ones();
        self.free_cells = if free { self.free_cells + count } else { self.free_cells - count };
        if let Some(ground) = &mut self.ground {
            while cells != 0 {
                let id = CellId((first + cells.trailing_zeros() as usize) as u32);
                cells &= cells - 1;
                if free { ground.freed(id) } else { ground.blocked(id) }
            }
        }
    }

    /// Sets the price of all cells of an area.
    fn set_price(&mut self, area: Area, price: u8) {
        if let Some(ground) = &mut self.ground {
            ground.set(area, self.stride as usize, price);
        }
    }

    /// Recomputes the legal moves of cells in and next to an area.
    fn fill_moves_around(&mut self, area: Area) {
        let all = Area { left: 1, right: self.width as usize, top: 1, bottom: self.height as usize };
        let area = area.grown(1, 1, all);
        for y in area.top..=area.bottom {
            self.fill_moves(y, area.left, area.right);
        }
    }

    /// Recomputes the legal moves of the cells from padded `first` to `last` in padded row `y`.
    fn fill_moves(&mut self, y: usize, first: usize, last: usize) {
        // A window that begins one cell to the left covers the neighbours of all but its first and last cell.
        const STEP: usize = WINDOW - 2;
        let row = y * self.stride as usize;
        for first in (first..=last).step_by(STEP) {
            let last = last.min(first + STEP - 1);
            let mut windows = self.rows.three_windows::<true>(y, first - 1);
            let mut next_column = || {
                let column = windows.iter().fold(0, |column, window| column << 1 | (window & 1) as usize);
                windows = windows.map(|window| window >> 1);
                column
            };
            let mut around = next_column() << 3 | next_column();
            for moves in &mut self.moves[row + first..=row + last] {
                around = (around << 3 | next_column()) & 511;
                *moves = self.move_table[around];
            }
        }
    }

    fn fill_all_moves(&mut self) {
        for y in 1..=self.height as usize {
            self.fill_moves(y, 1, self.width as usize);
        }
    }

    /// The terrain for the prices `under` of the map's cells.
    fn ground_of(&self, convention: Convention, under: Vec<u8>) -> Ground {
        let (width, height, stride) = (self.width as usize, self.height as usize, self.stride as usize);
        let free = (1..=height).flat_map(|y| {
            (1..=width).filter(move |&x| self.rows.get(y, x)).map(move |x| CellId((y * stride + x) as u32))
        });
        Ground::new(convention, under, free)
    }

    fn compute_fingerprint(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(b"octile grid 1 ");
        hash.update(self.movement.name().as_bytes());
        hash.update(&self.width.to_le_bytes());
        hash.update(&self.height.to_le_bytes());
        for y in 1..=self.height as usize {
            hash.update(self.rows.line(y));
        }
        if let Some(ground) = &self.ground {
            hash.update(b"prices ");
            hash.update(ground.convention().name().as_bytes());
            for row in ground.under().chunks(self.stride as usize).skip(1).take(self.height as usize) {
                hash.update(&row[1..=self.width as usize]);
            }
        }
        hash.digest()
    }
}

/// Builds a [`Grid`]: set cells in any order, then call [`build`](GridBuilder::build).
///
/// ```
/// use octile::{Cell, GridBuilder};
/// let mut builder = GridBuilder::new(3, 2)?; // all blocked
/// builder.set(Cell::new(1, 0), true);
/// assert_eq!(builder.build().free_cells(), 1);
/// # Ok::<(), octile::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridBuilder {
    width: u32,
    height: u32,
    movement: Movement,
    rows: BitLines,
    /// The price of each cell when it is free, by padded id.
    prices: Option<(Convention, Vec<u8>)>,
}

impl GridBuilder {
    /// A map of blocked cells.
    ///
    /// # Errors
    /// If a side is 0 or the map is larger than [`MAX_SIDE`] or [`MAX_CELLS`] allow.
    pub fn new(width: u32, height: u32) -> Result<Self, GridError> {
        Self::check_size(u64::from(width), u64::from(height))?;
        Ok(Self::of_checked_size(width, height))
    }

    /// A map of blocked cells of a valid size.
    fn of_checked_size(width: u32, height: u32) -> Self {
        let rows = BitLines::new(height as usize + 2, width as usize + 2);
        Self { width, height, movement: Movement::default(), rows, prices: None }
    }

    /// Checks that a map may have this size.
    pub(crate) fn check_size(width: u64, height: u64) -> Result<(), GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty { width, height });
        }
        let side = u64::from(MAX_SIDE);
        if width > side || height > side || (width + 2) * (height + 2) > MAX_CELLS {
            return Err(GridError::TooLarge { width, height });
        }
        Ok(())
    }

    /// Sets the movement rule of the grid.
    #[must_use]
    pub fn movement(mut self, movement: Movement) -> Self {
        self.movement = movement;
        self
    }

    /// Gives the grid prices under this convention; they start at 1 if the builder had none.
    ///
    /// ```
    /// use octile::GridBuilder;
    /// use octile::grid::Convention;
    /// let mut builder = GridBuilder::new(3, 1)?.convention(Convention::Enter);
    /// builder.set_price((0, 0), 1).set_price((2, 0), 4);
    /// let grid = builder.build();
    /// assert_eq!(([0, 1, 2].map(|x| grid.price((x, 0))), grid.convention()), ([1, 0, 4], Some(Convention::Enter)));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    #[must_use]
    pub fn convention(mut self, convention: Convention) -> Self {
        let cells = (self.width as usize + 2) * (self.height as usize + 2);
        let (_, prices) = self.prices.unwrap_or_else(|| (convention, vec![1; cells]));
        self.prices = Some((convention, prices));
        self
    }

    /// Frees one cell at a price from 1 to 255, or blocks it if the price is 0. The price is ignored unless the builder
    /// has a [convention](Self::convention).
    ///
    /// # Panics
    /// If the cell is not on the map.
    pub fn set_price(&mut self, cell: impl Into<Cell>, price: u8) -> &mut Self {
        let cell = cell.into();
        self.set(cell, price != 0);
        if let Some((_, prices)) = &mut self.prices
            && price != 0
        {
            prices[(cell.y as usize + 1) * (self.width as usize + 2) + cell.x as usize + 1] = price;
        }
        self
    }

    /// Frees or blocks one cell.
    ///
    /// # Panics
    /// If the cell is not on the map.
    pub fn set(&mut self, cell: impl Into<Cell>, free: bool) -> &mut Self {
        let cell = cell.into();
        assert!(cell.x < self.width && cell.y < self.height, "cell {cell} is not on the map");
        self.rows.set(cell.y as usize + 1, cell.x as usize + 1, free);
        self
    }

    /// Sets a row from the left; if `free` is shorter than the row, the other cells keep their state.
    ///
    /// ```
    /// use octile::GridBuilder;
    /// let mut builder = GridBuilder::new(4, 1)?;
    /// builder.set_row(0, [true, true]);
    /// assert_eq!(octile::formats::ascii::write(&builder.build()), "..@@\n");
    /// # Ok::<(), octile::GridError>(())
    /// ```
    ///
    /// # Panics
    /// If the row is not on the map.
    pub fn set_row(&mut self, y: u32, free: impl IntoIterator<Item = bool>) -> &mut Self {
        assert!(y < self.height, "row {y} is not on the map");
        let width = self.width as usize;
        let line = self.rows.line_mut(y as usize + 1);
        for (position, free) in (1..=width).zip(free) {
            let (byte, bit) = (position / 8, position % 8);
            line[byte] = line[byte] & !(1 << bit) | u8::from(free) << bit;
        }
        self
    }

    /// Sets a row from one byte per cell: 1 is free, 0 blocked. Much faster than `set_row`, for readers of large files.
    pub(crate) fn set_row_bytes(&mut self, y: u32, cells: &[u8]) {
        debug_assert_eq!(cells.len(), self.width as usize);
        let mut packed = cells.chunks(8).map(bits::pack);
        // Bit 0 of a line is padding: the lowest bit of every byte comes from the cells before.
        let mut carry = 0;
        for byte in self.rows.line_mut(y as usize + 1) {
            let bits = packed.next().unwrap_or(0);
            *byte = bits << 1 | carry;
            carry = bits >> 7;
        }
    }

    /// Blocks every cell that does not belong to the largest connected area.
    ///
    /// ```
    /// let mut builder = octile::Grid::from_fn(5, 1, |cell| cell.x != 1)?.edit();
    /// assert_eq!(builder.keep_largest_area().clone().build().free_cells(), 3);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn keep_largest_area(&mut self) -> &mut Self {
        let stride = self.width + 2;
        let components = Components::label(&self.rows, self.width as usize, self.height as usize, Contact::Sides);
        for CellId(id) in components.outside_largest() {
            self.rows.set((id / stride) as usize, (id % stride) as usize, false);
        }
        self
    }

    /// Builds the grid.
    pub fn build(self) -> Grid {
        let Self { width, height, movement, rows, prices } = self;
        let stride = width + 2;
        let columns = rows.transposed(height as usize + 2, width as usize + 2);
        let components = Components::label(&rows, width as usize, height as usize, Contact::Sides);
        let free_cells = (1..=height as usize).flat_map(|y| rows.line(y)).map(|byte| byte.count_ones()).sum();
        let mut data = Data {
            width,
            height,
            stride,
            stride_reciprocal: u64::MAX / u64::from(stride) + 1,
            movement,
            moves: vec![0; stride as usize * (height as usize + 2)],
            move_table: movement.table(),
            rows,
            columns,
            free_cells,
            components,
            ground: None,
            fingerprint: OnceLock::new(),
        };
        data.fill_all_moves();
        data.ground = prices.map(|(convention, under)| data.ground_of(convention, under));
        Grid { data: Arc::new(data) }
    }
}

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;
