//! Nothing: `tests/header.rs` makes `octile.h`, and says when it is stale.
