//! Jump point search with bit-parallel scans.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: none; follows edits. [Gates](crate::kernels::gates) take
//!   some milliseconds; edits disable the parts they touch.
//! - **Complexity**: time O(n log n) for n cells, in practice a small share of them; scratch O(n).
//! - **References**: Harabor & Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011; the same authors,
//!   "Improving Jump Point Search", 2014 (block scans).
//! - **Deviations**: 1. the rule without corner cutting: a scan stops where an obstacle beside it *ends*, one cell
//!   later than in the 2011 paper; 2. diagonal jump points never enter the open list: the straight scans of a diagonal
//!   walk are made in place, and a hop leads from the start of the walk, diagonally first and then straight, to what
//!   they find; 3. scans do not look for the goal: when a cell is taken from the open list, its diagonal-first hop to
//!   the goal is tested, and if the hop is free the cell's f is the answer.
//!
//! The search itself is in `jump_points/`.
//!
//! # Example
//! ```
//! use octile::{Engine, Grid, Jps, GridCost};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let path = Engine::new(Jps::default(), &grid)?.find((0, 2), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::algo::pruners::keys::{GATES, GATES_HELP, ONLY_GATES, PRUNE_HELP};
use crate::algo::pruners::{GateUse, Prune, Pruned, Pruners};
use crate::grid::{Edits, Grid, Movement};
use crate::kernels::jump_points::{JumpScratch, JumpSearch, Scan, Windows};
use crate::path::{Path, PathFault};
use crate::planner::{
    About, AnyGoalQuery, Build, BuildError, Config, EditError, Facts, IndexEffort, Native, PathQuery, Planner,
    PlannerId, Probe, Refusal, Scratch, config,
};

config! {
    /// Jump point search.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct Jps {
        /// How to prune the search: [gates](Pruners::Gates) or not at all.
        prune: Pruners ["prune": PRUNE_HELP, takes ONLY_GATES],
        /// When to use gates.
        gates: Option<GateUse> ["gates": GATES_HELP, needs GATES],
    }
}

static ABOUT: About = About {
    name: "jps",
    summary: "jump point search: scans rows and columns 57 cells at a time",
    paper: "Harabor & Grastien 2011, 2014",
    index: IndexEffort::None,
    variants: &[
        "jps:prune=gates",
        "jps:prune=gates,gates=always",
        "jps:smooth=greedy",
        "jps:smooth=greedy,ends=centres",
    ],
};

impl Jps {
    fn pruning(&self) -> Prune {
        Prune::new(self.prune, None, self.gates)
    }
}

impl Config for Jps {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self) -> Result<(), Refusal> {
        self.pruning().check_gates_only()
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &[Movement::Octile])
            .native(&[Native::ManyGoals, Native::Slices])
            .indexes(self.pruning().index_kinds())
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        let (id, map) = (PlannerId::new(), Pruned::new(build, self.pruning(), GATES_PAY_BELOW)?);
        Ok(Box::new(JpsPlanner { id, facts: self.facts(), map }))
    }
}

/// Gates pay off unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.4;

/// Jump point search on a map.
#[derive(Clone, Debug)]
struct JpsPlanner {
    id: PlannerId,
    facts: Facts,
    map: Pruned,
}

impl JpsPlanner {
    fn run(&self, scratch: &mut JumpScratch, query: PathQuery, out: &mut Path, probe: Option<&mut dyn Probe>) -> bool {
        let (grid, gates) = (self.grid(), self.map.gates(query));
        JumpSearch::new(grid, Windows::new(grid), Scan).find(gates, scratch, query, out, probe)
    }
}

impl Planner for JpsPlanner {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        &self.map.grid
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(self.id, JumpScratch::new(Windows::new(self.grid())))
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        Ok(self.run(scratch.get(), query, out, probe))
    }

    fn search_any(
        &self,
        scratch: &mut Scratch,
        query: AnyGoalQuery<'_>,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Option<Result<Option<usize>, PathFault>> {
        let grid = self.grid();
        Some(Ok(JumpSearch::new(grid, Windows::new(grid), Scan).find_any(scratch.get(), query, out, probe)))
    }

    fn go_on(&self, scratch: &mut Scratch) {
        scratch.get::<JumpScratch>().go_on();
    }

    fn is_stale(&self) -> bool {
        self.map.is_stale()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.map.apply(edits)?;
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.map.pruning.size_bytes()
    }
}
