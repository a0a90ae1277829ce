//! Judges answers: whether a path is legal, as long as the scenario file says, and as good as the planner promises.

use std::f64::consts::SQRT_2;
use std::fmt;

use octile::formats::movingai::scen::{Problem, TOLERANCE};
use octile::geometry::{Endpoints, Weight};
use octile::grid::Squeeze;
use octile::path::PathFault;
use octile::{Cell, Grid, Guarantee, Output, Path, PathCost, PathQuery, Planner};
use serde::{Deserialize, Serialize};

/// A planner's guarantee about the cost of its paths.
#[derive(Clone, Copy, Debug)]
pub enum Promise {
    /// At most this many times the optimum; 1 is optimal.
    Within(Weight),
    /// An any-angle path no longer than this many times the best grid path.
    AnyAngle {
        /// How many times.
        weight: Weight,
        /// The rules of its lines.
        lines: Lines,
        /// Whether it is smoothed from a grid path: then it exists only if a grid path does.
        is_smoothed: bool,
    },
    /// A shortest any-angle path under these rules.
    Shortest(Lines),
    /// Only that the path is legal.
    Legal,
}

/// The rules of the lines of an any-angle path.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// The squeeze rule.
    pub squeeze: Squeeze,
    /// Where the path begins and ends.
    pub ends: Endpoints,
}

impl Promise {
    /// The guarantee of a planner.
    pub fn of(planner: &dyn Planner) -> Self {
        let lines = Lines { squeeze: planner.squeeze().unwrap_or_default(), ends: planner.ends() };
        match planner.guarantee() {
            Guarantee::GridOptimal => Self::Within(Weight::ONE),
            Guarantee::Bounded(weight) => Self::Within(weight),
            Guarantee::AnyAngle => Self::AnyAngle { weight: Weight::ONE, lines, is_smoothed: false },
            Guarantee::AnyAngleOptimal => Self::Shortest(lines),
            Guarantee::Smoothed(weight) => Self::AnyAngle { weight, lines, is_smoothed: true },
            _ => Self::Legal, // `Guarantee::Legal`, and any that is not known here
        }
    }

    fn lines(self) -> Option<Lines> {
        match self {
            Self::AnyAngle { lines, .. } | Self::Shortest(lines) => Some(lines),
            Self::Within(_) | Self::Legal => None,
        }
    }

    /// Whether the planner may find a path where there is no grid path.
    fn squeezes(self) -> bool {
        let is_made_of_moves = matches!(self, Self::AnyAngle { is_smoothed: true, .. });
        !is_made_of_moves && self.lines().is_some_and(|lines| lines.squeeze == Squeeze::Allowed)
    }

    /// How much longer the paths may be than those between corners, because they begin and end at centres.
    fn detour(self) -> f64 {
        let is_centred = self.lines().is_some_and(|lines| lines.ends == Endpoints::Centres);
        if is_centred { SQRT_2 } else { 0.0 }
    }
}

/// The relative tolerance of an any-angle path's length above that of a grid path.
const SLACK: f64 = 1e-9;

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The path is not legal.
    Illegal(PathFault),
    /// Cells were asked for, and some are missing.
    MissingCells,
    /// A path exists and was not found.
    NotFound,
    /// The scenario file says that there is no path.
    NotExpected,
    /// The length differs from the scenario file's, or is not within the weight of it.
    Length {
        /// The length in the file.
        expected: f64,
        /// The length of the path.
        found: f64,
    },
    /// Another planner found a path that proves this one's guarantee broken.
    TooLong {
        /// The best known cost.
        best: PathCost,
        /// The cost that was found.
        found: PathCost,
    },
    /// A timed round answered differently from the checked one.
    Changed {
        /// The checked answer.
        checked: Option<PathCost>,
        /// The timed answer.
        timed: Option<PathCost>,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |cost: &Option<PathCost>| cost.map_or_else(|| "no path".to_owned(), |cost| cost.to_string());
        match self {
            Self::Illegal(fault) => fault.fmt(f),
            Self::MissingCells => f.write_str("the path leaves out some cells, but every cell was asked for"),
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

/// The number of wrong answers, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Faults {
    /// Paths with an illegal move.
    pub illegal: usize,
    /// Legal paths that cost more than promised.
    pub too_long: usize,
    /// No path where one exists.
    pub not_found: usize,
    /// Anything else, such as answers that change between rounds.
    pub other: usize,
}

impl Faults {
    /// Counts a fault.
    pub fn count(&mut self, fault: &Fault) {
        *match fault {
            Fault::Illegal(_) => &mut self.illegal,
            Fault::TooLong { .. } => &mut self.too_long,
            Fault::Length { expected, found } if found > expected => &mut self.too_long,
            Fault::NotFound => &mut self.not_found,
            _ => &mut self.other,
        } += 1;
    }

    /// Adds other counts.
    pub fn add(&mut self, other: Self) {
        self.illegal += other.illegal;
        self.too_long += other.too_long;
        self.not_found += other.not_found;
        self.other += other.other;
    }

    /// The total.
    pub fn total(self) -> usize {
        self.illegal + self.too_long + self.not_found + self.other
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { illegal, too_long, not_found, other } = self;
        write!(f, "{illegal} illegal, {too_long} too long, {not_found} not found, {other} other")
    }
}

/// Judges the moves of an answer, if there is one.
pub fn moves(grid: &Grid, query: PathQuery, path: Option<&Path>) -> Result<(), Fault> {
    let Some(path) = path else { return Ok(()) };
    path.check(grid, query.start, query.goal).map_err(Fault::Illegal)?;
    let (points, cells) = (path.points().map_or(0, <[Cell]>::len), path.cells().map_or(0, |cells| cells.len()));
    if query.output == Output::Cells && points != cells { Err(Fault::MissingCells) } else { Ok(()) }
}

/// Judges an answer against the scenario file: whether there is a path and, if `lengths` apply to the movement rule,
/// its length.
pub fn by_file(problem: &Problem, promise: Promise, lengths: bool, cost: Option<PathCost>) -> Result<(), Fault> {
    by_length(problem.optimum(), problem.agrees(cost), promise, lengths, cost)
}

/// As [`by_file`], against the length of a shortest path, if there is one, and whether that equals the cost that was
/// found.
pub fn by_length(
    optimum: Option<f64>,
    is_optimum: bool,
    promise: Promise,
    lengths: bool,
    cost: Option<PathCost>,
) -> Result<(), Fault> {
    let Some(cost) = cost else { return optimum.map_or(Ok(()), |_| Err(Fault::NotFound)) };
    let Some(expected) = optimum else {
        return if promise.squeezes() { Ok(()) } else { Err(Fault::NotExpected) };
    };
    let longest = |weight| times(expected + TOLERANCE, weight);
    let agrees = match promise {
        Promise::Legal => cost.counts().is_none() || cost.length() >= expected - TOLERANCE,
        Promise::Within(Weight::ONE) => cost.counts().is_some() && is_optimum,
        Promise::Within(weight) => (expected - TOLERANCE..=longest(weight)).contains(&cost.length()),
        Promise::AnyAngle { weight, .. } => cost.length() <= longest(weight) + promise.detour(),
        Promise::Shortest(_) => cost.length() <= longest(Weight::ONE),
    };
    if agrees || !lengths { Ok(()) } else { Err(Fault::Length { expected, found: cost.length() }) }
}

fn times(length: f64, weight: Weight) -> f64 {
    length * f64::from(weight.thousandths()) / 1000.0
}

/// The best answers of all planners to one query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Best {
    /// The cheapest grid path.
    grid: Option<PathCost>,
    /// Whether a planner that may squeeze found a path.
    squeezed: bool,
    /// The length of the cheapest path along corners, if known.
    along_corners: Option<f64>,
    /// The shortest any-angle path for each squeeze rule and each kind of endpoints.
    any_angle: [[Option<f64>; 2]; 2],
}

impl Best {
    /// The best of the answers to one query, each with the planner's guarantee.
    pub fn of(answers: impl IntoIterator<Item = (Promise, PathCost)>) -> Self {
        let mut best = Self::default();
        for (promise, cost) in answers {
            best.grid = cheaper(best.grid, Some(cost));
            best.squeezed |= promise.squeezes();
            if let Some(Lines { squeeze, ends }) = promise.lines() {
                let known = &mut best.any_angle[squeeze as usize][ends as usize];
                *known = shorter(*known, Some(cost.length()));
            }
        }
        best
    }

    /// The shortest path found under these rules. A planner that may squeeze can also be compared with paths that do
    /// not.
    fn with_lines(&self, Lines { squeeze, ends }: Lines) -> Option<f64> {
        let under = |rule: Squeeze| self.any_angle[rule as usize][ends as usize];
        let strict = under(Squeeze::Forbidden);
        if squeeze == Squeeze::Allowed { shorter(strict, under(Squeeze::Allowed)) } else { strict }
    }

    /// Adds the cheapest path along corners, which planners that squeeze promise not to exceed.
    #[must_use]
    pub fn along_corners(self, cost: Option<PathCost>) -> Self {
        Self { along_corners: cost.map(PathCost::length), ..self }
    }

    /// Judges an answer against the best.
    pub fn judge(self, promise: Promise, cost: Option<PathCost>) -> Result<(), Fault> {
        let Some(found) = cost else {
            let exists = self.grid.is_some() || self.squeezed && promise.squeezes();
            return if exists { Err(Fault::NotFound) } else { Ok(()) };
        };
        if let Some(best) = self.along_corners
            && promise.squeezes()
            && found.length() > best * (1.0 + SLACK) + promise.detour()
        {
            return Err(Fault::TooLong { best: PathCost::AnyAngle(best), found });
        }
        if let Promise::Shortest(lines) = promise
            && let Some(best) = self.with_lines(lines)
            && found.length() > best * (1.0 + SLACK)
        {
            return Err(Fault::TooLong { best: PathCost::AnyAngle(best), found });
        }
        let Some(best) = self.grid else { return Ok(()) };
        let longest = |weight| times(best.length(), weight) * (1.0 + SLACK);
        let keeps = match promise {
            Promise::Within(weight) => is_within(found, weight, best),
            Promise::AnyAngle { weight, .. } => found.length() <= longest(weight) + promise.detour(),
            Promise::Shortest(_) => found.length() <= longest(Weight::ONE),
            Promise::Legal => true,
        };
        if keeps { Ok(()) } else { Err(Fault::TooLong { best, found }) }
    }
}

/// The cheaper of two grid paths on the same map, if any.
fn cheaper(a: Option<PathCost>, b: Option<PathCost>) -> Option<PathCost> {
    a.into_iter()
        .chain(b)
        .filter_map(|cost| Some((cost.counts()?, cost)))
        .min_by_key(|&(counts, _)| counts)
        .map(|(_, cost)| cost)
}

/// Whether a path is a grid path within `weight` times the best one on the same map.
fn is_within(found: PathCost, weight: Weight, best: PathCost) -> bool {
    found.counts().zip(best.counts()).is_some_and(|(found, best)| found.is_within(weight, best))
}

/// The shorter of two lengths, if any.
fn shorter(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use octile::GridCost;

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

    #[expect(clippy::unnecessary_wraps, reason = "answers are optional")]
    fn cost(straight: u32, diagonal: u32) -> Option<PathCost> {
        Some(GridCost::new(straight, diagonal).into())
    }

    /// The verdict on a planner with this guarantee if another found `best`.
    fn by_best(best: Option<PathCost>, promise: Promise, cost: Option<PathCost>) -> Result<(), Fault> {
        Best::of(best.map(|best| (OPTIMAL, best))).judge(promise, cost)
    }

    #[test]
    fn lengths_are_compared_only_if_they_apply_to_the_rule() {
        let longer = cost(9, 0);
        assert!(by_file(&problem(8.0), OPTIMAL, true, cost(8, 0)).is_ok());
        assert_eq!(by_file(&problem(8.0), OPTIMAL, true, longer), Err(Fault::Length { expected: 8.0, found: 9.0 }));
        assert!(by_file(&problem(8.0), OPTIMAL, false, longer).is_ok());
    }

    #[test]
    fn bounded_answers_lie_between_the_optimum_and_its_multiple() {
        let promise = Promise::Within("1.5".parse().unwrap());
        for (found, right) in [(7, false), (8, true), (12, true), (13, false)] {
            assert_eq!(by_file(&problem(8.0), promise, true, cost(found, 0)).is_ok(), right, "{found}");
            assert_eq!(by_best(cost(8, 0), promise, cost(found, 0)).is_ok(), found <= 12, "{found}");
        }
    }

    #[test]
    fn legal_answers_may_be_of_any_length_that_is_possible() {
        let file = |expected, cost| by_file(&problem(expected), Promise::Legal, true, cost);
        for (found, right) in [(7, false), (8, true), (1000, true)] {
            assert_eq!(file(8.0, cost(found, 0)).is_ok(), right, "{found}");
            assert!(by_best(cost(8, 0), Promise::Legal, cost(found, 0)).is_ok(), "{found}");
        }
        assert!(file(8.0, Some(PathCost::AnyAngle(7.5))).is_ok());
        assert_eq!(file(8.0, None), Err(Fault::NotFound));
        assert_eq!(file(0.0, cost(8, 0)), Err(Fault::NotExpected));
    }

    #[test]
    fn paths_over_terrain_are_compared_by_their_exact_costs() {
        let priced =
            |straight, diagonal| Some(PathCost::Priced { counts: GridCost::new(straight, diagonal), parts: 4 });
        // The costs differ by 0.003: lengths in the file are as exact as the counts.
        let (best, worse) = (priced(42, 1), priced(1, 30));
        let lengths = [best, worse].map(|cost| cost.unwrap().length());
        let (best, worse) = if lengths[0] < lengths[1] { (best, worse) } else { (worse, best) };
        let file = problem(best.unwrap().length());
        assert!(by_file(&file, OPTIMAL, true, best).is_ok() && by_file(&file, OPTIMAL, true, worse).is_err());
        assert!(by_best(best, OPTIMAL, best).is_ok() && by_best(best, OPTIMAL, worse).is_err());
        assert!(by_best(best, Promise::Within("1.5".parse().unwrap()), worse).is_ok());
        assert_eq!(by_best(best, Promise::Legal, None), Err(Fault::NotFound));
    }

    #[test]
    fn a_length_of_zero_means_unreachable() {
        assert!(by_file(&problem(0.0), OPTIMAL, true, None).is_ok());
        assert_eq!(by_file(&problem(0.0), OPTIMAL, false, cost(8, 0)), Err(Fault::NotExpected));
        assert_eq!(by_file(&problem(8.0), OPTIMAL, false, None), Err(Fault::NotFound));
    }

    #[test]
    fn faults_are_counted_by_kind() {
        let mut faults = Faults::default();
        let illegal = PathFault::Move { from: Cell::new(0, 0), to: Cell::new(1, 1) };
        let longer = Fault::TooLong { best: GridCost::new(1, 0).into(), found: GridCost::new(2, 0).into() };
        let shorter = Fault::Length { expected: 2.0, found: 1.0 };
        for fault in [Fault::Illegal(illegal), longer, Fault::Length { expected: 1.0, found: 2.0 }, shorter] {
            faults.count(&fault);
        }
        faults.count(&Fault::NotFound);
        assert_eq!(faults, Faults { illegal: 1, too_long: 2, not_found: 1, other: 1 });
        assert_eq!((faults.total(), &*faults.to_string()), (5, "1 illegal, 2 too long, 1 not found, 1 other"));
    }

    #[test]
    fn the_best_answer_judges_the_others() {
        let (best, worse) = (cost(8, 0), cost(7, 1));
        assert!(by_best(best, OPTIMAL, best).is_ok());
        assert!(by_best(best, OPTIMAL, worse).is_err());
        assert_eq!(by_best(best, Promise::Legal, None), Err(Fault::NotFound));
        assert!(by_best(best, Promise::Legal, worse).is_ok());
    }

    #[test]
    fn any_angle_answers_are_no_longer_than_grid_paths() {
        let lines = lines(Squeeze::Allowed, Endpoints::Corners);
        let promise = Promise::AnyAngle { weight: Weight::ONE, lines, is_smoothed: false };
        let smoothed = Promise::AnyAngle { weight: "1.5".parse().unwrap(), lines, is_smoothed: true };
        let length = |length| Some(PathCost::AnyAngle(length));
        for (found, right) in [(7.5, true), (8.0, true), (8.1, false)] {
            assert_eq!(by_best(cost(8, 0), promise, length(found)).is_ok(), right, "{found}");
            assert_eq!(by_file(&problem(8.0), promise, true, length(found)).is_ok(), right, "{found}");
            assert!(by_best(cost(8, 0), smoothed, length(found)).is_ok());
        }
        assert!(by_best(cost(8, 0), smoothed, length(12.1)).is_err());
        assert_eq!(by_best(cost(8, 0), promise, None), Err(Fault::NotFound));
        // Grid planners promise a grid path.
        assert!(by_best(cost(8, 0), OPTIMAL, length(8.0)).is_err());
        // A path where the file has none, and where another planner found one by squeezing.
        assert!(by_file(&problem(0.0), promise, true, length(8.0)).is_ok());
        assert_eq!(by_file(&problem(0.0), smoothed, true, length(8.0)), Err(Fault::NotExpected));
        let squeezed = Best::of([(promise, PathCost::AnyAngle(8.0))]);
        assert_eq!(squeezed.judge(promise, None), Err(Fault::NotFound));
        assert!(squeezed.judge(OPTIMAL, None).is_ok() && squeezed.judge(smoothed, None).is_ok());
        // The best path along corners is known: planners that squeeze promise not to exceed it.
        let bounded = squeezed.along_corners(length(8.0));
        assert!(bounded.judge(promise, length(8.0)).is_ok() && bounded.judge(smoothed, length(8.1)).is_ok());
        assert!(matches!(bounded.judge(promise, length(8.1)), Err(Fault::TooLong { .. })));
    }

    const fn lines(squeeze: Squeeze, ends: Endpoints) -> Lines {
        Lines { squeeze, ends }
    }

    #[test]
    fn paths_between_centres_may_be_a_little_longer() {
        let lines = lines(Squeeze::Forbidden, Endpoints::Centres);
        let promise = Promise::AnyAngle { weight: Weight::ONE, lines, is_smoothed: false };
        for (found, right) in [(8.0 + SQRT_2, true), (9.5, false)] {
            let found = Some(PathCost::AnyAngle(found));
            assert_eq!(by_best(cost(8, 0), promise, found).is_ok(), right);
            assert_eq!(by_file(&problem(8.0), promise, true, found).is_ok(), right);
        }
        // A shortest path is no longer than the grid path, which begins and ends at centres too.
        assert!(by_best(cost(8, 0), Promise::Shortest(lines), Some(PathCost::AnyAngle(8.1))).is_err());
        assert!(by_file(&problem(8.0), Promise::Shortest(lines), true, Some(PathCost::AnyAngle(8.1))).is_err());
    }

    #[test]
    fn shortest_paths_are_compared_with_all_of_their_kind() {
        let shortest = |squeeze| Promise::Shortest(lines(squeeze, Endpoints::Corners));
        let [allowed, forbidden] = Squeeze::ALL.map(shortest);
        let length = PathCost::AnyAngle;
        // A path under the stricter rule is legal under the other one.
        let best = Best::of([(forbidden, length(8.0)), (allowed, length(7.0))]);
        assert!(best.judge(forbidden, Some(length(8.0))).is_ok() && best.judge(allowed, Some(length(7.0))).is_ok());
        assert!(best.judge(forbidden, Some(length(8.001))).is_err() && best.judge(allowed, Some(length(8.0))).is_err());
        let strict = Best::of([(forbidden, length(8.0))]);
        assert!(strict.judge(allowed, Some(length(8.1))).is_err());
        // Paths with other endpoints are not comparable.
        let centred = Promise::Shortest(lines(Squeeze::Allowed, Endpoints::Centres));
        assert!(best.judge(centred, Some(length(9.0))).is_ok());
        // A smoothed path, with a weaker guarantee, shows what is possible.
        let lines = lines(Squeeze::Forbidden, Endpoints::Corners);
        let smoothed = Promise::AnyAngle { weight: Weight::ONE, lines, is_smoothed: true };
        assert!(Best::of([(smoothed, length(7.5))]).judge(forbidden, Some(length(7.6))).is_err());
    }
}
