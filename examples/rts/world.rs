//! The map, the camps, and buildings that come and go.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use octile::formats::generate;
use octile::geometry::Dice;
use octile::grid::Agent;
use octile::{Cell, CornerSweep, Edits, Engine, Grid, Status};

use super::army::Army;
use super::squad::{Thought, Unit, View};
use super::{Result, Size};

const THREADS: usize = 2;

/// The game.
pub(crate) struct World {
    /// For small units; all edits are made to this one.
    pub engine: Engine,
    /// The map as generated, without buildings.
    pub caves: Grid,
    /// Where large units fit on it, and so small ones too.
    ground: Grid,
    pub camps: Vec<Cell>,
    /// Those that have a path each.
    pub units: Vec<Unit>,
    pub army: Army,
    pub buildings: VecDeque<Building>,
    most_buildings: usize,
    pub clock: u32,
    pace: u32,
    dice: Dice,
}

/// A block of cells that units walk around, for a time.
pub(crate) struct Building {
    pub upper_left: Cell,
    pub lower_right: Cell,
    pub since: u32,
}

/// What happened in a tick.
#[derive(Default)]
pub(crate) struct Tick {
    /// Paths that were asked for.
    pub paths: u32,
    /// Those of them that were asked for because the way was blocked.
    pub rerouted: u32,
    /// Those of them that lead to the cell nearest to a goal that cannot be reached.
    pub nearest: u32,
    /// What the change of the map took.
    pub edit: Duration,
    /// What it took the field to follow it, or to find the way to another rallying point.
    pub field: Duration,
    /// What the thinking of all units took.
    pub think: Duration,
}

impl Tick {
    fn note(&mut self, thought: Thought) {
        if let Thought::Arrived(status) | Thought::Blocked(status) = thought {
            self.paths += 1;
            self.rerouted += u32::from(matches!(thought, Thought::Blocked(_)));
            self.nearest += u32::from(status == Status::Nearest);
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.paths += other.paths;
        self.rerouted += other.rerouted;
        self.nearest += other.nearest;
        self.edit += other.edit;
        self.field += other.field;
        self.think += other.think;
    }
}

impl World {
    pub(crate) fn new(size: &Size) -> Result<Self> {
        let caves = generate::caves(size.width, size.height, 42, size.seed)?;
        // doc: sizes
        let small = Engine::new(CornerSweep::default(), &caves)?;
        let large = small.for_agent(Agent::square(2)?)?;
        // doc: end
        let (ground, mut dice) = (large.grid(), Dice::new(size.seed));
        let camps = camps(&large, size.camps, &mut dice);
        let units = (0..size.squads * size.strength).map(|number| {
            let (squad, mut dice) = (number % size.squads, Dice::new(number.into()));
            let (engine, side) = if squad % size.large == 0 { (&large, 2) } else { (&small, 1) };
            let at = near(camps[squad as usize % camps.len()], &ground, &mut dice);
            Unit::new(engine, side, squad, at, dice)
        });
        Ok(Self {
            units: units.collect(),
            army: Army::new(&small, camps[0], size.army as usize)?,
            engine: small,
            caves,
            ground,
            camps,
            buildings: VecDeque::new(),
            most_buildings: size.buildings,
            clock: 0,
            pace: size.pace,
            dice,
        })
    }

    /// Buildings land or are torn down, all units think, then all walk one cell.
    pub(crate) fn tick(&mut self) -> Result<Tick> {
        self.clock += 1;
        let edits = self.changes();
        let start = Instant::now();
        // doc: edit
        self.engine.apply(&edits)?; // for units of all sizes, and all who hold the engine
        // doc: end
        let edit = start.elapsed();
        let start = Instant::now();
        self.army.follow(&edits, &self.camps)?;
        let field = start.elapsed();
        let start = Instant::now();
        self.think(!edits.is_empty());
        self.army.march();
        let think = start.elapsed();
        self.units.iter_mut().for_each(Unit::walk);
        let mut now = Tick { edit, field, think, ..Tick::default() };
        self.units.iter().for_each(|unit| now.note(unit.thought));
        Ok(now)
    }

    // doc: threads
    /// Lets all units of squads think, on several threads that share the engines.
    fn think(&mut self, map_changed: bool) {
        let view = View { camps: &self.camps, ground: &self.ground, map_changed };
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
        if self.buildings.len() >= self.most_buildings
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

    /// A place for a building across the way of a squad or of the army, if nothing and nobody is there.
    fn site(&mut self) -> Option<Building> {
        let ahead = 8 + self.dice.below(24) as usize;
        let middle = if self.dice.hits(1, 3) {
            self.army.way(self.dice.below(self.army.units.len() as u64) as usize).nth(ahead)?
        } else {
            self.units[self.dice.below(self.units.len() as u64) as usize].way().nth(ahead)?
        };
        let (wide, high) = [(3, 3), (4, 2), (2, 4)][self.dice.below(3) as usize];
        let upper_left = Cell::new(middle.x.checked_sub(wide / 2)?, middle.y.checked_sub(high / 2)?);
        let lower_right = Cell::new(upper_left.x + wide, upper_left.y + high);
        let building = Building { upper_left, lower_right, since: self.clock };
        let grid = self.engine.grid();
        let is_free = building.cells().all(|cell| grid.is_free(cell));
        let is_on_units = self.units.iter().any(|unit| building.touches(unit.at, unit.side));
        let is_on_army = self.army.units.iter().any(|&at| building.touches(at, 1));
        let is_on_rally = building.touches(self.army.rally(), 1);
        (is_free && !is_on_units && !is_on_army && !is_on_rally).then_some(building)
    }
}

impl Building {
    fn cells(&self) -> impl Iterator<Item = Cell> {
        let (a, b) = (self.upper_left, self.lower_right);
        (a.y..=b.y).flat_map(move |y| (a.x..=b.x).map(move |x| Cell::new(x, y)))
    }

    /// Whether some of its cells are of the square whose upper left cell is `at`.
    fn touches(&self, at: Cell, side: u32) -> bool {
        let overlap = |low: u32, high: u32, at: u32| at <= high && low < at + side;
        overlap(self.upper_left.x, self.lower_right.x, at.x) && overlap(self.upper_left.y, self.lower_right.y, at.y)
    }
}

/// Places far from each other, between which large units find a way.
fn camps(large: &Engine, count: u32, dice: &mut Dice) -> Vec<Cell> {
    let grid = large.grid();
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let apart = |a: Cell, b: Cell| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
    let mut camps: Vec<Cell> = Vec::new();
    for _ in 0..count {
        let candidates = (0..20).map(|_| free[dice.below(free.len() as u64) as usize]);
        let connected = candidates.filter(|&cell| camps.first().is_none_or(|&first| large.may_connect(first, cell)));
        let lonely = |&cell: &Cell| camps.iter().map(|&camp| apart(camp, cell)).min();
        let camp = connected.max_by_key(lonely);
        camps.extend(camp);
    }
    camps
}

/// A free cell near a camp.
pub(crate) fn near(camp: Cell, ground: &Grid, dice: &mut Dice) -> Cell {
    let mut somewhere = |middle: u32| (middle + dice.below(9) as u32).saturating_sub(4);
    let cells = std::iter::repeat_with(|| Cell::new(somewhere(camp.x), somewhere(camp.y)));
    cells.take(30).find(|&cell| ground.is_free(cell)).unwrap_or(camp)
}
