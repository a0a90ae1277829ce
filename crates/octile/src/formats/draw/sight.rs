//! Visible areas as tints of cells: a search sees corners, and a picture shades the cells between them.

use crate::formats::draw::Colour;
use crate::geometry::{Corner, Point};
use crate::grid::Grid;

/// Visible corners and their colour.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// The viewpoint, and the first and last of adjacent visible corners in a row.
    pub(super) sights: Vec<(Point, Corner, Corner)>,
    pub(super) colour: Colour,
}

/// The tint of a cell with all four corners visible, and of one with three.
const WHOLE: f64 = 0.24;
const PART: f64 = 0.12;

impl Sight {
    /// Tints the free cells of a map; `colours` are row by row.
    pub(super) fn tint(&self, grid: &Grid, colours: &mut [Colour]) {
        let in_sight = corners_in_sight(grid, [&self.sights[..]]);
        let of_one_point = corners_in_sight(grid, self.sights.chunk_by(|a, b| a.0 == b.0));
        let cells = grid.cells().zip(colours).zip(in_sight.into_iter().zip(of_one_point));
        for ((_, colour), corners) in cells.filter(|((cell, _), _)| grid.is_free(*cell)) {
            match corners {
                // Where the views of two points meet, each may see one side of a cell.
                (4, 2..) => *colour = colour.towards(self.colour, WHOLE),
                // Single corners, or a row of corners along the far side of a wall, show nothing.
                (_, 3) => *colour = colour.towards(self.colour, PART),
                _ => {}
            }
        }
    }
}

/// For each cell the number of its visible corners, in the group of sights that sees most of them.
fn corners_in_sight<'a>(grid: &Grid, groups: impl IntoIterator<Item = &'a [(Point, Corner, Corner)]>) -> Vec<u8> {
    let cells = grid.width() as usize * grid.height() as usize;
    let (mut most, mut counts) = (vec![0; cells], vec![0; cells]);
    for group in groups {
        let touched = touched(grid, group);
        for &cell in &touched {
            counts[cell] += 1;
        }
        for cell in touched {
            most[cell] = counts[cell].max(most[cell]);
            counts[cell] = 0;
        }
    }
    most
}

/// The indices of the cells around visible corners, once for each such corner.
fn touched(grid: &Grid, sights: &[(Point, Corner, Corner)]) -> Vec<usize> {
    let (width, height) = (grid.width(), grid.height());
    let row = |&(_, first, last): &(Point, Corner, Corner)| (first.x..=last.x.min(width)).map(move |x| (x, first.y));
    let mut corners: Vec<(u32, u32)> = sights.iter().flat_map(row).collect();
    corners.sort_unstable();
    corners.dedup();
    let around = |(x, y): (u32, u32)| {
        [(x, y), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1)), (x.wrapping_sub(1), y.wrapping_sub(1))]
    };
    let cells = corners.into_iter().flat_map(around).filter(|&(x, y)| x < width && y < height);
    cells.map(|(x, y)| y as usize * width as usize + x as usize).collect()
}
