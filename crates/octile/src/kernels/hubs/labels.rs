//! Hubs and labels: the labels of any two connected sites share a hub that lies on a shortest path between them.
//!
//! Hubs are chosen [in order](super::order). A search from each hub adds a link to the hub to the label of every site
//! it visits. The search's tree is kept: paths are read from it.

use super::Graph;
use super::limits::{Limits, Unsuited};
use super::order::Samples;
pub(crate) use super::search::ALL;
use super::search::{NONE, PartialLabels, Preorder, Search, Visit};
use crate::kernels::ds::link::Link;
use crate::planner::{Progress, Watch};

/// A site in the tree of a hub.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    pub(crate) site: u32,
    /// How many nodes before this one the parent is; 0 for the hub.
    pub(crate) up: u32,
}

/// The labels and trees of all sites of a map.
pub(crate) struct Labelling<const BITS: u32> {
    /// The sites by rank, the first hub first.
    pub(crate) order: Vec<u32>,
    /// For each site, its links to hubs, by rank. The last link is to the site itself.
    pub(crate) labels: Vec<Vec<Link<BITS>>>,
    /// For each link, its index in `trees`.
    pub(crate) places: Vec<Vec<u32>>,
    /// The trees of all hubs, by rank.
    pub(crate) trees: Vec<TreeNode>,
    /// The steps of the build.
    pub(crate) steps: u64,
}

impl<const BITS: u32> Labelling<BITS> {
    /// Labels all sites of a graph.
    pub(crate) fn new<G: Graph<BITS>>(graph: &G, limits: &mut Limits, watch: Watch) -> Result<Self, Unsuited> {
        let mut labeller = Labeller::new(graph.len());
        labeller.advance(graph, limits, watch, ALL)?;
        Ok(labeller.finish())
    }
}

/// Builds labels, all at once or slice by slice.
pub(crate) struct Labeller<const BITS: u32> {
    partial: PartialLabels<BITS>,
    search: Search<BITS>,
    samples: Samples<BITS>,
    preorder: Preorder,
    places: Vec<Vec<u32>>,
    trees: Vec<TreeNode>,
    order: Vec<u32>,
    /// The hub whose search is in progress.
    hub: Option<u32>,
}

impl<const BITS: u32> Labeller<BITS> {
    /// For `count` sites.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            partial: PartialLabels { labels: vec![Vec::new(); count], is_hub: vec![false; count] },
            search: Search::new(count),
            samples: Samples::new(count),
            preorder: Preorder::default(),
            places: vec![Vec::new(); count],
            trees: Vec::new(),
            order: Vec::with_capacity(count),
            hub: None,
        }
    }

    /// The number of hubs so far.
    pub(crate) fn hubs(&self) -> usize {
        self.order.len()
    }

    /// Works for about `left` steps, on all cores if that is [`ALL`]. Returns whether the labels are done. They are the
    /// same in any case.
    pub(crate) fn advance<G: Graph<BITS>>(
        &mut self,
        graph: &G,
        limits: &mut Limits,
        watch: Watch,
        mut left: u64,
    ) -> Result<bool, Unsuited> {
        let count = graph.len();
        while self.order.len() < count {
            if self.hub.is_none() {
                if !self.samples.replenish(count - self.order.len(), graph, &self.partial, &mut left) {
                    return Ok(false);
                }
                // Every site that is not a hub yet is the root of a tree, so a best site exists.
                let Some(hub) = self.samples.take_best() else { break };
                self.search.begin(&self.partial, hub);
                self.hub = Some(hub);
            }
            if !self.search.advance(graph, &self.partial, &mut left) {
                return Ok(false);
            }
            if let Some(hub) = self.hub.take() {
                self.add(hub, graph)?;
            }
            limits.check_labels(self.search.steps + self.samples.steps, self.trees.len(), self.order.len())?;
            if self.order.len().is_multiple_of(64) || self.order.len() == count {
                watch(Progress::new("hubs", self.order.len() as u64, count as u64));
            }
        }
        Ok(true)
    }

    /// Adds a hub whose search is complete.
    fn add<G: Graph<BITS>>(&mut self, hub: u32, graph: &G) -> Result<(), Unsuited> {
        let Self { partial, search, preorder, places, trees, order, .. } = self;
        let is_first = partial.labels[hub as usize].is_empty();
        if is_first && search.tree.last().is_some_and(|visit| visit.cost > graph.farthest()) {
            return Err(Unsuited::Long { most: graph.farthest_cells() });
        }
        preorder.arrange(&search.tree);
        let (rank, base) = (order.len() as u32, trees.len() as u32);
        add_tree(&search.tree, &preorder.positions, trees);
        for (visit, &position) in search.tree.iter().zip(&preorder.positions) {
            partial.labels[visit.site as usize].push(Link::new(visit.cost, rank));
            places[visit.site as usize].push(base + position);
        }
        order.push(hub);
        partial.is_hub[hub as usize] = true;
        Ok(())
    }

    /// The finished labels.
    pub(crate) fn finish(self) -> Labelling<BITS> {
        let Self { partial, search, samples, places, trees, order, .. } = self;
        Labelling { order, labels: partial.labels, places, trees, steps: search.steps + samples.steps }
    }
}

/// Adds the tree of a search, in preorder.
fn add_tree(tree: &[Visit], places: &[u32], trees: &mut Vec<TreeNode>) {
    let base = trees.len();
    trees.resize(base + tree.len(), TreeNode { site: 0, up: 0 });
    for (visit, &position) in tree.iter().zip(places) {
        let up = if visit.parent == NONE { 0 } else { position - places[visit.parent as usize] };
        trees[base + position as usize] = TreeNode { site: visit.site, up };
    }
}
