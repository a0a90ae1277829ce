//! A\* search over the cells of the grid, and its weighted variant.
//!
//! - **Guarantee**: [`Astar`] grid-optimal; [`WeightedAstar`] at most `weight` times the optimum, both in exact
//!   arithmetic; complete. **Preprocessing**: none; follows edits. [Pruners](crate::algo::pruners) take some
//!   milliseconds; edits disable the parts they touch.
//! - **Complexity**: time O(n log n) with the heap, scratch O(n), for n cells.
//! - **References**: Hart, Nilsson & Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths",
//!   1968; Pohl, "Heuristic search viewed as path finding in a graph", 1970 (weighted).
//! - **Deviations**: 1. outdated heap entries are skipped when they are popped, not decreased in place; 2. ties prefer
//!   the larger g; 3. weighted A\* expands no cell twice: its heuristic is a consistent one with each price scaled, and
//!   for such a heuristic the bound holds without re-expansion; 4. `open=buckets` replaces the heap with buckets,
//!   re-expands cells that become cheaper inside a bucket, and is still optimal; 5. `heuristic=euclidean` is truncated
//!   to whole units, which may make it inconsistent by one: closed cells that become cheaper are then reopened.
//!
//! On [terrain](crate::grid::Convention) the estimate assumes the lowest price on the map. Buckets, pruners and the
//! Euclidean heuristic are for maps without prices.
//!
//! `on=corners` searches on the corners of cells instead (`corner_search.rs`, with neighbours as parents): its result
//! is an any-angle path made of moves to the eight nearest corners.
//!
//! # Example
//! ```
//! use octile::algo::astar::OpenList;
//! use octile::{Astar, Engine, Grid, GridCost};
//! let grid: Grid = "...\n.@.\n...".parse()?;
//! let engine = Engine::new(Astar::default().open(OpenList::Buckets), &grid)?; // or "astar:open=buckets"
//! let path = engine.find((0, 0), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(4, 0)); // corners may not be cut
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::slice;

use crate::algo::blocked_areas::{AreaMemory, AreaQuery, Lookup};
use crate::algo::pruners::keys::{ALL_PRUNERS, AREAS, GATES, GATES_HELP, LOOKUP_HELP, PRUNE_HELP};
use crate::algo::pruners::{GateUse, Prune, Pruned, Pruners};
use crate::geometry::units::{Cost, Narrow, Units, Width};
use crate::geometry::{Cell, CellId, Dir, SMALL, Weight};
use crate::grid::{Convention, Edits, Grid, Movement, Squeeze};
use crate::kernels::cells::{CLOSED, CellScratch, DIR, Memory, Node, Nodes, PausedCells, Reached};
use crate::kernels::corner_search::{CornerSearch, Parents};
use crate::kernels::ds::Open;
use crate::kernels::estimate::{Blind, Estimate, Nearest, Steps, StraightLine, Target};
use crate::kernels::fares::{Average, Enter, Fares, Plain, with_fares};
use crate::kernels::gates::GateQuery;
use crate::kernels::heuristic::Heuristic;
use crate::kernels::pause::Pause;
use crate::kernels::prune::{Both, Everywhere, Move, Moves, Pruner};
use crate::kernels::widths::{self, Overflow};
use crate::path::{Output, Path, PathFault};
use crate::planner::{
    About, AnyGoalQuery, Build, BuildError, Config, EditError, Facts, Guarantee, IndexEffort, Native, NoProbe,
    PathQuery, Planner, PlannerId, Probe, Refusal, Scratch, config, names, size_bytes,
};

/// The input of [`astar`]: a map, the start and the goals, which moves to leave out, and the costs of the others.
/// Dijkstra's algorithm, weighted A\* and A\* differ only in the `h` of their target.
pub(super) struct Problem<'a, T, R, F> {
    pub(super) grid: &'a Grid,
    pub(super) start: Cell,
    /// The goals, and `h`.
    pub(super) target: T,
    pub(super) pruner: R,
    pub(super) fares: F,
    /// The maximum that `f` may count for a length of 1.
    pub(super) unit: f64,
}

/// The textbook loop: finds the nearest goal and its cost. If the probe stops it, a later search can resume it.
///
/// - Cells are closed once if `h` is consistent, or consistent times a weight: a closed cell then cannot become
///   cheaper, or the bound of the weight holds anyway. Entries of cells that were closed since they were pushed are
///   skipped.
/// - An open list that is not sorted yields entries in roughly the right order. Closed cells are then reopened when
///   they become cheaper, a goal counts as soon as it is reached, and the search ends when nothing cheaper can follow.
///   The `f` of a neighbour is raised to that of the cell before it: the earlier estimate is a lower bound for it too,
///   and buckets need `f` not to fall.
/// - Of several goals at the same cost the first in the list wins. So after a goal the search continues among cells of
///   the same `f`, unless that goal is the first in the list.
/// - A cell that the pruner excludes is marked as reached at cost 0, so that it is not examined again.
pub(super) fn astar<U: Units>(
    problem: &Problem<'_, impl Target<U::Cost>, impl Pruner, impl Fares<U>>,
    nodes: &mut Nodes<U>,
    open: &mut (impl Open<U> + ?Sized),
    probe: &mut (impl Probe + ?Sized),
    pause: &mut Pause<PausedCells>,
) -> Result<Option<Reached<U::Cost>>, Overflow> {
    let Problem { grid, target, pruner, fares, .. } = problem;
    let (steps, is_sorted, reopens) = (Step::all::<U>(grid), open.is_sorted(), target.reopens() || !open.is_sorted());
    let (mark, mut best) = begin(problem, nodes, open, probe, pause);
    while let Some((f, id)) = open.pop(best.g) {
        if f >= U::LIMIT {
            return Err(Overflow);
        }
        let node = &mut nodes[id.index()];
        if node.is_closed() {
            continue;
        }
        let (g, cell) = (node.g, grid.cell(id));
        debug_assert!(target.reopens() || f == g + target.h(cell), "the newest entry comes out first");
        if probe.stops(open.least(f) / problem.unit) {
            open.push(f, g, id);
            pause.keep(PausedCells { mark, best: best.resized(), width: U::WIDTH });
            return Ok(None);
        }
        node.mark |= CLOSED;
        probe.expanded(cell);
        if is_sorted && let Some(place) = target.place(id, cell) {
            if best.improve(Reached { id, g, place }) {
                break;
            }
            continue;
        }
        let Moves { tried, watched } = pruner.moves(grid, id, cell);
        for (dir, step) in tried.into_iter().map(|dir| (dir, &steps[dir as usize])) {
            let (to, to_g) = (step.from(id), g + fares.price(id.0, dir, step.price));
            let node = &mut nodes[to.index()];
            let seen = node.is_seen(mark);
            if seen && (node.g <= to_g || !reopens && node.is_closed()) {
                continue;
            }
            let to_cell = step.to_cell(cell);
            if !seen && watched.contains(dir) && !pruner.may_enter(Move { dir, to }, to_cell) {
                *node = Node { g: 0.into(), mark };
                continue;
            }
            let to_f = (to_g + target.h(to_cell)).max(if !is_sorted && target.reopens() { f } else { 0.into() });
            if !is_sorted && to_f >= best.g {
                continue;
            }
            if !is_sorted && let Some(place) = target.place(to, to_cell) {
                best = Reached { id: to, g: to_g, place };
            }
            *node = Node { g: to_g, mark: mark | dir as u32 };
            probe.reached(to_cell, !seen);
            open.push(to_f, to_g, to);
        }
    }
    best.exactly::<U>()
}

/// Opens the start, or resumes a stopped search. Returns the mark of its nodes, and the best goal so far.
fn begin<U: Units>(
    problem: &Problem<'_, impl Target<U::Cost>, impl Pruner, impl Fares<U>>,
    nodes: &mut Nodes<U>,
    open: &mut (impl Open<U> + ?Sized),
    probe: &mut (impl Probe + ?Sized),
    pause: &mut Pause<PausedCells>,
) -> (u32, Reached<U::Cost>) {
    if let Some(PausedCells { mark, best, .. }) = pause.resume() {
        return (mark, best.resized());
    }
    let (mark, start, h) = (nodes.begin(), problem.grid.id(problem.start), problem.target.h(problem.start));
    nodes[start.index()] = Node { g: 0.into(), mark };
    open.begin(h);
    open.push(h, 0.into(), start);
    probe.reached(problem.start, true);
    (mark, Reached::none())
}

/// A move in one direction.
#[derive(Clone, Copy)]
struct Step<C> {
    /// The number to add to a padded id, with wrap-around.
    id: u32,
    /// The cost on a map without prices.
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

    /// The cell that it leads to from a cell.
    #[inline]
    fn from(self, id: CellId) -> CellId {
        CellId(id.0.wrapping_add(self.id))
    }

    /// The same, as a cell on the map.
    #[inline]
    fn to_cell(self, cell: Cell) -> Cell {
        Cell::new(cell.x.wrapping_add(self.dx), cell.y.wrapping_add(self.dy))
    }
}

/// Walks back from a cell that a search reached to where the search began, and calls `came` with the moves, last first.
pub(super) fn walk_back<U: Units>(nodes: &Nodes<U>, grid: &Grid, from: Cell, to: CellId, mut came: impl FnMut(Dir)) {
    let (id_steps, start, mut at) = (grid.id_steps(), grid.id(from), to);
    while at != start {
        let dir = Dir::from_index((nodes[at.index()].mark & DIR) as u8);
        came(dir);
        at = CellId(at.0.wrapping_sub(id_steps[dir as usize]));
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

/// One query of a planner that searches cell by cell.
pub(super) struct Find<'a, 'p> {
    grid: &'a Grid,
    estimate: Estimate,
    open: OpenList,
    /// One goal is a set of one goal.
    query: AnyGoalQuery<'a>,
    areas: Option<AreaQuery<'a>>,
    gates: Option<GateQuery<'a>>,
    pause: &'a mut Pause<PausedCells>,
    out: &'a mut Path,
    probe: Option<&'a mut (dyn Probe + 'p)>,
    /// The index of the goal that was found.
    found: Option<usize>,
}

impl<'a, 'p> Find<'a, 'p> {
    pub(super) fn new(
        grid: &'a Grid,
        estimate: Estimate,
        open: OpenList,
        query: AnyGoalQuery<'a>,
        pause: &'a mut Pause<PausedCells>,
        out: &'a mut Path,
        probe: Option<&'a mut (dyn Probe + 'p)>,
    ) -> Self {
        Self { grid, estimate, open, query, areas: None, gates: None, pause, out, probe, found: None }
    }
}

impl widths::Search for Find<'_, '_> {
    type Memory = Memory<Narrow>;

    fn farthest(&self) -> u64 {
        self.estimate.farthest(self.grid)
    }

    fn resumes_in(&self) -> Option<Width> {
        self.pause.going_on().map(|paused| paused.width)
    }

    fn nodes_over_terrain(&self) -> Option<usize> {
        self.grid.ground().map(|_| self.grid.padded_cells())
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(self.grid)
    }

    /// Queries for one goal without a probe, which benchmarks measure, have specialised loops. All others share one.
    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        let (&[goal], None) = (self.query.goals, &self.probe) else { return self.run_any(memory) };
        let Self { grid, estimate, query: AnyGoalQuery { start, .. }, .. } = *self;
        let Memory { nodes, heap, buckets, id_bits } = memory;
        let (heap, pause) = (&mut heap.of_cells::<Narrow>(*id_bits), &mut *self.pause);
        let (steps, unit) = (Steps::new::<Narrow>(estimate, grid, goal), estimate.unit::<Narrow>(grid));
        macro_rules! astar {
            ($open:expr, $target:expr, $pruner:expr, $fares:expr) => {{
                let problem = Problem { grid, start, target: $target, pruner: $pruner, fares: $fares, unit };
                astar(&problem, nodes, $open, &mut NoProbe, pause)
            }};
        }
        let found = match (estimate, self.open, &self.areas, self.gates) {
            (Estimate::Euclidean, OpenList::Heap, None, None) if !SMALL => {
                astar!(heap, StraightLine::new::<Narrow>(grid, goal), Everywhere, Plain)
            }
            (Estimate::Euclidean, ..) => return self.run_any(memory),
            (_, OpenList::Buckets, None, None) if !SMALL => astar!(buckets, steps, Everywhere, Plain),
            (_, OpenList::Buckets, ..) => return self.run_any(memory),
            (Estimate::Zero, _, None, None) if !SMALL && grid.ground().is_none() => {
                astar!(heap, Blind::new(grid, goal), Everywhere, Plain)
            }
            (_, _, None, None) => match grid.ground() {
                None => astar!(heap, steps, Everywhere, Plain),
                Some(ground) => with_fares!(grid, ground, fares => astar!(heap, steps, Everywhere, fares)),
            },
            (Estimate::Zero, _, None, Some(gates)) if !SMALL => astar!(heap, Blind::new(grid, goal), gates, Plain),
            (_, _, None, Some(gates)) if !SMALL => astar!(heap, steps, gates, Plain),
            (_, _, Some(AreaQuery::Moves(areas)), None) if !SMALL => astar!(heap, steps, *areas, Plain),
            (_, _, Some(AreaQuery::Moves(areas)), Some(gates)) if !SMALL => {
                astar!(heap, steps, Both(*areas, gates), Plain)
            }
            (_, _, Some(AreaQuery::Tree(areas)), None) if !SMALL => astar!(heap, steps, *areas, Plain),
            (_, _, Some(areas), None) if !SMALL => astar!(heap, steps, areas.pruner(), Plain),
            _ => return self.run_any(memory),
        };
        self.answer(memory, found?)
    }

    /// Terrain often needs costs of medium width, so these have specialised loops too.
    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let is_mid = const { matches!(U::WIDTH, Width::Mid) && !SMALL };
        if is_mid && let (&[goal], None, Some(ground)) = (self.query.goals, &self.probe, self.grid.ground()) {
            let Self { grid, estimate, query: AnyGoalQuery { start, .. }, .. } = *self;
            let (target, unit) = (Steps::new::<U>(estimate, grid, goal), estimate.unit::<U>(grid));
            let (open, pause) = (&mut memory.heap.of_cells::<U>(memory.id_bits), &mut *self.pause);
            let found = with_fares!(grid, ground, fares => {
                let problem = Problem { grid, start, target, pruner: Everywhere, fares, unit };
                astar(&problem, &mut memory.nodes, open, &mut NoProbe, pause)
            });
            return self.answer(memory, found?);
        }
        self.run_any(memory)
    }
}

impl Find<'_, '_> {
    /// Runs any query, in a loop with dynamic parts that is compiled once.
    fn run_any<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let Self { grid, estimate, query: AnyGoalQuery { start, goals, .. }, .. } = *self;
        let nearest = Nearest::new::<U>(estimate, grid, goals);
        let goal = goals.first().copied().unwrap_or(start);
        let (steps, line) = (Steps::new::<U>(estimate, grid, goal), StraightLine::new::<U>(grid, goal));
        let target: &dyn Target<U::Cost> = match (goals, estimate) {
            ([_], Estimate::Euclidean) => &line,
            ([_], _) => &steps,
            _ => &nearest,
        };
        let both = self.areas.as_ref().zip(self.gates).map(|(areas, gates)| Both(areas.pruner(), gates));
        let pruner: &dyn Pruner = match (&both, &self.areas, &self.gates) {
            (Some(both), ..) => both,
            (_, Some(areas), _) => areas.pruner(),
            (.., Some(gates)) => gates,
            _ => &Everywhere,
        };
        let mut nobody = NoProbe;
        let probe: &mut dyn Probe = match &mut self.probe {
            Some(probe) => *probe,
            None => &mut nobody,
        };
        let (Memory { nodes, heap, buckets, id_bits }, unit) = (&mut *memory, estimate.unit::<U>(grid));
        let mut heap = heap.of_cells::<U>(*id_bits);
        let is_usual = goals.len() == 1 && estimate != Estimate::Euclidean && grid.ground().is_none();
        if const { matches!(U::WIDTH, Width::Narrow) && !SMALL } && is_usual && self.open == OpenList::Heap {
            // Queries with limits, in slices, or recorded as a film.
            let problem = Problem { grid, start, target: steps, pruner, fares: Plain, unit };
            let found = astar(&problem, nodes, &mut heap, probe, self.pause)?;
            return self.answer(memory, found);
        }
        let (average, enter);
        let fares: &dyn Fares<U> = match grid.ground().map(|ground| (ground, ground.convention())) {
            None => &Plain,
            Some((ground, Convention::Average)) => {
                average = Average::new(grid, ground);
                &average
            }
            Some((ground, Convention::Enter)) => {
                enter = Enter::new(grid, ground);
                &enter
            }
        };
        let open: &mut dyn Open<U> = match self.open {
            OpenList::Heap => &mut heap,
            OpenList::Buckets => buckets,
        };
        let problem = Problem { grid, start, target, pruner, fares, unit };
        let found = astar(&problem, nodes, open, probe, self.pause)?;
        self.answer(memory, found)
    }

    /// Writes the path to the goal that was found.
    fn answer<U: Units>(&mut self, memory: &Memory<U>, found: Option<Reached<U::Cost>>) -> Result<bool, Overflow> {
        let Self { grid, query: AnyGoalQuery { start, output, .. }, .. } = *self;
        let Some(Reached { id, g, place }) = found else { return Ok(false) };
        if output == Output::Cost {
            self.out.set_cost(U::decode(g));
        } else {
            let mut trace = self.out.write_back(output, grid.cell(id));
            walk_back::<U>(&memory.nodes, grid, start, id, |dir| trace.came(dir, 1));
            trace.finish();
        }
        if let Some(ground) = grid.ground() {
            self.out.set_priced(ground.path_cost(U::decode(g)).ok_or(Overflow)?);
        }
        self.found = Some(place);
        Ok(true)
    }
}

/// Gates pay off unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.77;

/// Scratch memory of [`AstarPlanner`].
struct AstarScratch {
    cells: CellScratch,
    areas: AreaMemory,
}

size_bytes!(AstarScratch: cells, areas);

/// A planner that searches cell by cell. Its estimate determines which planner it is.
#[derive(Clone, Debug)]
pub(super) struct AstarPlanner {
    id: PlannerId,
    facts: Facts,
    map: Pruned,
    estimate: Estimate,
    open: OpenList,
}

impl AstarPlanner {
    pub(super) fn new(
        config: &dyn Config,
        build: &Build<'_>,
        prune: Prune,
        estimate: Estimate,
        open: OpenList,
    ) -> Result<Self, BuildError> {
        BuildError::check(config, build)?;
        let (id, map) = (PlannerId::new(), Pruned::new(build, prune, GATES_PAY_BELOW)?);
        Ok(Self { id, facts: config.facts(), map, estimate, open })
    }

    /// A\* on a map, on behalf of the planner with this id and these facts.
    pub(super) fn standing_in(id: PlannerId, facts: Facts, grid: &Grid) -> Self {
        let estimate = Estimate::Weighted(Weight::ONE);
        Self { id, facts, map: grid.clone().into(), estimate, open: OpenList::Heap }
    }
}

impl Planner for AstarPlanner {
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
        Scratch::new(self.id, AstarScratch { cells: CellScratch::new(self.grid()), areas: AreaMemory::new() })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        let AstarScratch { cells: CellScratch { widths, pause }, areas: memory } = scratch.get();
        let PathQuery { start, goal, output, .. } = query;
        let goals = AnyGoalQuery { start, goals: slice::from_ref(&goal), output };
        let (areas, gates) = (self.map.areas(query, memory), self.map.gates(query));
        let find = Find::new(self.grid(), self.estimate, self.open, goals, pause, out, probe);
        widths.run(&mut Find { areas, gates, ..find }).map_err(|Overflow| PathFault::TooDear)
    }

    /// Uses the smallest of the estimates, and no pruners where they do not help: they are for one goal.
    fn search_any(
        &self,
        scratch: &mut Scratch,
        query: AnyGoalQuery<'_>,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Option<Result<Option<usize>, PathFault>> {
        // A search with the Euclidean heuristic may reopen a cell, and so end at the wrong one of two goals.
        let estimate = match self.estimate {
            Estimate::Euclidean => Estimate::Weighted(Weight::ONE),
            estimate => estimate,
        };
        let CellScratch { widths, pause } = &mut scratch.get::<AstarScratch>().cells;
        let mut find = Find::new(self.grid(), estimate, OpenList::Heap, query, pause, out, probe);
        let found = widths.run(&mut find).map_err(|Overflow| PathFault::TooDear);
        Some(found.map(|_| find.found))
    }

    fn go_on(&self, scratch: &mut Scratch) {
        scratch.get::<AstarScratch>().cells.go_on();
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

config! {
    /// A\* over cells, or over corners.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct Astar {
        /// The open list.
        open: OpenList ["open": "the open list; default heap"],
        /// The graph to search.
        on: On ["on": "what the search moves on; on corners its result is an any-angle path; default cells"],
        /// The heuristic: the estimated cost of the rest of a path.
        heuristic: Heuristic ["heuristic": "what the search believes the rest of a path to cost; default octile"],
        /// How to prune the search.
        prune: Pruners ["prune": PRUNE_HELP, takes ALL_PRUNERS],
        /// How to find a cell's blocked area.
        lookup: Option<Lookup> ["lookup": LOOKUP_HELP, needs AREAS],
        /// When to use gates.
        gates: Option<GateUse> ["gates": GATES_HELP, needs GATES],
        /// Whether any-angle paths, on corners, may pass between obstacles that touch.
        squeeze: Squeeze,
    }
}

/// The graph that a search uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum On {
    /// Cells: paths are grid paths.
    #[default]
    Cells,
    /// Corners of cells: paths are any-angle paths made of moves to the eight nearest corners.
    Corners,
}

names! { On { Cells = "cells", Corners = "corners" } }

/// The name of the planner.
pub(super) const NAME: &str = "astar";

static ASTAR: About = About {
    name: NAME,
    summary: "A* cell by cell, ties towards larger g",
    paper: "Hart, Nilsson & Raphael 1968",
    index: IndexEffort::None,
    variants: &[
        "astar:open=buckets",
        "astar:prune=blocked-areas",
        "astar:prune=blocked-areas,lookup=tree",
        "astar:prune=blocked-areas,lookup=grid",
        "astar:prune=gates",
        "astar:prune=gates,gates=always",
        "astar:open=buckets,prune=blocked-areas+gates,gates=always",
        "astar:prune=blocked-areas+gates,lookup=grid,gates=always",
        "astar:heuristic=euclidean",
        "astar:heuristic=euclidean,prune=blocked-areas+gates,gates=always",
        "astar:heuristic=euclidean,open=buckets",
        "astar:heuristic=zero",
        "astar:smooth=greedy",
        "astar:smooth=greedy,squeeze=forbidden",
        "astar:on=corners",
        "astar:on=corners,heuristic=euclidean,squeeze=forbidden",
    ],
};

impl Astar {
    fn pruning(&self) -> Prune {
        Prune::new(self.prune, self.lookup, self.gates)
    }

    fn estimate(&self) -> Estimate {
        match self.heuristic {
            Heuristic::Octile => Estimate::Weighted(Weight::ONE),
            Heuristic::Euclidean => Estimate::Euclidean,
            Heuristic::Zero => Estimate::Zero,
        }
    }
}

impl Config for Astar {
    fn about(&self) -> &'static About {
        &ASTAR
    }

    fn check(&self) -> Result<(), Refusal> {
        let on_corners = self.on == On::Corners;
        let is_pruned = on_corners && self.prune != Pruners::None;
        Refusal::when(is_pruned, "prune", "pruners are for searches on cells; leave it out, or use on=cells")?;
        let has_buckets = on_corners && self.open == OpenList::Buckets;
        let reason = "the search on corners has a heap only; leave it out, or use on=cells";
        Refusal::when(has_buckets, "open", reason)
    }

    fn facts(&self) -> Facts {
        if self.on == On::Corners {
            return Facts::any_angle(ASTAR.name, Guarantee::AnyAngle, self.squeeze).native(&[Native::Slices]);
        }
        let is_plain = self.open == OpenList::Heap && self.prune == Pruners::None;
        Facts::optimal(ASTAR.name, &Movement::ALL)
            .takes_terrain(is_plain && self.heuristic != Heuristic::Euclidean)
            .native(&[Native::ManyGoals, Native::Slices])
            .indexes(self.pruning().index_kinds())
    }

    fn set_squeeze(&mut self, squeeze: Squeeze) {
        self.squeeze = squeeze;
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        if self.on == On::Corners {
            let search = CornerSearch::new(self, build, Parents::Neighbours, self.heuristic, self.squeeze)?;
            return Ok(Box::new(search));
        }
        Ok(Box::new(AstarPlanner::new(self, build, self.pruning(), self.estimate(), self.open)?))
    }
}

config! {
    /// A\* whose heuristic is multiplied by a weight: paths cost at most that many times the optimum.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct WeightedAstar {
        /// The maximum ratio of a path's length to the optimum.
        weight: Weight ["weight": "how many times longer than the optimum a path may be; must be given"],
        /// How to prune the search.
        prune: Pruners ["prune": PRUNE_HELP, takes ALL_PRUNERS],
        /// How to find a cell's blocked area.
        lookup: Option<Lookup> ["lookup": LOOKUP_HELP, needs AREAS],
        /// When to use gates.
        gates: Option<GateUse> ["gates": GATES_HELP, needs GATES],
    }
}

static WEIGHTED_ASTAR: About = About {
    name: "weighted-astar",
    summary: "A* with an inflated heuristic: fewer expansions, paths at most weight times too long",
    paper: "Pohl 1970",
    index: IndexEffort::None,
    variants: &[
        "weighted-astar:weight=1",
        "weighted-astar:weight=1.5",
        "weighted-astar:weight=3",
        "weighted-astar:weight=1,prune=blocked-areas+gates,gates=always",
        "weighted-astar:weight=3,prune=blocked-areas",
        "weighted-astar:weight=3,prune=gates,gates=always",
    ],
};

impl WeightedAstar {
    fn pruning(&self) -> Prune {
        Prune::new(self.prune, self.lookup, self.gates)
    }
}

impl Config for WeightedAstar {
    fn about(&self) -> &'static About {
        &WEIGHTED_ASTAR
    }

    fn required(&self) -> &'static [&'static str] {
        &["weight"]
    }

    fn facts(&self) -> Facts {
        Facts::optimal(WEIGHTED_ASTAR.name, &Movement::ALL)
            .promising(Guarantee::Bounded(self.weight))
            .takes_terrain(self.prune == Pruners::None)
            .native(&[Native::ManyGoals, Native::Slices])
            .indexes(self.pruning().index_kinds())
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        let estimate = Estimate::Weighted(self.weight);
        Ok(Box::new(AstarPlanner::new(self, build, self.pruning(), estimate, OpenList::Heap)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::GridCost;
    use crate::geometry::units::Wide;
    use crate::kernels::widths::Search;

    /// Wide and narrow costs give the same answers, on a map with many ties.
    #[test]
    fn wide_and_narrow_costs_agree() {
        fn cost<U: Units>(grid: &Grid, memory: &mut Memory<U>, goal: Cell, open: OpenList) -> Option<GridCost> {
            let query = AnyGoalQuery { start: Cell::new(0, 0), goals: &[goal], output: Output::Cells };
            let (mut out, mut pause) = (Path::new(), Pause::default());
            let estimate = Estimate::Weighted(Weight::ONE);
            let mut find = Find::new(grid, estimate, open, query, &mut pause, &mut out, None);
            find.run_wider(memory).unwrap().then(|| out.cost().grid())?
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

    /// The nearest of several goals is found, and the path to it, whatever the order of the open list.
    #[test]
    fn the_nearest_of_many_goals_is_found() {
        let grid = Grid::from_fn(40, 30, |cell| (cell.x * 7 + cell.y * 13) % 5 != 0 || cell.x == 0).unwrap();
        let mut memory = Memory::<Narrow>::new(&grid);
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let mut found = 0;
        for (nth, &from) in free.iter().enumerate().step_by(7) {
            let goals: Vec<Cell> = free
                .iter()
                .enumerate()
                .filter(|&(i, _)| i != nth && i * i % 97 == nth % 97)
                .map(|(_, &cell)| cell)
                .collect();
            let distances = crate::services::distances(&grid, from);
            let nearest = goals.iter().filter_map(|&goal| distances.cost(goal)).min();
            for sorted in [true, false] {
                let Memory { nodes, heap, buckets, id_bits } = &mut memory;
                let mut heap = heap.of_cells::<Narrow>(*id_bits);
                let open: &mut dyn Open<Narrow> = if sorted { &mut heap } else { buckets };
                let target = Nearest::new::<Narrow>(Estimate::Zero, &grid, &goals);
                let problem = Problem { grid: &grid, start: from, target, pruner: Everywhere, fares: Plain, unit: 1.0 };
                let end = astar(&problem, nodes, open, &mut NoProbe, &mut Pause::default()).unwrap();
                assert_eq!(end.map(|end| Narrow::decode(end.g)), nearest);
                let Some(Reached { id: end, .. }) = end else { continue };
                let (mut cost, mut at) = (GridCost::new(0, 0), grid.cell(end));
                walk_back::<Narrow>(&memory.nodes, &grid, from, end, |dir| {
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

    /// Units whose costs are exact only for a few moves.
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
                let query = AnyGoalQuery { start: Cell::new(0, 0), goals: &[goal], output: Output::Cost };
                let pause = &mut Pause::default();
                let mut find = Find::new(&grid, heuristic, open, query, pause, &mut out, None);
                find.run_wider(&mut Memory::<Tiny>::new(&grid))
            };
            assert!(run(Cell::new(5, 5)).is_err(), "{open:?} {heuristic:?}");
            assert!(run(Cell::new(5, 4)).unwrap());
            assert_eq!(out.cost(), GridCost::new(1, 4), "{open:?} {heuristic:?}");
        }
    }

    /// A corridor too long for exact 32-bit costs: the search must notice and switch to wide costs.
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
            assert!(scratch.get::<AstarScratch>().cells.widths.went_wide(), "51,100 moves do not fit 32 bits");
        }
    }
}
