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

