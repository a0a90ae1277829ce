//! Limits of queries: when a search gives up.

use std::sync::atomic::{AtomicBool, Ordering};

use web_time::Instant;

use super::error::QueryError;

/// When a search gives up. All limits are off by default.
///
/// If no limit is reached, the answer is the same as without limits.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits<'a> {
    /// The maximum length of a path; longer paths do not count. (For a grid path it limits the
    /// [length](crate::PathCost::length), the exact cost as `f64`; on maps with terrain costs it includes them.)
    pub max_cost: f64,
    /// The maximum number of expansions. Each planner defines what counts as one; planners that answer from an index
    /// make few or none.
    pub max_expanded: u64,
    /// The time at which to give up.
    pub deadline: Option<Instant>,
    /// A flag that cancels the search once it is set.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self { max_cost: f64::INFINITY, max_expanded: u64::MAX, deadline: None, cancel: None }
    }
}

impl Limits<'_> {
    /// Whether all limits are off.
    ///
    /// ```
    /// use octile::Query;
    /// use octile::planner::Limits;
    /// assert!(Limits::default().is_none());
    /// assert!(!Query::new((0, 0), (1, 1)).max_cost(9.0).limits.is_none());
    /// ```
    #[inline]
    pub fn is_none(&self) -> bool {
        self.max_cost == f64::INFINITY && self.is_work_unlimited()
    }

    /// Whether the work of a search is unlimited.
    #[inline]
    pub(crate) fn is_work_unlimited(&self) -> bool {
        self.max_expanded == u64::MAX && self.deadline.is_none() && self.cancel.is_none()
    }

    /// Checks that the maximum cost is a number.
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        if self.max_cost.is_nan() { Err(QueryError::MaxCost) } else { Ok(()) }
    }

    /// The limit that is reached before any work is done, if there is one.
    pub(crate) fn reached_at_once(&self) -> Option<Limit> {
        if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Limit::Deadline)
    }
}

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Limit {
    /// Every path is longer than the maximum cost.
    Cost,
    /// The maximum number of expansions was reached.
    Expanded,
    /// The deadline has passed.
    Deadline,
    /// The query was cancelled.
    Cancelled,
}

impl Limit {
    /// Its name in reports.
    ///
    /// ```
    /// assert_eq!(octile::planner::Limit::Deadline.name(), "deadline");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Expanded => "expanded",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
        }
    }
}
