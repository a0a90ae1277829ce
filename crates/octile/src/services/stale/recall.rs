//! A query to old labels: the cost of a path on the old map, and whether any cell freed since can lower it.

use super::survey::{Cluster, INFINITE, Survey};
use crate::geometry::Cell;
use crate::geometry::units::{Mid, Units};
use crate::grid::Grid;
use crate::grid::sight::hop_is_free;
use crate::planner::{Hub, Labels, SizeBytes, size_bytes};

/// The cells of at most this many clusters are examined one by one; with more, freed cells may well shorten the path.
const MOST_LOOKED_AT: usize = 4;

/// How many paths of equal cost are tried.
pub(super) const MOST_TIES: usize = 4;

/// Working memory, reused between queries.
#[derive(Debug, Default)]
pub(super) struct Recall {
    ends: [End; 2],
    /// The hubs of the cheapest paths, as entries in the labels of both endpoints.
    pub(super) ties: Vec<[Hub; 2]>,
    /// The clusters that are near enough.
    near: Vec<Near>,
    /// The cells of rims from which a path may make its first new move, and to which it may make its last.
    first: Vec<Turn>,
    last: Vec<Turn>,
}

size_bytes!(Recall: ends, ties, near, first, last);

/// An endpoint of a query.
#[derive(Debug, Default)]
struct End {
    cell: Cell,
    label: Vec<Hub>,
    /// For each hub its cost and its index in the label; valid if its stamp is that of the query.
    costs: Vec<HubCost>,
    stamp: u32,
}

size_bytes!(End: label, costs);

impl SizeBytes for [End; 2] {
    fn size_bytes(&self) -> usize {
        self.iter().map(SizeBytes::size_bytes).sum()
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct HubCost {
    cost: u64,
    stamp: u32,
    place: u32,
}

/// A cluster, and a lower bound for the cost from each endpoint to its rim.
#[derive(Clone, Copy, Debug)]
struct Near {
    cluster: usize,
    costs: [u64; 2],
}

/// A cell of a rim, and the cost from the start or to the goal.
#[derive(Clone, Copy, Debug)]
struct Turn {
    cell: Cell,
    cost: u64,
    cluster: usize,
}

impl End {
    fn enter(&mut self, labels: &dyn Labels, cell: Cell) -> Option<()> {
        self.cell = cell;
        labels.label(cell, &mut self.label)?;
        if self.costs.len() < labels.hubs() || self.stamp == u32::MAX {
            self.costs.clear();
            self.costs.resize(labels.hubs(), HubCost::default());
            self.stamp = 0;
        }
        self.stamp += 1;
        for (hub, place) in self.label.iter().zip(0..) {
            *self.costs.get_mut(hub.number as usize)? = HubCost { cost: hub.cost, stamp: self.stamp, place };
        }
        Some(())
    }

    /// The cost to a hub.
    #[inline]
    fn to(&self, hub: u32) -> u64 {
        let known = &self.costs[hub as usize];
        if known.stamp == self.stamp { known.cost } else { INFINITE }
    }

    /// The minimum cost, by hubs, to a cell that has this label.
    #[inline]
    fn to_label(&self, label: &[(u32, u64)]) -> u64 {
        label.iter().fold(INFINITE, |least, &(hub, cost)| least.min(self.to(hub) + cost))
    }
}

impl Recall {
    /// The cost of the shortest path between two cells by labels; the limit if they share no hub. `None` if the index
    /// is malformed: then the endpoints are not entered.
    pub(super) fn begin(&mut self, labels: &dyn Labels, ends: [Cell; 2]) -> Option<u64> {
        let [start, goal] = &mut self.ends;
        start.enter(labels, ends[0])?;
        goal.enter(labels, ends[1])?;
        let mut least = Mid::LIMIT;
        self.ties.clear();
        for &hub in &goal.label {
            let known = start.costs[hub.number as usize];
            if known.stamp != start.stamp || known.cost + hub.cost > least {
                continue;
            }
            if known.cost + hub.cost < least {
                least = known.cost + hub.cost;
                self.ties.clear();
            }
            self.ties.push([start.label[known.place as usize], hub]);
        }
        Some(least)
    }

    /// Whether a path through freed cells may cost less than `cost`, the cost without them, between the endpoints that
    /// were entered last.
    pub(super) fn may_gain(&mut self, survey: &Survey, old: &Grid, cost: u64) -> bool {
        self.find_near(survey, old, cost);
        let Self { ends: [start, goal], near, first, last, .. } = self;
        first.clear();
        last.clear();
        let mut looked_at = 0;
        for one in &*near {
            let gains = |other: &Near| {
                let apart = survey.apart(one.cluster, other.cluster);
                one.costs[0] + apart + other.costs[1] < cost || other.costs[0] + apart + one.costs[1] < cost
            };
            if !near.iter().any(gains) {
                continue;
            }
            looked_at += 1;
            let cluster = &survey.clusters[one.cluster];
            let Some(labels) = cluster.labels.as_ref().filter(|_| looked_at <= MOST_LOOKED_AT) else { return true };
            for (&cell, label) in cluster.rim.iter().zip(labels.cells()) {
                let least = [&*start, &*goal].map(|end| Mid::between(end.cell, cell));
                if least[0] + least[1] >= cost {
                    continue;
                }
                let from_start = by_hop(old, start.cell, cell, start.to_label(label));
                let to_goal = by_hop(old, goal.cell, cell, goal.to_label(label));
                if from_start + least[1] < cost {
                    first.push(Turn { cell, cost: from_start, cluster: one.cluster });
                }
                if to_goal + least[0] < cost {
                    last.push(Turn { cell, cost: to_goal, cluster: one.cluster });
                }
            }
        }
        let gains = |a: &Turn, b: &Turn| {
            let apart = Mid::between(a.cell, b.cell).max(survey.apart(a.cluster, b.cluster));
            a.cost + apart + b.cost < cost
        };
        first.iter().any(|a| last.iter().any(|b| gains(a, b)))
    }

    /// Finds the clusters on the way, with the costs to their rims.
    fn find_near(&mut self, survey: &Survey, old: &Grid, cost: u64) {
        let Self { ends, near, .. } = self;
        near.clear();
        for (number, cluster) in survey.clusters.iter().enumerate() {
            if cluster.gap_to(ends[0].cell) + cluster.gap_to(ends[1].cell) < cost {
                near.push(Near { cluster: number, costs: ends.each_ref().map(|end| to_rim(end, cluster, old)) });
            }
        }
    }
}

/// The minimum cost from an endpoint to a rim.
fn to_rim(end: &End, cluster: &Cluster, old: &Grid) -> u64 {
    let least = cluster.labels.as_ref().map_or(INFINITE, |labels| end.to_label(&labels.merged));
    cluster.rim.iter().fold(least, |least, &cell| by_hop(old, end.cell, cell, least))
}

/// The cost between two cells, given the cost by labels: labels do not cover cells that reach each other by a direct
/// hop.
#[inline]
fn by_hop(old: &Grid, from: Cell, to: Cell, cost: u64) -> u64 {
    let direct = Mid::between(from, to);
    if direct < cost && hop_is_free(old, from, to) { direct } else { cost }
}
