//! Errors of index files.

use std::path::PathBuf;

use crate::files::FileFault;
use crate::grid::Movement;

/// An index file cannot be opened. The message names the file and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .file.display())]
pub struct OpenError {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    #[source]
    pub fault: OpenFault,
}

/// The reason why an index file cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenFault {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileFault),
    /// The file is not an index file, or is damaged.
    #[error(transparent)]
    Index(#[from] ArtifactError),
}

/// The reason, in one sentence, why an index file cannot be used. Rebuilding the index fixes all of these except a file
/// written by a newer version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArtifactError {
    /// The first bytes are not those of an index file.
    #[error("not an octile index file")]
    NotAnIndex,
    /// Bytes are missing at the end.
    #[error("truncated: it has {found} bytes and needs {expected}")]
    Truncated {
        /// The actual number of bytes.
        found: u64,
        /// The number of bytes stated in the header, or the size of a header.
        expected: u64,
    },
    /// The file has extra bytes at the end.
    #[error("damaged: it has {found} bytes, but its header says {expected}")]
    Overlong {
        /// The actual number of bytes.
        found: u64,
        /// The number of bytes stated in the header.
        expected: u64,
    },
    /// The container has a newer version.
    #[error("written by a newer octile: version {found} of the file format, this one reads {supported}")]
    ContainerVersion {
        /// The file's version.
        found: u32,
        /// The version this library reads.
        supported: u32,
    },
    /// The contents have another version.
    #[error("written by {} octile: version {found} of `{kind}`, this one reads {supported}", age(*.found, *.supported))]
    KindVersion {
        /// The kind of index.
        kind: String,
        /// The version in the file.
        found: u32,
        /// The version this library reads.
        supported: u32,
    },
    /// The checksum of the header and section table does not match.
    #[error("damaged: the checksum of its header is {found:016x}, not {expected:016x} as recorded")]
    DamagedHeader {
        /// The checksum in the file.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// The checksum of the contents does not match.
    #[error("damaged: the checksum of its contents is {found:016x}, not {expected:016x} as recorded")]
    DamagedPayload {
        /// The kind of index.
        kind: String,
        /// The checksum in the file.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// The header is inconsistent or violates the format, although its checksum is right.
    #[error("malformed header: {reason}")]
    Header {
        /// What is wrong.
        reason: String,
    },
    /// The file has an index of another kind.
    #[error("is an index of kind `{found}`, expected `{expected}`")]
    WrongKind {
        /// The kind in the file.
        found: String,
        /// The kind needed.
        expected: String,
    },
    /// The index was made for a map of another size.
    #[error(
        "made for another map: that has {} x {} cells, this one {} x {}",
        .found.0, .found.1, .expected.0, .expected.1
    )]
    WrongSize {
        /// The kind of index.
        kind: String,
        /// Width and height of the map that the index was made for.
        found: (u32, u32),
        /// Width and height of the current map.
        expected: (u32, u32),
    },
    /// The index was made for another movement rule.
    #[error("made for movement `{found}`, not for `{expected}`")]
    WrongMovement {
        /// The kind of index.
        kind: String,
        /// The rule that the index was made for.
        found: Movement,
        /// The rule of the current map.
        expected: Movement,
    },
    /// The index was made for another map of the same size, or before this one changed.
    #[error(
        "made for another map, or before this one changed: that has the fingerprint {found:016x}, this one {expected:016x}"
    )]
    WrongMap {
        /// The kind of index.
        kind: String,
        /// The fingerprint of the map that the index was made for.
        found: u64,
        /// The fingerprint of the current map.
        expected: u64,
    },
    /// The index should be for one map.
    #[error("made for all maps, but an index of kind `{kind}` should be for one")]
    ForAllMaps {
        /// The kind of index.
        kind: String,
    },
    /// The index should be for all maps.
    #[error("made for one map of {} x {} cells, but an index of kind `{kind}` should be for all", .size.0, .size.1)]
    ForOneMap {
        /// The kind of index.
        kind: String,
        /// Width and height of the map that the index was made for.
        size: (u32, u32),
    },
    /// The file is only a part of an index.
    #[error("is only a part of an index: {}..{} of {all}; put it together with the other parts", .found.start, .found.end)]
    Part {
        /// The kind of index.
        kind: String,
        /// The range of this part.
        found: std::ops::Range<u32>,
        /// The end of the last part.
        all: u32,
    },
    /// The file lacks a section that the index needs.
    #[error("has no section `{name}`, which an index of kind `{kind}` needs")]
    MissingSection {
        /// The kind of index.
        kind: String,
        /// The name of the section.
        name: String,
    },
    /// A section has invalid contents. The readers of each kind of index report this.
    #[error("malformed index of kind `{kind}`: {reason}")]
    Contents {
        /// The kind of index.
        kind: String,
        /// What is wrong.
        reason: String,
    },
}

impl ArtifactError {
    /// The kind of the index, if that much of the file could be read.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactError, ArtifactWriter};
    /// let artifact = Artifact::from_bytes(ArtifactWriter::for_all_maps("letters", 1).finish())?;
    /// assert_eq!(artifact.section("greek").unwrap_err().kind(), Some("letters"));
    /// assert_eq!(ArtifactError::NotAnIndex.kind(), None);
    /// # Ok::<(), ArtifactError>(())
    /// ```
    pub fn kind(&self) -> Option<&str> {
        match self {
            Self::NotAnIndex
            | Self::Truncated { .. }
            | Self::Overlong { .. }
            | Self::ContainerVersion { .. }
            | Self::DamagedHeader { .. }
            | Self::Header { .. } => None,
            Self::WrongKind { found: kind, .. }
            | Self::KindVersion { kind, .. }
            | Self::DamagedPayload { kind, .. }
            | Self::WrongSize { kind, .. }
            | Self::WrongMovement { kind, .. }
            | Self::WrongMap { kind, .. }
            | Self::ForAllMaps { kind }
            | Self::ForOneMap { kind, .. }
            | Self::Part { kind, .. }
            | Self::MissingSection { kind, .. }
            | Self::Contents { kind, .. } => Some(kind),
        }
    }
}

fn age(found: u32, supported: u32) -> &'static str {
    if found > supported { "a newer" } else { "an older" }
}
