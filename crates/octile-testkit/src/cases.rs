//! Test cases as data: `testdata/cases/*.txt`.
//!
//! A case has a comment that says what it shows, a map, and queries, each with its answer:
//!
//! ```text
//! # the gap between two walls is closed
//! map:   .@
//!        @.
//! query: 0,0 -> 1,1
//! cost:  none
//! ```
//!
//! `movement:` names the rule (by default `octile`). `cost:` is the exact optimum (`4`, `3√2`, `1+2√2`), `none` if
//! there is no path, or `error: ...` with a part of the message. A blank line ends a case.

use std::fs;
use std::path::Path;

use octile::{Cell, Grid, GridCost, Movement};

/// A map with queries and their answers.
#[derive(Clone, Debug)]
pub struct Case {
    /// File, line and title, for messages.
    pub name: String,
    /// The map, under the case's movement rule.
    pub grid: Grid,
    /// Start, goal and answer of each query.
    pub queries: Vec<(Cell, Cell, Answer)>,
}

/// The answer that a case expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A path exists, and this is its optimal cost.
    Cost(GridCost),
    /// There is no path.
    None,
    /// The query fails with a message that contains this.
    Error(String),
}

/// Reads every case of every `.txt` file in a folder.
///
/// # Panics
/// If a file cannot be read or a case is not well-formed: the cases are part of the tests.
pub fn read_all(folder: &Path) -> Vec<Case> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    files.iter().flat_map(|file| read(file)).collect()
}

fn read(file: &Path) -> Vec<Case> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    lines
        .split(|(_, line)| line.trim().is_empty())
        .filter(|case| case.iter().any(|(_, line)| !line.starts_with('#')))
        .map(|case| parse(file, case))
        .collect()
}

fn parse(file: &Path, lines: &[(usize, &str)]) -> Case {
    let (mut title, mut movement, mut map) = (String::new(), Movement::Octile, String::new());
    let (mut queries, mut pending) = (Vec::new(), None);
    let mut in_map = false;
    for &(number, line) in lines {
        let fail = |what: &str| -> ! { panic!("{}:{number}: {what}: {line}", file.display()) };
        if let Some(text) = line.strip_prefix('#') {
            title.push_str(text.trim());
            continue;
        }
        let (key, value) = match line.split_once(':') {
            Some((key, value)) if !line.starts_with(' ') => (key, value.trim()),
            _ if in_map => ("map", line.trim()),
            _ => fail("expected `key: value`"),
        };
        in_map = key == "map";
        match key {
            "map" => {
                map.push_str(value);
                map.push('\n');
            }
            "movement" => movement = value.parse().unwrap_or_else(|_| fail("unknown movement")),
            "query" => pending = Some(parse_query(value).unwrap_or_else(|| fail("expected `x,y -> x,y`"))),
            "cost" => {
                let (start, goal) = pending.take().unwrap_or_else(|| fail("a cost without a query"));
                queries.push((start, goal, parse_answer(value).unwrap_or_else(|| fail("not a cost"))));
            }
            _ => fail("unknown key"),
        }
    }
    let name = format!("{}:{}: {title}", file.display(), lines[0].0);
    assert!(pending.is_none() && !queries.is_empty(), "{name}: a query without a cost, or no query at all");
    let grid: Grid = map.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    Case { name, grid: grid.with_movement(movement), queries }
}

fn parse_query(text: &str) -> Option<(Cell, Cell)> {
    let (start, goal) = text.split_once("->")?;
    Some((start.trim().parse().ok()?, goal.trim().parse().ok()?))
}

fn parse_answer(text: &str) -> Option<Answer> {
    if text == "none" {
        return Some(Answer::None);
    }
    if let Some(message) = text.strip_prefix("error:") {
        return Some(Answer::Error(message.trim().to_owned()));
    }
    let mut cost = GridCost::ZERO;
    for term in text.split('+') {
        match term.trim().strip_suffix("√2") {
            Some(diagonal) => cost.diagonal += diagonal.parse::<u32>().ok()?,
            None => cost.straight += term.trim().parse::<u32>().ok()?,
        }
    }
    Some(Answer::Cost(cost))
}
