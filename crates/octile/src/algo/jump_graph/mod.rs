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
//! use octile::{Cell, Grid, Octile, Path, Planner, Query, algo::jump_graph::JumpGraph};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let planner = JumpGraph::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(0, 2), Cell::new(2, 2)), &mut path)?;
//! assert_eq!(path.cost(), Octile::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contract;
mod graph;
mod search;

use std::sync::Arc;

use self::contract::Contracted;
use self::graph::Graph;
pub use self::search::JumpGraphScratch;
use super::{Entry, IndexEffort, Key};
use crate::error::{BuildError, EditError, SpecError};
use crate::grid::Movement;
use crate::grid::planes::Planes;
use crate::planner::{Guarantee, OnEdit, Planner, Query};
use crate::probe::Probe;
use crate::prune::gates::SpotGates;
use crate::spec::Options;
use crate::{Cell, Edits, Finder, Grid, Path};

/// The line of [`JumpGraph`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "jump-graph",
    summary: "search over a graph of jump points, contracted, with gates where they pay",
    guarantee: |_| Guarantee::GridOptimal,
    index: IndexEffort::Map,
    movements: |_| &[Movement::Octile],
    keys: &[CONTRACT_KEY, GATES_KEY],
    paper: "new, after Harabor & Grastien 2011, 2014",
    variants: &["jump-graph:contract=always,gates=always", "jump-graph:contract=never,gates=never"],
    check: |options| Settings::from_options(options).map(drop),
    indexes: |_| Vec::new(),
    build: |grid, options| Ok(Finder::from_planner(JumpGraph::with(grid, Settings::from_options(options)?)?)),
};

const CONTRACT_KEY: Key = Key {
    name: "contract",
    takes: "auto, always or never",
    help: "whether to leave dead ends and chains out of the search; auto, on maps where that pays, unless told",
};

const GATES_KEY: Key = Key {
    name: "gates",
    takes: "auto, always or never",
    help: "whether to look behind no gate; auto, on maps where that pays, unless told",
};

/// When to use what makes some maps faster and others slower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// On maps where it pays.
    #[default]
    Pays,
    /// On every map.
    Always,
    /// On no map.
    Never,
}

impl When {
    /// The value of a key.
    fn from_options(options: &Options, key: &'static str) -> Result<Self, SpecError> {
        let when = options.value(key, |value| match value {
            "auto" => Some(Self::Pays),
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            _ => None,
        })?;
        Ok(when.unwrap_or_default())
    }

    /// Whether to use it, where `pays` says whether it pays.
    fn holds(self, pays: impl FnOnce() -> bool) -> bool {
        match self {
            Self::Pays => pays(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// How a [`JumpGraph`] is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether dead ends and chains are left out of the search.
    pub contract: When,
    /// Whether a query looks behind no [gate](crate::prune::gates).
    pub gates: When,
}

impl Settings {
    fn from_options(options: &Options) -> Result<Self, SpecError> {
        let when = |key: &Key| When::from_options(options, key.name);
        Ok(Self { contract: when(&CONTRACT_KEY)?, gates: when(&GATES_KEY)? })
    }
}

/// Search over the graph of jump points.
#[derive(Clone, Debug)]
pub struct JumpGraph {
    grid: Grid,
    settings: Settings,
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

impl JumpGraph {
    /// A planner for `grid`.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        Self::with(grid, Settings::default())
    }

    /// A planner for `grid`, built as told.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn with(grid: &Grid, settings: Settings) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &[Movement::Octile])?;
        let index = Index::build(grid, Planes::build(grid), settings);
        Ok(Self { grid: grid.clone(), settings, index: Arc::new(index) })
    }
}

impl Index {
    fn build(grid: &Grid, planes: Planes, settings: Settings) -> Self {
        let cells: Vec<Cell> = planes.numbered().collect();
        let gates = gates(grid, &cells, settings.gates);
        // Where jump points lie close together and no gate helps, scans are as fast as edges, in a tenth of the memory.
        let is_dense = cells.len() as f64 > DENSE * f64::from(grid.free_cells());
        if settings.contract == When::Pays && is_dense && gates.is_none() {
            return Self { planes, graph: None, gates };
        }
        let graph = Graph::build(grid, &planes, cells);
        let graph = match settings.contract {
            When::Never => Contracted::plain(&graph),
            When::Pays | When::Always => Contracted::build(&graph, &planes),
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

impl Planner for JumpGraph {
    type Scratch = JumpGraphScratch;

    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn create_scratch(&self) -> JumpGraphScratch {
        JumpGraphScratch::new(&self.grid, &self.index)
    }

    fn accepts(&self, scratch: &JumpGraphScratch) -> bool {
        scratch.fits(&self.grid)
    }

    fn search<P: Probe + ?Sized>(
        &self,
        scratch: &mut JumpGraphScratch,
        query: Query,
        out: &mut Path,
        probe: &mut P,
    ) -> bool {
        search::search(self, scratch, query, out, probe)
    }

    fn on_edit(&self) -> OnEdit {
        OnEdit::Repairs
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        let before = self.grid.clone();
        self.grid.apply(edits)?;
        if self.grid != before {
            let mut planes = self.index.planes.clone();
            planes.apply(&self.grid, edits);
            self.index = Arc::new(Index::build(&self.grid, planes, self.settings));
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.index.size_bytes()
    }
}
