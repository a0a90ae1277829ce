//! Races between planners on the same queries, in one process.
//!
//! On each map, every planner first answers every query watched and untimed: that warms its memory, counts expansions
//! and gives the answers to judge. Then come the timed rounds. In each round, every planner answers all queries of the
//! map, in an order that rotates, so that none always follows the same one; a query's time is its best of the rounds.
//! Only the call of the planner is timed; its answer is compared with the judged one after the clock has stopped.
//!
//! Peers are engines of other projects, which run and are judged like planners. Their wrong answers are a finding and
//! no fault of octile's: they are counted in the peer's own line, and a race with no other wrong answers went well.
//!
//! An entrant that cannot run on a map may retire there, if the race allows it; the first entrant, with which all
//! others are compared, may not. Entrants are compared only on maps that both ran on.

use std::fmt;
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use octile::catalog::advise;
use octile::grid::Convention;
use octile::{Catalog, Finder, Grid, Movement, Output, Path, PathCost, PathQuery, PlannerSpec};
use serde::{Deserialize, Serialize};

use super::engine::Engine;
use super::hints;
use super::indexes::IndexFiles;
use super::inputs::Task;
use super::judge::{self, Best, Fault, Faults, Promise};
use super::output;
use super::watch::Watch;
use super::words::{MOST_LISTED, count};

/// A map with its queries.
pub struct Course {
    /// The name of the map.
    pub name: String,
    /// The map.
    pub grid: Grid,
    /// The queries.
    pub tasks: Vec<Task>,
    /// Index files for planners to use instead of building.
    pub indexes: IndexFiles,
    /// Whether the tasks are those of the scenario file, so that its answers apply.
    pub answers_known: bool,
}

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The planner.
    pub planner: String,
    /// The map.
    pub course: String,
    /// The line in the scenario file.
    pub line: usize,
    /// The query.
    pub query: PathQuery,
    /// What is wrong.
    pub fault: Fault,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { planner, course, line, query: PathQuery { start, goal, .. }, fault } = self;
        write!(f, "{planner} on {course}, line {line} of its scenario, from {start} to {goal}: {fault}")
    }
}

/// A race in progress, with the results of all courses so far.
pub struct Race {
    /// What every engine must produce in the timed part.
    pub output: Output,
    /// The number of timed rounds.
    pub rounds: usize,
    /// The finished courses.
    pub courses: Vec<Ran>,
    /// The entrants.
    pub entrants: Vec<Entrant>,
    /// Wrong answers of planners; for peers, each entrant keeps only the first.
    pub wrong: Vec<Wrong>,
    /// The entrant whose paths are the cheapest along corners.
    along_corners: Option<usize>,
    /// If set, entrants that cannot run on a course may retire; the catalog is for the advice in the reason.
    may_retire: Option<Catalog>,
    /// The entrants that did not run on a course.
    pub retired: Vec<Retired>,
}

/// A finished course.
pub struct Ran {
    /// How prices count on the map, if it has some.
    pub convention: Option<Convention>,
    /// The name of the map.
    pub name: String,
    /// The queries, in order.
    pub asked: Vec<Asked>,
}

/// A query of a finished course.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The line in the scenario file.
    pub line: usize,
    /// The query.
    pub query: PathQuery,
    /// Whether all planners that ran found a path; peers do not count.
    pub answered_by_all: bool,
}

/// An entrant that did not run on a course.
#[derive(Clone, Debug)]
pub struct Retired {
    /// The planner.
    pub planner: String,
    /// The map.
    pub course: String,
    /// The reason.
    pub reason: String,
}

/// A planner or a peer in a race.
pub struct Entrant {
    /// The engine.
    pub engine: Engine,
    /// The number of the race's rounds in which it is timed, from the first; if 0, its answers are only judged and
    /// counted.
    pub rounds: usize,
    /// The best time of each query.
    pub nanos: Vec<u64>,
    /// The expansions of each query.
    pub expanded: Vec<u64>,
    /// The elements that each query put on the open list.
    pub opened: Vec<u64>,
    /// The length of each query's path, if there is one and it is legal.
    pub lengths: Vec<Option<f64>>,
    /// The total time of each round.
    pub round_nanos: Vec<u64>,
    /// The work of its searches.
    pub tally: Tally,
    /// Its results on each course, if it ran there.
    pub stints: Vec<Option<Stint>>,
    /// The build time, summed over the courses.
    pub build: Duration,
    /// The size of its indexes, summed over the courses.
    pub index_bytes: u64,
    /// The size of its scratch after all queries, on the course where that was largest.
    pub scratch_bytes: u64,
    /// Its wrong answers, by kind.
    pub faults: Faults,
    /// Its first wrong answer.
    pub first_wrong: Option<Wrong>,
}

/// The results of an entrant on one course.
#[derive(Clone, Debug)]
pub struct Stint {
    /// The indices of the course's queries in the entrant's lists.
    pub queries: Range<usize>,
    /// The number of queries that all planners answered with a path.
    pub answered_by_all: usize,
    /// The total length of its paths for those queries; infinite if it has no path for one of them.
    pub common_length: f64,
}

impl Race {
    /// A race of planners, each timed in `rounds` rounds.
    pub fn new(specs: Vec<PlannerSpec>, output: Output, rounds: usize) -> Self {
        let mut race = Self {
            output,
            rounds,
            courses: Vec::new(),
            entrants: Vec::new(),
            wrong: Vec::new(),
            along_corners: None,
            may_retire: None,
            retired: Vec::new(),
        };
        for spec in specs {
            race.enter(spec, rounds);
        }
        race
    }

    /// Adds a planner that is timed only in some of the rounds.
    pub fn enter(&mut self, spec: PlannerSpec, rounds: usize) {
        self.enter_engine(Engine::Planner(spec), rounds);
    }

    /// As [`enter`](Race::enter), with a planner or a peer.
    pub fn enter_engine(&mut self, engine: Engine, rounds: usize) {
        self.rounds = self.rounds.max(rounds);
        self.entrants.push(Entrant::new(engine, rounds));
    }

    /// Also judges paths that squeeze against those of this entrant: it must be A\* on corners, with the same squeeze
    /// rule.
    pub fn judge_along_corners(&mut self, entrant: usize) {
        self.along_corners = Some(entrant);
    }

    /// Lets entrants that cannot run on a course retire there, with the reason, instead of ending the race; the first
    /// may not. With `None`, none may.
    pub fn let_retire(&mut self, catalog: impl Into<Option<Catalog>>) {
        self.may_retire = catalog.into();
    }

    /// The progress bar's steps per course.
    pub fn steps_per_course(&self) -> u64 {
        self.entrants.iter().map(|entrant| entrant.rounds as u64 + 1).sum()
    }

    /// The number of finished courses.
    pub fn maps(&self) -> usize {
        self.courses.len()
    }

    /// The number of queries so far.
    pub fn queries(&self) -> usize {
        self.courses.iter().map(|course| course.asked.len()).sum()
    }

    /// The number of queries for which all planners that ran found a path; peers do not count.
    pub fn answered_by_all(&self) -> usize {
        self.courses.iter().flat_map(|course| &course.asked).filter(|asked| asked.answered_by_all).count()
    }

    /// Runs all planners on one course. After an error, the race is unchanged.
    pub fn run(&mut self, course: &Course, bar: &ProgressBar) -> Result<()> {
        let (mut lanes, retired) = self.lanes(course)?;
        for lane in lanes.iter_mut().flatten() {
            lane.check(course, self.output)?;
            bar.inc(1);
        }
        for round in 0..self.rounds {
            for place in 0..lanes.len() {
                let place = (place + round) % lanes.len();
                if let Some(lane) = &mut lanes[place]
                    && round < self.entrants[place].rounds
                {
                    lane.time(course, self.output)?;
                    bar.inc(1);
                }
            }
        }
        self.judge(course, &lanes);
        let asked: Vec<Asked> = (0..course.tasks.len()).map(|i| self.asked(course, i, &lanes)).collect();
        for (entrant, lane) in self.entrants.iter_mut().zip(lanes) {
            entrant.collect(lane, &asked);
        }
        self.courses.push(Ran { name: course.name.clone(), convention: course.grid.convention(), asked });
        self.retired.extend(retired);
        Ok(())
    }

    /// A lane for each entrant that can run the course, in order, and the entrants that cannot.
    fn lanes(&self, course: &Course) -> Result<(Vec<Option<Lane>>, Vec<Retired>)> {
        let (mut lanes, mut retired) = (Vec::new(), Vec::new());
        for entrant in &self.entrants {
            match (Lane::new(entrant, course), &self.may_retire) {
                (Ok(lane), _) => lanes.push(Some(lane)),
                (Err(error), Some(catalog)) if !lanes.is_empty() => {
                    let (planner, reason) = (entrant.engine.to_string(), hints::message(&error, catalog));
                    retired.push(Retired { planner, course: course.name.clone(), reason });
                    lanes.push(None);
                }
                (Err(error), _) => return Err(error),
            }
        }
        Ok((lanes, retired))
    }

    /// Judges each answer by its path, against the other answers and, if they apply, against the answers of the
    /// scenario file.
    fn judge(&mut self, course: &Course, lanes: &[Option<Lane>]) {
        let lengths = course.grid.movement() == Movement::Octile;
        for (i, task) in course.tasks.iter().enumerate() {
            let best = Best::of(lanes.iter().flatten().filter_map(|lane| Some((lane.promise, lane.cost(i)?))));
            let along_corners = self.along_corners.and_then(|entrant| lanes[entrant].as_ref()?.cost(i));
            let best = best.along_corners(along_corners);
            for (entrant, lane) in self.entrants.iter_mut().zip(lanes) {
                let Some(lane) = lane else { continue };
                let judged = lane.answers[i].clone().and_then(|cost| {
                    best.judge(lane.promise, cost)?;
                    if course.answers_known {
                        judge::by_file(&task.problem, lane.promise, lengths, cost)?;
                    }
                    Ok(())
                });
                if let Err(fault) = judged {
                    let wrong = entrant.wrong(course, task, query(task, self.output), fault);
                    self.wrong.extend((!entrant.engine.is_peer()).then_some(wrong));
                }
            }
        }
    }

    /// A query, and whether all planners have a length for it: planners that squeeze may reach more goals. Peers may
    /// have no legal path to some of those, and then no length.
    fn asked(&self, course: &Course, i: usize, lanes: &[Option<Lane>]) -> Asked {
        let mut counted = self.entrants.iter().zip(lanes).filter(|(entrant, _)| !entrant.engine.is_peer());
        let answered_by_all = counted.all(|(_, lane)| lane.as_ref().is_none_or(|lane| lane.cost(i).is_some()));
        let task = &course.tasks[i];
        Asked { line: task.line, query: query(task, self.output), answered_by_all }
    }

    /// Reports wrong answers, the first one of each peer, and unreliable times.
    pub fn complain(&self) {
        say_wrong(&self.wrong.iter().collect::<Vec<_>>());
        for peer in self.entrants.iter().filter(|entrant| entrant.engine.is_peer()) {
            if let Some(first) = &peer.first_wrong {
                output::say(format_args!("note: first wrong answer of {first}"));
            }
        }
        if let Some(warning) = self.noise_warning() {
            output::say(warning);
        }
    }

    /// A warning in one sentence if the times are unreliable.
    fn noise_warning(&self) -> Option<String> {
        noise_warning(self.entrants.iter().map(|entrant| (entrant.noise(), entrant.engine.to_string())))
    }
}

/// Reports the first wrong answers, and the number of the rest.
pub(crate) fn say_wrong(wrong: &[&Wrong]) {
    for wrong in wrong.iter().take(MOST_LISTED) {
        output::say(format_args!("wrong answer of {wrong}"));
    }
    if wrong.len() > MOST_LISTED {
        output::say(format_args!("... and {} more wrong answers", wrong.len() - MOST_LISTED));
    }
}

/// A warning in one sentence if the [`noise`] of a planner makes the times unreliable.
pub(crate) fn noise_warning(planners: impl Iterator<Item = (f64, String)>) -> Option<String> {
    let mut noisy: Vec<(f64, String)> = planners.filter(|&(noise, _)| noise > TOO_NOISY).collect();
    noisy.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (noise, planner) = noisy.first()?;
    Some(format!(
        "warning: the machine is busy and the times are noisy: of {} the median round took much longer than the best ({noise:.1} \
         times with {planner}); end other programs, or give more --rounds",
        count(noisy.len(), "planner", "planners"),
    ))
}

/// The ratio of the median round to the best. Rounds too short to show noise count as quiet.
pub(crate) fn noise(round_nanos: &[u64]) -> f64 {
    let mut rounds = round_nanos.to_vec();
    rounds.sort_unstable();
    // Of two rounds, the longer one counts as the median.
    match (rounds.first(), advise::percentile(&rounds, 51)) {
        (Some(&best), Some(median)) if best >= SHORTEST_ROUND_NANOS => median as f64 / best as f64,
        _ => 1.0,
    }
}

/// Rounds that differ by more than this factor make the times unreliable.
const TOO_NOISY: f64 = 1.5;

/// The work of a planner, summed over queries.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct Tally {
    /// Elements put on the open list.
    pub opened: u64,
    /// Repeated expansions in the same query.
    pub repeated: u64,
    /// The length of the longest open list, summed over queries.
    pub longest_open: u64,
    /// Lines of sight checked.
    pub sights: u64,
    /// The lengths of paths.
    pub length: f64,
    /// The length of the straight lines between jump points, if the planner reports them.
    pub straight_length: f64,
}

impl Tally {
    fn count(&mut self, Watch { counts, repeated, hops, .. }: &Watch, path: Option<&Path>) {
        self.opened += counts.opened;
        self.repeated += repeated;
        self.longest_open += counts.longest_open;
        self.sights += counts.sights;
        self.length += path.map_or(0.0, Path::length);
        self.straight_length += path.map_or(0.0, |path| hops.straight_length(path));
    }

    /// Adds other work.
    pub fn add(&mut self, other: &Self) {
        self.opened += other.opened;
        self.repeated += other.repeated;
        self.longest_open += other.longest_open;
        self.sights += other.sights;
        self.length += other.length;
        self.straight_length += other.straight_length;
    }
}

impl Entrant {
    /// An entrant that has not run.
    pub fn new(engine: Engine, rounds: usize) -> Self {
        Self {
            engine,
            rounds,
            nanos: Vec::new(),
            expanded: Vec::new(),
            opened: Vec::new(),
            lengths: Vec::new(),
            round_nanos: vec![0; rounds],
            tally: Tally::default(),
            stints: Vec::new(),
            build: Duration::ZERO,
            index_bytes: 0,
            scratch_bytes: 0,
            faults: Faults::default(),
            first_wrong: None,
        }
    }

    /// Counts a wrong answer.
    fn wrong(&mut self, course: &Course, task: &Task, query: PathQuery, fault: Fault) -> Wrong {
        self.faults.count(&fault);
        let wrong =
            Wrong { planner: self.engine.to_string(), course: course.name.clone(), line: task.line, query, fault };
        self.first_wrong.get_or_insert_with(|| wrong.clone());
        wrong
    }

    /// Takes over the results of a lane, if it ran.
    fn collect(&mut self, lane: Option<Lane>, asked: &[Asked]) {
        let Some(lane) = lane else { return self.stints.push(None) };
        let before = self.expanded.len();
        let length = |i: usize| lane.cost(i).map(PathCost::length);
        let common = || (0..asked.len()).filter(|&i| asked[i].answered_by_all);
        self.stints.push(Some(Stint {
            queries: before..before + asked.len(),
            answered_by_all: common().count(),
            common_length: common().map(|i| length(i).unwrap_or(f64::INFINITY)).sum(),
        }));
        self.lengths.extend((0..asked.len()).map(length));
        for (sum, nanos) in self.round_nanos.iter_mut().zip(&lane.round_nanos) {
            *sum += nanos;
        }
        if self.rounds > 0 {
            self.nanos.extend(lane.nanos);
        }
        self.expanded.extend(lane.expanded);
        self.opened.extend(lane.opened);
        self.tally.add(&lane.tally);
        self.build += lane.build;
        self.index_bytes += lane.finder.index_bytes() as u64;
        self.scratch_bytes = self.scratch_bytes.max(lane.finder.scratch_bytes() as u64);
    }

    /// The number of courses that it ran on.
    pub fn maps(&self) -> usize {
        self.stints.iter().flatten().count()
    }

    /// The total length of its paths for the queries that all planners answered; infinite if it has no path for one of
    /// them.
    pub fn common_length(&self) -> f64 {
        self.stints.iter().flatten().map(|stint| stint.common_length).sum()
    }

    /// Its results on the courses that another entrant ran too, paired with that one's.
    pub fn beside<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Stint, &'a Stint)> {
        self.stints.iter().zip(&other.stints).filter_map(|(ours, theirs)| ours.as_ref().zip(theirs.as_ref()))
    }

    /// The best time of each query on a course.
    pub fn nanos_of(&self, stint: &Stint) -> &[u64] {
        self.nanos.get(stint.queries.clone()).unwrap_or_default()
    }

    /// The sum of the queries' best times; never 0, since it is a divisor.
    pub fn total_nanos(&self) -> u64 {
        self.nanos.iter().sum::<u64>().max(1)
    }

    /// The ratio of the median round to the best. Rounds too short to show noise count as quiet.
    pub fn noise(&self) -> f64 {
        noise(&self.round_nanos)
    }
}

/// Rounds below 10 ms show nothing about the machine.
const SHORTEST_ROUND_NANOS: u64 = 10_000_000;

/// A planner on one course.
struct Lane {
    finder: Finder,
    promise: Promise,
    build: Duration,
    path: Path,
    tally: Tally,
    /// The cost of each answer, or what is wrong with it.
    answers: Vec<Result<Option<PathCost>, Fault>>,
    expanded: Vec<u64>,
    opened: Vec<u64>,
    nanos: Vec<u64>,
    /// The total time of each timed round.
    round_nanos: Vec<u64>,
}

impl Lane {
    fn new(entrant: &Entrant, course: &Course) -> Result<Self> {
        let clock = Instant::now();
        let finder = entrant.engine.build(course)?;
        let build = clock.elapsed();
        Ok(Self {
            promise: Promise::of(finder.planner()),
            finder,
            build,
            path: Path::new(),
            tally: Tally::default(),
            answers: Vec::with_capacity(course.tasks.len()),
            expanded: Vec::with_capacity(course.tasks.len()),
            opened: Vec::with_capacity(course.tasks.len()),
            nanos: vec![u64::MAX; course.tasks.len()],
            round_nanos: Vec::new(),
        })
    }

    /// The cost of its path for a query, if there is one and it is legal.
    fn cost(&self, query: usize) -> Option<PathCost> {
        *self.answers[query].as_ref().ok()?
    }

    /// Answers every query watched and untimed, and checks the moves.
    fn check(&mut self, course: &Course, output: Output) -> Result<()> {
        // A cost alone cannot be checked.
        let output = if output == Output::Cost { Output::Waypoints } else { output };
        let mut watch = Watch::new(&course.grid);
        for task in &course.tasks {
            let query = query(task, output);
            let found = self
                .finder
                .plan_probed(query, &mut self.path, &mut watch)
                .with_context(|| format!("the scenario of {}, line {}", course.name, task.line))?;
            let path = found.then_some(&self.path);
            self.tally.count(&watch, path);
            self.expanded.push(watch.counts.expanded);
            self.opened.push(watch.counts.opened);
            self.answers.push(judge::moves(&course.grid, query, path).map(|()| path.map(Path::cost)));
        }
        Ok(())
    }

    /// One timed round.
    fn time(&mut self, course: &Course, output: Output) -> Result<()> {
        let mut total = 0;
        for (i, task) in course.tasks.iter().enumerate() {
            let query = query(task, output);
            let clock = Instant::now();
            let found = self.finder.plan(query, &mut self.path);
            let nanos = u64::try_from(clock.elapsed().as_nanos()).unwrap_or(u64::MAX);
            total += nanos;
            self.nanos[i] = self.nanos[i].min(nanos.max(1));
            let timed = found?.then(|| self.path.cost());
            if let Ok(checked) = self.answers[i]
                && checked != timed
            {
                self.answers[i] = Err(Fault::Changed { checked, timed });
            }
        }
        self.round_nanos.push(total);
        Ok(())
    }
}

fn query(task: &Task, output: Output) -> PathQuery {
    PathQuery::new(task.problem.start, task.problem.goal).output(output)
}

#[cfg(test)]
mod tests {
    use octile::Cell;
    use octile::formats::movingai::scen::Problem;

    use super::*;

    fn course(lengths: [f64; 2]) -> Course {
        let grid: Grid = "....@.\n.@@.@.\n....@.".parse().unwrap();
        let problem = |goal, length| Problem {
            bucket: 0,
            map: "test".to_owned(),
            width: 6,
            height: 3,
            start: Cell::new(0, 0),
            goal,
            length,
        };
        let problems = vec![problem(Cell::new(3, 2), lengths[0]), problem(Cell::new(5, 0), lengths[1])];
        Course {
            name: "test".to_owned(),
            grid,
            tasks: crate::harness::inputs::number(problems).collect(),
            indexes: IndexFiles::default(),
            answers_known: true,
        }
    }

    fn race(course: &Course) -> Race {
        race_of(course, &["astar", "weighted-astar:weight=2", "jps"])
    }

    fn race_of(course: &Course, specs: &[&str]) -> Race {
        let specs = specs.iter().map(|spec| spec.parse().unwrap());
        let mut race = Race::new(specs.collect(), Output::Waypoints, 3);
        race.run(course, &ProgressBar::hidden()).unwrap();
        race
    }

    #[test]
    fn right_answers_are_timed_and_counted() {
        let race = race(&course([5.0, 0.0]));
        assert!(race.wrong.is_empty(), "{:?}", race.wrong);
        assert_eq!((race.maps(), race.queries()), (1, 2));
        for entrant in &race.entrants {
            assert!(entrant.nanos.iter().all(|&nanos| nanos < u64::MAX));
            assert!(
                entrant.expanded.len() == 2
                    && entrant.expanded[0] > 0
                    && entrant.faults.total() == 0
                    && entrant.noise() >= 1.0
            );
            let rounds: u64 = entrant.round_nanos.iter().sum();
            assert!(entrant.total_nanos() * 3 <= rounds.max(6));
        }
    }

    #[test]
    fn answers_that_differ_from_the_file_are_wrong() {
        let race = race(&course([4.0, 3.0]));
        // A cost of 5 instead of 4 is within the weight of 2; the missing path is wrong for all.
        assert_eq!(race.entrants.iter().map(|entrant| entrant.faults.total()).collect::<Vec<_>>(), [2, 1, 2]);
        assert_eq!(race.wrong[0].fault, Fault::Length { expected: 4.0, found: 5.0 });
        assert_eq!(race.wrong[0].line, 2);
        assert_eq!(race.wrong.last().unwrap().fault, Fault::NotFound);
    }

    #[test]
    fn any_angle_planners_race_with_the_others() {
        let specs = ["jps", "theta-star", "lazy-theta-star", "astar:on=corners", "jps:smooth=greedy"];
        let race = race_of(&course([5.0, 0.0]), &specs);
        assert!(race.wrong.is_empty(), "{:?}", race.wrong);
        assert_eq!(race.answered_by_all(), 1);
        let lengths: Vec<f64> = race.entrants.iter().map(Entrant::common_length).collect();
        assert!((lengths[0] - 5.0).abs() < 1e-9 && lengths[1..].iter().all(|&length| length < 5.0), "{lengths:?}");
        assert!(race.entrants[1].tally.sights > 0 && race.entrants[0].tally.sights == 0);
        // The file states a length that no path can have.
        assert_eq!(race_of(&course([3.0, 0.0]), &["theta-star"]).entrants[0].faults.total(), 1);
    }

    #[test]
    fn entrants_can_be_timed_in_fewer_rounds_or_not_at_all() {
        let mut race = Race::new(vec!["astar:on=corners".parse().unwrap()], Output::Waypoints, 2);
        race.enter("theta-star".parse().unwrap(), 1);
        race.enter("theta-star:smooth=greedy".parse().unwrap(), 0);
        race.judge_along_corners(0);
        assert_eq!((race.rounds, race.steps_per_course()), (2, 6));
        race.run(&course([5.0, 0.0]), &ProgressBar::hidden()).unwrap();
        assert!(race.wrong.is_empty(), "{:?}", race.wrong);
        let timed: Vec<_> =
            race.entrants.iter().map(|entrant| (entrant.nanos.len(), entrant.round_nanos.len())).collect();
        assert_eq!((timed, race.queries()), (vec![(2, 2), (2, 1), (0, 0)], 2));
        assert!(race.entrants[2].common_length() > 1.0 && race.entrants[2].expanded[0] > 0);
        // If Theta*'s path counted as the cheapest along corners, that of A* would be too long.
        race.judge_along_corners(1);
        race.run(&course([5.0, 0.0]), &ProgressBar::hidden()).unwrap();
        assert_eq!(race.entrants.iter().map(|entrant| entrant.faults.total()).collect::<Vec<_>>(), [1, 0, 0]);
    }

    #[test]
    fn an_entrant_that_cannot_run_on_a_course_retires_only_there() {
        let refusing: PlannerSpec = "hub-labels:index=missing.octx".parse().unwrap();
        let mut race =
            Race::new(vec!["astar".parse().unwrap(), refusing, "jps".parse().unwrap()], Output::Waypoints, 1);
        assert!(race.run(&course([5.0, 0.0]), &ProgressBar::hidden()).is_err());
        assert_eq!((race.maps(), race.entrants[0].nanos.len()), (0, 0), "a course that failed leaves nothing");
        race.let_retire(Catalog::standard());
        race.run(&course([5.0, 0.0]), &ProgressBar::hidden()).unwrap();
        race.entrants[1].engine = Engine::Planner("hub-labels".parse().unwrap());
        race.run(&course([5.0, 0.0]), &ProgressBar::hidden()).unwrap();
        assert_eq!(race.entrants.iter().map(Entrant::maps).collect::<Vec<_>>(), [2, 1, 2]);
        assert_eq!((race.retired.len(), race.retired[0].planner.as_str()), (1, "hub-labels:index=missing.octx"));
        let (first, late) = (&race.entrants[0], &race.entrants[1]);
        let beside: Vec<_> = late.beside(first).map(|(ours, theirs)| (&ours.queries, &theirs.queries)).collect();
        assert_eq!(beside, [(&(0..2), &(2..4))]);
        assert!((late.common_length() - 5.0).abs() < 1e-9 && (first.common_length() - 10.0).abs() < 1e-9);
        let mut first_refuses =
            Race::new(vec!["jps:prune=gates,index=missing.octx".parse().unwrap()], Output::Waypoints, 1);
        first_refuses.let_retire(Catalog::standard());
        assert!(first_refuses.run(&course([5.0, 0.0]), &ProgressBar::hidden()).is_err());
    }

    #[test]
    fn noise_is_reported_in_one_sentence() {
        let mut race = race(&course([5.0, 0.0]));
        for entrant in &mut race.entrants {
            entrant.round_nanos = vec![SHORTEST_ROUND_NANOS - 1, SHORTEST_ROUND_NANOS * 9, SHORTEST_ROUND_NANOS * 9];
        }
        assert_eq!(race.noise_warning(), None, "rounds this short say nothing");
        for (entrant, slow) in race.entrants.iter_mut().zip([10, 20, 30]) {
            entrant.round_nanos = vec![10_000_000, slow * 1_000_000, slow * 1_000_000];
        }
        let warning = race.noise_warning().unwrap();
        assert!(warning.contains("of 2 planners") && warning.contains("(3.0 times with jps)"), "{warning}");
    }

    #[test]
    fn tasks_without_a_known_answer_are_judged_by_the_best_answer() {
        let race = race(&Course { answers_known: false, ..course([4.0, 3.0]) });
        assert!(race.wrong.is_empty(), "{:?}", race.wrong);
    }
}
