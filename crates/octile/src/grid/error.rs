//! Errors of making and changing maps.

use super::{MAX_CELLS, MAX_SIDE};
use crate::geometry::Cell;

/// A map cannot be made.
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
    /// The number of terrain classes differs from the number of cells.
    #[error("a map of {width} x {height} cells needs as many classes of ground, found {found}")]
    Classes {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The number of classes given.
        found: usize,
    },
}

/// An edit that the map does not accept. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditFault {
    /// A cell does not lie on the map.
    #[error(transparent)]
    OffMap(#[from] OffMap),
    /// An edit sets a price on a map without prices.
    #[error("cell {cell} cannot get the price {price}: the map has no prices; make one that has")]
    NoPrices {
        /// The cell.
        cell: Cell,
        /// The price.
        price: u8,
    },
    /// An edit sets the price 0.
    #[error("cell {cell} cannot get the price 0: prices are from 1 to 255; block the cell instead")]
    Price {
        /// The cell.
        cell: Cell,
    },
}

/// An edited cell is not on the map. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("edited cell {cell} is off the map: x must be below {width} and y below {height}")]
pub struct OffMap {
    /// The cell.
    pub cell: Cell,
    /// The number of cells in a row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}
