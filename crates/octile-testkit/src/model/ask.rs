//! Asks queries through every part of the API, and judges the answers.

use std::rc::Rc;
use std::sync::Arc;

use octile::engine::{Matrix, Routes};
use octile::grid::Room;
use octile::planner::{AnswerSummary, Scratch};
use octile::{
    Answer, Cell, Engine, GridCost, Guarantee, Path, PathCost, PathQuery, Planner, Query, QueryError, Status,
};

use super::play::{Held, Player, THREADS, cells, pairs};
use super::program::{Form, Place, Who};
use super::twin::{World, agents};
use super::verdict::{Case, same_path};
use super::{Failure, ensure};
use crate::judge;
use crate::oracle::{self, Truth};

impl Player<'_> {
    pub(super) fn judge(
        &mut self,
        planner: &dyn Planner,
        world: &World,
        query: Query<'_>,
        answer: &Answer,
    ) -> Result<(), Failure> {
        Case { planner, world, query, answer }.judge(&self.rules)?;
        self.counts.add("answer");
        self.counts.add(answer.summary().map_or("error", |reply| reply.status.name()));
        if let Some(limit) = answer.limit() {
            self.counts.add(format!("limit-{}", limit.name()));
        }
        if answer.status() == Status::Found {
            self.last_path = answer.path().ok().flatten().map(self.rules.carry_path);
        }
        Ok(())
    }

    /// Asks queries one by one. A snapshot or branch that does not exist yet is made first.
    pub(super) fn ask(&mut self, who: Who, queries: &[Query<'_>]) -> Result<(), Failure> {
        match who {
            Who::Held(nth) => {
                if self.held.is_empty() {
                    self.hold();
                }
                let nth = nth % self.held.len();
                let Held { planner, scratch, world } = &mut self.held[nth];
                let (planner, world) = (Arc::clone(planner), Rc::clone(world));
                let answers = ask_all(&*planner, scratch, queries);
                self.judge_all(&*planner, &world, queries, &answers)
            }
            Who::Branch(nth) => {
                self.branch_until(nth);
                let mut branch = self.branches.remove(nth);
                let answers = ask_with(queries, |query, answer| branch.finder.ask_into(query, answer));
                self.judge_all(branch.finder.planner(), &branch.world, queries, &answers)?;
                self.branches.insert(nth, branch);
                Ok(())
            }
            Who::Shared(nth) => {
                self.branch_until(nth);
                self.ask_shared(nth, queries)
            }
            _ => self.ask_engine(who, queries),
        }
    }

    /// Asks a branch with the shared scratch. The answer is right, or the scratch is refused.
    pub(super) fn ask_shared(&mut self, nth: usize, queries: &[Query<'_>]) -> Result<(), Failure> {
        let branch = self.branches.remove(nth);
        let planner = branch.finder.planner();
        let mut scratch = self.shared.take().unwrap_or_else(|| planner.create_scratch());
        let is_accepted = scratch.is_for(planner);
        self.counts.add(if is_accepted { "scratch-accepted" } else { "scratch-refused" });
        if !is_accepted {
            let refused = ask_all(planner, &mut scratch, queries);
            let is_refused =
                |answer: &Answer| answer.summary().is_err_and(|error| !matches!(error, QueryError::Broken { .. }));
            ensure(refused.iter().all(is_refused), "scratch", || "a scratch was used that is not accepted".into())?;
            scratch = planner.create_scratch();
        }
        let answers = ask_all(planner, &mut scratch, queries);
        self.judge_all(planner, &branch.world, queries, &answers)?;
        self.shared = Some(scratch);
        self.branches.insert(nth, branch);
        Ok(())
    }

    pub(super) fn ask_engine(&mut self, who: Who, queries: &[Query<'_>]) -> Result<(), Failure> {
        let (engine, world) = self.engine_of(who)?;
        let planner = engine.snapshot();
        let ask = |engine: &Engine| ask_with(queries, |query, answer| engine.ask_into(query, answer));
        let answers = match who {
            Who::Clone => ask(&engine.clone()),
            Who::Thread if THREADS => on_thread(|| ask(&engine)),
            Who::Finder => {
                let mut finder = engine.finder();
                ask_with(queries, |query, answer| finder.ask_into(query, answer))
            }
            Who::Snapshot => ask_all(&*planner, &mut planner.create_scratch(), queries),
            _ => ask(&engine),
        };
        // A planner that replaced this one meanwhile may find other paths.
        let same_path = self.rules.same_path;
        self.rules.same_path &= Arc::ptr_eq(&planner, &engine.snapshot());
        let judged = self.judge_all(&*planner, &world, queries, &answers);
        self.rules.same_path = same_path;
        judged
    }

    pub(super) fn judge_all(
        &mut self,
        planner: &dyn Planner,
        world: &World,
        queries: &[Query<'_>],
        answers: &[Answer],
    ) -> Result<(), Failure> {
        for (query, answer) in queries.iter().zip(answers) {
            self.judge(planner, world, *query, answer)?;
            let (start, goal) = (query.start, query.goal());
            let is_free = world.grid.is_free(start) && world.grid.is_free(goal);
            let connects = is_free && judge::optimum(planner, goal, world.truth(start)).is_some();
            let text = || format!("{} says of {start} and {goal} that {}", planner.name(), !connects);
            ensure(planner.may_connect(start, goal) == connects, "may-connect", text)?;
        }
        Ok(())
    }

    /// The engine that answers for `who`, and its world.
    pub(super) fn engine_of(&self, who: Who) -> Result<(Engine, Rc<World>), Failure> {
        let Who::Agent(nth) = who else { return Ok((self.engine.clone(), Rc::clone(&self.world))) };
        let nth = nth % agents().len();
        let engine = self.engine.for_agent(agents()[nth]).map_err(|error| Failure::new("build", error.to_string()))?;
        let room = if engine.squeeze().is_some() { Room::Cell } else { Room::Centre };
        Ok((engine, self.world.for_agent(nth, room)))
    }

    pub(super) fn pairs(&mut self, who: Who, form: Form, starts: &[Place], goals: &[Place]) -> Result<(), Failure> {
        let trips = pairs(starts, goals);
        let queries: Vec<Query<'_>> = trips.iter().map(|&trip| trip.into()).collect();
        if form == Form::OneByOne {
            return self.ask(who, &queries);
        }
        let (engine, world) = self.engine_of(who)?;
        let planner = engine.snapshot();
        match form {
            Form::FindAll => {
                let found = engine.find_all(&queries);
                for (trip, found) in trips.iter().zip(found) {
                    if let Ok(Some(path)) = &found {
                        same_path(&self.rules, &*planner, (*trip).into(), path)?;
                    }
                    self.judge_found(&*planner, &world, *trip, found.map_err(|error| error.to_string()))?;
                }
                Ok(())
            }
            Form::PlanAll => {
                let mut answers = Vec::new();
                engine.plan_all(&queries, &mut answers);
                self.judge_all(&*planner, &world, &queries, &answers)
            }
            Form::Routes => {
                let mut routes = Routes::new();
                ensure(engine.find_routes(&trips, &mut routes, |_, _| true), "routes", || "they ended early".into())?;
                (0..trips.len()).try_for_each(|nth| self.judge_route(&*planner, &world, trips[nth], &routes, nth))
            }
            _ => self.costs(&engine, &world, form, starts, goals),
        }
    }

    /// Judges a path without a summary.
    pub(super) fn judge_found(
        &mut self,
        planner: &dyn Planner,
        world: &World,
        trip: PathQuery,
        found: Result<Option<Path>, String>,
    ) -> Result<(), Failure> {
        let is_wrong = trip.check(&world.grid).is_err();
        ensure(found.is_err() == is_wrong, "error", || format!("{trip:?}: {found:?}"))?;
        let Ok(path) = found else { return Ok(()) };
        self.counts.add("answer");
        judge::judge_path(planner, trip, path.as_ref(), world.truth(trip.start))
            .map_err(|fault| Failure::new("cost", fault))
    }

    fn judge_route(
        &mut self,
        planner: &dyn Planner,
        world: &World,
        trip: PathQuery,
        routes: &Routes,
        nth: usize,
    ) -> Result<(), Failure> {
        let (length, straight, diagonal) = (routes.lengths[nth], routes.straight[nth], routes.diagonal[nth]);
        let is_wrong = trip.check(&world.grid).is_err();
        ensure(length.is_nan() == is_wrong, "error", || format!("{trip:?}: {length}"))?;
        if is_wrong {
            return Ok(());
        }
        let counts = u32::try_from(straight).ok().zip(u32::try_from(diagonal).ok());
        let cost = match counts {
            Some((straight, diagonal)) => oracle::cost(&world.grid, GridCost::new(straight, diagonal)),
            None => PathCost::AnyAngle(length),
        };
        self.counts.add("answer");
        let cost = length.is_finite().then_some(cost);
        let text = || format!("{trip:?}: {length} and {cost:?}");
        ensure(cost.is_none_or(|cost| cost.length().to_bits() == length.to_bits()), "routes", text)?;
        judge::judge_cost(planner, trip, cost, world.truth(trip.start)).map_err(|fault| Failure::new("cost", fault))
    }

    /// Judges matrices and the nearest of many targets. Only free cells are asked for, because one blocked cell is an
    /// error for the whole call.
    fn costs(
        &mut self,
        engine: &Engine,
        world: &World,
        form: Form,
        starts: &[Place],
        goals: &[Place],
    ) -> Result<(), Failure> {
        let [starts, goals] = [starts, goals].map(|list| {
            let free = list.iter().copied().filter(|&place| world.map.is_free(place));
            cells(&free.collect::<Vec<_>>())
        });
        let (planner, failed) = (engine.snapshot(), |error: QueryError| Failure::new("error", error.to_string()));
        let matrix = if form == Form::Matrix { engine.matrix(&starts, &goals).map_err(failed)? } else { Matrix::new() };
        for (source, &start) in starts.iter().enumerate() {
            let truth = world.truth(start);
            let check = |goal: Cell, cost: Option<PathCost>| {
                judge::judge_cost(&*planner, PathQuery::new(start, goal), cost, truth)
                    .map_err(|f| Failure::new("cost", f))
            };
            if let Form::KNearest(count) = form {
                let nearest = engine.k_nearest(start, &goals, count).map_err(failed)?;
                nearest.iter().try_for_each(|&(place, cost)| check(goals[place], Some(cost)))?;
                let reached = goals.iter().filter(|&&goal| judge::optimum(&*planner, goal, truth).is_some());
                let text = || format!("{count} nearest from {start}: {nearest:?}");
                ensure(nearest.len() == reached.count().min(count), "k-nearest", text)?;
                ensure(is_sorted(&*planner, &goals, truth, &nearest), "k-nearest", text)?;
            } else {
                goals.iter().enumerate().try_for_each(|(nth, &goal)| check(goal, matrix.cost(source, nth)))?;
            }
            self.counts.add("answer");
        }
        Ok(())
    }
}

fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

fn ask_all(planner: &dyn Planner, scratch: &mut Scratch, queries: &[Query<'_>]) -> Vec<Answer> {
    ask_with(queries, |query, answer| planner.ask(scratch, query, answer, None))
}

/// Asks queries in sequence. An answer stores its error.
fn ask_with<'q>(
    queries: &[Query<'q>],
    mut ask: impl FnMut(Query<'q>, &mut Answer) -> Result<AnswerSummary, QueryError>,
) -> Vec<Answer> {
    let mut answers = vec![Answer::new(); queries.len()];
    for (query, answer) in queries.iter().zip(&mut answers) {
        _ = ask(*query, answer);
    }
    answers
}

/// Whether the nearest targets are in order: exactly the twin's order if the planner promises shortest paths.
fn is_sorted(planner: &dyn Planner, goals: &[Cell], truth: &Truth, nearest: &[(usize, PathCost)]) -> bool {
    if planner.guarantee() != Guarantee::GridOptimal {
        return nearest.is_sorted_by(|a, b| a.1.length() <= b.1.length());
    }
    let reached = goals.iter().enumerate().filter_map(|(place, &goal)| Some((truth.on_cells(goal)?, place)));
    let mut reached: Vec<(GridCost, usize)> = reached.collect();
    reached.sort_unstable();
    reached.iter().zip(nearest).all(|(expected, found)| expected.1 == found.0)
}
