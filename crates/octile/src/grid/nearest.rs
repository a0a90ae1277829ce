//! The free cells nearest to a point, by straight distance between centres.
//!
//! The cells of one free run of a row are connected, so a run is accepted or refused as a whole. In each row only the
//! nearest cells to the left and right matter. The scan skips rows farther away than the nearest cell so far.

use super::Grid;
use crate::geometry::{Cell, order};

/// The nearest cells so far.
#[derive(Debug)]
pub(crate) struct NearestCells<'a> {
    /// The square of their distance.
    pub(crate) square: u64,
    /// All cells at that distance; without duplicates once they are [sorted](NearestCells::sort).
    pub(crate) cells: &'a mut Vec<Cell>,
}

impl<'a> NearestCells<'a> {
    /// No cells yet.
    pub(crate) fn new(cells: &'a mut Vec<Cell>) -> Self {
        cells.clear();
        Self { square: u64::MAX, cells }
    }

    /// Scans around `place` for free cells in runs that `accepts`, called with one cell of a run.
    pub(crate) fn look_around(&mut self, grid: &Grid, place: Cell, accepts: impl Fn(Cell) -> bool) {
        let farthest = place.y.max(grid.height().saturating_sub(place.y + 1));
        for away in 0..=farthest {
            if u64::from(away).pow(2) > self.square {
                break;
            }
            let above = place.y.checked_sub(away);
            let below = (away > 0).then_some(place.y + away).filter(|&y| y < grid.height());
            for y in above.into_iter().chain(below) {
                self.look_along(grid, place, y, &accepts);
            }
        }
    }

    /// Scans a row to the right and to the left.
    fn look_along(&mut self, grid: &Grid, place: Cell, y: u32, accepts: &impl Fn(Cell) -> bool) {
        let (rows, line, last) = (grid.rows(), y as usize + 1, grid.width() as usize);
        let square = |x: usize| Cell::new(x as u32 - 1, y).square_distance(place);
        // Padded coordinates are one larger.
        let mut x = rows.next_free(line, place.x as usize + 1);
        while x <= last && square(x) <= self.square {
            let cell = Cell::new(x as u32 - 1, y);
            if accepts(cell) {
                self.add(cell, place);
                break;
            }
            x = rows.next_free(line, rows.run_end(line, x));
        }
        let mut at = rows.previous_free(line, place.x as usize);
        while let Some(x) = at.filter(|&x| square(x) <= self.square) {
            let cell = Cell::new(x as u32 - 1, y);
            if accepts(cell) {
                self.add(cell, place);
                break;
            }
            at = rows.previous_free(line, rows.run_start(line, x) - 1);
        }
    }

    fn add(&mut self, cell: Cell, place: Cell) {
        let square = cell.square_distance(place);
        if square < self.square {
            self.square = square;
            self.cells.clear();
        }
        self.cells.push(cell);
    }

    /// Sorts the cells row by row and removes duplicates.
    pub(crate) fn sort(&mut self) {
        order::sort_by_key(self.cells, |cell| (cell.y, cell.x));
        self.cells.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;

    /// Checks every cell.
    fn naive(grid: &Grid, places: &[Cell], accepts: impl Fn(Cell) -> bool) -> Vec<Cell> {
        let near = |cell: Cell| places.iter().map(|&place| cell.square_distance(place)).min();
        let all: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell) && accepts(cell)).collect();
        let least = all.iter().filter_map(|&cell| near(cell)).min();
        all.into_iter().filter(|&cell| near(cell) == least).collect()
    }

    #[test]
    fn nearest_cells_agree_with_a_scan_of_all_cells() {
        let mut found = Vec::new();
        for seed in 0..40 {
            let (width, height) = (1 + seed as u32 * 7 % 150, 1 + seed as u32 * 5 % 23);
            let grid = generate::random(width, height, 35 + 2 * (seed as u32 % 20), seed).unwrap();
            let somewhere = |nth: u32| Cell::new(nth * 31 % width, nth * 17 % height);
            for nth in 0..20 {
                let (places, home) = ([somewhere(nth), somewhere(nth + 7)], somewhere(nth * 3 + 1));
                let accepts = |cell: Cell| grid.may_connect(home, cell) || nth % 5 == 0;
                let mut nearest = NearestCells::new(&mut found);
                for place in places {
                    nearest.look_around(&grid, place, accepts);
                }
                nearest.sort();
                assert_eq!(found, naive(&grid, &places, accepts), "{places:?}\n{grid:?}");
            }
        }
    }
}
