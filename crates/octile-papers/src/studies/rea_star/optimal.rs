//! Whether every path of the paper's search is a shortest one, as the text says of all its problems; and the lists and
//! lengths of Table 5 over the same problems, which are many more than can be timed.

use anyhow::Result;
use octile::{Output, PlannerSpec};
use octile_cli::harness::indexes::IndexFiles;
use octile_cli::harness::race::{Course, Race, Tally};
use serde::{Deserialize, Serialize};

use super::settings::PAPERS;
use crate::benchmarks::{Set, Source};
use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Row, Table};
use crate::plan::{Cost, Plan, Work};
use crate::races::{self, BASELINE};
use crate::session::Session;

/// How many problems of a map in the quick mode.
const PROBLEMS: usize = 20;

/// The answers of A\* and of the paper's search on maps of a set.
pub(super) struct Checked {
    pub(super) set: Set,
    maps: usize,
    /// All problems that there are.
    problems: usize,
    pub(super) asked: usize,
    optimal: usize,
    /// The work of both.
    tallies: [Tally; 2],
}

impl Checked {
    /// The work of one of the two.
    pub(super) fn tally(&self, planner: &str) -> Option<&Tally> {
        self.tallies.get(PLANNERS.iter().position(|known| *known == planner)?)
    }
}

/// The first judges the second.
const PLANNERS: [&str; 2] = [BASELINE, PAPERS];

/// Those on one map.
#[derive(Deserialize, Serialize)]
struct OfMap {
    asked: usize,
    /// Wrong answers, of either planner, in words.
    wrong: Vec<String>,
    /// How many of them are of the paper's search.
    not_optimal: usize,
    tallies: [Tally; 2],
}

/// What the comparison takes of a full run.
pub(super) fn work(plan: &Plan, set: &Set) -> Work {
    let (minutes, problem_ms) = match set {
        Set::Dao => (3.0, 5.0),
        Set::Bg512 => (2.0, 4.0),
        Set::Room(_) => (0.5, 10.0),
        _ => (1.0, 20.0),
    };
    plan.work(format!("optimal/{set}"), &races::chosen(plan, set), Cost { minutes, problem_ms, map_ms: 50.0 })
}

/// How many steps a set takes.
pub(super) fn steps(plan: &Plan, set: &Set) -> Result<u64> {
    Ok(races::chosen(plan, set).len() as u64 * race(plan)?.steps_per_course())
}

/// Compares answers with the optimal cost on all maps of a set.
pub(super) fn check(plan: &Plan, session: &mut Session, set: &Set) -> Result<Checked> {
    let (sources, every) = (races::chosen(plan, set), work(plan, set).every);
    let problems = sources.iter().map(|source| source.problems()).sum();
    let mut checked = Checked {
        set: set.clone(),
        maps: sources.len(),
        problems,
        asked: 0,
        optimal: 0,
        tallies: [Tally::default(); 2],
    };
    for source in sources {
        let OfMap { asked, wrong, not_optimal, tallies } = check_map(plan, session, source, every)?;
        session.count_checked(2 * asked);
        session.complain(&wrong);
        checked.asked += asked;
        checked.optimal += asked - not_optimal;
        checked.tallies.iter_mut().zip(&tallies).for_each(|(sum, tally)| sum.add(tally));
    }
    Ok(checked)
}

fn check_map(plan: &Plan, session: &mut Session, source: &Source, every: usize) -> Result<OfMap> {
    let steps = race(plan)?.steps_per_course();
    session.unit(&format!("rea-star/optimal/{}/{}", source.set, source.name), steps, |bar| {
        let (grid, tasks) = source.load()?;
        let tasks = plan.sample(tasks, PROBLEMS, every);
        let asked = tasks.len();
        let course =
            Course { name: source.name.clone(), grid, tasks, indexes: IndexFiles::default(), answers_known: true };
        let mut race = race(plan)?;
        race.run(&course, bar)?;
        let wrong = race.wrong.iter().map(ToString::to_string).collect();
        let not_optimal = race.wrong.iter().filter(|wrong| wrong.planner == PAPERS).count();
        let tallies = [0, 1].map(|entrant| race.entrants[entrant].tally);
        Ok(OfMap { asked, wrong, not_optimal, tallies })
    })
}

/// Nobody is timed: the race asks each planner every problem once, and judges the answers.
fn race(plan: &Plan) -> Result<Race> {
    let specs = PLANNERS.into_iter().map(|spec| Ok(plan.catalog.parse(spec)?));
    Ok(Race::new(specs.collect::<Result<Vec<PlannerSpec>>>()?, Output::Waypoints, 0))
}

/// How many of the answers are optimal, set by set.
pub(super) fn exhibit(checked: &[Checked], paper: usize) -> Exhibit {
    let mut table = Table::new()
        .text("maps")
        .number("number", 0)
        .number("problems asked", 0)
        .number("of", 0)
        .number("optimal answers", 0);
    for Checked { set, maps, problems, asked, optimal, .. } in checked {
        let numbers = [maps, asked, problems, optimal].map(|&number| number as f64);
        table.push(Row::new().text(set.name()).numbers(numbers));
    }
    let [asked, optimal] = totals(checked);
    Exhibit::new("Optimality", "Whether all answers are optimal")
        .caption(format!(
            "Every answer of `{PAPERS}` is checked move by move, and its exact cost is compared with that of `{BASELINE}` and with the length \
             in the scenario file: {optimal} of {asked} are optimal. The paper says so of all its {paper} problems; `--every 1` asks them all."
        ))
        .table(table)
}

fn totals(checked: &[Checked]) -> [usize; 2] {
    [checked.iter().map(|of| of.asked).sum(), checked.iter().map(|of| of.optimal).sum()]
}

/// The paper's claim: of all problems if all were asked, and of those that were.
pub(super) fn findings(checked: &[Checked], paper: usize) -> Vec<Finding> {
    let [asked, optimal] = totals(checked);
    let all = (asked == paper).then_some(optimal as f64);
    let finding = |what: &str, says: f64, ours: Option<f64>| {
        Finding::new(("optimality", "", what), Says::Equal(says), ours).by(PAPERS)
    };
    vec![
        finding("optimal answers to all problems", paper as f64, all),
        finding("answers that are not optimal", 0.0, (asked > 0).then(|| (asked - optimal) as f64)),
    ]
}
