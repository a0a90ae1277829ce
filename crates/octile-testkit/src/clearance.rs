//! The oracle for agents of any size, written for reading: it looks at every obstacle from every cell, in whole
//! numbers.
//!
//! Coordinates are in halves of a cell, so that centres are whole numbers too: the blocked cell `x` extends from `2x`
//! to `2x + 2`. Everything outside the map is represented by the ring of cells around it, which is as near.

use octile::grid::{Agent, Room};
use octile::{Cell, Grid};

use crate::oracle::is_free;

/// The side of the largest square of free cells with this cell as its upper left one.
pub fn square(grid: &Grid, cell: Cell) -> u32 {
    let (x, y) = (i64::from(cell.x), i64::from(cell.y));
    let fits = |side: i64| (y..y + side).all(|y| (x..x + side).all(|x| is_free(grid, x, y)));
    (1..=grid.width().into()).take_while(|&side| fits(side)).count() as u32
}

/// The squared distance from a cell's centre, or from the whole cell, to the nearest obstacle, in halves of a cell.
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

/// The map whose free cells are those where an agent fits.
///
/// # Panics
/// As [`fits`].
pub fn for_agent(grid: &Grid, agent: Agent, room: Room) -> Grid {
    let fitting = Grid::from_fn(grid.width(), grid.height(), |cell| fits(grid, cell, agent, room));
    fitting.expect("as large as the map").with_movement(grid.movement())
}

/// The distance from any point of the map to the nearest obstacle, in cells. This is the only rounded value here.
pub fn distance(grid: &Grid, (x, y): (f64, f64)) -> f64 {
    let gap = |at: f64, other: i64| (other as f64 - at).max(at - (other as f64 + 1.0)).max(0.0);
    obstacles(grid).map(|(column, row)| gap(x, column).hypot(gap(y, row))).fold(f64::INFINITY, f64::min)
}

/// Whether the square with this upper left corner lies inside free cells only, with a tolerance of a billionth of a
/// cell.
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
