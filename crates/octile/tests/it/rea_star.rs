//! The jump points of `rea-star`: between every pair of cells on every small map, and on many random maps, under every
//! config, the straight lines between them lie in free rectangles, match the cost of the path, and are never longer
//! than it.

use octile::algo::pruners::GateUse;
use octile::algo::pruners::Pruners;
use octile::algo::rea_star::{Fronts, JumpPoints, Origin, ReaStarPlanner, Rescan, SemiClosed};
use octile::formats::{generate, load_scenario};
use octile::geometry::Dice;
use octile::planner::{Counts, Scratch, Trace};
use octile::services::distances;
use octile::{Catalog, Cell, Edits, Grid, GridCost, Output, Path, PathQuery, Planner, PlannerSpec, ReaStar, load};
use octile_testkit::maps;
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use octile_testkit::setting;
use rayon::prelude::*;

/// The tolerance for comparing lengths in `f64`.
const ROUNDING: f64 = 1e-9;

/// The configs of the catalog's specs, and the other combinations of keys.
fn configs() -> Vec<ReaStar> {
    let catalog = Catalog::standard();
    let specs = catalog.specs(&catalog.planner("rea-star").unwrap());
    let mut configs: Vec<ReaStar> = specs
        .into_iter()
        .map(|spec| spec.parse::<PlannerSpec>().unwrap().config::<ReaStar>().unwrap().clone())
        .collect();
    for rescan in Rescan::ALL {
        for (origin, swap, semi_closed) in [
            (Origin::Rectangle, true, SemiClosed::Skip),
            (Origin::Cross, false, SemiClosed::Search),
            (Origin::Cross, true, SemiClosed::Expand),
        ] {
            let prune = if swap { Pruners::Gates } else { Pruners::None };
            let config = ReaStar::default().fronts(Fronts::Cells);
            let config = config.rescan(rescan).origin(origin).swap(swap).semi_closed(semi_closed);
            let gates = (prune == Pruners::Gates).then_some(GateUse::Always);
            configs.push(config.prune(prune).gates(gates));
        }
    }
    configs
}

/// A planner with its scratch.
struct Asker {
    planner: ReaStarPlanner,
    scratch: Scratch,
    path: Path,
    jumps: JumpPoints,
}

impl Asker {
    fn new(grid: &Grid, config: &ReaStar) -> Self {
        let planner = ReaStarPlanner::new(grid, config).unwrap();
        let scratch = planner.create_scratch();
        Self { planner, scratch, path: Path::new(), jumps: JumpPoints::default() }
    }

    /// Asks, and judges path and jump points; returns how much shorter the straight lines are.
    fn ask(&mut self, query: PathQuery, optimum: Option<GridCost>) -> f64 {
        let Self { planner, scratch, path, jumps } = self;
        let (grid, PathQuery { start, goal, .. }) = (planner.grid(), query);
        let found = planner.plan_straight(scratch, query, path, jumps).unwrap();
        let what = || format!("{start} to {goal}: {path:?}, {jumps:?}\n{planner:?}");
        assert_eq!(found.then(|| path.cost().grid().unwrap()), optimum, "{}", what());
        let Some(optimum) = optimum else {
            assert_eq!(jumps.points(), [], "no path has no jump points");
            return 0.0;
        };
        path.check(grid, start, goal).unwrap_or_else(|fault| panic!("{fault}: {}", what()));
        jumps.check(grid, (start, goal), optimum).unwrap_or_else(|fault| panic!("{fault}: {}", what()));
        let bounds = distance(start, goal) - ROUNDING..=path.length() + ROUNDING;
        assert!(bounds.contains(&jumps.length()), "{} is not in {bounds:?}: {}", jumps.length(), what());
        path.length() - jumps.length()
    }
}

/// The length of the straight line between two cells.
fn distance(a: Cell, b: Cell) -> f64 {
    f64::from(a.x.abs_diff(b.x)).hypot(f64::from(a.y.abs_diff(b.y)))
}

#[test]
fn jump_points_are_right_on_every_small_map() {
    let (width, height) = (4, 3);
    let configs = configs();
    let check = |bits: u32| {
        let grid = Grid::from_fn(width, height, |cell| bits >> (cell.y * width + cell.x) & 1 == 1).unwrap();
        let free = free_cells(&grid);
        let truths: Vec<_> = free.iter().map(|&start| Truth::new(&grid, start)).collect();
        for config in &configs {
            let mut asker = Asker::new(&grid, config);
            for (&start, truth) in free.iter().zip(&truths) {
                for &goal in &free {
                    asker.ask(PathQuery::new(start, goal), truth.on_cells(goal));
                }
            }
        }
        free.len() * free.len()
    };
    let pairs: usize = (0_u32..1 << (width * height)).into_par_iter().map(check).sum();
    assert_eq!(pairs, 12 * 11 * 4096 / 4 + 12 * 4096 / 2);
}

/// Rooms, mazes and noise of some density.
fn random_map(seed: u64, dice: &mut Dice) -> Grid {
    let [width, height] = [0; 2].map(|_| 4 + dice.below(44) as u32);
    let grid = match seed % 8 {
        0 => generate::rooms(width.max(12), height.max(12), 3 + dice.below(6) as u32, seed),
        1 => generate::maze(width.max(12), height.max(12), 1 + dice.below(3) as u32, seed),
        2 => generate::random(90 + width, 4 + height / 5, 20, seed),
        _ => return Grid::from_fn(width, height, |_| !dice.hits([0, 3, 10, 20, 30][seed as usize % 5], 100)).unwrap(),
    };
    grid.unwrap()
}

#[test]
fn jump_points_are_right_on_random_maps() {
    let mut dice = Dice::new(1);
    let (configs, mut paths, mut shorter) = (configs(), 0, 0);
    for seed in 0..400 {
        let mut grid = random_map(seed, &mut dice);
        let mut askers: Vec<Asker> = configs.iter().map(|config| Asker::new(&grid, config)).collect();
        for round in 0..2 {
            let free = free_cells(&grid);
            if free.is_empty() {
                continue;
            }
            for _ in 0..3 {
                let start = free[dice.below(free.len() as u64) as usize];
                let truth = distances(&grid, start);
                for _ in 0..12 {
                    let goal = free[dice.below(free.len() as u64) as usize];
                    for (place, asker) in askers.iter_mut().enumerate() {
                        let output = [Output::Waypoints, Output::Cells][place % 2];
                        let saved = asker.ask(PathQuery::new(start, goal).output(output), truth.cost(goal));
                        paths += 1;
                        shorter += u32::from(saved > 0.1);
                    }
                }
            }
            // Change the map once, and compare the jump points again.
            if round == 0 {
                let mut edits = Edits::new();
                for _ in 0..=dice.below(10) {
                    let cell =
                        Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
                    if dice.hits(1, 2) {
                        edits.block(cell)
                    } else {
                        edits.free(cell)
                    };
                }
                grid.apply(&edits).unwrap();
                for asker in &mut askers {
                    asker.planner.apply(&edits).unwrap();
                }
            }
        }
    }
    assert!(paths > 400_000 && shorter > paths / 10, "{paths} {shorter}");
}

/// Maps of all textures, some wider than the search's windows, asked from a few starts to many goals. For longer runs:
/// `OCTILE_REA_STAR_QUERIES=10000000 cargo test --release -p octile --test it roots_are_right -- --nocapture`.
#[test]
fn roots_are_right_on_maps_of_all_textures() {
    let wanted = setting("OCTILE_REA_STAR_QUERIES", 40_000);
    let mut dice = Dice::new(setting("OCTILE_REA_STAR_SEED", 1));
    let plain = ReaStar::default();
    let gated = plain.clone().prune(Pruners::Gates).gates(GateUse::Always);
    let (mut queries, mut found, mut turned) = (0, 0, 0);
    while queries < wanted {
        let is_large = dice.hits(1, 40);
        let grid = maps::textured(&mut dice, if is_large { 260 } else { 40 });
        let free = free_cells(&grid);
        if free.is_empty() {
            continue;
        }
        // Gates take longer to build than the queries take.
        let with_gates = dice.hits(1, 8);
        let mut asker = Asker::new(&grid, if with_gates { &gated } else { &plain });
        for _ in 0..4 {
            let start = free[dice.below(free.len() as u64) as usize];
            let truth = distances(&grid, start);
            for _ in 0..free.len().min(100) {
                let goal = free[dice.below(free.len() as u64) as usize];
                let optimum = truth.cost(goal);
                asker.ask(PathQuery::new(start, goal), optimum);
                queries += 1;
                found += u64::from(optimum.is_some());
                turned += u64::from(asker.jumps.points().len() > 2);
            }
        }
    }
    assert!(found > queries / 2 && turned > queries / 4, "{queries} {found} {turned}");
    println!("{queries} queries, {found} paths, {turned} with turns, 0 wrong");
}

/// The hops that a probe sees are the jump points.
#[test]
fn probes_see_the_same_hops() {
    let grid = generate::random(40, 30, 15, 5).unwrap();
    let free = free_cells(&grid);
    for config in configs() {
        let mut asker = Asker::new(&grid, &config);
        let (start, truth) = (free[17], distances(&grid, free[17]));
        for &goal in free.iter().step_by(7).filter(|&&goal| goal != start) {
            let query = PathQuery::new(start, goal);
            asker.ask(query, truth.cost(goal));
            let mut trace = Trace::default();
            let Asker { planner, scratch, path, jumps } = &mut asker;
            planner.find_path(scratch, query, path, Some(&mut trace)).unwrap();
            assert_eq!(trace.hops, jumps.points(), "{start} to {goal}\n{planner:?}");
        }
    }
}

/// The open lists of the paper's Table 5 on maps of the benchmark, if they are at hand: search nodes put on the list,
/// and its longest length, means of every 200th problem.
#[test]
fn open_lists_are_those_of_the_paper() {
    let Some(folder) = crate::movingai::folder() else { return };
    let config = "rea-star:fronts=cells,rescan=cut-stop,origin=cross,swap=on,semi-closed=expand".parse::<PlannerSpec>();
    let config = config.unwrap().config::<ReaStar>().unwrap().clone();
    for (set, begins, paper) in [
        ("rooms", "8room_", [3461.0, 187.0]),
        ("rooms", "16room_", [986.0, 87.0]),
        ("mazes", "maze512-8-", [1015.0, 18.0]),
        ("mazes", "maze512-16-", [316.0, 10.0]),
        ("mazes", "maze512-32-", [85.0, 6.0]),
    ] {
        let maps = crate::movingai::maps(&folder.join(set), begins);
        let (mut counts, mut problems) = ([0, 0], 0);
        for map in &maps {
            let mut asker = Asker::new(&load(map).unwrap().grid, &config);
            let scenario = load_scenario(map.with_extension("map.scen")).unwrap();
            for problem in scenario.problems.iter().skip(100).step_by(200) {
                let (query, mut counted) = (PathQuery::new(problem.start, problem.goal), Counts::default());
                let Asker { planner, scratch, path, .. } = &mut asker;
                planner.find_path(scratch, query.output(Output::Cost), path, Some(&mut counted)).unwrap();
                counts = [counts[0] + counted.opened, counts[1] + counted.longest_open];
                problems += 1;
            }
        }
        if problems > 0 {
            let means = counts.map(|count| count as f64 / f64::from(problems));
            println!("{begins}: {problems} problems, {means:.1?}, {paper:?} in the paper");
            let ratios = [means[0] / paper[0], means[1] / paper[1]];
            assert!(ratios.iter().all(|ratio| (0.9..1.1).contains(ratio)), "{begins}: {means:?}");
        }
    }
}

/// The jump points are those of the last query, whatever was asked before.
#[test]
fn jump_points_belong_to_the_last_query() {
    let grid: Grid = "....@.\n.@@.@.\n....@.".parse().unwrap();
    let mut asker = Asker::new(&grid, &ReaStar::default());
    let Asker { planner, scratch, path, jumps } = &mut asker;
    let mut ask = |query: PathQuery| {
        let found = planner.plan_straight(scratch, query, path, jumps);
        (found, jumps.points().to_vec())
    };
    let [start, goal, apart] = [(0, 0), (3, 2), (5, 0)].map(Cell::from);
    let query = PathQuery::new(start, goal);
    let (found, points) = ask(query);
    assert!(found.unwrap() && points.len() > 1);
    assert_eq!(ask(PathQuery::new(goal, goal)), (Ok(true), vec![goal]));
    assert_eq!(ask(PathQuery::new(start, apart)), (Ok(false), vec![]), "not connected");
    assert_eq!(ask(query), (Ok(true), points));
    assert_eq!(ask(query.output(Output::Cost)), (Ok(true), vec![]), "only the cost was asked for");
}
