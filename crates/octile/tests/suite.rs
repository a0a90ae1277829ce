//! One suite, every planner: the cases of `testdata/cases` under every spec of the table.

use std::path::Path as FilePath;

use octile::algo::PLANNERS;
use octile::{Finder, Output, Path, Query};
use octile_testkit::cases::{self, Answer};
use octile_testkit::{judge, oracle};

#[test]
fn every_planner_answers_every_case() {
    let cases = cases::read_all(&FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases"));
    assert!(cases.len() >= 10, "only {} cases found", cases.len());
    let mut asked = 0;
    for case in &cases {
        for entry in PLANNERS.iter().filter(|entry| entry.movements.contains(&case.grid.movement())) {
            for spec in entry.specs() {
                let mut finder = Finder::new(spec, &case.grid).unwrap();
                for (start, goal, answer) in &case.queries {
                    let query = Query::new(*start, *goal);
                    check(&mut finder, query, answer).unwrap_or_else(|fault| panic!("{}: {spec}: {fault}", case.name));
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 100);
}

fn check(finder: &mut Finder, query: Query, answer: &Answer) -> Result<(), String> {
    let mut path = Path::new();
    match answer {
        Answer::Cost(cost) => judge::ask(finder, query, &mut path, Some(*cost)),
        Answer::None => judge::ask(finder, query, &mut path, None),
        Answer::Error(part) => match finder.plan(query, &mut path) {
            Err(error) if error.to_string().contains(part) => Ok(()),
            other => Err(format!("expected an error with `{part}`, got {other:?}")),
        },
    }
}

/// The cases themselves are right: the oracle agrees with every cost in them.
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

/// Every planner gives the same answer in all three forms of output.
#[test]
fn outputs_agree() {
    let case = "......\n.@@@..\n....@.\n@@..@.\n......".parse().unwrap();
    for spec in PLANNERS.iter().flat_map(octile::algo::Entry::specs) {
        let mut finder = Finder::new(spec, &case).unwrap();
        let (mut waypoints, mut cells, mut cost) = (Path::new(), Path::new(), Path::new());
        for goal in case.cells().filter(|&goal| case.is_free(goal)) {
            let query = Query::new(octile::Cell::new(0, 0), goal);
            assert!(finder.plan(query, &mut waypoints).unwrap());
            assert!(finder.plan(query.output(Output::Cells), &mut cells).unwrap());
            assert!(finder.plan(query.output(Output::Cost), &mut cost).unwrap());
            assert_eq!((waypoints.cost(), cells.cost()), (cost.cost(), cost.cost()), "{spec} {goal}");
            assert!(cost.points().is_empty());
            assert_eq!(cells.points(), waypoints.cells().collect::<Vec<_>>(), "{spec} {goal}");
            assert_eq!(waypoints.points(), waypoints.waypoints().collect::<Vec<_>>(), "{spec} {goal}: not only turns");
            cells.check(&case, query).unwrap();
        }
    }
}
