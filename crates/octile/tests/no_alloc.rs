//! Warm queries allocate nothing: a counting allocator watches every planner.

#![allow(unsafe_code, reason = "a global allocator is unsafe by its nature")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use octile::algo::{Entry, PLANNERS};
use octile::{Cell, Finder, Grid, Output, Path, PlannerSpec, Query};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is handed to the system allocator unchanged.
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

/// The only test of this file, so that no other thread allocates meanwhile.
#[test]
fn warm_queries_do_not_allocate() {
    let grid = Grid::from_fn(200, 150, |cell| (cell.x * 31 + cell.y * 17) % 11 > 2 || cell.y % 9 == 0).unwrap();
    let far: Vec<Cell> = [(0, 0), (199, 144), (0, 144), (199, 0), (100, 72)].map(|(x, y)| Cell::new(x, y)).to_vec();
    for spec in PLANNERS.iter().flat_map(Entry::specs) {
        let movement = spec.parse::<PlannerSpec>().unwrap().movements()[0];
        let mut finder = Finder::new(spec, &grid.with_movement(movement)).unwrap();
        let mut path = Path::new();
        let mut ask_all = || {
            for output in [Output::Cells, Output::Waypoints, Output::Cost] {
                for (&start, &goal) in far.iter().flat_map(|start| far.iter().map(move |goal| (start, goal))) {
                    assert!(finder.plan(Query::new(start, goal).output(output), &mut path).unwrap());
                }
            }
        };
        ask_all();
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        ask_all();
        assert_eq!(ALLOCATIONS.load(Ordering::Relaxed), before, "{spec} allocated in a warm query");
    }
}
