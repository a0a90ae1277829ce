//! Temporary files: created in the folder of the final file, and never left behind for long.
//!
//! An unfinished file is removed when it is dropped, and when an interrupted program calls [`remove_temporaries`]. Only
//! a killed process, or a machine that goes down, leaves one. The next process that writes in the same folder removes
//! it.
//!
//! To know whether somebody is still writing a file, processes use locks. A process holds a lock on each of its
//! temporary files as long as it lives, and the system releases the lock when the process ends, however that happens. A
//! file that another process can lock is abandoned. A process number in the name would tell less: numbers are reused,
//! those of a container or of another machine on the same network drive mean nothing here, and other users' processes
//! may be invisible. Locks work between users, and between the machines that share a drive if the drive supports locks.
//! On a drive without locks, nothing is ever swept. On a drive whose locks hold on one machine only, another machine
//! may remove a file in use; its process then fails with an error, and the old file stays.
//!
//! A sweep may remove a file between its creation and its lock. So after locking, the file is checked, and created
//! again if it is gone.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, PersistError};

use super::disk::{self, Step};

/// The prefix of temporary files: `.octile-`, as in `.octile-aB3xYz`.
pub const TEMPORARY: &str = ".octile-";

/// The number of letters and digits after the prefix.
const LETTERS: usize = 6;

/// How often to create a file again after a sweep has removed it.
const TRIES: usize = 100;

/// The temporary files of this process.
struct Ledger {
    living: BTreeSet<PathBuf>,
    /// Folders that are already swept.
    swept: BTreeSet<PathBuf>,
}

static LEDGER: Mutex<Ledger> = Mutex::new(Ledger { living: BTreeSet::new(), swept: BTreeSet::new() });

/// The lock is held while files are created, renamed and removed, so that an interrupt finds all of them.
fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of this process, which is about to end: afterwards it cannot create, finish or drop any.
/// A thread that tries blocks until the process is gone. Call it in an interrupt handler, as the last thing before
/// ending the process.
///
/// ```standalone_crate
/// use octile::files::{self, NewFile};
/// let folder = tempfile::tempdir()?;
/// let _half = NewFile::create(folder.path().join("paths.jsonl"))?;
/// files::remove_temporaries();
/// assert_eq!(std::fs::read_dir(&folder)?.count(), 0);
/// std::process::exit(0);
/// # #[allow(unreachable_code)]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn remove_temporaries() {
    let ledger = ledger();
    for path in &ledger.living {
        // A file that cannot be removed now is left to the next process.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(ledger);
}

/// A file that is removed unless it is [persisted](Temporary::persist).
#[derive(Debug)]
pub(super) struct Temporary {
    /// `None` once it is persisted or removed.
    file: Option<NamedTempFile>,
}

impl Temporary {
    /// Creates a file in a folder and removes abandoned ones there. If `is_private`, only the owner may access it;
    /// otherwise it has the permissions of any new file.
    pub(super) fn create(folder: &Path, is_private: bool) -> io::Result<Self> {
        let mut ledger = ledger();
        if ledger.swept.insert(folder.to_owned()) {
            sweep(folder);
        }
        let file = create_locked(folder, is_private)?;
        ledger.living.insert(file.path().to_owned());
        Ok(Self { file: Some(file) })
    }

    /// The open file.
    pub(super) fn as_file(&self) -> io::Result<&File> {
        self.file.as_ref().map(NamedTempFile::as_file).ok_or_else(gone)
    }

    /// Sets the permissions, if given, and renames the file to `path`.
    pub(super) fn persist(mut self, path: &Path, permissions: Option<&Permissions>) -> io::Result<()> {
        if let Some(permissions) = permissions {
            let file = self.as_file()?;
            disk::step(Step::Permissions, || file.set_permissions(permissions.clone()))?;
        }
        let mut ledger = ledger();
        let mut file = self.file.take();
        let temporary = file.as_ref().map(|file| file.path().to_owned());
        let done = disk::step(Step::Rename, || match file.take().ok_or_else(gone)?.persist(path) {
            Ok(_) => Ok(()),
            Err(PersistError { error, file: back }) => {
                file = Some(back);
                Err(error)
            }
        });
        drop(file);
        temporary.map(|path| ledger.living.remove(&path));
        done
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.as_file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.as_file()?.flush()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let mut ledger = ledger();
            let path = file.path().to_owned();
            drop(file);
            ledger.living.remove(&path);
        }
    }
}

fn gone() -> io::Error {
    io::Error::other("the temporary file is gone")
}

/// A new file that this process has locked, if locks are supported.
fn create_locked(folder: &Path, is_private: bool) -> io::Result<NamedTempFile> {
    for _ in 0..TRIES {
        let file = disk::step(Step::Create, || builder(is_private).tempfile_in(folder))?;
        match file.as_file().try_lock() {
            // A sweep holds it, or has removed it.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !file.path().exists() => {}
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    Err(gone())
}

fn builder(is_private: bool) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY).rand_bytes(LETTERS);
    #[cfg(unix)]
    if !is_private {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = is_private;
    builder
}

/// Removes the temporary files in a folder whose processes are gone. Files that cannot be opened or removed stay.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_str().is_some_and(is_temporary) {
            remove_abandoned(&entry.path());
        }
    }
}

/// Whether a name matches the ones that [`builder`] creates.
fn is_temporary(name: &str) -> bool {
    let letters = name.strip_prefix(TEMPORARY).unwrap_or_default();
    letters.len() == LETTERS && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Removes a file if no process holds a lock on it.
fn remove_abandoned(path: &Path) {
    // Network drives allow write locks only on files opened for writing.
    let file = File::options().read(true).write(true).open(path).or_else(|_| File::open(path));
    let Ok(file) = file else { return };
    if file.try_lock().is_ok() {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    #[cfg_attr(target_os = "wasi", ignore = "there is no folder for such files")]
    fn a_file_is_known_until_it_is_persisted_or_removed() {
        let folder = tempfile::tempdir().unwrap();
        let is_known = |name: &str| ledger().living.contains(&folder.path().join(name));
        let file = Temporary::create(folder.path(), false).unwrap();
        let name = names(folder.path()).pop().unwrap();
        assert!(is_temporary(&name) && is_known(&name), "{name}");
        file.persist(&folder.path().join("file"), None).unwrap();
        assert!(!is_known(&name));
        let file = Temporary::create(folder.path(), false).unwrap();
        let name = names(folder.path()).into_iter().find(|name| name != "file").unwrap();
        assert!(is_known(&name));
        drop(file);
        assert!(!is_known(&name));
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    #[cfg_attr(target_os = "wasi", ignore = "there is no folder for such files")]
    fn locked_files_stay_and_abandoned_ones_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let living = Temporary::create(folder.path(), true).unwrap();
        let kept = names(folder.path());
        for name in ["dead12", "DEAD99", "abcdef"] {
            fs::write(folder.path().join(format!("{TEMPORARY}{name}")), "half").unwrap();
        }
        sweep(folder.path());
        assert_eq!(names(folder.path()), kept);
        drop(living);
    }

    #[test]
    fn other_names_are_not_temporary_files() {
        assert!(is_temporary(".octile-aB3xYz"));
        for name in [".octile-lock", ".octile-aB3xY", ".octile-aB3xYzz", ".octile-aB3.Yz", "octile-aB3xYz", ".octile-"]
        {
            assert!(!is_temporary(name), "{name}");
        }
    }
}
