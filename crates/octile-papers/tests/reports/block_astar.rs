//! `octile-papers block-astar`.

use std::fs;

use octile::formats::generate;
use octile_testkit::process::{Place, Ran};
use serde_json::Value;

use crate::{place, write_map_and_problems};

/// What makes it a matter of a second: small maps, few problems.
const TINY: &str = "--shrink 12 --random-maps 2 --problems 3 --pairs 2 --rounds 1 --every 9 --out report";

const EXHIBITS: [&str; 11] = [
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
];

/// Small maps in the folders of the three games, those of two with scenarios.
fn games() -> Place {
    let place = place();
    for game in ["sc1", "bg512", "dao"] {
        fs::create_dir_all(place.path(&format!("maps/{game}"))).unwrap();
    }
    write_map_and_problems(&place, "maps/bg512/hall.map", generate::rooms(64, 48, 9, 1));
    write_map_and_problems(&place, "maps/dao/cave.map", generate::maze(48, 64, 4, 1));
    write_map_and_problems(&place, "maps/sc1/plain.map", generate::random(50, 50, 20, 1));
    place
}

/// The command where no maps are but those of the arguments.
fn block_astar(place: &Place, args: &str) -> Ran {
    let args = format!("block-astar {TINY} {args}");
    let mut command = place.command(&args);
    command.env_remove("OCTILE_MOVINGAI");
    Ran::new(&args, &command.output().unwrap())
}

/// The exhibits of the only section.
fn exhibits(document: &Value) -> Vec<&Value> {
    assert_eq!(document["sections"].as_array().unwrap().len(), 1);
    document["sections"][0]["exhibits"].as_array().unwrap().iter().collect()
}

fn ids(document: &Value) -> Vec<&str> {
    exhibits(document).iter().map(|exhibit| exhibit["id"].as_str().unwrap()).collect()
}

/// An exhibit's table.
struct Table<'a>(&'a Value);

impl<'a> Table<'a> {
    fn of(document: &'a Value, id: &str) -> Self {
        let exhibit = exhibits(document).into_iter().find(|exhibit| exhibit["id"] == id);
        Self(&exhibit.unwrap_or_else(|| panic!("{id} in {document}"))["table"])
    }

    fn rows(&self) -> &'a [Value] {
        self.0["rows"].as_array().unwrap()
    }

    /// The place of a column, `group/name` or `name`.
    fn column(&self, name: &str) -> usize {
        let columns = self.0["columns"].as_array().unwrap();
        let named = |column: &Value| match column["group"].as_str() {
            Some(group) => format!("{group}/{}", column["name"].as_str().unwrap()),
            None => column["name"].as_str().unwrap().to_owned(),
        };
        columns.iter().position(|column| named(column) == name).unwrap_or_else(|| panic!("{name} in {columns:?}"))
    }

    fn value(&self, row: &'a Value, column: &str) -> &'a Value {
        &row[self.column(column)]
    }

    #[track_caller]
    fn number(&self, row: &Value, column: &str) -> f64 {
        row[self.column(column)].as_f64().unwrap_or_else(|| panic!("{column} of {row}"))
    }

    fn texts(&self, column: &str) -> Vec<&'a str> {
        self.rows().iter().map(|row| self.value(row, column).as_str().unwrap()).collect()
    }
}

/// All numbers of a table of means, and the paper's where it has them.
fn check_means(table: &Table, sets: &[&str]) {
    assert_eq!(table.texts("data set"), sets.iter().flat_map(|set| [*set; 6]).collect::<Vec<_>>());
    for lines in table.rows().chunks(6) {
        let distances: Vec<f64> = lines.iter().map(|row| table.number(row, "distance/ours")).collect();
        assert!(distances[1..].iter().all(|&distance| distance > 5.0 && distance <= distances[0]), "{distances:?}");
        for (nth, row) in lines.iter().enumerate() {
            assert!(table.number(row, "queries") >= 2.0 && table.number(row, "maps") >= 1.0, "{row}");
            assert!(table.number(row, "expanded/ours") > 0.0 && table.number(row, "time, us/ours") > 0.0, "{row}");
            for column in ["distance", "expanded", "time, us"] {
                assert_eq!(table.value(row, &format!("{column}/paper")).is_number(), nth < 3, "{row}");
            }
            let is_block = table.value(row, "planner").as_str().unwrap().starts_with("block-astar");
            assert_eq!(table.value(row, "again, %").is_number(), is_block, "{row}");
        }
    }
}

const SETS: [&str; 9] =
    ["Random 0%", "Random 10%", "Random 20%", "Random 30%", "Random 40%", "Random 50%", "Starcraft", "BG2", "DA:O"];

fn check_tables(document: &Value) {
    check_means(&Table::of(document, "table-1"), &SETS);
    check_means(&Table::of(document, "table-2"), &["1000x1000"]);
    let comparisons = Table::of(document, "comparisons");
    assert_eq!(comparisons.rows().len(), 4 * 10);
    // DA:O: 0.02697 s and 0.00226 s.
    let dao = &comparisons.rows()[32];
    assert_eq!(comparisons.value(dao, "data set"), "DA:O");
    assert!((comparisons.number(dao, "times faster than Theta*/paper") - 11.93).abs() < 0.01, "{dao}");
    for row in comparisons.rows() {
        assert!((0.9..1.1).contains(&comparisons.number(row, "distance over Theta*/ours")), "{row}");
        assert!(comparisons.number(row, "times faster than A*/ours") > 0.0, "{row}");
        assert!(comparisons.number(row, "times faster than Theta*/ours") > 0.0, "{row}");
    }
    let smoothing = Table::of(document, "smoothing");
    assert_eq!(smoothing.rows().len(), 2 * 10);
    for row in smoothing.rows() {
        for planner in ["Block A*", "Theta*"] {
            let [before, after] = ["distance", "smoothed distance"].map(|group| format!("{group}/{planner}"));
            assert!(smoothing.number(row, &after) <= smoothing.number(row, &before) + 1e-9, "{row}");
        }
        assert!(smoothing.number(row, "smoothed, longer, %").abs() < 10.0, "{row}");
    }
}

/// Nothing is shorter than the shortest, and the planners are as far above it as their promises go.
fn check_optimum(document: &Value, sets: &[&str]) {
    let table = Table::of(document, "optimum");
    assert_eq!(table.texts("data set"), sets.iter().flat_map(|set| [*set; 10]).collect::<Vec<_>>());
    for planners in table.rows().chunks(10) {
        // Who may not squeeze may reach no goal.
        let answered = planners.iter().filter(|row| table.number(row, "queries") > 0.0);
        let means: Vec<f64> = answered.clone().map(|row| table.number(row, "times the shortest/mean")).collect();
        for (row, mean) in answered.zip(&means) {
            let worst = table.number(row, "times the shortest/worst");
            assert!(*mean > 1.0 - 1e-9 && *mean <= worst && worst < 1.3, "{row}");
            assert!((0.0..=100.0).contains(&table.number(row, "shortest, %")), "{row}");
        }
        // The paths along corners are the longest; what is smoothed is no longer than before.
        assert!(means[1..6].iter().all(|&mean| mean <= means[0]), "{means:?}");
        assert!([(1, 6), (2, 7), (4, 8)].iter().all(|&(before, after)| means[after] <= means[before]), "{means:?}");
    }
}

/// Those of cells and databases, and the figure.
fn check_others(document: &Value) {
    let cells = Table::of(document, "cells");
    assert_eq!(cells.texts("movement"), [["octile"; 3], ["tile"; 3]].concat().repeat(3));
    for row in cells.rows() {
        assert!(cells.number(row, "times faster") > 0.0 && cells.number(row, "wrong") == 0.0, "{row}");
        assert_eq!(cells.value(row, "paper"), "2 to 3");
    }
    let databases = Table::of(document, "databases");
    assert_eq!((databases.rows().len(), databases.number(&databases.rows()[2], "build, ms/paper")), (4, 1200.0));
    assert!(databases.rows().iter().all(|row| databases.number(row, "file, MB/ours") > 0.1));
    let overheads = Table::of(document, "figure-4");
    assert_eq!(overheads.rows().len(), 2 * 6);
    for map in overheads.rows().chunks(6) {
        let work: Vec<f64> = map.iter().map(|row| overheads.number(row, "all work")).collect();
        assert!(
            work[2] < work[0] && work[0] < work[1],
            "Block A* does less than A*, and that less than Theta*: {work:?}"
        );
        let crossed: Vec<f64> = map.iter().map(|row| overheads.number(row, "lines of sight/cells")).collect();
        assert!(crossed[1] > 0.0 && crossed[0] == 0.0 && crossed[2] == 0.0, "{crossed:?}");
    }
    let pictures = |id: &str| {
        let exhibit = exhibits(document).into_iter().find(|exhibit| exhibit["id"] == id);
        exhibit.unwrap()["pictures"].as_array().unwrap().len()
    };
    assert_eq!((pictures("figure-2"), pictures("figure-4")), (2, 6));
    let expansions = Table::of(document, "expansions");
    assert_eq!(expansions.texts("data set"), SETS);
    assert!(expansions.rows().iter().all(|row| expansions.number(row, "as printed/ours") > 0.0));
    let graphs = Table::of(document, "visibility-graphs");
    assert_eq!(graphs.rows().len(), 3 * 9);
    for row in graphs.rows() {
        assert!(graphs.number(row, "times faster") > 0.0 && graphs.number(row, "graph, ms") > 0.0, "{row}");
    }
}

#[test]
fn every_exhibit_is_filled_and_written() {
    let place = games();
    let ran = block_astar(&place, "--maps maps --json").exits(0).says("the report is report/block-astar.html");
    let document = ran.json();
    assert_eq!(ids(&document), EXHIBITS);
    assert!(document["sections"][0]["citation"].as_str().unwrap().contains("Yap"));
    check_tables(&document);
    check_optimum(&document, &[&SETS[..], &["1000x1000"]].concat());
    check_others(&document);
    for exhibit in exhibits(&document) {
        assert!(exhibit["caption"].as_str().unwrap().len() > 50, "{exhibit}");
        let csv = place.read(&format!("report/block-astar/block-astar-{}.csv", exhibit["id"].as_str().unwrap()));
        assert_eq!(csv.lines().count(), 1 + exhibit["table"]["rows"].as_array().unwrap().len());
    }
    let written: Value = serde_json::from_str(&place.read("report/block-astar.json")).unwrap();
    assert_eq!(written["sections"], document["sections"]);
    for picture in 1..=6 {
        let svg = place.read(&format!("report/block-astar/block-astar-figure-4-{picture}.svg"));
        assert!(svg.starts_with("<svg") && svg.contains("#ff"), "{picture}");
    }
    assert!(place.read("report/block-astar/block-astar-smoothing-1.svg").starts_with("<svg"));
    assert!(place.read("report/block-astar/block-astar-comparisons-plot-1.csv").contains("the paper's Block A*,50,"));
    assert!(place.path("report/block-astar.html").is_file());
}

#[test]
fn stand_ins_fill_all_exhibits_where_no_maps_are() {
    let place = place();
    let ran = block_astar(&place, "").exits(0).prints("generated stand-ins").prints("Random 50%").prints("DA:O");
    let ran = ran.prints(", 0 wrong answers").prints("best of 1 round").prints("every 9th problem");
    assert!(!ran.out.contains("Left out"), "{}", ran.out);
    for label in [
        "Table 1: ",
        "Table 2: ",
        "Comparisons: ",
        "Expansions: ",
        "Visibility graphs: ",
        "Figure 2: ",
        "Figure 4: ",
        "Smoothing: ",
        "Optimum: ",
        "Cells: ",
        "Databases: ",
    ] {
        assert_eq!(ran.out.lines().filter(|line| line.starts_with(label)).count(), 1, "{label} in {}", ran.out);
    }
    ran.prints("MAZES, RANDOM, ROOMS are the benchmark's maps of these kinds, of the scenarios every 9th problem");
}

#[test]
fn games_that_are_not_at_hand_are_left_out_by_name() {
    let place = place();
    fs::create_dir_all(place.path("maps/bg512")).unwrap();
    place.write("maps/bg512/ring.map", octile_testkit::process::RING);
    let ran = block_astar(&place, "--maps maps --only table-1 --only cells --json").exits(1);
    let ran = ran
        .says("note: maps has no map of dao")
        .says("maps has 1 map of bg512 (Baldur's Gate II, 512 x 512) without a scenario file");
    let ran = ran.says("The report is not complete: block-astar/cells could not be made, as maps has no map of dao");
    let document = ran.says("1 map without a scenario file is skipped").json();
    assert_eq!(ids(&document), ["table-1"]);
    check_means(&Table::of(&document, "table-1"), &SETS[..6]);
    let ran = block_astar(&place, "--maps maps --only cells").exits(1);
    ran.prints("Missing: maps has no map of sc1 (Starcraft).")
        .prints("Left out")
        .prints("sc1, bg512, dao")
        .prints("movingai.com");
    let ran = block_astar(&place, "--maps maps --only table-2 --seed 18446744073709551615").exits(0);
    assert!(ran.prints("1000x1000").err.lines().all(|line| !line.contains("skipped")));
    block_astar(&place, "--maps nowhere").exits(2).says("cannot read the directory nowhere");
}

#[test]
fn only_what_is_asked_for_is_made() {
    let place = games();
    let made = |args: &str| block_astar(&place, &format!("--maps maps {args} --json")).exits(0).json();
    assert_eq!(ids(&made("--only databases --only figure-4")), ["figure-4", "databases"]);
    assert_eq!(ids(&made("--only cells")), ["cells"]);
    let smoothing = made("--only smoothing");
    assert_eq!((ids(&smoothing), Table::of(&smoothing, "smoothing").rows().len()), (vec!["smoothing"], 20));
    let optimum = made("--only optimum");
    assert_eq!(ids(&optimum), ["optimum"]);
    check_optimum(&optimum, &[&SETS[..], &["1000x1000"]].concat());
    let table = made("--only table-1");
    assert_eq!(ids(&table), ["table-1"]);
    let table = Table::of(&table, "table-1");
    assert_eq!((table.number(&table.rows()[0], "maps"), table.number(&table.rows()[0], "queries")), (2.0, 6.0));
    block_astar(&place, "--only table-3").exits(2).says("there is no exhibit `table-3`").says("smoothing");
    for option in ["--random-maps", "--problems", "--pairs"] {
        let ran = place.octile(&format!("block-astar {option} 0")).exits(2);
        ran.says(option).says("expected a whole number from 1");
    }
}

#[test]
fn a_wrong_answer_makes_the_code_1() {
    let place = games();
    let scen = place.read("maps/dao/cave.map.scen");
    // Every path of any angle is longer than that, and grid paths have another length.
    let shorter = |line: &str| line.rsplit_once('\t').map_or(line.to_owned(), |(problem, _)| format!("{problem}\t0.5"));
    place.write("maps/dao/cave.map.scen", scen.lines().map(shorter).collect::<Vec<_>>().join("\n"));
    let ran = block_astar(&place, "--maps maps --only table-1").exits(1);
    let ran = ran.says("wrong answer of astar:on=corners,heuristic=euclidean on cave").prints("WRONG ANSWERS");
    assert!(!ran.out.contains(", 0 wrong answers"), "{}", ran.out);
    let cells = block_astar(&place, "--maps maps --only cells --json").exits(1).json();
    let table = Table::of(&cells, "cells");
    let wrong: Vec<bool> = table.rows().iter().map(|row| table.number(row, "wrong") > 0.0).collect();
    // The lengths of the file hold for octile moves only.
    assert_eq!(wrong, [[false; 12].as_slice(), &[true, true, true, false, false, false]].concat());
}
