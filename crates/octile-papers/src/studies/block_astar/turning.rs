//! Why a database alone cannot serve units with a turn radius: a counterexample.
//!
//! The rule stands for a turn radius on a grid: a move may differ from the one before by at most 45 degrees. A
//! database has one distance for two cells of a rim, so that a path over several blocks consists of parts that each
//! keep the rule, and turns as it likes where they meet. And the shortest part may be the wrong one.

use std::collections::BTreeSet;

use octile::geometry::Dir;
use octile::{Cell, Grid, GridCost};

/// A cell, and the move that led there, if any.
type State = (Cell, Option<Dir>);

fn may_follow(before: Option<Dir>, next: Dir) -> bool {
    before.is_none_or(|before| {
        let apart = (before as u8).abs_diff(next as u8);
        apart.min(8 - apart) <= 1
    })
}

/// The shortest ways from a state to all others that keep the rule, in the columns of a block.
fn ways(grid: &Grid, columns: std::ops::Range<u32>, start: State) -> Vec<(State, GridCost)> {
    let (mut found, mut open) = (Vec::<(State, GridCost)>::new(), vec![(start, GridCost::ZERO)]);
    while let Some(least) = (0..open.len()).min_by(|&a, &b| open[a].1.cmp(&open[b].1)) {
        let (state, cost) = open.swap_remove(least);
        if found.iter().any(|(known, _)| *known == state) {
            continue;
        }
        found.push((state, cost));
        for dir in grid.moves(state.0).into_iter().filter(|&dir| may_follow(state.1, dir)) {
            let to = dir.step(state.0, 1);
            if columns.contains(&to.x) {
                let step = if dir.is_diagonal() { GridCost::new(0, 1) } else { GridCost::new(1, 0) };
                open.push(((to, Some(dir)), cost + step));
            }
        }
    }
    found
}

/// The length of the shortest way to a cell, and the last moves of the ways of that length.
fn shortest(ways: &[(State, GridCost)], to: Cell) -> Option<(GridCost, BTreeSet<Option<u8>>)> {
    let there = || ways.iter().filter(|((cell, _), _)| *cell == to);
    let (_, least) = there().min_by(|a, b| a.1.cmp(&b.1))?;
    let last = there().filter(|(_, cost)| cost == least).map(|((_, dir), _)| dir.map(|dir| dir as u8)).collect();
    Some((*least, last))
}

/// Two blocks of 4 x 4 cells. From the lower right of the first, the way out is right above.
#[test]
fn distances_without_directions_do_not_add_up() {
    let grid: Grid = "........\n....@@@@\n....@@@@\n....@@@@".parse().unwrap();
    let (start, exit, goal) = (Cell::new(3, 3), Cell::new(3, 0), Cell::new(7, 0));
    let (all, first) = (ways(&grid, 0..8, (start, None)), ways(&grid, 0..4, (start, None)));
    // Around: up to the left, up, up to the right, and on to the right.
    let (truth, _) = shortest(&all, goal).unwrap();
    assert_eq!(truth, GridCost::new(1 + 4, 2));
    // The database: three moves up, then to the right, which is a turn by 90 degrees.
    let (up, last) = shortest(&first, exit).unwrap();
    assert_eq!((up, last), (GridCost::new(3, 0), BTreeSet::from([Some(Dir::N as u8)])));
    let (second, _) = shortest(&ways(&grid, 4..8, (Cell::new(4, 0), None)), goal).unwrap();
    assert!(up + GridCost::new(1, 0) + second < truth);
    // If such turns are refused where blocks meet, no path is left, as the exit keeps its least cost alone.
    assert!(!may_follow(Some(Dir::N), Dir::E));
}

/// Around the end of a wall, where there is no room to turn: parts of two blocks join to a path that is none.
#[test]
fn parts_may_join_where_no_path_is() {
    let grid: Grid = "......\n@@@...\n......".parse().unwrap();
    let (start, goal) = (Cell::new(0, 0), Cell::new(0, 2));
    assert_eq!(shortest(&ways(&grid, 0..6, (start, Some(Dir::E))), goal), None);
    let part = |columns, from, to| shortest(&ways(&grid, columns, (from, None)), to).map(|(cost, _)| cost);
    assert_eq!(part(0..3, start, Cell::new(2, 0)), Some(GridCost::new(2, 0)));
    assert_eq!(part(3..6, Cell::new(3, 0), Cell::new(3, 2)), Some(GridCost::new(2, 0)));
    assert_eq!(part(0..3, Cell::new(2, 2), goal), Some(GridCost::new(2, 0)));
}
