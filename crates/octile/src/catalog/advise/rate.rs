//! Edit rates: how often a map changes, and by how much.

use crate::geometry::ParseError;
use std::fmt;
use std::str::FromStr;

use crate::planner::{KeyValue, Takes};

/// An edit rate: how often a map changes, and by how much. `0.01%/2000` changes a ten-thousandth of the cells before
/// every 2,000 queries.
///
/// ```
/// use octile::catalog::advise::Rate;
/// let rate: Rate = "0.1%/20".parse()?;
/// assert_eq!((rate.per_million, rate.queries), (1000, 20));
/// assert_eq!("0.1%".parse::<Rate>()?.to_string(), "0.1%/100");
/// assert!("ten".parse::<Rate>().is_err());
/// # Ok::<(), octile::geometry::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rate {
    /// How many of a million cells an edit changes; it changes at least one cell.
    pub per_million: u32,
    /// The number of queries between two edits.
    pub queries: u32,
}

impl Default for Rate {
    /// 0.01 % of the cells before every 100 queries.
    fn default() -> Self {
        Self { per_million: 100, queries: 100 }
    }
}

impl Rate {
    /// The number of cells that an edit changes on a map with `all` cells.
    pub(super) fn cells(self, all: u32) -> u32 {
        (u64::from(all) * u64::from(self.per_million) / 1_000_000).max(1) as u32
    }

    /// The share of the cells as a percentage.
    pub(super) fn share(self) -> String {
        format!("{}%", f64::from(self.per_million) / 10_000.0)
    }
}

/// The form of a rate, for error messages: "expected ...".
const EXPECTED: &str = "a share of the cells from 0.0001% to 100% and the queries between changes, such as 0.01%/2000";

impl FromStr for Rate {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| ParseError::new(text, "a rate of changes", format!("expected {EXPECTED}")))
    }
}

fn parse(text: &str) -> Option<Rate> {
    let (share, queries) = match text.split_once('/') {
        Some((share, queries)) => (share, queries.parse().ok().filter(|&queries| queries > 0)?),
        None => (text, Rate::default().queries),
    };
    let per_million = share.strip_suffix('%')?.parse::<f64>().ok()? * 10_000.0;
    (0.5..=1_000_000.0).contains(&per_million).then(|| Rate { per_million: per_million.round() as u32, queries })
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.share(), self.queries)
    }
}

/// Whether a map changes, as a value for the planner [`auto`](crate::Auto).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Changes(pub Option<Rate>);

impl From<bool> for Changes {
    /// `true` means the default rate, `false` no changes.
    fn from(changes: bool) -> Self {
        Self(changes.then(Rate::default))
    }
}

impl From<Rate> for Changes {
    fn from(rate: Rate) -> Self {
        Self(Some(rate))
    }
}

impl KeyValue for Changes {
    const TAKES: Takes = Takes::Other {
        words: &["yes", "no"],
        or: "a share of the cells and the queries between changes, such as 0.01%/2000",
    };

    fn parse(text: &str, _: Takes) -> Option<Self> {
        match text {
            "no" => Some(Self(None)),
            "yes" => Some(true.into()),
            rate => rate.parse().ok().map(|rate| Self(Some(rate))),
        }
    }

    fn text(&self, _: Takes) -> Option<String> {
        Some(match self.0 {
            None => "no".to_owned(),
            Some(rate) if rate == Rate::default() => "yes".to_owned(),
            Some(rate) => rate.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_written_as_they_are_read() {
        for (text, per_million, queries) in
            [("0.0001%/1", 1, 1), ("0.01%/2000", 100, 2000), ("10%/20", 100_000, 20), ("100%/7", 1_000_000, 7)]
        {
            let rate: Rate = text.parse().unwrap();
            assert_eq!((rate, rate.to_string()), (Rate { per_million, queries }, text.to_owned()));
        }
        assert_eq!(Rate { per_million: 100, queries: 1 }.cells(512 * 512), 26);
        assert_eq!(Rate { per_million: 1, queries: 1 }.cells(9), 1);
    }

    #[test]
    fn what_is_no_rate_is_named() {
        for text in
            ["", "%", "0%", "101%", "-1%", "nan%", "inf%", "1", "1/20", "1%/0", "1%/", "1%/-3", "1%/2/3", "1e9%"]
        {
            let error = text.parse::<Rate>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is not a rate of changes: expected a share")), "{error}");
        }
    }
}
