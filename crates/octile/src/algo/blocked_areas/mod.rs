//! Blocked areas: polygons of walls with one open side, which a search can ignore unless its start or goal is inside.
//!
//! - **Guarantee**: a shortest path survives, under every movement rule (`select.rs` has the proof).
//! - **Preprocessing**: O(n) for n cells in practice, 5 to 25 ms on a 512x512 map.
//! - **Reference**: Jubair & Hawa, "Exploiting Obstacle Geometry to Reduce Search Time in Grid-Based Pathfinding",
//!   2020.
//!
//! | section of the paper | here |
//! |---|---|
//! | 5, detection: segments, corners, Partition and Sort, polygons, rejection | `detect.rs`, [`Detection`] |
//! | 4, entrance and internal nodes; 6.3, winding number | `area.rs`, [`Area`] |
//! | 6.1 and 6.3, BA-tree and its access | `tree.rs`, [`BaTree`]; `squares.rs`, how searches ask it |
//! | 6.4, alternatives to the tree | `lookup.rs`, [`Lookup`] |
//! | 7.1, A\* + BA | `algo/astar.rs`, through the trait of `kernels/prune.rs` |
//!
//! # Deviations
//! 1. The paper's areas are not always safe: where diagonal moves may not cut corners, an obstacle cell beside the
//!    entrance makes some pruned searches fail or lengthens their paths (`8room_000`, 101,17 to 69,5: 83.11 instead of
//!    76.28). So areas are checked, and narrowed or dropped where they are not safe (`select.rs`). With corner cutting,
//!    all of the paper's areas on its own maps pass.
//! 2. Obstacles inside an area do not reject it: they do no harm (and the paper's own counts are those without this
//!    test).
//! 3. The start's area is known before the search, so each cell is tested by itself; the paper also tests the area of
//!    the cell's parent, before that parent is set (line 15 of its Algorithm 6).
//! 4. The paper discards triangles with a short side. It does not say how short; here it is less than four.
//! 5. Of two areas that overlap, the smaller one is dropped. The paper has no such rule, but its counts are those with
//!    it.
//! 6. A search asks the BA-tree about squares of cells, not about each cell by itself (`squares.rs`).
//! 7. `lookup=moves` is ours.

mod area;
mod detect;
mod file;
mod lookup;
mod select;
mod spread;
mod squares;
mod tree;

pub use self::area::{Area, Strip};
pub use self::detect::Detection;
pub(crate) use self::file::{INDEX, KIND};
pub use self::lookup::Lookup;
pub(crate) use self::lookup::{AreaLookup, AreaQuery};
use self::select::NO_AREA;
pub(crate) use self::squares::AreaMemory;
pub use self::tree::{BaNode, BaTree};
use crate::grid::Grid;

/// The blocked areas of a map that are safe to prune.
///
/// ```
/// use octile::algo::blocked_areas::BlockedAreas;
/// use octile::{Cell, Grid};
/// let grid: Grid = "
///     ..........
///     .@@@@@@@@.
///     .@......@.
///     .@......@.
///     .@......@.
///     .@......@.
///     ..........
/// ".parse()?;
/// let blocked = BlockedAreas::build(&grid);
/// assert_eq!(blocked.areas().len(), 1);
/// assert!(blocked.areas()[0].contains(Cell::new(4, 3)));
/// assert!(!blocked.areas()[0].contains(Cell::new(4, 5)), "the entrance stays open");
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedAreas {
    areas: Vec<Area>,
}

impl BlockedAreas {
    /// Detects the areas of a map and keeps those that are safe under its movement rule.
    ///
    /// ```
    /// use octile::algo::blocked_areas::BlockedAreas;
    /// use octile::Grid;
    /// let grid: Grid = ".......\n.@@@@@.\n.@...@.\n.@...@.\n.@...@.\n.......".parse()?;
    /// assert_eq!(BlockedAreas::build(&grid).areas().len(), 1);
    /// assert!(BlockedAreas::build(&Grid::open(7, 6)?).areas().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build(grid: &Grid) -> Self {
        Self { areas: select::select(grid, Detection::new(grid).areas) }
    }

    /// The areas.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// For every padded cell id, the area that the cell is inside of.
    fn owners(&self, grid: &Grid) -> Vec<u32> {
        let mut owners = vec![NO_AREA; grid.padded_cells()];
        for (i, area) in (0..).zip(&self.areas) {
            for id in select::free_cells(grid, area) {
                owners[id.index()] = i;
            }
        }
        owners
    }

    /// Memory in bytes.
    pub fn size_bytes(&self) -> usize {
        let joints: usize = self.areas.iter().map(|area| size_of_val(area.joints())).sum();
        joints + size_of_val(&self.areas[..])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::artifact::Artifact;
    use crate::formats::generate;
    use crate::geometry::{Cell, Dir};
    use crate::grid::Movement;
    use crate::kernels::prune::{Move, Pruner};

    fn free_cells(grid: &Grid) -> impl Iterator<Item = Cell> {
        grid.cells().filter(|&cell| grid.is_free(cell))
    }

    /// Rooms, mazes and noise.
    fn maps() -> Vec<Grid> {
        (0..12)
            .flat_map(|seed| {
                [
                    generate::rooms(40, 32, 3 + seed as u32 % 6, seed).unwrap(),
                    generate::maze(36, 40, 1 + seed as u32 % 4, seed).unwrap(),
                    generate::random(24, 24, 25, seed).unwrap(),
                ]
            })
            .collect()
    }

    /// Filling row by row, the winding number of each cell, and the tree all agree.
    #[test]
    fn fill_winding_number_and_tree_agree() {
        let mut inside = 0;
        for grid in maps() {
            let areas = Detection::new(&grid).areas;
            let tree = BaTree::new(&areas);
            for area in &areas {
                let filled: BTreeSet<Cell> = select::free_cells(&grid, area).iter().map(|&id| grid.cell(id)).collect();
                let wound: BTreeSet<Cell> = free_cells(&grid).filter(|&cell| area.contains(cell)).collect();
                assert_eq!(filled, wound, "{area:?}\n{grid:?}");
                inside += filled.len();
            }
            let (mut memory, open) = (AreaMemory::new(), Some(0).filter(|_| !areas.is_empty()));
            let query = memory.query(&grid, &areas, &tree, [open, None]);
            for cell in free_cells(&grid) {
                let found = tree.find(&areas, cell);
                let by = Move { dir: Dir::N, to: grid.id(cell) };
                assert_eq!(query.may_enter(by, cell), found.is_none() || found == open, "{cell}\n{grid:?}");
                assert_eq!(found.is_some(), areas.iter().any(|area| area.contains(cell)));
                assert!(found.is_none_or(|i| areas[i].contains(cell)));
            }
        }
        assert!(inside > 1000);
    }

    /// A query that uses the scratch of another map asks again.
    #[test]
    fn answers_of_other_queries_are_forgotten() {
        let mut memory = AreaMemory::new();
        for grid in maps() {
            let areas = Detection::new(&grid).areas;
            let tree = BaTree::new(&areas);
            for open in [None, Some(0), Some(1)] {
                let query = memory.query(&grid, &areas, &tree, [None, open]);
                for cell in free_cells(&grid).step_by(7) {
                    let (found, by) = (tree.find(&areas, cell), Move { dir: Dir::N, to: grid.id(cell) });
                    assert_eq!(query.may_enter(by, cell), found.is_none() || found == open);
                }
            }
        }
    }

    /// A map like the paper's Figure 3, counted by hand.
    #[test]
    fn segments_corners_and_areas_are_counted_as_in_the_paper() {
        let grid: Grid = "
            ............
            .@@@@@@.....
            .@....@.....
            .@....@@@@@.
            .@....@...@.
            .@....@...@.
            ............
        "
        .parse()
        .unwrap();
        let found = Detection::new(&grid);
        // Rows: 1..6 of row 1, 6..10 of row 3. Columns: 1, 6 and 10.
        assert_eq!((found.horizontal_segments, found.vertical_segments), (2, 3));
        // Two corners below the first row, two below the second, and one above the second, at the right of the column.
        assert_eq!((found.intersections, found.corners), (4, 5));
        let joints: Vec<Vec<Cell>> = found.areas.iter().map(|area| area.joints().to_vec()).collect();
        let cells = |points: &[(u32, u32)]| points.iter().map(|&(x, y)| Cell::new(x, y)).collect::<Vec<_>>();
        assert_eq!(
            joints,
            [cells(&[(1, 5), (1, 1), (6, 1), (6, 5)]), cells(&[(6, 5), (6, 3), (10, 3), (10, 5)])],
            "the triangle above the second row has a leg of two cells"
        );
    }

    #[test]
    fn areas_survive_a_round_trip_through_a_file() {
        for grid in maps() {
            let areas = BlockedAreas::build(&grid);
            let bytes = areas.to_bytes(&grid);
            let artifact = Artifact::from_bytes(&bytes[..]).unwrap();
            assert_eq!(BlockedAreas::from_artifact(&artifact, &grid).unwrap(), areas);
            let other = grid.with_movement(Movement::OctileCutting);
            assert!(BlockedAreas::from_artifact(&artifact, &other).is_err());
        }
    }
}
