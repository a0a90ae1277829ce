//! `octile build`: an index, of a map or for all maps, in a file.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use octile::artifact::Artifact;
use octile::index::{self, Build, Entry, INDEXES};

use crate::Outcome;
use crate::args::MovementArg;
use crate::report::{json, text};
use crate::{inputs, new_file, output};

/// Build an index and keep it in a file
///
/// Planners that need the index take it from the file (--index) instead of building it. A file is for one map and one
/// movement rule; when the map changes, it must be built again. Some kinds, those named lddb-..., depend on no map: they are
/// built without one, and are for all. What was there under that name is replaced when the new file is whole.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile build gates arena.map -o arena.gates.octx
  octile solve arena.map --from 1,12 --to 40,3 --planner jps:prune=gates --index arena.gates.octx
  octile info arena.gates.octx --map arena.map
  octile build lddb-octile -o octile.octx")]
pub(crate) struct Args {
    /// What to build
    #[arg(value_parser = kind())]
    pub(crate) kind: &'static Entry,

    /// The map; none for an index that is for all maps
    pub(crate) map: Option<PathBuf>,

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
    let (bytes, time) = build(args)?;
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

/// The index as the bytes of a file, and how long it took.
fn build(args: &Args) -> Result<(Vec<u8>, Duration)> {
    let kind = args.kind.kind;
    match (args.kind.build, &args.map) {
        (Build::ForMap(build), Some(map)) => {
            inputs::ensure_is_not_the_map(&args.output, map, "index")?;
            let grid = inputs::map(map, args.movement.movement)?.grid;
            Ok(timed(|| build(&grid)))
        }
        (Build::InParts(builder), Some(map)) => {
            inputs::ensure_is_not_the_map(&args.output, map, "index")?;
            let builder = builder(&inputs::map(map, args.movement.movement)?.grid, "")?;
            let (writer, time) = timed(|| builder.part(0..builder.sources(), &|| {}));
            Ok((writer?.finish(), time))
        }
        (Build::ForAllMaps(build), None) => Ok(timed(build)),
        (Build::ForMap(_) | Build::InParts(_), None) => {
            bail!("an index of kind `{kind}` is for one map: write `{}`", args.kind.command())
        }
        (Build::ForAllMaps(_), Some(map)) => {
            let (map, command) = (map.display(), args.kind.command());
            bail!("an index of kind `{kind}` is for all maps: leave out {map}, as in `{command}`")
        }
    }
}

fn timed<T>(build: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Instant::now();
    let built = build();
    (built, clock.elapsed())
}
