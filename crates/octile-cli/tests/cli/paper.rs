//! `octile paper`.

use std::fs;

use serde_json::{Value, json};

use crate::{Place, Ran};

/// Small maps under the names of two of the paper's, one of them in a folder of its own, with few queries.
fn maps() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path("maps/mazes")).unwrap();
    place.octile("gen rooms --width 64 --height 64 --room 9 -o maps/8room_000.map").exits(0);
    place.octile("gen maze --width 64 --height 64 --corridor 8 -o maps/mazes/maze512-8-3.map").exits(0);
    for map in ["maps/8room_000.map", "maps/mazes/maze512-8-3.map"] {
        place.octile(&format!("gen scen {map} --per-bucket 3 -o {map}.scen")).exits(0);
    }
    place
}

/// The lines of a table of the text: those after the line that begins with its name and a header.
fn table<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| !line.starts_with(name)).skip(1);
    lines.take_while(|line| !line.starts_with("Table")).collect()
}

#[test]
fn every_table_of_blocked_areas_is_filled() {
    let place = maps();
    let ran = place.octile("paper blocked-areas --maps maps --every 4 --rounds 1").exits(0).silent();
    let ran = ran.prints("Jubair").prints("2 of the paper's 60 maps are at hand");
    for name in ["Table 2", "Table 3", "Table A1"] {
        let lines = table(&ran.out, name);
        let maps = ["maze-8-3 ", "room-8-0 "].map(|map| lines.iter().filter(|line| line.starts_with(map)).count());
        assert_eq!(maps, [1, 1], "{name} in {}", ran.out);
    }
    let lines = table(&ran.out, "Table 4");
    let maps = ["maze-8 ", "room-8 "].map(|maps| lines.iter().filter(|line| line.starts_with(maps)).count());
    // Two searches in two settings.
    assert_eq!(maps, [4, 4], "{}", ran.out);
    let ran = ran.prints("of 2 maps, equal to the paper's: S 0, B% ").prints("of 12 numbers").prints("of 10 numbers");
    let ran = ran.prints("movement octile; every 4th query, best of 1 round: ").prints("movement octile-cutting; ");
    ran.prints(", 0 wrong answers").prints("weighted-astar:weight=3,prune=blocked-areas");
}

#[test]
fn the_document_has_our_numbers_beside_the_papers() {
    let place = maps();
    let document = place.octile("paper blocked-areas --maps maps --every 4 --rounds 1 --json").exits(0).json();
    assert_eq!((&document["paper"], &document["maps"]), (&json!("blocked-areas-2020"), &json!(2)));
    assert_eq!(document["paper_maps"], 60);
    let walls = &document["table_2"][1];
    assert_eq!((&walls["map"], &walls["paper"]["corners"]), (&json!("room-8-0"), &json!(12560)));
    assert!(walls["ours"]["corners"].as_u64().unwrap() > 10, "{walls}");
    assert!(walls["ours"]["scenarios"].as_u64().unwrap() > 10, "{walls}");
    let areas = &document["table_3"][1];
    assert_eq!((&areas["paper"]["count"], &areas["paper"]["inside_percent"]), (&json!(3932), &json!(25.2)));
    assert!(areas["ours"]["count"].as_u64().unwrap() > 10 && areas["safe_ms"].as_f64().unwrap() > 0.0, "{areas}");
    let table = &document["table_4"];
    assert_eq!((&table["every"], &table["rounds"]), (&json!(4), &json!(1)));
    for (setting, movement) in [(0, "octile"), (1, "octile-cutting")] {
        let setting = &table["settings"][setting];
        assert_eq!((&setting["movement"], &setting["wrong"]), (&json!(movement), &json!(0)));
        let lines = setting["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 4);
        for line in lines {
            let nodes = line["nodes"]["ours"].as_f64().unwrap();
            assert!(nodes > 0.3 && nodes < 1.01 && line["time"]["ours"].as_f64().unwrap() > 0.0, "{line}");
        }
        assert_eq!((&lines[2]["maps"], &lines[2]["time"]["paper"]), (&json!("room-8"), &json!(0.85)));
        assert_eq!((&lines[3]["over"], &lines[3]["nodes"]["paper"]), (&json!("weighted-astar:weight=3"), &json!(0.82)));
    }
    let times = &document["table_a1"]["lines"][1];
    assert!(times["ours_us"]["weighted_pruned"].as_f64().unwrap() > 0.0);
    // 88.88 seconds for 1830 scenarios.
    assert!((times["paper_us"]["astar"].as_f64().unwrap() - 48_568.3).abs() < 0.1, "{times}");
}

#[test]
fn only_the_tables_asked_for_are_made() {
    let place = maps();
    let ran = |args: &str| place.octile(&format!("paper blocked-areas --maps maps {args} --json")).exits(0).json();
    let tables = |document: &Value| {
        let names = ["table_2", "table_3", "table_4", "table_a1"];
        names.map(|name| !document[name].is_null())
    };
    assert_eq!(tables(&ran("--table 2")), [true, false, false, false]);
    assert_eq!(tables(&ran("--table 3 --table 2")), [true, true, false, false]);
    assert_eq!(tables(&ran("--table a1 --rounds 1")), [false, false, false, true]);
    let document = ran("--table 4 --lookup tree --lookup mask --rounds 1");
    assert_eq!(tables(&document), [false, false, true, false]);
    let planners: Vec<_> = document["table_4"]["settings"][0]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .take(2)
        .map(|line| line["planner"].clone())
        .collect();
    assert_eq!(planners, ["tree", "mask"].map(|lookup| format!("astar:prune=blocked-areas,lookup={lookup}")));
    for args in ["--table 5", "--lookup guess", "--every 0", "--rounds 0"] {
        place.octile(&format!("paper blocked-areas --maps maps {args}")).exits(2);
    }
}

#[test]
fn a_wrong_answer_makes_the_code_1() {
    let place = maps();
    let scen = place.read("maps/8room_000.map.scen");
    let (problem, length) = scen.lines().nth(1).and_then(|line| line.rsplit_once('\t')).unwrap();
    place.write(
        "maps/8room_000.map.scen",
        scen.replacen(&format!("{problem}\t{length}"), &format!("{problem}\t999"), 1),
    );
    let ran = place.octile("paper blocked-areas --maps maps --table 4 --every 1 --rounds 1").exits(1);
    // Plain and pruned; 999 is within no weight of the truth.
    ran.says("wrong answer of astar on room-8-0, line 2 of its scenario")
        .prints(", 4 wrong answers")
        .prints(", 0 wrong");
}

#[test]
fn maps_that_are_not_there_are_an_error_that_says_what_to_do() {
    let place = Place::with_ring();
    let ran = place.octile("paper blocked-areas --maps .").exits(2);
    ran.says("none of the paper's maps").says("maze512-W-N.map").says("movingai.com");
    place.octile("paper blocked-areas --maps nowhere").exits(2).says("cannot read the directory nowhere");
    let ran = |variable: Option<&str>| {
        let args = "paper blocked-areas --table 2";
        let mut command = place.command(args);
        command.env_remove("OCTILE_MOVINGAI");
        command.envs(variable.map(|folder| ("OCTILE_MOVINGAI", folder)));
        Ran::new(args, &command.output().unwrap())
    };
    ran(None).exits(2).says("--maps").says("OCTILE_MOVINGAI");
    place.write("8room_000.map", crate::RING);
    ran(Some(".")).exits(2).says("8room_000.map.scen is missing");
    place.write("8room_000.map.scen", crate::RING_SCEN);
    ran(Some(".")).exits(0).prints("1 of the paper's 60 maps").prints("room-8-0 ");
    place.write("16room_001.map", crate::RING);
    ran(Some(".")).exits(0).says("1 map without a scenario file is skipped: ./16room_001.map.scen is missing");
}

/// What makes `paper cpd` a matter of a second.
const FEW: &str = "--pairs 7 --rounds 1";

/// Small maps in the game's folder, one under the name of one of the paper's two, and no scenarios.
fn baldurs_gate() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path("maps/bgmaps")).unwrap();
    place.octile("gen rooms --width 24 --height 16 --room 5 -o maps/bgmaps/AR0001SR.map").exits(0);
    place.octile("gen maze --width 40 --height 30 --corridor 2 -o maps/bgmaps/AR0404SR.map").exits(0);
    place.octile("gen rooms --width 60 --height 50 --room 9 -o maps/bgmaps/AR0009SR.map").exits(0);
    place
}

/// `paper cpd` where no maps are but those of the arguments, without the largest of [`baldurs_gate`].
fn cpd(place: &Place, args: &str) -> Ran {
    let args = format!("paper cpd {FEW} --most-cells 1500 {args}");
    let mut command = place.command(&args);
    command.env_remove("OCTILE_MOVINGAI");
    Ran::new(&args, &command.output().unwrap())
}

#[test]
fn every_table_of_cpd_is_filled() {
    let place = baldurs_gate();
    let ran = cpd(&place, "--maps maps").exits(0).silent().prints("Botea").prints("2 maps of at most 1500 free cells");
    let begin = |part: &str, start: &str| {
        let lines = ran.out.lines().skip_while(|line| !line.starts_with(part)).skip(2);
        let is_of_part = |line: &&str| !["Databases", "Speed-up", "Nodes"].iter().any(|part| line.starts_with(part));
        lines.take_while(is_of_part).filter(|line| line.starts_with(start)).count()
    };
    for map in ["AR0001SR ", "AR0404SR ", "all "] {
        assert_eq!(begin("Databases", map), 2, "{map} in {}", ran.out);
    }
    assert_eq!((begin("Databases", "AR0404SR, "), begin("Databases", "AR0700SR, ")), (4, 8), "{}", ran.out);
    assert_eq!(
        (begin("Speed-up", "0-50 "), begin("Speed-up", "all "), begin("Speed-up", "cpd")),
        (3, 3, 2),
        "{}",
        ran.out
    );
    assert_eq!((begin("Nodes", "0-50 "), begin("Nodes", "all ")), (1, 1), "{}", ran.out);
    assert_eq!((begin("Speed-up", "largest average"), begin("Nodes", "nodes expanded")), (6, 1), "{}", ran.out);
    ran.prints("left out, with more free cells: AR0009SR (")
        .prints("7 random pairs on each map, seeds from 1")
        .prints("best of 1 round")
        .prints("geometric mean")
        .prints("\n0 wrong answers");
}

#[test]
fn the_document_of_cpd_has_our_numbers_beside_the_papers() {
    let place = baldurs_gate();
    let document = cpd(&place, "--maps maps --json").exits(0).json();
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value}"));
    assert_eq!((&document["paper"], &document["maps"], &document["wrong"]), (&json!("cpd-2011"), &json!(2), &json!(0)));
    assert_eq!((&document["paper_maps"], &document["left_out"][0]["map"]), (&json!(120), &json!("AR0009SR")));
    let databases = &document["databases"];
    let names: Vec<&Value> = databases["lines"].as_array().unwrap().iter().map(|line| &line["map"]).collect();
    assert_eq!(names, ["AR0001SR", "AR0404SR"]);
    for line in databases["lines"].as_array().unwrap() {
        let records = |of: &str| number(&line[of]["records"]);
        assert!(records("rectangles_mask") <= records("rectangles") && records("squares_mask") <= records("squares"));
        assert!(records("runs") > 1.0 && number(&line["runs"]["build_seconds"]) >= 0.0, "{line}");
        assert!((number(&line["squares_over_rectangles"]) - records("squares") / records("rectangles")).abs() < 1e-9);
        assert!(number(&line["compression_factors"][0]) > number(&line["compression_factors"][2]), "{line}");
        assert_eq!(line["paper_bytes"].as_u64(), line["rectangles"]["records"].as_u64().map(|records| 20 * records));
        assert!(
            number(&line["rectangles"]["average_checks"]) >= 1.0 && number(&line["rectangles"]["file_bytes"]) > 100.0
        );
    }
    let rectangles = databases["lines"].as_array().unwrap().iter().map(|line| line["rectangles"]["records"].as_u64());
    assert_eq!(databases["sums"]["rectangles"].as_u64(), rectangles.sum::<Option<u64>>());
    let statement = |of: &str| {
        let statements = databases["statements"].as_array().unwrap();
        statements.iter().find(|statement| statement["of"] == of).unwrap_or_else(|| panic!("{of}"))
    };
    assert_eq!(statement("AR0404SR, rectangles")["paper"], 184_034.0);
    assert!(number(&statement("AR0404SR, rectangles")["ours"]) > 10.0);
    assert_eq!(statement("AR0700SR, average checks")["ours"], Value::Null);
    let speed = &document["speed"];
    for line in speed["lines"].as_array().unwrap().iter().chain(speed["all"].as_array().unwrap()) {
        for memory in ["warm", "cold"] {
            let times = &line[memory];
            assert!(number(&times["us"]) > 0.0 && number(&times["speedup"]["ours"]) > 0.0, "{line}");
        }
        assert!(number(&line["warm_ns_per_move"]) > 0.0 && number(&line["queries"]) > 0.0, "{line}");
    }
    assert_eq!(speed["all"][0]["queries"], 14);
    assert!(number(&speed["first_moves"][1]["warm_ns"]) > 0.0 && number(&speed["first_moves"][0]["cold_ns"]) > 0.0);
    let nodes = &document["nodes"]["all"];
    assert!(number(&nodes["lookups"]) < number(&nodes["lookups_by_move"]), "{nodes}");
    assert!((number(&nodes["path_nodes"]) - number(&nodes["lookups_by_move"]) - 1.0).abs() < 1e-9, "{nodes}");
    assert!(number(&nodes["astar_expanded"]) > 10.0, "{nodes}");
}

#[test]
fn only_the_tables_of_cpd_asked_for_are_made() {
    let place = baldurs_gate();
    let tables = |args: &str| {
        let document = cpd(&place, &format!("--maps maps {args} --json")).exits(0).json();
        ["databases", "speed", "nodes"].map(|name| !document[name].is_null())
    };
    assert_eq!(tables("--table databases"), [true, false, false]);
    assert_eq!(tables("--table nodes --table speed-up"), [false, true, true]);
    let nodes = |args: &str| cpd(&place, &format!("--maps maps --table nodes --json {args}")).exits(0).json();
    // Pairs depend on the seed alone.
    assert_eq!(nodes("")["nodes"], nodes("")["nodes"]);
    assert_ne!(nodes("")["nodes"], nodes("--seed 18446744073709551615")["nodes"]);
    for (args, said) in [("--table 1", "possible values: databases, speed-up, nodes"), ("--seed x", "invalid digit")] {
        cpd(&place, args).exits(2).says(said);
    }
    for option in ["--rounds", "--pairs"] {
        place.octile(&format!("paper cpd {option} 0")).exits(2).says(option).says("expected a whole number from 1");
    }
}

#[test]
fn cpd_without_maps_says_what_to_do() {
    let place = baldurs_gate();
    cpd(&place, "").exits(2).says("--maps").says("OCTILE_MOVINGAI");
    cpd(&place, "--maps nowhere").exits(2).says("cannot read the directory nowhere");
    cpd(&place, "--maps maps/bgmaps").exits(2).says("a folder bgmaps").says("movingai.com");
    let ran = place.octile("paper cpd --maps maps --most-cells 9").exits(2);
    ran.says("AR0001SR, the smallest, has").says("--most-cells");
}
