//! Queries that are answered in slices.

use super::ask::{Best, Candidate, go_to_closest, look_near_goals, nearest, reply};
use super::limiter::Limiter;
use crate::geometry::Cell;
use crate::path::Path;
use crate::planner::{AnswerSummary, Limit, Limits, Nearest, PathQuery, Planner, Query, QueryError, Scratch};

/// The progress of a query. Goals are tried one by one, ordered by a lower bound of their cost; then the cells nearest
/// to them, if the query accepts those.
#[derive(Debug)]
pub(crate) struct Slices<'q> {
    query: Query<'q>,
    /// The goals to try.
    goals: Vec<Candidate>,
    /// The index of the first goal that is not done.
    next: usize,
    /// Whether the search for that goal is paused.
    is_paused: bool,
    stage: Stage,
    best: Option<Best>,
    /// The best path so far, or an unused buffer.
    spare: Path,
    /// Whether a path was too long.
    too_long: bool,
    /// The number of expansions so far.
    pub(crate) expanded: u64,
    /// Expanded cells, each nearer to a goal than all before it, if the work is limited.
    closest: Vec<Cell>,
}

/// What the query is trying.
#[derive(Debug)]
enum Stage {
    /// Nothing yet.
    Begin,
    /// The goals of the query.
    Goals,
    /// The cells nearest to them.
    Near(Vec<Cell>),
}

impl<'q> Slices<'q> {
    /// A query that has not started.
    pub(crate) fn new(query: Query<'q>) -> Self {
        let (goals, spare) = (Vec::new(), Path::new());
        let (stage, best, too_long) = (Stage::Begin, None, false);
        Self { query, goals, next: 0, is_paused: false, stage, best, spare, too_long, expanded: 0, closest: Vec::new() }
    }

    /// Continues for `expansions` expansions; `None` if the query is not finished then.
    pub(crate) fn run(
        &mut self,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        expansions: u64,
        out: &mut Path,
    ) -> Result<Option<AnswerSummary>, QueryError> {
        if matches!(self.stage, Stage::Begin) {
            self.query.check(planner.grid())?;
            if !planner.grid().is_free(self.query.start) || self.query.goals.cells().contains(&self.query.start) {
                // It needs no long search, or cannot be sliced.
                return reply(planner, scratch, self.query, out, None).map(Some);
            }
            self.stage = Stage::Goals;
            self.closest.push(self.query.start);
            let goals = self.query.goals;
            self.try_all(planner, goals.cells());
        }
        if let Some(limit) = self.query.limits.reached_at_once() {
            return self.end_at(limit, planner, scratch, out).map(Some);
        }
        let end = self.expanded.saturating_add(expansions);
        loop {
            match self.run_stage(planner, scratch, end, out)? {
                Progress::Paused => return Ok(None),
                Progress::Ended(limit) => return self.end_at(limit, planner, scratch, out).map(Some),
                Progress::Done => {}
            }
            if let Some((_, place)) = self.best {
                std::mem::swap(out, &mut self.spare);
                return Ok(Some(self.found(place)));
            }
            if self.query.nearest == Nearest::No {
                return Ok(Some(AnswerSummary::none(self.too_long.then_some(Limit::Cost))));
            }
            if matches!(self.stage, Stage::Near(_)) || self.too_long {
                // Only the set of all reachable cells tells which cell is nearest.
                return reply(planner, scratch, self.query, out, None).map(Some);
            }
            self.try_nearest(planner);
        }
    }

    /// The answer after a limit: the path to the closest cell that was expanded, if the query accepts that.
    fn end_at(
        &mut self,
        limit: Limit,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        out: &mut Path,
    ) -> Result<AnswerSummary, QueryError> {
        if self.query.nearest == Nearest::No || limit == Limit::Cancelled {
            return Ok(AnswerSummary::none(Some(limit)));
        }
        let start = self.query.start;
        Ok(match go_to_closest(planner, scratch, &self.query, start, &self.closest, out)? {
            Some(end) => nearest(&self.query, start, end, Some(limit)),
            None => AnswerSummary::none(Some(limit)),
        })
    }

    fn try_all(&mut self, planner: &dyn Planner, cells: &[Cell]) {
        let start = self.query.start;
        self.goals.clear();
        self.goals
            .extend(cells.iter().enumerate().filter_map(|(place, &cell)| Candidate::new(planner, start, cell, place)));
        Candidate::sort(&mut self.goals);
        self.next = 0;
    }

    fn try_nearest(&mut self, planner: &dyn Planner) {
        let mut near = Vec::new();
        look_near_goals(planner, &self.query, self.query.start, &mut near);
        if near.contains(&self.query.start) {
            // No path is shorter than the empty one.
            near.retain(|&cell| cell == self.query.start);
        }
        self.try_all(planner, &near);
        self.stage = Stage::Near(near);
    }

    /// The answer for the goal at an index of the list.
    fn found(&self, place: usize) -> AnswerSummary {
        match &self.stage {
            Stage::Near(cells) => nearest(&self.query, self.query.start, cells[place], None),
            Stage::Begin | Stage::Goals => {
                AnswerSummary::found((self.query.start, self.query.goals.cells()[place]), place)
            }
        }
    }

    /// Tries the rest of a stage, up to a total number of expansions.
    fn run_stage(
        &mut self,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        end: u64,
        out: &mut Path,
    ) -> Result<Progress, QueryError> {
        while let Some(&goal) = self.goals.get(self.next).filter(|goal| !goal.is_beyond(self.best)) {
            let (found, reached) = self.go_on(planner, scratch, goal, end, out)?;
            match reached {
                Some(Limit::Expanded) if self.expanded < self.query.limits.max_expanded => {
                    self.is_paused = true;
                    return Ok(Progress::Paused);
                }
                Some(Limit::Cost) => self.too_long |= self.best.is_none(),
                Some(limit) => return Ok(Progress::Ended(limit)),
                None if found && goal.is_better(out.cost(), self.best) => {
                    if out.length() <= self.query.limits.max_cost {
                        self.best = Some((out.cost(), goal.place));
                        std::mem::swap(out, &mut self.spare);
                    } else {
                        self.too_long = true;
                    }
                }
                None => {}
            }
            self.is_paused = false;
            self.next += 1;
        }
        Ok(Progress::Done)
    }

    /// Starts or resumes the search for one goal. Returns whether there is a path, and the limit that ended the search.
    fn go_on(
        &mut self,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        goal: Candidate,
        end: u64,
        out: &mut Path,
    ) -> Result<(bool, Option<Limit>), QueryError> {
        let limits = self.query.limits;
        let max_expanded = end.min(limits.max_expanded) - self.expanded.min(limits.max_expanded);
        let mut limiter = Limiter::new(Limits { max_expanded, ..limits }, None);
        if self.query.nearest != Nearest::No && !limits.is_work_unlimited() {
            let closest = std::mem::take(&mut self.closest);
            limiter = limiter.watching(planner, self.query.start, self.query.goals.cells(), closest);
        }
        if let Some((cost, _)) = self.best {
            limiter.lower(cost.length());
        }
        if planner.facts().reshaped {
            limiter = limiter.ignoring_lengths();
        }
        let trip: PathQuery = self.query.path_query_to(goal.cell);
        let found = if limiter.reached.is_some() {
            Ok(false)
        } else if trip.start == trip.goal {
            planner.find_path(scratch, trip, out, None)
        } else {
            if self.is_paused {
                planner.go_on(scratch);
            }
            let found = planner.search(scratch, trip, out, Some(&mut limiter));
            // The expansion at which the search stops does not take place.
            self.expanded += limiter.expanded - u64::from(limiter.reached.is_some());
            found.map_err(|fault| QueryError::broken(planner.name(), fault))
        };
        self.closest = limiter.closest;
        Ok((found?, limiter.reached))
    }
}

/// How a slice ended.
enum Progress {
    /// There is more to do.
    Paused,
    /// A limit of the query ended it.
    Ended(Limit),
    /// Nothing is left to try.
    Done,
}
