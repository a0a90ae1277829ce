//! Maps that cannot be made, and changes that do not fit one.

use super::{MAX_CELLS, MAX_SIDE};
use crate::geometry::Cell;

/// A map that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is 0.
    #[error("a map of {width} x {height} cells is empty: both sides must be at least 1")]
    Empty {
        /// Cells in a row.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A side, or the number of cells, is over the limit.
    #[error("a map of {width} x {height} cells is too large: at most {MAX_SIDE} a side and {MAX_CELLS} in all")]
    TooLarge {
        /// Cells in a row.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// There are not as many classes of ground as cells.
    #[error("a map of {width} x {height} cells needs as many classes of ground, found {found}")]
    Classes {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// How many there are.
        found: usize,
    },
}

/// A change that a map cannot take. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditFault {
    /// A cell does not lie on the map.
    #[error(transparent)]
    OffMap(#[from] OffMap),
    /// A map without prices was to have one.
    #[error("cell {cell} cannot get the price {price}: the map has no prices; make one that has")]
    NoPrices {
        /// The cell.
        cell: Cell,
        /// The price.
        price: u8,
    },
    /// No cell has the price 0.
    #[error("cell {cell} cannot get the price 0: prices are from 1 to 255; block the cell instead")]
    Price {
        /// The cell.
        cell: Cell,
    },
}

/// A change of a cell that does not lie on the map. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("edited cell {cell} is off the map: x must be below {width} and y below {height}")]
pub struct OffMap {
    /// The cell.
    pub cell: Cell,
    /// Cells in a row of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
}
