//! Distances from one cell to all others: [`Distances`].

use std::fmt;

use super::Field;
use super::labels::Ways;
use crate::geometry::{Cell, GridCost, PathCost};
use crate::grid::Grid;
use crate::path::{Output, Path};
use crate::planner::SizeBytes;

/// The exact distances from one cell to all others, and the ways there: what [`distances`] finds.
///
/// ```
/// use octile::{Cell, Convention, Grid, Output, Path, distances};
/// let grid = "19".parse::<Grid>()?.with_convention(Convention::Enter);
/// let distances = distances(&grid, (0, 0));
/// assert_eq!(distances.length((1, 0)), Some(9.0)); // what entering the other cell costs: back it is 1
/// let mut path = Path::new();
/// assert!(distances.path((1, 0), Output::Waypoints, &mut path));
/// assert_eq!(path.points()?, [(0, 0), (1, 0)].map(Cell::from));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Distances {
    /// Its only goal, if it has one, is where ways begin.
    field: Field,
}

impl Distances {
    /// Those from a free cell, or back to it, up to a greatest cost, in the memory of others that there may be.
    pub(crate) fn renewed<'a>(
        kept: &'a mut Option<Self>,
        grid: &Grid,
        (source, is_back): (Cell, bool),
        greatest_cost: f64,
    ) -> &'a Self {
        let ways = if is_back { Ways::ToGoals } else { Ways::FromGoals };
        let distances = kept.get_or_insert_with(|| Self { field: Field::empty(grid, ways, greatest_cost) });
        distances.field.ways = ways;
        distances.field.forget(grid, greatest_cost);
        distances.field.goals.push(source);
        distances.field.fill();
        distances
    }

    /// Whether cells have no cost only because that cannot be counted.
    pub(crate) fn is_cut(&self) -> bool {
        self.field.is_cut()
    }

    /// The cell that they are from; `None` if that is blocked or off the map.
    pub fn source(&self) -> Option<Cell> {
        self.field.goals().first().copied()
    }

    /// The cost of a shortest way to a cell, as [`Field::cost`]; `None` if there is none, or the cell is off the map or
    /// blocked.
    #[inline]
    pub fn cost(&self, cell: impl Into<Cell>) -> Option<GridCost> {
        self.field.cost(cell)
    }

    /// The cost of a shortest way to a cell, as paths have it.
    ///
    /// ```
    /// use octile::{Grid, GridCost, distances};
    /// let distances = distances(&Grid::open(5, 3)?, (0, 0));
    /// assert_eq!(distances.path_cost((4, 2)), Some(GridCost::new(2, 2).into()));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    #[inline]
    pub fn path_cost(&self, cell: impl Into<Cell>) -> Option<PathCost> {
        self.field.path_cost(cell)
    }

    /// The length of a shortest way to a cell: over terrain, what it costs by the prices of the map.
    #[inline]
    pub fn length(&self, cell: impl Into<Cell>) -> Option<f64> {
        self.field.length(cell)
    }

    /// Writes a shortest path to a cell. Returns whether there is one; if not, the path is empty.
    pub fn path(&self, to: impl Into<Cell>, output: Output, path: &mut Path) -> bool {
        let mut cell = to.into();
        path.clear();
        let Some(cost) = self.path_cost(cell) else { return false };
        let mut writer = path.write_back(output, cell);
        while let Some(back) = self.field.next(cell) {
            writer.came(back.opposite(), 1);
            cell = back.step(cell, 1);
        }
        writer.finish();
        path.set_priced(cost);
        true
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        self.field.grid()
    }

    /// Heap memory in bytes, without the map.
    pub fn size_bytes(&self) -> usize {
        self.field.size_bytes()
    }
}

impl SizeBytes for Distances {
    fn size_bytes(&self) -> usize {
        Self::size_bytes(self)
    }
}

impl fmt::Debug for Distances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Distances").field("grid", self.grid()).field("source", &self.source()).finish_non_exhaustive()
    }
}

/// The distances from one cell to all others. From a blocked or off-map cell nothing is reached; nor is what costs
/// [more than can be counted](crate::QueryError::TooDear).
///
/// ```
/// use octile::{Grid, GridCost, distances};
/// let grid: Grid = "...\n.@.\n..@".parse()?;
/// let distances = distances(&grid, (0, 0));
/// assert_eq!(distances.cost((2, 1)), Some(GridCost::new(3, 0)));
/// assert_eq!(distances.cost((2, 2)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distances(grid: &Grid, source: impl Into<Cell>) -> Distances {
    let mut field = Field::empty(grid, Ways::FromGoals, f64::INFINITY);
    field.goals.extend(Some(source.into()).filter(|&cell| grid.is_free(cell)));
    field.fill();
    Distances { field }
}
