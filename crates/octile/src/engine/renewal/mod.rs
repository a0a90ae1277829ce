//! Rebuilding a planner for the current map, while queries and edits continue.
//!
//! A build takes a snapshot of the map and runs on its own thread. Edits made meanwhile are recorded. The new planner
//! applies them too, most of them before it locks out other writers, and then replaces the old planner. The thread
//! holds the engine weakly: when the last handle is dropped, the build is cancelled.

mod sliced;

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use web_time::Instant;

pub use self::sliced::SlicedRenewal;
use super::{Engine, Layer, Writer};
use crate::catalog::PlannerSpec;
use crate::grid::{Edits, Grid};
use crate::planner::{Budget, Build, BuildError, BuildSteps, BuiltIndex, EditError, Planner, Progress};

/// The maximum number of recorded rectangles; with more edits, the build starts again with the new map.
const MAX_MISSED: usize = 1 << 16;

/// The maximum number of starts of a build that cannot catch up.
const MAX_STARTS: u32 = 4;

/// The maximum number of rounds in which a new planner catches up without locking out writers.
const MAX_CATCH_UP_ROUNDS: u32 = 8;

/// After each failed build, the next automatic one waits twice as long, with at most this many doublings.
const MAX_DOUBLINGS: u32 = 10;

/// What a planner is built from.
#[derive(Clone)]
pub(super) struct Source {
    /// Without an index file, which would be for the old map.
    spec: Arc<PlannerSpec>,
    budget: Budget,
}

impl Source {
    pub(super) fn new(spec: &PlannerSpec, budget: Budget) -> Self {
        Self { spec: Arc::new(spec.clone().without_index()), budget }
    }

    pub(super) fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        self.spec.build_from(build)
    }

    /// The same source with another budget, if one is given.
    fn within(self, budget: Option<Budget>) -> Self {
        Self { budget: budget.unwrap_or(self.budget), ..self }
    }

    /// The inputs of a build for a map, with the budget.
    pub(super) fn for_map<'a>(&self, grid: &'a Grid) -> Build<'a> {
        Build::new(grid).within(self.budget)
    }

    fn begin(&self, (grid, earlier): &Present) -> Result<Box<dyn BuildSteps>, BuildError> {
        self.spec.begin(&self.for_map(grid).since(earlier.clone()))
    }
}

/// The current map, and the index of the planner that is to be replaced, which may be of an earlier map.
type Present = (Grid, Option<BuiltIndex>);

/// When an engine rebuilds its stale index automatically ([`Engine::keep_fresh`]), and the budget of the build.
///
/// ```
/// use std::time::Duration;
/// use octile::planner::Budget;
/// use octile::engine::Upkeep;
/// let upkeep = Upkeep::after(Duration::from_millis(500)).at_latest(Duration::from_secs(30)).within(Budget::BEFOREHAND);
/// assert_eq!(upkeep.quiet, Duration::from_millis(500));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upkeep {
    /// The time without edits before a build begins.
    pub quiet: Duration,
    /// The time after the first edit at which a build begins even if edits continue; never if `None`.
    pub at_latest: Option<Duration>,
    /// The budget of a build; that of the engine's first build if `None`.
    pub budget: Option<Budget>,
}

impl Upkeep {
    /// Rebuilds after this time without edits.
    pub const fn after(quiet: Duration) -> Self {
        Self { quiet, at_latest: None, budget: None }
    }

    /// Rebuilds this long after the first edit even if edits continue.
    #[must_use]
    pub const fn at_latest(self, time: Duration) -> Self {
        Self { at_latest: Some(time), ..self }
    }

    /// Sets another budget than that of the engine's first build.
    #[must_use]
    pub const fn within(self, budget: Budget) -> Self {
        Self { budget: Some(budget), ..self }
    }
}

impl Default for Upkeep {
    /// Rebuilds after a quarter of a second without edits, or ten seconds after the first edit.
    fn default() -> Self {
        Self::after(Duration::from_millis(250)).at_latest(Duration::from_secs(10))
    }
}

/// The result of a successful rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renewed {
    /// The time from taking the map to replacing the planner.
    pub took: Duration,
    /// The number of edits made during the build. The new planner has applied them too; an index that cannot follow
    /// them is [stale](Engine::is_stale).
    pub edits: u64,
}

/// Why a rebuild failed. The engine keeps the planner it has.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenewError {
    /// The engine was made from a planner, without a spec to build from.
    #[error("the engine was made from a planner, not from a spec: make it with `Engine::new` or `Engine::build`")]
    NoSpec,
    /// The planner cannot be built for the current map, or not within the budget.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The rebuild was cancelled, or the last handle of the engine was dropped.
    #[error("the rebuild was cancelled")]
    Cancelled,
    /// A later rebuild, on a map with more edits, replaced this one.
    #[error("a later rebuild replaced this one")]
    Replaced,
    /// Too many edits came during the build, each time it was started.
    #[error("the rebuild was started {starts} times, and each time more edits came than it can catch up with")]
    Overtaken {
        /// The number of starts.
        starts: u32,
    },
    /// The new planner refused edits that were made during the build.
    #[error("the new planner refused edits that were made during the build: {0}")]
    Edits(#[source] EditError),
    /// The build panicked: a bug in the planner.
    #[error("planner `{planner}` panicked during its build: {message}")]
    Panicked {
        /// The planner's name.
        planner: &'static str,
        /// The panic message.
        message: String,
    },
    /// The system cannot start a thread for the build.
    #[error("cannot start a thread for the build ({reason}): use `Engine::renew_by_slices`")]
    NoThread {
        /// The error of the system.
        #[source]
        reason: Arc<std::io::Error>,
    },
}

impl RenewError {
    /// The error for a failed build.
    fn of(error: BuildError) -> Self {
        if matches!(error, BuildError::Cancelled) { Self::Cancelled } else { Self::Build(error) }
    }
}

/// A rebuild in progress; see [`Engine::renew`]. Dropping this handle changes nothing: the build continues, and its
/// result is used.
#[derive(Clone)]
pub struct Renewal {
    task: Arc<Task>,
}

impl Renewal {
    /// Whether the rebuild has ended, successfully or not.
    pub fn is_done(&self) -> bool {
        self.task.end().is_some()
    }

    /// Waits until the rebuild has ended.
    ///
    /// ```
    /// use octile::{Engine, Grid, Jps};
    /// use octile::engine::RenewError;
    /// let renewed = Engine::new("jump-graph", &Grid::open(64, 64)?)?.renew();
    /// assert!(matches!(renewed.wait(), Ok(_) | Err(RenewError::Cancelled)), "the engine is gone");
    /// let engine = Engine::of(Jps::default().planner(&Grid::open(64, 64)?)?);
    /// assert!(matches!(engine.renew().wait(), Err(RenewError::NoSpec)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why there is no new planner.
    pub fn wait(&self) -> Result<Renewed, RenewError> {
        let end = self.task.end();
        let end = self.task.ended.wait_while(end, |end| end.is_none()).unwrap_or_else(PoisonError::into_inner);
        end.clone().unwrap_or(Err(RenewError::Cancelled))
    }

    /// Waits until the rebuild has ended, for at most `time`; `None` if it is still in progress.
    ///
    /// ```
    /// use std::time::Duration;
    /// use octile::{Engine, Grid};
    /// let renewal = Engine::new("hub-labels", &Grid::open(64, 64)?)?.renew();
    /// while renewal.wait_for(Duration::from_millis(16)).is_none() {
    ///     // another frame
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wait_for(&self, time: Duration) -> Option<Result<Renewed, RenewError>> {
        let end = self.task.end();
        let ended = self.task.ended.wait_timeout_while(end, time, |end| end.is_none());
        ended.unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// Cancels the rebuild: it stops soon and frees its memory, unless it has already ended. The engine keeps the
    /// planner it has.
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// use octile::engine::RenewError;
    /// let engine = Engine::new("hub-labels", &Grid::open(64, 64)?)?;
    /// let renewal = engine.renew();
    /// renewal.cancel();
    /// assert!(matches!(renewal.wait(), Ok(_) | Err(RenewError::Cancelled)));
    /// assert!(engine.find((0, 0), (63, 63))?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cancel(&self) {
        self.task.cancel();
    }

    /// The progress of the build, if the planner reports it.
    pub fn progress(&self) -> Option<Progress> {
        *lock(&self.task.progress)
    }
}

impl fmt::Debug for Renewal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renewal").field("progress", &self.progress()).field("end", &*self.task.end()).finish()
    }
}

/// State shared by the builder and the handles that wait for it.
#[derive(Default)]
struct Task {
    /// Whether it runs by slices, only when called: no handle may wait for it.
    is_sliced: bool,
    /// Its budget; that of the engine's first build if `None`.
    budget: Option<Budget>,
    cancel: AtomicBool,
    progress: Mutex<Option<Progress>>,
    end: Mutex<Option<Result<Renewed, RenewError>>>,
    /// Notified when the task has ended or is cancelled.
    ended: Condvar,
}

impl Task {
    fn end(&self) -> MutexGuard<'_, Option<Result<Renewed, RenewError>>> {
        lock(&self.end)
    }

    /// Sets the result; the first call counts.
    fn finish(&self, end: Result<Renewed, RenewError>) {
        self.end().get_or_insert(end);
        self.ended.notify_all();
    }

    fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
        // Taking the lock once makes sure that a thread that checked the flag before the store is waiting by now.
        drop(self.end());
        self.ended.notify_all();
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Waits for `time`, or until it is cancelled.
    fn sleep(&self, time: Duration) {
        let slept = self.ended.wait_timeout_while(self.end(), time, |_| !self.is_cancelled());
        drop(slept);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A layer's state of rebuilds.
#[derive(Default)]
pub(super) struct RenewalState {
    /// When to rebuild automatically, if at all.
    upkeep: Option<Upkeep>,
    /// The last task that began.
    task: Option<Arc<Task>>,
    /// Whether `task` is in progress.
    is_running: bool,
    /// The edits since the build took the map; `None` if no build has.
    missed: Option<Missed>,
    /// The times of the first and of the last edit since a build took the map.
    edited: Option<(Instant, Instant)>,
    /// The number of failed builds since the last success.
    failed: u32,
}

/// The edits that a build has missed.
#[derive(Default)]
struct Missed {
    edits: Edits,
    /// The number of edits since the build took the map, including those that the new planner has already applied.
    count: u64,
    /// There were too many edits to record them.
    has_overflowed: bool,
}

impl RenewalState {
    /// Records an edit.
    pub(super) fn record(&mut self, edits: &Edits, now: Instant) {
        let first = self.edited.map_or(now, |(first, _)| first);
        self.edited = Some((first, now));
        let Some(missed) = &mut self.missed else { return };
        missed.count += 1;
        if missed.edits.len() + edits.len() > MAX_MISSED {
            missed.has_overflowed = true;
            missed.edits = Edits::new();
        } else if !missed.has_overflowed {
            missed.edits.append(edits);
        }
    }

    /// The task in progress.
    fn running(&self) -> Option<&Arc<Task>> {
        self.task.as_ref().filter(|_| self.is_running)
    }

    /// Whether this is the current task.
    fn is_current(&self, task: &Arc<Task>) -> bool {
        self.task.as_ref().is_some_and(|own| Arc::ptr_eq(own, task))
    }

    /// Makes a new task the current one and cancels the old one.
    fn replace_task(&mut self, task: Task) -> Arc<Task> {
        if let Some(before) = self.running() {
            before.finish(Err(RenewError::Replaced));
            before.cancel();
        }
        let task = Arc::new(task);
        (self.task, self.is_running, self.missed) = (Some(Arc::clone(&task)), true, None);
        task
    }

    /// How long an automatic build still has to wait.
    fn delay(&self, upkeep: Upkeep) -> Duration {
        let Some((first, last)) = self.edited else { return Duration::ZERO };
        let factor = 1 << self.failed.min(MAX_DOUBLINGS);
        let quiet = upkeep.quiet.saturating_mul(factor).saturating_sub(last.elapsed());
        let late = upkeep.at_latest.map(|most| most.saturating_mul(factor).saturating_sub(first.elapsed()));
        late.map_or(quiet, |late| late.min(quiet))
    }
}

impl Layer {
    /// Begins a rebuild, or joins one with the same budget that has missed no edit.
    fn renew(self: &Arc<Self>, budget: Option<Budget>) -> Renewal {
        let mut writer = self.writer();
        let renewal = &writer.renewal;
        let misses_none = |missed: &Missed| missed.count == 0;
        let may_join = |task: &&Arc<Task>| !task.is_cancelled() && !task.is_sliced && task.budget == budget;
        let current = renewal.running().filter(may_join);
        if let Some(task) = current.filter(|_| renewal.missed.as_ref().is_some_and(misses_none)) {
            return Renewal { task: Arc::clone(task) };
        }
        self.begin(&mut writer, budget, None)
    }

    /// Begins a build on its own thread, now or when `upkeep` says it is due, and cancels the one in progress.
    fn begin(self: &Arc<Self>, writer: &mut Writer, budget: Option<Budget>, upkeep: Option<Upkeep>) -> Renewal {
        let task = writer.renewal.replace_task(Task { budget, ..Task::default() });
        let renewal = Renewal { task: Arc::clone(&task) };
        let Some(source) = &self.source else {
            writer.renewal.is_running = false;
            task.finish(Err(RenewError::NoSpec));
            return renewal;
        };
        let source = source.clone().within(budget);
        let job = Job { layer: Arc::downgrade(self), task: Arc::clone(&task), source };
        let thread = thread::Builder::new().name("octile-renewal".to_owned());
        if let Err(reason) = thread.spawn(move || job.run(upkeep)) {
            writer.renewal.is_running = false;
            task.finish(Err(RenewError::NoThread { reason: Arc::new(reason) }));
        }
        renewal
    }

    /// Begins an automatic rebuild if the index is stale and none is in progress.
    pub(super) fn renew_if_stale(self: &Arc<Self>, writer: &mut Writer) {
        let Some(upkeep) = writer.renewal.upkeep else { return };
        if writer.renewal.running().is_none() && self.source.is_some() && self.snapshot().is_stale() {
            self.begin(writer, upkeep.budget, Some(upkeep));
        }
    }

    pub(super) fn keep_fresh(self: &Arc<Self>, upkeep: Option<Upkeep>) {
        let mut writer = self.writer();
        (writer.renewal.upkeep, writer.renewal.failed) = (upkeep, 0);
        self.renew_if_stale(&mut writer);
    }

    /// Takes the current map and records every edit from now on; `None` if the task is cancelled or replaced.
    fn take_map(&self, task: &Arc<Task>) -> Option<Present> {
        let mut writer = self.writer();
        if task.is_cancelled() || !writer.renewal.is_current(task) {
            return None;
        }
        (writer.renewal.missed, writer.renewal.edited) = (Some(Missed::default()), None);
        let planner = self.snapshot();
        Some((planner.grid().clone(), planner.built_index()))
    }

    /// Replaces the planner by one that has caught up.
    fn swap(&self, mut writer: MutexGuard<'_, Writer>, planner: Box<dyn Planner>) {
        let planner: Arc<dyn Planner> = planner.into();
        let before = (self.replace(Arc::clone(&planner)), writer.spare.take());
        writer.renewal.missed = None;
        drop(writer);
        self.pool.renew(&*planner);
        drop(before);
    }

    /// Ends a task: drops its recorded edits and begins the next rebuild if one is needed. Waiting threads are notified
    /// later, when nothing of the task is left.
    fn end_task(self: &Arc<Self>, task: &Arc<Task>, end: &Result<Renewed, RenewError>) {
        let mut writer = self.writer();
        if !writer.renewal.is_current(task) {
            return;
        }
        (writer.renewal.missed, writer.renewal.is_running) = (None, false);
        match end {
            Ok(_) => writer.renewal.failed = 0,
            Err(RenewError::Cancelled) => {}
            Err(_) => writer.renewal.failed += 1,
        }
        // After a failure, the next edit tries again.
        if end.is_ok() {
            self.renew_if_stale(&mut writer);
        }
    }
}

impl Drop for Layer {
    /// The last handle is gone: cancel the build in progress.
    fn drop(&mut self) {
        let writer = self.writer.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = &writer.renewal.task {
            task.cancel();
        }
    }
}

/// The work of a rebuild.
struct Job {
    layer: Weak<Layer>,
    task: Arc<Task>,
    source: Source,
}

impl Job {
    fn run(&self, upkeep: Option<Upkeep>) {
        let end = if upkeep.is_none_or(|upkeep| self.wait_until_due(upkeep)) {
            self.renew()
        } else {
            Err(RenewError::Cancelled)
        };
        if let Some(layer) = self.layer.upgrade() {
            layer.end_task(&self.task, &end);
        }
        self.task.finish(end);
    }

    /// Waits until the build is due; `false` if it is cancelled before that.
    fn wait_until_due(&self, upkeep: Upkeep) -> bool {
        loop {
            let Some(layer) = self.layer.upgrade() else { return false };
            let delay = layer.writer().renewal.delay(upkeep);
            drop(layer);
            if delay.is_zero() || self.task.is_cancelled() {
                return !self.task.is_cancelled();
            }
            self.task.sleep(delay);
        }
    }

    fn renew(&self) -> Result<Renewed, RenewError> {
        let mut starts = 1;
        loop {
            let clock = Instant::now();
            match self.catch_up_and_swap(self.build()?) {
                Ok(edits) => return Ok(Renewed { took: clock.elapsed(), edits }),
                Err(fault) => fault.check(starts)?,
            }
            starts += 1;
        }
    }

    fn layer(&self) -> Result<Arc<Layer>, RenewError> {
        self.layer.upgrade().filter(|_| !self.task.is_cancelled()).ok_or(RenewError::Cancelled)
    }

    /// Builds the planner for the current map.
    fn build(&self) -> Result<Box<dyn Planner>, RenewError> {
        let (grid, earlier) = self.map()?;
        let watch = |progress| *lock(&self.task.progress) = Some(progress);
        let build = self.source.for_map(&grid).since(earlier).watched(&watch).cancelled_by(&self.task.cancel);
        self.guarded(|| self.source.build(&build))?.map_err(RenewError::of)
    }

    /// Takes the current map and records every edit from now on.
    fn map(&self) -> Result<Present, RenewError> {
        self.layer()?.take_map(&self.task).ok_or(RenewError::Cancelled)
    }

    /// Lets a new planner catch up, installs it in the engine, and returns the number of edits that it had missed.
    fn catch_up_and_swap(&self, mut planner: Box<dyn Planner>) -> Result<u64, CatchUpError> {
        let mut count = 0;
        for round in 0.. {
            let layer = self.layer()?;
            let mut writer = layer.writer();
            if !writer.renewal.is_current(&self.task) {
                return Err(RenewError::Replaced.into());
            }
            let missed = writer.renewal.missed.take().unwrap_or_default();
            if missed.has_overflowed {
                return Err(CatchUpError::TooManyEdits);
            }
            writer.renewal.missed = Some(Missed { count: missed.count, ..Missed::default() });
            let is_up_to_date = missed.count == count;
            count = missed.count;
            if is_up_to_date || round == MAX_CATCH_UP_ROUNDS {
                // The lock is held: no edit comes between.
                self.follow(&mut *planner, &missed)?;
                layer.swap(writer, planner);
                return Ok(count);
            }
            drop(writer);
            drop(layer);
            self.follow(&mut *planner, &missed)?;
        }
        Ok(count)
    }

    /// Applies the missed edits to a planner.
    fn follow(&self, planner: &mut dyn Planner, missed: &Missed) -> Result<(), CatchUpError> {
        let follow = || {
            if !missed.edits.is_empty() {
                planner.apply(&missed.edits)?;
            }
            Ok(())
        };
        self.guarded(follow)?.map_err(CatchUpError::Refused)
    }

    /// Runs code of a planner, possibly a foreign one, and turns a panic into an error.
    fn guarded<T>(&self, work: impl FnOnce() -> T) -> Result<T, RenewError> {
        catch_unwind(AssertUnwindSafe(work))
            .map_err(|panic| RenewError::Panicked { planner: self.source.spec.about().name, message: message(&*panic) })
    }
}

/// Why a planner could not catch up.
enum CatchUpError {
    /// There were too many edits.
    TooManyEdits,
    /// The planner refused an edit.
    Refused(EditError),
    /// The task has ended.
    Ended(RenewError),
}

impl CatchUpError {
    /// `Ok` if the build may start again after `starts` starts.
    fn check(self, starts: u32) -> Result<(), RenewError> {
        match self {
            Self::Ended(error) => Err(error),
            _ if starts < MAX_STARTS => Ok(()),
            Self::TooManyEdits => Err(RenewError::Overtaken { starts }),
            Self::Refused(error) => Err(RenewError::Edits(error)),
        }
    }
}

impl From<RenewError> for CatchUpError {
    fn from(error: RenewError) -> Self {
        Self::Ended(error)
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

impl Engine {
    /// Rebuilds the planner for the current map in the background, while queries and edits continue. When the build is
    /// done, the new planner applies the edits made meanwhile and answers all later queries; the old one is dropped
    /// when its last query completes. Meant for an index that is [stale](Engine::is_stale), and for planners that adapt
    /// to the map.
    ///
    /// The budget is that of the engine's first build ([`Build::within`]). An index file named in the spec is not read,
    /// because it is for the old map: the index is built. The engine of an [agent](Engine::for_agent) rebuilds only its
    /// own planner.
    ///
    /// Only one rebuild runs at a time. If one is in progress and no edit came since it began, this returns that one;
    /// otherwise the old one is cancelled and a new one begins with the current map. Dropping the returned handle
    /// changes nothing; dropping the engine and all its clones cancels the build.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("cpd", &Grid::open(20, 20)?)?;
    /// engine.apply(Edits::new().block_rect((10, 0), (10, 18)))?;
    /// assert!(engine.is_stale(), "it still answers, but it has to search");
    /// let renewal = engine.renew();
    /// assert!(engine.find((0, 0), (19, 0))?.is_some(), "queries do not wait for it");
    /// renewal.wait()?;
    /// assert!(!engine.is_stale());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew(&self) -> Renewal {
        self.layer.renew(None)
    }

    /// As [`renew`](Engine::renew), with another budget than that of the engine's first build: a background build often
    /// has more time.
    ///
    /// ```
    /// use octile::planner::Budget;
    /// use octile::{BuildError, Engine, Grid};
    /// use octile::engine::RenewError;
    /// let engine = Engine::new("jump-graph", &Grid::open(300, 300)?)?;
    /// let error = engine.renew_within(Budget::AT_ONCE.bytes(1000)).wait().unwrap_err();
    /// assert!(matches!(error, RenewError::Build(BuildError::OverBudget { .. })));
    /// assert!(engine.find((0, 0), (299, 299))?.is_some(), "the engine keeps its planner");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew_within(&self, budget: Budget) -> Renewal {
        self.layer.renew(Some(budget))
    }

    /// The last [renewal](Engine::renew), begun by a call or [automatically](Engine::keep_fresh); `None` if there was
    /// none, or the last one runs [by slices](Engine::renew_by_slices).
    ///
    /// ```
    /// use octile::{Engine, Grid};
    /// let engine = Engine::new("hub-labels", &Grid::open(64, 64)?)?;
    /// assert!(engine.renewal().is_none());
    /// engine.renew();
    /// engine.renewal().expect("it was begun").wait()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renewal(&self) -> Option<Renewal> {
        let task = self.layer.writer().renewal.task.clone();
        task.filter(|task| !task.is_sliced).map(|task| Renewal { task })
    }

    /// Makes the engine [rebuild](Engine::renew) its index automatically when edits have made it
    /// [stale](Engine::is_stale) and no edit came for a while. `None` turns this off and leaves a build in progress
    /// alone. Off by default; applies to all agents.
    ///
    /// Only one rebuild runs at a time; another follows if edits came meanwhile. After a failed build, the next begins
    /// after another edit and waits twice as long.
    ///
    /// ```
    /// use std::time::Duration;
    /// use octile::{Edits, Engine, Grid};
    /// use octile::engine::Upkeep;
    /// let engine = Engine::new("cpd", &Grid::open(20, 20)?)?;
    /// engine.keep_fresh(Upkeep::after(Duration::from_millis(5)));
    /// engine.apply(Edits::new().block((10, 10)))?;
    /// if let Some(renewal) = engine.renewal() {
    ///     renewal.wait()?; // real programs do not wait here: they go on asking
    /// }
    /// assert!(!engine.is_stale());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_fresh(&self, upkeep: impl Into<Option<Upkeep>>) {
        self.family.keep_fresh(upkeep.into());
    }
}
