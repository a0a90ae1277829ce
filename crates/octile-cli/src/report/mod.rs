//! The forms that results take: text for people, JSON documents, JSON lines, comma-separated values, arrays for numpy.

pub(crate) mod csv;
pub(crate) mod dynamic;
pub(crate) mod json;
pub(crate) mod jsonl;
pub(crate) mod npy;
pub(crate) mod text;
