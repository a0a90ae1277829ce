//! What a planner is asked.

use super::error::{End, QueryError};
use crate::geometry::Cell;
use crate::grid::Grid;
use crate::path::Output;

/// From where to where, and what to return.
///
/// ```
/// use octile::{Output, Query};
/// let query = Query::new((3, 4), (60, 7)).output(Output::Cells);
/// assert_eq!(query.goal.x, 60);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Query {
    /// Where the path begins.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// What to return.
    #[cfg_attr(feature = "serde", serde(default))]
    pub output: Output,
}

impl Query {
    /// A query for the turning points of a path.
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        Self { start: start.into(), goal: goal.into(), output: Output::Waypoints }
    }

    /// The same query for another output.
    ///
    /// ```
    /// use octile::{Engine, Grid, Output, Path, Query};
    /// let mut path = Path::new();
    /// Engine::new("jps", &Grid::open(9, 9)?)?.plan(Query::new((0, 0), (8, 8)).output(Output::Cost), &mut path)?;
    /// assert!(path.points().is_err() && path.length() > 11.0, "the cost alone");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    /// Checks that both ends are free cells of a map, as every planner does before it searches. For those who want to know before they
    /// build a planner.
    ///
    /// ```
    /// use octile::{Grid, Query, QueryError};
    /// let grid: Grid = "..@".parse()?;
    /// assert_eq!(Query::new((0, 0), (1, 0)).check(&grid), Ok(()));
    /// assert!(matches!(Query::new((0, 0), (2, 0)).check(&grid), Err(QueryError::Blocked { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If one of them is off the map or blocked.
    pub fn check(&self, grid: &Grid) -> Result<(), QueryError> {
        QueryError::check(grid, End::Start, self.start)?;
        QueryError::check(grid, End::Goal, self.goal)
    }
}
