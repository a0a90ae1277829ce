//! Facts about a planner: what it promises, which maps it takes, and what it can do. A config says them once, the
//! planner that it builds keeps them, and everybody else reads them there.

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
    /// The movement rules that it works under.
    pub movements: &'static [Movement],
    /// What its paths are made of.
    pub geometry: Geometry,
    /// Whether it finds paths by the [prices](crate::grid::Convention) of cells. If not, it refuses maps that have
    /// some.
    pub terrain: bool,
    /// How it takes a change of the map.
    pub on_edit: OnEdit,
    /// The questions beyond one path that it answers itself. While its index is [stale](OnEdit::GoesStale), those of
    /// the planner that searches for it.
    pub native: &'static [Native],
    /// The kinds of [index](crate::planner::IndexKind) that it builds, or takes from files.
    pub indexes: &'static [&'static str],
    /// Whether paths are changed after they were found, as by [`smoothed`](crate::services::smoothed). The lengths that
    /// a search tells its [probe](crate::planner::Probe::stops) are then not those of the paths.
    pub reshaped: bool,
}

impl Facts {
    /// A planner whose grid paths are the cheapest. It follows edits, takes no prices, and needs no index.
    pub const fn optimal(name: &'static str, movements: &'static [Movement]) -> Self {
        let (guarantee, geometry, on_edit) = (Guarantee::GridOptimal, Geometry::Cells, OnEdit::Follows);
        let (native, indexes): (&[Native], &[&str]) = (&[], &[]);
        Self { name, guarantee, movements, geometry, terrain: false, on_edit, native, indexes, reshaped: false }
    }

    /// A planner whose paths go in any direction, from the corners of cells.
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

    /// The same with another promise.
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

    /// The same with any-angle paths that begin and end elsewhere; no change if paths go from cell to cell.
    #[must_use]
    pub const fn ending_at(self, ends: Endpoints) -> Self {
        match self.geometry {
            Geometry::Cells => self,
            Geometry::AnyAngle { squeeze, .. } => Self { geometry: Geometry::AnyAngle { squeeze, ends }, ..self },
        }
    }

    /// The same, of a planner that finds paths by the prices of cells, or does not.
    #[must_use]
    pub const fn takes_terrain(self, terrain: bool) -> Self {
        Self { terrain, ..self }
    }

    /// The same, of a planner that takes a change of the map in another way.
    #[must_use]
    pub const fn on_edit(self, on_edit: OnEdit) -> Self {
        Self { on_edit, ..self }
    }

    /// The same, of a planner that answers these questions itself.
    #[must_use]
    pub const fn native(self, native: &'static [Native]) -> Self {
        Self { native, ..self }
    }

    /// The same, of a planner that uses these kinds of index.
    #[must_use]
    pub const fn indexes(self, indexes: &'static [&'static str]) -> Self {
        Self { indexes, ..self }
    }

    /// Those of the planner whose paths are smoothed after they were found, any-angle paths under their own rule.
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
        // Only grid paths without cut corners can be moved to corners.
        let movements: &[Movement] = if self.movements.contains(&Movement::Octile) { &[Movement::Octile] } else { &[] };
        Self { guarantee: self.guarantee.smoothed(), geometry, movements, ..self.reshaped() }
    }

    /// Those of the planner whose any-angle paths are lengthened to the centres of cells after they were found.
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

    /// Of paths that are changed after they were found. Straight lines in any direction have no price; and changed
    /// paths may be in another order than those that were found.
    fn reshaped(self) -> Self {
        let native: &[Native] = if self.has(Native::Slices) { &[Native::Slices] } else { &[] };
        Self { terrain: false, native, reshaped: true, ..self }
    }

    /// Whether it answers a question itself.
    pub fn has(&self, native: Native) -> bool {
        self.native.contains(&native)
    }

    /// Whether its paths are any-angle paths.
    pub const fn is_any_angle(&self) -> bool {
        matches!(self.geometry, Geometry::AnyAngle { .. })
    }

    /// The rule that its any-angle paths keep; `None` if its paths are grid paths.
    pub const fn squeeze(&self) -> Option<Squeeze> {
        match self.geometry {
            Geometry::Cells => None,
            Geometry::AnyAngle { squeeze, .. } => Some(squeeze),
        }
    }

    /// Where its any-angle paths begin and end; corners if its paths are grid paths.
    pub const fn ends(&self) -> Endpoints {
        match self.geometry {
            Geometry::Cells => Endpoints::Corners,
            Geometry::AnyAngle { ends, .. } => ends,
        }
    }
}

/// What paths are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Geometry {
    /// Moves from cell to cell, under the map's movement rule.
    Cells,
    /// Lines in any direction.
    AnyAngle {
        /// Whether they may pass between obstacles that touch at a corner.
        squeeze: Squeeze,
        /// Which points of the query's cells they begin and end at.
        ends: Endpoints,
    },
}

/// What a planner promises about the cost of its paths. All planners are complete: they find a path where one exists.
///
/// Any-angle paths that begin and end at [centres](Endpoints::Centres) and are not
/// [optimal](Guarantee::AnyAngleOptimal) are made from paths between corners: they may be longer than is said here by
/// `√2`, twice the way from a centre to a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Guarantee {
    /// No grid path is cheaper, in exact arithmetic.
    GridOptimal,
    /// At most so many times the cheapest grid path, in exact arithmetic.
    Bounded(Weight),
    /// An any-angle path, never longer than the cheapest way along corners by moves to the eight nearest ones. (It is a
    /// length in `f64`, right to a part in 10^9.) That in turn is never longer than the cheapest grid path.
    AnyAngle,
    /// No any-angle path with the planner's [ends](Endpoints) that keeps its [squeeze rule](Squeeze) is shorter. (It is
    /// a length in `f64`, right to a part in 10^9.)
    AnyAngleOptimal,
    /// An any-angle path made from a grid path by pulling it straight ([`Path::smooth`]): at most so many times the
    /// cheapest grid path, right to a part in 10^9.
    Smoothed(Weight),
    /// A legal path where there is a grid path, with no promise about its cost.
    Legal,
}

impl Guarantee {
    /// What is left of it once the paths are smoothed.
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

    /// What is left of it once paths between corners are lengthened to centres.
    ///
    /// ```
    /// use octile::Guarantee;
    /// assert_eq!(Guarantee::AnyAngleOptimal.centred(), Guarantee::AnyAngle);
    /// ```
    #[must_use]
    pub fn centred(self) -> Self {
        if self == Self::AnyAngleOptimal { Self::AnyAngle } else { self }
    }

    /// How many times the cheapest grid path its paths may cost; 1 where nothing else is promised.
    pub fn weight(self) -> Weight {
        match self {
            Self::Bounded(weight) | Self::Smoothed(weight) => weight,
            Self::GridOptimal | Self::AnyAngle | Self::AnyAngleOptimal | Self::Legal => Weight::ONE,
        }
    }

    /// Whether its paths are any-angle paths.
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

/// How a planner takes a change of its map ([`Planner::apply`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnEdit {
    /// It follows at a cost proportional to the edit: it has no index, or one that follows too.
    Follows,
    /// It builds its index again, which takes as long as [`Engine::last_edit`](crate::Engine::last_edit) says.
    Rebuilds,
    /// Its index stays that of the map as it was: answers stay as it promises, but where the index could be wrong a
    /// planner that follows has to search.
    GoesStale,
    /// It refuses: its index must be built again.
    Refuses,
}

super::names! {
    OnEdit { Follows = "follows", Rebuilds = "rebuilds", GoesStale = "goes-stale", Refuses = "refuses" }
}

/// A question beyond one path, for which a planner may have a way of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Native {
    /// The nearest of many goals, in one search or by labels. Else goals are tried one by one, in the order of what
    /// they cost at least.
    ManyGoals,
    /// A search that goes on after a stop, or none at all. Else a planner that promises as much stands in.
    Slices,
    /// Costs between many cells at once. Else by distances from each, where paths are the cheapest, or by a query for
    /// each pair.
    Costs,
}

super::names! { Native { ManyGoals = "many-goals", Slices = "slices", Costs = "costs" } }
