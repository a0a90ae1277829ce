//! What shortest paths in any direction are made of: corners of obstacles, exact sight, taut hops.

pub(in crate::algo) mod cones;
mod corners;
mod graph;
mod kind;
mod search;
mod sector;

pub(in crate::algo) use self::corners::Corners;
pub(in crate::algo) use self::graph::{Effort, Graph, Hop, Slot, sector_hops, slot};
pub(in crate::algo) use self::kind::{Side, Turn, Vector};
pub(in crate::algo) use self::search::{Arrival, Hops, Memory, Search};
pub(in crate::algo) use self::sector::{Sector, seen};
