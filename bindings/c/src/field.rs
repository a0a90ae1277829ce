//! `octile_field`: distances from all cells to the nearest of some goals.

use std::mem::MaybeUninit;

use octile::{Cell, Field, Output};

use crate::border::{Fault, Outcome, call, free, octile_status, value};
use crate::edits::octile_edits;
use crate::engine::octile_engine;
use crate::grid::{cells_of, octile_cell, octile_grid};
use crate::path::{octile_cost, octile_path, octile_point};
use crate::pointers::{fill, given, handle};

/// The distances from all cells to the nearest of some goals, and the next step from each: for many units with one aim.
pub struct octile_field {
    field: Field,
}

/// A field for C, on a map.
///
/// # Safety
/// As of [`cells_of`].
unsafe fn make(
    grid: &octile::Grid,
    (goals, count): (*const octile_cell, usize),
    max_cost: f64,
    out: &mut MaybeUninit<*mut octile_field>,
) -> Outcome {
    if max_cost.is_nan() {
        return Err(Fault::argument(&"max_cost is not a number: give HUGE_VAL for no limit"));
    }
    // SAFETY: the same is asked of the caller.
    let goals = unsafe { cells_of(goals, count, "goals") }?;
    out.write(handle(octile_field { field: Field::within(grid, &goals, max_cost)? }));
    Ok(())
}

/// Finds the distances from all cells of a map to the nearest of count goals, up to max_cost; HUGE_VAL is no limit.
/// Free the field with octile_field_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_field_new(
    grid: Option<&octile_grid>,
    goals: *const octile_cell,
    count: usize,
    max_cost: f64,
    field: Option<&mut MaybeUninit<*mut octile_field>>,
) -> octile_status {
    call(|| {
        let (grid, out) = (given(grid, "grid")?, given(field, "field")?);
        // SAFETY: the header asks for so many cells.
        unsafe { make(&grid.grid, (goals, count), max_cost, out) }
    })
}

/// Finds the distances on the map of an engine as it is now, for the agent that the engine is for, as octile_field_new
/// does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_engine_field(
    engine: Option<&octile_engine>,
    goals: *const octile_cell,
    count: usize,
    max_cost: f64,
    field: Option<&mut MaybeUninit<*mut octile_field>>,
) -> octile_status {
    call(|| {
        let (engine, out) = (given(engine, "engine")?, given(field, "field")?);
        // SAFETY: the header asks for so many cells.
        unsafe { make(&engine.engine.grid(), (goals, count), max_cost, out) }
    })
}

/// Frees a field. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_field_free(field: Option<Box<octile_field>>) {
    free(field);
}

/// Finds the distances to other goals, in the same memory and up to the same cost. If one of them is blocked or off the
/// map the field stays as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_field_set_goals(
    field: Option<&mut octile_field>,
    goals: *const octile_cell,
    count: usize,
) -> octile_status {
    call(|| {
        let field = given(field, "field")?;
        // SAFETY: the header asks for so many cells.
        let goals = unsafe { cells_of(goals, count, "goals") }?;
        Ok(field.field.set_goals(&goals)?)
    })
}

/// Makes changes to the map of a field, which has a map of its own, and finds anew only what they change of it.
#[unsafe(no_mangle)]
pub extern "C" fn octile_field_apply(field: Option<&mut octile_field>, edits: Option<&octile_edits>) -> octile_status {
    call(|| {
        let (field, edits) = (given(field, "field")?, given(edits, "edits")?);
        field.field.apply(&edits.edits)?;
        Ok(())
    })
}

/// The length of a shortest path from a cell to a goal, on a map with prices its cost; HUGE_VAL if there is none within
/// the greatest cost, or if field is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_field_length(field: Option<&octile_field>, cell: octile_cell) -> f64 {
    value(|| Some(field?.field.length(cell))).unwrap_or(f64::INFINITY)
}

/// What a shortest path from a cell to a goal costs, exactly. OCTILE_NO_PATH says that there is none.
#[unsafe(no_mangle)]
pub extern "C" fn octile_field_cost(
    field: Option<&octile_field>,
    cell: octile_cell,
    cost: Option<&mut MaybeUninit<octile_cost>>,
) -> octile_status {
    call(|| {
        let (field, out) = (given(field, "field")?, given(cost, "cost")?);
        out.write(field.field.path_cost(cell).ok_or(Fault::NO_PATH)?.into());
        Ok(())
    })
}

/// The next cell on a shortest path from a cell to a goal; at a goal it is the goal itself. OCTILE_NO_PATH says that
/// there is none.
#[unsafe(no_mangle)]
pub extern "C" fn octile_field_step(
    field: Option<&octile_field>,
    cell: octile_cell,
    next: Option<&mut MaybeUninit<octile_cell>>,
) -> octile_status {
    call(|| {
        let (field, out) = (&given(field, "field")?.field, given(next, "next")?);
        field.length(cell).ok_or(Fault::NO_PATH)?;
        out.write(field.step(cell).map_or(cell, Into::into));
        Ok(())
    })
}

/// Where a unit is to go that stands anywhere in a cell, as a vector of length 1, which turns smoothly from cell to
/// cell; 0, 0 where it has arrived. OCTILE_NO_PATH says that no way leads to a goal from there.
#[unsafe(no_mangle)]
pub extern "C" fn octile_field_direction(
    field: Option<&octile_field>,
    place: octile_point,
    direction: Option<&mut MaybeUninit<octile_point>>,
) -> octile_status {
    call(|| {
        let (field, out) = (given(field, "field")?, given(direction, "direction")?);
        let (x, y) = field.field.direction(place.x, place.y).ok_or(Fault::NO_PATH)?;
        out.write(octile_point { x, y });
        Ok(())
    })
}

/// Gives the shortest path from a cell to a goal, in a path that you have made with octile_path_new. OCTILE_NO_PATH
/// says that there is none; the path is empty then.
#[unsafe(no_mangle)]
pub extern "C" fn octile_field_path(
    field: Option<&octile_field>,
    start: octile_cell,
    path: Option<&mut octile_path>,
) -> octile_status {
    call(|| {
        let (field, path) = (given(field, "field")?, &mut given(path, "path")?.path);
        if field.field.path(start, Output::Waypoints, path) {
            return Ok(());
        }
        path.clear();
        Err(Fault::NO_PATH)
    })
}

/// Copies the lengths from all cells into a buffer, row by row: HUGE_VAL where there is no path. capacity is how many
/// have room, and count becomes how many there are. With capacity 0 only the count is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_field_lengths(
    field: Option<&octile_field>,
    lengths: *mut f64,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let (field, count) = (&given(field, "field")?.field, given(count, "count")?);
        let width = field.grid().width() as usize;
        let cell = |place: usize| Cell::new((place % width) as u32, (place / width) as u32);
        let all = (0..width * field.grid().height() as usize).map(cell);
        // SAFETY: the header asks for room for so many numbers.
        unsafe { fill(all.map(|cell| field.length(cell).unwrap_or(f64::INFINITY)), lengths, capacity, count) }
    })
}
