//! Programs as data, and how they print.

use std::fmt;

use octile::formats::movingai;
use octile::planner::Nearest;
use octile::{Cell, Edits};

use super::twin::Map;

/// A cell in short notation.
pub type Place = (u32, u32);

/// A map, a planner spec and the operations to play.
#[derive(Clone, Debug)]
pub struct Program {
    /// The spec of the engine's planner.
    pub spec: String,
    /// The map that the engine begins with.
    pub map: Map,
    /// What to do.
    pub ops: Vec<Op>,
}

/// One step of a program.
///
/// A branch is made when a program first names it. The number of a held snapshot is taken modulo their count.
#[derive(Clone, Debug)]
pub enum Op {
    /// Edits the engine's map.
    Edit(Vec<Change>),
    /// Edits the map while another thread asks for all pairs.
    Race(Vec<Change>, Vec<Place>, Vec<Place>),
    /// Asks for paths from every start to every goal.
    Pairs(Who, Form, Vec<Place>, Vec<Place>),
    /// Asks one query that may use every option.
    Ask(Who, Question),
    /// Begins a query that is answered in slices.
    Begin(Question),
    /// Continues the query that was begun, for this many expansions.
    Run(u64),
    /// Asks a `Chase` for the path from a unit to its target.
    Chase(Place, Place),
    /// Makes a distance field, which follows every later edit.
    Field(Vec<Place>),
    /// Compares all distances from a cell.
    Distances(Place),
    /// Keeps a snapshot and a scratch for it.
    Hold,
    /// Drops a snapshot.
    LetGo(usize),
    /// Makes a finder of the engine's snapshot; later edits apply to it separately.
    Branch,
    /// Makes a finder of another spec, on a map of the same size with these cells flipped.
    Stranger(String, Vec<Place>),
    /// Edits only the map of a branch.
    EditBranch(usize, Vec<Change>),
    /// Renews the planner and waits for the end.
    Renew,
    /// Renews the planner of an agent and waits for the end.
    RenewAgent(usize),
    /// Begins a renewal on a thread.
    BeginRenewal,
    /// Waits for the last renewal.
    AwaitRenewal,
    /// Cancels the last renewal.
    CancelRenewal,
    /// Begins a renewal in slices.
    BeginSlices,
    /// Runs one slice.
    RunSlice,
    /// Runs the renewal in slices to its end.
    FinishSlices,
    /// Drops a renewal in slices.
    DropSlices,
    /// Switches upkeep on or off.
    KeepFresh(bool),
    /// Asks whether the last path is still valid.
    StillValid,
}

/// What answers a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The engine.
    Engine,
    /// A clone of the engine.
    Clone,
    /// A clone of the engine on another thread.
    Thread,
    /// A new finder of the engine.
    Finder,
    /// The engine's snapshot, with a new scratch.
    Snapshot,
    /// The engine for one of the agents.
    Agent(usize),
    /// A held snapshot, with its scratch.
    Held(usize),
    /// A branch, with its own scratch.
    Branch(usize),
    /// A branch, with a scratch shared by all branches.
    Shared(usize),
}

/// How pairs are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One query after the other.
    OneByOne,
    /// `Engine::find_all`.
    FindAll,
    /// `Engine::plan_all`.
    PlanAll,
    /// `Engine::find_routes`.
    Routes,
    /// `Engine::matrix`.
    Matrix,
    /// `Engine::k_nearest`, with this many targets.
    KNearest(usize),
}

/// A query with all its options.
#[derive(Clone, Debug)]
pub struct Question {
    /// The start.
    pub start: Place,
    /// The goals.
    pub goals: Vec<Place>,
    /// Whether a path to the nearest cell is accepted.
    pub nearest: Nearest,
    /// The maximum cost, in quarters.
    pub max_cost: Option<u32>,
    /// The maximum number of expansions.
    pub max_expanded: Option<u64>,
    /// The cancel flag, set or not.
    pub cancel: Option<bool>,
}

/// A part of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Blocks a cell.
    Block(Place),
    /// Frees a cell.
    Free(Place),
    /// Blocks a rectangle.
    BlockRect(Place, Place),
    /// Frees a rectangle.
    FreeRect(Place, Place),
    /// Sets the price of a cell.
    Price(Place, u8),
    /// Sets the price of a rectangle.
    PriceRect(Place, Place, u8),
    /// Puts a patch of this size at a cell: a cell of the patch is free if its bit is 1.
    Patch(Place, Place, u64),
}

impl Change {
    /// Adds this change to edits of the library.
    ///
    /// # Panics
    /// If a patch has no cells.
    pub fn add_to(self, edits: &mut Edits) {
        match self {
            Self::Block(cell) => edits.block(cell),
            Self::Free(cell) => edits.free(cell),
            Self::BlockRect(a, b) => edits.block_rect(a, b),
            Self::FreeRect(a, b) => edits.free_rect(a, b),
            Self::Price(cell, price) => edits.price(cell, price),
            Self::PriceRect(a, b, price) => edits.price_rect(a, b, price),
            Self::Patch(at, (width, height), bits) => {
                let is_free = |cell: Cell| bits >> (cell.y * width + cell.x) & 1 == 1;
                let patch = movingai::patch::Patch::from_fn(width, height, is_free).expect("a patch has cells");
                patch.edit_at(at, edits);
                edits
            }
        };
    }

    fn places(&mut self) -> Vec<&mut Place> {
        match self {
            Self::Block(cell) | Self::Free(cell) | Self::Price(cell, _) | Self::Patch(cell, ..) => vec![cell],
            Self::BlockRect(a, b) | Self::FreeRect(a, b) | Self::PriceRect(a, b, _) => vec![a, b],
        }
    }
}

impl Op {
    /// The labels that a run counts: the operation's name, and how it is answered.
    pub fn labels(&self) -> Vec<String> {
        let name = |debug: String| debug.split(['(', ' ', '{']).next().unwrap_or_default().to_owned();
        let of = |who: &Who| format!("by-{}", name(format!("{who:?}")));
        let own = name(format!("{self:?}"));
        match self {
            Self::Pairs(who, form, ..) => vec![own, of(who), name(format!("{form:?}"))],
            Self::Ask(who, _) => vec![own, of(who)],
            Self::Edit(changes) | Self::EditBranch(_, changes) => {
                changes.iter().map(|change| name(format!("{change:?}"))).chain([own]).collect()
            }
            _ => vec![own],
        }
    }

    /// All lists of cells in it.
    pub fn lists(&mut self) -> Vec<&mut Vec<Place>> {
        match self {
            Self::Race(_, starts, goals) | Self::Pairs(.., starts, goals) => vec![starts, goals],
            Self::Ask(_, Question { goals, .. }) | Self::Begin(Question { goals, .. }) | Self::Field(goals) => {
                vec![goals]
            }
            Self::Stranger(_, cells) => vec![cells],
            _ => Vec::new(),
        }
    }

    /// The changes in it.
    pub fn changes(&mut self) -> Option<&mut Vec<Change>> {
        match self {
            Self::Edit(changes) | Self::Race(changes, ..) | Self::EditBranch(_, changes) => Some(changes),
            _ => None,
        }
    }

    /// The query in it.
    pub fn question(&mut self) -> Option<&mut Question> {
        if let Self::Ask(_, question) | Self::Begin(question) = self { Some(question) } else { None }
    }

    /// What answers it.
    pub fn who(&mut self) -> Option<&mut Who> {
        if let Self::Pairs(who, ..) | Self::Ask(who, _) = self { Some(who) } else { None }
    }

    /// Moves every cell in it.
    pub fn move_places(&mut self, to: impl Fn(Place) -> Place) {
        let apply = |place: &mut Place| *place = to(*place);
        self.lists().into_iter().flatten().for_each(apply);
        self.changes().into_iter().flatten().flat_map(Change::places).for_each(apply);
        self.question().map(|question| &mut question.start).into_iter().for_each(apply);
        match self {
            Self::Chase(unit, target) => [unit, target].into_iter().for_each(apply),
            Self::Distances(cell) => apply(cell),
            _ => {}
        }
    }
}

impl Program {
    /// Whether the result depends on the timing of threads.
    pub fn depends_on_threads(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::BeginRenewal | Op::KeepFresh(true) | Op::Race(..)))
    }
}

impl fmt::Display for Program {
    /// As Rust code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Program {{\n    spec: {:?}.into(),\n    map: {},\n    ops: vec![", self.spec, self.map)?;
        for op in &self.ops {
            let text = format!("{op:?}").replace('[', "vec![");
            writeln!(f, "        Op::{},", qualified(&text))?;
        }
        f.write_str("    ],\n}")
    }
}

/// Qualifies names of the library; a test imports the names of programs.
fn qualified(text: &str) -> String {
    ["No", "Goal", "Both"].iter().fold(text.to_owned(), |text, name| {
        text.replace(&format!("nearest: {name}"), &format!("nearest: Nearest::{name}"))
    })
}
