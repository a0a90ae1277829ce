//! Subgoals, the cells where shortest paths bend, and which of them a cell reaches directly: what planners over the subgoal graph
//! (Uras, Koenig & Hernández 2013) share.

pub(super) mod contract;
pub(super) mod cost;

use self::cost::{INFINITE, LIMIT, Link, MAX_SUBGOALS};
use crate::geometry::{Cell, CellId, Dir, DirSet};
use crate::grid::Grid;
use crate::search::ds::heap::Heap;

/// So many cells, and so many subgoals, are looked at to tell the shape of a map.
const SAMPLES: usize = 1000;

/// No subgoal.
const NONE: u32 = u32::MAX;

/// The subgoals of a map. They are numbered so that near ones have near numbers.
pub(super) struct Subgoals<'a> {
    grid: &'a Grid,
    cells: Vec<CellId>,
    /// For each padded cell its number, or [`NONE`].
    numbers: Vec<u32>,
    /// For each padded cell and direction how many steps it takes to the first subgoal; where there is none, to the last cell
    /// before an obstacle.
    clearances: Vec<[u16; 8]>,
    id_steps: [u32; 8],
}

/// Whether a cell with these legal moves is a subgoal: an obstacle touches it by a corner, and both cells between are free.
pub(super) fn is_subgoal(moves: DirSet) -> bool {
    let is_corner = |dir: &Dir| {
        dir.is_diagonal() && !moves.contains(*dir) && moves.contains(dir.turn(-1)) && moves.contains(dir.turn(1))
    };
    Dir::ALL.iter().any(is_corner)
}

/// How many subgoals a map has.
pub(super) fn count(grid: &Grid) -> usize {
    (0..grid.padded_cells() as u32).filter(|&id| is_subgoal(grid.moves_of(CellId(id)))).count()
}

impl<'a> Subgoals<'a> {
    /// Finds those of a map, which has at most [`MAX_SUBGOALS`].
    pub(super) fn new(grid: &'a Grid) -> Self {
        let ids = 0..grid.padded_cells() as u32;
        let mut cells: Vec<CellId> = ids.map(CellId).filter(|&id| is_subgoal(grid.moves_of(id))).collect();
        debug_assert!(cells.len() <= MAX_SUBGOALS);
        cells.sort_by_cached_key(|&id| morton(grid.cell(id)));
        let mut numbers = vec![NONE; grid.padded_cells()];
        for (number, id) in cells.iter().enumerate() {
            numbers[id.index()] = number as u32;
        }
        let clearances = vec![[0; 8]; grid.padded_cells()];
        let mut subgoals = Self { grid, cells, numbers, clearances, id_steps: grid.id_steps() };
        subgoals.fill_clearances();
        subgoals
    }

    fn fill_clearances(&mut self) {
        // The cell that a step leads to comes first: it has a smaller id in these directions, a larger one in the others.
        let smaller = [Dir::N, Dir::NE, Dir::W, Dir::NW];
        for id in 0..self.clearances.len() as u32 {
            self.fill_clearance(CellId(id), smaller);
        }
        for id in (0..self.clearances.len() as u32).rev() {
            self.fill_clearance(CellId(id), smaller.map(Dir::opposite));
        }
    }

    #[inline]
    fn fill_clearance(&mut self, id: CellId, dirs: [Dir; 4]) {
        let moves = self.grid.moves_of(id);
        for dir in dirs.into_iter().filter(|&dir| moves.contains(dir)) {
            let next = step(&self.id_steps, id, dir, 1);
            let beyond = if self.is_subgoal(next) { 0 } else { self.clearance(next, dir) };
            self.clearances[id.index()][dir as usize] = 1 + beyond;
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// What a build meets, by the look of some cells and subgoals.
    pub(super) fn shape(&self) -> Shape {
        let mut found = Vec::new();
        let mut mean = |ids: &mut dyn Iterator<Item = CellId>| {
            let (mut links, mut cells) = (0, 0);
            for id in ids {
                self.direct(id, &mut found);
                (links, cells) = (links + found.len(), cells + 1);
            }
            links as f64 / f64::from(cells.max(1))
        };
        let cells = self.clearances.len();
        let all = (0..cells as u32).step_by(cells / SAMPLES + 1).map(CellId);
        Shape {
            cells: cells as u64,
            free_cells: self.grid.free_cells().into(),
            subgoals: self.len() as u64,
            links_per_subgoal: mean(&mut self.cells.iter().copied().step_by(self.len() / SAMPLES + 1)),
            links_per_cell: mean(&mut all.filter(|&id| self.grid.moves_of(id) != DirSet::NONE)),
        }
    }

    /// For each padded cell how far lines from it go, as [`Lines`] tells.
    pub(super) fn clearances(&self) -> &[[u16; 8]] {
        &self.clearances
    }

    pub(super) fn grid(&self) -> &'a Grid {
        self.grid
    }

    /// The number of the subgoal at a cell.
    pub(super) fn at(&self, id: CellId) -> Option<u32> {
        Some(self.numbers[id.index()]).filter(|&number| number != NONE)
    }

    /// The cell of a subgoal.
    pub(super) fn cell(&self, number: u32) -> Cell {
        self.grid.cell(self.cells[number as usize])
    }

    /// Finds the subgoals that a free cell [reaches directly](direct), each once, with their octile distances. Gives the steps along
    /// diagonal lines.
    pub(super) fn direct(&self, from: CellId, found: &mut Vec<Link>) -> u64 {
        found.clear();
        if self.cells.is_empty() {
            return 0;
        }
        direct(self, &self.id_steps, from, |id, straight, diagonal| {
            let cost = u64::from(straight) * cost::STRAIGHT + u64::from(diagonal) * cost::DIAGONAL;
            found.push(Link::new(cost, self.numbers[id.index()]));
        })
    }
}

impl Lines for Subgoals<'_> {
    #[inline]
    fn clearance(&self, id: CellId, dir: Dir) -> u16 {
        self.clearances[id.index()][dir as usize]
    }

    #[inline]
    fn is_subgoal(&self, id: CellId) -> bool {
        self.numbers[id.index()] != NONE
    }
}

/// Where the lines end that leave the cells of a map.
pub(super) trait Lines {
    /// How many steps it takes to the first subgoal; where there is none, to the last cell before an obstacle.
    fn clearance(&self, id: CellId, dir: Dir) -> u16;

    fn is_subgoal(&self, id: CellId) -> bool;
}

#[inline]
fn step(id_steps: &[u32; 8], id: CellId, dir: Dir, steps: u16) -> CellId {
    CellId(id.0.wrapping_add(id_steps[dir as usize].wrapping_mul(steps.into())))
}

/// Finds the subgoals that a free cell reaches directly, and `add`s each once, with the straight and diagonal steps to it: every
/// octile path there is free, and none of them has another subgoal on it that could do as well.
///
/// The first on each of the eight lines; and from every cell of a diagonal line, before its subgoal, the first to
/// either side. Such a line to the side ends where the one before it met a subgoal, or an obstacle: behind that lies a
/// path around it. Gives the steps along diagonal lines.
#[inline]
pub(super) fn direct(
    all: &impl Lines,
    id_steps: &[u32; 8],
    from: CellId,
    mut add: impl FnMut(CellId, u16, u16),
) -> u64 {
    // How far each line is free of subgoals.
    let mut lines = [0; 8];
    for dir in Dir::ALL {
        let steps = all.clearance(from, dir);
        let end = step(id_steps, from, dir, steps);
        let meets = steps > 0 && all.is_subgoal(end);
        lines[dir as usize] = steps - u16::from(meets);
        if meets && dir.is_diagonal() {
            add(end, 0, steps);
        } else if meets {
            add(end, steps, 0);
        }
    }
    let mut all_walked = 0;
    for diagonal in [Dir::NE, Dir::SE, Dir::SW, Dir::NW] {
        for side in [diagonal.turn(-1), diagonal.turn(1)] {
            let mut longest = lines[side as usize];
            let mut at = from;
            for walked in 1..=lines[diagonal as usize] {
                if longest == 0 {
                    break;
                }
                all_walked += 1;
                at = step(id_steps, at, diagonal, 1);
                let mut steps = all.clearance(at, side);
                if (1..=longest).contains(&steps) {
                    let end = step(id_steps, at, side, steps);
                    if all.is_subgoal(end) {
                        add(end, steps, walked);
                        steps -= 1;
                    }
                }
                longest = longest.min(steps);
            }
        }
    }
    all_walked
}

/// The bits of x and y in turn.
fn morton(cell: Cell) -> u32 {
    let spread = |bits: u32| (0..16).fold(0, |spread, bit| spread | (bits >> bit & 1) << (2 * bit));
    spread(cell.x) | spread(cell.y) << 1
}

/// What a build on the subgoals of a map meets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// All cells, padding included.
    pub(super) cells: u64,
    pub(super) free_cells: u64,
    pub(super) subgoals: u64,
    /// How many others a subgoal reaches directly, on average.
    pub(super) links_per_subgoal: f64,
    /// How many subgoals a cell reaches directly, on average.
    pub(super) links_per_cell: f64,
}

/// Which subgoals reach which directly.
pub(super) struct Graph {
    /// Where the links of each begin, and where the last ones end.
    first: Vec<u32>,
    links: Vec<Link>,
}

impl Graph {
    /// All links of a map's subgoals, unless `check`, which is told their number as it grows, ends it with an error.
    pub(super) fn new<E>(subgoals: &Subgoals, check: impl Fn(usize) -> Result<(), E>) -> Result<Self, E> {
        let (mut first, mut links, mut found) = (vec![0], Vec::new(), Vec::new());
        for &cell in &subgoals.cells {
            subgoals.direct(cell, &mut found);
            links.extend_from_slice(&found);
            first.push(links.len() as u32);
            check(links.len())?;
        }
        Ok(Self { first, links })
    }

    pub(super) fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// What no way between two connected subgoals costs more than: twice the way from some subgoal of a component to the one farthest from
    /// it.
    pub(super) fn longest(&self) -> u64 {
        let (mut costs, mut heap, mut longest) = (vec![INFINITE; self.len()], Heap::new(), 0);
        for root in 0..self.len() as u32 {
            if costs[root as usize] < INFINITE {
                continue;
            }
            costs[root as usize] = 0;
            heap.push(Link::new(0, root));
            while let Some(link) = heap.pop() {
                let (cost, subgoal) = (link.cost(), link.subgoal());
                // Entries come in the order of costs, and what is too long to be told stays where it is.
                if cost > costs[subgoal] {
                    continue;
                }
                longest = longest.max(2 * cost);
                for next in self.links(subgoal) {
                    let (to, cost) = (next.subgoal(), (cost + next.cost()).min(LIMIT));
                    if cost < costs[to] {
                        costs[to] = cost;
                        heap.push(Link::new(cost, to as u32));
                    }
                }
            }
        }
        longest
    }

    #[inline]
    pub(super) fn links(&self, subgoal: usize) -> &[Link] {
        &self.links[self.first[subgoal] as usize..self.first[subgoal + 1] as usize]
    }
}
