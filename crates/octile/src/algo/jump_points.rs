//! The search over jump points that planners share; they differ in how they scan the map for them.
//!
//! Every optimal path can be reordered so that each hop goes diagonally first, then straight, and turns only where an
//! obstacle forces it: at the jump points. A jump point knows the straight direction it was reached in. From there the
//! search goes on in that direction, and wherever an obstacle has just ended beside it, also to that side and along the
//! diagonal between. A cell reached by two directions at the same cost keeps the first: a path that continues in the
//! other way is forced from the first one too, or some diagonal move is cheaper.
//!
//! Diagonal jump points never enter the open list: the straight scans of a diagonal walk are made in place and lead from where
//! the walk began, diagonally first, straight to what they find. Scans do not look for the goal: a cell taken from the open
//! list is asked whether its diagonal-first hop to the goal is free, and if so its f is the answer.

use super::scratch::{CLOSED, CellRun, DIR, Memory, Node, Overflow, SearchScratch};
use crate::cell::CellId;
use crate::grid::bits::BitLines;
use crate::planner::{Output, Query};
use crate::probe::Probe;
use crate::prune::Terrain;
use crate::prune::gates::GateQuery;
use crate::units::{Narrow, Units};
use crate::{Cell, Dir, DirSet, Grid, Path};

/// How jump points are found.
pub(super) trait Scanner: Copy {
    /// How far the first jump point to the east or west is.
    fn row<const EAST: bool>(self, cell: Cell) -> Option<u32>;

    /// How far the first jump point to the south or north is.
    fn column<const SOUTH: bool>(self, cell: Cell) -> Option<u32>;

    /// Walks along a diagonal until it is blocked or leads to a cell that a gate does not let in, and calls `found` with the
    /// number of steps and how far the first jump points along the row and along the column are; at least where there are any.
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        self,
        cell: Cell,
        gates: &impl Gate,
        found: impl FnMut(u32, Option<u32>, Option<u32>),
    );

    /// Whether so many diagonal steps are legal.
    fn diagonal_is_free(self, cell: Cell, dir: Dir, steps: u32) -> bool;
}

/// Working memory: a node also knows the cell its hop came from.
pub type JumpScratch = SearchScratch<u32>;

/// Answers a query.
pub(super) fn search<P: Probe + ?Sized>(
    terrain: &Terrain,
    scanner: impl Scanner,
    scratch: &mut JumpScratch,
    query: Query,
    out: &mut Path,
    probe: &mut P,
) -> bool {
    let grid = &terrain.grid;
    // A hop and the estimate at its end are each at most one side of the map, all diagonal.
    let side = u64::from(grid.width().max(grid.height()));
    let farthest = 2 * side * u64::from(Narrow::DIAGONAL);
    let sight = GoalSight::new(grid, query.goal);
    match terrain.gates(query) {
        None => scratch.run(grid, farthest, &mut Search { grid, scanner, gates: NoGates, query, sight, out, probe }),
        Some(gates) => scratch.run(grid, farthest, &mut Search { grid, scanner, gates, query, sight, out, probe }),
    }
}

/// Which cells a search need not reach. Straight scans pass over such cells: only what they find is asked about.
pub(super) trait Gate: Copy {
    /// Whether some shortest path may enter a cell.
    fn lets_in(&self, id: CellId) -> bool;
}

#[derive(Clone, Copy)]
struct NoGates;

impl Gate for NoGates {
    #[inline]
    fn lets_in(&self, _: CellId) -> bool {
        true
    }
}

impl Gate for GateQuery<'_> {
    #[inline]
    fn lets_in(&self, id: CellId) -> bool {
        self.allows(id)
    }
}

/// One query.
struct Search<'a, S, G, P: ?Sized> {
    grid: &'a Grid,
    scanner: S,
    gates: G,
    query: Query,
    sight: GoalSight,
    out: &'a mut Path,
    probe: &'a mut P,
}

impl<S: Scanner, G: Gate, P: Probe + ?Sized> CellRun<u32> for Search<'_, S, G, P> {
    fn run<U: Units>(&mut self, memory: &mut Memory<U, u32>) -> Result<bool, Overflow> {
        let (grid, query) = (self.grid, self.query);
        let mark = memory.nodes.begin();
        memory.heap.clear();
        let start = grid.id(query.start);
        memory.nodes[start.index()] = Node { g: 0.into(), mark, extra: start.0 };
        self.probe.reached(query.start, true);
        let mut directions = DirSet(u8::MAX);
        let (mut id, mut g, mut f) = (start, U::Cost::from(0), U::between(query.start, query.goal));
        loop {
            let cell = grid.cell(id);
            memory.nodes[id.index()].mark |= CLOSED;
            self.probe.expanded(cell);
            if self.sight.sees(self.scanner, cell) {
                self.answer(memory, id, f);
                return Ok(true);
            }
            let from = Origin { cell, id, g, mark };
            self.expand(memory, &from, DirSet(directions.0 & grid.moves_of(id).0));
            // The next cell that is still open.
            loop {
                let Some(entry) = memory.heap.pop() else { return Ok(false) };
                f = U::f(entry);
                if f >= U::LIMIT {
                    return Err(Overflow);
                }
                id = CellId(U::id(entry, memory.id_bits));
                let node = &memory.nodes[id.index()];
                if node.mark & CLOSED == 0 {
                    g = node.g;
                    directions = successors(Dir::from_index((node.mark & DIR) as u8), grid.moves_of(id));
                    break;
                }
            }
        }
    }
}

/// The cell being expanded.
struct Origin<C> {
    cell: Cell,
    id: CellId,
    g: C,
    mark: u32,
}

/// Where a path that reached a jump point in the straight direction `dir` may go on: ahead, and to each side on which an
/// obstacle has just ended, straight and diagonally.
///
/// On such a side the cell beside is free and the one behind that is not, so the move there is legal and the diagonal
/// move back is not; the cell straight behind is free, as the path came from it.
#[inline]
fn successors(dir: Dir, moves: DirSet) -> DirSet {
    let side = |sign: i8| {
        let forced = moves.contains(dir.turn(2 * sign)) && !moves.contains(dir.turn(3 * sign));
        u8::from(forced) * (1 << dir.turn(2 * sign) as u8 | 1 << dir.turn(sign) as u8)
    };
    DirSet(1 << dir as u8 | side(-1) | side(1))
}

impl<S: Scanner, G: Gate, P: Probe + ?Sized> Search<'_, S, G, P> {
    /// Scans from the cell in every direction of the set, all of them legal moves.
    #[inline]
    fn expand<U: Units>(&mut self, memory: &mut Memory<U, u32>, from: &Origin<U::Cost>, directions: DirSet) {
        for dir in directions {
            let scan = match dir {
                Dir::N => self.scanner.column::<false>(from.cell),
                Dir::E => self.scanner.row::<true>(from.cell),
                Dir::S => self.scanner.column::<true>(from.cell),
                Dir::W => self.scanner.row::<false>(from.cell),
                diagonal => {
                    self.walk_along(memory, from, diagonal);
                    continue;
                }
            };
            if let Some(steps) = scan {
                self.reach(memory, from, dir.step(from.cell, steps), dir, U::STRAIGHT * steps.into());
            }
        }
    }

    /// [`Self::walk`], compiled for each diagonal: a loop that decides at each step which way to scan takes 1.6 times as
    /// long.
    #[inline]
    fn walk_along<U: Units>(&mut self, memory: &mut Memory<U, u32>, from: &Origin<U::Cost>, diagonal: Dir) {
        match (diagonal.dx() > 0, diagonal.dy() > 0) {
            (true, false) => self.walk::<true, false, U>(memory, from),
            (true, true) => self.walk::<true, true, U>(memory, from),
            (false, true) => self.walk::<false, true, U>(memory, from),
            (false, false) => self.walk::<false, false, U>(memory, from),
        }
    }

    /// Opens what is found beside a diagonal walk.
    fn walk<const EAST: bool, const SOUTH: bool, U: Units>(
        &mut self,
        memory: &mut Memory<U, u32>,
        from: &Origin<U::Cost>,
    ) {
        let (dir, row, column) = match (EAST, SOUTH) {
            (true, false) => (Dir::NE, Dir::E, Dir::N),
            (true, true) => (Dir::SE, Dir::E, Dir::S),
            (false, true) => (Dir::SW, Dir::W, Dir::S),
            (false, false) => (Dir::NW, Dir::W, Dir::N),
        };
        let gates = self.gates;
        self.scanner.diagonal::<EAST, SOUTH>(from.cell, &gates, |steps, in_row, in_column| {
            let turn = dir.step(from.cell, steps);
            let walked = U::DIAGONAL * steps.into();
            self.probe.touched(turn);
            if let Some(steps) = in_row {
                self.reach(memory, from, row.step(turn, steps), row, walked + U::STRAIGHT * steps.into());
            }
            if let Some(steps) = in_column {
                self.reach(memory, from, column.step(turn, steps), column, walked + U::STRAIGHT * steps.into());
            }
        });
    }

    /// Opens the jump point at the end of a hop, unless it was reached as cheaply before.
    #[inline]
    fn reach<U: Units>(
        &mut self,
        memory: &mut Memory<U, u32>,
        from: &Origin<U::Cost>,
        found: Cell,
        dir: Dir,
        hop: U::Cost,
    ) {
        let (id, g) = (self.grid.id(found), from.g + hop);
        let node = &mut memory.nodes[id.index()];
        let seen = node.is_seen(from.mark);
        if seen && node.g <= g {
            return;
        }
        if !seen && !self.gates.lets_in(id) {
            // Reached for nothing: it will not be asked about again.
            *node = Node { g: 0.into(), mark: from.mark, extra: from.id.0 };
            return;
        }
        *node = Node { g, mark: from.mark | dir as u32, extra: from.id.0 };
        self.probe.reached(found, !seen);
        memory.heap.push(U::pack(g + U::between(found, self.query.goal), g, id.0, memory.id_bits));
    }

    /// Writes the path whose last hop leads from `last` to the goal.
    fn answer<U: Units>(&mut self, memory: &Memory<U, u32>, last: CellId, cost: U::Cost) {
        if self.query.output == Output::Cost {
            self.out.set_cost(U::decode(cost));
            return;
        }
        let start = self.grid.id(self.query.start);
        let mut trace = self.out.trace_back(self.query);
        let mut at = last;
        loop {
            trace.came_diagonal_first(self.grid.cell(at));
            if at == start {
                break;
            }
            at = CellId(memory.nodes[at.index()].extra);
        }
        trace.finish();
    }
}

/// Tells whether a cell sees the goal: whether the hop that goes diagonally first, then straight, is free.
///
/// The straight part is free exactly if it lies in the free run of the goal's row or column, and those are found once a
/// query; so most cells are turned down by two comparisons.
struct GoalSight {
    goal: Cell,
    /// First and last free `x` around the goal in its row, first and last free `y` in its column.
    row: (u32, u32),
    column: (u32, u32),
}

impl GoalSight {
    fn new(grid: &Grid, goal: Cell) -> Self {
        // Padded positions are one larger; a run's end is the first blocked position.
        let run = |bits: &BitLines, line: u32, position: u32| {
            let (line, position) = (line as usize + 1, position as usize + 1);
            (bits.run_start(line, position) as u32 - 1, bits.run_end(line, position) as u32 - 2)
        };
        Self { goal, row: run(grid.rows(), goal.y, goal.x), column: run(grid.columns(), goal.x, goal.y) }
    }

    #[inline]
    fn sees(&self, scanner: impl Scanner, cell: Cell) -> bool {
        let (dx, dy) = (cell.x.abs_diff(self.goal.x), cell.y.abs_diff(self.goal.y));
        let diagonal = dx.min(dy);
        let dir = match (self.goal.x >= cell.x, self.goal.y >= cell.y) {
            (true, true) => Dir::SE,
            (true, false) => Dir::NE,
            (false, true) => Dir::SW,
            (false, false) => Dir::NW,
        };
        let turn = dir.step(cell, diagonal);
        let straight_is_free = if dx >= dy {
            (self.row.0..=self.row.1).contains(&turn.x)
        } else {
            (self.column.0..=self.column.1).contains(&turn.y)
        };
        straight_is_free && scanner.diagonal_is_free(cell, dir, diagonal)
    }
}
