//! `octile compare`.

use std::fs;

use octile_testkit::process::{RING, RING_SCEN};
use serde_json::Value;

use crate::{Place, place, place_with_ring};

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
    let ran = ran.prints("1 map, 3 queries, best of 2 rounds; output cells, movement octile\n");
    let ran = ran.prints("Speed-ups are over dijkstra, ").prints(" build ms/map ").prints(" index/map ");
    let ran = ran.prints(&format!("octile {}", env!("CARGO_PKG_VERSION"))).prints(&format!(
        ", {} on {}, 20",
        std::env::consts::OS,
        std::env::consts::ARCH
    ));
    let ran = ran.prints("\n$ octile compare ring.map --planner dijkstra --planner jps --rounds 2 --output cells\n");
    assert!(ran.out.lines().all(|line| !line.contains('\u{1b}')), "no colours in a pipe");
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
    assert_eq!(document["skipped"][0]["file"], "./lonely.map");
    let missing = "lonely.map.scen is missing: make it with `octile gen scen lonely.map -o lonely.map.scen`";
    for maps in ["lonely.map", "ring.map lonely.map"] {
        place.octile(&format!("compare {maps} --planner jps")).exits(2).says(missing);
    }

    fs::create_dir(place.path("scens")).unwrap();
    place.write("scens/lonely.map.scen", RING_SCEN);
    let ran = place.octile("compare lonely.map --scen-dir scens --planner jps --limit 2 --json").exits(0);
    assert_eq!(ran.json()["queries"], 2);
    fs::create_dir(place.path("empty")).unwrap();
    place.octile("compare empty").exits(2).says("empty contains no map");
    place.octile("compare missing.map --planner jps").exits(2).says("missing.map: no such file");
    place.octile("compare nowhere").exits(2).says("nowhere: no such file or directory");
}

/// A folder `maps` with two good maps and three unusable ones.
fn place_with_bad_maps() -> Place {
    let place = place();
    fs::create_dir(place.path("maps")).unwrap();
    let blocked = RING_SCEN.replace("\t3\t2\t5\n", "\t1\t1\t5\n");
    let files = [
        ("a", RING, RING_SCEN),
        ("broken", "type octile\nheight 3\nwidth 6\nmap\n....\n", RING_SCEN),
        ("ring", RING, RING_SCEN),
        ("scen", RING, "version 1\nnothing\n"),
        ("wall", RING, blocked.as_str()),
    ];
    for (name, map, scen) in files {
        place.write(&format!("maps/{name}.map"), map);
        place.write(&format!("maps/{name}.map.scen"), scen);
    }
    place
}

#[test]
fn a_bad_file_of_a_folder_is_reported_and_skipped() {
    let place = place_with_bad_maps();
    let ran = place.octile("compare maps --planner astar --planner jps --json").exits(1);
    let ran = ran.says("skipped: maps/broken.map: ").says("skipped: maps/scen.map.scen: line 2");
    let ran = ran.says("skipped: the scenario of maps/wall.map, line 2: goal 1,1 is blocked");
    let document = ran.json();
    assert_eq!((&document["maps"], &document["queries"]), (&2.into(), &6.into()));
    let skipped: Vec<_> = document["skipped"].as_array().unwrap().iter().map(|skipped| &skipped["file"]).collect();
    assert_eq!(skipped, ["maps/broken.map", "maps/scen.map", "maps/wall.map"]);
    assert!(document["skipped"][0]["reason"].as_str().unwrap().starts_with("maps/broken.map: "));
    for line in document["planners"].as_array().unwrap() {
        assert_eq!((&line["maps"], &line["wrong"]), (&2.into(), &0.into()));
    }
    for name in ["broken", "scen", "wall"] {
        place.octile(&format!("compare maps maps/{name}.map --planner jps")).exits(2).says(name);
    }
    for name in ["a", "ring"] {
        fs::remove_file(place.path(&format!("maps/{name}.map"))).unwrap();
    }
    place.octile("compare maps --planner jps").exits(2).says("no map can be used: maps/broken.map: ");
}

#[test]
fn a_planner_that_refuses_a_map_is_compared_on_the_others() {
    let place = place();
    fs::create_dir(place.path("maps")).unwrap();
    for (name, map) in [("a", RING.to_owned()), ("b", RING.replace(".@@.", "...."))] {
        place.write(&format!("maps/{name}.map"), map);
        place.write(&format!("maps/{name}.map.scen"), RING_SCEN.replace("\t5\n", "\t4.41421356\n"));
    }
    place.write("maps/a.map.scen", RING_SCEN);
    place.octile("build hub-labels maps/a.map -o a.octx").exits(0);
    let race = "--planner astar --planner hub-labels:index=a.octx --planner jps";
    let ran = place.octile(&format!("compare maps {race} --json")).exits(1);
    let ran = ran.says("note: hub-labels:index=a.octx did not run on 1 map: a.octx: ");
    let document = ran.json();
    let maps: Vec<_> = document["planners"].as_array().unwrap().iter().map(|line| line["maps"].clone()).collect();
    assert_eq!(maps, [2, 1, 2]);
    let line = |i: usize, field: &str| document["planners"][i][field].as_f64().unwrap();
    // Only on the ring; the others have a shorter path too.
    assert!((line(1, "mean_length") - 4.0).abs() < 1e-9 && (line(1, "length_ratio") - 1.0).abs() < 1e-9);
    assert!(line(0, "mean_length") < 4.0 && (line(0, "mean_length") - line(2, "mean_length")).abs() < 1e-9);
    assert!((line(1, "speedup_total") - line(1, "first_mean_us") / line(1, "mean_us")).abs() < 1e-6);
    let retired = &document["retired"][0];
    assert_eq!((&retired["planner"], &retired["map"]), (&"hub-labels:index=a.octx".into(), &"maps/b.map".into()));
    let ran = place.octile(&format!("compare maps {race}")).exits(1).prints("On 1 of 2 maps, where astar takes ");
    let (whole, part) = ran.out.split_once("\nOn 1 of 2 maps").unwrap();
    assert!(whole.contains("\njps ") && !whole.contains("\nhub-labels") && part.contains("\nhub-labels:index=a.octx "));
    // The first planner is the baseline, so there is no race without it; and a named planner and a named map must fit.
    let ran = place.octile("compare maps --planner hub-labels:index=a.octx --planner jps").exits(1);
    ran.says("skipped: a.octx: ").prints("1 map, 3 queries");
    place.octile(&format!("compare maps/b.map {race}")).exits(2).says("a.octx");
}

#[test]
fn json_has_sums_over_maps_and_means() {
    let place = place_with_ring();
    place.write("b.map", RING);
    place.write("b.map.scen", RING_SCEN);
    let document = place.octile("compare . --planner astar --planner jump-graph --json").exits(0).json();
    let line = &document["planners"][1];
    let number = |field: &str| line[field].as_f64().unwrap();
    assert!((number("build_ms") - 2.0 * number("build_ms_per_map")).abs() < 1e-9);
    assert!(number("index_bytes") > 0.0);
    assert!((number("index_bytes") - 2.0 * number("index_bytes_per_map")).abs() < 1e-9);
    assert!(number("noise") >= 1.0);
    assert_eq!(document["machine"]["octile"], env!("CARGO_PKG_VERSION"));
    assert_eq!(document["machine"]["command"], "octile compare . --planner astar --planner jump-graph --json");
    assert_eq!((&document["skipped"], &document["retired"]), (&Value::Array(vec![]), &Value::Array(vec![])));
}

#[test]
fn every_query_is_a_line_of_values() {
    let place = place_with_ring();
    let race = "compare ring.map --planner astar:open=buckets,prune=gates --planner jps";
    place.octile(&format!("{race} --csv times.csv")).exits(0).prints("mean us");
    let text = place.read("times.csv");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "map,line,from_x,from_y,to_x,to_y,planner,found,length,expanded,best_ns");
    assert_eq!(lines.len(), 1 + 3 * 2, "{text}");
    assert!(lines[1].starts_with("ring.map,2,0,0,3,2,\"astar:open=buckets,prune=gates\",true,5,"), "{}", lines[1]);
    assert!(lines[2].starts_with("ring.map,2,0,0,3,2,jps,true,5,"), "{}", lines[2]);
    assert!(lines[6].starts_with("ring.map,4,0,0,5,2,jps,false,,"), "{}", lines[6]);
    for line in &lines[1..] {
        assert!(line.rsplit(',').next().unwrap().parse::<u64>().unwrap() > 0, "{line}");
    }
    let ran = place.octile(&format!("{race} --csv -")).exits(0);
    assert!(ran.out.starts_with("map,line,") && ran.out.lines().count() == 7, "{}", ran.out);
    place.octile(&format!("{race} --csv - --json")).exits(2).says("give --csv a file");
    place.octile(&format!("{race} --csv no/times.csv")).exits(2).says("no/times.csv");
}

#[test]
fn a_scenario_file_stands_for_its_map() {
    let place = place_with_ring();
    assert_eq!(place.octile("compare ring.map.scen --planner jps --json").exits(0).json()["queries"], 3);
    place.write("other.scen", RING_SCEN.replace("ring.map", "nowhere.map"));
    place.octile("compare other.scen").exits(2).says("neither other nor nowhere.map");
}

#[test]
fn without_a_map_the_race_uses_built_in_maps() {
    let place = place();
    let document =
        place.octile("compare --planner jps --planner corner-sweep --every 20 --rounds 1 --json").exits(0).json();
    assert_eq!(document["maps"], 4);
    assert!(document["queries"].as_u64().unwrap() > 8);
    assert_eq!(place.octile("compare --planner jps --limit 1 --rounds 1 --json").exits(0).json()["queries"], 4);
}

#[test]
fn without_planners_the_defaults_that_support_the_movement_race() {
    let place = place_with_ring();
    let usual = [
        "astar",
        "astar:open=buckets",
        "weighted-astar:weight=1.5",
        "jps",
        "corner-sweep",
        "jump-graph",
        "core-search",
        "core-table",
        "hub-labels",
        "rea-star",
        "block-astar",
        "auto",
    ];
    let race = |movement: &str| place.octile(&format!("compare ring.map --rounds 1 --movement {movement} --json"));
    let document = race("octile").exits(0).silent().json();
    assert_eq!(specs(&document), usual);
    assert!(document["planners"].as_array().unwrap().iter().all(|line| line["maps"] == 1 && line["wrong"] == 0));
    let simple = ["astar", "astar:open=buckets", "weighted-astar:weight=1.5", "auto"];
    assert_eq!(specs(&race("tile").exits(0).json()), simple);
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
