//! Blocked areas: polygons of walls with one open side, which a search can leave out unless its start or goal is inside.
//!
//! - **Guarantee**: a shortest path survives, under every movement rule (`select.rs` has the proof).
//! - **Preprocessing**: O(n) for n cells in practice, 5 to 25 ms on a 512x512 map.
//! - **Reference**: Jubair & Hawa, "Exploiting Obstacle Geometry to Reduce Search Time in Grid-Based Pathfinding", 2020.
//!
//! | section of the paper | here |
//! |---|---|
//! | 5, detection: segments, corners, Partition and Sort, polygons, rejection | `detect.rs`, [`Detection`] |
//! | 4, entrance and internal nodes; 6.3, winding number | `area.rs`, [`Area`] |
//! | 6.1 and 6.3, BA-tree and its access | `tree.rs`, [`BaTree`] |
//! | 6.4, alternatives to the tree | `lookup.rs`, [`Lookup`] |
//! | 7.1, A\* + BA | `algo/best_first.rs`, through the trait of `prune/mod.rs` |
//!
//! # Deviations
//! 1. The paper's areas are not always safe: where diagonal moves may not cut corners, an obstacle cell beside the entrance
//!    makes some pruned searches fail or lengthen their paths (8room_000, 101,17 to 69,5: 83.11 instead of 76.28). Areas are
//!    therefore checked, and narrowed or dropped where they are not safe (`select.rs`). With corner cutting all of the paper's
//!    areas on its own maps pass.
//! 2. Internal obstacles do not reject an area: they do no harm (and the paper's own counts are those without this test).
//! 3. The start's area is known before the search, so that a cell is tested by itself; the paper asks for its parent's area,
//!    too, before that parent is set (line 15 of its Algorithm 6).
//! 4. `lookup=moves` is ours.

mod area;
mod detect;
mod file;
mod lookup;
mod select;
mod tree;

pub use self::area::{Area, Strip};
pub use self::detect::Detection;
pub(crate) use self::file::{INDEX, KIND};
pub use self::lookup::Lookup;
pub(crate) use self::lookup::{AreaLookup, WithAreas};
use self::select::NOBODY;
pub use self::tree::BaTree;
use crate::Grid;

/// The blocked areas of a map that are safe to prune.
///
/// ```
/// use octile::{Cell, Grid, prune::blocked_areas::BlockedAreas};
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
/// # Ok::<(), octile::ascii::AsciiError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedAreas {
    areas: Vec<Area>,
}

impl BlockedAreas {
    /// Detects the areas of a map and keeps what is safe under its movement rule.
    pub fn build(grid: &Grid) -> Self {
        Self { areas: select::select(grid, Detection::new(grid).areas) }
    }

    /// The areas.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// For every padded cell id the area that has it inside.
    fn owners(&self, grid: &Grid) -> Vec<u32> {
        let mut owners = vec![NOBODY; grid.padded_cells()];
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
