//! Which planners are tried, and which of them can be built and fit the needs.

use std::time::{Duration, Instant};

use super::race::Runner;
use super::{Candidate, LeftOut, Needs, Outcome, sample};
use crate::algo::{IndexEffort, cpd};
use crate::error::BuildError;
use crate::grid::corners;
use crate::planner::{Guarantee, OnEdit};
use crate::{Edits, Finder, Grid, Movement, PlannerSpec, Squeeze};

// The first of each list has no index and follows edits: it is never left out.

/// Planners for grid paths, without corner cutting.
const ON_CELLS: [&str; 8] = [
    "jps",
    "corner-sweep",
    "corner-sweep:cache=on",
    "jump-graph",
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

/// Planners for any-angle paths.
const ON_CORNERS: [&str; 8] = [
    "theta-star",
    "lazy-theta-star",
    "block-astar:db=any-angle",
    "block-astar:db=any-angle,smooth=greedy",
    "jps:smooth=greedy",
    "corner-sweep:smooth=greedy",
    "jump-graph:smooth=greedy",
    "hub-labels:smooth=greedy",
];

/// An edit and its undoing are timed until this is used up.
const EDITING: Duration = Duration::from_millis(50);

/// How often they are timed at most.
const EDIT_ROUNDS: u32 = 3;

/// Those that are measured, and those that are left out.
pub(super) struct Built {
    pub(super) runners: Vec<Runner>,
    pub(super) left_out: Vec<Candidate>,
}

/// Builds the candidates for a map.
pub(super) fn build(grid: &Grid, needs: &Needs) -> Result<Built, BuildError> {
    let mut built = Built { runners: Vec::new(), left_out: Vec::new() };
    let squeezes = needs.any_angle && needs.squeeze == Squeeze::Allowed && corners::squeezing_connects(grid);
    for spec in specs(grid, needs)? {
        let unfit = unfit(&spec, needs, squeezes);
        match unfit.map_or_else(|| try_one(&spec, grid, needs), Err) {
            Ok(runner) => built.runners.push(runner),
            Err(reason) => built.left_out.push(Candidate { spec, outcome: Outcome::LeftOut(reason) }),
        }
    }
    Ok(built)
}

/// The planners that work under the map's movement rule.
fn specs(grid: &Grid, needs: &Needs) -> Result<Vec<PlannerSpec>, BuildError> {
    let all = match (needs.any_angle, grid.movement()) {
        (true, _) => &ON_CORNERS[..],
        (false, Movement::Octile) => &ON_CELLS,
        (false, _) => &UNDER_OTHER_RULES,
    };
    let mut specs = Vec::new();
    for spec in all {
        let spec: PlannerSpec = with_squeeze(spec, needs).parse()?;
        if spec.movements().contains(&grid.movement()) {
            specs.push(spec);
        }
    }
    Ok(specs)
}

/// The spec with the rule of any-angle paths, if that is not the usual one.
fn with_squeeze(spec: &str, needs: &Needs) -> String {
    if !needs.any_angle || needs.squeeze == Squeeze::default() {
        return spec.to_owned();
    }
    format!("{spec}{}squeeze={}", if spec.contains(':') { ',' } else { ':' }, needs.squeeze)
}

/// Why a planner does not fit, if that is known before it is built. `squeezes` says whether squeezing connects cells that are not
/// connected without.
fn unfit(spec: &PlannerSpec, needs: &Needs, squeezes: bool) -> Option<LeftOut> {
    if squeezes && spec.guarantee() == Guarantee::Smoothed {
        return Some(LeftOut::CannotSqueeze);
    }
    if !needs.changes {
        return None;
    }
    if spec.index_kinds().contains(&cpd::KIND) {
        return Some(LeftOut::GoesStale);
    }
    // An index that takes long is not built to be told that it refuses: one for a single cell says so too.
    let takes_long = matches!(spec.entry().index, IndexEffort::Corners | IndexEffort::AllPairs);
    let refuses = |finder: &Finder| finder.on_edit() == OnEdit::Rebuild;
    let refuses =
        takes_long && Grid::open(1, 1).is_ok_and(|cell| spec.build(&cell).is_ok_and(|finder| refuses(&finder)));
    refuses.then_some(LeftOut::RefusesEdits)
}

/// Builds a planner and, if the map changes, lets it follow edits.
fn try_one(spec: &PlannerSpec, grid: &Grid, needs: &Needs) -> Result<Runner, LeftOut> {
    let clock = Instant::now();
    let finder = spec.build_briefly(grid)?;
    let build = clock.elapsed();
    let index_bytes = finder.index_bytes() as u64;
    if let Some(most) = needs.memory_bytes.filter(|&most| index_bytes > most) {
        return Err(LeftOut::OverMemory { index_bytes, most });
    }
    let edit = needs.changes.then(|| time_edit(&finder, &sample::edits(grid))).transpose()?;
    Ok(Runner::new(spec.clone(), finder, build, edit))
}

/// How long a planner takes to follow an edit: the best of some, on a copy.
fn time_edit(finder: &Finder, edits: &[Edits; 2]) -> Result<Duration, LeftOut> {
    let mut finder = finder.fork();
    let clock = Instant::now();
    let mut best = Duration::MAX;
    // The first edit also pays for the copy.
    for _ in 0..=EDIT_ROUNDS {
        let both = Instant::now();
        for edit in edits {
            finder.apply(edit).map_err(|_| LeftOut::RefusesEdits)?;
        }
        best = best.min(both.elapsed() / 2);
        if clock.elapsed() > EDITING {
            break;
        }
    }
    Ok(best)
}
