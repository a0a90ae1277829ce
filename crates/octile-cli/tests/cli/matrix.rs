//! `octile matrix`.

use std::fs;

use octile_testkit::process::RING;
use serde_json::json;

use crate::{piped, place_with_ring};

#[test]
fn costs_are_written_line_by_line() {
    let place = place_with_ring();
    place.write("sources.txt", "# where units stand\n0,0\n\n 5,2 # behind the wall\n");
    place.write("targets.txt", "3,2\n5,0\n0,0\n0,0\n");
    let args = "matrix ring.map --sources sources.txt --targets targets.txt -o costs.csv";
    let ran = place.octile(args).exits(0).silent().prints("planner    corner-sweep\n").prints("reachable  4 pairs\n");
    ran.prints("sources    2\n").prints("targets    4\n").prints("file       costs.csv\n");
    let expected = "5,,0,0\n,2,,\n";
    assert_eq!(place.read("costs.csv"), expected);
    for planner in ["astar", "hub-labels", "jump-graph", "weighted-astar:weight=2", "cpd"] {
        place.octile(&format!("{args} --planner {planner}")).exits(0).silent();
        assert_eq!(place.read("costs.csv"), expected, "{planner}");
    }
    let report = place.octile(&format!("{args} --json --movement tile")).exits(0).silent().json();
    assert_eq!((&report["map"], &report["planner"]), (&json!("ring.map"), &json!("astar")));
    assert_eq!((&report["sources"], &report["targets"], &report["reachable_pairs"]), (&json!(2), &json!(4), &json!(4)));
    assert_eq!((&report["file"], &report["movement"]), (&json!("costs.csv"), &json!("tile")));
    assert!(report["time_us"].as_f64().unwrap() > 0.0);
    assert_eq!(place.read("costs.csv"), expected);
}

#[test]
fn lengths_are_written_to_the_last_digit() {
    let place = place_with_ring();
    place.octile("gen open --width 9 --height 9 -o open.map").exits(0);
    place.write("cells.txt", "0,0\n1,1\n");
    place.octile("matrix open.map --sources cells.txt --targets cells.txt -o a.csv").exits(0);
    assert_eq!(place.read("a.csv"), "0,1.4142135623730951\n1.4142135623730951,0\n");
    place.write("far.txt", "7,3\n");
    place.octile("matrix open.map --sources cells.txt --targets far.txt -o a.csv --planner taut-labels").exits(0);
    assert_eq!(place.read("a.csv"), format!("{}\n{}\n", 58_f64.sqrt(), 40_f64.sqrt()));
    // Entries without a path are empty.
    place.write("apart.txt", "5,0\n");
    place
        .octile("matrix ring.map --sources cells.txt --targets apart.txt -o a.csv")
        .exits(2)
        .says("cells.txt, line 2: 1,1 is blocked");
    place.write("cells.txt", "0,0\n");
    place.octile("matrix ring.map --sources cells.txt --targets apart.txt -o a.csv").exits(0).prints("0 pairs");
    assert_eq!(place.read("a.csv"), "\n");
}

#[test]
fn arrays_are_for_numpy() {
    let place = place_with_ring();
    place.write("cells.txt", "0,0\n3,2\n5,1\n");
    place.octile("matrix ring.map --sources cells.txt --targets cells.txt -o a.npy").exits(0).silent();
    let bytes = fs::read(place.path("a.npy")).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }"));
    let (numbers, rest) = bytes[128..].as_chunks();
    let numbers: Vec<f64> = numbers.iter().map(|&number| f64::from_le_bytes(number)).collect();
    let costs: Vec<Option<f64>> = numbers.iter().map(|&number| (!number.is_nan()).then_some(number)).collect();
    let (zero, five) = (Some(0.0), Some(5.0));
    assert_eq!((costs, rest.len()), (vec![zero, five, None, five, zero, None, None, None, zero], 0));
}

#[test]
fn cells_may_come_from_standard_input_once() {
    let place = place_with_ring();
    place.write("cells.txt", "0,0\n");
    let args = "matrix ring.map --sources cells.txt --targets - -o a.csv";
    piped(&place, args, "3,0\n3,2\n").exits(0).silent();
    assert_eq!(place.read("a.csv"), "3,5\n");
    piped(&place, args, "3,0\nx,2\n").exits(2).says("standard input, line 2: ").says("x,2");
    piped(&place, "matrix - --sources cells.txt --targets cells.txt -o a.csv", RING).exits(0);
    assert_eq!(place.read("a.csv"), "0\n");
    for args in ["matrix - --sources - --targets cells.txt", "matrix ring.map --sources - --targets -"] {
        piped(&place, &format!("{args} -o a.csv"), "0,0\n").exits(2).says("standard input can be read only once");
    }
}

#[test]
fn invalid_cells_are_reported_with_their_lines() {
    let place = place_with_ring();
    place.write("good.txt", "0,0\n");
    let refused = |list: &str, part: &str| {
        place.write("bad.txt", list);
        for (sources, targets) in [("good", "bad"), ("bad", "good")] {
            let files = format!("--sources {sources}.txt --targets {targets}.txt");
            place.octile(&format!("matrix ring.map {files} -o a.csv")).exits(2).says("bad.txt").says(part);
        }
    };
    refused("0,0\n\n1 2\n", "bad.txt, line 3: `1 2`");
    refused("0,0\n6,0\n", "bad.txt, line 2: 6,0 is off the map: x must be below 6 and y below 3");
    refused("# wall\n1,1\n", "bad.txt, line 2: 1,1 is blocked");
    refused("-1,0\n", "bad.txt, line 1: `-1,0`");
    place.write("binary.txt", [0xff, 0xfe, 0]);
    let run = |rest: &str| place.octile(&format!("matrix ring.map --sources good.txt {rest}"));
    run("--targets binary.txt -o a.csv").exits(2).says("binary.txt is not text");
    run("--targets none.txt -o a.csv").exits(2).says("cannot read none.txt");
    run("--targets . -o a.csv").exits(2).says(". is not a regular file");
    run("--targets good.txt -o a.txt").exits(2).says("must end in .csv or .npy");
    run("--targets good.txt -o no/a.csv").exits(2).says("cannot write no/a.csv: its directory does not exist");
    run("--targets good.txt").exits(2).says("--output <FILE>");
    run("--targets good.txt -o a.csv --planner hub-labels --movement tile").exits(2).says("it supports octile");
    place.write("cells.csv", "0,0\n");
    run("--targets cells.csv -o cells.csv").exits(2).says("cells.csv has the cells: give the matrix another name");
    assert_eq!((place.read("cells.csv").as_str(), place.path("a.csv").exists()), ("0,0\n", false));
}
