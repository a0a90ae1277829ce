//! The costs of all cells, and the search that finds them.
//!
//! # Moves that need not be tried
//! A move in direction `e` from a cell that was reached in direction `d` is left out if the two moves can be replaced by a way that is
//! cheaper, or that is as cheap and moves diagonally first. **Why all costs are still found:** of all shortest ways from a goal to a cell
//! take the one that moves diagonally as early as possible. None of its moves is left out: to replace it and the one before would give a
//! shorter way, or one with an earlier diagonal. The way to each of its cells is a shortest one too, so that each is visited at its
//! final cost, with all directions by which that cost was reached (`arrivals`): directions come from earlier buckets, and
//! [buckets](super::queue) are visited when all before them have been.

use crate::geometry::units::{Cost, Units};
use crate::geometry::{Cell, CellId, Dir, DirSet, Octile};
use crate::grid::{Grid, Movement};
use crate::search::field::queue::{Buckets, Queue};
use crate::search::size_bytes;
use crate::search::widths::Overflow;

/// The costs of all cells of a map, in units that are exact below a limit.
#[derive(Clone, Debug)]
pub(super) struct Labels<U: Units> {
    /// By padded id; the greatest number where nothing is known to lead.
    pub(super) costs: Vec<U::Cost>,
    /// By padded id: the directions in which a shortest way comes from a goal. Goals have none, and may be left in all.
    arrivals: Vec<u8>,
    pub(super) queue: Queue<U>,
    /// Costs above are not kept. None: no cost is.
    pub(super) limit: Option<U::Cost>,
    /// How many cells the last search from the goals has reached.
    pub(super) reached: usize,
    /// Cells near changes, and cells that have lost their cost.
    pub(super) touched: Vec<u32>,
    pub(super) lost: Vec<u32>,
}

size_bytes!(for [U: Units] Labels<U>: costs, arrivals, queue, touched, lost);

/// What a search knows of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terrain<'a> {
    pub(super) grid: &'a Grid,
    pub(super) goals: &'a [Cell],
    pub(super) kept: &'a KeptMoves,
}

impl<U: Units> Labels<U> {
    /// Labels of no cell, for costs whose lengths are at most `greatest`.
    pub(super) fn new(grid: &Grid, greatest: f64) -> Self {
        Self {
            costs: vec![U::Cost::MAX; grid.padded_cells()],
            arrivals: vec![0; grid.padded_cells()],
            queue: Queue::new(),
            limit: limit_of::<U>(greatest),
            reached: 0,
            touched: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Labels of no cell of another map.
    pub(super) fn reset(&mut self, grid: &Grid, greatest: f64) {
        self.costs.clear();
        self.costs.resize(grid.padded_cells(), U::Cost::MAX);
        self.arrivals.resize(grid.padded_cells(), 0);
        self.limit = limit_of::<U>(greatest);
    }

    /// Finds all costs anew.
    pub(super) fn fill(&mut self, terrain: Terrain<'_>) -> Result<(), Overflow> {
        let Terrain { grid, goals, kept } = terrain;
        self.costs.fill(U::Cost::MAX);
        self.queue.clear();
        self.reached = 0;
        let Some(limit) = self.limit else { return Ok(()) };
        for &goal in goals.iter().filter(|&&goal| grid.is_free(goal)) {
            let id = grid.id(goal);
            self.costs[id.index()] = U::Cost::default();
            self.arrivals[id.index()] = 0;
            self.queue.seed(U::Cost::default(), id.0);
        }
        self.queue.begin();
        let steps = grid.id_steps();
        while self.queue.advance()? {
            self.reached +=
                visit(&mut self.costs, &mut self.arrivals, self.queue.buckets(), (grid, kept), steps, limit);
        }
        Ok(())
    }

    /// The cost of a cell, if it has one.
    #[inline]
    pub(super) fn cost(&self, id: CellId) -> Option<U::Cost> {
        let cost = self.costs[id.index()];
        (cost != U::Cost::MAX).then_some(cost)
    }

    pub(super) fn octile(&self, id: CellId) -> Option<Octile> {
        self.cost(id).map(U::decode)
    }

    /// The first of the [preferred](PREFERRED) moves that a shortest way begins with.
    #[inline]
    pub(super) fn next(&self, grid: &Grid, id: CellId) -> Option<Dir> {
        let (cost, moves, steps) = (self.cost(id)?, grid.moves_of(id), grid.id_steps());
        PREFERRED.into_iter().find(|&dir| {
            let to = id.0.wrapping_add(steps[dir as usize]) as usize;
            moves.contains(dir) && cost >= price::<U>(dir) && self.costs[to] == cost - price::<U>(dir)
        })
    }
}

/// Directions, the first to be chosen first.
const PREFERRED: [Dir; 8] = [Dir::NE, Dir::SE, Dir::SW, Dir::NW, Dir::N, Dir::E, Dir::S, Dir::W];

/// What a move costs.
#[inline]
pub(super) fn price<U: Units>(dir: Dir) -> U::Cost {
    if dir.is_diagonal() { U::DIAGONAL } else { U::STRAIGHT }
}

/// Visits the cells of a bucket; gives how many.
fn visit<U: Units>(
    costs: &mut [U::Cost],
    arrivals: &mut [u8],
    mut buckets: Buckets<'_, U>,
    (grid, kept): (&Grid, &KeptMoves),
    steps: [u32; 8],
    limit: U::Cost,
) -> usize {
    let mut visited = 0;
    for &id in buckets.now {
        let cost = costs[id as usize];
        if !buckets.holds(cost) {
            continue;
        }
        visited += 1;
        for dir in kept.moves(grid.moves_of(CellId(id)), arrivals[id as usize]) {
            let to = id.wrapping_add(steps[dir as usize]);
            let through = cost + price::<U>(dir);
            let before = &mut costs[to as usize];
            if through < *before && through <= limit {
                buckets.push_once(through, *before, to);
                *before = through;
                arrivals[to as usize] = 1 << dir as u8;
            } else if through == *before {
                arrivals[to as usize] |= 1 << dir as u8;
            }
        }
    }
    visited
}

/// Which moves are not left out, for each direction of arrival and each set of legal moves.
#[derive(Clone, Debug)]
pub(super) struct KeptMoves(Box<[[u8; 256]; 8]>);

impl KeptMoves {
    pub(super) fn new(movement: Movement) -> Self {
        let table = |arrival| std::array::from_fn(|moves| kept(movement, arrival, DirSet(moves as u8)).0);
        Self(Box::new(Dir::ALL.map(table)))
    }

    /// Those from a cell with some legal moves that was reached in some directions; all of them if in none.
    #[inline]
    fn moves(&self, moves: DirSet, arrivals: u8) -> DirSet {
        if arrivals == 0 {
            return moves;
        }
        DirSet(DirSet(arrivals).into_iter().fold(0, |all, arrival| all | self.0[arrival as usize][moves.0 as usize]))
    }
}

/// Those after a move in one direction. The cell before is free, so that the legal moves tell which cells beside it are.
fn kept(movement: Movement, arrival: Dir, moves: DirSet) -> DirSet {
    let ahead = [arrival.turn(-1), arrival, arrival.turn(1)];
    let keeps = |dir: Dir| match (movement, arrival.is_diagonal()) {
        (Movement::Tile, _) => dir != arrival.opposite(),
        // Cells to the side and ahead to the side are reached around a cell that is blocked behind to the side, and by an earlier diagonal else.
        (Movement::Octile, false) => {
            dir == arrival
                || [2, -2].into_iter().any(|side| {
                    let is_blocked_behind =
                        moves.contains(arrival.turn(side)) && !moves.contains(arrival.turn(side / 2 * 3));
                    is_blocked_behind && [arrival.turn(side), arrival.turn(side / 2)].contains(&dir)
                })
        }
        // The cell to the side is reached across the corner, so that only what lies ahead of a blocked one is left.
        (Movement::OctileCutting, false) => {
            dir == arrival
                || [2, -2].into_iter().any(|side| dir == arrival.turn(side / 2) && !moves.contains(arrival.turn(side)))
        }
        (Movement::Octile, true) => ahead.contains(&dir),
        // Around a corner that was cut.
        (Movement::OctileCutting, true) => {
            ahead.contains(&dir)
                || [3, -3]
                    .into_iter()
                    .any(|behind| dir == arrival.turn(behind / 3 * 2) && !moves.contains(arrival.turn(behind)))
        }
    };
    moves.into_iter().filter(|&dir| keeps(dir)).collect()
}

/// The greatest cost whose length is at most `greatest`; none if that is negative or no number.
fn limit_of<U: Units>(greatest: f64) -> Option<U::Cost> {
    if greatest.is_nan() || greatest < 0.0 {
        return None;
    }
    let (a, most): (f64, u64) = ((U::STRAIGHT.into()) as f64, U::LIMIT.into());
    // Lengths are rounded, and so are units: by far less than this many.
    let (about, error) = ((greatest * a) as u64, 64);
    if about >= most {
        return Some(U::Cost::MAX);
    }
    let fits = |&cost: &u64| counts_of::<U>(cost).is_some_and(|counts| counts.length() <= greatest);
    let least = about.saturating_sub(error);
    (least..=about + error).rev().find(fits).map(U::Cost::of).or(Some(U::Cost::of(least)))
}

/// The counts behind a number below the limit; not every number is a cost.
fn counts_of<U: Units>(number: u64) -> Option<Octile> {
    let diagonal = u128::from(number) * u128::from(U::INVERSE) % u128::from(U::STRAIGHT.into());
    let is_cost = diagonal * u128::from(U::DIAGONAL.into()) <= u128::from(number);
    is_cost.then(|| U::decode(U::Cost::of(number)))
}
