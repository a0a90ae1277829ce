//! `octile advise`: which planner to use on a map, and why.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use octile::advise::{Needs, Rate, Size, advise};
use octile::{Catalog, Endpoints};

use crate::harness::Outcome;
use crate::harness::args::{MovementArg, ReadArgs};
use crate::harness::{inputs, output};
use crate::report::{json, text};

/// Tell which planner to use on a map, and why
///
/// Builds the planners that could be used and has them answer the same random queries: seconds for a large map. Times
/// depend on the machine and what else it does: where two planners are about as fast, either may be advised. The
/// planner `auto` does the same and uses what it finds.
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

    /// The most memory that an index and the working memory of one thread may take, such as 4096, 512kB, 100MB or 1GiB
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,

    /// The map changes: so much of its cells, and so many queries between two changes, such as 0.01%/2000; without a
    /// rate it is 0.01%/100. Planners are asked on the map as it is after some changes, and what counts is the time of
    /// a change and of the queries up to the next
    #[arg(long, value_name = "RATE", num_args = 0..=1, default_missing_value = "0.01%/100")]
    changes: Option<Rate>,

    /// Paths may go in any direction, from corner to corner of cells
    #[arg(long)]
    any_angle: bool,

    /// Where such paths begin and end: at the upper left corners of cells, or at their centres
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
    let map = args.map.display().to_string();
    let grid = inputs::map(&args.map, args.movement.movement, &args.read)?.grid;
    let needs = Needs {
        memory_bytes: args.memory.map(|Size(bytes)| bytes),
        changes: args.changes,
        any_angle: args.any_angle,
        ends: args.ends,
        ..Needs::default()
    };
    let clock = Instant::now();
    let advice = advise(&grid, &needs).with_context(|| map.clone())?;
    let advised = json::Advised::new((map, &grid, args.read.written()), needs, &advice, clock.elapsed(), catalog);
    if args.json {
        output::print_json(&advised)?;
    } else {
        output::print(&text::advised(&advised))?;
    }
    Ok(Outcome::Good)
}
