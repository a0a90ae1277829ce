//! Watching a search: counters, traces and pictures are probes.
//!
//! A planner tells its probe what it does, and is compiled twice: for [`NoProbe`], with which the calls vanish, and for any other.

use super::query::Query;
use crate::geometry::{Cell, Spot};

/// Receives the events of a search. Every method has an empty default, so a probe says only what it wants to hear. Searches
/// over corners tell of the cell to the lower right of a corner, or of the nearest on the map.
pub trait Probe {
    /// A query begins.
    fn started(&mut self, query: Query) {
        let _ = query;
    }

    /// A cell was put on the open list: for the `first` time in this query, or again because it got cheaper.
    fn reached(&mut self, cell: Cell, first: bool) {
        let _ = (cell, first);
    }

    /// A cell was taken from the open list and expanded.
    fn expanded(&mut self, cell: Cell) {
        let _ = cell;
    }

    /// A line of cells was put on the open list as one, from its first to its last cell.
    fn reached_line(&mut self, first: Cell, last: Cell) {
        let _ = (first, last);
    }

    /// A rectangle of cells was expanded as one, from its upper left to its lower right cell.
    fn expanded_area(&mut self, min: Cell, max: Cell) {
        let _ = (min, max);
    }

    /// A line of sight was checked, between two points of an any-angle search: corners, or centres at its ends.
    fn sight(&mut self, from: Spot, to: Spot) {
        let _ = (from, to);
    }

    /// A hop of the path that was found, in order from start to goal: the rectangle around its two cells is free, so that the straight
    /// line between them is. Only planners that know such hops tell of them.
    fn hop(&mut self, from: Cell, to: Cell) {
        let _ = (from, to);
    }

    /// A cell was examined in passing, without entering the open list, such as each step of a diagonal jump.
    fn touched(&mut self, cell: Cell) {
        let _ = cell;
    }
}

/// Watches nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}

/// Counts what a search does; reuse adds up over queries.
///
/// ```
/// use octile::{Counts, Engine, Grid, Path, Query};
/// let engine = Engine::new("astar", &Grid::open(50, 50)?)?;
/// let (mut path, mut counts) = (Path::new(), Counts::default());
/// engine.plan_probed(Query::new((0, 0), (49, 49)), &mut path, &mut counts)?;
/// assert_eq!(counts.expanded, 50); // straight down the diagonal
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Cells put on the open list, each counted once a query.
    pub opened: u64,
    /// Later improvements of those.
    pub improved: u64,
    /// Cells expanded; one expanded again counts again.
    pub expanded: u64,
    /// Cells examined in passing.
    pub touched: u64,
    /// Lines of sight checked.
    pub sights: u64,
    /// The most cells that were open at once.
    pub longest_open: u64,
    open: u64,
}

impl Probe for Counts {
    fn started(&mut self, _query: Query) {
        self.open = 0;
    }

    fn reached(&mut self, _cell: Cell, first: bool) {
        if first {
            self.opened += 1;
            self.open += 1;
            self.longest_open = self.longest_open.max(self.open);
        } else {
            self.improved += 1;
        }
    }

    fn expanded(&mut self, _cell: Cell) {
        self.expanded += 1;
        self.open = self.open.saturating_sub(1);
    }

    fn sight(&mut self, _from: Spot, _to: Spot) {
        self.sights += 1;
    }

    fn touched(&mut self, _cell: Cell) {
        self.touched += 1;
    }
}

/// Remembers which cells a search expanded and which it only opened or examined, in order, for pictures; and the lines and
/// areas of a search over those.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Trace {
    /// Cells expanded, in order.
    pub expanded: Vec<Cell>,
    /// Cells opened or examined, in order.
    pub seen: Vec<Cell>,
    /// Lines of cells put on the open list, in order: first and last cell.
    pub lines: Vec<(Cell, Cell)>,
    /// Areas expanded, in order: upper left and lower right cell.
    pub areas: Vec<(Cell, Cell)>,
    /// The ends of the hops of the path that was found, from start to goal.
    pub hops: Vec<Cell>,
}

impl Probe for Trace {
    fn reached(&mut self, cell: Cell, first: bool) {
        if first {
            self.seen.push(cell);
        }
    }

    fn expanded(&mut self, cell: Cell) {
        self.expanded.push(cell);
    }

    fn reached_line(&mut self, first: Cell, last: Cell) {
        self.lines.push((first, last));
    }

    fn expanded_area(&mut self, min: Cell, max: Cell) {
        self.areas.push((min, max));
    }

    fn hop(&mut self, from: Cell, to: Cell) {
        if self.hops.last() != Some(&from) {
            self.hops.push(from);
        }
        self.hops.push(to);
    }

    fn touched(&mut self, cell: Cell) {
        self.seen.push(cell);
    }
}
