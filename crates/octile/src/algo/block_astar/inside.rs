//! Paths that stay inside one block, between any two of its points: for queries whose ends share a block. The database knows
//! the ways to the rim only.

use super::lddb::length;
use super::points::{Cells, Corners, Layout};
use crate::grid::sight::{self, Squeeze};
use crate::{Cell, Corner, Dir, Grid};

/// The most points of a block.
const POINTS: usize = 81;

/// No point.
const NONE: usize = usize::MAX;

/// What lies between two points of a block.
pub(super) trait Steps: Layout {
    /// The length of the straight way between two points of the map, if it is free.
    fn step(grid: &Grid, squeeze: Squeeze, a: (usize, usize), b: (usize, usize)) -> Option<u32>;
}

impl Steps for Cells {
    fn step(grid: &Grid, _: Squeeze, a: (usize, usize), b: (usize, usize)) -> Option<u32> {
        let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        let (a, b) = (Cell::new(a.0 as u32, a.1 as u32), Cell::new(b.0 as u32, b.1 as u32));
        let dir = if dx.max(dy) == 1 { Dir::towards(a, b) } else { None };
        dir.filter(|&dir| grid.moves(a).contains(dir)).map(|_| length(dx, dy))
    }
}

impl Steps for Corners {
    fn step(grid: &Grid, squeeze: Squeeze, a: (usize, usize), b: (usize, usize)) -> Option<u32> {
        let corner = |(x, y): (usize, usize)| Corner::new(x as u32, y as u32);
        let visible = sight::corners_visible(grid, corner(a), corner(b), squeeze);
        visible.then(|| length(a.0.abs_diff(b.0), a.1.abs_diff(b.1)))
    }
}

/// The length of the shortest path between two points of the map among those of the block with this point at its upper left.
/// `trail` gets its points from the goal to the start.
pub(super) fn path<P: Steps, const S: usize>(
    grid: &Grid,
    squeeze: Squeeze,
    origin: (usize, usize),
    (start, goal): ((usize, usize), (usize, usize)),
    trail: &mut Vec<(usize, usize)>,
) -> Option<u32> {
    trail.clear();
    if let Some(length) = P::step(grid, squeeze, start, goal) {
        trail.extend([goal, start]);
        return Some(length);
    }
    let side = S + P::EXTRA;
    let place = |point: usize| (origin.0 + point % side, origin.1 + point / side);
    let point = |(x, y): (usize, usize)| (y - origin.1) * side + x - origin.0;
    let (start, goal) = (point(start), point(goal));
    // Dijkstra's search in its simplest form: there are at most 81 points.
    let (mut lengths, mut parents, mut settled) = ([u32::MAX; POINTS], [NONE; POINTS], [false; POINTS]);
    lengths[start] = 0;
    loop {
        let open = (0..side * side).filter(|&point| !settled[point] && lengths[point] < u32::MAX);
        let at = open.min_by_key(|&point| lengths[point])?;
        if at == goal {
            break;
        }
        settled[at] = true;
        for next in (0..side * side).filter(|&next| !settled[next]) {
            if let Some(step) = P::step(grid, squeeze, place(at), place(next))
                && lengths[at] + step < lengths[next]
            {
                lengths[next] = lengths[at] + step;
                parents[next] = at;
            }
        }
    }
    let back = std::iter::successors(Some(goal), |&at| Some(parents[at]).filter(|&parent| parent != NONE));
    trail.extend(back.map(place));
    Some(lengths[goal])
}
