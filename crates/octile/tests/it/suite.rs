//! One suite for every planner: the cases of `testdata/cases` with every spec of the catalog.

use std::path::Path as FilePath;

use octile::path::PointsError;
use octile::{
    Answer as Answered, Catalog, Cell, Edits, Engine, Finder, Grid, Movement, Output, Path, PathQuery, PlannerSpec,
    QueryError,
};
use octile_testkit::cases::{self, Answer};
use octile_testkit::oracle::{self, Truth};
use octile_testkit::{judge, planners};

#[test]
fn every_planner_answers_every_case() {
    let cases = cases::read_all(&FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases"));
    assert!(cases.len() >= 10, "only {} cases found", cases.len());
    let mut asked = 0;
    for case in &cases {
        for spec in planners::specs(&case.grid) {
            let mut finder = Finder::new(spec, &case.grid).unwrap();
            for (start, goal, answer) in &case.queries {
                let query = PathQuery::new(*start, *goal);
                check(&mut finder, query, answer).unwrap_or_else(|fault| panic!("{}: {spec}: {fault}", case.name));
                asked += 1;
            }
        }
    }
    assert!(planners::is_restricted() || asked > 100, "{asked}");
}

fn check(finder: &mut Finder, query: PathQuery, answer: &Answer) -> Result<(), String> {
    let mut path = Path::new();
    match answer {
        // The oracle agrees with the cases, and also has the answers on corners.
        Answer::Cost(_) | Answer::None => {
            judge::ask(finder, query, &mut path, &Truth::new(&finder.grid().clone(), query.start))
        }
        Answer::Error(part) => match finder.plan(query, &mut path) {
            Err(error) if error.to_string().contains(part) => Ok(()),
            other => Err(format!("expected an error with `{part}`, got {other:?}")),
        },
    }
}

/// The cases themselves are right: the oracle agrees with every cost.
#[test]
fn the_oracle_agrees_with_the_cases() {
    for case in cases::read_all(&FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases")) {
        for (start, goal, answer) in &case.queries {
            let expected = match answer {
                Answer::Cost(cost) => Some(*cost),
                Answer::None => None,
                Answer::Error(_) => continue,
            };
            assert_eq!(oracle::distance(&case.grid, *start, *goal), expected, "{} {start} {goal}", case.name);
        }
    }
}

/// The map under a movement rule that a spec supports.
fn under_its_rule(grid: &Grid, spec: &str) -> Grid {
    grid.with_movement(spec.parse::<PlannerSpec>().unwrap().movements()[0])
}

/// Every planner gives the same answer in all three forms of output.
#[test]
fn outputs_agree() {
    let case: Grid = "......\n.@@@..\n....@.\n@@..@.\n......".parse().unwrap();
    for spec in planners::specs_of_all_rules(&case) {
        let case = under_its_rule(&case, spec);
        let mut finder = Finder::new(spec, &case).unwrap();
        let (mut waypoints, mut cells, mut cost) = (Path::new(), Path::new(), Path::new());
        for goal in case.cells().filter(|&goal| case.is_free(goal)) {
            let query = PathQuery::new(Cell::new(0, 0), goal);
            assert!(finder.plan(query, &mut waypoints).unwrap());
            assert!(finder.plan(query.output(Output::Cells), &mut cells).unwrap());
            assert!(finder.plan(query.output(Output::Cost), &mut cost).unwrap());
            assert_eq!((waypoints.cost(), cells.cost()), (cost.cost(), cost.cost()), "{spec} {goal}");
            assert_eq!(waypoints.is_any_angle(), finder.squeeze().is_some(), "{spec}");
            assert_eq!(cells.corners(), waypoints.corners(), "{spec} {goal}");
            if waypoints.is_any_angle() {
                let [every, turns] = [&cells, &waypoints].map(|path| path.vertices().unwrap().collect::<Vec<_>>());
                assert_eq!((&every, every.is_empty()), (&turns, false), "{spec} {goal}");
                assert_eq!(
                    (waypoints.ends(), cost.ends()),
                    (Some(finder.ends()), Some(finder.ends())),
                    "{spec} {goal}"
                );
                assert_eq!(cells.points(), Err(PointsError::AnyAngle), "{spec} {goal}");
                assert_eq!(waypoints.points(), Err(PointsError::AnyAngle), "{spec} {goal}");
                assert_eq!((cost.points(), cost.corners()), (Err(PointsError::AnyAngle), Err(PointsError::CostOnly)));
            } else {
                let [every, turns] = [&cells, &waypoints].map(|path| path.points().unwrap());
                assert_eq!(every, waypoints.cells().unwrap().collect::<Vec<_>>(), "{spec} {goal}");
                assert_eq!(turns, waypoints.waypoints().unwrap().collect::<Vec<_>>(), "{spec} {goal}: not only turns");
                assert_eq!(cells.corners(), Err(PointsError::Grid), "{spec} {goal}");
                assert_eq!((cost.points(), cost.corners()), (Err(PointsError::CostOnly), Err(PointsError::Grid)));
            }
            cells.check(&case, query.start, goal).unwrap();
        }
    }
}

/// A batch gives every answer in its place: paths, missing paths and refused queries.
#[test]
fn batches_answer_in_order() {
    let grid: Grid = "....@.\n.@@.@.\n....@.".parse().unwrap();
    let cells: Vec<Cell> = grid.cells().chain([Cell::new(9, 9)]).collect();
    let queries: Vec<PathQuery> =
        cells.iter().flat_map(|&start| cells.iter().map(move |&goal| PathQuery::new(start, goal))).collect();
    for spec in planners::specs_of_all_rules(&grid) {
        let engine = Engine::new(spec, &under_its_rule(&grid, spec)).unwrap();
        let mut finder = engine.finder();
        let one_by_one: Vec<_> = queries.iter().map(|query| finder.find(query.start, query.goal)).collect();
        assert_eq!(engine.find_all(&queries), one_by_one, "{spec}");
        // Buffers of shorter and longer batches can be reused.
        let mut answers: Vec<Answered> = Vec::new();
        for batch in [&queries[7..150], &queries, &queries[..90]] {
            engine.plan_all(batch, &mut answers);
            let first = queries.iter().position(|query| *query == batch[0]).unwrap();
            let answers: Vec<_> = answers.iter().map(|answer| answer.path().map(Option::<&Path>::cloned)).collect();
            assert_eq!(answers, one_by_one[first..][..batch.len()], "{spec}");
        }
        assert!(one_by_one.iter().any(Result::is_err) && one_by_one.contains(&Ok(None)));
    }
}

/// A scratch works with the planner that made it and its clones, also after an edit. All other planners refuse it,
/// however similar they are: its contents may depend on an index.
#[test]
fn a_scratch_serves_only_its_own_planner() {
    let grid: Grid = "......\n.@@@@.\n....@.\n@@.@@.\n......".parse().unwrap();
    let [turned, large] = [Grid::open(5, 6), Grid::open(70, 9)].map(Result::unwrap);
    let build = |spec: &str, grid| spec.parse::<PlannerSpec>().unwrap().build(grid).unwrap();
    let (query, mut path) = (PathQuery::new(Cell::new(0, 0), Cell::new(2, 4)), Path::new());
    let specs: Vec<&str> = planners::specs(&grid).collect();
    let grids = [&grid, &turned, &large].into_iter();
    let others: Vec<_> = grids.flat_map(|grid| specs.iter().map(move |spec| build(spec, grid))).collect();
    for spec in &specs {
        let planner = build(spec, &grid);
        for other in &others {
            let foreign = planner.plan(&mut other.create_scratch(), query, &mut path);
            assert_eq!(foreign, Err(QueryError::ForeignScratch), "{spec} with a scratch of {other:?}");
        }
        let (mut scratch, mut edited) = (planner.create_scratch(), planner.clone());
        assert_eq!(planner.plan(&mut scratch, query, &mut path), Ok(true), "{spec}");
        if edited.apply(Edits::new().free((1, 1))).is_ok() {
            assert_eq!(edited.plan(&mut scratch, query, &mut path), Ok(true), "{spec} after an edit");
        }
    }
}

/// A planner refuses a movement rule that it does not support, and names those that it does.
#[test]
fn unsupported_movement_is_refused_by_name() {
    let grid = Grid::open(3, 3).unwrap().with_movement(Movement::Tile);
    let mut refused = 0;
    let catalog = Catalog::standard();
    for entry in catalog.planners() {
        let supported = catalog.specs_for(entry, Movement::Tile);
        for spec in catalog.specs(entry).into_iter().filter(|spec| !supported.contains(spec)) {
            let message = Finder::new(spec, &grid).unwrap_err().to_string();
            let expected = format!("planner `{spec}` does not support movement `tile`; it supports octile");
            assert!(message == expected || message == expected + ", octile-cutting", "{message}");
            refused += 1;
        }
    }
    assert!(refused > 10);
}
