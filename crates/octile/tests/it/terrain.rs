//! Maps with prices: every planner that supports them compared with the oracle, in exact counts, under both conventions
//! and all movement rules.
//!
//! ```text
//! OCTILE_TERRAIN_QUERIES=1000000 cargo test --release -p octile --test it terrain -- --nocapture
//! OCTILE_TERRAIN_EXHAUSTIVE=1 cargo test --release -p octile --test it terrain::every -- --nocapture
//! ```

use octile::geometry::Dice;
use octile::grid::{Convention, Squeeze};
use octile::{
    BuildError, Catalog, Cell, Edits, Engine, Finder, Grid, Guarantee, Movement, Output, Path, PathCost, PathQuery,
    services,
};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::{self, Truth};
use octile_testkit::{judge, maps, planners};

use octile_testkit::setting;

fn finders(grid: &Grid) -> Vec<Finder> {
    planners::specs(grid).map(|spec| Finder::new(spec, grid).unwrap()).collect()
}

/// The map whose cells are the digits of a number: walls and three prices.
fn numbered(width: u32, height: u32, mut number: u64, prices: [u8; 4], convention: Convention) -> Grid {
    let cells: Vec<u8> = (0..width * height)
        .map(|_| {
            let price = prices[(number % 4) as usize];
            number /= 4;
            price
        })
        .collect();
    Grid::from_prices(width, height, convention, |cell| cells[(cell.y * width + cell.x) as usize]).unwrap()
}

/// Asks all planners for all pairs of cells; returns the number of answers.
fn ask_about_all(grid: &Grid) -> u64 {
    let free = free_cells(grid);
    let (mut finders, mut path, mut answers) = (finders(grid), Path::new(), 0);
    for &start in &free {
        let truth = Truth::new(grid, start);
        for &goal in &free {
            for finder in &mut finders {
                judge::ask(finder, PathQuery::new(start, goal), &mut path, &truth)
                    .unwrap_or_else(|fault| panic!("{fault}\n{grid:?} {:?}", grid.convention()));
                answers += 1;
            }
        }
    }
    answers
}

/// All maps of 3 x 3 cells with walls and three prices, three times, and a regular sample of those of 4 x 3 cells; or
/// fewer of both.
#[test]
fn every_small_map_every_pair_every_planner() {
    let whole = std::env::var("OCTILE_TERRAIN_EXHAUSTIVE").is_ok();
    let slow = if cfg!(target_family = "wasm") { 20 } else { 1 };
    let tables = [[0, 1, 2, 5], [0, 1, 3, 255], [0, 9, 10, 11]];
    let (mut maps, mut answers) = (0_u64, 0);
    for (width, height, step) in
        [(3, 3, if whole { 1 } else { 997 * slow }), (4, 3, if whole { 61 } else { 99_991 * slow })]
    {
        for number in (0..4_u64.pow(width * height)).step_by(step) {
            let one = maps as usize % tables.len();
            let chosen = if whole && width == 3 { &tables[..] } else { &tables[one..=one] };
            for (&table, convention) in chosen.iter().flat_map(|table| Convention::ALL.map(|c| (table, c))) {
                let movement = Movement::ALL[[0, 0, 1, 2][(number / 7 % 4) as usize]];
                let grid = numbered(width, height, number, table, convention).with_movement(movement);
                answers += ask_about_all(&grid);
            }
            maps += 1;
        }
    }
    assert!(answers > 1000);
    println!("{maps} maps, {answers} answers, 0 wrong");
}

#[test]
fn random_queries_on_maps_of_all_textures() {
    let wanted: u64 = setting("OCTILE_TERRAIN_QUERIES", if cfg!(target_family = "wasm") { 400 } else { 4_000 });
    let mut dice = Dice::new(setting("OCTILE_RANDOM_SEED", 1));
    let (mut queries, mut answers, mut path) = (0, 0, Path::new());
    while queries < wanted {
        let grid = maps::with_prices(&mut dice, 17);
        let mut finders = finders(&grid);
        let free = free_cells(&grid);
        for _ in 0..free.len().min(3) {
            let truth = Truth::new(&grid, dice.choose(free.iter().copied()).unwrap());
            for &goal in free.iter().filter(|_| dice.hits(1, 4)) {
                for finder in &mut finders {
                    judge::ask(finder, PathQuery::new(truth.start(), goal), &mut path, &truth)
                        .unwrap_or_else(|fault| panic!("{fault}\n{grid:?} {:?}", grid.convention()));
                    answers += 1;
                }
                queries += 1;
            }
        }
    }
    println!("{queries} queries, {answers} answers, 0 wrong");
}

/// Prices and walls change, and change back.
#[test]
fn planners_follow_edits_of_prices() {
    let rounds = if cfg!(target_family = "wasm") { 6 } else { 60 };
    let mut dice = Dice::new(setting("OCTILE_RANDOM_SEED", 2));
    let (mut answers, mut path) = (0, Path::new());
    for _ in 0..rounds {
        let mut grid = maps::with_prices(&mut dice, 17);
        let (width, height) = (u64::from(grid.width()), u64::from(grid.height()));
        let mut finders = finders(&grid);
        for _ in 0..6 {
            let mut edits = Edits::new();
            for _ in 0..=dice.below(4) {
                let mut cell = || Cell::new(dice.below(width) as u32, dice.below(height) as u32);
                let (a, b) = (cell(), cell());
                let near = Cell::new(b.x.min(a.x + 3), b.y.min(a.y + 3));
                match dice.below(4) {
                    0 => edits.block_rect(a, near),
                    1 => edits.free_rect(a, near),
                    _ => edits.price_rect(a, near, dice.choose([1, 2, 5, 9, 60, 255].into_iter()).unwrap()),
                };
            }
            grid.apply(&edits).unwrap();
            let free = free_cells(&grid);
            for finder in &mut finders {
                finder.apply(&edits).unwrap();
            }
            let Some(start) = dice.choose(free.iter().copied()) else { continue };
            let truth = Truth::new(&grid, start);
            for &goal in free.iter().filter(|_| dice.hits(1, 8)) {
                for finder in &mut finders {
                    assert_eq!(*finder.grid(), grid);
                    judge::ask(finder, PathQuery::new(start, goal), &mut path, &truth)
                        .unwrap_or_else(|fault| panic!("{fault}\n{grid:?} {:?}", grid.convention()));
                    answers += 1;
                }
            }
        }
    }
    assert!(planners::is_restricted() || answers > 100, "{answers}");
}

/// Every output has the requested form, and all forms cost the same.
#[test]
fn outputs_agree_on_what_a_path_costs() {
    let grid: Grid = "1155\n1@95\n1119".parse().unwrap();
    for (convention, spec) in Convention::ALL.into_iter().flat_map(|c| planners::specs(&grid).map(move |s| (c, s))) {
        let grid = grid.with_convention(convention);
        let mut finder = Finder::new(spec, &grid).unwrap();
        let mut path = Path::new();
        for (goal, is_same) in [(Cell::new(3, 0), false), (Cell::new(0, 2), true)] {
            let start = Cell::new(0, 2);
            let costs = [Output::Cost, Output::Waypoints, Output::Cells].map(|output| {
                assert!(finder.plan(PathQuery::new(start, goal).output(output), &mut path).unwrap());
                if output != Output::Cost {
                    path.check(&grid, start, goal).unwrap();
                }
                path.cost()
            });
            assert!(costs.iter().all(|&cost| cost == costs[0]), "{spec} {costs:?}");
            assert!(matches!(costs[0], PathCost::Priced { .. }));
            assert_eq!(costs[0].length() == 0.0, is_same);
        }
    }
}

/// Costs too large for 32 bits, for the intermediate units, and for any unit.
#[test]
fn large_prices_are_exact_or_refused() {
    let comb = |width: u32, rows: u32, price: u8| {
        let is_way = move |cell: Cell| cell.y.is_multiple_of(2) || cell.x == [width - 1, 0][cell.y as usize / 2 % 2];
        // One cell is cheaper, so that prices have no common divisor.
        Grid::from_prices(width, rows, Convention::Average, move |cell| match is_way(cell) {
            true if cell == Cell::new(0, 0) => price - 1,
            true => price,
            false => 0,
        })
        .unwrap()
    };
    let rows = if cfg!(debug_assertions) { 21 } else { 101 };
    for (width, rows, price) in [(101, 11, 11), (101, rows, 255), (1001, rows, 255)] {
        let grid = comb(width, rows, price);
        let goal = Cell::new(if rows / 2 % 2 == 0 { width - 1 } else { 0 }, rows - 1);
        let moves = (width - 1) * (rows / 2 + 1) + rows - 1;
        let p = u32::from(price);
        let counts = octile::GridCost::new(2 * (2 * p - 1) + (moves - 1) * 4 * p, 0);
        for spec in planners::specs(&grid) {
            let path = Engine::new(spec, &grid).unwrap().find((0, 0), goal).unwrap().unwrap();
            assert_eq!(path.cost(), oracle::cost(&grid, counts), "{spec} {width} x {rows}");
            path.check(&grid, Cell::new(0, 0), goal).unwrap();
        }
    }
}

#[test]
fn planners_without_prices_refuse_by_name() {
    let grid: Grid = "12\n21".parse().unwrap();
    let plain = grid.without_prices();
    let taking: Vec<&str> = planners::specs(&grid).collect();
    assert!(["dijkstra", "astar", "weighted-astar:weight=1.5"].iter().all(|spec| taking.contains(spec)), "{taking:?}");
    let mut refusing = 0;
    for spec in planners::specs(&plain).filter(|spec| !taking.contains(spec)) {
        match Engine::new(spec, &grid).map(|_| ()) {
            Err(BuildError::Terrain { planner }) => assert!(planner.starts_with(spec.split(':').next().unwrap())),
            other => panic!("{spec}: {other:?}"),
        }
        refusing += 1;
    }
    assert!(refusing > 10);
}

/// Indexes, pruners and straight lines do not support prices, and refuse them with a clear error.
#[test]
fn indexes_and_any_angle_lines_refuse_prices() {
    let grid: Grid = "1212\n2121\n1111".parse().unwrap();
    for kind in Catalog::standard().indexes().iter().filter(|kind| !kind.is_for_all_maps()) {
        match kind.build_for(&grid) {
            Err(error @ BuildError::IndexTerrain { .. }) => assert!(error.to_string().contains(kind.kind), "{error}"),
            other => panic!("{}: {other:?}", kind.kind),
        }
        assert!(kind.build_for(&grid.without_prices()).is_ok(), "{}", kind.kind);
    }
    for spec in ["astar:prune=gates", "dijkstra:prune=blocked-areas", "astar:smooth=greedy", "astar:on=corners"] {
        assert!(matches!(Engine::new(spec, &grid), Err(BuildError::Terrain { .. })), "{spec}");
    }
    let planner = || octile::Astar::default().planner(&grid).unwrap();
    let smoothed = Engine::of(services::centred(services::smoothed(planner(), Squeeze::Allowed)));
    let mut path = smoothed.find((0, 0), (3, 2)).unwrap().unwrap();
    assert!(smoothed.guarantee() == Guarantee::GridOptimal && matches!(path.cost(), PathCost::Priced { .. }));
    let before = path.clone();
    path.smooth(&grid, Squeeze::Allowed);
    path.smooth(&grid.without_prices(), Squeeze::Allowed);
    assert_eq!(path, before);
}

/// `auto` chooses a planner that supports the map and answers right.
#[test]
fn auto_chooses_a_planner_that_takes_prices() {
    for convention in Convention::ALL {
        let grid = "1922\n19@2\n1111".parse::<Grid>().unwrap().with_convention(convention);
        let engine = Engine::new("auto:changes=yes", &grid).unwrap();
        assert!(engine.chosen().unwrap().takes_terrain());
        assert!(matches!(Engine::new("auto:paths=any-angle", &grid), Err(BuildError::Terrain { .. })));
        engine.apply(Edits::new().price((1, 0), 1)).unwrap();
        let truth = Truth::new(&engine.grid(), Cell::new(0, 0));
        let path = engine.find((0, 0), (3, 0)).unwrap().unwrap();
        assert_eq!(path.cost().counts(), truth.on_cells(Cell::new(3, 0)));
    }
}

/// An edit reassigns node numbers within a tile: data remembered for a node must not be used for another one.
#[test]
fn caches_follow_nodes_whose_numbers_change() {
    let strip = |(width, height): (u32, u32), dear: &[(u32, u32)], convention| {
        Grid::from_prices(width, height, convention, |cell| if dear.contains(&(cell.x, cell.y)) { 255 } else { 1 })
            .unwrap()
    };
    let long = strip((37, 3), &[(0, 0), (17, 0), (14, 2)], Convention::Average).with_movement(Movement::OctileCutting);
    let short = strip((6, 2), &[(5, 1), (0, 0)], Convention::Average);
    for (grid, first, last) in [(long, (0, 1), (36, 2)), (short, (0, 1), (5, 1))] {
        let mut finder = Finder::new("terrain-jump:cache=on", &grid).unwrap();
        for _ in 0..2 {
            let free = free_cells(finder.grid());
            let mut path = Path::new();
            for truth in Truth::of_all(&finder.grid().clone(), free.iter().copied()) {
                for &goal in &free {
                    judge::ask(&mut finder, PathQuery::new(truth.start(), goal), &mut path, &truth).unwrap();
                }
            }
            finder.apply(Edits::new().block_rect(first, last)).unwrap();
        }
    }
}

/// An expensive door opens and closes in one edit: no cell changes, but the common divisor of the prices does.
#[test]
fn edits_without_effect_change_no_answer() {
    let price = |cell: Cell| {
        if (cell.x, cell.y) == (0, 0) {
            5
        } else if cell.x < 20 {
            6
        } else {
            12
        }
    };
    let mut builder = Grid::from_prices(40, 30, Convention::Enter, price).unwrap().edit();
    builder.set((0, 0), false);
    let grid = builder.build();
    let truth = Truth::new(&grid, Cell::new(1, 1));
    for spec in planners::specs(&grid).chain(["terrain-jump:cache=on"]) {
        let (mut finder, engine) = (Finder::new(spec, &grid).unwrap(), Engine::new(spec, &grid).unwrap());
        let mut path = Path::new();
        for _ in 0..2 {
            judge::ask(&mut finder, PathQuery::new((1, 1), (38, 20)), &mut path, &truth).unwrap();
            finder.apply(Edits::new().free((0, 0)).block((0, 0))).unwrap();
        }
        // The same during a renewal: missed edits are applied together.
        let before = engine.find((1, 1), (38, 20)).unwrap().unwrap().cost();
        let mut renewal = engine.renew_by_slices();
        assert!(renewal.run(std::time::Duration::ZERO).is_none(), "{spec}");
        engine.apply(Edits::new().free((0, 0))).unwrap();
        engine.apply(Edits::new().block((0, 0))).unwrap();
        renewal.run(std::time::Duration::MAX).unwrap().unwrap();
        assert_eq!(engine.find((1, 1), (38, 20)).unwrap().unwrap().cost(), before, "{spec}");
    }
}
