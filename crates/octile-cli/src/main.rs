//! The `octile` command: solve, check, compare, draw and generate grid pathfinding problems, and build indexes for them.
//!
//! Results go to standard output, everything else to standard error. Exit code 0 means found or all right, 1 no path or a
//! wrong answer, 2 an error.

mod args;
mod cmd;
mod engine;
mod exhibit;
mod indexes;
mod inputs;
mod judge;
mod new_file;
mod output;
mod papers;
#[cfg(feature = "peers")]
mod peers;
mod race;
mod report;
mod search;
mod show;
mod watch;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

/// What a command came to, when nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// A path was found, or all is right.
    Good,
    /// There is no path, or an answer is not what it should be.
    Bad,
}

fn main() -> ExitCode {
    let cli = match cmd::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match cli.command.run() {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Bad) => ExitCode::from(1),
        Err(error) => fail(&format!("{error:#}")),
    }
}

/// Prints the help that was asked for, or what is wrong with the arguments in one sentence.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // A closed pipe is no reason to complain.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
        _ => fail(&args::sentence(&error.render().to_string())),
    }
}

fn fail(message: &str) -> ExitCode {
    output::say(message);
    ExitCode::from(2)
}
