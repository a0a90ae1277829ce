//! Taut sight: any-angle shortest paths without an index. The search scans the view around corners as it reaches them.
//!
//! - **Guarantee**: any-angle optimal; complete under its [squeeze rule](Squeeze). Endpoints are corners or centres of
//!   cells.
//! - **Preprocessing**: the corners, and the free columns in bands of rows, in less than a millisecond for 512 x 512
//!   cells; both follow edits at a cost proportional to them. The views of corners are computed when a search first
//!   reaches them, and kept from one query to the next in the scratch of a thread, within a memory limit. An edit drops
//!   the views that the changed cells may be part of.
//! - **Complexity**: time O(n log n + s) for n corners that the search reaches and s rows in their sight; where the
//!   views are known already, that of [`taut-graph`](super::taut_graph) with its dead ends included.
//! - **References**: as [`taut-graph`](super::taut_graph); scanning around corners only when a search reaches them is
//!   also the idea of `RayScan`: Hechenberger, Stuckey, Harabor, Le Bodic & Cheema, "Online Computation of Euclidean
//!   Shortest Paths in Two Dimensions", 2020.
//! - **Deviations**: 1. the view of a corner is scanned only as far around the obstacle as a turn needs, and farther
//!   when a flatter turn needs more; 2. the first few corners are tested one by one for whether they see the goal; if
//!   there are many, the view of the goal is scanned once.
//!
//! `taut/mod.rs` says why paths are shortest, what is proved and what is tested.
//!
//! # Example
//! ```
//! use octile::{Edits, Engine, Grid, TautSight};
//! let grid: Grid = ".....\n.@@@.\n.....".parse()?;
//! let engine = Engine::new(TautSight::default(), &grid)?;
//! assert_eq!(engine.find((0, 0), (4, 2))?.unwrap().length(), 17.0_f64.sqrt() + 1.0);
//! engine.apply(Edits::new().free_rect((1, 1), (3, 1)))?;
//! assert_eq!(engine.find((0, 0), (4, 2))?.unwrap().length(), 20.0_f64.sqrt());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod search;

use std::sync::Arc;

use self::cache::Changes;
use self::search::TautSightScratch;
use crate::geometry::{Cell, Endpoints};
use crate::grid::corners::CornerMap;
use crate::grid::{Edits, Grid, Squeeze};
use crate::kernels::taut::Corners;
use crate::kernels::taut::cones::Bands;
use crate::path::{Path, PathFault};
use crate::planner::{
    About, Build, BuildError, Config, EditError, Facts, Guarantee, IndexEffort, Native, NoProbe, PathQuery, Planner,
    PlannerId, Probe, Scratch, Size, config,
};

config! {
    /// Search over taut hops that are found during the search.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct TautSight {
        /// How much memory a thread may use for the views of corners; 64 MB if `None`.
        memory: Option<Size> ["memory":
            "how much a thread may remember of what corners see from one query to the next; default 64MB"],
        /// Whether paths may pass between obstacles that touch at a corner.
        squeeze: Squeeze,
        /// Which points of cells paths begin and end at.
        ends: Endpoints,
    }
}

static ABOUT: About = About {
    name: "taut-sight",
    summary: "shortest paths in any direction, nothing prepared: looks around corners and remembers what they see",
    paper: "new, after Oh & Leong 2017",
    index: IndexEffort::None,
    variants: &[
        "taut-sight:squeeze=forbidden",
        "taut-sight:memory=0",
        "taut-sight:ends=centres",
        "taut-sight:ends=centres,squeeze=forbidden",
    ],
};

/// The default memory limit per thread.
const MEMORY: Size = Size(64_000_000);

impl Config for TautSight {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        let facts = Facts::any_angle(ABOUT.name, Guarantee::AnyAngleOptimal, self.squeeze);
        facts.ending_at(self.ends).native(&[Native::Slices])
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
        let scene = Scene::new(&map);
        let Size(memory) = self.memory.unwrap_or(MEMORY);
        let (id, facts, scene) = (PlannerId::new(), self.facts(), Arc::new(scene));
        Ok(Box::new(TautSightPlanner { id, facts, map, ends: self.ends, scene, memory }))
    }
}

/// The precomputed data of a map: its corners, and its changes.
#[derive(Clone, Debug)]
struct Scene {
    bands: Bands,
    corners: Corners,
    changes: Changes,
}

impl Scene {
    fn new(map: &CornerMap) -> Self {
        let grid = map.grid();
        Self { bands: Bands::new(grid), corners: Corners::new(grid, map.squeeze()), changes: Changes::new(grid) }
    }

    /// Follows edits that have already changed the map.
    fn follow(&mut self, grid: &Grid, edits: &Edits) {
        self.bands.follow(grid, edits);
        self.corners.follow(grid, edits);
        self.changes.follow(edits);
    }
}

/// Searches on the taut hops of a map, found as the search reaches them.
#[derive(Clone, Debug)]
struct TautSightPlanner {
    id: PlannerId,
    facts: Facts,
    map: CornerMap,
    ends: Endpoints,
    scene: Arc<Scene>,
    /// The maximum memory of a scratch for views, in bytes.
    memory: u64,
}

impl Planner for TautSightPlanner {
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
        Scratch::new(self.id, TautSightScratch::new(&self.scene))
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
        scratch.get::<TautSightScratch>().go_on();
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        if self.map.apply(edits)? {
            Arc::make_mut(&mut self.scene).follow(self.map.grid(), edits);
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.scene.bands.total_bytes() + self.scene.corners.total_bytes()
    }
}
