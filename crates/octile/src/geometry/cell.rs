//! Cells and corners: one type per coordinate space.

use crate::geometry::ParseError;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// A cell of the map: `x` counts columns from the left, `y` rows from the top, both from 0.
///
/// ```
/// use octile::Cell;
/// let cell: Cell = "3,4".parse()?;
/// assert_eq!(cell, Cell::new(3, 4));
/// assert_eq!(cell.to_string(), "3,4");
/// # Ok::<(), octile::geometry::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Column, from the left.
    pub x: u32,
    /// Row, from the top.
    pub y: u32,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    #[inline]
    pub const fn new(x: u32, y: u32) -> Self {
        Self { x, y }
    }

    /// The square of the straight line between the centres of two cells.
    ///
    /// ```
    /// use octile::Cell;
    /// assert_eq!(Cell::new(1, 2).square_distance(Cell::new(4, 6)), 25);
    /// ```
    #[inline]
    pub const fn square_distance(self, other: Self) -> u64 {
        let (dx, dy) = (self.x.abs_diff(other.x) as u64, self.y.abs_diff(other.y) as u64);
        // Saturates for cells far beyond any map.
        (dx * dx).saturating_add(dy * dy)
    }
}

impl From<(u32, u32)> for Cell {
    /// The cell in column `x` and row `y`.
    ///
    /// ```
    /// use octile::Cell;
    /// assert_eq!(Cell::from((3, 4)), Cell::new(3, 4));
    /// ```
    #[inline]
    fn from((x, y): (u32, u32)) -> Self {
        Self { x, y }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// A corner of cells: a point where up to four cells meet. A map has one more column and one more row of corners than
/// of cells: `x` is at most the map's width, `y` at most its height.
///
/// Any-angle planners work on corners. A cell of a query stands for the corner at its upper left, as in the any-angle
/// track of the grid path planning competition.
///
/// ```
/// use octile::Cell;
/// use octile::geometry::Corner;
/// let corner = Corner::of(Cell::new(3, 4));
/// assert_eq!(corner, Corner::new(3, 4));
/// assert_eq!(corner.to_string(), "3,4");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Corner {
    /// The number of cells to the left of it.
    pub x: u32,
    /// The number of cells above it.
    pub y: u32,
}

impl Corner {
    /// The corner right of `x` columns and below `y` rows.
    #[inline]
    pub const fn new(x: u32, y: u32) -> Self {
        Self { x, y }
    }

    /// The corner at a cell's upper left, which stands for the cell in any-angle paths.
    #[inline]
    pub const fn of(cell: Cell) -> Self {
        Self::new(cell.x, cell.y)
    }

    /// The length of the straight line to another corner.
    ///
    /// ```
    /// use octile::geometry::Corner;
    /// assert_eq!(Corner::new(0, 0).distance(Corner::new(3, 4)), 5.0);
    /// ```
    #[inline]
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (f64::from(self.x.abs_diff(other.x)), f64::from(self.y.abs_diff(other.y)));
        (dx * dx + dy * dy).sqrt()
    }
}

impl From<(u32, u32)> for Corner {
    /// The corner right of `x` columns and below `y` rows.
    #[inline]
    fn from((x, y): (u32, u32)) -> Self {
        Self { x, y }
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = |part: &str| -> Result<u32, ParseIntError> { part.trim().parse() };
        text.split_once(',')
            .and_then(|(x, y)| Some(Self::new(parse(x).ok()?, parse(y).ok()?)))
            .ok_or_else(|| ParseError::new(text, "a cell", "write X,Y with whole numbers from 0, such as 3,4"))
    }
}

/// A cell's index in the padded per-cell tables (see [`Grid`](crate::Grid)): the ring of blocked padding has ids too,
/// so a step off the map lands on a blocked cell instead of outside the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CellId(pub(crate) u32);

impl CellId {
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_no_cell_is_refused_with_the_text() {
        for text in ["", "3", "3;4", "3,", "-1,2", "3,4,5", "a,b", "4294967296,0"] {
            let error = text.parse::<Cell>().unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }
}
