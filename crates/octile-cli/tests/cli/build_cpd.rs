//! `octile build cpd`, interrupted and resumed; `octile merge`; and the use of such files.

use std::fs;
use std::path::Path;
#[cfg(debug_assertions)]
use std::sync::LazyLock;

use octile_testkit::process::{Place, Ran};
use serde_json::json;

use crate::place_with_ring;

/// The number of sources of the small `maze.map`, in three chunks.
const SOURCES: u32 = 2196;

/// A place with `maze.map`, of eight chunks.
fn maze() -> Place {
    maze_of(90)
}

fn maze_of(side: u32) -> Place {
    let place = crate::place();
    place.octile(&format!("gen maze --width {side} --height {side} --corridor 8 -o maze.map")).exits(0);
    place
}

/// A place with a small `maze.map` and its database in `whole.octx`.
fn small() -> Place {
    let place = maze_of(50);
    place.octile("build cpd maze.map -o whole.octx").exits(0).silent();
    place
}

/// The database of [`maze()`] and the steps that write it. All tests share it, because it takes long to build.
#[cfg(debug_assertions)]
struct Whole {
    file: Vec<u8>,
    steps: Vec<String>,
}

#[cfg(debug_assertions)]
static WHOLE: LazyLock<Whole> = LazyLock::new(|| {
    let place = maze();
    let steps = crate::steps(&place, "build cpd maze.map -o whole.octx");
    Whole { file: fs::read(place.path("whole.octx")).unwrap(), steps }
});

/// As [`maze()`], with the complete database in `whole.octx`.
#[cfg(debug_assertions)]
fn built() -> Place {
    let place = maze();
    place.write("whole.octx", &WHOLE.file);
    place
}

/// The names of the existing parts of `a.octx`.
fn parts(place: &Place) -> Vec<String> {
    let Ok(entries) = fs::read_dir(place.path("a.octx.parts")) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut parts: Vec<String> = names.filter(|name| name.starts_with("part-")).collect();
    parts.sort();
    parts
}

/// Builds `a.octx` until it is killed after writing `count` parts.
#[cfg(debug_assertions)]
fn kill_after(place: &Place, count: usize) {
    let step = 1 + crate::nth_rename(&WHOLE.steps, count);
    assert!(!crate::killed_at(place, "build cpd maze.map -o a.octx --jobs 1", step).success());
    assert_eq!(parts(place).len(), count);
}

/// Asserts that two files have the same bytes.
#[track_caller]
fn same(place: &Place, one: &str, other: &str) {
    let [one, other] = [one, other].map(|name| fs::read(place.path(name)).unwrap());
    assert!(one == other);
}

/// All files of a folder with their bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Resumes `a.octx`: the message must contain `part`, and the result must equal `whole.octx`.
#[track_caller]
fn goes_on(place: &Place, part: &str) {
    place.octile("build cpd maze.map -o a.octx").exits(0).silent().prints(part);
    same(place, "a.octx", "whole.octx");
    assert!(!place.path("a.octx.parts").exists());
}

#[cfg(debug_assertions)]
#[test]
fn a_killed_build_resumes() {
    let place = built();
    kill_after(&place, 2);
    let there = parts(&place);
    assert_eq!(there[1], "part-000001024-000002048.octx", "{there:?}");
    assert!(!place.path("a.octx").exists());
    place.write("a.octx.parts/.octile-left", "half a part");
    let ran = place.octile("build cpd maze.map -o a.octx --json").exits(0).silent().json();
    assert_eq!(ran["chunks"], json!({ "all": 8, "resumed": there.len(), "damaged": 0 }));
    same(&place, "a.octx", "whole.octx");
    assert_eq!(place.names(), ["a.octx", "maze.map", "whole.octx"]);
}

#[test]
fn a_build_is_the_same_on_any_number_of_threads() {
    let place = small();
    for jobs in [1, 1, 3] {
        let ran = place.octile(&format!("build cpd maze.map -o a.octx --jobs {jobs}")).exits(0).silent();
        assert!(!ran.out.contains("resumed"), "{}", ran.out);
        same(&place, "a.octx", "whole.octx");
        assert_eq!(place.names(), ["a.octx", "maze.map", "whole.octx"]);
    }
}

#[cfg(debug_assertions)]
#[test]
fn a_build_may_be_killed_repeatedly_at_any_moment() {
    let place = built();
    place.write("a.octx", "old");
    // The later of these steps come after a finished chunk.
    let most = crate::nth_rename(&WHOLE.steps, 1) + 3;
    for round in 0..12 {
        let before = parts(&place).len();
        let args = format!("build cpd maze.map -o a.octx --jobs {}", 1 + round % 2);
        let status = crate::killed_at(&place, &args, 1 + round * 5 % most);
        assert!(!status.success() && place.read("a.octx") == "old", "round {round}: {status}");
        assert!(parts(&place).len() >= before, "finished chunks stay");
    }
    assert!((2..8).contains(&parts(&place).len()), "{:?}", parts(&place));
    place.octile("build cpd maze.map -o a.octx").exits(0).silent().prints("(resumed: ");
    same(&place, "a.octx", "whole.octx");
    assert_eq!(place.names(), ["a.octx", "maze.map", "whole.octx"]);
}

#[cfg(debug_assertions)]
#[test]
fn damaged_parts_are_rebuilt() {
    let place = built();
    kill_after(&place, 3);
    let there = parts(&place);
    let path = |number: usize| place.path(&format!("a.octx.parts/{}", there[number]));
    change(&path(0), |bytes| bytes.truncate(bytes.len() / 2));
    change(&path(1), |bytes| *bytes.last_mut().unwrap() ^= 1);
    fs::write(path(2), "").unwrap();
    goes_on(&place, &format!("(resumed: {} of 8 chunks were there, 3 damaged and built again)", there.len() - 3));
}

#[test]
fn parts_of_other_sizes_and_names_are_used() {
    let place = small();
    fs::create_dir(place.path("a.octx.parts")).unwrap();
    // A name with only the first source, the old naming of parts.
    for (sources, name) in [("..300", "part-000000000.octx"), ("900..1700", "part-000000900-000001700.octx")] {
        place.octile(&format!("build cpd maze.map --sources {sources} -o a.octx.parts/{name}")).exits(0);
    }
    goes_on(&place, "(resumed: 2 of 5 chunks were there)");
}

#[cfg(debug_assertions)]
#[test]
fn leftovers_of_a_finished_build_are_removed() {
    let place = built();
    kill_after(&place, 2);
    fs::copy(place.path("whole.octx"), place.path("a.octx")).unwrap();
    goes_on(&place, "(resumed: ");
}

#[cfg(debug_assertions)]
#[test]
fn parts_of_another_build_are_refused_and_kept() {
    let place = maze();
    kill_after(&place, 2);
    place.octile("gen maze --width 90 --height 90 --corridor 8 --seed 2 -o other.map").exits(0);
    let folder = place.path("a.octx.parts");
    let before = contents(&folder);
    let refused = |args: &str| -> Ran {
        let ran = place.octile(&format!("build {args} -o a.octx")).exits(2);
        assert!(contents(&folder) == before && !place.path("a.octx").exists(), "{args}");
        ran.says("a.octx.parts").says("or choose another -o")
    };
    let first = "a.octx.parts/part-000000000-000001024.octx belongs to another build: ";
    let ran = refused("cpd:layout=rectangles maze.map").says(first).says("delete the folder a.octx.parts");
    ran.says("its settings are `layout=runs,order=dfs,").says("not `layout=rectangles,order=dfs,");
    refused("cpd other.map").says(first).says("made for another map, or before this one changed: ").says("fingerprint");
    refused("cpd maze.map --movement tile").says(first).says("made for movement `octile`, not for `tile`");
    let ran = refused("cpd maze.map --sources ..900").says(first);
    ran.says("it has the sources 0..1024, which do not lie in 0..900");
    refused("cpd maze.map --sources ..1024")
        .says("part-000001024-000002048.octx belongs to another build: it has the sources");
    // This also holds for a damaged part, if its header names another map.
    change(&folder.join("part-000000000-000001024.octx"), |bytes| *bytes.last_mut().unwrap() ^= 1);
    place.octile("build cpd other.map -o a.octx").exits(2).says(first);

    fs::remove_dir_all(&folder).unwrap();
    place.octile("build gates maze.map -o gates.octx").exits(0);
    for (name, part) in [
        ("part-000000000.octx", "is an index of kind `gates`, expected `cpd`"),
        ("notes.txt", "does not belong to this build"),
    ] {
        fs::create_dir(&folder).unwrap();
        fs::copy(place.path("gates.octx"), folder.join(name)).unwrap();
        place.octile("build cpd maze.map -o a.octx").exits(2).says(&format!("a.octx.parts/{name}")).says(part);
        assert_eq!(contents(&folder).len(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
    place.write("a.octx.parts", "a file");
    place.octile("build cpd maze.map -o a.octx").exits(2).says("a.octx.parts exists and is not a folder");
    assert_eq!(place.read("a.octx.parts"), "a file");
}

#[test]
fn two_builds_of_one_file_exclude_each_other() {
    let place = maze_of(50);
    fs::create_dir(place.path("a.octx.parts")).unwrap();
    let lock = fs::File::create(place.path("a.octx.parts/.octile-lock")).unwrap();
    lock.lock().unwrap();
    place.octile("build cpd maze.map -o a.octx").exits(2).says("another octile is building in a.octx.parts: wait");
    drop(lock);
    place.octile("build cpd maze.map -o a.octx").exits(0).silent();
    assert_eq!(place.names(), ["a.octx", "maze.map"]);
}

#[test]
fn parts_are_merged_into_the_whole() {
    let place = small();
    for (name, sources) in [("one", "..500"), ("two", "500..1700"), ("three", "1700..")] {
        let ran = place.octile(&format!("build cpd maze.map --sources {sources} -o {name}.octx")).exits(0).silent();
        ran.prints("a part, to be merged with the others by `octile merge`");
    }
    let merge = |args: &str| place.octile(&format!("merge {args}"));
    merge("three.octx one.octx two.octx -o merged.octx").exits(0).silent().prints("from 3 parts").prints(", whole; ");
    same(&place, "merged.octx", "whole.octx");
    merge("two.octx -o again.octx").exits(0).prints("still a part: the sources 0..500 and 1700..2196 are missing");
    same(&place, "again.octx", "two.octx");

    let ran = merge("two.octx one.octx -o part.octx --json").exits(0).silent().json();
    assert_eq!((&ran["file"], &ran["parts"]), (&json!("part.octx"), &json!(["two.octx", "one.octx"])));
    assert_eq!((&ran["missing"], &ran["database"]["sources"]), (&json!([[1700, SOURCES]]), &json!([0, 1700])));
    assert_eq!((&ran["index"], &ran["contents"][0]["name"]), (&json!("cpd"), &json!("settings")));
    assert_eq!(ran["bytes"].as_u64(), Some(fs::metadata(place.path("part.octx")).unwrap().len()));
    assert_eq!(merge("part.octx three.octx -o all.octx --json").exits(0).json()["missing"], json!([]));
    same(&place, "all.octx", "whole.octx");
    place.octile("build cpd maze.map --sources ..1700 -o at-once.octx").exits(0);
    same(&place, "at-once.octx", "part.octx");

    let info = place
        .octile("info two.octx")
        .exits(0)
        .silent()
        .prints("500..1700 of 2196: a part, to be merged with the others by `octile merge`");
    info.prints("\nsettings ")
        .prints("layout=runs,order=dfs,ties=diagonals,symbol=heuristic\n")
        .prints("\naverage checks ");
    place.octile("info part.octx --map maze.map").exits(0).prints("\nfits ");
    let info = place.octile("info whole.octx --json").exits(0).silent().json();
    assert_eq!(
        (&info["database"]["sources"], &info["database"]["all_sources"]),
        (&json!([0, SOURCES]), &json!(SOURCES))
    );
    assert!(info["database"]["records"].as_u64().unwrap() >= SOURCES.into());
    assert_eq!(info["database"]["compression_factors"].as_array().unwrap().len(), 3);
}

#[test]
fn unrelated_files_are_not_merged() {
    let place = maze_of(50);
    place.octile("gen maze --width 50 --height 50 --corridor 8 --seed 2 -o other.map").exits(0);
    for (name, kind, map, sources) in [
        ("one", "cpd", "maze", "..300"),
        ("two", "cpd", "maze", "300..500"),
        ("three", "cpd", "maze", "500..600"),
        ("over", "cpd", "maze", "400..600"),
        ("mask", "cpd:ties=mask", "maze", "300..400"),
        ("other", "cpd", "other", "300..400"),
    ] {
        place.octile(&format!("build {kind} {map}.map --sources {sources} -o {name}.octx")).exits(0);
    }
    place.octile("build gates maze.map -o gates.octx").exits(0);
    let names = place.names();
    let refused = |parts: &str, begin: &str| {
        let ran = place.octile(&format!("merge {parts} -o a.octx")).exits(2);
        assert!(ran.err.starts_with(&format!("octile: {begin}")), "{}", ran.err);
        assert_eq!(place.names(), names);
        ran
    };
    refused("one.octx three.octx", "the rows of the sources 300..500 are missing").says("--sources 300..500");
    refused(
        "over.octx one.octx two.octx",
        "over.octx: has the rows of the sources 400..500, which another part has too",
    );
    refused("one.octx one.octx", "one.octx: has the rows of the sources 0..300, which another");
    refused("one.octx mask.octx", "mask.octx: is not part of the same database")
        .says("ties=mask")
        .says("ties=diagonals");
    refused("one.octx other.octx", "other.octx: is not part of the same database").says("fingerprint");
    refused("one.octx gates.octx", "gates.octx: is an index of kind `gates`");
    refused("one.octx maze.map", "maze.map: not an octile index file");
    refused("one.octx none.octx", "none.octx: no such file");
    place.octile("merge -o a.octx").exits(2).says("<PART>");
    place.octile("merge one.octx").exits(2).says("--output <FILE>");
    place.octile("merge one.octx -o no/a.octx").exits(2).says("no/a.octx: its directory does not exist");
    let before = fs::read(place.path("one.octx")).unwrap();
    place
        .octile("merge two.octx one.octx -o ./one.octx")
        .exits(2)
        .says("one.octx is one of the parts: give the result");
    assert_eq!(fs::read(place.path("one.octx")).unwrap(), before);
    change(&place.path("two.octx"), |bytes| *bytes.last_mut().unwrap() ^= 1);
    refused("one.octx two.octx three.octx", "two.octx: damaged: the checksum of its contents");
}

#[test]
fn a_database_is_an_index_of_its_planner() {
    let place = small();
    let users = [
        "solve maze.map --from 1,1 --to 48,48",
        "run maze.map",
        "compare maze.map --limit 2 --rounds 1",
        "draw maze.map --from 1,1 --to 48,48 -o search.svg",
    ];
    place.octile("gen scen maze.map --per-bucket 1 -o maze.map.scen").exits(0);
    for user in users {
        place.octile(&format!("{user} --planner cpd --index whole.octx")).exits(0);
    }
    let cost = |args: &str| place.octile(&format!("{} {args} --json", users[0])).exits(0).json()["cost"].clone();
    assert_eq!(cost("--planner cpd --index whole.octx"), cost("--planner astar"));
    let ran = place.octile(&format!("{} --planner cpd:ties=mask --index whole.octx", users[0])).exits(2);
    ran.says("ties=diagonals").says("ties=mask");

    place.octile("build cpd maze.map --sources 5..50 -o part.octx").exits(0);
    fs::copy(place.path("whole.octx"), place.path("flipped.octx")).unwrap();
    change(&place.path("flipped.octx"), |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 16;
    });
    fs::remove_file(place.path("search.svg")).unwrap();
    for user in users {
        let refused = |index: &str| place.octile(&format!("{user} --planner cpd --index {index}")).exits(2);
        refused("part.octx")
            .says("part.octx: is only a part of an index: 5..50 of 2196; put it together with the other parts")
            .says(" by `octile merge PART... -o FILE`");
        refused("flipped.octx")
            .says("flipped.octx: damaged: the checksum of its contents")
            .says("octile build cpd MAP");
        let named = place.octile(&format!("{user} --planner cpd:index=flipped.octx")).exits(2);
        named.says("flipped.octx: damaged: the checksum of its contents");
    }
    assert!(!place.path("search.svg").exists());
}

#[test]
fn kinds_and_sources_are_checked_before_anything_is_built() {
    let place = place_with_ring();
    let refused = |args: &str| place.octile(&format!("build {args} -o a.octx")).exits(2);
    for (sources, part) in [
        ("5..5", "it is empty"),
        ("..0", "it is empty"),
        ("7..3", "it goes backwards: write 3..7"),
        ("3", "expected A..B, A.. or ..B"),
        ("-2..3", "expected A..B, A.. or ..B"),
        ("0..14", "ring.map: --sources 0..14 is out of range: there are 13 sources"),
        ("13..", "--sources 13.. is out of range"),
    ] {
        refused(&format!("cpd ring.map --sources {sources}")).says(part);
    }
    refused("gates ring.map --sources ..3").says("`gates` cannot be built in parts: leave out --sources");
    refused("lddb-tile --sources ..3").says("cannot be built in parts");
    refused("gates:layout=runs ring.map").says("an index of kind `gates` has no settings: write `gates` alone");
    refused("cpd:layout=zip ring.map").says("expected runs, rectangles, quadtree or uncompressed");
    refused("cpd: ring.map").says("nothing after the colon");
    refused("doors:a=b ring.map").says("blocked-areas, gates").says("cpd");
    refused("cpd").says("`cpd` is for one map: write `octile build cpd MAP -o FILE`");
    for jobs in ["0", "1025", "100000", "-1", "many"] {
        refused(&format!("cpd ring.map --jobs {jobs}")).says("expected a whole number from 1 to 1024");
    }
    place.octile("build cpd ring.map -o no/a.octx").exits(2).says("no/a.octx: its directory does not exist");
    place.octile("build cpd ring.map -o .").exits(2).says("it is a directory");
    assert_eq!(place.names(), ["ring.map", "ring.map.scen"]);

    let help = place.octile("build --help").exits(0).prints("cpd:").prints("a compressed path database");
    help.prints("the same command resumes").prints("--sources <A..B>").prints("--jobs <N>");
    place
        .octile("completions bash")
        .exits(0)
        .prints("blocked-areas gates")
        .prints(" cpd hub-labels core-table taut-labels\"")
        .prints("octile,merge");
    let ran =
        place.octile("build cpd:layout=rectangles,ties=mask ring.map -o a.octx --jobs 3 --json").exits(0).silent();
    let ran = ran.json();
    assert_eq!(ran["database"]["settings"], "layout=rectangles,order=dfs,ties=mask,symbol=none");
    assert_eq!((ran.get("chunks"), &ran["database"]["all_sources"]), (None, &json!(13)));
    assert_eq!(place.names(), ["a.octx", "ring.map", "ring.map.scen"]);
}

#[cfg(unix)]
#[test]
fn output_may_go_to_devices_and_links() {
    let place = small();
    let ran = place.command("build cpd maze.map -o /dev/stdout --json").output().unwrap();
    let whole = fs::read(place.path("whole.octx")).unwrap();
    assert!(ran.status.success() && ran.stdout.starts_with(&whole));
    assert_eq!(ran.stdout[whole.len()], b'{');
    #[cfg(target_os = "linux")]
    place.octile("build cpd maze.map --sources ..9 -o /dev/full").exits(2).says("/dev/full");
    fs::create_dir(place.path("far")).unwrap();
    place.write("far/real.octx", "old");
    std::os::unix::fs::symlink("far/real.octx", place.path("a.octx")).unwrap();
    place.octile("build cpd maze.map -o a.octx").exits(0).silent();
    same(&place, "far/real.octx", "whole.octx");
    assert!(fs::symlink_metadata(place.path("a.octx")).unwrap().is_symlink());
    assert_eq!(place.names(), ["a.octx", "far", "maze.map", "whole.octx"]);
    assert_eq!(fs::read_dir(place.path("far")).unwrap().count(), 1);
}
