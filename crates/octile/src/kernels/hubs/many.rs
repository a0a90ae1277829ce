//! Costs between many cells: reads each cell's label once, not once per pair.
//!
//! **From one cell.** The costs of its hubs are written into the table of a query, and the labels of the targets are
//! looked up there.
//!
//! **From many cells.** Every hub gets a bucket with the targets that have it in their label, each with its cost. A
//! source scans the buckets of the hubs in its own label and keeps the minimum for each target (Knopp, Sanders,
//! Schultes, Schulz & Wagner, "Computing Many-to-Many Shortest Paths Using Highway Hierarchies", 2007). Targets are
//! processed in chunks, so that buckets and costs stay in the caches.
//!
//! Labels need not cover a path between cells that reach each other directly. So each pair is also tested for a direct
//! path, unless the labels already give its cost: no path costs less than the direct one.

use super::file::View;
use super::query::{HubCosts, Metric, for_each_hub};
use crate::geometry::{Cell, PathCost};
use crate::kernels::ds::link::Link;
use crate::kernels::ranking::Ranking;
use crate::planner::size_bytes;

/// Facts about two cells that do not need labels. Costs of pairs are numbers in the order of the costs.
pub(crate) trait Pairs<const BITS: u32> {
    type Metric: Metric<BITS>;

    /// The metric of the labels.
    fn metric(&self) -> Self::Metric;

    /// The cost of the direct path if it exists. No path costs less.
    fn direct(&self, from: Cell, to: Cell) -> u64;

    /// Whether two cells that a path may connect reach each other directly. A cell reaches itself.
    fn is_direct(&self, from: Cell, to: Cell) -> bool;

    fn may_connect(&self, from: Cell, to: Cell) -> bool;

    /// The number for a cost from labels.
    fn number(&self, cost: u64) -> u64;

    /// The cost for a number.
    fn cost(&self, number: u64) -> PathCost;
}

/// The number of targets in a chunk.
const TARGETS: usize = if cfg!(test) { 8 } else { 1024 };

/// A cost that the labels do not give.
const UNKNOWN: u64 = u64::MAX;

/// Scratch memory for costs between many cells.
#[derive(Debug, Default)]
pub(crate) struct Many<const BITS: u32> {
    buckets: Buckets<BITS>,
    /// The cost to each target according to the labels.
    row: Vec<u64>,
    ranking: Ranking,
}

size_bytes!(for [const BITS: u32] Many<BITS>: buckets, row, ranking);

/// Writes the cost from every source to every target, one row of targets per source.
pub(crate) fn costs<P: Pairs<BITS>, const BITS: u32>(
    view: &View,
    pairs: &P,
    hubs: &mut HubCosts<BITS>,
    many: &mut Many<BITS>,
    [sources, targets]: [&[Cell]; 2],
    out: &mut [Option<PathCost>],
) {
    if let [source] = *sources {
        let from = OneCell::new(view, pairs, hubs, source);
        for (&target, out) in targets.iter().zip(out) {
            *out = from.number(target).map(|number| pairs.cost(number));
        }
        return;
    }
    let Many { buckets, row, .. } = many;
    for (number, some) in targets.chunks(TARGETS).enumerate() {
        buckets.fill(view, pairs.metric(), hubs.len(), some);
        for (&source, out) in sources.iter().zip(out.chunks_exact_mut(targets.len())) {
            buckets.scan(view, pairs.metric(), source, some.len(), row);
            for ((&target, &cost), out) in some.iter().zip(&*row).zip(&mut out[number * TARGETS..]) {
                *out = pair_number(pairs, source, target, cost).map(|number| pairs.cost(number));
            }
        }
    }
}

/// The cost of a pair, given the cost from the labels.
#[inline]
fn pair_number<P: Pairs<BITS>, const BITS: u32>(pairs: &P, from: Cell, to: Cell, cost: u64) -> Option<u64> {
    let direct = pairs.direct(from, to);
    let known = cost < P::Metric::LIMIT;
    let number = pairs.number(cost);
    if known && number <= direct {
        return Some(direct);
    }
    if (known || pairs.may_connect(from, to)) && pairs.is_direct(from, to) {
        return Some(direct);
    }
    known.then_some(number)
}

/// A cell whose label is entered into the table of hubs.
pub(crate) struct OneCell<'a, P, const BITS: u32> {
    view: &'a View<'a>,
    pairs: &'a P,
    hubs: &'a HubCosts<BITS>,
    cell: Cell,
    /// The number to subtract from the costs in the table; `None` if the label is invalid.
    base: Option<u64>,
}

impl<'a, P: Pairs<BITS>, const BITS: u32> OneCell<'a, P, BITS> {
    pub(crate) fn new(view: &'a View<'a>, pairs: &'a P, hubs: &'a mut HubCosts<BITS>, cell: Cell) -> Self {
        let base = hubs.enter(view, pairs.metric(), cell);
        Self { view, pairs, hubs, cell, base }
    }

    /// The cost to another cell. The direct path is tested first: usually that takes less time than reading a label.
    fn number(&self, to: Cell) -> Option<u64> {
        let Self { view, pairs, hubs, cell, base } = *self;
        if !pairs.may_connect(cell, to) {
            return None;
        }
        let direct = pairs.direct(cell, to);
        if pairs.is_direct(cell, to) {
            return Some(direct);
        }
        let cost = hubs.least(view, pairs.metric(), base?, to)?;
        (cost < P::Metric::LIMIT).then(|| pairs.number(cost).max(direct))
    }

    /// Finds the nearest of many targets: calls `found` with the indices of up to `count` of them, each with its cost.
    pub(crate) fn nearest(
        &self,
        Many { ranking, .. }: &mut Many<BITS>,
        targets: &[Cell],
        count: usize,
        found: &mut dyn FnMut(usize, PathCost),
    ) {
        ranking.begin(count, targets.iter().map(|&target| self.pairs.direct(self.cell, target)));
        ranking.look(usize::MAX, |index| self.number(targets[index]));
        ranking.tell(|index, number| found(index, self.pairs.cost(number)));
    }
}

/// For each hub, the targets with the hub in their label.
#[derive(Debug, Default)]
struct Buckets<const BITS: u32> {
    /// For each hub, the number of its bucket plus 1; 0 if it has none.
    numbers: Vec<u32>,
    /// The hub of each bucket.
    hubs: Vec<u32>,
    /// The index in `entries` where each bucket begins, and the end of the last one.
    first: Vec<usize>,
    /// Bucket by bucket: targets and the costs to reach them.
    entries: Vec<Link<BITS>>,
    /// The same entries, target by target, each with its hub.
    unsorted: Vec<(u32, Link<BITS>)>,
}

size_bytes!(for [const BITS: u32] Buckets<BITS>: numbers, hubs, first, entries, unsorted);

impl<const BITS: u32> Buckets<BITS> {
    /// Fills the buckets with up to [`TARGETS`] targets.
    fn fill<M: Metric<BITS>>(&mut self, view: &View, metric: M, hub_count: usize, targets: &[Cell]) {
        const { assert!(TARGETS <= Link::<BITS>::MAX_NODES) };
        self.clear(hub_count);
        for (&target, number) in targets.iter().zip(0..) {
            let before = self.unsorted.len();
            // An invalid label counts as empty.
            if self.read(view, metric, target, number).is_none() {
                self.unsorted.truncate(before);
            }
        }
        self.count();
        self.sort();
    }

    fn clear(&mut self, hub_count: usize) {
        for hub in self.hubs.drain(..) {
            self.numbers[hub as usize] = 0;
        }
        self.numbers.resize(hub_count, 0);
        self.first.clear();
        self.first.extend([0, 0]);
        self.unsorted.clear();
    }

    fn read<M: Metric<BITS>>(&mut self, view: &View, metric: M, target: Cell, number: u32) -> Option<()> {
        let Self { numbers, unsorted, .. } = self;
        // No label has a hub twice.
        let most = unsorted.len() + numbers.len();
        for_each_hub(view, metric, &view.record(target)?, target, |hub, cost, _| {
            // A cost this high is on no path.
            if cost < M::LIMIT {
                unsorted.push((hub as u32, Link::new(cost, number)));
            }
            (hub < numbers.len() && unsorted.len() <= most).then_some(())
        })
    }

    /// Numbers the buckets and counts their entries: `first[n + 1]` is the count of bucket n.
    fn count(&mut self) {
        let Self { numbers, hubs, first, unsorted, .. } = self;
        for &(hub, _) in &*unsorted {
            let number = &mut numbers[hub as usize];
            if *number == 0 {
                hubs.push(hub);
                first.push(0);
                *number = hubs.len() as u32;
            }
            first[*number as usize + 1] += 1;
        }
    }

    /// Moves the entries into their buckets.
    fn sort(&mut self) {
        let Self { numbers, first, entries, unsorted, .. } = self;
        for bucket in 2..first.len() {
            first[bucket] += first[bucket - 1];
        }
        entries.resize(unsorted.len(), Link(0));
        for &(hub, entry) in &*unsorted {
            let end = &mut first[numbers[hub as usize] as usize];
            entries[*end] = entry;
            *end += 1;
        }
    }

    /// Writes the cost from a source to each of `count` targets, according to the labels.
    fn scan<M: Metric<BITS>>(&self, view: &View, metric: M, source: Cell, count: usize, row: &mut Vec<u64>) {
        row.clear();
        row.resize(count, UNKNOWN);
        let visit = |hub: usize, cost: u64, _| {
            let number = *self.numbers.get(hub)? as usize;
            if number > 0 && cost < M::LIMIT {
                for entry in &self.entries[self.first[number - 1]..self.first[number]] {
                    let known = &mut row[entry.to()];
                    *known = (*known).min(cost + entry.cost());
                }
            }
            Some(())
        };
        let read = view.record(source).and_then(|record| for_each_hub(view, metric, &record, source, visit));
        if read.is_none() {
            row.fill(UNKNOWN);
        }
    }
}
