//! The bytes of opened index files.

use std::path::Path;

use crate::files::{self, FileFault};

/// The bytes of an index file: mapped into memory, or read into it.
///
/// Opening a mapped file does not read it. The system reads the pages that a search touches, and shares them with other
/// processes that have opened the same file. In return the process depends on the file: if the file is truncated, the
/// system kills the process (SIGBUS) when it accesses bytes that no longer exist. Bytes that were read are independent
/// of the file.
#[derive(Debug)]
pub struct Storage(Bytes);

#[derive(Debug)]
enum Bytes {
    Read(Vec<u8>),
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
}

impl Storage {
    /// Opens a file; see [`Artifact::open`](super::Artifact::open).
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn open(path: &Path) -> Result<Self, FileFault> {
        // `read` refuses anything but a regular file and says what it is.
        #[cfg(feature = "mmap")]
        if path.is_file() {
            return Ok(Self(Bytes::Mapped(super::map::map(path)?)));
        }
        Self::read(path)
    }

    /// Reads a file; see [`Artifact::read`](super::Artifact::read).
    ///
    /// # Errors
    /// If the file cannot be read.
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
