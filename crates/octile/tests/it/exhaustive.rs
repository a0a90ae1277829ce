//! Exhaustive small worlds: every map of 4 x 3 cells, every pair of free cells, every planner under every movement rule
//! it supports. `OCTILE_EXHAUSTIVE=4x4` runs all maps of 4 x 4 instead (minutes).

use octile::{Cell, Finder, Grid, Movement, Path, Query};
use octile_testkit::oracle::Truth;
use octile_testkit::{judge, planners};

#[test]
fn every_small_map_every_pair_every_planner() {
    let (width, height) = match std::env::var("OCTILE_EXHAUSTIVE").as_deref() {
        Ok("4x4") => (4, 4),
        _ => (4, 3),
    };
    let mut pairs = 0;
    for bits in 0_u32..1 << (width * height) {
        let grid = Grid::from_fn(width, height, |cell| bits >> (cell.y * width + cell.x) & 1 == 1).unwrap();
        for movement in Movement::ALL {
            pairs += check_map(&grid.with_movement(movement));
        }
    }
    if (width, height) == (4, 3) {
        // 4,096 maps: 12 x 11 ordered pairs and 12 single cells, each free in a quarter or half of them; three rules.
        assert_eq!(pairs, 3 * (12 * 11 * 4096 / 4 + 12 * 4096 / 2));
    }
}

/// Asks every planner for every pair; returns how many pairs there are.
fn check_map(grid: &Grid) -> u32 {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let truths: Vec<(Cell, Truth)> = free.iter().map(|&start| (start, Truth::new(grid, start))).collect();
    for spec in planners::specs(grid) {
        let mut finder = Finder::new(spec, grid).unwrap();
        let mut path = Path::new();
        for (start, truth) in &truths {
            for &goal in &free {
                judge::ask(&mut finder, Query::new(*start, goal), &mut path, truth)
                    .unwrap_or_else(|fault| panic!("{spec}: {fault}\n{grid:?}"));
            }
        }
    }
    (free.len() * free.len()) as u32
}
