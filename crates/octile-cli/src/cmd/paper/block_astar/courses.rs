//! The maps and the problems on them: made at random, or those of games.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Result;
use octile::algo::theta_star::ThetaStar;
use octile::grid::generate;
use octile::movingai::scen::Problem;
use octile::{Cell, Grid, Movement, Planner};

use super::super::dice::{Dice, seeds};
use crate::indexes::IndexFiles;
use crate::inputs::{self, Selection, Task};
use crate::papers::block_astar::Game;
use crate::race::Course;

/// A map on which each cell is blocked with a chance of `percent` in a hundred, as the paper's, with problems on it.
///
/// (The generator of random maps in the library blocks all that is cut off from the largest area, as the benchmark does.
/// Where half of the cells are blocked, only paths that squeeze between obstacles lead anywhere, and hardly a cell would be
/// left.)
pub(super) fn random(percent: u32, side: u32, seed: u64, problems: usize) -> Result<Course> {
    let mut dice = Dice::new(seed);
    let grid = Grid::from_fn(side, side, |_| dice.below(100) >= percent)?;
    let name = format!("the random map of {side} x {side} cells, {percent} % blocked, seed {seed}");
    at_random(name, grid, &mut dice, problems)
}

/// A map without obstacles, with problems on it.
pub(super) fn open(side: u32, seed: u64, problems: usize) -> Result<Course> {
    let name = format!("the open map of {side} x {side} cells, seed {seed}");
    at_random(name, generate::open(side, side)?, &mut Dice::new(seed), problems)
}

/// A map with random problems on it.
fn at_random(name: String, grid: Grid, dice: &mut Dice, problems: usize) -> Result<Course> {
    let problems = connected_pairs(&grid, dice, problems)?.into_iter().map(|(start, goal)| Problem {
        bucket: 0,
        map: name.clone(),
        width: grid.width(),
        height: grid.height(),
        start,
        goal,
        length: 0.0,
    });
    let tasks = inputs::number(problems.collect()).collect();
    Ok(Course { name, grid, tasks, indexes: IndexFiles::default(), answers_known: false })
}

/// So many pairs of free cells, all equally likely whose corners a path that may squeeze connects. Less, if they are too rare
/// to be found.
fn connected_pairs(grid: &Grid, dice: &mut Dice, count: usize) -> Result<Vec<(Cell, Cell)>> {
    let corners = ThetaStar::new(grid)?;
    Ok(dice.pairs(grid, count, |a, b| corners.may_connect(a, b)))
}

/// The maps of a game that are at hand.
pub(super) struct GameMaps {
    pub(super) game: Game,
    pub(super) maps: Vec<PathBuf>,
}

impl GameMaps {
    /// Those in the game's folder; with a scenario file, where that has the problems. Scenario files that are not there are
    /// added to `missing`.
    pub(super) fn at_hand(folder: &Path, game: Game, missing: &mut Vec<PathBuf>) -> Result<Option<Self>> {
        let folder = folder.join(game.folder());
        if !folder.is_dir() {
            return Ok(None);
        }
        let (maps, without): (Vec<_>, Vec<_>) = inputs::maps(&folder)?
            .into_iter()
            .partition(|map| game == Game::Starcraft || inputs::scenario_of(map, None).is_file());
        missing.extend(without.iter().map(|map| inputs::scenario_of(map, None)));
        Ok((!maps.is_empty()).then_some(Self { game, maps }))
    }

    /// The maps with their problems, one after the other: `problems` at random on each, or every Nth of the scenarios.
    pub(super) fn courses(&self, problems: usize, seed: u64, every: usize) -> impl Iterator<Item = Result<Course>> {
        let mut sampler = Sampler::new(every);
        seeds(seed).zip(&self.maps).map(move |(seed, map)| {
            let (name, grid) = (map.display().to_string(), inputs::map(map, Movement::Octile)?.grid);
            if self.game == Game::Starcraft {
                return at_random(name, grid, &mut Dice::new(seed), problems);
            }
            let scen = inputs::scenario_of(map, None);
            let tasks = inputs::tasks(&scen, &grid, Selection { every: NonZeroUsize::MIN })?.into_iter();
            let solvable = tasks.filter(|task| task.problem.optimum().is_some());
            let tasks: Vec<Task> = solvable.filter(|_| sampler.takes_next()).collect();
            Ok(Course { name, grid, tasks, indexes: IndexFiles::default(), answers_known: true })
        })
    }
}

/// Takes every Nth, from the middle of the first N on. It counts on from map to map, so that those with few problems get no
/// more than their share.
struct Sampler {
    every: usize,
    seen: usize,
}

impl Sampler {
    fn new(every: usize) -> Self {
        Self { every, seen: 0 }
    }

    fn takes_next(&mut self) -> bool {
        let takes = self.seen % self.every == self.every / 2;
        self.seen += 1;
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_evenly_spread() {
        let taken = |every| {
            let mut sampler = Sampler::new(every);
            (0..10).filter(|_| sampler.takes_next()).collect::<Vec<_>>()
        };
        assert_eq!((taken(4), taken(5), taken(1).len(), taken(1000).len()), (vec![2, 6], vec![2, 7], 10, 0));
    }

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
