use super::flow::SAFE_STEP;
use super::*;
use crate::formats::generate;
use crate::geometry::Dice;
use crate::geometry::units::Units;
use crate::grid::{Convention, Movement};

/// The costs to the goals or from them, by passes over all moves until no cost changes.
fn naive_costs(grid: &Grid, goals: &[Cell], greatest: f64, orientation: Orientation) -> Vec<Option<GridCost>> {
    let index = |cell: Cell| (cell.y * grid.width() + cell.x) as usize;
    let mut costs: Vec<Option<GridCost>> = vec![None; grid.cells().len()];
    for &goal in goals.iter().filter(|&&goal| grid.is_free(goal) && greatest >= 0.0) {
        costs[index(goal)] = Some(GridCost::ZERO);
    }
    loop {
        let before = costs.clone();
        for cell in grid.cells() {
            for dir in grid.moves(cell) {
                let to = dir.step(cell, 1);
                let step = if orientation.is_back() {
                    grid.move_counts(cell, dir)
                } else {
                    grid.move_counts(to, dir.opposite())
                };
                let through = costs[index(to)].map(|cost| cost + step);
                let through = through.filter(|&cost| grid.cost_of_counts(cost).length() <= greatest);
                costs[index(cell)] = [costs[index(cell)], through].into_iter().flatten().min();
            }
        }
        if costs == before {
            return costs;
        }
    }
}

/// The cost and the next step of every cell.
fn answers(field: &Field) -> Vec<(Option<GridCost>, Option<Dir>)> {
    field.grid().cells().map(|cell| (field.cost(cell), field.next(cell))).collect()
}

fn random_free_cells(grid: &Grid, count: usize, dice: &mut Dice) -> Vec<Cell> {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let count = if free.is_empty() { 0 } else { count };
    (0..count).map(|_| free[dice.below(free.len() as u64) as usize]).collect()
}

/// Checks the costs, and that next steps and paths agree with them.
fn check(field: &Field, greatest: f64) {
    let (grid, mut path) = (field.grid(), Path::new());
    let truth = naive_costs(grid, field.goals(), greatest, Orientation::ToGoals);
    for (cell, truth) in grid.cells().zip(truth) {
        assert_eq!(field.cost(cell), truth, "{cell} to {:?} within {greatest}\n{grid:?}", field.goals());
        assert_eq!(field.path(cell, Output::Cells, &mut path), truth.is_some());
        if let Some(cost) = truth {
            let goal = field.goal(cell).unwrap();
            assert!(field.goals().contains(&goal));
            path.check(grid, cell, goal).unwrap();
            assert_eq!(path.cost(), grid.cost_of_counts(cost));
            assert_eq!(field.length(cell), Some(path.length()));
        }
    }
}

/// Every fifth map of 4 x 3 cells under every rule, with one goal and with two.
#[test]
fn costs_of_small_maps_are_exact() {
    for pattern in (0..4096_u32).step_by(5) {
        for movement in Movement::ALL {
            let grid = Grid::from_fn(4, 3, |cell| pattern >> (cell.y * 4 + cell.x) & 1 == 0).unwrap();
            let grid = grid.with_movement(movement);
            let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
            for (number, &goal) in free.iter().enumerate() {
                check(&Field::new(&grid, &[goal]).unwrap(), f64::INFINITY);
                let goals = [goal, free[(number * 7 + pattern as usize) % free.len()]];
                check(&Field::within(&grid, &goals, 2.5).unwrap(), 2.5);
            }
        }
    }
}

fn random_maps() -> impl Iterator<Item = (Grid, Dice)> {
    (0..8).flat_map(|seed| {
        Movement::ALL.map(|movement| {
            let grid = match seed % 4 {
                0 => generate::random(29, 23, 30, seed),
                1 => generate::random(31, 27, 10, seed),
                2 => generate::rooms(30, 25, 6, seed),
                _ => generate::maze(25, 27, 2, seed),
            };
            (grid.unwrap().with_movement(movement), Dice::new(seed))
        })
    })
}

/// Random maps with terrain costs: few, many, with and without a common divisor; under both conventions.
fn random_terrain() -> impl Iterator<Item = (Grid, Dice)> {
    let tables: [&[u8]; 5] = [&[1, 2], &[20, 50, 200], &[1, 255], &[7], &[3, 4, 5, 6, 7, 8, 9, 10, 11]];
    random_maps().zip(0..).map(move |((grid, mut dice), number)| {
        let (prices, convention) = (tables[number % 5], Convention::ALL[number / 3 % 2]);
        let patch = 1 + number as u32 % 4;
        let kinds: Vec<u8> = (0..1024).map(|_| dice.choose(prices.iter().copied()).unwrap()).collect();
        let kind = |cell: Cell| kinds[(cell.x / patch + cell.y / patch * 32) as usize];
        (grid.with_prices(convention, kind), dice)
    })
}

/// Small maps with expensive cells.
#[test]
fn costs_of_small_maps_with_terrain_are_exact() {
    for pattern in (0..u32::MAX).step_by(8_000_001) {
        for (movement, convention) in Movement::ALL.into_iter().flat_map(|m| Convention::ALL.map(|c| (m, c))) {
            let price = |cell: Cell| [0, 1, 2, 9, 1, 255, 3, 1][(pattern >> (cell.y * 8 + cell.x * 2) & 7) as usize];
            let grid = Grid::from_prices(4, 4, convention, price).unwrap().with_movement(movement);
            let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
            for (number, &goal) in free.iter().enumerate().step_by(3) {
                check(&Field::new(&grid, &[goal]).unwrap(), f64::INFINITY);
                let goals = [goal, free[(number * 7 + pattern as usize) % free.len()]];
                check(&Field::within(&grid, &goals, 9.5).unwrap(), 9.5);
                check_distances(&grid, goal);
            }
        }
    }
}

/// Checks distances from a cell, and the paths.
fn check_distances(grid: &Grid, source: Cell) {
    let truth = naive_costs(grid, &[source], f64::INFINITY, Orientation::FromGoals);
    let (distances, mut path) = (distances(grid, source), Path::new());
    for (cell, truth) in grid.cells().zip(truth) {
        assert_eq!(distances.cost(cell), truth, "{source} to {cell}\n{grid:?}");
        assert_eq!(distances.path(cell, Output::Cells, &mut path), truth.is_some());
        if truth.is_some() {
            path.check(grid, source, cell).unwrap();
            assert_eq!(Some(path.cost()), distances.path_cost(cell));
        }
    }
}

#[test]
fn distances_from_a_cell_are_exact() {
    for (grid, mut dice) in random_maps().step_by(3).chain(random_terrain()) {
        for source in random_free_cells(&grid, 2, &mut dice) {
            check_distances(&grid, source);
        }
    }
    assert_eq!(distances(&Grid::open(2, 2).unwrap(), (2, 0)).source(), None);
}

#[test]
fn costs_of_random_maps_are_exact_up_to_any_limit() {
    for (grid, mut dice) in random_maps().chain(random_terrain()) {
        for count in [0, 1, 3, 40] {
            let goals = random_free_cells(&grid, count, &mut dice);
            for greatest in [f64::INFINITY, 9.0, 5.0 * std::f64::consts::SQRT_2, 0.0, -1.0, f64::NAN] {
                check(&Field::within(&grid, &goals, greatest).unwrap(), greatest);
            }
        }
    }
}

/// The limit compares with the length that a program sees, to the last digit.
#[test]
fn a_limit_is_exact() {
    let grid = Grid::open(40, 40).unwrap();
    let whole = Field::new(&grid, &[(0, 0)]).unwrap();
    for cell in grid.cells() {
        let length = whole.cost(cell).unwrap().length();
        for (greatest, is_in) in [(length, true), (length.next_down(), false), (length.next_up(), true)] {
            assert_eq!(Field::within(&grid, &[(0, 0)], greatest).unwrap().cost(cell).is_some(), is_in, "{cell}");
        }
        assert_eq!(Labels::<Wide>::new(&grid, length).limit, whole.cost(cell).map(Wide::encode));
    }
    for (grid, mut dice) in random_terrain().step_by(2) {
        let goals = random_free_cells(&grid, 1, &mut dice);
        let whole = Field::new(&grid, &goals).unwrap();
        for cell in grid.cells().filter(|cell| cell.x % 7 == 0) {
            let Some(length) = whole.length(cell) else { continue };
            for (greatest, is_in) in [(length, true), (length.next_down(), length == 0.0), (length.next_up(), true)] {
                let greatest = if length == 0.0 { length } else { greatest };
                assert_eq!(Field::within(&grid, &goals, greatest).unwrap().cost(cell).is_some(), is_in, "{cell}");
            }
        }
    }
}

/// The field equals a new one after each of many changes: single cells, and buildings that come and go.
#[test]
fn edited_fields_equal_new_ones() {
    for (grid, mut dice) in random_maps().chain(random_terrain()) {
        let far = if grid.convention().is_some() { 70.5 } else { 12.5 };
        for greatest in [f64::INFINITY, far] {
            let goals = random_free_cells(&grid, 3, &mut dice);
            let mut field = Field::within(&grid, &goals, greatest).unwrap();
            let mut repaired = field.clone();
            for round in 0..30 {
                let mut edits = random_edits(&grid, round, &mut dice);
                if grid.convention().is_some() && round % 3 != 0 {
                    let mut cell = || dice.choose(grid.cells()).unwrap();
                    let (a, b) = (cell(), cell());
                    let b = if round % 2 == 0 { Cell::new(b.x.min(a.x + 4), b.y.min(a.y + 4)) } else { a };
                    edits.price_rect(a, b, dice.choose([1, 2, 20, 60, 255].into_iter()).unwrap());
                }
                let before = field.grid().clone();
                let changes = field.apply(&edits).unwrap();
                assert!(if changes { before.changes_under(&edits) } else { before == *field.grid() });
                // As if it had reached so many cells that a search from the goals never pays.
                either!(&mut repaired.labels, labels => labels.reached = usize::MAX);
                repaired.apply(&edits).unwrap();
                let mut expected = Field::empty(field.grid(), Orientation::ToGoals, greatest);
                expected.goals = goals.clone();
                expected.fill();
                assert_eq!(answers(&field), answers(&expected), "round {round} of {edits:?}\n{before:?}");
                assert_eq!(answers(&repaired), answers(&expected), "round {round} of {edits:?}\n{before:?}");
            }
            assert_eq!(field.goals(), goals);
        }
    }
}

fn random_edits(grid: &Grid, round: u32, dice: &mut Dice) -> Edits {
    let mut cell = || Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
    let (a, b) = (cell(), cell());
    let near = Cell::new(b.x.min(a.x + 4), b.y.min(a.y + 4));
    let mut edits = Edits::new();
    match round % 5 {
        0 => edits.block_rect(a, near),
        1 => edits.free_rect(a, near),
        2 => edits.block(a).free(b),
        3 => edits.free(a).block_rect(a, near).free(near),
        _ => {
            edits.extend((0..20).map(|number| (cell(), number % 2 == 0)));
            &mut edits
        }
    };
    edits
}

#[test]
fn blocked_goals_count_again_when_freed() {
    let mut field = Field::new(&Grid::open(9, 1).unwrap(), &[(0, 0), (8, 0)]).unwrap();
    field.apply(Edits::new().block((0, 0))).unwrap();
    assert_eq!((field.cost((0, 0)), field.cost((1, 0))), (None, Some(GridCost::new(7, 0))));
    assert!(matches!(field.set_goals(&[(0, 0)]), Err(QueryError::Blocked { .. })));
    field.apply(Edits::new().free((0, 0))).unwrap();
    assert_eq!((field.cost((0, 0)), field.cost((1, 0))), (Some(GridCost::ZERO), Some(GridCost::new(1, 0))));
}

/// A corridor of one cell that winds through the whole map.
fn snake(width: u32, height: u32) -> Grid {
    let is_turn = |cell: Cell| cell.x == if cell.y % 4 == 1 { width - 1 } else { 0 };
    Grid::from_fn(width, height, |cell| cell.y % 2 == 0 || is_turn(cell)).unwrap()
}

#[test]
fn paths_too_long_for_32_bits_are_exact() {
    let grid = snake(500, 401);
    let mut field = Field::new(&grid, &[(0, 0)]).unwrap();
    assert!(matches!(field.labels, Widths::Wide(_)), "100,700 moves do not fit 32 bits");
    let last = Cell::new(499, 400);
    assert_eq!(field.cost(last), Some(GridCost::new(200 * 501 + 499, 0)));
    let mut path = Path::new();
    assert!(field.path(last, Output::Waypoints, &mut path));
    path.check(&grid, last, Cell::new(0, 0)).unwrap();
    field.set_goals(&[(3, 400)]).unwrap();
    assert_eq!(field.cost(last), Some(GridCost::new(496, 0)));
    // Doors open a shortcut, and close again.
    let doors = |open| (0..200).map(|row| ((250, 2 * row + 1), open)).collect::<Edits>();
    let before = answers(&field);
    field.apply(&doors(true)).unwrap();
    let mut short = Field::new(field.grid(), &[(3, 400)]).unwrap();
    assert!(matches!(short.labels, Widths::Narrow(_)));
    assert_eq!(answers(&field), answers(&short));
    short.apply(&doors(false)).unwrap();
    assert!(matches!(short.labels, Widths::Wide(_)), "an edit has made paths that long");
    assert_eq!(answers(&short), before);
}

/// Terrain costs too large for 32 bits, and for any number of bits; all set by an edit, and reset.
#[test]
fn costs_over_terrain_are_exact_or_refused() {
    let comb = snake(500, 401);
    for convention in Convention::ALL {
        // One cell is cheaper, so that there is no common divisor.
        let grid = comb.with_prices(convention, |cell| if cell == Cell::new(0, 0) { 1 } else { 2 });
        let mut field = Field::new(&grid, &[(0, 0)]).unwrap();
        assert!(matches!(field.labels, Widths::Wide(_)));
        let (last, moves) = (Cell::new(499, 400), 200 * 501 + 499);
        let counts = |price: u32| match convention {
            Convention::Average => GridCost::new((moves - 1) * 4 * price + 2 * (price + 1), 0),
            Convention::Enter => GridCost::new((moves - 1) * price + 1, 0),
        };
        assert_eq!(field.cost(last), Some(counts(2)));
        field.apply(Edits::new().price_rect((0, 0), last, 255).price((0, 0), 1)).unwrap();
        assert_eq!((field.cost(last), field.is_cut()), (Some(counts(255)), false));
        assert!(distances(field.grid(), (0, 0)).cost(last).is_some());
    }
    // 1,003,000 moves of 255 in quarters are more than the widest units distinguish.
    let (width, height) = (1000, 2005);
    let grid = snake(width, height).with_prices(Convention::Average, |cell| if cell.x == 0 { 254 } else { 255 });
    assert_eq!(Field::new(&grid, &[(0, 0)]).unwrap_err(), QueryError::TooDear);
    let mut field = Field::within(&grid, &[(0, 0)], 1e8).unwrap();
    assert!(!field.is_cut());
    assert_eq!(field.set_goals(&[(0, 0)]), Ok(()));
    let cheap = grid.with_prices(Convention::Average, |cell| if cell.x == 0 { 2 } else { 3 });
    let mut field = Field::new(&cheap, &[(0, 0)]).unwrap();
    let last = field.grid().cells().filter(|&cell| field.cost(cell).is_some()).max_by_key(|&cell| field.cost(cell));
    field.apply(Edits::new().price_rect((0, 0), (width - 1, height - 1), 255).price((1, 0), 254)).unwrap();
    assert!(field.is_cut() && field.cost(last.unwrap()).is_none() && field.cost((width - 1, 0)).is_some());
    assert!(distances(field.grid(), (0, 0)).cost(last.unwrap()).is_none());
    field.apply(Edits::new().block((width - 1, 1))).unwrap();
    assert!(!field.is_cut(), "all other cells are unreachable");
    field.apply(Edits::new().free((width - 1, 1)).price_rect((0, 0), (width - 1, height - 1), 2)).unwrap();
    assert!(!field.is_cut() && field.cost(last.unwrap()).is_some());
}

/// Walks a unit along the directions from a point, and asserts that it hits nothing and arrives.
fn walk(field: &Field, (mut x, mut y): (f64, f64), step: f64) {
    let (grid, start) = (field.grid(), (x, y));
    let mut cell = Cell::new(x as u32, y as u32);
    let mut least = field.cost(cell).unwrap();
    let mut path = Path::new();
    assert!(field.path(cell, Output::Cells, &mut path));
    let moves = path.points().unwrap().len();
    for _ in 0..(10.0 * (moves as f64 + 1.0) / step) as u64 {
        if field.cost(cell) == Some(GridCost::ZERO) {
            return;
        }
        let (dx, dy) = field.direction(x, y).unwrap_or_else(|| panic!("{start:?}: at {x} {y}\n{grid:?}"));
        assert!(((dx * dx + dy * dy) - 1.0).abs() < 1e-9);
        (x, y) = (x + step * dx, y + step * dy);
        let to = Cell::new(x as u32, y as u32);
        if to != cell {
            let dir = Dir::towards(cell, to).unwrap();
            assert!(grid.moves(cell).contains(dir), "{start:?}: {cell} to {to} at {x} {y}\n{grid:?}");
            // Over terrain, a bank may come in between.
            let cost = field.cost(to);
            let is_bank = grid.convention().is_some() && cost.is_none_or(|cost| cost >= least);
            assert!(is_bank || cost < Some(least), "{start:?}: {cell} to {to}\n{grid:?}");
            if !is_bank {
                least = cost.unwrap();
            }
            cell = to;
        }
    }
    panic!("{start:?}: still at {x} {y}\n{grid:?}");
}

#[test]
fn units_arrive_from_anywhere() {
    for (grid, mut dice) in random_maps().chain(random_terrain()) {
        let goals = random_free_cells(&grid, 2, &mut dice);
        let far = if grid.convention().is_some() { 90.0 } else { f64::INFINITY };
        let field = Field::within(&grid, &goals, if dice.hits(1, 2) { far } else { f64::INFINITY }).unwrap();
        for cell in grid.cells().filter(|&cell| field.cost(cell).is_some()) {
            let mut part = || dice.below(1_000) as f64 / 1_000.0;
            let anywhere = (f64::from(cell.x) + part(), f64::from(cell.y) + part());
            let corner = (f64::from(cell.x) + 1.0 - 1e-12, f64::from(cell.y) + 1e-12);
            for start in [anywhere, corner, (corner.0, corner.1 + 0.9)] {
                walk(&field, start, SAFE_STEP);
                walk(&field, start, 0.07);
            }
        }
    }
}

/// Halfway between two cells of an open map the direction is about the same on both sides.
#[test]
fn directions_are_smooth_where_there_is_room() {
    let field = Field::new(&Grid::open(60, 60).unwrap(), &[(5, 8)]).unwrap();
    let (mut jumps, mut pairs, mut same) = (0, 0, 0);
    for (x, y) in (12..55).flat_map(|x| (16..55).map(move |y| (f64::from(x), f64::from(y)))) {
        for (dx, dy) in [(1e-6, 0.0), (0.0, 1e-6)] {
            let [a, b] = [-1.0, 1.0].map(|side| field.direction(x + 0.3 + side * dx, y + 0.3 + side * dy).unwrap());
            let [c, d] = [-1.0, 1.0].map(|side| field.direction(x + side * dx, y + 0.3 + side * dy).unwrap());
            assert!((a.0 - b.0).hypot(a.1 - b.1) < 1e-3, "inside a cell");
            jumps += usize::from((c.0 - d.0).hypot(c.1 - d.1) > 0.1);
            pairs += 1;
            // The slope is a mean of the same four cells on both sides.
            let [left, right] = [-1.0, 1.0].map(|side| ((x + side * dx) as u32, (y + 0.3 + side * dy) as u32));
            if left != right && field.next(left) == field.next(right) {
                assert!((c.0 - d.0).hypot(c.1 - d.1) < 1e-3, "between {left:?} and {right:?}");
                same += 1;
            }
        }
    }
    assert!(jumps * 20 < pairs && same > 1000, "{jumps} of {pairs}, {same}");
    assert_eq!(field.direction(5.5, 8.5), Some((0.0, 0.0)));
    for (x, y) in [(-0.1, 3.0), (3.0, 60.0), (f64::NAN, 3.0), (f64::INFINITY, 3.0)] {
        assert_eq!(field.direction(x, y), None);
    }
}

#[test]
fn limits_are_the_costs_of_their_lengths() {
    for octile in [GridCost::ZERO, GridCost::new(3, 5), GridCost::new(0, 33_460)] {
        let cost = Narrow::encode(octile);
        assert_eq!(Labels::<Narrow>::new(&Grid::open(1, 1).unwrap(), octile.length()).limit, Some(cost));
    }
}
