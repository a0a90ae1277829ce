//! `octile paper block-astar`: Tables 1 and 2 of Yap et al. 2011, and what its text says.

mod courses;
mod databases;
mod trial;

use std::num::NonZeroUsize;

use anyhow::{Result, bail};
use clap::ValueEnum;
use indicatif::ProgressBar;

use self::courses::GameMaps;
use self::trial::{CellsTrial, EUCLIDEAN, Trial, ZERO};
use super::MapsArg;
use super::dice::seeds;
use crate::Outcome;
use crate::args::at_least_one;
use crate::papers::block_astar::{DataSet, Figures, Game};
use crate::race::{Course, Race};
use crate::report::block_astar::{Conditions, Document, text};
use crate::report::runs::Runs;
use crate::{inputs, output};

/// Block A*: Tables 1 and 2 of Yap, Burch, Holte & Schaeffer 2011
///
/// Table 1 is the mean length, expansions and time of a query on random maps and on maps of games, Table 2 those on an open
/// map without a heuristic. Beside the paper's planners run ours: Block A* with larger blocks, and lazy Theta*. What the text
/// says follows: what smoothing leaves of the difference in length, Block A* on cells, and the local distance databases. The
/// maps of games are in folders of the names sc1, bg512 and dao; without them only the rest is made. All answers are judged,
/// none may be longer than the grid path along corners; a wrong one is reported, and makes the exit code 1.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile paper block-astar --maps movingai/
  octile paper block-astar --table 1 --random-maps 50 --problems 100 --every 20
  octile paper block-astar --table 2 --pairs 100 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    maps: MapsArg,

    /// Make this table; give one for each [default: all]
    #[arg(long = "table", value_name = "TABLE")]
    tables: Vec<Table>,

    /// Run every Nth query of the scenarios of games only
    #[arg(long, value_name = "N", default_value = "300", value_parser = at_least_one)]
    every: NonZeroUsize,

    /// How many random maps to make for each share of obstacles (the paper: 500)
    #[arg(long, value_name = "N", default_value = "5", value_parser = at_least_one)]
    random_maps: NonZeroUsize,

    /// How many random problems to solve on each random map (the paper: 100), and on each of Starcraft
    #[arg(long, value_name = "N", default_value = "20", value_parser = at_least_one)]
    problems: NonZeroUsize,

    /// How many random problems to solve for Table 2, about two seconds each (the paper: 100)
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one)]
    pairs: NonZeroUsize,

    /// The seed of the first random map; the others have the numbers after it
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Divide the sides of random and open maps by N, for a quick look; the paper's numbers are those of its own sizes
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one)]
    shrink: NonZeroUsize,

    /// How often each query is timed, and each database built; the best time counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one)]
    rounds: NonZeroUsize,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
    /// Lengths after smoothing.
    Smoothing,
    /// Block A* on cells.
    Cells,
    /// The local distance databases.
    Lddb,
}

/// The sides of the paper's maps.
const RANDOM_SIDE: u32 = 500;
const OPEN_SIDE: u32 = 1000;
/// Less is no map for blocks.
const LEAST_SIDE: u32 = 16;

impl Args {
    fn wants(&self, table: Table) -> bool {
        self.tables.is_empty() || self.tables.contains(&table)
    }

    /// Whether the problems of Table 1 are to be solved.
    fn wants_sets(&self) -> bool {
        self.wants(Table::One) || self.wants(Table::Smoothing)
    }

    fn side(&self, full: u32) -> u32 {
        (full / u32::try_from(self.shrink.get()).unwrap_or(full)).max(LEAST_SIDE)
    }

    fn conditions(&self) -> Conditions {
        Conditions {
            runs: Runs { every: self.every.get(), rounds: self.rounds.get() },
            random_maps: self.random_maps.get(),
            problems: self.problems.get(),
            pairs: self.pairs.get(),
            seed: self.seed,
            shrink: self.shrink.get(),
            random_side: self.side(RANDOM_SIDE),
            open_side: self.side(OPEN_SIDE),
        }
    }

    /// The planners of Table 1; not timed if only smoothing is asked for.
    fn trial(&self) -> Result<Trial> {
        let rounds = if self.wants(Table::One) { self.rounds.get() } else { 0 };
        Trial::new(&EUCLIDEAN, rounds, self.wants(Table::Smoothing))
    }

    fn open_trial(&self) -> Result<Trial> {
        Trial::new(&ZERO, self.rounds.get(), self.wants(Table::Smoothing))
    }

    /// The maps of games that are at hand, if any is needed, and the games that are not.
    fn games(&self) -> Result<(Vec<GameMaps>, Vec<Game>)> {
        let (mut at_hand, mut missing, mut without) = (Vec::new(), Vec::new(), Vec::new());
        if self.wants_sets() || self.wants(Table::Cells) {
            let folder = self.maps.named();
            // A folder that was named must be there; whether it has the maps is another matter.
            folder.as_deref().map(super::entries).transpose()?;
            for game in Game::ALL {
                let maps = |folder| GameMaps::at_hand(folder, game, &mut without);
                match folder.as_deref().map(maps).transpose()?.flatten() {
                    Some(maps) => at_hand.push(maps),
                    None => missing.push(game),
                }
            }
        }
        if !self.wants_sets() && !self.wants(Table::Two) && !self.wants(Table::Lddb) && at_hand.is_empty() {
            let folder = self.maps.folder()?;
            bail!(
                "{} has no maps of games: it needs a folder sc1, or bg512 or dao with the scenario file .map.scen beside each \
                 map, from the MovingAI benchmarks (movingai.com/benchmarks)",
                folder.display()
            );
        }
        inputs::say_skipped(&without);
        Ok((at_hand, missing))
    }

    /// How often the progress bar will move on.
    fn steps(&self, games: &[GameMaps], random_sets: usize) -> Result<u64> {
        let maps: usize = games.iter().map(|maps| maps.maps.len()).sum();
        let mut steps = 0;
        if self.wants_sets() {
            let courses = maps + random_sets * self.random_maps.get();
            steps += courses as u64 * self.trial()?.race.steps_per_course();
        }
        if self.wants(Table::Cells) {
            let trials = CellsTrial::both(self.rounds.get())?;
            steps += maps as u64 * trials.iter().map(|trial| trial.race.steps_per_course()).sum::<u64>();
        }
        if self.wants(Table::Two) {
            steps += self.open_trial()?.race.steps_per_course();
        }
        Ok(steps + u64::from(self.wants(Table::Lddb)))
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let figures = Figures::load()?;
    let (games, missing) = args.games()?;
    let random = figures.table_1.rows.keys().filter(|set| matches!(set, DataSet::Random(_))).count();
    let mut run = Run {
        args,
        bar: output::progress(args.steps(&games, random)?, "measuring"),
        document: Document::new(&figures, args.conditions(), &missing),
        figures,
        races: Vec::new(),
    };
    run.random_sets()?;
    for maps in &games {
        run.game(maps)?;
    }
    if args.wants(Table::Two) {
        run.table_2()?;
    }
    if args.wants(Table::Lddb) {
        run.document.databases = databases::lines(args.rounds.get(), &run.figures.claims)?;
        run.bar.inc(1);
    }
    run.finish()
}

/// The work in progress.
struct Run<'a> {
    args: &'a Args,
    figures: Figures,
    document: Document,
    bar: ProgressBar,
    /// All that were run, for what was wrong in them.
    races: Vec<Race>,
}

impl Run<'_> {
    /// The upper part of Table 1, with smoothing.
    fn random_sets(&mut self) -> Result<()> {
        let Args { random_maps, problems, seed, .. } = *self.args;
        let sets: Vec<DataSet> = self.figures.table_1.rows.keys().copied().collect();
        for set in sets.into_iter().filter(|_| self.args.wants_sets()) {
            let DataSet::Random(percent) = set else { continue };
            let mut trial = self.args.trial()?;
            for seed in seeds(seed).take(random_maps.get()) {
                let course = courses::random(percent, self.args.side(RANDOM_SIDE), seed, problems.get())?;
                self.race(&mut trial.race, &course)?;
            }
            self.add_set(set, trial);
        }
        Ok(())
    }

    /// A game's part of Table 1, with smoothing, and Block A* on the cells of its maps.
    fn game(&mut self, maps: &GameMaps) -> Result<()> {
        let Args { every, problems, seed, .. } = *self.args;
        let (set, mut trial) = (DataSet::Game(maps.game), self.args.trial()?);
        let mut on_cells = CellsTrial::both(self.args.rounds.get())?;
        for course in maps.courses(problems.get(), seed, every.get()) {
            let mut course = course?;
            if self.args.wants_sets() {
                self.race(&mut trial.race, &course)?;
            }
            // Paths between cells do not squeeze: some goals are out of reach.
            let grid = course.grid.clone();
            course.tasks.retain(|task| grid.may_connect(task.problem.start, task.problem.goal));
            for trial in on_cells.iter_mut().filter(|_| self.args.wants(Table::Cells)) {
                course.grid = grid.with_movement(trial.movement);
                self.race(&mut trial.race, &course)?;
            }
        }
        if self.args.wants_sets() {
            self.add_set(set, trial);
        }
        for trial in on_cells.into_iter().filter(|_| self.args.wants(Table::Cells)) {
            self.document.cells.extend(trial.lines(&set.to_string()));
            self.races.push(trial.race);
        }
        Ok(())
    }

    fn table_2(&mut self) -> Result<()> {
        let Args { pairs, seed, .. } = *self.args;
        let mut trial = self.args.open_trial()?;
        self.race(&mut trial.race, &courses::open(self.args.side(OPEN_SIDE), seed, pairs.get())?)?;
        if let Some((set, paper)) = self.figures.table_2.rows.first_key_value() {
            self.document.table_2 = Some(trial.lines(set.clone(), paper));
            if self.args.wants(Table::Smoothing) {
                self.document.smoothing.extend(trial.smoothing(set, paper));
            }
        }
        self.races.push(trial.race);
        Ok(())
    }

    /// One course, unless the sample has none of its problems.
    fn race(&self, race: &mut Race, course: &Course) -> Result<()> {
        if course.tasks.is_empty() {
            self.bar.inc(race.steps_per_course());
            return Ok(());
        }
        race.run(course, &self.bar)
    }

    /// Adds what the planners did on a data set to the document.
    fn add_set(&mut self, set: DataSet, trial: Trial) {
        let paper = self.figures.table_1.rows.get(&set).filter(|_| trial.race.queries() > 0);
        if let Some(paper) = paper {
            if self.args.wants(Table::One) {
                self.document.table_1.push(trial.lines(set.to_string(), paper));
            }
            if self.args.wants(Table::Smoothing) {
                self.document.smoothing.extend(trial.smoothing(&set.to_string(), paper));
            }
        }
        self.races.push(trial.race);
    }

    fn finish(self) -> Result<Outcome> {
        self.bar.finish_and_clear();
        self.races.iter().for_each(Race::complain);
        if self.args.json {
            output::print_json(&self.document)?;
        } else {
            output::print(&text::document(&self.document, &self.figures))?;
        }
        let right = self.races.iter().all(|race| race.wrong.is_empty());
        Ok(if right { Outcome::Good } else { Outcome::Bad })
    }
}
