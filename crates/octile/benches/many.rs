//! Costs between many cells, compared with single queries: `cargo bench -p octile --bench many [-- PLANNER... MAP...]`.
//!
//! On each map, or on generated ones, by an engine on one thread and on all: a query with its path; the costs to 20
//! goals; the nearest of 20, and its path; the 10 nearest of 1000; a matrix of 1000 x 1000. The best of several rounds
//! counts. The results of the matrix and of the nearest are compared with queries.

use std::time::{Duration, Instant};

use octile::engine::{KNearest, Matrix};
use octile::formats::generate;
use octile::geometry::Dice;
use octile::{Cell, Engine, Finder, Grid, Output, Path, Query};
use octile_testkit::maps::free_cells;

const SPECS: [&str; 5] = ["hub-labels", "taut-labels", "jump-graph", "corner-sweep", "theta-star"];

fn main() {
    let args = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let (mut specs, maps): (Vec<String>, Vec<String>) = args.partition(|arg| SPECS.contains(&arg.as_str()));
    if specs.is_empty() {
        specs.extend(SPECS.map(str::to_owned));
    }
    let load = |map: &String| (map.clone(), octile::load(map).expect("the map can be read").grid);
    let mut grids: Vec<(String, Grid)> = maps.iter().map(load).collect();
    if grids.is_empty() {
        grids.push(("rooms".to_owned(), generate::rooms(512, 512, 32, 1).expect("the map can be made")));
        grids.push(("caves".to_owned(), generate::caves(512, 512, 45, 1).expect("the map can be made")));
    }
    println!("us; matrices in ms, on one thread and on {}", rayon::current_num_threads());
    for (name, grid) in &grids {
        for spec in &specs {
            match Engine::new(spec.as_str(), grid) {
                Ok(engine) => measure(name, spec, &engine),
                Err(error) => println!("{name} {spec}: {error}"),
            }
        }
    }
}

fn measure(name: &str, spec: &str, engine: &Engine) {
    let (grid, mut finder) = (engine.grid(), engine.finder());
    let (sources, targets) = (cells(&grid, 1000, 1), cells(&grid, 1000, 2));
    let rounds = if spec.ends_with("labels") { 9 } else { 2 };
    let mut path = Path::new();
    let query = per_source(&sources, rounds, |number, start| {
        finder.plan(Query::new(start, targets[number]), &mut path).expect("the cells are free");
    });
    let twenty = |number: usize| &targets[number % 980..][..20];
    let mut matrix = Matrix::new();
    let to_twenty = per_source(&sources[..200], rounds, |number, start| {
        finder.fill_matrix(&[start], twenty(number), &mut matrix).expect("the cells are free");
    });
    let mut nearest = KNearest::new();
    let of_twenty = per_source(&sources[..200], rounds, |number, start| {
        let goals = twenty(number);
        finder.find_nearest(start, goals, 1, &mut nearest).expect("the cells are free");
        if let Some(&(place, _)) = nearest.found().first() {
            finder.plan(Query::new(start, goals[place]), &mut path).expect("the cells are free");
        }
    });
    let of_thousand = per_source(&sources[..200], rounds, |_, start| {
        finder.find_nearest(start, &targets, 10, &mut nearest).expect("the cells are free");
    });
    print!("{name} {spec}: query {query:.2}, costs of 20 {to_twenty:.2}, nearest of 20 {of_twenty:.2} ");
    print!("({:.2} queries), 10 of 1000 {of_thousand:.2}", of_twenty / query);
    if spec == "theta-star" {
        return println!();
    }
    let alone = best(rounds, || finder.fill_matrix(&sources, &targets, &mut matrix).expect("the cells are free"));
    let shared = best(rounds, || engine.fill_matrix(&sources, &targets, &mut matrix).expect("the cells are free"));
    println!(", matrix {:.1} and {:.1}", alone.as_secs_f64() * 1e3, shared.as_secs_f64() * 1e3);
    compare(&mut finder, &matrix, &sources, &targets);
}

/// Random free cells.
fn cells(grid: &Grid, count: usize, seed: u64) -> Vec<Cell> {
    let free = free_cells(grid);
    let mut dice = Dice::new(seed);
    (0..count).map(|_| free[dice.below(free.len() as u64) as usize]).collect()
}

/// The time of a call in microseconds, in the best round.
fn per_source(sources: &[Cell], rounds: usize, mut call: impl FnMut(usize, Cell)) -> f64 {
    let round = best(rounds, || sources.iter().enumerate().for_each(|(number, &source)| call(number, source)));
    round.as_secs_f64() * 1e6 / sources.len() as f64
}

fn best(rounds: usize, mut call: impl FnMut()) -> Duration {
    let time = |_| {
        let clock = Instant::now();
        call();
        clock.elapsed()
    };
    (0..rounds).map(time).min().unwrap_or_default()
}

/// Compares about every hundredth cost with that of a path.
fn compare(finder: &mut Finder, matrix: &Matrix, sources: &[Cell], targets: &[Cell]) {
    let mut path = Path::new();
    for (place, (source, target)) in (0..1000).map(|number| (number, number * 37 % 1000)).enumerate() {
        let query = Query::new(sources[source], targets[target]).output(Output::Cost);
        let found = finder.plan(query, &mut path).expect("the cells are free");
        let (cost, length) = (matrix.cost(source, target), found.then(|| path.length()));
        let is_same = match cost.zip(length) {
            Some((cost, length)) => {
                (cost.length() - length).abs() <= 1e-9 * length && cost.grid() == path.cost().grid()
            }
            None => cost.is_none() && length.is_none(),
        };
        assert!(is_same, "pair {place}: {cost:?} is not {length:?}");
    }
}
