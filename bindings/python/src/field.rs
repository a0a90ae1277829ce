//! `octile.Field`: distances from all cells to the nearest of some goals.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use numpy::PyArray2;
use octile::{Cell, Field, Output, Path};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::cells::{self, PointArg};
use crate::edits::PyEdits;
use crate::errors::Raise;
use crate::grid;
use crate::path::PyPath;
use crate::{picture, work};

/// The distances from all cells to the nearest of some goals, and the next step from each: for many units with one aim.
/// Arrays are indexed ``[y, x]``.
///
/// >>> field = octile.Engine(octile.Grid.parse("...\n.@.\n..."), "jps").field([(0, 0)])
/// >>> field.lengths
/// array([[ 0.,  1.,  2.],
///        [ 1., inf,  3.],
///        [ 2.,  3.,  4.]])
/// >>> field.step((2, 1))
/// (2, 0)
#[pyclass(frozen, name = "Field", module = "octile")]
pub(crate) struct PyField(RwLock<Field>);

impl PyField {
    pub(crate) fn new(field: Field) -> Self {
        Self(RwLock::new(field))
    }

    pub(crate) fn now(&self) -> RwLockReadGuard<'_, Field> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The moves by number, as (dx, dy): north, then clockwise.
pub(crate) const NOWHERE: i8 = -1;

#[pymethods]
impl PyField {
    /// The lengths of shortest paths: ``float64``, ``inf`` where there is none.
    #[getter]
    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let field = self.now();
        grid::table(py, field.grid(), |_, cell| field.length(cell).unwrap_or(f64::INFINITY))
    }

    /// The straight moves of shortest paths, or the sums of their prices in parts: ``int64``, -1 where there is no
    /// path.
    #[getter]
    fn straight<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let field = self.now();
        grid::table(py, field.grid(), |_, cell| field.cost(cell).map_or(-1, |cost| cost.straight.into()))
    }

    /// The diagonal moves, as :attr:`straight`.
    #[getter]
    fn diagonal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let field = self.now();
        grid::table(py, field.grid(), |_, cell| field.cost(cell).map_or(-1, |cost| cost.diagonal.into()))
    }

    /// The next step from each cell, as a number from 0 to 7 into :data:`octile.MOVES`, which has them as ``(dx, dy)``;
    /// -1 at goals and where there is no path: ``int8``.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        let field = self.now();
        grid::table(py, field.grid(), |_, cell| field.next(cell).map_or(NOWHERE, |dir| dir as i8))
    }

    /// The goals: ``int32``, shape ``(n, 2)``.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        cells::to_array(py, self.now().goals().iter().copied())
    }

    /// The next cell from a cell; ``None`` at a goal, and where there is no path.
    fn step(&self, cell: PointArg) -> Option<(u32, u32)> {
        self.now().step(cell.near_cell()?).map(|cell| (cell.x, cell.y))
    }

    /// The shortest path from a cell to a goal, or ``None``.
    fn path(&self, cell: PointArg) -> Option<PyPath> {
        let (field, start, mut path) = (self.now(), cell.near_cell()?, Path::new());
        let goal = field.goal(start)?;
        field.path(start, Output::Waypoints, &mut path).then(|| PyPath::new(path, (start, goal), None))
    }

    /// Where a unit at ``(x, y)`` is to go that stands anywhere in a cell, as a vector of length 1; the middle of cell
    /// ``(0, 0)`` is ``(0.5, 0.5)``. ``None`` where there is no path.
    fn direction(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        self.now().direction(x, y)
    }

    /// Changes its map, and only what that changes of it.
    fn apply(&self, py: Python<'_>, edits: &PyEdits) -> PyResult<()> {
        let edits = edits.now();
        let done = work::brief(py, || self.0.write().unwrap_or_else(PoisonError::into_inner).apply(&edits));
        done.raised().map(|_| ())
    }

    /// Finds the distances to other goals, in the same memory.
    fn set_goals(&self, py: Python<'_>, goals: &Bound<'_, PyAny>) -> PyResult<()> {
        let grid = self.now().grid().clone();
        let goals: Vec<Cell> = cells::cells(goals, "goal", &grid)?;
        // A field that nobody else's map is changes it in place.
        drop(grid);
        work::brief(py, || self.0.write().unwrap_or_else(PoisonError::into_inner).set_goals(&goals)).raised()
    }

    fn __repr__(&self) -> String {
        let field = self.now();
        format!("Field({} x {}, {} goals)", field.grid().width(), field.grid().height(), field.goals().len())
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let grid = self.now().grid().clone();
        picture::of(&grid, None, None, Some(self), None).png(py)
    }
}
