//! Crates of other projects, as engines in the same races.
//!
//! Each gets what its own documentation suggests and is asked, checked and timed like a planner, under the movement rule of
//! the benchmark. What it needs before the first query counts as build time. Whether there is a path at all it finds out by
//! itself. A path that the rule forbids is a wrong answer; that is a finding, not an error ([`race`](crate::race)).

mod grid_pathfinding;
mod pathfinding;

use octile::{BuildError, Finder, Grid, Movement};

use self::grid_pathfinding::GridPathfinding;
use self::pathfinding::Pathfinding;

/// An engine that is not ours.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    build: fn(&Grid) -> Finder,
}

/// All peers.
pub(crate) static PEERS: [Peer; 3] = [
    Peer { name: Pathfinding::<false>::NAME, build: |grid| Finder::from_planner(Pathfinding::<false>::new(grid)) },
    Peer { name: Pathfinding::<true>::NAME, build: |grid| Finder::from_planner(Pathfinding::<true>::new(grid)) },
    Peer { name: GridPathfinding::NAME, build: |grid| Finder::from_planner(GridPathfinding::new(grid)) },
];

impl Peer {
    /// Refuses rules other than the benchmark's.
    pub(crate) fn check_movement(&self, asked: Movement) -> Result<(), BuildError> {
        match asked {
            Movement::Octile => Ok(()),
            _ => Err(BuildError::Movement { planner: self.name.to_owned(), asked, supported: &[Movement::Octile] }),
        }
    }

    pub(crate) fn build(&self, grid: &Grid) -> Result<Finder, BuildError> {
        self.check_movement(grid.movement())?;
        Ok((self.build)(grid))
    }
}

#[cfg(test)]
#[path = "peers_tests.rs"]
mod tests;
