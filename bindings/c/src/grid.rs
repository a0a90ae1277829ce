//! `octile_grid`: a map.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::Path;

use octile::formats::{LoadOptions, Pricing, Unknown, load_bytes_with, load_prices, load_with};
use octile::grid::Convention;
use octile::{Cell, Grid, GridBuilder, Movement};

use crate::border::{Fault, Outcome, call, free, octile_status, value};
use crate::edits::octile_edits;
use crate::pointers::{array, bytes, given, handle, named, sized, text};

/// A cell of a map: x is its column, counted from the left, and y its row, counted from the top, both from 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct octile_cell {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

impl From<octile_cell> for Cell {
    #[inline]
    fn from(cell: octile_cell) -> Self {
        Self::new(cell.x, cell.y)
    }
}

/// The cells of an array.
///
/// # Safety
/// As of [`array`].
pub(crate) unsafe fn cells_of(cells: *const octile_cell, count: usize, what: &str) -> Outcome<Vec<Cell>> {
    // SAFETY: the same is asked of the caller.
    Ok(unsafe { array(cells, count, what) }?.iter().map(|&cell| cell.into()).collect())
}

impl From<Cell> for octile_cell {
    #[inline]
    fn from(cell: Cell) -> Self {
        Self { x: cell.x, y: cell.y }
    }
}

/// A map: which cells are free, how one may move, and what cells cost.
pub struct octile_grid {
    pub(crate) grid: Grid,
}

/// How a map is loaded. Begin with OCTILE_LOAD_OPTIONS, which sets the size and leaves all else out, and change what
/// you want; what is NULL is left out.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct octile_load_options {
    /// The size of this struct: programs with an older header, which know less of it, go on working.
    pub size: usize,
    /// How one may move: "octile" (eight neighbours, a diagonal needs both cells beside it free), "tile" (four
    /// neighbours) or "octile-cutting" (eight neighbours, corners may be cut). The default is "octile".
    pub movement: *const c_char,
    /// What cells cost: the name of a price file, "costmap" for the costs of a Nav2 costmap, or "occupancy" for a ROS
    /// map. By default all cells cost the same, but for drawings with digits.
    pub prices: *const c_char,
    /// How prices make the cost of a move: "average", the mean of the cells that it touches, or "enter", the price of
    /// the cell that it enters. The default is "average".
    pub convention: *const c_char,
    /// What cells of a ROS map or costmap are that nobody knows: "blocked" or "free". The default is "blocked".
    pub unknown: *const c_char,
}

/// The options that a program gave.
///
/// # Safety
/// `options` is NULL or points to as many bytes as its size says, and its texts end with NUL.
unsafe fn read_options(options: *const octile_load_options) -> Outcome<(LoadOptions, Option<Movement>)> {
    // SAFETY: the same is asked of the caller.
    let Some(options) = (unsafe { sized(options, "OCTILE_LOAD_OPTIONS") })? else {
        return Ok((LoadOptions::default(), None));
    };
    // SAFETY: the texts end with NUL, as the caller promises.
    let (movement, convention, unknown, prices) = unsafe {
        (
            named::<Movement>(options.movement, "movement")?,
            named::<Convention>(options.convention, "convention")?,
            named::<Unknown>(options.unknown, "unknown")?,
            text(options.prices, "prices")?,
        )
    };
    let loading =
        LoadOptions::default().unknown(unknown.unwrap_or_default()).convention(convention.unwrap_or_default());
    let loading = match prices {
        None => loading,
        Some(prices) => loading.prices(match Pricing::named(prices) {
            Some(pricing) => pricing,
            None => load_prices(prices)?.into(),
        }),
    };
    Ok((loading, movement))
}

/// A map for C.
fn give(grid: Grid, out: &mut MaybeUninit<*mut octile_grid>) {
    out.write(handle(octile_grid { grid }));
}

fn moving(grid: Grid, movement: Option<Movement>) -> Grid {
    match movement {
        Some(movement) if movement != grid.movement() => grid.with_movement(movement),
        _ => grid,
    }
}

/// Loads a map from a file: a MovingAI .map, a drawing .txt, a .png or .pgm image, or a ROS .yaml with its image. The
/// format is told by what is in the file, else by its name. options may be NULL. The map is to be freed with
/// octile_grid_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_grid_load(
    file: *const c_char,
    options: *const octile_load_options,
    grid: Option<&mut MaybeUninit<*mut octile_grid>>,
) -> octile_status {
    call(|| {
        // SAFETY: the header asks for a text, and for options as `read_options` needs them.
        let (file, (loading, movement)) = unsafe { (text(file, "file")?, read_options(options)?) };
        let (file, out) = (given(file, "file")?, given(grid, "grid")?);
        give(moving(load_with(Path::new(file), &loading)?.grid, movement), out);
        Ok(())
    })
}

/// Reads a map from the bytes of a file that you have in memory, in any format of octile_grid_load but ROS, which is
/// two files. options may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_grid_from_memory(
    file: *const u8,
    length: usize,
    options: *const octile_load_options,
    grid: Option<&mut MaybeUninit<*mut octile_grid>>,
) -> octile_status {
    call(|| {
        // SAFETY: the header asks for so many bytes, and for options as `read_options` needs them.
        let (file, (loading, movement)) = unsafe { (bytes(file, length, "file")?, read_options(options)?) };
        let out = given(grid, "grid")?;
        give(moving(load_bytes_with(file, &loading)?.grid, movement), out);
        Ok(())
    })
}

/// Makes a map from a drawing, a line for each row: "." is free, "@" blocked, a digit from 1 to 9 free at that price.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_grid_parse(
    drawing: *const c_char,
    grid: Option<&mut MaybeUninit<*mut octile_grid>>,
) -> octile_status {
    call(|| {
        // SAFETY: the header asks for a text.
        let drawing = given(unsafe { text(drawing, "drawing") }?, "drawing")?;
        let out = given(grid, "grid")?;
        give(drawing.parse::<Grid>()?, out);
        Ok(())
    })
}

/// Makes a map of free cells.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_open(
    width: u32,
    height: u32,
    grid: Option<&mut MaybeUninit<*mut octile_grid>>,
) -> octile_status {
    call(|| {
        let out = given(grid, "grid")?;
        give(Grid::open(width, height)?, out);
        Ok(())
    })
}

/// Makes a map from an array with a byte for each cell, row by row, so that the cell x, y is blocked[y * width + x]:
/// everything but 0 is blocked. length is that of the array, and must be width * height. An array of bool is such an
/// array: cast it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_grid_from_blocked(
    width: u32,
    height: u32,
    blocked: *const u8,
    length: usize,
    grid: Option<&mut MaybeUninit<*mut octile_grid>>,
) -> octile_status {
    call(|| {
        // SAFETY: the header asks for so many bytes.
        let blocked = unsafe { bytes(blocked, length, "blocked") }?;
        let out = given(grid, "grid")?;
        let mut builder = GridBuilder::new(width, height)?;
        check_length(length, u64::from(width) * u64::from(height), "blocked", (width, height))?;
        for (y, row) in (0..height).zip(blocked.chunks_exact(width as usize)) {
            builder.set_row(y, row.iter().map(|&cell| cell == 0));
        }
        give(builder.build(), out);
        Ok(())
    })
}

/// Makes a map from an array with a bit for each cell, as the grid path planning competition has them: with i = y *
/// width + x, the cell x, y is free if free_bits[i / 8] >> (i % 8) & 1 is
/// 1. Rows follow each other without a gap. length is that of the array in bytes, and must be (width * height + 7) / 8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_grid_from_free_bits(
    width: u32,
    height: u32,
    free_bits: *const u8,
    length: usize,
    grid: Option<&mut MaybeUninit<*mut octile_grid>>,
) -> octile_status {
    call(|| {
        let (out, mut builder) = (given(grid, "grid")?, GridBuilder::new(width, height)?);
        // SAFETY: the header asks for so many bytes.
        let bits = unsafe { free_bits_of(free_bits, length, (width, height)) }?;
        for y in 0..height {
            builder.set_row(y, (0..width).map(|x| bits.at(x, y)));
        }
        give(builder.build(), out);
        Ok(())
    })
}

/// A bit for each cell of a map or a patch.
pub(crate) struct FreeBits<'a> {
    bits: &'a [u8],
    width: usize,
}

impl FreeBits<'_> {
    /// Whether a cell is free.
    pub(crate) fn at(&self, x: u32, y: u32) -> bool {
        let place = y as usize * self.width + x as usize;
        self.bits[place / 8] >> (place % 8) & 1 == 1
    }
}

/// The bits of a rectangle, as many as there must be.
///
/// # Safety
/// As of [`bytes`].
pub(crate) unsafe fn free_bits_of<'a>(
    free_bits: *const u8,
    length: usize,
    sides @ (width, height): (u32, u32),
) -> Outcome<FreeBits<'a>> {
    // SAFETY: the same is asked of the caller.
    let bits = unsafe { bytes(free_bits, length, "free_bits") }?;
    check_length(length, (u64::from(width) * u64::from(height)).div_ceil(8), "free_bits", sides)?;
    Ok(FreeBits { bits, width: width as usize })
}

fn check_length(length: usize, needed: u64, what: &str, (width, height): (u32, u32)) -> Outcome {
    if length as u64 == needed {
        return Ok(());
    }
    Err(Fault::argument(&format_args!("{what}: {width} x {height} cells need {needed} bytes, and there are {length}")))
}

/// Makes a second map that is like this one and changes apart from it. It costs next to nothing before one of them
/// changes.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_clone(
    grid: Option<&octile_grid>,
    copy: Option<&mut MaybeUninit<*mut octile_grid>>,
) -> octile_status {
    call(|| {
        let (grid, out) = (given(grid, "grid")?, given(copy, "copy")?);
        give(grid.grid.clone(), out);
        Ok(())
    })
}

/// Frees a map. Engines that were made for it do not need it any more. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_free(grid: Option<Box<octile_grid>>) {
    free(grid);
}

/// Changes how one may move: "octile", "tile" or "octile-cutting", as in octile_load_options. Engines that were made
/// before keep their rule.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_grid_set_movement(
    grid: Option<&mut octile_grid>,
    movement: *const c_char,
) -> octile_status {
    call(|| {
        let grid = given(grid, "grid")?;
        // SAFETY: the header asks for a text.
        let movement = given(unsafe { named::<Movement>(movement, "movement") }?, "movement")?;
        grid.grid = grid.grid.with_movement(movement);
        Ok(())
    })
}

/// Gives all cells prices from 1 to 255, a byte for each, row by row; 0 blocks a cell, and what is blocked stays so.
/// length is that of the array, and must be width * height. convention is "average" or "enter", as in
/// octile_load_options; NULL is "average". Only some planners take maps with prices: "terrain-jump" is the one to use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn octile_grid_set_prices(
    grid: Option<&mut octile_grid>,
    prices: *const u8,
    length: usize,
    convention: *const c_char,
) -> octile_status {
    call(|| {
        let grid = &mut given(grid, "grid")?.grid;
        // SAFETY: the header asks for so many bytes, and for a text.
        let (prices, convention) =
            unsafe { (bytes(prices, length, "prices")?, named::<Convention>(convention, "convention")?) };
        let sides @ (width, height) = (grid.width(), grid.height());
        check_length(length, u64::from(width) * u64::from(height), "prices", sides)?;
        let price = |cell: Cell| prices[cell.y as usize * width as usize + cell.x as usize];
        *grid = grid.with_prices(convention.unwrap_or_default(), price);
        Ok(())
    })
}

/// Makes all changes, or none if one of them cannot be made. Engines that were made before are not changed: they have
/// octile_engine_apply.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_apply(grid: Option<&mut octile_grid>, edits: Option<&octile_edits>) -> octile_status {
    call(|| {
        let (grid, edits) = (given(grid, "grid")?, given(edits, "edits")?);
        grid.grid.apply(&edits.edits)?;
        Ok(())
    })
}

/// How many cells a row has; 0 if grid is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_width(grid: Option<&octile_grid>) -> u32 {
    value(|| Some(grid?.grid.width()))
}

/// How many rows there are; 0 if grid is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_height(grid: Option<&octile_grid>) -> u32 {
    value(|| Some(grid?.grid.height()))
}

/// How many cells are free; 0 if grid is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_free_cells(grid: Option<&octile_grid>) -> u32 {
    value(|| Some(grid?.grid.free_cells()))
}

/// Whether a cell is free. Those off the map are not, and none is if grid is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_is_free(grid: Option<&octile_grid>, cell: octile_cell) -> bool {
    value(|| Some(grid?.grid.is_free(cell)))
}

/// What a cell costs: 1 on a map without prices; 0 if it is blocked or off the map, or if grid is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_price(grid: Option<&octile_grid>, cell: octile_cell) -> u8 {
    value(|| Some(grid?.grid.price(cell)))
}

/// Whether a path leads from cell to cell between two cells: that is known without a search. It is false if one of them
/// is blocked or off the map, or if grid is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn octile_grid_connected(grid: Option<&octile_grid>, a: octile_cell, b: octile_cell) -> bool {
    value(|| Some(grid?.grid.may_connect(a, b)))
}
