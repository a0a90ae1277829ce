//! Tables as cells that know how they look.

use super::super::{Kind, Table, Value};

/// Columns with a number from this on have thin spaces between thousands.
const LARGE: f64 = 10_000.0;

/// A space that breaks no line and is narrower than a digit.
const THIN_SPACE: char = '\u{202f}';

/// A table, ready to be written.
pub(super) struct Sheet<'a> {
    /// The upper line of the header: names of groups, and of columns without one, which reach down to the rows.
    pub(super) upper: Vec<Head<'a>>,
    /// The lower one, if any column has a group.
    pub(super) lower: Vec<Head<'a>>,
    pub(super) rows: Vec<Line>,
}

/// A cell of the header.
pub(super) struct Head<'a> {
    pub(super) name: &'a str,
    pub(super) class: String,
    pub(super) across: usize,
    pub(super) down: usize,
}

pub(super) struct Line {
    pub(super) class: &'static str,
    pub(super) cells: Vec<Cell>,
}

/// A cell of a row.
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) class: String,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(table: &'a Table) -> Self {
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        let down = if table.has_groups() { 2 } else { 1 };
        let mut nth = 0;
        for columns in table.columns.chunk_by(|a, b| a.group.is_some() && a.group == b.group) {
            let heads = columns.iter().zip(nth..).map(|(column, nth)| Head {
                name: &column.name,
                class: class(table, nth),
                across: 1,
                down: 1,
            });
            if let Some(name) = &columns[0].group {
                upper.push(Head { name, class: "group".to_owned(), across: columns.len(), down: 1 });
                lower.extend(heads);
            } else {
                upper.extend(heads.map(|head| Head { down, ..head }));
            }
            nth += columns.len();
        }
        Self { upper, lower, rows: rows(table) }
    }
}

fn rows(table: &Table) -> Vec<Line> {
    let spaced: Vec<bool> = (0..table.columns.len()).map(|column| is_large(table, column)).collect();
    let again: Vec<bool> = (0..table.rows.len()).map(|row| repeats(table, row)).collect();
    let blocks = again.contains(&true);
    let line = |(nth, row): (usize, &super::super::Row)| {
        let cell = |(column, value): (usize, &Value)| {
            let text = table.printed(column, value);
            let text = if spaced[column] { thousands(&text) } else { text };
            let mut class = class(table, column);
            match value {
                Value::None => return Cell { text: "–".to_owned(), class: class + " none" },
                Value::Text(_) if column == 0 && again[nth] => class += " again",
                _ => {}
            }
            Cell { text, class }
        };
        let class = match (row.strong, blocks && again[nth]) {
            (true, _) => "strong",
            (false, true) => "same",
            (false, false) => "",
        };
        Line { class, cells: row.values.iter().enumerate().map(cell).collect() }
    };
    table.rows.iter().enumerate().map(line).collect()
}

/// What a column holds, and whether a group begins with it.
fn class(table: &Table, nth: usize) -> String {
    let column = &table.columns[nth];
    let kind = match column.kind {
        Kind::Text => "text",
        Kind::Number | Kind::Ours => "number",
        Kind::Paper => "number paper",
        Kind::Ratio => "number ratio",
    };
    let begins = nth > 0 && table.columns[nth - 1].group != column.group;
    if begins { format!("{kind} begins") } else { kind.to_owned() }
}

/// Whether a row has the same text as the one before in the first column.
fn repeats(table: &Table, row: usize) -> bool {
    let first = |row: usize| table.rows[row].values.first().filter(|value| matches!(value, Value::Text(_)));
    row > 0 && first(row).is_some() && first(row) == first(row - 1)
}

fn is_large(table: &Table, column: usize) -> bool {
    let large = |value: &Value| matches!(value, Value::Number(number) if number.abs() >= LARGE);
    table.rows.iter().any(|row| row.values.get(column).is_some_and(large))
}

/// A number with spaces between thousands; any other text as it is.
fn thousands(text: &str) -> String {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let digits = text[start..].chars().take_while(char::is_ascii_digit).count();
    let space_before = |nth: usize| nth > start && nth < start + digits && (start + digits - nth) % 3 == 0;
    let spaced = |(nth, c): (usize, char)| space_before(nth).then_some(THIN_SPACE).into_iter().chain([c]);
    text.char_indices().flat_map(spaced).collect()
}
