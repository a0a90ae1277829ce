//! `octile build`: an index of a map, in a file.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use octile::artifact::Artifact;
use octile::index::{self, Entry, INDEXES};

use crate::Outcome;
use crate::args::MovementArg;
use crate::report::{json, text};
use crate::{inputs, new_file, output};

/// Build an index of a map and keep it in a file
///
/// Planners that need the index take it from the file (--index) instead of building it. A file is for one map and one
/// movement rule; when the map changes, it must be built again. What was there under that name is replaced when the new
/// file is whole.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile build gates arena.map -o arena.gates.octx
  octile solve arena.map --from 1,12 --to 40,3 --planner jps:prune=gates --index arena.gates.octx
  octile info arena.gates.octx --map arena.map")]
pub(crate) struct Args {
    /// What to build
    #[arg(value_parser = kind())]
    pub(crate) kind: &'static Entry,

    /// The map
    pub(crate) map: PathBuf,

    /// Write the index here; by custom the name ends in .octx
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    movement: MovementArg,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The kinds of the table, with what they are.
fn kind() -> impl TypedValueParser<Value = &'static Entry> {
    let values = INDEXES.iter().map(|entry| PossibleValue::new(entry.kind).help(entry.summary));
    PossibleValuesParser::new(values).try_map(|kind| index::find(&kind))
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    inputs::ensure_is_not_the_map(&args.output, &args.map, "index")?;
    let grid = inputs::map(&args.map, args.movement.movement)?.grid;
    let clock = Instant::now();
    let bytes = (args.kind.build)(&grid);
    let time = clock.elapsed();
    new_file::write(&args.output, &bytes)?;
    let artifact = Artifact::from_bytes(bytes.into())?;
    let built = json::Built::new(args, &artifact, time)?;
    if args.json {
        output::print_json(&built)?;
    } else {
        output::print(&text::built(&built))?;
    }
    Ok(Outcome::Good)
}
