//! Agents of any size: clearances and maps for agents, compared with an oracle that looks at every obstacle from every
//! cell; how they follow edits; and whether paths keep their clearance at every point.

use std::time::Duration;

use octile::geometry::{Corner, Dice, Dir};
use octile::grid::sight;
use octile::grid::{Agent, Clearance, Fit, Room, Squeeze};
use octile::planner::Budget;
use octile::{Build, Cell, Edits, Engine, Grid, Movement, PlannerSpec};
use octile_testkit::{clearance as oracle, maps};

fn below(dice: &mut Dice, end: u32) -> u32 {
    dice.below(end.into()) as u32
}

fn check(grid: &Grid, clearance: &Clearance, cell: Cell) {
    assert_eq!(clearance.square(cell), oracle::square(grid, cell), "{cell} {grid:?}");
    for room in Room::ALL {
        let expected = oracle::disc_squared(grid, cell, room);
        assert_eq!(clearance.disc_squared(cell, room), expected, "{room:?} {cell} {grid:?}");
    }
}

/// All maps of 4 x 3 cells.
fn small_worlds() -> impl Iterator<Item = Grid> {
    (0_u32..1 << 12).map(|bits| Grid::from_fn(4, 3, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap())
}

fn agents() -> Vec<Agent> {
    let squares = [1, 2, 3, 5, 9, 70_000, u32::MAX].map(|side| Agent::square(side).unwrap());
    let radii = [1e-9_f64, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.375, 9.0, 40_000.0];
    // The oracle compares radii in 1024ths of a cell.
    let radii = radii.map(|radius| (radius * 1024.0).ceil() / 1024.0);
    squares.into_iter().chain(radii.map(|radius| Agent::disc(radius).unwrap())).collect()
}

#[test]
fn clearances_of_all_small_maps_agree_with_the_oracle() {
    let mut clearance = Clearance::default();
    for grid in small_worlds() {
        clearance.recompute(&grid);
        grid.cells().for_each(|cell| check(&grid, &clearance, cell));
    }
}

#[test]
fn clearances_of_random_maps_agree_with_the_oracle() {
    let (mut dice, mut clearance) = (Dice::new(11), Clearance::default());
    for _ in 0..120 {
        let grid = maps::textured(&mut dice, 50);
        clearance.recompute(&grid);
        grid.cells().for_each(|cell| check(&grid, &clearance, cell));
    }
}

/// Long distances are computed in another way than short ones.
#[test]
fn long_distances_agree_with_the_oracle() {
    let mut dice = Dice::new(12);
    for (width, height, obstacles) in [(400, 300, 3), (300, 420, 40), (700, 180, 5), (150, 900, 12), (500, 500, 0)] {
        let blocked: Vec<Cell> =
            (0..obstacles).map(|_| Cell::new(below(&mut dice, width), below(&mut dice, height))).collect();
        let grid = Grid::from_fn(width, height, |cell| !blocked.contains(&cell)).unwrap();
        let clearance = Clearance::new(&grid);
        for _ in 0..250 {
            check(&grid, &clearance, Cell::new(below(&mut dice, width), below(&mut dice, height)));
        }
    }
}

#[test]
fn clearance_in_the_middle_of_an_empty_map_is_exact() {
    for (width, height) in [(1, 1), (65_534, 1), (1, 65_534), (65_534, 90), (301, 20_000), (2_000, 1_999)] {
        let clearance = Clearance::new(&Grid::open(width, height).unwrap());
        for (x, y) in
            [(0, 0), (width / 2, height / 2), (width - 1, height / 3), (width / 3, height - 1), (width / 7, height / 5)]
        {
            let before = u64::from(x.min(width - 1 - x).min(y).min(height - 1 - y));
            assert_eq!(clearance.disc_squared((x, y), Room::Centre), (2 * before + 1).pow(2), "{x},{y}");
            assert_eq!(clearance.disc_squared((x, y), Room::Cell), (2 * before).pow(2), "{x},{y}");
            assert_eq!(clearance.square((x, y)), (width - x).min(height - y));
        }
    }
}

#[test]
fn agents_fit_exactly_where_the_oracle_says() {
    let mut dice = Dice::new(13);
    let random = (0..25).map(|_| maps::textured(&mut dice, 24));
    for grid in small_worlds().step_by(7).chain(random.collect::<Vec<_>>()) {
        let clearance = Clearance::new(&grid);
        for (agent, room) in agents().into_iter().flat_map(|agent| Room::ALL.map(|room| (agent, room))) {
            let expected = oracle::for_agent(&grid, agent, room);
            assert_eq!(grid.for_agent(agent, room), expected, "{agent} {room:?} {grid:?}");
            assert!(grid.cells().all(|cell| clearance.fits(cell, agent, room) == expected.is_free(cell)), "{agent}");
            if agent.fits_everywhere(room) {
                assert_eq!(expected, grid);
            }
        }
    }
}

/// Radii are compared exactly: one that just fits, and the next larger number.
#[test]
fn a_radius_is_compared_to_the_last_bit() {
    let grid = Grid::from_fn(41, 41, |cell| cell != Cell::new(20, 20)).unwrap();
    let clearance = Clearance::new(&grid);
    for cell in grid.cells() {
        for room in Room::ALL {
            let squared = clearance.disc_squared(cell, room);
            let radius = clearance.disc(cell, room);
            let next = f64::from_bits(radius.to_bits() + 1);
            let fits = |radius: f64| clearance.fits(cell, Agent::disc(radius).unwrap(), room);
            if squared.isqrt().pow(2) == squared {
                assert!(squared == 0 || fits(radius) && !fits(next), "{cell} {room:?}");
            } else {
                assert!(fits(f64::from_bits(radius.to_bits() - 1)) && !fits(next), "{cell} {room:?}");
            }
        }
    }
    assert!(clearance.fits((0, 0), Agent::disc(0.0).unwrap(), Room::Cell));
}

#[test]
fn maps_of_agents_keep_the_movement_rule_and_a_point_keeps_the_map() {
    for movement in Movement::ALL {
        let grid = Grid::from_fn(9, 7, |cell| cell.x != 4).unwrap().with_movement(movement);
        assert_eq!(grid.for_agent(Agent::square(2).unwrap(), Room::Cell).movement(), movement);
        assert_eq!(grid.for_agent(Agent::POINT, Room::Cell), grid);
        assert_eq!(grid.for_agent(Agent::disc(0.5).unwrap(), Room::Centre), grid);
    }
}

/// Random edits of all kinds: blocks and single cells, in any order, overlapping.
fn random_edits(dice: &mut Dice, grid: &Grid) -> Edits {
    let mut edits = Edits::new();
    for _ in 0..=below(dice, 11) {
        let (x, y) = (below(dice, grid.width()), below(dice, grid.height()));
        let size = if dice.hits(1, 3) { 9 } else { 1 };
        let far = ((x + below(dice, size)).min(grid.width() - 1), (y + below(dice, size)).min(grid.height() - 1));
        match dice.below(if grid.convention().is_some() { 4 } else { 2 }) {
            0 => edits.block_rect((x, y), far),
            1 => edits.free_rect((x, y), far),
            _ => edits.price_rect((x, y), far, 1 + below(dice, 255) as u8),
        };
    }
    edits
}

/// Agents around the size from which edits are followed in another way, on maps with room for them, and edits wider
/// than one pass looks at.
#[test]
fn maps_of_medium_agents_follow_edits() {
    let (mut dice, mut changes, mut changed) = (Dice::new(15), Edits::new(), 0);
    let squares = [2, 17, 40, 41, 42, 60].map(|side| Agent::square(side).unwrap());
    let discs = [3.0, 7.3, 12.5, 18.9, 19.5, 19.9, 20.0, 20.4, 20.6, 30.0].map(|radius| Agent::disc(radius).unwrap());
    for (agent, room) in squares.into_iter().chain(discs).flat_map(|agent| Room::ALL.map(|room| (agent, room))) {
        let mut grid = Grid::from_fn(190, 140, |_| !dice.hits(1, 6_000)).unwrap();
        let mut fit = Fit::new(agent, room);
        let mut fitting = fit.grid(&grid);
        for round in 0..12 {
            let (x, y) = (below(&mut dice, 190), below(&mut dice, 140));
            let wide = if round % 3 == 0 { 100 } else { 1 };
            let far = ((x + below(&mut dice, wide)).min(189), (y + below(&mut dice, 3)).min(139));
            let mut edits = random_edits(&mut dice, &Grid::open(4, 3).unwrap());
            if round % 2 == 0 {
                edits.block_rect((x, y), far)
            } else {
                edits.free_rect((0, 0), (189, 139)).block((x, y))
            };
            grid.apply(&edits).unwrap();
            fit.edits(&grid, &edits, &fitting, &mut changes).unwrap();
            assert!(changes.iter().all(|(cell, free)| fitting.is_free(cell) != free), "{agent} {room:?}");
            changed += changes.iter().count();
            fitting.apply(&changes).unwrap();
            assert_eq!(fitting, fit.grid(&grid), "{agent} {room:?} {edits:?}");
        }
    }
    assert!(changed > 500_000, "{changed}");
}

#[test]
fn maps_of_agents_follow_edits() {
    let (mut dice, mut changed) = (Dice::new(14), 0);
    for round in 0..60 {
        let mut grid = match round % 10 {
            0 => maps::textured(&mut dice, 250),
            1..4 => maps::with_prices(&mut dice, 60),
            _ => maps::textured(&mut dice, 60),
        };
        let all = agents().into_iter().flat_map(|agent| Room::ALL.map(|room| Fit::new(agent, room)));
        let mut fits: Vec<(Fit, Grid)> = all.map(|mut fit| (fit.clone(), fit.grid(&grid))).collect();
        let mut changes = Edits::new();
        for _ in 0..8 {
            let edits = random_edits(&mut dice, &grid);
            grid.apply(&edits).unwrap();
            for (fit, fitting) in &mut fits {
                let before = fitting.clone();
                fit.edits(&grid, &edits, &before, &mut changes).unwrap();
                assert!(
                    changes.iter().all(|(cell, free)| before.is_free(cell) != free),
                    "only cells that change are in the edit"
                );
                fitting.apply(&changes).unwrap();
                assert_eq!(*fitting, fit.grid(&grid), "{} {:?} {edits:?}", fit.agent(), fit.room());
                changed += changes.iter().count();
            }
        }
    }
    assert!(changed > 100_000, "{changed}");
}

#[test]
fn a_block_edited_cell_by_cell_equals_a_rectangle() {
    let before = Grid::open(80, 80).unwrap();
    let mut fit = Fit::new(Agent::disc(3.0).unwrap(), Room::Centre);
    let (fitting, mut changes) = (fit.grid(&before), [Edits::new(), Edits::new()]);
    let cells: Edits = (0..100).map(|place| ((30 + place % 10, 40 + place / 10), false)).collect();
    let block = Edits::new().block_rect((30, 40), (39, 49)).clone();
    for (edits, changes) in [&cells, &block].into_iter().zip(&mut changes) {
        let mut grid = before.clone();
        grid.apply(edits).unwrap();
        fit.edits(&grid, edits, &fitting, changes).unwrap();
    }
    assert_eq!(changes[0], changes[1]);
    let bad = Edits::new().block((80, 0)).clone();
    let fault = fit.edits(&before, &bad, &fitting, &mut changes[0]).unwrap_err();
    assert!(
        matches!(fault, octile::grid::EditFault::OffMap(octile::grid::OffMap { cell: Cell { x: 80, y: 0 }, .. })),
        "{fault}"
    );
    assert!(changes[0].is_empty());
}

/// Points from `a` to `b`.
fn along(a: (f64, f64), b: (f64, f64), parts: u32) -> impl Iterator<Item = (f64, f64)> {
    (0..=parts)
        .map(move |part| f64::from(part) / f64::from(parts))
        .map(move |t| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t))
}

/// The rounding error of distances at sampled points.
const SLACK: f64 = 1e-9;

#[test]
fn discs_keep_their_radius_along_the_moves_of_grid_paths() {
    let (mut dice, mut moves, mut cut) = (Dice::new(15), 0, 0);
    let centre = |cell: Cell| (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
    for _ in 0..30 {
        let plain = maps::textured(&mut dice, 26);
        for (movement, radius) in
            Movement::ALL.into_iter().flat_map(|rule| [0.625, 1.0, 1.5, 2.25].map(|radius| (rule, radius)))
        {
            let fitting = plain.with_movement(movement).for_agent(Agent::disc(radius).unwrap(), Room::Centre);
            for (cell, dir) in
                fitting.cells().flat_map(|cell| fitting.moves(cell).into_iter().map(move |dir| (cell, dir)))
            {
                let nearest = along(centre(cell), centre(dir.step(cell, 1)), 4)
                    .map(|point| oracle::distance(&plain, point))
                    .fold(f64::INFINITY, f64::min);
                let kept =
                    if movement == Movement::OctileCutting { (radius * radius - 0.5).max(0.0).sqrt() } else { radius };
                assert!(nearest > kept - SLACK, "{movement} {radius} {cell} {dir:?} {plain:?}");
                moves += 1;
                cut += u32::from(nearest < radius - SLACK);
            }
        }
    }
    assert!(moves > 2000 && cut > 0, "{moves} {cut}");
}

/// The number of straight lines that are free for a disc on a map, and how many of these come too close to an obstacle.
fn any_angle_lines(room: Room) -> (u32, u32) {
    let (mut dice, mut lines, mut too_near) = (Dice::new(16), 0, 0);
    for _ in 0..40 {
        let plain = maps::textured(&mut dice, 40);
        for radius in [0.25, 0.5, 1.0, 1.375, 2.0] {
            let fitting = plain.for_agent(Agent::disc(radius).unwrap(), room);
            for _ in 0..60 {
                let [a, b] = [0; 2]
                    .map(|_| Corner::new(below(&mut dice, plain.width() + 1), below(&mut dice, plain.height() + 1)));
                if a != b && sight::corners_visible(&fitting, a, b, Squeeze::Allowed) {
                    let place = |corner: Corner| (f64::from(corner.x), f64::from(corner.y));
                    let mut points = along(place(a), place(b), 24);
                    lines += 1;
                    too_near += u32::from(points.any(|point| oracle::distance(&plain, point) < radius - SLACK));
                }
            }
        }
    }
    (lines, too_near)
}

#[test]
fn discs_keep_their_radius_along_any_angle_paths() {
    let (lines, too_near) = any_angle_lines(Room::Cell);
    assert!(lines > 200 && too_near == 0, "{lines} {too_near}");
    let (lines, too_near) = any_angle_lines(Room::Centre);
    assert!(too_near > 0, "{lines}: the room for grid paths must not be enough for any-angle paths");
}

#[test]
fn squares_keep_to_free_cells_along_moves_and_lines() {
    let (mut dice, mut moves, mut lines) = (Dice::new(17), 0, 0);
    let place = |x: u32, y: u32| (f64::from(x), f64::from(y));
    for _ in 0..40 {
        let plain = maps::textured(&mut dice, 40);
        for side in [1, 2, 3] {
            let fitting = plain.for_agent(Agent::square(side).unwrap(), Room::Centre);
            for (cell, dir) in
                fitting.cells().flat_map(|cell| fitting.moves(cell).into_iter().map(move |dir| (cell, dir)))
            {
                let next = Dir::step(dir, cell, 1);
                let mut points = along(place(cell.x, cell.y), place(next.x, next.y), 4);
                assert!(
                    points.all(|point| oracle::is_clear(&plain, point, side.into())),
                    "{side} {cell} {dir:?} {plain:?}"
                );
                moves += 1;
            }
            for _ in 0..60 {
                let [a, b] = [0; 2]
                    .map(|_| Corner::new(below(&mut dice, plain.width() + 1), below(&mut dice, plain.height() + 1)));
                if a != b && side > 1 && sight::corners_visible(&fitting, a, b, Squeeze::Allowed) {
                    let mut points = along(place(a.x, a.y), place(b.x, b.y), 23);
                    assert!(
                        points.all(|point| oracle::is_clear(&plain, point, f64::from(side - 1))),
                        "{side} {a} {b} {plain:?}"
                    );
                    lines += 1;
                }
            }
        }
    }
    assert!(moves > 2000 && lines > 50, "{moves} {lines}");
}

/// An agent whose planner refuses an edit does not hold back the others, and catches up as soon as it can.
#[test]
fn an_edit_refused_for_one_agent_reaches_the_others() {
    let build = |grid: &Grid, bytes| {
        let spec: PlannerSpec = "taut-graph".parse().unwrap();
        Engine::of(spec.build_from(&Build::new(grid).within(Budget::AT_ONCE.bytes(bytes))).unwrap())
    };
    let grid = Grid::open(120, 60).unwrap();
    let columns: Edits = (0..8).map(|nth| (Cell::new(15 + 25 * (nth % 4), 15 + 30 * (nth / 4)), false)).collect();
    // The budget is what the map itself needs after the edit: a large disc needs more.
    let bytes = (20_000..80_000).step_by(100).find(|&bytes| build(&grid, bytes).apply(&columns).is_ok()).unwrap();
    let engine = build(&grid, bytes);
    let [disc, square] = [Agent::disc(6.0), Agent::square(2)].map(|agent| engine.for_agent(agent.unwrap()).unwrap());
    engine.apply(&columns).expect_err("the disc's planner refuses");
    assert!(!engine.grid().is_free((15, 15)) && disc.grid().is_free((15, 15)));
    let around = |engine: &Engine| engine.find((13, 15), (18, 15)).unwrap().unwrap().length();
    assert!(around(&square) > 5.0, "the square follows");
    // Freeing most of them makes room for the disc again.
    let mut back: Edits = columns.iter().skip(1).map(|(cell, _)| (cell, true)).collect();
    engine.apply(back.block((119, 0))).unwrap();
    for agent in [&disc, &square] {
        assert!(!agent.grid().is_free((15, 15)) && agent.grid().is_free((40, 15)));
    }
}

/// An agent's planner is built within the budget of the engine.
#[test]
fn agents_share_the_budget_of_the_engine() {
    let grid = octile::formats::generate::random(64, 64, 20, 1).unwrap();
    let build = |steps| Engine::build("hub-labels", &Build::new(&grid).within(Budget::AT_ONCE.steps(steps)));
    let steps = (10..40).map(|power| 1 << power).find(|&steps| build(steps).is_ok()).unwrap();
    let engine = build(steps).unwrap();
    let agent = engine.for_agent(Agent::square(2).unwrap());
    let renewed = agent.as_ref().map(|agent| agent.renew_by_slices().run(Duration::MAX).is_some_and(|end| end.is_ok()));
    assert!(matches!(renewed, Ok(true) | Err(_)), "a planner that was built can be renewed");
    assert!(
        Engine::build("hub-labels", &Build::new(&grid).within(Budget::BEFOREHAND))
            .unwrap()
            .for_agent(Agent::square(2).unwrap())
            .is_ok()
    );
}
