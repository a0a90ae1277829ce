//! Files left by interrupted or killed commands, how the next command treats them, and the permissions of new files.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use octile_testkit::process::{Place, wait_until};
use rustix::process::Signal;

use crate::{end, place, place_with_ring};

/// Starts `octile run`, which writes paths into `paths.jsonl`, and waits until its temporary file exists. Almost all of
/// its work is still to do then.
fn started(place: &Place, prefix: &[&str]) -> Child {
    let octile = env!("CARGO_BIN_EXE_octile");
    let mut words: Vec<&str> = prefix.to_vec();
    words.extend([octile, "run", "long.map", "--planner", "dijkstra", "--paths", "paths.jsonl"]);
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(place.path("")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    wait_until("the temporary file exists", || {
        assert_eq!(child.try_wait().unwrap(), None, "it must still be running");
        !temporaries(&place.path("")).is_empty()
    });
    child
}

/// A place with files for which `octile run` takes long.
fn place_of_long_work() -> Place {
    let place = place();
    place.octile("gen open --width 700 --height 700 -o long.map").exits(0);
    let line = "0\tlong.map\t700\t700\t0\t0\t699\t699\t988.53543305\n";
    place.write("long.map.scen", format!("version 1\n{}", line.repeat(4000)));
    place.write("paths.jsonl", "old");
    place
}

fn temporaries(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".octile-")).collect()
}

/// The signals on which a command removes its files, except those that this process ignores, as background jobs do:
/// commands inherit that. If the system does not tell, a hangup is left out.
pub(crate) fn signals() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |bits| u64::from_str_radix(bits.trim(), 16).unwrap());
    let ignored = if status.is_empty() { 1 << (Signal::HUP.as_raw() - 1) } else { ignored };
    let all = [Signal::TERM, Signal::INT, Signal::HUP];
    all.into_iter().filter(|signal| ignored >> (signal.as_raw() - 1) & 1 == 0).collect()
}

#[test]
fn an_interrupted_command_leaves_nothing_behind() {
    let place = place_of_long_work();
    assert!(signals().contains(&Signal::TERM));
    for signal in signals() {
        let mut child = started(&place, &[]);
        // The process ends by the signal, which shells report as 128 plus its number.
        assert_eq!(end(&mut child, signal).signal(), Some(signal.as_raw()));
        assert_eq!(place.names(), ["long.map", "long.map.scen", "paths.jsonl"], "{signal:?}");
        assert_eq!(place.read("paths.jsonl"), "old");
    }
    // Tries for up to five minutes.
    let has_begun = "tries=30000; until ls .octile-* || [ $tries = 0 ]; do tries=$((tries - 1)); sleep 0.01; done";
    let octile = env!("CARGO_BIN_EXE_octile");
    let shell =
        format!("{octile} run long.map --planner dijkstra --paths paths.jsonl & {has_begun}; kill -15 $!; wait $!");
    let status = Command::new("sh")
        .args(["-c", &shell])
        .current_dir(place.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert_eq!(status.unwrap().code(), Some(143));
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let place = place_of_long_work();
    let mut child = started(&place, &["nohup"]);
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
    assert_eq!(ignored >> (Signal::HUP.as_raw() - 1) & 1, 1, "the system discards a hangup: {status}");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), Signal::HUP).unwrap();
    assert_eq!(child.try_wait().unwrap(), None, "under nohup a hangup has no effect");
    // If it handled the hangup, that one would end it first.
    assert_eq!(end(&mut child, Signal::TERM).signal(), Some(Signal::TERM.as_raw()));
}

#[cfg(debug_assertions)]
#[test]
fn an_interrupted_build_in_chunks_resumes() {
    let place = place();
    place.octile("gen maze --width 50 --height 50 --corridor 8 -o maze.map").exits(0);
    let steps = crate::steps(&place, "build cpd maze.map -o whole.octx");
    // The signal arrives while it writes the last of three parts.
    let step = crate::nth_rename(&steps, 2) + 2;
    assert_eq!(steps[step - 1], "Write");
    let crate::Held { mut child, input } = crate::held_before(&place, "build cpd maze.map -o a.octx", step);
    assert_eq!(temporaries(&place.path("a.octx.parts")).len(), 2, "the lock and the part");
    let signal = signals().pop().unwrap();
    assert_eq!(end(&mut child, signal).signal(), Some(signal.as_raw()));
    drop(input);
    assert_eq!(temporaries(&place.path("a.octx.parts")), [".octile-lock"]);
    assert!(place.path("a.octx.parts/part-000001024-000002048.octx").exists());
    place.octile("build cpd maze.map -o a.octx").exits(0).silent().prints("(resumed: 2 of 3 ");
    assert!(fs::read(place.path("a.octx")).unwrap() == fs::read(place.path("whole.octx")).unwrap());
    assert_eq!(place.names(), ["a.octx", "maze.map", "whole.octx"]);
}

#[test]
fn leftovers_of_a_killed_command_are_removed_but_not_files_of_a_running_one() {
    let place = place_of_long_work();
    let mut child = started(&place, &[]);
    let living = temporaries(&place.path(""));
    assert_eq!(living.len(), 1);
    place.write("paths.jsonl", "older");
    place.octile("gen open --width 3 --height 2 -o a.map").exits(0).silent();
    assert_eq!(temporaries(&place.path("")), living, "its writer is alive");
    assert_eq!(end(&mut child, Signal::KILL).signal(), Some(Signal::KILL.as_raw()));
    assert_eq!(temporaries(&place.path("")), living, "its lock protects it");
    // Neither name belongs to a temporary file of this command.
    place.write(".octile-notes.txt", "mine");
    fs::create_dir(place.path(".octile-folder")).unwrap();
    place.octile("gen open --width 3 --height 2 -o a.map").exits(0).silent();
    assert_eq!(
        place.names(),
        [".octile-folder", ".octile-notes.txt", "a.map", "long.map", "long.map.scen", "paths.jsonl"]
    );
    assert_eq!(place.read("paths.jsonl"), "older");
}

#[test]
fn a_locked_file_with_the_name_of_a_temporary_is_kept() {
    let place = place();
    place.write(".octile-aB3xYz", "half");
    let lock = File::open(place.path(".octile-aB3xYz")).unwrap();
    lock.lock().unwrap();
    place.octile("gen open --width 3 --height 2 -o a.map").exits(0);
    assert_eq!(place.names(), [".octile-aB3xYz", "a.map"]);
    drop(lock);
    place.octile("gen open --width 3 --height 2 -o a.map").exits(0);
    assert_eq!(place.names(), ["a.map"]);
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    let place = place_with_ring();
    let mode = |name: &str| fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o7777;
    place.octile("gen open --width 3 --height 2 -o a.map").exits(0);
    place.write("plain", "");
    assert_eq!(mode("a.map"), mode("plain"), "a new file has the usual permissions");
    for wanted in [0o600, 0o640, 0o444, 0o777, 0o400] {
        fs::set_permissions(place.path("a.map"), Permissions::from_mode(wanted)).unwrap();
        place.octile(&format!("gen open --width 3 --height {wanted} -o a.map")).exits(0);
        assert_eq!(mode("a.map"), wanted, "{:o} became {:o}", wanted, mode("a.map"));
        assert!(place.read("a.map").contains(&format!("height {wanted}\n")));
    }
    std::os::unix::fs::symlink("a.map", place.path("link.map")).unwrap();
    fs::set_permissions(place.path("a.map"), Permissions::from_mode(0o600)).unwrap();
    place.octile("gen open --width 5 --height 5 -o link.map").exits(0);
    assert_eq!((mode("a.map"), fs::symlink_metadata(place.path("link.map")).unwrap().is_symlink()), (0o600, true));
}
