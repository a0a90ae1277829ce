//! Tests that every promise in docs/trust.md names a test, and that all of these exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The sources under a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() && !entry.ends_with("target") {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// The tests of all crates: file name and test name.
fn tests() -> BTreeSet<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut files, mut found) = (Vec::new(), BTreeSet::new());
    sources(&root.join("crates"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let mut lines = text.lines().map(str::trim);
        while let Some(line) = lines.next() {
            if line == "#[test]" {
                let function = lines.by_ref().find_map(|line| line.strip_prefix("fn ")).unwrap_or_default();
                found.insert((name.clone(), function.split('(').next().unwrap_or_default().to_owned()));
            }
        }
    }
    found
}

#[test]
fn every_test_that_the_page_names_exists() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/trust.md")).unwrap();
    let (known, mut named, mut file) = (tests(), 0, String::new());
    for code in page.split('`').skip(1).step_by(2) {
        let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
        let test = match code.split_once(": ") {
            Some((of, test)) if Path::new(of).extension().is_some_and(|extension| extension == "rs") => {
                of.clone_into(&mut file);
                test
            }
            // A name without a file belongs to the last file named.
            _ if known.contains(&(file.clone(), code.clone())) => &code,
            _ => continue,
        };
        assert!(known.contains(&(file.clone(), test.to_owned())), "docs/trust.md: there is no test {test} in {file}");
        named += 1;
    }
    assert!(named > 25, "{named}");
}

/// Every list item before "Not promised" names a test, or the place of tests in other languages.
#[test]
fn every_promise_names_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/trust.md")).unwrap();
    let is_there = |code: &str| code.starts_with("bindings/") && root.join(code).exists();
    let (promises, _) = page.split_once("## Not promised").expect("a section of what is not promised");
    for promise in promises.split("\n- ").skip(1) {
        let promise = promise.split("\n\n").next().unwrap();
        let elsewhere = promise.split('`').skip(1).step_by(2).any(is_there);
        assert!(promise.contains(".rs: ") || elsewhere, "no test for: {promise}");
    }
}
