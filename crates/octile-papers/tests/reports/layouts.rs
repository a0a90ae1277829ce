//! Maps and scenarios as people have them: the same tables from all of them.

use std::fs;
use std::path::Path;

use octile::Grid;
use octile::formats::generate::{self, GenerateError, ScenarioConfig};
use octile::formats::movingai;
use octile_testkit::process::{Place, Ran};
use serde_json::Value;

use crate::place;

/// A map of a set, as it is in files.
struct Written {
    set: &'static str,
    name: &'static str,
    map: String,
    scenario: String,
}

/// One of each set that two of the papers need, with the name that the benchmark's scenario files have for it.
fn maps() -> [Written; 5] {
    let maps: [(_, _, _, Result<Grid, GenerateError>); 5] = [
        ("dao", "arena", "maps/dao/arena.map", generate::maze(48, 40, 4, 1)),
        // Of all maps of Baldur's Gate, those of this size are the scaled ones.
        ("bg512", "AR0011SR", "maps/bgmaps/AR0011SR.map", generate::rooms(512, 512, 60, 1)),
        ("sc1", "Aurora", "sc1/Aurora.map", generate::random(50, 50, 20, 1)),
        ("mazes", "maze512-8-0", "maze512-8-0.map", generate::maze(64, 64, 8, 1)),
        ("rooms", "8room_000", "maps/rooms/8room_000.map", generate::rooms(64, 64, 9, 1)),
    ];
    let config = ScenarioConfig { per_bucket: 1, sources: 1, ..ScenarioConfig::default() };
    maps.map(|(set, name, named_as, grid)| {
        let grid = grid.unwrap();
        let scenario = movingai::scen::write(&generate::scenario(&grid, named_as, &config));
        Written { set, name, map: movingai::map::write(&grid), scenario }
    })
}

/// Where a set's maps are, and where its scenarios.
type Layout = fn(&str) -> (String, String);

const BESIDE: Layout = |set| (set.to_owned(), set.to_owned());
const TREES: Layout = |set| (format!("maps/{set}"), format!("scenarios/{set}"));
const SHORT_TREES: Layout = |set| (format!("maps/{set}"), format!("scen/{set}"));
const ARCHIVES: Layout = |set| (format!("{set}-map"), format!("{set}-scen"));
const NESTED: Layout = |set| (format!("{set}-map/{set}"), format!("{set}-scen/{set}"));
const FLAT: Layout = |_| (String::new(), String::new());

/// Writes maps below a folder.
fn write(place: &Place, folder: &str, layout: Layout, maps: &[Written]) {
    for Written { set, name, map, scenario } in maps {
        let (maps, scenarios) = layout(set);
        for (of_set, ending, text) in [(maps, "map", map), (scenarios, "map.scen", scenario)] {
            fs::create_dir_all(place.path(folder).join(&of_set)).unwrap();
            let file = Path::new(folder).join(of_set).join(format!("{name}.{ending}"));
            place.write(&file.display().to_string(), text);
        }
    }
}

fn papers(place: &Place, args: &str) -> Ran {
    let args = format!("{args} --rounds 1 --every 9 --out report --json");
    let mut command = place.command(&args);
    command.env_remove("OCTILE_MOVINGAI");
    Ran::new(&args, &command.output().unwrap())
}

/// The tables of a report, without the columns that are about times.
fn tables(report: &Value) -> Vec<Value> {
    let exhibits = report["sections"][0]["exhibits"].as_array().unwrap();
    exhibits.iter().flat_map(|exhibit| rows(&exhibit["table"])).collect()
}

fn rows(table: &Value) -> Vec<Value> {
    let is_time = |column: &Value| format!("{} {}", column["group"], column["name"]).contains("time");
    let kept: Vec<bool> = table["columns"].as_array().unwrap().iter().map(|column| !is_time(column)).collect();
    let row = |row: &Value| {
        row.as_array().unwrap().iter().zip(&kept).filter(|(_, kept)| **kept).map(|(value, _)| value.clone()).collect()
    };
    table["rows"].as_array().unwrap().iter().map(row).collect()
}

/// What both papers make of the maps of a folder.
fn made(place: &Place, maps: &str) -> Vec<Value> {
    let reports = ["block-astar --only cells", "blocked-areas --only table-2"];
    reports.iter().flat_map(|args| tables(&papers(place, &format!("{args} --maps {maps}")).exits(0).json())).collect()
}

#[test]
fn the_same_maps_in_all_layouts_give_the_same_tables() {
    let (place, maps) = (place(), maps());
    let layouts = [BESIDE, TREES, SHORT_TREES, ARCHIVES, NESTED, FLAT];
    for (layout, nth) in layouts.into_iter().zip(1..) {
        write(&place, &format!("layout-{nth}"), layout, &maps);
    }
    let beside = made(&place, "layout-1");
    let sets: Vec<&str> = beside.iter().filter_map(|row| row[0].as_str()).collect();
    assert_eq!(
        sets,
        [["Starcraft"; 6], ["BG2"; 6], ["DA:O"; 6]]
            .concat()
            .into_iter()
            .chain(["maze-8-0", "room-8-0"])
            .collect::<Vec<_>>()
    );
    for nth in 2..=layouts.len() {
        assert_eq!(made(&place, &format!("layout-{nth}")), beside, "layout {nth}");
    }
    // Scenarios elsewhere are found where they are said to be.
    fs::rename(place.path("layout-2/scenarios"), place.path("apart")).unwrap();
    assert_eq!(made(&place, "layout-2 --scen-dir apart"), beside, "--scen-dir");
}

#[test]
fn a_missing_set_is_named_and_makes_the_code_1() {
    let place = place();
    write(&place, "maps", TREES, &maps());
    papers(&place, "block-astar --only cells --maps maps").exits(0);
    fs::remove_dir_all(place.path("maps/maps/sc1")).unwrap();
    fs::remove_dir_all(place.path("maps/scenarios/dao")).unwrap();
    let ran = papers(&place, "block-astar --only cells --maps maps").exits(1);
    let ran = ran
        .says("note: maps has no map of sc1 (Starcraft)")
        .says("maps has 1 map of dao (Dragon Age: Origins) without a scenario file");
    let report = ran.says("The report is not complete").json();
    let notes = report["notes"].to_string();
    assert!(
        notes.contains("Missing: maps has no map of sc1 (Starcraft).") && notes.contains("The report is not complete"),
        "{notes}"
    );
    assert!(tables(&report).iter().all(|row| row[0] == "BG2"), "what is there is measured");
    papers(&place, "block-astar --only cells --scen-dir maps/scenarios")
        .exits(2)
        .says("--scen-dir has the problems only");
}
