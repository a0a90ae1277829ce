//! Changes of a map: `octile.Edits`, a list of them, and `grid.block[y0:y1, x0:x1] = True`.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArrayDyn, PyArrayMethods};
use octile::{Cell, Edits, Grid};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyIterator, PySlice, PyTuple};

use crate::cells::{self, PointArg};
use crate::engine::PyEngine;
use crate::errors;
use crate::grid::{self, PyGrid};

/// Changes of a map, in order, made all at once by :meth:`Engine.apply` or :meth:`Grid.apply`.
///
/// Points are ``(x, y)``; a rectangle is given by two opposite corners, both of which belong to it. Every method gives
/// the same object back.
///
/// >>> edits = octile.Edits().block_rect((2, 0), (2, 3)).free((2, 1))
/// >>> engine = octile.Engine(octile.Grid.open(5, 4), "corner-sweep")
/// >>> engine.apply(edits)
/// >>> engine.grid
/// Grid(5 x 4, 17 free)
/// ..@..
/// .....
/// ..@..
/// ..@..
#[pyclass(frozen, name = "Edits", module = "octile")]
#[derive(Default)]
pub(crate) struct PyEdits(Mutex<Edits>);

impl PyEdits {
    pub(crate) fn of(edits: Edits) -> Self {
        Self(Mutex::new(edits))
    }

    fn edits(&self) -> MutexGuard<'_, Edits> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The changes as they are now.
    pub(crate) fn now(&self) -> Edits {
        self.edits().clone()
    }
}

fn at(point: PointArg) -> PyResult<Cell> {
    point
        .near_cell()
        .ok_or_else(|| errors::edit("an edited cell has a negative or very large coordinate: it is on no map"))
}

/// Makes a method that adds to the list.
macro_rules! add {
    ($slf:ident, $($call:tt)+) => {{
        $slf.get().edits().$($call)+;
        Ok($slf)
    }};
}

#[pymethods]
impl PyEdits {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Blocks a cell.
    #[pyo3(name = "block")]
    fn block_cell(slf: Bound<'_, Self>, cell: PointArg) -> PyResult<Bound<'_, Self>> {
        add!(slf, block(at(cell)?))
    }

    /// Frees a cell.
    #[pyo3(name = "free")]
    fn free_cell(slf: Bound<'_, Self>, cell: PointArg) -> PyResult<Bound<'_, Self>> {
        add!(slf, free(at(cell)?))
    }

    /// Blocks a rectangle of cells, from one corner to the opposite one.
    fn block_rect(slf: Bound<'_, Self>, a: PointArg, b: PointArg) -> PyResult<Bound<'_, Self>> {
        add!(slf, block_rect(at(a)?, at(b)?))
    }

    /// Frees a rectangle of cells.
    fn free_rect(slf: Bound<'_, Self>, a: PointArg, b: PointArg) -> PyResult<Bound<'_, Self>> {
        add!(slf, free_rect(at(a)?, at(b)?))
    }

    /// Gives a cell a price, from 1 to 255, on a map with prices.
    fn price(slf: Bound<'_, Self>, cell: PointArg, price: u8) -> PyResult<Bound<'_, Self>> {
        add!(slf, price(at(cell)?, price))
    }

    /// Gives a rectangle of cells a price.
    fn price_rect(slf: Bound<'_, Self>, a: PointArg, b: PointArg, price: u8) -> PyResult<Bound<'_, Self>> {
        add!(slf, price_rect(at(a)?, at(b)?, price))
    }

    /// Forgets all changes.
    fn clear(&self) {
        self.edits().clear();
    }

    fn __bool__(&self) -> bool {
        !self.edits().is_empty()
    }

    fn __len__(&self) -> usize {
        self.edits().len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let (ours, theirs) = (self.now(), other.cast::<Self>().map(|other| other.get().now()));
        theirs.is_ok_and(|theirs| ours == theirs)
    }

    fn __repr__(&self) -> String {
        match self.edits().len() {
            1 => "Edits(1 change)".to_owned(),
            changes => format!("Edits({changes} changes)"),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let text = serde_json::to_string(&slf.get().now()).map_err(errors::value)?;
        Ok((slf.get_type().getattr("_restore")?, (text,)))
    }

    #[staticmethod]
    fn _restore(text: &str) -> PyResult<Self> {
        serde_json::from_str(text)
            .map(Self::of)
            .map_err(|error| errors::edit(format!("this pickle holds no edits: {error}")))
    }
}

/// What of the cells is read and changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Blocked,
    Price,
}

/// Whose cells they are.
enum Whose {
    Grid(Py<PyGrid>),
    Engine(Py<PyEngine>),
}

/// The cells of a map, to be read and changed as those of an array that is indexed ``[y, x]``.
///
/// Whole numbers and slices are quick at any size of the map; masks and lists of indices work as numpy's do.
#[pyclass(frozen, name = "CellView", module = "octile")]
pub(crate) struct View {
    whose: Whose,
    what: What,
}

impl View {
    pub(crate) fn of_grid(grid: Py<PyGrid>, what: What) -> Self {
        Self { whose: Whose::Grid(grid), what }
    }

    pub(crate) fn of_engine(engine: Py<PyEngine>, what: What) -> Self {
        Self { whose: Whose::Engine(engine), what }
    }

    fn grid(&self) -> Grid {
        match &self.whose {
            Whose::Grid(grid) => grid.get().now(),
            Whose::Engine(engine) => engine.get().engine.grid(),
        }
    }

    fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let grid = self.grid();
        match self.what {
            What::Blocked => grid::blocked(py, &grid).into_any(),
            What::Price => grid::table(py, &grid, octile::Grid::price).into_any(),
        }
    }

    fn apply(&self, py: Python<'_>, edits: &Edits) -> PyResult<()> {
        match &self.whose {
            Whose::Grid(grid) => grid.get().change(edits),
            Whose::Engine(engine) => engine.get().change(py, edits),
        }
    }

    /// Adds the change of a rectangle.
    fn edit(&self, edits: &mut Edits, area: &Area, value: u8) {
        let Area { rows, columns } = area;
        if rows.is_empty() || columns.is_empty() {
            return;
        }
        let (a, b) = (Cell::new(columns.start, rows.start), Cell::new(columns.end - 1, rows.end - 1));
        match self.what {
            What::Blocked if value != 0 => edits.block_rect(a, b),
            What::Blocked => edits.free_rect(a, b),
            What::Price => edits.price_rect(a, b, value),
        };
    }

    /// One value for all cells, if it is one.
    fn scalar(&self, value: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
        if let Ok(value) = value.cast::<PyBool>() {
            return match self.what {
                What::Blocked => Ok(Some(value.is_true().into())),
                What::Price => Err(PyTypeError::new_err("a price is a whole number from 1 to 255, not a bool")),
            };
        }
        if self.what == What::Blocked && cells::is_numpy(value, "bool_")? {
            return Ok(Some(value.is_truthy()?.into()));
        }
        match (value.extract::<i64>(), self.what) {
            (Ok(value @ 0..=1), What::Blocked) | (Ok(value @ 0..=255), What::Price) => Ok(Some(value as u8)),
            (Ok(value), What::Blocked) => {
                Err(errors::value(format!("a cell is blocked, True, or free, False: not {value}")))
            }
            (Ok(value), What::Price) => {
                Err(errors::value(format!("a price is a whole number from 1 to 255: not {value}")))
            }
            (Err(_), _) => Ok(None),
        }
    }

    /// The changes of cells that were chosen in any of numpy's ways, with a value for each.
    fn edit_each(&self, edits: &mut Edits, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, grid) = (key.py(), self.grid());
        let numpy = PyModule::import(py, "numpy")?;
        let (height, width) = (grid.height() as usize, grid.width() as usize);
        let numbers = numpy.call_method1("arange", (height * width,))?.call_method1("reshape", (height, width))?;
        let chosen = numpy.call_method1("asarray", (numbers.get_item(key)?,))?;
        let value = numpy.call_method1("asarray", (value,))?;
        let kind: String = value.getattr("dtype")?.getattr("kind")?.extract()?;
        let (expected, is_right) = match self.what {
            What::Blocked => ("bool", kind == "b"),
            What::Price => ("whole numbers from 0 to 255", kind == "u" || kind == "i"),
        };
        if !is_right {
            let dtype = value.getattr("dtype")?;
            return Err(PyTypeError::new_err(format!("expected values of {expected}, found dtype {dtype}")));
        }
        let value = numpy.call_method1("broadcast_to", (value, chosen.getattr("shape")?))?;
        if self.what == What::Price && value.getattr("size")?.is_truthy()? {
            let most: i64 = value.call_method0("max")?.extract()?;
            let least: i64 = value.call_method0("min")?.extract()?;
            if least < 0 || most > 255 {
                return Err(errors::value(format!(
                    "a price is a whole number from 1 to 255: not {}",
                    if least < 0 { least } else { most }
                )));
            }
        }
        let chosen = chosen.call_method1("astype", ("int64",))?;
        let value = value.call_method1("astype", ("uint8",))?;
        let (chosen, value) =
            (chosen.cast::<PyArrayDyn<i64>>()?.readonly(), value.cast::<PyArrayDyn<u8>>()?.readonly());
        for (&place, &value) in chosen.as_array().iter().zip(value.as_array().iter()) {
            let (x, y) = ((place as usize % width) as u32, (place as usize / width) as u32);
            self.edit(edits, &Area { rows: y..y + 1, columns: x..x + 1 }, value);
        }
        Ok(())
    }
}

#[pymethods]
impl View {
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let grid = self.grid();
        if let Some((area, true)) = Area::of(key, &grid)? {
            let cell = Cell::new(area.columns.start, area.rows.start);
            return Ok(match self.what {
                What::Blocked => PyBool::new(py, !grid.is_free(cell)).to_owned().into_any(),
                What::Price => grid.price(cell).into_pyobject(py)?.into_any(),
            });
        }
        self.array(py).get_item(key)
    }

    fn __setitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (area, scalar) = (Area::of(key, &self.grid())?, self.scalar(value)?);
        let mut edits = Edits::new();
        match (area, scalar) {
            (Some((area, _)), Some(value)) => self.edit(&mut edits, &area, value),
            _ => self.edit_each(&mut edits, key, value)?,
        }
        self.apply(py, &edits)
    }

    fn __len__(&self) -> usize {
        self.grid().height() as usize
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.array(py).try_iter()
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        cells::fresh_array(self.array(py), dtype, copy)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.array(py).repr()?.to_string())
    }
}

/// A rectangle of cells.
struct Area {
    rows: Range<u32>,
    columns: Range<u32>,
}

impl Area {
    /// The rectangle that whole numbers, slices of step 1 and `...` choose, and whether it is one cell chosen by two
    /// numbers. `None` if the key is of another kind.
    fn of(key: &Bound<'_, PyAny>, grid: &Grid) -> PyResult<Option<(Self, bool)>> {
        let mut keys: Vec<Bound<'_, PyAny>> = match key.cast::<PyTuple>() {
            Ok(keys) => keys.iter().collect(),
            Err(_) => vec![key.clone()],
        };
        // The dots stand for all axes that are not named.
        if let Some(dots) = keys.iter().position(|key| key.cast::<PyEllipsis>().is_ok()) {
            let all = PySlice::full(key.py()).into_any();
            keys.splice(dots..=dots, std::iter::repeat_n(all, 3_usize.saturating_sub(keys.len())));
        }
        if keys.len() > 2 {
            return Ok(None);
        }
        let (Some(rows), Some(columns)) = (axis(keys.first(), 0, grid.height())?, axis(keys.get(1), 1, grid.width())?)
        else {
            return Ok(None);
        };
        let is_cell = keys.len() == 2 && rows.1 && columns.1;
        Ok(Some((Self { rows: rows.0, columns: columns.0 }, is_cell)))
    }
}

/// The places that a key chooses along an axis, and whether it is a number; `None` if it is neither that nor a plain
/// slice.
fn axis(key: Option<&Bound<'_, PyAny>>, axis: usize, length: u32) -> PyResult<Option<(Range<u32>, bool)>> {
    let Some(key) = key else { return Ok(Some((0..length, false))) };
    if let Ok(slice) = key.cast::<PySlice>() {
        let places = slice.indices(length as isize)?;
        let (start, stop) = (places.start as u32, places.stop.max(places.start) as u32);
        return Ok((places.step == 1).then_some((start..stop, false)));
    }
    if key.cast::<PyBool>().is_ok() {
        return Ok(None);
    }
    let Ok(place) = key.extract::<i64>() else { return Ok(None) };
    let counted = if place < 0 { place + i64::from(length) } else { place };
    if !(0..i64::from(length)).contains(&counted) {
        let name = if axis == 0 { "y, the rows" } else { "x, the columns" };
        return Err(PyIndexError::new_err(format!(
            "index {place} is out of bounds for axis {axis} ({name}) with size {length}"
        )));
    }
    Ok(Some((counted as u32..counted as u32 + 1, true)))
}
