//! The building blocks of commands: files, races, the judge, and messages.
//!
//! The subcommands use this module, and so do programs that measure more: `octile-papers` makes its reports with the
//! same race, the same judge and the same tables. It may change from one version to the next.

#![allow(
    clippy::missing_errors_doc,
    reason = "an error says itself what is wrong, in the words that the command prints"
)]

pub mod args;
pub mod dynamic;
pub mod engine;
pub(crate) mod hints;
pub mod indexes;
pub mod inputs;
pub mod judge;
pub(crate) mod kind;
pub mod machine;
pub mod output;
pub mod race;
pub mod screen;
pub mod search;
pub mod show;
pub(crate) mod signals;
pub mod table;
pub mod watch;
pub mod words;

use std::any::TypeId;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use octile::{Catalog, PlannerSpec};

use self::kind::{Kind, KindParser};
use self::screen::Screen;

pub use crate::cmd::compare;

/// The outcome of a command that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A path was found, or everything is right.
    Good,
    /// There is no path, or an answer is wrong.
    Bad,
}

/// Parses the arguments of this process as a `C`, with the planners of a catalog, runs it, and returns the exit code: 0
/// for [`Outcome::Good`], 1 for [`Outcome::Bad`], and 2 for an error, which is reported in one sentence. A command that
/// is interrupted ends by that signal, as if it did not handle signals, but leaves no temporary files.
pub fn main<C: CommandFactory + FromArgMatches>(catalog: &Catalog, run: impl FnOnce(C) -> Result<Outcome>) -> ExitCode {
    signals::watch();
    let cli = match read(catalog) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, catalog),
    };
    match run(cli) {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Bad) => ExitCode::from(1),
        Err(error) => fail(&hints::message(&error, catalog)),
    }
}

fn read<C: CommandFactory + FromArgMatches>(catalog: &Catalog) -> Result<C, clap::Error> {
    let mut command = with_catalog(C::command(), catalog);
    let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
    C::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Makes all arguments that name planners or kinds of index use a catalog.
pub(crate) fn with_catalog(command: Command, catalog: &Catalog) -> Command {
    let parsed_with = |arg: Arg| {
        let value = arg.get_value_parser().type_id();
        if value == TypeId::of::<PlannerSpec>() {
            let catalog = catalog.clone();
            arg.value_parser(move |spec: &str| catalog.parse(spec))
        } else if value == TypeId::of::<Kind>() {
            arg.value_parser(KindParser::new(catalog.clone()))
        } else {
            arg
        }
    };
    command.mut_args(parsed_with).mut_subcommands(|command| with_catalog(command, catalog))
}

/// Prints the help or the version, if requested, or one sentence about what is wrong with the arguments.
fn usage(error: &clap::Error, catalog: &Catalog) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render();
            let is_coloured = Screen::stdout().has_colours();
            let text = if is_coloured { text.ansi().to_string() } else { text.to_string() };
            match output::print(&text) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => fail(&hints::message(&error, catalog)),
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // This goes to standard error, so a failure cannot be reported.
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => fail(&args::sentence(&error.render().to_string())),
    }
}

fn fail(message: &str) -> ExitCode {
    output::say_error(message);
    ExitCode::from(2)
}
