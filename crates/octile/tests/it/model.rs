//! Random programs of the whole API, played against an engine and a naive twin (`octile_testkit::model`).
//!
//! ```text
//! OCTILE_MODEL_PROGRAMS=1000000 OCTILE_MODEL_SEED=7 OCTILE_PLANNER=core \
//!     cargo test --release -p octile --test it model -- --nocapture
//! ```
//!
//! `OCTILE_MODEL_SECONDS=3600` plays programs for an hour instead.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use octile::Movement;
use octile::grid::Convention;
use octile::planner::Nearest;
use octile_testkit::model::generate::{self, specs};
use octile_testkit::model::program::Change::{Block, BlockRect, Free, FreeRect, PriceRect};
use octile_testkit::model::program::Form::OneByOne;
use octile_testkit::model::program::Who::Engine;
use octile_testkit::model::program::{Op, Program, Question};
use octile_testkit::model::twin::Map;
use octile_testkit::model::{Counts, Failure, Rules, play, shrink};
use octile_testkit::planners;

use octile_testkit::setting;

/// The number of programs in a normal run.
const PROGRAMS: u64 = if cfg!(target_family = "wasm") { 400 } else { 5000 };

/// The number of programs between two readings of the clock.
const AT_A_TIME: u64 = 256;

/// What every normal run must cover: all operations, all answerers, all outcomes.
const EXPECTED: &str = "Edit Race Pairs Ask Begin Run Chase Field Distances Hold LetGo Branch Stranger EditBranch \
    Renew RenewAgent BeginRenewal AwaitRenewal CancelRenewal BeginSlices RunSlice FinishSlices DropSlices KeepFresh \
    StillValid Block Free BlockRect FreeRect Price PriceRect Patch OneByOne FindAll PlanAll Routes Matrix KNearest \
    by-Engine by-Clone by-Thread by-Finder by-Snapshot by-Agent by-Held by-Branch by-Shared found nearest no-path \
    limit error edit-refused edit-without-effect scratch-accepted scratch-refused renewed renewed-in-slices \
    sliced-answer still-valid no-longer-valid stranger limit-cost limit-expanded limit-cancelled";

fn rules() -> Rules {
    #[cfg(feature = "serde")]
    return Rules { carry_edits, carry_path, ..Rules::default() };
    #[cfg(not(feature = "serde"))]
    Rules::default()
}

#[cfg(feature = "serde")]
fn carry_edits(edits: &octile::Edits) -> octile::Edits {
    serde_json::from_str(&serde_json::to_string(edits).unwrap()).unwrap()
}

#[cfg(feature = "serde")]
fn carry_path(path: &octile::Path) -> octile::Path {
    let read: octile::Path = serde_json::from_str(&serde_json::to_string(path).unwrap()).unwrap();
    assert_eq!(&read, path);
    read
}

/// Shrinks a failing program and describes it.
fn report(program: Program, failure: &Failure) -> String {
    let fails = |candidate: &Program| play(candidate, &rules()).err().filter(|other| other.kind == failure.kind);
    let same =
        |candidate: &Program| (0..if candidate.depends_on_threads() { 10 } else { 1 }).find_map(|_| fails(candidate));
    let small = shrink(program, |candidate| same(candidate).is_some());
    let last = same(&small).map_or("it fails only sometimes".to_owned(), |failure| failure.text);
    format!("{}: {}\nshrunk: {last}\n{small}", failure.kind, failure.text)
}

/// Plays programs with these numbers; returns their counts, and the numbers of those that failed.
///
/// Programs do not run on rayon's workers, because one may wait for a build that needs them.
fn play_some(specs: &[String], seed: u64, numbers: Range<u64>) -> (Counts, Vec<(u64, Failure)>) {
    let (next, rules, results) = (AtomicU64::new(numbers.start), rules(), Mutex::new((Counts::default(), Vec::new())));
    let work = || {
        let (mut counts, mut failed) = (Counts::default(), Vec::new());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                break;
            }
            match play(&generate::nth(specs, seed, number), &rules) {
                Ok(done) => counts = counts.merge(done),
                Err(failure) => failed.push((number, failure)),
            }
        }
        let mut all = results.lock().unwrap();
        all.0 = std::mem::take(&mut all.0).merge(counts);
        all.1.append(&mut failed);
    };
    if cfg!(target_family = "wasm") {
        work();
    } else {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    }
    let (counts, mut failed) = results.into_inner().unwrap();
    failed.sort_by_key(|(number, _)| *number);
    (counts, failed)
}

#[test]
fn random_programs_agree_with_the_twin() {
    let (programs, seed) = (setting("OCTILE_MODEL_PROGRAMS", PROGRAMS), setting("OCTILE_MODEL_SEED", 1));
    let seconds: u64 = setting("OCTILE_MODEL_SECONDS", 0);
    let specs = specs();
    let (clock, mut counts, mut done) = (Instant::now(), Counts::default(), 0);
    let mut failures: BTreeMap<(String, &str), (u64, String)> = BTreeMap::new();
    while if seconds > 0 { clock.elapsed() < Duration::from_secs(seconds) } else { done < programs } {
        let end = if seconds > 0 { done + AT_A_TIME } else { programs.min(done + AT_A_TIME) };
        let (more, failed) = play_some(&specs, seed, done..end);
        (counts, done) = (counts.merge(more), end);
        // One failure of each planner and kind is enough.
        for (number, failure) in failed {
            let program = generate::nth(&specs, seed, number);
            let key = (program.spec.clone(), failure.kind);
            let text = || format!("program {number} of seed {seed}, {}", report(program, &failure));
            failures.entry(key).or_insert_with(|| (0, text())).0 += 1;
        }
    }
    println!("{done} programs, {} answers, {:?}\n{counts:?}", counts.of("answer"), clock.elapsed());
    for ((spec, kind), (count, _)) in &failures {
        println!("{count} times {kind}: {spec}");
    }
    let ordinary = specs.iter().map(|spec| format!("spec {spec}")).chain(EXPECTED.split(' ').map(str::to_owned));
    let missing: Vec<String> = ordinary.filter(|label| counts.of(label) == 0).collect();
    let is_ordinary = done >= PROGRAMS && !planners::is_restricted();
    assert!(!is_ordinary || missing.is_empty() || !failures.is_empty(), "never done: {missing:?}");
    let texts: Vec<String> = failures.into_values().map(|(_, text)| text).collect();
    assert!(texts.is_empty(), "{} kinds of failures\n\n{}", texts.len(), texts.join("\n\n"));
}

fn check(program: &Program) {
    if let Err(Failure { kind, text }) = play(program, &rules()) {
        panic!("{kind}: {text}\n{program}");
    }
}

/// A scratch of the old index is not used with the new one.
#[test]
fn a_renewed_core_table_refuses_old_scratches() {
    check(&Program {
        spec: "core-table".into(),
        map: Map::new(".@.\n@..\n...\n.@.", Movement::Octile),
        ops: vec![
            Op::Pairs(Engine, OneByOne, vec![(2, 2)], vec![(2, 0)]),
            Op::Edit(vec![Free((0, 1))]),
            Op::BeginSlices,
            Op::FinishSlices,
            Op::Pairs(Engine, OneByOne, vec![(0, 1)], vec![(2, 3)]),
        ],
    });
}

/// A cache of hops over terrain forgets the nodes that an edit removes.
#[test]
fn caches_over_terrain_follow_edits() {
    let mut prices = vec![1; 38];
    (prices[13], prices[27]) = (2, 2);
    check(&Program {
        spec: "terrain-jump:cache=on".into(),
        map: Map::new(&[".".repeat(19), ".".repeat(19)].join("\n"), Movement::Octile)
            .priced(Convention::Average, &prices),
        ops: vec![
            Op::Edit(vec![BlockRect((0, 0), (18, 1)), FreeRect((0, 1), (18, 1))]),
            Op::Pairs(Engine, OneByOne, vec![(7, 1)], vec![(11, 1)]),
            Op::Edit(vec![BlockRect((0, 0), (18, 1)), FreeRect((0, 0), (18, 0))]),
            Op::Chase((0, 0), (14, 0)),
        ],
    });
    let mut prices = vec![1; 42];
    prices[19] = 255;
    check(&Program {
        spec: "terrain-jump:cache=on".into(),
        map: Map::new(&["......"; 7].join("\n"), Movement::Octile).priced(Convention::Average, &prices),
        ops: vec![
            Op::Pairs(Engine, OneByOne, vec![(2, 6)], vec![(0, 1)]),
            Op::Edit(vec![Block((0, 1)), Block((0, 3))]),
            Op::Pairs(Engine, OneByOne, vec![(2, 6)], vec![(0, 0)]),
        ],
    });
    let mut prices = vec![3; 30];
    prices[8] = 9;
    check(&Program {
        spec: "terrain-jump:cache=on".into(),
        map: Map::new(&[".".repeat(15), ".".repeat(15)].join("\n"), Movement::Octile)
            .priced(Convention::Average, &prices),
        ops: vec![
            Op::Pairs(Engine, OneByOne, vec![(14, 0)], vec![(7, 0)]),
            Op::Edit(vec![PriceRect((14, 0), (6, 1), 7)]),
            Op::Pairs(Engine, OneByOne, vec![(14, 0)], vec![(4, 1)]),
        ],
    });
}

/// No path exceeds the maximum cost, whichever limit ends the search.
#[test]
fn the_maximum_cost_holds_when_another_limit_ends_the_search() {
    let question = |goal, max_cost, max_expanded| Question {
        start: (0, 0),
        goals: vec![goal],
        nearest: Nearest::Goal,
        max_cost: Some(max_cost),
        max_expanded: Some(max_expanded),
        cancel: None,
    };
    for spec in ["theta-star", "lazy-theta-star", "lazy-theta-star:ends=centres", "astar:smooth=greedy"] {
        for max_expanded in 0..9 {
            check(&Program {
                spec: spec.into(),
                map: Map::new(".........", Movement::Octile),
                ops: vec![Op::Ask(Engine, question((8, 0), 9, max_expanded))],
            });
        }
    }
    // block-astar expands blocks.
    check(&Program {
        spec: "block-astar:db=any-angle,block=2,heuristic=zero".into(),
        map: Map::new(&["..."; 9].join("\n"), Movement::Octile),
        ops: vec![Op::Ask(Engine, Question { start: (0, 4), goals: vec![(0, 8), (0, 0)], ..question((0, 0), 6, 8) })],
    });
    check(&Program {
        spec: "block-astar:block=5".into(),
        map: Map::new(&".".repeat(26), Movement::Octile),
        ops: vec![Op::Ask(Engine, Question { start: (25, 0), ..question((19, 0), 13, 1) })],
    });
}

/// A query cancelled before it begins is cancelled in slices too, even if no goal can be reached.
#[test]
fn queries_in_slices_can_be_cancelled() {
    let question = Question {
        start: (2, 0),
        goals: vec![(0, 0)],
        nearest: Nearest::No,
        max_cost: None,
        max_expanded: None,
        cancel: Some(true),
    };
    check(&Program {
        spec: "corner-sweep".into(),
        map: Map::new(".@.", Movement::Octile),
        ops: vec![Op::Begin(question), Op::Run(5)],
    });
}
