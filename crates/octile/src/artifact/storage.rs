//! The bytes of index files that were opened.

use std::path::Path;

use crate::files::{self, FileFault};

/// The bytes of an index file: mapped into memory, or read into it.
///
/// A mapped file is not read when it is opened; what a search touches is read then, and shared with other processes
/// that have opened the same file. In return it depends on the file: if somebody cuts that short, the system kills the
/// process (SIGBUS) when it looks up what is gone. What was read depends on nobody.
#[derive(Debug)]
pub struct Storage(Bytes);

#[derive(Debug)]
enum Bytes {
    Read(Vec<u8>),
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
}

impl Storage {
    /// Opens a file, as [`Artifact::open`](super::Artifact::open).
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn open(path: &Path) -> Result<Self, FileFault> {
        // What is no regular file is refused by the reader, which says what it is.
        #[cfg(feature = "mmap")]
        if path.is_file() {
            return Ok(Self(Bytes::Mapped(super::map::map(path)?)));
        }
        Self::read(path)
    }

    /// Reads a file, as [`Artifact::read`](super::Artifact::read).
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Self, FileFault> {
        files::read(path, files::MAX_BYTES).map(Self::from)
    }
}

impl From<Vec<u8>> for Storage {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Bytes::Read(bytes))
    }
}

impl AsRef<[u8]> for Storage {
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Read(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Bytes::Mapped(bytes) => bytes,
        }
    }
}
