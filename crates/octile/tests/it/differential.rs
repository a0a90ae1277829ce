//! Random maps with shrinking: every planner compared with the oracle, symmetries, and maps that change.

use octile::grid::Squeeze;
use octile::planner::OnEdit;
use octile::{Cell, Edits, Finder, Grid, Guarantee, Movement, Path, PathCost, PathQuery};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use octile_testkit::{judge, planners};
use proptest::prelude::*;

use octile_testkit::setting;

/// A map with a share of blocked cells, and two points as fractions of its free cells.
#[derive(Clone, Debug)]
struct World {
    grid: Grid,
    ends: (usize, usize),
}

impl World {
    /// The two ends, if any cell is free.
    fn query(&self) -> Option<PathQuery> {
        self.queries().first().copied()
    }

    /// The two ends, and three other goals from the same start; empty if no cell is free.
    fn queries(&self) -> Vec<PathQuery> {
        let free = free_cells(&self.grid);
        let Some(start) = free.get(self.ends.0 % free.len().max(1)) else { return Vec::new() };
        let goal = |nth: usize| free[(self.ends.1 % free.len() + nth * (free.len() / 4 + 1)) % free.len()];
        (0..4).map(|nth| PathQuery::new(*start, goal(nth))).collect()
    }
}

fn worlds(longest: u32) -> impl Strategy<Value = World> {
    let movement = prop::sample::select(&Movement::ALL[..]);
    (1..=longest, 1..=longest, 0..60_u8, movement).prop_flat_map(|(width, height, blocked, movement)| {
        let cells =
            prop::collection::vec(prop::bool::weighted(1.0 - f64::from(blocked) / 100.0), (width * height) as usize);
        (cells, any::<usize>(), any::<usize>()).prop_map(move |(free, start, goal)| {
            let grid = Grid::from_fn(width, height, |cell| free[(cell.y * width + cell.x) as usize]).unwrap();
            World { grid: grid.with_movement(movement), ends: (start, goal) }
        })
    })
}

/// A finder for every spec that supports the grid's movement rule.
fn finders(grid: &Grid) -> Vec<Finder> {
    planners::specs(grid).map(|spec| Finder::new(spec, grid).unwrap()).collect()
}

/// The finders that do not rebuild an index when the map changes.
fn following(grid: &Grid) -> Vec<Finder> {
    finders(grid).into_iter().filter(|finder| finder.on_edit() != OnEdit::Refuses).collect()
}

/// Asks all planners for paths from one start, because building them takes longest.
fn check_all(grid: &Grid, queries: &[PathQuery]) -> Result<(), TestCaseError> {
    let Some(first) = queries.first() else { return Ok(()) };
    let truth = Truth::new(grid, first.start);
    for mut finder in finders(grid) {
        for &query in queries {
            judge::ask(&mut finder, query, &mut Path::new(), &truth).map_err(TestCaseError::fail)?;
        }
    }
    Ok(())
}

/// The grid and a mapping of cells, transformed by one of the eight symmetries of the square.
fn transformed(grid: &Grid, symmetry: u8) -> (Grid, impl Fn(Cell) -> Cell) {
    let (width, height) = (grid.width(), grid.height());
    let map = move |cell: Cell| {
        let x = if symmetry & 1 == 0 { cell.x } else { width - 1 - cell.x };
        let y = if symmetry & 2 == 0 { cell.y } else { height - 1 - cell.y };
        if symmetry & 4 == 0 { Cell::new(x, y) } else { Cell::new(y, x) }
    };
    let (w, h) = if symmetry & 4 == 0 { (width, height) } else { (height, width) };
    let mut builder = octile::GridBuilder::new(w, h).unwrap().movement(grid.movement());
    for cell in grid.cells() {
        builder.set(map(cell), grid.is_free(cell));
    }
    (builder.build(), map)
}

/// The number of worlds per test; `OCTILE_WORLDS` overrides it. Programs for WebAssembly are slower and have one
/// thread.
fn config() -> ProptestConfig {
    let cases = setting("OCTILE_WORLDS", if cfg!(target_family = "wasm") { 200 } else { 1000 });
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn planners_agree_with_the_oracle(world in worlds(24)) {
        check_all(&world.grid, &world.queries())?;
    }

    #[test]
    fn costs_survive_swapping_mirroring_and_turning(world in worlds(16), symmetry in 0..8_u8) {
        let Some(query) = world.query() else { return Ok(()) };
        let optimum = Truth::new(&world.grid, query.start).on_cells(query.goal);
        let (grid, map) = transformed(&world.grid, symmetry);
        let swapped = PathQuery::new(map(query.goal), map(query.start));
        let truth = Truth::new(&grid, swapped.start);
        prop_assert_eq!(truth.on_cells(swapped.goal), optimum);
        for mut finder in finders(&grid) {
            judge::ask(&mut finder, swapped, &mut Path::new(), &truth).map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn a_new_wall_never_shortens_a_path(world in worlds(16), wall in any::<usize>()) {
        let Some(query) = world.query() else { return Ok(()) };
        let cells: Vec<Cell> = world.grid.cells().filter(|&cell| cell != query.start && cell != query.goal).collect();
        if cells.is_empty() {
            return Ok(());
        }
        // Paths without a guarantee of optimality may become longer or shorter.
        let is_optimal =
            |finder: &Finder| matches!(finder.guarantee(), Guarantee::GridOptimal | Guarantee::AnyAngleOptimal);
        for mut finder in following(&world.grid).into_iter().filter(is_optimal) {
            let before = finder.find(query.start, query.goal).unwrap().map(|path| path.cost());
            finder.apply(Edits::new().block(cells[wall % cells.len()])).unwrap();
            let after = finder.find(query.start, query.goal).unwrap().map(|path| path.cost());
            let not_shorter = match (before, after) {
                (Some(PathCost::Grid(before)), Some(PathCost::Grid(after))) => after >= before,
                (Some(before), Some(after)) => after.length() >= before.length() * (1.0 - judge::TOLERANCE),
                (None, after) => after.is_none(),
                (Some(_), None) => true,
            };
            prop_assert!(not_shorter, "{:?} {:?}", before, after);
        }
    }

    /// Planners that follow several rounds of edits answer like the oracle on a newly built map.
    #[test]
    fn planners_follow_edits(
        world in worlds(16),
        rounds in prop::collection::vec(prop::collection::vec((any::<u32>(), any::<u32>(), any::<bool>()), 1..12), 1..4),
    ) {
        let mut finders = following(&world.grid);
        let mut truth = world.grid.edit();
        for round in rounds {
            let mut edits = Edits::new();
            for (x, y, free) in round {
                let cell = Cell::new(x % world.grid.width(), y % world.grid.height());
                if free { edits.free(cell) } else { edits.block(cell) };
                truth.set(cell, free);
            }
            let fresh = truth.clone().build();
            for finder in &mut finders {
                finder.apply(&edits).unwrap();
                prop_assert_eq!(finder.grid(), &fresh);
                prop_assert_eq!(finder.grid().fingerprint(), fresh.fingerprint());
            }
            let Some(query) = (World { grid: fresh.clone(), ends: world.ends }).query() else { continue };
            let truth = Truth::new(&fresh, query.start);
            for finder in &mut finders {
                judge::ask(finder, query, &mut Path::new(), &truth).map_err(TestCaseError::fail)?;
            }
        }
        prop_assert_eq!(&world.grid.edit().build(), &world.grid, "other grids keep their map");
    }

    #[test]
    fn smoothing_is_legal_and_never_lengthens(world in worlds(24)) {
        let grid = world.grid.with_movement(Movement::Octile);
        let Some(query) = world.query() else { return Ok(()) };
        for (spec, squeeze) in [
            ("astar", Squeeze::Allowed),
            ("rea-star", Squeeze::Forbidden),
            ("astar:on=corners", Squeeze::Allowed),
            ("theta-star:squeeze=forbidden", Squeeze::Forbidden),
            ("theta-star:squeeze=forbidden", Squeeze::Allowed),
            ("lazy-theta-star", Squeeze::Forbidden),
        ] {
            let Some(path) = Finder::new(spec, &grid).unwrap().find(query.start, query.goal).unwrap() else { continue };
            let mut smooth = path.clone();
            smooth.smooth(&grid, squeeze);
            prop_assert_eq!(smooth.check(&grid, query.start, query.goal), Ok(()));
            prop_assert!(smooth.length() <= path.length() + 1e-9, "{}: {} > {}", spec, smooth.length(), path.length());
            let once = smooth.clone();
            smooth.smooth(&grid, squeeze);
            prop_assert!(smooth.length() <= once.length() + 1e-9);
        }
    }

    #[test]
    fn straightening_keeps_ends_and_never_lengthens(world in worlds(24)) {
        let Some(query) = world.query() else { return Ok(()) };
        if let Some(path) = Finder::new("astar", &world.grid).unwrap().find(query.start, query.goal).unwrap() {
            let line = path.straighten(&world.grid);
            prop_assert_eq!(line.points().first(), Some(&query.start));
            prop_assert_eq!(line.points().last(), Some(&query.goal));
            prop_assert!(line.is_legal(&world.grid));
            prop_assert!(line.length() <= path.length() + 1e-9);
        }
    }
}
