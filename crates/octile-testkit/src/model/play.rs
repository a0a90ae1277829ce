//! Plays a program: every operation on the library, and its effect on the twin.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

use octile::engine::{Chase, Pending, SlicedRenewal};
use octile::planner::{Goals, Nearest, Scratch};
use octile::services::distances;
use octile::{Cell, Edits, Engine, Field, Finder, Grid, Output, Path, PathQuery, Planner, Query};

use super::program::{Op, Place, Program, Question};
use super::twin::World;
use super::verdict::Case;
use super::{Failure, ensure};
use crate::oracle;

/// Whether the platform has threads.
pub(super) const THREADS: bool = !cfg!(target_family = "wasm");

/// Settings for playing a program.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Compares every path with the one that a new scratch gives.
    pub same_path: bool,
    /// Makes the engine.
    pub engine: fn(&str, &Grid) -> Result<Engine, String>,
    /// Writes edits and reads them back, for example with serde.
    pub carry_edits: fn(&Edits) -> Edits,
    /// Writes a path and reads it back.
    pub carry_path: fn(&Path) -> Path,
}

impl Default for Rules {
    fn default() -> Self {
        let engine = |spec: &str, grid: &Grid| Engine::new(spec, grid).map_err(|error| error.to_string());
        Self { same_path: true, engine, carry_edits: Edits::clone, carry_path: Path::clone }
    }
}

/// The counts of a run: how often each operation was played and each kind of answer was given.
#[derive(Clone, Debug, Default)]
pub struct Counts(pub BTreeMap<String, u64>);

impl Counts {
    /// Counts something.
    pub fn add(&mut self, label: impl Into<String>) {
        *self.0.entry(label.into()).or_default() += 1;
    }

    /// Adds the counts of another run.
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
/// The first failure, with its operation.
pub fn play(program: &Program, rules: &Rules) -> Result<Counts, Failure> {
    let goals: Vec<Vec<Cell>> = program.ops.iter().map(|op| cells(&goals_of(op))).collect();
    let mut at = 0;
    let played = quietly(|| {
        let mut player = Player::new(program, *rules)?;
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

pub(super) fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

fn goals_of(op: &Op) -> Vec<Place> {
    if let Op::Ask(_, question) | Op::Begin(question) = op { question.goals.clone() } else { Vec::new() }
}

pub(super) fn cells(places: &[Place]) -> Vec<Cell> {
    places.iter().copied().map(Cell::from).collect()
}

/// All pairs, in the order of batches.
pub(super) fn pairs(starts: &[Place], goals: &[Place]) -> Vec<PathQuery> {
    starts.iter().flat_map(|&start| goals.iter().map(move |&goal| PathQuery::new(start, goal))).collect()
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

/// A snapshot, with the map that it must not change.
pub(super) struct Held {
    pub(super) planner: Arc<dyn Planner>,
    pub(super) scratch: Scratch,
    pub(super) world: Rc<World>,
}

/// A finder and its map, which is edited separately from the engine's.
pub(super) struct Branch {
    pub(super) finder: Finder,
    pub(super) world: Rc<World>,
}

/// A query that runs in slices, with all that is needed to judge it.
pub(super) struct Begun<'p> {
    pub(super) pending: Pending<'p>,
    pub(super) query: Query<'p>,
    pub(super) planner: Arc<dyn Planner>,
    pub(super) world: Rc<World>,
}

pub(super) struct Player<'p> {
    pub(super) rules: Rules,
    pub(super) engine: Engine,
    pub(super) world: Rc<World>,
    pub(super) held: Vec<Held>,
    pub(super) branches: Vec<Branch>,
    pub(super) shared: Option<Scratch>,
    pub(super) begun: Option<Begun<'p>>,
    pub(super) chase: Chase,
    pub(super) field: Option<Field>,
    pub(super) sliced: Option<SlicedRenewal>,
    pub(super) last_path: Option<Path>,
    pub(super) counts: Counts,
}

impl<'p> Player<'p> {
    fn new(program: &Program, rules: Rules) -> Result<Self, Failure> {
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

    pub(super) fn hold(&mut self) {
        let planner = self.engine.snapshot();
        let scratch = planner.create_scratch();
        self.held.push(Held { planner, scratch, world: Rc::clone(&self.world) });
    }

    /// Makes branches of the engine's snapshot until this one exists.
    pub(super) fn branch_until(&mut self, nth: usize) {
        while self.branches.len() <= nth {
            let finder = Finder::of(self.engine.snapshot());
            self.branches.push(Branch { finder, world: Rc::clone(&self.world) });
        }
    }

    fn run(&mut self, expansions: u64) -> Result<(), Failure> {
        let Some(begun) = &mut self.begun else { return Ok(()) };
        let ran = begun.pending.run(expansions);
        if matches!(ran, Ok(None)) {
            return Ok(());
        }
        let Some(Begun { pending, query, planner, world }) = self.begun.take() else { return Ok(()) };
        // A stand-in planner finds other paths, and slices try the goals one by one.
        let is_plain = query.limits.max_expanded == u64::MAX && query.goals.cells().len() == 1;
        let is_same = is_plain && query.nearest == Nearest::No && pending.name() == planner.name();
        let rules = Rules { same_path: self.rules.same_path && is_same, ..self.rules };
        self.counts.add("sliced-answer");
        Case { planner: &*planner, world: &world, query, answer: pending.answer() }.judge(&rules)
    }

    fn chase(&mut self, unit: Place, target: Place) -> Result<(), Failure> {
        let (planner, world, trip) = (self.engine.snapshot(), Rc::clone(&self.world), PathQuery::new(unit, target));
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

    pub(super) fn check_field(&self) -> Result<(), Failure> {
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
}
