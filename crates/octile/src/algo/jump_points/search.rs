//! The search: A* over jump points.

use std::fmt;

use super::{Expand, Gate, GoalSight, NoGates, Scanner, Sink, expand_start};
use crate::geometry::units::{Narrow, Units, Wide};
use crate::geometry::{Cell, Dir, DirSet};
use crate::grid::Grid;
use crate::path::{Output, Path};
use crate::prune::gates::GateQuery;
use crate::search::nodes::NodeMemory;
use crate::search::widths::{Overflow, Widths};
use crate::search::{NoProbe, Probe, Query, size_bytes};

/// Flag bits of a node's mark: three for the direction it was reached in, one for closed, eight for the legal moves from there.
/// To look up the latter when a node is reached costs less than when it is expanded: then nothing can go on without them.
const FLAG_BITS: u32 = 12;

/// The flag of a node that has been expanded.
const CLOSED: u32 = 8;

/// The bits of a mark that hold the direction in which the node was reached.
const DIR: u32 = 7;

/// Where the legal moves begin.
const MOVES_AT: u32 = 4;

/// What a search remembers of a jump point.
#[derive(Clone, Copy, Debug, Default)]
struct Node<C> {
    g: C,
    /// The number of the query, and the flags.
    mark: u32,
    /// The node that its hop came from.
    from: u32,
    /// Where it is; a side of a map fits.
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

type JumpWidths = Widths<Memory<Narrow>, Memory<Wide>>;

/// Working memory of a search over jump points: one per thread, reused between queries.
pub(in crate::algo) struct JumpScratch {
    widths: JumpWidths,
    /// The last path.
    hops: Vec<Cell>,
    /// The map's sides.
    shape: (u32, u32),
}

impl JumpScratch {
    pub(in crate::algo) fn new(grid: &Grid, scanner: impl Scanner) -> Self {
        Self { widths: Widths::new(memory(scanner)), hops: Vec::new(), shape: (grid.width(), grid.height()) }
    }

    /// Whether it was made for a map of this shape.
    pub(in crate::algo) fn fits(&self, grid: &Grid) -> bool {
        self.shape == (grid.width(), grid.height())
    }
}

/// Memory for a search.
fn memory<U: Units, S: Scanner>(scanner: S) -> Memory<U> {
    if S::IS_SPARSE { Memory::sparse(scanner.nodes()) } else { Memory::new(scanner.nodes()) }
}

/// Where the node of this number is.
#[inline]
fn place<U: Units, S: Scanner>(memory: &mut Memory<U>, number: u32) -> u32 {
    if S::IS_SPARSE { memory.place(number) } else { number }
}

size_bytes!(JumpScratch: widths, hops);

impl fmt::Debug for JumpScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JumpScratch").field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// Answers a query. Compiled for speed without a probe and in 32 bits, with and without gates; for the rare cases once.
pub(in crate::algo) fn search<S: Scanner>(
    grid: &Grid,
    gates: Option<GateQuery>,
    (scanner, expand): (S, impl Expand<S>),
    scratch: &mut JumpScratch,
    query: Query,
    out: &mut Path,
    probe: Option<&mut dyn Probe>,
) -> bool {
    let sight = GoalSight::new(grid, query.goal);
    let JumpScratch { widths, hops, .. } = scratch;
    match (probe, gates) {
        (None, None) => {
            Search { grid, scanner, expand, gates: NoGates, query, sight, hops, out, probe: &mut NoProbe }.quick(widths)
        }
        (None, Some(gates)) => {
            Search { grid, scanner, expand, gates, query, sight, hops, out, probe: &mut NoProbe }.quick(widths)
        }
        (Some(probe), gates) => {
            let mut search = Search { grid, scanner, expand, gates, query, sight, hops, out, probe };
            let farthest = search.farthest();
            widths.run(farthest, &mut search, Search::run::<Narrow>, Search::memory, Search::run::<Wide>)
        }
    }
}

/// One query.
struct Search<'a, S, X, G, P: ?Sized> {
    grid: &'a Grid,
    scanner: S,
    expand: X,
    gates: G,
    query: Query,
    sight: GoalSight,
    hops: &'a mut Vec<Cell>,
    out: &'a mut Path,
    probe: &'a mut P,
}

impl<S: Scanner, X: Expand<S>, G: Gate> Search<'_, S, X, G, NoProbe> {
    /// Runs it in the costs that it needs.
    fn quick(mut self, widths: &mut JumpWidths) -> bool {
        let in_64_bits = |search: &mut Self, memory: &mut Memory<Wide>| search.rare().run(memory);
        widths.run(self.farthest(), &mut self, Search::run::<Narrow>, Search::memory, in_64_bits)
    }

    /// The same search, of the types that rare ones are compiled for.
    fn rare(&mut self) -> Search<'_, S, &mut X, Option<GateQuery<'_>>, dyn Probe> {
        let Self { grid, scanner, expand, gates, query, sight, hops, out, probe } = self;
        let (gates, probe): (_, &mut dyn Probe) = (gates.query(), *probe);
        Search { grid, scanner: *scanner, expand, gates, query: *query, sight: *sight, hops, out, probe }
    }
}

impl<S: Scanner, X: Expand<S>, G: Gate, P: Probe + ?Sized> Search<'_, S, X, G, P> {
    /// The most that a hop and the estimate at its end add: each is at most one side of the map, all diagonal.
    fn farthest(&self) -> u64 {
        2 * u64::from(self.grid.width().max(self.grid.height())) * u64::from(Narrow::DIAGONAL)
    }

    /// New memory for it.
    fn memory<U: Units>(&self) -> Memory<U> {
        memory(self.scanner)
    }

    /// Runs it, and returns whether there is a path.
    fn run<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let query = self.query;
        let mark = memory.begin(self.scanner.nodes());
        let start = place::<U, S>(memory, self.scanner.start_node(query.start));
        memory.nodes[start as usize] = Node::new(0.into(), mark, start, query.start);
        self.probe.reached(query.start, true);
        let mut came: Option<(Dir, DirSet)> = None;
        let (mut number, mut cell, mut g) = (start, query.start, U::Cost::from(0));
        let mut f = U::between(query.start, query.goal);
        loop {
            memory.nodes[number as usize].mark |= CLOSED;
            self.probe.expanded(cell);
            if self.sight.sees(self.scanner, cell) {
                self.answer(memory, number, f);
                return Ok(true);
            }
            let from = Origin { number, g, mark };
            let Self { grid, scanner, expand, gates, query: Query { goal, .. }, probe, .. } = self;
            let opener =
                &mut Opener { grid, scanner: *scanner, gates: *gates, goal: *goal, probe: *probe, memory, from };
            match came {
                Some((dir, moves)) => expand.expand(*scanner, gates, cell, dir, moves, opener),
                None => expand_start(*scanner, gates, cell, opener),
            }
            // The next jump point that is still open.
            loop {
                let Some(entry) = memory.heap.pop() else { return Ok(false) };
                f = U::f(entry);
                if f >= U::LIMIT {
                    return Err(Overflow);
                }
                number = U::id(entry, memory.id_bits);
                let node = &memory.nodes[number as usize];
                if node.mark & CLOSED == 0 {
                    (g, cell) = (node.g, node.cell());
                    came = Some((Dir::from_index((node.mark & DIR) as u8), DirSet((node.mark >> MOVES_AT) as u8)));
                    break;
                }
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

/// Opens the jump points that are found from one.
struct Opener<'s, S, G, P: ?Sized, U: Units> {
    grid: &'s Grid,
    scanner: S,
    gates: G,
    goal: Cell,
    probe: &'s mut P,
    memory: &'s mut Memory<U>,
    from: Origin<U::Cost>,
}

impl<S: Scanner, G: Gate, P: Probe + ?Sized, U: Units> Sink for Opener<'_, S, G, P, U> {
    #[inline]
    fn touched(&mut self, at: Cell) {
        self.probe.touched(at);
    }

    /// Opens the jump point at the end of a hop, unless it was reached as cheaply before.
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
            // Reached for nothing: it will not be asked about again.
            *node = Node::new(0.into(), from.mark, from.number, at);
            return;
        }
        let flags = dir as u32 | u32::from(self.grid.moves_of(id).0) << MOVES_AT;
        *node = Node::new(g, from.mark | flags, from.number, at);
        self.probe.reached(at, !seen);
        memory.heap.push(U::pack(g + U::between(at, self.goal), g, number, memory.id_bits));
    }
}

impl<S, X, G, P: ?Sized> Search<'_, S, X, G, P> {
    /// Writes the path whose last hop leads from `last` to the goal.
    fn answer<U: Units>(&mut self, memory: &Memory<U>, last: u32, cost: U::Cost) {
        self.hops.clear();
        if self.query.output != Output::Cost {
            self.hops.push(self.query.goal);
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
        self.out.set_hops(self.query.output, self.hops, U::decode(cost));
    }
}
