//! Why an index file cannot be used.

use std::path::PathBuf;

use crate::files::FileFault;
use crate::grid::Movement;

/// An index file that cannot be opened: which one, and why. The message says both.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .file.display())]
pub struct OpenError {
    /// The file.
    pub file: PathBuf,
    /// Why.
    #[source]
    pub fault: OpenFault,
}

/// Why an index file cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenFault {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileFault),
    /// It is no index file, or damaged.
    #[error(transparent)]
    Index(#[from] ArtifactError),
}

/// An index file that cannot be used: one sentence that says why. Building the index again mends all of these, but a
/// file written by a newer version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArtifactError {
    /// The first bytes are not those of an index file.
    #[error("not an octile index file")]
    NotAnIndex,
    /// Bytes are missing at the end.
    #[error("truncated: it has {found} bytes and needs {expected}")]
    Truncated {
        /// The bytes there are.
        found: u64,
        /// The bytes the header tells of, or those of a whole header.
        expected: u64,
    },
    /// There are bytes behind the end.
    #[error("damaged: it has {found} bytes, but its header tells of {expected}")]
    Overlong {
        /// The bytes there are.
        found: u64,
        /// The bytes the header tells of.
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
    /// The index has another version.
    #[error("written by {} octile: version {found} of `{kind}`, this one reads {supported}", age(*.found, *.supported))]
    KindVersion {
        /// What the index is.
        kind: String,
        /// The file's version of it.
        found: u32,
        /// The version this library reads.
        supported: u32,
    },
    /// Header or section table do not have the checksum written in them.
    #[error("damaged: the checksum of its header is {found:016x}, not {expected:016x} as recorded")]
    DamagedHeader {
        /// The checksum in the file.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// The bytes behind the section table do not have the checksum written in the header.
    #[error("damaged: the checksum of its contents is {found:016x}, not {expected:016x} as recorded")]
    DamagedPayload {
        /// What the index is.
        kind: String,
        /// The checksum in the file.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// The header contradicts itself or the format, although its checksum is right.
    #[error("malformed header: {reason}")]
    Header {
        /// What is wrong.
        reason: String,
    },
    /// The file holds an index of another kind.
    #[error("is an index of kind `{found}`, needed `{expected}`")]
    WrongKind {
        /// What the index is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// The index was made for a map of another size.
    #[error(
        "made for another map: that has {} x {} cells, this one {} x {}",
        .found.0, .found.1, .expected.0, .expected.1
    )]
    WrongSize {
        /// What the index is.
        kind: String,
        /// Width and height of the map the index was made for.
        found: (u32, u32),
        /// Width and height of the map at hand.
        expected: (u32, u32),
    },
    /// The index was made for another movement rule.
    #[error("made for movement `{found}`, not for `{expected}`")]
    WrongMovement {
        /// What the index is.
        kind: String,
        /// The rule the index was made for.
        found: Movement,
        /// The rule of the map at hand.
        expected: Movement,
    },
    /// The index was made for another map of the same size, or before this one changed.
    #[error(
        "made for another map, or before this one changed: that has the fingerprint {found:016x}, this one {expected:016x}"
    )]
    WrongMap {
        /// What the index is.
        kind: String,
        /// The fingerprint of the map the index was made for.
        found: u64,
        /// The fingerprint of the map at hand.
        expected: u64,
    },
    /// The index should be for one map.
    #[error("made for all maps, but an index of kind `{kind}` should be for one")]
    ForAllMaps {
        /// What the index is.
        kind: String,
    },
    /// The index should be for all maps.
    #[error("made for one map of {} x {} cells, but an index of kind `{kind}` should be for all", .size.0, .size.1)]
    ForOneMap {
        /// What the index is.
        kind: String,
        /// Width and height of the map the index was made for.
        size: (u32, u32),
    },
    /// The file is a part of an index only.
    #[error("is a part of an index only: {}..{} of {all}; put it together with the other parts", .found.start, .found.end)]
    Part {
        /// What the index is.
        kind: String,
        /// Which part it is.
        found: std::ops::Range<u32>,
        /// Where the last part ends.
        all: u32,
    },
    /// A section that the index needs is not there.
    #[error("has no section `{name}`, which an index of kind `{kind}` needs")]
    MissingSection {
        /// What the index is.
        kind: String,
        /// The section.
        name: String,
    },
    /// A section holds what cannot be: for the readers of the indexes themselves.
    #[error("malformed index of kind `{kind}`: {reason}")]
    Contents {
        /// What the index is.
        kind: String,
        /// What is wrong.
        reason: String,
    },
}

impl ArtifactError {
    /// The kind of the index, if so much of the file could be read.
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
