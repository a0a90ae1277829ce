//! Tables 2 and 3: what is counted of the maps, beside what the paper counts.

use octile_cli::harness::words::count;

use super::detection::Prepared;
use super::maps::Map;
use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Pair, Row, Table};
use crate::papers::blocked_areas::{Areas, Figures, Walls};

/// A line of numbers that are equal to the paper's if they print alike.
trait Counted<const N: usize> {
    /// The paper's names, and how many decimals it prints.
    const COLUMNS: [(&'static str, usize); N];

    fn numbers(&self) -> [f64; N];
}

impl Counted<6> for Walls {
    const COLUMNS: [(&'static str, usize); 6] = [("S", 0), ("B%", 0), ("H", 0), ("V", 0), ("R", 0), ("N", 0)];

    fn numbers(&self) -> [f64; 6] {
        [
            self.scenarios as f64,
            self.blocked_percent,
            self.horizontal_segments as f64,
            self.vertical_segments as f64,
            self.intersections as f64,
            self.corners as f64,
        ]
    }
}

impl Counted<5> for Areas {
    const COLUMNS: [(&'static str, usize); 5] =
        [("BA", 0), ("insideBA%", 1), ("joints%", 1), ("BASize", 0), ("Search", 0)];

    fn numbers(&self) -> [f64; 5] {
        [self.count as f64, self.inside_percent, self.joints_percent, self.tree_nodes as f64, self.most_visited as f64]
    }
}

pub(super) fn table_2(lines: &[(Map, Walls)], figures: &Figures) -> Exhibit {
    let paper = &figures.table_2;
    let lines: Vec<_> = lines.iter().filter_map(|(map, ours)| Some((*map, ours, paper.rows.get(&map.name)?))).collect();
    let mut table = columns::<6, Walls>();
    for &(map, ours, paper) in &lines {
        table.push(row(map, ours, paper));
    }
    let exhibit = Exhibit::new("Table 2", paper.caption.clone()).caption(
        "S: scenarios whose ends are free with x and y exchanged, as the paper read them. B%: blocked cells. H, V: horizontal and vertical wall \
         segments of two or more cells. R: intersections of segments. N: corners. Counted on every map of the paper that is at hand.",
    );
    exhibit.table(table).note(agreements(&lines))
}

pub(super) fn table_3(lines: &[(Map, Prepared)], figures: &Figures, rounds: usize) -> Exhibit {
    let paper = &figures.table_3;
    let mut table = columns::<5, Areas>().grouped(TIME, "paper's areas and tree", 2).grouped(TIME, "safe areas", 2);
    let mut compared = Vec::new();
    for (map, ours) in lines {
        let Some(paper) = paper.rows.get(&map.name) else { continue };
        table.push(row(*map, &ours.areas, paper).number(ours.detection_ms).number(ours.safe_ms));
        compared.push((*map, &ours.areas, paper));
    }
    let caption = format!(
        "BA: blocked areas. insideBA%: of the free cells, those inside. joints%: joints of the areas, of all cells. BASize: nodes of the BA-tree. \
         Search: most nodes visited for a cell. Preprocessing is the best of {}, reading the map left out; safe areas are those that our \
         planners prune.",
        count(rounds, "round", "rounds")
    );
    let slowest = |of: fn(&Prepared) -> f64| lines.iter().map(|(_, line)| of(line)).fold(0.0, f64::max);
    let times = format!(
        "Preprocessing takes at most {:.2} ms for the paper's areas and tree, and {:.2} ms for areas that are safe to prune without corner \
         cutting; the paper's less than {} ms.",
        slowest(|line| line.detection_ms),
        slowest(|line| line.safe_ms),
        figures.statements.preprocessing_ms
    );
    Exhibit::new("Table 3", paper.caption.clone()).caption(caption).table(table).note(agreements(&compared)).note(times)
}

const TIME: &str = "our preprocessing, ms";

fn columns<const N: usize, Line: Counted<N>>() -> Table {
    Line::COLUMNS.iter().fold(Table::new().text("map"), |table, &(name, decimals)| table.beside(name, decimals))
}

fn row<const N: usize, Line: Counted<N>>(map: Map, ours: &Line, paper: &Line) -> Row {
    let pairs = ours.numbers().into_iter().zip(paper.numbers());
    pairs.fold(Row::new().text(map.label()), |row, (ours, paper)| row.beside(Pair::new(ours, paper)))
}

/// Each number that the paper counts beside ours, and how long preprocessing takes.
pub(super) fn findings(walls: &[(Map, Walls)], areas: &[(Map, Prepared)], figures: &Figures) -> Vec<Finding> {
    let walls = walls
        .iter()
        .filter_map(|(map, ours)| Some(counted("table-2", *map, ours, figures.table_2.rows.get(&map.name)?)));
    let slowest = areas.iter().map(|(_, line)| line.detection_ms.max(line.safe_ms)).reduce(f64::max);
    let least = Says::AtMost(figures.statements.preprocessing_ms);
    let time = Finding::new(("table-3", "", "preprocessing of a map, the slowest"), least, slowest).printed(1, " ms");
    let share = |line: &Prepared| line.areas.most_visited as f64 / (line.areas.tree_nodes as f64).log2();
    let largest = areas.iter().map(|(_, line)| share(line)).reduce(f64::max);
    let what = "most visited nodes, over the logarithm of the tree's nodes";
    let access = Finding::new(("table-3", "", what), Says::AtMost(6.0), largest).printed(1, "");
    let areas = areas
        .iter()
        .filter_map(|(map, ours)| Some(counted("table-3", *map, &ours.areas, figures.table_3.rows.get(&map.name)?)));
    let statements = slowest.map(|_| time).into_iter().chain(largest.map(|_| access));
    let counted = walls.flatten().chain(areas.flatten()).chain(statements);
    counted.collect()
}

fn counted<const N: usize, Line: Counted<N>>(exhibit: &str, map: Map, ours: &Line, paper: &Line) -> Vec<Finding> {
    let finding = |((name, decimals), (ours, paper)): ((&str, usize), (f64, f64))| {
        // The paper prints rounded numbers.
        let ours = format!("{ours:.decimals$}").parse::<f64>().ok();
        Finding::new((exhibit, &map.name.to_string(), name), Says::Equal(paper), ours).printed(decimals, "")
    };
    Line::COLUMNS.into_iter().zip(ours.numbers().into_iter().zip(paper.numbers())).map(finding).collect()
}

fn are_equal<const N: usize, Line: Counted<N>>(ours: &Line, paper: &Line) -> [bool; N] {
    let (ours, paper) = (ours.numbers(), paper.numbers());
    std::array::from_fn(|i| {
        let decimals = Line::COLUMNS[i].1;
        format!("{:.decimals$}", ours[i]) == format!("{:.decimals$}", paper[i])
    })
}

/// How many numbers of each column are the paper's, and of all.
fn agreements<const N: usize, Line: Counted<N>>(lines: &[(Map, &Line, &Line)]) -> String {
    let mut equal = [0; N];
    for (_, ours, paper) in lines {
        for (sum, is_equal) in equal.iter_mut().zip(are_equal(*ours, *paper)) {
            *sum += usize::from(is_equal);
        }
    }
    let columns: Vec<String> =
        Line::COLUMNS.iter().zip(equal).map(|((name, _), equal)| format!("{name} {equal}")).collect();
    format!(
        "Of {}, equal to the paper's: {}; {} of {} numbers.",
        count(lines.len(), "map", "maps"),
        columns.join(", "),
        equal.iter().sum::<usize>(),
        N * lines.len()
    )
}
