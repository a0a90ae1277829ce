//! `octile.Trace`: what a search did, cell by cell.

use numpy::PyArray2;
use octile::planner::{Counts, Trace};
use octile::{Cell, Point};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::cells;
use crate::engine::PyEngine;
use crate::path::PyPath;
use crate::picture;

/// What a search did, in order: see :meth:`Engine.trace`. Arrays have a cell ``(x, y)`` in each row.
///
/// >>> engine = octile.Engine(octile.Grid.open(9, 9), "astar")
/// >>> trace = engine.trace((0, 0), (8, 8))
/// >>> trace.expanded[:3].tolist()
/// [[0, 0], [1, 1], [2, 2]]
/// >>> trace.counts["expanded"] == len(trace.expanded)
/// True
#[pyclass(frozen, name = "Trace", module = "octile")]
pub(crate) struct PyTrace {
    pub(crate) trace: Trace,
    counts: Counts,
    pub(crate) path: Option<PyPath>,
    engine: Py<PyEngine>,
    /// What the start and the goal stand for.
    pub(crate) ends: [Point; 2],
}

impl PyTrace {
    pub(crate) fn new(
        trace: Trace,
        counts: Counts,
        path: Option<PyPath>,
        engine: Py<PyEngine>,
        ends: [Point; 2],
    ) -> Self {
        Self { trace, counts, path, engine, ends }
    }
}

#[pymethods]
impl PyTrace {
    /// The cells that were expanded: ``int32``, shape ``(n, 2)``.
    #[getter]
    fn expanded<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        cells::to_array(py, self.trace.expanded.iter().copied())
    }

    /// The cells that were put on the open list, or examined in passing.
    #[getter]
    fn seen<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        cells::to_array(py, self.trace.seen.iter().copied())
    }

    /// Rectangles that were expanded as one, by planners that do so: ``int32``, shape ``(n, 4)``, ``x0, y0, x1, y1``
    /// with both corners inside.
    #[getter]
    fn areas<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        pairs(py, &self.trace.areas)
    }

    /// Lines of cells that were put on the open list as one, by planners that do so: ``int32``, shape ``(n, 4)``, from
    /// the first to the last cell.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        pairs(py, &self.trace.lines)
    }

    /// Straight lines that an any-angle search put on its open list: ``float64``, shape ``(n, 4)``.
    #[getter]
    fn taut_hops<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let hops: Vec<[f64; 4]> = self.trace.taut_hops.iter().map(|(a, b)| [a.x(), a.y(), b.x(), b.y()]).collect();
        let rows = hops.len();
        cells::in_shape(py, hops.into_flattened(), [rows, 4])
    }

    /// How often things happened: ``expanded``, ``opened``, ``improved``, ``touched``, ``sights``, ``longest_open``.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Counts { opened, improved, expanded, touched, sights, longest_open, .. } = self.counts;
        let counts = PyDict::new(py);
        for (name, count) in [
            ("expanded", expanded),
            ("opened", opened),
            ("improved", improved),
            ("touched", touched),
            ("sights", sights),
            ("longest_open", longest_open),
        ] {
            counts.set_item(name, count)?;
        }
        Ok(counts)
    }

    /// The path that was found, or ``None``.
    #[getter]
    fn path(&self) -> Option<PyPath> {
        self.path.clone()
    }

    fn __repr__(&self) -> String {
        let found = self.path.as_ref().map_or_else(|| "no path".to_owned(), |path| path.path.cost().to_string());
        format!("Trace({} expanded, {} seen, {found})", self.counts.expanded, self.trace.seen.len())
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        picture::of(&self.engine.get().engine.grid(), None, Some(self), None, None).png(py)
    }
}

fn pairs<'py>(py: Python<'py>, pairs: &[(Cell, Cell)]) -> Bound<'py, PyArray2<i32>> {
    let flat = pairs.iter().flat_map(|(a, b)| [a.x as i32, a.y as i32, b.x as i32, b.y as i32]).collect();
    cells::in_shape(py, flat, [pairs.len(), 4])
}
