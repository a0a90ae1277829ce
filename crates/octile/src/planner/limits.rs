//! When a search is given up.

use std::sync::atomic::{AtomicBool, Ordering};

use web_time::Instant;

use super::error::QueryError;

/// When to give up. Every limit is off by default.
///
/// An answer within all limits is the one that there would be without them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits<'a> {
    /// Paths that are longer do not count. (Of a grid path the [length](crate::PathCost::length) counts, the exact cost
    /// as `f64`; over terrain that is by the prices of the map.)
    pub max_cost: f64,
    /// After so many expansions. What counts as one, its planner says; those that answer from an index make few or
    /// none.
    pub max_expanded: u64,
    /// When this time has come.
    pub deadline: Option<Instant>,
    /// When this is set.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self { max_cost: f64::INFINITY, max_expanded: u64::MAX, deadline: None, cancel: None }
    }
}

impl Limits<'_> {
    /// Whether there are none.
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

    /// Whether a search may take as long as it likes.
    #[inline]
    pub(crate) fn is_work_unlimited(&self) -> bool {
        self.max_expanded == u64::MAX && self.deadline.is_none() && self.cancel.is_none()
    }

    /// Checks that the greatest cost is a number.
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        if self.max_cost.is_nan() { Err(QueryError::MaxCost) } else { Ok(()) }
    }

    /// The limit that is reached before anything is done, if there is one.
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
    /// Every path is longer than the greatest cost.
    Cost,
    /// So many expansions were not enough.
    Expanded,
    /// The time has come.
    Deadline,
    /// It was cancelled.
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
