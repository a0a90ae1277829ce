//! Caches the successors of jump points from one query to the next.
//!
//! They do not depend on the query, only on the map: on the rows and columns of the diagonal walks that begin at the
//! jump point, and on the adjacent rows and columns. [`remembered`] explains how the cache follows edits.

use super::{Expand, Gate, Sink, expand};
use crate::geometry::{Cell, Dir, DirSet};
use crate::grid::Grid;
use crate::grid::area::Area;
use crate::grid::planes::Planes;
use crate::kernels::remembered::{self, Lines, Remembered};
use crate::planner::size_bytes;

/// Caches are not used on a map where more than this share of the free cells are corners: random obstacles, mazes with
/// corridors of one or two cells, rooms of eight. Corners are so close together there that a scan costs less than a
/// table lookup. Measured: at a share of .06 a cache is no gain, at .13 none or a loss, from .28 on queries take 1.4 to
/// 2.1 times as long; up to .045 they take .8.
const CROWDED: f64 = 0.05;

/// With this few corners, the cache stays small: it is then used however close together the corners are.
const MOST_CROWDED: usize = 8192;

/// The edits of a planner's map.
pub(crate) type Changes = remembered::Changes<Lines>;

impl Changes {
    /// Whether a cache costs no time on a map with these planes.
    pub(crate) fn pays(grid: &Grid, planes: &Planes) -> bool {
        let corners = planes.jump_points();
        corners <= MOST_CROWDED || corners as f64 <= CROWDED * f64::from(grid.free_cells())
    }
}

/// The successors of a jump point.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The range of its hops.
    first: u32,
    len: u32,
    /// The last edit up to which it is known to be valid.
    edit: u32,
    /// The length of the diagonal walks.
    distance: u32,
}

/// A hop to a jump point.
#[derive(Clone, Copy, Debug)]
struct Hop {
    x: u16,
    y: u16,
    diagonal: u16,
    straight: u16,
    dir: Dir,
}

/// The cache is cleared once it has more hops than this (10 bytes each).
const MOST_HOPS: usize = 1 << 22;

/// The entries found so far.
#[derive(Debug)]
pub(crate) struct Cache {
    /// For each padded cell and straight direction, the number of its entry plus 1, or 0.
    places: Vec<u32>,
    known: Remembered<Entry, Hop>,
}

size_bytes!(Cache: places, known);

impl Cache {
    pub(crate) fn new(grid: &Grid, changes: &Changes) -> Self {
        Self { places: vec![0; 4 * grid.padded_cells()], known: Remembered::new(changes) }
    }

    /// Prepares for a query on the current map.
    pub(crate) fn follow(&mut self, changes: &Changes) {
        if self.known.follow(changes, self.known.items.len() > MOST_HOPS) {
            self.places.fill(0);
        }
    }
}

/// Looks up the successors of jump points, and scans for those that are not cached yet.
pub(crate) struct Remember<'a> {
    pub(crate) cache: &'a mut Cache,
    pub(crate) changes: &'a Changes,
    pub(crate) grid: &'a Grid,
}

impl Expand<&Planes> for Remember<'_> {
    fn expand(
        &mut self,
        planes: &Planes,
        gates: &impl Gate,
        cell: Cell,
        dir: Dir,
        moves: DirSet,
        sink: &mut impl Sink,
    ) {
        let Cache { places, known: Remembered { entries, items: hops, .. } } = &mut *self.cache;
        let place = &mut places[4 * self.grid.id(cell).index() + dir as usize / 2];
        let number = *place as usize;
        let known = number.checked_sub(1).and_then(|number| {
            let Entry { edit, distance, .. } = &mut entries[number];
            self.changes.holds(edit, || around(cell, *distance)).then_some(entries[number])
        });
        let entry = known.unwrap_or_else(|| {
            let first = hops.len() as u32;
            expand(planes, gates, cell, dir, moves, hops);
            let len = hops.len() as u32 - first;
            let diagonals = [(false, false), (false, true), (true, false), (true, true)];
            let walked = |(east, south)| planes.diagonal_steps(cell, east, south);
            let distance = diagonals.into_iter().map(walked).max().unwrap_or(0);
            let entry = Entry { first, len, edit: self.changes.now(), distance };
            if number == 0 {
                entries.push(entry);
                *place = entries.len() as u32;
            } else {
                entries[number - 1] = entry;
            }
            entry
        });
        for hop in &hops[entry.first as usize..][..entry.len as usize] {
            let at = Cell::new(hop.x.into(), hop.y.into());
            sink.found(at, hop.dir, hop.diagonal.into(), hop.straight.into());
        }
    }
}

/// The cells within this distance of a cell, and those beside them.
fn around(cell: Cell, distance: u32) -> Area {
    let (x, y, reach) = (cell.x as usize + 1, cell.y as usize + 1, distance as usize + 1);
    Area { left: x.saturating_sub(reach), right: x + reach, top: y.saturating_sub(reach), bottom: y + reach }
}

impl Sink for Vec<Hop> {
    #[inline]
    fn found(&mut self, at: Cell, dir: Dir, diagonal: u32, straight: u32) {
        // A side of a map fits into 16 bits.
        let [x, y, diagonal, straight] = [at.x, at.y, diagonal, straight].map(|number| number as u16);
        self.push(Hop { x, y, diagonal, straight, dir });
    }
}
