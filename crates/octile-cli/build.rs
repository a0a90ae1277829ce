//! Tells the command what it was made with, for reports: the compiler, and the commit of the source if it is known.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    set("OCTILE_COMPILER", output(&rustc, &["--version"]).as_deref());
    set("OCTILE_COMMIT", output("git", &["rev-parse", "--short=12", "HEAD"]).as_deref());
    // Commits and switches of branches are appended there.
    let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists());
    if let Some(log) = log {
        println!("cargo::rerun-if-changed={log}");
    }
}

fn set(variable: &str, value: Option<&str>) {
    println!("cargo::rustc-env={variable}={}", value.unwrap_or("unknown"));
}

/// The first line that a program prints, if it can be run and has nothing to complain about.
fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()?.lines().next().map(str::to_owned)
}
