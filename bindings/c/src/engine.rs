//! `octile_engine`: a planner for a map that can change, and its answers.

use std::cell::Cell;
use std::ffi::c_char;
use std::mem::MaybeUninit;

use octile::{Engine, Output, Path, PlannerSpec, Trip};

use crate::border::{Fault, Outcome, call, free, octile_status, value};
use crate::edits::octile_edits;
use crate::grid::{octile_cell, octile_grid};
use crate::path::{every_cell, octile_cost, octile_path, octile_point, spots, waypoints};
use crate::pointers::{fill_text, given, handle, text};

/// A planner for a map, which may change. Any number of threads may ask one engine, and change its map, at the same time.
pub struct octile_engine {
    engine: Engine,
}

/// The planner of who names none.
const DEFAULT_SPEC: &str = "corner-sweep";

/// Makes the planner of a name for a map, with keys behind a colon, such as "jps:prune=gates" or "hub-labels:index=arena.octx"; octile_planners lists them. NULL is "corner-sweep". The engine
/// takes the map as it is, so that you may change or free the grid. Some planners take long to build. Free the engine with octile_engine_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_engine_new(
    grid: Option<&octile_grid>,
    spec: *const c_char,
    engine: Option<&mut MaybeUninit<*mut octile_engine>>,
) -> octile_status {
    call(|| {
        let (grid, out) = (given(grid, "grid")?, given(engine, "engine")?);
        // SAFETY: the header asks for a text.
        let spec: PlannerSpec = unsafe { text(spec, "spec") }?.unwrap_or(DEFAULT_SPEC).parse()?;
        out.write(handle(octile_engine { engine: Engine::new(spec, &grid.grid)? }));
        Ok(())
    })
}

/// Frees an engine, which no thread may be using. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_free(engine: Option<Box<octile_engine>>) {
    free(engine);
}

/// Whether paths of an engine go in any direction, so that octile_find_points gives them; false if they go from cell to cell, or if engine is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_is_any_angle(engine: Option<&octile_engine>) -> bool {
    value(|| Some(engine?.engine.squeeze().is_some()))
}

/// Whether a path of this engine leads from one cell to another on the map as it is now: that is known without a search. It is false if one of them is blocked or off the map, or if
/// engine is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_connected(engine: Option<&octile_engine>, a: octile_cell, b: octile_cell) -> bool {
    value(|| Some(engine?.engine.may_connect(a, b)))
}

/// Writes which planner the engine "auto" has chosen, as a text with the NUL that ends it; "" of all other engines. length becomes that of the text without NUL: capacity must be greater. With
/// capacity 0 only the length is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_engine_chosen(
    engine: Option<&octile_engine>,
    text: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let (engine, length) = (given(engine, "engine")?, given(length, "length")?);
        let chosen = engine.engine.chosen().map_or_else(String::new, |spec| spec.to_string());
        // SAFETY: the header asks for room for so many bytes.
        unsafe { fill_text(&chosen, text, capacity, length) }
    })
}

/// Makes all changes to the map of an engine, or none if one of them cannot be made. Whoever is asking meanwhile finishes on the map as it was; whoever asks later gets paths on the new one.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_apply(engine: Option<&octile_engine>, edits: Option<&octile_edits>) -> octile_status {
    call(|| {
        let (engine, edits) = (given(engine, "engine")?, given(edits, "edits")?);
        Ok(engine.engine.apply(&edits.edits)?)
    })
}

/// Gives the map of an engine as it is now, as a grid of your own, to be freed with octile_grid_free.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_grid(
    engine: Option<&octile_engine>,
    grid: Option<&mut MaybeUninit<*mut octile_grid>>,
) -> octile_status {
    call(|| {
        let (engine, out) = (given(engine, "engine")?, given(grid, "grid")?);
        out.write(handle(octile_grid { grid: engine.engine.grid() }));
        Ok(())
    })
}

thread_local! {
    /// Where this thread's paths are found: a warm call allocates nothing.
    static PATH: Cell<Path> = Cell::default();
}

/// Finds a path, and does something with it.
#[inline]
fn find(
    engine: Option<&octile_engine>,
    trip: Trip,
    work: impl FnOnce(&Path) -> Outcome,
    cost: Option<&mut MaybeUninit<octile_cost>>,
) -> Outcome {
    let engine = given(engine, "engine")?;
    // A thread that is about to end has none any more.
    let mut path = PATH.try_with(Cell::take).unwrap_or_default();
    let outcome = match engine.engine.plan(trip, &mut path) {
        Ok(true) => work(&path),
        Ok(false) => Err(Fault::NO_PATH),
        Err(error) => Err(error.into()),
    };
    if let (Ok(()), Some(cost)) = (&outcome, cost) {
        cost.write(path.cost().into());
    }
    _ = PATH.try_with(|kept| kept.set(path));
    outcome
}

/// Finds a shortest path from cell to cell and copies its start, its turning points and its goal into a buffer. capacity is how many cells have room there, and count becomes how many there are; it
/// is written as well with OCTILE_SMALL_BUFFER, so that you can ask again. With capacity 0 cells may be NULL, and only the count is asked for. cost may be NULL. OCTILE_NO_PATH says that no path
/// leads there, OCTILE_QUERY that an end is blocked or off the map, OCTILE_POINTS that the planner finds any-angle paths, for which there is octile_find_points. A warm call allocates
/// nothing: each thread keeps some memory for its paths until it ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_find(
    engine: Option<&octile_engine>,
    start: octile_cell,
    goal: octile_cell,
    cells: *mut octile_cell,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    cost: Option<&mut MaybeUninit<octile_cost>>,
) -> octile_status {
    call(|| {
        let count = given(count, "count")?;
        // SAFETY: the header asks for room for so many cells.
        find(engine, Trip::new(start, goal), |path| unsafe { waypoints(path, cells, capacity, count) }, cost)
    })
}

/// Finds a shortest path as octile_find does, and copies every cell of it from start to goal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_find_cells(
    engine: Option<&octile_engine>,
    start: octile_cell,
    goal: octile_cell,
    cells: *mut octile_cell,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    cost: Option<&mut MaybeUninit<octile_cost>>,
) -> octile_status {
    call(|| {
        let count = given(count, "count")?;
        // SAFETY: the header asks for room for so many cells.
        find(engine, Trip::new(start, goal), |path| unsafe { every_cell(path, cells, capacity, count) }, cost)
    })
}

/// Finds a path in any direction, with a planner such as "taut-sight", and copies its points into a buffer, as octile_find does with cells: its start, the corners of cells where it turns, and its
/// goal. A path begins and ends at the upper left corners of its cells, or at their centres if the engine was made with "ends=centres". OCTILE_POINTS says that the planner finds paths from cell to
/// cell, for which there is octile_find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_find_points(
    engine: Option<&octile_engine>,
    start: octile_cell,
    goal: octile_cell,
    points: *mut octile_point,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    cost: Option<&mut MaybeUninit<octile_cost>>,
) -> octile_status {
    call(|| {
        let count = given(count, "count")?;
        // SAFETY: the header asks for room for so many points.
        find(engine, Trip::new(start, goal), |path| unsafe { spots(path, points, capacity, count) }, cost)
    })
}

/// Finds what a shortest path costs, without the path, with any planner. Statuses are those of octile_find.
#[unsafe(no_mangle)]
pub extern "C" fn octile_find_cost(
    engine: Option<&octile_engine>,
    start: octile_cell,
    goal: octile_cell,
    cost: Option<&mut MaybeUninit<octile_cost>>,
) -> octile_status {
    call(|| {
        let cost = given(cost, "cost")?;
        find(engine, Trip::new(start, goal).output(Output::Cost), |_| Ok(()), Some(cost))
    })
}

/// Finds a shortest path, with any planner, and keeps it in a path that you have made with octile_path_new: ask that for its points and its cost as often as you like. What was in the path is gone,
/// also if no new one is found: then it is empty. Statuses are those of octile_find.
#[unsafe(no_mangle)]
pub extern "C" fn octile_find_path(
    engine: Option<&octile_engine>,
    start: octile_cell,
    goal: octile_cell,
    path: Option<&mut octile_path>,
) -> octile_status {
    call(|| {
        let (engine, path) = (given(engine, "engine")?, &mut given(path, "path")?.path);
        let found = engine.engine.plan(Trip::new(start, goal), path);
        if !matches!(found, Ok(true)) {
            path.clear();
        }
        if found? { Ok(()) } else { Err(Fault::NO_PATH) }
    })
}
