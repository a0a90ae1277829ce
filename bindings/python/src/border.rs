//! What the same work takes without Python: for the benchmark of the border, which compares both in one process.

use std::time::Instant;

use octile::PathQuery;
use pyo3::prelude::*;

use crate::cells;
use crate::engine::PyEngine;
use crate::work;

/// Seconds that the library takes for a batch of trips, and for the same trips one by one: what
/// ``benchmarks/border.py`` compares with.
#[pyfunction]
#[pyo3(name = "_times_of_rust", signature = (engine, starts, goals, *, threads=None))]
pub(crate) fn times_of_rust(
    py: Python<'_>,
    engine: &PyEngine,
    starts: &Bound<'_, PyAny>,
    goals: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<(f64, f64)> {
    let engine = &engine.engine;
    let grid = engine.grid();
    let (starts, goals) = (cells::cells(starts, "start", &grid)?, cells::cells(goals, "goal", &grid)?);
    let trips: Vec<PathQuery> =
        starts.into_iter().zip(goals).map(|(start, goal)| PathQuery::new(start, goal)).collect();
    let batch = work::parallel(py, threads, || {
        let clock = Instant::now();
        std::hint::black_box(engine.find_all(&trips));
        clock.elapsed().as_secs_f64()
    })?;
    let clock = Instant::now();
    for trip in &trips {
        // As much as Python gets: a path of its own.
        std::hint::black_box(engine.find(trip.start, trip.goal)).ok();
    }
    Ok((batch, clock.elapsed().as_secs_f64()))
}
