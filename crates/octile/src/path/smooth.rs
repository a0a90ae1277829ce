//! Pulling paths straight.

use super::{Path, length_of};
use crate::geometry::{Cell, Corner, PathCost, Point};
use crate::grid::{Grid, Squeeze, sight};

impl Path {
    /// A grid path with shortcuts along lines of sight instead of grid moves. From each point it follows the path as
    /// long as every cell stays in sight. The result is never longer than the path. [`smooth`](Path::smooth) gives
    /// similar paths on corners, in place and with far fewer tests of lines of sight.
    ///
    /// ```
    /// use octile::{Cell, Grid, Path};
    /// let path = Path::through([(0, 0), (3, 3), (7, 3)]).unwrap();
    /// let line = path.straighten(&Grid::open(9, 9)?);
    /// assert_eq!(line.points(), [Cell::new(0, 0), Cell::new(7, 3)]);
    /// assert!(line.length() < path.length());
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn straighten(&self, grid: &Grid) -> Polyline {
        let mut points: Vec<Cell> = self.points.first().copied().into_iter().collect();
        let mut last = None;
        for cell in self.cells().into_iter().flatten().skip(1) {
            if let (Some(last), Some(&from)) = (last, points.last())
                && !sight::visible(grid, from, cell)
            {
                points.push(last);
            }
            last = Some(cell);
        }
        points.extend(last);
        Polyline { points }
    }

    /// Pulls the path straight, in place, into an any-angle path that is never longer: from each point that it keeps,
    /// it looks for a far visible point of the path, and keeps that. It tries turning points first, doubling the
    /// distance each time, and then searches the leg after the last visible one. That takes a few sight tests for each
    /// point kept, however long the path. The turning points of an any-angle path are its corners, and its ends stay
    /// where they are. A grid path is first moved to the upper left corners of its cells. Smoothing needs the points: a
    /// path of which only the cost was requested becomes one without corners, of the same length.
    ///
    /// The grid must use movement [`octile`](crate::Movement::Octile). An any-angle path that may squeeze keeps that
    /// rule, whatever `squeeze` says. On a map with prices, paths do not change: any-angle paths do not support terrain
    /// costs.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// use octile::grid::Squeeze;
    /// let grid = Grid::open(10, 10)?;
    /// let mut path = Engine::new("jps", &grid)?.find((0, 0), (9, 3))?.expect("they are connected");
    /// path.smooth(&grid, Squeeze::Allowed);
    /// assert_eq!(path.length(), 90.0_f64.sqrt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn smooth(&mut self, grid: &Grid, squeeze: Squeeze) {
        self.smooth_watched(grid, squeeze, |_, _| {});
    }

    /// Like [`smooth`](Path::smooth); calls `sight` for every line of sight tested.
    pub(crate) fn smooth_watched(&mut self, grid: &Grid, squeeze: Squeeze, sight: impl FnMut(Point, Point)) {
        if grid.convention().is_some() || matches!(self.cost, PathCost::Priced { .. }) {
            return;
        }
        let squeeze = if self.squeeze() == Some(Squeeze::Allowed) { Squeeze::Allowed } else { squeeze };
        let (length, ends, centres) = (self.length(), self.ends, self.centres);
        let mut corners = std::mem::take(&mut self.corners);
        // Moving a grid path to corners keeps it legal. Moves E and S go along the edge of the cell that they leave, W
        // and N along the edge of the cell that they enter; SE and NW cross the cell that they leave or enter, NE and
        // SW one beside them, which the octile rule requires to be free. All these cells are free. If the corner of a
        // cell on the path is a pinch, the cells N and W of it are blocked, so the path comes from and goes to E, SE
        // and S only, as the pinch allows. So no leg passes through a pinch, and every part of a leg is as legal as the
        // whole.
        corners.extend(self.waypoints().into_iter().flatten().map(Corner::of));
        let kept = Smoothing { grid, squeeze, sight }.pull(&mut Line { centres, corners: &mut corners });
        corners.truncate(kept);
        self.clear();
        (self.corners, self.ends, self.centres) = (corners, ends, centres);
        self.finish_any_angle(squeeze);
        if self.corners().is_err() {
            self.cost = PathCost::AnyAngle(length);
        }
    }
}

/// The number of parts into which a leg is divided in the search for its last visible point.
const PARTS: usize = 16;

/// The turning points of a path and its ends, which are centres or corners.
struct Line<'a> {
    centres: Option<(Cell, Cell)>,
    corners: &'a mut [Corner],
}

impl Line<'_> {
    /// The number of centres before the corners; there are as many after them.
    fn outer(&self) -> usize {
        usize::from(self.centres.is_some())
    }

    fn len(&self) -> usize {
        self.corners.len() + 2 * self.outer()
    }

    fn at(&self, place: usize) -> Point {
        match self.centres {
            Some((start, _)) if place == 0 => Point::centre(start),
            Some((_, goal)) if place + 1 == self.len() => Point::centre(goal),
            _ => Point::corner(self.corners[place - self.outer()]),
        }
    }

    /// Overwrites a point. A centre is always the end of the path, which stays.
    fn put(&mut self, place: usize, point: Point) {
        if let Some(corner) = point.as_corner() {
            self.corners[place - self.outer()] = corner;
        }
    }
}

/// Pulls paths straight.
struct Smoothing<'a, F> {
    grid: &'a Grid,
    squeeze: Squeeze,
    /// Called for every line of sight tested.
    sight: F,
}

impl<F: FnMut(Point, Point)> Smoothing<'_, F> {
    /// Moves the points to keep to the front of the turning points, and returns the number of corners kept.
    fn pull(&mut self, line: &mut Line<'_>) -> usize {
        let Some(last) = line.len().checked_sub(1) else { return 0 };
        // Writes never overtake reads: each point kept comes after at least one more turning point.
        let (mut kept, mut next) = (1, 1);
        while next <= last {
            // The next turning point is visible from the last point kept: they are on one leg.
            let from = line.at(kept - 1);
            let seen = next + last_seen(last - next, |ahead| self.sees(from, line.at(next + ahead)));
            let keep = if seen == last { line.at(last) } else { self.along(from, line.at(seen), line.at(seen + 1)) };
            line.put(kept, keep);
            kept += 1;
            next = seen + 1;
        }
        kept - 2 * line.outer()
    }

    /// A far visible point on the leg from `seen`, which is visible, to `end`, which is not. Only for legs from corner
    /// to corner that are grid moves: other legs pass through few corners, or none.
    fn along(&mut self, from: Point, seen: Point, end: Point) -> Point {
        let (Some(begin), Some(end)) = (seen.as_corner(), end.as_corner()) else { return seen };
        let line = LineCorners::new(begin, end);
        if !line.is_of_moves() {
            return seen;
        }
        // The end of the leg is not visible.
        let steps = line.steps() - 1;
        // A precision of a sixteenth of the leg hardly changes the length of the path, and sight tests are the cost of
        // smoothing.
        let apart = steps / PARTS + 1;
        let at = |parts: usize| Point::corner(line.at(apart * parts));
        at(bisect(0, steps / apart + 1, |parts| self.sees(from, at(parts))))
    }

    fn sees(&mut self, from: Point, to: Point) -> bool {
        (self.sight)(from, to);
        sight::points_visible(self.grid, from, to, self.squeeze)
    }
}

/// The corners on the straight line between two corners, from the first to the second.
pub(super) struct LineCorners {
    begin: Corner,
    /// The change from each corner to the next.
    step: (i64, i64),
    steps: usize,
}

impl LineCorners {
    pub(super) fn new(begin: Corner, end: Corner) -> Self {
        let (dx, dy) = (i64::from(end.x) - i64::from(begin.x), i64::from(end.y) - i64::from(begin.y));
        // Euclid's algorithm for the greatest common divisor.
        let (mut divisor, mut rest) = (dx.abs(), dy.abs());
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let one = divisor.max(1);
        Self { begin, step: (dx / one, dy / one), steps: divisor as usize }
    }

    /// The number of corners after the first.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    pub(super) fn at(&self, steps: usize) -> Corner {
        let place = |begin: u32, step: i64| (i64::from(begin) + step * steps as i64) as u32;
        Corner::new(place(self.begin.x, self.step.0), place(self.begin.y, self.step.1))
    }

    /// Whether its steps are grid moves: along a row, a column or a diagonal.
    fn is_of_moves(&self) -> bool {
        self.step.0.abs() <= 1 && self.step.1.abs() <= 1
    }
}

/// A number up to `most` for which `sees` holds but not for the next one; `sees` is assumed to hold for 0. Tries `most`
/// first, then doubling numbers, then binary search.
pub(super) fn last_seen(most: usize, mut sees: impl FnMut(usize) -> bool) -> usize {
    if most == 0 || sees(most) {
        return most;
    }
    let (mut seen, mut ahead) = (0, 1);
    while ahead < most && sees(ahead) {
        seen = ahead;
        ahead *= 2;
    }
    bisect(seen, most.min(ahead), sees)
}

/// Binary search for a number for which `sees` holds but not for the next: `sees` holds for `seen` and not for
/// `unseen`.
fn bisect(mut seen: usize, mut unseen: usize, mut sees: impl FnMut(usize) -> bool) -> usize {
    while unseen - seen > 1 {
        let middle = seen.midpoint(unseen);
        if sees(middle) {
            seen = middle;
        } else {
            unseen = middle;
        }
    }
    seen
}

/// Points joined by straight lines in any direction: a [straightened](Path::straighten) path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polyline {
    points: Vec<Cell>,
}

impl Polyline {
    /// The points; segments join the centres of these cells.
    pub fn points(&self) -> &[Cell] {
        &self.points
    }

    /// The sum of the lengths of the segments.
    pub fn length(&self) -> f64 {
        length_of(self.points.iter().map(|&cell| Point::centre(cell)))
    }

    /// Whether every segment is free on `grid`.
    ///
    /// ```
    /// use octile::{Edits, Grid, Path};
    /// let mut grid = Grid::open(9, 9)?;
    /// let line = Path::through([(0, 0), (3, 3), (7, 3)]).unwrap().straighten(&grid);
    /// assert!(line.is_legal(&grid));
    /// grid.apply(Edits::new().block_rect((4, 0), (4, 8)))?;
    /// assert!(!line.is_legal(&grid));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_legal(&self, grid: &Grid) -> bool {
        self.points.windows(2).all(|leg| sight::visible(grid, leg[0], leg[1]))
    }
}
