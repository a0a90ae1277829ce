//! `octile run`: every problem of a scenario file, solved and checked.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use octile::{Finder, Grid, Movement, Output, Query};

use crate::Outcome;
use crate::args::PlannerArgs;
use crate::inputs::{self, Selection, Task};
use crate::judge::{self, Promise};
use crate::new_file::NewFile;
use crate::output;
use crate::report::json::{self, Disagreement};
use crate::report::{jsonl, text};

/// Problems solved at once, over all cores; the progress bar moves on between.
const BATCH: usize = 256;

/// Solve every problem of a scenario file and check the answers
///
/// Every path is checked move by move, and its length is compared with the file's: equal for optimal planners, within
/// the weight for bounded ones. The lengths of scenario files belong to the octile rule; under another, only the moves
/// and whether there is a path are checked. Exits with 0 only if all agree.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile run arena.map
  octile run arena.map other.scen --planner astar --every 20
  octile run arena.map --paths paths.jsonl --json")]
pub(crate) struct Args {
    /// The map
    map: PathBuf,

    /// The scenario file [default: the map's name with .scen appended]
    scen: Option<PathBuf>,

    #[command(flatten)]
    planner: PlannerArgs,

    #[command(flatten)]
    selection: Selection,

    /// Write each problem and its path, with every cell, as a line of JSON
    #[arg(long, value_name = "FILE")]
    paths: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let spec = args.planner.spec()?;
    let movement = args.planner.movement.movement;
    let grid = inputs::map(&args.map, movement)?.grid;
    let scen = args.scen.clone().unwrap_or_else(|| inputs::scenario_of(&args.map, None));
    let tasks = inputs::tasks(&scen, &grid, args.selection)?;
    let finder = spec.build(&grid).with_context(|| args.map.display().to_string())?;
    let mut paths = args.paths.as_deref().map(NewFile::create).transpose()?;
    let lengths = movement == Movement::Octile;
    if !lengths {
        output::say(format_args!(
            "note: the lengths in {} are for the octile rule: under {movement} only moves and reachability are checked",
            scen.display()
        ));
    }
    let clock = Instant::now();
    let results = solve(&grid, &finder, &tasks, lengths, paths.as_mut()).with_context(|| scen.display().to_string())?;
    let time = clock.elapsed();
    paths.map_or(Ok(()), NewFile::finish)?;
    let report = json::Run {
        schema: json::SCHEMA,
        map: args.map.display().to_string(),
        scenario: scen.display().to_string(),
        planner: spec.to_string(),
        movement: movement.name(),
        problems: tasks.len(),
        found: results.found,
        lengths_checked: lengths,
        all_agree: results.disagreements.is_empty(),
        disagreements: results.disagreements,
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&text::run(&report, time))?;
    }
    Ok(if report.all_agree { Outcome::Good } else { Outcome::Bad })
}

#[derive(Default)]
struct Results {
    found: usize,
    disagreements: Vec<Disagreement>,
}

fn solve(
    grid: &Grid,
    finder: &Finder,
    tasks: &[Task],
    lengths: bool,
    mut paths: Option<&mut NewFile>,
) -> Result<Results> {
    let promise = Promise::of(finder);
    let mut results = Results::default();
    let bar = output::progress(tasks.len() as u64, "solving");
    for batch in tasks.chunks(BATCH) {
        let queries: Vec<Query> = batch.iter().map(query).collect();
        for ((task, query), path) in batch.iter().zip(queries.iter().copied()).zip(finder.plan_all(&queries)) {
            let path = path.with_context(|| format!("line {}", task.line))?;
            let cost = path.as_ref().map(octile::Path::cost);
            results.found += usize::from(path.is_some());
            let judged = judge::moves(grid, query, path.as_ref())
                .and_then(|()| judge::by_file(&task.problem, promise, lengths, cost));
            if let Err(fault) = judged {
                results.disagreements.push(Disagreement {
                    line: task.line,
                    from: query.start.into(),
                    to: query.goal.into(),
                    expected: task.problem.optimum(),
                    found: cost.map(octile::Octile::length),
                    reason: fault.to_string(),
                });
            }
            if let Some(out) = &mut paths {
                jsonl::write_line(*out, query, path.as_ref()).context("cannot write the paths")?;
            }
        }
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    Ok(results)
}

fn query(task: &Task) -> Query {
    Query::new(task.problem.start, task.problem.goal).output(Output::Waypoints)
}
