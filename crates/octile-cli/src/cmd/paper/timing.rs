//! The time that building something takes.

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
