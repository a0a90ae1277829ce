//! Jump point search with bit-parallel scans.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: none; follows edits. With
//!   [gates](crate::prune::gates) some milliseconds, repeated when the map changes.
//! - **Complexity**: time O(n log n) for n cells, in practice a small share of them; scratch O(n).
//! - **References**: Harabor & Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011; the same, "Improving
//!   Jump Point Search", 2014 (block scans).
//! - **Deviations**: 1. the rule without corner cutting: a scan stops where an obstacle beside it *ends*, one cell later
//!   than in the 2011 paper; 2. diagonal jump points never enter the open list: the straight scans of a diagonal walk are
//!   made in place and lead from where the walk began, diagonally first, straight to what they find; 3. scans do not look
//!   for the goal: a cell taken from the open list is asked whether its diagonal-first hop to the goal is free, and if so
//!   its f is the answer.
//!
//! The search itself is in `jump_points.rs`.
//!
//! # Example
//! ```
//! use octile::{Cell, Grid, Octile, Path, Planner, Query, algo::jps::Jps};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let planner = Jps::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(0, 2), Cell::new(2, 2)), &mut path)?;
//! assert_eq!(path.cost(), Octile::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use super::jump_points::JumpScratch as JpsScratch;
use super::jump_points::{self, Gate, Scan, Scanner};
use super::{Entry, IndexEffort};
use crate::cell::CellId;
use crate::error::{BuildError, EditError};
use crate::grid::Movement;
use crate::planner::{Guarantee, OnEdit, Planner, Query};
use crate::probe::Probe;
use crate::prune::{GATES_USE_KEY, GateUse, PRUNE_GATES_KEY, Prune, Terrain};
use crate::{Cell, Dir, Edits, Finder, Grid, Path};

/// The line of [`Jps`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "jps",
    summary: "jump point search: scans rows and columns 57 cells at a time",
    guarantee: |_| Guarantee::GridOptimal,
    index: IndexEffort::None,
    movements: |_| &[Movement::Octile],
    keys: &[PRUNE_GATES_KEY, GATES_USE_KEY],
    paper: "Harabor & Grastien 2011, 2014",
    variants: &["jps:prune=gates", "jps:prune=gates,gates=always", "jps:smooth=greedy"],
    check: |options| Prune::gates_from_options(options).map(drop),
    indexes: |options| Prune::gates_from_options(options).unwrap_or_default().index_kinds(),
    build: |grid, options| {
        let prune = Prune::gates_from_options(options)?;
        Ok(Finder::from_planner(Jps { terrain: Terrain::from_options(grid, prune, GATES_PAY_BELOW, options)? }))
    },
};

/// Jump point search.
#[derive(Clone, Debug)]
pub struct Jps {
    terrain: Terrain,
}

/// Gates pay unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.4;

impl Jps {
    /// A planner for `grid`.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        Self::with_gates(grid, None)
    }

    /// A planner for `grid` that looks behind no [gate](crate::prune::gates).
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn with_gates(grid: &Grid, gates: Option<GateUse>) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &[Movement::Octile])?;
        Ok(Self { terrain: Terrain::new(grid, Prune { areas: None, gates }, GATES_PAY_BELOW) })
    }
}

impl Planner for Jps {
    type Scratch = JpsScratch;

    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.terrain.grid
    }

    fn create_scratch(&self) -> JpsScratch {
        JpsScratch::new(self.grid(), Windows(self.grid()))
    }

    fn accepts(&self, scratch: &JpsScratch) -> bool {
        scratch.fits(self.grid())
    }

    fn search<P: Probe + ?Sized>(&self, scratch: &mut JpsScratch, query: Query, out: &mut Path, probe: &mut P) -> bool {
        jump_points::search(
            self.grid(),
            self.terrain.gates(query),
            (Windows(self.grid()), Scan),
            scratch,
            query,
            out,
            probe,
        )
    }

    fn on_edit(&self) -> OnEdit {
        self.terrain.on_edit()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.terrain.apply(edits)
    }

    fn index_bytes(&self) -> usize {
        self.terrain.pruning.size_bytes()
    }
}

/// Scans of the rows and columns of the map itself, three of them at a time.
#[derive(Clone, Copy)]
struct Windows<'a>(&'a Grid);

/// A diagonal walk is asked about at every step of this many: what it finds is asked about anyway, and a question costs as
/// much as a step and a half. Measured from 1 to 8: 4 takes the fewest instructions on mazes, sc1 and dao.
const STEPS_BETWEEN_GATES: u32 = 4;

impl Scanner for Windows<'_> {
    #[inline]
    fn row<const EAST: bool>(self, cell: Cell) -> Option<u32> {
        self.0.rows().jump::<EAST>(cell.y as usize + 1, cell.x as usize + 1)
    }

    #[inline]
    fn column<const SOUTH: bool>(self, cell: Cell) -> Option<u32> {
        self.0.columns().jump::<SOUTH>(cell.x as usize + 1, cell.y as usize + 1)
    }

    #[inline]
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        self,
        mut cell: Cell,
        gates: &impl Gate,
        mut found: impl FnMut(u32, Option<u32>, Option<u32>),
    ) {
        let dir = const { Dir::diagonal(EAST, SOUTH) };
        let id_step = self.0.id_steps()[dir as usize];
        let mut id = self.0.id(cell);
        let mut step = 0_u32;
        while self.0.moves_of(id).contains(dir) {
            step += 1;
            cell = dir.step(cell, 1);
            id = CellId(id.0.wrapping_add(id_step));
            if step.is_multiple_of(STEPS_BETWEEN_GATES) && !gates.lets_in(id) {
                break;
            }
            found(step, self.row::<EAST>(cell), self.column::<SOUTH>(cell));
        }
    }

    #[inline]
    fn diagonal_is_free(self, cell: Cell, dir: Dir, steps: u32) -> bool {
        crate::grid::sight::diagonal_is_free(self.0, cell, dir, steps)
    }

    #[inline]
    fn nodes(self) -> usize {
        self.0.padded_cells()
    }

    #[inline]
    fn node(self, cell: Cell) -> u32 {
        self.0.id(cell).0
    }

    #[inline]
    fn start_node(self, cell: Cell) -> u32 {
        self.node(cell)
    }
}
