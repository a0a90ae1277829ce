//! How often a stale index answers, and the pitfalls of the argument.

use super::*;
use crate::engine::Finder;
use crate::formats::generate;
use crate::geometry::Dice;
use crate::planner::{Build, Config};

fn cell(x: u32, y: u32) -> Cell {
    Cell::new(x, y)
}

/// The cost after edits of a map, from a planner whose index was built before them.
fn cost(spec: &str, map: &str, edits: &Edits, ends: [Cell; 2]) -> Option<String> {
    let grid: Grid = map.parse().unwrap();
    let mut finder = Finder::new(spec, &grid).unwrap();
    finder.apply(edits).unwrap();
    let path = finder.find(ends[0], ends[1]).unwrap()?;
    path.check(finder.grid(), ends[0], ends[1]).unwrap();
    Some(path.cost().to_string())
}

const SPECS: [&str; 3] = ["hub-labels", "core-table", "cpd"];

/// Freeing a wall cell allows a diagonal move that does not enter it, and blocking it forbids that move.
#[test]
fn moves_count_and_not_cells() {
    for spec in SPECS {
        let ends = [cell(0, 0), cell(1, 1)];
        assert_eq!(cost(spec, ".@\n..", Edits::new().free((1, 0)), ends).unwrap(), "1√2", "{spec}");
        assert_eq!(cost(spec, "..\n..", Edits::new().block((1, 0)), ends).unwrap(), "2", "{spec}");
    }
}

/// Opening one of two walls gains nothing; opening both does.
#[test]
fn openings_may_help_together() {
    let map = ".@.@.\n.@.@.\n.....";
    for spec in SPECS {
        let cost = |edits: &Edits| cost(spec, map, edits, [cell(0, 0), cell(4, 0)]).unwrap();
        assert_eq!(cost(Edits::new().free((1, 0))), "8", "{spec}");
        assert_eq!(cost(Edits::new().free((3, 0))), "8", "{spec}");
        assert_eq!(cost(Edits::new().free((1, 0)).free((3, 0))), "4", "{spec}");
    }
}

/// An open map has no labels at all: the distances to rims are those of direct hops.
#[test]
fn cells_that_see_each_other_need_no_labels() {
    for spec in SPECS {
        assert_eq!(cost(spec, "....@...", Edits::new().free((4, 0)), [cell(0, 0), cell(3, 0)]).unwrap(), "3", "{spec}");
        assert_eq!(cost(spec, "....@...", Edits::new().free((4, 0)), [cell(0, 0), cell(7, 0)]).unwrap(), "7", "{spec}");
        assert_eq!(cost(spec, "........", Edits::new().block((4, 0)), [cell(0, 0), cell(7, 0)]), None, "{spec}");
    }
}

/// A planner whose index is stale after edits of its map.
fn stale(config: &dyn Config, grid: &Grid, edits: &Edits) -> Stale {
    let planner = config.build(&Build::new(grid)).unwrap();
    let mut stale = Stale::new(planner.into(), |planner| crate::CornerSweep::default().planner(planner.grid()));
    stale.apply(edits).unwrap();
    assert!(stale.is_stale());
    stale
}

/// How many percent of the queries an index answers after edits of a map, not counting direct hops.
fn answered(config: &dyn Config, grid: &Grid, edits: &Edits) -> u32 {
    let stale = stale(config, grid, edits);
    let mut scratch = OldScratch::new(stale.old.create_scratch());
    let (now, grid) = (stale.now.as_ref().unwrap(), stale.grid());
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let (mut dice, mut path) = (Dice::new(1), Path::new());
    let (mut asked, mut answered) = (0, 0);
    while asked < 400 {
        let trip =
            PathQuery::new(free[dice.below(free.len() as u64) as usize], free[dice.below(free.len() as u64) as usize]);
        if stale.may_connect(trip.start, trip.goal) && !stale.is_hop(grid, trip) {
            asked += 1;
            answered += u32::from(stale.ask(now, &mut scratch, trip, &mut path).unwrap());
        }
    }
    100 * answered / asked
}

#[test]
fn small_changes_leave_most_answers_to_the_index() {
    let grid = generate::rooms(129, 129, 16, 3).unwrap();
    let (mut closed, mut opened) = (Edits::new(), Edits::new());
    closed.block_rect((40, 40), (43, 43));
    let walls: Vec<Cell> = grid.cells().filter(|&cell| !grid.is_free(cell) && cell.x % 16 != 0).collect();
    opened.free(walls[walls.len() / 2]);
    let [labels, table]: [&dyn Config; 2] = [&crate::HubLabels::default(), &crate::CoreTable::default()];
    for (config, least) in [(labels, 80), (table, 40)] {
        let shares = [&closed, &opened].map(|edits| answered(config, &grid, edits));
        assert!(shares.iter().all(|&share| share >= least), "{}: {shares:?} %", config.about().name);
    }
    // If hardly any cell is unchanged, labels do not help.
    let mut all = Edits::new();
    for at in (2..127).step_by(4) {
        all.free_rect((at, 1), (at, 127));
    }
    assert!(answered(labels, &grid, &all) < 50);
}

/// Whether the index is used depends only on the two maps, not on earlier queries.
#[test]
fn an_index_that_hardly_answers_is_not_asked() {
    let grid = generate::rooms(129, 129, 16, 3).unwrap();
    let asks = |edits: &Edits| {
        let stale = stale(&crate::HubLabels::default(), &grid, edits);
        stale.asks_index(stale.now.as_ref().unwrap(), &mut OldScratch::new(stale.old.create_scratch()))
    };
    assert!(asks(Edits::new().block_rect((40, 40), (43, 43))), "one place");
    let scattered = |count: usize| {
        let free = grid.cells().filter(|&cell| grid.is_free(cell) && cell.x % 2 == 1 && cell.y % 2 == 1);
        free.step_by(grid.free_cells() as usize / 4 / count).map(|cell| (cell, false)).collect::<Edits>()
    };
    assert!(asks(&scattered(2 * FEW_PLACES)), "a few places that most paths avoid");
    assert!(!asks(&scattered(MOST_PLACES + 9)), "places everywhere");
    let mut doors = Edits::new();
    for at in (2..127).step_by(8) {
        doors.free_rect((at, 1), (at, 127));
    }
    assert!(!asks(&doors), "new doors that shorten most paths");
}
