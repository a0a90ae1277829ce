//! Exhaustive small worlds: every map of 4 x 3 cells, every pair of free cells, every planner under every supported
//! movement rule. `OCTILE_EXHAUSTIVE=4x4` runs all maps of 4 x 4 instead (minutes), `3x3` those of 3 x 3 (a tenth of
//! the time).

use octile::{Finder, Grid, Movement, Path, PathQuery};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use octile_testkit::{judge, planners};
use rayon::prelude::*;

#[test]
fn every_small_map_every_pair_every_planner() {
    check_rule(Movement::Octile);
}

#[test]
fn every_small_map_every_pair_every_planner_with_four_neighbours() {
    check_rule(Movement::Tile);
}

#[test]
fn every_small_map_every_pair_every_planner_that_cuts_corners() {
    check_rule(Movement::OctileCutting);
}

fn check_rule(movement: Movement) {
    let (width, height) = match std::env::var("OCTILE_EXHAUSTIVE").as_deref() {
        Ok("4x4") => (4, 4),
        Ok("3x3") => (3, 3),
        Ok("4x3") | Err(_) => (4, 3),
        Ok(other) => panic!("OCTILE_EXHAUSTIVE={other}: expected 3x3, 4x3 or 4x4"),
    };
    let grid = |bits: u32| Grid::from_fn(width, height, |cell| bits >> (cell.y * width + cell.x) & 1 == 1).unwrap();
    let pairs: u32 =
        (0..1 << (width * height)).into_par_iter().map(|bits| check_map(&grid(bits).with_movement(movement))).sum();
    // All 4,096 maps of 4 x 3: 12 x 11 ordered pairs and 12 single cells, each free in a quarter or half of them.
    let (cells, maps) = (width * height, 1 << (width * height));
    assert_eq!(pairs, cells * (cells - 1) * (maps / 4) + cells * (maps / 2));
}

/// Asks every planner for every pair; returns how many pairs there are.
fn check_map(grid: &Grid) -> u32 {
    let free = free_cells(grid);
    let truths = Truth::of_all(grid, free.iter().copied());
    for spec in planners::specs(grid) {
        let mut finder = Finder::new(spec, grid).unwrap();
        let mut path = Path::new();
        for truth in &truths {
            for &goal in &free {
                judge::ask(&mut finder, PathQuery::new(truth.start(), goal), &mut path, truth)
                    .unwrap_or_else(|fault| panic!("{spec}: {fault}\n{grid:?}"));
            }
        }
    }
    (free.len() * free.len()) as u32
}
