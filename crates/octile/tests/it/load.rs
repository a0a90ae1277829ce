//! One engine under load: eight threads ask during edits. Every answer is judged on its own map, and memory must stay
//! flat.
//!
//! For a long run, set the minimum of both: `OCTILE_LOAD_SECONDS=600 OCTILE_LOAD_QUERIES=10000000`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use octile::formats::generate;
use octile::geometry::Dice;
use octile::{Cell, Edits, Engine, Finder, Grid, Path, PathQuery};
use octile_testkit::setting;

const THREADS: u64 = 8;

/// One in this many answers is also compared with another planner's cost.
const JUDGED: u64 = 200;

/// The minimum number of queries.
const QUERIES: u64 = 500_000;

/// The minimum number of queries between two edits.
const QUERIES_PER_EDIT: u64 = 125;

/// Memory is sampled once per this many edits.
const SAMPLED: u64 = 50;

/// The memory of this process in kilobytes, if the system tells.
fn resident_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Blocks a few cells, or frees them if a quarter of the map is blocked already: walls come and go, and most cells stay
/// connected.
fn edits(grid: &Grid, dice: &mut Dice) -> Edits {
    let mut edits = Edits::new();
    let mut cell = || Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
    let (a, b) = (cell(), cell());
    let end = Cell::new((a.x + b.x % 5).min(grid.width() - 1), (a.y + b.y % 5).min(grid.height() - 1));
    let is_open = 4 * u64::from(grid.free_cells()) > 3 * u64::from(grid.width()) * u64::from(grid.height());
    if is_open {
        edits.block_rect(a, end)
    } else {
        edits.free_rect(a, end)
    };
    edits
}

/// The joint counts of the threads.
#[derive(Default)]
struct Tally {
    asked: AtomicU64,
    found: AtomicU64,
    judged: AtomicU64,
    edits: AtomicU64,
    done: AtomicBool,
}

/// Ends the test if a thread fails.
struct Failing<'a>(&'a Tally);

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        self.0.done.fetch_or(std::thread::panicking(), Ordering::Relaxed);
    }
}

/// Asks until all are done.
fn ask(engine: &Engine, seed: u64, tally: &Tally) {
    let _failing = Failing(tally);
    let (mut dice, mut path) = (Dice::new(seed), Path::new());
    while !tally.done.load(Ordering::Relaxed) {
        let planner = engine.snapshot();
        let grid = planner.grid().clone();
        let mut scratch = planner.create_scratch();
        let mut judge: Option<Finder> = None;
        for _ in 0..500 {
            let mut cell =
                || Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
            let (start, goal) = (cell(), cell());
            let answer = planner.plan(&mut scratch, PathQuery::new(start, goal), &mut path);
            assert_eq!(answer.is_ok(), grid.is_free(start) && grid.is_free(goal));
            if answer == Ok(true) {
                path.check(&grid, start, goal).unwrap();
                tally.found.fetch_add(1, Ordering::Relaxed);
            }
            if let (Ok(found), 0) = (answer, dice.below(JUDGED)) {
                let judge = judge.get_or_insert_with(|| Finder::new("astar", &grid).unwrap());
                let cost = judge.find(start, goal).unwrap().map(|best| best.cost());
                assert_eq!(found.then(|| path.cost()), cost, "from {start} to {goal}");
                tally.judged.fetch_add(1, Ordering::Relaxed);
            }
            // Ask the engine itself, with its pool of scratches: the path is legal on some map, which is not known
            // here.
            let _ = engine.plan(PathQuery::new(start, goal), &mut path);
            tally.asked.fetch_add(2, Ordering::Relaxed);
        }
    }
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn answers_stay_right_and_memory_flat_under_load() {
    // The memory of this process says nothing about the engine while other tests run in it, so the test runs in its own
    // process.
    const ALONE: &str = "OCTILE_LOAD_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let name = "load::answers_stay_right_and_memory_flat_under_load";
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        let output = again.args(["--exact", name, "--nocapture"]).env(ALONE, "1").output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        println!("{out}");
        assert!(output.status.success() && out.contains("1 passed"), "{out}\n{err}");
        return;
    }
    let (seconds, queries) = (setting("OCTILE_LOAD_SECONDS", 0), setting("OCTILE_LOAD_QUERIES", QUERIES));
    let grid = generate::rooms(96, 96, 8, 1).unwrap();
    for spec in ["corner-sweep", "jump-graph"] {
        let (engine, tally) = (Engine::new(spec, &grid).unwrap(), Tally::default());
        let (clock, limit) = (Instant::now(), Duration::from_secs(seconds) / 2);
        let mut memory = Vec::new();
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (engine, tally) = (engine.clone(), &tally);
                scope.spawn(move || ask(&engine, thread, tally));
            }
            let (mut dice, mut due) = (Dice::new(99), 0);
            let is_done = || tally.done.load(Ordering::Relaxed);
            while !is_done() && (due < queries / 2 || clock.elapsed() < limit) {
                engine.apply(&edits(&engine.grid(), &mut dice)).unwrap();
                if tally.edits.fetch_add(1, Ordering::Relaxed) % SAMPLED == 0 {
                    memory.extend(resident_kb());
                }
                // The next edit comes after this many more queries, however long they take.
                due += QUERIES_PER_EDIT;
                while !is_done() && tally.asked.load(Ordering::Relaxed) < due {
                    std::thread::sleep(Duration::from_micros(50));
                }
            }
            tally.done.store(true, Ordering::Relaxed);
        });
        let [asked, found, judged, edits] =
            [&tally.asked, &tally.found, &tally.judged, &tally.edits].map(|count| count.load(Ordering::Relaxed));
        println!(
            "{spec}: {asked} queries, {found} paths checked, {judged} costs judged, {edits} edits in {:.1} s, none wrong; resident {:?} kB, \
             scratches {} bytes",
            clock.elapsed().as_secs_f64(),
            memory,
            engine.scratch_bytes()
        );
        assert!(3 * found > asked / 10 && judged > 5 && edits > 100, "{found} of {asked}");
        // The second half takes no more memory than the first, except what the allocator keeps.
        let (first, second) = memory.split_at(memory.len() / 2);
        let most = |half: &[u64]| half.iter().copied().max().unwrap_or_default();
        assert!(most(second) <= most(first) * 5 / 4 + 20_000, "{memory:?}");
    }
}
