//! A game: squads march from camp to camp while buildings drop in their way.
//!
//! ```text
//! cargo run --release -p octile --example rts
//! cargo run --release -p octile --example rts -- --gif rts.gif
//! ```
//!
//! One [`Engine`] serves all units. In every tick the units think on several threads, each of which asks the same engine for
//! paths; buildings land between two ticks, and every unit whose way is now blocked asks again. What happens depends on the
//! seed alone, not on time or threads.

pub(crate) mod film;

use std::collections::VecDeque;
use std::error::Error;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use octile::{Cell, CornerSweep, Dice, Edits, Engine, Grid, Path, generate};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => play(&BATTLE, &mut io::stdout()),
        ["--gif", file] => Ok(fs::write(file, film::shoot(&SCENE)?)?),
        _ => Err("usage: rts [--gif FILE]".into()),
    }
}

/// How large a game is.
pub(crate) struct Size {
    width: u32,
    height: u32,
    squads: u32,
    /// Units in each of them.
    strength: u32,
    ticks: u32,
    /// A building drops every so many ticks.
    pace: u32,
    seed: u64,
}

/// The game that is played as text.
pub(crate) const BATTLE: Size =
    Size { width: 512, height: 512, squads: 50, strength: 20, ticks: 200, pace: 2, seed: 7 };

/// The game that is filmed.
pub(crate) const SCENE: Size = Size { width: 120, height: 72, squads: 6, strength: 8, ticks: 96, pace: 4, seed: 21 };

const THREADS: usize = 2;

/// Plays a game and tells what happened.
pub(crate) fn play(size: &Size, out: &mut impl Write) -> Result<()> {
    let mut world = World::new(size)?;
    writeln!(out, "{} units on {} x {} cells", world.units.len(), size.width, size.height)?;
    writeln!(
        out,
        "{:>5} {:>10} {:>7} {:>10} {:>10} {:>10}",
        "tick", "buildings", "paths", "re-routed", "edit us", "think us"
    )?;
    let mut sum = Tick::default();
    for tick in 1..=size.ticks {
        let now = world.tick()?;
        if tick % (size.ticks / 10) == 0 {
            let (edit, think) = (now.edit.as_micros(), now.think.as_micros());
            let buildings = world.buildings.len();
            writeln!(out, "{tick:>5} {buildings:>10} {:>7} {:>10} {edit:>10} {think:>10}", now.paths, now.rerouted)?;
        }
        sum.paths += now.paths;
        sum.rerouted += now.rerouted;
        sum.think += now.think;
        sum.edit += now.edit;
    }
    let (paths, rerouted, ticks) = (sum.paths, sum.rerouted, size.ticks);
    writeln!(out, "{paths} paths in {ticks} ticks, {rerouted} of them around new buildings")?;
    writeln!(out, "a tick took {:.0?} for the map and {:.0?} for the units", sum.edit / ticks, sum.think / ticks)?;
    Ok(())
}

/// What happened in a tick.
#[derive(Default)]
struct Tick {
    /// Paths that were asked for, and how many of them because the way was blocked.
    paths: u32,
    rerouted: u32,
    /// What the change of the map took, and the thinking of all units.
    edit: Duration,
    think: Duration,
}

/// The game.
struct World {
    engine: Engine,
    /// The map as generated, without buildings.
    caves: Grid,
    camps: Vec<Cell>,
    units: Vec<Unit>,
    buildings: VecDeque<Building>,
    dice: Dice,
    clock: u32,
    pace: u32,
}

/// Somebody who walks from camp to camp.
struct Unit {
    squad: u32,
    at: Cell,
    goal: Cell,
    /// The cells still to go, the next one first.
    route: VecDeque<Cell>,
    /// How many camps it has been sent to.
    legs: u32,
    thought: Thought,
    /// Its own, so that it does not matter which thread it thinks on.
    dice: Dice,
}

/// A block of cells that units walk around, for a time.
struct Building {
    upper_left: Cell,
    lower_right: Cell,
    since: u32,
}

impl World {
    fn new(size: &Size) -> Result<Self> {
        let caves = generate::caves(size.width, size.height, 42, size.seed)?;
        let engine = Engine::new(CornerSweep::default(), &caves)?;
        let mut dice = Dice::new(size.seed);
        let camps = camps(&caves, size.squads, &mut dice);
        let units = (0..size.squads * size.strength).map(|number| {
            let (squad, mut dice) = (number % size.squads, Dice::new(number.into()));
            let at = near(camps[squad as usize], &caves, &mut dice);
            Unit { squad, at, goal: at, route: VecDeque::new(), legs: 0, thought: Thought::GoOn, dice }
        });
        let units = units.collect();
        Ok(Self { engine, units, camps, caves, buildings: VecDeque::new(), dice, clock: 0, pace: size.pace })
    }

    /// Buildings land or are torn down, all units think, then all walk one cell.
    fn tick(&mut self) -> Result<Tick> {
        self.clock += 1;
        let edits = self.changes();
        let clock = Instant::now();
        // doc: edit
        self.engine.apply(&edits)?; // for all who hold the engine
        // doc: end
        let edit = clock.elapsed();
        let clock = Instant::now();
        self.think(!edits.is_empty());
        let think = clock.elapsed();
        let count = |thought| self.units.iter().filter(|unit| unit.thought == thought).count() as u32;
        let (arrived, rerouted) = (count(Thought::Arrived), count(Thought::Blocked));
        for unit in &mut self.units {
            unit.at = unit.route.pop_front().unwrap_or(unit.at);
        }
        Ok(Tick { paths: arrived + rerouted, rerouted, edit, think })
    }

    // doc: threads
    /// Lets all units think, on several threads that share the engine.
    fn think(&mut self, map_changed: bool) {
        let view = View { engine: &self.engine, grid: &self.engine.grid(), camps: &self.camps, map_changed };
        let share = self.units.len().div_ceil(THREADS);
        thread::scope(|scope| {
            for units in self.units.chunks_mut(share) {
                scope.spawn(|| units.iter_mut().for_each(|unit| unit.think(&view)));
            }
        });
    }
    // doc: end

    /// What changes on the map in this tick: a building on the way of some unit, and the oldest one gone.
    fn changes(&mut self) -> Edits {
        let mut edits = Edits::new();
        if !self.clock.is_multiple_of(self.pace) {
            return edits;
        }
        if self.buildings.len() >= self.camps.len() * 2
            && let Some(old) = self.buildings.pop_front()
        {
            edits.free_rect(old.upper_left, old.lower_right);
        }
        if let Some(new) = (0..20).find_map(|_| self.site()) {
            edits.block_rect(new.upper_left, new.lower_right);
            self.buildings.push_back(new);
        }
        edits
    }

    /// A place for a building across some unit's way, if it is free.
    fn site(&mut self) -> Option<Building> {
        let unit = &self.units[self.dice.below(self.units.len() as u64) as usize];
        let middle = *unit.route.get(8 + self.dice.below(24) as usize)?;
        let (wide, high) = [(3, 3), (4, 2), (2, 4)][self.dice.below(3) as usize];
        let upper_left = Cell::new(middle.x.checked_sub(wide / 2)?, middle.y.checked_sub(high / 2)?);
        let lower_right = Cell::new(upper_left.x + wide, upper_left.y + high);
        let grid = self.engine.grid();
        let mut cells =
            (upper_left.y..=lower_right.y).flat_map(|y| (upper_left.x..=lower_right.x).map(move |x| Cell::new(x, y)));
        let is_free = cells.all(|cell| grid.is_free(cell) && self.units.iter().all(|unit| unit.at != cell));
        is_free.then_some(Building { upper_left, lower_right, since: self.clock })
    }
}

/// What units know when they think.
struct View<'a> {
    engine: &'a Engine,
    grid: &'a Grid,
    camps: &'a [Cell],
    map_changed: bool,
}

/// What a unit found in a tick.
#[derive(Clone, Copy, PartialEq)]
enum Thought {
    GoOn,
    Arrived,
    Blocked,
}

impl Unit {
    // doc: unit
    /// Looks whether the way is still free, and asks for another if not.
    fn think(&mut self, view: &View<'_>) {
        self.thought = if self.at == self.goal {
            self.send_on(view);
            self.ask(view.engine);
            Thought::Arrived
        } else if view.map_changed && self.is_blocked(view.grid) {
            self.ask(view.engine);
            Thought::Blocked
        } else {
            Thought::GoOn
        };
    }

    fn ask(&mut self, engine: &Engine) {
        match engine.find(self.at, self.goal) {
            Ok(Some(path)) => self.route = path.cells().expect("a grid path").skip(1).collect(),
            // A building stands on the goal, or all around it: go elsewhere.
            Ok(None) | Err(_) => self.goal = self.at,
        }
    }

    fn is_blocked(&self, grid: &Grid) -> bool {
        let ahead = Path::through([self.at].iter().chain(&self.route).copied());
        ahead.is_none_or(|path| path.check(grid, self.at, self.goal).is_err())
    }
    // doc: end

    fn send_on(&mut self, view: &View<'_>) {
        self.legs += 1;
        let camp = view.camps[(self.squad + self.legs) as usize % view.camps.len()];
        self.goal = near(camp, view.grid, &mut self.dice);
        self.route.clear();
    }
}

/// Free cells far from each other.
fn camps(grid: &Grid, count: u32, dice: &mut Dice) -> Vec<Cell> {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let apart = |a: Cell, b: Cell| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
    let mut camps = Vec::new();
    for _ in 0..count {
        let candidates = (0..20).map(|_| free[dice.below(free.len() as u64) as usize]);
        let lonely = |&cell: &Cell| camps.iter().map(|&camp| apart(camp, cell)).min();
        let camp = candidates.max_by_key(lonely);
        camps.extend(camp);
    }
    camps
}

/// A free cell near a camp.
fn near(camp: Cell, grid: &Grid, dice: &mut Dice) -> Cell {
    let mut somewhere = |middle: u32| (middle + dice.below(9) as u32).saturating_sub(4);
    let cells = std::iter::repeat_with(|| Cell::new(somewhere(camp.x), somewhere(camp.y)));
    cells.take(30).find(|&cell| grid.is_free(cell)).unwrap_or(camp)
}
