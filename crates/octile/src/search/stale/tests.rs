//! How often an index answers after an edit, and the traps of the argument.

use super::*;
use crate::engine::Finder;
use crate::formats::generate;
use crate::geometry::Dice;
use crate::search::Query;

fn cell(x: u32, y: u32) -> Cell {
    Cell::new(x, y)
}

/// The cost after edits of a map, by a planner whose index was made before.
fn cost(spec: &str, map: &str, edits: &Edits, ends: [Cell; 2]) -> Option<String> {
    let grid: Grid = map.parse().unwrap();
    let mut finder = Finder::new(spec, &grid).unwrap();
    finder.apply(edits).unwrap();
    let path = finder.find(ends[0], ends[1]).unwrap()?;
    path.check(finder.grid(), ends[0], ends[1]).unwrap();
    Some(path.cost().to_string())
}

const SPECS: [&str; 3] = ["hub-labels", "core-table", "cpd"];

/// Freeing a wall makes a diagonal move legal that does not enter it, and closing it bars that move.
#[test]
fn moves_count_and_not_cells() {
    for spec in SPECS {
        let ends = [cell(0, 0), cell(1, 1)];
        assert_eq!(cost(spec, ".@\n..", Edits::new().free((1, 0)), ends).unwrap(), "1√2", "{spec}");
        assert_eq!(cost(spec, "..\n..", Edits::new().block((1, 0)), ends).unwrap(), "2", "{spec}");
    }
}

/// Opening one of two walls gains nothing, opening both does.
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

/// On an open map there are no labels at all: distances to rims are those of direct hops.
#[test]
fn cells_that_see_each_other_need_no_labels() {
    for spec in SPECS {
        assert_eq!(cost(spec, "....@...", Edits::new().free((4, 0)), [cell(0, 0), cell(3, 0)]).unwrap(), "3", "{spec}");
        assert_eq!(cost(spec, "....@...", Edits::new().free((4, 0)), [cell(0, 0), cell(7, 0)]).unwrap(), "7", "{spec}");
        assert_eq!(cost(spec, "........", Edits::new().block((4, 0)), [cell(0, 0), cell(7, 0)]), None, "{spec}");
    }
}

/// What an index answers after an edit of a map, in hundredths of all queries that are not a direct hop.
fn answered(config: &str, grid: &Grid, edits: &Edits) -> u32 {
    let planner = config.parse::<crate::catalog::PlannerSpec>().unwrap().build(grid).unwrap();
    // A spec gives one that takes edits: by name it is the same.
    let mut planner: Box<dyn Planner> = planner;
    planner.apply(edits).unwrap();
    assert!(planner.is_stale());
    let mut scratch = planner.create_scratch();
    let free: Vec<Cell> = planner.grid().cells().filter(|&cell| planner.grid().is_free(cell)).collect();
    let (mut dice, mut path) = (Dice::new(1), Path::new());
    let (mut asked, mut vain) = (0, 0);
    while asked < 400 {
        let [start, goal] = [(); 2].map(|()| free[dice.below(free.len() as u64) as usize]);
        if !planner.grid().may_connect(start, goal) || hop_is_free(planner.grid(), start, goal) {
            continue;
        }
        planner.plan(&mut scratch, Query::new(start, goal), &mut path).unwrap();
        let scratch: &mut StaleScratch = scratch.get();
        asked += 1;
        vain += scratch.usefulness.vain & 1;
        // It is asked every time.
        scratch.usefulness = Usefulness::default();
    }
    100 - 100 * vain / asked
}

#[test]
fn small_changes_leave_most_answers_to_the_index() {
    let grid = generate::rooms(129, 129, 16, 3).unwrap();
    let (mut closed, mut opened) = (Edits::new(), Edits::new());
    closed.block_rect((40, 40), (43, 43));
    let walls: Vec<Cell> = grid.cells().filter(|&cell| !grid.is_free(cell) && cell.x % 16 != 0).collect();
    opened.free(walls[walls.len() / 2]);
    for (spec, least) in [("hub-labels", 80), ("core-table", 40)] {
        let shares = [&closed, &opened].map(|edits| answered(spec, &grid, edits));
        assert!(shares.iter().all(|&share| share >= least), "{spec}: {shares:?} %");
    }
    // Where hardly anything is as it was, labels are of no use.
    let mut all = Edits::new();
    for at in (2..127).step_by(4) {
        all.free_rect((at, 1), (at, 127));
    }
    assert!(answered("hub-labels", &grid, &all) < 50);
}

#[test]
fn what_is_asked_in_vain_is_asked_less() {
    let mut usefulness = Usefulness::default();
    for _ in 0..=Usefulness::MOST_VAIN {
        assert!(usefulness.is_worth_asking());
        usefulness.note(false);
    }
    assert_eq!((0..160).filter(|_| usefulness.is_worth_asking()).count(), 10);
    for _ in 0..32 {
        usefulness.note(true);
    }
    assert!(usefulness.is_worth_asking());
}
