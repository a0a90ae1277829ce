//! A search as a film: all events that it reported to its probe, in order.

use crate::planner::{Event, PathQuery, Probe};

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
        self.events.iter().for_each(|event| event.tell(probe));
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

    fn event(&mut self, event: Event) {
        if self.events.len() < self.most {
            self.events.push(event);
        } else {
            self.is_cut = true;
        }
    }

    fn wants_sight(&self) -> bool {
        true
    }
}
