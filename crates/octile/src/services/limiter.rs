//! The probe that keeps a search within its limits.
//!
//! A search asks its probe at every expansion whether to [stop](Probe::stops). So limits are one mechanism for all
//! planners, and a search without limits pays nothing.

use std::sync::atomic::Ordering;

use web_time::Instant;

use crate::geometry::Cell;
use crate::planner::{Event, Limit, Limits, PathQuery, Planner, Probe};

/// The clock is read once per this many expansions: reading it takes as long as a short expansion.
const CLOCK_EVERY: u64 = 8;

/// A probe that stops a search at a limit, and forwards the events.
pub(crate) struct Limiter<'a, 'p> {
    limits: Limits<'a>,
    probe: Option<&'a mut (dyn Probe + 'p)>,
    /// The number of expansions so far, including the one at which it stopped the search.
    pub(crate) expanded: u64,
    /// The limit that ended the search, if one did.
    pub(crate) reached: Option<Limit>,
    /// Expanded cells, each nearer to a goal than all before it, if they are needed; only the nearest if paths may have
    /// any length.
    pub(crate) closest: Vec<Cell>,
    /// The goals that distances are measured to.
    goals: &'a [Cell],
    /// The planner that searches, and the start.
    origin: Option<(&'a dyn Planner, Cell)>,
    ignores_lengths: bool,
}

impl<'a, 'p> Limiter<'a, 'p> {
    pub(crate) fn new(limits: Limits<'a>, probe: Option<&'a mut (dyn Probe + 'p)>) -> Self {
        let reached = limits.reached_at_once();
        Self {
            limits,
            probe,
            expanded: 0,
            reached,
            closest: Vec::new(),
            goals: &[],
            origin: None,
            ignores_lengths: false,
        }
    }

    /// Records in `closest` which expanded cells come nearest to one of these goals, among those that the planner may
    /// reach from the start. The first is the start.
    pub(crate) fn watching(self, planner: &'a dyn Planner, start: Cell, goals: &'a [Cell], closest: Vec<Cell>) -> Self {
        // No other limit ends a search before it has seen everything reachable.
        let origin = (!self.limits.is_work_unlimited()).then_some((planner, start));
        let mut watching = Self { closest, goals, origin, ..self };
        if watching.closest.is_empty() {
            watching.note(start);
        }
        watching
    }

    /// Ignores the length limit: the lengths in this search are not those of the final paths.
    pub(crate) fn ignoring_lengths(self) -> Self {
        Self { ignores_lengths: true, ..self }
    }

    /// Lowers the maximum cost: longer paths are no longer useful.
    pub(crate) fn lower(&mut self, max_cost: f64) {
        self.limits.max_cost = self.limits.max_cost.min(max_cost);
    }

    /// The probe to pass to a search: `None` if there is nothing to observe.
    pub(crate) fn as_probe(&mut self) -> Option<&mut dyn Probe> {
        if self.limits.is_none() && self.probe.is_none() { None } else { Some(self) }
    }

    /// Whether a length is beyond the limit by more than rounding may add.
    fn is_beyond(&self, least: f64) -> bool {
        !self.ignores_lengths && least > self.limits.max_cost + self.limits.max_cost.abs() * 1e-9 + 1e-9
    }

    fn limit_at(&self, least: f64) -> Option<Limit> {
        let Limits { max_expanded, deadline, cancel, .. } = self.limits;
        if self.is_beyond(least) {
            Some(Limit::Cost)
        } else if self.expanded > max_expanded {
            Some(Limit::Expanded)
        } else if cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Limit::Cancelled)
        } else {
            let looks = self.expanded.is_multiple_of(CLOCK_EVERY);
            deadline.is_some_and(|deadline| looks && Instant::now() >= deadline).then_some(Limit::Deadline)
        }
    }

    /// The cells that searches over corners or blocks report need not be reachable.
    fn note(&mut self, cell: Cell) {
        let Some((planner, start)) = self.origin else { return };
        let near = |cell: Cell| (self.goals.iter().map(|goal| goal.square_distance(cell)).min(), cell.y, cell.x);
        let is_nearer = self.closest.last().is_none_or(|&known| near(cell) < near(known));
        if is_nearer && planner.may_connect(start, cell) {
            if self.limits.max_cost == f64::INFINITY {
                self.closest.clear();
            }
            self.closest.push(cell);
        }
    }

    fn tell(&mut self, event: impl FnOnce(&mut dyn Probe)) {
        if let Some(probe) = &mut self.probe {
            event(&mut **probe);
        }
    }
}

impl Probe for Limiter<'_, '_> {
    fn started(&mut self, trip: PathQuery) {
        self.tell(|probe| probe.started(trip));
    }

    fn stops(&mut self, least: f64) -> bool {
        self.expanded += 1;
        self.reached = self.reached.or_else(|| self.limit_at(least));
        let mut is_over = self.reached.is_some();
        self.tell(|probe| is_over |= probe.stops(least));
        is_over
    }

    fn expanded(&mut self, cell: Cell) {
        self.note(cell);
        self.tell(|probe| probe.expanded(cell));
    }

    fn event(&mut self, event: Event) {
        self.tell(|probe| event.tell(probe));
    }

    fn wants_sight(&self) -> bool {
        self.probe.as_ref().is_some_and(|probe| probe.wants_sight())
    }
}
