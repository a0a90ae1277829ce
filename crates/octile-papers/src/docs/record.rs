//! `octile-papers record`: the races behind the numbers of the documentation, run again.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use octile::files;
use octile_cli::harness::{Outcome, output};

use super::records::SETS;

/// Run the races behind the documentation again, and remake its tables
///
/// Races planners, and other projects' crates beside them, on every set of maps, each race by the `compare` that its
/// record names; writes what they print to docs/records, then makes the tables, the chart and the sentences from them,
/// as `octile-papers docs` does. Takes some ten minutes; what is measured should have the machine for itself.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile-papers record movingai/                     all records
  octile-papers record movingai/ --only dao --only rooms")]
pub(crate) struct Args {
    /// The folder that has dao/, bg512/ and the other sets of the MovingAI benchmarks in it
    #[arg(value_name = "DIR")]
    maps: PathBuf,

    /// Make this record only, such as dao; give one for each [default: all]
    #[arg(long = "only", value_name = "RECORD")]
    only: Vec<String>,

    /// The folder of the project
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
}

/// The planners whose times the tables show: all that find shortest paths on the grid and prepare no longer than
/// seconds for a map. The first is the yardstick.
pub(super) const PLANNERS: [&str; 13] = [
    "astar",
    "astar:open=buckets",
    "jps",
    "rea-star",
    "rea-star:fronts=cells",
    "block-astar",
    "corner-sweep",
    "corner-sweep:cache=on",
    "jump-graph",
    "core-search",
    "core-table",
    "hub-labels",
    "auto",
];

/// Planners for paths in any direction.
const ANY_ANGLE: [&str; 9] = [
    "taut-labels",
    "taut-graph",
    "taut-sight",
    "taut-sight:memory=0",
    "theta-star",
    "lazy-theta-star",
    "block-astar:db=any-angle",
    "astar:on=corners",
    "corner-sweep:smooth=greedy",
];

/// How many problems are left out for each that is asked, set by set.
const EVERY: [u32; SETS.len()] = [50, 200, 1000, 1000, 2000, 500];

/// A race that is recorded.
struct Race {
    /// The name of its record.
    name: &'static str,
    /// The set of maps.
    set: &'static str,
    planners: &'static [&'static str],
    every: u32,
}

fn races() -> impl Iterator<Item = Race> {
    let sets = SETS.iter().zip(EVERY).map(|(&(set, _), every)| Race { name: set, set, planners: &PLANNERS, every });
    sets.chain([Race { name: "any-angle", set: "dao", planners: &ANY_ANGLE, every: 1000 }])
}

/// The record of maps that change.
const CHANGES: &str = "changes";

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let names: Vec<&str> = races().map(|race| race.name).chain([CHANGES]).collect();
    if let Some(unknown) = args.only.iter().find(|only| !names.contains(&only.as_str())) {
        bail!("there is no record `{unknown}`; there are {}", names.join(", "));
    }
    let is_asked_for = |race: &Race| args.only.is_empty() || args.only.iter().any(|only| only == race.name);
    let asked_for: Vec<Race> = races().filter(is_asked_for).collect();
    for Race { set, .. } in &asked_for {
        let folder = args.maps.join(set);
        ensure!(folder.is_dir(), "there is no folder {}; DIR is the one with the sets of maps in it", folder.display());
    }
    let records = args.root.join("docs/records");
    ensure!(records.is_dir(), "there is no folder {}; --root is the folder of the project", records.display());
    for race in &asked_for {
        output::say(format_args!("{}: {}", race.name, race.arguments().join(" ")));
        files::write(records.join(format!("{}.json", race.name)), race.run(&args.maps)?)?;
    }
    if args.only.is_empty() || args.only.iter().any(|only| only == CHANGES) {
        let arguments = ["changes", "."].map(str::to_owned);
        output::say(format_args!("{CHANGES}: {}", arguments.join(" ")));
        files::write(records.join("changes.json"), ran(CHANGES, &arguments, &args.maps)?)?;
    }
    super::run(&super::Args { root: args.root.clone(), check: false })
}

impl Race {
    /// The arguments of `octile-papers`.
    fn arguments(&self) -> Vec<String> {
        let planners = self.planners.iter().flat_map(|planner| ["--planner", planner]);
        let all = ["compare", self.set].into_iter().chain(planners).map(str::to_owned);
        all.chain(["--every".to_owned(), self.every.to_string(), "--json".to_owned()]).collect()
    }

    /// Runs it among the maps, in a process of its own: what a record names is what was run, and paths in it are short.
    fn run(&self, maps: &Path) -> Result<Vec<u8>> {
        let printed = ran(self.name, &self.arguments(), maps)?;
        let wrong = wrong(&printed).with_context(|| format!("the race `{}` told no record", self.name))?;
        ensure!(wrong.is_empty(), "the race `{}` has wrong answers by {}", self.name, wrong.join(", "));
        Ok(printed)
    }
}

/// What `octile-papers` prints with some arguments, in a folder.
fn ran(name: &str, arguments: &[String], folder: &Path) -> Result<Vec<u8>> {
    let program = env::current_exe().context("cannot tell which program this is")?;
    let mut race = Command::new(program);
    race.args(arguments).current_dir(folder).stderr(Stdio::inherit());
    let done = race.output().with_context(|| format!("cannot run the race `{name}`"))?;
    // Planners that refuse a map, and peers that answer wrongly, are part of the record: code 1.
    ensure!(matches!(done.status.code(), Some(0 | 1)), "the race `{name}` failed: {}", done.status);
    Ok(done.stdout)
}

/// Our own planners that answered wrongly.
fn wrong(record: &[u8]) -> Result<Vec<String>> {
    let record: serde_json::Value = serde_json::from_slice(record)?;
    let lines = record["planners"].as_array().context("it has no planners")?;
    let is_wrong = |line: &&serde_json::Value| line["wrong"] != 0 && line["peer"] != true;
    Ok(lines.iter().filter(is_wrong).map(|line| line["planner"].as_str().unwrap_or_default().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use octile::PlannerSpec;

    use super::*;

    #[test]
    fn every_race_can_be_run() {
        for race in races() {
            for planner in race.planners {
                assert!(planner.parse::<PlannerSpec>().is_ok(), "{planner}");
            }
        }
    }

    #[test]
    fn wrong_answers_are_found_unless_they_are_a_peers() {
        let record = br#"{"planners": [{"planner": "a", "wrong": 0}, {"planner": "b", "wrong": 2}, {"planner": "c", "wrong": 5, "peer": true}]}"#;
        assert_eq!(wrong(record).unwrap(), ["b"]);
        assert!(wrong(b"{}").is_err());
    }
}
