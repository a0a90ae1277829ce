//! Random problems of the report.

use octile::geometry::Dice;
use octile::{Cell, Grid};

/// A cell of a map, all equally likely.
fn cell(dice: &mut Dice, grid: &Grid) -> Cell {
    let x = dice.below(grid.width().into()) as u32;
    Cell::new(x, dice.below(grid.height().into()) as u32)
}

/// So many pairs of different free cells that are `connected`, all equally likely. Less, if they are too rare to be
/// found.
pub(super) fn pairs(
    dice: &mut Dice,
    grid: &Grid,
    count: usize,
    connected: impl Fn(Cell, Cell) -> bool,
) -> Vec<(Cell, Cell)> {
    let pairs = (0..count.saturating_mul(MOST_TRIES)).map(|_| (cell(dice, grid), cell(dice, grid)));
    let pairs = pairs.filter(|&(a, b)| a != b && grid.is_free(a) && grid.is_free(b) && connected(a, b));
    pairs.take(count).collect()
}

/// How many pairs are drawn for each that is wanted.
const MOST_TRIES: usize = 10_000;

/// The seeds of the maps of a set.
pub(super) fn seeds(first: u64) -> impl Iterator<Item = u64> {
    (0..).map(move |nth| first.wrapping_add(nth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_even_and_as_told() {
        let grid: Grid = "..@\n@..".parse().unwrap();
        let told = |a: Cell, b: Cell| a.x <= b.x;
        let pairs = pairs(&mut Dice::new(7), &grid, 20_000, told);
        assert!(pairs.iter().all(|&(a, b)| a != b && grid.is_free(a) && grid.is_free(b) && told(a, b)));
        // Four free cells, two of them in one column: seven such pairs.
        let mut counts = std::collections::BTreeMap::new();
        for (a, b) in &pairs {
            *counts.entry((a.x, a.y, b.x, b.y)).or_insert(0) += 1;
        }
        assert!(counts.len() == 7 && counts.values().all(|count| (2_600..3_100).contains(count)), "{counts:?}");
    }

    #[test]
    fn pairs_that_are_not_there_are_not_looked_for_for_ever() {
        let grid: Grid = ".@.".parse().unwrap();
        assert!(pairs(&mut Dice::new(1), &grid, 3, |a, b| grid.may_connect(a, b)).is_empty());
    }
}
