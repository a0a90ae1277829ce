//! The exhibits over the size of maps: Figures 4, 5 and 6.

use octile_cli::harness::words::count;

use super::databases::{Built, Line};
use super::{ProcessorTime, Told};
use crate::exhibit::{Axis, Exhibit, Pair, Plot, Row, Style, Table};
use crate::papers::cpd::{FACTORS, LARGEST, RECORD_BYTES, SMALLER};

/// The name of a row over all maps.
const ALL: &str = "all";
/// The kinds of databases, in the order of [`Line::kinds`].
const KINDS: [&str; 5] = ["rectangles", "rectangles, mask", "squares", "squares, mask", "runs"];

/// What the kinds are, for captions.
const OF_KINDS: &str = "Rectangles and squares of a quad-tree have the ties diagonal-first, the paper's, or mask; runs are as cpd has \
                        them unless told";

fn x() -> Axis {
    Axis::log("free cells")
}

/// A point for each map.
fn points(lines: &[Line], of: impl Fn(&Line) -> f64) -> Vec<(f64, f64)> {
    lines.iter().map(|line| (line.free_cells.into(), of(line))).collect()
}

/// A line across the plot.
fn level(lines: &[Line], height: f64) -> Vec<(f64, f64)> {
    let mut ends: Vec<u32> = lines.iter().map(|line| line.free_cells).collect();
    ends.dedup();
    [ends.first(), ends.last()].into_iter().flatten().map(|&end| (end.into(), height)).collect()
}

fn sum(lines: &[Line], of: impl Fn(&Line) -> f64) -> f64 {
    lines.iter().map(of).sum()
}

/// Compression factor.
pub(super) fn figure_4(told: &Told, lines: &[Line]) -> Exhibit {
    let paper = told.figures.claims.compression_factor;
    let [_, _, c] = FACTORS;
    let mut plot = Plot::new("Compression factor by size of map", x(), Axis::log("compression factor"));
    for (nth, c) in FACTORS.into_iter().enumerate() {
        plot = plot.series(format!("c = {c}"), Style::Dots, points(lines, |line| line.compression_factors[nth]));
    }
    plot = plot.series(format!("paper: above {paper} for c = {c}"), Style::Paper, level(lines, paper));
    let [large, small] = RECORD_BYTES;
    let caption = format!(
        "{}. How many times as much memory as the paper's rectangles a table takes that has a record for every two cells, if a record of \
         a rectangle is c times as large as one there: the same, as integers, as few bits. MB: of the paper's rectangles with records of \
         {large} and of {small} bytes, of our files of the same rectangles, and of our runs.",
        told.maps()
    );
    let most = lines.iter().map(|line| line.compression_factors[2]).reduce(f64::max).unwrap_or_default();
    Exhibit::new("Figure 4", "Compression factor")
        .caption(caption)
        .plot(plot)
        .table(factors(paper, lines))
        .folded()
        .note(format!("The largest factor for c = {c} is {most:.1}: the paper's approaches and exceeds {paper}."))
}

fn factors(paper: f64, lines: &[Line]) -> Table {
    let [one, integers, bits] = FACTORS.map(|c| format!("factor, c = {c}"));
    let table = Table::new().text("map").number("free cells", 0).number(one, 1).number(integers, 1).beside(&bits, 1);
    let table = RECORD_BYTES.iter().fold(table, |table, bytes| table.grouped("MB", format!("at {bytes} bytes"), 3));
    let table = table.grouped("MB", "file", 3).grouped("MB", "file of runs", 3);
    let sizes = |line: &Line| {
        let [large, small] = line.paper_megabytes();
        [large, small, line.rectangles.file_bytes as f64 / 1e6, line.runs.file_bytes as f64 / 1e6]
    };
    let row = |line: &Line| {
        let [one, integers, bits] = line.compression_factors;
        let row = Row::new().text(&*line.map).number(f64::from(line.free_cells)).number(one).number(integers);
        row.beside(Pair::new(bits, None)).numbers(sizes(line))
    };
    let most = |nth: usize| lines.iter().map(|line| line.compression_factors[nth]).reduce(f64::max);
    let largest = Row::new().text("largest").number(None).number(most(0)).number(most(1));
    let largest = (0..4).fold(largest.beside(Pair::new(most(2), paper)), |row, _| row.number(None));
    let all = Row::new().text(ALL).number(sum(lines, |line| line.free_cells.into())).number(None).number(None);
    let all = all.beside(Pair::new(None, None)).numbers([0, 1, 2, 3].map(|nth| sum(lines, |line| sizes(line)[nth])));
    table.rows(lines.iter().map(row)).rows([largest.strong(), all.strong()])
}

/// The number of rectangles and of squares.
pub(super) fn figure_5(told: &Told, lines: &[Line]) -> Exhibit {
    let mut plot = Plot::new("Records by size of map", x(), Axis::log("records"));
    for (nth, kind) in KINDS.into_iter().enumerate() {
        plot = plot.series(kind, Style::Dots, points(lines, |line| line.kinds()[nth].records as f64));
    }
    let told_of = [SMALLER, LARGEST].map(|map| told.figures.of_map(map));
    let paper = told_of.iter().filter_map(|map| map.tiles.zip(map.rectangles)).collect();
    plot = plot.series("paper: rectangles of two maps", Style::Paper, paper);
    let caption = format!(
        "{}. {OF_KINDS}. Checks: how many rectangles a lookup looks at on average, for targets chosen at random.",
        told.maps()
    );
    Exhibit::new("Figure 5", "Number of rectangles and of quad-tree squares")
        .caption(caption)
        .plot(plot)
        .table(records(told, lines))
        .folded()
        .note(records_note(lines))
}

fn records(told: &Told, lines: &[Line]) -> Table {
    let table = Table::new().text("map").number("free cells", 0).beside("rectangles", 0);
    let table = KINDS[1..].iter().fold(table, |table, kind| table.number(*kind, 0));
    let table = table.grouped("squares / rectangles", "ties", 2).grouped("squares / rectangles", "mask", 2);
    let table = table.beside("checks", 2).number("checks, mask", 2);
    let row = |line: &Line| {
        let paper = told.figures.of_map(&line.map);
        let [rectangles, others @ ..] = line.kinds().map(|built| built.records as f64);
        let row = Row::new().text(&*line.map).number(f64::from(line.free_cells));
        let row = row.beside(Pair::new(rectangles, paper.rectangles)).numbers(others);
        let row = row.numbers(line.squares_over_rectangles());
        let row = row.beside(Pair::new(line.rectangles.average_checks, paper.checks));
        row.number(line.rectangles_mask.average_checks)
    };
    let [rectangles, others @ ..] = [0, 1, 2, 3, 4].map(|nth| sum(lines, |line| line.kinds()[nth].records as f64));
    let all = Row::new().text(ALL).number(sum(lines, |line| line.free_cells.into()));
    let all = all.beside(Pair::new(rectangles, None)).numbers(others).numbers(squares_over_rectangles(lines));
    let all = all.beside(Pair::new(None, None)).number(None);
    table.rows(lines.iter().map(row)).rows([all.strong()])
}

/// Geometric means over the maps.
fn squares_over_rectangles(lines: &[Line]) -> [f64; 2] {
    [0, 1].map(|nth| {
        // A map of one cell has no records.
        let ratios = lines.iter().map(|line| line.squares_over_rectangles()[nth]).filter(|&ratio| ratio > 0.0);
        let logarithms: Vec<f64> = ratios.map(f64::ln).collect();
        (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
    })
}

fn records_note(lines: &[Line]) -> String {
    let [ties, mask] = squares_over_rectangles(lines);
    let records = |of: fn(&Line) -> &Built| sum(lines, |line| of(line).records as f64);
    let rectangles = records(|line| &line.rectangles).max(1.0);
    format!(
        "{}: squares over rectangles, geometric mean {ties:.2}, with mask {mask:.2}; with mask {:.2} of the rectangles, runs {:.2} of them.",
        count(lines.len(), "map", "maps"),
        records(|line| &line.rectangles_mask) / rectangles,
        records(|line| &line.runs) / rectangles
    )
}

/// Preprocessing time.
pub(super) fn figure_6(told: &Told, lines: &[Line]) -> Exhibit {
    let (claims, largest) = (&told.figures.claims, told.figures.of_map(LARGEST));
    let mut plot = Plot::new("Time to build by size of map", x(), Axis::log("seconds"));
    for (nth, kind) in KINDS.into_iter().enumerate() {
        plot = plot.series(kind, Style::Dots, points(lines, |line| line.kinds()[nth].build_seconds));
    }
    let about = largest.tiles.zip(largest.minutes.map(|minutes| 60.0 * minutes)).into_iter().collect();
    let minutes = claims.other_minutes;
    plot = plot.series("paper: its largest map", Style::Paper, about);
    plot =
        plot.series(format!("paper: all others below {minutes} minutes"), Style::Paper, level(lines, 60.0 * minutes));
    let caption = format!(
        "{}. {OF_KINDS}. Seconds are {}; all cores build. The paper says that squares take about as long as rectangles, and that its \
         times, of 2011, can be divided among processors too.",
        told.maps(),
        ProcessorTime::how()
    );
    Exhibit::new("Figure 6", "Time to build a database")
        .caption(caption)
        .plot(plot)
        .table(seconds(told, lines))
        .folded()
        .note(seconds_note(told, lines))
}

fn seconds(told: &Told, lines: &[Line]) -> Table {
    let table = Table::new().text("map").number("free cells", 0).beside("rectangles, s", 3);
    let table = KINDS[1..].iter().fold(table, |table, kind| table.number(format!("{kind}, s"), 3));
    let row = |line: &Line| {
        let [rectangles, others @ ..] = line.kinds().map(|built| built.build_seconds);
        let paper = told.figures.of_map(&line.map).minutes.map(|minutes| 60.0 * minutes);
        let row = Row::new().text(&*line.map).number(f64::from(line.free_cells));
        row.beside(Pair::new(rectangles, paper)).numbers(others)
    };
    let other = (0..4).fold(
        Row::new().text(format!("any but {LARGEST}, at most")).number(None).beside(Pair::new(
            other_minutes(lines).map(|minutes| 60.0 * minutes),
            60.0 * told.figures.claims.other_minutes,
        )),
        |row, _| row.number(None),
    );
    let [rectangles, others @ ..] = [0, 1, 2, 3, 4].map(|nth| sum(lines, |line| line.kinds()[nth].build_seconds));
    let all = Row::new().text(ALL).number(sum(lines, |line| line.free_cells.into()));
    let all = all.beside(Pair::new(rectangles, None)).numbers(others);
    table.rows(lines.iter().map(row)).rows([other.strong(), all.strong()])
}

/// The most that a map takes, but for the paper's largest.
pub(super) fn other_minutes(lines: &[Line]) -> Option<f64> {
    lines.iter().filter(|line| line.map != LARGEST).map(Line::minutes).reduce(f64::max)
}

fn seconds_note(told: &Told, lines: &[Line]) -> String {
    let largest = lines.last().map_or_else(String::new, |line| {
        format!("{}, the largest measured, takes {:.2} minutes of one core; ", line.map, line.minutes())
    });
    let minutes = told.figures.of_map(LARGEST).minutes.unwrap_or_default();
    format!(
        "{largest}the paper's largest, {LARGEST}, took about {minutes} minutes, and all others less than {} each.",
        told.figures.claims.other_minutes
    )
}
