//! `octile completions`: what a shell needs to complete the command.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::Outcome;
use crate::output;

/// Print completions for a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile completions bash > ~/.local/share/bash-completion/completions/octile
  octile completions fish > ~/.config/fish/completions/octile.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "octile", &mut script);
    output::print_bytes(&script)?;
    Ok(Outcome::Good)
}
