//! Memory sizes as people write them.

use crate::geometry::ParseError;
use std::fmt;
use std::str::FromStr;

use super::keys::{KeyValue, Takes};

/// A number of bytes, written with or without a unit: `4096`, `512kB`, `1.5GB`, `1GiB`.
///
/// ```
/// use octile::catalog::advise::Size;
/// assert_eq!("100MB".parse(), Ok(Size(100_000_000)));
/// assert_eq!("1.5 KiB".parse(), Ok(Size(1536)));
/// assert_eq!(Size(4_100_000).to_string(), "4.1 MB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Size(pub u64);

/// The form of a size, for error messages: "expected ...".
pub(super) const EXPECTED: &str = "a number of bytes such as 4096, 512kB, 100MB or 1GiB";

/// The units, with the number of bytes of each.
const UNITS: [(&str, u64); 8] = [
    ("", 1),
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
];

impl KeyValue for Size {
    const TAKES: Takes = Takes::Size;

    fn parse(text: &str, _: Takes) -> Option<Self> {
        text.parse().ok()
    }

    /// In bytes, because `Display` rounds.
    fn text(&self, _: Takes) -> Option<String> {
        Some(self.0.to_string())
    }
}

impl FromStr for Size {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).map(Self).ok_or_else(|| ParseError::new(text, "a size", format!("expected {EXPECTED}")))
    }
}

fn parse(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim_start().to_ascii_lowercase();
    let (_, bytes) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(bytes);
    }
    let size = number.parse::<f64>().ok()? * bytes as f64;
    // Less than a byte is not a size, and above this limit `f64` cannot distinguish neighbouring numbers.
    (bytes > 1 && size < 9e15).then_some(size as u64)
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        match self.0 {
            0..1_000 => write!(f, "{} B", self.0),
            1_000..1_000_000 => write!(f, "{:.1} kB", bytes / 1e3),
            1_000_000..1_000_000_000 => write!(f, "{:.1} MB", bytes / 1e6),
            _ => write!(f, "{:.1} GB", bytes / 1e9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_of_thousands_and_of_powers_of_two() {
        let sizes = ["0", "17", "17B", "2kB", "2KB", "3mb", "4 GB", "2KiB", "2MiB", "1gib", ".5kB", "1.25MB"];
        let bytes = [0, 17, 17, 2000, 2000, 3_000_000, 4_000_000_000, 2048, 2 << 20, 1 << 30, 500, 1_250_000].map(Size);
        assert_eq!(sizes.map(|size| size.parse::<Size>().unwrap()), bytes);
    }

    #[test]
    fn what_is_no_size_is_named() {
        for text in
            ["", "MB", "-1", "1.5", "1.5B", "1..5kB", "1e9", "inf", "100M", "1 2", "99999999999999999999", "9e9GB"]
        {
            let error = text.parse::<Size>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is not a size: expected a number of bytes")), "{error}");
        }
    }
}
