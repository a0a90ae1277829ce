//! `octile advise`, and the planner `auto`.

use octile_testkit::process::Place;
use serde_json::Value;

use crate::place_with_ring;

fn with_maps() -> Place {
    let place = place_with_ring();
    place.octile("gen rooms --width 60 --height 50 --room 8 -o rooms.map").exits(0);
    place
}

/// The names in a list of planners.
fn planners(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|line| line["planner"].as_str().unwrap()).collect()
}

#[test]
fn advice_has_reasons_and_says_how_to_use_the_planner() {
    let ran = with_maps().octile("advise rooms.map").exits(0).silent();
    let ran =
        ran.prints("rooms.map: 60 x 50 cells, ").prints("mean us").prints("corner-sweep:cache=on").prints("\nUse ");
    let ran = ran.prints("- it ").prints(" answers a query in ").prints("octile solve rooms.map --from X,Y --to X,Y");
    let chosen = ran.out.lines().find_map(|line| line.strip_prefix("Use ")?.strip_suffix(':')).unwrap().to_owned();
    ran.prints(&format!("  let engine = octile::Engine::new(\"{chosen}\", &grid)?;\n"));
}

#[test]
fn json_has_the_measurements() {
    let document = with_maps().octile("advise rooms.map --json").exits(0).silent().json();
    assert_eq!((&document["map"], &document["movement"]), (&"rooms.map".into(), &"octile".into()));
    let planners = planners(&document["candidates"]);
    assert!(planners.contains(&document["planner"].as_str().unwrap()));
    assert!(planners.contains(&"jps") && planners.contains(&"hub-labels"), "{planners:?}");
    for line in document["candidates"].as_array().unwrap() {
        assert!(line["mean_us"].as_f64().unwrap() > 0.0 && line["queries"].as_u64().unwrap() > 0, "{line}");
        assert_eq!(line["edit_us"], Value::Null);
    }
    assert!(!document["reasons"].as_array().unwrap().is_empty());
}

#[test]
fn needs_leave_planners_out_with_the_reason() {
    let place = with_maps();
    let document = place.octile("advise rooms.map --memory 1kB --changes --json").exits(0).json();
    assert_eq!((&document["memory_bytes"], &document["changes"]), (&1000.into(), &true.into()));
    assert_eq!(document["rate"], "0.01%/100");
    let left_out = planners(&document["left_out"]);
    assert!(left_out.contains(&"hub-labels") && left_out.contains(&"jump-graph"), "{left_out:?}");
    assert_eq!(
        document["candidates"].as_array().unwrap().len(),
        1,
        "nothing fits, so the planner with the least memory remains"
    );
    assert!(document["candidates"].as_array().unwrap().iter().all(|line| line["edit_us"].as_f64().is_some()));
    let ran = place.octile("advise rooms.map --memory 1kB --changes").exits(0).prints("edit us");
    ran.prints("100 queries between changes of 0.01% of the cells");
    // Messages may be wrapped at any space.
    let (left_out, reasons) = (document["left_out"].to_string(), document["reasons"].to_string());
    assert!(left_out.contains(", more than 1.0 kB") && reasons.contains("more than the limit of 1.0 kB"), "{document}");
}

#[test]
fn any_angle_and_other_rules_get_other_planners() {
    let place = with_maps();
    place.octile("advise rooms.map --any-angle --ends centres").exits(0).prints("taut-graph:ends=centres");
    place.octile("advise rooms.map --ends centres").exits(2).says("--any-angle");
    place.octile("advise rooms.map --any-angle --ends middles").exits(2).says("use corners or centres");
    let ran = place.octile("advise rooms.map --any-angle").exits(0).prints("taut-sight").prints("taut-graph");
    ran.prints("taut-labels");
    let ran = place.octile("advise rooms.map --movement tile").exits(0).prints("block-astar:db=tile");
    ran.prints("--movement tile --planner ");
    place
        .octile("advise rooms.map --movement tile --any-angle")
        .exits(2)
        .says("rooms.map: planner `auto:paths=any-angle` does not support movement `tile`; it supports octile");
}

#[test]
fn wrong_arguments_are_named() {
    let place = with_maps();
    place
        .octile("advise rooms.map --memory 100M")
        .exits(2)
        .says("`100M` is not a size: expected a number of bytes such as");
    place.octile("advise nowhere.map").exits(2).says("nowhere.map");
    place
        .octile("solve ring.map --from 0,0 --to 3,2 --planner auto:memory=lots")
        .exits(2)
        .says("`memory=lots` of planner `auto`: expected a number of bytes");
}

#[test]
fn auto_solves_and_says_what_it_chose() {
    let place = with_maps();
    let ran = place.octile("solve ring.map --from 0,0 --to 3,2 --planner auto").exits(0).silent();
    ran.prints("planner    auto, which chose ").prints("5 = 5.00000");
    let document = place.octile("solve ring.map --from 0,0 --to 3,2 --planner auto:changes=yes --json").exits(0).json();
    assert_eq!(document["planner"], "auto:changes=yes");
    assert!(document["chosen"].is_string());
    assert_eq!(place.octile("solve ring.map --from 0,0 --to 3,2 --json").json().get("chosen"), None);
    place.octile("run ring.map --planner auto").exits(0).prints("all agree");
    place.octile("planners auto").exits(0).prints("auto: tries planners on the map and uses the fastest");
}
