//! The cost of an edit: `cargo bench -p octile --bench edits [-- MAP...]`.
//!
//! On each map, or on generated ones, one cell is blocked and freed again, a building of 6 x 6 cells is put up and torn
//! down, and 100 scattered cells are blocked and freed, so that the map stays the same. The best of several rounds
//! counts for each edit, and the table has the means: for `jump-graph` and `corner-sweep` in engines; for
//! `corner-sweep` alone; for the grid alone, which includes the components; for the planes alone, as the difference of
//! these; and for `theta-star`, which has its own components.

use std::time::Instant;

use octile::formats::generate;
use octile::geometry::Dice;
use octile::{Cell, Edits, Engine, Finder, Grid};

const ROUNDS: usize = 9;

/// The kinds of edits, with the number of samples.
const KINDS: [(&str, usize); 3] = [("one cell", 100), ("6 x 6", 100), ("100 cells", 20)];

fn main() {
    let maps: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let load = |map: &String| (map.clone(), octile::load(map).expect("the map can be read").grid);
    let mut grids: Vec<(String, Grid)> = maps.iter().map(load).collect();
    if grids.is_empty() {
        grids.push(("rooms".to_owned(), generate::rooms(512, 512, 32, 1).expect("the map can be made")));
        grids.push(("caves".to_owned(), generate::caves(512, 512, 45, 1).expect("the map can be made")));
        grids.push(("random".to_owned(), generate::random(512, 512, 30, 1).expect("the map can be made")));
    }
    println!("us an edit: blocked / freed");
    println!(
        "{:<24} {:<10} {:>17} {:>17} {:>17} {:>17} {:>17} {:>17}",
        "map", "edit", "jump-graph", "engine", "corner-sweep", "grid", "planes", "theta-star"
    );
    for (name, grid) in &grids {
        let name = name.rsplit('/').next().unwrap_or(name);
        for (kind, count) in KINDS {
            let edits = edits(grid, kind, count);
            let engine = Engine::new("corner-sweep", grid).expect("it takes the map");
            let in_engine = time(&edits, |edits| engine.apply(edits).expect("the cells are on the map"));
            let graph = Engine::new("jump-graph", grid).expect("it takes the map");
            let of_graph = time(&edits, |edits| graph.apply(edits).expect("the cells are on the map"));
            let alone = of_planner("corner-sweep", grid, &edits);
            let mut own = grid.edit().build();
            let of_grid = time(&edits, |edits| {
                own.apply(edits).expect("the cells are on the map");
            });
            let of_planes = [0, 1].map(|way| alone[way] - of_grid[way]);
            let theta = of_planner("theta-star", grid, &edits);
            print!("{name:<24} {kind:<10}");
            for [blocked, freed] in [of_graph, in_engine, alone, of_grid, of_planes, theta] {
                print!(" {blocked:>8.2}/{freed:>8.2}");
            }
            println!();
            assert_eq!(engine.grid(), *grid, "the map stays the same");
        }
    }
}

/// Edits that block cells, each with the one that frees them.
fn edits(grid: &Grid, kind: &str, count: usize) -> Vec<[Edits; 2]> {
    let (mut dice, size) = (Dice::new(9), if kind == "6 x 6" { 6 } else { 1 });
    let mut any = || {
        let corner = Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
        let cells = (0..size * size).map(|nth| Cell::new(corner.x + nth % size, corner.y + nth / size));
        let free: Vec<Cell> = cells.filter(|&cell| grid.is_free(cell)).collect();
        // Most of a building is on free ground.
        (free.len() as u32 * 2 > size * size).then_some(free)
    };
    let places = if kind == "100 cells" { 100 } else { 1 };
    let edit = |_| {
        let mut cells: Vec<Cell> = Vec::new();
        while cells.len() < places {
            let found = any().unwrap_or_default();
            cells.extend(found.iter().filter(|cell| !cells.contains(cell)).copied().collect::<Vec<_>>());
        }
        if let (36, [first, .., last]) = (cells.len(), &cells[..]) {
            return [Edits::new().block_rect(*first, *last).clone(), Edits::new().free_rect(*first, *last).clone()];
        }
        [false, true].map(|free| cells.iter().map(|&cell| (cell, free)).collect())
    };
    (0..count).map(edit).collect()
}

/// The cost of edits for an unshared planner.
fn of_planner(spec: &str, grid: &Grid, edits: &[[Edits; 2]]) -> [f64; 2] {
    let mut finder = Finder::new(spec, &grid.edit().build()).expect("it takes the map");
    time(edits, |edits| finder.apply(edits).expect("the cells are on the map"))
}

/// The mean time in us to make an edit and to undo it, with the best of all rounds for each.
fn time(edits: &[[Edits; 2]], mut apply: impl FnMut(&Edits)) -> [f64; 2] {
    let mut best = vec![[f64::INFINITY; 2]; edits.len()];
    for _ in 0..ROUNDS {
        for (pair, best) in edits.iter().zip(&mut best) {
            for (edits, best) in pair.iter().zip(best) {
                let clock = Instant::now();
                apply(edits);
                *best = best.min(clock.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    [0, 1].map(|way| best.iter().map(|best| best[way]).sum::<f64>() / edits.len() as f64)
}
