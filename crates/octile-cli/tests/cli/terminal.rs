//! Differences when standard output is a terminal: colours, widths, and omitted output.
//!
//! `script` of util-linux creates the terminal. Without it these tests do nothing; unit tests cover the decisions.

use std::process::Command;

use octile_testkit::process::Place;

use crate::place_with_ring;

/// Runs the command on a terminal with this many columns, and returns its exit code and all that the terminal shows.
fn on_terminal(place: &Place, columns: u32, args: &str) -> Option<(i32, String)> {
    let octile = env!("CARGO_BIN_EXE_octile");
    let line = format!("stty cols {columns} rows 30; {octile} {args}");
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(place.path("")).env("TERM", "xterm").env_remove("NO_COLOR");
    let output = script.output().ok()?;
    Some((output.status.code()?, String::from_utf8_lossy(&output.stdout).replace('\r', "")))
}

/// Text without colour codes.
fn plain(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('m').map_or(piece, |(_, rest)| rest))
}

#[test]
fn pictures_and_large_maps_do_not_flood_a_terminal() {
    let place = place_with_ring();
    for args in ["draw ring.map", "gen rooms", "gen open --width 100 --height 5"] {
        let Some((code, shown)) = on_terminal(&place, 80, args) else { return };
        assert_eq!(code, 2, "{args}: {shown}");
        let sentence = plain(&shown).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.lines().count() <= 3 && sentence.contains(" would flood the terminal: "), "{args}: {shown}");
        assert!(sentence.contains("`-o FILE`") && sentence.contains("`| PROGRAM`"), "{args}: {shown}");
    }
    let (code, shown) = on_terminal(&place, 80, "gen open --width 4 --height 2").unwrap();
    assert_eq!((code, shown.as_str()), (0, "type octile\nheight 2\nwidth 4\nmap\n....\n....\n"));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let place = place_with_ring();
    // The progress bar is on standard error.
    let race = "compare ring.map --planner astar --planner jps --planner weighted-astar:weight=1.5 2>/dev/null";
    for (columns, args) in [
        (80, race),
        (60, race),
        (60, "planners"),
        (70, "planners cpd"),
        (80, "advise ring.map 2>/dev/null"),
        (40, "solve ring.map --from 0,0 --to 3,2 --planner rea-star"),
        (50, "solve ring.map --from 0,0 --to 3,2 --planner a-star"),
        (50, "run ring.map 2>/dev/null"),
        (50, "build gates ring.map -o gates.octx 2>/dev/null"),
        (70, "--help"),
    ] {
        let Some((_, shown)) = on_terminal(&place, columns, args) else { return };
        for line in plain(&shown).lines() {
            assert!(line.chars().count() <= columns as usize, "{args} on {columns} columns: {line}");
        }
    }
    let (_, narrow) = on_terminal(&place, 60, race).unwrap();
    assert!(narrow.contains("(No room for max us, per query, ") && !narrow.contains(" max us "), "{narrow}");
}

#[test]
fn only_terminals_get_colours() {
    let place = place_with_ring();
    let race = "compare ring.map --planner astar --planner jps 2>/dev/null";
    let Some((_, shown)) = on_terminal(&place, 130, race) else { return };
    assert!(shown.contains("\u{1b}[1mjps\u{1b}[0m") && shown.contains("\u{1b}[32m"), "{shown}");
    let (_, shown) = on_terminal(&place, 130, "solve nowhere.map --from 0,0 --to 1,1").unwrap();
    assert!(shown.contains("\u{1b}[31m"), "{shown}");
    assert!(plain(&shown).starts_with("octile: nowhere.map: no such file"), "{shown}");
    let (_, shown) = on_terminal(&place, 130, &format!("{race} | cat")).unwrap();
    assert!(!shown.contains('\u{1b}'), "{shown}");
    let octile = env!("CARGO_BIN_EXE_octile");
    let (_, shown) = on_terminal(&place, 130, &format!("--version; NO_COLOR=1 {octile} {race}")).unwrap();
    assert!(shown.contains("mean us") && !shown.contains('\u{1b}'), "{shown}");
}

/// A slow index build before a query shows its progress.
#[test]
fn builds_of_planners_show_their_progress() {
    let place = place_with_ring();
    place.octile("gen rooms --width 400 --height 400 --room 8 -o rooms.map").exits(0);
    place.octile("gen scen rooms.map -o rooms.map.scen --per-bucket 1").exits(0);
    for args in ["solve rooms.map --from 1,1 --to 390,390 --planner hub-labels", "run rooms.map --planner hub-labels"] {
        let Some((code, shown)) = on_terminal(&place, 80, args) else { return };
        assert_eq!(code, 0, "{args}: {shown}");
        assert!(plain(&shown).contains("building hubs ["), "{args}: {shown}");
    }
}

#[test]
fn a_bar_waits_until_it_knows_its_total() {
    let place = place_with_ring();
    place.octile("gen rooms --width 100 --height 100 -o rooms.map").exits(0);
    let Some((code, shown)) = on_terminal(&place, 100, "build hub-labels rooms.map -o a.octx") else { return };
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("building ") && !shown.contains("0/0"), "{shown}");
}
