//! octile's A\* beside the one of the crate `pathfinding`, on the same queries.
//!
//! ```text
//! cargo bench -p octile --bench peers -- [FOLDER OF MAPS]... [--every N] [--rounds N]
//! ```
//! Without folders it runs on generated maps. `pathfinding` gets what its documentation suggests: cells as pairs, integer
//! costs, successors by a closure over a legal-move table. Queries are interleaved in one process and each one's best of
//! the rounds counts; both must find the same costs. Parsing and set-up are not timed.

use std::path::{Path as FilePath, PathBuf};
use std::time::{Duration, Instant};

use octile::algo::astar::Astar;
use octile::algo::jps::Jps;
use octile::grid::generate;
use octile::movingai::scen::Scenario;
use octile::{Cell, Grid, Octile, Path, Planner, Query, load, load_scenario};

/// Straight and diagonal moves, priced like octile's own.
const STRAIGHT: u32 = 33_461;
const DIAGONAL: u32 = 47_321;

fn main() {
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
    println!(
        "{:<28} {:>8} {:>12} {:>12} {:>12} {:>9} {:>9}",
        "maps", "queries", "pathfinding", "astar", "jps", "astar x", "jps x"
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

/// Total times of `pathfinding`, `astar` and `jps` over a number of queries.
struct Race {
    queries: usize,
    totals: [Duration; 3],
}

fn race(grid: &Grid, scenario: &Scenario, every: usize, rounds: usize) -> Race {
    let queries: Vec<Query> =
        scenario.problems.iter().step_by(every).map(|problem| Query::new(problem.start, problem.goal)).collect();
    let (astar, jps) = (Astar::new(grid).expect("octile movement"), Jps::new(grid).expect("octile movement"));
    let (mut astar_scratch, mut jps_scratch) = (astar.create_scratch(), jps.create_scratch());
    let mut path = Path::new();
    let mut best = vec![[Duration::MAX; 3]; queries.len()];
    for _ in 0..rounds {
        for (&query, best) in queries.iter().zip(&mut best) {
            let start = Instant::now();
            let peer = by_pathfinding(grid, query);
            best[0] = best[0].min(start.elapsed());
            let start = Instant::now();
            let found = astar.plan(&mut astar_scratch, query, &mut path).expect("a query of the scenario");
            best[1] = best[1].min(start.elapsed());
            assert_eq!(found.then(|| path.cost()), peer, "pathfinding and astar disagree");
            let start = Instant::now();
            let found = jps.plan(&mut jps_scratch, query, &mut path).expect("a query of the scenario");
            best[2] = best[2].min(start.elapsed());
            assert_eq!(found.then(|| path.cost()), peer, "pathfinding and jps disagree");
        }
    }
    let total = |planner: usize| best.iter().map(|best| best[planner]).sum();
    Race { queries: queries.len(), totals: [total(0), total(1), total(2)] }
}

/// The same query by the crate `pathfinding`.
fn by_pathfinding(grid: &Grid, query: Query) -> Option<Octile> {
    let goal = query.goal;
    let (path, _) = pathfinding::prelude::astar(
        &query.start,
        |&cell| {
            grid.moves(cell)
                .into_iter()
                .map(move |dir| (dir.step(cell, 1), if dir.is_diagonal() { DIAGONAL } else { STRAIGHT }))
        },
        |&cell: &Cell| {
            let estimate = Octile::between(cell, goal);
            estimate.straight * STRAIGHT + estimate.diagonal * DIAGONAL
        },
        |&cell| cell == goal,
    )?;
    Path::through(path).map(|path| path.cost())
}

fn report(name: &str, races: &[Race]) {
    let queries: usize = races.iter().map(|race| race.queries).sum();
    let [peer, astar, jps] = [0, 1, 2]
        .map(|i| races.iter().map(|race| race.totals[i]).sum::<Duration>().as_secs_f64() * 1e6 / queries as f64);
    println!(
        "{name:<28} {queries:>8} {peer:>9.1} us {astar:>9.1} us {jps:>9.1} us {:>9.1} {:>9.1}",
        peer / astar,
        peer / jps
    );
}
