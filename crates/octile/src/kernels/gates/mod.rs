//! Axis gates: free rows and columns that cut off cells which a query can ignore.
//!
//! **Lemma.** Two cells on one straight free run have a unique shortest path, the run itself. So if removing a maximal
//! free run of a row or column cuts off cells from both start and goal, *no* shortest path enters those cells: it would
//! have to leave and return through that run.
//!
//! As no shortest path enters a pruned cell, this pruning combines with that of other gates in rows and columns, with
//! safe [blocked areas](crate::algo::blocked_areas), and with searches that only follow canonical paths, such as jump
//! point search. The lemma holds under all three movement rules. It is not in the paper on blocked areas, whose
//! polygons cover little of a game map; gates work for any shape of obstacle.
//!
//! **Edits.** Suppose that cells have been blocked since the gates were found, and none freed. A gate that is still
//! free from end to end remains a gate: its cells lie on one straight free run, and it still cuts off what it cut off
//! before, because there are fewer paths. A gate with a blocked cell is no longer a gate: the cells that it cut off may
//! contain the way around the blocked cell. A query ignores the cells cut off by gates that it needs itself, the last
//! gates on the paths from those cells. So its gates hold if it needs no run with a newly blocked cell
//! (`Gates::hold_for`). This also covers a query that needs a single run, from start to goal.
//!
//! `axis.rs` finds the gates of one axis. Setting up a query takes O(log n); testing a cell takes two comparisons of
//! intervals.

mod axis;
mod cells;

use self::axis::{Axis, AxisQuery, NONE, Runs};
pub(crate) use self::cells::{CellGateQuery, CellGates};
use super::prune::{Move, Moves, Pruner};
use crate::artifact::{Artifact, ArtifactError, ArtifactWriter};
use crate::geometry::{Cell, CellId, Dir, DirSet};
use crate::grid::area::Area;
use crate::grid::bits::BitLines;
use crate::grid::{Changed, Grid};
use crate::planner::{IndexBuild, IndexKind};

/// The kind of index file.
pub(crate) const KIND: &str = "gates";
/// The version of the sections of an index file.
const VERSION: u32 = 1;

/// The sections of an axis: the block of each run, and the blocks. Rows come first.
const SECTIONS: [[&str; 2]; 2] = [["row-places", "row-blocks"], ["column-places", "column-blocks"]];
const SHARE: &str = "share";

/// The line of [`Gates`] in the table of indexes.
pub(crate) const INDEX: IndexKind = IndexKind {
    kind: KIND,
    version: VERSION,
    summary: "free rows and columns behind which a query need not look",
    build: IndexBuild::ForMap(|build| Ok(Gates::build(build.grid()).to_bytes(build.grid()))),
    describe: |artifact| {
        artifact.verify()?;
        let count = |section: &str, words: usize| Ok(artifact.words(section)?.len() / words);
        let [[row_places, row_blocks], [column_places, column_blocks]] = SECTIONS;
        let per_cent = f64::from(read_share(artifact)?) / 10.0;
        Ok(vec![
            ("runs", format!("{} in rows, {} in columns", count(row_places, 1)?, count(column_places, 1)?)),
            ("blocks", format!("{} of rows, {} of columns", count(row_blocks, 4)?, count(column_blocks, 4)?)),
            ("a query needs", format!("{per_cent:.1} % of the map on average")),
        ])
    },
};

/// The part of the map that a query needs on average, in thousandths.
fn read_share<D: AsRef<[u8]>>(artifact: &Artifact<D>) -> Result<u32, ArtifactError> {
    match artifact.words(SHARE)?[..] {
        [share @ 0..=1000] => Ok(share),
        _ => Err(artifact.malformed("its share is not a number from 0 to 1000")),
    }
}

/// Indices into the two runs of a cell.
const ROW: usize = 0;
const COLUMN: usize = 1;

/// The gates of a map, in rows and in columns.
#[derive(Clone, Debug)]
pub struct Gates {
    rows: Axis,
    columns: Axis,
    /// For each padded cell id, its run in the row and its run in the column. They are stored side by side, so that a
    /// test touches one memory location less.
    runs: Vec<[u32; 2]>,
    /// For each padded cell id, its legal moves and its crossing moves, those that may lead from one block to another.
    /// All other moves stay within what a query needs, unless the query needs only a single run of the block.
    moves: Vec<[u8; 2]>,
    /// The part of the map that a query needs on average, in thousandths.
    share: u32,
    /// The runs of cells that have been blocked since, by axis: sorted, without duplicates.
    barred: [Vec<u32>; 2],
}

/// Drop the gates if more than this many runs are barred: every query tests all of these.
const MOST_BARRED: usize = 200;

impl Gates {
    /// Finds the gates of a map.
    ///
    /// ```
    /// use octile::kernels::gates::Gates;
    /// use octile::{Cell, Grid};
    /// let grid: Grid = "@@.@@\n.....\n@@.@@".parse()?;
    /// let gates = Gates::build(&grid);
    /// assert!(gates.row_gates(&grid).contains(&(Cell::new(0, 1), Cell::new(4, 1))));
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn build(grid: &Grid) -> Self {
        let axis_runs = AxisRuns::both(grid);
        let axes = axis_runs.each_ref().map(|of_axis| Axis::build(&of_axis.runs));
        let gates = Self::new(grid, &axis_runs, axes);
        Self { share: gates.sample_share(grid), ..gates }
    }

    fn new(grid: &Grid, axis_runs: &[AxisRuns; 2], [rows, columns]: [Axis; 2]) -> Self {
        let mut runs = vec![[NONE; 2]; grid.padded_cells()];
        for (axis, of_axis) in axis_runs.iter().enumerate() {
            let (line_step, position_step) = of_axis.steps;
            for (run, (line, (first, last))) in (0..).zip(of_axis.runs.iter()) {
                for position in first as usize..=last as usize {
                    runs[line * line_step + position * position_step][axis] = run;
                }
            }
        }
        let moves = moves(grid, &runs, &rows, &columns);
        Self { rows, columns, runs, moves, share: 1000, barred: Default::default() }
    }

    /// The bytes of an index file for `grid`, the map the gates were built for.
    pub fn to_bytes(&self, grid: &Grid) -> Vec<u8> {
        let mut writer = ArtifactWriter::new(KIND, VERSION, grid);
        for ([places, blocks], axis) in SECTIONS.into_iter().zip([&self.rows, &self.columns]) {
            let words = axis.to_words();
            writer.words(places, &words.0).words(blocks, &words.1);
        }
        writer.words(SHARE, &[self.share]).finish()
    }

    /// Reads the gates of a map from an index file.
    ///
    /// ```
    /// use octile::artifact::Artifact;
    /// use octile::kernels::gates::Gates;
    /// use octile::formats::generate;
    /// let grid = generate::maze(32, 32, 2, 1)?;
    /// let gates = Gates::build(&grid);
    /// let artifact = Artifact::from_bytes(gates.to_bytes(&grid))?;
    /// assert_eq!(Gates::from_artifact(&artifact, &grid)?.row_gates(&grid), gates.row_gates(&grid));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the file is damaged, of another kind, or made for another map or movement rule.
    pub fn from_artifact<D: AsRef<[u8]>>(artifact: &Artifact<D>, grid: &Grid) -> Result<Self, ArtifactError> {
        artifact.check(KIND, VERSION, grid)?;
        artifact.verify()?;
        let axis_runs = AxisRuns::both(grid);
        let read = |[places, blocks]: [&str; 2], of_axis: &AxisRuns| {
            let (places, blocks) = (artifact.words(places)?, artifact.words(blocks)?);
            Axis::from_words(&of_axis.runs, &places, &blocks).map_err(|reason| artifact.malformed(reason))
        };
        let axes = [read(SECTIONS[0], &axis_runs[0])?, read(SECTIONS[1], &axis_runs[1])?];
        let share = read_share(artifact)?;
        Ok(Self { share, ..Self::new(grid, &axis_runs, axes) })
    }

    /// The fraction of the cells reachable from its start that a query needs, on average: from 0 to 1. Measured on a
    /// fixed set of random queries.
    ///
    /// ```
    /// use octile::kernels::gates::Gates;
    /// use octile::Grid;
    /// use octile::formats::generate;
    /// let (open, noise) = (Grid::open(32, 32)?, generate::random(32, 32, 30, 1)?);
    /// assert!(Gates::build(&open).share() < Gates::build(&noise).share());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn share(&self) -> f64 {
        f64::from(self.share) / 1000.0
    }

    /// The free runs of rows that are gates, each given by its first and last cell, on the map the gates were built
    /// for. Removing the cells of such a run disconnects other cells that straight moves connect.
    pub fn row_gates(&self, grid: &Grid) -> Vec<(Cell, Cell)> {
        let [of_axis, _] = AxisRuns::both(grid);
        of_axis.gates(&self.rows).map(|(y, (first, last))| (Cell::new(first, y), Cell::new(last, y))).collect()
    }

    /// The same for the free runs of columns.
    ///
    /// ```
    /// use octile::kernels::gates::Gates;
    /// use octile::{Cell, Grid};
    /// let grid: Grid = "@@.@@\n.....\n@@.@@".parse()?;
    /// assert!(Gates::build(&grid).column_gates(&grid).contains(&(Cell::new(2, 0), Cell::new(2, 2))));
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn column_gates(&self, grid: &Grid) -> Vec<(Cell, Cell)> {
        let [_, of_axis] = AxisRuns::both(grid);
        of_axis.gates(&self.columns).map(|(x, (first, last))| (Cell::new(x, first), Cell::new(x, last))).collect()
    }

    /// Memory in bytes.
    pub fn size_bytes(&self) -> usize {
        self.rows.size_bytes() + self.columns.size_bytes() + size_of_val(&self.runs[..]) + size_of_val(&self.moves[..])
    }

    /// Whether some shortest path from `start` to `goal` may enter a cell; if not, none does. No path enters blocked
    /// cells. The map is the one the gates were built for.
    ///
    /// ```
    /// use octile::kernels::gates::Gates;
    /// use octile::{Cell, Grid};
    /// let grid: Grid = "@@.@@\n.....\n@@.@@".parse()?;
    /// let (gates, start, goal) = (Gates::build(&grid), Cell::new(0, 1), Cell::new(4, 1));
    /// assert!(gates.may_enter(&grid, start, goal, Cell::new(2, 1)));
    /// assert!(!gates.may_enter(&grid, start, goal, Cell::new(2, 0)), "a dead end");
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn may_enter(&self, grid: &Grid, start: Cell, goal: Cell, cell: Cell) -> bool {
        let is_free = |cell: &Cell| grid.is_free(*cell) && grid.id(*cell).index() < self.runs.len();
        [start, goal, cell].iter().all(is_free) && self.query(grid, start, goal).allows(grid.id(cell))
    }

    /// The gates for a query between two free cells.
    pub(crate) fn query(&self, grid: &Grid, start: Cell, goal: Cell) -> GateQuery<'_> {
        let [start, goal] = [start, goal].map(|end| self.runs[grid.id(end).index()]);
        GateQuery {
            runs: &self.runs,
            moves: &self.moves,
            rows: self.rows.query(start[ROW], goal[ROW]),
            columns: self.columns.query(start[COLUMN], goal[COLUMN]),
        }
    }

    /// Follows edits that have already changed `grid`. Returns whether the gates still hold for some queries: they do
    /// not if a cell was freed.
    pub(crate) fn follow(&mut self, grid: &Grid, changed: &Changed) -> bool {
        let (stride, whole) = (grid.stride() as usize, Area::cells(grid));
        for &area in &changed.areas {
            for y in area.top..=area.bottom {
                for x in area.left..=area.right {
                    let runs = self.runs[y * stride + x];
                    match (runs[ROW] != NONE, grid.rows().get(y, x)) {
                        (false, true) => return false,
                        (true, false) => self.barred.iter_mut().zip(runs).for_each(|(barred, run)| barred.push(run)),
                        _ => {}
                    }
                }
            }
            let around = area.grown(1, 1, whole);
            for y in around.top..=around.bottom {
                for id in y * stride + around.left..=y * stride + around.right {
                    self.moves[id][0] = grid.moves_of(CellId(id as u32)).0;
                }
            }
        }
        for barred in &mut self.barred {
            barred.sort_unstable();
            barred.dedup();
        }
        self.barred.iter().all(|barred| barred.len() <= MOST_BARRED)
    }

    /// Whether the gates are valid for a query on the current map: it ignores only cells that it does not need.
    pub(crate) fn hold_for(&self, query: &GateQuery<'_>) -> bool {
        let [rows, columns] = &self.barred;
        !rows.iter().any(|&run| query.rows.allows(run)) && !columns.iter().any(|&run| query.columns.allows(run))
    }

    fn sample_share(&self, grid: &Grid) -> u32 {
        const QUERIES: u32 = 48;
        const CELLS: u32 = 48;
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random_cell = || {
            // Free cells are rare on some maps, but not rare enough for a thousand tries to miss them all.
            (0..1000).find_map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let (x, y) = ((state >> 32) as u32 % grid.width(), state as u32 % grid.height());
                grid.is_free(Cell::new(x, y)).then_some(Cell::new(x, y))
            })
        };
        let (mut allowed, mut tested) = (0, 0);
        for _ in 0..QUERIES {
            let (Some(start), Some(goal)) = (random_cell(), random_cell()) else { break };
            if !grid.may_connect(start, goal) {
                continue;
            }
            let query = self.query(grid, start, goal);
            for _ in 0..CELLS {
                if let Some(cell) = random_cell().filter(|&cell| grid.may_connect(start, cell)) {
                    tested += 1;
                    allowed += u32::from(query.allows(grid.id(cell)));
                }
            }
        }
        (allowed * 1000).checked_div(tested).unwrap_or(1000)
    }
}

/// The runs of one axis, and the steps of padded ids from line to line and along a line.
struct AxisRuns {
    runs: Runs,
    steps: (usize, usize),
}

impl AxisRuns {
    /// The lines and spans of the runs that are gates, without padding.
    fn gates(&self, axis: &Axis) -> impl Iterator<Item = (u32, (u32, u32))> {
        let unpad = |(line, (first, last)): (usize, (u32, u32))| (line as u32 - 1, (first - 1, last - 1));
        self.runs.iter().zip(axis.gates()).filter(|(_, is_gate)| *is_gate).map(move |(run, _)| unpad(run))
    }

    /// The runs of rows and of columns.
    fn both(grid: &Grid) -> [Self; 2] {
        let (width, height, stride) = (grid.width(), grid.height(), grid.stride() as usize);
        let new = |bits: &BitLines, lines: u32, len: u32, steps| Self { runs: Runs::new(bits, lines, len), steps };
        [new(grid.rows(), height, width, (stride, 1)), new(grid.columns(), width, height, (1, stride))]
    }
}

/// The legal moves and the crossing moves (from one block of an axis to another) of every cell.
fn moves(grid: &Grid, runs: &[[u32; 2]], rows: &Axis, columns: &Axis) -> Vec<[u8; 2]> {
    let mut moves: Vec<[u8; 2]> = (0..runs.len() as u32).map(|id| [grid.moves_of(CellId(id)).0, 0]).collect();
    let mut mark = |axis: &Axis, which: usize, step: usize, dir: Dir| {
        let blocks: Vec<u32> = runs.iter().map(|runs| axis.block(runs[which]).unwrap_or(NONE)).collect();
        for (id, (&here, &next)) in blocks.iter().zip(&blocks[step..]).enumerate() {
            // Padding and obstacles have no block, and no move leads there. A diagonal move crosses if one of the two
            // straight moves that lead to the same cell does.
            if here != next {
                moves[id][1] |= FAN[dir as usize];
                moves[id + step][1] |= FAN[dir.opposite() as usize];
            }
        }
    };
    mark(rows, ROW, grid.stride() as usize, Dir::S);
    mark(columns, COLUMN, 1, Dir::E);
    moves
}

/// The gates for one query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateQuery<'a> {
    runs: &'a [[u32; 2]],
    moves: &'a [[u8; 2]],
    rows: AxisQuery<'a>,
    columns: AxisQuery<'a>,
}

impl GateQuery<'_> {
    /// Whether a shortest path may enter a free cell.
    #[inline]
    pub(crate) fn allows(&self, id: CellId) -> bool {
        let [row, column] = self.runs[id.index()];
        self.rows.allows(row) && self.columns.allows(column)
    }

    /// Whether a shortest path may enter the row run of a free cell (`along_row`), or its column run.
    #[inline]
    pub(crate) fn allows_run(&self, id: u32, along_row: bool) -> bool {
        let [row, column] = self.runs[id as usize];
        if along_row { self.rows.allows(row) } else { self.columns.allows(column) }
    }
}

impl Pruner for GateQuery<'_> {
    #[inline]
    fn moves(&self, _: &Grid, id: CellId, cell: Cell) -> Moves {
        let [legal, crossing] = self.moves[id.index()];
        let is_lone = cell.y == self.rows.lone_line || cell.x == self.columns.lone_line;
        Moves { tried: DirSet(legal), watched: DirSet(if is_lone { u8::MAX } else { crossing }) }
    }

    /// A move along a column stays in its run of that column, so only the row run is new; moves along a row are the
    /// mirror case. Not inlined: the loops around it are faster without it.
    #[inline(never)]
    fn may_enter(&self, by: Move, _: Cell) -> bool {
        match by.dir {
            Dir::N | Dir::S => self.rows.allows(self.runs[by.to.index()][ROW]),
            Dir::E | Dir::W => self.columns.allows(self.runs[by.to.index()][COLUMN]),
            _ => self.allows(by.to),
        }
    }
}

/// Each direction with its two adjacent directions.
const FAN: [u8; 8] = {
    let mut fans = [0; 8];
    let mut i = 0;
    while i < 8 {
        fans[i] = 1 << i | 1 << ((i + 1) % 8) | 1 << ((i + 7) % 8);
        i += 1;
    }
    fans
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Edits, Movement};

    /// Whether removing one row run (or column run) cuts a cell off from both start and goal; tests run by run.
    fn is_cut_off(grid: &Grid, start: Cell, goal: Cell, cell: Cell, along_row: bool) -> bool {
        let run_of = |at: Cell| {
            let (back, ahead) = if along_row { (Dir::W, Dir::E) } else { (Dir::N, Dir::S) };
            let walk = |dir: Dir| (0..99).find(|&steps| !grid.is_free(dir.step(at, steps + 1))).unwrap();
            (back.step(at, walk(back)), ahead.step(at, walk(ahead)))
        };
        let free = || grid.cells().filter(|&at| grid.is_free(at));
        free().any(|gate| {
            let removed = run_of(gate);
            if run_of(cell) == removed {
                return false;
            }
            let mut reached = vec![cell];
            let mut next = 0;
            while let Some(&at) = reached.get(next) {
                next += 1;
                for dir in grid.moves(at) {
                    let beside = dir.step(at, 1);
                    // Moves are legal on the whole map, and a straight move is part of every diagonal one.
                    if !dir.is_diagonal() && run_of(beside) != removed && !reached.contains(&beside) {
                        reached.push(beside);
                    }
                }
            }
            !reached.contains(&start) && !reached.contains(&goal)
        })
    }

    /// After cells are blocked, if a query's gates hold, no cell that it ignores lies on a shortest path. The gates
    /// hold for many queries, but not for all.
    #[test]
    fn gates_hold_where_no_cell_was_blocked_on_them() {
        let (mut dice, mut held, mut broken) = (crate::geometry::Dice::new(3), 0, 0);
        for round in 0..60 {
            let movement = Movement::ALL[round % 3];
            let mut grid = Grid::from_fn(9, 8, |_| !dice.hits(1, 3)).unwrap().with_movement(movement);
            let mut gates = Gates::build(&grid);
            for _ in 0..3 {
                let mut edits = Edits::new();
                edits.block((dice.below(9) as u32, dice.below(8) as u32));
                let changed = grid.change(&edits).unwrap();
                assert!(gates.follow(&grid, &changed));
                let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
                for &start in free.iter().step_by(3) {
                    let from_start = crate::services::distances(&grid, start);
                    for &goal in free.iter().filter(|&&goal| grid.may_connect(start, goal)) {
                        let query = gates.query(&grid, start, goal);
                        if !gates.hold_for(&query) {
                            broken += 1;
                            continue;
                        }
                        held += 1;
                        let (shortest, from_goal) =
                            (from_start.cost(goal).unwrap(), crate::services::distances(&grid, goal));
                        for &cell in free.iter().filter(|&&cell| !query.allows(grid.id(cell))) {
                            let through = from_start.cost(cell).zip(from_goal.cost(cell)).map(|(to, from)| to + from);
                            assert!(through.is_none_or(|through| through > shortest), "{start} {goal} {cell} {grid:?}");
                        }
                    }
                }
            }
            let freed = grid.cells().find(|&cell| !grid.is_free(cell)).unwrap();
            let changed = grid.change(Edits::new().free(freed)).unwrap();
            let was_free = gates.runs[grid.id(freed).index()][ROW] != NONE;
            assert_eq!(gates.follow(&grid, &changed), was_free, "only a cell blocked since the build may be freed");
        }
        assert!(held > 1_000 && broken > 1_000, "{held} {broken}");
    }

    #[test]
    fn cells_are_pruned_exactly_where_removing_a_run_cuts_them_off() {
        let maps = [
            "....
.@@.
....
@.@@
....",
            "..@..
.@...
...@.
@@.@.
.....",
            ".@.@.
.....
@@.@@
.....
.@.@.",
            "......
@@@@.@
......
.@@@@@
......",
            "..@..
..@..
..@..",
            ".",
        ];
        let (mut pruned, mut kept) = (0, 0);
        for map in maps {
            for movement in Movement::ALL {
                let grid = map.parse::<Grid>().unwrap().with_movement(movement);
                let gates = Gates::build(&grid);
                let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
                for (&start, &goal) in free.iter().flat_map(|start| free.iter().map(move |goal| (start, goal))) {
                    for &cell in free.iter().filter(|&&cell| grid.may_connect(start, cell)) {
                        if !grid.may_connect(start, goal) {
                            assert!(!gates.may_enter(&grid, start, goal, cell), "there is no path");
                            continue;
                        }
                        let expected = [true, false].iter().all(|&row| !is_cut_off(&grid, start, goal, cell, row));
                        let found = gates.may_enter(&grid, start, goal, cell);
                        assert_eq!(found, expected, "{start} to {goal}, {cell}\n{grid:?}");
                        *(if found { &mut kept } else { &mut pruned }) += 1;
                    }
                }
            }
        }
        assert!(pruned > 500 && kept > 500, "{pruned} {kept}");
    }

    #[test]
    fn gates_survive_a_round_trip_through_a_file() {
        let grid = crate::formats::generate::maze(40, 30, 3, 5).unwrap();
        let gates = Gates::build(&grid);
        let bytes = gates.to_bytes(&grid);
        let read = Gates::from_artifact(&Artifact::from_bytes(&bytes[..]).unwrap(), &grid).unwrap();
        assert_eq!(read.to_bytes(&grid), bytes);
        assert_eq!((read.moves, read.share), (gates.moves, gates.share));
        let other = grid.with_movement(Movement::Tile);
        assert!(Gates::from_artifact(&Artifact::from_bytes(&bytes[..]).unwrap(), &other).is_err());
    }

    /// Numbers that do not form a tree are rejected, or at least no query on them panics or loops forever.
    #[test]
    fn queries_on_any_numbers_in_a_file_terminate() {
        let grid: Grid = "....\n.@@.\n....\n@.@@\n....".parse().unwrap();
        let (axis_runs, gates) = (AxisRuns::both(&grid), Gates::build(&grid));
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let (places, blocks) = gates.rows.to_words();
        let mut refused = 0;
        for i in 0..places.len() + blocks.len() {
            for value in [0, 1, 2, 5, 7, 100, u32::MAX] {
                let (mut places, mut blocks) = (places.clone(), blocks.clone());
                if i < places.len() {
                    places[i] = value;
                } else {
                    blocks[i - places.len()] = value;
                }
                let rows = Axis::from_words(&axis_runs[0].runs, &places, &blocks);
                let Ok(rows) = rows else {
                    refused += 1;
                    continue;
                };
                let gates = Gates::new(&grid, &axis_runs, [rows, gates.columns.clone()]);
                for (&start, &goal) in free.iter().flat_map(|start| free.iter().map(move |goal| (start, goal))) {
                    let _ = gates.may_enter(&grid, start, goal, start);
                }
            }
        }
        assert!(refused > 20);
    }
}
