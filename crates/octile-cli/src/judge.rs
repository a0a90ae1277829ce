//! Whether an answer is right: legal, as long as the scenario file says, and as good as the planner promises.

use std::fmt;

use octile::movingai::scen::{Problem, TOLERANCE};
use octile::{Finder, Grid, Guarantee, Octile, Output, Path, PathFault, Query, Weight};

/// A planner's promise about the cost of its paths.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Promise {
    /// At most this many times the optimum; 1 is optimal.
    Within(Weight),
    /// None.
    Legal,
}

impl Promise {
    pub(crate) fn of(finder: &Finder) -> Self {
        match finder.guarantee() {
            Guarantee::GridOptimal => Self::Within(Weight::ONE),
            Guarantee::Bounded => Self::Within(finder.weight()),
            _ => Self::Legal,
        }
    }
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The path is not legal.
    Illegal(PathFault),
    /// Cells were asked for, and some are missing.
    MissingCells,
    /// A path exists and was not found.
    NotFound,
    /// The scenario file says that there is no path.
    NotExpected,
    /// The length is not that of the scenario file, or not within the weight of it.
    Length { expected: f64, found: f64 },
    /// Another planner found a path so short that this one breaks the promise.
    TooLong { best: Octile, found: Octile },
    /// A timed round answered differently from the checked one.
    Changed { checked: Option<Octile>, timed: Option<Octile> },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |cost: &Option<Octile>| cost.map_or_else(|| "no path".to_owned(), |cost| cost.to_string());
        match self {
            Self::Illegal(fault) => fault.fmt(f),
            Self::MissingCells => f.write_str("every cell was asked for, but the path leaves some out"),
            Self::NotFound => f.write_str("no path found where one exists"),
            Self::NotExpected => f.write_str("a path found where the scenario file says there is none"),
            Self::Length { expected, found } => write!(f, "expected length {expected}, found {found:.5}"),
            Self::TooLong { best, found } => write!(f, "found cost {found}, but {best} is possible"),
            Self::Changed { checked, timed } => {
                write!(f, "answered {} when checked and {} when timed", or_none(checked), or_none(timed))
            }
        }
    }
}

/// Judges the moves of an answer, if there is one.
pub(crate) fn moves(grid: &Grid, query: Query, path: Option<&Path>) -> Result<(), Fault> {
    let Some(path) = path else { return Ok(()) };
    path.check(grid, query).map_err(Fault::Illegal)?;
    if query.output == Output::Cells && path.points().len() as u64 != path.cost().moves() + 1 {
        return Err(Fault::MissingCells);
    }
    Ok(())
}

/// Judges an answer by the scenario file: whether there is a path and, if `lengths` are those of the rule in force, how
/// long it is.
pub(crate) fn by_file(problem: &Problem, promise: Promise, lengths: bool, cost: Option<Octile>) -> Result<(), Fault> {
    let Some(cost) = cost else { return problem.optimum().map_or(Ok(()), |_| Err(Fault::NotFound)) };
    let Some(expected) = problem.optimum() else { return Err(Fault::NotExpected) };
    let agrees = match promise {
        Promise::Legal => true,
        Promise::Within(Weight::ONE) => problem.agrees(Some(cost)),
        Promise::Within(weight) => {
            let longest = (expected + TOLERANCE) * f64::from(weight.thousandths()) / 1000.0;
            (expected - TOLERANCE..=longest).contains(&cost.length())
        }
    };
    if agrees || !lengths { Ok(()) } else { Err(Fault::Length { expected, found: cost.length() }) }
}

/// Judges an answer by the best that any planner found.
pub(crate) fn by_best(best: Option<Octile>, promise: Promise, cost: Option<Octile>) -> Result<(), Fault> {
    match (best, cost, promise) {
        (Some(_), None, _) => Err(Fault::NotFound),
        (Some(best), Some(found), Promise::Within(weight)) if !found.is_within(weight, best) => {
            Err(Fault::TooLong { best, found })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use octile::Cell;

    use super::*;

    fn problem(length: f64) -> Problem {
        Problem {
            bucket: 0,
            map: "a.map".to_owned(),
            width: 9,
            height: 9,
            start: Cell::new(0, 0),
            goal: Cell::new(8, 0),
            length,
        }
    }

    const OPTIMAL: Promise = Promise::Within(Weight::ONE);

    #[test]
    fn lengths_are_compared_only_if_they_belong_to_the_rule() {
        let longer = Some(Octile::new(9, 0));
        assert!(by_file(&problem(8.0), OPTIMAL, true, Some(Octile::new(8, 0))).is_ok());
        assert_eq!(by_file(&problem(8.0), OPTIMAL, true, longer), Err(Fault::Length { expected: 8.0, found: 9.0 }));
        assert!(by_file(&problem(8.0), OPTIMAL, false, longer).is_ok());
    }

    #[test]
    fn bounded_answers_lie_between_the_optimum_and_its_multiple() {
        let promise = Promise::Within("1.5".parse().unwrap());
        for (found, right) in [(7, false), (8, true), (12, true), (13, false)] {
            assert_eq!(by_file(&problem(8.0), promise, true, Some(Octile::new(found, 0))).is_ok(), right, "{found}");
            let best = Some(Octile::new(8, 0));
            assert_eq!(by_best(best, promise, Some(Octile::new(found, 0))).is_ok(), found <= 12, "{found}");
        }
    }

    #[test]
    fn a_length_of_zero_means_unreachable() {
        assert!(by_file(&problem(0.0), OPTIMAL, true, None).is_ok());
        assert_eq!(by_file(&problem(0.0), OPTIMAL, false, Some(Octile::new(8, 0))), Err(Fault::NotExpected));
        assert_eq!(by_file(&problem(8.0), OPTIMAL, false, None), Err(Fault::NotFound));
    }

    #[test]
    fn the_best_answer_judges_the_others() {
        let (best, worse) = (Some(Octile::new(8, 0)), Some(Octile::new(7, 1)));
        assert!(by_best(best, OPTIMAL, best).is_ok());
        assert!(by_best(best, OPTIMAL, worse).is_err());
        assert_eq!(by_best(best, Promise::Legal, None), Err(Fault::NotFound));
        assert!(by_best(best, Promise::Legal, worse).is_ok());
    }
}
