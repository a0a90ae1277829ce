//! Runs a command as a process in its own directory, and checks what it prints and its exit code.

#![allow(
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "a test fails by a panic"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Two components: a ring of ten cells around a wall, and a column behind another.
pub const RING: &str = "type octile\nheight 3\nwidth 6\nmap\n....@.\n.@@.@.\n....@.\n";

/// Three problems on [`RING`], the last unreachable.
pub const RING_SCEN: &str = "version 1\n\
    0\tring.map\t6\t3\t0\t0\t3\t2\t5\n\
    0\tring.map\t6\t3\t0\t0\t3\t0\t3\n\
    0\tring.map\t6\t3\t0\t0\t5\t2\t0\n";

/// How long a test waits for an event that must happen. Only a hang takes this long, on any machine.
pub const WATCHDOG: Duration = Duration::from_mins(5);

/// Waits until `holds` returns true.
///
/// # Panics
/// After [`WATCHDOG`], with a message that says what it waited for.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let clock = Instant::now();
    while !holds() {
        assert!(clock.elapsed() < WATCHDOG, "still waiting after {WATCHDOG:?} until {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// A temporary directory for one test, in which the command runs.
pub struct Place {
    program: PathBuf,
    directory: TempDir,
}

impl Place {
    /// An empty directory, for the program at a path: `env!("CARGO_BIN_EXE_...")`.
    pub fn new(program: impl AsRef<Path>) -> Self {
        Self { program: program.as_ref().to_owned(), directory: tempfile::tempdir().unwrap() }
    }

    /// The path of a file in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command with arguments separated by spaces, not yet run.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(self.directory.path()).args(args.split_whitespace());
        command
    }

    /// Runs the command with arguments separated by spaces.
    pub fn octile(&self, args: &str) -> Ran {
        Ran::new(args, &self.command(args).output().unwrap())
    }
}

/// The result of a run.
pub struct Ran {
    /// The arguments.
    pub args: String,
    /// The exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// The result from the output of a process.
    pub fn new(args: &str, output: &Output) -> Self {
        Self {
            args: args.to_owned(),
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts the exit code. For code 2 also asserts that standard error has one line and standard output is empty.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        let Self { args, out, err, .. } = &self;
        assert_eq!(self.code, Some(code), "octile {args}\nout: {out}\nerr: {err}");
        if code == 2 {
            assert!(err.starts_with("octile: ") && err.lines().count() == 1, "octile {args}: {err}");
            assert_eq!(*out, "", "octile {args}");
        }
        self
    }

    /// Asserts that standard error contains `part`.
    #[track_caller]
    pub fn says(self, part: &str) -> Self {
        assert!(self.err.contains(part), "octile {}: `{part}` is not in: {}", self.args, self.err);
        self
    }

    /// Asserts that standard output contains `part`.
    #[track_caller]
    pub fn prints(self, part: &str) -> Self {
        assert!(self.out.contains(part), "octile {}: `{part}` is not in: {}", self.args, self.out);
        self
    }

    /// Asserts that standard error is empty.
    #[track_caller]
    pub fn silent(self) -> Self {
        assert_eq!(self.err, "", "octile {}", self.args);
        self
    }

    /// The one JSON document on standard output.
    #[track_caller]
    pub fn json(self) -> Value {
        let document: Value = serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out));
        assert_eq!(document["schema"], 1);
        document
    }
}
