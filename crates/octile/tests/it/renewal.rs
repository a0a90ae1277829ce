//! Builds that end before they are done, and planners that are built anew while they are asked.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use octile::planner::{Budget, IndexEffort, KeyValue, PlannerId, Progress, SizeBytes, Slicing};
use octile::{
    About, Agent, Astar, Build, BuildError, Catalog, Cell, Config, Dice, EditError, Edits, Engine, Grid, Guarantee,
    Movement, Path, PathFault, Planner, PlannerSpec, Probe, Query, RenewError, Renewal, Renewed, Scratch, Trip, Upkeep,
    generate,
};
use octile_testkit::oracle::Truth;
use octile_testkit::planners;

/// The specs whose builds take long enough to tell how far they are.
const LONG_BUILDS: [&str; 6] = ["hub-labels", "core-table", "cpd", "taut-labels", "taut-graph", "auto"];

/// A flag that is set when a build tells for the n-th time how far it is ends it there.
#[test]
fn builds_end_soon_after_they_are_cancelled() {
    let grid = generate::random(90, 90, 20, 5).unwrap();
    for spec in LONG_BUILDS {
        let parsed: PlannerSpec = spec.parse().unwrap();
        let told = AtomicU64::new(0);
        let count = |_: Progress| _ = told.fetch_add(1, Ordering::Relaxed);
        parsed.build_from(&Build::new(&grid).watched(&count)).unwrap();
        let all = told.swap(0, Ordering::Relaxed);
        assert!(all >= 3, "{spec} tells how far it is {all} times");
        for when in [0, 1, all / 2] {
            let (cancel, told) = (AtomicBool::new(when == 0), AtomicU64::new(0));
            let watch = |_: Progress| {
                if told.fetch_add(1, Ordering::Relaxed) + 1 == when {
                    cancel.store(true, Ordering::Relaxed);
                }
            };
            let built = parsed.build_from(&Build::new(&grid).watched(&watch).cancelled_by(&cancel));
            assert!(matches!(built, Err(BuildError::Cancelled)), "{spec} after {when} of {all}");
            // Other threads may be at a few rows each.
            let more = told.into_inner() - when;
            assert!(more <= all / 4 + 64, "{spec} went on {more} times after {when} of {all}");
        }
    }
}

/// So do builds of index files, and those that tell nothing are not begun.
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

/// What a test lets its planners do. Each test has one of its own.
struct Mood {
    /// Builds wait as long as it is set.
    is_closed: AtomicBool,
    /// Builds panic.
    panics: AtomicBool,
    /// Planners refuse edits whose build has this number or a later one.
    refuses: AtomicU64,
    /// Builds that have begun.
    begun: AtomicU64,
    /// Planners that there are.
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
    fn parse(text: &str, _: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    fn text(&self, _: &str) -> Option<String> {
        Some(self.0.to_string())
    }
}

octile::config! {
    /// A planner that goes stale, and does as it is told while it is built.
    struct Moody {
        /// Which of the moods is its own.
        mood: Number ["mood": "a number", "which of the moods is its own"],
    }
}

static ABOUT: About =
    About { name: "moody", summary: "a planner for tests", paper: "none", index: IndexEffort::Map, variants: &[] };

impl Config for Moody {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn movements(&self) -> &'static [Movement] {
        &Movement::ALL
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
        Ok(Box::new(MoodyPlanner { id: PlannerId::new(), planner, mood, number, is_stale: false }))
    }
}

struct MoodyPlanner {
    id: PlannerId,
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

/// Memory for the planner of one build.
struct MoodyMemory(Scratch);

impl SizeBytes for MoodyMemory {
    fn size_bytes(&self) -> usize {
        self.0.size_bytes()
    }
}

impl Planner for MoodyPlanner {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
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
        trip: Trip,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        self.planner.search(&mut scratch.get::<MoodyMemory>().0, trip, out, probe)
    }

    fn slicing(&self) -> Slicing {
        Slicing::AtOnce
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

/// An engine with a planner in a mood, and that mood.
fn moody(number: usize, grid: &Grid) -> (Engine, &'static Mood) {
    let engine = Engine::new(Moody::default().mood(Number(number)), grid).unwrap();
    (engine, &MOODS[number])
}

/// Waits for a renewal, which no test lets last.
fn ended(renewal: &Renewal) -> Result<Renewed, RenewError> {
    renewal.wait_for(Duration::from_mins(2)).expect("it comes to an end")
}

/// Waits until something holds.
fn until(holds: impl Fn() -> bool) {
    let clock = Instant::now();
    while !holds() {
        assert!(clock.elapsed() < Duration::from_mins(2), "it comes to hold");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// That a build has begun and waits.
fn until_begun(mood: &Mood, builds: u64) {
    until(|| mood.begun.load(Ordering::SeqCst) >= builds);
}

/// That an engine answers for a map.
fn answers(engine: &Engine, grid: &Grid) {
    assert_eq!(engine.grid(), *grid);
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let truth = Truth::new(grid, free[0]);
    for &goal in free.iter().step_by(free.len() / 20 + 1) {
        let path = engine.find(free[0], goal).unwrap();
        assert_eq!(path.as_ref().and_then(|path| path.cost().grid()), truth.on_cells(goal), "to {goal}\n{grid:?}");
        path.inspect(|path| path.check(grid, free[0], goal).unwrap());
    }
}

/// Eight threads ask while the map changes and planners are built anew, to the end or not. Every answer is exact for the map of its snapshot, or
/// for one of the maps that there were meanwhile.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn answers_are_exact_while_planners_are_built_anew() {
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
                            let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
                            let [from, to] = [0; 2].map(|_| free[dice.below(free.len() as u64) as usize]);
                            let query = Query::new(from, to);
                            let found = planner.plan(&mut planner.create_scratch(), query, &mut path).unwrap();
                            let truth = Truth::new(grid, from).on_cells(to);
                            assert_eq!(found.then(|| path.cost().grid()).flatten(), truth, "{spec}");
                        } else {
                            // The last that is noted may not have landed yet.
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
fn a_planner_that_was_built_anew_has_made_the_edits_that_it_missed() {
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
    assert!(renewal.is_done() && engine.is_stale(), "by five edits");
    answers(&engine, &grid);
    assert_eq!(ended(&engine.renew()).unwrap().edits, 0);
    assert!(!engine.is_stale());
    answers(&engine, &grid);
}

/// More edits than can be written down, or that the new planner refuses: it begins with the map as it is then.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_build_that_cannot_catch_up_begins_again() {
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

/// Whatever becomes of a build, the engine answers as before, and the next build can be a better one.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn builds_that_fail_leave_the_engine_as_it_was() {
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
    assert_eq!(error.to_string(), "planner `moody` panicked while it was built: in a bad mood");
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

/// The memory of the planner before, of its spare copy and of scratches is returned, also of those that are in use at the time.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn memory_is_returned() {
    let grid = Grid::open(40, 40).unwrap();
    let (engine, mood) = moody(5, &grid);
    let planners = || mood.planners.load(Ordering::SeqCst);
    let before = engine.snapshot();
    engine.apply(Edits::new().block((3, 3))).unwrap();
    assert_eq!(planners(), 2, "a copy was changed");
    drop(before);
    let pending = engine.begin(Query::new((0, 0), (9, 9)));
    engine.find((0, 0), (9, 9)).unwrap();
    assert_eq!((planners(), engine.scratch_bytes() > 0), (2, true));
    ended(&engine.renew()).unwrap();
    drop(pending);
    assert_eq!((planners(), engine.scratch_bytes()), (1, 0));
    engine.find((0, 0), (9, 9)).unwrap();
    assert!(engine.scratch_bytes() > 0);
    // Who holds the one before keeps it.
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
fn a_build_ends_when_nobody_has_the_engine_any_more() {
    let (engine, mood) = moody(6, &Grid::open(20, 20).unwrap());
    mood.is_closed.store(true, Ordering::SeqCst);
    let renewal = engine.renew();
    until_begun(mood, 2);
    drop(engine.clone());
    assert!(!renewal.is_done());
    drop(engine);
    assert!(matches!(ended(&renewal), Err(RenewError::Cancelled)));
    assert_eq!(mood.planners.load(Ordering::SeqCst), 0);
    // Also while it waits to begin by itself.
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
fn an_engine_that_is_kept_fresh_builds_anew_by_itself() {
    let mut grid = Grid::open(20, 20).unwrap();
    let (engine, mood) = moody(8, &grid);
    let mut change = |x| {
        grid.apply(Edits::new().block((x, 3))).unwrap();
        engine.apply(Edits::new().block((x, 3))).unwrap();
    };
    change(1);
    assert!(engine.renewal().is_none(), "off by default");
    // It is stale already.
    engine.keep_fresh(Upkeep::after(Duration::from_millis(10)));
    until(|| !engine.is_stale());
    // Edits while it is built: once more.
    mood.is_closed.store(true, Ordering::SeqCst);
    change(2);
    until_begun(mood, 3);
    change(3);
    mood.is_closed.store(false, Ordering::SeqCst);
    until_begun(mood, 4);
    until(|| !engine.is_stale());
    // One that fails is tried again after another edit.
    mood.panics.store(true, Ordering::SeqCst);
    change(4);
    until(|| engine.renewal().is_some_and(|renewal| matches!(renewal.wait(), Err(RenewError::Panicked { .. }))));
    mood.panics.store(false, Ordering::SeqCst);
    assert!(engine.is_stale());
    change(5);
    until(|| !engine.is_stale());
    // Edits that never end.
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

/// Each agent has a planner of its own, and it alone is built anew.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn agents_are_renewed_one_by_one() {
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
    // All of them are kept fresh, those that come later too.
    engine.keep_fresh(Upkeep::after(Duration::from_millis(1)));
    let cart = engine.for_agent(Agent::square(3).unwrap()).unwrap();
    engine.apply(Edits::new().block_rect((6, 6), (9, 9))).unwrap();
    until(|| [&engine, &wagon, &cart].iter().all(|engine| !engine.is_stale()));
    for engine in [engine, wagon, cart] {
        answers(&engine, &engine.grid());
    }
}

/// The index file that a spec names is for the map as it was.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn an_index_file_is_left_behind() {
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

/// An index that is made step by step is the same as one that is made in one go, and other planners are made in one step.
#[test]
fn planners_that_are_made_in_steps_are_the_same() {
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
            let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
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

/// Runs slices until it has ended: how many.
fn slices(renewal: &mut octile::SlicedRenewal) -> (u32, Result<Renewed, RenewError>) {
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
    unreachable!("it comes to an end")
}

#[test]
fn a_planner_is_built_anew_slice_by_slice() {
    let mut grid = generate::random(60, 60, 20, 1).unwrap();
    let engine = Engine::new("hub-labels", &grid).unwrap();
    let (number, end) = slices(&mut engine.renew_by_slices());
    assert!(number > 5 && end.unwrap().edits == 0);
    answers(&engine, &grid);
    // Edits in between.
    let (engine, mood) = moody(10, &grid);
    let mut renewal = engine.renew_by_slices();
    assert!(engine.renewal().is_none(), "nobody can wait for it");
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
    // More edits than it can make up for.
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
fn slices_end_when_they_are_dropped_or_replaced_or_fail() {
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
fn a_panic_in_a_slice_is_told() {
    let (engine, mood) = moody(12, &Grid::open(9, 9).unwrap());
    mood.panics.store(true, Ordering::SeqCst);
    assert!(matches!(slices(&mut engine.renew_by_slices()).1, Err(RenewError::Panicked { .. })));
    assert!(engine.find((0, 0), (8, 8)).unwrap().is_some());
}

/// The index of the renewed planner has as many nodes as the old one, at other cells: memory from before the renewal must not be used.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_renewed_planner_gets_new_working_memory() {
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

/// A renewal with another budget does not join the one that goes on.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn renewals_with_other_budgets_are_other_renewals() {
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
