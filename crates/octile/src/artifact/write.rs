//! Writing index files.

use std::borrow::Cow;
use std::convert::Infallible;
use std::io::{self, Write};

use xxhash_rust::xxh3::Xxh3;

use super::Artifact;
use super::header::{ALIGNMENT, Header, MAX_SECTIONS, Name, Section, table_end};
use crate::grid::Grid;

/// Builds an index file: add sections, then call [`finish`](ArtifactWriter::finish), or
/// [`write_to`](ArtifactWriter::write_to) for large files. The same contents always give the same bytes.
///
/// A section owns its bytes or borrows them, in one piece or in many, so an index is written without copying it.
///
/// Names are constants in the code that writes a file. An invalid name is a bug there and panics.
#[derive(Clone)]
pub struct ArtifactWriter<'a> {
    /// Without checksum and sections.
    header: Header,
    /// The name and the bytes of each section, in pieces.
    sections: Vec<(Name, Vec<Cow<'a, [u8]>>)>,
}

impl<'a> ArtifactWriter<'a> {
    /// Starts a file for an index of this kind and version, made for this map.
    ///
    /// # Panics
    /// If the kind is not 1 to 16 visible ASCII characters.
    pub fn new(kind: &str, kind_version: u32, grid: &Grid) -> Self {
        let mut writer = Self::for_all_maps(kind, kind_version);
        writer.header.movement = Some(grid.movement());
        (writer.header.width, writer.header.height) = (grid.width(), grid.height());
        writer.header.fingerprint = grid.fingerprint();
        writer
    }

    /// Starts a file for an index of this kind and version that is for all maps.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let artifact = Artifact::from_bytes(ArtifactWriter::for_all_maps("letters", 1).finish())?;
    /// assert!(artifact.is_for_all_maps() && artifact.movement().is_none());
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    ///
    /// # Panics
    /// See [`new`](ArtifactWriter::new).
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

    /// Starts a file with the kind, version and map of another file.
    pub(crate) fn like<D>(artifact: &Artifact<D>) -> Self {
        let header = Header { payload_checksum: 0, sections: Vec::new(), ..artifact.header.clone() };
        Self { header, sections: Vec::new() }
    }

    /// Adds a section of bytes.
    ///
    /// # Panics
    /// If the name is not 1 to 16 visible ASCII characters or is used already, or if the file has 64 sections already.
    pub fn section(&mut self, name: &str, bytes: Vec<u8>) -> &mut Self {
        self.pieces(name, [Cow::Owned(bytes)])
    }

    /// Adds a section of 32-bit numbers.
    ///
    /// # Panics
    /// See [`section`](ArtifactWriter::section).
    pub fn words(&mut self, name: &str, words: &[u32]) -> &mut Self {
        self.section(name, words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// Adds one section made of several pieces, in this order and without gaps.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let (first, rest) = (b"alpha ", b"beta");
    /// let mut writer = ArtifactWriter::for_all_maps("letters", 1);
    /// writer.pieces("greek", [first[..].into(), rest[..].into()]);
    /// assert_eq!(Artifact::from_bytes(writer.finish())?.section("greek")?, b"alpha beta");
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    ///
    /// # Panics
    /// See [`section`](ArtifactWriter::section).
    pub fn pieces(&mut self, name: &str, pieces: impl IntoIterator<Item = Cow<'a, [u8]>>) -> &mut Self {
        let name = self::name(name);
        assert!(self.sections.iter().all(|(taken, _)| *taken != name), "section `{}` exists already", name.as_str());
        assert!(self.sections.len() < MAX_SECTIONS, "an index file has at most {MAX_SECTIONS} sections");
        self.sections.push((name, pieces.into_iter().collect()));
        self
    }

    /// The size of the file in bytes.
    pub fn size_bytes(&self) -> usize {
        self.table().last().map_or(table_end(0), |section| section.range.end)
    }

    /// Writes the whole file without copying the sections. They are read twice, because their checksum comes before
    /// them. Each piece is one write: wrap the output in a [`BufWriter`](io::BufWriter) if pieces are small.
    ///
    /// ```
    /// use octile::artifact::ArtifactWriter;
    /// let mut writer = ArtifactWriter::for_all_maps("letters", 1);
    /// writer.words("greek", &[24]);
    /// let mut file = Vec::new(); // or a file
    /// writer.write_to(&mut file)?;
    /// assert_eq!((&file, file.len()), (&writer.finish(), writer.size_bytes()));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let sections = self.table();
        out.write_all(&self.head(&sections))?;
        self.payload(&sections, |bytes| out.write_all(bytes))
    }

    /// The bytes of the whole file.
    pub fn finish(&self) -> Vec<u8> {
        let sections = self.table();
        let mut file = Vec::with_capacity(self.size_bytes());
        file.extend_from_slice(&self.head(&sections));
        let Ok(()) = self.payload(&sections, |bytes| {
            file.extend_from_slice(bytes);
            Ok::<_, Infallible>(())
        });
        file
    }

    /// The byte ranges of the sections.
    fn table(&self) -> Vec<Section> {
        let mut end = table_end(self.sections.len());
        let place = |(name, pieces): &(Name, Vec<Cow<[u8]>>)| {
            let start = end.next_multiple_of(ALIGNMENT);
            end = start + pieces.iter().map(|piece| piece.len()).sum::<usize>();
            Section { name: *name, range: start..end }
        };
        self.sections.iter().map(place).collect()
    }

    /// The bytes of the header and table.
    fn head(&self, sections: &[Section]) -> Vec<u8> {
        let mut hash = Xxh3::new();
        let Ok(()) = self.payload(sections, |bytes| {
            hash.update(bytes);
            Ok::<_, Infallible>(())
        });
        let header = Header { payload_checksum: hash.digest(), sections: sections.to_vec(), ..self.header.clone() };
        header.encode(self.size_bytes())
    }

    /// Passes everything after the table to `sink`, in order, padding included.
    fn payload<E>(&self, sections: &[Section], mut sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut end = table_end(sections.len());
        for ((_, pieces), Section { range, .. }) in self.sections.iter().zip(sections) {
            sink(&[0; ALIGNMENT][..range.start - end])?;
            pieces.iter().try_for_each(|piece| sink(piece))?;
            end = range.end;
        }
        Ok(())
    }
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|| panic!("`{text}` is not 1 to 16 visible ASCII characters"))
}
