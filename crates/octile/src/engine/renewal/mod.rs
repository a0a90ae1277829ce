//! Building a planner anew for the map as it is now, while everybody goes on asking and editing.
//!
//! A build takes the map as it is and runs on a thread of its own. Edits that are made meanwhile are written down; the
//! new planner makes them too, most of them before the others are held up, and takes the place of the one before. The
//! thread holds the engine weakly: once nobody has it any more the build is cancelled.

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
use crate::planner::{Budget, Build, BuildError, BuildSteps, EditError, Planner, Progress};

/// So many rectangles of edits are written down; with more a build begins again with the map as it is then.
const MOST_MISSED: usize = 1 << 16;

/// A build that cannot catch up begins again, so often at most in all.
const MOST_STARTS: u32 = 4;

/// Edits that come while a planner catches up are made without holding up others, so often at most.
const CATCHING_UP: u32 = 8;

/// After builds that failed, one that begins by itself waits twice as long each time, up to so many times.
const MOST_DOUBLINGS: u32 = 10;

/// What a planner is made from.
#[derive(Clone)]
pub(super) struct Source {
    /// Without an index file: that is for the map as it was.
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

    /// The same within another budget, if that is given.
    fn within(self, budget: Option<Budget>) -> Self {
        Self { budget: budget.unwrap_or(self.budget), ..self }
    }

    /// A build for a map, within the budget.
    pub(super) fn for_map<'a>(&self, grid: &'a Grid) -> Build<'a> {
        Build::new(grid).within(self.budget)
    }

    fn begin(&self, grid: &Grid) -> Result<Box<dyn BuildSteps>, BuildError> {
        self.spec.begin(&self.for_map(grid))
    }
}

/// How an engine keeps its index fresh by itself ([`Engine::keep_fresh`]): when a build begins, and what it may take.
///
/// ```
/// use std::time::Duration;
/// use octile::planner::Budget;
/// use octile::Upkeep;
/// let upkeep = Upkeep::after(Duration::from_millis(500)).at_latest(Duration::from_secs(30)).within(Budget::BEFOREHAND);
/// assert_eq!(upkeep.quiet, Duration::from_millis(500));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upkeep {
    /// How long there must have been no edit.
    pub quiet: Duration,
    /// How long after the first edit a build begins even if edits go on; never if `None`.
    pub at_latest: Option<Duration>,
    /// What a build may take; as much as the engine's first one if `None`.
    pub budget: Option<Budget>,
}

impl Upkeep {
    /// Builds anew when there has been no edit for so long.
    pub const fn after(quiet: Duration) -> Self {
        Self { quiet, at_latest: None, budget: None }
    }

    /// The same, but so long after the first edit even if edits go on.
    #[must_use]
    pub const fn at_latest(self, time: Duration) -> Self {
        Self { at_latest: Some(time), ..self }
    }

    /// The same, within another budget than that of the engine's first build.
    #[must_use]
    pub const fn within(self, budget: Budget) -> Self {
        Self { budget: Some(budget), ..self }
    }
}

impl Default for Upkeep {
    /// After a quarter of a second without an edit, or ten seconds after the first.
    fn default() -> Self {
        Self::after(Duration::from_millis(250)).at_latest(Duration::from_secs(10))
    }
}

/// What became of a planner that was built anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renewed {
    /// How long it took, from the map that it began with to the planner in its place.
    pub took: Duration,
    /// How many edits were made meanwhile. It has made them too; an index that cannot follow is
    /// [stale](Engine::is_stale) by these.
    pub edits: u64,
}

/// Why a planner was not built anew. The engine goes on with the one it has.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenewError {
    /// The engine was made of a planner, and what that was made from is not known.
    #[error("the engine was made of a planner and not of a spec: make it with `Engine::new` or `Engine::build`")]
    NoSpec,
    /// The planner cannot be built for the map as it is, or not within the budget.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Somebody has ended it, or nobody has the engine any more.
    #[error("building anew was cancelled")]
    Cancelled,
    /// Another was begun after edits, with the map as it was then.
    #[error("building anew was begun again after edits")]
    Replaced,
    /// So many edits came meanwhile that it could not catch up, though it began anew.
    #[error("building anew was begun {starts} times, and each time more edits came than can be made up for")]
    Overtaken {
        /// How often it was begun.
        starts: u32,
    },
    /// The new planner did not take the edits that were made meanwhile.
    #[error("the new planner did not take edits that were made meanwhile: {0}")]
    Edits(#[source] EditError),
    /// The build panicked: a fault of the planner.
    #[error("planner `{planner}` panicked while it was built: {message}")]
    Panicked {
        /// The planner's name.
        planner: &'static str,
        /// What it said.
        message: String,
    },
    /// There is no thread to build on.
    #[error("there is no thread to build on ({reason}): use `Engine::renew_by_slices`")]
    NoThread {
        /// Why.
        #[source]
        reason: Arc<std::io::Error>,
    },
}

impl RenewError {
    /// Of a build that failed.
    fn of(error: BuildError) -> Self {
        if matches!(error, BuildError::Cancelled) { Self::Cancelled } else { Self::Build(error) }
    }
}

/// A planner that is being built anew; see [`Engine::renew`]. Dropping this changes nothing: the build goes on, and
/// what it makes is used.
#[derive(Clone)]
pub struct Renewal {
    task: Arc<Task>,
}

impl Renewal {
    /// Whether it has ended, in whatever way.
    pub fn is_done(&self) -> bool {
        self.task.end().is_some()
    }

    /// Waits until it has ended.
    ///
    /// ```
    /// use octile::{Engine, Grid, Jps, RenewError};
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

    /// Waits until it has ended, but no longer than this: `None` if it goes on.
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

    /// Endpoints it: the build stops soon and its memory is returned, unless it is done already. The engine keeps the
    /// planner it has.
    ///
    /// ```
    /// use octile::{Engine, Grid, RenewError};
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

    /// How far the build is, as far as the planner tells.
    pub fn progress(&self) -> Option<Progress> {
        *lock(&self.task.progress)
    }
}

impl fmt::Debug for Renewal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renewal").field("progress", &self.progress()).field("end", &*self.task.end()).finish()
    }
}

/// What who builds and who waits have in common.
#[derive(Default)]
struct Task {
    /// Whether it goes on only when it is told to: nobody may wait for it.
    is_sliced: bool,
    /// What it may take; as much as the engine's first build if `None`.
    budget: Option<Budget>,
    cancel: AtomicBool,
    progress: Mutex<Option<Progress>>,
    end: Mutex<Option<Result<Renewed, RenewError>>>,
    /// Something has changed: it has ended, or is to end.
    ended: Condvar,
}

impl Task {
    fn end(&self) -> MutexGuard<'_, Option<Result<Renewed, RenewError>>> {
        lock(&self.end)
    }

    /// How it ended: the first word counts.
    fn finish(&self, end: Result<Renewed, RenewError>) {
        self.end().get_or_insert(end);
        self.ended.notify_all();
    }

    fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
        // Who is about to wait has looked at it before, or is waiting.
        drop(self.end());
        self.ended.notify_all();
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Waits so long, or until it is cancelled.
    fn sleep(&self, time: Duration) {
        let slept = self.ended.wait_timeout_while(self.end(), time, |_| !self.is_cancelled());
        drop(slept);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a layer knows of being built anew.
#[derive(Default)]
pub(super) struct Upkeeping {
    /// How it is kept fresh, if it is.
    upkeep: Option<Upkeep>,
    /// The last one that was begun.
    task: Option<Arc<Task>>,
    /// Whether that goes on.
    is_running: bool,
    /// What has happened to the map since a build took it; `None` if none has.
    missed: Option<Missed>,
    /// When the first edit was made since the planner was built, and when the last.
    edited: Option<(Instant, Instant)>,
    /// How often builds have failed since the last that did not.
    failed: u32,
}

/// What has happened to a map.
#[derive(Default)]
struct Missed {
    edits: Edits,
    /// How many there have been since the build took the map, those that the new planner has made up for included.
    count: u64,
    /// They are too many to be written down.
    is_too_much: bool,
}

impl Upkeeping {
    /// Writes an edit down.
    pub(super) fn note(&mut self, edits: &Edits, now: Instant) {
        let first = self.edited.map_or(now, |(first, _)| first);
        self.edited = Some((first, now));
        let Some(missed) = &mut self.missed else { return };
        missed.count += 1;
        if missed.edits.len() + edits.len() > MOST_MISSED {
            missed.is_too_much = true;
            missed.edits = Edits::new();
        } else if !missed.is_too_much {
            missed.edits.append(edits);
        }
    }

    /// The one that has not ended.
    fn running(&self) -> Option<&Arc<Task>> {
        self.task.as_ref().filter(|_| self.is_running)
    }

    /// Whether this is the one that goes on.
    fn is_on(&self, task: &Arc<Task>) -> bool {
        self.task.as_ref().is_some_and(|own| Arc::ptr_eq(own, task))
    }

    /// Puts a new task in the place of the one before.
    fn enlist(&mut self, task: Task) -> Arc<Task> {
        if let Some(before) = self.running() {
            before.finish(Err(RenewError::Replaced));
            before.cancel();
        }
        let task = Arc::new(task);
        (self.task, self.is_running, self.missed) = (Some(Arc::clone(&task)), true, None);
        task
    }

    /// How long a build that begins by itself has still to wait.
    fn delay(&self, upkeep: Upkeep) -> Duration {
        let Some((first, last)) = self.edited else { return Duration::ZERO };
        let factor = 1 << self.failed.min(MOST_DOUBLINGS);
        let quiet = upkeep.quiet.saturating_mul(factor).saturating_sub(last.elapsed());
        let late = upkeep.at_latest.map(|most| most.saturating_mul(factor).saturating_sub(first.elapsed()));
        late.map_or(quiet, |late| late.min(quiet))
    }
}

impl Layer {
    /// Begins to build anew, or joins one that has seen all edits and may take as much.
    fn renew(self: &Arc<Self>, budget: Option<Budget>) -> Renewal {
        let mut writer = self.writer();
        let upkeeping = &writer.upkeeping;
        let has_seen_all = |missed: &Missed| missed.count == 0;
        let may_join = |task: &&Arc<Task>| !task.is_cancelled() && !task.is_sliced && task.budget == budget;
        let current = upkeeping.running().filter(may_join);
        if let Some(task) = current.filter(|_| upkeeping.missed.as_ref().is_some_and(has_seen_all)) {
            return Renewal { task: Arc::clone(task) };
        }
        self.begin(&mut writer, budget, None)
    }

    /// Begins a build on a thread of its own, at once or when it is due; one that goes on is over.
    fn begin(self: &Arc<Self>, writer: &mut Writer, budget: Option<Budget>, upkeep: Option<Upkeep>) -> Renewal {
        let task = writer.upkeeping.enlist(Task { budget, ..Task::default() });
        let renewal = Renewal { task: Arc::clone(&task) };
        let Some(source) = &self.source else {
            writer.upkeeping.is_running = false;
            task.finish(Err(RenewError::NoSpec));
            return renewal;
        };
        let source = source.clone().within(budget);
        let job = Job { layer: Arc::downgrade(self), task: Arc::clone(&task), source };
        let thread = thread::Builder::new().name("octile-renewal".to_owned());
        if let Err(reason) = thread.spawn(move || job.run(upkeep)) {
            writer.upkeeping.is_running = false;
            task.finish(Err(RenewError::NoThread { reason: Arc::new(reason) }));
        }
        renewal
    }

    /// Sees to it that a stale index is built anew, if it is to be kept fresh.
    pub(super) fn look_after(self: &Arc<Self>, writer: &mut Writer) {
        let Some(upkeep) = writer.upkeeping.upkeep else { return };
        if writer.upkeeping.running().is_none() && self.source.is_some() && self.snapshot().is_stale() {
            self.begin(writer, upkeep.budget, Some(upkeep));
        }
    }

    pub(super) fn keep_fresh(self: &Arc<Self>, upkeep: Option<Upkeep>) {
        let mut writer = self.writer();
        (writer.upkeeping.upkeep, writer.upkeeping.failed) = (upkeep, 0);
        self.look_after(&mut writer);
    }

    /// The map as it is, of which every edit is written down from now on; `None` if another is in the place of this
    /// task.
    fn take_map(&self, task: &Arc<Task>) -> Option<Grid> {
        let mut writer = self.writer();
        if task.is_cancelled() || !writer.upkeeping.is_on(task) {
            return None;
        }
        (writer.upkeeping.missed, writer.upkeeping.edited) = (Some(Missed::default()), None);
        Some(self.snapshot().grid().clone())
    }

    /// Puts a planner that has caught up in the place of the one before.
    fn swap(&self, mut writer: MutexGuard<'_, Writer>, planner: Box<dyn Planner>) {
        let planner: Arc<dyn Planner> = planner.into();
        let before = (self.replace(Arc::clone(&planner)), writer.spare.take());
        writer.upkeeping.missed = None;
        drop(writer);
        self.pool.renew(&*planner);
        drop(before);
    }

    /// That a task has ended: what was written down for it is forgotten, and the next is begun if there is one. Those
    /// who wait are told later, when nothing of it is left.
    fn close(self: &Arc<Self>, task: &Arc<Task>, end: &Result<Renewed, RenewError>) {
        let mut writer = self.writer();
        if !writer.upkeeping.is_on(task) {
            return;
        }
        (writer.upkeeping.missed, writer.upkeeping.is_running) = (None, false);
        match end {
            Ok(_) => writer.upkeeping.failed = 0,
            Err(RenewError::Cancelled) => {}
            Err(_) => writer.upkeeping.failed += 1,
        }
        // One that failed is tried again after the next edit.
        if end.is_ok() {
            self.look_after(&mut writer);
        }
    }
}

impl Drop for Layer {
    /// Nobody has it any more: what is being built for it is not needed.
    fn drop(&mut self) {
        let writer = self.writer.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = &writer.upkeeping.task {
            task.cancel();
        }
    }
}

/// What is to be done on a thread.
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
            layer.close(&self.task, &end);
        }
        self.task.finish(end);
    }

    /// Waits until edits have been quiet for long enough; `false` if it is cancelled before.
    fn wait_until_due(&self, upkeep: Upkeep) -> bool {
        loop {
            let Some(layer) = self.layer.upgrade() else { return false };
            let delay = layer.writer().upkeeping.delay(upkeep);
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
            match self.put(self.build()?) {
                Ok(edits) => return Ok(Renewed { took: clock.elapsed(), edits }),
                Err(fault) => fault.check(starts)?,
            }
            starts += 1;
        }
    }

    fn layer(&self) -> Result<Arc<Layer>, RenewError> {
        self.layer.upgrade().filter(|_| !self.task.is_cancelled()).ok_or(RenewError::Cancelled)
    }

    /// Builds the planner for the map as it is.
    fn build(&self) -> Result<Box<dyn Planner>, RenewError> {
        let grid = self.map()?;
        let watch = |progress| *lock(&self.task.progress) = Some(progress);
        let build = Build::new(&grid).within(self.source.budget).watched(&watch).cancelled_by(&self.task.cancel);
        self.guarded(|| self.source.build(&build))?.map_err(RenewError::of)
    }

    /// The map as it is, of which every edit is written down from now on.
    fn map(&self) -> Result<Grid, RenewError> {
        self.layer()?.take_map(&self.task).ok_or(RenewError::Cancelled)
    }

    /// Lets a planner catch up and puts it in the place of the one before: how many edits it has missed.
    fn put(&self, mut planner: Box<dyn Planner>) -> Result<u64, CatchUp> {
        let mut count = 0;
        for round in 0.. {
            let layer = self.layer()?;
            let mut writer = layer.writer();
            if !writer.upkeeping.is_on(&self.task) {
                return Err(RenewError::Replaced.into());
            }
            let missed = writer.upkeeping.missed.take().unwrap_or_default();
            if missed.is_too_much {
                return Err(CatchUp::TooMuch);
            }
            writer.upkeeping.missed = Some(Missed { count: missed.count, ..Missed::default() });
            let is_up_to_date = missed.count == count;
            count = missed.count;
            if is_up_to_date || round == CATCHING_UP {
                // Nobody edits meanwhile.
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

    /// Lets a planner make the edits that it has missed.
    fn follow(&self, planner: &mut dyn Planner, missed: &Missed) -> Result<(), CatchUp> {
        let follow = || {
            if !missed.edits.is_empty() {
                planner.apply(&missed.edits)?;
            }
            Ok(())
        };
        self.guarded(follow)?.map_err(CatchUp::Refused)
    }

    /// Does something that a planner does, which may be anybody's.
    fn guarded<T>(&self, work: impl FnOnce() -> T) -> Result<T, RenewError> {
        catch_unwind(AssertUnwindSafe(work))
            .map_err(|panic| RenewError::Panicked { planner: self.source.spec.about().name, message: message(&*panic) })
    }
}

/// Why a planner could not catch up.
enum CatchUp {
    /// There were too many edits.
    TooMuch,
    /// It did not take them.
    Refused(EditError),
    /// It need not any more.
    Ended(RenewError),
}

impl CatchUp {
    /// Whether another start may do better after so many.
    fn check(self, starts: u32) -> Result<(), RenewError> {
        match self {
            Self::Ended(error) => Err(error),
            _ if starts < MOST_STARTS => Ok(()),
            Self::TooMuch => Err(RenewError::Overtaken { starts }),
            Self::Refused(error) => Err(RenewError::Edits(error)),
        }
    }
}

impl From<RenewError> for CatchUp {
    fn from(error: RenewError) -> Self {
        Self::Ended(error)
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it did not say why").to_owned()
}

impl Engine {
    /// Builds the planner anew for the map as it is now, on a thread of its own, while everybody goes on asking and
    /// editing. Once it is done it makes the edits that came meanwhile, and is asked from then on; the one before is
    /// dropped when the last who is asking it is done. For an index that is [stale](Engine::is_stale), and for planners
    /// that choose by the map.
    ///
    /// It may take what the engine's first build was allowed to ([`Build::within`]). An index file that the spec names
    /// is for the map as it was: the index is built. The engine of an [agent](Engine::for_agent) has its own planner
    /// built anew, and no other.
    ///
    /// One is built at a time. If one is being built already, and no edit came since it began, this gives that one;
    /// otherwise it is ended, and one begins with the map as it is now. Dropping what this gives changes nothing;
    /// dropping the engine, and all its clones, ends the build.
    ///
    /// ```
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("cpd", &Grid::open(20, 20)?)?;
    /// engine.apply(Edits::new().block_rect((10, 0), (10, 18)))?;
    /// assert!(engine.is_stale(), "it answers, but has to search");
    /// let renewal = engine.renew();
    /// assert!(engine.find((0, 0), (19, 0))?.is_some(), "nobody waits for it");
    /// renewal.wait()?;
    /// assert!(!engine.is_stale());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew(&self) -> Renewal {
        self.layer.renew(None)
    }

    /// As [`renew`](Engine::renew), within another budget than that of the engine's first build: one that has all the
    /// time there is can be larger.
    ///
    /// ```
    /// use octile::planner::Budget;
    /// use octile::{BuildError, Engine, Grid, RenewError};
    /// let engine = Engine::new("jump-graph", &Grid::open(300, 300)?)?;
    /// let error = engine.renew_within(Budget::AT_ONCE.bytes(1000)).wait().unwrap_err();
    /// assert!(matches!(error, RenewError::Build(BuildError::OverBudget { .. })));
    /// assert!(engine.find((0, 0), (299, 299))?.is_some(), "it has the planner that it had");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew_within(&self, budget: Budget) -> Renewal {
        self.layer.renew(Some(budget))
    }

    /// The last [renewal](Engine::renew) that was begun, by a call or by [itself](Engine::keep_fresh); `None` if there
    /// was none, or the last one goes [by slices](Engine::renew_by_slices).
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
        let task = self.layer.writer().upkeeping.task.clone();
        task.filter(|task| !task.is_sliced).map(|task| Renewal { task })
    }

    /// Lets the engine [build anew](Engine::renew) by itself when its index has gone [stale](Engine::is_stale) by edits
    /// and these have been quiet for a while; `None` ends that, and leaves alone what is being built. Off by default;
    /// for all agents.
    ///
    /// One is built at a time, and again if edits came meanwhile. Where a build fails, the next is tried after another
    /// edit, and waits twice as long.
    ///
    /// ```
    /// use std::time::Duration;
    /// use octile::{Edits, Engine, Grid, Upkeep};
    /// let engine = Engine::new("cpd", &Grid::open(20, 20)?)?;
    /// engine.keep_fresh(Upkeep::after(Duration::from_millis(5)));
    /// engine.apply(Edits::new().block((10, 10)))?;
    /// if let Some(renewal) = engine.renewal() {
    ///     renewal.wait()?; // a program does not wait: it goes on asking
    /// }
    /// assert!(!engine.is_stale());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_fresh(&self, upkeep: impl Into<Option<Upkeep>>) {
        self.family.keep_fresh(upkeep.into());
    }
}
