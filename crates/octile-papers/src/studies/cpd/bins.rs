//! Queries by the cost of their paths: what Figures 2 and 3 are made of.

use std::collections::BTreeMap;

use super::queries::{Answer, Nanos};

/// How wide a range of costs is.
pub(super) const WIDTH: u32 = 50;

/// Queries of similar cost, one at least.
pub(super) struct Range<'a> {
    pub(super) from: u32,
    pub(super) below: u32,
    pub(super) answers: Vec<&'a Answer>,
}

/// Means of a query in one of the ways.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) astar_us: f64,
    pub(super) us: f64,
    /// The mean of the queries' own, as in the paper.
    pub(super) speedup: f64,
}

/// Which memory is meant.
pub(super) type Memory = fn(&Answer) -> Option<Nanos>;

pub(super) const WARM: Memory = |answer| answer.warm;
pub(super) const COLD: Memory = |answer| answer.cold;

/// The ranges of costs with their queries.
pub(super) fn ranges(answers: &[Answer]) -> Vec<Range<'_>> {
    let mut bins: BTreeMap<u32, Vec<&Answer>> = BTreeMap::new();
    for answer in answers {
        bins.entry((answer.cost().length() / f64::from(WIDTH)) as u32).or_default().push(answer);
    }
    let range = |(nth, answers)| Range { from: nth * WIDTH, below: (nth + 1) * WIDTH, answers };
    bins.into_iter().map(range).collect()
}

/// All of them, if there are any.
pub(super) fn all(answers: &[Answer]) -> Option<Range<'_>> {
    let below = ranges(answers).last()?.below;
    Some(Range { from: 0, below, answers: answers.iter().collect() })
}

impl Range<'_> {
    pub(super) fn name(&self) -> String {
        format!("{}-{}", self.from, self.below)
    }

    /// Where it is in a plot.
    pub(super) fn middle(&self) -> f64 {
        f64::from(self.from + self.below) / 2.0
    }

    pub(super) fn mean(&self, of: impl Fn(&Answer) -> f64) -> f64 {
        self.answers.iter().map(|answer| of(answer)).sum::<f64>() / self.answers.len() as f64
    }

    /// Of the times of each query, if all were timed.
    pub(super) fn mean_nanos(&self, memory: Memory, of: impl Fn(&Nanos) -> f64) -> Option<f64> {
        let nanos: Option<Vec<f64>> = self.answers.iter().map(|answer| memory(answer).as_ref().map(&of)).collect();
        nanos.map(|nanos| nanos.iter().sum::<f64>() / nanos.len() as f64)
    }

    /// Of one of the ways.
    pub(super) fn times(&self, memory: Memory, way: usize) -> Option<Times> {
        Some(Times {
            astar_us: self.mean_nanos(memory, |nanos| nanos[0])? / 1e3,
            us: self.mean_nanos(memory, |nanos| nanos[way])? / 1e3,
            speedup: self.mean_nanos(memory, |nanos| nanos[0] / nanos[way])?,
        })
    }

    pub(super) fn warm_ns_per_move(&self, way: usize) -> Option<f64> {
        Some(self.mean_nanos(WARM, |nanos| nanos[way])? / self.mean(|answer| answer.cost().moves() as f64))
    }

    pub(super) fn nodes(&self) -> Nodes {
        let expanded = self.mean(|answer| answer.expanded as f64);
        let on_path = self.mean(|answer| answer.cost().moves() as f64 + 1.0);
        let [lookups, lookups_by_move] = [0, 1].map(|cpd| self.mean(|answer| answer.lookups[cpd] as f64));
        Nodes { expanded, on_path, lookups, lookups_by_move }
    }
}

/// What queries of similar cost take on average.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nodes {
    /// By A\*.
    pub(super) expanded: f64,
    /// Cells of the path, with both ends.
    pub(super) on_path: f64,
    /// From turn to turn.
    pub(super) lookups: f64,
    /// One for every move, as in the paper.
    pub(super) lookups_by_move: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_of_similar_cost_are_together() {
        let answer = |cost, expanded, astar| Answer::of_cost(cost, expanded, [astar, 10.0, 5.0, 20.0, 1.0, 2.0]);
        let answers = [answer(10, 40, 100.0), answer(49, 60, 300.0), answer(50, 90, 400.0), answer(140, 7, 2000.0)];
        let ranges = ranges(&answers);
        let bins: Vec<_> = ranges.iter().map(|range| (range.name(), range.middle(), range.answers.len())).collect();
        let expected = [("0-50", 25.0, 2), ("50-100", 75.0, 1), ("100-150", 125.0, 1)];
        assert_eq!(bins, expected.map(|(name, middle, queries)| (name.to_owned(), middle, queries)));
        let nodes = ranges[0].nodes();
        assert!((nodes.expanded - 50.0).abs() < 1e-9 && (nodes.on_path - 30.5).abs() < 1e-9);
        let speedups = ranges.iter().flat_map(|range| (1..4).filter_map(|way| range.times(WARM, way)));
        let speedups: Vec<f64> = speedups.map(|times| times.speedup).collect();
        assert_eq!(speedups, [20.0, 40.0, 10.0, 40.0, 80.0, 20.0, 200.0, 400.0, 100.0]);
        let all = all(&answers).unwrap();
        assert_eq!((all.from, all.below, all.answers.len()), (0, 150, 4));
        assert!((all.times(COLD, 3).unwrap().astar_us - 0.7).abs() < 1e-9);
        assert!(super::all(&[]).is_none());
        let mut untimed = [answer(10, 40, 100.0)];
        untimed[0].warm = None;
        assert!(super::ranges(&untimed)[0].times(WARM, 1).is_none());
    }
}
