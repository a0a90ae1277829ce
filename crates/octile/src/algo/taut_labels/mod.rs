//! Hub labels on the taut graph: shortest paths in any direction in microseconds, from an index of a few megabytes.
//!
//! - **Guarantee**: any-angle optimal, to one part in 10^9; complete under its [squeeze rule](Squeeze).
//! - **Preprocessing**: seconds for a map of 512 x 512 cells, with an index of a few megabytes, kept in a
//!   [file](crate::artifact) that is mapped into memory. An index is for one squeeze rule, and for ends at corners or
//!   at centres. Maps with very many corners of obstacles that see each other, such as random obstacles, are
//!   unsuitable: a build counts its work and ends with an error on them. It does not follow edits: the index must be
//!   rebuilt.
//! - **Complexity**: a query tests one line of sight, then reads a few dozen links of the labels of its two ends, then
//!   follows the tree of the best hub, one step for each turn of the path. It does not search. Scratch: 16 bytes per
//!   corner.
//! - **References**: Oh & Leong, "Edge N-Level Sparse Visibility Graphs: Fast Optimal Any-Angle Pathfinding Using
//!   Hierarchical Taut Paths", 2017 (taut paths); Abraham, Delling, Goldberg & Werneck, "A Hub-Based Labeling Algorithm
//!   for Shortest Paths in Road Networks", 2011; Delling, Goldberg, Pajor & Werneck, "Robust Distance Queries on
//!   Massive Networks", 2014 (the order of hubs).
//! - **Deviations**: 1. only corners have labels; cells select links from those of the corners they see, and hub trees
//!   give the path; 2. searches follow only taut turns; 3. a query first tests whether its ends see each other.
//!
//! A shortest path whose ends do not see each other is a chain of lines that turns at corners of obstacles, around the
//! obstacle at each: all of its inner lines are hops of the taut graph (`kernels/taut`). The labels of its corners, and
//! the records of cells, are in `kernels/hubs`.
//!
//! # What is proved
//! Let lengths be real numbers. Searches keep one cost per corner, not one for each direction from which it is reached,
//! and continue from there only by taut turns. That is enough: suppose that two paths to a corner u are equally long,
//! and a hop to w may follow the first but not the second. Then the path along the second through u to w can be cut
//! short at u, so it is not a shortest path to w; and the path along the first through u is just as long, so it is not
//! shortest either. So where a shortest path to w leads through u, the hop to w may follow every shortest path to u.
//! Hence every search finds the lengths of shortest paths, the labels share a hub on a shortest path between any two
//! corners (`kernels/hubs`), and a cell, whose connections are all corners at which a path from it may turn first, gets
//! the exact length to every hub that it needs. Links that would begin with a turn that is not taut are on no shortest
//! path.
//!
//! # What is only tested
//! Lengths are whole numbers (`lengths.rs`), which is as if all hops were slightly longer or shorter, by at most one
//! part in 10^9 of a path. With these lengths, a path to u that is longer by less than that may reach u first, and the
//! hop to w may not follow it. By the argument above, the lost path through u to w is then as short as one that can be
//! cut short, to one part in 10^9: so another path exists that is no longer, to the same precision. It is not proved
//! that these errors do not add up from corner to corner. In all comparisons with brute force and with the optima of
//! benchmarks, no path was longer than the shortest by more than rounding.
//!
//! # Example
//! ```
//! use octile::{Engine, Grid, TautLabels};
//! use octile::geometry::Corner;
//! let grid: Grid = ".....\n.@@@.\n.....".parse()?;
//! let path = Engine::new(TautLabels::default(), &grid)?.find((0, 0), (4, 2))?.expect("they are connected");
//! assert_eq!(path.corners()?, [Corner::new(0, 0), Corner::new(4, 1), Corner::new(4, 2)]);
//! assert_eq!(path.length(), 17.0_f64.sqrt() + 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod lengths;
mod settings;

use std::sync::Arc;

use self::lengths::{BITS, Lengths, point_of};
use self::settings::Settings;
use crate::artifact::{Artifact, ArtifactError};
use crate::geometry::{Cell, Endpoints, PathCost, Point};
use crate::grid::corners::CornerMap;
use crate::grid::{Edits, Grid, Squeeze, sight};
use crate::kernels::hubs::file::{self, Format, Index};
use crate::kernels::hubs::many::{self, Many, OneCell, Pairs};
use crate::kernels::hubs::query::{self, HubCosts};
pub use crate::kernels::limits::Unsuited;
use crate::path::{Path, PathFault};
use crate::planner::{
    About, Build, BuildError, Config, EditError, Facts, Guarantee, IndexBuild, IndexContents, IndexEffort, IndexKind,
    IndexView, Native, OnEdit, PathQuery, Planner, PlannerId, Probe, Scratch, config, size_bytes,
};

config! {
    /// Hub labels on the taut graph. An index that would take more than some seconds is refused: build it [in
    /// advance](IndexKind::build_with).
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct TautLabels {
        /// Whether paths may pass between obstacles that touch at a corner.
        squeeze: Squeeze,
        /// Which points of cells paths begin and end at.
        ends: Endpoints,
    }
}

static ABOUT: About = About {
    name: "taut-labels",
    summary: "hub labels on the graph of taut hops: shortest paths in any direction, without a search",
    paper: "new, after Oh & Leong 2017; Abraham et al. 2011",
    index: IndexEffort::Corners,
    variants: &["taut-labels:squeeze=forbidden", "taut-labels:ends=centres"],
};

/// The kind of its index files.
pub const KIND: &str = "taut-labels";

/// The format of its index files.
const FORMAT: Format = Format { kind: KIND, version: 1, site: "corner", sites: "corners" };

/// The entry in the table of index kinds.
pub(crate) const INDEX: IndexKind = IndexKind {
    kind: KIND,
    version: FORMAT.version,
    summary: "hub labels: shortest paths in any direction by a hub that both ends know",
    build: IndexBuild::ForMapWith(|build, settings| build::build(build, settings.parse()?, true)),
    describe,
};

/// Describes the contents of a file as names and values.
fn describe(artifact: &Artifact) -> Result<IndexContents, ArtifactError> {
    let mut info = file::describe(artifact, &FORMAT)?;
    info.push(("settings", Settings::read(artifact)?.to_string()));
    Ok(info)
}

impl Config for TautLabels {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::any_angle(ABOUT.name, Guarantee::AnyAngleOptimal, self.squeeze)
            .ending_at(self.ends)
            .on_edit(OnEdit::GoesStale)
            .native(&[Native::Slices, Native::Costs])
            .indexes(&[KIND])
    }

    fn set_squeeze(&mut self, squeeze: Squeeze) {
        self.squeeze = squeeze;
    }

    fn set_ends(&mut self, ends: Endpoints) -> bool {
        self.ends = ends;
        true
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        let settings = Settings::of(self);
        let artifact = if let Some(artifact) = build.index(KIND) {
            Arc::clone(artifact)
        } else {
            Arc::new(Artifact::from_bytes(build::build(build, settings, false)?.into())?)
        };
        let index = Index::open(Arc::clone(&artifact), &FORMAT, build.grid())?;
        let found = Settings::read(&artifact)?;
        if found != settings {
            let (found, asked) = (found.to_string(), settings.to_string());
            return Err(BuildError::IndexSettings { planner: ABOUT.name, found, asked });
        }
        let map = CornerMap::new(build.grid(), self.squeeze);
        let (id, facts) = (PlannerId::new(), self.facts());
        Ok(Box::new(TautLabelsPlanner { id, facts, index, map, ends: self.ends }))
    }
}

/// A planner that uses the taut labels of a map.
#[derive(Clone, Debug)]
struct TautLabelsPlanner {
    id: PlannerId,
    facts: Facts,
    index: Index,
    map: CornerMap,
    ends: Endpoints,
}

impl Planner for TautLabelsPlanner {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        self.map.grid()
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.map.may_connect(start, goal)
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        let costs = HubCosts::new(self.index.sites());
        Scratch::new(self.id, TautLabelsScratch { costs, points: Vec::new(), many: Many::default() })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        _: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let squeeze = self.map.squeeze();
        let cells = [query.start, query.goal];
        let ends = cells.map(|cell| self.ends.point(cell));
        if sight::points_on_map_visible(self.grid(), ends[0], ends[1], squeeze) {
            out.set_any_angle_points(query.output, squeeze, ends.into_iter());
            return Ok(true);
        }
        let TautLabelsScratch { costs, points, .. } = scratch.get();
        let view = self.index.view();
        let Some(meeting) = query::meet(&view, Lengths(self.ends), costs, cells) else { return Ok(false) };
        let hub = query::trace(&view, meeting, ends, point_of, points);
        // Each half of the path is taut; where they meet, the path may go straight on.
        if let Some(hub) = hub {
            out.set_any_angle_turns(query.output, squeeze, points, hub);
        }
        Ok(hub.is_some())
    }

    fn index(&self) -> Option<IndexView<'_>> {
        Some(IndexView::fixed())
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        EditError::refuse(ABOUT.name, self.grid(), edits)
    }

    fn index_bytes(&self) -> usize {
        self.index.size_bytes()
    }

    fn costs(&self, scratch: &mut Scratch, sources: &[Cell], targets: &[Cell], out: &mut [Option<PathCost>]) -> bool {
        let TautLabelsScratch { costs, many, .. } = scratch.get();
        many::costs(&self.index.view(), self, costs, many, [sources, targets], out);
        true
    }

    fn nearest(
        &self,
        scratch: &mut Scratch,
        source: Cell,
        targets: &[Cell],
        count: usize,
        found: &mut dyn FnMut(usize, PathCost),
    ) -> bool {
        let TautLabelsScratch { costs, many, .. } = scratch.get();
        OneCell::new(&self.index.view(), self, costs, source).nearest(many, targets, count, found);
        true
    }
}

/// Direct paths are straight lines. Lengths are not negative, so they are ordered as their bits are. They are the
/// lengths in the labels, within one part in 10^9 of the lengths of paths, and never less than the straight line.
impl Pairs<BITS> for TautLabelsPlanner {
    type Metric = Lengths;

    fn metric(&self) -> Lengths {
        Lengths(self.ends)
    }

    #[inline]
    fn direct(&self, from: Cell, to: Cell) -> u64 {
        self.ends.point(from).distance(self.ends.point(to)).to_bits()
    }

    #[inline]
    fn is_direct(&self, from: Cell, to: Cell) -> bool {
        let [from, to] = [from, to].map(|cell| self.ends.point(cell));
        from == to || sight::points_on_map_visible(self.grid(), from, to, self.map.squeeze())
    }

    fn may_connect(&self, from: Cell, to: Cell) -> bool {
        self.map.may_connect(from, to)
    }

    #[inline]
    fn number(&self, cost: u64) -> u64 {
        lengths::length(cost).to_bits()
    }

    #[inline]
    fn cost(&self, number: u64) -> PathCost {
        PathCost::AnyAngle(f64::from_bits(number))
    }
}

/// Scratch memory of [`TautLabelsPlanner`].
#[derive(Debug)]
struct TautLabelsScratch {
    costs: HubCosts<BITS>,
    points: Vec<Point>,
    many: Many<BITS>,
}

size_bytes!(TautLabelsScratch: costs, points, many);

#[cfg(test)]
mod tests;
