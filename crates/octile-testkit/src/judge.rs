//! The judge of a planner's answers; all tests use this one.

use octile::geometry::{Corner, Endpoints};
use octile::{Cell, Finder, Grid, GridCost, Guarantee, Path, PathCost, PathQuery, Planner};

use crate::oracle::{self, Truth};

/// The relative tolerance of lengths in `f64`.
pub const TOLERANCE: f64 = 1e-9;

/// Judges the answer of `finder` to `query`: a path must be found exactly if there is one, and it must be legal and as
/// cheap as promised.
///
/// # Errors
/// What is wrong, in words.
pub fn judge(finder: &Finder, query: PathQuery, found: bool, path: &Path, truth: &Truth) -> Result<(), String> {
    judge_path(finder.planner(), query, found.then_some(path), truth)
}

/// Judges the path that a planner gave for a query; `None` if it found none.
///
/// # Errors
/// What is wrong, in words.
pub fn judge_path(planner: &dyn Planner, query: PathQuery, path: Option<&Path>, truth: &Truth) -> Result<(), String> {
    let legal = path.map_or(Ok(()), |path| path.check(planner.grid(), query.start, query.goal));
    // If there is no path at all, `judge_cost` has the better message.
    if optimum(planner, query.goal, truth).is_some() {
        legal.map_err(|fault| context(planner, query, &fault.to_string()))?;
    }
    judge_cost(planner, query, path.map(Path::cost), truth)
}

/// Judges the cost that a planner gave for a query; `None` if it found no path.
///
/// # Errors
/// What is wrong, in words.
pub fn judge_cost(
    planner: &dyn Planner,
    query: PathQuery,
    cost: Option<PathCost>,
    truth: &Truth,
) -> Result<(), String> {
    let context = |what: String| context(planner, query, &what);
    let (cost, optimum) = match (cost, optimum(planner, query.goal, truth)) {
        (None, None) => return Ok(()),
        (Some(cost), None) => return Err(context(format!("found a path of {cost}, but there is none"))),
        (None, Some(optimum)) => return Err(context(format!("found nothing, but there is a path of {optimum}"))),
        (Some(cost), Some(optimum)) => (cost, optimum),
    };
    if !is_as_promised(planner, query, cost, optimum) {
        return Err(context(format!("costs {cost}, the optimum is {optimum}")));
    }
    match any_angle_optimum(planner, query, truth) {
        Some(shortest) if !is_about(cost.length(), shortest) => {
            Err(context(format!("is {} long, the shortest any-angle path is {shortest}", cost.length())))
        }
        _ => Ok(()),
    }
}

fn context(planner: &dyn Planner, query: PathQuery, what: &str) -> String {
    format!("{} from {} to {}: {what}", planner.name(), query.start, query.goal)
}

/// The optimum that a planner's guarantee refers to; `None` if there is no path to the goal.
pub fn optimum(planner: &dyn Planner, goal: Cell, truth: &Truth) -> Option<GridCost> {
    match (planner.guarantee(), planner.squeeze()) {
        (Guarantee::AnyAngle | Guarantee::AnyAngleOptimal, Some(squeeze)) => truth.on_corners(goal, squeeze),
        _ => truth.on_cells(goal),
    }
}

/// The length that a planner with the guarantee of shortest any-angle paths must find; `None` for other planners and
/// maps too large for the oracle.
fn any_angle_optimum(planner: &dyn Planner, query: PathQuery, truth: &Truth) -> Option<f64> {
    let promises = planner.guarantee() == Guarantee::AnyAngleOptimal && truth.knows_any_angle();
    truth.any_angle(query.goal, planner.squeeze().filter(|_| promises)?, planner.ends())
}

/// The maximum length that a planner's guarantee allows for this optimum; `None` if it allows any.
pub fn longest(planner: &dyn Planner, optimum: GridCost, grid: &Grid) -> Option<f64> {
    let detour = if planner.ends() == Endpoints::Centres { std::f64::consts::SQRT_2 } else { 0.0 };
    let weight = f64::from(planner.guarantee().weight().thousandths()) / 1000.0;
    let longest = oracle::cost(grid, optimum).length() * weight + detour;
    (planner.guarantee() != Guarantee::Legal).then_some(longest * (1.0 + TOLERANCE))
}

/// Whether two lengths are equal except for rounding.
pub fn is_about(length: f64, other: f64) -> bool {
    (length - other).abs() <= TOLERANCE * length.max(other)
}

/// Whether a cost is at most what the planner promises, and at least the optimum.
fn is_as_promised(planner: &dyn Planner, query: PathQuery, cost: PathCost, optimum: GridCost) -> bool {
    let weight = planner.guarantee().weight();
    let detour = if planner.ends() == Endpoints::Centres { std::f64::consts::SQRT_2 } else { 0.0 };
    let shortest = Corner::of(query.start).distance(Corner::of(query.goal)) * (1.0 - TOLERANCE);
    if cost.counts().is_some_and(|counts| oracle::cost(planner.grid(), counts) != cost) {
        return false;
    }
    match (planner.guarantee(), cost) {
        (Guarantee::GridOptimal, PathCost::Grid(cost) | PathCost::Priced { counts: cost, .. }) => cost == optimum,
        (Guarantee::Bounded(weight), PathCost::Grid(cost) | PathCost::Priced { counts: cost, .. }) => {
            cost >= optimum && cost.is_within(weight, optimum)
        }
        (Guarantee::AnyAngle | Guarantee::AnyAngleOptimal | Guarantee::Smoothed(_), PathCost::AnyAngle(length)) => {
            let longest = optimum.length() * f64::from(weight.thousandths()) / 1000.0 + detour;
            (shortest..=longest * (1.0 + TOLERANCE)).contains(&length)
        }
        (Guarantee::Legal, PathCost::Grid(cost) | PathCost::Priced { counts: cost, .. }) => cost >= optimum,
        (Guarantee::Legal, PathCost::AnyAngle(length)) => length >= shortest,
        _ => false,
    }
}

/// The answers to one query of planners that promise shortest any-angle paths: those under the same rules must agree.
#[derive(Default)]
pub struct Agreement {
    /// The lengths for each squeeze rule and each kind of endpoints; infinite if there is no path.
    answers: [[Option<f64>; 2]; 2],
}

impl Agreement {
    /// Compares the path of `finder` with those of other planners; an empty path means that there is none.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&mut self, finder: &Finder, path: &Path) -> Result<(), String> {
        let Some(squeeze) = finder.squeeze().filter(|_| finder.guarantee() == Guarantee::AnyAngleOptimal) else {
            return Ok(());
        };
        let length = if path.is_any_angle() { path.length() } else { f64::INFINITY };
        let known = *self.answers[squeeze as usize][finder.ends() as usize].get_or_insert(length);
        if length.is_infinite() && known.is_infinite() || is_about(length, known) {
            return Ok(());
        }
        Err(format!("{} found a path of length {length}, another planner one of {known}", finder.name()))
    }
}

/// Asks a query and judges the answer. `truth` is the truth for the query's start.
///
/// # Errors
/// What is wrong, in words.
pub fn ask(finder: &mut Finder, query: PathQuery, path: &mut Path, truth: &Truth) -> Result<(), String> {
    let found = finder.plan(query, path).map_err(|error| format!("{}: {error}", finder.name()))?;
    judge(finder, query, found, path, truth)
}

#[cfg(test)]
pub(crate) mod tests {
    use octile::formats::generate;
    use octile::grid::Squeeze;
    use octile::path::PathFault;
    use octile::planner::{EditError, Probe, Scratch};
    use octile::planner::{Facts, PlannerId};
    use octile::{Edits, PlannerSpec, ThetaStar, WeightedAstar, services};

    use super::*;
    use crate::maps::free_cells;

    /// A planner with a false guarantee.
    #[derive(Clone)]
    pub(crate) struct Claiming(Box<dyn Planner>, Facts);

    impl Claiming {
        pub(crate) fn new(planner: Box<dyn Planner>, guarantee: Guarantee) -> Self {
            let mut facts = planner.facts().promising(guarantee);
            facts.name = "claiming";
            Self(planner, facts)
        }
    }

    impl Planner for Claiming {
        fn facts(&self) -> &Facts {
            &self.1
        }

        fn grid(&self) -> &Grid {
            self.0.grid()
        }

        fn id(&self) -> PlannerId {
            self.0.id()
        }

        fn create_scratch(&self) -> Scratch {
            self.0.create_scratch()
        }

        fn search(
            &self,
            scratch: &mut Scratch,
            query: PathQuery,
            out: &mut Path,
            probe: Option<&mut dyn Probe>,
        ) -> Result<bool, PathFault> {
            self.0.search(scratch, query, out, probe)
        }

        fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
            self.0.apply(edits)
        }
    }

    fn modest(grid: &Grid) -> Box<dyn Planner> {
        let weight: octile::geometry::Weight = "100".parse().unwrap();
        let planner = WeightedAstar::default().weight(weight).planner(grid).unwrap();
        Box::new(Claiming::new(planner, Guarantee::Legal))
    }

    #[test]
    fn paths_that_are_not_shortest_are_rejected() {
        let (mut right, mut wrong, mut differ) = (0, 0, 0);
        for seed in 0..20 {
            let grid = generate::random(12, 10, 20, seed).unwrap();
            let free = free_cells(&grid);
            let truth = Truth::new(&grid, free[0]);
            let claiming = |planner: Box<dyn Planner>| -> Box<dyn Planner> {
                Box::new(Claiming::new(planner, Guarantee::AnyAngleOptimal))
            };
            let mut theta_star = Finder::of(claiming(ThetaStar::default().planner(&grid).unwrap()));
            let along_corners = "astar:on=corners".parse::<PlannerSpec>().unwrap().build(&grid).unwrap();
            let mut along_corners = Finder::of(claiming(along_corners));
            for &goal in &free {
                let (query, mut path, mut agreement) =
                    (PathQuery::new(free[0], goal), Path::new(), Agreement::default());
                let verdict = ask(&mut theta_star, query, &mut path, &truth);
                *if verdict.is_ok() { &mut right } else { &mut wrong } += 1;
                assert_eq!(agreement.check(&theta_star, &path), Ok(()));
                along_corners.plan(query, &mut path).unwrap();
                differ += u32::from(agreement.check(&along_corners, &path).is_err());
            }
        }
        assert!(right > 1000 && wrong > 10 && differ > 100, "{right} {wrong} {differ}");
    }

    #[test]
    fn legal_paths_may_cost_more_but_not_less() {
        let grid = generate::random(30, 30, 30, 1).unwrap();
        let free = free_cells(&grid);
        let truth = Truth::new(&grid, free[0]);
        let mut finder = Finder::of(modest(&grid));
        let mut smoothed = Finder::of(services::smoothed(modest(&grid), Squeeze::Forbidden));
        let (mut path, mut worse) = (Path::new(), 0);
        for &goal in &free {
            let query = PathQuery::new(free[0], goal);
            ask(&mut smoothed, query, &mut path, &truth).unwrap();
            ask(&mut finder, query, &mut path, &truth).unwrap();
            worse += u32::from(truth.on_cells(goal).is_some_and(|optimum| path.cost().grid() > Some(optimum)));
        }
        assert!(worse > 10, "{worse}");
    }

    #[test]
    fn legal_paths_must_be_found_exactly_where_some_exist() {
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 0));
        let grid: Grid = "...\n...".parse().unwrap();
        let (mut finder, mut path) = (Finder::of(modest(&grid)), Path::new());
        assert!(finder.plan(query, &mut path).unwrap());
        let verdict =
            |found, truth: &str| judge(&finder, query, found, &path, &Truth::new(&truth.parse().unwrap(), query.start));
        assert_eq!(verdict(true, "...\n..."), Ok(()));
        assert!(verdict(false, "...\n...").unwrap_err().contains("found nothing"));
        assert!(verdict(true, ".@.\n.@.").unwrap_err().contains("there is none"));
        assert_eq!(verdict(false, ".@.\n.@."), Ok(()));
        // A cost below the optimum is wrong for this guarantee too.
        assert!(verdict(true, ".@.\n...").unwrap_err().contains("costs 2, the optimum is 4"));
    }
}
