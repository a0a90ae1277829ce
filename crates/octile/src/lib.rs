//! Pathfinding on grid maps: exact costs, one planner interface, MovingAI formats.
//!
//! # Which planner do I want?
//! **`auto`** finds out: it tries planners on your map and uses the fastest that does with `memory=100MB`, on a map
//! that changes at a rate of `changes=0.01%/2000`, for `paths=any-angle`, as you say; [`advise`](mod@advise) tells why.
//! It takes a second or three for a large map, so that an answer for good is worth writing down.
//!
//! For shortest paths under the usual rule (eight neighbours, no corner cutting):
//! - **`corner-sweep`** where the map changes: 30 to 120 times faster than A\*, bit planes built in a millisecond, and
//!   an edit costs about a microsecond a cell.
//! - **`jump-graph`** where it changes now and then: built in 1 to 20 ms, and an edit costs some tens to hundreds of
//!   microseconds; 50 to 1000 times faster than A\*.
//! - **`core-search`** for the same on maps full of corners, such as rooms, narrow mazes and random obstacles: built in
//!   2 to 70 ms.
//! - **`hub-labels`** where it hardly ever changes: an index of some megabytes, built in seconds and kept in a file;
//!   then every path in 1 to 4 microseconds, without a search, and most of them also after small changes of the map.
//!   Maps of random obstacles do not suit: there **`core-table`** answers in some tens of microseconds, from an index
//!   built in a second or so.
//! - **`cpd`** for first moves alone, in 50 ns, on maps of up to some 100,000 free cells: a database of first moves
//!   between all cells, built beforehand in seconds to hours.
//! - **`jps`** for no memory beside the map, and as the yardstick.
//!
//! For shortest paths in any direction, over the corners of cells or from centre to centre (`ends=centres`):
//! - **`taut-sight`** where the map changes: nothing prepared; it remembers what it has seen, and an edit makes it
//!   forget what it touches.
//! - **`taut-graph`** where it stays as it is for a while: built in 1 to 30 ms, and again when the map changes.
//! - **`taut-labels`** where it hardly ever changes: an index of some megabytes, built in seconds and kept in a file;
//!   then every path in some microseconds, without a search.
//!
//! Where cells have prices, such as roads and swamps ([`Convention`]): **`terrain-jump`**, 3 to 25 times faster than
//! A\* where land comes in patches and roads, exact, and it follows edits of prices. (`astar`, `weighted-astar` and
//! `dijkstra` take prices too; all others refuse such maps.)
//!
//! For other paths and rules:
//! - **`rea-star`** for shortest paths that are also straight: it gives points between which the straight line is free.
//! - **`block-astar:db=any-angle`**, **`theta-star`** and **`lazy-theta-star`** for paths in any direction that are
//!   short, but not always the shortest: to compare with. Every planner takes `smooth=greedy`, whose paths are 1 to 2 %
//!   longer.
//! - **`block-astar`** for shortest paths on random obstacles that change all the time, or under `tile`
//!   (`block-astar:db=tile`): 3 to 20 times faster than A\*, no preprocessing that an edit would undo.
//! - **`astar`** for four neighbours or with corner cutting, or as the yardstick; **`astar:on=corners`** on corners.
//! - **`weighted-astar:weight=E`** where a path up to `E` times too long will do.
//! - **`dijkstra`** to search without a heuristic.
//!
//! For the distances from all cells to one or many goals, and the next step from each, as many units with one aim need:
//! [`Field`].
//!
//! # The way through
//! ```
//! use octile::{CornerSweep, Edits, Engine, Grid};
//!
//! // A map: from a file with `octile::load`, from a drawing, or cell by cell with `GridBuilder`.
//! let grid: Grid = "
//!     ......
//!     .@@@@.
//!     ......
//! ".parse()?;
//!
//! // A planner for it, by its config or by a spec: "corner-sweep" is the same. Any thread may ask.
//! let engine = Engine::new(CornerSweep::default(), &grid)?;
//! let path = engine.find((0, 1), (5, 1))?.expect("the cells are connected");
//! assert_eq!(path.cost().to_string(), "7");
//!
//! // Maps change: the planner follows, for all who hold the engine.
//! engine.apply(Edits::new().free_rect((1, 1), (4, 1)))?;
//! assert_eq!(engine.find((0, 1), (5, 1))?.unwrap().length(), 5.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Engine::find_all`] answers a batch over all cores. A [`Finder`] is for one thread that asks the most in the least
//! time. A planner of your own implements [`Config`] and [`Planner`], and takes its place in a [`Catalog`].
//!
//! # More than a path
//! Every planner answers every question, in a way of its own or in the one that all share ([`Native`]):
//! - [`Engine::ask`] takes a [`Query`]: the [nearest of many goals](Query::to_any), the [nearest cell](Query::nearest)
//!   that can be reached, [limits](Limits); and gives an [`Answer`] with its [`Status`]. [`Engine::begin`] answers it a
//!   slice at a time.
//! - [`Engine::field`] gives distances and next steps from all cells, [`Engine::matrix`] the costs between many,
//!   [`Engine::k_nearest`] the nearest few.
//! - [`Engine::for_agent`] is the same engine for units of any size, [`Path::to_world`] a path in metres.
//! - [`Engine::still_valid`] tells whether a path holds after an edit; a [`Chase`] follows a target that moves.
//!
//! # Exact costs
//! Costs are exact: [`GridCost`] counts straight and diagonal moves, or sums their prices, and "optimal" means equal in
//! both counts. Only paths in any direction have lengths in `f64`; [`PathCost`] is either.
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
//!
//! # Cells and corners
//! Most planners go from cell to cell. Any-angle planners, and all with `smooth=greedy`, go from corner to corner of
//! cells in straight lines: a cell `x, y` of a query stands for the corner at its upper left, as in the any-angle track
//! of the grid path planning competition, or with the key `ends=centres` for its centre, where robots and units stand
//! ([`Endpoints`]). Their paths have [`vertices`](Path::vertices) and [`corners`](Path::corners) instead of cells, and keep a rule
//! of their own about obstacles that touch at a corner, [`Squeeze`]. The grid's movement rule must be
//! [`Movement::Octile`].

pub mod algo;
pub mod artifact;
mod catalog;
mod engine;
pub mod files;
mod formats;
mod geometry;
pub mod grid;
pub mod kernels;
mod path;
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
pub use crate::algo::pruners::Pruners;
pub use crate::algo::rea_star::ReaStar;
pub use crate::algo::taut_graph::TautGraph;
pub use crate::algo::taut_labels::TautLabels;
pub use crate::algo::taut_sight::TautSight;
pub use crate::algo::terrain_jump::TerrainJump;
pub use crate::algo::theta_star::{LazyThetaStar, ThetaStar};
pub use crate::catalog::{Auto, COMMON_KEYS, Catalog, Paths, PlannerSpec, UnknownKind, UnusedIndex, advise};
pub use crate::engine::{
    Ask, Chase, Engine, Finder, KNearest, Matrix, Pending, RenewError, Renewal, Renewed, Routes, SlicedRenewal, Upkeep,
};
pub use crate::files::FileFault;
#[cfg(feature = "image")]
pub use crate::formats::load_ros_bytes;
pub use crate::formats::{
    LoadError, LoadFault, LoadOptions, MapFile, MapFormat, NotText, PriceFile, Pricing, Unknown, ascii, draw, generate,
    image, load, load_bytes, load_bytes_with, load_dynamic, load_prices, load_scenario, load_terrain, load_with,
    movingai, posthoc, prices,
};
pub use crate::geometry::{
    Cell, Corner, Dice, Dir, DirSet, DirSetIter, Endpoints, GridCost, ParseError, PathCost, Point, Weight,
};
pub use crate::grid::{
    Agent, AgentError, Clearance, Convention, EditFault, Edits, Fit, Georeference, Grid, GridBuilder, GridError,
    Movement, OffMap, Prices, Room, Squeeze, Terrain,
};
pub use crate::path::{
    Cells, GridWriter, GridWriterBack, Output, Path, PathFault, PointsError, Polyline, Vertices, Waypoints, WorldPoints,
};
pub use crate::planner::{
    About, Answer, AnswerSummary, AnyGoalQuery, Build, BuildError, Config, Counts, EditError, End, Entry, Goals,
    Guarantee, IndexFault, Indexes, Limit, Limits, Native, Nearest, NoProbe, OnEdit, PathQuery, Planner, Probe,
    ProbePair, Query, QueryError, Scratch, SpecError, Status, Trace,
};
pub use crate::services::{Distances, Field, distances};
