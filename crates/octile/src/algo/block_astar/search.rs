//! The search over blocks: the paper's Algorithms 1 and 2, for cells and for corners, with any lanes.
//!
//! A block on the open list has lanes that got cheaper since its last expansion: its dirty lanes. Expanding the block
//! relaxes all its lanes through each dirty lane, using that lane's row of the table. The lanes that got cheaper cross
//! into the blocks around, and a block that this improves joins the open list with the least new f. When a block with
//! the goal is expanded, the goal may get cheaper; once no block can improve it, the search ends.
//!
//! Blocks are popped from the open list by f. Between corners, f rises a little with almost every step. There, blocks
//! whose f differ by less than half a block's side are popped by g instead, the smaller first: so a block waits until
//! most of the paths to it have arrived, and is expanded again less often. `priority=exact` pops them by f alone.
//!
//! A lane that another dirty lane reaches at no higher cost adds nothing: its row is skipped.

use std::fmt;
use std::marker::PhantomData;

use super::blocks::Blocks;
use super::lanes::{self, LANES, Lanes, Portable, Seldom, WithLanes, all};
use super::points::{BOTTOM, Border, LEFT, Lane, Layout, RIGHT, TOP, position};
use super::size::BlockSize;
use super::tables::Rim;
use super::trace::Traced;
use super::{BlockPlanner, Heuristic};
use crate::geometry::Cell;
use crate::geometry::units::{Cost, Narrow, Units};
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::table;
use crate::kernels::widths::{Memories, Overflow};
use crate::path::{Output, Path};
use crate::planner::{PathQuery, Probe, size_bytes};

/// The state of a block in a search, besides its costs.
#[derive(Clone, Copy, Debug, Default)]
struct Head<C> {
    /// The number of the query, and flags.
    mark: u32,
    /// The lanes that got cheaper since the last expansion, as bits.
    dirty: u32,
    /// The block's key on the open list, at most the least new f; infinite if the block is not on it.
    key: C,
}

/// Flags of a mark: the block has the goal, or the start.
const GOAL: u32 = 1;
const START: u32 = 2;
const FLAGS: u32 = GOAL | START;

/// Scratch memory in one kind of units.
pub(super) struct Memory<U: Units> {
    heads: table::Table<Head<U::Cost>, 2>,
    /// The costs of the lanes; undefined before the query has reached the block.
    pub(super) rims: Vec<Rim<U::Cost>>,
    heap: Heap<U::Entry>,
    id_bits: u32,
    mark: u32,
    /// The points of the path, from the goal back.
    pub(super) trail: Vec<(usize, usize)>,
}

size_bytes!(for [U: Units] Memory<U>: heads, rims, heap, trail);

impl<U: Units> Memories for Memory<U> {
    type In<V: Units> = Memory<V>;
}

impl<U: Units> Memory<U> {
    pub(super) fn new(blocks: &Blocks) -> Self {
        let len = blocks.len();
        Self {
            heads: table::Table::new(len),
            rims: vec![Rim([[U::Cost::INFINITE; LANES]; 4]); len],
            heap: Heap::new(),
            id_bits: usize::BITS - len.leading_zeros(),
            mark: 0,
            trail: Vec::new(),
        }
    }

    /// Whether the query has reached a block.
    pub(super) fn is_reached(&self, block: usize) -> bool {
        self.heads[block].mark & !FLAGS == self.mark
    }

    /// Whether a block has the query's start.
    pub(super) fn has_start(&self, block: usize) -> bool {
        self.heads[block].mark & !(FLAGS ^ START) == self.mark | START
    }
}

impl<U: Units> fmt::Debug for Memory<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({} blocks)", self.rims.len())
    }
}

/// A query.
pub(super) struct Search<'a, P, Pr: ?Sized> {
    pub(super) planner: &'a BlockPlanner<P>,
    pub(super) query: PathQuery,
    pub(super) out: &'a mut Path,
    pub(super) probe: &'a mut Pr,
    /// The length of the shortest path that stays in one block; the memory's trail has its points.
    pub(super) inside: Option<u32>,
}

/// A point of a block: the block, and the point's position in it.
pub(super) type At = (usize, (usize, usize));

impl<P: Traced, Pr: Probe + ?Sized> Search<'_, P, Pr> {
    /// New memory for this search.
    pub(super) fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(&self.planner.blocks)
    }

    /// Runs the search in 32 bits with vectors, if there are any.
    pub(super) fn run_in_vectors(&mut self, memory: &mut Memory<Narrow>) -> Option<Result<bool, Overflow>> {
        let cost = lanes::with_vectors(Job { search: self, memory }).ok()?;
        Some(cost.map(|cost| self.answer(memory, cost)))
    }
}

impl<P: Traced> Search<'_, P, dyn Probe + '_> {
    /// Runs the search in 32 bits without vectors, or with a probe. Returns whether a path exists.
    pub(super) fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        let cost = self.find(Portable::<u32>::default(), memory)?;
        Ok(self.answer(memory, cost))
    }

    /// Runs the search in 64 bits.
    pub(super) fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let cost = self.find(Seldom::<U::Cost>::default(), memory)?;
        Ok(self.answer(memory, cost))
    }
}

/// A search with 32-bit costs, before its lanes are known.
#[allow(dead_code, reason = "some processors have no vectors here")]
struct Job<'a, 'b, P, Pr: ?Sized> {
    search: &'a mut Search<'b, P, Pr>,
    memory: &'a mut Memory<Narrow>,
}

impl<P: Traced, Pr: Probe + ?Sized> WithLanes for Job<'_, '_, P, Pr> {
    type Output = Result<Option<u32>, Overflow>;

    #[inline(always)]
    fn run<K: Lanes<Cost = u32>>(self, lanes: K) -> Self::Output {
        self.search.find(lanes, self.memory)
    }
}

impl<P: Traced, Pr: Probe + ?Sized> Search<'_, P, Pr> {
    /// The cost of the shortest path, if any.
    #[inline(always)]
    fn find<U: Units, K: Lanes<Cost = U::Cost>>(
        &mut self,
        lanes: K,
        memory: &mut Memory<U>,
    ) -> Result<Option<U::Cost>, Overflow> {
        memory.mark = memory.heads.begin();
        memory.heap.clear();
        let goal = self.query.goal;
        let mut run = Run {
            lanes,
            blocks: &self.planner.blocks,
            memory,
            layout: PhantomData::<P>,
            numbers: &self.planner.numbers,
            estimate: Estimate::new::<P, U>(self.planner.size(), self.planner.heuristic, self.planner.is_tile(), goal),
            prices: P::prices::<U>(self.planner.is_tile()),
            rounding: self.planner.rounding,
            bound: U::LIMIT,
            was_cut: false,
        };
        let goals = self.planner.owners(goal);
        let mut ends = goals.iter().map(|&at| (at.0, run.row(at)));
        let ends: [(usize, [K::V; 4]); 4] =
            std::array::from_fn(|_| ends.next().unwrap_or((0, [lanes.splat(U::Cost::INFINITE); 4])));
        for &(block, _) in goals.iter() {
            run.reach(block);
            run.memory.heads[block].mark |= GOAL;
        }
        self.inside = self.planner.inside(self.query.start, goal, &mut run.memory.trail);
        if let Some(inside) = self.inside {
            run.bound = run.bound.min(P::widen::<U>(inside));
        }
        let starts = self.planner.owners(self.query.start);
        for &at in starts.iter() {
            run.seed(at);
        }
        for &(block, _) in starts.iter() {
            self.probe_expansion(block);
            run.arrive(block, &ends);
            let rim = run.rim(block);
            run.leave(block, &rim, u32::MAX, self.probe);
        }
        while let Some(entry) = run.memory.heap.pop() {
            let key = U::f(entry);
            if key >= run.bound {
                break;
            }
            let block = U::id(entry, run.memory.id_bits) as usize;
            if run.memory.heads[block].key == key {
                // Only the database knows which length a key stands for.
                if self.probe.stops(0.0) {
                    return Ok(None);
                }
                self.probe_expansion(block);
                let (rim, changed) = run.expand(block);
                run.arrive(block, &ends);
                run.leave(block, &rim, changed, self.probe);
            }
        }
        match (run.bound < U::LIMIT, run.was_cut) {
            (true, _) => Ok(Some(run.bound)),
            (false, true) => Err(Overflow),
            (false, false) => Ok(None),
        }
    }

    fn probe_expansion(&mut self, block: usize) {
        let (min, max) = self.planner.cells_of(block);
        self.probe.expanded(min);
        self.probe.expanded_area(min, max);
    }

    fn answer<U: Units>(&mut self, memory: &mut Memory<U>, cost: Option<U::Cost>) -> bool {
        let Some(cost) = cost else { return false };
        if self.query.output == Output::Cost && P::EXTRA == 0 {
            self.out.set_cost(U::decode(cost));
        } else {
            self.trace(memory, cost);
        }
        true
    }
}

/// The heuristic: an estimate of the cost to the goal.
#[derive(Clone, Copy)]
struct Estimate<C> {
    /// The goal's point, in the coordinates of [`Blocks::origin`].
    goal: (i32, i32),
    kind: Kind<C>,
}

#[derive(Clone, Copy)]
enum Kind<C> {
    /// A step along the longer axis costs the first number, a step along the shorter one adds the second.
    Steps(C, C),
    Euclidean,
}

impl<C: Cost> Estimate<C> {
    fn new<P: Layout, U: Units<Cost = C>>(size: BlockSize, heuristic: Heuristic, tile: bool, goal: Cell) -> Self {
        let (straight, diagonal) = P::prices::<U>(tile);
        let kind = match heuristic {
            Heuristic::Zero => Kind::Steps(0.into(), 0.into()),
            Heuristic::Octile if tile => Kind::Steps(straight, straight),
            Heuristic::Octile => Kind::Steps(straight, diagonal - straight),
            Heuristic::Euclidean => Kind::Euclidean,
        };
        Self { goal: (goal.x as i32 + size.width() as i32, goal.y as i32 + size.height() as i32), kind }
    }
}

/// A block and its origin.
type Next = (usize, (usize, usize));

/// A block that passes on its costs to the blocks around.
struct Leaving {
    block: usize,
    origin: (usize, usize),
    changed: u32,
    border: Border,
}

impl Leaving {
    /// One of the eight blocks around.
    #[inline(always)]
    fn next(&self, size: BlockSize, stride: usize, (dx, dy): (isize, isize)) -> Next {
        let (right, down) = (dx * size.width() as isize, dy * size.height() as isize);
        let origin = (self.origin.0.wrapping_add_signed(right), self.origin.1.wrapping_add_signed(down));
        (self.block.wrapping_add_signed(dy * stride as isize + dx), origin)
    }
}

/// A search with certain lanes.
struct Run<'a, P, U: Units, K> {
    lanes: K,
    blocks: &'a Blocks,
    memory: &'a mut Memory<U>,
    layout: PhantomData<P>,
    /// For each lane, the number of its point on the rim.
    numbers: &'a [[u8; LANES]; 4],
    estimate: Estimate<U::Cost>,
    prices: (U::Cost, U::Cost),
    /// The lowest bits of f that its key leaves out.
    rounding: u32,
    /// Costs at or above this are irrelevant: the best cost found, or the limit of the units.
    bound: U::Cost,
    /// Whether a cost above the limit was left out.
    was_cut: bool,
}

impl<P: Layout, U: Units, K: Lanes<Cost = U::Cost>> Run<'_, P, U, K> {
    #[inline(always)]
    fn size(&self) -> BlockSize {
        self.blocks.size
    }

    /// The distances from a point of a block to its lanes.
    #[inline(always)]
    fn row(&self, (block, point): At) -> [K::V; 4] {
        let row = self.blocks.table::<P>(block).row::<P>(self.size(), point).0;
        let side = |side: usize| self.lanes.load_row(&row[side], P::convert::<U>);
        [side(TOP), side(BOTTOM), side(LEFT), side(RIGHT)]
    }

    #[inline(always)]
    fn rim(&self, block: usize) -> [K::V; 4] {
        let [top, bottom, left, right] = &self.memory.rims[block].0;
        [self.lanes.load(top), self.lanes.load(bottom), self.lanes.load(left), self.lanes.load(right)]
    }

    /// Clears the state of earlier queries in a block. Returns whether the block is new to this query.
    #[inline(always)]
    fn reach(&mut self, block: usize) -> bool {
        let Memory { heads, rims, mark, .. } = &mut *self.memory;
        let head = &mut heads[block];
        let is_new = head.mark & !FLAGS != *mark;
        if is_new {
            *head = Head { mark: *mark, dirty: 0, key: U::Cost::INFINITE };
            rims[block] = Rim([[U::Cost::INFINITE; LANES]; 4]);
        }
        is_new
    }

    /// Enters the start into a block.
    fn seed(&mut self, at: At) {
        self.reach(at.0);
        let row = self.row(at);
        self.memory.heads[at.0].mark |= START;
        for (costs, row) in self.memory.rims[at.0].0.iter_mut().zip(row) {
            self.lanes.store(row, costs);
        }
    }

    /// Relaxes all lanes of a block through the dirty ones. Returns the costs, and the lanes whose changes the blocks
    /// around need.
    #[inline(always)]
    fn expand(&mut self, block: usize) -> ([K::V; 4], u32) {
        let lanes = self.lanes;
        let head = &mut self.memory.heads[block];
        head.key = U::Cost::INFINITE;
        let dirty = std::mem::take(&mut head.dirty);
        let table = self.blocks.table::<P>(block);
        let old = self.rim(block);
        let (mut rim, mut waiting) = (old, dirty);
        while waiting != 0 {
            let lane = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let (side, lane) = (lane / LANES % 4, lane % LANES);
            let cost = lanes.splat(self.memory.rims[block].0[side][lane]);
            let row = &table.rim[usize::from(self.numbers[side][lane])];
            let mut reached = 0;
            for side in 0..4 {
                let through = lanes.add(cost, lanes.load_row(&row.0[side], P::convert::<U>));
                rim[side] = lanes.min(rim[side], through);
                reached |= lanes.at_most(through, old[side]) << (side * LANES);
            }
            waiting &= !reached;
        }
        let mut kept = 0;
        for side in 0..4 {
            kept |= lanes.at_most(old[side], rim[side]) << (side * LANES);
            lanes.store(rim[side], &mut self.memory.rims[block].0[side]);
        }
        (rim, !kept | if P::PASSES_ON { dirty } else { 0 })
    }

    /// Updates the bound if the block has the goal and it got cheaper.
    #[inline(always)]
    fn arrive(&mut self, block: usize, ends: &[(usize, [K::V; 4]); 4]) {
        if self.memory.heads[block].mark & GOAL == 0 {
            return;
        }
        let rim = self.rim(block);
        for (_, row) in ends.iter().filter(|(end, _)| *end == block) {
            for side in 0..4 {
                let cost = self.lanes.least(self.lanes.add(rim[side], row[side]));
                self.bound = self.bound.min(cost);
            }
        }
    }

    /// Passes on changed lanes to the blocks around.
    #[inline(always)]
    fn leave<Pr: Probe + ?Sized>(&mut self, block: usize, rim: &[K::V; 4], changed: u32, probe: &mut Pr) {
        if K::LOOPS {
            self.leave_by_call(block, rim, changed, probe);
        } else {
            self.leave_here(block, rim, changed, probe);
        }
    }

    /// [`leave`](Run::leave), compiled once.
    #[inline(never)]
    fn leave_by_call<Pr: Probe + ?Sized>(&mut self, block: usize, rim: &[K::V; 4], changed: u32, probe: &mut Pr) {
        self.leave_here(block, rim, changed, probe);
    }

    #[inline(always)]
    fn leave_here<Pr: Probe + ?Sized>(&mut self, block: usize, rim: &[K::V; 4], changed: u32, probe: &mut Pr) {
        let lanes = self.lanes;
        let border = self.blocks.borders[block];
        // Unchanged corners are known to all blocks that share them.
        let mut costs = *rim;
        if !P::PASSES_ON {
            for (side, costs) in costs.iter_mut().enumerate() {
                *costs = lanes.keep(*costs, changed >> (side * LANES));
            }
        }
        let from = Leaving { block, origin: self.blocks.origin(block), changed, border };
        // The order is fixed, because it decides which of two blocks with equal keys is popped first.
        if K::LOOPS {
            (0..4).for_each(|side| self.leave_by(side, &from, &costs, probe));
            (4..8).chain(0..4).for_each(|single| self.leave_by_single(single, &from, probe));
            return;
        }
        self.leave_by(TOP, &from, &costs, probe);
        self.leave_by(BOTTOM, &from, &costs, probe);
        self.leave_by(LEFT, &from, &costs, probe);
        self.leave_by(RIGHT, &from, &costs, probe);
        if border.singles & P::DIAGONALS != 0 {
            self.leave_by_single(4, &from, probe);
            self.leave_by_single(5, &from, probe);
            self.leave_by_single(6, &from, probe);
            self.leave_by_single(7, &from, probe);
        }
        if border.singles & !P::DIAGONALS != 0 {
            self.leave_by_single(0, &from, probe);
            self.leave_by_single(1, &from, probe);
            self.leave_by_single(2, &from, probe);
            self.leave_by_single(3, &from, probe);
        }
    }

    /// Passes on costs to the block beyond a side.
    #[inline(always)]
    fn leave_by<Pr: Probe + ?Sized>(&mut self, side: usize, from: &Leaving, costs: &[K::V; 4], probe: &mut Pr) {
        let open = u32::from(from.border.sides[side]);
        if P::concerns(self.size(), side, from.changed) & open != 0 {
            let crossing = P::cross(self.lanes, self.size(), costs, side, open, self.prices);
            let next = from.next(self.size(), self.blocks.stride, [(0, -1), (0, 1), (-1, 0), (1, 0)][side]);
            self.receive(next, side ^ 1, crossing, probe);
        }
    }

    /// Passes on the cost of a single lane to another block.
    #[inline(always)]
    fn leave_by_single<Pr: Probe + ?Sized>(&mut self, single: usize, from: &Leaving, probe: &mut Pr) {
        let ((side, lane), towards, to) = P::single(self.size(), single);
        if from.border.singles >> single & 1 == 1 && from.changed >> (side * LANES + lane) & 1 == 1 {
            let cost = self.memory.rims[from.block].0[side][lane];
            let cost = cost + if P::PASSES_ON { self.prices.1 } else { 0.into() };
            self.receive_one(from.next(self.size(), self.blocks.stride, towards), to, cost, probe);
        }
    }

    /// Receives the costs that cross one side of a block.
    #[inline(always)]
    fn receive<Pr: Probe + ?Sized>(&mut self, (block, origin): Next, side: usize, crossing: K::V, probe: &mut Pr) {
        let lanes = self.lanes;
        let is_new = self.reach(block);
        let costs = &mut self.memory.rims[block].0[side];
        let old = lanes.load(costs);
        let better = !lanes.at_most(old, crossing) & all(LANES);
        if better == 0 {
            return;
        }
        lanes.store(lanes.min(old, crossing), costs);
        let g = costs[better.trailing_zeros() as usize % LANES];
        let (dx, dy) = self.off_goal(origin, P::first_of(self.size(), side));
        let (first, across) = if side < LEFT { (dx, dy.unsigned_abs()) } else { (dy, dx.unsigned_abs()) };
        let h = match self.estimate.kind {
            Kind::Steps(long, short) => lanes.octile(first, across, long, short),
            Kind::Euclidean => lanes.euclidean(first, across),
        };
        let f = lanes.least(lanes.keep(lanes.add(crossing, h), better));
        self.open(block, better << (side * LANES), f, g, is_new, probe);
    }

    /// The offset of a point of a block from the goal, in columns and rows.
    #[inline(always)]
    fn off_goal(&self, (left, top): (usize, usize), (x, y): (usize, usize)) -> (i32, i32) {
        ((left + x) as i32 - self.estimate.goal.0, (top + y) as i32 - self.estimate.goal.1)
    }

    /// Receives the cost that crosses one lane of a block.
    #[inline(never)]
    fn receive_one<Pr: Probe + ?Sized>(
        &mut self,
        (block, origin): Next,
        (side, lane): Lane,
        cost: U::Cost,
        probe: &mut Pr,
    ) {
        let is_new = self.reach(block);
        let old = &mut self.memory.rims[block].0[side][lane];
        if cost >= *old {
            return;
        }
        *old = cost;
        let (dx, dy) = self.off_goal(origin, position::<P>(self.size(), (side, lane)));
        let h = match self.estimate.kind {
            Kind::Steps(long, short) => lanes::octile(dx, dy.unsigned_abs(), long, short),
            Kind::Euclidean => lanes::euclidean(dx, dy.unsigned_abs()).into(),
        };
        self.open(block, 1 << (side * LANES + lane), cost + h, cost, is_new, probe);
    }

    /// Puts a block on the open list, or improves its key, for lanes that got cheaper.
    #[inline(never)]
    fn open<Pr: Probe + ?Sized>(
        &mut self,
        block: usize,
        lanes: u32,
        f: U::Cost,
        g: U::Cost,
        is_new: bool,
        probe: &mut Pr,
    ) {
        let size = self.size();
        let head = &mut self.memory.heads[block];
        head.dirty |= lanes;
        if f >= self.bound {
            self.was_cut |= f >= U::LIMIT;
            return;
        }
        let key = P::key::<U>(self.rounding, f);
        if key >= head.key {
            return;
        }
        head.key = key;
        let (x, y) = self.blocks.origin(block);
        probe.reached(Cell::new((x - size.width()) as u32, (y - size.height()) as u32), is_new);
        self.memory.heap.push(U::pack(key, P::tie::<U>(g), block as u32, self.memory.id_bits));
    }
}
