//! `octile compare`.

use std::fs;

use octile_testkit::process::{RING, RING_SCEN};
use serde_json::Value;

use crate::{place, place_with_ring};

/// The specs of a report, in its order.
fn specs(document: &Value) -> Vec<&str> {
    document["planners"].as_array().unwrap().iter().map(|line| line["planner"].as_str().unwrap()).collect()
}

#[test]
fn json_has_a_line_for_each_planner() {
    let place = place_with_ring();
    let ran = place.octile("compare ring.map --planner astar --planner weighted-astar:weight=2 --planner jps --json");
    let document = ran.exits(0).json();
    assert_eq!((&document["maps"], &document["queries"]), (&1.into(), &3.into()));
    assert_eq!(specs(&document), ["astar", "weighted-astar:weight=2", "jps"]);
    for line in document["planners"].as_array().unwrap() {
        let number = |field: &str| line[field].as_f64().unwrap_or_else(|| panic!("{field} in {line}"));
        assert!(number("p50_us") <= number("p99_us") && number("p99_us") <= number("max_us"));
        assert!(number("mean_us") > 0.0 && number("mean_us") <= number("max_us"));
        assert!(number("expanded") > 0.0 && number("speedup_total") > 0.0 && number("speedup_mean") > 0.0);
        assert!(number("build_ms") >= 0.0);
        assert_eq!((&line["index_bytes"], &line["wrong"]), (&0.into(), &0.into()));
    }
    assert_eq!(document["planners"][0]["speedup_total"], 1.0);
    assert_eq!(document["planners"][0]["speedup_mean"], 1.0);
}

#[test]
fn any_angle_planners_are_compared_by_length() {
    let place = place_with_ring();
    let ran = place.octile("compare ring.map --planner jps --planner theta-star --planner jps:smooth=greedy --json");
    let document = ran.exits(0).json();
    let line = |i: usize, field: &str| document["planners"][i][field].as_f64().unwrap();
    assert!((line(0, "mean_length") - 4.0).abs() < 1e-9 && (line(0, "length_ratio") - 1.0).abs() < 1e-9);
    for planner in 1..3 {
        assert!(line(planner, "length_ratio") < 1.0 && line(planner, "sights") > 0.0);
        assert_eq!(document["planners"][planner]["wrong"], 0);
    }
    place.octile("compare ring.map --planner jps --planner theta-star").exits(0).prints(" length ").prints(" 4.00 ");
}

#[test]
fn the_table_names_the_conditions() {
    let place = place_with_ring();
    let ran = place.octile("compare ring.map --planner dijkstra --planner jps --rounds 2 --output cells").exits(0);
    let ran = ran.prints("1 map, 3 queries, best of 2 rounds; output cells, movement octile; speed-ups over dijkstra");
    assert!(ran.out.lines().any(|line| line.starts_with("jps ") && line.ends_with(" 0")), "{}", ran.out);
}

#[test]
fn every_output_can_be_timed() {
    let place = place_with_ring();
    for output in ["waypoints", "cells", "cost"] {
        let ran = place.octile(&format!("compare ring.map --planner astar --planner jps --output {output} --json"));
        assert_eq!(ran.exits(0).json()["output"], output);
    }
}

#[test]
fn wrong_answers_are_counted_and_the_code_is_1() {
    let place = place_with_ring();
    place.write("ring.map.scen", RING_SCEN.replace("\t3\t2\t5\n", "\t3\t2\t4\n"));
    let ran = place.octile("compare ring.map --planner astar --planner weighted-astar:weight=2 --planner jps --json");
    let ran = ran.exits(1).says("wrong answer of jps on ring.map, line 2 of its scenario, from 0,0 to 3,2");
    let document = ran.json();
    let wrong: Vec<_> = document["planners"].as_array().unwrap().iter().map(|line| line["wrong"].clone()).collect();
    assert_eq!(wrong, [1, 0, 1]);
}

#[test]
fn directories_are_searched_for_maps_with_scenarios() {
    let place = place_with_ring();
    place.write("b.map", RING);
    place.write("b.map.scen", RING_SCEN);
    place.write("lonely.map", RING);
    place.write("README", "not a map");
    let ran = place.octile("compare . --planner jps --json").exits(0);
    let ran = ran.says("octile: note: 1 map without a scenario file is skipped: ./lonely.map.scen is missing\n");
    let document = ran.json();
    assert_eq!((&document["maps"], &document["queries"]), (&2.into(), &6.into()));
    place.octile("compare lonely.map --planner jps").exits(2).says("lonely.map.scen is missing");

    fs::create_dir(place.path("scens")).unwrap();
    place.write("scens/lonely.map.scen", RING_SCEN);
    let ran = place.octile("compare lonely.map --scen-dir scens --planner jps --limit 2 --json").exits(0);
    assert_eq!(ran.json()["queries"], 2);
    fs::create_dir(place.path("empty")).unwrap();
    place.octile("compare empty").exits(2).says("empty has no map");
    place.octile("compare missing.map --planner jps").exits(2).says("missing.map: no such file");
}

#[test]
fn without_a_map_the_race_is_on_built_in_ones() {
    let place = place();
    let document = place.octile("compare --every 40 --rounds 1 --json").exits(0).json();
    assert_eq!(document["maps"], 4);
    assert!(document["queries"].as_u64().unwrap() > 8);
    let usual = [
        "astar",
        "astar:open=buckets",
        "weighted-astar:weight=1.5",
        "jps",
        "corner-sweep",
        "jump-graph",
        "rea-star",
        "block-astar",
    ];
    assert_eq!(specs(&document), usual);
    let document = place.octile("compare --limit 1 --rounds 1 --movement tile --json").exits(0).json();
    assert_eq!(specs(&document), ["astar", "astar:open=buckets", "weighted-astar:weight=1.5"]);
    assert_eq!(document["queries"], 4);
}

#[test]
fn senseless_options_are_refused() {
    let place = place_with_ring();
    for args in ["--rounds 0", "--every 0", "--limit 0", "--output turns", "--planner bfs", "--movement hex"] {
        place.octile(&format!("compare ring.map {args}")).exits(2);
    }
    place.octile("compare --scen-dir .").exits(2);
    place.octile("compare ring.map --movement tile --planner jps").exits(2).says("it supports octile");
}
