//! `octile gen`: maps and scenarios in the style of the benchmarks.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use clap::builder::RangedI64ValueParser;
use octile::generate::{self, ScenarioConfig};
use octile::{Grid, movingai};

use crate::harness::Outcome;
use crate::harness::args::{UnknownArg, extension};
use crate::harness::screen::Screen;
use crate::harness::{inputs, new_file, output};

/// Generate a map or a scenario file
///
/// The same arguments and seed give the same file, on every machine. Maps are in the MovingAI format, or drawn with
/// characters if the file's name ends in .txt.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile gen rooms --width 512 --height 512 --room 16 --seed 7 -o rooms.map
  octile gen scen rooms.map -o rooms.map.scen
  octile gen maze --width 40 --height 20 --corridor 1
  octile gen caves | octile info -")]
pub(crate) struct Args {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand, Debug)]
enum Kind {
    /// A map without obstacles
    Open {
        #[command(flatten)]
        map: MapArgs,
    },
    /// Square rooms with doors between neighbours
    Rooms {
        #[command(flatten)]
        map: MapArgs,
        /// Cells from one wall to the next, one wall counted
        #[arg(long, value_name = "N", default_value = "16")]
        room: u32,
        #[command(flatten)]
        seed: Seed,
    },
    /// A maze with corridors of one width
    Maze {
        #[command(flatten)]
        map: MapArgs,
        /// Width of the corridors in cells
        #[arg(long, value_name = "N", default_value = "4")]
        corridor: u32,
        #[command(flatten)]
        seed: Seed,
    },
    /// Single cells blocked at random
    Random {
        #[command(flatten)]
        map: MapArgs,
        /// How many of a hundred cells are blocked
        #[arg(long, value_name = "N", default_value = "20")]
        percent: u32,
        #[command(flatten)]
        seed: Seed,
    },
    /// Halls and passages between smooth walls, much like the maps of games
    Caves {
        #[command(flatten)]
        map: MapArgs,
        /// How many of a hundred cells are rock, beside what is cut off and filled up
        #[arg(long, value_name = "N", default_value = "40")]
        percent: u32,
        #[command(flatten)]
        seed: Seed,
    },
    /// Problems for a map, spread evenly over path lengths
    Scen(ScenArgs),
}

#[derive(clap::Args, Debug)]
struct MapArgs {
    /// Cells in a row
    #[arg(long, value_name = "N", default_value = "512", allow_negative_numbers = true, value_parser = side())]
    width: u32,

    /// Rows
    #[arg(long, value_name = "N", default_value = "512", allow_negative_numbers = true, value_parser = side())]
    height: u32,

    /// Write the map here [default: standard output, if that is no terminal or the map has room there]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The sides that a map can have.
fn side() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=65534)
}

#[derive(clap::Args, Clone, Copy, Debug)]
struct Seed {
    /// Choose another of the maps, or scenarios, of this kind
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

#[derive(clap::Args, Debug)]
struct ScenArgs {
    /// The map, or `-` for standard input
    map: PathBuf,

    #[command(flatten)]
    unknown: UnknownArg,

    /// Problems in each bucket of lengths
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    per_bucket: u16,

    /// How many units of length a bucket spans
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..))]
    bucket_width: u32,

    #[command(flatten)]
    seed: Seed,

    /// Write the scenario here [default: standard output, if that is no terminal]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    match &args.kind {
        Kind::Scen(args) => scenario(args)?,
        Kind::Open { map } => write_map(map, || generate::open(map.width, map.height))?,
        Kind::Rooms { map, room, seed } => {
            write_map(map, || generate::rooms(map.width, map.height, *room, seed.seed))?;
        }
        Kind::Maze { map, corridor, seed } => {
            write_map(map, || generate::maze(map.width, map.height, *corridor, seed.seed))?;
        }
        Kind::Random { map, percent, seed } => {
            write_map(map, || generate::random(map.width, map.height, *percent, seed.seed))?;
        }
        Kind::Caves { map, percent, seed } => {
            write_map(map, || generate::caves(map.width, map.height, *percent, seed.seed))?;
        }
    }
    Ok(Outcome::Good)
}

fn write_map(args: &MapArgs, generate: impl Fn() -> Result<Grid, generate::GenerateError>) -> Result<()> {
    let write = match args.output.as_deref().and_then(extension).as_deref() {
        None | Some("map") => movingai::map::write,
        Some("txt") => octile::ascii::write,
        Some(other) => bail!("maps are written as .map or .txt, not as .{other}; `octile draw` makes pictures"),
    };
    let text = write(&generate()?);
    emit(&text, &format!("a map of {} x {} cells", args.width, args.height), args.output.as_deref())
}

fn scenario(args: &ScenArgs) -> Result<()> {
    let grid = inputs::load(&args.map, args.unknown.unknown)?.grid;
    let name = args.map.file_name().context("the map has no name")?.to_string_lossy();
    let config = ScenarioConfig {
        per_bucket: args.per_bucket.into(),
        bucket_width: args.bucket_width,
        // A bucket gets no more problems than there are sources.
        sources: ScenarioConfig::default().sources.max(args.per_bucket.into()),
        seed: args.seed.seed,
    };
    let text = movingai::scen::write(&generate::scenario(&grid, &name, &config));
    emit(&text, "the scenario", args.output.as_deref())
}

/// Writes to a file, or prints; on a terminal only what has room there.
fn emit(text: &str, what: &str, file: Option<&Path>) -> Result<()> {
    if let Some(path) = file {
        return new_file::write(path, text.as_bytes());
    }
    output::ensure_no_flood(!Screen::stdout().has_room_for(text), what)?;
    output::print(text)
}
