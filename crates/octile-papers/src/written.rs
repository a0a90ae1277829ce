//! The files of a report.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use octile::files;
use octile_cli::harness::machine::Machine;
use xxhash_rust::xxh3::xxh3_64;

use crate::conditions::Conditions;
use crate::exhibit::{Exhibit, Report, csv, html};
use crate::plan::Plan;

/// Where they are: NAME.html and NAME.json in a folder, and the folder NAME beside them for tables and pictures.
pub(super) struct Files {
    folder: PathBuf,
    name: &'static str,
}

impl Files {
    /// Makes the folder, if it is not there.
    pub(super) fn new(folder: &Path, name: &'static str) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), name })
    }

    pub(super) fn page(&self) -> PathBuf {
        self.folder.join(format!("{}.html", self.name))
    }

    /// The journal of a run: another one for anything that changes what is measured, so that no two runs are mixed.
    pub(super) fn journal(&self, plan: &Plan) -> Result<PathBuf> {
        let program = std::env::current_exe().and_then(fs::metadata).and_then(|program| program.modified());
        let program = program.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let maps = plan.maps.state()?;
        // How the report is printed changes nothing.
        let args: Vec<OsString> = std::env::args_os().skip(1).filter(|arg| arg != "--json").collect();
        let run = format!("{} {} {program:?} {maps:?} {args:?}", env!("CARGO_PKG_VERSION"), Machine::here().commit);
        Ok(self.folder.join(format!("{}-unfinished-{:016x}.jsonl", self.name, xxh3_64(run.as_bytes()))))
    }

    /// Writes all of them.
    pub(super) fn write(&self, report: &Report<Conditions>) -> Result<()> {
        let parts = self.folder.join(self.name);
        fs::create_dir_all(&parts).with_context(|| format!("cannot make the folder {}", parts.display()))?;
        for section in &report.sections {
            for exhibit in &section.exhibits {
                write_parts(&parts, section.id, exhibit)?;
            }
        }
        let json = serde_json::to_string_pretty(report)? + "\n";
        files::write(self.folder.join(format!("{}.json", self.name)), json)?;
        let page = html::page(report, &report.conditions.facts())?;
        Ok(files::write(self.page(), page)?)
    }
}

/// The tables and plots of an exhibit as CSV, its pictures as SVG.
fn write_parts(folder: &Path, section: &str, exhibit: &Exhibit) -> Result<()> {
    for (name, bytes) in csv::files(section, exhibit)? {
        files::write(folder.join(format!("{name}.csv")), bytes)?;
    }
    for (picture, nth) in exhibit.pictures.iter().zip(1..) {
        let name = format!("{section}-{}-{nth}.svg", exhibit.id);
        files::write(folder.join(name), &picture.svg)?;
    }
    Ok(())
}
