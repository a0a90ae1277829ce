//! What an index is still good for when its map has changed.

use super::{PathQuery, Probe, Scratch};
use crate::geometry::Cell;
use crate::grid::Grid;
use crate::path::Path;

/// What an index still tells of the map that it was made for, once that has changed; see
/// [`Planner::stale_index`](crate::Planner::stale_index).
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum StaleIndex<'a> {
    /// Its paths, which are optimal on that map.
    Paths,
    /// Also what it costs from cells to hubs.
    Labels(&'a dyn Labels),
    /// Its paths, repaired where they are not legal any more: they need not be optimal.
    Repairs(&'a dyn Repairs),
}

/// An index whose paths can be repaired on a map that has changed. Its planner promises [legal](crate::Guarantee::Legal)
/// paths, and answers many goals, tables of costs and slices by single searches.
pub trait Repairs: Send + Sync {
    /// Overwrites `out` with a path that is legal on the map as it is `now`, and returns whether there is one; `None` if
    /// only a search can tell. The endpoints are free on both maps, and connected on that of the index; `scratch` is one
    /// of the planner's.
    fn repaired(
        &self,
        scratch: &mut Scratch,
        now: &Grid,
        query: PathQuery,
        out: &mut Path,
        probe: &mut Option<&mut dyn Probe>,
    ) -> Option<bool>;
}

/// Labels of the cells of a map: the hubs that each knows, with what it costs to get there. For every two cells of
/// which neither reaches the other by a [direct hop](Labels::way), a hub that both know is on a shortest path, if there
/// is one.
pub trait Labels: Send + Sync {
    /// Hubs are numbered below this.
    fn hubs(&self) -> usize;

    /// Overwrites `label` with the hubs that a free cell of the map knows. `None` if what the index says cannot be.
    fn label(&self, cell: Cell, label: &mut Vec<Hub>) -> Option<()>;

    /// Overwrites `hops` with the cells of the path from one cell to another by a hub. `hub` is what the label of each
    /// end says of it. The path goes from each cell to the next by a direct hop: diagonally first, then straight. All
    /// hops are free on the map of the index, and together they cost what both labels say. `None` if the index is
    /// malformed.
    fn way(&self, ends: [Cell; 2], hub: [Hub; 2], hops: &mut Vec<Cell>) -> Option<()>;
}

/// A hub in the label of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hub {
    /// Its number.
    pub number: u32,
    /// What it costs to get there, where a straight move costs 470,832 and a diagonal one 665,857: sums are exact up to
    /// 665,856 moves.
    pub cost: u64,
    /// Whatever the index needs to find the path there.
    pub way: [u32; 2],
}
