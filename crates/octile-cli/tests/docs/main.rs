//! Tests of the documents: commands work as printed, pictures match their captions, examples run.
//!
//! With `OCTILE_BLESS=1` in the environment, stale pictures are rewritten instead of reported.

mod commands;
mod examples;
mod pictures;
mod trust;

use std::fs;
use std::path::{Path, PathBuf};

use octile_testkit::process::Place;

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages, by name.
fn pages() -> Vec<(String, String)> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.chain([root().join("README.md")]).filter(|path| path.extension().is_some_and(|end| end == "md"));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    pages.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// An empty directory for the command.
fn place() -> Place {
    Place::new(env!("CARGO_BIN_EXE_octile"))
}

/// Asserts that a picture of `docs` is fresh, or rewrites it.
#[track_caller]
fn assert_shows(name: &str, picture: &[u8]) {
    let file = root().join("docs").join(name);
    if std::env::var_os("OCTILE_BLESS").is_some() {
        fs::write(&file, picture).unwrap();
    }
    let is_fresh = fs::read(&file).is_ok_and(|bytes| bytes == picture);
    assert!(is_fresh, "docs/{name} is stale: OCTILE_BLESS=1 cargo test -p octile-cli --test docs rewrites it");
}
