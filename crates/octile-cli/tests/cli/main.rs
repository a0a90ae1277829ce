//! The command as a process: what it prints where, and with which code it exits.

mod advise;
mod bad_input;
mod build_cpd;
mod build_hub_labels;
mod compare;
mod files;
mod index;
mod paper_all;
mod paper_block_astar;
mod paper_blocked_areas;
mod paper_cpd;
mod run;
mod solve;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Two components: a ring of ten cells around a wall, and a column behind another.
const RING: &str = "type octile\nheight 3\nwidth 6\nmap\n....@.\n.@@.@.\n....@.\n";

/// Three problems on [`RING`], the last unreachable.
const RING_SCEN: &str = "version 1\n\
    0\tring.map\t6\t3\t0\t0\t3\t2\t5\n\
    0\tring.map\t6\t3\t0\t0\t3\t0\t3\n\
    0\tring.map\t6\t3\t0\t0\t5\t2\t0\n";

/// A directory of its own for one test, in which the command runs.
struct Place {
    directory: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// With the files `ring.map` and `ring.map.scen`.
    fn with_ring() -> Self {
        let place = Self::new();
        place.write("ring.map", RING);
        place.write("ring.map.scen", RING_SCEN);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files there are.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_octile"));
        command.current_dir(self.directory.path()).args(args.split_whitespace());
        command
    }

    /// Runs the command with arguments separated by blanks.
    fn octile(&self, args: &str) -> Ran {
        Ran::new(args, &self.command(args).output().unwrap())
    }
}

/// What a run came to.
struct Ran {
    args: String,
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn new(args: &str, output: &Output) -> Self {
        Self {
            args: args.to_owned(),
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts the exit code, and that an error is one sentence without anything on standard output.
    #[track_caller]
    fn exits(self, code: i32) -> Self {
        let Self { args, out, err, .. } = &self;
        assert_eq!(self.code, Some(code), "octile {args}\nout: {out}\nerr: {err}");
        if code == 2 {
            assert!(err.starts_with("octile: ") && err.lines().count() == 1, "octile {args}: {err}");
            assert_eq!(*out, "", "octile {args}");
        }
        self
    }

    #[track_caller]
    fn says(self, part: &str) -> Self {
        assert!(self.err.contains(part), "octile {}: `{part}` is not in: {}", self.args, self.err);
        self
    }

    #[track_caller]
    fn prints(self, part: &str) -> Self {
        assert!(self.out.contains(part), "octile {}: `{part}` is not in: {}", self.args, self.out);
        self
    }

    #[track_caller]
    fn silent(self) -> Self {
        assert_eq!(self.err, "", "octile {}", self.args);
        self
    }

    /// The one JSON document on standard output.
    #[track_caller]
    fn json(self) -> Value {
        let document: Value = serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out));
        assert_eq!(document["schema"], 1);
        document
    }
}
