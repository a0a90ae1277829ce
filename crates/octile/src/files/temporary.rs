//! Temporary files: made beside the file that they are to become, and never left behind for long.
//!
//! One that is not finished is removed when it is dropped, and when a program that is interrupted says so
//! ([`remove_temporaries`]). Only a process that is killed, or a machine that goes down, leaves one. The next process
//! that writes in the same folder removes it.
//!
//! How does that one know that nobody is still writing? A process holds a lock on each of its temporary files for as
//! long as it lives, and the system ends the lock with the process, however that ends. What can be locked by another is
//! abandoned. A process number in the name would tell less: numbers are used again, those of a container or of another
//! machine on the same network drive mean nothing here, and other users' processes may not be visible. Locks hold
//! between users, and between the machines that share a drive wherever the drive carries locks at all. Where it has
//! none, nothing is ever swept away; where a drive is mounted with locks that hold on one machine only, a process whose
//! file is taken by another machine fails and says so, and the old file stays.
//!
//! Between making a file and locking it, a sweep may take it. So a file that is locked is looked for again, and made
//! anew if it is gone.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, PersistError};

use super::disk::{self, Step};

/// How the names of temporary files begin: `.octile-`, as in `.octile-aB3xYz`.
pub const TEMPORARY: &str = ".octile-";

/// How many letters and digits follow.
const LETTERS: usize = 6;

/// How often a file is made anew that a sweep has taken.
const TRIES: usize = 100;

/// What this process has to do with temporary files.
struct Ledger {
    living: BTreeSet<PathBuf>,
    /// Folders that need not be swept again.
    swept: BTreeSet<PathBuf>,
}

static LEDGER: Mutex<Ledger> = Mutex::new(Ledger { living: BTreeSet::new(), swept: BTreeSet::new() });

/// The ledger is held while files are made, renamed and removed, so that an interrupt finds all there are.
fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of this process, which is about to end: it can make no other afterwards, and finish or
/// drop none. A thread that tries waits until the process is gone. For a handler of interrupts, as the last thing
/// before it ends the process.
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
        // What cannot be removed now is left to the next process.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(ledger);
}

/// A file that is removed unless it is [put in its place](Temporary::persist).
#[derive(Debug)]
pub(super) struct Temporary {
    /// None once it is in its place, or removed.
    file: Option<NamedTempFile>,
}

impl Temporary {
    /// A new file in a folder, from which abandoned ones are removed. It is for the owner alone if it `is_private`,
    /// else as any new file.
    pub(super) fn create(folder: &Path, is_private: bool) -> io::Result<Self> {
        let mut ledger = ledger();
        if ledger.swept.insert(folder.to_owned()) {
            sweep(folder);
        }
        let file = create_locked(folder, is_private)?;
        ledger.living.insert(file.path().to_owned());
        Ok(Self { file: Some(file) })
    }

    /// The file itself.
    pub(super) fn as_file(&self) -> io::Result<&File> {
        self.file.as_ref().map(NamedTempFile::as_file).ok_or_else(gone)
    }

    /// Sets the permissions, unless they are to be those of a new file, and puts the file where `path` says.
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

/// A new file that this process has locked, where there are locks.
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

/// Removes the temporary files in a folder whose processes are gone. What cannot be looked at or removed stays.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_str().is_some_and(is_temporary) {
            remove_abandoned(&entry.path());
        }
    }
}

/// Whether a name is one that [`builder`] gives.
fn is_temporary(name: &str) -> bool {
    let letters = name.strip_prefix(TEMPORARY).unwrap_or_default();
    letters.len() == LETTERS && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Removes a file if nobody holds a lock on it.
fn remove_abandoned(path: &Path) {
    // Network drives lock for writing only what is open for writing.
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
    fn a_file_is_known_until_it_is_in_its_place_or_removed() {
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
    fn what_is_locked_stays_and_what_is_abandoned_goes() {
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
    fn names_of_others_are_no_temporary_files() {
        assert!(is_temporary(".octile-aB3xYz"));
        for name in [".octile-lock", ".octile-aB3xY", ".octile-aB3xYzz", ".octile-aB3.Yz", "octile-aB3xYz", ".octile-"]
        {
            assert!(!is_temporary(name), "{name}");
        }
    }
}
