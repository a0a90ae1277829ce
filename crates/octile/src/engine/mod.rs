//! The types that programs hold: [`Engine`], shared by threads, and [`Finder`], for one thread.
//!
//! All handles of an engine share one planner. A query takes a snapshot of the planner and a scratch from a pool. An
//! edit makes a new snapshot: a query in progress completes on the old one, and the next query uses the new one. If no
//! query is in progress, the planner changes in place, so the edit costs what the planner needs for it. Otherwise the
//! edit goes to a second copy, which first catches up with the edits it has missed; then the two copies are swapped. So
//! only the first such edit copies the map. A planner can also be rebuilt in the background; it replaces the old one
//! once it has caught up with the edits.

mod agents;
mod batch;
mod chase;
mod finder;
mod matrix;
mod nearest;
mod pool;
mod renewal;
mod routes;
mod slices;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use web_time::Instant;

use self::agents::Family;
pub use self::batch::Ask;
pub use self::chase::Chase;
pub use self::finder::Finder;
pub use self::matrix::Matrix;
pub use self::nearest::KNearest;
use self::pool::Pool;
pub use self::renewal::{RenewError, Renewal, Renewed, SlicedRenewal, Upkeep};
use self::renewal::{RenewalState, Source};
pub use self::routes::Routes;
pub use self::slices::Pending;
use crate::catalog::{PlannerSpec, lasting_shared};
use crate::geometry::{Cell, Endpoints};
use crate::grid::{Edits, Grid, Squeeze};
use crate::path::Path;
use crate::planner::{
    Answer, AnswerSummary, Build, BuildError, EditError, Guarantee, OnEdit, Planner, Probe, Query, QueryError, Scratch,
};
use crate::services::Field;

/// A planner shared by any number of threads, on a map that can change while they search. Cheap to clone: all clones
/// are one engine.
///
/// ```
/// use octile::{CornerSweep, Edits, Engine, Grid};
/// let grid: Grid = "......\n.@@@@.\n......".parse()?;
/// let engine = Engine::new(CornerSweep::default(), &grid)?; // or "corner-sweep"
/// let other = engine.clone();
/// std::thread::spawn(move || {
///     let path = other.find((0, 1), (5, 1)).unwrap().expect("they are connected");
///     assert_eq!(path.cost().to_string(), "7");
/// }).join().unwrap();
///
/// engine.apply(Edits::new().free_rect((1, 1), (4, 1)))?; // seen by all clones
/// assert_eq!(engine.find((0, 1), (5, 1))?.unwrap().length(), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    family: Arc<Family>,
    /// The layer that this handle asks: that of the map itself, or that of an agent.
    layer: Arc<Layer>,
}

/// A shared planner on a map that can change.
struct Layer {
    /// What the planner is built from, if that is known.
    source: Option<Source>,
    current: RwLock<Arc<dyn Planner>>,
    pool: Pool,
    writer: Mutex<Writer>,
    /// The number of edits so far.
    edits: AtomicU64,
}

/// State used only by writers.
#[derive(Default)]
struct Writer {
    spare: Option<Spare>,
    last_edit: Option<Duration>,
    renewal: RenewalState,
}

/// A second copy of the planner, some edits behind.
struct Spare {
    planner: Arc<dyn Planner>,
    missed: Vec<Edits>,
}

/// Drop the spare copy, and free its memory, once it is more than this many edits behind.
const MAX_MISSED_EDITS: usize = 64;

impl Spare {
    /// Catches up, then applies the next edit; `None` if a query still uses this copy.
    fn with(mut self, edits: &Edits) -> Option<Result<Arc<dyn Planner>, EditError>> {
        let planner = Arc::get_mut(&mut self.planner)?;
        let caught_up = self.missed.iter().all(|missed| planner.apply(missed).is_ok());
        caught_up.then(|| planner.apply(edits)).map(|applied| applied.map(|()| self.planner))
    }
}

impl Layer {
    fn new(planner: Arc<dyn Planner>, source: Option<Source>) -> Self {
        let (pool, writer, edits) = (Pool::default(), Mutex::default(), AtomicU64::new(0));
        Self { source, current: RwLock::new(planner), pool, writer, edits }
    }

    fn snapshot(&self) -> Arc<dyn Planner> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn apply(self: &Arc<Self>, edits: &Edits) -> Result<(), EditError> {
        let clock = Instant::now();
        let mut writer = self.writer();
        let changed = self.change(&mut writer, edits);
        // Count a failed edit too: caches then check the map again.
        self.edits.fetch_add(1, Ordering::Release);
        changed?;
        writer.renewal.record(edits, clock);
        self.renew_if_stale(&mut writer);
        writer.last_edit = Some(clock.elapsed());
        Ok(())
    }

    fn change(&self, writer: &mut Writer, edits: &Edits) -> Result<(), EditError> {
        // Rebuilding an index takes long: do it on a copy, so that no query waits.
        let rebuilds = self.snapshot().rebuilds_for(edits);
        if !rebuilds && self.change_in_place(|planner| planner.apply(edits)).transpose()?.is_some() {
            if let Some(spare) = &mut writer.spare {
                spare.missed.push(edits.clone());
            }
            writer.spare.take_if(|spare| spare.missed.len() > MAX_MISSED_EDITS);
            return Ok(());
        }
        let spare = writer.spare.take().filter(|_| !rebuilds).and_then(|spare| spare.with(edits));
        let next = spare.unwrap_or_else(|| {
            let mut copy = self.copy();
            copy.apply(edits).map(|()| copy.into())
        })?;
        let before = self.replace(next);
        writer.spare = (!rebuilds).then(|| Spare { planner: before, missed: vec![edits.clone()] });
        Ok(())
    }

    /// Changes the planner in place; `None`, without a change, if somebody else holds it.
    fn change_in_place<T>(&self, change: impl FnOnce(&mut dyn Planner) -> T) -> Option<T> {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let planner = Arc::get_mut(&mut *current)?;
        Some(change(planner))
    }

    /// An unshared copy of the planner.
    fn copy(&self) -> Box<dyn Planner> {
        dyn_clone::clone_box(&*self.snapshot())
    }

    /// Replaces the planner and returns the old one.
    fn replace(&self, planner: Arc<dyn Planner>) -> Arc<dyn Planner> {
        std::mem::replace(&mut *self.current.write().unwrap_or_else(PoisonError::into_inner), planner)
    }
}

impl Engine {
    /// Builds the planner that a config or a spec describes, for `grid`.
    ///
    /// ```
    /// use octile::{Astar, Engine, Grid, HubLabels, PlannerSpec};
    /// use octile::grid::Squeeze;
    /// let grid = Grid::open(10, 10)?;
    /// for engine in [
    ///     Engine::new(HubLabels::default(), &grid)?,
    ///     Engine::new("weighted-astar:weight=2", &grid)?,
    ///     Engine::new(PlannerSpec::from(Astar::default()).smoothed(Squeeze::Allowed), &grid)?,
    /// ] {
    ///     assert!(engine.find((0, 0), (9, 3))?.is_some());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the spec is wrong, or the planner cannot be made for this grid.
    pub fn new<S>(spec: S, grid: &Grid) -> Result<Self, BuildError>
    where
        S: TryInto<PlannerSpec>,
        BuildError: From<S::Error>,
    {
        Self::build(spec, &Build::new(grid))
    }

    /// As [`new`](Engine::new), with everything a [`Build`] can carry: index files to use, and who receives progress.
    ///
    /// ```
    /// use octile::artifact::Artifact;
    /// use octile::{Build, Catalog, Engine, Grid};
    /// use octile::planner::Indexes;
    /// let grid = Grid::open(8, 8)?;
    /// let file = Catalog::standard().index("hub-labels")?.build_for(&grid)?; // saved earlier
    /// let build = Build::new(&grid).with(Indexes::from([Artifact::from_bytes(file.into())?]));
    /// assert!(Engine::build("hub-labels", &build)?.find((0, 0), (7, 3))?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Also if an index file cannot be used.
    pub fn build<S>(spec: S, build: &Build<'_>) -> Result<Self, BuildError>
    where
        S: TryInto<PlannerSpec>,
        BuildError: From<S::Error>,
    {
        let spec: PlannerSpec = spec.try_into()?;
        let planner = spec.build_from(build)?;
        Ok(Self::with(planner.into(), Some(Source::new(&spec, build.budget()))))
    }

    /// Wraps a planner of a known type: your own, or one with methods beyond [`Planner`].
    ///
    /// ```
    /// use octile::algo::cpd::CpdPlanner;
    /// use octile::{Cpd, Engine, Grid};
    /// use octile::geometry::Dir;
    /// let planner = CpdPlanner::build(&Grid::open(8, 8)?, &Cpd::default())?;
    /// assert_eq!(planner.first_move((0, 0), (7, 0))?, Some(Dir::E));
    /// assert_eq!(Engine::from_planner(planner).find((0, 0), (7, 0))?.unwrap().length(), 7.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_planner(planner: impl Planner + 'static) -> Self {
        Self::of(Arc::new(planner) as Arc<dyn Planner>)
    }

    /// Wraps a planner that already exists, as a `Box` or an `Arc`.
    ///
    /// ```
    /// use octile::{Engine, Grid, Jps};
    /// let planner = Jps::default().planner(&Grid::open(8, 8)?)?;
    /// assert_eq!(Engine::of(planner).name(), "jps");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(planner: impl Into<Arc<dyn Planner>>) -> Self {
        Self::with(planner.into(), None)
    }

    fn with(planner: Arc<dyn Planner>, source: Option<Source>) -> Self {
        let layer = Arc::new(Layer::new(lasting_shared(planner), source));
        Self { family: Arc::new(Family::new(Arc::clone(&layer))), layer }
    }

    /// A snapshot of the planner. No edit changes it.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("jps", &Grid::open(3, 1)?)?;
    /// let before = engine.snapshot();
    /// engine.apply(Edits::new().block((1, 0)))?;
    /// assert!(before.grid().is_free((1, 0)) && !engine.grid().is_free((1, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Arc<dyn Planner> {
        self.layer.snapshot()
    }

    /// A finder for one thread. It keeps the current snapshot and has its own scratch.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("jps", &Grid::open(3, 1)?)?;
    /// let mut finder = engine.finder();
    /// engine.apply(Edits::new().block((1, 0)))?;
    /// assert!(finder.find((0, 0), (2, 0))?.is_some() && engine.find((0, 0), (2, 0))?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finder(&self) -> Finder {
        Finder::of(self.snapshot())
    }

    /// A path from `start` to `goal`, or `None` if there is none.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// let engine = Engine::new("jps", &"..@.".parse::<Grid>()?)?;
    /// assert_eq!(engine.find((0, 0), (1, 0))?.unwrap().length(), 1.0);
    /// assert!(engine.find((0, 0), (3, 0))?.is_none(), "not connected");
    /// assert!(engine.find((0, 0), (2, 0)).is_err(), "blocked");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn find(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<Option<Path>, QueryError> {
        let mut path = Path::new();
        Ok(self.plan(Query::new(start, goal), &mut path)?.then_some(path))
    }

    /// Answers a query: overwrites `out` and returns whether there is a path to a goal, or, if the query allows that,
    /// to the nearest cell. A warm call does not allocate.
    ///
    /// ```
    /// use octile::{Engine, Grid, Output, Path, Query};
    /// let engine = Engine::new("corner-sweep", &Grid::open(100, 100)?)?;
    /// let mut path = Path::new(); // reused for many queries
    /// for x in 1..100 {
    ///     assert!(engine.plan(Query::new((0, 0), (x, 50)).output(Output::Cells), &mut path)?);
    ///     assert_eq!(path.cells()?.len(), 1 + x.max(50) as usize);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn plan<'q>(&self, query: impl Into<Query<'q>>, out: &mut Path) -> Result<bool, QueryError> {
        self.with_scratch(|planner, scratch| planner.plan(scratch, query, out))
    }

    /// [`plan`](Engine::plan), watched by a probe.
    ///
    /// ```
    /// use octile::{Engine, Grid, Path, Query};
    /// use octile::planner::Counts;
    /// let engine = Engine::new("theta-star", &Grid::open(9, 9)?)?;
    /// let (mut path, mut counts) = (Path::new(), Counts::default());
    /// engine.plan_probed(Query::new((0, 0), (8, 3)), &mut path, &mut counts)?;
    /// assert!(counts.sights > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`plan`](Engine::plan).
    pub fn plan_probed<'q>(
        &self,
        query: impl Into<Query<'q>>,
        out: &mut Path,
        probe: &mut dyn Probe,
    ) -> Result<bool, QueryError> {
        self.with_scratch(|planner, scratch| planner.plan_probed(scratch, query, out, Some(probe)))
    }

    /// Answers a query in full: a path to a goal, a path to the cell nearest to one, or none; how the search ended, and
    /// which limit ended it.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query, Status};
    /// let engine = Engine::new("corner-sweep", &"...@.".parse::<Grid>()?)?;
    /// let answer = engine.ask(Query::new((0, 0), (4, 0)).nearest())?;
    /// assert_eq!((answer.status(), answer.goal()), (Status::Nearest, Some((2, 0).into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an end is off the map, or blocked where that is not allowed.
    pub fn ask<'q>(&self, query: impl Into<Query<'q>>) -> Result<Answer, QueryError> {
        let mut answer = Answer::new();
        self.ask_into(query, &mut answer)?;
        Ok(answer)
    }

    /// As [`ask`](Engine::ask), into a buffer of the caller. A warm call does not allocate.
    ///
    /// ```
    /// use octile::{Answer, Engine, Grid, Query};
    /// let (engine, mut answer) = (Engine::new("jps", &Grid::open(9, 9)?)?, Answer::new());
    /// for x in 1..9 {
    ///     let reply = engine.ask_into(Query::new((0, 0), (x, 0)).max_cost(4.0), &mut answer)?;
    ///     assert_eq!(reply.limit.is_some(), x > 4);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`ask`](Engine::ask).
    pub fn ask_into<'q>(&self, query: impl Into<Query<'q>>, answer: &mut Answer) -> Result<AnswerSummary, QueryError> {
        self.with_scratch(|planner, scratch| planner.ask(scratch, query, answer, None))
    }

    /// Calls `ask` with the current snapshot and a scratch from the pool.
    fn with_scratch<T>(&self, ask: impl FnOnce(&dyn Planner, &mut Scratch) -> T) -> T {
        let planner = self.snapshot();
        let mut scratch = self.layer.pool.take(&*planner);
        let answer = ask(&*planner, &mut scratch);
        self.layer.pool.put(scratch);
        answer
    }

    /// Changes the map for all clones of this engine. A query in progress completes on the old map.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("corner-sweep", &Grid::open(3, 1)?)?;
    /// engine.apply(Edits::new().block((1, 0)))?;
    /// assert!(engine.find((0, 0), (2, 0))?.is_none());
    /// assert!(engine.apply(Edits::new().free((1, 0)).free((3, 0))).is_err(), "off the map");
    /// assert!(!engine.grid().is_free((1, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell is off the map, or the planner [refuses](OnEdit::Refuses) the edit; then nothing has changed. If the
    /// planner of an [agent](Engine::for_agent) refuses, the map has still changed, for all other agents too; that
    /// agent's engine catches up with the next edit that its planner accepts.
    pub fn apply(&self, edits: &Edits) -> Result<(), EditError> {
        self.family.apply(edits)
    }

    /// The number of edits so far. An earlier result is valid as long as this number is the same.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("jps", &Grid::open(9, 9)?)?;
    /// let before = engine.edits();
    /// engine.apply(Edits::new().block((4, 4)))?;
    /// assert!(engine.edits() > before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edits(&self) -> u64 {
        self.layer.edits.load(Ordering::Acquire)
    }

    /// Whether a path found earlier is still legal on the current map. This takes much less than a microsecond per
    /// turning point. The path may no longer be the shortest, if cells have become free or prices have changed, and
    /// over terrain its cost may differ from the one it states ([`Path::cost_on`] computes it).
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("corner-sweep", &Grid::open(9, 9)?)?;
    /// let path = engine.find((0, 4), (8, 4))?.unwrap();
    /// engine.apply(Edits::new().block((2, 2)))?;
    /// assert!(engine.still_valid(&path), "the edit is elsewhere");
    /// engine.apply(Edits::new().block((4, 4)))?;
    /// assert!(!engine.still_valid(&path));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn still_valid(&self, path: &Path) -> bool {
        path.is_legal(self.snapshot().grid())
    }

    /// The distances from all cells to the nearest of some goals, on the current map. The field follows edits through
    /// its own [`Field::apply`].
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// let field = Engine::new("jps", &Grid::open(9, 9)?)?.field(&[(0, 0), (8, 8)])?;
    /// assert_eq!(field.cost((6, 7)).unwrap().to_string(), "1+1√2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a goal is off the map or blocked.
    pub fn field(&self, goals: &[impl Into<Cell> + Copy]) -> Result<Field, QueryError> {
        Field::new(self.snapshot().grid(), goals)
    }

    /// How long the last edit took; `None` if there was none.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("jump-graph", &Grid::open(9, 9)?)?;
    /// assert_eq!(engine.last_edit(), None);
    /// engine.apply(Edits::new().block((4, 4)))?;
    /// assert!(engine.last_edit().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn last_edit(&self) -> Option<Duration> {
        self.layer.writer().last_edit
    }

    /// The current map.
    pub fn grid(&self) -> Grid {
        self.snapshot().grid().clone()
    }

    /// The planner that [`Auto`](crate::Auto) chose, as a spec that names it; `None` if the spec did.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// let engine = Engine::new("auto", &Grid::open(4, 4)?)?;
    /// let spec = engine.chosen().expect("the spec leaves the choice open");
    /// assert_eq!(spec.about().name, engine.name());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chosen(&self) -> Option<PlannerSpec> {
        chosen(&*self.snapshot())
    }

    /// The planner's name; for [`Auto`](crate::Auto), the name of the planner that it chose.
    pub fn name(&self) -> &'static str {
        self.snapshot().name()
    }

    /// What the planner promises.
    pub fn guarantee(&self) -> Guarantee {
        self.snapshot().guarantee()
    }

    /// The rule that any-angle paths keep; `None` if paths are grid paths.
    pub fn squeeze(&self) -> Option<Squeeze> {
        self.snapshot().squeeze()
    }

    /// Where any-angle paths begin and end.
    pub fn ends(&self) -> Endpoints {
        self.snapshot().ends()
    }

    /// Whether there is a path between two cells, as [`Planner::may_connect`]. It takes no search, even after edits.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// let engine = Engine::new("jps", &"..@.".parse::<Grid>()?)?;
    /// assert!(engine.may_connect((0, 0), (1, 0)) && !engine.may_connect((0, 0), (3, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn may_connect(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> bool {
        self.snapshot().may_connect(start.into(), goal.into())
    }

    /// How the planner takes a change of the map.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// use octile::planner::OnEdit;
    /// let grid = Grid::open(8, 8)?;
    /// assert_eq!(Engine::new("corner-sweep", &grid)?.on_edit(), OnEdit::Follows);
    /// assert_eq!(Engine::new("core-search", &grid)?.on_edit(), OnEdit::Rebuilds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_edit(&self) -> OnEdit {
        self.snapshot().on_edit()
    }

    /// Whether the planner's index is older than the map, as [`Planner::is_stale`]. [`renew`](Engine::renew) rebuilds
    /// it.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("cpd", &Grid::open(8, 8)?)?;
    /// assert!(!engine.is_stale());
    /// engine.apply(Edits::new().block((4, 4)))?;
    /// assert!(engine.is_stale());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_stale(&self) -> bool {
        self.snapshot().is_stale()
    }

    /// Memory of the planner's index in bytes, without the grid.
    pub fn index_bytes(&self) -> usize {
        self.snapshot().index_bytes()
    }

    /// The bytes of scratch memory in the pool, without scratches in use. The pool has one scratch for each thread that
    /// searched at the same time as others.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// let engine = Engine::new("astar", &Grid::open(100, 100)?)?;
    /// assert_eq!(engine.scratch_bytes(), 0, "no query yet");
    /// engine.find((0, 0), (99, 99))?;
    /// assert!(engine.scratch_bytes() > 80_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scratch_bytes(&self) -> usize {
        self.layer.pool.size_bytes()
    }
}

/// The spec of the planner that [`Auto`](crate::Auto) chose.
fn chosen(planner: &dyn Planner) -> Option<PlannerSpec> {
    planner.chosen().and_then(|spec| spec.parse().ok())
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({:?})", &*self.snapshot())
    }
}
