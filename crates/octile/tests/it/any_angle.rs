//! Shortest any-angle paths: all pairs of cells of many small random maps, compared with the oracle, under both squeeze
//! rules and for both kinds of endpoints.
//!
//! ```text
//! OCTILE_ANY_ANGLE_MAPS=20000 cargo test --release -p octile --test it any_angle -- --nocapture
//! ```

use octile::geometry::{Dice, Endpoints};
use octile::grid::Squeeze;
use octile::planner::Entry;
use octile::{Catalog, Finder, Grid, Guarantee};
use octile_testkit::any_angle::Sights;
use octile_testkit::judge::TOLERANCE;
use octile_testkit::maps::free_cells;
use octile_testkit::setting;

/// The planners that promise shortest paths.
fn planners() -> Vec<&'static str> {
    let catalog = Catalog::standard();
    let is_shortest = |entry: &&Entry| entry.config().facts().guarantee == Guarantee::AnyAngleOptimal;
    catalog.planners().iter().filter(is_shortest).map(Entry::name).collect()
}

#[test]
fn all_pairs_of_random_maps_have_shortest_paths() {
    let planners = planners();
    assert!(planners.len() >= 3, "{planners:?}");
    let maps: u64 = setting("OCTILE_ANY_ANGLE_MAPS", 120);
    let mut dice = Dice::new(20);
    let mut pairs = 0;
    for number in 0..maps {
        let grid = random_grid(&mut dice);
        let (squeeze, ends) = (Squeeze::ALL[number as usize % 2], Endpoints::ALL[number as usize / 2 % 2]);
        let spec = |name: &&str| format!("{name}:squeeze={squeeze},ends={ends}");
        let mut finders: Vec<Finder> = planners.iter().map(|name| Finder::new(spec(name), &grid).unwrap()).collect();
        pairs += check_all_pairs(&grid, squeeze, ends, &mut finders);
    }
    println!("{maps} maps, {pairs} pairs of cells, {} planners, 0 wrong", planners.len());
}

/// Asks for all pairs of free cells; returns their number.
fn check_all_pairs(grid: &Grid, squeeze: Squeeze, ends: Endpoints, finders: &mut [Finder]) -> usize {
    let free = free_cells(grid);
    let sights = Sights::new(grid, squeeze);
    for &start in &free {
        let lengths = sights.lengths_from(ends.point(start));
        for &goal in &free {
            let expected = sights.length(&lengths, ends.point(goal));
            for finder in &mut *finders {
                let path = finder.find(start, goal).unwrap();
                let found = path.as_ref().map(octile::Path::length);
                let is_right = match (found, expected) {
                    (Some(found), Some(expected)) => (found - expected).abs() <= TOLERANCE * expected,
                    _ => found.is_none() && expected.is_none(),
                };
                let name = finder.name();
                assert!(is_right, "{name} {squeeze} {ends} {start} {goal}: {found:?}, not {expected:?}\n{grid:?}");
                if let Some(path) = path {
                    path.check(grid, start, goal).unwrap_or_else(|fault| panic!("{name}: {fault}\n{grid:?}"));
                }
            }
        }
    }
    free.len() * free.len()
}

/// A map of up to 8 x 8 cells of random density, with a few bars and boxes.
fn random_grid(dice: &mut Dice) -> Grid {
    let [width, height] = [(); 2].map(|()| 1 + dice.below(8) as u32);
    let blocked = [8, 15, 25, 35, 45, 60][dice.below(6) as usize];
    let mut builder = Grid::from_fn(width, height, |_| !dice.hits(blocked, 100)).unwrap().edit();
    for _ in 0..dice.below(4) {
        let [x, y] = [width, height].map(|side| dice.below(side.into()) as u32);
        let [right, bottom] = [x, y].map(|from| from + dice.below(4) as u32);
        let free = dice.hits(1, 2);
        for cell in (y..=bottom.min(height - 1)).flat_map(|y| (x..=right.min(width - 1)).map(move |x| (x, y))) {
            builder.set(cell, free);
        }
    }
    builder.build()
}

/// Lengths of any-angle paths are sums of square roots: JSON must keep every bit, however it is read.
#[cfg(feature = "serde")]
#[test]
fn json_keeps_every_bit_of_a_length() {
    use octile::formats::generate;
    use octile::planner::AnswerSummary;
    use octile::{Answer, Output, Path, PathCost, Query};

    let (mut dice, mut lengths) = (Dice::new(5), std::collections::HashSet::new());
    for (seed, spec) in (0..).zip([
        "theta-star",
        "lazy-theta-star",
        "taut-sight",
        "taut-graph:squeeze=forbidden",
        "taut-labels:ends=centres",
        "jps:smooth=greedy,ends=centres",
    ]) {
        let grid = generate::random(60, 45, 20, seed).unwrap();
        let mut finder = Finder::new(spec, &grid).unwrap();
        let free = free_cells(&grid);
        let (mut path, mut answer) = (Path::new(), Answer::new());
        for round in 0..600 {
            let [start, goal] = [(); 2].map(|()| free[dice.below(free.len() as u64) as usize]);
            let output = [Output::Cells, Output::Cost][round % 2];
            if !finder.plan(Query::new(start, goal).output(output), &mut path).unwrap() {
                continue;
            }
            let bits = path.length().to_bits();
            lengths.insert(bits);
            let text = serde_json::to_string(&path).unwrap();
            let again: Path = serde_json::from_str(&text).unwrap();
            assert_eq!((again.length().to_bits(), &again), (bits, &path), "{spec}: {text}");
            let value = serde_json::to_value(&path).unwrap();
            let again: Path = serde_json::from_value(value).unwrap();
            assert_eq!(again.length().to_bits(), bits, "{spec}: {text}");
            let pretty: Path = serde_json::from_slice(&serde_json::to_vec_pretty(&path).unwrap()).unwrap();
            assert_eq!(pretty.length().to_bits(), bits, "{spec}: {text}");
            let cost: PathCost = serde_json::from_str(&serde_json::to_string(&path.cost()).unwrap()).unwrap();
            assert_eq!(cost.length().to_bits(), bits);
            // The digits are those that Rust prints, which are the fewest that identify the number.
            let digits = path.length().to_string();
            assert!(text.contains(&format!("{digits},")) || text.contains(&format!("{digits}.0,")), "{digits}: {text}");
            let reply = finder.ask_into(Query::new(start, goal).nearest().max_cost(7.5), &mut answer).unwrap();
            let again: AnswerSummary = serde_json::from_str(&serde_json::to_string(&reply).unwrap()).unwrap();
            assert_eq!(again.away.to_bits(), reply.away.to_bits());
        }
    }
    assert!(lengths.len() > 1500, "{}", lengths.len());
}
