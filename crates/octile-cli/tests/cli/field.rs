//! `octile field`: distances as numbers and as pictures.

use octile::{Cell, Grid, GridCost};
use octile_testkit::oracle;
use octile_testkit::process::Place;

use crate::{piped, place, place_with_ring};

const MAP: &str = "...@.\n.@.@.\n...@.\n";

fn small() -> Place {
    let place = place();
    place.write("small.txt", MAP);
    place
}

#[test]
fn a_csv_has_a_line_per_row_and_empty_entries_for_cells_without_a_path() {
    let place = small();
    place.octile("field small.txt --to 0,0 -o out.csv").exits(0).prints("8 of 11 free cells lead to 1 goal");
    assert_eq!(place.read("out.csv"), "0,1,2,,\n1,,3,,\n2,3,4,,\n");
    place.octile("field small.txt --to 0,0 --to 4,1 --movement octile-cutting -o out.csv").exits(0).prints("2 goals");
    assert_eq!(place.read("out.csv"), "0,1,2,,1\n1,,2.414213562373095,,0\n2,2.414213562373095,3.414213562373095,,1\n");
    place.octile("field small.txt --to 0,0 --max-cost 1 -o out.csv").exits(0).prints("3 of 11 free cells");
    assert_eq!(place.read("out.csv"), "0,1,,,\n1,,,,\n,,,,\n");
    assert_eq!(piped(&place, "field - --to 0,0 -o piped.csv", MAP).code, Some(0));
    assert_eq!(place.read("piped.csv"), "0,1,2,,\n1,,3,,\n2,3,4,,\n");
}

/// Reads the file by the description of the format, and compares it with the naive search.
#[test]
fn an_npy_has_all_distances() {
    let place = place();
    place.octile("gen random --width 37 --height 23 --percent 30 -o a.map").exits(0);
    let grid: Grid = octile::load(place.path("a.map")).unwrap().grid;
    let goal = grid.cells().find(|&cell| grid.is_free(cell)).unwrap();
    place.octile(&format!("field a.map --to {goal} -o a.npy")).exits(0);
    let bytes = std::fs::read(place.path("a.npy")).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let begin = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(begin % 64, 0);
    let about = std::str::from_utf8(&bytes[10..begin]).unwrap();
    assert!(
        about.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (23, 37), }") && about.ends_with(" \n")
    );
    let numbers: Vec<f64> =
        bytes[begin..].chunks(8).map(|eight| f64::from_le_bytes(eight.try_into().unwrap())).collect();
    let truth = oracle::distances(&grid, goal);
    assert_eq!(numbers.len(), 37 * 23);
    for (cell, number) in grid.cells().zip(numbers) {
        match truth.get(&cell) {
            Some(cost) => assert_eq!(number.to_bits(), cost.length().to_bits(), "{cell}"),
            None => assert!(number.is_nan(), "{cell}"),
        }
    }
}

#[test]
fn pictures_have_the_shape_of_the_map() {
    let place = small();
    place.octile("field small.txt --to 0,0 -o out.png").exits(0);
    assert_eq!(&std::fs::read(place.path("out.png")).unwrap()[1..4], b"PNG");
    place.octile("field small.txt --to 0,0 -o out.SVG").exits(0);
    assert!(place.read("out.SVG").contains("viewBox=\"0 0 5 3\""));
}

#[test]
fn a_summary_is_one_document() {
    let place = small();
    let ran = place.octile("field small.txt --to 0,0 --max-cost 3.5 --json -o out.csv").exits(0);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&found["schema"], &found["map"]), (&1.into(), &"small.txt".into()));
    assert_eq!((&found["goals"], &found["reachable"]), (&serde_json::json!([[0, 0]]), &7.into()));
    assert_eq!(found["greatest_cost"], serde_json::to_value(GridCost::new(3, 0)).unwrap());
    assert_eq!((&found["greatest_length"], &found["max_cost"]), (&3.0.into(), &3.5.into()));
    assert!(found["time_us"].as_f64().unwrap() > 0.0);
}

#[test]
fn invalid_arguments_are_refused_and_nothing_is_written() {
    let place = place_with_ring();
    let blocked = octile::load(place.path("ring.map")).unwrap().grid;
    let blocked = blocked.cells().find(|&cell: &Cell| !blocked.is_free(cell)).unwrap();
    for (args, part) in [
        ("ring.map --to 999,0 -o out.csv", "goal 999,0 is off the map"),
        (&format!("ring.map --to 0,0 --to {blocked} -o out.csv"), "is blocked"),
        ("ring.map --to -1,0 -o out.csv", "not a cell"),
        ("ring.map -o out.csv", "--to"),
        ("ring.map --to 0,0", "--output"),
        ("ring.map --to 0,0 -o out.txt", ".csv, .npy, .png or .svg"),
        ("ring.map --to 0,0 -o out", ".csv, .npy, .png or .svg"),
        ("ring.map --to 0,0 --max-cost -1 -o out.csv", "expected a length from 0"),
        ("ring.map --to 0,0 --max-cost nan -o out.csv", "expected a length from 0"),
        ("ring.map --to 0,0 --max-cost far -o out.csv", "expected a length from 0"),
        ("ring.map --to 0,0 -o no/out.csv", "its directory does not exist"),
        ("missing.map --to 0,0 -o out.csv", "missing.map"),
    ] {
        place.octile(&format!("field {args}")).exits(2).says(part);
    }
    assert!(place.names().iter().all(|name| name.starts_with("ring.map")), "{:?}", place.names());
}
