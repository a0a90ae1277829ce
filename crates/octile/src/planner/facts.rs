//! Facts about a planner: what it promises, which maps it takes, and what it can do. The config states them, the
//! planner that it builds stores them, and all other code reads them there.

use std::fmt;

use crate::geometry::{Endpoints, Weight};
use crate::grid::{Movement, Squeeze};

/// What a planner with certain settings promises, which maps it takes, and what it can do.
///
/// ```
/// use octile::planner::Facts;
/// use octile::{Guarantee, Movement, PlannerSpec};
/// use octile::planner::Native;
/// let own = Facts::optimal("mine", &Movement::ALL).native(&[Native::Slices]).takes_terrain(true);
/// assert_eq!((own.guarantee, own.squeeze()), (Guarantee::GridOptimal, None));
/// let jps = "jps".parse::<PlannerSpec>()?.facts();
/// assert!(jps.has(Native::ManyGoals) && !jps.terrain);
/// # Ok::<(), octile::planner::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// The planner's name in the [catalog](crate::Catalog).
    pub name: &'static str,
    /// What it promises about the cost of its paths, on every map that it takes and after edits.
    pub guarantee: Guarantee,
    /// The movement rules that it supports.
    pub movements: &'static [Movement],
    /// What its paths are made of.
    pub geometry: Geometry,
    /// Whether it supports [terrain costs](crate::grid::Convention). If not, it refuses maps that have them.
    pub terrain: bool,
    /// How it takes map edits.
    pub on_edit: OnEdit,
    /// The queries beyond one path that it answers natively. While its index is [stale](OnEdit::GoesStale), these are
    /// the ones of the planner that searches instead.
    pub native: &'static [Native],
    /// The kinds of [index](crate::planner::IndexKind) that it builds or reads from files.
    pub indexes: &'static [&'static str],
    /// Whether paths are changed after they were found, as by [`smoothed`](crate::services::smoothed). The lengths that
    /// a search reports to its [probe](crate::planner::Probe::stops) are then not those of the paths.
    pub reshaped: bool,
}

impl Facts {
    /// The facts of a planner with optimal grid paths. It follows edits, does not support terrain costs, and needs no
    /// index.
    pub const fn optimal(name: &'static str, movements: &'static [Movement]) -> Self {
        let (guarantee, geometry, on_edit) = (Guarantee::GridOptimal, Geometry::Cells, OnEdit::Follows);
        let (native, indexes): (&[Native], &[&str]) = (&[], &[]);
        Self { name, guarantee, movements, geometry, terrain: false, on_edit, native, indexes, reshaped: false }
    }

    /// The facts of a planner with any-angle paths, from the corners of cells.
    ///
    /// ```
    /// use octile::planner::Facts;
    /// use octile::Guarantee;
    /// use octile::geometry::Endpoints;
    /// use octile::grid::Squeeze;
    /// let facts = Facts::any_angle("mine", Guarantee::AnyAngleOptimal, Squeeze::Allowed).ending_at(Endpoints::Centres);
    /// assert_eq!((facts.squeeze(), facts.ends()), (Some(Squeeze::Allowed), Endpoints::Centres));
    /// ```
    #[must_use]
    pub const fn any_angle(name: &'static str, guarantee: Guarantee, squeeze: Squeeze) -> Self {
        let geometry = Geometry::AnyAngle { squeeze, ends: Endpoints::Corners };
        Self { guarantee, geometry, ..Self::optimal(name, &[Movement::Octile]) }
    }

    /// The same facts with another guarantee.
    ///
    /// ```
    /// use octile::planner::Facts;
    /// use octile::{Guarantee, Movement};
    /// assert_eq!(Facts::optimal("mine", &Movement::ALL).promising(Guarantee::Legal).guarantee, Guarantee::Legal);
    /// ```
    #[must_use]
    pub const fn promising(self, guarantee: Guarantee) -> Self {
        Self { guarantee, ..self }
    }

    /// The same facts with other endpoints of any-angle paths; no change if paths go from cell to cell.
    #[must_use]
    pub const fn ending_at(self, ends: Endpoints) -> Self {
        match self.geometry {
            Geometry::Cells => self,
            Geometry::AnyAngle { squeeze, .. } => Self { geometry: Geometry::AnyAngle { squeeze, ends }, ..self },
        }
    }

    /// The same facts, with support for terrain costs or without.
    #[must_use]
    pub const fn takes_terrain(self, terrain: bool) -> Self {
        Self { terrain, ..self }
    }

    /// The same facts with another way to take map edits.
    #[must_use]
    pub const fn on_edit(self, on_edit: OnEdit) -> Self {
        Self { on_edit, ..self }
    }

    /// The same facts with these native queries.
    #[must_use]
    pub const fn native(self, native: &'static [Native]) -> Self {
        Self { native, ..self }
    }

    /// The same facts with these kinds of index.
    #[must_use]
    pub const fn indexes(self, indexes: &'static [&'static str]) -> Self {
        Self { indexes, ..self }
    }

    /// The facts of a planner whose paths are smoothed after they were found; any-angle paths keep their own squeeze
    /// rule.
    ///
    /// ```
    /// use octile::planner::Facts;
    /// use octile::{Guarantee, Movement};
    /// use octile::geometry::Weight;
    /// use octile::grid::Squeeze;
    /// let smoothed = Facts::optimal("mine", &Movement::ALL).smoothed(Squeeze::Forbidden);
    /// assert_eq!((smoothed.guarantee, smoothed.movements), (Guarantee::Smoothed(Weight::ONE), &[Movement::Octile][..]));
    /// ```
    #[must_use]
    pub fn smoothed(self, squeeze: Squeeze) -> Self {
        let geometry = match self.geometry {
            Geometry::Cells => Geometry::AnyAngle { squeeze, ends: Endpoints::Corners },
            any_angle @ Geometry::AnyAngle { .. } => any_angle,
        };
        // Only grid paths that do not cut corners can be moved to corners.
        let movements: &[Movement] = if self.movements.contains(&Movement::Octile) { &[Movement::Octile] } else { &[] };
        Self { guarantee: self.guarantee.smoothed(), geometry, movements, ..self.reshaped() }
    }

    /// The facts of a planner whose any-angle paths are extended to the centres of cells after they were found.
    ///
    /// ```
    /// use octile::planner::Facts;
    /// use octile::Guarantee;
    /// use octile::geometry::Endpoints;
    /// use octile::grid::Squeeze;
    /// let facts = Facts::any_angle("mine", Guarantee::AnyAngleOptimal, Squeeze::Allowed).centred();
    /// assert_eq!((facts.guarantee, facts.ends()), (Guarantee::AnyAngle, Endpoints::Centres));
    /// ```
    #[must_use]
    pub fn centred(self) -> Self {
        Self { guarantee: self.guarantee.centred(), ..self.reshaped() }.ending_at(Endpoints::Centres)
    }

    /// The facts once paths are changed after they were found. Terrain costs are not defined for straight lines in any
    /// direction, and changed paths may be ordered by cost differently than the paths that were found.
    fn reshaped(self) -> Self {
        let native: &[Native] = if self.has(Native::Slices) { &[Native::Slices] } else { &[] };
        Self { terrain: false, native, reshaped: true, ..self }
    }

    /// Whether the planner answers this query natively.
    pub fn has(&self, native: Native) -> bool {
        self.native.contains(&native)
    }

    /// Whether the planner's paths are any-angle paths.
    pub const fn is_any_angle(&self) -> bool {
        matches!(self.geometry, Geometry::AnyAngle { .. })
    }

    /// The squeeze rule of its any-angle paths; `None` if its paths are grid paths.
    pub const fn squeeze(&self) -> Option<Squeeze> {
        match self.geometry {
            Geometry::Cells => None,
            Geometry::AnyAngle { squeeze, .. } => Some(squeeze),
        }
    }

    /// Which points its any-angle paths begin and end at; corners if its paths are grid paths.
    pub const fn ends(&self) -> Endpoints {
        match self.geometry {
            Geometry::Cells => Endpoints::Corners,
            Geometry::AnyAngle { ends, .. } => ends,
        }
    }
}

/// What a path consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Geometry {
    /// Moves from cell to cell, under the map's movement rule.
    Cells,
    /// Straight lines in any direction.
    AnyAngle {
        /// Whether the lines may pass between obstacles that touch at a corner.
        squeeze: Squeeze,
        /// Which points of the query's cells the path begins and ends at.
        ends: Endpoints,
    },
}

/// What a planner promises about the cost of its paths. All planners are complete: they find a path if one exists.
///
/// Any-angle paths that begin and end at [centres](Endpoints::Centres) and are not
/// [optimal](Guarantee::AnyAngleOptimal) are made from paths between corners. They may exceed the bounds below by `√2`,
/// twice the distance from a centre to a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Guarantee {
    /// The cheapest grid path, in exact arithmetic.
    GridOptimal,
    /// At most this many times the cost of the cheapest grid path, in exact arithmetic.
    Bounded(Weight),
    /// An any-angle path, never longer than the cheapest path along corners with moves to the eight nearest corners;
    /// that in turn is never longer than the cheapest grid path. (The length is an `f64`, correct to a part in 10^9.)
    AnyAngle,
    /// The shortest any-angle path with the planner's [endpoints](Endpoints) and its [squeeze rule](Squeeze). (The
    /// length is an `f64`, correct to a part in 10^9.)
    AnyAngleOptimal,
    /// An any-angle path made by pulling a grid path straight ([`Path::smooth`](crate::Path::smooth)): at most this many
    /// times the cost of the cheapest grid path, correct to a part in 10^9.
    Smoothed(Weight),
    /// A legal path wherever a grid path exists, with no promise about its cost.
    Legal,
}

impl Guarantee {
    /// What this guarantee becomes once paths are smoothed.
    ///
    /// ```
    /// use octile::Guarantee;
    /// use octile::geometry::Weight;
    /// assert_eq!(Guarantee::GridOptimal.smoothed(), Guarantee::Smoothed(Weight::ONE));
    /// assert_eq!(Guarantee::AnyAngle.smoothed(), Guarantee::AnyAngle);
    /// ```
    #[must_use]
    pub fn smoothed(self) -> Self {
        match self {
            Self::GridOptimal => Self::Smoothed(Weight::ONE),
            Self::Bounded(weight) => Self::Smoothed(weight),
            Self::AnyAngle | Self::AnyAngleOptimal | Self::Smoothed(_) | Self::Legal => self,
        }
    }

    /// What this guarantee becomes once paths between corners are extended to centres.
    ///
    /// ```
    /// use octile::Guarantee;
    /// assert_eq!(Guarantee::AnyAngleOptimal.centred(), Guarantee::AnyAngle);
    /// ```
    #[must_use]
    pub fn centred(self) -> Self {
        if self == Self::AnyAngleOptimal { Self::AnyAngle } else { self }
    }

    /// The promised maximum of a path's cost, as a multiple of the cheapest grid path; 1 unless the guarantee says
    /// otherwise.
    pub fn weight(self) -> Weight {
        match self {
            Self::Bounded(weight) | Self::Smoothed(weight) => weight,
            Self::GridOptimal | Self::AnyAngle | Self::AnyAngleOptimal | Self::Legal => Weight::ONE,
        }
    }

    /// Whether the paths are any-angle paths.
    pub fn is_any_angle(self) -> bool {
        matches!(self, Self::AnyAngle | Self::AnyAngleOptimal | Self::Smoothed(_))
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GridOptimal => "grid-optimal",
            Self::Bounded(_) => "bounded by the weight",
            Self::AnyAngle => "any-angle: legal, and never longer than the grid-optimal path on corners",
            Self::AnyAngleOptimal => "any-angle optimal",
            Self::Smoothed(_) => "any-angle: legal, and never longer than the path that was smoothed",
            Self::Legal => "legal: no promise about its cost",
        })
    }
}

/// How a planner takes map edits ([`Planner::apply`](crate::Planner::apply)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnEdit {
    /// It follows edits, at a cost proportional to the edit: it has no index, or one that also follows.
    Follows,
    /// It rebuilds its index; [`Engine::last_edit`](crate::Engine::last_edit) says how long that took.
    Rebuilds,
    /// Its index becomes stale. Answers keep the guarantee, but where the index could be wrong, a planner that follows
    /// edits has to search.
    GoesStale,
    /// It refuses edits: its index must be rebuilt.
    Refuses,
}

super::names! {
    OnEdit { Follows = "follows", Rebuilds = "rebuilds", GoesStale = "goes-stale", Refuses = "refuses" }
}

/// A query beyond one path that a planner may answer natively.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Native {
    /// The nearest of many goals, in one search or by labels. Other planners try the goals one by one, in the order of
    /// a lower bound of their cost.
    ManyGoals,
    /// Search in slices: a search that resumes after a stop, or no search at all. For other planners a substitute with
    /// the same guarantee searches.
    Slices,
    /// Costs between many cells at once. For other planners they come from a distance map for each source if paths are
    /// optimal, or else from a query for each pair.
    Costs,
}

super::names! { Native { ManyGoals = "many-goals", Slices = "slices", Costs = "costs" } }
