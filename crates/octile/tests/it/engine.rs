//! The engine with many threads: answers while the map changes, batches, and shared state.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use octile::engine::Routes;
use octile::formats::generate;
use octile::geometry::Dice;
use octile::planner::{EditError, OnEdit};
use octile::{
    Answer, BuildError, Cell, CornerSweep, Edits, Engine, Grid, GridCost, Guarantee, HubLabels, Output, Path, Planner,
    Query, QueryError,
};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;

/// Specs that follow edits, one for each way to do so.
const FOLLOWING: [&str; 11] = [
    "astar",
    "jps",
    "corner-sweep",
    "corner-sweep:cache=on",
    "block-astar",
    "jump-graph",
    "core-search",
    "jps:prune=gates,gates=always",
    "hub-labels",
    "core-table",
    "cpd",
];

/// Random edits of a few cells, never the corners of the map.
fn edits(grid: &Grid, dice: &mut Dice) -> Edits {
    let corners = [0, grid.width() - 1].map(|x| [0, grid.height() - 1].map(|y| Cell::new(x, y)));
    let mut edits = Edits::new();
    for _ in 0..=dice.below(5) {
        let cell = Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
        if !corners.as_flattened().contains(&cell) {
            edits.extend([(cell, dice.hits(1, 2))]);
        }
    }
    edits
}

/// Asks a snapshot and judges by its map: the answer is right for that map, whatever edits come meanwhile.
fn ask_snapshot(
    planner: &dyn Planner,
    scratch: &mut octile::planner::Scratch,
    path: &mut Path,
    dice: &mut Dice,
) -> bool {
    let grid = planner.grid();
    let free = free_cells(grid);
    let [start, goal] = [0; 2].map(|_| free[dice.below(free.len() as u64) as usize]);
    let found = planner.plan(scratch, Query::new(start, goal), path).unwrap();
    let truth = Truth::new(grid, start).on_cells(goal);
    assert_eq!(found.then(|| path.cost().grid()).flatten(), truth, "{planner:?} from {start} to {goal}\n{grid:?}");
    if found {
        path.check(grid, start, goal).unwrap();
    }
    found
}

/// Eight threads ask during edits. Answers of a snapshot are exact for its map; a path from the engine is legal on one
/// of the maps since the query began.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn eight_threads_ask_while_edits_land() {
    for (seed, spec) in (0..).zip(FOLLOWING) {
        let grid = generate::random(24, 18, 25, seed).unwrap();
        let engine = Engine::new(spec, &grid).unwrap();
        let maps = Mutex::new(vec![grid.clone()]);
        let (done, answered, found) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let (engine, maps, done, answered, found) = (engine.clone(), &maps, &done, &answered, &found);
                scope.spawn(move || {
                    let mut dice = Dice::new(100 * seed + thread);
                    let mut path = Path::new();
                    while !done.load(Ordering::Relaxed) {
                        if thread % 2 == 0 {
                            let planner = engine.snapshot();
                            let mut scratch = planner.create_scratch();
                            for _ in 0..3 {
                                let is_found = ask_snapshot(&*planner, &mut scratch, &mut path, &mut dice);
                                found.fetch_add(usize::from(is_found), Ordering::Relaxed);
                            }
                        } else {
                            // The last recorded edit may not have been applied yet.
                            let first = maps.lock().unwrap().len().saturating_sub(2);
                            let (start, goal) = (Cell::new(0, 0), Cell::new(23, 17));
                            let answer = engine.plan(Query::new(start, goal), &mut path);
                            let maps = maps.lock().unwrap()[first..].to_vec();
                            let fits = |grid: &Grid| match answer {
                                Ok(true) => path.check(grid, start, goal).is_ok(),
                                Ok(false) => {
                                    !grid.may_connect(start, goal) || Truth::new(grid, start).on_cells(goal).is_none()
                                }
                                Err(_) => !grid.is_free(start) || !grid.is_free(goal),
                            };
                            assert!(maps.iter().any(fits), "{spec}: {answer:?}");
                        }
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let mut dice = Dice::new(seed);
            for _ in 0..60 {
                // Recorded before it is applied: a query in between may get either map.
                let next = edits(&grid, &mut dice);
                let mut map = maps.lock().unwrap().last().unwrap().clone();
                map.apply(&next).unwrap();
                maps.lock().unwrap().push(map);
                engine.apply(&next).unwrap();
                let before = answered.load(Ordering::Relaxed);
                while answered.load(Ordering::Relaxed) < before + 8 {
                    std::thread::yield_now();
                }
            }
            // Even on a busy machine, some queries must have been answered.
            while found.load(Ordering::Relaxed) <= 100 {
                std::thread::yield_now();
            }
            done.store(true, Ordering::Relaxed);
        });
        assert_eq!(engine.grid(), *maps.lock().unwrap().last().unwrap(), "{spec}");
        // The final planner is as good as a new one.
        let (planner, mut dice) = (engine.snapshot(), Dice::new(7));
        let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
        for _ in 0..100 {
            ask_snapshot(&*planner, &mut scratch, &mut path, &mut dice);
        }
    }
}

/// A snapshot keeps the old map, and an edit does not wait until it is dropped.
#[test]
fn snapshots_do_not_change_and_all_clones_see_the_edit() {
    for spec in FOLLOWING {
        let engine = Engine::new(spec, &Grid::open(9, 9).unwrap()).unwrap();
        let (other, snapshot) = (engine.clone(), engine.snapshot());
        let mut finder = engine.finder();
        engine.apply(Edits::new().block_rect((4, 0), (4, 7))).unwrap();
        engine.apply(Edits::new().block((4, 8))).unwrap();
        assert_eq!(other.find((0, 0), (8, 0)).unwrap(), None, "{spec}");
        assert_eq!(finder.find((0, 0), (8, 0)).unwrap().unwrap().cost(), GridCost::new(8, 0));
        assert!(snapshot.grid().is_free((4, 0)) && !engine.grid().is_free((4, 0)));
        drop((snapshot, finder));
        other.apply(Edits::new().free((4, 3))).unwrap();
        assert!(engine.find((0, 3), (8, 3)).unwrap().is_some_and(|path| path.cost() == GridCost::new(8, 0)), "{spec}");
        assert!(engine.last_edit().is_some());
    }
}

/// An edit in place and one made during a query give the same planner, in any order.
#[test]
fn edits_in_place_and_beside_readers_agree() {
    for (seed, spec) in (0..).zip(FOLLOWING) {
        let mut grid = generate::random(30, 20, 20, seed).unwrap();
        let engine = Engine::new(spec, &grid).unwrap();
        let (mut dice, mut held) = (Dice::new(seed), Vec::new());
        for round in 0..200 {
            match dice.below(4) {
                0 => held.push(engine.snapshot()),
                1 => held.clear(),
                _ => {}
            }
            let edits = edits(&grid, &mut dice);
            grid.apply(&edits).unwrap();
            engine.apply(&edits).unwrap();
            assert_eq!(engine.grid(), grid, "{spec} in round {round}");
            let planner = engine.snapshot();
            ask_snapshot(&*planner, &mut planner.create_scratch(), &mut Path::new(), &mut dice);
        }
    }
}

#[test]
fn invalid_edits_change_nothing() {
    let grid: Grid = "..@.\n....".parse().unwrap();
    let engine = Engine::new("corner-sweep", &grid).unwrap();
    for is_held in [false, true] {
        let held = is_held.then(|| engine.snapshot());
        let error = engine.apply(Edits::new().block((0, 0)).block((4, 0))).unwrap_err();
        assert_eq!(error.to_string(), "edited cell 4,0 is off the map: x must be below 4 and y below 2");
        assert_eq!(engine.grid(), grid);
        drop(held);
    }
    let mut planner = HubLabels::default().planner(&grid).unwrap();
    assert_eq!(planner.apply(Edits::new().block((0, 0))), Err(EditError::Refused { planner: "hub-labels" }));
    assert_eq!(planner.apply(Edits::new().block((2, 0))), Ok(()), "it is blocked already");
    // An engine keeps a planner that follows for this.
    let engine = Engine::of(planner);
    assert_eq!(engine.on_edit(), OnEdit::GoesStale);
    assert_eq!(engine.apply(Edits::new().block((0, 0))), Ok(()));
    assert!(engine.find((0, 0), (0, 1)).is_err() && engine.find((1, 0), (0, 1)).unwrap().is_some());
}

#[test]
fn may_connect_is_exact_after_edits() {
    for (spec, is_held) in [("corner-sweep", false), ("corner-sweep", true), ("theta-star", false), ("cpd", true)] {
        let engine = Engine::new(spec, &Grid::open(5, 5).unwrap()).unwrap();
        let held = is_held.then(|| engine.snapshot());
        engine.apply(Edits::new().block_rect((2, 0), (2, 4))).unwrap();
        assert!(!engine.may_connect((0, 0), (4, 0)), "{spec}");
        assert_eq!(engine.find((0, 0), (4, 0)).unwrap(), None);
        drop(held);
    }
}

/// Cells that are blocked or off the map are not connected to anything, and asking does not panic.
#[test]
fn blocked_and_missing_cells_are_not_connected() {
    for spec in ["jps", "theta-star", "theta-star:squeeze=forbidden", "block-astar:db=any-angle"] {
        let engine = Engine::new(spec, &"..@\n...".parse().unwrap()).unwrap();
        assert!(engine.may_connect((0, 0), (2, 1)), "{spec}");
        for cell in [(2, 0), (3, 0), (0, 2), (u32::MAX, u32::MAX)] {
            assert!(!engine.may_connect((0, 0), cell) && !engine.may_connect(cell, (0, 0)), "{spec} {cell:?}");
        }
    }
}

/// Batches give the answers of single queries, in order, for any size; buffers can be reused.
#[test]
fn batches_give_the_answers_of_single_queries() {
    let grid = generate::random(60, 40, 30, 3).unwrap();
    let (mut dice, mut answers, mut routes) = (Dice::new(1), Vec::<Answer>::new(), Routes::new());
    for spec in ["astar", "corner-sweep", "theta-star", "hub-labels"] {
        let engine = Engine::new(spec, &grid).unwrap();
        for size in [0, 1, 2, 7, 8, 9, 64, 5000, 3] {
            let mut cell = || Cell::new(dice.below(62) as u32, dice.below(40) as u32);
            let queries: Vec<Query> = (0..size).map(|_| Query::new(cell(), cell())).collect();
            engine.plan_all(&queries, &mut answers);
            let paths = engine.find_all(&queries);
            assert_eq!((answers.len(), paths.len()), (size, size));
            assert!(engine.find_routes(&queries, &mut routes, |done, all| done <= all));
            paths.iter().enumerate().for_each(|(number, path)| check_route(&routes, number, path));
            assert_eq!(routes.len(), size);
            let mut finder = engine.finder();
            for ((query, answer), path) in queries.iter().zip(&answers).zip(paths) {
                let single = finder.find(query.start, query.goal());
                assert_eq!(answer.path(), single.as_ref().map(Option::as_ref).map_err(QueryError::clone), "{spec}");
                assert_eq!(path, single);
            }
        }
    }
}

/// Compares an answer in columns with the plain one.
fn check_route(routes: &Routes, number: usize, path: &Result<Option<Path>, QueryError>) {
    let (length, points) = (routes.lengths[number], routes.route(number).as_flattened());
    let counts = (routes.straight[number], routes.diagonal[number]);
    match path {
        Ok(Some(path)) => {
            assert_eq!(length.to_bits(), path.length().to_bits());
            assert_eq!(
                counts,
                path.cost().counts().map_or((-1, -1), |cost| (cost.straight.into(), cost.diagonal.into()))
            );
            let flat: Vec<i32> = match path.points() {
                Ok(cells) => cells.iter().flat_map(|cell| [cell.x as i32, cell.y as i32]).collect(),
                Err(_) => path
                    .vertices()
                    .unwrap()
                    .flat_map(|point| [2.0 * point.x(), 2.0 * point.y()])
                    .map(|half| half as i32)
                    .collect(),
            };
            assert_eq!(points, flat);
        }
        Ok(None) => assert_eq!((length, counts, points.len()), (f64::INFINITY, (-1, -1), 0)),
        Err(error) => {
            assert!(length.is_nan() && points.is_empty() && counts == (-1, -1));
            let (first, fault) = routes.fault.as_ref().expect("there is a first one");
            assert!(*first < number || (*first, fault) == (number, error));
        }
    }
}

/// A batch is answered on one map: edits made meanwhile affect the next batch.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn a_batch_sees_one_map() {
    let engine = Engine::new("astar", &Grid::open(80, 80).unwrap()).unwrap();
    let queries = vec![Query::new((0, 40), (79, 40)).output(Output::Cost); 3000];
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| engine.find_all(&queries));
        for y in 0..80 {
            engine.apply(Edits::new().block((40, y))).unwrap();
        }
        let costs: Vec<_> =
            asked.join().unwrap().into_iter().map(|path| path.unwrap().map(|path| path.cost())).collect();
        assert!(costs.iter().all(|cost| *cost == costs[0]), "all on the same map");
    });
    assert_eq!(engine.find((0, 40), (79, 40)).unwrap(), None);
}

#[test]
fn batches_may_be_asked_from_inside_the_pool() {
    let engine = Engine::new(CornerSweep::default(), &generate::rooms(64, 64, 8, 1).unwrap()).unwrap();
    let queries: Vec<Query> = (1..2000).map(|i| Query::new((1, 1), (1 + i % 6, 1 + i / 400))).collect();
    let (a, b) = rayon::join(|| engine.find_all(&queries), || engine.find_all(&queries));
    assert!(a == b && a.len() == queries.len());
}

#[test]
fn an_engine_is_send_and_sync() {
    fn is_shared<T: Send + Sync + Clone + 'static>() {}
    is_shared::<Engine>();
    let error = Engine::new("jsp", &Grid::open(2, 2).unwrap()).unwrap_err();
    assert!(matches!(&error, BuildError::Spec(_)) && error.to_string().contains("did you mean `jps`?"), "{error}");
    let engine = Engine::new("jps", &Grid::open(2, 2).unwrap()).unwrap();
    assert_eq!((engine.name(), engine.guarantee(), engine.index_bytes()), ("jps", Guarantee::GridOptimal, 0));
    assert_eq!(format!("{engine:?}"), "Engine(jps on 2x2)");
}
