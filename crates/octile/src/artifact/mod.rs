//! Index files, `.octx`: one container for all data computed from a map before the first query.
//!
//! A file states its kind, and the map and movement rule it was made for, so that a wrong file is refused instead of
//! giving wrong paths. Its contents are named sections of bytes. `docs/formats/index.md` specifies every byte.
//!
//! - [`Artifact::from_bytes`] checks the header and the section table, whatever the bytes. That takes microseconds,
//!   even for files of gigabytes, because the sections are not read.
//! - [`Artifact::check`] checks that the index fits a map. Some indexes are for all maps and have their own
//!   [check](Artifact::check_for_all_maps): neither kind of file passes the check of the other.
//! - [`Artifact::verify`] reads the whole file, on its first call, and finds any damage. Every planner calls it before
//!   using a file. If you know that a file is intact and cannot wait, mark it as [trusted](Artifact::trusted).
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

/// An index file with a valid header and section table. The contents of the sections are not checked.
///
/// Owned, mapped and embedded bytes share one code path: `D` is anything that always returns the same bytes,
/// [`Storage`] for files that were [opened](Artifact::open).
#[derive(Clone)]
pub struct Artifact<D = Storage> {
    header: Header,
    bytes: D,
    /// Set once the checksum of the contents has been verified, or the file is trusted.
    is_whole: OnceLock<()>,
}

impl Artifact {
    /// Opens a file. With the feature `mmap` it is mapped into memory and not read, which takes as long for large files
    /// as for small ones. Without the feature it is read, up to 1 GiB.
    ///
    /// While a mapped file is in use, nobody may write to it or truncate it: the system kills the process (SIGBUS) when
    /// it accesses bytes that no longer exist, and nothing in the process can prevent that. To replace an index, write
    /// a new file beside it and rename that, as the command does. If other programs may change the file, such as a copy
    /// over the old file or writers on a network drive, [`read`](Artifact::read) it instead.
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
    /// If the file cannot be read, and for the reasons of [`Artifact::from_bytes`]. The message names the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::stored(path.as_ref(), Storage::open)
    }

    /// Like [`open`](Artifact::open), but reads the whole file into memory, up to 1 GiB: later changes of the file do
    /// not affect the index.
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
    /// See [`open`](Artifact::open).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::stored(path.as_ref(), Storage::read)
    }

    fn stored(path: &Path, get: impl Fn(&Path) -> Result<Storage, FileFault>) -> Result<Self, OpenError> {
        let open = || -> Result<Self, OpenFault> { Ok(Self::from_bytes(get(path)?)?) };
        open().map_err(|fault| OpenError { file: path.to_owned(), fault })
    }
}

impl<D: AsRef<[u8]>> Artifact<D> {
    /// Checks only the header and the section table of the bytes of a file: the time does not depend on its length.
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
    /// If the bytes are not an index file, have the wrong length or a newer version, or if the header or table is
    /// damaged.
    pub fn from_bytes(bytes: D) -> Result<Self, ArtifactError> {
        Header::decode(bytes.as_ref()).map(|header| Self { header, bytes, is_whole: OnceLock::new() })
    }

    /// Marks the file as intact: planners use it without verifying it first. A large mapped database then opens in a
    /// tenth of a millisecond. If the file is damaged after all, nothing panics and no path is illegal, but planners
    /// may break their promises about costs. Use this for files that were [verified](Artifact::verify) when they were
    /// installed.
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

    /// Reads every byte of the file and checks that none has changed since it was written. Free if the file was
    /// verified before or is [trusted](Artifact::trusted).
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
    /// [`ArtifactError::DamagedPayload`], or [`ArtifactError::Header`] if the padding between sections is not zero.
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

    /// Checks that this is an index of this kind and version, made for exactly this map and its movement rule.
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
        // The fingerprint covers the movement rule too; checking the rule first gives a message that names the
        // difference.
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

    /// Checks that this is an index of this kind and version, made for all maps.
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

    /// The kind of index.
    pub fn kind(&self) -> &str {
        self.header.kind.as_str()
    }

    /// The version of the contents of the sections.
    pub fn kind_version(&self) -> u32 {
        self.header.kind_version
    }

    /// Whether the index is for all maps, not for one.
    pub fn is_for_all_maps(&self) -> bool {
        self.movement().is_none()
    }

    /// The movement rule that the index was made for; `None` if it is for all maps.
    pub fn movement(&self) -> Option<Movement> {
        self.header.movement
    }

    /// The number of cells in a row of the map that the index was made for; 0 if it is for all maps, like height and
    /// fingerprint.
    pub fn width(&self) -> u32 {
        self.header.width
    }

    /// The number of rows of the map that the index was made for.
    pub fn height(&self) -> u32 {
        self.header.height
    }

    /// The [fingerprint](Grid::fingerprint) of the map that the index was made for.
    pub fn fingerprint(&self) -> u64 {
        self.header.fingerprint
    }

    /// The size of the file in bytes.
    pub fn size_bytes(&self) -> usize {
        self.bytes.as_ref().len()
    }

    /// The sections in the order of the file, with their lengths in bytes.
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

    /// All bytes of the file, for writing it to another file.
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

    /// The byte range of a section in the file.
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
    /// let file = ArtifactWriter::for_all_maps("letters", 1).section("latin", vec![26]).finish();
    /// let artifact = Artifact::from_bytes(file)?;
    /// assert_eq!(artifact.section("latin")?, [26]);
    /// assert!(artifact.section("greek").is_err());
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    ///
    /// # Errors
    /// [`ArtifactError::MissingSection`] if no section has that name.
    pub fn section(&self, name: &str) -> Result<&[u8], ArtifactError> {
        self.section_range(name).map(|range| &self.bytes.as_ref()[range])
    }

    /// A section as records of `N` bytes, without copying. A section of 32-bit numbers is `records::<4>`, and one
    /// number `u32::from_le_bytes(records[i])`: a plain load on little-endian machines and correct on all, for any
    /// alignment.
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
    /// Like [`section`](Artifact::section), and [`ArtifactError::Contents`] if the last record is incomplete.
    pub fn records<const N: usize>(&self, name: &str) -> Result<&[[u8; N]], ArtifactError> {
        let bytes = self.section(name)?;
        match bytes.as_chunks() {
            (records, []) => Ok(records),
            _ => Err(self.malformed(format!("section `{name}` has {} bytes, not a multiple of {N}", bytes.len()))),
        }
    }

    /// A section of 32-bit numbers, copied. Meant for small indexes; large ones use [`records`](Artifact::records).
    ///
    /// # Errors
    /// See [`records`](Artifact::records).
    pub fn words(&self, name: &str) -> Result<Vec<u32>, ArtifactError> {
        Ok(self.records(name)?.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// An error for sections with invalid contents.
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
