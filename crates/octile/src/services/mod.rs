//! What every planner gets for free: answers to all kinds of queries, limits, slices, tables of costs, distances from
//! all cells, smooth paths, stale indexes, indexes in parts, films.

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
pub use self::film::{Event, Film};
pub(crate) use self::slices::Slices;
pub(crate) use self::stale::Stale;
pub(crate) use self::wrapper::Wrapper;
pub use self::wrapper::{centred, smoothed};
