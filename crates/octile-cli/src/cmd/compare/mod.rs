//! `octile compare`: races planners on the same queries.

pub(crate) mod dynamic;
mod field;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use octile::{Catalog, Output, PlannerSpec, files};

use self::field::Field;
use crate::harness::Outcome;
use crate::harness::args::{IndexArg, MovementArg, ReadArgs, TERRAIN_PLANNER, at_least_one, knows, output_kind};
use crate::harness::engine::{Engine, Peer};
use crate::harness::inputs::{self, Selection};
use crate::harness::machine::Machine;
use crate::harness::output;
use crate::harness::race::Race;
use crate::harness::screen::Screen;
use crate::report::{csv, json, text};

/// Race planners against each other
///
/// All planners answer the same queries in one process: first in an untimed pass that is checked, then in the timed
/// rounds, in an order that rotates. A query's time is its best of the rounds. Every path is checked move by move.
/// Optimal planners must agree exactly with each other and with the scenario file, bounded ones must keep within their
/// weight, and any-angle paths must not be longer than the best grid path. A wrong answer is reported and counted, and
/// makes the exit code 1.
///
/// Times, expansions and lengths are means over queries; lengths only over those that all planners answered with a
/// path. Build time and index size are means over maps. --csv writes a line for each query and planner.
///
/// If a file of a folder is bad, or a planner refuses a map, the race continues without it and reports it at the end;
/// the exit code is then 1. A bad file that the command itself names is an error, with code 2. A planner that did not
/// run on all maps has its own table, and is compared with the first planner on the maps that it ran on.
///
/// With --index, planners read their indexes from files, each for the map it was made for; the build time is then the
/// time to open them.
///
/// A dynamic scenario, which begins with `version 2`, contains its map, and changes it between the queries. All
/// planners play it from the beginning in every round: the table has the time of its changes, of its queries and of
/// both together. Planners that refuse edits are left out, with a note.
///
/// Without a map, the race runs on built-in maps: open, rooms, a maze and random obstacles.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile compare
  octile compare arena.map --planner astar --planner jps
  octile compare dao/ rooms/ --planner astar --planner jps --every 20 --json
  octile compare arena.map --planner astar --planner jps --csv times.csv
  octile compare siege.scen --planner astar --planner corner-sweep --planner jump-graph
  octile compare dao/ --planner theta-star --planner jps:smooth=greedy --every 20
  octile compare swamp.map --prices tank.prices --planner dijkstra --planner astar
  octile compare maps/ --scen-dir scenarios/ --planner jps --output cells")]
pub struct Args {
    /// Maps, or folders with maps, whose problems are in X.map.scen beside X.map; or scenario files, each with its map;
    /// or dynamic scenarios
    #[arg(value_name = "MAP|DIR")]
    maps: Vec<PathBuf>,

    /// A planner; may be given more than once, and the first is the baseline [default: astar, astar:open=buckets,
    /// weighted-astar:weight=1.5, jps, corner-sweep, jump-graph, core-search, core-table, hub-labels, rea-star,
    /// block-astar and auto, if they support the movement and, with --prices, terrain; core-table and hub-labels only
    /// where their indexes take about a second at most]
    #[arg(long = "planner", value_name = "SPEC")]
    planners: Vec<PlannerSpec>,

    #[command(flatten)]
    movement: MovementArg,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    index: IndexArg,

    /// Look for the scenario files in this folder instead of beside the maps
    #[arg(long, value_name = "DIR", requires = "maps")]
    scen_dir: Option<PathBuf>,

    #[command(flatten)]
    selection: Selection,

    /// Take at most N problems of each map
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<NonZeroUsize>,

    /// The number of timed rounds; the best time of each query counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one)]
    rounds: NonZeroUsize,

    /// What every planner must produce in the timed part
    #[arg(long, value_name = "KIND", default_value = "waypoints", value_parser = output_kind())]
    output: Output,

    /// Write the time of every query here, as comma-separated values: a line for each map, query and planner. `-`
    /// prints them instead of the table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print one JSON document; the times of single queries are only in --csv
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    race(args, catalog, &[])
}

/// Runs `compare` with engines of other projects in the race. Their wrong answers are reported in their own lines and
/// do not make the outcome bad.
///
/// # Errors
///
/// If the arguments, a map, a scenario or an index file are wrong, or no planner can run.
pub fn race(args: &Args, catalog: &Catalog, peers: &'static [Peer]) -> Result<Outcome> {
    if dynamic::is_asked_for(args)? {
        return dynamic::compare(args, catalog, peers);
    }
    ensure!(!(args.json && args.prints_csv()), "--json and --csv - both print: give --csv a file");
    args.csv.as_deref().filter(|_| !args.prints_csv()).map_or(Ok(()), files::ensure_possible)?;
    let movement = args.movement.movement;
    let has_prices = args.read.prices.is_some() || args.read.convention.is_some();
    ensure!(!args.maps.is_empty() || !has_prices, "the built-in maps have no prices: name a map that has some");
    let mut field = if args.maps.is_empty() { Field::built_in() } else { Field::of_files(args)? };
    let planners = planners(args, catalog)?;
    let indexes = field.open_indexes(args, catalog)?;
    indexes.check_used(&planners, &[], catalog)?;
    let mut race = Race::new(planners, args.output, args.rounds.get());
    for entrant in &race.entrants {
        entrant.engine.check_movement(movement)?;
    }
    for peer in peers {
        peer.check_movement(movement)?;
        race.enter_engine(Engine::Peer(peer), args.rounds.get());
    }
    let bar = output::progress(field.sources.len() as u64 * race.steps_per_course(), "racing");
    field.run(&mut race, args, &indexes, catalog, &bar)?;
    bar.finish_and_clear();
    race.complain();
    field.complain(&race);
    report(args, &race, &field)?;
    Ok(field.outcome(&race, args.planners.is_empty()))
}

/// Writes the times to the file of `--csv`, and prints the result.
fn report(args: &Args, race: &Race, field: &Field) -> Result<()> {
    let (movement, machine) = (args.movement.movement, Machine::here());
    match &args.csv {
        Some(_) if args.prints_csv() => return output::print_bytes(&csv::times(race)?),
        Some(file) => files::write(file, csv::times(race)?)?,
        None => {}
    }
    if args.json {
        let skipped = field.missing.iter().chain(&field.bad).cloned().collect();
        output::print_json(&json::Compare::new(race, movement, machine, skipped))
    } else {
        output::print(&text::compare(race, movement, &machine, Screen::stdout()))
    }
}

impl Args {
    fn prints_csv(&self) -> bool {
        self.csv.as_deref() == Some(Path::new(inputs::STDIN))
    }
}

/// The planners given, or those of the default that support the rule.
fn planners(args: &Args, catalog: &Catalog) -> Result<Vec<PlannerSpec>> {
    if !args.planners.is_empty() {
        return Ok(args.planners.clone());
    }
    let has_prices = args.read.prices.is_some();
    let supported = |spec: &PlannerSpec| {
        spec.movements().contains(&args.movement.movement) && (!has_prices || spec.takes_terrain())
    };
    let over_terrain = (has_prices && knows(catalog, TERRAIN_PLANNER)).then_some(TERRAIN_PLANNER);
    let specs = DEFAULT.into_iter().chain(over_terrain);
    let all = specs.map(|spec| catalog.parse(spec)).collect::<Result<Vec<PlannerSpec>, _>>()?;
    Ok(all.into_iter().filter(supported).collect())
}

/// The planners that race if none is given. None has an index that takes a search from every cell; a planner whose
/// index takes more than about a second retires.
const DEFAULT: [&str; 12] = [
    "astar",
    "astar:open=buckets",
    "weighted-astar:weight=1.5",
    "jps",
    "corner-sweep",
    "jump-graph",
    "core-search",
    "core-table",
    "hub-labels",
    "rea-star",
    "block-astar",
    "auto",
];

#[cfg(test)]
mod tests {
    use octile::planner::IndexEffort;

    use super::*;

    #[test]
    fn no_default_planner_searches_from_every_cell() {
        for spec in DEFAULT {
            assert_ne!(spec.parse::<PlannerSpec>().unwrap().about().index, IndexEffort::AllPairs, "{spec}");
        }
    }
}
