//! Contraction of the subgoal graph (Geisberger, Sanders, Schultes & Delling 2008): nodes are taken out one after the other, and *shortcuts*
//! between the neighbours of each keep all distances among those that are left, the *core*.
//!
//! A shortcut from `a` to `b` by way of `v` is left out if there is a *witness*, a way from `a` to `b` without `v` that is no longer. Only ways of
//! one and of two arcs are looked at: a witness that is missed adds a shortcut that is not needed, and never one that is wrong. On
//! grids searches for longer witnesses took 8 to 50 times as long and found few.
//!
//! What is known of a node when it is taken out are its *upward arcs*: to its neighbours at that time, all of which are taken out later or stay
//! in the core. **So some shortest path between any two nodes rises along upward arcs, goes on in the core, and falls along upward arcs
//! backwards**; one or two of the three parts may be empty. By induction on the order: a shortest path through nodes that are all left when `v` goes,
//! with `v` inside, has a shortcut or a witness as long in the place of `v`.
//!
//! Nodes with few neighbours go first, and such that few were taken out around, so that the core stays spread over the map.

use super::{Graph, Subgoals};
use crate::geometry::units::{Cost, Narrow, Units};

/// What a shortcut was made of: a node, and which of its upward arcs leads to the shortcut's own node, and which to the node at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::algo) struct Middle {
    pub(in crate::algo) node: u32,
    pub(in crate::algo) near: u16,
    pub(in crate::algo) far: u16,
}

impl Middle {
    /// Of an arc that is no shortcut.
    pub(in crate::algo) const NONE: Self = Self { node: u32::MAX, near: 0, far: 0 };
}

/// How far a contraction goes. No node that is taken out has more than 65,535 neighbours.
#[derive(Clone, Copy, Debug)]
pub(in crate::algo) struct Rules {
    /// It ends when so many nodes are left.
    pub(in crate::algo) keep: usize,
    /// It ends when all nodes that are left have more neighbours than this.
    pub(in crate::algo) most_neighbours: usize,
    /// It ends when it has looked at so many arcs.
    pub(in crate::algo) most_steps: u64,
}

/// What a contraction has come to.
#[derive(Clone, Copy, Debug)]
pub(in crate::algo) struct Effort {
    /// Nodes that are left.
    pub(in crate::algo) left: usize,
    /// Arcs that were looked at.
    pub(in crate::algo) steps: u64,
    /// Arcs that there is room for, those of nodes that were taken out included.
    pub(in crate::algo) arcs: usize,
}

/// A way from a node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::algo) struct Arc {
    pub(in crate::algo) to: u32,
    /// In [`Narrow`] units, and below [`LONGEST`].
    pub(in crate::algo) cost: u32,
}

/// Arcs cost less: three of them can be added, and sums below are exact.
pub(in crate::algo) const LONGEST: u32 = u32::MAX / 3;

const _: () = assert!(LONGEST < Narrow::LIMIT);

/// A graph that was contracted. Nodes are subgoals, by their numbers.
pub(in crate::algo) struct Contracted {
    lists: Lists,
    /// The nodes that were taken out, in this order.
    order: Vec<u32>,
    is_core: Vec<bool>,
    is_whole: bool,
}

impl Contracted {
    /// Contracts a graph, unless `check`, which is asked from time to time, ends it with an error.
    pub(in crate::algo) fn new<E>(
        subgoals: &Subgoals,
        graph: &Graph,
        rules: Rules,
        mut check: impl FnMut(Effort) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut contraction = Contraction::new(subgoals, graph, rules);
        while contraction.may_go_on()
            && let Some(node) = contraction.next()
        {
            contraction.take_out(node);
            if contraction.order.len().is_multiple_of(CHECK_EVERY) {
                check(contraction.effort())?;
            }
        }
        check(contraction.effort())?;
        let Contraction { lists, order, is_core, is_whole, .. } = contraction;
        Ok(Self { lists, order, is_core, is_whole })
    }

    /// How many nodes there are, those that were taken out included.
    pub(in crate::algo) fn len(&self) -> usize {
        self.is_core.len()
    }

    /// The nodes that were taken out, in this order.
    pub(in crate::algo) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Whether it has all shortcuts. One that would be as long as [`LONGEST`] is left out, and then nodes that far apart may seem to be not
    /// connected.
    pub(in crate::algo) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether a node was left.
    pub(in crate::algo) fn is_core(&self, node: u32) -> bool {
        self.is_core[node as usize]
    }

    /// The upward arcs of a node that was taken out, or the arcs to other nodes of the core of one that was left.
    pub(in crate::algo) fn arcs(&self, node: u32) -> &[Arc] {
        self.lists.arcs(node)
    }

    /// For each of its [arcs](Contracted::arcs) what it was made of.
    pub(in crate::algo) fn middles(&self, node: u32) -> &[Middle] {
        self.lists.middles(node)
    }
}

/// After so many nodes a contraction asks whether it may go on.
const CHECK_EVERY: usize = 256;

/// The cost of what is no neighbour: more than any, and a cost below the limit can be added.
const UNKNOWN: u32 = u32::INFINITE;

/// A contraction under way.
struct Contraction {
    rules: Rules,
    lists: Lists,
    /// For each node how many were taken out one above the other below it.
    depths: Vec<u32>,
    /// For each [priority](Contraction::priority) nodes that have it, or had it once.
    queue: Vec<Vec<u32>>,
    /// No node has a lower priority.
    lowest: usize,
    order: Vec<u32>,
    is_core: Vec<bool>,
    is_whole: bool,
    steps: u64,
    /// The arcs of the node that is taken out.
    around: Vec<Arc>,
    /// For each node what an arc from one of them costs, or [`UNKNOWN`].
    costs: Vec<u32>,
}

impl Contraction {
    fn new(subgoals: &Subgoals, graph: &Graph, rules: Rules) -> Self {
        let mut contraction = Self {
            rules,
            lists: Lists::new(subgoals, graph),
            depths: vec![0; graph.len()],
            queue: Vec::new(),
            lowest: 0,
            order: Vec::new(),
            is_core: vec![true; graph.len()],
            is_whole: true,
            steps: 0,
            around: Vec::new(),
            costs: vec![UNKNOWN; graph.len()],
        };
        for node in 0..graph.len() as u32 {
            contraction.enqueue(node);
        }
        contraction
    }

    fn effort(&self) -> Effort {
        Effort { left: self.is_core.len() - self.order.len(), steps: self.steps, arcs: self.lists.arcs.len() }
    }

    fn may_go_on(&self) -> bool {
        let Effort { left, steps, .. } = self.effort();
        left > self.rules.keep && steps < self.rules.most_steps
    }

    fn priority(&self, node: u32) -> usize {
        2 * self.lists.len(node) + self.depths[node as usize] as usize
    }

    fn enqueue(&mut self, node: u32) {
        if self.lists.len(node) > self.rules.most_neighbours.min(u16::MAX.into()) {
            return;
        }
        let priority = self.priority(node);
        if priority >= self.queue.len() {
            self.queue.resize(priority + 1, Vec::new());
        }
        self.queue[priority].push(node);
        self.lowest = self.lowest.min(priority);
    }

    /// The node to be taken out next; `None` if all have too many neighbours. What had another priority once is in the queue for that as well.
    fn next(&mut self) -> Option<u32> {
        while let Some(nodes) = self.queue.get_mut(self.lowest) {
            let Some(node) = nodes.pop() else {
                self.lowest += 1;
                continue;
            };
            if self.is_core[node as usize]
                && self.priority(node) == self.lowest
                && self.lists.len(node) <= self.rules.most_neighbours
            {
                return Some(node);
            }
        }
        None
    }

    fn take_out(&mut self, node: u32) {
        self.is_core[node as usize] = false;
        self.order.push(node);
        let mut around = std::mem::take(&mut self.around);
        around.clear();
        around.extend_from_slice(self.lists.arcs(node));
        let depth = self.depths[node as usize] + 1;
        for arc in &around {
            self.lists.remove(arc.to, node);
            let above = &mut self.depths[arc.to as usize];
            *above = depth.max(*above);
        }
        for from in 0..around.len() {
            self.add_shortcuts(node, &around, from);
        }
        for arc in &around {
            self.enqueue(arc.to);
        }
        self.around = around;
    }

    /// Adds the shortcuts by way of a node from one of its neighbours to those after it for which there is no witness.
    fn add_shortcuts(&mut self, node: u32, around: &[Arc], from_at: usize) {
        let (from, others) = (around[from_at], &around[from_at + 1..]);
        if others.is_empty() {
            return;
        }
        for arc in self.lists.arcs(from.to) {
            self.costs[arc.to as usize] = arc.cost;
        }
        self.steps += self.lists.len(from.to) as u64;
        for (other, other_at) in others.iter().zip(from_at + 1..) {
            let cost = from.cost + other.cost;
            if self.has_witness(other.to, cost) {
                continue;
            }
            if cost >= LONGEST {
                self.is_whole = false;
                continue;
            }
            let (near, far) = (from_at as u16, other_at as u16);
            self.lists.put(from.to, Arc { to: other.to, cost }, Middle { node, near, far });
            self.lists.put(other.to, Arc { to: from.to, cost }, Middle { node, near: far, far: near });
            self.costs[other.to as usize] = cost;
        }
        for arc in self.lists.arcs(from.to) {
            self.costs[arc.to as usize] = UNKNOWN;
        }
    }

    /// Whether one or two arcs lead from the node whose arcs are in `costs` to another at no more than this cost.
    #[inline]
    fn has_witness(&mut self, to: u32, cost: u32) -> bool {
        let arcs = self.lists.arcs(to);
        self.steps += arcs.len() as u64;
        self.costs[to as usize] <= cost || arcs.iter().any(|arc| self.costs[arc.to as usize] + arc.cost <= cost)
    }
}

/// Lists of arcs that grow, one for each node. All are in one array: a list that needs room moves to its end.
struct Lists {
    places: Vec<Place>,
    arcs: Vec<Arc>,
    /// For each arc its middle.
    middles: Vec<Middle>,
}

/// Where a list lies.
#[derive(Clone, Copy)]
struct Place {
    first: u32,
    len: u32,
    room: u32,
}

/// The least room of a list that has moved.
const LEAST_ROOM: u32 = 4;

impl Lists {
    fn new(subgoals: &Subgoals, graph: &Graph) -> Self {
        let cells: Vec<_> = (0..graph.len() as u32).map(|node| subgoals.cell(node)).collect();
        // Lists that grow leave gaps: about as many arcs again.
        let room = 2 * graph.size();
        let mut lists =
            Self { places: Vec::with_capacity(graph.len()), arcs: Vec::with_capacity(room), middles: Vec::new() };
        for (node, &cell) in cells.iter().enumerate() {
            let (first, links) = (lists.arcs.len() as u32, graph.links(node));
            let arc = |to: usize| Arc { to: to as u32, cost: Narrow::between(cell, cells[to]) };
            lists.arcs.extend(links.iter().map(|link| arc(link.subgoal())));
            let len = links.len() as u32;
            lists.places.push(Place { first, len, room: len });
        }
        lists.middles.reserve(room);
        lists.middles.resize(lists.arcs.len(), Middle::NONE);
        lists
    }

    #[inline]
    fn len(&self, node: u32) -> usize {
        self.places[node as usize].len as usize
    }

    #[inline]
    fn range(&self, node: u32) -> std::ops::Range<usize> {
        let Place { first, len, .. } = self.places[node as usize];
        first as usize..(first + len) as usize
    }

    #[inline]
    fn arcs(&self, node: u32) -> &[Arc] {
        &self.arcs[self.range(node)]
    }

    fn middles(&self, node: u32) -> &[Middle] {
        &self.middles[self.range(node)]
    }

    /// Where the arc to a node is in the array.
    #[inline]
    fn position(&self, node: u32, to: u32) -> Option<usize> {
        let range = self.range(node);
        self.arcs[range.clone()].iter().position(|arc| arc.to == to).map(|at| range.start + at)
    }

    /// Removes the arc to a node: the last of the list takes its place.
    fn remove(&mut self, node: u32, to: u32) {
        if let Some(at) = self.position(node, to) {
            let last = self.range(node).end - 1;
            self.arcs[at] = self.arcs[last];
            self.middles[at] = self.middles[last];
            self.places[node as usize].len -= 1;
        }
    }

    /// Adds an arc, unless there is one to that node that costs no more.
    fn put(&mut self, node: u32, arc: Arc, middle: Middle) {
        let at = match self.position(node, arc.to) {
            Some(at) if self.arcs[at].cost <= arc.cost => return,
            Some(at) => at,
            None => self.push(node),
        };
        self.arcs[at] = arc;
        self.middles[at] = middle;
    }

    /// Makes a list longer by one arc, and gives its place.
    fn push(&mut self, node: u32) -> usize {
        let Place { len, room, .. } = self.places[node as usize];
        if len == room {
            self.move_to_end(node);
        }
        let place = &mut self.places[node as usize];
        place.len += 1;
        (place.first + len) as usize
    }

    /// Gives a list twice the room.
    fn move_to_end(&mut self, node: u32) {
        let (range, Place { len, room, .. }) = (self.range(node), self.places[node as usize]);
        let (first, room) = (self.arcs.len() as u32, (2 * room).max(LEAST_ROOM));
        self.arcs.extend_from_within(range.clone());
        self.middles.extend_from_within(range);
        self.arcs.resize((first + room) as usize, Arc { to: u32::MAX, cost: 0 });
        self.middles.resize((first + room) as usize, Middle::NONE);
        self.places[node as usize] = Place { first, len, room };
    }
}
