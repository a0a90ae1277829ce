//! Distances from one cell to all others.

use std::fmt;

use super::Field;
use super::labels::Orientation;
use crate::geometry::{Cell, GridCost, PathCost};
use crate::grid::Grid;
use crate::path::{Output, Path};
use crate::planner::SizeBytes;

/// The exact distances from one cell to all others, and the paths: the result of [`distances`].
///
/// ```
/// use octile::{Cell, Grid, Output, Path};
/// use octile::grid::Convention;
/// use octile::services::distances;
/// let grid = "19".parse::<Grid>()?.with_convention(Convention::Enter);
/// let distances = distances(&grid, (0, 0));
/// assert_eq!(distances.length((1, 0)), Some(9.0)); // the cost of entering the other cell; the way back costs 1
/// let mut path = Path::new();
/// assert!(distances.path((1, 0), Output::Waypoints, &mut path));
/// assert_eq!(path.points()?, [(0, 0), (1, 0)].map(Cell::from));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Distances {
    /// Its only goal, if any, is the source.
    field: Field,
}

impl Distances {
    /// Computes the distances from a free cell, or back to it, up to a greatest cost. Reuses the memory of `kept`.
    pub(crate) fn renewed<'a>(
        kept: &'a mut Option<Self>,
        grid: &Grid,
        source: Cell,
        is_back: bool,
        greatest_cost: f64,
    ) -> &'a Self {
        let orientation = if is_back { Orientation::ToGoals } else { Orientation::FromGoals };
        let distances = kept.get_or_insert_with(|| Self { field: Field::empty(grid, orientation, greatest_cost) });
        distances.field.orientation = orientation;
        distances.field.forget(grid, greatest_cost);
        distances.field.goals.push(source);
        distances.field.fill();
        distances
    }

    /// Whether some cells have no cost only because it cannot be counted.
    pub(crate) fn is_cut(&self) -> bool {
        self.field.is_cut()
    }

    /// The source; `None` if that is blocked or off the map.
    pub fn source(&self) -> Option<Cell> {
        self.field.goals().first().copied()
    }

    /// The cost of a shortest path to a cell, as [`Field::cost`]; `None` if there is none, or the cell is off the map
    /// or blocked.
    #[inline]
    pub fn cost(&self, cell: impl Into<Cell>) -> Option<GridCost> {
        self.field.cost(cell)
    }

    /// The cost of a shortest path to a cell, in the form that paths use.
    ///
    /// ```
    /// use octile::{Grid, GridCost};
    /// use octile::services::distances;
    /// let distances = distances(&Grid::open(5, 3)?, (0, 0));
    /// assert_eq!(distances.path_cost((4, 2)), Some(GridCost::new(2, 2).into()));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    #[inline]
    pub fn path_cost(&self, cell: impl Into<Cell>) -> Option<PathCost> {
        self.field.path_cost(cell)
    }

    /// The length of a shortest path to a cell: over terrain, its cost in the map's terrain costs.
    #[inline]
    pub fn length(&self, cell: impl Into<Cell>) -> Option<f64> {
        self.field.length(cell)
    }

    /// Writes a shortest path to a cell. Returns whether a path exists; if not, `path` is empty.
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

/// Computes the distances from one cell to all others. From a blocked or off-map cell nothing is reached. Cells that
/// cost [more than can be counted](crate::QueryError::TooDear) are not reached either.
///
/// ```
/// use octile::{Grid, GridCost};
/// use octile::services::distances;
/// let grid: Grid = "...\n.@.\n..@".parse()?;
/// let distances = distances(&grid, (0, 0));
/// assert_eq!(distances.cost((2, 1)), Some(GridCost::new(3, 0)));
/// assert_eq!(distances.cost((2, 2)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distances(grid: &Grid, source: impl Into<Cell>) -> Distances {
    let mut field = Field::empty(grid, Orientation::FromGoals, f64::INFINITY);
    field.goals.extend(Some(source.into()).filter(|&cell| grid.is_free(cell)));
    field.fill();
    Distances { field }
}
