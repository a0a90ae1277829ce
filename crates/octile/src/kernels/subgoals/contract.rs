//! Contraction of the subgoal graph (Geisberger, Sanders, Schultes & Delling 2008): nodes are contracted one after the
//! other, and *shortcuts* between the neighbours of each keep all distances among the remaining nodes, the *core*.
//!
//! A shortcut from `a` to `b` through `v` is not added if there is a *witness*, a path from `a` to `b` without `v` that
//! is no longer. Paths of one and of two arcs are tried first. That finds most witnesses, and nothing more pays while
//! nodes have few neighbours. Where they have many, unnecessary shortcuts cause more shortcuts, and a search for longer
//! witnesses pays. It stops after a limited number of nodes. A missed witness adds an unnecessary shortcut, but never a
//! wrong one: the rules change how long a contraction takes and how many arcs it leaves, but no distance.
//!
//! When a node is contracted, its *upward arcs* are kept: the arcs to its neighbours at that time, all of which are
//! contracted later or stay in the core. **So some shortest path between any two nodes rises along upward arcs,
//! continues in the core, and falls along upward arcs backwards**; one or two of the three parts may be empty. By
//! induction on the order: take a shortest path through nodes that all remain when `v` is contracted, with `v` in its
//! interior. A shortcut or a witness of the same length replaces its two arcs at `v`.
//!
//! Nodes with few neighbours are contracted first, and among those the ones with few contracted nodes around them, so
//! that the core stays spread over the map.

use super::{Graph, Subgoals};
use crate::geometry::Cell;
use crate::geometry::units::{Cost, Narrow, Units};
use crate::kernels::ds::heap::Heap;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// What a shortcut consists of: the middle node, the index of its upward arc to the start of the shortcut (`near`), and
/// the index of its upward arc to the end (`far`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Middle {
    pub(crate) node: u32,
    pub(crate) near: u16,
    pub(crate) far: u16,
}

impl Middle {
    /// The middle of an arc that is not a shortcut.
    pub(crate) const NONE: Self = Self { node: NONE, near: 0, far: 0 };
}

/// When a contraction stops. No contracted node has more than 65,535 neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Stop when this many nodes remain.
    pub(crate) keep: usize,
    /// Stop when all remaining nodes have more neighbours than this.
    pub(crate) most_neighbours: usize,
    /// Stop after examining this many arcs.
    pub(crate) most_steps: u64,
    /// The maximum number of nodes that a search for longer witnesses expands, per neighbour of a contracted node; 0
    /// for no such searches.
    pub(crate) most_expanded: usize,
}

/// The progress of a contraction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The number of remaining nodes.
    pub(crate) left: usize,
    /// The number of arcs examined.
    pub(crate) steps: u64,
    /// The number of allocated arcs, including those of contracted nodes.
    pub(crate) arcs: usize,
}

/// An edge from a node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arc {
    pub(crate) to: u32,
    /// In [`Narrow`] units, and below [`LONGEST`].
    pub(crate) cost: u32,
}

/// Arcs cost less than this: the sum of three does not overflow, and smaller sums are exact.
pub(crate) const LONGEST: u32 = u32::MAX / 3;

const _: () = assert!(LONGEST < Narrow::LIMIT);

/// A contracted graph. Its nodes are the subgoals, by number.
pub(crate) struct Contracted {
    lists: Lists,
    /// The contracted nodes, in order.
    order: Vec<u32>,
    is_core: Vec<bool>,
    is_whole: bool,
    nesting: u32,
}

impl Contracted {
    /// Contracts a graph. `check` is called from time to time and may end the contraction with an error.
    pub(crate) fn new<E>(
        subgoals: &Subgoals,
        graph: &Graph,
        rules: Rules,
        mut check: impl FnMut(Effort) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut contraction = Contraction::new(subgoals, graph, rules);
        while contraction.may_continue()
            && let Some(node) = contraction.next()
        {
            contraction.contract(node);
            if contraction.order.len().is_multiple_of(CHECK_EVERY) {
                check(contraction.effort())?;
            }
        }
        check(contraction.effort())?;
        let Contraction { lists, order, is_core, is_whole, depths, .. } = contraction;
        let nesting = order.iter().map(|&node| depths[node as usize] + 1).max().unwrap_or(0);
        Ok(Self { lists, order, is_core, is_whole, nesting })
    }

    /// The number of nodes, including contracted ones.
    pub(crate) fn len(&self) -> usize {
        self.is_core.len()
    }

    /// The contracted nodes, in order.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Whether all shortcuts were added. A shortcut of [`LONGEST`] or more is left out; then nodes that far apart may
    /// seem disconnected.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The maximum depth of shortcuts that consist of shortcuts.
    pub(crate) fn nesting(&self) -> u32 {
        self.nesting
    }

    /// Whether a node is in the core.
    pub(crate) fn is_core(&self, node: u32) -> bool {
        self.is_core[node as usize]
    }

    /// The upward arcs of a contracted node, or the arcs between a core node and other core nodes.
    pub(crate) fn arcs(&self, node: u32) -> &[Arc] {
        self.lists.arcs(node)
    }

    /// The middles of a node's [arcs](Contracted::arcs).
    pub(crate) fn middles(&self, node: u32) -> &[Middle] {
        self.lists.middles(node)
    }
}

/// The contraction calls `check` each time after this many nodes.
const CHECK_EVERY: usize = 256;

/// The cost of a missing arc: larger than any other; adding a cost below the limit does not overflow.
const UNKNOWN: u32 = u32::INFINITE;

/// A contraction in progress.
struct Contraction {
    rules: Rules,
    lists: Lists,
    /// For each node, the length of the longest chain of contracted nodes below it.
    depths: Vec<u32>,
    /// For each [priority](Contraction::priority), nodes that have it now or had it earlier.
    queue: Vec<Vec<u32>>,
    /// No node has a lower priority than this.
    lowest: usize,
    order: Vec<u32>,
    is_core: Vec<bool>,
    is_whole: bool,
    steps: u64,
    /// The arcs of the node being contracted.
    around: Vec<Arc>,
    /// For each node, the cost of the arc from the current neighbour, or [`UNKNOWN`].
    costs: Vec<u32>,
    /// The shortcuts from the current neighbour without a short witness: the index of the other neighbour, and the arc.
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

    fn may_continue(&self) -> bool {
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

    /// The next node to contract; `None` if all have too many neighbours. The queue also has stale entries from earlier
    /// priorities.
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

    fn contract(&mut self, node: u32) {
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

    /// Adds the shortcuts through `node` from one of its neighbours to the later ones, unless they have a witness. The
    /// neighbours no longer have arcs to the node itself.
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
        for (index, shortcut) in wanted.drain(..) {
            if shortcut.cost >= LONGEST {
                self.is_whole = false;
                continue;
            }
            let (near, far) = (from_at as u16, (from_at + 1 + index) as u16);
            self.lists.put(from.to, shortcut, Middle { node, near, far });
            self.lists.put(shortcut.to, Arc { to: from.to, ..shortcut }, Middle { node, near: far, far: near });
        }
        self.wanted = wanted;
    }

    /// Finds the shortcuts from one neighbour to others that have no witness of one or two arcs.
    fn without_short_witness(&mut self, from: Arc, others: &[Arc], wanted: &mut Vec<(usize, Arc)>) {
        for arc in self.lists.arcs(from.to) {
            self.costs[arc.to as usize] = arc.cost;
        }
        self.steps += self.lists.len(from.to) as u64;
        for (index, other) in others.iter().enumerate() {
            let cost = from.cost + other.cost;
            if !self.has_short_witness(other.to, cost) {
                wanted.push((index, Arc { to: other.to, cost }));
                // The cost of the shortcut, or of a longer witness.
                self.costs[other.to as usize] = cost;
            }
        }
        for arc in self.lists.arcs(from.to).iter().chain(wanted.iter().map(|(_, arc)| arc)) {
            self.costs[arc.to as usize] = UNKNOWN;
        }
    }

    /// Whether at most two arcs lead from the node whose arcs are in `costs` to `to`, at no more than this cost.
    #[inline]
    fn has_short_witness(&mut self, to: u32, cost: u32) -> bool {
        let arcs = self.lists.arcs(to);
        self.steps += arcs.len() as u64;
        self.costs[to as usize] <= cost || arcs.iter().any(|arc| self.costs[arc.to as usize] + arc.cost <= cost)
    }
}

/// Growing lists of arcs, one for each node, all in one array: a list without spare capacity moves to the end.
struct Lists {
    spans: Vec<Span>,
    arcs: Vec<Arc>,
    /// The middle of each arc.
    middles: Vec<Middle>,
}

/// The location of a list.
#[derive(Clone, Copy)]
struct Span {
    first: u32,
    len: u32,
    capacity: u32,
}

/// The minimum capacity of a list that has moved.
const LEAST_CAPACITY: u32 = 4;

impl Lists {
    fn new(subgoals: &Subgoals, graph: &Graph) -> Self {
        let cells: Vec<_> = (0..graph.len() as u32).map(|node| subgoals.cell(node)).collect();
        // Growing lists leave gaps: about as many arcs again.
        let room = 2 * graph.size();
        let mut lists =
            Self { spans: Vec::with_capacity(graph.len()), arcs: Vec::with_capacity(room), middles: Vec::new() };
        for (node, &cell) in cells.iter().enumerate() {
            let (first, links) = (lists.arcs.len() as u32, graph.links(node));
            let arc = |to: usize| Arc { to: to as u32, cost: Narrow::between(cell, cells[to]) };
            lists.arcs.extend(links.iter().map(|link| arc(link.to())));
            let len = links.len() as u32;
            lists.spans.push(Span { first, len, capacity: len });
        }
        lists.middles.reserve(room);
        lists.middles.resize(lists.arcs.len(), Middle::NONE);
        lists
    }

    #[inline]
    fn len(&self, node: u32) -> usize {
        self.spans[node as usize].len as usize
    }

    #[inline]
    fn range(&self, node: u32) -> std::ops::Range<usize> {
        let Span { first, len, .. } = self.spans[node as usize];
        first as usize..(first + len) as usize
    }

    #[inline]
    fn arcs(&self, node: u32) -> &[Arc] {
        &self.arcs[self.range(node)]
    }

    fn middles(&self, node: u32) -> &[Middle] {
        &self.middles[self.range(node)]
    }

    /// The index of the arc to a node in the array.
    #[inline]
    fn position(&self, node: u32, to: u32) -> Option<usize> {
        let range = self.range(node);
        self.arcs[range.clone()].iter().position(|arc| arc.to == to).map(|at| range.start + at)
    }

    /// Removes the arc to a node: the last arc of the list takes its index.
    fn remove(&mut self, node: u32, to: u32) {
        if let Some(at) = self.position(node, to) {
            let last = self.range(node).end - 1;
            self.arcs[at] = self.arcs[last];
            self.middles[at] = self.middles[last];
            self.spans[node as usize].len -= 1;
        }
    }

    /// Adds an arc, unless the list has an arc to the same node at no higher cost.
    fn put(&mut self, node: u32, arc: Arc, middle: Middle) {
        let at = match self.position(node, arc.to) {
            Some(at) if self.arcs[at].cost <= arc.cost => return,
            Some(at) => at,
            None => self.push(node),
        };
        self.arcs[at] = arc;
        self.middles[at] = middle;
    }

    /// Makes a list longer by one arc, and returns its index.
    fn push(&mut self, node: u32) -> usize {
        let Span { len, capacity, .. } = self.spans[node as usize];
        if len == capacity {
            self.move_to_end(node);
        }
        let span = &mut self.spans[node as usize];
        span.len += 1;
        (span.first + len) as usize
    }

    /// Moves a list to the end, with twice the capacity.
    fn move_to_end(&mut self, node: u32) {
        let (range, Span { len, capacity, .. }) = (self.range(node), self.spans[node as usize]);
        let (first, capacity) = (self.arcs.len() as u32, (2 * capacity).max(LEAST_CAPACITY));
        self.arcs.extend_from_within(range.clone());
        self.middles.extend_from_within(range);
        self.arcs.resize((first + capacity) as usize, Arc { to: u32::MAX, cost: 0 });
        self.middles.resize((first + capacity) as usize, Middle::NONE);
        self.spans[node as usize] = Span { first, len, capacity };
    }
}

/// Searches for witnesses with any number of arcs.
struct Search {
    nodes: Vec<SearchNode>,
    /// The nodes with a cost.
    touched: Vec<u32>,
    heap: Heap<u64>,
    most_expanded: usize,
    /// The number of arcs examined.
    steps: u64,
}

#[derive(Clone, Copy)]
struct SearchNode {
    cost: u32,
    /// The cost of the shortcut that ends here, if it still needs a witness; else 0.
    wanted: u32,
    x: u16,
    y: u16,
}

/// The bounding box of some cells.
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

    /// A lower bound of the cost from a cell to one of them.
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

    /// Removes the shortcuts from a node for which it finds a witness.
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

    /// Searches from a node until it has a witness for all `wanted` others, or gives up.
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

    /// Follows the arcs of a node. Returns the number of witnesses found.
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
