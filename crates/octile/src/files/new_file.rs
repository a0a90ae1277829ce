//! Files that appear completely or not at all: written under a temporary name, then renamed. A replaced file keeps its
//! permissions.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::disk::{self, Step, Steps};
use super::temporary::Temporary;

/// A file cannot be written. The message names the file and the reason.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {fault}", .path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    #[source]
    pub fault: WriteFault,
}

impl WriteError {
    fn new(path: &Path, fault: WriteFault) -> Self {
        Self { path: path.to_owned(), fault }
    }
}

/// The reason why a file cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteFault {
    /// It is a directory.
    #[error("it is a directory")]
    Folder,
    /// Its directory does not exist.
    #[error("its directory does not exist")]
    NoFolder,
    /// This user may not create files in its directory.
    #[error("its directory may not be written to")]
    Denied,
    /// A part of its path is a file, not a directory.
    #[error("a part of its path is not a directory")]
    NoWay,
    /// The system refuses, for example because the disk is full.
    #[error("{0}")]
    System(#[source] io::Error),
}

impl WriteFault {
    /// The reason why a temporary file cannot be created, without its name, which means nothing to the user.
    fn of_new(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::NoFolder,
            ErrorKind::PermissionDenied => Self::Denied,
            ErrorKind::NotADirectory => Self::NoWay,
            _ => Self::System(error),
        }
    }
}

/// A file being written. The old file stays until [`finish`](NewFile::finish), and forever if that is never called.
///
/// ```
/// use std::io::Write;
/// use octile::files::NewFile;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.txt");
/// let mut file = NewFile::create(&path)?;
/// writeln!(file, "7 moves")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "7 moves\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    Beside(BufWriter<Steps<Temporary>>),
    /// Devices and pipes cannot be replaced, so they are written directly.
    Direct(BufWriter<Steps<File>>),
}

impl NewFile {
    /// Starts to write the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be written. The message names it.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, WriteError> {
        let path = path.as_ref();
        if is_replaced(path) {
            return Self::create_in(directory(path), path);
        }
        let file = disk::step(Step::Create, || File::create(path));
        let file = file.map_err(|error| WriteError::new(path, WriteFault::System(error)))?;
        Ok(Self { path: path.to_owned(), sink: Sink::Direct(BufWriter::new(Steps::new(file, Step::Write))) })
    }

    /// Like [`create`](NewFile::create), but the temporary file is in another directory of the same file system.
    ///
    /// # Errors
    /// See [`create`](NewFile::create).
    pub fn create_in(directory: impl AsRef<Path>, path: impl AsRef<Path>) -> Result<Self, WriteError> {
        let path = path.as_ref();
        if path.is_dir() {
            return Err(WriteError::new(path, WriteFault::Folder));
        }
        // Readers that the old file excludes must never be able to read the new one.
        let file = Temporary::create(directory.as_ref(), kept(path).is_some());
        let file = file.map_err(|error| WriteError::new(path, WriteFault::of_new(error)))?;
        Ok(Self { path: path.to_owned(), sink: Sink::Beside(BufWriter::new(Steps::new(file, Step::Write))) })
    }

    /// The error for a failed write to this file, with its name.
    ///
    /// ```
    /// use octile::files::NewFile;
    /// let folder = tempfile::tempdir()?;
    /// let file = NewFile::create(folder.path().join("report.txt"))?;
    /// let full = file.fault(std::io::ErrorKind::StorageFull.into());
    /// assert!(full.to_string().ends_with("report.txt: no storage space"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fault(&self, error: io::Error) -> WriteError {
        WriteError::new(&self.path, WriteFault::System(error))
    }

    /// Ensures that the written bytes are on the disk.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn sync(&mut self) -> Result<(), WriteError> {
        let flushed = self.flush();
        let synced = flushed.and_then(|()| match &self.sink {
            Sink::Beside(file) => disk::step(Step::Sync, || file.get_ref().get_ref().as_file()?.sync_all()),
            Sink::Direct(_) => Ok(()),
        });
        synced.map_err(|error| self.fault(error))
    }

    /// Renames the file to its final name.
    ///
    /// # Errors
    /// If the system refuses; the old file is then still in place.
    pub fn finish(self) -> Result<(), WriteError> {
        let path = self.path;
        let done = match self.sink {
            Sink::Direct(mut file) => file.flush(),
            Sink::Beside(file) => file
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| file.into_inner().persist(&place(&path), kept(&path).as_ref())),
        };
        done.map_err(|error| WriteError::new(&path, WriteFault::System(error)))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Beside(file) => file.write(bytes),
            Sink::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Beside(file) => file.flush(),
            Sink::Direct(file) => file.flush(),
        }
    }
}

/// Writes a whole file.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// octile::files::write(folder.path().join("report.txt"), "7 moves")?;
/// assert!(octile::files::write(folder.path().join("no/report.txt"), "").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be written; the old file is then still in place.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<(), WriteError> {
    prepare(path, bytes)?.finish()
}

/// Writes a file piece by piece.
///
/// ```
/// use std::io::Write;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("costs.csv");
/// octile::files::write_by(&path, |file| (1..4).try_for_each(|cost| write!(file, "{cost},")))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "1,2,3,");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Like [`write()`], and if `content` fails.
pub fn write_by(
    path: impl AsRef<Path>,
    content: impl FnOnce(&mut NewFile) -> io::Result<()>,
) -> Result<(), WriteError> {
    let mut file = NewFile::create(path)?;
    content(&mut file).map_err(|error| file.fault(error))?;
    file.finish()
}

/// Writes a whole file under its temporary name; [`finish`](NewFile::finish) renames it. For files that belong
/// together.
///
/// ```
/// use octile::files;
/// let folder = tempfile::tempdir()?;
/// let files = ["one", "two"].map(|name| files::prepare(folder.path().join(name), name));
/// for file in files {
///     file?.finish()?; // the disk was not full for either
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`write()`].
pub fn prepare(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<NewFile, WriteError> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes.as_ref()).and_then(|()| file.flush()).map_err(|error| file.fault(error))?;
    Ok(file)
}

/// Checks that a file can be written, for use before a long computation. Writes nothing.
///
/// ```
/// assert!(octile::files::ensure_possible("report.txt").is_ok());
/// assert!(octile::files::ensure_possible("no/such/folder/report.txt").is_err());
/// ```
///
/// # Errors
/// If it is a directory, or its directory does not exist.
pub fn ensure_possible(path: impl AsRef<Path>) -> Result<(), WriteError> {
    let path = path.as_ref();
    match () {
        () if path.is_dir() => Err(WriteError::new(path, WriteFault::Folder)),
        () if !directory(path).is_dir() => Err(WriteError::new(path, WriteFault::NoFolder)),
        () => Ok(()),
    }
}

/// Whether writing to this path creates or replaces a file. Devices and pipes are written directly instead.
pub fn is_replaced(path: impl AsRef<Path>) -> bool {
    fs::metadata(path).map_or(true, |there| there.is_file() || there.is_dir())
}

/// The actual path of a file: the target if it is a symbolic link.
pub fn place(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    if path.is_symlink() { fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()) } else { path.to_owned() }
}

/// The directory of a file.
fn directory(path: &Path) -> PathBuf {
    let place = place(path);
    place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// The permissions of the replaced file: who may read, write and run it. `None` if it does not exist.
#[cfg(unix)]
fn kept(path: &Path) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    let there = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    // Drops the set-user-ID and set-group-ID bits: they must not carry over to new contents.
    Some(Permissions::from_mode(there.permissions().mode() & 0o777))
}

/// On other systems permissions come from the folder.
#[cfg(not(unix))]
fn kept(_: &Path) -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(target_os = "wasi", ignore = "there is no folder for such files")]
    fn the_old_file_stays_until_the_new_one_is_finished() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is left behind");
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    #[cfg_attr(target_os = "wasi", ignore = "there is no folder for such files")]
    fn paths_that_cannot_be_written_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let message = |path: &Path| write(path, b"").unwrap_err().to_string();
        assert!(message(directory.path()).ends_with("it is a directory"));
        let missing = message(&directory.path().join("no/file"));
        assert!(missing.contains("no/file: its directory does not exist"), "{missing}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_new_files_are_readable_by_others() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let (path, link) = (directory.path().join("file"), directory.path().join("link"));
        write(&path, b"one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let plain = directory.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), mode(&plain));
    }
}
