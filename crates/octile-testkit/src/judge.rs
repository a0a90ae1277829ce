//! The one judge of a planner's answer.

use octile::{Finder, Guarantee, Octile, Path, Query};

/// Judges what `finder` answered to `query`: found exactly if `optimum` is there, legal, and as cheap as promised.
///
/// # Errors
/// What is wrong, in words.
pub fn judge(finder: &Finder, query: Query, found: bool, path: &Path, optimum: Option<Octile>) -> Result<(), String> {
    let context = |what: String| format!("{} from {} to {}: {what}", finder.name(), query.start, query.goal);
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
    let cheap_enough = match finder.guarantee() {
        Guarantee::GridOptimal => path.cost() == optimum,
        Guarantee::Bounded => path.cost() >= optimum && path.cost().is_within(finder.weight(), optimum),
        other => return Err(context(format!("the judge does not know the guarantee {other:?}"))),
    };
    if cheap_enough { Ok(()) } else { Err(context(format!("costs {}, the optimum is {optimum}", path.cost()))) }
}

/// Asks and judges in one go.
///
/// # Errors
/// What is wrong, in words.
pub fn ask(finder: &mut Finder, query: Query, path: &mut Path, optimum: Option<Octile>) -> Result<(), String> {
    let found = finder.plan(query, path).map_err(|error| format!("{}: {error}", finder.name()))?;
    judge(finder, query, found, path, optimum)
}
