//! Matrices of costs and the nearest of many, by every planner: exactly the oracle's costs if the planner guarantees
//! that, otherwise the costs of its own paths.

use octile::engine::{KNearest, Matrix};
use octile::formats::generate;
use octile::geometry::{Corner, Dice};
use octile::{Cell, Engine, Finder, Grid, Guarantee, HubLabels, Movement, PathCost, QueryError, TautLabels};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::{self, Truth};
use octile_testkit::{judge, maps, planners};
use rayon::prelude::*;

/// The distance between the tested maps of 4 x 3 cells.
const APART: usize = if cfg!(target_family = "wasm") { 77 } else { 15 };

/// Every 15th map of 4 x 3 cells, under every rule.
#[test]
fn matrices_of_small_maps_by_every_planner() {
    let pairs: usize = (0..4096_u32)
        .into_par_iter()
        .step_by(APART)
        .flat_map_iter(|bits| Movement::ALL.map(|movement| (bits, movement)))
        .map(|(bits, movement)| {
            let grid = Grid::from_fn(4, 3, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
            let grid = grid.with_movement(movement);
            let free = free_cells(&grid);
            let truths = Truth::of_all(&grid, free.iter().copied());
            planners::specs(&grid).map(|spec| check(&truths, spec, &grid, &free)).sum::<usize>()
        })
        .sum();
    assert!(pairs > 1_750_000 / APART, "{pairs}");
}

/// Larger maps, with lists of different lengths that name cells twice.
#[test]
fn matrices_of_random_maps_by_every_planner() {
    let mut dice = Dice::new(8);
    for round in 0..24 {
        let grid = match round % 3 {
            _ if round >= 12 => maps::with_prices(&mut dice, 36),
            0 => generate::rooms(33, 33, 3 + round % 7, round.into()).unwrap(),
            _ => maps::textured(&mut dice, 36),
        };
        let grid =
            if round < 12 && round % 4 == 3 { grid.with_movement(Movement::ALL[round as usize / 4 % 3]) } else { grid };
        let free = free_cells(&grid);
        if free.is_empty() {
            continue;
        }
        let mut some =
            |count: u64| -> Vec<Cell> { (0..count).map(|_| free[dice.below(free.len() as u64) as usize]).collect() };
        let (mut few, mut many) = (some(4), some(30));
        few.push(few[1]);
        many.push(few[0]);
        many.push(many[3]);
        let (sources, targets) = if round % 2 == 0 { (few, many) } else { (many, few) };
        let truths = Truth::of_all(&grid, sources);
        for spec in planners::specs(&grid) {
            check(&truths, spec, &grid, &targets);
        }
    }
}

/// More targets than one chunk, and more pairs than one thread works on.
#[test]
fn matrices_of_large_maps_by_labels() {
    for grid in [generate::rooms(96, 96, 7, 3).unwrap(), generate::caves(110, 90, 42, 5).unwrap()] {
        let free = free_cells(&grid);
        let sources: Vec<Cell> = free.iter().copied().step_by(free.len() / 40).collect();
        assert!(free.len() > 2500 && free.len() * sources.len() > 1 << 16);
        let truths = Truth::of_all(&grid, sources);
        for spec in
            ["hub-labels", "taut-labels", "taut-labels:ends=centres", "taut-labels:squeeze=forbidden,ends=centres"]
        {
            check(&truths, spec, &grid, &free);
        }
    }
}

#[test]
fn invalid_cells_are_named() {
    let grid: Grid = "..@.".parse().unwrap();
    let cell = |x| Cell::new(x, 0);
    for spec in ["hub-labels", "astar", "theta-star"] {
        let (engine, mut finder) = (Engine::new(spec, &grid).unwrap(), Finder::new(spec, &grid).unwrap());
        let told = |result: Result<Matrix, QueryError>| result.unwrap_err().to_string();
        let blocked = "target 1 at 2,0 is blocked: choose a free cell";
        assert_eq!(told(engine.matrix(&[cell(0)], &[cell(1), cell(2)])), blocked);
        let off = told(finder.matrix(&[cell(0), cell(1), cell(4)], &[cell(0)]));
        assert_eq!(off, "source 2 at 4,0 is off the map: x must be below 4 and y below 1");
        assert_eq!(engine.k_nearest(cell(0), &[cell(1), cell(2)], 0).unwrap_err().to_string(), blocked);
        assert!(finder.k_nearest((7, 7), &[], 3).unwrap_err().to_string().starts_with("start 7,7 is off the map"));
        // A failed call clears the buffer.
        let (mut matrix, mut nearest) = (engine.matrix(&[cell(0)], &[cell(1)]).unwrap(), KNearest::new());
        engine.find_nearest(cell(0), &[cell(1)], 1, &mut nearest).unwrap();
        assert_eq!((matrix.shape(), nearest.found().len()), ((1, 1), 1));
        assert!(engine.fill_matrix(&[cell(2)], &[cell(1)], &mut matrix).is_err());
        assert!(engine.find_nearest(cell(2), &[cell(1)], 1, &mut nearest).is_err());
        assert_eq!((matrix.shape(), matrix.cost(0, 0), nearest.found().len()), ((0, 0), None, 0));
    }
}

#[test]
fn lists_may_be_empty() {
    let grid = Grid::open(3, 3).unwrap();
    let cells = [Cell::new(0, 0), Cell::new(2, 1)];
    for spec in planners::specs(&grid) {
        let engine = Engine::new(spec, &grid).unwrap();
        for (sources, targets) in [(&cells[..0], &cells[..0]), (&cells[..], &cells[..0]), (&cells[..0], &cells[..])] {
            let matrix = engine.matrix(sources, targets).unwrap();
            assert_eq!(matrix.shape(), (sources.len(), targets.len()));
            assert!(matrix.rows().all(<[_]>::is_empty) && matrix.rows().count() == sources.len());
        }
        assert_eq!(engine.k_nearest((1, 1), &[], 4).unwrap(), []);
        assert_eq!(engine.k_nearest((1, 1), &cells, 0).unwrap(), []);
    }
}

/// Costs are those of the smoothed paths, not of the paths before smoothing.
#[test]
fn matrices_of_wrapped_planners_have_the_costs_of_their_paths() {
    let grid = generate::rooms(40, 40, 7, 2).unwrap();
    let free: Vec<Cell> = free_cells(&grid).into_iter().step_by(61).collect();
    let truths = Truth::of_all(&grid, free.iter().copied());
    for spec in
        ["hub-labels:smooth=greedy", "taut-labels:smooth=greedy", "jps:smooth=greedy", "theta-star:ends=centres"]
    {
        check(&truths, spec, &grid, &free);
    }
    let config = TautLabels::default();
    let engines = [Engine::new(HubLabels::default(), &grid), Engine::new(config, &grid)].map(Result::unwrap);
    let [grid_costs, lengths] = engines.map(|engine| engine.matrix(&free, &free).unwrap());
    let both = grid_costs.rows().flatten().flatten().zip(lengths.rows().flatten().flatten());
    assert!(both.clone().all(|(grid, any)| grid.grid().is_some() && any.length() <= grid.length() * (1.0 + 1e-9)));
    assert!(both.filter(|(grid, any)| any.length() < grid.length()).count() > 20);
}

/// Asks a planner for a matrix and for the nearest, by an engine and by a finder, from the oracle's starts; returns the
/// number of pairs.
fn check(truths: &[Truth], spec: &str, grid: &Grid, targets: &[Cell]) -> usize {
    let sources: &[Cell] = &truths.iter().map(Truth::start).collect::<Vec<_>>();
    let engine = Engine::new(spec, grid).unwrap();
    let mut finder = engine.finder();
    let matrix = engine.matrix(sources, targets).unwrap();
    let mut own = Matrix::new();
    finder.fill_matrix(sources, targets, &mut own).unwrap();
    finder.fill_matrix(sources, targets, &mut own).unwrap();
    assert_eq!(matrix.shape(), (sources.len(), targets.len()));
    let mut nearest = KNearest::new();
    for (number, truth) in truths.iter().enumerate() {
        for (place, &target) in targets.iter().enumerate() {
            let place_of = || format!("{spec} from {} to {target}\n{grid:?}", truth.start());
            if may_differ(&finder) {
                let costs = [&matrix, &own].map(|matrix| matrix.cost(number, place));
                assert!(costs.iter().all(|&cost| is_possible(cost, truth, target)), "{}", place_of());
                continue;
            }
            let cost = expected(&mut finder, truth, target);
            assert!(is_same(matrix.cost(number, place), cost), "{} {}", place_of(), show(matrix.cost(number, place)));
            assert!(is_same(own.cost(number, place), cost), "{}", place_of());
        }
        for count in [0, 1, 2, 7, 20, targets.len(), usize::MAX].into_iter().take(if number < 12 { 7 } else { 2 }) {
            let found = engine.k_nearest(truth.start(), targets, count).unwrap();
            if may_differ(&finder) {
                let reached = matrix.row(number).iter().flatten().count();
                assert_eq!(found.len(), reached.min(count), "{spec}");
                assert!(found.is_sorted_by(|a, b| a.1.length() <= b.1.length()), "{spec}");
                assert!(found.iter().all(|&(place, cost)| is_possible(Some(cost), truth, targets[place])), "{spec}");
                continue;
            }
            check_nearest(spec, &found, matrix.row(number), count);
            finder.find_nearest(truth.start(), targets, count, &mut nearest).unwrap();
            check_nearest(spec, nearest.found(), matrix.row(number), count);
        }
    }
    sources.len() * targets.len()
}

/// The oracle's cost if the planner guarantees it, otherwise the cost of its own path.
fn expected(finder: &mut Finder, truth: &Truth, target: Cell) -> Option<PathCost> {
    if finder.guarantee() == Guarantee::GridOptimal {
        return truth.on_cells(target).map(|counts| oracle::cost(finder.grid(), counts));
    }
    finder.find(truth.start(), target).unwrap().map(|path| path.cost())
}

/// A planner may choose another of several equally cheap paths the next time, whose length differs after smoothing.
fn may_differ(finder: &Finder) -> bool {
    matches!(finder.guarantee(), Guarantee::Smoothed(_))
}

/// Whether such a planner may give this cost.
fn is_possible(cost: Option<PathCost>, truth: &Truth, target: Cell) -> bool {
    let straight = Corner::of(truth.start()).distance(Corner::of(target)) * (1.0 - judge::TOLERANCE);
    match (cost, truth.on_cells(target)) {
        // Between centres it may be longer by twice half a diagonal; no spec here has a weight above 2.
        (Some(PathCost::AnyAngle(length)), Some(most)) => (straight..=2.0 * most.length() + 1.5).contains(&length),
        (cost, most) => cost.is_none() && most.is_none(),
    }
}

/// Compares exactly, or any-angle lengths up to a part in 10^9.
fn is_same(cost: Option<PathCost>, other: Option<PathCost>) -> bool {
    match (cost, other) {
        (Some(PathCost::AnyAngle(length)), Some(PathCost::AnyAngle(other))) => judge::is_about(length, other),
        _ => cost == other,
    }
}

fn show(cost: Option<PathCost>) -> String {
    cost.map_or("no path".to_owned(), |cost| cost.to_string())
}

/// Checks that the nearest are those of the row, in order.
fn check_nearest(spec: &str, found: &[(usize, PathCost)], row: &[Option<PathCost>], count: usize) {
    let mut all: Vec<(usize, PathCost)> =
        row.iter().enumerate().filter_map(|(place, cost)| Some((place, (*cost)?))).collect();
    // Targets with the same cost stay in order.
    all.sort_by(|(_, a), (_, b)| match (a.counts(), b.counts()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.length().total_cmp(&b.length()),
    });
    all.truncate(count);
    assert_eq!(found.len(), all.len());
    for (place, (found, expected)) in found.iter().zip(&all).enumerate() {
        assert!(is_same(Some(found.1), Some(expected.1)), "{spec}, {place}: {found:?} is not {expected:?}");
        // Lengths that differ only by rounding may swap their order.
        assert!(found.0 == expected.0 || found.1.counts().is_none(), "{spec}, {place}: {found:?} is not {expected:?}");
        assert!(is_same(row[found.0], Some(found.1)));
    }
    let mut places: Vec<usize> = found.iter().map(|&(place, _)| place).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), found.len(), "no target appears twice");
}
