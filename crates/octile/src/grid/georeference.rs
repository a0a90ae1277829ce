//! [`Georeference`]: the position of a map in the world.

use super::Grid;
use crate::geometry::{Cell, Corner, Point};

/// The position of a map in the world: converts between cells, counted from the top left, and positions in metres.
///
/// As in ROS, the origin is the lower left corner of the lower left cell.
///
/// ```
/// use octile::{Cell, Grid};
/// use octile::grid::Georeference;
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
    /// The number of cells in a row of the map.
    pub width: u32,
    /// The number of rows of the map.
    pub height: u32,
}

impl Georeference {
    /// Places a map in the world.
    pub fn new(grid: &Grid, resolution: f64, origin: [f64; 3]) -> Self {
        Self { resolution, origin, width: grid.width(), height: grid.height() }
    }

    /// The centre of a cell, in metres. Also works for cells off the map.
    ///
    /// ```
    /// use octile::{Cell, Grid};
    /// use octile::grid::Georeference;
    /// let place = Georeference::new(&Grid::open(4, 3)?, 0.5, [10.0, 20.0, 0.0]);
    /// assert_eq!(place.cell_to_world(Cell::new(3, 0)), (11.75, 21.25)); // the upper right cell
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn cell_to_world(&self, cell: Cell) -> (f64, f64) {
        self.position(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
    }

    /// The position of a corner of cells, in metres.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::geometry::Corner;
    /// use octile::grid::Georeference;
    /// let place = Georeference::new(&Grid::open(4, 3)?, 0.5, [10.0, 20.0, 0.0]);
    /// assert_eq!(place.corner_to_world(Corner::new(0, 3)), (10.0, 20.0)); // the lower left corner of the map
    /// assert_eq!(place.corner_to_world(Corner::new(4, 0)), (12.0, 21.5));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn corner_to_world(&self, corner: Corner) -> (f64, f64) {
        self.position(corner.x.into(), corner.y.into())
    }

    /// The position of a point of an any-angle path, a corner of cells or the centre of one, in metres.
    ///
    /// ```
    /// use octile::{Cell, Grid, Point};
    /// use octile::geometry::Corner;
    /// use octile::grid::Georeference;
    /// let place = Georeference::new(&Grid::open(4, 3)?, 0.5, [10.0, 20.0, 0.3]);
    /// let (cell, corner) = (Cell::new(2, 1), Corner::new(2, 1));
    /// assert_eq!(place.point_to_world(Point::centre(cell)), place.cell_to_world(cell));
    /// assert_eq!(place.point_to_world(Point::corner(corner)), place.corner_to_world(corner));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn point_to_world(&self, point: Point) -> (f64, f64) {
        self.position(point.x(), point.y())
    }

    /// The position `x` cells from the left and `y` cells from the top of the map.
    fn position(&self, x: f64, y: f64) -> (f64, f64) {
        let [origin_x, origin_y, yaw] = self.origin;
        let (right, up) = (x * self.resolution, (f64::from(self.height) - y) * self.resolution);
        let (sin, cos) = yaw.sin_cos();
        (origin_x + right * cos - up * sin, origin_y + right * sin + up * cos)
    }

    /// The cell at a position in metres, or `None` if the position is not on the map.
    ///
    /// ```
    /// use octile::{Cell, Grid};
    /// use octile::grid::Georeference;
    /// let place = Georeference::new(&Grid::open(4, 3)?, 0.5, [10.0, 20.0, 0.0]);
    /// assert_eq!(place.world_to_cell(11.9, 21.4), Some(Cell::new(3, 0)));
    /// assert_eq!(place.world_to_cell(9.9, 21.4), None);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn world_to_cell(&self, x: f64, y: f64) -> Option<Cell> {
        let (right, up) = self.cells_to(x, y);
        let (column, row_from_below) = (index(right, self.width)?, index(up, self.height)?);
        Some(Cell::new(column, self.height - 1 - row_from_below))
    }

    /// The corner of cells nearest to a position in metres, or `None` if the position is not on the map.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::geometry::Corner;
    /// use octile::grid::Georeference;
    /// let place = Georeference::new(&Grid::open(4, 3)?, 0.5, [10.0, 20.0, 0.0]);
    /// assert_eq!(place.world_to_corner(11.9, 21.4), Some(Corner::new(4, 0)));
    /// assert_eq!(place.world_to_corner(10.6, 20.1), Some(Corner::new(1, 3)));
    /// assert_eq!(place.world_to_corner(9.9, 21.4), None);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn world_to_corner(&self, x: f64, y: f64) -> Option<Corner> {
        let (right, up) = self.cells_to(x, y);
        let nearest = |cells: f64, len: u32| (0.0..=f64::from(len)).contains(&cells).then(|| cells.round() as u32);
        let (column, row_from_below) = (nearest(right, self.width)?, nearest(up, self.height)?);
        Some(Corner::new(column, self.height - row_from_below))
    }

    /// The distances of a position from the map's lower left corner, in cells to the right and up.
    fn cells_to(&self, x: f64, y: f64) -> (f64, f64) {
        let [origin_x, origin_y, yaw] = self.origin;
        let (sin, cos) = yaw.sin_cos();
        let (dx, dy) = (x - origin_x, y - origin_y);
        ((dx * cos + dy * sin) / self.resolution, (dy * cos - dx * sin) / self.resolution)
    }

    /// Converts a length in metres, such as the radius of a robot, to cells. It is rounded to the nearest billionth of
    /// a cell, so that 1.1 m are exactly 11 cells of 0.1 m, and a robot exactly as wide as a gap fits through it.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::grid::{Agent, Georeference};
    /// let place = Georeference::new(&Grid::open(4, 3)?, 0.25, [0.0, 0.0, 0.0]);
    /// assert_eq!(place.metres_to_cells(0.5), 2.0);
    /// assert_eq!(place.cells_to_metres(place.metres_to_cells(0.5)), 0.5);
    /// assert_eq!(Agent::disc(place.metres_to_cells(0.6))?.to_string(), "disc:2.4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn metres_to_cells(&self, metres: f64) -> f64 {
        const PARTS: f64 = 1e9;
        (metres / self.resolution * PARTS).round() / PARTS
    }

    /// Converts a length in cells, such as that of a path, to metres.
    pub fn cells_to_metres(&self, cells: f64) -> f64 {
        cells * self.resolution
    }
}

/// The whole number of cells in `distance`, if it is an index below `len`.
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
    fn every_corner_is_found_again() {
        for yaw in [0.0, 0.3, -2.0, 7.0] {
            let place = Georeference::new(&Grid::open(7, 4).unwrap(), 0.05, [-3.5, 12.25, yaw]);
            for corner in (0..=4).flat_map(|y| (0..=7).map(move |x| Corner::new(x, y))) {
                let (x, y) = place.corner_to_world(corner);
                // Moved slightly inwards: at the edge of the map, rounding would decide.
                let (middle_x, middle_y) = place.position(3.5, 2.0);
                let (x, y) = (x + (middle_x - x) * 1e-6, y + (middle_y - y) * 1e-6);
                assert_eq!(place.world_to_corner(x, y), Some(corner), "{yaw}");
            }
        }
    }

    #[test]
    fn corners_and_centres_are_half_a_cell_apart_on_a_turned_map() {
        let place = Georeference::new(&Grid::open(10, 5).unwrap(), 2.0, [100.0, 200.0, std::f64::consts::FRAC_PI_2]);
        assert!(close(place.corner_to_world(Corner::new(0, 5)), (100.0, 200.0)));
        assert!(close(place.corner_to_world(Corner::new(10, 5)), (100.0, 220.0)));
        assert!(close(place.corner_to_world(Corner::new(0, 0)), (90.0, 200.0)));
        assert!(close(place.point_to_world(Point::centre(Cell::new(0, 4))), (99.0, 201.0)));
    }

    #[test]
    fn lengths_that_are_whole_cells_convert_exactly() {
        for (resolution, decimals) in [(0.1, 10.0), (0.05, 20.0), (0.025, 40.0)] {
            let place = Georeference::new(&Grid::open(4, 3).unwrap(), resolution, [0.0; 3]);
            for cells in 0..200 {
                let found = place.metres_to_cells(f64::from(cells) / decimals);
                assert_eq!(found.to_bits(), f64::from(cells).to_bits(), "{cells} of {resolution}");
            }
        }
    }

    #[test]
    fn positions_off_the_map_have_no_cell() {
        let place = Georeference::new(&Grid::open(4, 3).unwrap(), 1.0, [0.0, 0.0, 0.0]);
        for (x, y) in [(-0.1, 1.0), (1.0, -0.1), (4.0, 1.0), (1.0, 3.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert_eq!(place.world_to_cell(x, y), None, "{x}, {y}");
        }
        for (x, y) in [(-0.1, 1.0), (4.1, 1.0), (1.0, 3.1), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert_eq!(place.world_to_corner(x, y), None, "{x}, {y}");
        }
    }
}
