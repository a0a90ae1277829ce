//! Core search: the subgoal graph contracted to a core within milliseconds, and A\* with landmarks on the rest.
//!
//! - **Guarantee**: grid-optimal; complete.
//! - **Preprocessing**: a few milliseconds on maps with few corners of obstacles, 30 to 70 for 512 x 512 cells full of
//!   them. Repeated when the map changes.
//! - **Complexity**: time O(n log n) for the n nodes of the core, in practice a small fraction of them; scratch O(n);
//!   index about 20 bytes per cell and 100 per subgoal.
//! - **References**: Uras, Koenig & Hernández, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids", 2013;
//!   Geisberger, Sanders, Schultes & Delling, "Contraction Hierarchies", 2008; Goldberg & Harrelson, "Computing the
//!   Shortest Path: A\* Search Meets Graph Theory", 2005; Bauer, Delling, Sanders, Schieferdecker, Schultes & Wagner,
//!   "Combining Hierarchical and Goal-Directed Speed-Up Techniques for Dijkstra's Algorithm", 2010: this is their
//!   core-ALT.
//! - **Deviations**: 1. witnesses have at most two arcs; 2. the search is unidirectional, towards the nodes that the
//!   goal's climb has reached; 3. the distance of the goal to a landmark is exact, and landmarks lie at the rim of the
//!   map.
//!
//! # A query
//! Some shortest path rises from the start along upward arcs (`kernels/subgoals/contract.rs`), continues in the core
//! and falls to the goal along upward arcs backwards. So the goal climbs all of its upward arcs, which gives the cost
//! from each node above it to the goal, including nodes of the core. Then A\* runs from the start, upward and through
//! the core. Every node that the goal has also reached gives a path; the search ends when no open node can lead to a
//! cheaper one.
//!
//! # The heuristic
//! The octile distance; for nodes of the core the maximum of that and `|D(l, v) - D(l, goal)|` for each landmark `l`, a
//! core node with known distances to all others (the triangle inequality in both directions). A shortest path from a
//! landmark to the goal begins in the core, so `D(l, goal)` is the minimum of `D(l, c) + d` over all nodes `c` of the
//! core that the goal has climbed to at a cost of `d`.
//!
//! **It is consistent.** Within the core, both parts are. An arc leads into the core, never out of it. The heuristic of
//! a node below the core is the octile distance, which is at most the arc's cost plus the heuristic at its end. So no
//! node is expanded twice.
//!
//! # Long paths
//! Costs have 32 bits. If paths may be longer than about 20,000 moves, the graph is not used, and the search is that of
//! [`corner-sweep`](super::corner_sweep).
//!
//! # Example
//! ```
//! use octile::{CoreSearch, Engine, Grid, GridCost};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let path = Engine::new(CoreSearch::default(), &grid)?.find((0, 2), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod hierarchy;
mod landmarks;
mod search;

use std::sync::Arc;

use self::hierarchy::Hierarchy;
use self::search::CoreScratch;
use crate::grid::planes::Planes;
use crate::grid::{Edits, Grid, Movement};
use crate::kernels::jump_points::{JumpScratch, JumpSearch, Scan};
use crate::kernels::limits::{Limits, Unsuited};
use crate::path::{Path, PathFault};
use crate::planner::{
    About, Budget, Build, BuildError, Config, EditError, Facts, IndexEffort, OnEdit, PathQuery, Planner, PlannerId,
    Probe, Scratch, SizeBytes, config, names, size_bytes,
};

config! {
    /// Search over a core of the subgoal graph.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct CoreSearch {
        /// The number of landmarks that guide the search.
        landmarks: Landmarks ["landmarks":
            "nodes whose distances to all others guide the search; more take longer to prepare; default 8"],
    }
}

/// The number of landmarks, nodes with known distances to all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Landmarks {
    /// None: the heuristic is the octile distance.
    None,
    /// Four.
    Four,
    /// Eight.
    #[default]
    Eight,
    /// Sixteen.
    Sixteen,
}

names! { Landmarks { None = "0", Four = "4", Eight = "8", Sixteen = "16" } }

impl Landmarks {
    fn count(self) -> usize {
        match self {
            Self::None => 0,
            Self::Four => 4,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }
}

static ABOUT: About = About {
    name: "core-search",
    summary: "search over the core of a contracted subgoal graph, guided by landmarks",
    paper: "new, after Bauer et al. 2010; Uras, Koenig & Hernández 2013",
    index: IndexEffort::Map,
    variants: &["core-search:landmarks=0", "core-search:landmarks=16"],
};

impl Config for CoreSearch {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &[Movement::Octile]).on_edit(OnEdit::Rebuilds)
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        let grid = build.grid().clone();
        let size = (grid.width(), grid.height());
        let index = Index::build(&grid, self, &Limits::of(build, false)).map_err(|fault| match fault {
            Unsuited::Budget { over, .. } => BuildError::OverBudget { planner: ABOUT.name, size, over },
            _ => BuildError::Cancelled,
        })?;
        let (id, config, index) = (PlannerId::new(), self.clone(), Arc::new(index));
        Ok(Box::new(CoreSearchPlanner { id, facts: self.facts(), grid, config, index }))
    }
}

/// Searches on the core of a map's subgoals.
#[derive(Clone, Debug)]
struct CoreSearchPlanner {
    id: PlannerId,
    facts: Facts,
    grid: Grid,
    config: CoreSearch,
    index: Arc<Index>,
}

/// The index of a map.
#[derive(Debug)]
enum Index {
    Core(Hierarchy),
    /// Used if the graph is unsuitable for the map.
    Scans(Planes),
}

impl Index {
    /// Builds the index of a map.
    fn build(grid: &Grid, config: &CoreSearch, limits: &Limits) -> Result<Self, Unsuited> {
        match Hierarchy::build(grid, config.landmarks.count(), limits) {
            Ok(core) => Ok(Self::Core(core)),
            Err(Unsuited::Long { .. }) => Ok(Self::scans(grid)),
            Err(fault) => Err(fault),
        }
    }

    fn scans(grid: &Grid) -> Self {
        Self::Scans(Planes::build(grid))
    }
}

impl Planner for CoreSearchPlanner {
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
        let mut scratch = CoreSearchScratch { core: CoreScratch::default(), jumps: None };
        match &*self.index {
            Index::Core(core) => scratch.core.make_room(core),
            Index::Scans(planes) => scratch.jumps = Some(JumpScratch::new(planes)),
        }
        Scratch::new(self.id, scratch)
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let CoreSearchScratch { core: scratch, jumps } = scratch.get();
        Ok(match &*self.index {
            Index::Core(core) => search::search(&self.grid, core, scratch, query, out, probe),
            Index::Scans(planes) => {
                let jumps = jumps.get_or_insert_with(|| JumpScratch::new(planes));
                JumpSearch::new(&self.grid, planes, Scan).find(None, jumps, query, out, probe)
            }
        })
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        if self.grid.apply(edits)? {
            // If the graph of the new map exceeds the budget, searches scan the map instead.
            let index = Index::build(&self.grid, &self.config, &Limits::new(Budget::AT_ONCE, false));
            self.index = Arc::new(index.unwrap_or_else(|_| Index::scans(&self.grid)));
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        match &*self.index {
            Index::Core(core) => core.size_bytes(),
            Index::Scans(planes) => planes.size_bytes(),
        }
    }
}

/// Scratch memory of [`CoreSearchPlanner`]: one per thread, reused between queries.
struct CoreSearchScratch {
    core: CoreScratch,
    jumps: Option<JumpScratch>,
}

size_bytes!(CoreSearchScratch: core, jumps);

#[cfg(test)]
mod tests;
