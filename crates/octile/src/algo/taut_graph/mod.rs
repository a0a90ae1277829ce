//! The taut graph: any-angle shortest paths, found on a graph of all hops between corners of obstacles that such a path
//! may take.
//!
//! - **Guarantee**: any-angle optimal; complete under its [squeeze rule](Squeeze). Endpoints are corners or centres of
//!   cells.
//! - **Preprocessing**: all hops, in 1 to 30 ms for maps of games, rooms and mazes of 512 x 512 cells, and a few
//!   megabytes. Maps of random obstacles have millions of hops and take a second or two. The graph is rebuilt when the
//!   map changes.
//! - **Complexity**: time O(n log n + m) for n corners and m hops, in practice a small fraction of both; before that, a
//!   scan of the view from both ends, O(rows in sight). Scratch O(n) and one bit per hop.
//! - **References**: taut paths: Oh & Leong, "Edge N-Level Sparse Visibility Graphs: Fast Optimal Any-Angle Pathfinding
//!   Using Hierarchical Taut Paths", 2017. Exact sight by cones over bit rows, and leaving out dead hops, are ours.
//! - **Deviations**: 1. hops are found by scanning the view of each corner row by row, exactly and 57 cells at a time
//!   (`taut/cones.rs`); 2. instead of levels, hops that lead only to goals nearby are separated from those that lead on
//!   (`alive.rs`), and a query marks those that lead to its goal.
//!
//! `taut/mod.rs` says why paths are shortest, what is proved and what is tested.
//!
//! # Example
//! ```
//! use octile::{Engine, Grid, TautGraph};
//! use octile::geometry::Corner;
//! let grid: Grid = ".....\n.@@@.\n.....".parse()?;
//! let path = Engine::new(TautGraph::default(), &grid)?.find((0, 0), (4, 2))?.expect("they are connected");
//! assert_eq!(path.corners()?, [Corner::new(0, 0), Corner::new(4, 1), Corner::new(4, 2)]);
//!
//! // From centre to centre, as a robot drives:
//! let path = Engine::new("taut-graph:ends=centres", &grid)?.find((0, 0), (4, 2))?.unwrap();
//! assert_eq!(path.corners()?, [Corner::new(4, 1)], "the path turns here");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alive;
mod search;

use std::sync::Arc;

use self::alive::Alive;
use self::search::TautGraphScratch;
use crate::geometry::{Cell, Endpoints};
use crate::grid::corners::CornerMap;
use crate::grid::{Edits, Grid, Squeeze};
use crate::kernels::taut::cones::Bands;
use crate::kernels::taut::{Effort, Graph};
use crate::path::{Path, PathFault};
use crate::planner::{
    About, Budget, Build, BuildError, Config, EditError, Facts, Guarantee, IndexEffort, Native, NoProbe, OnEdit,
    PathQuery, Planner, PlannerId, Probe, Progress, Scratch, config,
};

config! {
    /// Search over the taut graph.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct TautGraph {
        /// Whether paths may pass between obstacles that touch at a corner.
        squeeze: Squeeze,
        /// Which points of cells paths begin and end at.
        ends: Endpoints,
    }
}

static ABOUT: About = About {
    name: "taut-graph",
    summary: "shortest paths in any direction over a graph of taut hops between corners, dead ends left out",
    paper: "new, after Oh & Leong 2017",
    index: IndexEffort::Map,
    variants: &["taut-graph:squeeze=forbidden", "taut-graph:ends=centres", "taut-graph:ends=centres,squeeze=forbidden"],
};

impl Config for TautGraph {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        let facts = Facts::any_angle(ABOUT.name, Guarantee::AnyAngleOptimal, self.squeeze);
        facts.ending_at(self.ends).on_edit(OnEdit::Rebuilds).native(&[Native::Slices])
    }

    fn set_squeeze(&mut self, squeeze: Squeeze) {
        self.squeeze = squeeze;
    }

    fn set_ends(&mut self, ends: Endpoints) -> bool {
        self.ends = ends;
        true
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        let map = CornerMap::new(build.grid(), self.squeeze);
        let size = (build.grid().width(), build.grid().height());
        let over = |over| BuildError::OverBudget { planner: ABOUT.name, size, over };
        let index = Index::new(&map, |effort| {
            build.tell(Progress::new("corners", effort.done as u64, effort.corners as u64));
            build.check_cancelled()?;
            effort.check(build.budget()).map_err(over)
        })?;
        let (id, facts, index) = (PlannerId::new(), self.facts(), Arc::new(index));
        Ok(Box::new(TautGraphPlanner { id, facts, map, ends: self.ends, index, budget: build.budget() }))
    }
}

/// The index of a map.
#[derive(Debug)]
struct Index {
    bands: Bands,
    alive: Alive,
}

impl Index {
    /// Builds the index of a map. `check` is called from time to time and may end the build with an error.
    fn new<E>(map: &CornerMap, check: impl FnMut(Effort) -> Result<(), E>) -> Result<Self, E> {
        let bands = Bands::new(map.grid());
        let graph = Graph::new(map.grid(), &bands, map.squeeze(), check)?;
        Ok(Self { bands, alive: Alive::new(graph) })
    }
}

/// Searches on the taut graph of a map.
#[derive(Clone, Debug)]
struct TautGraphPlanner {
    id: PlannerId,
    facts: Facts,
    map: CornerMap,
    ends: Endpoints,
    index: Arc<Index>,
    budget: Budget,
}

impl Planner for TautGraphPlanner {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        self.map.grid()
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.map.may_connect(start, goal)
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(self.id, TautGraphScratch::new(&self.index.alive))
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        Ok(match probe {
            None => self.run(scratch.get(), query, out, &mut NoProbe),
            Some(probe) => self.run(scratch.get(), query, out, probe),
        })
    }

    fn go_on(&self, scratch: &mut Scratch) {
        scratch.get::<TautGraphScratch>().go_on();
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        let mut map = self.map.clone();
        if map.apply(edits)? {
            let index = Index::new(&map, |effort| effort.check(self.budget));
            self.index = Arc::new(index.map_err(|_| EditError::Refused { planner: ABOUT.name })?);
            self.map = map;
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.index.bands.total_bytes() + self.index.alive.total_bytes()
    }
}
