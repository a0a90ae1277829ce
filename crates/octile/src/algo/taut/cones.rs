//! What a point sees, row by row: exact sight over the bit rows of a map.
//!
//! A *cone* is all rays from a point between two slopes, in columns a row. Going on by a row of cells, a cone is split among the free runs
//! of that row: a run of columns from a to b keeps the rays that are between a and b on both of its lines, the nearer and the farther one. A
//! cone may be a single front. All corners of cells that a cone has on a line are in sight: these are given out as spans.
//!
//! # Exact in whole numbers
//! A slope is a fraction n/d of two numbers of half cells, d at most 2^17 (the longest side of a map is below 2^16 cells). It is kept in
//! units of 2^-44, cut off, so it is wrong by less than 1 unit. Different slopes are at least 1/d² or 2^-34 apart, which is 2^10 units: they
//! are equal if they differ by less than [`SAME`]. On the k-th line a ray is at a place whose distance from the next column is 0 or at least
//! 1/(2d), which is 2^26 units; its error is at most k or 2^16 units and a rounding. So what is within [`NEAR`] of a column is on it.
//! No slope is above 2^17, no place beyond two widths of a map: all fit into 64 bits.
//!
//! # What may be skipped
//! Who looks for corners of obstacles need not look at every line. Between two rows with the same free run, and inside of a free area,
//! there is none. So a cone that fills a run goes on through rows with the same run at once ([`Cones::deepen`]), and one whose cells are free
//! in all of a [band](Bands) of eight rows goes on by eight.

use crate::geometry::{Corner, Spot};
use crate::grid::bits::{BitLines, WINDOW};
use crate::grid::corners::{self, CLOSED_PINCH, LOWER_RIGHT_PINCH};
use crate::grid::{Edits, Grid, Squeeze};
use crate::search::size_bytes;

/// A column a row, in the units of slopes; and a column, in the units of places.
const ONE: i64 = 1 << 44;

/// Slopes that differ by less are equal.
const SAME: i64 = 8;

/// Places that differ from a column by less are on it.
const NEAR: i64 = 1 << 22;

/// Flatter than every ray that leaves its row.
pub(in crate::algo) const FLAT: i64 = 1 << 61;

/// The slope of a ray that goes by so many columns in so many rows, both in the same unit.
#[inline]
pub(in crate::algo) fn slope(columns: i32, rows: i32) -> i64 {
    i64::from(columns) * ONE / i64::from(rows)
}

#[inline]
fn floor(place: i64) -> i32 {
    ((place + NEAR) >> 44) as i32
}

#[inline]
fn ceil(place: i64) -> i32 {
    ((place + (ONE - 1 - NEAR)) >> 44) as i32
}

/// The rows of a map in bands of eight: which columns are free in all rows of a band.
#[derive(Clone, Debug)]
pub(in crate::algo) struct Bands(BitLines);

/// Rows of a band.
const BAND: i32 = 8;

impl Bands {
    pub(in crate::algo) fn new(grid: &Grid) -> Self {
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

    /// Follows edits, which the map has taken already.
    pub(in crate::algo) fn follow(&mut self, grid: &Grid, edits: &Edits) {
        for (cell, _) in edits.iter() {
            let (band, position) = ((cell.y / BAND as u32) as usize, cell.x as usize + 1);
            let first = band * BAND as usize + 1;
            if band < grid.height() as usize / BAND as usize {
                let is_free = (first..first + BAND as usize).all(|row| grid.rows().get(row, position));
                self.0.set(band, position, is_free);
            }
        }
    }

    /// Its memory in bytes.
    pub(in crate::algo) fn total_bytes(&self) -> usize {
        self.0.size_bytes()
    }
}

/// A map as rays see it.
#[derive(Clone, Copy)]
pub(in crate::algo) struct View<'a> {
    pub(in crate::algo) grid: &'a Grid,
    pub(in crate::algo) bands: &'a Bands,
    pub(in crate::algo) squeeze: Squeeze,
}

impl View<'_> {
    /// Whether a single ray that comes to this corner ends there.
    #[inline]
    fn is_shut(&self, corner: Corner) -> bool {
        self.squeeze == Squeeze::Forbidden
            && matches!(corners::around(self.grid, corner), LOWER_RIGHT_PINCH | CLOSED_PINCH)
    }

    /// The last corner in sight along a row of corners, to the right or to the left; the corner itself if it sees none there.
    fn along(&self, from: Corner, to_right: bool) -> u32 {
        let (rows, y) = (self.grid.rows(), from.y as usize);
        // Padded cells to the right of a corner have a number one larger.
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

    /// The first pinch behind a corner on the way along its row to another, or that one.
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

/// The rays from a point between two slopes, beyond some lines.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// How many lines are behind.
    lines: i32,
    low: i64,
    high: i64,
}

/// A rectangle of cells, which may reach beyond the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::algo) struct Area {
    pub(in crate::algo) left: i32,
    pub(in crate::algo) top: i32,
    pub(in crate::algo) right: i32,
    pub(in crate::algo) bottom: i32,
}

impl Area {
    /// No cell.
    pub(in crate::algo) const NONE: Self = Self { left: i32::MAX, top: i32::MAX, right: i32::MIN, bottom: i32::MIN };

    /// The cells around a corner.
    pub(in crate::algo) fn around(corner: Corner) -> Self {
        let (x, y) = (corner.x as i32, corner.y as i32);
        Self { left: x - 1, top: y - 1, right: x, bottom: y }
    }

    /// Takes in some cells of a row, and one more all around.
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
pub(in crate::algo) struct Cones {
    open: Vec<Cone>,
    /// Takes in the cells that were looked at, and one more all around: all that what was found depends on.
    pub(in crate::algo) area: Area,
    /// Rows that were looked at, in all.
    pub(in crate::algo) rows: u64,
}

size_bytes!(Cones: open);

/// A cone on its way: where its two outermost rays cross the line that it has come to.
struct Front {
    cone: Cone,
    left: i64,
    right: i64,
}

/// From where, and which way, rows are looked at. Places of columns are those of the map.
struct Eye<'a> {
    view: View<'a>,
    /// The point, in halves of a cell.
    x: i32,
    /// The line of corners that is 0 lines away: that of the point, or the one behind a centre.
    y: i32,
    /// 1 or -1: down or up.
    step: i32,
    /// 1 if the point is the centre of a cell: then the first line is half a row away.
    half: i32,
}

impl<'a> Eye<'a> {
    fn new(view: View<'a>, from: Spot, down: bool) -> Self {
        let (x, y) = from.halves();
        let half = (y % 2) as i32;
        Self { view, x: x as i32, y: y as i32 / 2 + if down { 0 } else { half }, step: if down { 1 } else { -1 }, half }
    }

    /// The line of corners so many lines away.
    #[inline]
    fn line(&self, lines: i32) -> i32 {
        self.y + self.step * lines
    }

    /// The padded row of cells behind so many lines.
    #[inline]
    fn row(&self, lines: i32) -> usize {
        let line = self.line(lines);
        (if self.step > 0 { line + 1 } else { line }) as usize
    }

    /// How far so many lines are, in half rows.
    #[inline]
    fn halves(&self, lines: i32) -> i32 {
        2 * lines - self.half
    }

    /// Where a ray crosses a line.
    #[inline]
    fn place(&self, slope: i64, lines: i32) -> i64 {
        i64::from(self.x) * (ONE / 2)
            + if self.half == 0 { slope * i64::from(lines) } else { slope * i64::from(self.halves(lines)) / 2 }
    }

    /// A cone on its way.
    #[inline]
    fn front(&self, cone: Cone) -> Front {
        Front { cone, left: self.place(cone.low, cone.lines), right: self.place(cone.high, cone.lines) }
    }

    /// The slope of the ray that crosses a line at a column.
    #[inline]
    fn slope_to(&self, column: i32, lines: i32) -> i64 {
        slope(2 * column - self.x, self.halves(lines))
    }

    /// Whether the point is to the right of a column, or to its left or on it.
    #[inline]
    fn is_right_of(&self, column: i32) -> bool {
        2 * column < self.x
    }

    #[inline]
    fn is_left_of(&self, column: i32) -> bool {
        2 * column > self.x
    }

    /// Whether a single ray ends at the line, because it comes to a pinch there.
    #[inline]
    fn is_shut(&self, slope: i64, lines: i32) -> bool {
        if self.view.squeeze == Squeeze::Allowed {
            return false;
        }
        let place = self.place(slope, lines);
        let x = floor(place);
        x == ceil(place) && self.view.is_shut(Corner::new(x as u32, self.line(lines) as u32))
    }

    /// What a free run of columns from `first` to before `end`, in the row that a ray comes to, leaves of it. Bounds that are beside it
    /// are given as `None`.
    #[inline]
    fn clip(&self, front: &Front, first: Option<i32>, end: Option<i32>) -> Option<Cone> {
        let Cone { lines, mut low, mut high } = front.cone;
        if let Some(first) = first {
            let (at, place) = if self.is_right_of(first) { (lines + 1, front.left + low) } else { (lines, front.left) };
            if i64::from(first) * ONE > place + NEAR {
                low = self.slope_to(first, at);
            }
        }
        if let Some(end) = end {
            let (at, place) = if self.is_left_of(end) { (lines + 1, front.right + high) } else { (lines, front.right) };
            if i64::from(end) * ONE < place - NEAR {
                high = self.slope_to(end, at);
            }
        }
        let cone = Cone { lines: lines + 1, low, high }.closed()?;
        (low + SAME <= high || !self.is_shut(cone.low, lines)).then_some(cone)
    }
}

impl Cone {
    /// The same if it has a ray; its slopes are the same if they are nearly so.
    #[inline]
    fn closed(self) -> Option<Self> {
        if self.low + SAME <= self.high {
            return Some(self);
        }
        (self.low <= self.high + SAME).then_some(Self { high: self.low, ..self })
    }
}

impl Cones {
    /// Gives the spans of all corners that an end of a path sees.
    pub(in crate::algo) fn around<const ALL: bool>(
        &mut self,
        view: View<'_>,
        from: Spot,
        mut span: impl FnMut(u32, u32, u32),
    ) {
        // Of a pinch none but the lines to its lower right may begin there.
        let is_pinch = from.as_corner().is_some_and(|corner| view.is_shut(corner));
        let ways = if is_pinch { &[true][..] } else { &[true, false] };
        for &way in ways {
            if let Some(corner) = from.as_corner() {
                self.along(view, corner, way, &mut span);
            }
            let slopes = if is_pinch { (0, FLAT) } else { (-FLAT, FLAT) };
            self.scan::<ALL>(view, from, way, slopes, &mut span);
        }
    }

    /// Gives the corners in sight along the row of a corner, to its right or to its left.
    #[inline]
    pub(in crate::algo) fn along(
        &mut self,
        view: View<'_>,
        from: Corner,
        to_right: bool,
        span: &mut impl FnMut(u32, u32, u32),
    ) {
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

    /// Gives the spans of corners that a point sees on the lines above or below it, between two slopes: a line, and the first and the last
    /// corner on it. If `ALL` is not set, lines on which no corner of an obstacle can be may be left out.
    #[inline]
    pub(in crate::algo) fn scan<const ALL: bool>(
        &mut self,
        view: View<'_>,
        from: Spot,
        down: bool,
        slopes: (i64, i64),
        mut span: impl FnMut(u32, u32, u32),
    ) {
        let eye = &Eye::new(view, from, down);
        if let Some(cone) = self.first::<ALL>(eye, slopes) {
            self.run::<ALL>(eye, cone, &mut span);
        }
    }

    #[inline]
    fn run<const ALL: bool>(&mut self, eye: &Eye<'_>, cone: Cone, span: &mut impl FnMut(u32, u32, u32)) {
        self.open.clear();
        self.open::<ALL>(eye, cone, span);
        while let Some(cone) = self.open.pop() {
            self.follow::<ALL>(eye, cone, span);
        }
    }

    /// The cone behind the first line.
    fn first<const ALL: bool>(&mut self, eye: &Eye<'_>, (low, high): (i64, i64)) -> Option<Cone> {
        let (rows, row) = (eye.view.grid.rows(), eye.row(0));
        // The padded cell to the left of the point, or that of a centre.
        let left = (eye.x as usize).div_ceil(2);
        let cell = if rows.get(row, left) { left } else { left + 1 - eye.half as usize };
        if !rows.get(row, cell) {
            return None;
        }
        let (first, end) = (rows.run_start(row, cell) as i32 - 1, rows.run_end(row, cell) as i32 - 1);
        self.area.take(row as i32 - 1, first - 1, end);
        let low = low.max(eye.slope_to(first, 1));
        let high = high.min(eye.slope_to(end, 1));
        let cone = Cone { lines: 1, low, high }.closed()?;
        if ALL { Some(cone) } else { self.deepen(eye, cone, first, end) }
    }

    /// Puts a cone aside.
    #[inline]
    fn open<const ALL: bool>(&mut self, eye: &Eye<'_>, cone: Cone, span: &mut impl FnMut(u32, u32, u32)) {
        if ALL {
            eye.front(cone).emit(eye, span);
        }
        self.open.push(cone);
    }

    /// Follows a cone until it comes to a row that is not free.
    #[inline]
    fn follow<const ALL: bool>(&mut self, eye: &Eye<'_>, cone: Cone, span: &mut impl FnMut(u32, u32, u32)) {
        let (rows, width) = (eye.view.grid.rows(), eye.view.grid.width() as i32);
        let Cone { low, high, .. } = cone;
        // The cells that rays touch on their way to the next line; beside an upright ray, both.
        let first_of = low.min(0) + if low == 0 { -NEAR } else { NEAR };
        let last_of = high.max(0) + if high == 0 { NEAR } else { -1 - NEAR };
        let mut front = eye.front(cone);
        loop {
            if low == high && eye.is_shut(low, front.cone.lines) {
                // A pinch may open, and then it goes on.
                self.area.take(eye.row(front.cone.lines) as i32 - 1, floor(front.left) - 1, floor(front.left));
                return;
            }
            self.rows += 1;
            if !ALL
                && eye.line(front.cone.lines) % BAND == 0
                && let Some(next) = front.behind_band(eye)
            {
                front.graze(eye, span);
                front = next;
                continue;
            }
            let first = (((front.left + first_of) >> 44) as i32).max(-1) + 1;
            let last = (((front.right + last_of) >> 44) as i32).min(width) + 1;
            let touched = Cells::new(rows, eye.row(front.cone.lines), first as usize, last as usize);
            if !touched.are_free() {
                if !ALL {
                    front.emit(eye, span);
                }
                self.area.take(eye.row(front.cone.lines) as i32 - 1, first - 1, last - 1);
                return self.split::<ALL>(eye, &front, &touched, span);
            }
            if !ALL {
                front.graze(eye, span);
            }
            front.cone.lines += 1;
            front.left += low;
            front.right += high;
            if ALL {
                front.emit(eye, span);
            }
        }
    }

    /// Splits a cone among the free runs of the cells that it touches in the row that it comes to.
    #[inline]
    fn split<const ALL: bool>(
        &mut self,
        eye: &Eye<'_>,
        front: &Front,
        touched: &Cells<'_>,
        span: &mut impl FnMut(u32, u32, u32),
    ) {
        touched.for_each_run(|begin, end| {
            let (from, to) = (begin.map(|begin| begin as i32 - 1), end.map(|end| end as i32 - 1));
            let Some(mut cone) = eye.clip(front, from, to) else { return };
            if !ALL && let (Some(from), Some(to)) = (from, to) {
                let Some(deeper) = self.deepen(eye, cone, from, to) else { return };
                cone = deeper;
            }
            self.open::<ALL>(eye, cone, span);
        });
    }

    /// The cone behind all rows that have the same run, from `first` to before `end`, as the one that it comes from; if there is
    /// something left of it. What the last of them leaves, those before it do too.
    #[inline]
    fn deepen(&mut self, eye: &Eye<'_>, cone: Cone, first: i32, end: i32) -> Option<Cone> {
        let rows = eye.view.grid.rows();
        let mut lines = cone.lines;
        while is_run(rows, eye.row(lines), first as usize, end as usize + 1) {
            lines += 1;
        }
        // The last row that was looked at is the one that differs.
        self.area.take(eye.row(lines) as i32 - 1, first - 1, end);
        if lines == cone.lines {
            return Some(cone);
        }
        let (mut low, mut high) = (cone.low, cone.high);
        if eye.is_right_of(first) && i64::from(first) * ONE > eye.place(low, lines) + NEAR {
            low = eye.slope_to(first, lines);
        }
        if eye.is_left_of(end) && i64::from(end) * ONE < eye.place(high, lines) - NEAR {
            high = eye.slope_to(end, lines);
        }
        Cone { lines, low, high }.closed()
    }
}

impl Eye<'_> {
    /// The band that begins behind so many lines, if one does.
    #[inline]
    fn band(&self, lines: i32) -> Option<usize> {
        let line = self.line(lines);
        if line % BAND != 0 {
            return None;
        }
        let band = (if self.step > 0 { line / BAND } else { line / BAND - 1 }) as usize;
        (band < self.view.grid.height() as usize / BAND as usize).then_some(band)
    }
}

/// Some cells of a row: the padded ones from `first` to `last`.
struct Cells<'a> {
    rows: &'a BitLines,
    row: usize,
    first: usize,
    last: usize,
    /// Those that are free, from the first on, as far as a window reaches.
    window: u64,
}

impl<'a> Cells<'a> {
    #[inline]
    fn new(rows: &'a BitLines, row: usize, first: usize, last: usize) -> Self {
        Self { rows, row, first, last, window: rows.window(row, first) }
    }

    /// How many there are after the first.
    #[inline]
    fn more(&self) -> usize {
        self.last - self.first
    }

    #[inline]
    fn are_free(&self) -> bool {
        if self.more() < WINDOW {
            !self.window << (63 - self.more()) == 0
        } else {
            self.rows.all_free(self.row, self.first, self.last)
        }
    }

    /// Visits the free runs: the first cell of each, unless that is the first of all, and the cell behind it, if that is one of these.
    #[inline]
    fn for_each_run(&self, mut visit: impl FnMut(Option<usize>, Option<usize>)) {
        if self.more() >= WINDOW {
            return self.for_each_wide_run(visit);
        }
        let unused = 63 - self.more();
        let mut free = self.window << unused >> unused;
        while free != 0 {
            let begin = free.trailing_zeros();
            // Adding the lowest bit of a run carries through it.
            let behind = free.wrapping_add(1 << begin);
            let end = if behind == 0 { 64 } else { behind.trailing_zeros() } as usize;
            free &= behind;
            let begin = (begin > 0).then_some(self.first + begin as usize);
            visit(begin, (end <= self.more()).then_some(self.first + end));
        }
    }

    fn for_each_wide_run(&self, mut visit: impl FnMut(Option<usize>, Option<usize>)) {
        let mut at = self.first;
        while let Some(begin) = self.rows.first_free(self.row, at, self.last) {
            let end = self.rows.run_end(self.row, begin);
            at = end + 1;
            visit((begin > self.first).then_some(begin), (end <= self.last).then_some(end));
        }
    }
}

/// Whether the padded cells between two are free, and these are not.
#[inline]
fn is_run(rows: &BitLines, row: usize, wall: usize, end_wall: usize) -> bool {
    let more = end_wall - wall;
    if more < WINDOW {
        let unused = 63 - more;
        // A one for each free cell: between two zeros.
        return rows.window(row, wall) << unused == (u64::MAX >> 1) & (u64::MAX << (unused + 1));
    }
    !rows.get(row, wall) && !rows.get(row, end_wall) && rows.all_free(row, wall + 1, end_wall - 1)
}

impl Front {
    /// Gives out the corners on the line.
    #[inline]
    fn emit(&self, eye: &Eye<'_>, span: &mut impl FnMut(u32, u32, u32)) {
        let (first, last) = (ceil(self.left), floor(self.right));
        if first <= last {
            span(eye.line(self.cone.lines) as u32, first as u32, last as u32);
        }
    }

    /// Gives out what may be corners of obstacles on a line between two rows that are free as far as the cone touches them: the ones that
    /// its outermost rays graze.
    #[inline]
    fn graze(&self, eye: &Eye<'_>, span: &mut impl FnMut(u32, u32, u32)) {
        for place in [self.left, self.right] {
            let x = floor(place);
            if x == ceil(place) {
                span(eye.line(self.cone.lines) as u32, x as u32, x as u32);
            }
            if self.cone.low == self.cone.high {
                return;
            }
        }
    }

    /// The cone behind a whole band, if one begins here and is free as far as the cone touches it. Its lines but the last have no corners
    /// of obstacles in sight: all cells around those are free.
    #[inline]
    fn behind_band(&self, eye: &Eye<'_>) -> Option<Self> {
        let Cone { lines, low, high } = self.cone;
        let band = eye.band(lines)?;
        let left = self.left.saturating_add(low.saturating_mul(i64::from(BAND)));
        let right = self.right.saturating_add(high.saturating_mul(i64::from(BAND)));
        let width = eye.view.grid.width() as i32;
        let first = if low == 0 { ceil(left) - 1 } else { floor(self.left.min(left).max(-ONE)) }.max(-1);
        let beyond = i64::from(width + 1) * ONE;
        let last = if high == 0 { floor(right) } else { ceil(self.right.max(right).min(beyond)) - 1 }.min(width);
        let is_free = eye.view.bands.0.all_free(band, (first + 1) as usize, (last + 1) as usize);
        is_free.then_some(Self { cone: Cone { lines: lines + BAND, low, high }, left, right })
    }
}
