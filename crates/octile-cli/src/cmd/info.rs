//! `octile info`: describes a map, scenario or index file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use octile::Catalog;
use octile::artifact::{self, Artifact};

use crate::harness::Outcome;
use crate::harness::args::{ReadArgs, extension};
use crate::harness::{inputs, output};
use crate::report::dynamic::{self, DynamicInfo};
use crate::report::json::{IndexInfo, MapInfo, ScenarioInfo};
use crate::report::text;

/// Describe a map, scenario or index file
///
/// Index files are read completely, and their checksums are verified. With --map, the exit code is 1 if the index does
/// not fit that map, under the movement rule that the index was made for.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile info arena.map
  octile info swamp.map --prices tank.prices
  octile info arena.map.scen --json
  octile info siege.scen
  octile info arena.gates.octx --map arena.map")]
pub(crate) struct Args {
    /// The file: an index or a dynamic scenario if its first bytes say so, a scenario if its name ends in .scen,
    /// otherwise a map; `-` is a map from standard input
    file: PathBuf,

    /// Check whether an index file fits this map
    #[arg(long, value_name = "MAP")]
    map: Option<PathBuf>,

    #[command(flatten)]
    read: ReadArgs,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let name = args.file.display().to_string();
    if is_index(&args.file) {
        return index(args, name, catalog);
    }
    ensure!(args.map.is_none(), "{name} is not an index file: leave out --map");
    if inputs::is_dynamic(&args.file) {
        args.read.ensure_unused(&args.file)?;
        let info = DynamicInfo::new(name, &octile::formats::load_dynamic(&args.file)?)?;
        if args.json { output::print_json(&info)? } else { output::print(&dynamic::info(&info))? }
    } else if extension(&args.file).as_deref() == Some("scen") {
        let info = ScenarioInfo::new(name.clone(), &octile::formats::load_scenario(&args.file)?);
        if args.json { output::print_json(&info)? } else { output::print(&text::scenario_info(&name, &info))? }
    } else {
        let map = inputs::load(&args.file, &args.read)?;
        if args.json {
            output::print_json(&MapInfo::new(name, &map))?;
        } else {
            output::print(&text::map_info(&name, &map))?;
        }
    }
    Ok(Outcome::Good)
}

/// Whether a file is an index by its name or its first bytes.
fn is_index(path: &Path) -> bool {
    // Bytes that do not come from a regular file can be read only once.
    let begins_as_one = || {
        let mut bytes = [0; artifact::MAGIC.len()];
        path.is_file()
            && File::open(path).is_ok_and(|mut file| file.read_exact(&mut bytes).is_ok())
            && bytes == artifact::MAGIC
    };
    extension(path).as_deref() == Some("octx") || begins_as_one()
}

fn index(args: &Args, name: String, catalog: &Catalog) -> Result<Outcome> {
    let artifact = Artifact::open(&args.file)?;
    let fits = |map: &PathBuf| -> Result<_> {
        let grid = inputs::map(map, artifact.movement().unwrap_or_default(), &args.read)?.grid;
        // An index for all maps fits every map.
        let fit = if artifact.is_for_all_maps() {
            artifact.check_for_all_maps(artifact.kind(), artifact.kind_version())
        } else {
            artifact.check(artifact.kind(), artifact.kind_version(), &grid)
        };
        Ok((map.display().to_string(), fit))
    };
    let fit = args.map.as_ref().map(fits).transpose()?;
    let fits = fit.as_ref().is_none_or(|(_, fit)| fit.is_ok());
    let info = IndexInfo::new(name.clone(), &artifact, fit, catalog).context(name)?;
    if args.json {
        output::print_json(&info)?;
    } else {
        output::print(&text::index_info(&info))?;
    }
    Ok(if fits { Outcome::Good } else { Outcome::Bad })
}
