//! Maps and scenarios like the benchmark's, from a seed.
//!
//! | Generator | What it makes | The benchmark's own |
//! |---|---|---|
//! | [`open`] | no obstacle at all | - |
//! | [`rooms`] | square rooms with one-cell doors | `8room_000` to `64room_009` |
//! | [`maze`] | a perfect maze of wide corridors | `maze512-1-0` to `maze512-32-9` |
//! | [`random`] | scattered blocked cells | `random512-10-0` to `random512-40-9` |
//! | [`caves`] | halls and passages between smooth walls | like those of games: `dao`, `bg512` |
//!
//! Every one of these maps is connected: between any two free cells there is a path. Others give the free cells of any
//! map prices:
//!
//! | Generator | What has the same price |
//! |---|---|
//! | [`regions`] | large patches, such as woods and swamps |
//! | [`noise`] | single cells |
//! | [`roads`] | winding roads, and the land around them |
//!
//! [`scenario`] poses problems on a map, and [`changes`] makes a map that changes between problems.
//!
//! The same arguments give the same map on every machine and in every later version.
//!
//! # Example
//! ```
//! use octile::generate;
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
use crate::geometry::Dice;
use crate::grid::{Convention, Grid, GridBuilder, GridError};

/// A map that cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The map is empty or too large.
    #[error(transparent)]
    Size(#[from] GridError),
    /// A room has no inside, or none fits on the map.
    #[error(
        "rooms of side {room} do not fit on a map of {width} x {height} cells: the side counts one wall, so it must be \
         at least 2, and at most the shorter side of the map"
    )]
    Room {
        /// The side asked for.
        room: u32,
        /// Cells in a row of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// A corridor has no inside, or none fits on the map.
    #[error(
        "corridors of width {corridor} do not fit on a map of {width} x {height} cells: the width must be at least 1, \
         and less than the shorter side of the map"
    )]
    Corridor {
        /// The width asked for.
        corridor: u32,
        /// Cells in a row of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// More cells blocked than there are.
    #[error("cannot block {percent} percent of the cells: use a number from 0 to 100")]
    Percent {
        /// The percentage asked for.
        percent: u32,
    },
    /// Fewer or more cells are to change than is of use.
    #[error("cannot change {} % of the cells before each batch: use a share from 0.01 % to 10 %", f64::from(*.per_million) / 10_000.0)]
    Changes {
        /// How many of a million cells.
        per_million: u32,
    },
    /// There is no price, or one of 0.
    #[error("prices {prices:?}: expected at least one, each a whole number from 1 to 255")]
    Prices {
        /// Those asked for.
        prices: Vec<u8>,
    },
    /// Patches without a cell.
    #[error("patches cannot be 0 cells wide: use a size from 1")]
    Patch,
    /// Roads without a cell, or wider than the map.
    #[error(
        "roads of width {road} do not fit on a map of {width} x {height} cells: the width must be at least 1, and at most the longer side of the map"
    )]
    Road {
        /// The width asked for.
        road: u32,
        /// Cells in a row of the map.
        width: u32,
        /// Rows of the map.
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
/// As in the benchmark, `room` counts one wall: walls stand on every row and column whose number is a multiple of
/// `room`, so that rooms are `room - 1` cells wide inside, and those at the right and lower edge end where the map
/// does. Four in five walls between neighbouring rooms have a door, at a random place.
///
/// In two things our maps differ. Where the benchmark fills a room that no door leads to, we add a door, so all rooms
/// are in use; and the outer wall has no doors, which there lead nowhere.
///
/// ```
/// use octile::generate;
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

/// The walls that get a door: four in five by chance, then those that are needed to join all rooms.
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

/// A maze without loops whose corridors are `corridor` cells wide, between walls one cell thick.
///
/// As in the benchmark, walls stand on the first row and column and on every `corridor + 1`th after those; the
/// corridors at the right and lower edge end where the map does, and may be narrower. Between any two cells of the maze
/// there is exactly one way. About one in five corridor squares is a dead end, and the longest way is about as long as
/// there.
///
/// ```
/// use octile::generate;
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

/// Grows a tree over the squares and tells which walls it breaks through.
///
/// It mostly goes on from the newest square, which makes long winding corridors, and one time in ten from a random
/// earlier one, which makes branches. A tenth gives as many dead ends as the benchmark's mazes have (19 in 100).
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

/// `percent` of the cells blocked, at random.
///
/// As in the benchmark, exactly that part of the cells (rounded down) is blocked at first; then the free cells that are
/// cut off from the largest free area are blocked too. That is next to nothing up to 30 percent, but on a map of 512 x
/// 512 at 40 percent it is another 20 percent, and beyond that hardly any cell stays free.
///
/// ```
/// use octile::generate;
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

/// Tells cell by cell, row by row, whether it is one of the `percent` of all cells that are blocked.
fn scattered(width: u32, height: u32, percent: u32, seed: u64) -> Result<impl FnMut() -> bool, GenerateError> {
    if percent > 100 {
        return Err(GenerateError::Percent { percent });
    }
    let mut dice = Dice::new(seed);
    let mut cells_left = u64::from(width) * u64::from(height);
    let mut to_block = cells_left * u64::from(percent) / 100;
    Ok(move || {
        // With this chance every choice of cells is equally likely.
        let blocked = dice.hits(to_block, cells_left);
        cells_left -= 1;
        to_block -= u64::from(blocked);
        blocked
    })
}

/// Caverns with passages between them, `percent` of the cells blocked: a stand-in for the maps of games.
///
/// Scattered cells, as of [`random`], are smoothed by five rounds of a cellular automaton that keeps their number, to
/// about one in a hundred cells. Then the free cells that are cut off from the largest free area are blocked too. At 40
/// percent those are mostly one or two in a hundred cells, at 45 on maps below 512 x 512 now and then twenty; beyond,
/// the caverns fall apart.
///
/// ```
/// use octile::generate;
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

/// Gives the free cells of a map prices in patches about `size` cells wide: neighbours mostly have the same price or
/// the next one of the list, as from a shore to a mountain. Each price has as many cells as every other, or one more.
///
/// ```
/// use octile::{Convention, Grid, generate};
/// let grid = generate::regions(&Grid::open(64, 64)?, &[1, 2, 5], 16, Convention::Average, 1)?;
/// let cells_of = |price| grid.cells().filter(|&cell| grid.price(cell) == price).count();
/// assert_eq!([1, 2, 5].map(cells_of), [1366, 1365, 1365]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `size` is 0, or there is no price, or one of 0.
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

/// Gives each free cell of a map one of some prices, by chance and for itself: the hardest terrain there is for
/// planners that look for cells of the same price.
///
/// ```
/// use octile::{Convention, Grid, generate};
/// let grid = generate::noise(&Grid::open(64, 64)?, &[1, 9], Convention::Enter, 1)?;
/// let dear = grid.cells().filter(|&cell| grid.price(cell) == 9).count();
/// assert!((1950..2150).contains(&dear));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no price, or one of 0.
pub fn noise(base: &Grid, prices: &[u8], convention: Convention, seed: u64) -> Result<Grid, GenerateError> {
    check_prices(prices)?;
    let mut dice = Dice::new(seed);
    Ok(base.with_prices(convention, |_| prices[dice.below(prices.len() as u64) as usize]))
}

/// Gives the free cells of a map prices: `road` where one of `count` winding roads of some `width` leads, and `land`
/// elsewhere. The roads are joined to each other; what is blocked stays so, also where a road leads.
///
/// ```
/// use octile::{Convention, Grid, generate};
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

fn check_prices(prices: &[u8]) -> Result<(), GenerateError> {
    if prices.is_empty() || prices.contains(&0) {
        return Err(GenerateError::Prices { prices: prices.to_vec() });
    }
    Ok(())
}

/// The map with a price for each cell, row by row.
fn with_prices(base: &Grid, prices: &[u8], convention: Convention) -> Grid {
    let across = base.width() as usize;
    base.with_prices(convention, |cell| prices[cell.y as usize * across + cell.x as usize])
}

#[cfg(test)]
#[path = "generate_tests.rs"]
mod tests;
