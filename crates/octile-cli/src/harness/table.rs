//! Tables with aligned columns, for all commands.

use std::fmt::Write;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// The heading shared with neighbouring columns of the same group.
    pub group: Option<&'a str>,
    /// The heading of the column.
    pub name: &'a str,
    /// Whether it holds words, aligned to the left; numbers are aligned to the right.
    pub is_text: bool,
}

/// Rows under a header; the first `left` columns are words, the others numbers.
pub fn table<'a>(header: impl AsRef<[&'a str]>, rows: &[impl AsRef<[String]>], left: usize) -> String {
    let column = |(nth, &name): (usize, &&'a str)| Column { group: None, name, is_text: nth < left };
    let columns: Vec<Column> = header.as_ref().iter().enumerate().map(column).collect();
    grouped(&columns, rows, usize::MAX)
}

/// Rows under one or two lines of headings. Cells wider than `widest` characters take several lines, broken between
/// words.
pub fn grouped(columns: &[Column], rows: &[impl AsRef<[String]>], widest: usize) -> String {
    let names: Vec<String> = columns.iter().map(|column| column.name.to_owned()).collect();
    let rows = std::iter::once(names.as_slice()).chain(rows.iter().map(AsRef::as_ref));
    let lines: Vec<Vec<String>> = rows.flat_map(|row| folded(row, widest)).collect();
    let mut widths = vec![0; columns.len()];
    for line in &lines {
        for (width, text) in widths.iter_mut().zip(line) {
            *width = text.chars().count().max(*width);
        }
    }
    let groups = groups(columns, &mut widths);
    groups + &lines.iter().map(|line| aligned(line, columns, &widths)).collect::<String>()
}

fn aligned(line: &[String], columns: &[Column], widths: &[usize]) -> String {
    let cell = |((text, column), &width): ((&String, &Column), &usize)| {
        if column.is_text { format!("{text:<width$}") } else { format!("{text:>width$}") }
    };
    let cells: Vec<String> = line.iter().zip(columns).zip(widths).map(cell).collect();
    cells.join(GAP).trim_end().to_owned() + "\n"
}

const GAP: &str = "  ";

/// A row as one or more lines.
fn folded(row: &[String], widest: usize) -> Vec<Vec<String>> {
    let cells: Vec<Vec<String>> = row.iter().map(|text| broken(text, widest)).collect();
    let lines = cells.iter().map(Vec::len).max().unwrap_or_default();
    (0..lines).map(|i| cells.iter().map(|cell| cell.get(i).cloned().unwrap_or_default()).collect()).collect()
}

fn broken(text: &str, widest: usize) -> Vec<String> {
    if text.chars().count() <= widest {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= widest => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The line with the names of groups, if there are any, each above its columns, which are widened to fit.
fn groups(columns: &[Column], widths: &mut [usize]) -> String {
    let mut line = String::new();
    let mut start = 0;
    for columns in columns.chunk_by(|a, b| a.group.is_some() && a.group == b.group) {
        let end = start + columns.len();
        let name = columns[0].group.unwrap_or_default();
        let taken = widths[start..end].iter().sum::<usize>() + GAP.len() * (columns.len() - 1);
        let wide = name.chars().count().max(taken);
        widths[start] += wide - taken;
        // Writing to a string cannot fail.
        let _ = write!(line, "{name:>wide$}{GAP}");
        start = end;
    }
    let has_groups = columns.iter().any(|column| column.group.is_some());
    if has_groups { line.trim_end().to_owned() + "\n" } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|&cell| cell.to_owned()).collect()
    }

    fn word(name: &str) -> Column<'_> {
        Column { group: None, name, is_text: true }
    }

    fn number<'a>(group: Option<&'a str>, name: &'a str) -> Column<'a> {
        Column { group, name, is_text: false }
    }

    #[test]
    fn columns_line_up() {
        let rows = [text(&["astar", "1.50"]), text(&["√", "12"])];
        assert_eq!(table(["name", "us"], &rows, 1), "name     us\nastar  1.50\n√        12\n");
    }

    #[test]
    fn columns_line_up_below_their_groups() {
        let time = Some("time, ms");
        let columns = [word("maps"), number(time, "ours"), number(time, "paper"), number(time, "ratio")];
        let rows = [text(&["dao", "3.0", "2.0", "1.50"]), text(&["baldur", "12.2", "-", "-"])];
        let lines = [
            "                  time, ms\n",
            "maps    ours  paper  ratio\n",
            "dao      3.0    2.0   1.50\n",
            "baldur  12.2      -      -\n",
        ];
        assert_eq!(grouped(&columns, &rows, 50), lines.concat());
    }

    #[test]
    fn long_sentences_take_several_lines() {
        let rows = [text(&["word ".repeat(12).trim(), "1"])];
        let long = ["word"; 10].join(" ");
        let padding = " ".repeat(long.len() - 3);
        let columns = [word("why"), number(None, "n")];
        assert_eq!(grouped(&columns, &rows, 50), format!("why{padding}  n\n{long}  1\nword word\n"));
    }

    #[test]
    fn a_long_name_of_a_group_makes_room() {
        let columns = [number(Some("a very long name"), "x"), number(None, "y")];
        let lines = "a very long name\n               x  y\n               1  2\n";
        assert_eq!(grouped(&columns, &[text(&["1", "2"])], 50), lines);
    }
}
