//! `octile man`: the manual pages.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::Outcome;
use crate::{new_file, output};

/// Print the manual page, or write one for each command
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile man | man -l -
  octile man ~/.local/share/man/man1")]
pub(super) struct Args {
    /// Write octile.1, octile-solve.1 and the others into this directory
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let mut command = super::Cli::command().disable_help_subcommand(true);
    command.build();
    match &args.dir {
        Some(dir) => {
            fs::create_dir_all(dir).with_context(|| format!("cannot make the directory {}", dir.display()))?;
            write_pages(&command, "octile", dir)?;
        }
        None => output::print_bytes(&page(command)?)?,
    }
    Ok(Outcome::Good)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, name: &str, dir: &Path) -> Result<()> {
    new_file::write(&dir.join(format!("{name}.1")), &page(command.clone().name(name.to_owned()))?)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        write_pages(subcommand, &format!("{name}-{}", subcommand.get_name()), dir)?;
    }
    Ok(())
}

fn page(command: Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page).context("cannot make the manual page")?;
    Ok(page)
}
