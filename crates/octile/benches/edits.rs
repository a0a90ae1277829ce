//! How long edits take: `cargo bench -p octile --bench edits [-- PLANNER... MAP...]`.
//!
//! On each map, or on generated ones, through an engine: a cell, a building of 6 x 6 cells and 100 cells here and there are blocked, and then
//! as they were. The first edit is not counted: it may have to prepare for those that come.

use std::time::Instant;

use octile::{Cell, Dice, Edits, Engine, Grid, generate};

const SPECS: [&str; 4] = ["jps", "corner-sweep", "jump-graph", "core-search"];

/// What is edited: rectangles, by their sides and number.
const KINDS: [(&str, u32, usize); 3] = [("cell", 1, 1), ("building", 6, 1), ("scattered", 1, 100)];

/// So many of each are put up and torn down.
const ROUNDS: usize = 60;

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
    println!("us: median / nine in ten / longest");
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
    print!("{name} {spec}:");
    let mut dice = Dice::new(5);
    let first = edits(&engine.grid(), &mut dice, (1, 1));
    let mut apply = |edits: &Edits| {
        let clock = Instant::now();
        engine.apply(edits).expect("the cells are on the map");
        clock.elapsed().as_secs_f64() * 1e6
    };
    for edits in &first {
        apply(edits);
    }
    for (kind, side, count) in KINDS {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let edits = edits(&engine.grid(), &mut dice, (side, count));
            times.extend(edits.iter().map(&mut apply));
        }
        times.sort_by(f64::total_cmp);
        let [median, most, longest] =
            [times.len() / 2, times.len() * 9 / 10, times.len() - 1].map(|place| times[place]);
        print!(" {kind} {median:.0} / {most:.0} / {longest:.0}");
    }
    println!();
}

/// Squares that are blocked, and then as they were.
fn edits(grid: &Grid, dice: &mut Dice, (side, count): (u32, usize)) -> [Edits; 2] {
    let mut random = |below: u32| dice.below(below.into()) as u32;
    let mut edits = [Edits::new(), Edits::new()];
    for _ in 0..count {
        let corner = loop {
            let cell = Cell::new(random(grid.width() - side), random(grid.height() - side));
            if grid.is_free(cell) {
                break cell;
            }
        };
        for place in 0..side * side {
            let cell = Cell::new(corner.x + place % side, corner.y + place / side);
            edits[0].block(cell);
            edits[1].extend([(cell, grid.is_free(cell))]);
        }
    }
    edits
}
