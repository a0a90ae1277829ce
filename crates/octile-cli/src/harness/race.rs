//! Planners against each other on the same queries, in one process.
//!
//! On each map every planner first answers every query watched and untimed: that warms its memory, counts expansions
//! and gives the answers to judge. Then come the timed rounds. In each, every planner answers all queries of the map,
//! in an order that rotates from round to round so that none always follows the same one; a query's time is its best of
//! the rounds. Only the call of the planner is timed; what it answered is compared with the judged answer after the
//! clock has stopped.
//!
//! Peers, which are engines of other projects, run and are judged alike. Their wrong answers are a finding, though, and
//! no fault of octile's: they are counted in the peer's own line, and a race with no other wrong answers went well.
//!
//! Who cannot run on a map may retire there, if the race allows it. The first entrant, with which all others are
//! compared, may not. What an entrant did is compared with what others did on the same maps only.

use std::fmt;
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use octile::{Catalog, Convention, Finder, Grid, Movement, Output, Path, PathCost, PathQuery, PlannerSpec, advise};
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
    /// What the map is called.
    pub name: String,
    /// The map.
    pub grid: Grid,
    /// The queries.
    pub tasks: Vec<Task>,
    /// For planners to use instead of building their own.
    pub indexes: IndexFiles,
    /// Whether the tasks are the scenario file's own, so that its answers hold for them.
    pub answers_known: bool,
}

/// An answer that is not right.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// Whose answer.
    pub planner: String,
    /// On which map.
    pub course: String,
    /// Where in the scenario file.
    pub line: usize,
    /// To which query.
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

/// A race in progress: what the planners did on all courses so far.
pub struct Race {
    /// What every engine must produce inside the timed part.
    pub output: Output,
    /// How often each query is timed.
    pub rounds: usize,
    /// The courses that were run.
    pub courses: Vec<Ran>,
    /// Who runs.
    pub entrants: Vec<Entrant>,
    /// Those of planners; of peers each entrant has the first only.
    pub wrong: Vec<Wrong>,
    /// Which entrant's paths are the cheapest along corners.
    along_corners: Option<usize>,
    /// Whether who cannot run on a course may retire: the catalog has what to do about it.
    may_retire: Option<Catalog>,
    /// Who did not run on which course.
    pub retired: Vec<Retired>,
}

/// A course that was run.
pub struct Ran {
    /// How prices count on the map, if it has some.
    pub convention: Option<Convention>,
    /// What the map is called.
    pub name: String,
    /// What was asked, in order.
    pub asked: Vec<Asked>,
}

/// A query that was asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Where it stands in the scenario file.
    pub line: usize,
    /// The query.
    pub query: PathQuery,
    /// Whether all planners that ran answered it with a path; peers are not asked.
    pub answered_by_all: bool,
}

/// An entrant that did not run on a course.
#[derive(Clone, Debug)]
pub struct Retired {
    /// Who.
    pub planner: String,
    /// On which map.
    pub course: String,
    /// Why.
    pub reason: String,
}

/// A planner or a peer in a race.
pub struct Entrant {
    /// What answers.
    pub engine: Engine,
    /// In how many of the race's rounds it is timed, from the first; with none its answers are judged and counted only.
    pub rounds: usize,
    /// Each query's best of the rounds.
    pub nanos: Vec<u64>,
    /// Each query's expansions.
    pub expanded: Vec<u64>,
    /// How long each query's path is, if there is one and it is legal.
    pub lengths: Vec<Option<f64>>,
    /// Each round's total.
    pub round_nanos: Vec<u64>,
    /// What it did.
    pub tally: Tally,
    /// For each course of the race what it did there, if it ran.
    pub stints: Vec<Option<Stint>>,
    /// How long it took to be ready, summed over the courses.
    pub build: Duration,
    /// What it keeps besides the maps, summed over the courses.
    pub index_bytes: u64,
    /// Its working memory after all queries, on the course where that was most.
    pub scratch_bytes: u64,
    /// Its wrong answers, by what is wrong.
    pub faults: Faults,
    /// Its first wrong answer.
    pub first_wrong: Option<Wrong>,
}

/// What an entrant did on one course.
#[derive(Clone, Debug)]
pub struct Stint {
    /// Where the course's queries stand in what it has of each query.
    pub queries: Range<usize>,
    /// How many queries all planners answered with a path.
    pub answered_by_all: usize,
    /// The lengths of its paths, summed over those queries; infinite if it did not answer one.
    pub common_length: f64,
}

impl Race {
    /// A race of some planners, each timed in so many rounds.
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

    /// Adds a planner that is timed in some of the rounds only.
    pub fn enter(&mut self, spec: PlannerSpec, rounds: usize) {
        self.enter_engine(Engine::Planner(spec), rounds);
    }

    /// As [`enter`](Race::enter), with a planner or a peer.
    pub fn enter_engine(&mut self, engine: Engine, rounds: usize) {
        self.rounds = self.rounds.max(rounds);
        self.entrants.push(Entrant::new(engine, rounds));
    }

    /// Judges paths that squeeze by those of this entrant too: it must be A\* on corners, of the same squeeze rule.
    pub fn judge_along_corners(&mut self, entrant: usize) {
        self.along_corners = Some(entrant);
    }

    /// Lets those that cannot run on a course retire there, with the reason, instead of ending the race; not the first.
    /// With `None` nobody may.
    pub fn let_retire(&mut self, catalog: impl Into<Option<Catalog>>) {
        self.may_retire = catalog.into();
    }

    /// How often the progress bar moves on for each course.
    pub fn steps_per_course(&self) -> u64 {
        self.entrants.iter().map(|entrant| entrant.rounds as u64 + 1).sum()
    }

    /// How many courses were run.
    pub fn maps(&self) -> usize {
        self.courses.len()
    }

    /// How many queries were asked so far.
    pub fn queries(&self) -> usize {
        self.courses.iter().map(|course| course.asked.len()).sum()
    }

    /// How many queries all planners that ran answered with a path; peers are not asked.
    pub fn answered_by_all(&self) -> usize {
        self.courses.iter().flat_map(|course| &course.asked).filter(|asked| asked.answered_by_all).count()
    }

    /// Lets all planners run one course. If that fails, the race is as before.
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

    /// A lane for each entrant that can run the course, in the order of the entrants, and those that cannot.
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

    /// Judges each answer by its path, by the other answers and, if its answers hold, by the scenario file.
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

    /// A query, and whether all planners have a length of it to compare: planners that squeeze may reach more goals.
    /// Peers may have no legal path to some of those, and then no length to compare.
    fn asked(&self, course: &Course, i: usize, lanes: &[Option<Lane>]) -> Asked {
        let mut counted = self.entrants.iter().zip(lanes).filter(|(entrant, _)| !entrant.engine.is_peer());
        let answered_by_all = counted.all(|(_, lane)| lane.as_ref().is_none_or(|lane| lane.cost(i).is_some()));
        let task = &course.tasks[i];
        Asked { line: task.line, query: query(task, self.output), answered_by_all }
    }

    /// Reports wrong answers, a first one of each peer, and times that cannot be trusted.
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

    /// That the times cannot be trusted, in one sentence, if so.
    fn noise_warning(&self) -> Option<String> {
        noise_warning(self.entrants.iter().map(|entrant| (entrant.noise(), entrant.engine.to_string())))
    }
}

/// Reports the first wrong answers, and how many more there are.
pub(crate) fn say_wrong(wrong: &[&Wrong]) {
    for wrong in wrong.iter().take(MOST_LISTED) {
        output::say(format_args!("wrong answer of {wrong}"));
    }
    if wrong.len() > MOST_LISTED {
        output::say(format_args!("... and {} more wrong answers", wrong.len() - MOST_LISTED));
    }
}

/// That times cannot be trusted, in one sentence, if the [`noise`] of a planner says so.
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

/// How much longer the median of some rounds took than the best. Rounds too short to tell noise from chance count as
/// quiet.
pub(crate) fn noise(round_nanos: &[u64]) -> f64 {
    let mut rounds = round_nanos.to_vec();
    rounds.sort_unstable();
    // Of two rounds the longer one counts.
    match (rounds.first(), advise::percentile(&rounds, 51)) {
        (Some(&best), Some(median)) if best >= SHORTEST_ROUND_NANOS => median as f64 / best as f64,
        _ => 1.0,
    }
}

/// Rounds that differ by more than this cast doubt on the times.
const TOO_NOISY: f64 = 1.5;

/// What a planner did, summed over queries.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct Tally {
    /// Elements put on the open list.
    pub opened: u64,
    /// Expansions of what had been expanded before in the same query.
    pub repeated: u64,
    /// The longest open list of each query.
    pub longest_open: u64,
    /// Lines of sight checked.
    pub sights: u64,
    /// The lengths of paths.
    pub length: f64,
    /// The length of the straight lines between jump points, where the planner gives them.
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

    /// Adds what was done elsewhere.
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
    /// One that has not run.
    pub fn new(engine: Engine, rounds: usize) -> Self {
        Self {
            engine,
            rounds,
            nanos: Vec::new(),
            expanded: Vec::new(),
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

    /// Takes what a lane holds, if it ran.
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
        self.tally.add(&lane.tally);
        self.build += lane.build;
        self.index_bytes += lane.finder.index_bytes() as u64;
        self.scratch_bytes = self.scratch_bytes.max(lane.finder.scratch_bytes() as u64);
    }

    /// On how many courses it ran.
    pub fn maps(&self) -> usize {
        self.stints.iter().flatten().count()
    }

    /// The lengths of its paths, summed over the queries that all planners answered; infinite if it did not answer one.
    pub fn common_length(&self) -> f64 {
        self.stints.iter().flatten().map(|stint| stint.common_length).sum()
    }

    /// What it did on the courses that another ran too, beside what that did.
    pub fn beside<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Stint, &'a Stint)> {
        self.stints.iter().zip(&other.stints).filter_map(|(ours, theirs)| ours.as_ref().zip(theirs.as_ref()))
    }

    /// Each query's best time on a course.
    pub fn nanos_of(&self, stint: &Stint) -> &[u64] {
        self.nanos.get(stint.queries.clone()).unwrap_or_default()
    }

    /// The sum of the queries' best times; never 0, so that it can be divided by.
    pub fn total_nanos(&self) -> u64 {
        self.nanos.iter().sum::<u64>().max(1)
    }

    /// How much longer the median round took than the best. Rounds too short to tell noise from chance count as quiet.
    pub fn noise(&self) -> f64 {
        noise(&self.round_nanos)
    }
}

/// Rounds below 10 ms say nothing about the machine.
const SHORTEST_ROUND_NANOS: u64 = 10_000_000;

/// A planner on one course.
struct Lane {
    finder: Finder,
    promise: Promise,
    build: Duration,
    path: Path,
    tally: Tally,
    /// What it answered to each query, or what is wrong with that.
    answers: Vec<Result<Option<PathCost>, Fault>>,
    expanded: Vec<u64>,
    nanos: Vec<u64>,
    /// The total of each timed round.
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
            nanos: vec![u64::MAX; course.tasks.len()],
            round_nanos: Vec::new(),
        })
    }

    /// What its path for a query costs, if it is one and legal.
    fn cost(&self, query: usize) -> Option<PathCost> {
        *self.answers[query].as_ref().ok()?
    }

    /// Answers every query watched and untimed, and checks the moves.
    fn check(&mut self, course: &Course, output: Output) -> Result<()> {
        // A cost alone could not be checked.
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
    use octile::movingai::scen::Problem;

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
        // 5 instead of 4 is within the weight of 2; the missing path is wrong for all.
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
        // The file says that a path is shorter than any can be.
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
        // Were Theta*'s path the cheapest along corners, that of A* would be too long.
        race.judge_along_corners(1);
        race.run(&course([5.0, 0.0]), &ProgressBar::hidden()).unwrap();
        assert_eq!(race.entrants.iter().map(|entrant| entrant.faults.total()).collect::<Vec<_>>(), [1, 0, 0]);
    }

    #[test]
    fn who_cannot_run_on_a_course_retires_there_alone() {
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
    fn noise_is_told_in_one_sentence() {
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
    fn tasks_that_are_not_the_files_own_are_judged_by_the_best_answer() {
        let race = race(&Course { answers_known: false, ..course([4.0, 3.0]) });
        assert!(race.wrong.is_empty(), "{:?}", race.wrong);
    }
}
