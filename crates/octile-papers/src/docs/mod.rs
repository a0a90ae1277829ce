//! `octile-papers docs`: the numbers, the chart and the programs in README.md and docs/, made from recorded runs and
//! from the examples.
//!
//! A part of a page that is made stands between two comments, and says in the first what it is:
//!
//! ```text
//! <!-- record: speed -->
//! ...
//! <!-- end -->
//! ```
//!
//! `record: WHAT` is made from `docs/records/*.json`, the output of `compare --json`, and of `changes`. `program: FILE
//! REGION` is what stands in a source file from the line `// doc: REGION` to the line `// doc: end`, so that a page
//! shows only code that the tests compile and run. `paper: WHAT` is made from `docs/records/papers/*.json`. `catalog: keys` is a table of the keys of all planners.

pub(crate) mod changes;
mod papers;
pub(crate) mod record;
mod records;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use octile::catalog::COMMON_KEYS;
use octile::planner::Key;
use octile::{Catalog, files};
use octile_cli::harness::{Outcome, output};

use self::records::{CHART, Records};

/// Remake the numbers, the chart and the programs in the documentation
///
/// Rewrites the marked parts of README.md and docs/*.md, and docs/speed.svg, from the runs in docs/records and from the
/// examples.
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
        files::write(args.root.join(&file.name), &file.text)?;
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
    let (records, papers) = (Records::read(root)?, papers::read(root)?);
    let mut pages = vec!["README.md".to_owned()];
    pages.extend(root.join(PAPERS).is_file().then(|| PAPERS.to_owned()));
    pages.extend(names(&root.join("docs"), "md")?.into_iter().map(|name| format!("docs/{name}")));
    let page = |name: String| {
        let text = fs::read_to_string(root.join(&name)).with_context(|| format!("cannot read {name}"))?;
        remade(name, &text, |part| made_part(part, (&records, &papers), root))
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

/// The page of the papers.
const PAPERS: &str = "PAPERS.md";

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
    let marks = ["record", "paper", "program", "catalog"].map(|mark| format!("<!-- {mark}: "));
    let start = marks.iter().filter_map(|mark| text.find(mark.as_str())).min()?;
    let length = text[start..].find(" -->")?;
    let end = start + length + " -->".len();
    Some((&text[start + "<!-- ".len()..start + length], end, &text[end..]))
}

/// A part of a page.
fn made_part(part: &str, (records, papers): (&Records, &[papers::Record]), root: &Path) -> Result<String> {
    match part.split_once(": ") {
        Some(("program", place)) => program(root, place),
        Some(("record", name)) => records.part(name),
        Some(("paper", name)) => papers::part(name, papers),
        Some(("catalog", "keys")) => Ok(keys(&Catalog::standard())),
        _ => bail!("expected `record`, `paper`, `program` or `catalog: keys`"),
    }
}

/// A table of the keys of all planners. A key that several planners share has one line.
fn keys(catalog: &Catalog) -> String {
    let mut lines: Vec<(Key, Vec<&str>)> = Vec::new();
    for (entry, key) in catalog.planners().iter().flat_map(|entry| entry.keys().iter().map(move |key| (entry, key))) {
        match lines.iter_mut().find(|(known, _)| known == key) {
            Some((_, planners)) => planners.push(entry.name()),
            None => lines.push((*key, vec![entry.name()])),
        }
    }
    let mut table = "| key | of | takes | what it says |\n|---|---|---|---|\n".to_owned();
    for (key, planners) in lines {
        let _ = writeln!(table, "| `{}` | `{}` | {} | {} |", key.name, planners.join("`, `"), key.expected(), key.help);
    }
    for key in &COMMON_KEYS {
        let _ = writeln!(table, "| `{}` | all | {} | {} |", key.name, key.expected(), key.help);
    }
    table
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
    // Compiled where it stands: pages whose other code is tested have no place for parts of a program.
    Ok(format!("```rust,ignore\n{}\n```", code.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

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
