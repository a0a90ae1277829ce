//! `octile.Georeference`: where a map lies in the world.

use numpy::PyArray2;
use octile::Point;
use octile::grid::Georeference;
use pyo3::prelude::*;

use crate::cells::{self, PointArg};

/// Where a map lies in the world: between cells, counted from the top left, and metres. As in ROS, the origin ``(x, y,
/// angle)`` is the lower left corner of the map, turned counterclockwise by the angle.
///
/// >>> place = octile.Georeference(width=4, height=3, resolution=0.5, origin=(-1.0, 2.0, 0.0))
/// >>> place.cell_to_world((0, 2))          # the middle of the lower left cell
/// (-0.75, 2.25)
/// >>> place.world_to_cell(0.9, 3.4)
/// (3, 0)
/// >>> place.world_to_cell(9.0, 9.0) is None  # off the map
/// True
#[pyclass(frozen, eq, name = "Georeference", module = "octile")]
#[derive(Clone, PartialEq)]
pub(crate) struct PyGeoreference(pub(crate) Georeference);

#[pymethods]
impl PyGeoreference {
    #[new]
    #[pyo3(signature = (*, width, height, resolution, origin=None))]
    fn new(width: u32, height: u32, resolution: f64, origin: Option<(f64, f64, f64)>) -> PyResult<Self> {
        let origin = origin.unwrap_or_default();
        if !(resolution > 0.0 && resolution.is_finite()) {
            return Err(crate::errors::value(format!(
                "resolution: a cell is more than 0 metres wide, not {resolution}"
            )));
        }
        let grid = octile::Grid::open(1, 1).expect("one cell is a map");
        let mut place = Georeference::new(&grid, resolution, [origin.0, origin.1, origin.2]);
        (place.width, place.height) = (width, height);
        Ok(Self(place))
    }

    /// The side of a cell in metres.
    #[getter]
    fn resolution(&self) -> f64 {
        self.0.resolution
    }

    /// The lower left corner of the map: x, y and the angle.
    #[getter]
    fn origin(&self) -> (f64, f64, f64) {
        let [x, y, angle] = self.0.origin;
        (x, y, angle)
    }

    /// The middle of a cell in metres.
    fn cell_to_world(&self, cell: PointArg) -> PyResult<(f64, f64)> {
        let cell = cell.near_cell().ok_or_else(|| crate::errors::value("a cell has no negative coordinates"))?;
        Ok(self.0.cell_to_world(cell))
    }

    /// The cell at a place in metres, or ``None`` off the map.
    fn world_to_cell(&self, x: f64, y: f64) -> Option<(u32, u32)> {
        self.0.world_to_cell(x, y).map(|cell| (cell.x, cell.y))
    }

    /// A number of metres in cells.
    fn metres_to_cells(&self, metres: f64) -> f64 {
        self.0.metres_to_cells(metres)
    }

    /// A number of cells in metres.
    fn cells_to_metres(&self, cells: f64) -> f64 {
        self.0.cells_to_metres(cells)
    }

    /// Points of an array of shape ``(n, 2)`` in metres: of cells their middles if the array is of whole numbers, else
    /// places counted in cells from the upper left corner of the map, as :attr:`Path.spots` has them.
    fn to_world<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = cells::as_array(points)?;
        let is_whole =
            matches!(numpy::PyArrayDescrMethods::kind(&numpy::PyUntypedArrayMethods::dtype(&points)), b'i' | b'u');
        let shape = || crate::errors::value("expected an array of shape (n, 2) with a point (x, y) in each row");
        let rows = cells::plain::<f64>(points.as_any(), "float64").map_err(|_| shape())?;
        let middle = if is_whole { 0.5 } else { 0.0 };
        if rows.as_array().ncols() != 2 {
            return Err(shape());
        }
        let place =
            |row: numpy::ndarray::ArrayView1<'_, f64>| <[f64; 2]>::from(self.place(row[0] + middle, row[1] + middle));
        Ok(cells::two_columns(py, rows.as_array().outer_iter().map(place).collect()))
    }

    fn __repr__(&self) -> String {
        let Georeference { resolution, origin: [x, y, angle], width, height, .. } = self.0;
        format!("Georeference(width={width}, height={height}, resolution={resolution}, origin=({x}, {y}, {angle}))")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, place) = (slf.py(), &slf.get().0);
        let state = (place.width, place.height, place.resolution, slf.get().origin()).into_pyobject(py)?.into_any();
        Ok((slf.get_type().getattr("_restore")?, state))
    }

    #[staticmethod]
    fn _restore(width: u32, height: u32, resolution: f64, origin: (f64, f64, f64)) -> PyResult<Self> {
        Self::new(width, height, resolution, Some(origin))
    }
}

impl PyGeoreference {
    /// A place in cells from the upper left corner, in metres: by two corners of the map and what lies between.
    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let corner = |x: u32, y: u32| self.0.point_to_world(Point::corner((x, y).into()));
        let (origin, right, down) = (corner(0, 0), corner(1, 0), corner(0, 1));
        let along = |origin: f64, right: f64, down: f64| origin + x * (right - origin) + y * (down - origin);
        (along(origin.0, right.0, down.0), along(origin.1, right.1, down.1))
    }
}
