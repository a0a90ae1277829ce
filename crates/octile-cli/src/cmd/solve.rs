//! `octile solve`: finds a path on a map.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use octile::formats::MapFile;
use octile::formats::draw::Picture;
use octile::planner::Nearest;
use octile::planner::QueryOptions;
use octile::{Catalog, Cell, Finder, Grid};

use crate::harness::Outcome;
use crate::harness::args::{AgentArgs, PictureFile, Place, PlannerArgs, ReadArgs, max_cost};
use crate::harness::search::{self, Question, Search};
use crate::harness::{inputs, output};
use crate::report::{json, text};

/// Find a path on a map
///
/// Prints the exact cost (a+b√2 for a straight and b diagonal moves, weighted by prices on a map with --prices), its
/// decimal value, the turning points and the work of the search. For any-angle planners it prints the length and the
/// corners where the path turns; start and goal then stand for the upper left corners of their cells, or with the key
/// `ends=centres` for their centres. With many goals, the path leads to the one with the shortest path, the first of
/// several. The exit code is 1 if there is no path, or none within the limits.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile solve arena.map --from 1,12 --to 40,3
  octile solve arena.map --from 1,12 --to 40,3 --planner weighted-astar:weight=1.5 --draw search.png
  octile solve arena.map --from 1,12 --to 40,3 --planner theta-star
  octile solve arena.map --from 1,12 --to 40,3 --to 5,30 --max-cost 100
  octile solve arena.map --from 1,12 --to 0,0 --nearest --size 2
  octile solve swamp.map --from 1,12 --to 40,3 --prices tank.prices
  octile solve swamp.map --from 1,12 --to 40,3 --prices boat.prices --convention enter --json
  octile solve robot.yaml --from 10,10 --to 90,40 --json
  octile solve robot.yaml --from 10,10 --to 90,40 --prices occupancy
  octile solve robot.yaml --metres --from 1.5,2 --to 4,1.5 --radius 0.22m
  octile gen rooms | octile solve - --from 2,2 --to 500,500")]
pub(crate) struct Args {
    /// The map, or `-` for standard input
    map: PathBuf,

    /// The start: column and row, counted from 0 at the top left
    // Let a leading minus reach the parser of places, whose message is clearer.
    #[arg(long, value_name = "X,Y", requires = "to", allow_hyphen_values = true)]
    from: Option<Place>,

    /// A goal; may be given more than once, for the goal with the shortest path
    #[arg(long, value_name = "X,Y", requires = "from", allow_hyphen_values = true)]
    to: Vec<Place>,

    /// Go to the reachable cell nearest to a goal, if no goal can be reached; and start from the nearest free cell, if
    /// the start is blocked. Nearest by the straight line, then by the length of the path, then row by row
    #[arg(long)]
    nearest: bool,

    /// Find only paths up to this length
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, value_parser = max_cost)]
    max_cost: Option<f64>,

    /// Give up after this many expansions
    #[arg(long, value_name = "N")]
    max_expanded: Option<u64>,

    /// Give up after this many milliseconds
    #[arg(long, value_name = "MS")]
    max_ms: Option<u64>,

    #[command(flatten)]
    agent: AgentArgs,

    /// Read and print places and lengths in metres, on a ROS map
    #[arg(long)]
    metres: bool,

    #[command(flatten)]
    planner: PlannerArgs,

    /// Print one JSON document, with every cell of the path, or its corners
    #[arg(long)]
    json: bool,

    /// Draw the map, the search and the path; the name ends in .png or .svg
    #[arg(long, value_name = "FILE", value_parser = PictureFile::parser())]
    draw: Option<PictureFile>,
}

impl Args {
    /// The question, if start and goal are given.
    fn question(&self, file: &MapFile, map: &str) -> Result<Option<Question>> {
        let Some(from) = &self.from else { return Ok(None) };
        let cell = |place: &Place| place.cell(file.georeference.as_ref(), self.metres, map);
        let in_cells = |length: f64| match &file.georeference {
            Some(place) if self.metres => place.metres_to_cells(length),
            _ => length,
        };
        let to = self.to.iter().map(cell).collect::<Result<Vec<_>>>()?;
        Ok(Some(Question {
            from: cell(from)?,
            to,
            options: QueryOptions {
                nearest: if self.nearest { Nearest::Both } else { Nearest::No },
                max_cost: self.max_cost.map_or(f64::INFINITY, in_cells),
                max_expanded: self.max_expanded.unwrap_or(u64::MAX),
                timeout: self.max_ms.map(Duration::from_millis),
                ..QueryOptions::default()
            },
        }))
    }
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let movement = args.planner.movement.movement;
    let file = inputs::map(&args.map, movement, &args.planner.read)?;
    let spec = args.planner.spec(catalog, &file.grid)?;
    let map = args.map.display().to_string();
    let question = args.question(&file, &map)?.with_context(|| missing_ends(&map, &file.grid, &args.planner.read))?;
    let (agent, grid) = args.agent.fit(&file, spec.squeeze().is_some(), &map)?;
    if !args.nearest {
        let ends = question.to.iter().chain([&question.from]);
        ends.copied().try_for_each(|cell| args.agent.ensure_fits(&file.grid, &grid, cell))?;
    }
    question.query().check(&grid).with_context(|| map.clone())?;
    let finder = Finder::of(args.planner.build(&spec, &grid, &map, catalog)?);
    let search = Search::ask(&spec, finder, question, args.draw.is_some()).context(map)?;
    if let Some(picture) = &args.draw {
        search::save(&search.paint(Picture::new(&file.grid)), picture, &args.map)?;
    }
    let place = file.georeference.as_ref();
    if args.json {
        output::print_json(&json::Solve::new(&spec, movement, &search, agent, place))?;
    } else {
        output::print(&text::solve(&spec, &search, place.filter(|_| args.metres)))?;
    }
    Ok(if search.found { Outcome::Good } else { Outcome::Bad })
}

/// The message for missing ends, with an example of two connected cells.
fn missing_ends(map: &str, grid: &Grid, read: &ReadArgs) -> String {
    let free = || grid.cells().filter(|&cell| grid.is_free(cell));
    let farthest = |from: Cell| free().rfind(|&to| grid.may_connect(from, to)).map(|to| (from, to));
    // The first free cell may be cut off from all others.
    let ends =
        free().take(20).filter_map(farthest).max_by_key(|(from, to)| from.x.abs_diff(to.x) + from.y.abs_diff(to.y));
    ends.map_or_else(
        || format!("{map} has no free cell, so there is no path to find"),
        |(from, to)| {
            format!(
                "give a start and a goal: write, for example, `octile solve {map} --from {from} --to {to}{}`",
                read.written()
            )
        },
    )
}
