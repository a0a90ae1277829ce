//! The table of planners and of their indexes: the only place that knows all of them; specs, which name them; and the
//! choice among them.

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

/// Every planner there is. To add one, add its line.
const PLANNERS: [Entry; 19] = [
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

/// Every kind of index that a file can hold.
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

/// A table of planners and of indexes, that can be extended by planners of one's own.
///
/// ```
/// use octile::{Catalog, Jps};
/// let catalog = Catalog::standard();
/// assert_eq!(catalog.planner("jps")?.about().paper, "Harabor & Grastien 2011, 2014");
/// let spec = catalog.parse("jps:prune=gates")?;
/// assert_eq!(spec.index_kinds(), ["gates"]);
/// // A planner of your own takes its place with `.with(MyPlanner::ENTRY)`.
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
    /// The planners and indexes of this library.
    pub fn standard() -> Self {
        Self { planners: PLANNERS.to_vec(), indexes: INDEXES.to_vec() }
    }

    /// No planner and no index.
    pub fn empty() -> Self {
        Self { planners: Vec::new(), indexes: Vec::new() }
    }

    /// The same with one more planner. One of the same name that was there gives way.
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

    /// The same with one more kind of index. One of the same kind that was there gives way.
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

    /// The planner of a name.
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
    /// If there is none.
    pub fn planner(&self, name: &str) -> Result<Entry, SpecError> {
        let known = || self.planners.iter().map(Entry::name).collect();
        let found = self.planners.iter().find(|entry| entry.name() == name);
        found.copied().ok_or_else(|| SpecError::unknown_planner(name, known()))
    }

    /// The index of a kind.
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
    /// If there is none.
    pub fn index(&self, kind: &str) -> Result<IndexKind, UnknownKind> {
        let known = || self.indexes.iter().map(|index| index.kind).collect::<Vec<_>>();
        let found = self.indexes.iter().find(|index| index.kind == kind);
        found.copied().ok_or_else(|| {
            let known = known();
            UnknownKind { kind: kind.to_owned(), suggestion: nearest(kind, &known), known }
        })
    }

    /// Reads a spec: `name` or `name:key=value,...`.
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
    /// If a name, a key or a value is not known, or values do not go together.
    pub fn parse(&self, spec: &str) -> Result<PlannerSpec, SpecError> {
        PlannerSpec::parse(spec, self)
    }

    /// The specs under which suites run a planner: the bare name if that is a whole spec, and its variants.
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

    /// Those of a planner's [`specs`](Catalog::specs) that work under a movement rule.
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

/// The standard catalog, for specs that are read without one.
static STANDARD: LazyLock<Catalog> = LazyLock::new(Catalog::standard);

/// No index has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of index `{kind}`{suggestion}; known kinds: {}", .known.join(", "))]
pub struct UnknownKind {
    /// The name as given.
    pub kind: String,
    /// What may have been meant.
    pub suggestion: Suggestion,
    /// The kinds there are.
    pub known: Vec<&'static str>,
}
