//! Shared by all text readers: decoding UTF-8, with the position of the first invalid byte.

/// Bytes that are not UTF-8 text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: byte {byte:#04x} is not UTF-8 text: this is not a text file, or it is damaged")]
pub struct NotText {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// The first byte that cannot be read.
    pub byte: u8,
}

/// Decodes the bytes, without the byte order mark that some editors write first.
pub(crate) fn from_utf8(bytes: &[u8]) -> Result<&str, NotText> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let (text, rest) = bytes.split_at(error.valid_up_to());
        let (line, last) = (1..).zip(text.split(|&byte| byte == b'\n')).last().unwrap_or((1, text));
        let column = String::from_utf8_lossy(last).chars().count() + 1;
        NotText { line, column, byte: rest.first().copied().unwrap_or_default() }
    })
}

/// The start of a possibly very long text, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut excerpt = String::new();
    for character in text.chars().take(LONGEST) {
        match character {
            '\'' | '"' => excerpt.push(character),
            _ => excerpt.extend(character.escape_debug()),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        excerpt.push_str("...");
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_byte_is_reported_with_its_position() {
        assert_eq!(from_utf8(b"ab\ncd\n\xc3\xa9\xff.."), Err(NotText { line: 3, column: 2, byte: 0xff }));
        assert_eq!(from_utf8(b"\xc3"), Err(NotText { line: 1, column: 1, byte: 0xc3 }));
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(from_utf8(b"\xef\xbb\xbfabc"), Ok("abc"));
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("a\tb\u{1b}'é'"), "a\\tb\\u{1b}'é'");
        assert_eq!(excerpt(&"x".repeat(1000)), format!("{}...", "x".repeat(40)));
    }
}
