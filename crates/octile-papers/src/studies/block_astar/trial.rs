//! The any-angle planners of Tables 1 and 2, and what they did on a data set.

use anyhow::Result;
use octile::Output;
use octile_cli::harness::race::Race;

use crate::laps::{Lap, Sum};
use crate::papers::block_astar::{Algorithms, Means};

/// The planners of a table.
pub(super) struct Planners {
    /// The paper's three in its order, then ours.
    pub(super) specs: [&'static str; 6],
    /// Theta\*, the paper's Block A\* and ours of the default size: see [`SMOOTHED`].
    pub(super) smoothed: [&'static str; 3],
}

/// Those of Table 1.
pub(super) const EUCLIDEAN: Planners = Planners {
    specs: [
        "astar:on=corners,heuristic=euclidean",
        "theta-star",
        "block-astar:db=any-angle,block=4,priority=exact",
        "block-astar:db=any-angle,block=4",
        "block-astar:db=any-angle",
        "lazy-theta-star",
    ],
    smoothed: [
        "theta-star:smooth=greedy",
        "block-astar:db=any-angle,block=4,priority=exact,smooth=greedy",
        "block-astar:db=any-angle,smooth=greedy",
    ],
};

/// Those of Table 2.
pub(super) const ZERO: Planners = Planners {
    specs: [
        "astar:on=corners,heuristic=zero",
        "theta-star:heuristic=zero",
        "block-astar:db=any-angle,block=4,heuristic=zero,priority=exact",
        "block-astar:db=any-angle,block=4,heuristic=zero",
        "block-astar:db=any-angle,heuristic=zero",
        "lazy-theta-star:heuristic=zero",
    ],
    smoothed: [
        "theta-star:heuristic=zero,smooth=greedy",
        "block-astar:db=any-angle,block=4,heuristic=zero,priority=exact,smooth=greedy",
        "block-astar:db=any-angle,heuristic=zero,smooth=greedy",
    ],
};

/// Places among the planners.
pub(super) const ASTAR: usize = 0;
pub(super) const THETA: usize = 1;
/// Block A\* as the paper has it, the same with our order of the open list, and ours.
pub(super) const BLOCKS: [usize; 3] = [2, 3, 4];
/// Those of [`Planners::smoothed`].
pub(super) const SMOOTHED: [usize; 3] = [THETA, BLOCKS[0], BLOCKS[2]];

impl Planners {
    /// A race in `rounds` timed rounds, with other planners in theirs: none if only their paths are needed.
    pub(super) fn race(&self, rounds: usize, others: &[(&str, usize)]) -> Result<Race> {
        let specs = self.specs.into_iter().map(str::parse).collect::<Result<Vec<_>, _>>()?;
        let mut race = Race::new(specs, Output::Waypoints, rounds);
        for &(spec, rounds) in others {
            race.enter(spec.parse()?, rounds);
        }
        race.judge_along_corners(ASTAR);
        Ok(race)
    }
}

/// What they did on one data set, beside the paper's numbers.
pub(super) struct Trial {
    pub(super) set: String,
    /// How many of a hundred cells are blocked at random, if they are.
    pub(super) percent: Option<u32>,
    /// Whether the maps are those of a game.
    pub(super) is_of_game: bool,
    pub(super) planners: &'static Planners,
    pub(super) paper: Algorithms,
    pub(super) laps: Vec<Lap>,
}

impl Trial {
    pub(super) fn queries(&self) -> usize {
        self.laps.iter().map(Lap::queries).sum()
    }

    pub(super) fn wrong(&self) -> usize {
        self.laps.iter().map(|lap| lap.wrong.len()).sum()
    }

    /// A planner beside another, both by their places.
    pub(super) fn sum(&self, planner: usize, other: usize) -> Sum {
        Sum::of(&self.laps, self.planners.specs[planner], self.planners.specs[other])
    }

    /// The paper's numbers of a planner that it has.
    pub(super) fn of_paper(&self, planner: usize) -> Option<Means> {
        [self.paper.astar, self.paper.theta, self.paper.block].get(planner).copied()
    }
}

#[cfg(test)]
mod tests {
    use octile::PlannerSpec;

    use super::*;

    /// Legs of laps are found by the names of the planners.
    #[test]
    fn specs_are_the_names_of_their_planners() {
        for planners in [EUCLIDEAN, ZERO] {
            for spec in planners.specs.into_iter().chain(planners.smoothed) {
                assert_eq!(spec.parse::<PlannerSpec>().unwrap().to_string(), spec);
            }
        }
    }

    #[test]
    fn smoothing_is_not_timed() {
        let steps = |others: &[&str]| {
            let others: Vec<_> = others.iter().map(|&other| (other, 0)).collect();
            EUCLIDEAN.race(2, &others).unwrap().steps_per_course()
        };
        assert_eq!((steps(&[]), steps(&EUCLIDEAN.smoothed)), (18, 21));
    }
}
