//! `octile paper blocked-areas`: Tables 2, 3, 4 and A1 of Jubair & Hawa 2020.

mod detection;
mod trial;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::ValueEnum;
use octile::Movement;

use self::trial::{Setting, Trial};
use super::MapsArg;
use crate::Outcome;
use crate::args::at_least_one;
use crate::inputs::{self, Selection, Task};
use crate::output;
use crate::papers::blocked_areas::{Figures, MapName};
use crate::report::blocked_areas::{Document, Table4, text};
use crate::report::runs::Runs;

/// Blocked areas: Tables 2, 3, 4 and A1 of Jubair & Hawa 2020
///
/// Tables 2 and 3 are about the maps, and are counted. Table 4 is the average of the ratio, query by query, of the time
/// and of the expansions of a search that prunes blocked areas to those of the same search without; Table A1 the mean
/// time a query. The paper exchanged x and y of the scenarios and let diagonal moves cut corners; Table 4 is made in that
/// setting and in the benchmark's own, Table A1 in the paper's. A wrong answer is reported, and makes the exit code 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile paper blocked-areas --maps movingai/
  octile paper blocked-areas --table 2 --table 3
  octile paper blocked-areas --table 4 --every 20 --lookup tree --lookup mask --json")]
pub(crate) struct Args {
    #[command(flatten)]
    maps: MapsArg,

    /// Make this table; give one for each [default: all]
    #[arg(long = "table", value_name = "TABLE")]
    tables: Vec<Table>,

    /// Run every Nth query only; Tables 2 and 3 need none
    #[arg(long, value_name = "N", default_value = "300", value_parser = at_least_one)]
    every: NonZeroUsize,

    /// How often each query, and the preprocessing of each map, is timed; the best time counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one)]
    rounds: NonZeroUsize,

    /// How the search asks which area a cell is in, a value of the planners' key `lookup`; give one for each, the first
    /// is that of Table A1 [default: the planners' own]
    #[arg(long = "lookup", value_name = "LOOKUP")]
    lookups: Vec<String>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A table of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    #[value(name = "2")]
    Two,
    #[value(name = "3")]
    Three,
    #[value(name = "4")]
    Four,
    #[value(name = "a1")]
    A1,
}

impl Args {
    fn wants(&self, table: Table) -> bool {
        self.tables.is_empty() || self.tables.contains(&table)
    }

    /// The settings that the tables need.
    fn settings(&self) -> Vec<Setting> {
        match (self.wants(Table::Four), self.wants(Table::A1)) {
            (true, _) => vec![Setting::Benchmark, Setting::Paper],
            (false, true) => vec![Setting::Paper],
            (false, false) => Vec::new(),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let figures = Figures::load()?;
    let trial = |setting| Trial::new(setting, &args.lookups, args.rounds.get());
    let mut trials = args.settings().into_iter().map(trial).collect::<Result<Vec<_>>>()?;
    let maps = at_hand(&args.maps.folder()?, &figures)?;
    let mut document = Document::new(&figures, maps.len());
    let steps = 1 + trials.iter().map(|trial| trial.race.steps_per_course()).sum::<u64>();
    let bar = output::progress(maps.len() as u64 * steps, "measuring");
    for map in &maps {
        let (grid, tasks) = map.load()?;
        if args.wants(Table::Two) {
            document.add_walls(map.name, detection::walls(&grid, &tasks), &figures);
        }
        if args.wants(Table::Three) {
            let (areas, preprocessing) = detection::areas(&grid, args.rounds.get());
            document.add_areas(map.name, areas, preprocessing, &figures);
        }
        bar.inc(1);
        for trial in &mut trials {
            trial.run(map.name, &grid, &tasks, args.every.get(), &bar)?;
        }
    }
    bar.finish_and_clear();
    finish(args, document, &trials, &figures)
}

/// Completes the document with what the trials came to, and prints it.
fn finish(args: &Args, mut document: Document, trials: &[Trial], figures: &Figures) -> Result<Outcome> {
    for trial in trials {
        trial.race.complain();
    }
    let runs = Runs { every: args.every.get(), rounds: args.rounds.get() };
    if args.wants(Table::Four) {
        let settings = trials.iter().map(|trial| trial.table_4(figures)).collect();
        document.table_4 = Some(Table4 { runs, settings });
    }
    if args.wants(Table::A1) {
        let trial = trials.iter().find(|trial| trial.setting == Setting::Paper);
        document.table_a1 = trial.map(|trial| trial.table_a1(runs, figures));
    }
    if args.json {
        output::print_json(&document)?;
    } else {
        output::print(&text::document(&document, figures))?;
    }
    let right = trials.iter().all(|trial| trial.race.wrong.is_empty());
    Ok(if right { Outcome::Good } else { Outcome::Bad })
}

/// A map of the paper that is at hand.
struct Map {
    name: MapName,
    file: PathBuf,
    scen: PathBuf,
}

impl Map {
    /// The map under the benchmark's rule, and all of its problems.
    fn load(&self) -> Result<(octile::Grid, Vec<Task>)> {
        let grid = inputs::map(&self.file, Movement::Octile)?.grid;
        let tasks = inputs::tasks(&self.scen, &grid, Selection { every: NonZeroUsize::MIN })?;
        Ok((grid, tasks))
    }
}

/// The maps of the paper in a folder, in its order.
fn at_hand(folder: &Path, figures: &Figures) -> Result<Vec<Map>> {
    let files = super::files(folder)?;
    let (mut maps, mut missing) = (Vec::new(), Vec::new());
    for &name in figures.table_2.rows.keys() {
        let Some(file) = files.get(std::ffi::OsStr::new(&name.file())).cloned() else { continue };
        let scen = inputs::scenario_of(&file, None);
        if scen.is_file() { maps.push(Map { name, file, scen }) } else { missing.push(scen) }
    }
    if let Some(first) = missing.first().map(|scen| scen.display()) {
        ensure!(!maps.is_empty(), "none of the paper's maps has a scenario file: {first} is missing");
        inputs::say_skipped(&missing);
    }
    ensure!(
        !maps.is_empty(),
        "{} has none of the paper's maps: it needs maze512-W-N.map or Wroom_00N.map, W being 8, 16 or 32, with the scenario \
         file .map.scen beside each, from the MovingAI benchmarks (movingai.com/benchmarks)",
        folder.display()
    );
    Ok(maps)
}
