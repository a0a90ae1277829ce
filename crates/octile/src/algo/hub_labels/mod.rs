//! Hub labels on the subgoal graph: optimal paths in about a microsecond, from an index of some megabytes.
//!
//! - **Guarantee**: grid-optimal; complete.
//! - **Preprocessing**: seconds for a map of 512 x 512 cells and an index of a few megabytes, kept in a [file](crate::artifact)
//!   that is mapped. Maps with very many corners of obstacles that see each other do not suit: a build counts its work and ends
//!   with a message. Does not follow edits: the index must be built again.
//! - **Complexity**: a query looks at a few dozen links of the labels of its two ends, then goes from hub to hub's tree, a step for
//!   every bend of the path. No search. Costs alone are found without the path. Scratch: 12 bytes a subgoal.
//! - **References**: Uras, Koenig & Hernández, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids", 2013; Abraham,
//!   Delling, Goldberg & Werneck, "A Hub-Based Labeling Algorithm for Shortest Paths in Road Networks", 2011; Delling, Goldberg,
//!   Pajor & Werneck, "Robust Distance Queries on Massive Networks", 2014 (the order of hubs); Akiba, Iwata & Yoshida, "Fast Exact
//!   Shortest-Path Distance Queries on Large Networks by Pruned Landmark Labeling", 2013.
//! - **Deviations**: 1. labels are of subgoals only; cells choose links from those of the subgoals they reach directly, and hub trees
//!   give the path; 2. a query first asks whether the direct hop is free.
//!
//! Every shortest path can be had as a chain of direct hops from subgoal to subgoal (`subgoals.rs`), where every octile path
//! between two neighbours of the chain is free. The labels of two connected subgoals have a hub in common that lies on a shortest path
//! between them (`labels.rs`, `order.rs`). What cells need of them is in `cells.rs`.
//!
//! # Example
//! ```
//! use octile::{Cell, Grid, Octile, Path, Planner, Query, algo::hub_labels::HubLabels};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let planner = HubLabels::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(0, 2), Cell::new(2, 2)), &mut path)?;
//! assert_eq!(path.cost(), Octile::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod cells;
mod cost;
mod file;
mod labels;
mod limits;
mod order;
mod query;
mod search;
mod subgoals;

use std::sync::Arc;

use self::file::Index;
use self::limits::Limits;
use self::query::{Connections, HubCosts};
use super::{Entry, IndexEffort};
use crate::artifact::{Artifact, ArtifactError};
use crate::error::{BuildError, EditError};
use crate::grid::Movement;
use crate::index;
use crate::planner::{Guarantee, OnEdit, Output, Planner, Query};
use crate::probe::Probe;
use crate::{Cell, Edits, Finder, Grid, Octile, Path};

const NAME: &str = "hub-labels";

/// The kind of its index.
pub const KIND: &str = "hub-labels";

/// The version of its sections.
const VERSION: u32 = 1;

/// The line of its index in the table of indexes.
pub(crate) const INDEX: index::Entry = index::Entry {
    kind: KIND,
    version: VERSION,
    summary: "hub labels: shortest paths between any two cells by a hub on each",
    build: index::Build::Watched(|grid, watch| build::build(grid, Limits::FOR_FILE, watch)),
    describe: file::describe,
};

/// The line of [`HubLabels`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "hub labels on the subgoal graph: paths in a microsecond, without a search",
    guarantee: |_| Guarantee::GridOptimal,
    index: IndexEffort::Corners,
    movements: |_| &[Movement::Octile],
    keys: &[],
    paper: "Uras, Koenig & Hernández 2013; Abraham et al. 2011",
    variants: &[],
    check: |_| Ok(()),
    indexes: |_| vec![KIND],
    build: |grid, options| {
        Ok(Finder::from_planner(match options.indexes().get(KIND) {
            Some(artifact) => HubLabels::from_artifact(Arc::clone(artifact), grid)?,
            None => HubLabels::within(grid, if options.is_brief() { Limits::BRIEF } else { Limits::AT_ONCE })?,
        }))
    },
};

/// A planner over hub labels.
#[derive(Clone, Debug)]
pub struct HubLabels {
    index: Index,
    grid: Grid,
}

impl HubLabels {
    /// Builds the index of a map and keeps it in memory. What takes longer than some seconds is refused, to be built
    /// [beforehand](index::Entry::build_for).
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`], the map does not suit, or the build takes too long.
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        Self::within(grid, Limits::AT_ONCE)
    }

    fn within(grid: &Grid, limits: Limits) -> Result<Self, BuildError> {
        let bytes = build::build(grid, limits, &|_| {})?;
        Ok(Self::from_artifact(Artifact::from_bytes(bytes.into())?, grid)?)
    }

    /// Takes the index of a map from a file, which is read once to check that it is whole.
    ///
    /// # Errors
    /// If the file is damaged, of another kind, or made for another map or movement rule.
    pub fn from_artifact(artifact: impl Into<Arc<Artifact>>, grid: &Grid) -> Result<Self, ArtifactError> {
        let mut grid = grid.clone();
        // Which cells are connected must be certain.
        grid.refresh();
        Ok(Self { index: Index::open(artifact.into(), &grid)?, grid })
    }
}

impl Planner for HubLabels {
    type Scratch = HubLabelsScratch;

    fn name(&self) -> &'static str {
        NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn create_scratch(&self) -> HubLabelsScratch {
        HubLabelsScratch { costs: HubCosts::new(self.index.subgoals()), connections: Vec::new(), hops: Vec::new() }
    }

    fn accepts(&self, scratch: &HubLabelsScratch) -> bool {
        scratch.costs.len() == self.index.subgoals()
    }

    fn search<P: Probe + ?Sized>(
        &self,
        scratch: &mut HubLabelsScratch,
        query: Query,
        out: &mut Path,
        _: &mut P,
    ) -> bool {
        let Query { start, goal, output } = query;
        if query::hop_is_free(&self.grid, start, goal) {
            return out.set_hops(query, &[start, goal], Octile::between(start, goal));
        }
        let view = self.index.view();
        let HubLabelsScratch { costs, connections, hops } = scratch;
        let Some(meeting) = query::meet(&view, costs, connections, start, goal) else { return false };
        hops.clear();
        if output != Output::Cost && query::trace(&view, meeting, start, goal, hops).is_none() {
            return false;
        }
        out.set_hops(query, hops, cost::decode(meeting.cost))
    }

    fn on_edit(&self) -> OnEdit {
        OnEdit::Rebuild
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        let mut grid = self.grid.clone();
        grid.apply(edits)?;
        if grid == self.grid { Ok(()) } else { Err(EditError::RebuildNeeded { planner: NAME }) }
    }

    fn index_bytes(&self) -> usize {
        self.index.size_bytes()
    }
}

/// Working memory of [`HubLabels`].
#[derive(Debug)]
pub struct HubLabelsScratch {
    costs: HubCosts,
    connections: Connections,
    hops: Vec<Cell>,
}

#[cfg(test)]
mod tests;
