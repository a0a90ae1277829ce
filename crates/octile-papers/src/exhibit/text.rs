//! A report for the terminal: all tables, and the captions of what only a page can show.

use std::fmt::Write;

use super::{Exhibit, Kind, Report, Row, Section, Table};

/// Everything but plots and pictures.
pub(crate) fn report<C>(report: &Report<C>) -> String {
    let mut text = format!("{}\n", report.title);
    for note in &report.notes {
        let _ = writeln!(text, "{note}");
    }
    text + &report.sections.iter().map(section).collect::<String>()
}

fn section(section: &Section) -> String {
    let line = "=".repeat(section.title.chars().count());
    let mut text = format!("\n{}\n{line}\n", section.title);
    for paragraph in section.citation.iter().chain(&section.lead) {
        let _ = writeln!(text, "{paragraph}");
    }
    text + &section.exhibits.iter().map(exhibit).collect::<String>()
}

fn exhibit(exhibit: &Exhibit) -> String {
    let mut text = format!("\n{}: {}\n", exhibit.label, exhibit.title);
    if !exhibit.caption.is_empty() {
        let _ = writeln!(text, "{}", exhibit.caption);
    }
    if let Some(rows) = &exhibit.table {
        let _ = write!(text, "\n{}", table(rows));
    }
    if !exhibit.notes.is_empty() {
        text += "\n";
    }
    for note in &exhibit.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// Aligned columns under one or two lines of names. Long sentences take several lines.
pub(crate) fn table(table: &Table) -> String {
    let names: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let printed =
        |row: &Row| row.values.iter().enumerate().map(|(i, value)| table.printed(i, value)).collect::<Vec<_>>();
    let rows = std::iter::once(names).chain(table.rows.iter().map(printed));
    let lines: Vec<Vec<String>> = rows.flat_map(|row| folded(&row)).collect();
    let mut widths: Vec<usize> = vec![0; table.columns.len()];
    for line in &lines {
        for (width, text) in widths.iter_mut().zip(line) {
            *width = (*width).max(text.chars().count());
        }
    }
    let groups = if table.has_groups() { groups(table, &mut widths) } else { String::new() };
    let cell = |(i, text): (usize, &String)| {
        let width = widths[i];
        if table.columns[i].kind == Kind::Text { format!("{text:<width$}") } else { format!("{text:>width$}") }
    };
    let line = |line: &Vec<String>| {
        line.iter().enumerate().map(cell).collect::<Vec<_>>().join(GAP).trim_end().to_owned() + "\n"
    };
    groups + &lines.iter().map(line).collect::<String>()
}

/// No column of words is wider.
const WIDEST: usize = 50;

/// A row as one or more lines, broken between words.
fn folded(row: &[String]) -> Vec<Vec<String>> {
    let columns: Vec<Vec<String>> = row.iter().map(|text| broken(text)).collect();
    let lines = columns.iter().map(Vec::len).max().unwrap_or_default();
    (0..lines).map(|i| columns.iter().map(|column| column.get(i).cloned().unwrap_or_default()).collect()).collect()
}

fn broken(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDEST => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

const GAP: &str = "  ";

/// The line with the names of groups, each above its columns, which are widened to fit it.
fn groups(table: &Table, widths: &mut [usize]) -> String {
    let mut line = String::new();
    let mut start = 0;
    for columns in table.columns.chunk_by(|a, b| a.group.is_some() && a.group == b.group) {
        let end = start + columns.len();
        let name = columns[0].group.as_deref().unwrap_or_default();
        let taken = widths[start..end].iter().sum::<usize>() + GAP.len() * (columns.len() - 1);
        let wide = name.chars().count().max(taken);
        widths[start] += wide - taken;
        let _ = write!(line, "{name:>wide$}{GAP}");
        start = end;
    }
    line.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::Pair;
    use super::*;

    #[test]
    fn columns_line_up_below_their_groups() {
        let mut rows = Table::new().text("maps").beside("time, ms", 1);
        rows.push(Row::new().text("dao").beside(Pair::new(3.0, 2.0)));
        rows.push(Row::new().text("baldur").beside(Pair::new(12.25, None)));
        assert_eq!(
            table(&rows),
            [
                "                  time, ms\n",
                "maps    ours  paper  ratio\n",
                "dao      3.0    2.0   1.50\n",
                "baldur  12.2      -      -\n"
            ]
            .concat()
        );
    }

    #[test]
    fn long_sentences_take_several_lines() {
        let mut rows = Table::new().text("why").number("n", 0);
        rows.push(Row::new().text("word ".repeat(12).trim()).number(1.0));
        let long = ["word"; 10].join(" ");
        let padding = " ".repeat(long.len() - 3);
        assert_eq!(table(&rows), format!("why{padding}  n\n{long}  1\nword word\n"));
    }

    #[test]
    fn a_long_name_of_a_group_makes_room() {
        let mut rows = Table::new().grouped("a very long name", "x", 0).number("y", 0);
        rows.push(Row::new().number(1.0).number(2.0));
        assert_eq!(table(&rows), "a very long name\n               x  y\n               1  2\n");
    }
}
