//! The race of Table 5: the paper's search with and without the enhancements of its section 6, beside A\* and ours.

use anyhow::Result;
use octile::{Output, PlannerSpec};
use octile_cli::harness::indexes::IndexFiles;
use octile_cli::harness::race::{Course, Race};

use crate::benchmarks::{Set, Source};
use crate::laps::Lap;
use crate::plan::{Cost, Plan, Work};
use crate::races::{self, BASELINE};
use crate::session::Session;

/// The paper's search without its section 6.
pub(super) const PLAIN: &str = "rea-star:fronts=cells,rescan=allow,semi-closed=search";

/// The paper's search with all of its section 6: Table 5 is compared with this one.
pub(super) const PAPERS: &str = "rea-star:fronts=cells,rescan=cut-stop,origin=cross,swap=on,semi-closed=expand";

/// The search by roots, which is ours.
pub(super) const ROOTS: &str = "rea-star";

/// What races, with what each has of the paper's section 6.
pub(super) const SETTINGS: [(&str, &str); 11] = [
    (BASELINE, "A*"),
    (PLAIN, "none of section 6"),
    ("rea-star:fronts=cells,rescan=whole-stop,semi-closed=search", "6.1: rectangles stop"),
    ("rea-star:fronts=cells,rescan=cut,semi-closed=search", "6.1: shorter nodes"),
    ("rea-star:fronts=cells,rescan=allow,origin=cross,semi-closed=search", "6.2: cross"),
    ("rea-star:fronts=cells,rescan=allow,swap=on,semi-closed=search", "6.2: swap"),
    ("rea-star:fronts=cells,rescan=allow,semi-closed=expand", "6.3"),
    ("rea-star:fronts=cells,rescan=cut-stop,origin=cross,swap=on,semi-closed=search", "6.1 and 6.2"),
    (PAPERS, "all of section 6"),
    ("rea-star:fronts=cells", "our defaults"),
    (ROOTS, "ours, by roots"),
];

/// How many problems of a map in the quick mode.
const PROBLEMS: usize = 8;

/// What the race on a set takes of a full run.
pub(super) fn work(plan: &Plan, set: &Set) -> Work {
    let (minutes, problem_ms) = match set {
        Set::Dao => (2.0, 40.0),
        Set::Bg512 => (1.5, 25.0),
        Set::Room(_) => (0.5, 100.0),
        _ => (0.5, 200.0),
    };
    let cost = Cost { minutes, problem_ms, map_ms: 100.0 };
    plan.work(format!("settings/{set}"), &races::chosen(plan, set), cost)
}

/// How many steps the laps of a set take.
pub(super) fn steps(plan: &Plan, set: &Set) -> Result<u64> {
    Ok(races::chosen(plan, set).len() as u64 * race(plan)?.steps_per_course())
}

/// The laps of a set, one for each map.
pub(super) fn laps(plan: &Plan, session: &mut Session, set: &Set) -> Result<Vec<Lap>> {
    let every = work(plan, set).every;
    races::chosen(plan, set).into_iter().map(|source| lap(plan, session, source, every)).collect()
}

fn lap(plan: &Plan, session: &mut Session, source: &Source, every: usize) -> Result<Lap> {
    let steps = race(plan)?.steps_per_course();
    let lap = session.unit(&format!("rea-star/settings/{}/{}", source.set, source.name), steps, |bar| {
        let (grid, tasks) = source.load()?;
        let tasks = plan.sample(tasks, PROBLEMS, every);
        let course =
            Course { name: source.name.clone(), grid, tasks, indexes: IndexFiles::default(), answers_known: true };
        Lap::run(race(plan)?, &course, bar)
    })?;
    session.count_lap(&lap);
    Ok(lap)
}

fn race(plan: &Plan) -> Result<Race> {
    let specs = SETTINGS.iter().map(|(spec, _)| Ok(plan.catalog.parse(spec)?)).collect::<Result<Vec<PlannerSpec>>>()?;
    Ok(Race::new(specs, Output::Waypoints, plan.rounds))
}

/// Which problems are asked, in words.
pub(super) fn sampled<'a>(plan: &Plan, sets: impl IntoIterator<Item = &'a Set>) -> String {
    races::sampled_by(plan, PROBLEMS, sets, |set| work(plan, set).every)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_a_spec_as_it_is_printed() {
        for (spec, _) in SETTINGS {
            assert_eq!(spec.parse::<PlannerSpec>().unwrap().to_string(), spec);
        }
    }
}
