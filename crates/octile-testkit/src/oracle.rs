//! The oracle: Dijkstra's algorithm, written for reading, not for speed.
//!
//! It shares only types with the planners: it asks the grid only which cells are free and what they cost, states the
//! movement rules and the conventions of prices independently, and adds costs as exact counts.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use octile::geometry::{Corner, Endpoints};
use octile::grid::{Convention, Squeeze};
use octile::{Cell, Grid, GridCost, Movement, PathCost};

use crate::any_angle::{Lengths, Sights};

/// The cost of a shortest path from `start` to every reachable cell; over terrain in quarters under `average`.
pub fn distances(grid: &Grid, start: Cell) -> BTreeMap<Cell, GridCost> {
    search(&[start], |cell| neighbours(grid, cell))
}

/// The cost of a shortest path to the nearest of some goals, from every cell that has one; over terrain in quarters
/// under `average`.
pub fn distances_to(grid: &Grid, goals: &[Cell]) -> BTreeMap<Cell, GridCost> {
    search(goals, |cell| {
        // Search backwards: a step leads to a cell with a move to this one, at the price of that move.
        let back = |(from, _): (Cell, GridCost)| {
            neighbours(grid, from).into_iter().find(|&(to, _)| to == cell).map(|(_, cost)| (from, cost))
        };
        neighbours(grid, cell).into_iter().filter_map(back).collect()
    })
}

/// The cost that the oracle's exact counts stand for on a map.
pub fn cost(grid: &Grid, counts: GridCost) -> PathCost {
    match grid.convention() {
        None => PathCost::Grid(counts),
        Some(Convention::Enter) => PathCost::Priced { counts, parts: 1 },
        Some(Convention::Average) => PathCost::Priced { counts, parts: 4 },
    }
}

/// The cost of a cheapest path along corners, by moves to the eight nearest ones, from `start` to every reachable
/// corner.
pub fn corner_distances(grid: &Grid, start: Corner, squeeze: Squeeze) -> BTreeMap<Corner, GridCost> {
    search(&[start], |corner| corner_neighbours(grid, corner, squeeze))
}

/// Dijkstra's algorithm on any nodes, from all starts at once.
fn search<T: Copy + Ord>(starts: &[T], neighbours: impl Fn(T) -> Vec<(T, GridCost)>) -> BTreeMap<T, GridCost> {
    let mut settled = BTreeMap::new();
    let mut open: BTreeSet<(GridCost, T)> = starts.iter().map(|&start| (GridCost::ZERO, start)).collect();
    while let Some((cost, node)) = open.pop_first() {
        if settled.contains_key(&node) {
            continue;
        }
        settled.insert(node, cost);
        for (next, step) in neighbours(node) {
            if !settled.contains_key(&next) {
                open.insert((cost + step, next));
            }
        }
    }
    settled
}

/// The cost of a shortest path, if there is one.
pub fn distance(grid: &Grid, start: Cell, goal: Cell) -> Option<GridCost> {
    distances(grid, start).get(&goal).copied()
}

/// The cells that one legal move reaches, with the cost of the move.
pub fn neighbours(grid: &Grid, cell: Cell) -> Vec<(Cell, GridCost)> {
    let (x, y) = (i64::from(cell.x), i64::from(cell.y));
    let at = |x: i64, y: i64| Some(Cell::new(u32::try_from(x).ok()?, u32::try_from(y).ok()?));
    let free = |x: i64, y: i64| at(x, y).is_some_and(|cell| grid.is_free(cell));
    // Blocked cells have the price 0.
    let price = |x: i64, y: i64| at(x, y).map_or(0, |cell| u32::from(grid.price(cell)));
    let mut found = Vec::new();
    for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
        let counts = match grid.convention() {
            None => 1,
            Some(Convention::Enter) => price(x + dx, y + dy),
            // Half the sum of both prices, in quarters.
            Some(Convention::Average) => 2 * (price(x, y) + price(x + dx, y + dy)),
        };
        if free(x + dx, y + dy) {
            found.extend(at(x + dx, y + dy).map(|next| (next, GridCost::new(counts, 0))));
        }
    }
    for (dx, dy) in [(1, -1), (1, 1), (-1, 1), (-1, -1)] {
        let free_sides = [free(x + dx, y), free(x, y + dy)].into_iter().filter(|&free| free).count();
        let allowed = match grid.movement() {
            Movement::Octile => free_sides == 2,
            Movement::OctileCutting => free_sides >= 1,
            Movement::Tile => false,
        };
        let [one, other] = [price(x + dx, y), price(x, y + dy)];
        let counts = match grid.convention() {
            None => 1,
            Some(Convention::Enter) => price(x + dx, y + dy),
            // A quarter of the sum of all four prices; if only one side cell is free, it counts twice.
            Some(Convention::Average) if free_sides == 2 => price(x, y) + one + other + price(x + dx, y + dy),
            Some(Convention::Average) => price(x, y) + 2 * one.max(other) + price(x + dx, y + dy),
        };
        if allowed && free(x + dx, y + dy) {
            found.extend(at(x + dx, y + dy).map(|next| (next, GridCost::new(0, counts))));
        }
    }
    found
}

/// The corners that one legal move reaches, with the cost of the move. A diagonal move crosses one cell, which must be
/// free; a straight move runs between two cells, one of which must be free.
pub fn corner_neighbours(grid: &Grid, corner: Corner, squeeze: Squeeze) -> Vec<(Corner, GridCost)> {
    let (x, y) = (i64::from(corner.x), i64::from(corner.y));
    let free = |x: i64, y: i64| is_free(grid, x, y);
    // Without squeezing, if two free cells touch only at a corner, only moves on the side of the lower right cell may
    // touch it, or none.
    let may_touch = |corner: (i64, i64), other: (i64, i64)| {
        let (x, y) = corner;
        let cells = [free(x - 1, y - 1), free(x, y - 1), free(x - 1, y), free(x, y)];
        match (squeeze, cells) {
            (Squeeze::Forbidden, [true, false, false, true]) => other.0 >= x && other.1 >= y,
            (Squeeze::Forbidden, [false, true, true, false]) => false,
            _ => true,
        }
    };
    let mut found = Vec::new();
    for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
        let (open, step) = match (dx, dy) {
            (0, 0) => continue,
            (0, _) => (free(x - 1, y.min(y + dy)) || free(x, y.min(y + dy)), GridCost::new(1, 0)),
            (_, 0) => (free(x.min(x + dx), y - 1) || free(x.min(x + dx), y), GridCost::new(1, 0)),
            _ => (free(x.min(x + dx), y.min(y + dy)), GridCost::new(0, 1)),
        };
        if open && may_touch((x, y), (x + dx, y + dy)) && may_touch((x + dx, y + dy), (x, y)) {
            // A corner beside a free cell is on the map.
            let coordinate = |at: i64| u32::try_from(at).unwrap_or_default();
            found.push((Corner::new(coordinate(x + dx), coordinate(y + dy)), step));
        }
    }
    found
}

/// Whether a cell lies on the map and is free.
pub(crate) fn is_free(grid: &Grid, x: i64, y: i64) -> bool {
    u32::try_from(x).is_ok_and(|x| u32::try_from(y).is_ok_and(|y| grid.is_free(Cell::new(x, y))))
}

/// The maximum number of corners of a map for which the oracle computes shortest any-angle paths: it tests the line
/// between every two of them.
const MAX_CORNERS: u32 = 700;

/// The truth about paths from one start: computed on first use, once for all planners.
pub struct Truth {
    grid: Grid,
    start: Cell,
    cells: OnceCell<BTreeMap<Cell, GridCost>>,
    corners: [OnceCell<BTreeMap<Corner, GridCost>>; 2],
    /// For each squeeze rule; shared by all starts on the map.
    sights: Rc<[OnceCell<Sights>; 2]>,
    /// For each squeeze rule and each kind of endpoints.
    any_angle: [[AnyAngle; 2]; 2],
}

/// The lengths of shortest any-angle paths.
#[derive(Default)]
struct AnyAngle {
    to_corners: OnceCell<Lengths>,
    to_goals: RefCell<BTreeMap<Cell, Option<f64>>>,
}

impl Truth {
    /// The truth about paths from `start`.
    pub fn new(grid: &Grid, start: Cell) -> Self {
        Self::with(grid, start, Rc::default())
    }

    /// The truth about paths from each of several starts, which share data.
    pub fn of_all(grid: &Grid, starts: impl IntoIterator<Item = Cell>) -> Vec<Self> {
        let sights = Rc::default();
        starts.into_iter().map(|start| Self::with(grid, start, Rc::clone(&sights))).collect()
    }

    fn with(grid: &Grid, start: Cell, sights: Rc<[OnceCell<Sights>; 2]>) -> Self {
        let (cells, corners, any_angle) = Default::default();
        Self { grid: grid.clone(), start, cells, corners, sights, any_angle }
    }

    /// The start of the paths.
    pub fn start(&self) -> Cell {
        self.start
    }

    /// The cost of a cheapest grid path to `goal`, if there is one.
    pub fn on_cells(&self, goal: Cell) -> Option<GridCost> {
        self.cells.get_or_init(|| distances(&self.grid, self.start)).get(&goal).copied()
    }

    /// The cost of a cheapest path along corners, if there is one.
    pub fn on_corners(&self, goal: Cell, squeeze: Squeeze) -> Option<GridCost> {
        let search = || corner_distances(&self.grid, Corner::of(self.start), squeeze);
        self.corners[squeeze as usize].get_or_init(search).get(&Corner::of(goal)).copied()
    }

    /// Whether the map is small enough for [`any_angle`](Truth::any_angle).
    pub fn knows_any_angle(&self) -> bool {
        (self.grid.width() + 1) * (self.grid.height() + 1) <= MAX_CORNERS
    }

    /// The length of a shortest any-angle path, if there is one.
    pub fn any_angle(&self, goal: Cell, squeeze: Squeeze, ends: Endpoints) -> Option<f64> {
        let sights = self.sights[squeeze as usize].get_or_init(|| Sights::new(&self.grid, squeeze));
        let AnyAngle { to_corners, to_goals } = &self.any_angle[squeeze as usize][ends as usize];
        let lengths = to_corners.get_or_init(|| sights.lengths_from(ends.point(self.start)));
        *to_goals.borrow_mut().entry(goal).or_insert_with(|| sights.length(lengths, ends.point(goal)))
    }
}
