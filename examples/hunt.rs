//! A hunt: units after targets that move, asked for anew in every frame, on a map where buildings are put up and torn
//! down.
//!
//! ```text
//! cargo run --release -p octile --example hunt
//! cargo run --release -p octile --example hunt -- MAP FRAMES
//! ```
//!
//! All planners play the same hunt at the same time: each is asked for the ways of all hunters in every frame, and the
//! hunters walk along those of the first. That all ways cost the same is checked. What is printed is what a frame costs
//! with each planner.

use std::error::Error;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use std::{env, iter};

use octile::engine::{Chase, Upkeep};
use octile::formats::generate;
use octile::geometry::Dice;
use octile::{Cell, Edits, Engine, Grid, Path};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Who plays, and whether its index is built anew beside the game when the map has changed.
const PLANNERS: [(&str, bool); 4] =
    [("astar", false), ("corner-sweep", false), ("jump-graph", false), ("hub-labels", true)];

/// Hunters, each after a target of its own.
const HUNTERS: usize = 100;

/// A building is put up or torn down after so many frames.
const FRAMES_PER_BUILDING: usize = 10;

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let (map, frames) = match &args[..] {
        [] => (None, None),
        [map] => (Some(map), None),
        [map, frames] => (Some(map), Some(frames.parse()?)),
        _ => return Err("usage: hunt [MAP [FRAMES]]".into()),
    };
    let grid = match map {
        Some(map) => octile::load(map)?.grid,
        None => generate::rooms(256, 256, 16, 1)?,
    };
    hunt(&grid, frames.unwrap_or(300), &mut io::stdout())
}

/// A planner in the game, with what its frames took.
struct Player {
    name: &'static str,
    engine: Engine,
    chases: Vec<Chase>,
    frames: Vec<Duration>,
    edits: Vec<Duration>,
}

impl Player {
    // doc: engine
    fn new(name: &'static str, renews: bool, grid: &Grid) -> Result<Self> {
        let engine = Engine::new(name, grid)?;
        if renews {
            // On a thread of its own, once there has been no edit for a moment or the first was a while ago.
            engine.keep_fresh(Upkeep::after(Duration::from_millis(50)).at_latest(Duration::from_millis(500)));
        }
        let chases = iter::repeat_with(|| Chase::new(&engine)).take(HUNTERS).collect();
        Ok(Self { name, engine, chases, frames: Vec::new(), edits: Vec::new() })
    }
    // doc: end

    /// The ways of all hunters: what they cost, and where each goes next.
    fn play(&mut self, pairs: &[[Cell; 2]], next: &mut Vec<Cell>) -> Result<f64> {
        let clock = Instant::now();
        let mut total = 0.0;
        next.clear();
        // doc: frame
        for (chase, &[hunter, target]) in self.chases.iter_mut().zip(pairs) {
            let path = chase.find(hunter, target)?; // what is left of the last one, or a new one
            total += path.map_or(0.0, Path::length);
            next.push(path.and_then(|path| path.cells().ok()?.nth(1)).unwrap_or(hunter));
        }
        // doc: end
        self.frames.push(clock.elapsed());
        Ok(total)
    }

    fn change(&mut self, edits: &Edits) -> Result<()> {
        let clock = Instant::now();
        self.engine.apply(edits)?;
        self.edits.push(clock.elapsed());
        Ok(())
    }
}

/// Plays so many frames, and prints what they took.
pub(crate) fn hunt(grid: &Grid, frames: usize, out: &mut dyn Write) -> Result<()> {
    let mut players: Vec<Player> =
        PLANNERS.into_iter().map(|(name, renews)| Player::new(name, renews, grid)).collect::<Result<_>>()?;
    let mut dice = Dice::new(1);
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    if free.is_empty() {
        return Err("the map has no free cell to hunt on".into());
    }
    let mut pairs: Vec<[Cell; 2]> =
        (0..HUNTERS).map(|_| [(); 2].map(|()| free[dice.below(free.len() as u64) as usize])).collect();
    let (mut now, mut standing, mut next) = (grid.clone(), Vec::new(), Vec::new());
    for frame in 0..frames {
        if frame % FRAMES_PER_BUILDING == FRAMES_PER_BUILDING - 1 {
            let edits = build(&now, &pairs, &mut standing, &mut dice);
            now.apply(&edits)?;
            players.iter_mut().try_for_each(|player| player.change(&edits))?;
        }
        for pair in &mut pairs {
            pair[1] = wandered(&now, pair[1], &mut dice);
        }
        let mut steps = None;
        let mut expected = None;
        for player in &mut players {
            let total = player.play(&pairs, &mut next)?;
            if (total - *expected.get_or_insert(total)).abs() > 1e-6 {
                return Err(format!("{} found ways of {total} in frame {frame}, not {expected:?}", player.name).into());
            }
            steps.get_or_insert_with(|| next.clone());
        }
        for (pair, step) in pairs.iter_mut().zip(steps.unwrap_or_default()) {
            // Who has caught its target looks for another.
            let caught = step == pair[1];
            *pair = [step, if caught { free_cell(&now, &free, &mut dice) } else { pair[1] }];
        }
    }
    report(grid, frames, &players, out)
}

/// A building on free ground where nobody stands is put up, or one that stands is torn down.
fn build(grid: &Grid, pairs: &[[Cell; 2]], standing: &mut Vec<[Cell; 2]>, dice: &mut Dice) -> Edits {
    let mut edits = Edits::new();
    if standing.len() > 8
        && let Some([a, b]) = standing.pop()
    {
        edits.free_rect(a, b);
        return edits;
    }
    for _ in 0..100 {
        let a = Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
        let b = Cell::new(a.x + 2 + dice.below(4) as u32, a.y + 2 + dice.below(4) as u32);
        let is_inside = |cell: Cell| (a.x..=b.x).contains(&cell.x) && (a.y..=b.y).contains(&cell.y);
        let is_free = (a.y..=b.y).all(|y| (a.x..=b.x).all(|x| grid.is_free((x, y))));
        if is_free && !pairs.iter().flatten().any(|&cell| is_inside(cell)) {
            edits.block_rect(a, b);
            standing.insert(0, [a, b]);
            break;
        }
    }
    edits
}

/// A legal step in any direction, or none.
fn wandered(grid: &Grid, cell: Cell, dice: &mut Dice) -> Cell {
    let moves: Vec<_> = grid.moves(cell).into_iter().collect();
    moves.get(dice.below(moves.len() as u64 + 1) as usize).map_or(cell, |dir| dir.step(cell, 1))
}

fn free_cell(grid: &Grid, free: &[Cell], dice: &mut Dice) -> Cell {
    let any = iter::repeat_with(|| free[dice.below(free.len() as u64) as usize]);
    any.take(1000).find(|&cell| grid.is_free(cell)).unwrap_or(free[0])
}

fn report(grid: &Grid, frames: usize, players: &[Player], out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "{HUNTERS} hunters on {} x {} cells, {frames} frames, a building every {FRAMES_PER_BUILDING}",
        grid.width(),
        grid.height()
    )?;
    writeln!(
        out,
        "{:<13} {:>12} {:>12} {:>12} {:>12} {:>8}",
        "planner", "frame us", "worst frame", "edit us", "worst edit", "asked"
    )?;
    for Player { name, chases, frames, edits, .. } in players {
        let mean = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() * 1e6 / times.len().max(1) as f64;
        let worst = |times: &[Duration]| times.iter().max().map_or(0.0, |time| time.as_secs_f64() * 1e6);
        let (asked, kept) =
            chases.iter().fold((0, 0), |(asked, kept), chase| (asked + chase.asked(), kept + chase.kept()));
        let asked = 100.0 * asked as f64 / (asked + kept).max(1) as f64;
        writeln!(
            out,
            "{name:<13} {:>12.1} {:>12.1} {:>12.1} {:>12.1} {asked:>6.1} %",
            mean(frames),
            worst(frames),
            mean(edits),
            worst(edits)
        )?;
    }
    Ok(())
}
