//! Compressed path databases: every pair of cells on small maps, under all settings.

use octile::algo::cpd::{Cpd, Follow, Layout, Order, Settings, Ties};
use octile::algo::dijkstra;
use octile::grid::generate;
use octile::{Cell, Grid, Movement, Output, Path, Planner, Query};

fn maps() -> Vec<Grid> {
    let drawn = ["....\n.@@.\n.@..\n...@", ".@.@.\n.....\n@@.@@\n.....\n.@.@.", "..@..\n..@..\n..@..", "."];
    let drawn = drawn.into_iter().map(|map| map.parse().unwrap());
    let made = [
        generate::maze(15, 13, 1, 1).unwrap(),
        generate::maze(21, 17, 3, 2).unwrap(),
        generate::rooms(19, 19, 5, 3).unwrap(),
        generate::random(18, 14, 30, 4).unwrap(),
        generate::random(30, 9, 15, 5).unwrap(),
        Grid::open(12, 9).unwrap(),
    ];
    drawn.chain(made).collect()
}

fn all_settings() -> Vec<Settings> {
    let mut all = Vec::new();
    for layout in Layout::ALL {
        for order in Order::ALL {
            for ties in Ties::ALL {
                for symbol in ["heuristic", "none"] {
                    let text = format!("layout={layout},order={order},ties={ties},symbol={symbol}");
                    all.push(text.parse().unwrap());
                    if layout == Layout::Rectangles {
                        all.push(format!("{text},default=move").parse().unwrap());
                    }
                }
            }
        }
    }
    all
}

/// Every path is legal and as long as the oracle says, and a path exists where it says so.
fn check_all_pairs(grid: &Grid, planner: &Cpd, name: &str) -> u32 {
    let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let mut found = 0;
    for &start in &free {
        let truth = dijkstra::distances(grid, start);
        for &goal in &free {
            let query = Query::new(start, goal).output(if found % 2 == 0 { Output::Cells } else { Output::Waypoints });
            let exists = planner.plan(&mut scratch, query, &mut path).unwrap();
            let cost = exists.then(|| path.cost().grid().unwrap());
            assert_eq!(cost, truth.to(goal), "{name}: {start} to {goal}\n{grid:?}");
            if exists {
                path.check(grid, query).unwrap_or_else(|fault| panic!("{name}: {start} to {goal}: {fault}\n{grid:?}"));
                let first = planner.first_move(start, goal).unwrap();
                assert_eq!(first.is_some(), start != goal);
                let moves: Vec<_> = planner.moves(start, goal).unwrap().collect();
                assert_eq!(moves.first().copied(), first);
                assert_eq!(moves.iter().fold(start, |at, dir| dir.step(at, 1)), goal);
                found += 1;
            }
        }
    }
    found
}

#[test]
fn every_pair_has_an_optimal_path_under_all_settings() {
    let mut found = 0;
    for grid in maps() {
        for settings in all_settings() {
            let planner = Cpd::build(&grid, settings).unwrap();
            found += check_all_pairs(&grid, &planner, &settings.to_string());
            if settings.order == Order::Dfs {
                found += check_all_pairs(&grid, &planner.with_follow(Follow::Moves), &settings.to_string());
            }
        }
    }
    assert!(found > 1_000_000, "{found}");
}

#[test]
fn every_movement_rule_is_kept() {
    for map in maps() {
        for movement in [Movement::Tile, Movement::OctileCutting] {
            let grid = map.with_movement(movement);
            for layout in Layout::ALL {
                for settings in ["ties=diagonals", "ties=mask,symbol=heuristic"] {
                    let settings = format!("layout={layout},{settings}").parse().unwrap();
                    check_all_pairs(&grid, &Cpd::build(&grid, settings).unwrap(), &settings.to_string());
                }
            }
        }
    }
}
