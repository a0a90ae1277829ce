//! Building blocks that several planners share: searches, graphs and labels, and the heaps, tables and cost units below
//! these.

pub(crate) mod cells;
pub(crate) mod corner_search;
pub(crate) mod ds;
pub(crate) mod estimate;
pub(crate) mod fares;
pub mod gates;
pub(crate) mod heuristic;
pub(crate) mod hubs;
pub(crate) mod jump_points;
pub(crate) mod limits;
pub(crate) mod nodes;
pub(crate) mod pause;
pub(crate) mod prune;
pub(crate) mod ranking;
pub(crate) mod remembered;
pub(crate) mod subgoals;
pub(crate) mod taut;
pub(crate) mod vectors;
pub(crate) mod widths;
pub(crate) mod workers;
