//! The planners, one module each, named after its paper.
//!
//! A module has its planner's config, the planner itself and its index. To add one, write a module with a config that implements
//! [`Config`](crate::Config) and add its `ENTRY` to the [catalog](crate::Catalog): the command, the suites and the reports read that.

pub mod astar;
mod best_first;
pub mod block_astar;
pub mod core_search;
pub mod core_table;
mod corner_search;
pub mod corner_sweep;
pub mod cpd;
pub mod dijkstra;
mod heuristic;
pub mod hub_labels;
mod hubs;
pub mod jps;
pub mod jump_graph;
mod jump_points;
pub mod rea_star;
mod subgoals;
mod taut;
pub mod taut_graph;
pub mod taut_labels;
pub mod taut_sight;
pub mod terrain_jump;
pub mod theta_star;

pub use self::heuristic::Heuristic;
