//! Crates of other projects, as engines in the same races.
//!
//! Each gets what its own documentation suggests and is asked, checked and timed like a planner, under the movement
//! rule of the benchmark. What it needs before the first query counts as build time. Whether there is a path at all it
//! finds out by itself. A path that the rule forbids is a wrong answer; that is a finding, not an error
//! ([`race`](octile_cli::harness::race)).

mod grid_pathfinding;
mod pathfinding;

use octile::path::PathFault;
use octile::planner::{EditError, NoProbe, OnEdit, Probe, Scratch};
use octile::planner::{Facts, PlannerId};
use octile::{Cell, Edits, Finder, Grid, Movement, Path, PathQuery, Planner};
use octile_cli::harness::engine::Peer;

use self::grid_pathfinding::GridPathfinding;
use self::pathfinding::Pathfinding;

/// All peers.
pub(crate) static PEERS: [Peer; 3] =
    [peer::<Pathfinding<false>>(), peer::<Pathfinding<true>>(), peer::<GridPathfinding>()];

const fn peer<F: Foreign>() -> Peer {
    Peer::new(F::NAME, |grid| {
        // What they say themselves.
        let facts = Facts::optimal(F::NAME, &Movement::ALL).on_edit(OnEdit::Refuses);
        let (id, grid, engine) = (PlannerId::new(), grid.clone(), F::new(grid));
        Finder::of(Box::new(Guest { id, facts, grid, engine }) as Box<dyn Planner>)
    })
}

/// What another project's crate does.
trait Foreign: Clone + Send + Sync + 'static {
    /// What it is called in races.
    const NAME: &'static str;

    /// Makes it ready for a map.
    fn new(grid: &Grid) -> Self;

    /// The points of a path, as the crate has it: every cell if the query asks for them; `None` if it finds none.
    fn points<P: Probe + ?Sized>(&self, grid: &Grid, query: PathQuery, probe: &mut P) -> Option<Vec<Cell>>;

    /// The memory of what it keeps of the map.
    fn index_bytes(&self, _grid: &Grid) -> usize {
        0
    }
}

/// A foreign engine as a planner.
#[derive(Clone)]
struct Guest<F> {
    id: PlannerId,
    facts: Facts,
    grid: Grid,
    engine: F,
}

impl<F: Foreign> Planner for Guest<F> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn may_connect(&self, _start: Cell, _goal: Cell) -> bool {
        true
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(self.id, ())
    }

    /// Its path as it is, legal or not: that is for the judge to say.
    fn search(
        &self,
        _scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let points = match probe {
            Some(probe) => self.engine.points(&self.grid, query, probe),
            None => self.engine.points(&self.grid, query, &mut NoProbe),
        };
        let Some(points) = points else { return Ok(false) };
        *out = Path::through(points).unwrap_or_default();
        Ok(true)
    }

    fn apply(&mut self, _edits: &Edits) -> Result<(), EditError> {
        Err(EditError::Refused { planner: F::NAME })
    }

    fn index_bytes(&self) -> usize {
        self.engine.index_bytes(&self.grid)
    }
}

#[cfg(test)]
#[path = "peers_tests.rs"]
mod tests;
