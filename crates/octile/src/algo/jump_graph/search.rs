//! The search: A* over the contracted states.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for the newer processor")]

use super::contract::{Contracted, LANES, NONE};
use super::graph::{STRAIGHT, State};
use super::{Index, JumpGraphPlanner};
use crate::geometry::units::{Cost, Narrow, Units};
use crate::geometry::{Cell, Dir, GridCost};
use crate::grid::Grid;
use crate::kernels::gates::CellGateQuery;
use crate::kernels::jump_points::{GoalSight, JumpScratch, JumpSearch, NoGates, Scan, Sink, expand_start};
use crate::kernels::nodes::NodeMemory;
use crate::kernels::vectors::vectorized;
use crate::kernels::widths::{self, Memories, Overflow, Widths};
use crate::path::{Output, Path};
use crate::planner::{NoProbe, PathQuery, Probe, size_bytes};

/// Flag bits of a node's mark: two for the direction it was reached in, one for closed.
const FLAG_BITS: u32 = 3;
const CLOSED: u32 = 4;
const DIR: u32 = 3;

/// The state of a jump point in a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node<C> {
    g: C,
    /// The number of the query, and the flags.
    mark: u32,
    /// The edge by which it was reached, or [`NONE`] if it was reached from the start.
    edge: u32,
    x: u16,
    y: u16,
}

impl<C> Node<C> {
    #[inline]
    fn cell(&self) -> Cell {
        Cell::new(self.x.into(), self.y.into())
    }
}

/// The number of nodes that a search allocates memory for: slightly more than there are, so that not every edit
/// requires a new allocation.
fn capacity(graph: &Contracted) -> usize {
    graph.nodes().next_multiple_of(256)
}

type Memory<U> = NodeMemory<U, Node<<U as Units>::Cost>, FLAG_BITS>;

impl<U: Units> Memories for Memory<U> {
    type In<V: Units> = Memory<V>;
}

/// Scratch memory of [`JumpGraphPlanner`]: one per thread, reused between queries.
pub(super) struct JumpGraphScratch {
    /// For a map with a graph.
    widths: Option<Widths<Memory<Narrow>>>,
    /// For a map without a graph.
    jumps: Option<JumpScratch>,
    /// The last path.
    hops: Vec<Cell>,
}

size_bytes!(JumpGraphScratch: widths, jumps, hops);

impl JumpGraphScratch {
    pub(super) fn new(index: &Index) -> Self {
        let mut scratch = Self { widths: None, jumps: None, hops: Vec::new() };
        match &index.graph {
            Some(graph) => _ = scratch.for_graph(graph),
            None => _ = scratch.for_jumps(index),
        }
        scratch
    }

    fn for_graph(&mut self, graph: &Contracted) -> &mut Widths<Memory<Narrow>> {
        self.widths.get_or_insert_with(|| Widths::new(Memory::new(capacity(graph))))
    }

    fn for_jumps(&mut self, index: &Index) -> &mut JumpScratch {
        self.jumps.get_or_insert_with(|| JumpScratch::new(&index.planes))
    }
}

/// Answers a query.
pub(super) fn search(
    planner: &JumpGraphPlanner,
    scratch: &mut JumpGraphScratch,
    query: PathQuery,
    out: &mut Path,
    probe: Option<&mut dyn Probe>,
) -> bool {
    let (grid, index) = (&planner.grid, &*planner.index);
    let Some(graph) = &index.graph else {
        let scratch = scratch.for_jumps(index);
        return JumpSearch::new(grid, &index.planes, Scan).find(None, scratch, query, out, probe);
    };
    let sight = GoalSight::new(grid, query.goal);
    if sight.sees(&index.planes, query.start) {
        if let Some(probe) = probe {
            probe.reached(query.start, true);
            probe.expanded(query.start);
        }
        return out.set_hops(query.output, &[query.start, query.goal], GridCost::between(query.start, query.goal));
    }
    let gates = index.gates.as_ref().map(|gates| gates.query(query.start, query.goal));
    let (mut hops, mut nobody) = (std::mem::take(&mut scratch.hops), NoProbe);
    let is_watched = probe.is_some();
    let probe: &mut dyn Probe = match probe {
        Some(probe) => probe,
        None => &mut nobody,
    };
    probe.reached(query.start, true);
    let search = Search { grid, index, graph, gates, query, sight, hops: &mut hops, out, probe };
    let found = scratch.for_graph(graph).run_plain(&mut Watchable { search, is_watched });
    scratch.hops = hops;
    found
}

/// One query, watched or not.
struct Watchable<'a, 'p> {
    search: Search<'a, dyn Probe + 'p>,
    is_watched: bool,
}

impl widths::Search for Watchable<'_, '_> {
    type Memory = Memory<Narrow>;

    /// The highest cost of an edge, plus the heuristic at its end.
    fn farthest(&self) -> u64 {
        let (grid, graph) = (self.search.grid, self.search.graph);
        let side = u64::from(grid.width().max(grid.height()));
        u64::from(graph.lists.farthest) + 2 * side * u64::from(Narrow::DIAGONAL)
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(capacity(self.search.graph))
    }

    /// Compiled for the processor if there is no probe.
    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        if self.is_watched {
            return self.search.go(memory);
        }
        let Search { grid, index, graph, gates, query, sight, hops, out, .. } = &mut self.search;
        let (gates, query, sight) = (*gates, *query, *sight);
        let mut search = Search { grid, index, graph, gates, query, sight, hops, out, probe: &mut NoProbe };
        vectorized(
            #[inline(always)]
            || search.go(memory),
        )
    }

    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        self.search.go(memory)
    }
}

/// One query.
struct Search<'a, P: ?Sized> {
    grid: &'a Grid,
    index: &'a Index,
    graph: &'a Contracted,
    gates: Option<CellGateQuery<'a>>,
    query: PathQuery,
    sight: GoalSight,
    hops: &'a mut Vec<Cell>,
    out: &'a mut Path,
    probe: &'a mut P,
}

/// A complete path: its cost, the last node on it, and the ray after that node from which it sees the goal.
#[derive(Clone, Copy)]
struct Found<C> {
    cost: C,
    node: u32,
    ray: u32,
}

impl<P: Probe + ?Sized> Search<'_, P> {
    /// Runs the search. Everything in its loop must be inlined to be compiled for the processor.
    #[inline(always)]
    fn go<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let query = self.query;
        let mark = memory.begin(capacity(self.graph));
        if self.index.planes.is_numbered(query.start) {
            // Closed, so that the search does not return to the start.
            let number = self.graph.number(&self.index.planes, query.start);
            memory.nodes[number as usize] = Node { g: 0.into(), mark: mark | CLOSED, ..Node::default() };
        }
        self.probe.expanded(query.start);
        let planes = &self.index.planes;
        expand_start(planes, &NoGates, query.start, &mut FromStart { search: self, memory, mark });
        let mut best = Found { cost: U::Cost::MAX, node: NONE, ray: NONE };
        while let Some(entry) = memory.heap.pop() {
            let f = U::f(entry);
            if f >= best.cost {
                break;
            }
            if f >= U::LIMIT {
                return Err(Overflow);
            }
            let number = U::id(entry, memory.id_bits);
            let node = &mut memory.nodes[number as usize];
            if node.mark & CLOSED != 0 {
                continue;
            }
            node.mark |= CLOSED;
            let node = *node;
            if self.probe.stops(U::length(f)) {
                return Ok(false);
            }
            self.probe.expanded(node.cell());
            if self.sight.sees(planes, node.cell()) {
                best = Found { cost: f, node: number, ray: NONE };
                break;
            }
            let state = State::new(number, STRAIGHT[(node.mark & DIR) as usize]);
            self.test_rays::<U>(state, node.g, &mut best);
            if best.cost <= f {
                break;
            }
            self.follow_edges(memory, state, node.g, mark, best.cost);
        }
        if best.cost == U::Cost::MAX {
            return Ok(false);
        }
        if best.cost >= U::LIMIT {
            return Err(Overflow);
        }
        self.answer(memory, best);
        Ok(true)
    }

    /// Tests all rays of a state for whether they see the goal, and keeps the cheapest path.
    #[inline(always)]
    fn test_rays<U: Units>(&mut self, state: State, g: U::Cost, best: &mut Found<U::Cost>) {
        let graph = self.graph;
        let (span, rays) = (graph.states[state.index()].rays, &graph.lists.rays);
        let first = span.first as usize;
        let (positions, clearances) = (&rays.positions[span.range()], &rays.clearances[span.range()]);
        let lanes = positions.as_chunks::<LANES>().0.iter().zip(clearances.as_chunks::<LANES>().0);
        for (chunk, (positions, clearances)) in lanes.enumerate() {
            let hits = self.sight.seen_from(positions, clearances);
            if hits == [0; LANES] {
                continue;
            }
            for lane in (0..LANES).filter(|&lane| hits[lane] != 0) {
                let ray = first + chunk * LANES + lane;
                let cell = rays.cell(ray as u32);
                let cost = g + U::of_narrow(rays.costs[ray]) + U::between(cell, self.query.goal);
                // A clearance at its limit may stand for a longer one.
                if cost < best.cost && self.sight.sees(&self.index.planes, cell) {
                    *best = Found { cost, node: state.node(), ray: ray as u32 };
                }
            }
        }
    }

    #[inline(always)]
    fn follow_edges<U: Units>(&mut self, memory: &mut Memory<U>, state: State, g: U::Cost, mark: u32, most: U::Cost) {
        let graph = self.graph;
        let span = graph.states[state.index()].edges;
        for (number, edge) in (span.first..).zip(&graph.lists.edges[span.range()]) {
            let g = g + U::of_narrow(edge.cost);
            let cell = Cell::new(edge.x.into(), edge.y.into());
            self.reach(memory, Reached { state: edge.to, cell, g, edge: number }, mark, most);
        }
    }

    /// Opens a jump point, unless it was reached at no higher cost before.
    #[inline(always)]
    fn reach<U: Units>(&mut self, memory: &mut Memory<U>, by: Reached<U::Cost>, mark: u32, most: U::Cost) {
        let Reached { state, cell, g, edge } = by;
        let number = state.node();
        let node = &mut memory.nodes[number as usize];
        let seen = node.mark & !(CLOSED | DIR) == mark;
        if seen && node.g <= g {
            return;
        }
        if !seen
            && let Some(gates) = &self.gates
            && !gates.allows(number)
        {
            // Excluded: closed, so that it is not tested again.
            *node = Node { g: 0.into(), mark: mark | CLOSED, ..Node::default() };
            return;
        }
        *node = Node { g, mark: mark | (state.0 % 4), edge, x: cell.x as u16, y: cell.y as u16 };
        self.probe.reached(cell, !seen);
        let f = g + U::between(cell, self.query.goal);
        if f < most {
            memory.heap.push(U::pack(f, g, number, memory.id_bits));
        }
    }

    /// Writes a path, from the goal back.
    fn answer<U: Units>(&mut self, memory: &Memory<U>, found: Found<U::Cost>) {
        self.hops.clear();
        if self.query.output != Output::Cost {
            let lists = &self.graph.lists;
            self.hops.push(self.query.goal);
            let (mut number, mut ray) = (found.node, found.ray);
            loop {
                while ray != NONE {
                    self.hops.push(lists.rays.cell(ray));
                    ray = lists.rays.before[ray as usize];
                }
                let node = &memory.nodes[number as usize];
                self.hops.push(node.cell());
                if node.edge == NONE {
                    break;
                }
                let origin = lists.origins[node.edge as usize];
                (number, ray) = (origin.node, origin.ray);
            }
            self.hops.push(self.query.start);
            self.hops.reverse();
        }
        self.out.set_hops(self.query.output, self.hops, U::decode(found.cost));
    }
}

/// A jump point that was reached, and how.
#[derive(Clone, Copy)]
struct Reached<C> {
    state: State,
    cell: Cell,
    g: C,
    edge: u32,
}

/// Opens the jump points that are found from the start.
struct FromStart<'s, 'a, P: ?Sized, U: Units> {
    search: &'s mut Search<'a, P>,
    memory: &'s mut Memory<U>,
    mark: u32,
}

impl<P: Probe + ?Sized, U: Units> Sink for FromStart<'_, '_, P, U> {
    #[inline]
    fn found(&mut self, at: Cell, dir: Dir, diagonal: u32, straight: u32) {
        let state = State::new(self.search.graph.number(&self.search.index.planes, at), dir);
        let g = U::DIAGONAL * diagonal.into() + U::STRAIGHT * straight.into();
        let reached = Reached { state, cell: at, g, edge: NONE };
        self.search.reach(self.memory, reached, self.mark, U::Cost::MAX);
    }
}
