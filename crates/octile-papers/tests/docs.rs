//! The documents are as `octile-papers docs` makes them, and lead somewhere.
//!
//! With `OCTILE_BLESS=1` in the environment what is stale is made anew instead of refused.

use std::fs;
use std::path::{Path, PathBuf};

use octile_testkit::process::Place;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn place() -> Place {
    Place::new(env!("CARGO_BIN_EXE_octile-papers"))
}

#[test]
fn numbers_and_programs_are_those_of_the_records_and_examples() {
    let check = if std::env::var_os("OCTILE_BLESS").is_some() { "" } else { "--check" };
    place().octile(&format!("docs {check} --root {}", root().display())).exits(0);
}

#[test]
fn what_is_stale_is_named_and_made_anew() {
    let place = place();
    fs::create_dir_all(place.path("docs/records")).unwrap();
    fs::copy(root().join("docs/records/dao.json"), place.path("docs/records/dao.json")).unwrap();
    place.write("a.rs", "fn main() {\n    // doc: sum\n    let sum = 1 + 1;\n    // doc: end\n}\n");
    place.write("README.md", "<!-- program: a.rs sum -->\n<!-- end -->\n\n<!-- record: numbers -->\n<!-- end -->\n");
    place
        .octile("docs --check")
        .exits(1)
        .says("README.md: `program: a.rs sum` is stale")
        .says("docs/speed.svg is stale");
    place.octile("docs").exits(0);
    place.octile("docs --check").exits(0).silent();
    let readme = place.read("README.md");
    assert!(
        readme.starts_with("<!-- program: a.rs sum -->\n\n```rust,ignore\nlet sum = 1 + 1;\n```\n\n<!-- end -->\n"),
        "{readme}"
    );
    assert!(readme.contains("`corner-sweep`"), "{readme}");
    assert!(place.read("docs/speed.svg").contains("hub-labels"));

    place.write("README.md", "<!-- record: nothing -->\n<!-- end -->\n");
    place.octile("docs --check").exits(2).says("README.md: `record: nothing`");
}

/// A record of a study, of one number that is reproduced and one that differs.
const STUDY: &str = r#"{"conditions": {"command": "octile-papers rea-star --full", "machine": "two cores", "date": "2026-01-02T00:00:00Z"}, "sections": [{
    "id": "rea-star", "title": "REA*", "work": [{"name": "race/DAO", "every": 7, "maps": 3, "problems": 900, "minutes": 1.5}],
    "exhibits": [{"id": "nowhere", "label": "Table 5", "title": "Results"}, {"id": "figure-5", "label": "Figure 5", "title": "A search"}],
    "improvements": [{"row": "DAO", "what": "time of a query", "paper": {"by": "a", "number": 9.0}, "ours": {"by": "b", "number": 2.0}, "decimals": 1, "unit": " us"}],
    "findings": [
        {"exhibit": "nowhere", "row": "NOWHERE", "what": "opened", "by": "a", "paper": {"count": 100.0}, "ours": 101.0, "verdict": "differs"},
        {"exhibit": "nowhere", "row": "NOWHERE", "what": "longest", "by": "a", "paper": {"count": 100.0}, "ours": 120.0, "verdict": "reproduced"}
    ]}]}"#;

#[test]
fn the_page_of_papers_is_made_from_records_by_todays_rule() {
    let place = place();
    fs::create_dir_all(place.path("docs/records/papers")).unwrap();
    fs::copy(root().join("docs/records/dao.json"), place.path("docs/records/dao.json")).unwrap();
    place.write("README.md", "");
    let marks = ["summary", "rule", "rea-star", "cpd"].map(|part| format!("<!-- paper: {part} -->\n<!-- end -->\n"));
    place.write("PAPERS.md", marks.concat());
    place.octile("docs --check").exits(1).says("PAPERS.md: `paper: rea-star` is stale");
    place.octile("docs").exits(0);
    assert_eq!(place.read("PAPERS.md").matches("are not recorded yet").count(), 2);
    place.write("docs/records/papers/rea-star.json", STUDY);
    place.octile("docs --check").exits(1).says("PAPERS.md: `paper: rea-star` is stale");
    place.octile("docs").exits(0);
    place.octile("docs --check").exits(0).silent();
    let page = place.read("PAPERS.md");
    for line in [
        "| [REA*](#rea) | 1 | 2 | 1 | 1 | ",
        "| Table 5 | Results | differs: 1 of 2 reproduced |",
        "| Figure 5 | A search | works |",
        "| Table 5 | NOWHERE, longest: 120 here, 100 in the paper | 1.20 | not known |",
        "| DAO, time of a query | 9.0 us (`a`) | 2.0 us (`b`) | 4.50 |",
        "race/DAO, 3 maps: every 7th problem of 900",
        "Machine: two cores",
    ] {
        assert!(page.contains(line), "{line} is not in {page}");
    }
    place.write("PAPERS.md", "<!-- paper: quake -->\n<!-- end -->\n");
    place.octile("docs --check").exits(2).says("there is no study `quake`");
}

#[test]
fn races_are_recorded_and_pages_made_from_them() {
    let place = place();
    place.octile("record maps").exits(2).says("there is no folder maps/dao");
    place.octile("record maps --only tables").exits(2).says("there is no record `tables`; there are dao, ");
    fs::create_dir_all(place.path("maps/dao")).unwrap();
    place.write("maps/dao/a.map", "type octile\nheight 3\nwidth 3\nmap\n...\n.@.\n...\n");
    place.write("maps/dao/a.map.scen", "version 1\n0\ta.map\t3\t3\t0\t0\t2\t2\t4\n");
    place.octile("record maps --only any-angle").exits(2).says("--root is the folder of the project");
    fs::create_dir_all(place.path("docs/records")).unwrap();
    fs::copy(root().join("docs/records/dao.json"), place.path("docs/records/dao.json")).unwrap();
    place.write("README.md", "<!-- record: any-angle -->\n<!-- end -->\n");
    place.octile("record maps --only any-angle").exits(0);
    assert!(place.read("docs/records/any-angle.json").contains("compare dao --planner taut-labels"));
    assert!(place.read("README.md").contains("| `theta-star` |"), "{}", place.read("README.md"));
}

#[test]
fn links_lead_somewhere() {
    let pages = ["README.md", "PAPERS.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from);
    let folders = ["docs", "docs/formats", "docs/records", "examples/own_planner"];
    let names = |folder: &str| fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
    let more = folders.iter().flat_map(|folder| names(folder).map(move |name| Path::new(folder).join(name)));
    for page in pages.into_iter().chain(more).filter(|page| page.extension().is_some_and(|end| end == "md")) {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains(char::is_whitespace) {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { root().join(&page) } else { root().join(&page).parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            if !anchor.is_empty() {
                let text = fs::read_to_string(&target).unwrap();
                let headings = text.lines().filter(|line| line.starts_with('#')).map(anchor_of);
                assert!(
                    headings.into_iter().any(|heading| heading == anchor),
                    "{}: {link}: no such heading",
                    page.display()
                );
            }
        }
    }
}

/// The name by which a heading is linked to.
fn anchor_of(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-' || *c == '_');
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
