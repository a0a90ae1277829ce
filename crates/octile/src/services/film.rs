//! A search as a film: all events that it reported to its probe, in order.

use crate::geometry::{Cell, Corner, Point};
use crate::planner::{PathQuery, Probe};

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
}

/// A probe that records all events of a search in order, up to a limit: to show the search step by step, or to export
/// it to other programs ([`posthoc`](crate::formats::posthoc)).
///
/// ```
/// use octile::services::{Event, Film};
/// use octile::{Engine, Grid, Path, Query};
/// let mut film = Film::default();
/// Engine::new("astar", &Grid::open(9, 9)?)?.plan_probed(Query::new((0, 0), (8, 8)), &mut Path::new(), &mut film)?;
/// let expanded = film.events().iter().filter(|event| matches!(event, Event::Expanded(_))).count();
/// assert_eq!((expanded, film.is_cut()), (9, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Film {
    trip: Option<PathQuery>,
    events: Vec<Event>,
    most: usize,
    is_cut: bool,
}

/// The default limit of events: about 30 MB.
const MOST: usize = 1_000_000;

impl Film {
    /// A film that records at most `most` events. The search continues to its end regardless.
    ///
    /// ```
    /// use octile::services::Film;
    /// use octile::{Engine, Grid, Path, Query};
    /// let mut film = Film::up_to(5);
    /// Engine::new("astar", &Grid::open(9, 9)?)?.plan_probed(Query::new((0, 0), (8, 8)), &mut Path::new(), &mut film)?;
    /// assert_eq!((film.events().len(), film.is_cut()), (5, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn up_to(most: usize) -> Self {
        Self { trip: None, events: Vec::new(), most, is_cut: false }
    }

    /// The query that was recorded; if one answer took several searches, that of the last.
    pub const fn trip(&self) -> Option<PathQuery> {
        self.trip
    }

    /// The events, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether some events were dropped because of the limit.
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Reports all recorded events to a probe, as the search did.
    ///
    /// ```
    /// use octile::services::Film;
    /// use octile::{Engine, Grid, Path, Query};
    /// use octile::planner::Trace;
    /// let mut film = Film::default();
    /// Engine::new("astar", &Grid::open(9, 9)?)?.plan_probed(Query::new((0, 0), (8, 8)), &mut Path::new(), &mut film)?;
    /// let mut trace = Trace::default();
    /// film.replay(&mut trace);
    /// assert_eq!(trace.expanded.len(), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(&self, probe: &mut dyn Probe) {
        if let Some(trip) = self.trip {
            probe.started(trip);
        }
        for &event in &self.events {
            match event {
                Event::Reached(cell) => probe.reached(cell, true),
                Event::Improved(cell) => probe.reached(cell, false),
                Event::Expanded(cell) => probe.expanded(cell),
                Event::Line(first, last) => probe.reached_line(first, last),
                Event::Area(min, max) => probe.expanded_area(min, max),
                Event::Sight(from, to) => probe.sight(from, to),
                Event::TautHop(from, to) => probe.taut_hop(from, to),
                Event::Sees(from, first, last) => probe.sees(from, first, last),
                Event::Hop(from, to) => probe.hop(from, to),
                Event::Touched(cell) => probe.touched(cell),
            }
        }
    }

    fn push(&mut self, event: Event) {
        if self.events.len() < self.most {
            self.events.push(event);
        } else {
            self.is_cut = true;
        }
    }
}

impl Default for Film {
    /// Records at most a million events.
    fn default() -> Self {
        Self::up_to(MOST)
    }
}

impl Probe for Film {
    fn started(&mut self, query: PathQuery) {
        self.trip = Some(query);
    }

    fn reached(&mut self, cell: Cell, first: bool) {
        self.push(if first { Event::Reached(cell) } else { Event::Improved(cell) });
    }

    fn expanded(&mut self, cell: Cell) {
        self.push(Event::Expanded(cell));
    }

    fn reached_line(&mut self, first: Cell, last: Cell) {
        self.push(Event::Line(first, last));
    }

    fn expanded_area(&mut self, min: Cell, max: Cell) {
        self.push(Event::Area(min, max));
    }

    fn sight(&mut self, from: Point, to: Point) {
        self.push(Event::Sight(from, to));
    }

    fn taut_hop(&mut self, from: Point, to: Point) {
        self.push(Event::TautHop(from, to));
    }

    fn wants_sight(&self) -> bool {
        true
    }

    fn sees(&mut self, from: Point, first: Corner, last: Corner) {
        self.push(Event::Sees(from, first, last));
    }

    fn hop(&mut self, from: Cell, to: Cell) {
        self.push(Event::Hop(from, to));
    }

    fn touched(&mut self, cell: Cell) {
        self.push(Event::Touched(cell));
    }
}
