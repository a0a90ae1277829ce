//! Hubs and labels: for every two connected sites the labels share a hub that lies on a shortest way between them.
//!
//! Hubs are taken [in order](super::order). A search from each adds a link to it to the label of every site it visits, and
//! its tree is kept: that is how paths are read off.

use super::Graph;
use super::limits::{Limits, Unsuited};
use super::order::Samples;
use super::search::{Ground, NONE, Preorder, Search, Visit};
use crate::search::ds::link::Link;
use crate::search::{Progress, Watch};

/// A site in the tree of a hub.
#[derive(Clone, Copy, Debug)]
pub(in crate::algo) struct TreeNode {
    pub(in crate::algo) site: u32,
    /// How far before it its parent is; 0 for the hub.
    pub(in crate::algo) up: u32,
}

/// What is known of the sites of a map.
pub(in crate::algo) struct Labelling<const BITS: u32> {
    /// The sites by rank: the first hub first.
    pub(in crate::algo) order: Vec<u32>,
    /// For each site its links to hubs, by rank. The last is to itself.
    pub(in crate::algo) labels: Vec<Vec<Link<BITS>>>,
    /// For each link the place in the hub's tree.
    pub(in crate::algo) places: Vec<Vec<u32>>,
    /// The trees one after the other, by rank.
    pub(in crate::algo) trees: Vec<TreeNode>,
    /// The steps that it took.
    pub(in crate::algo) steps: u64,
}

impl<const BITS: u32> Labelling<BITS> {
    /// Labels all sites of a graph.
    pub(in crate::algo) fn new<G: Graph<BITS>>(graph: &G, limits: &mut Limits, watch: Watch) -> Result<Self, Unsuited> {
        let count = graph.len();
        let mut ground = Ground { graph, labels: vec![Vec::new(); count], is_hub: vec![false; count] };
        let (mut search, mut samples, mut preorder) = (Search::new(count), Samples::new(count), Preorder::default());
        let (mut places, mut trees) = (vec![Vec::new(); count], Vec::new());
        let mut order = Vec::with_capacity(count);
        while order.len() < count {
            samples.replenish(count - order.len(), &ground);
            // There is a tree with every root that is no hub yet.
            let Some(hub) = samples.take_best() else { break };
            let is_first = ground.labels[hub as usize].is_empty();
            search.run(&ground, hub);
            if is_first && search.tree.last().is_some_and(|visit| visit.cost > graph.farthest()) {
                return Err(Unsuited::Long { most: graph.farthest_cells() });
            }
            preorder.arrange(&search.tree);
            let (rank, base) = (order.len() as u32, trees.len() as u32);
            add_tree(&search.tree, &preorder.places, &mut trees);
            for (visit, &place) in search.tree.iter().zip(&preorder.places) {
                ground.labels[visit.site as usize].push(Link::new(visit.cost, rank));
                places[visit.site as usize].push(base + place);
            }
            order.push(hub);
            ground.is_hub[hub as usize] = true;
            limits.check_labels(search.steps + samples.steps, trees.len(), order.len())?;
            if order.len() % 64 == 0 || order.len() == count {
                watch(Progress::new("hubs", order.len() as u64, count as u64));
            }
        }
        Ok(Self { order, labels: ground.labels, places, trees, steps: search.steps + samples.steps })
    }
}

/// Adds the tree that a search left, in preorder.
fn add_tree(tree: &[Visit], places: &[u32], trees: &mut Vec<TreeNode>) {
    let base = trees.len();
    trees.resize(base + tree.len(), TreeNode { site: 0, up: 0 });
    for (visit, &place) in tree.iter().zip(places) {
        let up = if visit.parent == NONE { 0 } else { place - places[visit.parent as usize] };
        trees[base + place as usize] = TreeNode { site: visit.site, up };
    }
}
