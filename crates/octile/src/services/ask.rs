//! Queries that go beyond one path, answered for every planner: the nearest of many goals, the nearest reachable cell,
//! and limits.
//!
//! | query | natively | otherwise |
//! |---|---|---|
//! | nearest of many goals | [`Planner::search_any`], or [`Planner::nearest`] and one search | goal by goal, ordered by a lower bound of the cost, until no goal can be cheaper than the best |
//! | nearest cell | if connected components are known in advance: one more path query, to the nearest connected cell | if they are not known, or there is a maximum cost: by distances from the start |
//! | limits | the probe stops the search ([`Probe::stops`]) | a path that is too long is dropped |
//!
//! All answers are exact with respect to the cost of the planner's own paths.

use std::cmp::Ordering;
use std::mem;

use super::field::Distances;
use super::limiter::Limiter;
use crate::geometry::{Cell, GridCost, PathCost, order};
use crate::grid::Grid;
use crate::grid::nearest::NearestCells;
use crate::path::{Output, Path};
use crate::planner::{
    Answer, AnswerSummary, AnyGoalQuery, Guarantee, Limit, Nearest, PathQuery, Planner, Probe, Query, QueryError,
    Scratch, Status, size_bytes,
};

/// Buffers for such queries, reused from one to the next.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// Goals that may be reachable.
    goals: Vec<Candidate>,
    /// The cells of these goals.
    cells: Vec<Cell>,
    /// The cells nearest to a goal, or to the start.
    near: Vec<Cell>,
    starts: Vec<Cell>,
    /// Expanded cells, each nearer to a goal than all before it.
    closest: Vec<Cell>,
    /// All cells that may be reachable, sorted by their distance to the nearest goal.
    sorted: Vec<(u64, Cell)>,
    /// A path that may turn out to be the best.
    path: Path,
    /// The distances from the start.
    distances: Option<Distances>,
}

size_bytes!(Aside: goals, cells, near, starts, closest, sorted, distances);

/// A goal that may be reachable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) cell: Cell,
    /// The index of the goal in the query.
    pub(super) place: usize,
    /// A lower bound for the cost of a path to it.
    bound: f64,
}

impl Candidate {
    /// The goal at index `place`, if it may be reachable.
    pub(super) fn new(planner: &dyn Planner, start: Cell, cell: Cell, place: usize) -> Option<Self> {
        let least =
            || planner.grid().ground().map_or(1.0, |ground| f64::from(ground.least_counts()) * ground.count_value());
        let bound = || match planner.squeeze() {
            Some(_) => (cell.square_distance(start) as f64).sqrt(),
            None => GridCost::between(start, cell).length() * least(),
        };
        planner.may_connect(start, cell).then(|| Self { cell, place, bound: bound() })
    }

    /// Sorts goals into the order in which they are tried one by one.
    pub(super) fn sort(goals: &mut [Self]) {
        order::sort_by(goals, |a, b| a.bound.total_cmp(&b.bound).then(a.place.cmp(&b.place)));
    }

    /// Whether no path to this goal or to later ones can be better than the best.
    pub(super) fn is_beyond(&self, best: Option<Best>) -> bool {
        best.is_some_and(|(cost, _)| self.bound > cost.length() + ROUNDING * self.bound)
    }

    /// Whether a path to this goal with this cost is better than the best.
    pub(super) fn is_better(&self, cost: PathCost, best: Option<Best>) -> bool {
        best.is_none_or(|(least, first)| order(cost, least).then(self.place.cmp(&first)).is_lt())
    }
}

/// The cost of the best path so far, and the index of its goal.
pub(super) type Best = (PathCost, usize);

/// Because of rounding, lengths may look shorter than they are by up to this fraction.
const ROUNDING: f64 = 1e-9;

impl dyn Planner + '_ {
    /// Answers a query: overwrites `out` and returns whether there is a path, to a goal or, if the query asks for it,
    /// to the [nearest](Nearest) cell. A warm call does not allocate, that is, a call with a scratch and a path that
    /// have served such a query before.
    ///
    /// # Errors
    /// If an endpoint is off the map, or is blocked where that is not allowed, or the scratch was made by another
    /// planner.
    #[inline]
    pub fn plan<'q>(
        &self,
        scratch: &mut Scratch,
        query: impl Into<Query<'q>>,
        out: &mut Path,
    ) -> Result<bool, QueryError> {
        self.plan_probed(scratch, query, out, None)
    }

    /// Answers a query as [`plan`](#method.plan) does, observed by a probe.
    ///
    /// # Errors
    /// The same as [`plan`](#method.plan).
    #[inline]
    pub fn plan_probed<'q>(
        &self,
        scratch: &mut Scratch,
        query: impl Into<Query<'q>>,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, QueryError> {
        let query = query.into();
        match query.as_path_query() {
            Some(trip) => self.find_path(scratch, trip, out, probe),
            None => Ok(answer(self, scratch, query, out, probe)?.status.has_path()),
        }
    }

    /// Answers a query in full: how it ended, where the path leads, and which limit ended it.
    ///
    /// ```
    /// use octile::{Answer, Grid, Jps, Query, Status};
    /// let planner = Jps::default().planner(&"..@.".parse::<Grid>()?)?;
    /// let (mut scratch, mut answer) = (planner.create_scratch(), Answer::new());
    /// let reply = planner.ask(&mut scratch, Query::new((0, 0), (3, 0)).nearest(), &mut answer, None)?;
    /// assert_eq!((reply.status, reply.away), (Status::Nearest, 2.0));
    /// assert_eq!(answer.path()?.unwrap().length(), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The same as [`plan`](#method.plan); the answer also keeps the error.
    pub fn ask<'q>(
        &self,
        scratch: &mut Scratch,
        query: impl Into<Query<'q>>,
        out: &mut Answer,
        probe: Option<&mut dyn Probe>,
    ) -> Result<AnswerSummary, QueryError> {
        let reply = reply(self, scratch, query.into(), &mut out.path, probe);
        out.reply = Some(reply.clone());
        reply
    }
}

/// Answers a query of any kind.
pub(super) fn reply(
    planner: &dyn Planner,
    scratch: &mut Scratch,
    query: Query<'_>,
    out: &mut Path,
    probe: Option<&mut dyn Probe>,
) -> Result<AnswerSummary, QueryError> {
    let Some(trip) = query.as_path_query() else { return answer(planner, scratch, query, out, probe) };
    let found = planner.find_path(scratch, trip, out, probe)?;
    Ok(if found { AnswerSummary::found((trip.start, trip.goal), 0) } else { AnswerSummary::none(None) })
}

/// Answers a query that is more than a path from cell to cell.
fn answer(
    planner: &dyn Planner,
    scratch: &mut Scratch,
    query: Query<'_>,
    out: &mut Path,
    probe: Option<&mut dyn Probe>,
) -> Result<AnswerSummary, QueryError> {
    query.check(planner.grid())?;
    if !scratch.is_for(planner) {
        return Err(QueryError::ForeignScratch);
    }
    let mut aside = mem::take(scratch.aside::<Aside>());
    let reply = Asking { planner, scratch, aside: &mut aside, query, out }.run(probe);
    *scratch.aside() = aside;
    if !reply.as_ref().is_ok_and(|reply| reply.status.has_path()) {
        out.clear();
    }
    reply
}

/// The state of a query that is being answered.
struct Asking<'a> {
    planner: &'a dyn Planner,
    scratch: &'a mut Scratch,
    aside: &'a mut Aside,
    query: Query<'a>,
    out: &'a mut Path,
}

impl Asking<'_> {
    fn grid(&self) -> &Grid {
        self.planner.grid()
    }

    fn run(&mut self, probe: Option<&mut dyn Probe>) -> Result<AnswerSummary, QueryError> {
        if self.grid().is_free(self.query.start) {
            self.leave(self.query.start, probe)
        } else {
            self.leave_nearest(probe)
        }
    }

    /// Starts from the cell nearest to a blocked start. If goals can be reached, only cells from which a goal can be
    /// reached count; of several equally near cells the one with the best path wins.
    fn leave_nearest(&mut self, mut probe: Option<&mut dyn Probe>) -> Result<AnswerSummary, QueryError> {
        let mut starts = mem::take(&mut self.aside.starts);
        self.look_for_starts(&mut starts);
        let mut best: Option<(AnswerSummary, PathCost, Cell)> = None;
        let output = mem::replace(&mut self.query.output, Output::Cost);
        for &start in starts.iter().filter(|_| starts.len() > 1) {
            let reply = self.leave(start, None)?;
            let order = |(reply, cost, _): &(AnswerSummary, PathCost, Cell)| (rank(reply.status), reply.away, *cost);
            let found = (reply, self.out.cost(), start);
            if best.as_ref().is_none_or(|best| is_before(order(&found), order(best))) {
                best = Some(found);
            }
        }
        self.query.output = output;
        let start = best.map(|(.., start)| start).or(starts.first().copied());
        self.aside.starts = starts;
        let Some(start) = start else { return Ok(AnswerSummary::none(None)) };
        let reply = self.leave(start, probe.take())?;
        // The path does not begin at the requested start.
        Ok(if reply.status == Status::Found { AnswerSummary { status: Status::Nearest, ..reply } } else { reply })
    }

    /// The cells nearest to the start from which a goal can be reached, or all nearest free cells if there are none.
    fn look_for_starts(&self, starts: &mut Vec<Cell>) {
        let (planner, goals) = (self.planner, self.query.goals.cells());
        let leads_there = |cell: Cell| goals.iter().any(|&goal| planner.may_connect(cell, goal));
        let mut nearest = NearestCells::new(starts);
        nearest.look_around(planner.grid(), self.query.start, leads_there);
        if nearest.cells.is_empty() {
            nearest.look_around(planner.grid(), self.query.start, |_| true);
        }
        nearest.sort();
    }

    /// Starts from a free cell.
    fn leave(&mut self, start: Cell, probe: Option<&mut dyn Probe>) -> Result<AnswerSummary, QueryError> {
        let query = self.query;
        let mut closest = mem::take(&mut self.aside.closest);
        closest.clear();
        let limiter = Limiter::new(query.limits, probe);
        let mut limiter = limiter.watching(self.planner, start, query.goals.cells(), closest);
        if self.planner.facts().reshaped {
            limiter = limiter.ignoring_lengths();
        }
        let reply = self.leave_within(start, &mut limiter);
        self.aside.closest = limiter.closest;
        reply
    }

    /// Starts from a free cell, within limits.
    fn leave_within(&mut self, start: Cell, limiter: &mut Limiter<'_, '_>) -> Result<AnswerSummary, QueryError> {
        let query = self.query;
        let found = if limiter.reached.is_none() { self.go_to_goals(start, limiter)? } else { None };
        if let Some(place) = found {
            return Ok(AnswerSummary::found((start, query.goals.cells()[place]), place));
        }
        let mut limit = limiter.reached;
        if query.nearest == Nearest::No {
            return Ok(AnswerSummary::none(limit));
        }
        let mut end = None;
        if limit.is_none_or(|limit| limit == Limit::Cost) {
            limiter.reached = None;
            end = self.go_to_nearest(start, limiter)?;
        }
        if end.is_none() {
            limit = limiter.reached.or(limit);
        }
        if matches!(limit, Some(Limit::Expanded | Limit::Deadline)) {
            end = go_to_closest(self.planner, self.scratch, &query, start, &limiter.closest, self.out)?;
        }
        Ok(match end {
            Some(end) => nearest(&self.query, start, end, limit),
            None => AnswerSummary::none(limit),
        })
    }

    /// Finds a path to the nearest of the goals, by the cost of the path. Returns the index of that goal.
    fn go_to_goals(&mut self, start: Cell, limiter: &mut Limiter<'_, '_>) -> Result<Option<usize>, QueryError> {
        self.aside.goals.clear();
        let goals = self.query.goals;
        for (place, &goal) in goals.cells().iter().enumerate() {
            self.add_goal(start, goal, place);
        }
        self.go_to_best(start, limiter)
    }

    /// Adds a cell to the goals, if it may be reachable.
    fn add_goal(&mut self, start: Cell, cell: Cell, place: usize) {
        self.aside.goals.extend(Candidate::new(self.planner, start, cell, place));
    }

    /// Finds a path to the best of the goals that may be reachable, and returns the index of that goal. A path that is
    /// too long does not count; the limiter then reports the limit.
    fn go_to_best(&mut self, start: Cell, limiter: &mut Limiter<'_, '_>) -> Result<Option<usize>, QueryError> {
        let at_start = self.aside.goals.iter().find(|goal| goal.cell == start).copied();
        let found = match (at_start, &self.aside.goals[..]) {
            (Some(goal), _) => {
                let any_angle = self.planner.squeeze().map(|squeeze| (squeeze, self.planner.ends()));
                self.out.set_single(self.planner.grid(), self.query.output, start, any_angle);
                Some(goal.place)
            }
            (None, []) => None,
            (None, &[goal]) => self.go_to(start, goal.cell, limiter)?.then_some(goal.place),
            (None, _) => self.go_to_any(start, limiter)?,
        };
        let found = found.filter(|_| limiter.reached.is_none());
        if found.is_some() && self.out.length() > self.query.limits.max_cost {
            limiter.reached = Some(Limit::Cost);
            return Ok(None);
        }
        Ok(found)
    }

    /// Finds a path to another cell that may be reachable.
    fn go_to(&mut self, start: Cell, goal: Cell, limiter: &mut Limiter<'_, '_>) -> Result<bool, QueryError> {
        let trip = PathQuery { start, ..self.query.path_query_to(goal) };
        limiter.started(trip);
        let found = self.planner.search(self.scratch, trip, self.out, limiter.as_probe());
        found.map_err(|fault| QueryError::broken(self.planner.name(), fault))
    }

    /// Finds a path to the nearest of several goals.
    fn go_to_any(&mut self, start: Cell, limiter: &mut Limiter<'_, '_>) -> Result<Option<usize>, QueryError> {
        let Aside { goals, cells, .. } = &mut *self.aside;
        cells.clear();
        cells.extend(goals.iter().map(|goal| goal.cell));
        // With a bounded guarantee, the paths to single goals decide whether one is short enough: a single search for
        // all goals may find other paths.
        if self.planner.guarantee() != Guarantee::GridOptimal && self.query.limits.max_cost < f64::INFINITY {
            return self.one_by_one(start, limiter);
        }
        let trips = AnyGoalQuery { start, goals: cells, output: self.query.output };
        limiter.started(PathQuery { start, ..self.query.path_query_to(cells[0]) });
        match self.planner.search_any(self.scratch, trips, self.out, limiter.as_probe()) {
            None => self.by_costs(start, limiter),
            Some(Ok(found)) => Ok(found.map(|nth| goals[nth].place)),
            Some(Err(fault)) => Err(QueryError::broken(self.planner.name(), fault)),
        }
    }

    /// Finds a path to the nearest of several goals by their costs, if the planner can compute those without a search
    /// for each.
    fn by_costs(&mut self, start: Cell, limiter: &mut Limiter<'_, '_>) -> Result<Option<usize>, QueryError> {
        let Aside { goals, cells, .. } = &mut *self.aside;
        let mut first = None;
        let mut found = |nth: usize, _: PathCost| first = Some(goals[nth]);
        // Lengths of any-angle paths in an index are rounded: of two equal lengths either may look shorter.
        if self.planner.squeeze().is_some() || !self.planner.nearest(self.scratch, start, cells, 1, &mut found) {
            return self.one_by_one(start, limiter);
        }
        let Some(goal) = first else { return Ok(None) };
        Ok(self.go_to(start, goal.cell, limiter)?.then_some(goal.place))
    }

    /// Finds a path to the nearest of several goals by trying one after the other, ordered by a lower bound of the
    /// cost.
    fn one_by_one(&mut self, start: Cell, limiter: &mut Limiter<'_, '_>) -> Result<Option<usize>, QueryError> {
        Candidate::sort(&mut self.aside.goals);
        let (mut best, mut too_long): (Option<Best>, _) = (None, None);
        for nth in 0..self.aside.goals.len() {
            let goal = self.aside.goals[nth];
            if goal.is_beyond(best) {
                break;
            }
            mem::swap(self.out, &mut self.aside.path);
            let found = self.go_to(start, goal.cell, limiter)?;
            if limiter.reached.is_some_and(|limit| limit != Limit::Cost) {
                return Ok(None);
            }
            let cost = self.out.cost();
            if found && goal.is_better(cost, best) {
                best = Some((cost, goal.place));
                limiter.lower(cost.length());
            } else {
                mem::swap(self.out, &mut self.aside.path);
            }
            // The path to another goal may be shorter.
            too_long = limiter.reached.take().or(too_long);
        }
        limiter.reached = too_long.filter(|_| best.is_none());
        Ok(best.map(|(_, place)| place))
    }

    /// Finds a path to a reachable cell, without limits.
    fn go_to_end(&mut self, start: Cell, end: Cell) -> Result<Option<Cell>, QueryError> {
        let trip = PathQuery { start, ..self.query.path_query_to(end) };
        Ok(self.planner.find_path(self.scratch, trip, self.out, None)?.then_some(end))
    }

    /// Finds a path to the reachable cell that is nearest to a goal.
    fn go_to_nearest(&mut self, start: Cell, limiter: &mut Limiter<'_, '_>) -> Result<Option<Cell>, QueryError> {
        let planner = self.planner;
        if let Some(end) = self.go_to_nearest_connected(start, limiter)? {
            return Ok(Some(end));
        }
        if limiter.reached.is_some_and(|limit| limit != Limit::Cost) {
            return Ok(None);
        }
        let (is_grid, is_cost_limited) = (planner.squeeze().is_none(), self.query.limits.max_cost < f64::INFINITY);
        if is_grid && (!is_cost_limited || planner.guarantee() == Guarantee::GridOptimal) {
            self.go_to_nearest_by_distance(start)
        } else {
            self.go_to_nearest_by_trying(start, limiter)
        }
    }

    /// Finds a path to the cell nearest to a goal, among those connected to the start.
    fn go_to_nearest_connected(
        &mut self,
        start: Cell,
        limiter: &mut Limiter<'_, '_>,
    ) -> Result<Option<Cell>, QueryError> {
        let mut near = mem::take(&mut self.aside.near);
        look_near_goals(self.planner, &self.query, start, &mut near);
        let found = self.go_to_first_of(start, &near, limiter);
        self.aside.near = near;
        found
    }

    /// Finds a path to the cell with the cheapest path; of several the first wins.
    fn go_to_first_of(
        &mut self,
        start: Cell,
        cells: &[Cell],
        limiter: &mut Limiter<'_, '_>,
    ) -> Result<Option<Cell>, QueryError> {
        self.aside.goals.clear();
        for (place, &cell) in cells.iter().enumerate() {
            self.add_goal(start, cell, place);
        }
        limiter.reached.take_if(|limit| *limit == Limit::Cost);
        Ok(self.go_to_best(start, limiter)?.map(|place| cells[place]))
    }

    /// Finds a path to the nearest cell, by the distances of all cells that can be reached within the maximum cost.
    fn go_to_nearest_by_distance(&mut self, start: Cell) -> Result<Option<Cell>, QueryError> {
        let (grid, max_cost) = (self.planner.grid(), self.query.limits.max_cost);
        let distances = Distances::renewed(&mut self.aside.distances, grid, start, false, max_cost);
        if distances.is_cut() {
            return Err(QueryError::TooDear);
        }
        let reached = grid.cells().filter_map(|cell| Some((distances.cost(cell)?, cell)));
        let end = reached.min_by_key(|&(cost, cell)| (square(&self.query, cell), cost, cell.y, cell.x));
        end.map_or(Ok(None), |(_, end)| self.go_to_end(start, end))
    }

    /// Finds a path to the nearest cell that has a path within the maximum cost: tries cells in the order of nearness,
    /// as many as necessary.
    fn go_to_nearest_by_trying(
        &mut self,
        start: Cell,
        limiter: &mut Limiter<'_, '_>,
    ) -> Result<Option<Cell>, QueryError> {
        let mut sorted = mem::take(&mut self.aside.sorted);
        sorted.clear();
        let farthest = self.query.limits.max_cost * (1.0 + ROUNDING);
        let may_be = |&cell: &Cell| {
            (cell.square_distance(start) as f64).sqrt() <= farthest && self.planner.may_connect(start, cell)
        };
        sorted.extend(self.grid().cells().filter(may_be).map(|cell| (square(&self.query, cell), cell)));
        order::sort_by_key(&mut sorted, |&(square, cell)| (square, cell.y, cell.x));
        let mut near = mem::take(&mut self.aside.near);
        let mut found = Ok(None);
        for level in sorted.chunk_by(|a, b| a.0 == b.0) {
            near.clear();
            near.extend(level.iter().map(|&(_, cell)| cell));
            found = self.go_to_first_of(start, &near, limiter);
            let is_over = limiter.reached.is_some_and(|limit| limit != Limit::Cost);
            if is_over || !matches!(found, Ok(None)) {
                break;
            }
        }
        (self.aside.near, self.aside.sorted) = (near, sorted);
        found
    }
}

/// Finds a path to the last of some cells after the limited work is used up; this takes at most as long again. If that
/// path is too long, tries the cells before it: the first is the start, and paths mostly get longer down the list.
pub(super) fn go_to_closest(
    planner: &dyn Planner,
    scratch: &mut Scratch,
    query: &Query<'_>,
    start: Cell,
    closest: &[Cell],
    out: &mut Path,
) -> Result<Option<Cell>, QueryError> {
    let mut is_near_enough = |end: Cell| {
        let trip = PathQuery { start, ..query.path_query_to(end) };
        Ok(planner.find_path(scratch, trip, out, None)? && out.length() <= query.limits.max_cost)
    };
    let (mut good, mut bad) = (0, closest.len());
    let mut next = bad.saturating_sub(1);
    while good + 1 < bad {
        if is_near_enough(closest[next])? {
            good = next;
        } else {
            bad = next;
        }
        next = usize::midpoint(good, bad);
    }
    match closest.get(good) {
        Some(&end) => Ok(is_near_enough(end)?.then_some(end)),
        None => Ok(None),
    }
}

/// Finds the cells nearest to a goal, among those connected to a start.
pub(super) fn look_near_goals(planner: &dyn Planner, query: &Query<'_>, start: Cell, near: &mut Vec<Cell>) {
    let mut nearest = NearestCells::new(near);
    for &goal in query.goals.cells() {
        nearest.look_around(planner.grid(), goal, |cell| planner.may_connect(start, cell));
    }
    nearest.sort();
}

/// The answer for a path that ends near a goal.
pub(super) fn nearest(query: &Query<'_>, start: Cell, end: Cell, limit: Option<Limit>) -> AnswerSummary {
    let (status, away) = (Status::Nearest, (square(query, end) as f64).sqrt());
    AnswerSummary { status, ends: Some((start, end)), away, limit, ..AnswerSummary::default() }
}

/// The square of the distance of a cell from the nearest goal.
fn square(query: &Query<'_>, cell: Cell) -> u64 {
    query.goals.cells().iter().map(|goal| goal.square_distance(cell)).min().unwrap_or(0)
}

/// Ranks the outcomes of a query: less is better.
fn rank(status: Status) -> u8 {
    match status {
        Status::Found => 0,
        Status::Nearest => 1,
        Status::Limit => 2,
        Status::NoPath => 3,
    }
}

fn is_before(one: (u8, f64, PathCost), other: (u8, f64, PathCost)) -> bool {
    one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(order(one.2, other.2)).is_lt()
}

/// Compares two costs of one planner, exactly where they are exact.
fn order(one: PathCost, other: PathCost) -> Ordering {
    match (one.counts(), other.counts()) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => one.length().total_cmp(&other.length()),
    }
}
