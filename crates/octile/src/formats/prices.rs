//! Price files: the price of each terrain class. Also built-in prices that need no file.
//!
//! Each line is `KEY PRICE`: a price from 1 to 255, or 0 for blocked. For maps made of letters, which are MovingAI maps
//! and drawings, a key is a letter: any visible ASCII character. For images it is a grey level from 0, black, to 255,
//! white, or a range of levels. `//` begins a comment, because `#` is a letter of drawings. Blank lines are ignored.
//!
//! ```text
//! // prices for a tank         // for an image
//! . 1                          0-99    0
//! S 4                          100-199 5
//! W 0                          200-255 1
//! ```
//!
//! Every class on a map must have a line, and no key may have two. A boat and a tank use different price files for the
//! same map.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::text::{self, NotText};
use super::unknown::Unknown;
use crate::geometry::Cell;
use crate::grid::{Grid, Prices, Terrain};

/// The source of a map's prices: see [`LoadOptions::prices`](crate::formats::LoadOptions::prices).
///
/// ```
/// use octile::formats::{PriceFile, Pricing};
/// let file = PriceFile::parse(b". 1\nS 4\n@ 0\n")?;
/// assert_eq!(Pricing::from(file).to_string(), "the price file");
/// assert_eq!(Pricing::Costmap.to_string(), "costmap");
/// # Ok::<(), octile::formats::prices::PriceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pricing {
    /// A price file, for maps of every format. For a ROS map its keys are the grey levels of the image.
    File(PriceFile),
    /// [`costmap`]: the pixels of an image, or of a ROS map, are the costs of a Nav2 costmap.
    Costmap,
    /// [`occupancy`]: the probability that a cell of a ROS map is occupied, as `map_server` reads it.
    Occupancy,
}

impl Pricing {
    /// The names of the built-in prices.
    pub const NAMES: [&'static str; 2] = ["costmap", "occupancy"];

    /// The built-in prices of this name, if there are any.
    ///
    /// ```
    /// use octile::formats::Pricing;
    /// assert_eq!((Pricing::named("costmap"), Pricing::named("tank.prices")), (Some(Pricing::Costmap), None));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "costmap" => Some(Self::Costmap),
            "occupancy" => Some(Self::Occupancy),
            _ => None,
        }
    }
}

impl From<PriceFile> for Pricing {
    fn from(file: PriceFile) -> Self {
        Self::File(file)
    }
}

impl fmt::Display for Pricing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => f.write_str(&file.name()),
            Self::Costmap => f.write_str("costmap"),
            Self::Occupancy => f.write_str("occupancy"),
        }
    }
}

/// The prices of a Nav2 costmap. Cost 0 has the price 1, and each cost from 1 to 252 has a price one higher than
/// itself. 253 and 254, where a robot would touch an obstacle, are blocked. 255 is unknown: blocked, or free at the
/// price 1.
///
/// ```
/// use octile::formats::{Unknown, prices};
/// let prices = prices::costmap(Unknown::Blocked);
/// assert_eq!([0, 1, 252, 253, 254, 255].map(|cost| prices.of(cost)), [1, 2, 253, 0, 0, 0]);
/// assert_eq!(prices::costmap(Unknown::Free).of(255), 1);
/// ```
pub fn costmap(unknown: Unknown) -> Prices {
    let free = (0..=252).fold(Prices::blocked(), |prices, cost| prices.with(cost, cost + 1));
    free.with(UNKNOWN, (unknown == Unknown::Free).into())
}

/// The prices of occupancies in percent. 0 has the price 1, and each value from 1 to 99 has a price one higher than
/// itself. 100 is blocked. 255 is unknown: blocked, or free at the price 1.
///
/// ```
/// use octile::formats::{Unknown, prices};
/// let prices = prices::occupancy(Unknown::Blocked);
/// assert_eq!([0, 1, 99, 100, 255].map(|percent| prices.of(percent)), [1, 2, 100, 0, 0]);
/// ```
pub fn occupancy(unknown: Unknown) -> Prices {
    let free = (0..=99).fold(Prices::blocked(), |prices, percent| prices.with(percent, percent + 1));
    free.with(UNKNOWN, (unknown == Unknown::Free).into())
}

/// The class of unknown cells, in costmaps and among occupancies.
pub(super) const UNKNOWN: u8 = 255;

/// The prices of a price file.
///
/// ```
/// use octile::formats::PriceFile;
/// use octile::grid::{Convention, Terrain};
/// let terrain = Terrain::new(3, 1, *b".~#")?;
/// let tank = PriceFile::parse(b". 1\n~ 0\n# 0\n")?.letters()?;
/// let boat = PriceFile::parse(b". 9 // dragged\n~ 1\n# 0\n")?.letters()?;
/// let free = |prices| terrain.grid(prices, Convention::Average).free_cells();
/// assert_eq!((free(&tank), free(&boat)), (1, 2));
///
/// let error = PriceFile::parse(b". 1\nS 256\n").unwrap_err();
/// let expected = "line 2, column 3: `256` is not a price: expected a whole number from 1 to 255, or 0 for blocked";
/// assert_eq!(error.to_string(), expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceFile {
    path: Option<PathBuf>,
    entries: Vec<Entry>,
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Line and column of the key, from 1.
    line: usize,
    column: usize,
    key: String,
    price: u8,
}

/// An invalid price file, or one that does not suit a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PriceError {
    /// It is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// It has no prices.
    #[error(
        "it has no prices: expected a line `KEY PRICE` for each letter of a map, or for each grey level of an image"
    )]
    Empty,
    /// A line is not a key and a price.
    #[error("line {line}: `{found}`: expected `KEY PRICE`, such as `S 4` for a letter or `100-199 5` for grey levels")]
    Line {
        /// Line, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
    },
    /// A key is neither a letter nor a grey level nor a range of levels.
    #[error(
        "line {line}, column {column}: `{found}` is not a key: expected one ASCII character, a grey level from 0 to 255, or a range of levels such as 100-199"
    )]
    Key {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The text of the key, shortened.
        found: String,
    },
    /// A price is invalid.
    #[error(
        "line {line}, column {column}: `{found}` is not a price: expected a whole number from 1 to 255, or 0 for blocked"
    )]
    Price {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The text of the price, shortened.
        found: String,
    },
    /// A letter or a grey level has two prices.
    #[error("line {line}, column {column}: `{key}` has a price already, in line {first}: remove one of the two")]
    Twice {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The letter, the level or the range.
        key: String,
        /// The line of the other price.
        first: usize,
    },
    /// The map is made of letters, but a key is not a letter.
    #[error(
        "line {line}, column {column}: `{key}` is not a letter: the map is made of letters, so keys are single characters"
    )]
    NotLetter {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The key.
        key: String,
    },
    /// The map is an image, but a key is a letter.
    #[error(
        "line {line}, column {column}: `{key}` is not a grey level: the map is an image, so keys are numbers from 0 to 255, or ranges such as 100-199"
    )]
    NotLevel {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The key.
        key: String,
    },
}

impl PriceFile {
    /// Reads the bytes of a price file. Whether its keys are letters or grey levels is checked when it is used for a
    /// map.
    ///
    /// # Errors
    /// If they are not text, or a line has no key, no price or a key used before. The message gives the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, PriceError> {
        let (mut entries, mut known) = (Vec::new(), BTreeMap::new());
        for (line, text) in (1..).zip(text::from_utf8(bytes)?.lines()) {
            let said = text.split("//").next().unwrap_or_default();
            let (column, key, price) = match words(said)[..] {
                [] => continue,
                [(column, key), price] => (column, key, price),
                _ => return Err(PriceError::Line { line, found: text::excerpt(text.trim()) }),
            };
            if letter(key).is_none() && levels(key).is_none() {
                return Err(PriceError::Key { line, column, found: text::excerpt(key) });
            }
            let Ok(price) = price.1.parse() else {
                return Err(PriceError::Price { line, column: price.0, found: text::excerpt(price.1) });
            };
            if let Some(first) = known.insert(key, line) {
                return Err(PriceError::Twice { line, column, key: key.to_owned(), first });
            }
            entries.push(Entry { line, column, key: key.to_owned(), price });
        }
        if entries.is_empty() { Err(PriceError::Empty) } else { Ok(Self { path: None, entries }) }
    }

    /// Sets the name of the file, for messages.
    #[must_use]
    pub fn named(mut self, path: impl AsRef<Path>) -> Self {
        self.path = Some(path.as_ref().to_owned());
        self
    }

    /// The name of the file in messages.
    pub(super) fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| "the price file".to_owned(), |path| path.display().to_string())
    }

    /// The prices of letters, for the [`Terrain`] of a map made of letters. A letter without a line is blocked;
    /// [`load_with`](crate::formats::load_with) refuses maps with such letters.
    ///
    /// ```
    /// use octile::formats::PriceFile;
    /// let prices = PriceFile::parse(b". 1\n~ 5\n")?.letters()?;
    /// assert_eq!([b'.', b'~', b'#'].map(|letter| prices.of(letter)), [1, 5, 0]);
    /// assert!(PriceFile::parse(b"0-99 1\n")?.letters().is_err());
    /// # Ok::<(), octile::formats::prices::PriceError>(())
    /// ```
    ///
    /// # Errors
    /// If a key is not a letter.
    pub fn letters(&self) -> Result<Prices, PriceError> {
        Ok(self.table(Keys::Letters)?.prices())
    }

    /// The prices of grey levels, for the [`Terrain`] of an image. A level without a line is blocked;
    /// [`load_with`](crate::formats::load_with) refuses images with such levels.
    ///
    /// ```
    /// use octile::formats::PriceFile;
    /// let prices = PriceFile::parse(b"0-99 0\n100-254 5\n255 1\n")?.levels()?;
    /// assert_eq!([99, 100, 255].map(|level| prices.of(level)), [0, 5, 1]);
    /// # Ok::<(), octile::formats::prices::PriceError>(())
    /// ```
    ///
    /// # Errors
    /// If a key is not a level or a range of levels, or two keys share a level.
    pub fn levels(&self) -> Result<Prices, PriceError> {
        Ok(self.table(Keys::Levels)?.prices())
    }

    /// The price of every class that has one.
    pub(super) fn table(&self, keys: Keys) -> Result<Table, PriceError> {
        let mut table = Table { price_and_line: [None; 256] };
        for Entry { line, column, key, price } in &self.entries {
            let (line, column) = (*line, *column);
            let classes = match keys {
                Keys::Letters => letter(key).map(|letter| letter..=letter),
                Keys::Levels => levels(key),
            };
            let classes = classes.ok_or_else(|| match keys {
                Keys::Letters => PriceError::NotLetter { line, column, key: key.clone() },
                Keys::Levels => PriceError::NotLevel { line, column, key: key.clone() },
            })?;
            for class in classes {
                if let Some((_, first)) = table.price_and_line[usize::from(class)].replace((*price, line)) {
                    return Err(PriceError::Twice { line, column, key: keys.name(class), first });
                }
            }
        }
        Ok(table)
    }
}

/// The kind of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    Letters,
    Levels,
}

impl Keys {
    /// The text of a class.
    pub(super) fn name(self, class: u8) -> String {
        match self {
            Self::Letters => char::from(class).to_string(),
            Self::Levels => class.to_string(),
        }
    }
}

/// By class: its price, and the line that sets it.
pub(super) struct Table {
    price_and_line: [Option<(u8, usize)>; 256],
}

impl Table {
    pub(super) fn prices(&self) -> Prices {
        let priced = (0..=u8::MAX).zip(&self.price_and_line);
        priced.fold(Prices::blocked(), |prices, (class, price)| prices.with(class, price.map_or(0, |(price, _)| price)))
    }

    /// The first cell whose class has no price, and that class.
    pub(super) fn first_without(&self, terrain: &Terrain) -> Option<(Cell, u8)> {
        let is_missing = |&(_, &class): &(usize, &u8)| self.price_and_line[usize::from(class)].is_none();
        let (place, &class) = terrain.classes().iter().enumerate().find(is_missing)?;
        let width = terrain.width() as usize;
        Some((Cell::new((place % width) as u32, (place / width) as u32), class))
    }
}

/// The words of a line, each with its column, from 1.
fn words(text: &str) -> Vec<(usize, &str)> {
    let (mut words, mut column) = (Vec::new(), 1);
    for part in text.split_inclusive(char::is_whitespace) {
        let word = part.trim_end();
        if !word.is_empty() {
            words.push((column, word));
        }
        column += part.chars().count();
    }
    words
}

/// The letter of a key, if it is one.
fn letter(key: &str) -> Option<u8> {
    match key.as_bytes() {
        [letter] if letter.is_ascii_graphic() => Some(*letter),
        _ => None,
    }
}

/// The grey levels of a key, if it has any.
fn levels(key: &str) -> Option<RangeInclusive<u8>> {
    let level = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let (low, high) = key.split_once('-').unwrap_or((key, key));
    let (low, high): (u8, u8) = (level(low)?, level(high)?);
    (low <= high).then_some(low..=high)
}

/// The letters for prices in written maps, the cheapest first. Readers without prices take the first three for free
/// cells.
const LETTERS: &[u8] = b".GSabcdefghijklmnopqrstuvwxyzABCDEFHIJKLMNPQRUVXYZ0123456789~^*+=-_:;,'`!?%&$()<>[]{}|";

/// The letter of blocked cells.
const BLOCKED: u8 = b'@';

/// Writes a map with prices as letters, one for each price, and the text of the matching price file; `None` if it has
/// more than 86 prices, the number of letters.
///
/// ```
/// use octile::Grid;
/// use octile::formats::{PriceFile, prices};
/// use octile::grid::Convention;
/// let grid: Grid = "15@\n112".parse()?;
/// let (terrain, text) = prices::to_letters(&grid).expect("three prices");
/// assert_eq!(terrain.classes(), b".S@..G");
/// assert_eq!(text, ". 1\nG 2\nS 5\n@ 0\n");
/// assert_eq!(terrain.grid(&PriceFile::parse(text.as_bytes())?.letters()?, Convention::Average), grid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_letters(grid: &Grid) -> Option<(Terrain, String)> {
    let mut letters = [None; 256];
    let used: BTreeSet<u8> = grid.cells().map(|cell| grid.price(cell)).filter(|&price| price != 0).collect();
    let mut text = String::new();
    for (place, &price) in used.iter().enumerate() {
        let letter = *LETTERS.get(place)?;
        letters[usize::from(price)] = Some(letter);
        let _ = writeln!(text, "{} {price}", char::from(letter));
    }
    if grid.cells().any(|cell| !grid.is_free(cell)) {
        let _ = writeln!(text, "{} 0", char::from(BLOCKED));
    }
    let classes: Vec<u8> = grid.cells().map(|cell| letters[usize::from(grid.price(cell))].unwrap_or(BLOCKED)).collect();
    Some((Terrain::new(grid.width(), grid.height(), classes).ok()?, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Convention;

    fn message(text: &str) -> String {
        PriceFile::parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn equivalent_files_read_alike() {
        let plain = PriceFile::parse(b". 1\n# 0\n").unwrap().letters().unwrap();
        for text in ["\u{feff}. 1\r\n# 0", "// ground\n\n  .\t1 // grass\n\t# 0//walls\n// S 4\n", "# 0\n. 001\n"] {
            assert_eq!(PriceFile::parse(text.as_bytes()).unwrap().letters().as_ref(), Ok(&plain), "{text:?}");
        }
        let odd = PriceFile::parse(b"- 3\n/ 4\n5 6\n").unwrap();
        assert_eq!([b'-', b'/', b'5'].map(|letter| odd.letters().unwrap().of(letter)), [3, 4, 6]);
    }

    #[test]
    fn faults_are_reported_with_line_column_and_value() {
        for (text, expected) in [
            ("", "it has no prices"),
            ("// . 1\n", "it has no prices"),
            (".\n", "line 1: `.`: expected `KEY PRICE`"),
            (". 1 2\n", "line 1: `. 1 2`: expected `KEY PRICE`"),
            ("\n. 1\nsand 4\n", "line 3, column 1: `sand` is not a key"),
            ("  é 4\n", "line 1, column 3: `é` is not a key"),
            ("256 4\n", "line 1, column 1: `256` is not a key"),
            ("9-3 4\n", "line 1, column 1: `9-3` is not a key"),
            ("-3 4\n", "line 1, column 1: `-3` is not a key"),
            ("1-2-3 4\n", "line 1, column 1: `1-2-3` is not a key"),
            (". 256\n", "line 1, column 3: `256` is not a price: expected a whole number from 1 to 255"),
            (".  1.5\n", "line 1, column 4: `1.5` is not a price"),
            (". -1\n", "line 1, column 3: `-1` is not a price"),
            (". 1\nS 2\n . 3\n", "line 3, column 2: `.` has a price already, in line 1"),
        ] {
            assert!(message(text).starts_with(expected), "{text:?}: {}", message(text));
        }
        assert!(PriceFile::parse(b". 1\n\xff").unwrap_err().to_string().starts_with("line 2, column 1: byte 0xff"));
    }

    #[test]
    fn keys_are_of_one_kind() {
        let message =
            |text: &str, keys| PriceFile::parse(text.as_bytes()).unwrap().table(keys).err().unwrap().to_string();
        assert!(message("5 1\n0-9 2\n", Keys::Letters).starts_with("line 2, column 1: `0-9` is not a letter"));
        assert!(message("0-9 2\n. 1\n", Keys::Levels).starts_with("line 2, column 1: `.` is not a grey level"));
        let twice = message("0-9 2\n20 1\n5-20 3\n", Keys::Levels);
        assert_eq!(twice, "line 3, column 1: `5` has a price already, in line 1: remove one of the two");
        assert!(message("5 2\n05 1\n", Keys::Levels).contains("`5` has a price already, in line 1"));
    }

    #[test]
    fn the_first_cell_without_a_price_is_found() {
        let table = PriceFile::parse(b". 1\n").unwrap().table(Keys::Letters).unwrap();
        let first = |classes: &[u8]| table.first_without(&Terrain::new(2, 2, classes).unwrap());
        assert_eq!(first(b"...."), None);
        assert_eq!(first(b"..S~"), Some((Cell::new(0, 1), b'S')));
    }

    #[test]
    fn maps_of_up_to_86_prices_become_letters() {
        let mut letters = LETTERS.to_vec();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), 86);
        assert!(letters.iter().all(|&letter| letter.is_ascii_graphic() && !b"@OTW/#".contains(&letter)));
        let of_prices = |most: u32| Grid::from_prices(most, 1, Convention::Enter, |cell| cell.x as u8 + 1).unwrap();
        let (terrain, text) = to_letters(&of_prices(86)).unwrap();
        let prices = PriceFile::parse(text.as_bytes()).unwrap().letters().unwrap();
        assert_eq!(terrain.grid(&prices, Convention::Enter), of_prices(86));
        assert_eq!(to_letters(&of_prices(87)), None);
    }
}
