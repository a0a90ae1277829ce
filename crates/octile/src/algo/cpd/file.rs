//! Databases as index files: `docs/formats/index.md` describes the sections.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::bits::{self, SLACK, marked};
use super::build::MAX_ROW_BYTES;
use super::layout::{Counts, RowBytes, Target, Widths};
use super::share;
use super::stations::{self, Station};
use super::{KIND, Settings, VERSION};
use crate::artifact::{Artifact, ArtifactError, ArtifactWriter};
use crate::geometry::{Cell, order};
use crate::grid::Grid;
use crate::planner::{IndexContents, PartInfo};

const ABOUT: &str = "about";
const NUMBERS: &str = "numbers";
pub(super) const FREE: &str = "free";
pub(super) const RANKS: &str = "ranks";
pub(super) const OFFSETS: &str = "offsets";
pub(super) const ROWS: &str = "rows";

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct About {
    pub(super) settings: Settings,
    /// The number of free cells of the map.
    pub(super) targets: u32,
    /// The sources whose rows the file has.
    pub(super) sources: Range<u32>,
    pub(super) counts: Counts,
}

impl About {
    pub(super) fn write(&self, writer: &mut ArtifactWriter) {
        let Self { targets, sources, counts, .. } = self;
        let numbers = [(*targets).into(), sources.start.into(), sources.end.into(), counts.records, counts.checks];
        writer.section(ABOUT, self.settings.to_string().into_bytes());
        writer.section(NUMBERS, numbers.into_iter().flat_map(u64::to_le_bytes).collect());
    }

    pub(super) fn read<D: AsRef<[u8]>>(artifact: &Artifact<D>) -> Result<Self, ArtifactError> {
        let text = artifact.section(ABOUT)?;
        let settings = str::from_utf8(text).ok().and_then(|text| text.parse().ok()).ok_or_else(|| {
            let text = String::from_utf8_lossy(&text[..text.len().min(200)]);
            artifact.malformed(format!("its settings `{}` are unknown", text.escape_debug()))
        })?;
        let numbers: Vec<u64> = artifact.records(NUMBERS)?.iter().map(|number| u64::from_le_bytes(*number)).collect();
        let [targets, start, end, records, checks] = numbers[..] else {
            return Err(artifact.malformed(format!("section `{NUMBERS}` has {} numbers, expected 5", numbers.len())));
        };
        let cells = u64::from(artifact.width()) * u64::from(artifact.height());
        if targets > cells || start > end || end > targets {
            let reason = format!("it tells of the sources {start}..{end} of {targets} on a map of {cells} cells");
            return Err(artifact.malformed(reason));
        }
        let counts = Counts { records, checks };
        Ok(Self { settings, targets: targets as u32, sources: start as u32..end as u32, counts })
    }
}

/// Statistics of a database, as in the paper.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// The settings of the database.
    pub settings: Settings,
    /// The number of free cells of the map.
    pub targets: u32,
    /// The sources whose rows the file has: all of them, or those of a part.
    pub sources: Range<u32>,
    /// The number of records: rectangles, squares, runs or single targets.
    pub records: u64,
    /// Bits per record.
    pub record_bits: u32,
    /// The size of all rows in bytes.
    pub row_bytes: u64,
    /// The average number of records a lookup examines, for random targets: the paper's Proposition 1.
    pub average_checks: f64,
}

impl Stats {
    /// Reads the statistics from a file, which may be a whole database or a part.
    ///
    /// ```
    /// use octile::algo::cpd::Stats;
    /// use octile::{Catalog, Grid, artifact::Artifact};
    /// let grid: Grid = "...\n.@.".parse()?;
    /// let file = Artifact::from_bytes(Catalog::standard().index("cpd")?.build_for(&grid)?)?;
    /// let stats = Stats::from_artifact(&file)?;
    /// assert_eq!((stats.targets, stats.is_part()), (5, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the file is of another kind, or its statistics are damaged.
    pub fn from_artifact<D: AsRef<[u8]>>(artifact: &Artifact<D>) -> Result<Self, ArtifactError> {
        if artifact.kind() != KIND {
            return Err(ArtifactError::WrongKind { found: artifact.kind().to_owned(), expected: KIND.to_owned() });
        }
        let About { settings, targets, sources, counts } = About::read(artifact)?;
        let rows = f64::from(sources.end - sources.start).max(1.0);
        let widths = Widths::new(artifact.width(), artifact.height(), targets);
        Ok(Self {
            settings,
            targets,
            sources,
            records: counts.records,
            record_bits: widths.record(settings.layout),
            row_bytes: artifact.section(ROWS)?.len().saturating_sub(SLACK) as u64,
            average_checks: counts.checks as f64 / 65_536.0 / rows,
        })
    }

    /// Whether the file is a part that must be [merged](merge) with others.
    pub fn is_part(&self) -> bool {
        self.sources != (0..self.targets)
    }

    /// The paper's compression factor: the size of a database with one record for every pair of cells, divided by the
    /// size of this one, if a record here is `c` times as large as a record there. The paper uses 1, 2.5 and 6.5.
    ///
    /// ```
    /// use octile::algo::cpd::{Builder, Settings, Stats};
    /// use octile::artifact::Artifact;
    /// let builder = Builder::new(&octile::Grid::open(16, 16)?, "layout=uncompressed".parse()?)?;
    /// let file = Artifact::from_bytes(builder.part(0..builder.sources(), &|| {})?.finish())?;
    /// assert_eq!(Stats::from_artifact(&file)?.compression_factor(2.0), 0.5); // a record for every two cells
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compression_factor(&self, c: f64) -> f64 {
        let pairs = f64::from(self.sources.end - self.sources.start) * f64::from(self.targets);
        pairs / (c * self.records as f64).max(1.0)
    }
}

/// Describes the contents of a file for people.
pub(super) fn describe(artifact: &Artifact) -> Result<IndexContents, ArtifactError> {
    artifact.verify()?;
    let stats = Stats::from_artifact(artifact)?;
    let Range { start, end } = stats.sources;
    let sources = if stats.is_part() {
        format!("{start}..{end} of {}: a part, to be merged with the others", stats.targets)
    } else {
        format!("{end}, all")
    };
    let factor = |c| format!("{:.1}", stats.compression_factor(c));
    Ok(vec![
        ("settings", stats.settings.to_string()),
        ("sources", sources),
        ("records", stats.records.to_string()),
        ("bits of a record", stats.record_bits.to_string()),
        ("bytes of rows", stats.row_bytes.to_string()),
        ("average checks", format!("{:.2}", stats.average_checks)),
        ("compression factor", format!("{}, {}, {} for c = 1, 2.5, 6.5", factor(1.0), factor(2.5), factor(6.5))),
    ])
}

/// A whole database in a file. Accepts any bytes: invalid values are detected by lookups.
#[derive(Clone, Debug)]
pub(super) struct Database {
    artifact: Arc<Artifact>,
    pub(super) settings: Settings,
    pub(super) widths: Widths,
    width: u32,
    free: Range<usize>,
    ranks: Range<usize>,
    offsets: Range<usize>,
    rows: Range<usize>,
    stations: Arc<OnceLock<Vec<Station>>>,
}

impl Database {
    /// Opens a file for a map. Of a trusted file, reads only the header and a few numbers.
    pub(super) fn open(artifact: Arc<Artifact>, grid: &Grid) -> Result<Self, ArtifactError> {
        artifact.check(KIND, VERSION, grid)?;
        artifact.verify()?;
        let About { settings, targets, sources, .. } = About::read(&artifact)?;
        if targets != grid.free_cells() {
            let reason = format!("it tells of {targets} free cells, the map has {}", grid.free_cells());
            return Err(artifact.malformed(reason));
        }
        if sources != (0..targets) {
            return Err(ArtifactError::Part { kind: KIND.to_owned(), found: sources, all: targets });
        }
        let widths = Widths::new(grid.width(), grid.height(), targets);
        let cells = grid.width() as usize * grid.height() as usize;
        let range = |name: &str, expected: Option<usize>| {
            let range = artifact.section_range(name)?;
            match expected.filter(|&expected| expected != range.len()) {
                Some(expected) => {
                    let reason = format!("section `{name}` has {} bytes, expected {expected}", range.len());
                    Err(artifact.malformed(reason))
                }
                None => Ok(range),
            }
        };
        let free = range(FREE, Some(cells.div_ceil(64) * marked::BYTES))?;
        let ranks = range(RANKS, Some((targets as usize * widths.rank as usize).div_ceil(8) + SLACK))?;
        let offsets = range(OFFSETS, Some(4 * (targets as usize + 1)))?;
        let rows = range(ROWS, None)?;
        Ok(Self {
            width: grid.width(),
            settings,
            widths,
            free,
            ranks,
            offsets,
            rows,
            artifact,
            stations: Arc::default(),
        })
    }

    pub(super) fn file(&self) -> Arc<Artifact> {
        Arc::clone(&self.artifact)
    }

    pub(super) fn size_bytes(&self) -> usize {
        self.artifact.size_bytes() + self.stations.get().map_or(0, |stations| size_of_val(&stations[..]))
    }

    /// The stations of the cells of its map, computed by the first walk.
    pub(super) fn stations(&self, grid: &Grid) -> &[Station] {
        self.stations.get_or_init(|| stations::of(grid, self.view()))
    }

    /// The sections, for many lookups.
    pub(super) fn view(&self) -> View<'_> {
        let bytes = self.artifact.bytes();
        View {
            width: self.width,
            rank_bits: self.widths.rank,
            free: &bytes[self.free.clone()],
            ranks: &bytes[self.ranks.clone()],
            offsets: &bytes[self.offsets.clone()],
            rows: &bytes[self.rows.clone()],
        }
    }
}

/// The sections of a database.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    width: u32,
    rank_bits: u32,
    free: &'a [u8],
    ranks: &'a [u8],
    offsets: &'a [u8],
    rows: &'a [u8],
}

impl<'a> View<'a> {
    /// The number of a cell, row by row.
    #[inline]
    pub(super) fn place(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// The target for a free cell.
    #[inline]
    pub(super) fn target(&self, cell: Cell) -> Option<Target> {
        let number = marked::count_before(self.free, self.place(cell))?;
        let rank = bits::read(self.ranks, number as u64 * u64::from(self.rank_bits), self.rank_bits)?;
        Some(Target::new(cell, rank as u32))
    }

    /// The row of a free cell.
    #[inline]
    pub(super) fn row(&self, place: usize) -> Option<RowBytes<'a>> {
        let number = marked::count_before(self.free, place)?;
        let ends = |number: usize| {
            let at = usize::try_from(4 * number as u64).ok()?;
            let both = u64::from_le_bytes(*self.offsets.get(at..)?.first_chunk::<8>()?);
            Some((both as u32, (both >> 32) as u32))
        };
        let (mut start, mut end) = ends(number)?;
        // The row of a source that shares one is empty.
        for before in (number.saturating_sub(share::BLOCK)..number).rev() {
            if start != end {
                break;
            }
            (start, end) = ends(before)?;
        }
        Some(self.row_at(start, end))
    }

    /// The rank of every free cell, row by row; `None` if the file is damaged.
    pub(super) fn ranks(&self, cells: u32) -> Option<Vec<u32>> {
        let rank = |number: u64| bits::read(self.ranks, number * u64::from(self.rank_bits), self.rank_bits);
        (0..cells.into()).map(|number| Some(rank(number)? as u32)).collect()
    }

    /// Where each source's row begins and ends, which may be a row that it shares.
    pub(super) fn row_ends(&self) -> impl Iterator<Item = [u32; 2]> {
        let offsets = self.offsets.as_chunks::<4>().0;
        let own = offsets.windows(2).map(|ends| [ends[0], ends[1]].map(u32::from_le_bytes));
        own.scan([0, 0], |last, ends| {
            if ends[0] != ends[1] {
                *last = ends;
            }
            Some(*last)
        })
    }

    /// The row between two offsets.
    #[inline]
    pub(super) fn row_at(&self, start: u32, end: u32) -> RowBytes<'a> {
        RowBytes { rows: self.rows, start: start as usize, end: end as usize }
    }
}

/// The files cannot be merged into one database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There is nothing to merge.
    #[error("there are no parts to merge")]
    Nothing,
    /// A file is not a database or a part of one, or is damaged.
    #[error("{source}")]
    Artifact {
        /// The index of the file, from 0.
        file: usize,
        /// What is wrong with the file.
        source: ArtifactError,
    },
    /// A part has another map, movement rule, version or settings than the first.
    #[error("is not part of the same database as the first file: {difference}")]
    Foreign {
        /// The index of the file, from 0.
        file: usize,
        /// What differs.
        difference: String,
    },
    /// The rows of some sources are missing between two parts.
    #[error("the rows of the sources {}..{} are missing", .missing.start, .missing.end)]
    Gap {
        /// The missing sources.
        missing: Range<u32>,
        /// The settings of the database.
        settings: Settings,
    },
    /// Two parts have rows of the same sources.
    #[error("has the rows of the sources {}..{}, which another part has too: leave one of them out", .twice.start, .twice.end)]
    Overlap {
        /// The index of the file, from 0.
        file: usize,
        /// The sources that occur twice.
        twice: Range<u32>,
    },
    /// Together the rows are too large for a file.
    #[error("together the rows have {bytes} bytes, a file can hold {MAX_ROW_BYTES}")]
    TooLarge {
        /// The size of all rows in bytes.
        bytes: u64,
    },
}

impl MergeError {
    /// The index of the file at fault, from 0; `None` if no single file is.
    ///
    /// ```
    /// use octile::algo::cpd::{Builder, Settings, merge};
    /// use octile::artifact::Artifact;
    /// let builder = Builder::new(&octile::Grid::open(2, 2)?, Settings::default())?;
    /// let part = |sources| Artifact::from_bytes(builder.part(sources, &|| {}).unwrap().finish()).unwrap();
    /// assert_eq!(merge(&[part(0..3), part(2..4)]).err().unwrap().file(), Some(1)); // both have source 2
    /// assert_eq!(merge(&[part(0..1), part(2..4)]).err().unwrap().file(), None); // a gap
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn file(&self) -> Option<usize> {
        match self {
            Self::Artifact { file, .. } | Self::Foreign { file, .. } | Self::Overlap { file, .. } => Some(*file),
            Self::Nothing | Self::Gap { .. } | Self::TooLarge { .. } => None,
        }
    }
}

/// Merges parts of one database, given in any order. The result is the file that
/// [`Builder::part`](super::Builder::part) builds for all their sources, byte for byte. It is itself a part if the
/// first or last sources are missing.
///
/// ```
/// use octile::algo::cpd::{Builder, Settings, merge};
/// use octile::artifact::Artifact;
/// let builder = Builder::new(&octile::Grid::open(2, 2)?, Settings::default())?;
/// let part = |sources| Artifact::from_bytes(builder.part(sources, &|| {}).unwrap().finish()).unwrap();
/// assert_eq!(merge(&[part(3..4), part(0..3)])?.finish(), builder.part(0..4, &|| {})?.finish());
/// assert!(merge(&[part(0..1), part(2..4)]).is_err(), "the row of source 1 is missing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the files are not parts of one database, are damaged, overlap, or leave gaps.
pub fn merge<D: AsRef<[u8]>>(parts: &[Artifact<D>]) -> Result<ArtifactWriter<'_>, MergeError> {
    let mut abouts = Vec::with_capacity(parts.len());
    for (file, part) in parts.iter().enumerate() {
        let fault = |source| MergeError::Artifact { file, source };
        if part.kind() != KIND {
            return Err(fault(ArtifactError::WrongKind { found: part.kind().to_owned(), expected: KIND.to_owned() }));
        }
        part.verify().map_err(fault)?;
        abouts.push((file, About::read(part).map_err(fault)?));
    }
    for (file, about) in &abouts {
        if let Some(difference) = difference((&parts[0], &abouts[0].1), (&parts[*file], about)) {
            return Err(MergeError::Foreign { file: *file, difference });
        }
    }
    order::stable_by_key(&mut abouts, |(_, about)| about.sources.start);
    let Some((first, about)) = abouts.first().cloned() else { return Err(MergeError::Nothing) };
    let mut merged = About { sources: about.sources.start..about.sources.start, counts: Counts::default(), ..about };
    let (mut offsets, mut pieces) = (Vec::new(), Vec::new());
    let mut bytes = 0_u64;
    for (file, about) in &abouts {
        let (start, end) = (about.sources.start, merged.sources.end);
        if start > end {
            return Err(MergeError::Gap { missing: end..start, settings: merged.settings });
        }
        if start < end {
            return Err(MergeError::Overlap { file: *file, twice: start..end.min(about.sources.end) });
        }
        let (lengths, rows) =
            rows_of(&parts[*file], about).map_err(|source| MergeError::Artifact { file: *file, source })?;
        offsets.extend(lengths.map(|offset| (bytes + u64::from(offset)) as u32));
        bytes += rows.len() as u64;
        pieces.push(Cow::Borrowed(rows));
        merged.counts += about.counts;
        merged.sources.end = about.sources.end;
        if bytes > MAX_ROW_BYTES {
            return Err(MergeError::TooLarge { bytes });
        }
    }
    offsets.push(bytes as u32);
    pieces.push(Cow::Owned(vec![0; SLACK]));
    let mut writer = ArtifactWriter::like(&parts[first]);
    merged.write(&mut writer);
    if merged.sources.start == 0 {
        for name in [FREE, RANKS] {
            let section = parts[first].section(name).map_err(|source| MergeError::Artifact { file: first, source })?;
            writer.pieces(name, [Cow::Borrowed(section)]);
        }
    }
    writer.words(OFFSETS, &offsets).pieces(ROWS, pieces);
    Ok(writer)
}

/// The header of a part, with as many rows as it claims.
pub(super) fn part_info(part: &Artifact) -> Result<PartInfo, ArtifactError> {
    let about = About::read(part)?;
    let (_, rows) = rows_of(part, &about)?;
    Ok(PartInfo { settings: about.settings.to_string(), sources: about.sources, row_bytes: rows.len() as u64 })
}

/// Where the rows of a part begin, and their bytes.
fn rows_of<'a, D: AsRef<[u8]>>(
    part: &'a Artifact<D>,
    about: &About,
) -> Result<(impl Iterator<Item = u32> + use<'a, D>, &'a [u8]), ArtifactError> {
    let (offsets, rows) = (part.records::<4>(OFFSETS)?, part.section(ROWS)?);
    let count = (about.sources.end - about.sources.start) as usize;
    let len = rows.len().checked_sub(SLACK).filter(|_| offsets.len() == count + 1);
    let len = len.ok_or_else(|| {
        part.malformed(format!("it has {} bytes of rows and {} offsets for {count} rows", rows.len(), offsets.len()))
    })?;
    Ok((offsets[..count].iter().map(|offset| u32::from_le_bytes(*offset)), &rows[..len]))
}

/// The difference between two parts, if they belong to different databases.
fn difference<D: AsRef<[u8]>>(one: (&Artifact<D>, &About), other: (&Artifact<D>, &About)) -> Option<String> {
    let differs =
        |what: &str, one: String, other: String| (one != other).then(|| format!("its {what} {other}, not {one}"));
    let pair = |get: &dyn Fn(&Artifact<D>, &About) -> String| (get(one.0, one.1), get(other.0, other.1));
    let facts: [(&str, (String, String)); 5] = [
        ("version is", pair(&|file, _| file.kind_version().to_string())),
        ("movement rule is", pair(&|file, _| file.movement().map_or_else(String::new, |rule| rule.to_string()))),
        ("map's size is", pair(&|file, _| format!("{} x {}", file.width(), file.height()))),
        ("map's fingerprint is", pair(&|file, _| format!("{:016x}", file.fingerprint()))),
        ("settings are", pair(&|_, about| format!("`{}`", about.settings))),
    ];
    facts.into_iter().find_map(|(what, (one, other))| differs(what, one, other))
}
