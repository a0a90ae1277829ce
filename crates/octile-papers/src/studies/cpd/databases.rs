//! The databases: how many records they have, how large they are, and how long they take to build.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use octile::Grid;
use octile::algo::cpd::{Builder, Stats};
use octile::artifact::{Artifact, Storage};
use serde::{Deserialize, Serialize};

use super::maps::Map;
use crate::papers::cpd::{FACTORS, RECORD_BYTES};
use crate::timing::ProcessorTime;

/// The settings of those that are measured: the paper's rectangles, squares in the same two ways, and ours. The paper's
/// and our runs also answer queries.
pub(super) const PAPERS: &str = "layout=rectangles,ties=diagonal-first";
const SQUARES: &str = "layout=quadtree,ties=diagonal-first";
const SQUARES_MASK: &str = "layout=quadtree,ties=mask";
const RECTANGLES_MASK: &str = "layout=rectangles,ties=mask";
pub(super) const RUNS: &str = "layout=runs";
/// Rows that neighbours share, of our runs and of the paper's rectangles.
pub(super) const SHARED: [&str; 2] = ["layout=runs,share=rows", "layout=rectangles,ties=diagonal-first,share=rows"];

/// How many databases of a map are measured, and from how many queries are answered.
pub(super) const KINDS: u64 = 7;
pub(super) const OF_QUERIES: u64 = 2;

/// The databases of a map.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Line {
    pub(super) map: String,
    pub(super) free_cells: u32,
    /// The paper's.
    pub(super) rectangles: Built,
    pub(super) rectangles_mask: Built,
    pub(super) squares: Built,
    pub(super) squares_mask: Built,
    /// With the customary settings.
    pub(super) runs: Built,
    /// With [`SHARED`] rows.
    pub(super) shared: [Built; 2],
    /// Of the paper's rectangles, for its three sizes of a record.
    pub(super) compression_factors: [f64; 3],
}

/// What is told of a database.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Built {
    pub(super) records: u64,
    pub(super) average_checks: f64,
    /// All of the file.
    pub(super) file_bytes: u64,
    /// As [`ProcessorTime`] tells.
    pub(super) build_seconds: f64,
}

impl Line {
    /// The five kinds.
    pub(super) fn kinds(&self) -> [&Built; 5] {
        [&self.rectangles, &self.rectangles_mask, &self.squares, &self.squares_mask, &self.runs]
    }

    /// Squares over rectangles, with the paper's ties and with `mask`.
    pub(super) fn squares_over_rectangles(&self) -> [f64; 2] {
        let over = |squares: &Built, rectangles: &Built| squares.records as f64 / rectangles.records.max(1) as f64;
        [over(&self.squares, &self.rectangles), over(&self.squares_mask, &self.rectangles_mask)]
    }

    /// The paper's rectangles in its records, as integers and as few bits.
    pub(super) fn paper_megabytes(&self) -> [f64; 2] {
        RECORD_BYTES.map(|bytes| (bytes * self.rectangles.records) as f64 / 1e6)
    }

    /// To build the paper's rectangles.
    pub(super) fn minutes(&self) -> f64 {
        self.rectangles.build_seconds / 60.0
    }
}

/// The databases of a map from which queries are answered: runs, and rectangles.
#[derive(Clone)]
pub(super) struct Queried {
    pub(super) runs: Arc<Artifact>,
    pub(super) rectangles: Arc<Artifact>,
}

/// Those that were built in this run, by the seeds of their maps: an unfinished run that goes on has to build some
/// anew.
#[derive(Default)]
pub(super) struct Shelf {
    built: BTreeMap<u64, Queried>,
}

impl Shelf {
    pub(super) fn put(&mut self, map: &Map, queried: Queried) {
        self.built.insert(map.seed, queried);
    }

    /// Those of a map.
    pub(super) fn take_or_build(&mut self, map: &Map, bar: &ProgressBar) -> Result<Queried> {
        if let Some(queried) = self.built.get(&map.seed) {
            return Ok(queried.clone());
        }
        let [runs, rectangles] = [RUNS, PAPERS].map(|settings| build(map, settings, bar));
        let queried = Queried { runs: runs?.0, rectangles: rectangles?.0 };
        self.put(map, queried.clone());
        Ok(queried)
    }
}

/// Builds a database of a map, and tells of it.
fn build(map: &Map, settings: &str, bar: &ProgressBar) -> Result<(Arc<Artifact>, Stats, Built)> {
    of_grid(&map.grid, settings, bar).with_context(|| map.name.clone())
}

fn of_grid(grid: &Grid, settings: &str, bar: &ProgressBar) -> Result<(Arc<Artifact>, Stats, Built)> {
    let time = ProcessorTime::start();
    let builder = Builder::new(grid, settings.parse()?)?;
    let bytes = builder.part(0..builder.sources(), &|| bar.inc(1))?.finish();
    let build_seconds = time.seconds();
    let artifact = Arc::new(Artifact::from_bytes(Storage::from(bytes))?);
    let stats = Stats::from_artifact(&artifact)?;
    let built = Built {
        records: stats.records,
        average_checks: stats.average_checks,
        file_bytes: artifact.size_bytes() as u64,
        build_seconds,
    };
    Ok((artifact, stats, built))
}

/// Builds all databases of a map.
pub(super) fn line(map: &Map, bar: &ProgressBar) -> Result<(Line, Queried)> {
    let (of_rectangles, stats, rectangles) = build(map, PAPERS, bar)?;
    let (of_runs, _, runs) = build(map, RUNS, bar)?;
    let [shared_runs, shared_rectangles] = SHARED.map(|settings| build(map, settings, bar));
    let line = Line {
        map: map.name.clone(),
        free_cells: map.grid.free_cells(),
        rectangles,
        rectangles_mask: build(map, RECTANGLES_MASK, bar)?.2,
        squares: build(map, SQUARES, bar)?.2,
        squares_mask: build(map, SQUARES_MASK, bar)?.2,
        runs,
        shared: [shared_runs?.2, shared_rectangles?.2],
        compression_factors: FACTORS.map(|c| stats.compression_factor(c)),
    };
    Ok((line, Queried { runs: of_runs, rectangles: of_rectangles }))
}
