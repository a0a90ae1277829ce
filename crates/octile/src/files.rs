//! Reading files of bearable size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read, in bytes. The largest map takes a quarter of it.
pub(crate) const MAX_BYTES: u64 = 1 << 30;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// There is no such file.
    #[error("no such file")]
    Missing,
    /// It is a folder.
    #[error("is a folder, not a file")]
    Folder,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// It is larger than any file that is read.
    #[error("is larger than {} MiB: too large to be read", MAX_BYTES >> 20)]
    TooLarge,
}

impl From<io::Error> for FileFault {
    /// What the system's reason means for someone who wants a file.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::IsADirectory => Self::Folder,
            _ => Self::Unreadable(error),
        }
    }
}

/// The bytes of a file of at most `max_bytes`.
pub(crate) fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>, FileFault> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(FileFault::Folder);
    }
    if metadata.len() > max_bytes {
        return Err(FileFault::TooLarge);
    }
    // Devices and pipes claim no length: what they give is bounded as well.
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    File::open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes { Err(FileFault::TooLarge) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(target_os = "wasi", ignore = "there is no folder for such files")]
    fn a_file_over_the_limit_is_refused() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, &[b'.'; 11]).unwrap();
        assert!(matches!(read(file.path(), 10), Err(FileFault::TooLarge)));
        assert_eq!(read(file.path(), 11).unwrap().len(), 11);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_endless_file_is_refused() {
        assert!(matches!(read(Path::new("/dev/zero"), 1000), Err(FileFault::TooLarge)));
    }
}
