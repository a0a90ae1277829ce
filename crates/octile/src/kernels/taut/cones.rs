//! The corners that a point sees, row by row: exact sight on the bit rows of a map.
//!
//! A *cone* is all rays from a point between two slopes, in columns per row. When a cone advances by a row of cells, it
//! is split among the free runs of that row: a run of columns from a to b keeps the rays that are between a and b on
//! both of its lines, the nearer and the farther one. A cone may be a single ray. All corners of cells within a cone on
//! a line are in sight; they are reported as spans.
//!
//! # Exact in integers
//! A slope is a fraction n/d of two numbers of half cells, d at most 2^17 (the longest side of a map is below 2^16
//! cells). It is stored in units of 2^-44, truncated, so its error is below 1 unit. Different slopes are at least 1/d²
//! or 2^-34 apart, which is 2^10 units, and equal ones are truncated alike: so stored slopes can be compared directly.
//! On the k-th line a ray is at a position whose distance from the next column is 0 or at least 1/(2d), which is 2^26
//! units; its error is at most k or 2^16 units. So a position within [`NEAR`] of a column is on it. No slope is above
//! 2^17, and no position is beyond two widths of a map: all fit into 64 bits.
//!
//! # Corners and rows that can be skipped
//! A search for the ends of taut lines needs only a few of the corners in sight. Inside a cone, both cells before a
//! line are free. So an obstacle has a corner there where a free run of the next row begins or ends. A line is taut
//! there only if it continues above the obstacle: if the run begins to the right of the point, or ends to its left
//! ([`Scan::pass`]). Where the outermost rays of a cone cross a line, there may be any corner. If the cell that the ray
//! would enter is blocked, the line ends in front of the obstacle and is not taut, unless it is upright and runs
//! between two obstacles ([`Scan::meet`]).
//!
//! Not every row needs to be examined either. Between two rows with the same free run, and inside a free area, there is
//! no corner. So a cone that fills a run advances through all rows with the same run at once
//! ([`Scan::after_equal_rows`]), and a cone whose cells are free in all of a [band](Bands) of eight rows advances by
//! eight.

use crate::geometry::{Corner, Point};
use crate::grid::bits::{BitLine, BitLines, WINDOW};
use crate::grid::corners::{self, CLOSED_PINCH, LOWER_RIGHT_PINCH};
use crate::grid::{Edits, Grid, Squeeze};
use crate::planner::size_bytes;

/// One column per row, in the units of slopes; also one column, in the units of positions.
const ONE: i64 = 1 << 44;

/// Positions that differ from a column by less than this are on it.
const NEAR: i64 = 1 << 22;

/// A slope flatter than that of every ray that leaves its row.
pub(crate) const FLAT: i64 = 1 << 61;

/// The slope of a ray that crosses this many columns in this many rows, both in the same unit.
#[inline]
pub(crate) fn slope(columns: i32, rows: i32) -> i64 {
    i64::from(columns) * ONE / i64::from(rows)
}

#[inline]
fn floor(position: i64) -> i32 {
    ((position + NEAR) >> 44) as i32
}

/// Whether a position is on a column.
#[inline]
fn is_whole(position: i64) -> bool {
    (position + NEAR) & (ONE - 1) < 2 * NEAR
}

#[inline]
fn ceil(position: i64) -> i32 {
    ((position + (ONE - 1 - NEAR)) >> 44) as i32
}

/// The rows of a map in bands of eight: for each band, the columns that are free in all of its rows.
#[derive(Clone, Debug)]
pub(crate) struct Bands(BitLines);

/// The number of rows in a band.
const BAND: i32 = 8;

impl Bands {
    pub(crate) fn new(grid: &Grid) -> Self {
        let count = grid.height() as usize / BAND as usize;
        let mut bands = Self(BitLines::new(count, grid.width() as usize + 2));
        for band in 0..count {
            bands.fill(grid, band);
        }
        bands
    }

    fn fill(&mut self, grid: &Grid, band: usize) {
        let first = band * BAND as usize + 1;
        let line = self.0.line_mut(band);
        line.copy_from_slice(grid.rows().line(first));
        for row in first + 1..first + BAND as usize {
            for (free, &also) in line.iter_mut().zip(grid.rows().line(row)) {
                *free &= also;
            }
        }
    }

    /// Follows edits that have already changed the map.
    pub(crate) fn follow(&mut self, grid: &Grid, edits: &Edits) {
        for (cell, _) in edits.iter() {
            let (band, position) = ((cell.y / BAND as u32) as usize, cell.x as usize + 1);
            let first = band * BAND as usize + 1;
            if band < grid.height() as usize / BAND as usize {
                let is_free = (first..first + BAND as usize).all(|row| grid.rows().get(row, position));
                self.0.set(band, position, is_free);
            }
        }
    }

    /// The memory in bytes.
    pub(crate) fn total_bytes(&self) -> usize {
        self.0.size_bytes()
    }
}

/// A map, as rays cross it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) bands: &'a Bands,
    pub(crate) squeeze: Squeeze,
}

impl View<'_> {
    /// Whether a single ray that reaches this corner ends there.
    #[inline]
    fn is_shut(&self, corner: Corner) -> bool {
        self.squeeze == Squeeze::Forbidden
            && matches!(corners::around(self.grid, corner), LOWER_RIGHT_PINCH | CLOSED_PINCH)
    }

    /// The last corner in sight along a row of corners, to the right or to the left; the corner itself if it sees none
    /// there.
    fn along(&self, from: Corner, to_right: bool) -> u32 {
        let (rows, y) = (self.grid.rows(), from.y as usize);
        // A padded cell to the right of a corner has the corner's x plus 1.
        let reach = |line: usize, x: usize| match to_right {
            true if rows.get(line, x + 1) => rows.run_end(line, x + 1) - 1,
            false if rows.get(line, x) => rows.run_start(line, x) - 1,
            _ => x,
        };
        let mut at = from.x as usize;
        loop {
            let ends = [reach(y, at), reach(y + 1, at)];
            let end = if to_right { ends[0].max(ends[1]) } else { ends[0].min(ends[1]) };
            if end == at {
                break;
            }
            at = end;
        }
        if self.squeeze == Squeeze::Forbidden { self.first_pinch(from, at as u32) } else { at as u32 }
    }

    /// The first pinch after a corner along its row towards `end`; `end` if there is none before it.
    fn first_pinch(&self, from: Corner, end: u32) -> u32 {
        let (rows, y) = (self.grid.rows(), from.y as usize);
        let (first, last) = (from.x.min(end), from.x.max(end));
        let mut pinch = end;
        let mut at = first;
        while at <= last {
            let (above, below) = (rows.window(y, at as usize), rows.window(y + 1, at as usize));
            let (differ, turn) = (above ^ below, above ^ above >> 1);
            let mut found = differ & differ >> 1 & turn & ((1 << (WINDOW - 1)) - 1);
            while found != 0 {
                let x = at + found.trailing_zeros();
                found &= found - 1;
                if x > from.x && x < pinch {
                    return x;
                }
                if x < from.x && x > pinch {
                    pinch = x;
                }
            }
            at += WINDOW as u32 - 1;
        }
        pinch
    }
}

/// A rectangle of cells, which may reach beyond the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
}

impl Area {
    /// The empty area.
    pub(crate) const NONE: Self = Self { left: i32::MAX, top: i32::MAX, right: i32::MIN, bottom: i32::MIN };

    /// The four cells around a corner.
    pub(crate) fn around(corner: Corner) -> Self {
        let (x, y) = (corner.x as i32, corner.y as i32);
        Self { left: x - 1, top: y - 1, right: x, bottom: y }
    }

    /// Includes some cells of a row, and a margin of one cell.
    #[inline]
    fn take(&mut self, row: i32, first: i32, last: i32) {
        self.left = self.left.min(first - 1);
        self.right = self.right.max(last + 1);
        self.top = self.top.min(row - 1);
        self.bottom = self.bottom.max(row + 1);
    }
}

impl Default for Area {
    fn default() -> Self {
        Self::NONE
    }
}

/// Cones that are still to be followed.
#[derive(Debug, Default)]
pub(crate) struct Cones {
    open: Vec<Cone>,
    /// Includes the examined cells and a margin of one cell: everything that the result depends on.
    pub(crate) area: Area,
    /// The total number of examined rows.
    pub(crate) rows: u64,
}

size_bytes!(Cones: open);

impl Cones {
    /// Reports the spans of all corners that an end of a path sees.
    pub(crate) fn around<const ALL: bool>(&mut self, view: View<'_>, from: Point, mut span: impl FnMut(u32, u32, u32)) {
        // From a pinch, only lines to its lower right may begin.
        let is_pinch = from.as_corner().is_some_and(|corner| view.is_shut(corner));
        let directions = if is_pinch { &[true][..] } else { &[true, false] };
        for &downwards in directions {
            if let Some(corner) = from.as_corner() {
                self.along(view, corner, downwards, &mut span);
            }
            let slopes = if is_pinch { (0, FLAT) } else { (-FLAT, FLAT) };
            self.scan::<ALL>(view, from, downwards, slopes, &mut span);
        }
    }

    /// Reports the corners in sight along the row of a corner, to its right or to its left.
    #[inline]
    pub(crate) fn along(&mut self, view: View<'_>, from: Corner, to_right: bool, span: &mut impl FnMut(u32, u32, u32)) {
        let end = view.along(from, to_right);
        let (x, y) = (from.x as i32, from.y as i32);
        for row in [y - 1, y] {
            self.area.take(row, x.min(end as i32) - 1, x.max(end as i32));
        }
        if end > from.x {
            span(from.y, from.x + 1, end);
        } else if end < from.x {
            span(from.y, end, from.x - 1);
        }
    }

    /// Reports the spans of corners that a point sees on the lines above or below it, between two slopes: a line, and
    /// the first and the last corner on it. Without `ALL`, it reports all corners where a taut line may end, and few
    /// others.
    #[inline]
    pub(crate) fn scan<const ALL: bool>(
        &mut self,
        view: View<'_>,
        from: Point,
        down: bool,
        slopes: (i64, i64),
        span: impl FnMut(u32, u32, u32),
    ) {
        let eye = Eye::new(view, from, down);
        let examined = Examined::beside(eye.x);
        Scan::<_, ALL> { eye, cones: self, span, examined }.run(slopes);
    }
}

/// The rays from a point between two slopes, where they cross a line.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// The number of lines to that line.
    lines: i32,
    low: Ray,
    high: Ray,
}

/// A ray: its slope, and its position on the line that it has reached.
///
/// A ray that has come along the end of a wall to the line, and continues behind the wall if the wall does not continue
/// in the next row, *leans* on the wall. Walls mostly continue, so its slope is computed only where the wall ends.
/// Until then, the slope [`LEAN`] marks the side to which the ray goes.
#[derive(Clone, Copy, Debug)]
struct Ray {
    slope: i64,
    position: i64,
}

/// The slope of rays that lean on a wall to their right; for a wall to their left it is negative. Its absolute value is
/// below that of all other rays but upright ones, and just enough to make the ray touch the cell beside it in the next
/// row.
const LEAN: i64 = 2 * NEAR;

impl Ray {
    /// A ray that leans on a wall.
    #[inline]
    fn leaning(column: i32, slope: i64) -> Self {
        Self { slope, position: i64::from(column) * ONE }
    }

    #[inline]
    fn leans(self) -> bool {
        self.slope.abs() == LEAN
    }

    /// The same ray, a number of lines further.
    #[inline]
    fn on(self, lines: i64) -> Self {
        Self { position: self.position + lines * self.slope, ..self }
    }

    /// As [`on`](Ray::on) for any number of lines: a position far beyond the map is clamped.
    #[inline]
    fn far_on(self, lines: i64) -> Self {
        let position = self.position.saturating_add(self.slope.saturating_mul(lines));
        Self { position: position.clamp(-FLAT, FLAT), ..self }
    }
}

impl Cone {
    /// The same cone, a number of lines further.
    #[inline]
    fn on(self, lines: i32) -> Self {
        Self { lines: self.lines + lines, low: self.low.on(lines.into()), high: self.high.on(lines.into()) }
    }

    #[inline]
    fn is_single(self) -> bool {
        self.low.slope == self.high.slope
    }
}

/// The viewpoint and the direction of a scan. Columns are those of the map.
struct Eye<'a> {
    view: View<'a>,
    /// The point, in halves of a cell.
    x: i32,
    /// The line of corners that is 0 lines away: the line of the point, or the one behind a centre.
    y: i32,
    /// 1 or -1: down or up.
    step: i32,
    /// 1 if the point is the centre of a cell: then the first line is half a row away.
    half: i32,
    /// The padded row of cells behind that line.
    row: i32,
    rows: &'a BitLines,
    width: i32,
}

impl<'a> Eye<'a> {
    fn new(view: View<'a>, from: Point, down: bool) -> Self {
        let (x, y) = from.halves();
        let half = (y % 2) as i32;
        let line = y as i32 / 2 + if down { 0 } else { half };
        Self {
            view,
            x: x as i32,
            y: line,
            step: if down { 1 } else { -1 },
            half,
            row: line + i32::from(down),
            rows: view.grid.rows(),
            width: view.grid.width() as i32,
        }
    }

    /// The line of corners that is this many lines away.
    #[inline]
    fn line(&self, lines: i32) -> i32 {
        self.y + self.step * lines
    }

    /// The padded row of cells after this many lines.
    #[inline]
    fn row(&self, lines: i32) -> i32 {
        self.row + self.step * lines
    }

    /// The cells after this many lines.
    #[inline]
    fn cells(&self, lines: i32) -> BitLine<'a> {
        self.rows.at(self.row(lines) as usize)
    }

    /// The ray that crosses a line at a column.
    #[inline]
    fn ray(&self, column: i32, lines: i32) -> Ray {
        Ray { slope: slope(2 * column - self.x, 2 * lines - self.half), position: i64::from(column) * ONE }
    }

    /// The first ray that passes, to the right of a column, the row after this many lines; on the line after that row.
    /// If it goes to the left, it meets the column there; otherwise where it enters the row.
    #[inline]
    fn first_past(&self, column: i32, lines: i32) -> Ray {
        if 2 * column < self.x { Ray::leaning(column, -LEAN) } else { self.ray(column, lines).on(1) }
    }

    /// The same for the last ray that passes to the left of a column.
    #[inline]
    fn last_before(&self, column: i32, lines: i32) -> Ray {
        if 2 * column > self.x { Ray::leaning(column, LEAN) } else { self.ray(column, lines).on(1) }
    }

    /// The same ray with its actual slope.
    #[inline]
    fn known(&self, ray: Ray, lines: i32) -> Ray {
        if ray.leans() { self.ray(floor(ray.position), lines) } else { ray }
    }

    /// Whether a single ray ends at the line because it reaches a pinch there.
    #[inline]
    fn is_shut(&self, ray: Ray, lines: i32) -> bool {
        self.view.squeeze == Squeeze::Forbidden
            && is_whole(ray.position)
            && self.view.is_shut(Corner::new(floor(ray.position) as u32, self.line(lines) as u32))
    }

    /// The band that begins after this many lines, if any.
    #[inline]
    fn band(&self, lines: i32) -> Option<usize> {
        let line = self.line(lines);
        // On the first line a cone may be so flat that its positions eight rows further do not fit into 64 bits.
        if line % BAND != 0 || lines == 1 {
            return None;
        }
        let band = (if self.step > 0 { line / BAND } else { line / BAND - 1 }) as usize;
        (band < self.view.grid.height() as usize / BAND as usize).then_some(band)
    }
}

/// A scan: follows cones and reports the corners that they have on lines.
struct Scan<'a, F, const ALL: bool> {
    eye: Eye<'a>,
    cones: &'a mut Cones,
    span: F,
    examined: Examined,
}

/// The cells that a scan has examined.
#[derive(Clone, Copy, Debug)]
struct Examined {
    /// The number of lines before the farthest row.
    lines: i32,
    /// The first and the last padded cell of all rows.
    first: i32,
    last: i32,
}

impl Examined {
    /// The cells beside the point.
    fn beside(x: i32) -> Self {
        Self { lines: 0, first: x / 2, last: x / 2 + 1 }
    }

    #[inline]
    fn take(&mut self, lines: i32, first: i32, last: i32) {
        self.lines = self.lines.max(lines);
        self.first = self.first.min(first);
        self.last = self.last.max(last);
    }
}

impl<F: FnMut(u32, u32, u32), const ALL: bool> Scan<'_, F, ALL> {
    #[inline]
    fn run(&mut self, slopes: (i64, i64)) {
        self.cones.open.clear();
        self.open_first(slopes);
        while let Some(cone) = self.cones.open.pop() {
            self.follow(cone);
        }
        let Examined { lines, first, last } = self.examined;
        for row in [self.eye.row, self.eye.row(lines)] {
            self.cones.area.take(row - 1, first - 1, last - 1);
        }
    }

    /// Opens the cone after the first line.
    fn open_first(&mut self, (low, high): (i64, i64)) {
        let eye = &self.eye;
        let (rows, row) = (eye.rows, eye.row as usize);
        // The padded cell to the left of the point, or the cell of a centre.
        let left = (eye.x as usize).div_ceil(2);
        let cell = if rows.get(row, left) { left } else { left + 1 - eye.half as usize };
        if !rows.get(row, cell) {
            return;
        }
        let (begin, end) = (rows.run_start(row, cell) as i32, rows.run_end(row, cell) as i32);
        self.examined.take(0, begin - 1, end);
        let (mut left, mut right) = (eye.ray(begin - 1, 1), eye.ray(end - 1, 1));
        if left.slope < low {
            left = eye.on_first_line(low);
        }
        if right.slope > high {
            right = eye.on_first_line(high);
        }
        if left.slope <= right.slope {
            let cone = Cone { lines: 1, low: left, high: right };
            let cone = if ALL { Some(cone) } else { self.after_equal_rows(cone, (begin - 1, end)) };
            self.cones.open.extend(cone);
        }
    }

    /// Follows a cone until nothing is left of it. Where a row splits it, the first part continues and the others are
    /// stored for later.
    #[inline]
    fn follow(&mut self, mut cone: Cone) {
        loop {
            if ALL {
                self.emit(&cone);
            }
            if cone.is_single() && self.eye.is_shut(cone.low, cone.lines) {
                // If the pinch opens, the ray continues.
                let column = floor(cone.low.position);
                return self.examined.take(cone.lines, column, column + 1);
            }
            self.cones.rows += 1;
            let cells = self.eye.cells(cone.lines);
            self.meet(&mut cone, cells);
            let (first, last) = self.eye.touched(&cone);
            let begin = cells.first_free(first as usize, last as usize) as i32;
            if begin > last {
                return self.examined.take(cone.lines, first, last);
            }
            let end = cells.first_blocked(begin as usize, last as usize) as i32;
            if begin == first && end > last {
                cone = if ALL { cone.on(1) } else { self.eye.after_band(&cone).unwrap_or(cone.on(1)) };
                continue;
            }
            self.examined.take(cone.lines, first, last);
            if end < last {
                self.split(&cone, cells, (first, last), end);
            }
            match self.pass(&cone, (first, last), (begin, end)) {
                Some(next) => cone = next,
                None => return,
            }
        }
    }

    /// Stores the parts of a cone after the blocked cell `end`, one of the cells from `first` to `last` that it
    /// touches.
    #[inline]
    fn split(&mut self, cone: &Cone, cells: BitLine<'_>, (first, last): (i32, i32), mut end: i32) {
        loop {
            let begin = cells.first_free(end as usize + 1, last as usize) as i32;
            if begin > last {
                return;
            }
            end = cells.first_blocked(begin as usize, last as usize) as i32;
            let part = self.pass(cone, (first, last), (begin, end));
            self.cones.open.extend(part);
        }
    }

    /// The part of a cone that passes the free run from `begin` to before `end`. The cone touches the padded cells from
    /// `first` to `last` of its row.
    #[inline]
    fn pass(&mut self, cone: &Cone, (first, last): (i32, i32), (begin, end): (i32, i32)) -> Option<Cone> {
        let lines = cone.lines;
        let mut next = cone.on(1);
        if begin > first {
            next.low = self.eye.first_past(begin - 1, lines);
            if !ALL && 2 * (begin - 1) > self.eye.x && i64::from(begin - 1) * ONE < cone.high.position - NEAR {
                self.emit_one(lines, begin - 1);
            }
        }
        if end <= last {
            next.high = self.eye.last_before(end - 1, lines);
            if !ALL && 2 * (end - 1) < self.eye.x && i64::from(end - 1) * ONE > cone.low.position + NEAR {
                self.emit_one(lines, end - 1);
            }
        }
        if !ALL && begin > first && end <= last {
            self.after_equal_rows(next, (begin - 1, end))
        } else {
            self.eye.opened(next)
        }
    }

    /// The part of a cone after all rows that have the same run as the one it comes from, between two padded cells.
    /// Rays that pass the last of these rows also pass those before it.
    fn after_equal_rows(&mut self, cone: Cone, (wall, end_wall): (i32, i32)) -> Option<Cone> {
        let mut lines = cone.lines;
        while self.eye.cells(lines).is_run(wall as usize, end_wall as usize) {
            lines += 1;
        }
        // The last examined row is the one that differs.
        self.examined.take(lines, wall, end_wall);
        if lines == cone.lines {
            return self.eye.opened(cone);
        }
        let rows = i64::from(lines - cone.lines);
        let mut next = Cone { lines, low: cone.low.far_on(rows), high: cone.high.far_on(rows) };
        let (low, high) = (self.eye.first_past(wall, lines - 1), self.eye.last_before(end_wall - 1, lines - 1));
        if next.low.position < low.position - NEAR {
            next.low = low;
        }
        if next.high.position > high.position + NEAR {
            next.high = high;
        }
        self.eye.opened(next)
    }

    /// Reports the corners that a cone has on its line.
    #[inline]
    fn emit(&mut self, cone: &Cone) {
        let (first, last) = (ceil(cone.low.position), floor(cone.high.position));
        if first <= last {
            (self.span)(self.eye.line(cone.lines) as u32, first as u32, last as u32);
        }
    }

    /// Reports the corners that the outermost rays of a cone meet on its line, and computes the slopes of rays leaning
    /// on walls that end there.
    #[inline]
    fn meet(&mut self, cone: &mut Cone, cells: BitLine<'_>) {
        let is_single = cone.is_single();
        if is_whole(cone.low.position) {
            cone.low = self.meet_one(cone.low, cone.lines, cells);
        }
        if is_whole(cone.high.position) && !is_single {
            cone.high = self.meet_one(cone.high, cone.lines, cells);
        }
    }

    #[inline]
    fn meet_one(&mut self, ray: Ray, lines: i32, cells: BitLine<'_>) -> Ray {
        let column = floor(ray.position);
        // The padded cell that the ray enters.
        let ahead = column + i32::from(ray.slope > 0);
        if ray.slope != 0 && !cells.is_free(ahead as usize) {
            return ray;
        }
        if !ALL {
            self.emit_one(lines, column);
        }
        self.eye.known(ray, lines)
    }

    #[inline(never)]
    fn emit_one(&mut self, lines: i32, column: i32) {
        (self.span)(self.eye.line(lines) as u32, column as u32, column as u32);
    }
}

impl Eye<'_> {
    /// A cone after a row, if it has a ray.
    #[inline]
    fn opened(&self, cone: Cone) -> Option<Cone> {
        if cone.low.position + NEAR < cone.high.position { Some(cone) } else { self.opened_narrow(cone) }
    }

    /// As [`opened`](Eye::opened) for a cone that may be a single ray, or empty.
    #[cold]
    fn opened_narrow(&self, mut cone: Cone) -> Option<Cone> {
        cone.low = self.known(cone.low, cone.lines);
        cone.high = self.known(cone.high, cone.lines);
        let is_open = || cone.lines == 1 || !self.is_shut(cone.low.on(-1), cone.lines - 1);
        (cone.low.slope < cone.high.slope || cone.is_single() && is_open()).then_some(cone)
    }

    /// The first and the last padded cell that a cone touches on its way to the next line.
    #[inline]
    fn touched(&self, cone: &Cone) -> (i32, i32) {
        let Cone { low, high, .. } = cone;
        // On both sides of an upright ray.
        let first = low.position + low.slope.min(0) + if low.slope == 0 { -NEAR } else { NEAR };
        let last = high.position + high.slope.max(0) + if high.slope == 0 { NEAR } else { -1 - NEAR };
        (((first >> 44) as i32).max(-1) + 1, ((last >> 44) as i32).min(self.width) + 1)
    }

    /// The ray with this slope on the first line.
    fn on_first_line(&self, slope: i64) -> Ray {
        let position = i64::from(self.x) * (ONE / 2) + if self.half == 0 { slope } else { slope / 2 };
        Ray { slope, position }
    }

    /// The cone after a whole band, if one begins here and is free as far as the cone touches it. On its lines except
    /// the last, no corners of obstacles are in sight: all cells around those are free.
    #[inline]
    fn after_band(&self, cone: &Cone) -> Option<Cone> {
        let band = self.band(cone.lines)?;
        let next = cone.on(BAND);
        let (low, high) = (cone.low, cone.high);
        let (left, right) = (next.low.position, next.high.position);
        let first = if low.slope == 0 { ceil(left) - 1 } else { floor(low.position.min(left).max(-ONE)) }.max(-1);
        let beyond = i64::from(self.width + 1) * ONE;
        let last =
            if high.slope == 0 { floor(right) } else { ceil(high.position.max(right).min(beyond)) - 1 }.min(self.width);
        let is_free = self.view.bands.0.all_free(band, (first + 1) as usize, (last + 1) as usize);
        is_free.then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Corners, seen};
    use super::*;
    use crate::geometry::Cell;
    use crate::geometry::Dice;
    use crate::grid::sight;

    /// Maps wider than a window and higher than some bands: noise, and rectangles in the open.
    fn maps(dice: &mut Dice) -> Vec<Grid> {
        let mut maps = Vec::new();
        for (width, height) in [(70, 40), (61, 17), (9, 33), (70, 9), (24, 24)] {
            for blocked in [2, 8, 20, 40] {
                maps.push(Grid::from_fn(width, height, |_| dice.below(100) >= blocked).unwrap());
            }
            let mut grid = Grid::from_fn(width, height, |_| true).unwrap();
            let mut edits = Edits::new();
            for _ in 0..6 {
                let first = Cell::new(dice.below(width.into()) as u32, dice.below(height.into()) as u32);
                let last = Cell::new((first.x + dice.below(12) as u32).min(width - 1), (first.y + 2).min(height - 1));
                edits.block_rect(first, last);
            }
            grid.apply(&edits).unwrap();
            maps.push(grid);
        }
        maps
    }

    /// Some corners of a map except closed pinches, at which no path begins, and some centres of free cells.
    fn points(grid: &Grid, dice: &mut Dice) -> Vec<Point> {
        let mut points = Vec::new();
        for _ in 0..12 {
            let (x, y) =
                (dice.below(u64::from(grid.width()) + 1) as u32, dice.below(u64::from(grid.height()) + 1) as u32);
            if corners::around(grid, Corner::new(x, y)) != CLOSED_PINCH {
                points.push(Point::corner(Corner::new(x, y)));
            }
            let cell = Cell::new(x.min(grid.width() - 1), y.min(grid.height() - 1));
            if grid.is_free(cell) {
                points.push(Point::centre(cell));
            }
        }
        points
    }

    /// Calls `check` with views of many maps, and points on them.
    fn for_each_point(mut check: impl FnMut(View<'_>, Point)) {
        let mut dice = Dice::new(11);
        for grid in maps(&mut dice) {
            let bands = Bands::new(&grid);
            for squeeze in Squeeze::ALL {
                for point in points(&grid, &mut dice) {
                    check(View { grid: &grid, bands: &bands, squeeze }, point);
                }
            }
        }
    }

    fn corners_of(grid: &Grid) -> impl Iterator<Item = Corner> {
        let width = grid.width();
        (0..=grid.height()).flat_map(move |y| (0..=width).map(move |x| Corner::new(x, y)))
    }

    #[test]
    fn spans_are_all_corners_in_sight() {
        for_each_point(|view, from| {
            let mut given = vec![false; (view.grid.width() as usize + 1) * (view.grid.height() as usize + 1)];
            let index = |corner: Corner| corner.y as usize * (view.grid.width() as usize + 1) + corner.x as usize;
            Cones::default().around::<true>(view, from, |y, first, last| {
                for x in first..=last {
                    given[index(Corner::new(x, y))] = true;
                }
            });
            // Lines may reach a pinch where no path may end.
            for corner in
                corners_of(view.grid).filter(|&corner| from.as_corner() != Some(corner) && !view.is_shut(corner))
            {
                let is_seen = sight::points_visible(view.grid, from, Point::corner(corner), view.squeeze);
                assert_eq!(given[index(corner)], is_seen, "{from:?} {corner:?} {:?} {:?}", view.squeeze, view.grid);
            }
        });
    }

    fn check_taut_ends(view: View<'_>, from: Point) {
        let corners = Corners::new(view.grid, view.squeeze);
        let mut found = Vec::new();
        seen(&mut Cones::default(), view, &corners, from, |number, turn, side, back| {
            assert_eq!((corners.turn(number), turn.kind.side(back)), (turn, Some(side)));
            found.push(number);
        });
        found.sort_unstable();
        let is_end = |&number: &u32| {
            let turn = corners.turn(number);
            from.as_corner() != Some(turn.corner())
                && turn.kind.side(turn.to(from)).is_some()
                && sight::points_visible(view.grid, from, turn.point(), view.squeeze)
        };
        let expected: Vec<u32> = (0..corners.len() as u32).filter(is_end).collect();
        assert_eq!(found, expected, "{from:?} {:?} {:?}", view.squeeze, view.grid);
    }

    #[test]
    fn taut_ends_in_sight_are_found_once() {
        for_each_point(check_taut_ends);
    }

    /// Rays that are nearly flat in the first row would be far beyond the map after passing the others.
    #[test]
    fn far_rows_may_be_equal() {
        let grid = Grid::from_fn(2000, 2000, |cell| cell.y != 1990 || cell.x % 100 != 7).unwrap();
        let bands = Bands::new(&grid);
        for (squeeze, x) in Squeeze::ALL.into_iter().flat_map(|squeeze| [1, 900, 1998].map(|x| (squeeze, x))) {
            let view = View { grid: &grid, bands: &bands, squeeze };
            check_taut_ends(view, Point::corner(Corner::new(x, 0)));
            check_taut_ends(view, Point::centre(Cell::new(x, 1)));
        }
    }
}
