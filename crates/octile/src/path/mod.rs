//! [`Path`]: the answer of a planner; [`Path::check`], which validates it; and the writers of paths.

mod centre;
mod check;
mod cut;
mod hops;
#[cfg(feature = "serde")]
mod serial;
mod smooth;
mod world;
mod write;

use std::iter::FusedIterator;
use std::slice;

pub use self::check::PathFault;
pub use self::smooth::Polyline;
pub use self::world::WorldPoints;
pub use self::write::{GridWriter, GridWriterBack};
use crate::geometry::{Cell, Corner, Dir, Endpoints, GridCost, PathCost, Point};
use crate::grid::Squeeze;

/// Which parts of a path to write besides its cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Output {
    /// The cost alone: the path then has no points and no corners.
    Cost,
    /// Start, turning points and goal.
    #[default]
    Waypoints,
    /// Every cell. Any-angle paths pass between cells; they get the corners where they turn, as for waypoints.
    Cells,
}

/// The path found by a planner, with its cost. Planners overwrite a path in place, so one path can be reused for any
/// number of queries without allocating.
///
/// - A *grid path* is a chain of straight and diagonal moves, with its exact cost. It is stored as points joined by
///   straight lines along rows, columns and diagonals: the turning points, or every cell if the query asked for them.
/// - An *any-angle path* goes from corner to corner of cells in straight lines of any direction, and has a length. It
///   starts and ends at the upper left corners of the query's cells or at their centres, as its [`Endpoints`] say. It
///   stores the [squeeze rule](Squeeze) it was planned under.
///
/// A path is one or the other, never a mixture: [`cells`](Path::cells), [`waypoints`](Path::waypoints) and
/// [`points`](Path::points) are for grid paths, [`vertices`](Path::vertices) and [`corners`](Path::corners) for
/// any-angle paths. Asking for points of the other kind is a [`PointsError`].
///
/// ```
/// use octile::{Engine, Grid};
/// let grid: Grid = "....\n.@@.\n....".parse()?;
/// let path = Engine::new("jps", &grid)?.find((0, 0), (3, 2))?.expect("they are connected");
/// assert_eq!(path.cost().to_string(), "5");
/// assert_eq!(path.cells()?.len(), 6);
/// assert_eq!(path.waypoints()?.len(), 3);
/// assert!(path.corners().is_err());
///
/// let path = Engine::new("theta-star", &grid)?.find((0, 0), (3, 2))?.expect("they are connected");
/// assert_eq!(path.corners()?.len(), 3); // 0,0 by 3,1 to 3,2
/// assert_eq!(path.cost().to_string(), "4.1623");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// From start to goal; neighbours differ and lie on one row, column or diagonal. Empty in an any-angle path, or if
    /// only the cost was requested.
    points: Vec<Cell>,
    /// From start to goal, without the ends if those are centres. Neighbours differ, and no three points in a row,
    /// centres included, lie on one line in one direction. Empty in a grid path, or if only the cost was requested.
    corners: Vec<Corner>,
    cost: PathCost,
    /// The squeeze rule of an any-angle path.
    squeeze: Squeeze,
    /// The kind of endpoints of an any-angle path.
    ends: Endpoints,
    /// The cells at whose centres an any-angle path starts and ends. `None` if its ends are corners, or if only the
    /// cost was requested.
    centres: Option<(Cell, Cell)>,
}

/// The path does not have the requested points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointsError {
    /// An any-angle path has no cells.
    #[error("this is an any-angle path, from corner to corner of cells: it has `vertices` and `corners`, and no cells")]
    AnyAngle,
    /// A grid path has no corners.
    #[error("this is a grid path, from cell to cell: it has `cells` and `waypoints`, and no corners")]
    Grid,
    /// The path has no points at all.
    #[error("this path has no points: no path was found, or only its cost was requested")]
    CostOnly,
}

impl Path {
    /// An empty path for a planner to fill.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path through `points`, with its cost; `None` if a point is not on a row, column or diagonal with the one
    /// before.
    ///
    /// ```
    /// use octile::{GridCost, Path};
    /// let path = Path::through([(0, 0), (2, 2), (5, 2)]).unwrap();
    /// assert_eq!(path.cost(), GridCost::new(3, 2));
    /// assert_eq!(Path::through([(0, 0), (2, 1)]), None);
    /// ```
    pub fn through(points: impl IntoIterator<Item = impl Into<Cell>>) -> Option<Self> {
        let mut path = Self { points: points.into_iter().map(Into::into).collect(), ..Self::default() };
        path.points.dedup();
        let mut cost = GridCost::ZERO;
        for leg in path.points.windows(2) {
            cost =
                cost.checked_add(GridCost::of_steps(Dir::towards(leg[0], leg[1])?, steps_between(leg[0], leg[1])))?;
        }
        path.cost = PathCost::Grid(cost);
        Some(path)
    }

    /// The cost: exact for a grid path, the length of an any-angle path.
    pub fn cost(&self) -> PathCost {
        self.cost
    }

    /// Whether it is an any-angle path.
    pub fn is_any_angle(&self) -> bool {
        matches!(self.cost, PathCost::AnyAngle(_))
    }

    /// The squeeze rule of an any-angle path; `None` for a grid path.
    ///
    /// ```
    /// use octile::{Engine, Grid, Path};
    /// use octile::grid::Squeeze;
    /// let path = Engine::new("theta-star", &Grid::open(4, 4)?)?.find((0, 0), (3, 1))?.unwrap();
    /// assert_eq!(path.squeeze(), Some(Squeeze::Allowed));
    /// assert_eq!(Path::through([(0, 0), (3, 0)]).unwrap().squeeze(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squeeze(&self) -> Option<Squeeze> {
        self.is_any_angle().then_some(self.squeeze)
    }

    /// The kind of endpoints of an any-angle path; `None` for a grid path.
    ///
    /// ```
    /// use octile::{Engine, Grid, Path};
    /// use octile::geometry::Endpoints;
    /// let path = Engine::new("theta-star", &Grid::open(4, 4)?)?.find((0, 0), (3, 1))?.unwrap();
    /// assert_eq!(path.ends(), Some(Endpoints::Corners));
    /// assert_eq!(Path::through([(0, 0), (3, 0)]).unwrap().ends(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ends(&self) -> Option<Endpoints> {
        self.is_any_angle().then_some(self.ends)
    }

    /// The real length; for a grid path rounded to the nearest `f64`.
    pub fn length(&self) -> f64 {
        self.cost.length()
    }

    /// Every point of an any-angle path from start to goal: its two ends, and the corners where it turns. Queries for
    /// waypoints and for cells give the same points.
    ///
    /// ```
    /// use octile::{Cell, Grid, Output, Path, Point};
    /// use octile::geometry::Corner;
    /// use octile::grid::Squeeze;
    /// let grid: Grid = "...\n.@.".parse()?;
    /// let mut path = Path::new();
    /// path.write_centred(&grid, Output::Waypoints, Squeeze::Allowed, ((0, 1), (2, 0)), [(1, 1)])?;
    /// let (start, goal) = (Point::centre(Cell::new(0, 1)), Point::centre(Cell::new(2, 0)));
    /// assert_eq!(path.vertices()?.collect::<Vec<_>>(), [start, Point::corner(Corner::new(1, 1)), goal]);
    /// assert_eq!(path.corners()?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it is a grid path, or has no points.
    pub fn vertices(&self) -> Result<Vertices<'_>, PointsError> {
        self.corners()?;
        Ok(self.all_vertices())
    }

    /// [`vertices`](Path::vertices), or none instead of an error.
    fn all_vertices(&self) -> Vertices<'_> {
        let centre = |(start, goal): (Cell, Cell)| {
            // A path that is a single point has no separate goal.
            (Point::centre(start), (start != goal || !self.corners.is_empty()).then_some(Point::centre(goal)))
        };
        let (start, goal) = self.centres.map(centre).unzip();
        Vertices { start, corners: self.corners.iter(), goal: goal.flatten() }
    }

    /// The corners of an any-angle path, from start to goal: where it turns, and its ends if these are corners. Queries
    /// for waypoints and for cells give the same corners.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// use octile::geometry::Corner;
    /// let path = Engine::new("theta-star", &Grid::open(9, 9)?)?.find((0, 0), (7, 3))?.unwrap();
    /// assert_eq!(path.corners()?, [Corner::new(0, 0), Corner::new(7, 3)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it is a grid path, or has no points.
    pub fn corners(&self) -> Result<&[Corner], PointsError> {
        match (self.is_any_angle(), self.corners.as_slice()) {
            (false, _) => Err(PointsError::Grid),
            (true, []) if self.centres.is_none() => Err(PointsError::CostOnly),
            (true, corners) => Ok(corners),
        }
    }

    /// The stored points of a grid path: turning points or every cell, as the query asked.
    ///
    /// ```
    /// use octile::{Engine, Grid, Output, Path, Query};
    /// use octile::path::PointsError;
    /// let (engine, mut path) = (Engine::new("jps", &Grid::open(9, 9)?)?, Path::new());
    /// for (output, points) in [(Output::Waypoints, 3), (Output::Cells, 8)] {
    ///     engine.plan(Query::new((0, 0), (7, 3)).output(output), &mut path)?;
    ///     assert_eq!(path.points()?.len(), points);
    /// }
    /// engine.plan(Query::new((0, 0), (7, 3)).output(Output::Cost), &mut path)?;
    /// assert_eq!(path.points(), Err(PointsError::CostOnly));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it is an any-angle path, or has no points.
    pub fn points(&self) -> Result<&[Cell], PointsError> {
        match (self.is_any_angle(), self.points.as_slice()) {
            (true, _) => Err(PointsError::AnyAngle),
            (false, []) => Err(PointsError::CostOnly),
            (false, points) => Ok(points),
        }
    }

    /// Start, turning points and goal of a grid path.
    ///
    /// ```
    /// use octile::{Cell, Path};
    /// let path = Path::through([(0, 0), (1, 1), (2, 2), (5, 2)]).unwrap();
    /// assert_eq!(path.waypoints()?.collect::<Vec<_>>(), [(0, 0), (2, 2), (5, 2)].map(Cell::from));
    /// # Ok::<(), octile::path::PointsError>(())
    /// ```
    ///
    /// # Errors
    /// If it is an any-angle path, or has no points.
    pub fn waypoints(&self) -> Result<Waypoints<'_>, PointsError> {
        let points = self.points()?;
        let mut waypoints = Waypoints { points, place: 0, left: points.len() };
        waypoints.left = (0..points.len()).filter(|&place| waypoints.is_one(place)).count();
        Ok(waypoints)
    }

    /// Every cell of a grid path from start to goal.
    ///
    /// ```
    /// use octile::{Cell, Path};
    /// let path = Path::through([(0, 0), (2, 2), (3, 2)]).unwrap();
    /// assert_eq!(path.cells()?.collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 2), (3, 2)].map(Cell::from));
    /// # Ok::<(), octile::path::PointsError>(())
    /// ```
    ///
    /// # Errors
    /// If it is an any-angle path, or has no points.
    pub fn cells(&self) -> Result<Cells<'_>, PointsError> {
        self.points().map(Cells::new)
    }

    /// Empties the path.
    pub fn clear(&mut self) {
        self.drop_points();
        self.cost = PathCost::default();
        self.squeeze = Squeeze::default();
        self.ends = Endpoints::default();
    }

    /// Keeps only the cost.
    pub(crate) fn drop_points(&mut self) {
        self.points.clear();
        self.corners.clear();
        self.centres = None;
    }
}

/// The turning points of a grid path, with its ends; see [`Path::waypoints`].
#[derive(Clone, Debug)]
pub struct Waypoints<'a> {
    points: &'a [Cell],
    place: usize,
    left: usize,
}

impl Waypoints<'_> {
    /// Whether the path starts, turns or ends at a point.
    fn is_one(&self, place: usize) -> bool {
        let way = |from: usize| Dir::towards(self.points[from], self.points[from + 1]);
        place == 0 || place + 1 == self.points.len() || way(place - 1) != way(place)
    }
}

impl Iterator for Waypoints<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let place = (self.place..self.points.len()).find(|&place| self.is_one(place))?;
        self.place = place + 1;
        self.left -= 1;
        Some(self.points[place])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Waypoints<'_> {}

impl FusedIterator for Waypoints<'_> {}

/// Every cell of a grid path; see [`Path::cells`].
#[derive(Clone, Debug)]
pub struct Cells<'a> {
    /// The points still ahead of `at`.
    points: &'a [Cell],
    at: Option<Cell>,
    left: usize,
}

impl<'a> Cells<'a> {
    fn new(points: &'a [Cell]) -> Self {
        let moves: usize = points.windows(2).map(|leg| steps_between(leg[0], leg[1]) as usize).sum();
        Self { points, at: points.first().copied(), left: moves + usize::from(!points.is_empty()) }
    }
}

impl Iterator for Cells<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let at = self.at?;
        self.left -= 1;
        while self.points.first() == Some(&at) {
            self.points = &self.points[1..];
        }
        // One step along the leg, on each axis in which it moves.
        let step = |from: u32, to: u32| from.wrapping_add_signed(way(from, to));
        self.at = self.points.first().map(|to| Cell::new(step(at.x, to.x), step(at.y, to.y)));
        Some(at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    /// Iterates leg by leg, several times as fast as cell by cell.
    fn fold<B, F: FnMut(B, Cell) -> B>(self, init: B, mut f: F) -> B {
        let Some(mut at) = self.at else { return init };
        let mut all = f(init, at);
        for &to in self.points {
            let (dx, dy) = (way(at.x, to.x), way(at.y, to.y));
            for _ in 0..steps_between(at, to) {
                at = Cell::new(at.x.wrapping_add_signed(dx), at.y.wrapping_add_signed(dy));
                all = f(all, at);
            }
        }
        all
    }
}

/// The step of one coordinate towards another.
#[inline]
fn way(from: u32, to: u32) -> i32 {
    i32::from(to > from) - i32::from(to < from)
}

impl ExactSizeIterator for Cells<'_> {}

impl FusedIterator for Cells<'_> {}

/// The points of an any-angle path; see [`Path::vertices`].
#[derive(Clone, Debug)]
pub struct Vertices<'a> {
    /// The centres at the ends, if the path has them and they have not been returned yet.
    start: Option<Point>,
    corners: slice::Iter<'a, Corner>,
    goal: Option<Point>,
}

impl Iterator for Vertices<'_> {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let corner = |corners: &mut slice::Iter<'_, Corner>| corners.next().copied().map(Point::corner);
        self.start.take().or_else(|| corner(&mut self.corners)).or_else(|| self.goal.take())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.start.is_some()) + self.corners.len() + usize::from(self.goal.is_some());
        (left, Some(left))
    }
}

impl ExactSizeIterator for Vertices<'_> {}

impl FusedIterator for Vertices<'_> {}

/// The length of the straight lines between points.
fn length_of(points: impl Iterator<Item = Point>) -> f64 {
    let mut last = None;
    let leg = |point: Point| last.replace(point).map_or(0.0, |last: Point| last.distance(point));
    // The sum of no numbers is minus zero.
    points.map(leg).sum::<f64>() + 0.0
}

/// The number of steps of a straight or diagonal line.
fn steps_between(a: Cell, b: Cell) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
