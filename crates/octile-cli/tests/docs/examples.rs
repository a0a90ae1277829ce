//! The examples run. That the film is the same each time shows that the game is.

#![allow(dead_code, reason = "a program's `main` is not called here")]

#[path = "../../../../examples/robot.rs"]
mod robot;
#[path = "../../../../examples/rts.rs"]
mod rts;

use std::io;
use std::path::{Path, PathBuf};

use crate::assert_shows;

#[test]
fn the_game_is_filmed() {
    assert_shows("rts.gif", &rts::film::shoot(&rts::SCENE).unwrap());
}

#[test]
fn the_game_is_played() {
    let mut out = Vec::new();
    rts::play(&rts::BATTLE, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        matches!(lines[..], ["1000 units on 512 x 512 cells", _, .., paths, times]
        if paths.ends_with(" of them around new buildings") && times.starts_with("a tick took ")),
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
