//! What is measured of queries: how long they take with warm and with cold memory, and what they look at.
//!
//! The paper times single lookups, so that a race over all queries of a map would not do ([`timing`](crate::timing)):
//! here one planner answers in several ways, from turn to turn or move by move, with every cell or with turning points,
//! and gives first moves alone. What is right is decided by the one [judge], as in races.

use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use octile::algo::cpd::{CpdPlanner, Follow};
use octile::artifact::Artifact;
use octile::planner::{Counts, Indexes};
use octile::{Build, Cell, Cpd, Finder, Grid, GridCost, Output, Path, PathCost, PathQuery, Planner};
use octile_cli::harness::judge::{self, Best, Fault, Promise};
use serde::{Deserialize, Serialize};

use super::databases::{Queried, Shelf};
use super::maps::Map;
use crate::timing::{Clock, Elsewhere};

/// A way of answering queries.
pub(super) struct Way {
    pub(super) planner: &'static str,
    pub(super) output: Output,
    /// In plots.
    pub(super) label: &'static str,
    /// Which of a field's planners.
    finder: usize,
    /// How often it answers in a row in a warm round: often enough that the clock's own time is lost in it.
    warm_calls: u32,
}

const ASTAR: usize = 0;
const RUNS: usize = 1;
const RECTANGLES: usize = 2;
/// The planners over databases: ours, and the paper's.
pub(super) const CPDS: [&str; 2] = ["cpd", "cpd:layout=rectangles,ties=diagonal-first,follow=moves"];
pub(super) const WARM_CALLS: u32 = 16;

/// A\* first.
pub(super) const WAYS: [Way; 4] = [
    Way { planner: "astar", output: Output::Cells, label: "astar", finder: ASTAR, warm_calls: 1 },
    Way { planner: CPDS[0], output: Output::Cells, label: "cpd, every cell", finder: RUNS, warm_calls: WARM_CALLS },
    Way {
        planner: CPDS[0],
        output: Output::Waypoints,
        label: "cpd, turning points",
        finder: RUNS,
        warm_calls: WARM_CALLS,
    },
    Way {
        planner: CPDS[1],
        output: Output::Cells,
        label: "rectangles, a lookup for every move",
        finder: RECTANGLES,
        warm_calls: WARM_CALLS,
    },
];

/// In nanoseconds: each of [`WAYS`], then the first move alone by each of [`CPDS`].
pub(super) type Nanos = [f64; 6];

/// A query, and what it takes.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Answer {
    start: (u32, u32),
    goal: (u32, u32),
    /// Straight and diagonal moves of a cheapest path.
    moves: (u32, u32),
    /// By A\*.
    pub(super) expanded: u64,
    /// By each of [`CPDS`].
    pub(super) lookups: [u64; 2],
    /// If it was timed.
    pub(super) warm: Option<Nanos>,
    pub(super) cold: Option<Nanos>,
}

impl Answer {
    fn new(start: Cell, goal: Cell, cost: GridCost, expanded: u64, lookups: [u64; 2]) -> Self {
        let moves = (cost.straight, cost.diagonal);
        Self { start: (start.x, start.y), goal: (goal.x, goal.y), moves, expanded, lookups, warm: None, cold: None }
    }

    fn query(&self, output: Output) -> PathQuery {
        let [start, goal] = [self.start, self.goal].map(|(x, y)| Cell::new(x, y));
        PathQuery::new(start, goal).output(output)
    }

    pub(super) fn cost(&self) -> GridCost {
        GridCost::new(self.moves.0, self.moves.1)
    }

    /// One of so many straight moves that takes the same time with warm and with cold memory.
    #[cfg(test)]
    pub(super) fn of_cost(cost: u32, expanded: u64, nanos: Nanos) -> Self {
        let (start, goal, moves) = (Cell::new(0, 0), Cell::new(cost, 0), u64::from(cost));
        let answer = Self::new(start, goal, GridCost::new(cost, 0), expanded, [1, moves]);
        Self { warm: Some(nanos), cold: Some(nanos), ..answer }
    }
}

/// The queries of a map.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Answers {
    pub(super) list: Vec<Answer>,
    /// Wrong answers, in words.
    pub(super) wrong: Vec<String>,
}

/// A map with its planners.
pub(super) struct Field {
    name: String,
    grid: Grid,
    finders: [Finder; 3],
    cpds: [CpdPlanner; 2],
    path: Path,
    wrong: Vec<String>,
}

impl Field {
    pub(super) fn new(map: &Map, queried: &Queried) -> Result<Self> {
        let cpd = |artifact: &Arc<Artifact>, follow: Follow| {
            let indexes: Indexes = std::iter::once(Arc::clone(artifact)).collect();
            CpdPlanner::build(Build::new(&map.grid).with(indexes), &Cpd::default().follow(follow))
        };
        let cpds = [cpd(&queried.runs, Follow::Turns)?, cpd(&queried.rectangles, Follow::Moves)?];
        let finder = |cpd: CpdPlanner| Finder::of(Box::new(cpd) as Box<dyn Planner>);
        let [of_runs, of_rectangles] = cpds.clone().map(finder);
        let finders = [Finder::new(WAYS[ASTAR].planner, &map.grid)?, of_runs, of_rectangles];
        let (name, grid) = (map.name.clone(), map.grid.clone());
        Ok(Self { name, grid, finders, cpds, path: Path::new(), wrong: Vec::new() })
    }

    /// Judges what all planners answer, and takes the times with warm memory, the best of some rounds.
    pub(super) fn answers(mut self, pairs: &[(Cell, Cell)], rounds: usize, clock: &Clock) -> Result<Answers> {
        let mut list = Vec::new();
        for &(start, goal) in pairs {
            list.extend(self.check(start, goal).with_context(|| self.name.clone())?);
        }
        if rounds > 0 {
            for answer in &mut list {
                answer.warm = Some(self.time_warm(answer, rounds, clock)?);
            }
        }
        Ok(Answers { list, wrong: self.wrong })
    }

    fn note(&mut self, planner: &str, query: PathQuery, fault: &Fault) {
        let PathQuery { start, goal, .. } = query;
        self.wrong.push(format!("{planner} on {}, from {start} to {goal}: {fault}", self.name));
    }

    /// Answers a query in all ways, watched and untimed, and judges the answers: legal, and all as cheap as the
    /// cheapest.
    fn check(&mut self, start: Cell, goal: Cell) -> Result<Option<Answer>> {
        let (mut answers, mut counts) = (Vec::new(), Vec::new());
        for way in &WAYS {
            let (query, mut count) = (PathQuery::new(start, goal).output(way.output), Counts::default());
            let finder = &mut self.finders[way.finder];
            let found = finder.plan_probed(query, &mut self.path, &mut count)?;
            let path = found.then_some(&self.path);
            let judged = judge::moves(&self.grid, query, path).map(|()| path.map(Path::cost));
            answers.push((Promise::of(finder.planner()), judged));
            counts.push(count);
        }
        let best = Best::of(answers.iter().filter_map(|(promise, judged)| Some((*promise, (*judged.as_ref().ok()?)?))));
        let cost = answers[ASTAR].1.as_ref().ok().copied().flatten().and_then(PathCost::grid);
        for (way, (promise, judged)) in WAYS.iter().zip(answers) {
            if let Err(fault) = judged.and_then(|cost| best.judge(promise, cost)) {
                self.note(way.planner, PathQuery::new(start, goal).output(way.output), &fault);
            }
        }
        let Some(cost) = cost else { return Ok(None) };
        for (cpd, planner) in CPDS.into_iter().enumerate() {
            if let Err(fault) = self.judge_first_move(cpd, start, goal, cost)? {
                self.note(planner, PathQuery::new(start, goal), &fault);
            }
        }
        let lookups = [counts[1].touched, counts[3].touched];
        Ok(Some(Answer::new(start, goal, cost, counts[ASTAR].expanded, lookups)))
    }

    /// Whether a first move is legal, and the way on from there as cheap as it must be.
    fn judge_first_move(&mut self, cpd: usize, start: Cell, goal: Cell, best: GridCost) -> Result<Result<(), Fault>> {
        let Some(dir) = self.cpds[cpd].first_move(start, goal)? else { return Ok(Err(Fault::NotFound)) };
        let next = dir.step(start, 1);
        let step = Path::through([start, next]);
        if let Err(fault) = judge::moves(&self.grid, PathQuery::new(start, next), step.as_ref()) {
            return Ok(Err(fault));
        }
        let found = self.finders[ASTAR].plan(PathQuery::new(next, goal), &mut self.path)?;
        let Some(rest) = self.path.cost().grid().filter(|_| found) else { return Ok(Err(Fault::NotFound)) };
        let found = rest + GridCost::of_steps(dir, 1);
        Ok(if found == best { Ok(()) } else { Err(Fault::TooLong { best: best.into(), found: found.into() }) })
    }

    /// The same query again and again, in all ways.
    fn time_warm(&mut self, answer: &Answer, rounds: usize, clock: &Clock) -> Result<Nanos> {
        let mut best = UNTIMED;
        for (nth, nanos) in best.iter_mut().enumerate() {
            let calls = WAYS.get(nth).map_or(WARM_CALLS, |way| way.warm_calls);
            self.time(nth, answer, 1, clock)?;
            for _ in 0..rounds {
                *nanos = nanos.min(self.time(nth, answer, calls, clock)?);
            }
        }
        Ok(best)
    }

    /// One of the [`Nanos`] of a query, of so many in a row.
    fn time(&mut self, nth: usize, answer: &Answer, calls: u32, clock: &Clock) -> Result<f64> {
        if let Some(way) = WAYS.get(nth) {
            return self.time_way(way, answer, calls, clock);
        }
        let (cpd, PathQuery { start, goal, .. }) = (&self.cpds[nth - WAYS.len()], answer.query(Output::Cells));
        Ok(clock.nanos(calls, || drop(black_box(cpd.first_move(black_box(start), black_box(goal))))))
    }

    /// The answer must be as it was when it was judged.
    fn time_way(&mut self, way: &Way, answer: &Answer, calls: u32, clock: &Clock) -> Result<f64> {
        let (finder, path, query) = (&mut self.finders[way.finder], &mut self.path, answer.query(way.output));
        let mut found = Ok(false);
        let nanos = clock.nanos(calls, || found = black_box(finder.plan(black_box(query), path)));
        let (checked, timed) = (Some(answer.cost().into()), found?.then(|| self.path.cost()));
        if timed != checked {
            self.note(way.planner, query, &Fault::Changed { checked, timed });
        }
        Ok(nanos)
    }
}

/// Before the first round.
const UNTIMED: Nanos = [f64::INFINITY; 6];

/// All maps, for times with cold memory.
pub(super) struct Cold {
    fields: Vec<Field>,
    elsewhere: Elsewhere,
    clock: Clock,
}

/// The times of some pairs of every map.
#[derive(Deserialize, Serialize)]
pub(super) struct ColdTimes {
    /// By map.
    nanos: Vec<Vec<Nanos>>,
    /// Wrong answers, in words.
    wrong: Vec<Vec<String>>,
}

impl Cold {
    /// Opens the databases of all maps.
    pub(super) fn open(maps: &[Map], shelf: &mut Shelf, bar: &ProgressBar) -> Result<Self> {
        let field = |map: &Map| Field::new(map, &shelf.take_or_build(map, bar)?);
        let fields = maps.iter().map(field).collect::<Result<_>>()?;
        Ok(Self { fields, elsewhere: Elsewhere::new(), clock: Clock::new() })
    }

    /// What so many pairs add to the progress: they take as long as hundreds of rows of a database.
    pub(super) fn steps(pairs: usize, rounds: usize) -> u64 {
        (pairs * rounds) as u64 * COLD_STEPS
    }

    /// Takes the times of these pairs, the best of some rounds. One query a map after each walk elsewhere, so that
    /// nothing of its map's has been touched since.
    pub(super) fn time(
        &mut self,
        answers: &[Answers],
        pairs: Range<usize>,
        rounds: usize,
        bar: &ProgressBar,
    ) -> Result<ColdTimes> {
        let lists: Vec<&[Answer]> =
            answers.iter().map(|of| of.list.get(pairs.start..pairs.end.min(of.list.len())).unwrap_or(&[])).collect();
        self.use_memory(&lists)?;
        let mut best: Vec<Vec<Nanos>> = lists.iter().map(|list| vec![UNTIMED; list.len()]).collect();
        for at in (0..rounds).flat_map(|_| 0..pairs.len()) {
            for nth in 0..UNTIMED.len() {
                self.elsewhere.walk();
                for ((field, list), best) in self.fields.iter_mut().zip(&lists).zip(&mut best) {
                    let Some(answer) = list.get(at) else { continue };
                    best[at][nth] = best[at][nth].min(field.time(nth, answer, 1, &self.clock)?);
                }
            }
            bar.inc(COLD_STEPS);
        }
        let wrong = self.fields.iter_mut().map(|field| std::mem::take(&mut field.wrong)).collect();
        Ok(ColdTimes { nanos: best, wrong })
    }

    /// Answers all queries untimed, so that all memory they need is there.
    fn use_memory(&mut self, lists: &[&[Answer]]) -> Result<()> {
        for (field, list) in self.fields.iter_mut().zip(lists) {
            for answer in *list {
                for way in &WAYS {
                    field.time_way(way, answer, 1, &self.clock)?;
                }
            }
        }
        Ok(())
    }
}

const COLD_STEPS: u64 = 1000;

impl ColdTimes {
    /// Adds them to the answers, of which these are the ones from `first` on.
    pub(super) fn add_to(self, answers: &mut [Answers], first: usize) {
        for ((of, nanos), wrong) in answers.iter_mut().zip(self.nanos).zip(self.wrong) {
            for (answer, nanos) in of.list.iter_mut().skip(first).zip(nanos) {
                answer.cold = Some(nanos);
            }
            of.wrong.extend(wrong);
        }
    }
}

#[cfg(test)]
mod tests {
    use octile::formats::generate;

    use super::*;
    use crate::dice::pairs;

    fn map() -> Map {
        let grid = generate::rooms(40, 30, 7, 1).unwrap();
        let pairs = pairs(&mut octile::geometry::Dice::new(1), &grid, 9, |a, b| grid.may_connect(a, b));
        Map { name: "rooms".to_owned(), seed: 1, grid, pairs }
    }

    fn field(map: &Map) -> Field {
        Field::new(map, &Shelf::default().take_or_build(map, &ProgressBar::hidden()).unwrap()).unwrap()
    }

    fn cold(maps: &[Map], answers: &[Answers]) -> ColdTimes {
        let mut cold = Cold::open(maps, &mut Shelf::default(), &ProgressBar::hidden()).unwrap();
        cold.time(answers, 4..12, 1, &ProgressBar::hidden()).unwrap()
    }

    #[test]
    fn every_query_is_answered_and_timed_in_every_way() {
        let map = map();
        let mut answers = [field(&map).answers(&map.pairs, 2, &Clock::new()).unwrap()];
        cold(&[map], &answers).add_to(&mut answers, 4);
        let Answers { list, wrong } = &answers[0];
        assert_eq!((list.len(), &wrong[..]), (9, &[][..]));
        for (nth, answer) in list.iter().enumerate() {
            // Only some were timed with cold memory.
            assert_eq!(answer.cold.is_some(), nth >= 4);
            let times = answer.warm.iter().chain(&answer.cold).flatten();
            assert!(times.copied().all(|nanos| nanos.is_finite() && nanos > 0.0), "{answer:?}");
            assert_eq!(answer.lookups[1], answer.cost().moves());
            assert!((1..=answer.lookups[1]).contains(&answer.lookups[0]) && answer.expanded > 0, "{answer:?}");
        }
        let kept: Answers = serde_json::from_str(&serde_json::to_string(&answers[0]).unwrap()).unwrap();
        assert_eq!(format!("{:?}", kept.list[0]), format!("{:?}", list[0]));
    }

    #[test]
    fn wrong_answers_do_not_go_unnoticed() {
        let map = map();
        let mut field = field(&map);
        let answer = field.check(map.pairs[5].0, map.pairs[5].1).unwrap().unwrap();
        let (PathQuery { start, goal, .. }, cost) = (answer.query(Output::Cells), answer.cost());
        assert_eq!(field.judge_first_move(0, start, goal, cost).unwrap(), Ok(()));
        let dearer = cost + GridCost::new(1, 0);
        let judged = field.judge_first_move(1, start, goal, dearer).unwrap();
        assert_eq!(judged, Err(Fault::TooLong { best: dearer.into(), found: cost.into() }));
        let wrong = Answer { moves: (dearer.straight, dearer.diagonal), ..answer };
        field.time_warm(&wrong, 1, &Clock::new()).unwrap();
        // Untimed and timed, in four ways.
        assert_eq!(field.wrong.len(), 8);
        assert!(field.wrong[7].starts_with(&format!("{} on rooms, from {start} to {goal}: ", CPDS[1])));
        let mut answers = [Answers { list: vec![wrong; 9], wrong: Vec::new() }];
        cold(&[map], &answers).add_to(&mut answers, 4);
        assert_eq!(answers[0].wrong.len(), 5 * 8);
    }
}
