//! The exhibits over the cost of paths: Figures 2 and 3, and first moves alone.

use octile_cli::harness::args::output_name;
use octile_cli::harness::words::count;

use super::bins::{self, COLD, Memory, Range, Times, WARM, WIDTH};
use super::queries::{Answer, CPDS, WARM_CALLS, WAYS};
use super::{Elsewhere, Told};
use crate::exhibit::finding::{Finding, Improvement, Says};
use crate::exhibit::{Axis, Exhibit, Pair, Plot, Row, Style, Table};
use crate::papers::cpd::COST;

/// The names of rows over all costs, and of the largest of the averages.
const ALL: &str = "all";
const LARGEST: &str = "largest average";
const LARGEST_OF_ONE: &str = "largest of a query";

/// How times are taken, for captions.
fn timed(told: &Told) -> String {
    format!(
        "Warm: the same query again and again, {WARM_CALLS} times in a row for databases; cold: once, nothing of the map's having been \
         touched since a walk over {} MB of other memory; both best of {}, without the clock's own time.",
        Elsewhere::MEGABYTES,
        count(told.plan.rounds, "round", "rounds")
    )
}

/// The ways but A\*.
fn ways() -> std::ops::Range<usize> {
    1..WAYS.len()
}

/// Speed-up over A\*; none if there is no query.
pub(super) fn figure_2(told: &Told, answers: &[Answer]) -> Option<Exhibit> {
    let (ranges, all) = (bins::ranges(answers), bins::all(answers)?);
    let exhibit = Exhibit::new("Figure 2", "Average speed-up over A*").caption(format!(
        "{}; averages over paths whose costs are within {WIDTH}, the speed-up that of the queries' own. {}",
        told.queries(),
        timed(told)
    ));
    let exhibit = exhibit.plot(speed_plot(told, &ranges)).table(speed_table(told, &ranges, &all)).folded();
    Some(exhibit.note(speed_note(told, &ranges)).note(
        "The paper's factors are against the A* of HOG, whose times it does not give. `cpd` follows its path from turn to turn; the \
         paper's way, rectangles and a lookup for every move, is the last of the three.",
    ))
}

fn speed_plot(told: &Told, ranges: &[Range]) -> Plot {
    let claims = &told.figures.claims;
    let mut plot = Plot::new("Speed-up by path cost", Axis::linear("path cost"), Axis::log("times faster than A*"));
    for (name, memory) in [("warm", WARM), ("cold", COLD)] {
        for way in ways() {
            let point = |range: &Range| Some((range.middle(), range.times(memory, way)?.speedup));
            let points = ranges.iter().filter_map(point).collect();
            plot = plot.series(format!("{}, {name}", WAYS[way].label), Style::Line, points);
        }
    }
    let about = vec![(f64::from(COST), claims.speedup)];
    plot.series(format!("paper: about {} at a cost of {COST}", claims.speedup), Style::Paper, about).series(
        format!("paper: up to {}", claims.largest_speedup),
        Style::Paper,
        level(ranges, claims.largest_speedup),
    )
}

/// A line across the plot.
fn level(ranges: &[Range], height: f64) -> Vec<(f64, f64)> {
    let mut ends: Vec<f64> = ranges.iter().map(Range::middle).collect();
    ends.dedup();
    [ends.first(), ends.last()].into_iter().flatten().map(|&end| (end, height)).collect()
}

fn speed_table(told: &Told, ranges: &[Range], all: &Range) -> Table {
    let claims = &told.figures.claims;
    let mut table = Table::new().text("cost").text("planner").text("output").number("queries", 0);
    table = table.grouped("warm, us", "astar", 2).grouped("warm, us", "planner", 3).beside("speed-up, warm", 1);
    table = table.number("warm ns a move", 2);
    table = table.grouped("cold, us", "astar", 2).grouped("cold, us", "planner", 3).beside("speed-up, cold", 1);
    for range in ranges {
        let paper = (range.from == COST).then_some(claims.speedup);
        table = table.rows(ways().map(|way| speed_row(&range.name(), range, way, paper)));
    }
    table = table.rows(ways().map(|way| speed_row(ALL, all, way, None).strong()));
    table.rows(ways().map(|way| {
        let pair = |memory| Pair::new(largest(ranges, memory, way), claims.largest_speedup);
        let row = way_of(LARGEST, way).number(None).number(None).number(None).beside(pair(WARM));
        row.number(None).number(None).number(None).beside(pair(COLD)).strong()
    }))
}

fn way_of(cost: &str, way: usize) -> Row {
    Row::new().text(cost).text(WAYS[way].planner).text(output_name(WAYS[way].output))
}

fn speed_row(cost: &str, range: &Range, way: usize, paper: Option<f64>) -> Row {
    let [warm, cold] = [WARM, COLD].map(|memory| range.times(memory, way));
    let times = |row: Row, times: Option<Times>| {
        let row = row.number(times.map(|times| times.astar_us)).number(times.map(|times| times.us));
        row.beside(Pair::new(times.map(|times| times.speedup), paper))
    };
    let row = times(way_of(cost, way).count(range.answers.len()), warm);
    times(row.number(range.warm_ns_per_move(way)), cold)
}

/// The largest of the averages.
fn largest(ranges: &[Range], memory: Memory, way: usize) -> Option<f64> {
    ranges.iter().filter_map(|range| Some(range.times(memory, way)?.speedup)).reduce(f64::max)
}

/// Of the ways, the one that is best.
fn best(speedup: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    ways().filter_map(speedup).reduce(f64::max)
}

/// The way that is as the paper has it.
const PAPERS: usize = 3;

/// Of paths of the cost that the paper tells of, with warm memory.
fn at_cost(ranges: &[Range], way: usize) -> Option<f64> {
    let range = ranges.iter().find(|range| range.from == COST)?;
    Some(range.times(WARM, way)?.speedup)
}

/// What the paper says in short, beside ours.
pub(super) fn findings(told: &Told, answers: &[Answer]) -> Vec<Finding> {
    let (claims, ranges) = (&told.figures.claims, bins::ranges(answers));
    let finding = |exhibit, what: &str, says, ours: Option<f64>| Finding::new((exhibit, "", what), says, ours);
    let cost = format!("times as fast as A* at a path cost of {COST}");
    let (at_cost, largest) = (at_cost(&ranges, PAPERS), largest(&ranges, WARM, PAPERS));
    vec![
        finding("figure-2", &cost, Says::About(claims.speedup), at_cost).by(WAYS[PAPERS].planner).printed(1, ""),
        finding("figure-2", "times as fast as A*, at best", Says::About(claims.largest_speedup), largest)
            .by(WAYS[PAPERS].planner)
            .printed(1, ""),
        finding(
            "figure-3",
            "nodes that A* expands for each on the path, largest average",
            Says::About(claims.nodes),
            over_path(&ranges),
        )
        .by(WAYS[0].planner)
        .printed(1, ""),
    ]
}

/// Where our databases improve on the paper's: a query with warm and with cold memory, one of the way that is the best
/// of ours.
pub(super) fn improvements(answers: &[Answer]) -> Vec<Improvement> {
    let Some(all) = bins::all(answers) else { return Vec::new() };
    let of = |name: &str, memory| {
        let us = |way| Some(all.times(memory, way)?.us);
        let ours =
            (1..PAPERS).filter_map(|way| Some((us(way)?, way))).min_by(|one, other| one.0.total_cmp(&other.0))?;
        let (paper, ours) = ((WAYS[PAPERS].planner, us(PAPERS)?), (WAYS[ours.1].planner, ours.0));
        Some(Improvement::new(("all maps", name), paper, ours, (2, " us")))
    };
    [of("time of a query, warm memory", WARM), of("time of a query, cold memory", COLD)].into_iter().flatten().collect()
}

fn speed_note(told: &Told, ranges: &[Range]) -> String {
    let claims = &told.figures.claims;
    let [warm, cold] = [WARM, COLD].map(|memory| best(|way| largest(ranges, memory, way)).unwrap_or_default());
    let at_cost = best(|way| at_cost(ranges, way)).map_or_else(
        || format!("No path costs {COST} to {}", COST + WIDTH),
        |at_cost| format!("At costs from {COST} on the best way is {at_cost:.0} times as fast as A* with warm memory"),
    );
    format!(
        "{at_cost} (paper: about {}); the largest average is {warm:.0}, with cold memory {cold:.1} (paper: up to {}).",
        claims.speedup, claims.largest_speedup
    )
}

/// Nodes; none if there is no query.
pub(super) fn figure_3(told: &Told, answers: &[Answer]) -> Option<Exhibit> {
    let (ranges, all) = (bins::ranges(answers), bins::all(answers)?);
    let claims = &told.figures.claims;
    let exhibit = Exhibit::new("Figure 3", "Nodes expanded by A*, on the path, and looked up").caption(format!(
        "{}; means of a query, over paths whose costs are within {WIDTH}. Lookups are those of cpd, which follows lines, and of one \
         for every move, as in the paper.",
        told.queries()
    ));
    let largest = over_path(&ranges).unwrap_or_default();
    let exhibit =
        exhibit.plot(nodes_plot(claims.nodes, &ranges)).table(nodes_table(claims.nodes, &ranges, &all)).folded();
    Some(exhibit.note(format!(
        "A* expands up to {largest:.1} times as many nodes as the path has, on average over paths of similar cost, and up to {:.1} \
         times in a single query (paper: up to {}).",
        over_path_of_one(&all),
        claims.nodes
    )))
}

/// The most nodes expanded over nodes on the path, of a single query.
fn over_path_of_one(all: &Range) -> f64 {
    let ratio = |answer: &&Answer| answer.expanded as f64 / (answer.cost().moves() as f64 + 1.0);
    all.answers.iter().map(ratio).fold(0.0, f64::max)
}

/// The largest average of nodes expanded over nodes on the path.
fn over_path(ranges: &[Range]) -> Option<f64> {
    let ratio = |range: &Range| range.nodes().expanded / range.nodes().on_path;
    ranges.iter().map(ratio).reduce(f64::max)
}

fn nodes_plot(paper: f64, ranges: &[Range]) -> Plot {
    let points = |of: &dyn Fn(&Range) -> f64| ranges.iter().map(|range| (range.middle(), of(range))).collect();
    Plot::new("Nodes by path cost", Axis::linear("path cost"), Axis::log("nodes of a query"))
        .series("expanded by A*", Style::Line, points(&|range| range.nodes().expanded))
        .series("on the path", Style::Line, points(&|range| range.nodes().on_path))
        .series("lookups, one for every move", Style::Line, points(&|range| range.nodes().lookups_by_move))
        .series("lookups of cpd, from turn to turn", Style::Line, points(&|range| range.nodes().lookups))
        .series(
            format!("paper: A* up to {paper} times those on the path"),
            Style::Paper,
            points(&|range| paper * range.nodes().on_path),
        )
}

fn nodes_table(paper: f64, ranges: &[Range], all: &Range) -> Table {
    let table = Table::new().text("cost").number("queries", 0).number("expanded by astar", 1).number("on the path", 1);
    let table = table.grouped("lookups", "cpd", 1).grouped("lookups", "by move", 1);
    let table = table.beside("expanded / path", 1).number("expanded / lookups", 1);
    let row = |cost: &str, range: &Range| {
        let nodes = range.nodes();
        let row = Row::new().text(cost).count(range.answers.len());
        let row = row.numbers([nodes.expanded, nodes.on_path, nodes.lookups, nodes.lookups_by_move]);
        row.beside(Pair::new(nodes.expanded / nodes.on_path, None)).number(nodes.expanded / nodes.lookups)
    };
    let largest = (0..5).fold(Row::new().text(LARGEST), |row, _| row.number(None));
    let largest = largest.beside(Pair::new(over_path(ranges), paper)).number(None);
    let one = (0..5).fold(Row::new().text(LARGEST_OF_ONE), |row, _| row.number(None));
    let one = one.beside(Pair::new(over_path_of_one(all), None)).number(None);
    let table = table.rows(ranges.iter().map(|range| row(&range.name(), range)));
    table.rows([row(ALL, all).strong(), largest.strong(), one.strong()])
}

/// The first move alone; none if there is no query.
pub(super) fn first_moves(told: &Told, answers: &[Answer]) -> Option<Exhibit> {
    let all = bins::all(answers)?;
    let table = Table::new().text("planner").number("queries", 0).number("warm, ns", 1).number("cold, ns", 1);
    let table = table.rows(CPDS.iter().enumerate().map(|(cpd, planner)| {
        let [warm, cold] = [WARM, COLD].map(|memory| all.mean_nanos(memory, |nanos| nanos[WAYS.len() + cpd]));
        Row::new().text(*planner).count(all.answers.len()).number(warm).number(cold)
    }));
    let caption = format!(
        "{}; means. The first move of an optimal path is one lookup, whatever the length of the path; the paper has no number for it. \
         {}",
        told.queries(),
        timed(told)
    );
    Some(Exhibit::new("First moves", "The first move alone").caption(caption).table(table))
}
