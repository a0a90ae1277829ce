//! Distance fields against the naive search: small maps, random ones, and maps that change.

use octile::{Cell, Dice, Edits, Field, Grid, Movement, Octile, Output, Path, generate};
use octile_testkit::oracle;

/// Asserts that all costs are those of the oracle, and that paths keep to them.
fn check(field: &Field) {
    let grid = field.grid();
    let goals: Vec<Cell> = field.goals().iter().copied().filter(|&goal| grid.is_free(goal)).collect();
    let truth = oracle::distances_to(grid, &goals);
    let mut path = Path::new();
    for cell in grid.cells() {
        let cost: Option<Octile> = truth.get(&cell).copied();
        assert_eq!(field.cost(cell), cost, "{cell} to {goals:?}\n{grid:?}");
        assert_eq!(field.path(cell, Output::Waypoints, &mut path), cost.is_some());
        if let Some((goal, cost)) = field.goal(cell).zip(cost) {
            path.check(grid, cell, goal).unwrap();
            assert!(goals.contains(&goal) && path.cost() == cost);
        }
    }
}

/// Every seventh map of 4 x 3 cells under every rule, each free cell a goal.
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
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
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
