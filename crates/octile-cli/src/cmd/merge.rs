//! `octile merge`: joins the parts of a database.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use octile::algo::cpd;
use octile::artifact::Artifact;
use octile::{Catalog, files};

use crate::harness::Outcome;
use crate::harness::output;
use crate::report::{json, text};

/// Join parts of a compressed path database
///
/// Parts are built with `octile build cpd MAP --sources A..B`, perhaps on several machines. They may be given in any
/// order, but must be of one map, have the same settings, and leave no gap. If the first or last sources are missing,
/// the result is a larger part; otherwise it is complete, and the same file as from one build.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile build cpd arena.map --sources ..1000 -o one.octx
  octile build cpd arena.map --sources 1000.. -o two.octx
  octile merge one.octx two.octx -o arena.octx")]
pub(crate) struct Args {
    /// The parts
    #[arg(required = true, value_name = "PART")]
    pub(crate) parts: Vec<PathBuf>,

    /// Write the result here
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let Args { parts, output, .. } = args;
    let place = output.canonicalize().ok();
    for part in parts {
        let is_same = place.is_some() && part.canonicalize().ok() == place;
        ensure!(!is_same, "{} is one of the parts: give the result another name", part.display());
    }
    let clock = Instant::now();
    let artifacts = parts.iter().map(|part| Ok(Artifact::open(part)?)).collect::<Result<Vec<_>>>()?;
    let writer = cpd::merge(&artifacts).map_err(|error| match error.file() {
        Some(file) => Error::new(error).context(parts[file].display().to_string()),
        None => error.into(),
    })?;
    files::write_by(output, |file| writer.write_to(file))?;
    let time = clock.elapsed();
    // Output to a pipe cannot be read again.
    let artifact = if files::is_replaced(output) {
        Artifact::open(output)?
    } else {
        Artifact::from_bytes(writer.finish().into())?
    };
    let merged = json::Merged::new(args, &artifact, time, catalog).with_context(|| output.display().to_string())?;
    if args.json {
        output::print_json(&merged)?;
    } else {
        output::print(&text::merged(&merged))?;
    }
    Ok(Outcome::Good)
}
