//! `octile build`, `info` of index files, and `--index`.

use std::fs;

use octile_testkit::process::Place;
use serde_json::json;

use crate::{place, place_with_ring};

const KINDS: [&str; 2] = ["blocked-areas", "gates"];

/// A place with `maze.map`, its scenario, and an index file of every kind.
fn indexed() -> Place {
    let place = place();
    place.octile("gen maze --width 60 --height 45 --corridor 4 -o maze.map").exits(0);
    place.octile("gen scen maze.map --per-bucket 1 -o maze.map.scen").exits(0);
    for kind in KINDS {
        place.octile(&format!("build {kind} maze.map -o {kind}.octx")).exits(0).silent();
    }
    place
}

/// The four commands that accept index files, with a planner that uses both kinds.
const USERS: [&str; 4] = [
    "solve maze.map --from 1,1 --to 52,42",
    "run maze.map",
    "compare maze.map --limit 2 --rounds 1",
    "draw maze.map --from 1,1 --to 52,42 -o search.svg",
];

const BOTH: &str = "--planner astar:prune=blocked-areas+gates,gates=always";

/// Asserts that all four commands refuse an index file with a message that begins with `begin` and contains `part`.
#[track_caller]
fn refused(place: &Place, index: &str, begin: &str, part: &str) {
    for user in USERS {
        let ran = place.octile(&format!("{user} {BOTH} {index}")).exits(2).says(part);
        assert!(ran.err.starts_with(&format!("octile: {begin}")), "{}", ran.err);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
    }
    assert!(!place.path("search.svg").exists());
}

fn change(place: &Place, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(place.path(name)).unwrap();
    change(&mut bytes);
    fs::write(place.path(name), bytes).unwrap();
}

#[test]
fn a_build_describes_its_result_in_one_line() {
    let place = indexed();
    let ran = place.octile("build gates maze.map -o maze.gates").exits(0).silent();
    let ran = ran.prints("maze.gates: gates for maze.map (60 x 45 cells, movement octile), ");
    assert_eq!(ran.prints("built in ").prints("in rows").out.lines().count(), 1);
    assert_eq!(fs::read(place.path("maze.gates")).unwrap(), fs::read(place.path("gates.octx")).unwrap());

    let built = place.octile("build blocked-areas maze.map -o a.octx --movement tile --json").exits(0).silent().json();
    assert_eq!(
        (&built["index"], &built["map"], &built["file"]),
        (&json!("blocked-areas"), &json!("maze.map"), &json!("a.octx"))
    );
    assert_eq!((&built["width"], &built["height"], &built["movement"]), (&json!(60), &json!(45), &json!("tile")));
    assert_eq!(built["bytes"].as_u64(), Some(fs::metadata(place.path("a.octx")).unwrap().len()));
    assert_eq!(built["contents"][0]["name"], "areas");
    assert!(built["build_ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn some_indexes_are_for_all_maps() {
    let place = indexed();
    let ran = place.octile("build lddb-octile -o octile.octx").exits(0).silent();
    ran.prints("octile.octx: lddb-octile for all maps, ").prints("8548 of 4 x 4");
    let built = place.octile("build lddb-tile -o tile.octx --json").exits(0).silent().json();
    for field in ["map", "movement", "width", "height", "fingerprint"] {
        assert!(built[field].is_null(), "{field}");
    }
    let info = place.octile("info octile.octx").exits(0).silent();
    info.prints("lddb-octile, version 1\n").prints(" all maps\n").prints("27 of 4 x 4").prints("\ncanonical patterns ");
    place.octile("info octile.octx --map maze.map").exits(0).prints("\nfits ").prints(" maze.map\n");

    place
        .octile("build gates -o a.octx")
        .exits(2)
        .says("`gates` is for one map: write `octile build gates MAP -o FILE`");
    place
        .octile("build lddb-octile maze.map -o a.octx")
        .exits(2)
        .says("`lddb-octile` is for all maps: leave out maze.map, as in `octile build lddb-octile -o FILE`");
    assert!(!place.path("a.octx").exists());

    // This also holds with files for one map, and with several maps: the only fault is that these planners do not use
    // it.
    let race = "compare maze.map --rounds 1 --planner jps:prune=gates,gates=always";
    let unused = place.octile(&format!("{race} --index octile.octx --index gates.octx")).exits(2);
    unused.says("octile.octx: planner `jps:prune=gates,gates=always` uses no index of kind `lddb-octile`");
    fs::copy(place.path("octile.octx"), place.path("again.octx")).unwrap();
    let twins = place.octile(&format!("{race} --index octile.octx --index again.octx")).exits(2);
    twins.says("octile.octx and again.octx are both indexes of kind `lddb-octile`: give one of them");
}

#[test]
fn unknown_kinds_of_index_are_refused() {
    let place = place_with_ring();
    let ran = place.octile("build doors ring.map -o a.octx").exits(2).says("'doors'");
    KINDS.into_iter().fold(ran, |ran, kind| ran.says(kind));
    let help = place.octile("build --help").exits(0);
    KINDS.into_iter().fold(help, |help, kind| help.prints(kind));
    place.octile("build gates ring.map").exits(2).says("--output <FILE>");
    place.octile("build gates none.map -o a.octx").exits(2).says("none.map: no such file");
    place.octile("build gates ring.map -o a.octx --movement hex").exits(2).says("octile-cutting");
    assert_eq!(place.names(), ["ring.map", "ring.map.scen"]);
}

#[test]
fn an_index_never_replaces_its_map() {
    let place = place_with_ring();
    let before = place.read("ring.map");
    place.octile("build gates ring.map -o ring.map").exits(2).says("ring.map is the map: give the index another name");
    place.octile("build gates ring.map -o ./ring.map").exits(2).says("is the map");
    assert_eq!(place.read("ring.map"), before);
}

#[test]
fn a_build_that_fails_leaves_the_old_file() {
    let place = place_with_ring();
    place.write("old.octx", "old");
    place.write("broken.map", "type octile\nheight 3\n");
    place.octile("build gates broken.map -o old.octx").exits(2).says("broken.map");
    place.octile("build gates ring.map -o no/a.octx").exits(2).says("no/a.octx: its directory does not exist");
    place.octile("build gates ring.map -o .").exits(2).says("it is a directory");
    assert_eq!(place.read("old.octx"), "old");
    assert_eq!(place.names(), ["broken.map", "old.octx", "ring.map", "ring.map.scen"]);
    #[cfg(target_os = "linux")]
    place.octile("build gates ring.map -o /dev/full").exits(2).says("/dev/full");
}

#[cfg(debug_assertions)]
#[test]
fn a_killed_build_leaves_the_old_file_or_a_complete_new_one() {
    let place = place();
    place.octile("gen rooms --width 150 --height 150 --room 8 -o rooms.map").exits(0);
    let (mut old, mut new) = (0, 0);
    for step in 1.. {
        place.write("a.octx", "old");
        let status = crate::killed_at(&place, "build blocked-areas rooms.map -o a.octx", step);
        if fs::read(place.path("a.octx")).unwrap() == b"old" {
            old += 1;
        } else {
            new += 1;
            place.octile("info a.octx").exits(0).silent();
        }
        if status.success() {
            break;
        }
    }
    assert!(old >= 4 && new >= 2, "{old} times the old file, {new} times the new one");
}

#[test]
fn info_describes_an_index_and_whether_it_fits() {
    let place = indexed();
    fs::copy(place.path("gates.octx"), place.path("gates.bin")).unwrap();
    for name in ["gates.octx", "gates.bin"] {
        let ran = place.octile(&format!("info {name}")).exits(0).silent();
        let ran = ran.prints("gates, version 1\n").prints("60 x 45 cells, movement octile\n").prints("checksums right");
        ran.prints("row-places ").prints("a query needs");
    }
    place.octile("info blocked-areas.octx").exits(0).prints("joints ").prints("areas ");
    let info = place.octile("info gates.octx --json").exits(0).silent().json();
    let map = place.octile("info maze.map --json").exits(0).json();
    assert_eq!((&info["kind"], &info["index"]), (&json!("index"), &json!("gates")));
    assert_eq!((&info["container_version"], &info["index_version"]), (&json!(1), &json!(1)));
    assert_eq!((&info["fingerprint"], &info["width"]), (&map["fingerprint"], &json!(60)));
    let sections: Vec<_> = info["sections"].as_array().unwrap().iter().map(|section| &section["name"]).collect();
    assert_eq!(sections, ["row-places", "row-blocks", "column-places", "column-blocks", "share"]);
    assert_eq!((info["contents"][0]["name"].as_str(), info.get("fits")), (Some("runs"), None));

    place.octile("info gates.octx --map maze.map").exits(0).silent().prints("\nfits ").prints(" maze.map\n");
    place.octile("build gates maze.map --movement tile -o tile.octx").exits(0);
    place.octile("info tile.octx --map maze.map").exits(0).prints("\nfits ").prints(" maze.map\n");
    place.octile("gen maze --width 60 --height 45 --corridor 4 --seed 2 -o other.map").exits(0);
    place.octile("info gates.octx --map other.map").exits(1).silent().prints(" not other.map: made for another map");
    let info = place.octile("info gates.octx --map other.map --json").exits(1).json();
    assert_eq!((&info["map"], &info["fits"]), (&json!("other.map"), &json!(false)));
    assert!(info["misfit"].as_str().unwrap().contains("before this one changed"));
    let info = place.octile("info gates.octx --map maze.map --json").exits(0).json();
    assert_eq!((&info["fits"], &info["misfit"]), (&json!(true), &json!(null)));
    place.octile("info maze.map --map other.map").exits(2).says("maze.map is not an index file: leave out --map");
    place.octile("info gates.octx --map none.map").exits(2).says("none.map: no such file");
}

#[test]
fn an_unknown_kind_is_described_but_not_used() {
    let place = indexed();
    place.write("test.octx", include_bytes!("../../../../testdata/artifacts/v1/test.octx"));
    place.octile("info test.octx").exits(0).prints("test, version 7\n").prints("that this octile does not read");
    assert_eq!(place.octile("info test.octx --json").exits(0).json()["contents"], json!(null));
    refused(
        &place,
        "--index test.octx",
        "test.octx: unknown kind of index `test`",
        "known kinds: blocked-areas, gates",
    );
}

#[test]
fn info_finds_any_damage() {
    let place = indexed();
    place.write("empty.octx", "");
    place.octile("info empty.octx").exits(2).says("empty.octx: not an octile index file");
    place.octile("info none.octx").exits(2).says("none.octx: no such file");
    for kind in KINDS {
        let name = format!("{kind}.octx");
        let length = fs::metadata(place.path(&name)).unwrap().len() as usize;
        for at in [20, 60, 100, length / 2, length - 1] {
            change(&place, &name, |bytes| bytes[at] ^= 1);
            place.octile(&format!("info {name}")).exits(2).says(&name).says("damaged");
            change(&place, &name, |bytes| bytes[at] ^= 1);
        }
        change(&place, &name, |bytes| bytes.truncate(length - 1));
        place.octile(&format!("info {name}")).exits(2).says(&name).says("truncated");
    }
}

#[test]
fn four_commands_accept_indexes() {
    let place = indexed();
    for (planner, index) in [
        ("astar:prune=blocked-areas", "--index blocked-areas.octx"),
        ("jps:prune=gates,gates=always", "--index gates.octx"),
        ("rea-star:prune=gates,gates=always", "--index gates.octx"),
        ("astar:prune=blocked-areas+gates,gates=always", "--index gates.octx --index blocked-areas.octx"),
        ("astar:prune=blocked-areas+gates", "--index gates.octx"),
    ] {
        let solve = |index: &str| {
            let ran = place.octile(&format!("solve maze.map --from 1,1 --to 52,42 --planner {planner} {index} --json"));
            let answer = ran.exits(0).silent().json();
            [answer["path"].clone(), answer["expanded"].clone()]
        };
        assert_eq!(solve(index), solve(""), "{planner}");
        place.octile(&format!("run maze.map --planner {planner} {index}")).exits(0).silent().prints("all agree");
        place
            .octile(&format!("draw maze.map --from 1,1 --to 52,42 --planner {planner} {index}"))
            .exits(0)
            .prints("<svg");
        let ran =
            place.octile(&format!("compare maze.map --rounds 1 --planner dijkstra --planner {planner} {index} --json"));
        let document = ran.exits(0).json();
        assert!(document["planners"][1]["index_bytes"].as_u64().unwrap() > 0, "{document}");
    }
}

#[test]
fn a_spec_names_its_index_file() {
    let place = indexed();
    let spec = |index: &str| format!("--planner jps:prune=gates,gates=always,index={index}");
    for user in USERS {
        place.octile(&format!("{user} {}", spec("gates.octx"))).exits(0);
        let refused = |args: &str, begin: &str| {
            let ran = place.octile(&format!("{user} {args}")).exits(2).says("octile build gates MAP -o FILE");
            assert!(ran.err.starts_with(&format!("octile: {begin}")), "{}", ran.err);
        };
        refused(&spec("none.octx"), "none.octx: no such file;");
        refused(
            &spec("blocked-areas.octx"),
            "blocked-areas.octx: is an index of kind `blocked-areas`, but planner `jps`",
        );
        place.octile(&format!("{user} --planner jps:index=gates.octx")).exits(2).says("add prune=gates");
    }
    // Together with --index, each error names the file at fault.
    let both = "solve maze.map --from 1,1 --to 52,42 --planner astar:prune=blocked-areas+gates,index=gates.octx";
    let both = format!("{both} --index blocked-areas.octx");
    place.octile(&both).exits(0).silent();
    for name in ["gates.octx", "blocked-areas.octx"] {
        change(&place, name, |bytes| *bytes.last_mut().unwrap() ^= 4);
        let ran = place.octile(&both).exits(2);
        assert!(ran.err.starts_with(&format!("octile: {name}: damaged: the checksum of its contents")), "{}", ran.err);
        change(&place, name, |bytes| *bytes.last_mut().unwrap() ^= 4);
    }
    place.octile("gen maze --width 50 --height 45 --corridor 4 -o small.map").exits(0);
    let ran = place.octile(&format!("solve small.map --from 1,1 --to 2,2 {}", spec("gates.octx"))).exits(2);
    assert!(ran.err.starts_with("octile: gates.octx: made for another map: that has 60 x 45 cells"), "{}", ran.err);
    place.octile("planners jps").exits(0).prints("  index=  use this file").prints("no comma");
}

#[test]
fn damaged_files_are_refused_by_name() {
    let place = indexed();
    for kind in KINDS {
        let name = format!("{kind}.octx");
        let index = format!("--index {name}");
        let whole = fs::read(place.path(&name)).unwrap();
        change(&place, &name, |bytes| *bytes.last_mut().unwrap() ^= 4);
        refused(
            &place,
            &index,
            &format!("{name}: damaged: the checksum of its contents"),
            &format!("octile build {kind} MAP"),
        );
        place.write(&name, &whole);
        change(&place, &name, |bytes| bytes[50] ^= 4);
        refused(&place, &index, &format!("{name}: damaged: the checksum of its header"), "octile build");
        place.write(&name, &whole[..whole.len() / 2]);
        refused(&place, &index, &format!("{name}: truncated"), "octile build");
        place.write(&name, "..@.");
        refused(&place, &index, &format!("{name}: not an octile index file"), "octile build");
    }
    refused(&place, "--index none.octx", "none.octx: no such file", "");
    refused(&place, "--index maze.map", "maze.map: not an octile index file", "");
}

#[test]
fn an_index_of_a_map_that_has_changed_is_refused() {
    let place = indexed();
    change(&place, "maze.map", |bytes| {
        let wall = bytes.iter().rposition(|&byte| byte == b'@').unwrap();
        bytes[wall] = b'.';
    });
    for kind in KINDS {
        let begin = format!("{kind}.octx: made for another map, or before this one changed");
        refused(&place, &format!("--index {kind}.octx"), &begin, &format!("`octile build {kind} MAP -o FILE`"));
        place.octile(&format!("info {kind}.octx --map maze.map")).exits(1);
        place.octile(&format!("build {kind} maze.map -o {kind}.octx")).exits(0);
    }
    place.octile(&format!("solve maze.map --from 1,1 --to 52,42 {BOTH} --index gates.octx")).exits(0);
}

#[test]
fn an_index_for_another_rule_or_size_is_refused() {
    let place = indexed();
    place.octile("build gates maze.map --movement tile -o tile.octx").exits(0);
    refused(&place, "--index tile.octx", "tile.octx: made for movement `tile`, not for `octile`", "build gates");
    let solve = "solve maze.map --from 1,1 --to 52,42 --movement tile --planner astar:prune=gates --index";
    place.octile(&format!("{solve} tile.octx")).exits(0).silent();
    place
        .octile(&format!("{solve} gates.octx"))
        .exits(2)
        .says("gates.octx: made for movement `octile`, not for `tile`");
    place.octile("gen maze --width 50 --height 45 --corridor 4 -o small.map").exits(0);
    place.octile("build gates small.map -o small.octx").exits(0);
    refused(&place, "--index small.octx", "small.octx: made for another map: that has 50 x 45 cells", "60 x 45");
}

#[test]
fn an_unused_index_is_refused() {
    let place = indexed();
    let ran = |args: &str| place.octile(&format!("{args} --index gates.octx")).exits(2);
    for user in ["solve maze.map --from 1,1 --to 52,42", "run maze.map", "draw maze.map --from 1,1 --to 52,42"] {
        ran(user)
            .says("gates.octx: planner `corner-sweep` uses no index of kind `gates`: write `corner-sweep:prune=gates`");
        ran(&format!("{user} --planner astar:open=buckets")).says("write `astar:open=buckets,prune=gates`");
    }
    ran("compare maze.map --planner jps").says("planner `jps` uses no index of kind `gates`: write `jps:prune=gates`");
    let race = ran("compare maze.map --planner jps --planner astar");
    race.says("gates.octx: none of the planners uses an index of kind `gates`: write `jps:prune=gates`");
    ran("draw maze.map").says("gates.octx: nothing that is drawn uses an index of kind `gates`");
    let ran = place.octile("solve maze.map --from 1,1 --to 9,9 --planner jps:prune=gates --index blocked-areas.octx");
    ran.exits(2).says("uses no index of kind `blocked-areas`: write `").says(":prune=blocked-areas");
}

#[test]
fn two_indexes_of_one_kind_are_refused() {
    let place = indexed();
    fs::copy(place.path("gates.octx"), place.path("again.octx")).unwrap();
    let sentence = "gates.octx and again.octx are both indexes of kind `gates` for the same map: give one of them";
    refused(&place, "--index gates.octx --index again.octx", sentence, "");
}

#[test]
fn a_race_over_several_maps_uses_each_index_for_its_map() {
    let place = indexed();
    place.octile("gen maze --width 60 --height 45 --corridor 4 --seed 2 -o other.map").exits(0);
    place.octile("gen scen other.map --per-bucket 1 -o other.map.scen").exits(0);
    place.octile("build gates other.map -o other.octx").exits(0);
    let race = |index: &str| {
        place.octile(&format!(
            "compare . --rounds 1 --planner astar --planner jps:prune=gates,gates=always {index} --json"
        ))
    };
    for index in ["--index gates.octx", "--index other.octx", "--index gates.octx --index other.octx"] {
        let document = race(index).exits(0).silent().json();
        assert_eq!((&document["maps"], &document["planners"][1]["wrong"]), (&json!(2), &json!(0)));
    }
    place.octile("gen maze --width 60 --height 45 --corridor 4 --seed 3 -o third.txt").exits(0);
    place.octile("build gates third.txt -o third.octx").exits(0);
    fs::remove_file(place.path("third.txt")).unwrap();
    race("--index gates.octx --index third.octx").exits(2).says("third.octx: made for none of the 2 maps");
    place.octile("build gates other.map --movement tile -o tile.octx").exits(0);
    race("--index tile.octx").exits(2).says("tile.octx: made for movement `tile`, not for `octile`");
    let ran = place.octile("compare --limit 1 --rounds 1 --planner jps:prune=gates --index gates.octx").exits(2);
    ran.says("gates.octx: made for none of the 4 maps");
}

#[test]
fn pictures_show_pruned_areas_and_gates() {
    let place = indexed();
    let draw = |args: &str| place.octile(&format!("draw maze.map {args}")).exits(0).silent().out;
    let (map, search) = (draw(""), draw("--from 1,1 --to 52,42"));
    let ends = "--from 1,1 --to 52,42";
    for show in ["blocked-areas", "detected-areas", "gates"] {
        let all = draw(&format!("--show {show}"));
        let query = draw(&format!("--show {show} {ends}"));
        assert!(all != map && query != search && all != query, "{show}");
    }
    let both = draw("--show blocked-areas --show gates");
    assert_eq!(both, draw("--show gates --show blocked-areas --show gates"), "the order does not matter");
    // Index files give the same pictures, and need no planner that uses them.
    for kind in KINDS {
        let index = format!("--index {kind}.octx");
        assert_eq!(draw(&format!("--show {kind} {index}")), draw(&format!("--show {kind}")));
        assert_eq!(draw(&format!("--show {kind} {ends} {index}")), draw(&format!("--show {kind} {ends}")));
        change(&place, &format!("{kind}.octx"), |bytes| *bytes.last_mut().unwrap() ^= 1);
        let ran = place.octile(&format!("draw maze.map --show {kind} {index} -o a.png")).exits(2);
        ran.says(&format!("{kind}.octx: damaged"));
    }
    place.octile("draw maze.map --show doors").exits(2).says("gates, detected-areas, blocked-areas");
    place.octile("draw maze.map --show gates --from 1,1 --to 0,0").exits(2).says("goal 0,0 is blocked");
    place.octile("draw maze.map --show gates -o gates.png").exits(0).silent();
    assert!(fs::read(place.path("gates.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn gates_of_a_query_without_a_path_prune_everything() {
    let place = place_with_ring();
    place
        .octile("draw ring.map --show gates --show blocked-areas --from 0,0 --to 5,2 -o a.svg")
        .exits(1)
        .says("no path");
    assert!(place.read("a.svg").contains("<svg"));
}
