//! Caches search results from one query to the next, while the map changes.
//!
//! Some intermediate results of a search depend only on the map. They are cached in the planner's scratches, because
//! threads share planners. An edit reaches the planner and none of its scratches, so a cache must find out by itself
//! what has changed since it was last used:
//!
//! - A planner keeps the [`Changes`] of its map: it numbers the edits, and stamps the area of each edit with its
//!   number.
//! - A scratch keeps what is [`Remembered`]: lists of results, and entries that refer to them. An entry stores the
//!   number of the last edit up to which it is known to be valid, and the area that it depends on. It is valid if no
//!   later edit has stamped anything in that area.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::grid::area::Area;
use crate::grid::{Changed, Edits, Grid};
use crate::planner::size_bytes;

/// The edits of a planner's map, in the detail that caches need.
#[derive(Clone, Debug)]
pub(crate) struct Changes<S> {
    stamps: S,
    history: History,
}

/// For the positions of a map, the number of the last edit there.
pub(crate) trait Stamps {
    /// The stamps of a map without edits.
    fn new(grid: &Grid) -> Self;

    /// Stamps an area.
    fn stamp(&mut self, area: Area, edit: u32);

    /// Whether a position that an area depends on was stamped by an edit with a number above `after`.
    fn is_newer(&self, area: Area, after: u32) -> bool;
}

impl<S: Stamps> Changes<S> {
    pub(crate) fn new(grid: &Grid) -> Self {
        Self { stamps: S::new(grid), history: History::new() }
    }

    /// Follows changes of the map.
    pub(crate) fn apply(&mut self, changed: &Changed) {
        self.stamp(changed.areas.iter().copied());
    }

    /// Follows edits, including those of prices.
    pub(crate) fn follow(&mut self, edits: &Edits) {
        self.stamp(edits.areas());
    }

    fn stamp(&mut self, areas: impl IntoIterator<Item = Area>) {
        let now = self.history.advance();
        areas.into_iter().for_each(|area| self.stamps.stamp(area, now));
    }

    /// Invalidates all earlier results.
    pub(crate) fn forget(&mut self) {
        self.history.forget();
    }

    /// The number of the last edit.
    #[inline]
    pub(crate) fn now(&self) -> u32 {
        self.history.now
    }

    /// Whether a result that was valid at the edit `edit` is valid on the current map. `area` returns all cells that it
    /// depends on, in padded coordinates, and may reach beyond the map. If the result is valid, `edit` becomes the last
    /// edit.
    #[inline]
    pub(crate) fn holds(&self, edit: &mut u32, area: impl FnOnce() -> Area) -> bool {
        let now = self.now();
        let holds = *edit == now || !self.stamps.is_newer(area(), *edit);
        if holds {
            *edit = now;
        }
        holds
    }
}

/// Stamps of rows and columns: a result depends on all cells of the rows and columns of its area.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    rows: Vec<u32>,
    columns: Vec<u32>,
}

impl Stamps for Lines {
    fn new(grid: &Grid) -> Self {
        let lines = |side: u32| vec![0; side as usize + 2];
        Self { rows: lines(grid.height()), columns: lines(grid.width()) }
    }

    fn stamp(&mut self, area: Area, edit: u32) {
        self.rows[area.top..=area.bottom].fill(edit);
        self.columns[area.left..=area.right].fill(edit);
    }

    fn is_newer(&self, area: Area, after: u32) -> bool {
        let any = |lines: &[u32], first: usize, last: usize| {
            lines[first..=last.min(lines.len() - 1)].iter().any(|&edit| edit > after)
        };
        any(&self.rows, area.top, area.bottom) || any(&self.columns, area.left, area.right)
    }
}

/// The side of a tile in cells.
const TILE: usize = 8;

/// Stamps of square tiles: a result depends on the cells of its area.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    /// For each tile, the last edit that touched it.
    stamps: Vec<u32>,
    /// For each row of tiles, the latest of their stamps.
    rows: Vec<u32>,
    per_row: usize,
}

impl Tiles {
    /// The rows and the columns of tiles that an area touches.
    fn touched(&self, area: Area) -> [std::ops::RangeInclusive<usize>; 2] {
        let tiles = |first: usize, last: usize, all: usize| first / TILE..=(last / TILE).min(all - 1);
        [tiles(area.top, area.bottom, self.rows.len()), tiles(area.left, area.right, self.per_row)]
    }
}

impl Stamps for Tiles {
    fn new(grid: &Grid) -> Self {
        let [rows, per_row] = [grid.height(), grid.width()].map(|side| (side as usize + 2).div_ceil(TILE));
        Self { stamps: vec![0; rows * per_row], rows: vec![0; rows], per_row }
    }

    fn stamp(&mut self, area: Area, edit: u32) {
        let [rows, columns] = self.touched(area);
        for row in rows {
            self.rows[row] = edit;
            self.stamps[row * self.per_row..][columns.clone()].fill(edit);
        }
    }

    fn is_newer(&self, area: Area, after: u32) -> bool {
        let [mut rows, columns] = self.touched(area);
        rows.any(|row| {
            let has_newer = || self.stamps[row * self.per_row..][columns.clone()].iter().any(|&edit| edit > after);
            self.rows[row] > after && has_newer()
        })
    }
}

/// The results that a scratch has cached.
#[derive(Debug)]
pub(crate) struct Remembered<E, T> {
    /// The cached entries, each with the last edit up to which it is [valid](Changes::holds).
    pub(crate) entries: Vec<E>,
    /// The results, in lists that entries refer to.
    pub(crate) items: Vec<T>,
    /// The state of the map that the results belong to.
    mark: u64,
}

size_bytes!(for [E, T] Remembered<E, T>: entries, items);

impl<E, T> Remembered<E, T> {
    /// An empty cache for the current map.
    pub(crate) fn new<S>(changes: &Changes<S>) -> Self {
        Self { entries: Vec::new(), items: Vec::new(), mark: changes.history.mark() }
    }

    /// Prepares for a query on the current map. Clears the cache and returns true if it is too large, or if it belongs
    /// to a map state that `changes` do not know.
    pub(crate) fn follow<S>(&mut self, changes: &Changes<S>, is_too_much: bool) -> bool {
        let begins_anew = is_too_much || !changes.history.knows(self.mark);
        if begins_anew {
            self.entries.clear();
            self.items.clear();
        }
        self.mark = changes.history.mark();
        begins_anew
    }
}

/// The edits of a map. They are numbered, and each has a mark that no other edit of any planner has.
#[derive(Clone, Debug)]
struct History {
    /// The number of the last edit.
    now: u32,
    /// The marks of the latest edits, the last one at the end.
    marks: VecDeque<u64>,
}

/// A cache that was not used for this many edits is cleared.
const MOST_MARKS: usize = 4096;

impl History {
    fn new() -> Self {
        Self { now: 0, marks: VecDeque::from([Self::new_mark()]) }
    }

    fn new_mark() -> u64 {
        static MARKS: AtomicU64 = AtomicU64::new(0);
        MARKS.fetch_add(1, Ordering::Relaxed)
    }

    /// Adds an edit and returns its number.
    fn advance(&mut self) -> u32 {
        if self.now == u32::MAX {
            // Caches of earlier map states are cleared. Older numbers then look newer: their results are checked again,
            // which is never wrong.
            self.marks.clear();
            self.now = 0;
        }
        self.now += 1;
        if self.marks.len() == MOST_MARKS {
            self.marks.pop_front();
        }
        self.marks.push_back(Self::new_mark());
        self.now
    }

    /// From now on, caches of earlier map states are cleared.
    fn forget(&mut self) {
        self.marks.clear();
        self.marks.push_back(Self::new_mark());
    }

    /// Identifies the current map state among those of all planners.
    fn mark(&self) -> u64 {
        self.marks[self.marks.len() - 1]
    }

    /// Whether the map had the state with this mark, not too long ago.
    fn knows(&self, mark: u64) -> bool {
        self.marks.contains(&mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::geometry::Dice;

    #[test]
    fn copies_know_what_they_have_in_common() {
        let mut one = History::new();
        let before = one.mark();
        let mut other = one.clone();
        assert_eq!((one.advance(), other.advance()), (1, 1));
        assert!(one.knows(before) && other.knows(before));
        assert!(!one.knows(other.mark()) && one.mark() != other.mark());
        for _ in 0..MOST_MARKS {
            one.advance();
        }
        assert!(!one.knows(before), "too long ago");
    }

    #[test]
    fn numbers_begin_again_when_they_run_out() {
        let mut history = History { now: u32::MAX - 1, ..History::new() };
        let [before, last] = [history.mark(), {
            _ = history.advance();
            history.mark()
        }];
        assert!(history.knows(before) && history.now == u32::MAX);
        assert_eq!(history.advance(), 1);
        assert!(!history.knows(before) && !history.knows(last) && history.knows(history.mark()));
    }

    /// The cached results of an area are dropped if an edit lies in it, and seldom otherwise.
    #[test]
    fn what_an_edit_touches_is_forgotten() {
        let grid = generate::random(70, 50, 20, 1).unwrap();
        let (mut lines, mut tiles) = (Changes::<Lines>::new(&grid), Changes::<Tiles>::new(&grid));
        let (mut dice, mut kept) = (Dice::new(1), 0);
        for _ in 0..500 {
            let mut area = || {
                let mut side = |size: u32| 1 + dice.below(size.into()) as usize;
                let (a, b, c, d) = (side(70), side(70), side(50), side(50));
                Area { left: a.min(b), right: a.max(b), top: c.min(d), bottom: c.max(d) }
            };
            let (edited, seen) = (area(), area());
            let (mut by_line, mut by_tile) = (lines.now(), tiles.now());
            lines.stamp([edited]);
            tiles.stamp([edited]);
            let meets = |a: usize, b: usize, c: usize, d: usize| a <= d && c <= b;
            let columns = meets(edited.left, edited.right, seen.left, seen.right);
            let rows = meets(edited.top, edited.bottom, seen.top, seen.bottom);
            let holds = [lines.holds(&mut by_line, || seen), tiles.holds(&mut by_tile, || seen)];
            assert_eq!(holds[0], !columns && !rows);
            assert!(!holds[1] || !columns || !rows, "{edited:?} {seen:?}");
            assert_eq!([by_line == lines.now(), by_tile == tiles.now()], holds);
            kept += u32::from(holds[1]);
        }
        assert!(kept > 100, "{kept}");
    }

    #[test]
    fn findings_are_dropped_when_they_are_of_no_use() {
        let mut changes = Changes::<Tiles>::new(&generate::random(20, 20, 20, 1).unwrap());
        let mut found = Remembered::<u32, u32>::new(&changes);
        let fill = |found: &mut Remembered<u32, u32>| {
            found.entries.push(1);
            found.items.push(2);
        };
        fill(&mut found);
        changes.stamp([]);
        assert!(!found.follow(&changes, false) && found.items.len() == 1, "the last edit but one is known");
        assert!(found.follow(&changes, true) && found.items.is_empty() && found.entries.is_empty());
        fill(&mut found);
        changes.forget();
        assert!(found.follow(&changes, false) && found.items.is_empty());
        fill(&mut found);
        let other = Changes::<Tiles>::new(&generate::random(20, 20, 20, 1).unwrap());
        assert!(found.follow(&other, false), "another planner's map");
    }
}
