//! `octile advise`: recommends a planner for a map.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use octile::Catalog;
use octile::catalog::advise::{Needs, Rate, Size, advise};
use octile::geometry::Endpoints;

use crate::harness::Outcome;
use crate::harness::args::{MovementArg, ReadArgs};
use crate::harness::{inputs, output};
use crate::report::{json, text};

/// Recommend a planner for a map, with reasons
///
/// Builds the planners that come into question and measures them on the same random queries, which takes seconds on a
/// large map. Times depend on the machine and its load: if two planners are about as fast, either may be recommended.
/// The planner `auto` does the same and uses the result.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile advise arena.map
  octile advise arena.map --memory 5MB --changes 0.01%/2000
  octile advise arena.map --any-angle --json
  octile solve arena.map --from 1,12 --to 40,3 --planner auto")]
pub(crate) struct Args {
    /// The map, or `-` for standard input
    map: PathBuf,

    /// The maximum memory for an index and the working memory of one thread, such as 4096, 512kB, 100MB or 1GiB
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,

    /// The map changes: the share of cells that change, and the number of queries between two changes, such as
    /// 0.01%/2000; 0.01%/100 if no rate is given. Planners are measured on the map after some changes, by the time of
    /// one change and the queries up to the next
    #[arg(long, value_name = "RATE", num_args = 0..=1, default_missing_value = "0.01%/100")]
    changes: Option<Rate>,

    /// Find paths in any direction, from corner to corner of cells
    #[arg(long)]
    any_angle: bool,

    /// Where any-angle paths begin and end: at the upper left corners of cells, or at their centres
    #[arg(long, value_name = "corners|centres", default_value_t, requires = "any_angle")]
    ends: Endpoints,

    #[command(flatten)]
    movement: MovementArg,

    #[command(flatten)]
    read: ReadArgs,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let name = args.map.display().to_string();
    let grid = inputs::map(&args.map, args.movement.movement, &args.read)?.grid;
    let needs = Needs {
        memory_bytes: args.memory.map(|Size(bytes)| bytes),
        changes: args.changes,
        any_angle: args.any_angle,
        ends: args.ends,
        ..Needs::default()
    };
    let clock = Instant::now();
    let advice = advise(&grid, &needs).with_context(|| name.clone())?;
    let map = json::AdvisedMap { name, grid: &grid, read: args.read.written() };
    let advised = json::Advised::new(map, needs, &advice, clock.elapsed(), catalog);
    if args.json {
        output::print_json(&advised)?;
    } else {
        output::print(&text::advised(&advised))?;
    }
    Ok(Outcome::Good)
}
