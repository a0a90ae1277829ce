//! `octile run`: solves and checks every problem of a scenario file.

mod dynamic;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use octile::files::NewFile;
use octile::grid::Convention;
use octile::{Catalog, Engine, Grid, Movement, PathQuery};

use crate::harness::Outcome;
use crate::harness::args::{PlannerArgs, extension};
use crate::harness::inputs::{self, Selection, Task};
use crate::harness::judge::{self, Promise};
use crate::harness::output;
use crate::report::json::{self, Disagreement};
use crate::report::{jsonl, text};

/// The number of problems solved at once, on all cores; the progress bar moves after each batch.
const BATCH: usize = 256;

/// Solve every problem of a scenario file and check the answers
///
/// Every path is checked move by move, and its length is compared with the file's: it must be equal for optimal
/// planners, within the weight for bounded ones, not longer for any-angle ones, and not shorter for those that promise
/// only a legal path. The lengths of scenario files are for the octile rule; under another rule, only the moves and
/// whether there is a path are checked. On a map with prices, lengths are for its prices and convention, as `octile gen
/// scen` writes them. The exit code is 0 only if all answers agree.
///
/// A dynamic scenario, which begins with `version 2`, contains its map, and changes it between the queries: one planner
/// applies the changes and answers the queries in order, and every path is checked on the map of that moment. With
/// --every, all changes are made, and every Nth query is answered. The times of changes and of queries are reported
/// separately.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile run arena.map
  octile run arena.map.scen
  octile run arena.map other.scen --planner astar --every 20
  octile run arena.map --paths paths.jsonl --json
  octile run siege.scen --planner jump-graph
  octile run swamp.map --prices tank.prices")]
pub(crate) struct Args {
    /// The map, or `-` for standard input; or a scenario file alone, whose map has the same name or is named in it, and
    /// is beside it or in the folder above; or a dynamic scenario
    map: PathBuf,

    /// The scenario file [default: the map's name with .scen appended]
    scen: Option<PathBuf>,

    #[command(flatten)]
    planner: PlannerArgs,

    #[command(flatten)]
    selection: Selection,

    /// Write each problem and its path, with every cell or corner, as a line of JSON
    #[arg(long, value_name = "FILE")]
    paths: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    if inputs::is_dynamic(&args.map) {
        return dynamic::run(args, catalog);
    }
    let (map, scen) = files(args)?;
    let grid = inputs::map(&map, args.planner.movement.movement, &args.planner.read)?.grid;
    let spec = args.planner.spec(catalog, &grid)?;
    let tasks = inputs::tasks(&scen, &grid, args.selection)?;
    let planner = args.planner.build(&spec, &grid, &map.display().to_string(), catalog)?;
    let mut exam = Exam::new(Engine::of(planner));
    if !exam.lengths {
        output::say(format_args!(
            "note: the lengths in {} are for the octile rule: under {} only moves and reachability are checked",
            scen.display(),
            grid.movement()
        ));
    }
    let mut paths = args.paths.as_deref().map(NewFile::create).transpose()?;
    let clock = Instant::now();
    exam.run(&tasks, &scen, paths.as_mut())?;
    let time = clock.elapsed();
    paths.map_or(Ok(()), NewFile::finish)?;
    let report = json::Run {
        schema: output::SCHEMA,
        map: map.display().to_string(),
        scenario: scen.display().to_string(),
        planner: spec.to_string(),
        movement: grid.movement().name(),
        convention: grid.convention().map(Convention::name),
        problems: tasks.len(),
        found: exam.found,
        lengths_checked: exam.lengths,
        all_agree: exam.disagreements.is_empty(),
        disagreements: exam.disagreements,
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&text::run(&report, time))?;
    }
    Ok(if report.all_agree { Outcome::Good } else { Outcome::Bad })
}

/// The map and the scenario file.
fn files(args: &Args) -> Result<(PathBuf, PathBuf)> {
    let map = &args.map;
    Ok(match &args.scen {
        Some(scen) => (map.clone(), scen.clone()),
        None if extension(map).as_deref() == Some("scen") => (inputs::map_of(map)?, map.clone()),
        None if map == Path::new(inputs::STDIN) => {
            bail!("a map from standard input has no scenario file beside it: write `octile run - FILE.scen`")
        }
        None => {
            let scen = inputs::scenario_of(map, None);
            ensure!(!map.is_file() || scen.exists(), inputs::no_scenario(map, &scen, &args.planner.read));
            (map.clone(), scen)
        }
    })
}

/// A planner and the checks of its answers.
struct Exam {
    engine: Engine,
    grid: Grid,
    promise: Promise,
    /// Whether the file's lengths apply to the movement rule.
    lengths: bool,
    found: usize,
    disagreements: Vec<Disagreement>,
}

impl Exam {
    fn new(engine: Engine) -> Self {
        let (grid, promise) = (engine.grid(), Promise::of(&*engine.snapshot()));
        let lengths = grid.movement() == Movement::Octile;
        Self { engine, grid, promise, lengths, found: 0, disagreements: Vec::new() }
    }

    /// Solves all problems and checks the answers; writes the paths to a file if there is one.
    fn run(&mut self, tasks: &[Task], scen: &Path, mut paths: Option<&mut NewFile>) -> Result<()> {
        let bar = output::progress(tasks.len() as u64, "solving");
        for batch in tasks.chunks(BATCH) {
            let queries: Vec<PathQuery> =
                batch.iter().map(|task| PathQuery::new(task.problem.start, task.problem.goal)).collect();
            for ((task, &query), path) in batch.iter().zip(&queries).zip(self.engine.find_all(&queries)) {
                let path = path.with_context(|| format!("{}: line {}", scen.display(), task.line))?;
                self.check(task, query, path.as_ref());
                if let Some(out) = &mut paths {
                    let written = jsonl::write_line(&mut **out, query, path.as_ref());
                    written.map_err(|error| out.fault(error))?;
                }
            }
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn check(&mut self, task: &Task, query: PathQuery, path: Option<&octile::Path>) {
        let cost = path.map(octile::Path::cost);
        self.found += usize::from(path.is_some());
        let judged = judge::moves(&self.grid, query, path)
            .and_then(|()| judge::by_file(&task.problem, self.promise, self.lengths, cost));
        if let Err(fault) = judged {
            self.disagreements.push(Disagreement {
                line: task.line,
                from: query.start.into(),
                to: query.goal.into(),
                expected: task.problem.optimum(),
                found: cost.map(octile::PathCost::length),
                reason: fault.to_string(),
            });
        }
    }
}
