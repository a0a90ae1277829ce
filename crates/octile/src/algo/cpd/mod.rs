//! Compressed path databases: the first move of an optimal path between any two cells, computed in advance.
//!
//! - **Guarantee**: grid-optimal; complete. When the map changes, the database goes stale. [`Repair`] decides what
//!   happens then: paths stay optimal (the default), or paths are repaired around new obstacles, and only legal paths
//!   are promised.
//! - **Preprocessing**: a search from every cell, so time O(n²) for n free cells: two seconds of one core for 10,000
//!   cells, a minute for 50,000. The database is in a [file](crate::artifact) that is memory-mapped, not read. After
//!   edits, a [renewal](Builder::renew) builds only the rows that are wrong.
//! - **Complexity**: a query takes one lookup per turn of the path, or, with `ties=mask`, per move. No search, no
//!   scratch memory. The first path also computes a table of 16 bytes per cell from the map (some milliseconds); first
//!   moves do not need the table.
//! - **References**: Botea, "Ultra-fast Optimal Pathfinding without Runtime Search", 2011; Strasser, Botea & Harabor,
//!   "Compressing Optimal Paths with Run Length Encoding", 2015 (runs, wildcards, heuristic symbol); Salvetti et al.,
//!   "Two-Oracle Optimal Path Planning on Grid Maps", 2018 (lookups at turns); Sankaranarayanan, Alborzi & Samet,
//!   "Efficient Query Processing on Spatial Networks", 2005 (quad-trees).
//! - **Deviations**: 1. besides the paper's rectangles and tie-breaking there are runs, quad-trees, and sets of optimal
//!   moves; runs with the heuristic symbol are the default, as they are smaller and as fast; 2. unreachable cells fit
//!   into any record; 3. paths are followed from turn to turn; 4. with `share=rows`, neighbouring cells share a row
//!   where one is right for all of them.
//!
//! # Example
//! ```
//! use octile::algo::cpd::CpdPlanner;
//! use octile::{Cell, Cpd, Engine, Grid, GridCost};
//! use octile::geometry::Dir;
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let planner = CpdPlanner::build(&grid, &Cpd::default())?;
//! let (start, goal) = (Cell::new(0, 2), Cell::new(2, 2));
//! assert_eq!(planner.first_move(start, goal)?, Some(Dir::N));
//! assert_eq!(planner.moves(start, goal)?.take(3).collect::<Vec<_>>(), [Dir::N, Dir::N, Dir::E]);
//! let path = Engine::from_planner(planner).find(start, goal)?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bits;
mod build;
mod file;
mod layout;
mod moves;
mod order;
mod renew;
mod repair;
mod settings;
mod share;
mod stations;
mod symbols;
mod walk;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use self::build::{Builder, MAX_ROW_BYTES, TooLarge};
use self::file::Database;
pub use self::file::{MergeError, Stats, merge};
pub use self::layout::Layout;
use self::layout::Lookup;
pub use self::order::Order;
pub use self::renew::Renewed;
use self::renew::Searches;
pub use self::repair::Repair;
use self::repair::RepairScratch;
pub use self::settings::Settings;
pub use self::symbols::Ties;
use self::walk::{Ground, Next, Walk};
use super::astar::{Find, OpenList};
use crate::artifact::Artifact;
use crate::geometry::{Cell, Dir, Weight};
use crate::grid::{Edits, Grid, Movement};
use crate::kernels::cells::CellScratch;
use crate::kernels::estimate::Estimate;
use crate::path::{GridWriter, Path, PathFault};
use crate::planner::{
    About, AnyGoalQuery, Budget, Build, BuildError, BuiltIndex, Config, EditError, End, Facts, FirstMoves, Guarantee,
    IndexBuild, IndexEffort, IndexKind, IndexView, Indexes, OnEdit, PathQuery, Planner, PlannerId, Probe, Progress,
    QueryError, Repairs, Requirement, Scratch, Takes, config, names, size_bytes,
};

config! {
    /// A planner over a compressed path database. Options that are not set are as in its index file, or else the
    /// defaults of the layout.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct Cpd {
        /// How the database is compressed.
        layout: Option<Layout> ["layout": "how the database is compressed; default runs"],
        /// The order of the targets in runs.
        order: Option<Order> ["order": "the order of the targets that runs are runs of; default dfs"],
        /// Which of several optimal first moves a lookup may return.
        ties: Option<Ties> ["ties":
            "which of several optimal first moves it may give: any, one decided beforehand, or any diagonal one if there is \
             one; default diagonals for runs and diagonal-first for other layouts. With mask a path needs a lookup for every \
             move"],
        /// Whether a symbol stands for the move that geometry suggests.
        symbol: Option<bool> ["symbol":
            "whether a symbol stands for the move that geometry suggests; default heuristic for runs and none for other layouts",
            takes Takes::Words(&["heuristic", "none"])],
        /// Whether rows of rectangles leave out those of the most frequent move.
        default_move: Option<bool> ["default":
            "whether a row of rectangles leaves out those of its most frequent move; default none",
            takes Takes::Words(&["move", "none"]), needs RECTANGLES],
        /// Whether neighbouring sources share a row where one is valid for all of them.
        share: Option<bool> ["share":
            "whether neighbouring cells share a row of the database where one is right for all of them, which makes it \
             smaller; default none",
            takes Takes::Words(&["rows", "none"])],
        /// How paths are read from the database.
        follow: Follow ["follow":
            "whether paths are followed from turn to turn or with a lookup for every move; default turns where ties allow it"],
        /// What to do after the map has changed.
        repair: Repair ["repair":
            "where the map has changed, search anew, or go around obstacles from where the unit stands or from the cell \
             before the obstacle; default exact"],
    }
}

/// How paths are read from a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Follow {
    /// From turn to turn. If the ties of the database do not allow that, as [`Moves`](Follow::Moves).
    #[default]
    Turns,
    /// With one lookup per move, as in the paper.
    Moves,
}

/// What the key `default` requires.
const RECTANGLES: Requirement = Requirement::Value {
    key: "layout",
    value: "rectangles",
    only: Some("move"),
    because: "only rectangles can be left out",
};

names! { Follow { Turns = "turns", Moves = "moves" } }

static ABOUT: About = About {
    name: "cpd",
    summary: "compressed path database: paths between any two cells without a search",
    paper: "Botea 2011",
    index: IndexEffort::AllPairs,
    variants: &[
        "cpd:follow=moves",
        "cpd:layout=runs,order=hilbert,ties=mask,symbol=none",
        "cpd:layout=rectangles",
        "cpd:layout=rectangles,ties=mask,symbol=heuristic,default=move",
        "cpd:layout=quadtree",
        "cpd:layout=uncompressed",
        "cpd:share=rows",
        "cpd:layout=rectangles,share=rows",
        "cpd:repair=unit",
        "cpd:repair=obstacle",
    ],
};

/// The kind of the index.
pub const KIND: &str = "cpd";

/// The version of the index sections.
const VERSION: u32 = 1;

/// The steps of a build per pair of free cells.
const STEPS_PER_PAIR: u64 = 2;

/// The maximum number of free cells of a map whose database can be built within a budget of steps.
///
/// ```
/// use octile::algo::cpd;
/// use octile::planner::Budget;
/// assert_eq!(cpd::most_cells(Budget::AT_ONCE), 24_494);
/// ```
pub fn most_cells(budget: Budget) -> u32 {
    (budget.steps / STEPS_PER_PAIR).isqrt().try_into().unwrap_or(u32::MAX)
}

/// The index.
pub(crate) const INDEX: IndexKind = IndexKind {
    kind: KIND,
    version: VERSION,
    summary: "a compressed path database: the first move between any two cells",
    build: IndexBuild::InParts(|build, settings| {
        Ok(Box::new(Builder::new(build.grid(), settings.parse()?)?.within(build.budget().bytes)))
    }),
    describe: file::describe,
};

/// The map has too many cells to build its database right away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cells} free cells (at most {most} are done at once)")]
pub struct TooManyCells {
    /// The number of free cells of the map.
    pub cells: u32,
    /// The maximum number for which a database is built right away.
    pub most: u32,
}

impl Config for Cpd {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        // On a changed map, the paper's repairs promise only a legal path.
        let promised = if self.repair == Repair::Exact { Guarantee::GridOptimal } else { Guarantee::Legal };
        let facts = Facts::optimal(ABOUT.name, &Movement::ALL).promising(promised);
        facts.on_edit(OnEdit::GoesStale).indexes(&[KIND])
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        let (cells, most) = (build.grid().free_cells(), most_cells(build.budget()));
        if build.index(KIND).is_some() {
            return Ok(Box::new(CpdPlanner::build(build, self)?));
        }
        if let Some(renewed) = self.renewed(build)? {
            let indexes = Indexes::from([renewed]);
            return Ok(Box::new(CpdPlanner::build(build.clone().with(indexes), self)?));
        }
        if cells > most {
            return Err(BuildError::takes_long(ABOUT.name, KIND, TooManyCells { cells, most }));
        }
        Ok(Box::new(CpdPlanner::build(build, self)?))
    }
}

impl Cpd {
    /// The database for the map of a build, made from the one of an earlier map if there is one and that is worthwhile
    /// and within the budget.
    fn renewed(&self, build: &Build<'_>) -> Result<Option<Artifact>, BuildError> {
        let Some(earlier) = build.earlier(KIND) else { return Ok(None) };
        BuildError::check(self, build)?;
        let builder = Builder::new(build.grid(), Settings::of(self, Settings::default()))?.within(build.budget().bytes);
        let sources = u64::from(builder.sources());
        let in_all = build.budget().steps / (STEPS_PER_PAIR * sources.max(1));
        let searches = Searches { to_find: builder.searches_to_renew(), in_all };
        let renewed = builder.renew_until(earlier, searches, &tell_rows(build, sources), build.cancel())?;
        Ok(renewed.map(|renewed| Artifact::from_bytes(renewed.file.finish().into())).transpose()?)
    }
}

/// Reports each row that is done as progress.
fn tell_rows<'a>(build: &'a Build<'_>, all: u64) -> impl Fn() + Sync + 'a {
    let done = AtomicU64::new(0);
    move || build.tell(Progress::new("sources", done.fetch_add(1, Ordering::Relaxed) + 1, all))
}

/// A planner over a compressed path database, which also returns single moves.
#[derive(Clone, Debug)]
pub struct CpdPlanner {
    id: PlannerId,
    facts: Facts,
    database: Database,
    lookup: Lookup,
    grid: Grid,
    follow: Follow,
    repair: Repair,
}

impl CpdPlanner {
    /// Builds the database of a map and keeps it in memory, or opens it from an index file. The build is limited by the
    /// bytes of the budget, not by its time.
    ///
    /// A file is read once to verify it, and rejected if it is damaged. Of a [trusted](Artifact::trusted) file only the
    /// header is read, so opening a large file takes no longer than a small one. Damage may then cost time or make
    /// paths longer than necessary, but never produces an illegal move.
    ///
    /// ```
    /// use octile::algo::cpd::{CpdPlanner, Layout};
    /// use octile::{Cpd, Grid};
    /// let planner = CpdPlanner::build(&Grid::open(8, 8)?, &Cpd::default().layout(Layout::Rectangles))?;
    /// assert_eq!(planner.settings().layout, Layout::Rectangles);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database would be too large; or if the file is damaged, of another kind, only a part of a database, built
    /// for another map or movement rule, or does not match the config.
    pub fn build<'a>(build: impl Into<Build<'a>>, config: &Cpd) -> Result<Self, BuildError> {
        let build = build.into();
        BuildError::check(config, &build)?;
        let artifact = if let Some(artifact) = build.index(KIND) {
            Arc::clone(artifact)
        } else {
            let builder = Builder::new(build.grid(), Settings::of(config, Settings::default()))?;
            let builder = builder.within(build.budget().bytes);
            let on_row = tell_rows(&build, builder.sources().into());
            let bytes = builder.part_until(0..builder.sources(), &on_row, build.cancel())?.finish();
            Arc::new(Artifact::from_bytes(bytes.into())?)
        };
        let grid = build.grid().clone();
        let database = Database::open(artifact, &grid)?;
        let asked = Settings::of(config, database.settings);
        if asked != database.settings {
            let found = database.settings.to_string();
            return Err(BuildError::IndexSettings { planner: ABOUT.name, found, asked: asked.to_string() });
        }
        let lookup = Lookup::new(database.settings.layout, database.widths);
        let (id, facts) = (PlannerId::new(), config.facts());
        Ok(Self { id, facts, database, lookup, grid, follow: config.follow, repair: config.repair })
    }

    /// The settings of the database.
    pub fn settings(&self) -> Settings {
        self.database.settings
    }

    /// The first move of an optimal path: one lookup, however long the path is. `None` if start and goal are the same,
    /// not connected, or unknown to the database.
    ///
    /// ```
    /// use octile::algo::cpd::CpdPlanner;
    /// use octile::{Cpd, Grid};
    /// use octile::geometry::Dir;
    /// let grid: Grid = "...\n.@.".parse()?;
    /// let planner = CpdPlanner::build(&grid, &Cpd::default())?;
    /// assert_eq!(planner.first_move((0, 1), (2, 1))?, Some(Dir::N));
    /// assert_eq!(planner.first_move((0, 1), (0, 1))?, None, "it is there");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn first_move(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<Option<Dir>, QueryError> {
        let (start, goal) = (start.into(), goal.into());
        self.check(start, goal)?;
        if start == goal || !self.grid.may_connect(start, goal) {
            return Ok(None);
        }
        let legal = self.grid.moves(start);
        // A walk would need the table of stations, which takes a moment to compute.
        let look_up = || {
            let view = self.database.view();
            let symbol = self.lookup.symbol(view.row(view.place(start))?, &view.target(goal)?)?;
            walk::direction(symbol, || symbols::greedy(|dir| legal.contains(dir), start, goal))
        };
        Ok(look_up().filter(|&dir| legal.contains(dir)))
    }

    /// The rectangles that the map is cut into for the first moves from a cell, for visualization: each from its upper
    /// left to its lower right cell, in the order in which lookups examine them. `None` for other layouts.
    ///
    /// ```
    /// use octile::algo::cpd::{CpdPlanner, Layout};
    /// use octile::{Cell, Cpd, Grid};
    /// let planner = CpdPlanner::build(&Grid::open(3, 1)?, &Cpd::default().layout(Layout::Rectangles))?;
    /// assert_eq!(planner.rectangles((0, 0))?, Some(vec![(Cell::new(1, 0), Cell::new(2, 0))])); // east to both
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the cell is off the map or blocked.
    pub fn rectangles(&self, start: impl Into<Cell>) -> Result<Option<Vec<(Cell, Cell)>>, QueryError> {
        let start = start.into();
        self.check(start, start)?;
        let view = self.database.view();
        let mut areas = view.row(view.place(start)).and_then(|row| self.lookup.rectangles(row));
        // A malformed file may contain any numbers.
        let is_area = |&(min, max): &(Cell, Cell)| min.x <= max.x && min.y <= max.y && self.grid.contains(max);
        if let Some(areas) = &mut areas {
            areas.retain(is_area);
        }
        Ok(areas)
    }

    /// The moves of an optimal path one by one, each looked up on demand: `take` as many as a unit can make now. Never
    /// searches.
    ///
    /// ```
    /// use octile::algo::cpd::CpdPlanner;
    /// use octile::{Cpd, Grid};
    /// use octile::geometry::Dir;
    /// let grid: Grid = "...\n.@.".parse()?;
    /// let planner = CpdPlanner::build(&grid, &Cpd::default())?;
    /// let moves: Vec<Dir> = planner.moves((0, 1), (2, 1))?.collect();
    /// assert_eq!(moves, [Dir::N, Dir::E, Dir::E, Dir::S]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn moves(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<MoveIter<'_>, QueryError> {
        let (start, goal) = (start.into(), goal.into());
        self.check(start, goal)?;
        let walk = self.grid.may_connect(start, goal).then(|| self.walk(start, goal)).flatten();
        Ok(MoveIter { walk, goal, leg: (Dir::N, 0), left: self.most_moves() })
    }

    fn check(&self, start: Cell, goal: Cell) -> Result<(), QueryError> {
        QueryError::check(&self.grid, End::Start, start)?;
        QueryError::check(&self.grid, End::Goal, goal)
    }

    /// A walk on the map of the database, between two connected cells.
    fn walk(&self, start: Cell, goal: Cell) -> Option<Walk<'_>> {
        let (grid, view, lookup) = (&self.grid, self.database.view(), self.lookup);
        let follows_lines = self.follow == Follow::Turns
            && self.database.settings.ties.prefer_diagonals()
            && grid.movement() == Movement::Octile;
        let stations = self.database.stations(grid);
        Walk::new(Ground { view, lookup, stations, grid, now: None, follows_lines }, start, goal)
    }

    /// More moves than any path of a valid database has.
    fn most_moves(&self) -> u32 {
        self.grid.free_cells()
    }

    /// Follows the database until it reaches the goal, or a move is illegal.
    fn follow(
        &self,
        mut walk: Walk,
        goal: Cell,
        trace: &mut GridWriter<'_>,
        probe: &mut Option<&mut dyn Probe>,
    ) -> Followed {
        let mut left = self.most_moves();
        while walk.at != goal {
            if let Some(probe) = probe {
                probe.touched(walk.at);
            }
            match walk.next_leg() {
                Next::Leg(dir, steps) if steps <= left => {
                    left -= steps;
                    trace.go(dir, steps);
                }
                Next::Barred => return Followed::Barred(walk.at),
                Next::Leg(..) | Next::Broken => return Followed::Broken,
            }
        }
        Followed::Arrived
    }

    /// The path of the database, if all its moves are legal: in a damaged file they may not be.
    fn followed(&self, query: PathQuery, out: &mut Path, probe: &mut Option<&mut dyn Probe>) -> Option<()> {
        let PathQuery { start, goal, .. } = query;
        let mut trace = out.write(query.output, start);
        match self.follow(self.walk(start, goal)?, goal, &mut trace, probe) {
            Followed::Arrived => {
                trace.finish();
                Some(())
            }
            Followed::Barred(_) | Followed::Broken => None,
        }
    }

    /// Searches, because the database is damaged.
    fn searched(
        &self,
        scratch: &mut CpdScratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> bool {
        let cells = scratch.cells.get_or_insert_with(|| Box::new(CellScratch::new(&self.grid)));
        let (CellScratch { widths, pause }, estimate) = (&mut **cells, Estimate::Weighted(Weight::ONE));
        let query = AnyGoalQuery { start: query.start, goals: &[query.goal], output: query.output };
        widths.run_plain(&mut Find::new(&self.grid, estimate, OpenList::Heap, query, pause, out, probe))
    }
}

/// The paths of the database, with detours around new obstacles.
impl Repairs for CpdPlanner {
    fn repaired(
        &self,
        scratch: &mut Scratch,
        now: &Grid,
        query: PathQuery,
        out: &mut Path,
        probe: &mut Option<&mut dyn Probe>,
    ) -> Option<bool> {
        let PathQuery { start, goal, .. } = query;
        let mut trace = out.write(query.output, start);
        let (mut at, mut left) = (start, self.most_moves());
        loop {
            let here = trace.mark();
            match self.follow(self.walk(at, goal)?.on(now), goal, &mut trace, probe) {
                Followed::Arrived => break,
                Followed::Broken => return None,
                Followed::Barred(before_obstacle) => {
                    if self.repair == Repair::Unit {
                        trace.back_to(here);
                    }
                    let from = if self.repair == Repair::Unit { at } else { before_obstacle };
                    let scratch: &mut CpdScratch = scratch.get();
                    let repair = scratch.repair.get_or_insert_with(|| Box::new(RepairScratch::new(&self.grid)));
                    // Every detour ends nearer to the goal, unless the database is damaged and leads in circles.
                    left = repair.mark(self.walk(before_obstacle, goal)?, goal, left, &self.grid)?;
                    // A search without a result has visited everything.
                    let Some((way, end)) = repair.find_way(now, from, probe) else { return Some(false) };
                    way.iter().rev().for_each(|&dir| trace.go(dir, 1));
                    at = end;
                }
            }
        }
        trace.finish();
        Some(true)
    }
}

/// How a walk ended.
enum Followed {
    Arrived,
    /// The next move from this cell is illegal.
    Barred(Cell),
    /// The database is damaged.
    Broken,
}

impl Planner for CpdPlanner {
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
        Scratch::new(self.id, CpdScratch { repair: None, cells: None })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        mut probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let is_known = self.followed(query, out, &mut probe).is_some();
        Ok(is_known || self.searched(scratch.get(), query, out, probe))
    }

    fn index(&self) -> Option<IndexView<'_>> {
        let index = IndexView::fixed().with_first_moves(self);
        Some(if self.repair == Repair::Exact { index } else { index.with_repairs(self) })
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        EditError::refuse(ABOUT.name, &self.grid, edits)
    }

    fn index_bytes(&self) -> usize {
        self.database.size_bytes()
    }

    fn built_index(&self) -> Option<BuiltIndex> {
        Some(BuiltIndex::new(self.database.file(), self.grid.clone()))
    }
}

impl FirstMoves for CpdPlanner {
    fn first_move(&self, start: Cell, goal: Cell) -> Option<Dir> {
        Self::first_move(self, start, goal).ok().flatten()
    }

    fn areas(&self, start: Cell) -> Option<Vec<(Cell, Cell)>> {
        self.rectangles(start).ok().flatten()
    }
}

/// Scratch memory of [`CpdPlanner`], for repairs and damaged files: empty until a query needs it.
#[derive(Debug)]
struct CpdScratch {
    repair: Option<Box<RepairScratch>>,
    cells: Option<Box<CellScratch>>,
}

size_bytes!(CpdScratch: repair, cells);

/// The moves of a path, looked up one by one; see [`CpdPlanner::moves`].
#[derive(Debug)]
pub struct MoveIter<'a> {
    /// `None` once the path has ended.
    walk: Option<Walk<'a>>,
    goal: Cell,
    /// Moves that are already known.
    leg: (Dir, u32),
    /// Limits the moves: a damaged database may lead in circles.
    left: u32,
}

impl Iterator for MoveIter<'_> {
    type Item = Dir;

    fn next(&mut self) -> Option<Dir> {
        if self.leg.1 == 0 {
            let walk = self.walk.as_mut().filter(|walk| walk.at != self.goal)?;
            match walk.next_leg() {
                Next::Leg(dir, steps) if steps <= self.left => {
                    self.left -= steps;
                    self.leg = (dir, steps);
                }
                Next::Leg(..) | Next::Barred | Next::Broken => {
                    self.walk = None;
                    return None;
                }
            }
        }
        self.leg.1 -= 1;
        Some(self.leg.0)
    }
}

impl std::iter::FusedIterator for MoveIter<'_> {}
