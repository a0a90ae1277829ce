//! `octile compare`: planners against each other on the same queries.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use octile::generate::{self, ScenarioConfig};
use octile::{Catalog, Grid, Movement, Output, PlannerSpec};

use crate::harness::Outcome;
use crate::harness::args::{IndexArg, MovementArg, at_least_one, extension, output_kind};
use crate::harness::engine::{Engine, Peer};
use crate::harness::indexes::IndexFiles;
use crate::harness::inputs::{self, Selection, Task};
use crate::harness::machine::Machine;
use crate::harness::race::{Course, Race, Retired};
use crate::harness::screen::Screen;
use crate::harness::words::{MOST_LISTED, count};
use crate::harness::{hints, new_file, output};
use crate::report::json::{self, Skipped};
use crate::report::{csv, text};

/// Race planners against each other
///
/// All planners answer the same queries in one process: an untimed pass that is checked, then the timed rounds, in an
/// order that rotates. A query's time is its best of the rounds. Every path is checked move by move; optimal planners
/// must agree exactly with each other and with the scenario file, bounded ones must keep within their weight, and any-angle
/// paths must not be longer than the best grid path. A wrong answer is reported, counted, and makes the exit code 1.
///
/// Times, expansions and lengths are means over queries, lengths over those that all planners answered with a path; build time
/// and index size are means over maps. With --csv every query is a line for each planner.
///
/// A file of a folder that cannot be read, and a map that a planner refuses, are told at the end, and the race goes on
/// without; the exit code is then 1. What is named in the command must be right: a bad file named there is an error, with code 2.
/// A planner that did not run on all maps has a table of its own, and is compared with the first on the maps it ran on.
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
  octile compare arena.map --planner astar --planner jps --csv times.csv
  octile compare dao/ --planner theta-star --planner jps:smooth=greedy --every 20
  octile compare maps/ --scen-dir scenarios/ --planner jps --output cells")]
pub struct Args {
    /// Maps, or folders with maps; the problems are those of X.map.scen beside X.map. Or scenario files, each with its map
    #[arg(value_name = "MAP|DIR")]
    maps: Vec<PathBuf>,

    /// A planner; give one for each, the first is the yardstick [default: astar, astar:open=buckets,
    /// weighted-astar:weight=1.5, jps, corner-sweep, jump-graph, hub-labels, rea-star, block-astar and auto, as far as they
    /// support the movement, and hub-labels where its index takes no longer than a second or so]
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

    /// Write the time of every query here, as comma-separated values: a line for each map, query and planner. `-` prints them
    /// instead of the table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print one JSON document; times query by query are in --csv only
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
    ensure!(!(args.json && args.prints_csv()), "--json and --csv - both print: give --csv a file");
    let movement = args.movement.movement;
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

/// Writes the times to their file, and prints the result.
fn report(args: &Args, race: &Race, field: &Field) -> Result<()> {
    let (movement, machine) = (args.movement.movement, Machine::here());
    match &args.csv {
        Some(_) if args.prints_csv() => return output::print_bytes(&csv::times(race)?),
        Some(file) => new_file::write(file, &csv::times(race)?)?,
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

/// The planners asked for, or those of the default that work under the rule.
fn planners(args: &Args, catalog: &Catalog) -> Result<Vec<PlannerSpec>> {
    if !args.planners.is_empty() {
        return Ok(args.planners.clone());
    }
    let supported = |spec: &PlannerSpec| spec.movements().contains(&args.movement.movement);
    let all = DEFAULT.into_iter().map(|spec| catalog.parse(spec)).collect::<Result<Vec<PlannerSpec>, _>>()?;
    Ok(all.into_iter().filter(supported).collect())
}

/// The planners that race if none is asked for. None has an index that takes a search from every cell, and where another takes more than
/// a second or so its planner retires.
const DEFAULT: [&str; 10] = [
    "astar",
    "astar:open=buckets",
    "weighted-astar:weight=1.5",
    "jps",
    "corner-sweep",
    "jump-graph",
    "hub-labels",
    "rea-star",
    "block-astar",
    "auto",
];

/// Where a race runs, and what of that turned out not to be fit for it.
#[derive(Default)]
struct Field {
    sources: Vec<Source>,
    /// Maps of folders without a scenario file.
    missing: Vec<Skipped>,
    /// Files of folders that cannot be used.
    bad: Vec<Skipped>,
}

impl Field {
    fn built_in() -> Self {
        Self { sources: BUILT_IN.map(Source::BuiltIn).into(), ..Self::default() }
    }

    /// The maps with scenario files among those that the arguments name.
    fn of_files(args: &Args) -> Result<Self> {
        let (mut field, mut missing) = (Self::default(), Vec::new());
        for argument in &args.maps {
            if extension(argument).as_deref() == Some("scen") {
                let map = inputs::map_of(argument)?;
                field.sources.push(Source::Files { map, scen: argument.clone(), is_named: true });
                continue;
            }
            let is_named = !argument.is_dir();
            for map in inputs::maps(argument)? {
                let scen = inputs::scenario_of(&map, args.scen_dir.as_deref());
                if scen.is_file() {
                    field.sources.push(Source::Files { map, scen, is_named });
                } else {
                    field.missing.push(Skipped::new(&map, format!("its scenario file {} is missing", scen.display())));
                    missing.push(scen);
                }
            }
        }
        if let Some(first) = missing.first().map(|scen| scen.display()) {
            ensure!(
                !field.sources.is_empty(),
                "no map has a scenario file: {first} is missing; `octile gen scen MAP -o {first}` makes one"
            );
            inputs::say_skipped(&missing);
        }
        Ok(field)
    }

    fn open_indexes(&self, args: &Args, catalog: &Catalog) -> Result<IndexFiles> {
        let movement = args.movement.movement;
        // A bad file of a folder is told of when it is its turn.
        let maps = self.sources.iter().map(|source| (source, source.map(movement)));
        let maps = maps.filter(|(source, map)| source.is_named() || map.is_ok()).map(|(_, map)| map);
        let indexes = IndexFiles::open_for_maps(&args.index.files, movement, maps, catalog)?;
        // Nobody should wait for what was not asked for.
        Ok(if args.planners.is_empty() { indexes.briefly() } else { indexes })
    }

    /// Runs the race on one map after the other. What is bad in a folder is skipped.
    fn run(
        &mut self,
        race: &mut Race,
        args: &Args,
        indexes: &IndexFiles,
        catalog: &Catalog,
        bar: &ProgressBar,
    ) -> Result<()> {
        for source in &self.sources {
            // A planner and a map that are both named must go together.
            race.let_retire((!source.is_named() || args.planners.is_empty()).then(|| catalog.clone()));
            let steps = bar.position() + race.steps_per_course();
            match source.course(args, indexes).and_then(|course| race.run(&course, bar)) {
                Ok(()) => {}
                Err(error) if source.is_named() => return Err(error),
                Err(error) => self.bad.push(Skipped::new(source.file(), hints::message(&error, catalog))),
            }
            bar.set_position(steps);
        }
        if let Some(Skipped { reason, .. }) = self.bad.first().filter(|_| race.maps() == 0) {
            bail!("no map could be raced: {reason}");
        }
        Ok(())
    }

    /// Whether all went well. Who was not asked for by name may retire.
    fn outcome(&self, race: &Race, is_default: bool) -> Outcome {
        let is_whole = self.bad.is_empty() && (is_default || race.retired.is_empty());
        if is_whole && race.wrong.is_empty() { Outcome::Good } else { Outcome::Bad }
    }

    /// Tells what was skipped, and who retired where.
    fn complain(&self, race: &Race) {
        for Retirement { planner, maps, first } in retirements(race) {
            let maps = count(maps, "map", "maps");
            output::say(format_args!("note: {planner} did not run on {maps}: {}", first.reason));
        }
        for skipped in self.bad.iter().take(MOST_LISTED) {
            output::say(format_args!("skipped: {}", skipped.reason));
        }
        if self.bad.len() > MOST_LISTED {
            output::say(format_args!("... and {} more files were skipped", self.bad.len() - MOST_LISTED));
        }
    }
}

/// On how many maps a planner did not run.
struct Retirement<'a> {
    planner: &'a str,
    maps: usize,
    first: &'a Retired,
}

fn retirements(race: &Race) -> Vec<Retirement<'_>> {
    let mut all: Vec<Retirement<'_>> = Vec::new();
    for retired in &race.retired {
        match all.iter_mut().find(|known| known.planner == retired.planner) {
            Some(known) => known.maps += 1,
            None => all.push(Retirement { planner: &retired.planner, maps: 1, first: retired }),
        }
    }
    all
}

/// Where a course comes from. Courses are made one at a time: a thousand maps need not fit in memory.
enum Source {
    Files {
        map: PathBuf,
        scen: PathBuf,
        /// Whether the command names it, and not only its folder.
        is_named: bool,
    },
    BuiltIn(BuiltIn),
}

impl Source {
    fn is_named(&self) -> bool {
        matches!(self, Self::Files { is_named: true, .. })
    }

    fn file(&self) -> &Path {
        match self {
            Self::Files { map, .. } => map,
            Self::BuiltIn(_) => Path::new("built-in"),
        }
    }

    fn map(&self, movement: Movement) -> Result<Grid> {
        Ok(match self {
            Self::Files { map, .. } => inputs::map(map, movement)?.grid,
            Self::BuiltIn(built_in) => built_in.map()?.1.with_movement(movement),
        })
    }

    fn course(&self, args: &Args, indexes: &IndexFiles) -> Result<Course> {
        let grid = self.map(args.movement.movement)?;
        let (name, mut tasks) = match self {
            Self::Files { map, scen, .. } => (map.display().to_string(), inputs::tasks(scen, &grid, args.selection)?),
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
    const QUERIES: usize = 100;
    const SEED: u64 = 1;

    /// What the map is called, and the problems on it.
    fn tasks(self, selection: Selection) -> Result<(String, Vec<Task>)> {
        let (name, grid) = self.map()?;
        // Few sources: each is a search over all of the map.
        let config = ScenarioConfig { seed: Self::SEED, sources: 20, ..ScenarioConfig::default() };
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
    fn who_was_not_asked_for_may_retire() {
        let (mut race, mut field) = (Race::new(Vec::new(), Output::Waypoints, 1), Field::built_in());
        assert_eq!(field.outcome(&race, false), Outcome::Good);
        let retired =
            |course: &str| Retired { planner: "jps".into(), course: course.into(), reason: "too large".into() };
        race.retired = vec![retired("one"), retired("two")];
        assert_eq!([true, false].map(|is_default| field.outcome(&race, is_default)), [Outcome::Good, Outcome::Bad]);
        let [Retirement { maps, first, .. }] = &retirements(&race)[..] else { panic!("one planner retired") };
        assert_eq!((*maps, first.course.as_str()), (2, "one"));
        field.bad.push(Skipped::new(Path::new("a.map"), "a.map: empty".to_owned()));
        assert_eq!(field.outcome(&race, true), Outcome::Bad);
    }

    #[test]
    fn no_planner_searches_from_every_cell_unasked() {
        for spec in DEFAULT {
            assert_ne!(spec.parse::<PlannerSpec>().unwrap().about().index, IndexEffort::AllPairs, "{spec}");
        }
    }
}
