//! Paths that stay inside one block, between any two of its points: for queries whose ends share a block. The database
//! only has paths to the rim.

use super::lddb::length;
use super::points::{Cells, Corners, Layout, index};
use super::size::BlockSize;
use crate::geometry::{Cell, Corner, Dir};
use crate::grid::{Grid, Squeeze, corners, sight};

/// The maximum number of points in a block.
const POINTS: usize = 81;

/// No point.
const NONE: u8 = u8::MAX;

/// A point of the map.
pub(super) type MapPoint = (usize, usize);

/// The straight steps between points.
pub(super) trait Steps: Layout {
    /// The length of the straight line between two points, if it is free.
    fn step(grid: &Grid, squeeze: Squeeze, from: MapPoint, to: MapPoint) -> Option<u32>;

    /// Calls `visit` with the points of a block that a shortest path may reach in a straight line from one of them.
    /// `first` and `last` are the block's upper left and lower right points.
    fn steps(
        grid: &Grid,
        squeeze: Squeeze,
        from: MapPoint,
        block: (MapPoint, MapPoint),
        visit: impl FnMut(MapPoint, u32),
    );
}

impl Steps for Cells {
    fn step(grid: &Grid, _: Squeeze, from: MapPoint, to: MapPoint) -> Option<u32> {
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        let dir = if dx.max(dy) == 1 { Dir::towards(cell(from), cell(to)) } else { None };
        dir.filter(|&dir| grid.moves(cell(from)).contains(dir)).map(|_| length(dx, dy))
    }

    fn steps(
        grid: &Grid,
        _: Squeeze,
        from: MapPoint,
        (first, last): (MapPoint, MapPoint),
        mut visit: impl FnMut(MapPoint, u32),
    ) {
        for dir in grid.moves(cell(from)) {
            let (x, y) = (from.0.wrapping_add_signed(dir.dx() as isize), from.1.wrapping_add_signed(dir.dy() as isize));
            if (first.0..=last.0).contains(&x) && (first.1..=last.1).contains(&y) {
                visit((x, y), if dir.is_diagonal() { length(1, 1) } else { length(1, 0) });
            }
        }
    }
}

impl Steps for Corners {
    fn step(grid: &Grid, squeeze: Squeeze, from: MapPoint, to: MapPoint) -> Option<u32> {
        let visible = sight::corners_visible(grid, corner(from), corner(to), squeeze);
        visible.then(|| length(from.0.abs_diff(to.0), from.1.abs_diff(to.1)))
    }

    /// Paths turn only at corners of obstacles.
    fn steps(
        grid: &Grid,
        squeeze: Squeeze,
        from: MapPoint,
        (first, last): (MapPoint, MapPoint),
        mut visit: impl FnMut(MapPoint, u32),
    ) {
        let last = (last.0.min(grid.width() as usize), last.1.min(grid.height() as usize));
        for to in (first.1..=last.1).flat_map(|y| (first.0..=last.0).map(move |x| (x, y))) {
            if corners::is_turn(grid, corner(to))
                && let Some(step) = Self::step(grid, squeeze, from, to)
            {
                visit(to, step);
            }
        }
    }
}

fn cell((x, y): MapPoint) -> Cell {
    Cell::new(x as u32, y as u32)
}

fn corner((x, y): MapPoint) -> Corner {
    Corner::new(x as u32, y as u32)
}

/// The length of the shortest path between two points that stays in a block, whose upper left point is `first`. `trail`
/// gets its points from the goal to the start.
pub(super) fn path<P: Steps>(
    size: BlockSize,
    grid: &Grid,
    squeeze: Squeeze,
    first: MapPoint,
    (start, goal): (MapPoint, MapPoint),
    trail: &mut Vec<MapPoint>,
) -> Option<u32> {
    trail.clear();
    if let Some(length) = P::step(grid, squeeze, start, goal) {
        trail.extend([goal, start]);
        return Some(length);
    }
    let (columns, rows) = size.points(P::EXTRA);
    let last = (first.0 + columns - 1, first.1 + rows - 1);
    let position = |point: usize| (first.0 + point % columns, first.1 + point / columns);
    let point = |(x, y): MapPoint| index::<P>(size, (x - first.0, y - first.1));
    let (start, end) = (point(start), point(goal));
    // Dijkstra's search in its simplest form: a block has at most 81 points.
    let (mut lengths, mut parents) = ([u32::MAX; POINTS], [NONE; POINTS]);
    let mut open: u128 = 1 << start;
    lengths[start] = 0;
    loop {
        let mut rest = open;
        let next = std::iter::from_fn(|| {
            let point = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (point < POINTS).then_some(point)
        });
        let at = next.min_by_key(|&point| lengths[point])?;
        if at == end {
            break;
        }
        open &= !(1 << at);
        let mut visit = |to: MapPoint, step: u32| {
            let to = point(to);
            if lengths[at] + step < lengths[to] {
                (lengths[to], parents[to]) = (lengths[at] + step, at as u8);
                open |= 1 << to;
            }
        };
        P::steps(grid, squeeze, position(at), (first, last), &mut visit);
        if P::EXTRA == 1
            && let Some(step) = P::step(grid, squeeze, position(at), goal)
        {
            visit(goal, step);
        }
    }
    let parent = |&at: &usize| (parents[at] != NONE).then(|| usize::from(parents[at]));
    trail.extend(std::iter::successors(Some(end), parent).map(position));
    Some(lengths[end])
}
