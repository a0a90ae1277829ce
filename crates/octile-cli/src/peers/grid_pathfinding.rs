//! Jump point search of the crate `grid_pathfinding`.
//!
//! It has a map type of its own, with eight neighbours a cell and connected components, built once. Pruning is set as in its
//! own benchmarks, without the "improved" rules, and the heuristic's factor is the one that it calls optimal.
//!
//! Its diagonal moves pass blocked cells at one side or both, which the benchmark's rule forbids and no setting prevents. It
//! also takes 99/70 for √2, and prices some hops wrongly, so that its paths are not the shortest under its own rule either.

use grid_pathfinding::PathingGrid;
use grid_util::grid::{BoolGrid, ValueGrid};
use grid_util::point::Point;
use octile::{Cell, EditError, Edits, Grid, Guarantee, OnEdit, Output, Path, Planner, Probe, Query};

/// The peer.
#[derive(Clone)]
pub(super) struct GridPathfinding {
    grid: Grid,
    pathing: PathingGrid,
}

impl GridPathfinding {
    pub(super) const NAME: &'static str = "peer/grid-pathfinding";

    pub(super) fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut blocked = BoolGrid::new(width, height, false);
        for cell in grid.cells().filter(|&cell| !grid.is_free(cell)) {
            blocked.set_point(point(cell), true);
        }
        let mut pathing = PathingGrid::new(width, height, true);
        pathing.grid = blocked;
        pathing.allow_diagonal_move = true;
        pathing.improved_pruning = false;
        pathing.heuristic_factor = 1.0;
        pathing.initialize();
        pathing.generate_components();
        Self { grid: grid.clone(), pathing }
    }
}

fn point(cell: Cell) -> Point {
    Point::new(cell.x as i32, cell.y as i32)
}

fn cell(point: Point) -> Cell {
    Cell::new(point.x as u32, point.y as u32)
}

impl Planner for GridPathfinding {
    type Scratch = ();

    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// What it says itself.
    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn may_connect(&self, _start: Cell, _goal: Cell) -> bool {
        true
    }

    fn create_scratch(&self) -> Self::Scratch {}

    fn accepts(&self, (): &Self::Scratch) -> bool {
        true
    }

    fn search<P: Probe + ?Sized>(&self, (): &mut (), query: Query, out: &mut Path, _probe: &mut P) -> bool {
        let (start, goal) = (point(query.start), point(query.goal));
        let points = match query.output {
            Output::Cells => self.pathing.get_path_single_goal(start, goal, false),
            Output::Cost | Output::Waypoints => self.pathing.get_waypoints_single_goal(start, goal, false),
        };
        let Some(points) = points else { return false };
        *out = Path::through(points.into_iter().map(cell)).unwrap_or_default();
        true
    }

    fn on_edit(&self) -> OnEdit {
        OnEdit::Rebuild
    }

    fn apply(&mut self, _edits: &Edits) -> Result<(), EditError> {
        Err(EditError::RebuildNeeded { planner: Self::NAME })
    }

    /// Its map: a bit and two bytes a cell, and the components with a number and a byte.
    fn index_bytes(&self) -> usize {
        let cells = self.grid.width() as usize * self.grid.height() as usize;
        cells.div_ceil(8) + cells * (3 + size_of::<usize>())
    }
}
