//! Questions beyond one path, compared with one query: `cargo bench -p octile --bench questions [-- MAP...]`.
//!
//! On each map, or on generated ones, on one thread, the best of several rounds: the nearest of 20 goals, compared with
//! a query to a random one and with a query to the nearest one; unreachable goals, answered with the nearest cell; the
//! field of the whole map; clearances; an edit of 100 cells with two sizes of agents in use; whether a path is still
//! valid, per turning point; a unit that follows a moving target, compared with a new query each time.

use std::time::{Duration, Instant};

use octile::engine::Chase;
use octile::formats::generate;
use octile::geometry::Dice;
use octile::grid::{Agent, Clearance};
use octile::{Answer, Cell, Edits, Engine, Field, Grid, Path, Query, Status};

const ROUNDS: usize = 7;

fn main() {
    let maps: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let load = |map: &String| (map.clone(), octile::load(map).expect("the map can be read").grid);
    let mut grids: Vec<(String, Grid)> = maps.iter().map(load).collect();
    if grids.is_empty() {
        grids.push(("rooms".to_owned(), generate::rooms(512, 512, 32, 1).expect("the map can be made")));
        grids.push(("caves".to_owned(), generate::caves(512, 512, 45, 1).expect("the map can be made")));
        grids.push(("open".to_owned(), Grid::open(512, 512).expect("the map can be made")));
    }
    for (name, grid) in &grids {
        println!("{name}: {} x {}, {} free cells", grid.width(), grid.height(), grid.free_cells());
        for spec in ["corner-sweep", "hub-labels", "taut-sight"] {
            match Engine::new(spec, grid) {
                Ok(engine) => goals(spec, &engine),
                Err(error) => println!("  {spec}: {error}"),
            }
        }
        whole_map(grid);
        edits(grid);
        chase(grid);
    }
}

/// The nearest of 20 goals, and unreachable goals.
fn goals(spec: &str, engine: &Engine) {
    let (grid, mut finder, mut dice) = (engine.grid(), engine.finder(), Dice::new(5));
    let free: Vec<Cell> = largest(&grid);
    let starts: Vec<Cell> = (0..300).map(|_| any(&free, &mut dice)).collect();
    let goals: Vec<Vec<Cell>> = starts.iter().map(|_| (0..20).map(|_| any(&free, &mut dice)).collect()).collect();
    let (mut answer, mut path) = (Answer::new(), Path::new());
    let nearest: Vec<Cell> = starts
        .iter()
        .zip(&goals)
        .map(|(&start, goals)| {
            finder.ask_into(Query::to_any(start, goals), &mut answer).expect("the cells are free");
            answer.goal().expect("they are connected")
        })
        .collect();
    let mut times = [f64::INFINITY; 4];
    let cut_off: Vec<Cell> = grid.cells().filter(|&cell| !grid.may_connect(free[0], cell)).collect();
    for _ in 0..ROUNDS {
        let each = [
            mean(&starts, |number, start| drop(finder.plan(Query::new(start, goals[number][0]), &mut path))),
            mean(&starts, |number, start| drop(finder.plan(Query::new(start, nearest[number]), &mut path))),
            mean(&starts, |number, start| drop(finder.ask_into(Query::to_any(start, &goals[number]), &mut answer))),
            mean(&starts, |number, start| {
                let Some(&goal) = cut_off.get(number * 7919 % cut_off.len().max(1)) else { return };
                finder.ask_into(Query::new(start, goal).nearest(), &mut answer).expect("the start is free");
                assert_eq!(answer.status(), Status::Nearest);
            }),
        ];
        times = std::array::from_fn(|nth| times[nth].min(each[nth]));
    }
    let [one, to_nearest, of_twenty, unreachable] = times;
    println!(
        "  {spec}: one query {one:.2} us (to the nearest {to_nearest:.2}), nearest of 20 {of_twenty:.2} us: {:.2} queries ({:.2} to the nearest); unreachable {unreachable:.2} us",
        of_twenty / one,
        of_twenty / to_nearest
    );
}

/// The field and the clearances of all cells.
fn whole_map(grid: &Grid) {
    let free = largest(grid);
    let mut field = Field::new(grid, &[free[0]]).expect("the cell is free");
    let mut dice = Dice::new(3);
    let of_field = best(|| field.set_goals(&[any(&free, &mut dice)]).expect("the cell is free"));
    let mut clearance = Clearance::new(grid);
    let of_clearance = best(|| clearance.recompute(grid));
    let fresh = best(|| drop(Clearance::new(grid)));
    println!("  field {of_field:.2?}; clearances {of_clearance:.2?}, {fresh:.2?} with new memory");
}

/// Edits of 100 cells with two sizes of agents in use, and whether paths are still valid.
fn edits(grid: &Grid) {
    let engine = Engine::new("corner-sweep", grid).expect("it can be made for every map");
    let agents = [Agent::square(2), Agent::disc(3.0)].map(|agent| agent.expect("it is of some size"));
    let engines = agents.map(|agent| engine.for_agent(agent).expect("it can be made for every map"));
    let mut dice = Dice::new(8);
    let mut times: Vec<Duration> = (0..200)
        .map(|_| {
            let corner = Cell::new(
                dice.below(u64::from(grid.width()) - 10) as u32,
                dice.below(u64::from(grid.height()) - 10) as u32,
            );
            let to = Cell::new(corner.x + 9, corner.y + 9);
            let mut building = Edits::new();
            building.block_rect(corner, to);
            let before: Edits = (corner.y..=to.y)
                .flat_map(|y| (corner.x..=to.x).map(move |x| Cell::new(x, y)))
                .map(|cell| (cell, grid.is_free(cell)))
                .collect();
            let clock = Instant::now();
            engine.apply(&building).expect("it is on the map");
            let time = clock.elapsed();
            engine.apply(&before).expect("it is on the map");
            time
        })
        .collect();
    times.sort_unstable();
    let scattered = scattered(grid, &engine, &mut dice);
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    println!(
        "  edit of 10 x 10 cells with {} agents: median {:.1?}, mean {mean:.1?}, worst {:.1?}; of 100 scattered cells: median {scattered:.1?}",
        engines.len(),
        times[times.len() / 2],
        times[times.len() - 1]
    );
    let free = largest(grid);
    let paths: Vec<Path> = (0..200)
        .filter_map(|_| engine.find(any(&free, &mut dice), any(&free, &mut dice)).expect("the cells are free"))
        .collect();
    let points: usize = paths.iter().map(|path| path.points().map_or(0, <[Cell]>::len)).sum();
    let valid = best(|| assert!(paths.iter().all(|path| engine.still_valid(path))));
    println!("  still valid: {:.3} us per turning point", valid.as_secs_f64() * 1e6 / points as f64);
}

/// Edits of 100 cells scattered over the map.
fn scattered(grid: &Grid, engine: &Engine, dice: &mut Dice) -> Duration {
    let free = largest(grid);
    let mut times: Vec<Duration> = (0..50)
        .map(|_| {
            let cells: Vec<Cell> = (0..100).map(|_| any(&free, dice)).collect();
            let clock = Instant::now();
            engine.apply(&cells.iter().map(|&cell| (cell, false)).collect()).expect("they are on the map");
            let time = clock.elapsed();
            engine.apply(&cells.iter().map(|&cell| (cell, true)).collect()).expect("they are on the map");
            time
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// A unit that follows its path towards a target that flees along the map, comes nearer, or wanders.
fn chase(grid: &Grid) {
    let free = largest(grid);
    for spec in ["corner-sweep", "corner-sweep:cache=on"] {
        let engine = Engine::new(spec, grid).expect("it can be made for every map");
        let (mut dice, mut chase, mut buffer) = (Dice::new(2), Chase::new(&engine), Path::new());
        let (mut kept, mut fresh) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..40 {
            let (mut unit, mut target) = (any(&free, &mut dice), any(&free, &mut dice));
            for _ in 0..100 {
                let clock = Instant::now();
                let Some(path) = chase.find(unit, target).expect("the cells are free") else { break };
                kept += clock.elapsed();
                let Some(next) = path.cells().ok().and_then(|mut cells| cells.nth(1)) else { break };
                let clock = Instant::now();
                engine.plan(Query::new(unit, target), &mut buffer).expect("the cells are free");
                fresh += clock.elapsed();
                // It rests half of the time.
                let moves: Vec<_> = grid.moves(target).into_iter().collect();
                if dice.hits(1, 2) && !moves.is_empty() {
                    target = moves[dice.below(moves.len() as u64) as usize].step(target, 1);
                }
                unit = next;
            }
        }
        let asked = (chase.asked() + chase.kept()).max(1);
        println!(
            "  chase with {spec}: {:.2} us a step, {:.2} us with a new query; {:.0} % without a search",
            kept.as_secs_f64() * 1e6 / asked as f64,
            fresh.as_secs_f64() * 1e6 / asked as f64,
            chase.kept() as f64 * 100.0 / asked as f64
        );
    }
}

/// The cells of the largest component of a map.
fn largest(grid: &Grid) -> Vec<Cell> {
    let mut builder = grid.edit();
    let largest = builder.keep_largest_area().clone().build();
    grid.cells().filter(|&cell| largest.is_free(cell)).collect()
}

fn any(cells: &[Cell], dice: &mut Dice) -> Cell {
    cells[dice.below(cells.len() as u64) as usize]
}

/// The mean time of a call in microseconds.
fn mean(starts: &[Cell], mut call: impl FnMut(usize, Cell)) -> f64 {
    let clock = Instant::now();
    starts.iter().enumerate().for_each(|(number, &start)| call(number, start));
    clock.elapsed().as_secs_f64() * 1e6 / starts.len() as f64
}

fn best(mut call: impl FnMut()) -> Duration {
    let time = |_| {
        let clock = Instant::now();
        call();
        clock.elapsed()
    };
    (0..ROUNDS).map(time).min().unwrap_or_default()
}
