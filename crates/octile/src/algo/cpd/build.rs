//! Builds databases: one search per row, on all cores.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::bits::{SLACK, Writer, bits_below, marked};
use super::file::{self, About};
use super::layout::{Counts, Encoder, Layout, Plan, Row};
use super::moves::FirstMoves;
use super::share::{self, SharingWorker};
use super::symbols::{Symbolizer, Symbols};
use super::{INDEX, KIND, Settings, VERSION};
use crate::artifact::{Artifact, ArtifactError, ArtifactWriter};
use crate::geometry::{Cell, CellId, order};
use crate::grid::Grid;
use crate::kernels::workers::Workers;
use crate::planner::{BuildError, InParts, IndexKind, MergeFault, PartInfo, is_set};

/// The maximum size of the rows of a database, in bytes.
pub const MAX_ROW_BYTES: u64 = u32::MAX as u64;

/// The number of rows a thread takes at a time: few, so that no thread waits long for the last ones.
const ROWS_AT_A_TIME: usize = 8;

/// Builds the database of a map, or [parts](Builder::part) of it.
///
/// ```
/// use octile::algo::cpd::{Builder, Settings, merge};
/// use octile::artifact::Artifact;
/// let grid = octile::formats::generate::maze(20, 20, 2, 1)?;
/// let builder = Builder::new(&grid, Settings::default())?;
/// let whole = builder.part(0..builder.sources(), &|| {})?.finish();
/// // The same by halves, perhaps on two machines.
/// let middle = builder.sources() / 2;
/// let halves = [0..middle, middle..builder.sources()];
/// let parts = halves.map(|sources| Artifact::from_bytes(builder.part(sources, &|| {}).unwrap().finish()).unwrap());
/// assert_eq!(merge(&parts)?.finish(), whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    pub(super) grid: Grid,
    pub(super) settings: Settings,
    /// The free cells, row by row: each is the source of one row of the database.
    pub(super) sources: Vec<CellId>,
    /// The free cells in target order.
    pub(super) targets: Vec<CellId>,
    /// The maximum size of the rows, in bytes.
    pub(super) most_bytes: u64,
}

impl Builder {
    /// Prepares to build the database of `grid`.
    ///
    /// # Errors
    /// If the database would be too large for a file, or the map has prices.
    pub fn new(grid: &Grid, settings: Settings) -> Result<Self, BuildError> {
        BuildError::check_index_terrain(super::KIND, grid)?;
        let grid = grid.clone();
        let sources = u64::from(grid.free_cells());
        if settings.layout == Layout::Uncompressed && sources * sources.div_ceil(2) > MAX_ROW_BYTES {
            return Err(too_large(&grid, sources * sources.div_ceil(2), MAX_ROW_BYTES));
        }
        let sources = grid.cells().filter(|&cell| grid.is_free(cell)).map(|cell| grid.id(cell)).collect();
        let targets = settings.order.cells(&grid);
        Ok(Self { grid, settings, sources, targets, most_bytes: MAX_ROW_BYTES })
    }

    /// Limits the rows of each part to this many bytes.
    ///
    /// ```
    /// use octile::algo::cpd::{Builder, Settings};
    /// let builder = Builder::new(&octile::formats::generate::maze(20, 20, 2, 1)?, Settings::default())?.within(100);
    /// assert!(builder.part(0..builder.sources(), &|| {}).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        Self { most_bytes: bytes.min(MAX_ROW_BYTES), ..self }
    }

    /// The number of sources, which are the free cells of the map. They are numbered row by row, from 0.
    ///
    /// ```
    /// use octile::algo::cpd::{Builder, Settings};
    /// let grid: octile::Grid = "..@.".parse()?;
    /// assert_eq!(Builder::new(&grid, Settings::default())?.sources(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sources(&self) -> u32 {
        self.sources.len() as u32
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The settings of the database.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Builds a file with the rows of `sources`: the whole database, or a part to [merge](super::merge) with others.
    /// The bytes do not depend on the number of threads (all cores with the feature `rayon`). Calls `on_row` after each
    /// row, from any thread. Each row takes one search of the map; memory is proportional to the rows and the map.
    ///
    /// ```
    /// use octile::algo::cpd::{Builder, Settings, Stats};
    /// use octile::artifact::Artifact;
    /// let grid: octile::Grid = "...\n.@.".parse()?;
    /// let builder = Builder::new(&grid, Settings::default())?;
    /// let part = Artifact::from_bytes(builder.part(1..3, &|| {})?.finish())?;
    /// assert_eq!(Stats::from_artifact(&part)?.sources, 1..3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the rows exceed the size of a file, or the [limit](Builder::within).
    ///
    /// # Panics
    /// If `sources` is not a range of the [existing sources](Builder::sources).
    pub fn part(&self, sources: Range<u32>, on_row: &(dyn Fn() + Sync)) -> Result<ArtifactWriter<'static>, BuildError> {
        self.part_until(sources, on_row, None)
    }

    /// As [`part`](Builder::part), but stops when a flag is set.
    pub(super) fn part_until(
        &self,
        sources: Range<u32>,
        on_row: &(dyn Fn() + Sync),
        cancel: Option<&AtomicBool>,
    ) -> Result<ArtifactWriter<'static>, BuildError> {
        let wanted = &self.sources[sources.start as usize..sources.end as usize];
        let plan = self.plan();
        let worker = || Worker::new(&plan);
        let rows = if self.settings.shared {
            self.rows(wanted, || SharingWorker::new(worker(), &self.sources), SharingWorker::row, on_row, cancel)
        } else {
            self.rows(wanted, worker, Worker::row, on_row, cancel)
        };
        Ok(self.file(sources, rows?))
    }

    /// What the encoders of the map share.
    pub(super) fn plan(&self) -> Plan<'_> {
        Plan::new(&self.grid, self.settings, &self.targets)
    }

    /// A file with the rows of these sources.
    pub(super) fn file(&self, sources: Range<u32>, rows: Vec<BuiltRow>) -> ArtifactWriter<'static> {
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        let mut bytes = Vec::with_capacity(rows.iter().map(|(row, _)| row.len()).sum::<usize>() + SLACK);
        let mut counts = Counts::default();
        for (row, row_counts) in rows {
            offsets.push(bytes.len() as u32);
            bytes.extend_from_slice(&row);
            counts += row_counts;
        }
        offsets.push(bytes.len() as u32);
        bytes.extend([0; SLACK]);
        let about = About { settings: self.settings, targets: self.sources(), sources: sources.clone(), counts };
        let mut writer = ArtifactWriter::new(KIND, VERSION, &self.grid);
        about.write(&mut writer);
        if sources.start == 0 {
            let free = marked::write(self.grid.cells().map(|cell| self.grid.is_free(cell)));
            writer.section(file::FREE, free).section(file::RANKS, self.ranks());
        }
        writer.words(file::OFFSETS, &offsets).section(file::ROWS, bytes);
        writer
    }

    /// The rows of these sources, in order, each made by a worker.
    pub(super) fn rows<W: Send>(
        &self,
        sources: &[CellId],
        worker: impl Fn() -> W + Sync,
        row: impl Fn(&mut W, CellId) -> BuiltRow + Sync,
        on_row: &(dyn Fn() + Sync),
        cancel: Option<&AtomicBool>,
    ) -> Result<Vec<BuiltRow>, BuildError> {
        let bytes = AtomicU64::new(0);
        let is_too_much = || bytes.load(Ordering::Relaxed) > self.most_bytes;
        // Once the rows exceed the limit the build fails, whichever rows are skipped.
        let work = |worker: &mut W, sources: &[CellId]| {
            let wanted = if is_too_much() || is_set(cancel) { &[] } else { sources };
            let rows: Vec<_> = wanted.iter().map(|&source| (row(worker, source), on_row()).0).collect();
            bytes.fetch_add(rows.iter().map(|(row, _)| row.len() as u64).sum(), Ordering::Relaxed);
            rows
        };
        // Workers are large, so each serves many rows.
        let at_a_time = if self.settings.shared { share::BLOCK } else { ROWS_AT_A_TIME };
        let chunks: Vec<&[CellId]> = sources.chunks(at_a_time).collect();
        let rows = Workers::new().map(&chunks, worker, work).into_iter().flatten().collect();
        if is_set(cancel) {
            return Err(BuildError::Cancelled);
        }
        if is_too_much() {
            return Err(too_large(&self.grid, bytes.into_inner(), self.most_bytes));
        }
        Ok(rows)
    }

    /// The rank of every free cell in the target order, row by row.
    fn ranks(&self) -> Vec<u8> {
        let mut ranks: Vec<(CellId, u64)> = self.targets.iter().copied().zip(0..).collect();
        order::sort_by_key(&mut ranks, |(id, _)| id.0);
        let (mut bytes, bits) = (Vec::new(), bits_below(self.sources().into()));
        let mut writer = Writer::new(&mut bytes);
        for (_, rank) in ranks {
            writer.push(rank, bits);
        }
        drop(writer);
        bytes.extend([0; SLACK]);
        bytes
    }
}

/// The database would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("for {cells} free cells it takes at least {bytes} bytes, over the limit of {most}")]
pub struct TooLarge {
    /// The free cells of the map.
    pub cells: u32,
    /// The size of the database in bytes, at least.
    pub bytes: u64,
    /// The maximum size in bytes.
    pub most: u64,
}

impl TooLarge {
    /// Converts this into the error of a build.
    pub fn into_error(self) -> BuildError {
        BuildError::unsuited(KIND, self)
    }
}

fn too_large(grid: &Grid, bytes: u64, most: u64) -> BuildError {
    TooLarge { cells: grid.free_cells(), bytes, most }.into_error()
}

impl InParts for Builder {
    fn index(&self) -> IndexKind {
        INDEX
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn settings(&self) -> String {
        self.settings.to_string()
    }

    fn sources(&self) -> u32 {
        self.sources()
    }

    fn part(&self, sources: Range<u32>, on_row: &(dyn Fn() + Sync)) -> Result<ArtifactWriter<'static>, BuildError> {
        self.part(sources, on_row)
    }

    fn part_unless(
        &self,
        sources: Range<u32>,
        on_row: &(dyn Fn() + Sync),
        cancel: &AtomicBool,
    ) -> Result<ArtifactWriter<'static>, BuildError> {
        self.part_until(sources, on_row, Some(cancel))
    }

    fn describe_part(&self, file: &Artifact) -> Result<PartInfo, ArtifactError> {
        file::part_info(file)
    }

    fn check_size(&self, row_bytes: u64) -> Result<(), BuildError> {
        if row_bytes > MAX_ROW_BYTES { Err(too_large(&self.grid, row_bytes, MAX_ROW_BYTES)) } else { Ok(()) }
    }

    fn merge<'a>(&self, parts: &'a [Artifact]) -> Result<ArtifactWriter<'a>, MergeFault> {
        file::merge(parts).map_err(|error| MergeFault { part: error.file(), reason: Arc::new(error) })
    }
}

/// The bytes of a row, and its statistics.
pub(super) type BuiltRow = (Vec<u8>, Counts);

/// Builds rows. One per thread.
pub(super) struct Worker<'a> {
    grid: &'a Grid,
    moves: FirstMoves<'a>,
    symbols: Symbolizer,
    encoder: Box<dyn Encoder + Send + 'a>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(plan: &'a Plan<'a>) -> Self {
        let Plan { grid, settings, .. } = *plan;
        Self {
            grid,
            moves: FirstMoves::new(grid),
            symbols: Symbolizer::new(settings.ties, settings.heuristic, grid.width(), grid.height()),
            encoder: plan.encoder(),
        }
    }

    pub(super) fn row(&mut self, source: CellId) -> BuiltRow {
        let source_cell = self.grid.cell(source);
        let symbols = self.symbols.symbols(source_cell, self.grid.moves_of(source), self.moves.from(source));
        encode(&mut *self.encoder, &Row { source: source_cell, symbols, is_shared: false })
    }

    /// A source, and the valid symbols of every cell as seen from there, row by row.
    pub(super) fn symbols(&mut self, source: CellId) -> (Cell, &[Symbols]) {
        let cell = self.grid.cell(source);
        (cell, self.symbols.symbols(cell, self.grid.moves_of(source), self.moves.from(source)))
    }

    /// The row of a source, or of several that share it, from its symbols.
    pub(super) fn encode(&mut self, source: Cell, symbols: &[Symbols], is_shared: bool) -> BuiltRow {
        encode(&mut *self.encoder, &Row { source, symbols, is_shared })
    }
}

fn encode(encoder: &mut dyn Encoder, row: &Row<'_>) -> BuiltRow {
    let mut bytes = Vec::new();
    let counts = encoder.encode(row, &mut bytes);
    (bytes, counts)
}
