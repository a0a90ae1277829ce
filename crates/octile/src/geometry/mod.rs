//! Cells, points, directions and costs: the types that need no map.
//!
//! [`Cell`] is a square of the map, [`Corner`] a point where cells meet, [`Point`] a corner or the centre of a cell,
//! and [`Dir`] one of the eight directions. [`GridCost`] is the exact cost of a grid path; [`PathCost`] is that or a
//! length. `units` has the integers that searches use as costs, and the proof that they are exact. [`Dice`] makes
//! random choices that never change for a given seed.

mod cell;
mod cost;
pub(crate) mod dice;
mod dir;
mod names;
pub(crate) mod order;
mod parse;
mod point;
mod small;
pub(crate) mod units;

pub(crate) use self::cell::CellId;
pub use self::cell::{Cell, Corner};
pub use self::cost::{GridCost, PathCost, Weight};
pub use self::dice::Dice;
pub use self::dir::{Dir, DirSet, DirSetIter};
pub(crate) use self::names::names;
pub use self::parse::ParseError;
pub use self::point::{Endpoints, Point};
pub(crate) use self::small::SMALL;
