//! `octile-papers cpd`.

use std::fs;

use octile::formats::generate;
use octile_testkit::process::{Place, Ran};
use serde_json::Value;

use crate::{place, write_map};

/// What makes it a matter of a second.
const FEW: &str = "--pairs 7 --rounds 1";

const EXHIBITS: [&str; 10] = [
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
];

/// Small maps in the game's folder, one under the name of one of the paper's two, and no scenarios.
fn baldurs_gate() -> Place {
    let place = place();
    fs::create_dir_all(place.path("maps/bgmaps")).unwrap();
    write_map(&place, "maps/bgmaps/AR0001SR.map", generate::rooms(24, 16, 5, 1));
    write_map(&place, "maps/bgmaps/AR0404SR.map", generate::maze(40, 30, 2, 1));
    write_map(&place, "maps/bgmaps/AR0009SR.map", generate::rooms(60, 50, 9, 1));
    place
}

/// `paper cpd` where no maps are but those of the arguments, without the largest of [`baldurs_gate`].
fn cpd(place: &Place, args: &str) -> Ran {
    let args = format!("cpd --out out {FEW} --most-cells 1500 {args}");
    let mut command = place.command(&args);
    command.env_remove("OCTILE_MOVINGAI");
    Ran::new(&args, &command.output().unwrap())
}

fn ids(report: &Value) -> Vec<&str> {
    let exhibits = report["sections"][0]["exhibits"].as_array().unwrap();
    exhibits.iter().map(|exhibit| exhibit["id"].as_str().unwrap()).collect()
}

fn exhibit<'a>(report: &'a Value, id: &str) -> &'a Value {
    let exhibits = report["sections"][0]["exhibits"].as_array().unwrap();
    exhibits.iter().find(|exhibit| exhibit["id"] == id).unwrap_or_else(|| panic!("no {id}"))
}

/// The rows of a table, as names of columns (with their groups) and values.
fn rows(exhibit: &Value) -> Vec<Vec<(String, &Value)>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let columns = exhibit["table"]["columns"].as_array().unwrap();
    let names: Vec<String> =
        columns.iter().map(|column| format!("{}/{}", text(&column["group"]), text(&column["name"]))).collect();
    let rows = exhibit["table"]["rows"].as_array().unwrap().iter();
    rows.map(|row| names.iter().cloned().zip(row.as_array().unwrap()).collect()).collect()
}

/// The value of a row in a column, `group/name`.
fn at<'a>(row: &[(String, &'a Value)], column: &str) -> &'a Value {
    let value = row.iter().find(|(name, _)| name == column);
    value.unwrap_or_else(|| panic!("no column {column} in {row:?}")).1
}

fn number(row: &[(String, &Value)], column: &str) -> f64 {
    at(row, column).as_f64().unwrap_or_else(|| panic!("{column} in {row:?}"))
}

/// The row whose first values these are.
fn row<'a, 'b>(rows: &'a [Vec<(String, &'b Value)>], begin: &[&str]) -> &'a [(String, &'b Value)] {
    let is_it = |row: &&Vec<(String, &Value)>| begin.iter().zip(*row).all(|(begin, (_, value))| *value == begin);
    rows.iter().find(is_it).unwrap_or_else(|| panic!("no {begin:?} in {rows:?}"))
}

#[test]
fn every_exhibit_of_cpd_is_there_and_filled() {
    let place = baldurs_gate();
    let report = cpd(&place, "--maps maps --json").exits(0).says("the report is out").json();
    assert_eq!(ids(&report), EXHIBITS);
    let section = &report["sections"][0];
    assert!(section["citation"].as_str().unwrap().contains("Botea"));
    let lead = section["lead"].to_string();
    for part in ["2 maps of at most 1500 free cells", "AR0009SR (", "14 queries, 0 wrong answers", "120 maps"] {
        assert!(lead.contains(part), "{part} in {lead}");
    }
    for id in &EXHIBITS[1..] {
        let exhibit = exhibit(&report, id);
        assert!(*id == "renewal" || exhibit["caption"].as_str().unwrap().contains("maps"), "{exhibit}");
        assert!(!rows(exhibit).is_empty(), "{exhibit}");
        let plots = exhibit["plots"].as_array().map_or(0, Vec::len);
        let is_figure = id.starts_with("figure");
        assert_eq!((plots, exhibit["folded"].as_bool()), (usize::from(is_figure), Some(is_figure)), "{id}");
    }
    let text =
        cpd(&place, "--maps maps").exits(0).prints("Figure 2: ").prints("geometric mean").prints("best of 1 round");
    text.prints("7 random connected pairs of cells on each (seeds from 1").prints("all cores build");
    let names = ["cpd.html", "cpd.json", "cpd/cpd-figure-1-1.svg", "cpd/cpd-figure-2-plot-1.csv", "cpd/cpd-memory.csv"];
    assert!(names.iter().all(|name| place.path("out").join(name).is_file()), "{:?}", place.path("out"));
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 3, "nothing of the run is left");
}

#[test]
fn numbers_of_cpd_are_beside_the_papers() {
    let place = baldurs_gate();
    let report = cpd(&place, "--maps maps --json").exits(0).json();
    let table = rows(exhibit(&report, "figure-5"));
    let names: Vec<&Value> = table.iter().map(|row| at(row, "/map")).collect();
    assert_eq!(names, ["AR0001SR", "AR0404SR", "all"]);
    let mut sum = 0.0;
    for map in &table[..2] {
        let (rectangles, mask) = (number(map, "rectangles/ours"), number(map, "/rectangles, mask"));
        assert!(
            mask <= rectangles && number(map, "/squares, mask") <= number(map, "/squares") && mask > 1.0,
            "{map:?}"
        );
        assert!(number(map, "/runs") > 1.0 && number(map, "checks/ours") >= 1.0, "{map:?}");
        let ratio = number(map, "squares / rectangles/ties");
        assert!((ratio - number(map, "/squares") / rectangles).abs() < 1e-9, "{map:?}");
        sum += rectangles;
    }
    assert!((number(&table[2], "rectangles/ours") - sum).abs() < 1e-9);
    assert_eq!(
        (at(&table[1], "rectangles/paper"), at(&table[0], "rectangles/paper")),
        (&184_034.0.into(), &Value::Null)
    );
    let table = rows(exhibit(&report, "figure-4"));
    let (map, megabytes) =
        (row(&table, &["AR0404SR"]), 20e-6 * number(&rows(exhibit(&report, "figure-5"))[1], "rectangles/ours"));
    assert!((number(map, "MB/at 20 bytes") - megabytes).abs() < 1e-9 && number(map, "MB/file") > 1e-4, "{map:?}");
    assert!(number(map, "/factor, c = 1") > number(map, "factor, c = 6.5/ours"));
    assert_eq!(at(row(&table, &["largest"]), "factor, c = 6.5/paper"), &100.0);
    let table = rows(exhibit(&report, "figure-6"));
    let other = row(&table, &["any but AR0700SR, at most"]);
    assert!(number(other, "rectangles, s/ours") >= 0.0 && at(other, "rectangles, s/paper") == 480.0);
    let table = rows(exhibit(&report, "memory"));
    let tiles = row(&table, &["AR0404SR", "traversable tiles, thousands"]);
    assert!(number(tiles, "value/ours") < 1.5 && at(tiles, "value/paper") == 9.836, "{tiles:?}");
    let megabytes = row(&table, &["AR0404SR", "MB at 5 bytes a record", "below"]);
    assert!(number(megabytes, "value/ratio") < 1.0, "{megabytes:?}");
    let checks = row(&table, &["AR0700SR", "average checks", "about"]);
    assert_eq!((at(checks, "value/ours"), at(checks, "value/paper")), (&Value::Null, &6.2.into()));
    assert!(exhibit(&report, "memory")["notes"].to_string().contains("AR0700SR is not at hand"));
    let table = rows(exhibit(&report, "shared-rows"));
    assert!(
        table.iter().all(|row| number(row, "layout=runs/shared") <= number(row, "layout=runs/records")),
        "{table:?}"
    );
    let table = rows(exhibit(&report, "renewal"));
    assert!(table.iter().all(|row| at(row, "/map") == "AR0404SR" && at(row, "/edits") == 5.0), "{table:?}");
    let improvements = report["sections"][0]["improvements"].as_array().unwrap();
    assert_eq!(improvements.len(), 4, "{improvements:?}");
    assert!(
        improvements.iter().all(|of| of["paper"]["by"].as_str().unwrap().contains("rectangles")),
        "{improvements:?}"
    );
}

#[test]
fn queries_of_cpd_are_timed_and_counted_by_cost() {
    let place = baldurs_gate();
    let report = cpd(&place, "--maps maps --json").exits(0).json();
    let table = rows(exhibit(&report, "figure-2"));
    let costs = table.iter().filter(|row| !["all", "largest average"].iter().any(|name| at(row, "/cost") == name));
    for row in costs.chain(table.iter().filter(|row| at(row, "/cost") == "all")) {
        for memory in ["warm", "cold"] {
            assert!(number(row, &format!("{memory}, us/planner")) > 0.0, "{row:?}");
            assert!(number(row, &format!("speed-up, {memory}/ours")) > 0.0, "{row:?}");
        }
        assert!(number(row, "/warm ns a move") > 0.0, "{row:?}");
        let is_100 = at(row, "/cost") == "100-150";
        assert_eq!(at(row, "speed-up, warm/paper").as_f64(), is_100.then_some(100.0), "{row:?}");
    }
    let planner = "cpd:layout=rectangles,ties=diagonal-first,follow=moves";
    assert_eq!(at(row(&table, &["all", planner, "cells"]), "/queries"), 14.0);
    let largest = row(&table, &["largest average", "cpd", "waypoints"]);
    assert!(number(largest, "speed-up, cold/ours") > 0.0 && at(largest, "speed-up, warm/paper") == 700.0);
    let table = rows(exhibit(&report, "figure-3"));
    let all = row(&table, &["all"]);
    assert!(number(all, "lookups/cpd") < number(all, "lookups/by move"), "{all:?}");
    assert!((number(all, "/on the path") - number(all, "lookups/by move") - 1.0).abs() < 1e-9, "{all:?}");
    assert!(number(all, "/expanded by astar") > 10.0, "{all:?}");
    assert_eq!(at(row(&table, &["largest average"]), "expanded / path/paper"), &100.0);
    let table = rows(exhibit(&report, "first-moves"));
    assert!(
        table.len() == 2 && table.iter().all(|row| number(row, "/warm, ns") > 0.0 && number(row, "/cold, ns") > 0.0)
    );
}

#[test]
fn only_the_exhibits_of_cpd_asked_for_are_made() {
    let place = baldurs_gate();
    let made = |args: &str| cpd(&place, &format!("--maps maps {args} --json")).exits(0).json();
    assert_eq!(ids(&made("--only memory --only figure-5")), ["figure-5", "memory"]);
    assert_eq!(ids(&made("--only first-moves")), ["first-moves"]);
    assert_eq!(ids(&made("--only figure-1")), ["figure-1"]);
    let nodes = |args: &str| exhibit(&made(&format!("--only figure-3 {args}")), "figure-3")["table"].clone();
    // Pairs depend on the seed alone.
    assert_eq!(nodes(""), nodes(""));
    assert_ne!(nodes(""), nodes("--seed 18446744073709551615"));
    cpd(&place, "--only figure-7").exits(2).says("no exhibit `figure-7`").says("first-moves");
    for option in ["--rounds", "--pairs"] {
        place.octile(&format!("cpd {option} 0")).exits(2).says(option).says("expected a whole number from 1");
    }
}

#[test]
fn cpd_without_maps_of_the_game_says_what_to_do() {
    let place = baldurs_gate();
    cpd(&place, "--maps nowhere").exits(2).says("nowhere");
    fs::create_dir_all(place.path("others/rooms")).unwrap();
    fs::copy(place.path("maps/bgmaps/AR0001SR.map"), place.path("others/rooms/8room_000.map")).unwrap();
    let ran = cpd(&place, "--maps others").exits(1).prints("the set bgmaps").prints("movingai.com");
    assert!(!ran.out.contains("Figure 2:") && ran.out.contains("Figure 1:"), "{}", ran.out);
    ran.says("others has no map of bgmaps").says("cpd/figure-2, cpd/figure-3, ");
    let ran = place.octile("cpd --out out --maps maps --most-cells 9").exits(1);
    ran.says("cpd/renewal could not be made.").prints("AR0001SR, the smallest, has").prints("--most-cells");
}

#[test]
fn cpd_is_filled_without_any_maps() {
    let place = place();
    let report = cpd(&place, "--shrink 8 --json").exits(0).json();
    assert_eq!(ids(&report), EXHIBITS);
    assert!(EXHIBITS.iter().all(|id| !rows(exhibit(&report, id)).is_empty()));
    let table = rows(exhibit(&report, "memory"));
    let largest = table.iter().rfind(|row| at(row, "/what") == "average checks").unwrap();
    assert!(
        number(largest, "value/ours") >= 1.0 && at(largest, "/map").as_str().unwrap().contains("the largest measured")
    );
}

/// A run that cannot write its report is not finished: the next one goes on with what was measured, wrong answers too.
#[test]
fn an_unfinished_run_of_cpd_goes_on_and_wrong_answers_make_the_code_1() {
    let place = baldurs_gate();
    fs::create_dir(place.path("out")).unwrap();
    place.write("out/cpd", "in the way");
    let args = "--maps maps --only figure-3";
    cpd(&place, args).exits(2).says("cannot make the folder out/cpd");
    let in_out = || fs::read_dir(place.path("out")).unwrap().map(|entry| entry.unwrap().path());
    let journal = in_out().find(|path| path.extension().is_some_and(|ending| ending == "jsonl")).unwrap();
    let text = fs::read_to_string(&journal).unwrap();
    assert!(text.contains("cpd/queries/AR0404SR-3") && text.contains("\"wrong\":[]"), "{text}");
    fs::write(&journal, text.replacen("\"wrong\":[]", "\"wrong\":[\"cpd on AR0001SR: made up\"]", 1)).unwrap();
    fs::remove_file(place.path("out/cpd")).unwrap();
    let ran = cpd(&place, args).exits(1).says("going on with an unfinished run: 2 parts");
    ran.says("wrong answer of cpd on AR0001SR: made up")
        .prints("14 queries, 1 wrong answer")
        .prints("WRONG ANSWERS: 1");
    assert!(!journal.exists());
}
