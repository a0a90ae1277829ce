//! Output of the command: results on standard output, everything else on standard error.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::Once;

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use octile::files::disk::{Step, Steps};
use octile::planner::Progress;
use serde::Serialize;

use super::screen::{Screen, Tone};

/// The schema version of all JSON documents.
pub const SCHEMA: u32 = 1;

/// Prints a result. If the reader has gone away, such as `head`, that is not an error.
pub fn print(text: &str) -> Result<()> {
    print_bytes(text.as_bytes())
}

/// As [`print()`], for bytes that need not be text.
pub fn print_bytes(bytes: &[u8]) -> Result<()> {
    let mut stdout = Steps::new(io::stdout().lock(), Step::Print);
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// Prints a JSON document.
pub fn print_json(document: &impl Serialize) -> Result<()> {
    print(&(serde_json::to_string(document)? + "\n"))
}

/// Fails if output meant for a file or another program would flood a terminal.
pub fn ensure_no_flood(is_shown: bool, what: &str) -> Result<()> {
    ensure!(
        !is_shown,
        "{what} would flood the terminal: write it to a file with `-o FILE`, or pass it on with `| PROGRAM` or `> FILE`"
    );
    Ok(())
}

/// Prints a message that is not a result.
pub fn say(message: impl Display) {
    let message = message.to_string();
    let is_doubt = message.starts_with("note: ") || message.starts_with("warning: ");
    say_in(if is_doubt { Tone::Doubt } else { Tone::Name }, &message);
}

/// Prints the error that ends the command.
pub fn say_error(message: &str) {
    say_in(Tone::Bad, message);
}

/// On a pipe a message is one line.
fn say_in(tone: Tone, message: &str) {
    let screen = Screen::stderr();
    let lines = screen.line(&format!("octile: {message}"), 2);
    let (name, rest) = lines.split_once(' ').unwrap_or((&lines, ""));
    // A failure cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "{} {rest}", screen.tone(tone, name));
}

/// A progress bar on standard error for `steps` steps; invisible unless that is a terminal.
pub fn progress(steps: u64, what: &'static str) -> ProgressBar {
    bar(steps, what, "{msg} [{bar:30}] {pos}/{len}, {eta} left")
}

/// As [`progress`], with one step per row; shows the rows per second.
pub fn progress_of_rows(rows: u64, what: impl Into<Cow<'static, str>>) -> ProgressBar {
    bar(rows, what, "{msg} [{bar:30}] {human_pos}/{human_len} rows, {per_sec:0}, {eta} left")
}

/// As [`progress`], for work in stages: [`watch`] sets the name and the number of steps of each. Hidden before the
/// first stage.
pub fn progress_of_stages() -> ProgressBar {
    let bar = bar(0, "", "building {msg} [{bar:30}] {human_pos}/{human_len}, {eta} left");
    bar.set_draw_target(ProgressDrawTarget::hidden());
    bar
}

/// Returns a callback that shows a build's progress on such a bar.
pub fn watch(bar: &ProgressBar) -> impl Fn(Progress) + Sync {
    let is_seen = Once::new();
    move |progress: Progress| {
        bar.set_length(progress.all);
        bar.set_position(progress.done);
        bar.set_message(progress.stage);
        if progress.all > 0 {
            is_seen.call_once(|| bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }
}

fn bar(steps: u64, what: impl Into<Cow<'static, str>>, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new(steps).with_message(what);
    if let Ok(style) = style { bar.with_style(style) } else { bar }
}
