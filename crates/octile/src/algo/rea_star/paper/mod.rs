//! The search as in the paper, with costs on every wall cell: the start's rectangle, expansion of intervals, pushing
//! walls outward.

mod frame;
mod trace;
mod walls;

use self::frame::{Frame, Rect, STRAIGHT, start_rects};
use self::walls::{FrontCosts, PointCosts, Side, SideCosts, WallCosts, Walls};
use super::{Origin, ReaStar, Rescan, SemiClosed};
use crate::geometry::units::{Cost, Narrow, Units};
use crate::geometry::{Cell, CellId, Dir, SMALL};
use crate::grid::Grid;
use crate::grid::bits::BitLines;
use crate::kernels::ds::heap::Heap;
use crate::kernels::gates::GateQuery;
use crate::kernels::widths::{self, Memories, Overflow, Widths};
use crate::path::{Output, Path};
use crate::planner::{NoProbe, PathQuery, Probe, SizeBytes, size_bytes};

impl<U: Units> Memories for Memory<U> {
    type In<V: Units> = Memory<V>;
}

/// Scratch memory for a map.
pub(super) fn widths(grid: &Grid, config: &ReaStar) -> Widths<Memory<Narrow>> {
    Widths::new(Memory::new(grid, config.stops()))
}

/// A query with its options.
pub(super) struct Asked<'a, 'p> {
    pub(super) grid: &'a Grid,
    /// Openings behind gates are skipped.
    pub(super) gates: Option<GateQuery<'a>>,
    pub(super) config: &'a ReaStar,
    pub(super) query: PathQuery,
    pub(super) out: &'a mut Path,
    /// The jump points of the path that is found.
    pub(super) jumps: &'a mut Vec<Cell>,
    pub(super) probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl widths::Search for Asked<'_, '_> {
    type Memory = Memory<Narrow>;

    /// Infinity is 7/8 of the largest number. A wall, the step beyond it and the heuristic add at most three sides.
    fn farthest(&self) -> u64 {
        let side = u64::from(self.grid.width().max(self.grid.height()));
        3 * side * u64::from(Narrow::DIAGONAL) + u64::from(u32::MAX) / 8 + 1
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(self.grid, self.config.stops())
    }

    /// Specialised without a probe; with the feature `small`, one instance serves all.
    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        if self.probe.is_some() || SMALL { self.run_wider(memory) } else { self.search(memory, &mut NoProbe) }
    }

    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let Some(probe) = self.probe.take() else { return self.search::<_, dyn Probe>(memory, &mut NoProbe) };
        let found = self.search(memory, &mut *probe);
        self.probe = Some(probe);
        found
    }
}

impl Asked<'_, '_> {
    fn search<U: Units, P: Probe + ?Sized>(&mut self, memory: &mut Memory<U>, probe: &mut P) -> Result<bool, Overflow> {
        let Self { grid, gates, config, query, out, jumps, .. } = self;
        let (mut start, mut goal) = (query.start, query.goal);
        if config.swap == Some(true) {
            let area = |cell| start_rects(grid, cell, config.crosses()).iter().flatten().map(Rect::area).max();
            if area(goal) > area(start) {
                (start, goal) = (goal, start);
            }
        }
        let frames = &STRAIGHT.map(|dir| Frame::new(grid, dir));
        Search { grid, gates: *gates, frames, config, query: *query, start, goal, out, jumps, probe }.run(memory)
    }
}

impl ReaStar {
    /// Whether rectangles stop at walls that were pushed in the opposite direction.
    fn stops(&self) -> bool {
        matches!(self.rescan, Some(Rescan::Stop | Rescan::WholeStop | Rescan::CutStop))
    }

    /// Whether nodes keep only the cells that they made cheaper.
    fn shortens(&self) -> bool {
        !matches!(self.rescan, Some(Rescan::Allow | Rescan::WholeStop))
    }

    /// Whether rectangles continue only from cells that they own, and nodes lose those that others own.
    fn owns(&self) -> bool {
        matches!(self.rescan, None | Some(Rescan::Shorten | Rescan::Stop))
    }

    /// Whether the start opens a cross of two rectangles.
    fn crosses(&self) -> bool {
        self.origin == Some(Origin::Cross)
    }

    /// Whether openings with only dead ends behind them are skipped.
    fn skips_dead_ends(&self) -> bool {
        matches!(self.semi_closed, None | Some(SemiClosed::Skip))
    }

    /// Whether semi-closed areas are detected when a node is expanded.
    fn detects_semi_closed(&self) -> bool {
        self.semi_closed == Some(SemiClosed::Expand)
    }
}

/// The state of a cell in the search: its cost, and the node or rectangle that set it. Owner numbers continue from
/// query to query, so cells of earlier queries count as unvisited and nothing is cleared between queries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visited<C> {
    pub(super) g: C,
    pub(super) owner: u32,
}

/// A search node: an interval of free cells, the entrance of the rectangle ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) first: u16,
    pub(super) last: u16,
    pub(super) line: u16,
    /// The direction of expansion, as an index into [`STRAIGHT`].
    pub(super) dir: u8,
}

/// The number of bits for a node in an open-list entry. Later nodes come first among equals, so numbers are stored
/// inverted.
const NODE_BITS: u32 = 28;
const NODE_MASK: u32 = (1 << NODE_BITS) - 1;

/// Scratch memory in one kind of units.
#[derive(Debug)]
pub(super) struct Memory<U: Units> {
    pub(super) store: Store<U>,
    walls: Walls<U::Cost>,
}

/// The results of a query so far.
#[derive(Debug)]
pub(super) struct Store<U: Units> {
    pub(super) cells: Vec<Visited<U::Cost>>,
    pub(super) nodes: Vec<Node>,
    /// The owner number of the first node of this query, which stands for the start's rectangle.
    pub(super) base: u32,
    heap: Heap<U::Entry>,
    /// The path to the goal, once it is known to be the best.
    found: Option<Found<U::Cost>>,
    /// For each straight direction, the cells at which an expansion in that direction stops, if stops are used (6.1);
    /// and the cells to clear before the next query.
    stops: Option<Box<[BitLines; 4]>>,
    stopped: Vec<(u8, u16, u16, u16)>,
}

size_bytes!(for [U: Units] Memory<U>: store, walls);

impl<U: Units> SizeBytes for Store<U> {
    fn size_bytes(&self) -> usize {
        let Self { cells, nodes, heap, stops, stopped, .. } = self;
        let stops = stops.iter().flat_map(|stops| stops.iter()).map(BitLines::size_bytes);
        cells.size_bytes() + nodes.size_bytes() + heap.size_bytes() + stopped.size_bytes() + stops.sum::<usize>()
    }
}

impl<U: Units> Memory<U> {
    pub(super) fn new(grid: &Grid, with_stops: bool) -> Self {
        let (width, height) = (grid.width() as usize + 2, grid.height() as usize + 2);
        let lines = |dir| {
            if matches!(dir, Dir::N | Dir::S) { BitLines::new(height, width) } else { BitLines::new(width, height) }
        };
        let store = Store {
            cells: vec![Visited::default(); grid.padded_cells()],
            nodes: Vec::new(),
            base: 1,
            heap: Heap::new(),
            found: None,
            stops: with_stops.then(|| Box::new(STRAIGHT.map(lines))),
            stopped: Vec::new(),
        };
        Self { store, walls: Walls::new(width.max(height)) }
    }
}

impl<U: Units> Store<U> {
    fn begin(&mut self) {
        self.base += self.nodes.len() as u32;
        self.nodes.clear();
        self.heap.clear();
        self.found = None;
        if self.base > u32::MAX - NODE_MASK {
            self.cells.fill(Visited::default());
            self.base = 1;
        }
        if let Some(stops) = &mut self.stops {
            for (dir, line, first, last) in self.stopped.drain(..) {
                stops[usize::from(dir)].fill(line.into(), first.into(), last.into(), false);
            }
        }
    }

    /// The cost of a cell in this query.
    #[inline]
    pub(super) fn g(&self, id: usize) -> U::Cost {
        let cell = self.cells[id];
        if cell.owner >= self.base { cell.g } else { infinity::<U>() }
    }

    /// Stops later rectangles at cells of a wall, if they come from the opposite direction and stops are used.
    #[inline]
    fn stop_at(&mut self, wall: &Wall, (first, last): (usize, usize)) {
        if let Some(stops) = &mut self.stops {
            let against = usize::from(wall.frame.index ^ 1);
            stops[against].fill(wall.line, first, last, true);
            self.stopped.push((against as u8, wall.line as u16, first as u16, last as u16));
        }
    }

    /// Puts a node on the open list.
    #[inline]
    fn push(&mut self, f: U::Cost, index: u32) {
        self.heap.push(U::pack(f, 0.into(), NODE_MASK - index, NODE_BITS));
    }
}

/// More than any cost, with room for a few more steps.
#[inline]
pub(super) fn infinity<U: Units>() -> U::Cost {
    U::Cost::of(U::Cost::MAX.into() / 8 * 7)
}

/// A wall of a rectangle, to be pushed outward.
struct Wall<'a> {
    /// Ahead is outward.
    frame: &'a Frame<'a>,
    line: usize,
    first: usize,
    last: usize,
    /// The extended neighbour interval on the line ahead.
    eni: (usize, usize),
}

/// A free part of the line ahead of a wall.
#[derive(Clone, Copy)]
struct Opening {
    a: usize,
    b: usize,
    line: usize,
}

/// A query.
pub(super) struct Search<'a, P: ?Sized> {
    grid: &'a Grid,
    gates: Option<GateQuery<'a>>,
    /// In the order of [`STRAIGHT`].
    frames: &'a [Frame<'a>; 4],
    config: &'a ReaStar,
    query: PathQuery,
    start: Cell,
    goal: Cell,
    out: &'a mut Path,
    /// The jump points of the path.
    jumps: &'a mut Vec<Cell>,
    probe: &'a mut P,
}

/// The best known path to the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<C> {
    pub(super) cost: C,
    /// The last cell before the goal at which the path may turn; the goal itself if its owner has that information.
    pub(super) last: Cell,
}

impl<P: Probe + ?Sized> Search<'_, P> {
    /// Runs the search. Returns whether a path exists.
    pub(super) fn run<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        memory.store.begin();
        self.search(memory)?;
        let found = memory.store.found;
        if let Some(found) = found {
            if self.query.output == Output::Cost {
                self.out.set_cost(U::decode(found.cost));
            } else {
                self.trace(&memory.store, found);
            }
        }
        Ok(found.is_some())
    }

    fn search<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<(), Overflow> {
        self.open_start(&mut memory.store);
        while memory.store.found.is_none()
            && let Some(entry) = memory.store.heap.pop()
        {
            if U::f(entry) >= U::LIMIT {
                return Err(Overflow);
            }
            if self.probe.stops(U::length(U::f(entry))) {
                break;
            }
            let index = (NODE_MASK - U::id(entry, NODE_BITS)) & NODE_MASK;
            self.expand(memory, index as usize, U::f(entry));
        }
        Ok(())
    }

    /// Opens the start's rectangle, or both rectangles of its cross, and makes the first search nodes.
    fn open_start<U: Units>(&mut self, store: &mut Store<U>) {
        let (start, frames) = (self.start, self.frames);
        let straight = U::between(start, self.goal);
        let rects = start_rects(self.grid, start, self.config.crosses());
        store.nodes.push(Node { first: 0, last: 0, line: 0, dir: 0 });
        store.cells[self.grid.id(start).index()] = Visited { g: 0.into(), owner: store.base };
        self.probe.expanded(start);
        if rects.iter().flatten().any(|rect| rect.contains(self.goal)) {
            store.found = Some(Found { cost: straight, last: start });
            return;
        }
        for (rect, other) in [(rects[0], rects[1]), (rects[1], rects[0])] {
            let Some(rect) = rect else { continue };
            self.probe.expanded_area(rect.min, rect.max);
            for frame in frames {
                let ((u0, v0), (u1, v1)) = (frame.uv(rect.min), frame.uv(rect.max));
                let line = if frame.forward { v1 } else { v0 };
                let wall = Wall { frame, line, first: u0, last: u1, eni: (u0 - 1, u1 + 1) };
                let (owner, costs) = (store.base, PointCosts { root: start, g: 0.into(), frame, line, other });
                self.push_out(store, owner, &wall, straight, costs);
            }
        }
    }

    /// Expands a search node: grows its rectangle, and pushes its three walls outward.
    fn expand<U: Units>(&mut self, memory: &mut Memory<U>, index: usize, f: U::Cost) {
        let Memory { store, walls } = memory;
        let id = store.base + index as u32;
        let Some(node) = self.trimmed(store, index, f) else { return };
        let frames = self.frames;
        let frame = &frames[usize::from(node.dir)];
        let (u0, u1, v0) = (usize::from(node.first), usize::from(node.last), usize::from(node.line));
        self.probe.expanded(frame.cell(u0, v0));
        let end = match &store.stops {
            Some(stops) => grow_to_stops(frame, &stops[usize::from(node.dir)], u0, u1, v0),
            None => frame.grow(u0, u1, v0),
        };
        let (low, high) = (v0.min(end), v0.max(end));
        self.probe.expanded_area(frame.cell(u0, low), frame.cell(u1, high));
        load_entrance(store, walls, frame, node);
        let (gu, gv) = frame.uv(self.goal);
        if (u0..=u1).contains(&gu) && (low..=high).contains(&gv) {
            store.found = Some(self.goal_inside::<U>(walls, frame, node));
            return;
        }
        let detects = self.config.detects_semi_closed() && u0 < u1;
        let sides = if detects { self.semi_closed_sides(frame, node) } else { None };
        let [left, right] = [(frame.low_side, u0), (frame.high_side, u1)];
        let side = |(dir, line): (usize, usize), end: usize| {
            let (low, high) = (v0.min(end), v0.max(end));
            // A side wall reaches one cell ahead of the front and, in the paper, one cell behind the entrance. With
            // owners, that of the cells there has already covered it.
            let behind = usize::from(!self.config.owns());
            let eni = if frame.forward { (low - behind, high + 1) } else { (low - 1, high + behind) };
            Wall { frame: &frames[dir], line, first: low, last: high, eni }
        };
        let [left_end, right_end] = sides.unwrap_or([end, end]);
        let (left, right) = (side(left, left_end), side(right, right_end));
        let front = Wall { frame, line: end, first: u0, last: u1, eni: (u0 - 1, u1 + 1) };
        if u0 == u1 {
            let (root, g) = (frame.cell(u0, v0), walls.entrance[0]);
            for wall in [&left, &right, &front] {
                let costs = PointCosts { root, g, frame: wall.frame, line: wall.line, other: None };
                self.push_out(store, id, wall, f, costs);
            }
            return;
        }
        walls.begin::<U>();
        self.push_out(store, id, &left, f, SideCosts { walls, side: Side::Low, entrance: v0 });
        self.push_out(store, id, &right, f, SideCosts { walls, side: Side::High, entrance: v0 });
        if sides.is_none() {
            self.push_out(store, id, &front, f, FrontCosts { walls, height: end.abs_diff(v0), first: u0 });
        }
    }

    /// If the area ahead of a node of several cells is semi-closed (6.3), the lines at which its first and its last
    /// column end: what lies between the columns has no other way out, so its two sides are the only walls.
    ///
    /// The area consists of the free cells straight ahead of the node. It is semi-closed if no column of it opens to
    /// a neighbour that ended before it, unless the goal is in it. Costs along the sides are those of a free
    /// rectangle only if the diagonals that lead there are free, with the cells beside them: as in the paper, all
    /// obstacles must be beyond the diagonals through the far ends of the sides.
    fn semi_closed_sides(&self, frame: &Frame, node: Node) -> Option<[usize; 2]> {
        let (first, last, line) = (usize::from(node.first), usize::from(node.last), usize::from(node.line));
        let end = |u: usize| frame.reach(u, line);
        let depth = |u: usize| end(u).abs_diff(line);
        let (gu, gv) = frame.uv(self.goal);
        let has_goal = || (first..=last).contains(&gu) && (line.min(end(gu))..=line.max(end(gu))).contains(&gv);
        // Whether a column that ended is free again beside a longer one.
        let opens = |short: usize, long: usize| {
            let (near, far) = (end(short), end(long));
            let (low, high) = if frame.forward { (near + 1, far) } else { (far, near - 1) };
            low <= high && frame.across.first_free(short, low, high).is_some()
        };
        let is_closed = (first..last).all(|u| {
            let (short, long) = if depth(u) < depth(u + 1) { (u, u + 1) } else { (u + 1, u) };
            !opens(short, long)
        });
        let is_clear = |side: usize| {
            let reach = depth(side) + 1;
            (first..=last).all(|u| u == side || u.abs_diff(side) + depth(u) >= reach)
        };
        (is_closed && !has_goal() && is_clear(first) && is_clear(last)).then(|| [end(first), end(last)])
    }

    /// The part of a node that it still owns. A node whose best cells others have taken over returns to the open list
    /// with the higher f of the rest; a node that owns nothing any more is dropped.
    fn trimmed<U: Units>(&mut self, store: &mut Store<U>, index: usize, f: U::Cost) -> Option<Node> {
        let node = store.nodes[index];
        if !self.config.owns() {
            return Some(node);
        }
        let frame = &self.frames[usize::from(node.dir)];
        let id = store.base + index as u32;
        let line = usize::from(node.line);
        if node.first == node.last {
            return (store.cells[frame.id(node.first.into(), line)].owner == id).then_some(node);
        }
        let owns = |u: &u16| store.cells[frame.id(usize::from(*u), line)].owner == id;
        let first = (node.first..=node.last).find(owns)?;
        let last = if owns(&node.last) { node.last } else { (first..=node.last).rev().find(owns)? };
        if (first, last) == (node.first, node.last) {
            return Some(node);
        }
        let trimmed = Node { first, last, ..node };
        store.nodes[index] = trimmed;
        let cost = |u: u16| {
            let u = usize::from(u);
            store.g(frame.id(u, line)) + U::between(frame.cell(u, line), self.goal)
        };
        let least = (first..=last).map(cost).min()?;
        if least > f {
            store.push(least, index as u32);
            return None;
        }
        Some(trimmed)
    }

    /// The goal lies in the rectangle: the cheapest path to it from any entrance cell is free.
    fn goal_inside<U: Units>(&self, walls: &Walls<U::Cost>, frame: &Frame, node: Node) -> Found<U::Cost> {
        let candidates = (usize::from(node.first)..).zip(&walls.entrance).map(|(u, &g)| {
            let last = frame.cell(u, node.line.into());
            Found { cost: g + U::between(last, self.goal), last }
        });
        candidates.min_by_key(|found| found.cost).expect("a node has at least one cell")
    }

    /// Pushes a wall outward: finds the openings on the line ahead, and the costs of the wall cells beside them and of
    /// the cells beyond. Makes a search node of every opening in which some cell got cheaper.
    #[inline]
    fn push_out<U: Units>(
        &mut self,
        store: &mut Store<U>,
        id: u32,
        wall: &Wall,
        f: U::Cost,
        mut costs: impl WallCosts<U>,
    ) {
        let (frame, ahead) = (wall.frame, wall.frame.ahead(wall.line));
        if !self.config.owns() {
            // As in the paper: the whole wall, not only the cells beside openings.
            costs.prepare(wall.first, wall.last);
            for u in wall.first..=wall.last {
                self.wall_cell(store, id, frame.id(u, wall.line), u, &costs);
            }
            store.stop_at(wall, (wall.first, wall.last));
        }
        let last = wall.eni.1.min(frame.u_count);
        let mut from = wall.eni.0.max(1);
        while let Some(a) = frame.lines.first_free(ahead, from, last) {
            let end = frame.lines.run_end(ahead, a);
            let opening = Opening { a, b: (end - 1).min(last), line: ahead };
            let (low, high) = (a.max(wall.first), opening.b.min(wall.last));
            if low <= high
                && self.gates.is_none_or(|gates| gates.allows_run(frame.id(a, ahead) as u32, frame.u_step == 1))
                && !(self.config.skips_dead_ends() && self.is_dead_end(frame, opening))
            {
                costs.prepare(low, high);
                self.push_opening(store, id, wall, opening, &costs);
                self.check_for_goal(store, frame, opening, f);
            }
            if end > last {
                break;
            }
            from = end;
        }
    }

    /// Processes one opening, cell by cell: lowers the cost of each wall cell and of the cell beyond it.
    ///
    /// A diagonal move into a cell needs the cell behind it and the neighbour in the opening to be free. The cell past
    /// the wall's end, behind which there may be an obstacle, is reached along the opening if it is not free behind.
    #[inline(never)]
    fn push_opening<U: Units>(
        &mut self,
        store: &mut Store<U>,
        id: u32,
        wall: &Wall,
        opening: Opening,
        costs: &impl WallCosts<U>,
    ) {
        let Opening { a, b, .. } = opening;
        let (low, high) = (a.max(wall.first), b.min(wall.last));
        let frame = wall.frame;
        let mut improved = Improved::new(frame, opening, self.goal, self.config.shortens());
        let (mut wall_id, mut id_beyond) = (frame.id(low, wall.line), frame.id(low, opening.line));
        let mut before = infinity::<U>();
        let mut here = self.wall_cell(store, id, wall_id, low, costs);
        for u in low..=high {
            wall_id += frame.u_step;
            let after = if u < high { self.wall_cell(store, id, wall_id, u + 1, costs) } else { infinity::<U>() };
            let beyond = (here + U::STRAIGHT).min(before.min(after) + U::DIAGONAL);
            let past_end = |end: usize| {
                if frame.is_free(end, wall.line) { here + U::DIAGONAL } else { beyond + U::STRAIGHT }
            };
            if u == low && a < low {
                improved.lower(store, a, id_beyond - frame.u_step, past_end(a), costs);
            }
            improved.lower(store, u, id_beyond, beyond, costs);
            id_beyond += frame.u_step;
            if u == high && b > high {
                improved.lower(store, b, id_beyond, past_end(b), costs);
            }
            (before, here) = (here, after);
        }
        if self.config.owns() {
            store.stop_at(wall, (low, high));
        }
        self.open_improved(store, wall.frame, &improved);
    }

    /// The cost of a wall cell from which this rectangle may continue: infinite if the cell belongs to another
    /// rectangle, which then continues from it itself. In the paper, rectangles continue from every cell.
    ///
    /// Cells of the entrance keep their costs. A walk along the entrance may be cheaper, but this rectangle must not
    /// search what lies behind a cell reached that way: if it owned the cell, no rectangle would search there.
    #[inline]
    fn wall_cell<U: Units>(
        &mut self,
        store: &mut Store<U>,
        owner: u32,
        id: usize,
        u: usize,
        costs: &impl WallCosts<U>,
    ) -> U::Cost {
        let cost = costs.cost(u);
        let cell = &mut store.cells[id];
        if (cell.owner < store.base || cost < cell.g) && !costs.is_entrance(u) {
            *cell = Visited { g: cost, owner };
            self.probe.touched(self.grid.cell(CellId(id as u32)));
            cost
        } else if cell.owner == owner || cell.owner >= store.base && !self.config.owns() {
            cell.g
        } else {
            infinity::<U>()
        }
    }

    /// Opens a search node if cells of an opening got cheaper.
    #[inline]
    fn open_improved<U: Units>(&mut self, store: &mut Store<U>, frame: &Frame, improved: &Improved<U::Cost>) {
        if improved.first > improved.last {
            return;
        }
        let Opening { a, b, line } = improved.opening;
        let (first, last) = if self.config.shortens() { (improved.first, improved.last) } else { (a, b) };
        self.probe.reached(frame.cell(first, line), true);
        self.probe.reached_line(frame.cell(first, line), frame.cell(last, line));
        let index = store.nodes.len() as u32;
        store.nodes.push(Node { first: first as u16, last: last as u16, line: line as u16, dir: frame.index });
        store.push(improved.least, index);
    }

    /// If the goal lies in an opening and costs no more than the f of the node being expanded, no path can be cheaper.
    #[inline]
    fn check_for_goal<U: Units>(&self, store: &mut Store<U>, frame: &Frame, opening: Opening, f: U::Cost) {
        let (gu, gv) = frame.uv(self.goal);
        if gv == opening.line && (opening.a..=opening.b).contains(&gu) {
            let cost = store.g(frame.id(gu, gv));
            if cost <= f {
                store.found = Some(Found { cost, last: self.goal });
            }
        }
    }

    /// Whether the area ahead of an opening is semi-closed (6.3): every column of it ends in an obstacle, none opens to
    /// a side, and the goal is not in it. Examines openings of up to 55 cells to a depth of 32 lines, and corridors to
    /// their end.
    #[inline]
    fn is_dead_end(&self, frame: &Frame, opening: Opening) -> bool {
        const DEPTH: usize = 32;
        let Opening { a, b, line } = opening;
        let (gu, gv) = frame.uv(self.goal);
        if a == b {
            let end = frame.reach(a, line);
            let (low, high) = (line.min(end), line.max(end));
            let is_open = |side: usize| frame.across.first_free(side, low, high).is_some();
            return !(is_open(a - 1) || is_open(a + 1) || gu == a && (low..=high).contains(&gv));
        }
        if b - a > 54 {
            return false;
        }
        // Bit 0 is the cell before the opening, bits 1.. its cells, then the cell after it.
        let width = (1_u64 << (b - a + 3)) - 1;
        let mut open = (1_u64 << (b - a + 2)) - 2;
        let mut line = line;
        if frame.lines.window(line, a - 1) & width & !open != 0 {
            return false;
        }
        for _ in 0..DEPTH {
            if gv == line && (a..=b).contains(&gu) {
                return false;
            }
            line = frame.ahead(line);
            let free = frame.lines.window(line, a - 1) & width;
            open &= free;
            if open == 0 {
                return true;
            }
            if (open << 1 | open >> 1) & free & !open != 0 {
                return false;
            }
        }
        false
    }
}

/// The cells of an opening that get cheaper and become a search node.
struct Improved<C> {
    opening: Opening,
    goal_u: usize,
    /// The number of lines between the opening and the goal.
    across: u32,
    shorten: bool,
    /// The first and last cell that got cheaper; none if `first > last`.
    first: usize,
    last: usize,
    /// The least f of those, or of all cells if nodes are not shortened.
    least: C,
}

impl<C: Cost> Improved<C> {
    #[inline]
    fn new(frame: &Frame, opening: Opening, goal: Cell, shorten: bool) -> Self {
        let (goal_u, goal_v) = frame.uv(goal);
        let across = goal_v.abs_diff(opening.line) as u32;
        Self { opening, goal_u, across, shorten, first: usize::MAX, last: 0, least: C::MAX }
    }

    #[inline]
    fn lower<U: Units<Cost = C>>(
        &mut self,
        store: &mut Store<U>,
        u: usize,
        id: usize,
        cost: C,
        costs: &impl WallCosts<U>,
    ) {
        let owner = store.base + store.nodes.len() as u32;
        let cell = &mut store.cells[id];
        let known = if cell.owner < store.base { infinity::<U>() } else { cell.g };
        let mut g = known;
        if cost < known && !costs.is_inside(u, self.opening.line) {
            *cell = Visited { g: cost, owner };
            self.first = self.first.min(u);
            self.last = self.last.max(u);
            g = cost;
        } else if self.shorten || known == infinity::<U>() {
            return;
        }
        self.least = self.least.min(g + U::octile(u.abs_diff(self.goal_u) as u32, self.across));
    }
}

fn load_entrance<U: Units>(store: &Store<U>, walls: &mut Walls<U::Cost>, frame: &Frame, node: Node) {
    walls.entrance.clear();
    let mut id = frame.id(node.first.into(), node.line.into());
    for _ in node.first..=node.last {
        walls.entrance.push(store.g(id));
        id += frame.u_step;
    }
}

/// As [`Frame::grow`], but also stops before a line with a marked cell.
fn grow_to_stops(frame: &Frame, stops: &BitLines, first: usize, last: usize, v: usize) -> usize {
    let mut end = v;
    loop {
        let next = frame.ahead(end);
        if !frame.lines.all_free(next, first, last) || stops.any_set(next, first, last) {
            return end;
        }
        end = next;
    }
}
