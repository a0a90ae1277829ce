//! Questions with terms: several goals, the nearest cell, limits; the nearest of many; tables of costs.

use std::cell::Cell;
use std::ffi::c_char;
use std::mem::MaybeUninit;

use octile::engine::Matrix;
use octile::planner::Nearest;
use octile::planner::{QueryOptions, seconds};
use octile::{Answer, Output, Path, PathCost, Query, Status};

use crate::border::{Fault, Outcome, call, octile_status};
use crate::engine::octile_engine;
use crate::flag::octile_flag;
use crate::grid::{cells_of, octile_cell};
use crate::path::{octile_cost, octile_path};
use crate::pointers::{array, given, named, sized, space};

/// What is asked for beside the ends of a path. Begin with OCTILE_TERMS, which sets the size and asks for nothing more,
/// and change what you want.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct octile_terms {
    /// The size of this struct: programs with an older header, which know less of it, go on working.
    pub size: usize,
    /// What to do about ends that cannot be had. "goal": where no goal can be reached, or none within the limits, the
    /// path leads to the cell nearest to one. "both": a start that is blocked is replaced by the nearest cell as well.
    /// NULL or "no": nothing.
    pub nearest: *const c_char,
    /// No path that costs more. HUGE_VAL is no limit.
    pub max_cost: f64,
    /// No more expansions. UINT64_MAX is no limit.
    pub max_expanded: u64,
    /// No more seconds. HUGE_VAL is no limit.
    pub timeout: f64,
    /// A flag that ends the search when it is set, by any thread; NULL for none. Keep it until the call returns.
    pub cancel: *const octile_flag,
}

/// What is known of an answer beside its path.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct octile_reply {
    /// Where the path begins: the start, or the cell nearest to it.
    pub start: octile_cell,
    /// Where the path ends: one of the goals, or the cell nearest to one.
    pub goal: octile_cell,
    /// Which of the goals was reached, counted from 0; SIZE_MAX if none was.
    pub place: usize,
    /// Whether the path leads only to the cell nearest to a goal.
    pub is_nearest: bool,
    /// How far that is from the nearest of the goals, in a straight line between the centres of cells; 0 if a goal was
    /// reached.
    pub away: f64,
    /// What the path costs.
    pub cost: octile_cost,
}

/// The terms of a program, with its flag.
pub(crate) struct Asked<'a> {
    pub(crate) terms: QueryOptions,
    cancel: Option<&'a octile_flag>,
}

impl<'a> Asked<'a> {
    /// A query on these terms, from now on.
    pub(crate) fn of(&self, query: Query<'a>) -> Query<'a> {
        let query = self.terms.apply_to(query);
        self.cancel.map_or(query, |cancel| query.cancelled_by(&cancel.flag))
    }

    /// Whether nothing is asked for but a path between two cells.
    pub(crate) fn is_plain(&self) -> bool {
        self.terms.is_plain() && self.cancel.is_none()
    }
}

/// Reads terms.
///
/// # Safety
/// `terms` is NULL, or points to as many bytes as its size says; its text ends with NUL, and its flag is NULL or a flag
/// that is there for `'a`.
pub(crate) unsafe fn read_terms<'a>(terms: *const octile_terms, output: Output) -> Outcome<Asked<'a>> {
    // SAFETY: the same is asked of the caller.
    let Some(terms) = (unsafe { sized(terms, "OCTILE_TERMS") })? else {
        return Ok(Asked { terms: QueryOptions { output, ..QueryOptions::default() }, cancel: None });
    };
    // SAFETY: the text ends with NUL, and the flag is there, as the caller promises.
    let (nearest, cancel) = unsafe { (named::<Nearest>(terms.nearest, "nearest")?, terms.cancel.as_ref()) };
    let octile_terms { max_cost, max_expanded, timeout, .. } = terms;
    if max_cost.is_nan() {
        return Err(Fault::argument(&"max_cost is not a number: begin with OCTILE_TERMS"));
    }
    let timeout = (timeout != f64::INFINITY).then(|| seconds(timeout)).transpose()?;
    let nearest = nearest.unwrap_or_default();
    Ok(Asked { terms: QueryOptions { output, nearest, max_cost, max_expanded, timeout }, cancel })
}

thread_local! {
    /// Where this thread's questions are answered: a warm call allocates nothing.
    static ANSWER: Cell<Answer> = Cell::default();
}

/// Answers a question in full. goals has goal_count cells: of several, the one with the cheapest path is taken. terms
/// may be NULL. path may be NULL, and so may reply: without a path only the cost is found, which is sooner done.
/// OCTILE_OK says that there is a path, to a goal or, if the terms ask for that, to the cell nearest to one: reply
/// tells which. OCTILE_NO_PATH and OCTILE_LIMIT say that there is none; path is empty then. OCTILE_QUERY says that the
/// question cannot be asked: an end is off the map, or blocked and the terms do not ask for the nearest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_ask(
    engine: Option<&octile_engine>,
    start: octile_cell,
    goals: *const octile_cell,
    goal_count: usize,
    terms: *const octile_terms,
    path: Option<&mut octile_path>,
    reply: Option<&mut MaybeUninit<octile_reply>>,
) -> octile_status {
    call(|| {
        let mut path = path.map(|path| &mut path.path);
        if let Some(path) = &mut path {
            path.clear();
        }
        let engine = &given(engine, "engine")?.engine;
        let output = if path.is_some() { Output::Waypoints } else { Output::Cost };
        // SAFETY: the header asks for terms, and for so many cells.
        let asked = unsafe { read_terms(terms, output) }?;
        if goal_count == 1 {
            // SAFETY: the same.
            let goal = unsafe { array(goals, 1, "goals") }?[0];
            return answer(engine, asked.of(Query::new(start, goal)), path, reply);
        }
        // SAFETY: the same.
        let goals = unsafe { cells_of(goals, goal_count, "goals") }?;
        answer(engine, asked.of(Query::to_any(start, &goals)), path, reply)
    })
}

/// Answers a query, and gives the path away.
fn answer(
    engine: &octile::Engine,
    query: Query<'_>,
    path: Option<&mut Path>,
    out: Option<&mut MaybeUninit<octile_reply>>,
) -> Outcome {
    // A thread that is about to end has none any more.
    let mut answer = ANSWER.try_with(Cell::take).unwrap_or_default();
    let outcome = engine.ask_into(query, &mut answer).map_err(Fault::from).and_then(|reply| match reply.status {
        Status::Found | Status::Nearest => Ok(reply),
        Status::Limit => Err(Fault::limit(reply.limit)),
        _ => Err(Fault::NO_PATH),
    });
    if let (Ok(reply), Some(found)) = (&outcome, answer.path_mut()) {
        if let Some(out) = out {
            let (start, goal) = reply.ends.unwrap_or((query.start, query.goal()));
            out.write(octile_reply {
                start: start.into(),
                goal: goal.into(),
                place: reply.place.unwrap_or(usize::MAX),
                is_nearest: reply.status == Status::Nearest,
                away: reply.away,
                cost: found.cost().into(),
            });
        }
        if let Some(path) = path {
            std::mem::swap(path, found);
        }
    }
    _ = ANSWER.try_with(|kept| kept.set(answer));
    outcome.map(|_| ())
}

/// Finds the nearest of many targets, by path: as many as have room. places and costs have room for capacity items
/// each; places becomes where in targets they are, the nearest first, and costs what paths to them cost. costs may be
/// NULL. count becomes how many were found, which is fewer than capacity if no more can be reached. A target that is
/// blocked or off the map is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_find_nearest(
    engine: Option<&octile_engine>,
    start: octile_cell,
    targets: *const octile_cell,
    target_count: usize,
    places: *mut usize,
    costs: *mut octile_cost,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let (engine, count) = (given(engine, "engine")?, given(count, "count")?);
        // SAFETY: the header asks for so many cells, and for so much room.
        let (targets, places) =
            unsafe { (cells_of(targets, target_count, "targets")?, space(places, capacity, "places")?) };
        // SAFETY: the same.
        let costs = if costs.is_null() { &mut [] } else { unsafe { space(costs, capacity, "costs") }? };
        let found = engine.engine.k_nearest(start, &targets, capacity)?;
        for (out, (place, _)) in places.iter_mut().zip(&found) {
            out.write(*place);
        }
        for (out, (_, cost)) in costs.iter_mut().zip(&found) {
            out.write((*cost).into());
        }
        count.write(found.len());
        Ok(())
    })
}

/// Finds what paths cost from every source to every target, a row for each source: from source i to target j it is
/// costs[i * target_count + j]. capacity is how many costs have room, and must be source_count * target_count. Where
/// there is no path, parts is 0 and length is HUGE_VAL. It takes far less time than so many single questions, on all
/// cores.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_find_costs(
    engine: Option<&octile_engine>,
    sources: *const octile_cell,
    source_count: usize,
    targets: *const octile_cell,
    target_count: usize,
    costs: *mut octile_cost,
    capacity: usize,
) -> octile_status {
    call(|| {
        let engine = given(engine, "engine")?;
        if source_count.checked_mul(target_count) != Some(capacity) {
            return Err(Fault::argument(&format_args!(
                "costs: {source_count} sources and {target_count} targets need room for as many costs as their product, and there is room for {capacity}"
            )));
        }
        // SAFETY: the header asks for so many cells, and for so much room.
        let (sources, targets, costs) = unsafe {
            (
                cells_of(sources, source_count, "sources")?,
                cells_of(targets, target_count, "targets")?,
                space(costs, capacity, "costs")?,
            )
        };
        let found: Matrix = engine.engine.matrix(&sources, &targets)?;
        for (out, &cost) in costs.iter_mut().zip(found.rows().flatten()) {
            out.write(cost_or_none(cost));
        }
        Ok(())
    })
}

/// A cost, or what stands for none.
pub(crate) fn cost_or_none(cost: Option<PathCost>) -> octile_cost {
    cost.map_or(octile_cost { straight: 0, diagonal: 0, parts: 0, length: f64::INFINITY }, Into::into)
}
