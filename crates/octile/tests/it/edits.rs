//! Maps that change by many cells at a time, with planners that keep knowledge about them.

use octile::formats::generate;
use octile::geometry::Dice;
use octile::planner::OnEdit;
use octile::{Cell, CornerSweep, Edits, Finder, Grid, Path, PathQuery, Planner, TautSight};
use octile_testkit::judge;
use octile_testkit::oracle::Truth;

/// Planners that follow edits in other ways than by looking at the map again.
const SPECS: [&str; 9] = [
    "corner-sweep",
    "corner-sweep:cache=on",
    "corner-sweep:cache=on,prune=gates,gates=always",
    "jump-graph",
    "jump-graph:contract=always,gates=always",
    "jump-graph:contract=never,gates=never",
    "core-search",
    "terrain-jump",
    "terrain-jump:cache=on",
];

/// The keys of taut planners to test.
const LINES: [&str; 4] =
    ["squeeze=allowed", "squeeze=forbidden", "squeeze=allowed,ends=centres", "squeeze=forbidden,ends=centres"];

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

/// Edits that flip this many cells.
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
                    let query = PathQuery::new(start, random_free_cell(&grid, &mut random));
                    for finder in &mut finders {
                        judge::ask(finder, query, &mut path, &truth).unwrap();
                    }
                }
            }
        }
    }
}

/// Planners with pruners, on maps where edits first only block cells, and then free some too.
#[test]
fn pruners_follow_edits() {
    let areas = ["astar:", "dijkstra:", "weighted-astar:weight=1.5,"].map(|name| {
        ["blocked-areas", "gates,gates=always", "gates+blocked-areas,gates=always"]
            .map(|prune| format!("{name}prune={prune}"))
    });
    let gates = ["jps", "rea-star", "corner-sweep"].map(|name| format!("{name}:prune=gates,gates=always"));
    let specs: Vec<String> = areas.into_iter().flatten().chain(gates).collect();
    let maps = [
        generate::rooms(40, 33, 6, 1).unwrap(),
        generate::maze(34, 40, 2, 2).unwrap(),
        generate::random(30, 30, 25, 3).unwrap(),
        Grid::open(24, 31).unwrap(),
    ];
    let mut random = Dice::new(17);
    for mut grid in maps {
        let mut finders: Vec<Finder> = specs.iter().map(|spec| Finder::new(spec.as_str(), &grid).unwrap()).collect();
        assert!(finders.iter().all(|finder| finder.on_edit() == OnEdit::Follows));
        let mut path = Path::new();
        for round in 0..12 {
            let mut edits = Edits::new();
            for _ in 0..=random.below(3) {
                let cell = random_cell(&grid, &mut random);
                if round > 8 && random.hits(1, 2) {
                    edits.free(cell)
                } else {
                    edits.block(cell)
                };
            }
            grid.apply(&edits).unwrap();
            for finder in &mut finders {
                finder.apply(&edits).unwrap();
            }
            for _ in 0..4 {
                let start = random_free_cell(&grid, &mut random);
                let truth = Truth::new(&grid, start);
                for _ in 0..12 {
                    let query = PathQuery::new(start, random_free_cell(&grid, &mut random));
                    for finder in &mut finders {
                        judge::ask(finder, query, &mut path, &truth).unwrap();
                    }
                }
            }
        }
    }
}

/// Compares taut planners that followed edits with new ones for the same map.
#[test]
fn sight_of_corners_follows_a_hundred_changed_cells() {
    let mut random = Dice::new(9);
    for (grid, keys) in maps().into_iter().zip(LINES) {
        let specs = ["taut-sight:", "taut-sight:memory=0,", "taut-sight:memory=2kB,", "taut-graph:"];
        let mut finders = specs.map(|spec| Finder::new(format!("{spec}{keys}"), &grid).unwrap());
        for round in 0..8 {
            let edits = random_edits(finders[0].grid(), if round % 2 == 0 { 100 } else { 3 }, &mut random);
            for finder in &mut finders {
                finder.apply(&edits).unwrap();
            }
            let grid = finders[0].grid().clone();
            let mut fresh = Finder::new(format!("taut-graph:{keys}"), &grid).unwrap();
            for _ in 0..60 {
                let ends = [(); 2].map(|()| random_free_cell(&grid, &mut random));
                let expected = length(&mut fresh, ends);
                for finder in &mut finders {
                    let found = length(finder, ends);
                    assert!(is_same(found, expected), "{keys} {ends:?}: {found:?}, and not {expected:?}\n{grid:?}");
                }
            }
        }
    }
}

/// The length of a path that is legal, if there is one.
fn length(finder: &mut Finder, [start, goal]: [Cell; 2]) -> Option<f64> {
    let path = finder.find(start, goal).unwrap()?;
    path.check(finder.grid(), start, goal).unwrap();
    Some(path.length())
}

fn is_same(found: Option<f64>, expected: Option<f64>) -> bool {
    match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() <= judge::TOLERANCE * expected,
        _ => found.is_none() && expected.is_none(),
    }
}

/// A scratch with a cache may serve planners whose maps were equal once and have diverged.
#[test]
fn a_cache_serves_planners_whose_maps_diverge() {
    for grid in maps() {
        let corner_sweep = CornerSweep::default().cache(true).planner(&grid).unwrap();
        diverge(corner_sweep, 60, |grid| Finder::new("jps", grid).unwrap());
        let taut_sight = TautSight::default().planner(&grid).unwrap();
        diverge(taut_sight, 20, |grid| Finder::new("taut-graph", grid).unwrap());
    }
}

/// Lets copies of a planner take turns with one scratch, each with its own edits, and compares them with a new planner.
fn diverge(planner: Box<dyn Planner>, turns: u32, fresh: impl Fn(&Grid) -> Finder) {
    let mut random = Dice::new(8);
    let mut planners = [planner.clone(), planner.clone(), planner];
    let (mut scratch, mut path) = (planners[0].create_scratch(), Path::new());
    for _ in 0..turns {
        let which = random.below(planners.len() as u64) as usize;
        let planner = &mut planners[which];
        if random.hits(1, 2) {
            let edits = random_edits(planner.grid(), 4, &mut random);
            planner.apply(&edits).unwrap();
        }
        let mut fresh = fresh(planner.grid());
        let start = random_free_cell(planner.grid(), &mut random);
        for _ in 0..20 {
            let goal = random_free_cell(planner.grid(), &mut random);
            let found = planner.plan(&mut scratch, PathQuery::new(start, goal), &mut path).unwrap();
            let expected = length(&mut fresh, [start, goal]);
            assert!(is_same(found.then(|| path.length()), expected), "{start} {goal}");
            if found {
                path.check(planner.grid(), start, goal).unwrap();
            }
        }
    }
}

/// Maps of the maximum size, with the flattest and steepest rays.
#[test]
fn sight_is_exact_on_the_longest_maps() {
    let is_free = |along: u32, across: u32| across & 1 == 0 || along == [65_533, 0, 30_000][across as usize / 2];
    let maps = [
        (Grid::from_fn(65_534, 7, |cell| is_free(cell.x, cell.y)).unwrap(), Cell::new(65_533, 6)),
        (Grid::from_fn(7, 65_534, |cell| is_free(cell.y, cell.x)).unwrap(), Cell::new(6, 65_533)),
        (Grid::from_fn(65_534, 3, |cell| cell.y == 1 || cell.x % 16_384 > 3).unwrap(), Cell::new(65_533, 2)),
        (Grid::from_fn(3, 65_534, |cell| cell.x == 1 || cell.y % 16_384 > 3).unwrap(), Cell::new(2, 65_533)),
    ];
    for ((grid, goal), keys) in maps.iter().flat_map(|map| LINES.map(|keys| (map, keys))) {
        let lengths = ["taut-graph:", "taut-sight:"].map(|spec| {
            let mut finder = Finder::new(format!("{spec}{keys}"), grid).unwrap();
            length(&mut finder, [Cell::new(4, 1), *goal].map(|cell| free_near(grid, cell)))
        });
        assert!(lengths[0].is_some_and(|length| length > 65_000.0), "{keys} {lengths:?}");
        assert!(is_same(lengths[0], lengths[1]), "{keys} {lengths:?}");
    }
}

/// The cell, or the first free one.
fn free_near(grid: &Grid, cell: Cell) -> Cell {
    if grid.is_free(cell) { cell } else { grid.cells().find(|&cell| grid.is_free(cell)).unwrap() }
}

/// A corridor too long for exact 32-bit costs: every planner must notice and use wide costs.
#[test]
fn paths_beyond_the_narrow_limit_are_exact() {
    let (width, rows) = (1001, 101);
    let corridor = |cell: Cell| cell.y & 1 == 0 || cell.x == [width - 1, 0][cell.y as usize / 2 % 2];
    let grid = Grid::from_fn(width, rows, corridor).unwrap();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(width - 1, rows - 1));
    let mut path = Path::new();
    // Corridors so long that a single hop takes a large part of the 32-bit range, with dead ends.
    let comb =
        Grid::from_fn(60_000, 7, |cell| cell.y & 1 == 0 || cell.x == [59_999, 0, 30_000][cell.y as usize / 2]).unwrap();
    let ends = PathQuery::new(Cell::new(0, 0), Cell::new(59_999, 6));
    for spec in SPECS.into_iter().filter(|spec| !spec.contains("gates=always")) {
        assert!(Finder::new(spec, &comb).unwrap().plan(ends, &mut path).unwrap(), "{spec}");
        assert_eq!(path.cost(), octile::GridCost::new(2 * 59_999 + 2 * 30_000 - 1 + 6, 0), "{spec}");
        path.check(&comb, ends.start, ends.goal).unwrap();
    }
    for spec in SPECS.into_iter().chain(["jps", "jps:prune=gates,gates=always"]) {
        assert!(Finder::new(spec, &grid).unwrap().plan(query, &mut path).unwrap(), "{spec}");
        assert_eq!(path.cost(), octile::GridCost::new(51 * 1000 + 100, 0), "{spec}");
        path.check(&grid, query.start, query.goal).unwrap();
    }
}
