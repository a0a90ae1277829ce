//! Memory-mapped files.

#![allow(unsafe_code, reason = "mapping a file is unsafe because others may change it; indexes are too large to copy")]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Maps a file for reading.
pub(super) fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the bytes must not change while they are mapped, which is up to everyone who may write the file. octile
    // itself writes a new file beside the old one and renames it: a file is replaced, never changed, and the mapped
    // bytes stay the same. A process that truncates a mapped file can kill its readers; `Artifact::open` documents
    // that.
    unsafe { Mmap::map(&file) }
}
