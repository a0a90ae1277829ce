//! The distances of all patterns of small blocks in a few hundred kilobytes.
//!
//! Of patterns that are mirrored or turned into each other, only the smallest is stored. Two points have few possible
//! relations: over all patterns, there are at most 37 pairs of a distance and a turning point from one cell of a 4 x 4
//! block to another. So each pair of points has a palette, and the distances from a point to the rim are a row of
//! bytes. Most rows occur in many patterns and are stored once; a pattern is a list of rows.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::block::{Block, rim_points};
use super::symmetry::{SYMMETRIES, Turns, turn};
use super::{BlockSize, Distances, NO_VIA, corners, local};

/// The sizes of blocks in a database.
pub(super) const SIZES: [usize; 3] = [2, 3, 4];

/// The maximum number of points on the rim of a block in a database.
pub(super) const MAX_RIM: usize = 16;

/// The distances of all patterns of 2 x 2, 3 x 3 and 4 x 4 cells.
///
/// It does not depend on any map, so all planners can share one ([`Lddb::shared`]).
#[derive(Debug)]
pub struct Lddb {
    distances: Distances,
    pub(super) tables: [Table; 3],
}

/// The databases shared by the process, by kind of distances.
static SHARED: [OnceLock<Arc<Lddb>>; 4] = [const { OnceLock::new() }; 4];

impl Lddb {
    /// Computes a database.
    pub fn build(distances: Distances) -> Self {
        let tables = [
            Table::build(distances, 2, local::block::<2>),
            Table::build(distances, 3, local::block::<3>),
            Table::build(distances, 4, local::block::<4>),
        ];
        Self::from_tables(distances, tables)
    }

    pub(super) fn from_tables(distances: Distances, tables: [Table; 3]) -> Self {
        Self { distances, tables }
    }

    /// The database shared by the process, computed when it is first needed.
    ///
    /// ```
    /// use octile::algo::block_astar::lddb::{Distances, Lddb};
    /// let lddb = Lddb::shared(Distances::Tile);
    /// assert!(std::sync::Arc::ptr_eq(&lddb, &Lddb::shared(Distances::Tile)));
    /// ```
    pub fn shared(distances: Distances) -> Arc<Self> {
        Arc::clone(SHARED[distances as usize].get_or_init(|| Arc::new(Self::build(distances))))
    }

    /// Whether this is the database shared by the process, not one from a file.
    pub(in crate::algo::block_astar) fn is_shared(this: &Arc<Self>) -> bool {
        SHARED[this.distances as usize].get().is_some_and(|shared| Arc::ptr_eq(shared, this))
    }

    /// The kind of distances.
    pub fn distances(&self) -> Distances {
        self.distances
    }

    /// The memory in bytes.
    pub fn size_bytes(&self) -> usize {
        self.tables.iter().map(Table::size_bytes).sum()
    }

    /// The distances of a pattern of `S` x `S` cells, `S` from 2 to 4. Bits beyond the block must be 0.
    ///
    /// ```
    /// use octile::algo::block_astar::lddb::{Block, Distances, Lddb};
    /// let mut block = Block::new();
    /// Lddb::shared(Distances::Tile).block::<2>(0b0001, &mut block); // the upper left cell is blocked
    /// assert_eq!(block.row(1)[2], 2 * 33_461); // from the upper right to the lower left cell
    /// ```
    #[inline]
    pub fn block<const S: usize>(&self, pattern: u64, out: &mut Block) {
        const { assert!(S >= 2 && S <= 4) };
        self.block_of(const { BlockSize::square(S).expect("a size from 2 to 4") }, pattern, out);
    }

    /// [`block`](Lddb::block), for any of the sizes.
    pub(in crate::algo::block_astar) fn block_of(&self, size: BlockSize, pattern: u64, out: &mut Block) {
        let table = &self.tables[size.width() - 2];
        table.expand(pattern as u16, out);
        if self.distances == Distances::NoSqueeze {
            corners::add_sources(size, pattern, out);
        }
    }
}

/// All patterns of one size.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) shape: Shape,
    /// For each canonical pattern and each point, the index of the point's row.
    pub(super) ids: Vec<u16>,
    /// For each point, its rows. A row has, for each point of the rim, an index into the palette of the two points.
    pub(super) rows: Vec<Vec<[u8; MAX_RIM]>>,
    /// For each point and each point of the rim, the entries that occur between them.
    pub(super) palettes: Vec<Vec<Entry>>,
}

/// A distance, and the point where the path turns first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    pub(super) distance: u32,
    pub(super) via: u8,
}

impl Table {
    fn build(distances: Distances, size: usize, local: fn(Distances, u64, &mut Block)) -> Self {
        let shape = Shape::new(distances, size);
        let mut builder = Builder::new(&shape);
        let mut block = Block::new();
        for pattern in shape.canonical_patterns() {
            local(distances, u64::from(pattern), &mut block);
            if distances == Distances::NoSqueeze {
                // Paths from pinches may begin in one direction only, which symmetries do not preserve.
                corners::sources(shape.block_size(), u64::from(pattern)).for_each(|point| block.clear_row(point));
            }
            builder.push(&block);
        }
        let Builder { ids, rows, palettes, .. } = builder;
        Self { shape, ids, rows, palettes }
    }

    /// The distances of a pattern, except those from pinches where squeezing is forbidden.
    pub(super) fn expand(&self, pattern: u16, out: &mut Block) {
        let (canonical, symmetry) = self.shape.turns.canonical(pattern);
        let shape = &self.shape;
        let (turned, rim) = (&shape.symmetries[symmetry], shape.rim.len());
        let ids = &self.ids[shape.rank(canonical) * shape.points..][..shape.points];
        out.resize(shape.points, rim);
        for (point, &from) in turned.points.iter().enumerate() {
            let from = usize::from(from);
            let (row, palettes) = (&self.rows[from][usize::from(ids[from])], &self.palettes[from * rim..][..rim]);
            let (distance, via) = out.row_mut(point);
            for (lane, &to) in turned.lanes.iter().enumerate() {
                let entry = palettes[usize::from(to)][usize::from(row[usize::from(to)])];
                distance[lane] = entry.distance;
                via[lane] = turned.back[usize::from(entry.via)];
            }
        }
    }

    fn size_bytes(&self) -> usize {
        let rows: usize = self.rows.iter().map(|rows| size_of_val(rows.as_slice())).sum();
        let palettes: usize = self.palettes.iter().map(|palette| size_of_val(palette.as_slice())).sum();
        rows + palettes + size_of_val(self.ids.as_slice()) + self.shape.size_bytes()
    }
}

/// Builds a table.
struct Builder<'a> {
    shape: &'a Shape,
    ids: Vec<u16>,
    rows: Vec<Vec<[u8; MAX_RIM]>>,
    palettes: Vec<Vec<Entry>>,
    known: Vec<HashMap<[u8; MAX_RIM], u16>>,
}

impl<'a> Builder<'a> {
    fn new(shape: &'a Shape) -> Self {
        Self {
            shape,
            ids: Vec::new(),
            rows: vec![Vec::new(); shape.points],
            palettes: vec![Vec::new(); shape.points * shape.rim.len()],
            known: vec![HashMap::new(); shape.points],
        }
    }

    fn push(&mut self, block: &Block) {
        for point in 0..self.shape.points {
            let mut row = [0; MAX_RIM];
            let palettes = &mut self.palettes[point * self.shape.rim.len()..];
            let entries = block.row(point).iter().zip(block.via(point)).zip(palettes);
            for (code, ((&distance, &via), palette)) in row.iter_mut().zip(entries) {
                *code = code_of(palette, Entry { distance, via });
            }
            let rows = &mut self.rows[point];
            let id = *self.known[point].entry(row).or_insert_with(|| {
                rows.push(row);
                (rows.len() - 1) as u16
            });
            self.ids.push(id);
        }
    }
}

/// The index of an entry in a palette; adds the entry if it is new.
fn code_of(palette: &mut Vec<Entry>, entry: Entry) -> u8 {
    let code = palette.iter().position(|known| *known == entry).unwrap_or_else(|| {
        palette.push(entry);
        palette.len() - 1
    });
    u8::try_from(code).expect("a pair of points has at most 37 entries")
}

/// The data that tables of one size and one kind of points share.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) distances: Distances,
    pub(super) size: usize,
    pub(super) side: usize,
    pub(super) points: usize,
    pub(super) rim: Vec<usize>,
    turns: Turns,
    symmetries: [Symmetry; SYMMETRIES],
    /// One bit per canonical pattern, and the number of canonical patterns before each word.
    canonical: Vec<u64>,
    before: Vec<u16>,
}

/// The image of each point of a block under a symmetry, and its inverse.
#[derive(Debug)]
struct Symmetry {
    points: Vec<u8>,
    lanes: Vec<u8>,
    back: Box<[u8; 256]>,
}

impl Shape {
    pub(super) fn new(distances: Distances, size: usize) -> Self {
        let side = distances.points_a_side(size);
        let rim: Vec<usize> = match size {
            2 => rim_points::<2>(distances).collect(),
            3 => rim_points::<3>(distances).collect(),
            _ => rim_points::<4>(distances).collect(),
        };
        let symmetries = std::array::from_fn(|symmetry| Symmetry::new(symmetry, side, &rim));
        let turns = Turns::new(size);
        let patterns = 1_u32 << (size * size);
        let mut canonical = vec![0; patterns.div_ceil(64) as usize];
        for pattern in (0..patterns).filter(|&pattern| turns.canonical(pattern as u16).1 == 0) {
            canonical[pattern as usize / 64] |= 1 << (pattern % 64);
        }
        let count = |sum: &mut u16, word: &u64| Some(std::mem::replace(sum, *sum + word.count_ones() as u16));
        let before = canonical.iter().scan(0, count).collect();
        Self { distances, size, side, points: side * side, rim, turns, symmetries, canonical, before }
    }

    fn block_size(&self) -> BlockSize {
        BlockSize::square(self.size).expect("from 2 to 4")
    }

    /// The stored patterns, in order.
    pub(super) fn canonical_patterns(&self) -> impl Iterator<Item = u16> {
        let is_set = |pattern: &usize| self.canonical[pattern / 64] >> (pattern % 64) & 1 == 1;
        (0..self.canonical.len() * 64).filter(is_set).map(|pattern| pattern as u16)
    }

    /// The number of stored patterns.
    pub(super) fn canonical_count(&self) -> usize {
        self.canonical.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The rank of a canonical pattern among all of them.
    #[inline]
    fn rank(&self, canonical: u16) -> usize {
        let (word, bit) = (usize::from(canonical / 64), canonical % 64);
        usize::from(self.before[word]) + (self.canonical[word] & ((1 << bit) - 1)).count_ones() as usize
    }

    fn size_bytes(&self) -> usize {
        let symmetries: usize = self.symmetries.iter().map(|one| one.points.len() + one.lanes.len() + 256).sum();
        symmetries + self.canonical.len() * 10 + self.rim.len() * 8 + SYMMETRIES * 1024
    }
}

impl Symmetry {
    fn new(symmetry: usize, side: usize, rim: &[usize]) -> Self {
        let points: Vec<u8> = (0..side * side).map(|point| turn(symmetry, side, point) as u8).collect();
        let lane = |point: u8| {
            rim.iter().position(|&rim| rim == usize::from(point)).expect("symmetries map the rim to itself") as u8
        };
        let lanes = rim.iter().map(|&point| lane(points[point])).collect();
        let mut back = Box::new([NO_VIA; 256]);
        points.iter().enumerate().for_each(|(point, &turned)| back[usize::from(turned)] = point as u8);
        Self { points, lanes, back }
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::Oracle;
    use super::*;

    /// Compares the stored distances of some patterns with computed ones.
    fn check<const S: usize>(lddb: &Lddb, patterns: impl Iterator<Item = u64>) {
        let (mut found, mut expected) = (Block::new(), Block::new());
        for pattern in patterns {
            local::block::<S>(lddb.distances, pattern, &mut expected);
            lddb.block::<S>(pattern, &mut found);
            let oracle = Oracle::new(lddb.distances, BlockSize::square(S).unwrap(), pattern);
            for point in 0..expected.points() {
                assert_eq!(found.row(point), expected.row(point), "{:?} {S} {pattern:x} {point}", lddb.distances);
            }
            oracle.check_turns(&found);
        }
    }

    #[test]
    fn stored_distances_equal_computed_ones() {
        for distances in Distances::ALL {
            let lddb = Lddb::build(distances);
            check::<2>(&lddb, 0..1 << 4);
            check::<3>(&lddb, 0..1 << 9);
            check::<4>(&lddb, (0..1 << 16).step_by(7));
        }
    }

    #[test]
    fn a_process_shares_one_database() {
        let one = Lddb::shared(Distances::Tile);
        assert!(Arc::ptr_eq(&one, &Lddb::shared(Distances::Tile)));
        assert!(one.size_bytes() < 1 << 20);
    }
}
