//! What the text says of memory and of building, beside what is so here.

use super::Told;
use super::by_size::other_minutes;
use super::databases::Line;
use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Pair, Row, Table};
use crate::papers::cpd::{Database, FACTORS, LARGEST, RECORD_BYTES, SMALLER, UNCOMPRESSED_BITS};

/// What the paper says, and what is so here.
struct Statement {
    of: String,
    what: String,
    /// How the paper's number is meant: `about` it, `below` it and so on; empty if it is exact.
    says: &'static str,
    /// None if the map was not measured.
    ours: Option<f64>,
    paper: Option<f64>,
}

/// The statements.
pub(super) fn memory(told: &Told, lines: &[Line]) -> Exhibit {
    let table = Table::new().text("map").text("what").text("the paper says").beside("value", 3);
    let table = table.rows(all(told, lines).into_iter().map(|Statement { of, what, says, ours, paper }| {
        Row::new().text(of).text(what).text(says).beside(Pair::new(ours, paper))
    }));
    let caption = format!(
        "{}. The paper names no map: {SMALLER} and {LARGEST} are those with its numbers of tiles. Rectangles are the paper's; tiles and \
         rectangles are in thousands.",
        told.maps()
    );
    let exhibit = Exhibit::new("Memory", "What the text says of databases").caption(caption).table(table);
    missing(told, lines).into_iter().fold(exhibit, Exhibit::note)
}

/// Each of the statements of which the paper has a number.
pub(super) fn findings(told: &Told, lines: &[Line]) -> Vec<Finding> {
    let finding = |statement: Statement| {
        let Statement { of, what, says, ours, paper } = statement;
        let paper = paper?;
        let says = match says {
            "about" => Says::About(paper),
            "below" => Says::AtMost(paper),
            "above" => Says::AtLeast(paper),
            _ => Says::Equal(paper),
        };
        Some(Finding::new(("memory", &of, &what), says, ours).printed(3, ""))
    };
    all(told, lines).into_iter().filter_map(finding).collect()
}

fn all(told: &Told, lines: &[Line]) -> Vec<Statement> {
    let [of_smaller, of_largest] = [SMALLER, LARGEST].map(|map| of_map(map, told.figures.of_map(map), lines));
    of_smaller.into_iter().chain(of_largest).chain(of_all(told, lines)).collect()
}

/// Notes on the maps of which the paper tells that were not measured.
fn missing(told: &Told, lines: &[Line]) -> Vec<String> {
    let missing = [SMALLER, LARGEST].into_iter().filter(|map| lines.iter().all(|line| line.map != *map));
    let note = |map: &str| match told.at_hand.left_out.iter().find(|left| left.map == map) {
        Some(left) => {
            format!("{map} has {} free cells and was left out: see --most-cells and --full.", left.free_cells)
        }
        None => format!("{map} is not at hand."),
    };
    missing.map(note).collect()
}

/// What the text says of a map.
fn of_map(map: &str, paper: Database, lines: &[Line]) -> Vec<Statement> {
    let line = lines.iter().find(|line| line.map == map);
    let of_map = || map.to_owned();
    let small = if map == SMALLER { "below" } else { "" };
    let all = statements(of_map, small, paper, line);
    all.into_iter().filter(|statement| statement.paper.is_some()).collect()
}

/// All that can be said of a map; `small` is how the paper means the size with small records.
fn statements(of: impl Fn() -> String, small: &'static str, paper: Database, line: Option<&Line>) -> Vec<Statement> {
    let [few_bits, integers] = UNCOMPRESSED_BITS;
    let [bytes, few_bytes] = RECORD_BYTES;
    let about = if small.is_empty() { "about" } else { "" };
    let mut statements = Vec::new();
    let mut says = |what: &str, says, paper: Option<f64>, ours: &dyn Fn(&Line) -> f64| {
        let says = if paper.is_some() { says } else { "" };
        statements.push(Statement { of: of(), what: what.to_owned(), says, ours: line.map(ours), paper });
    };
    let thousands = |number: Option<f64>| number.map(|number| number / 1e3);
    says("traversable tiles, thousands", "", thousands(paper.tiles), &|line| f64::from(line.free_cells) / 1e3);
    says("rectangles, thousands", about, thousands(paper.rectangles), &|line| line.rectangles.records as f64 / 1e3);
    says("average checks", "about", paper.checks, &|line| line.rectangles.average_checks);
    says(&format!("MB at {bytes} bytes a record"), "about", paper.megabytes, &|line| line.paper_megabytes()[0]);
    says(&format!("MB at {few_bytes} bytes a record"), small, paper.small_megabytes, &|line| line.paper_megabytes()[1]);
    says(&format!("GB uncompressed, {few_bits} bits a pair"), "about", paper.uncompressed_small_gigabytes, &|line| {
        gigabytes(line, few_bits)
    });
    says(&format!("GB uncompressed, {integers} bits a pair"), "about", paper.uncompressed_gigabytes, &|line| {
        gigabytes(line, integers)
    });
    says("minutes to build", "about", paper.minutes, &Line::minutes);
    statements
}

/// What it says of all maps, and the same as of the two maps of the largest that was measured if it is neither.
fn of_all(told: &Told, lines: &[Line]) -> Vec<Statement> {
    let [_, _, c] = FACTORS;
    let factor = lines.iter().map(|line| line.compression_factors[2]).reduce(f64::max);
    let mut statements = vec![
        Statement {
            of: format!("any but {LARGEST}"),
            what: "most minutes to build".to_owned(),
            says: "below",
            ours: other_minutes(lines),
            paper: Some(told.figures.claims.other_minutes),
        },
        Statement {
            of: "any".to_owned(),
            what: format!("largest compression factor, c = {c}"),
            says: "above",
            ours: factor,
            paper: Some(told.figures.claims.compression_factor),
        },
    ];
    if let Some(line) = lines.last().filter(|line| ![SMALLER, LARGEST].contains(&line.map.as_str())) {
        let of = || format!("{}, the largest measured", line.map);
        statements.extend(self::statements(of, "", Database::default(), Some(line)));
    }
    statements
}

/// Of a record for every two cells.
fn gigabytes(line: &Line, bits: u32) -> f64 {
    f64::from(line.free_cells).powi(2) * f64::from(bits) / 8e9
}
