//! `octile.Answer`: what a question came to.

use octile::{Answer, Engine};
use pyo3::prelude::*;

use crate::errors::Raise;
use crate::path::{self, PyPath};

/// What a question came to: see :meth:`Engine.ask`.
#[pyclass(frozen, name = "Answer", module = "octile")]
pub(crate) struct PyAnswer {
    pub(crate) answer: Answer,
    pub(crate) engine: Engine,
}

#[pymethods]
impl PyAnswer {
    /// How it ended: ``"found"``, ``"nearest"``, ``"no-path"`` or ``"limit"``.
    #[getter]
    fn status(&self) -> &'static str {
        self.answer.status().name()
    }

    /// The path to a goal, or to the nearest cell if that was asked for; ``None`` if there is none.
    #[getter]
    fn path(&self) -> PyResult<Option<PyPath>> {
        let path = self.answer.path().raised()?;
        let ends = self.answer.start().zip(self.answer.goal());
        Ok(path.zip(ends).map(|(path, ends)| PyPath::new(path.clone(), ends, Some(self.engine.clone()))))
    }

    /// The cell where the path begins: the start, or the one nearest to it.
    #[getter]
    fn start(&self) -> Option<(u32, u32)> {
        self.answer.start().map(|cell| (cell.x, cell.y))
    }

    /// The cell where the path ends: a goal, or the cell nearest to one.
    #[getter]
    fn goal(&self) -> Option<(u32, u32)> {
        self.answer.goal().map(|cell| (cell.x, cell.y))
    }

    /// Which of the goals was reached, counted from 0; ``None`` if none was.
    #[getter]
    fn place(&self) -> PyResult<Option<usize>> {
        Ok(self.answer.summary().raised()?.place)
    }

    /// The limit that ended the search, ``"cost"``, ``"expanded"`` or ``"deadline"``; ``None`` if none did.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.answer.limit().map(octile::planner::Limit::name)
    }

    /// How far the path stays away from the nearest goal, in a straight line.
    #[getter]
    fn away(&self) -> f64 {
        self.answer.away()
    }

    /// The exact cost of the path, or ``None``.
    #[getter]
    fn cost(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.answer.path().raised()?.map(|found| path::cost(py, found.cost())).transpose()
    }

    fn __bool__(&self) -> bool {
        self.answer.status().has_path()
    }

    fn __repr__(&self) -> String {
        let goal = self.goal().map_or_else(String::new, |(x, y)| format!(", to ({x}, {y})"));
        format!("Answer({}{goal})", self.status())
    }
}
