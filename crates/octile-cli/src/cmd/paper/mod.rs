//! `octile paper`: the tables of a paper, measured here and put beside the paper's own.

mod block_astar;
mod blocked_areas;
mod cpd;
mod dice;
mod timing;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use anyhow::{Context, Result};
use clap::Subcommand;

use crate::Outcome;

/// Reproduce the tables of a paper
///
/// Each number is printed beside the paper's. The maps are those of the MovingAI benchmarks, as far as they are at hand.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Subcommand, Debug)]
enum Paper {
    BlockAstar(block_astar::Args),
    BlockedAreas(blocked_areas::Args),
    Cpd(cpd::Args),
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    match &args.paper {
        Paper::BlockAstar(args) => block_astar::run(args),
        Paper::BlockedAreas(args) => blocked_areas::run(args),
        Paper::Cpd(args) => cpd::run(args),
    }
}

/// Where the benchmark's maps are.
#[derive(clap::Args, Debug)]
struct MapsArg {
    /// Look for the benchmark's maps here and in the folders in it, each with its scenario file beside it [default:
    /// what `OCTILE_MOVINGAI` names, or ../shared/movingai]
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
}

const VARIABLE: &str = "OCTILE_MOVINGAI";
const BESIDE: &str = "../shared/movingai";

impl MapsArg {
    /// The folder with the maps, if one was named or is where it is looked for.
    fn named(&self) -> Option<PathBuf> {
        let beside = || Some(PathBuf::from(BESIDE)).filter(|folder| folder.is_dir());
        self.maps.clone().or_else(|| env::var_os(VARIABLE).map(PathBuf::from)).or_else(beside)
    }

    /// The folder with the maps, without which there is nothing to do.
    fn folder(&self) -> Result<PathBuf> {
        let where_are = || format!("where are the MovingAI maps? Name their folder with --maps or in {VARIABLE}");
        self.named().with_context(where_are)
    }
}

/// The files of a folder and of the folders in it, by name. Of two with the same name the outer is taken, then the first.
fn files(folder: &Path) -> Result<BTreeMap<OsString, PathBuf>> {
    let mut files = BTreeMap::new();
    let mut take = |path: PathBuf| {
        if let Some(name) = path.file_name() {
            files.entry(name.to_owned()).or_insert(path);
        }
    };
    let (folders, outer): (Vec<_>, Vec<_>) = entries(folder)?.into_iter().partition(|path| path.is_dir());
    outer.into_iter().for_each(&mut take);
    for folder in folders {
        entries(&folder)?.into_iter().filter(|path| path.is_file()).for_each(&mut take);
    }
    Ok(files)
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>();
    let mut entries = read().with_context(|| format!("cannot read the directory {}", folder.display()))?;
    entries.sort();
    Ok(entries)
}
