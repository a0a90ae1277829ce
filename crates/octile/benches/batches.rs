//! Batches compared with a loop: `cargo bench -p octile --bench batches`.
//!
//! Short queries on maps of 512 x 512 cells, in batches of 2 to 10,000, by an engine one by one and by `plan_all`, both
//! into reused buffers. The two take turns; the best of several rounds counts. A ratio above 1 is the speed-up of the
//! batch. All answers of the two are compared.

use std::time::{Duration, Instant};

use octile::formats::generate;
use octile::geometry::Dice;
use octile::{Answer, Cell, Engine, Grid, Path, Query};

const SIZES: [usize; 6] = [2, 4, 16, 100, 1_000, 10_000];

fn main() {
    let threads = rayon::current_num_threads();
    println!("batches compared with a loop, {threads} threads, us; best of alternating rounds\n");
    let maps = [("rooms", generate::rooms(512, 512, 32, 1)), ("caves", generate::caves(512, 512, 45, 1))];
    for (name, grid) in maps.map(|(name, grid)| (name, grid.expect("the maps can be made"))) {
        for spec in ["jps", "corner-sweep", "jump-graph", "hub-labels"] {
            let engine = Engine::new(spec, &grid).expect("the planner can be made");
            for size in SIZES {
                let queries = short_queries(&grid, size);
                let (single, batch) = race(&engine, &queries);
                let ratio = single.as_secs_f64() / batch.as_secs_f64();
                let [single, batch] = [single, batch].map(|time| time.as_secs_f64() * 1e6);
                println!("{name:6} {spec:13} {size:6} queries: loop {single:9.1}, batch {batch:9.1}, ratio {ratio:.2}");
            }
        }
    }
}

/// Queries between connected cells at most 40 apart.
fn short_queries(grid: &Grid, count: usize) -> Vec<Query<'static>> {
    let mut dice = Dice::new(count as u64);
    let mut queries = Vec::new();
    while queries.len() < count {
        let start = Cell::new(dice.below(472) as u32, dice.below(472) as u32);
        let goal = Cell::new(start.x + dice.below(40) as u32, start.y + dice.below(40) as u32);
        if start != goal && grid.may_connect(start, goal) {
            queries.push(Query::new(start, goal));
        }
    }
    queries
}

/// The best times of a loop and of a batch.
fn race(engine: &Engine, queries: &[Query]) -> (Duration, Duration) {
    let rounds = (200_000 / queries.len()).clamp(9, 300);
    let (mut paths, mut answers) = (vec![Path::new(); queries.len()], Vec::<Answer>::new());
    let (mut single, mut batch) = (Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        let clock = Instant::now();
        for (query, path) in queries.iter().zip(&mut paths) {
            engine.plan(*query, path).expect("the cells are free");
        }
        single = single.min(clock.elapsed());
        let clock = Instant::now();
        engine.plan_all(queries, &mut answers);
        batch = batch.min(clock.elapsed());
        let same = |(path, answer): (&Path, &Answer)| answer.path().is_ok_and(|found| found == Some(path));
        assert!(paths.iter().zip(&answers).all(same));
    }
    (single, batch)
}
