//! Subgoals, the cells where shortest paths bend, and the subgoals that a cell reaches directly. Shared by the planners
//! that use the subgoal graph (Uras, Koenig & Hernández 2013).

pub(crate) mod contract;

use crate::geometry::units::{Mid, Units};
use crate::geometry::{Cell, CellId, Dir, DirSet};
use crate::grid::Grid;
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::link;
use crate::kernels::limits::Shape;
use crate::kernels::workers::Workers;
use crate::planner::size_bytes;

/// The number of cells, and of subgoals, sampled to estimate the shape of a map.
const SAMPLES: usize = 1000;

/// A subgoal and the cost to reach it in one word. An index consists of these, so costs are [`Mid`]: paths of up to
/// 665,857 moves leave 24 bits of a word for a subgoal.
pub(crate) type Link = link::Link<{ Mid::ID_BITS }>;

/// The maximum number of subgoals.
pub(crate) const MAX_SUBGOALS: usize = Link::MAX_NODES;

// The sum of two costs and a hop still fits.
const _: () = assert!(Mid::LIMIT < 1 << Link::COST_BITS);
const _: () = assert!(2 * Mid::LIMIT + 65_535 * Mid::DIAGONAL < 1 << (Link::COST_BITS + 1));

/// No subgoal.
const NONE: u32 = u32::MAX;

/// The subgoals of a map, numbered so that close ones have close numbers.
pub(crate) struct Subgoals {
    grid: Grid,
    cells: Vec<CellId>,
    reach: Reach,
}

/// Finds the subgoals that a cell reaches directly.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// For each padded cell, the number of the subgoal there, or [`NONE`].
    numbers: Vec<u32>,
    /// For each padded cell and direction, the number of steps to the first subgoal; if there is none, to the last cell
    /// before an obstacle.
    clearances: Vec<[u16; 8]>,
    /// For each padded cell, the directions with a subgoal at the end of these steps.
    meets: Vec<DirSet>,
    id_steps: [u32; 8],
}

size_bytes!(Reach: numbers, clearances, meets);

/// Whether a cell with these legal moves is a subgoal: an obstacle touches it at a corner, and both cells adjacent to
/// the corner are free.
#[inline]
pub(crate) fn is_subgoal(DirSet(moves): DirSet) -> bool {
    // In the ring of directions, a diagonal's neighbours are the straight directions beside it.
    const DIAGONAL: u8 = 0b1010_1010;
    !moves & moves.rotate_left(1) & moves.rotate_right(1) & DIAGONAL != 0
}

/// The number of subgoals of a map.
pub(crate) fn count(grid: &Grid) -> usize {
    (0..grid.padded_cells() as u32).filter(|&id| is_subgoal(grid.moves_of(CellId(id)))).count()
}

impl Subgoals {
    /// Finds the subgoals of a map, which must have at most [`MAX_SUBGOALS`].
    pub(crate) fn new(grid: &Grid) -> Self {
        let ids = (0..grid.padded_cells() as u32).filter(|&id| is_subgoal(grid.moves_of(CellId(id))));
        let mut keys: Vec<u64> = ids.map(|id| u64::from(morton(grid.cell(CellId(id)))) << 32 | u64::from(id)).collect();
        debug_assert!(keys.len() <= MAX_SUBGOALS);
        keys.sort_unstable();
        let cells: Vec<CellId> = keys.into_iter().map(|key| CellId(key as u32)).collect();
        let reach = Reach::new(grid, &cells);
        Self { grid: grid.clone(), cells, reach }
    }

    /// The part that finds directly reached subgoals, without the map.
    pub(crate) fn into_reach(self) -> Reach {
        self.reach
    }

    /// The number of subgoals.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The size of the graph, estimated from a sample of cells and subgoals.
    pub(crate) fn shape(&self) -> Shape {
        let mut found = Vec::new();
        let mut mean = |ids: &mut dyn Iterator<Item = CellId>| {
            let (mut links, mut cells) = (0, 0);
            for id in ids {
                self.direct(id, &mut found);
                (links, cells) = (links + found.len(), cells + 1);
            }
            links as f64 / f64::from(cells.max(1))
        };
        let cells = self.reach.clearances.len();
        let all = (0..cells as u32).step_by(cells / SAMPLES + 1).map(CellId);
        Shape {
            cells: cells as u64,
            free_cells: self.grid.free_cells().into(),
            sites: self.len() as u64,
            links_per_site: mean(&mut self.cells.iter().copied().step_by(self.len() / SAMPLES + 1)),
            links_per_cell: mean(&mut all.filter(|&id| self.grid.moves_of(id) != DirSet::NONE)),
        }
    }

    /// For each padded cell, the lengths of its lines, as in [`Lines`].
    pub(crate) fn clearances(&self) -> &[[u16; 8]] {
        &self.reach.clearances
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The number of the subgoal at a cell.
    pub(crate) fn at(&self, id: CellId) -> Option<u32> {
        self.reach.at(id)
    }

    /// The cell of a subgoal.
    pub(crate) fn cell(&self, number: u32) -> Cell {
        self.grid.cell(self.cells[number as usize])
    }

    /// The links of each of these cells: their numbers, and all links.
    fn all_direct(&self, cells: &[CellId], found: &mut Vec<Link>) -> (Vec<u32>, Vec<Link>) {
        let (mut lens, mut links) = (Vec::with_capacity(cells.len()), Vec::new());
        for &cell in cells {
            self.direct(cell, found);
            lens.push(found.len() as u32);
            links.extend_from_slice(found);
        }
        (lens, links)
    }

    /// As [`Reach::direct`].
    pub(crate) fn direct(&self, from: CellId, found: &mut Vec<Link>) -> u64 {
        self.reach.direct(from, found)
    }
}

impl Reach {
    fn new(grid: &Grid, cells: &[CellId]) -> Self {
        let mut numbers = vec![NONE; grid.padded_cells()];
        for (number, id) in cells.iter().enumerate() {
            numbers[id.index()] = number as u32;
        }
        let clearances = vec![[0; 8]; grid.padded_cells()];
        let meets = vec![DirSet::NONE; grid.padded_cells()];
        let mut reach = Self { numbers, clearances, meets, id_steps: grid.id_steps() };
        // The cell that a step leads to is processed first: it has a smaller id in these directions, and a larger one
        // in the others.
        let smaller = [Dir::N, Dir::NE, Dir::W, Dir::NW];
        for id in (0..grid.padded_cells() as u32).map(CellId) {
            reach.fill_clearance(id, grid.moves_of(id), smaller);
        }
        for id in (0..grid.padded_cells() as u32).rev().map(CellId) {
            reach.fill_clearance(id, grid.moves_of(id), smaller.map(Dir::opposite));
        }
        reach
    }

    #[expect(clippy::inline_always, reason = "with a call for each cell, it takes twice as long")]
    #[inline(always)]
    fn fill_clearance(&mut self, id: CellId, moves: DirSet, dirs: [Dir; 4]) {
        for dir in dirs.into_iter().filter(|&dir| moves.contains(dir)) {
            let next = step(&self.id_steps, id, dir, 1);
            let is_end = self.is_subgoal(next);
            let beyond = if is_end { 0 } else { self.clearance(next, dir) };
            self.clearances[id.index()][dir as usize] = 1 + beyond;
            if is_end || self.meets[next.index()].contains(dir) {
                self.meets[id.index()].0 |= 1 << dir as u8;
            }
        }
    }

    #[inline]
    fn is_subgoal(&self, id: CellId) -> bool {
        self.numbers[id.index()] != NONE
    }

    /// The number of the subgoal at a cell.
    #[inline]
    pub(crate) fn at(&self, id: CellId) -> Option<u32> {
        Some(self.numbers[id.index()]).filter(|&number| number != NONE)
    }

    /// Finds the subgoal at a free cell; if there is none, those that the cell reaches directly.
    pub(crate) fn links(&self, from: CellId, found: &mut Vec<Link>) {
        match self.at(from) {
            None => _ = self.direct(from, found),
            Some(subgoal) => {
                found.clear();
                found.push(Link::new(0, subgoal));
            }
        }
    }

    /// Finds the subgoals that a free cell [reaches directly](direct), each once, with their octile distances. Returns
    /// the number of steps along diagonal lines.
    pub(crate) fn direct(&self, from: CellId, found: &mut Vec<Link>) -> u64 {
        found.clear();
        direct(self, &self.id_steps, from, |id, straight, diagonal| {
            let cost = u64::from(straight) * Mid::STRAIGHT + u64::from(diagonal) * Mid::DIAGONAL;
            found.push(Link::new(cost, self.numbers[id.index()]));
        })
    }
}

impl Lines for Reach {
    #[inline]
    fn clearance(&self, id: CellId, dir: Dir) -> u16 {
        self.clearances[id.index()][dir as usize]
    }

    #[inline]
    fn meets(&self, id: CellId, dir: Dir, _: CellId) -> bool {
        self.meets[id.index()].contains(dir)
    }
}

/// The ends of the lines that leave the cells of a map.
pub(crate) trait Lines {
    /// The number of steps to the first subgoal; if there is none, to the last cell before an obstacle.
    fn clearance(&self, id: CellId, dir: Dir) -> u16;

    /// Whether a subgoal is at the end of these steps, which is the cell `end`.
    fn meets(&self, id: CellId, dir: Dir, end: CellId) -> bool;
}

#[inline]
fn step(id_steps: &[u32; 8], id: CellId, dir: Dir, steps: u16) -> CellId {
    CellId(id.0.wrapping_add(id_steps[dir as usize].wrapping_mul(steps.into())))
}

/// Finds the subgoals that a free cell reaches directly, and passes each once to `add`, with the straight and diagonal
/// steps to it: every octile path to it is free, and none of these paths has another such subgoal on it.
///
/// These are the first subgoal on each of the eight lines and, from every cell of a diagonal line before its subgoal,
/// the first to either side. Such a side line ends at the length where the previous one met a subgoal or an obstacle:
/// cells beyond are reached around it. Returns the number of steps along diagonal lines.
#[inline]
pub(crate) fn direct(
    all: &impl Lines,
    id_steps: &[u32; 8],
    from: CellId,
    mut add: impl FnMut(CellId, u16, u16),
) -> u64 {
    // The length of each line without subgoals.
    let mut lines = [0; 8];
    for dir in Dir::ALL {
        let steps = all.clearance(from, dir);
        let end = step(id_steps, from, dir, steps);
        let meets = all.meets(from, dir, end);
        lines[dir as usize] = steps - u16::from(meets);
        if meets && dir.is_diagonal() {
            add(end, 0, steps);
        } else if meets {
            add(end, steps, 0);
        }
    }
    let mut all_walked = 0;
    for diagonal in [Dir::NE, Dir::SE, Dir::SW, Dir::NW] {
        let sides = [diagonal.turn(-1), diagonal.turn(1)];
        let mut longest = sides.map(|side| lines[side as usize]);
        let mut at = from;
        for walked in 1..=lines[diagonal as usize] {
            if longest == [0; 2] {
                break;
            }
            all_walked += 1;
            at = step(id_steps, at, diagonal, 1);
            for (side, longest) in sides.into_iter().zip(&mut longest) {
                let mut steps = all.clearance(at, side);
                let end = step(id_steps, at, side, steps);
                if steps <= *longest && all.meets(at, side, end) {
                    add(end, steps, walked);
                    steps -= 1;
                }
                *longest = steps.min(*longest);
            }
        }
    }
    all_walked
}

/// Interleaves the bits of x and y.
fn morton(cell: Cell) -> u32 {
    let spread = |bits: u32| {
        let masks = [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)];
        masks.iter().fold(bits, |bits, (apart, mask)| (bits | bits << apart) & mask)
    };
    spread(cell.x) | spread(cell.y) << 1
}

/// The number of subgoals processed together.
const CHUNK: usize = 512;

/// The number of chunks between two checks of the number of links.
const CHUNKS: usize = 16;

/// The graph of subgoals that reach each other directly.
pub(crate) struct Graph {
    /// The index in `links` where the links of each subgoal begin, and the end of the last ones.
    first: Vec<u32>,
    links: Vec<Link>,
}

impl Graph {
    /// Finds all links of a map's subgoals, on all cores. `check` gets their number as it grows, and may end the work
    /// with an error.
    pub(crate) fn new<E>(subgoals: &Subgoals, check: impl Fn(usize) -> Result<(), E>) -> Result<Self, E> {
        let mut graph = Self::begin(subgoals);
        while graph.advance(subgoals, CHUNKS) {
            check(graph.links.len())?;
        }
        Ok(graph)
    }

    /// A graph without the links of any subgoal yet.
    pub(crate) fn begin(subgoals: &Subgoals) -> Self {
        let mut first = Vec::with_capacity(subgoals.len() + 1);
        first.push(0);
        Self { first, links: Vec::new() }
    }

    /// Adds the links of the next chunks of subgoals, on all cores; `false` if none are left.
    pub(crate) fn advance(&mut self, subgoals: &Subgoals, chunks: usize) -> bool {
        let Self { first, links } = self;
        let left = &subgoals.cells[first.len() - 1..];
        let chunks: Vec<&[CellId]> = left.chunks(CHUNK).take(chunks).collect();
        let parts = Workers::new().map(&chunks, Vec::new, |found, chunk| subgoals.all_direct(chunk, found));
        for (lens, found) in parts {
            first.extend(lens.iter().scan(links.len() as u32, |end, len| {
                *end += len;
                Some(*end)
            }));
            links.extend_from_slice(&found);
        }
        !chunks.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The number of links.
    pub(crate) fn size(&self) -> usize {
        self.links.len()
    }

    /// An upper bound of the cost between any two connected subgoals: twice the distance from some subgoal of a
    /// component to the farthest one.
    pub(crate) fn longest(&self) -> u64 {
        let (mut costs, mut heap, mut longest) = (vec![Link::INFINITE; self.len()], Heap::new(), 0);
        for root in 0..self.len() as u32 {
            if costs[root as usize] < Link::INFINITE {
                continue;
            }
            costs[root as usize] = 0;
            heap.push(Link::new(0, root));
            while let Some(link) = heap.pop() {
                let (cost, subgoal) = (link.cost(), link.to());
                // Costs are capped at the limit, so entries still come in the order of costs.
                if cost > costs[subgoal] {
                    continue;
                }
                longest = longest.max(2 * cost);
                for next in self.links(subgoal) {
                    let (to, cost) = (next.to(), (cost + next.cost()).min(Mid::LIMIT));
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
    pub(crate) fn links(&self, subgoal: usize) -> &[Link] {
        &self.links[self.first[subgoal] as usize..self.first[subgoal + 1] as usize]
    }
}
