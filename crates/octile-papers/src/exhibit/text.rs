//! A report for the terminal: all tables, and the captions of what only a page can show.

use std::fmt::Write;

use octile_cli::harness::table::{Column, grouped};

use super::finding::{RULE, Tally, Verdict};
use super::{Exhibit, Headline, Kind, Report, Row, Section, Table};

/// Everything but plots and pictures.
pub(crate) fn report<C>(report: &Report<C>) -> String {
    let mut text = format!("{}\n", report.title);
    for note in &report.notes {
        let _ = writeln!(text, "{note}");
    }
    for Headline { number, text: says } in &report.headlines {
        let _ = writeln!(text, "\n{number} {says}");
    }
    text + &findings(&report.sections) + &report.sections.iter().map(section).collect::<String>()
}

/// What the papers say, and how much of it was found here; number by number where that is not the case.
fn findings(sections: &[Section]) -> String {
    let (mut scores, mut differing): (Vec<[String; 3]>, Vec<[String; 7]>) = Default::default();
    for (section, tally) in
        sections.iter().flat_map(|section| Tally::all(&section.findings).into_iter().map(move |tally| (section, tally)))
    {
        let exhibit = format!("{}/{}", section.id, tally.exhibit);
        scores.push([section.title.clone(), tally.exhibit.to_owned(), tally.score()]);
        differing.extend(tally.with(Verdict::Differs).map(|finding| {
            let cause = finding.cause.clone().unwrap_or_else(|| "-".to_owned());
            let by = finding.by.clone();
            [
                exhibit.clone(),
                finding.row.clone(),
                finding.what.clone(),
                by,
                finding.paper_says(),
                finding.ours_is(),
                cause,
            ]
        }));
    }
    if scores.is_empty() {
        return String::new();
    }
    let text = |name| Column { group: None, name, is_text: true };
    let mut told = format!("\n{}\n{RULE}\n", grouped(&["", "", ""].map(text), &scores, WIDEST));
    if !differing.is_empty() {
        let columns = ["differs", "row", "what", "planner", "paper", "ours", "cause"].map(text);
        let _ = write!(told, "\n{}", grouped(&columns, &differing, WIDEST));
    }
    told
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

/// Long sentences take several lines.
fn table(table: &Table) -> String {
    let columns: Vec<Column> = table
        .columns
        .iter()
        .map(|column| Column { group: column.group.as_deref(), name: &column.name, is_text: column.kind == Kind::Text })
        .collect();
    let printed = |row: &Row| row.values.iter().enumerate().map(|(i, value)| table.printed(i, value)).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(printed).collect();
    grouped(&columns, &rows, WIDEST)
}

/// No column of words is wider.
const WIDEST: usize = 50;

#[cfg(test)]
mod tests {
    use super::super::Pair;
    use super::super::finding::{Finding, Says};
    use super::*;

    #[test]
    fn tables_have_words_on_the_left_and_dashes_where_nothing_is() {
        let mut rows = Table::new().text("maps").beside("time, ms", 1);
        rows.push(Row::new().text("baldur").beside(Pair::new(12.25, None)));
        let lines = ["                  time, ms\n", "maps    ours  paper  ratio\n", "baldur  12.2      -      -\n"];
        assert_eq!(table(&rows), lines.concat());
    }

    #[test]
    fn verdicts_come_before_the_sections() {
        let mut section = Section::new("cpd", "Databases");
        let finding = |ours| Finding::new(("figure-2", "DAO", "times as fast"), Says::AtLeast(3.0), ours).by("cpd");
        section.findings.extend([finding(4.0), finding(2.0)]);
        section.findings[1].cause = Some("The others are slow.".to_owned());
        let notes = vec!["A note.".to_owned()];
        let headlines = vec![Headline::new("9 ×", "as fast.")];
        let text = report(&Report {
            schema: 1,
            title: "T".to_owned(),
            conditions: (),
            notes,
            headlines,
            sections: vec![section],
        });
        let places = [
            "A note.",
            "9 × as fast.",
            "Databases  figure-2  1 of 2 reproduced",
            RULE,
            "cpd/figure-2  DAO  times as fast  cpd      at least 3  2     The others are slow.",
            "\nDatabases\n=",
        ];
        let places = places.map(|words| text.find(words).unwrap_or_else(|| panic!("{words} in {text}")));
        assert!(places.is_sorted(), "{text}");
    }
}
