//! Blocked areas.
mod area;
mod detect;
mod tree;
pub use self::area::{Area, Strip};
pub use self::detect::Detection;
pub use self::tree::BaTree;
