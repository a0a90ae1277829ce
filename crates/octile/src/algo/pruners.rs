//! The pruners that a planner's key `prune` names: they tell a search where not to look.
//!
//! | pruner | what it leaves out | with |
//! |---|---|---|
//! | [`blocked_areas`] | polygons of walls with one open side | searches cell by cell |
//! | [`gates`] | what lies behind a free row or column run | all searches that take `prune=` |
//!
//! Blocked areas keep *some* shortest path, gates keep *all*. So a search that looks for canonical paths only, such as
//! jump point search, goes with gates and would be wrong with areas; and both go together.

use std::sync::Arc;

pub use super::blocked_areas;
use super::blocked_areas::{AreaLookup, BlockedAreas, Lookup};
use crate::artifact::ArtifactError;
use crate::grid::{Changed, EditFault, Edits, Grid};
pub use crate::kernels::gates;
use crate::kernels::gates::{GateQuery, Gates};
use crate::kernels::prune::{Both, Everywhere, Pruner, WithPruner};
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
    /// On maps where they make the planner faster, judged by [`Gates::share`].
    #[default]
    WherePaying,
    /// On every map.
    Always,
}

names! { GateUse { WherePaying = "auto", Always = "always" } }

/// What the keys of planners that take pruners say of themselves.
pub(crate) mod keys {
    pub(crate) const PRUNE_TAKES: &str = "blocked-areas, gates or blocked-areas+gates";
    pub(crate) const PRUNE_GATES_TAKES: &str = "gates";
    pub(crate) const PRUNE_HELP: &str = "what tells the search where not to look; default none";
    pub(crate) const LOOKUP_TAKES: &str = "tree, grid or moves, together with prune=blocked-areas";
    pub(crate) const LOOKUP_HELP: &str = "how a cell's blocked area is found; default moves";
    pub(crate) const GATES_TAKES: &str = "auto or always, together with prune=gates";
    pub(crate) const GATES_HELP: &str = "whether to use gates only on maps where they pay; default auto";
}

/// Pruners as a planner's config has them: which, and how each is used.
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

    /// Refuses a lookup of areas, or a use of gates, that are not there.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        let Self { pruners, lookup, gates } = self;
        Refusal::when(
            lookup.is_some() && !pruners.has_areas(),
            "lookup",
            "there are no blocked areas to look up; add prune=blocked-areas",
        )?;
        Refusal::when(gates.is_some() && !pruners.has_gates(), "gates", "there are no gates to use; add prune=gates")
    }

    /// As [`check`](Prune::check), for planners that take gates only, because they look for canonical paths.
    pub(crate) fn check_gates_only(self) -> Result<(), Refusal> {
        Refusal::when(
            self.pruners.has_areas(),
            "prune",
            "blocked areas keep some shortest path, but perhaps not the canonical one that this planner looks for; \
             use prune=gates",
        )?;
        self.check()
    }

    /// The kinds of index behind it.
    pub(crate) fn index_kinds(self) -> &'static [&'static str] {
        match self.pruners {
            Pruners::None => &[],
            Pruners::BlockedAreas => &[blocked_areas::KIND],
            Pruners::Gates => &[gates::KIND],
            Pruners::BlockedAreasAndGates => &[blocked_areas::KIND, gates::KIND],
        }
    }
}

/// A map, and where on it not to look: what planners that take pruners hold.
#[derive(Clone, Debug)]
pub(crate) struct Pruned {
    pub(crate) grid: Grid,
    pub(crate) pruning: Pruning,
}

impl From<Grid> for Pruned {
    /// A map to look everywhere on.
    fn from(grid: Grid) -> Self {
        Self { grid, pruning: Pruning::default() }
    }
}

impl Pruned {
    /// Makes the pruners that are asked for, or takes them from index files. Gates are used unless a query needs more
    /// than `gates_pay_below` of the map.
    pub(crate) fn new(build: &Build<'_>, prune: Prune, gates_pay_below: f64) -> Result<Self, BuildError> {
        let pruning = Pruning::from_files(build, prune, gates_pay_below)?;
        Ok(Self { grid: build.grid().clone(), pruning })
    }

    /// Changes the map. What is left out from then on is what is still known to be of no use.
    pub(crate) fn apply(&mut self, edits: &Edits) -> Result<Changed, EditFault> {
        let changed = self.grid.change(edits)?;
        if !changed.areas.is_empty() {
            self.pruning.follow(&self.grid, &changed);
        }
        Ok(changed)
    }

    /// Whether less is left out of searches than pruners for the map as it is would.
    pub(crate) fn is_stale(&self) -> bool {
        self.pruning.is_stale
    }

    /// The gates as a query sees them, if there are any.
    pub(crate) fn gates(&self, query: PathQuery) -> Option<GateQuery<'_>> {
        self.pruning.gates(&self.grid, query)
    }
}

/// Pruners built for a map, as far as they hold for what has become of it. They are as good as new in a planner that is
/// built anew.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pruning {
    areas: Option<Arc<AreaLookup>>,
    gates: Option<Arc<Gates>>,
    /// Whether there is less of them than there was.
    is_stale: bool,
}

impl Pruning {
    /// Builds the pruners for a map, or takes them from index files where there are any of their kind.
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

    /// Follows edits of the map. Gates hold for queries that need none of those that cells were blocked on, as long as
    /// none was freed. Of a blocked area a shortest path round it is known, not where all of them lead: any cell that
    /// is blocked may bar it, and any that is freed may be a way through. So there are none from then on.
    fn follow(&mut self, grid: &Grid, changed: &Changed) {
        self.is_stale |= self.areas.is_some() || self.gates.is_some();
        self.areas = None;
        self.gates.take_if(|gates| !Arc::make_mut(gates).follow(grid, changed));
    }

    /// The gates as a query sees them, if there are any that hold for it.
    pub(crate) fn gates(&self, grid: &Grid, query: PathQuery) -> Option<GateQuery<'_>> {
        let gates = self.gates.as_ref()?;
        Some(gates.query(grid, query.start, query.goal)).filter(|query| gates.hold_for(query))
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let areas = self.areas.as_ref().map_or(0, |areas| areas.size_bytes());
        areas + self.gates.as_ref().map_or(0, |gates| gates.size_bytes())
    }

    /// Calls `with` with the pruners as a query sees them.
    pub(crate) fn query<W: WithPruner>(&self, grid: &Grid, query: PathQuery, with: W) -> W::Output {
        struct And<'a, W>(GateQuery<'a>, W);
        impl<W: WithPruner> WithPruner for And<'_, W> {
            type Output = W::Output;

            fn run<P: Pruner>(self, pruner: &P) -> W::Output {
                self.1.run(&Both(pruner, &self.0))
            }
        }
        match (&self.areas, self.gates(grid, query)) {
            (None, None) => with.run(&Everywhere),
            (None, Some(gates)) => with.run(&gates),
            (Some(areas), None) => areas.query(grid, query, with),
            (Some(areas), Some(gates)) => areas.query(grid, query, And(gates, with)),
        }
    }
}
