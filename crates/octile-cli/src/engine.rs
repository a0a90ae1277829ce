//! What can run in a race.

use std::fmt;

use anyhow::Result;
use octile::{Finder, PlannerSpec};

#[cfg(feature = "peers")]
use crate::peers::{PEERS, Peer};
use crate::race::Course;

/// What answers queries in a race.
#[derive(Clone, Debug)]
pub(crate) enum Engine {
    /// One of octile's own planners.
    Planner(PlannerSpec),
    /// Another project's.
    #[cfg(feature = "peers")]
    Peer(&'static Peer),
}

impl Engine {
    /// Those of other projects.
    pub(crate) fn peers() -> Vec<Self> {
        #[cfg(feature = "peers")]
        return PEERS.iter().map(Self::Peer).collect();
        #[cfg(not(feature = "peers"))]
        Vec::new()
    }

    /// Whether it is another project's.
    pub(crate) fn is_peer(&self) -> bool {
        match self {
            Self::Planner(_) => false,
            #[cfg(feature = "peers")]
            Self::Peer(_) => true,
        }
    }

    /// Makes it ready for a course.
    pub(crate) fn build(&self, course: &Course) -> Result<Finder> {
        match self {
            Self::Planner(spec) => course.indexes.finder(spec, &course.grid, &course.name),
            #[cfg(feature = "peers")]
            Self::Peer(peer) => Ok(peer.build(&course.grid)?),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Planner(spec) => spec.fmt(f),
            #[cfg(feature = "peers")]
            Self::Peer(peer) => f.write_str(peer.name),
        }
    }
}
