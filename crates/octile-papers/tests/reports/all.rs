//! `octile-papers all`: the whole report, on generated maps.

use std::fs;
use std::process::Stdio;

use octile::formats::generate;
use octile_testkit::process::{Place, Ran};
use serde_json::Value;

use crate::{place, write_map_and_problems};

/// What the report must have.
const EXHIBITS: [(&str, &[&str]); 5] = [
    ("planners", &["guide", "bg2", "dao", "mazes", "random", "rooms", "sc1", "peers"]),
    (
        "rea-star",
        &[
            "figure-1",
            "figure-2",
            "figure-3",
            "figure-4",
            "figure-6",
            "table-5",
            "optimality",
            "table-6",
            "figure-8",
            "figure-7",
            "figure-5",
            "moving-targets",
        ],
    ),
    (
        "block-astar",
        &[
            "table-1",
            "table-2",
            "comparisons",
            "expansions",
            "visibility-graphs",
            "figure-2",
            "figure-4",
            "smoothing",
            "optimum",
            "cells",
            "databases",
        ],
    ),
    (
        "cpd",
        &[
            "figure-1",
            "figure-2",
            "figure-3",
            "first-moves",
            "figure-4",
            "figure-5",
            "figure-6",
            "memory",
            "shared-rows",
            "renewal",
        ],
    ),
    (
        "blocked-areas",
        &[
            "table-2", "table-3", "table-4", "table-a1", "figure-1", "figure-2", "figure-3", "figure-4", "figure-5",
            "figure-6", "figure-7",
        ],
    ),
];

const SMALL: &str = "--shrink 8 --rounds 1 --out report";

/// Where no maps are but generated ones.
fn command(place: &Place, args: &str) -> std::process::Command {
    let mut command = place.command(args);
    command.env_remove("OCTILE_MOVINGAI");
    command
}

fn paper(place: &Place, args: &str) -> Ran {
    Ran::new(args, &command(place, args).output().unwrap())
}

fn list<'a>(value: &'a Value, of: &str) -> &'a [Value] {
    value[of].as_array().map_or(&[], Vec::as_slice)
}

/// Whether an exhibit has something to show: points, pictures, and a number in every column of ours.
fn check_filled(section: &str, exhibit: &Value) {
    let name = format!("{section}/{}", exhibit["id"]);
    let [plots, pictures] = ["plots", "pictures"].map(|of| list(exhibit, of));
    let rows = list(&exhibit["table"], "rows");
    assert!(!plots.is_empty() || !pictures.is_empty() || !rows.is_empty(), "{name} is empty");
    assert!(exhibit["table"].is_null() || !rows.is_empty(), "{name} has a table without rows");
    assert!(exhibit["caption"].as_str().is_some_and(|caption| caption.len() > 20), "{name} has no caption");
    for plot in plots {
        assert!(!list(plot, "series").is_empty(), "{name} has an empty plot");
        for series in list(plot, "series") {
            let points = list(series, "points");
            assert!(!points.is_empty() && points.iter().all(|point| point[1].is_number()), "{name}: {series}");
        }
    }
    for (i, column) in list(&exhibit["table"], "columns").iter().enumerate() {
        let filled = rows.iter().any(|row| !row[i].is_null());
        assert!(filled || column["kind"] != "ours", "{name} has no number in column {column}");
    }
}

#[test]
fn every_table_and_figure_is_there_and_filled() {
    let place = place();
    let ran = paper(&place, &format!("all {SMALL}")).exits(0).says("the report is report/all.html");
    ran.prints("generated stand-ins").prints("Table 5").prints("Table A1").prints("Which planner do I want?");
    let report: Value = serde_json::from_str(&place.read("report/all.json")).unwrap();
    let page = place.read("report/all.html");
    let sections = list(&report, "sections");
    assert_eq!(sections.len(), EXHIBITS.len());
    for ((section, exhibits), found) in EXHIBITS.iter().zip(sections) {
        assert_eq!(found["id"], *section);
        assert_eq!(list(found, "exhibits").len(), exhibits.len(), "{section} has other exhibits than before");
        let verdicts: Vec<&Value> = list(found, "findings").iter().map(|finding| &finding["verdict"]).collect();
        assert_eq!(verdicts.is_empty(), *section == "planners", "{section}");
        assert!(verdicts.iter().all(|verdict| **verdict == "other-maps"), "stand-ins reproduce nothing: {verdicts:?}");
        for id in *exhibits {
            let exhibit = list(found, "exhibits").iter().find(|exhibit| exhibit["id"] == *id);
            check_filled(section, exhibit.unwrap_or_else(|| panic!("{section} has no {id}")));
            assert!(page.contains(&format!("id=\"{section}-{id}\"")), "the page has no {section}-{id}");
        }
    }
    assert!(list(&report, "headlines").len() == 4, "{}", report["headlines"]);
    for condition in ["commit", "compiler", "machine", "date", "command", "baseline", "repetitions", "noise"] {
        assert!(!report["conditions"][condition].is_null(), "the conditions have no {condition}");
        assert!(page.contains(condition), "the page does not tell {condition}");
    }
    for file in
        ["rea-star-table-5.csv", "planners-dao-plot-1.csv", "rea-star-figure-1-1.svg", "cpd-figure-2-plot-1.csv"]
    {
        assert!(fs::metadata(place.path(&format!("report/all/{file}"))).unwrap().len() > 20, "{file}");
    }
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "the page needs the network");
}

#[test]
fn peers_are_judged_by_the_same_rule() {
    let place = place();
    let report = paper(&place, &format!("planners --only peers {SMALL} --json")).exits(0).json();
    let table = &report["sections"][0]["exhibits"][0]["table"];
    let column = |name: &str| list(table, "columns").iter().position(|column| column["name"] == name).unwrap();
    let (legal, optimal) = (column("legal, %"), column("optimal, %"));
    let rows = list(table, "rows");
    let of = |peer: &str| rows.iter().filter(move |row| row[0] == peer).collect::<Vec<_>>();
    assert!(of("pathfinding").len() == 6 && of("grid-pathfinding").len() == 6, "{table}");
    assert!(of("pathfinding").iter().all(|row| row[legal] == 100.0 && row[optimal] == 100.0), "{table}");
    // It cuts corners.
    assert!(of("grid-pathfinding").iter().any(|row| row[optimal].as_f64().unwrap() < 100.0), "{table}");
}

/// Who ran on some maps of a set only is beside the others in no plot, and its row says so.
#[test]
fn plots_have_only_planners_that_ran_on_all_maps() {
    let place = place();
    fs::create_dir_all(place.path("maps/dao")).unwrap();
    write_map_and_problems(&place, "maps/dao/small.map", generate::rooms(24, 24, 7, 1));
    // Too many cells for a compressed path database in a quick look.
    write_map_and_problems(&place, "maps/dao/large.map", generate::rooms(80, 60, 9, 1));
    let report =
        paper(&place, "planners --maps maps --only dao --only guide --rounds 2 --out report --json").exits(1).json();
    let exhibit =
        |id: &str| list(&report["sections"][0], "exhibits").iter().find(|exhibit| exhibit["id"] == id).unwrap();
    let dao = exhibit("dao");
    let rows = list(&dao["table"], "rows");
    let maps = |planner: &str| rows.iter().find(|row| row[0] == planner).unwrap()[3].clone();
    assert_eq!((maps("cpd"), maps("astar"), maps("peer/pathfinding")), ("1 of 2".into(), "2".into(), "2".into()));
    for plot in list(dao, "plots") {
        let names: Vec<&Value> = list(plot, "series").iter().map(|series| &series["name"]).collect();
        assert!(!names.contains(&&"cpd".into()) && names.contains(&&"hub-labels".into()), "{names:?}");
    }
    assert!(dao["notes"].to_string().contains("`cpd` ran on 1 of 2 maps"), "{}", dao["notes"]);
    // No path at any angle goes where grid paths may not, nor is any longer.
    let any_angle: Vec<&Value> = rows.iter().filter(|row| row[1] == "any-angle").collect();
    assert!(any_angle.len() == 4 && any_angle.iter().all(|row| row[0].as_str().unwrap().contains("squeeze=forbidden")));
    assert!(any_angle.iter().all(|row| row[12].as_f64().is_some_and(|length| length <= 1.0 + 1e-9)), "{any_angle:?}");
    let guide = exhibit("guide");
    let cpd = list(&guide["table"], "rows").iter().find(|row| row[1] == "cpd").unwrap();
    assert!(cpd[3] == "-" && cpd[4].is_null() && cpd[8].is_null(), "numbers of one map are beside those of two: {cpd}");
}

#[test]
#[cfg(debug_assertions)]
fn an_interrupted_run_goes_on() {
    let place = place();
    let args = format!("planners {SMALL}");
    // Killed before it writes the report. It has measured all parts, but then loses some of them, as a run does that is
    // killed earlier.
    let killed = command(&place, &args).env("OCTILE_FAULT", "kill@1").stdout(Stdio::null()).status().unwrap();
    assert!(killed.code().is_none() && !place.path("report/planners.html").exists(), "{killed}");
    let journal = || {
        let files = fs::read_dir(place.path("report")).into_iter().flatten().map(|file| file.unwrap().path());
        files.into_iter().find(|file| file.extension().is_some_and(|ending| ending == "jsonl"))
    };
    let path = journal().expect("the journal stays");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(lines.len() > 4, "{} parts", lines.len());
    fs::write(&path, lines[..3].concat() + &lines[3][..lines[3].len() / 2]).unwrap();
    let ran = paper(&place, &args).exits(0);
    ran.says("going on with an unfinished run: 3 parts of it").says("the report is report/planners.html");
    assert!(journal().is_none() && place.path("report/planners.html").exists());
}

#[test]
fn what_cannot_be_done_is_said() {
    let place = place();
    let ran = paper(&place, "all --only table-99 --out report").exits(2);
    ran.says("there is no exhibit `table-99`; there are guide, ").says("table-a1");
    paper(&place, "all --maps nowhere --out report").exits(2).says("cannot read the directory nowhere");
    fs::create_dir(place.path("empty")).unwrap();
    paper(&place, "all --maps empty --out report").exits(2).says("empty has no maps").says("movingai.com");
    place.write("file", "");
    paper(&place, &format!("rea-star {} --only figure-1", SMALL.replace("report", "file"))).exits(2).says("file");
    for option in ["--every", "--rounds", "--shrink"] {
        paper(&place, &format!("all {option} 0")).exits(2).says("expected a whole number from 1");
    }
    assert!(!place.path("report").exists(), "nothing is left of what failed");
}
