//! Which planners are tried, and which of them can be built and fit the needs.

use std::time::Duration;

use web_time::Instant;

use super::race::Runner;
use super::{Candidate, LeftOut, Needs, Outcome, sample};
use crate::catalog::PlannerSpec;
use crate::grid::{Edits, Grid, Movement};
use crate::planner::{Budget, Build, BuildError, IndexEffort, Indexes, OnEdit, Planner};

// The first of each list has no index and follows edits: it is never left out.

/// Planners for grid paths, without corner cutting.
const ON_CELLS: [&str; 10] = [
    "jps",
    "corner-sweep",
    "corner-sweep:cache=on",
    "jump-graph",
    "core-search",
    "core-table",
    "hub-labels",
    "cpd",
    "block-astar",
    "astar:open=buckets",
];

/// Planners for grid paths under other rules; which of them each works under it knows itself.
const UNDER_OTHER_RULES: [&str; 5] = [
    "astar:open=buckets",
    "astar:open=buckets,prune=gates",
    "astar:open=buckets,prune=blocked-areas",
    "block-astar:db=tile",
    "cpd",
];

/// Planners for any-angle paths. All of them give shortest ones.
const ON_CORNERS: [&str; 3] = ["taut-sight", "taut-graph", "taut-labels"];

/// Planners for maps with prices.
const OVER_TERRAIN: [&str; 3] = ["astar", "terrain-jump", "dijkstra"];

/// Databases with a row for every cell pay only where they are soon built.
const ALL_PAIRS_STEPS: u64 = 20_000_000;

/// Those that are measured, and those that are left out.
pub(super) struct Built {
    pub(super) runners: Vec<Runner>,
    pub(super) left_out: Vec<Candidate>,
}

/// Builds the candidates for the map of a build, unless that is cancelled.
pub(super) fn build(build: &Build<'_>, needs: &Needs) -> Result<Built, BuildError> {
    let mut built = Built { runners: Vec::new(), left_out: Vec::new() };
    for spec in specs(build.grid(), needs)? {
        build.check_cancelled()?;
        match unfit(&spec, needs).map_or_else(|| try_one(&spec, build, needs), Err) {
            Ok(runner) => built.runners.push(runner),
            Err(reason) => built.left_out.push(Candidate { spec, outcome: Outcome::LeftOut(reason) }),
        }
    }
    build.check_cancelled()?;
    Ok(built)
}

/// The planners that work under the map's movement rule, and with its prices if it has some.
fn specs(grid: &Grid, needs: &Needs) -> Result<Vec<PlannerSpec>, BuildError> {
    let all = match (needs.any_angle, grid.movement()) {
        (true, _) => &ON_CORNERS[..],
        (false, _) if grid.convention().is_some() => &OVER_TERRAIN,
        (false, Movement::Octile) => &ON_CELLS,
        (false, _) => &UNDER_OTHER_RULES,
    };
    let mut specs = Vec::new();
    for spec in all {
        let spec: PlannerSpec = with_lines(spec, needs).parse()?;
        if spec.movements().contains(&grid.movement()) {
            specs.push(spec);
        }
    }
    Ok(specs)
}

/// The spec with the rule and the ends of any-angle paths, where these are not the usual ones.
fn with_lines(spec: &str, needs: &Needs) -> String {
    let mut spec = spec.to_owned();
    for key in needs.lines().iter().filter(|_| needs.any_angle) {
        spec.push(if spec.contains(':') { ',' } else { ':' });
        spec.push_str(key);
    }
    spec
}

/// Why a planner does not fit, if that is known before it is built.
fn unfit(spec: &PlannerSpec, needs: &Needs) -> Option<LeftOut> {
    match spec.on_edit() {
        OnEdit::Refuses if needs.changes.is_some() => Some(LeftOut::RefusesEdits),
        _ => None,
    }
}

/// How much a candidate may take to build.
fn budget(spec: &PlannerSpec) -> Budget {
    match spec.about().index {
        IndexEffort::AllPairs => Budget::BRIEF.steps(ALL_PAIRS_STEPS),
        _ => Budget::BRIEF,
    }
}

/// Builds a planner and, if the map changes, lets it follow edits.
fn try_one(spec: &PlannerSpec, build: &Build<'_>, needs: &Needs) -> Result<Runner, LeftOut> {
    let grid = build.grid();
    let clock = Instant::now();
    let planner = spec.build_from(&build.clone().with(Indexes::default()).within(budget(spec)))?;
    let build = clock.elapsed();
    let Some(rate) = needs.changes else { return Ok(Runner::new(spec.clone(), planner, build)) };
    let (changed, edit) = changed(&*planner, &sample::changes(grid, rate))?;
    Ok(Runner::new(spec.clone(), planner, build).changed(changed, edit))
}

/// A copy of a planner that has followed changes, and how long one takes on average.
fn changed(planner: &(dyn Planner + 'static), changes: &[Edits]) -> Result<(Box<dyn Planner>, Duration), LeftOut> {
    let mut planner = dyn_clone::clone_box(planner);
    let mut clock = Instant::now();
    for (number, change) in changes.iter().enumerate() {
        planner.apply(change).map_err(|_| LeftOut::RefusesEdits)?;
        if number == 0 {
            // The first also pays for the copy.
            clock = Instant::now();
        }
    }
    Ok((planner, clock.elapsed() / changes.len().saturating_sub(1).max(1) as u32))
}
