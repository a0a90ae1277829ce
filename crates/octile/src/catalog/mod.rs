//! The catalog: the table of planners and index kinds, and the only module that knows all of them; specs, which name
//! planners; and the choice of a planner for a map.

pub mod advise;
mod auto;
mod lasting;
mod spec;

use std::sync::LazyLock;

pub use self::auto::{Auto, Paths};
pub(crate) use self::lasting::lasting_shared;
pub use self::spec::{COMMON_KEYS, PlannerSpec, UnusedIndex};
use crate::algo::astar::{Astar, WeightedAstar};
use crate::algo::block_astar::{BlockAstar, lddb};
use crate::algo::blocked_areas;
use crate::algo::core_search::CoreSearch;
use crate::algo::core_table::{self, CoreTable};
use crate::algo::corner_sweep::CornerSweep;
use crate::algo::cpd::{self, Cpd};
use crate::algo::dijkstra::Dijkstra;
use crate::algo::hub_labels::{self, HubLabels};
use crate::algo::jps::Jps;
use crate::algo::jump_graph::JumpGraph;
use crate::algo::rea_star::ReaStar;
use crate::algo::taut_graph::TautGraph;
use crate::algo::taut_labels::{self, TautLabels};
use crate::algo::taut_sight::TautSight;
use crate::algo::terrain_jump::TerrainJump;
use crate::algo::theta_star::{LazyThetaStar, ThetaStar};
use crate::grid::Movement;
use crate::kernels::gates;
use crate::planner::{Entry, IndexKind, SpecError, Suggestion, nearest};

/// All planners. To add one, add its line.
const PLANNERS: &[Entry] = &[
    Dijkstra::ENTRY,
    Astar::ENTRY,
    WeightedAstar::ENTRY,
    Jps::ENTRY,
    CornerSweep::ENTRY,
    JumpGraph::ENTRY,
    CoreSearch::ENTRY,
    TerrainJump::ENTRY,
    ReaStar::ENTRY,
    ThetaStar::ENTRY,
    LazyThetaStar::ENTRY,
    BlockAstar::ENTRY,
    TautGraph::ENTRY,
    TautSight::ENTRY,
    TautLabels::ENTRY,
    Cpd::ENTRY,
    HubLabels::ENTRY,
    CoreTable::ENTRY,
    Auto::ENTRY,
];

/// All kinds of index that a file can hold.
const INDEXES: [IndexKind; 10] = {
    let [tile, octile, any_angle, no_squeeze] = lddb::file::INDEXES;
    [
        blocked_areas::INDEX,
        gates::INDEX,
        tile,
        octile,
        any_angle,
        no_squeeze,
        cpd::INDEX,
        hub_labels::INDEX,
        core_table::INDEX,
        taut_labels::INDEX,
    ]
};

/// A table of planners and index kinds, which you can extend with your own planners.
///
/// ```
/// use octile::{Catalog, Jps};
/// let catalog = Catalog::standard();
/// assert_eq!(catalog.planner("jps")?.about().paper, "Harabor & Grastien 2011, 2014");
/// let spec = catalog.parse("jps:prune=gates")?;
/// assert_eq!(spec.index_kinds(), ["gates"]);
/// // Add your own planner with `.with(MyPlanner::ENTRY)`.
/// let few = Catalog::empty().with(Jps::ENTRY);
/// assert!(few.parse("astar").is_err());
/// # Ok::<(), octile::planner::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalog {
    planners: Vec<Entry>,
    indexes: Vec<IndexKind>,
}

impl Catalog {
    /// The catalog of this library's planners and indexes.
    pub fn standard() -> Self {
        Self { planners: PLANNERS.to_vec(), indexes: INDEXES.to_vec() }
    }

    /// A catalog without planners and indexes.
    pub fn empty() -> Self {
        Self { planners: Vec::new(), indexes: Vec::new() }
    }

    /// The same catalog with one more planner. It replaces a planner with the same name.
    ///
    /// ```
    /// use octile::{Astar, Catalog, Jps};
    /// let catalog = Catalog::empty().with(Jps::ENTRY).with(Astar::ENTRY).with(Jps::ENTRY);
    /// assert!(catalog.planners().iter().map(|entry| entry.name()).eq(["jps", "astar"]));
    /// ```
    #[must_use]
    pub fn with(mut self, planner: Entry) -> Self {
        match self.planners.iter_mut().find(|known| known.name() == planner.name()) {
            Some(known) => *known = planner,
            None => self.planners.push(planner),
        }
        self
    }

    /// The same catalog with one more kind of index. It replaces an index with the same kind.
    ///
    /// ```
    /// use octile::Catalog;
    /// let gates = Catalog::standard().index("gates")?;
    /// let catalog = Catalog::empty().with_index(gates).with_index(gates);
    /// assert!(catalog.indexes().iter().map(|index| index.kind).eq(["gates"]));
    /// # Ok::<(), octile::catalog::UnknownKind>(())
    /// ```
    #[must_use]
    pub fn with_index(mut self, index: IndexKind) -> Self {
        match self.indexes.iter_mut().find(|known| known.kind == index.kind) {
            Some(known) => *known = index,
            None => self.indexes.push(index),
        }
        self
    }

    /// All planners.
    pub fn planners(&self) -> &[Entry] {
        &self.planners
    }

    /// All kinds of index.
    pub fn indexes(&self) -> &[IndexKind] {
        &self.indexes
    }

    /// The planner with this name.
    ///
    /// ```
    /// use octile::Catalog;
    /// let catalog = Catalog::standard();
    /// assert_eq!(catalog.planner("rea-star")?.about().paper, "Zhang, Li & Bi 2016");
    /// assert!(catalog.planner("rea*").unwrap_err().to_string().contains("did you mean `rea-star`?"));
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such planner.
    pub fn planner(&self, name: &str) -> Result<Entry, SpecError> {
        let known = || self.planners.iter().map(Entry::name).collect();
        let found = self.planners.iter().find(|entry| entry.name() == name);
        found.copied().ok_or_else(|| SpecError::unknown_planner(name, known()))
    }

    /// The index of this kind.
    ///
    /// ```
    /// use octile::Catalog;
    /// let catalog = Catalog::standard();
    /// assert!(catalog.index("lddb-tile")?.is_for_all_maps());
    /// assert!(catalog.index("gate").unwrap_err().to_string().contains("did you mean `gates`?"));
    /// # Ok::<(), octile::catalog::UnknownKind>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn index(&self, kind: &str) -> Result<IndexKind, UnknownKind> {
        let known = || self.indexes.iter().map(|index| index.kind).collect::<Vec<_>>();
        let found = self.indexes.iter().find(|index| index.kind == kind);
        found.copied().ok_or_else(|| {
            let known = known();
            UnknownKind { kind: kind.to_owned(), suggestion: nearest(kind, &known), known }
        })
    }

    /// Parses a spec: `name` or `name:key=value,...`.
    ///
    /// ```
    /// use octile::{Catalog, Jps};
    /// let few = Catalog::empty().with(Jps::ENTRY);
    /// assert_eq!(few.parse("jps:smooth=greedy")?.about().name, "jps");
    /// assert!(few.parse("astar").is_err());
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// If a name, a key or a value is unknown, or values contradict each other.
    pub fn parse(&self, spec: &str) -> Result<PlannerSpec, SpecError> {
        PlannerSpec::parse(spec, self)
    }

    /// The specs with which test suites run a planner: the bare name if it is a complete spec, and the planner's
    /// variants.
    ///
    /// ```
    /// use octile::Catalog;
    /// let catalog = Catalog::standard();
    /// let specs = catalog.specs(&catalog.planner("jps")?);
    /// assert_eq!(specs[0], "jps");
    /// assert!(specs.contains(&"jps:prune=gates"));
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn specs(&self, planner: &Entry) -> Vec<&'static str> {
        let name = planner.name();
        let bare = self.parse(name).is_ok();
        bare.then_some(name).into_iter().chain(planner.about().variants.iter().copied()).collect()
    }

    /// The planner's [`specs`](Catalog::specs) that support a movement rule.
    ///
    /// ```
    /// use octile::{Catalog, Movement};
    /// let catalog = Catalog::standard();
    /// let block_astar = catalog.planner("block-astar")?;
    /// let specs = catalog.specs_for(&block_astar, Movement::Tile);
    /// assert!(specs.contains(&"block-astar:db=tile") && !specs.contains(&"block-astar"));
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn specs_for(&self, planner: &Entry, movement: Movement) -> Vec<&'static str> {
        let supports = |spec: &PlannerSpec| spec.movements().contains(&movement);
        self.specs(planner).into_iter().filter(|spec| self.parse(spec).is_ok_and(|spec| supports(&spec))).collect()
    }
}

impl Default for Catalog {
    fn default() -> Self {
        Self::standard()
    }
}

/// The standard catalog, for specs that are parsed without a catalog.
static STANDARD: LazyLock<Catalog> = LazyLock::new(Catalog::standard);

/// The error for an unknown kind of index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of index `{kind}`{suggestion}; known kinds: {}", .known.join(", "))]
pub struct UnknownKind {
    /// The name as given.
    pub kind: String,
    /// A similar known kind.
    pub suggestion: Suggestion,
    /// The known kinds.
    pub known: Vec<&'static str>,
}
