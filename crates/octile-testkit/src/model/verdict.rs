//! The definition of a right answer.

use std::sync::atomic::Ordering;

use crate::maps::free_cells;
use octile::planner::{AnswerSummary, Limit, Nearest};
use octile::{Answer, Cell, GridCost, Guarantee, Path, PathQuery, Planner, Query, QueryError, Status};

use super::play::Rules;
use super::twin::World;
use super::{Failure, ensure};
use crate::judge;
use crate::questions::Costs;

/// An answer with its query, its planner and the map.
pub struct Case<'a> {
    /// The planner that answered.
    pub planner: &'a dyn Planner,
    /// The map that the answer must be right for.
    pub world: &'a World,
    /// The query.
    pub query: Query<'a>,
    /// The answer.
    pub answer: &'a Answer,
}

impl Case<'_> {
    /// Compares the answer with the twin.
    ///
    /// # Errors
    /// What is wrong.
    pub fn judge(&self, rules: &Rules) -> Result<(), Failure> {
        ensure(*self.planner.grid() == self.world.grid, "map", || "the planner has another map".into())?;
        let reply = match self.answer.summary() {
            Ok(reply) => reply,
            Err(error) => return self.judge_error(&error),
        };
        ensure(!self.is_wrong(), "accepted", || format!("{:?} was answered: {reply:?}", self.query))?;
        let path = self.answer.path().ok().flatten();
        ensure(path.is_some() == reply.ends.is_some(), "path", || format!("{reply:?} with {path:?}"))?;
        if let (Some(path), Some(ends)) = (path, reply.ends) {
            self.judge_path(path, ends, &reply)?;
            same_path(rules, self.planner, self.query, path)?;
        }
        self.judge_end(&reply).map_err(|fault| {
            let text = format!("{} answered {reply:?} to {:?}: {}", self.planner.name(), self.query, fault.text);
            Failure::new(fault.kind, text)
        })
    }

    /// Whether the query is invalid.
    fn is_wrong(&self) -> bool {
        let is_wrong = |cell: Cell, lenient: bool| {
            !self.world.grid.contains(cell) || !lenient && !self.world.map.is_free((cell.x, cell.y))
        };
        let (goals, nearest) = (self.query.goals.cells(), self.query.nearest);
        goals.is_empty()
            || is_wrong(self.query.start, nearest == Nearest::Both)
            || goals.iter().any(|&goal| is_wrong(goal, nearest != Nearest::No))
    }

    fn judge_error(&self, error: &QueryError) -> Result<(), Failure> {
        let is_plain = matches!(error, QueryError::OffMap { .. } | QueryError::Blocked { .. } | QueryError::NoGoals);
        let text = || format!("{} failed on {:?}: {error}", self.planner.name(), self.query);
        ensure(is_plain && self.is_wrong(), "error", text)
    }

    /// Whether a path is legal, as cheap as promised for its own ends, and within the maximum cost.
    fn judge_path(&self, path: &Path, (start, end): (Cell, Cell), reply: &AnswerSummary) -> Result<(), Failure> {
        let (name, most) = (self.planner.name(), self.query.limits.max_cost);
        let text = || format!("{name}: a path of {} from {start} to {end}, at most {most}", path.length());
        ensure(path.length() <= most, "max-cost", text)?;
        path.check(&self.world.grid, start, end)
            .map_err(|fault| Failure::new("legal", format!("{name} from {start} to {end}: {fault}")))?;
        ensure(self.world.can_walk(path), "walk", || format!("{name} from {start} to {end}: {path:?}"))?;
        let away = self.query.goals.cells().iter().map(|goal| goal.square_distance(end)).min().unwrap_or_default();
        ensure(reply.away.to_bits() == (away as f64).sqrt().to_bits(), "away", || format!("{name}: {reply:?}"))?;
        judge::judge_path(self.planner, PathQuery::new(start, end), Some(path), self.world.truth(start))
            .map_err(|fault| Failure::new("cost", fault))
    }

    /// Whether the query ended as it should.
    fn judge_end(&self, reply: &AnswerSummary) -> Result<(), Failure> {
        let limits = &self.query.limits;
        let is_cancelled = limits.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
        let Some(start) = self.judge_start(reply)? else { return Ok(()) };
        if is_cancelled {
            let is_right = (reply.status, reply.limit) == (Status::Limit, Some(Limit::Cancelled));
            return ensure(is_right, "cancel", || "it was cancelled".into());
        }
        let is_limited = limits.max_expanded < u64::MAX;
        match reply.limit {
            Some(Limit::Expanded) => {
                // If a nearest cell is accepted, the start is always one.
                let is_nearest = self.query.nearest != Nearest::No && limits.max_cost >= 0.0;
                let status = if is_nearest { Status::Nearest } else { Status::Limit };
                let is_right = is_limited && reply.status == status;
                return ensure(is_right, "limit", || "no such limit".into());
            }
            Some(Limit::Cost) if limits.max_cost.is_infinite() => return Err(Failure::new("limit", "no such limit")),
            Some(Limit::Cost) | None => {}
            Some(_) => return Err(Failure::new("limit", "no such limit")),
        }
        // From a blocked start, a reached goal has the status `Nearest`.
        let mut reply = *reply;
        if reply.place.is_some() {
            reply.status = Status::Found;
        }
        if self.planner.guarantee() == Guarantee::GridOptimal {
            self.judge_exactly(start, &reply)
        } else {
            self.judge_bounds(start, &reply)
        }
    }

    /// The cell where the path begins: the start, or a nearest free cell that leads to a goal if one does; `None` if no
    /// cell is free.
    fn judge_start(&self, reply: &AnswerSummary) -> Result<Option<Cell>, Failure> {
        let wanted = self.query.start;
        if self.world.grid.is_free(wanted) {
            let is_right = reply.ends.is_none_or(|(start, _)| start == wanted);
            return ensure(is_right, "start", || "it begins elsewhere".into()).map(|()| Some(wanted));
        }
        let free = free_cells(&self.world.grid);
        let leads = |start: &Cell| self.query.goals.cells().iter().any(|&goal| self.optimum(*start, goal).is_some());
        let leading: Vec<Cell> = free.iter().copied().filter(leads).collect();
        let starts = if leading.is_empty() { free } else { leading };
        let Some(nearest) = starts.iter().map(|cell| cell.square_distance(wanted)).min() else {
            return ensure(reply.status == Status::NoPath, "start", || "no cell is free".into()).map(|()| None);
        };
        let Some((start, _)) = reply.ends else { return Ok(None) };
        let is_right = starts.contains(&start) && start.square_distance(wanted) == nearest;
        ensure(is_right, "start", || "another cell is nearer to the start".into()).map(|()| Some(start))
    }

    /// The optimum that the planner's guarantee refers to; none to a blocked cell, whose corner may still be reachable.
    fn optimum(&self, start: Cell, goal: Cell) -> Option<GridCost> {
        let optimum = || judge::optimum(self.planner, goal, self.world.truth(start));
        self.world.grid.is_free(goal).then(optimum).flatten()
    }

    /// Judges a planner that promises shortest grid paths: its answer is determined except for the path.
    fn judge_exactly(&self, start: Cell, reply: &AnswerSummary) -> Result<(), Failure> {
        let cost = self.answer.path().ok().flatten().map(Path::cost).unwrap_or_default();
        let judged = Costs::optimal(&self.world.grid, start).judge(&self.world.grid, &self.query, reply, cost);
        judged.map_err(|fault| Failure::new("question", fault))
    }

    /// Judges other planners: their guarantee bounds the cost of the nearest goal.
    fn judge_bounds(&self, start: Cell, reply: &AnswerSummary) -> Result<(), Failure> {
        let optima = self.query.goals.cells().iter().filter_map(|&goal| self.optimum(start, goal));
        let best = optima.min();
        let longest = best.and_then(|best| judge::longest(self.planner, best, &self.world.grid));
        let must_reach = best.is_some() && longest.is_some_and(|most| most <= self.query.limits.max_cost);
        let length = self.answer.path().ok().flatten().map_or(0.0, Path::length);
        match reply.status {
            Status::Found => {
                let is_right = longest.is_none_or(|most| length <= most);
                ensure(is_right, "nearest-goal", || format!("it is longer than {longest:?}"))?;
                let end = reply.place.and_then(|place| self.query.goals.cells().get(place).copied());
                ensure(end == reply.ends.map(|(_, end)| end), "place", || "it is another goal".into())
            }
            Status::NoPath => ensure(best.is_none(), "missed", || format!("there is a path of {best:?}")),
            Status::Limit => ensure(!must_reach, "missed", || format!("there is a path of {best:?}")),
            _ => {
                ensure(!must_reach, "missed", || format!("there is a path of {best:?}"))?;
                let is_near = self.query.limits.max_cost < f64::INFINITY || self.is_nearest(start, reply);
                ensure(is_near, "nearest", || "another cell is nearer".into())
            }
        }
    }

    /// Whether no reachable cell is nearer to a goal.
    fn is_nearest(&self, start: Cell, reply: &AnswerSummary) -> bool {
        let away =
            |cell: Cell| self.query.goals.cells().iter().map(|goal| goal.square_distance(cell)).min().unwrap_or(0);
        let free = self.world.grid.cells().filter(|&cell| self.world.grid.is_free(cell));
        let reached = free.filter(|&cell| self.optimum(start, cell).is_some());
        reached.map(away).min() == reply.ends.map(|(_, end)| away(end))
    }
}

/// Fails unless a new scratch gives the same path, if the rules ask for that.
pub(super) fn same_path(rules: &Rules, planner: &dyn Planner, query: Query<'_>, path: &Path) -> Result<(), Failure> {
    if !rules.same_path {
        return Ok(());
    }
    let mut fresh = Answer::new();
    let asked = planner.ask(&mut planner.create_scratch(), query, &mut fresh, None);
    let is_same = asked.is_ok() && fresh.path().ok().flatten() == Some(path);
    ensure(is_same, "same-path", || format!("{}: {path:?}, a new scratch gives {fresh:?}", planner.name()))
}
