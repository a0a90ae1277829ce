//! The order of hubs: the next hub is the site on most shortest paths that no earlier hub is on.
//!
//! Shortest paths are sampled as trees from random sites, cut where the labels so far give the cost. The site with most
//! nodes below it, over all trees, becomes the next hub; its subtrees are cut off. When too few nodes are left, more
//! trees are sampled. The rest of a tree is what a new search from its root would find, so every site is a root at most
//! once.
//!
//! **Few trees are enough** if no single tree dominates: a site beside a root has all of that tree below it, though
//! hardly any other path may pass there. So the tree in which a site has most nodes below it [counts
//! least](OTHER_TREES).
//!
//! **On all cores.** Trees are sampled in batches, and searches only read the labels. The size of a batch depends on
//! what was sampled before, never on threads.

use super::Graph;
use super::limits::TREES;
use super::search::{ALL, NONE, PartialLabels, Preorder, Search};
use crate::kernels::workers::Workers;

/// The numbers of nodes to keep in sampled trees, per site that is not a hub yet. Below the smaller number, more trees
/// are sampled, up to the larger number. More nodes give shorter labels and take longer.
const LEAST_NODES: usize = 8;
const MOST_NODES: usize = 12;

/// The weight of nodes in all trees but the one in which a site has most nodes below it.
const OTHER_TREES: u64 = 16;

/// The maximum number of trees sampled before each hub: where trees are small, the order matters little.
const MOST_TREES: usize = TREES as usize;

/// Use threads only if the searches are likely to visit more sites than this.
const WORTH_THREADS: usize = 2000;

/// A node of a sampled tree. Trees lie in preorder.
#[derive(Clone, Copy)]
struct Node {
    site: u32,
    /// The index of its parent; [`NONE`] for a root.
    parent: u32,
    /// The nodes of its subtree when it was sampled.
    size: u32,
    /// Those of them that are not cut off; 0 if this node is cut off itself.
    left: u32,
    /// The previous node of the same site, or [`NONE`].
    before: u32,
}

/// A site in a newly sampled tree: its parent, as an index in the tree, and the nodes of its subtree.
#[derive(Clone, Copy, Default)]
struct Sampled {
    site: u32,
    parent: u32,
    size: u32,
}

/// The sampled trees.
pub(super) struct Samples<const BITS: u32> {
    nodes: Vec<Node>,
    /// The number of nodes that are not cut off.
    left: usize,
    /// For each site, its last node, or [`NONE`].
    last: Vec<u32>,
    candidates: Candidates,
    /// All sites in random order, and the index of the next root.
    roots: Vec<u32>,
    next_root: usize,
    /// The average size of the latest trees.
    mean_size: usize,
    /// The steps of all searches.
    pub(super) steps: u64,
    workers: Workers<(Search<BITS>, Preorder)>,
    /// While trees are being added: the number sampled since there were too few.
    trees: Option<usize>,
    batch: Option<Batch>,
}

/// Trees that are sampled together.
struct Batch {
    roots: Vec<u32>,
    /// The finished trees, each with its steps.
    trees: Vec<(Vec<Sampled>, u64)>,
    /// Whether the search of the next tree is in progress.
    is_searching: bool,
}

impl<const BITS: u32> Samples<BITS> {
    pub(super) fn new(sites: usize) -> Self {
        Self {
            nodes: Vec::new(),
            left: 0,
            last: vec![NONE; sites],
            candidates: Candidates::new(sites),
            roots: shuffled(sites as u32),
            next_root: 0,
            mean_size: sites,
            steps: 0,
            workers: Workers::new(),
            trees: None,
            batch: None,
        }
    }

    /// Samples trees if too few nodes are left, by searches from the `remaining` sites that are not hubs yet. Takes
    /// about `left` steps and subtracts what it used. Returns whether there are enough; if not, call it again.
    pub(super) fn replenish<G: Graph<BITS>>(
        &mut self,
        remaining: usize,
        graph: &G,
        partial: &PartialLabels<BITS>,
        left: &mut u64,
    ) -> bool {
        if self.trees.is_none() {
            if self.left >= LEAST_NODES * remaining {
                return true;
            }
            self.compact();
        }
        let enough = MOST_NODES * remaining;
        let mut trees = self.trees.take().unwrap_or(0);
        loop {
            if self.batch.is_none() {
                if self.left >= enough || trees >= MOST_TREES {
                    return true;
                }
                let wanted = (enough - self.left).div_ceil(self.mean_size).min(MOST_TREES - trees);
                let roots = self.next_roots(wanted, partial);
                if roots.is_empty() {
                    return true;
                }
                trees += roots.len();
                self.batch = Some(Batch { roots, trees: Vec::new(), is_searching: false });
            }
            if !self.sample(graph, partial, left) {
                self.trees = Some(trees);
                return false;
            }
        }
    }

    fn next_roots(&mut self, count: usize, partial: &PartialLabels<BITS>) -> Vec<u32> {
        let mut found = Vec::with_capacity(count);
        while found.len() < count && self.next_root < self.roots.len() {
            let root = self.roots[self.next_root];
            self.next_root += 1;
            if !partial.is_hub[root as usize] {
                found.push(root);
            }
        }
        found
    }

    /// Samples the trees of the batch. Returns whether all are done.
    fn sample<G: Graph<BITS>>(&mut self, graph: &G, partial: &PartialLabels<BITS>, left: &mut u64) -> bool {
        let Some(mut batch) = self.batch.take() else { return true };
        let create = || (Search::new(graph.len()), Preorder::default());
        if *left > ALL / 2 && batch.trees.is_empty() && batch.roots.len() * self.mean_size >= WORTH_THREADS {
            batch.trees = self.workers.map(&batch.roots, create, |(search, preorder), root| {
                search.run(graph, partial, root);
                (in_preorder(search, preorder), std::mem::take(&mut search.steps))
            });
        }
        while let Some(&root) = batch.roots.get(batch.trees.len()) {
            // This is the same worker each time, with its unfinished search.
            let made = self.workers.with(create, |(search, preorder)| {
                if !batch.is_searching {
                    search.begin(partial, root);
                }
                batch.is_searching = !search.advance(graph, partial, left);
                let steps = |search: &mut Search<BITS>| std::mem::take(&mut search.steps);
                (!batch.is_searching).then(|| (in_preorder(search, preorder), steps(search)))
            });
            let Some(made) = made else {
                self.batch = Some(batch);
                return false;
            };
            batch.trees.push(made);
        }
        let base = self.nodes.len();
        for (tree, steps) in &batch.trees {
            self.steps += steps;
            self.add(tree);
        }
        self.mean_size = (self.nodes.len() - base).div_ceil(batch.roots.len());
        true
    }

    fn add(&mut self, tree: &[Sampled]) {
        let base = self.nodes.len() as u32;
        self.left += tree.len();
        for (index, &Sampled { site, parent, size }) in (base..).zip(tree) {
            let parent = if parent == NONE { NONE } else { base + parent };
            let before = std::mem::replace(&mut self.last[site as usize], index);
            self.nodes.push(Node { site, parent, size, left: size, before });
            self.candidates.raise(site, OTHER_TREES * u64::from(size));
        }
    }

    /// Takes the site with most nodes below it, and cuts off its subtrees.
    pub(super) fn take_best(&mut self) -> Option<u32> {
        let Self { candidates, nodes, last, .. } = self;
        let best = candidates.take_best(|site| worth(nodes, &mut last[site as usize]))?;
        self.cut_off(best);
        Some(best)
    }

    fn cut_off(&mut self, site: u32) {
        let mut next = std::mem::replace(&mut self.last[site as usize], NONE);
        while next != NONE {
            let index = next;
            let Node { left, size, mut parent, before, .. } = self.nodes[index as usize];
            next = before;
            if left == 0 {
                continue;
            }
            while parent != NONE {
                let node = &mut self.nodes[parent as usize];
                node.left -= left;
                parent = node.parent;
            }
            let mut at = index as usize;
            let end = at + size as usize;
            while at < end {
                let node = &mut self.nodes[at];
                if node.left == 0 {
                    // Then all nodes below are cut off as well.
                    at += node.size as usize;
                    continue;
                }
                node.left = 0;
                self.left -= 1;
                at += 1;
            }
        }
    }

    /// Removes the nodes that are cut off, once they are the majority.
    fn compact(&mut self) {
        if self.nodes.len() < 2 * self.left + 2 * self.last.len() + 1024 {
            return;
        }
        self.last.fill(NONE);
        let mut moved = vec![NONE; self.nodes.len()];
        let mut len = 0;
        for at in 0..self.nodes.len() {
            let node = self.nodes[at];
            if node.left == 0 {
                continue;
            }
            let parent = if node.parent == NONE { NONE } else { moved[node.parent as usize] };
            moved[at] = len as u32;
            let before = std::mem::replace(&mut self.last[node.site as usize], len as u32);
            self.nodes[len] = Node { parent, size: node.left, before, ..node };
            len += 1;
        }
        self.nodes.truncate(len);
    }
}

/// The worth of a site, given the index of its last node. Unlinks nodes that are cut off from the list of the site.
fn worth(nodes: &mut [Node], last: &mut u32) -> u64 {
    let (mut all, mut largest) = (0, 0);
    let mut after = NONE;
    let mut at = *last;
    while at != NONE {
        let Node { left, before, .. } = nodes[at as usize];
        if left == 0 {
            match after {
                NONE => *last = before,
                after => nodes[after as usize].before = before,
            }
        } else {
            all += u64::from(left);
            largest = largest.max(u64::from(left));
            after = at;
        }
        at = before;
    }
    OTHER_TREES * (all - largest) + largest
}

/// The tree of a search, in preorder.
fn in_preorder<const BITS: u32>(search: &Search<BITS>, preorder: &mut Preorder) -> Vec<Sampled> {
    preorder.arrange(&search.tree);
    let Preorder { sizes, positions, .. } = preorder;
    let mut tree = vec![Sampled::default(); search.tree.len()];
    for (i, visit) in search.tree.iter().enumerate() {
        let parent = if visit.parent == NONE { NONE } else { positions[visit.parent as usize] };
        tree[positions[i] as usize] = Sampled { site: visit.site, parent, size: sizes[i] };
    }
    tree
}

/// Candidates for the next hub: a tournament tree.
///
/// The worth of a site only falls when trees are cut off, and rises with new trees by no more than they add. So every
/// site has an upper bound of its worth, and the exact worth is computed only where the bound is the largest.
struct Candidates {
    /// The winner of all at 1, then the winners of smaller groups, and the sites at the end. A word has an upper bound
    /// of a site's worth above the site's number.
    words: Vec<u64>,
    /// The index of the first site in `words`.
    first: usize,
    /// The sites whose bounds have risen since their matches were last played.
    risen: Vec<u32>,
}

/// The bits of a site's number in a word.
const SITE_BITS: u32 = 24;

impl Candidates {
    fn new(sites: usize) -> Self {
        let first = sites.next_power_of_two();
        let mut words = vec![0; 2 * first];
        for (site, word) in (0..).zip(&mut words[first..]) {
            *word = site;
        }
        Self { words, first, risen: Vec::new() }
    }

    /// Raises the bound of a site, of which a new tree adds `more` nodes.
    #[inline]
    fn raise(&mut self, site: u32, more: u64) {
        self.words[self.first + site as usize] += more << SITE_BITS;
        self.risen.push(site);
    }

    #[inline]
    fn set(&mut self, site: u32, bound: u64) {
        self.words[self.first + site as usize] = bound << SITE_BITS | u64::from(site);
        self.play(site);
    }

    #[inline]
    fn play(&mut self, site: u32) {
        let mut at = self.first + site as usize;
        while at > 1 {
            let winner = self.words[at].max(self.words[at ^ 1]);
            at /= 2;
            if self.words[at] == winner {
                break;
            }
            self.words[at] = winner;
        }
    }

    fn play_risen(&mut self) {
        if self.risen.len() < self.first / 8 {
            for site in std::mem::take(&mut self.risen) {
                self.play(site);
            }
        } else {
            self.risen.clear();
            for at in (1..self.first).rev() {
                self.words[at] = self.words[2 * at].max(self.words[2 * at + 1]);
            }
        }
    }

    /// Takes the site with the largest worth, or nearly so, if any is above 0.
    fn take_best(&mut self, mut worth: impl FnMut(u32) -> u64) -> Option<u32> {
        self.play_risen();
        loop {
            let word = self.words[1];
            if word >> SITE_BITS == 0 {
                return None;
            }
            let site = word as u32 & ((1 << SITE_BITS) - 1);
            let worth = worth(site);
            self.set(site, worth);
            let most = self.words[1] >> SITE_BITS;
            if worth > 0 && worth >= most {
                self.set(site, 0);
                return Some(site);
            }
        }
    }
}

/// The numbers below `count` in a fixed random order.
fn shuffled(count: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in (1..numbers.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = (u128::from(state) * (i as u128 + 1)) >> 64;
        numbers.swap(i, other as usize);
    }
    numbers
}
