//! Query options beyond the endpoints, as plain data that programs can keep.

use std::time::Duration;

use super::query::{Nearest, Query};
use crate::path::Output;

/// Query options beyond the endpoints: command lines and bindings for other languages set them once for many queries. A
/// timeout starts when the options are [applied to a query](QueryOptions::apply_to).
///
/// ```
/// use octile::planner::QueryOptions;
/// use octile::{Engine, Grid, Query, Status};
/// use octile::planner::Nearest;
/// let terms = QueryOptions { nearest: Nearest::Goal, max_cost: 9.0, ..QueryOptions::default() };
/// let engine = Engine::new("jps", &"...@.".parse::<Grid>()?)?;
/// assert_eq!(engine.ask(terms.apply_to(Query::new((0, 0), (4, 0))))?.status(), Status::Nearest);
/// assert!(QueryOptions::default().is_plain() && !terms.is_plain());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// What to return.
    pub output: Output,
    /// What to do about unusable endpoints.
    pub nearest: Nearest,
    /// The maximum cost of a path.
    pub max_cost: f64,
    /// The maximum number of expansions.
    pub max_expanded: u64,
    /// The maximum time.
    pub timeout: Option<Duration>,
}

/// Converts a number of seconds to a duration, as bindings for other languages pass it. A number beyond the longest
/// duration becomes the longest duration.
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

/// The error for a number that is not a valid duration.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("`{time}` is not a time: expected seconds, 0 or more")]
pub struct NoTime {
    /// The number.
    pub time: f64,
}

impl Default for QueryOptions {
    /// Turning points as output, and no limits.
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
    /// Applies these options to a query. A timeout starts now.
    pub fn apply_to<'q>(&self, query: Query<'q>) -> Query<'q> {
        let query = Query { nearest: self.nearest, ..query };
        let query = query.output(self.output).max_cost(self.max_cost).max_expanded(self.max_expanded);
        self.timeout.map_or(query, |time| query.within(time))
    }

    /// Whether the options ask for a path between two cells and nothing more. A [`PathQuery`](super::PathQuery) then
    /// says the same.
    pub fn is_plain(&self) -> bool {
        *self == Self { output: self.output, ..Self::default() }
    }
}
