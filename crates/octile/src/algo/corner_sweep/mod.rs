//! Corner sweep: jump point search over [bit planes](crate::grid) that mark the corners of obstacles.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: bit planes, 0.6 ms for 512 x 512 cells; follows edits at
//!   a cost proportional to them.
//! - **Complexity**: as [`jps`](super::jps): time O(n log n) for n cells, in practice a small share of them; scratch
//!   O(n); planes of 4.5 bytes a cell.
//! - **References**: none. It is jump point search without diagonal nodes (Harabor & Grastien 2011, 2014), with
//!   everything that does not depend on the query kept in bits.
//!
//! A jump point is a corner of an obstacle. From one, the search sweeps a quadrant: along the two straight directions,
//! and from every cell of the diagonal between them. Where [`jps`](super::jps) walks that diagonal cell by cell and
//! scans rows and columns at each, the planes have one word for the next 64 cells of the diagonal. The word says which
//! of their scans end at a corner, so only those scans are made and none is wasted. The word serves as the vector:
//! wider vector instructions gain nothing here.
//!
//! # Example
//! ```
//! use octile::{CornerSweep, Engine, Grid, GridCost};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let path = Engine::new(CornerSweep::default(), &grid)?.find((0, 2), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use crate::algo::pruners::keys::{GATES, GATES_HELP, ONLY_GATES, PRUNE_HELP};
use crate::algo::pruners::{GateUse, Prune, Pruned, Pruners};
use crate::grid::planes::Planes;
use crate::grid::{Edits, Grid, Movement};
use crate::kernels::jump_points::{self, Cache, Changes, JumpScratch, JumpSearch, Remember, Scan};
use crate::path::{Path, PathFault};
use crate::planner::{
    About, AnyGoalQuery, Build, BuildError, Config, EditError, Facts, IndexEffort, Native, PathQuery, Planner,
    PlannerId, Probe, Refusal, Scratch, config, size_bytes,
};

config! {
    /// Corner sweep.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct CornerSweep {
        /// Whether to cache, from one query to the next, the successors of each corner, on maps where that does not
        /// cost time. An edit drops the entries it touches.
        cache: bool ["cache":
            "whether to remember from one query to the next what comes after each corner; default off"],
        /// How to prune the search: [gates](Pruners::Gates) or not at all.
        prune: Pruners ["prune": PRUNE_HELP, takes ONLY_GATES],
        /// When to use gates.
        gates: Option<GateUse> ["gates": GATES_HELP, needs GATES],
    }
}

static ABOUT: About = About {
    name: jump_points::SPEC,
    summary: "jump point search over bit planes: 64 cells of a diagonal at a time",
    paper: "new, after Harabor & Grastien 2011, 2014",
    index: IndexEffort::None,
    variants: &[jump_points::CACHED_SPEC, "corner-sweep:cache=on,prune=gates,gates=always"],
};

impl CornerSweep {
    fn pruning(&self) -> Prune {
        Prune::new(self.prune, None, self.gates)
    }
}

impl Config for CornerSweep {
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
        let grid = build.grid();
        BuildError::check(self, build)?;
        let map = Pruned::new(build, self.pruning(), GATES_PAY_BELOW)?;
        let changes = self.cache.then(|| Arc::new(Changes::new(grid)));
        let (id, facts, planes) = (PlannerId::new(), self.facts(), Arc::new(Planes::build(grid)));
        Ok(Box::new(CornerSweepPlanner { id, facts, map, planes, changes }))
    }
}

/// Gates pay off unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.4;

/// Corner sweep on a map.
#[derive(Clone, Debug)]
struct CornerSweepPlanner {
    id: PlannerId,
    facts: Facts,
    map: Pruned,
    planes: Arc<Planes>,
    /// The changes for the caches of scratches, if those may exist.
    changes: Option<Arc<Changes>>,
}

impl CornerSweepPlanner {
    /// The changes that caches follow, if caches are used on the current map.
    fn remembered(&self) -> Option<&Arc<Changes>> {
        self.changes.as_ref().filter(|_| Changes::pays(self.grid(), &self.planes))
    }

    fn run(
        &self,
        scratch: &mut CornerScratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> bool {
        let (grid, gates, planes) = (self.grid(), self.map.gates(query), &*self.planes);
        let CornerScratch { jumps, cache } = scratch;
        match self.remembered() {
            None => JumpSearch::new(grid, planes, Scan).find(gates, jumps, query, out, probe),
            Some(changes) => {
                let cache = cache.get_or_insert_with(|| Cache::new(grid, changes));
                cache.follow(changes);
                let remember = Remember { cache, changes, grid };
                JumpSearch::new(grid, planes, remember).find(gates, jumps, query, out, probe)
            }
        }
    }
}

impl Planner for CornerSweepPlanner {
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
        let cache = self.remembered().map(|changes| Cache::new(self.grid(), changes));
        Scratch::new(self.id, CornerScratch { jumps: JumpScratch::new(&*self.planes), cache })
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
        let CornerScratch { jumps, .. } = scratch.get();
        Some(Ok(JumpSearch::new(self.grid(), &*self.planes, Scan).find_any(jumps, query, out, probe)))
    }

    fn go_on(&self, scratch: &mut Scratch) {
        scratch.get::<CornerScratch>().jumps.go_on();
    }

    fn is_stale(&self) -> bool {
        self.map.is_stale()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        let changed = self.map.apply(edits)?;
        if changed.is_any() {
            Arc::make_mut(&mut self.planes).apply(&self.map.grid, &changed);
            if let Some(changes) = &mut self.changes {
                Arc::make_mut(changes).apply(&changed);
            }
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.map.pruning.size_bytes() + self.planes.size_bytes()
    }
}

/// Scratch memory of [`CornerSweepPlanner`].
struct CornerScratch {
    jumps: JumpScratch,
    cache: Option<Cache>,
}

size_bytes!(CornerScratch: jumps, cache);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;

    fn planner(grid: &Grid) -> CornerSweepPlanner {
        let config = CornerSweep::default();
        let map = Pruned::new(&Build::new(grid), config.pruning(), GATES_PAY_BELOW).unwrap();
        let changes = Some(Arc::new(Changes::new(grid)));
        let (id, planes) = (PlannerId::new(), Arc::new(Planes::build(grid)));
        CornerSweepPlanner { id, facts: config.facts(), map, planes, changes }
    }

    /// The choice whether to use caches follows the map through edits.
    #[test]
    fn crowded_maps_have_no_caches() {
        assert!(planner(&generate::rooms(300, 300, 32, 1).unwrap()).remembered().is_some());
        assert!(planner(&generate::random(60, 60, 25, 1).unwrap()).remembered().is_some(), "few corners");
        let grid = generate::random(300, 300, 25, 1).unwrap();
        let mut crowded = planner(&grid);
        assert!(crowded.remembered().is_none());
        let sparing = crowded.create_scratch().size_bytes();
        crowded.apply(Edits::new().free_rect((0, 0), (299, 250))).unwrap();
        assert!(crowded.remembered().is_some());
        assert!(crowded.create_scratch().size_bytes() > sparing + 4 * grid.padded_cells());
    }
}
