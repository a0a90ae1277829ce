//! Hubs and labels: for every two connected sites the labels share a hub that lies on a shortest way between them.
//!
//! Hubs are taken [in order](super::order). A search from each adds a link to it to the label of every site it visits,
//! and its tree is kept: that is how paths are read off.

use super::Graph;
use super::order::Samples;
use super::outlook::Doublings;
pub(crate) use super::search::ALL;
use super::search::{Ground, NONE, Preorder, Search, Visit};
use crate::kernels::ds::link::Link;
use crate::kernels::limits::{Limits, Unsuited};
use crate::planner::{Progress, Watch};

/// A site in the tree of a hub.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    pub(crate) site: u32,
    /// How far before it its parent is; 0 for the hub.
    pub(crate) up: u32,
}

/// What is known of the sites of a map.
pub(crate) struct Labelling<const BITS: u32> {
    /// The sites by rank: the first hub first.
    pub(crate) order: Vec<u32>,
    /// For each site its links to hubs, by rank. The last is to itself.
    pub(crate) labels: Vec<Vec<Link<BITS>>>,
    /// For each link the place in the hub's tree.
    pub(crate) places: Vec<Vec<u32>>,
    /// The trees one after the other, by rank.
    pub(crate) trees: Vec<TreeNode>,
    /// The steps that it took.
    pub(crate) steps: u64,
}

impl<const BITS: u32> Labelling<BITS> {
    /// Labels all sites of a graph.
    pub(crate) fn new<G: Graph<BITS>>(graph: &G, limits: &Limits, watch: Watch) -> Result<Self, Unsuited> {
        let mut labeller = Labeller::new(graph.len());
        labeller.go_on(graph, limits, watch, ALL)?;
        Ok(labeller.finish())
    }
}

/// Labels in the making: all in one go, or a slice at a time.
pub(crate) struct Labeller<const BITS: u32> {
    ground: Ground<BITS>,
    search: Search<BITS>,
    samples: Samples<BITS>,
    preorder: Preorder,
    places: Vec<Vec<u32>>,
    trees: Vec<TreeNode>,
    order: Vec<u32>,
    /// The hub whose search is half done.
    hub: Option<u32>,
    doublings: Doublings,
}

impl<const BITS: u32> Labeller<BITS> {
    /// For so many sites.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            ground: Ground { labels: vec![Vec::new(); count], is_hub: vec![false; count] },
            search: Search::new(count),
            samples: Samples::new(count),
            preorder: Preorder::default(),
            places: vec![Vec::new(); count],
            trees: Vec::new(),
            order: Vec::with_capacity(count),
            hub: None,
            doublings: Doublings::default(),
        }
    }

    /// How many hubs there are.
    pub(crate) fn hubs(&self) -> usize {
        self.order.len()
    }

    /// Goes on for about so many steps, over all cores if these are [all](ALL): whether it is done. The labels are the
    /// same in any case.
    pub(crate) fn go_on<G: Graph<BITS>>(
        &mut self,
        graph: &G,
        limits: &Limits,
        watch: Watch,
        mut left: u64,
    ) -> Result<bool, Unsuited> {
        let count = graph.len();
        while self.order.len() < count {
            if self.hub.is_none() {
                if !self.samples.replenish(count - self.order.len(), graph, &self.ground, &mut left) {
                    return Ok(false);
                }
                // There is a tree with every root that is no hub yet.
                let Some(hub) = self.samples.take_best() else { break };
                self.search.begin(&self.ground, hub);
                self.hub = Some(hub);
            }
            if !self.search.go_on(graph, &self.ground, &mut left) {
                return Ok(false);
            }
            if let Some(hub) = self.hub.take() {
                self.add(hub, graph)?;
            }
            let steps = self.search.steps + self.samples.steps;
            self.doublings.check(limits, steps, self.trees.len(), self.order.len())?;
            if self.order.len().is_multiple_of(64) || self.order.len() == count {
                watch(Progress::new("hubs", self.order.len() as u64, count as u64));
            }
        }
        Ok(true)
    }

    /// Adds a hub, from which all was searched.
    fn add<G: Graph<BITS>>(&mut self, hub: u32, graph: &G) -> Result<(), Unsuited> {
        let Self { ground, search, preorder, places, trees, order, .. } = self;
        let is_first = ground.labels[hub as usize].is_empty();
        if is_first && search.tree.last().is_some_and(|visit| visit.cost > graph.farthest()) {
            return Err(Unsuited::Long { most: graph.farthest_cells() });
        }
        preorder.arrange(&search.tree);
        let (rank, base) = (order.len() as u32, trees.len() as u32);
        add_tree(&search.tree, &preorder.places, trees);
        for (visit, &place) in search.tree.iter().zip(&preorder.places) {
            ground.labels[visit.site as usize].push(Link::new(visit.cost, rank));
            places[visit.site as usize].push(base + place);
        }
        order.push(hub);
        ground.is_hub[hub as usize] = true;
        Ok(())
    }

    /// The labels, once all is done.
    pub(crate) fn finish(self) -> Labelling<BITS> {
        let Self { ground, search, samples, places, trees, order, .. } = self;
        Labelling { order, labels: ground.labels, places, trees, steps: search.steps + samples.steps }
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
