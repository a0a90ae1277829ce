//! Joins hops that lie in free rectangles.

use crate::geometry::Cell;
use crate::geometry::units::{Units, Wide};
use crate::grid::Grid;

/// Adds a point to a path. It replaces the last points if the hop that skips them costs the same and lies in a free
/// rectangle.
pub(super) fn add(grid: &Grid, points: &mut Vec<Cell>, next: Cell) {
    while let [.., from, last] = points[..]
        && Wide::between(from, last) + Wide::between(last, next) == Wide::between(from, next)
        && is_free_rect(grid, from, next)
    {
        points.pop();
    }
    points.push(next);
}

/// Whether the rectangle between two corners is free. Scans along its longer side.
pub(super) fn is_free_rect(grid: &Grid, a: Cell, b: Cell) -> bool {
    // Padded positions are one larger.
    let span = |a: u32, b: u32| (a.min(b) as usize + 1, a.max(b) as usize + 1);
    let ((west, east), (north, south)) = (span(a.x, b.x), span(a.y, b.y));
    if east - west >= south - north {
        (north..=south).all(|row| grid.rows().all_free(row, west, east))
    } else {
        (west..=east).all(|column| grid.columns().all_free(column, north, south))
    }
}
