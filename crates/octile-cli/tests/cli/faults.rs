//! Every command that writes, while every step of its writing fails once, or is its last.
//!
//! A step is a call by which the command changes the disk, or prints (`octile::files::disk`); with the library's feature `faults`, which
//! tests turn on, debug builds let the environment choose one that fails (`files/faults.rs`). First a run is traced: that tells how many steps there are, and what is there at the end. Then, at
//! each step:
//!
//! - the disk is full: the command fails, names the file, leaves the old one whole and no temporary file;
//! - a signal interrupts it: nobody can tell afterwards;
//! - the process is killed: the old file is whole, or the new one is.
//!
//! After each, the same command gives what an undisturbed run gives, byte for byte, and nothing else is left.
//!
//! Some steps of each command are tried always, all with `OCTILE_FAULTS=all`, which also has every build killed and interrupted a hundred
//! times at random moments (CONTRIBUTING.md).

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use octile::{Catalog, Dice};
use octile_testkit::process::{Place, Ran};
use rustix::process::Signal;

use crate::{end, place_with_ring};

/// How often each build is killed, and interrupted, at random moments.
const KILLS: u32 = 100;

/// Whether all is tried that there is to try.
fn is_all() -> bool {
    std::env::var("OCTILE_FAULTS").is_ok_and(|share| share == "all")
}

/// Which steps of a command are tried always: from one on, and how far apart.
#[derive(Clone, Copy)]
struct Share {
    first: usize,
    stride: usize,
}

const ALL: Share = Share { first: 0, stride: 1 };

/// Files by their paths in a place: their permissions and bytes. What cannot be the same in two runs is left out of the bytes.
type Files = BTreeMap<String, (u32, Vec<u8>)>;

/// A command that writes, where it runs, and what comes of it when nothing goes wrong.
struct Scene {
    place: Place,
    args: String,
    /// What is there when it begins, with something old at each file that it writes.
    before: Files,
    /// What is there when it is done.
    after: Files,
    /// The name of each step, in order.
    steps: Vec<String>,
}

impl Scene {
    /// A command in a place, which writes this file or folder.
    fn new(place: Place, args: &str, written: &str) -> Self {
        let new = Self::undisturbed(&place, args);
        let mut before = files(&place);
        // The files of a folder are not there at first: so new ones and those that are replaced are both tried.
        if let Some(file) = before.get_mut(written) {
            *file = (0o640, b"old".to_vec());
        } else {
            before.retain(|path, _| !path.starts_with(&format!("{written}/")));
        }
        assert_ne!(before, new, "octile {args} wrote nothing at {written}");
        Self::from(place, args, before)
    }

    /// As [`new`](Scene::new), beginning with these files.
    fn from(place: Place, args: &str, before: Files) -> Self {
        set(&place, &before);
        let trace = tempfile::NamedTempFile::new().unwrap();
        let fault = format!("trace@{}", trace.path().display());
        run(&place, args, &fault).exits(0);
        let steps: Vec<String> = fs::read_to_string(&trace).unwrap().lines().map(str::to_owned).collect();
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

    /// Tries all faults at some steps, or at all if all are asked for, and gives how many.
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

    /// What was done when, for messages.
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
        let mut command = self.place.command(&self.args);
        let status = command.env("OCTILE_FAULT", format!("kill@{step}")).stdout(Stdio::null()).status().unwrap();
        assert_eq!(status.signal(), Some(Signal::KILL.as_raw()), "{about}");
        self.old_or_new(&files(&self.place), &about);
        self.goes_on(&about);
    }

    /// The file or folder that is written: all that is not the same at the end, up to where it differs.
    fn written(&self) -> String {
        let changed = |path: &&String| self.before.get(*path) != self.after.get(*path);
        let first = self.after.keys().find(changed).unwrap();
        first.split('/').next().unwrap().to_owned()
    }

    /// Asserts that every file is as before or as after, and that there are no others but temporary ones and chunks that will be used.
    fn old_or_new(&self, files: &Files, about: &str) {
        for (path, file) in self.before.iter().filter(|(path, _)| !path.contains(".octile-")) {
            assert!(files.contains_key(path) || path.contains(".parts/"), "{about}: {path} is gone");
            let is_whole = files.get(path).is_none_or(|found| found == file || Some(found) == self.after.get(path));
            assert!(is_whole, "{about}: {path} is neither old nor new");
        }
        for (path, file) in files.iter().filter(|(path, _)| !self.before.contains_key(*path)) {
            let is_other = path.contains(".octile-") || path.contains(".parts/");
            assert!(is_other || Some(file) == self.after.get(path), "{about}: {path} is half a file");
        }
    }

    /// Asserts that the same command now does what it does undisturbed.
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
            // An empty folder is to be seen as well.
            files.insert(format!("{name}/"), (0, Vec::new()));
            collect(&path, &format!("{name}/"), files);
        } else {
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
            files.insert(name.clone(), (mode, comparable(&name, fs::read(&path).unwrap())));
        }
    }
}

/// Times, in the last column of a table of them, are never the same.
fn comparable(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    if Path::new(name).extension().is_none_or(|ending| ending != "csv") || bytes == b"old" {
        return bytes;
    }
    let text = String::from_utf8(bytes).unwrap();
    text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect::<String>().into_bytes()
}

/// Makes the files of a place these.
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

/// What is there of temporary files. The lock of a build in chunks is none: it lies in the folder that waits for the build to go on.
fn temporaries(files: &Files) -> Vec<&String> {
    files.keys().filter(|path| path.contains(".octile-") && !path.ends_with(".parts/.octile-lock")).collect()
}

/// The ring, a map with some more problems, and one for a database in two chunks.
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
fn generated_files_are_whole_whatever_fails() {
    play("gen rooms --width 90 --height 90 -o a.map", "a.map", ALL);
    play("gen noise --width 90 --height 90 -o a.map", "a.map", Share { first: 1, stride: 3 });
    play("gen scen rooms.map -o a.scen", "a.scen", Share { first: 1, stride: 3 });
    play("gen scen rooms.map --changes 1% --batches 3 -o a.scen", "a.scen", Share { first: 2, stride: 3 });
}

#[test]
fn pictures_are_whole_whatever_fails() {
    play("draw ring.map -o a.png", "a.png", Share { first: 0, stride: 3 });
    play("solve rooms.map --from 2,2 --to 30,30 --draw a.svg", "a.svg", Share { first: 1, stride: 3 });
}

#[test]
fn fields_are_whole_whatever_fails() {
    play("field rooms.map --to 2,2 -o a.csv", "a.csv", Share { first: 1, stride: 3 });
    play("field rooms.map --to 2,2 -o a.npy", "a.npy", Share { first: 0, stride: 3 });
    play("field ring.map --to 0,0 -o a.png", "a.png", Share { first: 2, stride: 3 });
}

#[test]
fn reports_are_whole_whatever_fails() {
    play("run rooms.map --paths a.jsonl", "a.jsonl", ALL);
    let place = place();
    place.octile("gen scen rooms.map --changes 1% --batches 3 -o siege.scen").exits(0);
    Scene::new(place, "run siege.scen --paths a.jsonl", "a.jsonl").play(Share { first: 0, stride: 3 });
    let race = "compare rooms.map --planner astar --planner jps --rounds 1 --limit 5 --csv a.csv";
    play(race, "a.csv", Share { first: 1, stride: 3 });
}

#[test]
fn matrices_are_whole_whatever_fails() {
    let place = place();
    place.write("cells.txt", "2,2\n3,2\n2,2\n");
    let args = "matrix rooms.map --sources cells.txt --targets cells.txt -o a.csv --json";
    Scene::new(place, args, "a.csv").play(Share { first: 1, stride: 2 });
}

#[test]
fn manual_pages_are_whole_whatever_fails() {
    play("man pages", "pages", Share { first: 0, stride: 10 });
}

#[test]
fn indexes_are_whole_whatever_fails() {
    for (first, build) in builds().iter().enumerate() {
        play(build, "a.octx", Share { first, stride: usize::MAX });
    }
}

#[test]
fn databases_in_chunks_are_whole_whatever_fails() {
    play(CHUNKS, "a.octx", Share { first: 2, stride: 4 });
}

#[test]
fn merged_parts_are_whole_whatever_fails() {
    let place = place();
    place.octile("build cpd rooms.map --sources ..300 -o one.octx").exits(0);
    place.octile("build cpd rooms.map --sources 300.. -o two.octx").exits(0);
    Scene::new(place, "merge two.octx one.octx -o a.octx", "a.octx").play(Share { first: 1, stride: 2 });
}

#[test]
fn a_build_that_goes_on_may_fail_again() {
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

/// A build that is ended at random moments.
struct Ended {
    tried: u32,
    /// How often there was a file that is neither the old nor the new one, or another result afterwards.
    wrong: Vec<String>,
    /// How often it was ended before it was done.
    early: u32,
}

impl Scene {
    fn end_at_random(&self, signal: Signal, times: u32, dice: &mut Dice) -> Ended {
        let whole = (0..5).map(|_| self.time()).min().unwrap_or_default();
        let mut ended = Ended { tried: times, wrong: Vec::new(), early: 0 };
        for time in 0..times {
            set(&self.place, &self.before);
            // The first at once: at least that one is early.
            let wait = whole.mul_f64(if time == 0 { 0.0 } else { dice.below(1000) as f64 / 900.0 });
            let status = self.end_after(wait, signal);
            ended.early += u32::from(status.signal() == Some(signal.as_raw()));
            let about = format!("octile {}: {signal:?} after {wait:?} of {whole:?}", self.args);
            ended.wrong.extend(self.fault_after(signal, status, &about).err());
        }
        ended
    }

    /// How long the command takes undisturbed.
    fn time(&self) -> Duration {
        set(&self.place, &self.before);
        let clock = Instant::now();
        self.place.octile(&self.args).exits(0);
        clock.elapsed()
    }

    /// Starts the command, and sends it a signal.
    fn end_after(&self, wait: Duration, signal: Signal) -> ExitStatus {
        let mut child = self.place.command(&self.args).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(wait);
        end(&mut child, signal)
    }

    /// What is wrong after a signal, and after the command that follows.
    fn fault_after(&self, signal: Signal, status: ExitStatus, about: &str) -> Result<(), String> {
        let check = || {
            assert!(status.signal() == Some(signal.as_raw()) || status.code() == Some(0), "{about}: {status}");
            let files = files(&self.place);
            if signal != Signal::KILL {
                assert_eq!(temporaries(&files), Vec::<&String>::new(), "{about}");
            }
            self.old_or_new(&files, about);
            self.goes_on(about);
        };
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).map_err(|_| about.to_owned())
    }
}

#[test]
fn builds_may_be_killed_and_interrupted_at_any_moment() {
    let times = if is_all() { KILLS } else { 3 };
    let mut dice = Dice::new(1);
    let (mut tried, mut early, mut wrong) = (0, 0, Vec::new());
    for build in builds().iter().filter(|build| is_all() || build.contains("chunks.map")) {
        // On a map that takes long enough for the command to be met while it is at work.
        let place = place();
        place.octile("gen rooms --width 200 --height 200 -o large.map").exits(0);
        let map = if build.contains("cpd") { "rooms.map" } else { "large.map" };
        let scene = Scene::new(place, &build.replace("ring.map", map), "a.octx");
        for signal in [Signal::KILL, Signal::TERM] {
            let ended = scene.end_at_random(signal, times, &mut dice);
            println!(
                "{}: {signal:?} {} times, {} of them early, {} wrong",
                scene.args,
                ended.tried,
                ended.early,
                ended.wrong.len()
            );
            let least = if is_all() { times / 5 } else { 1 };
            assert!(ended.early >= least, "only {} were at work when they were ended", ended.early);
            (tried, early) = (tried + ended.tried, early + ended.early);
            wrong.extend(ended.wrong);
        }
    }
    println!("{tried} in all, {early} of them early, {} wrong", wrong.len());
    assert_eq!(wrong, Vec::<String>::new());
}

/// What is written around the steps is not tried here: there must be none.
#[test]
fn all_that_changes_the_disk_is_a_step() {
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
            // These remove and lock what is left behind, or are the faults themselves.
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
