//! Reading regular files up to a maximum size.
//!
//! Pipes and devices are refused: a pipe may never answer, and a device may never end. To use one, read it yourself and
//! pass the bytes.

use std::fs::{File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// The maximum size of a file in bytes. The largest map takes a quarter of it.
pub(crate) const MAX_BYTES: u64 = 1 << 30;

/// The reason why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// The file does not exist.
    #[error("no such file")]
    Missing,
    /// It is a folder.
    #[error("is a folder, not a file")]
    Folder,
    /// It is a pipe, a socket or a device. (Read its bytes yourself and pass them on: those of a map to
    /// [`load_bytes`](crate::formats::load_bytes), those of an index to
    /// [`Artifact::from_bytes`](crate::artifact::Artifact::from_bytes).)
    #[error("is {what}, not a regular file: copy it to a file first")]
    NotRegular {
        /// What it is, such as `a pipe`.
        what: &'static str,
    },
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// It is larger than the maximum.
    #[error("is larger than {} MiB: too large to be read", MAX_BYTES >> 20)]
    TooLarge,
}

impl From<io::Error> for FileFault {
    /// Translates the system's error.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::IsADirectory => Self::Folder,
            _ => Self::Unreadable(error),
        }
    }
}

/// The bytes of a regular file of at most `max_bytes`.
pub(crate) fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>, FileFault> {
    // Checked before opening it: opening a pipe waits for the other end.
    let metadata = std::fs::metadata(path)?;
    check_regular(metadata.file_type())?;
    if metadata.len() > max_bytes {
        return Err(FileFault::TooLarge);
    }
    // A file may grow while it is read, and some files of the system report no length, so the read is bounded too.
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    File::open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes { Err(FileFault::TooLarge) } else { Ok(bytes) }
}

/// Refuses anything but a regular file and says what it is.
fn check_regular(file: FileType) -> Result<(), FileFault> {
    if file.is_file() {
        return Ok(());
    }
    if file.is_dir() {
        return Err(FileFault::Folder);
    }
    Err(FileFault::NotRegular { what: name(file) })
}

#[cfg(unix)]
fn name(file: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if file.is_fifo() => "a pipe",
        () if file.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn name(_: FileType) -> &'static str {
    "a device or pipe"
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

    #[cfg(unix)]
    #[test]
    fn devices_and_sockets_are_refused_with_their_kind() {
        let fault = |path: &Path| read(path, 1000).unwrap_err().to_string();
        for device in ["/dev/zero", "/dev/null"] {
            assert_eq!(fault(Path::new(device)), "is a device, not a regular file: copy it to a file first");
        }
        let folder = tempfile::tempdir().unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        assert!(fault(&folder.path().join("socket")).starts_with("is a socket, "));
        assert!(matches!(read(folder.path(), 1000), Err(FileFault::Folder)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_reports_no_length_is_read_to_the_limit() {
        assert!(!read(Path::new("/proc/self/status"), 100_000).unwrap().is_empty());
        assert!(matches!(read(Path::new("/proc/self/status"), 100), Err(FileFault::TooLarge)));
    }
}
