//! Tests that the examples of every `--help` work as printed.

use std::env;
use std::fs;
use std::process::Command;

use octile_testkit::process::Place;

use crate::place;

/// The commands, each with the minimum number of lines of examples.
const COMMANDS: [(&str, usize); 14] = [
    ("", 5),
    ("solve", 11),
    ("run", 6),
    ("compare", 8),
    ("advise", 4),
    ("matrix", 3),
    ("gen", 9),
    ("draw", 8),
    ("field", 6),
    ("build", 10),
    ("merge", 1),
    ("info", 5),
    ("planners", 3),
    ("play", 6),
];

/// The lines under `Examples:` or `Start here:`, without comments. No example continues on the next line.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:" && *line != "Start here:").skip(1);
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    assert!(lines.iter().all(|line| line.starts_with("  octile ")), "{lines:#?}");
    lines.into_iter().map(|line| line.trim().split("   ").next().unwrap().to_owned()).collect()
}

/// Runs a line in a shell where `octile` is this command.
#[track_caller]
fn shell(place: &Place, line: &str) {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_octile")).parent().unwrap().to_owned();
    let path = env::join_paths([folder].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap()))).unwrap();
    let output = Command::new("sh").args(["-c", line]).env("PATH", path).current_dir(place.path("")).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A place with the files that the examples use.
fn place_of_examples() -> Place {
    let place = place();
    place.octile("gen rooms --width 61 --height 33 --room 7 -o arena.map").exits(0);
    place.octile("gen scen arena.map --per-bucket 1 -o arena.map.scen").exits(0);
    fs::copy(place.path("arena.map.scen"), place.path("other.scen")).unwrap();
    place.octile("gen scen arena.map --changes 1% --batches 4 -o siege.scen").exits(0);
    for folder in ["dao", "rooms", "maps", "scenarios"] {
        fs::create_dir(place.path(folder)).unwrap();
        fs::copy(place.path("arena.map"), place.path(&format!("{folder}/arena.map"))).unwrap();
        fs::copy(place.path("arena.map.scen"), place.path(&format!("{folder}/arena.map.scen"))).unwrap();
    }
    place.octile("gen regions --map arena.map --prices 1,2,5 --size 9 -o swamp.map").exits(0);
    fs::rename(place.path("swamp.map.prices"), place.path("tank.prices")).unwrap();
    place.octile("gen scen swamp.map --prices tank.prices --per-bucket 1 -o swamp.map.scen").exits(0);
    place.write("boat.prices", ". 9\nG 1\nS 4\n@ 0\n");
    place.write("units.txt", "1,12\n2,2 # the scout\n");
    place.write("goals.txt", "40,3\n5,5 # late\n\n1,12\n");
    place.write("robot.pgm", [b"P5\n100 50\n255\n".as_slice(), &[255; 5000]].concat());
    place.write(
        "robot.yaml",
        "image: robot.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n",
    );
    place
}

#[test]
fn all_examples_work() {
    let place = place_of_examples();
    for (command, least) in COMMANDS {
        let help = place.octile(&format!("{command} --help")).exits(0).out;
        let lines = examples(&help);
        assert!(lines.len() >= least, "{command}: {lines:?}");
        for line in lines {
            // Skip the race on built-in maps and the advice for a large map, which take seconds; similar examples run
            // here.
            match line.as_str() {
                "octile compare" | "octile advise rooms.map" => {}
                // These never end by themselves; `play.rs` tests them.
                line if line.contains("octile play") => {}
                line => shell(&place, line),
            }
        }
    }
}

#[test]
fn help_begins_with_what_the_command_does() {
    let place = place();
    for (command, _) in COMMANDS {
        let help = place.octile(&format!("{command} --help")).exits(0).out;
        let first = help.lines().next().unwrap();
        assert!(first.len() > 10 && first.len() <= 100 && !first.starts_with("Usage"), "{command}: {first}");
    }
}
