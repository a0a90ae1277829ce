//! `octile compare`: planners against each other on the same queries.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use octile::generate::{self, ScenarioConfig};
use octile::{Catalog, Grid, Movement, Output, PlannerSpec};

use crate::harness::Outcome;
use crate::harness::args::{IndexArg, MovementArg, at_least_one, output_kind};
use crate::harness::engine::{Engine, Peer};
use crate::harness::indexes::IndexFiles;
use crate::harness::inputs::{self, Selection, Task};
use crate::harness::output;
use crate::harness::race::{Course, Race};
use crate::report::json;
use crate::report::text;

/// Race planners against each other
///
/// All planners answer the same queries in one process: an untimed pass that is checked, then the timed rounds, in an
/// order that rotates. A query's time is its best of the rounds. Every path is checked move by move; optimal planners
/// must agree exactly with each other and with the scenario file, bounded ones must keep within their weight, and any-angle
/// paths must not be longer than the best grid path. A wrong answer is reported, counted, and makes the exit code 1. Lengths
/// are means over the queries that all planners answered with a path.
///
/// With --index planners take their indexes from files, each for the map it was made for; the build time is then the time to
/// open them.
///
/// Without a map the race is on built-in maps: open, rooms, a maze and random obstacles.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile compare
  octile compare arena.map --planner astar --planner jps
  octile compare dao/ rooms/ --planner astar --planner jps --every 20 --json
  octile compare dao/ --planner astar:on=corners --planner theta-star --planner jps:smooth=greedy --every 20
  octile compare maps/ --scen-dir scenarios/ --planner jps --output cells")]
pub struct Args {
    /// Maps, or directories with maps; the problems are those of X.map.scen beside X.map
    #[arg(value_name = "MAP|DIR")]
    maps: Vec<PathBuf>,

    /// A planner; give one for each, the first is the yardstick [default: astar, astar:open=buckets,
    /// weighted-astar:weight=1.5, jps, corner-sweep, jump-graph, rea-star and block-astar, as far as they support the movement]
    #[arg(long = "planner", value_name = "SPEC")]
    planners: Vec<PlannerSpec>,

    #[command(flatten)]
    movement: MovementArg,

    #[command(flatten)]
    index: IndexArg,

    /// Look for the scenario files here instead of beside the maps
    #[arg(long, value_name = "DIR", requires = "maps")]
    scen_dir: Option<PathBuf>,

    #[command(flatten)]
    selection: Selection,

    /// Take at most N problems of each map
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<NonZeroUsize>,

    /// How often each query is timed; the best time counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one)]
    rounds: NonZeroUsize,

    /// What every planner must produce inside the timed part
    #[arg(long, value_name = "KIND", default_value = "waypoints", value_parser = output_kind())]
    output: Output,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    race(args, catalog, &[])
}

/// Runs `compare` with engines of other projects in the race. What they answer wrong is counted in their lines, told apart, and does
/// not make the outcome bad.
///
/// # Errors
///
/// If the arguments, a map, a scenario or an index file are wrong, or nothing can run.
pub fn race(args: &Args, catalog: &Catalog, peers: &'static [Peer]) -> Result<Outcome> {
    let movement = args.movement.movement;
    let sources = if args.maps.is_empty() { BUILT_IN.map(Source::BuiltIn).into() } else { files(args)? };
    let planners = planners(args, catalog)?;
    let maps = sources.iter().map(|source| source.map(movement));
    let indexes = IndexFiles::open_for_maps(&args.index.files, movement, maps, catalog)?;
    indexes.check_used(&planners, &[], catalog)?;
    let mut race = Race::new(planners, args.output, args.rounds.get());
    for peer in peers {
        peer.check_movement(movement)?;
        race.enter_engine(Engine::Peer(peer), args.rounds.get());
    }
    let bar = output::progress(sources.len() as u64 * race.steps_per_course(), "racing");
    for source in &sources {
        race.run(&source.course(args, &indexes)?, &bar)?;
    }
    bar.finish_and_clear();
    race.complain();
    if args.json {
        output::print_json(&json::Compare::new(&race, movement))?;
    } else {
        output::print(&text::compare(&race, movement))?;
    }
    Ok(if race.wrong.is_empty() { Outcome::Good } else { Outcome::Bad })
}

/// The planners asked for, or those of the default that work under the rule.
fn planners(args: &Args, catalog: &Catalog) -> Result<Vec<PlannerSpec>> {
    if !args.planners.is_empty() {
        return Ok(args.planners.clone());
    }
    let supported = |spec: &PlannerSpec| spec.movements().contains(&args.movement.movement);
    let all = DEFAULT.into_iter().map(|spec| catalog.parse(spec)).collect::<Result<Vec<PlannerSpec>, _>>()?;
    Ok(all.into_iter().filter(supported).collect())
}

/// The planners that race if none is asked for. None has an index that takes seconds or more: on a large map nobody should wait
/// for one unasked.
const DEFAULT: [&str; 8] = [
    "astar",
    "astar:open=buckets",
    "weighted-astar:weight=1.5",
    "jps",
    "corner-sweep",
    "jump-graph",
    "rea-star",
    "block-astar",
];

/// Where a course comes from. Courses are made one at a time: a thousand maps need not fit in memory.
enum Source {
    Files { map: PathBuf, scen: PathBuf },
    BuiltIn(BuiltIn),
}

/// The maps with scenario files among those that the arguments name.
fn files(args: &Args) -> Result<Vec<Source>> {
    let (mut sources, mut missing) = (Vec::new(), Vec::new());
    for argument in &args.maps {
        for map in inputs::maps(argument)? {
            let scen = inputs::scenario_of(&map, args.scen_dir.as_deref());
            if scen.is_file() { sources.push(Source::Files { map, scen }) } else { missing.push(scen) }
        }
    }
    if let Some(first) = missing.first().map(|scen| scen.display()) {
        ensure!(!sources.is_empty(), "no map has a scenario file: {first} is missing; `octile gen scen` makes one");
        inputs::say_skipped(&missing);
    }
    Ok(sources)
}

impl Source {
    fn map(&self, movement: Movement) -> Result<Grid> {
        Ok(match self {
            Self::Files { map, .. } => inputs::map(map, movement)?.grid,
            Self::BuiltIn(built_in) => built_in.map()?.1.with_movement(movement),
        })
    }

    fn course(&self, args: &Args, indexes: &IndexFiles) -> Result<Course> {
        let grid = self.map(args.movement.movement)?;
        let (name, mut tasks) = match self {
            Self::Files { map, scen } => (map.display().to_string(), inputs::tasks(scen, &grid, args.selection)?),
            Self::BuiltIn(built_in) => built_in.tasks(args.selection)?,
        };
        tasks.truncate(args.limit.map_or(usize::MAX, NonZeroUsize::get));
        Ok(Course { name, indexes: indexes.of_map(&grid), grid, tasks, answers_known: true })
    }
}

/// A generated map that is always there.
#[derive(Clone, Copy)]
enum BuiltIn {
    Open,
    Rooms,
    Maze,
    Random,
}

const BUILT_IN: [BuiltIn; 4] = [BuiltIn::Open, BuiltIn::Rooms, BuiltIn::Maze, BuiltIn::Random];

impl BuiltIn {
    /// With this size and about so many queries the race on all of them takes some ten seconds.
    const SIDE: u32 = 256;
    const QUERIES: usize = 200;
    const SEED: u64 = 1;

    /// What the map is called, and the problems on it.
    fn tasks(self, selection: Selection) -> Result<(String, Vec<Task>)> {
        let (name, grid) = self.map()?;
        let config = ScenarioConfig { seed: Self::SEED, ..ScenarioConfig::default() };
        let problems = generate::scenario(&grid, name, &config).problems;
        let every = (problems.len() / Self::QUERIES).max(1) * selection.every.get();
        Ok((format!("built-in map {name}"), inputs::number(problems).step_by(every).collect()))
    }

    /// The map and its name.
    fn map(self) -> Result<(&'static str, Grid)> {
        let (side, seed) = (Self::SIDE, Self::SEED);
        let (name, grid) = match self {
            Self::Open => ("open", generate::open(side, side)),
            Self::Rooms => ("rooms", generate::rooms(side, side, 16, seed)),
            Self::Maze => ("maze", generate::maze(side, side, 4, seed)),
            Self::Random => ("random", generate::random(side, side, 20, seed)),
        };
        Ok((name, grid.context("cannot make the built-in maps")?))
    }
}

#[cfg(test)]
mod tests {
    use octile::search::IndexEffort;

    use super::*;

    #[test]
    fn no_planner_searches_from_every_cell_unasked() {
        for spec in DEFAULT {
            assert_ne!(spec.parse::<PlannerSpec>().unwrap().about().index, IndexEffort::AllPairs, "{spec}");
        }
    }
}
