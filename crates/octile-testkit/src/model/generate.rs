//! Random programs, from a seed or from bytes.

use octile::geometry::Dice;
use octile::grid::Convention;
use octile::planner::Nearest;
use octile::{Catalog, PlannerSpec};

use super::program::{Change, Form, Op, Place, Program, Question, Who};
use super::twin::{Map, agents};
use crate::planners;

/// Specs with keys that matter, in addition to those of the catalog.
const MORE_SPECS: [&str; 10] = [
    "core-table:smooth=greedy",
    "corner-sweep:cache=on,smooth=greedy",
    "hub-labels:smooth=greedy,squeeze=forbidden",
    "terrain-jump:cache=on,smooth=greedy",
    "block-astar:smooth=greedy",
    "cpd:layout=quadtree,repair=unit",
    "cpd:layout=uncompressed,repair=obstacle",
    "lazy-theta-star:ends=centres",
    "taut-labels:ends=centres,squeeze=forbidden",
    "weighted-astar:weight=2.5",
];

/// Prefixes of the specs whose scratches or indexes remember something about the map.
const REMEMBERING: [&str; 8] = [
    "core-table",
    "core-search",
    "corner-sweep:cache=on",
    "cpd",
    "hub-labels",
    "taut-labels",
    "taut-sight",
    "terrain-jump:cache=on",
];

/// The specs that programs are made for.
pub fn specs() -> Vec<String> {
    let catalog = Catalog::standard();
    let listed = catalog.planners().iter().flat_map(|entry| catalog.specs(entry));
    let mut specs: Vec<String> = listed.chain(MORE_SPECS).map(str::to_owned).collect();
    specs.retain(|spec| planners::is_asked(spec) && spec.parse::<PlannerSpec>().is_ok());
    specs
}

/// The source of a program's choices.
pub enum Choices<'a> {
    /// A seed.
    Dice(Box<Dice>),
    /// Bytes; after the last byte, every choice is the last alternative.
    Bytes(&'a [u8]),
}

impl Choices<'_> {
    fn below(&mut self, end: u32) -> u32 {
        match self {
            Self::Dice(dice) => dice.below(end.into()) as u32,
            Self::Bytes(bytes) => bytes.split_off_first().map_or(end - 1, |&byte| u32::from(byte) % end),
        }
    }

    fn hits(&mut self, hits: u32, rolls: u32) -> bool {
        self.below(rolls) < hits
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize].clone()
    }

    fn is_over(&self) -> bool {
        matches!(self, Self::Bytes([]))
    }
}

/// A program for a spec.
///
/// # Panics
/// If the spec does not parse.
pub fn program(spec: &str, choices: &mut Choices<'_>) -> Program {
    let parsed: PlannerSpec = spec.parse().expect("a spec");
    let map = map(&parsed, choices);
    let favourites = (0..4).map(|_| any_place(&map, choices)).collect();
    let most = 3 + choices.below(18);
    let mut generator = Generator { map: map.clone(), favourites, choices, edits: Vec::new() };
    let mut ops = Vec::new();
    while (ops.len() as u32) < most && !generator.choices.is_over() {
        generator.add_to(&mut ops);
    }
    Program { spec: spec.to_owned(), map, ops }
}

/// The n-th program of a seed. Specs take turns; every second program uses a spec that remembers something.
pub fn nth(specs: &[String], seed: u64, nth: u64) -> Program {
    let dice = Dice::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(nth));
    let remembers = |spec: &&String| REMEMBERING.iter().any(|start| spec.starts_with(start));
    let remembering: Vec<&String> = specs.iter().filter(remembers).collect();
    let all: Vec<&String> = specs.iter().collect();
    let specs = if nth % 2 == 1 && !remembering.is_empty() { remembering } else { all };
    program(specs[(nth / 2 % specs.len() as u64) as usize], &mut Choices::Dice(Box::new(dice)))
}

/// A program from bytes, the first of which chooses the spec.
pub fn from_bytes(bytes: &[u8]) -> Program {
    let (specs, mut choices) = (specs(), Choices::Bytes(bytes));
    let spec = choices.pick(&specs);
    program(&spec, &mut choices)
}

fn map(spec: &PlannerSpec, choices: &mut Choices<'_>) -> Map {
    let (width, height) = match choices.below(16) {
        0..=9 => (1 + choices.below(8), 1 + choices.below(6)),
        10..=12 => (1 + choices.below(40), 1 + choices.below(4)),
        13 | 14 => (1 + choices.below(40), 1 + choices.below(7)),
        _ => (8 + choices.below(17), 8 + choices.below(17)),
    };
    let movement = choices.pick(spec.movements());
    let convention = (spec.takes_terrain() && choices.hits(2, 3)).then(|| choices.pick(&Convention::ALL));
    let prices = choices.pick(&[[1, 255, 255], [1, 2, 5], [3, 5, 9], [4, 6, 200]]);
    // A percentage of all cells, or only a few cells: indexes and caches need open space.
    let area = width * height;
    let mut share = |shares: &[u32]| match choices.below(2) {
        0 => (choices.pick(shares), 100),
        _ => (1 + choices.below(3), area.max(4)),
    };
    let (walls, priced) = (share(&[0, 8, 20, 35]), share(&[10, 40, 70]));
    let mut cell = || {
        let price = if choices.hits(priced.0, priced.1) { choices.pick(&prices) } else { prices[0] };
        (!choices.hits(walls.0, walls.1), if convention.is_some() { price } else { 1 })
    };
    let cells = (0..area).map(|_| cell()).collect();
    Map { width, height, movement, convention, cells }
}

fn any_place(map: &Map, choices: &mut Choices<'_>) -> Place {
    (choices.below(map.width), choices.below(map.height))
}

struct Generator<'c, 'b> {
    /// The map after all edits so far.
    map: Map,
    /// The cells that most queries are about.
    favourites: Vec<Place>,
    choices: &'c mut Choices<'b>,
    /// Maps before edits, to return to.
    edits: Vec<Map>,
}

impl Generator<'_, '_> {
    /// Adds an operation, or several that belong together.
    fn add_to(&mut self, ops: &mut Vec<Op>) {
        match self.choices.below(12) {
            0 | 1 => self.before_and_after(ops),
            2 => {
                ops.extend([Op::Begin(self.question()), Op::Run(self.choices.below(4).into())]);
                ops.extend(self.choices.hits(1, 2).then(|| self.edit()));
                ops.extend([Op::Run(2), Op::Run(1000)]);
            }
            3 => self.share_a_scratch(ops),
            4 | 5 => {
                let who = self.who();
                ops.extend((0..6).map(|_| Op::Ask(who, self.question())));
            }
            _ => ops.push(self.op()),
        }
    }

    /// Adds the same questions before and after an edit.
    fn before_and_after(&mut self, ops: &mut Vec<Op>) {
        let pairs = self.pairs();
        ops.push(pairs.clone());
        for _ in 0..=self.choices.below(2) {
            ops.push(self.edit());
            ops.extend(self.choices.hits(1, 2).then_some(Op::StillValid));
            match self.choices.below(6) {
                0 | 1 => ops.push(Op::Renew),
                2 => ops.extend([Op::BeginSlices, Op::FinishSlices]),
                3 => ops.push(self.op()),
                _ => {}
            }
            ops.push(pairs.clone());
        }
    }

    /// Adds questions to two branches with different edits, or to a stranger and a branch, with one scratch in turn.
    fn share_a_scratch(&mut self, ops: &mut Vec<Op>) {
        let (starts, goals) = (self.many(), self.many());
        let ask = |nth| Op::Pairs(Who::Shared(nth), Form::OneByOne, starts.clone(), goals.clone());
        if self.choices.hits(1, 2) {
            ops.push(Op::Stranger(self.choices.pick(&specs()), self.few()));
        }
        ops.extend([ask(0), ask(1), Op::EditBranch(0, self.changes()), ask(0), ask(1), ask(0)]);
    }

    /// An edit of the engine's map; the generator's own map follows it.
    fn edit(&mut self) -> Op {
        let changes = self.changes();
        self.edits.push(self.map.clone());
        self.map.edit(&changes);
        Op::Edit(changes)
    }

    fn op(&mut self) -> Op {
        match self.choices.below(64) {
            0..=13 => self.edit(),
            14..=27 => self.pairs(),
            28..=37 => Op::Ask(self.who(), self.question()),
            38..=40 => Op::Renew,
            41 => Op::RenewAgent(self.agent()),
            42 => Op::BeginRenewal,
            43 => Op::AwaitRenewal,
            44 => Op::CancelRenewal,
            45 => Op::BeginSlices,
            46 => Op::RunSlice,
            47 => self.choices.pick(&[Op::FinishSlices, Op::FinishSlices, Op::DropSlices]),
            48 => Op::KeepFresh(self.choices.hits(2, 3)),
            49 => Op::Race(self.changes(), self.few(), self.few()),
            50 => Op::Begin(self.question()),
            51..=53 => Op::Run(self.choices.pick(&[0, 1, 2, 5, 1000])),
            54 | 55 => Op::Chase(self.place(), self.place()),
            56 => Op::Field(self.few()),
            57 => Op::Distances(self.place()),
            58 => Op::Hold,
            59 => self.choices.pick(&[Op::LetGo(0), Op::LetGo(1), Op::StillValid]),
            60 => Op::Branch,
            61 => Op::EditBranch(self.choices.below(3) as usize, self.changes()),
            62 => Op::Stranger(self.choices.pick(&specs()), self.few()),
            _ => Op::StillValid,
        }
    }

    fn pairs(&mut self) -> Op {
        let who = self.who();
        let form = match self.choices.below(10) {
            0 => Form::FindAll,
            1 => Form::PlanAll,
            2 => Form::Routes,
            3 => Form::Matrix,
            4 => Form::KNearest(self.choices.below(4) as usize),
            _ => Form::OneByOne,
        };
        Op::Pairs(who, form, self.many(), self.many())
    }

    fn who(&mut self) -> Who {
        match self.choices.below(20) {
            0..=8 => Who::Engine,
            9 => Who::Clone,
            10 => Who::Thread,
            11 => Who::Finder,
            12 => Who::Snapshot,
            13 => Who::Agent(self.agent()),
            14 | 15 => Who::Held(self.choices.below(3) as usize),
            16 | 17 => Who::Branch(self.choices.below(3) as usize),
            _ => Who::Shared(self.choices.below(3) as usize),
        }
    }

    fn agent(&mut self) -> usize {
        self.choices.below(agents().len() as u32) as usize
    }

    fn question(&mut self) -> Question {
        let goals = if self.choices.hits(1, 2) { vec![self.place()] } else { self.few() };
        Question {
            start: self.place(),
            goals,
            nearest: self.choices.pick(&[Nearest::No, Nearest::No, Nearest::Goal, Nearest::Goal, Nearest::Both]),
            max_cost: self.choices.hits(1, 2).then(|| self.choices.pick(&[0, 4, 5, 6, 9, 13, 22, 60, 250])),
            max_expanded: self.choices.hits(1, 3).then(|| self.choices.below(12).into()),
            cancel: self.choices.hits(1, 10).then(|| self.choices.hits(1, 2)),
        }
    }

    /// A cell; rarely one off the map.
    fn place(&mut self) -> Place {
        match self.choices.below(30) {
            0 => (self.map.width, self.choices.below(self.map.height)),
            1..=14 => self.choices.pick(&self.favourites),
            15..=20 => self.one_of(true),
            _ => any_place(&self.map, self.choices),
        }
    }

    fn few(&mut self) -> Vec<Place> {
        (0..=self.choices.below(4)).map(|_| self.place()).collect()
    }

    /// All free cells of a small map, a row, or some cells.
    fn many(&mut self) -> Vec<Place> {
        match self.choices.below(6) {
            0 | 1 => {
                let free = |place: &Place| self.map.is_free(*place);
                let all: Vec<Place> = self.map.places().filter(free).chain(self.favourites.first().copied()).collect();
                let step = all.len().div_ceil(24);
                all.into_iter().skip(self.choices.below(step as u32) as usize).step_by(step).collect()
            }
            2 => self.favourites.clone(),
            3 | 4 => {
                let (_, y) = self.choices.pick(&self.favourites);
                (0..self.map.width).map(|x| (x, y)).collect()
            }
            _ => self.few(),
        }
    }

    fn changes(&mut self) -> Vec<Change> {
        let (a, b) = (self.place(), self.place());
        let last = (self.map.width - 1, self.map.height - 1);
        match self.choices.below(24) {
            // Undone at once.
            0 => vec![Change::Block(a), Change::Free(a)],
            // A whole row or column.
            1 => vec![Change::BlockRect((0, a.1), (last.0, a.1))],
            2 => vec![Change::BlockRect((a.0, 0), (a.0, last.1))],
            // All but one row.
            3 | 4 => {
                let (_, y) = self.choices.pick(&self.favourites);
                vec![Change::BlockRect((0, 0), last), Change::FreeRect((0, y), (last.0, y))]
            }
            5 => vec![Change::FreeRect((0, 0), last)],
            6 => Vec::new(),
            7 => vec![Change::Block(a), Change::Block(b), self.change()],
            8..=10 if !self.edits.is_empty() => {
                let before = self.choices.pick(&self.edits);
                self.back_to(&before)
            }
            11..=13 => (0..=self.choices.below(3)).map(|_| self.toggle()).collect(),
            // A wall that moves.
            14..=17 => vec![self.toggle_one_of(false), self.toggle_one_of(true)],
            18..=20 if self.map.convention.is_some() => {
                vec![Change::PriceRect(a, b, self.choices.pick(&[1, 2, 7, 255]))]
            }
            _ => (0..=self.choices.below(2)).map(|_| self.change()).collect(),
        }
    }

    /// The changes that restore an earlier map.
    fn back_to(&self, before: &Map) -> Vec<Change> {
        let mut changes = Vec::new();
        for (index, place) in before.places().enumerate() {
            let ((free, price), now) = (before.cells[index], self.map.cells[index]);
            if free != now.0 {
                changes.push(if free { Change::Free(place) } else { Change::Block(place) });
            }
            if price != now.1 {
                changes.push(Change::Price(place, price));
            }
        }
        changes
    }

    /// Flips a cell.
    fn toggle(&mut self) -> Change {
        let is_free = self.choices.hits(1, 2);
        self.toggle_one_of(is_free)
    }

    /// Flips one of the free cells, or one of the blocked ones; any cell if there are none.
    fn toggle_one_of(&mut self, is_free: bool) -> Change {
        let place = self.one_of(is_free);
        if self.map.is_free(place) { Change::Block(place) } else { Change::Free(place) }
    }

    /// One of the free cells, or of the blocked ones; any cell if there are none.
    fn one_of(&mut self, is_free: bool) -> Place {
        let cells: Vec<Place> = self.map.places().filter(|&place| self.map.is_free(place) == is_free).collect();
        if cells.is_empty() { any_place(&self.map, self.choices) } else { self.choices.pick(&cells) }
    }

    fn change(&mut self) -> Change {
        let (a, b) = (self.place(), self.place());
        let price = self.choices.pick(&[1, 2, 7, 255]);
        match self.choices.below(if self.map.convention.is_some() { 20 } else { 13 }) {
            0..=3 => Change::Block(a),
            4..=7 => Change::Free(a),
            8 | 9 => Change::BlockRect(a, b),
            10 => Change::FreeRect(a, b),
            11 => {
                Change::Patch(a, (1 + self.choices.below(3), 1 + self.choices.below(3)), self.choices.below(256).into())
            }
            // Refused where the map has no prices.
            12..=16 => Change::Price(a, price),
            _ => Change::PriceRect(a, b, price),
        }
    }
}
