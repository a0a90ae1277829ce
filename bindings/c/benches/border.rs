//! What the border of C costs: the same questions by the library's own functions and by those of C, in turns in one
//! process, the best of several rounds.
//!
//! `cargo bench -p octile-c --bench border -- MAP...`; without maps, on caves of 256 x 256 cells.

#![expect(unsafe_code, reason = "functions of C are called as C calls them")]

use std::ffi::{CString, c_char};
use std::hint::black_box;
use std::ptr;
use std::time::Instant;

use octile::engine::Routes;
use octile::formats::generate;
use octile::geometry::Dice;
use octile::{Cell, Engine, Grid, Path, PathQuery};
// Its functions are called by the names that C knows.
use octile_c as _;

const PLANNERS: [&str; 3] = ["hub-labels", "jump-graph", "corner-sweep"];
const QUERIES: usize = 100_000;
const SINGLE: usize = 20_000;
const AT_A_TIME: usize = 250;
const ROUNDS: usize = 9;

#[repr(C)]
#[derive(Clone, Copy)]
struct CCell {
    x: u32,
    y: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct CCost {
    straight: u32,
    diagonal: u32,
    parts: u32,
    length: f64,
}

enum Opaque {}

unsafe extern "C" {
    fn octile_grid_from_blocked(
        width: u32,
        height: u32,
        blocked: *const u8,
        length: usize,
        grid: *mut *mut Opaque,
    ) -> i32;
    fn octile_grid_free(grid: *mut Opaque);
    fn octile_engine_new(grid: *const Opaque, spec: *const c_char, engine: *mut *mut Opaque) -> i32;
    fn octile_engine_free(engine: *mut Opaque);
    fn octile_routes_new(routes: *mut *mut Opaque) -> i32;
    fn octile_routes_free(routes: *mut Opaque);
    fn octile_find(
        engine: *const Opaque,
        start: CCell,
        goal: CCell,
        cells: *mut CCell,
        capacity: usize,
        count: *mut usize,
        cost: *mut CCost,
    ) -> i32;
    fn octile_find_many(
        engine: *const Opaque,
        starts: *const CCell,
        goals: *const CCell,
        count: usize,
        terms: *const Opaque,
        routes: *mut Opaque,
    ) -> i32;
}

/// An engine of C for a map.
fn engine_of_c(grid: &Grid, spec: &str) -> *mut Opaque {
    let blocked: Vec<u8> = grid.cells().map(|cell| u8::from(!grid.is_free(cell))).collect();
    let spec = CString::new(spec).unwrap();
    let (mut copy, mut engine) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: arrays and texts are as long as is said, and outputs are there.
    unsafe {
        assert_eq!(
            octile_grid_from_blocked(grid.width(), grid.height(), blocked.as_ptr(), blocked.len(), &raw mut copy),
            0
        );
        assert_eq!(octile_engine_new(copy, spec.as_ptr(), &raw mut engine), 0);
        octile_grid_free(copy);
    }
    engine
}

/// The nanoseconds that something takes for each of so many queries.
fn nanoseconds(queries: usize, work: impl FnOnce()) -> f64 {
    let clock = Instant::now();
    work();
    clock.elapsed().as_nanos() as f64 / queries as f64
}

/// The least of each of two, which are measured in turns.
fn best_of_both(mut one: impl FnMut() -> f64, mut other: impl FnMut() -> f64) -> (f64, f64) {
    let rounds = (0..ROUNDS).map(|_| (one(), other()));
    rounds.fold((f64::INFINITY, f64::INFINITY), |best, round| (best.0.min(round.0), best.1.min(round.1)))
}

fn queries(grid: &Grid) -> Vec<PathQuery> {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let mut dice = Dice::new(1);
    let mut any = || free[dice.below(free.len() as u64) as usize];
    (0..QUERIES).map(|_| PathQuery::new(any(), any())).collect()
}

/// One query at a time, each with its turning points and its cost: the best of some queries at a time, so that what
/// else the machine does counts for little.
fn single(engine: &Engine, c: *const Opaque, trips: &[PathQuery]) -> (f64, f64) {
    let mut cells = vec![CCell { x: 0, y: 0 }; 1 << 12];
    let some = trips.chunks(AT_A_TIME).map(|trips| some_single(engine, c, trips, &mut cells));
    let sum = some.fold((0.0, 0.0), |sum, some| (sum.0 + some.0, sum.1 + some.1));
    let chunks = trips.len().div_ceil(AT_A_TIME) as f64;
    (sum.0 / chunks, sum.1 / chunks)
}

fn some_single(engine: &Engine, c: *const Opaque, trips: &[PathQuery], cells: &mut [CCell]) -> (f64, f64) {
    let mut path = Path::new();
    let of_rust = || {
        nanoseconds(trips.len(), || {
            for &trip in trips {
                if engine.plan(trip, &mut path).unwrap() {
                    black_box((path.points().unwrap(), path.cost()));
                }
            }
        })
    };
    let of_c = || {
        nanoseconds(trips.len(), || {
            for trip in trips {
                let [start, goal] = [trip.start, trip.goal].map(|Cell { x, y }| CCell { x, y });
                let (mut count, mut cost) = (0, CCost::default());
                // SAFETY: the buffer has the room that is said, and outputs are there.
                let status = unsafe {
                    octile_find(c, start, goal, cells.as_mut_ptr(), cells.len(), &raw mut count, &raw mut cost)
                };
                black_box((status, count, &cost, &*cells));
            }
        })
    };
    best_of_both(of_rust, of_c)
}

/// All at once.
fn batch(engine: &Engine, c: *const Opaque, trips: &[PathQuery]) -> (f64, f64) {
    let column = |end: fn(&PathQuery) -> Cell| -> Vec<CCell> {
        trips.iter().map(end).map(|Cell { x, y }| CCell { x, y }).collect()
    };
    let (starts, goals) = (column(|trip| trip.start), column(|trip| trip.goal));
    let (mut columns, mut routes) = (Routes::new(), ptr::null_mut());
    // SAFETY: the output is there.
    assert_eq!(unsafe { octile_routes_new(&raw mut routes) }, 0);
    let of_rust = || nanoseconds(trips.len(), || _ = black_box(engine.find_routes(trips, &mut columns, |_, _| true)));
    let of_c = || {
        nanoseconds(trips.len(), || {
            // SAFETY: there are so many cells of each.
            let status =
                unsafe { octile_find_many(c, starts.as_ptr(), goals.as_ptr(), trips.len(), ptr::null(), routes) };
            assert_eq!(status, 0);
        })
    };
    let times = best_of_both(of_rust, of_c);
    // SAFETY: it was made above.
    unsafe { octile_routes_free(routes) };
    times
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let mut maps: Vec<(String, Grid)> =
        files.iter().map(|file| (file.clone(), octile::load(file).unwrap().grid)).collect();
    if maps.is_empty() {
        maps.push(("caves 256 x 256".to_owned(), generate::caves(256, 256, 45, 1).unwrap()));
    }
    println!(
        "{QUERIES} queries a batch, {SINGLE} one by one; the best of {ROUNDS} rounds, in turns; nanoseconds a query"
    );
    for (name, grid) in &maps {
        let trips = queries(grid);
        for spec in PLANNERS {
            let (engine, c) = (Engine::new(spec, grid).unwrap(), engine_of_c(grid, spec));
            let (rust, c_one) = single(&engine, c, &trips[..SINGLE]);
            let (rust_many, c_many) = batch(&engine, c, &trips);
            println!(
                "{name}\t{spec}\tone: Rust {rust:.0}, C {c_one:.0}, {:+.0}\tbatch: Rust {rust_many:.0}, C {c_many:.0}, {:.3} times",
                c_one - rust,
                c_many / rust_many
            );
            // SAFETY: it was made above, and nobody asks it any more.
            unsafe { octile_engine_free(c) };
        }
    }
}
