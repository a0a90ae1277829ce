//! Terrain jump: jump search on maps whose cells have prices.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: the moves that may follow at each cell, and bit planes
//!   of where scans stop: 5 to 20 ms for 512 x 512 cells, 60 ms in noise; follows edits of prices and walls at a cost
//!   proportional to them.
//! - **Complexity**: time O(n log n) for n cells, in practice a small share of them; scratch O(n); tables of 5 bytes
//!   per cell and 32 per node.
//! - **References**: Carlson, Moghadam, Harabor, Stuckey & Ebrahimi, "Optimal Pathfinding on Weighted Grid Maps", AAAI
//!   2023.
//! - **Deviations**: 1. the moves that may follow a move are computed once from the prices of the 3x3 cells around and
//!   stored, and scans and walks read bits; 2. ties are broken by one order of all paths, diagonal moves first, so that
//!   the rules cannot contradict each other, and a node that is reached twice at the same cost takes the moves that
//!   follow either way; 3. walks along diagonals scan rows and columns in place, and skip scans to a side where the
//!   straight move is already beaten.
//!
//! On a map with one price it runs the search of [`corner-sweep`](super::corner_sweep). Where most cells have
//! neighbours of other prices, such as in noise, it runs the search of [`astar`]: there jumps are single
//! moves, and cost more than those. [`Planner::chosen`] returns which one it runs, and edits may change it.
//!
//! # Example
//! ```
//! use octile::{Engine, Grid, TerrainJump};
//! let grid: Grid = "1911\n1911\n1111".parse()?; // prices
//! let path = Engine::new(TerrainJump::default(), &grid)?.find((0, 0), (2, 0))?.expect("they are connected");
//! assert_eq!(path.cost().length(), 6.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod diagonals;
mod expand;
mod follow;
mod lines;
mod nodes;
mod search;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::cache::{Cache, Changes, FLAG_BITS, Forget, Memo, Remember};
use self::search::{AnyOf, Memory, One, Paused, Reached, Search, Target};
use self::tables::{Land, Tables};
use super::astar::{self, AstarPlanner};
use crate::geometry::units::{Narrow, Units, Width};
use crate::geometry::{Cell, GridCost, SMALL};
use crate::grid::planes::Planes;
use crate::grid::{Edits, Grid, Ground, Movement, area};
use crate::kernels::jump_points::{self, JumpScratch, JumpSearch, Scan};
use crate::kernels::pause::Pause;
use crate::kernels::widths::{self, Overflow, Widths};
use crate::path::{Output, Path, PathFault};
use crate::planner::{
    About, AnyGoalQuery, Build, BuildError, Config, EditError, Facts, IndexEffort, Native, NoProbe, PathQuery, Planner,
    PlannerId, Probe, Scratch, SizeBytes, config, size_bytes,
};

config! {
    /// Jump search on maps whose cells have prices.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct TerrainJump {
        /// Whether to cache, from one query to the next, the successors of each node, on maps where that does not cost
        /// time. An edit drops the entries it touches.
        cache: bool ["cache": "whether to remember from one query to the next what comes after each node; default off"],
    }
}

static ABOUT: About = About {
    name: "terrain-jump",
    summary: "jump search over cells with prices",
    paper: "after Carlson, Moghadam, Harabor, Stuckey & Ebrahimi 2023",
    index: IndexEffort::None,
    variants: &["terrain-jump:cache=on"],
};

impl Config for TerrainJump {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &[Movement::Octile, Movement::OctileCutting])
            .takes_terrain(true)
            .native(&[Native::ManyGoals, Native::Slices])
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        Ok(Box::new(TerrainJumpPlanner::new(build.grid(), self.cache)))
    }
}

/// How a map is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Over the corners of obstacles: the map has one price.
    Corners,
    /// Over the cells where scans and walks stop.
    Jumps,
    /// From cell to cell: most cells are nodes.
    Cells,
}

/// If more than this share of the free cells are nodes, A* is as fast or faster. Measured: patches of 8 cells have a
/// share of .25 to .44 and take half the time, noise has .88 and more and takes as long or longer.
const MOST_NODES: f64 = 0.6;

/// Caches are not used if more than this share of the free cells are nodes: when nodes are so close together, a scan
/// costs no more than a lookup in a large table. Measured with 200 different queries, warm: at .15 they take .79 to .84
/// of the time, at .26 .95 to 1.03, at .66 1.1.
const MOST_REMEMBERED: f64 = 0.2;

/// Terrain jump on a map.
#[derive(Clone, Debug)]
struct TerrainJumpPlanner {
    id: PlannerId,
    facts: Facts,
    grid: Grid,
    way: Way,
    /// Present once the map has had one price.
    planes: Option<Arc<Planes>>,
    /// Present once the map has had several prices.
    tables: Option<Arc<Tables>>,
    /// The factor by which the prices in the tables are multiplied.
    unit: u8,
    /// The changes for the caches of scratches, if those may exist: for corners, and for nodes.
    changes: Option<(Arc<jump_points::Changes>, Arc<Changes>)>,
}

/// The prices of a map, if it has any.
fn land<'a>(grid: &'a Grid, ground: &'a Ground) -> Land<'a> {
    Land {
        prices: ground.prices(),
        stride: grid.stride() as usize,
        convention: ground.convention(),
        cuts: grid.movement() == Movement::OctileCutting,
    }
}

impl TerrainJumpPlanner {
    fn new(grid: &Grid, caches: bool) -> Self {
        let changes = caches.then(|| (Arc::new(jump_points::Changes::new(grid)), Arc::new(Changes::new(grid))));
        let (id, facts, grid) = (PlannerId::new(), TerrainJump::default().facts(), grid.clone());
        let mut planner = Self { id, facts, grid, way: Way::Cells, planes: None, tables: None, unit: 1, changes };
        planner.choose();
        planner
    }

    /// The share of free cells that are nodes.
    fn share(&self, tables: &Tables) -> f64 {
        f64::from(tables.nodes.count()) / f64::from(self.grid.free_cells().max(1))
    }

    /// The changes that caches of nodes follow, if caches are used on the current map.
    fn remembered(&self, tables: &Tables) -> Option<&Changes> {
        let (_, changes) = self.changes.as_ref()?;
        (self.share(tables) <= MOST_REMEMBERED && tables.nodes.end() < 1 << (u32::BITS - FLAG_BITS)).then_some(changes)
    }

    /// Decides how to search the current map, and builds what that needs.
    fn choose(&mut self) {
        let is_octile = self.grid.movement() == Movement::Octile;
        self.way = match self.grid.ground() {
            None if is_octile => Way::Corners,
            None => Way::Cells,
            Some(ground) if is_octile && ground.is_even() => Way::Corners,
            Some(ground) => {
                if self.tables.is_none() || self.unit != ground.unit() {
                    self.tables = Some(Arc::new(Tables::build(&land(&self.grid, ground))));
                    self.unit = ground.unit();
                    self.renumber();
                }
                let is_crowded = self.tables.as_deref().is_some_and(|tables| self.share(tables) > MOST_NODES);
                if is_crowded { Way::Cells } else { Way::Jumps }
            }
        };
        if self.way == Way::Corners {
            self.planes.get_or_insert_with(|| Arc::new(Planes::build(&self.grid)));
        }
    }

    /// The nodes have been renumbered.
    fn renumber(&mut self) {
        if let Some((_, nodes)) = &mut self.changes {
            Arc::make_mut(nodes).forget();
        }
    }

    /// A search from cell to cell.
    fn cells(&self) -> AstarPlanner {
        AstarPlanner::standing_in(self.id, self.facts, &self.grid)
    }

    /// Sets the cost of a path over cells of one price.
    fn price(&self, out: &mut Path) -> Result<(), PathFault> {
        let Some((ground, moves)) = self.grid.ground().zip(out.cost().grid()) else { return Ok(()) };
        let counts = moves.checked_mul(ground.least_counts());
        out.set_priced(counts.and_then(|counts| ground.path_cost(counts)).ok_or(PathFault::TooDear)?);
        Ok(())
    }

    /// Searches over the corners of obstacles, by a function that receives the probe to use.
    fn over_corners<T>(
        &self,
        corners: &mut Option<JumpScratch>,
        probe: Option<&mut dyn Probe>,
        search: impl FnOnce(&Planes, &mut JumpScratch, Option<&mut dyn Probe>) -> T,
    ) -> Option<T> {
        let planes = self.planes.as_deref()?;
        let jumps = corners.get_or_insert_with(|| JumpScratch::new(planes));
        let times = self.grid.ground().map(|ground| f64::from(ground.least_counts()) * ground.count_value());
        match (probe, times) {
            (Some(probe), Some(times)) => Some(search(planes, jumps, Some(&mut Scaled { probe, times }))),
            (probe, _) => Some(search(planes, jumps, probe)),
        }
    }

    /// Searches over nodes. Returns the goal that was found, if any.
    fn over_nodes<T: Target>(
        &self,
        scratch: &mut NodeScratch,
        start: Cell,
        target: T,
        output: Output,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<Option<u32>, PathFault> {
        let (Some(ground), Some(tables)) = (self.grid.ground(), self.tables.as_deref()) else { return Ok(None) };
        let changes = self.remembered(tables);
        let (grid, NodeScratch { widths, cache, hops, pause }) = (&self.grid, scratch);
        let mut jumps =
            Jumps { grid, ground, tables, changes, start, target, output, cache, hops, pause, out, probe, found: None };
        widths.run(&mut jumps).map_err(|Overflow| PathFault::TooDear)?;
        Ok(jumps.found)
    }
}

impl Planner for TerrainJumpPlanner {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        let mut scratch = JumpsScratch { corners: None, corner_cache: None, nodes: None, cells: None };
        match self.way {
            Way::Corners => {
                scratch.corners = self.planes.as_deref().map(JumpScratch::new);
            }
            Way::Jumps => scratch.nodes = Some(NodeScratch::new(self.tables.as_deref())),
            Way::Cells => scratch.cells = Some(self.cells().create_scratch()),
        }
        Scratch::new(self.id, scratch)
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let scratch: &mut JumpsScratch = scratch.get();
        match self.way {
            Way::Corners => {
                let JumpsScratch { corners, corner_cache, .. } = scratch;
                let grid = &self.grid;
                let found = self.over_corners(corners, probe, |planes, jumps, probe| match &self.changes {
                    Some((changes, _)) if jump_points::Changes::pays(grid, planes) => {
                        let cache = corner_cache.get_or_insert_with(|| jump_points::Cache::new(grid, changes));
                        cache.follow(changes);
                        let remember = jump_points::Remember { cache, changes, grid };
                        JumpSearch::new(grid, planes, remember).find(None, jumps, query, out, probe)
                    }
                    _ => JumpSearch::new(grid, planes, Scan).find(None, jumps, query, out, probe),
                });
                let found = found.unwrap_or_default();
                if found {
                    self.price(out)?;
                }
                Ok(found)
            }
            Way::Jumps => {
                let nodes = scratch.nodes.get_or_insert_with(|| NodeScratch::new(self.tables.as_deref()));
                let PathQuery { start, goal, output } = query;
                Ok(self.over_nodes(nodes, start, One(goal), output, out, probe)?.is_some())
            }
            Way::Cells => {
                let cells = self.cells();
                cells.search(scratch.cells.get_or_insert_with(|| cells.create_scratch()), query, out, probe)
            }
        }
    }

    fn search_any(
        &self,
        scratch: &mut Scratch,
        query: AnyGoalQuery<'_>,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Option<Result<Option<usize>, PathFault>> {
        let scratch: &mut JumpsScratch = scratch.get();
        Some(match self.way {
            Way::Corners => {
                let found = self.over_corners(&mut scratch.corners, probe, |planes, jumps, probe| {
                    JumpSearch::new(&self.grid, planes, Scan).find_any(jumps, query, out, probe)
                });
                let found = found.flatten();
                if found.is_some() { self.price(out).map(|()| found) } else { Ok(None) }
            }
            Way::Jumps => {
                let nodes = scratch.nodes.get_or_insert_with(|| NodeScratch::new(self.tables.as_deref()));
                let found = self.over_nodes(nodes, query.start, AnyOf(query.goals), query.output, out, probe);
                found.map(|found| found.map(|place| place as usize))
            }
            Way::Cells => {
                let cells = self.cells();
                return cells.search_any(
                    scratch.cells.get_or_insert_with(|| cells.create_scratch()),
                    query,
                    out,
                    probe,
                );
            }
        })
    }

    fn go_on(&self, scratch: &mut Scratch) {
        let JumpsScratch { corners, nodes, cells, .. } = scratch.get();
        match (self.way, corners, nodes, cells) {
            (Way::Corners, Some(corners), ..) => corners.go_on(),
            (Way::Jumps, _, Some(nodes), _) => nodes.pause.go_on(),
            (Way::Cells, .., Some(cells)) => self.cells().go_on(cells),
            _ => {}
        }
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        let changed = self.grid.change(edits)?;
        if !changed.is_any() {
            return Ok(());
        }
        if let Some((corners, nodes)) = &mut self.changes {
            Arc::make_mut(corners).apply(&changed);
            Arc::make_mut(nodes).follow(edits);
        }
        if let Some(planes) = &mut self.planes {
            Arc::make_mut(planes).apply(&self.grid, &changed);
        }
        if let Some((tables, ground)) = self.tables.as_mut().zip(self.grid.ground()) {
            let (tables, land) = (Arc::make_mut(tables), land(&self.grid, ground));
            // First the rows of a block that was given cell by cell, then the block.
            area::joined(edits.areas(), 2).for_each(|area| tables.apply(&land, area));
            if tables.tidy() {
                self.renumber();
            }
        }
        self.choose();
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        let planes = self.planes.as_ref().map_or(0, |planes| planes.size_bytes());
        planes + self.tables.as_ref().map_or(0, |tables| tables.size_bytes())
    }

    fn chosen(&self) -> Option<&str> {
        match self.way {
            Way::Corners if self.changes.is_some() => Some(jump_points::CACHED_SPEC),
            Way::Corners => Some(jump_points::SPEC),
            Way::Jumps => None,
            Way::Cells => Some(astar::NAME),
        }
    }
}

/// Multiplies the lengths that a search over moves reports to a probe.
struct Scaled<'a> {
    probe: &'a mut dyn Probe,
    times: f64,
}

impl Probe for Scaled<'_> {
    fn stops(&mut self, least: f64) -> bool {
        self.probe.stops(least * self.times)
    }

    fn reached(&mut self, cell: Cell, first: bool) {
        self.probe.reached(cell, first);
    }

    fn expanded(&mut self, cell: Cell) {
        self.probe.expanded(cell);
    }

    fn touched(&mut self, cell: Cell) {
        self.probe.touched(cell);
    }
}

/// Scratch memory of [`TerrainJumpPlanner`]: for the ways in which maps were searched so far.
struct JumpsScratch {
    corners: Option<JumpScratch>,
    corner_cache: Option<jump_points::Cache>,
    nodes: Option<NodeScratch>,
    cells: Option<Scratch>,
}

impl SizeBytes for JumpsScratch {
    fn size_bytes(&self) -> usize {
        self.corners.size_bytes()
            + self.corner_cache.size_bytes()
            + self.nodes.size_bytes()
            + self.cells.as_ref().map_or(0, Scratch::size_bytes)
    }
}

/// Scratch memory of a search over nodes.
struct NodeScratch {
    widths: Widths<Memory<Narrow>>,
    cache: Option<Cache>,
    /// The last path.
    hops: Vec<Cell>,
    pause: Pause<Paused>,
}

size_bytes!(NodeScratch: widths, cache, hops);

impl NodeScratch {
    fn new(tables: Option<&Tables>) -> Self {
        let narrow = Memory::new(tables.map_or(0, |tables| tables.nodes.end() + 1));
        Self { widths: Widths::new(narrow), cache: None, hops: Vec::new(), pause: Pause::default() }
    }
}

/// One query over nodes.
struct Jumps<'a, 'p, T> {
    grid: &'a Grid,
    ground: &'a Ground,
    tables: &'a Tables,
    changes: Option<&'a Changes>,
    start: Cell,
    target: T,
    output: Output,
    cache: &'a mut Option<Cache>,
    hops: &'a mut Vec<Cell>,
    pause: &'a mut Pause<Paused>,
    out: &'a mut Path,
    probe: Option<&'a mut (dyn Probe + 'p)>,
    /// The goal that was found.
    found: Option<u32>,
}

impl<T: Target> widths::Search for Jumps<'_, '_, T> {
    type Memory = Memory<Narrow>;

    /// A hop and the estimate at its end: each is at most one side of the map, all diagonal.
    fn farthest(&self) -> u64 {
        let side = u64::from(self.grid.width().max(self.grid.height()));
        let counts = u64::from(self.ground.greatest_counts()) + u64::from(self.ground.least_counts());
        (side + 1) * counts * 3 / 2 * u64::from(Narrow::STRAIGHT)
    }

    fn resumes_in(&self) -> Option<Width> {
        self.pause.going_on().map(|paused| paused.width)
    }

    fn nodes_over_terrain(&self) -> Option<usize> {
        Some(self.tables.nodes.end() + 1)
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(self.tables.nodes.end() + 1)
    }

    /// Specialised for speed without a probe, with and without a cache; small programs share one instance.
    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        let found = match (&self.probe, self.changes) {
            (None, Some(changes)) => {
                let nodes = &self.tables.nodes;
                let mut cache = self.cache.take().unwrap_or_else(|| Cache::new(changes));
                cache.follow(changes, nodes);
                let memo = &mut Remember { cache: &mut cache, changes, nodes };
                let found = if SMALL {
                    self.watched(memory, &mut Some(memo))
                } else {
                    self.search(self.target, memory, memo, &mut NoProbe)
                };
                *self.cache = Some(cache);
                found
            }
            _ if SMALL => self.watched(memory, &mut None::<&mut Remember<'_>>),
            (None, None) => self.search(self.target, memory, &mut Forget, &mut NoProbe),
            (Some(_), _) => self.watched(memory, &mut Forget),
        };
        self.answer(memory, found?)
    }

    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let found = self.watched(memory, &mut Forget)?;
        self.answer(memory, found)
    }
}

impl<T: Target> Jumps<'_, '_, T> {
    /// As [`search`](Jumps::search), compiled once for all probes and targets.
    fn watched<U: Units>(
        &mut self,
        memory: &mut Memory<U>,
        memo: &mut impl Memo<U::Cost>,
    ) -> Result<Option<Reached<U::Cost>>, Overflow> {
        let (mut watching, target, mut nobody) = (self.probe.take(), self.target, NoProbe);
        let probe: &mut dyn Probe = match &mut watching {
            Some(probe) => *probe,
            None => &mut nobody,
        };
        let found = self.search(AnyOf(target.goals()), memory, memo, probe);
        self.probe = watching;
        found
    }

    fn search<U: Units, P: Probe + ?Sized>(
        &mut self,
        target: impl Target,
        memory: &mut Memory<U>,
        memo: &mut impl Memo<U::Cost>,
        probe: &mut P,
    ) -> Result<Option<Reached<U::Cost>>, Overflow> {
        let land = land(self.grid, self.ground);
        let (least, unit) = (self.ground.least().into(), self.ground.count_value());
        let (tables, start, pause) = (self.tables, self.start, &mut *self.pause);
        Search { land, tables, least, start, target, unit, pause, probe }.run(memory, memo)
    }

    /// Writes the path that was found.
    fn answer<U: Units>(&mut self, memory: &Memory<U>, found: Option<Reached<U::Cost>>) -> Result<bool, Overflow> {
        let Some(Reached { cost, goal, from }) = found else { return Ok(false) };
        self.hops.clear();
        if self.output != Output::Cost {
            Search::<T, NoProbe>::trace(memory, self.target.goal(goal), from, self.hops);
        }
        self.out.set_hops(self.output, self.hops, moves(self.hops));
        self.out.set_priced(self.ground.path_cost(U::decode(cost)).ok_or(Overflow)?);
        self.found = Some(goal);
        Ok(true)
    }
}

/// The moves of a path over hops, each diagonal first, then straight.
fn moves(hops: &[Cell]) -> GridCost {
    let moves = hops.windows(2).map(|hop| {
        let (dx, dy) = (hop[0].x.abs_diff(hop[1].x), hop[0].y.abs_diff(hop[1].y));
        (dx.abs_diff(dy), dx.min(dy))
    });
    let (straight, diagonal) = moves.fold((0, 0), |sum, hop| (sum.0 + hop.0, sum.1 + hop.1));
    GridCost::new(straight, diagonal)
}

#[cfg(test)]
mod way_tests {
    use super::*;
    use crate::grid::Convention;

    /// The way a map is searched follows its edits, there and back.
    #[test]
    fn ways_follow_the_map() {
        let grid = Grid::from_prices(60, 50, Convention::Average, |_| 3).unwrap();
        let mut planner = TerrainJumpPlanner::new(&grid, false);
        assert_eq!(planner.way, Way::Corners);
        planner.apply(Edits::new().price_rect((10, 10), (30, 30), 6)).unwrap();
        assert_eq!((planner.way, planner.chosen()), (Way::Jumps, None));
        let mut noise = Edits::new();
        for cell in grid.cells() {
            noise.price(cell, 1 + ((cell.x * 7 + cell.y * 13) % 5) as u8);
        }
        planner.apply(&noise).unwrap();
        assert_eq!((planner.way, planner.chosen()), (Way::Cells, Some("astar")));
        planner.apply(Edits::new().price_rect((0, 0), (59, 49), 9)).unwrap();
        assert_eq!((planner.way, planner.chosen()), (Way::Corners, Some("corner-sweep")));
        let tables = planner.tables.as_deref().expect("they are kept");
        assert!(*tables == Tables::build(&land(&planner.grid, planner.grid.ground().unwrap())));
    }

    /// Caches are for maps whose nodes are not too close together.
    #[test]
    fn caches_are_used_where_they_pay() {
        let is_used = |patch: u32| {
            let price = |cell: Cell| 1 + ((cell.x / patch + cell.y / patch) % 2) as u8;
            let grid = Grid::from_prices(100, 100, Convention::Enter, price).unwrap();
            let planner = TerrainJumpPlanner::new(&grid, true);
            planner.remembered(planner.tables.as_deref().unwrap()).is_some()
        };
        assert!(is_used(32) && !is_used(4));
    }
}
