//! `octile paper`.

use std::fs;

use serde_json::{Value, json};

use crate::{Place, Ran};

/// What makes `paper block-astar` a matter of a second: small maps, few problems.
const TINY: &str = "--shrink 12 --random-maps 1 --problems 3 --pairs 2 --rounds 1 --every 9";

/// Small maps in the folders of the three games, those of two with scenarios.
fn games() -> Place {
    let place = Place::new();
    for game in ["sc1", "bg512", "dao"] {
        fs::create_dir_all(place.path(&format!("maps/{game}"))).unwrap();
    }
    place.octile("gen rooms --width 64 --height 48 --room 9 -o maps/bg512/hall.map").exits(0);
    place.octile("gen maze --width 48 --height 64 --corridor 4 -o maps/dao/cave.map").exits(0);
    place.octile("gen random --width 50 --height 50 --percent 20 -o maps/sc1/plain.map").exits(0);
    for map in ["maps/bg512/hall.map", "maps/dao/cave.map"] {
        place.octile(&format!("gen scen {map} --per-bucket 3 -o {map}.scen")).exits(0);
    }
    place
}

/// `paper block-astar` where no maps are but those of the arguments.
fn block_astar(place: &Place, args: &str) -> Ran {
    let args = format!("paper block-astar {TINY} {args}");
    let mut command = place.command(&args);
    command.env_remove("OCTILE_MOVINGAI");
    Ran::new(&args, &command.output().unwrap())
}

#[test]
fn every_table_of_block_astar_is_filled() {
    let place = games();
    let ran = block_astar(&place, "--maps maps").exits(0).silent().prints("Yap");
    let begin = |part: &str, start: &str| {
        let lines = ran.out.lines().skip_while(|line| !line.starts_with(part)).skip(3);
        lines.take_while(|line| !line.is_empty()).filter(|line| line.starts_with(start)).count()
    };
    for set in ["Random 0% ", "Random 30% ", "Random 50% ", "Starcraft ", "BG2 ", "DA:O "] {
        assert_eq!((begin("Table 1", set), begin("Smoothing", set)), (5, 2), "{set} in {}", ran.out);
    }
    assert_eq!((begin("Table 2", "1000x1000 "), begin("Smoothing", "1000x1000 ")), (5, 2), "{}", ran.out);
    for set in ["Starcraft ", "BG2 ", "DA:O "] {
        assert_eq!(begin("Cells", set), 4, "{set} in {}", ran.out);
    }
    assert_eq!(begin("Databases", "lddb-"), 4, "{}", ran.out);
    ran.prints("1/12 of the sides")
        .prints("every 9th query; best of 1 round")
        .prints(", 0 wrong answers")
        .prints("2 to 3");
}

#[test]
fn the_document_of_block_astar_has_our_numbers_beside_the_papers() {
    let place = games();
    let document = block_astar(&place, "--maps maps --json").exits(0).json();
    assert_eq!((&document["paper"], &document["missing"]), (&json!("block-astar-2011"), &json!([])));
    assert_eq!((&document["conditions"]["problems"], &document["conditions"]["random_side"]), (&json!(3), &json!(41)));
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value}"));
    let sets = document["table_1"].as_array().unwrap();
    assert_eq!(sets.len(), 9);
    for set in sets.iter().chain([&document["table_2"]]) {
        assert!(set["wrong"] == 0 && number(&set["queries"]) >= 2.0, "{set}");
        let lines = set["lines"].as_array().unwrap();
        let distances: Vec<f64> = lines.iter().map(|line| number(&line["distance"]["ours"])).collect();
        assert!(distances[1..].iter().all(|&distance| distance > 5.0 && distance <= distances[0]), "{distances:?}");
        for line in lines {
            assert!(number(&line["expanded"]["ours"]) > 0.0 && number(&line["time_us"]["ours"]) > 0.0, "{line}");
            let is_block = line["planner"].as_str().unwrap().starts_with("block-astar");
            assert_eq!(line["repeated_percent"].is_number(), is_block, "{line}");
        }
        assert!(lines[..3].iter().all(|line| number(&line["distance"]["paper"]) > 200.0));
        assert!(lines[3..].iter().all(|line| line["distance"]["paper"].is_null()));
        assert_eq!(set["comparisons"].as_array().unwrap().len(), 3);
    }
    let dao = &sets[8]["comparisons"][0];
    // 0.02697 s and 0.00226 s.
    assert!((number(&dao["speedup_over_theta"]["paper"]) - 11.93).abs() < 0.01, "{dao}");
    assert!(number(&dao["distance_over_theta"]["ours"]) > 0.9, "{dao}");
    for line in document["smoothing"].as_array().unwrap() {
        assert!(number(&line["smoothed_distance"]) <= number(&line["distance"]) + 1e-9, "{line}");
    }
    let cells = document["cells"].as_array().unwrap();
    let movements: Vec<&Value> = cells.iter().map(|line| &line["movement"]).collect();
    assert_eq!(movements, ["octile", "octile", "tile", "tile"].repeat(3));
    assert!(cells.iter().all(|line| number(&line["speedup"]) > 0.0 && line["wrong"] == 0));
    assert_eq!(document["databases"][2]["build_ms"]["paper"], 1200.0);
    assert!(document["databases"].as_array().unwrap().iter().all(|line| number(&line["megabytes"]["ours"]) > 0.1));
}

#[test]
fn without_maps_of_games_block_astar_makes_the_rest_and_says_so() {
    let place = Place::new();
    let ran = block_astar(&place, "").exits(0).prints("left out").prints("sc1, bg512, dao").prints("Random 50%");
    assert!(!ran.out.contains("Starcraft") && !ran.out.contains("Cells"), "{}", ran.out);
    fs::create_dir_all(place.path("maps/bg512")).unwrap();
    place.write("maps/bg512/ring.map", crate::RING);
    let ran = block_astar(&place, "--maps maps --table 1 --json").exits(0);
    let document = ran.says("1 map without a scenario file is skipped").json();
    assert_eq!(document["missing"], json!(["sc1", "bg512", "dao"]));
    block_astar(&place, "--table 2 --seed 18446744073709551615").exits(0).prints("1000x1000");
    block_astar(&place, "--table cells").exits(2).says("--maps").says("OCTILE_MOVINGAI");
    block_astar(&place, "--table cells --maps maps").exits(2).says("no maps of games").says("movingai.com");
    block_astar(&place, "--maps nowhere").exits(2).says("cannot read the directory nowhere");
}

#[test]
fn only_the_tables_of_block_astar_asked_for_are_made() {
    let place = games();
    let tables = |args: &str| {
        let document = block_astar(&place, &format!("--maps maps {args} --json")).exits(0).json();
        ["table_1", "table_2", "smoothing", "cells", "databases"].map(|name| !document[name].is_null())
    };
    assert_eq!(tables("--table 1"), [true, false, false, false, false]);
    assert_eq!(tables("--table 2 --table lddb"), [false, true, false, false, true]);
    assert_eq!(tables("--table smoothing"), [false, false, true, false, false]);
    assert_eq!(tables("--table cells"), [false, false, false, true, false]);
    for (args, said) in [("--table 3", "possible values: 1, 2, smoothing, cells, lddb"), ("--seed x", "invalid digit")]
    {
        block_astar(&place, args).exits(2).says(said);
    }
    for option in ["--every", "--rounds", "--random-maps", "--problems", "--pairs", "--shrink"] {
        let ran = place.octile(&format!("paper block-astar {option} 0")).exits(2);
        ran.says(option).says("expected a whole number from 1");
    }
}

#[test]
fn a_wrong_answer_of_block_astar_makes_the_code_1() {
    let place = games();
    let scen = place.read("maps/dao/cave.map.scen");
    // Every path of any angle is longer than that, and grid paths have another length.
    let shorter = |line: &str| line.rsplit_once('\t').map_or(line.to_owned(), |(problem, _)| format!("{problem}\t0.5"));
    place.write("maps/dao/cave.map.scen", scen.lines().map(shorter).collect::<Vec<_>>().join("\n"));
    let ran = block_astar(&place, "--maps maps --table 1").exits(1);
    ran.says("wrong answer of astar:on=corners,heuristic=euclidean on maps/dao/cave.map").prints("wrong answers");
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
