//! Jump graph: a graph of all jump points and the hops between them, computed in advance; the search skips most of
//! them.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: 2 to 20 ms for 512 x 512 cells. It follows edits: a
//!   building takes 10 to 400 us. The first edit, and an edit that affects much of the map, take about as long as
//!   building.
//! - **Complexity**: time O(n log n) for n jump points, in practice a small fraction of them; scratch O(n); index about
//!   300 bytes per jump point, and half as much again from the first edit on.
//! - **References**: none. The nodes are the straight jump points of Harabor & Grastien 2011, with edges that go
//!   diagonally first, then straight. Contraction works as in their jump point graphs or in a contraction hierarchy,
//!   but on rays (`contract.rs`). [Gates](crate::kernels::gates) exclude jump points that a query does not need; they
//!   are used on maps where they exclude more than half of them.
//!
//! # Example
//! ```
//! use octile::{Engine, Grid, JumpGraph, GridCost};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let path = Engine::new(JumpGraph::default(), &grid)?.find((0, 2), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contract;
mod graph;
mod lists;
mod repair;
mod search;

use std::sync::Arc;

use self::contract::{Contracted, Sights};
use self::graph::Graph;
use self::repair::{Before, Repair};
use self::search::JumpGraphScratch;
use crate::geometry::Cell;
use crate::grid::planes::Planes;
use crate::grid::{Edits, Grid, Movement};
use crate::kernels::gates::CellGates;
use crate::path::{Path, PathFault};
use crate::planner::{
    About, Build, BuildError, Config, EditError, Facts, IndexEffort, PathQuery, Planner, PlannerId, Probe, Scratch,
    config, names,
};

config! {
    /// Search over the graph of jump points.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct JumpGraph {
        /// Whether the search leaves out dead ends and chains.
        contract: When ["contract":
            "whether to leave dead ends and chains out of the search; default auto, on maps where that pays"],
        /// Whether a query ignores what is behind a [gate](crate::kernels::gates).
        gates: When ["gates": "whether to look behind no gate; default auto, on maps where that pays"],
    }
}

/// When to use an option that makes some maps faster and others slower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum When {
    /// On maps where it pays off.
    #[default]
    Pays,
    /// On every map.
    Always,
    /// On no map.
    Never,
}

names! { When { Pays = "auto", Always = "always", Never = "never" } }

impl When {
    /// Whether to use the option; `pays` tests whether it pays off.
    fn holds(self, pays: impl FnOnce() -> bool) -> bool {
        match self {
            Self::Pays => pays(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

static ABOUT: About = About {
    name: "jump-graph",
    summary: "search over a graph of jump points, contracted, with gates where they pay",
    paper: "new, after Harabor & Grastien 2011, 2014",
    index: IndexEffort::Map,
    variants: &["jump-graph:contract=always,gates=always", "jump-graph:contract=never,gates=never"],
};

impl Config for JumpGraph {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &[Movement::Octile])
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        let grid = build.grid();
        BuildError::check(self, build)?;
        let (id, facts, index) = (PlannerId::new(), self.facts(), Arc::new(Index::build(grid, self)));
        Ok(Box::new(JumpGraphPlanner { id, facts, grid: grid.clone(), config: self.clone(), index }))
    }
}

/// Searches on the jump points of a map.
#[derive(Clone, Debug)]
struct JumpGraphPlanner {
    id: PlannerId,
    facts: Facts,
    grid: Grid,
    config: JumpGraph,
    index: Arc<Index>,
}

/// The index of a map.
#[derive(Clone, Debug)]
struct Index {
    planes: Planes,
    /// None on maps where scans are as fast.
    graph: Option<Contracted>,
    /// Present where gates pay off.
    gates: Option<CellGates>,
    /// Present once the map has changed.
    repair: Option<Box<Repair>>,
}

/// Gates pay off if a query needs less than this fraction of the jump points, on average.
const GATES_PAY_BELOW: f64 = 0.5;

/// A map is dense if more than this fraction of its free cells are jump points: random obstacles, or mazes with
/// corridors of width 1 (where gates help).
const DENSE: f64 = 0.2;

/// Everything is rebuilt after an edit of more than one cell in this many, counting a ring around each area.
const MOST_EDITED: usize = 64;

/// The first edit is also rebuilt if it has more areas than this.
const MOST_AREAS: usize = 16;

impl Index {
    fn build(grid: &Grid, config: &JumpGraph) -> Self {
        let mut index = Self { planes: Planes::build(grid), graph: None, gates: None, repair: None };
        index.build_on_planes(grid, config, false);
        index
    }

    /// Builds everything except the planes; with `follow`, also the data for following edits.
    fn build_on_planes(&mut self, grid: &Grid, config: &JumpGraph, follow: bool) {
        let Self { planes, graph, gates, repair } = self;
        let cells: Vec<Cell> = planes.numbered().collect();
        *gates = find_gates(grid, &cells, config.gates);
        // Where jump points lie close together and gates do not help, scans are as fast as edges, in a tenth of the
        // memory.
        let is_dense = is_dense(grid, cells.len());
        if config.contract == When::Pays && is_dense && gates.is_none() {
            (*graph, *repair) = (None, None);
            return;
        }
        let edges = Graph::build(grid, planes, cells);
        let mut sights = None;
        let contracted = match config.contract {
            When::Never => Contracted::plain(&edges),
            // On a dense map, `sparing` halves memory and build time, and costs queries nothing; on other maps queries
            // take about 10 % longer.
            When::Pays | When::Always => {
                Contracted::build(&edges, sights.insert(Sights::find(&edges, planes)), is_dense)
            }
        };
        *repair = follow.then(|| {
            let sights = sights.unwrap_or_else(|| Sights::find(&edges, planes));
            Box::new(Repair::new(edges, sights, &contracted))
        });
        *graph = Some(contracted);
    }

    /// Whether an edit changes so little of a map that a repair is expected to take less time than a rebuild.
    fn is_small(&self, grid: &Grid, edits: &Edits) -> bool {
        let (mut areas, mut examined) = (0, 0);
        for area in edits.areas() {
            areas += 1;
            examined += (area.width() + 2) * (area.height() + 2);
        }
        examined <= grid.padded_cells() / MOST_EDITED + 256 && (self.repair.is_some() || areas <= MOST_AREAS)
    }

    /// Applies edits to `grid` and follows them. Returns whether that worked; if not, only the grid and the planes are
    /// up to date.
    fn follow(&mut self, grid: &mut Grid, edits: &Edits) -> Result<bool, EditError> {
        let is_small = self.is_small(grid, edits);
        let Self { planes, graph, gates, repair } = self;
        let Some(contracted) = graph.as_mut().filter(|_| is_small) else {
            let changed = grid.change(edits)?;
            planes.apply(grid, &changed);
            return Ok(graph.is_none() && is_dense(grid, 2 * planes.jump_points()));
        };
        let repair = repair.get_or_insert_with(|| {
            let graph = Graph::build(grid, planes, planes.numbered().collect());
            let sights = Sights::find(&graph, planes);
            Box::new(Repair::new(graph, sights, contracted))
        });
        let mut cells: Vec<(Cell, bool)> = edits.iter().map(|(cell, _)| (cell, !grid.is_free(cell))).collect();
        let changed = grid.change(edits)?;
        let before = Before::new(planes, &changed.areas);
        planes.apply(grid, &changed);
        cells.retain(|&(cell, is_free)| grid.is_free(cell) == is_free);
        if gates.as_mut().is_some_and(|gates| !gates.follow(grid, &cells)) {
            return Ok(false);
        }
        let added = repair.follow(contracted, grid, planes, &changed.areas, &before);
        if let (Some(gates), Some(added)) = (gates, &added) {
            for &(number, cell) in added {
                gates.set(number, cell);
            }
        }
        Ok(added.is_some())
    }

    fn size_bytes(&self) -> usize {
        let gates = self.gates.as_ref().map_or(0, CellGates::size_bytes);
        let graph = self.graph.as_ref().map_or(0, Contracted::size_bytes);
        let repair = self.repair.as_ref().map_or(0, |repair| repair.size_bytes());
        self.planes.size_bytes() + graph + gates + repair
    }
}

/// Whether a map with this number of jump points is dense.
fn is_dense(grid: &Grid, jump_points: usize) -> bool {
    jump_points as f64 > DENSE * f64::from(grid.free_cells())
}

/// The gates of a map with these jump points, if they should be used.
fn find_gates(grid: &Grid, cells: &[Cell], when: When) -> Option<CellGates> {
    let gates = (when != When::Never).then(|| CellGates::build(grid, cells));
    gates.filter(|gates| when.holds(|| gates.share(grid, cells) < GATES_PAY_BELOW))
}

impl Planner for JumpGraphPlanner {
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
        Scratch::new(self.id, JumpGraphScratch::new(&self.index))
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        Ok(search::search(self, scratch.get(), query, out, probe))
    }

    fn rebuilds_for(&self, edits: &Edits) -> bool {
        self.index.graph.is_some() && edits.check(&self.grid).is_ok() && !self.index.is_small(&self.grid, edits)
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        edits.check(&self.grid)?;
        if !self.grid.changes_under(edits) {
            return Ok(());
        }
        if self.rebuilds_for(edits) && Arc::get_mut(&mut self.index).is_none() {
            // The index is shared: only the planes are copied.
            let changed = self.grid.change(edits)?;
            let mut index = Index { planes: self.index.planes.clone(), graph: None, gates: None, repair: None };
            index.planes.apply(&self.grid, &changed);
            index.build_on_planes(&self.grid, &self.config, true);
            self.index = Arc::new(index);
            return Ok(());
        }
        let index = Arc::make_mut(&mut self.index);
        if !index.follow(&mut self.grid, edits)? {
            index.build_on_planes(&self.grid, &self.config, true);
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.index.size_bytes()
    }
}
