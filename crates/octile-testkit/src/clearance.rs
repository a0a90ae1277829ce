//! The oracle of agents of any size, written to be read: it looks at every obstacle from every cell, in whole numbers.
//!
//! Places are in halves of a cell, so that centres are whole too: the blocked cell `x` lies from `2x` to `2x + 2`. All
//! that is outside of the map is as near as the ring of cells around it.

use octile::{Agent, Cell, Grid, Room};

use crate::oracle::is_free;

/// The largest square of free cells that reaches to the right and down from a cell.
pub fn square(grid: &Grid, cell: Cell) -> u32 {
    let (x, y) = (i64::from(cell.x), i64::from(cell.y));
    let fits = |side: i64| (y..y + side).all(|y| (x..x + side).all(|x| is_free(grid, x, y)));
    (1..=grid.width().into()).take_while(|&side| fits(side)).count() as u32
}

/// The square of the distance from a cell's centre, or from the whole of it, to the nearest obstacle, in halves of a
/// cell.
///
/// # Panics
/// Never: the ring is blocked.
pub fn disc_squared(grid: &Grid, cell: Cell, room: Room) -> u64 {
    let part = |at: u32| match room {
        Room::Centre => (2 * i64::from(at) + 1, 2 * i64::from(at) + 1),
        Room::Cell => (2 * i64::from(at), 2 * i64::from(at) + 2),
    };
    let gap = |(from, to): (i64, i64), other: i64| (2 * other - to).max(from - (2 * other + 2)).max(0).pow(2) as u64;
    let squared = |(x, y): (i64, i64)| gap(part(cell.x), x) + gap(part(cell.y), y);
    obstacles(grid).map(squared).min().expect("the ring is blocked")
}

/// Whether an agent fits on a cell. A radius must be a whole number of 1024ths.
///
/// # Panics
/// If it is not.
pub fn fits(grid: &Grid, cell: Cell, agent: Agent, room: Room) -> bool {
    let Some(radius) = agent.radius() else { return square(grid, cell) >= agent.side().expect("a square or a disc") };
    let parts = radius * 2048.0;
    assert!(parts.fract() == 0.0 && parts < 1e12, "{radius} cannot be compared exactly here");
    u128::from(parts as u64).pow(2) <= u128::from(disc_squared(grid, cell, room)) << 20
}

/// The map of the cells where an agent fits.
///
/// # Panics
/// As [`fits`].
pub fn for_agent(grid: &Grid, agent: Agent, room: Room) -> Grid {
    let fitting = Grid::from_fn(grid.width(), grid.height(), |cell| fits(grid, cell, agent, room));
    fitting.expect("as large as the map").with_movement(grid.movement())
}

/// The distance from any point of the map to the nearest obstacle, in cells: the only one here that is rounded.
pub fn distance(grid: &Grid, (x, y): (f64, f64)) -> f64 {
    let gap = |at: f64, other: i64| (other as f64 - at).max(at - (other as f64 + 1.0)).max(0.0);
    obstacles(grid).map(|(column, row)| gap(x, column).hypot(gap(y, row))).fold(f64::INFINITY, f64::min)
}

/// Whether a square with its upper left corner at some point touches the inside of free cells only, but for what is
/// less than a billionth of a cell.
pub fn is_clear(grid: &Grid, (x, y): (f64, f64), side: f64) -> bool {
    let cells = |from: f64| (from + 1e-9).floor() as i64..=(from + side - 1e-9).floor() as i64;
    cells(y).all(|y| cells(x).all(|x| is_free(grid, x, y)))
}

/// The blocked cells of a map and the ring around it.
fn obstacles(grid: &Grid) -> impl Iterator<Item = (i64, i64)> + '_ {
    let (width, height) = (i64::from(grid.width()), i64::from(grid.height()));
    let all = (-1..=height).flat_map(move |y| (-1..=width).map(move |x| (x, y)));
    all.filter(|&(x, y)| !is_free(grid, x, y))
}
