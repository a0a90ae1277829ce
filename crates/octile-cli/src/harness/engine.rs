//! What can run in a race.

use std::fmt;

use anyhow::Result;
use octile::{BuildError, Finder, Grid, Movement, PlannerSpec};

use super::race::Course;

/// What answers queries in a race.
#[derive(Clone, Debug)]
pub enum Engine {
    /// A planner of the catalog.
    Planner(PlannerSpec),
    /// Another project's.
    Peer(&'static Peer),
}

/// An engine of another project, which runs and is judged as planners are. Its wrong answers are a finding, and do not
/// make a race fail.
#[derive(Debug)]
pub struct Peer {
    /// What it is called in races.
    pub name: &'static str,
    /// Makes it ready for a map under the benchmark's rule, octile.
    build: fn(&Grid) -> Finder,
}

impl Peer {
    /// One of this name, made ready for a map by a function.
    #[must_use]
    pub const fn new(name: &'static str, build: fn(&Grid) -> Finder) -> Self {
        Self { name, build }
    }

    /// Makes it ready for a map.
    pub fn build(&self, grid: &Grid) -> Result<Finder, BuildError> {
        self.check_movement(grid.movement())?;
        Ok((self.build)(grid))
    }

    /// Refuses rules other than the benchmark's.
    pub fn check_movement(&self, asked: Movement) -> Result<(), BuildError> {
        match asked {
            Movement::Octile => Ok(()),
            _ => Err(BuildError::Movement { planner: self.name.to_owned(), asked, supported: vec![Movement::Octile] }),
        }
    }
}

impl Engine {
    /// Whether it is another project's.
    pub fn is_peer(&self) -> bool {
        matches!(self, Self::Peer(_))
    }

    /// The planner, if it is one of the catalog.
    pub fn spec(&self) -> Option<&PlannerSpec> {
        match self {
            Self::Planner(spec) => Some(spec),
            Self::Peer(_) => None,
        }
    }

    /// Refuses rules that it does not work under.
    pub(crate) fn check_movement(&self, asked: Movement) -> Result<(), BuildError> {
        match self {
            Self::Planner(spec) if spec.movements().contains(&asked) => Ok(()),
            Self::Planner(spec) => {
                let supported = spec.movements();
                Err(BuildError::Movement { planner: spec.to_string(), asked, supported: supported.to_vec() })
            }
            Self::Peer(peer) => peer.check_movement(asked),
        }
    }

    /// Makes it ready for a course.
    pub(super) fn build(&self, course: &Course) -> Result<Finder> {
        match self {
            Self::Planner(spec) => course.indexes.finder(spec, &course.grid, &course.name),
            Self::Peer(peer) => Ok(peer.build(&course.grid)?),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Planner(spec) => spec.fmt(f),
            Self::Peer(peer) => f.write_str(peer.name),
        }
    }
}
