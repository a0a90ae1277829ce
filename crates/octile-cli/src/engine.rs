//! What can run in a race.

use std::fmt;

use anyhow::Result;
use octile::{Finder, PlannerSpec};

use crate::race::Course;

/// What answers queries in a race.
#[derive(Clone, Debug)]
pub(crate) enum Engine {
    /// One of octile's own planners.
    Planner(PlannerSpec),
}

impl Engine {
    /// Those of other projects.
    pub(crate) fn peers() -> Vec<Self> {
        Vec::new()
    }

    /// Whether it is another project's.
    pub(crate) fn is_peer(&self) -> bool {
        match self {
            Self::Planner(_) => false,
        }
    }

    /// Makes it ready for a course.
    pub(crate) fn build(&self, course: &Course) -> Result<Finder> {
        match self {
            Self::Planner(spec) => course.indexes.build(spec, &course.grid, &course.name),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Planner(spec) => spec.fmt(f),
        }
    }
}
