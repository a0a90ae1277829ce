//! Jump point search with bit-parallel scans.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: none; follows edits. With
//!   [gates](crate::prune::gates) some milliseconds, repeated when the map changes.
//! - **Complexity**: time O(n log n) for n cells, in practice a small share of them; scratch O(n).
//! - **References**: Harabor & Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011; the same, "Improving
//!   Jump Point Search", 2014 (block scans).
//! - **Deviations**: 1. the rule without corner cutting: a scan stops where an obstacle beside it *ends*, one cell later
//!   than in the 2011 paper; 2. diagonal jump points never enter the open list: the straight scans of a diagonal walk are
//!   made in place and lead from where the walk began, diagonally first, straight to what they find; 3. scans do not look
//!   for the goal: a cell taken from the open list is asked whether its diagonal-first hop to the goal is free, and if so
//!   its f is the answer.
//!
//! Every optimal path can be reordered so that each hop goes diagonally first, then straight, and turns only where an
//! obstacle forces it: at the jump points. A jump point knows the straight direction it was reached in. From there the
//! search goes on in that direction, and wherever an obstacle has just ended beside it, also to that side and along the
//! diagonal between. A cell reached by two directions at the same cost keeps the first: a path that continues in the
//! other way is forced from the first one too, or some diagonal move is cheaper.
//!
//! # Example
//! ```
//! use octile::{Cell, Grid, Octile, Path, Planner, Query, algo::jps::Jps};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let planner = Jps::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(0, 2), Cell::new(2, 2)), &mut path)?;
//! assert_eq!(path.cost(), Octile::new(8, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::scratch::{CLOSED, CellRun, DIR, Memory, Node, Overflow, SearchScratch};
use super::{Entry, IndexEffort};
use crate::cell::CellId;
use crate::error::{BuildError, EditError};
use crate::grid::Movement;
use crate::grid::bits::BitLines;
use crate::planner::{Guarantee, OnEdit, Output, Planner, Query};
use crate::probe::Probe;
use crate::prune::gates::GateQuery;
use crate::prune::{GATES_USE_KEY, GateUse, PRUNE_GATES_KEY, Prune, Terrain};
use crate::units::{Narrow, Units};
use crate::{Cell, Dir, DirSet, Edits, Finder, Grid, Path};

/// The line of [`Jps`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "jps",
    summary: "jump point search: scans rows and columns 57 cells at a time",
    guarantee: |_| Guarantee::GridOptimal,
    index: IndexEffort::None,
    movements: |_| &[Movement::Octile],
    keys: &[PRUNE_GATES_KEY, GATES_USE_KEY],
    paper: "Harabor & Grastien 2011, 2014",
    variants: &["jps:prune=gates", "jps:prune=gates,gates=always", "jps:smooth=greedy"],
    check: |options| Prune::gates_from_options(options).map(drop),
    indexes: |options| Prune::gates_from_options(options).unwrap_or_default().index_kinds(),
    build: |grid, options| {
        let prune = Prune::gates_from_options(options)?;
        Ok(Finder::from_planner(Jps { terrain: Terrain::from_options(grid, prune, GATES_PAY_BELOW, options)? }))
    },
};

/// Jump point search.
#[derive(Clone, Debug)]
pub struct Jps {
    terrain: Terrain,
}

/// Gates pay unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.4;

impl Jps {
    /// A planner for `grid`.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        Self::with_gates(grid, None)
    }

    /// A planner for `grid` that looks behind no [gate](crate::prune::gates).
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn with_gates(grid: &Grid, gates: Option<GateUse>) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &[Movement::Octile])?;
        Ok(Self { terrain: Terrain::new(grid, Prune { areas: None, gates }, GATES_PAY_BELOW) })
    }
}

impl Planner for Jps {
    type Scratch = JpsScratch;

    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.terrain.grid
    }

    fn create_scratch(&self) -> JpsScratch {
        SearchScratch::new(self.grid())
    }

    fn accepts(&self, scratch: &JpsScratch) -> bool {
        scratch.fits(self.grid())
    }

    fn search<P: Probe + ?Sized>(&self, scratch: &mut JpsScratch, query: Query, out: &mut Path, probe: &mut P) -> bool {
        let grid = self.grid();
        // A hop and the estimate at its end are each at most one side of the map, all diagonal.
        let side = u64::from(grid.width().max(grid.height()));
        let farthest = 2 * side * u64::from(Narrow::DIAGONAL);
        let sight = GoalSight::new(grid, query.goal);
        match self.terrain.gates(query) {
            None => scratch.run(grid, farthest, &mut Search { grid, gates: NoGates, query, sight, out, probe }),
            Some(gates) => scratch.run(grid, farthest, &mut Search { grid, gates, query, sight, out, probe }),
        }
    }

    fn on_edit(&self) -> OnEdit {
        self.terrain.on_edit()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.terrain.apply(edits)
    }

    fn index_bytes(&self) -> usize {
        self.terrain.pruning.size_bytes()
    }
}

/// Working memory of [`Jps`]: a node also knows the cell its hop came from.
pub type JpsScratch = SearchScratch<u32>;

/// Which cells a search need not reach. Straight scans pass over such cells: only what they find is asked about.
trait Gate {
    /// Whether some shortest path may enter a cell.
    fn lets_in(&self, id: CellId) -> bool;
}

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

/// A diagonal walk is asked about at every step of this many: what it finds is asked about anyway, and a question costs as
/// much as a step and a half. Measured from 1 to 8: 4 takes the fewest instructions on mazes, sc1 and dao.
const STEPS_BETWEEN_GATES: u32 = 4;

/// One query.
struct Search<'a, G, P: ?Sized> {
    grid: &'a Grid,
    gates: G,
    query: Query,
    sight: GoalSight,
    out: &'a mut Path,
    probe: &'a mut P,
}

impl<G: Gate, P: Probe + ?Sized> CellRun<u32> for Search<'_, G, P> {
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
            if self.sight.sees(grid, cell, id) {
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

impl<G: Gate, P: Probe + ?Sized> Search<'_, G, P> {
    /// Scans from the cell in every direction of the set, all of them legal moves.
    #[inline]
    fn expand<U: Units>(&mut self, memory: &mut Memory<U, u32>, from: &Origin<U::Cost>, directions: DirSet) {
        for dir in directions {
            let scan = match dir {
                Dir::N => jump_column::<false>(self.grid, from.cell),
                Dir::E => jump_row::<true>(self.grid, from.cell),
                Dir::S => jump_column::<true>(self.grid, from.cell),
                Dir::W => jump_row::<false>(self.grid, from.cell),
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

    /// Walks along a diagonal until it is blocked, with a straight scan to either side at each step.
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
        let id_step = self.grid.id_steps()[dir as usize];
        let (mut cell, mut id) = (from.cell, from.id);
        let mut walked = U::Cost::from(0);
        let mut step = 0_u32;
        while self.grid.moves_of(id).contains(dir) {
            step += 1;
            cell = dir.step(cell, 1);
            id = CellId(id.0.wrapping_add(id_step));
            if step.is_multiple_of(STEPS_BETWEEN_GATES) && !self.gates.lets_in(id) {
                break;
            }
            walked = walked + U::DIAGONAL;
            self.probe.touched(cell);
            if let Some(steps) = jump_row::<EAST>(self.grid, cell) {
                self.reach(memory, from, row.step(cell, steps), row, walked + U::STRAIGHT * steps.into());
            }
            if let Some(steps) = jump_column::<SOUTH>(self.grid, cell) {
                self.reach(memory, from, column.step(cell, steps), column, walked + U::STRAIGHT * steps.into());
            }
        }
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

/// How far the first jump point to the east or west is.
#[inline]
fn jump_row<const EAST: bool>(grid: &Grid, cell: Cell) -> Option<u32> {
    grid.rows().jump::<EAST>(cell.y as usize + 1, cell.x as usize + 1)
}

/// How far the first jump point to the south or north is.
#[inline]
fn jump_column<const SOUTH: bool>(grid: &Grid, cell: Cell) -> Option<u32> {
    grid.columns().jump::<SOUTH>(cell.x as usize + 1, cell.y as usize + 1)
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
    fn sees(&self, grid: &Grid, cell: Cell, id: CellId) -> bool {
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
        let id_step = grid.id_steps()[dir as usize];
        let walk = |steps: u32| CellId(id.0.wrapping_add(id_step.wrapping_mul(steps)));
        straight_is_free && (0..diagonal).all(|steps| grid.moves_of(walk(steps)).contains(dir))
    }
}
