//! Indexes that are built in chunks, so that an interrupted build can resume: the library's [`PartsBuild`] with a
//! progress bar.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Error, Result};
use octile::artifact::Artifact;
use octile::files;
use octile::planner::InParts;
use octile::services::parts::{PartsBuild, PartsError, folder_of};

use super::Made;
use crate::harness::output;
use crate::report::json::Chunks;

/// The number of sources in a chunk.
const CHUNK: u32 = 1024;

/// An index to be built.
pub(super) struct Job<'a> {
    pub(super) builder: Arc<dyn InParts>,
    /// The file of the map.
    pub(super) map: &'a Path,
    pub(super) output: &'a Path,
}

/// Builds the rows of some sources into the output file.
pub(super) fn build(job: &Job, sources: Range<u32>) -> Result<Made> {
    let is_small = sources.end.div_ceil(CHUNK) - sources.start / CHUNK <= 1 && !folder_of(job.output).exists();
    // There is no folder beside a device.
    if is_small || !files::is_replaced(job.output) {
        return build_at_once(job, sources);
    }
    let named = |error| match error {
        PartsError::Build(error) => Error::new(error).context(job.map.display().to_string()),
        error => error.into(),
    };
    let clock = Instant::now();
    let mut build = PartsBuild::open(Arc::clone(&job.builder), job.output, sources).map_err(named)?;
    let (missing, resumed) = (build.missing(CHUNK), build.resumed());
    let report = Chunks { all: resumed + missing.len(), resumed, damaged: build.damaged() };
    let rest = || format!("{resumed} of {} chunks exist, building the rest", report.all);
    let rows = missing.iter().map(|chunk| chunk.len() as u64).sum();
    let bar = output::progress_of_rows(rows, if resumed == 0 { "building".to_owned() } else { rest() });
    let artifact = build.run(CHUNK, &|| bar.inc(1), None).map_err(named)?;
    bar.finish_and_clear();
    Ok(Made { artifact, time: clock.elapsed(), chunks: Some(report) })
}

/// As [`build`], in memory.
fn build_at_once(job: &Job, sources: Range<u32>) -> Result<Made> {
    let clock = Instant::now();
    let bar = output::progress_of_rows(sources.len() as u64, "building");
    let part = job.builder.part(sources, &|| bar.inc(1));
    let bytes = part.with_context(|| job.map.display().to_string())?.finish();
    bar.finish_and_clear();
    let time = clock.elapsed();
    files::write(job.output, &bytes)?;
    Ok(Made { artifact: Artifact::from_bytes(bytes.into())?, time, chunks: None })
}
