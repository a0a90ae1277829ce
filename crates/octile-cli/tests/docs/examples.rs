//! The examples run. That the film is the same each time shows that the game is.

#![allow(dead_code, reason = "a program's `main` is not called here")]

#[path = "../../../../examples/robot.rs"]
mod robot;
#[path = "../../../../examples/rts.rs"]
mod rts;

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

#[test]
fn the_robot_drives_around_the_crate() {
    let folder = tempfile::tempdir().unwrap();
    let map = robot::write_map(folder.path()).unwrap();
    let mut out = Vec::new();
    robot::drive(&map, (0.9, 0.9), (10.9, 3.5), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let heads: Vec<&str> = out.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(
        matches!(heads[..], [way, found, around]
        if way.starts_with("the way: ") && found.starts_with("a crate at ") && around.starts_with("the way around it: ")),
        "{out}"
    );
    assert_eq!(out.lines().last(), Some("  10.95, 3.55"), "{out}");
}
