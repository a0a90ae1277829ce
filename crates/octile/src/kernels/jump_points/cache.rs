//! What comes after jump points, remembered from one query to the next.
//!
//! It does not depend on the query, only on the map. A cache belongs to a scratch, for planners are shared; so it must
//! find out by itself what has changed since it was used last. A planner keeps, for every row and column, the number of
//! the last edit beside it. What was found from a jump point comes from the rows and columns of the diagonal walks that
//! it began with: it is dropped if one of those has changed since.

use super::{Expand, Gate, Sink, expand};
use crate::geometry::{Cell, Dir, DirSet};
use crate::grid::planes::Planes;
use crate::grid::{Changed, Grid};
use crate::kernels::history::History;
use crate::planner::size_bytes;

/// Caches are not used on a map where more than this share of the free cells are corners: random obstacles, mazes with
/// corridors of one or two cells, rooms of eight. Corners lie so close together there that a scan costs less than a
/// look into a table. Measured: at a share of .06 a cache is no gain, at .13 none or a loss, from .28 on queries take
/// 1.4 to 2.1 times as long; up to .045 they take .8.
const CROWDED: f64 = 0.05;

/// With so few corners, what is remembered of them stays close at hand: then caches are used however close the corners
/// lie.
const MOST_CROWDED: usize = 8192;

/// The edits of a planner's map, as far as caches need to know.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    /// For each row and column, with a border, the number of the last edit on it or beside it.
    rows: Vec<u32>,
    columns: Vec<u32>,
    history: History,
}

impl Changes {
    pub(crate) fn new(grid: &Grid) -> Self {
        let lines = |side: u32| vec![0; side as usize + 2];
        Self { rows: lines(grid.height()), columns: lines(grid.width()), history: History::new() }
    }

    /// Whether a cache is no loss on a map with these planes.
    pub(crate) fn pays(grid: &Grid, planes: &Planes) -> bool {
        let corners = planes.jump_points();
        corners <= MOST_CROWDED || corners as f64 <= CROWDED * f64::from(grid.free_cells())
    }

    /// Follows what has changed on the map.
    pub(crate) fn apply(&mut self, changed: &Changed) {
        let now = self.history.advance();
        for area in &changed.areas {
            self.rows[area.top - 1..=area.bottom + 1].fill(now);
            self.columns[area.left - 1..=area.right + 1].fill(now);
        }
    }

    /// Whether a row or column at most so far from a cell has changed after the edit of that number.
    fn changed_near(&self, cell: Cell, distance: usize, after: u32) -> bool {
        let near = |lines: &[u32], at: u32| {
            let at = at as usize + 1;
            lines[at.saturating_sub(distance)..=(at + distance).min(lines.len() - 1)].iter().any(|&edit| edit > after)
        };
        near(&self.rows, cell.y) || near(&self.columns, cell.x)
    }
}

/// What was found from a jump point.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Its hops.
    first: u32,
    len: u32,
    /// The edit up to which it is known to hold.
    edit: u32,
    /// How far the diagonal walks went.
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

/// Beyond so many hops (10 bytes each) the cache begins anew.
const MOST_HOPS: usize = 1 << 22;

/// What has been found so far.
#[derive(Debug)]
pub(crate) struct Cache {
    /// For each padded cell and straight direction the number of its entry plus 1, or 0.
    places: Vec<u32>,
    entries: Vec<Entry>,
    hops: Vec<Hop>,
    /// The map that it holds for.
    state: u64,
}

size_bytes!(Cache: places, entries, hops);

impl Cache {
    pub(crate) fn new(grid: &Grid, changes: &Changes) -> Self {
        let places = vec![0; 4 * grid.padded_cells()];
        Self { places, entries: Vec::new(), hops: Vec::new(), state: changes.history.mark() }
    }

    fn clear(&mut self) {
        self.places.fill(0);
        self.entries.clear();
        self.hops.clear();
    }

    /// Prepares for a query on a map as it is now.
    pub(crate) fn follow(&mut self, changes: &Changes) {
        if self.hops.len() > MOST_HOPS || !changes.history.knows(self.state) {
            self.clear();
        }
        self.state = changes.history.mark();
    }
}

/// Looks up what comes after jump points, and scans for what is not known yet.
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
        let (cache, now) = (&mut *self.cache, self.changes.history.now());
        let place = 4 * self.grid.id(cell).index() + dir as usize / 2;
        let number = cache.places[place] as usize;
        let mut known = number.checked_sub(1).map(|number| cache.entries[number]);
        if let Some(entry) = known
            && entry.edit != now
        {
            if self.changes.changed_near(cell, entry.distance as usize, entry.edit) {
                known = None;
            } else {
                cache.entries[number - 1].edit = now;
            }
        }
        let entry = known.unwrap_or_else(|| {
            let first = cache.hops.len() as u32;
            expand(planes, gates, cell, dir, moves, &mut cache.hops);
            let len = cache.hops.len() as u32 - first;
            let diagonals = [(false, false), (false, true), (true, false), (true, true)];
            let walked = |(east, south)| planes.diagonal_steps(cell, east, south);
            let distance = diagonals.into_iter().map(walked).max().unwrap_or(0);
            let entry = Entry { first, len, edit: now, distance };
            if number == 0 {
                cache.entries.push(entry);
                cache.places[place] = cache.entries.len() as u32;
            } else {
                cache.entries[number - 1] = entry;
            }
            entry
        });
        for hop in &cache.hops[entry.first as usize..][..entry.len as usize] {
            let at = Cell::new(hop.x.into(), hop.y.into());
            sink.found(at, hop.dir, hop.diagonal.into(), hop.straight.into());
        }
    }
}

impl Sink for Vec<Hop> {
    #[inline]
    fn found(&mut self, at: Cell, dir: Dir, diagonal: u32, straight: u32) {
        // A side of a map fits into 16 bits.
        let [x, y, diagonal, straight] = [at.x, at.y, diagonal, straight].map(|number| number as u16);
        self.push(Hop { x, y, diagonal, straight, dir });
    }
}
