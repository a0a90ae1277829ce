//! Places, directions and costs: what exists without a map.
//!
//! [`Cell`] is a place on a map, [`Corner`] a place where cells meet, [`Point`] that or the centre of a cell, [`Dir`] a
//! way to go. [`GridCost`] is the exact cost of a grid path, [`PathCost`] that or a length. `units` has the integers that
//! searches use as costs, and why those are exact. [`Dice`] makes random choices that never change for a seed.

mod cell;
mod cost;
pub(crate) mod dice;
mod dir;
pub(crate) mod order;
mod point;
mod small;
pub(crate) mod units;

pub(crate) use self::cell::CellId;
pub use self::cell::{Cell, Corner, ParseCellError};
pub use self::cost::{GridCost, ParseWeightError, PathCost, Weight};
pub use self::dice::Dice;
pub use self::dir::{Dir, DirSet, DirSetIter};
pub use self::point::{Endpoints, ParseEndpointsError, Point};
pub(crate) use self::small::SMALL;
