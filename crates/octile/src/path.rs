//! [`Path`]: what a planner returns, and [`Path::check`], the judge of it.

use crate::grid::sight;
use crate::planner::{Output, Query};
use crate::{Cell, Dir, Grid, Octile};

/// A grid path: a chain of straight and diagonal moves, with its exact cost.
///
/// It is stored as points joined by straight lines along rows, columns and diagonals: the turning points, or every cell
/// if the query asked for them. Planners overwrite a path in place, so one can be reused for any number of queries
/// without allocating.
///
/// ```
/// use octile::{Cell, Finder, Grid};
/// let grid: Grid = "....\n.@@.\n....".parse()?;
/// let path = Finder::new("jps", &grid)?.find(Cell::new(0, 0), Cell::new(3, 2))?.expect("they are connected");
/// assert_eq!(path.cost().to_string(), "5");
/// assert_eq!(path.cells().count(), 6);
/// assert_eq!(path.waypoints().count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// From start to goal; neighbours differ and lie on one row, column or diagonal. Empty if only the cost was asked.
    points: Vec<Cell>,
    /// See [`Path::jump_points`].
    jumps: Vec<Cell>,
    cost: Octile,
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
        for leg in path.points.windows(2) {
            path.cost += Octile::of_steps(Dir::towards(leg[0], leg[1])?, steps_between(leg[0], leg[1]));
        }
        Some(path)
    }

    /// The exact cost.
    pub fn cost(&self) -> Octile {
        self.cost
    }

    /// The real length, rounded to the nearest `f64`.
    pub fn length(&self) -> f64 {
        self.cost.length()
    }

    /// The points as stored: turning points, every cell, or none, as the query asked.
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
        if self.jumps.is_empty() { self.length() } else { length_of(&self.jumps) }
    }

    /// Start, turning points and goal.
    pub fn waypoints(&self) -> impl Iterator<Item = Cell> + '_ {
        let last = self.points.len().saturating_sub(1);
        let turns = move |i: usize| {
            i == 0
                || i == last
                || Dir::towards(self.points[i - 1], self.points[i]) != Dir::towards(self.points[i], self.points[i + 1])
        };
        (0..self.points.len()).filter(move |&i| turns(i)).map(|i| self.points[i])
    }

    /// Every cell from start to goal.
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
    /// is that of the moves. Looks only at which cells are free and at the movement rule.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self, grid: &Grid, query: Query) -> Result<(), PathFault> {
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
        if walked != self.cost {
            return Err(PathFault::Cost { stated: self.cost, walked });
        }
        self.check_jumps(grid, query)
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
        let walked = self.jumps.windows(2).map(|leg| Octile::between(leg[0], leg[1])).sum();
        if walked == self.cost { Ok(()) } else { Err(PathFault::Cost { stated: self.cost, walked }) }
    }

    /// The path pulled straight where nothing stands in the way: points joined by line of sight instead of grid moves.
    /// From each point it follows the path as far as it can see without a gap; never longer than the path.
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

    /// Empties the path.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.jumps.clear();
        self.cost = Octile::ZERO;
    }

    /// Makes it the path of a query whose ends are the same cell.
    pub(crate) fn set_single(&mut self, query: Query) {
        self.clear();
        if query.output != Output::Cost {
            self.points.push(query.start);
        }
    }

    /// Makes it an answer with a cost and no points.
    pub(crate) fn set_cost(&mut self, cost: Octile) {
        self.clear();
        self.cost = cost;
    }

    /// Empties the path and gives room for its jump points, to be filled from start to goal.
    pub(crate) fn begin_jumps(&mut self) -> &mut Vec<Cell> {
        self.clear();
        &mut self.jumps
    }

    /// Makes the grid path of the jump points.
    pub(crate) fn finish_jumps(&mut self, query: Query) {
        let jumps = std::mem::take(&mut self.jumps);
        let mut trace = self.trace_back(query);
        for &from in jumps.iter().rev().skip(1) {
            trace.came_diagonal_first(from);
        }
        trace.finish();
        self.jumps = jumps;
    }

    /// Starts to write the path from its goal backwards.
    pub(crate) fn trace_back(&mut self, query: Query) -> TraceBack<'_> {
        self.clear();
        self.points.push(query.goal);
        TraceBack { path: self, every_cell: query.output == Output::Cells, at: query.goal, dir: None }
    }
}

/// Writes a path backwards from its goal, joining moves in one direction to one leg.
pub(crate) struct TraceBack<'a> {
    path: &'a mut Path,
    every_cell: bool,
    at: Cell,
    dir: Option<Dir>,
}

impl TraceBack<'_> {
    /// Adds the moves by which the path came to where it stands: `steps` in direction `dir`.
    #[inline]
    pub(crate) fn came(&mut self, dir: Dir, steps: u32) {
        if steps == 0 {
            return;
        }
        self.path.cost += Octile::of_steps(dir, steps);
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

    /// Adds a hop from `from` to where the path stands that goes diagonally first, then straight.
    #[inline]
    pub(crate) fn came_diagonal_first(&mut self, from: Cell) {
        let (dx, dy) = (self.at.x.abs_diff(from.x), self.at.y.abs_diff(from.y));
        let diagonal = dx.min(dy);
        let (east, south) = (self.at.x > from.x, self.at.y > from.y);
        let straight = match (dx > dy, east, south) {
            (true, true, _) => Dir::E,
            (true, false, _) => Dir::W,
            (false, _, true) => Dir::S,
            (false, _, false) => Dir::N,
        };
        self.came(straight, dx.max(dy) - diagonal);
        let slanted = match (east, south) {
            (true, true) => Dir::SE,
            (true, false) => Dir::NE,
            (false, true) => Dir::SW,
            (false, false) => Dir::NW,
        };
        self.came(slanted, diagonal);
    }

    /// Ends at the start, and turns the path the right way round.
    pub(crate) fn finish(self) {
        if !self.every_cell {
            self.path.points.push(self.at);
        }
        self.path.points.reverse();
    }
}

/// The length of the straight lines between points.
fn length_of(points: &[Cell]) -> f64 {
    let leg = |leg: &[Cell]| f64::from(leg[0].x.abs_diff(leg[1].x)).hypot(f64::from(leg[0].y.abs_diff(leg[1].y)));
    points.windows(2).map(leg).sum()
}

/// Steps of a straight or diagonal line.
fn steps_between(a: Cell, b: Cell) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// What is wrong with a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
        stated: Octile,
        /// The cost of its moves.
        walked: Octile,
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
        length_of(&self.points)
    }

    /// Whether every segment is free on `grid`.
    pub fn is_legal(&self, grid: &Grid) -> bool {
        self.points.windows(2).all(|leg| sight::visible(grid, leg[0], leg[1]))
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
