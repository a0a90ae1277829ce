//! The specs of the catalog that a suite runs on a map.
//!
//! `OCTILE_PLANNER=jump-graph cargo test -p octile --test it` restricts the suites to specs that begin with
//! `jump-graph`.

use octile::planner::Entry;
use octile::{Catalog, Grid};

/// Suites build indexes that need a search from every free cell on maps with at most this many free cells.
pub const ALL_PAIRS_CELLS: u32 = 2_000;

/// Whether the suites should run a spec: it begins with the value of `OCTILE_PLANNER`, if that is set.
pub fn is_asked(spec: &str) -> bool {
    std::env::var("OCTILE_PLANNER").map_or(true, |asked| spec.starts_with(&asked))
}

/// Whether `OCTILE_PLANNER` restricts the suites, so that they do not see all planners.
pub fn is_restricted() -> bool {
    std::env::var_os("OCTILE_PLANNER").is_some()
}

/// The specs that support the map's movement rule, and its prices if it has any, without those whose index takes too
/// long to build in a test.
pub fn specs(grid: &Grid) -> impl Iterator<Item = &'static str> + use<> {
    let (movement, has_prices) = (grid.movement(), grid.convention().is_some());
    let of = move |catalog: &Catalog, entry: &Entry| {
        let takes = |spec: &&str| !has_prices || catalog.parse(spec).is_ok_and(|spec| spec.takes_terrain());
        catalog.specs_for(entry, movement).into_iter().filter(takes).collect()
    };
    suited(grid, of)
}

/// As [`specs`], under any movement rule.
pub fn specs_of_all_rules(grid: &Grid) -> impl Iterator<Item = &'static str> + use<> {
    suited(grid, Catalog::specs)
}

fn suited<F: Fn(&Catalog, &Entry) -> Vec<&'static str>>(
    grid: &Grid,
    of: F,
) -> impl Iterator<Item = &'static str> + use<F> {
    let catalog = Catalog::standard();
    let is_suited = |entry: &&Entry| entry.about().index.is_within(grid, ALL_PAIRS_CELLS);
    let specs = catalog.planners().iter().filter(is_suited).flat_map(|entry| of(&catalog, entry));
    specs.filter(|spec| is_asked(spec)).collect::<Vec<_>>().into_iter()
}
