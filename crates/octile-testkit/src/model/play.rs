//! Plays a program: every operation on the library, and its effect on the twin.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};
use std::time::Duration;

use octile::{
    Answer, Cell, Chase, EditError, Edits, Engine, Field, Finder, Goals, Grid, Guarantee, Matrix, Octile, OnEdit,
    Output, Path, PathCost, Pending, Planner, Query, QueryError, RenewError, Room, Routes, Scratch, SlicedRenewal,
    Status, Trip, Upkeep, distances,
};

use super::program::{Change, Form, Op, Place, Program, Question, Who};
use super::twin::{Map, World, agents};
use super::verdict::Case;
use super::{Failure, ensure};
use crate::judge;
use crate::oracle::{self, Truth};

/// Whether there are threads here.
const THREADS: bool = !cfg!(target_family = "wasm");

/// How a program is played.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Compares every path with the one that a new scratch gives.
    pub same_path: bool,
    /// Makes the engine.
    pub engine: fn(&str, &Grid) -> Result<Engine, String>,
    /// Writes edits and reads them back, such as by serde.
    pub carry_edits: fn(&Edits) -> Edits,
    /// Writes a path and reads it back.
    pub carry_path: fn(&Path) -> Path,
}

impl Default for Rules {
    fn default() -> Self {
        let engine = |spec: &str, grid: &Grid| Engine::new(spec, grid).map_err(|error| error.to_string());
        Self { same_path: false, engine, carry_edits: Edits::clone, carry_path: Path::clone }
    }
}

/// What a run did: how often each operation was played and each kind of answer given.
#[derive(Clone, Debug, Default)]
pub struct Counts(pub BTreeMap<String, u64>);

impl Counts {
    /// Counts something.
    pub fn add(&mut self, label: impl Into<String>) {
        *self.0.entry(label.into()).or_default() += 1;
    }

    /// Adds what another run did.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        other.0.into_iter().for_each(|(label, count)| *self.0.entry(label).or_default() += count);
        self
    }

    /// How often something happened.
    pub fn of(&self, label: &str) -> u64 {
        self.0.get(label).copied().unwrap_or_default()
    }
}

/// Plays a program to its end. A panic of the library is a failure.
///
/// # Errors
/// The first thing that went wrong, and at which operation.
pub fn play(program: &Program, rules: &Rules) -> Result<Counts, Failure> {
    let goals: Vec<Vec<Cell>> = program.ops.iter().map(|op| cells(&goals_of(op))).collect();
    let mut at = 0;
    let played = quietly(|| {
        let mut player = Player::new(program, rules)?;
        for (op, goals) in program.ops.iter().zip(&goals) {
            op.labels().into_iter().for_each(|label| player.counts.add(label));
            player.step(op, goals)?;
            at += 1;
        }
        Ok(player.counts)
    });
    let played = played.unwrap_or_else(|panic| Err(Failure::new("panic", message(&*panic))));
    let op = program.ops.get(at).map_or_else(|| "the end".to_owned(), |op| format!("{op:?}"));
    played.map_err(|fault| Failure { text: format!("operation {at}, {op}: {}", fault.text), ..fault })
}

thread_local! {
    /// Whether panics of this thread are failures of a program, and print nothing.
    static IS_QUIET: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Catches a panic without printing it.
fn quietly<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                usual(info);
            }
        }));
    });
    let before = IS_QUIET.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(before);
    done
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

fn goals_of(op: &Op) -> Vec<Place> {
    if let Op::Ask(_, question) | Op::Begin(question) = op { question.goals.clone() } else { Vec::new() }
}

fn cells(places: &[Place]) -> Vec<Cell> {
    places.iter().copied().map(Cell::from).collect()
}

/// All pairs, in the order in which batches have them.
fn pairs(starts: &[Place], goals: &[Place]) -> Vec<Trip> {
    starts.iter().flat_map(|&start| goals.iter().map(move |&goal| Trip::new(start, goal))).collect()
}

/// The cancel flags of queries.
static FLAGS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(true)];

fn query<'q>(question: &Question, goals: &'q [Cell]) -> Query<'q> {
    let mut query = Query::to_any(question.start, goals);
    if let [goal] = goals {
        query.goals = Goals::One(*goal);
    }
    query.nearest = question.nearest;
    query.limits.cancel = question.cancel.map(|is_set| &FLAGS[usize::from(is_set)]);
    let query = query.max_cost(question.max_cost.map_or(f64::INFINITY, |quarters| f64::from(quarters) / 4.0));
    question.max_expanded.map_or(query, |expansions| query.max_expanded(expansions))
}

/// A snapshot, with the map that it must keep.
struct Held {
    planner: Arc<dyn Planner>,
    scratch: Scratch,
    world: Rc<World>,
}

/// A finder with a map of its own.
struct Branch {
    finder: Finder,
    world: Rc<World>,
}

/// A query that is answered in slices, and what it must come to.
struct Begun<'p> {
    pending: Pending<'p>,
    query: Query<'p>,
    planner: Arc<dyn Planner>,
    world: Rc<World>,
}

struct Player<'p> {
    rules: &'p Rules,
    engine: Engine,
    world: Rc<World>,
    held: Vec<Held>,
    branches: Vec<Branch>,
    shared: Option<Scratch>,
    begun: Option<Begun<'p>>,
    chase: Chase,
    field: Option<Field>,
    sliced: Option<SlicedRenewal>,
    last_path: Option<Path>,
    counts: Counts,
}

impl<'p> Player<'p> {
    fn new(program: &Program, rules: &'p Rules) -> Result<Self, Failure> {
        let world = World::new(program.map.clone());
        let engine = (rules.engine)(&program.spec, &world.grid).map_err(|error| Failure::new("build", error))?;
        let (held, branches, chase, mut counts) = (Vec::new(), Vec::new(), Chase::new(&engine), Counts::default());
        counts.add(format!("spec {}", program.spec));
        let (shared, begun, field, sliced, last_path) = (None, None, None, None, None);
        Ok(Self { rules, engine, world, held, branches, shared, begun, chase, field, sliced, last_path, counts })
    }

    fn step(&mut self, op: &Op, goals: &'p [Cell]) -> Result<(), Failure> {
        match op {
            Op::Edit(changes) => self.edit(changes),
            Op::Race(changes, starts, goals) => self.race(changes, &pairs(starts, goals)),
            Op::Pairs(who, form, starts, goals) => self.pairs(*who, *form, starts, goals),
            Op::Ask(who, question) => self.ask(*who, &[query(question, goals)]),
            Op::Begin(question) => {
                let (query, planner) = (query(question, goals), self.engine.snapshot());
                let pending = self.engine.begin(query);
                self.begun = Some(Begun { pending, query, planner, world: Rc::clone(&self.world) });
                Ok(())
            }
            Op::Run(expansions) => self.run(*expansions),
            Op::Chase(unit, target) => self.chase(*unit, *target),
            Op::Field(goals) => self.make_field(goals),
            Op::Distances(source) => self.distances(Cell::from(*source)),
            Op::Hold => {
                self.hold();
                Ok(())
            }
            Op::LetGo(nth) => {
                if !self.held.is_empty() {
                    self.held.remove(nth % self.held.len());
                }
                Ok(())
            }
            Op::Branch => {
                self.branch_until(self.branches.len());
                Ok(())
            }
            Op::Stranger(spec, flipped) => {
                self.meet_stranger(spec, flipped);
                Ok(())
            }
            Op::EditBranch(nth, changes) => self.edit_branch(*nth, changes),
            Op::StillValid => self.still_valid(),
            _ => self.renew(op),
        }
    }

    fn hold(&mut self) {
        let planner = self.engine.snapshot();
        let scratch = planner.create_scratch();
        self.held.push(Held { planner, scratch, world: Rc::clone(&self.world) });
    }

    /// Makes branches of the engine's snapshot until this one exists.
    fn branch_until(&mut self, nth: usize) {
        while self.branches.len() <= nth {
            let finder = Finder::of(self.engine.snapshot());
            self.branches.push(Branch { finder, world: Rc::clone(&self.world) });
        }
    }

    /// Edits as the library has them, and the map that the twin has after them; `None` if it refuses them.
    fn edits(&self, map: &Map, changes: &[Change]) -> (Edits, Option<Map>) {
        let mut edits = Edits::new();
        for change in changes {
            change.add_to(&mut edits);
        }
        let mut after = map.clone();
        let done = after.edit(changes);
        ((self.rules.carry_edits)(&edits), done.then_some(after))
    }

    /// What an edit came to must be what the twin says: the world after it.
    fn edited(
        &mut self,
        world: &Rc<World>,
        after: Option<Map>,
        applied: &Result<(), EditError>,
        on_edit: OnEdit,
    ) -> Result<Rc<World>, Failure> {
        let is_refused = matches!(applied, Err(EditError::Refused { .. })) && on_edit == OnEdit::Refuses;
        let text = || format!("{applied:?}, but the twin takes it: {}", after.is_some());
        ensure(is_refused || applied.is_ok() == after.is_some(), "edit", text)?;
        let Some(after) = after.filter(|_| !is_refused) else {
            self.counts.add("edit-refused");
            return Ok(Rc::clone(world));
        };
        if after == world.map {
            self.counts.add("edit-without-effect");
            return Ok(Rc::clone(world));
        }
        Ok(World::new(after))
    }

    fn edit(&mut self, changes: &[Change]) -> Result<(), Failure> {
        let (edits, after) = self.edits(&self.world.map, changes);
        let applied = self.engine.apply(&edits);
        let is_applied = applied.is_ok();
        self.world = self.edited(&Rc::clone(&self.world), after, &applied, self.engine.on_edit())?;
        ensure(self.engine.grid() == self.world.grid, "map", || format!("the map is {:?}", self.engine.grid()))?;
        if let Some(field) = self.field.as_mut().filter(|_| is_applied) {
            field.apply(&edits).map_err(|error| Failure::new("edit", error.to_string()))?;
        }
        self.check_field()?;
        for held in &self.held {
            ensure(*held.planner.grid() == held.world.grid, "map", || "a snapshot has changed".into())?;
        }
        Ok(())
    }

    fn edit_branch(&mut self, nth: usize, changes: &[Change]) -> Result<(), Failure> {
        self.branch_until(nth);
        let world = Rc::clone(&self.branches[nth].world);
        let (edits, after) = self.edits(&world.map, changes);
        let finder = &mut self.branches[nth].finder;
        let (applied, on_edit) = (finder.apply(&edits), finder.on_edit());
        self.branches[nth].world = self.edited(&world, after, &applied, on_edit)?;
        Ok(())
    }

    fn meet_stranger(&mut self, spec: &str, flipped: &[Place]) {
        let mut map = self.world.map.clone();
        for index in flipped.iter().filter_map(|&place| map.index(place)).collect::<Vec<_>>() {
            map.cells[index].0 ^= true;
        }
        let world = World::new(map);
        // It may not support the movement rule or prices.
        if let Ok(finder) = Finder::new(spec, &world.grid) {
            self.counts.add("stranger");
            self.branches.push(Branch { finder, world });
        }
    }

    fn judge(
        &mut self,
        planner: &dyn Planner,
        world: &World,
        query: Query<'_>,
        answer: &Answer,
    ) -> Result<(), Failure> {
        Case { planner, world, query, answer }.judge(self.rules)?;
        self.counts.add("answer");
        self.counts.add(answer.reply().map_or("error", |reply| reply.status.name()));
        if let Some(limit) = answer.limit() {
            self.counts.add(format!("limit-{}", limit.name()));
        }
        if answer.status() == Status::Found {
            self.last_path = answer.path().ok().flatten().map(self.rules.carry_path);
        }
        Ok(())
    }

    /// Asks queries one by one. A snapshot or branch that does not exist yet is made first.
    fn ask(&mut self, who: Who, queries: &[Query<'_>]) -> Result<(), Failure> {
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
                let mut answers = vec![Answer::new(); queries.len()];
                for (query, answer) in queries.iter().zip(&mut answers) {
                    let _ = branch.finder.ask_into(*query, answer);
                }
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

    /// Asks a branch with the scratch of all branches. It is right or refuses that.
    fn ask_shared(&mut self, nth: usize, queries: &[Query<'_>]) -> Result<(), Failure> {
        let branch = self.branches.remove(nth);
        let planner = branch.finder.planner();
        let accepted = self.shared.take().filter(|scratch| planner.accepts(scratch));
        self.counts.add(if accepted.is_some() { "scratch-accepted" } else { "scratch-refused" });
        let mut scratch = accepted.unwrap_or_else(|| planner.create_scratch());
        let answers = ask_all(planner, &mut scratch, queries);
        self.judge_all(planner, &branch.world, queries, &answers)?;
        self.shared = Some(scratch);
        self.branches.insert(nth, branch);
        Ok(())
    }

    fn ask_engine(&mut self, who: Who, queries: &[Query<'_>]) -> Result<(), Failure> {
        let (engine, world) = self.engine_of(who)?;
        let planner = engine.snapshot();
        let ask = |engine: &Engine| -> Vec<Answer> {
            let mut answers = vec![Answer::new(); queries.len()];
            for (query, answer) in queries.iter().zip(&mut answers) {
                let _ = engine.ask_into(*query, answer);
            }
            answers
        };
        let answers = match who {
            Who::Clone => ask(&engine.clone()),
            Who::Thread if THREADS => on_thread(|| ask(&engine)),
            Who::Finder => {
                let finder = engine.finder();
                ask_all(finder.planner(), &mut finder.planner().create_scratch(), queries)
            }
            Who::Snapshot => ask_all(&*planner, &mut planner.create_scratch(), queries),
            _ => ask(&engine),
        };
        self.judge_all(&*planner, &world, queries, &answers)
    }

    fn judge_all(
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

    /// The engine that someone is, or has, and its world.
    fn engine_of(&self, who: Who) -> Result<(Engine, Rc<World>), Failure> {
        let Who::Agent(nth) = who else { return Ok((self.engine.clone(), Rc::clone(&self.world))) };
        let nth = nth % agents().len();
        let engine = self.engine.for_agent(agents()[nth]).map_err(|error| Failure::new("build", error.to_string()))?;
        let room = if engine.squeeze().is_some() { Room::Cell } else { Room::Centre };
        Ok((engine, self.world.for_agent(nth, room)))
    }

    fn pairs(&mut self, who: Who, form: Form, starts: &[Place], goals: &[Place]) -> Result<(), Failure> {
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

    /// Judges a path without a reply.
    fn judge_found(
        &mut self,
        planner: &dyn Planner,
        world: &World,
        trip: Trip,
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
        trip: Trip,
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
            Some((straight, diagonal)) => oracle::cost(&world.grid, Octile::new(straight, diagonal)),
            None => PathCost::AnyAngle(length),
        };
        self.counts.add("answer");
        let cost = length.is_finite().then_some(cost);
        let text = || format!("{trip:?}: {length} and {cost:?}");
        ensure(cost.is_none_or(|cost| cost.length().to_bits() == length.to_bits()), "routes", text)?;
        judge::judge_cost(planner, trip, cost, world.truth(trip.start)).map_err(|fault| Failure::new("cost", fault))
    }

    /// Matrices and the nearest of many: for free cells, as one blocked cell is an error for all.
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
                judge::judge_cost(&*planner, Trip::new(start, goal), cost, truth).map_err(|f| Failure::new("cost", f))
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

    fn run(&mut self, expansions: u64) -> Result<(), Failure> {
        let Some(begun) = &mut self.begun else { return Ok(()) };
        let ran = begun.pending.run(expansions);
        if matches!(ran, Ok(None)) {
            return Ok(());
        }
        let Some(Begun { pending, query, planner, world }) = self.begun.take() else { return Ok(()) };
        // A planner that stands in has other paths.
        let rules = Rules { same_path: self.rules.same_path && pending.name() == planner.name(), ..*self.rules };
        self.counts.add("sliced-answer");
        Case { planner: &*planner, world: &world, query, answer: pending.answer() }.judge(&rules)
    }

    fn chase(&mut self, unit: Place, target: Place) -> Result<(), Failure> {
        let (planner, world, trip) = (self.engine.snapshot(), Rc::clone(&self.world), Trip::new(unit, target));
        let found = self.chase.find(unit, target).map(Option::<&Path>::cloned).map_err(|error| error.to_string());
        self.judge_found(&*planner, &world, trip, found)
    }

    fn make_field(&mut self, goals: &[Place]) -> Result<(), Failure> {
        let is_wrong = goals.iter().any(|&goal| !self.world.map.is_free(goal));
        let made = self.engine.field(goals);
        ensure(made.is_err() == is_wrong, "error", || format!("a field of {goals:?}: {:?}", made.is_ok()))?;
        self.field = made.ok();
        self.check_field()
    }

    fn check_field(&self) -> Result<(), Failure> {
        let Some(field) = &self.field else { return Ok(()) };
        let grid = &self.world.grid;
        ensure(field.grid() == grid, "map", || "the field has another map".into())?;
        let goals: Vec<Cell> = field.goals().iter().copied().filter(|&goal| grid.is_free(goal)).collect();
        let (truth, mut path) = (oracle::distances_to(grid, &goals), Path::new());
        for cell in grid.cells() {
            let cost = truth.get(&cell).copied();
            let text = || format!("a field of {goals:?} says {:?} at {cell}, not {cost:?}", field.cost(cell));
            ensure(field.cost(cell) == cost, "field", text)?;
            let found = field.path(cell, Output::Waypoints, &mut path);
            let is_right = match (field.goal(cell), cost) {
                (Some(goal), Some(cost)) => {
                    found && path.check(grid, cell, goal).is_ok() && path.cost() == oracle::cost(grid, cost)
                }
                (goal, cost) => goal.is_none() && cost.is_none() && !found,
            };
            ensure(is_right, "field", || format!("a field of {goals:?} leads from {cell} by {path:?}"))?;
        }
        Ok(())
    }

    fn distances(&self, source: Cell) -> Result<(), Failure> {
        let grid = &self.world.grid;
        let found = distances(grid, source);
        let truth = if grid.is_free(source) { oracle::distances(grid, source) } else { BTreeMap::new() };
        let wrong = grid.cells().find(|cell| found.cost(*cell) != truth.get(cell).copied());
        ensure(wrong.is_none(), "distances", || format!("from {source} to {wrong:?}"))
    }

    fn still_valid(&mut self) -> Result<(), Failure> {
        let Some(path) = &self.last_path else { return Ok(()) };
        let (says, is) = (self.engine.still_valid(path), self.world.can_walk(path));
        self.counts.add(if is { "still-valid" } else { "no-longer-valid" });
        ensure(says == is, "still-valid", || format!("{path:?}: {says}"))
    }

    /// Asks on another thread while the map changes: every answer is right for the map before or after.
    fn race(&mut self, changes: &[Change], trips: &[Trip]) -> Result<(), Failure> {
        if !THREADS {
            return self.edit(changes);
        }
        let (engine, before, planner) = (self.engine.clone(), Rc::clone(&self.world), self.engine.snapshot());
        let weakest = planner.guarantee();
        drop(planner);
        let (found, edited) = std::thread::scope(|scope| {
            let asking =
                scope.spawn(|| trips.iter().map(|trip| engine.find(trip.start, trip.goal)).collect::<Vec<_>>());
            let edited = self.edit(changes);
            (asking.join(), edited)
        });
        edited?;
        let found = found.map_err(|panic| Failure::new("panic", message(&*panic)))?;
        let (after, planner) = (Rc::clone(&self.world), self.engine.snapshot());
        if weakest != planner.guarantee() {
            return Ok(());
        }
        for (trip, found) in trips.iter().zip(found) {
            let found = found.map_err(|error| error.to_string());
            let fits = |world: &World| match &found {
                Ok(path) => {
                    let is_legal = |path: &Path| path.check(&world.grid, trip.start, trip.goal).is_ok();
                    let cost = |truth| judge::judge_cost(&*planner, *trip, path.as_ref().map(Path::cost), truth);
                    trip.check(&world.grid).is_ok()
                        && path.as_ref().is_none_or(is_legal)
                        && cost(world.truth(trip.start)).is_ok()
                }
                Err(_) => trip.check(&world.grid).is_err(),
            };
            ensure(fits(&before) || fits(&after), "race", || format!("{trip:?}: {found:?}"))?;
            self.counts.add("answer");
        }
        Ok(())
    }

    fn renew(&mut self, op: &Op) -> Result<(), Failure> {
        match op {
            Op::Renew => self.renew_engine(&self.engine.clone())?,
            Op::RenewAgent(nth) => {
                let (engine, _) = self.engine_of(Who::Agent(*nth))?;
                self.renew_engine(&engine)?;
            }
            Op::BeginRenewal if THREADS => _ = self.engine.renew(),
            Op::AwaitRenewal => _ = self.engine.renewal().map(|renewal| renewal.wait()),
            Op::CancelRenewal => {
                if let Some(renewal) = self.engine.renewal() {
                    renewal.cancel();
                    let _ = renewal.wait();
                }
            }
            Op::BeginSlices => self.sliced = Some(self.engine.renew_by_slices()),
            Op::RunSlice => _ = self.sliced.as_mut().map(|sliced| sliced.run(Duration::ZERO)),
            Op::FinishSlices => {
                let end = self.sliced.take().and_then(|mut sliced| sliced.run(Duration::MAX));
                if let Some(Ok(_)) = end {
                    self.counts.add("renewed-in-slices");
                }
            }
            Op::DropSlices => self.sliced = None,
            Op::KeepFresh(is_on) if THREADS => {
                self.engine.keep_fresh(is_on.then(|| Upkeep::after(Duration::ZERO)));
            }
            _ => {}
        }
        ensure(self.engine.grid() == self.world.grid, "map", || "the renewed planner has another map".into())
    }

    fn renew_engine(&mut self, engine: &Engine) -> Result<(), Failure> {
        let renewed = if THREADS {
            engine.renew().wait()
        } else {
            engine.renew_by_slices().run(Duration::MAX).unwrap_or_else(|| unreachable!("it had all the time"))
        };
        self.counts.add(if renewed.is_ok() { "renewed" } else { "not-renewed" });
        let is_right = renewed.is_ok() && !engine.is_stale() || matches!(renewed, Err(RenewError::NoSpec));
        ensure(is_right, "renew", || format!("{renewed:?}, stale: {}", engine.is_stale()))
    }
}

fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

fn ask_all(planner: &dyn Planner, scratch: &mut Scratch, queries: &[Query<'_>]) -> Vec<Answer> {
    let ask = |query: &Query<'_>| {
        let mut answer = Answer::new();
        let _ = planner.ask(scratch, *query, &mut answer, None);
        answer
    };
    queries.iter().map(ask).collect()
}

/// Whether the nearest targets are in order: exactly those of the twin where paths are shortest.
fn is_sorted(planner: &dyn Planner, goals: &[Cell], truth: &Truth, nearest: &[(usize, PathCost)]) -> bool {
    if planner.guarantee() != Guarantee::GridOptimal {
        return nearest.is_sorted_by(|a, b| a.1.length() <= b.1.length());
    }
    let reached = goals.iter().enumerate().filter_map(|(place, &goal)| Some((truth.on_cells(goal)?, place)));
    let mut reached: Vec<(Octile, usize)> = reached.collect();
    reached.sort_unstable();
    reached.iter().zip(nearest).all(|(expected, found)| expected.1 == found.0)
}
