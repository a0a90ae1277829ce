//! The events of a search as values.

use super::probe::Probe;
use crate::geometry::{Cell, Corner, Point};

/// An event of a search. [`Probe`] explains each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A cell was put on the open list for the first time.
    Reached(Cell),
    /// A cell on the open list got a lower cost.
    Improved(Cell),
    /// A cell was expanded.
    Expanded(Cell),
    /// A line of cells was put on the open list, from its first to its last cell.
    Line(Cell, Cell),
    /// A rectangle of cells was expanded, from its upper left to its lower right cell.
    Area(Cell, Cell),
    /// A line of sight was checked.
    Sight(Point, Point),
    /// A straight line was put on the open list.
    TautHop(Point, Point),
    /// Corners that lie side by side, from the first to the last, are in sight of a point.
    Sees(Point, Corner, Corner),
    /// A hop of the path that was found.
    Hop(Cell, Cell),
    /// A cell was examined in passing.
    Touched(Cell),
}

impl Event {
    /// The names of the kinds, by number.
    pub const KINDS: [&'static str; 10] =
        ["reached", "improved", "expanded", "line", "area", "sight", "taut-hop", "sees", "hop", "touched"];

    /// The event as plain numbers, for other languages: its kind, which is an index into [`KINDS`](Event::KINDS), and x
    /// and y of up to three points. Cells and corners are in cells, [points](Point) in halves of a cell. Unused numbers
    /// are 0.
    ///
    /// ```
    /// use octile::services::Event;
    /// use octile::{Cell, Point};
    /// let (a, b) = (Cell::new(3, 4), Cell::new(5, 4));
    /// assert_eq!(Event::Line(a, b).numbers(), [3, 3, 4, 5, 4, 0, 0]);
    /// assert_eq!(Event::Sight(Point::centre(a), Point::centre(b)).numbers(), [5, 7, 9, 11, 9, 0, 0]);
    /// ```
    pub const fn numbers(self) -> [i32; 7] {
        const fn row(kind: i32, a: (u32, u32), b: (u32, u32), c: (u32, u32)) -> [i32; 7] {
            // Map sides are below 2^16.
            [kind, a.0 as i32, a.1 as i32, b.0 as i32, b.1 as i32, c.0 as i32, c.1 as i32]
        }
        const NONE: (u32, u32) = (0, 0);
        match self {
            Self::Reached(cell) => row(0, (cell.x, cell.y), NONE, NONE),
            Self::Improved(cell) => row(1, (cell.x, cell.y), NONE, NONE),
            Self::Expanded(cell) => row(2, (cell.x, cell.y), NONE, NONE),
            Self::Line(a, b) => row(3, (a.x, a.y), (b.x, b.y), NONE),
            Self::Area(a, b) => row(4, (a.x, a.y), (b.x, b.y), NONE),
            Self::Sight(a, b) => row(5, a.halves(), b.halves(), NONE),
            Self::TautHop(a, b) => row(6, a.halves(), b.halves(), NONE),
            Self::Sees(from, a, b) => row(7, from.halves(), (a.x, a.y), (b.x, b.y)),
            Self::Hop(a, b) => row(8, (a.x, a.y), (b.x, b.y), NONE),
            Self::Touched(cell) => row(9, (cell.x, cell.y), NONE, NONE),
        }
    }

    /// Reports the event to a probe.
    pub fn tell(self, probe: &mut dyn Probe) {
        match self {
            Self::Reached(cell) => probe.reached(cell, true),
            Self::Improved(cell) => probe.reached(cell, false),
            Self::Expanded(cell) => probe.expanded(cell),
            Self::Line(first, last) => probe.reached_line(first, last),
            Self::Area(min, max) => probe.expanded_area(min, max),
            Self::Sight(from, to) => probe.sight(from, to),
            Self::TautHop(from, to) => probe.taut_hop(from, to),
            Self::Sees(from, first, last) => probe.sees(from, first, last),
            Self::Hop(from, to) => probe.hop(from, to),
            Self::Touched(cell) => probe.touched(cell),
        }
    }
}
