//! `octile field`: writes the distances from all cells to the nearest of some goals.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::builder::{PathBufValueParser, TypedValueParser};
use octile::formats::draw::Picture;
use octile::grid::Convention;
use octile::{Cell, Field, Grid, PathCost, files};

use crate::harness::Outcome;
use crate::harness::args::{AgentArgs, MovementArg, PictureFile, ReadArgs, extension, max_cost};
use crate::harness::output::SCHEMA;
use crate::harness::words::{count, duration};
use crate::harness::{inputs, output, search};
use crate::report::json::{FieldMade, cost_parts};
use crate::report::{csv, npy};

/// Write the distances from all cells to the nearest of some goals
///
/// The ending of the file's name chooses the format. A .csv file has a line for each row of the map, with the length of
/// a shortest path from each cell to a goal as a decimal number; the entry is empty for cells that are blocked or have
/// no path. A .npy file, for numpy in Python, has the same values as float64 in an array of shape (height, width), with
/// NaN for these cells. A .png or .svg file is a picture: colours by distance, lines of equal distance, a ring at each
/// goal, grey cells without a path.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile field arena.map --to 40,3 -o distances.csv
  octile field arena.map --to 40,3 --to 1,12 -o field.png
  octile field arena.map --to 40,3 --max-cost 20 --json -o near.npy
  octile field arena.map --to 40,3 --size 2 -o wagons.png
  octile field swamp.map --to 40,3 --prices tank.prices -o swamp.csv
  octile gen rooms | octile field - --to 250,250 -o rooms.svg")]
pub(crate) struct Args {
    /// The map, or `-` for standard input
    map: PathBuf,

    /// A goal: column and row, counted from 0 at the top left; may be given more than once
    #[arg(long, value_name = "X,Y", required = true, allow_hyphen_values = true)]
    to: Vec<Cell>,

    /// Leave out cells whose paths are longer
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, value_parser = max_cost)]
    max_cost: Option<f64>,

    #[command(flatten)]
    agent: AgentArgs,

    #[command(flatten)]
    movement: MovementArg,

    #[command(flatten)]
    read: ReadArgs,

    /// Write the distances here; the name ends in .csv, .npy, .png or .svg
    #[arg(short, long, value_name = "FILE", value_parser = FieldFile::parser())]
    output: FieldFile,

    /// Print a summary as one JSON document
    #[arg(long)]
    json: bool,
}

/// The output file of a field; its ending chooses the format.
#[derive(Clone, Debug)]
enum FieldFile {
    Csv(PathBuf),
    Npy(PathBuf),
    Picture(PictureFile),
}

impl FieldFile {
    fn parser() -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().try_map(Self::new)
    }

    fn new(path: PathBuf) -> Result<Self> {
        Ok(match extension(&path).as_deref() {
            Some("csv") => Self::Csv(path),
            Some("npy") => Self::Npy(path),
            Some("png" | "svg") => Self::Picture(PictureFile::new(path)?),
            _ => bail!("the name of a field must end in .csv, .npy, .png or .svg"),
        })
    }

    fn path(&self) -> &Path {
        match self {
            Self::Csv(path) | Self::Npy(path) | Self::Picture(PictureFile { path, .. }) => path,
        }
    }

    fn save(&self, field: &Field, map: &Path) -> Result<()> {
        let (width, height) = (field.grid().width(), field.grid().height());
        let (shape, rows) = ((height as usize, width as usize), || (0..height).map(|y| row(field, y)));
        match self {
            Self::Csv(path) => Ok(files::write_by(path, |file| csv::table(file, rows()))?),
            Self::Npy(path) => Ok(files::write_by(path, |file| npy::write(file, shape, rows().flatten()))?),
            Self::Picture(file) => search::save(&Picture::new(field.grid()).field(field), file, map),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let file = args.output.path();
    files::ensure_possible(file)?;
    let map = inputs::map(&args.map, args.movement.movement, &args.read)?;
    inputs::ensure_is_not_the_map(file, &args.map, "field")?;
    let (_, grid) = args.agent.fit(&map, false, &inputs::name(&args.map))?;
    args.to.iter().try_for_each(|&goal| args.agent.ensure_fits(&map.grid, &grid, goal))?;
    let clock = Instant::now();
    let field = Field::within(&grid, &args.to, args.max_cost.unwrap_or(f64::INFINITY))
        .with_context(|| args.map.display().to_string())?;
    let time = clock.elapsed();
    args.output.save(&field, &args.map)?;
    let greatest = grid.cells().filter_map(|cell| Some((field.cost(cell)?, field.path_cost(cell)?)));
    let greatest = greatest.max_by_key(|&(counts, _)| counts).map(|(_, cost)| cost);
    let made = summary(args, &grid, &field, greatest, time);
    if args.json {
        output::print_json(&made)?;
    } else {
        output::print(&sentence(&made, greatest.unwrap_or_default(), time))?;
    }
    Ok(Outcome::Good)
}

fn summary(args: &Args, grid: &Grid, field: &Field, greatest: Option<PathCost>, time: Duration) -> FieldMade {
    FieldMade {
        schema: SCHEMA,
        map: args.map.display().to_string(),
        movement: grid.movement().name(),
        convention: grid.convention().map(Convention::name),
        goals: field.goals().iter().map(|&goal| goal.into()).collect(),
        max_cost: args.max_cost.filter(|cost| cost.is_finite()),
        file: args.output.path().display().to_string(),
        free_cells: grid.free_cells(),
        reachable: grid.cells().filter(|&cell| field.cost(cell).is_some()).count(),
        greatest_cost: greatest.and_then(PathCost::counts),
        cost_parts: greatest.and_then(cost_parts),
        greatest_length: greatest.map(PathCost::length),
        time_us: time.as_nanos() as f64 / 1000.0,
    }
}

fn sentence(made: &FieldMade, greatest: PathCost, time: Duration) -> String {
    let goals = count(made.goals.len(), "goal", "goals");
    format!(
        "{}: {} of {} free cells lead to {goals}, the farthest by {greatest} = {:.5}; found in {}\n",
        made.file,
        made.reachable,
        made.free_cells,
        greatest.length(),
        duration(time)
    )
}

/// The lengths in a row of the map, from the left.
fn row(field: &Field, y: u32) -> impl Iterator<Item = Option<f64>> + '_ {
    (0..field.grid().width()).map(move |x| field.length((x, y)))
}
