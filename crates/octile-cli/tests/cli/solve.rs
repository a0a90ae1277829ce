//! `octile solve`.

use octile_testkit::process::RING;
use serde_json::{Value, json};

use crate::{piped, place, place_with_ring};

#[test]
fn a_path_is_printed_with_its_exact_cost() {
    let place = place_with_ring();
    place.write("open.txt", "....\n....\n....\n");
    let ran = place.octile("solve open.txt --from 0,0 --to 3,2").exits(0).silent();
    let ran = ran.prints("1+2√2 = 3.82843").prints("cells").prints("expanded").prints("time");
    assert!(ran.out.contains("planner    corner-sweep\n"), "{}", ran.out);
    place.octile("solve ring.map --from 0,0 --to 3,2 --planner astar").exits(0).prints("cost       5 = 5.00000");
}

#[test]
fn the_default_planner_depends_on_the_rule() {
    let place = place_with_ring();
    for (rule, planner) in [("octile", "corner-sweep"), ("tile", "astar"), ("octile-cutting", "astar")] {
        let ran = place.octile(&format!("solve ring.map --from 0,0 --to 3,2 --movement {rule} --json")).exits(0);
        assert_eq!(ran.json()["planner"], planner, "{rule}");
    }
}

#[test]
fn maps_come_from_standard_input_in_any_format() {
    let place = place();
    let ends = "--from 0,0 --to 3,2";
    let ascii = RING.split_once("map\n").unwrap().1;
    place.write("ring.map", RING);
    place.octile("draw ring.map -o ring.png --scale 1").exits(0);
    let png = std::fs::read(place.path("ring.png")).unwrap();
    let pgm = b"P5\n6 3\n255\n\xff\xff\xff\xff\x00\xff\xff\x00\x00\xff\x00\xff\xff\xff\xff\xff\x00\xff";
    let maps: [(&str, &[u8]); 4] =
        [("movingai", RING.as_bytes()), ("ascii", ascii.as_bytes()), ("png", &png), ("pgm", pgm)];
    for (format, map) in maps {
        piped(&place, &format!("solve - {ends}"), map).exits(0).prints("5 = 5.00000");
        assert_eq!(piped(&place, "info - --json", map).exits(0).json()["format"], format);
    }
    piped(&place, "draw - -o again.png --scale 1", RING).exits(0).silent();
    assert_eq!(std::fs::read(place.path("again.png")).unwrap(), png);
    piped(&place, "advise -", RING).exits(0).prints("-: 6 x 3 cells");
    piped(&place, "build gates - -o gates.octx", RING).exits(0);
    place.octile("info gates.octx --map ring.map").exits(0);
    let scenario = piped(&place, "gen scen -", RING).exits(0).out;
    assert!(scenario.starts_with("version 1\n"), "{scenario}");
    piped(&place, &format!("solve - {ends}"), "type octile\n").exits(2).says("standard input: ");
    piped(&place, "info -", "").exits(2).says("standard input: ");
}

#[test]
fn without_ends_the_message_has_a_working_example() {
    let place = place_with_ring();
    // The first free cell is cut off, so it is not used in the example.
    place.write("cut.txt", ".@....\n@@.@..\n......\n");
    for (map, example) in [("ring.map", "--from 0,0 --to 3,2"), ("cut.txt", "--from 0,2 --to 5,2")] {
        let example = format!("solve {map} {example}");
        place.octile(&format!("solve {map}")).exits(2).says(&format!("for example, `octile {example}`"));
        place.octile(&example).exits(0);
    }
    place.write("wall.txt", "@@\n");
    place.octile("solve wall.txt").exits(2).says("wall.txt has no free cell");
}

#[test]
fn json_has_every_cell_of_the_path() {
    let place = place();
    place.write("open.txt", ".....\n.....\n.....\n");
    let document = place.octile("solve open.txt --from 0,0 --to 4,2 --json").exits(0).silent().json();
    assert_eq!(document["planner"], "corner-sweep");
    assert_eq!(document["found"], true);
    assert_eq!(document["cost"], json!({"straight": 2, "diagonal": 2}));
    assert!((document["length"].as_f64().unwrap() - 4.828_427).abs() < 1e-6);
    let path = document["path"].as_array().unwrap();
    assert_eq!((&path[0], &path[4], path.len()), (&json!([0, 0]), &json!([4, 2]), 5));
    let coordinate = |cell: &Value, axis: usize| cell[axis].as_i64().unwrap();
    for step in path.windows(2) {
        assert!((0..2).all(|axis| (coordinate(&step[0], axis) - coordinate(&step[1], axis)).abs() <= 1));
    }
}

#[test]
fn a_planner_over_rectangles_also_gives_straight_lines() {
    let place = place();
    place.write("open.txt", ".....\n.....\n.....\n");
    let document =
        place.octile("solve open.txt --from 0,0 --to 4,2 --planner rea-star --json").exits(0).silent().json();
    assert_eq!(document["cost"], json!({"straight": 2, "diagonal": 2}));
    assert_eq!(document["jump_points"], json!([[0, 0], [4, 2]]));
    assert!((document["straight_length"].as_f64().unwrap() - 20.0_f64.sqrt()).abs() < 1e-9);
    let other = place.octile("solve open.txt --from 0,0 --to 4,2 --json").exits(0).json();
    assert_eq!(other.get("jump_points"), None);
    place.octile("solve open.txt --from 0,0 --to 4,2 --planner rea-star").prints("straight   4.47214: 0,0 4,2");
}

#[test]
fn any_angle_planners_give_corners_and_a_length() {
    let place = place();
    place.write("open.txt", ".....\n.....\n.....\n");
    let document =
        place.octile("solve open.txt --from 0,0 --to 4,2 --planner theta-star --json").exits(0).silent().json();
    assert_eq!(document["corners"], json!([[0, 0], [4, 2]]));
    assert!((document["length"].as_f64().unwrap() - 20.0_f64.sqrt()).abs() < 1e-9);
    assert_eq!(
        (&document["cost"], &document["path"], &document["squeeze"]),
        (&Value::Null, &Value::Null, &json!("allowed"))
    );
    let ran = place.octile("solve open.txt --from 0,0 --to 4,2 --planner jps:smooth=greedy,squeeze=forbidden").exits(0);
    ran.prints("length    4.47214\n").prints("squeeze   forbidden\n").prints("corners   0,0 4,2\n");
    let other = place.octile("solve open.txt --from 0,0 --to 4,2 --json").exits(0).json();
    assert_eq!((other.get("corners"), other.get("squeeze")), (None, None));
    place.octile("solve open.txt --from 0,0 --to 4,2 --planner theta-star --draw a.svg").exits(0);
    let picture = place.read("a.svg");
    assert!(picture.contains("0,0 4,2"), "the line goes from corner to corner: {picture}");
    let ran = place.octile("solve open.txt --from 0,0 --to 4,2 --planner jps:smooth=greedy --movement tile").exits(2);
    ran.says("planner `jps:smooth=greedy` does not support movement `tile`");
    place.octile("solve open.txt --from 0,0 --to 4,2 --planner jps:squeeze=allowed").exits(2).says("add smooth=greedy");
}

#[test]
fn any_angle_paths_may_begin_and_end_at_centres() {
    let place = place();
    place.write("wall.txt", "...\n.@.\n...\n");
    let solve = |rest: &str| place.octile(&format!("solve wall.txt --from 0,1 --to 2,1 --planner {rest}"));
    solve("theta-star:ends=centres").exits(0).prints("length    2.41421\n").prints("turns     2\n");
    let document = solve("jps:smooth=greedy,ends=centres --json").exits(0).silent().json();
    let points = document["points"].as_array().unwrap();
    assert_eq!((&points[0], &points[points.len() - 1]), (&json!([0.5, 1.5]), &json!([2.5, 1.5])));
    assert_eq!(
        (&document["ends"], document["corners"].as_array().unwrap().len()),
        (&json!("centres"), points.len() - 2)
    );
    let document = solve("theta-star --json").exits(0).json();
    assert_eq!((document.get("points"), &document["ends"]), (None, &json!("corners")));
    solve("theta-star:ends=centres --draw a.svg").exits(0);
    let picture = place.read("a.svg");
    assert!(picture.contains("points=\"0.5,1.5 ") && picture.contains("cx=\"0.5\" cy=\"1.5\""), "{picture}");
    solve("jps:ends=centres").exits(2).says("cannot take `ends=centres`: its paths go from cell to cell");
}

#[test]
fn squeezing_is_a_rule_of_any_angle_planners() {
    let place = place();
    place.write("pinch.txt", ".@\n@.\n");
    let solve = |planner: &str| place.octile(&format!("solve pinch.txt --from 0,0 --to 1,1 --planner {planner}"));
    solve("theta-star").exits(0).prints("length    1.41421");
    solve("theta-star:squeeze=forbidden").exits(1);
    solve("jps:smooth=greedy").exits(1);
}

#[test]
fn specs_are_reported_as_given() {
    let place = place_with_ring();
    for spec in ["dijkstra", "astar:open=buckets", "weighted-astar:weight=1.5"] {
        let ran = place.octile(&format!("solve ring.map --from 0,0 --to 3,2 --planner {spec} --json"));
        assert_eq!(ran.exits(0).json()["planner"], spec);
    }
}

#[test]
fn no_path_is_an_answer_with_code_1() {
    let place = place_with_ring();
    place.octile("solve ring.map --from 0,0 --to 5,1").exits(1).silent().prints("no path from 0,0 to 5,1\n");
    let document = place.octile("solve ring.map --from 0,0 --to 5,1 --json").exits(1).silent().json();
    assert_eq!(document["found"], false);
    for field in ["cost", "length", "path"] {
        assert_eq!(document.get(field), Some(&Value::Null), "{field}");
    }
}

#[test]
fn the_start_may_be_the_goal() {
    let document = place_with_ring().octile("solve ring.map --from 5,1 --to 5,1 --json").exits(0).json();
    assert_eq!(document["path"], json!([[5, 1]]));
    assert_eq!(document["cost"], json!({"straight": 0, "diagonal": 0}));
}

#[test]
fn movement_rules_change_the_cost() {
    let place = place();
    place.write("corner.txt", "..\n@.\n");
    let cost = |rule: &str| {
        let ran = place.octile(&format!("solve corner.txt --from 0,0 --to 1,1 --movement {rule} --json"));
        ran.exits(0).json()["cost"].clone()
    };
    assert_eq!(cost("octile"), json!({"straight": 2, "diagonal": 0}));
    assert_eq!(cost("tile"), json!({"straight": 2, "diagonal": 0}));
    assert_eq!(cost("octile-cutting"), json!({"straight": 0, "diagonal": 1}));
    let ran = place.octile("solve corner.txt --from 0,0 --to 1,1 --movement tile --planner jps").exits(2);
    ran.says("corner.txt: planner `jps` does not support movement `tile`; it supports octile");
}

#[test]
fn a_drawing_shows_the_search() {
    let place = place_with_ring();
    place.octile("solve ring.map --from 0,0 --to 3,2 --draw a.png --draw-not").exits(2);
    place.octile("solve ring.map --from 0,0 --to 3,2 --draw a.png").exits(0);
    place.octile("solve ring.map --from 0,0 --to 5,2 --draw a.svg").exits(1);
    assert!(std::fs::read(place.path("a.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(place.read("a.svg").contains("<svg"));
    place.octile("solve ring.map --from 0,0 --to 3,2 --draw a.jpg").exits(2).says("must end in .png or .svg");
}

#[test]
fn the_ends_are_checked_before_an_index_is_opened_or_built() {
    let place = place_with_ring();
    for command in ["solve ring.map", "draw ring.map -o a.svg"] {
        let refused = |ends: &str| place.octile(&format!("{command} {ends} --planner cpd --index none.octx")).exits(2);
        refused("--from 0,0 --to 6,2").says("ring.map: goal 6,2 is off the map: x must be below 6");
        refused("--from 1,1 --to 0,0").says("ring.map: start 1,1 is blocked");
        refused("--from 0,0 --to 3,2").says("none.octx: no such file");
    }
}
