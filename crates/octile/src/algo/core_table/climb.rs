//! Queries: climbs from both ends to where they meet at the least cost, and the path by way of there.
//!
//! Some shortest path rises from the start along upward arcs, goes through the core as the table says, and falls to the goal; or it only rises and
//! falls (`algo/subgoals/contract.rs`). So each end climbs: a search along upward arcs, in the order of the cost so far and the octile distance to the
//! *other end*, which ends at nodes of the core. Every two such nodes, one of either end, are a way to the goal, and so is a node below the core that both
//! have reached. The least of them is the answer.
//!
//! **What may be left out.** Ways through a node cost at least what it took to get there and the octile distance to the other end: from the first
//! where that is no less than the best way known, a climb may end. Those of the core come in that order too, so that they need not all be looked up
//! either. And a node to which a way by another node above is shorter is on no shortest path: it is not expanded. To have a bound soon, the start
//! climbs to its first node of the core only, then the goal all the way, then the start.

use super::file::{View, arc};
use crate::algo::subgoals;
use crate::algo::subgoals::contract::NONE;
use crate::geometry::units::{Narrow, Units};
use crate::geometry::{Cell, Octile};
use crate::grid::Grid;
use crate::search::ds::heap::Heap;
use crate::search::{Probe, size_bytes};

/// The climb of one end.
#[derive(Debug)]
pub(super) struct Climb {
    /// For each node how it was reached.
    nodes: Vec<Reached>,
    /// The nodes that were.
    touched: Vec<u32>,
    /// The nodes of the core that were come to, in the order of their keys.
    core: Vec<CoreNode>,
    /// Keys, and nodes.
    heap: Heap<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: u32,
    /// The number of the arc by which it was, or [`NONE`] from the end itself.
    arc: u32,
    /// The node that the arc came from.
    from: u32,
}

/// What was not reached. Two such costs can be added.
const UNSEEN: Reached = Reached { cost: Narrow::LIMIT, arc: NONE, from: NONE };

#[derive(Clone, Copy, Debug)]
struct CoreNode {
    node: u32,
    cost: u32,
    /// The cost and the octile distance to the other end.
    key: u32,
}

size_bytes!(Climb: nodes, touched, core, heap);

impl Climb {
    pub(super) fn new(nodes: usize) -> Self {
        Self { nodes: vec![UNSEEN; nodes], touched: Vec::new(), core: Vec::new(), heap: Heap::new() }
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets the query before.
    fn clear(&mut self) {
        for node in self.touched.drain(..) {
            self.nodes[node as usize] = UNSEEN;
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
    /// Finds where the way between two cells, whose hop is not free, is shortest. `None` if there is no way, or what the index says
    /// cannot be.
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
            return self.reach(climb, node, Reached { cost: 0, ..UNSEEN }, other, Narrow::LIMIT);
        }
        let mut is_sound = Some(());
        subgoals::direct(&view, &view.id_steps, id, |id, straight, diagonal| {
            let cost = Narrow::encode(Octile::new(straight.into(), diagonal.into()));
            let reach = |node| self.reach(climb, node, Reached { cost, ..UNSEEN }, other, Narrow::LIMIT);
            is_sound = is_sound.and(view.at(id).and_then(reach));
        });
        is_sound
    }

    /// Puts a node on the heap of a climb if it was not reached as cheaply before, and ways through it can be better than `bound`.
    #[inline]
    fn reach(&mut self, climb: &mut Climb, node: u32, reached: Reached, other: Cell, bound: u32) -> Option<()> {
        let known = climb.nodes.get_mut(node as usize)?;
        if reached.cost >= known.cost {
            return Some(());
        }
        let cell = self.view.cell(node)?;
        let key = u64::from(reached.cost) + u64::from(Narrow::between(cell, other));
        if key < bound.into() {
            let is_first = known.cost == UNSEEN.cost;
            if is_first {
                climb.touched.push(node);
            }
            *known = reached;
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
        // Each node is expanded once, unless a file says what cannot be.
        for _ in 0..=climb.nodes.len() {
            let Some(entry) = climb.heap.pop() else { return Some(()) };
            let (key, node) = ((entry >> 32) as u32, entry as u32);
            if key >= best.cost {
                return Some(());
            }
            let cost = climb.nodes[node as usize].cost;
            let cell = self.view.cell(node)?;
            if u64::from(key) != u64::from(cost) + u64::from(Narrow::between(cell, other)) {
                continue;
            }
            if node < self.view.core {
                self.probe.expanded(cell);
                climb.core.push(CoreNode { node, cost, key });
                self.join(node, cost, over_there, best)?;
                if until == Until::Core {
                    return Some(());
                }
            } else {
                self.expand(climb, over_there, node, other, best)?;
            }
        }
        None
    }

    /// Looks up the ways from a node of the core to those that the other climb came to.
    #[inline]
    fn join(&self, node: u32, cost: u32, over_there: &Climb, best: &mut Meeting) -> Option<()> {
        for there in &over_there.core {
            if there.key >= best.cost {
                break;
            }
            let between = self.view.between(node, there.node)?;
            let cost = u64::from(cost) + u64::from(between) + u64::from(there.cost);
            if cost < best.cost.into() {
                *best = Meeting { cost: cost as u32, start: node, goal: there.node };
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
        let cost = climb.nodes[node as usize].cost;
        let is_shorter = |&word: &[u8; 8]| {
            let arc = arc(word);
            climb.nodes.get(arc.to as usize).is_some_and(|above| above.cost + arc.cost < cost)
        };
        if arcs.iter().any(is_shorter) {
            return Some(());
        }
        self.probe.expanded(self.view.cell(node)?);
        let met = cost + over_there.nodes[node as usize].cost;
        if met < best.cost {
            *best = Meeting { cost: met, start: node, goal: node };
        }
        for (number, &word) in (first..).zip(arcs) {
            let arc = arc(word);
            let reached = Reached { cost: cost + arc.cost, arc: number, from: node };
            self.reach(climb, arc.to, reached, other, best.cost)?;
        }
        Some(())
    }
}

/// Reads the hops of paths off climbs.
pub(super) struct Tracer<'a> {
    pub(super) view: View<'a>,
    pub(super) hops: &'a mut Vec<Cell>,
    /// Arcs that are yet to be gone: where to, and their middles.
    pub(super) ahead: &'a mut Vec<(u32, u32)>,
    /// How many more arcs and parts of arcs a path can have.
    pub(super) steps: u64,
}

impl Tracer<'_> {
    /// The hops of the path by way of a meeting, from start to goal. `None` if what the index says cannot be.
    pub(super) fn trace(&mut self, [from, to]: &[Climb; 2], meeting: Meeting, start: Cell, goal: Cell) -> Option<()> {
        self.hops.clear();
        self.hops.push(start);
        // From the meeting down to the first node, to be gone the other way.
        self.ahead.clear();
        let mut node = meeting.start;
        loop {
            let reached = from.nodes.get(node as usize)?;
            if reached.arc == NONE {
                break;
            }
            self.ahead.push((node, self.view.middle(reached.arc)?));
            node = reached.from;
            self.spend()?;
        }
        self.hops.push(self.view.cell(node)?);
        let node = self.go(node)?;
        let mut node = self.cross(node, meeting.goal)?;
        loop {
            let reached = to.nodes.get(node as usize)?;
            if reached.arc == NONE {
                break;
            }
            self.ahead.push((reached.from, self.view.middle(reached.arc)?));
            node = self.go(node)?;
        }
        self.hops.push(goal);
        Some(())
    }

    /// Goes through the core.
    fn cross(&mut self, mut node: u32, to: u32) -> Option<u32> {
        if node == to {
            return Some(node);
        }
        let (mut left, end) = (self.view.between(node, to)?, self.view.cell(to)?);
        while node != to {
            let (first, arcs) = self.view.arcs(node)?;
            let leads = |&(_, &word): &(u32, &[u8; 8])| {
                let arc = arc(word);
                // The table is large, and cells are at hand.
                arc.cost <= left
                    && self.view.cell(arc.to).is_some_and(|cell| Narrow::between(cell, end) <= left - arc.cost)
                    && self.view.between(arc.to, to) == Some(left - arc.cost)
            };
            let (number, &word) = (first..).zip(arcs).find(leads)?;
            let arc = arc(word);
            left -= arc.cost;
            self.ahead.push((arc.to, self.view.middle(number)?));
            node = self.go(node)?;
        }
        Some(node)
    }

    /// Goes all arcs ahead from a node, the last first, hop by hop; gives where they end.
    #[inline]
    fn go(&mut self, mut at: u32) -> Option<u32> {
        while let Some((to, middle)) = self.ahead.pop() {
            self.spend()?;
            if middle == NONE {
                self.hops.push(self.view.cell(to)?);
                at = to;
            } else {
                self.ahead.push((to, self.view.middle_to(middle, to)?));
                self.ahead.push((middle, self.view.middle_to(middle, at)?));
            }
        }
        Some(at)
    }

    #[inline]
    fn spend(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }
}
