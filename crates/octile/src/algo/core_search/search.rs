//! The search: the goal's climb, then A\* from the start, and the unpacking of the path's shortcuts.

use super::hierarchy::{Hierarchy, UNREACHED};
use super::landmarks::{LANES, Row};
use crate::geometry::units::{Narrow, Units};
use crate::geometry::{Cell, GridCost};
use crate::grid::{Grid, sight};
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::table::Table;
use crate::kernels::subgoals::Link;
use crate::path::{Output, Path};
use crate::planner::{NoProbe, PathQuery, Probe, size_bytes};

/// No arc.
const NONE: u32 = u32::MAX;

/// Flag bits of a node's mark.
const FLAG_BITS: u32 = 1;

/// The flag of a node that was expanded.
const CLOSED: u32 = 1;

/// The state of a node in a search.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    g: u32,
    /// The number of the query, and the flag.
    mark: u32,
    /// The parent node.
    from: u32,
    /// The arc from the parent, or [`NONE`] if the node was reached directly from the cell where the search began.
    arc: u32,
}

/// Scratch memory.
#[derive(Debug)]
pub(super) struct CoreScratch {
    /// The nodes reached from the start, and those reached from the goal.
    from_start: Table<Node, FLAG_BITS>,
    from_goal: Table<Node, FLAG_BITS>,
    heap: Heap<u64>,
    links: Vec<Link>,
    /// The distances of the goal to the landmarks.
    goal_rows: Vec<Row>,
    /// The nodes of a path, from the meeting to the start, while shortcuts are unpacked.
    chain: Vec<(u32, u32)>,
    stack: Vec<Span>,
    hops: Vec<Cell>,
}

size_bytes!(CoreScratch: from_start, from_goal, heap, links, goal_rows, chain, stack, hops);

impl Default for CoreScratch {
    fn default() -> Self {
        Self {
            from_start: Table::new(0),
            from_goal: Table::new(0),
            heap: Heap::new(),
            links: Vec::new(),
            goal_rows: Vec::new(),
            chain: Vec::new(),
            stack: Vec::new(),
            hops: Vec::new(),
        }
    }
}

impl CoreScratch {
    /// Grows to the nodes of a map: an edit may have added some.
    pub(super) fn make_room(&mut self, hierarchy: &Hierarchy) {
        for nodes in [&mut self.from_start, &mut self.from_goal] {
            if nodes.len() < hierarchy.len() {
                *nodes = Table::new(hierarchy.len());
            }
        }
        self.goal_rows.resize(hierarchy.rows_per_node, [UNREACHED; LANES]);
    }
}

/// Answers a query.
pub(super) fn search(
    grid: &Grid,
    hierarchy: &Hierarchy,
    scratch: &mut CoreScratch,
    query: PathQuery,
    out: &mut Path,
    probe: Option<&mut dyn Probe>,
) -> bool {
    let PathQuery { start, goal, output } = query;
    if sight::hop_is_free(grid, start, goal) {
        return out.set_hops(output, &[start, goal], GridCost::between(start, goal));
    }
    scratch.make_room(hierarchy);
    let id_bits = usize::BITS - hierarchy.len().leading_zeros();
    let meeting = match probe {
        None => Search { grid, hierarchy, scratch, goal, id_bits, probe: &mut NoProbe }.run(start),
        Some(probe) => Search { grid, hierarchy, scratch, goal, id_bits, probe }.run(start),
    };
    let Some(Meeting { node, cost }) = meeting else { return false };
    scratch.hops.clear();
    if output != Output::Cost {
        scratch.hops.push(start);
        scratch.unpack(hierarchy, node);
        scratch.hops.push(goal);
    }
    out.set_hops(output, &scratch.hops, Narrow::decode(cost))
}

/// A node that both ends have reached, and the cost of the path through it.
#[derive(Clone, Copy)]
struct Meeting {
    node: u32,
    cost: u32,
}

/// A query.
struct Search<'a, P: ?Sized> {
    grid: &'a Grid,
    hierarchy: &'a Hierarchy,
    scratch: &'a mut CoreScratch,
    goal: Cell,
    /// The number of bits for a node in an open-list entry.
    id_bits: u32,
    probe: &'a mut P,
}

impl<P: Probe + ?Sized> Search<'_, P> {
    fn run(&mut self, start: Cell) -> Option<Meeting> {
        let goal_mark = self.climb();
        let mark = self.begin(start);
        let mut best: Option<Meeting> = None;
        let mut bound = u32::MAX;
        while let Some(entry) = self.scratch.heap.pop() {
            if Narrow::f(entry) >= bound {
                break;
            }
            let node = Narrow::id(entry, self.id_bits);
            let seen = &mut self.scratch.from_start[node as usize];
            if seen.mark & CLOSED != 0 {
                continue;
            }
            seen.mark |= CLOSED;
            let g = seen.g;
            if self.probe.stops(Narrow::length(Narrow::f(entry))) {
                return None;
            }
            self.probe.expanded(self.hierarchy.cell(node));
            let of_goal = self.scratch.from_goal[node as usize];
            if of_goal.mark == goal_mark && g + of_goal.g < bound {
                bound = g + of_goal.g;
                best = Some(Meeting { node, cost: bound });
            }
            self.expand(node, g, mark, bound);
        }
        best
    }

    #[inline]
    fn expand(&mut self, node: u32, g: u32, mark: u32, bound: u32) {
        let hierarchy = self.hierarchy;
        let range = hierarchy.range(node);
        for (at, arc) in (range.start as u32..).zip(hierarchy.arcs(node)) {
            let g = g + arc.cost;
            let seen = self.scratch.from_start[arc.to as usize];
            let is_first = seen.mark & !CLOSED != mark;
            if !is_first && seen.g <= g {
                continue;
            }
            let f = g + self.heuristic(arc.to);
            if f < bound {
                self.scratch.from_start[arc.to as usize] = Node { g, mark, from: node, arc: at };
                self.scratch.heap.push(Narrow::pack(f, g, arc.to, self.id_bits));
                self.probe.reached(hierarchy.cell(arc.to), is_first);
            }
        }
    }

    /// Puts the nodes that the start reaches directly on the open list. Returns the mark of the search.
    fn begin(&mut self, start: Cell) -> u32 {
        let mark = self.scratch.from_start.begin();
        self.scratch.heap.clear();
        self.hierarchy.links(self.grid.id(start), &mut self.scratch.links);
        for at in 0..self.scratch.links.len() {
            let node = self.hierarchy.node(self.scratch.links[at].to());
            let g = Narrow::between(start, self.hierarchy.cell(node));
            self.scratch.from_start[node as usize] = Node { g, mark, from: node, arc: NONE };
            self.scratch.heap.push(Narrow::pack(g + self.heuristic(node), g, node, self.id_bits));
            self.probe.reached(self.hierarchy.cell(node), true);
        }
        mark
    }

    /// Finds all nodes above the goal, up to the first ones of the core, with their costs, and the distances of the
    /// goal to the landmarks. Returns the mark of the nodes.
    fn climb(&mut self) -> u32 {
        let Self { hierarchy, scratch, goal, .. } = self;
        let CoreScratch { from_goal, heap, links, goal_rows, .. } = &mut **scratch;
        let mark = from_goal.begin();
        heap.clear();
        goal_rows.fill([UNREACHED; LANES]);
        hierarchy.links(self.grid.id(*goal), links);
        for link in &*links {
            let node = hierarchy.node(link.to());
            let g = Narrow::between(*goal, hierarchy.cell(node));
            from_goal[node as usize] = Node { g, mark, from: node, arc: NONE };
            heap.push(u64::from(g) << 32 | u64::from(node));
        }
        while let Some(entry) = heap.pop() {
            let (g, node) = ((entry >> 32) as u32, entry as u32);
            if g > from_goal[node as usize].g {
                continue;
            }
            if hierarchy.is_core(node) {
                lower(goal_rows, hierarchy.rows(node), g);
                continue;
            }
            for (at, arc) in (hierarchy.range(node).start as u32..).zip(hierarchy.arcs(node)) {
                let (g, seen) = (g + arc.cost, &mut from_goal[arc.to as usize]);
                if seen.mark != mark || g < seen.g {
                    *seen = Node { g, mark, from: node, arc: at };
                    heap.push(u64::from(g) << 32 | u64::from(arc.to));
                }
            }
        }
        mark
    }

    /// The heuristic: a lower bound of the cost from a node to the goal.
    #[inline]
    fn heuristic(&self, node: u32) -> u32 {
        let mut most = Narrow::between(self.hierarchy.cell(node), self.goal);
        if self.hierarchy.is_core(node) {
            for (row, of_goal) in self.hierarchy.rows(node).zip(&self.scratch.goal_rows) {
                for lane in 0..LANES {
                    most = most.max(row[lane].abs_diff(of_goal[lane]));
                }
            }
        }
        most
    }
}

/// Lowers the distances of the goal to those through a node with these rows, reached at a cost of `g`.
fn lower<'a>(goal_rows: &mut [Row], rows: impl Iterator<Item = &'a Row>, g: u32) {
    for (of_goal, row) in goal_rows.iter_mut().zip(rows) {
        for lane in 0..LANES {
            of_goal[lane] = of_goal[lane].min(row[lane].saturating_add(g)).min(UNREACHED);
        }
    }
}

/// An arc in one direction or the other, and the node it leads to.
#[derive(Clone, Copy, Debug)]
struct Span {
    arc: u32,
    to: u32,
    is_backward: bool,
}

impl CoreScratch {
    /// Adds all nodes of the path through the meeting to the hops.
    fn unpack(&mut self, hierarchy: &Hierarchy, meeting: u32) {
        self.chain.clear();
        let mut node = self.from_start[meeting as usize];
        let mut at = meeting;
        while node.arc != NONE {
            self.chain.push((at, node.arc));
            at = node.from;
            node = self.from_start[at as usize];
        }
        self.hops.push(hierarchy.cell(at));
        while let Some((to, arc)) = self.chain.pop() {
            self.unpack_span(hierarchy, Span { arc, to, is_backward: false });
        }
        let mut node = self.from_goal[meeting as usize];
        while node.arc != NONE {
            self.unpack_span(hierarchy, Span { arc: node.arc, to: node.from, is_backward: true });
            node = self.from_goal[node.from as usize];
        }
    }

    /// Adds the nodes of a span, except its first, to the hops.
    fn unpack_span(&mut self, hierarchy: &Hierarchy, span: Span) {
        self.stack.push(span);
        while let Some(Span { arc, to, is_backward }) = self.stack.pop() {
            let Some((middle, [near, far])) = hierarchy.halves(arc) else {
                self.hops.push(hierarchy.cell(to));
                continue;
            };
            // Both halves belong to the middle: the first is travelled backwards, the second forwards.
            let (first, second) = if is_backward { (far, near) } else { (near, far) };
            self.stack.push(Span { arc: second, to, is_backward: false });
            self.stack.push(Span { arc: first, to: middle, is_backward: true });
        }
    }
}
