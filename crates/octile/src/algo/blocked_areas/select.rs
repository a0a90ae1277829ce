//! Safe selection: decides which detected areas may be pruned, and how far, so that a shortest path always survives.
//!
//! # Why it is safe
//! Let `I` be the cells inside an area and `B` the free cells outside it with a legal move into it.
//!
//! **Theorem.** Suppose that (1) the insides are disjoint and no legal move joins two of them, and (2) for every area
//! and all `x`, `y` in its `B`, some path from `x` to `y` that enters no inside of any area is at most as long as the
//! shortest path through `I`. Then a search can ignore any set of areas that contain neither start nor goal, and a
//! shortest path survives.
//!
//! *Proof.* Take a shortest path. By (1), each of its excursions into a pruned area enters one `I` from a cell of its
//! `B` and leaves it to another; replace the excursion by the path of (2). Nothing else of the path changes, and no
//! cell of the new parts is inside any area. ∎
//!
//! For the same reason, a path that has left the start's own area need not enter it again.
//!
//! # How it is checked
//! An area is tried with its thin strip first; if that breaks (1) or (2), with the wide one; otherwise it is dropped.
//! When an area shrinks, all others stay safe: the paths of (2) only gain room. Condition (2) holds for cells that are
//! joined, outside, by moves in only two adjacent directions: no path is shorter than those. One pass over the strip
//! finds all such pairs of `B` at the same time, one bit for each; the remaining pairs are searched exactly. Only the
//! table of legal moves depends on the movement rule.

use std::cmp::Reverse;

use super::area::{Area, Strip};
use super::spread::{UNREACHED, spread};
use crate::geometry::{Cell, CellId, Dir, order};
use crate::grid::{Grid, Movement};
use crate::kernels::ds::heap::Heap;

/// No area, in the table of owners.
pub(super) const NO_AREA: u32 = u32::MAX;

/// Selects the areas that are safe to prune, in the given order.
pub(super) fn select(grid: &Grid, areas: Vec<Area>) -> Vec<Area> {
    let inside: Vec<Vec<CellId>> = areas.iter().map(|area| free_cells(grid, area)).collect();
    let mut selection = Selection {
        grid,
        owner: vec![NO_AREA; grid.padded_cells()],
        choice: vec![Some(Strip::Thin); areas.len()],
        areas,
        inside,
    };
    selection.assign_cells();
    let mut check = Check::new(grid);
    for i in 0..selection.areas.len() {
        while selection.choice[i].is_some() && !check.holds(&selection, i) {
            selection.shrink(i);
        }
    }
    selection.finish()
}

/// The free cells inside an area.
pub(super) fn free_cells(grid: &Grid, area: &Area) -> Vec<CellId> {
    let mut cells = Vec::new();
    area.cells(|cell| {
        if grid.is_free(cell) {
            cells.push(grid.id(cell));
        }
        true
    });
    cells
}

struct Selection<'a> {
    grid: &'a Grid,
    areas: Vec<Area>,
    /// The free cells inside each area, with its chosen strip.
    inside: Vec<Vec<CellId>>,
    /// `None` for dropped areas.
    choice: Vec<Option<Strip>>,
    /// The area that each cell is inside of.
    owner: Vec<u32>,
}

impl Selection<'_> {
    /// Condition (1): assigns each area its cells, the larger areas first, if they touch no other area.
    fn assign_cells(&mut self) {
        let mut order: Vec<usize> = (0..self.areas.len()).collect();
        order::stable_by_key(&mut order, |&i| Reverse(self.inside[i].len()));
        for i in order {
            while self.choice[i].is_some() && self.touches_another(i) {
                self.narrow(i);
            }
            for &id in &self.inside[i] {
                self.owner[id.index()] = i as u32;
            }
        }
    }

    /// Whether a cell of the area, or one a move away, belongs to another area.
    fn touches_another(&self, i: usize) -> bool {
        let steps = self.grid.id_steps();
        let taken = |id: u32| self.owner[id as usize] != NO_AREA;
        self.inside[i].iter().any(|&id| {
            let beside = |dir: Dir| id.0.wrapping_add(steps[dir as usize]);
            taken(id.0) || self.grid.moves_of(id).into_iter().any(|dir| taken(beside(dir)))
        })
    }

    /// Moves on to the next smaller choice for an area.
    fn narrow(&mut self, i: usize) {
        self.choice[i] = match self.choice[i] {
            Some(Strip::Thin) => Some(Strip::Wide),
            _ => None,
        };
        if self.choice[i].is_some() {
            let wide = self.areas[i].clone().with_strip(Strip::Wide);
            self.inside[i].retain(|&id| !wide.is_entrance(self.grid.cell(id)));
        }
        if self.choice[i].is_none() || self.inside[i].is_empty() {
            self.choice[i] = None;
            self.inside[i].clear();
        }
    }

    /// As [`narrow`](Selection::narrow), for an area whose cells are already assigned.
    fn shrink(&mut self, i: usize) {
        for id in &self.inside[i] {
            self.owner[id.index()] = NO_AREA;
        }
        self.narrow(i);
        for id in &self.inside[i] {
            self.owner[id.index()] = i as u32;
        }
    }

    fn finish(self) -> Vec<Area> {
        let chosen = self.areas.into_iter().zip(self.choice);
        chosen.filter_map(|(area, choice)| choice.map(|strip| area.with_strip(strip))).collect()
    }
}

/// Scratch memory for the check of condition (2).
struct Check {
    /// The pairs of directions such that no path is shorter than one with moves in these two directions only.
    octants: &'static [[Forward; 2]],
    /// The round in which a cell was last put into `border`.
    stamp: Vec<u32>,
    round: u32,
    border: Vec<Cell>,
    exact: ExactCheck,
}

/// A direction relative to the longer side of a border's box: ahead along it, to one side or the other, or between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Forward {
    Ahead,
    AheadDown,
    AheadUp,
    Down,
    Up,
}

const OCTANTS: [[Forward; 2]; 4] = [
    [Forward::Ahead, Forward::AheadDown],
    [Forward::Ahead, Forward::AheadUp],
    [Forward::Down, Forward::AheadDown],
    [Forward::Up, Forward::AheadUp],
];

const QUADRANTS: [[Forward; 2]; 2] = [[Forward::Ahead, Forward::Down], [Forward::Ahead, Forward::Up]];

impl Check {
    fn new(grid: &Grid) -> Self {
        let octants: &[_] = if grid.movement() == Movement::Tile { &QUADRANTS } else { &OCTANTS };
        Self { octants, stamp: vec![0; grid.padded_cells()], round: 0, border: Vec::new(), exact: ExactCheck::new() }
    }

    /// Whether condition (2) holds for an area.
    fn holds(&mut self, selection: &Selection, i: usize) -> bool {
        self.find_border(selection, i);
        let strip = BorderStrip::new(&mut self.border);
        let joined = strip.joined(selection, self.octants, &self.border);
        let words = self.border.len().div_ceil(64);
        (0..self.border.len()).all(|later| {
            let row = &joined[later * words..][..words];
            let open: Vec<Cell> = (0..later)
                .filter(|&earlier| row[earlier / 64] >> (earlier % 64) & 1 == 0)
                .map(|earlier| self.border[earlier])
                .collect();
            open.is_empty() || self.exact.holds(selection, i as u32, self.border[later], &open)
        })
    }

    /// Collects the free cells outside with a move into the area.
    fn find_border(&mut self, selection: &Selection, i: usize) {
        self.round += 1;
        self.border.clear();
        let (grid, steps) = (selection.grid, selection.grid.id_steps());
        for &id in &selection.inside[i] {
            for dir in grid.moves_of(id) {
                let beside = id.0.wrapping_add(steps[dir as usize]) as usize;
                if selection.owner[beside] == NO_AREA && self.stamp[beside] != self.round {
                    self.stamp[beside] = self.round;
                    self.border.push(grid.cell(CellId(beside as u32)));
                }
            }
        }
    }
}

/// The cells around a border: line by line along the longer side of its box, and in each line from one before the first
/// cell of the border to one after the last.
struct BorderStrip {
    /// Whether lines are columns, and the strip goes to the right; otherwise they are rows, and it goes down.
    by_column: bool,
    first_line: u32,
    /// For each line, its first and last position, and the index of the first.
    lines: Vec<(u32, u32, usize)>,
}

impl BorderStrip {
    /// Sorts the border into the order of the strip.
    fn new(border: &mut [Cell]) -> Self {
        let Some(&any) = border.first() else { return Self { by_column: true, first_line: 0, lines: Vec::new() } };
        let (mut low, mut high) = (any, any);
        for cell in border.iter() {
            low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
            high = Cell::new(high.x.max(cell.x), high.y.max(cell.y));
        }
        let by_column = high.x - low.x >= high.y - low.y;
        let turn = |cell: Cell| if by_column { (cell.x, cell.y) } else { (cell.y, cell.x) };
        order::sort_by_key(border, |&cell| turn(cell));
        let ((first_line, lowest), (last_line, highest)) = (turn(low), turn(high));
        let mut lines = vec![(u32::MAX, 0, 0); (last_line - first_line + 1) as usize];
        for (line, position) in border.iter().map(|&cell| turn(cell)) {
            let range = &mut lines[(line - first_line) as usize];
            *range = (range.0.min(position), range.1.max(position), 0);
        }
        let mut index = 0;
        for range in &mut lines {
            // A path between two cells that is as short as possible stays within the box around them.
            let (first, last) = (range.0.saturating_sub(1).max(lowest), (range.1 + 1).min(highest));
            *range = if range.0 > range.1 { (lowest, lowest, index) } else { (first, last, index) };
            index += (range.1 - range.0 + 1) as usize;
        }
        Self { by_column, first_line, lines }
    }

    fn cell(&self, line: u32, position: u32) -> Cell {
        let line = self.first_line + line;
        if self.by_column { Cell::new(line, position) } else { Cell::new(position, line) }
    }

    fn dir(&self, forward: Forward) -> Dir {
        match (forward, self.by_column) {
            (Forward::Ahead, true) | (Forward::Down, false) => Dir::E,
            (Forward::Ahead, false) | (Forward::Down, true) => Dir::S,
            (Forward::AheadDown, _) => Dir::SE,
            (Forward::AheadUp, true) => Dir::NE,
            (Forward::AheadUp, false) => Dir::SW,
            (Forward::Up, true) => Dir::N,
            (Forward::Up, false) => Dir::W,
        }
    }

    /// For each cell of the border, in order, one bit for each earlier one from which moves in two adjacent directions
    /// lead to it outside all areas.
    fn joined(&self, selection: &Selection, octants: &[[Forward; 2]], border: &[Cell]) -> Vec<u64> {
        let words = border.len().div_ceil(64);
        let mut joined = vec![0; border.len() * words];
        let cells = self.lines.last().map_or(0, |&(first, last, index)| index + (last - first + 1) as usize);
        let mut reached = vec![0_u64; cells * words];
        for octant in octants {
            self.sweep(selection, *octant, border, &mut reached);
            for (i, &cell) in border.iter().enumerate() {
                let from = &reached[self.index(cell) * words..][..words];
                joined[i * words..][..words].iter_mut().zip(from).for_each(|(all, some)| *all |= some);
            }
        }
        joined
    }

    fn index(&self, cell: Cell) -> usize {
        let (line, position) = if self.by_column { (cell.x, cell.y) } else { (cell.y, cell.x) };
        let (first, _, index) = self.lines[(line - self.first_line) as usize];
        index + (position - first) as usize
    }

    /// For every cell of the strip, finds the cells of the border from which moves in the two directions lead to it.
    fn sweep(&self, selection: &Selection, octant: [Forward; 2], border: &[Cell], reached: &mut [u64]) {
        let (grid, words) = (selection.grid, border.len().div_ceil(64));
        let upwards = octant[0] == Forward::Up || octant[1] == Forward::Up;
        reached.fill(0);
        for (i, &cell) in border.iter().enumerate() {
            reached[self.index(cell) * words + i / 64] |= 1 << (i % 64);
        }
        for line in 0..self.lines.len() {
            let (first, last, index) = self.lines[line];
            for k in 0..=last - first {
                let position = if upwards { last - k } else { first + k };
                let to = index + (position - first) as usize;
                let cell = self.cell(line as u32, position);
                let id = grid.id(cell);
                if selection.owner[id.index()] != NO_AREA {
                    reached[to * words..][..words].fill(0);
                    continue;
                }
                for forward in octant {
                    // The start of the move, as line and position.
                    let (back, from) = match forward {
                        Forward::Ahead => (1, position),
                        Forward::AheadDown => (1, position.wrapping_sub(1)),
                        Forward::AheadUp => (1, position + 1),
                        Forward::Down => (0, position.wrapping_sub(1)),
                        Forward::Up => (0, position + 1),
                    };
                    let Some(&(low, high, start)) = line.checked_sub(back).and_then(|line| self.lines.get(line)) else {
                        continue;
                    };
                    if (low..=high).contains(&from) && grid.moves_of(id).contains(self.dir(forward).opposite()) {
                        let from = start + (from - low) as usize;
                        for word in 0..words {
                            reached[to * words + word] |= reached[from * words + word];
                        }
                    }
                }
            }
        }
    }
}

/// Checks condition (2) by searches.
struct ExactCheck {
    /// The distances of reached cells; all others are [`UNREACHED`].
    distance: Vec<u64>,
    reached: Vec<CellId>,
    open: Heap<u128>,
}

impl ExactCheck {
    /// Memory is allocated when a search is first needed.
    fn new() -> Self {
        Self { distance: Vec::new(), reached: Vec::new(), open: Heap::new() }
    }

    /// Whether no path from `x` through the area to one of the `targets` is shorter than the paths outside.
    fn holds(&mut self, selection: &Selection, area: u32, x: Cell, targets: &[Cell]) -> bool {
        let grid = selection.grid;
        let start = grid.id(x);
        let owner = |id: CellId| selection.owner[id.index()];
        // Through the area: from the start into it, then inside it, and out again.
        self.search(grid, start, UNREACHED, |from, to| {
            if from == start { owner(to) == area } else { owner(from) == area && [area, NO_AREA].contains(&owner(to)) }
        });
        let through: Vec<(CellId, u64)> =
            targets.iter().map(|&cell| grid.id(cell)).map(|id| (id, self.distance[id.index()])).collect();
        let farthest = through.iter().map(|&(_, distance)| distance).filter(|&distance| distance < UNREACHED).max();
        self.clear();
        let Some(farthest) = farthest else { return true };
        self.search(grid, start, farthest, |_, to| owner(to) == NO_AREA);
        let holds = through.iter().all(|&(id, through)| self.distance[id.index()] <= through);
        self.clear();
        holds
    }

    /// Finds distances up to `limit` with allowed moves.
    fn search(&mut self, grid: &Grid, start: CellId, limit: u64, allowed: impl Fn(CellId, CellId) -> bool) {
        let Self { distance, reached, open } = self;
        distance.resize(grid.padded_cells(), UNREACHED);
        spread(grid, distance, open, start, limit, allowed, |id| reached.push(id));
    }

    fn clear(&mut self) {
        for id in self.reached.drain(..) {
            self.distance[id.index()] = UNREACHED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Detection;
    use super::*;
    use crate::formats::generate;
    use crate::geometry::units::{Units, Wide};

    /// Counts the answers between cells outside all areas that change if a search ignores the areas.
    fn wrong_answers(grid: &Grid, areas: &[Area]) -> usize {
        let mut owner = vec![NO_AREA; grid.padded_cells()];
        for (i, area) in (0..).zip(areas) {
            for id in free_cells(grid, area) {
                owner[id.index()] = i;
            }
        }
        let outside = |&id: &CellId| owner[id.index()] == NO_AREA;
        let free = grid.cells().filter(|&cell| grid.is_free(cell)).map(|cell| grid.id(cell));
        let ends: Vec<CellId> = free.filter(outside).collect();
        let mut search = ExactCheck::new();
        let mut distances = |start: CellId, allowed: &dyn Fn(&CellId) -> bool| {
            search.search(grid, start, UNREACHED, |_, to| allowed(&to));
            let distances: Vec<u64> = ends.iter().map(|goal| search.distance[goal.index()]).collect();
            search.clear();
            distances
        };
        let mut wrong = 0;
        for &start in ends.iter().step_by(3) {
            let (optima, pruned) = (distances(start, &|_| true), distances(start, &outside));
            wrong += optima.iter().zip(&pruned).filter(|(optimum, found)| optimum != found).count();
        }
        wrong
    }

    /// The paper's Lemma 2 does not hold without corner cutting: on one of its maps, its areas make a path longer.
    /// Needs the MovingAI files.
    #[test]
    fn the_papers_areas_make_a_path_longer() {
        let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movingai");
        let folder = std::env::var_os("OCTILE_MOVINGAI").map_or(beside, Into::into);
        let Ok(map) = crate::load(folder.join("rooms/8room_000.map")) else { return };
        let (grid, detected) = (&map.grid, Detection::new(&map.grid).areas);
        let mut search = ExactCheck::new();
        let mut length = |areas: &[Area]| {
            let mut is_inside = vec![false; grid.padded_cells()];
            for id in areas.iter().flat_map(|area| free_cells(grid, area)) {
                is_inside[id.index()] = true;
            }
            let [start, goal] = [Cell::new(101, 17), Cell::new(69, 5)].map(|cell| grid.id(cell));
            assert!(!is_inside[start.index()] && !is_inside[goal.index()]);
            search.search(grid, start, UNREACHED, |_, to| !is_inside[to.index()]);
            let length = Wide::decode(search.distance[goal.index()]).length();
            search.clear();
            format!("{length:.2}")
        };
        assert_eq!([length(&[]), length(&detected)].join(" "), "76.28 83.11");
        assert_eq!(length(&select(grid, detected)), "76.28");
    }

    /// Detected areas are not always safe without corner cutting; selected ones are safe under every rule.
    #[test]
    fn selection_makes_unsafe_areas_safe() {
        let (mut unsafe_maps, mut kept) = (0, 0);
        for seed in 0..40 {
            // Rooms with scattered obstacles.
            let (rooms, noise) =
                (generate::rooms(33, 33, 7, seed).unwrap(), generate::random(33, 33, 4, seed).unwrap());
            let rooms = Grid::from_fn(33, 33, |cell| rooms.is_free(cell) && noise.is_free(cell)).unwrap();
            for movement in Movement::ALL {
                let grid = rooms.with_movement(movement);
                let detected = Detection::new(&grid).areas;
                let selected = select(&grid, detected.clone());
                kept += selected.len();
                assert_eq!(wrong_answers(&grid, &selected), 0, "{grid:?}");
                if movement == Movement::Octile && selected != detected {
                    unsafe_maps += usize::from(wrong_answers(&grid, &detected) > 0);
                }
            }
        }
        assert!(unsafe_maps > 5 && kept > 1000, "{unsafe_maps} {kept}");
    }
}
