//! Services that work for every planner: queries of all kinds, limits, slices, cost matrices, distances to all cells,
//! smoothed paths, stale indexes, indexes built in parts, and films.

mod ask;
mod field;
mod film;
mod limiter;
pub(crate) mod many;
pub mod parts;
mod slices;
mod stale;
mod wrapper;

pub use self::field::{Distances, Field, distances};
pub use self::film::Film;
pub(crate) use self::slices::Slices;
pub(crate) use self::stale::Stale;
pub(crate) use self::wrapper::Wrapper;
pub use self::wrapper::{centred, smoothed};
pub use crate::planner::Event;
