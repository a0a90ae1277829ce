//! A game: squads of small and large units march from camp to camp, an army marches to one point, and buildings drop in
//! their way.
//!
//! ```text
//! cargo run --release -p octile --example rts
//! cargo run --release -p octile --example rts -- --gif rts.gif
//! ```
//!
//! - `rts/world.rs`: the map, and buildings that come and go. An edit is made once, to one [`Engine`](octile::Engine),
//!   for units of all sizes.
//! - `rts/squad.rs`: units that have a path each, from the engine of their size. One whose way is blocked asks for
//!   another.
//! - `rts/army.rs`: units that have no paths. One [`Field`](octile::Field) tells all of them where to go.
//! - `rts/film.rs`: the game as an animated picture.
//!
//! What happens depends on the seed alone, not on time or threads.

#[path = "rts/army.rs"]
mod army;
#[path = "rts/film.rs"]
pub(crate) mod film;
#[path = "rts/squad.rs"]
mod squad;
#[path = "rts/world.rs"]
pub(crate) mod world;

use std::error::Error;
use std::io::{self, Write};
use std::{env, fs};

use self::world::{Tick, World};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => play(&BATTLE, &mut io::stdout()),
        ["--gif", file] => Ok(fs::write(file, film::shoot(&SCENE)?)?),
        _ => Err("usage: rts [--gif FILE]".into()),
    }
}

/// How large a game is.
pub(crate) struct Size {
    width: u32,
    height: u32,
    camps: u32,
    squads: u32,
    /// One in so many squads is of large units.
    large: u32,
    /// Units in a squad.
    strength: u32,
    /// Units in the army.
    army: u32,
    ticks: u32,
    /// A building drops every so many ticks.
    pace: u32,
    /// With more buildings than this, the oldest is torn down.
    buildings: usize,
    seed: u64,
}

/// The game that is played as text.
pub(crate) const BATTLE: Size = Size {
    width: 512,
    height: 512,
    camps: 50,
    squads: 150,
    large: 5,
    strength: 20,
    army: 2000,
    ticks: 300,
    pace: 2,
    buildings: 100,
    seed: 2,
};

/// The game that is filmed.
pub(crate) const SCENE: Size = Size {
    width: 100,
    height: 60,
    camps: 6,
    squads: 6,
    large: 3,
    strength: 6,
    army: 120,
    ticks: 110,
    pace: 4,
    buildings: 14,
    seed: 7,
};

/// Plays a game and tells what happened.
pub(crate) fn play(size: &Size, out: &mut impl Write) -> Result<()> {
    let mut world = World::new(size)?;
    let (large, army) = (world.units.iter().filter(|unit| unit.side > 1).count(), world.army.units.len());
    let (small, all) = (world.units.len() - large, world.units.len() + army);
    writeln!(
        out,
        "{all} units on {} x {} cells: {small} small and {large} large ones with a path each,",
        size.width, size.height
    )?;
    writeln!(out, "and an army of {army} that follows one distance field")?;
    writeln!(
        out,
        "{:>5} {:>10} {:>7} {:>10} {:>8} {:>9} {:>9} {:>9}",
        "tick", "buildings", "paths", "re-routed", "arrived", "edit us", "field us", "think us"
    )?;
    let mut sum = Tick::default();
    for tick in 1..=size.ticks {
        let now = world.tick()?;
        if tick % (size.ticks / 10) == 0 {
            let [edit, field, think] = [now.edit, now.field, now.think].map(|time| time.as_micros());
            let (buildings, arrived) = (world.buildings.len(), world.army.arrived());
            let Tick { paths, rerouted, .. } = now;
            writeln!(
                out,
                "{tick:>5} {buildings:>10} {paths:>7} {rerouted:>10} {arrived:>8} {edit:>9} {field:>9} {think:>9}"
            )?;
        }
        sum.add(&now);
    }
    let Tick { paths, rerouted, nearest, edit, field, think } = sum;
    let (ticks, rallies) = (size.ticks, world.army.rallied.len() - 1);
    writeln!(
        out,
        "{paths} paths in {ticks} ticks: {rerouted} around new buildings, {nearest} as near to the goal as one can get"
    )?;
    writeln!(out, "the army went to {rallies} rallying points and asked for no path")?;
    writeln!(
        out,
        "a tick took {:.0?} for the map, {:.0?} for the field and {:.0?} for the units",
        edit / ticks,
        field / ticks,
        think / ticks
    )?;
    Ok(())
}
