//! `octile_path`: a path to keep; what paths cost.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use octile::{GridCost, Path, PathCost, Point};

use crate::border::{Outcome, call, free, octile_status, value};
use crate::grid::octile_cell;
use crate::pointers::{fill, fill_text, given, handle};

/// A place on the map, in cells: the cell x, y reaches from x, y at its upper left corner to x + 1, y + 1, and its
/// centre is at x + 0.5, y + 0.5.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct octile_point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl From<Point> for octile_point {
    fn from(spot: Point) -> Self {
        Self { x: spot.x(), y: spot.y() }
    }
}

/// What a path costs. Paths from cell to cell have exact costs: (straight + diagonal * sqrt(2)) / parts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct octile_cost {
    /// Moves along rows and columns; on a map with prices the sum of what they cost, in parts. 0 of an any-angle path.
    pub straight: u32,
    /// Moves along diagonals, in the same way.
    pub diagonal: u32,
    /// What the two are counted in: 1, or 4 for quarters on a map with prices by "average". 0 of an any-angle path,
    /// which has a length alone.
    pub parts: u32,
    /// The length, rounded; on a map with prices the cost.
    pub length: f64,
}

impl From<PathCost> for octile_cost {
    #[inline]
    fn from(cost: PathCost) -> Self {
        let (GridCost { straight, diagonal }, parts) = match cost {
            PathCost::Grid(counts) => (counts, 1),
            PathCost::Priced { counts, parts } => (counts, parts),
            PathCost::AnyAngle(_) => (GridCost::ZERO, 0),
        };
        Self { straight, diagonal, parts, length: cost.length() }
    }
}

impl From<octile_cost> for PathCost {
    fn from(cost: octile_cost) -> Self {
        let counts = GridCost::new(cost.straight, cost.diagonal);
        match cost.parts {
            0 => Self::AnyAngle(cost.length),
            1 => Self::Grid(counts),
            parts => Self::Priced { counts, parts },
        }
    }
}

/// Writes a cost as a text such as "2+2√2", or "4.2426" of an any-angle path, with the NUL that ends it. length becomes
/// that of the text without NUL, as strlen counts it: capacity must be greater. 64 bytes are enough for every cost.
/// With capacity 0 only the length is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_cost_text(
    cost: Option<&octile_cost>,
    text: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let (cost, length) = (PathCost::from(*given(cost, "cost")?), given(length, "length")?);
        // SAFETY: the header asks for room for so many bytes.
        unsafe { fill_text(&cost.to_string(), text, capacity, length) }
    })
}

/// A path that is kept. Use one again and again: its memory is kept as well.
pub struct octile_path {
    pub(crate) path: Path,
}

/// Makes an empty path, for octile_find_path. Free it with octile_path_free.
#[unsafe(no_mangle)]
pub extern "C" fn octile_path_new(path: Option<&mut MaybeUninit<*mut octile_path>>) -> octile_status {
    call(|| {
        given(path, "path")?.write(handle(octile_path { path: Path::new() }));
        Ok(())
    })
}

/// Makes a second path that is like this one. Free it with octile_path_free.
#[unsafe(no_mangle)]
pub extern "C" fn octile_path_clone(
    path: Option<&octile_path>,
    copy: Option<&mut MaybeUninit<*mut octile_path>>,
) -> octile_status {
    call(|| {
        let (path, out) = (given(path, "path")?, given(copy, "copy")?);
        out.write(handle(octile_path { path: path.path.clone() }));
        Ok(())
    })
}

/// Frees a path. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_path_free(path: Option<Box<octile_path>>) {
    free(path);
}

/// Whether a path goes in any direction, and so has points rather than waypoints and cells; false if path is NULL or
/// empty.
#[unsafe(no_mangle)]
pub extern "C" fn octile_path_is_any_angle(path: Option<&octile_path>) -> bool {
    value(|| Some(path?.path.is_any_angle()))
}

/// What a path costs; nothing if it is empty.
#[unsafe(no_mangle)]
pub extern "C" fn octile_path_cost(
    path: Option<&octile_path>,
    cost: Option<&mut MaybeUninit<octile_cost>>,
) -> octile_status {
    call(|| {
        let (path, cost) = (given(path, "path")?, given(cost, "cost")?);
        cost.write(path.path.cost().into());
        Ok(())
    })
}

/// Copies start, turning points and goal of a path from cell to cell into a buffer. capacity is how many cells have
/// room there, and count becomes how many there are. With capacity 0 only the count is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_path_waypoints(
    path: Option<&octile_path>,
    cells: *mut octile_cell,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let (path, count) = (given(path, "path")?, given(count, "count")?);
        // SAFETY: the header asks for room for so many cells.
        unsafe { waypoints(&path.path, cells, capacity, count) }
    })
}

/// Copies every cell of a path from cell to cell into a buffer, from start to goal, as octile_path_waypoints does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_path_cells(
    path: Option<&octile_path>,
    cells: *mut octile_cell,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let (path, count) = (given(path, "path")?, given(count, "count")?);
        // SAFETY: the header asks for room for so many cells.
        unsafe { every_cell(&path.path, cells, capacity, count) }
    })
}

/// Copies the points of an any-angle path into a buffer: its start, the corners of cells where it turns, and its goal,
/// as octile_path_waypoints does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_path_points(
    path: Option<&octile_path>,
    points: *mut octile_point,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> octile_status {
    call(|| {
        let (path, count) = (given(path, "path")?, given(count, "count")?);
        // SAFETY: the header asks for room for so many points.
        unsafe { spots(&path.path, points, capacity, count) }
    })
}

/// The turning points of a grid path, which was asked for those.
///
/// # Safety
/// As of [`fill`].
#[inline]
pub(crate) unsafe fn waypoints(
    path: &Path,
    cells: *mut octile_cell,
    capacity: usize,
    count: &mut MaybeUninit<usize>,
) -> Outcome {
    let points = path.points()?.iter().map(|&cell| cell.into());
    // SAFETY: the same is asked of the caller.
    unsafe { fill(points, cells, capacity, count) }
}

/// Every cell of a grid path.
///
/// # Safety
/// As of [`fill`].
#[inline]
pub(crate) unsafe fn every_cell(
    path: &Path,
    cells: *mut octile_cell,
    capacity: usize,
    count: &mut MaybeUninit<usize>,
) -> Outcome {
    // SAFETY: the same is asked of the caller.
    unsafe { fill(path.cells()?.map(Into::into), cells, capacity, count) }
}

/// The points of an any-angle path.
///
/// # Safety
/// As of [`fill`].
#[inline]
pub(crate) unsafe fn spots(
    path: &Path,
    points: *mut octile_point,
    capacity: usize,
    count: &mut MaybeUninit<usize>,
) -> Outcome {
    // SAFETY: the same is asked of the caller.
    unsafe { fill(path.vertices()?.map(Into::into), points, capacity, count) }
}
