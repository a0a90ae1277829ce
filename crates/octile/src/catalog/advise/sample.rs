//! What candidates are asked, and how maps are changed under them: the same for a map in every run.

use crate::catalog::advise::choice::CELLS_PER_EDIT;
use crate::geometry::{Cell, Dice};
use crate::grid::{Edits, Grid};
use crate::search::Trip;

/// The most queries.
const MOST_QUERIES: u32 = 400;

/// Small maps are asked about less: there is a query for so many free cells.
const CELLS_PER_QUERY: u32 = 32;

/// How many times as many pairs of cells are drawn as there are to be queries: not all are connected.
const DRAWS_PER_QUERY: u32 = 8;

/// Random pairs of different cells that are connected; fewer than usual, or none, if such pairs are rare.
pub(super) fn queries(grid: &Grid) -> Vec<Trip> {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let most = (free.len() as u32 / CELLS_PER_QUERY + 2).min(MOST_QUERIES);
    if free.is_empty() {
        return Vec::new();
    }
    let mut dice = Dice::new(grid.fingerprint());
    let mut draw = || free[dice.below(free.len() as u64) as usize];
    let pairs = (0..most * DRAWS_PER_QUERY).map(|_| Trip::new(draw(), draw()));
    let is_good = |query: &Trip| query.start != query.goal && grid.may_connect(query.start, query.goal);
    pairs.filter(is_good).take(most as usize).collect()
}

/// An edit that turns random cells the other way round, and the one that undoes it.
pub(super) fn edits(grid: &Grid) -> [Edits; 2] {
    let mut dice = Dice::new(!grid.fingerprint());
    let mut edits = [Edits::new(), Edits::new()];
    for _ in 0..CELLS_PER_EDIT {
        let x = dice.below(grid.width().into()) as u32;
        let cell = Cell::new(x, dice.below(grid.height().into()) as u32);
        let [there, back] = &mut edits;
        if grid.is_free(cell) {
            there.block(cell);
            back.free(cell);
        } else {
            there.free(cell);
            back.block(cell);
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;

    #[test]
    fn queries_are_the_same_in_every_run_and_have_a_path() {
        let grid = generate::random(100, 100, 40, 1).unwrap();
        let asked = queries(&grid);
        assert_eq!(asked, queries(&grid));
        assert_eq!(asked.len() as u32, grid.free_cells() / CELLS_PER_QUERY + 2);
        assert!(asked.iter().all(|query| grid.may_connect(query.start, query.goal)));
        assert_ne!(asked, queries(&generate::random(100, 100, 40, 2).unwrap()));
    }

    #[test]
    fn maps_without_connected_pairs_have_no_queries() {
        for map in ["@", ".", ".@\n@."] {
            assert_eq!(queries(&map.parse().unwrap()), []);
        }
        assert!(!queries(&"..".parse().unwrap()).is_empty());
    }

    #[test]
    fn an_edit_is_undone_by_the_other() {
        let grid = generate::random(40, 30, 30, 1).unwrap();
        let [there, back] = edits(&grid);
        let mut edited = grid.clone();
        edited.apply(&there).unwrap();
        assert_ne!(edited, grid);
        edited.apply(&back).unwrap();
        assert_eq!(edited, grid);
    }
}
