//! What is asked, and how: terms of queries, batches and matrices.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use octile::engine::{Ask, Matrix, Routes};
use octile::planner::Nearest;
use octile::planner::{Progress, QueryOptions};
use octile::{Cell, Engine, Output, PathQuery, Query, QueryError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::cells::{self, PointArg};
use crate::engine::PyEngine;
use crate::errors;
use crate::routes::Columns;
use crate::work::{self, Teller};

/// What a query asks beside its ends.
pub(crate) fn terms(
    output: &str,
    nearest: Option<&Bound<'_, PyAny>>,
    max_cost: Option<f64>,
    max_expanded: Option<u64>,
    timeout: Option<f64>,
) -> PyResult<QueryOptions> {
    let timeout = timeout.map(seconds).transpose()?;
    let (max_cost, max_expanded) = (max_cost.unwrap_or(f64::INFINITY), max_expanded.unwrap_or(u64::MAX));
    Ok(QueryOptions { output: output_of(output)?, nearest: nearest_of(nearest)?, max_cost, max_expanded, timeout })
}

pub(crate) fn seconds(time: f64) -> PyResult<Duration> {
    octile::planner::seconds(time).map_err(errors::value)
}

pub(crate) fn output_of(name: &str) -> PyResult<Output> {
    match name {
        "cost" => Ok(Output::Cost),
        "waypoints" => Ok(Output::Waypoints),
        "cells" => Ok(Output::Cells),
        _ => Err(errors::value(format!("output is \"waypoints\", \"cells\" or \"cost\", not {name:?}"))),
    }
}

fn nearest_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<Nearest> {
    let Some(value) = value else { return Ok(Nearest::No) };
    if let Ok(wanted) = value.cast::<PyBool>() {
        return Ok(if wanted.is_true() { Nearest::Goal } else { Nearest::No });
    }
    match value.extract::<&str>() {
        Ok("goal") => Ok(Nearest::Goal),
        Ok("both") => Ok(Nearest::Both),
        _ => Err(errors::value("nearest is True or \"goal\", \"both\" for a start that may be blocked too, or False")),
    }
}

/// How a batch is asked.
pub(crate) struct Asking {
    threads: Option<usize>,
    teller: Teller,
    skips: bool,
}

impl Asking {
    pub(crate) fn new(threads: Option<usize>, progress: Option<&Bound<'_, PyAny>>, errors: &str) -> PyResult<Self> {
        Ok(Self { threads: work::check_threads(threads)?, teller: Teller::new(progress)?, skips: skips(errors)? })
    }
}

fn skips(errors: &str) -> PyResult<bool> {
    match errors {
        "raise" => Ok(false),
        "skip" => Ok(true),
        _ => Err(errors::value(format!("errors is \"raise\" or \"skip\", not {errors:?}"))),
    }
}

/// So few queries need no other threads.
const FEW: usize = 4;

/// So many need no thread that looks after them, if they are quick.
const MANY: usize = 10_000;

/// A batch that takes longer than this, by its first query, can be ended and tells how far it is.
const LONG: Duration = Duration::from_millis(50);

impl PyEngine {
    pub(crate) fn routes(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        terms: QueryOptions,
        asking: &Asking,
    ) -> PyResult<Routes> {
        let trips = self.trips(starts, goals, terms.output, asking.skips)?;
        let routes = if terms.is_plain() {
            self.routes_of(py, &trips, asking)
        } else {
            let queries: Vec<Query<'_>> = trips.into_iter().map(|trip| terms.apply_to(trip.into())).collect();
            self.routes_of(py, &queries, asking)
        }?;
        match &routes.fault {
            Some((number, error)) if !asking.skips => Err(errors::in_batch(*number, error)),
            _ => Ok(routes),
        }
    }

    fn routes_of<Q: Ask<'static>>(&self, py: Python<'_>, queries: &[Q], asking: &Asking) -> PyResult<Routes> {
        let mut routes = Routes::new();
        let run = |queries: &[Q], routes: &mut Routes| self.engine.find_routes(queries, routes, |_, _| true);
        let takes = |routes: &mut Routes| {
            let clock = Instant::now();
            run(&queries[..1], routes);
            clock.elapsed() * queries.len() as u32
        };
        let is_quick = |routes: &mut Routes| {
            queries.len() <= MANY && !asking.teller.is_told() && work::brief(py, || takes(routes)) < LONG
        };
        if queries.len() <= FEW {
            work::brief(py, || run(queries, &mut routes));
        } else if is_quick(&mut routes) {
            work::parallel(py, asking.threads, || run(queries, &mut routes))?;
        } else {
            work::long(py, asking.threads, &asking.teller, |cancel: &AtomicBool, meter| {
                self.engine.find_routes(queries, &mut routes, |done, all| {
                    meter.set(Progress::new("queries", done as u64, all as u64));
                    !cancel.load(Ordering::Relaxed)
                })
            })?;
        }
        Ok(routes)
    }

    /// The trips of two arrays, one of which may be a single cell for all.
    fn trips(
        &self,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        output: Output,
        skips: bool,
    ) -> PyResult<Vec<PathQuery>> {
        let grid = self.engine.grid();
        let one = |object: &Bound<'_, PyAny>, what: &str| -> PyResult<Result<Cell, Vec<Cell>>> {
            match object.extract::<PointArg>() {
                Ok(point) => point.cell(what, &grid).map(Ok),
                Err(_) => cells::batch(object, what, &grid, skips).map(Err),
            }
        };
        let trip = |start: Cell, goal: Cell| PathQuery::new(start, goal).output(output);
        match (one(starts, "start")?, one(goals, "goal")?) {
            (Ok(start), Ok(goal)) => Ok(vec![trip(start, goal)]),
            (Ok(start), Err(goals)) => Ok(goals.into_iter().map(|goal| trip(start, goal)).collect()),
            (Err(starts), Ok(goal)) => Ok(starts.into_iter().map(|start| trip(start, goal)).collect()),
            (Err(starts), Err(goals)) if starts.len() == goals.len() => {
                Ok(starts.into_iter().zip(goals).map(|(start, goal)| trip(start, goal)).collect())
            }
            (Err(starts), Err(goals)) => Err(errors::value(format!(
                "there must be as many starts as goals, or one of one of them: found {} starts and {} goals",
                starts.len(),
                goals.len()
            ))),
        }
    }
}

/// A piece of a matrix should take about this long, so that Ctrl-C is soon heard.
const PIECE: Duration = Duration::from_millis(200);

/// The costs between many cells, a piece at a time: rows or columns, whichever are fewer, as searches go from the
/// fewer.
pub(crate) fn matrix(
    engine: &Engine,
    sources: &[Cell],
    targets: &[Cell],
    mut go_on: impl FnMut(usize, usize) -> bool,
) -> Result<Columns, QueryError> {
    let too_many = || QueryError::TooMany { sources: sources.len(), targets: targets.len() };
    let costs = sources.len().checked_mul(targets.len()).ok_or_else(too_many)?;
    let (mut columns, mut piece) = (Columns::new(costs).ok_or_else(too_many)?, Matrix::new());
    let by_rows = sources.len() <= targets.len();
    let fewer = if by_rows { sources } else { targets };
    // The first piece has one row per thread. It shows how long a row takes, and Ctrl-C has to wait until it is done.
    let (mut done, mut count) = (0, rayon::current_num_threads());
    // Faults are told by the numbers of all cells, not of those of a piece.
    engine.fill_matrix(&[], targets, &mut piece)?;
    engine.fill_matrix(sources, &[], &mut piece)?;
    while done < fewer.len() {
        let clock = Instant::now();
        let some = &fewer[done..fewer.len().min(done + count)];
        if by_rows {
            engine.fill_matrix(some, targets, &mut piece)
        } else {
            engine.fill_matrix(sources, some, &mut piece)
        }?;
        for (row, costs) in piece.rows().enumerate() {
            for (column, cost) in costs.iter().enumerate().filter_map(|(column, cost)| Some((column, (*cost)?))) {
                let (row, column) = if by_rows { (done + row, column) } else { (row, done + column) };
                columns.set(row * targets.len() + column, cost);
            }
        }
        done += some.len();
        let pieces = PIECE.as_secs_f64() / clock.elapsed().as_secs_f64().max(1e-6);
        count = ((count as f64 * pieces.clamp(0.1, 8.0)) as usize).max(1);
        if !go_on(done, fewer.len()) {
            break;
        }
    }
    Ok(columns)
}
