//! Which cells and corners the lines between corners of a block cross: tables, one for each size of a block.

use std::sync::OnceLock;

use super::{INF, MAX_SIZE, lanes, length};

/// Corners inside a block, as bit `y * 8 + x`, and so for all sizes.
pub(super) type Inner = u64;

/// The bit of a corner inside the block, 0 for one on the rim.
pub(super) const fn inner_bit(size: usize, x: usize, y: usize) -> Inner {
    if x == 0 || y == 0 || x >= size || y >= size { 0 } else { 1 << (y * MAX_SIZE + x) }
}

/// What the slanting lines of a block cross.
pub(super) struct Sight {
    /// For each corner, 64 lines: those to the corners inside the block, by their bits.
    inner: Vec<Line>,
    /// For each corner the lines to those of the rim, in lanes.
    pub(super) rim: RimLines,
}

/// A slanting line between two corners.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    /// Cells whose inside it crosses. All of them if there is no such line.
    pub(super) cells: u64,
    /// Corners that it passes.
    pub(super) corners: Inner,
}

/// Lines to the corners of the rim, four at a time and each mask in halves, as vectors want them.
#[derive(Default)]
pub(super) struct RimLines {
    pub(super) cells: [Vec<[u32; 4]>; 2],
    pub(super) corners: [Vec<[u32; 4]>; 2],
    /// The values of paths that are these lines, as bits; of no path if there is no such line.
    pub(super) length: Vec<[u32; 4]>,
}

static SIGHTS: [OnceLock<Sight>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];

impl Sight {
    /// The table for blocks of `size` x `size` cells.
    #[inline]
    pub(super) fn of(size: usize) -> &'static Self {
        SIGHTS[size].get_or_init(|| Self::build(size))
    }

    fn build(size: usize) -> Self {
        let side = size + 1;
        let on_rim = |&(x, y): &(usize, usize)| x == 0 || y == 0 || x == size || y == size;
        let points: Vec<(usize, usize)> = (0..side * side).map(|at| (at % side, at / side)).collect();
        let rim: Vec<(usize, usize)> = points.iter().copied().filter(on_rim).collect();
        let mut sight = Self { inner: Vec::with_capacity(points.len() * 64), rim: RimLines::default() };
        for &from in &points {
            sight.inner.extend((0..64).map(|at| Line::new(size, from, (at % MAX_SIZE, at / MAX_SIZE))));
            for &to in rim.as_chunks().0 {
                sight.rim.push(size, from, to);
            }
        }
        sight
    }

    /// The lines from a corner to those inside the block.
    #[inline]
    pub(super) fn to_inner(&self, point: usize) -> &[Line; 64] {
        &self.inner.as_chunks().0[point]
    }
}

impl RimLines {
    fn push(&mut self, size: usize, from: (usize, usize), to: [(usize, usize); 4]) {
        let lines = to.map(|to| Line::new(size, from, to));
        for half in 0..2 {
            self.cells[half].push(lines.map(|line| (line.cells >> (32 * half)) as u32));
            self.corners[half].push(lines.map(|line| (line.corners >> (32 * half)) as u32));
        }
        self.length.push(to.map(|to| {
            let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
            lanes::bits(if dx == 0 || dy == 0 { INF } else { length(dx, dy) }, 0)
        }));
    }
}

impl Line {
    fn new(size: usize, from: (usize, usize), to: (usize, usize)) -> Self {
        if to.0 > size || to.1 > size || from.0 == to.0 || from.1 == to.1 {
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
            // The inside of a cell is crossed if the line has corners of the cell on either side.
            let corners = [side(x, y), side(x + 1, y), side(x, y + 1), side(x + 1, y + 1)];
            if corners.iter().any(|&side| side < 0) && corners.iter().any(|&side| side > 0) {
                line.cells |= 1 << (y * size + x);
            }
            if x > left && y > top && corners[0] == 0 {
                line.corners |= inner_bit(size, x, y);
            }
        }
        line
    }
}
