//! What has been measured of a run that is not finished: a file that grows by a line for every part, so that the same
//! command goes on after an interruption of whatever kind.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The file, open and locked.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    known: HashMap<String, Line>,
}

/// A part of the run.
#[derive(Deserialize, Serialize)]
struct Line {
    key: String,
    /// How long the fixed piece of work took when it was measured.
    pace: f64,
    value: Box<RawValue>,
}

impl Journal {
    /// Opens the journal, or begins it. What was written last may have been cut off: that is dropped.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let cannot = || format!("cannot write {}", path.display());
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).with_context(cannot)?;
        // Some file systems have no locks, which is no reason to refuse.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            bail!("another octile is measuring into {}: wait for it, or give another --out", path.display())
        }
        let (known, whole) = read(&mut file).with_context(|| format!("cannot read {}", path.display()))?;
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).with_context(cannot)?;
        Ok(Self { path: path.to_owned(), file, known })
    }

    /// How many parts are there.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// A part that was measured before, with the pace of the machine then.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<(T, f64)>> {
        let Some(line) = self.known.get(key) else { return Ok(None) };
        let value = serde_json::from_str(line.value.get());
        let value = value.with_context(|| format!("{}: `{key}` is damaged; remove the file", self.path.display()))?;
        Ok(Some((value, line.pace)))
    }

    /// Adds a part, which then stays whatever happens.
    pub(super) fn add(&mut self, key: &str, pace: f64, value: &impl Serialize) -> Result<()> {
        let line = Line { key: key.to_owned(), pace, value: serde_json::value::to_raw_value(value)? };
        let text = serde_json::to_string(&line)? + "\n";
        self.file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", self.path.display()))?;
        self.known.insert(line.key.clone(), line);
        Ok(())
    }

    /// Removes the file: the run is finished.
    pub(super) fn finish(self) -> Result<()> {
        fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))
    }
}

/// The whole lines, and how many bytes they take.
fn read(file: &mut File) -> io::Result<(HashMap<String, Line>, u64)> {
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let (mut known, mut whole) = (HashMap::new(), 0);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let Ok(parsed) = serde_json::from_slice::<Line>(line) else { break };
        if !line.ends_with(b"\n") {
            break;
        }
        whole += line.len() as u64;
        known.insert(parsed.key.clone(), parsed);
    }
    Ok((known, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_there_again_but_for_a_line_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = Journal::open(&path).unwrap();
        journal.add("a", 1.5, &vec![1, 2]).unwrap();
        journal.add("b", 2.5, &"text").unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(journal.get::<Vec<u32>>("a").unwrap(), Some((vec![1, 2], 1.5)));
        assert_eq!((journal.len(), journal.get::<String>("b").unwrap()), (1, None));
        journal.add("b", 3.5, &"again").unwrap();
        drop(journal);
        let journal = Journal::open(&path).unwrap();
        assert_eq!(journal.get::<String>("b").unwrap(), Some(("again".to_owned(), 3.5)));
        assert!(journal.get::<u32>("b").is_err());
        journal.finish().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn two_cannot_write_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let first = Journal::open(&path).unwrap();
        assert!(Journal::open(&path).is_err_and(|error| error.to_string().contains("another octile")));
        drop(first);
        assert!(Journal::open(&path).is_ok());
    }
}
