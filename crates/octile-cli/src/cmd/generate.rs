//! `octile gen`: generates maps and scenarios in the style of the benchmarks.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Subcommand;
use clap::builder::RangedI64ValueParser;
use octile::formats::generate::{self, ChangesConfig, ScenarioConfig};
use octile::formats::{movingai, prices};
use octile::grid::Convention;
use octile::{Grid, files};

use crate::harness::Outcome;
use crate::harness::args::{ReadArgs, extension};
use crate::harness::screen::Screen;
use crate::harness::{inputs, output};

/// Generate a map or a scenario file
///
/// The same arguments and seed give the same file on every machine. Maps are in the MovingAI format, or text drawings
/// if the file's name ends in .txt. Maps with prices are made by regions, noise and roads. In a .txt file and on
/// standard output they are drawings with digits, for prices up to 9; in a .map file they have letters, with a price
/// file beside it, X.map.prices, for --prices.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile gen rooms --width 512 --height 512 --room 16 --seed 7 -o rooms.map
  octile gen scen rooms.map -o rooms.map.scen
  octile gen scen rooms.map --changes 0.1% --batches 20 -o siege.scen
  octile gen maze --width 40 --height 20 --corridor 1
  octile gen regions --map rooms.map --prices 1,2,5 --size 24 -o land.map
  octile gen scen land.map --prices land.map.prices -o land.map.scen
  octile gen roads --width 60 --height 20 --prices 1,4 | octile solve - --from 0,0 --to 59,19
  octile gen noise --prices 1,9 -o noise.txt
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
        /// Distance in cells from one wall to the next, one wall included
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
        /// Percentage of blocked cells
        #[arg(long, value_name = "N", default_value = "20")]
        percent: u32,
        #[command(flatten)]
        seed: Seed,
    },
    /// Halls and passages between smooth walls, similar to the maps of games
    Caves {
        #[command(flatten)]
        map: MapArgs,
        /// Percentage of rock, before areas that are cut off are filled up
        #[arg(long, value_name = "N", default_value = "40")]
        percent: u32,
        #[command(flatten)]
        seed: Seed,
    },
    /// Prices in large patches, such as woods and swamps, on a map or on open ground
    Regions {
        #[command(flatten)]
        ground: GroundArgs,
        /// Approximate width of the patches in cells
        #[arg(long, value_name = "N", default_value = "32")]
        size: u32,
    },
    /// Random prices, independent for each cell, on a map or on open ground
    Noise {
        #[command(flatten)]
        ground: GroundArgs,
    },
    /// Winding roads of the first price through land of the second, on a map or on open ground
    Roads {
        #[command(flatten)]
        ground: GroundArgs,
        /// Width of the roads in cells
        #[arg(long, value_name = "N", default_value = "3")]
        road: u32,
        /// Number of roads
        #[arg(long, value_name = "N", default_value = "12")]
        roads: u32,
    },
    /// Problems for a map, spread evenly over path lengths
    ///
    /// Lengths are for the octile rule and, on a map with prices, for its convention.
    ///
    /// With --changes, the map changes between the queries: buildings are put up and torn down, doors close and open,
    /// walls collapse. The result is a dynamic scenario, of version 2, with its patches in a file beside it; `octile
    /// run` and `octile compare` play it.
    Scen(ScenArgs),
}

/// Arguments of a map with prices.
#[derive(clap::Args, Debug)]
struct GroundArgs {
    #[command(flatten)]
    size: MapArgs,

    /// Give prices to the free cells of this map, or of standard input with `-`, instead of open ground
    #[arg(long, value_name = "MAP", conflicts_with_all = ["width", "height"])]
    map: Option<PathBuf>,

    /// The prices, from 1 to 255
    #[arg(long, value_name = "P,P,...", default_value = "1,2,5", value_delimiter = ',', value_parser = price)]
    prices: Vec<u8>,

    #[command(flatten)]
    seed: Seed,
}

impl GroundArgs {
    /// The map whose free cells get prices.
    fn base(&self) -> Result<Grid> {
        match &self.map {
            Some(map) => Ok(inputs::load(map, &ReadArgs::default())?.grid.without_prices()),
            None => Ok(generate::open(self.size.width, self.size.height)?),
        }
    }
}

fn price(text: &str) -> Result<u8, String> {
    let price = text.trim().parse().ok().filter(|&price| price > 0);
    price.ok_or_else(|| "expected prices from 1 to 255 between commas, such as 1,2,5".to_owned())
}

#[derive(clap::Args, Debug)]
struct MapArgs {
    /// Width of the map in cells
    #[arg(long, value_name = "N", default_value = "512", allow_negative_numbers = true, value_parser = side())]
    width: u32,

    /// Height of the map in cells
    #[arg(long, value_name = "N", default_value = "512", allow_negative_numbers = true, value_parser = side())]
    height: u32,

    /// Write the map here [default: standard output, unless that is a terminal too small for it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Parses the side of a map.
fn side() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=65534)
}

#[derive(clap::Args, Clone, Copy, Debug)]
struct Seed {
    /// Seed of the random choices: another seed gives another map or scenario
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

#[derive(clap::Args, Debug)]
struct ScenArgs {
    /// The map, or `-` for standard input
    map: PathBuf,

    #[command(flatten)]
    read: ReadArgs,

    /// Make a dynamic scenario: this share of the cells changes before each batch of queries, from 0.01% to 10%
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with_all = ["per_bucket", "bucket_width"])]
    changes: Option<u32>,

    /// With --changes: the number of batches of queries
    #[arg(long, value_name = "N", default_value = "100", requires = "changes", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    batches: u32,

    /// With --changes: the number of queries between two changes
    #[arg(long, value_name = "N", default_value = "20", requires = "changes", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    between: u32,

    /// Number of problems in each bucket of lengths
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    per_bucket: u16,

    /// Width of a bucket in units of length
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..))]
    bucket_width: u32,

    #[command(flatten)]
    seed: Seed,

    /// Write the scenario here [default: standard output, unless that is a terminal]. With --changes it is a .scen
    /// file, and the patches go into the .patch file of the same name
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Parses a share of cells, in millionths.
fn share(text: &str) -> Result<u32, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    // Round first: 0.01 % is exactly 100 millionths.
    let per_million =
        percent.map(|percent| (percent * 10_000.0).round()).filter(|share| (100.0..=100_000.0).contains(share));
    let per_million = per_million.map(|share| share as u32);
    per_million.ok_or_else(|| "expected a share of the cells from 0.01% to 10%, such as 0.1%".to_owned())
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
        Kind::Regions { ground, size } => write_ground(ground, |base, convention, seed| {
            generate::regions(base, &ground.prices, *size, convention, seed)
        })?,
        Kind::Noise { ground } => {
            write_ground(ground, |base, convention, seed| generate::noise(base, &ground.prices, convention, seed))?;
        }
        Kind::Roads { ground, road, roads } => {
            let &[cheap, dear] = &ground.prices[..] else {
                bail!("roads take two prices, of roads and of land, such as --prices 1,5; not {}", ground.prices.len());
            };
            write_ground(ground, |base, convention, seed| {
                generate::roads(base, (cheap, dear), *road, *roads, convention, seed)
            })?;
        }
    }
    Ok(Outcome::Good)
}

fn write_map(args: &MapArgs, generate: impl Fn() -> Result<Grid, generate::GenerateError>) -> Result<()> {
    let write = match args.output.as_deref().and_then(extension).as_deref() {
        None | Some("map") => movingai::map::write,
        Some("txt") => octile::formats::ascii::write,
        Some(other) => bail!("maps are written as .map or .txt, not as .{other}; `octile draw` makes pictures"),
    };
    let text = write(&generate()?);
    emit(&text, &format!("a map of {} x {} cells", args.width, args.height), args.output.as_deref())
}

/// Writes a map with prices, as a drawing with digits or as letters with a price file. Neither states the convention of
/// prices: the reader chooses it.
fn write_ground(
    args: &GroundArgs,
    generate: impl Fn(&Grid, Convention, u64) -> Result<Grid, generate::GenerateError>,
) -> Result<()> {
    let grid = generate(&args.base()?, Convention::default(), args.seed.seed)?;
    let what = format!("a map of {} x {} cells", grid.width(), grid.height());
    let file = args.size.output.as_deref();
    match (file, file.and_then(extension).as_deref()) {
        (Some(file), None | Some("map")) => {
            let (terrain, prices) = prices::to_letters(&grid).context("there are more prices than letters")?;
            let text = movingai::map::write_terrain(&terrain).context("a terrain class has no letter")?;
            files::write(price_file(file), prices)?;
            emit(&text, &what, Some(file))
        }
        (_, None | Some("txt")) => {
            ensure!(
                octile::formats::ascii::has_digits(&grid),
                "prices above 9 have no digit: write the map to a .map file, which has a price file beside it"
            );
            emit(&octile::formats::ascii::write(&grid), &what, file)
        }
        (_, Some(other)) => bail!("maps are written as .map or .txt, not as .{other}; `octile draw` makes pictures"),
    }
}

/// The price file of a written map: `X.map.prices` beside `X.map`.
fn price_file(map: &Path) -> PathBuf {
    let mut name = map.as_os_str().to_owned();
    name.push(".prices");
    name.into()
}

fn scenario(args: &ScenArgs) -> Result<()> {
    if let Some(per_million) = args.changes {
        return dynamic_scenario(args, per_million);
    }
    let grid = inputs::load(&args.map, &args.read)?.grid;
    let name = args.map.file_name().context("the map has no name")?.to_string_lossy();
    let config = ScenarioConfig {
        per_bucket: args.per_bucket.into(),
        bucket_width: args.bucket_width,
        // A bucket cannot get more problems than there are sources.
        sources: ScenarioConfig::default().sources.max(args.per_bucket.into()),
        seed: args.seed.seed,
    };
    let text = movingai::scen::write(&generate::scenario(&grid, &name, &config));
    emit(&text, "the scenario", args.output.as_deref())
}

/// Writes a dynamic scenario, with its patches beside it.
fn dynamic_scenario(args: &ScenArgs, per_million: u32) -> Result<()> {
    let Some(file) = &args.output else {
        bail!("a dynamic scenario is two files: name the one with the queries with -o, as in -o FILE.scen")
    };
    ensure!(
        extension(file).as_deref() == Some("scen"),
        "{} does not end in .scen, the ending of dynamic scenarios: name it FILE.scen; its patches become FILE.patch",
        file.display()
    );
    let patches = file.with_extension("patch");
    inputs::ensure_is_not_the_map(file, &args.map, "scenario")?;
    inputs::ensure_is_not_the_map(&patches, &args.map, "scenario")?;
    files::ensure_possible(file)?;
    let grid = inputs::load(&args.map, &args.read)?.grid;
    ensure!(
        grid.convention().is_none(),
        "{} has prices, which dynamic scenarios do not support: choose a map without prices",
        inputs::name(&args.map)
    );
    let name = patches.file_name().context("the scenario has no name")?.to_string_lossy();
    let config = ChangesConfig { per_million, batches: args.batches, between: args.between, seed: args.seed.seed };
    let scenario = generate::changes(&grid, &name, &config)?;
    let patch_text = movingai::patch::write(&scenario.patches);
    let cannot = || format!("cannot write the patches of {}", file.display());
    let patch_file = files::prepare(&patches, patch_text).with_context(cannot)?;
    // Prepare both files before replacing either: they belong together.
    let scenario_file = files::prepare(file, movingai::dynamic::write(&scenario))?;
    patch_file.finish().with_context(cannot)?;
    Ok(scenario_file.finish()?)
}

/// Writes to a file, or prints; on a terminal only text that fits.
fn emit(text: &str, what: &str, file: Option<&Path>) -> Result<()> {
    if let Some(path) = file {
        return Ok(files::write(path, text)?);
    }
    output::ensure_no_flood(!Screen::stdout().has_room_for(text), what)?;
    output::print(text)
}
