//! Maps drawn with characters: the quickest way to write a small map in a test or an example.
//!
//! A line a row; `.`, `G` and `S` are free, `@`, `O`, `T`, `W` and `#` blocked. Blank lines and the white space around
//! rows are ignored, so that a map can be indented in source code.
//!
//! A drawing with digits has prices: `1` to `9` are free cells of that price, `0` is blocked, and all others that are free have the price 1. It is under
//! [`Convention::Average`] until [`Grid::with_convention`] says otherwise.

use std::str::FromStr;

use crate::formats::text::{self, NotText};
use crate::geometry::Cell;
use crate::grid::{Convention, Grid, GridBuilder, GridError};

/// A drawing that is not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AsciiError {
    /// It is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// A character means nothing here.
    #[error("line {line}, column {column}: unknown character `{}`: `.` is free, `@` or `#` blocked, `1` to `9` a price", .found.escape_default())]
    Character {
        /// Line, from 1.
        line: usize,
        /// Column of the row, from 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// A row is longer or shorter than the first.
    #[error("line {line}: expected {expected} cells as in the first row, found {found}")]
    RowWidth {
        /// Line, from 1.
        line: usize,
        /// Cells in the first row.
        expected: usize,
        /// Cells in this row.
        found: usize,
    },
    /// The map is empty or too large.
    #[error(transparent)]
    Size(#[from] GridError),
}

/// Whether a letter of a MovingAI map stands for a free cell; `None` if it stands for nothing. Drawings have `#` besides.
#[inline]
pub(crate) const fn terrain(letter: u8) -> Option<bool> {
    match letter {
        b'.' | b'G' | b'S' => Some(true),
        b'@' | b'O' | b'T' | b'W' => Some(false),
        _ => None,
    }
}

/// Whether a character of a drawing stands for a free cell; `None` if it stands for nothing.
fn is_free(character: char) -> Option<bool> {
    price(character).map(|price| price != 0)
}

/// The price of a cell in a drawing, 0 if it is blocked; `None` if the character stands for nothing.
fn price(character: char) -> Option<u8> {
    match u8::try_from(character).ok()? {
        b'#' => Some(0),
        digit @ b'0'..=b'9' => Some(digit - b'0'),
        letter => terrain(letter).map(u8::from),
    }
}

/// Reads a drawing from the bytes of a file.
///
/// ```
/// let grid = octile::ascii::parse(b"..@\n...\n")?;
/// assert_eq!((grid.width(), grid.height()), (3, 2));
/// let error = octile::ascii::parse(b"..\n...\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: expected 2 cells as in the first row, found 3");
/// # Ok::<(), octile::ascii::AsciiError>(())
/// ```
///
/// # Errors
/// If they are not text, or the text is not a map.
pub fn parse(bytes: &[u8]) -> Result<Grid, AsciiError> {
    text::from_utf8(bytes)?.parse()
}

impl FromStr for Grid {
    type Err = AsciiError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rows = || rows(text);
        let width = rows().next().map_or(0, |(_, row)| row.chars().count());
        GridBuilder::check_size(width as u64, rows().count() as u64)?;
        // Nothing is allocated for the map before all its rows have been seen.
        for (line, row) in rows() {
            check_row(line, row, width)?;
        }
        let mut builder = GridBuilder::new(width as u32, rows().count() as u32)?;
        if text.bytes().any(|byte| byte.is_ascii_digit()) {
            builder = builder.convention(Convention::default());
            for (y, (_, row)) in (0..).zip(rows()) {
                for (x, character) in (0..).zip(row.chars()) {
                    builder.set_price((x, y), price(character).unwrap_or(0));
                }
            }
            return Ok(builder.build());
        }
        for (y, (_, row)) in (0..).zip(rows()) {
            builder.set_row(y, row.chars().map(|character| is_free(character) == Some(true)));
        }
        Ok(builder.build())
    }
}

/// The numbered lines that are not blank, without the white space around them.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).map(|(line, row)| (line, row.trim())).filter(|(_, row)| !row.is_empty())
}

fn check_row(line: usize, row: &str, expected: usize) -> Result<(), AsciiError> {
    if let Some((column, found)) = (1..).zip(row.chars()).find(|&(_, character)| is_free(character).is_none()) {
        return Err(AsciiError::Character { line, column, found });
    }
    let found = row.chars().count();
    if found == expected { Ok(()) } else { Err(AsciiError::RowWidth { line, expected, found }) }
}

/// Draws a map, a line a row, free cells as `.` and blocked ones as `@`.
///
/// ```
/// let grid: octile::Grid = "#.\nGT".parse()?;
/// assert_eq!(octile::ascii::write(&grid), "@.\n.@\n");
/// # Ok::<(), octile::ascii::AsciiError>(())
/// ```
pub fn write(grid: &Grid) -> String {
    let mut text = String::with_capacity((grid.width() as usize + 1) * grid.height() as usize);
    for y in 0..grid.height() {
        text.extend((0..grid.width()).map(|x| if grid.is_free(Cell::new(x, y)) { '.' } else { '@' }));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let grid: Grid = "\n  ..@.\n  .#GS\n  TWO.\n".parse().unwrap();
        assert_eq!(write(&grid), "..@.\n.@..\n@@@.\n");
        assert_eq!(write(&grid).parse::<Grid>().unwrap(), grid);
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let message = |text: &str| text.parse::<Grid>().unwrap_err().to_string();
        assert!(message("").contains("0 x 0"));
        assert_eq!(message("..\n...\n"), "line 2: expected 2 cells as in the first row, found 3");
        assert!(message("..\n.x\n").starts_with("line 2, column 2: unknown character `x`"));
        assert!(message("..\n  é.\n").starts_with("line 2, column 1: unknown character `\\u{e9}`"));
        assert!(parse(b"..\n.\xff").unwrap_err().to_string().starts_with("line 2, column 2: byte 0xff"));
    }
}
