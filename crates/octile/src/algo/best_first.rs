//! The cell-by-cell best-first search behind [`dijkstra`](super::dijkstra), [`astar`](super::astar) and weighted A\*.
//!
//! They differ only in the heuristic: how much it charges for a straight and for a diagonal step. Expansion is a
//! walk over the legal-move byte of the cell, so all movement rules run through the same code. Costs are integers
//! (`units.rs`): a search starts in 32 bits and starts again in 64 if a cost comes near the limit of exactness.
//!
//! Over terrain the same loop asks [`Fares`] for the price of each move, and the heuristic charges for each step what
//! it costs through the cheapest cells of the map: that is consistent, as no move costs less.

use std::mem;

use crate::algo::pruners::{Prune, Pruned};
use crate::geometry::units::{Cost, Narrow, Units, Wide, Width};
use crate::geometry::{Cell, CellId, Dir, Weight};
use crate::grid::{Edits, Grid, Ground, Movement};
use crate::kernels::cells::{AnyWidth, CLOSED, CellScratch, DIR, FLAG_BITS, Memory, Node, PausedCells};
use crate::kernels::ds::Open;
use crate::kernels::ds::table::Table;
use crate::kernels::fares::{Fares, Plain, with_fares};
use crate::kernels::pause::{NEEDS_WIDE, Pause};
use crate::kernels::prune::{Everywhere, Move, Moves, Pruner, WithPruner};
use crate::kernels::widths::Overflow;
use crate::path::{Output, Path, PathFault};
use crate::planner::{
    AnyGoalQuery, Build, BuildError, Config, EditError, Facts, NoProbe, PathQuery, Planner, PlannerId, Probe, Scratch,
    names,
};

/// What the search believes a straight and a diagonal step towards the goal to cost, as multiples of their real costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Estimate {
    /// Nothing: Dijkstra's search.
    Zero,
    /// The octile distance (under `tile`, the Manhattan distance) times a weight.
    Weighted(Weight),
    /// The length of the straight line.
    Euclidean,
}

impl Estimate {
    /// What it charges for a straight and a diagonal step, given their real prices. Each price is rounded down on its
    /// own: the heuristic is then consistent for the rounded prices, so that the weight bounds the result exactly
    /// although no cell is expanded twice. A straight line costs no more than such steps.
    fn prices(self, movement: Movement, straight: u64, diagonal: u64) -> (u64, u64) {
        let weight = match self {
            Self::Zero => return (0, 0),
            Self::Weighted(weight) => weight,
            Self::Euclidean => Weight::ONE,
        };
        let weigh = |price: u64| price * u64::from(weight.thousandths()) / 1000;
        let straight = weigh(straight);
        (straight, if movement == Movement::Tile { 2 * straight } else { weigh(diagonal) })
    }

    /// What a straight move of a path may look like to cost at most, in units; over terrain, what a length of 1 may.
    fn unit<U: Units>(self, grid: &Grid) -> f64 {
        let weight = if let Self::Weighted(weight) = self { f64::from(weight.thousandths()) / 1000.0 } else { 1.0 };
        U::STRAIGHT.into() as f64 * weight.max(1.0) / grid.ground().map_or(1.0, Ground::count_value)
    }

    /// The most that one step over terrain can add to a cost, with the estimate, in straight moves of price 1.
    fn farthest(self, grid: &Grid, ground: &Ground) -> u64 {
        let (step, side) = (u64::from(ground.greatest_counts()), u64::from(grid.width().max(grid.height())));
        let (straight, diagonal) = self.prices(grid.movement(), 1000, 1415);
        2 * step + straight.max(diagonal).div_ceil(1000) * u64::from(ground.least_counts()) * side
    }

    /// The largest estimate on a map, in narrow units.
    fn largest(self, grid: &Grid) -> u64 {
        let prices = self.prices(grid.movement(), Narrow::STRAIGHT.into(), Narrow::DIAGONAL.into());
        prices.1 * u64::from(grid.width().max(grid.height()))
    }
}

/// An estimate in units, for one goal.
pub(super) trait Heuristic<C>: Copy {
    /// Whether it may drop by more than the price of a move, so that a closed cell may get cheaper.
    fn reopens(&self) -> bool {
        false
    }

    fn h(&self, x: u32, y: u32) -> C;
}

/// Nothing: every way may be the shortest.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoEstimate;

impl<C: Cost> Heuristic<C> for NoEstimate {
    #[inline]
    fn h(&self, _: u32, _: u32) -> C {
        0.into()
    }
}

/// So much for each straight and each diagonal step.
#[derive(Clone, Copy, Debug)]
struct StepPrices<C> {
    goal: Cell,
    straight: C,
    diagonal: C,
}

impl<C: Cost> StepPrices<C> {
    fn new<U: Units<Cost = C>>(estimate: Estimate, grid: &Grid, goal: Cell) -> Self {
        let (straight, diagonal) = estimate.prices(grid.movement(), U::STRAIGHT.into(), U::DIAGONAL.into());
        let times = grid.ground().map_or(1, Ground::least_counts);
        Self { goal, straight: C::of(straight) * times.into(), diagonal: C::of(diagonal) * times.into() }
    }
}

impl<C: Cost> Heuristic<C> for StepPrices<C> {
    #[inline]
    fn h(&self, x: u32, y: u32) -> C {
        let (dx, dy) = (x.abs_diff(self.goal.x), y.abs_diff(self.goal.y));
        let (long, short) = (dx.max(dy), dx.min(dy));
        self.straight * (long - short).into() + self.diagonal * short.into()
    }
}

/// The least of the estimates for many goals.
#[derive(Clone, Copy, Debug)]
struct LeastOf<'a, C> {
    /// For the first of them.
    prices: StepPrices<C>,
    goals: &'a [Cell],
}

impl<C: Cost> Heuristic<C> for LeastOf<'_, C> {
    #[inline]
    fn h(&self, x: u32, y: u32) -> C {
        let to = |&goal: &Cell| StepPrices { goal, ..self.prices }.h(x, y);
        self.goals.iter().map(to).min().unwrap_or_default()
    }
}

/// The length of the straight line, cut off to whole units.
///
/// It is never too high. With prices `A` and `B`, a line of length `l` to a cell that `s` straight and `d` diagonal
/// steps reach has `A l <= A s + A √2 d`, and `A √2 d` exceeds the real price `B d` by less than half a unit on every
/// map there is: cut off, nothing is left of that, nor of the rounding of `f64`.
#[derive(Clone, Copy, Debug)]
struct StraightLine {
    goal: Cell,
    unit: f64,
}

impl StraightLine {
    fn new<U: Units>(goal: Cell) -> Self {
        Self { goal, unit: U::STRAIGHT.into() as f64 }
    }
}

impl<C: Cost> Heuristic<C> for StraightLine {
    /// By a unit, as its ends are cut off each by itself.
    fn reopens(&self) -> bool {
        true
    }

    #[inline]
    fn h(&self, x: u32, y: u32) -> C {
        let (dx, dy) = (f64::from(x.abs_diff(self.goal.x)), f64::from(y.abs_diff(self.goal.y)));
        C::of(((dx * dx + dy * dy).sqrt() * self.unit) as u64)
    }
}

/// Any of those for one goal: for searches that are compiled once.
#[derive(Clone, Copy, Debug)]
enum AnyEstimate<C> {
    Steps(StepPrices<C>),
    StraightLine(StraightLine),
}

impl<C: Cost> Heuristic<C> for AnyEstimate<C> {
    fn reopens(&self) -> bool {
        matches!(self, Self::StraightLine(_))
    }

    fn h(&self, x: u32, y: u32) -> C {
        match self {
            Self::Steps(prices) => prices.h(x, y),
            Self::StraightLine(line) => line.h(x, y),
        }
    }
}

/// Which open list a search uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpenList {
    /// A four-ary heap of packed entries.
    #[default]
    Heap,
    /// Circular buckets half a straight move wide.
    Buckets,
}

names! { OpenList { Heap = "heap", Buckets = "buckets" } }

/// Gates pay unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.77;

/// A planner that goes from cell to cell. Which one it is, its estimate tells.
#[derive(Clone, Debug)]
pub(super) struct BestFirst {
    id: PlannerId,
    facts: Facts,
    map: Pruned,
    estimate: Estimate,
    open: OpenList,
}

impl BestFirst {
    pub(super) fn new(
        config: &dyn Config,
        build: &Build<'_>,
        prune: Prune,
        (estimate, open): (Estimate, OpenList),
    ) -> Result<Self, BuildError> {
        BuildError::check(config, build)?;
        let (id, map) = (PlannerId::new(), Pruned::new(build, prune, GATES_PAY_BELOW)?);
        Ok(Self { id, facts: config.facts(), map, estimate, open })
    }

    /// A\* on a map, on behalf of the planner with this id and facts.
    pub(super) fn standing_in(id: PlannerId, facts: Facts, grid: &Grid) -> Self {
        let estimate = Estimate::Weighted(Weight::ONE);
        Self { id, facts, map: grid.clone().into(), estimate, open: OpenList::Heap }
    }
}

impl Planner for BestFirst {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        &self.map.grid
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(self.id, CellScratch::new(self.grid()))
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let (scratch, way) = (scratch.get(), (self.estimate, self.open));
        if let Some(ground) = self.grid().ground() {
            return search_terrain((self.grid(), ground), self.estimate, scratch, query, out, probe);
        }
        Ok(search_map(&self.map, way, scratch, query, out, probe))
    }

    /// By the least of the estimates, and where pruners do not help: they are for one goal.
    fn search_any(
        &self,
        scratch: &mut Scratch,
        query: AnyGoalQuery<'_>,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Option<Result<Option<usize>, PathFault>> {
        // A search by the straight line may open a cell again, and so end at the wrong one of two goals.
        let estimate = match self.estimate {
            Estimate::Euclidean => Estimate::Weighted(Weight::ONE),
            estimate => estimate,
        };
        let mut search = SearchAny { grid: self.grid(), estimate, query, out, found: None };
        if let Some(ground) = self.grid().ground() {
            return Some(search.run_over_terrain(scratch.get(), ground, probe));
        }
        search.run_in(scratch.get(), probe);
        Some(Ok(search.found))
    }

    fn go_on(&self, scratch: &mut Scratch) {
        scratch.get::<CellScratch>().go_on();
    }

    fn is_stale(&self) -> bool {
        self.map.is_stale()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.map.apply(edits)?;
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.map.pruning.size_bytes()
    }
}

/// Searches a map, but where pruners say not to look.
pub(super) fn search_map(
    Pruned { grid, pruning }: &Pruned,
    (estimate, open): (Estimate, OpenList),
    scratch: &mut CellScratch,
    query: PathQuery,
    out: &mut Path,
    probe: Option<&mut dyn Probe>,
) -> bool {
    let search = Search { grid, estimate, open, query, out, pause: mem::take(&mut scratch.pause) };
    pruning.query(grid, query, Ready { scratch, search, probe })
}

/// Searches a map with prices.
pub(super) fn search_terrain(
    (grid, ground): (&Grid, &Ground),
    estimate: Estimate,
    scratch: &mut CellScratch,
    query: PathQuery,
    out: &mut Path,
    probe: Option<&mut dyn Probe>,
) -> Result<bool, PathFault> {
    let search = Search { grid, estimate, open: OpenList::Heap, query, out, pause: mem::take(&mut scratch.pause) };
    let paused = search.pause.going_on().map_or(Width::Narrow, |paused| paused.width);
    let from = (paused, estimate.farthest(grid, ground));
    let mut search = OverTerrain { search, ground, probe };
    let found = scratch.run_over_terrain(grid, from, &mut search);
    scratch.pause = search.search.pause;
    found.map_err(|Overflow| PathFault::TooDear)
}

/// One query over terrain: compiled for speed without a probe in the units that most queries need.
struct OverTerrain<'a, 'p> {
    search: Search<'a>,
    ground: &'a Ground,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl AnyWidth for OverTerrain<'_, '_> {
    fn run<U: Units<Entry = u64>>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let Self { search, ground, probe } = self;
        let grid = search.grid;
        with_fares!(grid, ground, fares => match probe {
            None if search.is_usual::<U>() => search.run(memory, &Everywhere, &fares, &mut NoProbe),
            None => search.run_rare(memory, &Everywhere, &fares, &mut NoProbe),
            Some(probe) => search.run_watched(memory, &Everywhere, &(&fares as &dyn Fares<U>), *probe),
        })
    }

    fn run_wide(&mut self, memory: &mut Memory<Wide>) -> Result<bool, Overflow> {
        let Self { search, ground, probe } = self;
        let (grid, unwatched): (_, &mut dyn Probe) = (search.grid, &mut NoProbe);
        let probe = match probe {
            Some(probe) => &mut **probe,
            None => unwatched,
        };
        with_fares!(grid, ground, fares => search.run_rare(memory, &Everywhere, &fares, probe))
    }
}

/// One query of a cell-by-cell planner, before its pruners are ready.
struct Ready<'a, 'p> {
    scratch: &'a mut CellScratch,
    search: Search<'a>,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl WithPruner for Ready<'_, '_> {
    type Output = bool;

    /// Compiled for speed without a probe and in 32 bits; the rare cases are compiled once for all pruners.
    fn run<R: Pruner>(self, pruner: &R) -> bool {
        let Self { scratch, mut search, probe } = self;
        let is_wide = search.pause.goes_on(|paused| paused.width == Width::Wide);
        let farthest = u64::from(Narrow::DIAGONAL) + search.estimate.largest(search.grid);
        let farthest = if is_wide { NEEDS_WIDE } else { farthest };
        let (grid, any): (_, &dyn Pruner) = (search.grid, pruner);
        let found = if let Some(probe) = probe {
            watched(scratch, farthest, &mut search, any, probe)
        } else {
            let quick = |search: &mut Search<'_>, memory: &mut Memory<Narrow>| {
                // In small programs it is compiled for speed only if nothing is pruned, by what has no size.
                if cfg!(feature = "small") && size_of::<R>() > 0 || !search.is_usual::<Narrow>() {
                    return search.run_rare(memory, any, &Plain, &mut NoProbe);
                }
                search.run(memory, pruner, &Plain, &mut NoProbe)
            };
            let unwatched: &mut dyn Probe = &mut NoProbe;
            let in_64_bits =
                |search: &mut Search<'_>, memory: &mut Memory<Wide>| search.run_rare(memory, any, &Plain, unwatched);
            scratch.run(grid, farthest, &mut search, quick, in_64_bits)
        };
        scratch.pause = search.pause;
        found
    }
}

fn watched(
    scratch: &mut CellScratch,
    farthest: u64,
    search: &mut Search<'_>,
    pruner: &dyn Pruner,
    probe: &mut dyn Probe,
) -> bool {
    let mut watched = (search, probe);
    scratch.run(
        watched.0.grid,
        farthest,
        &mut watched,
        |(search, probe), memory| search.run_watched(memory, pruner, &Plain, *probe),
        |(search, probe), memory| search.run_rare(memory, pruner, &Plain, *probe),
    )
}

/// One query of a cell-by-cell planner.
struct Search<'a> {
    grid: &'a Grid,
    estimate: Estimate,
    open: OpenList,
    query: PathQuery,
    out: &'a mut Path,
    pause: Pause<PausedCells>,
}

impl Search<'_> {
    /// Whether it is compiled for speed in such units: in small programs, by steps and with a heap, in 32 bits.
    fn is_usual<U: Units>(&self) -> bool {
        let is_usual = U::WIDTH == Width::Narrow && self.estimate != Estimate::Euclidean && self.open == OpenList::Heap;
        !cfg!(feature = "small") || is_usual
    }

    /// Runs it, and returns whether there is a path: compiled for each that [is usual](Search::is_usual).
    fn run<U: Units>(
        &mut self,
        memory: &mut Memory<U>,
        pruner: &(impl Pruner + ?Sized),
        fares: &impl Fares<U>,
        probe: &mut (impl Probe + ?Sized),
    ) -> Result<bool, Overflow> {
        let Self { grid, query, .. } = *self;
        let cost = match self.estimate {
            _ if cfg!(feature = "small") => {
                let prices = StepPrices::new::<U>(self.estimate, grid, query.goal);
                let Memory { nodes, heap, id_bits, .. } = &mut *memory;
                self.find_in(nodes, heap.of_cells::<U>(*id_bits), prices, (pruner, fares), probe)?
            }
            Estimate::Zero => self.find(memory, NoEstimate, (pruner, fares), probe)?,
            Estimate::Euclidean => self.find(memory, StraightLine::new::<U>(query.goal), (pruner, fares), probe)?,
            estimate @ Estimate::Weighted(_) => {
                let prices = StepPrices::new::<U>(estimate, grid, query.goal);
                self.find(memory, prices, (pruner, fares), probe)?
            }
        };
        self.answer(memory, cost)
    }

    /// Runs it watched: in small programs by what is compiled once.
    fn run_watched<U: Units>(
        &mut self,
        memory: &mut Memory<U>,
        pruner: &dyn Pruner,
        fares: &impl Fares<U>,
        probe: &mut dyn Probe,
    ) -> Result<bool, Overflow> {
        if cfg!(feature = "small") {
            self.run_rare(memory, pruner, fares, probe)
        } else {
            self.run(memory, pruner, fares, probe)
        }
    }

    /// Runs it, compiled once for all estimates and open lists.
    fn run_rare<U: Units>(
        &mut self,
        memory: &mut Memory<U>,
        pruner: &dyn Pruner,
        fares: &dyn Fares<U>,
        probe: &mut dyn Probe,
    ) -> Result<bool, Overflow> {
        let (goal, prices) = (self.query.goal, StepPrices::new::<U>(self.estimate, self.grid, self.query.goal));
        let heuristic = match self.estimate {
            Estimate::Euclidean => AnyEstimate::StraightLine(StraightLine::new::<U>(goal)),
            Estimate::Zero | Estimate::Weighted(_) => AnyEstimate::Steps(prices),
        };
        let Memory { nodes, heap, buckets, id_bits, .. } = &mut *memory;
        let (mut heap, mut buckets) = (heap.of_cells::<U>(*id_bits), buckets);
        let open: &mut dyn Open<U> = match self.open {
            OpenList::Heap => &mut heap,
            OpenList::Buckets => &mut buckets,
        };
        let cost = self.find_in(nodes, open, heuristic, (pruner, &fares), probe)?;
        self.answer(memory, cost)
    }

    /// Writes the path of that cost.
    fn answer<U: Units>(&mut self, memory: &Memory<U>, cost: Option<U::Cost>) -> Result<bool, Overflow> {
        let Self { grid, query, .. } = *self;
        let Some(cost) = cost else { return Ok(false) };
        if query.output == Output::Cost {
            self.out.set_cost(U::decode(cost));
        } else {
            let mut trace = self.out.write_back(query.output, query.goal);
            walk_back(memory, grid, query.start, grid.id(query.goal), |dir| trace.came(dir, 1));
            trace.finish();
        }
        price::<U>(grid, cost, self.out)?;
        Ok(true)
    }

    /// The cost of the best path.
    fn find<U: Units>(
        &mut self,
        memory: &mut Memory<U>,
        heuristic: impl Heuristic<U::Cost>,
        (pruner, fares): (&(impl Pruner + ?Sized), &impl Fares<U>),
        probe: &mut (impl Probe + ?Sized),
    ) -> Result<Option<U::Cost>, Overflow> {
        let Memory { nodes, heap, buckets, id_bits, .. } = memory;
        match self.open {
            OpenList::Heap => self.find_in(nodes, heap.of_cells::<U>(*id_bits), heuristic, (pruner, fares), probe),
            OpenList::Buckets => self.find_in(nodes, buckets, heuristic, (pruner, fares), probe),
        }
    }

    /// The cost of the best path, found with an open list.
    fn find_in<U: Units>(
        &mut self,
        nodes: &mut Table<Node<U::Cost>, FLAG_BITS>,
        open: impl Open<U>,
        heuristic: impl Heuristic<U::Cost>,
        (pruner, fares): (&(impl Pruner + ?Sized), &impl Fares<U>),
        probe: &mut (impl Probe + ?Sized),
    ) -> Result<Option<U::Cost>, Overflow> {
        let Self { grid, query, estimate, pause, .. } = self;
        let goal = grid.id(query.goal);
        let (map, ends) = ((*grid, pruner, fares), (query.start, |id| id == goal));
        let heuristic = (heuristic, estimate.unit::<U>(grid));
        let found = search(nodes, open, map, heuristic, ends, (probe, pause))?;
        Ok(found.map(|(_, cost)| cost))
    }
}

/// One query of a cell-by-cell planner for the nearest of many goals.
struct SearchAny<'a> {
    grid: &'a Grid,
    estimate: Estimate,
    query: AnyGoalQuery<'a>,
    out: &'a mut Path,
    /// The place of the goal that was found.
    found: Option<usize>,
}

impl SearchAny<'_> {
    fn run_in(&mut self, scratch: &mut CellScratch, probe: Option<&mut dyn Probe>) -> bool {
        let (grid, farthest) = (self.grid, u64::from(Narrow::DIAGONAL) + self.estimate.largest(self.grid));
        let unwatched: &mut dyn Probe = &mut NoProbe;
        let mut watched = (self, probe.unwrap_or(unwatched));
        scratch.run(
            grid,
            farthest,
            &mut watched,
            |(search, probe), memory| search.run(memory, &Plain, *probe),
            |(search, probe), memory| search.run(memory, &Plain, *probe),
        )
    }

    fn run_over_terrain(
        &mut self,
        scratch: &mut CellScratch,
        ground: &Ground,
        probe: Option<&mut dyn Probe>,
    ) -> Result<Option<usize>, PathFault> {
        let (grid, from) = (self.grid, (Width::Narrow, self.estimate.farthest(self.grid, ground)));
        let unwatched: &mut dyn Probe = &mut NoProbe;
        let mut search = AnyOverTerrain { search: self, ground, probe: probe.unwrap_or(unwatched) };
        scratch.run_over_terrain(grid, from, &mut search).map_err(|Overflow| PathFault::TooDear)?;
        Ok(self.found)
    }

    fn run<U: Units>(
        &mut self,
        memory: &mut Memory<U>,
        fares: &dyn Fares<U>,
        probe: &mut dyn Probe,
    ) -> Result<bool, Overflow> {
        let Self { grid, query: AnyGoalQuery { start, goals, output, .. }, .. } = *self;
        let prices = StepPrices::new::<U>(self.estimate, grid, start);
        let found = {
            let Memory { nodes, heap, id_bits, .. } = memory;
            let (open, ends) = (heap.of_cells::<U>(*id_bits), (start, OneOf { grid, goals }));
            let heuristic = (LeastOf { prices, goals }, self.estimate.unit::<U>(grid));
            search(nodes, open, (grid, &Everywhere, &fares), heuristic, ends, (probe, &mut Pause::default()))?
        };
        let Some((end, cost)) = found else { return Ok(false) };
        if output == Output::Cost {
            self.out.set_cost(U::decode(cost));
        } else {
            let mut trace = self.out.write_back(output, grid.cell(end));
            walk_back(memory, grid, start, end, |dir| trace.came(dir, 1));
            trace.finish();
        }
        price::<U>(grid, cost, self.out)?;
        self.found = OneOf { grid, goals }.place(end);
        Ok(true)
    }
}

/// One query for the nearest of many goals over terrain.
struct AnyOverTerrain<'a, 's, 'p> {
    search: &'a mut SearchAny<'s>,
    ground: &'a Ground,
    probe: &'a mut (dyn Probe + 'p),
}

impl AnyWidth for AnyOverTerrain<'_, '_, '_> {
    fn run<U: Units<Entry = u64>>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let grid = self.search.grid;
        with_fares!(grid, self.ground, fares => self.search.run(memory, &fares, self.probe))
    }

    fn run_wide(&mut self, memory: &mut Memory<Wide>) -> Result<bool, Overflow> {
        let grid = self.search.grid;
        with_fares!(grid, self.ground, fares => self.search.run(memory, &fares, self.probe))
    }
}

/// Gives a path over terrain the cost that was found.
fn price<U: Units>(grid: &Grid, cost: U::Cost, out: &mut Path) -> Result<(), Overflow> {
    if let Some(ground) = grid.ground() {
        out.set_priced(ground.path_cost(U::decode(cost)).ok_or(Overflow)?);
    }
    Ok(())
}

/// Where a search ends.
pub(super) trait Goal {
    /// Whether another goal that costs as much may be better.
    const HAS_PLACES: bool;

    /// The place of a goal among others, the better the less; `None` if the cell is no goal.
    fn place(&self, id: CellId) -> Option<usize>;
}

impl<F: Fn(CellId) -> bool> Goal for F {
    const HAS_PLACES: bool = false;

    #[inline]
    fn place(&self, id: CellId) -> Option<usize> {
        self(id).then_some(0)
    }
}

/// At one of many cells: the first of those that cost the least.
#[derive(Clone, Copy)]
struct OneOf<'a> {
    grid: &'a Grid,
    goals: &'a [Cell],
}

impl Goal for OneOf<'_> {
    const HAS_PLACES: bool = true;

    #[inline]
    fn place(&self, id: CellId) -> Option<usize> {
        let cell = self.grid.cell(id);
        self.goals.iter().position(|&goal| goal == cell)
    }
}

/// All that the loop needs to know of a move.
#[derive(Clone, Copy)]
struct Step<C> {
    /// What it adds to a padded id, with wrap-around.
    id: u32,
    price: C,
    dx: u32,
    dy: u32,
}

impl<C: Cost> Step<C> {
    /// The eight moves, in the order of [`Dir`].
    fn all<U: Units<Cost = C>>(grid: &Grid) -> [Self; 8] {
        Dir::ALL.map(|dir| Self {
            id: grid.id_steps()[dir as usize],
            price: if dir.is_diagonal() { U::DIAGONAL } else { U::STRAIGHT },
            dx: dir.dx() as u32,
            dy: dir.dy() as u32,
        })
    }

    #[inline]
    fn from(&self, cell: Cell) -> Cell {
        Cell::new(cell.x.wrapping_add(self.dx), cell.y.wrapping_add(self.dy))
    }
}

/// The textbook loop, from a cell to the nearest goal: which that is, and its cost. The heuristic comes with what it
/// makes of a straight move at most, so that the probe can be told the least length of what is still to come. If the
/// probe stops it, it can go on later.
///
/// Entries of cells that were closed since are skipped when they come out; of one that got cheaper in the meantime the
/// newest comes out first. A closed cell is not opened again if the open list is sorted: with a consistent heuristic it
/// cannot get cheaper, and with that times a weight the bound holds all the same. With a heuristic that is not it is,
/// and so it is if entries come out in about the right order only: then nothing at or above the best goal's cost is
/// looked at, and the search ends when there is nothing else.
///
/// If goals have places, the search goes on among cells of the same f to find the best of the goals that cost the
/// least; the open list must then be sorted.
///
/// A cell that the search may not enter counts as reached for nothing, so that it is not asked about again.
pub(super) fn search<U, H, O, R, F, G, P>(
    nodes: &mut Table<Node<U::Cost>, FLAG_BITS>,
    mut open: O,
    (grid, pruner, fares): (&Grid, &R, &F),
    (heuristic, unit): (H, f64),
    (from, goal): (Cell, G),
    (probe, pause): (&mut P, &mut Pause<PausedCells>),
) -> Result<Option<(CellId, U::Cost)>, Overflow>
where
    U: Units,
    H: Heuristic<U::Cost>,
    O: Open<U>,
    R: Pruner + ?Sized,
    F: Fares<U>,
    G: Goal,
    P: Probe + ?Sized,
{
    let (reopens, is_sorted) = (heuristic.reopens(), open.is_sorted());
    let may_get_cheaper = reopens || !is_sorted;
    let steps = Step::<U::Cost>::all::<U>(grid);
    // The best goal so far, if they may come in any order.
    let (mut best, mut best_place) = ((grid.id(from), U::Cost::MAX), usize::MAX);
    let mark = if let Some(paused) = pause.resume() {
        best = (paused.best.0, U::Cost::of(paused.best.1));
        paused.mark
    } else {
        let (mark, first_f) = (nodes.begin(), heuristic.h(from.x, from.y));
        nodes[best.0.index()] = Node { g: 0.into(), mark };
        open.begin(first_f);
        open.push(first_f, 0.into(), best.0.0);
        probe.reached(from, true);
        mark
    };
    while let Some((from_f, id)) = open.pop(best.1) {
        if G::HAS_PLACES && from_f > best.1 {
            break;
        }
        if from_f >= U::LIMIT {
            return Err(Overflow);
        }
        let id = CellId(id);
        let node = &mut nodes[id.index()];
        if node.mark & CLOSED != 0 {
            continue;
        }
        let (g, before) = (node.g, node.mark);
        node.mark |= CLOSED;
        let cell = grid.cell(id);
        debug_assert!(reopens || from_f == g + heuristic.h(cell.x, cell.y), "the newest entry comes out first");
        // Of a list that is not sorted the next may have a lower f, by less than the width of a bucket.
        let later = if is_sorted { 0.0 } else { U::STRAIGHT.into() as f64 };
        if probe.stops((from_f.into() as f64 - later) / unit) {
            nodes[id.index()].mark = before;
            open.push(from_f, g, id.0);
            pause.keep(PausedCells { mark, best: (best.0, best.1.into()), width: U::WIDTH });
            return Ok(None);
        }
        probe.expanded(cell);
        if is_sorted && let Some(place) = goal.place(id) {
            if !G::HAS_PLACES {
                return Ok(Some((id, g)));
            }
            if place < best_place {
                (best, best_place) = ((id, g), place);
            }
            continue;
        }
        let Moves { tried, watched } = pruner.moves(grid, id, cell);
        for dir in tried {
            let step = &steps[dir as usize];
            let (next, next_g) = (id.0.wrapping_add(step.id), g + fares.price(id.0, dir, step.price));
            let node = &mut nodes[next as usize];
            let seen = node.is_seen(mark);
            if seen && (node.g <= next_g || !may_get_cheaper && node.mark & CLOSED != 0) {
                continue;
            }
            let at = step.from(cell);
            if !seen && watched.contains(dir) && !pruner.may_enter(Move { dir, to: CellId(next) }, at) {
                *node = Node { g: 0.into(), mark };
                continue;
            }
            let mut f = next_g + heuristic.h(at.x, at.y);
            if !is_sorted {
                if reopens {
                    // A path is no shorter than what was believed of it before, and buckets want no smaller f.
                    f = f.max(from_f);
                }
                if f >= best.1 {
                    continue;
                }
                if goal.place(CellId(next)).is_some() {
                    best = (CellId(next), next_g);
                }
            }
            *node = Node { g: next_g, mark: mark | dir as u32 };
            probe.reached(at, !seen);
            open.push(f, next_g, next);
        }
    }
    if best.1 == U::Cost::MAX {
        return Ok(None);
    }
    if best.1 >= U::LIMIT { Err(Overflow) } else { Ok(Some(best)) }
}

/// Walks back from a cell that a search reached to where it began: `came` is called with the moves, last first.
pub(super) fn walk_back<U: Units>(memory: &Memory<U>, grid: &Grid, from: Cell, to: CellId, mut came: impl FnMut(Dir)) {
    let (id_steps, start, mut at) = (grid.id_steps(), grid.id(from), to);
    while at != start {
        let dir = Dir::from_index((memory.nodes[at.index()].mark & DIR) as u8);
        came(dir);
        at = CellId(at.0.wrapping_sub(id_steps[dir as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::astar::Astar;
    use crate::geometry::GridCost;
    use crate::kernels::prune::Everywhere;

    /// Wide costs give the same answers as narrow ones, on a map with many ties.
    #[test]
    fn wide_and_narrow_costs_agree() {
        fn cost<U: Units>(grid: &Grid, memory: &mut Memory<U>, goal: Cell, open: OpenList) -> Option<GridCost> {
            let (query, estimate) = (PathQuery::new(Cell::new(0, 0), goal), Estimate::Weighted(Weight::ONE));
            let mut out = Path::new();
            let mut search = Search { grid, estimate, open, query, out: &mut out, pause: Pause::default() };
            search.run(memory, &Everywhere, &Plain, &mut NoProbe).unwrap().then(|| out.cost().grid())?
        }
        let grid = Grid::from_fn(40, 30, |cell| (cell.x * 7 + cell.y * 13) % 5 != 0 || cell.x == 0).unwrap();
        let (mut narrow, mut wide) = (Memory::<Narrow>::new(&grid), Memory::<Wide>::new(&grid));
        let mut found = 0;
        for goal in grid.cells().filter(|&cell| grid.is_free(cell) && cell != Cell::new(0, 0)) {
            for open in [OpenList::Heap, OpenList::Buckets] {
                let answer = cost(&grid, &mut narrow, goal, open);
                assert_eq!(answer, cost(&grid, &mut wide, goal, open));
                found += u32::from(answer.is_some());
            }
        }
        assert!(found > 100);
    }

    /// Of several goals the nearest is found, whatever the order of the open list, and the way to it.
    #[test]
    fn the_nearest_of_many_goals_is_found() {
        let grid = Grid::from_fn(40, 30, |cell| (cell.x * 7 + cell.y * 13) % 5 != 0 || cell.x == 0).unwrap();
        let mut memory = Memory::<Narrow>::new(&grid);
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let mut found = 0;
        for (nth, &from) in free.iter().enumerate().step_by(7) {
            let goals: Vec<CellId> = free
                .iter()
                .enumerate()
                .filter(|&(i, _)| i != nth && i * i % 97 == nth % 97)
                .map(|(_, &cell)| grid.id(cell))
                .collect();
            let distances = crate::distances(&grid, from);
            let nearest = goals.iter().filter_map(|&id| distances.cost(grid.cell(id))).min();
            for sorted in [true, false] {
                let Memory { nodes, heap, buckets, id_bits, .. } = &mut memory;
                let (map, ends) = ((&grid, &Everywhere, &Plain), (from, |id: CellId| goals.contains(&id)));
                let end = if sorted {
                    search(
                        nodes,
                        heap.of_cells::<Narrow>(*id_bits),
                        map,
                        (NoEstimate, 1.0),
                        ends,
                        (&mut NoProbe, &mut Pause::default()),
                    )
                    .unwrap()
                } else {
                    search(nodes, buckets, map, (NoEstimate, 1.0), ends, (&mut NoProbe, &mut Pause::default())).unwrap()
                };
                assert_eq!(end.map(|(_, cost)| Narrow::decode(cost)), nearest);
                let Some((end, _)) = end else { continue };
                let (mut cost, mut at) = (GridCost::new(0, 0), grid.cell(end));
                walk_back(&memory, &grid, from, end, |dir| {
                    at = dir.opposite().step(at, 1);
                    assert!(grid.moves_of(grid.id(at)).contains(dir));
                    cost += if dir.is_diagonal() { GridCost::new(0, 1) } else { GridCost::new(1, 0) };
                });
                assert_eq!((at, Some(cost)), (from, nearest));
                found += 1;
            }
        }
        assert!(found > 100, "{found}");
    }

    /// Units whose costs are exact for a few moves only.
    #[derive(Clone, Copy, Debug)]
    struct Tiny;

    impl Units for Tiny {
        type Cost = u32;
        type Entry = u64;
        const WIDTH: Width = Width::Narrow;
        const STRAIGHT: u32 = 5;
        const DIAGONAL: u32 = 7;
        const INVERSE: u64 = 3;
        const LIMIT: u32 = 35;

        fn pack(f: u32, g: u32, id: u32, id_bits: u32) -> u64 {
            Narrow::pack(f, g, id, id_bits)
        }

        fn f(entry: u64) -> u32 {
            Narrow::f(entry)
        }

        fn id(entry: u64, id_bits: u32) -> u32 {
            Narrow::id(entry, id_bits)
        }
    }

    /// In these units five diagonal moves cost as much as seven straight ones: the last step of a search must not pass
    /// the limit unnoticed.
    #[test]
    fn a_goal_at_the_limit_is_not_exact() {
        let grid = Grid::open(6, 6).unwrap();
        for (open, heuristic) in [OpenList::Heap, OpenList::Buckets].into_iter().flat_map(|open| {
            [Estimate::Weighted(Weight::ONE), Estimate::Euclidean, Estimate::Zero].map(|heuristic| (open, heuristic))
        }) {
            let mut out = Path::new();
            let mut run = |goal: Cell| {
                let query = PathQuery::new(Cell::new(0, 0), goal).output(Output::Cost);
                let mut search =
                    Search { grid: &grid, estimate: heuristic, open, query, out: &mut out, pause: Pause::default() };
                search.run(&mut Memory::<Tiny>::new(&grid), &Everywhere, &Plain, &mut NoProbe)
            };
            assert!(run(Cell::new(5, 5)).is_err(), "{open:?} {heuristic:?}");
            assert!(run(Cell::new(5, 4)).unwrap());
            assert_eq!(out.cost(), GridCost::new(1, 4), "{open:?} {heuristic:?}");
        }
    }

    /// A corridor longer than 32-bit costs are exact for: the search must notice and go wide.
    #[test]
    fn a_path_beyond_the_limit_is_still_exact() {
        let (width, rows) = (1001, 101);
        let corridor = |cell: Cell| cell.y & 1 == 0 || cell.x == [width - 1, 0][cell.y as usize / 2 % 2];
        let grid = Grid::from_fn(width, rows, corridor).unwrap();
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(width - 1, rows - 1));
        for open in [OpenList::Heap, OpenList::Buckets] {
            let planner = Astar::default().open(open).planner(&grid).unwrap();
            let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
            assert!(planner.plan(&mut scratch, query, &mut path).unwrap());
            assert_eq!(path.cost(), GridCost::new(51 * 1000 + 100, 0));
            assert!(scratch.get::<CellScratch>().went_wide(), "51,100 moves do not fit 32 bits");
        }
    }
}
