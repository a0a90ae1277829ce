//! MovingAI `.patch` files: the rectangles that a [dynamic scenario](super::dynamic) puts on its map.
//!
//! `type patch` and `patches N`, then for each patch, numbered from 0, `patch I`, `height H`, `width W`, `map` and `H`
//! rows of `W` letters, which are those of a [map](super::map). The reader is as tolerant as for maps: header lines of
//! a patch in any order, tabs or spaces, CRLF, white space after rows, blank lines between patches and at the end.
//! Whatever a header claims, a patch takes no more memory than its rows in the file.

use std::fmt::Write as _;

use super::map::{FREE, Lines, TERRAIN, UNKNOWN, unknown_letter};
use crate::formats::text::{self, NotText};
use crate::geometry::Cell;
use crate::grid::{Edits, Grid, GridBuilder, GridError};

/// A rectangle of cells, each free or blocked, that replaces cells of a map.
///
/// ```
/// use octile::{Cell, Grid};
/// use octile::formats::movingai::patch::Patch;
/// let house = Patch::from_fn(3, 2, |cell| cell == Cell::new(1, 1))?; // a door in the lower wall
/// let mut grid = Grid::open(8, 8)?;
/// grid.apply(&house.edits_at((4, 5)))?;
/// assert_eq!((grid.free_cells(), grid.is_free((5, 6))), (64 - 5, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    width: u32,
    height: u32,
    /// Row by row.
    free: Vec<bool>,
}

impl Patch {
    /// A patch whose free cells are those for which `is_free` holds, called with their position in the patch.
    ///
    /// # Errors
    /// If it is empty, or larger than a map may be.
    pub fn from_fn(width: u32, height: u32, mut is_free: impl FnMut(Cell) -> bool) -> Result<Self, GridError> {
        GridBuilder::check_size(width.into(), height.into())?;
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        Ok(Self { width, height, free: cells.map(&mut is_free).collect() })
    }

    /// The part of a map between two corners, both included, in any order; cells off the map are blocked.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::formats::movingai::patch::Patch;
    /// let grid: Grid = "..@\n...".parse()?;
    /// let patch = Patch::of(&grid, (1, 0), (2, 1))?;
    /// assert_eq!((patch.width(), patch.is_free((1, 0)), patch.is_free((1, 1))), (2, false, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the size is larger than that of any map.
    pub fn of(grid: &Grid, a: impl Into<Cell>, b: impl Into<Cell>) -> Result<Self, GridError> {
        let (a, b): (Cell, Cell) = (a.into(), b.into());
        let min = Cell::new(a.x.min(b.x), a.y.min(b.y));
        let side = |a: u32, b: u32| u64::from(a.abs_diff(b)) + 1;
        let (width, height) = (side(a.x, b.x), side(a.y, b.y));
        GridBuilder::check_size(width, height)?;
        Self::from_fn(width as u32, height as u32, |cell| {
            grid.is_free(Cell::new(min.x.saturating_add(cell.x), min.y.saturating_add(cell.y)))
        })
    }

    /// The number of cells in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Whether a cell of the patch, counted from its upper left cell, is free. Cells outside the patch are not.
    pub fn is_free(&self, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        cell.x < self.width && cell.y < self.height && self.row(cell.y)[cell.x as usize]
    }

    /// The edits that put the patch on a map with its upper left cell here. Runs of equal cells become rectangles, and
    /// rectangles with the same columns in neighbouring rows are joined. Whether the patch lies on the map is not
    /// checked: see [`Edits::check`].
    ///
    /// ```
    /// use octile::Edits;
    /// use octile::formats::movingai::patch::Patch;
    /// let patch = Patch::from_fn(4, 9, |cell| cell.x == 3)?;
    /// assert_eq!(patch.edits_at((2, 2)), *Edits::new().block_rect((2, 2), (4, 10)).free_rect((5, 2), (5, 10)));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn edits_at(&self, cell: impl Into<Cell>) -> Edits {
        let mut edits = Edits::new();
        self.edit_at(cell.into(), &mut edits);
        edits
    }

    /// Like [`edits_at`](Patch::edits_at), appending to other edits.
    pub fn edit_at(&self, cell: impl Into<Cell>, edits: &mut Edits) {
        let at = cell.into();
        // The rectangles that extend to the previous row, by column, and those of this row.
        let (mut open, mut next): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
        for y in 0..self.height {
            let mut above = open.drain(..).peekable();
            for mut run in runs(self.row(y), y) {
                while let Some(ended) = above.next_if(|known| known.left < run.left) {
                    ended.edit(at, y, edits);
                }
                if let Some(known) = above.next_if(|known| known.left == run.left) {
                    if (known.right, known.free) == (run.right, run.free) {
                        run.top = known.top;
                    } else {
                        known.edit(at, y, edits);
                    }
                }
                next.push(run);
            }
            above.for_each(|ended| ended.edit(at, y, edits));
            std::mem::swap(&mut open, &mut next);
        }
        for ended in open {
            ended.edit(at, self.height, edits);
        }
    }

    fn row(&self, y: u32) -> &[bool] {
        let width = self.width as usize;
        &self.free[y as usize * width..][..width]
    }
}

/// A rectangle of equal cells that extends to the current row.
struct Run {
    left: u32,
    right: u32,
    top: u32,
    free: bool,
}

impl Run {
    /// Adds the edit for its cells, in rows above `end`, for a patch placed at `at`.
    fn edit(&self, at: Cell, end: u32, edits: &mut Edits) {
        let cell = |x: u32, y: u32| Cell::new(at.x.saturating_add(x), at.y.saturating_add(y));
        let (min, max) = (cell(self.left, self.top), cell(self.right, end - 1));
        if self.free {
            edits.free_rect(min, max)
        } else {
            edits.block_rect(min, max)
        };
    }
}

/// The runs of equal cells of a row, from left to right.
fn runs(row: &[bool], y: u32) -> impl Iterator<Item = Run> + '_ {
    let mut left = 0;
    row.chunk_by(|a, b| a == b).map(move |cells| {
        let run = Run { left, right: left + cells.len() as u32 - 1, top: y, free: cells[0] };
        left = run.right + 1;
        run
    })
}

/// The file is not a patch file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// It is empty.
    #[error("the file is empty: a file of patches starts with `type patch`")]
    Empty,
    /// It is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// A line differs from what the format requires there.
    #[error("line {line}: `{found}`: expected {expected}")]
    Line {
        /// Line, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
        /// What the format requires.
        expected: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends where {expected} is expected: it is truncated")]
    End {
        /// What the format requires.
        expected: &'static str,
    },
    /// The patches are not numbered from 0 in order.
    #[error("line {line}: expected patch {expected}, found patch {found}: patches are numbered from 0, in order")]
    Number {
        /// Line, from 1.
        line: usize,
        /// The number in the file.
        found: u64,
        /// The number expected.
        expected: usize,
    },
    /// A line of a patch's header is repeated.
    #[error("line {line}: patch {patch} has a second `{key}` line")]
    Repeated {
        /// Line, from 1.
        line: usize,
        /// The number of the patch.
        patch: usize,
        /// The first word of the line.
        key: &'static str,
    },
    /// A line of a patch's header is missing.
    #[error("line {line}: patch {patch} has no `{key}` line before its rows")]
    Missing {
        /// The line of the word `map`, from 1.
        line: usize,
        /// The number of the patch.
        patch: usize,
        /// The first word of the missing line.
        key: &'static str,
    },
    /// A patch has a size that no map can have.
    #[error("line {line}: patch {patch}: {fault}")]
    Size {
        /// The line of the word `map`, from 1.
        line: usize,
        /// The number of the patch.
        patch: usize,
        /// The fault of the size.
        fault: GridError,
    },
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
    /// A row is wider or narrower than its patch.
    #[error("line {line}: expected {expected} cells of patch {patch}, found {found}")]
    RowWidth {
        /// Line, from 1.
        line: usize,
        /// The number of the patch.
        patch: usize,
        /// The width of the patch.
        expected: u32,
        /// The number of cells in this row.
        found: usize,
    },
    /// The file ends before the last row of a patch.
    #[error("expected {expected} rows of patch {patch}, found {found}: the file is truncated or the height is wrong")]
    TooFewRows {
        /// The number of the patch.
        patch: usize,
        /// The height of the patch.
        expected: u32,
        /// The number of rows in the file.
        found: u32,
    },
    /// There are fewer patches than the header states, or the last has no rows.
    #[error("expected {expected} patches, found {found}: the file is truncated or the number is wrong")]
    TooFew {
        /// The number in the header.
        expected: u64,
        /// The number of complete patches in the file.
        found: usize,
    },
    /// The file continues after the last patch.
    #[error(
        "line {line}: `{found}` after the last of {expected} patches: the number is wrong or the file has other lines"
    )]
    TooMany {
        /// Line, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
        /// The number in the header.
        expected: u64,
    },
}

/// Reads the patches of a file, in their order.
///
/// ```
/// use octile::formats::movingai::patch;
/// let patches = patch::parse(b"type patch\npatches 1\npatch 0\nheight 1\nwidth 3\nmap\n@.@\n")?;
/// assert!(patches[0].is_free((1, 0)) && !patches[0].is_free((2, 0)));
/// let error = patch::parse(b"type patch\npatches 2000000000\n").unwrap_err();
/// assert!(error.to_string().starts_with("expected 2000000000 patches, found 0"));
/// # Ok::<(), patch::PatchError>(())
/// ```
///
/// # Errors
/// If the file does not hold patches, with the line, what was expected and what was found.
pub fn parse(bytes: &[u8]) -> Result<Vec<Patch>, PatchError> {
    let mut lines = Lines::of(text::from_utf8(bytes)?.trim_ascii_end());
    let (line, first) = lines.next_filled().ok_or(PatchError::Empty)?;
    if !first.split_ascii_whitespace().eq(["type", "patch"]) {
        return Err(PatchError::Line { line, found: text::excerpt(first), expected: "`type patch`" });
    }
    let count = number(lines.next_filled(), "patches", "`patches N`, with the number of patches")?.1;
    let mut patches = Vec::new();
    while (patches.len() as u64) < count {
        let heading = lines.next_filled();
        if heading.is_none() {
            return Err(PatchError::TooFew { expected: count, found: patches.len() });
        }
        let (line, found) = number(heading, "patch", "`patch I`, with the number of the patch")?;
        if found != patches.len() as u64 {
            return Err(PatchError::Number { line, found, expected: patches.len() });
        }
        patches.push(parse_patch(&mut lines, patches.len())?);
    }
    match lines.next_filled() {
        Some((line, found)) => Err(PatchError::TooMany { line, found: text::excerpt(found), expected: count }),
        None => Ok(patches),
    }
}

/// Writes patches, with `.` for free cells and `@` for blocked ones.
///
/// ```
/// use octile::formats::movingai::patch;
/// let text = "type patch\npatches 1\npatch 0\nheight 2\nwidth 3\nmap\n@.@\n...\n";
/// assert_eq!(patch::write(&patch::parse(text.as_bytes())?), text);
/// # Ok::<(), patch::PatchError>(())
/// ```
pub fn write(patches: &[Patch]) -> String {
    let mut text = format!("type patch\npatches {}\n", patches.len());
    for (number, patch) in patches.iter().enumerate() {
        let _ = writeln!(text, "patch {number}\nheight {}\nwidth {}\nmap", patch.height, patch.width);
        for y in 0..patch.height {
            text.extend(patch.row(y).iter().map(|&free| if free { '.' } else { '@' }));
            text.push('\n');
        }
    }
    text
}

/// The number after the word `key` in a line that has nothing else, and the number of the line.
fn number(line: Option<(usize, &str)>, key: &'static str, expected: &'static str) -> Result<(usize, u64), PatchError> {
    let (line, text) = line.ok_or(PatchError::End { expected })?;
    let mut words = text.split_ascii_whitespace();
    let number = if words.next() == Some(key) { words.next().and_then(|word| word.parse().ok()) } else { None };
    let number = number.filter(|_| words.next().is_none());
    Ok((line, number.ok_or_else(|| PatchError::Line { line, found: text::excerpt(text), expected })?))
}

/// Reads the patch of this number, after the line that states the number.
fn parse_patch(lines: &mut Lines, patch: usize) -> Result<Patch, PatchError> {
    const EXPECTED: &str = "`height H`, `width W` or `map`";
    let (mut height, mut width) = (None, None);
    let line = loop {
        let next = lines.next_filled();
        let (line, text) = next.ok_or(PatchError::End { expected: EXPECTED })?;
        let (field, key) = match text.split_ascii_whitespace().next() {
            Some("height") => (&mut height, "height"),
            Some("width") => (&mut width, "width"),
            _ if text.trim_ascii() == "map" => break line,
            _ => return Err(PatchError::Line { line, found: text::excerpt(text), expected: EXPECTED }),
        };
        let (line, cells) = number(next, key, "a number of cells after it, and nothing else")?;
        if field.replace(cells).is_some() {
            return Err(PatchError::Repeated { line, patch, key });
        }
    };
    let size = |side: Option<u64>, key| side.ok_or(PatchError::Missing { line, patch, key });
    let (height, width) = (size(height, "height")?, size(width, "width")?);
    GridBuilder::check_size(width, height).map_err(|fault| PatchError::Size { line, patch, fault })?;
    let (width, height) = (width as u32, height as u32);
    let mut free = Vec::new();
    for found in 0..height {
        let (line, row) = lines.next().ok_or(PatchError::TooFewRows { patch, expected: height, found })?;
        if row.bytes().any(|letter| TERRAIN[usize::from(letter)] == UNKNOWN) {
            let (column, found) = unknown_letter(row);
            return Err(PatchError::Terrain { line, column, found });
        }
        if row.len() != width as usize {
            return Err(PatchError::RowWidth { line, patch, expected: width, found: row.len() });
        }
        free.extend(row.bytes().map(|letter| TERRAIN[usize::from(letter)] == FREE));
    }
    Ok(Patch { width, height, free })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Dice;

    const TWO: &str =
        "type patch\npatches 2\npatch 0\nheight 2\nwidth 3\nmap\n.@G\nSTW\npatch 1\nheight 1\nwidth 1\nmap\n@\n";

    fn message(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn patches_are_read_in_order() {
        let patches = parse(TWO.as_bytes()).unwrap();
        let sizes: Vec<_> = patches.iter().map(|patch| (patch.width(), patch.height())).collect();
        assert_eq!(sizes, [(3, 2), (1, 1)]);
        assert_eq!(write(&patches), TWO.replace(".@G", ".@.").replace("STW", ".@@"));
        assert!(!patches[0].is_free((3, 0)) && !patches[0].is_free((0, 2)) && !patches[0].is_free((u32::MAX, 0)));
    }

    #[test]
    fn variants_found_in_real_files_read_alike() {
        let expected = parse(TWO.as_bytes()).unwrap();
        let variants = [
            TWO.replace('\n', "\r\n"),
            TWO.replace(' ', "\t"),
            TWO.replace('\n', " \t\n"),
            TWO.trim_end().to_owned(),
            format!("\u{feff}\n{TWO}\n \r\n"),
            TWO.replace("patch 1", "\n\npatch 1"),
            TWO.replace("height 2\nwidth 3\n", "width 3\n\nheight 2\n"),
        ];
        for variant in variants {
            assert_eq!(parse(variant.as_bytes()).as_ref(), Ok(&expected), "{variant:?}");
        }
        assert_eq!(parse(b"type patch\npatches 0\n"), Ok(Vec::new()));
    }

    #[test]
    fn faults_are_reported_with_line_and_value() {
        assert!(message("").starts_with("the file is empty"));
        assert_eq!(message("type octile\nheight 3\n"), "line 1: `type octile`: expected `type patch`");
        assert!(message("type patch\n").starts_with("the file ends where `patches N`"));
        let faults = [
            ("patches 2", "patches -1", "line 2: `patches -1`: expected `patches N`, with the number of patches"),
            ("patches 2", "patches 2 3", "line 2: `patches 2 3`: expected `patches N`"),
            ("patches 2", "patches 3", "expected 3 patches, found 2: the file is truncated or the number is wrong"),
            ("patches 2", "patches 1", "line 9: `patch 1` after the last of 1 patches"),
            ("patch 1", "patch 2", "line 9: expected patch 1, found patch 2"),
            ("patch 0", "map", "line 3: `map`: expected `patch I`"),
            ("height 2", "height two", "line 4: `height two`: expected a number of cells"),
            ("height 2", "width 2", "line 5: patch 0 has a second `width` line"),
            ("height 2\n", "", "line 5: patch 0 has no `height` line before its rows"),
            ("height 2", "depth 2", "line 4: `depth 2`: expected `height H`, `width W` or `map`"),
            ("height 2", "height 0", "line 6: patch 0: a map of 3 x 0 cells is empty"),
            ("height 2", "height 3", "line 9, column 1: unknown terrain `p`"),
            ("height 2", "height 1", "line 8: `STW`: expected `patch I`"),
            ("STW", "ST", "line 8: expected 3 cells of patch 0, found 2"),
            ("STW", "", "line 8: expected 3 cells of patch 0, found 0"),
            ("STW", "ST#", "line 8, column 3: unknown terrain `#`"),
            ("height 1", "height 4", "expected 4 rows of patch 1, found 1: the file is truncated"),
        ];
        for (from, to, expected) in faults {
            let found = message(&TWO.replacen(from, to, 1));
            assert!(found.starts_with(expected), "{from} -> {to}: {found}");
        }
        assert!(message(&TWO[..TWO.len() - 14]).starts_with("the file ends where `height H`"));
        assert!(parse(b"type patch\n\xff").unwrap_err().to_string().starts_with("line 2, column 1: byte 0xff"));
    }

    #[test]
    fn a_false_header_allocates_nothing() {
        let lie = |count: &str, side: &str| {
            message(&format!("type patch\npatches {count}\npatch 0\nheight {side}\nwidth {side}\nmap\n.\n"))
        };
        assert!(lie("1", "65534").contains("65534 x 65534 cells is too large"));
        assert_eq!(lie("1", "16000"), "line 7: expected 16000 cells of patch 0, found 1");
        assert!(lie("18446744073709551615", "1").starts_with("expected 18446744073709551615 patches, found 1"));
    }

    #[test]
    fn edits_name_every_cell_once_in_few_rectangles() {
        let mut dice = Dice::new(3);
        for side in 1..12 {
            let patch = Patch::from_fn(side, 13 - side, |_| dice.hits(2, 3)).unwrap();
            let edits = patch.edits_at((5, 7));
            let mut named: Vec<_> = edits.iter().map(|(cell, free)| ((cell.y, cell.x), free)).collect();
            named.sort_unstable();
            let cells = (0..patch.height()).flat_map(|y| (0..patch.width()).map(move |x| Cell::new(x, y)));
            assert!(named.into_iter().eq(cells.map(|cell| ((cell.y + 7, cell.x + 5), patch.is_free(cell)))));
        }
        let frame = Patch::from_fn(9, 9, |cell| (1..8).contains(&cell.x) && (1..8).contains(&cell.y)).unwrap();
        let mut expected = Edits::new();
        expected.block_rect((0, 0), (8, 0)).block_rect((0, 1), (0, 7)).free_rect((1, 1), (7, 7));
        expected.block_rect((8, 1), (8, 7)).block_rect((0, 8), (8, 8));
        assert_eq!(frame.edits_at((0, 0)), expected);
    }

    #[test]
    fn a_patch_far_away_is_off_every_map() {
        let patch = Patch::from_fn(3, 3, |_| true).unwrap();
        let grid = Grid::open(9, 9).unwrap();
        assert!(patch.edits_at((6, 6)).check(&grid).is_ok());
        for far in [(7, 6), (u32::MAX, 0), (u32::MAX - 1, u32::MAX)] {
            assert!(patch.edits_at(far).check(&grid).is_err());
        }
    }
}
