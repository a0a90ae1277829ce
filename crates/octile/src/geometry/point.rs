//! Ends of straight lines: corners and centres of cells.

use std::fmt;

use super::cell::{Cell, Corner};
use super::names;

/// An end of a line of an any-angle path: a [corner](Corner) of cells, or the centre of one. Coordinates are in halves
/// of a cell, so that tests on lines use whole numbers.
///
/// ```
/// use octile::{Cell, Point};
/// use octile::geometry::Corner;
/// let (corner, centre) = (Point::corner(Corner::new(3, 4)), Point::centre(Cell::new(3, 4)));
/// assert_eq!((corner.x(), centre.x()), (3.0, 3.5));
/// assert_eq!(centre.distance(corner), 0.5_f64.sqrt());
/// assert_eq!((corner.as_corner(), centre.as_corner()), (Some(Corner::new(3, 4)), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// In halves of a cell, both even or both odd.
    x: u32,
    y: u32,
}

impl Point {
    /// A corner. A coordinate beyond 2^31 cells, which no map has, is clamped.
    #[inline]
    pub const fn corner(corner: Corner) -> Self {
        Self { x: doubled(corner.x), y: doubled(corner.y) }
    }

    /// The centre of a cell, clamped like a corner.
    #[inline]
    pub const fn centre(cell: Cell) -> Self {
        Self { x: doubled(cell.x) + 1, y: doubled(cell.y) + 1 }
    }

    /// The coordinates in halves of a cell, from the left and from the top.
    #[inline]
    pub const fn halves(self) -> (u32, u32) {
        (self.x, self.y)
    }

    /// Cells from the left.
    #[inline]
    pub fn x(self) -> f64 {
        f64::from(self.x) / 2.0
    }

    /// Cells from the top.
    #[inline]
    pub fn y(self) -> f64 {
        f64::from(self.y) / 2.0
    }

    /// The corner at this point; `None` for a centre.
    #[inline]
    pub const fn as_corner(self) -> Option<Corner> {
        if self.x.is_multiple_of(2) { Some(Corner::new(self.x / 2, self.y / 2)) } else { None }
    }

    /// The cell whose centre this is; `None` for a corner.
    ///
    /// ```
    /// use octile::{Cell, Point};
    /// use octile::geometry::Corner;
    /// assert_eq!(Point::centre(Cell::new(2, 1)).as_centre(), Some(Cell::new(2, 1)));
    /// assert_eq!(Point::corner(Corner::new(2, 1)).as_centre(), None);
    /// ```
    #[inline]
    pub const fn as_centre(self) -> Option<Cell> {
        if self.x % 2 == 1 { Some(Cell::new(self.x / 2, self.y / 2)) } else { None }
    }

    /// The length of the straight line to another point.
    #[inline]
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (f64::from(self.x.abs_diff(other.x)), f64::from(self.y.abs_diff(other.y)));
        // The sum under the root is exact and so is halving: between corners this equals `Corner::distance` to the last
        // bit.
        (dx * dx + dy * dy).sqrt() / 2.0
    }
}

/// Twice a number, or the largest even number.
const fn doubled(value: u32) -> u32 {
    if value <= u32::MAX / 2 { 2 * value } else { u32::MAX - 1 }
}

impl From<Corner> for Point {
    fn from(corner: Corner) -> Self {
        Self::corner(corner)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

/// Which point of a cell any-angle paths begin and end at. They turn at corners in either case.
///
/// ```
/// use octile::{Cell, Point};
/// use octile::geometry::{Corner, Endpoints};
/// let cell = Cell::new(3, 4);
/// assert_eq!(Endpoints::Corners.point(cell), Point::corner(Corner::new(3, 4)));
/// assert_eq!("centres".parse::<Endpoints>()?.point(cell), Point::centre(cell));
/// # Ok::<(), octile::geometry::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Endpoints {
    /// The upper left corner of the cell, as in the any-angle track of the grid path planning competition.
    #[default]
    Corners,
    /// The centre of the cell, where robots and units stand.
    Centres,
}

names! { Endpoints, "a kind of endpoint" { Corners = "corners", Centres = "centres" } }

impl Endpoints {
    /// The point of a cell.
    #[inline]
    pub const fn point(self, cell: Cell) -> Point {
        match self {
            Self::Corners => Point::corner(Corner::of(cell)),
            Self::Centres => Point::centre(cell),
        }
    }
}
