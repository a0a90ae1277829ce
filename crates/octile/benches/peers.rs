//! octile's A\* beside the one of the crate `pathfinding`, on the same queries.
//!
//! ```text
//! cargo bench -p octile --bench peers -- [FOLDER OF MAPS]... [--every N] [--rounds N]
//! ```
//! Without folders it runs on generated maps. `pathfinding` gets what its documentation suggests: cells, integer costs, and
//! a closure that tests the eight neighbours of a cell; and, in the column "with moves", a closure that reads octile's
//! legal-move byte instead, so that only the searches differ. Queries are interleaved in one process and each one's best of
//! the rounds counts; both must find the same costs. Parsing and set-up are not timed.

use std::path::{Path as FilePath, PathBuf};
use std::time::{Duration, Instant};

use octile::algo::astar::Astar;
use octile::algo::jps::Jps;
use octile::grid::generate;
use octile::movingai::scen::Scenario;
use octile::{Cell, Dir, DirSet, Grid, Octile, Path, Planner, Query, load, load_scenario};

/// Straight and diagonal moves, priced like octile's own.
const STRAIGHT: u32 = 33_461;
const DIAGONAL: u32 = 47_321;

fn main() {
    // Cargo runs benchmarks in the package's folder; paths on the command line are meant from the project's.
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the project's folder");
    let (mut folders, mut every, mut rounds) = (Vec::new(), 50, 3);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).expect("a number after --every or --rounds");
        match argument.as_str() {
            "--bench" => {}
            "--every" => every = number(),
            "--rounds" => rounds = number(),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    println!("mean us a query; x: how many times faster than pathfinding, and than pathfinding with moves");
    println!(
        "{:<24} {:>8} {:>12} {:>12} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "maps", "queries", "pathfinding", "with moves", "astar", "jps", "astar x", "with x", "jps x", "with x"
    );
    if folders.is_empty() {
        for (name, grid) in generated() {
            let scenario = generate::scenario(&grid, name, &generate::ScenarioConfig::default());
            report(name, &[race(&grid, &scenario, 10, rounds)]);
        }
    }
    for folder in folders {
        let races: Vec<Race> = maps_in(&folder).map(|(grid, scenario)| race(&grid, &scenario, every, rounds)).collect();
        report(&folder.file_name().unwrap_or_default().to_string_lossy(), &races);
    }
}

fn generated() -> [(&'static str, Grid); 3] {
    let ok = |grid: Result<Grid, generate::GenerateError>| grid.expect("sizes that fit");
    [
        ("rooms of 16, 512x512", ok(generate::rooms(512, 512, 16, 1))),
        ("maze of 8, 512x512", ok(generate::maze(512, 512, 8, 1))),
        ("random 20 %, 512x512", ok(generate::random(512, 512, 20, 1))),
    ]
}

fn maps_in(folder: &FilePath) -> impl Iterator<Item = (Grid, Scenario)> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "map"));
    files.sort();
    files.into_iter().filter_map(|file| {
        let scenario = load_scenario(format!("{}.scen", file.display())).ok()?;
        Some((load(&file).expect("a map").grid, scenario))
    })
}

/// Total times of `pathfinding`, the same with legal moves, `astar` and `jps` over a number of queries.
struct Race {
    queries: usize,
    totals: [Duration; 4],
}

fn race(grid: &Grid, scenario: &Scenario, every: usize, rounds: usize) -> Race {
    let queries: Vec<Query> =
        scenario.problems.iter().step_by(every).map(|problem| Query::new(problem.start, problem.goal)).collect();
    let (astar, jps) = (Astar::new(grid).expect("octile movement"), Jps::new(grid).expect("octile movement"));
    let (mut astar_scratch, mut jps_scratch) = (astar.create_scratch(), jps.create_scratch());
    let mut path = Path::new();
    let mut best = vec![[Duration::MAX; 4]; queries.len()];
    for _ in 0..rounds {
        for (&query, best) in queries.iter().zip(&mut best) {
            let peer = timed(&mut best[0], || by_pathfinding(query, |cell| tested_moves(grid, cell)));
            let moves = timed(&mut best[1], || by_pathfinding(query, |cell| grid.moves(cell)));
            let ours = timed(&mut best[2], || {
                astar
                    .plan(&mut astar_scratch, query, &mut path)
                    .expect("a query of the scenario")
                    .then(|| path.cost().grid())
                    .flatten()
            });
            let jumps = timed(&mut best[3], || {
                jps.plan(&mut jps_scratch, query, &mut path)
                    .expect("a query of the scenario")
                    .then(|| path.cost().grid())
                    .flatten()
            });
            assert_eq!([moves, ours, jumps], [peer; 3], "from {} to {}", query.start, query.goal);
        }
    }
    let total = |planner: usize| best.iter().map(|best| best[planner]).sum();
    Race { queries: queries.len(), totals: [0, 1, 2, 3].map(total) }
}

fn timed<T>(best: &mut Duration, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let answer = run();
    *best = start.elapsed().min(*best);
    answer
}

/// The legal moves of a cell, found by looking at its neighbours.
fn tested_moves(grid: &Grid, cell: Cell) -> DirSet {
    let free = Dir::ALL.map(|dir| grid.is_free(dir.step(cell, 1)));
    let beside = |i: usize| free[(i + 7) % 8] && free[(i + 1) % 8];
    Dir::ALL.into_iter().filter(|&dir| free[dir as usize] && (!dir.is_diagonal() || beside(dir as usize))).collect()
}

/// The same query by the crate `pathfinding`.
fn by_pathfinding(query: Query, moves: impl Fn(Cell) -> DirSet) -> Option<Octile> {
    let goal = query.goal;
    let price = |dir: Dir| if dir.is_diagonal() { DIAGONAL } else { STRAIGHT };
    let (path, _) = pathfinding::prelude::astar(
        &query.start,
        |&cell| moves(cell).into_iter().map(move |dir| (dir.step(cell, 1), price(dir))),
        |&cell: &Cell| {
            let estimate = Octile::between(cell, goal);
            estimate.straight * STRAIGHT + estimate.diagonal * DIAGONAL
        },
        |&cell| cell == goal,
    )?;
    Path::through(path).and_then(|path| path.cost().grid())
}

fn report(name: &str, races: &[Race]) {
    let queries: usize = races.iter().map(|race| race.queries).sum();
    let mean =
        |i: usize| races.iter().map(|race| race.totals[i]).sum::<Duration>().as_secs_f64() * 1e6 / queries as f64;
    let [peer, moves, astar, jps] = [0, 1, 2, 3].map(mean);
    println!(
        "{name:<24} {queries:>8} {peer:>12.1} {moves:>12.1} {astar:>9.1} {jps:>9.1} {:>8.1} {:>8.1} {:>8.1} {:>8.1}",
        peer / astar,
        moves / astar,
        peer / jps,
        moves / jps
    );
}
