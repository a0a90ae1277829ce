//! Databases that are built in chunks, so that an interrupted build goes on where it was.
//!
//! Each chunk is a part of the database in a file of its own, in a folder beside the file that is to be. A part appears there
//! whole or not at all. At the end all are merged, and the folder is removed.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Error, Result, bail, ensure};
use indicatif::ProgressBar;
use octile::algo::cpd::{self, MAX_ROW_BYTES, Stats, TooLarge};
use octile::artifact::{Artifact, ArtifactError, ArtifactWriter, OpenFault};
use octile::files::disk::{self, Step};
use octile::files::{self, NewFile};
use octile::search::{InParts, IndexKind};
use octile::{FileFault, Movement};

use super::Made;
use crate::harness::output;
use crate::report::json::Chunks;

/// Sources of a chunk.
const CHUNK: u32 = 1024;

/// An index to be built.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) index: IndexKind,
    pub(super) builder: &'a dyn InParts,
    /// The file of the map.
    pub(super) map: &'a Path,
    pub(super) output: &'a Path,
}

/// Builds the rows of some sources into the output file.
pub(super) fn build(job: &Job, sources: Range<u32>) -> Result<Made> {
    let output = job.output;
    let folder = Folder::of(output);
    let chunks = chunks(sources.clone());
    // A device has no place for a folder beside it, and only parts of databases can be merged here.
    let is_small = chunks.len() <= 1 && !folder.path.exists();
    if !files::is_replaced(output) || is_small || job.index.kind != cpd::KIND {
        return build_at_once(job, sources);
    }
    let clock = Instant::now();
    let goes_on = folder.path.exists();
    let found = folder.inspect(job, &chunks)?;
    let lock = folder.lock()?;
    folder.remove_temporary()?;
    let report = Chunks {
        all: chunks.len(),
        resumed: found.iter().filter(|found| matches!(found, Found::Whole(_))).count(),
        damaged: found.iter().filter(|found| matches!(found, Found::Damaged)).count(),
    };
    // If it was interrupted while the folder was being removed, that is all there is left to do.
    if goes_on && is_there(job, &sources) {
        drop(found);
    } else {
        let bar = progress(&chunks, &found, &report);
        let parts = complete(job, &folder, chunks.iter().zip(found), &bar)?;
        bar.finish_and_clear();
        write_merged(&parts, &folder, &chunks, output)?;
    }
    folder.remove(lock, &chunks)?;
    Ok(Made { artifact: Artifact::open(output)?, time: clock.elapsed(), chunks: Some(report) })
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

/// A bar for the rows that are missing.
fn progress(chunks: &[Range<u32>], found: &[Found], report: &Chunks) -> ProgressBar {
    let missing = chunks.iter().zip(found).filter(|(_, found)| !matches!(found, Found::Whole(_)));
    let rows = missing.map(|(chunk, _)| chunk.len() as u64).sum();
    let Chunks { all, resumed, .. } = report;
    let rest = || format!("{resumed} of {all} chunks were there, building the rest");
    output::progress_of_rows(rows, if *resumed == 0 { "building".to_owned() } else { rest() })
}

/// Builds the chunks that are not there, one after the other, and keeps each: the parts.
fn complete<'a>(
    job: &Job,
    folder: &Folder,
    chunks: impl Iterator<Item = (&'a Range<u32>, Found)>,
    bar: &ProgressBar,
) -> Result<Vec<Artifact>> {
    let named = || job.map.display().to_string();
    let mut bytes = 0;
    let mut complete = |(chunk, found): (&Range<u32>, Found)| {
        let part = match found {
            Found::Whole(part) => part,
            Found::Nothing | Found::Damaged => {
                let writer = job.builder.part(chunk.clone(), &|| bar.inc(1)).with_context(named)?;
                let path = folder.part(chunk);
                write(&writer, NewFile::create(&path)?, &path)?.finish()?;
                Artifact::open(&path)?
            }
        };
        bytes += Stats::from_artifact(&part)?.row_bytes;
        if bytes > MAX_ROW_BYTES {
            return Err(TooLarge { cells: job.builder.sources(), bytes, most: MAX_ROW_BYTES }.into_error())
                .with_context(named);
        }
        Ok(part)
    };
    chunks.map(&mut complete).collect()
}

/// Puts all parts together into the file `output`.
fn write_merged(parts: &[Artifact], folder: &Folder, chunks: &[Range<u32>], output: &Path) -> Result<()> {
    let writer = cpd::merge(parts).map_err(|error| {
        let path = error.file().map_or_else(|| folder.path.clone(), |file| folder.part(&chunks[file]));
        Error::new(error).context(path.display().to_string())
    })?;
    // In the folder, where it is removed by the next build if this one is interrupted.
    let mut file = write(&writer, NewFile::create_in(&folder.path, output)?, output)?;
    // It must not be lost when the parts are gone.
    file.sync()?;
    Ok(file.finish()?)
}

fn write(writer: &ArtifactWriter, mut file: NewFile, path: &Path) -> Result<NewFile> {
    writer.write_to(&mut file).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(file)
}

/// The chunks of a range, those of all sources cut to it: so that many ranges share theirs.
fn chunks(sources: Range<u32>) -> Vec<Range<u32>> {
    let first = sources.start / CHUNK;
    let bound = |chunk: u32| chunk.saturating_mul(CHUNK).clamp(sources.start, sources.end);
    (first..sources.end.div_ceil(CHUNK)).map(|chunk| bound(chunk)..bound(chunk + 1)).collect()
}

/// Whether the file is there already.
fn is_there(job: &Job, sources: &Range<u32>) -> bool {
    Artifact::open(job.output).is_ok_and(|file| {
        other_map(&file, job).is_none()
            && file.verify().is_ok()
            && other_contents(&file, job.builder, sources).is_ok_and(|other| other.is_none())
    })
}

/// What tells that a file is not for the map of a job, or not a database at all.
fn other_map(file: &Artifact, job: &Job) -> Option<String> {
    let IndexKind { kind, version, .. } = job.index;
    if file.kind() != kind {
        return Some(format!("it is an index of kind `{}`", file.kind()));
    }
    if file.kind_version() != version {
        return Some(format!("it has version {}, not {version}", file.kind_version()));
    }
    let map = |width, height, rule: &str, fingerprint: u64| {
        format!("a map of {width} x {height} cells with movement `{rule}` and the fingerprint {fingerprint:016x}")
    };
    let (grid, rule) = (job.builder.grid(), file.movement().map_or("none", Movement::name));
    let theirs = map(file.width(), file.height(), rule, file.fingerprint());
    let ours = map(grid.width(), grid.height(), grid.movement().name(), grid.fingerprint());
    (theirs != ours).then(|| format!("it is for {theirs}, not for {ours}"))
}

/// What tells that a sound file for the map has other settings or sources.
fn other_contents(
    file: &Artifact,
    builder: &dyn InParts,
    sources: &Range<u32>,
) -> Result<Option<String>, ArtifactError> {
    let stats = Stats::from_artifact(file)?;
    let (theirs, ours) = (stats.settings.to_string(), builder.settings());
    if theirs != ours {
        return Ok(Some(format!("its settings are `{theirs}`, not `{ours}`")));
    }
    let differs = |Range { start, end }: Range<u32>| {
        format!("it has the sources {start}..{end}, not {}..{}", sources.start, sources.end)
    };
    Ok((stats.sources != *sources).then(|| differs(stats.sources)))
}

/// What there is of a chunk.
enum Found {
    Nothing,
    Damaged,
    Whole(Artifact),
}

/// Where the chunks of a build are kept.
struct Folder {
    path: PathBuf,
}

impl Folder {
    /// That of the file `output`.
    fn of(output: &Path) -> Self {
        let mut path = OsString::from(files::place(output));
        path.push(".parts");
        Self { path: path.into() }
    }

    /// The file of a chunk.
    fn part(&self, chunk: &Range<u32>) -> PathBuf {
        self.path.join(format!("part-{:09}.octx", chunk.start))
    }

    /// Looks at all that is there, and changes nothing. Refuses whatever is not of this build.
    fn inspect(&self, job: &Job, chunks: &[Range<u32>]) -> Result<Vec<Found>> {
        let folder = self.path.display();
        match fs::symlink_metadata(&self.path) {
            Ok(there) => ensure!(
                there.is_dir(),
                "{folder} is in the way of the folder for chunks: move it away, or choose another -o"
            ),
            Err(_) => return Ok(chunks.iter().map(|_| Found::Nothing).collect()),
        }
        let ours: HashSet<PathBuf> = chunks.iter().map(|chunk| self.part(chunk)).collect();
        for name in self.names()? {
            let path = self.path.join(&name);
            ensure!(
                is_temporary(&name) || ours.contains(&path),
                "{} is not of this build: move it away, delete the folder {folder}, or choose another -o",
                path.display()
            );
        }
        chunks.iter().map(|chunk| self.found(job, chunk)).collect()
    }

    /// What there is of a chunk.
    fn found(&self, job: &Job, chunk: &Range<u32>) -> Result<Found> {
        let path = self.part(chunk);
        let artifact = match Artifact::open(&path) {
            Ok(artifact) => artifact,
            Err(error) => match error.fault {
                OpenFault::File(FileFault::Missing) => return Ok(Found::Nothing),
                OpenFault::Index(ref fault) if !matches!(fault, ArtifactError::ContainerVersion { .. }) => {
                    return Ok(Found::Damaged);
                }
                _ => return Err(error.into()),
            },
        };
        if let Some(other) = other_map(&artifact, job) {
            return Err(self.foreign(&path, &other));
        }
        if artifact.verify().is_err() {
            return Ok(Found::Damaged);
        }
        match other_contents(&artifact, job.builder, chunk) {
            Ok(None) => Ok(Found::Whole(artifact)),
            Ok(Some(other)) => Err(self.foreign(&path, &other)),
            Err(fault) => Err(self.foreign(&path, &fault.to_string())),
        }
    }

    /// That a file there is not to be lost.
    fn foreign(&self, path: &Path, why: &str) -> Error {
        let (path, folder) = (path.display(), self.path.display());
        Error::msg(format!("{path} is of another build: {why}; delete the folder {folder}, or choose another -o"))
    }

    fn names(&self) -> Result<Vec<OsString>> {
        let cannot = || format!("cannot read the folder {}", self.path.display());
        let names = fs::read_dir(&self.path).with_context(cannot)?.map(|entry| Ok(entry?.file_name()));
        names.collect::<io::Result<_>>().with_context(cannot)
    }

    /// Makes the folder unless it is there, and keeps other processes out of it for as long as this one lives.
    fn lock(&self) -> Result<File> {
        let folder = self.path.display();
        let cannot = || format!("cannot write to the folder {folder}");
        disk::step(Step::Folder, || fs::create_dir_all(&self.path)).with_context(cannot)?;
        let lock = disk::step(Step::Create, || File::create(self.path.join(LOCK))).with_context(cannot)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                bail!("another octile is building in {folder}: wait until it is done, or choose another -o")
            }
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(lock),
        }
    }

    /// Removes what an interrupted build was writing.
    fn remove_temporary(&self) -> Result<()> {
        let names = self.names()?;
        let paths = names.iter().filter(|name| is_temporary(name) && *name != LOCK).map(|name| self.path.join(name));
        paths.into_iter().try_for_each(|path| remove(&path))
    }

    /// Removes the folder with these chunks.
    fn remove(&self, lock: File, chunks: &[Range<u32>]) -> Result<()> {
        chunks.iter().try_for_each(|chunk| remove(&self.part(chunk)))?;
        drop(lock);
        remove(&self.path.join(LOCK))?;
        let cannot = || format!("cannot remove the folder {}", self.path.display());
        disk::step(Step::Remove, || fs::remove_dir(&self.path)).with_context(cannot)
    }
}

/// The file that a process at work holds.
const LOCK: &str = ".octile-lock";

fn is_temporary(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(files::TEMPORARY))
}

/// Removes a file, unless it is gone.
fn remove(path: &Path) -> Result<()> {
    match disk::step(Step::Remove, || fs::remove_file(path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;

    #[test]
    fn chunks_are_those_of_all_sources_cut_to_the_range() {
        assert_eq!(chunks(0..2048), [0..1024, 1024..2048]);
        assert_eq!(chunks(1000..2100), [1000..1024, 1024..2048, 2048..2100]);
        let one = |sources: Range<u32>| assert_eq!(chunks(sources.clone()), slice::from_ref(&sources));
        one(5..9);
        one(1024..1025);
        assert_eq!(chunks(0..0), []);
        one(u32::MAX - 1..u32::MAX);
    }
}
