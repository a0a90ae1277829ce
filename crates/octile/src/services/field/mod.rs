//! Distances from all cells to the nearest of some goals, and the steps to it: [`Field`].
//!
//! - **Guarantee**: exact costs, under every movement rule, with and without terrain costs. **Preprocessing**: none.
//! - **Complexity**: time and memory are proportional to the cells reached and the cells of the map; over terrain also
//!   to the greatest path cost divided by the least terrain cost. A change of the map takes time proportional to the
//!   cells whose costs change and their neighbours.
//! - **Why it is exact**: `queue.rs` proves that cells need no order inside a bucket, `labels.rs` that moves can be
//!   pruned, `repair.rs` that repaired costs equal those of a new field, and `flow.rs` that units that follow the
//!   directions arrive.
//!
//! Costs are 32-bit numbers in [`Narrow`] units, and 64-bit numbers once one is too large for those.

mod distances;
mod flow;
mod labels;
mod queue;
mod repair;

use std::fmt;

pub use self::distances::{Distances, distances};
use self::labels::{KeptMoves, Labels, Orientation, Task};
use crate::geometry::units::{Narrow, Wide};
use crate::geometry::{Cell, CellId, Dir, GridCost, PathCost};
use crate::grid::{EditFault, Edits, Grid, Ground};
use crate::path::{Output, Path};
use crate::planner::{End, QueryError, SizeBytes};

/// The exact distance from every cell to the nearest of some goals, and the next step to it: for many units with one
/// destination, or threat maps. For the distances from a cell, which differ where a path [costs more in one
/// direction](crate::grid::Convention::Enter), use [`distances`].
///
/// ```
/// use octile::{Cell, Edits, Field, Grid, GridCost};
/// use octile::geometry::Dir;
/// let grid: Grid = "
///     .....
///     .@@@.
///     .....
/// ".parse()?;
/// let mut field = Field::new(&grid, &[(0, 0), (4, 2)])?;
/// assert_eq!(field.cost((3, 0)), Some(GridCost::new(3, 0)));
/// assert_eq!((field.next((3, 0)), field.goal((3, 0))), (Some(Dir::E), Some(Cell::new(4, 2))));
///
/// // Edits: only what they affect is computed again.
/// field.apply(Edits::new().block((4, 1)))?;
/// assert_eq!(field.goal((3, 0)), Some(Cell::new(0, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Field {
    grid: Grid,
    goals: Vec<Cell>,
    /// No cell with a longer path has a cost.
    greatest_cost: f64,
    orientation: Orientation,
    kept: KeptMoves,
    labels: Widths,
    /// The cells that differ from what the edits want.
    changed: Vec<Cell>,
}

/// Costs in 32 bits until one does not fit; from then on in 64.
#[derive(Clone, Debug)]
enum Widths {
    Narrow(Box<Labels<Narrow>>),
    Wide(Box<Labels<Wide>>),
}

/// Evaluates an expression with the labels of either width.
macro_rules! either {
    ($widths:expr, $labels:ident => $answer:expr) => {
        match $widths {
            Widths::Narrow($labels) => $answer,
            Widths::Wide($labels) => $answer,
        }
    };
}

impl Field {
    /// Computes the field of a whole map. Without a goal no cell has a cost.
    ///
    /// ```
    /// use octile::{Field, Grid, QueryError};
    /// let grid: Grid = "..@..".parse()?;
    /// let field = Field::new(&grid, &[(0, 0)])?;
    /// assert!(field.cost((1, 0)).is_some() && field.cost((3, 0)).is_none());
    /// assert!(matches!(Field::new(&grid, &[(2, 0)]), Err(QueryError::Blocked { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a goal is off the map or blocked, or a path [costs too much](QueryError::TooDear).
    pub fn new(grid: &Grid, goals: &[impl Into<Cell> + Copy]) -> Result<Self, QueryError> {
        Self::within(grid, goals, f64::INFINITY)
    }

    /// Computes the field for cells whose path has a [length](Field::length) of at most `greatest_cost`; all others
    /// have no cost. If `greatest_cost` is negative or NaN, no cell has one.
    ///
    /// ```
    /// use octile::{Field, Grid};
    /// let field = Field::within(&Grid::open(9, 1)?, &[(0, 0)], 3.0)?;
    /// assert!(field.cost((3, 0)).is_some() && field.cost((4, 0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Field::new), for paths within the limit.
    pub fn within(grid: &Grid, goals: &[impl Into<Cell> + Copy], greatest_cost: f64) -> Result<Self, QueryError> {
        let mut field = Self::empty(grid, Orientation::ToGoals, greatest_cost);
        field.set_goals(goals)?;
        Ok(field)
    }

    /// A field without goals.
    fn empty(grid: &Grid, orientation: Orientation, greatest_cost: f64) -> Self {
        Self {
            grid: grid.clone(),
            goals: Vec::new(),
            greatest_cost,
            orientation,
            kept: KeptMoves::new(grid.movement()),
            labels: Widths::Narrow(Box::new(Labels::new(grid, greatest_cost))),
            changed: Vec::new(),
        }
    }

    /// Computes the distances to other goals, reusing memory.
    ///
    /// ```
    /// use octile::{Field, Grid, GridCost};
    /// let mut field = Field::new(&Grid::open(9, 1)?, &[(0, 0)])?;
    /// field.set_goals(&[(8, 0)])?;
    /// assert_eq!(field.cost((0, 0)), Some(GridCost::new(8, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a goal is off the map or blocked; then the field is unchanged. If a path [costs too
    /// much](QueryError::TooDear); then the field has no goals.
    pub fn set_goals(&mut self, goals: &[impl Into<Cell> + Copy]) -> Result<(), QueryError> {
        let goals = || goals.iter().map(|&goal| goal.into());
        goals().try_for_each(|goal| QueryError::check(&self.grid, End::Goal, goal))?;
        self.goals.clear();
        self.goals.extend(goals());
        self.fill();
        if self.is_cut() {
            self.goals.clear();
            self.fill();
            return Err(QueryError::TooDear);
        }
        Ok(())
    }

    /// The cell that the [next](Field::next) step leads to.
    ///
    /// ```
    /// use octile::{Cell, Field, Grid};
    /// let field = Field::new(&Grid::open(9, 9)?, &[(0, 0)])?;
    /// assert_eq!((field.step((3, 2)), field.step((0, 0))), (Some(Cell::new(2, 1)), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&self, cell: impl Into<Cell>) -> Option<Cell> {
        let cell = cell.into();
        self.next(cell).map(|dir| dir.step(cell, 1))
    }

    /// Computes the field of another map, other goals or another greatest cost, reusing memory.
    ///
    /// ```
    /// use octile::{Field, Grid};
    /// let mut field = Field::new(&Grid::open(9, 1)?, &[(0, 0)])?;
    /// field.reset(&Grid::open(3, 2)?, &[(1, 1)], 1.0)?;
    /// assert!(field.cost((1, 0)).is_some() && field.cost((0, 0)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Field::new); then the field has no goals.
    pub fn reset(
        &mut self,
        grid: &Grid,
        goals: &[impl Into<Cell> + Copy],
        greatest_cost: f64,
    ) -> Result<(), QueryError> {
        self.forget(grid, greatest_cost);
        self.set_goals(goals)
    }

    /// Clears the field, for another map and without goals.
    fn forget(&mut self, grid: &Grid, greatest_cost: f64) {
        if self.grid.movement() != grid.movement() {
            self.kept = KeptMoves::new(grid.movement());
        }
        self.grid = grid.clone();
        self.greatest_cost = greatest_cost;
        self.goals.clear();
        either!(&mut self.labels, labels => labels.reset(grid, greatest_cost));
    }

    /// Changes the map and updates the costs that this affects: the result equals a new field for the new map. Returns
    /// whether any cell has changed. A blocked goal does not count until it is freed. If terrain costs make paths cost
    /// more than can be counted, the field [is cut](Field::is_cut).
    ///
    /// ```
    /// use octile::{Edits, Field, Grid, GridCost};
    /// let mut field = Field::new(&Grid::open(3, 3)?, &[(0, 0)])?;
    /// assert!(field.apply(Edits::new().block_rect((1, 0), (1, 1)))?);
    /// assert_eq!(field.cost((2, 0)), Some(GridCost::new(6, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell is off the map, or an edit sets a terrain cost on a map without terrain; then nothing has changed.
    pub fn apply(&mut self, edits: &Edits) -> Result<bool, EditFault> {
        edits.check(&self.grid)?;
        let (unit, grid) = (self.grid.ground().map(Ground::unit), &self.grid);
        let differs = |&(cell, free): &(Cell, bool)| grid.is_free(cell) != free;
        let costs = |&(cell, price): &(Cell, u8)| grid.is_free(cell) && grid.price(cell) != price;
        self.changed.clear();
        self.changed.extend(edits.iter().filter(differs).map(|(cell, _)| cell));
        self.changed.extend(edits.prices().filter(costs).map(|(cell, _)| cell));
        let changes = self.grid.apply(edits)?;
        if unit != self.grid.ground().map(Ground::unit) {
            // Terrain costs are counted in other units now, and so are all path costs.
            either!(&mut self.labels, labels => labels.set_limit(&self.grid, self.greatest_cost));
            self.fill();
        } else if changes {
            self.repair();
        }
        Ok(changes)
    }

    /// The cost of a shortest path to a goal; `None` if no path exists or it costs too much, or the cell is off the map
    /// or blocked. Over terrain these are [counts](PathCost::counts), which compare exactly with each other;
    /// [`path_cost`](Field::path_cost) and [`length`](Field::length) convert them.
    ///
    /// ```
    /// use octile::{Field, Grid, GridCost};
    /// let field = Field::new(&"...\n.@.\n..@".parse::<Grid>()?, &[(0, 0)])?;
    /// assert_eq!(field.cost((2, 1)), Some(GridCost::new(3, 0)));
    /// assert_eq!((field.cost((2, 2)), field.cost((9, 9))), (None, None), "blocked, and off the map");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn cost(&self, cell: impl Into<Cell>) -> Option<GridCost> {
        let id = self.id(cell.into())?;
        either!(&self.labels, labels => labels.octile(&self.grid, id))
    }

    /// The cost of a shortest path to a goal, in the form that paths use.
    ///
    /// ```
    /// use octile::{Field, Grid, GridCost, PathCost};
    /// let field = Field::new(&"135".parse::<Grid>()?, &[(0, 0)])?;
    /// assert_eq!(field.path_cost((2, 0)), Some(PathCost::Priced { counts: GridCost::new(24, 0), parts: 4 }));
    /// assert_eq!(field.path_cost((2, 0)).unwrap().to_string(), "6"); // 4 + 2: a move costs the mean of both cells
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn path_cost(&self, cell: impl Into<Cell>) -> Option<PathCost> {
        self.cost(cell).map(|counts| self.grid.cost_of_counts(counts))
    }

    /// The length of a shortest path to a goal: over terrain, its cost in the map's terrain costs.
    ///
    /// ```
    /// use octile::{Field, Grid};
    /// let field = Field::new(&"135".parse::<Grid>()?, &[(0, 0)])?;
    /// assert_eq!((field.length((2, 0)), field.length((3, 0))), (Some(6.0), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn length(&self, cell: impl Into<Cell>) -> Option<f64> {
        self.path_cost(cell).map(PathCost::length)
    }

    /// Whether cells have no cost because their paths cost more than can be counted exactly, as after an edit that
    /// raises terrain costs: see [`QueryError::TooDear`]. Never true on a map without terrain costs.
    ///
    /// ```
    /// use octile::{Edits, Field, Grid};
    /// let mut field = Field::new(&"1111".parse::<Grid>()?, &[(0, 0)])?;
    /// field.apply(Edits::new().price_rect((0, 0), (3, 0), 255))?;
    /// assert!(!field.is_cut());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_cut(&self) -> bool {
        either!(&self.labels, labels => labels.is_cut)
    }

    /// The first step of a shortest path to a goal; `None` at a goal, and in cells without a cost. If several steps
    /// qualify, diagonal ones come first; among those or, if there are none, among the straight ones, the first
    /// clockwise from north.
    ///
    /// ```
    /// use octile::{Field, Grid};
    /// use octile::geometry::Dir;
    /// let field = Field::new(&Grid::open(9, 9)?, &[(0, 0)])?;
    /// assert_eq!((field.next((5, 3)), field.next((5, 0)), field.next((0, 0))), (Some(Dir::NW), Some(Dir::W), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn next(&self, cell: impl Into<Cell>) -> Option<Dir> {
        let id = self.id(cell.into())?;
        either!(&self.labels, labels => labels.next(&self.grid, self.orientation, id))
    }

    /// The goal that the [next](Field::next) steps lead to: one of the nearest. Takes time proportional to the steps.
    ///
    /// ```
    /// use octile::{Cell, Field, Grid};
    /// let field = Field::new(&Grid::open(9, 1)?, &[(0, 0), (8, 0)])?;
    /// assert_eq!(field.goal((5, 0)), Some(Cell::new(8, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn goal(&self, cell: impl Into<Cell>) -> Option<Cell> {
        let mut cell = cell.into();
        self.cost(cell)?;
        while let Some(dir) = self.next(cell) {
            cell = dir.step(cell, 1);
        }
        Some(cell)
    }

    /// Writes the path of the [next](Field::next) steps from a cell to a goal: a shortest one. Returns whether a path
    /// exists; if not, `path` is empty.
    ///
    /// ```
    /// use octile::{Cell, Field, Grid, Output, Path};
    /// let field = Field::new(&Grid::open(9, 9)?, &[(0, 0)])?;
    /// let mut path = Path::new();
    /// assert!(field.path((5, 3), Output::Waypoints, &mut path));
    /// assert_eq!(path.points()?, [(5, 3), (2, 0), (0, 0)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path(&self, from: impl Into<Cell>, output: Output, path: &mut Path) -> bool {
        let mut cell = from.into();
        path.clear();
        let Some(cost) = self.path_cost(cell) else { return false };
        let mut writer = path.write(output, cell);
        while let Some(dir) = self.next(cell) {
            writer.go(dir, 1);
            cell = dir.step(cell, 1);
        }
        writer.finish();
        path.set_priced(cost);
        true
    }

    /// The direction for a unit at any point of a cell: a vector of length 1. Points are in cells from the upper left
    /// corner of the map, so the centre of cell `x, y` is at `x + 0.5, y + 0.5`. `None` where the cell has no cost and
    /// no unit of another cell passes.
    ///
    /// Directions change smoothly where there is room, and follow [`next`](Field::next) near walls. A unit that follows
    /// them in steps of up to a quarter of a cell reaches a goal's cell, through no obstacle and across no corner that
    /// the movement rule forbids. There they lead to the centre, where the vector is zero. Over terrain, a diagonal
    /// step between two expensive cells crosses a corner of one of them.
    ///
    /// ```
    /// use octile::{Cell, Field, Grid};
    /// let field = Field::new(&"...\n.@.".parse::<Grid>()?, &[(2, 1)])?;
    /// let (mut x, mut y) = (0.9, 1.9);
    /// while (x as u32, y as u32) != (2, 1) {
    ///     let (dx, dy) = field.direction(x, y).expect("a path exists");
    ///     (x, y) = (x + 0.1 * dx, y + 0.1 * dy);
    ///     assert!(field.grid().is_free((x as u32, y as u32)));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn direction(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        either!(&self.labels, labels => labels.direction(&self.grid, self.orientation, x, y))
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The goals as given.
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Heap memory in bytes, without the map.
    pub fn size_bytes(&self) -> usize {
        let labels = either!(&self.labels, labels => labels.size_bytes());
        labels + self.goals.size_bytes() + self.changed.size_bytes() + size_of::<[[u8; 256]; 8]>()
    }

    #[inline]
    fn id(&self, cell: Cell) -> Option<CellId> {
        self.grid.contains(cell).then(|| self.grid.id(cell))
    }

    /// Finds all costs.
    fn fill(&mut self) {
        let task = Task { grid: &self.grid, goals: &self.goals, kept: &self.kept, orientation: self.orientation };
        if either!(&mut self.labels, labels => labels.fill(task)).is_err() {
            self.widen();
        }
    }

    /// Updates the costs that the changed cells affect.
    fn repair(&mut self) {
        let task = Task { grid: &self.grid, goals: &self.goals, kept: &self.kept, orientation: self.orientation };
        if either!(&mut self.labels, labels => labels.repair(task, &self.changed)).is_err() {
            self.widen();
        }
    }

    /// Finds all costs again, in 64 bits.
    fn widen(&mut self) {
        let task = Task { grid: &self.grid, goals: &self.goals, kept: &self.kept, orientation: self.orientation };
        let mut labels = Box::new(Labels::new(&self.grid, self.greatest_cost));
        let filled = labels.fill(task);
        debug_assert!(filled.is_ok(), "64-bit costs hold every path; over terrain, longer ones are left out");
        self.labels = Widths::Wide(labels);
    }
}

impl SizeBytes for Field {
    fn size_bytes(&self) -> usize {
        Self::size_bytes(self)
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("grid", &self.grid).field("goals", &self.goals).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
