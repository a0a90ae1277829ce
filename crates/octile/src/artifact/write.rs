//! Index files in the making.

use xxhash_rust::xxh3::xxh3_64;

use super::header::{ALIGNMENT, Header, MAX_SECTIONS, Name, Section, table_end};
use crate::Grid;

/// An index file in the making: sections one after the other, then [`finish`](ArtifactWriter::finish). The same contents
/// always give the same bytes.
///
/// Names are constants of the code that writes, so a bad one is a bug there: it panics.
#[derive(Clone)]
pub struct ArtifactWriter {
    /// Without checksum and sections.
    header: Header,
    sections: Vec<(Name, Vec<u8>)>,
}

impl ArtifactWriter {
    /// A file for an index of this kind and version, made for this map.
    ///
    /// # Panics
    /// If the kind is not 1 to 16 visible ASCII characters.
    pub fn new(kind: &str, kind_version: u32, grid: &Grid) -> Self {
        let header = Header {
            kind: name(kind),
            kind_version,
            movement: Some(grid.movement()),
            width: grid.width(),
            height: grid.height(),
            fingerprint: grid.fingerprint(),
            payload_checksum: 0,
            sections: Vec::new(),
        };
        Self { header, sections: Vec::new() }
    }

    /// A file for an index of this kind and version that is for all maps.
    ///
    /// # Panics
    /// As [`new`](ArtifactWriter::new).
    pub fn for_all_maps(kind: &str, kind_version: u32) -> Self {
        let header = Header {
            kind: name(kind),
            kind_version,
            movement: None,
            width: 0,
            height: 0,
            fingerprint: 0,
            payload_checksum: 0,
            sections: Vec::new(),
        };
        Self { header, sections: Vec::new() }
    }

    /// Adds a section of bytes.
    ///
    /// # Panics
    /// If the name is not 1 to 16 visible ASCII characters, or is taken, or the file has 64 sections already.
    pub fn section(&mut self, name: &str, bytes: Vec<u8>) -> &mut Self {
        let name = self::name(name);
        assert!(self.sections.iter().all(|(taken, _)| *taken != name), "section `{}` is there already", name.as_str());
        assert!(self.sections.len() < MAX_SECTIONS, "an index file has at most {MAX_SECTIONS} sections");
        self.sections.push((name, bytes));
        self
    }

    /// Adds a section of 32-bit numbers.
    ///
    /// # Panics
    /// As [`section`](ArtifactWriter::section).
    pub fn words(&mut self, name: &str, words: &[u32]) -> &mut Self {
        self.section(name, words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// The whole file.
    pub fn finish(&self) -> Vec<u8> {
        let table_end = table_end(self.sections.len());
        let room = |(_, bytes): &(Name, Vec<u8>)| bytes.len() + ALIGNMENT;
        let mut file = Vec::with_capacity(table_end + self.sections.iter().map(room).sum::<usize>());
        file.resize(table_end, 0);
        let mut header = self.header.clone();
        for (name, bytes) in &self.sections {
            let start = file.len().next_multiple_of(ALIGNMENT);
            file.resize(start, 0);
            file.extend_from_slice(bytes);
            header.sections.push(Section { name: *name, range: start..file.len() });
        }
        header.payload_checksum = xxh3_64(&file[table_end..]);
        let head = header.encode(file.len());
        file[..table_end].copy_from_slice(&head);
        file
    }
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|| panic!("`{text}` is not 1 to 16 visible ASCII characters"))
}
