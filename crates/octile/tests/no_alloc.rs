//! Warm queries allocate nothing: a counting allocator watches every planner.

#![allow(unsafe_code, reason = "a global allocator is unsafe by its nature")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use octile::engine::{Chase, KNearest, Matrix};
use octile::grid::{Clearance, Fit, Room};
use octile::{
    Answer, BuildError, Catalog, Cell, Edits, Engine, Field, Finder, Grid, Movement, Output, Path, PlannerSpec, Query,
};
use octile_testkit::planners;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The only test in this file, so that no other thread allocates meanwhile. Planners that take too long to build for
/// the large map are asked on the small one.
#[test]
fn warm_queries_do_not_allocate() {
    check_agents();
    let asked = check(84, 55, |_| true);
    let small = check(50, 37, |spec| !asked.contains(&spec));
    let catalog = Catalog::standard();
    let all: usize = catalog.planners().iter().map(|entry| catalog.specs(entry).len()).sum();
    assert_eq!(asked.len() + small.len(), all);
    check_fields();
}

/// Fields that are refilled and asked, before and after edits. Applying an edit allocates a list of changes, which is
/// subtracted.
fn check_fields() {
    for movement in Movement::ALL {
        let grid = pattern(120, 91).with_movement(movement);
        let mut field = Field::new(&grid, &[(0, 0), (119, 0)]).unwrap();
        drop(grid);
        let mut path = Path::new();
        let mut build = Edits::new();
        build.block_rect((50, 30), (59, 39)).block((0, 0));
        let remove: Edits = build.iter().map(|(cell, _)| (cell, true)).collect();
        let by_edits = std::cell::Cell::new(0);
        let mut use_all = || {
            for goals in [[(0, 0), (119, 0)], [(60, 45), (0, 90)]] {
                field.set_goals(&goals).unwrap();
                for edits in [&build, &remove] {
                    let before = ALLOCATIONS.load(Ordering::Relaxed);
                    assert!(field.apply(edits).unwrap());
                    by_edits.set(by_edits.get() + ALLOCATIONS.load(Ordering::Relaxed) - before);
                    for output in [Output::Cells, Output::Waypoints, Output::Cost] {
                        assert!(field.path((7, 81), output, &mut path));
                    }
                    assert!(field.next((7, 81)).is_some() && field.goal((7, 81)).is_some());
                    assert!(field.direction(7.3, 81.9).is_some());
                }
            }
        };
        (0..3).for_each(|_| use_all());
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        by_edits.set(0);
        use_all();
        let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert_eq!(allocated, by_edits.get(), "a field allocated when warm, under {movement}");
        assert!(by_edits.get() <= 24, "an edit of a field needs few lists: {} for 4 edits", by_edits.get());
    }
}

/// A map with many obstacles and some free rows.
fn pattern(width: u32, height: u32) -> Grid {
    Grid::from_fn(width, height, |cell| (cell.x * 31 + cell.y * 17) % 11 > 2 || cell.y % 9 == 0).unwrap()
}

/// Lets the maps of agents follow edits back and forth, and recomputes clearances.
fn check_agents() {
    let mut states = [0, 1].map(|_| Grid::from_fn(90, 70, |cell| (cell.x * 31 + cell.y * 17) % 61 > 2).unwrap());
    let edits = [false, true].map(|free| {
        let mut edits: Edits = (0..30).map(|place| ((place * 37 % 90, place * 53 % 70), free)).collect();
        if free {
            edits.free_rect((20, 20), (29, 29))
        } else {
            edits.block_rect((20, 20), (29, 29))
        };
        edits
    });
    states[1].apply(&edits[1]).unwrap();
    states[0] = states[1].clone();
    states[0].apply(&edits[0]).unwrap();
    let (mut clearance, mut changes) = (Clearance::new(&states[0]), Edits::new());
    for (agent, room) in ["square:2", "disc:3"].into_iter().flat_map(|agent| Room::ALL.map(|room| (agent, room))) {
        let mut fit = Fit::new(agent.parse().unwrap(), room);
        let mut fitting = fit.grid(&states[0]);
        for round in 0..4 {
            let state = (round + 1) % 2;
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            fit.edits(&states[state], &edits[state], &fitting, &mut changes).unwrap();
            clearance.recompute(&states[state]);
            let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
            assert!(round < 2 || allocations == 0, "{agent} {room:?}: {allocations}");
            assert!(!changes.is_empty());
            fitting.apply(&changes).unwrap();
        }
    }
}

/// Asks all chosen planners that support a map of this size; returns their names.
fn check(width: u32, height: u32, is_chosen: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let grid = pattern(width, height);
    let (right, bottom) = (width - 1, height - 1);
    let far = [(0, 0), (right, bottom), (0, bottom), (right, 0), (width / 2, bottom / 18 * 9)];
    let far: Vec<Cell> = far.map(|(x, y)| Cell::new(x, y)).to_vec();
    let mut asked = Vec::new();
    for spec in planners::specs_of_all_rules(&grid).filter(|spec| is_chosen(spec)) {
        let movement = spec.parse::<PlannerSpec>().unwrap().movements()[0];
        let engine = match Engine::new(spec, &grid.with_movement(movement)) {
            Err(BuildError::TakesLong { .. }) => continue,
            engine => engine.unwrap(),
        };
        asked.push(spec);
        let mut finder: Finder = engine.finder();
        let mut path = Path::new();
        let (mut matrix, mut nearest) = (Matrix::new(), KNearest::new());
        let has_labels = spec.contains("-labels");
        let (mut answer, mut chase) = (Answer::new(), Chase::new(&engine));
        let walls: Vec<Cell> = grid.cells().filter(|&cell| !grid.is_free(cell)).step_by(97).collect();
        let mut ask_all = || {
            for &start in &far {
                for query in [
                    Query::to_any(start, &far[1..]),
                    Query::to_any(start, &walls).nearest(),
                    Query::new(start, walls[0]).nearest().max_cost(12.0),
                    Query::new(start, far[1]).nearest().max_expanded(5),
                    Query::new(walls[1], start).nearest_ends().within(Duration::from_hours(24)),
                ] {
                    finder.ask_into(query, &mut answer).unwrap();
                    engine.ask_into(query, &mut answer).unwrap();
                    if let Some(path) = answer.path().unwrap() {
                        assert!(engine.still_valid(path));
                    }
                }
                chase.find(start, far[0]).unwrap();
                finder.find_nearest(start, &far, 2, &mut nearest).unwrap();
                engine.find_nearest(start, &far, 2, &mut nearest).unwrap();
                assert_eq!(nearest.found().len(), 2);
            }
            if has_labels {
                finder.fill_matrix(&far, &far, &mut matrix).unwrap();
                finder.fill_matrix(&far[..1], &far, &mut matrix).unwrap();
            }
            for output in [Output::Cells, Output::Waypoints, Output::Cost] {
                for (&start, &goal) in far.iter().flat_map(|start| far.iter().map(move |goal| (start, goal))) {
                    let query = Query::new(start, goal).output(output);
                    assert!(finder.plan(query, &mut path).unwrap());
                    assert!(engine.plan(query, &mut path).unwrap());
                }
            }
        };
        // Swap the buffers.
        (0..4).for_each(|_| ask_all());
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        ask_all();
        assert_eq!(ALLOCATIONS.load(Ordering::Relaxed), before, "{spec} allocated in a warm query");
    }
    asked
}
