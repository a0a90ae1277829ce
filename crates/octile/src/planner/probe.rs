//! Probes observe a search: counters, traces and pictures are probes.
//!
//! A planner reports events to its probe. Each planner is compiled twice: for [`NoProbe`], which removes the calls, and
//! for all other probes.

use super::event::Event;
use super::query::PathQuery;
use crate::geometry::{Cell, Corner, Point};

/// Receives the events of a search. Every method has an empty default, so a probe implements only the events it needs.
/// Searches over corners report the cell to the lower right of a corner, or the nearest cell on the map.
pub trait Probe {
    /// A query starts.
    fn started(&mut self, query: PathQuery) {
        let _ = query;
    }

    /// Whether to stop the search here, with nothing found. It is called once before each expansion. `least` is a lower
    /// bound for the length of every path that is still to be found; 0 if the planner has no bound. A probe that has
    /// returned `true` must keep returning `true`.
    fn stops(&mut self, least: f64) -> bool {
        let _ = least;
        false
    }

    /// Any of the events below, for probes that treat them alike: by default, the method of each event calls this one.
    #[inline]
    fn event(&mut self, event: Event) {
        let _ = event;
    }

    /// A cell was put on the open list: for the `first` time in this query, or again at a lower cost.
    #[inline]
    fn reached(&mut self, cell: Cell, first: bool) {
        self.event(if first { Event::Reached(cell) } else { Event::Improved(cell) });
    }

    /// A cell was taken from the open list and expanded.
    #[inline]
    fn expanded(&mut self, cell: Cell) {
        self.event(Event::Expanded(cell));
    }

    /// A line of cells was put on the open list as one node, from its first to its last cell.
    #[inline]
    fn reached_line(&mut self, first: Cell, last: Cell) {
        self.event(Event::Line(first, last));
    }

    /// A rectangle of cells was expanded as one node, from its upper left to its lower right cell.
    #[inline]
    fn expanded_area(&mut self, min: Cell, max: Cell) {
        self.event(Event::Area(min, max));
    }

    /// A line of sight was checked between two points of an any-angle search: corners, or centres at the ends of the
    /// path.
    #[inline]
    fn sight(&mut self, from: Point, to: Point) {
        self.event(Event::Sight(from, to));
    }

    /// A straight line was put on the open list as the next segment of a taut path. Both its ends are ends of the path
    /// or corners of obstacles, and in sight of each other.
    #[inline]
    fn taut_hop(&mut self, from: Point, to: Point) {
        self.event(Event::TautHop(from, to));
    }

    /// Whether the probe wants the events of [`sees`](Probe::sees), for which a search looks around once more.
    fn wants_sight(&self) -> bool {
        false
    }

    /// A range of corners, adjacent in a row from first to last, is in sight of a point of a taut path: from an end of
    /// the path in all directions, from an expanded corner where the path may continue. A corner sees itself. Start and
    /// goal come first. Only probes that [want it](Probe::wants_sight) receive this event.
    #[inline]
    fn sees(&mut self, from: Point, first: Corner, last: Corner) {
        self.event(Event::Sees(from, first, last));
    }

    /// A hop of the path that was found, in order from start to goal. The rectangle around its two cells is free, so
    /// the straight line between them is free too. Only planners that know such hops report them.
    #[inline]
    fn hop(&mut self, from: Cell, to: Cell) {
        self.event(Event::Hop(from, to));
    }

    /// A cell was examined without entering the open list, such as each step of a diagonal jump.
    #[inline]
    fn touched(&mut self, cell: Cell) {
        self.event(Event::Touched(cell));
    }
}

/// A probe that ignores all events, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}

/// Two probes that observe the same search.
///
/// ```
/// use octile::{Engine, Grid, Path, Query};
/// use octile::planner::{Counts, ProbePair, Trace};
/// let engine = Engine::new("astar", &Grid::open(50, 50)?)?;
/// let (mut counts, mut trace) = (Counts::default(), Trace::default());
/// engine.plan_probed(Query::new((0, 0), (49, 20)), &mut Path::new(), &mut ProbePair(&mut counts, &mut trace))?;
/// assert_eq!(trace.expanded.len() as u64, counts.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProbePair<'a>(pub &'a mut dyn Probe, pub &'a mut dyn Probe);

impl Probe for ProbePair<'_> {
    fn started(&mut self, query: PathQuery) {
        self.0.started(query);
        self.1.started(query);
    }

    fn stops(&mut self, least: f64) -> bool {
        // Both are asked: a probe may count how often.
        let stops = [self.0.stops(least), self.1.stops(least)];
        stops.contains(&true)
    }

    fn event(&mut self, event: Event) {
        event.tell(self.0);
        event.tell(self.1);
    }

    fn wants_sight(&self) -> bool {
        self.0.wants_sight() || self.1.wants_sight()
    }
}

/// A probe that counts the events of a search. Reused, it adds up over queries.
///
/// ```
/// use octile::{Engine, Grid, Path, Query};
/// use octile::planner::Counts;
/// let engine = Engine::new("astar", &Grid::open(50, 50)?)?;
/// let (mut path, mut counts) = (Path::new(), Counts::default());
/// engine.plan_probed(Query::new((0, 0), (49, 49)), &mut path, &mut counts)?;
/// assert_eq!(counts.expanded, 50); // straight down the diagonal
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Cells put on the open list, each counted once per query.
    pub opened: u64,
    /// Cells already on the open list whose cost was lowered.
    pub improved: u64,
    /// Cells expanded; a cell expanded again counts again.
    pub expanded: u64,
    /// Cells examined without entering the open list.
    pub touched: u64,
    /// Lines of sight checked.
    pub sights: u64,
    /// The maximum size of the open list.
    pub longest_open: u64,
    open: u64,
}

impl Probe for Counts {
    fn started(&mut self, _query: PathQuery) {
        self.open = 0;
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Reached(_) => {
                self.opened += 1;
                self.open += 1;
                self.longest_open = self.longest_open.max(self.open);
            }
            Event::Improved(_) => self.improved += 1,
            Event::Expanded(_) => {
                self.expanded += 1;
                self.open = self.open.saturating_sub(1);
            }
            Event::Sight(..) => self.sights += 1,
            Event::Touched(_) => self.touched += 1,
            _ => {}
        }
    }
}

/// A probe that records, for pictures and in order, which cells a search expanded and which it only opened or examined;
/// the lines and areas of a search over those; and what a search over taut paths saw.
///
/// ```
/// use octile::{Engine, Grid, Path, Point, Query};
/// use octile::planner::Trace;
/// let grid: Grid = "....\n.@@.\n....".parse()?;
/// let (mut path, mut trace) = (Path::new(), Trace::default());
/// Engine::new("taut-sight", &grid)?.plan_probed(Query::new((0, 1), (3, 2)), &mut path, &mut trace)?;
/// // To the lower left corner of the obstacle, and along it to the goal.
/// assert_eq!(path.vertices()?.count(), 3);
/// let start = Point::corner((0, 1).into());
/// assert!(trace.taut_hops.contains(&(start, Point::corner((1, 2).into()))));
/// assert!(trace.sights.contains(&(start, (0, 2).into(), (1, 2).into())), "the corners in the row below the start");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The cells at the ends of the hops of the path that was found, from start to goal.
    pub hops: Vec<Cell>,
    /// Straight lines put on the open list by a search over taut paths, in order.
    pub taut_hops: Vec<(Point, Point)>,
    /// What such a search saw: the viewpoint, and the first and last of a range of adjacent corners; start and goal
    /// come first.
    pub sights: Vec<(Point, Corner, Corner)>,
}

impl Probe for Trace {
    fn event(&mut self, event: Event) {
        match event {
            Event::Reached(cell) | Event::Touched(cell) => self.seen.push(cell),
            Event::Expanded(cell) => self.expanded.push(cell),
            Event::Line(first, last) => self.lines.push((first, last)),
            Event::Area(min, max) => self.areas.push((min, max)),
            Event::Hop(from, to) => {
                if self.hops.last() != Some(&from) {
                    self.hops.push(from);
                }
                self.hops.push(to);
            }
            Event::TautHop(from, to) => self.taut_hops.push((from, to)),
            Event::Sees(from, first, last) => self.sights.push((from, first, last)),
            Event::Improved(_) | Event::Sight(..) => {}
        }
    }

    fn wants_sight(&self) -> bool {
        true
    }
}
