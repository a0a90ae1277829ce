//! Points between which a path can go in straight lines.

use super::roots;
use crate::geometry::{Cell, Corner, GridCost};
use crate::grid::Grid;

/// Points from start to goal with free straight lines between them, in any direction: the rectangle around each line
/// has only free cells. A grid path along these points costs the same as the path they belong to. Empty if no path was
/// found, or if the query asked only for the cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JumpPoints {
    points: Vec<Cell>,
}

/// A fault of jump points.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JumpFault {
    /// They do not lead from the start to the goal.
    #[error("the jump points have the ends {found:?}, expected {expected:?}")]
    Endpoints {
        /// The first and the last point, if any.
        found: Option<(Cell, Cell)>,
        /// The start and the goal.
        expected: (Cell, Cell),
    },
    /// The rectangle around the line between two of them is not free.
    #[error("the line from jump point {from} to {to} does not lie in a free rectangle")]
    Line {
        /// The start of the line.
        from: Cell,
        /// The end of the line.
        to: Cell,
    },
    /// The grid path along the points does not cost the same as the path.
    #[error("the path costs {path}, but the path along its jump points costs {walked}")]
    Cost {
        /// The cost of the path.
        path: GridCost,
        /// The cost along the jump points.
        walked: GridCost,
    },
}

impl JumpPoints {
    pub(super) fn set(&mut self, points: &[Cell]) {
        self.points.clear();
        self.points.extend_from_slice(points);
    }

    /// Replaces the points by the ends of hops along the legs of a path.
    pub(super) fn cut(&mut self, grid: &Grid, legs: &[Cell]) {
        roots::cut(grid, legs, &mut self.points);
    }

    /// The points, from start to goal.
    pub fn points(&self) -> &[Cell] {
        &self.points
    }

    /// The length of the straight lines between the points, which is never above that of the path.
    pub fn length(&self) -> f64 {
        let corner = |cell: Cell| Corner::of(cell);
        // The sum of an empty list is minus zero.
        self.points.windows(2).map(|leg| corner(leg[0]).distance(corner(leg[1]))).sum::<f64>() + 0.0
    }

    /// Checks the points as those of a path from start to goal on `grid` with cost `cost`: each line must lie in a free
    /// rectangle, and the grid path along the points must cost the same.
    ///
    /// ```
    /// use octile::algo::rea_star::{JumpPoints, ReaStarPlanner};
    /// use octile::{Grid, Path, Planner, PathQuery, ReaStar};
    /// let planner = ReaStarPlanner::new(&Grid::open(9, 9)?, &ReaStar::default())?;
    /// let (mut scratch, mut path, mut jumps) = (planner.create_scratch(), Path::new(), JumpPoints::default());
    /// let query = PathQuery::new((0, 0), (7, 3));
    /// planner.plan_straight(&mut scratch, query, &mut path, &mut jumps)?;
    /// jumps.check(planner.grid(), (query.start, query.goal), path.cost().grid().unwrap())?;
    /// assert!(jumps.check(planner.grid(), (query.start, query.start), path.cost().grid().unwrap()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self, grid: &Grid, expected: (Cell, Cell), cost: GridCost) -> Result<(), JumpFault> {
        let found = self.points.first().copied().zip(self.points.last().copied());
        if found != Some(expected) {
            return Err(JumpFault::Endpoints { found, expected });
        }
        for leg in self.points.windows(2) {
            let (a, b) = (leg[0], leg[1]);
            let mut around =
                (a.x.min(b.x)..=a.x.max(b.x)).flat_map(|x| (a.y.min(b.y)..=a.y.max(b.y)).map(move |y| (x, y)));
            if !around.all(|cell| grid.is_free(cell)) {
                return Err(JumpFault::Line { from: a, to: b });
            }
        }
        let walked = self.points.windows(2).map(|leg| GridCost::between(leg[0], leg[1])).sum();
        if cost == walked { Ok(()) } else { Err(JumpFault::Cost { path: cost, walked }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_found() {
        let grid: Grid = "....\n....\n..@.".parse().unwrap();
        let [start, goal] = [(0, 0), (3, 1)].map(Cell::from);
        let judge = |points: &[(u32, u32)], cost| {
            let points = JumpPoints { points: points.iter().map(|&point| point.into()).collect() };
            points.check(&grid, (start, goal), cost)
        };
        assert_eq!(judge(&[(0, 0), (3, 1)], GridCost::new(2, 1)), Ok(()));
        assert!(matches!(judge(&[(0, 0), (3, 2)], GridCost::new(1, 2)), Err(JumpFault::Endpoints { .. })));
        assert!(matches!(judge(&[], GridCost::ZERO), Err(JumpFault::Endpoints { .. })));
        assert!(matches!(judge(&[(0, 0), (3, 2), (3, 1)], GridCost::new(2, 2)), Err(JumpFault::Line { .. })));
        assert!(matches!(judge(&[(0, 0), (3, 1)], GridCost::new(3, 1)), Err(JumpFault::Cost { .. })));
    }
}
