//! `octile_engine`: a planner for a map that can change, and its answers.

use std::cell::Cell;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr;

use octile::engine::Upkeep;
use octile::grid::Agent;
use octile::planner::{Budget, seconds};
use octile::{Engine, Output, Path, PathQuery, PlannerSpec};

use crate::border::{Fault, Outcome, call, free, octile_status, value};
use crate::edits::octile_edits;
use crate::grid::{octile_cell, octile_grid};
use crate::index::{building, octile_build_options};
use crate::path::{every_cell, octile_cost, octile_path, octile_point, spots, waypoints};
use crate::pointers::{fill_text, given, handle, named, text};

/// A planner for a map, which may change. Any number of threads may ask one engine, and change its map, at the same
/// time.
pub struct octile_engine {
    pub(crate) engine: Engine,
}

/// The planner of who names none.
const DEFAULT_SPEC: &str = "corner-sweep";

/// Makes the planner of a name for a map, with keys behind a colon, such as "jps:prune=gates" or
/// "hub-labels:index=arena.octx"; octile_planners lists them. NULL is "corner-sweep". The engine takes the map as it
/// is, so that you may change or free the grid. Some planners take long to build. Free the engine with
/// octile_engine_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_engine_new(
    grid: Option<&octile_grid>,
    spec: *const c_char,
    engine: Option<&mut MaybeUninit<*mut octile_engine>>,
) -> octile_status {
    // SAFETY: the same is asked of the caller.
    unsafe { octile_engine_build(grid, spec, ptr::null(), engine) }
}

/// Makes the planner of a name for a map, as octile_engine_new does, with indexes that were built beforehand, a budget,
/// somebody who is told how far it is, and a flag that ends it. options may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_engine_build(
    grid: Option<&octile_grid>,
    spec: *const c_char,
    options: *const octile_build_options,
    engine: Option<&mut MaybeUninit<*mut octile_engine>>,
) -> octile_status {
    call(|| {
        let (grid, out) = (given(grid, "grid")?, given(engine, "engine")?);
        // SAFETY: the header asks for a text.
        let spec: PlannerSpec = unsafe { text(spec, "spec") }?.unwrap_or(DEFAULT_SPEC).parse()?;
        // SAFETY: the header asks for options.
        let engine = unsafe {
            building(&grid.grid, options, Budget::default(), |build| {
                spec.check_use(build.indexes())?;
                Ok(Engine::build(spec, build)?)
            })
        }?;
        give(engine, out);
        Ok(())
    })
}

/// An engine for C.
fn give(engine: Engine, out: &mut MaybeUninit<*mut octile_engine>) {
    out.write(handle(octile_engine { engine }));
}

/// Makes the same engine for an agent of some size, on the same map: "square:2" is a square of two cells by two, whose
/// upper left cell goes over the cells of paths, "disc:1.5" a disc with a radius of 1.5 cells around their centres. All
/// engines of one map are changed by octile_engine_apply of any of them. Free the engine with octile_engine_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_engine_for_agent(
    engine: Option<&octile_engine>,
    agent: *const c_char,
    sized: Option<&mut MaybeUninit<*mut octile_engine>>,
) -> octile_status {
    call(|| {
        let (engine, out) = (given(engine, "engine")?, given(sized, "sized")?);
        // SAFETY: the header asks for a text.
        let agent: Agent = given(unsafe { named(agent, "agent") }?, "agent")?;
        give(engine.engine.for_agent(agent)?, out);
        Ok(())
    })
}

/// Frees an engine, which no thread may be using. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_free(engine: Option<Box<octile_engine>>) {
    free(engine);
}

/// Whether paths of an engine go in any direction, so that octile_find_points gives them; false if they go from cell to
/// cell, or if engine is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_is_any_angle(engine: Option<&octile_engine>) -> bool {
    value(|| Some(engine?.engine.squeeze().is_some()))
}

/// Whether a path of this engine leads from one cell to another on the map as it is now: that is known without a
/// search. It is false if one of them is blocked or off the map, or if engine is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_connected(engine: Option<&octile_engine>, a: octile_cell, b: octile_cell) -> bool {
    value(|| Some(engine?.engine.may_connect(a, b)))
}

/// Writes which planner the engine "auto" has chosen, as a text with the NUL that ends it; "" of all other engines.
/// length becomes that of the text without NUL: capacity must be greater. With capacity 0 only the length is asked for.
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

/// Makes all changes to the map of an engine, or none if one of them cannot be made. Whoever is asking meanwhile
/// finishes on the map as it was; whoever asks later gets paths on the new one.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_apply(engine: Option<&octile_engine>, edits: Option<&octile_edits>) -> octile_status {
    call(|| {
        let (engine, edits) = (given(engine, "engine")?, given(edits, "edits")?);
        Ok(engine.engine.apply(&edits.edits)?)
    })
}

/// Whether an engine's index is older than its map: paths stay shortest, but may take a search. False if engine is
/// NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_is_stale(engine: Option<&octile_engine>) -> bool {
    value(|| Some(engine?.engine.is_stale()))
}

/// Builds the planner of an engine anew for the map as it is, and waits until that is done: call it in a thread that
/// has time. Others go on asking and changing the map meanwhile.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_renew(engine: Option<&octile_engine>) -> octile_status {
    call(|| {
        given(engine, "engine")?.engine.renew().wait()?;
        Ok(())
    })
}

/// Has an engine build its planner anew by itself, in threads of its own, when its index has gone stale and the map has
/// not changed for so many seconds. A negative number ends that.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_keep_fresh(engine: Option<&octile_engine>, quiet: f64) -> octile_status {
    call(|| {
        let engine = &given(engine, "engine")?.engine;
        let upkeep = if quiet < 0.0 { None } else { Some(Upkeep::after(seconds(quiet)?)) };
        engine.keep_fresh(upkeep);
        Ok(())
    })
}

/// Whether a path that was found before can still be walked on the map as it is now, by the agent that the engine is
/// for. It may no longer be the shortest. False if one of the two is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_still_valid(engine: Option<&octile_engine>, path: Option<&octile_path>) -> bool {
    value(|| Some(engine?.engine.still_valid(&path?.path)))
}

/// How many bytes the planner's index takes in memory or in its file; 0 if engine is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_engine_index_bytes(engine: Option<&octile_engine>) -> usize {
    value(|| Some(engine?.engine.index_bytes()))
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
    trip: PathQuery,
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

/// Finds a shortest path from cell to cell and copies its start, its turning points and its goal into a buffer.
/// capacity is how many cells have room there, and count becomes how many there are; it is written as well with
/// OCTILE_SMALL_BUFFER, so that you can ask again. With capacity 0 cells may be NULL, and only the count is asked for.
/// cost may be NULL. OCTILE_NO_PATH says that no path leads there, OCTILE_QUERY that an end is blocked or off the map,
/// OCTILE_POINTS that the planner finds any-angle paths, for which there is octile_find_points. A warm call allocates
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
        find(engine, PathQuery::new(start, goal), |path| unsafe { waypoints(path, cells, capacity, count) }, cost)
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
        find(engine, PathQuery::new(start, goal), |path| unsafe { every_cell(path, cells, capacity, count) }, cost)
    })
}

/// Finds a path in any direction, with a planner such as "taut-sight", and copies its points into a buffer, as
/// octile_find does with cells: its start, the corners of cells where it turns, and its goal. A path begins and ends at
/// the upper left corners of its cells, or at their centres if the engine was made with "ends=centres". OCTILE_POINTS
/// says that the planner finds paths from cell to cell, for which there is octile_find.
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
        find(engine, PathQuery::new(start, goal), |path| unsafe { spots(path, points, capacity, count) }, cost)
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
        find(engine, PathQuery::new(start, goal).output(Output::Cost), |_| Ok(()), Some(cost))
    })
}

/// Finds a shortest path, with any planner, and keeps it in a path that you have made with octile_path_new: ask that
/// for its points and its cost as often as you like. What was in the path is gone, also if no new one is found: then it
/// is empty. Statuses are those of octile_find.
#[unsafe(no_mangle)]
pub extern "C" fn octile_find_path(
    engine: Option<&octile_engine>,
    start: octile_cell,
    goal: octile_cell,
    path: Option<&mut octile_path>,
) -> octile_status {
    call(|| {
        let (engine, path) = (given(engine, "engine")?, &mut given(path, "path")?.path);
        let found = engine.engine.plan(PathQuery::new(start, goal), path);
        if !matches!(found, Ok(true)) {
            path.clear();
        }
        if found? { Ok(()) } else { Err(Fault::NO_PATH) }
    })
}
