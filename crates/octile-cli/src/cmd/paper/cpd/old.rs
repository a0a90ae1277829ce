//! `octile paper cpd`: Figures 2 to 6 of Botea 2011, and what its text says.

mod bins;
mod databases;
mod maps;
mod trial;

use std::num::NonZeroUsize;

use anyhow::Result;
use clap::ValueEnum;

use self::maps::{Choice, Map};
use self::trial::{Trial, WARM_CALLS};
use super::MapsArg;
use super::timing::{Elsewhere, ProcessorTime};
use crate::Outcome;
use crate::args::at_least_one;
use crate::output;
use crate::papers::cpd::Figures;
use crate::report::cpd::{Conditions, Document, text};

/// Compressed path databases: Figures 2 to 6 of Botea 2011
///
/// The first table is about the databases of the maps: their rectangles, beside the squares of a quad-tree and our runs, how
/// far they are compressed, and how long they take to build. The second is how many times faster than A* paths are read off
/// them, by path cost, with warm and with cold memory; the third what A* expands against what is looked up. The paper's
/// figures are plots: beside ours stand the numbers in its text. The maps, those of Baldur's Gate, are in a folder of the name
/// bgmaps; the pairs of cells on them are random, as the paper's. All answers are judged, none may be longer than that of A*;
/// a wrong one is reported, and makes the exit code 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile paper cpd --maps movingai/
  octile paper cpd --table databases --most-cells 60000
  octile paper cpd --table speed-up --table nodes --pairs 20 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    maps: MapsArg,

    /// Make this table; give one for each [default: all]
    #[arg(long = "table", value_name = "TABLE")]
    tables: Vec<Table>,

    /// Leave out maps with more free cells: the time to build a database grows with their square. 60000 takes all of the
    /// paper's maps
    #[arg(long, value_name = "N", default_value = "12000")]
    most_cells: u32,

    /// How many random pairs of cells to find paths between on each map (the paper: 100)
    #[arg(long, value_name = "N", default_value = "100", value_parser = at_least_one)]
    pairs: NonZeroUsize,

    /// The seed of the pairs on the first map by name; the others have the numbers after it
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// How often each query is timed; the best time counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one)]
    rounds: NonZeroUsize,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    /// Figures 4, 5 and 6.
    Databases,
    /// Figure 2.
    SpeedUp,
    /// Figure 3.
    Nodes,
}

impl Args {
    fn wants(&self, table: Table) -> bool {
        self.tables.is_empty() || self.tables.contains(&table)
    }

    fn wants_queries(&self) -> bool {
        self.wants(Table::SpeedUp) || self.wants(Table::Nodes)
    }

    fn conditions(&self) -> Conditions {
        Conditions {
            most_cells: self.most_cells,
            pairs: self.pairs.get(),
            seed: self.seed,
            rounds: self.rounds.get(),
            warm_calls: WARM_CALLS,
            cold_megabytes: Elsewhere::MEGABYTES,
            build_time: ProcessorTime::how(),
        }
    }

    fn choice(&self) -> Choice {
        Choice { most_cells: self.most_cells, pairs: self.pairs.get(), seed: self.seed }
    }

    /// How often the progress bar will move on: for every row of a database, and for queries.
    fn steps(&self, maps: &[Map]) -> u64 {
        let each = if self.wants(Table::Databases) { databases::OF_TABLE } else { databases::OF_QUERIES };
        let rows: u64 = maps.iter().map(|map| each * u64::from(map.grid.free_cells())).sum();
        rows + if self.wants(Table::SpeedUp) { Trial::steps(maps, self.rounds.get()) } else { 0 }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let figures = Figures::load()?;
    let (maps, left_out) = maps::at_hand(&args.maps.folder()?, args.choice())?;
    let mut document = Document::new(&figures, args.conditions(), left_out);
    document.maps = maps.len();
    let bar = output::progress(args.steps(&maps), "measuring");
    let (mut trial, mut lines) = (Trial::new(), Vec::new());
    for map in maps {
        let rectangles = databases::build(&map, databases::RECTANGLES, &bar)?;
        let runs = databases::build(&map, databases::RUNS, &bar)?;
        if args.wants(Table::Databases) {
            lines.push(databases::line(&map, &rectangles, &runs, &bar)?);
        }
        if args.wants_queries() {
            trial.enter(map, &runs, &rectangles)?;
        }
    }
    if args.wants(Table::SpeedUp) {
        trial.time(args.rounds.get(), &bar)?;
    }
    bar.finish_and_clear();
    let answers = trial.answers();
    document.databases = args.wants(Table::Databases).then(|| databases::table(lines, &figures));
    document.speed = args.wants(Table::SpeedUp).then(|| bins::speed(&answers, &figures.claims));
    document.nodes = args.wants(Table::Nodes).then(|| bins::nodes(&answers, &figures.claims));
    document.wrong = trial.wrong();
    trial.complain();
    if args.json {
        output::print_json(&document)?;
    } else {
        output::print(&text::document(&document))?;
    }
    Ok(if trial.wrong() == 0 { Outcome::Good } else { Outcome::Bad })
}
