//! Questions beyond one path, to every planner: the nearest of many goals, the nearest cell, limits. Answers are
//! compared with an exhaustive search, on small maps and on random ones.
//!
//! ```text
//! OCTILE_QUESTIONS=100000 cargo test --release -p octile --test it questions -- --nocapture
//! ```

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use octile::formats::generate;
use octile::geometry::Dice;
use octile::grid::Convention;
use octile::planner::{Limit, Native, Probe};
use octile::{
    Answer, Cell, Edits, Engine, Finder, Grid, Guarantee, Movement, Path, PlannerSpec, Point, Query, QueryError, Status,
};
use octile_testkit::maps::free_cells;
use octile_testkit::questions::Costs;
use octile_testkit::setting;
use octile_testkit::{maps, planners};
use rayon::prelude::*;

/// Asks, checks the path, and compares the whole answer with the oracle.
fn ask(finder: &mut Finder, costs: &Costs, query: Query<'_>, answer: &mut Answer) {
    let reply = finder.ask_into(query, answer).unwrap_or_else(|error| panic!("{}: {error}", finder.name()));
    let grid = finder.grid();
    if let Some((start, goal)) = reply.ends {
        let path = answer.path().unwrap().unwrap();
        path.check(grid, start, goal).unwrap_or_else(|fault| panic!("{}: {fault}\n{grid:?}", finder.name()));
        let away = query.goals.cells().iter().map(|cell| cell.square_distance(goal)).min().unwrap();
        assert_eq!(reply.away.to_bits(), (away as f64).sqrt().to_bits(), "{}", finder.name());
    }
    let cost = answer.path().unwrap().map(octile::Path::cost).unwrap_or_default();
    costs.judge(grid, &query, &reply, cost).unwrap_or_else(|fault| panic!("{}: {fault}", finder.name()));
}

/// Asks a planner all kinds of questions from one cell, whose costs are given.
fn ask_all(finder: &mut Finder, costs: &Costs, goals: &[Cell], answer: &mut Answer) -> u64 {
    let (start, grid) = (costs.start(), finder.grid().clone());
    let free: Vec<Cell> = goals.iter().copied().filter(|&goal| grid.is_free(goal)).collect();
    let mut asked = 0;
    let mut ask = |query: Query<'_>| {
        ask(finder, costs, query, answer);
        asked += 1;
    };
    for max_cost in
        [f64::INFINITY, 0.0, 2.5, 6.25, 40.0].into_iter().take(if grid.convention().is_some() { 5 } else { 4 })
    {
        if !free.is_empty() {
            ask(Query::to_any(start, &free).max_cost(max_cost));
        }
        ask(Query::to_any(start, goals).max_cost(max_cost).nearest());
        ask(Query::new(start, goals[0]).max_cost(max_cost).nearest());
    }
    asked
}

/// The distance between the tested maps of 4 x 3 cells.
const APART: u64 = if cfg!(target_family = "wasm") { 187 } else { 17 };

#[test]
fn questions_on_small_maps() {
    let maps: Vec<u32> = (0..4096).step_by(APART as usize).collect();
    let asked: u64 = maps
        .into_par_iter()
        .map(|bits| {
            let grid = Grid::from_fn(4, 3, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
            let grid = grid.with_movement(Movement::ALL[bits as usize % 3]);
            let cells: Vec<Cell> = grid.cells().collect();
            let mut asked = 0;
            for spec in planners::specs(&grid) {
                let (mut finder, mut answer) = (Finder::new(spec, &grid).unwrap(), Answer::new());
                for &start in cells.iter().filter(|&&cell| grid.is_free(cell)).step_by(3) {
                    let costs = Costs::new(&mut finder, start);
                    for nth in [0, 5, 7] {
                        let goals = [cells[nth], cells[(nth + bits as usize) % 12], cells[11 - nth]];
                        asked += ask_all(&mut finder, &costs, &goals, &mut answer);
                    }
                }
            }
            asked
        })
        .sum();
    assert!(planners::is_restricted() || asked > 850_000 / APART, "{asked}");
}

#[test]
fn questions_on_random_maps() {
    let wanted: u64 = setting("OCTILE_QUESTIONS", 6_000);
    let (mut dice, mut asked, mut answer) = (Dice::new(21), 0, Answer::new());
    while asked < wanted {
        let grid = match dice.below(3) {
            0 => maps::with_prices(&mut dice, 28),
            _ => maps::textured(&mut dice, 28).with_movement(Movement::ALL[dice.below(5) as usize % 3]),
        };
        let free = free_cells(&grid);
        if free.is_empty() {
            continue;
        }
        let all: Vec<Cell> = grid.cells().collect();
        let start = free[dice.below(free.len() as u64) as usize];
        let count = 1 + dice.below(9);
        let goals: Vec<Cell> = (0..count).map(|_| all[dice.below(all.len() as u64) as usize]).collect();
        for spec in planners::specs(&grid) {
            let mut finder = Finder::new(spec, &grid).unwrap();
            let costs = Costs::new(&mut finder, start);
            asked += ask_all(&mut finder, &costs, &goals, &mut answer);
        }
    }
    println!("{asked} questions, 0 wrong");
}

/// Edits that disconnect cells.
#[test]
fn questions_on_maps_split_by_an_edit() {
    let (mut asked, mut answer) = (0, Answer::new());
    let plain = (0..4).map(|seed| generate::random(18, 12, 15, seed).unwrap());
    let priced = Convention::ALL.map(|convention| {
        Grid::open(18, 12)
            .unwrap()
            .with_prices(convention, |cell| [1, 3, 7, 1][(cell.x * 5 + cell.y * 3) as usize / 4 % 4])
    });
    for grid in plain.chain(priced) {
        let mut wall = Edits::new();
        wall.block_rect((9, 0), (9, 11)).block_rect((0, 6), (17, 6));
        for spec in planners::specs(&grid) {
            let mut finder = Finder::new(spec, &grid).unwrap();
            if finder.apply(&wall).is_err() {
                continue;
            }
            let now = finder.grid().clone();
            let start = now.cells().find(|&cell| now.is_free(cell)).unwrap();
            let goals = [Cell::new(16, 10), Cell::new(9, 3), Cell::new(15, 1)];
            let costs = Costs::new(&mut finder, start);
            for goals in [&goals[..], &goals[1..2]] {
                asked += ask_all(&mut finder, &costs, goals, &mut answer);
            }
        }
    }
    assert!(planners::is_restricted() || asked > 1_000, "{asked}");
}

/// A blocked start is replaced by the nearest free cell, of several by the one with the best path; an exhaustive search
/// finds the same.
#[test]
fn a_blocked_start_is_replaced_by_the_nearest_cell() {
    let (mut dice, mut replaced) = (Dice::new(4), 0);
    for _ in 0..60 {
        let (grid, spec) = match dice.below(3) {
            0 => (maps::with_prices(&mut dice, 14), "astar"),
            _ => (maps::textured(&mut dice, 14), "corner-sweep"),
        };
        let cells: Vec<Cell> = grid.cells().collect();
        let mut finder = Finder::new(spec, &grid).unwrap();
        let mut answer = Answer::new();
        for &start in cells.iter().filter(|&&cell| !grid.is_free(cell)).step_by(3) {
            let goal = cells[dice.below(cells.len() as u64) as usize];
            let query = Query::new(start, goal);
            assert!(matches!(finder.ask_into(query.nearest(), &mut answer), Err(QueryError::Blocked { .. })));
            let reply = finder.ask_into(query.nearest_ends(), &mut answer).unwrap();
            let leads = |&cell: &Cell| grid.is_free(cell) && grid.may_connect(cell, goal);
            let free: Vec<Cell> = cells.iter().copied().filter(|&cell| grid.is_free(cell)).collect();
            let leading: Vec<Cell> = free.iter().copied().filter(leads).collect();
            let from = if leading.is_empty() { &free } else { &leading };
            let best = from.iter().map(|&cell| {
                let reply = finder.ask_into(Query::new(cell, goal).nearest(), &mut answer).unwrap();
                let cost = answer.path().unwrap().unwrap().cost().counts().unwrap();
                ((cell.square_distance(start), (reply.away * reply.away).round() as u64, cost), (cell.y, cell.x), cell)
            });
            let expected = best.min();
            assert_eq!(reply.ends.map(|(start, _)| start), expected.map(|(.., cell)| cell), "{start} {goal}\n{grid:?}");
            assert_eq!(reply.status, if expected.is_some() { Status::Nearest } else { Status::NoPath });
            replaced += 1;
        }
    }
    assert!(replaced > 300, "{replaced}");
}

/// An answer within a limit equals the unlimited one: with more and more expansions, every planner reports that it
/// reached its limit until it gives the unlimited answer.
#[test]
fn an_answer_within_a_limit_equals_the_unlimited_one() {
    let grid = generate::rooms(40, 40, 7, 3).unwrap();
    let (start, goal) = (Cell::new(1, 1), grid.cells().rfind(|&cell| grid.may_connect((1, 1), cell)).unwrap());
    let priced =
        Convention::ALL.map(|c| grid.with_prices(c, |cell| [2, 6, 14][(cell.x / 5 + cell.y / 3) as usize % 3]));
    let grids = [grid.clone()].into_iter().chain(priced);
    for (grid, spec) in grids.flat_map(|grid| planners::specs(&grid).map(move |spec| (grid.clone(), spec))) {
        let mut finder = Finder::new(spec, &grid).unwrap();
        let (mut answer, whole) = (Answer::new(), finder.find(start, goal).unwrap().unwrap());
        let mut limit = 0;
        loop {
            let reply = finder.ask_into(Query::new(start, goal).max_expanded(limit), &mut answer).unwrap();
            if reply.status == Status::Found {
                break;
            }
            assert_eq!((reply.status, reply.limit), (Status::Limit, Some(Limit::Expanded)), "{spec}");
            let partial = finder.ask_into(Query::new(start, goal).max_expanded(limit).nearest(), &mut answer).unwrap();
            assert_eq!((partial.status, partial.limit), (Status::Nearest, Some(Limit::Expanded)), "{spec}");
            let (from, to) = partial.ends.unwrap();
            answer.path().unwrap().unwrap().check(&grid, from, to).unwrap();
            assert_eq!(from, start, "{spec}");
            limit = limit * 2 + 1;
            assert!(limit < 1 << 20, "{spec}");
        }
        assert_eq!(answer.path().unwrap().unwrap().cost(), whole.cost(), "{spec}");
        for (max_cost, status) in [(whole.length() - 0.01, Status::Limit), (whole.length(), Status::Found)] {
            let reply = finder.ask_into(Query::new(start, goal).max_cost(max_cost), &mut answer).unwrap();
            assert_eq!(reply.status, status, "{spec}");
        }
        let searches = finder.guarantee() != Guarantee::GridOptimal || limit > 1;
        let reply = finder.ask_into(Query::new(start, goal).within(Duration::ZERO), &mut answer).unwrap();
        assert_eq!((reply.status, reply.limit), (Status::Limit, Some(Limit::Deadline)), "{spec} {searches}");
    }
}

/// Cancels a search at an expansion, as another thread would, and counts the search's work from then on.
struct Canceller<'a> {
    flag: &'a AtomicBool,
    /// Expansions left until it cancels.
    left: u32,
    after: AfterCancel,
}

/// The work of a search after it was cancelled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct AfterCancel {
    polls: u32,
    expanded: u32,
    /// Other events: cells reached or examined, lines put on the open list, lines of sight checked.
    seen: u32,
}

impl AfterCancel {
    fn max(self, other: Self) -> Self {
        Self {
            polls: self.polls.max(other.polls),
            expanded: self.expanded.max(other.expanded),
            seen: self.seen.max(other.seen),
        }
    }
}

impl Canceller<'_> {
    fn see(&mut self) {
        self.after.seen += u32::from(self.left == 0);
    }
}

impl Probe for Canceller<'_> {
    fn stops(&mut self, _: f64) -> bool {
        self.after.polls += u32::from(self.left == 0);
        false
    }

    fn expanded(&mut self, _: Cell) {
        if self.left == 0 {
            self.after.expanded += 1;
            return;
        }
        self.left -= 1;
        if self.left == 0 {
            self.flag.store(true, Ordering::Relaxed);
        }
    }

    fn reached(&mut self, _: Cell, _: bool) {
        self.see();
    }

    fn touched(&mut self, _: Cell) {
        self.see();
    }

    fn reached_line(&mut self, _: Cell, _: Cell) {
        self.see();
    }

    fn sight(&mut self, _: Point, _: Point) {
        self.see();
    }

    fn taut_hop(&mut self, _: Point, _: Point) {
        self.see();
    }
}

/// A cancelled search of any planner polls the flag once more and ends. It does little work before that poll.
#[test]
fn a_cancelled_search_ends_at_the_next_poll() {
    let grid = generate::random(900, 900, 30, 5).unwrap();
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.may_connect(cell, (450, 450))).collect();
    let (start, goal) = (free[0], free[free.len() - 1]);
    let searching =
        ["dijkstra", "astar:open=buckets", "jps", "corner-sweep", "rea-star", "rea-star:fronts=cells", "block-astar"];
    for spec in
        searching.into_iter().chain(["jump-graph", "core-search", "theta-star", "lazy-theta-star", "taut-sight"])
    {
        let (mut finder, mut answer) = (Finder::new(spec, &grid).unwrap(), Answer::new());
        let mut most = AfterCancel::default();
        for nth in 1..20 {
            let flag = AtomicBool::new(false);
            let mut canceller = Canceller { flag: &flag, left: nth * 2, after: AfterCancel::default() };
            let query = Query::new(start, goal).cancelled_by(&flag);
            let reply = finder.ask_probed(query, &mut answer, &mut canceller).unwrap();
            assert_eq!((reply.status, reply.limit), (Status::Limit, Some(Limit::Cancelled)), "{spec}");
            most = most.max(canceller.after);
        }
        println!("{spec}: {most:?}");
        // Some planners expand several cells of a row between two polls.
        assert!(most.polls == 1 && most.expanded <= 4 && most.seen <= 100, "{spec}: {most:?}");
    }
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn another_thread_can_cancel() {
    let grid = generate::random(600, 600, 30, 5).unwrap();
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.may_connect(cell, (300, 300))).collect();
    let engine = Engine::new("dijkstra", &grid).unwrap();
    let flag = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // It asks until it is cancelled.
        let asking = scope.spawn(|| {
            let query = Query::new(free[0], free[free.len() - 1]).cancelled_by(&flag);
            (0..).find_map(|_| engine.ask(query).unwrap().limit())
        });
        flag.store(true, Ordering::Relaxed);
        assert_eq!(asking.join().unwrap(), Some(Limit::Cancelled));
    });
}

/// Planners declare correctly which questions they answer natively.
#[test]
fn planners_declare_their_native_questions() {
    let grid = generate::rooms(30, 30, 5, 1).unwrap();
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.may_connect((1, 1), cell)).take(4).collect();
    for spec in planners::specs(&grid) {
        // It does not know yet which planner it will choose.
        if spec.starts_with("auto") {
            continue;
        }
        let said = spec.parse::<PlannerSpec>().unwrap().facts().native;
        let planner = Finder::new(spec, &grid).unwrap();
        let (planner, mut scratch) = (planner.planner(), planner.planner().create_scratch());
        let slices = planner.facts().has(Native::Slices);
        let costs = planner.costs(&mut scratch, &[], &[], &mut []);
        let many = planner.squeeze().is_none() && planner.nearest(&mut scratch, free[0], &free[1..], 1, &mut |_, _| ());
        let trips = Query::to_any(free[0], &free[1..]).any_goal_query().unwrap();
        let many = many || planner.search_any(&mut scratch, trips, &mut Path::new(), None).is_some();
        let does = [(Native::ManyGoals, many), (Native::Slices, slices), (Native::Costs, costs)];
        for (native, does) in does {
            assert_eq!(said.contains(&native), does, "{spec} {native}");
        }
    }
}

/// A query for the nearest cell that ends by a work limit gives no path above the maximum cost.
#[test]
fn no_limit_lets_a_path_exceed_the_maximum_cost() {
    let (mut dice, mut nearest, mut cut) = (Dice::new(3), 0, 0);
    for round in 0..40 {
        let grid = match round {
            0 => Grid::open(1, 16).unwrap(),
            _ if round % 4 == 0 => maps::with_prices(&mut dice, 24),
            _ => maps::textured(&mut dice, 24),
        };
        let free = free_cells(&grid);
        if free.is_empty() {
            continue;
        }
        let mut any = || free[dice.below(free.len() as u64) as usize];
        let (start, goals) = (any(), [any(), any()]);
        for spec in planners::specs(&grid) {
            let (mut finder, mut answer) = (Finder::new(spec, &grid).unwrap(), Answer::new());
            for (max_cost, max_expanded) in [(5.0, 3), (5.0, 11), (9.5, 20), (2.0, 40)] {
                for query in [Query::new(start, goals[0]), Query::to_any(start, &goals)] {
                    let query = query.max_cost(max_cost).max_expanded(max_expanded).nearest();
                    let reply = finder.ask_into(query, &mut answer).unwrap();
                    let path = answer.path().unwrap().unwrap_or_else(|| panic!("{spec}: the start is within reach"));
                    let (from, to) = reply.ends.unwrap();
                    path.check(&grid, from, to).unwrap_or_else(|fault| panic!("{spec}: {fault}"));
                    assert!(path.length() <= max_cost, "{spec} {query:?}: {path:?}\n{grid:?}");
                    nearest += u32::from(reply.status == Status::Nearest && to != start);
                    cut += u32::from(reply.limit == Some(Limit::Expanded));
                }
            }
        }
    }
    assert!(planners::is_restricted() || nearest > 1000 && cut > 1000, "{nearest} {cut}");
}
