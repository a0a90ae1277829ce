//! Maps and scenarios like the benchmark's, from a seed.
//!
//! | Generator | What it makes | The benchmark's own |
//! |---|---|---|
//! | [`open`] | no obstacles | - |
//! | [`rooms`] | square rooms with one-cell doors | `8room_000` to `64room_009` |
//! | [`maze`] | a perfect maze of wide corridors | `maze512-1-0` to `maze512-32-9` |
//! | [`random`] | scattered blocked cells | `random512-10-0` to `random512-40-9` |
//! | [`caves`] | halls and passages between smooth walls | like those of games: `dao`, `bg512` |
//!
//! Each of these maps is connected: a path exists between any two free cells. Other generators set the prices of the
//! free cells of any map:
//!
//! | Generator | Areas of equal price |
//! |---|---|
//! | [`regions`] | large patches, such as woods and swamps |
//! | [`noise`] | single cells |
//! | [`roads`] | winding roads, and the land around them |
//!
//! [`scenario`] makes problems on a map, and [`changes`] makes a map that changes between problems.
//!
//! The same arguments give the same map on every machine and in every later version.
//!
//! # Example
//! ```
//! use octile::formats::generate;
//! let maze = generate::maze(65, 65, 3, 7)?;
//! assert_eq!(maze.components(), 1);
//! assert_eq!(maze, generate::maze(65, 65, 3, 7)?);
//! assert_ne!(maze, generate::maze(65, 65, 3, 8)?);
//! # Ok::<(), generate::GenerateError>(())
//! ```

mod caves;
mod changes;
mod ground;
mod lattice;
mod scenario;

use self::caves::Rock;
pub use self::changes::{ChangesConfig, changes};
use self::ground::{Hills, Roads};
use self::lattice::{Lattice, Wall};
pub use self::scenario::{ScenarioConfig, scenario};
use crate::geometry::{Cell, Dice};
use crate::grid::{Convention, Grid, GridBuilder, GridError};

/// The map cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The map is empty or too large.
    #[error(transparent)]
    Size(#[from] GridError),
    /// A room has no inside, or does not fit on the map.
    #[error(
        "rooms of side {room} do not fit on a map of {width} x {height} cells: the side counts one wall, so it must be \
         at least 2, and at most the shorter side of the map"
    )]
    Room {
        /// The side requested.
        room: u32,
        /// The number of cells in a row of the map.
        width: u32,
        /// The number of rows of the map.
        height: u32,
    },
    /// A corridor has no inside, or does not fit on the map.
    #[error(
        "corridors of width {corridor} do not fit on a map of {width} x {height} cells: the width must be at least 1, \
         and less than the shorter side of the map"
    )]
    Corridor {
        /// The width requested.
        corridor: u32,
        /// The number of cells in a row of the map.
        width: u32,
        /// The number of rows of the map.
        height: u32,
    },
    /// The percentage of blocked cells is above 100.
    #[error("cannot block {percent} percent of the cells: use a number from 0 to 100")]
    Percent {
        /// The percentage requested.
        percent: u32,
    },
    /// The share of cells to change is out of range.
    #[error("cannot change {} % of the cells before each batch: use a share from 0.01 % to 10 %", f64::from(*.per_million) / 10_000.0)]
    Changes {
        /// The number of cells per million.
        per_million: u32,
    },
    /// The list of prices is empty, or has a price of 0.
    #[error("prices {prices:?}: expected at least one, each a whole number from 1 to 255")]
    Prices {
        /// The prices requested.
        prices: Vec<u8>,
    },
    /// The size of patches is 0.
    #[error("patches cannot be 0 cells wide: use a size from 1")]
    Patch,
    /// The width of roads is 0, or larger than the map.
    #[error(
        "roads of width {road} do not fit on a map of {width} x {height} cells: the width must be at least 1, and at most the longer side of the map"
    )]
    Road {
        /// The width requested.
        road: u32,
        /// The number of cells in a row of the map.
        width: u32,
        /// The number of rows of the map.
        height: u32,
    },
}

/// A map without obstacles.
///
/// # Errors
/// If the map is empty or too large.
pub fn open(width: u32, height: u32) -> Result<Grid, GenerateError> {
    Ok(Grid::open(width, height)?)
}

/// Square rooms of side `room`, walls one cell thick between them, and doors one cell wide.
///
/// As in the benchmark, `room` counts one wall: walls are on every row and column whose number is a multiple of `room`,
/// so that rooms are `room - 1` cells wide inside, and those at the right and lower edge end where the map does. Four
/// in five walls between neighbouring rooms have a door, at a random position.
///
/// These maps differ from the benchmark's in two ways. The benchmark fills rooms without a door; this generator adds a
/// door, so all rooms are used. And its outer walls have no doors, which lead nowhere in the benchmark.
///
/// ```
/// use octile::formats::generate;
/// let grid = generate::rooms(512, 512, 16, 1)?;
/// assert_eq!(grid.components(), 1);
/// # Ok::<(), generate::GenerateError>(())
/// ```
///
/// # Errors
/// If the map is empty or too large, or `room` is less than 2 or more than the map's shorter side.
pub fn rooms(width: u32, height: u32, room: u32, seed: u64) -> Result<Grid, GenerateError> {
    let mut builder = GridBuilder::new(width, height)?;
    if room < 2 || room > width.min(height) {
        return Err(GenerateError::Room { room, width, height });
    }
    let lattice = Lattice::new(width, height, room);
    lattice.clear_insides(&mut builder);
    let mut dice = Dice::new(seed);
    for wall in doors(&lattice, &mut dice) {
        let cells = lattice.wall_cells(wall);
        let door = dice.below(cells.len() as u64) as usize;
        builder.set(cells.get(door), true);
    }
    Ok(builder.build())
}

/// The walls that get a door: four in five at random, then those needed to connect all rooms.
fn doors(lattice: &Lattice, dice: &mut Dice) -> Vec<Wall> {
    let (mut open, mut closed): (Vec<Wall>, Vec<Wall>) = lattice.walls().partition(|_| dice.hits(4, 5));
    let mut joined = lattice::Union::new(lattice.len());
    for &wall in &open {
        joined.join(lattice.sides(wall));
    }
    dice.shuffle(&mut closed);
    open.extend(closed.into_iter().filter(|&wall| joined.join(lattice.sides(wall))));
    open
}

/// A maze without loops. Its corridors are `corridor` cells wide, and its walls one cell thick.
///
/// As in the benchmark, walls are on the first row and column and on every `corridor + 1`th after those. The corridors
/// at the right and lower edge end where the map does, and may be narrower. Any two cells of the maze are joined by
/// exactly one route. About one in five corridor squares is a dead end, and the longest route is about as long as in
/// the benchmark.
///
/// ```
/// use octile::formats::generate;
/// let grid = generate::maze(512, 512, 1, 0)?;
/// assert_eq!(grid.free_cells(), 256 * 256 + (256 * 256 - 1)); // squares, and the gaps that join them to a tree
/// # Ok::<(), generate::GenerateError>(())
/// ```
///
/// # Errors
/// If the map is empty or too large, or `corridor` is 0 or not less than the map's shorter side.
pub fn maze(width: u32, height: u32, corridor: u32, seed: u64) -> Result<Grid, GenerateError> {
    let mut builder = GridBuilder::new(width, height)?;
    if corridor == 0 || corridor >= width.min(height) {
        return Err(GenerateError::Corridor { corridor, width, height });
    }
    let lattice = Lattice::new(width, height, corridor + 1);
    lattice.clear_insides(&mut builder);
    carve(&lattice, &mut Dice::new(seed), |wall| {
        for cell in lattice.wall_cells(wall).iter() {
            builder.set(cell, true);
        }
    });
    Ok(builder.build())
}

/// Grows a tree over the squares and calls `open` for each wall that it breaks through.
///
/// It mostly continues from the newest square, which makes long winding corridors, and one time in ten from a random
/// earlier one, which makes branches. A tenth gives as many dead ends as in the benchmark's mazes (19 in 100).
fn carve(lattice: &Lattice, dice: &mut Dice, mut open: impl FnMut(Wall)) {
    let mut visited = vec![false; lattice.len()];
    let mut active = vec![0];
    visited[0] = true;
    while let Some(newest) = active.len().checked_sub(1) {
        if dice.hits(1, 10) {
            let earlier = dice.below(active.len() as u64) as usize;
            active.swap(newest, earlier);
        }
        let unvisited = lattice.neighbours(active[newest]).filter(|&(next, _)| !visited[next as usize]);
        match dice.choose(unvisited) {
            None => drop(active.pop()),
            Some((next, wall)) => {
                visited[next as usize] = true;
                active.push(next);
                open(wall);
            }
        }
    }
}

/// Blocks `percent` of the cells at random.
///
/// As in the benchmark, exactly that part of the cells (rounded down) is blocked at first. Then the free cells that are
/// not connected with the largest free area are blocked too. That is almost none up to 30 percent, but on a map of 512
/// x 512 at 40 percent it is another 20 percent, and beyond that hardly any cell stays free.
///
/// ```
/// use octile::formats::generate;
/// let grid = generate::random(512, 512, 10, 0)?;
/// let blocked = 512 * 512 - grid.free_cells();
/// assert!((26_214..26_314).contains(&blocked));
/// # Ok::<(), generate::GenerateError>(())
/// ```
///
/// # Errors
/// If the map is empty or too large, or `percent` is over 100.
pub fn random(width: u32, height: u32, percent: u32, seed: u64) -> Result<Grid, GenerateError> {
    let mut builder = GridBuilder::new(width, height)?;
    let mut is_blocked = scattered(width, height, percent, seed)?;
    for y in 0..height {
        builder.set_row(y, (0..width).map(|_| !is_blocked()));
    }
    builder.keep_largest_area();
    Ok(builder.build())
}

/// Returns a function that tells cell by cell, row by row, whether it is one of the `percent` of all cells to block.
fn scattered(width: u32, height: u32, percent: u32, seed: u64) -> Result<impl FnMut() -> bool, GenerateError> {
    if percent > 100 {
        return Err(GenerateError::Percent { percent });
    }
    let mut dice = Dice::new(seed);
    let mut cells_left = u64::from(width) * u64::from(height);
    let mut to_block = cells_left * u64::from(percent) / 100;
    Ok(move || {
        // With this probability every choice of cells is equally likely.
        let blocked = dice.hits(to_block, cells_left);
        cells_left -= 1;
        to_block -= u64::from(blocked);
        blocked
    })
}

/// Caverns with passages between them, `percent` of the cells blocked: similar to maps of games.
///
/// Cells scattered as in [`random`] are smoothed by five rounds of a cellular automaton that keeps their number, to
/// about one in a hundred cells. Then the free cells that are not connected with the largest free area are blocked too.
/// At 40 percent those are mostly one or two in a hundred cells; at 45 percent on maps below 512 x 512 occasionally
/// twenty. Beyond that, the caverns fall apart.
///
/// ```
/// use octile::formats::generate;
/// let grid = generate::caves(256, 256, 40, 0)?;
/// assert_eq!(grid.components(), 1);
/// assert!((0.5..0.61).contains(&(f64::from(grid.free_cells()) / (256.0 * 256.0))));
/// # Ok::<(), generate::GenerateError>(())
/// ```
///
/// # Errors
/// If the map is empty or too large, or `percent` is over 100.
pub fn caves(width: u32, height: u32, percent: u32, seed: u64) -> Result<Grid, GenerateError> {
    let mut builder = GridBuilder::new(width, height)?;
    let mut rock = Rock::new(width, height, scattered(width, height, percent, seed)?);
    rock.smooth();
    for (y, row) in (0..height).zip(rock.rows()) {
        builder.set_row(y, row);
    }
    builder.keep_largest_area();
    Ok(builder.build())
}

/// Sets the prices of the free cells of a map in patches about `size` cells wide. Neighbours mostly have the same price
/// or the next one of the list, as from a shore to a mountain. The numbers of cells of any two prices differ by at most
/// one.
///
/// ```
/// use octile::Grid;
/// use octile::formats::generate;
/// use octile::grid::Convention;
/// let grid = generate::regions(&Grid::open(64, 64)?, &[1, 2, 5], 16, Convention::Average, 1)?;
/// let cells_of = |price| grid.cells().filter(|&cell| grid.price(cell) == price).count();
/// assert_eq!([1, 2, 5].map(cells_of), [1366, 1365, 1365]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `size` is 0, or `prices` is empty or has a 0.
pub fn regions(
    base: &Grid,
    prices: &[u8],
    size: u32,
    convention: Convention,
    seed: u64,
) -> Result<Grid, GenerateError> {
    check_prices(prices)?;
    if size == 0 {
        return Err(GenerateError::Patch);
    }
    let hills = Hills::new(base, size, &mut Dice::new(seed));
    Ok(with_prices(base, &ground::share(base, prices, &hills), convention))
}

/// Sets the price of each free cell of a map at random, independently of all others: the hardest terrain for planners
/// that look for areas of equal price.
///
/// ```
/// use octile::Grid;
/// use octile::formats::generate;
/// use octile::grid::Convention;
/// let grid = generate::noise(&Grid::open(64, 64)?, &[1, 9], Convention::Enter, 1)?;
/// let expensive = grid.cells().filter(|&cell| grid.price(cell) == 9).count();
/// assert!((1950..2150).contains(&expensive));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `prices` is empty or has a 0.
pub fn noise(base: &Grid, prices: &[u8], convention: Convention, seed: u64) -> Result<Grid, GenerateError> {
    check_prices(prices)?;
    let mut dice = Dice::new(seed);
    Ok(base.with_prices(convention, |_| prices[dice.below(prices.len() as u64) as usize]))
}

/// Sets the prices of the free cells of a map: `road` on `count` winding roads of some `width`, and `land` elsewhere.
/// The roads are connected with each other. Blocked cells stay blocked, even on roads.
///
/// ```
/// use octile::Grid;
/// use octile::formats::generate;
/// use octile::grid::Convention;
/// let grid = generate::roads(&Grid::open(64, 64)?, (1, 5), 2, 6, Convention::Average, 1)?;
/// let road = grid.cells().filter(|&cell| grid.price(cell) == 1).count();
/// assert!((300..900).contains(&road));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a price is 0, or `width` is 0 or more than the map's longer side.
pub fn roads(
    base: &Grid,
    (road, land): (u8, u8),
    width: u32,
    count: u32,
    convention: Convention,
    seed: u64,
) -> Result<Grid, GenerateError> {
    check_prices(&[road, land])?;
    if width == 0 || width > base.width().max(base.height()) {
        return Err(GenerateError::Road { road: width, width: base.width(), height: base.height() });
    }
    let across = base.width() as usize;
    let mut prices = vec![land; across * base.height() as usize];
    let mut dice = Dice::new(seed);
    Roads { grid: base, width, dice: &mut dice }
        .pave(count, |cell| prices[cell.y as usize * across + cell.x as usize] = road);
    Ok(with_prices(base, &prices, convention))
}

/// A random free cell, all equally likely.
fn random_free_cell(grid: &Grid, dice: &mut Dice) -> Option<Cell> {
    let nth = dice.below(u64::from(grid.free_cells())) as usize;
    grid.cells().filter(|&cell| grid.is_free(cell)).nth(nth)
}

fn check_prices(prices: &[u8]) -> Result<(), GenerateError> {
    if prices.is_empty() || prices.contains(&0) {
        return Err(GenerateError::Prices { prices: prices.to_vec() });
    }
    Ok(())
}

/// The map with these prices, row by row.
fn with_prices(base: &Grid, prices: &[u8], convention: Convention) -> Grid {
    let across = base.width() as usize;
    base.with_prices(convention, |cell| prices[cell.y as usize * across + cell.x as usize])
}

#[cfg(test)]
#[path = "generate_tests.rs"]
mod tests;
