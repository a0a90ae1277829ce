//! Hub labels on the subgoal graph: optimal paths in about a microsecond, from an index of a few megabytes.
//!
//! - **Guarantee**: grid-optimal; complete.
//! - **Preprocessing**: seconds for a map of 512 x 512 cells, with an index of a few megabytes, kept in a
//!   [file](crate::artifact) that is mapped into memory. Maps with very many corners of obstacles that see each other
//!   are unsuitable: a build counts its work and ends with an error on them. When the map changes, the index becomes
//!   stale: answers stay exact, and come from the index where no edit can matter.
//! - **Complexity**: a query reads a few dozen links of the labels of its two ends, then follows the tree of the best
//!   hub, one step for each bend of the path. It does not search. Queries for costs alone skip the path. Scratch: 16
//!   bytes per subgoal.
//! - **References**: Uras, Koenig & Hernández, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids", 2013;
//!   Abraham, Delling, Goldberg & Werneck, "A Hub-Based Labeling Algorithm for Shortest Paths in Road Networks", 2011;
//!   Delling, Goldberg, Pajor & Werneck, "Robust Distance Queries on Massive Networks", 2014 (the order of hubs);
//!   Akiba, Iwata & Yoshida, "Fast Exact Shortest-Path Distance Queries on Large Networks by Pruned Landmark Labeling",
//!   2013.
//! - **Deviations**: 1. only subgoals have labels; cells select links from those of the subgoals they reach directly,
//!   and hub trees give the path; 2. a query first tests whether the direct hop is free.
//!
//! Every shortest path can be written as a chain of direct hops from subgoal to subgoal (`kernels/subgoals`), where
//! every octile path between two neighbours of the chain is free. The labels of subgoals, and the records of cells, are
//! in `kernels/hubs`.
//!
//! # Example
//! ```
//! use octile::{Engine, Grid, HubLabels, GridCost};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let path = Engine::new(HubLabels::default(), &grid)?.find((0, 2), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod steps;

use std::sync::Arc;

use self::steps::Steps;
use crate::artifact::Artifact;
use crate::geometry::units::{Mid, Units};
use crate::geometry::{Cell, GridCost, PathCost};
use crate::grid::sight::hop_is_free;
use crate::grid::{Edits, Grid, Movement};
use crate::kernels::hubs::file::{self, Format, Index};
use crate::kernels::hubs::many::{self, Many, OneCell, Pairs};
use crate::kernels::hubs::query::{self, HubCosts, Meeting, Metric};
pub use crate::kernels::limits::Unsuited;
use crate::path::{Output, Path, PathFault};
use crate::planner::{
    About, Build, BuildError, BuildSteps, Config, EditError, Facts, Hub, IndexBuild, IndexEffort, IndexKind, IndexView,
    Labels, Native, OnEdit, PathQuery, Planner, PlannerId, Probe, Scratch, config, size_bytes,
};

config! {
    /// Hub labels. An index that would take more than some seconds is refused: build it [in
    /// advance](IndexKind::build_for).
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct HubLabels {}
}

static ABOUT: About = About {
    name: "hub-labels",
    summary: "hub labels on the subgoal graph: paths in a microsecond, without a search",
    paper: "Uras, Koenig & Hernández 2013; Abraham et al. 2011",
    index: IndexEffort::Corners,
    variants: &[],
};

/// The kind of its index files.
pub const KIND: &str = "hub-labels";

/// The format of its index files.
const FORMAT: Format = Format { kind: KIND, version: 2, site: "subgoal", sites: "subgoals" };

/// The entry in the table of index kinds.
pub(crate) const INDEX: IndexKind = IndexKind {
    kind: KIND,
    version: FORMAT.version,
    summary: "hub labels: shortest paths between any two cells by a hub on each",
    build: IndexBuild::ForMap(|build| build::build(build, true)),
    describe: |artifact| file::describe(artifact, &FORMAT),
};

impl Config for HubLabels {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &[Movement::Octile])
            .on_edit(OnEdit::GoesStale)
            .native(&[Native::ManyGoals, Native::Slices, Native::Costs])
            .indexes(&[KIND])
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        let artifact = if let Some(artifact) = build.index(KIND) {
            Arc::clone(artifact)
        } else {
            Arc::new(Artifact::from_bytes(build::build(build, false)?.into())?)
        };
        Ok(Box::new(HubLabelsPlanner::new(build.grid(), artifact)?))
    }

    fn begin(&self, build: &Build<'_>) -> Result<Option<Box<dyn BuildSteps>>, BuildError> {
        BuildError::check(self, build)?;
        Ok(build.index(KIND).is_none().then(|| Box::new(Steps::new(build)) as Box<dyn BuildSteps>))
    }
}

/// A planner that uses the hub labels of a map.
#[derive(Clone, Debug)]
struct HubLabelsPlanner {
    id: PlannerId,
    facts: Facts,
    index: Index,
    grid: Grid,
}

impl HubLabelsPlanner {
    fn new(grid: &Grid, artifact: Arc<Artifact>) -> Result<Self, BuildError> {
        // This reads the whole file once to verify the checksum.
        let (id, index) = (PlannerId::new(), Index::open(artifact, &FORMAT, grid)?);
        Ok(Self { id, facts: HubLabels::default().facts(), index, grid: grid.clone() })
    }
}

impl Planner for HubLabelsPlanner {
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
        let costs = HubCosts::new(self.index.sites());
        Scratch::new(self.id, HubLabelsScratch { costs, hops: Vec::new(), many: Many::default() })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        _: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let PathQuery { start, goal, output } = query;
        if hop_is_free(&self.grid, start, goal) {
            return Ok(out.set_hops(output, &[start, goal], GridCost::between(start, goal)));
        }
        let view = self.index.view();
        let HubLabelsScratch { costs, hops, .. } = scratch.get();
        let Some(meeting) = query::meet(&view, OctileCosts, costs, [start, goal]) else { return Ok(false) };
        hops.clear();
        if output != Output::Cost && query::trace(&view, meeting, [start, goal], cell_of, hops).is_none() {
            return Ok(false);
        }
        Ok(out.set_hops(output, hops, Mid::decode(meeting.cost)))
    }

    fn index(&self) -> Option<IndexView<'_>> {
        Some(IndexView::fixed().with_labels(self))
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        EditError::refuse(ABOUT.name, &self.grid, edits)
    }

    fn index_bytes(&self) -> usize {
        self.index.size_bytes()
    }

    fn costs(&self, scratch: &mut Scratch, sources: &[Cell], targets: &[Cell], out: &mut [Option<PathCost>]) -> bool {
        let HubLabelsScratch { costs, many, .. } = scratch.get();
        many::costs(&self.index.view(), &Hops(&self.grid), costs, many, [sources, targets], out);
        true
    }

    fn nearest(
        &self,
        scratch: &mut Scratch,
        source: Cell,
        targets: &[Cell],
        count: usize,
        found: &mut dyn FnMut(usize, PathCost),
    ) -> bool {
        let HubLabelsScratch { costs, many, .. } = scratch.get();
        OneCell::new(&self.index.view(), &Hops(&self.grid), costs, source).nearest(many, targets, count, found);
        true
    }
}

impl Labels for HubLabelsPlanner {
    fn hubs(&self) -> usize {
        self.index.sites()
    }

    fn label(&self, cell: Cell, label: &mut Vec<Hub>) -> Option<()> {
        query::label(&self.index.view(), OctileCosts, cell, label)
    }

    fn way(&self, ends: [Cell; 2], hub: [Hub; 2], hops: &mut Vec<Cell>) -> Option<()> {
        let meeting = Meeting::at(hub);
        query::trace(&self.index.view(), meeting, ends, cell_of, hops)?;
        // A malformed file may give any cells. Callers rely on free hops of this map that cost what the labels say.
        if !hops.iter().all(|&cell| self.grid.contains(cell)) {
            return None;
        }
        let mut left = meeting.cost;
        for hop in hops.windows(2) {
            left = left.checked_sub(Mid::between(hop[0], hop[1]))?;
            hop_is_free(&self.grid, hop[0], hop[1]).then_some(())?;
        }
        (left == 0).then_some(())
    }
}

/// The position of a cell as a number.
const fn place_word(cell: Cell) -> u32 {
    file::place_word(cell.x, cell.y)
}

#[inline]
const fn cell_of(word: u32) -> Cell {
    let (x, y) = file::xy_of(word);
    Cell { x, y }
}

/// Costs are octile distances.
#[derive(Clone, Copy)]
struct OctileCosts;

impl Metric<24> for OctileCosts {
    const LIMIT: u64 = Mid::LIMIT;

    #[inline]
    fn between(self, cell: Cell, word: u32) -> u64 {
        Mid::between(cell, cell_of(word))
    }
}

/// Pairs of cells of a map, and the direct hops between them. A cost is its own number.
struct Hops<'a>(&'a Grid);

impl Pairs<24> for Hops<'_> {
    type Metric = OctileCosts;

    fn metric(&self) -> OctileCosts {
        OctileCosts
    }

    #[inline]
    fn direct(&self, from: Cell, to: Cell) -> u64 {
        Mid::between(from, to)
    }

    #[inline]
    fn is_direct(&self, from: Cell, to: Cell) -> bool {
        hop_is_free(self.0, from, to)
    }

    fn may_connect(&self, from: Cell, to: Cell) -> bool {
        self.0.may_connect(from, to)
    }

    #[inline]
    fn number(&self, cost: u64) -> u64 {
        cost
    }

    #[inline]
    fn cost(&self, number: u64) -> PathCost {
        PathCost::Grid(Mid::decode(number))
    }
}

/// Scratch memory of [`HubLabelsPlanner`].
#[derive(Debug)]
struct HubLabelsScratch {
    costs: HubCosts<24>,
    hops: Vec<Cell>,
    many: Many<24>,
}

size_bytes!(HubLabelsScratch: costs, hops, many);

#[cfg(test)]
mod tests;
