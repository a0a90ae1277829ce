//! Tables 4 and A1: what pruning takes of the time and of the nodes of a search.

use octile::PlannerSpec;
use octile_cli::harness::words::count;

use super::trial::{Search, Setting, Trial, mean_ratio};
use crate::exhibit::finding::{Finding, Improvement, Says, range};
use crate::exhibit::{Exhibit, Pair, Row, Table};
use crate::laps::{Lap, Leg, Sum, length_ratios, mean};
use crate::papers::blocked_areas::{Figures, MapType, Times};
use crate::plan::Plan;

pub(super) fn table_4(trials: &[Trial], searches: &[Search; 2], plan: &Plan, figures: &Figures) -> Exhibit {
    let table = Table::new().text("setting").text("maps").text("planner").number("maps run", 0).number("queries", 0);
    let mut table =
        table.beside("relative time", 3).beside("relative nodes", 3).grouped("relative nodes", "expanded only", 3);
    for trial in trials {
        for &of in figures.table_4.rows.keys() {
            table = table.rows(type_rows(trial, of, searches, figures));
        }
    }
    let caption = format!(
        "The mean over queries of the time, and of the visited nodes, of a search that prunes blocked areas over those of the same search \
         without: the paper's formula. Visited nodes are those that were put on the open list. The paper's areas and lookup are lookup=tree; the \
         others are ours. Each time is the best of {}; preprocessing is left out.{}",
        count(plan.rounds, "round", "rounds"),
        trials.iter().map(|trial| described(trial, plan)).collect::<String>(),
    );
    let exhibit = Exhibit::new("Table 4", figures.table_4.caption.clone()).caption(caption).table(table);
    let exhibit = exhibit.note("The paper's numbers are of its own setting; they stand beside both.");
    trials.iter().filter_map(|trial| shorter(trial, &searches[1], figures)).fold(exhibit, Exhibit::note)
}

fn described(trial: &Trial, plan: &Plan) -> String {
    let whose = match trial.setting {
        Setting::Benchmark => "The benchmark's setting: the scenarios as they are",
        Setting::Paper => "The paper's setting: x and y of the scenarios exchanged, those with a blocked end left out",
    };
    let queries = count(trial.queries(), "query", "queries");
    let wrong = count(trial.wrong(), "wrong answer", "wrong answers");
    let (movement, sampled) = (trial.setting.movement().name(), trial.setting.sampled(plan));
    format!(" {whose}; movement {movement}; {sampled}: {queries}, {wrong}.")
}

/// A* and weighted A* on maps of a type, for each lookup.
fn type_rows(trial: &Trial, of: MapType, searches: &[Search; 2], figures: &Figures) -> Vec<Row> {
    let (laps, paper) = (trial.of_type(of), &figures.table_4.rows[&of]);
    if laps.is_empty() {
        return Vec::new();
    }
    let papers = [(paper.astar_time, paper.astar_nodes), (paper.weighted_time, paper.weighted_nodes)];
    let queries: usize = laps.iter().map(|lap| lap.queries()).sum();
    let mut rows = Vec::new();
    for (search, (time, nodes)) in searches.iter().zip(papers) {
        for pruned in &search.pruned {
            let row = Row::new().text(trial.setting.name()).text(of.to_string()).text(pruned.to_string());
            let row = row.count(laps.len()).count(queries);
            let ours = mean_ratio(&laps, pruned, &search.plain, |leg| &leg.nanos);
            let in_noise = is_in_noise(laps.iter().copied(), pruned, search);
            let row = row.measured_beside(Pair::new(ours, time), in_noise);
            let row = row.beside(Pair::new(mean_ratio(&laps, pruned, &search.plain, |leg| &leg.opened), nodes));
            rows.push(row.number(mean_ratio(&laps, pruned, &search.plain, |leg| &leg.expanded)));
        }
    }
    rows
}

/// Whether the times of a pruned search and of the plain one are as far apart as those of their rounds.
fn is_in_noise<'a>(laps: impl IntoIterator<Item = &'a Lap>, pruned: &PlannerSpec, search: &Search) -> bool {
    Sum::of(laps, &pruned.to_string(), &search.plain.to_string()).is_in_noise()
}

/// What pruning does to the paths of weighted A*.
fn shorter(trial: &Trial, weighted: &Search, figures: &Figures) -> Option<String> {
    let (pruned, plain) = (weighted.first_pruned().to_string(), weighted.plain.to_string());
    let ratio = Sum::of(trial.laps.iter().map(|(_, lap)| lap), &pruned, &plain).length_ratio()?;
    Some(format!(
        "In the {}'s setting the paths of {pruned} are {:.2} % shorter than those of {plain}, all lengths summed; the paper's by {} % on \
         average.",
        trial.setting.name(),
        100.0 * (1.0 - ratio),
        figures.statements.shorter_percent
    ))
}

/// Each number of Table 4 beside ours, in the paper's setting, and what its text says of the paths of weighted A*.
pub(super) fn findings(trial: &Trial, searches: &[Search; 2], figures: &Figures) -> Vec<Finding> {
    let of_types = figures.table_4.rows.keys().flat_map(|&of| type_findings(trial, of, searches, figures));
    of_types.chain(path_findings(trial, &searches[1], figures)).collect()
}

fn path_findings(trial: &Trial, weighted: &Search, figures: &Figures) -> [Finding; 2] {
    let (pruned, plain) = (weighted.first_pruned().to_string(), weighted.plain.to_string());
    let of_lap = |lap: &Lap| length_ratios(std::slice::from_ref(lap), &pruned, &plain);
    let ratios: Vec<f64> = trial.laps.iter().flat_map(|(_, lap)| of_lap(lap)).collect();
    let shorter = mean(&ratios).map(|ratio| 100.0 * (1.0 - ratio));
    let equal: Vec<f64> = ratios.iter().map(|ratio| f64::from(u8::from((ratio - 1.0).abs() < 1e-9))).collect();
    let (says, most) = (Says::About(figures.statements.shorter_percent), Says::AtLeast(50.0));
    [
        ("how much shorter WA*+BA makes the paths of WA*", says, shorter, 1),
        ("paths of WA*+BA as long as those of WA*", most, mean(&equal).map(|share| 100.0 * share), 0),
    ]
    .map(|(what, says, ours, decimals)| {
        Finding::new(("table-4", "", what), says, ours).by(pruned.clone()).printed(decimals, " %")
    })
}

/// The best of our ways to prune beside the paper's, in time of a query.
pub(super) fn improvements(trial: &Trial, searches: &[Search; 2], figures: &Figures) -> Vec<Improvement> {
    let of_type = |of: MapType, search: &Search| {
        let (laps, plain) = (trial.of_type(of), search.plain.to_string());
        let time = |pruned: &PlannerSpec| {
            let spec = pruned.to_string();
            Sum::of(laps.iter().copied(), &spec, &plain).mean_us().map(|mean| (spec, mean))
        };
        let (first, others) = search.pruned.split_first()?;
        let (paper, ours) = (time(first)?, others.iter().filter_map(time).min_by(|a, b| a.1.total_cmp(&b.1))?);
        let what = format!("time of a query of {}", search.name);
        Some(Improvement::new((&of.to_string(), &what), (&paper.0, paper.1), (&ours.0, ours.1), (1, " us")))
    };
    let types = figures.table_4.rows.keys();
    types.flat_map(|&of| searches.iter().filter_map(move |search| of_type(of, search))).collect()
}

fn type_findings(trial: &Trial, of: MapType, searches: &[Search; 2], figures: &Figures) -> Vec<Finding> {
    let (laps, paper) = (trial.of_type(of), &figures.table_4.rows[&of]);
    let of_maps = |time: fn(&Times) -> f64| {
        let maps = figures.table_a1.rows.iter().filter(|(map, _)| map.of == of);
        range(maps.map(|(_, times)| time(times))).unwrap_or_default()
    };
    let papers = [
        (paper.astar_time, of_maps(|times| times.astar_pruned / times.astar), paper.astar_nodes),
        (paper.weighted_time, of_maps(|times| times.weighted_pruned / times.weighted), paper.weighted_nodes),
    ];
    let mut findings = Vec::new();
    for (search, (time, spread, nodes)) in searches.iter().zip(papers) {
        let pruned = search.first_pruned();
        let mut add = |what: &str, says, of_leg: fn(&Leg) -> &[u64]| {
            let what = format!("{what} of {}+BA over {}", search.name, search.name);
            let ours = if laps.is_empty() { None } else { mean_ratio(&laps, pruned, &search.plain, of_leg) };
            let finding = Finding::new(("table-4", &of.to_string(), &what), says, ours);
            findings.push(finding.by(pruned.to_string()).printed(2, ""));
        };
        add("time", Says::Time(time, spread), |leg| &leg.nanos);
        add("nodes", Says::Count(nodes), |leg| &leg.opened);
    }
    findings
}

/// Of the trial in the paper's setting.
pub(super) fn table_a1(trial: &Trial, searches: &[Search; 2], plan: &Plan, figures: &Figures) -> Exhibit {
    let names = searches.each_ref().map(|search| [search.name.to_owned(), format!("{}+BA", search.name)]);
    let table = Table::new().text("map").number("queries", 0);
    let table = names.iter().flatten().fold(table, |table, name| table.beside(&format!("{name}, us"), 0));
    let table = names.iter().fold(table, |table, [plain, pruned]| table.beside(&format!("{pruned} / {plain}"), 2));
    let ours = searches.iter().flat_map(|search| &search.pruned[1..]);
    let mut table = ours.fold(table, |table, pruned| table.grouped(OURS, pruned.to_string(), 2));
    for (map, lap) in &trial.laps {
        let (Some(paper), Some(walls)) = (figures.table_a1.rows.get(map), figures.table_2.rows.get(map)) else {
            continue;
        };
        table.push(times_row(lap, searches, &paper.scaled(1e6 / walls.scenarios as f64)));
    }
    let planners: Vec<String> =
        searches.iter().flat_map(|search| [&search.plain, search.first_pruned()]).map(ToString::to_string).collect();
    let caption = format!(
        "The mean time of a query in microseconds, in the paper's setting. The paper's is its total over its scenarios, in Java on a 2.2 GHz \
         Xeon-E5. Ours are {}; {}; best of {}. The last columns are the times of our other ways to prune over those of the same search without.",
        planners.join(", "),
        trial.setting.sampled(plan),
        count(plan.rounds, "round", "rounds")
    );
    Exhibit::new("Table A1", "Mean time of a query").caption(caption).table(table)
}

const OURS: &str = "ours over the search without";

fn times_row(lap: &Lap, searches: &[Search; 2], paper: &Times) -> Row {
    let mean_us = |planner: String| Sum::of([lap], &planner, &planner).mean_us();
    let ours =
        searches.each_ref().map(|search| [&search.plain, search.first_pruned()].map(|spec| mean_us(spec.to_string())));
    let paper = [[paper.astar, paper.astar_pruned], [paper.weighted, paper.weighted_pruned]];
    let row = Row::new().text(lap.map.clone()).count(lap.queries());
    let times = ours.into_iter().flatten().zip(paper.into_iter().flatten());
    let row = times.fold(row, |row, (ours, paper)| row.beside(Pair::new(ours, paper)));
    let row = ours.into_iter().zip(paper).zip(searches).fold(row, |row, (([plain, pruned], paper), search)| {
        let ours = pruned.zip(plain).map(|(pruned, plain)| pruned / plain);
        row.measured_beside(Pair::new(ours, paper[1] / paper[0]), is_in_noise([lap], search.first_pruned(), search))
    });
    let others = searches.iter().flat_map(|search| search.pruned[1..].iter().map(move |pruned| (search, pruned)));
    others.fold(row, |row, (search, pruned)| {
        let [pruned, plain] = [pruned, &search.plain].map(|spec| mean_us(spec.to_string()));
        row.number(pruned.zip(plain).map(|(pruned, plain)| pruned / plain))
    })
}
