//! The same map, spec and query give the same path, cell by cell, whatever was asked before, however it is asked, and
//! on every machine.
//!
//! ```text
//! OCTILE_DETERMINISM=3000 cargo test --release -p octile --test it determinism -- --nocapture
//! OCTILE_BLESS=1 cargo test -p octile --test it determinism     # after a change that gives other paths of the same cost
//! ```

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use octile::formats::generate;
use octile::geometry::Dice;
use octile::planner::{Counts, Native, OnEdit, Scratch};
use octile::{Answer, Cell, Edits, Engine, Grid, Movement, Output, Path, PathQuery, Planner, PlannerSpec, Query};
use octile_testkit::maps::free_cells;
use octile_testkit::{maps, planners};
use xxhash_rust::xxh3::Xxh3Default;

use octile_testkit::setting;

/// More specs than those of the catalog, which remember more, or less, between queries.
const WITH_MEMORY: [&str; 5] = [
    "corner-sweep:cache=on",
    "terrain-jump:cache=on",
    "taut-sight:memory=0",
    "taut-sight:ends=centres",
    "theta-star:ends=centres",
];

/// All specs that support a map, except `auto`, which chooses by time.
fn specs(grid: &Grid) -> Vec<PlannerSpec> {
    let (movement, has_prices) = (grid.movement(), grid.convention().is_some());
    let all = planners::specs(grid).chain(WITH_MEMORY).filter(|spec| !spec.starts_with("auto"));
    let parsed = all.map(|spec| spec.parse::<PlannerSpec>().unwrap());
    parsed.filter(|spec| spec.movements().contains(&movement) && (!has_prices || spec.takes_terrain())).collect()
}

/// A random map with walls or with prices.
fn any_map(dice: &mut Dice, most: u32) -> Grid {
    if dice.hits(1, 3) { maps::with_prices(dice, most) } else { maps::textured(dice, most) }
}

/// Random queries between free cells.
fn any_trips(grid: &Grid, dice: &mut Dice, count: usize) -> Vec<PathQuery> {
    let free = free_cells(grid);
    let mut any = || free[dice.below(free.len() as u64) as usize];
    if free.is_empty() {
        return Vec::new();
    }
    (0..count).map(|_| PathQuery::new(any(), any()).output(Output::Cells)).collect()
}

/// Up to four rectangles that are blocked, freed or priced.
fn any_edits(grid: &Grid, dice: &mut Dice) -> Edits {
    let mut edits = Edits::new();
    let mut below = |end: u32| dice.below(end.into()) as u32;
    for _ in 0..=below(4) {
        let (x, y) = (below(grid.width()), below(grid.height()));
        let last = Cell::new((x + below(5)).min(grid.width() - 1), (y + below(3)).min(grid.height() - 1));
        match below(4) {
            0 => edits.free_rect((x, y), last),
            1 if grid.convention().is_some() => edits.price_rect((x, y), last, 1 + below(9) as u8),
            _ => edits.block_rect((x, y), last),
        };
    }
    edits
}

/// The edits that turn one map into another.
fn differences(from: &Grid, to: &Grid) -> Edits {
    let differs = |cell: &Cell| from.is_free(*cell) != to.is_free(*cell);
    from.cells().filter(differs).map(|cell| (cell, to.is_free(cell))).collect()
}

fn ask<'q>(planner: &dyn Planner, scratch: &mut Scratch, query: impl Into<Query<'q>>) -> Option<Path> {
    let mut path = Path::new();
    planner.plan(scratch, query, &mut path).unwrap().then_some(path)
}

/// The path that a planner gives with a new scratch.
fn ask_afresh(planner: &dyn Planner, trip: PathQuery) -> Option<Path> {
    ask(planner, &mut planner.create_scratch(), trip)
}

/// Two planners get the same edits. One answers many kinds of questions with one scratch, the other gets a new scratch
/// for every query.
#[test]
fn earlier_queries_do_not_change_paths() {
    let (rounds, mut compared) = (setting("OCTILE_DETERMINISM", if cfg!(target_family = "wasm") { 4 } else { 40 }), 0);
    for round in 0..rounds {
        let grid = any_map(&mut Dice::new(round), [20, 44, 70][round as usize % 3]);
        for spec in specs(&grid) {
            let mut dice = Dice::new(round);
            let mut warm = spec.build(&grid).unwrap();
            let (mut cold, mut scratch) = (warm.clone(), warm.create_scratch());
            for edit in 0..4 {
                let trips = any_trips(warm.grid(), &mut dice, 12);
                let expected: Vec<_> = trips.iter().map(|&trip| ask_afresh(&*cold, trip)).collect();
                for _ in 0..3 * trips.len() {
                    let nth = dice.below(trips.len() as u64) as usize;
                    // Ask other questions in between: a limited one, for the nearest cell, or for the nearest of all
                    // goals.
                    let goals: Vec<Cell> = trips.iter().map(|trip| trip.goal).collect();
                    let other = match dice.below(8) {
                        0 => Some(Query::from(trips[nth]).max_expanded(dice.below(9)).nearest()),
                        1 => Some(Query::to_any(trips[nth].start, &goals)),
                        _ => None,
                    };
                    other.map(|query| ask(&*warm, &mut scratch, query));
                    let path = ask(&*warm, &mut scratch, trips[nth]);
                    assert_eq!(path, expected[nth], "{spec} in round {round} after {edit} edits: {:?}", trips[nth]);
                    compared += 1;
                }
                let edits = any_edits(warm.grid(), &mut dice);
                warm.apply(&edits).unwrap();
                cold.apply(&edits).unwrap();
            }
        }
    }
    println!("{compared} paths, none differs");
    assert!(compared > 1000);
}

/// A query has one path: alone or in a batch, with or without a probe, within limits, in slices, by a clone.
#[test]
fn paths_are_the_same_however_they_are_asked() {
    for round in 0..if cfg!(target_family = "wasm") { 2 } else { 12 } {
        let mut dice = Dice::new(1000 + round);
        let grid = any_map(&mut dice, 50);
        let trips = any_trips(&grid, &mut dice, 40);
        for spec in specs(&grid) {
            let planner = spec.build(&grid).unwrap();
            let engine = Engine::of(planner.clone());
            let batch = engine.find_all(&trips);
            let (other, mut finder, mut scratch) = (engine.clone(), engine.finder(), planner.create_scratch());
            for (&trip, in_batch) in trips.iter().zip(batch) {
                let path = ask_afresh(&*planner, trip);
                assert_eq!(in_batch.unwrap(), path, "{spec} in a batch: {trip:?}");
                assert_eq!(other.find_all(&[trip])[0], Ok(path.clone()), "{spec} by a clone: {trip:?}");
                let (mut watched, mut counts) = (Path::new(), Counts::default());
                let found = planner.plan_probed(&mut scratch, trip, &mut watched, Some(&mut counts)).unwrap();
                assert_eq!(found.then_some(watched), path, "{spec} watched: {trip:?}");
                let limited = Query::from(trip).max_expanded(u64::MAX - 1).max_cost(1e12);
                assert_eq!(ask(&*planner, &mut scratch, limited), path, "{spec} within limits: {trip:?}");
                let mut found = Path::new();
                let is_found = finder.plan(trip.output(Output::Waypoints), &mut found).unwrap();
                assert_eq!(is_found, path.is_some(), "{spec} by its turns: {trip:?}");
                if let Some(path) = &path {
                    assert_eq!(found.cost(), path.cost(), "{spec} by its turns: {trip:?}");
                    let cells = |path: &Path| path.cells().map(Iterator::collect::<Vec<_>>);
                    assert_eq!((cells(&found), found.corners()), (cells(path), path.corners()), "{spec}: {trip:?}");
                }
                // If a search cannot resume, another planner stands in.
                if planner.facts().has(Native::Slices) {
                    let mut pending = engine.begin(trip);
                    while pending.run(3).unwrap().is_none() {}
                    assert_eq!(pending.into_answer().into_path().unwrap(), path, "{spec} in slices: {trip:?}");
                }
            }
        }
    }
}

/// Eight threads ask one engine in different orders, with single queries and in batches.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "there are no threads")]
fn threads_do_not_change_paths() {
    for round in 0..4 {
        let mut dice = Dice::new(2000 + round);
        let grid = any_map(&mut dice, 60);
        let trips = any_trips(&grid, &mut dice, 60);
        for spec in specs(&grid) {
            let engine = Engine::new(&spec, &grid).unwrap();
            let planner = engine.snapshot();
            let expected: Vec<_> = trips.iter().map(|&trip| ask_afresh(&*planner, trip)).collect();
            std::thread::scope(|scope| {
                for thread in 0..8 {
                    let (engine, trips, expected, spec) = (&engine, &trips, &expected, &spec);
                    scope.spawn(move || {
                        let mut dice = Dice::new(thread);
                        let (mut answers, mut answer) = (Vec::new(), Answer::new());
                        for _ in 0..trips.len() {
                            let nth = dice.below(trips.len() as u64) as usize;
                            engine.ask_into(trips[nth], &mut answer).unwrap();
                            assert_eq!(answer.path().unwrap(), expected[nth].as_ref(), "{spec}: {:?}", trips[nth]);
                        }
                        engine.plan_all(trips, &mut answers);
                        let paths: Vec<_> = answers.into_iter().map(|answer| answer.into_path().unwrap()).collect();
                        assert_eq!(&paths, expected, "{spec}");
                    });
                }
            });
        }
    }
}

/// A planner that follows edits gives the paths of one that was built for the current map, except with pruning, which
/// keeps knowledge about the old map. With an index that goes stale, paths depend only on the map of the index and the
/// current map, not on the edits between them.
#[test]
fn paths_depend_only_on_the_map_and_the_map_of_the_index() {
    let (mut followed, mut stale) = (0, 0);
    for round in 0..if cfg!(target_family = "wasm") { 6 } else { 30 } {
        let mut dice = Dice::new(3000 + round);
        let grid = any_map(&mut dice, 44);
        for spec in specs(&grid) {
            let (mut edited, mut dice) = (spec.build(&grid).unwrap(), Dice::new(round));
            for _ in 0..3 {
                let edits = any_edits(edited.grid(), &mut dice);
                edited.apply(&edits).unwrap();
            }
            let now = edited.grid().clone();
            let is_stale = spec.on_edit() == OnEdit::GoesStale;
            let other = if is_stale {
                // Apply all edits at once. Maps with prices have no such planners.
                let mut at_once = spec.build(&grid).unwrap();
                at_once.apply(&differences(&grid, &now)).unwrap();
                at_once
            } else if spec.canonical().contains("prune=") {
                continue;
            } else {
                spec.build(&now).unwrap()
            };
            for trip in any_trips(&now, &mut dice, 12) {
                assert_eq!(ask_afresh(&*edited, trip), ask_afresh(&*other, trip), "{spec} in round {round}: {trip:?}");
                *if is_stale { &mut stale } else { &mut followed } += 1;
            }
        }
    }
    assert!(planners::is_restricted() || followed > 100 && stale > 100, "{followed} {stale}");
}

/// A hash of the paths of a spec on some maps, before and after edits: cells, corners, and every bit of a length.
fn hash_of_paths(spec: &PlannerSpec, maps: &[Grid]) -> Option<u64> {
    let (mut hash, mut paths) = (Xxh3Default::new(), 0);
    let suits = |grid: &&Grid| specs(grid).contains(spec);
    for (grid, seed) in maps.iter().filter(suits).zip(1..) {
        let (mut planner, mut dice) = (spec.build(grid).unwrap(), Dice::new(seed));
        let mut scratch = planner.create_scratch();
        for _ in 0..3 {
            let trips = any_trips(planner.grid(), &mut dice, 10);
            let goals: Vec<Cell> = trips.iter().map(|trip| trip.goal).collect();
            let singles = trips.iter().map(|&trip| Query::from(trip));
            let others = [Query::to_any(goals[0], &goals[1..]), Query::new(goals[0], goals[1]).max_cost(9.0).nearest()];
            for query in singles.chain(others) {
                let path = ask(&*planner, &mut scratch, query).unwrap_or_default();
                hash.update(&path.length().to_bits().to_le_bytes());
                path.points().unwrap_or_default().iter().for_each(|cell| hash.update(format!("{cell} ").as_bytes()));
                path.corners().unwrap_or_default().iter().for_each(|at| hash.update(format!("{at:?} ").as_bytes()));
                paths += 1;
            }
            let edits = any_edits(planner.grid(), &mut dice);
            planner.apply(&edits).unwrap();
        }
    }
    (paths > 0).then(|| hash.digest())
}

/// The maps of the record.
fn recorded_maps() -> Vec<Grid> {
    let mut dice = Dice::new(7);
    let mut maps = vec![
        generate::caves(48, 40, 45, 1).unwrap(),
        generate::rooms(41, 33, 8, 2).unwrap(),
        generate::random(40, 40, 25, 3).unwrap(),
        generate::maze(33, 33, 2, 4).unwrap(),
    ];
    maps.extend([Movement::OctileCutting, Movement::Tile].map(|movement| maps[0].clone().with_movement(movement)));
    maps.extend((0..6).map(|_| maps::with_prices(&mut dice, 40)).filter(|grid| grid.free_cells() > 100));
    maps
}

/// `testdata/paths.txt` has a hash of the paths of each spec. It is the same for every processor, word size and number
/// of threads.
#[test]
fn paths_match_the_record() {
    let maps = recorded_maps();
    let mut all: Vec<PlannerSpec> = maps.iter().flat_map(specs).collect();
    all.sort_by_key(ToString::to_string);
    all.dedup();
    let mut found = String::new();
    for spec in &all {
        writeln!(found, "{:016x} {spec}", hash_of_paths(spec, &maps).unwrap()).unwrap();
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/paths.txt");
    if std::env::var_os("OCTILE_BLESS").is_some() && !planners::is_restricted() {
        fs::write(&file, &found).unwrap();
    }
    let recorded = fs::read_to_string(&file).unwrap();
    let differs: Vec<_> = found.lines().filter(|line| !recorded.contains(line)).collect();
    assert!(differs.is_empty(), "other paths than those on record:\n{}", differs.join("\n"));
    let is_whole = planners::is_restricted() || found.lines().count() == recorded.lines().count();
    assert!(is_whole, "the record has other specs");
}
