//! Indexes that take hours, built in parts that are kept: a build that is interrupted goes on where it was, and many
//! processes or machines can share the work.
//!
//! The parts of the index that will be `arena.octx` are kept in the folder `arena.octx.parts` beside it. Each is a file
//! that says itself which sources it has, and appears there whole or not at all. So parts may have any sizes, and a
//! build that was begun with some goes on with others. When none is missing they are put together, and the folder is
//! removed. The result is the same, byte for byte, as that of a build in one go.
//!
//! ```
//! use octile::services::parts::PartsBuild;
//! use octile::{Build, Catalog, generate};
//! let (index, grid) = (Catalog::standard().index("cpd")?, generate::maze(20, 20, 2, 1)?);
//! let folder = tempfile::tempdir()?;
//! let output = folder.path().join("maze.octx");
//!
//! // Some is done, in parts of any size, and then somebody pulls the plug.
//! let mut build = PartsBuild::open(index.in_parts(&Build::new(&grid), "")?, &output, ..)?;
//! build.build(50..80, &|| {}, None)?;
//! drop(build);
//!
//! // Another day: what is there is not built again.
//! let mut build = PartsBuild::open(index.in_parts(&Build::new(&grid), "")?, &output, ..)?;
//! assert_eq!((build.resumed(), build.done()), (1, vec![50..80]));
//! build.run(64, &|| {}, None)?;
//! assert_eq!(std::fs::read(&output)?, index.build_for(&grid)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # By many
//! Whoever begins a build holds a lock on its folder, so that no two do. Others need none: a process that shares the
//! drive calls [`write_part`], and [`PartsBuild::adopt`] or [`PartsBuild::rescan`] finds what it has written. Parts
//! from elsewhere come as bytes, [`PartsBuild::add`], or files, [`PartsBuild::add_file`]. Whatever is not a part of
//! this very index, of this map, with these settings, is refused.

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

/// The folder in which the parts of an index are kept until it is done.
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
/// While it lives, no other build uses the same folder. What it has done stays there when it is dropped, and however
/// the process ends.
pub struct PartsBuild {
    builder: Arc<dyn InParts>,
    output: PathBuf,
    /// Those that the index will have.
    sources: Range<u32>,
    folder: Folder,
    /// None when the folder is gone.
    lock: Option<File>,
    /// Those that count, by where they begin: no two have the same source.
    parts: BTreeMap<u32, Part>,
    /// Files of parts all of whose sources others have.
    spare: BTreeSet<PathBuf>,
    resumed: usize,
    damaged: usize,
    /// Whether the index is in its place.
    is_written: bool,
}

impl PartsBuild {
    /// Begins to build the index in the file `output`, of all sources (`..`) or of some, or goes on with it: takes what
    /// there is in its [folder](folder_of), and keeps other builds out.
    ///
    /// Parts that are damaged are removed, to be built again. If parts have sources in common, as those may that were
    /// built with different sizes, the larger counts. The folder may hold nothing else: what is not of this index is
    /// refused, and stays.
    ///
    /// # Errors
    /// If another build is at work in the folder, something is there that is not of this build, the index has no such
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
        let goes_on = self.folder.exists()?;
        // Whatever is refused is left as it is: nothing is changed before all has been looked at.
        self.find()?;
        self.lock = Some(self.folder.lock()?);
        files::sweep(&self.folder.path);
        // Parts may have come and gone before the folder was locked.
        self.parts.retain(|_, part| part.path.exists());
        self.rescan()?;
        self.resumed = self.parts.len();
        // If a build was interrupted while the folder was being removed, that is all there is left to do.
        self.is_written = goes_on && self.is_there();
        Ok(())
    }

    /// The sources that the index will have.
    pub fn sources(&self) -> Range<u32> {
        self.sources.clone()
    }

    /// Where the parts are kept.
    pub fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// The sources that are done, in order: ranges that follow one another are one, whatever the parts.
    pub fn done(&self) -> Vec<Range<u32>> {
        if self.is_written {
            return ranges::joined([self.sources()]);
        }
        ranges::joined(self.parts.values().map(|part| part.sources.clone()))
    }

    /// The sources that are not done, in pieces of at most `chunk` sources, in order. They are cut at multiples of that
    /// number, so that all who use the same one build the same parts.
    pub fn missing(&self, chunk: u32) -> Vec<Range<u32>> {
        let gaps = ranges::gaps(&self.sources, &self.done());
        gaps.into_iter().flat_map(|gap| ranges::cut(gap, chunk)).collect()
    }

    /// How many parts were there when it began.
    pub fn resumed(&self) -> usize {
        self.resumed
    }

    /// How many parts were found damaged, and have to be built again.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// Builds a part and keeps it. Returns whether there was something to do: nothing if all of these sources are done.
    /// `on_row` is called after each row, from any thread; a flag that somebody sets ends it soon.
    ///
    /// # Errors
    /// If the sources are not all of this build, some of them are done and others are not, or the part cannot be built
    /// or written.
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

    /// Takes a part that was built elsewhere, as the bytes of a file. Returns whether it was of use: a second copy, or
    /// one all of whose sources are done, is ignored.
    ///
    /// ```
    /// use octile::services::parts::PartsBuild;
    /// use octile::{Build, Catalog, generate};
    /// let (index, grid) = (Catalog::standard().index("cpd")?, generate::maze(20, 20, 2, 1)?);
    /// let part = index.in_parts(&Build::new(&grid), "")?.part(0..90, &|| {})?.finish(); // on another machine
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut build = PartsBuild::open(index.in_parts(&Build::new(&grid), "")?, folder.path().join("maze.octx"), ..)?;
    /// assert!(build.add(part.clone())?);
    /// assert!(!build.add(part)?, "it is there already");
    /// assert!(build.add(b"something else".to_vec()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it is damaged, not a part of this index, has some sources that are done and others that are not, or cannot be
    /// written.
    pub fn add(&mut self, bytes: Vec<u8>) -> Result<bool, PartsError> {
        let file = Artifact::from_bytes(bytes.into());
        let file = file.map_err(|fault| PartsError::Refused { file: None, fault: fault.into() })?;
        self.add_artifact(&file, None)
    }

    /// As [`add`](PartsBuild::add), from a file, of which a copy is made.
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
        let place = self.folder.part(&info.sources);
        files::write(&place, file.bytes())?;
        self.take(&place, info.sources)
    }

    /// Takes the part that [`write_part`] has written for these sources. Returns whether it was of use, as
    /// [`add`](PartsBuild::add).
    ///
    /// # Errors
    /// [`PartsError::Missing`] if it is not there, or damaged; or as [`add`](PartsBuild::add).
    pub fn adopt(&mut self, sources: Range<u32>) -> Result<bool, PartsError> {
        if !self.wants(&sources)? {
            return Ok(false);
        }
        self.take(&self.folder.part(&sources), sources)
    }

    /// Looks through the folder for parts that others have written since: the sources of those that are new, in order.
    /// One of which some sources are done already is ignored.
    ///
    /// # Errors
    /// If something is there that is not of this build, or the folder cannot be read.
    pub fn rescan(&mut self) -> Result<Vec<Range<u32>>, PartsError> {
        if self.is_written {
            return Ok(Vec::new());
        }
        let (new, damaged) = self.find()?;
        self.remove_damaged(&damaged)?;
        self.check_size()?;
        Ok(new)
    }

    /// Builds all that is missing in parts of at most `chunk` sources, one after the other, and
    /// [finishes](PartsBuild::finish). If a flag ends it, what is finished stays, and this goes on there.
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

    /// Puts all parts together in the file that is to be, then removes them and their folder: the index. What was there
    /// before under that name is replaced.
    ///
    /// # Errors
    /// If sources are missing, a part was damaged in the meantime, or files cannot be written or removed.
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
            // There are no sources at all.
            self.builder.part(self.sources(), &|| {})?
        } else {
            self.builder.merge(&parts).map_err(|fault| {
                let at_fault = fault.part.and_then(|part| self.parts.values().nth(part));
                PartsError::Merge { path: at_fault.map_or(&self.folder.path, |part| &part.path).clone(), fault }
            })?
        };
        // In the folder, where it is removed by the next build if this one is interrupted.
        let mut file = NewFile::create_in(&self.folder.path, &self.output)?;
        writer.write_to(&mut file).map_err(|error| file.fault(error))?;
        // It must not be lost when the parts are gone.
        file.sync()?;
        Ok(file.finish()?)
    }

    /// Whether a part with these sources is of use: not if all of them are done.
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

    /// A part that has some of these sources.
    fn shared(&self, sources: &Range<u32>) -> Option<&Part> {
        let last = self.parts.range(..sources.end).next_back().map(|(_, part)| part);
        last.filter(|part| part.sources.end > sources.start)
    }

    /// Counts a part that is in its place and wanted.
    fn take(&mut self, path: &Path, sources: Range<u32>) -> Result<bool, PartsError> {
        match part::look(&*self.builder, &self.folder, path, &self.sources)? {
            Found::Whole(part) if part.sources == sources => {
                self.spare.remove(path);
                self.parts.insert(sources.start, part);
                self.check_size()?;
                Ok(true)
            }
            _ => Err(PartsError::Missing { missing: vec![sources], folder: self.folder.path.clone() }),
        }
    }

    /// Refuses parts that are too large together.
    fn check_size(&self) -> Result<(), PartsError> {
        Ok(self.builder.check_size(self.parts.values().map(|part| part.row_bytes).sum())?)
    }

    /// Counts the parts in the folder that are not known yet, the largest first: their sources, and the files of those
    /// that are damaged. Changes nothing there.
    fn find(&mut self) -> Result<(Vec<Range<u32>>, Vec<PathBuf>), PartsError> {
        let known: BTreeSet<&PathBuf> = self.parts.values().map(|part| &part.path).chain(&self.spare).collect();
        let mut files = self.folder.parts()?;
        files.retain(|file| !known.contains(file));
        let (mut found, mut damaged) = (Vec::new(), Vec::new());
        for path in files {
            match part::look(&*self.builder, &self.folder, &path, &self.sources)? {
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

    /// Whether the index is in its place already.
    fn is_there(&self) -> bool {
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
