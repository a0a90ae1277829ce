//! The cells and corners that lines between corners of a block cross: one table per size of blocks.

use std::sync::OnceLock;

use super::{BlockSize, INF, MAX_SIZE, lanes, length};

/// Corners inside a block, as bit `y * 8 + x` for all sizes.
pub(super) type Inner = u64;

/// The bit of a corner inside the block; 0 for a corner on the rim.
pub(super) const fn inner_bit(size: BlockSize, x: usize, y: usize) -> Inner {
    if x == 0 || y == 0 || x >= size.width() || y >= size.height() { 0 } else { 1 << (y * MAX_SIZE + x) }
}

/// The slanting lines of a block.
pub(super) struct Sight {
    /// For each corner, 64 lines to the corners inside the block, by their bits.
    inner: Vec<Line>,
    /// For each corner, the lines to the corners of the rim, in lanes.
    pub(super) rim: RimLines,
}

/// A slanting line between two corners.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    /// The cells whose inside it crosses; all of them if the line does not exist.
    pub(super) cells: u64,
    /// The corners that it passes.
    pub(super) corners: Inner,
}

/// Lines to the corners of the rim, four at a time, with each mask in halves, as vectors need them.
#[derive(Default)]
pub(super) struct RimLines {
    pub(super) cells: [Vec<[u32; 4]>; 2],
    pub(super) corners: [Vec<[u32; 4]>; 2],
    /// The values of the paths along these lines, as bits; no path if the line does not exist.
    pub(super) length: Vec<[u32; 4]>,
}

static SIGHTS: [[OnceLock<Sight>; MAX_SIZE + 1]; MAX_SIZE + 1] =
    [const { [const { OnceLock::new() }; MAX_SIZE + 1] }; MAX_SIZE + 1];

impl Sight {
    /// The table for blocks of this size.
    #[inline]
    pub(super) fn of(size: BlockSize) -> &'static Self {
        SIGHTS[size.width()][size.height()].get_or_init(|| Self::build(size))
    }

    fn build(size: BlockSize) -> Self {
        let (columns, rows) = size.points(1);
        let on_rim = |&(x, y): &(usize, usize)| x == 0 || y == 0 || x + 1 == columns || y + 1 == rows;
        let points: Vec<(usize, usize)> = (0..columns * rows).map(|at| (at % columns, at / columns)).collect();
        let mut rim: Vec<(usize, usize)> = points.iter().copied().filter(on_rim).collect();
        rim.resize(4 * lanes::quarters(rim.len()), BEYOND);
        let mut sight = Self { inner: Vec::with_capacity(points.len() * 64), rim: RimLines::default() };
        for &from in &points {
            sight.inner.extend((0..64).map(|at| Line::new(size, from, (at % MAX_SIZE, at / MAX_SIZE))));
            for &to in rim.as_chunks().0 {
                sight.rim.push(size, from, to);
            }
        }
        sight
    }

    /// The lines from a corner to the corners inside the block.
    #[inline]
    pub(super) fn to_inner(&self, point: usize) -> &[Line; 64] {
        &self.inner.as_chunks().0[point]
    }
}

impl RimLines {
    fn push(&mut self, size: BlockSize, from: (usize, usize), to: [(usize, usize); 4]) {
        let lines = to.map(|to| Line::new(size, from, to));
        for half in 0..2 {
            self.cells[half].push(lines.map(|line| (line.cells >> (32 * half)) as u32));
            self.corners[half].push(lines.map(|line| (line.corners >> (32 * half)) as u32));
        }
        self.length.push(to.map(|to| {
            let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
            lanes::bits(if dx == 0 || dy == 0 || to == BEYOND { INF } else { length(dx, dy) }, 0)
        }));
    }
}

/// A corner that no block has, for lanes beyond the rim.
const BEYOND: (usize, usize) = (usize::MAX, usize::MAX);

impl Line {
    fn new(size: BlockSize, from: (usize, usize), to: (usize, usize)) -> Self {
        if to.0 > size.width() || to.1 > size.height() || from.0 == to.0 || from.1 == to.1 {
            return Self { cells: u64::MAX, corners: 0 };
        }
        let (left, right) = (from.0.min(to.0), from.0.max(to.0));
        let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
        let side = |x: usize, y: usize| {
            let along = (to.0 as i32 - from.0 as i32) * (y as i32 - from.1 as i32);
            along - (to.1 as i32 - from.1 as i32) * (x as i32 - from.0 as i32)
        };
        let mut line = Self::default();
        for (x, y) in (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))) {
            // The line crosses the inside of a cell if corners of the cell lie on both sides of it.
            let corners = [side(x, y), side(x + 1, y), side(x, y + 1), side(x + 1, y + 1)];
            if corners.iter().any(|&side| side < 0) && corners.iter().any(|&side| side > 0) {
                line.cells |= 1 << (y * size.width() + x);
            }
            if x > left && y > top && corners[0] == 0 {
                line.corners |= inner_bit(size, x, y);
            }
        }
        line
    }
}
