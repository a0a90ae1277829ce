//! Jump point search of the crate `grid_pathfinding`.
//!
//! It has a map type of its own, with eight neighbours a cell and connected components, built once. Pruning is set as
//! in its own benchmarks, without the "improved" rules, and the heuristic's factor is the one that it calls optimal.
//!
//! Its diagonal moves pass blocked cells at one side or both, which the benchmark's rule forbids and no setting
//! prevents. It also takes 99/70 for √2, and prices some hops wrongly, so that its paths are not the shortest under its
//! own rule either.

use grid_pathfinding::PathingGrid;
use grid_util::grid::{BoolGrid, ValueGrid};
use grid_util::point::Point;
use octile::planner::Probe;
use octile::{Cell, Grid, Output, PathQuery};

use super::Foreign;

/// The peer.
#[derive(Clone)]
pub(super) struct GridPathfinding {
    pathing: PathingGrid,
}

fn point(cell: Cell) -> Point {
    Point::new(cell.x as i32, cell.y as i32)
}

fn cell(point: Point) -> Cell {
    Cell::new(point.x as u32, point.y as u32)
}

impl Foreign for GridPathfinding {
    const NAME: &'static str = "peer/grid-pathfinding";

    fn new(grid: &Grid) -> Self {
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
        Self { pathing }
    }

    fn points<P: Probe + ?Sized>(&self, _grid: &Grid, query: PathQuery, _probe: &mut P) -> Option<Vec<Cell>> {
        let (start, goal) = (point(query.start), point(query.goal));
        let points = match query.output {
            Output::Cells => self.pathing.get_path_single_goal(start, goal, false),
            Output::Cost | Output::Waypoints => self.pathing.get_waypoints_single_goal(start, goal, false),
        };
        Some(points?.into_iter().map(cell).collect())
    }

    /// Its map: a bit and two bytes a cell, and the components with a number and a byte.
    fn index_bytes(&self, grid: &Grid) -> usize {
        let cells = grid.width() as usize * grid.height() as usize;
        cells.div_ceil(8) + cells * (3 + size_of::<usize>())
    }
}
