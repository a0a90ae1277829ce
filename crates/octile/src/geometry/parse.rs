//! One error for all texts that should name a value of a plain type.

/// A text that cannot be parsed, with what to write instead.
///
/// ```
/// use octile::Movement;
/// let error = "diagonal".parse::<Movement>().unwrap_err();
/// assert_eq!(error.to_string(), "`diagonal` is not a movement rule: use octile, tile or octile-cutting");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {what}: {instead}")]
pub struct ParseError {
    text: String,
    what: &'static str,
    instead: String,
}

impl ParseError {
    /// For a text that is not `what`, such as "a cell"; `instead` says what to write.
    pub(crate) fn new(text: &str, what: &'static str, instead: impl Into<String>) -> Self {
        Self { text: text.to_owned(), what, instead: instead.into() }
    }

    /// For a text that is not `what`, which has one of some names.
    pub(crate) fn unknown_name(text: &str, what: &'static str, names: &[&str]) -> Self {
        let instead = match names {
            [first @ .., last] if !first.is_empty() => format!("use {} or {last}", first.join(", ")),
            _ => format!("use {}", names.concat()),
        };
        Self::new(text, what, instead)
    }

    /// The text as given.
    pub fn text(&self) -> &str {
        &self.text
    }
}
