//! `octile-papers record`: the races behind the numbers of the documentation, run again.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use octile::files;
use octile_cli::harness::args::at_least_one;
use octile_cli::harness::{Outcome, output};

use super::papers;
use super::records::SETS;
use crate::all;

/// Run the races and the studies behind the documentation again, and remake its tables
///
/// Races planners, and other projects' crates beside them, on every set of maps, each race by the `compare` that its
/// record names; runs the study of each paper in full, in the minutes of --budget, and keeps of its report what
/// PAPERS.md needs; writes all that to docs/records, then makes the tables, the chart and the sentences from it, as
/// `octile-papers docs` does. The races take some ten minutes. An interrupted study goes on where it was when the same
/// command is given again. What is measured should have the machine for itself.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile-papers record movingai/                     all records
  octile-papers record movingai/ --only dao --only rooms
  octile-papers record movingai/ --only rea-star --budget 45")]
pub(crate) struct Args {
    /// The folder that has dao/, bg512/ and the other sets of the MovingAI benchmarks in it
    #[arg(value_name = "DIR")]
    maps: PathBuf,

    /// Make this record only, such as dao; give one for each [default: all]
    #[arg(long = "only", value_name = "RECORD")]
    only: Vec<String>,

    /// About how many minutes all studies of papers may take together: see `octile-papers all --help`
    #[arg(long, value_name = "MINUTES", default_value = "120", value_parser = at_least_one)]
    budget: NonZeroUsize,

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
    let studies: Vec<&str> = all().iter().map(|study| study.id()).filter(|study| *study != PLANNERS_STUDY).collect();
    let names: Vec<&str> = races().map(|race| race.name).chain([CHANGES]).chain(studies.iter().copied()).collect();
    if let Some(unknown) = args.only.iter().find(|only| !names.contains(&only.as_str())) {
        bail!("there is no record `{unknown}`; there are {}", names.join(", "));
    }
    let is_asked_for = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    let asked_for: Vec<Race> = races().filter(|race| is_asked_for(race.name)).collect();
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
    if is_asked_for(CHANGES) {
        let arguments = ["changes", "."].map(str::to_owned);
        output::say(format_args!("{CHANGES}: {}", arguments.join(" ")));
        files::write(records.join("changes.json"), ran(CHANGES, &arguments, &args.maps)?)?;
    }
    for study in studies.into_iter().filter(|study| is_asked_for(study)) {
        let record = studied(study, args)?;
        let file = args.root.join(papers::file(study));
        fs::create_dir_all(file.parent().unwrap_or(&args.root))?;
        files::write(file, record)?;
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

/// The record of a study, run in a process of its own in the folder of the project, whose name is in no record.
fn studied(study: &str, args: &Args) -> Result<String> {
    let budget = args.budget.to_string();
    let arguments = [study, "--full", "--budget", &budget, "--out", "target/papers", "--json"];
    output::say(format_args!("{study}: {}", arguments.join(" ")));
    let program = env::current_exe().context("cannot tell which program this is")?;
    let mut run = Command::new(program);
    run.args(arguments).current_dir(&args.root).stderr(Stdio::inherit());
    let done = run.env("OCTILE_MOVINGAI", fs::canonicalize(&args.maps)?).output();
    let done = done.with_context(|| format!("cannot run the study `{study}`"))?;
    ensure!(done.status.success(), "the study `{study}` is not complete, or an answer is wrong");
    papers::kept(&done.stdout).with_context(|| format!("the study `{study}` told no record"))
}

/// The section that is about no paper.
const PLANNERS_STUDY: &str = "planners";

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
