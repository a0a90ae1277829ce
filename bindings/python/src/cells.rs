//! Cells as Python gives them: `(x, y)`, or arrays of shape `(n, 2)` with x in the first column and y in the second.

use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use octile::{Cell, Grid};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyTuple, PyType};

use crate::errors;

/// A cell that a caller named: whole numbers, on the map or not.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    x: i64,
    y: i64,
}

impl Point {
    /// The cell, which may be off the map on the right or below.
    pub(crate) fn cell(self, what: &str, grid: &Grid) -> PyResult<Cell> {
        self.near_cell().ok_or_else(|| self.off_map(what, grid))
    }

    /// The cell, if it is not off every map.
    pub(crate) fn near_cell(self) -> Option<Cell> {
        Some(Cell::new(u32::try_from(self.x).ok()?, u32::try_from(self.y).ok()?))
    }

    fn off_map(self, what: &str, grid: &Grid) -> PyErr {
        let (Self { x, y }, width, height) = (self, grid.width(), grid.height());
        errors::query(format!("{what} {x},{y} is off the map: x must be below {width} and y below {height}"))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Point {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(pair) = object.cast::<PyTuple>()
            && pair.len() == 2
        {
            let whole = |place| pair.get_borrowed_item(place)?.extract::<i64>();
            if let (Ok(x), Ok(y)) = (whole(0), whole(1)) {
                return Ok(Self { x, y });
            }
        }
        object.extract::<[i64; 2]>().map(|[x, y]| Self { x, y }).map_err(|_| no_point(&object))
    }
}

fn no_point(object: &Bound<'_, PyAny>) -> PyErr {
    let text = object.repr().map_or_else(|_| "this".to_owned(), |text| text.to_string());
    PyTypeError::new_err(format!(
        "a cell is two whole numbers (x, y), x counted from the left and y from the top: not {text}"
    ))
}

/// The cells of an array of shape `(n, 2)`, or of anything that numpy makes one of.
pub(crate) fn cells(object: &Bound<'_, PyAny>, what: &str, grid: &Grid) -> PyResult<Vec<Cell>> {
    let array = as_array(object)?;
    check_whole(&array, what)?;
    if array.len() == 0 {
        return Ok(Vec::new());
    }
    check_shape(array.shape(), what)?;
    let number = |place: usize| format!("{what} {place} at");
    if let Ok(array) = array.cast::<PyArray2<i32>>() {
        return convert(array.readonly().as_array(), number, grid);
    }
    let array = array.call_method1("astype", ("int64",))?;
    convert(array.cast::<PyArray2<i64>>()?.readonly().as_array(), number, grid)
}

fn convert<T: Copy + Into<i64>>(
    array: ArrayView2<'_, T>,
    number: impl Fn(usize) -> String,
    grid: &Grid,
) -> PyResult<Vec<Cell>> {
    let cell = |place: usize, x: T, y: T| {
        let point = Point { x: x.into(), y: y.into() };
        point.near_cell().ok_or_else(|| point.off_map(&number(place), grid))
    };
    array.outer_iter().enumerate().map(|(place, row)| cell(place, row[0], row[1])).collect()
}

/// What numpy makes of an object.
pub(crate) fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let made = AS_ARRAY.import(object.py(), "numpy", "asarray")?.call1((object,))?;
    Ok(made.cast_into::<PyUntypedArray>()?)
}

fn check_whole(array: &Bound<'_, PyUntypedArray>, what: &str) -> PyResult<()> {
    let kind = array.dtype().kind();
    // A list without elements has no dtype of its own.
    if matches!(kind, b'i' | b'u') || array.len() == 0 {
        return Ok(());
    }
    let dtype = array.dtype();
    Err(PyTypeError::new_err(format!(
        "{what}: cells are whole numbers, and this array has dtype {dtype}: round it as you mean it, then use .astype(int)"
    )))
}

fn check_shape(shape: &[usize], what: &str) -> PyResult<()> {
    if matches!(shape, [_, 2]) {
        return Ok(());
    }
    let hint = if matches!(shape, [2, _]) { ": transpose it" } else { "" };
    let shape = shape_text(shape);
    Err(errors::value(format!(
        "{what}: expected an array of shape (n, 2) with a cell (x, y) in each row, found {shape}{hint}"
    )))
}

/// A shape as numpy writes it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    let sides: Vec<String> = shape.iter().map(ToString::to_string).collect();
    format!("({}{})", sides.join(", "), if sides.len() == 1 { "," } else { "" })
}

/// The coordinates of cells, as an array of shape `(n, 2)`.
pub(crate) fn to_array(py: Python<'_>, cells: impl ExactSizeIterator<Item = Cell>) -> Bound<'_, PyArray2<i32>> {
    let rows = cells.len();
    let mut flat = Vec::with_capacity(2 * rows);
    // Sides of maps are below 2^16.
    cells.for_each(|cell| flat.extend([cell.x as i32, cell.y as i32]));
    two_columns(py, flat)
}

/// Numbers as an array of shape `(n, 2)`, without a copy.
pub(crate) fn two_columns<T: numpy::Element>(py: Python<'_>, flat: Vec<T>) -> Bound<'_, PyArray2<T>> {
    let rows = flat.len() / 2;
    in_shape(py, flat, [rows, 2])
}

/// Numbers as an array of two dimensions, without a copy.
pub(crate) fn in_shape<T: numpy::Element>(py: Python<'_>, flat: Vec<T>, shape: [usize; 2]) -> Bound<'_, PyArray2<T>> {
    let array =
        numpy::ndarray::Array2::from_shape_vec(shape, flat).expect("there are as many numbers as the shape says");
    PyArray2::from_owned_array(py, array)
}

/// Whether an object is of a class of numpy's, such as `bool_`.
pub(crate) fn is_numpy(object: &Bound<'_, PyAny>, class: &str) -> PyResult<bool> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let numpy = NUMPY.get_or_try_init(object.py(), || PyModule::import(object.py(), "numpy").map(Bound::unbind))?;
    object.is_instance(numpy.bind(object.py()).getattr(class)?.cast::<PyType>()?)
}
