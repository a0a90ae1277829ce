//! Greedy best-first search: it goes wherever the goal seems nearest. Fast, and no promise about the cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use octile::geometry::Dir;
use octile::path::PathFault;
use octile::planner::{About, EditError, Probe, Scratch};
use octile::planner::{Facts, IndexEffort, KeyValue, PlannerId, SizeBytes, Takes};
use octile::{Build, BuildError, Cell, Config, Edits, Grid, Guarantee, Movement, Path, PathQuery, Planner};

// doc: config
octile::config! {
    /// What can be said of it: `greedy:estimate=manhattan`.
    pub struct Greedy {
        /// How near a cell seems to be to the goal.
        estimate: Estimate ["estimate": "how near a cell seems to be to the goal; default chebyshev"],
    }
}
// doc: end

/// How near a cell seems to be to the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Estimate {
    /// The longer of the two sides between them.
    #[default]
    Chebyshev,
    /// Both sides together.
    Manhattan,
}

impl KeyValue for Estimate {
    const TAKES: Takes = Takes::Words(&["chebyshev", "manhattan"]);

    fn parse(text: &str, _: Takes) -> Option<Self> {
        match text {
            "chebyshev" => Some(Self::Chebyshev),
            "manhattan" => Some(Self::Manhattan),
            _ => None,
        }
    }

    fn text(&self, _: Takes) -> Option<String> {
        Some(if *self == Self::Chebyshev { "chebyshev" } else { "manhattan" }.to_owned())
    }
}

static ABOUT: About = About {
    name: "greedy",
    summary: "goes wherever the goal seems nearest",
    paper: "folklore",
    index: IndexEffort::None,
    variants: &["greedy:estimate=manhattan"],
};

impl Config for Greedy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &Movement::ALL).promising(Guarantee::Legal)
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        let (id, facts, grid) = (PlannerId::new(), self.facts(), build.grid().clone());
        Ok(Box::new(GreedyPlanner { id, facts, grid, estimate: self.estimate }))
    }
}

/// The planner on a map.
#[derive(Clone)]
struct GreedyPlanner {
    id: PlannerId,
    facts: Facts,
    grid: Grid,
    estimate: Estimate,
}

/// Its working memory: where each cell was come to from, and the cells to go on from.
#[derive(Default)]
struct Memory {
    came: Vec<Option<Dir>>,
    open: BinaryHeap<Reverse<(u32, Cell)>>,
}

impl SizeBytes for Memory {
    fn size_bytes(&self) -> usize {
        self.came.size_bytes() + self.open.size_bytes()
    }
}

impl GreedyPlanner {
    fn cells(&self) -> usize {
        self.grid.cells().len()
    }

    fn place(&self, cell: Cell) -> usize {
        (cell.y * self.grid.width() + cell.x) as usize
    }

    fn nearness(&self, cell: Cell, goal: Cell) -> u32 {
        let (dx, dy) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
        if self.estimate == Estimate::Chebyshev { dx.max(dy) } else { dx + dy }
    }

    /// The points of the path, from the start on.
    fn points(&self, came: &[Option<Dir>], start: Cell, goal: Cell) -> Vec<Cell> {
        let mut points = vec![goal];
        let mut at = goal;
        while let Some(dir) = came[self.place(at)].filter(|_| at != start) {
            at = dir.opposite().step(at, 1);
            points.push(at);
        }
        points.reverse();
        points
    }
}

impl Planner for GreedyPlanner {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(self.id, Memory { came: vec![None; self.cells()], open: BinaryHeap::new() })
    }

    // doc: search
    fn search(
        &self,
        scratch: &mut Scratch,
        PathQuery { start, goal, output, .. }: PathQuery,
        out: &mut Path,
        mut probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let Memory { came, open } = scratch.get();
        came.fill(None);
        open.clear();
        open.push(Reverse((self.nearness(start, goal), start)));
        while let Some(Reverse((_, cell))) = open.pop() {
            if let Some(probe) = &mut probe {
                if probe.stops(0.0) {
                    return Ok(false); // a limit was reached
                }
                probe.expanded(cell);
            }
            if cell == goal {
                out.write_grid(&self.grid, output, self.points(came, start, goal))?;
                return Ok(true);
            }
            for dir in self.grid.moves(cell) {
                let next = dir.step(cell, 1);
                let from = &mut came[self.place(next)];
                if next != start && from.is_none() {
                    *from = Some(dir);
                    open.push(Reverse((self.nearness(next, goal), next)));
                    if let Some(probe) = &mut probe {
                        probe.reached(next, true);
                    }
                }
            }
        }
        Ok(false)
    }
    // doc: end

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.grid.apply(edits)?;
        Ok(())
    }
}
