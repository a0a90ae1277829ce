//! The maps and the problems on them: made at random, or those of games.

use std::collections::BTreeMap;

use anyhow::Result;
use octile::formats::generate;
use octile::formats::movingai::scen::Problem;
use octile::geometry::Dice;
use octile::{Cell, Grid, ThetaStar};
use octile_cli::harness::indexes::IndexFiles;
use octile_cli::harness::inputs::{self, Task};
use octile_cli::harness::race::Course;

use super::amounts::{Amounts, GAME_MAPS, OTHER_MAPS, SCENARIO_PROBLEMS, work};
use crate::benchmarks::{Set, Source};
use crate::dice::{pairs, seeds};
use crate::papers::block_astar::{DataSet, Game};
use crate::plan::{Plan, spread};

/// A map of a data set, not yet loaded or made.
pub(super) struct Site<'a> {
    /// What tells it from the others of its set.
    pub(super) name: String,
    origin: Origin<'a>,
}

enum Origin<'a> {
    Random {
        percent: u32,
        side: u32,
        seed: u64,
        problems: usize,
    },
    Starcraft {
        source: &'a Source,
        seed: u64,
        problems: usize,
    },
    /// Every Nth problem of its scenario in a full run.
    Scenario {
        source: &'a Source,
        every: usize,
    },
}

/// The maps of a data set that are measured; none if none is at hand.
pub(super) fn sites<'a>(set: DataSet, plan: &'a Plan, amounts: &Amounts) -> Vec<Site<'a>> {
    match set {
        DataSet::Random(percent) => {
            let &Amounts { random_side: side, random_problems: problems, .. } = amounts;
            let random = |seed| Origin::Random { percent, side, seed, problems };
            let seeds = seeds(amounts.seed).take(amounts.random_maps);
            seeds.map(|seed| Site { name: format!("seed-{seed}"), origin: random(seed) }).collect()
        }
        DataSet::Game(Game::Starcraft) => {
            let problems = amounts.starcraft_problems;
            let all: Vec<&Source> = plan.maps.of(&Set::Sc1).iter().collect();
            let sources = if plan.full { all } else { spread(all, GAME_MAPS) };
            let site = |(source, seed): (&'a Source, u64)| Site {
                name: source.name.clone(),
                origin: Origin::Starcraft { source, seed, problems },
            };
            sources.into_iter().zip(seeds(amounts.seed)).map(site).collect()
        }
        DataSet::Game(game) => of_scenarios(plan, &set_of(game), GAME_MAPS).collect(),
    }
}

/// The benchmark's kinds of maps that are not of games, each with its maps that are measured.
pub(super) fn others(plan: &Plan) -> Vec<(String, Vec<Site<'_>>)> {
    let mut kinds: BTreeMap<String, Vec<Site>> = BTreeMap::new();
    let is_made = |set: &&Set| matches!(set, Set::Room(_) | Set::Maze(_) | Set::Random(_));
    for set in plan.maps.sets().filter(is_made) {
        kinds.entry(set.family()).or_default().extend(of_scenarios(plan, set, OTHER_MAPS));
    }
    kinds.into_iter().collect()
}

/// The maps of a set with the problems of their scenario files: all in a full run, otherwise `quick` of them.
fn of_scenarios<'a>(plan: &'a Plan, set: &Set, quick: usize) -> impl Iterator<Item = Site<'a>> + use<'a> {
    let every = work(plan, set).every;
    let site = move |source: &'a Source| Site { name: source.name.clone(), origin: Origin::Scenario { source, every } };
    plan.chosen(set, quick).into_iter().map(site)
}

/// The benchmark's maps of a game.
pub(super) fn set_of(game: Game) -> Set {
    match game {
        Game::Starcraft => Set::Sc1,
        Game::Bg2 => Set::Bg512,
        Game::Dao => Set::Dao,
    }
}

impl Site<'_> {
    /// The map with its problems.
    pub(super) fn course(&self, plan: &Plan) -> Result<Course> {
        match self.origin {
            Origin::Random { percent, side, seed, problems } => random(percent, side, seed, problems),
            Origin::Starcraft { source, seed, problems } => {
                at_random(source.name.clone(), source.grid()?, &mut Dice::new(seed), problems)
            }
            Origin::Scenario { source, every } => {
                let (grid, mut tasks) = source.load()?;
                tasks.retain(|task| task.problem.optimum().is_some());
                let tasks = plan.sample(tasks, SCENARIO_PROBLEMS, every);
                Ok(Course {
                    name: source.name.clone(),
                    grid,
                    tasks,
                    indexes: IndexFiles::default(),
                    answers_known: true,
                })
            }
        }
    }
}

/// A map on which each cell is blocked with a chance of `percent` in a hundred, as the paper's, with problems on it.
///
/// (The generator of random maps in the library blocks all that is cut off from the largest area, as the benchmark
/// does. Where half of the cells are blocked, only paths that squeeze between obstacles lead anywhere, and hardly a
/// cell would be left.)
pub(super) fn random(percent: u32, side: u32, seed: u64, problems: usize) -> Result<Course> {
    let mut dice = Dice::new(seed);
    let grid = Grid::from_fn(side, side, |_| !dice.hits(percent.into(), 100))?;
    let name = format!("the random map of {side} x {side} cells, {percent} % blocked, seed {seed}");
    at_random(name, grid, &mut dice, problems)
}

/// A map without obstacles, with problems on it.
pub(super) fn open(side: u32, seed: u64, problems: usize) -> Result<Course> {
    let name = format!("the open map of {side} x {side} cells, seed {seed}");
    at_random(name, generate::open(side, side)?, &mut Dice::new(seed), problems)
}

/// A map with one problem on it.
pub(super) fn single(name: &str, grid: Grid, start: Cell, goal: Cell) -> Course {
    let tasks = inputs::number(vec![problem(name, &grid, start, goal)]).collect();
    Course { name: name.to_owned(), grid, tasks, indexes: IndexFiles::default(), answers_known: false }
}

/// A map with random problems on it.
fn at_random(name: String, grid: Grid, dice: &mut Dice, problems: usize) -> Result<Course> {
    let pairs = connected_pairs(&grid, dice, problems)?.into_iter();
    let problems = pairs.map(|(start, goal)| problem(&name, &grid, start, goal)).collect();
    let tasks: Vec<Task> = inputs::number(problems).collect();
    Ok(Course { name, grid, tasks, indexes: IndexFiles::default(), answers_known: false })
}

/// One whose answer is not known.
fn problem(map: &str, grid: &Grid, start: Cell, goal: Cell) -> Problem {
    let (width, height) = (grid.width(), grid.height());
    Problem { bucket: 0, map: map.to_owned(), width, height, start, goal, length: 0.0 }
}

/// So many pairs of free cells, all equally likely whose corners a path that may squeeze connects. Less, if they are
/// too rare to be found.
fn connected_pairs(grid: &Grid, dice: &mut Dice, count: usize) -> Result<Vec<(Cell, Cell)>> {
    let corners = ThetaStar::default().planner(grid)?;
    Ok(pairs(dice, grid, count, |a, b| corners.may_connect(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_maps_are_as_blocked_as_told_and_have_their_problems() {
        for percent in [0, 10, 50] {
            let course = random(percent, 200, 3, 20).unwrap();
            let blocked = 100.0 * (1.0 - f64::from(course.grid.free_cells()) / 40_000.0);
            assert!((blocked - f64::from(percent)).abs() < 1.0, "{blocked}");
            assert_eq!(course.tasks.len(), 20);
            assert_eq!(course.grid, random(percent, 200, 3, 20).unwrap().grid);
        }
        assert_ne!(random(50, 50, 1, 0).unwrap().grid, random(50, 50, 2, 0).unwrap().grid);
        assert!(random(100, 9, 1, 5).unwrap().tasks.is_empty());
    }

    #[test]
    fn ends_may_be_joined_by_squeezing_alone() {
        let grid: Grid = ".@\n@.".parse().unwrap();
        let pairs = connected_pairs(&grid, &mut Dice::new(1), 9).unwrap();
        assert!(pairs.len() == 9 && pairs.iter().all(|(a, b)| a != b && grid.is_free(*a) && grid.is_free(*b)));
        let apart: Grid = ".@.".parse().unwrap();
        assert!(connected_pairs(&apart, &mut Dice::new(1), 3).unwrap().is_empty());
    }
}
