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
