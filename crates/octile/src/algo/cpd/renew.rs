//! Renews a database after edits of its map: searches only for the rows that the edits can have made wrong, and takes
//! the others from the database before them.
//!
//! # Which rows stay valid
//!
//! A cell is *common* if it is free on both maps, before and after the edits. The *rim* is the common cells whose legal
//! moves have changed. A row is kept if its source is a common cell outside of the rim, and all its symbols are valid
//! on the map of today. The search for rows that are not starts with the rim as targets and goes on to their
//! neighbours:
//!
//! 1. For a target, two searches find its cost from every cell, one on each map. Moves can be made backwards at the
//!    same cost, so these are the costs from every source to the target.
//! 2. A source is *touched* by the target if the cost has changed for the source or for a neighbour of it. The optimal
//!    first moves of a source that is not touched are the same on both maps: they follow from these costs and from the
//!    legal moves of the source, which have not changed outside of the rim.
//! 3. For a touched source, the optimal first moves on the map of today follow from the costs. If they do not include
//!    the one in the row, the row must be built again.
//! 4. If a source whose row is still kept is touched, the common neighbours of the target are targets too.
//!
//! When no target is left, every kept row is valid for all common targets. Proof: let a source be touched by a target
//! `t`, because the cost between `t` and a cell `s` has changed, where `s` is the source or its neighbour. Assume that
//! it has grown. A shortest path from `s` to `t` on the old map then uses a move that is no longer legal. Let `v` be
//! the cell behind the last such move. It is `t`, or a legal move leads on from it, so it is a common cell, and it is
//! in the rim. From any cell `x` of the path from `v` on, the rest of the path is legal on both maps. If the cost from
//! `s` to `x` had not grown, neither would that to `t`. So all these cells touch the source: `v` is a target from the
//! beginning, and each cell makes the next one a target as long as the row is kept. So `t` was a target, and step 3 has
//! looked at the row. If the cost has become less, the same holds for a shortest path on the map of today and its last
//! new move.
//!
//! A freed cell is a target that no row knows: one search finds the first moves to it from everywhere. Where the symbol
//! that the row has at its place is not valid, the row gets a record for it. Closed cells are never looked up. Freed
//! and closed sources get and lose their row.
//!
//! # What it costs
//!
//! On the maps of the paper an edit of a few cells makes less than one row in ten wrong, and most rows that become
//! wrong are those of cells close to the edit or in line with it. The number of targets depends on the map: an edit
//! that makes all paths through a corridor longer touches all cells behind it. So the number of searches is limited,
//! and a renewal that needs more builds all rows.
//!
//! A kept row may return another optimal move than a new one would, and the order of targets is that of the database
//! before, with freed cells behind a neighbour. So a renewed file differs from one that is built for the map, and is a
//! little larger. Both hold optimal first moves for all pairs of cells.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::build::{BuiltRow, Worker};
use super::file::Database;
use super::layout::{self, Lookup, Plan};
use super::moves::{ANY, FirstMoves};
use super::symbols::symbols_of;
use super::{Builder, Layout};
use crate::artifact::ArtifactWriter;
use crate::geometry::{Cell, CellId, Dir, GridCost, order};
use crate::grid::Grid;
use crate::kernels::workers::Workers;
use crate::planner::{BuildError, BuiltIndex, is_set};

/// A renewed database.
#[non_exhaustive]
pub struct Renewed {
    /// The file.
    pub file: ArtifactWriter<'static>,
    /// The searches that found out which rows stay valid, and the first moves to freed cells.
    pub searches: u64,
    /// The rows that were built again, or for the first time, with a search for each.
    pub built: u32,
    /// All rows.
    pub rows: u32,
}

/// How many searches a renewal may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searches {
    /// To find out which rows stay valid, and the first moves to freed cells.
    pub(super) to_find: u64,
    /// With those of the rows that are built.
    pub(super) in_all: u64,
}

/// The share of the searches of a whole build that a renewal may take to find out which rows stay valid. A renewal that
/// would take more is given up, and delays the build of all rows by no more than that.
const SHARE_TO_FIND: u64 = 16;

/// On small maps it may take this many.
const LEAST_TO_FIND: u64 = 64;

impl Builder {
    /// How many searches an [engine](crate::Engine::renew) allows to find out which rows stay valid: a sixteenth of
    /// those of a whole build, or 64.
    ///
    /// ```
    /// use octile::algo::cpd::{Builder, Settings};
    /// let builder = Builder::new(&octile::Grid::open(100, 100)?, Settings::default())?;
    /// assert_eq!(builder.searches_to_renew(), 625);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn searches_to_renew(&self) -> u64 {
        (u64::from(self.sources()) / SHARE_TO_FIND).max(LEAST_TO_FIND)
    }

    /// Renews a database that was built for the map before some edits: builds only the rows that the edits can have
    /// made wrong, and takes the others from the earlier file. The result has an optimal first move for every pair of
    /// cells, as a new database has, but not always the same one.
    ///
    /// `None` if it would take more than `most` searches to find out which rows stay valid, or if the file is of
    /// another layout than runs and rectangles, or has shared rows or other settings, or is damaged, or its map has
    /// another size or movement rule: then [build](Builder::part) all rows.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use octile::algo::cpd::{Builder, CpdPlanner, Settings};
    /// use octile::artifact::Artifact;
    /// use octile::planner::{BuiltIndex, Indexes};
    /// use octile::{Build, Cpd, Edits, Engine, Grid};
    /// let old: Grid = ".........\n.@@.@@@..\n.........\n.........".parse()?;
    /// let builder = Builder::new(&old, Settings::default())?;
    /// let file = Arc::new(Artifact::from_bytes(builder.part(0..builder.sources(), &|| {})?.finish().into())?);
    ///
    /// let mut grid = old.clone();
    /// grid.apply(Edits::new().block((8, 3)))?;
    /// let earlier = BuiltIndex::new(file, old.clone());
    /// let renewed = Builder::new(&grid, Settings::default())?.renew(&earlier, u64::MAX, &|| {})?.expect("it is runs");
    /// assert!(renewed.built < renewed.rows);
    ///
    /// let indexes = Indexes::from([Artifact::from_bytes(renewed.file.finish().into())?]);
    /// let engine = Engine::from_planner(CpdPlanner::build(Build::new(&grid).with(indexes), &Cpd::default())?);
    /// assert_eq!(engine.find((0, 0), (3, 2))?.unwrap().cost().to_string(), "5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the rows exceed the size of a file, or the [limit](Builder::within).
    pub fn renew(
        &self,
        earlier: &BuiltIndex,
        most: u64,
        on_row: &(dyn Fn() + Sync),
    ) -> Result<Option<Renewed>, BuildError> {
        self.renew_until(earlier, Searches { to_find: most, in_all: u64::MAX }, on_row, None)
    }

    /// As [`renew`](Builder::renew), but stops when a flag is set.
    pub(super) fn renew_until(
        &self,
        earlier: &BuiltIndex,
        most: Searches,
        on_row: &(dyn Fn() + Sync),
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<Renewed>, BuildError> {
        let Some(before) = Before::open(self, earlier) else { return Ok(None) };
        let Some(targets) = Targets::new(&before, &self.grid) else { return Ok(None) };
        let survey = Survey::new(&before, &self.grid, most.to_find, cancel);
        let freed: Vec<CellId> = targets.freed.iter().map(|(_, id)| *id).collect();
        let Some(to_freed) = survey.moves_to(&freed)? else { return Ok(None) };
        let Some(is_built) = survey.rows_to_build()? else { return Ok(None) };
        let searches = survey.searches.into_inner();
        let to_build = self.sources.iter().filter(|source| is_built[source.index()]).count();
        if searches + to_build as u64 > most.in_all {
            return Ok(None);
        }
        let builder = Self { targets: targets.order, sources: self.sources.clone(), grid: self.grid.clone(), ..*self };
        let (plan, built) = (builder.plan(), AtomicU32::new(0));
        let splicer = Splicer { before: &before, plan: &plan, moved: &targets.moved, freed: &targets.freed, to_freed };
        let rows = builder.rows(
            &builder.sources,
            || None,
            |worker, source| {
                let kept = if is_built[source.index()] { None } else { splicer.row(source) };
                kept.unwrap_or_else(|| {
                    built.fetch_add(1, Ordering::Relaxed);
                    worker.get_or_insert_with(|| Worker::new(&plan)).row(source)
                })
            },
            on_row,
            cancel,
        )?;
        let (file, rows) = (builder.file(0..builder.sources(), rows), builder.sources());
        Ok(Some(Renewed { file, searches, built: built.load(Ordering::Relaxed), rows }))
    }
}

/// A database of an earlier map.
struct Before {
    database: Database,
    lookup: Lookup,
    grid: Grid,
}

impl Before {
    /// `None` if it cannot be renewed.
    fn open(builder: &Builder, BuiltIndex { file, grid }: &BuiltIndex) -> Option<Self> {
        let shape = |grid: &Grid| (grid.width(), grid.height(), grid.movement());
        if shape(grid) != shape(&builder.grid) {
            return None;
        }
        let database = Database::open(Arc::clone(file), grid).ok()?;
        let lookup = Lookup::new(database.settings.layout, database.widths);
        let splices = matches!(database.settings.layout, Layout::Runs | Layout::Rectangles);
        let splices = splices && !database.settings.shared;
        (splices && database.settings == builder.settings).then(|| Self { database, lookup, grid: grid.clone() })
    }

    /// The symbol of a row for a target; `None` if the file is damaged.
    fn symbol(&self, source: Cell, target: Cell) -> Option<u8> {
        let view = self.database.view();
        self.lookup.symbol(view.row(view.place(source))?, &view.target(target)?)
    }
}

/// The order of the targets, which is that of the earlier database.
struct Targets {
    order: Vec<CellId>,
    /// The new rank of each old one: that of the next cell if the cell is closed. One more for the end.
    moved: Vec<u32>,
    /// The freed cells with their ranks, in order.
    freed: Vec<(u32, CellId)>,
}

impl Targets {
    /// `None` if the file is damaged, or has no targets.
    fn new(before: &Before, now: &Grid) -> Option<Self> {
        let Before { database, grid: then, .. } = before;
        let ranks = database.view().ranks(then.free_cells())?;
        let last = ranks.len().checked_sub(1)? as u32;
        let mut order = vec![None; ranks.len()];
        // Each freed cell comes after the first of its neighbours, free or freed.
        let mut rank_of = vec![u32::MAX; now.padded_cells()];
        for (cell, &rank) in then.cells().filter(|&cell| then.is_free(cell)).zip(&ranks) {
            *order.get_mut(rank as usize)? = Some(then.id(cell));
            rank_of[then.id(cell).index()] = rank;
        }
        let mut after: Vec<(u32, CellId)> = Vec::new();
        for cell in now.cells().filter(|&cell| now.is_free(cell) && !then.is_free(cell)) {
            let id = now.id(cell);
            let neighbours = around(now, id).map(|near| rank_of[near.index()]);
            let rank = neighbours.min().filter(|&rank| rank <= last).unwrap_or(last);
            rank_of[id.index()] = rank;
            after.push((rank, id));
        }
        order::stable_by_key(&mut after, |(rank, _)| *rank);
        let (mut new, mut moved, mut freed) = (Vec::new(), Vec::new(), Vec::new());
        let mut after = after.into_iter().peekable();
        for (rank, id) in (0..).zip(order) {
            let id = id?;
            moved.push(new.len() as u32);
            if now.is_free(now.cell(id)) {
                new.push(id);
            }
            while let Some((_, id)) = after.next_if(|(after, _)| *after == rank) {
                freed.push((new.len() as u32, id));
                new.push(id);
            }
        }
        moved.push(new.len() as u32);
        Some(Self { order: new, moved, freed })
    }
}

/// The ids of the cells around a cell, which may be beyond the edge of the map.
fn around(grid: &Grid, id: CellId) -> impl Iterator<Item = CellId> {
    grid.id_steps().into_iter().map(move |step| CellId(id.0.wrapping_add(step)))
}

/// Finds the rows that must be built.
struct Survey<'a> {
    before: &'a Before,
    now: &'a Grid,
    /// The cells that are free on both maps, by padded id.
    is_common: Vec<bool>,
    /// The searches so far, and the most that there may be.
    searches: AtomicU64,
    most: u64,
    cancel: Option<&'a AtomicBool>,
}

/// What a target says of the rows.
struct Verdict {
    /// The sources whose rows must be built.
    to_build: Vec<CellId>,
    /// Whether it touches the source of a row that is kept.
    touches_kept: bool,
}

/// The costs of paths between a target and all cells, on both maps. One per thread.
struct TargetScratch<'a> {
    then: FirstMoves<'a>,
    now: FirstMoves<'a>,
    costs_then: Vec<Option<GridCost>>,
    costs_now: Vec<Option<GridCost>>,
    /// The last target for which each source was examined.
    examined: Vec<u32>,
}

impl<'a> Survey<'a> {
    fn new(before: &'a Before, now: &'a Grid, most: u64, cancel: Option<&'a AtomicBool>) -> Self {
        let mut is_common = vec![false; now.padded_cells()];
        for cell in now.cells().filter(|&cell| now.is_free(cell) && before.grid.is_free(cell)) {
            is_common[now.id(cell).index()] = true;
        }
        Self { before, now, is_common, searches: AtomicU64::new(0), most, cancel }
    }

    /// Counts searches before they are made. Returns whether they may be made.
    fn may_search(&self, count: usize) -> Result<bool, BuildError> {
        if is_set(self.cancel) {
            return Err(BuildError::Cancelled);
        }
        let done = self.searches.fetch_add(count as u64, Ordering::Relaxed);
        Ok(done + count as u64 <= self.most)
    }

    /// By freed cell, the optimal first moves that lead there, by padded id; `None` if that takes too many searches.
    fn moves_to(&self, freed: &[CellId]) -> Result<Option<Vec<Vec<u8>>>, BuildError> {
        if !self.may_search(freed.len())? {
            return Ok(None);
        }
        let worker = || (FirstMoves::new(self.now), vec![None; self.now.padded_cells()]);
        let moves = |(search, costs): &mut (FirstMoves<'_>, Vec<_>), target: CellId| {
            search.costs(target, costs);
            (0..costs.len() as u32).map(|id| moves_towards(self.now, costs, CellId(id))).collect()
        };
        Ok(Some(Workers::new().map(freed, worker, moves)))
    }

    /// Whether each row must be built, by padded id; `None` if that takes too many searches.
    fn rows_to_build(&self) -> Result<Option<Vec<bool>>, BuildError> {
        let (then, now) = (&self.before.grid, self.now);
        let is_changed = |id: &CellId| then.moves_of(*id) != now.moves_of(*id);
        let ids = || (0..now.padded_cells() as u32).map(CellId);
        let mut is_built: Vec<bool> = ids().map(|id| !self.is_common[id.index()] || is_changed(&id)).collect();
        let mut targets: Vec<CellId> = ids().filter(|id| self.is_common[id.index()] && is_changed(id)).collect();
        let mut is_target: Vec<bool> = is_built.clone();
        let workers = Workers::new();
        while !targets.is_empty() {
            if !self.may_search(2 * targets.len())? {
                return Ok(None);
            }
            let verdicts =
                workers.map(&targets, || self.scratch(), |scratch, target| self.verdict(scratch, target, &is_built));
            let mut next = Vec::new();
            for (&target, Verdict { to_build, touches_kept }) in targets.iter().zip(verdicts) {
                for source in to_build {
                    is_built[source.index()] = true;
                }
                let near = around(now, target).filter(|_| touches_kept);
                next.extend(near.filter(|id| !std::mem::replace(&mut is_target[id.index()], true)));
            }
            targets = next;
        }
        Ok(Some(is_built))
    }

    fn scratch(&self) -> TargetScratch<'a> {
        let cells = self.now.padded_cells();
        TargetScratch {
            then: FirstMoves::new(&self.before.grid),
            now: FirstMoves::new(self.now),
            costs_then: vec![None; cells],
            costs_now: vec![None; cells],
            examined: vec![u32::MAX; cells],
        }
    }

    /// Looks at the rows of all sources that a target touches, except for those that are built anyway.
    fn verdict(&self, scratch: &mut TargetScratch<'a>, target: CellId, is_built: &[bool]) -> Verdict {
        let TargetScratch { then, now, costs_then, costs_now, examined } = scratch;
        then.costs(target, costs_then);
        now.costs(target, costs_now);
        let mut verdict = Verdict { to_build: Vec::new(), touches_kept: false };
        for id in 0..costs_then.len() {
            if costs_then[id] == costs_now[id] || !self.is_common[id] {
                continue;
            }
            let changed = CellId(id as u32);
            for source in around(self.now, changed).chain([changed]) {
                let is_seen = std::mem::replace(&mut examined[source.index()], target.0) == target.0;
                if is_seen || is_built[source.index()] {
                    continue;
                }
                if self.is_valid(source, target, moves_towards(self.now, costs_now, source)) {
                    verdict.touches_kept = true;
                } else {
                    verdict.to_build.push(source);
                }
            }
        }
        verdict
    }

    /// Whether the symbol of a row for a target is valid on the map of today, where these first moves are optimal.
    fn is_valid(&self, source: CellId, target: CellId, moves: u8) -> bool {
        let settings = self.before.database.settings;
        let (from, to) = (self.now.cell(source), self.now.cell(target));
        let right = symbols_of((settings.ties, settings.heuristic), (from, self.now.moves_of(source)), to, moves);
        moves == ANY || self.before.symbol(from, to).is_some_and(|symbol| right >> symbol & 1 == 1)
    }
}

/// The optimal first moves from a cell towards a target, given the costs of paths from there; [`ANY`] if there are
/// none.
fn moves_towards(grid: &Grid, costs: &[Option<GridCost>], from: CellId) -> u8 {
    let Some(cost) = costs[from.index()].filter(|&cost| cost != GridCost::default()) else { return ANY };
    let leads_on = |dir: &Dir| {
        let next = CellId(from.0.wrapping_add(grid.id_steps()[*dir as usize]));
        costs[next.index()].is_some_and(|rest| rest + GridCost::of_steps(*dir, 1) == cost)
    };
    grid.moves_of(from).into_iter().filter(leads_on).fold(0, |set, dir| set | 1 << dir as u8)
}

/// Makes rows from those of the earlier database.
struct Splicer<'a> {
    before: &'a Before,
    plan: &'a Plan<'a>,
    moved: &'a [u32],
    freed: &'a [(u32, CellId)],
    /// By freed cell, the optimal first moves that lead there, by padded id.
    to_freed: Vec<Vec<u8>>,
}

impl Splicer<'_> {
    /// `None` if the row is damaged.
    fn row(&self, source: CellId) -> Option<BuiltRow> {
        let Plan { grid, settings, .. } = *self.plan;
        let (view, from) = (self.before.database.view(), grid.cell(source));
        let row = view.row(view.place(from))?;
        let rule = (settings.ties, settings.heuristic);
        let freed = self.freed.iter().zip(&self.to_freed).map(|(&(rank, id), moves)| {
            let cell = grid.cell(id);
            (rank, cell, symbols_of(rule, (from, grid.moves_of(source)), cell, moves[source.index()]))
        });
        let mut bytes = Vec::new();
        let counts = match (self.before.lookup, &self.plan.areas) {
            (Lookup::Runs(lookup), _) => {
                let freed = freed.map(|(rank, _, right)| (rank, right));
                layout::runs::splice(&lookup.runs(row)?, self.moved, freed, &mut bytes)?
            }
            (Lookup::Rectangles(_), Some(areas)) => {
                let freed = freed.map(|(_, cell, right)| (cell, right));
                layout::rectangles::splice(row, areas, self.plan.widths, freed, &mut bytes)?
            }
            _ => return None,
        };
        Some((bytes, counts))
    }
}
