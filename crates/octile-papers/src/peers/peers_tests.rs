use indicatif::ProgressBar;
use octile::formats::generate::{self, ScenarioConfig};
use octile::path::PathFault;
use octile::{BuildError, Movement};
use octile::{Cell, Guarantee, Output, Path, PathQuery};
use octile_cli::harness::engine::Engine;
use octile_cli::harness::indexes::IndexFiles;
use octile_cli::harness::inputs;
use octile_cli::harness::judge::{Fault, Faults};
use octile_cli::harness::race::{Course, Race};

use super::*;

/// A map with problems whose answers are known.
fn course(name: &str, grid: Grid) -> Course {
    let config = ScenarioConfig { per_bucket: 3, ..ScenarioConfig::default() };
    let problems = generate::scenario(&grid, name, &config).problems;
    let tasks = inputs::number(problems).collect();
    Course { name: name.to_owned(), grid, tasks, indexes: IndexFiles::default(), answers_known: true }
}

/// All peers against `astar` on a map.
fn race(grid: Grid, output: Output) -> Race {
    let mut race = Race::new(vec!["astar".parse().unwrap()], output, 1);
    for peer in &PEERS {
        race.enter_engine(Engine::Peer(peer), 1);
    }
    race.run(&course("map", grid), &ProgressBar::hidden()).unwrap();
    race
}

fn faults(race: &Race, name: &str) -> Faults {
    race.entrants.iter().find(|entrant| entrant.engine.to_string() == name).unwrap().faults
}

#[test]
fn pathfinding_is_right_on_all_kinds_of_maps() {
    let maps = [
        generate::rooms(40, 30, 8, 1),
        generate::maze(31, 40, 2, 2),
        generate::random(40, 40, 35, 3),
        generate::open(20, 9),
    ];
    for (grid, output) in maps.into_iter().zip([Output::Waypoints, Output::Cells, Output::Cost, Output::Cells]) {
        let race = race(grid.unwrap(), output);
        for name in ["peer/pathfinding", "peer/pathfinding-moves"] {
            assert_eq!(faults(&race, name), Faults::default(), "{name}");
        }
        assert!(race.wrong.is_empty() && race.queries() > 10);
        let (ours, theirs) = (&race.entrants[0], &race.entrants[1]);
        assert!((ours.common_length() - theirs.common_length()).abs() < 1e-6 && theirs.expanded.iter().any(|&n| n > 0));
    }
}

#[test]
fn unreachable_goals_and_long_paths_are_no_trouble() {
    // Wide enough that costs need 64 bits.
    let mut grid = Grid::open(400, 400).unwrap().edit();
    for y in 0..400 {
        grid.set(Cell::new(200, y), false);
    }
    let grid = grid.build();
    let mut path = Path::new();
    for peer in &PEERS {
        let mut finder = peer.build(&grid).unwrap();
        assert_eq!((finder.name(), finder.guarantee()), (peer.name, Guarantee::GridOptimal));
        for (goal, found) in [((399, 9), false), ((199, 399), true), ((0, 0), true)] {
            let query = PathQuery::new(Cell::new(0, 0), Cell::new(goal.0, goal.1));
            assert_eq!(finder.plan(query, &mut path), Ok(found), "{} to {goal:?}", peer.name);
            assert!(!found || path.check(&grid, query.start, query.goal).is_ok());
        }
    }
}

#[test]
fn cut_corners_are_found_and_counted() {
    let grid: Grid = "..\n@.".parse().unwrap();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(1, 1));
    let mut path = Path::new();
    let peer = PEERS.iter().find(|peer| peer.name == "peer/grid-pathfinding").unwrap();
    assert_eq!(peer.build(&grid).unwrap().plan(query, &mut path), Ok(true));
    assert_eq!(path.check(&grid, query.start, query.goal), Err(PathFault::Move { from: query.start, to: query.goal }));

    let race = race(generate::random(60, 60, 20, 1).unwrap(), Output::Waypoints);
    let entrant = race.entrants.last().unwrap();
    assert!(entrant.faults.illegal > race.queries() / 4, "{:?}", entrant.faults);
    assert!(entrant.faults.total() < race.queries() && entrant.common_length().is_infinite());
    assert!(matches!(entrant.first_wrong.as_ref().unwrap().fault, Fault::Illegal(_)));
    // No fault of ours, and no reason to compare the others on fewer queries.
    assert!(race.wrong.is_empty() && race.answered_by_all() == race.queries());
}

#[test]
fn only_the_benchmarks_rule_is_known() {
    let grid = Grid::open(3, 3).unwrap().with_movement(Movement::Tile);
    for peer in &PEERS {
        assert!(matches!(peer.build(&grid), Err(BuildError::Movement { asked: Movement::Tile, .. })));
    }
}
