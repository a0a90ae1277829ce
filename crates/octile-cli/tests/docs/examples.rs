//! Runs the examples. The film is the same each time, which shows that the game is deterministic.

#![allow(dead_code, reason = "a program's `main` is not called here")]

#[path = "../../../../examples/hunt.rs"]
mod hunt;
#[path = "../../../../examples/robot.rs"]
mod robot;
#[path = "../../../../examples/rts.rs"]
mod rts;
#[path = "../../../../examples/terrain.rs"]
mod terrain;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use self::rts::world::{Tick, World};
use crate::assert_shows;

#[test]
fn the_game_is_filmed() {
    assert_shows("rts.gif", &rts::film::shoot(&rts::SCENE).unwrap());
}

/// The example itself checks that all planners find paths of the same cost.
#[test]
fn all_planners_find_equal_costs_in_the_hunt() {
    let mut out = Vec::new();
    hunt::hunt(&octile::formats::generate::rooms(64, 64, 8, 1).unwrap(), 60, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.starts_with("100 hunters on 64 x 64 cells, 60 frames") && out.contains("hub-labels"), "{out}");
}

#[test]
fn the_game_is_played() {
    let mut out = Vec::new();
    rts::play(&rts::BATTLE, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        matches!(lines[..], [units, _, _, .., paths, army, times]
        if units.starts_with("5000 units on 512 x 512 cells: ") && paths.ends_with(" as near to the goal as one can get")
            && army.starts_with("the army went to ") && times.starts_with("a tick took ")),
        "{out}"
    );
}

/// The command that draws the robot's picture, up to the name of the file.
pub(crate) const ROBOT_PICTURE: &str = "cargo run --release -p octile --example robot --features image -- --png docs/";

/// The command that writes the robot's map.
pub(crate) const ROBOT_MAP: &str = "cargo run --release -p octile --example robot --features image -- --map .";

pub(crate) fn robot_map(folder: &Path) -> PathBuf {
    robot::building::write(folder).unwrap()
}

pub(crate) fn robot_picture() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let map = robot_map(folder.path());
    let drive = robot::drive(&map, robot::FROM, robot::TO, &mut io::sink()).unwrap();
    robot::picture::draw(&map, &drive).unwrap()
}

/// The command that draws the picture of terrain, up to the name of the file.
pub(crate) const TERRAIN_PICTURE: &str =
    "cargo run --release -p octile --example terrain --features image -- --png docs/";

pub(crate) fn terrain_picture() -> Vec<u8> {
    terrain::picture::draw(&terrain::travel(&mut io::sink()).unwrap()).unwrap()
}

/// The table that `docs/terrain.md` shows.
#[test]
fn rain_changes_both_paths() {
    let mut out = Vec::new();
    terrain::travel(&mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let page = std::fs::read_to_string(crate::root().join("docs/terrain.md")).unwrap();
    assert!(page.contains(&format!("```text\n{out}```\n")), "docs/terrain.md does not show this:\n{out}");
    let paths: Vec<Vec<&str>> = out.lines().skip(1).map(|line| line.split_whitespace().skip(5).collect()).collect();
    assert!(paths[0] != paths[2] && paths[1] != paths[3], "{out}");
}

#[test]
fn units_are_never_inside_buildings_or_on_one_cell() {
    let mut world = World::new(&rts::SCENE).unwrap();
    let (mut sum, mut sides) = (Tick::default(), BTreeSet::new());
    for tick in 1..=200 {
        sum.add(&world.tick().unwrap());
        let grid = world.engine.grid();
        let squads = world.units.iter().map(|unit| (unit.at, unit.side));
        for (at, side) in squads.chain(world.army.units.iter().map(|&at| (at, 1))) {
            let cells = (0..side * side).map(|nth| (at.x + nth % side, at.y + nth / side));
            assert!(cells.into_iter().all(|cell| grid.is_free(cell)), "tick {tick}: {side} x {side} at {at:?}");
            sides.insert(side);
        }
        let cells: BTreeSet<_> = world.army.units.iter().map(|at| (at.x, at.y)).collect();
        assert_eq!(cells.len(), world.army.units.len(), "tick {tick}");
    }
    assert_eq!(sides, BTreeSet::from([1, 2]));
    assert!(sum.rerouted > 0 && sum.nearest > 0 && world.army.rallied.len() > 3, "too little happened in the game");
}

#[test]
fn the_robot_drives_around_the_crate() {
    let folder = tempfile::tempdir().unwrap();
    let mut out = Vec::new();
    robot::drive(&robot_map(folder.path()), robot::FROM, robot::TO, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let heads: Vec<&str> = out.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(
        matches!(heads[..], [way, found, "the way is blocked", around]
        if way.starts_with("the way: ") && found.contains(" it sees a crate at ") && around.starts_with("the way around it: ")),
        "{out}"
    );
    let end = ["  10.93, 4.93", "  it ends 0.15 m away from the goal, as near as the robot fits"];
    assert!(out.ends_with(&format!("{}\n{}\n", end[0], end[1])), "{out}");
}
