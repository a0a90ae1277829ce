//! `octile run`.

use std::fmt::Write;

use octile_testkit::process::{RING, RING_SCEN};
use serde_json::{Value, json};

use crate::{piped, place_with_ring};

#[test]
fn a_disagreement_gives_code_1() {
    let place = place_with_ring();
    for planner in ["jps", "astar", "weighted-astar:weight=2", "dijkstra"] {
        let ran = place.octile(&format!("run ring.map --planner {planner}")).exits(0).silent();
        ran.prints(&format!("3 problems by {planner}, 2 paths found, all agree"));
    }
    place.write("wrong.scen", RING_SCEN.replace("\t3\t2\t5\n", "\t3\t2\t4.9\n"));
    let ran = place.octile("run ring.map wrong.scen").exits(1);
    ran.prints("wrong.scen, line 2: from 0,0 to 3,2: expected 4.90000, found 5.00000").prints("1 disagree");
}

#[test]
fn a_scenario_finds_its_map() {
    let place = place_with_ring();
    place.octile("run ring.map.scen").exits(0).silent().prints("ring.map: 3 problems by corner-sweep");
    std::fs::create_dir(place.path("scens")).unwrap();
    place.write("scens/mine.scen", RING_SCEN);
    let document = place.octile("run scens/mine.scen --json").exits(0).json();
    let named = |field: &str| document[field].as_str().unwrap().replace('\\', "/");
    assert_eq!((named("map"), named("scenario")), ("scens/../ring.map".to_owned(), "scens/mine.scen".to_owned()));
    place.write("scens/lost.scen", RING_SCEN.replace("ring.map", "lost.map"));
    place
        .octile("run scens/lost.scen")
        .exits(2)
        .says("the map of ")
        .says("lost.map exists; give the map before the scenario");
    place.octile("run none.scen").exits(2).says("none.scen: no such file");
}

#[test]
fn a_map_may_come_from_standard_input() {
    let place = place_with_ring();
    piped(&place, "run - ring.map.scen", RING).exits(0).prints("-: 3 problems by corner-sweep").prints("all agree");
    piped(&place, "run -", RING).exits(2).says("write `octile run - FILE.scen`");
}

#[test]
fn json_lists_the_disagreements_with_their_lines() {
    let place = place_with_ring();
    let document = place.octile("run ring.map --json").exits(0).silent().json();
    assert_eq!((&document["problems"], &document["found"]), (&json!(3), &json!(2)));
    assert_eq!((&document["all_agree"], &document["lengths_checked"]), (&json!(true), &json!(true)));
    assert_eq!((&document["planner"], &document["disagreements"]), (&json!("corner-sweep"), &json!([])));

    place.write("wrong.scen", RING_SCEN.replace('\n', "\r\n\r\n").replace("\t2\t0\r", "\t2\t7.5\r"));
    let document = place.octile("run ring.map wrong.scen --json").exits(1).json();
    let wrong = &document["disagreements"][0];
    assert_eq!((&wrong["line"], &wrong["from"], &wrong["to"]), (&json!(7), &json!([0, 0]), &json!([5, 2])));
    assert_eq!((&wrong["expected"], &wrong["found"]), (&json!(7.5), &Value::Null));
}

#[test]
fn a_path_where_the_file_says_there_is_none_disagrees() {
    let place = place_with_ring();
    place.write("wrong.scen", RING_SCEN.replace("\t3\t2\t5\n", "\t3\t2\t0\n"));
    place.octile("run ring.map wrong.scen").exits(1).prints("expected no path, found 5.00000");
}

#[test]
fn a_bounded_planner_must_stay_within_its_weight() {
    let place = place_with_ring();
    // The true optimum is 5: a file that says 4 is within the weight of 2, one that says 2 or 6 is not.
    for (length, code) in [("4", 0), ("2", 1), ("6", 1)] {
        place.write("other.scen", RING_SCEN.replace("\t3\t2\t5\n", &format!("\t3\t2\t{length}\n")));
        place.octile("run ring.map other.scen --planner weighted-astar:weight=2").exits(code);
        place.octile("run ring.map other.scen --planner astar").exits(1);
    }
}

#[test]
fn under_another_rule_lengths_are_not_compared() {
    let place = place_with_ring();
    place.write("wrong.scen", RING_SCEN.replace("\t3\t2\t5\n", "\t3\t2\t99\n"));
    let ran = place.octile("run ring.map wrong.scen --movement tile --json").exits(0);
    let ran = ran.says("the lengths in wrong.scen are for the octile rule");
    assert_eq!(ran.json()["lengths_checked"], false);
    place.write("wrong.scen", RING_SCEN.replace("\t5\t2\t0\n", "\t5\t2\t4\n"));
    place.octile("run ring.map wrong.scen --movement octile-cutting").exits(1).prints("no path found");
}

#[test]
fn only_the_first_twenty_disagreements_are_listed() {
    let place = place_with_ring();
    let mut scen = "version 1\n".to_owned();
    for _ in 0..25 {
        writeln!(scen, "0 ring.map 6 3 0 0 3 2 1").unwrap();
    }
    place.write("wrong.scen", scen);
    let ran = place.octile("run ring.map wrong.scen").exits(1).prints("... and 5 more\n").prints("25 disagree");
    assert_eq!(ran.out.lines().count(), 22);
    let ran = place.octile("run ring.map wrong.scen --every 10 --json").exits(1);
    assert_eq!(ran.json()["disagreements"].as_array().unwrap().len(), 3);
}

#[test]
fn each_path_is_a_line_of_json() {
    let place = place_with_ring();
    place.octile("run ring.map --paths paths.jsonl").exits(0);
    let text = place.read("paths.jsonl");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["from"], &lines[0]["to"]), (&json!([0, 0]), &json!([3, 2])));
    assert_eq!((&lines[0]["length"], lines[0]["path"].as_array().unwrap().len()), (&json!(5.0), 6));
    assert_eq!(lines[1]["path"], json!([[0, 0], [1, 0], [2, 0], [3, 0]]));
    assert_eq!(lines[2], json!({"from": [0, 0], "to": [5, 2], "length": null, "path": null}));
    assert_eq!(place.names(), ["paths.jsonl", "ring.map", "ring.map.scen"]);
}

#[test]
fn any_angle_paths_are_checked_and_written() {
    let place = place_with_ring();
    for planner in
        ["theta-star", "lazy-theta-star:squeeze=forbidden", "astar:on=corners", "weighted-astar:weight=2,smooth=greedy"]
    {
        place.octile(&format!("run ring.map --planner {planner} --paths paths.jsonl")).exits(0).prints("all agree");
        let lines: Vec<Value> =
            place.read("paths.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((&lines[0]["path"], &lines[0]["corners"][0]), (&Value::Null, &json!([0, 0])));
        assert!(lines[0]["length"].as_f64().unwrap() <= 5.0);
        assert_eq!(lines[2], json!({"from": [0, 0], "to": [5, 2], "length": null, "path": null}));
    }
    // The file states a length that no path can have.
    place.write("wrong.scen", RING_SCEN.replace("\t3\t2\t5\n", "\t3\t2\t3\n"));
    place.octile("run ring.map wrong.scen --planner theta-star").exits(1).prints("expected 3.00000");
}

#[test]
fn a_run_that_fails_leaves_the_old_paths() {
    let place = place_with_ring();
    place.write("paths.jsonl", "old");
    let good = RING_SCEN.lines().nth(1).unwrap();
    let bad = good.replace("\t3\t2\t5", "\t4\t2\t5");
    place.write("late.scen", format!("version 1\n{}{bad}\n", format!("{good}\n").repeat(600)));
    let ran = place.octile("run ring.map late.scen --paths paths.jsonl").exits(2);
    ran.says("late.scen").says("line 602").says("goal 4,2 is blocked");
    assert_eq!(place.read("paths.jsonl"), "old");
    assert_eq!(place.names(), ["late.scen", "paths.jsonl", "ring.map", "ring.map.scen"]);
}

#[test]
fn scenarios_that_do_not_fit_are_refused() {
    let place = place_with_ring();
    place.octile("run ring.map none.scen").exits(2).says("none.scen");
    place.write("other.scen", RING_SCEN.replace("\t6\t3\t", "\t7\t3\t"));
    place.octile("run ring.map other.scen").exits(2).says("other.scen, line 2").says("7 x 3");
    place.write("off.scen", RING_SCEN.replace("\t3\t0\t3\n", "\t9\t0\t3\n"));
    place.octile("run ring.map off.scen").exits(2).says("off.scen, line 3").says("9,0");
    place.write("broken.scen", "version 1\n1 2 3\n");
    place.octile("run ring.map broken.scen").exits(2).says("broken.scen: line 2: expected 9 columns");
    place.write("alone.map", crate::RING);
    place.octile("run alone.map").exits(2).says("`octile gen scen alone.map -o alone.map.scen`");
}
