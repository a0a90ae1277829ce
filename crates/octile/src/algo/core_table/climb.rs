//! Queries: climbs from both ends to where they meet at the least cost, and the path by way of there.
//!
//! Some shortest path rises from the start along upward arcs, goes through the core as the table says, and falls to the
//! goal; or it only rises and falls (`kernels/subgoals/contract.rs`). So each end climbs: a search along upward arcs,
//! in the order of the cost so far and the octile distance to the *other end*, which ends at nodes of the core. Every
//! two such nodes, one of either end, are a way to the goal, and so is a node below the core that both have reached.
//! The least of them is the answer.
//!
//! **What may be left out.** Ways through a node cost at least what it took to get there and the octile distance to the
//! other end: from the first where that is no less than the best way known, a climb may end. Those of the core come in
//! that order too, so that they need not all be looked up either. And a node to which a way by another node above is
//! shorter is on no shortest path: it is not expanded. To have a bound soon, the start climbs to its first node of the
//! core only, then the goal all the way, then the start.

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
    /// For each node that was reached how: apart, as the others are looked at far more often.
    parents: Vec<Parent>,
    /// The nodes that were reached.
    touched: Vec<u32>,
    /// The nodes of the core that were come to, in the order of their keys.
    core: Vec<CoreNode>,
    /// Keys, and nodes.
    heap: Heap<u64>,
}

/// A node, and its cell, so that both are at hand together.
#[derive(Clone, Copy, Debug)]
struct ClimbNode {
    /// What it costs to get there, as far as is known; [`UNREACHED`] if it was not reached.
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
    /// The number of the arc by which it was, or [`NONE`] from the end itself.
    arc: u32,
    /// The node that the arc came from.
    from: u32,
}

/// Of a node that the end reaches directly.
const NO_PARENT: Parent = Parent { arc: NONE, from: NONE };

/// More than any cost of a path, and two of them can be added.
const UNREACHED: u32 = Narrow::LIMIT;

#[derive(Clone, Copy, Debug)]
struct CoreNode {
    node: u32,
    cell: Cell,
    cost: u32,
    /// The cost and the octile distance to the other end.
    key: u32,
}

size_bytes!(Climb: nodes, parents, touched, core, heap);

impl Climb {
    pub(super) fn new(view: &View) -> Self {
        let nodes = view.cells().map(|Cell { x, y }| ClimbNode { cost: UNREACHED, x: x as u16, y: y as u16 });
        let nodes: Vec<ClimbNode> = nodes.collect();
        Self { parents: vec![NO_PARENT; nodes.len()], nodes, touched: Vec::new(), core: Vec::new(), heap: Heap::new() }
    }

    /// Forgets the query before.
    fn clear(&mut self) {
        for node in self.touched.drain(..) {
            self.nodes[node as usize].cost = UNREACHED;
        }
        self.core.clear();
        self.heap.clear();
    }
}

/// Where two climbs meet: a node of either, the same or both in the core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) cost: u32,
    start: u32,
    goal: u32,
}

impl Meeting {
    /// The counts behind its cost. `None` for a cost that no path has, as only a file can say that should not.
    pub(super) fn counts(&self) -> Option<GridCost> {
        let (cost, a, b) = (u64::from(self.cost), u64::from(Narrow::STRAIGHT), u64::from(Narrow::DIAGONAL));
        let diagonal = cost * Narrow::INVERSE % a;
        let straight = cost.checked_sub(diagonal * b)? / a;
        Some(GridCost::new(straight as u32, diagonal as u32))
    }
}

/// A query under way.
pub(super) struct Climbing<'a, P: ?Sized> {
    pub(super) view: View<'a>,
    pub(super) grid: &'a Grid,
    pub(super) probe: &'a mut P,
}

/// How far a climb goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// To the first node of the core.
    Core,
    /// Until no node can be on a better way.
    Bound,
}

impl<P: Probe + ?Sized> Climbing<'_, P> {
    /// Finds where the way between two cells, whose hop is not free, is shortest. `None` if there is no way, or what
    /// the index says cannot be.
    pub(super) fn meet(&mut self, [from, to]: &mut [Climb; 2], start: Cell, goal: Cell) -> Option<Meeting> {
        self.begin(from, start, goal)?;
        self.begin(to, goal, start)?;
        let mut best = Meeting { cost: Narrow::LIMIT, start: NONE, goal: NONE };
        self.climb(from, to, goal, Until::Core, &mut best)?;
        // Seen from the goal, it is the start.
        let mut back = Meeting { start: best.goal, goal: best.start, ..best };
        self.climb(to, from, start, Until::Bound, &mut back)?;
        best = Meeting { start: back.goal, goal: back.start, ..back };
        self.climb(from, to, goal, Until::Bound, &mut best)?;
        (best.cost < Narrow::LIMIT).then_some(best)
    }

    /// Begins a climb at the subgoals that a cell reaches directly, or at itself if it is one.
    fn begin(&mut self, climb: &mut Climb, cell: Cell, other: Cell) -> Option<()> {
        climb.clear();
        let (view, id) = (self.view, self.grid.id(cell));
        if let Some(node) = view.at(id) {
            return self.reach(climb, node, (0, NO_PARENT), other, Narrow::LIMIT);
        }
        let mut is_sound = Some(());
        subgoals::direct(&view, &view.id_steps, id, |id, straight, diagonal| {
            let prices =
                u64::from(straight) * u64::from(Narrow::STRAIGHT) + u64::from(diagonal) * u64::from(Narrow::DIAGONAL);
            let cost = prices.min(Narrow::LIMIT.into()) as u32;
            let reach = |node| self.reach(climb, node, (cost, NO_PARENT), other, Narrow::LIMIT);
            is_sound = is_sound.and(view.at(id).and_then(reach));
        });
        is_sound
    }

    /// Puts a node on the heap of a climb if it was not reached as cheaply before, and ways through it can be better
    /// than `bound`.
    #[inline]
    fn reach(&mut self, climb: &mut Climb, node: u32, way: (u32, Parent), other: Cell, bound: u32) -> Option<()> {
        let ((cost, parent), known) = (way, climb.nodes.get_mut(node as usize)?);
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

    /// Climbs on, and betters the meeting with the other climb, which is the second of each pair.
    fn climb(
        &mut self,
        climb: &mut Climb,
        over_there: &Climb,
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
            // Each node comes once at the cost that is known of it, unless a file says what cannot be.
            left = left.checked_sub(1)?;
            if node < self.view.core {
                self.probe.expanded(cell);
                let here = CoreNode { node, cell, cost, key };
                climb.core.push(here);
                self.join(here, over_there, best)?;
                if until == Until::Core {
                    return Some(());
                }
            } else {
                self.expand(climb, over_there, node, other, best)?;
            }
        }
        Some(())
    }

    /// Looks up the ways from a node of the core to those that the other climb came to.
    #[inline]
    fn join(&self, here: CoreNode, over_there: &Climb, best: &mut Meeting) -> Option<()> {
        for there in &over_there.core {
            if there.key >= best.cost {
                break;
            }
            let ends = u64::from(here.cost) + u64::from(there.cost);
            // The table is large: most ways are known to be too long without a look at it.
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
        over_there: &Climb,
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
        let met = cost + over_there.nodes[node as usize].cost;
        if met < best.cost {
            *best = Meeting { cost: met, start: node, goal: node };
        }
        for (number, &word) in (first..).zip(arcs) {
            let arc = arc(word);
            let way = (cost + arc.cost, Parent { arc: number, from: node });
            self.reach(climb, arc.to, way, other, best.cost)?;
        }
        Some(())
    }
}

/// Reads the hops of paths off climbs.
///
/// All arcs of a path are found first. Then all shortcuts among them are replaced by what they are made of, again and
/// again until only hops are left: which arcs come next does not depend on the last one, so that the processor waits
/// for many of them at the same time.
#[derive(Debug, Default)]
pub(super) struct Tracer {
    arcs: Vec<Makeup>,
    /// Those of the next round.
    next: Vec<Makeup>,
    pub(super) hops: Vec<Cell>,
}

size_bytes!(Tracer: arcs, next, hops);

impl Tracer {
    /// The hops of the path by way of a meeting, from start to goal. `None` if what the index says cannot be.
    pub(super) fn trace(
        &mut self,
        view: &View,
        [from, to]: &[Climb; 2],
        meeting: Meeting,
        (start, goal): (Cell, Cell),
    ) -> Option<()> {
        // A hop has a move at least.
        let most = meeting.counts()?.moves() as usize;
        self.arcs.clear();
        let first = self.descend(view, from, meeting.start, most, |makeup| makeup)?;
        self.arcs.reverse();
        self.cross(view, meeting.start, meeting.goal, most)?;
        self.descend(view, to, meeting.goal, most, Makeup::back)?;
        self.take_apart(view, most)?;
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

    /// Adds the arcs by which a climb came to a node, the last one first; gives the node where it began.
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

    /// Adds the arcs through the core from a node to another.
    fn cross(&mut self, view: &View, mut node: u32, to: u32, most: usize) -> Option<()> {
        if node == to {
            return Some(());
        }
        let (mut left, end) = (view.between(node, to)?, view.cell(to)?);
        while node != to {
            let (first, arcs) = view.arcs(node)?;
            let leads = |&(_, &word): &(u32, &[u8; 8])| {
                let arc = arc(word);
                // The table is large, and cells are at hand.
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

    /// Adds an arc, unless there are as many as a path can have: only what no file should say has more.
    fn add(&mut self, arc: Makeup, most: usize) -> Option<()> {
        self.arcs.push(arc);
        (self.arcs.len() <= most).then_some(())
    }

    /// Replaces shortcuts until only hops are left.
    fn take_apart(&mut self, view: &View, most: usize) -> Option<()> {
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
