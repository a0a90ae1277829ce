//! What is asked for beside the ends of a query, as data that can be kept.

use std::time::Duration;

use super::query::{Nearest, Query};
use crate::path::Output;

/// What is asked for beside the ends of a query: what programs in other languages, and on command lines, say once for
/// many queries. A timeout begins when a query is [made](QueryOptions::of).
///
/// ```
/// use octile::planner::QueryOptions;
/// use octile::{Engine, Grid, Query, Status};
/// use octile::planner::Nearest;
/// let terms = QueryOptions { nearest: Nearest::Goal, max_cost: 9.0, ..QueryOptions::default() };
/// let engine = Engine::new("jps", &"...@.".parse::<Grid>()?)?;
/// assert_eq!(engine.ask(terms.of(Query::new((0, 0), (4, 0))))?.status(), Status::Nearest);
/// assert!(QueryOptions::default().is_plain() && !terms.is_plain());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// What to return.
    pub output: Output,
    /// What to do about ends that cannot be had.
    pub nearest: Nearest,
    /// No longer path than this.
    pub max_cost: f64,
    /// No more expansions than this.
    pub max_expanded: u64,
    /// No more time than this.
    pub timeout: Option<Duration>,
}

/// A time that is given as a number of seconds, as programs in other languages have it. More than there can be is the
/// most that there is.
///
/// ```
/// use octile::planner::seconds;
/// assert_eq!(seconds(1.5)?.as_millis(), 1500);
/// assert_eq!(seconds(f64::INFINITY)?, std::time::Duration::MAX);
/// assert!(seconds(-1.0).is_err() && seconds(f64::NAN).is_err());
/// # Ok::<(), octile::planner::NoTime>(())
/// ```
///
/// # Errors
/// If it is negative or not a number.
pub fn seconds(time: f64) -> Result<Duration, NoTime> {
    if time >= Duration::MAX.as_secs_f64() {
        return Ok(Duration::MAX);
    }
    Duration::try_from_secs_f64(time).map_err(|_| NoTime { time })
}

/// A number that is no time.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a time is a number of seconds, at least 0: not {time}")]
pub struct NoTime {
    /// The number.
    pub time: f64,
}

impl Default for QueryOptions {
    /// The turning points of a path, without limits.
    fn default() -> Self {
        Self {
            output: Output::Waypoints,
            nearest: Nearest::No,
            max_cost: f64::INFINITY,
            max_expanded: u64::MAX,
            timeout: None,
        }
    }
}

impl QueryOptions {
    /// A query on these terms, from now on.
    pub fn apply_to<'q>(&self, query: Query<'q>) -> Query<'q> {
        let query = Query { nearest: self.nearest, ..query };
        let query = query.output(self.output).max_cost(self.max_cost).max_expanded(self.max_expanded);
        self.timeout.map_or(query, |time| query.within(time))
    }

    /// Whether they ask for a path between two cells and nothing more: then a [`PathQuery`](super::PathQuery) is the
    /// same.
    pub fn is_plain(&self) -> bool {
        *self == Self { output: self.output, ..Self::default() }
    }
}
