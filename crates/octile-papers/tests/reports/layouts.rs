//! Maps and scenarios as people have them: the same tables from all of them.

use std::path::Path;
use std::{fs, iter};

use octile::Grid;
use octile::generate::{self, GenerateError, ScenarioConfig};
use octile::movingai;
use octile_testkit::process::{Place, Ran};
use serde_json::Value;

use crate::place;

/// A map of each set that two of the papers need, with the name that the benchmark's scenario files have for it.
fn maps() -> [(&'static str, &'static str, &'static str, Result<Grid, GenerateError>); 5] {
    [
        ("dao", "arena", "maps/dao/arena.map", generate::maze(48, 40, 4, 1)),
        // Of all maps of Baldur's Gate, those of this size are the scaled ones.
        ("bg512", "AR0011SR", "maps/bgmaps/AR0011SR.map", generate::rooms(512, 512, 60, 1)),
        ("sc1", "Aurora", "sc1/Aurora.map", generate::random(50, 50, 20, 1)),
        ("mazes", "maze512-8-0", "maze512-8-0.map", generate::maze(64, 64, 8, 1)),
        ("rooms", "8room_000", "maps/rooms/8room_000.map", generate::rooms(64, 64, 9, 1)),
    ]
}

/// Where a set's maps are, and where its scenarios.
type Layout = fn(&str) -> (String, String);

const BESIDE: Layout = |set| (set.to_owned(), set.to_owned());
const TREES: Layout = |set| (format!("maps/{set}"), format!("scenarios/{set}"));
const SHORT_TREES: Layout = |set| (format!("maps/{set}"), format!("scen/{set}"));
const ARCHIVES: Layout = |set| (format!("{set}-map"), format!("{set}-scen"));
const NESTED: Layout = |set| (format!("{set}-map/{set}"), format!("{set}-scen/{set}"));
const FLAT: Layout = |_| (String::new(), String::new());

/// Writes all maps below a folder.
fn write(place: &Place, folder: &str, layout: Layout) {
    let config = ScenarioConfig { per_bucket: 1, sources: 2, ..ScenarioConfig::default() };
    for (set, name, named_as, grid) in maps() {
        let (grid, (maps, scenarios)) = (grid.unwrap(), layout(set));
        for folder_of_set in [&maps, &scenarios] {
            fs::create_dir_all(place.path(folder).join(folder_of_set)).unwrap();
        }
        let file =
            |of: &str, ending: &str| Path::new(folder).join(of).join(format!("{name}{ending}")).display().to_string();
        let scenario = generate::scenario(&grid, named_as, &config);
        place.write(&file(&scenarios, ".map.scen"), movingai::scen::write(&scenario));
        place.write(&file(&maps, ".map"), movingai::map::write(&grid));
    }
}

fn papers(place: &Place, args: &str) -> Ran {
    let args = format!("{args} --rounds 1 --every 7 --out report --json");
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
    let place = place();
    let layouts = [BESIDE, TREES, SHORT_TREES, ARCHIVES, NESTED, FLAT];
    for (layout, nth) in layouts.into_iter().zip(1..) {
        write(&place, &format!("layout-{nth}"), layout);
    }
    let beside = made(&place, "layout-1");
    let sets: Vec<&str> = beside.iter().filter_map(|row| row[0].as_str()).collect();
    assert_eq!(
        sets,
        [["Starcraft"; 4], ["BG2"; 4], ["DA:O"; 4]]
            .concat()
            .into_iter()
            .chain(["maze-8-0", "room-8-0"])
            .collect::<Vec<_>>()
    );
    for nth in 2..=layouts.len() {
        assert_eq!(made(&place, &format!("layout-{nth}")), beside, "layout {nth}");
    }
    // Scenarios elsewhere are found where they are said to be.
    for (set, folder) in maps().map(|(set, ..)| set).into_iter().zip(iter::repeat("layout-2")) {
        fs::create_dir_all(place.path(&format!("apart/{set}"))).unwrap();
        fs::rename(place.path(&format!("{folder}/scenarios/{set}")), place.path(&format!("apart/{set}/inner")))
            .unwrap();
    }
    assert_eq!(made(&place, "layout-2 --scen-dir apart"), beside, "--scen-dir");
}

#[test]
fn a_missing_set_is_named_and_makes_the_code_1() {
    let place = place();
    write(&place, "maps", TREES);
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
