//! Paths in world coordinates.

use std::iter::FusedIterator;

use super::cut::cost_of;
use super::{Path, PointsError, Vertices, Waypoints};
use crate::geometry::PathCost;
use crate::grid::Georeference;

impl Path {
    /// The start, turning points and goal of the path in metres, given the position of the map in the world: the
    /// centres of the cells of a grid path, the [points](Path::vertices) of an any-angle path.
    ///
    /// ```
    /// use octile::{Grid, Path};
    /// use octile::grid::Georeference;
    /// let grid = Grid::open(8, 4)?;
    /// let place = Georeference::new(&grid, 0.5, [-1.0, 0.0, 0.0]);
    /// let path = Path::through([(0, 3), (2, 1), (4, 1)]).unwrap();
    /// let points: Vec<(f64, f64)> = path.to_world(&place)?.collect();
    /// assert_eq!(points, [(-0.75, 0.25), (0.25, 1.25), (1.25, 1.25)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the path has no points.
    pub fn to_world<'a>(&'a self, place: &Georeference) -> Result<WorldPoints<'a>, PointsError> {
        let points =
            if self.is_any_angle() { Points::Vertices(self.vertices()?) } else { Points::Cells(self.waypoints()?) };
        Ok(WorldPoints { points, place: *place })
    }

    /// The length of the path in metres; over terrain too, whatever its cells cost. (For a path without points, the
    /// length is taken from its cost.)
    ///
    /// ```
    /// use octile::{Grid, Path};
    /// use octile::grid::Georeference;
    /// let place = Georeference::new(&Grid::open(8, 4)?, 0.5, [-1.0, 0.0, 0.0]);
    /// assert_eq!(Path::through([(0, 3), (6, 3)]).unwrap().metres(&place), 3.0);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn metres(&self, place: &Georeference) -> f64 {
        let is_priced = matches!(self.cost(), PathCost::Priced { .. }) && self.points.len() > 1;
        place.cells_to_metres(if is_priced { cost_of(&self.points).length() } else { self.length() })
    }
}

/// The points of a path in metres; see [`Path::to_world`].
#[derive(Clone, Debug)]
pub struct WorldPoints<'a> {
    points: Points<'a>,
    place: Georeference,
}

#[derive(Clone, Debug)]
enum Points<'a> {
    Cells(Waypoints<'a>),
    Vertices(Vertices<'a>),
}

impl Iterator for WorldPoints<'_> {
    type Item = (f64, f64);

    fn next(&mut self) -> Option<(f64, f64)> {
        match &mut self.points {
            Points::Cells(cells) => cells.next().map(|cell| self.place.cell_to_world(cell)),
            Points::Vertices(points) => points.next().map(|point| self.place.point_to_world(point)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.points {
            Points::Cells(cells) => cells.size_hint(),
            Points::Vertices(points) => points.size_hint(),
        }
    }
}

impl ExactSizeIterator for WorldPoints<'_> {}

impl FusedIterator for WorldPoints<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Cell, Corner};
    use crate::grid::{Grid, Squeeze};
    use crate::path::Output;

    /// The length of the lines between points.
    fn length(points: &[(f64, f64)]) -> f64 {
        points.windows(2).map(|leg| (leg[1].0 - leg[0].0).hypot(leg[1].1 - leg[0].1)).sum()
    }

    #[test]
    fn the_points_of_a_path_in_metres_add_up_to_its_length() {
        let grid: Grid = "....\n.@@.\n....\n....".parse().unwrap();
        let (mut by_corners, mut by_centres) = (Path::new(), Path::new());
        by_corners.write_any_angle(&grid, Output::Waypoints, Squeeze::Allowed, [(0, 0), (3, 1), (3, 2)]).unwrap();
        let ends = ((0, 1), (3, 2));
        by_centres.write_centred(&grid, Output::Waypoints, Squeeze::Allowed, ends, [(1, 2)]).unwrap();
        let by_cells = Path::through([(0, 0), (0, 1), (0, 3), (3, 0)]).unwrap();
        for yaw in [0.0, 0.7, -3.0] {
            let place = Georeference::new(&grid, 0.05, [4.0, -2.0, yaw]);
            for (path, first, points) in [
                (&by_corners, place.corner_to_world(Corner::new(0, 0)), 3),
                (&by_centres, place.cell_to_world(Cell::new(0, 1)), 3),
                (&by_cells, place.cell_to_world(Cell::new(0, 0)), 3),
            ] {
                let world = path.to_world(&place).unwrap();
                assert_eq!(world.len(), points);
                let found: Vec<_> = world.collect();
                assert_eq!((found.len(), found[0]), (points, first));
                assert!((length(&found) - path.metres(&place)).abs() < 1e-12, "{yaw}");
            }
        }
        assert_eq!(Path::new().to_world(&Georeference::new(&grid, 1.0, [0.0; 3])).unwrap_err(), PointsError::CostOnly);
    }
}
