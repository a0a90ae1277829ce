//! Prices for the free cells of a map.

use super::random_free_cell;
use crate::geometry::{Cell, Dice, order};
use crate::grid::Grid;

/// A smooth landscape: a height for each cell, with hills and valleys about `size` cells wide.
///
/// Heights are random at the corners of squares of that size and interpolated smoothly between them. Everything uses
/// whole numbers, so that it is the same on every machine.
pub(super) struct Hills {
    heights: Vec<u64>,
    across: usize,
    size: u32,
}

/// The precision of positions inside a square, in bits; heights have as many.
const FINE: u32 = 16;

impl Hills {
    pub(super) fn new(grid: &Grid, size: u32, dice: &mut Dice) -> Self {
        let squares = |side: u32| (side / size) as usize + 2;
        let (across, down) = (squares(grid.width()), squares(grid.height()));
        Self { heights: (0..across * down).map(|_| dice.below(1 << FINE)).collect(), across, size }
    }

    /// The height of a cell.
    pub(super) fn height(&self, cell: Cell) -> u64 {
        let (column, right) = self.place(cell.x);
        let (row, down) = self.place(cell.y);
        let along = |row: usize| {
            let corner = |column: usize| self.heights[row * self.across + column];
            corner(column) * ((1 << FINE) - right) + corner(column + 1) * right
        };
        along(row) * ((1 << FINE) - down) + along(row + 1) * down
    }

    /// The square of a column or a row, and the position within it, eased by `3 t^2 - 2 t^3` so that slopes have no
    /// edges.
    fn place(&self, at: u32) -> (usize, u64) {
        let (size, inside) = (u128::from(self.size), u128::from(at % self.size));
        let eased = ((inside * inside * (3 * size - 2 * inside)) << FINE) / (size * size * size);
        ((at / self.size) as usize, eased as u64)
    }
}

/// Distributes prices over the free cells of a map, in the order of their heights and then of their positions. The
/// numbers of cells of any two prices differ by at most one.
pub(super) fn share(grid: &Grid, prices: &[u8], hills: &Hills) -> Vec<u8> {
    let mut heights: Vec<(u64, u32)> = Vec::with_capacity(grid.free_cells() as usize);
    let mut priced = vec![1; grid.width() as usize * grid.height() as usize];
    for (place, cell) in (0..).zip(grid.cells()).filter(|&(_, cell)| grid.is_free(cell)) {
        heights.push((hills.height(cell), place));
    }
    order::sort(&mut heights);
    let cells = heights.len().max(1);
    for (rank, (_, place)) in heights.into_iter().enumerate() {
        priced[place as usize] = prices[rank * prices.len() / cells];
    }
    priced
}

/// Winding roads between towns; each road starts in the town where the one before ended.
pub(super) struct Roads<'a> {
    pub(super) grid: &'a Grid,
    pub(super) width: u32,
    pub(super) dice: &'a mut Dice,
}

/// The direction in which a road continues towards a town.
#[derive(Clone, Copy)]
enum Heading {
    Both,
    Across,
    Down,
}

impl Roads<'_> {
    /// Calls `pave` for every cell of `roads` roads, for some cells more than once. Roads ignore obstacles, as if they
    /// had been there before.
    pub(super) fn pave(&mut self, roads: u32, mut pave: impl FnMut(Cell)) {
        let Some(mut at) = random_free_cell(self.grid, self.dice) else { return };
        for _ in 0..roads {
            let Some(to) = random_free_cell(self.grid, self.dice) else { return };
            let mut heading = Heading::Both;
            self.stamp(at, &mut pave);
            while at != to {
                // A bend about every dozen cells.
                if self.dice.hits(1, 12) {
                    heading = [Heading::Both, Heading::Across, Heading::Down][self.dice.below(3) as usize];
                }
                at = step(at, to, heading);
                self.stamp(at, &mut pave);
            }
        }
    }

    /// Calls `pave` for the square of a road around a cell.
    fn stamp(&self, cell: Cell, pave: &mut impl FnMut(Cell)) {
        let span = |at: u32, side: u32| {
            let low = at.saturating_sub((self.width - 1) / 2);
            low..at.saturating_add(self.width / 2 + 1).min(side)
        };
        for y in span(cell.y, self.grid.height()) {
            span(cell.x, self.grid.width()).for_each(|x| pave(Cell::new(x, y)));
        }
    }
}

/// The next cell towards `to`. A straight road turns once it is level with `to`.
fn step(at: Cell, to: Cell, heading: Heading) -> Cell {
    let nearer = |at: u32, to: u32| if at < to { at + 1 } else { at - u32::from(at > to) };
    let across = Cell::new(nearer(at.x, to.x), at.y);
    let down = Cell::new(at.x, nearer(at.y, to.y));
    match heading {
        Heading::Across if at.x != to.x => across,
        Heading::Down if at.y != to.y => down,
        _ => Cell::new(across.x, down.y),
    }
}
