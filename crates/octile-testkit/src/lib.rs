//! What octile's own tests share: a naive oracle, a reader of case files, the one judge of answers, and which planners to
//! ask.

pub mod cases;
pub mod judge;
pub mod oracle;
pub mod planners;
