//! `octile-papers changes`: which planner is the fastest at which rate of changes, set by set; and the table that pages
//! show of it.

use std::fs;
use std::path::{Path as File, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use octile::formats::generate::{self, ChangesConfig};
use octile::formats::movingai::dynamic::DynamicScenario;
use octile::planner::Budget;
use octile::{Build, Finder, Output, Path, PathQuery};
use octile_cli::harness::machine::Machine;
use octile_cli::harness::{Outcome, output};
use serde::{Deserialize, Serialize};

use super::names;
use super::records::{MadeWith, SETS, Table, code, machine, number};
use crate::plan::spread;

/// Measure which planner is the fastest on maps that change, by set and rate
///
/// Some maps of every set change as those of games do: buildings are put up and torn down, doors are closed and opened,
/// walls collapse. All planners play the same: each follows the changes and answers the queries between them, in turns,
/// the best of two rounds. Costs are checked. What an index takes to be built is not counted: it was built for the map
/// before the first change, and is not built anew. Prints JSON; `octile-papers record DIR --only changes` puts it into
/// docs/records, and the table into docs/changing-maps.md.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The folder that has dao/, bg512/ and the other sets of the MovingAI benchmarks in it
    #[arg(value_name = "DIR")]
    maps: PathBuf,

    /// So many maps of every set, spread over it by size
    #[arg(long, value_name = "N", default_value = "2")]
    per_set: usize,
}

/// Who plays. The first is what the others are compared with.
const PLANNERS: [&str; 4] = ["corner-sweep", "corner-sweep:cache=on", "jump-graph", "hub-labels"];

/// Shares of cells that change at a time, in millionths, and queries between two changes.
const SHARES: [u32; 3] = [100, 1000, 10_000];
const BETWEEN: [u32; 3] = [20, 200, 2000];

const ROUNDS: usize = 2;

/// What was measured.
#[derive(Deserialize)]
pub(super) struct Record {
    rows: Vec<Row>,
    #[serde(default)]
    machine: MadeWith,
}

/// What is printed.
#[derive(Serialize)]
struct Printed {
    rounds: usize,
    rows: Vec<Row>,
    machine: Machine,
}

/// A map at a rate.
#[derive(Serialize, Deserialize)]
struct Row {
    set: String,
    map: String,
    per_million: u32,
    between: u32,
    changes: usize,
    queries: usize,
    planners: Vec<Line>,
}

/// What one planner took.
#[derive(Serialize, Deserialize)]
struct Line {
    planner: String,
    /// A change, on average.
    edit_us: f64,
    /// A query, on average.
    query_us: f64,
    /// All changes and queries, for each query.
    total_us: f64,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let mut rows = Vec::new();
    for (set, _) in SETS {
        let folder = args.maps.join(set);
        let mut maps = names(&folder, "map")?;
        maps.sort_by_cached_key(|name| fs::metadata(folder.join(name)).map_or(0, |file| file.len()));
        for map in spread(maps, args.per_set) {
            output::say(format_args!("{set}/{map}"));
            rows.extend(play_map(set, &folder.join(&map), &map)?);
        }
    }
    output::print_json(&Printed { rounds: ROUNDS, rows, machine: Machine::here() })?;
    Ok(Outcome::Good)
}

/// All rates on one map.
fn play_map(set: &str, file: &File, map: &str) -> Result<Vec<Row>> {
    let grid = octile::load(file)?.grid;
    let build = Build::new(&grid).within(Budget::UNLIMITED);
    let mut finders = Vec::new();
    for spec in PLANNERS {
        // Hub labels do not suit every map.
        finders.extend(Finder::build(spec, &build).ok().map(|finder| (spec, finder)));
    }
    let mut rows = Vec::new();
    for per_million in SHARES {
        for between in BETWEEN {
            let batches = 2 + (4000 / between).clamp(4, 40);
            let config = ChangesConfig { per_million, batches, between, seed: 1 };
            let scenario = generate::changes(&grid, "changes.patch", &config)?;
            rows.push(race((set, map), &finders, &scenario, &config)?);
        }
    }
    Ok(rows)
}

fn race(
    (set, map): (&str, &str),
    finders: &[(&str, Finder)],
    scenario: &DynamicScenario,
    config: &ChangesConfig,
) -> Result<Row> {
    let mut best = vec![(Duration::MAX, Duration::ZERO); finders.len()];
    let (mut changes, mut queries) = (0, 0);
    for _ in 0..ROUNDS {
        for ((spec, finder), best) in finders.iter().zip(&mut best) {
            // A copy has the index in common with the others, and a map of its own.
            let mut finder = finder.fork();
            let played = play(&mut finder, scenario).with_context(|| format!("{spec} on {map}"))?;
            (changes, queries) = (played.changes, played.queries);
            if played.edits + played.answers < best.0.saturating_add(best.1) {
                *best = (played.edits, played.answers);
            }
        }
    }
    let us = |time: Duration, count: usize| time.as_secs_f64() * 1e6 / count.max(1) as f64;
    let line = |(&(spec, _), &(edits, answers)): (&(&str, Finder), &(Duration, Duration))| Line {
        planner: spec.to_owned(),
        edit_us: us(edits, changes),
        query_us: us(answers, queries),
        total_us: us(edits + answers, queries),
    };
    let planners = finders.iter().zip(&best).map(line).collect();
    let (set, map) = (set.to_owned(), map.to_owned());
    Ok(Row { set, map, per_million: config.per_million, between: config.between, changes, queries, planners })
}

/// What a game came to.
#[derive(Default)]
struct Played {
    edits: Duration,
    answers: Duration,
    changes: usize,
    queries: usize,
}

/// Plays a scenario on the map that its first change makes, which is the planner's own. The second change is not timed:
/// it also pays for a copy of the map, and for the planner that follows beside an index.
fn play(finder: &mut Finder, scenario: &DynamicScenario) -> Result<Played> {
    let (mut played, mut path) = (Played::default(), Path::new());
    let optima = scenario.optima().context("it has no costs")?;
    for (number, step) in scenario.steps().enumerate() {
        let clock = Instant::now();
        if number > 0 {
            finder.apply(&step.edits)?;
        }
        if number > 1 {
            played.edits += clock.elapsed();
            played.changes += 1;
        }
        for query in step.queries {
            let trip = PathQuery::new(query.start, query.goal).output(Output::Waypoints);
            let clock = Instant::now();
            let found = finder.plan(trip, &mut path)?;
            if number > 1 {
                played.answers += clock.elapsed();
                played.queries += 1;
            }
            ensure!(optima.agree(query, found.then(|| path.cost())), "wrong from {} to {}", query.start, query.goal);
        }
    }
    Ok(played)
}

impl Record {
    pub(super) fn read(root: &File) -> Result<Self> {
        let file = root.join("docs/records/changes.json");
        let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        serde_json::from_slice(&text).context("changes.json is no record of changes")
    }

    /// For every rate and set the fastest planner, and how many times as fast as corner sweep it is.
    pub(super) fn part(&self) -> String {
        let sets = SETS.map(|(name, _)| name);
        let mut table = Table::new(["cells", "queries between"].map(str::to_owned).into_iter().chain(sets.map(code)));
        for per_million in SHARES {
            for between in BETWEEN {
                let share = format!("{} %", f64::from(per_million) / 10_000.0);
                let cells = sets.map(|set| self.best(set, per_million, between).unwrap_or_default());
                table.row([share, between.to_string()].into_iter().chain(cells));
            }
        }
        let command = format!("`{}`", self.machine.command());
        format!("{}\n\nMade by {command}. {}", table.text(), machine(&self.machine))
    }

    fn best(&self, set: &str, per_million: u32, between: u32) -> Option<String> {
        let rows: Vec<&Row> = self
            .rows
            .iter()
            .filter(|row| (&*row.set, row.per_million, row.between) == (set, per_million, between))
            .collect();
        let total = |planner: &str| -> Option<f64> {
            rows.iter().map(|row| Some(row.planners.iter().find(|line| line.planner == planner)?.total_us)).sum()
        };
        let sweep = total(PLANNERS[0])?;
        let times = PLANNERS.into_iter().filter_map(|planner| Some((planner, total(planner)?)));
        let (planner, time) = times.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(if planner == PLANNERS[0] {
            code(planner)
        } else {
            format!("{} {}x", code(planner), number(sweep / time))
        })
    }
}

#[cfg(test)]
mod tests {
    use octile::{Grid, PlannerSpec};

    use super::*;

    #[test]
    fn all_planners_play_the_same_game() {
        let grid: Grid = generate::rooms(40, 40, 8, 1).unwrap();
        let config = ChangesConfig { per_million: 10_000, batches: 4, between: 20, seed: 1 };
        let scenario = generate::changes(&grid, "a.patch", &config).unwrap();
        let finders: Vec<(&str, Finder)> =
            PLANNERS.into_iter().map(|spec| (spec, Finder::new(spec, &grid).unwrap())).collect();
        let row = race(("rooms", "a.map"), &finders, &scenario, &config).unwrap();
        assert_eq!((row.changes, row.queries, row.planners.len()), (2, 40, PLANNERS.len()));
        assert!(row.planners.iter().all(|line| line.total_us > 0.0 && line.planner.parse::<PlannerSpec>().is_ok()));
        let record = Record { rows: vec![row], machine: MadeWith::default() };
        assert!(record.part().contains("| 1 % | 20 |"), "{}", record.part());
    }
}
