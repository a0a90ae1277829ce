//! Searches on a graph that stop where labels already give the cost, and the trees of these searches.

use super::Graph;
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::link::Link;

/// A number of steps that finishes any work. Slices have far fewer steps.
pub(crate) const ALL: u64 = u64::MAX;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A site visited by a search. Visits are in the order of costs, the root first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(super) site: u32,
    /// The index of the previous visit on the path from the root; [`NONE`] for the root.
    pub(super) parent: u32,
    pub(super) cost: u64,
}

/// The labels that searches run on.
pub(super) struct PartialLabels<const BITS: u32> {
    /// The labels of sites so far: links to hubs, which are numbered by rank, the first hub first.
    pub(super) labels: Vec<Vec<Link<BITS>>>,
    /// Which sites are hubs already.
    pub(super) is_hub: Vec<bool>,
}

/// The steps of a visit besides the links it examines: it is sorted, and added to a tree.
pub(super) const VISIT: u64 = 16;

/// Scratch memory of searches.
pub(super) struct Search<const BITS: u32> {
    sites: Vec<Reached>,
    /// The cost from the root to each hub.
    to_hub: Vec<u64>,
    touched: Vec<u32>,
    heap: Heap<Link<BITS>>,
    pub(super) tree: Vec<Visit>,
    root: u32,
    /// The steps of all searches: links examined, and visits.
    pub(super) steps: u64,
}

#[derive(Clone, Copy)]
struct Reached {
    cost: u64,
    /// The index of the visit from which it was reached.
    parent: u32,
}

impl<const BITS: u32> Search<BITS> {
    const UNSEEN: Reached = Reached { cost: Link::<BITS>::INFINITE, parent: NONE };

    pub(super) fn new(sites: usize) -> Self {
        Self {
            sites: vec![Self::UNSEEN; sites],
            to_hub: vec![Link::<BITS>::INFINITE; sites],
            touched: Vec::new(),
            heap: Heap::new(),
            tree: Vec::new(),
            root: NONE,
            steps: 0,
        }
    }

    /// Finds the sites whose path from `root` is shorter than through any hub that is in both labels, and the tree of
    /// these paths. Does not enter other hubs: the costs of all paths through them are known.
    pub(super) fn run<G: Graph<BITS>>(&mut self, graph: &G, partial: &PartialLabels<BITS>, root: u32) {
        self.begin(partial, root);
        let mut left = ALL;
        self.advance(graph, partial, &mut left);
    }

    /// Begins as [`run`](Search::run), to be continued by [`advance`](Search::advance).
    pub(super) fn begin(&mut self, partial: &PartialLabels<BITS>, root: u32) {
        for link in &partial.labels[root as usize] {
            self.to_hub[link.to()] = link.cost();
        }
        self.root = root;
        self.tree.clear();
        self.sites[root as usize] = Reached { cost: 0, parent: NONE };
        self.touched.push(root);
        self.heap.push(Link::new(0, root));
    }

    /// Works for about `left` steps and subtracts those it used. Returns whether the search is done.
    pub(super) fn advance<G: Graph<BITS>>(&mut self, graph: &G, partial: &PartialLabels<BITS>, left: &mut u64) -> bool {
        let PartialLabels { labels, is_hub } = partial;
        let first = self.steps;
        loop {
            if self.steps - first >= *left {
                *left = 0;
                return false;
            }
            let Some(link) = self.heap.pop() else { break };
            let (cost, site) = (link.cost(), link.to());
            let Reached { cost: least, parent } = self.sites[site];
            if cost > least {
                continue;
            }
            let label = &labels[site];
            let known = label.iter().position(|hub| self.to_hub[hub.to()] + hub.cost() <= cost);
            self.steps += known.unwrap_or(label.len()) as u64;
            if known.is_some() {
                continue;
            }
            let position = self.tree.len() as u32;
            self.tree.push(Visit { site: site as u32, parent, cost });
            let before = self.tree.get(parent as usize).map(|visit| visit.site);
            let links = graph.links(site as u32, before);
            self.steps += VISIT + links.len() as u64;
            for link in links {
                let next = link.to();
                let cost = cost + link.cost();
                let reached = &mut self.sites[next];
                // A path beyond the limit could not be stored.
                if cost < reached.cost && cost < G::LIMIT && !is_hub[next] {
                    if reached.cost == Link::<BITS>::INFINITE {
                        self.touched.push(next as u32);
                    }
                    *reached = Reached { cost, parent: position };
                    self.heap.push(Link::new(cost, next as u32));
                }
            }
        }
        *left = left.saturating_sub(self.steps - first);
        for link in &labels[self.root as usize] {
            self.to_hub[link.to()] = Link::<BITS>::INFINITE;
        }
        for site in self.touched.drain(..) {
            self.sites[site as usize] = Self::UNSEEN;
        }
        true
    }
}

/// The preorder of a tree's nodes, in which the largest child comes first: so most nodes follow their parents, and a
/// subtree is a range.
#[derive(Default)]
pub(super) struct Preorder {
    /// For each visit, the number of nodes in its subtree.
    pub(super) sizes: Vec<u32>,
    /// For each visit, its index in preorder.
    pub(super) positions: Vec<u32>,
    largest: Vec<u32>,
    /// For each visit, the index of the next child that is not its largest.
    next: Vec<u32>,
}

impl Preorder {
    pub(super) fn arrange(&mut self, tree: &[Visit]) {
        let Self { sizes, positions, largest, next } = self;
        sizes.clear();
        sizes.resize(tree.len(), 1);
        largest.clear();
        largest.resize(tree.len(), NONE);
        // A child comes after its parent, and so does its whole subtree.
        for (child, visit) in tree.iter().enumerate().skip(1).rev() {
            let parent = visit.parent as usize;
            sizes[parent] += sizes[child];
            if largest[parent] == NONE || sizes[largest[parent] as usize] <= sizes[child] {
                largest[parent] = child as u32;
            }
        }
        positions.clear();
        next.clear();
        for (visit, &Visit { parent, .. }) in tree.iter().enumerate() {
            let position = match parent {
                NONE => 0,
                parent if largest[parent as usize] == visit as u32 => positions[parent as usize] + 1,
                parent => {
                    let position = next[parent as usize];
                    next[parent as usize] += sizes[visit];
                    position
                }
            };
            positions.push(position);
            let first_child = sizes.get(largest[visit] as usize).copied().unwrap_or_default();
            next.push(position + 1 + first_child);
        }
    }
}
