//! Searches on the graph of subgoals that stop where labels know the way already, and the trees that they leave.

use crate::algo::subgoals::Graph;
use crate::algo::subgoals::cost::{INFINITE, LIMIT, Link};
use crate::search::ds::heap::Heap;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// What a search found, in the order of costs: the root first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) subgoal: u32,
    /// The place of the visit before it on the way from the root; [`NONE`] for the root.
    pub(super) parent: u32,
    pub(super) cost: u64,
}

/// What searches run on.
pub(super) struct Ground<'a> {
    pub(super) graph: &'a Graph,
    /// The labels of subgoals as far as they are known: links to hubs, which are numbered by rank, the first hub first.
    pub(super) labels: Vec<Vec<Link>>,
    /// Which subgoals are hubs already.
    pub(super) is_hub: Vec<bool>,
}

/// What a visit costs besides the links that it looks at: it is put in order, and into a tree.
pub(super) const VISIT: u64 = 16;

/// Working memory of searches.
pub(super) struct Search {
    nodes: Vec<Node>,
    /// For each hub what it costs to get there from the root.
    to_hub: Vec<u64>,
    touched: Vec<u32>,
    heap: Heap<Link>,
    pub(super) tree: Vec<Visit>,
    /// Steps of all searches: links that were looked at, and visits.
    pub(super) steps: u64,
}

#[derive(Clone, Copy)]
struct Node {
    cost: u64,
    /// The place of the visit that it was reached from.
    parent: u32,
}

const UNSEEN: Node = Node { cost: INFINITE, parent: NONE };

impl Search {
    pub(super) fn new(graph: &Graph) -> Self {
        Self {
            nodes: vec![UNSEEN; graph.len()],
            to_hub: vec![INFINITE; graph.len()],
            touched: Vec::new(),
            heap: Heap::new(),
            tree: Vec::new(),
            steps: 0,
        }
    }

    /// Finds the subgoals to which the way from `root` is shorter than by any hub that both have in their labels, and the tree of
    /// these ways. Does not enter other hubs: all ways through them are known.
    pub(super) fn run(&mut self, ground: &Ground, root: u32) {
        let Ground { graph, labels, is_hub } = ground;
        let root_label = &labels[root as usize];
        for link in root_label {
            self.to_hub[link.subgoal()] = link.cost();
        }
        self.tree.clear();
        self.nodes[root as usize] = Node { cost: 0, parent: NONE };
        self.touched.push(root);
        self.heap.push(Link::new(0, root));
        while let Some(link) = self.heap.pop() {
            let (cost, subgoal) = (link.cost(), link.subgoal());
            let node = self.nodes[subgoal];
            if cost > node.cost {
                continue;
            }
            let label = &labels[subgoal];
            let known = label.iter().position(|hub| self.to_hub[hub.subgoal()] + hub.cost() <= cost);
            self.steps += known.unwrap_or(label.len()) as u64;
            if known.is_some() {
                continue;
            }
            let place = self.tree.len() as u32;
            self.tree.push(Visit { subgoal: subgoal as u32, parent: node.parent, cost });
            let links = graph.links(subgoal);
            self.steps += VISIT + links.len() as u64;
            for link in links {
                let next = link.subgoal();
                let cost = cost + link.cost();
                let node = &mut self.nodes[next];
                // What lies beyond the limit is no way that could be kept.
                if cost < node.cost && cost < LIMIT && !is_hub[next] {
                    if node.cost == INFINITE {
                        self.touched.push(next as u32);
                    }
                    *node = Node { cost, parent: place };
                    self.heap.push(Link::new(cost, next as u32));
                }
            }
        }
        for link in root_label {
            self.to_hub[link.subgoal()] = INFINITE;
        }
        for subgoal in self.touched.drain(..) {
            self.nodes[subgoal as usize] = UNSEEN;
        }
    }
}

/// Where the nodes of a tree lie in preorder, the largest child of each first: so most nodes follow their parents, and a subtree
/// is a range.
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
