//! Contraction of the subgoal graph (Geisberger, Sanders, Schultes & Delling 2008): nodes are taken out one after the
//! other, and *shortcuts* between the neighbours of each keep all distances among those that are left, the *core*.
//!
//! A shortcut from `a` to `b` by way of `v` is left out if there is a *witness*, a way from `a` to `b` without `v` that
//! is no longer. Ways of one and of two arcs are looked at first. That finds most of them, and is all that is worth its
//! time while nodes have few neighbours; where they have many, needless shortcuts beget others, and a search for longer
//! witnesses pays. It ends after some nodes. A witness that is missed adds a shortcut that is not needed, and never one
//! that is wrong: rules change how long a contraction takes and how many arcs it leaves, and no distance.
//!
//! What is known of a node when it is taken out are its *upward arcs*: to its neighbours at that time, all of which are
//! taken out later or stay in the core. **So some shortest path between any two nodes rises along upward arcs, goes on
//! in the core, and falls along upward arcs backwards**; one or two of the three parts may be empty. By induction on
//! the order: a shortest path through nodes that are all left when `v` goes, with `v` inside, has a shortcut or a
//! witness as long in the place of `v`.
//!
//! Nodes with few neighbours go first, and such that few were taken out around, so that the core stays spread over the
//! map.

use super::{Graph, Subgoals};
use crate::geometry::Cell;
use crate::geometry::units::{Cost, Narrow, Units};
use crate::kernels::ds::heap::Heap;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// What a shortcut was made of: a node, and which of its upward arcs leads to the shortcut's own node, and which to the
/// node at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Middle {
    pub(crate) node: u32,
    pub(crate) near: u16,
    pub(crate) far: u16,
}

impl Middle {
    /// Of an arc that is no shortcut.
    pub(crate) const NONE: Self = Self { node: NONE, near: 0, far: 0 };
}

/// How far a contraction goes. No node that is taken out has more than 65,535 neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// It ends when so many nodes are left.
    pub(crate) keep: usize,
    /// It ends when all nodes that are left have more neighbours than this.
    pub(crate) most_neighbours: usize,
    /// It ends when it has looked at so many arcs.
    pub(crate) most_steps: u64,
    /// Nodes that a search for longer witnesses expands at most, from each neighbour of a node; none if 0.
    pub(crate) most_expanded: usize,
}

/// What a contraction has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Nodes that are left.
    pub(crate) left: usize,
    /// Arcs that were looked at.
    pub(crate) steps: u64,
    /// Arcs that there is room for, those of nodes that were taken out included.
    pub(crate) arcs: usize,
}

/// A way from a node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arc {
    pub(crate) to: u32,
    /// In [`Narrow`] units, and below [`LONGEST`].
    pub(crate) cost: u32,
}

/// Arcs cost less: three of them can be added, and sums below are exact.
pub(crate) const LONGEST: u32 = u32::MAX / 3;

const _: () = assert!(LONGEST < Narrow::LIMIT);

/// A graph that was contracted. Nodes are subgoals, by their numbers.
pub(crate) struct Contracted {
    lists: Lists,
    /// The nodes that were taken out, in this order.
    order: Vec<u32>,
    is_core: Vec<bool>,
    is_whole: bool,
    nesting: u32,
}

impl Contracted {
    /// Contracts a graph, unless `check`, which is asked from time to time, ends it with an error.
    pub(crate) fn new<E>(
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
        let Contraction { lists, order, is_core, is_whole, depths, .. } = contraction;
        let nesting = order.iter().map(|&node| depths[node as usize] + 1).max().unwrap_or(0);
        Ok(Self { lists, order, is_core, is_whole, nesting })
    }

    /// How many nodes there are, those that were taken out included.
    pub(crate) fn len(&self) -> usize {
        self.is_core.len()
    }

    /// The nodes that were taken out, in this order.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Whether it has all shortcuts. One that would be as long as [`LONGEST`] is left out, and then nodes that far
    /// apart may seem to be not connected.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// How often shortcuts must be replaced by the two arcs that they are made of, at most, until none is left.
    pub(crate) fn nesting(&self) -> u32 {
        self.nesting
    }

    /// Whether a node was left.
    pub(crate) fn is_core(&self, node: u32) -> bool {
        self.is_core[node as usize]
    }

    /// The upward arcs of a node that was taken out, or the arcs to other nodes of the core of one that was left.
    pub(crate) fn arcs(&self, node: u32) -> &[Arc] {
        self.lists.arcs(node)
    }

    /// For each of its [arcs](Contracted::arcs) what it was made of.
    pub(crate) fn middles(&self, node: u32) -> &[Middle] {
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
    /// The shortcuts from one of them for which there is no short witness: to which of the others, and the cost.
    wanted: Vec<(usize, Arc)>,
    search: Search,
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
            wanted: Vec::new(),
            search: Search::new(subgoals, rules.most_expanded),
        };
        for node in 0..graph.len() as u32 {
            contraction.enqueue(node);
        }
        contraction
    }

    fn effort(&self) -> Effort {
        let (left, arcs) = (self.is_core.len() - self.order.len(), self.lists.arcs.len());
        Effort { left, steps: self.steps + self.search.steps, arcs }
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

    /// The node to be taken out next; `None` if all have too many neighbours. What had another priority once is in the
    /// queue for that as well.
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
    /// The node itself has no arcs to it any more.
    fn add_shortcuts(&mut self, node: u32, around: &[Arc], from_at: usize) {
        let (from, others) = (around[from_at], &around[from_at + 1..]);
        if others.is_empty() {
            return;
        }
        let mut wanted = std::mem::take(&mut self.wanted);
        self.without_short_witness(from, others, &mut wanted);
        if self.rules.most_expanded > 0 && !wanted.is_empty() {
            self.search.run(&self.lists, from.to, &mut wanted);
        }
        for (place, shortcut) in wanted.drain(..) {
            if shortcut.cost >= LONGEST {
                self.is_whole = false;
                continue;
            }
            let (near, far) = (from_at as u16, (from_at + 1 + place) as u16);
            self.lists.put(from.to, shortcut, Middle { node, near, far });
            self.lists.put(shortcut.to, Arc { to: from.to, ..shortcut }, Middle { node, near: far, far: near });
        }
        self.wanted = wanted;
    }

    /// Finds the shortcuts from one neighbour to others for which there is no witness of one or two arcs.
    fn without_short_witness(&mut self, from: Arc, others: &[Arc], wanted: &mut Vec<(usize, Arc)>) {
        for arc in self.lists.arcs(from.to) {
            self.costs[arc.to as usize] = arc.cost;
        }
        self.steps += self.lists.len(from.to) as u64;
        for (place, other) in others.iter().enumerate() {
            let cost = from.cost + other.cost;
            if !self.has_short_witness(other.to, cost) {
                wanted.push((place, Arc { to: other.to, cost }));
                // As a shortcut, or by a longer witness.
                self.costs[other.to as usize] = cost;
            }
        }
        for arc in self.lists.arcs(from.to).iter().chain(wanted.iter().map(|(_, arc)| arc)) {
            self.costs[arc.to as usize] = UNKNOWN;
        }
    }

    /// Whether one or two arcs lead from the node whose arcs are in `costs` to another at no more than this cost.
    #[inline]
    fn has_short_witness(&mut self, to: u32, cost: u32) -> bool {
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
            lists.arcs.extend(links.iter().map(|link| arc(link.to())));
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

/// Searches for witnesses of any number of arcs.
struct Search {
    nodes: Vec<SearchNode>,
    /// Those that are not as they were.
    touched: Vec<u32>,
    heap: Heap<u64>,
    most_expanded: usize,
    /// Arcs that were looked at.
    steps: u64,
}

#[derive(Clone, Copy)]
struct SearchNode {
    cost: u32,
    /// For an end of a shortcut that is still wanted its cost, or else 0.
    wanted: u32,
    x: u16,
    y: u16,
}

/// The box around some cells.
struct Bounds {
    x: (u32, u32),
    y: (u32, u32),
}

impl Bounds {
    const NONE: Self = Self { x: (u32::MAX, 0), y: (u32::MAX, 0) };

    fn add(&mut self, x: u16, y: u16) {
        let grow = |(min, max): (u32, u32), to: u32| (to.min(min), to.max(max));
        (self.x, self.y) = (grow(self.x, x.into()), grow(self.y, y.into()));
    }

    /// The least that it costs to get to one of them.
    #[inline]
    fn cost_from(&self, x: u16, y: u16) -> u32 {
        let off = |(min, max): (u32, u32), from: u32| min.saturating_sub(from).max(from.saturating_sub(max));
        Narrow::octile(off(self.x, x.into()), off(self.y, y.into()))
    }
}

impl Search {
    fn new(subgoals: &Subgoals, most_expanded: usize) -> Self {
        let node = |Cell { x, y }| SearchNode { cost: UNKNOWN, wanted: 0, x: x as u16, y: y as u16 };
        let count = if most_expanded > 0 { subgoals.len() as u32 } else { 0 };
        let nodes = (0..count).map(|number| node(subgoals.cell(number))).collect();
        Self { nodes, touched: Vec::new(), heap: Heap::new(), most_expanded, steps: 0 }
    }

    /// Leaves those of some shortcuts from a node for which no witness is found.
    fn run(&mut self, lists: &Lists, from: u32, shortcuts: &mut Vec<(usize, Arc)>) {
        let (mut farthest, mut bounds) = (0, Bounds::NONE);
        for (_, Arc { to, cost }) in &*shortcuts {
            let node = &mut self.nodes[*to as usize];
            node.wanted = *cost;
            farthest = farthest.max(*cost);
            bounds.add(node.x, node.y);
        }
        self.nodes[from as usize].cost = 0;
        self.touched.push(from);
        self.spread(lists, from, shortcuts.len(), farthest, &bounds);
        shortcuts.retain(|(_, shortcut)| std::mem::take(&mut self.nodes[shortcut.to as usize].wanted) > 0);
        for node in self.touched.drain(..) {
            self.nodes[node as usize].cost = UNKNOWN;
        }
    }

    /// Searches from a node until it has witnesses for so many others, or gives up.
    fn spread(&mut self, lists: &Lists, from: u32, mut wanted: usize, farthest: u32, bounds: &Bounds) {
        self.heap.clear();
        let mut next = Some(u64::from(from));
        let mut expanded = 0;
        while wanted > 0
            && expanded < self.most_expanded
            && let Some(entry) = next
        {
            let (cost, node) = ((entry >> 32) as u32, entry as u32);
            if cost <= self.nodes[node as usize].cost {
                expanded += 1;
                wanted -= self.expand(lists.arcs(node), cost, farthest, bounds);
            }
            next = self.heap.pop();
        }
    }

    /// Follows the arcs of a node; gives for how many others that is a witness.
    #[inline]
    fn expand(&mut self, arcs: &[Arc], cost: u32, farthest: u32, bounds: &Bounds) -> usize {
        self.steps += arcs.len() as u64;
        let mut found = 0;
        for arc in arcs {
            let cost = cost + arc.cost;
            let node = &mut self.nodes[arc.to as usize];
            if cost > farthest || cost >= node.cost {
                continue;
            }
            if node.cost == UNKNOWN {
                self.touched.push(arc.to);
            }
            node.cost = cost;
            if cost <= node.wanted {
                node.wanted = 0;
                found += 1;
            }
            if cost + bounds.cost_from(node.x, node.y) <= farthest {
                self.heap.push(u64::from(cost) << 32 | u64::from(arc.to));
            }
        }
        found
    }
}
