//! `octile.Scenario`: the problems of a benchmark as arrays.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use octile::formats::movingai::dynamic::DynamicScenario;
use octile::formats::movingai::scen::{self, Problem, Scenario};
use octile::{Cell, PathCost};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::edits::PyEdits;
use crate::errors::{self, Raise};
use crate::grid::PyGrid;
use crate::{cells, files, work};

/// Problems of a MovingAI scenario as arrays, one row a problem.
///
/// ``pandas.DataFrame(scenario.to_dict())`` makes a table of it.
///
/// >>> grid = octile.generate.rooms(64, 64, 8, seed=1)
/// >>> scenario = octile.generate.scenario(grid, seed=1)
/// >>> paths = octile.Engine(grid, "corner-sweep").find_many(scenario.starts, scenario.goals)
/// >>> bool(scenario.agrees(paths.costs).all())
/// True
#[pyclass(frozen, name = "Scenario", module = "octile")]
pub(crate) struct PyScenario(Scenario);

impl PyScenario {
    pub(crate) fn new(scenario: Scenario) -> Self {
        Self(scenario)
    }

    fn column<'py, T: numpy::Element>(&self, py: Python<'py>, of: fn(&Problem) -> T) -> Bound<'py, PyArray1<T>> {
        PyArray1::from_iter(py, self.0.problems.iter().map(of))
    }

    fn points<'py>(&self, py: Python<'py>, of: fn(&Problem) -> Cell) -> Bound<'py, PyArray2<i32>> {
        cells::to_array(py, self.0.problems.iter().map(of))
    }
}

#[pymethods]
impl PyScenario {
    /// Where paths begin: ``int32``, shape ``(n, 2)``, ``(x, y)`` in each row.
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        self.points(py, |problem| problem.start)
    }

    /// Where paths end.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        self.points(py, |problem| problem.goal)
    }

    /// The lengths of shortest paths as the file has them, rounded: ``float64``, ``inf`` where it says that there is no
    /// path.
    #[getter]
    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.column(py, |problem| problem.optimum().unwrap_or(f64::INFINITY))
    }

    /// The buckets, classes of lengths: ``int64``.
    #[getter]
    fn buckets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.column(py, |problem| problem.bucket.into())
    }

    /// The name of the map as the file has it, which often leads nowhere; ``None`` of a scenario without problems.
    #[getter]
    fn map_name(&self) -> Option<&str> {
        self.0.problems.first().map(|problem| problem.map.as_str())
    }

    /// Which costs are those that the file gives, as exactly as files are: an array of ``bool``. ``inf`` is no path.
    fn agrees<'py>(&self, py: Python<'py>, costs: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let costs = cells::required(costs, "float64")?.cast_into::<PyArray1<f64>>();
        let costs = costs.map_err(|_| errors::value("expected an array of shape (n,) with a cost for each problem"))?;
        let costs = costs.try_readonly()?;
        let (costs, problems) = (costs.as_array(), &self.0.problems);
        if costs.len() != problems.len() {
            let (costs, problems) = (costs.len(), problems.len());
            return Err(errors::value(format!("there must be a cost for each problem: found {costs} for {problems}")));
        }
        let cost = |cost: f64| cost.is_finite().then_some(PathCost::AnyAngle(cost));
        let agrees =
            problems.iter().zip(costs).map(|(problem, &length)| !length.is_nan() && problem.agrees(cost(length)));
        Ok(PyArray1::from_iter(py, agrees))
    }

    /// Raises :class:`LoadError` unless all problems are for a map of this size.
    fn check_fits(&self, grid: &PyGrid) -> PyResult<()> {
        let grid = grid.now();
        self.0.problems.iter().try_for_each(|problem| problem.check_fits(&grid)).map_err(errors::load)
    }

    /// Its columns by name, for pandas: ``bucket``, ``start_x``, ``start_y``, ``goal_x``, ``goal_y``, ``length``.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("bucket", self.buckets(py))?;
        dict.set_item("start_x", self.column(py, |problem| i64::from(problem.start.x)))?;
        dict.set_item("start_y", self.column(py, |problem| i64::from(problem.start.y)))?;
        dict.set_item("goal_x", self.column(py, |problem| i64::from(problem.goal.x)))?;
        dict.set_item("goal_y", self.column(py, |problem| i64::from(problem.goal.y)))?;
        dict.set_item("length", self.lengths(py))?;
        Ok(dict)
    }

    /// Writes it to a ``.scen`` file. What was there is replaced when the new file is whole.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        files::write(py, &path, scen::write(&self.0).as_bytes())
    }

    fn __len__(&self) -> usize {
        self.0.problems.len()
    }

    fn __repr__(&self) -> String {
        format!("Scenario({} problems, {:?})", self.0.problems.len(), self.map_name().unwrap_or_default())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.0 == other.get().0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = PyBytes::new(slf.py(), scen::write(&slf.get().0).as_bytes());
        Ok((slf.get_type().getattr("_restore")?, (bytes,)))
    }

    #[staticmethod]
    fn _restore(bytes: &[u8]) -> PyResult<Self> {
        scen::parse(bytes).map(Self).map_err(errors::load)
    }
}

/// Loads a MovingAI scenario, ``.scen``.
#[pyfunction]
pub(crate) fn load_scenario(py: Python<'_>, path: PathBuf) -> PyResult<PyScenario> {
    work::brief(py, || octile::formats::load_scenario(&path)).raised().map(PyScenario)
}

/// A scenario of a map that changes: edits and questions in turn. See :func:`octile.load_dynamic`.
#[pyclass(frozen, name = "DynamicScenario", module = "octile")]
pub(crate) struct PyDynamic(DynamicScenario);

/// One step: the edits, starts, goals and costs.
type Step<'py> = (PyEdits, Bound<'py, PyArray2<i32>>, Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl PyDynamic {
    /// The map before the first step: all free.
    #[getter]
    fn grid(&self) -> PyResult<PyGrid> {
        self.0.start().raised().map(PyGrid::new)
    }

    /// The steps in order, each as ``(edits, starts, goals, lengths)``: make the edits, then ask. ``inf`` is no path,
    /// ``nan`` a length that the file does not have.
    fn steps<'py>(&self, py: Python<'py>) -> Vec<Step<'py>> {
        let optima = self.0.optima();
        let step = |step: octile::formats::movingai::dynamic::Step<'_>| {
            let lengths = step.queries.iter().map(|query| match optima {
                Some(optima) => optima.of(query).unwrap_or(f64::INFINITY),
                None => f64::NAN,
            });
            let lengths = PyArray1::from_iter(py, lengths);
            let starts = cells::to_array(py, step.queries.iter().map(|query| query.start));
            let goals = cells::to_array(py, step.queries.iter().map(|query| query.goal));
            (PyEdits::of(step.edits), starts, goals, lengths)
        };
        self.0.steps().map(step).collect()
    }

    fn __repr__(&self) -> String {
        let (steps, queries) = (self.0.steps().count(), self.0.queries().count());
        format!("DynamicScenario({} x {}, {steps} steps, {queries} queries)", self.0.width, self.0.height)
    }
}

/// Loads a scenario of a map that changes, ``.scen`` of version 2 with its ``.patch`` file.
#[pyfunction]
pub(crate) fn load_dynamic(py: Python<'_>, path: PathBuf) -> PyResult<PyDynamic> {
    work::brief(py, || octile::formats::load_dynamic(&path)).raised().map(PyDynamic)
}
