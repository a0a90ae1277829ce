//! `octile.Path` and `octile.Cost`: what an engine answers.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use numpy::PyArray2;
use octile::grid::Squeeze;
use octile::{Cell, Engine, GridCost, Path, PathCost};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyNotImplemented};

use crate::cells;
use crate::errors::{self, Raise};
use crate::georeference::PyGeoreference;
use crate::grid::{self, PyGrid};
use crate::picture;

/// The exact cost of a grid path: ``straight`` straight moves and ``diagonal`` diagonal ones, or over terrain sums of
/// their prices, both divided by ``parts``. Costs are compared exactly, never as rounded lengths; ``float`` gives the
/// length.
///
/// >>> cost = octile.Engine(octile.Grid.open(4, 3), "jps").find((0, 0), (3, 1)).cost
/// >>> cost
/// Cost(2+1√2)
/// >>> cost.straight, cost.diagonal, float(cost)
/// (2, 1, 3.414213562373095)
/// >>> cost < octile.Cost(0, 3)
/// True
#[pyclass(frozen, name = "Cost", module = "octile")]
#[derive(Clone, Copy)]
pub(crate) struct PyCost {
    counts: GridCost,
    parts: u16,
}

impl PyCost {
    fn path_cost(&self) -> PathCost {
        match self.parts {
            0 | 1 => PathCost::Grid(self.counts),
            parts => PathCost::Priced { counts: self.counts, parts: parts.into() },
        }
    }

    /// The sign of `ds + dd * sqrt(2)`, found by comparing signed squares; both in as many parts as the two have
    /// together.
    fn order(&self, other: &Self) -> Ordering {
        let (ours, theirs) = (i128::from(other.parts), i128::from(self.parts));
        let difference = |a: u32, b: u32| i128::from(a) * ours - i128::from(b) * theirs;
        let ds = difference(self.counts.straight, other.counts.straight);
        let dd = difference(self.counts.diagonal, other.counts.diagonal);
        (ds * ds.abs() + 2 * dd * dd.abs()).cmp(&0)
    }

    /// In lowest terms, so that equal costs are the same.
    fn reduced(&self) -> (u32, u32, u32) {
        fn divisor(a: u32, b: u32) -> u32 {
            if b == 0 { a } else { divisor(b, a % b) }
        }
        let (GridCost { straight, diagonal }, parts) = (self.counts, self.parts.into());
        let by = divisor(divisor(straight, diagonal), parts).max(1);
        (straight / by, diagonal / by, parts / by)
    }
}

#[pymethods]
impl PyCost {
    #[new]
    #[pyo3(signature = (straight, diagonal, parts=1))]
    fn new(straight: u32, diagonal: u32, parts: u16) -> PyResult<Self> {
        if parts == 0 {
            return Err(errors::value("a cost has at least 1 part"));
        }
        Ok(Self { counts: GridCost::new(straight, diagonal), parts })
    }

    /// Straight moves, or the sum of their prices in parts.
    #[getter]
    fn straight(&self) -> u32 {
        self.counts.straight
    }

    /// Diagonal moves, or the sum of their prices in parts.
    #[getter]
    fn diagonal(&self) -> u32 {
        self.counts.diagonal
    }

    /// What both are divided by: 4 over terrain under the convention ``average``, else 1.
    #[getter]
    fn parts(&self) -> u16 {
        self.parts
    }

    fn __float__(&self) -> f64 {
        self.path_cost().length()
    }

    fn __richcmp__<'py>(&self, other: &Bound<'py, PyAny>, op: CompareOp) -> Bound<'py, PyAny> {
        match other.cast::<Self>() {
            Ok(cost) => PyBool::new(other.py(), op.matches(self.order(cost.get()))).to_owned().into_any(),
            Err(_) => PyNotImplemented::get(other.py()).to_owned().into_any(),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.reduced().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.path_cost().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Cost({})", self.path_cost())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let PyCost { counts, parts } = slf.get();
        let state = (counts.straight, counts.diagonal, *parts).into_pyobject(slf.py())?.into_any();
        Ok((slf.get_type().into_any(), state))
    }
}

/// A cost: exact, or the length of an any-angle path.
pub(crate) fn cost(py: Python<'_>, cost: PathCost) -> PyResult<Py<PyAny>> {
    // Prices are in whole numbers or in quarters.
    let exact = |counts, parts: u32| {
        let cost = PyCost { counts, parts: parts as u16 };
        cost.into_pyobject(py).map(|cost| cost.into_any().unbind())
    };
    match cost {
        PathCost::Grid(counts) => exact(counts, 1),
        PathCost::Priced { counts, parts } => exact(counts, parts),
        PathCost::AnyAngle(length) => Ok(length.into_pyobject(py)?.into_any().unbind()),
    }
}

/// A path that an engine found. Its arrays have a point ``(x, y)`` in each row.
///
/// A grid path has :attr:`cells` and :attr:`waypoints`; an any-angle path has :attr:`corners` and :attr:`spots`.
/// :attr:`points` is what it has: turning points or spots. Asking for what it has not is an error.
///
/// >>> grid = octile.Grid.parse("......\n.@@@@.\n......")
/// >>> path = octile.Engine(grid, "corner-sweep").find((0, 1), (5, 1))
/// >>> path
/// Path(7, (0, 1) to (5, 1))
/// >>> path.waypoints.tolist()
/// [[0, 1], [0, 0], [5, 0], [5, 1]]
/// >>> path.length, path.cost
/// (7.0, Cost(7))
#[pyclass(frozen, name = "Path", module = "octile")]
#[derive(Clone)]
pub(crate) struct PyPath {
    pub(crate) path: Path,
    pub(crate) ends: (Cell, Cell),
    /// Whose map it is drawn on. (Holding the map itself would make every edit copy it.)
    engine: Option<Engine>,
}

impl PyPath {
    pub(crate) fn new(path: Path, ends: (Cell, Cell), engine: Option<Engine>) -> Self {
        Self { path, ends, engine }
    }
}

#[pymethods]
impl PyPath {
    /// Every cell of a grid path, from start to goal: ``int32``, shape ``(n, 2)``.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        Ok(cells::to_array(py, self.path.cells().raised()?))
    }

    /// The turning points of a grid path, with its ends: ``int32``, shape ``(n, 2)``.
    #[getter]
    fn waypoints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        Ok(cells::to_array(py, self.path.waypoints().raised()?))
    }

    /// The corners of cells that an any-angle path goes over: ``int32``, shape ``(n, 2)``. Corner ``(x, y)`` is the
    /// upper left one of cell ``(x, y)``.
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let corners = self.path.corners().raised()?.iter();
        Ok(cells::to_array(py, corners.map(|corner| Cell::new(corner.x, corner.y))))
    }

    /// The points of an any-angle path, its ends included: ``float64``, shape ``(n, 2)``, in cells from the upper left
    /// corner of the map, so that the middle of cell ``(0, 0)`` is ``(0.5, 0.5)``.
    #[getter]
    fn spots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let spots = self.path.vertices().raised()?;
        Ok(cells::two_columns(py, spots.map(|spot| [spot.x(), spot.y()]).collect()))
    }

    /// What it has: :attr:`waypoints` of a grid path, :attr:`spots` of an any-angle path.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.path.is_any_angle() { Ok(self.spots(py)?.into_any()) } else { Ok(self.waypoints(py)?.into_any()) }
    }

    /// The length; over terrain, the cost.
    #[getter]
    fn length(&self) -> f64 {
        self.path.length()
    }

    /// The exact cost of a grid path, a :class:`Cost`; the length of an any-angle path.
    #[getter]
    fn cost(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        cost(py, self.path.cost())
    }

    /// Whether it goes in any direction, over corners of cells.
    #[getter]
    fn is_any_angle(&self) -> bool {
        self.path.is_any_angle()
    }

    /// The cell where it begins.
    #[getter]
    fn start(&self) -> (u32, u32) {
        (self.ends.0.x, self.ends.0.y)
    }

    /// The cell where it ends.
    #[getter]
    fn goal(&self) -> (u32, u32) {
        (self.ends.1.x, self.ends.1.y)
    }

    /// Checks that it is a legal path on a map, from its start to its goal, and costs what it says; raises
    /// :class:`PathError` if not.
    fn check(&self, grid: &PyGrid) -> PyResult<()> {
        self.path.check(&grid.now(), self.ends.0, self.ends.1).raised()
    }

    /// The same path pulled straight, as an any-angle path. ``squeeze`` says whether it may pass between two blocked
    /// cells that touch at a corner.
    #[pyo3(signature = (grid, *, squeeze="allowed"))]
    fn smooth(&self, grid: &PyGrid, squeeze: &str) -> PyResult<Self> {
        let (mut smoothed, squeeze) = (self.clone(), grid::named::<Squeeze>(squeeze)?);
        let now = grid.now();
        if !self.path.is_legal(&now) {
            return Err(errors::path("only a path that is legal on this map can be smoothed"));
        }
        smoothed.path.smooth(&now, squeeze);
        Ok(smoothed)
    }

    /// Its points in metres: ``float64``, shape ``(n, 2)``; of a grid path the middles of its turning points.
    fn to_world<'py>(&self, py: Python<'py>, place: &PyGeoreference) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = self.path.to_world(&place.0).raised()?;
        Ok(cells::two_columns(py, points.map(<[f64; 2]>::from).collect()))
    }

    /// Its length in metres.
    fn metres(&self, place: &PyGeoreference) -> f64 {
        self.path.metres(&place.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        // One with all its cells is the same as one with its turning points.
        let is_same = |other: &Path| match (self.path.waypoints(), other.waypoints()) {
            (Ok(ours), Ok(theirs)) => self.path.cost() == other.cost() && ours.eq(theirs),
            _ => self.path == *other,
        };
        other.cast::<Self>().is_ok_and(|other| self.ends == other.get().ends && is_same(&other.get().path))
    }

    fn __repr__(&self) -> String {
        let ((a, b), cost) = (self.ends, self.path.cost());
        format!("Path({cost}, ({}, {}) to ({}, {}))", a.x, a.y, b.x, b.y)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(engine) = &self.engine else { return Ok(None) };
        picture::of(&engine.grid(), Some(self), None, None, None).png(py).map(Some)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let text = serde_json::to_string(&slf.get().path).map_err(errors::value)?;
        let state = (text, slf.get().start(), slf.get().goal()).into_pyobject(slf.py())?.into_any();
        Ok((slf.get_type().getattr("_restore")?, state))
    }

    #[staticmethod]
    fn _restore(text: &str, start: (u32, u32), goal: (u32, u32)) -> PyResult<Self> {
        let path =
            serde_json::from_str(text).map_err(|error| errors::path(format!("this pickle holds no path: {error}")))?;
        Ok(Self::new(path, (start.into(), goal.into()), None))
    }
}

/// A path through given points, for :meth:`Path.check` and :meth:`Engine.still_valid`: the turning points or all cells
/// of a grid path.
///
/// >>> path = octile.path_through([(0, 0), (2, 2), (5, 2)])
/// >>> path.cost
/// Cost(3+2√2)
#[pyfunction]
pub(crate) fn path_through(points: &Bound<'_, PyAny>) -> PyResult<PyPath> {
    let largest = octile::Grid::open(1, 1).expect("one cell is a map");
    let points = cells::cells(points, "point", &largest)?;
    if points.iter().any(|point| point.x.max(point.y) > octile::grid::MAX_SIDE) {
        return Err(errors::path(format!(
            "a point lies on no map: sides are at most {} cells",
            octile::grid::MAX_SIDE
        )));
    }
    let (Some(&start), Some(&goal)) = (points.first(), points.last()) else {
        return Err(errors::path("a path has at least one point"));
    };
    let path = Path::through(points).ok_or_else(|| {
        errors::path("two of the points do not lie on one straight or diagonal line: give all turning points")
    })?;
    Ok(PyPath::new(path, (start, goal), None))
}
