//! Random programs played against an engine and a naive twin.
//!
//! A [`Program`] is data: a map, a planner spec and a list of operations of the public API. [`generate`] makes one from
//! a seed or from the bytes of a fuzzer, [`play`] plays it and compares every answer with the [twin](twin), [`verdict`]
//! says what a right answer is, and [`shrink`] makes a program that fails as small as it gets. A program prints itself
//! as Rust code, ready to be pasted into a test.

pub mod generate;
pub mod play;
pub mod program;
pub mod shrink;
pub mod twin;
pub mod verdict;

pub use self::play::{Counts, Rules, play};
pub use self::program::Program;
pub use self::shrink::shrink;

/// Why a program failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// One word for the kind of failure. A shrunk program fails in the same way.
    pub kind: &'static str,
    /// What is wrong.
    pub text: String,
}

impl Failure {
    /// A failure of a kind.
    pub fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// Fails unless something holds.
pub(crate) fn ensure(holds: bool, kind: &'static str, text: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(Failure::new(kind, text())) }
}
