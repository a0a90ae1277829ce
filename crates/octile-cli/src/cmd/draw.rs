//! `octile draw`: draws a map, and a search on it.

use std::path::PathBuf;
use std::slice;

use anyhow::{Context, Result};
use octile::Catalog;
use octile::formats::draw::Picture;

use crate::harness::Outcome;
use crate::harness::args::{EndsArgs, PictureFile, PlannerArgs};
use crate::harness::indexes::IndexFiles;
use crate::harness::screen::Screen;
use crate::harness::search::{self, Search};
use crate::harness::show::Show;
use crate::harness::{inputs, output};

/// Draw a map, and a search on it
///
/// With --from and --to, the picture also shows the cells that the planner expanded and the path; for `rea-star` its
/// rectangles, search nodes and wall cells, for `block-astar` its blocks. Any-angle paths go through corners; an
/// expanded corner is shown as the cell to its lower right, if that is free. For `taut-sight` and `taut-graph` the
/// picture shows what is in sight of the start (green), of the goal (red) and of the corners of obstacles where the
/// search continued (blue), and the lines of sight that it tested. On a map with prices, a cell is darker the more it
/// costs, and a legend lists the prices. The exit code is 1 if there is no path; the picture is drawn anyway.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile draw arena.map -o arena.png
  octile draw arena.map -o search.svg --from 1,12 --to 40,3 --planner astar
  octile draw arena.map -o sight.png --from 1,12 --to 40,3 --planner taut-sight:ends=centres
  octile draw arena.map -o areas.png --show blocked-areas
  octile draw arena.map -o gates.png --show gates --from 1,12 --to 40,3 --planner jps:prune=gates
  octile draw swamp.map --prices tank.prices -o swamp.png --from 1,12 --to 40,3
  octile draw arena.map > arena.svg
  octile gen maze | octile draw - -o maze.png")]
pub(crate) struct Args {
    /// The map, or `-` for standard input
    map: PathBuf,

    /// Write the picture here; the name ends in .png or .svg [default: SVG on standard output, unless that is a
    /// terminal]
    #[arg(short, long, value_name = "FILE", value_parser = PictureFile::parser())]
    output: Option<PictureFile>,

    #[command(flatten)]
    ends: EndsArgs,

    #[command(flatten)]
    planner: PlannerArgs,

    /// Also show what pruners find on the map; may be given more than once. With --from and --to, the part pruned for
    /// that query is shaded
    #[arg(long, value_name = "WHAT", value_enum)]
    show: Vec<Show>,

    /// Leave out the legend below a map with prices
    #[arg(long)]
    no_legend: bool,

    /// Pixels per cell [default: depends on the size of the map]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: Option<u32>,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    output::ensure_no_flood(args.output.is_none() && Screen::stdout().is_terminal(), "a picture as SVG text")?;
    let grid = inputs::map(&args.map, args.planner.movement.movement, &args.planner.read)?.grid;
    let spec = args.planner.spec(catalog, &grid)?;
    let map = args.map.display().to_string();
    let ends = args.ends.ends_on(&grid).with_context(|| map.clone())?;
    let indexes = IndexFiles::open(&args.planner.index, &grid, catalog)?;
    let shown: Vec<&str> = args.show.iter().filter_map(|show| show.index_kind()).collect();
    indexes.check_used(if ends.is_some() { slice::from_ref(&spec) } else { &[] }, &shown, catalog)?;
    let run = |ends| Search::run(&spec, indexes.finder(&spec, &grid, &map)?, ends, true).with_context(|| map.clone());
    let search = ends.map(run).transpose()?;
    let mut picture = Picture::new(&grid);
    if let Some(scale) = args.scale {
        picture = picture.scale(scale);
    }
    if args.no_legend {
        picture = picture.without_legend();
    }
    let mut shows = args.show.clone();
    shows.sort_unstable();
    shows.dedup();
    for show in shows {
        picture = show.paint(picture, &grid, &indexes, ends)?;
    }
    if let Some(search) = &search {
        picture = search.paint(picture);
    }
    match &args.output {
        Some(file) => search::save(&picture, file, &args.map)?,
        None => output::print(&picture.to_svg()?)?,
    }
    match search.filter(|search| !search.found) {
        Some(search) => {
            output::say(format_args!("no path from {} to {}", search.query.start, search.query.goal));
            Ok(Outcome::Bad)
        }
        None => Ok(Outcome::Good),
    }
}
