//! The search: A* over jump points.

use super::{Expand, Gate, GoalSight, NoGates, Scan, Scanner, Sink, expand_start};
use crate::geometry::units::{Cost, Narrow, Units, Width};
use crate::geometry::{Cell, Dir, DirSet, GridCost, SMALL};
use crate::grid::Grid;
use crate::kernels::gates::GateQuery;
use crate::kernels::nodes::NodeMemory;
use crate::kernels::pause::Pause;
use crate::kernels::widths::{self, Memories, Overflow, Widths};
use crate::path::{Output, Path};
use crate::planner::{AnyGoalQuery, NoProbe, PathQuery, Probe, size_bytes};
use std::cell::Cell as StdCell;

/// Flag bits of a node's mark: three for the direction it was reached in, one for closed, eight for its legal moves.
/// Looking up the moves when a node is reached costs less than when it is expanded: at that point nothing can continue
/// without them.
const FLAG_BITS: u32 = 12;

/// The flag of a node that has been expanded.
const CLOSED: u32 = 8;

/// The bits of a mark that hold the direction in which the node was reached.
const DIR: u32 = 7;

/// The bit where the legal moves begin.
const MOVES_AT: u32 = 4;

/// Search data of a jump point.
#[derive(Clone, Copy, Debug, Default)]
struct Node<C> {
    g: C,
    /// The number of the query, and the flags.
    mark: u32,
    /// The node where its hop began.
    from: u32,
    /// Its position; a side of a map fits.
    x: u16,
    y: u16,
}

impl<C> Node<C> {
    #[inline]
    fn new(g: C, mark: u32, from: u32, cell: Cell) -> Self {
        Self { g, mark, from, x: cell.x as u16, y: cell.y as u16 }
    }

    #[inline]
    fn cell(&self) -> Cell {
        Cell::new(self.x.into(), self.y.into())
    }

    /// Whether the query with this mark has reached the node.
    #[inline]
    fn is_seen(&self, mark: u32) -> bool {
        self.mark >> FLAG_BITS == mark >> FLAG_BITS
    }
}

type Memory<U> = NodeMemory<U, Node<<U as Units>::Cost>, FLAG_BITS>;

impl<U: Units> Memories for Memory<U> {
    type In<V: Units> = Memory<V>;
}

/// Working memory of a search over jump points: one per thread, reused between queries.
pub(crate) struct JumpScratch {
    widths: Widths<Memory<Narrow>>,
    /// The last path.
    hops: Vec<Cell>,
    /// The lines of sight to the goals of a query with several goals.
    sights: Vec<StdCell<Option<GoalSight>>>,
    pause: Pause<Paused>,
}

impl JumpScratch {
    pub(crate) fn new(scanner: impl Scanner) -> Self {
        let (hops, sights, pause) = (Vec::new(), Vec::new(), Pause::default());
        Self { widths: Widths::new(memory(scanner)), hops, sights, pause }
    }

    /// Lets the next search resume the last one.
    pub(crate) fn go_on(&mut self) {
        self.pause.go_on();
    }
}

/// Where a search was paused: the nodes that it has reached have this mark.
#[derive(Clone, Copy, Debug)]
struct Paused {
    mark: u32,
    width: Width,
}

/// Memory for a search.
fn memory<U: Units, S: Scanner>(scanner: S) -> Memory<U> {
    if S::IS_SPARSE { Memory::sparse(scanner.nodes()) } else { Memory::new(scanner.nodes()) }
}

/// The index of the node with this number.
#[inline]
fn place<U: Units, S: Scanner>(memory: &mut Memory<U>, number: u32) -> u32 {
    if S::IS_SPARSE { memory.place(number) } else { number }
}

size_bytes!(JumpScratch: widths, hops, sights);

/// How to search a map: how its cells are scanned, and how nodes are expanded.
pub(crate) struct JumpSearch<'a, S, X> {
    grid: &'a Grid,
    scanner: S,
    expand: X,
}

impl<'a, S: Scanner, X: Expand<S>> JumpSearch<'a, S, X> {
    pub(crate) fn new(grid: &'a Grid, scanner: S, expand: X) -> Self {
        Self { grid, scanner, expand }
    }

    /// Answers a query.
    pub(crate) fn find(
        self,
        gates: Option<GateQuery<'_>>,
        scratch: &mut JumpScratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> bool {
        let Self { grid, scanner, expand } = self;
        let PathQuery { start, output, .. } = query;
        let goals = Goals::One(GoalSight::new(grid, query.goal));
        let JumpScratch { widths, hops, pause, .. } = scratch;
        let mut asked = Asked { grid, scanner, expand, gates, start, goals, output, hops, out, pause, probe, place: 0 };
        widths.run_plain(&mut asked)
    }

    /// Answers a query for the nearest of several goals. Returns the index of that goal.
    pub(crate) fn find_any(
        self,
        scratch: &mut JumpScratch,
        query: AnyGoalQuery<'_>,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Option<usize> {
        let Self { grid, scanner, expand } = self;
        let AnyGoalQuery { start, goals, output, .. } = query;
        let JumpScratch { widths, hops, sights, pause, .. } = scratch;
        sights.clear();
        sights.resize(goals.len(), StdCell::new(None));
        let (goals, gates) = (Goals::Any(AnyOf { grid, goals, sights }), None);
        let mut asked = Asked { grid, scanner, expand, gates, start, goals, output, hops, out, pause, probe, place: 0 };
        widths.run_plain(&mut asked).then_some(asked.place as usize)
    }
}

/// A query with its parameters.
struct Asked<'a, 'p, S, X> {
    grid: &'a Grid,
    scanner: S,
    expand: X,
    gates: Option<GateQuery<'a>>,
    start: Cell,
    goals: Goals<'a>,
    output: Output,
    hops: &'a mut Vec<Cell>,
    out: &'a mut Path,
    pause: &'a mut Pause<Paused>,
    probe: Option<&'a mut (dyn Probe + 'p)>,
    /// The index of the goal that was found.
    place: u32,
}

impl<S: Scanner, X: Expand<S>> widths::Search for Asked<'_, '_, S, X> {
    type Memory = Memory<Narrow>;

    /// A hop and the estimate at its end: each is at most one side of the map, all diagonal.
    fn farthest(&self) -> u64 {
        2 * u64::from(self.grid.width().max(self.grid.height())) * u64::from(Narrow::DIAGONAL)
    }

    fn resumes_in(&self) -> Option<Width> {
        self.pause.going_on().map(|paused| paused.width)
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        memory(self.scanner)
    }

    /// Specialised for speed without a probe, with and without gates. In small programs gates and several goals are
    /// rare.
    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        match (&self.probe, self.gates, self.goals) {
            (None, None, Goals::One(goal)) => self.run(memory, NoGates, goal, &mut NoProbe, |expand| expand),
            (None, Some(gates), Goals::One(goal)) if !SMALL => {
                self.run(memory, gates, goal, &mut NoProbe, |expand| expand)
            }
            (None, None, Goals::Any(goals)) if !SMALL => {
                self.run(memory, NoGates, goals, &mut NoProbe, |expand| expand)
            }
            _ => self.run_wider(memory),
        }
    }

    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let (gates, goals, mut nobody) = (self.gates, self.goals, NoProbe);
        let mut watching = self.probe.take();
        let probe: &mut dyn Probe = match &mut watching {
            Some(probe) => *probe,
            None => &mut nobody,
        };
        let found = self.run(memory, gates, goals, probe, Rarely);
        self.probe = watching;
        found
    }
}

impl<S: Scanner, X: Expand<S>> Asked<'_, '_, S, X> {
    /// Runs the search that is compiled for these types.
    fn run<'s, U: Units, Y: Expand<S>, P: Probe + ?Sized>(
        &'s mut self,
        memory: &mut Memory<U>,
        gates: impl Gate,
        target: impl Target,
        probe: &'s mut P,
        expand: impl FnOnce(&'s mut X) -> Y,
    ) -> Result<bool, Overflow>
    where
        X: 's,
    {
        let Self { grid, scanner, start, output, hops, out, pause, place, .. } = self;
        let answer = Answer { output: *output, hops, out };
        let (scanner, start, expand) = (*scanner, *start, expand(&mut self.expand));
        Search { grid, scanner, expand, gates, start, target, place, answer, pause, probe }.run(memory)
    }
}

/// How rare searches expand nodes: like the others. In small programs they use no cache, which would be compiled just
/// for them.
struct Rarely<'x, X>(&'x mut X);

impl<S: Scanner, X: Expand<S>> Expand<S> for Rarely<'_, X> {
    #[inline]
    fn expand(&mut self, scanner: S, gates: &impl Gate, cell: Cell, dir: Dir, moves: DirSet, sink: &mut impl Sink) {
        if SMALL {
            Scan.expand(scanner, gates, cell, dir, moves, sink);
        } else {
            self.0.expand(scanner, gates, cell, dir, moves, sink);
        }
    }
}

/// Where a search may end.
trait Target: Copy {
    /// A lower bound of the cost of a path from a cell.
    fn bound<U: Units>(&self, cell: Cell) -> U::Cost;

    /// The goal at an index.
    fn goal(&self, place: u32) -> Cell;

    /// Looks for goals that a visited cell sees and that are better than the best so far. Returns whether nothing
    /// better can follow.
    fn look<U: Units>(&self, scanner: impl Scanner, visit: &Visit<U::Cost>, best: &mut Reached<U::Cost>) -> bool;

    /// Whether something better than the best may follow from a cell that is taken from the open list.
    fn is_open<U: Units>(&self, cell: Cell, g: U::Cost, f: U::Cost, best: &Reached<U::Cost>) -> bool;
}

/// One goal.
impl Target for GoalSight {
    #[inline]
    fn bound<U: Units>(&self, cell: Cell) -> U::Cost {
        U::between(cell, self.goal)
    }

    fn goal(&self, _: u32) -> Cell {
        self.goal
    }

    /// The f of a cell that sees the goal is the answer.
    #[inline]
    fn look<U: Units>(&self, scanner: impl Scanner, visit: &Visit<U::Cost>, best: &mut Reached<U::Cost>) -> bool {
        let sees = self.sees(scanner, visit.cell);
        if sees {
            *best = Reached { cost: visit.f, place: 0, number: visit.number };
        }
        sees
    }

    #[inline]
    fn is_open<U: Units>(&self, _: Cell, _: U::Cost, _: U::Cost, _: &Reached<U::Cost>) -> bool {
        true
    }
}

/// Any of many goals: the first of those that cost the least.
#[derive(Clone, Copy)]
struct AnyOf<'a> {
    grid: &'a Grid,
    goals: &'a [Cell],
    /// Created on demand: most goals are too far away to be checked.
    sights: &'a [StdCell<Option<GoalSight>>],
}

impl AnyOf<'_> {
    /// Whether a cell sees the goal at an index.
    fn sees(&self, scanner: impl Scanner, cell: Cell, place: u32) -> bool {
        let kept = &self.sights[place as usize];
        let sight = kept.get().unwrap_or_else(|| GoalSight::new(self.grid, self.goals[place as usize]));
        kept.set(Some(sight));
        sight.sees(scanner, cell)
    }

    /// Makes a goal the best if it is better and in sight.
    fn try_goal<U: Units>(
        &self,
        scanner: impl Scanner,
        visit: &Visit<U::Cost>,
        place: u32,
        best: &mut Reached<U::Cost>,
    ) {
        let cost = visit.g + U::between(visit.cell, self.goals[place as usize]);
        if (cost, place) < (best.cost, best.place) && self.sees(scanner, visit.cell, place) {
            *best = Reached { cost, place, number: visit.number };
        }
    }
}

impl Target for AnyOf<'_> {
    #[inline]
    fn bound<U: Units>(&self, cell: Cell) -> U::Cost {
        self.goals.iter().map(|&goal| U::between(cell, goal)).min().unwrap_or_default()
    }

    fn goal(&self, place: u32) -> Cell {
        self.goals[place as usize]
    }

    /// The nearest goal first: if that is in sight, the others need not be checked.
    fn look<U: Units>(&self, scanner: impl Scanner, visit: &Visit<U::Cost>, best: &mut Reached<U::Cost>) -> bool {
        let is_nearest = |&goal: &Cell| visit.g + U::between(visit.cell, goal) == visit.f;
        if let Some(nearest) = self.goals.iter().position(is_nearest) {
            self.try_goal::<U>(scanner, visit, nearest as u32, best);
        }
        for place in 0..self.goals.len() as u32 {
            self.try_goal::<U>(scanner, visit, place, best);
        }
        (best.cost, best.place) == (visit.f, 0)
    }

    /// A goal that costs as much as the best is better if it comes first.
    #[inline]
    fn is_open<U: Units>(&self, cell: Cell, g: U::Cost, f: U::Cost, best: &Reached<U::Cost>) -> bool {
        let comes_first = |goals: &[Cell]| goals.iter().any(|&goal| g + U::between(cell, goal) == f);
        f < best.cost || f == best.cost && comes_first(&self.goals[..best.place as usize])
    }
}

/// One goal, or any of several: for searches that are compiled once for both.
#[derive(Clone, Copy)]
enum Goals<'a> {
    One(GoalSight),
    Any(AnyOf<'a>),
}

impl Target for Goals<'_> {
    fn bound<U: Units>(&self, cell: Cell) -> U::Cost {
        match self {
            Self::One(goal) => goal.bound::<U>(cell),
            Self::Any(goals) => goals.bound::<U>(cell),
        }
    }

    fn goal(&self, place: u32) -> Cell {
        match self {
            Self::One(goal) => goal.goal,
            Self::Any(goals) => goals.goal(place),
        }
    }

    fn look<U: Units>(&self, scanner: impl Scanner, visit: &Visit<U::Cost>, best: &mut Reached<U::Cost>) -> bool {
        match self {
            Self::One(goal) => goal.look::<U>(scanner, visit, best),
            Self::Any(goals) => goals.look::<U>(scanner, visit, best),
        }
    }

    fn is_open<U: Units>(&self, cell: Cell, g: U::Cost, f: U::Cost, best: &Reached<U::Cost>) -> bool {
        match self {
            Self::One(goal) => goal.is_open::<U>(cell, g, f, best),
            Self::Any(goals) => goals.is_open::<U>(cell, g, f, best),
        }
    }
}

/// The best goal seen so far, and the node that saw it.
#[derive(Clone, Copy)]
struct Reached<C> {
    cost: C,
    place: u32,
    number: u32,
}

/// A node that is being expanded.
struct Visit<C> {
    number: u32,
    cell: Cell,
    g: C,
    f: C,
    /// The direction it was reached in and its legal moves; `None` for the start.
    came: Option<(Dir, DirSet)>,
}

/// One query, with the types that its search is compiled for.
struct Search<'a, S, X, G, T, P: ?Sized> {
    grid: &'a Grid,
    scanner: S,
    expand: X,
    gates: G,
    start: Cell,
    target: T,
    /// The index of the goal that was found.
    place: &'a mut u32,
    answer: Answer<'a>,
    pause: &'a mut Pause<Paused>,
    probe: &'a mut P,
}

impl<S: Scanner, X: Expand<S>, G: Gate, T: Target, P: Probe + ?Sized> Search<'_, S, X, G, T, P> {
    /// Runs it, and returns whether there is a path.
    fn run<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let mut best = Reached { cost: U::Cost::MAX, place: u32::MAX, number: 0 };
        let (mark, mut visit) = if let Some(Paused { mark, .. }) = self.pause.resume() {
            let Some(visit) = self.next(memory, &best)? else { return Ok(false) };
            (mark, visit)
        } else {
            let mark = memory.begin(self.scanner.nodes());
            (mark, self.begin(memory, mark))
        };
        loop {
            if self.probe.stops(U::length(visit.f)) {
                self.put_back(memory, &visit, mark);
                return Ok(false);
            }
            memory.nodes[visit.number as usize].mark |= CLOSED;
            self.probe.expanded(visit.cell);
            if self.target.look::<U>(self.scanner, &visit, &mut best) {
                break;
            }
            let Visit { number, cell, g, f, .. } = visit;
            if self.target.is_open::<U>(cell, g, f, &best) {
                let from = Origin { number, g, mark };
                let Self { grid, scanner, expand, gates, target, probe, .. } = self;
                let (scanner, gates) = (*scanner, &*gates);
                let opener = &mut Opener { grid, scanner, gates: *gates, target: *target, probe: *probe, memory, from };
                match visit.came {
                    Some((dir, moves)) => expand.expand(scanner, gates, cell, dir, moves, opener),
                    None => expand_start(scanner, gates, cell, opener),
                }
            }
            let Some(next) = self.next(memory, &best)? else { break };
            visit = next;
        }
        if best.cost == U::Cost::MAX {
            return Ok(false);
        }
        *self.place = best.place;
        self.answer.write(memory, best.number, self.target.goal(best.place), U::decode(best.cost));
        Ok(true)
    }

    /// Reaches the start.
    fn begin<U: Units>(&mut self, memory: &mut Memory<U>, mark: u32) -> Visit<U::Cost> {
        let (cell, number) = (self.start, place::<U, S>(memory, self.scanner.start_node(self.start)));
        memory.nodes[number as usize] = Node::new(0.into(), mark, number, cell);
        self.probe.reached(cell, true);
        Visit { number, cell, g: 0.into(), f: self.target.bound::<U>(cell), came: None }
    }

    /// Puts back a node for a search that is resumed later. If the node is the start, the search has not begun.
    #[cold]
    fn put_back<U: Units>(&mut self, memory: &mut Memory<U>, visit: &Visit<U::Cost>, mark: u32) {
        if visit.came.is_some() {
            memory.heap.push(U::pack(visit.f, visit.g, visit.number, memory.id_bits));
            self.pause.keep(Paused { mark, width: U::WIDTH });
        }
    }

    /// The next jump point that is still open, unless nothing better than the best can follow.
    #[inline]
    fn next<U: Units>(
        &self,
        memory: &mut Memory<U>,
        best: &Reached<U::Cost>,
    ) -> Result<Option<Visit<U::Cost>>, Overflow> {
        loop {
            let Some(entry) = memory.heap.pop() else { return Ok(None) };
            let f = U::f(entry);
            if f > best.cost {
                return Ok(None);
            }
            if f >= U::LIMIT {
                return Err(Overflow);
            }
            let number = U::id(entry, memory.id_bits);
            let node = &memory.nodes[number as usize];
            let (g, cell) = (node.g, node.cell());
            if node.mark & CLOSED == 0 && self.target.is_open::<U>(cell, g, f, best) {
                let came = Some((Dir::from_index((node.mark & DIR) as u8), DirSet((node.mark >> MOVES_AT) as u8)));
                return Ok(Some(Visit { number, cell, g, f, came }));
            }
        }
    }
}

/// The cell being expanded.
struct Origin<C> {
    number: u32,
    g: C,
    mark: u32,
}

/// Opens the successors of a jump point.
struct Opener<'s, S, G, T, P: ?Sized, U: Units> {
    grid: &'s Grid,
    scanner: S,
    gates: G,
    target: T,
    probe: &'s mut P,
    memory: &'s mut Memory<U>,
    from: Origin<U::Cost>,
}

impl<S: Scanner, G: Gate, T: Target, P: Probe + ?Sized, U: Units> Sink for Opener<'_, S, G, T, P, U> {
    #[inline]
    fn touched(&mut self, at: Cell) {
        self.probe.touched(at);
    }

    /// Opens the jump point at the end of a hop, unless it was reached at no higher cost before.
    #[inline]
    fn found(&mut self, at: Cell, dir: Dir, diagonal: u32, straight: u32) {
        let Self { memory, from, .. } = self;
        let number = place::<U, S>(memory, self.scanner.node(at));
        let g = from.g + U::DIAGONAL * diagonal.into() + U::STRAIGHT * straight.into();
        let node = &mut memory.nodes[number as usize];
        let seen = node.is_seen(from.mark);
        if seen && node.g <= g {
            return;
        }
        let id = self.grid.id(at);
        if !seen && !self.gates.lets_in(id) {
            // Marked as reached at cost 0, so that it is not tested again.
            *node = Node::new(0.into(), from.mark, from.number, at);
            return;
        }
        let flags = dir as u32 | u32::from(self.grid.moves_of(id).0) << MOVES_AT;
        *node = Node::new(g, from.mark | flags, from.number, at);
        self.probe.reached(at, !seen);
        memory.heap.push(U::pack(g + self.target.bound::<U>(at), g, number, memory.id_bits));
    }
}

/// The output of a path.
struct Answer<'a> {
    output: Output,
    hops: &'a mut Vec<Cell>,
    out: &'a mut Path,
}

impl Answer<'_> {
    /// Writes the path whose last hop leads from `last` to the goal.
    fn write<U: Units>(&mut self, memory: &Memory<U>, last: u32, goal: Cell, cost: GridCost) {
        self.hops.clear();
        if self.output != Output::Cost {
            self.hops.push(goal);
            let mut number = last;
            loop {
                let node = &memory.nodes[number as usize];
                self.hops.push(node.cell());
                if node.from == number {
                    break;
                }
                number = node.from;
            }
            self.hops.reverse();
        }
        self.out.set_hops(self.output, self.hops, cost);
    }
}
