//! The search: A* over the cells that scans and walks stop at.
//!
//! A node has the moves that are still to be tried from it, and those that were. One that is reached at a lower cost begins anew; at the same cost
//! what may follow in the new direction is added. Scans and walks are asked whether they pass a goal, and the search ends when nothing cheaper can come.

use std::marker::PhantomData;

use super::diagonals::Diagonal;
use super::follow::{Pricing, sides};
use super::lines::Lines;
use super::tables::{Land, Tables};
use crate::geometry::Cell;
use crate::geometry::units::{Cost, Units, Width};
use crate::search::Probe;
use crate::search::nodes::NodeMemory;
use crate::search::pause::Pause;
use crate::search::widths::Overflow;

/// Flag bits of a node's mark: eight for the moves that are still to be tried, eight for those that were.
const FLAG_BITS: u32 = 16;

/// The moves that are still to be tried.
const PENDING: u32 = 0xff;

/// Where the moves that were tried begin.
const TRIED_AT: u32 = 8;

/// The straight ones of eight moves.
const STRAIGHT_MOVES: u32 = 0x55;

/// What a search remembers of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node<C> {
    g: C,
    /// The number of the query, and the flags.
    mark: u32,
    /// The node that its hop came from.
    from: u32,
    /// Where it is, padded.
    x: u16,
    y: u16,
}

pub(super) type Memory<U> = NodeMemory<U, Node<<U as Units>::Cost>, FLAG_BITS>;

/// A padded place.
type Place = (u32, u32);

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
    /// Whether another goal at the same cost may be better.
    const IS_MANY: bool;

    /// Calls `with` with the number and the place of each goal.
    fn each(&self, with: impl FnMut(u32, Place));

    /// The goal of a number.
    fn goal(&self, number: u32) -> Cell;
}

/// One goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct One(pub(super) Cell);

impl Target for One {
    const IS_MANY: bool = false;

    #[inline]
    fn each(&self, mut with: impl FnMut(u32, Place)) {
        with(0, place(self.0));
    }

    fn goal(&self, _: u32) -> Cell {
        self.0
    }
}

/// Any of many goals: the first of those that cost the least.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnyOf<'a>(pub(super) &'a [Cell]);

impl Target for AnyOf<'_> {
    const IS_MANY: bool = true;

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

/// The best goal that was passed so far: what it costs, which it is, and the node that the hop to it came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached<C> {
    pub(super) cost: C,
    pub(super) goal: u32,
    pub(super) from: u32,
}

/// How a search was stopped: its nodes have this mark.
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
    /// The least price of the map.
    pub(super) least: u32,
    pub(super) start: Cell,
    pub(super) target: T,
    /// The length of a path of one straight count.
    pub(super) unit: f64,
    pub(super) pause: &'a mut Pause<Paused>,
    pub(super) probe: &'a mut P,
}

impl<T: Target, P: Probe + ?Sized> Search<'_, T, P> {
    /// The cheapest way to a goal, if there is one.
    pub(super) fn run<U: Units, Q: Pricing>(
        &mut self,
        memory: &mut Memory<U>,
    ) -> Result<Option<Reached<U::Cost>>, Overflow> {
        let mut best = Reached { cost: U::Cost::MAX, goal: u32::MAX, from: 0 };
        let per_price: U::Cost = (Q::UNIT * self.least).into();
        let prices = (U::STRAIGHT * per_price, U::DIAGONAL * per_price);
        let resumed = self.pause.resume();
        let mark = match resumed {
            Some(Paused { mark, best: Reached { cost, goal, from }, .. }) => {
                best = Reached { cost: U::Cost::of(cost), goal, from };
                mark
            }
            None => memory.begin(self.land.prices.len()),
        };
        let Self { land, tables, target, .. } = *self;
        let probe = &mut *self.probe;
        let mut run =
            Run::<U, Q, T, P> { land, tables, target, probe, memory, mark, prices, best, from: 0, pricing: PhantomData };
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
            let moves = node.mark & PENDING;
            if moves == 0 {
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
            node.mark = node.mark & !PENDING | moves << TRIED_AT;
            let known = node.mark >> TRIED_AT & PENDING;
            run.probe.expanded(cell(at));
            run.from = number;
            let dropped = run.dropped(known & moves, at, g);
            run.expand(moves & !dropped, known & !dropped, at, g);
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

/// A search in units.
struct Run<'a, U: Units, Q, T, P: ?Sized> {
    land: Land<'a>,
    tables: &'a Tables,
    target: T,
    probe: &'a mut P,
    memory: &'a mut Memory<U>,
    mark: u32,
    /// What a straight and a diagonal step cost at least.
    prices: (U::Cost, U::Cost),
    best: Reached<U::Cost>,
    /// The node that is being expanded.
    from: u32,
    pricing: PhantomData<Q>,
}

impl<U: Units, Q: Pricing, T: Target, P: Probe + ?Sized> Run<'_, U, Q, T, P> {
    /// Reaches the start.
    fn begin(&mut self, start: Cell) {
        let (x, y) = place(start);
        let id = y as usize * self.land.stride + x as usize;
        let mark = self.mark | u32::from(self.land.first_moves(id));
        self.memory.nodes[id] = Node { g: 0.into(), mark, from: id as u32, x: x as u16, y: y as u16 };
        self.probe.reached(start, true);
        self.memory.heap.push(U::pack(self.bound((x, y)), 0.into(), id as u32, self.memory.id_bits));
    }

    /// Whether something better than the best may cost as much.
    #[inline]
    fn is_open(&self, f: U::Cost) -> bool {
        f < self.best.cost || T::IS_MANY && f == self.best.cost
    }

    /// What a path from a place costs at least.
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

    /// Takes a goal that a hop passes for the best, if it is better.
    #[inline]
    fn pass(best: &mut Reached<U::Cost>, cost: U::Cost, goal: u32, from: u32) {
        if (cost, goal) < (best.cost, best.goal) {
            *best = Reached { cost, goal, from };
        }
    }

    fn expand(&mut self, moves: u32, known: u32, at: Place, g: U::Cost) {
        let skip = |row: u32, column: u32| [known >> row & 1 == 0, known >> column & 1 == 0];
        let Tables { east, west, south, north, .. } = self.tables;
        let Tables { north_east, south_east, south_west, north_west, .. } = self.tables;
        if moves & 1 != 0 {
            self.column(north, at, g);
        }
        if moves & 1 << 2 != 0 {
            self.row(east, at, g);
        }
        if moves & 1 << 4 != 0 {
            self.column(south, at, g);
        }
        if moves & 1 << 6 != 0 {
            self.row(west, at, g);
        }
        if moves & 1 << 1 != 0 {
            self.walk(north_east, (east, north), skip(2, 0), at, g);
        }
        if moves & 1 << 3 != 0 {
            self.walk(south_east, (east, south), skip(2, 4), at, g);
        }
        if moves & 1 << 5 != 0 {
            self.walk(south_west, (west, south), skip(6, 4), at, g);
        }
        if moves & 1 << 7 != 0 {
            self.walk(north_west, (west, north), skip(6, 0), at, g);
        }
    }

    /// Which straight moves from a node lead to cells that can be reached cheaper by a diagonal move from beside it.
    #[inline]
    fn dropped(&self, moves: u32, (x, y): Place, g: U::Cost) -> u32 {
        let id = y as usize * self.land.stride + x as usize;
        let steps = self.land.steps();
        let here = self.price(id);
        let mut dropped = 0;
        let mut left = moves & STRAIGHT_MOVES;
        while left != 0 {
            let dir = left.trailing_zeros() as usize;
            left &= left - 1;
            let to = id.wrapping_add_signed(steps[dir]);
            let cost = g + U::STRAIGHT * Q::straight(here, self.price(to)).into();
            for turn in [2, 6] {
                let side = steps[(dir + turn) % 8];
                let (from, beyond) = (id.wrapping_add_signed(side), to.wrapping_add_signed(side));
                let node = &self.memory.nodes[from];
                if node.mark >> FLAG_BITS == self.mark >> FLAG_BITS && node.g < cost
                    && let Some(sides) = sides(here, self.price(beyond), self.land.cuts)
                    && node.g + U::DIAGONAL * Q::diagonal(self.price(from), self.price(to), sides).into() < cost
                {
                    dropped |= 1 << dir;
                }
            }
        }
        dropped
    }

    /// The price of a cell.
    #[inline]
    fn price(&self, id: usize) -> u32 {
        self.land.prices[id].into()
    }

    /// What the first step of a straight scan and the others cost.
    #[inline]
    fn straight(&self, id: usize, next: usize) -> (U::Cost, U::Cost) {
        let (here, price) = (self.price(id), self.price(next));
        (U::STRAIGHT * Q::straight(here, price).into(), U::STRAIGHT * (Q::UNIT * price).into())
    }

    /// Scans a row from a node.
    #[inline]
    fn row<const EAST: bool>(&mut self, lines: &Lines<EAST>, (x, y): Place, g: U::Cost) {
        let id = y as usize * self.land.stride + x as usize;
        let (first, other) = self.straight(id, if EAST { id + 1 } else { id - 1 });
        let (steps, live) = lines.scan(y as usize, x as usize);
        let (from, best) = (self.from, &mut self.best);
        self.target.each(|goal, place| {
            let away = if EAST { place.0.wrapping_sub(x) } else { x.wrapping_sub(place.0) };
            if place.1 == y && away.wrapping_sub(1) < steps {
                Self::pass(best, g + first + other * (away - 1).into(), goal, from);
            }
        });
        if live {
            let (dir, to) = if EAST { (2, x + steps) } else { (6, x - steps) };
            self.reach(dir, (to, y), g + first + other * (steps - 1).into());
        }
    }

    /// Scans a column from a node.
    #[inline]
    fn column<const SOUTH: bool>(&mut self, lines: &Lines<SOUTH>, (x, y): Place, g: U::Cost) {
        let stride = self.land.stride;
        let id = y as usize * stride + x as usize;
        let (first, other) = self.straight(id, if SOUTH { id + stride } else { id - stride });
        let (steps, live) = lines.scan(x as usize, y as usize);
        let (from, best) = (self.from, &mut self.best);
        self.target.each(|goal, place| {
            let away = if SOUTH { place.1.wrapping_sub(y) } else { y.wrapping_sub(place.1) };
            if place.0 == x && away.wrapping_sub(1) < steps {
                Self::pass(best, g + first + other * (away - 1).into(), goal, from);
            }
        });
        if live {
            let (dir, to) = if SOUTH { (4, y + steps) } else { (0, y - steps) };
            self.reach(dir, (x, to), g + first + other * (steps - 1).into());
        }
    }

    /// Walks along a diagonal from a node.
    #[inline]
    fn walk<const EAST: bool, const SOUTH: bool>(
        &mut self,
        diagonal: &Diagonal<EAST, SOUTH>,
        (rows, columns): (&Lines<EAST>, &Lines<SOUTH>),
        skip: [bool; 2],
        (x, y): Place,
        g: U::Cost,
    ) {
        let stride = self.land.stride;
        let id = y as usize * stride + x as usize;
        let (beside, below) = (if EAST { id + 1 } else { id - 1 }, if SOUTH { id + stride } else { id - stride });
        let next = beside.wrapping_add(below).wrapping_sub(id);
        let price = self.price(next);
        // The move is legal: it is one of those that may follow.
        let sides = sides(self.price(beside), self.price(below), self.land.cuts).unwrap_or_default();
        let before = g + U::DIAGONAL * Q::diagonal(self.price(id), price, sides).into();
        let (along, aslant) = (U::STRAIGHT * (Q::UNIT * price).into(), U::DIAGONAL * (Q::UNIT * price).into());
        let turn = move |steps: u32| {
            let x = if EAST { x + steps } else { x - steps };
            (x, if SOUTH { y + steps } else { y - steps })
        };
        let end = diagonal.walk(x as usize, y as usize, skip, |steps, in_row, in_column| {
            let ((x, y), g) = (turn(steps), before + aslant * (steps - 1).into());
            if in_row {
                let straight = rows.scan(y as usize, x as usize).0;
                let (dir, to) = if EAST { (2, x + straight) } else { (6, x - straight) };
                self.reach(dir, (to, y), g + along * straight.into());
            }
            if in_column {
                let straight = columns.scan(x as usize, y as usize).0;
                let (dir, to) = if SOUTH { (4, y + straight) } else { (0, y - straight) };
                self.reach(dir, (x, to), g + along * straight.into());
            }
        });
        let (from, best) = (self.from, &mut self.best);
        self.target.each(|goal, place| {
            let away_x = if EAST { place.0.wrapping_sub(x) } else { x.wrapping_sub(place.0) };
            let away_y = if SOUTH { place.1.wrapping_sub(y) } else { y.wrapping_sub(place.1) };
            let slanted = away_x.min(away_y);
            // A goal in another quadrant is far away; one in the row or column of the node is no matter of walks.
            if slanted.wrapping_sub(1) < end.steps && away_x.max(away_y) < u32::MAX / 2 {
                let (turn, g) = (turn(slanted), before + aslant * (slanted - 1).into());
                let straight = away_x.max(away_y) - slanted;
                let looks = slanted < end.steps || end.looked;
                let reach = || {
                    if away_x > away_y {
                        rows.scan(turn.1 as usize, turn.0 as usize).0
                    } else {
                        columns.scan(turn.0 as usize, turn.1 as usize).0
                    }
                };
                if straight == 0 || looks && straight <= reach() {
                    Self::pass(best, g + along * straight.into(), goal, from);
                }
            }
        });
        if end.live {
            let dir = match (EAST, SOUTH) {
                (true, false) => 1,
                (true, true) => 3,
                (false, true) => 5,
                (false, false) => 7,
            };
            self.reach(dir, turn(end.steps), before + aslant * (end.steps - 1).into());
        }
    }

    /// Reaches a node in a direction.
    #[inline]
    fn reach(&mut self, dir: usize, at: Place, g: U::Cost) {
        self.probe.touched(cell(at));
        let id = at.1 as usize * self.land.stride + at.0 as usize;
        let node = &mut self.memory.nodes[id];
        let seen = node.mark >> FLAG_BITS == self.mark >> FLAG_BITS;
        if seen && node.g <= g {
            if node.g == g {
                self.reach_again(dir, at, g);
            }
            return;
        }
        let f = g + self.bound(at);
        if !self.is_open(f) {
            return;
        }
        let mark = self.mark | u32::from(self.tables.after(id, dir));
        self.memory.nodes[id] = Node { g, mark, from: self.from, x: at.0 as u16, y: at.1 as u16 };
        self.probe.reached(cell(at), !seen);
        self.memory.heap.push(U::pack(f, g, id as u32, self.memory.id_bits));
    }

    /// Reaches a node at the cost that it was reached at before.
    fn reach_again(&mut self, dir: usize, at: Place, g: U::Cost) {
        let id = at.1 as usize * self.land.stride + at.0 as usize;
        let node = &mut self.memory.nodes[id];
        let pending = node.mark & PENDING;
        let after = u32::from(self.tables.after(id, dir));
        let mut more = after & !(pending | node.mark >> TRIED_AT);
        if more == 0 {
            return;
        }
        if more & STRAIGHT_MOVES != 0 {
            // Diagonal walks that were made without these are made again.
            more = after & !pending;
        }
        node.mark |= more;
        if pending == 0 {
            let f = g + self.bound(at);
            if self.is_open(f) {
                self.probe.reached(cell(at), false);
                self.memory.heap.push(U::pack(f, g, id as u32, self.memory.id_bits));
            }
        }
    }
}
