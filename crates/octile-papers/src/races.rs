//! The one race that several sections speak of: every planner there is, and peers, on every set of maps.

use anyhow::Result;
use octile::planner::Entry;
use octile::planner::IndexEffort;
use octile::{Catalog, Grid, Output, PlannerSpec};
use octile_cli::harness::engine::Engine;
use octile_cli::harness::indexes::IndexFiles;
use octile_cli::harness::race::{Course, Race};

use crate::benchmarks::{Set, Source};
use crate::laps::Lap;
use crate::peers::PEERS;
use crate::plan::{Cost, Plan, Work};
use crate::session::Session;

/// All others are compared with it.
pub(super) const BASELINE: &str = "astar";

/// Planners in the order of tables, the baseline first. Those of any angle may not squeeze between obstacles that
/// touch: grid paths may not either, and lengths are compared.
const CHOSEN: [&str; 24] = [
    BASELINE,
    "astar:open=buckets",
    "astar:prune=blocked-areas+gates",
    "dijkstra",
    "weighted-astar:weight=1.5",
    "jps",
    "jps:prune=gates",
    "corner-sweep",
    "corner-sweep:cache=on",
    "jump-graph",
    "core-search",
    "core-table",
    "hub-labels",
    "cpd",
    "rea-star",
    "rea-star:fronts=cells",
    "block-astar",
    "astar:on=corners,squeeze=forbidden",
    "theta-star:squeeze=forbidden",
    "lazy-theta-star:squeeze=forbidden",
    "block-astar:db=any-angle,squeeze=forbidden",
    "taut-sight:squeeze=forbidden",
    "taut-graph:squeeze=forbidden",
    "taut-labels:squeeze=forbidden",
];

/// Every planner: those chosen, then what else the catalog has. (`auto` is one of the others.)
pub(super) fn planners(catalog: &Catalog) -> Vec<&'static str> {
    let is_chosen = |name: &str| CHOSEN.iter().any(|spec| spec.split(':').next() == Some(name));
    let is_other = |entry: &&Entry| entry.name() != "auto" && !is_chosen(entry.name());
    let others = catalog.planners().iter().filter(is_other);
    CHOSEN.into_iter().chain(others.filter_map(|entry| catalog.specs(entry).first().copied())).collect()
}

/// How many maps of a game are run in the quick mode, and how many of each kind of other maps.
const QUICK_MAPS: [usize; 2] = [4, 1];
/// How many problems of a map in the quick mode.
const PROBLEMS: usize = 8;
/// Maps with more free cells have no compressed path database, in the quick mode and in full.
const MOST_CELLS: (u32, u32) = (3000, 20_000);

/// The maps of a set that are run.
pub(super) fn chosen<'a>(plan: &'a Plan, set: &Set) -> Vec<&'a Source> {
    let [games, others] = QUICK_MAPS;
    let is_made = matches!(set, Set::Room(_) | Set::Maze(_) | Set::Random(_));
    plan.chosen(set, if is_made { others } else { games })
}

/// What the race on a set takes of a full run.
pub(super) fn work(plan: &Plan, set: &Set) -> Work {
    plan.work(format!("race/{set}"), &chosen(plan, set), cost(set))
}

/// Some 35 planners, in four rounds with the one that is judged, by the kind of map.
fn cost(set: &Set) -> Cost {
    let (minutes, problem_ms, map_ms) = match set {
        Set::Dao => (9.0, 90.0, 800.0),
        Set::Bg512 => (5.0, 50.0, 400.0),
        Set::Room(_) => (1.5, 300.0, 800.0),
        Set::Maze(_) => (1.5, 500.0, 800.0),
        Set::Random(_) => (0.7, 200.0, 500.0),
        _ => (2.0, 250.0, 1000.0),
    };
    Cost { minutes, problem_ms, map_ms }
}

/// How the problems of some sets are chosen, in words.
pub(super) fn sampled<'a>(plan: &Plan, sets: impl IntoIterator<Item = &'a Set>) -> String {
    sampled_by(plan, PROBLEMS, sets, |set| work(plan, set).every)
}

/// The same of another race: `problems` of each map in the quick mode, every Nth of a set's in a full run.
pub(super) fn sampled_by<'a>(
    plan: &Plan,
    problems: usize,
    sets: impl IntoIterator<Item = &'a Set>,
    every: impl Fn(&Set) -> usize,
) -> String {
    if !plan.full || plan.every.is_some() {
        return plan.sampled(problems, 1);
    }
    let chosen = sets.into_iter().map(|set| (set.to_string(), plan.sampled(problems, every(set))));
    let chosen: Vec<(String, String)> = chosen.collect();
    match &chosen[..] {
        [] => String::new(),
        [(_, first), others @ ..] if others.iter().all(|(_, other)| other == first) => first.clone(),
        all => all.iter().map(|(set, sampled)| format!("{sampled} of {set}")).collect::<Vec<_>>().join(", "),
    }
}

/// The sets of the race that are at hand. (Baldur's Gate runs in the size of all others.)
pub(super) fn sets(plan: &Plan) -> Vec<&Set> {
    plan.maps.sets().filter(|&set| *set != Set::BgMaps && !chosen(plan, set).is_empty()).collect()
}

/// How many steps the laps of a set take.
pub(super) fn steps(plan: &Plan, set: &Set) -> Result<u64> {
    Ok(chosen(plan, set).len() as u64 * race(plan, engines(plan)?).steps_per_course())
}

/// The laps of a set, one for each map.
pub(super) fn laps(plan: &Plan, session: &mut Session, set: &Set) -> Result<Vec<Lap>> {
    let every = work(plan, set).every;
    chosen(plan, set).into_iter().map(|source| lap(plan, session, source, every)).collect()
}

fn lap(plan: &Plan, session: &mut Session, source: &Source, every: usize) -> Result<Lap> {
    let steps = race(plan, engines(plan)?).steps_per_course();
    let lap = session.unit(&format!("race/{}/{}", source.set, source.name), steps, |bar| {
        let (grid, tasks) = source.load()?;
        let tasks = plan.sample(tasks, PROBLEMS, every);
        let (engines, left_out) = can_run(plan, &source.set, &grid)?;
        let course =
            Course { name: source.name.clone(), grid, tasks, indexes: IndexFiles::default(), answers_known: true };
        let mut lap = Lap::run(race(plan, engines), &course, bar)?;
        lap.refused.extend(left_out);
        Ok(lap)
    })?;
    session.count_lap(&lap);
    Ok(lap)
}

/// All that may take part. Variants of peers do in full only: they take long.
fn engines(plan: &Plan) -> Result<Vec<Engine>> {
    let planners = planners(&plan.catalog).into_iter().map(|spec| Ok(Engine::Planner(plan.catalog.parse(spec)?)));
    let peers = PEERS.iter().map(Engine::Peer).filter(|peer| plan.full || peer.to_string() != "peer/pathfinding-moves");
    planners.chain(peers.map(Ok)).collect()
}

/// An engine that does not run on a map, and why.
type LeftOut = (String, String);

/// Those that can run on a map in the time there is, and the others.
fn can_run(plan: &Plan, set: &Set, grid: &Grid) -> Result<(Vec<Engine>, Vec<LeftOut>)> {
    let most = plan.quick_or_full(MOST_CELLS.0, MOST_CELLS.1);
    let reason = |spec: &PlannerSpec| match spec.about().index {
        IndexEffort::AllPairs if grid.free_cells() > most => {
            Some(format!("not run: the map has more than {most} free cells"))
        }
        IndexEffort::Corners if matches!(set, Set::Random(_)) => {
            Some("not run: random obstacles do not suit it".to_owned())
        }
        _ => None,
    };
    let (mut running, mut left_out) = (Vec::new(), Vec::new());
    for engine in engines(plan)? {
        match engine.spec().and_then(reason) {
            Some(reason) => left_out.push((engine.to_string(), reason)),
            None => running.push(engine),
        }
    }
    Ok((running, left_out))
}

/// All are timed in as many rounds, peers too: the best of more rounds would be an advantage.
fn race(plan: &Plan, engines: Vec<Engine>) -> Race {
    let mut race = Race::new(Vec::new(), Output::Waypoints, plan.rounds);
    for engine in engines {
        race.enter_engine(engine, plan.rounds);
    }
    race.let_retire(plan.catalog.clone());
    race
}

#[cfg(test)]
mod tests {
    use octile::grid::Squeeze;

    use super::*;

    #[test]
    fn every_planner_takes_part() {
        let catalog = Catalog::standard();
        let planners = planners(&catalog);
        for name in catalog.planners().iter().map(Entry::name).filter(|name| *name != "auto") {
            let runs = |spec: &&str| spec.parse::<PlannerSpec>().unwrap().about().name == name;
            assert!(planners.iter().any(runs), "{name} does not take part");
        }
        assert!(planners.starts_with(&CHOSEN));
    }

    #[test]
    fn lengths_are_compared_under_one_rule() {
        let grid: Grid = "...\n.@.\n..@".parse().unwrap();
        for planner in planners(&Catalog::standard()) {
            let squeeze = planner.parse::<PlannerSpec>().unwrap().build(&grid).unwrap().squeeze();
            assert_ne!(squeeze, Some(Squeeze::Allowed), "{planner} goes where grid paths may not");
        }
    }
}
