//! `gen`, `draw`, `info`, `planners`, `completions` and `man`.

use std::fs;
use std::process::Stdio;

use octile::formats::draw::Colour;
use octile_testkit::process::RING;
use serde_json::json;

use crate::{place, place_with_ring};

#[test]
fn generated_maps_depend_only_on_the_seed() {
    let place = place();
    for kind in ["rooms --room 4", "maze --corridor 2", "random --percent 30", "caves --percent 40"] {
        let generate = |seed: u32| {
            let args = format!("gen {kind} --width 31 --height 25 --seed {seed}");
            place.octile(&args).exits(0).silent().prints("type octile\nheight 25\nwidth 31\nmap\n").out
        };
        assert_eq!(generate(1), generate(1), "{kind}");
        assert_ne!(generate(1), generate(2), "{kind}");
    }
    let open = place.octile("gen open --width 3 --height 2").exits(0).out;
    assert_eq!(open, "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
}

#[test]
fn the_answers_in_a_generated_scenario_are_right() {
    let place = place();
    place.octile("gen rooms --width 60 --height 60 --room 7 -o rooms.map").exits(0).silent();
    place.octile("gen scen rooms.map --per-bucket 3 -o rooms.map.scen").exits(0).silent();
    let document = place.octile("run rooms.map --planner astar --json").exits(0).json();
    assert!(document["problems"].as_u64().unwrap() > 30, "{document}");
    let info = place.octile("info rooms.map.scen --json").exits(0).json();
    assert_eq!(info["problems"], document["problems"]);
    assert_eq!((&info["kind"], &info["maps"]), (&json!("scenario"), &json!(["rooms.map"])));
    assert!(info["buckets"][1]["problems"].as_u64().unwrap() <= 3);
    place.octile("info rooms.map.scen").exits(0).prints("0 of them unreachable");
}

#[test]
fn maps_are_written_only_as_text() {
    let place = place();
    place.octile("gen open --width 2 --height 2 -o a.txt").exits(0);
    assert_eq!(place.read("a.txt").trim_end(), "..\n..");
    place.octile("gen open -o a.png").exits(2).says(".map or .txt");
    place.octile("gen open --width 0").exits(2).says("0 is not in 1..=65534");
    place.octile("gen open --height -5").exits(2).says("'-5'").says("1..=65534");
    place.octile("gen open --width 65534 --height 65534").exits(2).says("65534 x 65534");
    place.octile("gen random --percent 101").exits(2);
    place.octile("gen caves --percent 101").exits(2);
    place.octile("gen open --width 2 --height 2 -o no/a.map").exits(2).says("no/a.map: its directory does not exist");
    place.octile("gen open --width 2 --height 2 -o .").exits(2).says("it is a directory");
    assert_eq!(place.names(), ["a.txt"]);
}

#[test]
fn pictures_of_searches_over_taut_paths_show_what_is_in_sight() {
    let place = place();
    place.octile("gen caves --width 48 --height 32 --seed 3 -o caves.map").exits(0);
    let ends = "--from 41,7 --to 41,20";
    for planner in ["taut-sight", "taut-sight:ends=centres", "taut-graph:squeeze=forbidden"] {
        let svg = place.octile(&format!("draw caves.map --planner {planner} {ends}")).exits(0).out;
        assert!(svg.contains(&Colour::HOP.to_string()), "{planner}: {svg}");
        let tint = svg.lines().filter(|line| line.starts_with("<path fill=")).count();
        assert!(tint > 3, "{planner}: walls, and tints of what is in sight of start, goal and corners: {svg}");
    }
}

#[test]
fn pictures_show_maps_and_searches() {
    let place = place_with_ring();
    place.octile("draw ring.map -o map.png").exits(0).silent();
    place.octile("draw ring.map -o map.svg --scale 3").exits(0).silent();
    place.octile("draw ring.map -o search.svg --from 0,0 --to 3,2 --planner astar").exits(0).silent();
    place.octile("draw ring.map").exits(0).prints("<svg");
    assert!(fs::read(place.path("map.png")).unwrap().starts_with(b"\x89PNG"));
    assert_ne!(place.read("map.svg"), place.read("search.svg"));
    place.octile("draw ring.map -o none.svg --from 0,0 --to 5,2").exits(1).says("no path from 0,0 to 5,2");
    assert!(place.read("none.svg").contains("<svg"));
    place.octile("draw ring.map -o a.svg --from 0,0").exits(2).says("--to");
    place.octile("draw ring.map -o a.svg --from 0,0 --to 1,1").exits(2).says("goal 1,1 is blocked");
    assert!(!place.path("a.svg").exists());
}

#[test]
fn pictures_of_maps_with_prices_have_a_legend() {
    let place = place();
    place.write("land.txt", "1119\n1@29\n1155\n");
    let height = |svg: &str| svg.split("height=\"").nth(1).and_then(|rest| rest.split('"').next()?.parse::<u32>().ok());
    let ends = "--from 0,0 --to 3,2 --planner astar";
    let svg = place.octile(&format!("draw land.txt {ends} --scale 40")).exits(0).out;
    assert!(height(&svg) > Some(120) && svg.contains(&Colour::PATH.to_string()), "{svg}");
    let svg = place.octile(&format!("draw land.txt {ends} --scale 40 --no-legend")).exits(0).out;
    assert_eq!(height(&svg), Some(120), "{svg}");
    place.octile(&format!("draw land.txt {ends} -o land.png")).exits(0).silent();
    assert!(fs::read(place.path("land.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_picture_never_replaces_its_map() {
    let place = place_with_ring();
    place.octile("draw ring.map -o map.png --scale 1").exits(0);
    let before = fs::read(place.path("map.png")).unwrap();
    place.octile("draw map.png -o map.png").exits(2).says("map.png is the map");
    place.octile("solve map.png --from 0,0 --to 0,0 --draw ./map.png").exits(2).says("is the map");
    assert_eq!(fs::read(place.path("map.png")).unwrap(), before);
}

#[test]
fn info_describes_a_map() {
    let place = place_with_ring();
    let info = place.octile("info ring.map --json").exits(0).silent().json();
    assert_eq!((&info["kind"], &info["format"]), (&json!("map"), &json!("movingai")));
    assert_eq!((&info["width"], &info["height"], &info["free_cells"]), (&json!(6), &json!(3), &json!(13)));
    assert_eq!((&info["components"], &info["largest_component"]), (&json!(2), &json!(10)));
    assert_eq!(info["fingerprint"].as_str().unwrap().len(), 16);
    place.write("same.txt", RING.split_once("map\n").unwrap().1);
    let same = place.octile("info same.txt --json").exits(0).json();
    assert_eq!((&same["format"], &same["fingerprint"]), (&json!("ascii"), &info["fingerprint"]));
    place
        .octile("info ring.map")
        .exits(0)
        .prints("6 x 3 cells")
        .prints("13 cells, 72.2 %")
        .prints("2, the largest of 10");
}

#[test]
fn info_shows_the_origin_of_a_ros_map() {
    let place = place();
    place.write("room.pgm", b"P5\n2 2\n255\n\xfe\xfe\x00\xfe");
    place.write(
        "room.yaml",
        "image: room.pgm\nresolution: 0.05\norigin: [-1.5, 2.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n",
    );
    let info = place.octile("info room.yaml --json").exits(0).json();
    assert_eq!((&info["format"], &info["free_cells"]), (&json!("ros"), &json!(3)));
    assert_eq!((&info["resolution"], &info["origin"]), (&json!(0.05), &json!([-1.5, 2.0, 0.0])));
    place.octile("info room.yaml").exits(0).prints("0.05 m a cell").prints("-1.5 m, 2 m");
}

/// For every command that reads a map.
#[test]
fn unknown_cells_are_blocked_or_free_as_requested() {
    let place = place();
    place.write("room.pgm", b"P5\n3 1\n255\n\xfe\xcd\xfe");
    place.write("room.yaml", "image: room.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n");
    place.write("room.txt", "..@\n");
    place.write("room.yaml.scen", "version 1\n0 room.yaml 3 1 0 0 2 0 2\n");
    for (asked, free, path) in [("", 2, 1), (" --unknown blocked", 2, 1), (" --unknown free", 3, 0)] {
        let info = place.octile(&format!("info room.yaml --json{asked}")).exits(0).json();
        assert_eq!(info["free_cells"], json!(free), "{asked}");
        let info = place.octile(&format!("info room.txt --json{asked}")).exits(0).json();
        assert_eq!(info["free_cells"], json!(2), "{asked}");
        place.octile(&format!("solve room.yaml --from 0,0 --to 2,0{asked}")).exits(path);
        place.octile(&format!("draw room.yaml --from 0,0 --to 2,0 -o room.svg{asked}")).exits(path);
        place.octile(&format!("run room.yaml{asked}")).exits(path);
        place.octile(&format!("compare room.yaml --planner astar --planner jps --rounds 1{asked}")).exits(path);
        place.octile(&format!("gen scen room.yaml -o made.scen{asked}")).exits(0);
        place.octile(&format!("build gates room.yaml -o room.octx{asked}")).exits(0);
        place.octile(&format!("info room.octx --map room.yaml{asked}")).exits(0);
        place.octile("info room.octx --map room.yaml --unknown free").exits(path);
        place.octile(&format!("advise room.yaml{asked}")).exits(0);
    }
    place.octile("info room.yaml --unknown maybe").exits(2);
}

#[test]
fn planners_are_listed() {
    let place = place();
    let ran = place.octile("planners").exits(0).silent().prints("weighted-astar").prints("`octile planners NAME`");
    assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{}", ran.out);
    let document = place.octile("planners --json").exits(0).json();
    let names: Vec<_> =
        document["planners"].as_array().unwrap().iter().map(|planner| planner["name"].clone()).collect();
    assert!(names.contains(&json!("jps")) && names.contains(&json!("astar")), "{names:?}");
    assert!(names.iter().all(|name| ran.out.contains(&format!("{} ", name.as_str().unwrap()))));
    let jps = document["planners"].as_array().unwrap().iter().find(|planner| planner["name"] == "jps").unwrap();
    assert_eq!((&jps["guarantee"], &jps["movements"]), (&json!("grid-optimal"), &json!(["octile"])));
    assert_eq!((&jps["has_index"], &jps["index_effort"]), (&json!(false), &json!("none")));
}

#[test]
fn one_planner_is_described_in_full() {
    let place = place();
    let ran = place.octile("planners weighted-astar").exits(0).silent();
    let ran =
        ran.prints("bounded by the weight").prints("movements  octile, tile").prints("weight=").prints("must be given");
    ran.prints("paper      Pohl 1970").prints("edits      follows").prints("  weighted-astar:weight=");
    let ran = place.octile("planners hub-labels:index=a.octx").exits(0).prints("edits      its index goes stale");
    ran.prints("`octile build hub-labels` keeps it in a file").prints("paper      Uras");
    let document = place.octile("planners astar --json").exits(0).json();
    let astar = &document["planners"][0];
    assert_eq!((document["planners"].as_array().unwrap().len(), &astar["on_edit"]), (1, &json!("follows")));
    assert_eq!((&astar["keys"][0]["name"], &astar["keys"][0]["default"]), (&json!("open"), &json!("heap")));
    assert!(astar["variants"].as_array().unwrap().contains(&json!("astar:open=buckets")), "{astar}");
    place.octile("planners jsp").exits(2).says("unknown planner `jsp` (did you mean `jps`?)");
}

#[test]
fn completions_and_manual_pages_are_made() {
    let place = place();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        place.octile(&format!("completions {shell}")).exits(0).silent().prints("octile").prints("compare");
    }
    place.octile("completions tcsh").exits(2).says("tcsh");
    place.octile("man").exits(0).prints(".TH octile 1");
    place.octile("man pages").exits(0).silent();
    for page in ["octile.1", "octile-solve.1", "octile-gen-rooms.1"] {
        assert!(place.read(&format!("pages/{page}")).contains(".TH"), "{page}");
    }
}

#[test]
fn help_and_version_are_results() {
    let place = place();
    place.octile("--version").exits(0).prints("octile ");
    place.octile("--help").exits(0).silent().prints("octile compare");
    for command in [
        "solve",
        "run",
        "compare",
        "advise",
        "matrix",
        "gen",
        "draw",
        "field",
        "build",
        "merge",
        "info",
        "planners",
        "completions",
        "man",
    ] {
        place.octile(&format!("{command} --help")).exits(0).silent().prints("Usage: octile");
    }
    let ran = place.octile("");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("Usage: octile") && ran.err.contains("Start here:"));
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    let place = place();
    let mut child = place
        .command("gen open --width 2000 --height 2000")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let place = place();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.command("planners").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("octile: cannot write to standard output: "));
    place.octile("gen open --width 2000 --height 2000 -o /dev/null").exits(0);
    place.octile("gen open --width 2000 --height 2000 -o /dev/full").exits(2).says("/dev/full");
}

/// Every kind of output on standard output, to a full device.
#[cfg(target_os = "linux")]
#[test]
fn printing_to_a_full_device_is_an_error() {
    let place = place_with_ring();
    place.write("cells.txt", "0,0\n3,2\n");
    let printed = "solve run compare advise matrix gen draw field build merge info planners play completions man";
    let mut commands: Vec<String> = ["--help", "-h", "help", "--version", "-V"].map(str::to_owned).to_vec();
    commands.extend(
        printed.split(' ').flat_map(|name| [format!("{name} --help"), format!("{name} -h"), format!("help {name}")]),
    );
    commands.extend(["open", "rooms", "maze", "random", "scen"].map(|kind| format!("gen {kind} --help")));
    commands.extend(["bash", "zsh", "fish", "elvish", "powershell"].map(|shell| format!("completions {shell}")));
    let results = [
        "man",
        "planners",
        "planners jps",
        "planners --json",
        "solve ring.map --from 0,0 --to 3,2",
        "solve ring.map --from 0,0 --to 3,2 --json",
        "run ring.map ring.map.scen",
        "run ring.map ring.map.scen --json",
        "compare ring.map ring.map.scen --planner astar --planner jps",
        "advise ring.map",
        "matrix ring.map --sources cells.txt --targets cells.txt -o costs.csv",
        "info ring.map",
        "info ring.map --json",
        "gen open --width 5 --height 5",
        "draw ring.map --from 0,0 --to 3,2",
    ];
    commands.extend(results.map(str::to_owned));
    for args in commands {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = place.command(&args).stdout(full).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args}: {message}");
        assert!(message.contains("octile: cannot write to standard output: "), "{args}: {message}");
    }
}
