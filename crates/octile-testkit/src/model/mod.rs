//! Random programs played against an engine and a naive twin.
//!
//! A [`Program`] is data: a map, a planner spec and a list of operations of the public API. [`generate`] makes one from
//! a seed or from the bytes of a fuzzer, [`play()`] plays it and compares every answer with the [`twin`], [`verdict`]
//! defines what a right answer is, and [`shrink()`] reduces a failing program as far as possible. A program prints
//! itself as Rust code, ready to be pasted into a test.

mod ask;
mod change;
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

#[cfg(test)]
mod tests {
    use octile::geometry::Weight;
    use octile::{Engine, Grid, Guarantee, Planner, WeightedAstar};

    use super::generate::nth;
    use super::*;
    use crate::judge::tests::Claiming;

    /// An engine whose paths are longer than it promises.
    fn wrong_engine(_: &str, grid: &Grid) -> Result<Engine, String> {
        let weight: Weight = "100".parse().expect("a weight");
        let planner = WeightedAstar::default().weight(weight).planner(grid).map_err(|error| error.to_string())?;
        let planner: Box<dyn Planner> = Box::new(Claiming::new(planner, Guarantee::GridOptimal));
        Ok(Engine::of(planner))
    }

    #[test]
    fn a_wrong_planner_is_found_and_its_program_shrinks() {
        let rules = Rules { engine: wrong_engine, ..Rules::default() };
        let specs = ["astar".to_owned()];
        let fails = |program: &Program| play(program, &rules).is_err();
        let found = (0..200).map(|number| nth(&specs, 1, number)).find(fails).expect("some programs must fail");
        assert!(play(&found, &Rules::default()).is_ok(), "the planner itself is right");
        let small = shrink(found, fails);
        assert!(small.ops.len() == 1 && small.map.cells.len() <= 20, "{small}");
    }

    #[test]
    fn panics_are_failures() {
        let engine = |_: &str, _: &Grid| -> Result<Engine, String> { panic!("on purpose") };
        let failure = play(&nth(&["astar".to_owned()], 1, 0), &Rules { engine, ..Rules::default() }).unwrap_err();
        assert_eq!((failure.kind, failure.text.ends_with("on purpose")), ("panic", true), "{failure:?}");
    }

    #[test]
    fn bytes_make_programs_of_every_length() {
        let bytes: Vec<u8> = (0..=255).cycle().take(600).collect();
        for end in [0, 1, 7, 100, 600] {
            let program = generate::from_bytes(&bytes[..end]);
            assert!(!program.map.cells.is_empty() && (end < 600 || !program.ops.is_empty()), "{program}");
        }
    }
}
