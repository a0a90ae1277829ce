//! Files that appear whole or not at all: written beside their place, then renamed into it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

/// A file in the making. What was there before stays until [`finish`](NewFile::finish).
pub(crate) struct NewFile {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Beside(BufWriter<NamedTempFile>),
    /// Devices and pipes cannot be replaced: they are written to.
    Direct(BufWriter<File>),
}

impl NewFile {
    /// Begins to write the file at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let cannot = || format!("cannot write {}", path.display());
        let sink = match fs::metadata(path) {
            Ok(there) if there.is_dir() => bail!("cannot write {}: it is a directory", path.display()),
            Ok(there) if !there.is_file() => Sink::Direct(BufWriter::new(File::create(path).with_context(cannot)?)),
            _ => Sink::Beside(BufWriter::new(beside(path).with_context(cannot)?)),
        };
        Ok(Self { path: path.to_owned(), sink })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> Result<()> {
        let path = self.path;
        let done = match self.sink {
            Sink::Direct(mut file) => file.flush(),
            Sink::Beside(file) => file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| {
                // Through a symbolic link to the file that it names.
                let place = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                file.persist(place).map(drop).map_err(|error| error.error)
            }),
        };
        done.with_context(|| format!("cannot write {}", path.display()))
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
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    file.finish()
}

/// A temporary file in the directory where `path` will be, with the permissions of any new file.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let directory = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".octile-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory).map_err(|error| io::Error::new(error.kind(), plain(&error)))
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
