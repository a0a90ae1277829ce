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
    /// A planner of the catalog.
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

    /// The planner, if it is one of the catalog.
    #[cfg_attr(not(feature = "peers"), expect(clippy::unnecessary_wraps, reason = "peers have none"))]
    pub(crate) fn spec(&self) -> Option<&PlannerSpec> {
        match self {
            Self::Planner(spec) => Some(spec),
            #[cfg(feature = "peers")]
            Self::Peer(_) => None,
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
