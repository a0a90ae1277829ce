//! Recorded races, and what pages show of them: tables, sentences and a chart.

use std::path::{Path, PathBuf};
use std::{fs, iter};

use anyhow::{Context, Result};
use askama::Template;
use serde::Deserialize;

use super::record::PLANNERS;
use super::{changes, names};

/// The sets of maps that are recorded, and what they are.
pub(super) const SETS: [(&str, &str); 6] = [
    ("dao", "Dragon Age: Origins"),
    ("bg512", "Baldur's Gate II"),
    ("sc1", "StarCraft"),
    ("rooms", "rooms of 8 to 64 cells"),
    ("mazes", "mazes, corridors of 1 to 32 cells"),
    ("random", "random obstacles, 10 to 40 %"),
];

const PEER: &str = "peer/pathfinding";
pub(super) const CHART: &str = "docs/speed.svg";

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
    /// Of the map that took most.
    #[serde(default)]
    scratch_bytes: f64,
    wrong: usize,
    /// On how many maps it ran, if not on all.
    maps: Option<usize>,
    #[serde(default)]
    peer: bool,
}

/// What it was measured with; records of early versions do not tell.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct MadeWith {
    octile: String,
    commit: String,
    compiler: String,
    machine: String,
    date: String,
    command: String,
}

impl MadeWith {
    /// The command that made it.
    pub(super) fn command(&self) -> &str {
        &self.command
    }
}

impl Record {
    fn line(&self, planner: &str) -> Option<&Line> {
        self.planners.iter().find(|line| line.planner == planner)
    }

    /// On how many maps a planner ran.
    fn maps_of(&self, line: &Line) -> usize {
        line.maps.unwrap_or(self.maps).max(1)
    }

    /// The milliseconds that a planner prepares for a map.
    fn build_ms(&self, line: &Line) -> String {
        number(line.build_ms / self.maps_of(line) as f64)
    }

    /// The megabytes that a planner keeps of a map.
    fn megabytes(&self, line: &Line) -> String {
        number(line.index_bytes / self.maps_of(line) as f64 / 1e6)
    }
}

/// All runs that are recorded, by the names of their files.
pub(super) struct Records {
    races: Vec<(String, Record)>,
    /// The folder of the project.
    root: PathBuf,
}

impl Records {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let folder = root.join("docs/records");
        let read = |name: String| {
            let text = fs::read(folder.join(&name)).with_context(|| format!("cannot read {name}"))?;
            let record = serde_json::from_slice(&text).with_context(|| format!("{name} is no record"))?;
            Ok((name.trim_end_matches(".json").to_owned(), record))
        };
        let races = names(&folder, "json")?.into_iter().filter(|name| name != "changes.json");
        Ok(Self { races: races.map(read).collect::<Result<_>>()?, root: root.to_owned() })
    }

    fn get(&self, name: &str) -> Result<&Record> {
        let found = self.races.iter().find(|(known, _)| known == name);
        found.map(|(_, record)| record).with_context(|| format!("there is no docs/records/{name}.json"))
    }

    /// A line that a sentence is about.
    fn line(&self, set: &str, planner: &str) -> Result<&Line> {
        self.get(set)?.line(planner).with_context(|| format!("docs/records/{set}.json has no `{planner}`"))
    }

    /// What is made from records, as Markdown: a part of that name, or a table of the record of that name.
    pub(super) fn part(&self, name: &str) -> Result<String> {
        match name {
            "sets" => self.sets(),
            "speed" => self.by_planner(|line, _| format!("{} / {}", number(line.mean_us), number(line.p99_us))),
            "speedup" => self.by_planner(|line, _| number(line.speedup_total)),
            "preparation" => self.by_planner(|line, record| record.build_ms(line)),
            "memory" => self.by_planner(|line, record| {
                format!("{} + {}", record.megabytes(line), number(line.scratch_bytes / 1e6))
            }),
            "peers" => self.peers(),
            "numbers" => self.numbers(),
            "conditions" => self.conditions(),
            "changes" => Ok(changes::Record::read(&self.root)?.part()),
            set => Ok(table(self.get(set)?)),
        }
    }

    /// What the sets are, and how many of their problems were asked.
    fn sets(&self) -> Result<String> {
        let mut table = Table::new(["set", "maps", "problems", "what"]);
        for (name, what) in SETS {
            let record = self.get(name)?;
            table.row([code(name), record.maps.to_string(), grouped(record.queries as f64), what.to_owned()]);
        }
        Ok(table.text())
    }

    /// A table with a row a planner and a column a set of maps.
    fn by_planner(&self, cell: impl Fn(&Line, &Record) -> String) -> Result<String> {
        let sets = SETS.map(|(name, _)| name);
        let records = sets.iter().map(|name| self.get(name)).collect::<Result<Vec<_>>>()?;
        let mut table = Table::new(iter::once("planner".to_owned()).chain(sets.map(code)));
        for planner in PLANNERS {
            let cell = |record: &&Record| {
                let line = record.line(planner)?;
                Some(match record.maps_of(line) {
                    maps if maps < record.maps => format!("{} ({maps} maps)", cell(line, record)),
                    _ => cell(line, record),
                })
            };
            let cells = records.iter().map(|record| cell(record).unwrap_or_default());
            table.row(iter::once(code(planner)).chain(cells));
        }
        Ok(table.text())
    }

    /// How many times faster than a peer our planners are, and how many of its answers are wrong by the benchmark's
    /// rule.
    fn peers(&self) -> Result<String> {
        const OURS: [&str; 3] = ["astar", "corner-sweep", "jump-graph"];
        let columns = ["maps", "peer", "wrong answers", "mean us"].map(str::to_owned);
        let mut table = Table::new(columns.into_iter().chain(OURS.map(code)));
        for (name, _) in SETS {
            let record = self.get(name)?;
            for peer in record.planners.iter().filter(|line| line.peer) {
                let wrong = format!("{} of {}", grouped(peer.wrong as f64), grouped(record.queries as f64));
                let faster = |line: &Line| format!("{}x", number(peer.mean_us / line.mean_us));
                let faster = OURS.map(|planner| record.line(planner).map_or(String::new(), faster));
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
        let ms = |line: &Line| record.build_ms(line);
        let megabytes = record.megabytes(labels);
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
                "- `corner-sweep` is **{} times** as fast as the A\\* of the crate `pathfinding`",
                number(peer.mean_us / sweep.mean_us)
            ),
            format!("\nMeans over {problems} problems on {maps} maps of {what}. {}", machine(&record.machine)),
        ]
        .join("\n"))
    }

    /// How each record was made.
    fn conditions(&self) -> Result<String> {
        let mut table = Table::new(["record", "maps", "problems", "rounds", "made", "by"]);
        for (name, record) in &self.races {
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
    pub(super) fn chart(&self) -> Result<String> {
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
            width: (Chart::x(line.mean_us) - Chart::LEFT).max(2),
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
        Self::LEFT + (us.max(1.0).log10() * Self::DECADE).round() as u32
    }
}

/// All lines of a record.
fn table(record: &Record) -> String {
    let mut table = Table::new(["planner", "mean us", "p99 us", "length", "preparation, ms a map", "index, MB a map"]);
    for line in &record.planners {
        let length = line.length_ratio.map_or(String::new(), |ratio| format!("{ratio:.4}"));
        table.row([
            code(&line.planner),
            number(line.mean_us),
            number(line.p99_us),
            length,
            record.build_ms(line),
            record.megabytes(line),
        ]);
    }
    table.text()
}

/// A table in Markdown, by lines.
pub(super) struct Table(Vec<String>);

impl Table {
    pub(super) fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut table = Self(Vec::new());
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        let rules = iter::once("---").chain(iter::repeat("--:")).take(columns.len());
        let rules = format!("|{}|", rules.collect::<Vec<_>>().join("|"));
        table.row(columns);
        table.0.push(rules);
        table
    }

    /// With words in all columns.
    pub(super) fn of_words(columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut table = Self::new(columns);
        table.0[1] = table.0[1].replace("--:", "---");
        table
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.push(format!("| {} |", cells.into_iter().collect::<Vec<_>>().join(" | ")));
    }

    pub(super) fn text(&self) -> String {
        self.0.join("\n")
    }
}

/// What a run was made with, in a sentence; empty where it does not tell.
pub(super) fn machine(machine: &MadeWith) -> String {
    let MadeWith { octile, commit, compiler, machine, date, .. } = machine;
    if machine.is_empty() {
        return String::new();
    }
    let commit = if commit.is_empty() || commit == "unknown" { String::new() } else { format!(" at {commit}") };
    format!("Machine: {machine}; octile {octile}{commit}, {compiler}, {}.", day(date))
}

fn day(date: &str) -> &str {
    date.split('T').next().unwrap_or(date)
}

pub(super) fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A number in as many digits as it is worth: three.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        99.95.. => grouped(value),
        9.995.. => format!("{value:.1}"),
        0.0995.. => format!("{value:.2}"),
        0.0 => "0".to_owned(),
        _ => format!("{value:.3}"),
    }
}

/// A whole number with commas between thousands.
pub(super) fn grouped(value: f64) -> String {
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
}
