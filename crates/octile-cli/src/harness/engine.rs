//! The engines that can run in a race.

use std::fmt;

use anyhow::Result;
use octile::{BuildError, Finder, Grid, Movement, PlannerSpec};

use super::race::Course;

/// An engine that answers queries in a race.
#[derive(Clone, Debug)]
pub enum Engine {
    /// A planner of the catalog.
    Planner(PlannerSpec),
    /// An engine of another project.
    Peer(&'static Peer),
}

/// An engine of another project, which runs and is judged like a planner. Its wrong answers are a finding, and do not
/// make a race fail.
#[derive(Debug)]
pub struct Peer {
    /// The name in races.
    pub name: &'static str,
    /// Builds it for a map under the benchmark's movement rule, octile.
    build: fn(&Grid) -> Finder,
}

impl Peer {
    /// An engine with this name, which the function builds for a map.
    #[must_use]
    pub const fn new(name: &'static str, build: fn(&Grid) -> Finder) -> Self {
        Self { name, build }
    }

    /// Builds it for a map.
    pub fn build(&self, grid: &Grid) -> Result<Finder, BuildError> {
        self.check_movement(grid.movement())?;
        Ok((self.build)(grid))
    }

    /// Fails for movement rules other than the benchmark's.
    pub fn check_movement(&self, asked: Movement) -> Result<(), BuildError> {
        match asked {
            Movement::Octile => Ok(()),
            _ => Err(BuildError::Movement { planner: self.name.to_owned(), asked, supported: vec![Movement::Octile] }),
        }
    }
}

impl Engine {
    /// Whether it belongs to another project.
    pub fn is_peer(&self) -> bool {
        matches!(self, Self::Peer(_))
    }

    /// The spec, if it is a planner of the catalog.
    pub fn spec(&self) -> Option<&PlannerSpec> {
        match self {
            Self::Planner(spec) => Some(spec),
            Self::Peer(_) => None,
        }
    }

    /// Fails for movement rules that it does not support.
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

    /// Builds it for a course.
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
