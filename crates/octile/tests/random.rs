//! Many random queries on small maps, every planner against the oracle. The maps vary in size, density and texture, and
//! each is asked from a few starts to all goals, so that a million queries take about a minute:
//!
//! ```text
//! OCTILE_RANDOM_QUERIES=1000000 cargo test --release -p octile --test random -- --nocapture
//! ```
//!
//! `OCTILE_RANDOM_SEED` changes the maps, `OCTILE_RANDOM_PLANNER` restricts the run to one spec.

use octile::grid::generate;
use octile::{Cell, Finder, Grid, Guarantee, Movement, Path, Query};
use octile_testkit::oracle::Truth;
use octile_testkit::{judge, planners};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")),
        Err(_) => default,
    }
}

#[test]
fn planners_agree_with_the_oracle_on_many_random_queries() {
    let wanted: u64 = setting("OCTILE_RANDOM_QUERIES", 100_000);
    let mut rng = ChaCha8Rng::seed_from_u64(setting("OCTILE_RANDOM_SEED", 1));
    let only: Option<String> = std::env::var("OCTILE_RANDOM_PLANNER").ok();
    let (mut queries, mut answers) = (0_u64, 0_u64);
    while queries < wanted {
        let movement = if rng.random_bool(0.7) { Movement::Octile } else { Movement::ALL[rng.random_range(0..3)] };
        let grid = random_grid(&mut rng).with_movement(movement);
        let mut finders = finders(&grid, only.as_deref());
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        for _ in 0..free.len().min(4) {
            let start = free[rng.random_range(0..free.len())];
            let truth = Truth::new(&grid, start);
            for &goal in free.iter().filter(|_| rng.random_bool(0.25)) {
                for (place, finder) in finders.iter_mut().enumerate() {
                    // Any-angle planners are slow: they take turns.
                    let is_slow = finder.guarantee() == Guarantee::AnyAngle;
                    if is_slow && only.is_none() && !(queries + place as u64).is_multiple_of(8) {
                        continue;
                    }
                    let query = Query::new(start, goal);
                    judge::ask(finder, query, &mut Path::new(), &truth)
                        .unwrap_or_else(|fault| panic!("{fault}\n{grid:?}"));
                    answers += 1;
                }
                queries += 1;
            }
        }
    }
    println!("{queries} queries, {answers} answers, 0 wrong");
}

fn finders(grid: &Grid, only: Option<&str>) -> Vec<Finder> {
    let chosen = planners::specs(grid).filter(|&spec| only.is_none_or(|only| only == spec));
    chosen.map(|spec| Finder::new(spec, grid).unwrap()).collect()
}

/// Rooms, a maze, or noise of some density with a few rectangles cut out or filled in; up to 40 x 40, sometimes wider than
/// a window.
fn random_grid(rng: &mut ChaCha8Rng) -> Grid {
    let (side, seed) = (rng.random_range(12..48), rng.random());
    match rng.random_range(0..5) {
        0 => return generate::rooms(side, side, rng.random_range(3..10), seed).unwrap(),
        1 => return generate::maze(side, side, rng.random_range(1..4), seed).unwrap(),
        _ => {}
    }
    let width = if rng.random_bool(0.1) { rng.random_range(58..140) } else { rng.random_range(1..40) };
    let height = rng.random_range(1..if width > 40 { 12 } else { 40 });
    let blocked = *[0.0, 0.05, 0.2, 0.35, 0.45].get(rng.random_range(0..5_usize)).unwrap();
    let mut builder = Grid::from_fn(width, height, |_| !rng.random_bool(blocked)).unwrap().edit();
    for _ in 0..rng.random_range(0..8) {
        let (x, y) = (rng.random_range(0..width), rng.random_range(0..height));
        let (w, h) = (rng.random_range(1..=width / 2 + 1), rng.random_range(1..=height / 2 + 1));
        let free = rng.random_bool(0.4);
        for cell in (y..(y + h).min(height)).flat_map(|y| (x..(x + w).min(width)).map(move |x| Cell::new(x, y))) {
            builder.set(cell, free);
        }
    }
    builder.build()
}
