//! Parts of paths, and whether a path is still legal.

use super::{Path, steps_between};
use crate::geometry::{Cell, Dir, GridCost, PathCost};
use crate::grid::{Grid, sight};

impl Path {
    /// Keeps the part of a grid path from one of its cells to a later one. Returns `false` and changes nothing if the
    /// path does not pass these cells in this order. A part of a shortest path is a shortest path, so this gives the
    /// remaining path of a unit on its way. Takes time linear in the points of the path, over terrain in its cells, and
    /// allocates nothing. The cost becomes that of the moves on `grid`.
    ///
    /// ```
    /// use octile::{Grid, GridCost, Path};
    /// let (grid, mut path) = (Grid::open(10, 4)?, Path::through([(0, 0), (3, 3), (9, 3)]).unwrap());
    /// assert!(path.cut(&grid, (1, 1), (8, 3)) && !path.cut(&grid, (1, 2), (8, 3)));
    /// assert_eq!(path, Path::through([(1, 1), (3, 3), (8, 3)]).unwrap());
    /// assert_eq!(path.cost(), GridCost::new(5, 2));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn cut(&mut self, grid: &Grid, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        let (from, to) = (from.into(), to.into());
        if let [only] = self.points[..] {
            return only == from && only == to;
        }
        let first = self.points.windows(2).position(|leg| is_between(leg[0], leg[1], from));
        let last = self.points.windows(2).rposition(|leg| is_between(leg[0], leg[1], to));
        let (Some(first), Some(last)) = (first, last) else { return false };
        let in_order = first < last || first == last && is_between(from, self.points[last + 1], to);
        if in_order {
            self.points.truncate(last + 2);
            self.points[last + 1] = to;
            self.points.drain(..first);
            self.points[0] = from;
            self.points.dedup();
            self.cost_on(grid);
        }
        in_order
    }

    /// Sets the cost of a grid path to that of its moves on a map: for a path over [terrain](crate::grid::Convention)
    /// that was put together by hand, or after prices have changed. Has no effect on any-angle paths and on paths
    /// without points. The cost is unspecified if some moves are not legal.
    ///
    /// ```
    /// use octile::{Grid, Path};
    /// let mut path = Path::through([(0, 0), (2, 0)]).unwrap();
    /// path.cost_on(&"135".parse::<Grid>()?);
    /// assert_eq!(path.cost().to_string(), "6"); // 2 + 4, by the mean of both cells
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn cost_on(&mut self, grid: &Grid) {
        if self.is_any_angle() || self.points.is_empty() {
            return;
        }
        let counts = if grid.convention().is_none() { cost_of(&self.points) } else { self.counts_on(grid) };
        self.cost = grid.cost_of_counts(counts);
    }

    /// The cost of the moves over terrain, saturated at the maximum.
    fn counts_on(&self, grid: &Grid) -> GridCost {
        let most = GridCost::new(u32::MAX, u32::MAX);
        let leg = |leg: &[Cell]| {
            let (from, dir) = (leg[0], Dir::towards(leg[0], leg[1]).unwrap_or(Dir::N));
            let cells = (0..steps_between(leg[0], leg[1])).map(move |step| dir.step(from, step));
            // A leg that leaves the map is not legal, and may be extremely long.
            cells.take_while(|&cell| grid.contains(cell)).map(move |cell| grid.move_counts(cell, dir))
        };
        let mut moves = self.points.windows(2).flat_map(leg);
        moves.try_fold(GridCost::ZERO, GridCost::checked_add).unwrap_or(most)
    }

    /// Whether every move or line of the path is legal on a map, such as after an edit. Much faster than
    /// [`check`](Path::check), because it does not check the cost or report faults. `false` for a path without points.
    /// Over terrain the stated cost may be outdated: see [`cost_on`](Path::cost_on).
    ///
    /// ```
    /// use octile::{Edits, Grid, Path};
    /// let (mut grid, path) = (Grid::open(9, 9)?, Path::through([(0, 0), (4, 4), (8, 4)]).unwrap());
    /// assert!(path.is_legal(&grid));
    /// grid.apply(Edits::new().block((3, 2)))?; // beside a diagonal move
    /// assert!(!path.is_legal(&grid));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_legal(&self, grid: &Grid) -> bool {
        match self.cost {
            PathCost::Grid(_) | PathCost::Priced { .. } => self.are_moves_legal(grid),
            PathCost::AnyAngle(_) => self.are_lines_legal(grid),
        }
    }

    fn are_moves_legal(&self, grid: &Grid) -> bool {
        let legs = &mut self.points.windows(2);
        self.points.first().is_some_and(|&start| grid.is_free(start))
            && legs.all(|leg| is_leg_legal(grid, leg[0], leg[1]))
    }

    fn are_lines_legal(&self, grid: &Grid) -> bool {
        let Some(squeeze) = self.squeeze() else { return false };
        let cell = |(x, y): (f64, f64)| Cell::new(x as u32, y as u32);
        let mut last = None;
        let mut is_legal = true;
        for point in self.all_vertices() {
            let before = last.replace(point);
            // Both ends represent cells, which must be free.
            is_legal &= match before {
                Some(before) => sight::points_visible(grid, before, point, squeeze),
                None => grid.is_free(cell((point.x(), point.y()))),
            };
        }
        is_legal && last.is_some_and(|end| grid.is_free(cell((end.x(), end.y()))))
    }
}

/// Whether a cell lies on the straight line between two others.
fn is_between(a: Cell, b: Cell, cell: Cell) -> bool {
    let within = |a: u32, b: u32, at: u32| (a.min(b)..=a.max(b)).contains(&at);
    let on_line = cell == a || Dir::towards(a, cell).is_some_and(|dir| Some(dir) == Dir::towards(a, b));
    on_line && within(a.x, b.x, cell.x) && within(a.y, b.y, cell.y)
}

pub(super) fn cost_of(points: &[Cell]) -> GridCost {
    let leg = |leg: &[Cell]| {
        let dir = Dir::towards(leg[0], leg[1]).unwrap_or(Dir::N);
        GridCost::of_steps(dir, steps_between(leg[0], leg[1]))
    };
    points.windows(2).map(leg).fold(GridCost::ZERO, |sum, leg| sum + leg)
}

/// Whether all moves along a leg are legal: free cells along rows and columns, and the legal moves of the map along
/// diagonals.
fn is_leg_legal(grid: &Grid, from: Cell, to: Cell) -> bool {
    let Some(dir) = Dir::towards(from, to).filter(|_| grid.contains(from) && grid.contains(to)) else { return false };
    // Padded positions are one larger.
    let run = |a: u32, b: u32| (a.min(b) as usize + 1, a.max(b) as usize + 1);
    if from.y == to.y {
        let (first, last) = run(from.x, to.x);
        return grid.rows().all_free(from.y as usize + 1, first, last);
    }
    if from.x == to.x {
        let (first, last) = run(from.y, to.y);
        return grid.columns().all_free(from.x as usize + 1, first, last);
    }
    let (step, mut id) = (grid.id_steps()[dir as usize], grid.id(from));
    (0..steps_between(from, to)).all(|_| {
        let is_legal = grid.moves_of(id).contains(dir);
        id.0 = id.0.wrapping_add(step);
        is_legal
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::geometry::Dice;
    use crate::grid::Movement;

    /// Random walks of legal moves on a map, judged again after the map has changed.
    #[test]
    fn legality_agrees_with_the_check() {
        let mut dice = Dice::new(9);
        let mut legal = 0;
        for round in 0..600 {
            let movement = Movement::ALL[round % 3];
            let grid = generate::random(70, 20, 10, round as u64).unwrap().with_movement(movement);
            let Some(mut at) = grid.cells().find(|&cell| grid.is_free(cell)) else { continue };
            let mut points = vec![at];
            for _ in 0..8 {
                let dir = Dir::ALL[dice.below(8) as usize];
                let steps = dice.below(9) as u32;
                at = (0..steps).fold(at, |at, _| if grid.moves(at).contains(dir) { dir.step(at, 1) } else { at });
                points.push(at);
            }
            let path = Path::through(points.iter().copied()).unwrap();
            let (start, goal) = (points[0], at);
            assert!(path.is_legal(&grid) && path.check(&grid, start, goal).is_ok());
            let mut builder = grid.edit();
            builder.set((dice.below(70) as u32, dice.below(20) as u32), false);
            builder.set(points[dice.below(9) as usize], dice.hits(1, 2));
            let changed = builder.build().with_movement(movement);
            assert_eq!(path.is_legal(&changed), path.check(&changed, start, goal).is_ok(), "{path:?}\n{changed:?}");
            legal += u32::from(path.is_legal(&changed));
        }
        assert!((100..500).contains(&legal), "{legal}");
    }

    #[test]
    fn a_part_of_a_path_has_the_cells_of_that_part() {
        let map = Grid::open(20, 20).unwrap();
        let path = Path::through([(2, 2), (6, 6), (6, 9), (3, 6), (3, 6), (1, 6)]).unwrap();
        let cells: Vec<Cell> = path.cells().unwrap().collect();
        for first in 0..cells.len() {
            for last in first..cells.len() {
                let mut part = path.clone();
                assert!(part.cut(&map, cells[first], cells[last]));
                assert!(part.cells().unwrap().eq(cells[first..=last].iter().copied()), "{first} {last}");
                assert_eq!(part.cost(), Path::through(cells[first..=last].iter().copied()).unwrap().cost());
            }
        }
        let mut whole = path.clone();
        assert!(
            !whole.cut(&map, (5, 5), (3, 3)) && !whole.cut(&map, (2, 2), (9, 9)) && !whole.cut(&map, (0, 0), (1, 6))
        );
        assert_eq!(whole, path);
    }
}
