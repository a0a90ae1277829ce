//! Tells the command what it was made with, for reports: the compiler, and the commit of the source if it is known.
//! With the feature `playground`, collects the page of `octile play`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    set("OCTILE_COMPILER", output(&rustc, &["--version"]).as_deref());
    set("OCTILE_COMMIT", output("git", &["rev-parse", "--short=12", "HEAD"]).as_deref());
    // Commits and switches of branches are appended there.
    let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists());
    if let Some(log) = log {
        println!("cargo::rerun-if-changed={log}");
    }
    if env::var_os("CARGO_FEATURE_PLAYGROUND").is_some()
        && let Err(fault) = embed_page()
    {
        println!("cargo::error={fault}"); // ends the build
    }
}

fn set(variable: &str, value: Option<&str>) {
    println!("cargo::rustc-env={variable}={}", value.unwrap_or("unknown"));
}

/// The first line that a program prints, if it can be run and has nothing to complain about.
fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()?.lines().next().map(str::to_owned)
}

/// Writes the list of the page's files for `page.rs`: their paths from the page, and their contents. `tools/playground
/// build` copies the same.
fn embed_page() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut list = "&[\n".to_owned();
    for (name, below, part, help) in [
        ("playground", "", "index.html", "the feature `playground` needs the repository around this crate"),
        (
            "bindings/js/dist",
            "octile/",
            "octile.js",
            "`tools/js-build` in the repository makes it; the feature `playground` needs it",
        ),
    ] {
        let folder = root.join(name);
        if !folder.join(part).is_file() {
            // It is looked for again at the next build.
            println!("cargo::rerun-if-changed={}", folder.join(part).display());
            return Err(format!("{name}/{part} is missing: {help}"));
        }
        let mut files = Vec::new();
        collect(&folder, below, &mut files).map_err(|error| format!("cannot read {name}: {error}"))?;
        files.sort();
        for (path, file) in files {
            // A file that is new is of use only if one of these changes and names it. Cargo would look through all of a
            // folder, whatever else is in it.
            println!("cargo::rerun-if-changed={}", file.display());
            let file = file.canonicalize().map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            let _ = writeln!(list, "    ({path:?}, include_bytes!({:?})),", file.to_string_lossy());
        }
    }
    let list_file = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("playground.rs");
    fs::write(&list_file, list + "]\n").map_err(|error| format!("cannot write {}: {error}", list_file.display()))
}

/// The package that may lie there too, and its entries for other programs than browsers.
const NOT_OF_THE_PAGE: [&str; 3] = ["octile", "octile/compat.js", "octile/node.js"];

/// All files of a folder, but for those that are not served, with their paths from the page.
fn collect(folder: &Path, below: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let inside = format!("{below}{name}");
        if !is_served(&name) || NOT_OF_THE_PAGE.contains(&inside.as_str()) {
            continue;
        }
        if path.is_dir() {
            collect(&path, &format!("{inside}/"), files)?;
        } else {
            files.push((inside, path));
        }
    }
    Ok(())
}

/// Whether a name is of the page, not of those who work on it.
fn is_served(name: &str) -> bool {
    let ends = |ending: &str| Path::new(name).extension().is_some_and(|extension| extension == ending);
    let is_of_npm = name == "node_modules" || name.starts_with("package") && ends("json");
    !(name.starts_with('.') || name == "tests" || is_of_npm || ends("md") || ends("ts"))
}
