//! Corner sweep: jump point search over [bit planes](crate::grid) that know the corners.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: bit planes, word by word, in the time of a few queries; follows
//!   edits at a cost proportional to them.
//! - **Complexity**: as [`jps`](super::jps): time O(n log n) for n cells, in practice a small share of them; scratch O(n), planes
//!   of about 5 bits a cell.
//! - **References**: none. It is jump point search without diagonal nodes (Harabor & Grastien 2011, 2014), with everything that
//!   does not depend on the query kept in bits.
//!
//! A jump point is a corner of an obstacle. From one, the search sweeps a quadrant: along the two straight directions, and from
//! every cell of the diagonal between them. Where [`jps`](super::jps) walks that diagonal cell by cell and scans rows and columns
//! at each, the planes have a word for the next 64 cells of the diagonal that says which of their scans end at a corner: only
//! those are made, and none is made in vain.
//!
//! # Example
//! ```
//! use octile::{Cell, Grid, Octile, Path, Planner, Query, algo::corner_sweep::CornerSweep};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let planner = CornerSweep::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(0, 2), Cell::new(2, 2)), &mut path)?;
//! assert_eq!(path.cost(), Octile::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use super::jump_points;
pub use super::jump_points::JumpScratch as CornerScratch;
use super::{Entry, IndexEffort};
use crate::error::{BuildError, EditError};
use crate::grid::Movement;
use crate::grid::planes::Planes;
use crate::planner::{Guarantee, OnEdit, Planner, Query};
use crate::probe::Probe;
use crate::prune::{GATES_USE_KEY, PRUNE_GATES_KEY, Prune, Terrain};
use crate::{Edits, Finder, Grid, Path};

/// The line of [`CornerSweep`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "corner-sweep",
    summary: "jump point search over bit planes: 64 cells of a diagonal at a time",
    guarantee: |_| Guarantee::GridOptimal,
    index: IndexEffort::None,
    movements: |_| &[Movement::Octile],
    keys: &[PRUNE_GATES_KEY, GATES_USE_KEY],
    paper: "",
    variants: &["corner-sweep:prune=gates,gates=always"],
    check: |options| Prune::gates_from_options(options).map(drop),
    indexes: |options| Prune::gates_from_options(options).unwrap_or_default().index_kinds(),
    build: |grid, options| {
        let prune = Prune::gates_from_options(options)?;
        let terrain = Terrain::from_options(grid, prune, GATES_PAY_BELOW, options)?;
        Ok(Finder::from_planner(CornerSweep { terrain, planes: Arc::new(Planes::build(grid)) }))
    },
};

/// Corner sweep.
#[derive(Clone, Debug)]
pub struct CornerSweep {
    terrain: Terrain,
    planes: Arc<Planes>,
}

/// Gates pay unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.4;

impl CornerSweep {
    /// A planner for `grid`.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &[Movement::Octile])?;
        let terrain = Terrain::new(grid, Prune::default(), GATES_PAY_BELOW);
        Ok(Self { terrain, planes: Arc::new(Planes::build(grid)) })
    }
}

impl Planner for CornerSweep {
    type Scratch = CornerScratch;

    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.terrain.grid
    }

    fn create_scratch(&self) -> CornerScratch {
        CornerScratch::new(self.grid(), &*self.planes)
    }

    fn accepts(&self, scratch: &CornerScratch) -> bool {
        scratch.fits(self.grid())
    }

    fn search<P: Probe + ?Sized>(
        &self,
        scratch: &mut CornerScratch,
        query: Query,
        out: &mut Path,
        probe: &mut P,
    ) -> bool {
        jump_points::search(self.grid(), self.terrain.gates(query), &*self.planes, scratch, query, out, probe)
    }

    fn on_edit(&self) -> OnEdit {
        self.terrain.on_edit()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.terrain.apply(edits)?;
        Arc::make_mut(&mut self.planes).apply(&self.terrain.grid, edits);
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.terrain.pruning.size_bytes() + self.planes.size_bytes()
    }
}
