//! Planners over terrain compared with A\*, in one run: `cargo bench -p octile --bench terrain [-- MAP...]`.
//!
//! Each map, or a generated one, gets one price, patches of two and three prices, roads, and noise, under both
//! conventions. All planners answer the same queries, for costs, in turns, on one thread, and the best of several
//! rounds counts; the A\* of the crate `pathfinding` takes part too. Then edits: of a block of 100 cells, and of 100
//! scattered cells. Every cost is compared with that of `astar`.

use std::time::Instant;

use octile::formats::generate;
use octile::geometry::Dice;
use octile::grid::Convention;
use octile::{Cell, Edits, Finder, Grid, GridCost, Output, Path, PathQuery};
use octile_testkit::maps::free_cells;

const ROUNDS: usize = 5;
const QUERIES: usize = 24;

/// The specs in the race; the others are compared with the first.
const SPECS: [&str; 3] = ["astar", "terrain-jump", "terrain-jump:cache=on"];

/// The crate `pathfinding` is slow, so it has fewer rounds.
const PEER_ROUNDS: usize = 2;

fn main() {
    let maps: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let load = |map: &String| (map.clone(), octile::load(map).expect("the map can be read").grid);
    let mut grids: Vec<(String, Grid)> = maps.iter().map(load).collect();
    if grids.is_empty() {
        grids.push(("rooms".to_owned(), generate::rooms(512, 512, 32, 1).expect("the map can be made")));
        grids.push(("caves".to_owned(), generate::caves(512, 512, 45, 1).expect("the map can be made")));
        grids.push(("open".to_owned(), Grid::open(512, 512).expect("the map can be made")));
    }
    println!("mean us a query, and how many times as fast as astar over the same terrain");
    for texture in ["one", "patches-16", "patches-32", "patches-64", "three-32", "great-32", "roads", "noise"] {
        for convention in Convention::ALL {
            let mut sums = vec![0.0; SPECS.len() + 3];
            for (seed, (_, base)) in (1..).zip(&grids) {
                race(base, &painted(base, texture, convention, seed), &mut sums);
            }
            let count = (grids.len() * QUERIES) as f64;
            print!("{texture:<12} {convention:<8}");
            for (name, sum) in SPECS.iter().chain(&["pathfinding", "astar-plain", "corner-sweep-plain"]).zip(&sums) {
                print!(" {name} {:.0} ({:.2})", sum / count, sums[0] / sum);
            }
            println!();
        }
    }
    for texture in ["one", "patches-16", "noise"] {
        let times = grids.iter().map(|(_, base)| edits(&painted(base, texture, Convention::Average, 1)));
        let worst = times.fold([0.0_f64; 2], |worst, time| [worst[0].max(time[0]), worst[1].max(time[1])]);
        println!(
            "{texture:<12} edits: a block of 100 cells {:.0} us, 100 scattered cells {:.0} us",
            worst[0], worst[1]
        );
    }
}

/// The map with a texture of prices.
fn painted(base: &Grid, texture: &str, convention: Convention, seed: u64) -> Grid {
    match texture {
        "one" => Ok(base.with_prices(convention, |_| 1)),
        "roads" => generate::roads(base, (2, 5), 3, 40, convention, seed),
        "noise" => generate::noise(base, &[1, 2, 3, 4], convention, seed),
        "three-32" => generate::regions(base, &[1, 2, 5], 32, convention, seed),
        "great-32" => generate::regions(base, &[21, 50, 200], 32, convention, seed),
        patches => {
            let size = patches.trim_start_matches("patches-").parse().expect("a size");
            generate::regions(base, &[1, 2], size, convention, seed)
        }
    }
    .expect("the terrain can be made")
}

/// Adds the times of all planners, of the crate `pathfinding`, and of A\* and corner sweep without prices.
fn race(base: &Grid, grid: &Grid, sums: &mut [f64]) {
    let free = free_cells(base);
    let (mut dice, mut queries) = (Dice::new(77), Vec::new());
    while queries.len() < QUERIES {
        let mut any = || free[dice.below(free.len() as u64) as usize];
        queries.push((any(), any()));
        queries.retain(|&(start, goal)| base.may_connect(start, goal));
    }
    let priced = SPECS.map(|spec| Finder::new(spec, grid).expect("it takes prices"));
    let plain = ["astar", "corner-sweep"].map(|spec| Finder::new(spec, base).expect("it takes the map"));
    let mut finders: Vec<Finder> = priced.into_iter().chain(plain).collect();
    let mut best = vec![f64::INFINITY; sums.len()];
    let least = grid.cells().map(|cell| grid.price(cell)).filter(|&price| price > 0).min().unwrap_or(1);
    let (mut path, mut costs) = (Path::new(), vec![None; QUERIES]);
    for round in 0..ROUNDS {
        for (place, finder) in finders.iter_mut().enumerate() {
            let is_priced = place < SPECS.len();
            let time = Instant::now();
            for (&(start, goal), cost) in queries.iter().zip(&mut costs) {
                finder.plan(PathQuery::new(start, goal).output(Output::Cost), &mut path).expect("the cells are free");
                if is_priced {
                    assert_eq!(*cost.get_or_insert(path.cost().counts()), path.cost().counts(), "{start} {goal}");
                }
            }
            let slot = if is_priced { place } else { place + 1 };
            best[slot] = best[slot].min(time.elapsed().as_secs_f64() * 1e6);
        }
        if round < PEER_ROUNDS {
            let time = Instant::now();
            for (&(start, goal), cost) in queries.iter().zip(&costs) {
                let length = cost.flatten().map(GridCost::length);
                let found = peer(grid, least, start, goal).map(|cost| cost as f64 / f64::from(PEER_STRAIGHT));
                let agree = found.zip(length).is_none_or(|(found, length)| (found - length).abs() <= 1e-6 * length);
                assert!(agree && found.is_some() == length.is_some(), "{found:?} {length:?}");
            }
            best[SPECS.len()] = best[SPECS.len()].min(time.elapsed().as_secs_f64() * 1e6);
        }
    }
    sums.iter_mut().zip(best).for_each(|(sum, time)| *sum += time);
}

/// Whole numbers whose ratio is close to the square root of 2.
const PEER_STRAIGHT: u32 = 470_832;
const PEER_DIAGONAL: u64 = 665_857;

/// The cost of a path in whole numbers, found by the crate `pathfinding`, with the prices of the map.
fn peer(grid: &Grid, least: u8, start: Cell, goal: Cell) -> Option<u64> {
    let (average, straight) = (grid.convention() == Some(Convention::Average), u64::from(PEER_STRAIGHT));
    let price = |x: u32, y: u32| u64::from(grid.price((x, y)));
    let least = u64::from(least) * if average { 4 } else { 1 };
    let moves = |&Cell { x, y }: &Cell| {
        let mut moves = Vec::with_capacity(8);
        for (dx, dy) in [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)] {
            let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            let (here, to, side, other) = (price(x, y), price(to_x, to_y), price(to_x, y), price(x, to_y));
            let is_diagonal = dx != 0 && dy != 0;
            if to == 0 || is_diagonal && (side == 0 || other == 0) {
                continue;
            }
            let counts = match (average, is_diagonal) {
                (false, _) => to,
                (true, false) => 2 * (here + to),
                (true, true) => here + to + side + other,
            };
            moves.push((Cell::new(to_x, to_y), counts * if is_diagonal { PEER_DIAGONAL } else { straight }));
        }
        moves
    };
    let estimate = |cell: &Cell| {
        let (dx, dy) = (u64::from(cell.x.abs_diff(goal.x)), u64::from(cell.y.abs_diff(goal.y)));
        (dx.abs_diff(dy) * straight + dx.min(dy) * PEER_DIAGONAL) * least
    };
    pathfinding::prelude::astar(&start, moves, estimate, |&cell| cell == goal).map(|(_, cost)| cost)
}

/// The time that `terrain-jump` takes to follow edits, in us: of prices and walls, in a block and scattered. The best
/// of several rounds.
fn edits(grid: &Grid) -> [f64; 2] {
    let mut finder = Finder::new("terrain-jump", grid).expect("it takes prices");
    let (mut dice, mut best) = (Dice::new(3), [f64::INFINITY; 2]);
    for _ in 0..20 {
        for (kind, best) in best.iter_mut().enumerate() {
            let mut edits = Edits::new();
            let any = |side: u32, dice: &mut Dice| dice.below(u64::from(side) - 10) as u32;
            let corner = Cell::new(any(grid.width(), &mut dice), any(grid.height(), &mut dice));
            for number in 0..100 {
                let cell = match kind {
                    0 => Cell::new(corner.x + number % 10, corner.y + number / 10),
                    _ => Cell::new(any(grid.width(), &mut dice), any(grid.height(), &mut dice)),
                };
                match dice.below(4) {
                    0 => edits.block(cell),
                    price => edits.price(cell, price as u8).free(cell),
                };
            }
            let time = Instant::now();
            finder.apply(&edits).expect("the cells are on the map");
            *best = best.min(time.elapsed().as_secs_f64() * 1e6);
        }
    }
    best
}
