//! The time that work takes which is no race: to build something, or to answer one query again and again with warm
//! memory, or once with cold.
//!
//! Planners against each other are timed by the one [race](octile_cli::harness::race). That asks each query once a
//! round, after all others of its map: too coarse for what takes less than a microsecond, and neither warm nor cold.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::hint::black_box;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// The result of some work, and its shortest time.
pub(super) fn best_of<T>(rounds: usize, work: impl Fn() -> T) -> (T, Duration) {
    let timed = || {
        let clock = Instant::now();
        let result = work();
        (result, clock.elapsed())
    };
    let (result, first) = timed();
    (result, (1..rounds).map(|_| timed().1).fold(first, Duration::min))
}

pub(super) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// A clock for what takes less than a microsecond.
pub(super) struct Clock {
    /// What reading it takes, which is left out.
    own_nanos: f64,
}

impl Clock {
    pub(super) fn new() -> Self {
        let read = || Instant::now().elapsed().as_nanos() as f64;
        Self { own_nanos: (0..1000).map(|_| read()).fold(f64::INFINITY, f64::min) }
    }

    /// Nanoseconds of some work, on average over so many times in a row.
    pub(super) fn nanos(&self, times: u32, mut work: impl FnMut()) -> f64 {
        let clock = Instant::now();
        for _ in 0..times {
            work();
        }
        ((clock.elapsed().as_nanos() as f64 - self.own_nanos) / f64::from(times)).max(LEAST_NANOS)
    }
}

/// Less than that cannot be told from nothing, by which nothing can be divided.
const LEAST_NANOS: f64 = 1.0;

/// Memory that is none of a planner's: a walk over it drives all else out of the caches.
pub(super) struct Elsewhere {
    lines: Vec<[u64; 8]>,
}

impl Elsewhere {
    /// More than the caches of a processor take.
    pub(super) const MEGABYTES: usize = 64;

    pub(super) fn new() -> Self {
        Self { lines: vec![[1; 8]; Self::MEGABYTES * 1_000_000 / 64] }
    }

    /// Reads and writes all of it.
    pub(super) fn walk(&mut self) {
        for line in &mut self.lines {
            line[0] = line[0].wrapping_add(1);
        }
        black_box(&mut self.lines);
    }
}

/// The processor time of work that is done by several threads.
pub(super) struct ProcessorTime {
    clock: Instant,
    before: Option<BTreeMap<OsString, u64>>,
}

impl ProcessorTime {
    pub(super) fn start() -> Self {
        Self { before: threads_nanos(), clock: Instant::now() }
    }

    /// In seconds, as [`how`](ProcessorTime::how) it is found.
    pub(super) fn seconds(&self) -> f64 {
        let wall = self.clock.elapsed();
        let used = threads_nanos().zip(self.before.as_ref()).map(|(after, before)| {
            let since =
                |(thread, &nanos): (&OsString, &u64)| nanos - before.get(thread).map_or(0, |&then| nanos.min(then));
            after.iter().map(since).sum::<u64>() as f64 / 1e9
        });
        used.unwrap_or_else(|| wall.as_secs_f64() * threads() as f64)
    }

    /// How it is found.
    pub(super) fn how() -> String {
        match threads_nanos() {
            Some(_) => "processor time of all threads".to_owned(),
            None => format!("wall time times {} threads", threads()),
        }
    }
}

fn threads() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// How long each thread of this process has used a processor, where the system tells (Linux).
fn threads_nanos() -> Option<BTreeMap<OsString, u64>> {
    let mut nanos = BTreeMap::new();
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let thread = thread.ok()?;
        // It may have ended meanwhile.
        let Ok(text) = fs::read_to_string(thread.path().join("schedstat")) else { continue };
        nanos.insert(thread.file_name(), text.split_whitespace().next()?.parse().ok()?);
    }
    nanos.values().any(|&nanos| nanos > 0).then_some(nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_on_every_clock() {
        let mut elsewhere = Elsewhere { lines: vec![[0; 8]; 100_000] };
        let (used, clock) = (ProcessorTime::start(), Clock::new());
        let (mut most, mut walks): (f64, u64) = (0.0, 0);
        // The system charges threads only every few milliseconds. If it never does, this test does not end.
        while walks < 100 || used.seconds() == 0.0 {
            most = most.max(clock.nanos(2, || elsewhere.walk()));
            walks += 2;
        }
        assert!(most > LEAST_NANOS && elsewhere.lines[7][0] == walks, "{most}");
        assert!(!ProcessorTime::how().is_empty());
        assert!(clock.nanos(1, || ()) >= LEAST_NANOS);
    }
}
