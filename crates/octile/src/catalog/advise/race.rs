//! The race: candidates answer the same queries, in heats. A candidate that is far behind after a heat drops out of the
//! next, which has twice as many queries. So planners that take milliseconds per query do not hold up those that take a
//! microsecond.

use std::time::Duration;

use web_time::Instant;

use super::{Measured, Needs, choice};
use crate::catalog::PlannerSpec;
use crate::geometry::order;
use crate::path::Path;
use crate::planner::{Build, BuildError, PathQuery, Planner, Scratch};

/// The number of queries in the first heat.
const FIRST_HEAT: usize = 8;

/// A candidate drops out if it takes more than this many times the time of the fastest.
pub(super) const BEHIND: f64 = 4.0;

/// How often each query is asked.
const ROUNDS: usize = 3;

/// A query that takes longer is asked at most twice: the first time may have filled caches that later queries use.
const ASK_AGAIN: Duration = Duration::from_millis(20);

/// A heat ends when one candidate has spent this long on it, once at least `FEW` queries have been asked.
const HEAT: Duration = Duration::from_millis(300);

/// A heat always ends when one candidate has spent this long on it.
const LONG_HEAT: Duration = Duration::from_millis(1500);

/// The minimum number of queries in a heat, unless it reaches `LONG_HEAT`.
const FEW: usize = 4;

/// No further heat starts once one candidate has spent this long, with each query counted once.
const ENOUGH: Duration = Duration::from_millis(30);

/// A candidate in the race.
pub(super) struct Runner {
    spec: PlannerSpec,
    /// The planner that answers the queries.
    planner: Box<dyn Planner>,
    /// On a map that changes, the planner as it was built; `planner` is then a copy that has followed edits.
    unchanged: Option<Box<dyn Planner>>,
    scratch: Scratch,
    build: Duration,
    edit: Option<Duration>,
    /// The best time of each query answered so far.
    times: Vec<Duration>,
    is_out: bool,
}

/// A candidate with its measurements.
pub(super) struct Finished {
    pub(super) spec: PlannerSpec,
    pub(super) planner: Box<dyn Planner>,
    pub(super) measured: Measured,
}

impl Runner {
    pub(super) fn new(spec: PlannerSpec, planner: Box<dyn Planner>, build: Duration) -> Self {
        let scratch = planner.create_scratch();
        Self { spec, planner, unchanged: None, scratch, build, edit: None, times: Vec::new(), is_out: false }
    }

    /// The same candidate, with a copy for the queries that has followed edits, each of which took `edit`.
    pub(super) fn changed(self, copy: Box<dyn Planner>, edit: Duration) -> Self {
        let scratch = copy.create_scratch();
        Self { unchanged: Some(self.planner), planner: copy, scratch, edit: Some(edit), ..self }
    }

    /// Answers a query, and returns how long it took.
    fn ask(&mut self, query: PathQuery, path: &mut Path) -> Duration {
        let clock = Instant::now();
        let found = self.planner.plan(&mut self.scratch, query, path);
        let time = clock.elapsed();
        debug_assert!(found == Ok(true), "{}: {found:?} from {} to {}", self.spec, query.start, query.goal);
        time
    }

    /// Answers the query at an index again.
    fn ask_again(&mut self, round: usize, place: usize, query: PathQuery, path: &mut Path) {
        if round < 2 || self.times[place] < ASK_AGAIN {
            self.times[place] = self.times[place].min(self.ask(query, path));
        }
    }

    fn total(&self) -> Duration {
        self.times.iter().sum()
    }

    fn measured(&self) -> Measured {
        let mut times = self.times.clone();
        order::sort(&mut times);
        Measured {
            build: self.build,
            index_bytes: self.planner.index_bytes() as u64,
            scratch_bytes: self.scratch.size_bytes() as u64,
            queries: times.len(),
            mean: self.total() / times.len().max(1) as u32,
            p99: super::percentile(&times, 99).unwrap_or_default(),
            on_edit: self.planner.on_edit(),
            edit: self.edit,
        }
    }
}

/// Lets all candidates answer queries, as many as the race needs, unless the build that it belongs to is cancelled.
pub(super) fn run(
    mut runners: Vec<Runner>,
    queries: &[PathQuery],
    needs: &Needs,
    build: &Build<'_>,
) -> Result<Vec<Finished>, BuildError> {
    let mut path = Path::new();
    for runner in &mut runners {
        // The first query of each candidate touches its memory for the first time.
        queries.first().map(|&query| runner.ask(query, &mut path));
    }
    let (mut size, mut asked) = (FIRST_HEAT, 0);
    while asked < queries.len() && size > 0 {
        build.check_cancelled()?;
        let heat = &queries[asked..queries.len().min(asked + size)];
        let mut running: Vec<&mut Runner> = runners.iter_mut().filter(|runner| !runner.is_out).collect();
        asked += run_heat(&mut running, heat, &mut path);
        drop_out(&mut runners, needs);
        size = next_size(&runners, 2 * size);
    }
    let finish = |runner: Runner| {
        let measured = runner.measured();
        Finished { spec: runner.spec, planner: runner.unchanged.unwrap_or(runner.planner), measured }
    };
    Ok(runners.into_iter().map(finish).collect())
}

/// Asks all candidates the queries of a heat, in turn. Returns the number of queries asked.
fn run_heat(running: &mut [&mut Runner], heat: &[PathQuery], path: &mut Path) -> usize {
    let first = running.first().map_or(0, |runner| runner.times.len());
    let mut asked = 0;
    for &query in heat {
        let mut cost = None;
        for runner in &mut *running {
            let time = runner.ask(query, path);
            runner.times.push(time);
            let (grid, of_all) = (path.cost().counts(), *cost.get_or_insert(path.cost()));
            debug_assert!(grid.is_none() || path.cost() == of_all, "{}: {} is not {of_all}", runner.spec, path.cost());
        }
        asked += 1;
        let slowest = running.iter().map(|runner| runner.times[first..].iter().sum()).max();
        if slowest > Some(if asked < FEW { LONG_HEAT } else { HEAT }) {
            break;
        }
    }
    for round in 1..ROUNDS {
        for (place, &query) in (first..).zip(&heat[..asked]) {
            for runner in &mut *running {
                runner.ask_again(round, place, query, path);
            }
        }
    }
    asked
}

/// The number of queries in the next heat: `most`, or as many as all remaining candidates have time for.
fn next_size(runners: &[Runner], most: usize) -> usize {
    let fits = |runner: &Runner| {
        let (total, queries) = (runner.total(), runner.times.len().max(1));
        let mean = total.as_nanos() as usize / queries;
        ENOUGH.saturating_sub(total).as_nanos() as usize / mean.max(1)
    };
    runners.iter().filter(|runner| !runner.is_out).map(fits).min().unwrap_or_default().min(most)
}

/// Removes the candidates that will not be chosen.
fn drop_out(runners: &mut [Runner], needs: &Needs) {
    let all: Vec<Measured> = runners.iter().map(Runner::measured).collect();
    let least = choice::finalists(&all).map(|(_, one)| choice::time(one, needs)).fold(f64::INFINITY, f64::min);
    let stay: Vec<usize> = choice::finalists(&all)
        .filter(|(_, one)| choice::time(one, needs) <= BEHIND * least)
        .map(|(place, _)| place)
        .collect();
    for (place, runner) in runners.iter_mut().enumerate() {
        runner.is_out |= !stay.contains(&place);
    }
}
