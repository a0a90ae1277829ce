//! Block A\*: search over blocks of cells, with a database of all distances inside them.
//!
//! - **Guarantee**: between cells (`db=tile`, `db=octile`) grid-optimal, in exact arithmetic; between corners
//!   (`db=any-angle`) never longer than the shortest grid path between them. Complete. **Preprocessing**: reading the
//!   map's blocks, about a millisecond for 512 x 512 cells; the database, once for all maps, takes some hundredths of a
//!   second or the time to open a [file](lddb). An edit re-reads its block.
//! - **Complexity**: time O(n log n) for n blocks, each with work proportional to its border; scratch O(n).
//! - **Reference**: Yap, Burch, Holte & Schaeffer, "Block A\*: Database-Driven Search with Applications in Any-Angle
//!   Path-Planning", 2011.
//! - **Deviations**: 1. a block's heap value is infinite while it is not on the open list: line 9 of Algorithm 1, read
//!   literally, loses paths; 2. the search also moves to the blocks at a block's corners, and diagonally across its
//!   sides: without these moves octile costs are too high; 3. blocks with the goal use the same heuristic as all
//!   others: the exact distance inside the block is not admissible, as the path may leave the block and return; 4. if
//!   start and goal share a block, the path inside it is one candidate; 5. between corners, blocks are popped by f in
//!   steps, then by g, which saves expansions on most maps; `priority=exact` is the paper's order; 6. lanes that
//!   another ingress lane reaches at no higher cost are skipped; 7. stale heap entries are skipped when they are
//!   popped; 8. blocks larger than 4 x 4 cells, and rectangles, whose complete database would not fit into memory:
//!   their tables are made when first needed; 9. paths are found from exact costs instead of back pointers; inside a
//!   block, the inflection points of the database are used.
//!
//! # Example
//! ```
//! use octile::algo::block_astar::Db;
//! use octile::{BlockAstar, Engine, Grid};
//! let grid: Grid = "........\n.@@@@@@.\n........".parse()?;
//! let path = Engine::new(BlockAstar::default(), &grid)?.find((1, 0), (7, 2))?.expect("they are connected");
//! assert_eq!(path.cost().to_string(), "8");
//! let any_angle = BlockAstar::default().db(Db::AnyAngle); // "block-astar:db=any-angle"
//! let path = Engine::new(any_angle, &grid)?.find((0, 0), (7, 2))?.expect("they are connected");
//! assert!(path.length() < 8.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(clippy::inline_always, reason = "only code inlined into vectorized functions is compiled for vectors")]

mod blocks;
mod inside;
mod lanes;
pub mod lddb;
mod points;
mod search;
mod size;
mod tables;
mod trace;

use std::sync::Arc;

use self::blocks::Blocks;
use self::lanes::LANES;
use self::lddb::{Distances, Lddb};
use self::points::{Cells, Corners};
use self::search::{At, Memory, Search};
pub use self::size::BlockSize;
use self::tables::lane_number;
use self::trace::Traced;
use crate::geometry::units::{Narrow, Units};
use crate::geometry::{Cell, SMALL};
use crate::grid::corners::CornerMap;
use crate::grid::{Edits, Grid, Movement, Squeeze};
use crate::kernels::heuristic::Heuristic;
use crate::kernels::widths::{self, Overflow, Widths};
use crate::path::{Path, PathFault};
use crate::planner::{
    About, Build, BuildError, Config, EditError, Facts, Guarantee, IndexEffort, NoProbe, PathQuery, Planner, PlannerId,
    Probe, Refusal, Requirement, Scratch, config, names, size_bytes,
};

config! {
    /// Block A\*.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct BlockAstar {
        /// What the database measures, and so the kind of paths.
        db: Db ["db": "what the database measures, and so the kind of paths; default octile"],
        /// The size of blocks.
        block: BlockSize ["block": "columns and rows of a block, each from 2 to 8; default auto, which is 8"],
        /// The heuristic for the rest of a path; if `None`, [octile](Heuristic::Octile), or
        /// [euclidean](Heuristic::Euclidean) between corners.
        heuristic: Option<Heuristic> ["heuristic":
            "what the search believes the rest of a path to cost; default octile, euclidean with db=any-angle"],
        /// The order of the open list, for any-angle paths.
        priority: Priority ["priority": "the order of the open list: by f in steps, or exactly as in the paper; default rounded",
            needs BETWEEN_CORNERS],
        /// The squeeze rule of any-angle paths.
        squeeze: Squeeze,
    }
}

/// What an order of the open list other than the default needs.
const BETWEEN_CORNERS: Requirement = Requirement::Value {
    key: "db",
    value: "any-angle",
    only: Some("exact"),
    because: "between cells, the order is always exact",
};

/// The kind of distances in a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Db {
    /// Paths from cell to cell by four neighbours.
    Tile,
    /// Paths from cell to cell by eight neighbours.
    #[default]
    Octile,
    /// Paths of any angle from corner to corner.
    AnyAngle,
}

/// The order in which blocks are taken from the open list, for paths of any angle. Between cells, it is always that of
/// f.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Priority {
    /// By f in steps of about half a block's side; of equal steps, the smallest g first. A block waits until most of
    /// the paths to it have arrived, and is expanded again less often.
    #[default]
    Rounded,
    /// By f, as in the paper.
    Exact,
}

names! {
    Db { Tile = "tile", Octile = "octile", AnyAngle = "any-angle" }
    Priority { Rounded = "rounded", Exact = "exact" }
}

static ABOUT: About = About {
    name: "block-astar",
    summary: "searches over blocks of cells, with a database of the distances inside them",
    paper: "Yap, Burch, Holte & Schaeffer 2011",
    index: IndexEffort::None,
    variants: &[
        "block-astar:block=4",
        "block-astar:block=2,heuristic=zero",
        "block-astar:block=2,heuristic=euclidean",
        "block-astar:block=5",
        "block-astar:block=3",
        "block-astar:block=5x3",
        "block-astar:db=tile",
        "block-astar:db=tile,block=4",
        "block-astar:db=tile,block=2x7",
        "block-astar:db=any-angle",
        "block-astar:db=any-angle,block=4",
        "block-astar:db=any-angle,block=4,priority=exact",
        "block-astar:db=any-angle,block=3x6",
        "block-astar:db=any-angle,block=2,heuristic=zero",
        "block-astar:db=any-angle,squeeze=forbidden",
        "block-astar:db=any-angle,squeeze=forbidden,block=4",
        "block-astar:db=any-angle,squeeze=forbidden,block=7x4",
        "block-astar:db=any-angle,smooth=greedy",
        "block-astar:db=any-angle,ends=centres",
    ],
};

impl BlockAstar {
    fn distances(&self) -> Distances {
        match (self.db, self.squeeze) {
            (Db::Tile, _) => Distances::Tile,
            (Db::Octile, _) => Distances::Octile,
            (Db::AnyAngle, Squeeze::Allowed) => Distances::AnyAngle,
            (Db::AnyAngle, Squeeze::Forbidden) => Distances::NoSqueeze,
        }
    }

    fn build_on<P: Traced>(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        let distances = self.distances();
        let file = build.index(distances.kind()).filter(|_| self.block.is_complete());
        let database = file.map(|file| Lddb::from_artifact(file, distances).map(Arc::new)).transpose()?;
        Ok(Box::new(BlockPlanner::<P>::new(self, build.grid(), database)))
    }
}

impl Config for BlockAstar {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self) -> Result<(), Refusal> {
        Refusal::when(
            self.db == Db::AnyAngle && self.heuristic == Some(Heuristic::Octile),
            "heuristic",
            "the octile distance is above the length of a straight line: use heuristic=euclidean",
        )
    }

    fn facts(&self) -> Facts {
        let facts = match self.db {
            Db::Tile => Facts::optimal(ABOUT.name, &[Movement::Tile]),
            Db::Octile => Facts::optimal(ABOUT.name, &[Movement::Octile]),
            Db::AnyAngle => Facts::any_angle(ABOUT.name, Guarantee::AnyAngle, self.squeeze),
        };
        // For larger blocks, the patterns cannot all be computed in advance.
        if self.block.is_complete() { facts.indexes(self.distances().kinds()) } else { facts }
    }

    fn set_squeeze(&mut self, squeeze: Squeeze) {
        self.squeeze = squeeze;
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        if self.db == Db::AnyAngle { self.build_on::<Corners>(build) } else { self.build_on::<Cells>(build) }
    }
}

/// Block A\* between [`Cells`] or [`Corners`] of a map.
#[derive(Clone, Debug)]
struct BlockPlanner<P> {
    id: PlannerId,
    facts: Facts,
    map: CornerMap,
    blocks: Blocks,
    distances: Distances,
    heuristic: Heuristic,
    /// The lowest bits of f that the order of the open list leaves out.
    rounding: u32,
    /// For each lane, the number of its point on the rim.
    numbers: [[u8; LANES]; 4],
    points: std::marker::PhantomData<P>,
}

/// Scratch memory of [`BlockPlanner`].
#[derive(Debug)]
struct BlockScratch {
    widths: Widths<Memory<Narrow>>,
}

size_bytes!(BlockScratch: widths);

impl<P: Traced> BlockPlanner<P> {
    /// The planner of a config for a map, with a database of all patterns if it is not the one of the process.
    fn new(config: &BlockAstar, grid: &Grid, database: Option<Arc<Lddb>>) -> Self {
        let (size, distances) = (config.block, config.distances());
        let usual = if P::EXTRA == 0 { Heuristic::Octile } else { Heuristic::Euclidean };
        // For larger blocks, a database of all patterns would not fit into memory.
        let database = size.is_complete().then(|| database.unwrap_or_else(|| Lddb::shared(distances)));
        let number = |lane| lane_number::<P>(size, lane).unwrap_or(0) as u8;
        Self {
            id: PlannerId::new(),
            facts: config.facts(),
            map: CornerMap::new(grid, squeeze(distances)),
            blocks: Blocks::new::<P>(grid, size, distances, database),
            distances,
            heuristic: config.heuristic.unwrap_or(usual),
            rounding: if config.priority == Priority::Exact { 0 } else { P::rounding(size) },
            numbers: std::array::from_fn(|side| std::array::from_fn(|lane| number((side, lane)))),
            points: std::marker::PhantomData,
        }
    }
}

impl<P: Traced> BlockPlanner<P> {
    fn grid(&self) -> &Grid {
        self.map.grid()
    }

    #[inline(always)]
    fn size(&self) -> BlockSize {
        self.blocks.size
    }

    fn is_tile(&self) -> bool {
        self.distances == Distances::Tile
    }

    /// The first and the last cell of a block that are on the map.
    fn cells_of(&self, block: usize) -> (Cell, Cell) {
        let (x, y) = self.blocks.origin(block);
        let (width, height) = (self.grid().width(), self.grid().height());
        let last = Cell::new((x as u32 - 1).min(width - 1), (y as u32 - 1).min(height - 1));
        (Cell::new((x - self.size().width()) as u32, (y - self.size().height()) as u32), last)
    }

    /// The position on the map of a point of a block.
    fn on_map(&self, (block, (x, y)): At) -> (usize, usize) {
        let origin = self.blocks.origin(block);
        (origin.0 + x - self.size().width(), origin.1 + y - self.size().height())
    }

    /// The blocks with the point of a cell. If no path may squeeze through a pinch at that point, only the block of the
    /// cell itself.
    fn owners(&self, cell: Cell) -> Owners {
        let at = self.blocks.of(cell);
        if P::EXTRA == 0 || self.is_pinch(cell) { Owners::new([at].into_iter()) } else { self.sharing(at) }
    }

    fn is_pinch(&self, cell: Cell) -> bool {
        let free = |dx: u32, dy: u32| self.grid().is_free(Cell::new(cell.x.wrapping_sub(dx), cell.y.wrapping_sub(dy)));
        self.map.squeeze() == Squeeze::Forbidden && free(1, 1) && !free(1, 0) && !free(0, 1)
    }

    /// The blocks with a point: corners on a border are shared.
    fn sharing(&self, at: At) -> Owners {
        if P::EXTRA == 0 {
            return Owners::new([at].into_iter());
        }
        let (block, (x, y)) = at;
        let (stride, width, height) = (self.blocks.stride, self.size().width(), self.size().height());
        let columns = [Some((0, x)), (x == 0).then_some((-1, width)), (x == width).then_some((1, 0))];
        let rows = [Some((0, y)), (y == 0).then_some((-1, height)), (y == height).then_some((1, 0))];
        let blocks = rows.into_iter().flatten().flat_map(|(dy, y)| {
            columns
                .into_iter()
                .flatten()
                .map(move |(dx, x)| (block.wrapping_add_signed(dy * stride as isize + dx), (x, y)))
        });
        Owners::new(blocks.filter(|&(block, _)| self.blocks.is_open(block)))
    }

    /// The length of the shortest path inside a block that has both ends, if any.
    fn inside(&self, start: Cell, goal: Cell, trail: &mut Vec<(usize, usize)>) -> Option<u32> {
        let goals = self.owners(goal);
        let mut best = None;
        for &(block, _) in self.owners(start).iter().filter(|start| goals.iter().any(|goal| goal.0 == start.0)) {
            let origin = self.on_map((block, (0, 0)));
            let ends = (point_of(start), point_of(goal));
            best = inside::path::<P>(self.size(), self.grid(), self.map.squeeze(), origin, ends, trail);
            if best.is_some() {
                break;
            }
        }
        best
    }
}

/// The point of a cell on the map: the cell itself, or its upper left corner.
fn point_of(cell: Cell) -> (usize, usize) {
    (cell.x as usize, cell.y as usize)
}

/// Up to four blocks that share a point.
#[derive(Clone, Copy)]
struct Owners {
    blocks: [At; 4],
    len: usize,
}

impl Owners {
    fn new(blocks: impl Iterator<Item = At>) -> Self {
        let mut owners = Self { blocks: [(0, (0, 0)); 4], len: 0 };
        for block in blocks {
            owners.blocks[owners.len] = block;
            owners.len += 1;
        }
        owners
    }
}

impl std::ops::Deref for Owners {
    type Target = [At];

    fn deref(&self) -> &[At] {
        &self.blocks[..self.len]
    }
}

/// The squeeze rule of paths with these distances. It does not matter between cells, and `Forbidden` saves recording
/// which cells touch at corners.
fn squeeze(distances: Distances) -> Squeeze {
    if distances == Distances::AnyAngle { Squeeze::Allowed } else { Squeeze::Forbidden }
}

impl<P: Traced> BlockPlanner<P> {
    fn run(&self, scratch: &mut BlockScratch, query: PathQuery, out: &mut Path, probe: Option<&mut dyn Probe>) -> bool {
        let (is_watched, mut nobody) = (probe.is_some(), NoProbe);
        let probe = probe.unwrap_or(&mut nobody);
        let search = Search { planner: self, query, out, probe, inside: None };
        scratch.widths.run_plain(&mut Watchable { search, is_watched })
    }
}

/// One query, with or without a probe.
struct Watchable<'a, 'p, P> {
    search: Search<'a, P, dyn Probe + 'p>,
    is_watched: bool,
}

impl<P: Traced> widths::Search for Watchable<'_, '_, P> {
    type Memory = Memory<Narrow>;

    /// The maximum of a path through a block plus the heuristic beyond it.
    fn farthest(&self) -> u64 {
        let planner = self.search.planner;
        let grid = planner.grid();
        let side = u64::from(grid.width().max(grid.height())) + planner.size().area() as u64;
        2 * side * u64::from(Narrow::DIAGONAL)
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        self.search.memory()
    }

    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        let Search { planner, query, out, .. } = &mut self.search;
        let answer = if SMALL {
            self.search.run_in_vectors(memory)
        } else if self.is_watched {
            None
        } else {
            Search { planner: *planner, query: *query, out, probe: &mut NoProbe, inside: None }.run_in_vectors(memory)
        };
        answer.unwrap_or_else(|| self.search.run_narrow(memory))
    }

    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        self.search.run_wider(memory)
    }
}

impl<P: Traced> Planner for BlockPlanner<P> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        self.map.grid()
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        if P::EXTRA == 0 { self.grid().may_connect(start, goal) } else { self.map.may_connect(start, goal) }
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(self.id, BlockScratch { widths: Widths::new(Memory::new(&self.blocks)) })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        Ok(self.run(scratch.get(), query, out, probe))
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        if self.map.apply(edits)? {
            self.blocks.follow::<P>(self.map.grid(), edits);
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.blocks.size_bytes()
    }
}

#[cfg(test)]
#[path = "block_astar_tests.rs"]
mod tests;
