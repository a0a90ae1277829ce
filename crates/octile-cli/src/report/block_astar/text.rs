//! The tables for people.

use std::fmt::Write;

use super::{CellsLine, Comparison, Conditions, DatabaseLine, Document, PlannerLine, SetLines, SmoothingLine};
use crate::papers::block_astar::{Claims, Figures, Game};
use crate::report::beside::or_dash;
use crate::report::table::table;
use crate::report::text::count;

/// All tables of a document.
pub(crate) fn document(document: &Document, figures: &Figures) -> String {
    let conditions = &document.conditions;
    let mut text = format!("{}\n", document.citation);
    if !document.missing.is_empty() {
        let _ =
            writeln!(text, "left out, as no folder of that name with maps is at hand: {}", document.missing.join(", "));
    }
    if conditions.shrink > 1 {
        let _ = writeln!(text, "random and open maps have 1/{} of the sides of the paper's", conditions.shrink);
    }
    if !document.table_1.is_empty() {
        let _ = write!(text, "\nTable 1: {}; {MEANS}\n{}\n\n", figures.table_1.caption, of_sets(document));
        text += &sets(&document.table_1);
    }
    if let Some(set) = &document.table_2 {
        let _ = write!(text, "\nTable 2: {}; {MEANS}\n{}\n\n", figures.table_2.caption, of_open_map(conditions));
        text += &sets(std::slice::from_ref(set));
    }
    if !document.smoothing.is_empty() {
        let _ = write!(text, "\nSmoothing: {SMOOTHING}\n\n{}", smoothing(&document.smoothing, &figures.claims));
    }
    if !document.cells.is_empty() {
        let _ = write!(text, "\nCells: {CELLS}\nproblems as for Table 1, {}\n\n", conditions.runs.best());
        text += &cells(&document.cells, &figures.claims);
    }
    if !document.databases.is_empty() {
        let best = conditions.runs.best();
        let _ = write!(text, "\nDatabases: {DATABASES}; {best}\n\n{}", databases(&document.databases));
    }
    text
}

const MEANS: &str = "means of a query; ours, the paper's, and ours over the paper's";
const SMOOTHING: &str = "how much longer the paths of Block A* are than those of Theta*, in per cent of the mean, before and after \
                         smoothing both";
const CELLS: &str = "Block A* on cells, and how many times faster it is than astar under the same rule, by total time";
const DATABASES: &str = "all blocks of 2 x 2, 3 x 3 and 4 x 4 cells; the paper's of 4 x 4";

/// How the problems of Table 1 were chosen.
fn of_sets(document: &Document) -> String {
    let Conditions { runs, random_maps, problems, seed, random_side: side, .. } = document.conditions;
    let (maps, problems) = (count(random_maps, "map", "maps"), count(problems, "random problem", "random problems"));
    let mut text = format!("Random: {maps} of {side} x {side} cells each, {problems} on each map, seeds from {seed}");
    let has = |game: Game| !document.missing.contains(&game.folder());
    if has(Game::Starcraft) {
        let _ = write!(text, "; Starcraft: {problems} on each map, seeds from {seed}");
    }
    if has(Game::Bg2) || has(Game::Dao) {
        text += "; BG2 and DA:O: of the scenarios ";
        let _ = write!(text, "{}", runs.which());
    }
    let _ = write!(text, "; {}; obstacles that touch at a corner let paths through", runs.best());
    text
}

/// How the problems of Table 2 were chosen.
fn of_open_map(conditions: &Conditions) -> String {
    let &Conditions { runs, pairs, seed, open_side: side, .. } = conditions;
    let problems = count(pairs, "random problem", "random problems");
    format!("{problems} on an open map of {side} x {side} cells, seed {seed}; {}", runs.best())
}

/// The lines of data sets, and below them the comparisons.
fn sets(sets: &[SetLines]) -> String {
    let header = [
        "data set", "planner", "maps", "queries", "distance", "paper", "ratio", "expanded", "paper", "ratio", "us",
        "paper", "ratio", "again %",
    ];
    let rows: Vec<_> = sets.iter().flat_map(|set| set.lines.iter().map(|line| planner_row(set, line))).collect();
    let wrong = sets.iter().map(|set| set.wrong).sum();
    format!(
        "{}\n{}\n{}, {}; again: expansions of a block that had been expanded before\n",
        table(header, &rows, 2),
        comparisons(sets),
        count(sets.iter().map(|set| set.queries).sum(), "query", "queries"),
        count(wrong, "wrong answer", "wrong answers")
    )
}

fn planner_row(set: &SetLines, line: &PlannerLine) -> Vec<String> {
    let mut row = vec![set.set.clone(), line.planner.clone(), set.maps.to_string(), set.queries.to_string()];
    row.extend(line.distance.columns(1));
    row.extend(line.expanded.columns(0));
    row.extend(line.time_us.columns(0));
    row.push(or_dash(line.repeated_percent, 0));
    row
}

fn comparisons(sets: &[SetLines]) -> String {
    let header =
        ["data set", "planner", "distance/Theta*", "paper", "times faster than A*", "paper", "than Theta*", "paper"];
    let row = |set: &SetLines, line: &Comparison| {
        let pairs = [(line.distance_over_theta, 4), (line.speedup_over_astar, 2), (line.speedup_over_theta, 2)];
        let columns = pairs.into_iter().flat_map(|(pair, decimals)| {
            let [ours, paper, _] = pair.columns(decimals);
            [ours, paper]
        });
        [set.set.clone(), line.planner.clone()].into_iter().chain(columns).collect::<Vec<_>>()
    };
    let rows: Vec<_> = sets.iter().flat_map(|set| set.comparisons.iter().map(|line| row(set, line))).collect();
    table(header, &rows, 2)
}

fn smoothing(lines: &[SmoothingLine], claims: &Claims) -> String {
    let header = ["data set", "planner", "distance", "Theta*", "longer %", "paper", "smoothed", "Theta*", "longer %"];
    let row = |line: &SmoothingLine| {
        [
            line.set.clone(),
            line.planner.clone(),
            format!("{:.2}", line.distance),
            format!("{:.2}", line.theta_distance),
            format!("{:.2}", line.longer_percent.ours),
            line.longer_percent.paper(2),
            format!("{:.2}", line.smoothed_distance),
            format!("{:.2}", line.smoothed_theta_distance),
            format!("{:.2}", line.smoothed_longer_percent),
        ]
    };
    let rows: Vec<_> = lines.iter().map(row).collect();
    let most = |of: fn(&SmoothingLine) -> f64| lines.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    format!(
        "{}\nat most {:.2} % longer, {:.2} % after smoothing; the paper says {} % and {} %\n",
        table(header, &rows, 2),
        most(|line| line.longer_percent.ours),
        most(|line| line.smoothed_longer_percent),
        claims.difference_percent,
        claims.smoothed_percent
    )
}

fn cells(lines: &[CellsLine], claims: &Claims) -> String {
    let header = [
        "data set",
        "movement",
        "planner",
        "maps",
        "queries",
        "wrong",
        "expanded",
        "astar",
        "us",
        "astar",
        "times faster",
        "paper",
    ];
    let [from, to] = claims.cells_speedup;
    let row = |line: &CellsLine| {
        [
            line.set.clone(),
            line.movement.to_owned(),
            line.planner.clone(),
            line.maps.to_string(),
            line.queries.to_string(),
            line.wrong.to_string(),
            format!("{:.0}", line.expanded),
            format!("{:.0}", line.astar_expanded),
            format!("{:.0}", line.time_us),
            format!("{:.0}", line.astar_time_us),
            format!("{:.2}", line.speedup),
            format!("{from} to {to}"),
        ]
    };
    table(header, &lines.iter().map(row).collect::<Vec<_>>(), 3)
}

fn databases(lines: &[DatabaseLine]) -> String {
    let header = ["kind", "build ms", "paper", "ratio", "file MB", "paper below", "ratio"];
    let row = |line: &DatabaseLine| {
        let mut row = vec![line.kind.to_owned()];
        row.extend(line.build_ms.columns(1));
        row.extend(line.megabytes.columns(2));
        row
    };
    table(header, &lines.iter().map(row).collect::<Vec<_>>(), 1)
}
