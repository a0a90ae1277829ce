//! How a map differs from the one that an index was built for, and what the index knows about the cells around the
//! differences.
//!
//! Cells that have been *freed*, blocked then and free now, form clusters that are connected by sides or corners. The
//! *rim* of a cluster is all cells around it, the eight neighbours of each of its cells, that were free then. A move
//! that is legal now and was not then enters, leaves or passes a freed cell. It touches only one cluster, and its ends
//! that were free then are on the rim of that cluster.
//!
//! So a path that gains from freed cells makes its first new move from a cell `a` of a rim, and its last to a cell `b`
//! of a rim. Up to `a` and from `b` on it is a path of the old map, so it costs at least `old(start, a) + apart(a, b) +
//! old(b, goal)`. If no two such cells make that less than the old distance, freed cells do not help.
//!
//! `apart` is the octile distance. Between two clusters it is also at least the cost on the old map from one to the
//! other, where crossing other clusters on the way is free.

use std::sync::Arc;

use crate::geometry::units::{Mid, Units};
use crate::geometry::{Cell, order};
use crate::grid::Grid;
use crate::grid::sight::hop_is_free;
use crate::planner::{Hub, Labels};

/// More than any cost; adding a few of them does not overflow.
pub(super) const INFINITE: u64 = u64::MAX / 8;

/// If more cells than this are freed, or are around freed cells, the index is not used: it would rarely answer, and
/// gathering its data about these cells takes longer than searches do.
const MOST_OPENED: usize = 4096;
const MOST_RIM: usize = 2048;

/// The maximum number of entries in the labels of all rims, 16 bytes each. Valid labels have some dozens per cell;
/// those of a malformed file may name every hub.
const MOST_ENTRIES: usize = 1 << 20;

/// How many rectangles of blocked cells to keep; with more, the map itself is checked for whether a hop is still free.
const MOST_CLOSED: usize = 32;

/// Distances between clusters are computed for at most this many clusters.
const MOST_BETWEEN: usize = 24;

/// The difference between two maps.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) clusters: Vec<Arc<Cluster>>,
    /// The cost on the old map from one cluster to another, with any others on the way; empty if unknown.
    between: Vec<u64>,
    closed: Closed,
    /// In how many places cells have been blocked; `None` if there are too many to count.
    closed_places: Option<usize>,
}

/// Cells that were free then and are blocked now.
#[derive(Debug)]
enum Closed {
    /// In these rectangles, each from its first to its last cell.
    In(Vec<[Cell; 2]>),
    /// In too many places to list.
    Anywhere,
}

/// A connected set of cells that were blocked then and are free now.
#[derive(Debug)]
pub(super) struct Cluster {
    /// Its cells, as runs of rows with their first and last cell.
    runs: Vec<Run>,
    /// The bounding box of its cells.
    pub(super) min: Cell,
    pub(super) max: Cell,
    /// The cells around it that were free.
    pub(super) rim: Vec<Cell>,
    pub(super) labels: Option<RimLabels>,
}

/// What an index with labels knows about a rim.
#[derive(Debug)]
pub(super) struct RimLabels {
    /// For each hub, sorted by number, the minimum cost to a cell of the rim.
    pub(super) merged: Vec<(u32, u64)>,
    /// The labels of the rim's cells in sequence, and the end of each.
    cells: Vec<(u32, u64)>,
    ends: Vec<u32>,
}

impl RimLabels {
    /// The label of each cell of the rim.
    pub(super) fn cells(&self) -> impl Iterator<Item = &[(u32, u64)]> {
        let first = std::iter::once(0).chain(self.ends.iter().copied());
        first.zip(&self.ends).map(|(first, &end)| &self.cells[first as usize..end as usize])
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    y: u32,
    first: u32,
    last: u32,
}

impl Survey {
    /// Compares a map with the one of an index. Clusters that are unchanged since `before` are taken from there. `None`
    /// if the maps differ too much.
    pub(super) fn new(old: &Grid, now: &Grid, labels: Option<&dyn Labels>, before: Option<&Self>) -> Option<Self> {
        let runs = differences(old, now, MOST_OPENED)?;
        let closed_runs = differences(now, old, MOST_OPENED).map(|runs| hanging_together(&runs));
        let closed_places = closed_runs.as_ref().map(Vec::len);
        let closed = closed_runs.map_or(Closed::Anywhere, |clusters| Closed::of(&clusters));
        let clusters = hanging_together(&runs);
        let rims: Vec<Vec<Cell>> = clusters.iter().map(|runs| rim(runs, old)).collect();
        if rims.iter().map(Vec::len).sum::<usize>() > MOST_RIM {
            return None;
        }
        let in_order = clusters.into_iter().zip(rims);
        let (mut clusters, mut entries) = (Vec::new(), 0);
        for (runs, rim) in in_order {
            let same = before.and_then(|before| before.clusters.iter().find(|cluster| cluster.runs == runs));
            let cluster =
                same.map_or_else(|| Cluster::new(runs, rim, labels).map(Arc::new), |same| Some(Arc::clone(same)))?;
            entries += cluster.labels.as_ref().map_or(0, |labels| labels.cells.len());
            if entries > MOST_ENTRIES {
                return None;
            }
            clusters.push(cluster);
        }
        let is_same = |before: &&Self| {
            before.clusters.len() == clusters.len()
                && before.clusters.iter().zip(&clusters).all(|(one, other)| Arc::ptr_eq(one, other))
        };
        let between = match before.filter(is_same) {
            Some(before) => before.between.clone(),
            None if labels.is_some() && clusters.len() <= MOST_BETWEEN => between(&clusters, old),
            None => Vec::new(),
        };
        Some(Self { clusters, between, closed, closed_places })
    }

    /// In how many places cells have been freed or blocked; `None` if there are too many to count.
    pub(super) fn places(&self) -> Option<usize> {
        self.closed_places.map(|closed| closed + self.clusters.len())
    }

    /// Whether no cell has been blocked.
    pub(super) fn only_opens(&self) -> bool {
        matches!(&self.closed, Closed::In(boxes) if boxes.is_empty())
    }

    /// Whether a hop that was free then is certainly free now: no cell has been blocked in the rectangle between its
    /// ends.
    #[inline]
    pub(super) fn keeps_hop(&self, from: Cell, to: Cell) -> bool {
        let (min_x, max_x) = (from.x.min(to.x), from.x.max(to.x));
        let (min_y, max_y) = (from.y.min(to.y), from.y.max(to.y));
        let lies_apart = |[min, max]: &[Cell; 2]| max.x < min_x || min.x > max_x || max.y < min_y || min.y > max_y;
        matches!(&self.closed, Closed::In(boxes) if boxes.iter().all(lies_apart))
    }

    /// A lower bound for the cost from one cluster to another.
    pub(super) fn apart(&self, from: usize, to: usize) -> u64 {
        let apart = self.between.get(from * self.clusters.len() + to).copied().unwrap_or(0);
        if from == to { 0 } else { apart.max(boxes_apart(&self.clusters[from], &self.clusters[to])) }
    }
}

impl Closed {
    fn of(clusters: &[Vec<Run>]) -> Self {
        if clusters.len() > MOST_CLOSED {
            return Self::Anywhere;
        }
        Self::In(clusters.iter().map(|runs| rectangle(runs)).collect())
    }
}

/// The first and last cell of the bounding box of some runs.
fn rectangle(runs: &[Run]) -> [Cell; 2] {
    let (mut min, mut max) = (Cell::new(u32::MAX, u32::MAX), Cell::new(0, 0));
    for run in runs {
        min = Cell::new(min.x.min(run.first), min.y.min(run.y));
        max = Cell::new(max.x.max(run.last), max.y.max(run.y));
    }
    [min, max]
}

/// The cells that are blocked on one map and free on the other, as runs in row-major order. `None` if there are more
/// than `most`.
fn differences(old: &Grid, now: &Grid, most: usize) -> Option<Vec<Run>> {
    let (mut runs, mut opened): (Vec<Run>, _) = (Vec::new(), 0);
    for y in 0..old.height() {
        let line = y as usize + 1;
        for position in (0..old.width() as usize + 2).step_by(64) {
            let (was, is) = (old.rows().word(line, position), now.rows().word(line, position));
            let mut bits = is & !was;
            opened += bits.count_ones() as usize;
            if opened > most {
                return None;
            }
            while bits != 0 {
                let first = bits.trailing_zeros();
                let len = (bits >> first).trailing_ones();
                bits &= u64::MAX.checked_shl(first + len).unwrap_or(0);
                // Padded positions are one larger.
                let first = position as u32 + first - 1;
                match runs.last_mut().filter(|run| run.y == y && run.last + 1 == first) {
                    Some(run) => run.last = first + len - 1,
                    None => runs.push(Run { y, first, last: first + len - 1 }),
                }
            }
        }
    }
    Some(runs)
}

/// Groups runs into connected sets, by sides or corners.
fn hanging_together(runs: &[Run]) -> Vec<Vec<Run>> {
    let mut parents: Vec<usize> = (0..runs.len()).collect();
    let root = |parents: &[usize], mut run: usize| {
        while parents[run] != run {
            run = parents[run];
        }
        run
    };
    let mut above = 0;
    for (at, run) in runs.iter().enumerate() {
        while runs[above].y + 1 < run.y || runs[above].y + 1 == run.y && runs[above].last + 1 < run.first {
            above += 1;
        }
        let touching = (above..at).take_while(|&other| runs[other].y < run.y && runs[other].first <= run.last + 1);
        for other in touching {
            let (a, b) = (root(&parents, at), root(&parents, other));
            parents[a.max(b)] = a.min(b);
        }
    }
    let mut clusters: Vec<Vec<Run>> = Vec::new();
    let mut places = vec![usize::MAX; runs.len()];
    for (at, &run) in runs.iter().enumerate() {
        let root = root(&parents, at);
        if places[root] == usize::MAX {
            places[root] = clusters.len();
            clusters.push(Vec::new());
        }
        clusters[places[root]].push(run);
    }
    clusters
}

/// The cells around some runs that were free.
fn rim(runs: &[Run], old: &Grid) -> Vec<Cell> {
    let mut rim: Vec<Cell> = Vec::new();
    for run in runs {
        let beside = |y: u32| (run.first.saturating_sub(1)..=run.last + 1).map(move |x| Cell::new(x, y));
        rim.extend((run.y.saturating_sub(1)..=run.y + 1).flat_map(beside).filter(|&cell| old.is_free(cell)));
    }
    order::sort_by_key(&mut rim, |cell| (cell.y, cell.x));
    rim.dedup();
    rim
}

impl Cluster {
    /// Creates a cluster; `None` if the index is malformed.
    fn new(runs: Vec<Run>, rim: Vec<Cell>, labels: Option<&dyn Labels>) -> Option<Self> {
        let [min, max] = rectangle(&runs);
        let labels = match labels {
            Some(labels) => Some(RimLabels::new(&rim, labels)?),
            None => None,
        };
        Some(Self { runs, min, max, rim, labels })
    }

    /// A lower bound for the cost from a cell to the rim.
    pub(super) fn gap_to(&self, cell: Cell) -> u64 {
        // The rim is one cell wider on each side.
        let gap = |at: u32, min: u32, max: u32| min.saturating_sub(at).max(at.saturating_sub(max)).saturating_sub(1);
        Mid::octile(gap(cell.x, self.min.x, self.max.x), gap(cell.y, self.min.y, self.max.y))
    }
}

impl RimLabels {
    fn new(rim: &[Cell], labels: &dyn Labels) -> Option<Self> {
        let (mut cells, mut ends, mut label): (Vec<(u32, u64)>, _, Vec<Hub>) = (Vec::new(), Vec::new(), Vec::new());
        for &cell in rim {
            labels.label(cell, &mut label)?;
            cells.extend(label.iter().map(|hub| (hub.number, hub.cost)));
            if cells.len() > MOST_ENTRIES {
                return None;
            }
            ends.push(cells.len() as u32);
        }
        let mut merged = cells.clone();
        order::sort(&mut merged);
        merged.dedup_by_key(|&mut (hub, _)| hub);
        Some(Self { merged, cells, ends })
    }
}

/// The octile distance between the bounding boxes of the rims.
fn boxes_apart(one: &Cluster, other: &Cluster) -> u64 {
    let gap = |a: (u32, u32), b: (u32, u32)| b.0.saturating_sub(a.1).max(a.0.saturating_sub(b.1)).saturating_sub(2);
    let dx = gap((one.min.x, one.max.x), (other.min.x, other.max.x));
    let dy = gap((one.min.y, one.max.y), (other.min.y, other.max.y));
    Mid::octile(dx, dy)
}

/// The cost on the old map from each cluster to each other, with any others on the way.
fn between(clusters: &[Arc<Cluster>], old: &Grid) -> Vec<u64> {
    let count = clusters.len();
    let mut costs = vec![0; count * count];
    for i in 0..count {
        for j in 0..i {
            let cost = rims_apart(&clusters[i], &clusters[j], old);
            (costs[i * count + j], costs[j * count + i]) = (cost, cost);
        }
    }
    for by in 0..count {
        for from in 0..count {
            for to in 0..count {
                let cost = costs[from * count + by] + costs[by * count + to];
                costs[from * count + to] = costs[from * count + to].min(cost);
            }
        }
    }
    costs
}

/// The minimum cost between cells of two rims.
fn rims_apart(one: &Cluster, other: &Cluster, old: &Grid) -> u64 {
    let (Some(a), Some(b)) = (&one.labels, &other.labels) else { return 0 };
    let mut least = INFINITE;
    let mut rest = &b.merged[..];
    for &(hub, cost) in &a.merged {
        rest = &rest[rest.partition_point(|&(other, _)| other < hub)..];
        if let Some(&(other, more)) = rest.first()
            && other == hub
        {
            least = least.min(cost + more);
        }
    }
    // Labels do not cover cells that reach each other by a direct hop.
    if boxes_apart(one, other) < least {
        for &from in &one.rim {
            for &to in &other.rim {
                let cost = Mid::between(from, to);
                if cost < least && hop_is_free(old, from, to) {
                    least = cost;
                }
            }
        }
    }
    least
}
