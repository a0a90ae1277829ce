//! The search: A* over the cells where scans and walks stop.
//!
//! A node stores the directions in which it was reached and the moves that were already tried from it. A node reached
//! at a lower cost starts over; at the same cost, the moves that may follow in the new direction are added. Scans and
//! walks are checked for whether they pass a goal, and the search ends when nothing cheaper can follow.

use super::cache::Memo;
use super::expand::{Expand, Place, Scanned, Sink, Walked};
use super::tables::{Land, Tables};
use crate::geometry::Cell;
use crate::geometry::units::{Cost, Units, Width};
use crate::kernels::nodes::NodeMemory;
use crate::kernels::pause::Pause;
use crate::kernels::widths::{Memories, Overflow};
use crate::planner::Probe;

/// Flag bits of a node's mark: eight for the directions in which it was reached since it was expanded, eight for the
/// moves that were tried. The moves that may follow are looked up when the node is expanded: most reached nodes never
/// are.
const FLAG_BITS: u32 = 16;

/// The directions in which a node was reached.
const CAME: u32 = 0xff;

/// The bit where the tried moves begin.
const TRIED_AT: u32 = 8;

/// Search data of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node<C> {
    g: C,
    /// The number of the query, and the flags.
    mark: u32,
    /// The node where its hop began.
    from: u32,
    /// Its padded position.
    x: u16,
    y: u16,
}

pub(super) type Memory<U> = NodeMemory<U, Node<<U as Units>::Cost>, FLAG_BITS>;

impl<U: Units> Memories for Memory<U> {
    type In<V: Units> = Memory<V>;
}

#[inline]
fn place(cell: Cell) -> Place {
    (cell.x + 1, cell.y + 1)
}

#[inline]
fn cell((x, y): Place) -> Cell {
    Cell::new(x - 1, y - 1)
}

/// Where a search may end.
pub(super) trait Target: Copy {
    /// The goals.
    fn goals(&self) -> &[Cell];

    /// Whether another goal at the same cost may be better.
    fn is_many(&self) -> bool {
        self.goals().len() > 1
    }

    /// Calls `with` with the number and the position of each goal.
    fn each(&self, with: impl FnMut(u32, Place));

    /// The goal with a number.
    fn goal(&self, number: u32) -> Cell;
}

/// One goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct One(pub(super) Cell);

impl Target for One {
    fn goals(&self) -> &[Cell] {
        std::slice::from_ref(&self.0)
    }

    #[inline]
    fn is_many(&self) -> bool {
        false
    }

    #[inline]
    fn each(&self, mut with: impl FnMut(u32, Place)) {
        with(0, place(self.0));
    }

    fn goal(&self, _: u32) -> Cell {
        self.0
    }
}

/// Any of several goals: of the cheapest, the first in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnyOf<'a>(pub(super) &'a [Cell]);

impl Target for AnyOf<'_> {
    fn goals(&self) -> &[Cell] {
        self.0
    }

    #[inline]
    fn each(&self, mut with: impl FnMut(u32, Place)) {
        for (number, &goal) in (0..).zip(self.0) {
            with(number, place(goal));
        }
    }

    fn goal(&self, number: u32) -> Cell {
        self.0[number as usize]
    }
}

/// The best goal passed so far: its cost, its number, and the node where the hop to it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached<C> {
    pub(super) cost: C,
    pub(super) goal: u32,
    pub(super) from: u32,
}

impl<C: Cost> Reached<C> {
    /// Stores a goal that a hop passes, if it is better.
    #[inline]
    fn improve(&mut self, cost: C, goal: u32, from: u32) {
        if (cost, goal) < (self.cost, self.goal) {
            *self = Self { cost, goal, from };
        }
    }
}

/// Where a search was paused: its nodes have this mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paused {
    mark: u32,
    best: Reached<u64>,
    pub(super) width: Width,
}

/// One query.
pub(super) struct Search<'a, T, P: ?Sized> {
    pub(super) land: Land<'a>,
    pub(super) tables: &'a Tables,
    /// The lowest price of the map.
    pub(super) least: u32,
    pub(super) start: Cell,
    pub(super) target: T,
    /// The length of a path of one straight count.
    pub(super) unit: f64,
    pub(super) pause: &'a mut Pause<Paused>,
    pub(super) probe: &'a mut P,
}

impl<T: Target, P: Probe + ?Sized> Search<'_, T, P> {
    /// Finds the cheapest path to a goal, if any.
    pub(super) fn run<U: Units>(
        &mut self,
        memory: &mut Memory<U>,
        memo: &mut impl Memo<U::Cost>,
    ) -> Result<Option<Reached<U::Cost>>, Overflow> {
        let unit = self.land.convention.parts();
        let expand = Expand::<U>::new(self.tables, unit);
        let mut best = Reached { cost: U::Cost::MAX, goal: u32::MAX, from: 0 };
        let per_price: U::Cost = (unit * self.least).into();
        let prices = (U::STRAIGHT * per_price, U::DIAGONAL * per_price);
        let resumed = self.pause.resume();
        let mark = match resumed {
            Some(Paused { mark, best: Reached { cost, goal, from }, .. }) => {
                best = Reached { cost: U::Cost::of(cost), goal, from };
                mark
            }
            None => memory.begin(self.tables.nodes.end() + 1),
        };
        let Self { land, tables, target, .. } = *self;
        let probe = &mut *self.probe;
        let (x, y) = place(self.start);
        let start = tables.nodes.find(x as usize, y as usize).unwrap_or(tables.nodes.end() as u32);
        let site = land.start(y as usize * land.stride + x as usize);
        let mut run = Run::<U, T, P> { tables, target, probe, memory, mark, prices, best, from: 0, start };
        if resumed.is_none() {
            run.begin(self.start);
        }
        while let Some(entry) = run.memory.heap.pop() {
            let f = U::f(entry);
            if !run.is_open(f) {
                break;
            }
            if f >= U::LIMIT {
                return Err(Overflow);
            }
            let number = U::id(entry, run.memory.id_bits);
            let node = &mut run.memory.nodes[number as usize];
            let came = node.mark & CAME;
            if came == 0 {
                continue;
            }
            let (g, at) = (node.g, (u32::from(node.x), u32::from(node.y)));
            if run.probe.stops(f.into() as f64 / U::STRAIGHT.into() as f64 * self.unit) {
                run.memory.heap.push(entry);
                let Reached { cost, goal, from } = run.best;
                let best = Reached { cost: cost.into(), goal, from };
                self.pause.keep(Paused { mark, best, width: U::WIDTH });
                return Ok(None);
            }
            let tried = node.mark >> TRIED_AT & CAME;
            node.mark &= !CAME;
            run.probe.expanded(cell(at));
            run.from = number;
            // Cached successors are for nodes reached in one direction, as most are.
            if came.is_power_of_two()
                && tried == 0
                && number != run.start
                && let Some((hops, moves)) = memo.hops(&expand, number, came, at, &target)
            {
                run.memory.nodes[number as usize].mark |= u32::from(moves) << TRIED_AT;
                for hop in hops {
                    run.reach_node(hop.number(), hop.dir(), hop.at(), g + hop.cost.into());
                }
                continue;
            }
            let site = if number == run.start { &site } else { run.tables.nodes.site(number) };
            let moves = site.moves(came, tried);
            run.memory.nodes[number as usize].mark |= moves << TRIED_AT;
            expand.all(site, moves, tried | moves, at, g, &mut run);
        }
        let best = run.best;
        if best.cost == U::Cost::MAX {
            return Ok(None);
        }
        if best.cost >= U::LIMIT { Err(Overflow) } else { Ok(Some(best)) }
    }

    /// The ends of the hops of the path to a goal, from the start.
    pub(super) fn trace<U: Units>(memory: &Memory<U>, goal: Cell, from: u32, hops: &mut Vec<Cell>) {
        hops.clear();
        hops.push(goal);
        let mut number = from;
        loop {
            let node = &memory.nodes[number as usize];
            hops.push(cell((node.x.into(), node.y.into())));
            if node.from == number {
                break;
            }
            number = node.from;
        }
        hops.reverse();
    }
}

/// A search in some units.
struct Run<'a, U: Units, T, P: ?Sized> {
    tables: &'a Tables,
    target: T,
    probe: &'a mut P,
    memory: &'a mut Memory<U>,
    mark: u32,
    /// The minimum costs of a straight and a diagonal step.
    prices: (U::Cost, U::Cost),
    best: Reached<U::Cost>,
    /// The node being expanded, and the start node.
    from: u32,
    start: u32,
}

impl<U: Units, T: Target, P: Probe + ?Sized> Run<'_, U, T, P> {
    /// Reaches the start.
    fn begin(&mut self, start: Cell) {
        let (x, y) = place(start);
        let (mark, number) = (self.mark | 1, self.start);
        self.memory.nodes[number as usize] = Node { g: 0.into(), mark, from: number, x: x as u16, y: y as u16 };
        self.probe.reached(start, true);
        self.memory.heap.push(U::pack(self.bound((x, y)), 0.into(), number, self.memory.id_bits));
    }

    /// Whether something better than the best goal may have this cost.
    #[inline]
    fn is_open(&self, f: U::Cost) -> bool {
        f < self.best.cost || self.target.is_many() && f == self.best.cost
    }

    /// A lower bound of the cost of a path from a position.
    #[inline]
    fn bound(&self, (x, y): Place) -> U::Cost {
        let mut bound = U::Cost::MAX;
        self.target.each(|_, goal| {
            let (dx, dy) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
            let (long, short) = (dx.max(dy), dx.min(dy));
            bound = bound.min(self.prices.0 * (long - short).into() + self.prices.1 * short.into());
        });
        bound
    }

    /// Reaches a node in a direction.
    #[inline]
    fn reach_node(&mut self, number: u32, dir: usize, at: Place, g: U::Cost) {
        let node = &mut self.memory.nodes[number as usize];
        let seen = node.mark >> FLAG_BITS == self.mark >> FLAG_BITS;
        if seen && node.g <= g {
            if node.g == g {
                self.reach_again(dir, number, at, g);
            }
            return;
        }
        let f = g + self.bound(at);
        if !self.is_open(f) {
            return;
        }
        let mark = self.mark | 1 << dir;
        self.memory.nodes[number as usize] = Node { g, mark, from: self.from, x: at.0 as u16, y: at.1 as u16 };
        self.probe.reached(cell(at), !seen);
        self.memory.heap.push(U::pack(f, g, number, self.memory.id_bits));
    }

    /// Reaches a node at the same cost as before.
    fn reach_again(&mut self, dir: usize, number: u32, at: Place, g: U::Cost) {
        let node = &mut self.memory.nodes[number as usize];
        let came = node.mark & CAME;
        node.mark |= 1 << dir;
        if came == 0 {
            let f = g + self.bound(at);
            if self.is_open(f) {
                self.probe.reached(cell(at), false);
                self.memory.heap.push(U::pack(f, g, number, self.memory.id_bits));
            }
        }
    }
}

impl<U: Units, T: Target, P: Probe + ?Sized> Sink<U::Cost> for Run<'_, U, T, P> {
    #[inline]
    fn reach(&mut self, dir: usize, at: Place, g: U::Cost) {
        let number = self.tables.nodes.number(at.0 as usize, at.1 as usize);
        self.reach_node(number, dir, at, g);
    }

    #[inline]
    fn looked(&mut self, at: Place) {
        self.probe.touched(cell(at));
    }

    /// Checks whether the scan passes a goal.
    #[inline]
    fn scanned(&mut self, scan: Scanned<U::Cost>) {
        let Scanned { at: (x, y), dir, steps, first, other } = scan;
        let (from, best) = (self.from, &mut self.best);
        self.target.each(|goal, place| {
            let (is_on, away) = match dir {
                0 => (place.0 == x, y.wrapping_sub(place.1)),
                2 => (place.1 == y, place.0.wrapping_sub(x)),
                4 => (place.0 == x, place.1.wrapping_sub(y)),
                _ => (place.1 == y, x.wrapping_sub(place.0)),
            };
            if is_on && away.wrapping_sub(1) < steps {
                best.improve(first + other * (away - 1).into(), goal, from);
            }
        });
    }

    /// Checks whether the walk or one of its scans passes a goal.
    #[inline]
    fn walked<const EAST: bool, const SOUTH: bool>(&mut self, walk: Walked<'_, U::Cost, EAST, SOUTH>) {
        let (from, best) = (self.from, &mut self.best);
        let (x, y) = walk.at;
        self.target.each(|goal, place| {
            let away_x = if EAST { place.0.wrapping_sub(x) } else { x.wrapping_sub(place.0) };
            let away_y = if SOUTH { place.1.wrapping_sub(y) } else { y.wrapping_sub(place.1) };
            let slanted = away_x.min(away_y);
            // A goal in another quadrant counts as far away; one in the row or column of the node is not on a walk.
            if slanted.wrapping_sub(1) < walk.end.steps && away_x.max(away_y) < u32::MAX / 2 {
                let turn = walk.place(slanted);
                let straight = away_x.max(away_y) - slanted;
                let looks = slanted < walk.end.steps || walk.end.looked;
                let reach = || {
                    if away_x > away_y {
                        walk.rows.scan(turn.1 as usize, turn.0 as usize).0
                    } else {
                        walk.columns.scan(turn.0 as usize, turn.1 as usize).0
                    }
                };
                if straight == 0 || looks && straight <= reach() {
                    let cost = walk.first + walk.diagonal * (slanted - 1).into() + walk.straight * straight.into();
                    best.improve(cost, goal, from);
                }
            }
        });
    }
}
