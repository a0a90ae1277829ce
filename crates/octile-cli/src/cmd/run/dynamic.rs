//! `octile run` on a dynamic scenario: one planner applies the changes and answers the queries in order.

use std::slice;

use anyhow::{Result, bail};
use octile::files::NewFile;
use octile::{Catalog, Output, PlannerSpec};

use super::Args;
use crate::harness::Outcome;
use crate::harness::dynamic::{self, Event, Game, Referee};
use crate::harness::indexes::IndexFiles;
use crate::harness::judge::Promise;
use crate::harness::output;
use crate::report::dynamic::{self as report, DynamicRun};
use crate::report::json::Disagreement;
use crate::report::jsonl;

pub(super) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let file = &args.map;
    if let Some(scen) = &args.scen {
        let (file, scen) = (file.display(), scen.display());
        bail!("{file} is a dynamic scenario, which contains its map: give it alone, without {scen}");
    }
    args.planner.read.ensure_unused(file)?;
    let game = Game::load(file, args.selection, None, args.planner.movement.movement)?;
    let spec = args.planner.spec(catalog, &game.start()?)?;
    dynamic::check_takes_edits(&spec)?;
    let indexes = IndexFiles::open(&args.planner.index, &game.start()?, catalog)?;
    indexes.check_used(slice::from_ref(&spec), &[], catalog)?;
    if !game.has_lengths() {
        output::say(format_args!(
            "note: the lengths in {} are for the octile rule: under {} only moves and reachability are checked",
            file.display(),
            game.movement
        ));
    }
    let mut paths = args.paths.as_deref().map(NewFile::create).transpose()?;
    let report = play(&game, &spec, &indexes, paths.as_mut())?;
    paths.map_or(Ok(()), NewFile::finish)?;
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&report::run(&report))?;
    }
    Ok(if report.all_agree { Outcome::Good } else { Outcome::Bad })
}

/// Plays the game and writes the paths to a file if there is one.
fn play(game: &Game, spec: &PlannerSpec, indexes: &IndexFiles, mut paths: Option<&mut NewFile>) -> Result<DynamicRun> {
    let (mut finder, build) = game.seat(spec, indexes)?;
    let promise = Promise::of(finder.planner());
    let mut referee = Referee::new(game)?;
    let (mut found, mut disagreements) = (0, Vec::new());
    let bar = output::progress(game.sums.queries as u64, "solving");
    let times = game.play(&mut finder, Output::Waypoints, |event| {
        referee.see(&event)?;
        let Event::Answered(query, trip, path) = event else { return Ok(()) };
        bar.inc(1);
        let cost = path.map(octile::Path::cost);
        found += usize::from(path.is_some());
        let moves = referee.answers.last().cloned().unwrap_or(Ok(None));
        if let Err(fault) = moves.and_then(|_| game.by_file(query, promise, cost)) {
            disagreements.push(Disagreement {
                line: query.line,
                from: query.start.into(),
                to: query.goal.into(),
                expected: game.optimum(query),
                found: cost.map(octile::PathCost::length),
                reason: fault.to_string(),
            });
        }
        match &mut paths {
            Some(out) => Ok(jsonl::write_line(&mut **out, trip, path).map_err(|error| out.fault(error))?),
            None => Ok(()),
        }
    })?;
    bar.finish_and_clear();
    Ok(DynamicRun::new(game, spec, build, &times, found, disagreements))
}
