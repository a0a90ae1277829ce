//! `octile-js-native answers`: maps, a thousand queries for each planner of the catalog, and what the library answers
//! on this machine.
//!
//! `octile-js-native times`: serves measurements. It reads a line `PLANNER`, asks all queries of the second map once,
//! and writes how many microseconds one took: so that the tests can take turns with a browser, and compare times of one
//! and the same moment.
//!
//! Maps are said by a generator and its numbers: who reads this makes the same ones.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use octile::formats::generate::{self, ScenarioConfig};
use octile::grid::Convention;
use octile::planner::Entry;
use octile::planner::IndexEffort;
use octile::{Catalog, Cell, Engine, Grid, Path, PlannerSpec, Query};
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Queries a planner.
const QUERIES: usize = 1000;

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("answers") => answers(),
        Some("times") => times(),
        _ => Err("usage: octile-js-native answers|times".into()),
    }
}

/// The maps: a small one for indexes that take a search from every cell, a large one, and one with prices.
fn maps() -> Result<[(Value, Grid); 3]> {
    let small = (json!(["caves", 64, 64, 42, 5]), generate::caves(64, 64, 42, 5)?);
    let large = (json!(["caves", 256, 256, 42, 7]), generate::caves(256, 256, 42, 7)?);
    let base = generate::rooms(96, 96, 12, 3)?;
    let priced = generate::regions(&base, &[1, 2, 5], 8, Convention::Average, 9)?;
    Ok([small, large, (json!(["rooms+regions", 96, 96, 12, 3]), priced)])
}

/// Which of the maps a planner is asked on.
fn maps_of(entry: Entry) -> Vec<usize> {
    let plain = usize::from(entry.about().index != IndexEffort::AllPairs);
    let takes_prices = entry.config().facts().terrain;
    if takes_prices { vec![plain, 2] } else { vec![plain] }
}

/// A spec that is whole.
fn spec_of(entry: Entry) -> String {
    let name = entry.name();
    if entry.config().required().is_empty() { name.to_owned() } else { format!("{name}:weight=2") }
}

fn queries(grid: &Grid) -> Vec<(Cell, Cell)> {
    let config = ScenarioConfig { per_bucket: 40, bucket_width: 4, sources: 60, seed: 11 };
    let problems = generate::scenario(grid, "generated.map", &config).problems;
    let every = problems.len().div_ceil(QUERIES).max(1);
    let some = problems.iter().step_by(every).map(|problem| (problem.start, problem.goal));
    some.cycle().take(QUERIES).collect()
}

fn answers() -> Result<()> {
    let maps = maps()?;
    let asked: Vec<Vec<(Cell, Cell)>> = maps.iter().map(|(_, grid)| queries(grid)).collect();
    let mut runs = Vec::new();
    for &entry in Catalog::standard().planners() {
        for map in maps_of(entry) {
            runs.push(run(&spec_of(entry), map, &maps[map].1, &asked[map])?);
        }
    }
    let flat =
        |queries: &Vec<(Cell, Cell)>| -> Vec<u32> { queries.iter().flat_map(|(a, b)| [a.x, a.y, b.x, b.y]).collect() };
    let maps: Vec<Value> = maps
        .iter()
        .zip(&asked)
        .map(|((map, grid), queries)| {
            json!({"map": map, "fingerprint": grid.fingerprint().to_string(), "queries": flat(queries)})
        })
        .collect();
    writeln!(io::stdout(), "{}", json!({"maps": maps, "runs": runs}))?;
    Ok(())
}

/// What a planner answers: the cost, every digit of the length, and the points of each path. Of `auto`, which chooses
/// by time, the cost alone.
fn run(spec: &str, map: usize, grid: &Grid, queries: &[(Cell, Cell)]) -> Result<Value> {
    let engine = Engine::new(spec, grid)?;
    let (mut path, mut answers) = (Path::new(), Vec::new());
    for &(start, goal) in queries {
        let found = engine.plan(Query::new(start, goal), &mut path)?;
        path.check(grid, start, goal)?;
        answers.push(match found {
            false => "none".to_owned(),
            true if spec == "auto" => path.cost().to_string(),
            true => format!("{} {} {}", path.cost(), path.length(), points(&path)?),
        });
    }
    Ok(json!({"spec": spec, "map": map, "answers": answers}))
}

/// The points of a path, x and y in turn.
fn points(path: &Path) -> Result<String> {
    let numbers: Vec<f64> = if path.is_any_angle() {
        path.vertices()?.flat_map(|spot| [spot.x(), spot.y()]).collect()
    } else {
        path.points()?.iter().flat_map(|cell| [cell.x.into(), cell.y.into()]).collect()
    };
    Ok(numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

fn times() -> Result<()> {
    let [_, (_, grid), _] = maps()?;
    let queries = queries(&grid);
    for line in io::stdin().lock().lines() {
        let spec: PlannerSpec = line?.trim().parse()?;
        let (engine, mut path) = (Engine::new(spec, &grid)?, Path::new());
        let mut best = f64::INFINITY;
        // Once for what is made when it is needed first.
        for _ in 0..4 {
            let clock = Instant::now();
            for &(start, goal) in &queries {
                engine.plan(Query::new(start, goal), &mut path)?;
            }
            best = best.min(clock.elapsed().as_secs_f64() * 1e6 / queries.len() as f64);
        }
        writeln!(io::stdout(), "{best}")?;
        io::stdout().flush()?;
    }
    Ok(())
}
