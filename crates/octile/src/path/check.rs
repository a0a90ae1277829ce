//! The one judge of paths.

use super::{Path, length_of, steps_between};
use crate::geometry::{Cell, Dir, GridCost, PathCost, Point};
use crate::grid::{Grid, sight};

impl Path {
    /// Judges the path as an answer on `grid`: it leads from start to goal, every move is legal, and the cost is that
    /// of the moves. Looks only at which cells are free, at their prices and at the movement rule; at an any-angle
    /// path's squeeze rule instead. Over terrain there are no any-angle paths.
    ///
    /// ```
    /// use octile::{Grid, Path};
    /// let grid: Grid = "...\n.@.\n...".parse()?;
    /// let around = Path::through([(0, 0), (2, 0), (2, 2)]).unwrap();
    /// assert_eq!(around.check(&grid, (0, 0), (2, 2)), Ok(()));
    /// let across = Path::through([(0, 0), (2, 2)]).unwrap();
    /// assert_eq!(across.check(&grid, (0, 0), (2, 2)).unwrap_err().to_string(), "the move from 0,0 to 1,1 is not legal");
    /// # Ok::<(), octile::ascii::AsciiError>(())
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

    /// A grid path has the right ends, legal moves and their cost.
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

    /// An any-angle path has the right ends, free lines and their length.
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
        // Written so that a length that is no number is wrong too.
        if (stated - walked).abs() <= 1e-9 * walked {
            return Ok(());
        }
        Err(PathFault::Cost { stated: PathCost::AnyAngle(stated), walked: PathCost::AnyAngle(walked) })
    }
}

/// What is wrong with a path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PathFault {
    /// It does not lead from the start to the goal.
    #[error("the path leads from and to {found:?}, asked was {expected:?}")]
    Endpoints {
        /// First and last point, if it has any.
        found: Option<(Cell, Cell)>,
        /// Start and goal of the query.
        expected: (Cell, Cell),
    },
    /// An any-angle path does not lead from the corner of the start to that of the goal, or from centre to centre.
    #[error("the path leads from and to {found:?}, asked was {expected:?}, in halves of a cell")]
    LineEnds {
        /// First and last point, if it has any.
        found: Option<(Point, Point)>,
        /// The points of start and goal of the query.
        expected: (Point, Point),
    },
    /// A straight line of an any-angle path is not free, or has no length.
    #[error("the straight line from {from} to {to} is not free")]
    Line {
        /// Where it begins.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// A move is not legal.
    #[error("the move from {from} to {to} is not legal")]
    Move {
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
    },
    /// It costs more than can be counted exactly, which is possible over terrain only: some hundred thousand moves at
    /// the greatest prices.
    #[error("the path costs more than can be counted exactly: take smaller prices")]
    TooDear,
    /// The cost is not that of the moves.
    #[error("the path says that it costs {stated}, but its moves cost {walked}")]
    Cost {
        /// The path's own cost.
        stated: PathCost,
        /// The cost of its moves.
        walked: PathCost,
    },
}
