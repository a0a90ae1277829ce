//! Queries: the hub where two labels meet at the least cost, and the path through it.

use super::cells::MORE;
use super::file::{Record, View, cell_of, place_word};
use crate::algo::subgoals::cost::{self, COST_BITS, LIMIT};
use crate::geometry::Cell;
pub(super) use crate::grid::sight::hop_is_free;
use crate::search::size_bytes;

/// Costs to hubs, for one query after the other without being cleared.
#[derive(Debug)]
pub(super) struct HubCosts {
    hubs: Vec<Hub>,
    query: u64,
}

/// What is known of a hub.
#[derive(Clone, Copy, Debug)]
struct Hub {
    /// The number of the query that wrote it, above its cost. The numbers go down, so that what is old is always more than
    /// what is new.
    cost: u64,
    way: Way,
}

/// One more than the number of the first query: so far below the largest that costs of any file can be added.
const QUERIES: u64 = (1 << (u64::BITS - COST_BITS)) - 4;

/// What no query wrote, and all count as old.
const UNSEEN: Hub = Hub { cost: QUERIES << COST_BITS, way: Way { connection: 0, link: 0 } };

size_bytes!(HubCosts: hubs);

impl HubCosts {
    pub(super) fn new(hubs: usize) -> Self {
        Self { hubs: vec![UNSEEN; hubs], query: QUERIES }
    }

    /// As [`new`](HubCosts::new), but the numbers run out after so many queries.
    #[cfg(test)]
    pub(super) fn near_the_end(hubs: usize, queries: u64) -> Self {
        Self { query: queries, ..Self::new(hubs) }
    }

    pub(super) fn len(&self) -> usize {
        self.hubs.len()
    }

    /// Begins a query: gives what is to be added to its costs.
    fn begin(&mut self) -> u64 {
        if self.query == 0 {
            self.hubs.fill(UNSEEN);
            self.query = QUERIES;
        }
        self.query -= 1;
        self.query << COST_BITS
    }
}

/// How a cell gets to a hub: the subgoal that it goes to, and which link in the label of that.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    connection: u32,
    link: u32,
}

/// Where two labels meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) cost: u64,
    hub: usize,
    start: Way,
    goal: Way,
}

/// Finds the hub over which the way between two cells, whose hop is not free, is shortest. `None` if there is no way, or what
/// the index says cannot be. Compiled apart from what is around it, which takes a twentieth fewer instructions.
#[inline(never)]
pub(super) fn meet(view: &View, costs: &mut HubCosts, start: Cell, goal: Cell) -> Option<Meeting> {
    let (from, to) = (view.record(start)?, view.record(goal)?);
    let base = costs.begin();
    for_each_hub(view, &from, start, |hub, cost, way| {
        *costs.hubs.get_mut(hub)? = Hub { cost: base + cost, way };
        Some(())
    })?;
    let mut best = Meeting { cost: LIMIT, hub: 0, start: Way::default(), goal: Way::default() };
    for_each_hub(view, &to, goal, |hub, cost, goal| {
        let cost = costs.hubs.get(hub)?.cost - base + cost;
        if cost < best.cost {
            best = Meeting { cost, hub, goal, ..best };
        }
        Some(())
    })?;
    best.start = costs.hubs.get(best.hub)?.way;
    (best.cost < LIMIT).then_some(best)
}

/// Goes through the hubs that a cell knows: each with what it costs and the way there.
#[inline]
fn for_each_hub(
    view: &View,
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
            let (subgoal, first, end) = view.subgoal(connection as usize)?;
            let hop = cost::between(cell, subgoal);
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
                    let link = view.link(at)?;
                    visit(link.subgoal(), hop + link.cost(), way(at))?;
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

/// The hops of the path by way of a hub, from start to goal. `None` if what the index says cannot be.
pub(super) fn trace(view: &View, meeting: Meeting, start: Cell, goal: Cell, hops: &mut Vec<Cell>) -> Option<()> {
    hops.clear();
    hops.push(start);
    push_nodes(view, meeting.hub, meeting.start, hops)?;
    // The hub comes from the other side too.
    hops.pop();
    let middle = hops.len();
    hops.push(goal);
    push_nodes(view, meeting.hub, meeting.goal, hops)?;
    hops[middle..].reverse();
    Some(())
}

/// Adds the cells from a connection to a hub. Parents lie before their children: this ends, whatever the file says.
#[inline]
fn push_nodes(view: &View, hub: usize, way: Way, cells: &mut Vec<Cell>) -> Option<()> {
    let (connection, ..) = view.subgoal(way.connection as usize)?;
    let mut cell = place_word(connection);
    let mut at = view.node(hub, way.link as usize)?;
    loop {
        cells.push(cell_of(cell));
        let (parent, up) = view.parent(at, cell)?;
        if up == 0 {
            return Some(());
        }
        cell = parent;
        at = at.checked_sub(up)?;
    }
}
