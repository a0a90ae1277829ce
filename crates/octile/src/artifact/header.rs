//! The bytes of the header and section table. `docs/formats/index.md` is the specification; only this file of the
//! library knows the position of each field.

use std::cmp::Ordering;
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::ArtifactError;
use crate::grid::Movement;

/// The first bytes of every index file. The first one is not ASCII, and a copy that converts line ends changes the
/// rest.
pub const MAGIC: [u8; 8] = *b"\x89octx\r\n\x1a";

/// The version of the container, the only one so far.
pub const VERSION: u32 = 1;

/// Reads as another number in the wrong byte order.
const ENDIAN_MARK: u32 = 0x0102_0304;

/// The offsets of the header's fields. Magic and kind are bytes, the others are 32 or 64 bits wide.
mod at {
    pub(super) const VERSION: usize = 8;
    pub(super) const ENDIAN_MARK: usize = 12;
    pub(super) const KIND: usize = 16;
    pub(super) const KIND_VERSION: usize = 32;
    pub(super) const MOVEMENT: usize = 36;
    pub(super) const WIDTH: usize = 40;
    pub(super) const HEIGHT: usize = 44;
    pub(super) const FINGERPRINT: usize = 48;
    pub(super) const SECTIONS: usize = 56;
    pub(super) const RESERVED: usize = 60;
    pub(super) const LENGTH: usize = 64;
    pub(super) const PAYLOAD_CHECKSUM: usize = 72;
    pub(super) const CHECKSUM: usize = 80;
}

/// The code in place of a movement rule in files for all maps.
const ALL_MAPS: u32 = 0;

/// The size of the header in bytes.
const HEADER_BYTES: usize = 88;

/// The size of an entry of the section table in bytes: name, offset, length.
const ENTRY_BYTES: usize = 32;

/// The maximum number of sections: opening a file stays cheap whatever its header says.
pub(super) const MAX_SECTIONS: usize = 64;

/// Sections begin at multiples of this, the size of a cache line.
pub(super) const ALIGNMENT: usize = 64;

/// The name of a kind or a section: 1 to 16 visible ASCII characters, then zeros.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Name([u8; 16]);

impl Name {
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; 16];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Self::from_bytes(bytes).filter(|name| name.as_str() == text)
    }

    fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
        let name = Self(bytes);
        let (text, padding) = bytes.split_at(name.len());
        let is_valid =
            !text.is_empty() && text.iter().all(u8::is_ascii_graphic) && padding.iter().all(|byte| *byte == 0);
        is_valid.then_some(name)
    }

    fn len(&self) -> usize {
        self.0.iter().position(|byte| *byte == 0).unwrap_or(self.0.len())
    }

    pub(super) fn as_str(&self) -> &str {
        str::from_utf8(&self.0[..self.len()]).expect("names are ASCII")
    }
}

/// A section: its name and its byte range.
#[derive(Clone)]
pub(super) struct Section {
    pub(super) name: Name,
    pub(super) range: Range<usize>,
}

/// The contents of the header and section table.
#[derive(Clone)]
pub(super) struct Header {
    pub(super) kind: Name,
    pub(super) kind_version: u32,
    /// The movement rule of the map; `None` if the file is for all maps, and then size and fingerprint are 0.
    pub(super) movement: Option<Movement>,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) fingerprint: u64,
    pub(super) payload_checksum: u64,
    /// In the order of the file, adjacent except for padding up to [`ALIGNMENT`].
    pub(super) sections: Vec<Section>,
}

/// The end of the header and table of a file with this many sections, where the payload begins.
pub(super) const fn table_end(sections: usize) -> usize {
    HEADER_BYTES + sections * ENTRY_BYTES
}

impl Header {
    /// Reads the header of a whole file and checks it against the file's length. Does not read the payload.
    pub(super) fn decode(file: &[u8]) -> Result<Self, ArtifactError> {
        let head = intact_head(file)?;
        let (kind, movement) = (bytes_at(head, at::KIND), u32_at(head, at::MOVEMENT));
        let (width, height) = (u32_at(head, at::WIDTH), u32_at(head, at::HEIGHT));
        let fingerprint = u64_at(head, at::FINGERPRINT);
        let reserved = u32_at(head, at::RESERVED);
        if reserved != 0 {
            return Err(malformed(format!("the reserved field is {reserved}, expected 0")));
        }
        Ok(Self {
            kind: Name::from_bytes(kind).ok_or_else(|| malformed(bad_name("kind", kind)))?,
            kind_version: u32_at(head, at::KIND_VERSION),
            movement: decode_movement(movement, (width, height, fingerprint))?,
            width,
            height,
            fingerprint,
            payload_checksum: u64_at(head, at::PAYLOAD_CHECKSUM),
            sections: decode_table(&head[HEADER_BYTES..], file.len())?,
        })
    }

    /// The bytes of the header and table for a file of `length` bytes.
    pub(super) fn encode(&self, length: usize) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(ENDIAN_MARK.to_le_bytes());
        bytes.extend(self.kind.0);
        for field in [self.kind_version, self.movement.map_or(ALL_MAPS, Movement::code), self.width, self.height] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(self.fingerprint.to_le_bytes());
        bytes.extend((self.sections.len() as u64).to_le_bytes()); // with the reserved field
        for field in [length as u64, self.payload_checksum, 0] {
            bytes.extend(field.to_le_bytes());
        }
        for Section { name, range } in &self.sections {
            bytes.extend(name.0);
            bytes.extend((range.start as u64).to_le_bytes());
            bytes.extend((range.len() as u64).to_le_bytes());
        }
        let checksum = checksum_of(&bytes);
        bytes[at::CHECKSUM..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

/// The header and table of a file, if it is an index file of the right length and their checksum matches.
fn intact_head(file: &[u8]) -> Result<&[u8], ArtifactError> {
    if !file.starts_with(&MAGIC) {
        return Err(ArtifactError::NotAnIndex);
    }
    let found = file.len() as u64;
    if file.len() < HEADER_BYTES {
        return Err(ArtifactError::Truncated { found, expected: HEADER_BYTES as u64 });
    }
    check_version(u32_at(file, at::VERSION), u32_at(file, at::ENDIAN_MARK))?;
    // The file itself says how many bytes to check, so that number is bounded first.
    let (sections, length) = (u32_at(file, at::SECTIONS), u64_at(file, at::LENGTH));
    if sections as usize > MAX_SECTIONS {
        return Err(malformed(format!("it has {sections} sections, at most {MAX_SECTIONS} are allowed")));
    }
    let end = table_end(sections as usize);
    let head = file.get(..end).ok_or(ArtifactError::Truncated { found, expected: length.max(end as u64) })?;
    let (recorded, computed) = (u64_at(file, at::CHECKSUM), checksum_of(head));
    if recorded != computed {
        return Err(ArtifactError::DamagedHeader { expected: recorded, found: computed });
    }
    match found.cmp(&length) {
        Ordering::Less => Err(ArtifactError::Truncated { found, expected: length }),
        Ordering::Equal => Ok(head),
        Ordering::Greater => Err(ArtifactError::Overlong { found, expected: length }),
    }
}

/// The movement rule of a code; `None` if the file is for all maps, which requires `map` to be zero.
fn decode_movement(code: u32, map: (u32, u32, u64)) -> Result<Option<Movement>, ArtifactError> {
    match (Movement::from_code(code), map) {
        (Some(movement), _) => Ok(Some(movement)),
        (None, (0, 0, 0)) if code == ALL_MAPS => Ok(None),
        _ => Err(malformed(format!("the code {code} is not a movement rule"))),
    }
}

/// Reads the section table of a file of `length` bytes. A section begins at the first aligned byte after the one
/// before, and the last ends with the file: the same contents always have the same bytes.
fn decode_table(table: &[u8], length: usize) -> Result<Vec<Section>, ArtifactError> {
    let mut sections = Vec::<Section>::with_capacity(table.len() / ENTRY_BYTES);
    let mut end = HEADER_BYTES + table.len();
    for entry in table.chunks_exact(ENTRY_BYTES) {
        let (name, start, len) = (bytes_at(entry, 0), u64_at(entry, 16), u64_at(entry, 24));
        let name = Name::from_bytes(name).ok_or_else(|| malformed(bad_name("section", name)))?;
        let text = name.as_str();
        let expected = end.next_multiple_of(ALIGNMENT);
        if start != expected as u64 {
            return Err(malformed(format!("section `{text}` begins at byte {start}, expected {expected}")));
        }
        end = match start.checked_add(len) {
            Some(end) if end <= length as u64 => end as usize,
            _ => {
                return Err(malformed(format!(
                    "section `{text}` has {len} bytes from byte {start}, the file has {length}"
                )));
            }
        };
        if sections.iter().any(|section| section.name == name) {
            return Err(malformed(format!("two sections are named `{text}`")));
        }
        sections.push(Section { name, range: expected..end });
    }
    if end != length {
        return Err(malformed(format!("the sections end at byte {end}, the file at byte {length}")));
    }
    Ok(sections)
}

fn check_version(version: u32, mark: u32) -> Result<(), ArtifactError> {
    if mark != ENDIAN_MARK {
        return Err(malformed(format!("the byte order mark is {mark:08x}, expected {ENDIAN_MARK:08x}")));
    }
    match version {
        VERSION => Ok(()),
        0 => Err(malformed("the version is 0, the first is 1".to_owned())),
        found => Err(ArtifactError::ContainerVersion { found, supported: VERSION }),
    }
}

/// The checksum of the header and table, with the checksum field as zero.
fn checksum_of(bytes: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&bytes[..at::CHECKSUM]);
    hash.update(&[0; HEADER_BYTES - at::CHECKSUM]);
    hash.update(&bytes[HEADER_BYTES..]);
    hash.digest()
}

fn malformed(reason: String) -> ArtifactError {
    ArtifactError::Header { reason }
}

fn bad_name(what: &str, bytes: [u8; 16]) -> String {
    format!("`{}` is not a {what} name", bytes.escape_ascii())
}

/// A field; the caller has checked the length.
fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    *bytes[at..].first_chunk().expect("the length was checked")
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes_at(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes_at(bytes, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_1_to_16_visible_characters() {
        for text in ["a", "blocked-areas", "sixteen-letters-"] {
            assert_eq!(Name::new(text).unwrap().as_str(), text);
        }
        for text in ["", "seventeen-letters", "a b", "ä", "a\n", "a\0", "a\0b"] {
            assert!(Name::new(text).is_none(), "{text:?}");
        }
    }
}
