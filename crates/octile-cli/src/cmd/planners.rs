//! `octile planners`: lists the planners, or describes one of them.

use anyhow::Result;
use octile::Catalog;

use crate::harness::Outcome;
use crate::harness::output;
use crate::harness::screen::Screen;
use crate::report::{json, text};

/// List the planners, or describe one: its guarantee, movement rules and keys
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile planners
  octile planners corner-sweep
  octile planners --json")]
pub(crate) struct Args {
    /// Describe this planner only
    name: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    // A spec stands for its planner.
    let name = args.name.as_ref().map(|spec| spec.split(':').next().unwrap_or(spec));
    let one = name.map(|name| catalog.planner(name)).transpose()?;
    match (one, args.json) {
        (Some(entry), true) => output::print_json(&json::Planners::new(&[entry]))?,
        (None, true) => output::print_json(&json::Planners::new(catalog.planners()))?,
        (Some(entry), false) => output::print(&text::planner_info(entry, catalog, Screen::stdout()))?,
        (None, false) => output::print(&text::planners(catalog, Screen::stdout()))?,
    }
    Ok(Outcome::Good)
}
