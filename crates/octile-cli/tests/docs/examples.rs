//! The examples run, and tell the same each time.

#![allow(dead_code, reason = "a program's `main` is not called here")]

#[path = "../../../../examples/robot.rs"]
mod robot;
#[path = "../../../../examples/rts/main.rs"]
mod rts;

use crate::assert_shows;

#[test]
fn the_game_is_filmed() {
    assert_shows("rts.gif", &rts::film::shoot(&rts::SCENE).unwrap());
}

#[test]
fn the_game_is_the_same_each_time() {
    let play = || {
        let mut out = Vec::new();
        rts::play(&rts::BATTLE, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    // The last line tells times.
    let events = |text: &str| text.lines().rev().nth(1).unwrap().to_owned();
    let (once, again) = (play(), play());
    assert!(once.starts_with("1000 units on 512 x 512 cells\n"), "{once}");
    assert!(events(&once).ends_with("around new buildings"), "{once}");
    assert_eq!(events(&once), events(&again));
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
    assert_eq!(out.lines().last(), Some("  10.90, 3.60"), "{out}");
}
