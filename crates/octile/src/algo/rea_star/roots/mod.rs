//! The search by roots.
//!
//! # Why it is optimal
//! A cell is a *root* for a straight direction d and a side s of it if it is free, its neighbour on the side s is free,
//! and the cell behind that neighbour, against d, is blocked. A *leg* is any number of diagonal moves in one direction,
//! then any number of straight moves in one of the two adjacent directions: it lies in a quadrant.
//!
//! **Lemma 1.** *If a path exists, some shortest path consists of legs of which each but the first begins at a root for
//! the direction in which the previous one ended, in the quadrant between that direction and the side.* All shortest
//! paths have the same numbers of straight and diagonal moves, as √2 is irrational. Take the one whose diagonal moves
//! come first, compared move by move. After a diagonal move a + b, where a and b are straight, comes the same move
//! again, or a, or b: after a - b both could be replaced by twice a, whose cells are free, and after anything further
//! back by one move or none. After a straight move d, from p to r, comes
//! - d again; or something backwards, but then one move or none would replace both;
//! - the straight move to a side s. Then p + s is blocked, otherwise one diagonal move from p would do, as r and r + s
//!   are free;
//! - the diagonal move d + s. Then p + s is blocked, otherwise the diagonal move could come first: r and r + s are
//!   free, the latter because d + s is legal from r, and then d leads to the same cell.
//!
//! So where the path turns after a straight move, r is a root for d on the side s, and the next leg lies between d and
//! s. Diagonal moves need no root after them.
//!
//! **Lemma 2.** *Expanding a quadrant of a root finds, on each of its legs that can be walked, the first root for the
//! straight direction of the leg, at the cost of the path to it, with the quadrants of all its sides.* A leg goes along
//! the diagonal, then ahead in a lane. A lane is examined from the line after the one in which the diagonal enters it:
//! no straight move has passed an obstacle that ends beside the cell of the diagonal itself. Inside the square no cell
//! is blocked, so only lanes at its edge have roots there, on one side: beside the first lane the line outside is read
//! and, if the front of rows starts beyond the square, the line after the last of them. That is done only where the
//! diagonal ends at the square, as rows that it would reach later have not been read. From there on, every line is
//! compared with the one before it, one cell to both sides of every open lane, until the lane meets an obstacle or a
//! root. The diagonal is followed until it is blocked, or to the last lane, where the process starts again as if its
//! cell were a root. Small squares are scanned lane by lane, each with both lines beside it.
//!
//! **Theorem.** *The search finds a shortest path.* Take the path of Lemma 1 and cut its legs further, wherever one
//! passes straight over a root: the rest of the leg continues straight, and so lies in each quadrant that opens there.
//! Let its roots be r1, r2, ..., after the start r0. Registering a root at some cost drops it if a lower cost is known;
//! adds its quadrants to the known ones if the cost is the same; and otherwise resets the root. Every registered
//! quadrant is expanded at once, in a chain, or waits on the open list until it is expanded or the root gets cheaper.
//! So, whenever a node is popped from the open list and no shortest path was found before, there is an i such that ri
//! has its least cost and the quadrant of the leg from there waits: i = 0 at first; and when that quadrant is expanded,
//! r(i+1) is registered at its least cost, by Lemma 2. If the quadrant of its leg does not wait then, it was expanded
//! at the same cost, and the same holds for the root after it. The last root sees the goal, and waits if the quadrant
//! before it was expanded, since a root that sees the goal is not expanded in a chain. The octile distance is never
//! above the remaining cost. So some node waits whose f is at most the least cost. The first popped node that sees the
//! goal has an f that is not larger, and its f is the cost of a path. Costs of roots only fall and are sums of moves,
//! so the search terminates; and if the list becomes empty, no path exists.
//!
//! Costs are exact below [`Units::LIMIT`]. A chain ends when its f reaches that limit, so that the overflow is noticed
//! at the open list.

mod memory;
mod steps;
mod sweep;
mod trace;

pub(super) use self::memory::Memory;
use self::memory::{START, Task};
use self::sweep::Sweep;
pub(super) use self::trace::cut;
use crate::geometry::units::{Narrow, Units};
use crate::geometry::{Cell, SMALL};
use crate::grid::Grid;
use crate::kernels::gates::GateQuery;
use crate::kernels::jump_points::{Gate, GoalSight, NoGates, Windows};
use crate::kernels::widths::{self, Memories, Overflow, Widths};
use crate::path::{Output, Path};
use crate::planner::{NoProbe, PathQuery, Probe};

/// The maximum number of roots in a chain, expanded without the open list while each leads to only one other.
const CHAIN: usize = 24;

/// Some of the four quadrants at a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Quadrants(u8);

impl Quadrants {
    const ALL: Self = Self(15);

    #[inline]
    const fn one(east: bool, south: bool) -> Self {
        Self(1 << (east as u8 + 2 * south as u8))
    }

    /// These quadrants if `is_so`, otherwise none.
    #[inline]
    const fn when(self, is_so: bool) -> Self {
        Self(if is_so { self.0 } else { 0 })
    }

    #[inline]
    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline]
    const fn contains(self, east: bool, south: bool) -> bool {
        self.0 & Self::one(east, south).0 != 0
    }

    #[inline]
    const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A root that an expansion found.
#[derive(Clone, Copy, Debug)]
struct Hit<C> {
    cell: Cell,
    g: C,
    quadrants: Quadrants,
}

impl<U: Units> Memories for Memory<U> {
    type In<V: Units> = Memory<V>;
}

/// Scratch memory for a map.
pub(super) fn widths(grid: &Grid) -> Widths<Memory<Narrow>> {
    Widths::new(Memory::new(grid))
}

/// A query with its options.
pub(super) struct Asked<'a, 'p> {
    pub(super) grid: &'a Grid,
    /// Cells behind gates are left out.
    pub(super) gates: Option<GateQuery<'a>>,
    pub(super) query: PathQuery,
    pub(super) out: &'a mut Path,
    /// The ends of the legs of the path that is found.
    pub(super) legs: &'a mut Vec<Cell>,
    pub(super) probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl widths::Search for Asked<'_, '_> {
    type Memory = Memory<Narrow>;

    /// A leg and the heuristic at its end: each is at most one side of the map, all diagonal.
    fn farthest(&self) -> u64 {
        2 * u64::from(self.grid.width().max(self.grid.height())) * u64::from(Narrow::DIAGONAL)
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(self.grid)
    }

    /// Specialised without a probe, with and without gates; with the feature `small`, all cases share one instance.
    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        match (&self.probe, self.gates) {
            (None, None) if !SMALL => self.search(NoGates, &mut NoProbe).run(memory),
            (None, Some(gates)) if !SMALL => self.search(gates, &mut NoProbe).run(memory),
            _ => self.run_wider(memory),
        }
    }

    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let (gates, mut nobody) = (self.gates, NoProbe);
        match self.probe.take() {
            Some(probe) => {
                let mut search = self.search(gates, &mut *probe);
                search.is_watched = true;
                let found = search.run(memory);
                self.probe = Some(probe);
                found
            }
            None => self.search::<_, dyn Probe>(gates, &mut nobody).run(memory),
        }
    }
}

impl Asked<'_, '_> {
    fn search<'s, G: Gate, P: Probe + ?Sized>(&'s mut self, gates: G, probe: &'s mut P) -> Search<'s, G, P> {
        let Self { grid, query, out, legs, .. } = self;
        let sight = (GoalSight::new(grid, query.goal), Windows::new(grid));
        Search { grid, gates, query: *query, sight, out, legs, is_watched: false, probe }
    }
}

/// A query, with the types that its search is compiled for.
struct Search<'a, G, P: ?Sized> {
    grid: &'a Grid,
    gates: G,
    query: PathQuery,
    /// Tests whether a cell sees the goal.
    sight: (GoalSight, Windows<'a>),
    out: &'a mut Path,
    /// The ends of the legs of the path.
    legs: &'a mut Vec<Cell>,
    /// Whether to report hops to the probe.
    is_watched: bool,
    probe: &'a mut P,
}

impl<G: Gate, P: Probe + ?Sized> Search<'_, G, P> {
    /// Runs the search. Returns whether a path exists.
    fn run<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        memory.begin(self.grid);
        let start = Hit { cell: self.query.start, g: 0.into(), quadrants: Quadrants::ALL };
        self.open(memory, START, start);
        while let Some(entry) = memory.heap.pop() {
            let f = U::f(entry);
            if f >= U::LIMIT {
                return Err(Overflow);
            }
            let Some(task) = memory.take(U::id(entry, memory.id_bits)) else { continue };
            if self.probe.stops(U::length(f)) {
                break;
            }
            if self.sees_goal(task.hit.cell) {
                self.probe.expanded(task.hit.cell);
                self.answer(memory, task.number, f);
                return Ok(true);
            }
            self.follow(memory, task);
        }
        Ok(false)
    }

    #[inline]
    fn sees_goal(&self, cell: Cell) -> bool {
        let (sight, windows) = self.sight;
        sight.sees(windows, cell)
    }

    /// Expands a root, and the next one if there is only one.
    #[inline]
    fn follow<U: Units>(&mut self, memory: &mut Memory<U>, mut task: Task<U::Cost>) {
        let mut followed = 0;
        loop {
            self.expand(memory, task.hit);
            let [only] = memory.hits[..] else { break };
            memory.hits.clear();
            let Some(next) = self.register(memory, task.number, only) else { return };
            followed += 1;
            if followed == CHAIN || self.f::<U>(only) >= U::LIMIT || self.sees_goal(only.cell) {
                return self.wait(memory, next);
            }
            task = next;
        }
        for index in 0..memory.hits.len() {
            let hit = memory.hits[index];
            self.open(memory, task.number, hit);
        }
        memory.hits.clear();
    }

    /// Finds the next roots.
    #[inline]
    fn expand<U: Units>(&mut self, memory: &mut Memory<U>, Hit { cell, g, quadrants }: Hit<U::Cost>) {
        self.probe.expanded(cell);
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        let mut sweep = Sweep::<U, P> { grid: self.grid, hits: &mut memory.hits, probe: self.probe };
        if quadrants.contains(false, false) {
            sweep.quadrant::<false, false>(x, y, g);
        }
        if quadrants.contains(true, false) {
            sweep.quadrant::<true, false>(x, y, g);
        }
        if quadrants.contains(false, true) {
            sweep.quadrant::<false, true>(x, y, g);
        }
        if quadrants.contains(true, true) {
            sweep.quadrant::<true, true>(x, y, g);
        }
    }

    /// Puts a root on the open list, unless it was reached at no higher cost before.
    #[inline]
    fn open<U: Units>(&mut self, memory: &mut Memory<U>, from: u32, hit: Hit<U::Cost>) {
        if let Some(task) = self.register(memory, from, hit) {
            self.wait(memory, task);
        }
    }

    /// Records that a root was reached. Returns what to expand, unless that waits already.
    #[inline]
    fn register<U: Units>(&mut self, memory: &mut Memory<U>, from: u32, hit: Hit<U::Cost>) -> Option<Task<U::Cost>> {
        let id = self.grid.id(hit.cell);
        let Some(number) = memory.number(id) else {
            if !self.gates.lets_in(id) {
                // Excluded: its cost is 0, so that it is not tested again.
                memory.add(id, from, Hit { g: 0.into(), quadrants: Quadrants::ALL, ..hit });
                return None;
            }
            self.probe.reached(hit.cell, true);
            return Some(Task { number: memory.add(id, from, hit), hit });
        };
        let quadrants = memory.improve(number, from, hit)?;
        self.probe.reached(hit.cell, false);
        Some(Task { number, hit: Hit { quadrants, ..hit } })
    }

    #[inline]
    fn f<U: Units>(&self, hit: Hit<U::Cost>) -> U::Cost {
        hit.g + U::between(hit.cell, self.query.goal)
    }

    /// Puts a registered root on the open list.
    #[inline]
    fn wait<U: Units>(&mut self, memory: &mut Memory<U>, Task { number, hit }: Task<U::Cost>) {
        memory.await_turn(number, hit.quadrants);
        let f = self.f::<U>(hit);
        memory.heap.push(U::pack(f, hit.g, number, memory.id_bits));
    }

    /// Writes the path whose last leg leads from a root to the goal.
    fn answer<U: Units>(&mut self, memory: &mut Memory<U>, last: u32, cost: U::Cost) {
        if self.query.output == Output::Cost {
            self.out.set_cost(U::decode(cost));
            return;
        }
        memory.legs_to(last, self.query.goal, self.legs);
        if self.is_watched {
            cut(self.grid, self.legs, &mut memory.points);
            memory.points.windows(2).for_each(|hop| self.probe.hop(hop[0], hop[1]));
        }
        self.out.set_hops(self.query.output, self.legs, U::decode(cost));
    }
}
