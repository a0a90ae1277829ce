//! `octile_routes`: the answers of a batch, in columns.

use std::mem::MaybeUninit;
use std::ptr;

use octile::engine::Routes;
use octile::{Output, PathQuery, Query, Status};

use crate::ask::{octile_terms, read_terms};
use crate::border::{Fault, Outcome, call, free, octile_status, value};
use crate::engine::octile_engine;
use crate::grid::octile_cell;
use crate::path::{octile_cost, octile_point};
use crate::pointers::{array, given, handle};

/// The answers of a batch, in columns. Use one again and again: its memory is kept.
#[derive(Default)]
pub struct octile_routes {
    /// What was asked.
    trips: Vec<PathQuery>,
    routes: Routes,
    offsets: Vec<usize>,
    /// Of any-angle paths.
    points: Vec<octile_point>,
    is_any_angle: bool,
}

impl octile_routes {
    /// Makes the columns that the library has in another form.
    fn complete(&mut self, is_any_angle: bool) {
        self.is_any_angle = is_any_angle;
        self.offsets.clear();
        self.offsets.extend(self.routes.offsets.iter().map(|&offset| offset as usize));
        self.points.clear();
        if is_any_angle {
            // The library has halves of a cell.
            let point = |&[x, y]: &[i32; 2]| octile_point { x: f64::from(x) / 2.0, y: f64::from(y) / 2.0 };
            self.points.extend(self.routes.points.iter().map(point));
        }
    }

    /// The place of a query, if there is one.
    fn row(&self, query: usize) -> Outcome<usize> {
        if query < self.routes.len() {
            return Ok(query);
        }
        Err(Fault::argument(&format_args!("query {query}: there are {}, counted from 0", self.routes.len())))
    }

    /// How a query ended.
    fn outcome(&self, query: usize) -> Outcome {
        match self.routes.statuses[query] {
            _ if self.routes.lengths[query].is_nan() => Err(self.fault(query)),
            Status::Found | Status::Nearest => Ok(()),
            Status::Limit => Err(Fault::limit(None)),
            _ => Err(Fault::NO_PATH),
        }
    }

    /// Why a query could not be asked: that of the first is known.
    fn fault(&self, query: usize) -> Fault {
        let message = match &self.routes.fault {
            Some((first, error)) if *first == query => format!("query {query}: {error}"),
            _ => format!("query {query} cannot be asked: ask it alone to learn why"),
        };
        Fault::new(octile_status::OCTILE_QUERY, &message)
    }
}

/// Makes room for the answers of batches. Free it with octile_routes_free.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_new(routes: Option<&mut MaybeUninit<*mut octile_routes>>) -> octile_status {
    call(|| {
        given(routes, "routes")?.write(handle(octile_routes::default()));
        Ok(())
    })
}

/// Frees the answers of a batch, and with them all arrays that they have given. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_free(routes: Option<Box<octile_routes>>) {
    free(routes);
}

/// Finds many paths at once, on all cores: from starts[i] to goals[i] for each i below count. terms may be NULL; a
/// timeout is for the whole batch. What was in routes is replaced, and the arrays that it gave are gone. OCTILE_OK says
/// that the batch is done: how each query ended, octile_routes_status says. All see the map as it was when the batch
/// began.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_find_many(
    engine: Option<&octile_engine>,
    starts: *const octile_cell,
    goals: *const octile_cell,
    count: usize,
    terms: *const octile_terms,
    routes: Option<&mut octile_routes>,
) -> octile_status {
    call(|| {
        let (engine, out) = (&given(engine, "engine")?.engine, given(routes, "routes")?);
        // SAFETY: the header asks for so many cells, and for terms.
        let (starts, goals, asked) = unsafe {
            (array(starts, count, "starts")?, array(goals, count, "goals")?, read_terms(terms, Output::Waypoints)?)
        };
        out.trips.clear();
        out.trips.extend(starts.iter().zip(goals).map(|(&start, &goal)| PathQuery::new(start, goal)));
        if asked.is_plain() {
            engine.find_routes(&out.trips, &mut out.routes, |_, _| true);
        } else {
            let queries: Vec<Query<'_>> = out.trips.iter().map(|&trip| asked.of(trip.into())).collect();
            engine.find_routes(&queries, &mut out.routes, |_, _| true);
        }
        out.complete(engine.squeeze().is_some());
        Ok(())
    })
}

/// How many queries were answered; 0 if routes is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_count(routes: Option<&octile_routes>) -> usize {
    value(|| Some(routes?.routes.len()))
}

/// The lengths of all paths, octile_routes_count of them: HUGE_VAL where there is no path, not a number where the query
/// could not be asked. On a map with prices they are costs. The array is that of routes, and is good until the next
/// batch or until routes is freed; so are the other arrays. It is NULL if routes is, or if there are no answers.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_lengths(routes: Option<&octile_routes>) -> *const f64 {
    routes.map_or(ptr::null(), |routes| first(&routes.routes.lengths))
}

/// How a query of the batch ended, counted from 0: OCTILE_OK if there is a path, OCTILE_NO_PATH, OCTILE_LIMIT, or
/// OCTILE_QUERY if it could not be asked.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_status(routes: Option<&octile_routes>, query: usize) -> octile_status {
    call(|| {
        let routes = given(routes, "routes")?;
        routes.outcome(routes.row(query)?)
    })
}

/// Whether the path of a query leads only to the cell nearest to its goal; false if routes is NULL, or if there is no
/// such query.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_is_nearest(routes: Option<&octile_routes>, query: usize) -> bool {
    value(|| Some(*routes?.routes.statuses.get(query)? == Status::Nearest))
}

/// What the path of a query costs, exactly. Statuses are those of octile_routes_status.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_cost(
    routes: Option<&octile_routes>,
    query: usize,
    cost: Option<&mut MaybeUninit<octile_cost>>,
) -> octile_status {
    call(|| {
        let (routes, cost) = (given(routes, "routes")?, given(cost, "cost")?);
        routes.outcome(routes.row(query)?)?;
        let Routes { lengths, straight, diagonal, parts, .. } = &routes.routes;
        // A path in any direction has no counts.
        let count = |moves: &[i64]| u32::try_from(moves[query]).unwrap_or(0);
        let parts = if routes.is_any_angle { 0 } else { *parts };
        let (straight, diagonal) = (count(straight), count(diagonal));
        cost.write(octile_cost { straight, diagonal, parts, length: lengths[query] });
        Ok(())
    })
}

/// Where the points of each path are, octile_routes_count + 1 numbers: those of query i begin at offsets[i] and end
/// before offsets[i + 1]. NULL if routes is, or if there are no answers.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_offsets(routes: Option<&octile_routes>) -> *const usize {
    routes.map_or(ptr::null(), |routes| first(&routes.offsets))
}

/// Starts, turning points and goals of all paths, one path behind the other. NULL if routes is, if there are none, or
/// if the paths go in any direction.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_cells(routes: Option<&octile_routes>) -> *const octile_cell {
    // Two numbers of 32 bits either way, and none of them is negative.
    const { assert!(size_of::<octile_cell>() == size_of::<[i32; 2]>()) };
    routes.filter(|routes| !routes.is_any_angle).map_or(ptr::null(), |routes| first(&routes.routes.points).cast())
}

/// The points of all paths that go in any direction, one path behind the other. NULL if routes is, if there are none,
/// or if the paths go from cell to cell.
#[unsafe(no_mangle)]
pub extern "C" fn octile_routes_points(routes: Option<&octile_routes>) -> *const octile_point {
    routes.map_or(ptr::null(), |routes| first(&routes.points))
}

/// Where a column begins.
fn first<T>(column: &[T]) -> *const T {
    if column.is_empty() { ptr::null() } else { column.as_ptr() }
}
