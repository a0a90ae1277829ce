//! Caches the successors of nodes from one query to the next.
//!
//! They do not depend on the query, only on the map: on a rectangle of cells around the node. [`remembered`] explains
//! how the cache follows edits.

use super::diagonals::End;
use super::expand::{Expand, Place, Scanned, Sink, Walked};
use super::nodes::Nodes;
use super::search::Target;
use crate::geometry::units::Units;
use crate::grid::area::Area;
use crate::kernels::remembered::{self, Remembered, Tiles};
use crate::planner::size_bytes;

/// The edits of a planner's map. An edit that renumbers nodes makes caches [forget](Changes::forget) everything.
pub(super) type Changes = remembered::Changes<Tiles>;

/// How far scans went to the west, east, north and south.
type Reach = [u16; 4];

/// A hop to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// The number of the node; in the bits below it, the direction in which it is reached.
    to: u32,
    pub(super) cost: u32,
    x: u16,
    y: u16,
}

/// The bits of [`Hop::to`] below the number.
pub(super) const FLAG_BITS: u32 = 3;

impl Hop {
    #[inline]
    pub(super) fn number(&self) -> u32 {
        self.to >> FLAG_BITS
    }

    #[inline]
    pub(super) fn dir(&self) -> usize {
        (self.to & 7) as usize
    }

    #[inline]
    pub(super) fn at(&self) -> Place {
        (self.x.into(), self.y.into())
    }
}

/// The successors of a node that was reached in a direction. An entry is half a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Entry {
    /// The range of its hops.
    first: u32,
    len: u32,
    /// The last edit up to which it is known to be valid.
    edit: u32,
    /// The position of the node: an edit may give its number to another node of the tile.
    x: u16,
    y: u16,
    reach: Reach,
    /// The index of the entry for another direction; 0 if there is none.
    next: u32,
    /// The direction as a bit; 0 if the entry is still empty.
    came: u8,
    /// The moves that may follow.
    moves: u8,
}

impl Entry {
    /// The cells that the entry depends on: those that were examined, and those beside them.
    fn area(&self) -> Area {
        let ([west, east, north, south], x, y) =
            (self.reach.map(usize::from), usize::from(self.x), usize::from(self.y));
        let (left, top) = (x.saturating_sub(west + 1), y.saturating_sub(north + 1));
        Area { left, right: x + east + 1, top, bottom: y + south + 1 }
    }
}

/// The cache is cleared once it has more hops than this (12 bytes each).
const MOST_HOPS: usize = 1 << 22;

/// The entries found so far.
#[derive(Debug)]
pub(super) struct Cache {
    /// For each node, the entry for the direction in which it was first reached.
    known: Remembered<Entry, Hop>,
    /// The entries for other directions; the first is unused.
    more: Vec<Entry>,
}

size_bytes!(Cache: known, more);

impl Cache {
    pub(super) fn new(changes: &Changes) -> Self {
        Self { known: Remembered::new(changes), more: vec![Entry::default()] }
    }

    /// Prepares for a query on the current map.
    pub(super) fn follow(&mut self, changes: &Changes, nodes: &Nodes) {
        if self.known.follow(changes, self.known.items.len() > MOST_HOPS) {
            self.more.truncate(1);
        }
        if self.known.entries.len() < nodes.end() {
            self.known.entries.resize(nodes.end(), Entry::default());
        }
    }
}

/// How a search caches the successors of nodes.
pub(super) trait Memo<C> {
    /// The hops from the node with this number if it was reached by the direction `came`, and the moves behind them;
    /// `None` if the search must find them because they may pass a goal.
    fn hops<U: Units<Cost = C>>(
        &mut self,
        expand: &Expand<'_, U>,
        number: u32,
        came: u32,
        at: Place,
        target: &impl Target,
    ) -> Option<(&[Hop], u8)>;
}

/// Caches nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forget;

impl<C> Memo<C> for Forget {
    #[inline]
    fn hops<U: Units<Cost = C>>(
        &mut self,
        _: &Expand<'_, U>,
        _: u32,
        _: u32,
        _: Place,
        _: &impl Target,
    ) -> Option<(&[Hop], u8)> {
        None
    }
}

/// Uses a cache if there is one: for searches that are compiled once for both cases.
impl<C, M: Memo<C>> Memo<C> for Option<&mut M> {
    fn hops<U: Units<Cost = C>>(
        &mut self,
        expand: &Expand<'_, U>,
        number: u32,
        came: u32,
        at: Place,
        target: &impl Target,
    ) -> Option<(&[Hop], u8)> {
        self.as_mut()?.hops(expand, number, came, at, target)
    }
}

/// Looks up the successors of nodes, and scans for those that are not cached yet.
pub(super) struct Remember<'a> {
    pub(super) cache: &'a mut Cache,
    pub(super) changes: &'a Changes,
    pub(super) nodes: &'a Nodes,
}

impl Memo<u32> for Remember<'_> {
    #[inline]
    fn hops<U: Units<Cost = u32>>(
        &mut self,
        expand: &Expand<'_, U>,
        number: u32,
        came: u32,
        at: Place,
        target: &impl Target,
    ) -> Option<(&[Hop], u8)> {
        let now = self.changes.now();
        let mut entry = &self.cache.known.entries[number as usize];
        while u32::from(entry.came) != came && entry.next != 0 {
            entry = &self.cache.more[entry.next as usize];
        }
        let mut entry = *entry;
        if u32::from(entry.came) != came || entry.edit != now {
            entry = self.look_again(expand, number, came, at);
        }
        let mut is_near = false;
        target.each(|_, (x, y)| {
            let [west, east, north, south] = entry.reach.map(u32::from);
            is_near |= x + west >= at.0 && x <= at.0 + east && y + north >= at.1 && y <= at.1 + south;
        });
        if is_near {
            return None;
        }
        Some((&self.cache.known.items[entry.first as usize..][..entry.len as usize], entry.moves))
    }
}

impl Remember<'_> {
    /// Checks whether an entry is still valid, or computes it.
    #[cold]
    fn look_again<U: Units<Cost = u32>>(&mut self, expand: &Expand<'_, U>, number: u32, came: u32, at: Place) -> Entry {
        let Self { cache: Cache { known: Remembered { entries, items: hops, .. }, more }, changes, nodes } = self;
        let (now, end) = (changes.now(), more.len() as u32);
        let is_end = |entry: &Entry| u32::from(entry.came) == came || entry.next == 0;
        let mut last = &entries[number as usize];
        let mut place = None;
        while !is_end(last) {
            place = Some(last.next as usize);
            last = &more[last.next as usize];
        }
        let (last, is_known) = (*last, u32::from(last.came) == came);
        let slot = match place {
            None => &mut entries[number as usize],
            Some(place) => &mut more[place],
        };
        let is_here = (u32::from(last.x), u32::from(last.y)) == at;
        if is_known && is_here && changes.holds(&mut slot.edit, || last.area()) {
            return *slot;
        }
        let first = hops.len() as u32;
        let site = nodes.site(number);
        let moves = site.after[came.trailing_zeros() as usize];
        let mut record = Record { nodes, at, hops, reach: [0; 4] };
        expand.all(site, moves.into(), moves.into(), at, 0, &mut record);
        let (reach, len) = (record.reach, hops.len() as u32 - first);
        let (x, y) = (at.0 as u16, at.1 as u16);
        let entry = Entry { first, len, edit: now, x, y, reach, next: last.next, came: came as u8, moves };
        if is_known || last.came == 0 {
            *slot = entry;
        } else {
            slot.next = end;
            more.push(entry);
        }
        entry
    }
}

/// Records the successors found, and how far scans go.
struct Record<'a> {
    nodes: &'a Nodes,
    at: Place,
    hops: &'a mut Vec<Hop>,
    reach: Reach,
}

impl Record<'_> {
    fn extend(&mut self, (x, y): Place) {
        let away = [
            self.at.0.saturating_sub(x),
            x.saturating_sub(self.at.0),
            self.at.1.saturating_sub(y),
            y.saturating_sub(self.at.1),
        ];
        for (reach, away) in self.reach.iter_mut().zip(away) {
            *reach = (*reach).max(away as u16);
        }
    }
}

impl Sink<u32> for Record<'_> {
    fn reach(&mut self, dir: usize, (x, y): Place, g: u32) {
        let number = self.nodes.number(x as usize, y as usize);
        let to = number << FLAG_BITS | dir as u32;
        self.hops.push(Hop { to, cost: g, x: x as u16, y: y as u16 });
    }

    fn scanned(&mut self, scan: Scanned<u32>) {
        let (x, y) = scan.at;
        self.extend(match scan.dir {
            0 => (x, y - scan.steps),
            2 => (x + scan.steps, y),
            4 => (x, y + scan.steps),
            _ => (x - scan.steps, y),
        });
    }

    fn walked<const EAST: bool, const SOUTH: bool>(&mut self, walk: Walked<'_, u32, EAST, SOUTH>) {
        let End { steps, looked, .. } = walk.end;
        self.extend(walk.place(steps));
        for steps in 1..steps + u32::from(looked) {
            let (x, y) = walk.place(steps);
            let row = walk.rows.scan(y as usize, x as usize).0;
            let column = walk.columns.scan(x as usize, y as usize).0;
            self.extend((if EAST { x + row } else { x - row }, y));
            self.extend((x, if SOUTH { y + column } else { y - column }));
        }
    }
}
