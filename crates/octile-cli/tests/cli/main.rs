//! The command as a process: what it prints where, and with which code it exits.

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
use std::process::Stdio;
#[cfg(unix)]
use std::process::{Child, ExitStatus};

use octile_testkit::process::{Place, RING, RING_SCEN, Ran};

/// An empty directory for the command.
fn place() -> Place {
    Place::new(env!("CARGO_BIN_EXE_octile"))
}

/// One with the files `ring.map` and `ring.map.scen`.
fn place_with_ring() -> Place {
    let place = place();
    place.write("ring.map", RING);
    place.write("ring.map.scen", RING_SCEN);
    place
}

/// Runs the command with something on standard input.
fn piped(place: &Place, args: &str, input: impl AsRef<[u8]>) -> Ran {
    let mut command = place.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that fails early does not read all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    Ran::new(args, &child.wait_with_output().unwrap())
}

/// Sends a signal to a command, and gives what it ended with.
#[cfg(unix)]
fn end(child: &mut Child, signal: rustix::process::Signal) -> ExitStatus {
    // One that is done is waited for all the same: until then its number is nobody else's.
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
    child.wait().unwrap()
}
