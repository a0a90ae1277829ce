//! One part: building, placing and checking it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::error::{PartFault, PartsError};
use super::folder::Folder;
use super::ranges;
use crate::artifact::{Artifact, ArtifactError, OpenFault};
use crate::files::{self, FileFault};
use crate::planner::{InParts, PartInfo};

/// An existing part.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    pub(super) sources: Range<u32>,
    pub(super) row_bytes: u64,
}

/// What exists at the path of a part.
pub(super) enum Found {
    Nothing,
    Damaged,
    Whole(Part),
}

/// Reads a file in a folder that may be a part with some of these sources. A part of another index is an error.
pub(super) fn inspect(
    builder: &dyn InParts,
    folder: &Folder,
    path: &Path,
    sources: &Range<u32>,
) -> Result<Found, PartsError> {
    let file = match Artifact::open(path) {
        Ok(file) => file,
        Err(error) => match error.fault {
            OpenFault::File(FileFault::Missing) => return Ok(Found::Nothing),
            OpenFault::Index(ref fault) if !matches!(fault, ArtifactError::ContainerVersion { .. }) => {
                return Ok(Found::Damaged);
            }
            _ => return Err(error.into()),
        },
    };
    match judge(builder, &file, sources) {
        Ok(PartInfo { sources, row_bytes, .. }) => Ok(Found::Whole(Part { path: path.to_owned(), sources, row_bytes })),
        Err(PartFault::Index(ArtifactError::DamagedPayload { .. })) => Ok(Found::Damaged),
        Err(fault) => Err(PartsError::Foreign { file: path.to_owned(), folder: folder.path.clone(), fault }),
    }
}

/// The description of a file, if it belongs to the index being built and has only these sources. Reads all of the file.
pub(super) fn judge(builder: &dyn InParts, file: &Artifact, sources: &Range<u32>) -> Result<PartInfo, PartFault> {
    builder.index().check(file, builder.grid())?;
    file.verify()?;
    let info = builder.describe_part(file)?;
    let expected = builder.settings();
    if info.settings != expected {
        return Err(PartFault::Settings { found: info.settings, expected });
    }
    if !ranges::is_within(&info.sources, sources) {
        return Err(PartFault::Sources { found: info.sources, sources: sources.clone() });
    }
    Ok(info)
}

/// Builds a part and writes its file, which appears complete or not at all.
pub(super) fn build(
    builder: &dyn InParts,
    folder: &Folder,
    sources: &Range<u32>,
    on_row: &(dyn Fn() + Sync),
    cancel: Option<&AtomicBool>,
) -> Result<PathBuf, PartsError> {
    let never = AtomicBool::new(false);
    let writer = builder.part_unless(sources.clone(), on_row, cancel.unwrap_or(&never))?;
    let path = folder.part(sources);
    files::write_by(&path, |file| writer.write_to(file))?;
    Ok(path)
}

/// Builds the part with the rows of some sources, writes it into the folder of a [build](super::PartsBuild) that
/// another process has begun, and returns its path. The folder is not locked, so any number of processes and machines
/// that share a drive can do so at once; the process that began the build then [adopts](super::PartsBuild::adopt) the
/// part. An existing part is not built again, and two processes that build the same part write the same bytes. `on_row`
/// is called after each row, from any thread.
///
/// ```
/// use octile::services::parts::{PartsBuild, write_part};
/// use octile::{Build, Catalog};
/// use octile::formats::generate;
/// let (index, grid) = (Catalog::standard().index("cpd")?, generate::maze(20, 20, 2, 1)?);
/// let folder = tempfile::tempdir()?;
/// let mut build = PartsBuild::open(index.in_parts(&Build::new(&grid), "")?, folder.path().join("maze.octx"), ..)?;
///
/// // Elsewhere, with access to the map and the folder:
/// let builder = index.in_parts(&Build::new(&grid), "")?;
/// write_part(&*builder, build.folder(), 0..100, &|| {}, None)?;
///
/// assert!(build.adopt(0..100)?);
/// assert_eq!(build.missing(1000)[0].start, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the index does not have these sources, the folder does not exist, a part of another index has that name, or the
/// part cannot be built or written.
pub fn write_part(
    builder: &dyn InParts,
    folder: impl AsRef<Path>,
    sources: Range<u32>,
    on_row: &(dyn Fn() + Sync),
    cancel: Option<&AtomicBool>,
) -> Result<PathBuf, PartsError> {
    let (folder, all) = (Folder { path: folder.as_ref().to_owned() }, 0..builder.sources());
    if !ranges::is_within(&sources, &all) {
        return Err(PartsError::Outside { asked: sources, sources: all });
    }
    if !folder.exists()? {
        return Err(PartsError::NoFolder { folder: folder.path });
    }
    let path = folder.part(&sources);
    let exists = || -> Result<bool, PartsError> {
        let found = inspect(builder, &folder, &path, &all)?;
        Ok(matches!(found, Found::Whole(part) if part.sources == sources))
    };
    if exists()? {
        return Ok(path);
    }
    match build(builder, &folder, &sources, on_row, cancel) {
        // Another process was faster and has the file open: some systems do not replace such a file.
        Err(PartsError::Write(_)) if exists()? => Ok(path),
        built => built,
    }
}
