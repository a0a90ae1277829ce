//! All changes that this library makes on the disk, and all output of the command, go through here: each system call is
//! a [`Step`].
//!
//! Calls interrupted by a signal are repeated. In builds with debug assertions and the feature `faults`, which is for
//! tests, the environment variable `OCTILE_FAULT` can make any step fail, or end the process at it. Tests use this to
//! check that no fault at any step leaves half a file. Code that writes without this module escapes those tests.

use std::io::{self, ErrorKind, Write};

use super::faults;

/// A system call that changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A file is created.
    Create,
    /// A folder is created.
    Folder,
    /// Bytes are written to a file.
    Write,
    /// Written bytes are flushed to the disk itself.
    Sync,
    /// The permissions of a file are changed.
    Permissions,
    /// A file is renamed.
    Rename,
    /// A file or folder is removed.
    Remove,
    /// Bytes are written to standard output.
    Print,
}

/// Makes a call, and repeats it while signals interrupt it.
///
/// ```
/// use octile::files::disk::{Step, step};
/// let folder = tempfile::tempdir()?;
/// step(Step::Folder, || std::fs::create_dir(folder.path().join("maps")))?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The error of the call.
pub fn step<T>(step: Step, mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match begin(step).and_then(|()| call()) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// A writer each of whose writes is a step.
///
/// ```
/// use std::io::Write;
/// use octile::files::disk::{Step, Steps};
/// let mut printed = Steps::new(Vec::new(), Step::Print); // or standard output
/// printed.write_all(b"7 moves")?;
/// assert_eq!(printed.into_inner(), b"7 moves");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Steps<W> {
    inner: W,
    step: Step,
}

impl<W> Steps<W> {
    /// A writer whose writes are steps of this kind.
    pub fn new(inner: W, step: Step) -> Self {
        Self { inner, step }
    }

    /// The inner writer.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns the inner writer.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for Steps<W> {
    // The caller repeats an interrupted call, as `Write::write_all` does.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(fault) = faults::at(self.step) {
            return Err(fault.strike_within(&mut self.inner, bytes));
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn begin(step: Step) -> io::Result<()> {
    faults::at(step).map_or(Ok(()), |fault| Err(fault.strike()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_call_is_repeated() {
        let mut calls = 0;
        let done = step(Step::Sync, || {
            calls += 1;
            if calls < 3 { Err(ErrorKind::Interrupted.into()) } else { Ok(calls) }
        });
        assert_eq!(done.unwrap(), 3);
        let failed = step(Step::Sync, || Err::<(), _>(ErrorKind::StorageFull.into()));
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::StorageFull);
    }
}
