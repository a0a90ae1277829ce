//! Local distance databases as index files. A file is valid for all maps.

use super::database::{Entry, Lddb, MAX_RIM, SIZES, Shape, Table};
use super::{Distances, INF, NO_VIA, length};
use crate::artifact::{Artifact, ArtifactError, ArtifactWriter};
use crate::planner::{IndexBuild, IndexContents, IndexKind};

/// The version of the sections, the same for all kinds.
const VERSION: u32 = 1;

/// The maximum distance in a file, so that sums of a few fit into 32 bits.
const MAX_DISTANCE: u32 = 1 << 24;

/// The entries in the table of index kinds.
pub(crate) const INDEXES: [IndexKind; 4] = [
    entry("lddb-tile", "distances inside blocks up to 4 x 4, by moves to four neighbours", &TILE),
    entry("lddb-octile", "distances inside blocks up to 4 x 4, by moves to eight neighbours", &OCTILE),
    entry("lddb-any-angle", "distances inside blocks up to 4 x 4, by lines of any angle", &ANY_ANGLE),
    entry("lddb-no-squeeze", "the same without squeezing between blocked cells that touch at a corner", &NO_SQUEEZE),
];

type Functions = (fn() -> Vec<u8>, fn(&Artifact) -> Result<IndexContents, ArtifactError>);

const TILE: Functions = (|| Lddb::build(Distances::Tile).to_bytes(), |artifact| describe(artifact, Distances::Tile));
const OCTILE: Functions =
    (|| Lddb::build(Distances::Octile).to_bytes(), |artifact| describe(artifact, Distances::Octile));
const ANY_ANGLE: Functions =
    (|| Lddb::build(Distances::AnyAngle).to_bytes(), |artifact| describe(artifact, Distances::AnyAngle));
const NO_SQUEEZE: Functions =
    (|| Lddb::build(Distances::NoSqueeze).to_bytes(), |artifact| describe(artifact, Distances::NoSqueeze));

const fn entry(kind: &'static str, summary: &'static str, (build, describe): &Functions) -> IndexKind {
    IndexKind { kind, version: VERSION, summary, build: IndexBuild::ForAllMaps(*build), describe: *describe }
}

/// The sections for each size of blocks.
const SECTIONS: [[&str; 5]; 3] = [
    ["ids-2", "row-counts-2", "rows-2", "palette-counts-2", "palettes-2"],
    ["ids-3", "row-counts-3", "rows-3", "palette-counts-3", "palettes-3"],
    ["ids-4", "row-counts-4", "rows-4", "palette-counts-4", "palettes-4"],
];

impl Distances {
    /// The kind of index file with these distances.
    pub const fn kind(self) -> &'static str {
        self.kinds()[0]
    }

    /// The same as a list.
    pub(crate) const fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Tile => &[INDEXES[0].kind],
            Self::Octile => &[INDEXES[1].kind],
            Self::AnyAngle => &[INDEXES[2].kind],
            Self::NoSqueeze => &[INDEXES[3].kind],
        }
    }
}

impl Lddb {
    /// The bytes of an index file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = ArtifactWriter::for_all_maps(self.distances().kind(), VERSION);
        for (table, names) in self.tables.iter().zip(&SECTIONS) {
            table.write(&mut writer, names);
        }
        writer.finish()
    }

    /// Reads a database from an index file.
    ///
    /// ```
    /// use octile::algo::block_astar::lddb::{Distances, Lddb};
    /// use octile::artifact::Artifact;
    /// let file = Lddb::shared(Distances::Tile).to_bytes();
    /// let artifact = Artifact::from_bytes(&file)?;
    /// assert_eq!(Lddb::from_artifact(&artifact, Distances::Tile)?.to_bytes(), file);
    /// assert!(Lddb::from_artifact(&artifact, Distances::Octile).is_err());
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    ///
    /// # Errors
    /// If the file is damaged, of another kind, or not for all maps.
    pub fn from_artifact<D: AsRef<[u8]>>(artifact: &Artifact<D>, distances: Distances) -> Result<Self, ArtifactError> {
        artifact.check_for_all_maps(distances.kind(), VERSION)?;
        artifact.verify()?;
        let table = |size: usize| Table::read(artifact, &SECTIONS[size - 2], Shape::new(distances, size));
        Ok(Self::from_tables(distances, [table(2)?, table(3)?, table(4)?]))
    }
}

fn describe(artifact: &Artifact, distances: Distances) -> Result<IndexContents, ArtifactError> {
    let lddb = Lddb::from_artifact(artifact, distances)?;
    let each = |fact: fn(&Table) -> String| {
        let of_size = |(table, size)| format!("{} of {size} x {size}", fact(table));
        let facts: Vec<String> = lddb.tables.iter().zip(SIZES).map(of_size).collect();
        facts.join(", ")
    };
    Ok(vec![
        ("patterns", each(|table| (1_u32 << (table.shape.size * table.shape.size)).to_string())),
        ("canonical patterns", each(|table| table.shape.canonical_count().to_string())),
        ("distinct distances", each(|table| table.distinct_distances().to_string())),
        ("rows kept", each(|table| table.rows.iter().map(Vec::len).sum::<usize>().to_string())),
        ("bytes in memory", lddb.size_bytes().to_string()),
    ])
}

impl Table {
    fn write(&self, writer: &mut ArtifactWriter<'_>, [ids, row_counts, rows, palette_counts, palettes]: &[&str; 5]) {
        let rim = self.shape.rim.len();
        let counts = |lens: &mut dyn Iterator<Item = usize>| lens.map(|len| len as u32).collect::<Vec<_>>();
        let entries = self.palettes.iter().flatten().flat_map(|entry| [entry.distance, u32::from(entry.via)]);
        writer
            .section(ids, self.ids.iter().flat_map(|id| id.to_le_bytes()).collect())
            .words(row_counts, &counts(&mut self.rows.iter().map(Vec::len)))
            .section(rows, self.rows.iter().flatten().flat_map(|row| &row[..rim]).copied().collect())
            .words(palette_counts, &counts(&mut self.palettes.iter().map(Vec::len)))
            .words(palettes, &entries.collect::<Vec<_>>());
    }

    fn read<D: AsRef<[u8]>>(artifact: &Artifact<D>, names: &[&str; 5], shape: Shape) -> Result<Self, ArtifactError> {
        let [ids, row_counts, rows, palette_counts, palettes] = names;
        let rim = shape.rim.len();
        let size = shape.size;
        let inconsistent = || artifact.malformed(format!("its sections for size {size} are inconsistent"));
        let rows = artifact.section(rows)?;
        if !rows.len().is_multiple_of(rim) {
            return Err(inconsistent());
        }
        let rows: Vec<[u8; MAX_RIM]> = rows.chunks_exact(rim).map(padded).collect();
        let palettes = artifact.records::<8>(palettes)?.iter().map(|bytes| Entry::from_bytes(*bytes));
        let table = Self {
            ids: artifact.records::<2>(ids)?.iter().map(|id| u16::from_le_bytes(*id)).collect(),
            rows: split(rows, &artifact.words(row_counts)?, shape.points).ok_or_else(inconsistent)?,
            palettes: split(palettes.collect(), &artifact.words(palette_counts)?, shape.points * rim)
                .ok_or_else(inconsistent)?,
            shape,
        };
        if table.ids.len() != table.shape.canonical_count() * table.shape.points {
            return Err(inconsistent());
        }
        table.check().map_err(|reason| artifact.malformed(format!("{reason}, in blocks of size {size}")))?;
        Ok(table)
    }

    /// Checks everything that a search relies on: all indices are valid, and all paths reach their ends.
    fn check(&self) -> Result<(), String> {
        let rim = self.shape.rim.len();
        if let Some(entry) = self.palettes.iter().flatten().find(|entry| !entry.is_valid(self.shape.points)) {
            return Err(format!("the distance {} via point {} is impossible", entry.distance, entry.via));
        }
        for (rows, palettes) in self.rows.iter().zip(self.palettes.chunks_exact(rim)) {
            let is_in_palettes = |row: &[u8; MAX_RIM]| {
                row.iter().zip(palettes).all(|(&code, palette)| usize::from(code) < palette.len())
            };
            if !rows.iter().all(is_in_palettes) {
                return Err("a row has a code that is not in its palette".to_owned());
            }
        }
        for (ids, pattern) in self.ids.chunks_exact(self.shape.points).zip(self.shape.canonical_patterns()) {
            if ids.iter().zip(&self.rows).any(|(&id, rows)| usize::from(id) >= rows.len()) {
                return Err(format!("pattern {pattern:x} refers to a row that does not exist"));
            }
            self.check_paths(ids)
                .map_err(|(from, to)| format!("the path of pattern {pattern:x} from point {from} to {to} is broken"))?;
        }
        Ok(())
    }

    /// Checks that the distances of a pattern add up from turn to turn, so that each path gets nearer to its end, and
    /// that they are the same in both directions. If not, returns the ends of a wrong path.
    fn check_paths(&self, ids: &[u16]) -> Result<(), (usize, usize)> {
        let rim = self.shape.rim.len();
        let entry = |from: usize, lane: usize| {
            let code = self.rows[from][usize::from(ids[from])][lane];
            self.palettes[from * rim + lane][usize::from(code)]
        };
        for from in 0..self.shape.points {
            for (lane, &to) in self.shape.rim.iter().enumerate() {
                let Entry { distance, via } = entry(from, lane);
                let via = usize::from(via);
                let is_valid = if distance == INF {
                    true
                } else if via == from {
                    from == to && distance == 0
                } else {
                    let rest = entry(via, lane).distance;
                    self.shape.step(from, via).is_some_and(|step| rest < INF && step + rest == distance)
                };
                let there = self.shape.rim.iter().position(|&point| point == from);
                let same_back = there.is_none_or(|there| entry(to, there).distance == distance);
                if !is_valid || !same_back {
                    return Err((from, to));
                }
            }
        }
        Ok(())
    }

    fn distinct_distances(&self) -> usize {
        let mut all: Vec<u32> =
            self.palettes.iter().flatten().map(|entry| entry.distance).filter(|&it| it != INF).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }
}

impl Shape {
    /// The length of the straight line from one point to another, if the kind of distances allows it.
    fn step(&self, from: usize, to: usize) -> Option<u32> {
        let (dx, dy) = ((from % self.side).abs_diff(to % self.side), (from / self.side).abs_diff(to / self.side));
        let is_line = match self.distances {
            Distances::Tile => dx == 0 || dy == 0,
            Distances::Octile => dx == 0 || dy == 0 || dx == dy,
            Distances::AnyAngle | Distances::NoSqueeze => true,
        };
        is_line.then(|| length(dx, dy))
    }
}

impl Entry {
    fn from_bytes(bytes: [u8; 8]) -> Self {
        let (words, _) = bytes.as_chunks();
        let [distance, via] = [words[0], words[1]].map(u32::from_le_bytes);
        // Anything that is not a point of a block becomes `NO_VIA`.
        Self { distance, via: u8::try_from(via).unwrap_or(NO_VIA) }
    }

    fn is_valid(self, points: usize) -> bool {
        let is_path = self.distance <= MAX_DISTANCE && usize::from(self.via) < points;
        is_path || self.distance == INF && self.via == NO_VIA
    }
}

fn padded(bytes: &[u8]) -> [u8; MAX_RIM] {
    let mut row = [0; MAX_RIM];
    row[..bytes.len()].copy_from_slice(bytes);
    row
}

/// Splits the items into parts of these sizes, if the numbers of parts and items are as expected.
fn split<T: Clone>(items: Vec<T>, counts: &[u32], parts: usize) -> Option<Vec<Vec<T>>> {
    let total = counts.iter().try_fold(0_usize, |sum, &count| sum.checked_add(count as usize))?;
    if counts.len() != parts || total != items.len() {
        return None;
    }
    let mut rest = items.into_iter();
    Some(counts.iter().map(|&count| rest.by_ref().take(count as usize).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::super::Block;
    use super::*;

    fn read(bytes: &[u8], distances: Distances) -> Result<Lddb, ArtifactError> {
        Lddb::from_artifact(&Artifact::from_bytes(bytes)?, distances)
    }

    #[test]
    fn databases_survive_a_round_trip_through_a_file() {
        for distances in Distances::ALL {
            let built = Lddb::build(distances);
            let bytes = built.to_bytes();
            assert!(bytes.len() < 2_000_000, "{distances:?} {}", bytes.len());
            let found = read(&bytes, distances).unwrap();
            assert_eq!(found.to_bytes(), bytes);
            let (mut a, mut b) = (Block::new(), Block::new());
            for pattern in (0..1 << 16).step_by(101) {
                found.block::<4>(pattern, &mut a);
                built.block::<4>(pattern, &mut b);
                assert_eq!(a, b);
            }
        }
    }

    #[test]
    fn a_file_of_another_kind_is_rejected() {
        let bytes = Lddb::build(Distances::Tile).to_bytes();
        assert!(matches!(read(&bytes, Distances::Octile), Err(ArtifactError::WrongKind { .. })));
    }

    /// The file with one byte of one section changed, and valid checksums.
    fn forged<D: AsRef<[u8]>>(artifact: &Artifact<D>, section: usize, at: usize, flip: u8) -> Vec<u8> {
        let mut writer = ArtifactWriter::for_all_maps(artifact.kind(), VERSION);
        for (number, (name, _)) in artifact.sections().enumerate() {
            let mut bytes = artifact.section(name).unwrap().to_vec();
            if number == section && !bytes.is_empty() {
                let at = at % bytes.len();
                bytes[at] ^= flip;
            }
            writer.section(name, bytes);
        }
        writer.finish()
    }

    /// Follows the paths from every point to every point of the rim.
    fn walk(block: &Block, distances: Distances) {
        let rim: Vec<usize> = super::super::rim_points::<4>(distances).collect();
        for from in 0..block.points() {
            for (lane, &to) in rim.iter().enumerate().filter(|(lane, _)| block.row(from)[*lane] < INF) {
                let mut at = from;
                for _ in 0..block.points() {
                    at = usize::from(block.via(at)[lane]);
                }
                assert_eq!(at, to);
            }
        }
    }

    #[test]
    fn forged_contents_are_rejected_or_harmless() {
        let mut block = Block::new();
        let mut refused = 0;
        for distances in [Distances::Octile, Distances::NoSqueeze] {
            let bytes = Lddb::build(distances).to_bytes();
            let artifact = Artifact::from_bytes(&bytes).unwrap();
            for number in 0..120_usize {
                let at = number.wrapping_mul(0x9e37_79b9) >> 3;
                match read(&forged(&artifact, number % 15, at, 1 << (number % 8)), distances) {
                    Err(ArtifactError::Contents { .. }) => refused += 1,
                    Err(other) => panic!("{other}"),
                    Ok(lddb) => (0..1 << 16).step_by(4099).for_each(|pattern| {
                        lddb.block::<4>(pattern, &mut block);
                        walk(&block, distances);
                    }),
                }
            }
        }
        assert!(refused > 100, "{refused}");
    }
}
