//! [`Unknown`]: how to treat cells of unknown state.

use crate::geometry::names;

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

names! { Unknown, "a rule for unknown cells" { Blocked = "blocked", Free = "free" } }
