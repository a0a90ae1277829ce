//! Runs the command as a process and checks its output and exit codes.

mod advise;
mod bad_input;
mod build_cpd;
mod build_hub_labels;
mod compare;
mod dynamic;
#[cfg(unix)]
mod examples;
#[cfg(all(unix, debug_assertions))]
mod faults;
mod field;
mod files;
mod index;
#[cfg(unix)]
mod interrupts;
mod matrix;
mod play;
mod prices;
mod questions;
mod run;
mod solve;
#[cfg(unix)]
mod special_files;
#[cfg(target_os = "linux")]
mod terminal;

use std::io::Write;
#[cfg(debug_assertions)]
use std::process::ChildStdin;
use std::process::Stdio;
#[cfg(any(unix, debug_assertions))]
use std::process::{Child, ExitStatus};

use octile_testkit::process::{Place, RING, RING_SCEN, Ran};

/// An empty directory for the command.
fn place() -> Place {
    Place::new(env!("CARGO_BIN_EXE_octile"))
}

/// A directory with the files `ring.map` and `ring.map.scen`.
fn place_with_ring() -> Place {
    let place = place();
    place.write("ring.map", RING);
    place.write("ring.map.scen", RING_SCEN);
    place
}

/// Runs the command with `input` on standard input.
fn piped(place: &Place, args: &str, input: impl AsRef<[u8]>) -> Ran {
    let mut command = place.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that fails early does not read all of the input.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    Ran::new(args, &child.wait_with_output().unwrap())
}

/// Sends a signal to a command and returns its exit status.
#[cfg(unix)]
fn end(child: &mut Child, signal: rustix::process::Signal) -> ExitStatus {
    // A process that has ended keeps its id until it is waited for.
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
    child.wait().unwrap()
}

/// The names of a command's writing steps, in order (`files/faults.rs` of the library).
#[cfg(debug_assertions)]
fn steps(place: &Place, args: &str) -> Vec<String> {
    let trace = tempfile::NamedTempFile::new().unwrap();
    let fault = format!("trace@{}", trace.path().display());
    Ran::new(args, &place.command(args).env("OCTILE_FAULT", fault).output().unwrap()).exits(0);
    std::fs::read_to_string(&trace).unwrap().lines().map(str::to_owned).collect()
}

/// The index of the step that renames the `nth` file to its final name.
#[cfg(debug_assertions)]
fn nth_rename(steps: &[String], nth: usize) -> usize {
    1 + steps.iter().enumerate().filter(|(_, step)| *step == "Rename").nth(nth - 1).unwrap().0
}

/// Runs a command that gets killed at one of its steps.
#[cfg(debug_assertions)]
fn killed_at(place: &Place, args: &str, step: usize) -> ExitStatus {
    place.command(args).env("OCTILE_FAULT", format!("kill@{step}")).stdout(Stdio::null()).status().unwrap()
}

/// A command that waits before one of its steps until `input` is dropped. [`Child::wait`] alone does not let it
/// continue.
#[cfg(debug_assertions)]
struct Held {
    child: Child,
    input: ChildStdin,
}

/// Starts a command, and returns when it has reached a step.
#[cfg(debug_assertions)]
fn held_before(place: &Place, args: &str, step: usize) -> Held {
    use std::io::Read;
    let mut command = place.command(args);
    command.env("OCTILE_FAULT", format!("hold@{step}"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take().unwrap();
    let mut line = [0; 5];
    let said = child.stderr.as_mut().unwrap().read_exact(&mut line);
    assert!(said.is_ok() && line == *b"held\n", "octile {args} did not come to step {step}: {}", line.escape_ascii());
    Held { child, input }
}
