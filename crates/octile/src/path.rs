//! [`Path`]: what a planner returns, and [`Path::check`], the judge of it.

mod hops;

use crate::grid::sight::{self, Squeeze};
use crate::planner::{Output, Query};
use crate::probe::{NoProbe, Probe};
use crate::{Cell, Corner, Dir, Grid, Octile, PathCost};

/// The way that a planner found, with its cost. Planners overwrite a path in place, so one can be reused for any number of
/// queries without allocating.
///
/// - A *grid path* is a chain of straight and diagonal moves, with its exact cost. It is stored as points joined by straight
///   lines along rows, columns and diagonals: the turning points, or every cell if the query asked for them.
/// - An *any-angle path* leads from corner to corner of cells in straight lines of any direction, and has a length. The cells
///   of a query stand for the corners at their upper left. It knows the [squeeze rule](Squeeze) that it keeps. Its corners
///   are [`corners`](Path::corners); [`points`](Path::points), [`cells`](Path::cells) and [`waypoints`](Path::waypoints) are
///   those of grid paths, and empty.
///
/// ```
/// use octile::{Cell, Finder, Grid};
/// let grid: Grid = "....\n.@@.\n....".parse()?;
/// let path = Finder::new("jps", &grid)?.find(Cell::new(0, 0), Cell::new(3, 2))?.expect("they are connected");
/// assert_eq!(path.cost().to_string(), "5");
/// assert_eq!(path.cells().count(), 6);
/// assert_eq!(path.waypoints().count(), 3);
///
/// let path = Finder::new("theta-star", &grid)?.find(Cell::new(0, 0), Cell::new(3, 2))?.expect("they are connected");
/// assert_eq!(path.corners().len(), 3); // 0,0 by 3,1 to 3,2
/// assert_eq!(path.cost().to_string(), "4.1623");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// From start to goal; neighbours differ and lie on one row, column or diagonal. Empty if only the cost was asked.
    points: Vec<Cell>,
    /// See [`Path::jump_points`].
    jumps: Vec<Cell>,
    /// From start to goal; neighbours differ, and no three in a row go on in one direction. Empty in a grid path, or if only
    /// the cost was asked.
    corners: Vec<Corner>,
    cost: PathCost,
    /// The rule of an any-angle path.
    squeeze: Squeeze,
}

impl Path {
    /// An empty path, to be filled by a planner.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path through `points`, each on a row, column or diagonal with the one before, with the cost of walking it.
    ///
    /// ```
    /// use octile::{Cell, Octile, Path};
    /// let path = Path::through([Cell::new(0, 0), Cell::new(2, 2), Cell::new(5, 2)]).unwrap();
    /// assert_eq!(path.cost(), Octile::new(3, 2));
    /// ```
    pub fn through(points: impl IntoIterator<Item = Cell>) -> Option<Self> {
        let mut path = Self { points: points.into_iter().collect(), ..Self::default() };
        path.points.dedup();
        let mut cost = Octile::ZERO;
        for leg in path.points.windows(2) {
            cost += Octile::of_steps(Dir::towards(leg[0], leg[1])?, steps_between(leg[0], leg[1]));
        }
        path.cost = PathCost::Grid(cost);
        Some(path)
    }

    /// What it costs: exact for a grid path, the length of an any-angle path.
    pub fn cost(&self) -> PathCost {
        self.cost
    }

    /// Whether it is an any-angle path.
    pub fn is_any_angle(&self) -> bool {
        matches!(self.cost, PathCost::AnyAngle(_))
    }

    /// The corners of an any-angle path, from start to goal: those where it turns. Queries for waypoints and for cells get the
    /// same, queries for the cost none. A grid path has none.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The rule that an any-angle path keeps; `None` of a grid path.
    pub fn squeeze(&self) -> Option<Squeeze> {
        self.is_any_angle().then_some(self.squeeze)
    }

    /// The real length; of a grid path rounded to the nearest `f64`.
    pub fn length(&self) -> f64 {
        self.cost.length()
    }

    /// The points of a grid path as stored: turning points, every cell, or none, as the query asked.
    pub fn points(&self) -> &[Cell] {
        &self.points
    }

    /// Points from start to goal whose straight lines, in any direction, are free: the rectangle around each lies on free
    /// cells. The grid path goes from each to the next diagonally first. Only planners over rectangles (`rea-star`) give
    /// them; from others there are none.
    pub fn jump_points(&self) -> &[Cell] {
        &self.jumps
    }

    /// The length of the straight lines between [jump points](Path::jump_points), never above [`length`](Path::length);
    /// the latter if there are none.
    pub fn straight_length(&self) -> f64 {
        if self.jumps.is_empty() { self.length() } else { length_of(&self.jumps, |cell| (cell.x, cell.y)) }
    }

    /// Start, turning points and goal of a grid path.
    pub fn waypoints(&self) -> impl Iterator<Item = Cell> + '_ {
        let last = self.points.len().saturating_sub(1);
        let turns = move |i: usize| {
            i == 0
                || i == last
                || Dir::towards(self.points[i - 1], self.points[i]) != Dir::towards(self.points[i], self.points[i + 1])
        };
        (0..self.points.len()).filter(move |&i| turns(i)).map(|i| self.points[i])
    }

    /// Every cell of a grid path from start to goal.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let legs = self.points.windows(2).flat_map(|leg| {
            // A leg that is no straight line (only a broken planner makes one) jumps: `check` will say so.
            let dir = Dir::towards(leg[0], leg[1]);
            let steps = if dir.is_some() { steps_between(leg[0], leg[1]) } else { 1 };
            (1..=steps).map(move |step| dir.map_or(leg[1], |dir| dir.step(leg[0], step)))
        });
        self.points.first().copied().into_iter().chain(legs)
    }

    /// Judges the path as an answer to `query` on `grid`: it leads from start to goal, every move is legal, and the cost
    /// is that of the moves. Looks only at which cells are free and at the movement rule; at an any-angle path's squeeze rule
    /// instead.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self, grid: &Grid, query: Query) -> Result<(), PathFault> {
        match self.cost {
            PathCost::Grid(cost) => self.check_moves(grid, query, cost),
            PathCost::AnyAngle(length) => self.check_corners(grid, query, length),
        }
    }

    /// A grid path has the right ends, legal moves and their cost.
    fn check_moves(&self, grid: &Grid, query: Query, stated: Octile) -> Result<(), PathFault> {
        let ends = self.points.first().copied().zip(self.points.last().copied());
        if ends != Some((query.start, query.goal)) {
            return Err(PathFault::Ends { found: ends, expected: (query.start, query.goal) });
        }
        let mut walked = Octile::ZERO;
        let mut at = query.start;
        for next in self.cells().skip(1) {
            let legal = |dir: &Dir| grid.movement().allows(|cell| grid.is_free(cell), at, *dir);
            let dir = Dir::towards(at, next).filter(|_| steps_between(at, next) == 1).filter(legal);
            walked += Octile::of_steps(dir.ok_or(PathFault::Move { from: at, to: next })?, 1);
            at = next;
        }
        if !grid.is_free(query.start) {
            return Err(PathFault::Move { from: query.start, to: query.start });
        }
        if walked != stated {
            return Err(PathFault::Cost { stated: stated.into(), walked: walked.into() });
        }
        self.check_jumps(grid, query)
    }

    /// An any-angle path has the right ends, free lines and their length.
    fn check_corners(&self, grid: &Grid, query: Query, stated: f64) -> Result<(), PathFault> {
        let ends = self.corners.first().copied().zip(self.corners.last().copied());
        let expected = (Corner::of(query.start), Corner::of(query.goal));
        if ends != Some(expected) {
            return Err(PathFault::CornerEnds { found: ends, expected });
        }
        if let Some(&cell) = [query.start, query.goal].iter().find(|&&cell| !grid.is_free(cell)) {
            return Err(PathFault::Move { from: cell, to: cell });
        }
        for leg in self.corners.windows(2) {
            if leg[0] == leg[1] || !sight::corners_visible(grid, leg[0], leg[1], self.squeeze) {
                return Err(PathFault::Line { from: leg[0], to: leg[1] });
            }
        }
        let walked = length_of(&self.corners, |corner| (corner.x, corner.y));
        // Written so that a length that is no number is wrong too.
        if (stated - walked).abs() <= 1e-9 * walked {
            return Ok(());
        }
        Err(PathFault::Cost { stated: PathCost::AnyAngle(stated), walked: PathCost::AnyAngle(walked) })
    }

    /// The jump points, if there are any, lead from start to goal at the same cost, inside free rectangles.
    fn check_jumps(&self, grid: &Grid, query: Query) -> Result<(), PathFault> {
        let Some((&first, &last)) = self.jumps.first().zip(self.jumps.last()) else { return Ok(()) };
        if (first, last) != (query.start, query.goal) {
            return Err(PathFault::Ends { found: Some((first, last)), expected: (query.start, query.goal) });
        }
        for leg in self.jumps.windows(2) {
            let (a, b) = (leg[0], leg[1]);
            let mut around =
                (a.x.min(b.x)..=a.x.max(b.x)).flat_map(|x| (a.y.min(b.y)..=a.y.max(b.y)).map(move |y| Cell::new(x, y)));
            if !around.all(|cell| grid.is_free(cell)) {
                return Err(PathFault::Jump { from: a, to: b });
            }
        }
        let walked: Octile = self.jumps.windows(2).map(|leg| Octile::between(leg[0], leg[1])).sum();
        if self.cost == walked { Ok(()) } else { Err(PathFault::Cost { stated: self.cost, walked: walked.into() }) }
    }

    /// A grid path pulled straight where nothing stands in the way: points joined by line of sight instead of grid moves.
    /// From each point it follows the path as far as it can see without a gap; never longer than the path.
    /// [`smooth`](Path::smooth) does the same on corners, and in place.
    pub fn straighten(&self, grid: &Grid) -> Polyline {
        let mut points: Vec<Cell> = self.points.first().copied().into_iter().collect();
        let mut last = None;
        for cell in self.cells().skip(1) {
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

    /// Pulls the path straight, in place, into an any-angle path that is never longer: from each point that it keeps, it
    /// follows the path as far as it can see without a gap. Of an any-angle path these points are its corners; a grid path is
    /// first moved to the corners at the upper left of each of its cells. It needs the points, so a path of which only the
    /// cost was asked becomes one without corners, of the same length.
    ///
    /// The grid must be one with movement [`octile`](crate::Movement::Octile). An any-angle path that squeezes keeps its rule,
    /// whatever `squeeze` says.
    ///
    /// ```
    /// use octile::{Cell, Finder, Grid, Squeeze};
    /// let grid = Grid::open(10, 10)?;
    /// let mut path = Finder::new("jps", &grid)?.find(Cell::new(0, 0), Cell::new(9, 3))?.expect("they are connected");
    /// path.smooth(&grid, Squeeze::Allowed);
    /// assert_eq!(path.length(), 90.0_f64.sqrt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn smooth(&mut self, grid: &Grid, squeeze: Squeeze) {
        self.smooth_probed(grid, squeeze, &mut NoProbe);
    }

    /// [`smooth`](Path::smooth), watched by a probe.
    pub(crate) fn smooth_probed<P: Probe + ?Sized>(&mut self, grid: &Grid, squeeze: Squeeze, probe: &mut P) {
        let squeeze = if self.squeeze() == Some(Squeeze::Allowed) { Squeeze::Allowed } else { squeeze };
        let length = self.length();
        let mut corners = std::mem::take(&mut self.corners);
        let mut kept = Smoothing { grid, squeeze, last: None, probe };
        if self.is_any_angle() {
            let mut len = 0;
            for i in 0..corners.len() {
                // What has been kept never overtakes what is read.
                if let Some(corner) = kept.next(corners[..len].last().copied(), corners[i]) {
                    corners[len] = corner;
                    len += 1;
                }
            }
            corners.truncate(len);
        } else {
            // Moving a grid path to corners keeps it legal. Moves E and S go along the edge of the cell that they leave, W and
            // N of the one that they enter; SE and NW cross the cell that they leave or enter, NE and SW one beside them, which
            // the octile rule wants free. All these are free. If the corner of a cell on the path is a pinch, the cells N
            // and W of it are blocked, so the path comes from and goes to E, SE and S only, as the pinch allows.
            for cell in self.cells() {
                corners.extend(kept.next(corners.last().copied(), Corner::of(cell)));
            }
        }
        corners.extend(kept.last);
        self.clear();
        self.corners = corners;
        self.finish_any_angle(squeeze);
        if self.corners.is_empty() {
            self.cost = PathCost::AnyAngle(length);
        }
    }

    /// Empties the path.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.jumps.clear();
        self.corners.clear();
        self.cost = PathCost::default();
        self.squeeze = Squeeze::default();
    }

    /// Keeps the cost alone.
    pub(crate) fn drop_points(&mut self) {
        self.points.clear();
        self.jumps.clear();
        self.corners.clear();
    }

    /// Makes it the path of a query whose ends are the same cell: of a planner over cells, or of an any-angle planner with
    /// its rule.
    pub(crate) fn set_single(&mut self, query: Query, squeeze: Option<Squeeze>) {
        if let Some(squeeze) = squeeze {
            return self.set_any_angle(query, squeeze, std::iter::once(Corner::of(query.start)));
        }
        self.clear();
        if query.output != Output::Cost {
            self.points.push(query.start);
        }
    }

    /// Makes it the any-angle path through corners from start to goal. Corners that repeat the one before, or go on in the
    /// same direction, are left out.
    pub(crate) fn set_any_angle(&mut self, query: Query, squeeze: Squeeze, corners: impl Iterator<Item = Corner>) {
        self.clear();
        corners.for_each(|corner| self.push_corner(corner));
        self.finish_any_angle(squeeze);
        if query.output == Output::Cost {
            self.drop_points();
        }
    }

    /// As [`set_any_angle`](Path::set_any_angle), with the corners from goal to start.
    pub(crate) fn set_any_angle_back(&mut self, query: Query, squeeze: Squeeze, corners: impl Iterator<Item = Corner>) {
        self.clear();
        corners.for_each(|corner| self.push_corner(corner));
        self.corners.reverse();
        self.finish_any_angle(squeeze);
        if query.output == Output::Cost {
            self.drop_points();
        }
    }

    fn push_corner(&mut self, corner: Corner) {
        match *self.corners.as_slice() {
            [.., last] if last == corner => return,
            [.., before, last] if goes_on(before, last, corner) => drop(self.corners.pop()),
            _ => {}
        }
        self.corners.push(corner);
    }

    /// Sums the length of the corners.
    fn finish_any_angle(&mut self, squeeze: Squeeze) {
        self.cost = PathCost::AnyAngle(length_of(&self.corners, |corner| (corner.x, corner.y)));
        self.squeeze = squeeze;
    }

    /// Makes it an answer with a cost and no points.
    pub(crate) fn set_cost(&mut self, cost: Octile) {
        self.clear();
        self.cost = PathCost::Grid(cost);
    }

    /// Empties the path and gives room for its jump points, to be filled from start to goal.
    pub(crate) fn begin_jumps(&mut self) -> &mut Vec<Cell> {
        self.clear();
        &mut self.jumps
    }

    /// Makes the grid path of the jump points.
    pub(crate) fn finish_jumps(&mut self, query: Query) {
        let jumps = std::mem::take(&mut self.jumps);
        let cost = jumps.windows(2).map(|hop| Octile::between(hop[0], hop[1])).sum();
        self.set_hops(query, &jumps, cost);
        self.jumps = jumps;
    }

    /// Makes it the grid path through `hops`, from start to goal, that goes from each to the next diagonally first, then straight; it
    /// costs `cost`. If it does not, the path may be none, and `false` is returned.
    pub(crate) fn set_hops(&mut self, query: Query, hops: &[Cell], cost: Octile) -> bool {
        self.jumps.clear();
        self.corners.clear();
        self.squeeze = Squeeze::default();
        self.cost = PathCost::Grid(cost);
        match query.output {
            Output::Cost => self.points.clear(),
            Output::Waypoints => hops::turns(hops, &mut self.points),
            Output::Cells => return hops::cells(hops, cost.moves() as usize, &mut self.points),
        }
        true
    }

    /// Starts to write the path from its start on.
    pub(crate) fn trace(&mut self, query: Query) -> Trace<'_> {
        self.clear();
        if query.output != Output::Cost {
            self.points.push(query.start);
        }
        let end = TraceEnd { points: self.points.len(), at: query.start, dir: None, cost: Octile::ZERO };
        Trace { path: self, output: query.output, end }
    }

    /// Starts to write the path from its goal backwards.
    pub(crate) fn trace_back(&mut self, query: Query) -> TraceBack<'_> {
        self.clear();
        self.points.push(query.goal);
        let every_cell = query.output == Output::Cells;
        TraceBack { path: self, every_cell, at: query.goal, dir: None, cost: Octile::ZERO }
    }
}

/// Reads a path point by point and tells which to keep.
struct Smoothing<'a, P: ?Sized> {
    grid: &'a Grid,
    squeeze: Squeeze,
    /// The point read last, which is kept if the next cannot be seen from the one kept before.
    last: Option<Corner>,
    probe: &'a mut P,
}

impl<P: Probe + ?Sized> Smoothing<'_, P> {
    /// Reads `corner`, with the point that was kept last; returns the one to keep now, if any.
    fn next(&mut self, kept: Option<Corner>, corner: Corner) -> Option<Corner> {
        let Some(kept) = kept else { return Some(corner) };
        let last = self.last.replace(corner)?;
        self.probe.sight(kept, corner);
        (!sight::corners_visible(self.grid, kept, corner, self.squeeze)).then_some(last)
    }
}

/// Whether the way from `b` to `c` has the direction of that from `a` to `b`.
fn goes_on(a: Corner, b: Corner, c: Corner) -> bool {
    let step = |from: Corner, to: Corner| (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let ((dx, dy), (ex, ey)) = (step(a, b), step(b, c));
    dx * ey == dy * ex && dx * ex + dy * ey > 0
}

/// Writes a path from its start on, joining moves in one direction to one leg.
pub(crate) struct Trace<'a> {
    path: &'a mut Path,
    output: Output,
    end: TraceEnd,
}

/// How far a path has been written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TraceEnd {
    points: usize,
    at: Cell,
    dir: Option<Dir>,
    cost: Octile,
}

impl Trace<'_> {
    /// Adds moves: `steps` in direction `dir`.
    #[inline]
    pub(crate) fn go(&mut self, dir: Dir, steps: u32) {
        let TraceEnd { at, dir: before, .. } = self.end;
        let points = &mut self.path.points;
        match self.output {
            Output::Cells => {
                let mut cell = at;
                points.extend((0..steps).map(|_| {
                    cell = dir.step(cell, 1);
                    cell
                }));
            }
            Output::Waypoints if before.is_some_and(|before| before != dir) => points.push(at),
            Output::Waypoints | Output::Cost => {}
        }
        self.end.points = points.len();
        self.end.at = dir.step(at, steps);
        self.end.dir = Some(dir);
        // Number by number: a pair that is put together in memory first takes as long again.
        let diagonal = steps * u32::from(dir.is_diagonal());
        self.end.cost.straight += steps - diagonal;
        self.end.cost.diagonal += diagonal;
    }

    /// Where it is, to come back to.
    pub(crate) fn mark(&self) -> TraceEnd {
        self.end
    }

    /// Takes back what was added since.
    pub(crate) fn back_to(&mut self, end: TraceEnd) {
        self.end = end;
        self.path.points.truncate(end.points);
    }

    /// Ends at the goal; gives the cost.
    pub(crate) fn finish(self) -> Octile {
        if self.output == Output::Waypoints && self.end.dir.is_some() {
            self.path.points.push(self.end.at);
        }
        self.path.cost = PathCost::Grid(self.end.cost);
        self.end.cost
    }
}

/// Writes a path backwards from its goal, joining moves in one direction to one leg.
pub(crate) struct TraceBack<'a> {
    path: &'a mut Path,
    every_cell: bool,
    at: Cell,
    dir: Option<Dir>,
    cost: Octile,
}

impl TraceBack<'_> {
    /// Adds the moves by which the path came to where it stands: `steps` in direction `dir`.
    #[inline]
    pub(crate) fn came(&mut self, dir: Dir, steps: u32) {
        if steps == 0 {
            return;
        }
        self.cost += Octile::of_steps(dir, steps);
        let back = dir.opposite();
        if self.every_cell {
            let at = self.at;
            self.path.points.extend((1..=steps).map(|step| back.step(at, step)));
        } else if self.dir != Some(dir) {
            if self.dir.is_some() {
                self.path.points.push(self.at);
            }
            self.dir = Some(dir);
        }
        self.at = back.step(self.at, steps);
    }

    /// Ends at the start, and turns the path the right way round.
    pub(crate) fn finish(self) {
        if !self.every_cell {
            self.path.points.push(self.at);
        }
        self.path.points.reverse();
        self.path.cost = PathCost::Grid(self.cost);
    }
}

/// The length of the straight lines between points with these coordinates.
fn length_of<T: Copy>(points: &[T], at: impl Fn(T) -> (u32, u32)) -> f64 {
    let leg = |leg: &[T]| {
        let ((ax, ay), (bx, by)) = (at(leg[0]), at(leg[1]));
        Corner::new(ax, ay).distance(Corner::new(bx, by))
    };
    // A sum of no numbers is minus zero.
    points.windows(2).map(leg).sum::<f64>() + 0.0
}

/// Steps of a straight or diagonal line.
fn steps_between(a: Cell, b: Cell) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// What is wrong with a path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PathFault {
    /// It does not lead from the start to the goal.
    #[error("the path leads from and to {found:?}, asked was {expected:?}")]
    Ends {
        /// First and last point, if it has any.
        found: Option<(Cell, Cell)>,
        /// Start and goal of the query.
        expected: (Cell, Cell),
    },
    /// An any-angle path does not lead from the corner of the start to that of the goal.
    #[error("the path leads from and to the corners {found:?}, asked was {expected:?}")]
    CornerEnds {
        /// First and last corner, if it has any.
        found: Option<(Corner, Corner)>,
        /// The corners of start and goal of the query.
        expected: (Corner, Corner),
    },
    /// A straight line of an any-angle path is not free, or has no length.
    #[error("the straight line from corner {from} to {to} is not free")]
    Line {
        /// Where it begins.
        from: Corner,
        /// Where it ends.
        to: Corner,
    },
    /// A move is not legal.
    #[error("the move from {from} to {to} is not legal")]
    Move {
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
    },
    /// The rectangle around the line between two jump points is not free.
    #[error("the line from jump point {from} to {to} does not lie in a free rectangle")]
    Jump {
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
    },
    /// The cost is not that of the moves.
    #[error("the path says that it costs {stated}, but its moves cost {walked}")]
    Cost {
        /// The path's own cost.
        stated: PathCost,
        /// The cost of its moves.
        walked: PathCost,
    },
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
        length_of(&self.points, |cell| (cell.x, cell.y))
    }

    /// Whether every segment is free on `grid`.
    pub fn is_legal(&self, grid: &Grid) -> bool {
        self.points.windows(2).all(|leg| sight::visible(grid, leg[0], leg[1]))
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
