//! Hubs and labels: for every two connected subgoals the labels share a hub that lies on a shortest path between them.
//!
//! Hubs are taken [in order](super::order). A search from each adds a link to it to the label of every subgoal it visits, and
//! its tree is kept: that is how paths are read off.

use super::limits::{Limits, Unsuited};
use super::order::Samples;
use super::search::{Ground, NONE, Preorder, Search};
use crate::algo::subgoals::cost::{DIAGONAL, LIMIT, Link};
use crate::algo::subgoals::{Graph, Subgoals};
use crate::search::{Progress, Watch};

/// A subgoal in the tree of a hub.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    pub(super) subgoal: u32,
    /// How far before it its parent is; 0 for the hub.
    pub(super) up: u32,
}

/// What is known of the subgoals of a map.
pub(super) struct Labelling {
    /// The subgoals by rank: the first hub first.
    pub(super) order: Vec<u32>,
    /// For each subgoal its links to hubs, by rank. The last is to itself.
    pub(super) labels: Vec<Vec<Link>>,
    /// For each link the place in the hub's tree.
    pub(super) places: Vec<Vec<u32>>,
    /// The trees one after the other, by rank.
    pub(super) trees: Vec<TreeNode>,
    /// The steps that it took.
    pub(super) steps: u64,
}

impl Labelling {
    pub(super) fn new(subgoals: &Subgoals, graph: &Graph, limits: &mut Limits, watch: Watch) -> Result<Self, Unsuited> {
        let count = graph.len();
        let mut ground = Ground { graph, labels: vec![Vec::new(); count], is_hub: vec![false; count] };
        let (mut search, mut samples) = (Search::new(graph), Samples::new(count));
        let (mut order, mut places, mut trees) = (Vec::with_capacity(count), vec![Vec::new(); count], Vec::new());
        let mut preorder = Preorder::default();
        // Twice the way to the first hub of a component, and a hop at either end, are no less than any way in it.
        let (width, height) = (subgoals.grid().width(), subgoals.grid().height());
        let farthest = LIMIT / 2 - u64::from(width.max(height)) * DIAGONAL;
        while order.len() < count {
            samples.replenish(count - order.len(), &ground);
            // There is a tree with every root that is no hub yet.
            let Some(hub) = samples.take_best() else { break };
            let is_first = ground.labels[hub as usize].is_empty();
            search.run(&ground, hub);
            if is_first && search.tree.last().is_some_and(|visit| visit.cost > farthest) {
                return Err(Unsuited::Long);
            }
            preorder.arrange(&search.tree);
            let (rank, base) = (order.len() as u32, trees.len());
            trees.resize(base + search.tree.len(), TreeNode { subgoal: hub, up: 0 });
            for (visit, &place) in search.tree.iter().zip(&preorder.places) {
                let up = if visit.parent == NONE { 0 } else { place - preorder.places[visit.parent as usize] };
                trees[base + place as usize] = TreeNode { subgoal: visit.subgoal, up };
                ground.labels[visit.subgoal as usize].push(Link::new(visit.cost, rank));
                places[visit.subgoal as usize].push(base as u32 + place);
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
