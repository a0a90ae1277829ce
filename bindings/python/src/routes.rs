//! `octile.Paths` and `octile.Costs`: the answers of many queries as arrays.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use octile::engine::Routes;
use octile::{PathCost, Status};
use pyo3::PyClass;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PySlice};

use crate::cells;

/// The answers of :meth:`Engine.find_many`: one row a query, and all points in one array.
///
/// The points of query ``i`` are ``points[offsets[i]:offsets[i + 1]]``, which is ``paths[i]``: an array of shape ``(k,
/// 2)`` with a point ``(x, y)`` in each row, empty where there is no path.
///
/// >>> engine = octile.Engine(octile.Grid.parse("....\n.@@.\n....\n@@@@\n...."), "corner-sweep")
/// >>> paths = engine.find_many([(0, 1), (0, 0)], [(3, 1), (0, 4)])
/// >>> paths.costs
/// array([ 5., inf])
/// >>> paths[0].tolist(), paths.offsets.tolist()
/// ([[0, 1], [0, 0], [3, 0], [3, 1]], [0, 4, 4])
/// >>> paths.found
/// array([ True, False])
#[pyclass(frozen, name = "Paths", module = "octile")]
pub(crate) struct PyPaths {
    /// The lengths of the paths: ``float64``, ``inf`` where there is none, ``nan`` where the query could not be asked
    /// (``errors="skip"``).
    #[pyo3(get)]
    costs: Py<PyAny>,
    /// Straight moves, or sums of their prices in parts: ``int64``, -1 where there is no grid path.
    #[pyo3(get)]
    straight: Py<PyAny>,
    /// Diagonal moves, as :attr:`straight`.
    #[pyo3(get)]
    diagonal: Py<PyAny>,
    /// What both counts are divided by: 4 over terrain under the convention ``average``, else 1.
    #[pyo3(get)]
    parts: u32,
    /// Where the points of each query begin, and of the last one end: ``int64``, one more than queries.
    #[pyo3(get)]
    offsets: Py<PyAny>,
    /// The points of all paths, in the order of the queries: ``int32`` of grid paths, ``float64`` of any-angle paths,
    /// shape ``(m, 2)``.
    #[pyo3(get)]
    points: Py<PyAny>,
    /// `None` of a query that could not be asked.
    statuses: Vec<Option<Status>>,
}

impl PyPaths {
    pub(crate) fn new(py: Python<'_>, routes: Routes, is_any_angle: bool) -> Self {
        let Routes { lengths, straight, diagonal, statuses, offsets, points, parts, .. } = routes;
        let is_error = lengths.iter().map(|length| length.is_nan());
        let statuses = statuses.into_iter().zip(is_error).map(|(status, is_error)| (!is_error).then_some(status));
        let statuses = statuses.collect();
        let points = if is_any_angle {
            let spots = points.into_iter().map(|halves| halves.map(|half| f64::from(half) / 2.0)).collect();
            cells::two_columns::<f64>(py, spots).into_any()
        } else {
            cells::two_columns(py, points).into_any()
        };
        Self {
            costs: PyArray1::from_vec(py, lengths).into_any().unbind(),
            straight: PyArray1::from_vec(py, straight).into_any().unbind(),
            diagonal: PyArray1::from_vec(py, diagonal).into_any().unbind(),
            parts,
            offsets: PyArray1::from_vec(py, offsets).into_any().unbind(),
            points: points.unbind(),
            statuses,
        }
    }
}

#[pymethods]
impl PyPaths {
    /// Which queries have a path: ``bool``.
    #[getter]
    fn found<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, self.statuses.iter().map(|status| has_path(*status)))
    }

    /// How each ended: ``"found"``, ``"nearest"``, ``"no-path"`` or ``"limit"``; ``"error"`` if it could not be asked
    /// and was skipped.
    #[getter]
    fn status(&self) -> Vec<&'static str> {
        self.statuses.iter().map(|status| status.map_or("error", Status::name)).collect()
    }

    /// One of several, in their order: of a batch that was asked in pieces.
    #[staticmethod]
    fn concat(py: Python<'_>, pieces: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pieces = pieces_of::<Self>(pieces)?;
        let joined = |of: fn(&Self) -> &Py<PyAny>| join(py, pieces.iter().map(|piece| of(piece)));
        let mut offsets = vec![0];
        for piece in &pieces {
            let base = offsets.last().copied().unwrap_or_default();
            let own = piece.offsets.bind(py).cast::<PyArray1<i64>>()?.readonly();
            offsets.extend(own.as_array().iter().skip(1).map(|offset| base + offset));
        }
        Ok(Self {
            costs: joined(|piece| &piece.costs)?,
            straight: joined(|piece| &piece.straight)?,
            diagonal: joined(|piece| &piece.diagonal)?,
            parts: pieces.iter().map(|piece| piece.parts).max().unwrap_or(1),
            offsets: PyArray1::from_vec(py, offsets).into_any().unbind(),
            points: joined(|piece| &piece.points)?,
            statuses: pieces.iter().flat_map(|piece| piece.statuses.iter().copied()).collect(),
        })
    }

    fn __len__(&self) -> usize {
        self.statuses.len()
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let (py, paths) = (slf.py(), slf.get());
        let all: PyResult<Vec<_>> =
            (0..paths.statuses.len()).map(|query| paths.__getitem__(py, query as isize)).collect();
        all?.into_pyobject(py)?.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, query: isize) -> PyResult<Bound<'py, PyAny>> {
        let queries = self.statuses.len();
        let place = if query < 0 { query + queries as isize } else { query };
        if !(0..queries as isize).contains(&place) {
            return Err(PyIndexError::new_err(format!("query {query} is not one of {queries}")));
        }
        let offsets = self.offsets.bind(py).cast::<PyArray1<i64>>()?.readonly();
        let bound = |place: isize| offsets.as_array()[place as usize] as isize;
        self.points.bind(py).get_item(PySlice::new(py, bound(place), bound(place + 1), 1))
    }

    fn __repr__(&self) -> String {
        let found = self.statuses.iter().filter(|status| has_path(**status)).count();
        format!("Paths({} queries, {found} found)", self.statuses.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, paths) = (slf.py(), slf.get());
        let statuses: Vec<u8> = paths.statuses.iter().map(|&status| code(status)).collect();
        let state = (
            (&paths.costs, &paths.straight, &paths.diagonal, paths.parts),
            (&paths.offsets, &paths.points),
            PyArray1::from_vec(py, statuses),
        );
        Ok((slf.get_type().getattr("_restore")?, state.into_pyobject(py)?.into_any()))
    }

    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        costs: (Py<PyAny>, Py<PyAny>, Py<PyAny>, u32),
        points: (Py<PyAny>, Py<PyAny>),
        statuses: numpy::PyReadonlyArray1<'_, u8>,
    ) -> PyResult<Self> {
        let ((costs, straight, diagonal, parts), (offsets, points)) = (costs, points);
        let statuses: Vec<_> = statuses.as_array().iter().map(|&code| status(code)).collect();
        let places = offsets.bind(py).cast::<PyArray1<i64>>().map(PyUntypedArrayMethods::len);
        if places.ok() != Some(statuses.len() + 1) {
            return Err(crate::errors::value("this pickle holds no paths"));
        }
        Ok(Self { costs, straight, diagonal, parts, offsets, points, statuses })
    }
}

/// Arrays as one, along their first axis.
fn join<'a>(py: Python<'_>, pieces: impl Iterator<Item = &'a Py<PyAny>>) -> PyResult<Py<PyAny>> {
    let pieces: Vec<&Py<PyAny>> = pieces.collect();
    if pieces.is_empty() {
        return Err(crate::errors::value("there is nothing to put together: give at least one piece"));
    }
    Ok(PyModule::import(py, "numpy")?.call_method1("concatenate", (pieces,))?.unbind())
}

/// The pieces of something that was asked in pieces.
fn pieces_of<'py, T: PyClass>(pieces: &Bound<'py, PyAny>) -> PyResult<Vec<PyRef<'py, T>>> {
    let mut all = Vec::new();
    for piece in pieces.try_iter()? {
        all.push(piece?.cast_into::<T>()?.borrow());
    }
    Ok(all)
}

/// What statuses are in a pickle.
const STATUSES: [Option<Status>; 5] =
    [Some(Status::NoPath), Some(Status::Found), Some(Status::Nearest), Some(Status::Limit), None];

fn code(status: Option<Status>) -> u8 {
    STATUSES.iter().position(|&known| known == status).unwrap_or_default() as u8
}

fn status(code: u8) -> Option<Status> {
    STATUSES.get(usize::from(code)).copied().flatten()
}

fn has_path(status: Option<Status>) -> bool {
    status.is_some_and(Status::has_path)
}

/// Costs of paths, as arrays of the shape of the question: ``(n,)`` of :meth:`Engine.costs`, ``(sources, targets)`` of
/// :meth:`Engine.matrix`.
///
/// ``np.asarray`` of it gives the lengths.
///
/// >>> engine = octile.Engine(octile.Grid.parse("...\n.@.\n..."), "jps")
/// >>> costs = engine.matrix([(0, 0), (1, 0)], [(2, 2), (0, 0), (2, 0)])
/// >>> costs.lengths
/// array([[4., 0., 2.],
///        [3., 1., 1.]])
/// >>> costs.straight[0, 0], costs.diagonal[0, 0]
/// (np.int64(4), np.int64(0))
#[pyclass(frozen, name = "Costs", module = "octile")]
pub(crate) struct PyCosts {
    /// The lengths: ``float64``, ``inf`` where there is no path.
    #[pyo3(get)]
    lengths: Py<PyAny>,
    /// Straight moves, or sums of their prices in parts: ``int64``, -1 where there is no grid path.
    #[pyo3(get)]
    straight: Py<PyAny>,
    /// Diagonal moves, as :attr:`straight`.
    #[pyo3(get)]
    diagonal: Py<PyAny>,
    /// What both counts are divided by: 4 over terrain under the convention ``average``, else 1.
    #[pyo3(get)]
    parts: u32,
}

/// Costs in columns of plain numbers.
pub(crate) struct Columns {
    lengths: Vec<f64>,
    straight: Vec<i64>,
    diagonal: Vec<i64>,
    parts: u32,
}

impl Columns {
    /// Room for so many costs; `None` if memory has none.
    pub(crate) fn new(costs: usize) -> Option<Self> {
        fn filled<T: Clone>(value: T, length: usize) -> Option<Vec<T>> {
            let mut column = Vec::new();
            column.try_reserve_exact(length).ok()?;
            column.resize(length, value);
            Some(column)
        }
        let (straight, diagonal) = (filled(-1, costs)?, filled(-1, costs)?);
        Some(Self { lengths: filled(f64::INFINITY, costs)?, straight, diagonal, parts: 1 })
    }

    pub(crate) fn set(&mut self, place: usize, cost: PathCost) {
        self.lengths[place] = cost.length();
        if let Some(counts) = cost.counts() {
            (self.straight[place], self.diagonal[place]) = (counts.straight.into(), counts.diagonal.into());
        }
        if let PathCost::Priced { parts, .. } = cost {
            self.parts = parts;
        }
    }
}

impl PyCosts {
    /// Of a row of costs for each source.
    pub(crate) fn table(py: Python<'_>, columns: Columns, shape: [usize; 2]) -> Self {
        Self {
            lengths: cells::in_shape(py, columns.lengths, shape).into_any().unbind(),
            straight: cells::in_shape(py, columns.straight, shape).into_any().unbind(),
            diagonal: cells::in_shape(py, columns.diagonal, shape).into_any().unbind(),
            parts: columns.parts,
        }
    }

    /// Of a list of queries.
    pub(crate) fn list(py: Python<'_>, routes: Routes) -> Self {
        Self {
            lengths: PyArray1::from_vec(py, routes.lengths).into_any().unbind(),
            straight: PyArray1::from_vec(py, routes.straight).into_any().unbind(),
            diagonal: PyArray1::from_vec(py, routes.diagonal).into_any().unbind(),
            parts: routes.parts,
        }
    }
}

#[pymethods]
impl PyCosts {
    /// One of several, with their rows in order: of a matrix that was asked in pieces.
    #[staticmethod]
    fn concat(py: Python<'_>, pieces: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pieces = pieces_of::<Self>(pieces)?;
        let joined = |of: fn(&Self) -> &Py<PyAny>| join(py, pieces.iter().map(|piece| of(piece)));
        Ok(Self {
            lengths: joined(|piece| &piece.lengths)?,
            straight: joined(|piece| &piece.straight)?,
            diagonal: joined(|piece| &piece.diagonal)?,
            parts: pieces.iter().map(|piece| piece.parts).max().unwrap_or(1),
        })
    }

    /// The shape of its arrays.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.lengths.bind(py).getattr("shape")
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let lengths = self.lengths.bind(py).clone();
        match (dtype, copy) {
            (Some(dtype), _) => lengths.call_method1("astype", (dtype,)),
            (None, Some(true)) => lengths.call_method0("copy"),
            (None, _) => Ok(lengths),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Costs(shape={})", self.shape(py)?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let costs = slf.get();
        let state = (&costs.lengths, &costs.straight, &costs.diagonal, costs.parts);
        Ok((slf.get_type().getattr("_restore")?, state.into_pyobject(slf.py())?.into_any()))
    }

    #[staticmethod]
    fn _restore(lengths: Py<PyAny>, straight: Py<PyAny>, diagonal: Py<PyAny>, parts: u32) -> Self {
        Self { lengths, straight, diagonal, parts }
    }
}
