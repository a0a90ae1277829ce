//! `octile solve`: one path on one map.

use std::path::PathBuf;

use anyhow::{Context, Result};
use octile::draw::Picture;
use octile::{Catalog, Cell, Finder};

use crate::harness::Outcome;
use crate::harness::args::{PictureFile, PlannerArgs};
use crate::harness::search::{self, Search};
use crate::harness::{inputs, output};
use crate::report::{json, text};

/// Find a path on a map
///
/// Prints the exact cost (a+b√2 for a straight and b diagonal moves), its decimal value, the turning points and what the
/// search took. Of any-angle planners it prints the length and the corners where the path turns; start and goal then stand
/// for the upper left corners of their cells. Exits with 1 if there is no path.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile solve arena.map --from 1,12 --to 40,3
  octile solve arena.map --from 1,12 --to 40,3 --planner weighted-astar:weight=1.5 --draw search.png
  octile solve arena.map --from 1,12 --to 40,3 --planner theta-star
  octile solve robot.yaml --from 10,10 --to 90,40 --json")]
pub(crate) struct Args {
    /// The map
    map: PathBuf,

    /// The start: column and row, counted from 0 at the top left
    // A leading minus must reach the cell's own parser, whose message is clearer.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    from: Cell,

    /// The goal
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    to: Cell,

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
    let grid = inputs::map(&args.map, movement)?.grid;
    let map = args.map.display().to_string();
    let finder = Finder::of(args.planner.build(&spec, &grid, &map, catalog)?);
    let search = Search::run(&spec, finder, (args.from, args.to), args.draw.is_some()).context(map)?;
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
