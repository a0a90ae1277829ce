//! The algorithms: one module each, named after its paper.
//!
//! The four papers that octile implements:
//!
//! | paper | module | planner spec | read first |
//! |---|---|---|---|
//! | Zhang, Li & Bi, "Rectangle Expansion A\* Pathfinding for Grid Maps", 2016 | [`rea_star`] | `rea-star:fronts=cells`; ours: `rea-star` | `rea_star/paper/mod.rs` |
//! | Yap, Burch, Holte & Schaeffer, "Block A\*: Database-Driven Search with Applications in Any-Angle Path-Planning", 2011 | [`block_astar`] | `block-astar` | `block_astar/search.rs` |
//! | Botea, "Ultra-Fast Optimal Pathfinding without Runtime Search", 2011 | [`cpd`] | `cpd` | `cpd/walk.rs` |
//! | Jubair & Hawa, "Exploiting Obstacle Geometry to Reduce Search Time in Grid-Based Pathfinding", 2020 | [`blocked_areas`] | `astar:prune=blocked-areas` | `blocked_areas/detect.rs` |
//!
//! Baselines to measure against: [`astar`], [`dijkstra`], [`jps`], [`theta_star`]. Our own algorithms:
//! [`corner_sweep`], [`jump_graph`], [`core_search`], [`core_table`], [`hub_labels`]; for terrain costs
//! [`terrain_jump`]; for any-angle paths [`taut_sight`], [`taut_graph`], [`taut_labels`].
//!
//! A module contains its planner's config, the planner itself and its index. To add one, write a module with a config
//! that implements [`Config`](crate::Config) and add its `ENTRY` to the [catalog](crate::Catalog): the command, the
//! test suites and the reports read the catalog.

pub mod astar;
pub mod block_astar;
pub mod blocked_areas;
pub mod core_search;
pub mod core_table;
pub mod corner_sweep;
pub mod cpd;
pub mod dijkstra;
pub mod hub_labels;
pub mod jps;
pub mod jump_graph;
pub mod pruners;
pub mod rea_star;
pub mod taut_graph;
pub mod taut_labels;
pub mod taut_sight;
pub mod terrain_jump;
pub mod theta_star;

pub use crate::kernels::heuristic::Heuristic;
