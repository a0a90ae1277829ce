//! `octile.generate`: maps and problems by chance, like those of the benchmarks.

use octile::Grid;
use octile::formats::generate::{self, GenerateError, ScenarioConfig};
use octile::grid::Convention;
use pyo3::prelude::*;

use crate::cells;
use crate::errors::{self, Raise};
use crate::grid::{PyGrid, named, sides};
use crate::scenario::PyScenario;
use crate::work;

fn make(
    py: Python<'_>,
    (width, height): (i64, i64),
    map: impl FnOnce(u32, u32) -> Result<Grid, GenerateError> + Send,
) -> PyResult<PyGrid> {
    let (width, height) = sides(width, height)?;
    work::brief(py, || map(width, height)).raised().map(PyGrid::new)
}

/// Square rooms with doors.
#[pyfunction]
#[pyo3(signature = (width, height, room=16, *, seed=0))]
pub(crate) fn rooms(py: Python<'_>, width: i64, height: i64, room: u32, seed: u64) -> PyResult<PyGrid> {
    make(py, (width, height), |width, height| generate::rooms(width, height, room, seed))
}

/// A maze with corridors of some width.
#[pyfunction]
#[pyo3(signature = (width, height, corridor=4, *, seed=0))]
pub(crate) fn maze(py: Python<'_>, width: i64, height: i64, corridor: u32, seed: u64) -> PyResult<PyGrid> {
    make(py, (width, height), |width, height| generate::maze(width, height, corridor, seed))
}

/// Obstacles by chance, so many per cent of the cells.
#[pyfunction]
#[pyo3(signature = (width, height, percent=25, *, seed=0))]
pub(crate) fn random(py: Python<'_>, width: i64, height: i64, percent: u32, seed: u64) -> PyResult<PyGrid> {
    make(py, (width, height), |width, height| generate::random(width, height, percent, seed))
}

/// Caves, with so many per cent of rock to begin with.
#[pyfunction]
#[pyo3(signature = (width, height, percent=45, *, seed=0))]
pub(crate) fn caves(py: Python<'_>, width: i64, height: i64, percent: u32, seed: u64) -> PyResult<PyGrid> {
    make(py, (width, height), |width, height| generate::caves(width, height, percent, seed))
}

/// The same map with prices in patches of about some size.
#[pyfunction]
#[pyo3(signature = (grid, prices, size=16, *, convention="average", seed=0))]
pub(crate) fn regions(
    py: Python<'_>,
    grid: &PyGrid,
    prices: &Bound<'_, PyAny>,
    size: u32,
    convention: &str,
    seed: u64,
) -> PyResult<PyGrid> {
    let (grid, convention) = (grid.now(), named::<Convention>(convention)?);
    let prices: Vec<u8> = cells::list(prices, "prices", 1 << 16)?;
    work::brief(py, || generate::regions(&grid, &prices, size, convention, seed)).raised().map(PyGrid::new)
}

/// Each source is a search of the whole map.
const MOST_SOURCES: usize = 100_000;

/// Problems on a map with their exact lengths, in buckets by length like those of the benchmarks.
#[pyfunction]
#[pyo3(signature = (grid, *, name="generated.map", per_bucket=10, bucket_width=4, sources=50, seed=0))]
pub(crate) fn scenario(
    py: Python<'_>,
    grid: &PyGrid,
    name: &str,
    per_bucket: usize,
    bucket_width: u32,
    sources: usize,
    seed: u64,
) -> PyResult<PyScenario> {
    if sources > MOST_SOURCES {
        return Err(errors::value(format!("{sources} sources would take long: at most {MOST_SOURCES}")));
    }
    if name.contains(char::is_control) {
        return Err(errors::value(format!(
            "{name:?} is no name for a map in a scenario: it can have no tabs and line breaks"
        )));
    }
    let (grid, config) = (grid.now(), ScenarioConfig { per_bucket, bucket_width, sources, seed });
    Ok(PyScenario::new(work::brief(py, || generate::scenario(&grid, name, &config))))
}
