//! Maps drawn with characters: the quickest way to write a small map in a test or an example.
//!
//! A line a row; `.`, `G` and `S` are free, `@`, `O`, `T`, `W` and `#` blocked. Blank lines and the white space around
//! rows are ignored, so that a map can be indented in source code.

use std::str::FromStr;

use crate::error::GridError;
use crate::{Cell, Grid, GridBuilder};

/// A drawing that is not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AsciiError {
    /// A character means nothing here.
    #[error("line {line}, column {column}: unknown character `{}`: `.` is free, `@` or `#` blocked", .found.escape_default())]
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

/// Whether a character stands for a free cell; `None` if it stands for nothing.
pub(crate) fn is_free(character: char) -> Option<bool> {
    match character {
        '.' | 'G' | 'S' => Some(true),
        '@' | 'O' | 'T' | 'W' | '#' => Some(false),
        _ => None,
    }
}

impl FromStr for Grid {
    type Err = AsciiError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rows: Vec<(usize, &str)> =
            (1..).zip(text.lines()).map(|(line, row)| (line, row.trim())).filter(|(_, row)| !row.is_empty()).collect();
        let expected = rows.first().map_or(0, |(_, row)| row.chars().count());
        GridBuilder::check_size(expected as u64, rows.len() as u64)?;
        let mut builder = GridBuilder::new(expected as u32, rows.len() as u32)?;
        for (y, &(line, row)) in (0..).zip(&rows) {
            let found = row.chars().count();
            if found != expected {
                return Err(AsciiError::RowWidth { line, expected, found });
            }
            for (x, character) in (0..).zip(row.chars()) {
                let free = is_free(character).ok_or(AsciiError::Character {
                    line,
                    column: x as usize + 1,
                    found: character,
                })?;
                builder.set(Cell::new(x, y), free);
            }
        }
        Ok(builder.build())
    }
}

/// Draws a map, a line a row, free cells as `.` and blocked ones as `@`.
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
    }
}
