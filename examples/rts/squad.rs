//! Units that march from camp to camp, each on a path of its own.

use octile::geometry::Dice;
use octile::{Cell, Engine, Grid, Path, Query, Status};

use super::world::near;

/// Somebody who walks from camp to camp: a square of cells, which stands with its upper left one on the cells of its
/// path.
pub(crate) struct Unit {
    /// The one for units of its size.
    engine: Engine,
    /// Its width and height in cells.
    pub side: u32,
    pub squad: u32,
    pub at: Cell,
    goal: Cell,
    /// What is left to go, from where it is.
    path: Path,
    /// How many camps it has been sent to.
    legs: u32,
    pub thought: Thought,
    /// Its own, so that it does not matter which thread it thinks on.
    dice: Dice,
}

/// What units know when they think.
pub(crate) struct View<'a> {
    pub camps: &'a [Cell],
    pub ground: &'a Grid,
    pub map_changed: bool,
}

/// What a unit found in a tick.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Thought {
    GoOn,
    /// It was at its goal, and asked for a path to another.
    Arrived(Status),
    /// A building was in its way, and it asked for another.
    Blocked(Status),
}

impl Unit {
    pub(crate) fn new(engine: &Engine, side: u32, squad: u32, at: Cell, dice: Dice) -> Self {
        let (engine, path, thought) = (engine.clone(), Path::new(), Thought::GoOn);
        Self { engine, side, squad, at, goal: at, path, legs: 0, thought, dice }
    }

    // doc: unit
    /// Looks whether the way is still free, and asks for another if not.
    pub(crate) fn think(&mut self, view: &View<'_>) {
        self.thought = if self.at == self.goal {
            self.send_on(view);
            Thought::Arrived(self.ask())
        } else if view.map_changed && !self.engine.still_valid(&self.path) {
            Thought::Blocked(self.ask())
        } else {
            Thought::GoOn
        };
    }

    /// Asks for a path to the goal, or to the cell nearest to it if a building stands there or all around.
    fn ask(&mut self) -> Status {
        let query = Query::new(self.at, self.goal).nearest();
        let answer = self.engine.ask(query).expect("no building lands on a unit");
        let status = answer.status();
        self.goal = answer.goal().unwrap_or(self.at);
        self.path = answer.into_path().ok().flatten().unwrap_or_default();
        status
    }

    /// Walks one cell, and keeps the rest of the path.
    pub(crate) fn walk(&mut self) {
        let next = self.way().next();
        self.at = next.unwrap_or(self.at);
        self.path.cut(&self.engine.grid(), self.at, self.goal);
    }
    // doc: end

    /// The cells still to go.
    pub(crate) fn way(&self) -> impl Iterator<Item = Cell> {
        self.path.cells().into_iter().flatten().skip(1)
    }

    /// Chooses a goal in the next camp. Squads of the same camp go different ways.
    fn send_on(&mut self, view: &View<'_>) {
        self.legs += 1;
        let camps = view.camps.len() as u32;
        let camp = (self.squad + self.legs * (1 + self.squad / camps)) % camps;
        self.goal = near(view.camps[camp as usize], view.ground, &mut self.dice);
    }
}
