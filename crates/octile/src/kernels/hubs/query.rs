//! Queries: finds the hub where two labels meet at the least cost, and the path through it.

use super::cells::MORE;
use super::file::{Record, View};
use crate::geometry::Cell;
use crate::kernels::ds::link::Link;
use crate::planner::{Hub, size_bytes};

/// The cost from a cell to the sites that it is connected to.
pub(crate) trait Metric<const BITS: u32>: Copy {
    /// Costs of paths are below this.
    const LIMIT: u64;

    /// The cost from a cell to the site whose position is given as a [word](super::file::place_word).
    fn between(self, cell: Cell, word: u32) -> u64;
}

/// The costs of hubs for a query. Later queries reuse the table without clearing it.
#[derive(Debug)]
pub(crate) struct HubCosts<const BITS: u32> {
    hubs: Vec<HubCost>,
    query: u64,
}

/// The cost of a hub and the route to it.
#[derive(Clone, Copy, Debug)]
struct HubCost {
    /// The number of the query that wrote it, above its cost. Query numbers decrease, so that stale entries are always
    /// larger than current ones.
    cost: u64,
    route: Route,
}

size_bytes!(for [const BITS: u32] HubCosts<BITS>: hubs);

impl<const BITS: u32> HubCosts<BITS> {
    /// The number of the first query plus 1. It is far enough below the largest number that costs from any file can be
    /// added.
    const QUERIES: u64 = (1 << BITS) - 4;

    /// An entry that no query wrote: it counts as stale in all of them.
    const UNSEEN: HubCost =
        HubCost { cost: Self::QUERIES << Link::<BITS>::COST_BITS, route: Route { connection: 0, link: 0 } };

    pub(crate) fn new(hubs: usize) -> Self {
        Self { hubs: vec![Self::UNSEEN; hubs], query: Self::QUERIES }
    }

    /// As [`new`](HubCosts::new), but the numbers run out after this many queries.
    #[cfg(test)]
    pub(crate) fn near_the_end(hubs: usize, queries: u64) -> Self {
        Self { query: queries, ..Self::new(hubs) }
    }

    pub(crate) fn len(&self) -> usize {
        self.hubs.len()
    }

    /// Begins a query. Returns the base that it adds to its costs.
    fn begin(&mut self) -> u64 {
        if self.query == 0 {
            self.hubs.fill(Self::UNSEEN);
            self.query = Self::QUERIES;
        }
        self.query -= 1;
        self.query << Link::<BITS>::COST_BITS
    }

    /// Enters the hubs of a cell's label with their costs. Returns the base that was added to these; `None` if the
    /// index has invalid numbers.
    pub(super) fn enter<M: Metric<BITS>>(&mut self, view: &View, metric: M, cell: Cell) -> Option<u64> {
        let (base, record) = (self.begin(), view.record(cell)?);
        for_each_hub(view, metric, &record, cell, |hub, cost, route| {
            *self.hubs.get_mut(hub)? = HubCost { cost: base + cost, route };
            Some(())
        })?;
        Some(base)
    }

    /// The least cost to reach a cell through one of the entered hubs, or at least the limit if there is none. `None`
    /// if the index has invalid numbers.
    pub(super) fn least<M: Metric<BITS>>(&self, view: &View, metric: M, base: u64, cell: Cell) -> Option<u64> {
        let mut least = M::LIMIT;
        for_each_hub(view, metric, &view.record(cell)?, cell, |hub, cost, _| {
            least = least.min(self.hubs.get(hub)?.cost - base + cost);
            Some(())
        })?;
        Some(least)
    }
}

/// The route from a cell to a hub: the site that the cell is connected to, and a link in the label of that site.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Route {
    connection: u32,
    link: u32,
}

/// The hub where two labels meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(crate) cost: u64,
    hub: usize,
    start: Route,
    goal: Route,
}

impl Meeting {
    /// The meeting at a hub that is in both labels.
    pub(crate) fn at([start, goal]: [Hub; 2]) -> Self {
        let route = |Hub { way: [connection, link], .. }| Route { connection, link };
        Self { cost: start.cost + goal.cost, hub: start.number as usize, start: route(start), goal: route(goal) }
    }
}

/// Overwrites `label` with the hubs of a cell. `None` if the index has invalid numbers.
pub(crate) fn label<M: Metric<BITS>, const BITS: u32>(
    view: &View,
    metric: M,
    cell: Cell,
    label: &mut Vec<Hub>,
) -> Option<()> {
    label.clear();
    for_each_hub(view, metric, &view.record(cell)?, cell, |hub, cost, Route { connection, link }| {
        // In a valid file every hub is a site, and occurs once in a label.
        let is_sound = hub < view.sites() && label.len() < view.sites();
        is_sound.then(|| label.push(Hub { number: hub as u32, cost, way: [connection, link] }))
    })
}

/// Finds the hub with the shortest path between two cells, neither of which reaches the other directly. `None` if there
/// is no path, or if the index has invalid numbers. Not inlined: this takes a twentieth fewer instructions.
#[inline(never)]
pub(crate) fn meet<M: Metric<BITS>, const BITS: u32>(
    view: &View,
    metric: M,
    costs: &mut HubCosts<BITS>,
    [start, goal]: [Cell; 2],
) -> Option<Meeting> {
    let (from, to) = (view.record(start)?, view.record(goal)?);
    let base = costs.begin();
    for_each_hub(view, metric, &from, start, |hub, cost, route| {
        *costs.hubs.get_mut(hub)? = HubCost { cost: base + cost, route };
        Some(())
    })?;
    let mut best = Meeting { cost: M::LIMIT, hub: 0, start: Route::default(), goal: Route::default() };
    for_each_hub(view, metric, &to, goal, |hub, cost, goal| {
        let cost = costs.hubs.get(hub)?.cost - base + cost;
        if cost < best.cost {
            best = Meeting { cost, hub, goal, ..best };
        }
        Some(())
    })?;
    best.start = costs.hubs.get(best.hub)?.route;
    (best.cost < M::LIMIT).then_some(best)
}

/// Visits the hubs in the label of a cell, each with its cost and the route to it.
#[inline]
pub(super) fn for_each_hub<M: Metric<BITS>, const BITS: u32>(
    view: &View,
    metric: M,
    record: &Record,
    cell: Cell,
    mut visit: impl FnMut(usize, u64, Route) -> Option<()>,
) -> Option<()> {
    let mut rest = record.links;
    for (&mask, ranks) in record.mask.iter().zip(record.connections.chunks(8)) {
        if mask == 0 {
            continue;
        }
        let (&linked, after) = rest.split_first()?;
        rest = after;
        let mut bits = mask;
        while bits != 0 {
            let number = bits.trailing_zeros();
            bits &= bits - 1;
            let connection = u32::from_le_bytes(*ranks.get(number as usize)?);
            let (word, first, end) = view.site(connection as usize)?;
            let hop = metric.between(cell, word);
            let route = |link: usize| Route { connection, link: link as u32 };
            visit(connection as usize, hop, route(end.checked_sub(1)?))?;
            if linked >> number & 1 == 0 {
                continue;
            }
            let steps;
            (steps, rest) = split_steps(rest)?;
            let mut at = first;
            for &step in steps {
                // In a damaged file this may wrap around where words have 32 bits.
                at = at.wrapping_add(step.into());
                if step != MORE {
                    let link: Link<BITS> = view.link(at)?;
                    visit(link.to(), hop + link.cost(), route(at))?;
                }
            }
        }
    }
    Some(())
}

/// The steps from link to link in one label, and the bytes after them.
#[inline]
fn split_steps(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut count, mut rest) = (0, bytes);
    loop {
        let (&byte, after) = rest.split_first()?;
        count += usize::from(byte);
        rest = after;
        if byte != MORE {
            return rest.split_at_checked(count);
        }
    }
}

/// Writes the path through a hub, from start to goal; `point` makes its points from words. Returns the index of the hub
/// in the path; `None` if the index has invalid numbers.
pub(crate) fn trace<P>(
    view: &View,
    meeting: Meeting,
    [start, goal]: [P; 2],
    point: impl Fn(u32) -> P,
    path: &mut Vec<P>,
) -> Option<usize> {
    path.clear();
    path.push(start);
    push_sites(view, meeting.hub, meeting.start, &point, path)?;
    // The second half adds the hub again.
    path.pop();
    let middle = path.len();
    path.push(goal);
    push_sites(view, meeting.hub, meeting.goal, &point, path)?;
    path[middle..].reverse();
    Some(middle)
}

/// Adds the points from a connection to a hub. Parents come before their children, so this ends for any file.
#[inline]
fn push_sites<P>(view: &View, hub: usize, route: Route, point: impl Fn(u32) -> P, path: &mut Vec<P>) -> Option<()> {
    let (mut word, ..) = view.site(route.connection as usize)?;
    let mut at = view.node(hub, route.link as usize)?;
    loop {
        path.push(point(word));
        let (parent, up) = view.parent(at, word)?;
        if up == 0 {
            return Some(());
        }
        word = parent;
        at = at.checked_sub(up)?;
    }
}
