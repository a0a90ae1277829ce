//! Reports on dynamic scenarios, whose map changes: the documents of `--json`, and text.

use std::fmt::Write;
use std::time::Duration;

use anyhow::Result;
use octile::formats::movingai::dynamic::DynamicScenario;
use octile::{Movement, Output, PlannerSpec};
use serde::Serialize;

use super::json::Disagreement;
use super::text;
use crate::cmd::compare::dynamic::{LeftOut, Match, Player};
use crate::harness::args::output_name;
use crate::harness::dynamic::{Game, Sums, Times};
use crate::harness::judge::Faults;
use crate::harness::machine::Machine;
use crate::harness::output::SCHEMA;
use crate::harness::screen::{Columns, Screen, Tone};
use crate::harness::words::{count, duration};

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// `run --json` for a dynamic scenario.
#[derive(Serialize)]
pub(crate) struct DynamicRun {
    schema: u32,
    scenario: String,
    planner: String,
    movement: &'static str,
    /// The number of changes, and of changed cells, summed over the changes.
    edits: usize,
    cells_changed: usize,
    problems: usize,
    found: usize,
    /// Whether the file's lengths apply to the movement rule; if not, only moves and reachability were checked.
    lengths_checked: bool,
    pub(crate) all_agree: bool,
    /// The time to build the planner for the map before the first change.
    build_ms: f64,
    edit_ms: f64,
    /// The first change alone, which in most scenarios carves the map.
    first_edit_ms: f64,
    query_ms: f64,
    /// Changes and queries.
    total_ms: f64,
    disagreements: Vec<Disagreement>,
}

impl DynamicRun {
    pub(crate) fn new(
        game: &Game,
        spec: &PlannerSpec,
        build: Duration,
        times: &Times,
        found: usize,
        disagreements: Vec<Disagreement>,
    ) -> Self {
        let Sums { edits, cells_changed, queries } = game.sums;
        Self {
            schema: SCHEMA,
            scenario: game.name.clone(),
            planner: spec.to_string(),
            movement: game.movement.name(),
            edits,
            cells_changed,
            problems: queries,
            found,
            lengths_checked: game.has_lengths(),
            all_agree: disagreements.is_empty(),
            build_ms: millis(build),
            edit_ms: millis(times.edits_total()),
            first_edit_ms: millis(times.first_edit()),
            query_ms: millis(times.queries_total()),
            total_ms: millis(times.total()),
            disagreements,
        }
    }
}

/// The text that `run` prints for a dynamic scenario.
pub(crate) fn run(run: &DynamicRun) -> String {
    let DynamicRun { scenario, planner, edits, cells_changed, problems, found, .. } = run;
    let time = |millis: f64| duration(Duration::from_secs_f64(millis / 1000.0));
    let sum = format!(
        "{scenario}: {problems} problems by {planner} between {} ({}), {found} paths found, {} (build {}, changes {}, of which the first {}, queries {})",
        count(*edits, "change", "changes"),
        count(*cells_changed, "cell", "cells"),
        text::verdict(run.disagreements.len()),
        time(run.build_ms),
        time(run.edit_ms),
        time(run.first_edit_ms),
        time(run.query_ms)
    );
    text::disagreements(scenario, run.lengths_checked, &run.disagreements) + &Screen::stdout().line(&sum, 2) + "\n"
}

/// `compare --json` for dynamic scenarios.
#[derive(Serialize)]
pub(crate) struct DynamicCompare {
    schema: u32,
    rounds: usize,
    output: &'static str,
    movement: &'static str,
    machine: Machine,
    scenarios: Vec<Compared>,
}

/// A dynamic scenario with the results of its planners.
#[derive(Serialize)]
struct Compared {
    scenario: String,
    edits: usize,
    cells_changed: usize,
    problems: usize,
    /// The planners, in the given order.
    planners: Vec<Played>,
    /// Planners that did not play.
    left_out: Vec<LeftOut>,
}

/// The results of one planner. The best of the rounds counts for each change and each query.
#[derive(Serialize)]
struct Played {
    planner: String,
    build_ms: f64,
    edit_ms: f64,
    /// The first change alone, which in most scenarios carves the map.
    first_edit_ms: f64,
    query_ms: f64,
    /// Changes and queries.
    total_ms: f64,
    mean_query_us: f64,
    /// The speed-up over the first planner, for changes and queries together.
    speedup: f64,
    /// The size of the index after the last change.
    index_bytes: u64,
    wrong: usize,
    faults: Faults,
}

impl Played {
    fn new(player: &Player, first: Duration) -> Self {
        let times = &player.best;
        let total = times.total();
        Self {
            planner: player.spec.to_string(),
            build_ms: millis(player.build),
            edit_ms: millis(times.edits_total()),
            first_edit_ms: millis(times.first_edit()),
            query_ms: millis(times.queries_total()),
            total_ms: millis(total),
            mean_query_us: millis(times.queries_total()) * 1000.0 / times.queries.len().max(1) as f64,
            speedup: first.as_secs_f64() / total.as_secs_f64().max(1e-9),
            index_bytes: player.index_bytes,
            wrong: player.faults.total(),
            faults: player.faults,
        }
    }
}

impl Compared {
    fn new(played: &Match) -> Self {
        let Sums { edits, cells_changed, queries } = played.game.sums;
        Self {
            scenario: played.game.name.clone(),
            edits,
            cells_changed,
            problems: queries,
            planners: self::played(played),
            left_out: played.left_out.clone(),
        }
    }
}

/// The results of each planner.
fn played(played: &Match) -> Vec<Played> {
    let first = played.players.first().map_or(Duration::ZERO, |first| first.best.total());
    played.players.iter().map(|player| Played::new(player, first)).collect()
}

impl DynamicCompare {
    pub(crate) fn new(matches: &[Match], rounds: usize, output: Output, movement: Movement, machine: Machine) -> Self {
        Self {
            schema: SCHEMA,
            rounds,
            output: output_name(output),
            movement: movement.name(),
            machine,
            scenarios: matches.iter().map(Compared::new).collect(),
        }
    }
}

const COLUMNS: [&str; 8] =
    ["planner", "build ms", "first ms", "changes ms", "queries ms", "together ms", "speed-up", "verdict"];

/// Columns that a narrow terminal leaves out, in this order.
const DISPENSABLE: [&str; 4] = ["first ms", "build ms", "verdict", "speed-up"];

/// The text that `compare` prints for dynamic scenarios.
pub(crate) fn compare(
    matches: &[Match],
    rounds: usize,
    output: Output,
    movement: Movement,
    machine: &Machine,
    screen: Screen,
) -> String {
    let paragraph = |text: &str| screen.prose(text, 0) + "\n";
    let first = matches.first().and_then(|played| played.players.first());
    let first = first.map_or_else(String::new, |first| first.spec.to_string());
    let rounds = count(rounds, "round", "rounds");
    let about = format!(
        "Best of {rounds}; output {}, movement {movement}. Speed-ups are over {first}, of changes and queries together; build is for the map before the first change, and the first of the changes, which is among them, often carves the map.",
        output_name(output)
    );
    let mut text = text::measured_with(machine, screen) + "\n" + &paragraph(&about);
    let mut left_out = Vec::new();
    for played in matches {
        let (Sums { edits, cells_changed, queries }, (width, height)) = (played.game.sums, played.game.size());
        let heading = format!(
            "{}: {width} x {height} cells, {} of {}, {}",
            played.game.name,
            count(edits, "change", "changes"),
            count(cells_changed, "cell", "cells"),
            count(queries, "query", "queries")
        );
        let fitted = screen.table(columns(&self::played(played)), &DISPENSABLE);
        let _ = write!(text, "\n{}\n{}", paragraph(&heading), fitted.text);
        left_out = fitted.left_out;
    }
    if !left_out.is_empty() {
        let remark = format!("(No room for {}; --json has them.)", left_out.join(", "));
        let _ = write!(text, "\n{}", paragraph(&remark));
    }
    text
}

/// A column, and a value for it; smaller is better.
type Measure = (&'static str, fn(&Played) -> f64);

/// The table of planners, with the best of each time marked.
fn columns(lines: &[Played]) -> Columns {
    let mut columns = Columns::new(&COLUMNS, lines.iter().map(row).collect());
    let measures: [Measure; 4] = [
        ("changes ms", |line| line.edit_ms),
        ("queries ms", |line| line.query_ms),
        ("together ms", |line| line.total_ms),
        ("speed-up", |line| -line.speedup),
    ];
    for (name, measure) in measures {
        let best = (0..lines.len()).min_by(|&a, &b| measure(&lines[a]).total_cmp(&measure(&lines[b])));
        best.filter(|_| lines.len() > 1).into_iter().for_each(|row| columns.mark(row, name, Tone::Best));
    }
    for (row, line) in lines.iter().enumerate() {
        columns.mark(row, "planner", Tone::Name);
        if line.wrong > 0 {
            columns.mark(row, "verdict", Tone::Bad);
        }
    }
    columns
}

fn row(line: &Played) -> Vec<String> {
    vec![
        line.planner.clone(),
        format!("{:.2}", line.build_ms),
        format!("{:.2}", line.first_edit_ms),
        format!("{:.2}", line.edit_ms),
        format!("{:.2}", line.query_ms),
        format!("{:.2}", line.total_ms),
        format!("{:.2}x", line.speedup),
        if line.wrong == 0 { "all right".to_owned() } else { format!("{} wrong", line.wrong) },
    ]
}

/// `info --json` for a dynamic scenario.
#[derive(Serialize)]
pub(crate) struct DynamicInfo {
    schema: u32,
    file: String,
    kind: &'static str,
    width: u32,
    height: u32,
    cost_names: Vec<String>,
    patch_file: String,
    patches: usize,
    edits: usize,
    cells_changed: usize,
    problems: usize,
    /// By the costs named `octile`; without these, this and the following are null.
    unreachable: Option<usize>,
    shortest: Option<f64>,
    mean: Option<f64>,
    longest: Option<f64>,
}

impl DynamicInfo {
    pub(crate) fn new(file: String, scenario: &DynamicScenario) -> Result<Self> {
        let Sums { edits, cells_changed, queries } = Sums::of(scenario)?;
        let optima = scenario.optima();
        let mut lengths: Vec<f64> =
            optima.iter().flat_map(|optima| scenario.queries().filter_map(|query| optima.of(query))).collect();
        lengths.sort_by(f64::total_cmp);
        Ok(Self {
            schema: SCHEMA,
            file,
            kind: "dynamic-scenario",
            width: scenario.width,
            height: scenario.height,
            cost_names: scenario.cost_names.clone(),
            patch_file: scenario.patch_file.clone(),
            patches: scenario.patches.len(),
            edits,
            cells_changed,
            problems: queries,
            unreachable: optima.map(|_| queries - lengths.len()),
            shortest: lengths.first().copied(),
            mean: (!lengths.is_empty()).then(|| lengths.iter().sum::<f64>() / lengths.len() as f64),
            longest: lengths.last().copied(),
        })
    }
}

/// The text that `info` prints for a dynamic scenario.
pub(crate) fn info(info: &DynamicInfo) -> String {
    let unreachable = info.unreachable.map(|number| format!(", {number} of them unreachable")).unwrap_or_default();
    text::pairs([
        ("file", info.file.clone()),
        ("format", "MovingAI dynamic scenario, whose map changes".to_owned()),
        ("size", format!("{} x {} cells, all free before the first change", info.width, info.height)),
        ("patches", format!("{} in {}", info.patches, info.patch_file)),
        ("changes", format!("{} of {}", info.edits, count(info.cells_changed, "cell", "cells"))),
        ("problems", format!("{}{unreachable}", info.problems)),
        ("costs", info.cost_names.join(", ")),
        ("lengths", text::lengths(info.shortest, info.mean, info.longest)),
    ])
}
