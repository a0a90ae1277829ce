//! Queries: climbs from both ends to the point where they meet at the least cost, and the path through it.
//!
//! Some shortest path rises from the start along upward arcs, crosses the core as the table says, and falls to the
//! goal; or it only rises and falls (`kernels/subgoals/contract.rs`). So each end climbs: a search along upward arcs,
//! ordered by the cost so far plus the octile distance to the *other end*, which stops at nodes of the core. Every pair
//! of such nodes, one from each end, gives a path to the goal, and so does a node below the core that both climbs have
//! reached. The cheapest of these paths is the answer.
//!
//! **Pruning.** A path through a node costs at least the cost to reach the node plus the octile distance to the other
//! end. Once that is no less than the best known path, a climb may end. Core nodes are also reached in that order, so
//! not all pairs need to be looked up. A node is on no shortest path if a path through a node above it reaches it at a
//! lower cost: it is not expanded. To get a bound soon, the start first climbs only to its first node of the core, then
//! the goal climbs all the way, then the start continues.

use super::file::{Makeup, View, arc};
use crate::geometry::units::{Narrow, Units};
use crate::geometry::{Cell, GridCost};
use crate::grid::Grid;
use crate::kernels::ds::heap::Heap;
use crate::kernels::subgoals;
use crate::kernels::subgoals::contract::NONE;
use crate::planner::{Probe, size_bytes};

/// The climb of one end.
#[derive(Debug)]
pub(super) struct Climb {
    nodes: Vec<ClimbNode>,
    /// How each reached node was reached: stored separately, because `nodes` is read far more often.
    parents: Vec<Parent>,
    /// The reached nodes.
    touched: Vec<u32>,
    /// The core nodes that were reached, in the order of their keys.
    core: Vec<CoreNode>,
    /// Keys with nodes.
    heap: Heap<u64>,
}

/// The cost and the cell of a node, together for locality.
#[derive(Clone, Copy, Debug)]
struct ClimbNode {
    /// The least known cost to reach it; [`UNREACHED`] if it was not reached.
    cost: u32,
    x: u16,
    y: u16,
}

impl ClimbNode {
    #[inline]
    fn cell(self) -> Cell {
        Cell { x: self.x.into(), y: self.y.into() }
    }
}

#[derive(Clone, Copy, Debug)]
struct Parent {
    /// The arc by which the node was reached, or [`NONE`] if directly from the end.
    arc: u32,
    /// The node at the other end of the arc.
    from: u32,
}

/// The parent of a node that the end reaches directly.
const NO_PARENT: Parent = Parent { arc: NONE, from: NONE };

/// How a climb reaches a node.
#[derive(Clone, Copy)]
struct Reach {
    cost: u32,
    parent: Parent,
}

/// Larger than the cost of any path; the sum of two does not overflow.
const UNREACHED: u32 = Narrow::LIMIT;

#[derive(Clone, Copy, Debug)]
struct CoreNode {
    node: u32,
    cell: Cell,
    cost: u32,
    /// The cost plus the octile distance to the other end.
    key: u32,
}

size_bytes!(Climb: nodes, parents, touched, core, heap);

impl Climb {
    pub(super) fn new(view: &View) -> Self {
        let nodes = view.cells().map(|Cell { x, y }| ClimbNode { cost: UNREACHED, x: x as u16, y: y as u16 });
        let nodes: Vec<ClimbNode> = nodes.collect();
        Self { parents: vec![NO_PARENT; nodes.len()], nodes, touched: Vec::new(), core: Vec::new(), heap: Heap::new() }
    }

    /// Clears the previous query.
    fn clear(&mut self) {
        for node in self.touched.drain(..) {
            self.nodes[node as usize].cost = UNREACHED;
        }
        self.core.clear();
        self.heap.clear();
    }
}

/// The nodes where two climbs meet, one of each: the same node, or two nodes of the core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) cost: u32,
    start: u32,
    goal: u32,
}

impl Meeting {
    /// The moves that add up to its cost. `None` for a cost that no path has, which only an invalid file can give.
    pub(super) fn counts(&self) -> Option<GridCost> {
        let (cost, a, b) = (u64::from(self.cost), u64::from(Narrow::STRAIGHT), u64::from(Narrow::DIAGONAL));
        let diagonal = cost * Narrow::INVERSE % a;
        let straight = cost.checked_sub(diagonal * b)? / a;
        Some(GridCost::new(straight as u32, diagonal as u32))
    }
}

/// A running query.
pub(super) struct Climbing<'a, P: ?Sized> {
    pub(super) view: View<'a>,
    pub(super) grid: &'a Grid,
    pub(super) probe: &'a mut P,
}

/// The end of a climb.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The first node of the core.
    Core,
    /// No node can be on a better path.
    Bound,
}

impl<P: Probe + ?Sized> Climbing<'_, P> {
    /// Finds the meeting with the shortest path between two cells that have no free hop between them. `None` if there
    /// is no path, or the index has invalid numbers.
    pub(super) fn meet(&mut self, [from, to]: &mut [Climb; 2], start: Cell, goal: Cell) -> Option<Meeting> {
        self.begin(from, start, goal)?;
        self.begin(to, goal, start)?;
        let mut best = Meeting { cost: Narrow::LIMIT, start: NONE, goal: NONE };
        self.climb(from, to, goal, Until::Core, &mut best)?;
        // The same meeting from the goal's point of view.
        let mut back = Meeting { start: best.goal, goal: best.start, ..best };
        self.climb(to, from, start, Until::Bound, &mut back)?;
        best = Meeting { start: back.goal, goal: back.start, ..back };
        self.climb(from, to, goal, Until::Bound, &mut best)?;
        (best.cost < Narrow::LIMIT).then_some(best)
    }

    /// Begins a climb at the subgoals that a cell reaches directly, or at the cell itself if it is a subgoal.
    fn begin(&mut self, climb: &mut Climb, cell: Cell, other: Cell) -> Option<()> {
        climb.clear();
        let (view, id) = (self.view, self.grid.id(cell));
        if let Some(node) = view.at(id) {
            return self.reach(climb, node, Reach { cost: 0, parent: NO_PARENT }, other, Narrow::LIMIT);
        }
        let mut is_valid = Some(());
        subgoals::direct(&view, &view.id_steps, id, |id, straight, diagonal| {
            let moves_cost =
                u64::from(straight) * u64::from(Narrow::STRAIGHT) + u64::from(diagonal) * u64::from(Narrow::DIAGONAL);
            let cost = moves_cost.min(Narrow::LIMIT.into()) as u32;
            let reach = |node| self.reach(climb, node, Reach { cost, parent: NO_PARENT }, other, Narrow::LIMIT);
            is_valid = is_valid.and(view.at(id).and_then(reach));
        });
        is_valid
    }

    /// Puts a node on the heap of a climb if this is its lowest cost so far and paths through it can cost less than
    /// `bound`.
    #[inline]
    fn reach(&mut self, climb: &mut Climb, node: u32, by: Reach, other: Cell, bound: u32) -> Option<()> {
        let (Reach { cost, parent }, known) = (by, climb.nodes.get_mut(node as usize)?);
        if cost >= known.cost {
            return Some(());
        }
        let cell = known.cell();
        let key = u64::from(cost) + u64::from(Narrow::between(cell, other));
        if key < bound.into() {
            let is_first = known.cost == UNREACHED;
            if is_first {
                climb.touched.push(node);
            }
            known.cost = cost;
            climb.parents[node as usize] = parent;
            climb.heap.push(key << 32 | u64::from(node));
            self.probe.reached(cell, is_first);
        }
        Some(())
    }

    /// Continues a climb and improves the best meeting with the climb of the other end.
    fn climb(
        &mut self,
        climb: &mut Climb,
        opposite: &Climb,
        other: Cell,
        until: Until,
        best: &mut Meeting,
    ) -> Option<()> {
        let mut left = climb.nodes.len();
        while let Some(entry) = climb.heap.pop() {
            let (key, node) = ((entry >> 32) as u32, entry as u32);
            if key >= best.cost {
                return Some(());
            }
            let reached = climb.nodes[node as usize];
            let (cost, cell) = (reached.cost, reached.cell());
            if u64::from(key) != u64::from(cost) + u64::from(Narrow::between(cell, other)) {
                continue;
            }
            // With a valid file, each node comes up once at its least cost.
            left = left.checked_sub(1)?;
            if node < self.view.core {
                self.probe.expanded(cell);
                let here = CoreNode { node, cell, cost, key };
                climb.core.push(here);
                self.join(here, opposite, best)?;
                if until == Until::Core {
                    return Some(());
                }
            } else {
                self.expand(climb, opposite, node, other, best)?;
            }
        }
        Some(())
    }

    /// Looks up the paths from a node of the core to those that the other climb reached.
    #[inline]
    fn join(&self, here: CoreNode, opposite: &Climb, best: &mut Meeting) -> Option<()> {
        for there in &opposite.core {
            if there.key >= best.cost {
                break;
            }
            let ends = u64::from(here.cost) + u64::from(there.cost);
            // The table is large: a bound rules out most pairs without reading it.
            if ends + u64::from(Narrow::between(here.cell, there.cell)) >= best.cost.into() {
                continue;
            }
            let cost = ends + u64::from(self.view.between(here.node, there.node)?);
            if cost < best.cost.into() {
                *best = Meeting { cost: cost as u32, start: here.node, goal: there.node };
            }
        }
        Some(())
    }

    /// Expands a node below the core.
    #[inline]
    fn expand(
        &mut self,
        climb: &mut Climb,
        opposite: &Climb,
        node: u32,
        other: Cell,
        best: &mut Meeting,
    ) -> Option<()> {
        let (first, arcs) = self.view.arcs(node)?;
        let reached = climb.nodes[node as usize];
        let cost = reached.cost;
        let is_shorter = |&word: &[u8; 8]| {
            let arc = arc(word);
            climb.nodes.get(arc.to as usize).is_some_and(|above| above.cost + arc.cost < cost)
        };
        if arcs.iter().any(is_shorter) {
            return Some(());
        }
        self.probe.expanded(reached.cell());
        let met = cost + opposite.nodes[node as usize].cost;
        if met < best.cost {
            *best = Meeting { cost: met, start: node, goal: node };
        }
        for (number, &word) in (first..).zip(arcs) {
            let arc = arc(word);
            let by = Reach { cost: cost + arc.cost, parent: Parent { arc: number, from: node } };
            self.reach(climb, arc.to, by, other, best.cost)?;
        }
        Some(())
    }
}

/// Reads the hops of paths from climbs.
///
/// All arcs of a path are found first. Then all shortcuts among them are replaced by their two arcs, again and again
/// until only hops are left. The arcs of a round do not depend on each other, so the processor can wait for many memory
/// reads at the same time.
#[derive(Debug, Default)]
pub(super) struct Tracer {
    arcs: Vec<Makeup>,
    /// The arcs of the next round.
    next: Vec<Makeup>,
    pub(super) hops: Vec<Cell>,
}

size_bytes!(Tracer: arcs, next, hops);

impl Tracer {
    /// Finds the hops of the path through a meeting, from start to goal. `None` if the index has invalid numbers.
    pub(super) fn trace(
        &mut self,
        view: &View,
        [from, to]: &[Climb; 2],
        meeting: Meeting,
        start: Cell,
        goal: Cell,
    ) -> Option<()> {
        // Every hop has at least one move.
        let most = meeting.counts()?.moves() as usize;
        self.arcs.clear();
        let first = self.descend(view, from, meeting.start, most, |makeup| makeup)?;
        self.arcs.reverse();
        self.cross(view, meeting.start, meeting.goal, most)?;
        self.descend(view, to, meeting.goal, most, Makeup::back)?;
        self.unpack(view, most)?;
        let mut at = view.cell(first)?;
        self.hops.clear();
        self.hops.extend([start, at]);
        for arc in &self.arcs {
            at = arc.end(at);
            self.hops.push(at);
        }
        self.hops.push(goal);
        Some(())
    }

    /// Adds the arcs by which a climb reached a node, the last one first. Returns the node where the climb began.
    fn descend(
        &mut self,
        view: &View,
        climb: &Climb,
        mut node: u32,
        most: usize,
        turn: impl Fn(Makeup) -> Makeup,
    ) -> Option<u32> {
        loop {
            let parent = climb.parents.get(node as usize)?;
            if parent.arc == NONE {
                return Some(node);
            }
            self.add(turn(view.makeup(parent.arc)?), most)?;
            node = parent.from;
        }
    }

    /// Adds the arcs of a path through the core.
    fn cross(&mut self, view: &View, mut node: u32, to: u32, most: usize) -> Option<()> {
        if node == to {
            return Some(());
        }
        let (mut left, end) = (view.between(node, to)?, view.cell(to)?);
        while node != to {
            let (first, arcs) = view.arcs(node)?;
            let leads = |&(_, &word): &(u32, &[u8; 8])| {
                let arc = arc(word);
                // The table is large; the cells are in the cache.
                arc.cost <= left
                    && view.cell(arc.to).is_some_and(|cell| Narrow::between(cell, end) <= left - arc.cost)
                    && view.between(arc.to, to) == Some(left - arc.cost)
            };
            let (number, &word) = (first..).zip(arcs).find(leads)?;
            let arc = arc(word);
            left -= arc.cost;
            node = arc.to;
            self.add(view.makeup(number)?, most)?;
        }
        Some(())
    }

    /// Adds an arc, unless there would be more than a path can have, as only an invalid file can cause.
    fn add(&mut self, arc: Makeup, most: usize) -> Option<()> {
        self.arcs.push(arc);
        (self.arcs.len() <= most).then_some(())
    }

    /// Replaces shortcuts by their arcs until only hops are left.
    fn unpack(&mut self, view: &View, most: usize) -> Option<()> {
        for _ in 0..=view.nesting {
            self.next.clear();
            for &arc in &self.arcs {
                if arc.is_hop() {
                    self.next.push(arc);
                } else {
                    let (back, on) = arc.arcs();
                    self.next.extend([view.makeup(back)?.back(), view.makeup(on)?]);
                }
            }
            if self.next.len() == self.arcs.len() {
                return Some(());
            }
            if self.next.len() > most {
                return None;
            }
            std::mem::swap(&mut self.arcs, &mut self.next);
        }
        None
    }
}
