//! How much is measured for this paper.

use std::num::NonZeroUsize;

use octile_cli::harness::args::at_least_one;

use crate::benchmarks::Set;
use crate::plan::{Cost, Plan, Work};

/// What was told; the mode says the rest.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(super) struct AmountArgs {
    /// How many random maps to make for each share of obstacles [default: 1, with --full 5; the paper: 500]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    random_maps: Option<NonZeroUsize>,

    /// How many random problems to solve on each random map, and on each of Starcraft [default: 8 and 3, with --full
    /// 20 and 5; the paper: 100 on a random map]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    problems: Option<NonZeroUsize>,

    /// How many random problems to solve for Table 2, one or two seconds each [default: 3, with --full 20; the paper:
    /// 100]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pairs: Option<NonZeroUsize>,
}

impl AmountArgs {
    /// What is measured under a plan.
    pub(super) fn under(&self, plan: &Plan) -> Amounts {
        let told = |told: Option<NonZeroUsize>, quick, full| {
            told.map_or_else(|| plan.quick_or_full(quick, full), NonZeroUsize::get)
        };
        Amounts {
            random_maps: told(self.random_maps, 1, 5),
            random_problems: told(self.problems, 8, 20),
            starcraft_problems: told(self.problems, 3, 5),
            pairs: told(self.pairs, 3, 20),
            random_side: side(RANDOM_SIDE, plan.shrink),
            open_side: side(OPEN_SIDE, plan.shrink),
            seed: plan.seed,
        }
    }
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amounts {
    /// For each share of obstacles.
    pub(super) random_maps: usize,
    /// On each random map.
    pub(super) random_problems: usize,
    /// On each map of Starcraft.
    pub(super) starcraft_problems: usize,
    /// Of Table 2.
    pub(super) pairs: usize,
    pub(super) random_side: u32,
    pub(super) open_side: u32,
    /// The first.
    pub(super) seed: u64,
}

/// How many maps of each game the quick mode takes, and of each size of rooms and so on, and problems of each scenario.
pub(super) const GAME_MAPS: usize = 5;
pub(super) const OTHER_MAPS: usize = 1;
pub(super) const SCENARIO_PROBLEMS: usize = 6;

/// What the problems of a set's scenarios take of a full run.
pub(super) fn work(plan: &Plan, set: &Set) -> Work {
    let (maps, minutes, problem_ms) = match set {
        Set::Dao => (GAME_MAPS, 4.0, 150.0),
        Set::Bg512 => (GAME_MAPS, 3.0, 100.0),
        _ => (OTHER_MAPS, 0.4, 300.0),
    };
    plan.work(format!("block-astar/{set}"), &plan.chosen(set, maps), Cost { minutes, problem_ms, map_ms: 200.0 })
}

/// The sides of the paper's maps.
const RANDOM_SIDE: u32 = 500;
const OPEN_SIDE: u32 = 1000;
/// Less is no map for blocks.
const LEAST_SIDE: u32 = 16;

fn side(full: u32, shrink: u32) -> u32 {
    (full / shrink).max(LEAST_SIDE)
}
