//! `octile planners`: the table of planners.

use anyhow::Result;
use octile::Catalog;

use crate::harness::Outcome;
use crate::harness::output;
use crate::report::{json, text};

/// List the planners: what they promise, under which movement rules, with which keys
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    if args.json {
        output::print_json(&json::Planners::new(catalog))?;
    } else {
        output::print(&text::planners(catalog))?;
    }
    Ok(Outcome::Good)
}
