//! Queries: the hub where two labels meet at the least cost, and the path through it.

use super::file::{Record, View};
use crate::algo::subgoals::cost::{self, COST_BITS, LIMIT};
use crate::geometry::Cell;
pub(super) use crate::grid::sight::hop_is_free;
use crate::search::size_bytes;

/// Costs to hubs, for one query after the other without being cleared.
#[derive(Debug)]
pub(super) struct HubCosts {
    /// For each hub the number of the query that wrote it, above its cost. The numbers go down, so that what is old is
    /// always more than what is new.
    costs: Vec<u64>,
    /// For each hub the link by which it is reached.
    links: Vec<u32>,
    query: u64,
}

/// One more than the number of the first query: so far below the largest that costs of any file can be added.
const QUERIES: u64 = (1 << (u64::BITS - COST_BITS)) - 4;

/// What no query wrote, and all count as old.
const UNSEEN: u64 = QUERIES << COST_BITS;

size_bytes!(HubCosts: costs, links);

impl HubCosts {
    pub(super) fn new(hubs: usize) -> Self {
        Self { costs: vec![UNSEEN; hubs], links: vec![0; hubs], query: QUERIES }
    }

    /// As [`new`](HubCosts::new), but the numbers run out after so many queries.
    #[cfg(test)]
    pub(super) fn near_the_end(hubs: usize, queries: u64) -> Self {
        Self { query: queries, ..Self::new(hubs) }
    }

    pub(super) fn len(&self) -> usize {
        self.costs.len()
    }

    /// Begins a query: gives what is to be added to its costs.
    fn begin(&mut self) -> u64 {
        if self.query == 0 {
            self.costs.fill(UNSEEN);
            self.query = QUERIES;
        }
        self.query -= 1;
        self.query << COST_BITS
    }
}

/// Where two labels meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) cost: u64,
    /// The links to the hub, from the side of the start and from that of the goal.
    start: usize,
    goal: usize,
}

/// The connections of a cell: where their links begin, and what they cost.
pub(super) type Connections = Vec<(u32, u64)>;

/// Finds the hub over which the way between two cells, whose hop is not free, is shortest. `None` if there is no way, or what
/// the index says cannot be. Compiled apart from what is around it, which takes a twentieth fewer instructions.
#[inline(never)]
pub(super) fn meet(
    view: &View,
    costs: &mut HubCosts,
    connections: &mut Connections,
    start: Cell,
    goal: Cell,
) -> Option<Meeting> {
    let (from, to) = (view.record(start)?, view.record(goal)?);
    let base = costs.begin();
    for_each_hub(view, &from, start, connections, |hub, cost, link| {
        *costs.costs.get_mut(hub)? = base + cost;
        *costs.links.get_mut(hub)? = link as u32;
        Some(())
    })?;
    let mut best = Meeting { cost: LIMIT, start: 0, goal: 0 };
    let mut at = 0;
    for_each_hub(view, &to, goal, connections, |hub, cost, link| {
        let cost = *costs.costs.get(hub)? - base + cost;
        if cost < best.cost {
            best = Meeting { cost, goal: link, ..best };
            at = hub;
        }
        Some(())
    })?;
    best.start = *costs.links.get(at)? as usize;
    (best.cost < LIMIT).then_some(best)
}

/// Goes through the hubs that a cell knows: each with what it costs and the link to it.
#[inline]
fn for_each_hub(
    view: &View,
    record: &Record,
    cell: Cell,
    connections: &mut Connections,
    mut visit: impl FnMut(usize, u64, usize) -> Option<()>,
) -> Option<()> {
    connections.clear();
    for (word, ranks) in record.mask.iter().zip(record.connections.chunks(16)) {
        let mut bits = u16::from_le_bytes(*word);
        while bits != 0 {
            let connection = u32::from_le_bytes(*ranks.get(bits.trailing_zeros() as usize)?) as usize;
            bits &= bits - 1;
            let (subgoal, first, end) = view.subgoal(connection)?;
            let cost = cost::between(cell, subgoal);
            connections.push((first as u32, cost));
            visit(connection, cost, end.checked_sub(1)?)?;
        }
    }
    let mut visit_place = |connection: u16, place: u16| {
        let (first, cost) = *connections.get(usize::from(connection))?;
        let at = (first as usize).checked_add(place.into())?;
        let link = view.link(at)?;
        visit(link.subgoal(), cost + link.cost(), at)
    };
    if record.is_wide {
        let (places, _) = record.places.as_chunks::<2>();
        places
            .iter()
            .try_for_each(|&[connection, place]| visit_place(u16::from_le_bytes(connection), u16::from_le_bytes(place)))
    } else {
        record.places.iter().try_for_each(|&[connection, place]| visit_place(connection.into(), place.into()))
    }
}

/// The hops of the path by way of a hub, from start to goal. `None` if what the index says cannot be.
pub(super) fn trace(view: &View, meeting: Meeting, start: Cell, goal: Cell, hops: &mut Vec<Cell>) -> Option<()> {
    hops.clear();
    hops.push(start);
    push_nodes(view, meeting.start, hops)?;
    // The hub comes from the other side too.
    hops.pop();
    let middle = hops.len();
    hops.push(goal);
    push_nodes(view, meeting.goal, hops)?;
    hops[middle..].reverse();
    Some(())
}

/// Adds the cells from the subgoal of a link to its hub. Parents lie before their children: this ends, whatever the file says.
#[inline]
fn push_nodes(view: &View, link: usize, cells: &mut Vec<Cell>) -> Option<()> {
    let mut at = view.place(link)?;
    loop {
        let (cell, up) = view.node(at)?;
        cells.push(cell);
        if up == 0 {
            return Some(());
        }
        at = at.checked_sub(up)?;
    }
}
