//! Programs that must be small, such as the npm package: the feature `small`.

/// Whether searches that are run rarely share compiled instances instead of having one each. It changes no answer.
/// All code asks this constant, but for two attributes in `algo/block_astar/lddb/cells.rs`, which cannot.
pub(crate) const SMALL: bool = cfg!(feature = "small");
