//! Many random queries on small maps, with every planner compared with the oracle. The maps vary in size, density and
//! texture, and each is asked from a few starts to all goals, so that a million queries take about a minute:
//!
//! ```text
//! OCTILE_RANDOM_QUERIES=1000000 cargo test --release -p octile --test it random -- --nocapture
//! ```
//!
//! `OCTILE_RANDOM_SEED` changes the maps.

use octile::formats::generate;
use octile::geometry::Dice;
use octile::{Cell, Finder, Grid, Guarantee, Movement, Path, PathQuery};
use octile_testkit::judge::Agreement;
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use octile_testkit::setting;
use octile_testkit::{judge, maps, planners};

#[test]
fn planners_agree_with_the_oracle_on_many_random_queries() {
    let wanted: u64 = setting("OCTILE_RANDOM_QUERIES", 20_000);
    let mut dice = Dice::new(setting("OCTILE_RANDOM_SEED", 1));
    let (mut queries, mut answers) = (0_u64, 0_u64);
    while queries < wanted {
        let movement =
            if dice.hits(7, 10) { Movement::Octile } else { Movement::ALL[number(&mut dice, 0..3) as usize] };
        let grid = random_grid(&mut dice).with_movement(movement);
        let mut finders = finders(&grid);
        let free = free_cells(&grid);
        let starts = (0..free.len().min(4)).map(|_| free[number(&mut dice, 0..free.len() as u32) as usize]);
        for truth in Truth::of_all(&grid, starts.collect::<Vec<_>>()) {
            for &goal in free.iter().filter(|_| dice.hits(1, 4)) {
                // On maps that are too large for the oracle, shortest any-angle paths are compared with each other.
                let mut agreement = Agreement::default();
                for (place, finder) in finders.iter_mut().enumerate() {
                    // Any-angle planners are slow, so they take turns.
                    let is_slow = finder.guarantee() == Guarantee::AnyAngle;
                    if is_slow && !(queries + place as u64).is_multiple_of(8) {
                        continue;
                    }
                    let query = PathQuery::new(truth.start(), goal);
                    let mut path = Path::new();
                    judge::ask(finder, query, &mut path, &truth)
                        .and_then(|()| agreement.check(finder, &path))
                        .unwrap_or_else(|fault| panic!("{fault}\n{grid:?}"));
                    answers += 1;
                }
                queries += 1;
            }
        }
    }
    println!("{queries} queries, {answers} answers, 0 wrong");
}

fn finders(grid: &Grid) -> Vec<Finder> {
    planners::specs(grid).map(|spec| Finder::new(spec, grid).unwrap()).collect()
}

/// A number in a range.
fn number(dice: &mut Dice, range: std::ops::Range<u32>) -> u32 {
    range.start + dice.below((range.end - range.start).into()) as u32
}

/// Rooms, a maze, one of the textures of the testkit, or noise of random density with a few rectangles cut out or
/// filled in; up to 40 x 40, sometimes wider than a window.
fn random_grid(dice: &mut Dice) -> Grid {
    let (side, seed) = (number(dice, 12..48), dice.below(u64::MAX));
    match number(dice, 0..6) {
        0 => return generate::rooms(side, side, number(dice, 3..10), seed).unwrap(),
        1 => return generate::maze(side, side, number(dice, 1..4), seed).unwrap(),
        2 => return maps::textured(dice, 40),
        _ => {}
    }
    let width = if dice.hits(1, 10) { number(dice, 58..140) } else { number(dice, 1..40) };
    let height = number(dice, 1..if width > 40 { 12 } else { 40 });
    let blocked_percent = [0, 5, 20, 35, 45][number(dice, 0..5) as usize];
    let mut builder = Grid::from_fn(width, height, |_| !dice.hits(blocked_percent, 100)).unwrap().edit();
    for _ in 0..number(dice, 0..8) {
        let (x, y) = (number(dice, 0..width), number(dice, 0..height));
        let (w, h) = (number(dice, 1..width / 2 + 2), number(dice, 1..height / 2 + 2));
        let free = dice.hits(2, 5);
        for cell in (y..(y + h).min(height)).flat_map(|y| (x..(x + w).min(width)).map(move |x| Cell::new(x, y))) {
            builder.set(cell, free);
        }
    }
    builder.build()
}
