//! Tables as cells that know how they look.

use super::super::{Kind, Row, Table, Value};

/// Tables with a number from this on have thin spaces between thousands.
const LARGE: f64 = 10_000.0;

/// A text of words with more characters is a sentence, and takes several lines.
const LONG: usize = 40;

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
    let large = |value: &Value| matches!(value, Value::Number(number) if number.abs() >= LARGE);
    let spaced = table.rows.iter().flat_map(|row| &row.values).any(large);
    let line = |(nth, row): (usize, &Row)| {
        let again = repeats(table, nth);
        let class = match (row.strong, again) {
            (true, _) => "strong",
            (false, true) => "same",
            (false, false) => "",
        };
        let cells = row.values.iter().enumerate().map(|(column, value)| {
            let cell = cell(table, column, value, spaced);
            if again && column == 0 { Cell { class: cell.class + " again", ..cell } } else { cell }
        });
        Line { class, cells: cells.collect() }
    };
    table.rows.iter().enumerate().map(line).collect()
}

fn cell(table: &Table, column: usize, value: &Value, spaced: bool) -> Cell {
    let (text, class) = (table.printed(column, value), class(table, column));
    match value {
        Value::None => Cell { text: "–".to_owned(), class: class + " none" },
        Value::Number(_) if spaced => Cell { text: thousands(&text), class },
        Value::Text(_) if text.chars().count() > LONG && text.contains(' ') => Cell { text, class: class + " long" },
        _ => Cell { text, class },
    }
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

/// A printed number with spaces between thousands.
fn thousands(text: &str) -> String {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let digits = text[start..].chars().take_while(char::is_ascii_digit).count();
    let space_before = |nth: usize| nth > start && nth < start + digits && (start + digits - nth).is_multiple_of(3);
    let spaced = |(nth, c): (usize, char)| space_before(nth).then_some(THIN_SPACE).into_iter().chain([c]);
    text.char_indices().flat_map(spaced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(heads: &[Head]) -> Vec<(String, usize, usize)> {
        heads.iter().map(|head| (head.name.to_owned(), head.across, head.down)).collect()
    }

    #[test]
    fn columns_without_a_group_reach_down_beside_those_with_one() {
        let table = Table::new().text("maps").beside("time", 1).grouped("cost", "mean", 2).number("size", 0);
        let sheet = Sheet::new(&table);
        let upper = [("maps", 1, 2), ("time", 3, 1), ("cost", 1, 1), ("size", 1, 2)];
        assert_eq!(shape(&sheet.upper), upper.map(|(name, across, down)| (name.to_owned(), across, down)));
        let lower = ["ours", "paper", "ratio", "mean"];
        assert_eq!(shape(&sheet.lower), lower.map(|name| (name.to_owned(), 1, 1)));
        assert_eq!(shape(&Sheet::new(&Table::new().text("a")).upper), [("a".to_owned(), 1, 1)]);
    }

    #[test]
    fn rows_of_the_same_name_and_missing_numbers_are_pale() {
        let rows = ["dao", "dao", "bg"].map(|maps| Row::new().text(maps).number(None));
        let table = Table::new().text("maps").number("n", 0).rows(rows);
        let classes: Vec<_> = Sheet::new(&table).rows.into_iter().map(|line| (line.class, line.cells)).collect();
        let classes: Vec<_> = classes.iter().map(|(row, cells)| (*row, &*cells[0].class, &*cells[1].class)).collect();
        let number = "number none";
        assert_eq!(classes, [("", "text", number), ("same", "text again", number), ("", "text", number)]);
    }

    #[test]
    fn thousands_are_apart_in_all_columns_of_a_table_with_large_numbers() {
        let spaced = |number: f64| {
            let row = Row::new().text("4096 x 4096").number(number).number(1234.5678);
            let table = Table::new().text("map").number("large", 1).number("small", 2).rows([row]);
            let cells = Sheet::new(&table).rows.remove(0).cells;
            cells.into_iter().map(|cell| cell.text.replace(THIN_SPACE, "_")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(spaced(9999.0), "4096 x 4096 9999.0 1234.57");
        assert_eq!(spaced(-1_234_567.25), "4096 x 4096 -1_234_567.2 1_234.57");
        assert_eq!(spaced(123_456.0), "4096 x 4096 123_456.0 1_234.57");
    }
}
