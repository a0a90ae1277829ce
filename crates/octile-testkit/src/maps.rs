//! Random maps of many textures, for searches that depend on the shapes of obstacles or on prices.

use octile::formats::generate;
use octile::geometry::Dice;
use octile::grid::Convention;
use octile::{Cell, Grid, GridBuilder, Movement};

/// A map with sides of at most `most` cells and one of six textures: noise, rooms with doors, a maze with loops, boxes,
/// slanted bars, caves.
///
/// ```
/// let grid = octile_testkit::maps::textured(&mut octile::geometry::Dice::new(1), 40);
/// assert!(grid.width() <= 40 && grid.height() <= 40);
/// ```
///
/// # Panics
/// If `most` is 0, or more than a map may have.
pub fn textured(dice: &mut Dice, most: u32) -> Grid {
    let [width, height] = [0; 2].map(|_| 1 + below(dice, most));
    match below(dice, 6) {
        0 => {
            let percent = 1 + dice.below(50);
            Grid::from_fn(width, height, |_| !dice.hits(percent, 100)).expect("sides are above 0")
        }
        1 => rooms(dice, width, height),
        2 => maze_with_loops(dice, width.max(8), height.max(8)),
        3 => with_boxes(dice, width, height),
        4 => with_bars(dice, width, height),
        _ => {
            let percent = 35 + below(dice, 15);
            generate::caves(width.max(8), height.max(8), percent, dice.below(u64::MAX)).expect("large enough for caves")
        }
    }
}

/// A map with prices, with sides of at most `most` cells: noise, patches, stripes, or roads through expensive land;
/// with few prices, many, or one; under any convention and movement rule.
///
/// ```
/// let grid = octile_testkit::maps::with_prices(&mut octile::geometry::Dice::new(1), 17);
/// assert!(grid.convention().is_some() && grid.width() <= 17);
/// ```
///
/// # Panics
/// If `most` is 0, or more than a map may have.
pub fn with_prices(dice: &mut Dice, most: u32) -> Grid {
    let mut number = |low: u64, high: u64| low + dice.below(high - low);
    let [width, height] = [0; 2].map(|_| number(1, u64::from(most) + 1) as u32);
    let walls = number(0, 5) * 10;
    let prices: &[u8] = match number(0, 7) {
        0 => &[1, 2],
        1 => &[1, 2, 5],
        2 => &[9, 10],
        3 => &[20, 50, 200],
        4 => &[7],
        5 => &[1, 255],
        _ => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    };
    let (texture, patch) = (number(0, 4), number(2, 9) as u32);
    let seeds: Vec<u64> = (0..64).map(|_| number(0, 1 << 40)).collect();
    let kind = |a: u32, b: u32| prices[(seeds[((a * 8 + b) % 64) as usize] % prices.len() as u64) as usize];
    let convention = Convention::ALL[(seeds[0] % 2) as usize];
    let movement = Movement::ALL[[0, 0, 0, 1, 2][(seeds[1] % 5) as usize]];
    let mut price = |cell: Cell| match texture {
        _ if dice.hits(walls, 100) => 0,
        0 => prices[dice.below(prices.len() as u64) as usize],
        1 => kind(cell.x / patch, cell.y / patch),
        2 => kind((cell.x + cell.y) / patch, 0),
        _ => {
            if cell.x.is_multiple_of(patch) || cell.y % patch == 1 {
                prices[0]
            } else {
                prices[prices.len() - 1]
            }
        }
    };
    Grid::from_prices(width, height, convention, &mut price).expect("sides are above 0").with_movement(movement)
}

/// The free cells of a map, row by row.
pub fn free_cells(grid: &Grid) -> Vec<Cell> {
    grid.cells().filter(|&cell| grid.is_free(cell)).collect()
}

fn below(dice: &mut Dice, end: u32) -> u32 {
    dice.below(end.into()) as u32
}

fn open(width: u32, height: u32) -> GridBuilder {
    Grid::open(width, height).expect("sides are above 0").edit()
}

/// Walls at regular distances; each wall cell may be a door.
fn rooms(dice: &mut Dice, width: u32, height: u32) -> Grid {
    let [room_width, room_height] = [0; 2].map(|_| 2 + below(dice, 12));
    let is_wall = |cell: Cell| cell.x.is_multiple_of(room_width) || cell.y.is_multiple_of(room_height);
    Grid::from_fn(width, height, |cell| !is_wall(cell) || dice.hits(12, 100)).expect("sides are above 0")
}

fn maze_with_loops(dice: &mut Dice, width: u32, height: u32) -> Grid {
    let corridor = 1 + below(dice, 3);
    let maze = generate::maze(width, height, corridor, dice.below(u64::MAX)).expect("large enough for a maze");
    Grid::from_fn(width, height, |cell| maze.is_free(cell) || dice.hits(1, 25)).expect("sides are above 0")
}

fn with_boxes(dice: &mut Dice, width: u32, height: u32) -> Grid {
    let mut grid = open(width, height);
    for _ in 0..=below(dice, 30) {
        let (x, y, w, h) = (below(dice, width), below(dice, height), 1 + below(dice, 10), 1 + below(dice, 10));
        for cell in (y..(y + h).min(height)).flat_map(|y| (x..(x + w).min(width)).map(move |x| Cell::new(x, y))) {
            grid.set(cell, false);
        }
    }
    grid.build()
}

fn with_bars(dice: &mut Dice, width: u32, height: u32) -> Grid {
    const SLOPES: [(u32, u32); 5] = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2)];
    let mut grid = open(width, height);
    for _ in 0..=below(dice, 25) {
        let (x, y) = (below(dice, width), below(dice, height));
        let (dx, dy) = SLOPES[dice.below(5) as usize];
        let falls = dice.hits(1, 2);
        for step in 0..below(dice, 30) {
            let (x, y) = (x + step * dx, if falls { Some(y + step * dy) } else { y.checked_sub(step * dy) });
            if let Some(y) = y.filter(|&y| y < height && x < width) {
                grid.set(Cell::new(x, y), false);
            }
        }
    }
    grid.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_differ_and_most_have_free_and_blocked_cells() {
        let mut dice = Dice::new(5);
        let maps: Vec<Grid> = (0..200).map(|_| textured(&mut dice, 60)).collect();
        let is_mixed = |grid: &&Grid| (1..grid.width() * grid.height()).contains(&grid.free_cells());
        assert!(maps.iter().filter(is_mixed).count() > 150);
        assert!(maps.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
