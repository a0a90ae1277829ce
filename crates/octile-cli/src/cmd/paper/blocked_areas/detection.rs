//! What is counted of a map: Tables 2 and 3.

use octile::Grid;
use octile::prune::blocked_areas::{BaTree, BlockedAreas, Detection};

use super::super::timing::{best_of, millis};
use super::trial::swapped;
use crate::inputs::Task;
use crate::papers::blocked_areas::{Areas, Walls};
use crate::report::blocked_areas::Preprocessing;

/// The line of Table 2.
pub(super) fn walls(grid: &Grid, tasks: &[Task]) -> Walls {
    let detection = Detection::new(grid);
    let cells = f64::from(grid.width()) * f64::from(grid.height());
    Walls {
        scenarios: tasks.iter().filter(|task| swapped(grid, task).is_some()).count(),
        blocked_percent: 100.0 * (1.0 - f64::from(grid.free_cells()) / cells),
        horizontal_segments: detection.horizontal_segments,
        vertical_segments: detection.vertical_segments,
        intersections: detection.intersections,
        corners: detection.corners,
    }
}

/// The line of Table 3, and the times of preprocessing.
pub(super) fn areas(grid: &Grid, rounds: usize) -> (Areas, Preprocessing) {
    let ((areas, tree), detection) = best_of(rounds, || {
        let areas = Detection::new(grid).areas;
        let tree = BaTree::new(&areas);
        (areas, tree)
    });
    let (_, selection) = best_of(rounds, || BlockedAreas::build(grid));
    let (mut inside, mut most_visited) = (0, 0);
    for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
        let mut visited = 0;
        inside += u32::from(tree.find_counted(&areas, cell, &mut visited).is_some());
        most_visited = most_visited.max(visited);
    }
    let free = f64::from(grid.free_cells().max(1));
    let joints: usize = areas.iter().map(|area| area.joints().len()).sum();
    let cells = f64::from(grid.width()) * f64::from(grid.height());
    let row = Areas {
        count: areas.len(),
        inside_percent: 100.0 * f64::from(inside) / free,
        joints_percent: 100.0 * joints as f64 / cells,
        tree_nodes: tree.len(),
        most_visited,
    };
    (row, Preprocessing { detection_ms: millis(detection), safe_ms: millis(selection) })
}
