//! Which planners there are, and which one to use.

use std::time::Duration;

use octile::catalog::advise::{Advice, Candidate, Changes, Measured, Needs, Outcome, Rate, Size};
use octile::grid::Convention;
use octile::planner::Entry;
use octile::planner::{Key, KeyValue};
use octile::{Catalog, Movement};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};

use crate::errors::{self, Raise};
use crate::grid::{PyGrid, named};
use crate::work::{self, Teller};

/// All planners, each as a dict: ``name``, ``summary``, ``paper``, ``guarantee``, ``movements``, ``takes_prices``,
/// ``on_edit``, ``index`` (how much work its index is) and ``keys``, a list of dicts with ``name``, ``takes`` and
/// ``help``. ``pandas.DataFrame(octile.planners())`` makes a table of it.
///
/// >>> {"astar", "corner-sweep", "hub-labels"} <= {one["name"] for one in octile.planners()}
/// True
/// >>> next(one["guarantee"] for one in octile.planners() if one["name"] == "hub-labels")
/// 'grid-optimal'
#[pyfunction]
pub(crate) fn planners(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for &entry in Catalog::standard().planners() {
        list.append(planner(py, entry)?)?;
    }
    Ok(list)
}

fn planner(py: Python<'_>, entry: Entry) -> PyResult<Bound<'_, PyDict>> {
    let (config, about, dict) = (entry.config(), entry.about(), PyDict::new(py));
    let movements: Vec<&str> = config.facts().movements.iter().map(|movement| movement.name()).collect();
    let keys = entry.keys().iter().chain(&octile::catalog::COMMON_KEYS).map(|key| self::key(py, key));
    dict.set_item("name", about.name)?;
    dict.set_item("summary", about.summary)?;
    dict.set_item("paper", about.paper)?;
    dict.set_item("guarantee", config.facts().guarantee.to_string())?;
    dict.set_item("movements", movements)?;
    dict.set_item("takes_prices", config.facts().terrain)?;
    dict.set_item("on_edit", config.facts().on_edit.name())?;
    dict.set_item("index", about.index.name())?;
    dict.set_item("keys", keys.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

fn key<'py>(py: Python<'py>, key: &Key) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", key.name)?;
    dict.set_item("takes", key.expected())?;
    dict.set_item("help", key.help)?;
    Ok(dict)
}

/// The kinds of index that can be built beforehand: :func:`octile.build_index`.
///
/// >>> "hub-labels" in octile.index_kinds()
/// True
#[pyfunction]
pub(crate) fn index_kinds() -> Vec<&'static str> {
    Catalog::standard().indexes().iter().map(|kind| kind.kind).collect()
}

/// Tries planners on a map and tells which is the fastest that fits.
///
/// ``memory`` is the most that index and working memory may take: a number of bytes, or a text such as ``"100MB"``.
/// ``changes`` is how often the map changes: ``True``, or a rate such as ``"0.01%/2000"``, so much of the map every so
/// many queries. ``any_angle`` asks for paths in any direction. It takes a second or three for a large map; Ctrl-C ends
/// it.
///
/// >>> advice = octile.advise(octile.generate.rooms(64, 64, 8, seed=1))
/// >>> advice.spec == advice.candidates[0]["spec"] or advice.reasons != []
/// True
#[pyfunction]
#[pyo3(signature = (grid, *, memory=None, changes=None, any_angle=false, squeeze="allowed", ends="corners"))]
pub(crate) fn advise(
    py: Python<'_>,
    grid: &PyGrid,
    memory: Option<&Bound<'_, PyAny>>,
    changes: Option<&Bound<'_, PyAny>>,
    any_angle: bool,
    squeeze: &str,
    ends: &str,
) -> PyResult<PyAdvice> {
    let needs = Needs {
        memory_bytes: memory.map(size).transpose()?,
        changes: changes.map(rate).transpose()?.flatten(),
        any_angle,
        squeeze: named(squeeze)?,
        ends: named(ends)?,
    };
    let now = grid.now();
    let advice = work::long(py, None, &Teller::new(None)?, |cancel, _| {
        octile::catalog::advise::advise(octile::Build::new(&now).cancelled_by(cancel), &needs)
    });
    Ok(PyAdvice::new(&advice?.raised()?))
}

fn size(memory: &Bound<'_, PyAny>) -> PyResult<u64> {
    match memory.extract::<u64>() {
        Ok(bytes) => Ok(bytes),
        Err(_) => match memory.extract::<&str>() {
            Ok(text) => text.parse::<Size>().raised().map(|Size(bytes)| bytes),
            Err(_) => Err(errors::value(format!(
                "memory: expected a number of bytes or a text such as \"100MB\", not {memory}"
            ))),
        },
    }
}

fn rate(changes: &Bound<'_, PyAny>) -> PyResult<Option<Rate>> {
    if let Ok(changes) = changes.cast::<PyBool>() {
        return Ok(Changes::from(changes.is_true()).0);
    }
    let text = changes.extract::<&str>()?;
    let changes = Changes::parse(text, Changes::TAKES);
    changes.map(|Changes(rate)| rate).ok_or_else(|| match text.parse::<Rate>() {
        Err(error) => errors::value(error),
        Ok(_) => errors::value(text),
    })
}

/// Which planner to use on a map, and why: see :func:`octile.advise`.
#[pyclass(frozen, name = "Advice", module = "octile")]
pub(crate) struct PyAdvice {
    /// The planner to use, for :class:`Engine`.
    #[pyo3(get)]
    spec: String,
    /// Why, in plain words.
    #[pyo3(get)]
    reasons: Vec<String>,
    candidates: Vec<Candidate>,
}

impl PyAdvice {
    fn new(advice: &Advice) -> Self {
        let (spec, reasons) = (advice.spec.to_string(), advice.reasons.clone());
        Self { spec, reasons, candidates: advice.candidates.clone() }
    }
}

#[pymethods]
impl PyAdvice {
    /// All planners that were looked at, the best first, each as a dict: ``spec``, times in seconds (``build``,
    /// ``mean``, ``p99``, ``edit``), ``index_bytes``, ``scratch_bytes``; or ``left_out``, why it was not measured.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.candidates.iter().map(|one| candidate(py, one)).collect()
    }

    fn __repr__(&self) -> String {
        format!("Advice({:?})", self.spec)
    }

    fn __str__(&self) -> String {
        format!("{}: {}", self.spec, self.reasons.join("; "))
    }
}

fn candidate<'py>(py: Python<'py>, candidate: &Candidate) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("spec", candidate.spec.to_string())?;
    match &candidate.outcome {
        Outcome::Measured(Measured { build, index_bytes, scratch_bytes, mean, p99, edit, .. }) => {
            dict.set_item("build", build.as_secs_f64())?;
            dict.set_item("mean", mean.as_secs_f64())?;
            dict.set_item("p99", p99.as_secs_f64())?;
            dict.set_item("edit", edit.map(|time: Duration| time.as_secs_f64()))?;
            dict.set_item("index_bytes", index_bytes)?;
            dict.set_item("scratch_bytes", scratch_bytes)?;
        }
        Outcome::LeftOut(reason) => dict.set_item("left_out", reason.to_string())?,
    }
    Ok(dict)
}

/// The names of movement rules.
pub(crate) fn movements() -> Vec<&'static str> {
    Movement::ALL.iter().map(|movement| movement.name()).collect()
}

/// The names of conventions of prices.
pub(crate) fn conventions() -> Vec<&'static str> {
    Convention::ALL.iter().map(|convention| convention.name()).collect()
}
