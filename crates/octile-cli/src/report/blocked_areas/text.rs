//! The tables for people.

use std::fmt::Write;

use super::{AreasLine, Document, Line, SettingLines, TimesLine};
use crate::papers::blocked_areas::{Areas, Figures, Times, Walls};
use crate::report::runs::Runs;
use crate::report::table::table;
use crate::report::text::count;

/// All tables of a document.
pub(crate) fn document(document: &Document, figures: &Figures) -> String {
    let mut text =
        format!("{}\n{} of the paper's {} maps are at hand\n", document.citation, document.maps, document.paper_maps);
    if !document.table_2.is_empty() {
        let _ = write!(text, "\nTable 2: {}; {BESIDE}\n\n", figures.table_2.caption);
        text += &table_2(&document.table_2);
    }
    if !document.table_3.is_empty() {
        let _ = write!(text, "\nTable 3: {}; {BESIDE}\n\n", figures.table_3.caption);
        text += &table_3(&document.table_3);
    }
    if let Some(table) = &document.table_4 {
        let _ = write!(text, "\nTable 4: {}\n{}", figures.table_4.caption, table_4(table.runs, &table.settings));
    }
    if let Some(table) = &document.table_a1 {
        let (planners, runs) = (table.planners.join(", "), table.runs);
        let _ = write!(text, "\nTable A1: {A1}\n{planners}; {runs}\n\n{}", table_a1(&table.lines));
    }
    text
}

const BESIDE: &str = "each number is ours / the paper's, with * where they differ";
const A1: &str = "Mean time a query in microseconds in the paper's setting, ours and the paper's (its total over its \
                  scenarios), and the ratio with pruning to without";

/// A line of a table whose numbers are printed as the paper prints them: alike is equal.
trait Printed<const N: usize> {
    const COLUMNS: [&'static str; N];

    fn printed(&self) -> [String; N];
}

impl Printed<6> for Walls {
    const COLUMNS: [&'static str; 6] = ["S", "B%", "H", "V", "R", "N"];

    fn printed(&self) -> [String; 6] {
        [
            self.scenarios.to_string(),
            format!("{:.0}", self.blocked_percent),
            self.horizontal_segments.to_string(),
            self.vertical_segments.to_string(),
            self.intersections.to_string(),
            self.corners.to_string(),
        ]
    }
}

impl Printed<5> for Areas {
    const COLUMNS: [&'static str; 5] = ["BA", "insideBA%", "joints%", "BASize", "Search"];

    fn printed(&self) -> [String; 5] {
        [
            self.count.to_string(),
            format!("{:.1}", self.inside_percent),
            format!("{:.1}", self.joints_percent),
            self.tree_nodes.to_string(),
            self.most_visited.to_string(),
        ]
    }
}

/// A line's name and numbers, each beside the paper's.
fn beside<const N: usize, Row: Printed<N>>(line: &Line<Row>) -> Vec<String> {
    let pairs = line.ours.printed().into_iter().zip(line.paper.printed());
    let cells = pairs.map(|(ours, paper)| format!("{ours} / {paper}{}", if ours == paper { "  " } else { " *" }));
    std::iter::once(line.map.clone()).chain(cells).collect()
}

/// How many numbers of each column are the paper's, and of all.
fn agreements<'a, const N: usize, Row: Printed<N> + 'a>(lines: impl Iterator<Item = &'a Line<Row>>) -> String {
    let (mut equal, mut maps) = ([0; N], 0);
    for line in lines {
        maps += 1;
        for (equal, (ours, paper)) in equal.iter_mut().zip(line.ours.printed().iter().zip(&line.paper.printed())) {
            *equal += usize::from(ours == paper);
        }
    }
    let columns = Row::COLUMNS.iter().zip(equal).map(|(name, equal)| format!("{name} {equal}")).collect::<Vec<_>>();
    format!(
        "of {}, equal to the paper's: {}; {} of {} numbers\n",
        count(maps, "map", "maps"),
        columns.join(", "),
        equal.iter().sum::<usize>(),
        N * maps
    )
}

/// The columns' names, with room for the marks.
fn header<const N: usize, Row: Printed<N>>() -> Vec<String> {
    let names = Row::COLUMNS.iter().map(|name| format!("{name}  "));
    std::iter::once("map".to_owned()).chain(names).collect()
}

fn table_2(lines: &[Line<Walls>]) -> String {
    let header = header::<6, Walls>();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows: Vec<_> = lines.iter().map(beside).collect();
    table(header, &rows, 1) + "\n" + &agreements(lines.iter())
}

fn table_3(lines: &[AreasLine]) -> String {
    let header = header::<5, Areas>();
    let header: Vec<&str> = header.iter().map(String::as_str).chain(["detection ms", "safe ms"]).collect();
    let row = |line: &AreasLine| {
        let times = [line.preprocessing.detection_ms, line.preprocessing.safe_ms];
        [beside(&line.line), times.map(|time| format!("{time:.2}")).into()].concat()
    };
    let rows: Vec<_> = lines.iter().map(row).collect();
    let slowest = |of: fn(&AreasLine) -> f64| lines.iter().map(of).fold(0.0, f64::max);
    format!(
        "{}\n{}preprocessing: at most {:.2} ms for the paper's areas and tree, {:.2} ms for areas safe to prune without corner \
         cutting; the paper's less than 300 ms\n",
        table(header, &rows, 1),
        agreements(lines.iter().map(|line| &line.line)),
        slowest(|line| line.preprocessing.detection_ms),
        slowest(|line| line.preprocessing.safe_ms)
    )
}

fn table_4(runs: Runs, settings: &[SettingLines]) -> String {
    let made = |setting: &SettingLines| {
        let whose = if setting.swapped {
            "the paper's setting: x and y of the scenarios exchanged, those with a blocked end left out"
        } else {
            "the benchmark's setting: the scenarios as they are"
        };
        let queries = count(setting.queries, "query", "queries");
        let wrong = count(setting.wrong, "wrong answer", "wrong answers");
        format!("\n{whose}; movement {}; {runs}: {queries}, {wrong}\n\n{}", setting.movement, ratios(setting))
    };
    settings.iter().map(made).collect()
}

fn ratios(setting: &SettingLines) -> String {
    let header = ["maps", "planner", "of 10", "queries", "time", "paper", "nodes", "paper"];
    let rows = setting.lines.iter().map(|line| {
        [
            line.maps.clone(),
            line.planner.clone(),
            line.at_hand.to_string(),
            line.queries.to_string(),
            format!("{:.3}", line.time.ours),
            line.time.paper(2),
            format!("{:.3}", line.nodes.ours),
            line.nodes.paper(2),
        ]
    });
    table(header, &rows.collect::<Vec<_>>(), 2)
}

fn table_a1(lines: &[TimesLine]) -> String {
    let header = [
        "map",
        "queries",
        "A*",
        "A*+BA",
        "WA*",
        "WA*+BA",
        "paper A*",
        "A*+BA",
        "WA*",
        "WA*+BA",
        "A* ratio",
        "paper",
        "WA* ratio",
        "paper",
    ];
    let rows = lines.iter().map(|line| {
        let micros = |times: &Times| {
            let times = [times.astar, times.astar_pruned, times.weighted, times.weighted_pruned];
            times.map(|time| format!("{time:.0}"))
        };
        let ratios = |of: fn(&Times) -> f64| [of(&line.ours_us), of(&line.paper_us)].map(|ratio| format!("{ratio:.2}"));
        let mut row = vec![line.map.clone(), line.queries.to_string()];
        row.extend(micros(&line.ours_us));
        row.extend(micros(&line.paper_us));
        row.extend(ratios(|times| times.astar_pruned / times.astar));
        row.extend(ratios(|times| times.weighted_pruned / times.weighted));
        row
    });
    table(header, &rows.collect::<Vec<_>>(), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_in_print_are_marked() {
        let walls = |scenarios, blocked_percent| Walls {
            scenarios,
            blocked_percent,
            horizontal_segments: 1,
            vertical_segments: 2,
            intersections: 3,
            corners: 4,
        };
        let lines = [Line { map: "maze-8-0".to_owned(), ours: walls(7, 11.4), paper: walls(8, 11.0) }];
        let text = table_2(&lines);
        assert!(text.contains("maze-8-0  7 / 8 *  11 / 11    1 / 1    2 / 2  "), "{text}");
        assert!(
            text.ends_with("of 1 map, equal to the paper's: S 0, B% 1, H 1, V 1, R 1, N 1; 5 of 6 numbers\n"),
            "{text}"
        );
    }
}
