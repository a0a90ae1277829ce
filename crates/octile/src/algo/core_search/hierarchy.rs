//! The index of a map: the contracted subgoals, numbered for the search, and the landmarks.

use super::landmarks::{self, Row};
use crate::geometry::units::{Cost, Narrow, Units};
use crate::geometry::{Cell, CellId};
use crate::grid::Grid;
use crate::kernels::limits::{Limits, Unsuited};
use crate::kernels::subgoals::contract::{Arc, Contracted, LONGEST, Middle, Rules};
use crate::kernels::subgoals::{self, Graph, Link, MAX_SUBGOALS, Reach, Subgoals};
use crate::planner::size_bytes;

/// Nodes with more neighbours stay in the core: contracting them adds more arcs than it saves.
const MOST_NEIGHBOURS: usize = 12;

/// The step budget of preparation, per cell of the map. Each link of the graph has used some of these steps before the
/// contraction begins. The contraction may use the rest, and some steps per subgoal in any case.
const STEPS_PER_CELL: u64 = 12;
const STEPS_PER_LINK: u64 = 5;
const STEPS_PER_SUBGOAL: u64 = 4;

/// The memory per cell, subgoal and link while the index is built.
const CELL_BYTES: u64 = 24;
const SUBGOAL_BYTES: u64 = 64;
const LINK_BYTES: u64 = 48;

/// A [`Middle`] in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packed(u32);

/// The number of bits for the index of an arc among those of a node below the core.
const INDEX_BITS: u32 = 4;

const _: () = assert!(MOST_NEIGHBOURS < 1 << INDEX_BITS && MAX_SUBGOALS <= 1 << (u32::BITS - 2 * INDEX_BITS));

impl Packed {
    /// The middle of an arc that is not a shortcut. No shortcut has this value: indices are below the maximum number of
    /// neighbours.
    const NONE: Self = Self(u32::MAX);

    fn new(middle: Middle, nodes: &[u32]) -> Self {
        let Middle { node, near, far } = middle;
        let of = |&node: &u32| Self(node << (2 * INDEX_BITS) | u32::from(near) << INDEX_BITS | u32::from(far));
        nodes.get(node as usize).map_or(Self::NONE, of)
    }
}

/// The distance of nodes that are not connected: larger than any other.
pub(super) const UNREACHED: u32 = u32::INFINITE;

/// The paths of a map are, or may be, too long for costs of 32 bits.
const LONG: Unsuited = Unsuited::Long { most: LONGEST / 2 / Narrow::DIAGONAL };

/// The data that the heuristic needs of a node, side by side.
#[derive(Clone, Copy, Debug)]
struct NodeData {
    position: [u16; 2],
    /// Its distances to the first four landmarks; [`UNREACHED`] if it is not in the core.
    row: Row,
}

/// Contracted subgoals in the form that searches use. The nodes of the core have the first numbers; in the core and
/// below it, close nodes have close numbers.
#[derive(Debug)]
pub(super) struct Hierarchy {
    /// The number of nodes in the core.
    pub(super) core: usize,
    node_data: Vec<NodeData>,
    /// For each node, the index of its first arc; the end of the last node's arcs comes last.
    first: Vec<u32>,
    /// The upward arcs of nodes below the core, and the arcs inside it.
    arcs: Vec<Arc>,
    /// For each arc, its middle.
    middles: Vec<Packed>,
    /// For each node of the core, its distances to the landmarks after the first four, one row per four landmarks.
    rows: Vec<Row>,
    /// The number of rows of a node, including the first.
    pub(super) rows_per_node: usize,
    /// The cost of the longest arc in the core.
    longest_arc: u32,
    reach: Reach,
    /// The node of each subgoal.
    nodes: Vec<u32>,
}

size_bytes!(Hierarchy: node_data, first, arcs, middles, rows, reach, nodes);

impl Hierarchy {
    pub(super) fn build(grid: &Grid, landmarks: usize, limits: &Limits) -> Result<Self, Unsuited> {
        let rules = |links: usize, subgoals: usize| {
            let left = (grid.padded_cells() as u64 * STEPS_PER_CELL).saturating_sub(links as u64 * STEPS_PER_LINK);
            let most_steps = left.max(subgoals as u64 * STEPS_PER_SUBGOAL);
            Rules { keep: 0, most_neighbours: MOST_NEIGHBOURS, most_steps, most_expanded: 0 }
        };
        Self::build_by(rules, grid, landmarks, limits)
    }

    /// As [`build`](Hierarchy::build), with contraction rules computed from the numbers of links and subgoals.
    pub(super) fn build_by(
        rules: impl Fn(usize, usize) -> Rules,
        grid: &Grid,
        landmarks: usize,
        limits: &Limits,
    ) -> Result<Self, Unsuited> {
        let count = subgoals::count(grid);
        let bytes = grid.padded_cells() as u64 * CELL_BYTES + count as u64 * SUBGOAL_BYTES;
        let check = |steps: u64, links: usize| {
            let links = links as u64;
            limits.check(steps + STEPS_PER_LINK * links, bytes + links * LINK_BYTES)
        };
        check(count as u64, 0)?;
        if count > MAX_SUBGOALS {
            return Err(LONG);
        }
        let subgoals = Subgoals::new(grid);
        let graph = Graph::new(&subgoals, |links| check(count as u64, links))?;
        let rules = rules(graph.size(), count);
        let contracted = Contracted::new(&subgoals, &graph, rules, |effort| check(effort.steps, effort.arcs))?;
        drop(graph);
        let mut hierarchy = Self::of(subgoals, &contracted);
        hierarchy.rows_per_node = landmarks.div_ceil(landmarks::LANES);
        let distances = landmarks::distances(&hierarchy, grid, landmarks);
        // Twice the path to one node of a component, plus a hop at either end, is an upper bound of every path in it.
        let hop = Narrow::DIAGONAL * grid.width().max(grid.height());
        let farthest = hierarchy.farthest(&contracted, distances.first());
        if !contracted.is_whole() || farthest >= (LONGEST / 2).saturating_sub(hop) {
            return Err(LONG);
        }
        hierarchy.set_rows(&distances);
        Ok(hierarchy)
    }

    /// Numbers the nodes of a contracted graph.
    fn of(subgoals: Subgoals, contracted: &Contracted) -> Self {
        let all = 0..contracted.len() as u32;
        let mut order: Vec<u32> = all.clone().filter(|&subgoal| contracted.is_core(subgoal)).collect();
        let core = order.len();
        order.extend(all.filter(|&subgoal| !contracted.is_core(subgoal)));
        let mut nodes = vec![0; order.len()];
        for (node, &subgoal) in (0..).zip(&order) {
            nodes[subgoal as usize] = node;
        }
        let size = order.iter().map(|&subgoal| contracted.arcs(subgoal).len()).sum();
        let (mut arcs, mut middles) = (Vec::with_capacity(size), Vec::with_capacity(size));
        let mut first = Vec::with_capacity(order.len() + 1);
        first.push(0);
        for &subgoal in &order {
            let arc = |arc: &Arc| Arc { to: nodes[arc.to as usize], cost: arc.cost };
            arcs.extend(contracted.arcs(subgoal).iter().map(arc));
            middles.extend(contracted.middles(subgoal).iter().map(|&middle| Packed::new(middle, &nodes)));
            first.push(arcs.len() as u32);
        }
        let data = |Cell { x, y }| NodeData { position: [x as u16, y as u16], row: [UNREACHED; landmarks::LANES] };
        let node_data = order.iter().map(|&subgoal| data(subgoals.cell(subgoal))).collect();
        let in_core = &arcs[..first[core] as usize];
        let longest_arc = in_core.iter().map(|arc: &Arc| arc.cost).max().unwrap_or(0);
        let (rows, reach) = (Vec::new(), subgoals.into_reach());
        Self { core, node_data, first, arcs, middles, rows, rows_per_node: 0, longest_arc, reach, nodes }
    }

    /// Stores the distances of core nodes to landmarks, which are given landmark by landmark.
    fn set_rows(&mut self, distances: &[Vec<u32>]) {
        for (rank, landmarks) in distances.chunks(landmarks::LANES).enumerate() {
            for node in 0..self.core {
                let mut row = [UNREACHED; landmarks::LANES];
                for (distance, costs) in row.iter_mut().zip(landmarks) {
                    *distance = costs[node];
                }
                if rank == 0 {
                    self.node_data[node].row = row;
                } else {
                    self.rows.push(row);
                }
            }
        }
    }

    /// The largest distance of a node from one fixed node of its component. `known` has the distances from one node to
    /// those of the core.
    fn farthest(&self, contracted: &Contracted, known: Option<&Vec<u32>>) -> u32 {
        let mut costs = known.cloned().unwrap_or_else(|| vec![UNREACHED; self.core]);
        let mut buckets = Vec::new();
        for root in 0..self.core {
            if costs[root] == UNREACHED {
                self.spread(root as u32, &mut costs, &mut buckets);
            }
        }
        costs.resize(self.len(), UNREACHED);
        // From the top down. A node without arcs was the last of its component.
        for &subgoal in contracted.order().iter().rev() {
            let node = self.nodes[subgoal as usize];
            let by = |arc: &Arc| costs[arc.to as usize].saturating_add(arc.cost);
            costs[node as usize] = self.arcs(node).iter().map(by).min().unwrap_or(0);
        }
        costs.into_iter().max().unwrap_or(0)
    }

    /// Finds the distances from a node of the core to other core nodes, where they are below the known ones.
    ///
    /// Dijkstra's search with buckets as wide as the shortest arc: no node improves another of its own bucket, so the
    /// order within a bucket does not matter.
    pub(super) fn spread(&self, root: u32, costs: &mut [u32], buckets: &mut Vec<Vec<u32>>) {
        let bucket_of = |cost: u32| (cost / Narrow::STRAIGHT) as usize;
        // An arc never leads all the way around the ring of buckets.
        let around = bucket_of(self.longest_arc) + 2;
        buckets.resize(around, Vec::new());
        costs[root as usize] = 0;
        buckets[0].push(root);
        let (mut current, mut waiting) = (0, 1);
        while waiting > 0 {
            let mut bucket = std::mem::take(&mut buckets[current % around]);
            waiting -= bucket.len();
            for node in bucket.drain(..) {
                let cost = costs[node as usize];
                // Skip it if its cost has fallen since and it was visited earlier.
                if bucket_of(cost) != current {
                    continue;
                }
                for arc in self.arcs(node) {
                    let (cost, known) = (cost + arc.cost, &mut costs[arc.to as usize]);
                    // Costs that are too long are rejected afterwards.
                    if cost < *known && cost < LONGEST {
                        *known = cost;
                        buckets[bucket_of(cost) % around].push(arc.to);
                        waiting += 1;
                    }
                }
            }
            buckets[current % around] = bucket;
            current += 1;
        }
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.node_data.len()
    }

    #[inline]
    pub(super) fn is_core(&self, node: u32) -> bool {
        (node as usize) < self.core
    }

    #[inline]
    pub(super) fn cell(&self, node: u32) -> Cell {
        let [x, y] = self.node_data[node as usize].position;
        Cell::new(x.into(), y.into())
    }

    /// The indices of a node's arcs.
    #[inline]
    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    #[inline]
    pub(super) fn arcs(&self, node: u32) -> &[Arc] {
        &self.arcs[self.range(node)]
    }

    /// The middle node of a shortcut, and that node's arcs to the shortcut's own node and to the node at its end.
    /// `None` if the arc is not a shortcut.
    #[inline]
    pub(super) fn halves(&self, arc: u32) -> Option<(u32, [u32; 2])> {
        let Packed(word) = Some(self.middles[arc as usize]).filter(|&middle| middle != Packed::NONE)?;
        let index = |shift: u32| word >> shift & ((1 << INDEX_BITS) - 1);
        let node = word >> (2 * INDEX_BITS);
        let first = self.first[node as usize];
        Some((node, [first + index(INDEX_BITS), first + index(0)]))
    }

    /// The distances of a core node to the landmarks, four at a time.
    #[inline]
    pub(super) fn rows(&self, node: u32) -> impl Iterator<Item = &Row> {
        let more = (1..self.rows_per_node).map(move |rank| &self.rows[(rank - 1) * self.core + node as usize]);
        std::iter::once(&self.node_data[node as usize].row).take(self.rows_per_node).chain(more)
    }

    /// Finds the node at a free cell; if there is none, the nodes that the cell reaches directly.
    pub(super) fn links(&self, id: CellId, found: &mut Vec<Link>) {
        self.reach.links(id, found);
    }

    /// The node of a subgoal.
    #[inline]
    pub(super) fn node(&self, subgoal: usize) -> u32 {
        self.nodes[subgoal]
    }
}
