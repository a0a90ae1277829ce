//! Block A\*: search over blocks of cells, with a database of all distances inside them.
//!
//! - **Guarantee**: between cells (`db=tile`, `db=octile`) grid-optimal, in exact arithmetic; between corners
//!   (`db=any-angle`) never longer than the shortest grid path between them. Complete. **Preprocessing**: reading the map's
//!   blocks, about a millisecond for 512 x 512 cells; the database, once for all maps, some hundredths of a second or the time to
//!   open a [file](lddb). An edit re-reads its block.
//! - **Complexity**: time O(n log n) for n blocks, each with work in proportion to its border; scratch O(n).
//! - **Reference**: Yap, Burch, Holte & Schaeffer, "Block A\*: Database-Driven Search with Applications in Any-Angle
//!   Path-Planning", 2011.
//! - **Deviations**: 1. a block's heap value is infinite while it is not on the open list: line 9 of Algorithm 1 read
//!   literally loses paths; 2. moves to the blocks at a block's corners, and diagonal ones across its sides: without them
//!   octile costs are too high; 3. blocks with the goal use the same heuristic as all: the exact distance inside the block is
//!   not admissible, as the way may lead out and in again; 4. start and goal in one block: the way inside it is one candidate; 5.
//!   lanes that another ingress lane reaches as cheaply are skipped; 6. outdated heap entries are skipped when they come out;
//!   7. blocks of 8 x 8 cells, which the paper's complete database cannot have: their tables are made when first wanted; 8.
//!   paths are found from exact costs instead of back pointers; inside a block the inflection points of the database are used.
//!
//! # Example
//! ```
//! use octile::{Cell, Finder, Grid};
//! let grid: Grid = "........\n.@@@@@@.\n........".parse()?;
//! let mut finder = Finder::new("block-astar", &grid)?;
//! let path = finder.find(Cell::new(1, 0), Cell::new(7, 2))?.expect("they are connected");
//! assert_eq!(path.cost().to_string(), "8");
//! let mut finder = Finder::new("block-astar:db=any-angle", &grid)?;
//! let path = finder.find(Cell::new(0, 0), Cell::new(7, 2))?.expect("they are connected");
//! assert!(path.length() < 8.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(clippy::inline_always, reason = "code is compiled for vectors only where it is inlined into code that is")]
#![expect(private_bounds, reason = "the traits behind sizes and points are closed: nothing outside can implement them")]

mod blocks;
mod inside;
mod lanes;
pub mod lddb;
mod points;
mod search;
mod tables;
mod trace;

use std::sync::Arc;

use self::blocks::Blocks;
use self::lanes::{BlockSize, Size};
use self::lddb::{Distances, Lddb};
use self::points::place;
pub use self::points::{Cells, Corners, Points};
use self::search::{At, BlockMemories, Memory, Search, Watched};
use self::tables::rim_number;
use self::trace::Traced;
use super::widths::Widths;
use super::{Entry, HEURISTIC_KEY, Heuristic, IndexEffort, Key};
use crate::error::{BuildError, EditError, SpecError};
use crate::grid::Movement;
use crate::grid::corners::CornerMap;
use crate::grid::sight::Squeeze;
use crate::planner::{Guarantee, Planner, Query};
use crate::probe::Probe;
use crate::spec::Options;
use crate::units::{Narrow, Units};
use crate::{Cell, Edits, Finder, Grid, Path};

/// The line of [`BlockAstar`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "block-astar",
    summary: "searches over blocks of cells, with a database of the distances inside them",
    guarantee: |options| {
        let of_cells = Config::from_options(options).unwrap_or_default().distances.of_cells();
        if of_cells { Cells::GUARANTEE } else { Corners::GUARANTEE }
    },
    index: IndexEffort::None,
    movements: |options| match Config::from_options(options).unwrap_or_default().distances {
        Distances::Tile => &[Movement::Tile],
        _ => &[Movement::Octile],
    },
    keys: &[
        Key {
            name: "db",
            takes: "tile, octile or any-angle",
            help: "what the database measures, and so the kind of paths; octile unless told",
        },
        Key {
            name: "block",
            takes: "2, 4, 5, 8 or auto",
            help: "cells along the side of a block; auto unless told, which is 8",
        },
        Key {
            help: "what the search believes the rest of a path to cost; octile unless told, euclidean with db=any-angle",
            ..HEURISTIC_KEY
        },
    ],
    paper: "Yap, Burch, Holte & Schaeffer 2011",
    variants: &[
        "block-astar:block=4",
        "block-astar:block=2,heuristic=zero",
        "block-astar:block=2,heuristic=euclidean",
        "block-astar:block=5",
        "block-astar:db=tile",
        "block-astar:db=tile,block=4",
        "block-astar:db=any-angle",
        "block-astar:db=any-angle,block=4",
        "block-astar:db=any-angle,block=2,heuristic=zero",
        "block-astar:db=any-angle,squeeze=forbidden",
        "block-astar:db=any-angle,squeeze=forbidden,block=4",
        "block-astar:db=any-angle,smooth=greedy",
    ],
    check: |options| Config::from_options(options).map(drop),
    indexes: |options| {
        let config = Config::from_options(options).unwrap_or_default();
        if config.block.is_complete() { vec![config.distances.kind()] } else { Vec::new() }
    },
    build,
};

/// How many cells the side of a block has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockSide {
    /// Two.
    Two,
    /// Four: the largest of which all patterns are in the database.
    Four,
    /// Five.
    Five,
    /// Eight: a pattern is one machine word. The fastest on all maps that were tried.
    #[default]
    Eight,
}

impl BlockSide {
    /// Whether all patterns are in the database.
    fn is_complete(self) -> bool {
        matches!(self, Self::Two | Self::Four)
    }
}

/// How [`BlockAstar`] searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// What the database measures.
    pub distances: Distances,
    /// How large blocks are.
    pub block: BlockSide,
    /// What the search believes the rest of a path to cost.
    pub heuristic: Heuristic,
}

impl Default for Config {
    fn default() -> Self {
        Self { distances: Distances::Octile, block: BlockSide::default(), heuristic: Heuristic::Octile }
    }
}

impl Config {
    fn from_options(options: &Options) -> Result<Self, SpecError> {
        let squeeze = options.squeeze()?.unwrap_or_default();
        let distances = options.value("db", |value| match (value, squeeze) {
            ("tile", _) => Some(Distances::Tile),
            ("octile", _) => Some(Distances::Octile),
            ("any-angle", Squeeze::Allowed) => Some(Distances::AnyAngle),
            ("any-angle", Squeeze::Forbidden) => Some(Distances::NoSqueeze),
            _ => None,
        })?;
        let distances = distances.unwrap_or(Distances::Octile);
        let block = options.value("block", |value| match value {
            "2" => Some(BlockSide::Two),
            "4" => Some(BlockSide::Four),
            "5" => Some(BlockSide::Five),
            "8" | "auto" => Some(BlockSide::Eight),
            _ => None,
        })?;
        if !distances.of_cells() {
            let why = "the octile distance is above the length of a straight line: use heuristic=euclidean";
            options.refuse(HEURISTIC_KEY.name, |value| value == "octile", why)?;
        }
        let usual = if distances.of_cells() { Heuristic::Octile } else { Heuristic::Euclidean };
        Ok(Self {
            distances,
            block: block.unwrap_or_default(),
            heuristic: Heuristic::from_options(options)?.unwrap_or(usual),
        })
    }
}

fn build(grid: &Grid, options: &Options) -> Result<Finder, BuildError> {
    let config = Config::from_options(options)?;
    if config.distances.of_cells() {
        build_sized::<Cells>(grid, options, config)
    } else {
        build_sized::<Corners>(grid, options, config)
    }
}

fn build_sized<P: Traced>(grid: &Grid, options: &Options, config: Config) -> Result<Finder, BuildError> {
    match config.block {
        BlockSide::Two => build_one::<P, 2>(grid, options, config),
        BlockSide::Four => build_one::<P, 4>(grid, options, config),
        BlockSide::Five => build_one::<P, 5>(grid, options, config),
        BlockSide::Eight => build_one::<P, 8>(grid, options, config),
    }
}

fn build_one<P: Traced, const S: usize>(grid: &Grid, options: &Options, config: Config) -> Result<Finder, BuildError>
where
    Size<S>: BlockSize<S>,
{
    let kind = config.distances.kind();
    let file = if config.block.is_complete() { options.indexes().get(kind) } else { None };
    let database = file.map(|file| Lddb::from_artifact(file, config.distances).map(Arc::new)).transpose()?;
    Ok(Finder::from_planner(BlockAstar::<P, S>::with_database(grid, config.distances, config.heuristic, database)))
}

/// Block A\* between [`Cells`] or [`Corners`], with blocks of `S` x `S` cells: 2, 4, 5 or 8.
#[derive(Clone, Debug)]
pub struct BlockAstar<P, const S: usize = 8> {
    map: CornerMap,
    blocks: Blocks<S>,
    distances: Distances,
    heuristic: Heuristic,
    /// The numbers of the lanes' points on the rim.
    numbers: [[u8; S]; 4],
    points: std::marker::PhantomData<P>,
}

/// Working memory of [`BlockAstar`].
#[derive(Debug)]
pub struct BlockScratch<const S: usize> {
    widths: Widths<BlockMemories<S>>,
}

impl<const S: usize> BlockAstar<Cells, S>
where
    Size<S>: BlockSize<S>,
{
    /// A planner of grid paths, under the movement rule of `grid`.
    ///
    /// # Errors
    /// If that is neither [`Movement::Octile`] nor [`Movement::Tile`].
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &[Movement::Octile, Movement::Tile])?;
        let distances = if grid.movement() == Movement::Tile { Distances::Tile } else { Distances::Octile };
        Ok(Self::with_database(grid, distances, Heuristic::Octile, None))
    }
}

impl<const S: usize> BlockAstar<Corners, S>
where
    Size<S>: BlockSize<S>,
{
    /// A planner of any-angle paths.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn new(grid: &Grid, squeeze: Squeeze) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &[Movement::Octile])?;
        let distances = if squeeze == Squeeze::Forbidden { Distances::NoSqueeze } else { Distances::AnyAngle };
        Ok(Self::with_database(grid, distances, Heuristic::Euclidean, None))
    }
}

impl<P: Traced, const S: usize> BlockAstar<P, S>
where
    Size<S>: BlockSize<S>,
{
    fn with_database(grid: &Grid, distances: Distances, heuristic: Heuristic, database: Option<Arc<Lddb>>) -> Self {
        let number = |lane| rim_number::<P, S>(place::<P, S>(lane)).expect("lanes are on the rim") as u8;
        Self {
            map: CornerMap::new(grid, squeeze(distances)),
            blocks: Blocks::new::<P>(grid, distances, Size::<S>::source(distances, database)),
            distances,
            heuristic,
            numbers: std::array::from_fn(|side| std::array::from_fn(|lane| number((side, lane)))),
            points: std::marker::PhantomData,
        }
    }
}

impl<P: Traced, const S: usize> BlockAstar<P, S> {
    fn grid(&self) -> &Grid {
        self.map.grid()
    }

    fn is_tile(&self) -> bool {
        self.distances == Distances::Tile
    }

    /// The cells of a block that are on the map: the first and the last.
    fn cells_of(&self, block: usize) -> (Cell, Cell) {
        let (x, y) = self.blocks.origin(block);
        let (width, height) = (self.grid().width(), self.grid().height());
        let last = Cell::new((x as u32 - 1).min(width - 1), (y as u32 - 1).min(height - 1));
        (Cell::new((x - S) as u32, (y - S) as u32), last)
    }

    /// The point of a block on the map.
    fn on_map(&self, (block, (x, y)): At) -> (usize, usize) {
        let origin = self.blocks.origin(block);
        (origin.0 + x - S, origin.1 + y - S)
    }

    /// The blocks with the point of a cell. Where none may squeeze through a corner, it is on its own cell's side only.
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
        let stride = self.blocks.stride;
        let columns = [Some((0, x)), (x == 0).then_some((-1, S)), (x == S).then_some((1, 0))];
        let rows = [Some((0, y)), (y == 0).then_some((-1, S)), (y == S).then_some((1, 0))];
        let blocks = rows.into_iter().flatten().flat_map(|(dy, y)| {
            columns
                .into_iter()
                .flatten()
                .map(move |(dx, x)| (block.wrapping_add_signed(dy * stride as isize + dx), (x, y)))
        });
        Owners::new(blocks.filter(|&(block, _)| self.blocks.is_open(block)))
    }

    /// The length of the shortest path inside a block that has both ends, if there is one.
    fn inside(&self, start: Cell, goal: Cell, trail: &mut Vec<(usize, usize)>) -> Option<u32> {
        let goals = self.owners(goal);
        let mut best = None;
        for &(block, _) in self.owners(start).iter().filter(|start| goals.iter().any(|goal| goal.0 == start.0)) {
            let origin = self.on_map((block, (0, 0)));
            let ends = (point_of(start), point_of(goal));
            best = inside::path::<P, S>(self.grid(), self.map.squeeze(), origin, ends, trail);
            if best.is_some() {
                break;
            }
        }
        best
    }
}

/// The point of a cell on the map: the cell itself, or the corner at its upper left.
fn point_of(cell: Cell) -> (usize, usize) {
    (cell.x as usize, cell.y as usize)
}

/// Up to four blocks with one point.
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

/// The rule of paths through such distances. Between cells none squeezes: their map need not know which cells touch at corners.
fn squeeze(distances: Distances) -> Squeeze {
    if distances == Distances::AnyAngle { Squeeze::Allowed } else { Squeeze::Forbidden }
}

impl<P: Traced, const S: usize> Planner for BlockAstar<P, S>
where
    Size<S>: BlockSize<S>,
{
    type Scratch = BlockScratch<S>;

    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn guarantee(&self) -> Guarantee {
        P::GUARANTEE
    }

    fn grid(&self) -> &Grid {
        self.map.grid()
    }

    fn squeeze(&self) -> Option<Squeeze> {
        (P::EXTRA == 1).then(|| self.map.squeeze())
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        if P::EXTRA == 0 { self.grid().may_connect(start, goal) } else { self.map.may_connect(start, goal) }
    }

    fn create_scratch(&self) -> BlockScratch<S> {
        BlockScratch { widths: Widths::new(Memory::new(&self.blocks)) }
    }

    fn accepts(&self, scratch: &BlockScratch<S>) -> bool {
        scratch.widths.narrow.fits(&self.blocks)
    }

    fn search<Pr: Probe + ?Sized>(
        &self,
        scratch: &mut BlockScratch<S>,
        query: Query,
        out: &mut Path,
        probe: &mut Pr,
    ) -> bool {
        // The way through a block and the estimate beyond it.
        let side = u64::from(self.grid().width().max(self.grid().height())) + (S * S) as u64;
        let farthest = 2 * side * u64::from(Narrow::DIAGONAL);
        if Size::<S>::HAS_VECTORS {
            return scratch.widths.run(farthest, &mut Search { planner: self, query, out, probe, inside: None });
        }
        let probe: &mut dyn Probe = &mut Watched(probe);
        scratch.widths.run(farthest, &mut Search { planner: self, query, out, probe, inside: None })
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.map.apply(edits)?;
        self.blocks.follow::<P>(self.map.grid(), edits);
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.blocks.size_bytes()
    }
}

#[cfg(test)]
#[path = "block_astar_tests.rs"]
mod tests;
