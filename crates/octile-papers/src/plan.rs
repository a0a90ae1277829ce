//! How much is measured: which of the maps, and which of their problems.

use std::num::NonZeroUsize;

use octile::Catalog;
use octile_cli::harness::inputs::Task;
use serde::{Deserialize, Serialize};

use crate::benchmarks::{Benchmarks, Set, Source};

/// What all studies of a run have in common.
pub(super) struct Plan {
    pub(super) maps: Benchmarks,
    /// All maps and many problems, instead of a sample that takes minutes.
    pub(super) full: bool,
    /// Every Nth problem, if told.
    pub(super) every: Option<NonZeroUsize>,
    /// About how many minutes a full run may take.
    pub(super) budget: f64,
    /// How often each query is timed; the best time counts.
    pub(super) rounds: usize,
    /// Of the first random map, or of the first map's random problems.
    pub(super) seed: u64,
    /// By what the sides of generated maps are divided.
    pub(super) shrink: u32,
    /// The exhibits to make, if not all.
    pub(super) only: Vec<String>,
    /// The planners that race.
    pub(super) catalog: Catalog,
}

impl Plan {
    /// Whether an exhibit is to be made.
    pub(super) fn wants(&self, exhibit: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == exhibit)
    }

    pub(super) fn wants_any(&self, exhibits: &[&str]) -> bool {
        exhibits.iter().any(|exhibit| self.wants(exhibit))
    }

    /// One of two numbers, by how much is measured.
    pub(super) fn quick_or_full<T>(&self, quick: T, full: T) -> T {
        if self.full { full } else { quick }
    }

    /// The maps of a set that have problems: all, or so many spread over it.
    pub(super) fn chosen(&self, set: &Set, quick: usize) -> Vec<&Source> {
        let with_problems = self.maps.of(set).iter().filter(|source| source.has_problems()).collect();
        if self.full { with_problems } else { spread(with_problems, quick) }
    }

    /// The problems of a map that are run: every Nth if told, so many spread over them, or every `full`th. Scenarios
    /// begin with the shortest paths: to begin with the first would give those too much weight.
    pub(super) fn sample(&self, tasks: Vec<Task>, quick: usize, full: usize) -> Vec<Task> {
        match (self.every, self.full) {
            (Some(every), _) => every_nth(tasks, every.get()),
            (None, true) => every_nth(tasks, full),
            (None, false) => spread(tasks, quick),
        }
    }

    /// How [`sample`](Plan::sample) chooses, in words.
    pub(super) fn sampled(&self, quick: usize, full: usize) -> String {
        match (self.every, self.full) {
            (Some(every), _) => nth(every.get()),
            (None, true) => nth(full),
            (None, false) => format!("{quick} problems of each map, spread over all lengths"),
        }
    }
}

/// What a part of a full run costs on the machine of the records: numbers that are typed in and not measured, so that
/// every machine runs the same problems.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// What the part may take of a budget of [`BUDGET`] minutes; of others in proportion.
    pub(super) minutes: f64,
    /// About what a problem takes, with all planners and rounds.
    pub(super) problem_ms: f64,
    /// About what a map takes besides.
    pub(super) map_ms: f64,
}

impl Cost {
    /// Every how many-th problem of some maps a budget allows, one a map at least.
    fn every(self, problems: usize, maps: usize, budget: f64) -> usize {
        let millis = self.minutes * budget / BUDGET * 60_000.0 - maps as f64 * self.map_ms;
        let affordable = (millis / self.problem_ms).max(maps as f64).max(1.0);
        (problems as f64 / affordable).ceil().max(1.0) as usize
    }
}

/// The minutes of a full run if no others are told: what can be waited for.
pub(super) const BUDGET: f64 = 120.0;

/// A part of a full run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(super) struct Work {
    /// Such as `race/DAO`; what several studies share has one name.
    pub(super) name: String,
    /// Every how many-th problem of each map is asked.
    pub(super) every: usize,
    maps: usize,
    /// All problems that there are.
    problems: usize,
    pub(super) minutes: f64,
}

impl Plan {
    /// A part of a full run on some maps: every Nth of their problems, N being as small as the budget allows. Every map
    /// has one problem at least.
    pub(super) fn work(&self, name: impl Into<String>, sources: &[&Source], cost: Cost) -> Work {
        let problems = sources.iter().map(|source| source.problems()).sum::<usize>();
        let maps = sources.len();
        let every = self.every.map_or_else(|| cost.every(problems, maps, self.budget), NonZeroUsize::get);
        let asked = (problems / every).max(maps) as f64;
        Work {
            name: name.into(),
            every,
            maps,
            problems,
            minutes: (asked * cost.problem_ms + maps as f64 * cost.map_ms) / 60_000.0,
        }
    }

    /// A part of a full run that is the same in every budget.
    pub(super) fn fixed_work(name: impl Into<String>, minutes: f64) -> Work {
        Work { name: name.into(), every: 1, maps: 0, problems: 0, minutes }
    }
}

impl Work {
    /// What is going to be done, in words.
    pub(super) fn sentence(&self) -> String {
        let Self { name, minutes, .. } = self;
        format!("{}: about {minutes:.1} min", self.asked().unwrap_or_else(|| name.clone()))
    }

    /// Which problems are asked, in words, if any.
    pub(super) fn asked(&self) -> Option<String> {
        let Self { name, every, maps, problems, .. } = self;
        (*maps > 0).then(|| format!("{name}, {maps} maps: {} of {problems}", nth(*every)))
    }
}

fn nth(every: usize) -> String {
    let ending = match (every % 100, every % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    if every == 1 { "every problem".to_owned() } else { format!("every {every}{ending} problem") }
}

/// So many of some things, evenly spread.
pub(super) fn spread<T>(things: Vec<T>, count: usize) -> Vec<T> {
    let len = things.len();
    if count >= len {
        return things;
    }
    let mut things: Vec<Option<T>> = things.into_iter().map(Some).collect();
    (0..count).filter_map(|i| things[(2 * i + 1) * len / (2 * count)].take()).collect()
}

/// Every Nth, from the middle of the first N on.
fn every_nth<T>(things: Vec<T>, every: usize) -> Vec<T> {
    let first = every.min(things.len()) / 2;
    things.into_iter().skip(first).step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_says_how_many_problems_are_asked() {
        // A minute of problems in a budget of two hours, after ten seconds for maps.
        let cost = Cost { minutes: 1.0, problem_ms: 10.0, map_ms: 1000.0 };
        assert_eq!([120.0, 60.0, 24.0].map(|budget| cost.every(10_000, 10, budget)), [2, 5, 50]);
        assert_eq!([120.0, 1.0].map(|budget| cost.every(20, 10, budget)), [1, 2]);
        assert_eq!((cost.every(0, 0, 120.0), cost.every(10_000, 10, 1.0)), (1, 1000));
    }

    #[test]
    fn samples_are_evenly_spread() {
        let ten = || (0..10).collect::<Vec<_>>();
        assert_eq!((spread(ten(), 2), spread(ten(), 3)), (vec![2, 7], vec![1, 5, 8]));
        assert_eq!((spread(ten(), 10), spread(ten(), 99), spread(ten(), 0)), (ten(), ten(), vec![]));
        assert_eq!((every_nth(ten(), 4), every_nth(ten(), 5)), (vec![2, 6], vec![2, 7]));
        assert_eq!((every_nth(ten(), 1), every_nth(ten(), 1000)), (ten(), vec![5]));
        let words =
            ["every problem", "every 2nd problem", "every 7th problem", "every 11th problem", "every 131st problem"];
        assert_eq!([1, 2, 7, 11, 131].map(nth), words);
    }
}
