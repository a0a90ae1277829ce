//! `octile solve`: one path on one map.

use std::path::PathBuf;

use anyhow::{Context, Result};
use octile::draw::Picture;
use octile::{Catalog, Cell, Finder, Grid};

use crate::harness::Outcome;
use crate::harness::args::{EndsArgs, PictureFile, PlannerArgs};
use crate::harness::search::{self, Search};
use crate::harness::{inputs, output};
use crate::report::{json, text};

/// Find a path on a map
///
/// Prints the exact cost (a+b√2 for a straight and b diagonal moves), its decimal value, the turning points and what the
/// search took. Of any-angle planners it prints the length and the corners where the path turns; start and goal then stand
/// for the upper left corners of their cells, or with the key `ends=centres` for their centres. Exits with 1 if there is no path.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile solve arena.map --from 1,12 --to 40,3
  octile solve arena.map --from 1,12 --to 40,3 --planner weighted-astar:weight=1.5 --draw search.png
  octile solve arena.map --from 1,12 --to 40,3 --planner theta-star
  octile solve robot.yaml --from 10,10 --to 90,40 --json
  octile gen rooms | octile solve - --from 2,2 --to 500,500")]
pub(crate) struct Args {
    /// The map, or `-` for standard input
    map: PathBuf,

    #[command(flatten)]
    ends: EndsArgs,

    #[command(flatten)]
    planner: PlannerArgs,

    /// Print one JSON document, with every cell of the path, or its corners
    #[arg(long)]
    json: bool,

    /// Draw the map, the search and the path; the name ends in .png or .svg
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parser())]
    draw: Option<PictureFile>,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let spec = args.planner.spec(catalog)?;
    let movement = args.planner.movement.movement;
    let grid = inputs::map(&args.map, movement, args.planner.unknown.unknown)?.grid;
    let map = args.map.display().to_string();
    let ends = args.ends.ends_on(&grid).with_context(|| map.clone())?;
    let ends = ends.with_context(|| missing_ends(&map, &grid))?;
    let finder = Finder::of(args.planner.build(&spec, &grid, &map, catalog)?);
    let search = Search::run(&spec, finder, ends, args.draw.is_some()).context(map)?;
    if let Some(file) = &args.draw {
        search::save(&search.paint(Picture::new(&grid)), file, &args.map)?;
    }
    if args.json {
        output::print_json(&json::Solve::new(&spec, movement, &search))?;
    } else {
        output::print(&text::solve(&spec, &search))?;
    }
    Ok(if search.found { Outcome::Good } else { Outcome::Bad })
}

/// What to type instead, with two cells of the map between which there is a path.
fn missing_ends(map: &str, grid: &Grid) -> String {
    let free = || grid.cells().filter(|&cell| grid.is_free(cell));
    let farthest = |from: Cell| free().rfind(|&to| grid.may_connect(from, to)).map(|to| (from, to));
    // The first free cells may be cut off from all others.
    let ends =
        free().take(20).filter_map(farthest).max_by_key(|(from, to)| from.x.abs_diff(to.x) + from.y.abs_diff(to.y));
    ends.map_or_else(
        || format!("{map} has no free cell: there is nothing to solve"),
        |(from, to)| format!("from where to where? Write, for example, `octile solve {map} --from {from} --to {to}`"),
    )
}
