//! Searches in slices give the same answers as in one go; so do those for agents, and for targets that move.

use octile::engine::Chase;
use octile::formats::generate;
use octile::geometry::Dice;
use octile::grid::{Agent, Convention, Room};
use octile::planner::{Limit, Native};
use octile::{Answer, Cell, Edits, Engine, Grid, GridCost, Guarantee, Query, Status};
use octile_testkit::maps::free_cells;
use octile_testkit::{maps, planners};

/// Asks in slices of a few expansions; returns the answer and the number of slices.
fn in_slices(engine: &Engine, query: Query<'_>, slice: u64) -> (Answer, u32) {
    let mut pending = engine.begin(query);
    let mut slices = 1;
    while pending.run(slice).unwrap().is_none() {
        assert_eq!(pending.answer(), &Answer::new());
        slices += 1;
        assert!(slices < 1_000_000);
    }
    assert!(pending.expanded() <= u64::from(slices) * slice, "{}", pending.name());
    (pending.into_answer(), slices)
}

#[test]
fn slices_give_the_answer_of_one_search() {
    let (mut dice, mut cut) = (Dice::new(7), 0);
    for round in 0..24 {
        let grid = if round < 12 { maps::textured(&mut dice, 40) } else { maps::with_prices(&mut dice, 40) };
        let cells: Vec<Cell> = grid.cells().collect();
        let any = |dice: &mut Dice| cells[dice.below(cells.len() as u64) as usize];
        let Some(&start) = cells.iter().find(|&&cell| grid.is_free(cell)) else { continue };
        let goals: Vec<Cell> = (0..4).map(|_| any(&mut dice)).collect();
        for spec in planners::specs(&grid) {
            let engine = Engine::new(spec, &grid).unwrap();
            for query in [
                Query::new(start, goals[0]).nearest(),
                Query::to_any(start, &goals).nearest(),
                Query::to_any(start, &goals).nearest().max_cost(9.0),
                Query::new(start, goals[1]).nearest_ends().max_cost(20.0),
                Query::new(start, goals[0]).nearest().max_cost(9.0).max_expanded(7),
            ] {
                let whole = engine.ask(query).unwrap();
                let (sliced, slices) = in_slices(&engine, query, 1 + round % 5);
                let (one, other) = (whole.summary().unwrap(), sliced.summary().unwrap());
                let length = |answer: &Answer| answer.path().unwrap().map_or(0.0, octile::Path::length);
                // A resumed search may look at a cell again, and a stand-in has other expansions.
                if query.limits.max_expanded < u64::MAX {
                    assert!(one.status.has_path() && other.status.has_path(), "{spec} {query:?}");
                    assert!(length(&whole).max(length(&sliced)) <= query.limits.max_cost, "{spec} {query:?}");
                } else if !engine.snapshot().facts().has(Native::Slices) {
                    // A stand-in finds other paths with the same guarantee.
                    assert_eq!(one.status, other.status, "{spec}");
                    if engine.guarantee() == Guarantee::GridOptimal {
                        assert_eq!((one, length(&whole)), (other, length(&sliced)), "{spec}\n{grid:?}");
                    }
                } else if !matches!(engine.guarantee(), Guarantee::Bounded(_)) {
                    assert_eq!((one, length(&whole)), (other, length(&sliced)), "{spec} {query:?}\n{grid:?}");
                }
                if let (Some((from, to)), Some(path)) = (other.ends, sliced.path().unwrap()) {
                    path.check(&grid, from, to).unwrap();
                }
                cut += u32::from(slices > 2);
            }
        }
    }
    assert!(planners::is_restricted() || cut > 500, "{cut}");
}

/// A search that needs 64-bit costs resumes with them.
#[test]
fn searches_with_64_bit_costs_resume() {
    let (width, rows) = (1001, 101);
    let corridor = |cell: Cell| cell.y & 1 == 0 || cell.x == [width - 1, 0][cell.y as usize / 2 % 2];
    let grid = Grid::from_fn(width, rows, corridor).unwrap();
    for spec in ["jps", "corner-sweep", "astar", "astar:open=buckets"] {
        let engine = Engine::new(spec, &grid).unwrap();
        let slice = if spec.starts_with("astar") { 9_999 } else { 7 };
        let (answer, slices) = in_slices(&engine, Query::new((0, 0), (width - 1, rows - 1)), slice);
        assert_eq!(answer.path().unwrap().unwrap().cost(), GridCost::new(51_100, 0), "{spec}");
        assert!(slices > 5, "{spec}: {slices}");
    }
}

/// A limit of the query counts over all slices; the map may change meanwhile; and dropping a pending query leaves
/// nothing behind.
#[test]
fn slices_keep_their_limits_and_their_map() {
    let engine = Engine::new("astar", &generate::rooms(60, 60, 6, 3).unwrap()).unwrap();
    let goal = engine.grid().cells().rfind(|&cell| engine.may_connect((1, 1), cell)).unwrap();
    let whole = engine.ask(Query::new((1, 1), goal)).unwrap();
    let (answer, _) = in_slices(&engine, Query::new((1, 1), goal).max_expanded(25), 10);
    assert_eq!((answer.status(), answer.limit()), (Status::Limit, Some(Limit::Expanded)));

    let mut pending = engine.begin(Query::new((1, 1), goal));
    assert!(pending.run(10).unwrap().is_none());
    engine.apply(Edits::new().block_rect((0, 20), (59, 20))).unwrap();
    assert!(engine.find((1, 1), goal).unwrap().is_none());
    while pending.run(50).unwrap().is_none() {}
    assert_eq!(pending.answer().path().unwrap().unwrap().cost(), whole.path().unwrap().unwrap().cost());
    drop(pending);
    drop(engine.begin(Query::new((1, 1), (2, 2))));
    assert!(engine.begin(Query::new((1, 1), (99, 99))).run(5).is_err(), "off the map");
    assert_eq!(engine.begin(Query::new((1, 1), (1, 1))).run(0).unwrap().unwrap().status, Status::Found);
}

/// Engines for agents answer like engines of their maps, through edits, for every planner.
#[test]
fn engines_for_agents_follow_edits() {
    let mut dice = Dice::new(3);
    let grid = generate::caves(48, 40, 38, 5).unwrap();
    let priced =
        Convention::ALL.map(|c| grid.with_prices(c, |cell| [4, 8, 10][(cell.x / 3 + cell.y / 5) as usize % 3]));
    let grids = [grid].into_iter().chain(priced);
    for (grid, spec) in grids.flat_map(|grid| planners::specs(&grid).map(move |spec| (grid.clone(), spec))) {
        let engine = Engine::new(spec, &grid).unwrap();
        let agents = [Agent::POINT, Agent::square(2).unwrap(), Agent::disc(1.5).unwrap()];
        let room = if engine.squeeze().is_some() { Room::Cell } else { Room::Centre };
        for round in 0..3 {
            for agent in agents {
                let of_agent = engine.for_agent(agent).unwrap();
                let fresh = Engine::new(spec, &engine.grid().for_agent(agent, room)).unwrap();
                assert_eq!(of_agent.grid(), fresh.grid(), "{spec} {agent} {round}");
                let free = free_cells(&fresh.grid());
                // Other planners do not promise which path.
                let is_optimal = [Guarantee::GridOptimal, Guarantee::AnyAngleOptimal].contains(&engine.guarantee());
                for _ in 0..if free.is_empty() || !is_optimal { 0 } else { 6 } {
                    let [a, b] = [(); 2].map(|()| free[dice.below(free.len() as u64) as usize]);
                    let cost = |engine: &Engine| engine.find(a, b).unwrap().map(|path| path.length());
                    let (one, other) = (cost(&of_agent), cost(&fresh));
                    let is_same = match (one, other) {
                        (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * other,
                        (one, other) => one == other,
                    };
                    assert!(is_same, "{spec} {agent} {round}: {one:?} {other:?}");
                }
            }
            let corner = Cell::new(dice.below(40) as u32, dice.below(32) as u32);
            let mut edits = Edits::new();
            edits.block_rect(corner, (corner.x + 5, corner.y + 3)).free_rect((corner.x + 1, 1), (corner.x + 7, 6));
            if grid.convention().is_some() {
                edits.price_rect(corner, (corner.x + 7, corner.y + 7), [1, 33, 255][round]);
            }
            if engine.apply(&edits).is_err() {
                break;
            }
        }
        assert_eq!(engine.agents().len(), 2);
    }
}

/// An engine made from a planner serves agents too.
#[test]
fn engines_from_planners_serve_agents() {
    let grid = generate::caves(30, 30, 38, 5).unwrap();
    let agent = Agent::square(2).unwrap();
    for spec in ["corner-sweep", "jump-graph", "hub-labels"] {
        let planner = spec.parse::<octile::PlannerSpec>().unwrap().build(&grid).unwrap();
        let engine = Engine::of(planner);
        assert_eq!(engine.for_agent(agent).unwrap().grid(), grid.for_agent(agent, Room::Centre), "{spec}");
    }
}

/// However unit, target and map change, a chase finds what the engine finds.
#[test]
fn a_chase_finds_what_the_engine_finds() {
    let mut dice = Dice::new(11);
    let rooms = generate::rooms(50, 50, 7, 2).unwrap();
    let priced = |convention| rooms.with_prices(convention, |cell| 1 + (cell.x * 7 + cell.y * 5) as u8 / 64);
    let plain = ["corner-sweep", "corner-sweep:cache=on", "weighted-astar:weight=2", "taut-sight", "jump-graph"];
    let plain = plain.into_iter().map(|spec| (spec, rooms.clone()));
    for (spec, grid) in plain.chain(Convention::ALL.map(|convention| ("astar", priced(convention)))) {
        let engine = Engine::new(spec, &grid).unwrap();
        let mut chase = Chase::new(&engine);
        let free: Vec<Cell> = engine.grid().cells().filter(|&cell| engine.may_connect((1, 1), cell)).collect();
        let (mut unit, mut target) = (free[0], free[free.len() - 1]);
        for step in 0..400 {
            let expected = engine.find(unit, target).unwrap();
            let found = chase.find(unit, target).unwrap().cloned();
            assert_eq!(
                found.as_ref().map(octile::Path::cost),
                expected.as_ref().map(octile::Path::cost),
                "{spec} {step}"
            );
            if let Some(found) = &found {
                found.check(&engine.grid(), unit, target).unwrap();
                // The unit follows its path, or is pushed aside.
                let ahead = found.cells().ok().and_then(|mut cells| cells.nth(1));
                unit = ahead.filter(|_| !dice.hits(1, 9)).unwrap_or(unit);
            }
            // The target wanders, sometimes towards the unit.
            let toward = found.and_then(|path| path.cells().ok().map(Iterator::collect::<Vec<_>>));
            let back = toward.and_then(|cells| cells.len().checked_sub(2).map(|place| cells[place]));
            let moves: Vec<_> = engine.grid().moves(target).into_iter().collect();
            target = match back.filter(|_| dice.hits(1, 2)) {
                Some(back) => back,
                None if moves.is_empty() => target,
                None => moves[dice.below(moves.len() as u64) as usize].step(target, 1),
            };
            if unit == target || step % 60 == 59 {
                target = free[dice.below(free.len() as u64) as usize];
            }
            if step % 97 == 96 {
                let cell = free[dice.below(free.len() as u64) as usize];
                if cell != unit && cell != target {
                    engine.apply(Edits::new().block(cell)).unwrap();
                }
            }
            if !engine.grid().is_free(target) {
                target = unit;
            }
        }
        let optimal = engine.guarantee() == Guarantee::GridOptimal;
        assert!(!optimal || chase.kept() > 50, "{spec}: {} kept, {} asked", chase.kept(), chase.asked());
    }
}

/// A path that was only legal is not kept when a renewal brings shortest paths.
#[test]
fn a_chase_asks_again_after_a_renewal() {
    let grid = generate::random(24, 24, 15, 0).unwrap();
    let free = free_cells(&grid);
    let (start, goal) = (free[0], free[free.len() - 1]);
    let engine = Engine::new("cpd:repair=unit", &grid).unwrap();
    let cells: Vec<Cell> = engine.find(start, goal).unwrap().unwrap().cells().unwrap().collect();
    let walls: Edits =
        [cells.len() / 3, cells.len() / 2, cells.len() * 2 / 3].map(|nth| (cells[nth], false)).into_iter().collect();
    engine.apply(&walls).unwrap();
    let mut chase = Chase::new(&engine);
    let before = chase.find(start, goal).unwrap().unwrap().clone();
    engine.renew_by_slices().run(std::time::Duration::MAX).unwrap().unwrap();
    let best = engine.find(start, goal).unwrap().unwrap();
    assert!(best.length() < before.length(), "the map shows the difference");
    assert_eq!(chase.find(start, goal).unwrap().unwrap().cost(), best.cost());
    assert_eq!((chase.asked(), chase.kept()), (2, 0));
}
