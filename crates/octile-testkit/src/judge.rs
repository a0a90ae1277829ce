//! The one judge of a planner's answer.

use octile::{Corner, Finder, Guarantee, Octile, Path, PathCost, Query};

use crate::oracle::Truth;

/// How far a length in `f64` may lie above the true one, as a part of it.
pub const TOLERANCE: f64 = 1e-9;

/// Judges what `finder` answered to `query`: found exactly if there is a path, legal, and as cheap as promised.
///
/// # Errors
/// What is wrong, in words.
pub fn judge(finder: &Finder, query: Query, found: bool, path: &Path, truth: &Truth) -> Result<(), String> {
    let context = |what: String| format!("{} from {} to {}: {what}", finder.name(), query.start, query.goal);
    let optimum = match (finder.guarantee(), finder.squeeze()) {
        (Guarantee::AnyAngle, Some(squeeze)) => truth.on_corners(query.goal, squeeze),
        _ => truth.on_cells(query.goal),
    };
    let Some(optimum) = optimum else {
        return if found {
            Err(context(format!("found a path of {}, but there is none", path.cost())))
        } else {
            Ok(())
        };
    };
    if !found {
        return Err(context(format!("found nothing, but there is a path of {optimum}")));
    }
    path.check(finder.grid(), query).map_err(|fault| context(fault.to_string()))?;
    if is_as_promised(finder, query, path.cost(), optimum) {
        return Ok(());
    }
    Err(context(format!("costs {}, the optimum is {optimum}", path.cost())))
}

/// Whether a path costs no more than the planner promises, and no less than is possible.
fn is_as_promised(finder: &Finder, query: Query, cost: PathCost, optimum: Octile) -> bool {
    let weight = finder.weight();
    match (finder.guarantee(), cost) {
        (Guarantee::GridOptimal, PathCost::Grid(cost)) => cost == optimum,
        (Guarantee::Bounded, PathCost::Grid(cost)) => cost >= optimum && cost.is_within(weight, optimum),
        (Guarantee::AnyAngle | Guarantee::Smoothed, PathCost::AnyAngle(length)) => {
            let shortest = Corner::of(query.start).distance(Corner::of(query.goal));
            let longest = optimum.length() * f64::from(weight.thousandths()) / 1000.0;
            (shortest * (1.0 - TOLERANCE)..=longest * (1.0 + TOLERANCE)).contains(&length)
        }
        _ => false,
    }
}

/// Asks and judges in one go. `truth` is that of the query's start.
///
/// # Errors
/// What is wrong, in words.
pub fn ask(finder: &mut Finder, query: Query, path: &mut Path, truth: &Truth) -> Result<(), String> {
    let found = finder.plan(query, path).map_err(|error| format!("{}: {error}", finder.name()))?;
    judge(finder, query, found, path, truth)
}
