//! Paths pulled straight.

use super::{Path, length_of};
use crate::geometry::{Cell, Corner, PathCost, Point};
use crate::grid::{Grid, Squeeze, sight};

impl Path {
    /// A grid path pulled straight where nothing stands in the way: points joined by line of sight instead of grid
    /// moves. From each point it follows the path as far as it can see without a gap; never longer than the path.
    /// [`smooth`](Path::smooth) does much the same on corners, in place and with far fewer looks.
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
    /// it looks for a far point of the path that it can see, and keeps that. It tries turning points first, twice as
    /// far on each time, and then goes on along the leg behind the last one it sees: a few looks for each point that is
    /// kept, however long the path. Of an any-angle path the turning points are its corners, and its ends stay where
    /// they are; a grid path is first moved to the corners at the upper left of each of its cells. It needs the points,
    /// so a path of which only the cost was asked becomes one without corners, of the same length.
    ///
    /// The grid must be one with movement [`octile`](crate::Movement::Octile). An any-angle path that squeezes keeps
    /// its rule, whatever `squeeze` says. On a map with prices every path stays as it is: lines in any direction have
    /// no price.
    ///
    /// ```
    /// use octile::{Engine, Grid, Squeeze};
    /// let grid = Grid::open(10, 10)?;
    /// let mut path = Engine::new("jps", &grid)?.find((0, 0), (9, 3))?.expect("they are connected");
    /// path.smooth(&grid, Squeeze::Allowed);
    /// assert_eq!(path.length(), 90.0_f64.sqrt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn smooth(&mut self, grid: &Grid, squeeze: Squeeze) {
        self.smooth_watched(grid, squeeze, |_, _| {});
    }

    /// [`smooth`](Path::smooth), telling `sight` of every line of sight that is checked.
    pub(crate) fn smooth_watched(&mut self, grid: &Grid, squeeze: Squeeze, sight: impl FnMut(Point, Point)) {
        if grid.convention().is_some() || matches!(self.cost, PathCost::Priced { .. }) {
            return;
        }
        let squeeze = if self.squeeze() == Some(Squeeze::Allowed) { Squeeze::Allowed } else { squeeze };
        let (length, ends, centres) = (self.length(), self.ends, self.centres);
        let mut corners = std::mem::take(&mut self.corners);
        // Moving a grid path to corners keeps it legal. Moves E and S go along the edge of the cell that they leave, W
        // and N of the one that they enter; SE and NW cross the cell that they leave or enter, NE and SW one beside
        // them, which the octile rule wants free. All these are free. If the corner of a cell on the path is a pinch,
        // the cells N and W of it are blocked, so the path comes from and goes to E, SE and S only, as the pinch
        // allows; so no leg goes through a pinch, and every part of a leg is as legal as the whole.
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

/// Into so many parts a leg is divided when its last point in sight is looked for.
const PARTS: usize = 16;

/// The turning points of a path with its ends, which are centres or corners.
struct Line<'a> {
    centres: Option<(Cell, Cell)>,
    corners: &'a mut [Corner],
}

impl Line<'_> {
    /// How many centres stand before the corners, and behind them.
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

    /// Puts a point at a place. A centre can only be the end, which stays where it is.
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
    /// Is told of every line of sight that is checked.
    sight: F,
}

impl<F: FnMut(Point, Point)> Smoothing<'_, F> {
    /// Puts the points to keep at the front of the turning points of a path, and says how many corners there are.
    fn pull(&mut self, line: &mut Line<'_>) -> usize {
        let Some(last) = line.len().checked_sub(1) else { return 0 };
        // What is kept never overtakes what is read: each point that is kept lies behind one more turning point.
        let (mut kept, mut next) = (1, 1);
        while next <= last {
            // From the point kept last the next turning point is in sight: they are on one leg.
            let from = line.at(kept - 1);
            let seen = next + last_seen(last - next, |ahead| self.sees(from, line.at(next + ahead)));
            let keep = if seen == last { line.at(last) } else { self.along(from, line.at(seen), line.at(seen + 1)) };
            line.put(kept, keep);
            kept += 1;
            next = seen + 1;
        }
        kept - 2 * line.outer()
    }

    /// A far point in sight on the leg between two points, of which the first is in sight. Of legs that lead from
    /// corner to corner as moves between cells do only: others go through few corners, or none.
    fn along(&mut self, from: Point, seen: Point, end: Point) -> Point {
        let (Some(begin), Some(end)) = (seen.as_corner(), end.as_corner()) else { return seen };
        let line = Through::new(begin, end);
        if !line.is_of_moves() {
            return seen;
        }
        // Its end was not in sight.
        let steps = line.steps() - 1;
        // A sixteenth of the leg more or less is hardly seen in the length of the path, and looks are what smoothing
        // costs.
        let apart = steps / PARTS + 1;
        let at = |parts: usize| Point::corner(line.at(apart * parts));
        at(halved(0, steps / apart + 1, |parts| self.sees(from, at(parts))))
    }

    fn sees(&mut self, from: Point, to: Point) -> bool {
        (self.sight)(from, to);
        sight::points_visible(self.grid, from, to, self.squeeze)
    }
}

/// The corners that the straight line between two corners goes through, from the first to the second.
pub(super) struct Through {
    begin: Corner,
    /// From each of them to the next.
    step: (i64, i64),
    steps: usize,
}

impl Through {
    pub(super) fn new(begin: Corner, end: Corner) -> Self {
        let (dx, dy) = (i64::from(end.x) - i64::from(begin.x), i64::from(end.y) - i64::from(begin.y));
        // As Euclid found the greatest common divisor.
        let (mut divisor, mut rest) = (dx.abs(), dy.abs());
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let one = divisor.max(1);
        Self { begin, step: (dx / one, dy / one), steps: divisor as usize }
    }

    /// How many there are, but for the first.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    pub(super) fn at(&self, steps: usize) -> Corner {
        let place = |begin: u32, step: i64| (i64::from(begin) + step * steps as i64) as u32;
        Corner::new(place(self.begin.x, self.step.0), place(self.begin.y, self.step.1))
    }

    /// Whether its steps are those of moves between cells: along a row, a column or a diagonal.
    fn is_of_moves(&self) -> bool {
        self.step.0.abs() <= 1 && self.step.1.abs() <= 1
    }
}

/// A number up to `most` for which `sees` holds, and does not for the next one: it is taken to hold for 0. The last of
/// all is tried first, then numbers that double, then halves of what is left.
pub(super) fn last_seen(most: usize, mut sees: impl FnMut(usize) -> bool) -> usize {
    if most == 0 || sees(most) {
        return most;
    }
    let (mut seen, mut ahead) = (0, 1);
    while ahead < most && sees(ahead) {
        seen = ahead;
        ahead *= 2;
    }
    halved(seen, most.min(ahead), sees)
}

/// A number from `seen` on, for which `sees` holds, to before `unseen`, for which it does not, such that it does not
/// hold for the next.
fn halved(mut seen: usize, mut unseen: usize, mut sees: impl FnMut(usize) -> bool) -> usize {
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

/// Points joined by straight lines in any direction: a path that has been [straightened](Path::straighten).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polyline {
    points: Vec<Cell>,
}

impl Polyline {
    /// The points, whose segments join cell centres.
    pub fn points(&self) -> &[Cell] {
        &self.points
    }

    /// The sum of the segments' lengths.
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
