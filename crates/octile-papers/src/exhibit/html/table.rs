//! Tables as cells that know how they look.
//!
//! The three columns of a number beside the paper's are one on the page: ours, and below it the paper's and the ratio.
//! So tables are narrow enough for a window, and as cards for a telephone.

use super::super::{Column, Kind, Row, Table, Value};
use super::prose;

/// Tables with a number from this on have thin spaces between thousands.
const LARGE: f64 = 10_000.0;

/// A text of words with more characters is a sentence, and takes several lines.
const LONG: usize = 40;

/// A space that breaks no line and is narrower than a digit.
const THIN_SPACE: char = '\u{202f}';

/// A table, ready to be written.
pub(super) struct Sheet {
    /// The upper line of the header: names of groups, and of columns without one, which reach down to the rows.
    pub(super) upper: Vec<Head>,
    /// The lower one, if any column has a group.
    pub(super) lower: Vec<Head>,
    pub(super) rows: Vec<Line>,
    /// What is pale in it, and why.
    pub(super) remarks: Vec<&'static str>,
}

/// A cell of the header.
pub(super) struct Head {
    pub(super) name: String,
    /// What stands below the name.
    pub(super) below: &'static str,
    pub(super) class: String,
    pub(super) across: usize,
    pub(super) down: usize,
}

pub(super) struct Line {
    pub(super) class: String,
    pub(super) cells: Vec<Cell>,
}

/// A cell of a row.
pub(super) struct Cell {
    /// The name of its column, with the group, for where the header is out of sight.
    pub(super) label: String,
    pub(super) html: String,
    /// The paper's number and the ratio, if there are any.
    pub(super) below: String,
    pub(super) class: String,
}

/// A column of the page.
#[derive(Clone, Copy)]
enum Shown<'a> {
    One(usize, &'a Column),
    /// Ours, the paper's and the ratio, from this column on.
    Beside(usize, &'a str),
}

impl Shown<'_> {
    fn group(&self) -> Option<&str> {
        match self {
            Self::One(_, column) => column.group.as_deref(),
            Self::Beside(..) => None,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::One(_, Column { kind: Kind::Text, .. }) => "text",
            Self::One(..) => "number",
            Self::Beside(..) => "number beside",
        }
    }

    fn head(self) -> Head {
        let (name, below) = match self {
            Self::One(_, column) => (column.name.clone(), ""),
            Self::Beside(_, group) => (group.to_owned(), "ours / paper, ratio"),
        };
        Head { name, below, class: self.class().to_owned(), across: 1, down: 1 }
    }

    fn label(self) -> String {
        match self {
            Self::One(_, Column { group: Some(group), name, .. }) => format!("{group}: {name}"),
            Self::One(_, column) => column.name.clone(),
            Self::Beside(_, group) => group.to_owned(),
        }
    }
}

fn shown(table: &Table) -> Vec<Shown<'_>> {
    let columns = table.columns.iter().enumerate();
    let show = |(nth, column): (usize, &'_ Column)| match column.kind {
        Kind::Text | Kind::Number => Some((nth, false)),
        Kind::Ours => Some((nth, true)),
        Kind::Paper | Kind::Ratio => None,
    };
    let places: Vec<(usize, bool)> = columns.filter_map(show).collect();
    let shown = |(nth, beside): (usize, bool)| {
        let column = &table.columns[nth];
        match &column.group {
            Some(group) if beside => Shown::Beside(nth, group),
            _ => Shown::One(nth, column),
        }
    };
    places.into_iter().map(shown).collect()
}

impl Sheet {
    pub(super) fn new(table: &Table) -> Self {
        let shown = shown(table);
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        let down = if shown.iter().any(|column| column.group().is_some()) { 2 } else { 1 };
        for columns in shown.chunk_by(|a, b| a.group().is_some() && a.group() == b.group()) {
            let heads = columns.iter().map(|column| column.head());
            if let Some(name) = columns[0].group() {
                let (name, class) = (name.to_owned(), "group".to_owned());
                upper.push(Head { name, below: "", class, across: columns.len(), down: 1 });
                lower.extend(heads);
            } else {
                upper.extend(heads.map(|head| Head { down, ..head }));
            }
        }
        Self { upper, lower, rows: rows(table, &shown), remarks: remarks(table) }
    }

    /// Whether it has so many rows that they are to be scrolled through.
    pub(super) fn is_tall(&self) -> bool {
        self.rows.len() > TALL
    }

    /// Whether it has so many columns that they must be narrow.
    pub(super) fn is_dense(&self) -> bool {
        self.rows.first().is_some_and(|row| row.cells.len() > DENSE)
    }
}

const DENSE: usize = 10;
const TALL: usize = 26;

fn remarks(table: &Table) -> Vec<&'static str> {
    let partial = "Pale rows are of fewer maps than the others.";
    let noise = "Pale ratios are no farther from 1 than the rounds of the two differ among themselves.";
    let has_noise = table.rows.iter().any(|row| !row.in_noise.is_empty());
    let has_partial = table.rows.iter().any(|row| row.partial);
    has_partial.then_some(partial).into_iter().chain(has_noise.then_some(noise)).collect()
}

fn rows(table: &Table, shown: &[Shown]) -> Vec<Line> {
    let large = |value: &Value| matches!(value, Value::Number(number) if number.abs() >= LARGE);
    let spaced = table.rows.iter().flat_map(|row| &row.values).any(large);
    let print = Print { table, spaced, dense: shown.len() > DENSE };
    let line = |(nth, row): (usize, &Row)| {
        let again = repeats(table, nth);
        let classes = [("strong", row.strong), ("same", again && !row.strong), ("partial", row.partial)];
        let cells = shown.iter().map(|&column| cell(&print, column, row));
        let mut cells: Vec<Cell> = cells.collect();
        if let Some(first) = cells.first_mut().filter(|_| again) {
            first.class += " again";
        }
        Line { class: chosen(&classes), cells }
    };
    table.rows.iter().enumerate().map(line).collect()
}

/// The names of what holds.
fn chosen(classes: &[(&str, bool)]) -> String {
    classes.iter().filter(|(_, holds)| *holds).map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

fn cell(print: &Print, column: Shown, row: &Row) -> Cell {
    let (Shown::One(nth, _) | Shown::Beside(nth, _)) = column;
    let print = |nth: usize| print.value(nth, &row.values[nth]);
    let value = &row.values[nth];
    let is_long = matches!(value, Value::Text(text) if text.chars().count() > LONG && text.contains(' '));
    let is_none = *value == Value::None || matches!(value, Value::Text(text) if text == "-");
    let classes = [("none", is_none), ("long", is_long), ("noise", row.in_noise.contains(&nth))];
    let below = match column {
        Shown::Beside(..) if row.values[nth + 1] != Value::None => {
            let ratio =
                if row.values[nth + 2] == Value::None { String::new() } else { format!(", × {}", print(nth + 2)) };
            print(nth + 1) + &ratio
        }
        _ => String::new(),
    };
    let class = format!("{} {}", column.class(), chosen(&classes)).trim_end().to_owned();
    Cell { label: column.label(), html: breakable(&prose(&print(nth))), below, class }
}

/// With places to break the name of a planner at.
fn breakable(html: &str) -> String {
    [":", ",", "+"].iter().fold(html.to_owned(), |html, mark| html.replace(mark, &format!("{mark}<wbr>")))
}

/// How the values of a table are printed.
struct Print<'a> {
    table: &'a Table,
    /// Whether thousands are apart.
    spaced: bool,
    /// Whether there is room for few digits only.
    dense: bool,
}

impl Print<'_> {
    fn value(&self, column: usize, value: &Value) -> String {
        let printed = match value {
            Value::None => return "–".to_owned(),
            Value::Text(_) => return self.table.printed(column, value),
            Value::Number(number) if self.dense && number.abs() >= FOUR_DIGITS => format!("{number:.0}"),
            Value::Number(_) => self.table.printed(column, value),
        };
        if self.spaced { thousands(&printed) } else { printed }
    }
}

/// Numbers from this on have no decimals where there is little room.
const FOUR_DIGITS: f64 = 1000.0;

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
    use super::super::super::Pair;
    use super::*;

    fn shape(heads: &[Head]) -> Vec<(String, usize, usize)> {
        heads.iter().map(|head| (head.name.clone(), head.across, head.down)).collect()
    }

    #[test]
    fn columns_without_a_group_reach_down_and_three_are_one_beside_the_paper() {
        let table = Table::new().text("maps").beside("time", 1).grouped("cost", "mean", 2).number("size", 0);
        let sheet = Sheet::new(&table);
        let upper = [("maps", 1, 2), ("time", 1, 2), ("cost", 1, 1), ("size", 1, 2)];
        assert_eq!(shape(&sheet.upper), upper.map(|(name, across, down)| (name.to_owned(), across, down)));
        assert_eq!(shape(&sheet.lower), [("mean".to_owned(), 1, 1)]);
        assert_eq!(shape(&Sheet::new(&Table::new().text("a")).upper), [("a".to_owned(), 1, 1)]);
    }

    #[test]
    fn the_papers_number_stands_below_ours() {
        let rows = [Pair::new(3.0, 2.0), Pair::new(3.0, None), Pair::new(None, 2.0)];
        let rows = rows.map(|pair| Row::new().measured_beside(pair, true));
        let lines = Sheet::new(&Table::new().beside("time", 1).rows(rows)).rows;
        let cells: Vec<_> = lines.iter().map(|line| (&*line.cells[0].html, &*line.cells[0].below)).collect();
        assert_eq!(cells, [("3.0", "2.0, × 1.50"), ("3.0", ""), ("–", "2.0")]);
        assert_eq!((&*lines[0].cells[0].class, &*lines[0].cells[0].label), ("number beside noise", "time"));
        let noisy = Table::new().number("ratio", 1).rows([Row::new().measured(1.0, true).partial()]);
        assert_eq!((remarks(&noisy).len(), remarks(&Table::new()).len()), (2, 0));
    }

    #[test]
    fn rows_of_the_same_name_partial_ones_and_missing_numbers_are_pale() {
        let rows = ["dao", "dao", "bg"].map(|maps| Row::new().text(maps).number(None));
        let [first, second, third] = rows;
        let table = Table::new().text("maps").number("n", 0).rows([first, second.partial(), third]);
        let lines = Sheet::new(&table).rows;
        let classes: Vec<_> =
            lines.iter().map(|line| (&*line.class, &*line.cells[0].class, &*line.cells[1].class)).collect();
        let number = "number none";
        assert_eq!(classes, [("", "text", number), ("same partial", "text again", number), ("", "text", number)]);
    }

    #[test]
    fn thousands_are_apart_in_all_columns_of_a_table_with_large_numbers() {
        let spaced = |number: f64| {
            let row = Row::new().text("4096 x 4096").number(number).number(1234.5678);
            let table = Table::new().text("map").number("large", 1).number("small", 2).rows([row]);
            let cells = Sheet::new(&table).rows.remove(0).cells;
            cells.into_iter().map(|cell| cell.html.replace(THIN_SPACE, "_")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(spaced(9999.0), "4096 x 4096 9999.0 1234.57");
        assert_eq!(spaced(-1_234_567.25), "4096 x 4096 -1_234_567.2 1_234.57");
        assert_eq!(spaced(123_456.0), "4096 x 4096 123_456.0 1_234.57");
    }

    #[test]
    fn many_columns_have_few_digits() {
        let printed = |columns: usize| {
            let table = (0..columns).fold(Table::new(), |table, _| table.number("n", 2));
            let row = (0..columns).fold(Row::new(), |row, _| row.number(1234.5678));
            let sheet = Sheet::new(&table.rows([row]));
            (sheet.is_dense(), sheet.rows[0].cells[0].html.clone())
        };
        assert_eq!([printed(DENSE), printed(DENSE + 1)], [(false, "1234.57".to_owned()), (true, "1235".to_owned())]);
        let rows = |rows: usize| Sheet::new(&Table::new().text("a").rows(vec![Row::new().text("b"); rows])).is_tall();
        assert!(!rows(TALL) && rows(TALL + 1));
    }
}
