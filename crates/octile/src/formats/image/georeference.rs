//! [`Georeference`]: where a map lies in the world.

use crate::geometry::Cell;
use crate::grid::Grid;

/// Where a map lies in the world: between cells, counted from the top left, and positions in metres.
///
/// As in ROS, the origin is the lower left corner of the lower left cell.
///
/// ```
/// use octile::{Cell, Georeference, Grid};
/// let place = Georeference::new(&Grid::open(4, 3)?, 0.5, [-1.0, 2.0, 0.0]);
/// assert_eq!(place.cell_to_world(Cell::new(0, 2)), (-0.75, 2.25)); // the middle of the lower left cell
/// assert_eq!(place.world_to_cell(0.9, 3.4), Some(Cell::new(3, 0)));
/// assert_eq!(place.world_to_cell(1.1, 3.4), None);
/// # Ok::<(), octile::GridError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Georeference {
    /// The side of a cell in metres.
    pub resolution: f64,
    /// The lower left corner of the map: x and y in metres, and the angle in radians by which the map is turned
    /// counterclockwise around it.
    pub origin: [f64; 3],
    /// Cells in a row of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
}

impl Georeference {
    /// Puts a map in the world.
    pub fn new(grid: &Grid, resolution: f64, origin: [f64; 3]) -> Self {
        Self { resolution, origin, width: grid.width(), height: grid.height() }
    }

    /// The middle of a cell, in metres. Cells off the map have a place too.
    ///
    /// ```
    /// use octile::{Cell, Georeference, Grid};
    /// let place = Georeference::new(&Grid::open(4, 3)?, 0.5, [10.0, 20.0, 0.0]);
    /// assert_eq!(place.cell_to_world(Cell::new(3, 0)), (11.75, 21.25)); // the upper right cell
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn cell_to_world(&self, cell: Cell) -> (f64, f64) {
        let [x, y, yaw] = self.origin;
        let right = (f64::from(cell.x) + 0.5) * self.resolution;
        let up = (f64::from(self.height) - f64::from(cell.y) - 0.5) * self.resolution;
        let (sin, cos) = yaw.sin_cos();
        (x + right * cos - up * sin, y + right * sin + up * cos)
    }

    /// The cell at a position in metres, or `None` if the position is not on the map.
    ///
    /// ```
    /// use octile::{Cell, Georeference, Grid};
    /// let place = Georeference::new(&Grid::open(4, 3)?, 0.5, [10.0, 20.0, 0.0]);
    /// assert_eq!(place.world_to_cell(11.9, 21.4), Some(Cell::new(3, 0)));
    /// assert_eq!(place.world_to_cell(9.9, 21.4), None);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn world_to_cell(&self, x: f64, y: f64) -> Option<Cell> {
        let [origin_x, origin_y, yaw] = self.origin;
        let (sin, cos) = yaw.sin_cos();
        let (dx, dy) = (x - origin_x, y - origin_y);
        let column = index((dx * cos + dy * sin) / self.resolution, self.width)?;
        let row_from_below = index((dy * cos - dx * sin) / self.resolution, self.height)?;
        Some(Cell::new(column, self.height - 1 - row_from_below))
    }
}

/// The whole number of cells in `distance`, if that is the index of one of `len`.
fn index(distance: f64, len: u32) -> Option<u32> {
    (distance >= 0.0 && distance < f64::from(len)).then_some(distance as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9
    }

    #[test]
    fn row_0_is_the_top() {
        let place = Georeference::new(&Grid::open(10, 5).unwrap(), 2.0, [100.0, 200.0, 0.0]);
        assert!(close(place.cell_to_world(Cell::new(0, 0)), (101.0, 209.0)));
        assert!(close(place.cell_to_world(Cell::new(9, 4)), (119.0, 201.0)));
    }

    #[test]
    fn the_map_turns_counterclockwise_around_the_origin() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let place = Georeference::new(&Grid::open(10, 5).unwrap(), 2.0, [100.0, 200.0, quarter]);
        assert!(close(place.cell_to_world(Cell::new(0, 4)), (99.0, 201.0)));
        assert!(close(place.cell_to_world(Cell::new(9, 4)), (99.0, 219.0)));
    }

    #[test]
    fn every_cell_is_found_again() {
        for yaw in [0.0, 0.3, -2.0, 7.0] {
            let grid = Grid::open(7, 4).unwrap();
            let place = Georeference::new(&grid, 0.05, [-3.5, 12.25, yaw]);
            for cell in grid.cells() {
                let (x, y) = place.cell_to_world(cell);
                assert_eq!(place.world_to_cell(x, y), Some(cell));
            }
        }
    }

    #[test]
    fn positions_off_the_map_have_no_cell() {
        let place = Georeference::new(&Grid::open(4, 3).unwrap(), 1.0, [0.0, 0.0, 0.0]);
        for (x, y) in [(-0.1, 1.0), (1.0, -0.1), (4.0, 1.0), (1.0, 3.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert_eq!(place.world_to_cell(x, y), None, "{x}, {y}");
        }
    }
}
