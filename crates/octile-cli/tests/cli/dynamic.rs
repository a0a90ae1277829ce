//! Dynamic scenarios, whose map changes: `octile gen scen --changes`, and how `run`, `compare` and `info` treat them.

use octile_testkit::process::Place;
use serde_json::{Value, json};

use crate::{place, place_with_ring};

/// On a map of 6 x 3 cells, a wall with a door is built; then the door closes and a gap opens at the other end.
const WALL_SCEN: &str = "version 2\nheight 3\nwidth 6\ncost 1 octile\npatch wall.patch\ncommands\n\
    Q 0 0 0 5 0 5\nP 1 0 2 0\nQ 1 0 0 5 0 7.2426406871193\nQ 1 0 1 5 1 5.8284271247462\nP 2 1 2 2\nQ 2 0 0 5 0 -1\nP 3 2 2 0\nQ 3 0 0 5 0 5\n";

const WALL_PATCH: &str = "type patch\npatches 3\npatch 0\nheight 3\nwidth 1\nmap\n@\n@\n.\npatch 1\nheight 1\nwidth 1\nmap\n@\n\
    patch 2\nheight 1\nwidth 1\nmap\n.\n";

fn place_with_wall() -> Place {
    let place = place();
    place.write("wall.scen", WALL_SCEN);
    place.write("wall.patch", WALL_PATCH);
    place
}

/// A place with a map and a scenario on it.
fn place_with_siege() -> Place {
    let place = place();
    place.octile("gen rooms --width 40 --height 30 --room 8 -o rooms.map").exits(0).silent();
    place.octile("gen scen rooms.map --changes 2% --batches 6 --between 9 -o siege.scen").exits(0).silent();
    place
}

#[test]
fn every_planner_that_takes_edits_agrees_with_the_file() {
    for (place, scen) in [(place_with_wall(), "wall.scen"), (place_with_siege(), "siege.scen")] {
        for planner in
            ["astar", "jps", "corner-sweep", "jump-graph", "block-astar", "weighted-astar:weight=2", "theta-star"]
        {
            let ran = place.octile(&format!("run {scen} --planner {planner}")).exits(0).silent();
            ran.prints(&format!(" problems by {planner} between ")).prints("all agree").prints("(build ");
        }
    }
}

#[test]
fn json_separates_changes_and_queries() {
    let place = place_with_wall();
    let document = place.octile("run wall.scen --json").exits(0).silent().json();
    for (field, expected) in [
        ("scenario", json!("wall.scen")),
        ("planner", json!("corner-sweep")),
        ("edits", json!(3)),
        ("cells_changed", json!(4)),
        ("problems", json!(5)),
        ("found", json!(4)),
        ("all_agree", json!(true)),
        ("lengths_checked", json!(true)),
        ("disagreements", json!([])),
    ] {
        assert_eq!(document[field], expected, "{field}");
    }
    let time = |field: &str| document[field].as_f64().unwrap();
    assert!(["build_ms", "edit_ms", "query_ms"].iter().all(|field| time(field) > 0.0));
    assert!((time("edit_ms") + time("query_ms") - time("total_ms")).abs() < 1e-6);
    assert!(time("first_edit_ms") > 0.0 && time("first_edit_ms") < time("edit_ms"));
}

#[test]
fn wrong_lengths_are_reported_with_their_lines() {
    let place = place_with_wall();
    // An error of a ten-thousandth is wrong too: the file has all digits.
    place.write("wall.scen", WALL_SCEN.replace("5.8284271247462", "5.8285271247462").replace(" -1", " 9"));
    let document = place.octile("run wall.scen --json").exits(1).json();
    let wrong = |number: usize, field: &str| document["disagreements"][number][field].clone();
    assert_eq!(document["disagreements"].as_array().unwrap().len(), 2);
    assert_eq!((wrong(0, "line"), wrong(0, "from"), wrong(0, "to")), (json!(10), json!([0, 1]), json!([5, 1])));
    assert_eq!((wrong(1, "line"), wrong(1, "expected"), wrong(1, "found")), (json!(12), json!(9.0), Value::Null));
    let ran = place.octile("run wall.scen --planner jps").exits(1).prints("2 disagree");
    ran.prints("wall.scen, line 12: from 0,0 to 5,0: expected 9.00000, found no path");
}

#[test]
fn ends_under_a_building_have_no_path() {
    let place = place_with_wall();
    place.write("wall.scen", WALL_SCEN.replace("Q 2 0 0 5 0 -1", "Q 2 0 0 2 1 -1"));
    place.octile("run wall.scen").exits(0).prints("all agree");
    place.octile("compare wall.scen --planner astar --planner jps --rounds 1").exits(0).silent();
}

#[test]
fn every_selects_every_nth_query() {
    let place = place_with_siege();
    let document = place.octile("run siege.scen --every 9 --json").exits(0).json();
    assert_eq!((&document["edits"], &document["problems"]), (&json!(6), &json!(6)));
    let document = place.octile("compare siege.scen --planner jps --limit 10 --rounds 1 --json").exits(0).json();
    assert_eq!((&document["scenarios"][0]["edits"], &document["scenarios"][0]["problems"]), (&json!(2), &json!(10)));
}

#[test]
fn each_path_is_a_line_of_json() {
    let place = place_with_wall();
    place.octile("run wall.scen --paths paths.jsonl").exits(0);
    let text = place.read("paths.jsonl");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[1]["length"], &lines[3]["path"]), (5, &json!(7.242_640_687_119_286), &Value::Null));
}

#[test]
fn under_another_rule_lengths_are_not_compared() {
    let place = place_with_wall();
    let ran = place.octile("run wall.scen --movement tile --planner astar --json").exits(0);
    let ran = ran.says("the lengths in wall.scen are for the octile rule");
    assert_eq!(ran.json()["lengths_checked"], false);
}

#[test]
fn planners_are_compared_over_changes_and_queries() {
    let place = place_with_siege();
    let args = "compare siege.scen --planner astar --planner corner-sweep --planner jump-graph --planner hub-labels --rounds 2";
    let ran = place.octile(args).exits(0);
    let ran =
        ran.prints("siege.scen: 40 x 30 cells, 6 changes of ").prints("54 queries").prints("Speed-ups are over astar");
    let names: Vec<&str> = ran.out.lines().filter(|line| line.contains("all right")).collect();
    assert_eq!(names.len(), 4, "{}", ran.out);
    let header = ran.out.lines().find(|line| line.starts_with("planner")).unwrap();
    for column in ["build ms", "first ms", "changes ms", "queries ms", "together ms", "speed-up", "verdict"] {
        assert!(header.contains(column), "{header}");
    }

    let document = place.octile("compare siege.scen --rounds 1 --json").exits(0).silent().json();
    let scenario = &document["scenarios"][0];
    let planners = scenario["planners"].as_array().unwrap();
    assert!(planners.len() >= 7 && scenario["left_out"] == json!([]), "{scenario}");
    assert_eq!((&planners[0]["planner"], &planners[0]["speedup"]), (&json!("astar"), &json!(1.0)));
    for planner in planners {
        let time = |field: &str| planner[field].as_f64().unwrap();
        assert!(time("build_ms") > 0.0 && time("edit_ms") > 0.0 && time("query_ms") > 0.0, "{planner}");
        assert!((time("edit_ms") + time("query_ms") - time("total_ms")).abs() < 1e-6);
        assert_eq!(planner["wrong"], 0);
    }
}

#[test]
fn wrong_answers_in_a_race_are_counted() {
    let place = place_with_wall();
    place.write("wall.scen", WALL_SCEN.replace("7.2426406871193", "6"));
    let ran = place.octile("compare wall.scen --planner astar --planner jps --rounds 1").exits(1).prints("1 wrong");
    ran.says(
        "wrong answer of jps on wall.scen, line 9 of its scenario, from 0,0 to 5,0: expected length 6, found 7.24264",
    );
}

#[test]
fn arguments_that_dynamic_scenarios_do_not_support_are_refused() {
    let place = place_with_wall();
    place.write("ring.map", octile_testkit::process::RING);
    place.write("ring.map.scen", WALL_SCEN);
    place.write("swamp.prices", ". 1\n");
    for (args, part) in [
        ("run wall.scen ring.map", "wall.scen is a dynamic scenario, which contains its map: give it alone"),
        ("run ring.map wall.scen", "wall.scen: line 1: `version 2` is a dynamic scenario"),
        ("run ring.map", "it contains its map: give it alone, as in `octile run ring.map.scen`"),
        ("run wall.scen --prices swamp.prices", "leave out --prices swamp.prices"),
        ("compare wall.scen ring.map", "compare them separately"),
        ("compare wall.scen --csv a.csv", "--csv does not support dynamic scenarios"),
        ("compare wall.scen --scen-dir .", "leave out --scen-dir"),
        ("compare wall.scen --planner jump-graph --movement tile", "tile"),
        ("draw wall.scen -o a.png", "wall.scen is a dynamic scenario, not a map: `octile run wall.scen` plays it"),
        ("solve wall.scen --from 0,0 --to 1,1", "is a dynamic scenario, not a map"),
    ] {
        place.octile(args).exits(2).says(part);
    }
    let place = place_with_ring();
    place.octile("draw ring.map.scen -o a.png").exits(2).says("ring.map.scen is a scenario, not a map");
}

#[test]
fn damaged_files_are_named_with_their_lines() {
    let place = place_with_wall();
    for (file, from, to, part) in [
        (
            "wall.scen",
            "P 1 0 2 0",
            "P 1 0 2 1",
            "wall.scen: line 8: patch 0 of 1 x 3 cells does not lie on the map at 2,1",
        ),
        ("wall.scen", "P 1 0 2 0", "P 1 3 2 0", "line 8: there is no patch 3: the scenario has 3"),
        ("wall.scen", "Q 0 0 0 5 0 5", "Q 0 0 0 6 0 5", "line 7: goal 6,0 is off the map"),
        ("wall.scen", "height 3", "height 99999", "in the header: a map of 6 x 99999 cells is too large"),
        ("wall.scen", "cost 1 octile", "cost 1 tile", "wall.scen has no costs named `octile`"),
        ("wall.scen", "wall.patch", "none.patch", "its patches none.patch: no such file"),
        (
            "wall.patch",
            "patches 3",
            "patches 9999999999",
            "its patches wall.patch: expected 9999999999 patches, found 3",
        ),
        ("wall.patch", "@\n@\n.", "@\n@\n?", "wall.patch: line 9, column 1: unknown terrain `?`"),
    ] {
        let whole = if file == "wall.scen" { WALL_SCEN } else { WALL_PATCH };
        place.write(file, whole.replacen(from, to, 1));
        for command in ["run", "compare"] {
            place.octile(&format!("{command} wall.scen")).exits(2).says(part);
        }
        if !part.contains("octile") {
            place.octile("info wall.scen").exits(2).says(part);
        }
        place.write(file, whole);
    }
}

#[test]
fn info_describes_a_dynamic_scenario() {
    let place = place_with_wall();
    let ran =
        place.octile("info wall.scen").exits(0).silent().prints("dynamic scenario").prints("6 x 3 cells, all free");
    ran.prints("3 in wall.patch").prints("3 of 4 cells").prints("5, 1 of them unreachable").prints("5.00 to 7.24");
    let document = place.octile("info wall.scen --json").exits(0).json();
    assert_eq!((&document["kind"], &document["edits"]), (&json!("dynamic-scenario"), &json!(3)));
    assert_eq!((&document["cells_changed"], &document["unreachable"]), (&json!(4), &json!(1)));
}

#[test]
fn scenarios_are_reproducible_from_a_seed() {
    let place = place_with_siege();
    assert_eq!(place.names(), ["rooms.map", "siege.patch", "siege.scen"]);
    let read =
        |name: &str| (place.read(&format!("{name}.scen")).replace(name, ""), place.read(&format!("{name}.patch")));
    let made = |name: &str, more: &str| {
        place
            .octile(&format!("gen scen rooms.map --changes 2% --batches 6 --between 9 -o {name}.scen {more}"))
            .exits(0);
        read(name)
    };
    assert_eq!(made("again", "--seed 1"), read("siege"));
    assert_ne!(made("other", "--seed 2"), read("siege"));
    let (scen, patch) = read("siege");
    assert!(scen.starts_with("version 2\nheight 30\nwidth 40\ncost 1 octile\npatch .patch\ncommands\nP 0 0 0 0\nQ 0 "));
    assert!(patch.contains(place.read("rooms.map").split_once("map\n").unwrap().1), "the first patch is the map");
}

#[test]
fn invalid_generator_arguments_are_refused() {
    let place = place_with_siege();
    place.write("swamp.txt", "12\n21\n");
    for (args, part) in [
        ("--changes 2%", "a dynamic scenario is two files"),
        ("--changes 2% -o a.txt", "a.txt does not end in .scen"),
        ("--changes 2 -o a.scen", "from 0.01% to 10%, such as 0.1%"),
        ("--changes 0.001% -o a.scen", "from 0.01% to 10%"),
        ("--changes 11% -o a.scen", "from 0.01% to 10%"),
        ("--batches 3 -o a.scen", "--changes"),
        ("--changes 1% --per-bucket 3 -o a.scen", "cannot be used with"),
        ("--changes 1% -o no/a.scen", "its directory does not exist"),
    ] {
        place.octile(&format!("gen scen rooms.map {args}")).exits(2).says(part);
    }
    place.octile("gen scen swamp.txt --changes 1% -o a.scen").exits(2).says("swamp.txt has prices");
    assert_eq!(place.names(), ["rooms.map", "siege.patch", "siege.scen", "swamp.txt"]);
}
