//! Queries that cannot be answered, and changes that a planner does not take. A missing path is an answer, not an
//! error.

use std::fmt;

use crate::geometry::Cell;
use crate::grid::{EditFault, Edits, Grid};
use crate::path::PathFault;

/// One end of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where the path begins.
    Start,
    /// Where it ends.
    Goal,
    /// One of many starts, counted from 0.
    Source(usize),
    /// One of many goals, counted from 0.
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
    /// An endpoint does not lie on the map.
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
    /// There is nowhere to go.
    #[error("the query has no goals: give at least one cell to go to")]
    NoGoals,
    /// The greatest cost is not a number.
    #[error("the greatest cost of a path is not a number")]
    MaxCost,
    /// The scratch was made by a planner for another map.
    #[error("this scratch was made for another map: make one with the planner's own `create_scratch`")]
    ForeignScratch,
    /// A matrix of so many costs has no room in memory.
    #[error("the costs from {sources} sources to {targets} targets have no room in memory: take fewer at a time")]
    TooMany {
        /// How many sources.
        sources: usize,
        /// How many targets.
        targets: usize,
    },
    /// The path costs more than can be counted exactly: over terrain, after some hundred thousand moves at the greatest
    /// prices.
    #[error("the path costs more than can be counted exactly: take smaller prices")]
    TooDear,
    /// The planner wrote what is no path: a fault of the planner.
    #[error("planner `{planner}` wrote what is no path: {fault}")]
    Broken {
        /// The planner's name.
        planner: &'static str,
        /// What is wrong with the path. In a box: every answer carries room for an error.
        #[source]
        fault: Box<PathFault>,
    },
}

impl QueryError {
    /// That a planner wrote what is no path, or found one that is too dear.
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

    /// Checks that all of some endpoints are free cells of the map; `end` tells which of them one is by its number.
    pub(crate) fn check_all(grid: &Grid, end: fn(usize) -> End, cells: &[Cell]) -> Result<(), Self> {
        cells.iter().enumerate().try_for_each(|(number, &cell)| Self::check(grid, end(number), cell))
    }
}

/// A change to the map that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The map cannot take the change. Nothing has changed.
    #[error(transparent)]
    Map(#[from] EditFault),
    /// The planner cannot follow the change by itself: its index must be built again, or it must be held by an
    /// [`Engine`](crate::Engine). It still answers for the map it was built for.
    #[error(
        "the index of planner `{planner}` cannot follow changes of the map by itself: hold it in an engine, or build it again for the new map"
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
