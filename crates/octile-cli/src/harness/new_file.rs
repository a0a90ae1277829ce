//! Files that appear whole or not at all: written beside their place, then renamed into it. One that is replaced keeps its permissions.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::disk::{self, Step, Steps};
use super::temporary::{self, Temporary};

/// How the names of temporary files begin.
pub const TEMPORARY: &str = temporary::PREFIX;

/// A file in the making. What was there before stays until [`finish`](NewFile::finish).
pub struct NewFile {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Beside(BufWriter<Steps<Temporary>>),
    /// Devices and pipes cannot be replaced: they are written to.
    Direct(BufWriter<Steps<File>>),
}

impl NewFile {
    /// Begins to write the file at `path`.
    pub fn create(path: &Path) -> Result<Self> {
        if is_replaced(path) {
            return Self::create_in(&directory(path), path);
        }
        let file = disk::step(Step::Create, || File::create(path)).with_context(|| cannot(path))?;
        Ok(Self { path: path.to_owned(), sink: Sink::Direct(BufWriter::new(Steps::new(file, Step::Write))) })
    }

    /// As [`create`](NewFile::create), but written in another directory of the same file system.
    pub fn create_in(directory: &Path, path: &Path) -> Result<Self> {
        ensure!(!path.is_dir(), "{}: it is a directory", cannot(path));
        // What others may not read of the old file they may not read of the new, at any time.
        let file = Temporary::create(directory, kept(path).is_some());
        let file = file.map_err(|error| io::Error::new(error.kind(), plain(&error))).with_context(|| cannot(path))?;
        Ok(Self { path: path.to_owned(), sink: Sink::Beside(BufWriter::new(Steps::new(file, Step::Write))) })
    }

    /// That the file cannot be written, with its name: to be put before the reason.
    #[must_use]
    pub fn cannot(&self) -> String {
        cannot(&self.path)
    }

    /// Makes sure that what was written is on the disk.
    pub fn sync(&mut self) -> Result<()> {
        let flushed = self.flush();
        let synced = flushed.and_then(|()| match &self.sink {
            Sink::Beside(file) => disk::step(Step::Sync, || file.get_ref().get_ref().as_file()?.sync_all()),
            Sink::Direct(_) => Ok(()),
        });
        synced.with_context(|| cannot(&self.path))
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<()> {
        let path = self.path;
        let done = match self.sink {
            Sink::Direct(mut file) => file.flush(),
            Sink::Beside(file) => file
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| file.into_inner().persist(&place(&path), kept(&path).as_ref())),
        };
        done.with_context(|| cannot(&path))
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
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_by(path, |file| file.write_all(bytes))
}

/// Writes a file piece by piece.
pub fn write_by(path: &Path, content: impl FnOnce(&mut NewFile) -> io::Result<()>) -> Result<()> {
    let mut file = NewFile::create(path)?;
    content(&mut file).with_context(|| cannot(path))?;
    file.finish()
}

/// Writes a whole file, all but its name: [`finish`](NewFile::finish) puts it in its place.
pub fn prepare(path: &Path, bytes: &[u8]) -> Result<NewFile> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes).and_then(|()| file.flush()).with_context(|| cannot(path))?;
    Ok(file)
}

/// Refuses a place where there can be no file, before long work is done for it. Writes nothing.
pub fn ensure_possible(path: &Path) -> Result<()> {
    ensure!(!path.is_dir(), "{}: it is a directory", cannot(path));
    ensure!(directory(path).is_dir(), "{}: its directory does not exist", cannot(path));
    Ok(())
}

/// Whether writing there replaces a file or makes one. Devices and pipes are written to instead.
pub fn is_replaced(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |there| there.is_file() || there.is_dir())
}

/// Where a file really is: through a symbolic link the one that it names.
pub fn place(path: &Path) -> PathBuf {
    if path.is_symlink() { fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()) } else { path.to_owned() }
}

/// The directory of a file.
fn directory(path: &Path) -> PathBuf {
    let place = place(path);
    place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

fn cannot(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// The permissions of the file that is replaced: who may read, write and run it. None if there is no file.
#[cfg(unix)]
fn kept(path: &Path) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    let there = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    // A program that runs as its owner is no such program any more when its contents are others.
    Some(Permissions::from_mode(there.permissions().mode() & 0o777))
}

/// Other systems keep them by the folder.
#[cfg(not(unix))]
fn kept(_: &Path) -> Option<Permissions> {
    None
}

/// The system's reason without the name of the temporary file, which means nothing to the user.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "its directory does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "its directory may not be written to".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is not a directory".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
    fn places_that_cannot_be_written_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let message = |path: &Path| format!("{:#}", write(path, b"").unwrap_err());
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
