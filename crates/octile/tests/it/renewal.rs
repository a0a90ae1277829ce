//! Builds that are cancelled, and planners that are rebuilt while they answer.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use octile::engine::{RenewError, Renewal, Renewed, Upkeep};
use octile::formats::generate;
use octile::geometry::Dice;
use octile::grid::Agent;
use octile::path::PathFault;
use octile::planner::{About, EditError, Native, Probe, Scratch};
use octile::planner::{Budget, Facts, IndexEffort, KeyValue, PlannerId, Progress, SizeBytes, Takes};
use octile::{
    Astar, Build, BuildError, Catalog, Cell, Config, Edits, Engine, Grid, Guarantee, Movement, Path, PathQuery,
    Planner, PlannerSpec, Query,
};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use octile_testkit::planners;

/// The specs whose builds take long enough to report progress.
const LONG_BUILDS: [&str; 6] = ["hub-labels", "core-table", "cpd", "taut-labels", "taut-graph", "auto"];

/// Setting the cancel flag at the n-th progress report ends the build there.
#[test]
fn builds_end_soon_after_they_are_cancelled() {
    let grid = generate::random(90, 90, 20, 5).unwrap();
    for spec in LONG_BUILDS {
        let parsed: PlannerSpec = spec.parse().unwrap();
        let told = AtomicU64::new(0);
        let count = |_: Progress| _ = told.fetch_add(1, Ordering::Relaxed);
        parsed.build_from(&Build::new(&grid).watched(&count)).unwrap();
        let all = told.swap(0, Ordering::Relaxed);
        assert!(all >= 3, "{spec} reports progress {all} times");
        for when in [0, 1, all / 2] {
            let (cancel, told) = (AtomicBool::new(when == 0), AtomicU64::new(0));
            let watch = |_: Progress| {
                if told.fetch_add(1, Ordering::Relaxed) + 1 == when {
                    cancel.store(true, Ordering::Relaxed);
                }
            };
            let built = parsed.build_from(&Build::new(&grid).watched(&watch).cancelled_by(&cancel));
            assert!(matches!(built, Err(BuildError::Cancelled)), "{spec} after {when} of {all}");
            // Other threads may finish a few rows each.
            let more = told.into_inner() - when;
            assert!(more <= all / 4 + 64, "{spec} reported {more} more times after {when} of {all}");
        }
    }
}

/// The same for builds of index files; builds without progress do not begin.
#[test]
fn index_files_and_short_builds_are_cancelled_too() {
    let (grid, cancel) = (generate::random(40, 40, 20, 5).unwrap(), AtomicBool::new(true));
    let build = Build::new(&grid).within(Budget::BEFOREHAND).cancelled_by(&cancel);
    let catalog = Catalog::standard();
    for kind in catalog.indexes() {
        assert!(matches!(kind.build_from(&build), Err(BuildError::Cancelled)), "{}", kind.kind);
    }
    for entry in catalog.planners() {
        for spec in catalog.specs(entry) {
            let spec: PlannerSpec = spec.parse().unwrap();
            let grid = grid.with_movement(spec.movements()[0]);
            let built = spec.build_from(&Build::new(&grid).cancelled_by(&cancel));
            assert!(matches!(built, Err(BuildError::Cancelled)), "{spec}");
        }
    }
    cancel.store(false, Ordering::Relaxed);
    assert!(catalog.index("hub-labels").unwrap().build_from(&build).is_ok());
}

/// How the planners of a test behave. Each test has its own.
struct Mood {
    /// Builds wait while it is set.
    is_closed: AtomicBool,
    /// Builds panic.
    panics: AtomicBool,
    /// Planners from this build on refuse edits.
    refuses: AtomicU64,
    /// The number of builds that have begun.
    begun: AtomicU64,
    /// The number of existing planners.
    planners: AtomicUsize,
    /// Planners that were copied.
    copied: AtomicU64,
}

static MOODS: [Mood; 16] = [const {
    Mood {
        is_closed: AtomicBool::new(false),
        panics: AtomicBool::new(false),
        refuses: AtomicU64::new(u64::MAX),
        begun: AtomicU64::new(0),
        planners: AtomicUsize::new(0),
        copied: AtomicU64::new(0),
    }
}; 16];

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Number(usize);

impl KeyValue for Number {
    const TAKES: Takes = usize::TAKES;

    fn parse(text: &str, _: Takes) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    fn text(&self, _: Takes) -> Option<String> {
        Some(self.0.to_string())
    }
}

octile::config! {
    /// A planner that goes stale, and whose builds follow its mood.
    struct Moody {
        /// The index of its mood.
        mood: Number ["mood": "the index of its mood"],
    }
}

static ABOUT: About =
    About { name: "moody", summary: "a planner for tests", paper: "none", index: IndexEffort::Map, variants: &[] };

impl Config for Moody {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &Movement::ALL).native(&[Native::Slices])
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        let mood = &MOODS[self.mood.0];
        let number = mood.begun.fetch_add(1, Ordering::SeqCst);
        assert!(!mood.panics.load(Ordering::SeqCst), "in a bad mood");
        while mood.is_closed.load(Ordering::SeqCst) {
            build.tell(Progress::new("waiting", 1, 2));
            build.check_cancelled()?;
            std::thread::sleep(Duration::from_millis(1));
        }
        let size = (build.grid().width(), build.grid().height());
        let over = |over| BuildError::OverBudget { planner: ABOUT.name, size, over };
        build.budget().check(0, 1000).map_err(over)?;
        let planner = Astar::default().build(build)?;
        mood.planners.fetch_add(1, Ordering::SeqCst);
        let (id, facts) = (PlannerId::new(), self.facts());
        Ok(Box::new(MoodyPlanner { id, facts, planner, mood, number, is_stale: false }))
    }
}

struct MoodyPlanner {
    id: PlannerId,
    facts: Facts,
    planner: Box<dyn Planner>,
    mood: &'static Mood,
    number: u64,
    is_stale: bool,
}

impl Clone for MoodyPlanner {
    fn clone(&self) -> Self {
        self.mood.planners.fetch_add(1, Ordering::SeqCst);
        self.mood.copied.fetch_add(1, Ordering::SeqCst);
        Self { planner: self.planner.clone(), ..*self }
    }
}

impl Drop for MoodyPlanner {
    fn drop(&mut self) {
        self.mood.planners.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The scratch memory of the planner of one build.
struct MoodyMemory(Scratch);

impl SizeBytes for MoodyMemory {
    fn size_bytes(&self) -> usize {
        self.0.size_bytes()
    }
}

impl Planner for MoodyPlanner {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        self.planner.grid()
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(self.id, MoodyMemory(self.planner.create_scratch()))
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        trip: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        self.planner.search(&mut scratch.get::<MoodyMemory>().0, trip, out, probe)
    }

    fn is_stale(&self) -> bool {
        self.is_stale
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        if self.number >= self.mood.refuses.load(Ordering::SeqCst) {
            return Err(EditError::Refused { planner: ABOUT.name });
        }
        self.planner.apply(edits)?;
        self.is_stale = true;
        Ok(())
    }
}

/// An engine with a moody planner, and its mood.
fn moody(number: usize, grid: &Grid) -> (Engine, &'static Mood) {
    let engine = Engine::new(Moody::default().mood(Number(number)), grid).unwrap();
    (engine, &MOODS[number])
}

/// Waits for the end of a renewal.
fn ended(renewal: &Renewal) -> Result<Renewed, RenewError> {
    renewal.wait_for(Duration::from_mins(2)).expect("the rebuild must end")
}

/// Waits until something holds.
fn until(holds: impl Fn() -> bool) {
    let clock = Instant::now();
    while !holds() {
        assert!(clock.elapsed() < Duration::from_mins(2), "the condition must become true");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a build has begun.
fn until_begun(mood: &Mood, builds: u64) {
    until(|| mood.begun.load(Ordering::SeqCst) >= builds);
}

/// Asserts that an engine answers for a map.
fn answers(engine: &Engine, grid: &Grid) {
    assert_eq!(engine.grid(), *grid);
    let free = free_cells(grid);
    let truth = Truth::new(grid, free[0]);
    for &goal in free.iter().step_by(free.len() / 20 + 1) {
        let path = engine.find(free[0], goal).unwrap();
        assert_eq!(path.as_ref().and_then(|path| path.cost().grid()), truth.on_cells(goal), "to {goal}\n{grid:?}");
        path.inspect(|path| path.check(grid, free[0], goal).unwrap());
    }
}

/// Eight threads ask while the map changes and planners are rebuilt or cancelled. Every answer is exact for the map of
/// its snapshot, or for one of the maps during the query.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn answers_are_exact_during_rebuilds() {
    let specs = [
        "corner-sweep:cache=on",
        "core-search",
        "cpd",
        "hub-labels",
        "core-table",
        "jps:prune=gates,gates=always",
        "moody:mood=0",
    ];
    let catalog = Catalog::standard().with(Moody::ENTRY);
    for (seed, spec) in (0..).zip(specs) {
        let grid = generate::random(24, 18, 25, seed).unwrap();
        let engine = Engine::new(catalog.parse(spec).unwrap(), &grid).unwrap();
        let maps = Mutex::new(vec![grid.clone()]);
        let (done, answered, renewed) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
        let (start, goal) = (Cell::new(0, 0), Cell::new(23, 17));
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let (engine, maps, done, answered) = (engine.clone(), &maps, &done, &answered);
                scope.spawn(move || {
                    let (mut dice, mut path) = (Dice::new(100 * seed + thread), Path::new());
                    while !done.load(Ordering::Relaxed) {
                        if thread % 2 == 0 {
                            let planner = engine.snapshot();
                            let grid = planner.grid();
                            let free = free_cells(grid);
                            let [from, to] = [0; 2].map(|_| free[dice.below(free.len() as u64) as usize]);
                            let query = Query::new(from, to);
                            let found = planner.plan(&mut planner.create_scratch(), query, &mut path).unwrap();
                            let truth = Truth::new(grid, from).on_cells(to);
                            assert_eq!(found.then(|| path.cost().grid()).flatten(), truth, "{spec}");
                        } else {
                            // The last recorded edit may not have been applied yet.
                            let first = maps.lock().unwrap().len().saturating_sub(2);
                            let answer = engine.plan(Query::new(start, goal), &mut path);
                            let maps = maps.lock().unwrap()[first..].to_vec();
                            let fits = |grid: &Grid| match answer {
                                Ok(found) => {
                                    let cost = found.then(|| path.cost().grid()).flatten();
                                    let is_legal = !found || path.check(grid, start, goal).is_ok();
                                    is_legal && cost == Truth::new(grid, start).on_cells(goal)
                                }
                                Err(_) => !grid.is_free(start) || !grid.is_free(goal),
                            };
                            assert!(maps.iter().any(fits), "{spec}: {answer:?}");
                        }
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let (mut dice, mut last) = (Dice::new(seed), None::<Renewal>);
            for round in 0..60 {
                let mut next = Edits::new();
                for _ in 0..=dice.below(4) {
                    let cell = Cell::new(dice.below(24) as u32, dice.below(18) as u32);
                    if cell != start && cell != goal {
                        next.extend([(cell, dice.hits(1, 2))]);
                    }
                }
                let mut map = maps.lock().unwrap().last().unwrap().clone();
                map.apply(&next).unwrap();
                maps.lock().unwrap().push(map);
                engine.apply(&next).unwrap();
                match dice.below(4) {
                    0 => last = Some(engine.renew()),
                    1 => {
                        last.take().inspect(Renewal::cancel);
                    }
                    2 if round % 2 == 0 => {
                        let end = last.take().map(|renewal| ended(&renewal));
                        renewed.fetch_add(usize::from(matches!(end, Some(Ok(_)))), Ordering::Relaxed);
                    }
                    _ => {}
                }
                let before = answered.load(Ordering::Relaxed);
                while answered.load(Ordering::Relaxed) < before + 8 {
                    std::thread::yield_now();
                }
            }
            renewed.fetch_add(usize::from(ended(&engine.renew()).is_ok()), Ordering::Relaxed);
            done.store(true, Ordering::Relaxed);
        });
        assert!(renewed.into_inner() > 1, "{spec}");
        assert!(!engine.is_stale(), "{spec}");
        answers(&engine, maps.lock().unwrap().last().unwrap());
    }
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_rebuilt_planner_has_applied_the_edits_it_missed() {
    let mut grid = generate::random(30, 20, 20, 1).unwrap();
    let (engine, mood) = moody(1, &grid);
    mood.is_closed.store(true, Ordering::SeqCst);
    let renewal = engine.renew();
    until_begun(mood, 2);
    until(|| renewal.progress().is_some());
    assert!(!renewal.is_done() && renewal.wait_for(Duration::ZERO).is_none());
    for y in 3..8 {
        let mut edits = Edits::new();
        edits.block_rect((10, y), (14, y)).free((12, y - 1));
        grid.apply(&edits).unwrap();
        engine.apply(&edits).unwrap();
        answers(&engine, &grid);
    }
    mood.is_closed.store(false, Ordering::SeqCst);
    assert_eq!(ended(&renewal).unwrap().edits, 5);
    assert!(renewal.is_done() && engine.is_stale(), "stale by five edits");
    answers(&engine, &grid);
    assert_eq!(ended(&engine.renew()).unwrap().edits, 0);
    assert!(!engine.is_stale());
    answers(&engine, &grid);
}

/// With more edits than can be recorded, or edits that the new planner refuses, the build starts again with the new
/// map.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_build_that_cannot_catch_up_starts_again() {
    let mut grid = Grid::open(20, 20).unwrap();
    let (engine, mood) = moody(2, &grid);
    for is_refused in [false, true] {
        mood.is_closed.store(true, Ordering::SeqCst);
        mood.refuses.store(if is_refused { 3 } else { u64::MAX }, Ordering::SeqCst);
        let begun = mood.begun.load(Ordering::SeqCst);
        let renewal = engine.renew();
        until_begun(mood, begun + 1);
        let mut edits = Edits::new();
        edits.block((10, 10));
        (0..if is_refused { 1 } else { 70_000 }).for_each(|_| _ = edits.block((11, 10 + u32::from(is_refused))));
        grid.apply(&edits).unwrap();
        engine.apply(&edits).unwrap();
        mood.is_closed.store(false, Ordering::SeqCst);
        assert_eq!(ended(&renewal).unwrap().edits, 0);
        assert_eq!(mood.begun.load(Ordering::SeqCst), begun + 2);
        answers(&engine, &grid);
    }
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_second_renewal_joins_the_first_unless_the_map_has_changed() {
    let grid = Grid::open(20, 20).unwrap();
    let (engine, mood) = moody(3, &grid);
    mood.is_closed.store(true, Ordering::SeqCst);
    let first = engine.renew();
    until_begun(mood, 2);
    let joined = engine.clone().renew();
    assert_eq!(mood.begun.load(Ordering::SeqCst), 2);
    assert!(!first.is_done(), "it goes on for both");
    engine.apply(Edits::new().block((3, 3))).unwrap();
    let second = engine.renew();
    assert!(matches!(ended(&first), Err(RenewError::Replaced)) && matches!(ended(&joined), Err(RenewError::Replaced)));
    until_begun(mood, 3);
    mood.is_closed.store(false, Ordering::SeqCst);
    assert_eq!(ended(&second).unwrap().edits, 0);
    assert!(!engine.is_stale());
    assert!(engine.renewal().is_some_and(|renewal| renewal.is_done()));
}

/// However a build ends, the engine answers as before, and the next build can succeed.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn failed_builds_do_not_change_the_engine() {
    let mut grid = Grid::open(20, 20).unwrap();
    let (engine, mood) = moody(4, &grid);
    assert!(engine.renewal().is_none());
    mood.is_closed.store(true, Ordering::SeqCst);
    let cancelled = engine.renew();
    until_begun(mood, 2);
    cancelled.cancel();
    assert!(matches!(ended(&cancelled), Err(RenewError::Cancelled)));
    mood.is_closed.store(false, Ordering::SeqCst);
    mood.panics.store(true, Ordering::SeqCst);
    let error = ended(&engine.renew()).unwrap_err();
    assert_eq!(error.to_string(), "planner `moody` panicked during its build: in a bad mood");
    mood.panics.store(false, Ordering::SeqCst);
    let error = ended(&engine.renew_within(Budget::AT_ONCE.bytes(10))).unwrap_err();
    assert!(matches!(error, RenewError::Build(_)), "{error}");
    grid.apply(Edits::new().block((10, 10))).unwrap();
    engine.apply(Edits::new().block((10, 10))).unwrap();
    answers(&engine, &grid);
    assert_eq!(mood.planners.load(Ordering::SeqCst), 1);
    assert!(ended(&engine.renew()).is_ok() && !engine.is_stale());
    assert!(matches!(ended(&Engine::of(engine.snapshot()).renew()), Err(RenewError::NoSpec)));
}

/// The memory of the old planner, of its spare copy and of its scratches is freed, including scratches in use at the
/// time.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_rebuild_frees_the_old_memory() {
    let grid = Grid::open(40, 40).unwrap();
    let (engine, mood) = moody(5, &grid);
    let planners = || mood.planners.load(Ordering::SeqCst);
    let before = engine.snapshot();
    engine.apply(Edits::new().block((3, 3))).unwrap();
    assert_eq!(planners(), 2, "the edit went to a copy");
    drop(before);
    let pending = engine.begin(Query::new((0, 0), (9, 9)));
    engine.find((0, 0), (9, 9)).unwrap();
    assert_eq!((planners(), engine.scratch_bytes() > 0), (2, true));
    ended(&engine.renew()).unwrap();
    drop(pending);
    assert_eq!((planners(), engine.scratch_bytes()), (1, 0));
    engine.find((0, 0), (9, 9)).unwrap();
    assert!(engine.scratch_bytes() > 0);
    // A snapshot keeps the old planner.
    let held = engine.snapshot();
    ended(&engine.renew()).unwrap();
    assert_eq!(planners(), 2);
    drop(held);
    assert_eq!(planners(), 1);
    drop(engine);
    assert_eq!(planners(), 0);
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_build_ends_when_the_engine_is_dropped() {
    let (engine, mood) = moody(6, &Grid::open(20, 20).unwrap());
    mood.is_closed.store(true, Ordering::SeqCst);
    let renewal = engine.renew();
    until_begun(mood, 2);
    drop(engine.clone());
    assert!(!renewal.is_done());
    drop(engine);
    assert!(matches!(ended(&renewal), Err(RenewError::Cancelled)));
    assert_eq!(mood.planners.load(Ordering::SeqCst), 0);
    // Also while an automatic rebuild waits for its time.
    let (engine, mood) = moody(7, &Grid::open(20, 20).unwrap());
    engine.keep_fresh(Upkeep::after(Duration::from_hours(1)));
    engine.apply(Edits::new().block((3, 3))).unwrap();
    let renewal = engine.renewal().unwrap();
    assert!(!renewal.is_done());
    drop(engine);
    assert!(matches!(ended(&renewal), Err(RenewError::Cancelled)));
    assert_eq!(mood.planners.load(Ordering::SeqCst), 0);
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn an_engine_kept_fresh_rebuilds_automatically() {
    let mut grid = Grid::open(20, 20).unwrap();
    let (engine, mood) = moody(8, &grid);
    let mut change = |x| {
        grid.apply(Edits::new().block((x, 3))).unwrap();
        engine.apply(Edits::new().block((x, 3))).unwrap();
    };
    change(1);
    assert!(engine.renewal().is_none(), "off by default");
    // The index is already stale.
    engine.keep_fresh(Upkeep::after(Duration::from_millis(10)));
    until(|| !engine.is_stale());
    // Edits during the build start another.
    mood.is_closed.store(true, Ordering::SeqCst);
    change(2);
    until_begun(mood, 3);
    change(3);
    mood.is_closed.store(false, Ordering::SeqCst);
    until_begun(mood, 4);
    until(|| !engine.is_stale());
    // After a failed build, another edit starts the next.
    mood.panics.store(true, Ordering::SeqCst);
    change(4);
    until(|| engine.renewal().is_some_and(|renewal| matches!(renewal.wait(), Err(RenewError::Panicked { .. }))));
    mood.panics.store(false, Ordering::SeqCst);
    assert!(engine.is_stale());
    change(5);
    until(|| !engine.is_stale());
    // Endless edits.
    engine.keep_fresh(Upkeep::after(Duration::from_hours(1)).at_latest(Duration::from_millis(20)));
    let before = mood.begun.load(Ordering::SeqCst);
    until(|| {
        engine.apply(Edits::new().block((6, 3)).free((6, 3))).unwrap();
        mood.begun.load(Ordering::SeqCst) > before
    });
    engine.keep_fresh(None);
    until(|| engine.renewal().is_some_and(|renewal| renewal.is_done()));
    answers(&engine, &grid);
}

/// Each agent has its own planner, which is rebuilt alone.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn agents_are_renewed_separately() {
    let grid = generate::rooms(40, 40, 8, 3).unwrap();
    let (engine, mood) = moody(9, &grid);
    let wagon = engine.for_agent(Agent::square(2).unwrap()).unwrap();
    engine.apply(Edits::new().free_rect((5, 5), (12, 12))).unwrap();
    assert!(engine.is_stale() && wagon.is_stale());
    let begun = mood.begun.load(Ordering::SeqCst);
    ended(&wagon.renew()).unwrap();
    assert!(engine.is_stale() && !wagon.is_stale());
    assert_eq!(mood.begun.load(Ordering::SeqCst), begun + 1);
    answers(&wagon, &wagon.grid());
    // All agents are kept fresh, later ones too.
    engine.keep_fresh(Upkeep::after(Duration::from_millis(1)));
    let cart = engine.for_agent(Agent::square(3).unwrap()).unwrap();
    engine.apply(Edits::new().block_rect((6, 6), (9, 9))).unwrap();
    until(|| [&engine, &wagon, &cart].iter().all(|engine| !engine.is_stale()));
    for engine in [engine, wagon, cart] {
        answers(&engine, &engine.grid());
    }
}

/// The index file that a spec names is for the old map.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_rebuild_does_not_use_the_index_file_of_the_spec() {
    let (mut grid, file) = (generate::random(20, 20, 20, 3).unwrap(), tempfile::NamedTempFile::new().unwrap());
    std::fs::write(&file, Catalog::standard().index("cpd").unwrap().build_for(&grid).unwrap()).unwrap();
    let engine = Engine::new(format!("cpd:index={}", file.path().display()), &grid).unwrap();
    let edits = Edits::new().block_rect((5, 5), (9, 9)).free((7, 7)).clone();
    grid.apply(&edits).unwrap();
    engine.apply(&edits).unwrap();
    assert!(engine.is_stale());
    ended(&engine.renew()).unwrap();
    assert!(!engine.is_stale());
    answers(&engine, &grid);
}

/// An index built in steps is the same as one built at once, and other planners are built in one step.
#[test]
fn planners_built_in_steps_are_the_same() {
    let maps = [
        generate::rooms(70, 50, 7, 1).unwrap(),
        generate::random(60, 90, 25, 2).unwrap(),
        generate::maze(40, 40, 1, 3).unwrap(),
        Grid::open(9, 1).unwrap(),
        "@@\n@@".parse().unwrap(),
        ".@\n@.".parse().unwrap(),
    ];
    for grid in maps {
        let build = Build::new(&grid);
        for spec in ["hub-labels", "hub-labels:smooth=greedy,ends=centres", "jps", "jump-graph", "taut-graph"] {
            let spec: PlannerSpec = spec.parse().unwrap();
            let mut begun = spec.begin(&build).unwrap();
            let mut steps = 0_u64;
            let planner = loop {
                steps += 1;
                let told = begun.progress();
                if let Some(planner) = begun.step().unwrap() {
                    break planner;
                }
                if let (Some(before), Some(now)) = (told, begun.progress()) {
                    assert!(now.stage != before.stage || now.done >= before.done && now.done <= now.all);
                }
            };
            assert_eq!(steps > 4, spec.about().name == "hub-labels", "{spec} took {steps} steps");
            let whole = spec.build_from(&build).unwrap();
            assert_eq!((planner.name(), planner.guarantee()), (whole.name(), whole.guarantee()));
            assert_eq!(planner.index_bytes(), whole.index_bytes());
            let (mut one, mut other) = (octile::Finder::of(planner), octile::Finder::of(whole));
            let free = free_cells(&grid);
            for pair in free.chunks_exact(2).step_by(31).zip(free.chunks_exact(2).rev()) {
                assert_eq!(one.find(pair.0[0], pair.1[1]), other.find(pair.0[0], pair.1[1]), "{spec}");
            }
        }
        let small = Build::new(&grid).within(Budget::AT_ONCE.bytes(100));
        let spec: PlannerSpec = "hub-labels".parse().unwrap();
        let fault = spec.begin(&small).and_then(|mut steps| steps.step().map(|_| ())).unwrap_err();
        assert_eq!(fault.to_string(), spec.build_from(&small).map(|_| ()).unwrap_err().to_string());
    }
}

/// Runs slices until the end; returns their number.
fn slices(renewal: &mut octile::engine::SlicedRenewal) -> (u32, Result<Renewed, RenewError>) {
    for number in 1.. {
        if let Some(end) = renewal.run(Duration::ZERO) {
            assert_eq!(
                format!("{end:?}"),
                format!("{:?}", renewal.run(Duration::from_secs(1)).unwrap()),
                "it stays so"
            );
            return (number, end);
        }
    }
    unreachable!("the rebuild must end")
}

#[test]
fn a_planner_is_rebuilt_in_slices() {
    let mut grid = generate::random(60, 60, 20, 1).unwrap();
    let engine = Engine::new("hub-labels", &grid).unwrap();
    let (number, end) = slices(&mut engine.renew_by_slices());
    assert!(number > 5 && end.unwrap().edits == 0);
    answers(&engine, &grid);
    // Edit between slices.
    let (engine, mood) = moody(10, &grid);
    let mut renewal = engine.renew_by_slices();
    assert!(engine.renewal().is_none(), "a sliced rebuild has no handle to wait for");
    assert!(renewal.run(Duration::ZERO).is_none(), "it has taken the map");
    for x in [20, 30] {
        grid.apply(Edits::new().block_rect((x, 0), (x, 40))).unwrap();
        engine.apply(Edits::new().block_rect((x, 0), (x, 40))).unwrap();
    }
    let (number, end) = slices(&mut renewal);
    assert_eq!((number, end.unwrap().edits, mood.begun.load(Ordering::SeqCst)), (1, 2, 2));
    assert!(engine.is_stale());
    answers(&engine, &grid);
    drop(renewal);
    assert_eq!(mood.planners.load(Ordering::SeqCst), 1);
    // More edits than it can catch up with.
    let mut renewal = engine.renew_by_slices();
    assert!(renewal.run(Duration::ZERO).is_none());
    let mut edits = Edits::new();
    (0..70_000).for_each(|_| _ = edits.block((40, 40)));
    grid.apply(&edits).unwrap();
    engine.apply(&edits).unwrap();
    assert_eq!(slices(&mut renewal).1.unwrap().edits, 0);
    assert!(!engine.is_stale());
    answers(&engine, &grid);
}

#[test]
fn sliced_rebuilds_end_when_dropped_replaced_or_failed() {
    let grid = generate::random(60, 60, 20, 1).unwrap();
    let (engine, mood) = moody(11, &grid);
    let mut first = engine.renew_by_slices();
    assert!(first.run(Duration::ZERO).is_none());
    let mut second = engine.renew_by_slices();
    assert!(matches!(slices(&mut first).1, Err(RenewError::Replaced)));
    assert!(second.run(Duration::ZERO).is_none());
    drop(second);
    engine.apply(Edits::new().block((7, 7))).unwrap();
    let error = slices(&mut engine.renew_by_slices_within(Budget::AT_ONCE.bytes(10))).1.unwrap_err();
    assert!(matches!(error, RenewError::Build(BuildError::OverBudget { .. })), "{error}");
    let error = slices(&mut Engine::of(engine.snapshot()).renew_by_slices()).1.unwrap_err();
    assert!(matches!(error, RenewError::NoSpec), "{error}");
    assert!(engine.is_stale());
    assert!(slices(&mut engine.renew_by_slices()).1.is_ok());
    assert!(!engine.is_stale());
    let mut last = engine.renew_by_slices();
    assert!(last.run(Duration::ZERO).is_none());
    drop(engine);
    assert!(matches!(slices(&mut last).1, Err(RenewError::Cancelled)));
    assert_eq!(mood.planners.load(Ordering::SeqCst), 0);
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "a panic ends the program")]
fn a_panic_in_a_slice_is_an_error() {
    let (engine, mood) = moody(12, &Grid::open(9, 9).unwrap());
    mood.panics.store(true, Ordering::SeqCst);
    assert!(matches!(slices(&mut engine.renew_by_slices()).1, Err(RenewError::Panicked { .. })));
    assert!(engine.find((0, 0), (8, 8)).unwrap().is_some());
}

/// The index of the renewed planner has as many nodes as the old one, at other cells: memory from before the renewal
/// must not be used.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_renewed_planner_gets_new_scratches() {
    let grid: Grid = "...\n.@.\n.@.\n...".parse().unwrap();
    let by_thread = |engine: &Engine| _ = ended(&engine.renew()).unwrap();
    let by_slices = |engine: &Engine| _ = engine.renew_by_slices().run(Duration::MAX).expect("all of it").unwrap();
    let by_upkeep = |engine: &Engine| {
        engine.keep_fresh(Upkeep::after(Duration::ZERO));
        until(|| !engine.is_stale());
    };
    for spec in planners::specs(&grid) {
        for renew in [&by_thread as &dyn Fn(&Engine), &by_slices, &by_upkeep] {
            let engine = Engine::new(spec, &grid).unwrap();
            engine.find((0, 0), (0, 0)).unwrap();
            engine.find((0, 0), (2, 3)).unwrap();
            engine.apply(Edits::new().free((1, 2))).unwrap();
            renew(&engine);
            let path = engine.find((0, 0), (2, 3)).unwrap().unwrap();
            path.check(&engine.grid(), (0, 0), (2, 3)).unwrap();
            assert!(path.length() < 4.5 || engine.guarantee() == Guarantee::Legal, "{spec}: {path:?}");
        }
    }
}

/// A renewal with another budget does not join the one in progress.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn renewals_with_different_budgets_are_not_joined() {
    let engine = Engine::new("hub-labels", &generate::random(120, 120, 20, 1).unwrap()).unwrap();
    let doomed = engine.renew_within(Budget::AT_ONCE.steps(1));
    let renewal = engine.renew();
    assert!(matches!(ended(&doomed), Err(RenewError::Build(_) | RenewError::Replaced)));
    ended(&renewal).unwrap();
}

/// Edits beside a reader are made to two planners in turn: only the first of them makes a copy.
#[test]
fn two_planners_take_turns_while_somebody_reads() {
    let (engine, mood) = moody(13, &Grid::open(20, 20).unwrap());
    let mut reader = Some(engine.snapshot());
    for x in 0..5 {
        engine.apply(Edits::new().block((x, 3))).unwrap();
        reader.replace(engine.snapshot());
    }
    assert!((0..5).all(|x| !engine.grid().is_free((x, 3))));
    assert_eq!(mood.copied.load(Ordering::SeqCst), 1);
}
