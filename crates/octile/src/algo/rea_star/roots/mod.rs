//! The search by roots.

mod memory;
mod steps;
mod sweep;
mod trace;

use self::memory::{Memory, START, Task};
use self::sweep::Sweep;
pub(super) use self::trace::cut;
use crate::algo::jump_points::{Gate, GoalSight, NoGates, Windows};
use crate::geometry::Cell;
use crate::geometry::units::{Narrow, Units, Wide};
use crate::grid::Grid;
use crate::path::{Output, Path};
use crate::prune::gates::GateQuery;
use crate::search::widths::{Overflow, Widths};
use crate::search::{NoProbe, Probe, Query};

/// How many roots are followed without the open list while each leads to one other only.
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

    /// These, or none.
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

/// A root that was found.
#[derive(Clone, Copy, Debug)]
struct Hit<C> {
    cell: Cell,
    g: C,
    quadrants: Quadrants,
}

pub(super) type RootWidths = Widths<Memory<Narrow>, Memory<Wide>>;

/// Working memory for a map.
pub(super) fn widths(grid: &Grid) -> RootWidths {
    Widths::new(Memory::new(grid))
}

/// Answers a query. Compiled for speed without a probe and in 32 bits, with and without gates; for the rare cases once.
pub(super) fn search(
    grid: &Grid,
    gates: Option<GateQuery<'_>>,
    query: Query,
    widths: &mut RootWidths,
    out: &mut Path,
    legs: &mut Vec<Cell>,
    probe: Option<&mut dyn Probe>,
) -> bool {
    let sight = GoalSight::new(grid, query.goal);
    match (probe, gates) {
        (None, None) => {
            Search { grid, gates: NoGates, query, sight, out, legs, is_watched: false, probe: &mut NoProbe }
                .quick(widths)
        }
        (None, Some(gates)) => {
            Search { grid, gates, query, sight, out, legs, is_watched: false, probe: &mut NoProbe }.quick(widths)
        }
        (Some(probe), gates) => {
            let mut search = Search { grid, gates, query, sight, out, legs, is_watched: true, probe };
            let farthest = search.farthest();
            widths.run(farthest, &mut search, Search::run::<Narrow>, Search::memory, Search::run::<Wide>)
        }
    }
}

/// One query.
struct Search<'a, G, P: ?Sized> {
    grid: &'a Grid,
    gates: G,
    query: Query,
    sight: GoalSight,
    out: &'a mut Path,
    /// The ends of the legs of the path that is found.
    legs: &'a mut Vec<Cell>,
    /// Whether the probe is to be told of hops.
    is_watched: bool,
    probe: &'a mut P,
}

impl<G: Gate> Search<'_, G, NoProbe> {
    /// Runs it in the costs that it needs.
    fn quick(mut self, widths: &mut RootWidths) -> bool {
        let in_64_bits = |search: &mut Self, memory: &mut Memory<Wide>| search.rare().run(memory);
        widths.run(self.farthest(), &mut self, Search::run::<Narrow>, Search::memory, in_64_bits)
    }

    /// The same search, of the types that rare ones are compiled for.
    fn rare(&mut self) -> Search<'_, Option<GateQuery<'_>>, dyn Probe> {
        let Self { grid, gates, query, sight, out, legs, is_watched, probe } = self;
        let (query, sight, is_watched) = (*query, *sight, *is_watched);
        Search { grid, gates: gates.query(), query, sight, out, legs, is_watched, probe: *probe }
    }
}

impl<G: Gate, P: Probe + ?Sized> Search<'_, G, P> {
    /// The most that a leg and the estimate at its end add: each is at most one side of the map, all diagonal.
    fn farthest(&self) -> u64 {
        2 * u64::from(self.grid.width().max(self.grid.height())) * u64::from(Narrow::DIAGONAL)
    }

    /// New memory for it.
    fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(self.grid)
    }

    /// Runs it, and returns whether there is a path.
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
        self.sight.sees(Windows(self.grid), cell)
    }

    /// Expands a root; and the next one, if there is only one.
    #[inline]
    fn follow<U: Units>(&mut self, memory: &mut Memory<U>, mut task: Task<U::Cost>) {
        let mut followed = 0;
        loop {
            self.expand(memory, task.hit);
            let [only] = memory.hits[..] else { break };
            memory.hits.clear();
            let Some(next) = self.register(memory, task.number, only) else { return };
            followed += 1;
            if followed == CHAIN || self.estimate::<U>(only) >= U::LIMIT || self.sees_goal(only.cell) {
                return self.wait(memory, next);
            }
            task = next;
        }
        for place in 0..memory.hits.len() {
            let hit = memory.hits[place];
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

    /// Puts a root on the open list, unless it was reached as cheaply before.
    #[inline]
    fn open<U: Units>(&mut self, memory: &mut Memory<U>, from: u32, hit: Hit<U::Cost>) {
        if let Some(task) = self.register(memory, from, hit) {
            self.wait(memory, task);
        }
    }

    /// Notes that a root was reached; returns what is to be expanded, unless that waits for it already.
    #[inline]
    fn register<U: Units>(&mut self, memory: &mut Memory<U>, from: u32, hit: Hit<U::Cost>) -> Option<Task<U::Cost>> {
        let id = self.grid.id(hit.cell);
        let Some(number) = memory.number(id) else {
            if !self.gates.lets_in(id) {
                // Reached for nothing: it will not be asked about again.
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
    fn estimate<U: Units>(&self, hit: Hit<U::Cost>) -> U::Cost {
        hit.g + U::between(hit.cell, self.query.goal)
    }

    /// Puts a registered root on the open list.
    #[inline]
    fn wait<U: Units>(&mut self, memory: &mut Memory<U>, Task { number, hit }: Task<U::Cost>) {
        memory.await_turn(number, hit.quadrants);
        let f = self.estimate::<U>(hit);
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
