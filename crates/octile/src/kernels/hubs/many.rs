//! Costs between many cells: labels are read once for each cell, not once for each pair.
//!
//! **From one cell.** What hubs cost from it is entered into the table of a query, and the labels of the targets are
//! looked up there.
//!
//! **From many.** Every hub gets a bucket of the targets that know it, each with what it costs. A source goes through
//! the buckets of the hubs that it knows itself, and keeps the least for each target (Knopp, Sanders, Schultes, Schulz
//! & Wagner, "Computing Many-to-Many Shortest Paths Using Highway Hierarchies", 2007). Targets are taken some at a
//! time, so that buckets and costs stay in the caches.
//!
//! Labels need not know of a path between cells that reach each other directly. That is asked of each pair too, unless
//! labels have found as much already: no path costs less than the direct way.

use super::file::View;
use super::query::{HubCosts, Metric, for_each_hub};
use crate::geometry::{Cell, PathCost};
use crate::kernels::ds::link::Link;
use crate::kernels::ranking::Ranking;
use crate::planner::size_bytes;

/// What is known of two cells without their labels. Costs of pairs are numbers that order as costs do.
pub(crate) trait Pairs<const BITS: u32> {
    type Metric: Metric<BITS>;

    /// What labels are measured by.
    fn metric(&self) -> Self::Metric;

    /// What the direct way costs if there is one. No path costs less.
    fn direct(&self, from: Cell, to: Cell) -> u64;

    /// Whether two cells, between which there may be a path, reach each other directly. A cell reaches itself.
    fn is_direct(&self, from: Cell, to: Cell) -> bool;

    fn may_connect(&self, from: Cell, to: Cell) -> bool;

    /// The number for what labels say.
    fn number(&self, cost: u64) -> u64;

    /// The cost behind a number.
    fn cost(&self, number: u64) -> PathCost;
}

/// Targets that are taken at a time.
const TARGETS: usize = if cfg!(test) { 8 } else { 1024 };

/// What no labels say.
const UNKNOWN: u64 = u64::MAX;

/// Working memory of costs between many cells.
#[derive(Debug, Default)]
pub(crate) struct Many<const BITS: u32> {
    buckets: Buckets<BITS>,
    /// What labels say it costs to get to each target.
    row: Vec<u64>,
    ranking: Ranking,
}

size_bytes!(for [const BITS: u32] Many<BITS>: buckets, row, ranking);

/// Writes what it costs from every source to every target, by rows of targets.
pub(crate) fn costs<P: Pairs<BITS>, const BITS: u32>(
    view: &View,
    pairs: &P,
    (hubs, many): (&mut HubCosts<BITS>, &mut Many<BITS>),
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
                *out = either(pairs, source, target, cost).map(|number| pairs.cost(number));
            }
        }
    }
}

/// Finds the nearest of many targets: calls `found` with the places of up to `count` of them, each with its cost.
pub(crate) fn nearest<P: Pairs<BITS>, const BITS: u32>(
    view: &View,
    pairs: &P,
    (hubs, many): (&mut HubCosts<BITS>, &mut Many<BITS>),
    (source, targets): (Cell, &[Cell]),
    count: usize,
    found: &mut dyn FnMut(usize, PathCost),
) {
    let from = OneCell::new(view, pairs, hubs, source);
    many.ranking.begin(count, targets.iter().map(|&target| pairs.direct(source, target)));
    many.ranking.look(usize::MAX, |place| from.number(targets[place]));
    many.ranking.tell(|place, number| found(place, pairs.cost(number)));
}

/// What a pair costs, from what labels say.
#[inline]
fn either<P: Pairs<BITS>, const BITS: u32>(pairs: &P, from: Cell, to: Cell, cost: u64) -> Option<u64> {
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
struct OneCell<'a, P, const BITS: u32> {
    view: &'a View<'a>,
    pairs: &'a P,
    hubs: &'a HubCosts<BITS>,
    cell: Cell,
    /// What is to be taken from the costs in the table; `None` if the label cannot be.
    base: Option<u64>,
}

impl<'a, P: Pairs<BITS>, const BITS: u32> OneCell<'a, P, BITS> {
    fn new(view: &'a View<'a>, pairs: &'a P, hubs: &'a mut HubCosts<BITS>, cell: Cell) -> Self {
        let base = hubs.enter(view, pairs.metric(), cell);
        Self { view, pairs, hubs, cell, base }
    }

    /// What it costs to get to another. That it is reached directly is asked first: mostly it takes less time than to
    /// read its label.
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
}

/// For each hub the targets that know it.
#[derive(Debug, Default)]
struct Buckets<const BITS: u32> {
    /// For each hub one more than the number of its bucket; 0 if it has none.
    numbers: Vec<u32>,
    /// The hubs that have one, by its number.
    hubs: Vec<u32>,
    /// Where each bucket begins in `entries`, and where the last one ends.
    first: Vec<usize>,
    /// Bucket by bucket: what it costs to get to a target, and which one that is.
    entries: Vec<Link<BITS>>,
    /// The same, target by target, each with its hub.
    unsorted: Vec<(u32, Link<BITS>)>,
}

size_bytes!(for [const BITS: u32] Buckets<BITS>: numbers, hubs, first, entries, unsorted);

impl<const BITS: u32> Buckets<BITS> {
    /// Makes the buckets of some targets, which are at most [`TARGETS`].
    fn fill<M: Metric<BITS>>(&mut self, view: &View, metric: M, hub_count: usize, targets: &[Cell]) {
        const { assert!(TARGETS <= Link::<BITS>::MAX_NODES) };
        self.clear(hub_count);
        for (&target, number) in targets.iter().zip(0..) {
            let before = self.unsorted.len();
            // A label that cannot be counts as none.
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
            // What costs so much is on no path.
            if cost < M::LIMIT {
                unsorted.push((hub as u32, Link::new(cost, number)));
            }
            (hub < numbers.len() && unsorted.len() <= most).then_some(())
        })
    }

    /// Numbers the buckets and counts what goes into each: `first` has the count of bucket n at n + 1.
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

    /// Puts the entries into their buckets.
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

    /// Writes what labels say it costs from a source to each of `count` targets.
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
