//! What is measured: any-angle planners for Tables 1 and 2 and smoothing, and planners on cells.

use anyhow::Result;
use octile::{Movement, Output};

use crate::papers::block_astar::{Algorithms, Means};
use crate::race::{Entrant, Race};
use crate::report::beside::Pair;
use crate::report::block_astar::{CellsLine, Comparison, PlannerLine, SetLines, SmoothingLine};

/// The planners of a table.
pub(super) struct Planners {
    /// The paper's three in its order, then ours.
    specs: [&'static str; 5],
    /// Theta\* and both sizes of Block A\*.
    smoothed: [&'static str; 3],
}

/// Those of Table 1.
pub(super) const EUCLIDEAN: Planners = Planners {
    specs: [
        "astar:on=corners,heuristic=euclidean",
        "theta-star",
        "block-astar:db=any-angle,block=4",
        "block-astar:db=any-angle",
        "lazy-theta-star",
    ],
    smoothed: [
        "theta-star:smooth=greedy",
        "block-astar:db=any-angle,block=4,smooth=greedy",
        "block-astar:db=any-angle,smooth=greedy",
    ],
};

/// Those of Table 2.
pub(super) const ZERO: Planners = Planners {
    specs: [
        "astar:on=corners,heuristic=zero",
        "theta-star:heuristic=zero",
        "block-astar:db=any-angle,block=4,heuristic=zero",
        "block-astar:db=any-angle,heuristic=zero",
        "lazy-theta-star:heuristic=zero",
    ],
    smoothed: [
        "theta-star:heuristic=zero,smooth=greedy",
        "block-astar:db=any-angle,block=4,heuristic=zero,smooth=greedy",
        "block-astar:db=any-angle,heuristic=zero,smooth=greedy",
    ],
};

/// Places among the specs.
const ASTAR: usize = 0;
const THETA: usize = 1;
const BLOCKS: [usize; 2] = [2, 3];
const SMOOTHED: usize = 5;

/// The any-angle planners on one data set.
pub(super) struct Trial {
    pub(super) race: Race,
}

impl Trial {
    /// In so many timed rounds; with or without smoothing, which is not timed.
    pub(super) fn new(planners: &Planners, rounds: usize, smooths: bool) -> Result<Self> {
        let specs = planners.specs.into_iter().map(str::parse).collect::<Result<Vec<_>, _>>()?;
        let mut race = Race::new(specs, Output::Waypoints, rounds);
        for spec in planners.smoothed.into_iter().filter(|_| smooths) {
            race.enter(spec.parse()?, 0);
        }
        race.judge_along_corners(ASTAR);
        Ok(Self { race })
    }

    fn entrants(&self) -> &[Entrant] {
        &self.race.entrants[..SMOOTHED]
    }

    fn distance(&self, entrant: usize) -> f64 {
        self.race.entrants[entrant].common_length / self.race.answered_by_all.max(1) as f64
    }

    /// The lines of the data set beside the paper's.
    pub(super) fn lines(&self, set: String, paper: &Algorithms) -> SetLines {
        let papers = [paper.astar, paper.theta, paper.block].map(Some).into_iter().chain([None, None]);
        let lines = papers.enumerate().map(|(i, paper)| self.line(i, paper)).collect();
        let comparisons = (BLOCKS[0]..SMOOTHED).map(|i| self.comparison(i, paper)).collect();
        SetLines {
            set,
            maps: self.race.maps,
            queries: self.race.queries(),
            wrong: self.race.wrong.len(),
            lines,
            comparisons,
        }
    }

    fn line(&self, i: usize, paper: Option<Means>) -> PlannerLine {
        let entrant = &self.entrants()[i];
        let expanded: u64 = entrant.expanded.iter().sum();
        let repeated = 100.0 * entrant.tally.repeated as f64 / expanded.max(1) as f64;
        PlannerLine {
            planner: entrant.engine.to_string(),
            distance: Pair::new(self.distance(i), paper.map(|paper| paper.distance)),
            expanded: Pair::new(mean(&entrant.expanded), paper.map(|paper| paper.expanded)),
            time_us: Pair::new(mean(&entrant.nanos) / 1e3, paper.map(|paper| paper.seconds * 1e6)),
            repeated_percent: BLOCKS.contains(&i).then_some(repeated),
        }
    }

    /// A planner that the paper does not have, or its Block A\*, beside A\* and Theta\*.
    fn comparison(&self, i: usize, paper: &Algorithms) -> Comparison {
        let entrants = self.entrants();
        let nanos = |i: usize| entrants[i].total_nanos() as f64;
        let of_paper = |ratio: f64| (i == BLOCKS[0]).then_some(ratio);
        let Algorithms { astar, theta, block } = paper;
        Comparison {
            planner: entrants[i].engine.to_string(),
            distance_over_theta: Pair::new(
                self.distance(i) / self.distance(THETA),
                of_paper(block.distance / theta.distance),
            ),
            speedup_over_astar: Pair::new(nanos(ASTAR) / nanos(i), of_paper(astar.seconds / block.seconds)),
            speedup_over_theta: Pair::new(nanos(THETA) / nanos(i), of_paper(theta.seconds / block.seconds)),
        }
    }

    /// What smoothing makes of the difference between Block A\* and Theta\*, for both sizes of blocks.
    pub(super) fn smoothing(&self, set: &str, paper: &Algorithms) -> Vec<SmoothingLine> {
        let theta = [THETA, SMOOTHED].map(|i| self.distance(i));
        let line = |(nth, &block): (usize, &usize)| {
            let ours = [block, SMOOTHED + 1 + nth].map(|i| self.distance(i));
            let of_paper = percent_longer(paper.block.distance, paper.theta.distance);
            SmoothingLine {
                set: set.to_owned(),
                planner: self.entrants()[block].engine.to_string(),
                distance: ours[0],
                theta_distance: theta[0],
                longer_percent: Pair::new(percent_longer(ours[0], theta[0]), (nth == 0).then_some(of_paper)),
                smoothed_distance: ours[1],
                smoothed_theta_distance: theta[1],
                smoothed_longer_percent: percent_longer(ours[1], theta[1]),
            }
        };
        BLOCKS.iter().enumerate().map(line).collect()
    }
}

/// Block A\* and A\* on the cells of one data set, under one rule.
pub(super) struct CellsTrial {
    pub(super) movement: Movement,
    pub(super) race: Race,
}

impl CellsTrial {
    /// One for moves to eight neighbours, one for four.
    pub(super) fn both(rounds: usize) -> Result<[Self; 2]> {
        let octile = ["astar", "block-astar:db=octile,block=4", "block-astar:db=octile"];
        let tile = ["astar", "block-astar:db=tile,block=4", "block-astar:db=tile"];
        Ok([Self::new(Movement::Octile, octile, rounds)?, Self::new(Movement::Tile, tile, rounds)?])
    }

    fn new(movement: Movement, specs: [&str; 3], rounds: usize) -> Result<Self> {
        let specs = specs.into_iter().map(str::parse).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { movement, race: Race::new(specs, Output::Waypoints, rounds) })
    }

    pub(super) fn lines(&self, set: &str) -> Vec<CellsLine> {
        let Some((astar, blocks)) = self.race.entrants.split_first() else { return Vec::new() };
        let line = |block: &Entrant| CellsLine {
            set: set.to_owned(),
            movement: self.movement.name(),
            planner: block.engine.to_string(),
            maps: self.race.maps,
            queries: self.race.queries(),
            wrong: self.race.wrong.len(),
            expanded: mean(&block.expanded),
            astar_expanded: mean(&astar.expanded),
            time_us: mean(&block.nanos) / 1e3,
            astar_time_us: mean(&astar.nanos) / 1e3,
            speedup: astar.total_nanos() as f64 / block.total_nanos() as f64,
        };
        blocks.iter().map(line).collect()
    }
}

fn mean(numbers: &[u64]) -> f64 {
    numbers.iter().sum::<u64>() as f64 / numbers.len().max(1) as f64
}

fn percent_longer(ours: f64, other: f64) -> f64 {
    100.0 * (ours / other - 1.0)
}
