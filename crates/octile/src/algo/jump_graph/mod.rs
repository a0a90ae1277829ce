//! Jump graph: all jump points and the ways between them found beforehand, and most of them left out of the search.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: 2 to 20 ms for 512 x 512 cells; when the map changes, the planes
//!   follow and the graph is made again.
//! - **Complexity**: time O(n log n) for n jump points, in practice a small share of them; scratch O(n); index some 300 bytes a
//!   jump point.
//! - **References**: none. The nodes are the straight jump points of Harabor & Grastien 2011, with edges that go diagonally first,
//!   then straight; what is left out is as in their jump point graphs or in a contraction hierarchy, but on rays (`contract.rs`).
//!   [Gates](crate::prune::gates) tell which jump points a query can do without; they are used on maps where that is more than
//!   half of them.
//!
//! # Example
//! ```
//! use octile::{Engine, Grid, JumpGraph, Octile};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let path = Engine::new(JumpGraph::default(), &grid)?.find((0, 2), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), Octile::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contract;
mod graph;
mod search;

use std::sync::Arc;

use self::contract::Contracted;
use self::graph::Graph;
use self::search::JumpGraphScratch;
use crate::geometry::Cell;
use crate::grid::planes::Planes;
use crate::grid::{Edits, Grid, Movement};
use crate::path::{Path, PathFault};
use crate::prune::gates::SpotGates;
use crate::search::{
    About, Build, BuildError, Config, EditError, Guarantee, IndexEffort, OnEdit, Planner, Probe, Scratch, Trip, config,
    names,
};

config! {
    /// Search over the graph of jump points.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct JumpGraph {
        /// Whether dead ends and chains are left out of the search.
        contract: When ["contract": "auto, always or never",
            "whether to leave dead ends and chains out of the search; default auto, on maps where that pays"],
        /// Whether a query looks behind no [gate](crate::prune::gates).
        gates: When ["gates": "auto, always or never",
            "whether to look behind no gate; default auto, on maps where that pays"],
    }
}

/// When to use what makes some maps faster and others slower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum When {
    /// On maps where it pays.
    #[default]
    Pays,
    /// On every map.
    Always,
    /// On no map.
    Never,
}

names! { When { Pays = "auto", Always = "always", Never = "never" } }

impl When {
    /// Whether to use it, where `pays` says whether it pays.
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

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn movements(&self) -> &'static [Movement] {
        &[Movement::Octile]
    }

    fn on_edit(&self) -> OnEdit {
        OnEdit::Rebuilds
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        let grid = build.grid();
        BuildError::check(self, build)?;
        let index = Arc::new(Index::build(grid, Planes::build(grid), self));
        Ok(Box::new(JumpGraphPlanner { grid: grid.clone(), config: self.clone(), index }))
    }
}

/// Search over the jump points of a map.
#[derive(Clone, Debug)]
struct JumpGraphPlanner {
    grid: Grid,
    config: JumpGraph,
    index: Arc<Index>,
}

/// What is built for a map.
#[derive(Debug)]
struct Index {
    planes: Planes,
    /// None on maps where scans are as fast.
    graph: Option<Contracted>,
    /// Where they pay.
    gates: Option<SpotGates>,
}

/// Gates pay unless a query needs more than this share of the jump points.
const GATES_PAY_BELOW: f64 = 0.5;

/// A map is dense if more than this share of its free cells are jump points: random obstacles, mazes of width 1 (where gates help).
const DENSE: f64 = 0.2;

impl Index {
    fn build(grid: &Grid, planes: Planes, config: &JumpGraph) -> Self {
        let cells: Vec<Cell> = planes.numbered().collect();
        let gates = gates(grid, &cells, config.gates);
        // Where jump points lie close together and no gate helps, scans are as fast as edges, in a tenth of the memory.
        let is_dense = cells.len() as f64 > DENSE * f64::from(grid.free_cells());
        if config.contract == When::Pays && is_dense && gates.is_none() {
            return Self { planes, graph: None, gates };
        }
        let graph = Graph::build(grid, &planes, cells);
        let graph = match config.contract {
            When::Never => Contracted::plain(&graph),
            // On a dense map that halves memory and time to build, and costs queries nothing; on others they take about 10 % longer.
            When::Pays | When::Always => Contracted::build(&graph, &planes, is_dense),
        };
        Self { planes, graph: Some(graph), gates }
    }

    fn size_bytes(&self) -> usize {
        let gates = self.gates.as_ref().map_or(0, SpotGates::size_bytes);
        let graph = self.graph.as_ref().map_or(0, Contracted::size_bytes);
        self.planes.size_bytes() + graph + gates
    }
}

/// The gates of a map with these jump points, if they are to be used.
fn gates(grid: &Grid, cells: &[Cell], when: When) -> Option<SpotGates> {
    let gates = (when != When::Never).then(|| SpotGates::build(grid, cells));
    gates.filter(|gates| when.holds(|| gates.share(grid, cells) < GATES_PAY_BELOW))
}

impl Planner for JumpGraphPlanner {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(JumpGraphScratch::new(&self.grid, &self.index))
    }

    fn accepts(&self, scratch: &Scratch) -> bool {
        scratch.holds(|scratch: &JumpGraphScratch| scratch.fits(&self.grid))
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: Trip,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        Ok(search::search(self, scratch.get(), query, out, probe))
    }

    fn on_edit(&self) -> OnEdit {
        OnEdit::Rebuilds
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        let changed = self.grid.change(edits)?;
        if changed.is_any() {
            let mut planes = self.index.planes.clone();
            planes.apply(&self.grid, &changed);
            self.index = Arc::new(Index::build(&self.grid, planes, &self.config));
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.index.size_bytes()
    }
}
