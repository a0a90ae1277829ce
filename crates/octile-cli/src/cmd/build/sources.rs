//! A range of sources as written on the command line: `A..B`, `A..` or `..B`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use anyhow::{Result, ensure};

/// Some of the sources of a database; a missing bound means the first source, or the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sources {
    start: Option<u32>,
    end: Option<u32>,
}

impl Sources {
    /// The range for a database with `count` sources.
    pub(super) fn of(self, count: u32) -> Result<Range<u32>> {
        let (start, end) = (self.start.unwrap_or(0), self.end.unwrap_or(count));
        let outside = end > count || (self.start.is_some() && start >= count);
        ensure!(
            !outside,
            "--sources {self} is out of range: there are {count} sources, one for each free cell, so at most 0..{count}"
        );
        Ok(start..end)
    }
}

impl FromStr for Sources {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || "expected A..B, A.. or ..B with whole numbers from 0, such as 0..1000".to_owned();
        let bound = |text: &str| if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(|_| form()) };
        let (start, end) = text.split_once("..").ok_or_else(form)?;
        let sources = Self { start: bound(start)?, end: bound(end)? };
        match (sources.start.unwrap_or(0), sources.end) {
            (start, Some(end)) if start == end => Err(format!("it is empty: the end, {end}, is not included")),
            (start, Some(end)) if start > end => Err(format!("it goes backwards: write {end}..{start}")),
            _ => Ok(sources),
        }
    }
}

impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |bound: Option<u32>| bound.map_or_else(String::new, |bound| bound.to_string());
        write!(f, "{}..{}", text(self.start), text(self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed_and_checked() {
        let of = |text: &str, count| text.parse::<Sources>().unwrap().of(count).map_err(|error| error.to_string());
        assert_eq!(of("2..5", 9), Ok(2..5));
        assert_eq!(of("2..", 9), Ok(2..9));
        assert_eq!(of("..5", 9), Ok(0..5));
        assert_eq!(of("..", 9), Ok(0..9));
        assert_eq!(of("..", 0), Ok(0..0));
        for (text, outside) in [("2..10", true), ("9..", true), ("8..", false), ("..9", false)] {
            assert_eq!(of(text, 9).is_err_and(|error| error.contains("there are 9 sources")), outside, "{text}");
        }
        for (text, part) in [
            ("5..5", "empty"),
            ("..0", "empty"),
            ("5..2", "write 2..5"),
            ("5", "expected A..B"),
            ("-1..5", "expected A..B"),
            ("1..x", "expected A..B"),
            ("1...5", "expected A..B"),
            ("0..=5", "expected A..B"),
            ("0..4294967296", "expected A..B"),
        ] {
            assert!(text.parse::<Sources>().unwrap_err().contains(part), "{text}");
        }
    }
}
