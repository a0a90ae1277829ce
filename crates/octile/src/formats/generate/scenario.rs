//! Problems on a map, spread evenly over all lengths.

use std::collections::BTreeMap;

use super::random_free_cell;
use crate::formats::movingai::scen::{Problem, Scenario};
use crate::geometry::{Cell, Dice};
use crate::grid::Grid;
use crate::services::{Distances, distances};

/// Options for [`scenario`]. The defaults are those of the benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioConfig {
    /// The maximum number of problems of a bucket.
    pub per_bucket: usize,
    /// A problem of length `l` belongs to bucket `floor(l / bucket_width)`; 0 counts as 1.
    pub bucket_width: u32,
    /// The number of random start cells. Generating takes that many searches of the whole map, and a bucket gets at
    /// most that many problems.
    pub sources: usize,
    /// Equal seeds give equal scenarios.
    pub seed: u64,
}

impl Default for ScenarioConfig {
    /// Buckets 4 wide, 10 problems in each, from 50 sources.
    fn default() -> Self {
        Self { per_bucket: 10, bucket_width: 4, sources: 50, seed: 0 }
    }
}

/// Problems on `grid` with their exact shortest lengths, in buckets by length like those of the benchmark.
///
/// For each of [`sources`](ScenarioConfig::sources) random start cells, one random goal is drawn in every bucket that
/// it reaches; each bucket keeps a random sample of these. So short and long problems are equally frequent, but the
/// longest buckets, which few cells reach, may have fewer than [`per_bucket`](ScenarioConfig::per_bucket). No problem
/// is repeated. A map with fewer than two connected cells gets an empty scenario. `map_name` is the name of the map
/// stated in the problems. On a map with prices, lengths follow its convention, to the last digit.
///
/// ```
/// use octile::formats::generate::{self, ScenarioConfig};
/// let grid = generate::rooms(64, 64, 16, 1)?;
/// let scenario = generate::scenario(&grid, "rooms.map", &ScenarioConfig::default());
/// let longest = scenario.problems.last().expect("there are problems");
/// assert_eq!(longest.bucket, (longest.length / 4.0) as u32);
/// # Ok::<(), generate::GenerateError>(())
/// ```
pub fn scenario(grid: &Grid, map_name: &str, config: &ScenarioConfig) -> Scenario {
    let mut dice = Dice::new(config.seed);
    let mut buckets = BTreeMap::new();
    let sources = if config.per_bucket == 0 { 0 } else { config.sources };
    for _ in 0..sources {
        let Some(source) = random_free_cell(grid, &mut dice) else { break };
        let distances = distances(grid, source);
        for (bucket, offer) in goals(grid, source, &distances, config.bucket_width, &mut dice) {
            let kept: &mut Sample = buckets.entry(bucket).or_default();
            kept.offer((source, offer.goal, offer.length), config.per_bucket, &mut dice);
        }
    }
    let problem = |bucket, (start, goal, length)| Problem {
        bucket,
        map: map_name.to_owned(),
        width: grid.width(),
        height: grid.height(),
        start,
        goal,
        length,
    };
    let problems = |(bucket, sample): (u32, Sample)| sample.kept.into_iter().map(move |kept| problem(bucket, kept));
    Scenario { problems: buckets.into_iter().flat_map(problems).collect() }
}

/// A goal drawn from a bucket.
struct Offer {
    goal: Cell,
    length: f64,
    drawn_from: u64,
}

/// A random goal in every bucket that the source reaches.
fn goals(grid: &Grid, source: Cell, distances: &Distances, bucket_width: u32, dice: &mut Dice) -> BTreeMap<u32, Offer> {
    let mut offers: BTreeMap<u32, Offer> = BTreeMap::new();
    for goal in grid.cells().filter(|&cell| cell != source) {
        let Some(length) = distances.length(goal) else { continue };
        let bucket = (length / f64::from(bucket_width.max(1))) as u32;
        let offer = offers.entry(bucket).or_insert(Offer { goal, length, drawn_from: 0 });
        offer.drawn_from += 1;
        if dice.hits(1, offer.drawn_from) {
            (offer.goal, offer.length) = (goal, length);
        }
    }
    offers
}

/// A random sample of limited size of all offers.
#[derive(Default)]
struct Sample {
    kept: Vec<(Cell, Cell, f64)>,
    offered: u64,
}

impl Sample {
    /// Every offer has the same chance of being kept in the end; duplicates are dropped.
    fn offer(&mut self, item: (Cell, Cell, f64), limit: usize, dice: &mut Dice) {
        if self.kept.contains(&item) {
            return;
        }
        self.offered += 1;
        if self.kept.len() < limit {
            self.kept.push(item);
            return;
        }
        let place = dice.below(self.offered) as usize;
        if let Some(kept) = self.kept.get_mut(place) {
            *kept = item;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::formats::generate;
    use crate::formats::movingai::scen;
    use crate::grid::{Convention, Movement};

    /// Checks every problem and the order and size of the buckets.
    fn check(grid: &Grid, config: &ScenarioConfig) -> Scenario {
        let scenario = scenario(grid, "a map", config);
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        for problem in &scenario.problems {
            let optimum =
                crate::services::distances(grid, problem.start).cost(problem.goal).expect("goals are reachable");
            assert_eq!(problem.length.to_bits(), optimum.length().to_bits(), "{problem:?}");
            assert_eq!(problem.bucket, (problem.length / f64::from(config.bucket_width)) as u32, "{problem:?}");
            assert_ne!(problem.start, problem.goal);
            assert_eq!((problem.width, problem.height), (grid.width(), grid.height()));
            assert_eq!(problem.map, "a map");
            *sizes.entry(problem.bucket).or_default() += 1;
        }
        assert!(scenario.problems.is_sorted_by_key(|problem| problem.bucket));
        assert!(sizes.values().all(|&size| size <= config.per_bucket), "{sizes:?}");
        scenario
    }

    #[test]
    fn problems_have_exact_lengths_and_fill_their_buckets() {
        for grid in [generate::rooms(60, 50, 8, 1), generate::maze(60, 50, 2, 1), generate::random(60, 50, 30, 1)] {
            let scenario = check(&grid.unwrap(), &ScenarioConfig { sources: 30, ..ScenarioConfig::default() });
            let size = |bucket| scenario.problems.iter().filter(|problem| problem.bucket == bucket).count();
            assert_eq!([size(0), size(1), size(5), size(9)], [10; 4]);
        }
    }

    #[test]
    fn problems_fit_their_map_and_survive_writing_and_reading() {
        let grid = generate::rooms(40, 30, 8, 1).unwrap();
        let generated = scenario(&grid, "rooms.map", &ScenarioConfig::default());
        let read = scen::parse(scen::write(&generated).as_bytes()).unwrap();
        assert_eq!(read.problems.len(), generated.problems.len());
        for problem in &read.problems {
            assert_eq!(problem.check_fits(&grid), Ok(()));
            assert!(
                problem.agrees(crate::services::distances(&grid, problem.start).cost(problem.goal).map(Into::into)),
                "{problem:?}"
            );
        }
    }

    #[test]
    fn lengths_over_terrain_are_exact_under_every_convention_and_rule() {
        for (convention, movement) in Convention::ALL.into_iter().flat_map(|c| Movement::ALL.map(|m| (c, m))) {
            let base = generate::random(30, 20, 15, 1).unwrap().with_movement(movement);
            let grid = generate::regions(&base, &[2, 4, 10, 250], 5, convention, 1).unwrap();
            let config = ScenarioConfig { per_bucket: 1, bucket_width: 20, sources: 20, seed: 2 };
            let generated = scenario(&grid, "land.map", &config);
            assert!(generated.problems.len() > 20);
            let read = scen::parse(scen::write(&generated).as_bytes()).unwrap();
            assert_eq!(read, generated);
            let mut finder = crate::Finder::new("dijkstra", &grid).unwrap();
            for problem in &read.problems {
                let cost = finder.find(problem.start, problem.goal).unwrap().map(|path| path.cost());
                assert!(problem.agrees(cost), "{convention}, {movement}: {problem:?} {cost:?}");
                assert_eq!(problem.bucket, (problem.length / 20.0) as u32);
            }
        }
    }

    #[test]
    fn prices_of_1_give_the_lengths_of_a_map_without_prices() {
        let plain = generate::rooms(40, 30, 8, 1).unwrap();
        let priced = plain.with_prices(Convention::Average, |_| 1);
        let of = |grid: &Grid| scenario(grid, "", &ScenarioConfig::default()).problems;
        let (plain, priced) = (of(&plain), of(&priced));
        assert_eq!(plain.len(), priced.len());
        let differs =
            |(a, b): (&Problem, &Problem)| (a.start, a.goal) != (b.start, b.goal) || (a.length - b.length).abs() > 1e-9;
        assert!(!plain.iter().zip(&priced).any(differs));
    }

    #[test]
    fn problems_start_all_over_the_map() {
        let grid = generate::open(64, 64).unwrap();
        let problems = scenario(&grid, "open", &ScenarioConfig::default()).problems;
        let starts: HashSet<Cell> = problems.iter().map(|problem| problem.start).collect();
        assert!(starts.len() > 40, "{}", starts.len());
    }

    #[test]
    fn bucket_widths_and_movement_rules_are_used() {
        let grid = generate::rooms(40, 40, 8, 2).unwrap().with_movement(Movement::Tile);
        let config = ScenarioConfig { per_bucket: 3, bucket_width: 7, sources: 9, seed: 5 };
        let lengths: Vec<f64> = check(&grid, &config).problems.iter().map(|problem| problem.length.fract()).collect();
        assert!(!lengths.is_empty() && lengths.iter().all(|&fraction| fraction == 0.0));
    }

    #[test]
    fn equal_seeds_give_equal_scenarios_and_others_do_not() {
        let grid = generate::maze(65, 65, 4, 0).unwrap();
        let of_seed = |seed| scenario(&grid, "maze", &ScenarioConfig { seed, ..ScenarioConfig::default() });
        assert_eq!(of_seed(1), of_seed(1));
        assert_ne!(of_seed(1), of_seed(2));
    }

    #[test]
    fn the_scenario_of_a_seed_never_changes() {
        let grid = generate::maze(33, 33, 3, 0).unwrap();
        let config = ScenarioConfig { per_bucket: 1, bucket_width: 40, sources: 2, seed: 0 };
        let problems = scenario(&grid, "maze", &config).problems;
        let ends: Vec<String> = problems.iter().map(|problem| format!("{} {}", problem.start, problem.goal)).collect();
        assert_eq!(ends, ["19,12 27,5", "19,12 14,21", "7,27 16,3"]);
    }

    #[test]
    fn maps_without_two_connected_cells_have_no_problems() {
        for map in [".", "@", "@@\n@@", ".@\n@.", "@.@"] {
            assert_eq!(scenario(&map.parse().unwrap(), "", &ScenarioConfig::default()).problems, [], "{map}");
        }
        let pair = "..".parse().unwrap();
        let none = ScenarioConfig { per_bucket: 0, ..ScenarioConfig::default() };
        assert_eq!(scenario(&pair, "", &none).problems, []);
        assert_eq!(scenario(&pair, "", &ScenarioConfig::default()).problems.len(), 2, "there and back");
        let no_width = ScenarioConfig { bucket_width: 0, ..ScenarioConfig::default() };
        assert_eq!(scenario(&pair, "", &no_width).problems[0].bucket, 1);
    }
}
