//! Budgets of index builds. They limit steps and bytes rather than time: a map is refused on every machine or on none.

use std::fmt;

use crate::geometry::ParseError;

/// A budget for the build of an index: steps, each about ten nanoseconds of one core, and bytes of memory during the
/// build.
///
/// A build that would exceed the budget is refused as early as possible.
///
/// ```
/// use octile::planner::Budget;
/// use octile::{Build, BuildError, Grid, HubLabels};
/// use octile::formats::generate;
/// let grid = generate::random(200, 200, 20, 1)?;
/// let small = Budget::AT_ONCE.steps(1_000_000);
/// assert!(matches!(HubLabels::default().planner(Build::new(&grid).within(small)), Err(BuildError::TakesLong { .. })));
/// assert!(HubLabels::default().planner(Build::new(&grid)).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// The maximum number of steps.
    pub steps: u64,
    /// The maximum number of bytes.
    pub bytes: u64,
}

impl Budget {
    /// For planners that are tried out alongside others: a second or two.
    pub const BRIEF: Self = Self { steps: 400_000_000, bytes: 1 << 29 };

    /// For planners that are built without an index file: some ten seconds. The default.
    pub const AT_ONCE: Self = Self { steps: 1_200_000_000, bytes: 1 << 31 };

    /// For an index that is built once and kept in a file: minutes.
    pub const BEFOREHAND: Self = Self { steps: 50_000_000_000, bytes: 1 << 33 };

    /// No limit.
    pub const UNLIMITED: Self = Self { steps: u64::MAX, bytes: u64::MAX };

    /// The names of the four budgets, for programs that let users choose: `brief`, `at-once`, `beforehand`,
    /// `unlimited`.
    pub const NAMES: [&'static str; 4] = ["brief", "at-once", "beforehand", "unlimited"];

    /// The budget with this name.
    ///
    /// ```
    /// use octile::planner::Budget;
    /// assert_eq!(Budget::named("beforehand"), Ok(Budget::BEFOREHAND));
    /// assert!(Budget::named("never").unwrap_err().to_string().contains("unlimited"));
    /// ```
    ///
    /// # Errors
    /// If no budget has this name.
    pub fn named(name: &str) -> Result<Self, ParseError> {
        let budgets = [Self::BRIEF, Self::AT_ONCE, Self::BEFOREHAND, Self::UNLIMITED];
        let place = Self::NAMES.iter().position(|known| *known == name);
        place.map(|place| budgets[place]).ok_or_else(|| ParseError::unknown_name(name, "a budget", &Self::NAMES))
    }

    /// The same budget with another number of steps.
    #[must_use]
    pub const fn steps(self, steps: u64) -> Self {
        Self { steps, ..self }
    }

    /// The same budget with another number of bytes.
    #[must_use]
    pub const fn bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// Checks that a build fits the budget.
    ///
    /// ```
    /// use octile::planner::Budget;
    /// let budget = Budget::UNLIMITED.steps(1000).bytes(4096);
    /// assert!(budget.check(1000, 4096).is_ok());
    /// let over = budget.check(1001, 0).unwrap_err();
    /// assert_eq!(over.to_string(), "at least 1001 steps, over the limit of 1000");
    /// ```
    ///
    /// # Errors
    /// Which resource exceeds the budget, and by how much.
    pub fn check(&self, steps: u64, bytes: u64) -> Result<(), OverBudget> {
        if steps > self.steps {
            return Err(OverBudget { what: Resource::Steps, takes: steps, most: self.steps });
        }
        if bytes > self.bytes {
            return Err(OverBudget { what: Resource::Bytes, takes: bytes, most: self.bytes });
        }
        Ok(())
    }
}

impl Default for Budget {
    /// [`Budget::AT_ONCE`].
    fn default() -> Self {
        Self::AT_ONCE
    }
}

/// A resource that a build uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resource {
    /// Steps, each about ten nanoseconds of one core.
    Steps,
    /// Bytes of memory.
    Bytes,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Steps => "steps",
            Self::Bytes => "bytes",
        })
    }
}

/// The error for a build that exceeds its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at least {takes} {what}, over the limit of {most}")]
pub struct OverBudget {
    /// The resource that exceeds the budget.
    pub what: Resource,
    /// The amount that the build needs at least, as far as it was counted or can be predicted.
    pub takes: u64,
    /// The amount that the budget allows.
    pub most: u64,
}
