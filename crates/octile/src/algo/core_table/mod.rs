//! Core table: the subgoal graph contracted to a core, with a table of all distances in it. Optimal paths on random
//! obstacles in tens of microseconds.
//!
//! - **Guarantee**: grid-optimal; complete.
//! - **Preprocessing**: about a second for a map of 512 x 512 cells, with an index of a few megabytes, at most 30, kept
//!   in a [file](crate::artifact) that is mapped into memory. Unsuitable maps: open ones, where corners of obstacles
//!   see dozens of others, and those with paths of more than about 20,000 moves. A build counts its work and ends with
//!   an error on such maps. When the map changes, the index becomes stale: answers stay exact, and come from the index
//!   where no edit can matter.
//! - **Complexity**: a query climbs from both ends over a few dozen nodes and looks up a few to a few hundred
//!   distances, wherever the ends are. Queries for costs alone skip the path. Scratch: 32 bytes per subgoal.
//! - **References**: Uras, Koenig & Hernández, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids", 2013;
//!   Geisberger, Sanders, Schultes & Delling, "Contraction Hierarchies", 2008; Bast, Funke, Sanders & Schultes, "Fast
//!   Routing in Road Networks with Transit Nodes", 2007.
//! - **Deviations**: 1. nodes are contracted in the order of their number of neighbours and depth, without counting
//!   shortcuts; 2. contraction ends at a core of fixed size, whose distances are in a table; 3. access nodes are not
//!   stored, but found by climbs when needed, ordered by the distance to the other end; 4. the table is computed by
//!   elimination, not by searches.
//!
//! Every shortest path can be written as a chain of direct hops from subgoal to subgoal (`kernels/subgoals`).
//! Contraction is in `kernels/subgoals/contract.rs`, the table in `table.rs`, queries in `climb.rs`.
//!
//! # Example
//! ```
//! use octile::{CoreTable, Engine, Grid, GridCost};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let path = Engine::new(CoreTable::default(), &grid)?.find((0, 2), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod climb;
mod file;
mod forecast;
mod table;

use std::sync::Arc;

use self::climb::{Climb, Climbing, Tracer};
use self::file::Index;
use crate::artifact::Artifact;
use crate::geometry::GridCost;
use crate::grid::sight::hop_is_free;
use crate::grid::{Edits, Grid, Movement};
pub use crate::kernels::limits::Unsuited;
use crate::path::{Output, Path, PathFault};
use crate::planner::{
    About, Build, BuildError, Config, EditError, Facts, IndexBuild, IndexEffort, IndexKind, IndexView, Native, NoProbe,
    OnEdit, PathQuery, Planner, PlannerId, Probe, Scratch, SizeBytes, config,
};

config! {
    /// A core of the subgoal graph with a table of its distances. An index that would take more than some seconds is
    /// refused: build it [in advance](IndexKind::build_for).
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct CoreTable {}
}

static ABOUT: About = About {
    name: "core-table",
    summary: "subgoals contracted to a core, and a table of its distances: for random obstacles",
    paper: "Uras, Koenig & Hernández 2013; Geisberger et al. 2008; Bast et al. 2007",
    index: IndexEffort::Corners,
    variants: &[],
};

/// The kind of its index files.
pub const KIND: &str = "core-table";

/// The version of the sections of its index files.
const VERSION: u32 = 1;

/// The entry in the table of index kinds.
pub(crate) const INDEX: IndexKind = IndexKind {
    kind: KIND,
    version: VERSION,
    summary: "a core of the subgoal graph, a table of its distances, and the ways up to it",
    build: IndexBuild::ForMap(|build| build::build(build, true)),
    describe: file::describe,
};

impl Config for CoreTable {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &[Movement::Octile])
            .on_edit(OnEdit::GoesStale)
            .native(&[Native::Slices])
            .indexes(&[KIND])
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        let artifact = if let Some(artifact) = build.index(KIND) {
            Arc::clone(artifact)
        } else {
            Arc::new(Artifact::from_bytes(build::build(build, false)?.into())?)
        };
        Ok(Box::new(CoreTablePlanner::new(artifact, build.grid())?))
    }
}

/// A planner that uses the core of a map.
#[derive(Clone, Debug)]
struct CoreTablePlanner {
    id: PlannerId,
    facts: Facts,
    index: Index,
    grid: Grid,
}

impl CoreTablePlanner {
    fn new(artifact: Arc<Artifact>, grid: &Grid) -> Result<Self, BuildError> {
        let (facts, grid) = (CoreTable::default().facts(), grid.clone());
        // This reads the whole file once to verify the checksum.
        Ok(Self { id: PlannerId::new(), facts, index: Index::open(artifact, &grid)?, grid })
    }

    /// Answers a query whose direct hop is not free. Returns whether a path exists.
    fn run<P: Probe + ?Sized>(
        &self,
        scratch: &mut CoreTableScratch,
        query: PathQuery,
        out: &mut Path,
        probe: &mut P,
    ) -> bool {
        let PathQuery { start, goal, output } = query;
        let CoreTableScratch { climbs, tracer } = scratch;
        let view = self.index.view();
        let met = Climbing { view, grid: &self.grid, probe }.meet(climbs, start, goal);
        let Some((meeting, cost)) = met.and_then(|meeting| Some((meeting, meeting.counts()?))) else { return false };
        if output != Output::Cost && tracer.trace(&view, climbs, meeting, start, goal).is_none() {
            return false;
        }
        out.set_hops(output, &tracer.hops, cost)
    }
}

impl Planner for CoreTablePlanner {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        let climbs = [0; 2].map(|_| Climb::new(&self.index.view()));
        Scratch::new(self.id, CoreTableScratch { climbs, tracer: Tracer::default() })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let PathQuery { start, goal, output } = query;
        if hop_is_free(&self.grid, start, goal) {
            return Ok(out.set_hops(output, &[start, goal], GridCost::between(start, goal)));
        }
        Ok(match probe {
            Some(probe) => self.run(scratch.get(), query, out, probe),
            None => self.run(scratch.get(), query, out, &mut NoProbe),
        })
    }

    fn index(&self) -> Option<IndexView<'_>> {
        Some(IndexView::fixed())
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        EditError::refuse(ABOUT.name, &self.grid, edits)
    }

    fn index_bytes(&self) -> usize {
        self.index.size_bytes()
    }
}

/// Scratch memory of [`CoreTablePlanner`].
#[derive(Debug)]
struct CoreTableScratch {
    climbs: [Climb; 2],
    tracer: Tracer,
}

impl SizeBytes for CoreTableScratch {
    fn size_bytes(&self) -> usize {
        let [from, to] = &self.climbs;
        from.size_bytes() + to.size_bytes() + self.tracer.size_bytes()
    }
}

#[cfg(test)]
mod tests;
