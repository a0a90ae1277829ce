//! The size of a block.

use std::fmt;
use std::str::FromStr;

use super::lddb::MAX_SIZE;
use crate::geometry::ParseError;
use crate::planner::{KeyValue, Takes};

/// The size of a block in cells: `4` is 4 columns and 4 rows, `5x3` is 5 columns and 3 rows. Each is from 2 to 8.
///
/// ```
/// use octile::algo::block_astar::BlockSize;
/// let size: BlockSize = "5x3".parse()?;
/// assert_eq!(Some(size), BlockSize::new(5, 3));
/// assert_eq!(BlockSize::square(4).unwrap().to_string(), "4");
/// assert_eq!(BlockSize::default(), BlockSize::square(8).unwrap());
/// assert!(BlockSize::new(1, 4).is_none() && "9".parse::<BlockSize>().is_err());
/// # Ok::<(), octile::geometry::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockSize {
    width: u8,
    height: u8,
}

/// The least number of columns and rows.
const LEAST: usize = 2;

impl BlockSize {
    /// A size in columns and rows, each from 2 to 8.
    #[must_use]
    pub const fn new(width: usize, height: usize) -> Option<Self> {
        if width < LEAST || width > MAX_SIZE || height < LEAST || height > MAX_SIZE {
            return None;
        }
        Some(Self { width: width as u8, height: height as u8 })
    }

    /// A size with as many columns as rows, from 2 to 8.
    #[must_use]
    pub const fn square(side: usize) -> Option<Self> {
        Self::new(side, side)
    }

    /// The number of columns.
    #[inline]
    #[must_use]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// The number of cells.
    #[inline]
    pub(super) const fn area(self) -> usize {
        self.width() * self.height()
    }

    /// The pattern with all cells blocked.
    #[inline]
    pub(super) const fn whole(self) -> u64 {
        u64::MAX >> (64 - self.area())
    }

    /// The number of columns and rows of points, which are cells, or corners with one more (`extra`) each.
    #[inline(always)]
    pub(super) const fn points(self, extra: usize) -> (usize, usize) {
        (self.width() + extra, self.height() + extra)
    }

    /// The side of a square; `None` for other rectangles.
    pub(super) const fn side(self) -> Option<usize> {
        if self.width == self.height { Some(self.width()) } else { None }
    }

    /// Whether the database has all patterns of this size.
    pub(super) const fn is_complete(self) -> bool {
        matches!(self.side(), Some(2..=4))
    }
}

/// Eight by eight cells: a pattern is one machine word, and on almost all maps nothing is faster.
impl Default for BlockSize {
    fn default() -> Self {
        Self { width: MAX_SIZE as u8, height: MAX_SIZE as u8 }
    }
}

impl fmt::Display for BlockSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height } = self;
        if width == height { write!(f, "{width}") } else { write!(f, "{width}x{height}") }
    }
}

const WORDS: [&str; 8] = ["2", "3", "4", "5", "6", "7", "8", "auto"];

impl FromStr for BlockSize {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "auto" {
            return Ok(Self::default());
        }
        // One digit each: no sign, no leading zero.
        let side = |text: &str| match text.as_bytes() {
            [digit] => char::from(*digit).to_digit(10).map(|digit| digit as usize),
            _ => None,
        };
        let (width, height) = text.split_once('x').unwrap_or((text, text));
        let size = side(width).zip(side(height)).and_then(|(width, height)| Self::new(width, height));
        size.ok_or_else(|| ParseError::new(text, "the size of a block", format!("expected {}", Self::TAKES)))
    }
}

impl KeyValue for BlockSize {
    const TAKES: Takes = Takes::Other { words: &WORDS, or: "columns x rows such as 5x3" };

    fn parse(text: &str, _: Takes) -> Option<Self> {
        text.parse().ok()
    }

    fn text(&self, _: Takes) -> Option<String> {
        Some(self.to_string())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for BlockSize {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for BlockSize {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
