//! What races came to, a lap for each map, kept and put together in the ways that tables need.

use std::collections::BTreeMap;

use anyhow::Result;
use indicatif::ProgressBar;
use octile::catalog::advise::percentile;
use octile_cli::harness::judge::Faults;
use octile_cli::harness::race::{Course, Entrant, Race, Tally};
use serde::{Deserialize, Serialize};

/// A race on one map.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Lap {
    pub(super) map: String,
    pub(super) free_cells: u32,
    pub(super) legs: Vec<Leg>,
    /// Planners that cannot run on this map, with the reason.
    pub(super) refused: Vec<(String, String)>,
    /// Wrong answers of our planners, in words.
    pub(super) wrong: Vec<String>,
}

/// What one planner or peer did, query by query.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Leg {
    pub(super) planner: String,
    pub(super) is_peer: bool,
    /// Best of the rounds; none if it was not timed.
    pub(super) nanos: Vec<u64>,
    pub(super) expanded: Vec<u64>,
    /// Elements put on the open list, query by query.
    #[serde(default)]
    pub(super) opened: Vec<u64>,
    /// None where no legal path was found.
    pub(super) lengths: Vec<Option<f64>>,
    pub(super) tally: Tally,
    /// Each round's total.
    pub(super) round_nanos: Vec<u64>,
    pub(super) build_seconds: f64,
    pub(super) index_bytes: u64,
    pub(super) faults: Faults,
}

impl Lap {
    /// Runs a race, not yet run, on one map.
    pub(super) fn run(mut race: Race, course: &Course, bar: &ProgressBar) -> Result<Self> {
        race.run(course, bar)?;
        let wrong: Vec<String> = race.wrong.iter().map(ToString::to_string).collect();
        Ok(Self {
            map: course.name.clone(),
            free_cells: course.grid.free_cells(),
            legs: race.entrants.into_iter().filter(|entrant| entrant.maps() > 0).map(Leg::from).collect(),
            refused: race.retired.into_iter().map(|retired| (retired.planner, retired.reason)).collect(),
            wrong,
        })
    }

    pub(super) fn queries(&self) -> usize {
        self.legs.first().map_or(0, |leg| leg.expanded.len())
    }

    pub(super) fn leg(&self, planner: &str) -> Option<&Leg> {
        self.legs.iter().find(|leg| leg.planner == planner)
    }
}

impl From<Entrant> for Leg {
    fn from(entrant: Entrant) -> Self {
        Self {
            planner: entrant.engine.to_string(),
            is_peer: entrant.engine.is_peer(),
            round_nanos: entrant.round_nanos,
            nanos: entrant.nanos,
            expanded: entrant.expanded,
            opened: entrant.opened,
            lengths: entrant.lengths,
            tally: entrant.tally,
            build_seconds: entrant.build.as_secs_f64(),
            index_bytes: entrant.index_bytes,
            faults: entrant.faults,
        }
    }
}

/// A planner over some laps, beside another on the same queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    /// Maps that it ran on.
    pub(super) maps: usize,
    /// Maps that the other ran on.
    other_maps: usize,
    pub(super) queries: usize,
    /// Timed queries.
    nanos: Vec<u64>,
    /// Those of the other, of the same queries.
    other_nanos: u64,
    ratios: f64,
    /// Of both, each round's total.
    rounds: [Vec<u64>; 2],
    /// Whether the other is the same.
    is_itself: bool,
    pub(super) expanded: u64,
    /// Of queries that both answered.
    length: f64,
    other_length: f64,
    answered: usize,
    pub(super) tally: Tally,
    pub(super) build_seconds: f64,
    pub(super) index_bytes: u64,
    pub(super) largest_index: u64,
    pub(super) faults: Faults,
    pub(super) is_peer: bool,
}

impl Sum {
    /// A planner beside another, over the laps in which both ran.
    pub(super) fn of<'a>(laps: impl IntoIterator<Item = &'a Lap>, planner: &str, other: &str) -> Self {
        let mut sum = Self { is_itself: planner == other, ..Self::default() };
        for lap in laps {
            let Some(other) = lap.leg(other) else { continue };
            sum.other_maps += 1;
            if let Some(leg) = lap.leg(planner) {
                sum.add(leg, other);
            }
        }
        sum
    }

    fn add(&mut self, leg: &Leg, other: &Leg) {
        self.maps += 1;
        self.queries += leg.expanded.len();
        self.nanos.extend(&leg.nanos);
        for (&ours, &others) in leg.nanos.iter().zip(&other.nanos) {
            self.other_nanos += others;
            self.ratios += others.max(1) as f64 / ours.max(1) as f64;
        }
        for (sum, leg) in self.rounds.iter_mut().zip([leg, other]) {
            sum.resize(sum.len().max(leg.round_nanos.len()), 0);
            sum.iter_mut().zip(&leg.round_nanos).for_each(|(sum, nanos)| *sum += nanos);
        }
        self.expanded += leg.expanded.iter().sum::<u64>();
        for (ours, others) in leg.lengths.iter().zip(&other.lengths) {
            if let (Some(ours), Some(others)) = (ours, others) {
                self.length += ours;
                self.other_length += others;
                self.answered += 1;
            }
        }
        self.tally.add(&leg.tally);
        self.build_seconds += leg.build_seconds;
        self.index_bytes += leg.index_bytes;
        self.largest_index = self.largest_index.max(leg.index_bytes);
        self.faults.add(leg.faults);
        self.is_peer = leg.is_peer;
    }

    /// Whether it ran on some of the maps only: then its means are beside no others.
    pub(super) fn is_partial(&self) -> bool {
        self.maps < self.other_maps
    }

    /// On how many maps it ran, in words if not on all.
    pub(super) fn maps_run(&self) -> String {
        if self.is_partial() { format!("{} of {}", self.maps, self.other_maps) } else { self.maps.to_string() }
    }

    /// Whether the rounds of the two differ among themselves by as much as the two do from each other.
    pub(super) fn is_in_noise(&self) -> bool {
        let spread = |rounds: &Vec<u64>| match (rounds.iter().min(), rounds.iter().max()) {
            (Some(&best), Some(&worst)) => worst.max(1) as f64 / best.max(1) as f64,
            _ => 1.0,
        };
        let noise: f64 = self.rounds.iter().map(|rounds| spread(rounds).ln()).sum();
        !self.is_itself && self.speedup().is_some_and(|speedup| noise > 0.0 && speedup.ln().abs() <= noise)
    }

    fn total_nanos(&self) -> f64 {
        self.nanos.iter().sum::<u64>().max(1) as f64
    }

    /// Whether there is a timed query.
    pub(super) fn is_timed(&self) -> bool {
        !self.nanos.is_empty()
    }

    /// Of a query, in microseconds.
    pub(super) fn mean_us(&self) -> Option<f64> {
        self.is_timed().then(|| self.total_nanos() / 1e3 / self.nanos.len() as f64)
    }

    /// So many in a hundred queries take no longer, in microseconds.
    pub(super) fn percentile_us(&self, per_cent: u32) -> Option<f64> {
        let mut sorted = self.nanos.clone();
        sorted.sort_unstable();
        percentile(&sorted, per_cent).map(|nanos| nanos as f64 / 1e3)
    }

    /// How many times faster than the other, by total time.
    pub(super) fn speedup(&self) -> Option<f64> {
        self.is_timed().then(|| self.other_nanos as f64 / self.total_nanos())
    }

    /// The mean of how many times faster each query is.
    pub(super) fn mean_speedup(&self) -> Option<f64> {
        self.is_timed().then(|| self.ratios / self.nanos.len() as f64)
    }

    pub(super) fn mean_expanded(&self) -> Option<f64> {
        self.per_query(self.expanded as f64)
    }

    pub(super) fn per_query(&self, total: f64) -> Option<f64> {
        (self.queries > 0).then(|| total / self.queries as f64)
    }

    /// Of paths where both found one.
    pub(super) fn mean_length(&self) -> Option<f64> {
        (self.answered > 0).then(|| self.length / self.answered as f64)
    }

    /// The lengths of its paths over those of the other's.
    pub(super) fn length_ratio(&self) -> Option<f64> {
        (self.other_length > 0.0).then(|| self.length / self.other_length)
    }

    /// To prepare a map, on average.
    pub(super) fn mean_build_ms(&self) -> Option<f64> {
        (self.maps > 0).then(|| self.build_seconds * 1e3 / self.maps as f64)
    }

    /// What it keeps for a map, on average.
    pub(super) fn mean_index_bytes(&self) -> Option<f64> {
        (self.maps > 0).then(|| self.index_bytes as f64 / self.maps as f64)
    }
}

/// The queries of laps in ranges of path length, each as wide as told; a query's length is that of the baseline's path.
/// What is collected of each is up to the caller.
pub(super) fn by_length<'a, T>(
    laps: impl IntoIterator<Item = &'a Lap>,
    baseline: &str,
    width: u32,
    of_query: impl Fn(&Lap, usize) -> Option<T>,
) -> BTreeMap<u32, Vec<T>> {
    let mut ranges: BTreeMap<u32, Vec<T>> = BTreeMap::new();
    for lap in laps {
        let Some(base) = lap.leg(baseline) else { continue };
        for (query, length) in base.lengths.iter().enumerate() {
            if let Some((length, value)) = length.zip(of_query(lap, query)) {
                ranges.entry((length / f64::from(width)) as u32 * width).or_default().push(value);
            }
        }
    }
    ranges
}

/// How long one planner took for a query over another; none if one of them did not run.
pub(super) fn time_ratio(lap: &Lap, query: usize, planner: &str, other: &str) -> Option<f64> {
    let nanos = |planner: &str| Some((*lap.leg(planner)?.nanos.get(query)?).max(1) as f64);
    Some(nanos(planner)? / nanos(other)?)
}

/// How many times as long the paths of one planner are as those of another, of all queries that both answered; but for
/// paths of no length.
pub(super) fn length_ratios(laps: &[Lap], planner: &str, other: &str) -> Vec<f64> {
    let both = laps.iter().filter_map(|lap| lap.leg(planner).zip(lap.leg(other)));
    let lengths = both.flat_map(|(leg, other)| leg.lengths.iter().zip(&other.lengths));
    lengths.filter_map(|(&length, &other)| Some(length? / other.filter(|&other| other > 0.0)?)).collect()
}

pub(super) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(planner: &str, nanos: &[u64], lengths: &[Option<f64>]) -> Leg {
        Leg {
            planner: planner.to_owned(),
            is_peer: false,
            nanos: nanos.to_vec(),
            expanded: vec![3; lengths.len()],
            opened: vec![4; lengths.len()],
            lengths: lengths.to_vec(),
            tally: Tally::default(),
            round_nanos: vec![nanos.iter().sum(), nanos.iter().sum::<u64>() * 3 / 2],
            build_seconds: 0.5,
            index_bytes: 100,
            faults: Faults::default(),
        }
    }

    fn lap(legs: Vec<Leg>) -> Lap {
        Lap { map: "a".to_owned(), free_cells: 9, legs, refused: Vec::new(), wrong: Vec::new() }
    }

    #[test]
    fn planners_are_compared_on_the_queries_of_laps_that_both_ran() {
        let first = lap(vec![
            leg("astar", &[4000, 2000], &[Some(10.0), Some(60.0)]),
            leg("jps", &[1000, 1000], &[Some(10.0), None]),
        ]);
        let second = lap(vec![leg("astar", &[9000], &[Some(5.0)])]);
        let laps = [first, second];
        let sum = Sum::of(&laps, "jps", "astar");
        assert_eq!((sum.maps, sum.queries, sum.speedup(), sum.mean_speedup()), (1, 2, Some(3.0), Some(3.0)));
        assert_eq!((sum.is_partial(), &*sum.maps_run()), (true, "1 of 2"));
        assert_eq!((sum.mean_us(), sum.length_ratio(), sum.mean_build_ms()), (Some(1.0), Some(1.0), Some(500.0)));
        assert_eq!((sum.percentile_us(99), sum.mean_expanded()), (Some(1.0), Some(3.0)));
        let astar = Sum::of(&laps, "astar", "astar");
        assert_eq!(
            [1, 50, 67, 99].map(|share| astar.percentile_us(share)),
            [Some(2.0), Some(4.0), Some(9.0), Some(9.0)]
        );
        assert_eq!((astar.is_partial(), &*astar.maps_run()), (false, "2"));
        let none = Sum::of(&laps, "cpd", "astar");
        assert_eq!((none.mean_us(), none.length_ratio(), none.mean_build_ms()), (None, None, None));
        assert_eq!(length_ratios(&laps, "jps", "astar"), [1.0]);
        assert!(length_ratios(&laps, "astar", "cpd").is_empty());
        let ranges = by_length(&laps, "astar", 50, |lap, query| time_ratio(lap, query, "jps", "astar"));
        assert_eq!(ranges, BTreeMap::from([(0, vec![0.25]), (50, vec![0.5])]));
    }

    #[test]
    fn differences_no_larger_than_those_between_rounds_are_noise() {
        let raced = |nanos: u64, spread: u64| {
            let mut laps = [lap(vec![leg("astar", &[1000], &[None]), leg("jps", &[nanos], &[None])])];
            for leg in &mut laps[0].legs {
                leg.round_nanos = vec![leg.nanos[0], leg.nanos[0] * spread / 100];
            }
            Sum::of(&laps, "jps", "astar").is_in_noise()
        };
        // Both vary by a fifth, together by 44 per cent.
        assert!(raced(900, 120) && raced(1400, 120) && !raced(1500, 120) && !raced(600, 120));
        assert!(!raced(900, 100), "nothing varies");
        let laps = [lap(vec![leg("astar", &[1000], &[None])])];
        assert!(!Sum::of(&laps, "astar", "astar").is_in_noise(), "it is 1");
    }
}
