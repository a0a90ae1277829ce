//! Recorded studies of papers, and what PAPERS.md shows of them.
//!
//! A record is a report without its tables, plots and pictures: `docs/records/papers/STUDY.json`. Causes, deviations and
//! what cannot be reproduced are those of today, from the [`Account`]s of the studies.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::names;
use super::records::{MadeWith, Table, code, grouped, machine, number};
use crate::all;
use crate::exhibit::finding::{Account, Finding, Improvement, RULE, Tally, Verdict, range};
use crate::plan::Work;

/// Where the records are.
const FOLDER: &str = "docs/records/papers";

/// A study of a paper, as it was run.
pub(super) struct Record {
    conditions: MadeWith,
    section: Section,
    account: &'static Account,
}

/// What is kept of a report.
#[derive(Deserialize, Serialize)]
struct Kept {
    /// What it was measured with.
    conditions: Box<RawValue>,
    sections: Vec<Section>,
}

/// What is kept of its section.
#[derive(Deserialize, Serialize)]
struct Section {
    id: String,
    title: String,
    /// What was run of how much.
    work: Vec<Work>,
    exhibits: Vec<Exhibit>,
    improvements: Vec<Improvement>,
    findings: Vec<Finding>,
}

#[derive(Deserialize, Serialize)]
struct Exhibit {
    id: String,
    label: String,
    title: String,
}

/// The record that a report, as JSON, comes to: a line for each finding.
pub(super) fn kept(report: &[u8]) -> Result<String> {
    let mut kept: Kept = serde_json::from_slice(report).context("it is no report")?;
    for finding in kept.sections.iter_mut().flat_map(|section| &mut section.findings) {
        finding.cause = None;
        ensure!(finding.verdict != Verdict::OtherMaps, "it was measured on maps that stand in for the paper's");
    }
    kept.conditions = without_folder(&kept.conditions)?;
    let text = serde_json::to_string(&kept)?;
    Ok(text.replace(",{\"exhibit\":", ",\n{\"exhibit\":") + "\n")
}

/// Conditions without the folder of the maps, which is a path of one machine.
fn without_folder(conditions: &RawValue) -> Result<Box<RawValue>> {
    let mut conditions: serde_json::Map<String, serde_json::Value> = serde_json::from_str(conditions.get())?;
    conditions.insert("maps".to_owned(), "the MovingAI maps".into());
    Ok(serde_json::value::to_raw_value(&conditions)?)
}

/// Where the record of a study is, from the folder of the project.
pub(super) fn file(study: &str) -> String {
    format!("{FOLDER}/{study}.json")
}

/// All that there are, in the order of the studies.
pub(super) fn read(root: &Path) -> Result<Vec<Record>> {
    if !root.join(FOLDER).is_dir() {
        return Ok(Vec::new());
    }
    let known = names(&root.join(FOLDER), "json")?;
    let mut records = Vec::new();
    for study in all() {
        let (name, account) = (format!("{}.json", study.id()), study.account().unwrap_or(&NOTHING));
        if !known.contains(&name) {
            continue;
        }
        let text = fs::read(root.join(FOLDER).join(&name)).with_context(|| format!("cannot read {name}"))?;
        records.push(Record::read(&text, account).with_context(|| format!("{name} is no record of a study"))?);
    }
    Ok(records)
}

/// Of a study that says nothing.
static NOTHING: Account = Account { deviations: &[], causes: &[], impossible: &[] };

/// A part of PAPERS.md.
pub(super) fn part(name: &str, records: &[Record]) -> Result<String> {
    match name {
        "rule" => Ok(RULE.to_owned()),
        "summary" => Ok(summary(records)),
        study => {
            let studies = all();
            let known = studies.iter().find(|known| known.id() == study);
            let account = known.with_context(|| format!("there is no study `{study}`"))?.account();
            let record = records.iter().find(|record| record.section.id == study);
            Ok(record.map_or_else(|| not_recorded(account.unwrap_or(&NOTHING)), Record::part))
        }
    }
}

/// The name by which a heading is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

/// How much of each paper is reproduced.
fn summary(records: &[Record]) -> String {
    let mut table = Table::new(["paper", "numbers reproduced", "of", "items that work", "differ", "cannot be had"]);
    for Record { section, account, .. } in records {
        let count = |verdict| section.findings.iter().filter(|finding| finding.verdict == verdict).count();
        let (reproduced, differ) = (count(Verdict::Reproduced), count(Verdict::Differs));
        let tallies = Tally::all(&section.findings);
        let differing = tallies.iter().filter(|tally| tally.with(Verdict::Differs).next().is_some()).count();
        let numbers =
            [reproduced, reproduced + differ, section.exhibits.len() - differing, differing, account.impossible.len()];
        let numbers = numbers.map(|number| grouped(number as f64));
        table.row([format!("[{}](#{})", section.title, anchor(&section.title))].into_iter().chain(numbers));
    }
    table.text()
}

impl Record {
    fn read(text: &[u8], account: &'static Account) -> Result<Self> {
        let Kept { conditions, sections } = serde_json::from_slice(text)?;
        let conditions = serde_json::from_str(conditions.get())?;
        let mut section = sections.into_iter().next().context("it has no section")?;
        section.findings.iter_mut().for_each(Finding::judge);
        account.explain(&mut section.findings);
        Ok(Self { conditions, section, account })
    }

    fn part(&self) -> String {
        let parts = [self.items(), self.differences(), deviations(self.account), self.improvements(), self.made()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// Each table and figure: works, differs or impossible.
    fn items(&self) -> String {
        let mut table = Table::of_words(["item", "", "verdict"]);
        let tallies = Tally::all(&self.section.findings);
        for Exhibit { id, label, title } in &self.section.exhibits {
            let verdict = match tallies.iter().find(|tally| tally.exhibit == id) {
                None => "works".to_owned(),
                Some(tally) if tally.with(Verdict::Differs).next().is_none() => format!("works: {}", tally.score()),
                Some(tally) => format!("differs: {}", tally.score()),
            };
            table.row([label.clone(), title.clone(), verdict]);
        }
        for item in self.account.impossible {
            table.row([item.what.to_owned(), String::new(), format!("impossible: {}", item.evidence)]);
        }
        table.text()
    }

    /// What differs, by cause.
    fn differences(&self) -> String {
        let mut groups: Vec<(&str, &str, Vec<&Finding>)> = Vec::new();
        for finding in self.section.findings.iter().filter(|finding| finding.verdict == Verdict::Differs) {
            let cause = finding.cause.as_deref().unwrap_or(NO_CAUSE);
            match groups.iter_mut().find(|(exhibit, known, _)| *exhibit == finding.exhibit && *known == cause) {
                Some((_, _, findings)) => findings.push(finding),
                None => groups.push((&finding.exhibit, cause, vec![finding])),
            }
        }
        if groups.is_empty() {
            return String::new();
        }
        let mut table = Table::of_words(["differs", "numbers", "ours over the paper's", "cause"]);
        for (exhibit, cause, findings) in groups {
            let label = self.section.exhibits.iter().find(|known| known.id == exhibit);
            let over = range(findings.iter().filter_map(|finding| finding.ratio()));
            let over = over.map_or_else(|| "–".to_owned(), |[least, most]| span(least, most));
            let first = match &findings[..] {
                [only] => format!("{}: {} here, {} in the paper", only.claim(), only.ours_is(), only.paper_says()),
                several => format!("{}: {}", several.len(), several[0].claim()) + " and others",
            };
            table.row([label.map_or(exhibit, |known| &known.label).to_owned(), first, over, cause.to_owned()]);
        }
        table.text()
    }

    /// The paper's best, ours, factor.
    fn improvements(&self) -> String {
        if self.section.improvements.is_empty() {
            return String::new();
        }
        let mut table = Table::new(["what octile adds", "the paper's best", "ours", "factor"]);
        for improvement in &self.section.improvements {
            let Improvement { row, what, paper, ours, .. } = improvement;
            let told = |measured| format!("{} ({})", improvement.print(measured), code(&measured.by));
            table.row([format!("{row}, {what}"), told(paper), told(ours), number(improvement.factor())]);
        }
        table.text()
    }

    /// What was run, and how.
    fn made(&self) -> String {
        let work: Vec<String> = self.section.work.iter().filter_map(Work::asked).collect();
        let work = if work.is_empty() { String::new() } else { format!("Run: {}. ", work.join("; ")) };
        format!("{work}{} `{}`", machine(&self.conditions), self.conditions.command())
    }
}

/// What is said of a paper of which there is no record yet.
fn not_recorded(account: &Account) -> String {
    format!("Its numbers are not recorded yet.\n\n{}", deviations(account))
}

fn deviations(account: &Account) -> String {
    if account.deviations.is_empty() {
        return String::new();
    }
    let lines = account.deviations.iter().map(|deviation| format!("- {deviation}"));
    format!("Where we depart from the paper:\n\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// What stands where a cause should.
const NO_CAUSE: &str = "not known";

fn span(least: f64, most: f64) -> String {
    let [least, most] = [least, most].map(number);
    if least == most { least } else { format!("{least} to {most}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn records_name_no_folder_of_a_machine() {
        let conditions =
            RawValue::from_string(r#"{"machine":"a","maps":"the MovingAI maps in /a/b"}"#.to_owned()).unwrap();
        let kept = without_folder(&conditions).unwrap();
        assert_eq!(kept.get(), r#"{"machine":"a","maps":"the MovingAI maps"}"#);
    }

    #[test]
    fn what_differs_in_a_record_has_a_cause() {
        for Record { section, .. } in read(&root()).unwrap() {
            for finding in section.findings.iter().filter(|finding| finding.verdict == Verdict::Differs) {
                let (of, by) = (format!("{}/{}: {}", section.id, finding.exhibit, finding.claim()), &finding.by);
                assert!(
                    finding.cause.is_some(),
                    "{of} by `{by}`: {} here, {}",
                    finding.ours_is(),
                    finding.paper_says()
                );
            }
        }
    }

    #[test]
    fn papers_are_one_page() {
        let words = fs::read_to_string(root().join("PAPERS.md")).unwrap().split_whitespace().count();
        assert!(words < 5000, "PAPERS.md has {words} words");
    }
}
