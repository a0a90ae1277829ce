//! What a report was measured with.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::noise::Spread;
use super::plan::Plan;
use crate::report::text::{self, count};

/// What any number of a report depends on besides the code.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Conditions {
    octile: &'static str,
    commit: &'static str,
    compiler: &'static str,
    machine: String,
    system: String,
    date: String,
    command: String,
    maps: String,
    mode: &'static str,
    baseline: &'static str,
    repetitions: String,
    took_seconds: f64,
    noise: Spread,
}

impl Conditions {
    pub(super) fn new(plan: &Plan, noise: Spread, took: Duration) -> Self {
        Self {
            octile: env!("CARGO_PKG_VERSION"),
            commit: env!("OCTILE_COMMIT"),
            compiler: env!("OCTILE_COMPILER"),
            machine: machine(),
            system: format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            command: command(),
            maps: plan.maps.described(),
            mode: if plan.full { "full" } else { "quick: a sample" },
            baseline: BASELINE,
            repetitions: repetitions(plan.rounds),
            took_seconds: took.as_secs_f64(),
            noise,
        }
    }

    /// As names and values, for people.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let facts = [
            ("octile", format!("{}, commit {}", self.octile, self.commit)),
            ("compiler", self.compiler.to_owned()),
            ("machine", format!("{}, {}", self.machine, self.system)),
            ("date", format!("{}, took {}", self.date, text::duration(Duration::from_secs_f64(self.took_seconds)))),
            ("command", self.command.clone()),
            ("maps", self.maps.clone()),
            ("mode", self.mode.to_owned()),
            ("baseline", self.baseline.to_owned()),
            ("repetitions", self.repetitions.clone()),
            ("noise", self.noise.sentence()),
        ];
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

const BASELINE: &str = "astar, octile's own A*: exact integer costs, a packed four-ary heap, ties towards larger g; a faster \
                        baseline than any of the papers had";

fn repetitions(rounds: usize) -> String {
    format!(
        "each query is answered once untimed, to be judged, then timed in {}, planners in turn; its best time counts",
        count(rounds, "round", "rounds")
    )
}

/// The processor's name where the system tells it, and how many of them may be used.
fn machine() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, name)| name.trim());
    format!("{model}, {}", count(available_parallelism().map_or(1, usize::from), "core", "cores"))
}

/// The command line, the program by its name alone.
fn command() -> String {
    let mut args = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let program = args.next().unwrap_or_default();
    let name = Path::new(&program).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    std::iter::once(name).chain(args).collect::<Vec<_>>().join(" ")
}
