//! The candidates: which planners are tried, and which of them can be built and meet the needs.

use std::time::Duration;

use web_time::Instant;

use super::race::Runner;
use super::{Candidate, LeftOut, Needs, Outcome, sample};
use crate::catalog::PlannerSpec;
use crate::grid::{Edits, Grid, Movement};
use crate::planner::{Budget, Build, BuildError, IndexEffort, Indexes, OnEdit, Planner};

// The first planner of each list has no index and follows edits: it is never left out.

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

/// Planners for grid paths under other movement rules; each planner itself knows which rules it supports.
const UNDER_OTHER_RULES: [&str; 5] = [
    "astar:open=buckets",
    "astar:open=buckets,prune=gates",
    "astar:open=buckets,prune=blocked-areas",
    "block-astar:db=tile",
    "cpd",
];

/// Planners for any-angle paths. All of them find shortest paths.
const ON_CORNERS: [&str; 3] = ["taut-sight", "taut-graph", "taut-labels"];

/// Planners for maps with terrain costs.
const OVER_TERRAIN: [&str; 3] = ["astar", "terrain-jump", "dijkstra"];

/// Databases with a row for every cell pay off only if they are quick to build.
const ALL_PAIRS_STEPS: u64 = 20_000_000;

/// The candidates to measure, and those that are left out.
pub(super) struct Built {
    pub(super) runners: Vec<Runner>,
    pub(super) left_out: Vec<Candidate>,
}

/// Builds the candidates for the map of a build, unless it is cancelled.
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

/// The planners that support the map's movement rule, and its terrain costs if it has some.
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

/// The spec with the squeeze rule and the endpoints of any-angle paths, where they differ from the default.
fn with_lines(spec: &str, needs: &Needs) -> String {
    let mut spec = spec.to_owned();
    for key in needs.lines().iter().filter(|_| needs.any_angle) {
        spec.push(if spec.contains(':') { ',' } else { ':' });
        spec.push_str(key);
    }
    spec
}

/// Why a planner does not meet the needs, if that is known before it is built.
fn unfit(spec: &PlannerSpec, needs: &Needs) -> Option<LeftOut> {
    match spec.on_edit() {
        OnEdit::Refuses if needs.changes.is_some() => Some(LeftOut::RefusesEdits),
        _ => None,
    }
}

/// The budget for building a candidate.
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

/// A copy of a planner that has followed edits, and the mean time of an edit.
fn changed(planner: &(dyn Planner + 'static), changes: &[Edits]) -> Result<(Box<dyn Planner>, Duration), LeftOut> {
    let mut planner = dyn_clone::clone_box(planner);
    let mut clock = Instant::now();
    for (number, change) in changes.iter().enumerate() {
        planner.apply(change).map_err(|_| LeftOut::RefusesEdits)?;
        if number == 0 {
            // The first edit also pays for the copy.
            clock = Instant::now();
        }
    }
    Ok((planner, clock.elapsed() / changes.len().saturating_sub(1).max(1) as u32))
}
