//! Queries: the hub where two labels meet at the least cost, and the path through it.

use super::cells::MORE;
use super::file::{Record, View};
use crate::geometry::Cell;
use crate::kernels::ds::link::Link;
use crate::planner::{Hub, size_bytes};

/// What it costs to get from a cell to the sites that it is connected to.
pub(crate) trait Metric<const BITS: u32>: Copy {
    /// Costs of ways are below this.
    const LIMIT: u64;

    /// The cost from a cell to a site that is at the place of a [word](super::file::place_word).
    fn between(self, cell: Cell, word: u32) -> u64;
}

/// Costs to hubs, for one query after the other without being cleared.
#[derive(Debug)]
pub(crate) struct HubCosts<const BITS: u32> {
    hubs: Vec<Entered>,
    query: u64,
}

/// What is known of a hub.
#[derive(Clone, Copy, Debug)]
struct Entered {
    /// The number of the query that wrote it, above its cost. The numbers go down, so that what is old is always more
    /// than what is new.
    cost: u64,
    way: Way,
}

size_bytes!(for [const BITS: u32] HubCosts<BITS>: hubs);

impl<const BITS: u32> HubCosts<BITS> {
    /// One more than the number of the first query: so far below the largest that costs of any file can be added.
    const QUERIES: u64 = (1 << BITS) - 4;

    /// What no query wrote, and all count as old.
    const UNSEEN: Entered =
        Entered { cost: Self::QUERIES << Link::<BITS>::COST_BITS, way: Way { connection: 0, link: 0 } };

    pub(crate) fn new(hubs: usize) -> Self {
        Self { hubs: vec![Self::UNSEEN; hubs], query: Self::QUERIES }
    }

    /// As [`new`](HubCosts::new), but the numbers run out after so many queries.
    #[cfg(test)]
    pub(crate) fn near_the_end(hubs: usize, queries: u64) -> Self {
        Self { query: queries, ..Self::new(hubs) }
    }

    pub(crate) fn len(&self) -> usize {
        self.hubs.len()
    }

    /// Begins a query: gives what is to be added to its costs.
    fn begin(&mut self) -> u64 {
        if self.query == 0 {
            self.hubs.fill(Self::UNSEEN);
            self.query = Self::QUERIES;
        }
        self.query -= 1;
        self.query << Link::<BITS>::COST_BITS
    }

    /// Enters what the hubs cost that a cell knows: gives what was added to that. `None` if what the index says cannot
    /// be.
    pub(super) fn enter<M: Metric<BITS>>(&mut self, view: &View, metric: M, cell: Cell) -> Option<u64> {
        let (base, record) = (self.begin(), view.record(cell)?);
        for_each_hub(view, metric, &record, cell, |hub, cost, way| {
            *self.hubs.get_mut(hub)? = Entered { cost: base + cost, way };
            Some(())
        })?;
        Some(base)
    }

    /// The least that it costs to get to a cell by a hub that has been entered, or more than any way if there is none;
    /// `None` if what the index says cannot be.
    pub(super) fn least<M: Metric<BITS>>(&self, view: &View, metric: M, base: u64, cell: Cell) -> Option<u64> {
        let mut least = M::LIMIT;
        for_each_hub(view, metric, &view.record(cell)?, cell, |hub, cost, _| {
            least = least.min(self.hubs.get(hub)?.cost - base + cost);
            Some(())
        })?;
        Some(least)
    }
}

/// How a cell gets to a hub: the site that it goes to, and which link in the label of that.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    connection: u32,
    link: u32,
}

/// Where two labels meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(crate) cost: u64,
    hub: usize,
    start: Way,
    goal: Way,
}

impl Meeting {
    /// At a hub of which two labels say this.
    pub(crate) fn at([start, goal]: [Hub; 2]) -> Self {
        let way = |Hub { way: [connection, link], .. }| Way { connection, link };
        Self { cost: start.cost + goal.cost, hub: start.number as usize, start: way(start), goal: way(goal) }
    }
}

/// Overwrites `label` with the hubs that a cell knows. `None` if what the index says cannot be.
pub(crate) fn label<M: Metric<BITS>, const BITS: u32>(
    view: &View,
    metric: M,
    cell: Cell,
    label: &mut Vec<Hub>,
) -> Option<()> {
    label.clear();
    for_each_hub(view, metric, &view.record(cell)?, cell, |hub, cost, Way { connection, link }| {
        // A sound file has no others, and each once.
        let is_sound = hub < view.sites() && label.len() < view.sites();
        is_sound.then(|| label.push(Hub { number: hub as u32, cost, way: [connection, link] }))
    })
}

/// Finds the hub over which the way between two cells, of which neither reaches the other directly, is shortest. `None`
/// if there is no way, or what the index says cannot be. Compiled apart from what is around it, which takes a twentieth
/// fewer instructions.
#[inline(never)]
pub(crate) fn meet<M: Metric<BITS>, const BITS: u32>(
    view: &View,
    metric: M,
    costs: &mut HubCosts<BITS>,
    [start, goal]: [Cell; 2],
) -> Option<Meeting> {
    let (from, to) = (view.record(start)?, view.record(goal)?);
    let base = costs.begin();
    for_each_hub(view, metric, &from, start, |hub, cost, way| {
        *costs.hubs.get_mut(hub)? = Entered { cost: base + cost, way };
        Some(())
    })?;
    let mut best = Meeting { cost: M::LIMIT, hub: 0, start: Way::default(), goal: Way::default() };
    for_each_hub(view, metric, &to, goal, |hub, cost, goal| {
        let cost = costs.hubs.get(hub)?.cost - base + cost;
        if cost < best.cost {
            best = Meeting { cost, hub, goal, ..best };
        }
        Some(())
    })?;
    best.start = costs.hubs.get(best.hub)?.way;
    (best.cost < M::LIMIT).then_some(best)
}

/// Goes through the hubs that a cell knows: each with what it costs and the way there.
#[inline]
pub(super) fn for_each_hub<M: Metric<BITS>, const BITS: u32>(
    view: &View,
    metric: M,
    record: &Record,
    cell: Cell,
    mut visit: impl FnMut(usize, u64, Way) -> Option<()>,
) -> Option<()> {
    let mut rest = record.links;
    for (&mask, ranks) in record.mask.iter().zip(record.connections.chunks(8)) {
        if mask == 0 {
            continue;
        }
        let (&linked, behind) = rest.split_first()?;
        rest = behind;
        let mut bits = mask;
        while bits != 0 {
            let number = bits.trailing_zeros();
            bits &= bits - 1;
            let connection = u32::from_le_bytes(*ranks.get(number as usize)?);
            let (word, first, end) = view.site(connection as usize)?;
            let hop = metric.between(cell, word);
            let way = |link: usize| Way { connection, link: link as u32 };
            visit(connection as usize, hop, way(end.checked_sub(1)?))?;
            if linked >> number & 1 == 0 {
                continue;
            }
            let steps;
            (steps, rest) = split_steps(rest)?;
            let mut at = first;
            for &step in steps {
                // What a damaged file says may wrap around on words of 32 bits.
                at = at.wrapping_add(step.into());
                if step != MORE {
                    let link: Link<BITS> = view.link(at)?;
                    visit(link.to(), hop + link.cost(), way(at))?;
                }
            }
        }
    }
    Some(())
}

/// The steps from link to link in one label, and what comes behind them.
#[inline]
fn split_steps(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut count, mut rest) = (0, bytes);
    loop {
        let (&byte, behind) = rest.split_first()?;
        count += usize::from(byte);
        rest = behind;
        if byte != MORE {
            return rest.split_at_checked(count);
        }
    }
}

/// The places on the path by way of a hub, from start to goal, where `place` makes them of words. Gives which of them
/// the hub is; `None` if what the index says cannot be.
pub(crate) fn trace<P>(
    view: &View,
    meeting: Meeting,
    [start, goal]: [P; 2],
    place: impl Fn(u32) -> P,
    path: &mut Vec<P>,
) -> Option<usize> {
    path.clear();
    path.push(start);
    push_sites(view, meeting.hub, meeting.start, &place, path)?;
    // The hub comes from the other side too.
    path.pop();
    let middle = path.len();
    path.push(goal);
    push_sites(view, meeting.hub, meeting.goal, &place, path)?;
    path[middle..].reverse();
    Some(middle)
}

/// Adds the places from a connection to a hub. Parents lie before their children: this ends, whatever the file says.
#[inline]
fn push_sites<P>(view: &View, hub: usize, way: Way, place: impl Fn(u32) -> P, path: &mut Vec<P>) -> Option<()> {
    let (mut word, ..) = view.site(way.connection as usize)?;
    let mut at = view.node(hub, way.link as usize)?;
    loop {
        path.push(place(word));
        let (parent, up) = view.parent(at, word)?;
        if up == 0 {
            return Some(());
        }
        word = parent;
        at = at.checked_sub(up)?;
    }
}
