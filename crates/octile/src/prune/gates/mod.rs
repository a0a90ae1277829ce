//! Axis gates: free rows and columns behind which a query need not look.
//!
//! **Lemma.** Two cells on one straight free run have a unique shortest path, the run itself. So if the removal of a maximal
//! free run of a row or column cuts off cells from both start and goal, *no* shortest path enters those: it would have to
//! leave and return through that run.
//!
//! As no shortest path enters a pruned cell, such prunings go together with each other, with rows and columns, with safe
//! [blocked areas](super::blocked_areas), and with searches that follow canonical paths only, such as jump point search. The
//! lemma holds under all three movement rules. It is not in the paper on blocked areas, whose polygons cover little of a
//! game map; gates work for any shape of obstacle.
//!
//! `axis.rs` finds the gates of one axis. A query takes O(log n) to set up, and a cell two comparisons of intervals
//! to test.

mod axis;

use self::axis::{Axis, AxisQuery, Runs};
use super::Pruner;
use crate::artifact::{Artifact, ArtifactError, ArtifactWriter};
use crate::cell::CellId;
use crate::grid::bits::BitLines;
use crate::index;
use crate::{Cell, Dir, DirSet, Grid, Movement};

/// The kind of index file, and the version of its sections.
pub(crate) const KIND: &str = "gates";
const VERSION: u32 = 1;

/// The sections of an axis: for each run its block, and the blocks. Rows first.
const SECTIONS: [[&str; 2]; 2] = [["row-places", "row-blocks"], ["column-places", "column-blocks"]];
const SHARE: &str = "share";

/// The line of [`Gates`] in the table of indexes.
pub(crate) const INDEX: index::Entry = index::Entry {
    kind: KIND,
    summary: "free rows and columns behind which a query need not look",
    build: |grid| Gates::build(grid).to_bytes(grid),
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

/// How much of the map a query needs on average, in thousandths.
fn read_share<D: AsRef<[u8]>>(artifact: &Artifact<D>) -> Result<u32, ArtifactError> {
    match artifact.words(SHARE)?[..] {
        [share @ 0..=1000] => Ok(share),
        _ => Err(artifact.malformed("its share is not a number from 0 to 1000")),
    }
}

/// The gates of a map, in rows and in columns.
#[derive(Clone, Debug)]
pub struct Gates {
    rows: Axis,
    columns: Axis,
    /// For each padded cell id the straight moves that may lead past a gate: all others stay among what a query needs.
    crossings: Vec<u8>,
    /// How much of the map a query needs on average, in thousandths.
    share: u32,
}

impl Gates {
    /// Finds the gates of a map.
    pub fn build(grid: &Grid) -> Self {
        let ways = Way::both(grid);
        let axes = ways.each_ref().map(|way| Axis::build(&way.runs, grid.padded_cells(), way.steps));
        let gates = Self::new(grid, &ways, axes);
        Self { share: gates.sample_share(grid), ..gates }
    }

    fn new(grid: &Grid, ways: &[Way; 2], [rows, columns]: [Axis; 2]) -> Self {
        let crossings = crossings(grid, ways, [&rows, &columns]);
        Self { rows, columns, crossings, share: 1000 }
    }

    /// The bytes of an index file for `grid`, the map they were built for.
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
    /// # Errors
    /// If the file is damaged, of another kind, or made for another map or movement rule.
    pub fn from_artifact<D: AsRef<[u8]>>(artifact: &Artifact<D>, grid: &Grid) -> Result<Self, ArtifactError> {
        artifact.check(KIND, VERSION, grid)?;
        artifact.verify()?;
        let ways = Way::both(grid);
        let read = |[places, blocks]: [&str; 2], way: &Way| {
            let (places, blocks) = (artifact.words(places)?, artifact.words(blocks)?);
            Axis::from_words(&way.runs, grid.padded_cells(), way.steps, &places, &blocks)
                .map_err(|reason| artifact.malformed(reason))
        };
        let axes = [read(SECTIONS[0], &ways[0])?, read(SECTIONS[1], &ways[1])?];
        let share = read_share(artifact)?;
        Ok(Self { share, ..Self::new(grid, &ways, axes) })
    }

    /// How much of the cells that its start reaches a query needs, on average: from 0 to 1. Measured on random queries, the
    /// same ones every time.
    pub fn share(&self) -> f64 {
        f64::from(self.share) / 1000.0
    }

    /// Memory in bytes.
    pub fn size_bytes(&self) -> usize {
        self.rows.size_bytes() + self.columns.size_bytes() + self.crossings.len()
    }

    /// Whether some shortest path from `start` to `goal`, both free, may enter a free cell: if not, none does.
    pub fn may_enter(&self, grid: &Grid, start: Cell, goal: Cell, cell: Cell) -> bool {
        self.query(grid, start, goal).allows(grid.id(cell))
    }

    /// The gates as two free cells see them.
    pub(crate) fn query(&self, grid: &Grid, start: Cell, goal: Cell) -> GateQuery<'_> {
        let (start, goal) = (grid.id(start), grid.id(goal));
        GateQuery { gates: self, rows: self.rows.query(start, goal), columns: self.columns.query(start, goal) }
    }

    fn sample_share(&self, grid: &Grid) -> u32 {
        const QUERIES: u32 = 48;
        const CELLS: u32 = 48;
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random_cell = || {
            // Free cells are rare on some maps, but not so rare that a thousand tries miss them all.
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

/// The runs of one axis, and how padded ids change from line to line and along a line.
struct Way {
    runs: Runs,
    steps: (usize, usize),
    /// Lines and positions, padding included.
    size: (usize, usize),
}

impl Way {
    /// Rows and columns.
    fn both(grid: &Grid) -> [Self; 2] {
        let (width, height, stride) = (grid.width(), grid.height(), grid.stride() as usize);
        let new = |bits: &BitLines, lines: u32, len: u32, steps| Self {
            runs: Runs::new(bits, lines, len),
            steps,
            size: (lines as usize + 2, len as usize + 2),
        };
        [new(grid.rows(), height, width, (stride, 1)), new(grid.columns(), width, height, (1, stride))]
    }

    /// The cells of the runs that are the top of a block.
    fn tops(&self, axis: &Axis) -> BitLines {
        let mut bits = BitLines::new(self.size.0, self.size.1);
        for ((line, (first, last)), is_top) in self.runs.iter().zip(axis.tops()) {
            if is_top {
                bits.fill(line, first as usize, last as usize, true);
            }
        }
        bits
    }
}

/// The straight moves of every cell that leave a run which is the top of a block, or enter one. Between two runs that are no
/// tops nothing changes: they have one block and it is the same.
fn crossings(grid: &Grid, [row_way, column_way]: &[Way; 2], [rows, columns]: [&Axis; 2]) -> Vec<u8> {
    let rows = row_way.tops(rows);
    let columns = column_way.tops(columns).transposed(column_way.size.0, column_way.size.1);
    let mut crossings = vec![0; grid.padded_cells()];
    let stride = grid.stride() as usize;
    let bit = |dir: Dir| 1_u8 << dir as u8;
    for y in 1..=grid.height() as usize {
        for x in 1..=grid.width() as usize {
            let row = |y| u8::from(rows.get(y, x));
            let column = |x| u8::from(columns.get(y, x));
            let (here_row, here_column) = (row(y), column(x));
            crossings[y * stride + x] = (here_row | row(y - 1)) * bit(Dir::N)
                | (here_row | row(y + 1)) * bit(Dir::S)
                | (here_column | column(x - 1)) * bit(Dir::W)
                | (here_column | column(x + 1)) * bit(Dir::E);
        }
    }
    crossings
}

/// The gates as one query sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateQuery<'a> {
    gates: &'a Gates,
    rows: AxisQuery,
    columns: AxisQuery,
}

impl GateQuery<'_> {
    /// Whether a shortest path may enter a free cell.
    #[inline]
    pub(crate) fn allows(&self, id: CellId) -> bool {
        self.gates.rows.allows(&self.rows, id.0) && self.gates.columns.allows(&self.columns, id.0)
    }

    /// Whether a shortest path may enter the row run of a free cell (`along_row`), or its column run.
    #[inline]
    pub(crate) fn allows_run(&self, id: u32, along_row: bool) -> bool {
        if along_row { self.gates.rows.allows(&self.rows, id) } else { self.gates.columns.allows(&self.columns, id) }
    }

    /// Whether a shortest path may enter the cell that a diagonal move without corner cutting leads to from one that it may.
    #[inline]
    pub(crate) fn allows_diagonal(&self, from: CellId, dir: Dir, to: CellId) -> bool {
        self.crossings(from).0 & FAN[dir as usize] == 0 || self.allows(to)
    }

    /// Which straight moves from a cell may lead past a gate.
    #[inline]
    fn crossings(&self, id: CellId) -> DirSet {
        DirSet(self.gates.crossings[id.index()])
    }
}

impl Pruner for GateQuery<'_> {
    /// A move along a row stays in its run of that row, so that only the column is new, and the other way round; a diagonal
    /// move without corner cutting ends in the row of one straight move and the column of another.
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, _: Cell) -> DirSet {
        let legal = grid.moves_of(id);
        let crossing = DirSet(legal.0 & self.crossings(id).0);
        if crossing.0 == 0 || grid.movement() == Movement::OctileCutting {
            return legal;
        }
        let (rows, columns, stride) = (&self.gates.rows, &self.gates.columns, grid.stride());
        let mut kept = legal.0;
        if crossing.contains(Dir::N) && !rows.allows(&self.rows, id.0 - stride) {
            kept &= !FAN[Dir::N as usize];
        }
        if crossing.contains(Dir::S) && !rows.allows(&self.rows, id.0 + stride) {
            kept &= !FAN[Dir::S as usize];
        }
        if crossing.contains(Dir::W) && !columns.allows(&self.columns, id.0 - 1) {
            kept &= !FAN[Dir::W as usize];
        }
        if crossing.contains(Dir::E) && !columns.allows(&self.columns, id.0 + 1) {
            kept &= !FAN[Dir::E as usize];
        }
        DirSet(kept)
    }

    /// With corner cutting, a diagonal move may end where no straight one does.
    #[inline]
    fn may_enter(&self, grid: &Grid, id: CellId, _: Cell) -> bool {
        grid.movement() != Movement::OctileCutting || self.allows(id)
    }
}

/// A direction and the two beside it, for each.
const FAN: [u8; 8] = {
    let mut fans = [0; 8];
    let mut i = 0;
    while i < 8 {
        fans[i] = 1 << i | 1 << ((i + 1) % 8) | 1 << ((i + 7) % 8);
        i += 1;
    }
    fans
};
