//! The conditions of a measurement: program, compiler, machine, date and command.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::SystemTime;

use serde::Serialize;

use super::words::count;

/// The conditions that a measured number depends on.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The version of octile.
    pub octile: &'static str,
    /// The commit that it was built from, if known.
    pub commit: &'static str,
    /// The compiler.
    pub compiler: &'static str,
    /// The processor's name, if the system tells it, and the number of usable cores.
    pub machine: String,
    /// The operating system and the kind of processor.
    pub system: String,
    /// The time of the measurement, in UTC.
    pub date: String,
    /// The command line, with the program's name without its path.
    pub command: String,
}

impl Machine {
    /// The conditions here and now.
    #[must_use]
    pub fn here() -> Self {
        Self {
            octile: env!("CARGO_PKG_VERSION"),
            commit: env!("OCTILE_COMMIT"),
            compiler: env!("OCTILE_COMPILER"),
            machine: processor(),
            system: format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            command: command(),
        }
    }
}

fn processor() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, name)| name.trim());
    format!("{model}, {}", count(available_parallelism().map_or(1, usize::from), "core", "cores"))
}

fn command() -> String {
    let mut args = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let program = args.next().unwrap_or_default();
    let name = Path::new(&program).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    std::iter::once(name).chain(args).collect::<Vec<_>>().join(" ")
}
