//! MovingAI `.map` files.
//!
//! A header (`type octile`, `height H`, `width W`, `map`), then `H` rows of `W` letters: `.`, `G` and `S` are free,
//! `@`, `O`, `T` and `W` blocked. The reader accepts what real files contain: header lines in any order, tabs or
//! spaces, CRLF, white space after rows, blank lines at the end, no newline at the end. Whatever the header claims,
//! nothing is allocated for the map before all its rows have been checked.
//!
//! With a [price file](crate::formats::PriceFile) that file defines the letters, which may be any visible ASCII
//! characters: [`terrain`] reads them.

use crate::formats::ascii;
use crate::formats::text::{self, NotText};
use crate::grid::{Grid, GridBuilder, GridError, Terrain};

/// The file is not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// It is empty.
    #[error("the file is empty: a MovingAI map starts with `type octile`")]
    Empty,
    /// It is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// A line before the rows is not a header line.
    #[error(
        "line {line}: `{found}` is not a header line of a map: expected `type octile`, `height N`, `width N` or `map`"
    )]
    Header {
        /// Line, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
    },
    /// A header line has no value, or an invalid one.
    #[error("line {line}: `{key} {found}`: expected {expected} after `{key}`")]
    HeaderValue {
        /// Line, from 1.
        line: usize,
        /// The first word of the header line.
        key: &'static str,
        /// The value, shortened.
        found: String,
        /// The value expected.
        expected: &'static str,
    },
    /// A header line is repeated.
    #[error("line {line}: the header has a second `{key}` line")]
    Repeated {
        /// Line, from 1.
        line: usize,
        /// The first word of the header line.
        key: &'static str,
    },
    /// A header line is missing.
    #[error("the header has no `{key}` line: the file is truncated or not a MovingAI map")]
    Missing {
        /// The first word of the header line.
        key: &'static str,
    },
    /// The header gives a size that no map can have.
    #[error("in the header: {0}")]
    Size(GridError),
    /// An unknown letter.
    #[error(
        "line {line}, column {column}: unknown terrain `{}`: `.`, `G` and `S` are free, `@`, `O`, `T` and `W` blocked",
        .found.escape_default()
    )]
    Terrain {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The letter.
        found: char,
    },
    /// A character that cannot be used in a map, whatever its price.
    #[error("line {line}, column {column}: `{}` is not a map letter: use a visible ASCII character", .found.escape_default())]
    Letter {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// A row is not as wide as the header says.
    #[error("line {line}: expected {expected} cells, found {found}")]
    RowWidth {
        /// Line, from 1.
        line: usize,
        /// The width in the header.
        expected: u32,
        /// The number of cells in this row.
        found: usize,
    },
    /// There are fewer rows than the header states.
    #[error("expected {expected} rows, found {found}: the file is truncated or the height is wrong")]
    TooFewRows {
        /// The height in the header.
        expected: u32,
        /// The number of rows in the file.
        found: u32,
    },
    /// There are more rows than the header states.
    #[error("line {line}: expected {expected} rows, found more: the height is wrong or the file has other lines")]
    TooManyRows {
        /// Line of the first extra row, from 1.
        line: usize,
        /// The height in the header.
        expected: u32,
    },
}

/// Reads a map.
///
/// ```
/// use octile::formats::movingai::map;
/// let grid = map::parse(b"type octile\nheight 2\nwidth 3\nmap\n..T\nG.@\n")?;
/// assert_eq!(grid.free_cells(), 4);
/// let error = map::parse(b"type octile\nheight 2\nwidth 3\nmap\n...\n").unwrap_err();
/// assert!(error.to_string().starts_with("expected 2 rows, found 1"));
/// # Ok::<(), map::MapError>(())
/// ```
///
/// # Errors
/// If the file is not a map, with the line, what was expected and what was found.
pub fn parse(bytes: &[u8]) -> Result<Grid, MapError> {
    let Rows { width, height, lines } = Rows::read(bytes)?;
    let is_invalid = |row: &str| row.bytes().fold(0, |seen, letter| seen | TERRAIN[usize::from(letter)]) & UNKNOWN != 0;
    check_rows(lines.clone(), width, height, is_invalid, unknown_terrain)?;
    let mut builder = GridBuilder::new(width, height).map_err(MapError::Size)?;
    let mut cells = vec![0; width as usize];
    for (y, (_, row)) in (0..height).zip(lines) {
        for (cell, letter) in cells.iter_mut().zip(row.bytes()) {
            *cell = TERRAIN[usize::from(letter)];
        }
        builder.set_row_bytes(y, &cells);
    }
    Ok(builder.build())
}

/// Reads the letters of a map as terrain classes; any visible ASCII character is allowed.
///
/// ```
/// use octile::formats::movingai::map;
/// let terrain = map::terrain(b"type octile\nheight 1\nwidth 3\nmap\n.~W\n")?;
/// assert_eq!(terrain.class((1, 0)), Some(b'~'));
/// # Ok::<(), map::MapError>(())
/// ```
///
/// # Errors
/// If the file is not a map; see [`parse`].
pub fn terrain(bytes: &[u8]) -> Result<Terrain, MapError> {
    let Rows { width, height, lines } = Rows::read(bytes)?;
    let is_invalid = |row: &str| !row.bytes().all(|letter| letter.is_ascii_graphic());
    check_rows(lines.clone(), width, height, is_invalid, |line, row| {
        let (column, found) = first(row, |letter| letter.is_ascii_graphic());
        MapError::Letter { line, column, found }
    })?;
    let mut classes = Vec::with_capacity(width as usize * height as usize);
    lines.for_each(|(_, row)| classes.extend(row.bytes()));
    Terrain::new(width, height, classes).map_err(MapError::Size)
}

/// The line of a row of a map, from 1.
pub(crate) fn line_of_row(bytes: &[u8], y: u32) -> usize {
    Rows::read(bytes).map_or(1, |rows| rows.lines.line + 1 + y as usize)
}

/// Writes a map with `.` for free cells and `@` for blocked ones. The format has no field for the movement rule and
/// none for prices; for prices see [`write_terrain`].
///
/// ```
/// use octile::formats::movingai::map;
/// let grid: octile::Grid = "..#".parse()?;
/// assert_eq!(map::write(&grid), "type octile\nheight 1\nwidth 3\nmap\n..@\n");
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
pub fn write(grid: &Grid) -> String {
    format!("type octile\nheight {}\nwidth {}\nmap\n{}", grid.height(), grid.width(), ascii::write_plain(grid))
}

/// Writes a map with the letters of its classes, to be read with a price file; `None` if a class is not a letter.
/// [`to_letters`](crate::formats::prices::to_letters) gives the classes and the price file of a map with prices.
///
/// ```
/// use octile::formats::movingai::map;
/// use octile::grid::Terrain;
/// let terrain = Terrain::new(3, 1, *b".~W")?;
/// assert_eq!(map::write_terrain(&terrain).as_deref(), Some("type octile\nheight 1\nwidth 3\nmap\n.~W\n"));
/// assert_eq!(map::write_terrain(&Terrain::new(1, 1, [0])?), None);
/// # Ok::<(), octile::GridError>(())
/// ```
pub fn write_terrain(terrain: &Terrain) -> Option<String> {
    let mut text = format!("type octile\nheight {}\nwidth {}\nmap\n", terrain.height(), terrain.width());
    for row in terrain.classes().chunks(terrain.width() as usize) {
        text.push_str(std::str::from_utf8(row).ok().filter(|row| row.bytes().all(|letter| letter.is_ascii_graphic()))?);
        text.push('\n');
    }
    Some(text)
}

/// Numbered lines without trailing white space.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    rest: Option<&'a str>,
    line: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text, from 1.
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: Some(text), line: 0 }
    }

    /// The next line that is not blank.
    pub(super) fn next_filled(&mut self) -> Option<(usize, &'a str)> {
        self.find(|(_, line)| !line.is_empty())
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        let (line, rest) = rest.split_once('\n').map_or((rest, None), |(line, rest)| (line, Some(rest)));
        self.rest = rest;
        self.line += 1;
        Some((self.line, line.trim_ascii_end()))
    }
}

/// The rows of a map, and the size stated in its header.
struct Rows<'a> {
    width: u32,
    height: u32,
    lines: Lines<'a>,
}

impl<'a> Rows<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, MapError> {
        let text = text::from_utf8(bytes)?.trim_ascii_end();
        if text.is_empty() {
            return Err(MapError::Empty);
        }
        let mut lines = Lines::of(text);
        let (width, height) = Header::read(&mut lines)?.size()?;
        Ok(Self { width, height, lines })
    }
}

/// The fields of a header.
#[derive(Default)]
struct Header {
    octile: Option<()>,
    height: Option<u64>,
    width: Option<u64>,
}

impl Header {
    /// Reads up to and including the line `map`.
    fn read(lines: &mut Lines) -> Result<Self, MapError> {
        let mut header = Self::default();
        let octile = |value: &str| (value == "octile").then_some(());
        let size = |value: &str| value.parse().ok();
        for (line, text) in lines {
            let mut words = text.split_ascii_whitespace();
            let Some(key) = words.next() else { continue };
            let (value, more) = (words.next().unwrap_or_default(), words.next());
            match key {
                _ if more.is_some() => return Err(MapError::Header { line, found: text::excerpt(text) }),
                "map" if value.is_empty() => return Ok(header),
                "type" => set(&mut header.octile, line, "type", value, "octile", octile)?,
                "height" => set(&mut header.height, line, "height", value, SIZE, size)?,
                "width" => set(&mut header.width, line, "width", value, SIZE, size)?,
                _ => return Err(MapError::Header { line, found: text::excerpt(text) }),
            }
        }
        Err(MapError::Missing { key: "map" })
    }

    /// The width and height, if the header states them and they are valid.
    fn size(&self) -> Result<(u32, u32), MapError> {
        self.octile.ok_or(MapError::Missing { key: "type" })?;
        let height = self.height.ok_or(MapError::Missing { key: "height" })?;
        let width = self.width.ok_or(MapError::Missing { key: "width" })?;
        GridBuilder::check_size(width, height).map_err(MapError::Size)?;
        Ok((width as u32, height as u32))
    }
}

const SIZE: &str = "a number of cells";

/// Sets a header field, which must not be set yet.
fn set<T>(
    field: &mut Option<T>,
    line: usize,
    key: &'static str,
    value: &str,
    expected: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<(), MapError> {
    if field.is_some() {
        return Err(MapError::Repeated { line, key });
    }
    *field = parse(value);
    if field.is_none() {
        return Err(MapError::HeaderValue { line, key, found: text::excerpt(value), expected });
    }
    Ok(())
}

/// In [`TERRAIN`]: a free cell. A blocked cell is 0.
pub(super) const FREE: u8 = 1;

/// In [`TERRAIN`]: an unknown letter.
pub(super) const UNKNOWN: u8 = 2;

/// [`ascii::is_free_letter`] as a table: maps have millions of letters, in an order that branches cannot predict.
pub(super) const TERRAIN: [u8; 256] = {
    let mut table = [UNKNOWN; 256];
    let mut letter = 0;
    while letter < 256 {
        if let Some(free) = ascii::is_free_letter(letter as u8) {
            table[letter] = if free { FREE } else { 0 };
        }
        letter += 1;
    }
    table
};

/// Checks that all rows exist and are well formed.
fn check_rows(
    lines: Lines,
    width: u32,
    height: u32,
    is_invalid: impl Fn(&str) -> bool,
    fault: impl Fn(usize, &str) -> MapError,
) -> Result<(), MapError> {
    let mut rows = 0;
    for (line, row) in lines {
        if rows == height {
            return Err(MapError::TooManyRows { line, expected: height });
        }
        if is_invalid(row) {
            return Err(fault(line, row));
        }
        if row.len() != width as usize {
            return Err(MapError::RowWidth { line, expected: width, found: row.len() });
        }
        rows += 1;
    }
    if rows < height { Err(MapError::TooFewRows { expected: height, found: rows }) } else { Ok(()) }
}

/// The error for the first unknown letter of `row`.
#[cold]
fn unknown_terrain(line: usize, row: &str) -> MapError {
    let (column, found) = unknown_letter(row);
    MapError::Terrain { line, column, found }
}

/// The column and the character of the first unknown letter of `row`.
pub(super) fn unknown_letter(row: &str) -> (usize, char) {
    first(row, |letter| u8::try_from(letter).ok().and_then(ascii::is_free_letter).is_some())
}

/// The column and the value of the first unknown character.
fn first(row: &str, is_known: impl Fn(char) -> bool) -> (usize, char) {
    (1..).zip(row.chars()).find(|&(_, letter)| !is_known(letter)).unwrap_or((1, ' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "type octile\nheight 2\nwidth 3\nmap\n.@G\nSTW\n";

    fn message(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn letters_mean_what_the_benchmark_says() {
        assert_eq!(ascii::write(&parse(SMALL.as_bytes()).unwrap()), ".@.\n.@@\n");
        assert_eq!(parse(b"type octile\nheight 1\nwidth 7\nmap\n.GS@OTW").unwrap().free_cells(), 3);
        assert!(message("type octile\nheight 1\nwidth 2\nmap\n.#").contains("column 2: unknown terrain `#`"));
    }

    #[test]
    fn variants_found_in_real_files_read_alike() {
        let expected = parse(SMALL.as_bytes()).unwrap();
        let variants = [
            SMALL.replace('\n', "\r\n"),
            SMALL.replace(' ', "\t"),
            SMALL.replace('\n', " \t\n"),
            SMALL.trim_end().to_owned(),
            format!("{SMALL}\n\n  \r\n"),
            format!("\u{feff}{SMALL}"),
            format!("\n{SMALL}"),
            SMALL.replace("height 2\nwidth 3\n", "width 3\nheight 2\n"),
            SMALL.replace("type octile\n", "").replace("map\n", "type octile\nmap\n"),
        ];
        for variant in variants {
            assert_eq!(parse(variant.as_bytes()).as_ref(), Ok(&expected), "{variant:?}");
        }
    }

    #[test]
    fn written_maps_read_back() {
        let grid = parse(SMALL.as_bytes()).unwrap();
        assert_eq!(write(&grid), "type octile\nheight 2\nwidth 3\nmap\n.@.\n.@@\n");
        assert_eq!(parse(write(&grid).as_bytes()), Ok(grid));
    }

    #[test]
    fn visible_letters_are_classes() {
        let text = SMALL.replace("STW", "#~5");
        let read = terrain(text.as_bytes()).unwrap();
        assert_eq!((read.width(), read.height(), read.classes()), (3, 2, &b".@G#~5"[..]));
        assert_eq!(write_terrain(&read), Some(text.clone()));
        assert_eq!([0, 1].map(|y| line_of_row(text.as_bytes(), y)), [5, 6]);
        let message = |text: &str| terrain(text.as_bytes()).unwrap_err().to_string();
        assert!(message(&SMALL.replace("STW", "éTW")).starts_with("line 6, column 1: `\\u{e9}` is not a map letter"));
        assert!(message(&SMALL.replace("STW", "S W")).starts_with("line 6, column 2: ` ` is not a map letter"));
        assert_eq!(message(&SMALL.replace(".@G", ".@")), "line 5: expected 3 cells, found 2");
        assert!(message("").starts_with("the file is empty"));
    }

    #[test]
    fn maps_with_prices_are_written_without_them() {
        let grid: Grid = "19@".parse().unwrap();
        assert_eq!(parse(write(&grid).as_bytes()), Ok(grid.without_prices()));
    }

    #[test]
    fn rows_of_any_width_read_back() {
        for width in 1..70 {
            let grid = Grid::from_fn(width, 3, |cell| (cell.x * cell.x + cell.y) % 3 != 1).unwrap();
            assert_eq!(parse(write(&grid).as_bytes()), Ok(grid));
        }
    }

    #[test]
    fn wrong_sizes_are_reported_with_both_values() {
        assert_eq!(message(&SMALL.replace(".@G", ".@")), "line 5: expected 3 cells, found 2");
        assert_eq!(message(&SMALL.replace("STW", "STWW")), "line 6: expected 3 cells, found 4");
        assert_eq!(message(&SMALL.replace(".@G\n", ".@G\n\n")), "line 6: expected 3 cells, found 0");
        assert_eq!(
            message(&SMALL.replace("height 2", "height 9")),
            "expected 9 rows, found 2: the file is truncated or the height is wrong"
        );
        assert!(message(&SMALL.replace("height 2", "height 1")).starts_with("line 6: expected 1 rows, found more"));
    }

    #[test]
    fn a_false_header_allocates_nothing() {
        let header = |height: &str, width: &str| format!("type octile\nheight {height}\nwidth {width}\nmap\n...\n");
        assert!(message(&header("65536", "65536")).contains("65536 x 65536 cells is too large"));
        assert!(message(&header("18446744073709551615", "18446744073709551615")).contains("too large"));
        assert!(message(&header("99999999999999999999", "3")).starts_with("line 2: `height 99999999999999999999`"));
        assert_eq!(message(&header("4000", "65000")), "line 5: expected 65000 cells, found 3");
        assert!(message(&header("65000", "3")).starts_with("expected 65000 rows, found 1"));
        assert!(message(&header("0", "3")).contains("3 x 0 cells is empty"));
    }

    #[test]
    fn a_file_that_is_not_a_map_is_refused_in_one_sentence() {
        assert!(message("").starts_with("the file is empty"));
        assert!(message(" \r\n\n").starts_with("the file is empty"));
        assert!(message("hello world\n").starts_with("line 1: `hello world` is not a header line of a map"));
        assert!(message("type octile\nheight 2\n").starts_with("the header has no `map` line"));
        assert!(message("height 1\nwidth 1\nmap\n.").starts_with("the header has no `type` line"));
        assert!(message("type octile\nwidth 1\nmap\n.").starts_with("the header has no `height` line"));
        assert!(message("type octile\nheight 1\nmap\n.").starts_with("the header has no `width` line"));
        assert!(message("type hex\n").starts_with("line 1: `type hex`: expected octile"));
        assert!(message("type octile\nheight -1\n").starts_with("line 2: `height -1`: expected a number"));
        assert!(message("type octile\nheight\n").starts_with("line 2: `height `: expected a number"));
        assert!(message("type octile\nheight 1 2\n").starts_with("line 2: `height 1 2` is not a header line"));
        assert_eq!(message("type octile\nwidth 3\nwidth 3\n"), "line 3: the header has a second `width` line");
        let binary = parse(b"type octile\nheight 1\nwidth 2\nmap\n.\xff\n").unwrap_err().to_string();
        assert!(binary.starts_with("line 5, column 2: byte 0xff is not UTF-8"), "{binary}");
    }

    #[test]
    fn unknown_letters_are_reported_with_their_position() {
        assert!(message(&SMALL.replace("STW", "STx")).starts_with("line 6, column 3: unknown terrain `x`"));
        assert!(message(&SMALL.replace("STW", "éTW")).starts_with("line 6, column 1: unknown terrain `\\u{e9}`"));
        assert!(message(&SMALL.replace("STW", "S T")).starts_with("line 6, column 2: unknown terrain ` `"));
    }
}
