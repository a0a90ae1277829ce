//! Distances between corners: lines of sight, then paths that turn at corners of obstacles, the only points where a
//! shortest path turns.
//!
//! At a corner of one blocked cell a shortest path bends around that cell, so it arrives from one of the two quadrants
//! beside the blocked one and leaves into the other. So does a path through a pinch. Lines from elsewhere need not be
//! examined.

use super::block::{Block, number_on_rim, points_on_rim};
use super::lanes::{self, Four, Lanes};
use super::sight::{Inner, Line, RimLines, Sight, inner_bit};
use super::{BlockSize, Distances, INF, MAX_SIZE, length};

/// The first column of corners inside a block.
const COLUMN: Inner = 0x0101_0101_0101_0101;

/// The corners of a block with a pattern.
struct Scene {
    size: BlockSize,
    pattern: u64,
    /// For each row of corners, and each column, the unit edges with a free cell beside them.
    rows: [u8; 9],
    columns: [u8; 9],
    /// Corners where two blocked cells touch, if squeezing is forbidden.
    pinches: Inner,
    /// The pinches with a free cell to the lower right.
    sources: Inner,
    /// Corners where a path bends around its upper left or lower right.
    falling: Inner,
    /// Corners where a path bends around its upper right or lower left.
    rising: Inner,
}

/// The lanes of all corners.
type Rows<const Q: usize> = [Lanes<Q>; 81];

/// Computes the distances of a pattern of this size. A row is at most `Q` times four lanes.
#[inline(always)]
pub(super) fn block<const Q: usize>(size: BlockSize, distances: Distances, pattern: u64, out: &mut Block) {
    let (columns, rows_of_points) = size.points(1);
    let points = columns * rows_of_points;
    let (scene, sight) = (Scene::new(size, distances, pattern), Sight::of(size));
    let mut rows: Rows<Q> = [lanes::far(); 81];
    let mut turns = [0; 81];
    for (point, turns) in turns[..points].iter_mut().enumerate() {
        let view = View::new(&scene, point % columns, point / columns);
        if view.is_open {
            scene.add_rim_lines(sight, point, &view, &mut rows[point]);
            *turns = scene.turns_seen(sight.to_inner(point), point, &view);
        }
    }
    let bends = scene.rising | scene.falling;
    settle(size, bends, &turns, &mut rows);
    for (point, &turns) in turns[..points].iter().enumerate() {
        if turns != 0 && bends & inner_bit(size, point % columns, point / columns) == 0 {
            turn(size, point, turns, &mut rows);
        }
    }
    out.resize(points, 2 * (size.width() + size.height()));
    for (point, lanes) in rows[..points].iter().enumerate() {
        write_row(size, lanes, point, out);
    }
}

#[inline(always)]
fn write_row<const Q: usize>(size: BlockSize, lanes: &Lanes<Q>, point: usize, out: &mut Block) {
    let rim = &RIMS[size.width()][size.height()];
    lanes::write(lanes, out.row_mut(point), |codes, q| {
        // The code minus 1, or the point of the rim if the code is 0: computed without a branch.
        let ends = rim[q];
        std::array::from_fn(|i| {
            let is_whole = u32::from(codes[i] == 0).wrapping_neg();
            codes[i].wrapping_sub(1).wrapping_add(is_whole & (ends[i] + 1))
        })
    });
}

/// The points of the rim, for each width and height of a block.
static RIMS: [[[[u32; 4]; MAX_SIZE]; MAX_SIZE + 1]; MAX_SIZE + 1] = {
    let (mut rims, mut at) = ([[[[0; 4]; MAX_SIZE]; MAX_SIZE + 1]; MAX_SIZE + 1], 0);
    while at < (MAX_SIZE + 1) * (MAX_SIZE + 1) {
        let (width, height) = (at % (MAX_SIZE + 1), at / (MAX_SIZE + 1));
        if let Some(size) = BlockSize::new(width, height) {
            rims[width][height] = rim_of(size);
        }
        at += 1;
    }
    rims
};

const fn rim_of(size: BlockSize) -> [[u32; 4]; MAX_SIZE] {
    let (mut rim, mut point, (columns, rows)) = ([[0; 4]; MAX_SIZE], 0, size.points(1));
    while point < columns * rows {
        if let Some(lane) = number_on_rim((columns, rows), point % columns, point / columns) {
            rim[lane / 4][lane % 4] = point as u32;
        }
        point += 1;
    }
    rim
}

/// Fills the rows of pinches where paths may begin, from the rows of all other corners.
pub(super) fn add_sources(size: BlockSize, pattern: u64, out: &mut Block) {
    if sources(size, pattern).next().is_none() {
        return;
    }
    let (columns, rows_of_points) = size.points(1);
    let scene = Scene::new(size, Distances::NoSqueeze, pattern);
    for point in sources(size, pattern) {
        let (view, sight) = (View::new(&scene, point % columns, point / columns), Sight::of(size));
        let mut rows: Rows<4> = [lanes::far(); 81];
        scene.add_rim_lines(sight, point, &view, &mut rows[point]);
        let turns = scene.turns_seen(sight.to_inner(point), point, &view);
        let is_turn = |to: &usize| turns & inner_bit(size, to % columns, to / columns) != 0;
        for to in (0..columns * rows_of_points).filter(is_turn) {
            for (lane, &distance) in out.row(to).iter().enumerate() {
                lanes::put(&mut rows[to], lane, lanes::bits(distance, 0));
            }
        }
        turn(size, point, turns, &mut rows);
        write_row(size, &rows[point], point, out);
    }
}

/// The pinches where paths may begin.
pub(super) fn sources(size: BlockSize, pattern: u64) -> impl Iterator<Item = usize> {
    let (width, height) = (size.width(), size.height());
    let is_free = move |x: usize, y: usize| pattern >> (y * width + x) & 1 == 0;
    let is_source =
        move |x: usize, y: usize| is_free(x - 1, y - 1) && is_free(x, y) && !is_free(x, y - 1) && !is_free(x - 1, y);
    let inside = (1..height).flat_map(move |y| (1..width).map(move |x| (x, y)));
    inside.filter(move |&(x, y)| is_source(x, y)).map(move |(x, y)| y * (width + 1) + x)
}

impl Scene {
    #[inline(always)]
    fn new(size: BlockSize, distances: Distances, pattern: u64) -> Self {
        let (width, height, free) = (size.width(), size.height(), !pattern & size.whole());
        let (mut rows, mut columns) = ([0; 9], [0; 9]);
        let mut board = 0;
        for y in 0..height {
            let row = (free >> (y * width) & ((1 << width) - 1)) as u8;
            rows[y] |= row;
            rows[y + 1] |= row;
            board |= u64::from(row) << (y * MAX_SIZE);
        }
        for x in 0..width {
            let column = column_of(board, x);
            columns[x] |= column;
            columns[x + 1] |= column;
        }
        let inside = inside(size);
        // Free cells to the upper left, upper right, lower left and lower right of each corner.
        let [a, b, c, d] = [board << (MAX_SIZE + 1), board << MAX_SIZE, board << 1, board];
        let (falling, rising) = (inside & !(a & d) & b & c, inside & a & d & !(b & c));
        let pinches = falling & !a & !d | rising & !b & !c;
        // Where squeezing is forbidden, no path turns at a pinch.
        let pinches = if distances == Distances::NoSqueeze { pinches } else { 0 };
        let (falling, rising) = (falling & !pinches, rising & !pinches);
        Self { size, pattern, rows, columns, pinches, sources: pinches & d, falling, rising }
    }

    /// Adds the lines of sight from a corner to the corners of the rim.
    #[inline(always)]
    fn add_rim_lines<const Q: usize>(&self, sight: &Sight, point: usize, view: &View, out: &mut Lanes<Q>) {
        slanting(self.size, &sight.rim, self.pattern, self.pinches, point, out);
        let (x, y) = view.at;
        if view.is_source {
            // Lines to points above it or to its left do not lead to its lower right.
            for (lane, rim) in points_on_rim(self.size.points(1)).enumerate() {
                if rim % (self.size.width() + 1) < x || rim / (self.size.width() + 1) < y {
                    lanes::put(out, lane, lanes::bits(INF, 0));
                }
            }
        }
        let mut put = |to_x: usize, to_y: usize| {
            if let Some(lane) = number_on_rim(self.size.points(1), to_x, to_y) {
                lanes::put(out, lane, lanes::bits(length(x.abs_diff(to_x), y.abs_diff(to_y)), 0));
            }
        };
        // From inside the block, only the ends of its lines of sight may be on the rim.
        let step = |is_rim: bool, from: usize, to: usize| if is_rim { 1 } else { (to - from).max(1) };
        let is_rim = |at: usize, last: usize| at == 0 || at == last;
        let (is_row, is_column) = (is_rim(y, self.size.height()), is_rim(x, self.size.width()));
        (view.left..=view.right).step_by(step(is_row, view.left, view.right)).for_each(|to| put(to, y));
        (view.top..=view.bottom).step_by(step(is_column, view.top, view.bottom)).for_each(|to| put(x, to));
    }

    /// The corners in sight of a corner at which a path from there may turn.
    #[inline(always)]
    fn turns_seen(&self, lines: &[Line; 64], point: usize, view: &View) -> Inner {
        let (x, y) = (point % (self.size.width() + 1), point / (self.size.width() + 1));
        let (left, above) = (columns_before(x), rows_before(y));
        let (right, below) = (!columns_before(x + 1), !rows_before(y + 1));
        let mut candidates = if view.is_source {
            self.rising & right & below
        } else {
            self.falling & (left & below | right & above) | self.rising & (left & above | right & below)
        };
        let mut seen = view.axis() & (self.falling | self.rising) | candidates;
        while candidates != 0 {
            let to = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let hidden = self.pattern & lines[to].cells | self.pinches & lines[to].corners;
            seen ^= u64::from(hidden != 0) << to;
        }
        seen & !inner_bit(self.size, x, y)
    }
}

/// The lines of sight of a corner along its row and its column, and whether it sees anything.
struct View {
    at: (usize, usize),
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
    is_open: bool,
    /// Whether it is a pinch, where a path may only begin.
    is_source: bool,
}

impl View {
    #[inline(always)]
    fn new(scene: &Scene, x: usize, y: usize) -> Self {
        let bit = inner_bit(scene.size, x, y);
        let (before_x, after_x) = runs(scene.rows[y], x, row_of(scene.pinches, y));
        let (before_y, after_y) = runs(scene.columns[x], y, column_of(scene.pinches, x));
        let is_source = scene.sources & bit != 0;
        let (before_x, before_y) = if is_source { (0, 0) } else { (before_x, before_y) };
        let is_open = before_x + after_x + before_y + after_y > 0 && (scene.pinches & bit == 0 || is_source);
        Self {
            at: (x, y),
            left: x - before_x,
            right: x + after_x,
            top: y - before_y,
            bottom: y + after_y,
            is_open,
            is_source,
        }
    }

    /// The corners inside the block that it sees along its row and column.
    #[inline(always)]
    fn axis(&self) -> Inner {
        let (x, y) = self.at;
        let row = columns_before(self.right + 1) & !columns_before(self.left) & rows_before(y + 1) & !rows_before(y);
        let column = rows_before(self.bottom + 1) & !rows_before(self.top) & columns_before(x + 1) & !columns_before(x);
        row | column
    }
}

/// How far the view reaches from `at` along a line of corners, back and ahead: along edges beside a free cell, and
/// short of pinches.
#[inline(always)]
fn runs(edges: u8, at: usize, pinches: u8) -> (usize, usize) {
    let (edges, pinches) = (u32::from(edges), u32::from(pinches));
    // Edge i leads from i to i + 1: ahead it must not end at a pinch, back it must not begin at one.
    let ahead = ((edges & !(pinches >> 1)) >> at).trailing_ones();
    let back = (!(edges & !pinches) & ((1 << at) - 1)).checked_ilog2().map_or(at, |last| at - 1 - last as usize);
    (back, ahead as usize)
}

/// The corners inside a block of this size.
const fn inside(size: BlockSize) -> Inner {
    columns_before(size.width()) & rows_before(size.height()) & !columns_before(1) & !rows_before(1)
}

#[inline(always)]
const fn columns_before(x: usize) -> Inner {
    if x >= MAX_SIZE { Inner::MAX } else { COLUMN * ((1 << x) - 1) }
}

#[inline(always)]
const fn rows_before(y: usize) -> Inner {
    if y >= MAX_SIZE { Inner::MAX } else { (1 << (y * MAX_SIZE)) - 1 }
}

#[inline(always)]
fn row_of(board: Inner, y: usize) -> u8 {
    if y >= MAX_SIZE { 0 } else { (board >> (y * MAX_SIZE)) as u8 }
}

#[inline(always)]
fn column_of(board: Inner, x: usize) -> u8 {
    if x >= MAX_SIZE { 0 } else { ((board >> x & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8 }
}

/// Finds the unobstructed slanting lines from a corner to the corners of the rim.
#[inline(always)]
fn slanting<const Q: usize>(
    size: BlockSize,
    lines: &RimLines,
    pattern: u64,
    pinches: Inner,
    point: usize,
    out: &mut Lanes<Q>,
) {
    let quarters = lanes::quarters(2 * (size.width() + size.height()));
    let [low, high] = lines.cells.each_ref().map(|words| row(quarters, words, point));
    let [low_corners, high_corners] = lines.corners.each_ref().map(|words| row(quarters, words, point));
    let length = row(quarters, &lines.length, point);
    let both = |low: &[u32; 4], high: &[u32; 4], mask: u64| -> [u32; 4] {
        std::array::from_fn(|i| low[i] & mask as u32 | high[i] & (mask >> 32) as u32)
    };
    for q in 0..quarters {
        let mut hidden = both(&low[q], &high[q], pattern);
        if pinches != 0 {
            let passed = both(&low_corners[q], &high_corners[q], pinches);
            hidden = std::array::from_fn(|i| hidden[i] | passed[i]);
        }
        out[q] = Four::seen(length[q], hidden.map(|hidden| hidden == 0));
    }
}

/// The words of a point: one group of four words per four lanes.
#[inline(always)]
fn row(quarters: usize, words: &[[u32; 4]], point: usize) -> &[[u32; 4]] {
    &words[point * quarters..][..quarters]
}

/// Finds the distances of the corners where paths turn, by relaxing them in both orders until nothing changes.
#[inline(always)]
fn settle<const Q: usize>(size: BlockSize, bends: Inner, turns: &[Inner; 81], rows: &mut Rows<Q>) {
    let mut points = [0; 49];
    let mut count = 0;
    let mut left = bends;
    while left != 0 {
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        points[count] = bit / MAX_SIZE * (size.width() + 1) + bit % MAX_SIZE;
        count += 1;
    }
    let points = &points[..count];
    let mut changed = true;
    while changed {
        changed = false;
        for &point in points.iter().chain(points.iter().rev()) {
            changed |= turn(size, point, turns[point], rows);
        }
    }
}

/// Adds the paths from a corner that turn first at one of the corners in `turns`. Returns whether any distance got
/// shorter.
#[inline(always)]
fn turn<const Q: usize>(size: BlockSize, point: usize, mut turns: Inner, rows: &mut Rows<Q>) -> bool {
    let columns = size.width() + 1;
    let quarters = lanes::quarters(2 * (size.width() + size.height()));
    let (x, y) = (point % columns, point / columns);
    let old = rows[point];
    let mut best = old;
    while turns != 0 {
        let bit = turns.trailing_zeros() as usize;
        turns &= turns - 1;
        let (to_x, to_y) = (bit % MAX_SIZE, bit / MAX_SIZE);
        let to = to_y * columns + to_x;
        let step = length(x.abs_diff(to_x), y.abs_diff(to_y));
        for (best, &row) in best[..quarters].iter_mut().zip(&rows[to]) {
            *best = best.min(row.extended(step, to as u32 + 1));
        }
    }
    rows[point] = best;
    let mut changed = [0; 4];
    best[..quarters].iter().zip(old).for_each(|(best, old)| best.compare(old, &mut changed));
    lanes::is_shorter(changed)
}
