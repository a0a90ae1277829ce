//! Cells as Python gives them: `(x, y)`, or arrays of shape `(n, 2)` with x in the first column and y in the second.

use numpy::{PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use octile::{Cell, Grid};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyTuple, PyType};

use crate::errors;

/// A cell that a caller named: whole numbers, on the map or not.
#[derive(Clone, Copy)]
pub(crate) struct PointArg {
    x: i64,
    y: i64,
}

impl PointArg {
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

impl<'a, 'py> FromPyObject<'a, 'py> for PointArg {
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
    let mut cells = Vec::new();
    match read(object, what, &mut cells)? {
        Some((place, point)) => Err(point.off_map(&format!("{what} {place} at"), grid)),
        None => Ok(cells),
    }
}

/// As [`cells`], for a batch: a cell that is on no map is far off, or an error with the number of its query.
pub(crate) fn batch(object: &Bound<'_, PyAny>, what: &str, grid: &Grid, skips: bool) -> PyResult<Vec<Cell>> {
    let mut cells = Vec::new();
    match read(object, what, &mut cells)? {
        Some((place, point)) if !skips => Err(errors::numbered(place, point.off_map(what, grid))),
        _ => Ok(cells),
    }
}

/// Reads cells, and gives the first that is on no map.
fn read(object: &Bound<'_, PyAny>, what: &str, cells: &mut Vec<Cell>) -> PyResult<Option<(usize, PointArg)>> {
    let array = as_array(object)?;
    check_whole(&array, what)?;
    if array.len() == 0 {
        return Ok(None);
    }
    check_shape(array.shape(), what)?;
    if array.cast::<PyArray2<i32>>().is_ok() {
        return convert(&plain::<i32>(array.as_any(), "int32")?, cells);
    }
    convert(&plain::<i64>(array.as_any(), "int64")?, cells)
}

/// An array of two dimensions of this type whose elements lie in order, in memory that is aligned for them: the same
/// one, if it is so already.
pub(crate) fn plain<'py, T: numpy::Element>(
    object: &Bound<'py, PyAny>,
    dtype: &str,
) -> PyResult<PyReadonlyArray2<'py, T>> {
    Ok(required(object, dtype)?.cast_into::<PyArray2<T>>()?.try_readonly()?)
}

/// What numpy's `require` makes of an object.
pub(crate) fn required<'py>(object: &Bound<'py, PyAny>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    static REQUIRE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    REQUIRE.import(object.py(), "numpy", "require")?.call1((object, dtype, ("C", "A")))
}

fn convert<T: numpy::Element + Copy + Into<i64>>(
    array: &PyReadonlyArray2<'_, T>,
    cells: &mut Vec<Cell>,
) -> PyResult<Option<(usize, PointArg)>> {
    const NOWHERE: Cell = Cell::new(u32::MAX, u32::MAX);
    let (array, mut first) = (array.as_array(), None);
    cells.try_reserve_exact(array.nrows()).map_err(|_| PyMemoryError::new_err("there is no room for so many cells"))?;
    for (place, row) in array.outer_iter().enumerate() {
        let point = PointArg { x: row[0].into(), y: row[1].into() };
        let cell = point.near_cell();
        if cell.is_none() {
            first.get_or_insert((place, point));
        }
        cells.push(cell.unwrap_or(NOWHERE));
    }
    Ok(first)
}

/// The elements of something that can be iterated over, which need not tell the truth about how many they are.
pub(crate) fn list<'py, T>(object: &Bound<'py, PyAny>, what: &str, most: usize) -> PyResult<Vec<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let mut list = Vec::new();
    for item in object.try_iter()? {
        if list.len() == most {
            return Err(errors::value(format!("{what}: at most {most} can be given")));
        }
        list.push(item?.extract::<T>()?);
    }
    Ok(list)
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
    let mut rows = Vec::with_capacity(cells.len());
    // Sides of maps are below 2^16.
    cells.for_each(|cell| rows.push([cell.x as i32, cell.y as i32]));
    two_columns(py, rows)
}

/// Points as an array of shape `(n, 2)`, without a copy.
pub(crate) fn two_columns<T: numpy::Element>(py: Python<'_>, points: Vec<[T; 2]>) -> Bound<'_, PyArray2<T>> {
    let rows = points.len();
    in_shape(py, points.into_flattened(), [rows, 2])
}

/// Numbers as an array of two dimensions, without a copy.
pub(crate) fn in_shape<T: numpy::Element>(py: Python<'_>, flat: Vec<T>, shape: [usize; 2]) -> Bound<'_, PyArray2<T>> {
    let array =
        numpy::ndarray::Array2::from_shape_vec(shape, flat).expect("there are as many numbers as the shape says");
    PyArray2::from_owned_array(py, array)
}

/// What `__array__` gives of a map: an array that was made for it.
pub(crate) fn fresh_array<'py>(
    array: Bound<'py, PyAny>,
    dtype: Option<Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    match (dtype, copy) {
        (_, Some(false)) => Err(errors::value("a map keeps its cells as bits: an array of them is always a copy")),
        (Some(dtype), _) => array.call_method1("astype", (dtype,)),
        (None, _) => Ok(array),
    }
}

/// Whether an object is of a class of numpy's, such as `bool_`.
pub(crate) fn is_numpy(object: &Bound<'_, PyAny>, class: &str) -> PyResult<bool> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let numpy = NUMPY.get_or_try_init(object.py(), || PyModule::import(object.py(), "numpy").map(Bound::unbind))?;
    object.is_instance(numpy.bind(object.py()).getattr(class)?.cast::<PyType>()?)
}
