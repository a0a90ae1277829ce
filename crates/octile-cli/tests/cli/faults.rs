//! Fault injection for every command that writes: each step of its writing fails once, or is its last.
//!
//! A step is a call by which the command changes the disk, or prints (`octile::files::disk`). With the library's
//! feature `faults`, which tests turn on, the environment chooses a step that fails in debug builds
//! (`files/faults.rs`). First, a traced run finds the steps and the final files. Then, at each step:
//!
//! - the disk is full: the command fails, names the file, leaves the old one intact and no temporary file;
//! - a signal interrupts it: this leaves no trace;
//! - the process is killed: the file is either the old or the new one;
//! - before the step, a build is killed or terminated: likewise, and a terminated build leaves no temporary file.
//!
//! After each fault, the same command gives the result of an undisturbed run, byte for byte, and nothing else is left.
//!
//! By default, some steps of each command are tried; all with `OCTILE_FAULTS=all` (CONTRIBUTING.md).

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use octile::Catalog;
use octile::geometry::Dice;
use octile_testkit::process::{Place, Ran};
use rustix::process::Signal;

use crate::{Held, held_before, killed_at, place_with_ring, steps};

/// Whether all steps are tried.
fn is_all() -> bool {
    std::env::var("OCTILE_FAULTS").is_ok_and(|share| share == "all")
}

/// The steps of a command that are tried by default: the first one, and their distance.
#[derive(Clone, Copy)]
struct Share {
    first: usize,
    stride: usize,
}

const ALL: Share = Share { first: 0, stride: 1 };

/// The permissions and bytes of files, by their paths in a place. Bytes that differ between runs are left out.
type Files = BTreeMap<String, (u32, Vec<u8>)>;

/// A command that writes, its place, and its files without a fault.
struct Scene {
    place: Place,
    args: String,
    /// The files before it begins, with old content in each file that it writes.
    before: Files,
    /// The files after it ends.
    after: Files,
    /// The name of each step, in order.
    steps: Vec<String>,
}

impl Scene {
    /// A command in a place, which writes the file or folder `written`.
    fn new(place: Place, args: &str, written: &str) -> Self {
        let new = Self::undisturbed(&place, args);
        let mut before = files(&place);
        // The files of a folder do not exist at first, so both new and replaced files are tested.
        if let Some(file) = before.get_mut(written) {
            *file = (0o640, b"old".to_vec());
        } else {
            before.retain(|path, _| !path.starts_with(&format!("{written}/")));
        }
        assert_ne!(before, new, "octile {args} wrote nothing at {written}");
        Self::from(place, args, before)
    }

    /// As [`new`](Scene::new), starting with these files.
    fn from(place: Place, args: &str, before: Files) -> Self {
        set(&place, &before);
        let steps = steps(&place, args);
        let after = files(&place);
        assert_ne!(before, after, "octile {args}");
        for step in ["Create", "Write", "Rename"] {
            assert!(steps.iter().any(|name| name == step), "octile {args} has no step {step}: {steps:?}");
        }
        Self { place, args: args.to_owned(), before, after, steps }
    }

    fn undisturbed(place: &Place, args: &str) -> Files {
        place.octile(args).exits(0);
        files(place)
    }

    /// Tries all faults at some steps, or at all steps on request, and returns the number of steps.
    fn play(&self, share: Share) -> usize {
        let Share { first, stride } = if is_all() { ALL } else { share };
        let all = self.steps.len();
        let tried: Vec<usize> = (1..=all).skip(first % all).step_by(stride).collect();
        for &step in &tried {
            self.no_space(step);
            self.interrupted(step);
            self.killed(step);
        }
        println!("octile {}: {} faults at {} of {all} steps, none harmful", self.args, 3 * tried.len(), tried.len());
        tried.len()
    }

    /// Describes the fault and the step, for messages.
    fn about(&self, what: &str, step: usize) -> String {
        format!("octile {}: {what} at step {step} of {:?}", self.args, self.steps)
    }

    fn no_space(&self, step: usize) {
        set(&self.place, &self.before);
        let (about, name) = (self.about("no space", step), self.steps[step - 1].as_str());
        let ran = run(&self.place, &self.args, &format!("enospc@{step}"));
        assert_eq!(ran.code, Some(2), "{about}: {}", ran.err);
        assert!(ran.err.starts_with("octile: cannot ") && ran.err.lines().count() == 1, "{about}: {}", ran.err);
        let files = files(&self.place);
        let named = if name == "Print" { "standard output".to_owned() } else { self.written() };
        assert!(ran.err.contains(&named) && ran.err.contains("no storage space"), "{about}: {}", ran.err);
        assert!(temporaries(&files).iter().all(|path| self.before.contains_key(*path)), "{about}: {:?}", files.keys());
        self.old_or_new(&files, &about);
        self.goes_on(&about);
    }

    fn interrupted(&self, step: usize) {
        set(&self.place, &self.before);
        let about = self.about("interrupted", step);
        let ran = run(&self.place, &self.args, &format!("eintr@{step}"));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{about}");
        assert!(files(&self.place) == self.after, "{about}");
    }

    fn killed(&self, step: usize) {
        set(&self.place, &self.before);
        let about = self.about("killed", step);
        assert_eq!(killed_at(&self.place, &self.args, step).signal(), Some(Signal::KILL.as_raw()), "{about}");
        self.old_or_new(&files(&self.place), &about);
        self.goes_on(&about);
    }

    /// The written file or folder: the common start of all paths that differ at the end.
    fn written(&self) -> String {
        let changed = |path: &&String| self.before.get(*path) != self.after.get(*path);
        let first = self.after.keys().find(changed).unwrap();
        first.split('/').next().unwrap().to_owned()
    }

    /// Asserts that every file is the old or the new one, and that there are no others except temporary files and
    /// reusable chunks.
    fn old_or_new(&self, files: &Files, about: &str) {
        for (path, file) in self.before.iter().filter(|(path, _)| !path.contains(".octile-")) {
            assert!(files.contains_key(path) || path.contains(".parts/"), "{about}: {path} is missing");
            let is_whole = files.get(path).is_none_or(|found| found == file || Some(found) == self.after.get(path));
            assert!(is_whole, "{about}: {path} is neither old nor new");
        }
        for (path, file) in files.iter().filter(|(path, _)| !self.before.contains_key(*path)) {
            let is_other = path.contains(".octile-") || path.contains(".parts/");
            assert!(is_other || Some(file) == self.after.get(path), "{about}: {path} is incomplete");
        }
    }

    /// Asserts that the same command now gives its undisturbed result.
    fn goes_on(&self, about: &str) {
        let ran = self.place.octile(&self.args);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{about}");
        let files = files(&self.place);
        assert!(files == self.after, "{about}: then {:?}", files.keys().collect::<Vec<_>>());
    }
}

/// Runs a command with a fault.
fn run(place: &Place, args: &str, fault: &str) -> Ran {
    Ran::new(args, &place.command(args).env("OCTILE_FAULT", fault).output().unwrap())
}

/// All files of a place, those in folders too.
fn files(place: &Place) -> Files {
    let mut files = Files::new();
    collect(&place.path(""), "", &mut files);
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut Files) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            // Record empty folders too.
            files.insert(format!("{name}/"), (0, Vec::new()));
            collect(&path, &format!("{name}/"), files);
        } else {
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
            files.insert(name.clone(), (mode, comparable(&name, fs::read(&path).unwrap())));
        }
    }
}

/// Removes times, in the last column of a table, because they differ between runs.
fn comparable(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    if Path::new(name).extension().is_none_or(|ending| ending != "csv") || bytes == b"old" {
        return bytes;
    }
    let text = String::from_utf8(bytes).unwrap();
    text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect::<String>().into_bytes()
}

/// Replaces the files of a place by these.
fn set(place: &Place, files: &Files) {
    for name in place.names() {
        let path = place.path(&name);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
    for (name, (mode, bytes)) in files {
        let path = place.path(name);
        if name.ends_with('/') {
            fs::create_dir(path).unwrap();
        } else {
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(*mode)).unwrap();
        }
    }
}

/// The temporary files. The lock of a build in chunks does not count: it is in the folder that the next build resumes
/// from.
fn temporaries(files: &Files) -> Vec<&String> {
    files.keys().filter(|path| path.contains(".octile-") && !path.ends_with(".parts/.octile-lock")).collect()
}

/// A place with the ring, a map with some more problems, and one for a database in two chunks.
fn place() -> Place {
    let place = place_with_ring();
    place.octile("gen rooms --width 40 --height 40 --room 8 -o rooms.map").exits(0);
    place.octile("gen scen rooms.map --per-bucket 4 -o rooms.map.scen").exits(0);
    place.octile("gen random --width 36 --height 36 --percent 12 -o chunks.map").exits(0);
    place
}

/// The build of a database in two chunks.
const CHUNKS: &str = "build cpd chunks.map -o a.octx";

/// The builds of all kinds of index, and that of a database in chunks.
fn builds() -> Vec<String> {
    let build = |kind: &str, map: &str| format!("build {kind} {map} -o a.octx --json");
    let catalog = Catalog::standard();
    let kinds = catalog.indexes().iter().map(|index| {
        let map = if index.is_for_all_maps() { "" } else { "ring.map" };
        build(index.kind, map)
    });
    let all: Vec<String> =
        kinds.chain([build("cpd", "chunks.map"), build("cpd --sources 5..1100", "chunks.map")]).collect();
    assert!(all.len() >= 9, "{all:?}");
    all
}

fn play(args: &str, written: &str, share: Share) {
    Scene::new(place(), args, written).play(share);
}

#[test]
fn generated_files_are_complete_whatever_fails() {
    play("gen rooms --width 90 --height 90 -o a.map", "a.map", ALL);
    play("gen noise --width 90 --height 90 -o a.map", "a.map", Share { first: 1, stride: 3 });
    play("gen scen rooms.map -o a.scen", "a.scen", Share { first: 1, stride: 3 });
    play("gen scen rooms.map --changes 1% --batches 3 -o a.scen", "a.scen", Share { first: 2, stride: 3 });
}

#[test]
fn pictures_are_complete_whatever_fails() {
    play("draw ring.map -o a.png", "a.png", Share { first: 0, stride: 3 });
    play("solve rooms.map --from 2,2 --to 30,30 --draw a.svg", "a.svg", Share { first: 1, stride: 3 });
}

#[test]
fn fields_are_complete_whatever_fails() {
    play("field rooms.map --to 2,2 -o a.csv", "a.csv", Share { first: 1, stride: 3 });
    play("field rooms.map --to 2,2 -o a.npy", "a.npy", Share { first: 0, stride: 3 });
    play("field ring.map --to 0,0 -o a.png", "a.png", Share { first: 2, stride: 3 });
}

#[test]
fn reports_are_complete_whatever_fails() {
    play("run rooms.map --paths a.jsonl", "a.jsonl", ALL);
    let place = place();
    place.octile("gen scen rooms.map --changes 1% --batches 3 -o siege.scen").exits(0);
    Scene::new(place, "run siege.scen --paths a.jsonl", "a.jsonl").play(Share { first: 0, stride: 3 });
    let race = "compare rooms.map --planner astar --planner jps --rounds 1 --limit 5 --csv a.csv";
    play(race, "a.csv", Share { first: 1, stride: 3 });
}

#[test]
fn matrices_are_complete_whatever_fails() {
    let place = place();
    place.write("cells.txt", "2,2\n3,2\n2,2\n");
    let args = "matrix rooms.map --sources cells.txt --targets cells.txt -o a.csv --json";
    Scene::new(place, args, "a.csv").play(Share { first: 1, stride: 2 });
}

#[test]
fn manual_pages_are_complete_whatever_fails() {
    play("man pages", "pages", Share { first: 0, stride: 10 });
}

#[test]
fn indexes_are_complete_whatever_fails() {
    for (first, build) in builds().iter().enumerate() {
        play(build, "a.octx", Share { first, stride: usize::MAX });
    }
}

#[test]
fn databases_in_chunks_are_complete_whatever_fails() {
    play(CHUNKS, "a.octx", Share { first: 2, stride: 4 });
}

#[test]
fn merged_parts_are_complete_whatever_fails() {
    let place = place();
    place.octile("build cpd rooms.map --sources ..300 -o one.octx").exits(0);
    place.octile("build cpd rooms.map --sources 300.. -o two.octx").exits(0);
    Scene::new(place, "merge two.octx one.octx -o a.octx", "a.octx").play(Share { first: 1, stride: 2 });
}

#[test]
fn a_resumed_build_may_fail_again() {
    let whole = Scene::new(place(), CHUNKS, "a.octx");
    let renamed = whole.steps.iter().position(|step| step == "Rename").unwrap() + 1;
    set(&whole.place, &whole.before);
    assert_eq!(run(&whole.place, CHUNKS, &format!("kill@{}", renamed + 2)).code, None);
    let half = files(&whole.place);
    let is_half = half.contains_key("a.octx.parts/part-000000000-000001024.octx") && temporaries(&half).len() == 1;
    assert!(is_half, "{:?}", half.keys());
    let again = Scene::from(whole.place, CHUNKS, half);
    assert!(again.after == whole.after && again.steps.len() < whole.steps.len(), "{:?}", again.steps);
    again.play(Share { first: 1, stride: 4 });
}

impl Scene {
    /// Sends a signal while the command waits before a step. Nothing on the disk changes between two steps, so each
    /// step represents every moment since the one before.
    fn ended_before(&self, step: usize, signal: Signal) {
        set(&self.place, &self.before);
        let about = self.about(&format!("{signal:?}"), step);
        let Held { mut child, input } = held_before(&self.place, &self.args, step);
        rustix::process::kill_process(rustix::process::Pid::from_child(&child), signal).unwrap();
        // These steps lock the list of temporary files, so the signal is handled only after the command continues.
        let may_finish = signal != Signal::KILL && ["Create", "Rename", "Remove"].contains(&&*self.steps[step - 1]);
        let input = (!may_finish).then_some(input);
        let status = child.wait().unwrap();
        drop(input);
        let is_ended = status.signal() == Some(signal.as_raw());
        assert!(is_ended || may_finish && status.code() == Some(0), "{about}: {status}");
        let files = files(&self.place);
        if signal != Signal::KILL {
            assert_eq!(temporaries(&files), Vec::<&String>::new(), "{about}");
        }
        self.old_or_new(&files, &about);
        self.goes_on(&about);
    }
}

#[test]
fn builds_may_be_killed_and_interrupted_at_any_moment() {
    let mut dice = Dice::new(1);
    for build in builds().iter().filter(|build| is_all() || build.contains("chunks.map")) {
        let scene = Scene::new(place(), build, "a.octx");
        let all = scene.steps.len();
        for signal in [Signal::KILL, Signal::TERM] {
            let tried: Vec<usize> = if is_all() {
                (1..=all).collect()
            } else {
                (0..3).map(|_| 1 + dice.below(all as u64) as usize).collect()
            };
            for &step in &tried {
                scene.ended_before(step, signal);
            }
            println!("octile {}: {signal:?} before {} of {all} steps, none harmful", scene.args, tried.len());
        }
    }
}

/// Code that writes without a step would escape these tests, so there must be none.
#[test]
fn every_change_of_the_disk_is_a_step() {
    const CALLS: [&str; 8] = [
        "fs::write(",
        "fs::rename(",
        "fs::copy(",
        "fs::remove_",
        "fs::create_dir",
        " File::create(",
        "File::options(",
        ".set_permissions(",
    ];
    let mut found = 0;
    let mut folders =
        ["src", "../octile/src"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            // These remove and lock leftovers, or implement the faults.
            let is_exempt = path.ends_with("files/temporary.rs") || path.ends_with("files/faults.rs");
            let is_code = |line: &&str| !is_exempt && !line.trim_start().starts_with("//");
            for line in text.split("#[cfg(test)]").next().unwrap().lines().filter(is_code) {
                if CALLS.iter().any(|call| line.contains(call)) {
                    assert!(line.contains("disk::step("), "{}: `{}` is no step", path.display(), line.trim());
                    found += 1;
                }
            }
        }
    }
    assert!(found >= 5, "only {found} steps were found");
}
