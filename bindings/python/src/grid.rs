//! `octile.Grid`: a map as an array.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use numpy::{PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use octile::formats::{LoadOptions, Pricing};
use octile::grid::{Agent, Clearance, Convention, Georeference, Room};
use octile::{Cell, Edits, Grid, GridBuilder, GridError, Movement};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::cells::{self, PointArg, shape_text};
use crate::edits::{PyEdits, View, What};
use crate::errors::{self, Raise};
use crate::georeference::PyGeoreference;
use crate::picture::{self, PyPicture};
use crate::work;

/// Maps with more cells than this are not drawn by ``repr``.
const DRAWN_SIDES: (u32, u32) = (80, 30);

/// A map: which cells are free, how one may move, and what cells cost.
///
/// **Arrays are indexed** ``[y, x]``, **points are** ``(x, y)``. ``y`` is the row, counted from the top; ``x`` is the
/// column, counted from the left. So the cell ``(3, 1)`` of a path is ``array[1, 3]``, and an array of points has x in
/// its first column.
///
/// ``Grid(blocked)`` takes an array of ``bool`` or ``uint8``, in which everything but 0 is blocked; ``Grid(free=...)``
/// takes one in which everything but 0 is free. ``prices``, from 1 to 255, say what cells cost; 0 blocks a cell.
/// ``convention`` is ``"average"`` or ``"enter"``, ``movement`` is ``"octile"`` (eight neighbours, no corner cutting),
/// ``"tile"`` (four) or ``"octile-cutting"``.
///
/// An engine takes the map as it is when the engine is made. Change it then by the engine (:meth:`Engine.apply`,
/// :attr:`Engine.block`).
///
/// >>> import numpy as np, octile
/// >>> blocked = np.zeros((3, 6), dtype=bool)
/// >>> blocked[1, 1:5] = True              # row 1, columns 1 to 4
/// >>> grid = octile.Grid(blocked)
/// >>> grid.shape, grid.width, grid.height
/// ((3, 6), 6, 3)
/// >>> grid
/// Grid(6 x 3, 14 free)
/// ......
/// .@@@@.
/// ......
/// >>> grid.is_free((1, 0)), grid.is_free((1, 1))  # x 1, y 0 and x 1, y 1
/// (True, False)
#[pyclass(frozen, name = "Grid", module = "octile")]
pub(crate) struct PyGrid {
    grid: RwLock<Grid>,
    pub(crate) georeference: Option<Georeference>,
}

impl PyGrid {
    pub(crate) fn new(grid: Grid) -> Self {
        Self::placed(grid, None)
    }

    pub(crate) fn placed(grid: Grid, georeference: Option<Georeference>) -> Self {
        Self { grid: RwLock::new(grid), georeference }
    }

    /// The map as it is now.
    pub(crate) fn now(&self) -> Grid {
        self.grid.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the map.
    pub(crate) fn change(&self, edits: &Edits) -> PyResult<()> {
        let mut grid = self.grid.write().unwrap_or_else(PoisonError::into_inner);
        grid.apply(edits).raised().map(|_| ())
    }
}

#[pymethods]
impl PyGrid {
    #[new]
    #[pyo3(signature = (blocked=None, *, free=None, prices=None, convention="average", movement="octile", georeference=None))]
    fn py_new(
        blocked: Option<&Bound<'_, PyAny>>,
        free: Option<&Bound<'_, PyAny>>,
        prices: Option<&Bound<'_, PyAny>>,
        convention: &str,
        movement: &str,
        georeference: Option<&PyGeoreference>,
    ) -> PyResult<Self> {
        let (movement, convention) = (named::<Movement>(movement)?, named::<Convention>(convention)?);
        let base = match (blocked, free) {
            (Some(_), Some(_)) => return Err(errors::value("give either `blocked` or `free`, not both")),
            (Some(array), None) => Some(from_array(array, "blocked", false)?),
            (None, Some(array)) => Some(from_array(array, "free", true)?),
            (None, None) => None,
        };
        let grid = match (base, prices) {
            (None, None) => {
                return Err(errors::value("give an array: Grid(blocked), Grid(free=...) or Grid(prices=...)"));
            }
            (Some(base), None) => base,
            (base, Some(prices)) => with_prices(base, prices, convention)?,
        };
        let georeference = georeference.map(|place| place.0);
        let grid = if grid.movement() == movement { grid } else { grid.with_movement(movement) };
        Ok(Self::placed(grid, georeference))
    }

    /// A map of free cells.
    ///
    /// >>> octile.Grid.open(3, 2)
    /// Grid(3 x 2, 6 free)
    /// ...
    /// ...
    #[staticmethod]
    #[pyo3(signature = (width, height, *, movement="octile"))]
    fn open(width: i64, height: i64, movement: &str) -> PyResult<Self> {
        let (width, height) = sides(width, height)?;
        Ok(Self::new(Grid::open(width, height).raised()?.with_movement(named(movement)?)))
    }

    /// A map from a drawing: ``.`` is free, ``@`` blocked, a digit free at that price.
    ///
    /// >>> octile.Grid.parse(".@.\n...").free_cells
    /// 5
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        Ok(Self::new(text.parse::<Grid>().raised()?))
    }

    /// Cells in a row.
    #[getter]
    fn width(&self) -> u32 {
        self.now().width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> u32 {
        self.now().height()
    }

    /// ``(height, width)``, as of its arrays.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        let grid = self.now();
        (grid.height(), grid.width())
    }

    /// The rule that says which moves are legal.
    #[getter]
    fn movement(&self) -> &'static str {
        self.now().movement().name()
    }

    /// How prices make the cost of a move; ``None`` of a map without prices.
    #[getter]
    fn convention(&self) -> Option<&'static str> {
        self.now().convention().map(Convention::name)
    }

    /// How many cells are free.
    #[getter]
    fn free_cells(&self) -> u32 {
        self.now().free_cells()
    }

    /// How many areas there are between which no path leads.
    #[getter]
    fn components(&self) -> usize {
        self.now().components()
    }

    /// A number that tells maps apart: that of cells, rule and prices. Index files know their map by it.
    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> u64 {
        let grid = self.now();
        work::brief(py, || grid.fingerprint())
    }

    /// Where the map lies in the world, if that is known: ROS maps have it.
    #[getter]
    fn georeference(&self) -> Option<PyGeoreference> {
        self.georeference.map(PyGeoreference)
    }

    /// Which cells are blocked: an array of ``bool``, a copy.
    ///
    /// >>> octile.Grid.parse(".@\n..").blocked
    /// array([[False,  True],
    ///        [False, False]])
    #[getter]
    fn blocked<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        blocked(py, &self.now())
    }

    /// Which cells are free: an array of ``bool``, a copy.
    #[getter]
    fn free<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        table(py, &self.now(), octile::Grid::is_free)
    }

    /// What cells cost: an array of ``uint8``, a copy; 0 where a cell is blocked, 1 everywhere else on a map without
    /// prices.
    #[getter]
    fn prices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        table(py, &self.now(), octile::Grid::price)
    }

    /// The map's cells to be read and changed, as an array indexed ``[y, x]``: ``True`` is blocked.
    ///
    /// >>> grid = octile.Grid.open(5, 3)
    /// >>> grid.block[0:2, 1:3] = True         # rows 0 and 1, columns 1 and 2
    /// >>> grid
    /// Grid(5 x 3, 11 free)
    /// .@@..
    /// .@@..
    /// .....
    /// >>> grid.block[1, 2]
    /// True
    #[getter]
    fn block(slf: Bound<'_, Self>) -> View {
        View::of_grid(slf.unbind(), What::Blocked)
    }

    /// The prices of the map's cells to be read and changed, as an array indexed ``[y, x]``.
    ///
    /// >>> grid = octile.Grid(prices=np.full((2, 3), 4, dtype=np.uint8))
    /// >>> grid.price[:, 1] = 9
    /// >>> grid.prices
    /// array([[4, 9, 4],
    ///        [4, 9, 4]], dtype=uint8)
    #[getter]
    fn price(slf: Bound<'_, Self>) -> View {
        View::of_grid(slf.unbind(), What::Price)
    }

    /// Makes all changes of an :class:`Edits`, or none if one of them cannot be made.
    ///
    /// >>> grid = octile.Grid.open(3, 1)
    /// >>> grid.apply(octile.Edits().block((1, 0)))
    /// >>> grid.free_cells
    /// 2
    fn apply(&self, edits: &PyEdits) -> PyResult<()> {
        self.change(&edits.now())
    }

    /// Whether a cell is free; cells off the map are not.
    fn is_free(&self, cell: PointArg) -> bool {
        cell.near_cell().is_some_and(|cell| self.now().is_free(cell))
    }

    /// Whether a path leads from one cell to another: it takes no search.
    ///
    /// >>> octile.Grid.parse("..@.").connected((0, 0), (3, 0))
    /// False
    fn connected(&self, a: PointArg, b: PointArg) -> bool {
        let (Some(a), Some(b)) = (a.near_cell(), b.near_cell()) else { return false };
        self.now().may_connect(a, b)
    }

    /// The room around each cell, as an array of ``float64``: ``"square"``, the side of the largest square agent that
    /// can stand with its upper left cell there; ``"disc"``, the radius of the largest round one with its centre there.
    ///
    /// >>> octile.Grid.open(3, 2).clearance("square")
    /// array([[2., 2., 1.],
    ///        [1., 1., 1.]])
    #[pyo3(signature = (shape="disc"))]
    fn clearance<'py>(&self, py: Python<'py>, shape: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let grid = self.now();
        let is_square = match shape {
            "square" => true,
            "disc" => false,
            _ => return Err(errors::value(format!("the shape of an agent is \"square\" or \"disc\", not {shape:?}"))),
        };
        let room = work::brief(py, || Clearance::new(&grid));
        let of = |_: &Grid, cell| {
            if is_square { f64::from(room.square(cell)) } else { room.disc(cell, Room::Centre) }
        };
        Ok(table(py, &grid, of))
    }

    /// The map of the cells where an agent fits: ``"square:2"`` or ``"disc:1.5"``, in cells.
    fn for_agent(&self, agent: &str) -> PyResult<Self> {
        let agent: Agent = agent.parse().raised()?;
        Ok(Self::placed(self.now().for_agent(agent, Room::Centre), self.georeference))
    }

    /// The same map under another movement rule.
    fn with_movement(&self, movement: &str) -> PyResult<Self> {
        Ok(Self::placed(self.now().with_movement(named(movement)?), self.georeference))
    }

    /// The same map without prices.
    fn without_prices(&self) -> Self {
        Self::placed(self.now().without_prices(), self.georeference)
    }

    /// A copy, which changes of this one do not reach.
    fn copy(&self) -> Self {
        Self::placed(self.now(), self.georeference)
    }

    /// Writes the map to a file: MovingAI's format if the name ends in ``.map``, a drawing for ``.txt``, an image for
    /// ``.pgm``. What was there is replaced when the new file is whole.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let grid = self.now();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        if grid.convention().is_some() && (ending != "txt" || !octile::formats::ascii::has_digits(&grid)) {
            return Err(errors::value(
                "a map with prices can be written as a .txt drawing if all are below 10; save the array `prices`, or pickle the grid",
            ));
        }
        let bytes = work::brief(py, || match ending.as_str() {
            "map" => Some(octile::formats::movingai::map::write(&grid).into_bytes()),
            "txt" => Some(octile::formats::ascii::write(&grid).into_bytes()),
            "pgm" => Some(octile::formats::image::to_pgm(&grid)),
            _ => None,
        });
        let bytes = bytes.ok_or_else(|| {
            errors::value(format!(
                "{}: a map's name ends in .map, .txt or .pgm; a picture is saved by `picture().save(...)`",
                path.display()
            ))
        })?;
        crate::files::write(py, &path, &bytes)
    }

    /// A picture of the map, with what is to be seen on it; notebooks show it.
    #[pyo3(signature = (*, path=None, trace=None, field=None, scale=None))]
    fn picture(
        &self,
        path: Option<&crate::path::PyPath>,
        trace: Option<&crate::trace::PyTrace>,
        field: Option<&crate::field::PyField>,
        scale: Option<u32>,
    ) -> PyPicture {
        picture::of(&self.now(), path, trace, field, scale)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        picture::of(&self.now(), None, None, None, None).png(py)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        cells::fresh_array(self.blocked(py).into_any(), dtype, copy)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.now() == other.get().now())
    }

    fn __repr__(&self) -> String {
        let grid = self.now();
        let (width, height, free) = (grid.width(), grid.height(), grid.free_cells());
        let rule = if grid.movement() == Movement::Octile { String::new() } else { format!(", {}", grid.movement()) };
        let prices = grid.convention().map_or_else(String::new, |convention| format!(", prices by {convention}"));
        let head = format!("Grid({width} x {height}, {free} free{rule}{prices})");
        let is_drawn = width <= DRAWN_SIDES.0 && height <= DRAWN_SIDES.1;
        if is_drawn { format!("{head}\n{}", octile::formats::ascii::write(&grid).trim_end()) } else { head }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.copy()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, grid) = (slf.py(), slf.get().now());
        let cells = grid.cells().map(|cell| grid.is_free(cell));
        let prices = grid.convention().map(|_| {
            let prices: Vec<u8> = grid.cells().map(|cell| grid.price_when_free(cell)).collect();
            PyBytes::new(py, &prices)
        });
        let convention = grid.convention().map(Convention::name);
        let place = slf.get().georeference.map(PyGeoreference);
        let state = (
            (grid.width(), grid.height()),
            PyBytes::new(py, &pack(cells)),
            grid.movement().name(),
            (prices, convention),
            place,
        );
        Ok((slf.get_type().getattr("_restore")?, state.into_pyobject(py)?.into_any()))
    }

    #[staticmethod]
    fn _restore(
        sides: (u32, u32),
        bits: &[u8],
        movement: &str,
        ground: (Option<Vec<u8>>, Option<String>),
        georeference: Option<PyRef<'_, PyGeoreference>>,
    ) -> PyResult<Self> {
        let ((width, height), (prices, convention)) = (sides, ground);
        let cells = u64::from(width) * u64::from(height);
        let fits = |found: usize, expected: u64| found as u64 == expected;
        if !fits(bits.len(), cells.div_ceil(8)) || prices.as_ref().is_some_and(|prices| !fits(prices.len(), cells)) {
            return Err(errors::grid(format!("this pickle does not hold a map of {width} x {height} cells")));
        }
        let mut builder = GridBuilder::new(width, height).raised()?.movement(named(movement)?);
        if let Some(convention) = convention {
            builder = builder.convention(named(&convention)?);
        }
        for y in 0..height {
            for x in 0..width {
                let place = y as usize * width as usize + x as usize;
                if let Some(prices) = &prices {
                    builder.set_price((x, y), prices[place].max(1));
                }
                builder.set((x, y), bits[place / 8] >> (place % 8) & 1 != 0);
            }
        }
        Ok(Self::placed(builder.build(), georeference.map(|place| place.0)))
    }
}

/// Bits in bytes, the lowest first.
fn pack(cells: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (place, is_set) in cells.enumerate() {
        if place % 8 == 0 {
            bytes.push(0);
        }
        if let Some(last) = bytes.last_mut() {
            *last |= u8::from(is_set) << (place % 8);
        }
    }
    bytes
}

/// The value of a name.
pub(crate) fn named<T: FromStr>(name: &str) -> PyResult<T>
where
    T::Err: std::fmt::Display,
{
    name.parse().map_err(|error: T::Err| errors::value(error))
}

/// The sides of a map, which may be any numbers yet.
pub(crate) fn sides(width: i64, height: i64) -> PyResult<(u32, u32)> {
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(width), Ok(height)) => Ok((width, height)),
        _ if width < 0 || height < 0 => {
            Err(errors::grid(format!("a map of {width} x {height} cells is empty: both sides must be at least 1")))
        }
        _ => Err(GridError::TooLarge { width: width.cast_unsigned(), height: height.cast_unsigned() }).raised(),
    }
}

/// An array of two dimensions, `height` and `width`, of a size that a map can have.
fn sides_of(array: &Bound<'_, PyUntypedArray>, name: &str) -> PyResult<(u32, u32)> {
    let [height, width] = array.shape() else {
        let shape = shape_text(array.shape());
        return Err(errors::grid(format!(
            "{name}: expected an array of shape (height, width), indexed [y, x], found {shape}"
        )));
    };
    let side = |side: usize| i64::try_from(side).unwrap_or(i64::MAX);
    sides(side(*width), side(*height))
}

/// The bytes of an array of `bool` or `uint8`. (A `bool` of numpy's may be any byte.)
fn bytes_of<'py>(array: &Bound<'py, PyUntypedArray>, name: &str) -> PyResult<PyReadonlyArray2<'py, u8>> {
    let dtype = array.dtype();
    let bytes = match dtype.kind() {
        b'b' => array.call_method1("view", ("uint8",))?,
        _ => array.as_any().clone(),
    };
    if let Ok(bytes) = bytes.cast_into::<PyArray2<u8>>() {
        return Ok(bytes.try_readonly()?);
    }
    let hint = match dtype.kind() {
        b'f' => "compare it with a number first, such as `array > 0.5`",
        _ => "use .astype(bool), or .astype(np.uint8) if all values fit",
    };
    Err(errors::grid(format!("{name}: expected an array of dtype bool or uint8, found {dtype}: {hint}")))
}

/// A map from an array in which everything but 0 is free, or blocked.
fn from_array(array: &Bound<'_, PyAny>, name: &str, is_free: bool) -> PyResult<Grid> {
    let array = cells::as_array(array)?;
    let (width, height) = sides_of(&array, name)?;
    // Refuses a size before anything is copied: a view can claim any.
    let mut builder = GridBuilder::new(width, height).raised()?;
    let bytes = bytes_of(&array, name)?;
    for (y, row) in (0..height).zip(bytes.as_array().outer_iter()) {
        builder.set_row(y, row.iter().map(|&cell| (cell != 0) == is_free));
    }
    Ok(builder.build())
}

/// A map with prices from an array; what is blocked stays so.
fn with_prices(base: Option<Grid>, prices: &Bound<'_, PyAny>, convention: Convention) -> PyResult<Grid> {
    let array = cells::as_array(prices)?;
    let (width, height) = sides_of(&array, "prices")?;
    if let Some(base) = &base
        && (base.width(), base.height()) != (width, height)
    {
        let (expected, found) = ((base.height(), base.width()), (height, width));
        return Err(errors::grid(format!("prices: expected the shape of the map, {expected:?}, found {found:?}")));
    }
    let Ok(array) = array.cast::<PyArray2<u8>>() else {
        let dtype = array.dtype();
        return Err(errors::grid(format!(
            "prices: expected an array of dtype uint8, found {dtype}: prices are whole numbers from 1 to 255, or 0 where a cell is blocked"
        )));
    };
    let rows = array.try_readonly()?;
    let rows = rows.as_array();
    let price = |cell: Cell| rows[[cell.y as usize, cell.x as usize]];
    match &base {
        Some(base) => Ok(base.with_prices(convention, price)),
        None => Grid::from_prices(width, height, convention, price).raised(),
    }
}

/// Which cells are blocked, as an array.
pub(crate) fn blocked<'py>(py: Python<'py>, grid: &Grid) -> Bound<'py, PyArray2<bool>> {
    table(py, grid, |grid, cell| !grid.is_free(cell))
}

/// An array with a value for each cell.
pub(crate) fn table<'py, T: numpy::Element>(
    py: Python<'py>,
    grid: &Grid,
    value: impl Fn(&Grid, Cell) -> T,
) -> Bound<'py, PyArray2<T>> {
    let flat = grid.cells().map(|cell| value(grid, cell)).collect();
    cells::in_shape(py, flat, [grid.height() as usize, grid.width() as usize])
}

/// Loads a map from a file: MovingAI ``.map``, a drawing ``.txt``, an image ``.png`` or ``.pgm``, or a ROS map
/// ``.yaml`` with its image.
///
/// ``unknown`` says what becomes of the unknown cells of a ROS map, ``"blocked"`` or ``"free"``. ``prices`` is the name
/// of a price file, ``"costmap"`` or ``"occupancy"``. The movement rule is ``octile`` unless another is given.
///
/// >>> octile.load("no/such.map")
/// Traceback (most recent call last):
///     ...
/// octile.MissingFileError: no/such.map: no such file
#[pyfunction]
#[pyo3(signature = (path, *, unknown="blocked", prices=None, convention="average", movement=None))]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    unknown: &str,
    prices: Option<PathBuf>,
    convention: &str,
    movement: Option<&str>,
) -> PyResult<PyGrid> {
    let mut options = LoadOptions::default().unknown(named(unknown)?).convention(named(convention)?);
    if let Some(prices) = prices {
        let built_in = prices.to_str().and_then(Pricing::named);
        options = match built_in {
            Some(pricing) => options.prices(pricing),
            None => options.prices(octile::formats::load_prices(&prices).raised()?),
        };
    }
    let map = work::brief(py, || octile::formats::load_with(&path, &options)).raised()?;
    let grid = movement.map_or(Ok(map.grid.clone()), |name| Ok::<_, PyErr>(map.grid.with_movement(named(name)?)))?;
    Ok(PyGrid::placed(grid, map.georeference))
}
