//! octile for C, as far as it is Rust: thin functions around the library's own. What C programmers read is
//! `include/octile.h`, which a test makes from the comments here and the preamble in `cbindgen.toml`.
//!
//! Handles are boxes, given out as pointers and taken back to be freed. A parameter `Option<&T>` is a pointer of C that
//! may be NULL and points to a `T` otherwise, which is all that the caller promises. What comes back from C as a number
//! is never an enum of Rust: names are text.

#![expect(unsafe_code, reason = "pointers of C are followed, and functions have the names that C calls them by")]
#![expect(non_camel_case_types, reason = "types have the names that C knows them by")]
#![expect(unreachable_pub, reason = "what C sees is public, wherever it stands")]
#![expect(clippy::doc_markdown, reason = "comments are read in the header, by C programmers")]

mod ask;
mod border;
mod catalog;
mod edits;
mod engine;
mod field;
mod flag;
mod grid;
mod index;
mod path;
mod pointers;
mod routes;
mod version;
