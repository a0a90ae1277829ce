//! First moves: from one source, the set of all optimal first moves to every cell.
//!
//! Dijkstra's algorithm with three buckets, each as wide as the cost of a straight move. No move is cheaper than that,
//! so the cells of the lowest bucket are final in any order, and a cell is never more than two buckets ahead.
//!
//! **Pruning that keeps ties.** Under the octile rule most moves need not be tried: another order of moves reaches the
//! same cell at the same cost and with the same first moves. From a cell entered by a diagonal move, the search
//! continues in that direction and the two adjacent ones. From a cell entered by a straight move it does the same, and
//! also turns to a side where the cell it came from could not. A cell entered at the same cost in several ways
//! continues only where all of them would: where one would not, there is a path at the same cost that does not pass
//! through this cell. Less than two moves per cell remain.

use std::fmt;

use crate::geometry::units::{Cost, Narrow, Units};
use crate::geometry::{Cell, CellId, Dir, DirSet, GridCost};
use crate::grid::{Grid, Movement};
use crate::kernels::widths::{self, Memories, Overflow, Widths};

/// The set of all directions: for cells that need no first move because they are blocked, unreachable or the source
/// itself.
pub(super) const ANY: u8 = u8::MAX;

/// Search data of a cell.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
struct State<C> {
    cost: C,
    /// All first moves of paths at that cost.
    first: u8,
    /// The directions in which the search continues from here.
    next: u8,
    /// The legal moves.
    legal: u8,
}

/// Which directions to try from a cell, given the move that led there and the legal moves where that move began.
type Pruning = [[u8; 256]; 8];

fn pruning(movement: Movement) -> Box<Pruning> {
    let tried = |dir: Dir, legal: u8| {
        if movement != Movement::Octile {
            return u8::MAX;
        }
        let bit = |dir: Dir| 1 << dir as u8;
        let sides =
            [dir.turn(-2), dir.turn(2)].into_iter().filter(|&side| !dir.is_diagonal() && legal & bit(side) == 0);
        bit(dir) | bit(dir.turn(-1)) | bit(dir.turn(1)) | sides.map(bit).fold(0, |set, side| set | side)
    };
    Box::new(Dir::ALL.map(|dir| std::array::from_fn(|legal| tried(dir, legal as u8))))
}

/// Finds first moves. One per thread, reused between sources.
pub(super) struct FirstMoves<'a> {
    grid: &'a Grid,
    pruning: Box<Pruning>,
    widths: Widths<Memory<Narrow>>,
    /// By cell, row by row.
    found: Vec<u8>,
}

impl<'a> FirstMoves<'a> {
    pub(super) fn new(grid: &'a Grid) -> Self {
        let cells = grid.width() as usize * grid.height() as usize;
        let widths = Widths::new(Memory::new(grid));
        Self { grid, pruning: pruning(grid.movement()), widths, found: vec![ANY; cells] }
    }

    /// The optimal first moves from a free cell to every cell, row by row; [`ANY`] for cells that need none.
    pub(super) fn from(&mut self, source: CellId) -> &[u8] {
        let Self { grid, pruning, widths, found } = self;
        widths.run_plain(&mut Search { grid, pruning, source, wanted: Wanted::Moves(found) });
        found
    }

    /// Overwrites `costs`, which has an element for each padded id, with the costs of shortest paths from a free cell.
    pub(super) fn costs(&mut self, source: CellId, costs: &mut [Option<GridCost>]) {
        let Self { grid, pruning, widths, .. } = self;
        widths.run_plain(&mut Search { grid, pruning, source, wanted: Wanted::Costs(costs) });
    }
}

struct Memory<U: Units> {
    states: Vec<State<U::Cost>>,
    /// The cells of this bucket and the next two.
    queues: [Vec<u32>; 3],
    /// The cost at the source of the last search. It decreases from search to search: the costs of earlier searches are
    /// then larger than all costs of this one, so they count as infinite and need not be cleared.
    zero: U::Cost,
    /// The size of the decrease: most likely more than the next search needs.
    room: U::Cost,
}

impl<U: Units> Memories for Memory<U> {
    type In<V: Units> = Memory<V>;
}

impl<U: Units> fmt::Debug for Memory<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory of {} cells", self.states.len())
    }
}

impl<U: Units> Memory<U> {
    fn new(grid: &Grid) -> Self {
        let ids = 0..grid.padded_cells() as u32;
        let state = |id| State { cost: U::Cost::INFINITE, first: 0, next: 0, legal: grid.moves_of(CellId(id)).0 };
        // A cell is in a bucket at most once; one more slot is written to but not kept.
        let queue = || vec![0; grid.padded_cells() + 1];
        Self {
            states: ids.map(state).collect(),
            queues: [queue(), queue(), queue()],
            zero: U::Cost::INFINITE,
            room: U::LIMIT,
        }
    }

    /// Clears all costs.
    fn clear(&mut self) {
        self.states.iter_mut().for_each(|state| state.cost = U::Cost::INFINITE);
        self.zero = U::Cost::INFINITE;
    }

    /// Makes room for a search. Returns the cost at its source, and a cost that is above all its own and not above any
    /// other.
    fn begin(&mut self) -> (U::Cost, U::Cost) {
        if self.zero < self.room {
            self.clear();
        }
        let ceiling = self.zero;
        self.zero = ceiling - self.room;
        (self.zero, ceiling)
    }
}

/// One search.
struct Search<'a> {
    grid: &'a Grid,
    pruning: &'a Pruning,
    source: CellId,
    wanted: Wanted<'a>,
}

/// What a search is for.
enum Wanted<'a> {
    /// First moves, row by row.
    Moves(&'a mut [u8]),
    /// Costs, by padded id.
    Costs(&'a mut [Option<GridCost>]),
}

impl widths::Search for Search<'_> {
    type Memory = Memory<Narrow>;

    /// A cost below the limit grows by one move at a time.
    fn farthest(&self) -> u64 {
        Narrow::DIAGONAL.into()
    }

    fn memory<U: Units>(&self) -> Memory<U> {
        Memory::new(self.grid)
    }

    fn run_narrow(&mut self, memory: &mut Memory<Narrow>) -> Result<bool, Overflow> {
        self.run(memory)
    }

    fn run_wider<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        self.run(memory)
    }
}

impl Search<'_> {
    /// Runs the search; it always reaches all cells.
    fn run<U: Units>(&mut self, memory: &mut Memory<U>) -> Result<bool, Overflow> {
        let (mut zero, mut ceiling) = memory.begin();
        let mut end = self.spread(memory, zero, ceiling);
        if end.is_none() && memory.room < U::LIMIT {
            memory.room = U::LIMIT;
            memory.clear();
            (zero, ceiling) = memory.begin();
            end = self.spread(memory, zero, ceiling);
        }
        let end = end.ok_or(Overflow)?;
        self.copy_out(memory, ceiling);
        // From any other cell of the same component, no cell is more than twice as far.
        let twice = (end - zero).into() * 2 + 4 * U::DIAGONAL.into();
        memory.room = U::Cost::of(twice.min(U::LIMIT.into()));
        Ok(true)
    }
}

impl Search<'_> {
    /// Finds the costs and first moves of all reachable cells. Returns a cost above all of them, or `None` if they come
    /// near the ceiling.
    fn spread<U: Units>(&self, memory: &mut Memory<U>, zero: U::Cost, ceiling: U::Cost) -> Option<U::Cost> {
        let Memory { states, queues: [now, next, later], .. } = memory;
        let steps = self.grid.id_steps();
        let prices = Dir::ALL.map(|dir| if dir.is_diagonal() { U::DIAGONAL } else { U::STRAIGHT });
        let (straight, width) = (U::STRAIGHT, U::STRAIGHT + U::STRAIGHT);
        let (mut now, mut next, mut later) = (&mut now[..], &mut next[..], &mut later[..]);
        let (mut now_len, mut next_len, mut later_len) = (0, 0, 0);
        let legal = states[self.source.index()].legal;
        states[self.source.index()].cost = zero;
        for dir in DirSet(legal) {
            let id = self.source.0.wrapping_add(steps[dir as usize]);
            let state = &mut states[id as usize];
            state.cost = zero + prices[dir as usize];
            state.first = 1 << dir as u8;
            state.next = self.pruning[dir as usize][legal as usize];
            now[now_len] = id;
            now_len += 1;
        }
        let mut base = zero + straight;
        while now_len + next_len + later_len > 0 {
            // All costs in this bucket, and all costs reached from it, stay below.
            let behind_next = base + width;
            if behind_next + straight >= ceiling {
                return None;
            }
            for &id in &now[..now_len] {
                let State { cost, first, next: go_on, legal } = states[id as usize];
                // The cell has become cheaper, and was in an earlier bucket.
                if cost < base {
                    continue;
                }
                let mut tried = legal & go_on;
                while tried != 0 {
                    let dir = tried.trailing_zeros() as usize & 7;
                    tried &= tried - 1;
                    let to = id.wrapping_add(steps[dir]);
                    let to_cost = cost + prices[dir];
                    let to_next = self.pruning[dir][legal as usize];
                    let state = &mut states[to as usize];
                    let before = state.cost;
                    if to_cost < before {
                        state.cost = to_cost;
                        state.first = first;
                        state.next = to_next;
                        // Always written, and kept only if the cell is not in the bucket yet: a branch would be
                        // mispredicted.
                        if to_cost < behind_next {
                            next[next_len] = to;
                            next_len += usize::from(before >= behind_next);
                        } else {
                            later[later_len] = to;
                            later_len += usize::from(before >= ceiling);
                        }
                    } else if to_cost == before {
                        state.first |= first;
                        state.next &= to_next;
                    }
                }
            }
            (now, next, later) = (next, later, now);
            (now_len, next_len, later_len) = (next_len, later_len, 0);
            base = base + straight;
        }
        Some(base)
    }

    /// Copies what was found to where it is read.
    fn copy_out<U: Units>(&mut self, memory: &Memory<U>, ceiling: U::Cost) {
        match &mut self.wanted {
            Wanted::Moves(found) => {
                let (width, stride) = (self.grid.width() as usize, self.grid.stride() as usize);
                let first = self.grid.id(Cell::new(0, 0)).index();
                for (row, states) in found.chunks_exact_mut(width).zip(memory.states[first..].chunks(stride)) {
                    for (found, state) in row.iter_mut().zip(states) {
                        *found = if state.cost < ceiling { state.first } else { ANY };
                    }
                }
                let source = self.grid.cell(self.source);
                found[source.y as usize * width + source.x as usize] = ANY;
            }
            Wanted::Costs(costs) => {
                for (cost, state) in costs.iter_mut().zip(&memory.states) {
                    *cost = (state.cost < ceiling).then(|| U::decode(state.cost - memory.zero));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::geometry::{Cell, GridCost};

    /// A move is in the set exactly if it and the rest of the path together cost no more than the whole path.
    fn check(grid: &Grid, sources: impl Iterator<Item = Cell>) -> u32 {
        let mut moves = FirstMoves::new(grid);
        let mut ties = 0;
        for source in sources.filter(|&cell| grid.is_free(cell)) {
            let whole = crate::services::distances(grid, source);
            let rests: Vec<_> = grid
                .moves(source)
                .into_iter()
                .map(|dir| (dir, crate::services::distances(grid, dir.step(source, 1))))
                .collect();
            let found = moves.from(grid.id(source));
            for (target, &found) in grid.cells().zip(found) {
                let optimal = |cost| {
                    rests.iter().filter(move |(dir, rest)| {
                        rest.cost(target).map(|rest| rest + GridCost::of_steps(*dir, 1)) == Some(cost)
                    })
                };
                let expected = match whole.cost(target).filter(|_| target != source) {
                    Some(cost) => optimal(cost).fold(0, |set, (dir, _)| set | 1 << *dir as u8),
                    None => ANY,
                };
                assert_eq!(found, expected, "{source} to {target}\n{grid:?}");
                ties += u32::from(expected != ANY && expected.count_ones() > 1);
            }
        }
        ties
    }

    #[test]
    fn all_optimal_first_moves_are_found_and_no_others() {
        let maps = [
            Grid::open(9, 7).unwrap(),
            generate::random(23, 17, 25, 1).unwrap(),
            generate::random(20, 20, 10, 2).unwrap(),
            generate::rooms(21, 21, 4, 3).unwrap(),
            generate::maze(19, 15, 2, 4).unwrap(),
            "..@.\n.@..\n@...".parse().unwrap(),
        ];
        let mut ties = 0;
        for map in maps {
            for movement in Movement::ALL {
                let grid = map.with_movement(movement);
                ties += check(&grid, grid.cells().step_by(3));
            }
        }
        assert!(ties > 10_000, "{ties}");
    }

    /// Many searches share one memory: a search must not take the costs of earlier ones for its own, even when they
    /// must be cleared.
    #[test]
    fn memory_serves_many_searches() {
        let grid = Grid::from_fn(70, 40, |cell| cell.x != 50 || cell.y == 7).unwrap();
        check(&grid, (0..1200).map(|i| Cell::new(i * 7 % 70, i * 11 % 40)));
    }

    /// Beyond the range of 32-bit costs, searches continue in 64 bits.
    #[test]
    fn paths_beyond_32_bits_have_first_moves() {
        let (width, rows) = (1001, 101);
        let corridor = |cell: Cell| cell.y & 1 == 0 || cell.x == [width - 1, 0][cell.y as usize / 2 % 2];
        let grid = Grid::from_fn(width, rows, corridor).unwrap();
        let mut moves = FirstMoves::new(&grid);
        for _ in 0..2 {
            let found = moves.from(grid.id(Cell::new(500, 0)));
            for (target, &found) in grid.cells().zip(found).filter(|(target, _)| grid.is_free(*target)) {
                let back = target.y == 0 && target.x < 500;
                let expected = if target == Cell::new(500, 0) {
                    ANY
                } else if back {
                    1 << Dir::W as u8
                } else {
                    1 << Dir::E as u8
                };
                assert_eq!(found, expected, "{target}");
            }
            assert!(moves.widths.went_wide());
        }
    }
}
