//! The one way by which this library changes what is on the disk, and by which the command prints: each call to the
//! system is a [`Step`].
//!
//! A call that a signal interrupts is made again. In builds with debug assertions and the feature `faults`, which is
//! for tests, any step can be made to fail or to be the last of the process, as the environment variable `OCTILE_FAULT`
//! says: so tests can say that no fault at any step leaves half a file. What is written around this module escapes
//! those tests.

use std::io::{self, ErrorKind, Write};

use super::faults;

/// A call that changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A file is made.
    Create,
    /// A folder is made.
    Folder,
    /// Bytes are written to a file.
    Write,
    /// What was written is brought to the disk itself.
    Sync,
    /// The permissions of a file are changed.
    Permissions,
    /// A file gets its name.
    Rename,
    /// A file or folder is removed.
    Remove,
    /// Bytes are written to standard output.
    Print,
}

/// Makes a call, again and again while signals interrupt it.
///
/// ```
/// use octile::files::disk::{Step, step};
/// let folder = tempfile::tempdir()?;
/// step(Step::Folder, || std::fs::create_dir(folder.path().join("maps")))?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// As the call.
pub fn step<T>(step: Step, mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match begin(step).and_then(|()| call()) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Anything that is written to, each call being a step.
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
    /// Written to by steps of this kind.
    pub fn new(inner: W, step: Step) -> Self {
        Self { inner, step }
    }

    /// What is written to.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for Steps<W> {
    // Whoever calls this makes an interrupted call again, as `Write::write_all` does.
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
    fn an_interrupted_call_is_made_again() {
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
