//! Contraction of the subgoal graph (Geisberger, Sanders, Schultes & Delling 2008): nodes are taken out one after the other, and *shortcuts*
//! between the neighbours of each keep all distances among those that are left, the *core*.
//!
//! A shortcut from `a` to `b` by way of `v` is left out if a *witness* is found, a way from `a` to `b` without `v` that is no longer. The search
//! for one ends after some nodes: giving up adds a shortcut that is not needed, and never one that is wrong. So rules change how long a contraction takes and how
//! many arcs it leaves, and no distance.
//!
//! What is known of a node when it is taken out are its *upward arcs*: to its neighbours at that time, all of which are taken out later or stay
//! in the core. **So some shortest path between any two nodes rises along upward arcs, goes on in the core, and falls along upward arcs backwards**;
//! one of the three parts may be all of it. By induction on the order: a path through nodes that are all left when `v` goes, with `v` inside, has a
//! shortcut or a witness as long in the place of `v`.
//!
//! Nodes with few neighbours go first, and such that few were taken out around, so that the core stays spread over the map. That order is
//! worth nearly as much as one by the number of shortcuts, which takes several times as long to find out.

use super::{Graph, Subgoals};
use crate::geometry::Cell;
use crate::geometry::units::{Narrow, Units};
use crate::search::ds::heap::Heap;

/// No node: an arc that is no shortcut has this in its middle.
pub(in crate::algo) const NONE: u32 = u32::MAX;

/// How far a contraction goes.
#[derive(Clone, Copy, Debug)]
pub(in crate::algo) struct Rules {
    /// It ends when so many nodes are left.
    pub(in crate::algo) keep: usize,
    /// It ends when all nodes that are left have more neighbours than this.
    pub(in crate::algo) most_neighbours: usize,
    /// Nodes that the search for witnesses expands at most, for each neighbour.
    pub(in crate::algo) most_expanded: usize,
}

/// What a contraction has come to.
#[derive(Clone, Copy, Debug)]
pub(in crate::algo) struct Effort {
    /// Nodes that are left.
    pub(in crate::algo) left: usize,
    /// Arcs that searches looked at.
    pub(in crate::algo) steps: u64,
    /// Arcs that there is room for, those of nodes that were taken out included.
    pub(in crate::algo) arcs: usize,
}

/// A way from a node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::algo) struct Arc {
    pub(in crate::algo) to: u32,
    /// In [`Narrow`] units.
    pub(in crate::algo) cost: u32,
}

/// A graph that was contracted. Nodes are subgoals, by their numbers.
pub(in crate::algo) struct Contracted {
    lists: Lists,
    is_core: Vec<bool>,
    nesting: u32,
}

impl Contracted {
    /// Contracts a graph, no way of which is as long as [`Narrow::LIMIT`], unless `check`, which is asked from time to time, ends it with an error.
    pub(in crate::algo) fn new<E>(
        subgoals: &Subgoals,
        graph: &Graph,
        rules: Rules,
        mut check: impl FnMut(Effort) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut contraction = Contraction::new(subgoals, graph, rules);
        let (mut left, mut is_core, mut nesting) = (graph.len(), vec![true; graph.len()], 0);
        while left > rules.keep
            && let Some(node) = contraction.next()
        {
            contraction.take_out(node);
            is_core[node as usize] = false;
            nesting = nesting.max(contraction.depths[node as usize] + 1);
            left -= 1;
            if left % CHECK_EVERY == 0 {
                check(contraction.effort(left))?;
            }
        }
        check(contraction.effort(left))?;
        Ok(Self { lists: contraction.lists, is_core, nesting })
    }

    /// How often shortcuts must be replaced by the two arcs that they are made of, at most, until none is left.
    pub(in crate::algo) fn nesting(&self) -> u32 {
        self.nesting
    }

    /// Whether a node was left.
    pub(in crate::algo) fn is_core(&self, node: u32) -> bool {
        self.is_core[node as usize]
    }

    /// The upward arcs of a node that was taken out, or the arcs to other nodes of the core of one that was left.
    pub(in crate::algo) fn arcs(&self, node: u32) -> &[Arc] {
        self.lists.arcs(node)
    }

    /// For each of its [arcs](Contracted::arcs) the node by way of which it is a shortcut, or [`NONE`]: that has upward arcs to both ends.
    pub(in crate::algo) fn middles(&self, node: u32) -> &[u32] {
        self.lists.middles(node)
    }
}

/// After so many nodes a contraction asks whether it may go on.
const CHECK_EVERY: usize = 64;

/// A contraction under way.
struct Contraction {
    rules: Rules,
    lists: Lists,
    /// For each node how many were taken out one above the other below it.
    depths: Vec<u32>,
    /// The nodes that are left by what is known of their [priority](Contraction::priority), which may have become larger.
    queue: Heap<u64>,
    search: Search,
    /// The arcs of the node that is taken out.
    around: Vec<Arc>,
    /// Ends and cost of its shortcuts.
    shortcuts: Vec<(u32, u32, u32)>,
}

impl Contraction {
    fn new(subgoals: &Subgoals, graph: &Graph, rules: Rules) -> Self {
        let lists = Lists::new(subgoals, graph);
        let mut contraction = Self {
            rules,
            lists,
            depths: vec![0; graph.len()],
            queue: Heap::new(),
            search: Search::new(subgoals, rules.most_expanded),
            around: Vec::new(),
            shortcuts: Vec::new(),
        };
        for node in 0..graph.len() as u32 {
            contraction.enqueue(node, contraction.priority(node));
        }
        contraction
    }

    fn effort(&self, left: usize) -> Effort {
        Effort { left, steps: self.search.steps, arcs: self.lists.arcs.len() }
    }

    fn priority(&self, node: u32) -> u32 {
        2 * self.lists.len(node) as u32 + self.depths[node as usize]
    }

    fn enqueue(&mut self, node: u32, priority: u32) {
        self.queue.push(u64::from(priority) << 32 | u64::from(node));
    }

    /// The node to be taken out next; `None` if all have too many neighbours.
    fn next(&mut self) -> Option<u32> {
        loop {
            let entry = self.queue.pop()?;
            let (node, known) = (entry as u32, (entry >> 32) as u32);
            let priority = self.priority(node);
            if priority > known {
                self.enqueue(node, priority);
            } else if self.lists.len(node) <= self.rules.most_neighbours {
                return Some(node);
            }
        }
    }

    fn take_out(&mut self, node: u32) {
        self.around.clear();
        self.around.extend_from_slice(self.lists.arcs(node));
        self.shortcuts.clear();
        for (i, from) in self.around.iter().enumerate() {
            self.search.shortcuts(&self.lists, node, *from, &self.around[i + 1..], &mut self.shortcuts);
        }
        let depth = self.depths[node as usize] + 1;
        for arc in &self.around {
            self.lists.remove(arc.to, node);
            let above = &mut self.depths[arc.to as usize];
            *above = depth.max(*above);
        }
        for &(a, b, cost) in &self.shortcuts {
            self.lists.put(a, Arc { to: b, cost }, node);
            self.lists.put(b, Arc { to: a, cost }, node);
        }
    }
}

/// Lists of arcs that grow, one for each node. All are in one array: a list that needs room moves to its end.
struct Lists {
    places: Vec<Place>,
    arcs: Vec<Arc>,
    /// For each arc its middle.
    middles: Vec<u32>,
}

/// Where a list lies.
#[derive(Clone, Copy)]
struct Place {
    first: u32,
    len: u32,
    room: u32,
}

/// The room of a list at first.
const LEAST_ROOM: u32 = 4;

impl Lists {
    fn new(subgoals: &Subgoals, graph: &Graph) -> Self {
        let mut lists = Self { places: Vec::with_capacity(graph.len()), arcs: Vec::new(), middles: Vec::new() };
        for node in 0..graph.len() {
            let (first, links) = (lists.arcs.len() as u32, graph.links(node));
            let cell = subgoals.cell(node as u32);
            lists.arcs.extend(links.iter().map(|link| {
                let to = link.subgoal() as u32;
                Arc { to, cost: Narrow::between(cell, subgoals.cell(to)) }
            }));
            let len = links.len() as u32;
            lists.places.push(Place { first, len, room: len.max(LEAST_ROOM) });
            lists.make_room(node);
        }
        lists
    }

    /// Makes the array as long as the room of a list, which is its last, takes.
    fn make_room(&mut self, node: usize) {
        let Place { first, room, .. } = self.places[node];
        self.arcs.resize((first + room) as usize, Arc { to: NONE, cost: 0 });
        self.middles.resize((first + room) as usize, NONE);
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

    fn middles(&self, node: u32) -> &[u32] {
        &self.middles[self.range(node)]
    }

    /// Where the arc to a node is in the array.
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
    fn put(&mut self, node: u32, arc: Arc, middle: u32) {
        let at = self.position(node, arc.to).unwrap_or_else(|| self.push(node));
        if self.arcs[at].to != arc.to || arc.cost < self.arcs[at].cost {
            self.arcs[at] = arc;
            self.middles[at] = middle;
        }
    }

    /// Makes a list longer by an arc to no node; gives its place.
    fn push(&mut self, node: u32) -> usize {
        let Place { first, len, room } = self.places[node as usize];
        if len == room {
            let (range, first) = (self.range(node), self.arcs.len() as u32);
            self.arcs.extend_from_within(range.clone());
            self.middles.extend_from_within(range);
            self.places[node as usize] = Place { first, len, room: 2 * room };
            self.make_room(node as usize);
        } else {
            self.arcs[(first + len) as usize].to = NONE;
        }
        let place = &mut self.places[node as usize];
        place.len += 1;
        (place.first + len) as usize
    }
}

/// Searches for witnesses.
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
    /// For an end of a shortcut that is still needed its cost, or else 0.
    needed: u32,
    x: u16,
    y: u16,
}

/// The cost of nodes that were not reached: more than any.
const UNSEEN: u32 = u32::MAX;

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
        let node = |Cell { x, y }| SearchNode { cost: UNSEEN, needed: 0, x: x as u16, y: y as u16 };
        let nodes = (0..subgoals.len() as u32).map(|number| node(subgoals.cell(number))).collect();
        Self { nodes, touched: Vec::new(), heap: Heap::new(), most_expanded, steps: 0 }
    }

    /// Adds the shortcuts by way of `middle` from one neighbour of it to some others for which no witness is found.
    fn shortcuts(&mut self, lists: &Lists, middle: u32, from: Arc, others: &[Arc], found: &mut Vec<(u32, u32, u32)>) {
        let (mut farthest, mut bounds) = (0, Bounds::NONE);
        for other in others {
            let node = &mut self.nodes[other.to as usize];
            let cost = from.cost + other.cost;
            // A longer one is no shortest way.
            if cost < Narrow::LIMIT {
                node.needed = cost;
                farthest = farthest.max(cost);
                bounds.add(node.x, node.y);
            }
        }
        // Nothing is cheaper: so no way leads there.
        for node in [middle, from.to] {
            self.nodes[node as usize].cost = 0;
            self.touched.push(node);
        }
        self.run(lists, from.to, others.len(), farthest, &bounds);
        for other in others {
            let needed = std::mem::take(&mut self.nodes[other.to as usize].needed);
            if needed > 0 {
                found.push((from.to, other.to, needed));
            }
        }
        for node in self.touched.drain(..) {
            self.nodes[node as usize].cost = UNSEEN;
        }
    }

    /// Searches from a node until it has witnesses for so many others, or gives up.
    fn run(&mut self, lists: &Lists, from: u32, mut wanted: usize, farthest: u32, bounds: &Bounds) {
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
            if node.cost == UNSEEN {
                self.touched.push(arc.to);
            }
            node.cost = cost;
            if cost <= node.needed {
                node.needed = 0;
                found += 1;
            }
            if cost + bounds.cost_from(node.x, node.y) <= farthest {
                self.heap.push(u64::from(cost) << 32 | u64::from(arc.to));
            }
        }
        found
    }
}
