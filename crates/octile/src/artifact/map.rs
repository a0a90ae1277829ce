//! Files as memory: the one call of this module that the compiler cannot check.

#![allow(unsafe_code, reason = "mapping a file is unsafe, as others may change it; indexes are too large to be copied")]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Maps a file for reading.
pub(super) fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the bytes must not change while they are mapped, and whoever may write the file upholds that. octile
    // does: it writes a new file beside the old and renames it, so a file is replaced, never changed, and what is
    // mapped stays as it was. A process that truncates a mapped file can kill those that read it; `Artifact::open`
    // tells its callers.
    unsafe { Mmap::map(&file) }
}
