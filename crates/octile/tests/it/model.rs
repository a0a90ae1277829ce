//! Random programs of the whole API, played against an engine and a naive twin (`octile_testkit::model`).
//!
//! ```text
//! OCTILE_MODEL_PROGRAMS=1000000 OCTILE_MODEL_SEED=7 OCTILE_MODEL_PLANNER=core cargo test --release -p octile --test it model -- --nocapture
//! ```
//!
//! `OCTILE_MODEL_SECONDS=3600` plays programs for that long instead. `OCTILE_MODEL_PATHS=1` also compares every path with
//! the one that a new scratch gives.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use octile::{Convention, Edits, Engine, Movement, Nearest, Path};
use octile_testkit::judge;
use octile_testkit::model::generate::{self, specs};
use octile_testkit::model::program::{Change, Form, Op, Program, Question, Who};
use octile_testkit::model::twin::Map;
use octile_testkit::model::{Counts, Failure, Rules, play, shrink};

use crate::random::setting;

/// Programs of an ordinary run.
const PROGRAMS: u64 = if cfg!(target_family = "wasm") { 300 } else { 2000 };

/// Programs that are played between two looks at the clock.
const AT_A_TIME: u64 = 256;

/// Whether the path of a query must be the same whoever is asked, and however often.
const SAME_PATHS: bool = false;

fn rules() -> Rules {
    let same_path = SAME_PATHS || setting("OCTILE_MODEL_PATHS", 0) > 0;
    Rules { same_path, carry_edits, carry_path, ..Rules::default() }
}

#[cfg(feature = "serde")]
fn carry_edits(edits: Edits) -> Edits {
    serde_json::from_str(&serde_json::to_string(&edits).unwrap()).unwrap()
}

#[cfg(feature = "serde")]
fn carry_path(path: Path) -> Path {
    let read: Path = serde_json::from_str(&serde_json::to_string(&path).unwrap()).unwrap();
    assert!(read.spots().ok().map(Iterator::collect::<Vec<_>>) == path.spots().ok().map(Iterator::collect::<Vec<_>>));
    assert!(read.cost().counts() == path.cost().counts() && judge::is_about(read.length(), path.length()));
    read
}

#[cfg(not(feature = "serde"))]
fn carry_edits(edits: Edits) -> Edits {
    edits
}

#[cfg(not(feature = "serde"))]
fn carry_path(path: Path) -> Path {
    path
}

/// Shrinks a program that fails, and says all about it.
fn report(program: Program, failure: &Failure) -> String {
    let same = |candidate: &Program| play(candidate, &rules()).err().filter(|other| other.kind == failure.kind);
    let small = shrink(program, |candidate| same(candidate).is_some());
    let last = same(&small).map_or("it fails now and then".to_owned(), |failure| failure.text);
    format!("{}: {}\nshrunk: {last}\n{small}", failure.kind, failure.text)
}

/// Plays programs with these numbers; gives what they did, and the numbers of those that failed.
///
/// On threads of its own: a program may wait for a build that needs the workers of rayon.
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
    let only: String = setting("OCTILE_MODEL_PLANNER", String::new());
    let specs: Vec<String> = specs().into_iter().filter(|spec| spec.starts_with(&only)).collect();
    let (clock, mut counts, mut done) = (Instant::now(), Counts::default(), 0);
    let mut failures: BTreeMap<(String, &str), (u64, String)> = BTreeMap::new();
    while if seconds > 0 { clock.elapsed() < Duration::from_secs(seconds) } else { done < programs } {
        let end = if seconds > 0 { done + AT_A_TIME } else { programs.min(done + AT_A_TIME) };
        let (more, failed) = play_some(&specs, seed, done..end);
        (counts, done) = (counts.merge(more), end);
        // One of each planner and kind is enough.
        for (number, failure) in failed {
            let program = generate::nth(&specs, seed, number);
            let key = (program.spec.clone(), failure.kind);
            let text = || format!("program {number} of seed {seed}, {}", report(program, &failure));
            failures.entry(key).or_insert_with(|| (0, text())).0 += 1;
        }
    }
    println!("{done} programs, {} answers, {:?}\n{counts:?}", counts.of("answer"), clock.elapsed());
    failures.iter().for_each(|((spec, kind), (count, _))| println!("{count} times {kind}: {spec}"));
    let texts: Vec<String> = failures.into_values().map(|(_, text)| text).collect();
    assert!(texts.is_empty(), "{} kinds of failures\n\n{}", texts.len(), texts.join("\n\n"));
}
