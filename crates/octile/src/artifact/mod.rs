//! Index files, `.octx`: one container for all that is computed from a map before the first query.
//!
//! A file says what it is, and for which map and movement rule it was made, so that a wrong one is refused instead of
//! giving wrong paths. Its contents are named sections of bytes. `docs/formats/index.md` has every byte.
//!
//! - [`Artifact::from_bytes`] checks the header and where the sections lie, whatever the bytes: that takes
//!   microseconds, even for files of gigabytes, as the sections are not read.
//! - [`Artifact::check`] tells whether the index fits a map. Some indexes are for all maps, and have their own
//!   [check](Artifact::check_for_all_maps): a file for one map never passes for one of these, nor the other way round.
//! - [`Artifact::verify`] reads all and finds any damage, the first time that it is asked. Every planner calls it
//!   before it uses a file. Who knows that a file is whole and cannot wait for that calls it
//!   [trusted](Artifact::trusted).
//!
//! # Example
//! ```
//! use octile::Grid;
//! use octile::artifact::{Artifact, ArtifactWriter};
//!
//! let grid: Grid = "..@.".parse()?;
//! let file = ArtifactWriter::new("doors", 1, &grid).words("cells", &[1, 3]).finish();
//!
//! let artifact = Artifact::from_bytes(file)?;
//! artifact.check("doors", 1, &grid)?;
//! assert_eq!(artifact.words("cells")?, [1, 3]);
//!
//! let other: Grid = "....".parse()?;
//! assert!(artifact.check("doors", 1, &other).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod header;
#[cfg(feature = "mmap")]
mod map;
mod storage;
mod write;

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use xxhash_rust::xxh3::xxh3_64;

pub use self::error::{ArtifactError, OpenError, OpenFault};
use self::header::{Header, Section, table_end};
pub use self::header::{MAGIC, VERSION};
pub use self::storage::Storage;
pub use self::write::ArtifactWriter;
use crate::files::FileFault;
use crate::grid::{Grid, Movement};

/// An index file whose header is right and whose sections lie inside it. What is in the sections is not checked.
///
/// Owned, mapped and embedded bytes are one code path: `D` is anything that always gives the same bytes, [`Storage`] if
/// the file was [opened](Artifact::open).
#[derive(Clone)]
pub struct Artifact<D = Storage> {
    header: Header,
    bytes: D,
    /// Set once all bytes are known to be as they were written.
    is_whole: OnceLock<()>,
}

impl Artifact {
    /// Opens a file. With the feature `mmap` it is mapped into memory and not read: that takes as long for large files
    /// as for small ones. Without, it is read, and may have 1 GiB.
    ///
    /// A mapped file must not be written to while it is in use, and above all not cut short: the system then kills the
    /// process (SIGBUS) as soon as it looks up what is gone, and nothing in the process can prevent that. Write a new
    /// file beside it and rename that instead, as the command does. Where files may be changed by programs that do not,
    /// such as a copy over the old file or a network drive that others write to, [`read`](Artifact::read) them.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let file = tempfile::NamedTempFile::new()?;
    /// std::fs::write(file.path(), ArtifactWriter::for_all_maps("letters", 1).finish())?;
    /// assert_eq!(Artifact::open(file.path())?.kind(), "letters");
    /// assert!(Artifact::open("no/such/file.octx").unwrap_err().to_string().starts_with("no/such/file.octx: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the file cannot be read, or as [`Artifact::from_bytes`]. The message names the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::stored(path.as_ref(), Storage::open)
    }

    /// As [`open`](Artifact::open), but reads all of the file into memory, of which it may have 1 GiB: whatever happens
    /// to the file afterwards, the index stays as it is.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let file = tempfile::NamedTempFile::new()?;
    /// std::fs::write(file.path(), ArtifactWriter::for_all_maps("letters", 1).words("greek", &[24]).finish())?;
    /// let artifact = Artifact::read(file.path())?;
    /// file.as_file().set_len(0)?; // a process that had mapped it would now be killed
    /// assert_eq!(artifact.words("greek")?, [24]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Artifact::open).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::stored(path.as_ref(), Storage::read)
    }

    fn stored(path: &Path, get: impl Fn(&Path) -> Result<Storage, FileFault>) -> Result<Self, OpenError> {
        let open = || -> Result<Self, OpenFault> { Ok(Self::from_bytes(get(path)?)?) };
        open().map_err(|fault| OpenError { file: path.to_owned(), fault })
    }
}

impl<D: AsRef<[u8]>> Artifact<D> {
    /// Takes the bytes of a file, and checks its header and section table only: the cost does not depend on its length.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactError, ArtifactWriter};
    /// let file = ArtifactWriter::for_all_maps("letters", 1).words("greek", &[24]).finish();
    /// assert!(Artifact::from_bytes(&file).is_ok());
    /// assert!(matches!(Artifact::from_bytes(&file[..99]), Err(ArtifactError::Truncated { .. })));
    /// assert!(matches!(Artifact::from_bytes(b"type octile"), Err(ArtifactError::NotAnIndex)));
    /// ```
    ///
    /// # Errors
    /// If the bytes are not an index file, are not as many as they should be, were written by a newer version, or
    /// header or table are damaged.
    pub fn from_bytes(bytes: D) -> Result<Self, ArtifactError> {
        Header::decode(bytes.as_ref()).map(|header| Self { header, bytes, is_whole: OnceLock::new() })
    }

    /// The same, taken to be whole: planners use it without reading it through first. A large database that is mapped
    /// then opens in a tenth of a millisecond. If the file is damaged nonetheless, nothing panics and no path is
    /// illegal, but planners that promise a cost may not keep that promise. For files that were
    /// [verified](Artifact::verify) when they were put in their place.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let mut file = ArtifactWriter::for_all_maps("letters", 1).words("greek", &[24]).finish();
    /// *file.last_mut().unwrap() ^= 1;
    /// assert!(Artifact::from_bytes(&file)?.trusted().verify().is_ok(), "it was not read");
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    #[must_use]
    pub fn trusted(self) -> Self {
        Self { is_whole: OnceLock::from(()), ..self }
    }

    /// Reads every byte of the file and checks that none has changed since it was written. Once it is known to be
    /// whole, or was [said](Artifact::trusted) to be, this costs nothing.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactError, ArtifactWriter};
    /// let mut file = ArtifactWriter::for_all_maps("letters", 1).words("greek", &[24]).finish();
    /// Artifact::from_bytes(&file)?.verify()?;
    /// *file.last_mut().unwrap() ^= 1;
    /// assert!(matches!(Artifact::from_bytes(&file)?.verify(), Err(ArtifactError::DamagedPayload { .. })));
    /// # Ok::<(), ArtifactError>(())
    /// ```
    ///
    /// # Errors
    /// [`ArtifactError::DamagedPayload`], or [`ArtifactError::Header`] if there is something between the sections.
    pub fn verify(&self) -> Result<(), ArtifactError> {
        if self.is_whole.get().is_none() {
            self.read_through()?;
            self.is_whole.get_or_init(|| ());
        }
        Ok(())
    }

    fn read_through(&self) -> Result<(), ArtifactError> {
        let bytes = self.bytes.as_ref();
        let mut end = table_end(self.header.sections.len());
        let (expected, found) = (self.header.payload_checksum, xxh3_64(&bytes[end..]));
        if expected != found {
            return Err(ArtifactError::DamagedPayload { kind: self.kind().to_owned(), expected, found });
        }
        for Section { name, range } in &self.header.sections {
            if bytes[end..range.start].iter().any(|byte| *byte != 0) {
                let reason = format!("the padding before section `{}` is not zero", name.as_str());
                return Err(ArtifactError::Header { reason });
            }
            end = range.end;
        }
        Ok(())
    }

    /// Checks that this is an index of the right kind and version, made for exactly this map and its movement rule.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// use octile::{Grid, Movement};
    /// let grid = Grid::open(3, 3)?;
    /// let artifact = Artifact::from_bytes(ArtifactWriter::new("doors", 1, &grid).finish())?;
    /// assert!(artifact.check("doors", 1, &grid).is_ok());
    /// let error = artifact.check("doors", 1, &grid.with_movement(Movement::Tile)).unwrap_err();
    /// assert_eq!(error.to_string(), "made for movement `octile`, not for `tile`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ArtifactError::WrongKind`], [`ArtifactError::KindVersion`], [`ArtifactError::ForAllMaps`],
    /// [`ArtifactError::WrongSize`], [`ArtifactError::WrongMovement`] or [`ArtifactError::WrongMap`], the first that
    /// applies.
    pub fn check(&self, kind: &str, kind_version: u32, grid: &Grid) -> Result<(), ArtifactError> {
        let mine = || self.kind().to_owned();
        self.check_kind(kind, kind_version)?;
        let Some(movement) = self.movement() else {
            return Err(ArtifactError::ForAllMaps { kind: mine() });
        };
        let (found, expected) = ((self.width(), self.height()), (grid.width(), grid.height()));
        if found != expected {
            return Err(ArtifactError::WrongSize { kind: mine(), found, expected });
        }
        // The fingerprint covers the rule too: asked for first, the message says what differs.
        let (found, expected) = (movement, grid.movement());
        if found != expected {
            return Err(ArtifactError::WrongMovement { kind: mine(), found, expected });
        }
        let (found, expected) = (self.fingerprint(), grid.fingerprint());
        if found != expected {
            return Err(ArtifactError::WrongMap { kind: mine(), found, expected });
        }
        Ok(())
    }

    /// Checks that this is an index of the right kind and version, and for all maps.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let artifact = Artifact::from_bytes(ArtifactWriter::for_all_maps("letters", 2).finish())?;
    /// assert!(artifact.check_for_all_maps("letters", 2).is_ok());
    /// assert!(artifact.check_for_all_maps("letters", 1).is_err(), "another version");
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    ///
    /// # Errors
    /// [`ArtifactError::WrongKind`], [`ArtifactError::KindVersion`] or [`ArtifactError::ForOneMap`], the first that
    /// applies.
    pub fn check_for_all_maps(&self, kind: &str, kind_version: u32) -> Result<(), ArtifactError> {
        self.check_kind(kind, kind_version)?;
        if self.is_for_all_maps() {
            return Ok(());
        }
        Err(ArtifactError::ForOneMap { kind: self.kind().to_owned(), size: (self.width(), self.height()) })
    }

    fn check_kind(&self, kind: &str, kind_version: u32) -> Result<(), ArtifactError> {
        let mine = || self.kind().to_owned();
        if self.kind() != kind {
            return Err(ArtifactError::WrongKind { found: mine(), expected: kind.to_owned() });
        }
        let (found, supported) = (self.kind_version(), kind_version);
        if found != supported {
            return Err(ArtifactError::KindVersion { kind: mine(), found, supported });
        }
        Ok(())
    }

    /// What the index is.
    pub fn kind(&self) -> &str {
        self.header.kind.as_str()
    }

    /// The version of what the sections hold.
    pub fn kind_version(&self) -> u32 {
        self.header.kind_version
    }

    /// Whether it is for all maps, and not for one.
    pub fn is_for_all_maps(&self) -> bool {
        self.movement().is_none()
    }

    /// The movement rule it was made for; `None` if it is for all maps.
    pub fn movement(&self) -> Option<Movement> {
        self.header.movement
    }

    /// Cells in a row of the map it was made for; 0 if it is for all maps, as are the next two.
    pub fn width(&self) -> u32 {
        self.header.width
    }

    /// Rows of the map it was made for.
    pub fn height(&self) -> u32 {
        self.header.height
    }

    /// The fingerprint of the map it was made for, as [`Grid::fingerprint`] gives it.
    pub fn fingerprint(&self) -> u64 {
        self.header.fingerprint
    }

    /// Bytes of the file.
    pub fn size_bytes(&self) -> usize {
        self.bytes.as_ref().len()
    }

    /// The sections in the order of the file, each with its length in bytes.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let file = ArtifactWriter::for_all_maps("letters", 1).words("greek", &[24]).section("latin", vec![26]).finish();
    /// let artifact = Artifact::from_bytes(file)?;
    /// assert!(artifact.sections().eq([("greek", 4), ("latin", 1)]));
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    pub fn sections(&self) -> impl Iterator<Item = (&str, usize)> {
        self.header.sections.iter().map(|section| (section.name.as_str(), section.range.len()))
    }

    /// All bytes of the file, to be written to another.
    ///
    /// ```
    /// use octile::{Catalog, Grid, artifact::Artifact};
    /// let bytes = Catalog::standard().index("gates")?.build_for(&Grid::open(8, 8)?)?;
    /// assert_eq!(Artifact::from_bytes(bytes.clone())?.bytes(), bytes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Where a section lies in the file.
    pub(crate) fn section_range(&self, name: &str) -> Result<Range<usize>, ArtifactError> {
        match self.header.sections.iter().find(|section| section.name.as_str() == name) {
            Some(section) => Ok(section.range.clone()),
            None => Err(ArtifactError::MissingSection { kind: self.kind().to_owned(), name: name.to_owned() }),
        }
    }

    /// The bytes of a section.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let artifact = Artifact::from_bytes(ArtifactWriter::for_all_maps("letters", 1).section("latin", vec![26]).finish())?;
    /// assert_eq!(artifact.section("latin")?, [26]);
    /// assert!(artifact.section("greek").is_err());
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    ///
    /// # Errors
    /// [`ArtifactError::MissingSection`] if there is none of that name.
    pub fn section(&self, name: &str) -> Result<&[u8], ArtifactError> {
        self.section_range(name).map(|range| &self.bytes.as_ref()[range])
    }

    /// A section as records of `N` bytes, where they are: nothing is copied. A section of 32-bit numbers is
    /// `records::<4>`, one number `u32::from_le_bytes(records[i])`, which is a plain load on little-endian machines and
    /// right on all, however the bytes are aligned.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let file = ArtifactWriter::for_all_maps("letters", 1).section("pairs", vec![1, 2, 3, 4]).finish();
    /// let artifact = Artifact::from_bytes(file)?;
    /// assert_eq!(artifact.records::<2>("pairs")?, [[1, 2], [3, 4]]);
    /// assert!(artifact.records::<3>("pairs").is_err());
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    ///
    /// # Errors
    /// As [`section`](Artifact::section), and [`ArtifactError::Contents`] if the last record is not whole.
    pub fn records<const N: usize>(&self, name: &str) -> Result<&[[u8; N]], ArtifactError> {
        let bytes = self.section(name)?;
        match bytes.as_chunks() {
            (records, []) => Ok(records),
            _ => Err(self.malformed(format!("section `{name}` has {} bytes, not a multiple of {N}", bytes.len()))),
        }
    }

    /// A copy of a section of 32-bit numbers, for small indexes; large ones use [`records`](Artifact::records).
    ///
    /// # Errors
    /// As [`records`](Artifact::records).
    pub fn words(&self, name: &str) -> Result<Vec<u32>, ArtifactError> {
        Ok(self.records(name)?.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// The error for an index whose sections hold what cannot be.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let artifact = Artifact::from_bytes(ArtifactWriter::for_all_maps("letters", 1).finish())?;
    /// let error = artifact.malformed("there are no letters");
    /// assert_eq!(error.to_string(), "malformed index of kind `letters`: there are no letters");
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    pub fn malformed(&self, reason: impl Into<String>) -> ArtifactError {
        ArtifactError::Contents { kind: self.kind().to_owned(), reason: reason.into() }
    }
}

impl<D> fmt::Debug for Artifact<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header { kind, kind_version, width, height, movement, sections, .. } = &self.header;
        match movement {
            Some(movement) => write!(f, "Artifact {} {kind_version} for {width}x{height} {movement}:", kind.as_str())?,
            None => write!(f, "Artifact {} {kind_version} for all maps:", kind.as_str())?,
        }
        sections.iter().try_for_each(|section| write!(f, " {}[{}]", section.name.as_str(), section.range.len()))
    }
}
