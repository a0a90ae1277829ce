//! The folder beside an unfinished index, which holds its parts.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::error::PartsError;
use crate::files::disk::{self, Step};
use crate::files::{self, TEMPORARY};

/// The file that a building process locks.
const LOCK: &str = ".octile-lock";

/// How often removal is tried again if another process has written into the folder in the meantime.
const TRIES: usize = 10;

/// The folder for the parts of a build.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
}

impl Folder {
    /// The folder for the output file `output`.
    pub(super) fn of(output: &Path) -> Self {
        let mut path = OsString::from(files::place(output));
        path.push(".parts");
        Self { path: path.into() }
    }

    /// The path of a part.
    pub(super) fn part(&self, sources: &Range<u32>) -> PathBuf {
        self.path.join(format!("part-{:09}-{:09}.octx", sources.start, sources.end))
    }

    /// Whether the folder exists.
    pub(super) fn exists(&self) -> Result<bool, PartsError> {
        match fs::symlink_metadata(&self.path) {
            Ok(there) if there.is_dir() => Ok(true),
            Ok(_) => Err(PartsError::InTheWay { folder: self.path.clone() }),
            Err(_) => Ok(false),
        }
    }

    /// The files of parts in it, sorted by name; none if the folder does not exist. Any other file is an error.
    pub(super) fn parts(&self) -> Result<Vec<PathBuf>, PartsError> {
        if !self.exists()? {
            return Ok(Vec::new());
        }
        let mut parts = Vec::new();
        for name in self.names()? {
            let file = self.path.join(&name);
            match name.to_str() {
                Some(name) if is_part(name) => parts.push(file),
                Some(name) if name.starts_with(TEMPORARY) => {}
                _ => return Err(PartsError::Stranger { file, folder: self.path.clone() }),
            }
        }
        parts.sort();
        Ok(parts)
    }

    fn names(&self) -> Result<Vec<OsString>, PartsError> {
        let read = || fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>();
        read().map_err(|error| failed("read the folder", &self.path, error))
    }

    /// Creates the folder if necessary, and locks out other builds for as long as the returned file is open.
    pub(super) fn lock(&self) -> Result<File, PartsError> {
        let cannot = |error| failed("write to the folder", &self.path, error);
        disk::step(Step::Folder, || fs::create_dir_all(&self.path)).map_err(cannot)?;
        let lock = disk::step(Step::Create, || File::create(self.path.join(LOCK))).map_err(cannot)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(PartsError::Locked { folder: self.path.clone() }),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(lock),
        }
    }

    /// Removes the folder with all parts, including what another process is still writing because it does not know that
    /// the index is finished.
    pub(super) fn remove(&self, lock: File) -> Result<(), PartsError> {
        self.empty()?;
        drop(lock);
        for _ in 1..TRIES {
            remove(&self.path.join(LOCK))?;
            match disk::step(Step::Remove, || fs::remove_dir(&self.path)) {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => self.empty()?,
                done => return done.map_err(|error| failed("remove the folder", &self.path, error)),
            }
        }
        let full = ErrorKind::DirectoryNotEmpty.into();
        Err(failed("remove the folder", &self.path, full))
    }

    /// Removes all parts and temporary files, but not the lock.
    fn empty(&self) -> Result<(), PartsError> {
        let is_ours = |name: &str| is_part(name) || (name.starts_with(TEMPORARY) && name != LOCK);
        let names = self.names()?;
        let ours = names.iter().filter(|name| name.to_str().is_some_and(is_ours));
        ours.map(|name| self.path.join(name)).try_for_each(|path| remove(&path))
    }
}

/// Whether a file is named like a part: with its first source and its end, or, as older versions did, only with its
/// first source.
fn is_part(name: &str) -> bool {
    let numbers = name.strip_prefix("part-").and_then(|rest| rest.strip_suffix(".octx")).unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.split('-').all(is_number) && numbers.split('-').count() <= 2
}

/// Removes a file if it exists.
pub(super) fn remove(path: &Path) -> Result<(), PartsError> {
    match disk::step(Step::Remove, || fs::remove_file(path)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed("remove", path, error)),
        _ => Ok(()),
    }
}

fn failed(deed: &'static str, path: &Path, source: io::Error) -> PartsError {
    PartsError::Folder { deed, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_recognized_by_name() {
        let folder = Folder::of(Path::new("a.octx"));
        assert_eq!(folder.part(&(1024..2048)), Path::new("a.octx.parts/part-000001024-000002048.octx"));
        for name in ["part-000000000-000001024.octx", "part-000001024.octx", "part-4294967295-4294967295.octx"] {
            assert!(is_part(name), "{name}");
        }
        for name in ["part-.octx", "part-1-.octx", "part-1-2-3.octx", "part-a.octx", "part-1.octx2", "1.octx", ""] {
            assert!(!is_part(name), "{name}");
        }
    }
}
