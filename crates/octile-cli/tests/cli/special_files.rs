//! Pipes and devices in place of files: every command refuses them at once, and suggests standard input.

use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::{fs, io};

use octile_testkit::process::{Place, RING, RING_SCEN, Ran, wait_until};

use crate::{piped, place_with_ring};

/// A place with the files of the ring and a pipe without a writer.
fn place_with_pipe(pipe: &str) -> Place {
    let place = place_with_ring();
    let made = Command::new("mkfifo").arg(place.path(pipe)).status().unwrap();
    assert!(made.success());
    place
}

/// Runs a command that must end without waiting.
fn at_once(place: &Place, args: &str) -> Ran {
    let mut child = place.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(&format!("octile {args} ends"), || child.try_wait().unwrap().is_some());
    Ran::new(args, &child.wait_with_output().unwrap())
}

#[test]
fn maps_are_read_only_from_files_and_standard_input() {
    let place = place_with_pipe("pipe.map");
    for (file, what) in [("pipe.map", "is a pipe"), ("/dev/zero", "is a device"), ("/dev/null", "is a device")] {
        for command in [
            "solve FILE --from 0,0 --to 1,1",
            "run FILE ring.map.scen",
            "info FILE",
            "draw FILE",
            "advise FILE",
            "gen scen FILE",
            "build gates FILE -o a.octx",
        ] {
            let ran = at_once(&place, &command.replace("FILE", file)).exits(2);
            let message = format!("{file}: {what}, not a regular file: ");
            ran.says(&message).says(&format!("pipe it to `-`, as in `octile info - < {file}`"));
        }
    }
    assert_eq!(place.names(), ["pipe.map", "ring.map", "ring.map.scen"]);
    piped(&place, "info -", RING).exits(0).silent().prints("6 x 3 cells");
}

#[test]
fn links_to_files_are_files() {
    let place = place_with_ring();
    std::os::unix::fs::symlink("ring.map", place.path("link.map")).unwrap();
    place.octile("info link.map").exits(0).silent().prints("6 x 3 cells");
    std::os::unix::fs::symlink("/dev/zero", place.path("zero.map")).unwrap();
    at_once(&place, "info zero.map").exits(2).says("zero.map: is a device");
}

#[test]
fn scenarios_indexes_and_images_are_read_only_from_files() {
    let place = place_with_pipe("pipe");
    fs::write(place.path("room.yaml"), ROOM).unwrap();
    for command in [
        "run ring.map FILE",
        "solve ring.map --from 0,0 --to 3,2 --planner jps:prune=gates --index FILE",
        "solve ring.map --from 0,0 --to 3,2 --planner jps:prune=gates,index=FILE",
        "merge FILE -o a.octx",
    ] {
        for (file, what) in [("pipe", "is a pipe"), ("/dev/zero", "is a device")] {
            let ran = at_once(&place, &command.replace("FILE", file)).exits(2);
            let ran = ran.says(&format!("{file}: {what}, not a regular file: copy it to a file first"));
            assert!(!ran.err.contains("`-`"), "{}", ran.err);
        }
    }
    at_once(&place, "info room.yaml").exits(2).says("its image pipe: is a pipe, not a regular file: copy it to a file");
}

const ROOM: &str =
    "image: pipe\nresolution: 0.05\norigin: [0.0, 0.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";

/// The output for these problems is many times as long as a pipe's buffer.
const PROBLEMS: usize = 12_000;

/// Solves problems with a database whose file is truncated meanwhile. The paths go to a pipe. The command opens it
/// after the database, and cannot solve most of the problems before the test reads the pipe.
fn cut_short(place: &Place, args: &str) -> ExitStatus {
    fs::copy(place.path("whole.octx"), place.path("a.octx")).unwrap();
    let command = format!("run ring.map many.scen --paths pipe {args}");
    let mut child = place.command(&command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pipe = place.path("pipe");
    let opening = thread::spawn(|| fs::File::open(pipe).unwrap());
    wait_until("the command opens the pipe", || {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it wrote a path");
        opening.is_finished()
    });
    fs::File::options().write(true).open(place.path("a.octx")).unwrap().set_len(0).unwrap();
    let paths = io::read_to_string(opening.join().unwrap()).unwrap();
    let status = child.wait().unwrap();
    assert!(!status.success() || paths.lines().count() == PROBLEMS, "{} paths", paths.lines().count());
    status
}

#[test]
fn an_index_that_is_read_does_not_depend_on_its_file() {
    let place = place_with_pipe("pipe");
    place.octile("build cpd ring.map -o whole.octx").exits(0);
    let (head, problems) = RING_SCEN.split_once('\n').unwrap();
    place.write("many.scen", format!("{head}\n{}", problems.repeat(PROBLEMS / 3)));
    for planner in ["--planner cpd --index a.octx", "--planner cpd:index=a.octx"] {
        assert_eq!(cut_short(&place, &format!("{planner} --read-index")).code(), Some(0), "{planner}");
        #[cfg(target_os = "linux")]
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&cut_short(&place, planner)),
            Some(7),
            "as documented"
        );
    }
}
