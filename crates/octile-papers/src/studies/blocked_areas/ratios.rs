//! Tables 4 and A1: what pruning takes of the time and of the nodes of a search.

use octile::PlannerSpec;
use octile_cli::harness::words::count;

use super::trial::{Search, Setting, Trial, mean_ratio};
use crate::exhibit::finding::{Finding, Says, range};
use crate::exhibit::{Exhibit, Pair, Row, Table};
use crate::laps::{Lap, Leg, Sum};
use crate::papers::blocked_areas::{Figures, MapType, Times};
use crate::plan::Plan;

pub(super) fn table_4(trials: &[Trial], searches: &[Search; 2], plan: &Plan, figures: &Figures) -> Exhibit {
    let table = Table::new().text("setting").text("maps").text("planner").number("maps run", 0).number("queries", 0);
    let mut table = table.beside("relative time", 3).beside("relative nodes", 3);
    for trial in trials {
        for &of in figures.table_4.rows.keys() {
            table = table.rows(type_rows(trial, of, searches, figures));
        }
    }
    let caption = format!(
        "The mean over queries of the time, and of the expanded nodes, of a search that prunes blocked areas over those of the same search \
         without: the paper's formula. Each time is the best of {}; preprocessing is left out.{}",
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
            rows.push(row.beside(Pair::new(mean_ratio(&laps, pruned, &search.plain, |leg| &leg.expanded), nodes)));
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

/// Each number of Table 4 beside ours, in the paper's setting.
pub(super) fn findings(trial: &Trial, searches: &[Search; 2], figures: &Figures) -> Vec<Finding> {
    figures.table_4.rows.keys().flat_map(|&of| type_findings(trial, of, searches, figures)).collect()
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
        add("nodes", Says::Count(nodes), |leg| &leg.expanded);
    }
    findings
}

/// Of the trial in the paper's setting.
pub(super) fn table_a1(trial: &Trial, searches: &[Search; 2], plan: &Plan, figures: &Figures) -> Exhibit {
    let names = searches.each_ref().map(|search| [search.name.to_owned(), format!("{}+BA", search.name)]);
    let table = Table::new().text("map").number("queries", 0);
    let table = names.iter().flatten().fold(table, |table, name| table.beside(&format!("{name}, us"), 0));
    let mut table = names.iter().fold(table, |table, [plain, pruned]| table.beside(&format!("{pruned} / {plain}"), 2));
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
         Xeon-E5. Ours are {}; {}; best of {}.",
        planners.join(", "),
        trial.setting.sampled(plan),
        count(plan.rounds, "round", "rounds")
    );
    Exhibit::new("Table A1", "Mean time of a query").caption(caption).table(table)
}

fn times_row(lap: &Lap, searches: &[Search; 2], paper: &Times) -> Row {
    let mean_us = |planner: String| Sum::of([lap], &planner, &planner).mean_us();
    let ours =
        searches.each_ref().map(|search| [&search.plain, search.first_pruned()].map(|spec| mean_us(spec.to_string())));
    let paper = [[paper.astar, paper.astar_pruned], [paper.weighted, paper.weighted_pruned]];
    let row = Row::new().text(lap.map.clone()).count(lap.queries());
    let times = ours.into_iter().flatten().zip(paper.into_iter().flatten());
    let row = times.fold(row, |row, (ours, paper)| row.beside(Pair::new(ours, paper)));
    ours.into_iter().zip(paper).zip(searches).fold(row, |row, (([plain, pruned], paper), search)| {
        let ours = pruned.zip(plain).map(|(pruned, plain)| pruned / plain);
        row.measured_beside(Pair::new(ours, paper[1] / paper[0]), is_in_noise([lap], search.first_pruned(), search))
    })
}
