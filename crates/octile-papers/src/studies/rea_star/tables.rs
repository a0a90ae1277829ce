//! Tables 5 and 6 and Figure 8.

use std::collections::BTreeMap;

use octile_cli::harness::race::Tally;
use octile_cli::harness::words::count;

use super::Raced;
use super::optimal::Checked;
use super::settings::{self, PAPERS, ROOTS, SETTINGS};
use crate::benchmarks::Set;
use crate::exhibit::finding::{Finding, Improvement, Says, range, spread};
use crate::exhibit::{Axis, Exhibit, Pair, Plot, Row, Style, Table};
use crate::laps::{Lap, Sum, by_length, mean, time_ratio};
use crate::papers::rea_star::{Figures, Means, Others};
use crate::plan::Plan;
use crate::races::{self, BASELINE};

/// The paper's search with our defaults, which are the fastest.
const CELLS: &str = "rea-star:fronts=cells";

/// Whether a planner is REA*, of whatever kind.
fn is_rea(planner: &str) -> bool {
    planner.starts_with(ROOTS)
}

/// How many maps and queries some laps are.
fn amount<'a>(laps: impl Iterator<Item = &'a Lap> + Clone) -> String {
    let queries = laps.clone().map(Lap::queries).sum();
    format!("{}, {}", count(laps.count(), "map", "maps"), count(queries, "query", "queries"))
}

fn caption(plan: &Plan, raced: &[Raced]) -> String {
    told(plan, raced, &races::sampled(plan, raced.iter().map(|raced| &raced.set)))
}

fn told(plan: &Plan, raced: &[Raced], sampled: &str) -> String {
    let amount = amount(raced.iter().flat_map(|raced| &raced.laps));
    format!("{amount}: {sampled}; best of {} interleaved rounds.", plan.rounds)
}

/// The work of a planner on a set and the number of queries: of those whose answers were checked, which are more, if
/// it took part there; otherwise of those that were timed.
fn lists<'a>(checked: &'a [Checked], set: &Set, planner: &str, sum: &'a Sum) -> (usize, &'a Tally) {
    let of_set = checked.iter().find(|checked| checked.set == *set);
    let tally = of_set.and_then(|checked| Some((checked.asked, checked.tally(planner)?)));
    tally.unwrap_or((sum.queries, &sum.tally))
}

pub(super) fn table_5(plan: &Plan, raced: &[Raced], checked: &[Checked], figures: &Figures) -> Exhibit {
    let mut table = Table::new()
        .text("maps")
        .text("planner")
        .text("of section 6")
        .number("queries", 0)
        .beside("longest open list", 1)
        .beside("elements opened", 1)
        .beside("path length", 2)
        .beside("straight length", 2)
        .beside("time, ms", 3)
        .beside("times faster than A*", 2);
    for Raced { set, laps } in raced {
        let paper = figures.table_5.rows.get(&set.name());
        let speedup = paper.map(|paper| paper.astar.millis / paper.rea.millis);
        for (planner, has) in SETTINGS {
            let sum = Sum::of(laps, planner, BASELINE);
            let beside = paper.map(|paper| if planner == BASELINE { paper.astar } else { paper.rea });
            let lists = lists(checked, set, planner, &sum);
            table.push(row_5((set, planner, has), lists, &sum, beside, speedup.filter(|_| planner != BASELINE)));
        }
    }
    let sampled = settings::sampled(plan, raced.iter().map(|raced| &raced.set));
    let exhibit = Exhibit::new("Table 5", figures.table_5.caption.clone())
        .caption(format!(
            "Means of a problem. {} The paper ran {} problems on all maps.",
            told(plan, raced, &sampled),
            figures.claims.problems
        ))
        .table(table)
        .note(format!(
            "Straight length: the sum of the straight lines between path points. An open list counts the points of A* and the search nodes of \
             REA*. Lists and lengths of A* and of `{PAPERS}` are means of all queries whose answers were checked (Optimality), times are those of a \
             part of them. The paper does not say which parts of its section 6 were on: all of its numbers of REA*, list sizes and speed-ups \
             alike, are compared with that planner, which has them all. By roots, search nodes are other things than in the paper, so that no numbers \
             of the paper stand beside theirs.",
        ));
    claims(raced, figures).into_iter().fold(exhibit, Exhibit::note)
}

fn row_5(
    (set, planner, has): (&Set, &str, &str),
    (queries, tally): (usize, &Tally),
    sum: &Sum,
    paper: Option<Means>,
    speedup: Option<f64>,
) -> Row {
    let pair = |ours: Option<f64>, paper: Option<f64>| Pair::new(ours, paper);
    let mean = |total: f64| (queries > 0).then(|| total / queries as f64);
    let straight = mean(tally.straight_length).filter(|_| is_rea(planner));
    let ours_faster = is_rea(planner).then(|| sum.speedup()).flatten();
    let lists = paper.filter(|_| planner != ROOTS);
    Row::new()
        .text(set.name())
        .text(planner)
        .text(has)
        .count(queries)
        .beside(pair(mean(tally.longest_open as f64), lists.map(|paper| paper.longest)))
        .beside(pair(mean(tally.opened as f64), lists.map(|paper| paper.total)))
        .beside(pair(mean(tally.length), paper.map(|paper| paper.length)))
        .beside(pair(straight, paper.and_then(|paper| paper.real_length)))
        .beside(pair(sum.mean_us().map(|us| us / 1e3), paper.map(|paper| paper.millis)))
        .measured_beside(pair(ours_faster, speedup), sum.is_in_noise())
}

/// REA\*, of one kind or the other, and A\* of each type but MAZE1, of which the text does not speak.
fn sums<'a>(raced: &'a [Raced], rea: &'static str) -> impl Iterator<Item = [Sum; 2]> + use<'a> {
    let types = raced.iter().filter(|raced| raced.set != Set::Maze(1));
    types.map(move |raced| [rea, BASELINE].map(|planner| Sum::of(&raced.laps, planner, BASELINE)))
}

/// A share of a type, in per cent.
type Share = fn(&[Sum; 2]) -> f64;

const STRAIGHT: Share = |[rea, _]| 100.0 * rea.tally.straight_length / rea.tally.length;
const OPENED: Share = |[rea, astar]| 100.0 * rea.tally.opened as f64 / astar.tally.opened as f64;
const LONGEST: Share = |[rea, astar]| 100.0 * rea.tally.longest_open as f64 / astar.tally.longest_open as f64;

/// What the text says below the table.
fn claims(raced: &[Raced], figures: &Figures) -> Vec<String> {
    let claims = &figures.claims;
    let say = |(what, rea, [from, to], of): (&str, &'static str, [f64; 2], Share)| {
        let [low, high] = range(sums(raced, rea).map(|sums| of(&sums)))?;
        Some(format!(
            "Without MAZE1, {what}: {low:.2} to {high:.2} % here with `{rea}`, {from} to {to} % in the paper's text."
        ))
    };
    let all = [
        ("straight over grid length", PAPERS, claims.real_length, STRAIGHT),
        ("straight over grid length", ROOTS, claims.real_length, STRAIGHT),
        ("elements opened, of those of A*", PAPERS, claims.total, OPENED),
        ("longest open list, of that of A*", PAPERS, claims.longest, LONGEST),
    ];
    all.into_iter().filter_map(say).collect()
}

/// Each number of Table 5 beside ours.
pub(super) fn findings(raced: &[Raced], checked: &[Checked], figures: &Figures) -> Vec<Finding> {
    // The paper's times of an expansion of A*.
    let spread = spread(figures.table_5.rows.values().map(|row| row.astar.millis / row.astar.total));
    raced.iter().flat_map(|raced| row_findings(raced, checked, figures, spread)).collect()
}

fn row_findings(Raced { set, laps }: &Raced, checked: &[Checked], figures: &Figures, spread: f64) -> Vec<Finding> {
    let Some(paper) = figures.table_5.rows.get(&set.name()) else { return Vec::new() };
    let mut findings = Vec::new();
    for (planner, name, paper) in [(BASELINE, "A*", paper.astar), (PAPERS, "REA*", paper.rea)] {
        let sum = Sum::of(laps, planner, BASELINE);
        let (queries, tally) = lists(checked, set, planner, &sum);
        let mean = |total: f64| (queries > 0).then(|| total / queries as f64);
        let mut add = |what: &str, says, ours: Option<f64>, decimals| {
            let what = format!("{what} of {name}");
            findings.push(Finding::new(("table-5", &set.name(), &what), says, ours).by(planner).printed(decimals, ""));
        };
        add("longest open list", Says::Count(paper.longest), mean(tally.longest_open as f64), 0);
        add("elements opened", Says::Count(paper.total), mean(tally.opened as f64), 0);
        add("path length", Says::Length(paper.length), mean(tally.length), 2);
        if let Some(straight) = paper.real_length {
            add("straight length", Says::Length(straight), mean(tally.straight_length), 2);
        }
    }
    let speedup = Says::time(paper.astar.millis / paper.rea.millis, spread);
    let ours = Sum::of(laps, PAPERS, BASELINE).speedup();
    findings
        .push(Finding::new(("table-5", &set.name(), "times as fast as A*"), speedup, ours).by(PAPERS).printed(2, ""));
    findings
}

/// Where the search by roots improves on the paper's, with whichever of its enhancements is the fastest.
pub(super) fn improvements(raced: &[Raced]) -> Vec<Improvement> {
    let time = |raced: &Raced| {
        let us = |planner: &'static str| Some((planner, Sum::of(&raced.laps, planner, BASELINE).mean_us()?));
        let papers =
            SETTINGS.iter().map(|(planner, _)| *planner).filter(|planner| is_rea(planner) && *planner != ROOTS);
        let best = papers.filter_map(us).min_by(|a, b| a.1.total_cmp(&b.1));
        let row = (&*raced.set.name(), "time of a query");
        Some(Improvement::new(row, best?, us(ROOTS)?, (1, " us")))
    };
    raced.iter().filter_map(time).collect()
}

/// Which of the paper's algorithms a planner of ours is, or comes next to.
fn counterpart(planner: &str) -> Option<&'static str> {
    Some(match planner {
        CELLS | ROOTS => "REA*",
        "block-astar" => "Block A*",
        "jps" => "JPS",
        "jump-graph" => "JPS+",
        "hub-labels" => "SUB",
        "cpd" => "CPDs",
        _ => return None,
    })
}

const FAMILIES: [&str; 4] = ["DAO", "BG2", "ROOMS", "MAZES"];

pub(super) fn table_6(plan: &Plan, raced: &[Raced], figures: &Figures) -> Exhibit {
    let mut table = Table::new()
        .text("planner")
        .text("the paper's")
        .text("maps")
        .text("run")
        .beside("speed-up, slowest type", 2)
        .beside("speed-up, fastest type", 2)
        .number("path length", 4)
        .number("preparation, ms", 2)
        .text("prepares, in the paper");
    let planners = races::planners(&plan.catalog);
    for planner in planners.iter().copied() {
        let name = counterpart(planner);
        let paper = name.and_then(|name| figures.table_6.rows.get(name));
        for family in FAMILIES {
            table.rows.extend(row_6(planner, name, paper, family, raced));
        }
    }
    let ours: Vec<&str> = planners.into_iter().filter_map(counterpart).collect();
    for (name, paper) in figures.table_6.rows.iter().filter(|(name, _)| !ours.contains(&name.as_str())) {
        for family in FAMILIES {
            table.rows.extend(row_6("none of ours", Some(name), Some(paper), family, &[]));
        }
    }
    Exhibit::new("Table 6", figures.table_6.caption.clone())
        .caption(format!(
            "How many times faster than `{BASELINE}` each planner is, by total time: on the type of maps of a family where it gains least, and where \
             it gains most. {} Run: on how many of the maps; where that is not all the row is pale, and its A* is that on the same maps. Path length is over \
             that of A*: 1 is grid-optimal, less is straighter; any-angle paths do not squeeze where grid paths may not. The paper took the numbers of \
             other algorithms from their own papers, where their A* differs.",
            caption(plan, raced)
        ))
        .table(table)
        .note(
            "Not the same but next of kin: `hub-labels` for SUB (labels over a graph of subgoals), `jump-graph` for JPS+ (all jump points found \
             beforehand). octile has no RSR. `cpd` runs only on maps with few free cells here, `hub-labels` where its index is soon built. The \
             planner `auto` is one of these, whichever its measurements on a map favour.",
        )
}

/// A line of the table, if there is a number of ours or of the paper's.
fn row_6(planner: &str, name: Option<&str>, paper: Option<&Others>, family: &str, raced: &[Raced]) -> Option<Row> {
    let of_family = || raced.iter().filter(|raced| raced.set.family() == family);
    let speedups: Vec<f64> =
        of_family().filter_map(|raced| Sum::of(&raced.laps, planner, BASELINE).speedup()).collect();
    let said = paper.and_then(|paper| paper.speedups.get(family));
    if speedups.is_empty() && said.is_none() {
        return None;
    }
    let all = Sum::of(of_family().flat_map(|raced| &raced.laps), planner, BASELINE);
    let straight = (is_rea(planner) && all.tally.length > 0.0).then(|| all.tally.straight_length / all.tally.length);
    let row = Row::new()
        .text(planner)
        .text(name.unwrap_or("-"))
        .text(family)
        .text(if all.maps == 0 { "-".to_owned() } else { all.maps_run() })
        .beside(Pair::new(speedups.iter().copied().reduce(f64::min), said.map(|said| said[0])))
        .beside(Pair::new(speedups.iter().copied().reduce(f64::max), said.map(|said| said[1])))
        .number(straight.or_else(|| all.length_ratio()))
        .number(all.mean_build_ms())
        .text(match paper.filter(|_| said.is_some()) {
            Some(paper) if paper.preprocessing => "yes",
            Some(_) => "no",
            None => "-",
        });
    Some(if all.is_partial() { row.partial() } else { row })
}

/// How wide a range of path lengths is: narrow enough for ten of them on the longest paths of a type.
fn width(laps: &[Lap]) -> u32 {
    let longest = laps.iter().filter_map(|lap| lap.leg(BASELINE)).flat_map(|leg| leg.lengths.iter().flatten());
    let longest = longest.fold(0.0_f64, |longest, &length| longest.max(length));
    [25, 50, 100, 250, 500].into_iter().find(|&width| longest <= f64::from(10 * width)).unwrap_or(1000)
}

pub(super) fn figure_8(plan: &Plan, raced: &[Raced]) -> Exhibit {
    let mut table = Table::new()
        .text("maps")
        .text("planner")
        .number("path length from", 0)
        .number("to", 0)
        .number("queries", 0)
        .number("times faster", 2);
    let mut plots = BTreeMap::new();
    for (place, rea) in [CELLS, ROOTS].into_iter().enumerate() {
        for Raced { set, laps } in raced {
            let width = width(laps);
            let speedups = by_length(laps, BASELINE, width, |lap, query| time_ratio(lap, query, BASELINE, rea));
            let mut points = Vec::new();
            for (from, speedups) in speedups {
                let Some(mean) = mean(&speedups) else { continue };
                points.push((f64::from(from) + f64::from(width) / 2.0, mean));
                let range = [f64::from(from), f64::from(from + width), speedups.len() as f64, mean];
                table.push(Row::new().text(set.name()).text(rea).numbers(range));
            }
            let is_maze = matches!(set, Set::Maze(_));
            let title = match (is_maze, rea) {
                (true, CELLS) => "Mazes, as in the paper",
                (true, _) => "Mazes, by roots",
                (false, CELLS) => "Rooms and games",
                (false, _) => "Rooms and games, by roots",
            };
            plots
                .entry((place, !is_maze))
                .or_insert_with(|| plot(title))
                .series
                .extend(plot(title).series(set.name(), Style::Line, points).series);
        }
    }
    let exhibit = Exhibit::new("Figure 8", "Average speed-up of REA* with different path length")
        .caption(format!(
            "The mean over queries of how many times faster than `{BASELINE}` each is, `{CELLS}` and `{ROOTS}`, by the length of the optimal \
             path; points stand in the middle of their range. {} The paper's figure is a plot without numbers: it grows with the length in \
             all mazes, from about 1 to the speed-ups of Table 5 and beyond.",
            caption(plan, raced)
        ))
        .table(table)
        .folded();
    plots.into_values().fold(exhibit, Exhibit::plot)
}

fn plot(title: &str) -> Plot {
    Plot::new(title, Axis::linear("length of the optimal path"), Axis::log("times faster than A*"))
}
