//! What programs hold: an [`Engine`], shared by threads, or a [`Finder`] of one thread.
//!
//! An engine has one planner for all who hold it. Asking takes a snapshot of it and working memory from a pool. An edit
//! makes a new snapshot: who is asking finishes on the old one, who asks next gets the new one. If nobody is asking,
//! the planner changes in place, so that an edit costs what it costs the planner. If somebody is, the change is made to
//! a second copy, which catches up with the edits that it has missed, and the two change places: after the first such
//! edit none costs a copy of the map. A planner can also be built anew beside all that, and takes the place of the one
//! before once it has caught up.

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
use self::renewal::{Source, Upkeeping};
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

/// A planner that any thread can ask, on a map that can change meanwhile. Cheap to clone: all clones are one engine.
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
/// engine.apply(Edits::new().free_rect((1, 1), (4, 1)))?; // for all who hold it
/// assert_eq!(engine.find((0, 1), (5, 1))?.unwrap().length(), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    family: Arc<Family>,
    /// The one that this handle is for: the map's own, or that of an agent.
    layer: Arc<Layer>,
}

/// A planner for all who hold it, on a map that can change.
struct Layer {
    /// What the planner was made from, if that is known.
    source: Option<Source>,
    current: RwLock<Arc<dyn Planner>>,
    pool: Pool,
    writer: Mutex<Writer>,
    /// How many edits there have been.
    edits: AtomicU64,
}

/// What only who makes a change needs.
#[derive(Default)]
struct Writer {
    spare: Option<Spare>,
    last_edit: Option<Duration>,
    upkeeping: Upkeeping,
}

/// The planner as it was some edits ago.
struct Spare {
    planner: Arc<dyn Planner>,
    missed: Vec<Edits>,
}

/// A spare that has missed more edits than this is given up, and its memory with it.
const MOST_MISSED: usize = 64;

impl Spare {
    /// Catches up, and makes the next edit; `None` if somebody is still asking it.
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
        // Also after one that failed: who remembers something had better look again.
        self.edits.fetch_add(1, Ordering::Release);
        changed?;
        writer.upkeeping.note(edits, clock);
        self.look_after(&mut writer);
        writer.last_edit = Some(clock.elapsed());
        Ok(())
    }

    fn change(&self, writer: &mut Writer, edits: &Edits) -> Result<(), EditError> {
        // Who rebuilds its index takes long: nobody is made to wait for it.
        let rebuilds = self.snapshot().rebuilds_for(edits);
        if !rebuilds && self.change_in_place(|planner| planner.apply(edits)).transpose()?.is_some() {
            if let Some(spare) = &mut writer.spare {
                spare.missed.push(edits.clone());
            }
            writer.spare.take_if(|spare| spare.missed.len() > MOST_MISSED);
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

    /// Changes the planner in place; `None`, and no change, if somebody else has it too.
    fn change_in_place<T>(&self, change: impl FnOnce(&mut dyn Planner) -> T) -> Option<T> {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let planner = Arc::get_mut(&mut *current)?;
        Some(change(planner))
    }

    /// A copy of the planner that nobody else has.
    fn copy(&self) -> Box<dyn Planner> {
        dyn_clone::clone_box(&*self.snapshot())
    }

    /// Puts a planner in the place of the one before.
    fn replace(&self, planner: Arc<dyn Planner>) -> Arc<dyn Planner> {
        std::mem::replace(&mut *self.current.write().unwrap_or_else(PoisonError::into_inner), planner)
    }
}

impl Engine {
    /// The planner that a config or a spec describes, for `grid`.
    ///
    /// ```
    /// use octile::{Astar, Engine, Grid, HubLabels, PlannerSpec, Squeeze};
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

    /// As [`new`](Engine::new), from all that a [`Build`] has: index files to use, and who is told how far it is.
    ///
    /// ```
    /// use octile::artifact::Artifact;
    /// use octile::{Build, Catalog, Engine, Grid, Indexes};
    /// let grid = Grid::open(8, 8)?;
    /// let file = Catalog::standard().index("hub-labels")?.build_for(&grid)?; // kept from another day
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

    /// An engine of a planner of a type that is known: one of your own, or one that can do more than plan.
    ///
    /// ```
    /// use octile::algo::cpd::CpdPlanner;
    /// use octile::{Cpd, Dir, Engine, Grid};
    /// let planner = CpdPlanner::build(&Grid::open(8, 8)?, &Cpd::default())?;
    /// assert_eq!(planner.first_move((0, 0), (7, 0))?, Some(Dir::E));
    /// assert_eq!(Engine::from_planner(planner).find((0, 0), (7, 0))?.unwrap().length(), 7.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_planner(planner: impl Planner + 'static) -> Self {
        Self::of(Arc::new(planner) as Arc<dyn Planner>)
    }

    /// An engine of a planner that has been made, as a `Box` or an `Arc`.
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

    /// The planner as it is now, which no edit will change.
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

    /// A finder for one thread, which keeps the planner as it is now and has working memory of its own.
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

    /// Answers a query: overwrites `out` and returns whether there is a path, to a goal or, if it asks for that, to the
    /// nearest cell. A warm call does not allocate.
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
    /// use octile::{Counts, Engine, Grid, Path, Query};
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

    /// Answers a query in full: a path to a goal, to the cell nearest to one, or none; how it ended, and which limit
    /// ended it.
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

    /// Calls `ask` with the planner as it is now and working memory from the pool.
    fn with_scratch<T>(&self, ask: impl FnOnce(&dyn Planner, &mut Scratch) -> T) -> T {
        let planner = self.snapshot();
        let mut scratch = self.layer.pool.take(&*planner);
        let answer = ask(&*planner, &mut scratch);
        self.layer.pool.put(scratch);
        answer
    }

    /// Changes the map for all who hold this engine. Who is asking finishes on the map as it was.
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
    /// If a cell is off the map, or the planner [refuses](OnEdit::Refuses); then nothing has changed. If the planner of
    /// an [agent](Engine::for_agent) refuses, the map has changed, and for all other agents too; that agent's engine
    /// makes up for it with the next edit that its planner takes.
    pub fn apply(&self, edits: &Edits) -> Result<(), EditError> {
        self.family.apply(edits)
    }

    /// How many edits the map has seen: what was found before is still right as long as this is the same.
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

    /// Whether a path that was found before can still be walked on the map as it is now: much less than a microsecond a
    /// turning point. It may no longer be the shortest, if cells have become free or prices have changed, and over
    /// terrain cost another sum than it says ([`Path::cost_on`] tells which).
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("corner-sweep", &Grid::open(9, 9)?)?;
    /// let path = engine.find((0, 4), (8, 4))?.unwrap();
    /// engine.apply(Edits::new().block((2, 2)))?;
    /// assert!(engine.still_valid(&path), "it is elsewhere");
    /// engine.apply(Edits::new().block((4, 4)))?;
    /// assert!(!engine.still_valid(&path));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn still_valid(&self, path: &Path) -> bool {
        path.is_legal(self.snapshot().grid())
    }

    /// The distances from all cells to the nearest of some goals, on the map as it is now. It follows edits by its own
    /// [`Field::apply`].
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

    /// The map as it is now.
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

    /// The planner's name; where [`Auto`](crate::Auto) chose it, that of the one chosen.
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

    /// Whether there is a path between two cells, as [`Planner::may_connect`]: it takes no search, after edits either.
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
    /// use octile::{Engine, Grid, OnEdit};
    /// let grid = Grid::open(8, 8)?;
    /// assert_eq!(Engine::new("corner-sweep", &grid)?.on_edit(), OnEdit::Follows);
    /// assert_eq!(Engine::new("core-search", &grid)?.on_edit(), OnEdit::Rebuilds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_edit(&self) -> OnEdit {
        self.snapshot().on_edit()
    }

    /// Whether the planner's index is older than the map, as [`Planner::is_stale`]: [`renew`](Engine::renew) builds it
    /// anew.
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

    /// The working memory in bytes that is kept for those who ask, without what is in use just now: one for each thread
    /// that asked at the same time as others.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// let engine = Engine::new("astar", &Grid::open(100, 100)?)?;
    /// assert_eq!(engine.scratch_bytes(), 0, "nobody has asked");
    /// engine.find((0, 0), (99, 99))?;
    /// assert!(engine.scratch_bytes() > 80_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scratch_bytes(&self) -> usize {
        self.layer.pool.size_bytes()
    }
}

/// The spec of the planner that was chosen.
fn chosen(planner: &dyn Planner) -> Option<PlannerSpec> {
    planner.chosen().and_then(|spec| spec.parse().ok())
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({:?})", &*self.snapshot())
    }
}
