//! The costs of all cells, and the search that finds them.
//!
//! # Pruned moves
//! A move in direction `e` from a cell that was reached in direction `d` is pruned if the two moves can be replaced by
//! a path that is cheaper, or that costs the same and moves diagonally first. **Why all costs are still found:** of all
//! shortest paths from a goal to a cell, take the one that moves diagonally as early as possible. None of its moves is
//! pruned: replacing it and the move before would give a shorter path, or one with an earlier diagonal. The path to
//! each of its cells is a shortest one too, so each cell is visited at its final cost, with all directions by which
//! that cost was reached (`arrivals`): directions come from earlier buckets, and a [bucket](super::queue) is visited
//! after all buckets before it.
//!
//! Over terrain the replacement may cost more, so all moves are tried.
//!
//! # Costs that cannot be counted
//! This happens only over terrain: a path may cost more than [`Wide`](crate::geometry::units::Wide) units distinguish,
//! or more counts than a [`GridCost`] can hold. Cells that have no other path have no cost, and the labels are
//! [cut](Labels::is_cut).

use std::mem;

use crate::geometry::units::{Cost, Units, Width};
use crate::geometry::{Cell, CellId, Dir, DirSet, GridCost, PathCost};
use crate::grid::{Grid, Ground, Movement};
use crate::kernels::fares::{Fares, Plain, with_fares_of};
use crate::kernels::widths::Overflow;
use crate::planner::size_bytes;
use crate::services::field::queue::{Buckets, Order, Queue, QueueBuckets, Ring};

/// The costs of all cells of a map, in units that are exact below a limit.
#[derive(Clone, Debug)]
pub(super) struct Labels<U: Units> {
    /// The costs by padded id; the largest number for cells that are not reached.
    pub(super) costs: Vec<U::Cost>,
    /// By padded id: the directions in which shortest paths from a goal arrive. Goals have none: all moves from them
    /// are kept.
    arrivals: Vec<u8>,
    pub(super) queue: Queue<U>,
    /// Replaces the queue over terrain.
    pub(super) ring: Ring<U>,
    /// The greatest cost that is kept. If `None`, no cell gets a cost.
    pub(super) limit: Option<U::Cost>,
    /// Whether the limit is the greatest cost that can be counted.
    is_limited_by_counts: bool,
    /// Whether some cell has no cost because of that limit.
    pub(super) is_cut: bool,
    /// The number of cells that the last search from the goals reached.
    pub(super) reached: usize,
    /// Cells near changes, and cells that have lost their costs.
    pub(super) touched: Vec<u32>,
    pub(super) lost: Vec<u32>,
}

size_bytes!(for [U: Units] Labels<U>: costs, arrivals, queue, ring, touched, lost);

/// The input of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) grid: &'a Grid,
    pub(super) goals: &'a [Cell],
    pub(super) kept: &'a KeptMoves,
    pub(super) orientation: Orientation,
}

/// The direction of the paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Orientation {
    /// To the goals: the search from the goals goes backwards.
    ToGoals,
    /// From the goals.
    FromGoals,
}

impl Orientation {
    pub(super) fn is_back(self) -> bool {
        self == Self::ToGoals
    }
}

impl<U: Units> Labels<U> {
    /// Labels without costs, for costs whose lengths are at most `greatest`.
    pub(super) fn new(grid: &Grid, greatest: f64) -> Self {
        let mut labels = Self {
            costs: vec![U::Cost::MAX; grid.padded_cells()],
            arrivals: vec![0; grid.padded_cells()],
            queue: Queue::default(),
            ring: Ring::default(),
            limit: None,
            is_limited_by_counts: false,
            is_cut: false,
            reached: 0,
            touched: Vec::new(),
            lost: Vec::new(),
        };
        labels.set_limit(grid, greatest);
        labels
    }

    /// Clears the labels for another map.
    pub(super) fn reset(&mut self, grid: &Grid, greatest: f64) {
        self.costs.clear();
        self.costs.resize(grid.padded_cells(), U::Cost::MAX);
        self.arrivals.resize(grid.padded_cells(), 0);
        self.set_limit(grid, greatest);
    }

    /// Limits costs to those whose lengths are at most `greatest`.
    pub(super) fn set_limit(&mut self, grid: &Grid, greatest: f64) {
        self.limit = limit_of::<U>(grid, greatest);
        self.is_limited_by_counts = false;
        self.is_cut = false;
        if let Some(ground) = grid.ground().filter(|_| U::WIDTH == Width::Wide) {
            let most = countable::<U>(ground);
            self.is_limited_by_counts = self.limit.is_some_and(|limit| limit > most);
            self.limit = self.limit.map(|limit| limit.min(most));
        }
    }

    /// Finds all costs from scratch.
    pub(super) fn fill(&mut self, task: Task<'_>) -> Result<(), Overflow> {
        let Task { grid, goals, kept, .. } = task;
        self.costs.fill(U::Cost::MAX);
        self.reached = 0;
        self.is_cut = false;
        let Some(limit) = self.limit else { return Ok(()) };
        if let Some(ground) = grid.ground() {
            return self.fill_by_prices(task, ground, limit);
        }
        let mut queue = mem::take(&mut self.queue);
        queue.clear();
        self.seed_goals(&mut queue, grid, goals);
        queue.begin();
        self.queue = queue;
        let steps = grid.id_steps();
        while self.queue.advance()? {
            self.reached += visit(&mut self.costs, &mut self.arrivals, self.queue.buckets(), grid, kept, steps, limit);
        }
        Ok(())
    }

    /// Finds all costs over terrain.
    #[inline(never)]
    fn fill_by_prices(&mut self, task: Task<'_>, ground: &Ground, limit: U::Cost) -> Result<(), Overflow> {
        let Task { grid, goals, orientation, .. } = task;
        self.with_ring(ground, |labels, ring| {
            labels.seed_goals(ring, grid, goals);
            ring.begin();
            labels.reached = with_fares_of!(grid, ground, orientation.is_back(), fares => {
                spread::<U, true>(&mut labels.costs, ring, &fares, grid, limit)?
            });
            labels.update_is_cut(ring, grid);
            Ok(())
        })
    }

    /// Runs a function with the ring, prepared for the terrain costs of the map.
    pub(super) fn with_ring<T>(&mut self, ground: &Ground, run: impl FnOnce(&mut Self, &mut Ring<U>) -> T) -> T {
        let mut ring = mem::take(&mut self.ring);
        ring.prepare(ground);
        let answer = run(self, &mut ring);
        self.ring = ring;
        answer
    }

    /// Sets the cost of all goals without a cost to 0.
    pub(super) fn seed_goals(&mut self, queue: &mut impl Order<U>, grid: &Grid, goals: &[Cell]) {
        for &goal in goals.iter().filter(|&&goal| grid.is_free(goal)) {
            let id = grid.id(goal);
            if self.cost(id).is_none() {
                self.costs[id.index()] = U::Cost::default();
                self.arrivals[id.index()] = 0;
                queue.seed(U::Cost::default(), id.0);
            }
        }
    }

    /// Updates `is_cut` after a search that may have reached costs that cannot be counted.
    pub(super) fn update_is_cut(&mut self, ring: &Ring<U>, grid: &Grid) {
        let Some(limit) = self.limit.filter(|_| self.is_limited_by_counts) else {
            self.is_cut = false;
            return;
        };
        if self.is_cut || ring.may_exceed(limit) {
            let steps = grid.id_steps();
            let leads_on = |id: u32| {
                let beside = |dir: Dir| self.costs[id.wrapping_add(steps[dir as usize]) as usize];
                grid.moves_of(CellId(id)).into_iter().any(|dir| beside(dir) == U::Cost::MAX)
            };
            let mut reached = (0..self.costs.len() as u32).filter(|&id| self.costs[id as usize] != U::Cost::MAX);
            self.is_cut = reached.any(leads_on);
        }
    }

    /// The cost of a cell, if it has one.
    #[inline]
    pub(super) fn cost(&self, id: CellId) -> Option<U::Cost> {
        let cost = self.costs[id.index()];
        (cost != U::Cost::MAX).then_some(cost)
    }

    /// The cost of a cell in the counts of the map.
    #[inline]
    pub(super) fn octile(&self, grid: &Grid, id: CellId) -> Option<GridCost> {
        let counts = U::decode(self.cost(id)?);
        match grid.ground() {
            Some(ground) => counts.checked_mul(ground.unit().into()),
            None => Some(counts),
        }
    }

    /// The first of the [preferred](PREFERRED) moves that begins a shortest path; if paths come from the goals, that
    /// goes back along one.
    #[inline]
    pub(super) fn next(&self, grid: &Grid, orientation: Orientation, id: CellId) -> Option<Dir> {
        match grid.ground() {
            None => self.next_by(grid, &Plain, id),
            Some(ground) => self.next_by_prices(grid, ground, orientation, id),
        }
    }

    /// Not inlined, so that maps without terrain costs do not pay for it.
    #[inline(never)]
    fn next_by_prices(&self, grid: &Grid, ground: &Ground, orientation: Orientation, id: CellId) -> Option<Dir> {
        with_fares_of!(grid, ground, orientation.is_back(), fares => self.next_by(grid, &fares, id))
    }

    #[inline]
    fn next_by(&self, grid: &Grid, fares: &impl Fares<U>, id: CellId) -> Option<Dir> {
        let (cost, moves, stride) = (self.cost(id)?, grid.moves_of(id), grid.stride() as i32);
        PREFERRED.into_iter().find(|&dir| {
            let to = id.0.wrapping_add_signed(dir.dy() * stride + dir.dx());
            moves.contains(dir) && {
                let price = fares.price(to, dir.opposite(), price::<U>(dir));
                cost >= price && self.costs[to as usize] == cost - price
            }
        })
    }
}

/// Directions in the order of preference.
const PREFERRED: [Dir; 8] = [Dir::NE, Dir::SE, Dir::SW, Dir::NW, Dir::N, Dir::E, Dir::S, Dir::W];

/// The cost of a move without terrain.
#[inline]
pub(super) fn price<U: Units>(dir: Dir) -> U::Cost {
    if dir.is_diagonal() { U::DIAGONAL } else { U::STRAIGHT }
}

/// Visits the cells of a bucket. Returns their number.
fn visit<U: Units>(
    costs: &mut [U::Cost],
    arrivals: &mut [u8],
    mut buckets: QueueBuckets<'_, U>,
    grid: &Grid,
    kept: &KeptMoves,
    steps: [u32; 8],
    limit: U::Cost,
) -> usize {
    let mut visited = 0;
    for &id in buckets.now() {
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

/// Spreads the costs of the cells in a queue along all moves. Returns the number of cells visited. With `ONCE`, all
/// cells with a cost must be in the queue.
pub(super) fn spread<U: Units, const ONCE: bool>(
    costs: &mut [U::Cost],
    queue: &mut impl Order<U>,
    fares: &impl Fares<U>,
    grid: &Grid,
    limit: U::Cost,
) -> Result<usize, Overflow> {
    let (steps, mut visited) = (grid.id_steps(), 0);
    while queue.advance()? {
        let mut buckets = queue.buckets();
        for &id in buckets.now() {
            let cost = costs[id as usize];
            if !buckets.holds(cost) {
                continue;
            }
            visited += 1;
            for dir in grid.moves_of(CellId(id)) {
                let to = id.wrapping_add(steps[dir as usize]);
                let through = cost + fares.price(id, dir, price::<U>(dir));
                let before = &mut costs[to as usize];
                if through < *before && through <= limit {
                    if ONCE {
                        buckets.push_once(through, *before, to);
                    } else {
                        buckets.push(through, to);
                    }
                    *before = through;
                }
            }
        }
    }
    Ok(visited)
}

/// The moves that are not pruned, for each direction of arrival and each set of legal moves.
#[derive(Clone, Debug)]
pub(super) struct KeptMoves(Box<[[u8; 256]; 8]>);

impl KeptMoves {
    pub(super) fn new(movement: Movement) -> Self {
        let table = |arrival| std::array::from_fn(|moves| kept(movement, arrival, DirSet(moves as u8)).0);
        Self(Box::new(Dir::ALL.map(table)))
    }

    /// The moves kept in a cell with these legal moves that was reached in these directions; all of them for no
    /// direction.
    #[inline]
    fn moves(&self, moves: DirSet, arrivals: u8) -> DirSet {
        if arrivals == 0 {
            return moves;
        }
        DirSet(DirSet(arrivals).into_iter().fold(0, |all, arrival| all | self.0[arrival as usize][moves.0 as usize]))
    }
}

/// The moves kept after a move in one direction. The previous cell is free, so the legal moves show which cells beside
/// it are.
fn kept(movement: Movement, arrival: Dir, moves: DirSet) -> DirSet {
    let ahead = [arrival.turn(-1), arrival, arrival.turn(1)];
    let keeps = |dir: Dir| match (movement, arrival.is_diagonal()) {
        (Movement::Tile, _) => dir != arrival.opposite(),
        // Cells to the side and diagonally ahead are reached this way around a cell that is blocked diagonally behind;
        // otherwise a path with an earlier diagonal reaches them.
        (Movement::Octile, false) => {
            dir == arrival
                || [2, -2].into_iter().any(|side| {
                    let is_blocked_behind =
                        moves.contains(arrival.turn(side)) && !moves.contains(arrival.turn(side / 2 * 3));
                    is_blocked_behind && [arrival.turn(side), arrival.turn(side / 2)].contains(&dir)
                })
        }
        // The cell to the side is reached across the corner, so only the cell ahead of a blocked one is left.
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

/// The greatest cost whose length on a map is at most `greatest`; none if that is negative or NaN.
fn limit_of<U: Units>(grid: &Grid, greatest: f64) -> Option<U::Cost> {
    if greatest.is_nan() || greatest < 0.0 {
        return None;
    }
    let (a, most): (f64, u64) = ((U::STRAIGHT.into()) as f64, U::LIMIT.into());
    let value = grid.ground().map_or(1.0, Ground::count_value);
    let about = (greatest / value * a) as u64;
    if about >= most {
        return Some(U::Cost::MAX);
    }
    // Lengths and units are rounded, but by far less than this.
    let error = if about < 1 << f64::MANTISSA_DIGITS { 64 } else { 1024 };
    let length = |counts: GridCost| match grid.ground() {
        Some(ground) => ground.path_cost(counts).map_or(f64::INFINITY, PathCost::length),
        None => counts.length(),
    };
    let fits = |&cost: &u64| counts_of::<U>(cost).is_some_and(|counts| length(counts) <= greatest);
    let least = about.saturating_sub(error);
    (least..=about + error).rev().find(fits).map(U::Cost::of).or(Some(U::Cost::of(least)))
}

/// The greatest cost in the widest units that is certain to be countable.
fn countable<U: Units>(ground: &Ground) -> U::Cost {
    let counts = u64::from(u32::MAX / u32::from(ground.unit()));
    U::Cost::of((U::LIMIT.into() - 1).min(counts * U::STRAIGHT.into()))
}

/// The counts of a number below the limit; not every number is a cost.
fn counts_of<U: Units>(number: u64) -> Option<GridCost> {
    let diagonal = u128::from(number) * u128::from(U::INVERSE) % u128::from(U::STRAIGHT.into());
    let is_cost = diagonal * u128::from(U::DIAGONAL.into()) <= u128::from(number);
    is_cost.then(|| U::decode(U::Cost::of(number)))
}
