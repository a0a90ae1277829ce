//! Which sites become hubs first: those on most shortest paths that no hub before them is on.
//!
//! Shortest paths are sampled as trees from random sites, cut where the labels so far know the way. The site with most
//! nodes below it, over all trees, is the next hub; below it the trees are cut off, and when too little is left of
//! them, others are sampled. What is left of a tree is what another search from its root would find, so every site is a
//! root once.
//!
//! **Few trees are enough** if none has its way alone: a site beside a root has all of that tree below it, though
//! hardly any other path may pass there. So the tree in which a site has most nodes below it [counts
//! least](OTHER_TREES).
//!
//! **On all cores.** Trees are sampled some at a time, and searches only read the labels. How many it are depends on
//! what was sampled before, never on threads.

use super::Graph;
use super::outlook::TREES;
use super::search::{ALL, Ground, NONE, Preorder, Search};
use crate::kernels::workers::Workers;

/// Nodes of sampled trees that are kept, for each site that is no hub yet: with fewer others are sampled, up to the
/// larger number. More give shorter labels and take longer.
const LEAST_NODES: usize = 8;
const MOST_NODES: usize = 12;

/// How many times as much nodes count as those of the tree in which a site has most.
const OTHER_TREES: u64 = 16;

/// The most trees that are sampled before each hub: where trees are small, the order matters little.
const MOST_TREES: usize = TREES as usize;

/// Searches that are likely to visit fewer sites are not worth other threads.
const WORTH_THREADS: usize = 2000;

/// A node of a sampled tree. Trees lie in preorder.
#[derive(Clone, Copy)]
struct Node {
    site: u32,
    /// The place of its parent; [`NONE`] for a root.
    parent: u32,
    /// The nodes of its subtree as it was sampled.
    size: u32,
    /// Those that are not cut off; 0 if it is cut off itself.
    left: u32,
    /// The last node before it of the same site, or [`NONE`].
    before: u32,
}

/// A site in a tree as it is sampled: its parent, counted from the root, and the nodes of its subtree.
#[derive(Clone, Copy, Default)]
struct Sampled {
    site: u32,
    parent: u32,
    size: u32,
}

/// The sampled trees.
pub(super) struct Samples<const BITS: u32> {
    nodes: Vec<Node>,
    /// How many are not cut off.
    left: usize,
    /// For each site the last node of it, or [`NONE`].
    last: Vec<u32>,
    candidates: Candidates,
    /// All sites in random order, and which is the next to be a root.
    roots: Vec<u32>,
    next_root: usize,
    /// How large the last trees were, on average.
    mean_size: usize,
    /// Steps of all searches.
    pub(super) steps: u64,
    workers: Workers<(Search<BITS>, Preorder)>,
    /// Trees that were sampled since there were too few, as long as there are.
    trees: Option<usize>,
    batch: Option<Batch>,
}

/// Trees that are sampled together.
struct Batch {
    roots: Vec<u32>,
    /// Those that are done, each with its steps.
    trees: Vec<(Vec<Sampled>, u64)>,
    /// Whether the next one is half done.
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

    /// Samples trees if there are too few, by searches from sites that are no hubs yet, of which there are `remaining`.
    /// Takes about so many steps, and takes those off: whether there are enough, or it is to be called again.
    pub(super) fn replenish<G: Graph<BITS>>(
        &mut self,
        remaining: usize,
        graph: &G,
        ground: &Ground<BITS>,
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
                let roots = self.next_roots(wanted, ground);
                if roots.is_empty() {
                    return true;
                }
                trees += roots.len();
                self.batch = Some(Batch { roots, trees: Vec::new(), is_searching: false });
            }
            if !self.sample(graph, ground, left) {
                self.trees = Some(trees);
                return false;
            }
        }
    }

    fn next_roots(&mut self, count: usize, ground: &Ground<BITS>) -> Vec<u32> {
        let mut found = Vec::with_capacity(count);
        while found.len() < count && self.next_root < self.roots.len() {
            let root = self.roots[self.next_root];
            self.next_root += 1;
            if !ground.is_hub[root as usize] {
                found.push(root);
            }
        }
        found
    }

    /// Samples the trees of the batch: whether all of them are done.
    fn sample<G: Graph<BITS>>(&mut self, graph: &G, ground: &Ground<BITS>, left: &mut u64) -> bool {
        let Some(mut batch) = self.batch.take() else { return true };
        let create = || (Search::new(graph.len()), Preorder::default());
        if *left > ALL / 2 && batch.trees.is_empty() && batch.roots.len() * self.mean_size >= WORTH_THREADS {
            batch.trees = self.workers.map(&batch.roots, create, |(search, preorder), root| {
                search.run(graph, ground, root);
                (laid_out(search, preorder), std::mem::take(&mut search.steps))
            });
        }
        while let Some(&root) = batch.roots.get(batch.trees.len()) {
            // It is the same worker each time, with what it left half done.
            let made = self.workers.with(create, |(search, preorder)| {
                if !batch.is_searching {
                    search.begin(ground, root);
                }
                batch.is_searching = !search.go_on(graph, ground, left);
                let steps = |search: &mut Search<BITS>| std::mem::take(&mut search.steps);
                (!batch.is_searching).then(|| (laid_out(search, preorder), steps(search)))
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
        for (place, &Sampled { site, parent, size }) in (base..).zip(tree) {
            let parent = if parent == NONE { NONE } else { base + parent };
            let before = std::mem::replace(&mut self.last[site as usize], place);
            self.nodes.push(Node { site, parent, size, left: size, before });
            self.candidates.raise(site, OTHER_TREES * u64::from(size));
        }
    }

    /// Takes the site with most nodes below it, and cuts these off.
    pub(super) fn take_best(&mut self) -> Option<u32> {
        let Self { candidates, nodes, last, .. } = self;
        let best = candidates.take_best(|site| worth(nodes, &mut last[site as usize]))?;
        self.cut_off(best);
        Some(best)
    }

    fn cut_off(&mut self, site: u32) {
        let mut next = std::mem::replace(&mut self.last[site as usize], NONE);
        while next != NONE {
            let place = next;
            let Node { left, size, mut parent, before, .. } = self.nodes[place as usize];
            next = before;
            if left == 0 {
                continue;
            }
            while parent != NONE {
                let node = &mut self.nodes[parent as usize];
                node.left -= left;
                parent = node.parent;
            }
            let mut at = place as usize;
            let end = at + size as usize;
            while at < end {
                let node = &mut self.nodes[at];
                if node.left == 0 {
                    // And so is all below it.
                    at += node.size as usize;
                    continue;
                }
                node.left = 0;
                self.left -= 1;
                at += 1;
            }
        }
    }

    /// Forgets what is cut off, once that is most.
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

/// What a site is worth with these nodes, of which the last is given. Those that are cut off are left out from now on.
fn worth(nodes: &mut [Node], last: &mut u32) -> u64 {
    let (mut all, mut largest) = (0, 0);
    let mut behind = NONE;
    let mut at = *last;
    while at != NONE {
        let Node { left, before, .. } = nodes[at as usize];
        if left == 0 {
            match behind {
                NONE => *last = before,
                behind => nodes[behind as usize].before = before,
            }
        } else {
            all += u64::from(left);
            largest = largest.max(u64::from(left));
            behind = at;
        }
        at = before;
    }
    OTHER_TREES * (all - largest) + largest
}

/// The tree that a search left, in preorder.
fn laid_out<const BITS: u32>(search: &Search<BITS>, preorder: &mut Preorder) -> Vec<Sampled> {
    preorder.arrange(&search.tree);
    let Preorder { sizes, places, .. } = preorder;
    let mut tree = vec![Sampled::default(); search.tree.len()];
    for (i, visit) in search.tree.iter().enumerate() {
        let parent = if visit.parent == NONE { NONE } else { places[visit.parent as usize] };
        tree[places[i] as usize] = Sampled { site: visit.site, parent, size: sizes[i] };
    }
    tree
}

/// Which sites may be the best next hub: a tournament of pairs.
///
/// What a site is worth only falls when trees are cut off, and rises with other trees by no more than these add. So
/// there is always a number that it does not exceed, and what it is worth is worked out only where that number is the
/// largest.
struct Candidates {
    /// The winner of all at 1, those of pairs behind it, at last the sites. A word is a number no less than what a site
    /// is worth, above which it is.
    words: Vec<u64>,
    /// Where the sites begin.
    first: usize,
    /// Those whose numbers have risen since they last played.
    risen: Vec<u32>,
}

/// Bits of a site in a word.
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

    /// A tree is new that adds so much.
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

    /// Takes the site that is worth most, or nearly so, if any is worth something.
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

/// The numbers below `count` in an order that is random, and always the same.
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
