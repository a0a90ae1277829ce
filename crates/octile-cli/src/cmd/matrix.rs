//! `octile matrix`: writes the costs between many cells.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PathBufValueParser, TypedValueParser};
use octile::engine::Matrix;
use octile::grid::Convention;
use octile::{Catalog, Cell, Engine, Grid, PathCost, files};

use crate::harness::Outcome;
use crate::harness::args::{AgentArgs, PlannerArgs, extension};
use crate::harness::inputs::{self, Listed};
use crate::harness::output;
use crate::report::{csv, json, npy, text};

/// Write the costs between many cells to a file
///
/// The cells come from files with one `x,y` per line; blank lines and comments after `#` are ignored. The output has a
/// line for each source and a column for each target, with costs as decimal numbers, without a header; an entry is
/// empty if there is no path. If the name ends in .npy, the output is an array for numpy in Python: float64, sources by
/// targets, NaN where there is no path. Planner `hub-labels` is the fastest, and `taut-labels` for any-angle paths.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile matrix arena.map --sources units.txt --targets goals.txt -o costs.csv
  octile matrix arena.map --sources units.txt --targets units.txt --planner hub-labels -o costs.npy
  octile matrix arena.map --sources units.txt --targets - -o costs.csv --json < goals.txt")]
pub(crate) struct Args {
    /// The map, or `-` for standard input
    map: PathBuf,

    /// The cells to start from, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    sources: PathBuf,

    /// The cells to go to, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    targets: PathBuf,

    #[command(flatten)]
    agent: AgentArgs,

    #[command(flatten)]
    planner: PlannerArgs,

    /// Write the costs here; the name ends in .csv or .npy
    #[arg(short, long, value_name = "FILE", value_parser = TableFile::parser())]
    output: TableFile,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The output file of a table; its ending chooses the format.
#[derive(Clone, Debug)]
struct TableFile {
    path: PathBuf,
    is_npy: bool,
}

impl TableFile {
    fn new(path: PathBuf) -> Result<Self> {
        let is_npy = match extension(&path).as_deref() {
            Some("csv") => false,
            Some("npy") => true,
            _ => bail!("the name of a matrix must end in .csv or .npy"),
        };
        Ok(Self { path, is_npy })
    }

    fn parser() -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().try_map(Self::new)
    }

    fn write(&self, matrix: &Matrix) -> Result<()> {
        let length = |cost: &Option<PathCost>| cost.map(PathCost::length);
        Ok(files::write_by(&self.path, |file| {
            if self.is_npy {
                npy::write(file, matrix.shape(), matrix.rows().flatten().map(length))
            } else {
                csv::table(file, matrix.rows().map(|row| row.iter().map(length)))
            }
        })?)
    }
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    check_files(args)?;
    let file = inputs::map(&args.map, args.planner.movement.movement, &args.planner.read)?;
    let spec = args.planner.spec(catalog, &file.grid)?;
    let (_, grid) = args.agent.fit(&file, spec.squeeze().is_some(), &inputs::name(&args.map))?;
    let [sources, targets] = [&args.sources, &args.targets].map(|list| cells(list, &args.agent, &file.grid, &grid));
    let (sources, targets) = (sources?, targets?);
    let map = args.map.display().to_string();
    let engine = Engine::of(args.planner.build(&spec, &grid, &map, catalog)?);
    let clock = Instant::now();
    let matrix = engine.matrix(&sources, &targets).with_context(|| map.clone())?;
    let time = clock.elapsed();
    args.output.write(&matrix)?;
    let report = json::MatrixReport {
        schema: output::SCHEMA,
        map,
        planner: spec.to_string(),
        chosen: engine.chosen().map(|chosen| chosen.to_string()),
        movement: grid.movement().name(),
        convention: grid.convention().map(Convention::name),
        file: args.output.path.display().to_string(),
        sources: sources.len(),
        targets: targets.len(),
        reachable_pairs: matrix.rows().flatten().flatten().count(),
        time_us: time.as_nanos() as f64 / 1000.0,
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&text::matrix(&report, time))?;
    }
    Ok(Outcome::Good)
}

/// Checks before anything is read that standard input is used once at most, and that the output can be written and does
/// not replace an input.
fn check_files(args: &Args) -> Result<()> {
    let inputs = [&args.map, &args.sources, &args.targets];
    let piped = inputs.iter().filter(|file| file.as_path() == Path::new(inputs::STDIN)).count();
    ensure!(piped <= 1, "standard input can be read only once: give the others as files");
    let output = &args.output.path;
    files::ensure_possible(output)?;
    inputs::ensure_is_not_the_map(output, &args.map, "matrix")?;
    for list in &inputs[1..] {
        let is_same = output.canonicalize().is_ok_and(|place| list.canonicalize().is_ok_and(|list| list == place));
        ensure!(!is_same, "{} has the cells: give the matrix another name", output.display());
    }
    Ok(())
}

/// The cells of a file, all of which must be free cells of the map.
fn cells(file: &Path, agent: &AgentArgs, grid: &Grid, fitting: &Grid) -> Result<Vec<Cell>> {
    let listed = inputs::cells(file)?;
    for &Listed { line, cell } in &listed {
        let (width, height) = (grid.width(), grid.height());
        let place = || format!("{}, line {line}: {cell}", inputs::name(file));
        ensure!(grid.contains(cell), "{} is off the map: x must be below {width} and y below {height}", place());
        ensure!(grid.is_free(cell), "{} is blocked: choose a free cell", place());
        agent.ensure_fits(grid, fitting, cell).with_context(|| format!("{}, line {line}", inputs::name(file)))?;
    }
    Ok(listed.into_iter().map(|listed| listed.cell).collect())
}
