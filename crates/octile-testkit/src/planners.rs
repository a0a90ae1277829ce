//! Which specs of the table a suite runs on a map.

use octile::Grid;
use octile::algo::{Entry, PLANNERS};

/// Up to so many free cells a suite builds indexes that take a search from every one of them.
pub const ALL_PAIRS_CELLS: u32 = 2_000;

/// The specs that work under the map's movement rule, but those whose index would take a test too long to build.
pub fn specs(grid: &Grid) -> impl Iterator<Item = &'static str> {
    suited(grid).flat_map(|entry| entry.specs_for(grid.movement()))
}

/// As [`specs`], under any movement rule.
pub fn specs_of_all_rules(grid: &Grid) -> impl Iterator<Item = &'static str> {
    suited(grid).flat_map(Entry::specs)
}

fn suited(grid: &Grid) -> impl Iterator<Item = &'static Entry> {
    PLANNERS.iter().filter(|entry| entry.index.is_within(grid, ALL_PAIRS_CELLS))
}
