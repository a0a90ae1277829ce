//! Terrain jump.
mod diagonals;
mod follow;
mod lines;
mod search;
mod tables;
#[cfg(test)]
mod tests;
