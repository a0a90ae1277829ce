//! `octile info`: what a map or scenario file holds.

use std::path::PathBuf;

use anyhow::Result;

use crate::Outcome;
use crate::args::extension;
use crate::output;
use crate::report::json::{MapInfo, ScenarioInfo};
use crate::report::text;

/// Tell what a map or scenario file holds
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile info arena.map
  octile info arena.map.scen --json")]
pub(crate) struct Args {
    /// The file: a scenario if its name ends in .scen, else a map
    file: PathBuf,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let name = args.file.display().to_string();
    if extension(&args.file).as_deref() == Some("scen") {
        let info = ScenarioInfo::new(name.clone(), &octile::load_scenario(&args.file)?);
        if args.json { output::print_json(&info)? } else { output::print(&text::scenario_info(&name, &info))? }
    } else {
        let map = octile::load(&args.file)?;
        if args.json {
            output::print_json(&MapInfo::new(name, &map))?;
        } else {
            output::print(&text::map_info(&name, &map))?;
        }
    }
    Ok(Outcome::Good)
}
