//! Bad input: one clear sentence, code 2, and no files left behind.

use std::fs;
use std::process::Command;

use octile_testkit::process::{Place, RING, Ran};

use crate::{place, place_with_ring};

/// Commands that read the map `FILE`.
const READERS: [&str; 6] = [
    "solve FILE --from 0,0 --to 1,1 --draw out.png",
    "run FILE any.scen --paths out.png",
    "draw FILE -o out.png",
    "field FILE --to 0,0 -o out.png",
    "info FILE",
    "gen scen FILE -o out.png",
];

/// Asserts that each command refuses the file with a message that contains its name and `part`.
fn refused(place: &Place, file: &str, part: &str) {
    refused_by(|args| place.octile(args), place, file, part);
}

/// As [`refused`], with a custom way to run the command.
fn refused_by(octile: impl Fn(&str) -> Ran, place: &Place, file: &str, part: &str) {
    place.write("out.png", "old");
    place.write("any.scen", "version 1\n");
    for reader in READERS {
        let ran = octile(&reader.replace("FILE", file)).exits(2).says(file).says(part);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        assert_eq!(place.read("out.png"), "old", "{reader}");
    }
    place.write(&format!("{file}.scen"), "version 1\n");
    octile(&format!("compare {file} --planner jps")).exits(2).says(file).says(part);
    assert!(place.names().iter().all(|name| !name.starts_with('.')), "{:?}", place.names());
}

#[test]
fn files_that_are_not_maps_are_refused() {
    let place = place();
    let files: [(&str, &[u8], &str); 9] = [
        ("empty.map", b"", "empty"),
        ("truncated.map", b"type octile\nheight 3\nwidth 6\nmap\n....@.\n.@@.@.\n", "3"),
        ("header.map", b"type octile\nheight 3\n", "truncated"),
        ("wide.map", b"type octile\nheight 2\nwidth 7\nmap\n......\n......\n", "7"),
        ("latin.map", b"type octile\nheight 1\nwidth 2\nmap\n.\xff\n", "line 5"),
        ("binary.map", b"\x00\x01\x02\x03\xff\xfe", "line 1"),
        ("odd.txt", b"..x\n...\n", "x"),
        ("empty.txt", b"", "empty"),
        ("broken.png", b"\x89PNG\r\n\x1a\nnothing", "broken.png"),
    ];
    for (name, content, part) in files {
        place.write(name, content);
        refused(&place, name, part);
    }
}

#[test]
fn a_header_that_promises_billions_of_cells_costs_nothing() {
    let place = place();
    for (file, height, width) in [
        ("huge.map", "65536", "65536"),
        ("vast.map", "4000000000", "4000000000"),
        ("long.map", "99999999999999999999", "1"),
        ("legal.map", "16000", "16000"),
    ] {
        place.write(file, format!("type octile\nheight {height}\nwidth {width}\nmap\n....\n"));
        refused_by(|args| with_little_memory(&place, args), &place, file, height);
    }
    // The memory limit is below what the last of these maps would take.
    let ran = with_little_memory(&place, "gen open --width 16000 --height 16000 -o whole.map");
    assert!(!cfg!(target_os = "linux") || ran.code != Some(0), "{}", ran.err);
}

/// Runs the command with at most 24 MB of writable memory, if the system supports that limit. One bit for each of 256
/// million cells takes 32 MB.
fn with_little_memory(place: &Place, args: &str) -> Ran {
    let octile = env!("CARGO_BIN_EXE_octile");
    if !cfg!(unix) {
        return place.octile(args);
    }
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -d 24576; exec \"$0\" \"$@\"", octile]).args(args.split_whitespace());
    Ran::new(args, &shell.current_dir(place.path("")).output().unwrap())
}

#[test]
fn missing_files_and_folders_are_refused() {
    let place = place();
    fs::create_dir(place.path("folder.map")).unwrap();
    for reader in READERS {
        place.octile(&reader.replace("FILE", "missing.map")).exits(2).says("missing.map");
        place.octile(&reader.replace("FILE", "folder.map")).exits(2).says("folder.map");
    }
    place.octile("info missing.scen").exits(2).says("missing.scen");
    place.write("map.unknown", "....");
    place.octile("info map.unknown").exits(2).says("map.unknown");
}

#[cfg(unix)]
#[test]
fn files_without_read_permission_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = place_with_ring();
    fs::set_permissions(place.path("ring.map"), fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read everything.
    if fs::read(place.path("ring.map")).is_err() {
        place.octile("info ring.map").exits(2).says("ring.map");
    }
}

#[test]
fn endpoints_off_the_map_or_on_an_obstacle_are_refused() {
    let place = place_with_ring();
    let solve = |ends: &str| place.octile(&format!("solve ring.map {ends} --json"));
    solve("--from 6,0 --to 0,0").exits(2).says("ring.map: start 6,0 is off the map").says("below 6");
    solve("--from 0,0 --to 0,3").exits(2).says("goal 0,3 is off the map");
    solve("--from 1,1 --to 0,0").exits(2).says("start 1,1 is blocked");
    solve("--from 0,0 --to 4,0").exits(2).says("goal 4,0 is blocked");
    solve("--from 4294967295,4294967295 --to 0,0").exits(2).says("off the map");
    solve("--from 4294967296,0 --to 0,0").exits(2).says("`4294967296,0` is not a cell");
    solve("--from -1,0 --to 0,0").exits(2).says("`-1,0` is not a cell");
    solve("--from 0 --to 0,0").exits(2).says("write X,Y");
    solve("--from 0,0").exits(2).says("--to <X,Y>");
}

#[test]
fn invalid_planner_specs_are_refused() {
    let place = place_with_ring();
    let solve = |spec: &str| place.octile(&format!("solve ring.map --from 0,0 --to 3,2 --planner {spec}")).exits(2);
    solve("jsp")
        .says("unknown planner `jsp` (did you mean `jps`?); known planners: dijkstra, astar, weighted-astar, jps");
    solve("astar:opne=heap").says("has no key `opne` (did you mean `open`?); known keys: open, on, heuristic, ");
    solve("jps:weight=2").says("has no key `weight`; known keys: prune, gates");
    solve("astar:open=list").says("expected heap or buckets");
    solve("weighted-astar").says("needs the key `weight`");
    solve("weighted-astar:weight=0.5").says("a number from 1 to 1000");
    solve("astar:open").says("not a planner spec");
    place.octile("solve ring.map --from 0,0 --to 3,2 --movement hex").exits(2).says("octile, tile, octile-cutting");
    place.octile("solve ring.map --from 0,0 --to 3,2 --fast").exits(2).says("--fast");
    place.octile("slove ring.map").exits(2).says("slove");
}

#[test]
fn a_failed_command_leaves_the_old_picture() {
    let place = place();
    place.write("ring.map", RING);
    place.write("old.png", "old");
    place.octile("solve ring.map --from 0,0 --to 4,0 --draw old.png").exits(2);
    place.octile("draw ring.map --from 9,9 --to 0,0 -o old.png").exits(2);
    assert_eq!(place.read("old.png"), "old");
    assert_eq!(place.names(), ["old.png", "ring.map"]);
}

/// Messages quote numbers as the user wrote them, not rounded.
#[test]
fn messages_quote_numbers_as_written() {
    const HUGE: &str = "99999999999999999999999";
    const LONG: &str = "0.1234567890123456789012345";
    let place = place_with_ring();
    place.write("hall.pgm", "P2\n3 1\n255\n255 255 255\n");
    place.write("hall.yaml", "image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n");
    let quotes = |args: &str, quoted: &str| {
        let ran = place.octile(args).exits(2);
        ran.says(quoted);
    };
    for number in [HUGE, "18446744073709551617", LONG, "4294967296"] {
        quotes(&format!("solve ring.map --from {number},0 --to 1,0"), &format!("`{number},0` is not a cell"));
        quotes(&format!("solve ring.map --from 0,0 --to 1,{number}"), &format!("`1,{number}` is not a cell"));
        quotes(
            &format!("solve ring.map --from 0,0 --to 1,0 --radius {number}m"),
            &format!("without the m of {number}m"),
        );
    }
    let off = format!("{HUGE},{LONG}");
    quotes(&format!("solve hall.yaml --metres --from {off} --to 0,0"), &format!("{off} in metres is off hall.yaml"));
    for radius in [HUGE, "7.00000000000000000000001"] {
        let disc = format!("a disc with a radius of {radius} cells");
        quotes(&format!("solve ring.map --from 0,0 --to 3,2 --radius {radius}"), &disc);
    }
    quotes(
        &format!("solve hall.yaml --metres --from 0.01,0.01 --to 0.1,0.01 --radius {HUGE}m"),
        &format!("a disc with a radius of {HUGE}m"),
    );
    for (file, text) in [
        ("a.map", "type octile\nheight N\nwidth 1\nmap\n.\n"),
        ("a.pgm", "P5\nN 1\n255\n"),
        ("b.pgm", "P2\n1 1\n255\nN\n"),
        ("a.yaml", "image: hall.pgm\nresolution: -N\norigin: [0, 0, 0]\n"),
    ] {
        place.write(file, text.replace('N', HUGE));
        quotes(&format!("info {file}"), HUGE);
    }
    place.write("a.prices", format!(". {HUGE}\n"));
    quotes("info ring.map --prices a.prices", HUGE);
    for args in
        ["--planner weighted-astar:weight=N", "--planner auto:memory=N", "--max-expanded N", "--max-ms N", "--size N"]
    {
        quotes(&format!("solve ring.map --from 0,0 --to 1,0 {}", args.replace('N', HUGE)), HUGE);
    }
}
