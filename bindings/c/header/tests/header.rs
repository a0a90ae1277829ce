//! `include/octile.h` is what the source says.
//!
//! A crate of its own: what makes headers would have the library compiled once more, with other features of the crates
//! that both use.

use std::path::Path;

/// The source in the order in which the header has it.
const SOURCES: [&str; 12] =
    ["version", "border", "flag", "grid", "edits", "path", "index", "engine", "ask", "routes", "field", "catalog"];

/// The folder of the C interface.
fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn header() -> String {
    let folder = folder();
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES {
        builder = builder.with_src(folder.join(format!("src/{source}.rs")));
    }
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    folded(&String::from_utf8(text).unwrap())
}

/// A header with paragraphs of comments in lines of equal length: the source has longer ones.
fn folded(header: &str) -> String {
    const WIDTH: usize = 120;
    let mut lines: Vec<String> = Vec::new();
    let mut is_paragraph = false;
    for line in header.lines() {
        let begin = line.len() - line.trim_start().len();
        let Some(text) = line[begin..].strip_prefix("* ") else {
            is_paragraph = false;
            lines.push(line.to_owned());
            continue;
        };
        let begin = format!("{}*", &line[..begin]);
        if !is_paragraph {
            lines.push(begin.clone());
        }
        is_paragraph = true;
        for word in text.split_whitespace() {
            if lines[lines.len() - 1].chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(begin.clone());
            }
            lines.last_mut().unwrap().extend([" ", word]);
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

#[test]
fn the_header_is_what_the_source_says() {
    let file = folder().join("include/octile.h");
    let made = header();
    if std::env::var_os("OCTILE_BLESS").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == made, "octile.h is stale: OCTILE_BLESS=1 cargo test -p octile-c-header");
}

#[test]
fn the_header_has_every_function() {
    let made = header();
    let sources = std::fs::read_dir(folder().join("src")).unwrap();
    let sources: String = sources.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    let functions = sources.split("extern \"C\" fn ").skip(1).filter_map(|rest| rest.split('(').next());
    let functions: Vec<&str> = functions.filter(|name| name.starts_with("octile_")).collect();
    assert!(functions.len() > 90);
    for name in functions {
        assert!(made.contains(&format!("{name}(")), "{name} is not in the header");
    }
}
