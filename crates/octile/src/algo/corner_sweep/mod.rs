//! Corner sweep: jump point search over [bit planes](crate::grid) that know the corners.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: bit planes, 0.6 ms for 512 x 512 cells; follows edits at a cost
//!   proportional to them.
//! - **Complexity**: as [`jps`](super::jps): time O(n log n) for n cells, in practice a small share of them; scratch O(n); planes of
//!   4.5 bytes a cell.
//! - **References**: none. It is jump point search without diagonal nodes (Harabor & Grastien 2011, 2014), with everything that
//!   does not depend on the query kept in bits.
//!
//! A jump point is a corner of an obstacle. From one, the search sweeps a quadrant: along the two straight directions, and from
//! every cell of the diagonal between them. Where [`jps`](super::jps) walks that diagonal cell by cell and scans rows and columns
//! at each, the planes have a word for the next 64 cells of the diagonal that says which of their scans end at a corner: only
//! those are made, and none is made in vain. The word is the vector: instructions for wider ones gain nothing here.
//!
//! # Example
//! ```
//! use octile::{Cell, Grid, Octile, Path, Planner, Query, algo::corner_sweep::CornerSweep};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let planner = CornerSweep::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(0, 2), Cell::new(2, 2)), &mut path)?;
//! assert_eq!(path.cost(), Octile::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;

use std::fmt;
use std::sync::Arc;

use self::cache::{Cache, Changes, Remember};
use super::jump_points::{self, JumpScratch, Scan};
use super::{Entry, IndexEffort, Key};
use crate::error::{BuildError, EditError, SpecError};
use crate::grid::Movement;
use crate::grid::planes::Planes;
use crate::planner::{Guarantee, OnEdit, Planner, Query};
use crate::probe::Probe;
use crate::prune::{GATES_USE_KEY, PRUNE_GATES_KEY, Prune, Terrain};
use crate::spec::Options;
use crate::{Edits, Finder, Grid, Path};

/// The line of [`CornerSweep`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "corner-sweep",
    summary: "jump point search over bit planes: 64 cells of a diagonal at a time",
    guarantee: |_| Guarantee::GridOptimal,
    index: IndexEffort::None,
    movements: |_| &[Movement::Octile],
    keys: &[CACHE_KEY, PRUNE_GATES_KEY, GATES_USE_KEY],
    paper: "new, after Harabor & Grastien 2011, 2014",
    variants: &["corner-sweep:cache=on", "corner-sweep:cache=on,prune=gates,gates=always"],
    check: |options| Prune::gates_from_options(options).and(is_cached(options)).map(drop),
    indexes: |options| Prune::gates_from_options(options).unwrap_or_default().index_kinds(),
    build: |grid, options| {
        let prune = Prune::gates_from_options(options)?;
        let terrain = Terrain::from_options(grid, prune, GATES_PAY_BELOW, options)?;
        let sweep = CornerSweep { terrain, planes: Arc::new(Planes::build(grid)), changes: None };
        Ok(Finder::from_planner(if is_cached(options)? { sweep.cached() } else { sweep }))
    },
};

const CACHE_KEY: Key = Key {
    name: "cache",
    takes: "on or off",
    help: "whether to remember from one query to the next what comes after each corner; off unless told",
};

/// The value of the key `cache`.
fn is_cached(options: &Options) -> Result<bool, SpecError> {
    let cache = options.value(CACHE_KEY.name, |value| match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    })?;
    Ok(cache.unwrap_or(false))
}

/// Corner sweep.
#[derive(Clone, Debug)]
pub struct CornerSweep {
    terrain: Terrain,
    planes: Arc<Planes>,
    /// If scratches have caches.
    changes: Option<Arc<Changes>>,
}

/// Gates pay unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.4;

impl CornerSweep {
    /// A planner for `grid`.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &[Movement::Octile])?;
        let terrain = Terrain::new(grid, Prune::default(), GATES_PAY_BELOW);
        Ok(Self { terrain, planes: Arc::new(Planes::build(grid)), changes: None })
    }

    /// The same, with a cache in every scratch: what comes after a corner is remembered from one query to the next. An edit drops
    /// what it touches.
    #[must_use]
    pub fn cached(self) -> Self {
        let changes = Some(Arc::new(Changes::new(self.grid())));
        Self { changes, ..self }
    }
}

impl Planner for CornerSweep {
    type Scratch = CornerScratch;

    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.terrain.grid
    }

    fn create_scratch(&self) -> CornerScratch {
        let cache = self.changes.as_ref().map(|changes| Cache::new(self.grid(), changes));
        CornerScratch { jumps: JumpScratch::new(self.grid(), &*self.planes), cache }
    }

    fn accepts(&self, scratch: &CornerScratch) -> bool {
        scratch.jumps.fits(self.grid())
    }

    fn search<P: Probe + ?Sized>(
        &self,
        scratch: &mut CornerScratch,
        query: Query,
        out: &mut Path,
        probe: &mut P,
    ) -> bool {
        let (grid, gates, planes) = (self.grid(), self.terrain.gates(query), &*self.planes);
        let CornerScratch { jumps, cache } = scratch;
        match &self.changes {
            None => jump_points::search(grid, gates, (planes, Scan), jumps, query, out, probe),
            Some(changes) => {
                let cache = cache.get_or_insert_with(|| Cache::new(grid, changes));
                cache.follow(changes);
                let remember = Remember { cache, changes, grid };
                jump_points::search(grid, gates, (planes, remember), jumps, query, out, probe)
            }
        }
    }

    fn on_edit(&self) -> OnEdit {
        self.terrain.on_edit()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.terrain.apply(edits)?;
        Arc::make_mut(&mut self.planes).apply(&self.terrain.grid, edits);
        if let Some(changes) = &mut self.changes {
            Arc::make_mut(changes).apply(edits);
        }
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.terrain.pruning.size_bytes() + self.planes.size_bytes()
    }
}

/// Working memory of [`CornerSweep`]: one per thread, reused between queries.
pub struct CornerScratch {
    jumps: JumpScratch,
    cache: Option<Cache>,
}

impl fmt::Debug for CornerScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CornerScratch").field("jumps", &self.jumps).finish_non_exhaustive()
    }
}
