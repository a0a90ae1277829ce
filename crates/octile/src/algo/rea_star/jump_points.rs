//! Points between which a path can go straight.

use super::roots;
use crate::geometry::{Cell, Corner, GridCost};
use crate::grid::Grid;

/// Points from start to goal whose straight lines, in any direction, are free: the rectangle around each lies on free
/// cells. A grid path from each to the next costs what the path does that they belong to. Empty where none was found,
/// or only its cost was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JumpPoints {
    points: Vec<Cell>,
}

/// What is wrong with jump points.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JumpFault {
    /// They do not lead from the start to the goal.
    #[error("the jump points lead from and to {found:?}, asked was {expected:?}")]
    Endpoints {
        /// First and last point, if there are any.
        found: Option<(Cell, Cell)>,
        /// Start and goal.
        expected: (Cell, Cell),
    },
    /// The rectangle around the line between two of them is not free.
    #[error("the line from jump point {from} to {to} does not lie in a free rectangle")]
    Line {
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
    },
    /// The grid path through them does not cost what the path does.
    #[error("the path costs {path}, but through its jump points it is {walked}")]
    Cost {
        /// The cost of the path.
        path: GridCost,
        /// The cost through the jump points.
        walked: GridCost,
    },
}

impl JumpPoints {
    pub(super) fn set(&mut self, points: &[Cell]) {
        self.points.clear();
        self.points.extend_from_slice(points);
    }

    /// Makes them the ends of hops along the legs of a path.
    pub(super) fn cut(&mut self, grid: &Grid, legs: &[Cell]) {
        roots::cut(grid, legs, &mut self.points);
    }

    /// The points, from start to goal.
    pub fn points(&self) -> &[Cell] {
        &self.points
    }

    /// The length of the straight lines between them, never above that of the path.
    pub fn length(&self) -> f64 {
        let corner = |cell: Cell| Corner::of(cell);
        // A sum of no numbers is minus zero.
        self.points.windows(2).map(|leg| corner(leg[0]).distance(corner(leg[1]))).sum::<f64>() + 0.0
    }

    /// Judges them as those of a path from start to goal on `grid` that costs `cost`: each line lies in a free
    /// rectangle, and the grid path through them costs the same.
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
