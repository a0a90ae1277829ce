//! Algorithms 1 and 2 as they are printed, to count expansions.
//!
//! Ours departs from them in three ways that change the counts: it also moves to the blocks at a block's corners, its
//! costs are integers, and it breaks ties in another way. Here, costs cross the four sides of a block only. They are
//! 64-bit floats, and the least difference between two sums counts as an improvement. Of blocks with equal heap values,
//! the one that was put on the open list last is expanded first; the paper does not say which is.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use anyhow::Result;
use octile::algo::block_astar::lddb::{Block, Distances, INF, Lddb, rim_index, rim_points};
use octile::{Cell, Grid};
use octile_cli::harness::race::Course;
use serde::{Deserialize, Serialize};

use super::EXPANSIONS;
use super::trial::{BLOCKS, THETA, Trial};
use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Pair, Row, Table};

/// The cells along the side of a block, and the vertices on its rim.
const SIDE: usize = 4;
const RIM: usize = 16;

/// The distances from each of 25 vertices to those of the rim.
type Distance = [[f64; RIM]; 25];

/// A vertex: its block, and its place there.
type At = (usize, (usize, usize));

/// What was counted on some maps.
#[derive(Clone, Copy, Default, Deserialize, Serialize)]
pub(super) struct Counted {
    answered: usize,
    expanded: u64,
}

/// Counts the expansions for the problems of a map.
pub(super) fn count(course: &Course) -> Counted {
    let (mut blocks, mut counted) = (Blocks::new(&course.grid), Counted::default());
    for task in &course.tasks {
        if let Some((expanded, _)) = blocks.find(task.problem.start, task.problem.goal) {
            counted.answered += 1;
            counted.expanded += expanded;
        }
    }
    counted
}

/// A block in a search.
struct State {
    costs: [f64; RIM],
    /// The vertices whose cost has changed since the last expansion, as bits.
    ingress: u32,
    /// Infinite while the block is not on the open list.
    heap_value: f64,
}

/// The blocks of a map with a ring of blocked ones, and the distances of those that were met.
struct Blocks {
    columns: usize,
    patterns: Vec<u64>,
    distances: HashMap<u64, Box<Distance>>,
    rim: [(usize, usize); RIM],
}

const BLOCKED: u64 = 0xFFFF;

impl Blocks {
    fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let (columns, rows) = (width.div_ceil(SIDE) + 2, height.div_ceil(SIDE) + 2);
        let mut patterns = vec![BLOCKED; columns * rows];
        for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
            let (x, y) = (cell.x as usize, cell.y as usize);
            patterns[(y / SIDE + 1) * columns + x / SIDE + 1] &= !(1 << (y % SIDE * SIDE + x % SIDE));
        }
        let mut rim = rim_points::<SIDE>(Distances::AnyAngle).map(|point| (point % (SIDE + 1), point / (SIDE + 1)));
        let rim = std::array::from_fn(|_| rim.next().expect("16 vertices"));
        Self { columns, patterns, distances: HashMap::new(), rim }
    }

    /// The distances inside a block, as sums of floats.
    fn distances(&mut self, block: usize) -> &Distance {
        let pattern = self.patterns[block];
        self.distances.entry(pattern).or_insert_with(|| {
            let mut found = Block::new();
            Lddb::shared(Distances::AnyAngle).block::<SIDE>(pattern, &mut found);
            Box::new(std::array::from_fn(|from| std::array::from_fn(|lane| length(&found, from, lane))))
        })
    }

    /// The blocks that share a vertex and have a free cell.
    fn owners(&self, cell: Cell) -> Vec<At> {
        let of = |at: u32| {
            let (block, within) = (at as usize / SIDE + 1, at as usize % SIDE);
            [Some((block, within)), (within == 0).then_some((block - 1, SIDE))].into_iter().flatten()
        };
        let all = of(cell.y).flat_map(|(row, y)| of(cell.x).map(move |(column, x)| (row, column, (x, y))));
        let all = all.map(|(row, column, within)| (row * self.columns + column, within));
        all.filter(|&(block, _)| self.patterns[block] != BLOCKED).collect()
    }

    /// The blocks that are expanded for the path between the upper left corners of two cells, and its length.
    fn find(&mut self, start: Cell, goal: Cell) -> Option<(u64, f64)> {
        let mut search = Search { states: HashMap::new(), open: BinaryHeap::new(), pushed: 0, goal };
        let (mut expanded, mut best, rim) = (0, f64::INFINITY, self.rim);
        let point = |(x, y): (usize, usize)| y * (SIDE + 1) + x;
        let ends: Vec<(usize, [f64; RIM])> =
            self.owners(goal).into_iter().map(|(block, at)| (block, self.distances(block)[point(at)])).collect();
        for (block, at) in self.owners(start) {
            let costs = self.distances(block)[point(at)];
            if ends.iter().any(|end| end.0 == block) {
                best = best.min(self.inside(block, start, goal));
            }
            let ingress = (0..RIM).filter(|&i| costs[i] < f64::INFINITY).fold(0, |bits, i| bits | 1 << i);
            search.states.insert(block, State { costs, ingress, heap_value: 0.0 });
            search.push(block, 0.0);
        }
        while let Some((value, block)) = search.pop() {
            if value >= best {
                break;
            }
            expanded += 1;
            let costs = search.expand(block, self.distances(block), &rim);
            for (_, row) in ends.iter().filter(|end| end.0 == block) {
                best = (0..RIM).fold(best, |best, i| best.min(costs[i] + row[i]));
            }
            for (dx, dy) in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
                let next = block.wrapping_add_signed(dy * self.columns as isize + dx);
                if self.patterns[next] != BLOCKED {
                    let is_open = self.distances(next).map(|row| row.contains(&0.0));
                    search.cross(
                        (next, (next % self.columns, next / self.columns)),
                        (dx, dy),
                        &costs,
                        (&is_open, &rim),
                        best,
                    );
                }
            }
        }
        best.is_finite().then_some((expanded, best))
    }

    /// The shortest way inside a block that has both ends: over a vertex of its rim, or straight.
    fn inside(&mut self, block: usize, start: Cell, goal: Cell) -> f64 {
        let at = |cell: Cell| self.owners(cell).into_iter().find(|owner| owner.0 == block).map(|owner| owner.1);
        let (Some(from), Some(to)) = (at(start), at(goal)) else { return f64::INFINITY };
        let place = |(x, y): (usize, usize)| y * (SIDE + 1) + x;
        let rows = self.distances(block);
        let [a, b] = [rows[place(from)], rows[place(to)]];
        (0..RIM).map(|i| a[i] + b[i]).fold(f64::INFINITY, f64::min)
    }
}

/// The length of a path of the database, turn by turn.
fn length(block: &Block, from: usize, lane: usize) -> f64 {
    let (mut at, mut length) = (from, 0.0);
    while block.row(at)[lane] != INF {
        let via = usize::from(block.via(at)[lane]);
        if via == at {
            return length;
        }
        let apart = |place: fn(usize) -> usize| place(at).abs_diff(place(via)) as f64;
        length += apart(|point| point % (SIDE + 1)).hypot(apart(|point| point / (SIDE + 1)));
        at = via;
    }
    f64::INFINITY
}

/// A query.
struct Search {
    states: HashMap<usize, State>,
    /// The least heap value first, then the one pushed last.
    open: BinaryHeap<(Reverse<u64>, u64, usize)>,
    pushed: u64,
    goal: Cell,
}

impl Search {
    fn push(&mut self, block: usize, value: f64) {
        self.pushed += 1;
        // The bits of positive floats are in their order.
        self.open.push((Reverse(value.to_bits()), self.pushed, block));
    }

    /// The next block, and its heap value.
    fn pop(&mut self) -> Option<(f64, usize)> {
        while let Some((Reverse(bits), _, block)) = self.open.pop() {
            let (value, state) = (f64::from_bits(bits), self.states.get_mut(&block)?);
            if state.heap_value.to_bits() == bits {
                state.heap_value = f64::INFINITY;
                return Some((value, block));
            }
        }
        None
    }

    /// Lines 3 to 5 of Algorithm 1: the costs of the rim by way of the vertices that have changed.
    fn expand(&mut self, block: usize, distances: &Distance, rim: &[(usize, usize); RIM]) -> [f64; RIM] {
        let state = self.states.get_mut(&block).expect("it was on the open list");
        let (old, ingress) = (state.costs, std::mem::take(&mut state.ingress));
        for (from, &(x, y)) in rim.iter().enumerate().filter(|(from, _)| ingress >> from & 1 == 1) {
            let row = &distances[y * (SIDE + 1) + x];
            (0..RIM).for_each(|to| state.costs[to] = state.costs[to].min(old[from] + row[to]));
        }
        state.costs
    }

    /// Lines 6 to 16: what crosses a side. `costs` are those of the block before.
    fn cross(
        &mut self,
        (next, (column, row)): (usize, (usize, usize)),
        (dx, dy): (isize, isize),
        costs: &[f64; RIM],
        (is_open, rim): (&[bool; 25], &[(usize, usize); RIM]),
        best: f64,
    ) {
        let new = || State { costs: [f64::INFINITY; RIM], ingress: 0, heap_value: f64::INFINITY };
        let state = self.states.entry(next).or_insert_with(new);
        let mut value = f64::INFINITY;
        for (from, &(x, y)) in rim.iter().enumerate() {
            let (x, y) = (x.wrapping_add_signed(-dx * SIDE as isize), y.wrapping_add_signed(-dy * SIDE as isize));
            if x > SIDE || y > SIDE || !is_open[y * (SIDE + 1) + x] {
                continue;
            }
            let to = rim_index::<SIDE>(Distances::AnyAngle, x, y).expect("the sides of blocks meet");
            if costs[from] < state.costs[to] {
                state.costs[to] = costs[from];
                state.ingress |= 1 << to;
                let apart = |block: usize, at: usize, goal: u32| ((block - 1) * SIDE + at) as f64 - f64::from(goal);
                let estimate = apart(column, x, self.goal.x).hypot(apart(row, y, self.goal.y));
                value = value.min(costs[from] + estimate);
            }
        }
        if value < state.heap_value && value < best {
            state.heap_value = value;
            self.push(next, value);
        }
    }
}

/// A line for each data set: the paper's number beside that of the algorithms as printed, and ours.
pub(super) fn exhibit(trials: &[Trial], counted: &[(String, Counted)]) -> (Exhibit, Vec<Finding>) {
    let table = Table::new().text("data set").number("queries", 0).beside("as printed", 0);
    let mut table = table.number("priority=exact", 0).number("priority=rounded", 0);
    let mut findings = Vec::new();
    for trial in trials {
        let counted =
            counted.iter().find(|(set, _)| *set == trial.set).map(|(_, counted)| *counted).unwrap_or_default();
        let mean = (counted.answered > 0).then(|| counted.expanded as f64 / counted.answered as f64);
        let ours = |planner: usize| trial.sum(planner, THETA).mean_expanded();
        let paper = trial.paper.block.expanded;
        let row = Row::new().text(&trial.set).count(counted.answered).beside(Pair::new(mean, Some(paper)));
        table.push(row.number(ours(BLOCKS[0])).number(ours(BLOCKS[1])));
        let of = (EXPANSIONS, &*trial.set, "blocks expanded, as printed");
        findings.push(Finding::new(of, Says::Count(paper), mean).by("Algorithms 1 and 2 as printed").printed(0, ""));
    }
    let exhibit = Exhibit::new("Expansions", "Blocks that are expanded").table(table).caption(
        "Mean expansions of blocks of 5 x 5 vertices for the queries of Table 1. As printed: Algorithms 1 and 2 to the letter, with costs that cross the \
         four sides of a block only and are sums of 64-bit floats, of which the least difference counts as an improvement, and blocks with equal heap values \
         taken last in, first out. priority=exact also crosses corners and has integers as costs, priority=rounded lets a block wait for more of the \
         paths to it.",
    );
    (exhibit, findings)
}

/// Counts on some maps together.
pub(super) fn sum(all: impl IntoIterator<Item = Result<Counted>>) -> Result<Counted> {
    all.into_iter().try_fold(Counted::default(), |sum, one| {
        let one = one?;
        Ok(Counted { answered: sum.answered + one.answered, expanded: sum.expanded + one.expanded })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use octile::formats::load_scenario;
    use octile::{Finder, load};

    use super::*;

    /// The paper: 1,034 for all problems of these maps. Every 400th has 1,017, as another program counted them too.
    #[test]
    fn the_printed_algorithms_expand_as_many_blocks_as_the_paper_says() {
        let folder = std::env::var_os("OCTILE_MOVINGAI").map_or("../../../shared/movingai".into(), PathBuf::from);
        let Ok(files) = fs::read_dir(folder.join("bg512")) else { return };
        let maps =
            files.map(|file| file.unwrap().path()).filter(|file| file.extension().is_some_and(|ext| ext == "map"));
        let mut maps: Vec<PathBuf> = maps.collect();
        maps.sort();
        let (mut all, mut asked, mut expanded) = (0, 0, 0);
        for map in maps {
            let problems = load_scenario(map.with_extension("map.scen")).unwrap().problems;
            let numbered =
                (all + 1..).zip(&problems).filter(|(number, _)| number % 400 == 0).map(|(_, problem)| problem);
            let mut blocks = Blocks::new(&load(&map).unwrap().grid);
            for problem in numbered.filter(|problem| problem.optimum().is_some()) {
                expanded += blocks.find(problem.start, problem.goal).unwrap().0;
                asked += 1;
            }
            all += problems.len();
        }
        // A folder may have some of the maps.
        let mean = expanded as f64 / f64::from(asked);
        assert!(all != 93_160 || (mean / 1017.0 - 1.0).abs() < 0.02, "{mean}");
    }

    /// The lengths are those of the library, but for paths that squeeze from block to block at a corner.
    #[test]
    fn the_printed_algorithms_find_the_same_lengths() {
        let grid = octile::formats::generate::random(90, 70, 12, 5).unwrap();
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let mut finder = Finder::new("block-astar:db=any-angle,block=4,priority=exact", &grid).unwrap();
        let mut blocks = Blocks::new(&grid);
        for (&start, &goal) in free.iter().step_by(211).zip(free.iter().rev().step_by(307)) {
            let ours = finder.find(start, goal).unwrap().unwrap().length();
            let (expanded, length) = blocks.find(start, goal).unwrap();
            assert!(expanded > 0 && length > ours - 1e-6 && length < ours * 1.01, "{length} {ours}");
        }
    }
}
