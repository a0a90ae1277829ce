//! Maps drawn with characters: the quickest way to write a small map in a test or an example.
//!
//! Each line is a row; `.`, `G` and `S` are free, `@`, `O`, `T`, `W` and `#` blocked. Blank lines and the white space
//! around rows are ignored, so that a map can be indented in source code.
//!
//! A drawing with digits has prices: `1` to `9` are free cells of that price, `0` is blocked, and all other free
//! characters have the price 1. It uses [`Convention::Average`]; change that with [`Grid::with_convention`]. With a
//! [price file](crate::formats::PriceFile) that file defines the characters: [`terrain`] reads them.

use std::str::FromStr;

use crate::formats::text::{self, NotText};
use crate::geometry::Cell;
use crate::grid::{Convention, Grid, GridBuilder, GridError, Terrain};

/// A drawing that is not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AsciiError {
    /// It is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// A character without a meaning.
    #[error("line {line}, column {column}: unknown character `{}`: `.` is free, `@` or `#` blocked, `1` to `9` a price", .found.escape_default())]
    Character {
        /// Line, from 1.
        line: usize,
        /// Column of the row, from 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// A character that cannot be used in a map, whatever its price.
    #[error("line {line}, column {column}: `{}` is not a map letter: use a visible ASCII character", .found.escape_default())]
    Letter {
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
        /// The number of cells in the first row.
        expected: usize,
        /// The number of cells in this row.
        found: usize,
    },
    /// The map is empty or too large.
    #[error(transparent)]
    Size(#[from] GridError),
}

/// Whether a letter of a MovingAI map is a free cell; `None` for an unknown letter. Drawings also use `#`.
#[inline]
pub(crate) const fn is_free_letter(letter: u8) -> Option<bool> {
    match letter {
        b'.' | b'G' | b'S' => Some(true),
        b'@' | b'O' | b'T' | b'W' => Some(false),
        _ => None,
    }
}

/// Whether a character of a drawing is a free cell; `None` for an unknown character.
fn is_free(character: char) -> Option<bool> {
    price(character).map(|price| price != 0)
}

/// The price of a cell in a drawing, 0 if it is blocked; `None` for an unknown character.
fn price(character: char) -> Option<u8> {
    match u8::try_from(character).ok()? {
        b'#' => Some(0),
        digit @ b'0'..=b'9' => Some(digit - b'0'),
        letter => is_free_letter(letter).map(u8::from),
    }
}

/// Reads a drawing from the bytes of a file.
///
/// ```
/// let grid = octile::formats::ascii::parse(b"..@\n...\n")?;
/// assert_eq!((grid.width(), grid.height()), (3, 2));
/// let error = octile::formats::ascii::parse(b"..\n...\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: expected 2 cells as in the first row, found 3");
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
///
/// # Errors
/// If they are not text, or the text is not a map.
pub fn parse(bytes: &[u8]) -> Result<Grid, AsciiError> {
    text::from_utf8(bytes)?.parse()
}

/// Reads the characters of a drawing as terrain classes; any visible ASCII character is allowed.
///
/// ```
/// let terrain = octile::formats::ascii::terrain(b".~#\n.~~\n")?;
/// assert_eq!(terrain.class((1, 0)), Some(b'~'));
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
///
/// # Errors
/// If they are not text, or the rows differ in width.
pub fn terrain(bytes: &[u8]) -> Result<Terrain, AsciiError> {
    let text = text::from_utf8(bytes)?;
    let is_letter = |character: char| character.is_ascii_graphic();
    let (width, height) =
        check_rows(text, is_letter, |line, column, found| AsciiError::Letter { line, column, found })?;
    let classes: Vec<u8> = rows(text).flat_map(|(_, row)| row.bytes()).collect();
    Ok(Terrain::new(width, height, classes)?)
}

/// The line of a row of a drawing, from 1.
pub(super) fn line_of_row(bytes: &[u8], y: u32) -> usize {
    text::from_utf8(bytes).ok().and_then(|text| rows(text).nth(y as usize)).map_or(1, |(line, _)| line)
}

impl FromStr for Grid {
    type Err = AsciiError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rows = || rows(text);
        let unknown = |line, column, found| AsciiError::Character { line, column, found };
        let (width, height) = check_rows(text, |character| is_free(character).is_some(), unknown)?;
        let mut builder = GridBuilder::new(width, height)?;
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

/// The lines that are not blank, with their numbers and without surrounding white space.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).map(|(line, row)| (line, row.trim())).filter(|(_, row)| !row.is_empty())
}

/// Checks all rows and returns the size of the map. Nothing is allocated for the map before that.
fn check_rows(
    text: &str,
    is_known: impl Fn(char) -> bool,
    unknown: impl Fn(usize, usize, char) -> AsciiError,
) -> Result<(u32, u32), AsciiError> {
    let expected = rows(text).next().map_or(0, |(_, row)| row.chars().count());
    let height = rows(text).count();
    GridBuilder::check_size(expected as u64, height as u64)?;
    for (line, row) in rows(text) {
        if let Some((column, found)) = (1..).zip(row.chars()).find(|&(_, character)| !is_known(character)) {
            return Err(unknown(line, column, found));
        }
        let found = row.chars().count();
        if found != expected {
            return Err(AsciiError::RowWidth { line, expected, found });
        }
    }
    Ok((expected as u32, height as u32))
}

/// Draws a map, one line per row, with `.` for free cells and `@` for blocked ones. Prices are drawn as digits if none
/// is above 9, and otherwise left out: [`to_letters`](crate::formats::prices::to_letters) has letters for them.
///
/// ```
/// let grid: octile::Grid = "#.\nGT".parse()?;
/// assert_eq!(octile::formats::ascii::write(&grid), "@.\n.@\n");
/// let grid: octile::Grid = "#.\n25".parse()?;
/// assert_eq!(octile::formats::ascii::write(&grid), "@1\n25\n");
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
pub fn write(grid: &Grid) -> String {
    if grid.convention().is_some() && has_digits(grid) {
        // Without a free cell, only this character shows that the map has prices.
        let blocked = if grid.free_cells() == 0 { '0' } else { '@' };
        return draw(grid, |cell| match grid.price(cell) {
            0 => blocked,
            price => char::from(b'0' + price),
        });
    }
    write_plain(grid)
}

/// Draws a map without its prices.
pub(super) fn write_plain(grid: &Grid) -> String {
    draw(grid, |cell| if grid.is_free(cell) { '.' } else { '@' })
}

/// Whether [`write()`] draws all prices of a map: prices from 1 to 9 have digits.
///
/// ```
/// use octile::Grid;
/// use octile::formats::ascii;
/// use octile::grid::Convention;
/// let of_price = |price| Grid::from_prices(2, 1, Convention::Average, |_| price);
/// assert!(ascii::has_digits(&of_price(9)?) && !ascii::has_digits(&of_price(10)?));
/// # Ok::<(), octile::GridError>(())
/// ```
pub fn has_digits(grid: &Grid) -> bool {
    grid.cells().all(|cell| grid.price(cell) <= 9)
}

fn draw(grid: &Grid, character: impl Fn(Cell) -> char) -> String {
    let mut text = String::with_capacity((grid.width() as usize + 1) * grid.height() as usize);
    for y in 0..grid.height() {
        text.extend((0..grid.width()).map(|x| character(Cell::new(x, y))));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_maps_read_back() {
        let grid: Grid = "\n  ..@.\n  .#GS\n  TWO.\n".parse().unwrap();
        assert_eq!(write(&grid), "..@.\n.@..\n@@@.\n");
        assert_eq!(write(&grid).parse::<Grid>().unwrap(), grid);
        let priced: Grid = "1.@\n950".parse().unwrap();
        assert_eq!(write(&priced), "11@\n95@\n");
        assert_eq!(write(&priced).parse::<Grid>().unwrap(), priced);
        let none: Grid = "0@".parse().unwrap();
        assert_eq!(write(&none).parse::<Grid>().unwrap(), none);
        let expensive = priced.with_prices(Convention::Average, |_| 10);
        assert_eq!(write(&expensive), "..@\n..@\n");
    }

    #[test]
    fn visible_characters_are_classes() {
        let terrain = terrain(b"\n  .~#\n\n  x1@\n").unwrap();
        assert_eq!((terrain.width(), terrain.height(), terrain.classes()), (3, 2, &b".~#x1@"[..]));
        assert_eq!([0, 1].map(|y| line_of_row(b"\n  .~#\n\n  x1@\n", y)), [2, 4]);
        let message = |text: &str| super::terrain(text.as_bytes()).unwrap_err().to_string();
        assert!(message("..\n.é\n").starts_with("line 2, column 2: `\\u{e9}` is not a map letter"));
        assert!(message(". .\n").starts_with("line 1, column 2: ` ` is not a map letter"));
        assert_eq!(message("..\n.\n"), "line 2: expected 2 cells as in the first row, found 1");
        assert!(message("").contains("0 x 0"));
    }

    #[test]
    fn faults_are_reported_with_their_position() {
        let message = |text: &str| text.parse::<Grid>().unwrap_err().to_string();
        assert!(message("").contains("0 x 0"));
        assert_eq!(message("..\n...\n"), "line 2: expected 2 cells as in the first row, found 3");
        assert!(message("..\n.x\n").starts_with("line 2, column 2: unknown character `x`"));
        assert!(message("..\n  é.\n").starts_with("line 2, column 1: unknown character `\\u{e9}`"));
        assert!(parse(b"..\n.\xff").unwrap_err().to_string().starts_with("line 2, column 2: byte 0xff"));
    }
}
