//! The files that the page may fetch: those named on the command line, and no others.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The path below which they are served.
const FOLDER: &str = "open";

/// All other characters of a path are percent-encoded.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Files by their paths on the server.
#[derive(Debug, Default)]
pub(super) struct Opened {
    files: BTreeMap<String, Source>,
}

#[derive(Debug)]
enum Source {
    /// Read for every request, so that reloading the page shows the current file.
    File(PathBuf),
    Bytes(Vec<u8>),
}

impl Opened {
    /// Offers a file and returns its address relative to the page.
    pub(super) fn offer(&mut self, path: &Path) -> String {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.insert(&name, Source::File(path.to_owned()))
    }

    /// The same for content that is in no file.
    pub(super) fn offer_bytes(&mut self, name: &str, bytes: Vec<u8>) -> String {
        self.insert(name, Source::Bytes(bytes))
    }

    /// Files with the same name come from different folders: all but the first get a folder here too.
    fn insert(&mut self, name: &str, source: Source) -> String {
        let numbered = (2..).map(|number| format!("{FOLDER}/{number}/{name}"));
        let mut paths = std::iter::once(format!("{FOLDER}/{name}")).chain(numbered);
        let path = paths.find(|path| !self.files.contains_key(path)).unwrap_or_default();
        let escaped: Vec<String> = path.split('/').map(|part| utf8_percent_encode(part, ESCAPED).to_string()).collect();
        self.files.insert(path, source);
        escaped.join("/")
    }

    /// The content of a file.
    pub(super) fn file(&self, path: &str) -> Option<Vec<u8>> {
        match self.files.get(path)? {
            Source::Bytes(bytes) => Some(bytes.clone()),
            // It may have become something else meanwhile, such as a pipe, which would block.
            Source::File(path) if path.is_file() => fs::read(path).ok(),
            Source::File(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_one_name_get_different_paths_and_other_files_are_not_served() {
        let mut opened = Opened::default();
        assert_eq!(opened.offer_bytes("a b#1.map", vec![1]), "open/a%20b%231.map");
        assert_eq!(opened.offer_bytes("a b#1.map", vec![2]), "open/2/a%20b%231.map");
        assert_eq!(opened.offer_bytes("a b#1.map", vec![3]), "open/3/a%20b%231.map");
        assert_eq!(opened.file("open/a b#1.map"), Some(vec![1]));
        assert_eq!(opened.file("open/3/a b#1.map"), Some(vec![3]));
        assert_eq!((opened.file("open/"), opened.file("open/b")), (None, None));
    }

    #[test]
    fn a_file_is_read_for_every_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.map");
        let mut opened = Opened::default();
        assert_eq!(opened.offer(&path), "open/a.map");
        assert_eq!(opened.file("open/a.map"), None);
        fs::write(&path, "new").unwrap();
        assert_eq!(opened.file("open/a.map"), Some(b"new".to_vec()));
    }
}
