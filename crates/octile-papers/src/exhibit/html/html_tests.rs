//! A page of everything a report may hold.

use octile::formats::draw::{Colour, Picture as Drawing};
use octile::formats::generate;
use octile::planner::Trace;
use octile::{Cell, Finder, Path, PathQuery};

use super::super::finding::{Account, Cause, Impossible, Improvement, Says};
use super::super::{Axis, Kind, Pair, Picture, Row, Style, Table, Value};
use super::*;

const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g & h", "i < j", "k"];

fn table() -> Table {
    let mut table = Table::new().text("maps").text("planner").beside("time, µs", 1).grouped("cost", "mean", 3);
    for (nth, name) in (0..).zip(NAMES) {
        let time = 9000.5 * f64::from(nth);
        let row = Row::new().text(["<dao>", "rooms"][nth as usize / 5]).text(name);
        table.push(row.beside(Pair::new(time, (nth != 2).then_some(0.7 * time))).number(1.0 / f64::from(nth + 1)));
    }
    table.push(Row::new().text("all").text("-").beside(Pair::new(1.0, None)).number(1.25).strong());
    table
}

fn lines(title: &str) -> Plot {
    let points = |speed: i32| (1..9).map(|x| (f64::from(x * 50), f64::from(x * x * speed))).collect();
    let plot = Plot::new(title, Axis::linear("cells of `path`"), Axis::log("time < 1, µs"));
    let plot = (1..).zip(NAMES).fold(plot, |plot, (nth, name)| plot.series(name, Style::Line, points(nth)));
    plot.series("paper's <a>", Style::Paper, points(3))
}

fn scatter() -> Plot {
    let plot = Plot::new("", Axis::log("memory, MiB"), Axis::log("time, µs"));
    (1..).zip(NAMES).fold(plot, |plot, (nth, name)| {
        plot.series(name, Style::Named, vec![(f64::from(nth / 3 + 1), f64::from(nth % 2 + 1))])
    })
}

fn picture() -> Picture {
    let grid = generate::rooms(48, 32, 8, 1).unwrap();
    let (start, goal) = (Cell::new(1, 1), Cell::new(46, 30));
    let (mut path, mut trace) = (Path::new(), Trace::default());
    Finder::new("jps", &grid).unwrap().plan_probed(PathQuery::new(start, goal), &mut path, &mut trace).unwrap();
    let drawing = Drawing::new(&grid).seen(&trace.seen).expanded(&trace.expanded).path(&path).ends(start, goal);
    Picture::new("`jps` & its <jumps>", drawing.to_svg().unwrap())
}

static ACCOUNT: Account = Account {
    deviations: &["Nodes < 3 are `left` out."],
    causes: &[Cause::of("table-5", "The paper's <rooms> are larger.")],
    impossible: &[Impossible { what: "Figure <9>", evidence: "no `source` has it" }],
};

fn sample() -> Report<()> {
    let mut first = Section::new("rea-star", "Rectangle <Expansion> A*").citation("Zhang, Li & Bi, 2016");
    first.say("The paper compares `rea-star` with A* & `jps<8>`.");
    first.say("We do so as well.");
    let finding = |exhibit, row, says, ours: Option<f64>| Finding::new((exhibit, row, "time <"), says, ours).by("jps");
    first.findings.push(finding("table-5", "ROOM8", Says::AtMost(3.0), Some(2.0)).printed(1, " ms"));
    first.findings.push(finding("table-5", "ROOM16", Says::Equal(3.0), Some(2.0)));
    first.findings.push(finding("table-5", "ROOM32", Says::Equal(3.0), Some(2.5)));
    first.findings.push(finding("table-9", "", Says::AtLeast(3.0), None));
    ACCOUNT.explain(&mut first.findings);
    first.account = Some(&ACCOUNT);
    first.improvements.push(Improvement::new(("DAO <x>", "time"), ("astar", 9.0), ("jps", 2.0), (1, " us")));
    let times = Exhibit::new("Table 5", "Time by data set").caption("Five `runs` & their least.").table(table());
    first.exhibits.push(times.note("A dash: the paper has none.").note("All maps are of `MovingAI`."));
    let mut few = Table::new().text("room").number("jps", 2);
    few.push(Row::new().text("8 x 8").number(1.25));
    let figure = Exhibit::new("Figure 8", "Time over length").plot(lines("rooms")).plot(lines("mazes <b>"));
    first.exhibits.push(figure.table(few).folded());
    let mut second = Section::new("all", "All planners");
    let memory = Exhibit::new("Time and memory", "What an index buys").plot(scatter());
    second.exhibits.push(memory.picture(picture()).picture(picture()).legend([(Colour::SEEN, "seen & <done>")]));
    report(vec![first, second])
}

fn report(sections: Vec<Section>) -> Report<()> {
    let notes = vec!["Times are <medians>.".to_owned()];
    let headlines = vec![Headline::new("9 < 10 ×", "as fast as `astar` & co.")];
    Report { schema: 1, title: "octile & the papers".to_owned(), conditions: (), notes, headlines, sections }
}

fn facts() -> Vec<(String, String)> {
    let facts = [("machine", "two <cores>"), ("command", "`octile-papers all`"), ("noise", "2 %")];
    facts.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

/// The page with numbers as they are printed elsewhere, and with one way to escape.
fn sample_page() -> String {
    let page = page(&sample(), &facts()).unwrap().replace('\u{202f}', "");
    page.replace("&lt;", "&#60;").replace("&gt;", "&#62;").replace("&amp;", "&#38;").replace("&apos;", "&#39;")
}

fn assert_has(page: &str, text: &str) {
    assert!(page.contains(text), "{text:?} is not on the page");
}

#[test]
fn everything_of_a_report_is_on_the_page() {
    let (page, report) = (sample_page(), sample());
    let facts = facts();
    let facts = facts.iter().flat_map(|(name, value)| [name, value]);
    report.notes.iter().chain(facts).for_each(|text| assert_has(&page, &prose(text)));
    for Headline { number, text } in &report.headlines {
        assert_has(&page, &escaped(number));
        assert_has(&page, &prose(text));
    }
    for section in &report.sections {
        let texts = section.lead.iter().chain(&section.citation).chain([&section.title]);
        texts.for_each(|text| assert_has(&page, &prose(text)));
        for finding in &section.findings {
            let texts = [finding.claim(), finding.by.clone(), finding.paper_says(), finding.ours_is()];
            texts.iter().chain(&finding.cause).for_each(|text| assert_has(&page, &escaped(text)));
        }
        for improvement in &section.improvements {
            let of = [&improvement.paper, &improvement.ours].map(|measured| improvement.print(measured));
            of.iter().chain([&improvement.row, &improvement.what]).for_each(|text| assert_has(&page, &escaped(text)));
        }
        if let Some(account) = section.account {
            let impossible = account.impossible.iter().flat_map(|item| [item.what, item.evidence]);
            account.deviations.iter().copied().chain(impossible).for_each(|text| assert_has(&page, &prose(text)));
        }
        for exhibit in &section.exhibits {
            exhibit.swatches.iter().for_each(|swatch| assert_has(&page, &escaped(&swatch.means)));
            let texts = [&exhibit.label, &exhibit.title, &exhibit.caption].into_iter().chain(&exhibit.notes);
            texts.for_each(|text| assert_has(&page, &prose(text)));
            exhibit.pictures.iter().for_each(|picture| assert_has(&page, &prose(&picture.caption)));
            for plot in &exhibit.plots {
                let names = plot.series.iter().map(|series| &series.name);
                names
                    .chain([&plot.title, &plot.x.name, &plot.y.name])
                    .for_each(|text| assert_has(&page, &escaped(text)));
            }
        }
    }
}

#[test]
fn every_value_of_a_table_is_in_its_cell() {
    let page = sample_page().replace("<wbr>", "");
    let exhibits = page.split("<figure id=").skip(1);
    let cells =
        exhibits.flat_map(|exhibit| exhibit.split("<td ").skip(1)).filter_map(|cell| cell.split("</td>").next());
    let text = |cell: &str| cell.split_once("<span>").unwrap().1.replace("</span>", "").replace("</small>", "");
    let cells: Vec<String> = cells.map(text).collect();
    let tables = sample().sections.into_iter().flat_map(|section| section.exhibits).filter_map(|exhibit| exhibit.table);
    let printed = |table: &Table, column: usize, row: &Row| match &row.values[column] {
        Value::None => "–".to_owned(),
        value => prose(&table.printed(column, value)),
    };
    let beside = |table: &Table, column: usize, row: &Row| match &row.values[column + 1..column + 3] {
        [Value::None, _] => String::new(),
        [_, Value::None] => format!("<small>{}", printed(table, column + 1, row)),
        _ => format!("<small>{}, × {}", printed(table, column + 1, row), printed(table, column + 2, row)),
    };
    let cell = |table: &Table, column: usize, row: &Row| match table.columns[column].kind {
        Kind::Paper | Kind::Ratio => None,
        Kind::Ours => Some(printed(table, column, row) + &beside(table, column, row)),
        Kind::Text | Kind::Number => Some(printed(table, column, row)),
    };
    let row = |table: &Table, row: &Row| (0..row.values.len()).filter_map(|i| cell(table, i, row)).collect::<Vec<_>>();
    let expected: Vec<String> =
        tables.flat_map(|table| table.rows.iter().flat_map(|of| row(&table, of)).collect::<Vec<_>>()).collect();
    assert_eq!(cells, expected);
}

#[test]
fn papers_have_their_verdicts_first() {
    let page = sample_page();
    let verdicts: Vec<&str> =
        page.split("class=\"verdict ").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(verdicts, ["reproduced", "differs", "differs", "not measured"]);
    assert_has(&page, "1 of 3 reproduced");
    assert_has(&page, "<a href=\"#rea-star-table-5\">Table 5</a>");
    assert_eq!(page.matches("The paper's &#60;rooms&#62; are larger.".replace('\'', "&#39;").as_str()).count(), 1);
    assert_has(&page, ">4.50<");
    let places = ["class=\"headlines\"", "class=\"verdict", "class=\"conditions\"", "class=\"exhibit\""];
    let places = places.map(|words| page.find(words).unwrap_or_else(|| panic!("no {words}")));
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn links_lead_somewhere_and_names_are_given_once() {
    let page = sample_page();
    let quoted = |before: &str| -> Vec<String> {
        page.split(before).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    };
    let ids = quoted(" id=\"");
    assert!(ids.iter().any(|id| id == "rea-star-table-5"));
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len());
    assert!(quoted("href=\"#").iter().all(|link| unique.contains(link)));
}

#[test]
fn a_page_needs_nothing_but_itself() {
    let page = sample_page().replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for word in ["http", "//", "url(", "@import", "<script", "<link", "<img", "src="] {
        assert!(!page.contains(word), "{word} is on the page");
    }
}

#[test]
fn text_is_escaped_and_backticks_are_code() {
    assert_eq!(prose("`a<b>` & \"c\""), "<code>a&#60;b&#62;</code> &#38; &#34;c&#34;");
    assert_eq!(prose("a ` b"), "a ` b");
    assert_eq!(prose("`a``b`"), "<code>a</code><code>b</code>");
    let evil = "<i>\"&";
    let plot = Plot::new(evil, Axis::log(evil), Axis::log(evil)).series(evil, Style::Line, vec![(1.0, 1.0)]);
    let plot = plot.series(format!("{evil}2"), Style::Named, vec![(1.0, 1.0)]);
    let table = Table::new().text(evil).grouped(evil, evil, 0).rows([Row::new().text(evil).number(1.0)]);
    let exhibit = Exhibit::new(evil, evil)
        .caption(evil)
        .note(evil)
        .plot(plot)
        .table(table)
        .picture(Picture::new(evil, String::new()));
    let mut section = Section::new("x", evil).citation(evil);
    section.say(evil);
    section.exhibits.push(exhibit);
    let report = Report { title: evil.to_owned(), notes: vec![evil.to_owned()], ..report(vec![section]) };
    let page = page(&report, &[(evil.to_owned(), evil.to_owned())]).unwrap();
    assert!(!page.contains("<i>"));
}

#[test]
fn nothing_to_show_is_said() {
    let nothing = Exhibit::new("a", "b").plot(Plot::new("c", Axis::log("x"), Axis::log("y"))).table(Table::new());
    let mut section = Section::new("x", "y");
    section.exhibits.push(nothing);
    assert_eq!(page(&report(vec![section]), &[]).unwrap().matches("no data").count(), 2);
}
