//! Traces for Posthoc: every planner gives JSON, with the costs of its search or none.

use octile::formats::{generate, posthoc};
use octile::services::Film;
use octile::{Catalog, Engine, Grid, Path, Query};
use octile_testkit::maps::free_cells;

fn grid() -> Grid {
    generate::random(48, 32, 20, 3).unwrap()
}

fn trace(planner: &str) -> (String, Path) {
    let grid = grid();
    let engine = Engine::new(planner, &grid).unwrap();
    let free = free_cells(&grid);
    let start = free[0];
    let goal = *free.iter().rev().find(|&&cell| grid.may_connect(start, cell)).unwrap();
    let (mut film, mut path) = (Film::default(), Path::new());
    assert!(engine.plan_probed(Query::new(start, goal), &mut path, &mut film).unwrap());
    (posthoc::write(&film, &grid, Some(&path)), path)
}

/// The events with their numbers.
fn events(trace: &str) -> Vec<serde_json::Value> {
    let json: serde_json::Value = serde_json::from_str(trace).unwrap();
    json["events"].as_array().unwrap().clone()
}

#[test]
fn every_planner_has_a_valid_json_trace() {
    for entry in Catalog::standard().planners() {
        let name = if entry.name() == "weighted-astar" { "weighted-astar:weight=2" } else { entry.name() };
        let (trace, _) = trace(name);
        let events = events(&trace);
        assert_eq!(events[0]["type"], "source", "{name}");
        assert_eq!(events.last().unwrap()["type"], "path", "{name}");
    }
}

#[test]
fn costs_in_a_trace_match_the_search() {
    for name in ["dijkstra", "astar"] {
        let (trace, path) = trace(name);
        let events = events(&trace);
        let field = octile::Field::new(&grid(), &[path.cells().unwrap().next().unwrap()]).unwrap();
        let mut expanded = 0;
        for event in events.iter().filter(|event| event["type"] == "expanding") {
            let at = |name: &str| event[name].as_u64().unwrap() as u32;
            let (g, best) = (event["g"].as_f64().unwrap(), field.length((at("x"), at("y"))).unwrap());
            assert!((g - best).abs() < 1e-9, "{name}: {g} is not {best} in {event}");
            expanded += 1;
        }
        assert!(expanded > 20, "{name}: {expanded}");
    }
}

#[test]
fn unknown_costs_are_left_out() {
    let (trace, _) = trace("theta-star");
    assert!(events(&trace).iter().all(|event| event["g"].is_null()));
}
