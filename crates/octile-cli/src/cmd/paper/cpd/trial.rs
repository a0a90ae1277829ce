//! What is measured of queries: how long they take with warm and with cold memory, and what they look at.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use octile::algo::cpd::{Cpd, Follow};
use octile::{Cell, Counts, Finder, Octile, Output, Path, PathCost, Query};

use super::super::timing::{Clock, Elsewhere};
use super::databases::Database;
use super::maps::Map;
use crate::judge::{self, Best, Fault, Promise};
use crate::output;
use crate::report::text::MOST_LISTED;

/// A way of answering queries.
pub(super) struct Way {
    pub(super) planner: &'static str,
    pub(super) output: Output,
    /// Which of a field's planners.
    finder: usize,
    /// How often it answers in a row in a warm round: often enough that the clock's own time is lost in it.
    warm_calls: u32,
}

const ASTAR: usize = 0;
const RUNS: usize = 1;
const RECTANGLES: usize = 2;
/// The planners over databases.
pub(super) const CPDS: [&str; 2] = ["cpd", "cpd:layout=rectangles,ties=mask,follow=moves"];
pub(super) const WARM_CALLS: u32 = 16;

/// A\* first.
pub(super) const WAYS: [Way; 4] = [
    Way { planner: "astar", output: Output::Cells, finder: ASTAR, warm_calls: 1 },
    Way { planner: CPDS[0], output: Output::Cells, finder: RUNS, warm_calls: WARM_CALLS },
    Way { planner: CPDS[0], output: Output::Waypoints, finder: RUNS, warm_calls: WARM_CALLS },
    Way { planner: CPDS[1], output: Output::Cells, finder: RECTANGLES, warm_calls: WARM_CALLS },
];

/// A map with its planners.
pub(super) struct Field {
    map: Map,
    finders: [Finder; 3],
    cpds: [Cpd; 2],
    path: Path,
    /// What is known of each pair.
    answers: Vec<Answer>,
}

/// A query, and what it takes.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    query: Query,
    pub(super) cost: Octile,
    /// By A\*.
    pub(super) expanded: u64,
    /// By each of [`CPDS`].
    pub(super) lookups: [u64; 2],
    /// In nanoseconds, for each of [`WAYS`].
    pub(super) warm: [f64; 4],
    pub(super) cold: [f64; 4],
    /// The first move alone, for each of [`CPDS`].
    pub(super) warm_first: [f64; 2],
    pub(super) cold_first: [f64; 2],
}

impl Answer {
    fn new(query: Query, cost: Octile, expanded: u64, lookups: [u64; 2]) -> Self {
        let (ways, cpds) = ([f64::INFINITY; 4], [f64::INFINITY; 2]);
        Self { query, cost, expanded, lookups, warm: ways, cold: ways, warm_first: cpds, cold_first: cpds }
    }

    /// One of so many straight moves that takes the same time with warm and with cold memory.
    #[cfg(test)]
    pub(super) fn of_cost(cost: u32, expanded: u64, nanos: [f64; 4]) -> Self {
        let (query, moves) = (Query::new(Cell::new(0, 0), Cell::new(cost, 0)), u64::from(cost));
        Self { warm: nanos, cold: nanos, ..Self::new(query, Octile::new(cost, 0), expanded, [1, moves]) }
    }
}

/// An answer that is not right.
struct Wrong {
    planner: &'static str,
    map: String,
    query: Query,
    fault: Fault,
}

/// All queries on all maps.
pub(super) struct Trial {
    clock: Clock,
    fields: Vec<Field>,
    wrong: Vec<Wrong>,
}

impl Trial {
    pub(super) fn new() -> Self {
        Self { clock: Clock::new(), fields: Vec::new(), wrong: Vec::new() }
    }

    /// Adds a map with its databases, and judges what all planners answer.
    pub(super) fn enter(&mut self, map: Map, runs: &Database, rectangles: &Database) -> Result<()> {
        let mut field = Field::new(map, runs, rectangles)?;
        field.check(&mut self.wrong).with_context(|| field.map.name.clone())?;
        self.fields.push(field);
        Ok(())
    }

    pub(super) fn answers(&self) -> Vec<&Answer> {
        self.fields.iter().flat_map(|field| &field.answers).collect()
    }

    pub(super) fn wrong(&self) -> usize {
        self.wrong.len()
    }

    /// How often the progress bar moves on while times are taken.
    pub(super) fn steps(maps: &[Map], rounds: usize) -> u64 {
        let pairs: usize = maps.iter().map(|map| map.pairs.len()).sum();
        let most = maps.iter().map(|map| map.pairs.len()).max().unwrap_or_default();
        pairs as u64 + (most * rounds) as u64
    }

    /// Takes all times, the best of some rounds.
    pub(super) fn time(&mut self, rounds: usize, bar: &ProgressBar) -> Result<()> {
        for field in &mut self.fields {
            field.time_warm(rounds, &self.clock, &mut self.wrong, bar)?;
        }
        self.time_cold(rounds, bar)
    }

    /// One query a map after each walk elsewhere, so that nothing of its map's has been touched since.
    fn time_cold(&mut self, rounds: usize, bar: &ProgressBar) -> Result<()> {
        let mut elsewhere = Elsewhere::new();
        let most = self.fields.iter().map(|field| field.answers.len()).max().unwrap_or_default();
        for nth in 0..rounds * most {
            let at = nth % most;
            for way in 0..WAYS.len() {
                elsewhere.walk();
                for field in self.fields.iter_mut().filter(|field| at < field.answers.len()) {
                    let nanos = field.time(way, 1, at, &self.clock, &mut self.wrong)?;
                    let best = &mut field.answers[at].cold[way];
                    *best = best.min(nanos);
                }
            }
            for cpd in 0..CPDS.len() {
                elsewhere.walk();
                for field in self.fields.iter_mut().filter(|field| at < field.answers.len()) {
                    let nanos = field.time_first(cpd, 1, at, &self.clock);
                    let best = &mut field.answers[at].cold_first[cpd];
                    *best = best.min(nanos);
                }
            }
            bar.inc(1);
        }
        Ok(())
    }

    /// Reports wrong answers.
    pub(super) fn complain(&self) {
        for Wrong { planner, map, query: Query { start, goal, .. }, fault } in self.wrong.iter().take(MOST_LISTED) {
            output::say(format_args!("wrong answer of {planner} on {map}, from {start} to {goal}: {fault}"));
        }
        if self.wrong.len() > MOST_LISTED {
            output::say(format_args!("... and {} more wrong answers", self.wrong.len() - MOST_LISTED));
        }
    }
}

impl Field {
    fn new(map: Map, runs: &Database, rectangles: &Database) -> Result<Self> {
        let cpd = |database: &Database| Cpd::from_artifact(Arc::clone(&database.artifact), &map.grid);
        let cpds = [cpd(runs)?, cpd(rectangles)?.with_follow(Follow::Moves)];
        let [of_runs, of_rectangles] = cpds.clone().map(Finder::from_planner);
        let finders = [Finder::new(WAYS[ASTAR].planner, &map.grid)?, of_runs, of_rectangles];
        Ok(Self { map, finders, cpds, path: Path::new(), answers: Vec::new() })
    }

    fn wrong(&self, planner: &'static str, query: Query, fault: Fault) -> Wrong {
        Wrong { planner, map: self.map.name.clone(), query, fault }
    }

    /// Answers all queries in all ways, watched and untimed, and judges the answers: legal, and all as cheap as the cheapest.
    fn check(&mut self, wrong: &mut Vec<Wrong>) -> Result<()> {
        for (start, goal) in self.map.pairs.clone() {
            let (mut answers, mut counts) = (Vec::new(), Vec::new());
            for way in &WAYS {
                let (query, mut count) = (Query { start, goal, output: way.output }, Counts::default());
                let finder = &mut self.finders[way.finder];
                let found = finder.plan_probed(query, &mut self.path, &mut count)?;
                let path = found.then_some(&self.path);
                let judged = judge::moves(&self.map.grid, query, path).map(|()| path.map(Path::cost));
                answers.push((Promise::of(finder), judged));
                counts.push(count);
            }
            let best =
                Best::of(answers.iter().filter_map(|(promise, judged)| Some((*promise, (*judged.as_ref().ok()?)?))));
            let cost = answers[ASTAR].1.as_ref().ok().copied().flatten().and_then(PathCost::grid);
            for (way, (promise, judged)) in WAYS.iter().zip(answers) {
                if let Err(fault) = judged.and_then(|cost| best.judge(promise, cost)) {
                    wrong.push(self.wrong(way.planner, Query { start, goal, output: way.output }, fault));
                }
            }
            let Some(cost) = cost else { continue };
            for (cpd, planner) in CPDS.into_iter().enumerate() {
                if let Err(fault) = self.judge_first_move(cpd, start, goal, cost)? {
                    wrong.push(self.wrong(planner, Query::new(start, goal), fault));
                }
            }
            let lookups = [counts[1].touched, counts[3].touched];
            self.answers.push(Answer::new(Query::new(start, goal), cost, counts[ASTAR].expanded, lookups));
        }
        Ok(())
    }

    /// Whether a first move is legal, and the way on from there as cheap as it must be.
    fn judge_first_move(&mut self, cpd: usize, start: Cell, goal: Cell, best: Octile) -> Result<Result<(), Fault>> {
        let Some(dir) = self.cpds[cpd].first_move(start, goal)? else { return Ok(Err(Fault::NotFound)) };
        let next = dir.step(start, 1);
        let step = Path::through([start, next]);
        if let Err(fault) = judge::moves(&self.map.grid, Query::new(start, next), step.as_ref()) {
            return Ok(Err(fault));
        }
        let found = self.finders[ASTAR].plan(Query::new(next, goal), &mut self.path)?;
        let Some(rest) = self.path.cost().grid().filter(|_| found) else { return Ok(Err(Fault::NotFound)) };
        let found = rest + Octile::of_steps(dir, 1);
        Ok(if found == best { Ok(()) } else { Err(Fault::TooLong { best: best.into(), found: found.into() }) })
    }

    /// The same query again and again, in all ways.
    fn time_warm(&mut self, rounds: usize, clock: &Clock, wrong: &mut Vec<Wrong>, bar: &ProgressBar) -> Result<()> {
        for at in 0..self.answers.len() {
            for (i, way) in WAYS.iter().enumerate() {
                self.time(i, 1, at, clock, wrong)?;
                for _ in 0..rounds {
                    let nanos = self.time(i, way.warm_calls, at, clock, wrong)?;
                    self.answers[at].warm[i] = self.answers[at].warm[i].min(nanos);
                }
            }
            for cpd in 0..CPDS.len() {
                self.time_first(cpd, 1, at, clock);
                for _ in 0..rounds {
                    let nanos = self.time_first(cpd, WARM_CALLS, at, clock);
                    self.answers[at].warm_first[cpd] = self.answers[at].warm_first[cpd].min(nanos);
                }
            }
            bar.inc(1);
        }
        Ok(())
    }

    /// Nanoseconds of a query, of so many in a row. The answer must be as it was when it was judged.
    fn time(&mut self, way: usize, calls: u32, at: usize, clock: &Clock, wrong: &mut Vec<Wrong>) -> Result<f64> {
        let Way { planner, output, finder, .. } = WAYS[way];
        let Answer { query, cost, .. } = self.answers[at];
        let (finder, path, query) = (&mut self.finders[finder], &mut self.path, Query { output, ..query });
        let mut found = Ok(false);
        let nanos = clock.nanos(calls, || found = black_box(finder.plan(black_box(query), path)));
        let timed = found?.then(|| self.path.cost());
        let checked = Some(cost.into());
        if timed != checked {
            wrong.push(self.wrong(planner, query, Fault::Changed { checked, timed }));
        }
        Ok(nanos)
    }

    /// The same for a first move.
    fn time_first(&self, cpd: usize, calls: u32, at: usize, clock: &Clock) -> f64 {
        let (cpd, Query { start, goal, .. }) = (&self.cpds[cpd], self.answers[at].query);
        clock.nanos(calls, || drop(black_box(cpd.first_move(black_box(start), black_box(goal)))))
    }
}

#[cfg(test)]
mod tests {
    use octile::grid::generate;

    use super::super::super::dice::Dice;
    use super::super::databases;
    use super::*;

    fn trial() -> Trial {
        let grid = generate::rooms(40, 30, 7, 1).unwrap();
        let pairs = Dice::new(1).pairs(&grid, 9, |a, b| grid.may_connect(a, b));
        let map = Map { name: "rooms".to_owned(), grid, pairs };
        let build = |settings| databases::build(&map, settings, &ProgressBar::hidden()).unwrap();
        let (runs, rectangles) = (build(databases::RUNS), build(databases::RECTANGLES));
        let mut trial = Trial::new();
        trial.enter(map, &runs, &rectangles).unwrap();
        trial
    }

    #[test]
    fn every_query_is_answered_and_timed_in_every_way() {
        let mut trial = trial();
        trial.time(2, &ProgressBar::hidden()).unwrap();
        assert_eq!((trial.wrong(), trial.answers().len()), (0, 9));
        for answer in trial.answers() {
            let [times, firsts] =
                [answer.warm.iter().chain(&answer.cold), answer.warm_first.iter().chain(&answer.cold_first)];
            assert!(times.chain(firsts).all(|nanos| nanos.is_finite() && *nanos > 0.0), "{answer:?}");
            assert_eq!(answer.lookups[1], answer.cost.moves());
            assert!((1..=answer.lookups[1]).contains(&answer.lookups[0]) && answer.expanded > 0, "{answer:?}");
        }
    }

    #[test]
    fn wrong_answers_do_not_go_unnoticed() {
        let mut trial = trial();
        let field = &mut trial.fields[0];
        let Answer { query: Query { start, goal, .. }, cost, .. } = field.answers[0];
        assert_eq!(field.judge_first_move(0, start, goal, cost).unwrap(), Ok(()));
        let dearer = cost + Octile::new(1, 0);
        let judged = field.judge_first_move(1, start, goal, dearer).unwrap();
        assert_eq!(judged, Err(Fault::TooLong { best: dearer.into(), found: cost.into() }));
        field.answers[0].cost = dearer;
        trial.time(1, &ProgressBar::hidden()).unwrap();
        let changed = |wrong: &&Wrong| matches!(wrong.fault, Fault::Changed { .. });
        // Untimed, warm and cold, in four ways.
        assert_eq!((trial.wrong.iter().filter(changed).count(), trial.wrong()), (12, 12));
    }
}
