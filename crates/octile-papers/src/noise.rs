//! Whether the machine was quiet: how much the time of a fixed piece of work varied over a run.

use std::hint::black_box;
use std::time::Instant;

use octile::catalog::advise::percentile;
use serde::Serialize;

/// The times of the fixed piece of work, in nanoseconds.
#[derive(Default)]
pub(super) struct Noise {
    paces: Vec<f64>,
}

/// Rounds of the fixed work: some milliseconds, about as long as a busy system lets one program run.
const ROUNDS: u64 = 2_000_000;

/// How long the fixed piece of work takes now.
pub(super) fn pace() -> f64 {
    let clock = Instant::now();
    let mut state = 1_u64;
    for round in 0..ROUNDS {
        state = black_box(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round));
    }
    black_box(state);
    clock.elapsed().as_nanos() as f64
}

/// How much it varied.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Spread {
    /// How often it was timed.
    pub(crate) samples: usize,
    /// The median time over the best.
    pub(crate) median: f64,
    /// Nine in ten times were at most so much over the best.
    pub(crate) ninth: f64,
    pub(crate) is_noisy: bool,
}

/// A machine on which one in ten pieces of work takes so much longer is busy with other things.
const TOO_NOISY: f64 = 1.3;

impl Noise {
    pub(super) fn add(&mut self, pace: f64) {
        self.paces.push(pace);
    }

    pub(super) fn spread(&self) -> Spread {
        let mut paces = self.paces.clone();
        paces.sort_by(f64::total_cmp);
        let over_best = |per_cent: u32| match (paces.first(), percentile(&paces, per_cent)) {
            (Some(&best), Some(pace)) if best > 0.0 => pace / best,
            _ => 1.0,
        };
        let (median, ninth) = (over_best(50), over_best(90));
        Spread { samples: paces.len(), median, ninth, is_noisy: ninth > TOO_NOISY }
    }
}

impl Spread {
    /// In words.
    pub(crate) fn sentence(self) -> String {
        let Self { samples, median, ninth, is_noisy } = self;
        let verdict = if is_noisy { "the machine was busy, and times are noisy" } else { "the machine was quiet" };
        format!(
            "{verdict}: a fixed piece of work, timed {samples} times, took {median:.2} times its best in the median and {ninth:.2} times in the \
             ninth of ten"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_machines_are_told_from_quiet_ones() {
        let spread = |paces: &[f64]| {
            let mut noise = Noise::default();
            for &pace in paces {
                noise.add(pace);
            }
            noise.spread()
        };
        assert!(!spread(&[]).is_noisy && !spread(&[5.0; 20]).is_noisy);
        let busy = spread(&[1.0, 1.0, 1.1, 1.2, 1.2, 1.2, 1.3, 1.4, 1.5, 2.0]);
        assert!(busy.is_noisy && (busy.ninth - 1.5).abs() < 1e-9 && (busy.median - 1.2).abs() < 1e-9, "{busy:?}");
        assert!(busy.sentence().contains("busy") && pace() > 0.0);
    }
}
