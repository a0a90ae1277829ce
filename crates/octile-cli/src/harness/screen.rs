//! The screen that text is shown on: its width, and whether it has colours.
//!
//! On a terminal, output keeps within its width: prose is wrapped, and tables leave out columns. In a pipe, prose is
//! wrapped too, so that it reads well in a file, and tables are complete. Only terminals get colours, and `NO_COLOR`
//! turns them off.

use std::ops::Range;

use console::{Style, Term};

use super::table;

/// The width of prose where the screen has none.
const PROSE: usize = 100;

/// A screen that text is shown on.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// The columns and rows of a terminal.
    size: Option<(usize, usize)>,
    /// Whether it has colours.
    has_colours: bool,
}

/// The kinds of highlighted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The name of something.
    Name,
    /// The best value of a column.
    Best,
    /// Something wrong.
    Bad,
    /// Something doubtful.
    Doubt,
}

impl Tone {
    fn style(self) -> Style {
        let style = Style::new().force_styling(true);
        match self {
            Self::Name => style.bold(),
            Self::Best => style.green(),
            Self::Bad => style.red().bold(),
            Self::Doubt => style.yellow(),
        }
    }
}

impl Screen {
    /// A pipe or a file.
    pub const PIPE: Self = Self { size: None, has_colours: false };

    /// Standard output.
    #[must_use]
    pub fn stdout() -> Self {
        Self::of(&Term::stdout(), console::colors_enabled())
    }

    /// Standard error.
    #[must_use]
    pub fn stderr() -> Self {
        Self::of(&Term::stderr(), console::colors_enabled_stderr())
    }

    fn of(term: &Term, has_colours: bool) -> Self {
        let size = term.is_term().then(|| term.size());
        Self { size: size.map(|(rows, columns)| (columns.into(), rows.into())), has_colours }
    }

    /// Whether it is a terminal.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        self.size.is_some()
    }

    /// Whether it shows colours.
    #[must_use]
    pub fn has_colours(self) -> bool {
        self.has_colours
    }

    /// Whether the lines fit without wrapping; they always do if it is not a terminal.
    #[must_use]
    pub fn has_room_for(self, text: &str) -> bool {
        let widest = || text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        self.size.is_none_or(|(columns, rows)| text.lines().count() < rows && widest() <= columns)
    }

    /// Text in a tone, if the screen has colours.
    #[must_use]
    pub fn tone(self, tone: Tone, text: &str) -> String {
        if self.has_colours { tone.style().apply_to(text).to_string() } else { text.to_owned() }
    }

    /// Wraps prose into lines that fit, all but the first indented by `indent` columns.
    #[must_use]
    pub fn prose(self, text: &str, indent: usize) -> String {
        wrapped(text, self.size.map_or(PROSE, |(columns, _)| columns), indent)
    }

    /// As [`prose`](Screen::prose), for text that stays on one line in a pipe.
    #[must_use]
    pub fn line(self, text: &str, indent: usize) -> String {
        wrapped(text, self.size.map_or(usize::MAX, |(columns, _)| columns), indent)
    }

    /// A table that fits: columns named in `dispensable` are left out in that order, as far as necessary.
    #[must_use]
    pub fn table(self, mut columns: Columns, dispensable: &[&'static str]) -> Fitted {
        let most = self.size.map_or(usize::MAX, |(columns, _)| columns);
        let mut left_out = Vec::new();
        let mut text = columns.text();
        for &name in dispensable {
            if text.lines().all(|line| line.chars().count() <= most) {
                break;
            }
            left_out.extend(columns.remove(name).then_some(name));
            text = columns.text();
        }
        Fitted { text: self.toned(&text, &columns), left_out }
    }

    /// The table's text with its marked cells in their tones.
    fn toned(self, text: &str, columns: &Columns) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut marks: Vec<_> =
            columns.marks.iter().filter_map(|mark| Some((mark, columns.place(mark.column)?))).collect();
        // Go from right to left, because codes shift the text after them.
        marks.sort_by_key(|(_, place)| std::cmp::Reverse(*place));
        for (mark, place) in marks {
            let line = &mut lines[mark.row + 1];
            if let Some(span) = cells(line).get(place).cloned() {
                let toned = self.tone(mark.tone, &line[span.clone()]);
                line.replace_range(span, &toned);
            }
        }
        lines.join("\n") + "\n"
    }
}

/// A table that fits.
pub struct Fitted {
    /// Its lines.
    pub text: String,
    /// The columns that were left out.
    pub left_out: Vec<&'static str>,
}

/// The named columns of a table, the first aligned to the left.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    names: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
struct Mark {
    row: usize,
    column: &'static str,
    tone: Tone,
}

impl Columns {
    /// Rows, each with one cell per name.
    #[must_use]
    pub fn new(names: &[&'static str], rows: Vec<Vec<String>>) -> Self {
        Self { names: names.to_vec(), rows, marks: Vec::new() }
    }

    /// Gives a cell a tone.
    pub fn mark(&mut self, row: usize, column: &'static str, tone: Tone) {
        self.marks.push(Mark { row, column, tone });
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| *known == name)
    }

    /// Removes the column with this name; returns whether it existed.
    fn remove(&mut self, name: &str) -> bool {
        let Some(place) = self.place(name) else { return false };
        self.names.remove(place);
        for row in &mut self.rows {
            row.remove(place);
        }
        true
    }

    fn text(&self) -> String {
        table::table(&self.names, &self.rows, 1)
    }
}

/// The positions of the cells in a line of a table: no cell is empty, and at least two spaces separate them.
fn cells(line: &str) -> Vec<Range<usize>> {
    let mut cells: Vec<Range<usize>> = Vec::new();
    for (start, word) in line.split(' ').scan(0, |at, word| {
        let start = *at;
        *at += word.len() + 1;
        Some((start, word))
    }) {
        let end = start + word.len();
        match cells.last_mut() {
            _ if word.is_empty() => {}
            Some(cell) if cell.end + 1 == start => cell.end = end,
            _ => cells.push(start..end),
        }
    }
    cells
}

/// Wraps words into lines of at most `width` columns, unless a word is longer; all but the first begin with `indent`
/// spaces.
fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for (i, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            column = indent;
        } else if i > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(columns: usize) -> Screen {
        Screen { size: Some((columns, 4)), has_colours: true }
    }

    fn columns() -> Columns {
        let row = |texts: [&str; 3]| texts.map(str::to_owned).to_vec();
        let mut columns = Columns::new(
            &["name", "mean us", "index"],
            vec![row(["astar", "1.5", "none"]), row(["jps", "0.5", "1.2 kB"])],
        );
        columns.mark(1, "mean us", Tone::Best);
        columns.mark(1, "index", Tone::Bad);
        columns
    }

    #[test]
    fn prose_is_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 7, 0), "one two\nthree");
        assert_eq!(wrapped("one two three", 7, 2), "one two\n  three");
        assert_eq!(wrapped("extraordinary words", 5, 1), "extraordinary\n words");
        assert_eq!(wrapped("  - one two", 7, 4), "  - one\n    two");
        let long = "word ".repeat(60);
        assert!(Screen::PIPE.prose(&long, 2).lines().all(|line| line.chars().count() <= PROSE));
        assert_eq!(Screen::PIPE.line(&long, 2).lines().count(), 1);
        assert!(terminal(30).line(&long, 2).lines().all(|line| line.chars().count() <= 30));
    }

    #[test]
    fn tables_leave_out_columns_until_they_fit() {
        let whole = "name   mean us   index\nastar      1.5    none\njps        0.5  1.2 kB\n";
        let fitted = Screen::PIPE.table(columns(), &["mean us"]);
        assert_eq!((fitted.text.as_str(), fitted.left_out), (whole, vec![]));
        let narrow = Screen { has_colours: false, ..terminal(15) };
        let fitted = narrow.table(columns(), &["p99 us", "mean us", "index"]);
        assert_eq!(
            (fitted.text.as_str(), fitted.left_out),
            ("name    index\nastar    none\njps    1.2 kB\n", vec!["mean us"])
        );
    }

    #[test]
    fn tones_do_not_move_cells() {
        let fitted = terminal(80).table(columns(), &[]);
        let line = fitted.text.lines().nth(2).unwrap();
        assert_eq!(line, "jps        \u{1b}[32m0.5\u{1b}[0m  \u{1b}[31m\u{1b}[1m1.2 kB\u{1b}[0m");
        let plain = ["\u{1b}[32m", "\u{1b}[31m", "\u{1b}[1m", "\u{1b}[0m"]
            .iter()
            .fold(fitted.text, |text, code| text.replace(code, ""));
        assert_eq!(plain, Screen::PIPE.table(columns(), &[]).text);
    }

    #[test]
    fn text_that_would_flood_a_terminal_is_detected() {
        assert!(Screen::PIPE.has_room_for(&"....\n".repeat(1000)));
        assert!(terminal(4).has_room_for("....\n....\n"));
        assert!(!terminal(3).has_room_for("....\n....\n"));
        assert!(!terminal(4).has_room_for("....\n....\n....\n....\n"));
    }
}
