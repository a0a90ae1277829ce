//! Pruners: what tells a search where not to look, for a query, without changing its answer's cost.
//!
//! A pruner is asked about cells and moves that are legal already. "Passable" and "worth entering" stay two questions: a
//! pruned cell is no obstacle, and a diagonal move may pass beside it.
//!
//! | pruner | what it leaves out | with |
//! |---|---|---|
//! | [`blocked_areas`] | polygons of walls with one open side | searches cell by cell |
//! | [`gates`] | what lies behind a free row or column run | all searches that take `prune=` |
//!
//! Blocked areas keep *some* shortest path, gates keep *all*. So a search that looks for canonical paths only, such as jump
//! point search, goes with gates and would be wrong with areas; and both go together.

pub mod blocked_areas;
pub mod gates;

use std::sync::Arc;

use self::blocked_areas::{AreaLookup, BlockedAreas, Lookup};
use self::gates::{GateQuery, Gates};
use crate::algo::Key;
use crate::artifact::ArtifactError;
use crate::cell::CellId;
use crate::error::{BuildError, EditError, SpecError};
use crate::index::Indexes;
use crate::planner::OnEdit;
use crate::spec::Options;
use crate::{Cell, Dir, DirSet, Edits, Grid, Query};

/// A pruner as one query sees it. A search tries the moves of [`moves`](Pruner::moves) only; when one of those that are
/// watched leads to a cell for the first time, the search enters it only if [`may_enter`](Pruner::may_enter) says so.
pub(crate) trait Pruner {
    /// The moves of a cell that the search has entered.
    fn moves(&self, grid: &Grid, id: CellId, cell: Cell) -> Moves;

    /// Whether the search may enter `cell`, to which a watched move leads. The answer is the same for all watched moves
    /// there.
    fn may_enter(&self, by: Move, cell: Cell) -> bool;
}

/// The moves of a cell as a pruner sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    /// The legal moves, but for those that the search can do without.
    pub(crate) tried: DirSet,
    /// Which of those to ask about: the others lead to cells that may be entered.
    pub(crate) watched: DirSet,
}

/// A move of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) dir: Dir,
    pub(crate) to: CellId,
}

/// What to do with a pruner whose type is known when it is called only.
pub(crate) trait WithPruner {
    type Output;

    fn run<P: Pruner>(self, pruner: &P) -> Self::Output;
}

/// Prunes nothing.
pub(crate) struct Everywhere;

impl Pruner for Everywhere {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, _: Cell) -> Moves {
        Moves { tried: grid.moves_of(id), watched: DirSet::NONE }
    }

    #[inline]
    fn may_enter(&self, _: Move, _: Cell) -> bool {
        true
    }
}

/// Both prune.
struct Both<'a, A, B>(&'a A, &'a B);

impl<A: Pruner, B: Pruner> Pruner for Both<'_, A, B> {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, cell: Cell) -> Moves {
        let (a, b) = (self.0.moves(grid, id, cell), self.1.moves(grid, id, cell));
        Moves { tried: DirSet(a.tried.0 & b.tried.0), watched: DirSet(a.watched.0 | b.watched.0) }
    }

    #[inline]
    fn may_enter(&self, by: Move, cell: Cell) -> bool {
        self.0.may_enter(by, cell) && self.1.may_enter(by, cell)
    }
}

/// Which pruners a planner uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prune {
    /// Blocked areas, and how to look them up.
    pub areas: Option<Lookup>,
    /// Axis gates, and when to use them.
    pub gates: Option<GateUse>,
}

/// When gates are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GateUse {
    /// On maps where they make the planner faster, judged by [`Gates::share`].
    #[default]
    WherePaying,
    /// On every map.
    Always,
}

/// The key that chooses pruners, for planners that take them all.
pub(crate) const PRUNE_KEY: Key = Key {
    name: "prune",
    takes: "blocked-areas, gates or blocked-areas+gates",
    help: "what tells the search where not to look; nothing unless told",
};

/// The key that chooses how areas are looked up.
pub(crate) const LOOKUP_KEY: Key = Key {
    name: "lookup",
    takes: "tree, grid or moves, together with prune=blocked-areas",
    help: "how a cell's blocked area is found; moves unless told",
};

/// The key that says when gates are used.
pub(crate) const GATES_USE_KEY: Key = Key {
    name: "gates",
    takes: "auto or always, together with prune=gates",
    help: "whether to use gates only on maps where they pay; auto unless told",
};

/// The key of planners that take gates only.
pub(crate) const PRUNE_GATES_KEY: Key = Key { takes: "gates", ..PRUNE_KEY };

impl Prune {
    /// Blocked areas alone, with the default lookup.
    pub const BLOCKED_AREAS: Self = Self { areas: Some(Lookup::Moves), gates: None };

    /// Gates alone, where they pay.
    pub const GATES: Self = Self { areas: None, gates: Some(GateUse::WherePaying) };

    /// The values of the keys `prune`, `lookup` and `gates`.
    pub(crate) fn from_options(options: &Options) -> Result<Self, SpecError> {
        let lookup = options.value("lookup", |value| value.parse::<Lookup>().ok())?;
        let areas = Some(lookup.unwrap_or_default());
        let prune = options.value("prune", |value| match value {
            "blocked-areas" => Some(Self { areas, gates: None }),
            "gates" => Some(Self::GATES),
            "blocked-areas+gates" | "gates+blocked-areas" => Some(Self { areas, ..Self::GATES }),
            _ => None,
        })?;
        let prune = prune.unwrap_or_default().with_gate_use(options)?;
        if lookup.is_some() && prune.areas.is_none() {
            // Nothing would be looked up: the value is refused with what the key needs.
            options.value("lookup", |_| None::<()>)?;
        }
        Ok(prune)
    }

    /// The kinds of index behind it.
    pub(crate) fn index_kinds(self) -> Vec<&'static str> {
        let areas = self.areas.map(|_| blocked_areas::KIND);
        areas.into_iter().chain(self.gates.map(|_| gates::KIND)).collect()
    }

    /// The value of the key `gates`.
    fn with_gate_use(self, options: &Options) -> Result<Self, SpecError> {
        let gate_use = options.value("gates", |value| match value {
            "auto" if self.gates.is_some() => Some(GateUse::WherePaying),
            "always" if self.gates.is_some() => Some(GateUse::Always),
            _ => None,
        })?;
        Ok(Self { gates: gate_use.or(self.gates), ..self })
    }

    /// As [`from_options`](Prune::from_options) for planners that take gates only, because they look for canonical paths.
    pub(crate) fn gates_from_options(options: &Options) -> Result<Self, SpecError> {
        options.refuse(
            "prune",
            |value| value.contains("blocked-areas"),
            "blocked areas keep some shortest path, but perhaps not the canonical one that this planner looks for; \
             use prune=gates",
        )?;
        let prune = options.value("prune", |value| (value == "gates").then_some(Self::GATES))?;
        prune.unwrap_or_default().with_gate_use(options)
    }
}

/// A map, and where on it not to look: what planners that take pruners hold.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    pub(crate) grid: Grid,
    pub(crate) pruning: Pruning,
}

impl Terrain {
    /// Builds the pruners that are asked for. Gates are used unless a query needs more than `gates_pay_below` of the map.
    pub(crate) fn new(grid: &Grid, prune: Prune, gates_pay_below: f64) -> Self {
        Self { grid: grid.clone(), pruning: Pruning::build(grid, prune, gates_pay_below) }
    }

    /// As [`new`](Terrain::new), with pruners from index files where there are any.
    pub(crate) fn from_options(
        grid: &Grid,
        prune: Prune,
        gates_pay_below: f64,
        options: &Options,
    ) -> Result<Self, BuildError> {
        let pruning = Pruning::build_from(grid, prune, gates_pay_below, options.indexes())?;
        Ok(Self { grid: grid.clone(), pruning })
    }

    /// Pruners are built again when the map changes.
    pub(crate) fn on_edit(&self) -> OnEdit {
        if self.pruning.is_none() { OnEdit::Follows } else { OnEdit::Repairs }
    }

    pub(crate) fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.grid.apply(edits)?;
        if !self.pruning.is_none() {
            self.pruning.rebuild(&self.grid);
        }
        Ok(())
    }

    /// The gates as a query sees them, if there are any.
    pub(crate) fn gates(&self, query: Query) -> Option<GateQuery<'_>> {
        self.pruning.gates(&self.grid, query)
    }
}

/// Pruners built for a map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pruning {
    asked: Prune,
    /// Gates are used if a query needs no more than this share of the map.
    gates_pay_below: f64,
    areas: Option<Arc<AreaLookup>>,
    gates: Option<Arc<Gates>>,
}

impl Pruning {
    /// Builds the pruners for a map.
    pub(crate) fn build(grid: &Grid, asked: Prune, gates_pay_below: f64) -> Self {
        let areas = asked.areas.map(|_| BlockedAreas::build(grid));
        let gates = asked.gates.map(|_| Gates::build(grid));
        Self::with(grid, asked, gates_pay_below, areas, gates)
    }

    /// Takes them from index files where there are any of their kind.
    fn build_from(grid: &Grid, asked: Prune, gates_pay_below: f64, indexes: &Indexes) -> Result<Self, ArtifactError> {
        let read_areas = |_| match indexes.get(blocked_areas::KIND) {
            Some(artifact) => BlockedAreas::from_artifact(artifact, grid),
            None => Ok(BlockedAreas::build(grid)),
        };
        let read_gates = |_| match indexes.get(gates::KIND) {
            Some(artifact) => Gates::from_artifact(artifact, grid),
            None => Ok(Gates::build(grid)),
        };
        let (areas, gates) = (asked.areas.map(read_areas).transpose()?, asked.gates.map(read_gates).transpose()?);
        Ok(Self::with(grid, asked, gates_pay_below, areas, gates))
    }

    fn with(
        grid: &Grid,
        asked: Prune,
        gates_pay_below: f64,
        areas: Option<BlockedAreas>,
        gates: Option<Gates>,
    ) -> Self {
        let look_up = |(areas, lookup)| Arc::new(AreaLookup::new(grid, areas, lookup));
        let areas = areas.zip(asked.areas).map(look_up);
        let is_used = |gates: &Gates| asked.gates == Some(GateUse::Always) || gates.share() <= gates_pay_below;
        Self { asked, gates_pay_below, areas, gates: gates.filter(is_used).map(Arc::new) }
    }

    /// Builds them again for a map that has changed.
    pub(crate) fn rebuild(&mut self, grid: &Grid) {
        *self = Self::build(grid, self.asked, self.gates_pay_below);
    }

    /// Whether no pruner was asked for.
    pub(crate) fn is_none(&self) -> bool {
        self.asked == Prune::default()
    }

    /// The gates as a query sees them, if there are any.
    pub(crate) fn gates(&self, grid: &Grid, query: Query) -> Option<GateQuery<'_>> {
        self.gates.as_ref().map(|gates| gates.query(grid, query.start, query.goal))
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let areas = self.areas.as_ref().map_or(0, |areas| areas.size_bytes());
        areas + self.gates.as_ref().map_or(0, |gates| gates.size_bytes())
    }

    /// Calls `with` with the pruners as a query sees them.
    pub(crate) fn query<W: WithPruner>(&self, grid: &Grid, query: Query, with: W) -> W::Output {
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
