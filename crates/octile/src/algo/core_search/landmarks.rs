//! Landmarks: nodes of the core with known distances to all other core nodes.

use super::hierarchy::{Hierarchy, UNREACHED};
use crate::geometry::Cell;
use crate::grid::Grid;
use crate::kernels::workers::Workers;

/// The number of landmarks in a row.
pub(super) const LANES: usize = 4;

/// The distances of a node, or of the goal, to some landmarks.
pub(super) type Row = [u32; LANES];

/// The distances from `count` landmarks to all nodes of the core, [`UNREACHED`] where no path exists. Landmarks are the
/// outermost nodes of the largest component in as many directions, so that most paths lead away from one or towards it.
pub(super) fn distances(hierarchy: &Hierarchy, grid: &Grid, count: usize) -> Vec<Vec<u32>> {
    let Some(inside) = inside_largest(hierarchy, grid) else { return Vec::new() };
    let nodes: Vec<u32> =
        (0..hierarchy.core as u32).filter(|&node| grid.may_connect(hierarchy.cell(node), inside)).collect();
    let directions: Vec<_> = (0..count).map(|landmark| DIRECTIONS[landmark * DIRECTIONS.len() / count]).collect();
    Workers::new().map(&directions, Vec::new, |buckets, direction| {
        let mut costs = vec![UNREACHED; hierarchy.core];
        let outermost = nodes.iter().max_by_key(|&&node| along(hierarchy.cell(node), direction));
        if let Some(&outermost) = outermost {
            hierarchy.spread(outermost, &mut costs, buckets);
        }
        costs
    })
}

/// Directions around the compass; every fourth is a diagonal.
const DIRECTIONS: [(i64, i64); 16] = [
    (5, 5),
    (3, 7),
    (0, 7),
    (-3, 7),
    (-5, 5),
    (-7, 3),
    (-7, 0),
    (-7, -3),
    (-5, -5),
    (-3, -7),
    (0, -7),
    (3, -7),
    (5, -5),
    (7, -3),
    (7, 0),
    (7, 3),
];

/// How far a cell lies in a direction.
fn along(cell: Cell, (dx, dy): (i64, i64)) -> i64 {
    dx * i64::from(cell.x) + dy * i64::from(cell.y)
}

/// A cell of the component with most nodes in the core, judged by a sample of them.
fn inside_largest(hierarchy: &Hierarchy, grid: &Grid) -> Option<Cell> {
    const SAMPLES: usize = 16;
    let sample: Vec<Cell> =
        (0..hierarchy.core).step_by(hierarchy.core / SAMPLES + 1).map(|node| hierarchy.cell(node as u32)).collect();
    let connected = |cell: &Cell| sample.iter().filter(|&&other| grid.may_connect(*cell, other)).count();
    sample.iter().copied().max_by_key(connected)
}
