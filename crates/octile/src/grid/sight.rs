//! Line of sight between cell centres.

use std::cmp::Ordering;

use super::{Grid, Movement};
use crate::{Cell, Dir};

/// Whether one can walk straight from the centre of `a` to the centre of `b`: every cell whose inside the segment
/// crosses is free, and where it passes exactly through a corner, a diagonal move there is legal too (under `tile`, as
/// under `octile`).
///
/// ```
/// use octile::{Cell, Grid, grid::sight};
/// let grid: Grid = "....\n@...\n....".parse()?;
/// assert!(sight::visible(&grid, Cell::new(0, 0), Cell::new(3, 2)));
/// assert!(!sight::visible(&grid, Cell::new(0, 0), Cell::new(1, 2)));
/// # Ok::<(), octile::ascii::AsciiError>(())
/// ```
pub fn visible(grid: &Grid, a: Cell, b: Cell) -> bool {
    let rule = if grid.movement() == Movement::OctileCutting { Movement::OctileCutting } else { Movement::Octile };
    let (width, height) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    let east_west = if b.x >= a.x { Dir::E } else { Dir::W };
    let north_south = if b.y >= a.y { Dir::S } else { Dir::N };
    let diagonal = if (east_west == Dir::E) == (north_south == Dir::S) {
        if east_west == Dir::E { Dir::SE } else { Dir::NW }
    } else if east_west == Dir::E {
        Dir::NE
    } else {
        Dir::SW
    };
    // After `i` borders crossed east-west and `j` north-south, the next ones are crossed at (2i+1) / 2 width and
    // (2j+1) / 2 height of the way: whichever comes first is the next cell, and both at once is a corner.
    let (mut at, mut i, mut j) = (a, 0, 0);
    if !grid.is_free(at) {
        return false;
    }
    while at != b {
        let dir = match ((2 * i + 1) * height).cmp(&((2 * j + 1) * width)) {
            Ordering::Less => east_west,
            Ordering::Greater => north_south,
            Ordering::Equal => diagonal,
        };
        if !rule.allows(|cell| grid.is_free(cell), at, dir) {
            return false;
        }
        at = dir.step(at, 1);
        i += u64::from(dir.dx() != 0);
        j += u64::from(dir.dy() != 0);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same question by geometry: the segment must not touch the closed square of any blocked cell, corners
    /// included, which is the octile rule.
    fn visible_by_geometry(grid: &Grid, a: Cell, b: Cell) -> bool {
        let (ax, ay) = (f64::from(a.x), f64::from(a.y));
        let (dx, dy) = (f64::from(b.x) - ax, f64::from(b.y) - ay);
        grid.cells().filter(|&cell| !grid.is_free(cell)).all(|cell| {
            let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
            for (origin, delta, centre) in [(ax, dx, f64::from(cell.x)), (ay, dy, f64::from(cell.y))] {
                let (low, high) = (centre - 0.5 - 1e-9, centre + 0.5 + 1e-9);
                if delta == 0.0 {
                    if origin < low || origin > high {
                        return true;
                    }
                } else {
                    let (t1, t2) = ((low - origin) / delta, (high - origin) / delta);
                    enter = enter.max(t1.min(t2));
                    leave = leave.min(t1.max(t2));
                }
            }
            enter > leave
        })
    }

    #[test]
    fn agrees_with_geometry_on_all_small_maps() {
        for bits in 0_u32..1 << 12 {
            let grid = Grid::from_fn(4, 3, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
            for a in grid.cells().filter(|&cell| grid.is_free(cell)) {
                for b in grid.cells().filter(|&cell| grid.is_free(cell)) {
                    assert_eq!(visible(&grid, a, b), visible_by_geometry(&grid, a, b), "{grid:?} {a} {b}");
                    assert_eq!(visible(&grid, a, b), visible(&grid, b, a));
                }
            }
        }
    }
}
