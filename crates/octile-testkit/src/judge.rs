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
    path.check(finder.grid(), query.start, query.goal).map_err(|fault| context(fault.to_string()))?;
    if is_as_promised(finder, query, path.cost(), optimum) {
        return Ok(());
    }
    Err(context(format!("costs {}, the optimum is {optimum}", path.cost())))
}

/// Whether a path costs no more than the planner promises, and no less than is possible.
fn is_as_promised(finder: &Finder, query: Query, cost: PathCost, optimum: Octile) -> bool {
    let weight = finder.guarantee().weight();
    let shortest = Corner::of(query.start).distance(Corner::of(query.goal)) * (1.0 - TOLERANCE);
    match (finder.guarantee(), cost) {
        (Guarantee::GridOptimal, PathCost::Grid(cost)) => cost == optimum,
        (Guarantee::Bounded(weight), PathCost::Grid(cost)) => cost >= optimum && cost.is_within(weight, optimum),
        (Guarantee::AnyAngle | Guarantee::Smoothed(_), PathCost::AnyAngle(length)) => {
            let longest = optimum.length() * f64::from(weight.thousandths()) / 1000.0;
            (shortest..=longest * (1.0 + TOLERANCE)).contains(&length)
        }
        (Guarantee::Legal, PathCost::Grid(cost)) => cost >= optimum,
        (Guarantee::Legal, PathCost::AnyAngle(length)) => length >= shortest,
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

#[cfg(test)]
mod tests {
    use octile::{
        Cell, EditError, Edits, Grid, PathFault, Planner, Probe, Scratch, Squeeze, WeightedAstar, generate, search,
    };

    use super::*;

    /// A planner that promises nothing but legal paths.
    #[derive(Clone)]
    struct Modest(Box<dyn Planner>);

    impl Planner for Modest {
        fn name(&self) -> &'static str {
            "modest"
        }

        fn guarantee(&self) -> Guarantee {
            Guarantee::Legal
        }

        fn grid(&self) -> &Grid {
            self.0.grid()
        }

        fn create_scratch(&self) -> Scratch {
            self.0.create_scratch()
        }

        fn accepts(&self, scratch: &Scratch) -> bool {
            self.0.accepts(scratch)
        }

        fn search(
            &self,
            scratch: &mut Scratch,
            query: Query,
            out: &mut Path,
            probe: Option<&mut dyn Probe>,
        ) -> Result<bool, PathFault> {
            self.0.search(scratch, query, out, probe)
        }

        fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
            self.0.apply(edits)
        }

        fn refresh(&mut self) {
            self.0.refresh();
        }
    }

    fn modest(grid: &Grid) -> Box<dyn Planner> {
        let weight: octile::Weight = "100".parse().unwrap();
        Box::new(Modest(WeightedAstar::default().weight(weight).planner(grid).unwrap()))
    }

    #[test]
    fn legal_paths_may_cost_more_but_not_less() {
        let grid = generate::random(30, 30, 30, 1).unwrap();
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let truth = Truth::new(&grid, free[0]);
        let mut finder = Finder::of(modest(&grid));
        let mut smoothed = Finder::of(search::smoothed(modest(&grid), Squeeze::Forbidden));
        let (mut path, mut worse) = (Path::new(), 0);
        for &goal in &free {
            let query = Query::new(free[0], goal);
            ask(&mut smoothed, query, &mut path, &truth).unwrap();
            ask(&mut finder, query, &mut path, &truth).unwrap();
            worse += u32::from(truth.on_cells(goal).is_some_and(|optimum| path.cost().grid() > Some(optimum)));
        }
        assert!(worse > 10, "{worse}");
    }

    #[test]
    fn legal_paths_are_found_exactly_where_there_are_some() {
        let query = Query::new(Cell::new(0, 0), Cell::new(2, 0));
        let grid: Grid = "...\n...".parse().unwrap();
        let (mut finder, mut path) = (Finder::of(modest(&grid)), Path::new());
        assert!(finder.plan(query, &mut path).unwrap());
        let verdict =
            |found, truth: &str| judge(&finder, query, found, &path, &Truth::new(&truth.parse().unwrap(), query.start));
        assert_eq!(verdict(true, "...\n..."), Ok(()));
        assert!(verdict(false, "...\n...").unwrap_err().contains("found nothing"));
        assert!(verdict(true, ".@.\n.@.").unwrap_err().contains("there is none"));
        assert_eq!(verdict(false, ".@.\n.@."), Ok(()));
        // Less than the optimum is as wrong as ever.
        assert!(verdict(true, ".@.\n...").unwrap_err().contains("costs 2, the optimum is 4"));
    }
}
