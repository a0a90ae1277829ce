//! Pathfinding on grid maps: exact costs, one interface for all planners, MovingAI formats.
//!
//! # Start here
//! - [`Engine`] answers queries on one map, from any thread, and follows changes of the map. [`Finder`] is the same for
//!   one thread that asks as fast as possible.
//! - [`Grid`] is the map: [`load`] reads one from a file, a drawing parses as one, [`GridBuilder`] makes one cell by
//!   cell.
//! - [`Path`] is what you get, with an exact [`cost`](Path::cost).
//! - [`Query`] asks for more than a path from A to B: several goals, the nearest reachable cell, limits. Its answer is
//!   an [`Answer`].
//! - [`Edits`] change the map.
//!
//! ```
//! use octile::{CornerSweep, Edits, Engine, Grid};
//!
//! let grid: Grid = "
//!     ......
//!     .@@@@.
//!     ......
//! ".parse()?;
//!
//! // A planner is named by its config, or by a spec such as "corner-sweep".
//! let engine = Engine::new(CornerSweep::default(), &grid)?;
//! let path = engine.find((0, 1), (5, 1))?.expect("the cells are connected");
//! assert_eq!(path.cost().to_string(), "7");
//!
//! // The map changes, and everyone who shares the engine gets paths on the new map.
//! engine.apply(Edits::new().free_rect((1, 1), (4, 1)))?;
//! assert_eq!(engine.find((0, 1), (5, 1))?.unwrap().length(), 5.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which planner?
//! If unsure, take [`CornerSweep`], or [`Auto`], which times several planners on your map and takes the fastest;
//! [`advise`](mod@catalog::advise) explains its choice.
//!
//! Shortest grid paths, eight neighbours, no corner cutting:
//!
//! | planner | preparation | when the map changes | use it |
//! |---|---|---|---|
//! | [`CornerSweep`] | a millisecond | follows, about a microsecond per cell | for maps that change often |
//! | [`JumpGraph`] | 1 to 20 ms | follows, tens to hundreds of microseconds | for maps that change now and then |
//! | [`CoreSearch`] | 2 to 70 ms | builds its index again | for rooms, narrow mazes and random obstacles |
//! | [`CoreTable`] | about a second | goes stale | for random obstacles that hardly ever change |
//! | [`HubLabels`] | seconds, kept in a file | goes stale | for the fastest paths, a few microseconds each |
//! | [`Cpd`] | seconds to hours, kept in a file | goes stale, or repairs what is affected | for first moves in 50 ns |
//! | [`Jps`] | none | follows | as the yardstick, without memory beside the map |
//!
//! Shortest paths in any direction, between corners of cells or between their centres:
//!
//! | planner | preparation | when the map changes |
//! |---|---|---|
//! | [`TautSight`] | none; it remembers what it has seen | follows, and forgets what an edit touches |
//! | [`TautGraph`] | 1 to 30 ms | builds its index again |
//! | [`TautLabels`] | seconds, kept in a file | goes stale |
//!
//! Other needs:
//! - Cells with prices, such as roads and swamps: [`TerrainJump`], exact, and it follows edits of prices. [`Astar`],
//!   [`WeightedAstar`] and [`Dijkstra`] take prices too; the other planners refuse such maps.
//! - Paths that are shortest and straight: [`ReaStar`] gives points that see each other.
//! - Four neighbours (`tile`) or cutting corners: [`BlockAstar`] with `db=tile`, [`Astar`].
//! - A path at most `E` times too long: [`WeightedAstar`].
//! - Planners to compare with: [`ThetaStar`], [`LazyThetaStar`], [`BlockAstar`] with `db=any-angle`, [`Astar`] on
//!   corners.
//! - Many units with one goal: [`Field`] has the distance and the next step from every cell.
//!
//! A planner that goes stale still answers every query exactly: from its index where it can prove the answer, otherwise
//! with a planner that follows edits.
//!
//! # More than a path
//! Every planner answers every question:
//! - [`Engine::ask`] takes a [`Query`]: the [nearest of many goals](Query::to_any), the [nearest cell](Query::nearest)
//!   that can be reached, [limits](planner::Limits). [`Engine::begin`] answers it in slices.
//! - [`Engine::find_all`] answers a batch on all cores.
//! - [`Engine::field`] gives distances and next steps from all cells, [`Engine::matrix`] the costs between many,
//!   [`Engine::k_nearest`] the nearest few.
//! - [`Engine::for_agent`] is the same engine for units of any size, [`Path::to_world`] a path in metres.
//! - [`Engine::still_valid`] tells whether a path holds after an edit; a [`Chase`](engine::Chase) follows a moving
//!   target.
//!
//! Your own planner implements [`Config`] and [`Planner`] and joins a [`Catalog`].
//!
//! # Exact costs
//! [`GridCost`] counts straight and diagonal moves, or sums their prices; "optimal" means equal in both counts. Only
//! paths in any direction have lengths in `f64`. [`PathCost`] is either.
//!
//! # Cells and corners
//! Most planners go from cell to cell. Any-angle planners, and all planners with `smooth=greedy`, give straight lines
//! between points: a cell of a query stands for its upper left corner, as in the any-angle track of the grid path
//! planning competition, or with the key `ends=centres` for its centre ([`Endpoints`](geometry::Endpoints)). Such paths
//! have [`vertices`](Path::vertices) and [`corners`](Path::corners) instead of cells, and a separate rule for two
//! obstacles that touch at a corner, [`Squeeze`](grid::Squeeze). They need the movement rule [`Movement::Octile`].
//!
//! # Modules
//! The root has the names that most programs use. Others are in the module for their subject: [`geometry`], [`grid`],
//! [`path`], [`planner`], [`engine`], [`services`], [`catalog`], [`formats`] (loading, writing, generating and drawing
//! maps), [`artifact`] (index files), [`files`], [`algo`] (one module per algorithm).
//!
//! # Features
//! None changes an answer.
//! - `rayon` (default): batches over all cores.
//! - `mmap` (default): index files are mapped into memory and not read, so that they open at once. In return they must
//!   not be cut short while they are in use: the system would kill the process (SIGBUS).
//!   [`Artifact::read`](artifact::Artifact::read) and [`Build::unmapped`] read a file instead, and without the feature
//!   all are read.
//! - `image`: PNG, PGM and ROS maps, and pictures as PNG.
//! - `serde`: plain types, configs and paths, both ways.
//! - `small`: fewer instances of searches that few programs use, for programs that are downloaded: these searches are
//!   slower.
//! - `faults`: for tests of programs that write files. In a build with debug assertions `OCTILE_FAULT` then makes a
//!   [step](files::disk) fail.

pub mod algo;
pub mod artifact;
pub mod catalog;
pub mod engine;
pub mod files;
pub mod formats;
pub mod geometry;
pub mod grid;
pub mod kernels;
pub mod path;
pub mod planner;
pub mod services;

pub use crate::algo::astar::{Astar, WeightedAstar};
pub use crate::algo::block_astar::BlockAstar;
pub use crate::algo::core_search::CoreSearch;
pub use crate::algo::core_table::CoreTable;
pub use crate::algo::corner_sweep::CornerSweep;
pub use crate::algo::cpd::Cpd;
pub use crate::algo::dijkstra::Dijkstra;
pub use crate::algo::hub_labels::HubLabels;
pub use crate::algo::jps::Jps;
pub use crate::algo::jump_graph::JumpGraph;
pub use crate::algo::rea_star::ReaStar;
pub use crate::algo::taut_graph::TautGraph;
pub use crate::algo::taut_labels::TautLabels;
pub use crate::algo::taut_sight::TautSight;
pub use crate::algo::terrain_jump::TerrainJump;
pub use crate::algo::theta_star::{LazyThetaStar, ThetaStar};
pub use crate::catalog::{Auto, Catalog, PlannerSpec};
pub use crate::engine::{Engine, Finder};
pub use crate::formats::{LoadError, load};
pub use crate::geometry::{Cell, GridCost, PathCost, Point};
pub use crate::grid::{Edits, Grid, GridBuilder, GridError, Movement};
pub use crate::path::{Output, Path};
pub use crate::planner::{Answer, Build, BuildError, Config, Guarantee, PathQuery, Planner, Query, QueryError, Status};
pub use crate::services::Field;
