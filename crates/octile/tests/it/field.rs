//! Distance fields compared with the naive search: small maps, random maps, and maps that change.

use octile::formats::generate;
use octile::geometry::Dice;
use octile::grid::Convention;
use octile::services::distances;
use octile::{Cell, Edits, Field, Grid, GridCost, Movement, Output, Path};
use octile_testkit::maps::free_cells;
use octile_testkit::{maps, oracle};

/// Asserts that all costs agree with the oracle, and that paths have these costs.
fn check(field: &Field) {
    let grid = field.grid();
    let goals: Vec<Cell> = field.goals().iter().copied().filter(|&goal| grid.is_free(goal)).collect();
    let truth = oracle::distances_to(grid, &goals);
    let mut path = Path::new();
    for cell in grid.cells() {
        let cost: Option<GridCost> = truth.get(&cell).copied();
        assert_eq!(field.cost(cell), cost, "{cell} to {goals:?}\n{grid:?}");
        assert_eq!(field.path(cell, Output::Waypoints, &mut path), cost.is_some());
        if let Some((goal, cost)) = field.goal(cell).zip(cost) {
            path.check(grid, cell, goal).unwrap();
            assert!(goals.contains(&goal));
            assert_eq!((path.cost(), field.path_cost(cell)), (oracle::cost(grid, cost), Some(path.cost())));
            assert_eq!(field.length(cell), Some(path.length()));
        }
    }
}

/// Every seventh map of 4 x 3 cells under every rule, with each free cell as a goal.
#[test]
fn small_maps_agree_with_the_oracle() {
    for pattern in (0..4096_u32).step_by(7) {
        let grid = Grid::from_fn(4, 3, |cell| pattern >> (cell.y * 4 + cell.x) & 1 == 0).unwrap();
        for grid in Movement::ALL.map(|movement| grid.with_movement(movement)) {
            for goal in grid.cells().filter(|&cell| grid.is_free(cell)) {
                check(&Field::new(&grid, &[goal]).unwrap());
            }
        }
    }
}

#[test]
fn maps_that_change_agree_with_the_oracle() {
    let maps = [generate::random(40, 30, 25, 1), generate::rooms(45, 33, 7, 2), generate::open(30, 30)];
    for grid in maps.into_iter().flat_map(|grid| Movement::ALL.map(|rule| grid.clone().unwrap().with_movement(rule))) {
        let mut dice = Dice::new(5);
        let free = free_cells(&grid);
        let goals = [0; 3].map(|_| free[dice.below(free.len() as u64) as usize]);
        let mut field = Field::new(&grid, &goals).unwrap();
        check(&field);
        for round in 0..12 {
            let x = dice.below(u64::from(grid.width()) - 6) as u32;
            let y = dice.below(u64::from(grid.height()) - 6) as u32;
            let mut edits = Edits::new();
            match round % 3 {
                0 => edits.block_rect((x, y), (x + 5, y + 3)),
                1 => edits.free_rect((x, y), (x + 4, y + 5)),
                _ => edits.block_rect((x, 0), (x, grid.height() - 1)).free((x, y)),
            };
            field.apply(&edits).unwrap();
            check(&field);
        }
    }
}

/// Distances from a cell are those of paths that start there; over terrain they may differ from the way back.
fn check_from(grid: &Grid, source: Cell) {
    let (truth, found, mut path) = (oracle::distances(grid, source), distances(grid, source), Path::new());
    for cell in grid.cells() {
        assert_eq!(found.cost(cell), truth.get(&cell).copied(), "{source} to {cell}\n{grid:?}");
        if found.path(cell, Output::Cells, &mut path) {
            path.check(grid, source, cell).unwrap();
            assert_eq!(Some(path.cost()), found.path_cost(cell));
        }
    }
}

/// Some maps of 4 x 3 cells with walls and three prices, with each free cell as a goal.
#[test]
fn small_maps_with_prices_agree_with_the_oracle() {
    let step = if cfg!(target_family = "wasm") { 900_001 } else { 90_001 };
    for (number, pattern) in (0..4_u32.pow(12)).step_by(step).enumerate() {
        let prices = [[0, 1, 2, 5], [0, 1, 3, 255], [0, 9, 10, 11], [0, 20, 40, 200]][number % 4];
        let price = |cell: Cell| prices[(pattern >> (cell.y * 8 + cell.x * 2) & 3) as usize];
        for (movement, convention) in Movement::ALL.into_iter().flat_map(|m| Convention::ALL.map(|c| (m, c))) {
            let grid = Grid::from_prices(4, 3, convention, price).unwrap().with_movement(movement);
            for goal in grid.cells().filter(|&cell| grid.is_free(cell)) {
                check(&Field::new(&grid, &[goal]).unwrap());
                check_from(&grid, goal);
            }
        }
    }
}

/// Walls and prices change.
#[test]
fn terrain_that_changes_agrees_with_the_oracle() {
    let mut dice = Dice::new(9);
    for _ in 0..if cfg!(target_family = "wasm") { 6 } else { 60 } {
        let grid = maps::with_prices(&mut dice, 30);
        let free = free_cells(&grid);
        let Some(goal) = dice.choose(free.iter().copied()) else { continue };
        let goals = [goal, dice.choose(free.iter().copied()).unwrap()];
        let mut field = Field::new(&grid, &goals).unwrap();
        check(&field);
        check_from(&grid, goal);
        for round in 0..8 {
            let mut cell = || dice.choose(grid.cells()).unwrap();
            let (a, b) = (cell(), cell());
            let near = Cell::new(b.x.min(a.x + 3), b.y.min(a.y + 3));
            let mut edits = Edits::new();
            match round % 4 {
                0 => edits.block_rect(a, near),
                1 => edits.free_rect(a, near),
                _ => edits.price_rect(a, near, dice.choose([1, 2, 9, 60, 255].into_iter()).unwrap()),
            };
            field.apply(&edits).unwrap();
            check(&field);
        }
    }
}
