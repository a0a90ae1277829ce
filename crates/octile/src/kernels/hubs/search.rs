//! Searches on a graph that stop where labels know the way already, and the trees that they leave.

use super::Graph;
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::link::Link;

/// Steps for all that there is to do. Slices have far fewer.
pub(crate) const ALL: u64 = u64::MAX;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// What a search found, in the order of costs: the root first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(super) site: u32,
    /// The place of the visit before it on the way from the root; [`NONE`] for the root.
    pub(super) parent: u32,
    pub(super) cost: u64,
}

/// What searches run on.
pub(super) struct Ground<const BITS: u32> {
    /// The labels of sites as far as they are known: links to hubs, which are numbered by rank, the first hub first.
    pub(super) labels: Vec<Vec<Link<BITS>>>,
    /// Which sites are hubs already.
    pub(super) is_hub: Vec<bool>,
}

/// What a visit costs besides the links that it looks at: it is put in order, and into a tree.
pub(super) const VISIT: u64 = 16;

/// Working memory of searches.
pub(super) struct Search<const BITS: u32> {
    sites: Vec<Reached>,
    /// For each hub what it costs to get there from the root.
    to_hub: Vec<u64>,
    touched: Vec<u32>,
    heap: Heap<Link<BITS>>,
    pub(super) tree: Vec<Visit>,
    root: u32,
    /// Steps of all searches: links that were looked at, and visits.
    pub(super) steps: u64,
}

#[derive(Clone, Copy)]
struct Reached {
    cost: u64,
    /// The place of the visit that it was reached from.
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

    /// Finds the sites to which the way from `root` is shorter than by any hub that both have in their labels, and the
    /// tree of these ways. Does not enter other hubs: all ways through them are known.
    pub(super) fn run<G: Graph<BITS>>(&mut self, graph: &G, ground: &Ground<BITS>, root: u32) {
        self.begin(ground, root);
        let mut left = ALL;
        self.go_on(graph, ground, &mut left);
    }

    /// Begins as [`run`](Search::run), to [go on](Search::go_on).
    pub(super) fn begin(&mut self, ground: &Ground<BITS>, root: u32) {
        for link in &ground.labels[root as usize] {
            self.to_hub[link.to()] = link.cost();
        }
        self.root = root;
        self.tree.clear();
        self.sites[root as usize] = Reached { cost: 0, parent: NONE };
        self.touched.push(root);
        self.heap.push(Link::new(0, root));
    }

    /// Goes on for about so many steps, and takes those off that it needs: whether it is done.
    pub(super) fn go_on<G: Graph<BITS>>(&mut self, graph: &G, ground: &Ground<BITS>, left: &mut u64) -> bool {
        let Ground { labels, is_hub } = ground;
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
            let place = self.tree.len() as u32;
            self.tree.push(Visit { site: site as u32, parent, cost });
            let before = self.tree.get(parent as usize).map(|visit| visit.site);
            let links = graph.links(site as u32, before);
            self.steps += VISIT + links.len() as u64;
            for link in links {
                let next = link.to();
                let cost = cost + link.cost();
                let reached = &mut self.sites[next];
                // What lies beyond the limit is no way that could be kept.
                if cost < reached.cost && cost < G::LIMIT && !is_hub[next] {
                    if reached.cost == Link::<BITS>::INFINITE {
                        self.touched.push(next as u32);
                    }
                    *reached = Reached { cost, parent: place };
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

/// Where the nodes of a tree lie in preorder, the largest child of each first: so most nodes follow their parents, and
/// a subtree is a range.
#[derive(Default)]
pub(super) struct Preorder {
    /// For each visit the nodes of its subtree.
    pub(super) sizes: Vec<u32>,
    /// For each visit its place.
    pub(super) places: Vec<u32>,
    largest: Vec<u32>,
    /// For each visit the place of the next child that is not its largest.
    next: Vec<u32>,
}

impl Preorder {
    pub(super) fn arrange(&mut self, tree: &[Visit]) {
        let Self { sizes, places, largest, next } = self;
        sizes.clear();
        sizes.resize(tree.len(), 1);
        largest.clear();
        largest.resize(tree.len(), NONE);
        // A child comes behind its parent, and so all of its subtree.
        for (child, visit) in tree.iter().enumerate().skip(1).rev() {
            let parent = visit.parent as usize;
            sizes[parent] += sizes[child];
            if largest[parent] == NONE || sizes[largest[parent] as usize] <= sizes[child] {
                largest[parent] = child as u32;
            }
        }
        places.clear();
        next.clear();
        for (visit, &Visit { parent, .. }) in tree.iter().enumerate() {
            let place = match parent {
                NONE => 0,
                parent if largest[parent as usize] == visit as u32 => places[parent as usize] + 1,
                parent => {
                    let place = next[parent as usize];
                    next[parent as usize] += sizes[visit];
                    place
                }
            };
            places.push(place);
            let first_child = sizes.get(largest[visit] as usize).copied().unwrap_or_default();
            next.push(place + 1 + first_child);
        }
    }
}
