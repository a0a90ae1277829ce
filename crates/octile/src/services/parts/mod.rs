//! Builds indexes that take hours in parts that are kept on disk. An interrupted build resumes where it stopped, and
//! many processes or machines can share the work.
//!
//! The parts of the index `arena.octx` are kept in the folder `arena.octx.parts` beside it. Each part is a file that
//! states its sources, and appears in the folder complete or not at all. So parts may have any sizes, and a build that
//! began with some sizes can continue with others. When no part is missing, they are merged and the folder is removed.
//! The result is the same, byte for byte, as that of a build in one go.
//!
//! ```
//! use octile::services::parts::PartsBuild;
//! use octile::{Build, Catalog};
//! use octile::formats::generate;
//! let (index, grid) = (Catalog::standard().index("cpd")?, generate::maze(20, 20, 2, 1)?);
//! let folder = tempfile::tempdir()?;
//! let output = folder.path().join("maze.octx");
//!
//! // Some parts are done, of any size, when the process is killed.
//! let mut build = PartsBuild::open(index.in_parts(&Build::new(&grid), "")?, &output, ..)?;
//! build.build(50..80, &|| {}, None)?;
//! drop(build);
//!
//! // Another day: existing parts are not built again.
//! let mut build = PartsBuild::open(index.in_parts(&Build::new(&grid), "")?, &output, ..)?;
//! assert_eq!((build.resumed(), build.done()), (1, vec![50..80]));
//! build.run(64, &|| {}, None)?;
//! assert_eq!(std::fs::read(&output)?, index.build_for(&grid)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Shared builds
//!
//! A build holds a lock on its folder, so that no two builds use it. Other processes need no lock: a process that
//! shares the drive calls [`write_part`], and [`PartsBuild::adopt`] or [`PartsBuild::rescan`] finds what it has
//! written. Parts from elsewhere are added as bytes ([`PartsBuild::add`]) or as files ([`PartsBuild::add_file`]). A
//! part is rejected unless it belongs to the same index, map and settings.

mod error;
mod folder;
mod part;
mod ranges;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::ops::{Range, RangeBounds};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use self::error::{PartFault, PartsError};
use self::folder::Folder;
pub use self::part::write_part;
use self::part::{Found, Part};
use crate::artifact::{Artifact, OpenError, OpenFault};
use crate::files::{self, NewFile};
use crate::planner::InParts;

/// The folder that holds the parts of an index until it is finished.
///
/// ```
/// use octile::services::parts::folder_of;
/// assert_eq!(folder_of("maps/arena.octx"), std::path::Path::new("maps/arena.octx.parts"));
/// ```
pub fn folder_of(output: impl AsRef<Path>) -> PathBuf {
    Folder::of(output.as_ref()).path
}

/// An index that is being built in parts: see the [module](self).
///
/// While this value exists, no other build uses the same folder. Finished parts stay there when it is dropped, or
/// however the process ends.
pub struct PartsBuild {
    builder: Arc<dyn InParts>,
    output: PathBuf,
    /// The sources of the finished index.
    sources: Range<u32>,
    folder: Folder,
    /// None once the folder is removed.
    lock: Option<File>,
    /// The parts in use, by their first source: no two share a source.
    parts: BTreeMap<u32, Part>,
    /// Files of parts whose sources are all in other parts.
    spare: BTreeSet<PathBuf>,
    resumed: usize,
    damaged: usize,
    /// Whether the index file is complete.
    is_written: bool,
}

impl PartsBuild {
    /// Starts building the index in the file `output`, of all sources (`..`) or of some, or resumes: it takes over what
    /// exists in the [folder](folder_of), and locks out other builds.
    ///
    /// Damaged parts are removed and built again. If parts share sources, as parts of different sizes may, the larger
    /// one is used. The folder may hold nothing else: a file that does not belong to this index is an error, and stays.
    ///
    /// # Errors
    /// If another build is using the folder, a file in it does not belong to this build, the index does not have these
    /// sources, or files cannot be read or written.
    pub fn open(
        builder: impl Into<Arc<dyn InParts>>,
        output: impl AsRef<Path>,
        sources: impl RangeBounds<u32>,
    ) -> Result<Self, PartsError> {
        let (builder, output) = (builder.into(), output.as_ref().to_owned());
        let sources = ranges::of(&sources, builder.sources());
        if !ranges::is_within(&sources, &(0..builder.sources())) {
            return Err(PartsError::Outside { asked: sources, sources: 0..builder.sources() });
        }
        if !files::is_replaced(&output) {
            return Err(PartsError::NotAFile { output });
        }
        files::ensure_possible(&output)?;
        let folder = Folder::of(&output);
        let mut build = Self {
            builder,
            output,
            sources,
            folder,
            lock: None,
            parts: BTreeMap::new(),
            spare: BTreeSet::new(),
            resumed: 0,
            damaged: 0,
            is_written: false,
        };
        build.begin()?;
        Ok(build)
    }

    fn begin(&mut self) -> Result<(), PartsError> {
        let resumes = self.folder.exists()?;
        // If this fails, the folder stays unchanged: everything is checked before anything is changed.
        self.find()?;
        self.lock = Some(self.folder.lock()?);
        files::sweep(&self.folder.path);
        // Parts may have appeared or vanished before the folder was locked.
        self.parts.retain(|_, part| part.path.exists());
        self.rescan()?;
        self.resumed = self.parts.len();
        // If a build was interrupted while it removed the folder, only that is left to do.
        self.is_written = resumes && self.is_complete();
        Ok(())
    }

    /// The sources that the index will have.
    pub fn sources(&self) -> Range<u32> {
        self.sources.clone()
    }

    /// The folder of the parts.
    pub fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// The finished sources, in order: adjacent ranges are joined, whatever the parts.
    pub fn done(&self) -> Vec<Range<u32>> {
        if self.is_written {
            return ranges::joined([self.sources()]);
        }
        ranges::joined(self.parts.values().map(|part| part.sources.clone()))
    }

    /// The missing sources, in pieces of at most `chunk` sources, in order. Pieces are cut at multiples of `chunk`, so
    /// that all processes with the same `chunk` build the same parts.
    pub fn missing(&self, chunk: u32) -> Vec<Range<u32>> {
        let gaps = ranges::gaps(&self.sources, &self.done());
        gaps.into_iter().flat_map(|gap| ranges::cut(gap, chunk)).collect()
    }

    /// The number of parts that existed when the build started.
    pub fn resumed(&self) -> usize {
        self.resumed
    }

    /// The number of parts that were damaged and have to be built again.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// Builds a part and keeps it. Returns false if all of these sources are done already. `on_row` is called after
    /// each row, from any thread. Setting the `cancel` flag ends the build soon.
    ///
    /// # Errors
    /// If some of the sources are not in this build, some are done and others are not, or the part cannot be built or
    /// written.
    pub fn build(
        &mut self,
        sources: Range<u32>,
        on_row: &(dyn Fn() + Sync),
        cancel: Option<&AtomicBool>,
    ) -> Result<bool, PartsError> {
        if !self.wants(&sources)? {
            return Ok(false);
        }
        let path = part::build(&*self.builder, &self.folder, &sources, on_row, cancel)?;
        self.take(&path, sources)
    }

    /// Adds a part that was built elsewhere, given as the bytes of a file. Returns whether it was needed: a second
    /// copy, or a part whose sources are all done, is ignored.
    ///
    /// ```
    /// use octile::services::parts::PartsBuild;
    /// use octile::{Build, Catalog};
    /// use octile::formats::generate;
    /// let (index, grid) = (Catalog::standard().index("cpd")?, generate::maze(20, 20, 2, 1)?);
    /// let part = index.in_parts(&Build::new(&grid), "")?.part(0..90, &|| {})?.finish(); // on another machine
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut build = PartsBuild::open(index.in_parts(&Build::new(&grid), "")?, folder.path().join("maze.octx"), ..)?;
    /// assert!(build.add(part.clone())?);
    /// assert!(!build.add(part)?, "it is a second copy");
    /// assert!(build.add(b"something else".to_vec()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it is damaged, does not belong to this index, has some sources that are done and others that are not, or
    /// cannot be written.
    pub fn add(&mut self, bytes: Vec<u8>) -> Result<bool, PartsError> {
        let file = Artifact::from_bytes(bytes.into());
        let file = file.map_err(|fault| PartsError::Refused { file: None, fault: fault.into() })?;
        self.add_artifact(&file, None)
    }

    /// As [`add`](PartsBuild::add), but copies the part from a file.
    ///
    /// # Errors
    /// Also if it cannot be read.
    pub fn add_file(&mut self, path: impl AsRef<Path>) -> Result<bool, PartsError> {
        let path = path.as_ref();
        let file = Artifact::open(path).map_err(|error| match error.fault {
            OpenFault::Index(fault) => PartsError::Refused { file: Some(path.to_owned()), fault: fault.into() },
            fault @ OpenFault::File(_) => OpenError { fault, ..error }.into(),
        })?;
        self.add_artifact(&file, Some(path))
    }

    fn add_artifact(&mut self, file: &Artifact, path: Option<&Path>) -> Result<bool, PartsError> {
        let judged = part::judge(&*self.builder, file, &self.sources);
        let info = judged.map_err(|fault| PartsError::Refused { file: path.map(Path::to_owned), fault })?;
        if !self.wants(&info.sources)? {
            return Ok(false);
        }
        let path = self.folder.part(&info.sources);
        files::write(&path, file.bytes())?;
        self.take(&path, info.sources)
    }

    /// Adds the part that [`write_part`] has written for these sources. Returns whether it was needed, as
    /// [`add`](PartsBuild::add).
    ///
    /// # Errors
    /// [`PartsError::Missing`] if it does not exist or is damaged; or as [`add`](PartsBuild::add).
    pub fn adopt(&mut self, sources: Range<u32>) -> Result<bool, PartsError> {
        if !self.wants(&sources)? {
            return Ok(false);
        }
        self.take(&self.folder.part(&sources), sources)
    }

    /// Searches the folder for parts that other processes have written since. Returns the sources of the new parts, in
    /// order. A part with sources that are already done is ignored.
    ///
    /// # Errors
    /// If a file does not belong to this build, or the folder cannot be read.
    pub fn rescan(&mut self) -> Result<Vec<Range<u32>>, PartsError> {
        if self.is_written {
            return Ok(Vec::new());
        }
        let (new, damaged) = self.find()?;
        self.remove_damaged(&damaged)?;
        self.check_size()?;
        Ok(new)
    }

    /// Builds all missing sources in parts of at most `chunk` sources, one after the other, and
    /// [finishes](PartsBuild::finish). If `cancel` ends it, finished parts stay, and the next call continues from
    /// there.
    ///
    /// # Errors
    /// As [`build`](PartsBuild::build) and [`finish`](PartsBuild::finish).
    pub fn run(
        &mut self,
        chunk: u32,
        on_row: &(dyn Fn() + Sync),
        cancel: Option<&AtomicBool>,
    ) -> Result<Artifact, PartsError> {
        for sources in self.missing(chunk) {
            self.build(sources, on_row, cancel)?;
        }
        self.finish()
    }

    /// Merges all parts into the output file, replacing an older one, then removes the parts and their folder. Returns
    /// the index.
    ///
    /// # Errors
    /// If sources are missing, a part has been damaged in the meantime, or files cannot be written or removed.
    pub fn finish(&mut self) -> Result<Artifact, PartsError> {
        let missing = self.missing(u32::MAX);
        if !missing.is_empty() {
            return Err(PartsError::Missing { missing, folder: self.folder.path.clone() });
        }
        if !self.is_written {
            self.write()?;
            self.is_written = true;
        }
        if let Some(lock) = self.lock.take() {
            self.folder.remove(lock)?;
        }
        Ok(Artifact::open(&self.output)?)
    }

    fn write(&self) -> Result<(), PartsError> {
        let parts = self.parts.values().map(|part| Artifact::open(&part.path)).collect::<Result<Vec<_>, _>>()?;
        let writer = if parts.is_empty() {
            // The index has no sources.
            self.builder.part(self.sources(), &|| {})?
        } else {
            self.builder.merge(&parts).map_err(|fault| {
                let at_fault = fault.part.and_then(|part| self.parts.values().nth(part));
                PartsError::Merge { path: at_fault.map_or(&self.folder.path, |part| &part.path).clone(), fault }
            })?
        };
        // The new file is created in the folder: if this build is interrupted, the next one removes it.
        let mut file = NewFile::create_in(&self.folder.path, &self.output)?;
        writer.write_to(&mut file).map_err(|error| file.fault(error))?;
        // The index must be on disk before the parts are removed.
        file.sync()?;
        Ok(file.finish()?)
    }

    /// Whether a part with these sources is needed: not if all of them are done.
    fn wants(&self, sources: &Range<u32>) -> Result<bool, PartsError> {
        if !ranges::is_within(sources, &self.sources) {
            return Err(PartsError::Outside { asked: sources.clone(), sources: self.sources() });
        }
        if self.done().iter().any(|done| ranges::is_within(sources, done)) || sources.is_empty() {
            return Ok(false);
        }
        match self.shared(sources) {
            Some(there) => Err(PartsError::Overlap { asked: sources.clone(), there: there.sources.clone() }),
            None => Ok(true),
        }
    }

    /// A part that shares a source with these.
    fn shared(&self, sources: &Range<u32>) -> Option<&Part> {
        let last = self.parts.range(..sources.end).next_back().map(|(_, part)| part);
        last.filter(|part| part.sources.end > sources.start)
    }

    /// Adds a part that is in the folder and needed.
    fn take(&mut self, path: &Path, sources: Range<u32>) -> Result<bool, PartsError> {
        match part::inspect(&*self.builder, &self.folder, path, &self.sources)? {
            Found::Whole(part) if part.sources == sources => {
                self.spare.remove(path);
                self.parts.insert(sources.start, part);
                self.check_size()?;
                Ok(true)
            }
            _ => Err(PartsError::Missing { missing: vec![sources], folder: self.folder.path.clone() }),
        }
    }

    /// Rejects parts whose total size is too large.
    fn check_size(&self) -> Result<(), PartsError> {
        Ok(self.builder.check_size(self.parts.values().map(|part| part.row_bytes).sum())?)
    }

    /// Adds the parts in the folder that are not known yet, the largest first. Returns their sources, and the files of
    /// damaged parts. Changes nothing on disk.
    fn find(&mut self) -> Result<(Vec<Range<u32>>, Vec<PathBuf>), PartsError> {
        let known: BTreeSet<&PathBuf> = self.parts.values().map(|part| &part.path).chain(&self.spare).collect();
        let mut files = self.folder.parts()?;
        files.retain(|file| !known.contains(file));
        let (mut found, mut damaged) = (Vec::new(), Vec::new());
        for path in files {
            match part::inspect(&*self.builder, &self.folder, &path, &self.sources)? {
                Found::Whole(part) => found.push(part),
                Found::Damaged => damaged.push(path),
                Found::Nothing => {}
            }
        }
        found.sort_by_key(|part| (u32::MAX - part.sources.len() as u32, part.sources.start));
        let mut new = Vec::new();
        for part in found {
            if part.sources.is_empty() || self.shared(&part.sources).is_some() {
                self.spare.insert(part.path);
            } else {
                new.push(part.sources.clone());
                self.parts.insert(part.sources.start, part);
            }
        }
        new.sort_by_key(|sources| sources.start);
        Ok((new, damaged))
    }

    fn remove_damaged(&mut self, files: &[PathBuf]) -> Result<(), PartsError> {
        self.damaged += files.len();
        files.iter().try_for_each(|file| folder::remove(file))
    }

    /// Whether the output file already holds the index.
    fn is_complete(&self) -> bool {
        Artifact::open(&self.output).is_ok_and(|file| {
            part::judge(&*self.builder, &file, &self.sources).is_ok_and(|info| info.sources == self.sources)
        })
    }
}

impl fmt::Debug for PartsBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartsBuild")
            .field("output", &self.output)
            .field("sources", &self.sources)
            .field("done", &self.done())
            .finish_non_exhaustive()
    }
}
