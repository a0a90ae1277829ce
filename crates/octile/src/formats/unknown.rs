//! [`Unknown`]: how to treat cells of unknown state.

use crate::geometry::ParseError;
use std::fmt;
use std::str::FromStr;

/// How to treat the cells of a map whose state is unknown. Only ROS maps have such cells; for other formats this has no
/// effect.
///
/// ```
/// use octile::formats::Unknown;
/// assert_eq!(("free".parse(), Unknown::default()), (Ok(Unknown::Free), Unknown::Blocked));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Unknown {
    /// They are blocked: no path enters unexplored cells.
    #[default]
    Blocked,
    /// They are free: paths may enter them, and must be checked on the way.
    Free,
}

impl Unknown {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::Blocked, Self::Free];

    /// The name used in commands and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Free => "free",
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Unknown {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|unknown| unknown.name() == text);
        found.ok_or_else(|| ParseError::unknown_name(text, "a rule for unknown cells", &Self::ALL.map(Self::name)))
    }
}
