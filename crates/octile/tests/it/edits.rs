//! Maps that change by many cells at a time, under planners that keep what they know of them.

use octile::{Cell, CornerSweep, Dice, Edits, Finder, Grid, Path, Query, generate};
use octile_testkit::judge;
use octile_testkit::oracle::Truth;

/// Planners that follow edits by other means than asking the map again.
const SPECS: [&str; 7] = [
    "corner-sweep",
    "corner-sweep:cache=on",
    "corner-sweep:cache=on,prune=gates,gates=always",
    "jump-graph",
    "jump-graph:contract=always,gates=always",
    "jump-graph:contract=never,gates=never",
    "core-search",
];

fn maps() -> Vec<Grid> {
    vec![
        generate::rooms(130, 90, 8, 1).unwrap(),
        generate::maze(70, 140, 3, 2).unwrap(),
        generate::random(120, 120, 30, 3).unwrap(),
        Grid::open(100, 129).unwrap(),
    ]
}

fn random_cell(grid: &Grid, random: &mut Dice) -> Cell {
    Cell::new(random.below(grid.width().into()) as u32, random.below(grid.height().into()) as u32)
}

fn random_free_cell(grid: &Grid, random: &mut Dice) -> Cell {
    (0..100_000).map(|_| random_cell(grid, random)).find(|&cell| grid.is_free(cell)).expect("some cell is free")
}

/// So many cells, the other way round.
fn random_edits(grid: &Grid, cells: usize, random: &mut Dice) -> Edits {
    let mut edits = Edits::new();
    for _ in 0..cells {
        let cell = random_cell(grid, random);
        if grid.is_free(cell) {
            edits.block(cell)
        } else {
            edits.free(cell)
        };
    }
    edits
}

#[test]
fn a_hundred_changed_cells_are_followed() {
    let mut random = Dice::new(7);
    for mut grid in maps() {
        let mut finders: Vec<Finder> = SPECS.iter().map(|&spec| Finder::new(spec, &grid).unwrap()).collect();
        let mut path = Path::new();
        for round in 0..6 {
            let edits = random_edits(&grid, if round % 2 == 0 { 100 } else { 3 }, &mut random);
            grid.apply(&edits).unwrap();
            for finder in &mut finders {
                finder.apply(&edits).unwrap();
            }
            for _ in 0..3 {
                let start = random_free_cell(&grid, &mut random);
                let truth = Truth::new(&grid, start);
                for _ in 0..40 {
                    let query = Query::new(start, random_free_cell(&grid, &mut random));
                    for finder in &mut finders {
                        judge::ask(finder, query, &mut path, &truth).unwrap();
                    }
                }
            }
        }
    }
}

/// A scratch with a cache may serve planners whose maps were the same once and are no longer.
#[test]
fn a_cache_bears_planners_that_part() {
    let mut random = Dice::new(8);
    for grid in maps() {
        let planner = CornerSweep::default().cache(true).planner(&grid).unwrap();
        let mut planners = [planner.clone(), planner.clone(), planner];
        let (mut scratch, mut path) = (planners[0].create_scratch(), Path::new());
        for _ in 0..60 {
            let which = random.below(planners.len() as u64) as usize;
            let planner = &mut planners[which];
            if random.hits(1, 2) {
                let edits = random_edits(planner.grid(), 4, &mut random);
                planner.apply(&edits).unwrap();
            }
            let start = random_free_cell(planner.grid(), &mut random);
            let truth = Truth::new(planner.grid(), start);
            for _ in 0..20 {
                let goal = random_free_cell(planner.grid(), &mut random);
                let query = Query::new(start, goal);
                let found = planner.plan(&mut scratch, query, &mut path).unwrap();
                assert_eq!(found.then(|| path.cost()), truth.on_cells(goal).map(Into::into), "{query:?}");
                if found {
                    path.check(planner.grid(), start, goal).unwrap();
                }
            }
        }
    }
}

/// A corridor longer than 32-bit costs are exact for: every planner must notice and go wide.
#[test]
fn paths_beyond_the_narrow_limit_are_exact() {
    let (width, rows) = (1001, 101);
    let corridor = |cell: Cell| cell.y & 1 == 0 || cell.x == [width - 1, 0][cell.y as usize / 2 % 2];
    let grid = Grid::from_fn(width, rows, corridor).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(width - 1, rows - 1));
    let mut path = Path::new();
    // Corridors so long that a single hop is a large part of what 32 bits hold, with dead ends.
    let comb =
        Grid::from_fn(60_000, 7, |cell| cell.y & 1 == 0 || cell.x == [59_999, 0, 30_000][cell.y as usize / 2]).unwrap();
    let ends = Query::new(Cell::new(0, 0), Cell::new(59_999, 6));
    for spec in SPECS.into_iter().filter(|spec| !spec.contains("gates=always")) {
        assert!(Finder::new(spec, &comb).unwrap().plan(ends, &mut path).unwrap(), "{spec}");
        assert_eq!(path.cost(), octile::Octile::new(2 * 59_999 + 2 * 30_000 - 1 + 6, 0), "{spec}");
        path.check(&comb, ends.start, ends.goal).unwrap();
    }
    for spec in SPECS.into_iter().chain(["jps", "jps:prune=gates,gates=always"]) {
        assert!(Finder::new(spec, &grid).unwrap().plan(query, &mut path).unwrap(), "{spec}");
        assert_eq!(path.cost(), octile::Octile::new(51 * 1000 + 100, 0), "{spec}");
        path.check(&grid, query.start, query.goal).unwrap();
    }
}
