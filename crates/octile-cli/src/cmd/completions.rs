//! `octile completions`: prints completions for a shell.

use anyhow::Result;
use clap_complete::Shell;
use octile::Catalog;

use crate::harness::Outcome;
use crate::harness::output;

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

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(catalog), "octile", &mut script);
    output::print_bytes(&script)?;
    Ok(Outcome::Good)
}
