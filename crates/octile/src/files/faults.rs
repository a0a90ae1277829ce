//! Deliberate faults, for tests of programs that write: one of their [steps](super::disk::Step) fails, or ends the
//! process.
//!
//! The environment variable `OCTILE_FAULT` selects the fault; the steps of a process are counted from 1.
//!
//! - `enospc@N`: at step N the disk is full. If it is a write, half of its bytes are written.
//! - `eintr@N`: a signal interrupts step N before it does anything.
//! - `kill@N`: the process is killed at step N, as by `kill -9`; if the step is a write, in the middle of it.
//! - `hold@N`: before step N the process writes the line `held` to standard error and waits until standard input ends.
//!   A test can then send it a signal, or change a file, at a known moment.
//! - `trace@FILE`: nothing fails; the name of each step is appended to the file as a line.
//!
//! Builds without debug assertions, such as releases, or without the feature `faults` contain none of this.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::disk::Step;

/// The fault and its step.
enum Plan {
    Fault(Fault, u64),
    Hold(u64),
    Trace(File),
}

/// A fault of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NoSpace,
    Interrupted,
    Killed,
}

static PLAN: LazyLock<Option<Plan>> = LazyLock::new(|| {
    let text = std::env::var("OCTILE_FAULT").ok()?;
    let plan = parse(&text);
    assert!(plan.is_some(), "OCTILE_FAULT={text}: expected enospc@N, eintr@N, kill@N, hold@N or trace@FILE");
    plan
});

static STEPS: AtomicU64 = AtomicU64::new(0);

fn parse(text: &str) -> Option<Plan> {
    let (kind, at) = text.split_once('@')?;
    let fault = match kind {
        "enospc" => Fault::NoSpace,
        "eintr" => Fault::Interrupted,
        "kill" => Fault::Killed,
        "hold" => return at.parse().ok().map(Plan::Hold),
        "trace" => return File::options().create(true).append(true).open(at).ok().map(Plan::Trace),
        _ => return None,
    };
    Some(Plan::Fault(fault, at.parse().ok()?))
}

/// Counts a step, and returns its fault, if any.
pub(super) fn at(step: Step) -> Option<Fault> {
    match PLAN.as_ref()? {
        Plan::Fault(fault, at) => (count() == *at).then_some(*fault),
        Plan::Hold(at) => {
            if count() == *at {
                hold(io::stderr(), io::stdin());
            }
            None
        }
        Plan::Trace(file) => {
            let mut file: &File = file;
            writeln!(file, "{step:?}").expect("the steps are traced to a file that can be written");
            None
        }
    }
}

/// The number of this step.
fn count() -> u64 {
    STEPS.fetch_add(1, Ordering::Relaxed) + 1
}

/// Reports that the process waits, and waits until the input ends.
fn hold(mut out: impl Write, mut input: impl Read) {
    writeln!(out, "held").expect("a test waits for this line");
    io::copy(&mut input, &mut io::sink()).expect("the input can be read to its end");
}

impl Fault {
    /// The error of the failed step, unless the fault ends the process.
    pub(super) fn strike(self) -> io::Error {
        match self {
            Self::NoSpace => ErrorKind::StorageFull.into(),
            Self::Interrupted => ErrorKind::Interrupted.into(),
            Self::Killed => die(),
        }
    }

    /// Like [`strike`](Fault::strike), in the middle of a write.
    pub(super) fn strike_within(self, mut sink: impl Write, bytes: &[u8]) -> io::Error {
        if self != Self::Interrupted {
            let half = sink.write_all(&bytes[..bytes.len() / 2]).and_then(|()| sink.flush());
            half.expect("half of the bytes can be written before the fault");
        }
        self.strike()
    }
}

#[cfg(unix)]
fn die() -> ! {
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    unreachable!("this signal ends every process")
}

#[cfg(not(unix))]
fn die() -> ! {
    std::process::abort()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_a_kind_and_a_step() {
        let fault = |text: &str| match parse(text) {
            Some(Plan::Fault(fault, at)) => Some((fault, at)),
            _ => None,
        };
        assert_eq!(fault("enospc@17"), Some((Fault::NoSpace, 17)));
        assert_eq!(fault("eintr@1"), Some((Fault::Interrupted, 1)));
        assert_eq!(fault("kill@2"), Some((Fault::Killed, 2)));
        assert!(matches!(parse("hold@3"), Some(Plan::Hold(3))));
        for wrong in ["", "kill", "kill@", "kill@x", "fire@1", "enospc@-1"] {
            assert_eq!(fault(wrong), None, "{wrong}");
        }
        assert!(parse("hold@x").is_none());
    }

    #[test]
    fn a_held_process_reports_it_before_reading_to_the_end() {
        let (mut out, mut input) = (Vec::new(), &b"ignored"[..]);
        hold(&mut out, &mut input);
        assert_eq!((&out[..], input.len()), (&b"held\n"[..], 0));
    }

    #[test]
    fn a_full_disk_takes_half_of_a_write() {
        let mut sink = Vec::new();
        assert_eq!(Fault::NoSpace.strike_within(&mut sink, b"abcdef").kind(), ErrorKind::StorageFull);
        assert_eq!(Fault::Interrupted.strike_within(&mut sink, b"abcdef").kind(), ErrorKind::Interrupted);
        assert_eq!(sink, b"abc");
    }
}
