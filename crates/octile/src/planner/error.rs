//! Errors of queries and edits. A missing path is an answer, not an error.

use std::fmt;

use crate::geometry::Cell;
use crate::grid::{EditFault, Edits, Grid};
use crate::path::PathFault;

/// An endpoint of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The start.
    Start,
    /// The goal.
    Goal,
    /// One of many starts, by its index.
    Source(usize),
    /// One of many goals, by its index.
    Target(usize),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::Goal => f.write_str("goal"),
            Self::Source(number) => write!(f, "source {number} at"),
            Self::Target(number) => write!(f, "target {number} at"),
        }
    }
}

/// A query that no planner can answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// An endpoint is off the map.
    #[error("{end} {cell} is off the map: x must be below {width} and y below {height}")]
    OffMap {
        /// Which endpoint.
        end: End,
        /// The endpoint.
        cell: Cell,
        /// Cells in a row of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// An endpoint is blocked.
    #[error("{end} {cell} is blocked: choose a free cell")]
    Blocked {
        /// Which endpoint.
        end: End,
        /// The endpoint.
        cell: Cell,
    },
    /// The list of goals is empty.
    #[error("the query has no goals: give at least one cell to go to")]
    NoGoals,
    /// The maximum cost is not a number.
    #[error("the maximum cost is not a number")]
    MaxCost,
    /// The scratch was made by another planner, perhaps for another map.
    #[error("this scratch belongs to another planner: create one with this planner's `create_scratch`")]
    ForeignScratch,
    /// A matrix with this many costs does not fit in memory.
    #[error("a matrix of {sources} x {targets} costs does not fit in memory: ask for fewer at a time")]
    TooMany {
        /// The number of sources.
        sources: usize,
        /// The number of targets.
        targets: usize,
    },
    /// The cost of the path is too large to be counted exactly: on maps with terrain costs, after some hundred thousand
    /// moves at the greatest costs.
    #[error("the cost of the path is too large to count exactly: use smaller prices")]
    TooDear,
    /// The planner wrote something that is not a path: a bug in the planner.
    #[error("planner `{planner}` returned an invalid path: {fault}")]
    Broken {
        /// The planner's name.
        planner: &'static str,
        /// What is wrong with the path. Boxed because every answer reserves space for an error.
        #[source]
        fault: Box<PathFault>,
    },
}

impl QueryError {
    /// The error for a planner that wrote something that is not a path, or a path whose cost is too large.
    pub(crate) fn broken(planner: &'static str, fault: PathFault) -> Self {
        if fault == PathFault::TooDear { Self::TooDear } else { Self::Broken { planner, fault: Box::new(fault) } }
    }

    /// Checks that an endpoint is a free cell of the map.
    pub(crate) fn check(grid: &Grid, end: End, cell: Cell) -> Result<(), Self> {
        if !grid.contains(cell) {
            return Err(Self::OffMap { end, cell, width: grid.width(), height: grid.height() });
        }
        if grid.is_free(cell) { Ok(()) } else { Err(Self::Blocked { end, cell }) }
    }

    /// Checks that all of these endpoints are free cells of the map; `end` makes an `End` from an index.
    pub(crate) fn check_all(grid: &Grid, end: fn(usize) -> End, cells: &[Cell]) -> Result<(), Self> {
        cells.iter().enumerate().try_for_each(|(number, &cell)| Self::check(grid, end(number), cell))
    }
}

/// Why an edit of the map could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The map does not accept the edit. Nothing has changed.
    #[error(transparent)]
    Map(#[from] EditFault),
    /// The planner cannot follow the edit by itself: rebuild its index, or hold it in an [`Engine`](crate::Engine). It
    /// still answers for the map it was built for.
    #[error(
        "the index of planner `{planner}` cannot follow edits: use the planner through an engine, or rebuild the index"
    )]
    Refused {
        /// The planner's name.
        planner: &'static str,
    },
}

impl EditError {
    /// Refuses edits of a map for a planner, unless they change nothing.
    pub(crate) fn refuse(planner: &'static str, grid: &Grid, edits: &Edits) -> Result<(), Self> {
        edits.check(grid)?;
        if grid.changes_under(edits) { Err(Self::Refused { planner }) } else { Ok(()) }
    }
}
