//! `octile compare` on dynamic scenarios: planners apply the changes of a map and answer the queries between them.
//!
//! First every planner plays the scenario untimed and is judged: every path on the map of that moment, its cost against
//! the other planners and the file. Then come the timed rounds, in an order that rotates. Each round begins with a
//! newly built planner, because the map has changed. The best of the rounds counts for each change and each query.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use octile::formats::movingai::dynamic::Query;
use octile::{Catalog, Output, Path, PathCost, PathQuery, PlannerSpec};
use serde::Serialize;

use super::Args;
use crate::harness::args::knows;
use crate::harness::dynamic::{self, Event, Game, Referee, Times};
use crate::harness::engine::{Engine, Peer};
use crate::harness::indexes::IndexFiles;
use crate::harness::inputs;
use crate::harness::judge::{Best, Fault, Faults, Promise};
use crate::harness::machine::Machine;
use crate::harness::race::{self, Wrong};
use crate::harness::screen::Screen;
use crate::harness::{Outcome, hints, output};
use crate::report::dynamic::{self as report, DynamicCompare};

/// The planners that play if none is given: those that follow changes, or rebuild what they need within milliseconds.
const DEFAULT: [&str; 8] =
    ["astar", "jps", "rea-star", "block-astar", "corner-sweep", "corner-sweep:cache=on", "jump-graph", "core-search"];

/// A scenario with the results of its planners.
pub(crate) struct Match {
    pub(crate) game: Game,
    /// The planners that played, in the given order.
    pub(crate) players: Vec<Player>,
    /// The planners that did not play.
    pub(crate) left_out: Vec<LeftOut>,
    wrong: Vec<Wrong>,
}

/// A planner and its results.
pub(crate) struct Player {
    pub(crate) spec: PlannerSpec,
    promise: Promise,
    /// The best build time of the rounds.
    pub(crate) build: Duration,
    /// The best time of each change and each query.
    pub(crate) best: Times,
    /// The total time of each round.
    round_nanos: Vec<u64>,
    pub(crate) index_bytes: u64,
    pub(crate) faults: Faults,
    answers: Vec<Result<Option<PathCost>, Fault>>,
}

/// A planner that did not play, and why.
#[derive(Clone, Serialize)]
pub(crate) struct LeftOut {
    pub(crate) planner: String,
    pub(crate) reason: String,
}

/// Whether the files are dynamic scenarios: either all are, or none is.
pub(super) fn is_asked_for(args: &Args) -> Result<bool> {
    let is_dynamic = |file: &&std::path::PathBuf| inputs::is_dynamic(file);
    let Some(one) = args.maps.iter().find(is_dynamic) else { return Ok(false) };
    if let Some(other) = args.maps.iter().find(|file| !is_dynamic(file)) {
        bail!(
            "{} is a dynamic scenario, whose map changes, and {} is not: compare them separately",
            one.display(),
            other.display()
        );
    }
    Ok(true)
}

pub(super) fn compare(args: &Args, catalog: &Catalog, peers: &[Peer]) -> Result<Outcome> {
    let (first, movement) = (args.maps.first().context("no scenario is named")?, args.movement.movement);
    args.read.ensure_unused(first)?;
    ensure!(args.csv.is_none(), "--csv does not support dynamic scenarios: use --json");
    ensure!(args.scen_dir.is_none(), "dynamic scenarios contain their maps: leave out --scen-dir");
    let limit = args.limit.map(std::num::NonZeroUsize::get);
    let games = args.maps.iter().map(|file| Game::load(file, args.selection, limit, movement));
    let games: Vec<Game> = games.collect::<Result<_>>()?;
    let specs = planners(args, catalog)?;
    for spec in &specs {
        Engine::Planner(spec.clone()).check_movement(movement)?;
    }
    let indexes = IndexFiles::open_for_maps(&args.index, movement, games.iter().map(Game::start), catalog)?;
    indexes.check_used(&specs, &[], catalog)?;
    let indexes = if args.planners.is_empty() { indexes.briefly() } else { indexes };
    let mut field = Field {
        specs,
        indexes,
        rounds: args.rounds.get(),
        output: args.output,
        catalog,
        is_default: args.planners.is_empty(),
    };
    let bar = output::progress((games.len() * field.specs.len() * (field.rounds + 1)) as u64, "playing");
    let matches: Vec<Match> = games.into_iter().map(|game| field.play(game, peers, &bar)).collect::<Result<_>>()?;
    bar.finish_and_clear();
    complain(&matches);
    let machine = Machine::here();
    if args.json {
        output::print_json(&DynamicCompare::new(&matches, field.rounds, field.output, movement, machine))?;
    } else {
        output::print(&report::compare(&matches, field.rounds, field.output, movement, &machine, Screen::stdout()))?;
    }
    // Planners that were not named may be left out.
    let is_whole = field.is_default || matches.iter().all(|played| played.left_out.is_empty());
    let is_right = matches.iter().all(|played| played.wrong.is_empty());
    Ok(if is_whole && is_right { Outcome::Good } else { Outcome::Bad })
}

/// The planners given, or those of the default that support the rule.
fn planners(args: &Args, catalog: &Catalog) -> Result<Vec<PlannerSpec>> {
    if !args.planners.is_empty() {
        return Ok(args.planners.clone());
    }
    let known = DEFAULT.into_iter().filter(|spec| knows(catalog, spec.split(':').next().unwrap_or_default()));
    let all = known.map(|spec| catalog.parse(spec)).collect::<Result<Vec<PlannerSpec>, _>>()?;
    Ok(all.into_iter().filter(|spec| spec.movements().contains(&args.movement.movement)).collect())
}

/// The planners of a game and how they play.
struct Field<'a> {
    specs: Vec<PlannerSpec>,
    indexes: IndexFiles,
    rounds: usize,
    output: Output,
    catalog: &'a Catalog,
    is_default: bool,
}

impl Field<'_> {
    /// Lets all planners play a game.
    fn play(&mut self, game: Game, peers: &[Peer], bar: &ProgressBar) -> Result<Match> {
        let indexes = self.indexes.of_map(&game.start()?);
        let (mut players, mut left_out) = (Vec::new(), Vec::new());
        for peer in peers {
            let reason = "it belongs to another project and does not support changes".to_owned();
            left_out.push(LeftOut { planner: peer.name.to_owned(), reason });
        }
        for spec in &self.specs {
            let player = dynamic::check_takes_edits(spec)
                .map_err(|error| (true, error))
                .and_then(|()| self.checked(&game, spec, &indexes).map_err(|error| (self.is_default, error)));
            bar.inc(1);
            match player {
                Ok(player) => players.push(player),
                // All others are compared with the first, so it must not fail.
                Err((true, error)) if !players.is_empty() => {
                    bar.inc(self.rounds as u64);
                    left_out.push(LeftOut { planner: spec.to_string(), reason: hints::message(&error, self.catalog) });
                }
                Err((_, error)) => return Err(error),
            }
        }
        for round in 0..self.rounds {
            for place in 0..players.len() {
                let place = (place + round) % players.len();
                self.time(&game, &mut players[place], &indexes)?;
                bar.inc(1);
            }
        }
        let wrong = judge(&game, &mut players, self.output);
        Ok(Match { game, players, left_out, wrong })
    }

    /// A planner that has played once, checked by the referee and untimed.
    fn checked(&self, game: &Game, spec: &PlannerSpec, indexes: &IndexFiles) -> Result<Player> {
        let (mut finder, _) = game.seat(spec, indexes)?;
        let mut referee = Referee::new(game)?;
        // A cost alone cannot be checked.
        let output = if self.output == Output::Cost { Output::Waypoints } else { self.output };
        let times = game.play(&mut finder, output, |event| referee.see(&event))?;
        let worst = |times: &[u64]| vec![u64::MAX; times.len()];
        Ok(Player {
            spec: spec.clone(),
            promise: Promise::of(finder.planner()),
            build: Duration::MAX,
            best: Times { edits: worst(&times.edits), queries: worst(&times.queries) },
            round_nanos: Vec::new(),
            index_bytes: finder.index_bytes() as u64,
            faults: Faults::default(),
            answers: referee.answers,
        })
    }

    /// One timed round of a planner.
    fn time(&self, game: &Game, player: &mut Player, indexes: &IndexFiles) -> Result<()> {
        let (mut finder, build) = game.seat(&player.spec, indexes)?;
        let mut answers = player.answers.iter_mut();
        let times = game.play(&mut finder, self.output, |event| {
            if let Event::Answered(_, _, path) = event
                && let Some(answer) = answers.next()
                && let Ok(checked) = *answer
            {
                let timed = path.map(Path::cost);
                if checked != timed {
                    *answer = Err(Fault::Changed { checked, timed });
                }
            }
            Ok(())
        })?;
        player.build = player.build.min(build);
        player.best.improve(&times);
        player.round_nanos.push(u64::try_from(times.total().as_nanos()).unwrap_or(u64::MAX));
        Ok(())
    }
}

/// Judges each answer against the other answers and the file.
fn judge(game: &Game, players: &mut [Player], output: Output) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let queries = game.turns.iter().flat_map(|turn| &turn.queries);
    for (i, query) in queries.enumerate() {
        let cost = |player: &Player| player.answers[i].as_ref().ok().copied().flatten();
        let best = Best::of(players.iter().filter_map(|player| Some((player.promise, cost(player)?))));
        for player in &mut *players {
            let judged = player.answers[i].clone().and_then(|cost| {
                best.judge(player.promise, cost)?;
                game.by_file(query, player.promise, cost)
            });
            if let Err(fault) = judged {
                player.faults.count(&fault);
                wrong.push(wrong_answer(game, player, query, output, fault));
            }
        }
    }
    wrong
}

fn wrong_answer(game: &Game, player: &Player, query: &Query, output: Output, fault: Fault) -> Wrong {
    Wrong {
        planner: player.spec.to_string(),
        course: game.name.clone(),
        line: query.line,
        query: PathQuery::new(query.start, query.goal).output(output),
        fault,
    }
}

/// Reports wrong answers, planners that did not play, and unreliable times.
fn complain(matches: &[Match]) {
    race::say_wrong(&matches.iter().flat_map(|played| &played.wrong).collect::<Vec<_>>());
    for played in matches {
        for LeftOut { planner, reason } in &played.left_out {
            output::say(format_args!("note: {planner} did not play {}: {reason}", played.game.name));
        }
    }
    let players = matches.iter().flat_map(|played| &played.players);
    let noise = players.map(|player| (race::noise(&player.round_nanos), player.spec.to_string()));
    if let Some(warning) = race::noise_warning(noise) {
        output::say(warning);
    }
}
