//! Writers of paths: a grid path leg by leg, forwards or backwards, or through points; an any-angle path through
//! corners, from corner to corner or from centre to centre.
//!
//! [`GridWriter`] and [`GridWriterBack`] add up the cost as they go and do not check a map: they are for planners whose
//! moves are known to be legal. [`Path::write_grid`], [`Path::write_any_angle`] and [`Path::write_centred`] check every
//! move.

use std::iter;

use super::{Output, Path, PathFault, hops, length_of, steps_between};
use crate::geometry::{Cell, Corner, Dir, Endpoints, GridCost, PathCost, Point};
use crate::grid::{Grid, Squeeze};

impl Path {
    /// Writes the grid path through `points`, from start to goal, each on a row, column or diagonal with the one
    /// before. Every move is checked. Keeps the points that `output` asks for.
    ///
    /// ```
    /// use octile::{Grid, Output, Path};
    /// let grid: Grid = "...\n.@.".parse()?;
    /// let mut path = Path::new();
    /// path.write_grid(&grid, Output::Cells, [(0, 1), (0, 0), (2, 0)])?;
    /// assert_eq!(path.cells()?.len(), 4);
    /// assert!(path.write_grid(&grid, Output::Cells, [(0, 1), (2, 1)]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first move that is not legal on `grid`; the path is then empty.
    pub fn write_grid(
        &mut self,
        grid: &Grid,
        output: Output,
        points: impl IntoIterator<Item = impl Into<Cell>>,
    ) -> Result<(), PathFault> {
        self.clear();
        let mut points = points.into_iter().map(Into::into);
        let Some(start) = points.next() else { return Ok(()) };
        let mut writer = self.write(Output::Waypoints, start);
        let mut at = start;
        for to in points {
            if to == at {
                continue;
            }
            let Some(dir) = Dir::towards(at, to) else {
                self.clear();
                return Err(PathFault::Move { from: at, to });
            };
            writer.go(dir, steps_between(at, to));
            at = to;
        }
        writer.finish();
        self.cost_on(grid);
        if let Err(fault) = self.check(grid, start, at) {
            self.clear();
            return Err(fault);
        }
        match output {
            Output::Waypoints => {}
            Output::Cost => self.drop_points(),
            Output::Cells => self.points = self.cells().into_iter().flatten().collect(),
        }
        Ok(())
    }

    /// Writes the any-angle path through `corners`, from start to goal, under a squeeze rule. Every line is checked.
    /// Repeated corners, and corners on a straight line between their neighbours, are dropped.
    ///
    /// ```
    /// use octile::{Grid, Output, Path};
    /// use octile::grid::Squeeze;
    /// let grid: Grid = "...\n.@.".parse()?;
    /// let mut path = Path::new();
    /// path.write_any_angle(&grid, Output::Waypoints, Squeeze::Allowed, [(0, 1), (1, 1), (2, 0)])?;
    /// assert_eq!(path.corners()?.len(), 3);
    /// assert!(path.write_any_angle(&grid, Output::Waypoints, Squeeze::Allowed, [(0, 2), (2, 1)]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first line that is not free on `grid`, or an end whose cell is not free; the path is then empty.
    pub fn write_any_angle(
        &mut self,
        grid: &Grid,
        output: Output,
        squeeze: Squeeze,
        corners: impl IntoIterator<Item = impl Into<Corner>>,
    ) -> Result<(), PathFault> {
        let points = corners.into_iter().map(|corner| Point::corner(corner.into()));
        self.set_any_angle_points(Output::Waypoints, squeeze, points);
        let cell = |corner: Option<&Corner>| corner.map_or_else(Cell::default, |corner| Cell::new(corner.x, corner.y));
        let (start, goal) = (cell(self.corners.first()), cell(self.corners.last()));
        self.keep_if_legal(grid, output, (start, goal))
    }

    /// Writes the any-angle path from the centre of a start cell through the corners where it turns to the centre of a
    /// goal cell. Otherwise like [`write_any_angle`](Path::write_any_angle).
    ///
    /// ```
    /// use octile::{Grid, Output, Path};
    /// use octile::geometry::Endpoints;
    /// use octile::grid::Squeeze;
    /// let grid: Grid = "...\n.@.".parse()?;
    /// let mut path = Path::new();
    /// path.write_centred(&grid, Output::Waypoints, Squeeze::Allowed, ((0, 1), (2, 0)), [(1, 1)])?;
    /// assert_eq!((path.ends(), path.vertices()?.len()), (Some(Endpoints::Centres), 3));
    /// let wall = ((0, 1), (2, 1));
    /// assert!(path.write_centred(&grid, Output::Waypoints, Squeeze::Allowed, wall, [(0, 0); 0]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first line that is not free on `grid`, or an end whose cell is not free; the path is then empty.
    pub fn write_centred(
        &mut self,
        grid: &Grid,
        output: Output,
        squeeze: Squeeze,
        (start, goal): (impl Into<Cell>, impl Into<Cell>),
        turns: impl IntoIterator<Item = impl Into<Corner>>,
    ) -> Result<(), PathFault> {
        let (start, goal) = (start.into(), goal.into());
        let turns = turns.into_iter().map(|corner| Point::corner(corner.into()));
        let points = iter::once(Point::centre(start)).chain(turns).chain([Point::centre(goal)]);
        self.set_any_angle_points(Output::Waypoints, squeeze, points);
        self.keep_if_legal(grid, output, (start, goal))
    }

    /// Validates an any-angle path written with all its points, and keeps what `output` asks for.
    fn keep_if_legal(&mut self, grid: &Grid, output: Output, (start, goal): (Cell, Cell)) -> Result<(), PathFault> {
        if let Err(fault) = self.check(grid, start, goal) {
            self.clear();
            return Err(fault);
        }
        if output == Output::Cost {
            self.drop_points();
        }
        Ok(())
    }

    /// Starts to write a grid path from its start forwards.
    ///
    /// ```
    /// use octile::{GridCost, Output, Path};
    /// use octile::geometry::Dir;
    /// let mut path = Path::new();
    /// let mut writer = path.write(Output::Waypoints, (0, 0));
    /// writer.go(Dir::SE, 2);
    /// writer.go(Dir::E, 3);
    /// writer.finish();
    /// assert_eq!(path.cost(), GridCost::new(3, 2));
    /// ```
    pub fn write(&mut self, output: Output, start: impl Into<Cell>) -> GridWriter<'_> {
        let start = start.into();
        self.clear();
        if output != Output::Cost {
            self.points.push(start);
        }
        let end = Written { points: self.points.len(), at: start, dir: None, cost: GridCost::ZERO };
        GridWriter { path: self, output, end }
    }

    /// Starts to write a grid path from its goal backwards.
    ///
    /// ```
    /// use octile::{Cell, Output, Path};
    /// use octile::geometry::Dir;
    /// let mut path = Path::new();
    /// let mut writer = path.write_back(Output::Waypoints, (5, 2));
    /// writer.came(Dir::E, 3); // by three moves east to 5,2
    /// writer.came(Dir::SE, 2);
    /// writer.finish();
    /// assert_eq!(path.waypoints()?.next(), Some(Cell::new(0, 0)));
    /// # Ok::<(), octile::path::PointsError>(())
    /// ```
    pub fn write_back(&mut self, output: Output, goal: impl Into<Cell>) -> GridWriterBack<'_> {
        GridWriterBack(self.write(output, goal))
    }

    /// Writes the path of a query whose start and goal are the same cell: a grid path, or an any-angle path with this
    /// squeeze rule and these endpoints.
    pub(crate) fn set_single(
        &mut self,
        grid: &Grid,
        output: Output,
        cell: Cell,
        any_angle: Option<(Squeeze, Endpoints)>,
    ) {
        if let Some((squeeze, ends)) = any_angle {
            return self.set_any_angle_points(output, squeeze, iter::once(ends.point(cell)));
        }
        self.clear();
        self.cost = grid.cost_of_counts(GridCost::ZERO);
        if output != Output::Cost {
            self.points.push(cell);
        }
    }

    /// Writes the any-angle path through these points from start to goal. Its ends are both corners or both centres,
    /// and all other points are corners. Repeated corners, and corners on a straight line between their neighbours, are
    /// dropped.
    pub(crate) fn set_any_angle_points(
        &mut self,
        output: Output,
        squeeze: Squeeze,
        points: impl Iterator<Item = Point>,
    ) {
        self.clear();
        points.for_each(|point| self.push_point(point));
        self.end_any_angle(output, squeeze);
    }

    /// Like [`set_any_angle_points`](Path::set_any_angle_points), for a path that is known to turn at every point
    /// except its ends and perhaps the point at `middle`.
    pub(crate) fn set_any_angle_turns(&mut self, output: Output, squeeze: Squeeze, points: &[Point], middle: usize) {
        self.clear();
        for (place, &point) in points.iter().enumerate() {
            // The point after the middle decides whether the path turns there.
            if place == 0 || place == middle + 1 || place + 1 == points.len() {
                self.push_point(point);
            } else {
                self.corners.extend(point.as_corner());
            }
        }
        self.end_any_angle(output, squeeze);
    }

    /// Like [`set_any_angle_points`](Path::set_any_angle_points), with the points from goal to start.
    pub(crate) fn set_any_angle_points_back(
        &mut self,
        output: Output,
        squeeze: Squeeze,
        points: impl Iterator<Item = Point>,
    ) {
        self.clear();
        points.for_each(|point| self.push_point(point));
        self.corners.reverse();
        self.centres = self.centres.map(|(goal, start)| (start, goal));
        self.end_any_angle(output, squeeze);
    }

    fn end_any_angle(&mut self, output: Output, squeeze: Squeeze) {
        self.finish_any_angle(squeeze);
        if output == Output::Cost {
            self.drop_points();
        }
    }

    #[inline]
    fn push_point(&mut self, point: Point) {
        let begin = || self.centres.map(|(begin, _)| Point::centre(begin));
        let (before, last) = match *self.corners {
            [.., before, last] => (Some(Point::corner(before)), Some(Point::corner(last))),
            [last] => (begin(), Some(Point::corner(last))),
            [] => (None, begin()),
        };
        if last == Some(point) {
            return;
        }
        if let (Some(before), Some(last)) = (before, last)
            && goes_on(before, last, point)
        {
            // Another point comes before it, so it is not the centre at the start.
            self.corners.pop();
        }
        if let Some(corner) = point.as_corner() {
            self.corners.push(corner);
        } else if let Some(end) = point.as_centre() {
            self.ends = Endpoints::Centres;
            self.centres = Some((self.centres.map_or(end, |(begin, _)| begin), end));
        }
    }

    /// Adds up the length of the lines and sets the squeeze rule.
    pub(super) fn finish_any_angle(&mut self, squeeze: Squeeze) {
        self.cost = PathCost::AnyAngle(length_of(self.all_vertices()));
        self.squeeze = squeeze;
    }

    /// Makes the path an answer with a cost and no points.
    pub(crate) fn set_cost(&mut self, cost: GridCost) {
        self.clear();
        self.cost = PathCost::Grid(cost);
    }

    /// Sets the cost found by a search over terrain.
    pub(crate) fn set_priced(&mut self, cost: PathCost) {
        self.cost = cost;
    }

    /// Writes the grid path of cost `cost` through `hops`, from start to goal; each hop goes diagonally first, then
    /// straight. Returns `false`, and the path may be invalid, if the moves do not match the cost.
    pub(crate) fn set_hops(&mut self, output: Output, hops: &[Cell], cost: GridCost) -> bool {
        self.corners.clear();
        self.centres = None;
        self.squeeze = Squeeze::default();
        self.ends = Endpoints::default();
        self.cost = PathCost::Grid(cost);
        match output {
            Output::Cost => self.points.clear(),
            Output::Waypoints => hops::turns(hops, &mut self.points),
            Output::Cells => return hops::cells(hops, cost.moves() as usize, &mut self.points),
        }
        true
    }
}

/// Whether `c` continues the line from `a` to `b`.
#[inline]
fn goes_on(a: Point, b: Point, c: Point) -> bool {
    let way = |from: u32, to: u32| i64::from(to) - i64::from(from);
    let step = |from: Point, to: Point| (way(from.halves().0, to.halves().0), way(from.halves().1, to.halves().1));
    let ((dx, dy), (ex, ey)) = (step(a, b), step(b, c));
    // On one line, and not back. Sides of maps fit 16 bits; results for points far beyond all maps do not matter.
    dx.wrapping_mul(ey) == dy.wrapping_mul(ex) && dx.signum() == ex.signum() && dy.signum() == ey.signum()
}

/// Writes a grid path forwards from its start, joining moves in one direction to one leg; see [`Path::write`].
#[derive(Debug)]
pub struct GridWriter<'a> {
    path: &'a mut Path,
    output: Output,
    end: Written,
}

/// How much of a path has been written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    points: usize,
    at: Cell,
    dir: Option<Dir>,
    cost: GridCost,
}

impl GridWriter<'_> {
    /// Adds `steps` moves in direction `dir`. The counts of moves saturate, which no path on a map reaches.
    ///
    /// ```
    /// use octile::{Output, Path};
    /// use octile::geometry::Dir;
    /// let mut path = Path::new();
    /// let mut writer = path.write(Output::Waypoints, (0, 0));
    /// writer.go(Dir::E, 1);
    /// writer.go(Dir::E, 2); // the same leg
    /// writer.finish();
    /// assert_eq!(path.points()?.len(), 2);
    /// # Ok::<(), octile::path::PointsError>(())
    /// ```
    #[inline]
    pub fn go(&mut self, dir: Dir, steps: u32) {
        if steps == 0 {
            return;
        }
        let Written { at, dir: before, .. } = self.end;
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
        // Field by field: assembling a pair in memory first takes twice as long.
        let diagonal = steps * u32::from(dir.is_diagonal());
        let GridCost { straight, diagonal: diagonals } = &mut self.end.cost;
        *straight = straight.saturating_add(steps - diagonal);
        *diagonals = diagonals.saturating_add(diagonal);
    }

    /// The current position, for [`back_to`](Self::back_to).
    pub(crate) fn mark(&self) -> Written {
        self.end
    }

    /// Removes the moves added since the mark.
    pub(crate) fn back_to(&mut self, end: Written) {
        self.end = end;
        self.path.points.truncate(end.points);
    }

    /// Ends the path at the current cell, the goal, and returns its cost.
    ///
    /// ```
    /// use octile::{GridCost, Output, Path};
    /// use octile::geometry::Dir;
    /// let mut path = Path::new();
    /// let mut writer = path.write(Output::Cost, (0, 0));
    /// writer.go(Dir::SE, 2);
    /// assert_eq!(writer.finish(), GridCost::new(0, 2));
    /// ```
    pub fn finish(mut self) -> GridCost {
        self.end_path()
    }

    fn end_path(&mut self) -> GridCost {
        if self.output == Output::Waypoints && self.end.dir.is_some() {
            self.path.points.push(self.end.at);
        }
        self.path.cost = PathCost::Grid(self.end.cost);
        self.end.cost
    }
}

/// Writes a grid path backwards from its goal, joining moves in one direction to one leg; see [`Path::write_back`].
#[derive(Debug)]
pub struct GridWriterBack<'a>(GridWriter<'a>);

impl GridWriterBack<'_> {
    /// Adds the moves by which the path reached the current cell: `steps` in direction `dir`.
    ///
    /// ```
    /// use octile::{Cell, Output, Path};
    /// use octile::geometry::Dir;
    /// let mut path = Path::new();
    /// let mut writer = path.write_back(Output::Cells, (2, 0));
    /// writer.came(Dir::E, 2);
    /// writer.finish();
    /// assert_eq!(path.points()?, [(0, 0), (1, 0), (2, 0)].map(Cell::from));
    /// # Ok::<(), octile::path::PointsError>(())
    /// ```
    #[inline]
    pub fn came(&mut self, dir: Dir, steps: u32) {
        self.0.go(dir.opposite(), steps);
    }

    /// Ends the path at the current cell, the start, and puts it in order from start to goal.
    pub fn finish(mut self) {
        self.0.end_path();
        self.0.path.points.reverse();
    }
}
