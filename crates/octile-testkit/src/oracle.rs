//! The oracle: Dijkstra's search written to be read, not to be fast.
//!
//! It shares nothing with the planners but the types: it asks the grid only which cells are free, states the movement
//! rules in its own words, and adds costs as exact counts.

use std::collections::{BTreeMap, BTreeSet};

use octile::{Cell, Grid, Movement, Octile};

/// The cost of a shortest path from `start` to every cell that has one.
pub fn distances(grid: &Grid, start: Cell) -> BTreeMap<Cell, Octile> {
    let mut settled = BTreeMap::new();
    let mut open = BTreeSet::from([(Octile::ZERO, start)]);
    while let Some((cost, cell)) = open.pop_first() {
        if settled.contains_key(&cell) {
            continue;
        }
        settled.insert(cell, cost);
        for (next, step) in neighbours(grid, cell) {
            if !settled.contains_key(&next) {
                open.insert((cost + step, next));
            }
        }
    }
    settled
}

/// The cost of a shortest path, if there is one.
pub fn distance(grid: &Grid, start: Cell, goal: Cell) -> Option<Octile> {
    distances(grid, start).get(&goal).copied()
}

/// The cells that one legal move leads to, with its cost.
pub fn neighbours(grid: &Grid, cell: Cell) -> Vec<(Cell, Octile)> {
    let (x, y) = (i64::from(cell.x), i64::from(cell.y));
    let at = |x: i64, y: i64| Some(Cell::new(u32::try_from(x).ok()?, u32::try_from(y).ok()?));
    let free = |x: i64, y: i64| at(x, y).is_some_and(|cell| grid.is_free(cell));
    let mut found = Vec::new();
    for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
        if free(x + dx, y + dy) {
            found.extend(at(x + dx, y + dy).map(|next| (next, Octile::new(1, 0))));
        }
    }
    for (dx, dy) in [(1, -1), (1, 1), (-1, 1), (-1, -1)] {
        let free_sides = [free(x + dx, y), free(x, y + dy)].into_iter().filter(|&free| free).count();
        let allowed = match grid.movement() {
            Movement::Octile => free_sides == 2,
            Movement::OctileCutting => free_sides >= 1,
            Movement::Tile => false,
        };
        if allowed && free(x + dx, y + dy) {
            found.extend(at(x + dx, y + dy).map(|next| (next, Octile::new(0, 1))));
        }
    }
    found
}
