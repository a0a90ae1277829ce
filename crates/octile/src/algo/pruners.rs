//! The pruners that a planner's key `prune` names: they exclude cells from a search.
//!
//! | pruner | what it leaves out | with |
//! |---|---|---|
//! | [`blocked_areas`] | polygons of walls with one open side | searches cell by cell |
//! | [`gates`] | what lies behind a free row or column run | all searches that take `prune=` |
//!
//! Blocked areas keep *some* shortest path, gates keep *all*. So a search for canonical paths only, such as jump point
//! search, works with gates but would be wrong with blocked areas. Both can be combined.

use std::sync::Arc;

pub use super::blocked_areas;
use super::blocked_areas::{AreaLookup, AreaMemory, AreaQuery, BlockedAreas, Lookup};
use crate::artifact::ArtifactError;
use crate::grid::{Changed, EditFault, Edits, Grid};
pub use crate::kernels::gates;
use crate::kernels::gates::{GateQuery, Gates};
use crate::planner::{Build, BuildError, PathQuery, Refusal, names};

/// Which pruners a planner uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pruners {
    /// None.
    #[default]
    None,
    /// [Blocked areas](blocked_areas).
    BlockedAreas,
    /// [Axis gates](gates).
    Gates,
    /// Both.
    BlockedAreasAndGates,
}

names! {
    Pruners {
        None = "none",
        BlockedAreas = "blocked-areas",
        Gates = "gates",
        BlockedAreasAndGates = "blocked-areas+gates" | "gates+blocked-areas",
    }
}

impl Pruners {
    fn has_areas(self) -> bool {
        matches!(self, Self::BlockedAreas | Self::BlockedAreasAndGates)
    }

    fn has_gates(self) -> bool {
        matches!(self, Self::Gates | Self::BlockedAreasAndGates)
    }
}

/// When gates are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GateUse {
    /// On maps where they make the planner faster, as estimated by [`Gates::share`].
    #[default]
    WherePaying,
    /// On every map.
    Always,
}

names! { GateUse { WherePaying = "auto", Always = "always" } }

/// What the keys of planners with pruners accept, require and do.
pub(crate) mod keys {
    use super::Pruners::{BlockedAreas, BlockedAreasAndGates, Gates};
    use crate::planner::{Requirement, Takes};

    /// All pruners; `none` is the default.
    pub(crate) const ALL_PRUNERS: Takes =
        Takes::Words(&[BlockedAreas.name(), Gates.name(), BlockedAreasAndGates.name()]);
    pub(crate) const ONLY_GATES: Takes = Takes::Words(&[Gates.name()]);
    pub(crate) const PRUNE_HELP: &str = "what tells the search where not to look; default none";
    pub(crate) const AREAS: Requirement =
        Requirement::value("prune", BlockedAreas.name(), "there are no blocked areas to look up");
    pub(crate) const LOOKUP_HELP: &str = "how a cell's blocked area is found; default moves";
    pub(crate) const GATES: Requirement = Requirement::value("prune", Gates.name(), "there are no gates to use");
    pub(crate) const GATES_HELP: &str = "whether to use gates only on maps where they pay; default auto";
}

/// The pruners in a planner's config: which ones, and how each is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Prune {
    pruners: Pruners,
    lookup: Option<Lookup>,
    gates: Option<GateUse>,
}

impl Prune {
    pub(crate) fn new(pruners: Pruners, lookup: Option<Lookup>, gates: Option<GateUse>) -> Self {
        Self { pruners, lookup, gates }
    }

    /// Rejects blocked areas, for planners that search for canonical paths.
    pub(crate) fn check_gates_only(self) -> Result<(), Refusal> {
        Refusal::when(
            self.pruners.has_areas(),
            "prune",
            "blocked areas keep some shortest path, but perhaps not the canonical one that this planner looks for; \
             use prune=gates",
        )
    }

    /// The kinds of index that it uses.
    pub(crate) fn index_kinds(self) -> &'static [&'static str] {
        match self.pruners {
            Pruners::None => &[],
            Pruners::BlockedAreas => &[blocked_areas::KIND],
            Pruners::Gates => &[gates::KIND],
            Pruners::BlockedAreasAndGates => &[blocked_areas::KIND, gates::KIND],
        }
    }
}

/// A map with its pruners, as held by planners that support them.
#[derive(Clone, Debug)]
pub(crate) struct Pruned {
    pub(crate) grid: Grid,
    pub(crate) pruning: Pruning,
}

impl From<Grid> for Pruned {
    /// A map without pruners.
    fn from(grid: Grid) -> Self {
        Self { grid, pruning: Pruning::default() }
    }
}

impl Pruned {
    /// Builds the pruners that are asked for, or opens them from index files. Gates are used unless a query needs more
    /// than `gates_pay_below` of the map.
    pub(crate) fn new(build: &Build<'_>, prune: Prune, gates_pay_below: f64) -> Result<Self, BuildError> {
        let pruning = Pruning::from_files(build, prune, gates_pay_below)?;
        Ok(Self { grid: build.grid().clone(), pruning })
    }

    /// Changes the map. From then on, only cells that still are certain to be useless are left out.
    pub(crate) fn apply(&mut self, edits: &Edits) -> Result<Changed, EditFault> {
        let changed = self.grid.change(edits)?;
        if !changed.areas.is_empty() {
            self.pruning.follow(&self.grid, &changed);
        }
        Ok(changed)
    }

    /// Whether edits have switched off pruning that pruners built for the current map would do.
    pub(crate) fn is_stale(&self) -> bool {
        self.pruning.is_stale
    }

    /// The blocked areas for a query, if any.
    pub(crate) fn areas<'a>(&'a self, query: PathQuery, memory: &'a mut AreaMemory) -> Option<AreaQuery<'a>> {
        self.pruning.areas.as_ref().map(|areas| areas.query(&self.grid, query, memory))
    }

    /// The gates for a query, if any.
    pub(crate) fn gates(&self, query: PathQuery) -> Option<GateQuery<'_>> {
        self.pruning.gates(&self.grid, query)
    }
}

/// Pruners built for a map, as far as they are still valid after its edits. Rebuilding the planner restores them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pruning {
    areas: Option<Arc<AreaLookup>>,
    gates: Option<Arc<Gates>>,
    /// Whether edits have disabled some of them.
    is_stale: bool,
}

impl Pruning {
    /// Builds the pruners for a map, or opens them from index files of their kind.
    fn from_files(build: &Build<'_>, asked: Prune, gates_pay_below: f64) -> Result<Self, ArtifactError> {
        let grid = build.grid();
        let areas = asked.pruners.has_areas().then(|| match build.index(blocked_areas::KIND) {
            Some(artifact) => BlockedAreas::from_artifact(artifact, grid),
            None => Ok(BlockedAreas::build(grid)),
        });
        let gates = asked.pruners.has_gates().then(|| match build.index(gates::KIND) {
            Some(artifact) => Gates::from_artifact(artifact, grid),
            None => Ok(Gates::build(grid)),
        });
        let lookup = |areas| Arc::new(AreaLookup::new(grid, areas, asked.lookup.unwrap_or_default()));
        let is_used = |gates: &Gates| asked.gates == Some(GateUse::Always) || gates.share() <= gates_pay_below;
        let gates = gates.transpose()?.filter(is_used).map(Arc::new);
        Ok(Self { areas: areas.transpose()?.map(lookup), gates, is_stale: false })
    }

    /// Follows edits of the map. As long as no cell was freed, gates stay valid for queries that need none of the gates
    /// on newly blocked cells. Of a blocked area, one shortest path around it is known, but not where all of them lead:
    /// any newly blocked cell may bar that path, and any freed cell may open a way through. So an edit disables all
    /// blocked areas.
    fn follow(&mut self, grid: &Grid, changed: &Changed) {
        self.is_stale |= self.areas.is_some() || self.gates.is_some();
        self.areas = None;
        self.gates.take_if(|gates| !Arc::make_mut(gates).follow(grid, changed));
    }

    /// The gates for a query, if any are valid for it.
    pub(crate) fn gates(&self, grid: &Grid, query: PathQuery) -> Option<GateQuery<'_>> {
        let gates = self.gates.as_ref()?;
        Some(gates.query(grid, query.start, query.goal)).filter(|query| gates.hold_for(query))
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let areas = self.areas.as_ref().map_or(0, |areas| areas.size_bytes());
        areas + self.gates.as_ref().map_or(0, |gates| gates.size_bytes())
    }
}
