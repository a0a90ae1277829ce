//! Which subgoals become hubs first: those on most shortest paths that no hub before them is on.
//!
//! Shortest paths are sampled as trees from random subgoals, cut where the labels so far know the way. The subgoal with most
//! nodes below it, over all trees, is the next hub; below it the trees are cut off, and when too little is left of them,
//! others are sampled.

use super::limits::TREES;
use super::search::{Ground, NONE, Preorder, Search, Visit};

/// Nodes of sampled trees that are kept, for each subgoal that is no hub yet. More give shorter labels and take longer.
const NODES_PER_SUBGOAL: usize = 32;

/// The most trees that are sampled before each hub: where trees are small, the order matters little.
const MOST_TREES: usize = TREES as usize;

/// A node of a sampled tree. Trees lie in preorder.
#[derive(Clone, Copy)]
struct Node {
    subgoal: u32,
    /// The place of its parent; [`NONE`] for a root.
    parent: u32,
    /// The nodes of its subtree as it was sampled.
    size: u32,
    /// Those that are not cut off; 0 if it is cut off itself.
    left: u32,
}

/// The sampled trees.
pub(super) struct Samples {
    nodes: Vec<Node>,
    /// How many are not cut off.
    left: usize,
    /// For each subgoal the nodes of it.
    places: Vec<Vec<u32>>,
    /// For each subgoal the nodes below it, itself included.
    totals: Tournament,
    /// All subgoals in random order, and which is the next to be a root.
    roots: Vec<u32>,
    next_root: usize,
    preorder: Preorder,
}

impl Samples {
    pub(super) fn new(subgoals: usize) -> Self {
        Self {
            nodes: Vec::new(),
            left: 0,
            places: vec![Vec::new(); subgoals],
            totals: Tournament::new(subgoals),
            roots: shuffled(subgoals as u32),
            next_root: 0,
            preorder: Preorder::default(),
        }
    }

    /// Samples trees until there are enough, by searches from subgoals that are no hubs yet, of which there are `remaining`.
    pub(super) fn replenish(&mut self, remaining: usize, ground: &Ground, search: &mut Search) {
        self.compact();
        for _ in 0..MOST_TREES {
            if remaining == 0 || self.left >= NODES_PER_SUBGOAL * remaining {
                break;
            }
            let root = loop {
                let root = self.roots[self.next_root];
                self.next_root = (self.next_root + 1) % self.roots.len();
                if !ground.is_hub[root as usize] {
                    break root;
                }
            };
            search.run(ground, root);
            self.add(&search.tree);
        }
    }

    fn add(&mut self, tree: &[Visit]) {
        self.preorder.arrange(tree);
        let Preorder { sizes, places, .. } = &self.preorder;
        let base = self.nodes.len();
        self.nodes.resize(base + tree.len(), Node { subgoal: 0, parent: NONE, size: 0, left: 0 });
        self.left += tree.len();
        for (i, visit) in tree.iter().enumerate() {
            let (subgoal, place) = (visit.subgoal, base + places[i] as usize);
            let parent = if visit.parent == NONE { NONE } else { base as u32 + places[visit.parent as usize] };
            self.nodes[place] = Node { subgoal, parent, size: sizes[i], left: sizes[i] };
            self.places[subgoal as usize].push(place as u32);
            self.totals.add(subgoal, sizes[i]);
        }
    }

    /// Takes the subgoal with most nodes below it, and cuts these off.
    pub(super) fn take_best(&mut self) -> Option<u32> {
        let best = self.totals.best()?;
        self.cut_off(best);
        Some(best)
    }

    fn cut_off(&mut self, subgoal: u32) {
        for place in std::mem::take(&mut self.places[subgoal as usize]) {
            let Node { left, size, mut parent, .. } = self.nodes[place as usize];
            if left == 0 {
                continue;
            }
            while parent != NONE {
                let node = &mut self.nodes[parent as usize];
                node.left -= left;
                self.totals.take(node.subgoal, left);
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
                self.totals.take(node.subgoal, node.left);
                node.left = 0;
                self.left -= 1;
                at += 1;
            }
        }
    }

    /// Forgets what is cut off, once that is most.
    fn compact(&mut self) {
        if self.nodes.len() < 4 * self.left + 4 * self.places.len() + 1024 {
            return;
        }
        self.places.iter_mut().for_each(Vec::clear);
        let mut moved = vec![NONE; self.nodes.len()];
        let mut len = 0;
        for at in 0..self.nodes.len() {
            let Node { subgoal, parent, left, .. } = self.nodes[at];
            if left == 0 {
                continue;
            }
            let parent = if parent == NONE { NONE } else { moved[parent as usize] };
            moved[at] = len as u32;
            self.nodes[len] = Node { subgoal, parent, size: left, left };
            self.places[subgoal as usize].push(len as u32);
            len += 1;
        }
        self.nodes.truncate(len);
    }
}

/// Numbers of which the largest is known, as in a tournament of pairs.
struct Tournament {
    /// The winner of all at 1, those of pairs behind it, at last the players. A word is a number above whose it is.
    words: Vec<u64>,
    players: usize,
}

/// Bits of a player in a word.
const PLAYER_BITS: u32 = 24;

impl Tournament {
    fn new(players: usize) -> Self {
        let players = players.next_power_of_two();
        Self { words: vec![0; 2 * players], players }
    }

    /// Whose number is largest, if any is above 0.
    fn best(&self) -> Option<u32> {
        Some(self.words[1]).filter(|word| word >> PLAYER_BITS > 0).map(|word| word as u32 & ((1 << PLAYER_BITS) - 1))
    }

    fn add(&mut self, player: u32, number: u32) {
        let word = self.words[self.players + player as usize] | u64::from(player);
        self.set(player, word + (u64::from(number) << PLAYER_BITS));
    }

    fn take(&mut self, player: u32, number: u32) {
        let word = self.words[self.players + player as usize];
        self.set(player, word - (u64::from(number) << PLAYER_BITS));
    }

    #[inline]
    fn set(&mut self, player: u32, word: u64) {
        let mut at = self.players + player as usize;
        self.words[at] = word;
        while at > 1 {
            let winner = self.words[at].max(self.words[at ^ 1]);
            at /= 2;
            if self.words[at] == winner {
                break;
            }
            self.words[at] = winner;
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
