//! `octile-papers docs`: the numbers, the chart and the programs in README.md and docs/, made from recorded runs and from the examples.
//!
//! A part of a page that is made stands between two comments, and says in the first what it is:
//!
//! ```text
//! <!-- record: speed -->
//! ...
//! <!-- end -->
//! ```
//!
//! `record: WHAT` is made from `docs/records/*.json`, the output of `compare --json`. `program: FILE REGION` is what stands in a source
//! file from the line `// doc: REGION` to the line `// doc: end`, so that a page shows only code that the tests compile and run.

use std::path::{Path, PathBuf};
use std::{fs, iter};

use anyhow::{Context, Result, bail};
use askama::Template;
use octile_cli::harness::{Outcome, new_file, output};
use serde::Deserialize;

/// Remake the numbers, the chart and the programs in the documentation
///
/// Rewrites the marked parts of README.md and docs/*.md, and docs/speed.svg, from the runs in docs/records and from the examples.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The folder of the project
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    /// Write nothing; say what is stale, and exit with 1 if something is
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let made = made(&args.root)?;
    let stale: Vec<&String> = made.iter().flat_map(|file| &file.stale).collect();
    if args.check {
        for part in &stale {
            output::say(part);
        }
        if !stale.is_empty() {
            output::say("`octile-papers docs` makes it anew");
        }
        return Ok(if stale.is_empty() { Outcome::Good } else { Outcome::Bad });
    }
    for file in made.iter().filter(|file| !file.stale.is_empty()) {
        new_file::write(&args.root.join(&file.name), file.text.as_bytes())?;
    }
    for part in &stale {
        output::say(format_args!("{part}: made anew"));
    }
    Ok(Outcome::Good)
}

/// A file as it should be.
struct Made {
    name: String,
    text: String,
    /// What in the file is not as it should be.
    stale: Vec<String>,
}

/// All files with parts that are made.
fn made(root: &Path) -> Result<Vec<Made>> {
    let records = Records::read(root)?;
    let mut pages = vec!["README.md".to_owned()];
    pages.extend(names(&root.join("docs"), "md")?.into_iter().map(|name| format!("docs/{name}")));
    let page = |name: String| {
        let text = fs::read_to_string(root.join(&name)).with_context(|| format!("cannot read {name}"))?;
        remade(name, &text, |part| records.part(part, root))
    };
    let mut made = pages.into_iter().map(page).collect::<Result<Vec<_>>>()?;
    let (name, text) = (CHART.to_owned(), records.chart()?);
    let is_stale = fs::read_to_string(root.join(CHART)).unwrap_or_default() != text;
    made.push(Made { stale: is_stale.then(|| format!("{CHART} is stale")).into_iter().collect(), name, text });
    Ok(made)
}

/// The files in a folder with an extension, in order.
fn names(folder: &Path, extension: &str) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names =
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect::<Result<Vec<_>>>()?;
    names.retain(|name| Path::new(name).extension().is_some_and(|found| found == extension));
    names.sort();
    Ok(names)
}

const END: &str = "<!-- end -->";

/// A page with its marked parts made again.
fn remade(name: String, page: &str, make: impl Fn(&str) -> Result<String>) -> Result<Made> {
    let (mut text, mut stale, mut rest) = (String::new(), Vec::new(), page);
    while let Some((part, before, after)) = next_mark(rest) {
        let place = || format!("{name}: `{part}`");
        let Some((old, after)) = after.split_once(END) else { bail!("{}: there is no `{END}`", place()) };
        let new = format!("\n\n{}\n\n", make(part).with_context(place)?.trim_end());
        if old != new {
            stale.push(format!("{} is stale", place()));
        }
        text += &rest[..before];
        text += &new;
        text += END;
        rest = after;
    }
    text += rest;
    Ok(Made { name, text, stale })
}

/// The first marked part: what it is, where its comment ends, and all behind that.
fn next_mark(text: &str) -> Option<(&str, usize, &str)> {
    let start = ["<!-- record: ", "<!-- program: "].iter().filter_map(|mark| text.find(mark)).min()?;
    let length = text[start..].find(" -->")?;
    let end = start + length + " -->".len();
    Some((&text[start + "<!-- ".len()..start + length], end, &text[end..]))
}

/// The part of a source file that is marked with a name, without its indentation, as Markdown.
fn program(root: &Path, place: &str) -> Result<String> {
    let (file, region) = place.split_once(' ').context("expected a file and the name of a region in it")?;
    let source = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
    let is_mark = |line: &&str, name: &str| line.trim().strip_prefix("// doc: ") == Some(name);
    let behind = source.lines().skip_while(|line| !is_mark(line, region)).skip(1);
    let lines: Vec<&str> = behind.take_while(|line| !is_mark(line, "end")).collect();
    let indents = lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len());
    let indent = indents.min().with_context(|| format!("{file} has no region `{region}`"))?;
    let code: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or_default()).collect();
    Ok(format!("```rust\n{}\n```", code.join("\n")))
}

/// The sets of maps that are recorded, and what they are.
const SETS: [(&str, &str); 6] = [
    ("dao", "Dragon Age: Origins"),
    ("bg512", "Baldur's Gate II"),
    ("sc1", "StarCraft"),
    ("rooms", "rooms of 8 to 64 cells"),
    ("mazes", "mazes, corridors of 1 to 32 cells"),
    ("random", "random obstacles, 10 to 40 %"),
];

const PLANNERS: [&str; 6] = ["astar", "jps", "corner-sweep", "corner-sweep:cache=on", "jump-graph", "hub-labels"];
const PREPARED: [&str; 3] = ["corner-sweep", "jump-graph", "hub-labels"];
const PEER: &str = "peer/pathfinding";
const CHART: &str = "docs/speed.svg";

/// A race, as `compare --json` told it.
#[derive(Deserialize)]
struct Record {
    maps: usize,
    queries: usize,
    rounds: usize,
    planners: Vec<Line>,
    #[serde(default)]
    machine: MadeWith,
}

/// What was measured of one planner.
#[derive(Deserialize)]
struct Line {
    planner: String,
    mean_us: f64,
    p99_us: f64,
    length_ratio: Option<f64>,
    speedup_total: f64,
    build_ms: f64,
    index_bytes: f64,
    wrong: usize,
    #[serde(default)]
    peer: bool,
}

/// What it was measured with; records of early versions do not tell.
#[derive(Deserialize, Default)]
#[serde(default)]
struct MadeWith {
    octile: String,
    commit: String,
    compiler: String,
    machine: String,
    date: String,
    command: String,
}

impl Record {
    fn line(&self, planner: &str) -> Option<&Line> {
        self.planners.iter().find(|line| line.planner == planner)
    }

    /// A map's share of something that was summed over all maps.
    fn a_map(&self, sum: f64) -> f64 {
        sum / self.maps.max(1) as f64
    }
}

/// All runs that are recorded, by the names of their files.
struct Records(Vec<(String, Record)>);

impl Records {
    fn read(root: &Path) -> Result<Self> {
        let folder = root.join("docs/records");
        let read = |name: String| {
            let text = fs::read(folder.join(&name)).with_context(|| format!("cannot read {name}"))?;
            let record = serde_json::from_slice(&text).with_context(|| format!("{name} is no record"))?;
            Ok((name.trim_end_matches(".json").to_owned(), record))
        };
        Ok(Self(names(&folder, "json")?.into_iter().map(read).collect::<Result<_>>()?))
    }

    fn get(&self, name: &str) -> Result<&Record> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, record)| record).with_context(|| format!("there is no docs/records/{name}.json"))
    }

    /// A line that a sentence is about.
    fn line(&self, set: &str, planner: &str) -> Result<&Line> {
        self.get(set)?.line(planner).with_context(|| format!("docs/records/{set}.json has no `{planner}`"))
    }

    /// A part of a page.
    fn part(&self, part: &str, root: &Path) -> Result<String> {
        let (kind, what) = part.split_once(": ").context("expected a kind and what is asked for")?;
        match (kind, what) {
            ("program", place) => program(root, place),
            ("record", "speed") => {
                self.by_set(&PLANNERS, |line, _| format!("{} / {}", number(line.mean_us), number(line.p99_us)))
            }
            ("record", "speedup") => self.by_set(&PLANNERS[1..], |line, _| number(line.speedup_total)),
            ("record", "preparation") => self.by_set(&PREPARED, |line, record| {
                let megabytes = record.a_map(line.index_bytes) / 1e6;
                format!("{} ms, {} MB", number(record.a_map(line.build_ms)), number(megabytes))
            }),
            ("record", "peers") => self.peers(),
            ("record", "numbers") => self.numbers(),
            ("record", "conditions") => self.conditions(),
            ("record", set) => Ok(table(self.get(set)?)),
            _ => bail!("expected `record` or `program`"),
        }
    }

    /// A table with a row a set of maps and a column a planner.
    fn by_set(&self, planners: &[&str], cell: impl Fn(&Line, &Record) -> String) -> Result<String> {
        let mut table = Table::new(iter::once("maps".to_owned()).chain(planners.iter().map(|planner| code(planner))));
        for (name, what) in SETS {
            let record = self.get(name)?;
            let cells =
                planners.iter().map(|planner| record.line(planner).map_or(String::new(), |line| cell(line, record)));
            table.row(iter::once(format!("{}: {what}", code(name))).chain(cells));
        }
        Ok(table.text())
    }

    /// How many times faster than a peer our planners are, and how many of its answers are wrong by the benchmark's rule.
    fn peers(&self) -> Result<String> {
        const OURS: [&str; 3] = ["astar", "corner-sweep", "jump-graph"];
        let columns = ["maps", "peer", "wrong answers", "mean us"].map(str::to_owned);
        let mut table = Table::new(columns.into_iter().chain(OURS.map(code)));
        for (name, _) in SETS {
            let record = self.get(name)?;
            for peer in record.planners.iter().filter(|line| line.peer) {
                let wrong = format!("{} of {}", grouped(peer.wrong as f64), grouped(record.queries as f64));
                let faster = OURS.map(|planner| {
                    record
                        .line(planner)
                        .map_or(String::new(), |line| format!("{}x", number(peer.mean_us / line.mean_us)))
                });
                let head = [code(name), code(&peer.planner), wrong, number(peer.mean_us)];
                table.row(head.into_iter().chain(faster));
            }
        }
        Ok(table.text())
    }

    /// The four numbers of the README.
    fn numbers(&self) -> Result<String> {
        let (set, what) = SETS[0];
        let record = self.get(set)?;
        let line = |planner| self.line(set, planner);
        let (sweep, graph, labels, peer) =
            (line("corner-sweep")?, line("jump-graph")?, line("hub-labels")?, line(PEER)?);
        let us = |line: &Line| number(line.mean_us);
        let ms = |line: &Line| number(record.a_map(line.build_ms));
        let megabytes = number(record.a_map(labels.index_bytes) / 1e6);
        let times = |line: &Line| number(line.speedup_total);
        let (problems, maps) = (grouped(record.queries as f64), record.maps);
        Ok([
            format!(
                "- **{} µs** a path with `corner-sweep`, ready in {} ms: {} times as fast as our own A\\*",
                us(sweep),
                ms(sweep),
                times(sweep)
            ),
            format!(
                "- **{} µs** with `jump-graph`, ready in {} ms: {} times as fast",
                us(graph),
                ms(graph),
                times(graph)
            ),
            format!(
                "- **{} µs** with `hub-labels`, from an index of {megabytes} MB: {} times as fast",
                us(labels),
                times(labels)
            ),
            format!(
                "- **{} times** as fast as the crate `pathfinding` with its A\\*: `corner-sweep`",
                number(peer.mean_us / sweep.mean_us)
            ),
            format!("\nMeans over {problems} problems on {maps} maps of {what}. {}", machine(&record.machine)),
        ]
        .join("\n"))
    }

    /// How each record was made.
    fn conditions(&self) -> Result<String> {
        let mut table = Table::new(["record", "maps", "problems", "rounds", "made", "by"]);
        for (name, record) in &self.0 {
            let MadeWith { date, command, .. } = &record.machine;
            let link = format!("[{name}.json](records/{name}.json)");
            let command = if command.is_empty() { String::new() } else { code(command) };
            table.row([
                link,
                record.maps.to_string(),
                grouped(record.queries as f64),
                record.rounds.to_string(),
                day(date).to_owned(),
                command,
            ]);
        }
        Ok(format!("{}\n\n{}", table.text(), machine(&self.get(SETS[0].0)?.machine)))
    }

    /// The mean time of a query as bars, over a logarithmic scale.
    fn chart(&self) -> Result<String> {
        const SHOWN: [(&str, &str); 6] = [
            (PEER, "crate pathfinding, A*"),
            ("astar", "astar"),
            ("jps", "jps"),
            ("corner-sweep", "corner-sweep"),
            ("jump-graph", "jump-graph"),
            ("hub-labels", "hub-labels"),
        ];
        let record = self.get(SETS[0].0)?;
        let lines = SHOWN.iter().filter_map(|(name, label)| Some((label, record.line(name)?)));
        let bars = (0..).zip(lines).map(|(row, (label, line))| Bar {
            label: (*label).to_owned(),
            y: Chart::TOP + Chart::ROW * row,
            width: Chart::x(line.mean_us) - Chart::LEFT,
            time: format!("{} µs", number(line.mean_us)),
            is_peer: line.peer,
        });
        let ticks = (0..=4).map(|power| 10_f64.powi(power));
        let ticks = ticks
            .map(|us| (Chart::x(us), if us < 1000.0 { format!("{us} µs") } else { format!("{} ms", us / 1000.0) }));
        let bars: Vec<Bar> = bars.collect();
        let bottom = Chart::TOP + Chart::ROW * bars.len() as u32;
        let chart = Chart {
            title: format!("Mean time of a path on {} maps of {}", record.maps, SETS[0].1),
            bars,
            ticks: ticks.collect(),
            bottom,
        };
        Ok(chart.render()? + "\n")
    }
}

/// The bars.
#[derive(Template)]
#[template(path = "speed.svg", escape = "html")]
struct Chart {
    title: String,
    bars: Vec<Bar>,
    /// Where the scale has lines, and what they mean.
    ticks: Vec<(u32, String)>,
    bottom: u32,
}

struct Bar {
    label: String,
    y: u32,
    width: u32,
    time: String,
    is_peer: bool,
}

impl Chart {
    const LEFT: u32 = 190;
    const TOP: u32 = 44;
    const ROW: u32 = 30;
    const DECADE: f64 = 110.0;

    /// Where a time is on the scale, which begins at a microsecond.
    fn x(us: f64) -> u32 {
        Self::LEFT + (us.max(1.0).log10() * Self::DECADE).round() as u32 + 2 * u32::from(us <= 1.0)
    }
}

/// All lines of a record.
fn table(record: &Record) -> String {
    let mut table = Table::new(["planner", "mean us", "p99 us", "length", "preparation, ms a map", "index, MB a map"]);
    for line in &record.planners {
        let length = line.length_ratio.map_or(String::new(), |ratio| format!("{ratio:.4}"));
        let (built, index) = (record.a_map(line.build_ms), record.a_map(line.index_bytes) / 1e6);
        table.row([
            code(&line.planner),
            number(line.mean_us),
            number(line.p99_us),
            length,
            number(built),
            number(index),
        ]);
    }
    table.text()
}

/// A table in Markdown, by lines.
struct Table(Vec<String>);

impl Table {
    fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut table = Self(Vec::new());
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        let rules = iter::once("---").chain(iter::repeat("--:")).take(columns.len());
        let rules = format!("|{}|", rules.collect::<Vec<_>>().join("|"));
        table.row(columns);
        table.0.push(rules);
        table
    }

    fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.push(format!("| {} |", cells.into_iter().collect::<Vec<_>>().join(" | ")));
    }

    fn text(&self) -> String {
        self.0.join("\n")
    }
}

/// What a run was made with, in a sentence; empty where it does not tell.
fn machine(machine: &MadeWith) -> String {
    let MadeWith { octile, commit, compiler, machine, date, .. } = machine;
    if machine.is_empty() {
        return String::new();
    }
    let commit = if commit.is_empty() || commit == "unknown" { String::new() } else { format!(" at {commit}") };
    format!("MadeWith: {machine}; octile {octile}{commit}, {compiler}, {}.", day(date))
}

fn day(date: &str) -> &str {
    date.split('T').next().unwrap_or(date)
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A number in as many digits as it is worth: three.
fn number(value: f64) -> String {
    match value.abs() {
        99.95.. => grouped(value),
        9.995.. => format!("{value:.1}"),
        0.0995.. => format!("{value:.2}"),
        0.0 => "0".to_owned(),
        _ => format!("{value:.3}"),
    }
}

/// A whole number with commas between thousands.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let written = [0.0, 0.004, 0.123, 2.046, 9.999, 50.61, 99.97, 1064.6, 1_234_567.0].map(number);
        assert_eq!(written, ["0", "0.004", "0.12", "2.05", "10.0", "50.6", "100", "1,065", "1,234,567"]);
    }

    #[test]
    fn what_stands_between_the_marks_is_made_again() {
        let make = |part: &str| Ok(part.to_uppercase());
        let page =
            "a\n<!-- record: x -->\nold\n<!-- end -->\nb\n<!-- program: y z -->\n\nPROGRAM: Y Z\n\n<!-- end -->\nc\n";
        let made = remade("page.md".to_owned(), page, make).unwrap();
        assert_eq!(made.stale, ["page.md: `record: x` is stale"]);
        assert_eq!(made.text, page.replace("old", "\nRECORD: X\n"));
        assert!(remade("page.md".to_owned(), &made.text, make).unwrap().stale.is_empty());
        assert!(remade("page.md".to_owned(), "<!-- record: x -->\n", make).is_err());
    }
}
