//! The validation of paths.

use super::{Path, length_of, steps_between};
use crate::geometry::{Cell, Dir, GridCost, PathCost, Point};
use crate::grid::{Grid, sight};

impl Path {
    /// Validates the path as an answer on `grid`: it goes from start to goal, every move is legal, and the cost is that
    /// of the moves. This depends only on which cells are free, on their prices and on the movement rule; for an
    /// any-angle path on its squeeze rule instead. Any-angle paths do not support terrain.
    ///
    /// ```
    /// use octile::{Grid, Path};
    /// let grid: Grid = "...\n.@.\n...".parse()?;
    /// let around = Path::through([(0, 0), (2, 0), (2, 2)]).unwrap();
    /// assert_eq!(around.check(&grid, (0, 0), (2, 2)), Ok(()));
    /// let across = Path::through([(0, 0), (2, 2)]).unwrap();
    /// assert_eq!(across.check(&grid, (0, 0), (2, 2)).unwrap_err().to_string(), "the move from 0,0 to 1,1 is not legal");
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self, grid: &Grid, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<(), PathFault> {
        let ends = (start.into(), goal.into());
        match self.cost {
            PathCost::Grid(_) | PathCost::Priced { .. } => self.check_moves(grid, ends),
            PathCost::AnyAngle(length) => self.check_lines(grid, ends, length),
        }
    }

    /// Checks a grid path: its ends, its moves and their cost.
    fn check_moves(&self, grid: &Grid, expected: (Cell, Cell)) -> Result<(), PathFault> {
        let ends = self.points.first().copied().zip(self.points.last().copied());
        if ends != Some(expected) {
            return Err(PathFault::Endpoints { found: ends, expected });
        }
        if !grid.is_free(expected.0) {
            return Err(PathFault::Move { from: expected.0, to: expected.0 });
        }
        let mut walked = GridCost::ZERO;
        for leg in self.points.windows(2) {
            let dir = Dir::towards(leg[0], leg[1]).ok_or(PathFault::Move { from: leg[0], to: leg[1] })?;
            let steps = steps_between(leg[0], leg[1]);
            let is_legal = |step: &u32| grid.movement().allows(|cell| grid.is_free(cell), dir.step(leg[0], *step), dir);
            if let Some(step) = (0..steps).find(|step| !is_legal(step)) {
                let from = dir.step(leg[0], step);
                return Err(PathFault::Move { from, to: dir.step(from, 1) });
            }
            let mut moves = (0..steps).map(|step| grid.move_counts(dir.step(leg[0], step), dir));
            walked = moves.try_fold(walked, GridCost::checked_add).ok_or(PathFault::TooDear)?;
        }
        let (stated, walked) = (self.cost, grid.cost_of_counts(walked));
        if walked == stated { Ok(()) } else { Err(PathFault::Cost { stated, walked }) }
    }

    /// Checks an any-angle path: its ends, its lines and their length.
    fn check_lines(&self, grid: &Grid, (start, goal): (Cell, Cell), stated: f64) -> Result<(), PathFault> {
        let found = self.all_vertices().next().zip(self.all_vertices().last());
        let expected = (self.ends.point(start), self.ends.point(goal));
        if found != Some(expected) {
            return Err(PathFault::LineEnds { found, expected });
        }
        if let Some(&cell) = [start, goal].iter().find(|&&cell| !grid.is_free(cell)) {
            return Err(PathFault::Move { from: cell, to: cell });
        }
        for (from, to) in self.all_vertices().zip(self.all_vertices().skip(1)) {
            if from == to || !sight::points_visible(grid, from, to, self.squeeze) {
                return Err(PathFault::Line { from, to });
            }
        }
        let walked = length_of(self.all_vertices());
        // Written so that NaN is wrong too.
        if (stated - walked).abs() <= 1e-9 * walked {
            return Ok(());
        }
        Err(PathFault::Cost { stated: PathCost::AnyAngle(stated), walked: PathCost::AnyAngle(walked) })
    }
}

/// A fault of a path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PathFault {
    /// It does not go from the start to the goal.
    #[error("the path has the ends {found:?}, expected {expected:?}")]
    Endpoints {
        /// The first and last point, if it has any.
        found: Option<(Cell, Cell)>,
        /// Start and goal of the query.
        expected: (Cell, Cell),
    },
    /// An any-angle path does not go from the corner of the start to the corner of the goal, or from centre to centre.
    #[error("the path has the ends {found:?}, expected {expected:?}, in halves of a cell")]
    LineEnds {
        /// The first and last point, if it has any.
        found: Option<(Point, Point)>,
        /// The points of the query's start and goal.
        expected: (Point, Point),
    },
    /// A straight line of an any-angle path is not free, or has no length.
    #[error("the straight line from {from} to {to} is not free")]
    Line {
        /// The start of the line.
        from: Point,
        /// The end of the line.
        to: Point,
    },
    /// A move is not legal.
    #[error("the move from {from} to {to} is not legal")]
    Move {
        /// The start of the move.
        from: Cell,
        /// The end of the move.
        to: Cell,
    },
    /// Its cost overflows the exact counts. This is possible over terrain only, after some hundred thousand moves at
    /// the highest prices.
    #[error("the cost of the path is too large to count exactly: use smaller prices")]
    TooDear,
    /// The stated cost is not the cost of the moves.
    #[error("the path states the cost {stated}, but its moves cost {walked}")]
    Cost {
        /// The cost stated by the path.
        stated: PathCost,
        /// The cost of its moves.
        walked: PathCost,
    },
}
