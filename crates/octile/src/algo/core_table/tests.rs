use super::build::{Settings, build_within};
use super::file::Makeup;
use super::table::{entries, place, table};
use super::*;
use crate::formats::generate;
use crate::geometry::{Cell, Dice};
use crate::kernels::limits::Limits;
use crate::planner::{Budget, Counts, Progress};

/// Builds an index for a planner.
fn build(build: &Build<'_>) -> Result<Vec<u8>, BuildError> {
    super::build::build(build, false)
}

/// A planner over a map that was contracted with certain settings.
fn planner(grid: &Grid, settings: impl Fn(usize) -> Settings) -> CoreTablePlanner {
    let limits = Limits::new(Budget::UNLIMITED, true);
    let bytes = build_within(grid, settings, limits, &|_| {}).unwrap();
    CoreTablePlanner::new(Arc::new(Artifact::from_bytes(bytes.into()).unwrap()), grid).unwrap()
}

fn free_cells(grid: &Grid) -> Vec<Cell> {
    grid.cells().filter(|&cell| grid.is_free(cell)).collect()
}

/// Small maps of all sorts.
fn maps() -> Vec<Grid> {
    let mut maps: Vec<Grid> = ["..@.\n....\n.@..", "@", ".", "@@@\n@.@", ".....\n.@@@.\n.@.@.\n.@@@.\n....."]
        .into_iter()
        .map(|map| map.parse().unwrap())
        .collect();
    for seed in 0..12 {
        maps.push(generate::random(13, 9, 5 + 4 * seed as u32, seed).unwrap());
        maps.push(generate::random(9, 17, 12, 100 + seed).unwrap());
        // Few nodes with many arcs: each is encountered several times.
        maps.push(generate::random(24, 21, 3, 200 + seed).unwrap());
        maps.push(generate::rooms(17, 17, 4, seed).unwrap());
        maps.push(generate::maze(15, 15, 1 + seed as u32 % 3, seed).unwrap());
    }
    maps
}

/// Checks a query with all kinds of output.
fn check(planner: &CoreTablePlanner, scratch: &mut Scratch, start: Cell, goal: Cell, expected: Option<GridCost>) {
    let (mut path, mut cells, mut cost) = (Path::new(), Path::new(), Path::new());
    let (query, grid) = (PathQuery::new(start, goal), &planner.grid);
    let found = planner.find_path(scratch, query, &mut path, None).unwrap();
    assert_eq!(found.then(|| path.cost().grid()).flatten(), expected, "{start} {goal}\n{grid:?}");
    assert_eq!(planner.find_path(scratch, query.output(Output::Cells), &mut cells, None).unwrap(), found);
    assert_eq!(planner.find_path(scratch, query.output(Output::Cost), &mut cost, None).unwrap(), found);
    if found {
        path.check(grid, start, goal).unwrap();
        assert!(path.points().unwrap().iter().copied().eq(path.waypoints().unwrap()));
        assert!(cells.points().unwrap().iter().copied().eq(path.cells().unwrap()));
        assert_eq!((cells.cost(), cost.cost()), (path.cost(), path.cost()));
        assert!(start == goal || cost.points().is_err());
    }
}

#[test]
fn all_pairs_are_exact_whatever_the_core() {
    let mut seed = 0;
    for grid in maps() {
        for share in [0, 1, 3, 8, usize::MAX] {
            seed += 1;
            let core = |subgoals: usize| subgoals.checked_div(share).unwrap_or_default();
            let most_expanded = [1, 2, 7, 500][seed % 4];
            let planner = planner(&grid, |subgoals| Settings { core: core(subgoals), most_expanded });
            let mut scratch = planner.create_scratch();
            for start in free_cells(&grid) {
                let distances = crate::services::distances(&grid, start);
                for goal in free_cells(&grid).into_iter().skip(seed % 3).step_by(3) {
                    check(&planner, &mut scratch, start, goal, distances.cost(goal));
                }
            }
        }
    }
}

/// Random queries on random maps up to 47 x 47 cells, with cores from none to all subgoals and with witness searches
/// that give up at once. `OCTILE_CORE_TABLE_QUERIES` sets the number of queries.
#[test]
fn random_queries_are_exact_whatever_the_core() {
    let queries = std::env::var("OCTILE_CORE_TABLE_QUERIES").map_or(100_000, |number| number.parse().unwrap());
    let seed = std::env::var("OCTILE_CORE_TABLE_SEED").map_or(1, |number| number.parse().unwrap());
    let mut dice = Dice::new(seed);
    let (mut asked, mut unreachable) = (0, 0);
    while asked < queries {
        let mut roll = |from: u64, to: u64| from + dice.below(to - from);
        let (width, height, seed) = (roll(4, 48) as u32, roll(4, 48) as u32, roll(0, 1 << 40));
        let grid = match roll(0, 8) {
            0 => generate::rooms(width.max(9), height.max(9), roll(2, 8) as u32, seed),
            1 => generate::maze(width.max(9), height.max(9), roll(1, 4) as u32, seed),
            2 => generate::random(width, height, roll(3, 50) as u32, seed),
            // Maps that fall apart into components.
            _ => {
                let (blocked, mut cells) = (roll(3, 50), Dice::new(seed));
                Ok(Grid::from_fn(width, height, |_| !cells.hits(blocked, 100)).unwrap())
            }
        };
        let Ok(grid) = grid else { continue };
        let (share, most_expanded) = (roll(0, 6), roll(1, 80) as usize);
        let core = |subgoals: usize| [0, 1, subgoals / 20, subgoals / 8, subgoals / 3, subgoals][share as usize];
        let planner = planner(&grid, |subgoals| Settings { core: core(subgoals), most_expanded });
        let (mut scratch, free) = (planner.create_scratch(), free_cells(&grid));
        if free.is_empty() {
            continue;
        }
        let mut pick = || free[dice.below(free.len() as u64) as usize];
        for _ in 0..6 {
            let start = pick();
            let distances = crate::services::distances(&grid, start);
            for _ in 0..60 {
                let goal = pick();
                check(&planner, &mut scratch, start, goal, distances.cost(goal));
                asked += 1;
                unreachable += usize::from(distances.cost(goal).is_none());
            }
        }
    }
    println!("{asked} queries, {unreachable} without a path");
    assert!(unreachable > 0);
}

/// The table of a random graph agrees with repeated passes over all arcs.
#[test]
fn tables_have_all_distances() {
    let mut dice = Dice::new(3);
    for nodes in [0, 1, 2, 3, 31, 32, 33, 70, 600] {
        let many = if nodes > 100 { 2 } else { 1 + dice.below(4) };
        let arcs: Vec<(u32, u32, u32)> = (0..nodes * many)
            .map(|_| (dice.below(nodes) as u32, dice.below(nodes) as u32, 1 + dice.below(1 << 20) as u32))
            .filter(|(from, to, _)| from != to)
            .collect();
        // Of two arcs between the same nodes, the last counts.
        let size = nodes as usize;
        let mut costs = vec![vec![u64::from(u32::MAX / 2); size]; size];
        (0..size).for_each(|node| costs[node][node] = 0);
        for &(from, to, cost) in &arcs {
            costs[from as usize][to as usize] = cost.into();
            costs[to as usize][from as usize] = cost.into();
        }
        for middle in 0..size {
            for from in 0..size {
                for to in 0..size {
                    costs[from][to] = costs[from][to].min(costs[from][middle] + costs[middle][to]);
                }
            }
        }
        let table = table(size, arcs.into_iter(), |_| Ok::<(), ()>(()), &|_| {}).unwrap();
        assert_eq!(table.len() as u64, entries(nodes));
        for (a, b) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            assert_eq!(u64::from(table[place(a as u64, b as u64) as usize]), costs[a][b], "{a} {b} of {nodes}");
        }
    }
}

#[test]
fn makeups_are_what_files_say() {
    let (from, to) = (Cell::new(7, 60_000), Cell::new(65_000, 3));
    let hop = Makeup::hop(from, to);
    // 64,993 to the east, and 59,997 to the north.
    assert_eq!(hop.0, 1 << 63 | 0x15a3 << 16 | 0xfde1);
    assert_eq!((hop.end(from), hop.back().end(to)), (to, from));
    assert_eq!((hop.is_hop(), hop.back().is_hop(), hop.back().back()), (true, true, hop));
    let shortcut = Makeup::shortcut(9, 5);
    assert_eq!((shortcut.0, shortcut.arcs(), shortcut.back().arcs()), (9 << 32 | 5, (9, 5), (5, 9)));
    assert!(!shortcut.is_hop() && !Makeup::shortcut(0, u32::MAX).back().is_hop());
}

/// Lines of more than 255 cells consist of several pieces.
#[test]
fn lines_may_be_long() {
    for length in [250, 253, 254, 255, 256, 257, 508, 509, 510, 511, 1000] {
        // Obstacles at both ends of a wide corridor, and a wall with a gap in its middle.
        let is_blocked = |x: u32, y: u32| y == 3 && (x == 3 || x == 3 + length) || x == length / 2 && y < 6;
        let grid = Grid::from_fn(length + 8, 7, |Cell { x, y }| !is_blocked(x, y)).unwrap();
        let planner = planner(&grid, Settings::new);
        let mut scratch = planner.create_scratch();
        for start in [Cell::new(0, 0), Cell::new(2, 2), Cell::new(4, 4), Cell::new(1, 6)] {
            let distances = crate::services::distances(&grid, start);
            for goal in free_cells(&grid).into_iter().rev().step_by(7).take(300) {
                check(&planner, &mut scratch, start, goal, distances.cost(goal));
            }
        }
    }
}

/// Maps that need many times the budget are refused after part of it is spent.
#[test]
fn hopeless_maps_are_told_early() {
    let grid = generate::random(300, 300, 12, 1).unwrap();
    let done = std::sync::atomic::AtomicU64::new(0);
    let watch = |progress: Progress| {
        done.fetch_max(1000 * progress.done / progress.all, std::sync::atomic::Ordering::Relaxed);
    };
    assert!(build(&Build::new(&grid).within(Budget::AT_ONCE)).is_ok(), "it suits");
    let refused = build(&Build::new(&grid).within(Budget::AT_ONCE.steps(20_000_000)).watched(&watch));
    let Err(BuildError::TakesLong { reason, .. }) = refused else { panic!("it takes more") };
    let Some(Unsuited::Budget { over, .. }) = reason.downcast_ref() else { panic!("{reason}") };
    assert!(over.takes > over.most, "{over}");
    assert!(done.into_inner() < 900, "it was told when few nodes were left");
}

/// Obstacles far from each other, whose corners all see each other: contraction does not start.
#[test]
fn open_maps_are_refused_before_contraction() {
    let grid = Grid::from_fn(400, 400, |Cell { x, y }| (x * 7 + y * 13) % 97 != 0 || (x + y * 3) % 5 != 0).unwrap();
    let told = std::sync::atomic::AtomicBool::new(false);
    let refused = build(&Build::new(&grid).watched(&|_| told.store(true, std::sync::atomic::Ordering::Relaxed)));
    let Err(BuildError::Unsuited { reason, .. }) = refused else { panic!("it is open") };
    assert!(matches!(reason.downcast_ref(), Some(Unsuited::Dense { .. })), "{reason}");
    assert!(!told.into_inner());
}

/// A corridor of one cell that winds back and forth.
fn snake(width: u32, height: u32) -> Grid {
    let turn = |y: u32| if y % 4 == 1 { width - 1 } else { 0 };
    Grid::from_fn(width, height, |Cell { x, y }| y % 2 == 0 || x == turn(y)).unwrap()
}

#[test]
fn paths_beyond_the_limit_are_refused_and_shorter_ones_exact() {
    let grid = snake(400, 101);
    let planner = CoreTable::default().planner(&grid).unwrap();
    let (start, goal) = (Cell::new(0, 0), Cell::new(399, 100));
    let mut path = Path::new();
    assert!(planner.find_path(&mut planner.create_scratch(), PathQuery::new(start, goal), &mut path, None).unwrap());
    assert_eq!(path.cost().grid(), Some(GridCost::new(399 * 51 + 100, 0)));
    path.check(&grid, start, goal).unwrap();
    let message = CoreTable::default().planner(&snake(400, 301)).unwrap_err().to_string();
    assert!(message.contains("paths may be longer than"), "{message}");
}

#[test]
fn probes_are_told_what_is_expanded() {
    let grid = generate::random(120, 120, 25, 5).unwrap();
    let planner = CoreTable::default().planner(&grid).unwrap();
    let (mut scratch, mut path, mut counts) = (planner.create_scratch(), Path::new(), Counts::default());
    let free = free_cells(&grid);
    let query = PathQuery::new(free[0], free[free.len() - 1]);
    assert!(planner.plan_probed(&mut scratch, query, &mut path, Some(&mut counts)).unwrap());
    assert!(counts.expanded > 2 && counts.expanded <= counts.opened + counts.improved, "{counts:?}");
}
