//! What octile's own tests share: a naive oracle, a reader of case files, and the one judge of answers.

pub mod cases;
pub mod judge;
pub mod oracle;
