//! The queries for candidates, and the edits of maps that change: for a given map the same in every run.

use super::Rate;
use crate::geometry::{Cell, Dice};
use crate::grid::{Edits, Grid};
use crate::planner::PathQuery;

/// The maximum number of queries.
const MOST_QUERIES: u32 = 400;

/// The number of free cells per query: small maps get fewer queries.
const CELLS_PER_QUERY: u32 = 32;

/// How many pairs of cells to draw per query: not all pairs are connected.
const DRAWS_PER_QUERY: u32 = 8;

/// Random pairs of different, connected cells; fewer than usual, or none, if such pairs are rare.
pub(super) fn queries(grid: &Grid) -> Vec<PathQuery> {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let most = (free.len() as u32 / CELLS_PER_QUERY + 2).min(MOST_QUERIES);
    if free.is_empty() {
        return Vec::new();
    }
    let mut dice = Dice::new(grid.fingerprint());
    let mut draw = || free[dice.below(free.len() as u64) as usize];
    let pairs = (0..most * DRAWS_PER_QUERY).map(|_| PathQuery::new(draw(), draw()));
    let is_good = |query: &PathQuery| query.start != query.goal && grid.may_connect(query.start, query.goal);
    pairs.filter(is_good).take(most as usize).collect()
}

/// The number of edits that candidates follow before their queries. The first is not timed.
const CHANGES: usize = 5;

/// The longest side of a building.
const LONGEST_SIDE: u64 = 8;

/// A sequence of edits: buildings are added, and removed again.
pub(super) fn changes(grid: &Grid, rate: Rate) -> Vec<Edits> {
    let mut dice = Dice::new(!grid.fingerprint());
    let (mut now, mut standing) = (grid.clone(), Vec::new());
    let wanted = rate.cells(grid.width() * grid.height());
    let change = |_| {
        let (mut edits, mut changed, mut new) = (Edits::new(), 0, Vec::new());
        // Without room for buildings, fewer cells change.
        for _ in 0..MOST_TRIES.min(64 * wanted.min(MOST_TRIES) + 64) {
            if changed >= wanted {
                break;
            }
            let is_up = dice.hits(1, 2) || standing.is_empty();
            let edit = if is_up { building(&now, wanted - changed, &mut dice) } else { standing.pop() };
            let Some((a, b)) = edit else { continue };
            let cells = (b.x - a.x + 1) * (b.y - a.y + 1);
            if is_up {
                edits.block_rect(a, b);
                now.apply(Edits::new().block_rect(a, b)).expect("it is on the map");
                new.push((a, b));
            } else {
                edits.free_rect(a, b);
                now.apply(Edits::new().free_rect(a, b)).expect("it is on the map");
            }
            changed += cells;
        }
        // New buildings stay for a while: the oldest is removed first.
        standing.splice(0..0, new.into_iter().rev());
        edits
    };
    (0..CHANGES).map(change).collect()
}

/// The maximum number of buildings to try for an edit.
const MOST_TRIES: u32 = 100_000;

/// A rectangle of free cells, with at most `most` cells.
fn building(grid: &Grid, most: u32, dice: &mut Dice) -> Option<(Cell, Cell)> {
    let mut side = |whole: u32| (1 + dice.below(LONGEST_SIDE)).min(whole.into()) as u32;
    let (wide, high) = (side(grid.width()), side(grid.height()));
    let (wide, high) = if wide * high > most { (1, 1) } else { (wide, high) };
    let mut first = |whole: u32, side: u32| dice.below(u64::from(whole - side) + 1) as u32;
    let a = Cell::new(first(grid.width(), wide), first(grid.height(), high));
    let b = Cell::new(a.x + wide - 1, a.y + high - 1);
    let is_free = (a.y..=b.y).all(|y| (a.x..=b.x).all(|x| grid.is_free((x, y))));
    is_free.then_some((a, b))
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
    fn changes_change_as_much_as_they_should() {
        for (grid, rate) in [
            (generate::random(100, 80, 30, 1).unwrap(), "1%/10"),
            (Grid::open(64, 64).unwrap(), "10%/10"),
            (generate::rooms(90, 90, 8, 1).unwrap(), "0.0001%/10"),
        ] {
            let rate: Rate = rate.parse().unwrap();
            let (mut now, wanted) = (grid.clone(), rate.cells(grid.width() * grid.height()));
            let all = changes(&grid, rate);
            assert_eq!(all.len(), CHANGES);
            for edits in all {
                let before = now.clone();
                assert!(now.apply(&edits).unwrap());
                let differ = grid.cells().filter(|&cell| before.is_free(cell) != now.is_free(cell)).count() as u32;
                assert!(differ <= 2 * wanted.max(64) && 4 * differ >= wanted, "{differ} of {wanted}");
            }
        }
        assert!(changes(&"@".parse().unwrap(), Rate::default()).iter().all(Edits::is_empty));
    }
}
