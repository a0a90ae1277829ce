//! `octile man`: prints or writes the manual pages.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Command;
use clap_mangen::Man;
use octile::files::disk::{self, Step};
use octile::{Catalog, files};

use crate::harness::Outcome;
use crate::harness::output;

/// Print the manual page, or write one for each command
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile man | man -l -
  octile man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Write octile.1, octile-solve.1 and the others into this directory
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let mut command = super::command(catalog).disable_help_subcommand(true);
    command.build();
    match &args.dir {
        Some(dir) => {
            let cannot = || format!("cannot make the directory {}", dir.display());
            disk::step(Step::Folder, || fs::create_dir_all(dir)).with_context(cannot)?;
            write_pages(&command, dir)?;
        }
        None => output::print_bytes(&page(&Man::new(command))?)?,
    }
    Ok(Outcome::Good)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, dir: &Path) -> Result<()> {
    let man = Man::new(command.clone());
    files::write(dir.join(man.get_filename()), page(&man)?)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        write_pages(subcommand, dir)?;
    }
    Ok(())
}

fn page(man: &Man) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render(&mut page).context("cannot make the manual page")?;
    Ok(page)
}
