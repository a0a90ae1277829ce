//! MovingAI `.scen` files of version 2: a map that changes between queries, as in the dynamic track of the grid path
//! planning competition.
//!
//! A header (`version 2`, `height H`, `width W`, `cost N NAME...`, `patch FILE`, `commands`), then commands in the
//! order of play: `P batch patch x y` puts a [patch](super::patch) on the map, and `Q batch sx sy gx gy COST...` is a
//! query, with the cost of a shortest path for each name, or -1 if no path exists. **The map starts all free**: the
//! first patches carve it. The patches are in a separate file, in the same folder as the scenario.
//!
//! ```
//! use octile::Finder;
//! use octile::formats::movingai::{dynamic, patch};
//! let patches = patch::parse(b"type patch\npatches 1\npatch 0\nheight 2\nwidth 1\nmap\n@\n@\n")?;
//! let text = b"version 2\nheight 3\nwidth 5\ncost 1 octile\npatch wall.patch\ncommands\n\
//!     Q 0 0 0 4 0 4\nP 1 0 2 0\nQ 1 0 0 4 0 6.8284271247462\n";
//! let scenario = dynamic::parse(text, patches)?;
//! let optima = scenario.optima().expect("there are costs under the rule octile");
//! let mut finder = Finder::new("corner-sweep", &scenario.start()?)?;
//! for step in scenario.steps() {
//!     finder.apply(&step.edits)?;
//!     for query in step.queries {
//!         let path = finder.find(query.start, query.goal)?;
//!         assert!(optima.agree(query, path.map(|path| path.cost())));
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write as _;

use super::map::Lines;
use super::patch::Patch;
use super::scen::{self, TOLERANCE};
use crate::formats::text::{self, NotText};
use crate::geometry::{Cell, PathCost};
use crate::grid::{Edits, Grid, GridBuilder, GridError, Movement};
use crate::planner::End;

/// The versions that this reader accepts.
const VERSION: [&str; 2] = ["2", "2.0"];

/// A map that changes between queries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DynamicScenario {
    /// The number of cells in a row of the map.
    pub width: u32,
    /// The number of rows of the map.
    pub height: u32,
    /// The names of the costs of queries; those named `octile` are lengths under the rule [`Movement::Octile`].
    pub cost_names: Vec<String>,
    /// The file with the patches, in the same folder as the scenario.
    pub patch_file: String,
    /// The patches.
    pub patches: Vec<Patch>,
    /// The commands, in order.
    pub commands: Vec<Command>,
}

/// A command of a [`DynamicScenario`].
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Puts a patch on the map.
    Patch {
        /// The line in the file, from 1.
        line: usize,
        /// The batch of the command.
        batch: u32,
        /// The number of the patch, from 0.
        patch: usize,
        /// The position of its upper left cell.
        at: Cell,
    },
    /// Asks for a path.
    Query(Query),
}

/// A query with the costs of its answer on the current map.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The line in the file, from 1.
    pub line: usize,
    /// The batch of the query.
    pub batch: u32,
    /// The start of the path.
    pub start: Cell,
    /// The goal of the path.
    pub goal: Cell,
    /// The cost of a shortest path for each of the names; `None` if no path exists.
    pub costs: Vec<Option<f64>>,
}

/// A change of the map, and the queries until the next change.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// The batch.
    pub batch: u32,
    /// The change, with all patches in one; empty if the batch has no patches.
    pub edits: Edits,
    /// The queries after the change, in order.
    pub queries: Vec<&'a Query>,
}

impl DynamicScenario {
    /// The map before the first command: all free.
    ///
    /// # Errors
    /// If no map can have this size; the reader refuses such files.
    pub fn start(&self) -> Result<Grid, GridError> {
        Grid::open(self.width, self.height)
    }

    /// The steps of play. The patches of a batch are one change, because they belong to one frame of a game; a step
    /// ends with its batch, or where a patch follows a query. A command whose patch is missing changes nothing; the
    /// reader refuses such files.
    ///
    /// ```
    /// use octile::formats::movingai::{dynamic, patch};
    /// let patches = patch::parse(b"type patch\npatches 1\npatch 0\nheight 1\nwidth 1\nmap\n@\n")?;
    /// let text = b"version 2\nheight 3\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\n\
    ///     P 0 0 1 1\nP 0 0 3 1\nQ 0 0 0 4 0 4\nQ 1 0 0 4 2 4.83\n";
    /// let scenario = dynamic::parse(text, patches)?;
    /// let steps: Vec<_> = scenario.steps().map(|step| (step.edits.iter().count(), step.queries.len())).collect();
    /// assert_eq!(steps, [(2, 1), (0, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let is_query = |command: &Command| matches!(command, Command::Query(_));
        let is_one = move |a: &Command, b: &Command| a.batch() == b.batch() && (is_query(b) || !is_query(a));
        self.commands.chunk_by(is_one).map(|commands| self.step(commands))
    }

    fn step<'a>(&'a self, commands: &'a [Command]) -> Step<'a> {
        let batch = commands.first().map_or(0, Command::batch);
        let mut step = Step { batch, edits: Edits::new(), queries: Vec::new() };
        for command in commands {
            match command {
                Command::Query(query) => step.queries.push(query),
                Command::Patch { patch, at, .. } => {
                    self.patches.get(*patch).into_iter().for_each(|patch| patch.edit_at(*at, &mut step.edits));
                }
            }
        }
        step
    }

    /// All queries, in order.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        self.commands.iter().filter_map(|command| match command {
            Command::Query(query) => Some(query),
            Command::Patch { .. } => None,
        })
    }

    /// The answers under the rule [`Movement::Octile`]; `None` if no cost has the name `octile`.
    pub fn optima(&self) -> Option<Optima> {
        let column = self.cost_names.iter().position(|name| name == Movement::Octile.name())?;
        let mut optima = Optima { column, is_rounded: true };
        optima.is_rounded =
            !self.queries().any(|query| optima.of(query).is_some_and(|length| !scen::is_rounded(length)));
        Some(optima)
    }
}

impl Command {
    /// The line in the file, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::Patch { line, .. } | Self::Query(Query { line, .. }) => *line,
        }
    }

    /// The batch of the command.
    pub fn batch(&self) -> u32 {
        match self {
            Self::Patch { batch, .. } | Self::Query(Query { batch, .. }) => *batch,
        }
    }
}

/// The answers to the queries of a [`DynamicScenario`] under one movement rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optima {
    /// The index of the cost.
    column: usize,
    /// Whether the file rounds costs to a few decimals.
    is_rounded: bool,
}

impl Optima {
    /// The length of a shortest path as stated in the file; `None` if the file states that no path exists.
    pub fn of(self, query: &Query) -> Option<f64> {
        query.costs.get(self.column).copied().flatten()
    }

    /// Whether a planner's answer (`None`: no path) matches the file: to the last digit, unless the file rounds all
    /// costs to a few decimals.
    ///
    /// ```
    /// use octile::GridCost;
    /// use octile::formats::movingai::dynamic;
    /// let text = b"version 2\nheight 3\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\n\
    ///     Q 0 0 0 4 1 4.4142135623731\nQ 0 0 0 0 1 -1\n";
    /// let scenario = dynamic::parse(text, Vec::new())?;
    /// let (optima, queries) = (scenario.optima().expect("octile"), scenario.queries().collect::<Vec<_>>());
    /// assert!(optima.agree(queries[0], Some(GridCost::new(3, 1).into())) && optima.agree(queries[1], None));
    /// assert!(!optima.agree(queries[0], Some(GridCost::new(5, 0).into())) && !optima.agree(queries[0], None));
    /// # Ok::<(), dynamic::DynamicError>(())
    /// ```
    pub fn agree(self, query: &Query, cost: Option<PathCost>) -> bool {
        match (self.of(query), cost) {
            (Some(length), Some(cost)) => {
                let tolerance = if self.is_rounded { TOLERANCE } else { scen::exact_tolerance(length) };
                (cost.length() - length).abs() <= tolerance
            }
            (None, None) => true,
            _ => false,
        }
    }
}

/// The file is not a dynamic scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicError {
    /// It is empty.
    #[error("the file is empty: a dynamic scenario starts with `version 2`")]
    Empty,
    /// It is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// It is a scenario for a map that does not change.
    #[error(
        "line {line}: `version 1` is a scenario for a map that does not change: expected `version 2`, whose map changes"
    )]
    Static {
        /// Line, from 1.
        line: usize,
    },
    /// It does not start with a known version.
    #[error("line {line}: expected `version 2` or `version 2.0`, found `{found}`")]
    Version {
        /// Line, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
    },
    /// A line before the commands is not a header line.
    #[error(
        "line {line}: `{found}` is not a header line of a dynamic scenario: expected `height H`, `width W`, `cost N NAME...`, `patch FILE` or `commands`"
    )]
    Header {
        /// Line, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
    },
    /// A header line has no value, or an invalid one.
    #[error("line {line}: `{found}`: expected {expected} after `{key}`")]
    HeaderValue {
        /// Line, from 1.
        line: usize,
        /// The first word of the header line.
        key: &'static str,
        /// The line, shortened.
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
    #[error("the header has no `{key}` line: the file is truncated or not a dynamic scenario")]
    Missing {
        /// The first word of the header line.
        key: &'static str,
    },
    /// The header gives a size that no map can have.
    #[error("in the header: {0}")]
    Size(GridError),
    /// The command does not exist.
    #[error(
        "line {line}: `{found}` is not a command: expected `P batch patch x y` or `Q batch start-x start-y goal-x goal-y COST...`"
    )]
    Command {
        /// Line, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
    },
    /// A command has too few or too many columns.
    #[error("line {line}: expected {expected} columns after `{command}`, found {found}: {columns}")]
    Columns {
        /// Line, from 1.
        line: usize,
        /// The command.
        command: char,
        /// The number of columns it needs.
        expected: usize,
        /// The number of columns in this line.
        found: usize,
        /// The columns it needs.
        columns: &'static str,
    },
    /// A column is not a number, or an invalid one.
    #[error("line {line}: {column} `{found}` is not {expected}")]
    Number {
        /// Line, from 1.
        line: usize,
        /// Name of the column.
        column: &'static str,
        /// The text in the column, shortened.
        found: String,
        /// The value expected.
        expected: &'static str,
    },
    /// The patch does not exist.
    #[error("line {line}: there is no patch {patch}: the scenario has {patches}, numbered from 0")]
    NoPatch {
        /// Line, from 1.
        line: usize,
        /// The number of the missing patch.
        patch: usize,
        /// The number of patches.
        patches: usize,
    },
    /// A patch extends beyond the map.
    #[error(
        "line {line}: patch {patch} of {} x {} cells does not lie on the map at {at}: that has {} x {} cells",
        .size.0, .size.1, .map.0, .map.1
    )]
    PatchOffMap {
        /// Line, from 1.
        line: usize,
        /// The number of the patch.
        patch: usize,
        /// The position of the patch.
        at: Cell,
        /// Width and height of the patch.
        size: (u32, u32),
        /// Width and height of the map.
        map: (u32, u32),
    },
    /// An end of a query is off the map.
    #[error("line {line}: {end} {cell} is off the map: x must be below {width} and y below {height}")]
    OffMap {
        /// Line, from 1.
        line: usize,
        /// Which end.
        end: End,
        /// The cell.
        cell: Cell,
        /// The number of cells in a row of the map.
        width: u32,
        /// The number of rows of the map.
        height: u32,
    },
}

/// Whether a file begins like a dynamic scenario: its first line that is not blank is `version 2`.
///
/// ```
/// use octile::formats::movingai::dynamic;
/// assert!(dynamic::is_dynamic(b"version 2\nheight 3\n") && !dynamic::is_dynamic(b"version 1\n"));
/// ```
pub fn is_dynamic(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
    first.and_then(|line| std::str::from_utf8(line).ok()).is_some_and(|line| is_version(line, &VERSION))
}

/// The name of the patch file of a scenario, which is in the same folder.
///
/// ```
/// use octile::formats::movingai::dynamic;
/// let text = b"version 2\nheight 3\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\n";
/// assert_eq!(dynamic::patch_file(text)?, "a.patch");
/// # Ok::<(), dynamic::DynamicError>(())
/// ```
///
/// # Errors
/// If the file does not begin like a dynamic scenario. The message gives the line and the value.
pub fn patch_file(bytes: &[u8]) -> Result<String, DynamicError> {
    Ok(Header::read(&mut Lines::of(text::from_utf8(bytes)?))?.patch_file)
}

/// Reads a dynamic scenario, given its patches as [read](super::patch::parse) before.
/// [`load_dynamic`](crate::formats::load_dynamic) does both.
///
/// # Errors
/// If the file is not a dynamic scenario, names a patch that does not exist, or has a command that leaves the map. The
/// message gives the line and the value.
pub fn parse(bytes: &[u8], patches: Vec<Patch>) -> Result<DynamicScenario, DynamicError> {
    let mut lines = Lines::of(text::from_utf8(bytes)?);
    let Header { width, height, cost_names, patch_file } = Header::read(&mut lines)?;
    let mut scenario = DynamicScenario { width, height, cost_names, patch_file, patches, commands: Vec::new() };
    while let Some((line, text)) = lines.next_filled() {
        let command = parse_command(line, text, &scenario)?;
        scenario.commands.push(command);
    }
    Ok(scenario)
}

/// Writes a dynamic scenario without its patches, which [`patch::write`](super::patch::write) writes. Costs have the
/// digits needed to read back the same number. White space becomes `-` in names of costs, and a blank in the file name.
///
/// ```
/// use octile::formats::movingai::dynamic;
/// let text = "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\n\
///     Q 0 0 0 4 1 4.414213562373095\nQ 1 0 0 4 1 -1\n";
/// assert_eq!(dynamic::write(&dynamic::parse(text.as_bytes(), Vec::new())?), text);
/// # Ok::<(), dynamic::DynamicError>(())
/// ```
pub fn write(scenario: &DynamicScenario) -> String {
    let DynamicScenario { width, height, cost_names, patch_file, commands, .. } = scenario;
    let joined = |text: &str, with: &str| text.split_ascii_whitespace().collect::<Vec<_>>().join(with);
    let mut text = format!("version 2\nheight {height}\nwidth {width}\ncost {}", cost_names.len());
    for name in cost_names {
        text.extend([" ", &joined(name, "-")]);
    }
    let _ = writeln!(text, "\npatch {}\ncommands", joined(patch_file, " "));
    for command in commands {
        match command {
            Command::Patch { batch, patch, at, .. } => {
                let _ = writeln!(text, "P {batch} {patch} {} {}", at.x, at.y);
            }
            Command::Query(Query { batch, start, goal, costs, .. }) => {
                let _ = write!(text, "Q {batch} {} {} {} {}", start.x, start.y, goal.x, goal.y);
                for cost in costs {
                    let _ = write!(text, " {}", cost.unwrap_or(NO_PATH));
                }
                text.push('\n');
            }
        }
    }
    text
}

/// The cost that means no path.
const NO_PATH: f64 = -1.0;

/// The fields of a header.
struct Header {
    width: u32,
    height: u32,
    cost_names: Vec<String>,
    patch_file: String,
}

impl Header {
    /// Reads up to and including the line `commands`.
    fn read(lines: &mut Lines) -> Result<Self, DynamicError> {
        let (line, version) = lines.next_filled().ok_or(DynamicError::Empty)?;
        if is_version(version, &scen::VERSION) {
            return Err(DynamicError::Static { line });
        }
        if !is_version(version, &VERSION) {
            return Err(DynamicError::Version { line, found: text::excerpt(version) });
        }
        let (mut height, mut width, mut cost_names, mut patch_file) = (None, None, None, None);
        loop {
            let (line, text) = lines.next_filled().ok_or(DynamicError::Missing { key: "commands" })?;
            let line = Line { line, text };
            let key = text.split_ascii_whitespace().next().unwrap_or_default();
            match key {
                "commands" if text.trim_ascii() == key => break,
                "height" => line.set(&mut height, "height", SIZE, |value| value.parse::<u64>().ok())?,
                "width" => line.set(&mut width, "width", SIZE, |value| value.parse::<u64>().ok())?,
                "cost" => line.set(&mut cost_names, "cost", "as many names as the number says", names)?,
                "patch" => {
                    let name = |value: &str| (!value.is_empty()).then(|| value.to_owned());
                    line.set(&mut patch_file, "patch", "the name of a file", name)?;
                }
                _ => return Err(DynamicError::Header { line: line.line, found: text::excerpt(text) }),
            }
        }
        let height = height.ok_or(DynamicError::Missing { key: "height" })?;
        let width = width.ok_or(DynamicError::Missing { key: "width" })?;
        let cost_names = cost_names.ok_or(DynamicError::Missing { key: "cost" })?;
        let patch_file = patch_file.ok_or(DynamicError::Missing { key: "patch" })?;
        GridBuilder::check_size(width, height).map_err(DynamicError::Size)?;
        Ok(Self { width: width as u32, height: height as u32, cost_names, patch_file })
    }
}

const SIZE: &str = "a number of cells";

/// A line of a header.
struct Line<'a> {
    line: usize,
    text: &'a str,
}

impl Line<'_> {
    /// Sets a header field to the value after the key; it must not be set yet.
    fn set<T>(
        &self,
        field: &mut Option<T>,
        key: &'static str,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<(), DynamicError> {
        let line = self.line;
        if field.is_some() {
            return Err(DynamicError::Repeated { line, key });
        }
        let value = self.text.trim_ascii().strip_prefix(key).unwrap_or_default().trim_ascii();
        *field = parse(value);
        match field {
            Some(_) => Ok(()),
            None => Err(DynamicError::HeaderValue { line, key, found: text::excerpt(self.text), expected }),
        }
    }
}

/// The names of costs after their number.
fn names(value: &str) -> Option<Vec<String>> {
    let mut words = value.split_ascii_whitespace();
    let count: usize = words.next()?.parse().ok()?;
    let names: Vec<String> = words.map(str::to_owned).collect();
    (names.len() == count).then_some(names)
}

/// Whether a line states one of these versions.
fn is_version(line: &str, versions: &[&str]) -> bool {
    versions.iter().any(|&version| line.split_ascii_whitespace().eq(["version", version]))
}

fn parse_command(line: usize, text: &str, scenario: &DynamicScenario) -> Result<Command, DynamicError> {
    let mut words = text.split_ascii_whitespace();
    let command = words.next();
    match command {
        Some("P") => parse_put(line, words, scenario),
        Some("Q") => parse_query(line, words, scenario).map(Command::Query),
        _ => Err(DynamicError::Command { line, found: text::excerpt(text) }),
    }
}

fn parse_put<'a>(
    line: usize,
    words: impl Iterator<Item = &'a str> + Clone,
    scenario: &DynamicScenario,
) -> Result<Command, DynamicError> {
    let [batch, patch, x, y] = columns(line, 'P', words, 0, "batch, patch, x, y")?;
    let batch = whole(line, "batch", batch)?;
    let number = whole(line, "patch", patch)? as usize;
    let at = Cell::new(whole(line, "x", x)?, whole(line, "y", y)?);
    let patches = scenario.patches.len();
    let patch = scenario.patches.get(number).ok_or(DynamicError::NoPatch { line, patch: number, patches })?;
    let (size, map) = ((patch.width(), patch.height()), (scenario.width, scenario.height));
    let fits = |at: u32, side: u32, all: u32| u64::from(at) + u64::from(side) <= u64::from(all);
    if !fits(at.x, size.0, map.0) || !fits(at.y, size.1, map.1) {
        return Err(DynamicError::PatchOffMap { line, patch: number, at, size, map });
    }
    Ok(Command::Patch { line, batch, patch: number, at })
}

fn parse_query<'a>(
    line: usize,
    words: impl Iterator<Item = &'a str> + Clone,
    scenario: &DynamicScenario,
) -> Result<Query, DynamicError> {
    let [batch, start_x, start_y, goal_x, goal_y] = columns(
        line,
        'Q',
        words.clone(),
        scenario.cost_names.len(),
        "batch, start x and y, goal x and y, and a cost for each name in the header",
    )?;
    let batch = whole(line, "batch", batch)?;
    let start = Cell::new(whole(line, "start x", start_x)?, whole(line, "start y", start_y)?);
    let goal = Cell::new(whole(line, "goal x", goal_x)?, whole(line, "goal y", goal_y)?);
    let (width, height) = (scenario.width, scenario.height);
    for (end, cell) in [(End::Start, start), (End::Goal, goal)] {
        if cell.x >= width || cell.y >= height {
            return Err(DynamicError::OffMap { line, end, cell, width, height });
        }
    }
    let costs = words.skip(5).map(|cost| self::cost(line, cost)).collect::<Result<_, _>>()?;
    Ok(Query { line, batch, start, goal, costs })
}

/// The first columns of a command, which must have `more` further columns.
fn columns<'a, const N: usize>(
    line: usize,
    command: char,
    mut words: impl Iterator<Item = &'a str> + Clone,
    more: usize,
    columns: &'static str,
) -> Result<[&'a str; N], DynamicError> {
    let (expected, found) = (N + more, words.clone().count());
    if found != expected {
        return Err(DynamicError::Columns { line, command, expected, found, columns });
    }
    Ok(std::array::from_fn(|_| words.next().unwrap_or_default()))
}

fn whole(line: usize, column: &'static str, text: &str) -> Result<u32, DynamicError> {
    let wrong = || DynamicError::Number { line, column, found: text::excerpt(text), expected: "a whole number from 0" };
    text.parse().map_err(|_| wrong())
}

fn cost(line: usize, text: &str) -> Result<Option<f64>, DynamicError> {
    let expected = "a length from 0, or -1 where there is no path";
    let wrong = || DynamicError::Number { line, column: "cost", found: text::excerpt(text), expected };
    match text.parse::<f64>().map_err(|_| wrong())? {
        NO_PATH => Ok(None),
        length if length.is_finite() && length >= 0.0 => Ok(Some(length)),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{patch, scen as fixed};
    use super::*;
    use crate::geometry::GridCost;

    const HEADER: &str = "version 2\nheight 4\nwidth 6\ncost 1 octile\npatch a b.patch\ncommands\n";

    const COMMANDS: &str =
        "Q 0 0 0 5 0 5\nP 1 0 2 0\nP 1 1 3 2\nQ 1 0 0 5 3 6.2426406871193\nQ 1 5 0 0 0 -1\nQ 3 0 0 0 0 0\n";

    fn patches() -> Vec<Patch> {
        let wall = Patch::from_fn(1, 2, |_| false).unwrap();
        vec![wall, Patch::from_fn(3, 2, |cell| cell.x == 1).unwrap()]
    }

    fn whole_text() -> String {
        format!("{HEADER}{COMMANDS}")
    }

    fn read(text: &str) -> Result<DynamicScenario, DynamicError> {
        parse(text.as_bytes(), patches())
    }

    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn commands_are_read_in_order() {
        let scenario = read(&whole_text()).unwrap();
        assert_eq!((scenario.width, scenario.height, scenario.patch_file.as_str()), (6, 4, "a b.patch"));
        assert_eq!(scenario.cost_names, ["octile"]);
        let at = Cell::new(3, 2);
        assert_eq!(scenario.commands[2], Command::Patch { line: 9, batch: 1, patch: 1, at });
        let (start, goal) = (Cell::new(5, 0), Cell::new(0, 0));
        assert_eq!(scenario.commands[4], Command::Query(Query { line: 11, batch: 1, start, goal, costs: vec![None] }));
        assert_eq!(scenario.commands.iter().map(Command::line).collect::<Vec<_>>(), [7, 8, 9, 10, 11, 12]);
        assert_eq!(patch_file(whole_text().as_bytes()).unwrap(), "a b.patch");
    }

    #[test]
    fn the_patches_of_a_batch_are_one_change() {
        let scenario = read(&whole_text()).unwrap();
        let steps: Vec<Step> = scenario.steps().collect();
        let of = |step: &Step| (step.batch, step.edits.is_empty(), step.queries.len());
        assert_eq!(steps.iter().map(of).collect::<Vec<_>>(), [(0, true, 1), (1, false, 2), (3, true, 1)]);
        let mut grid = scenario.start().unwrap();
        assert_eq!(grid.free_cells(), 24);
        grid.apply(&steps[1].edits).unwrap();
        assert_eq!(crate::formats::ascii::write(&grid), "..@...\n..@...\n...@.@\n...@.@\n");
        // Patches after a query are another change, even in the same batch; so are those of another batch.
        let text = format!("{HEADER}P 0 0 0 0\nQ 0 1 1 1 1 0\nP 0 0 3 0\nP 1 0 4 0\n");
        assert_eq!(read(&text).unwrap().steps().count(), 3);
        assert_eq!(read(HEADER).unwrap().steps().count(), 0);
    }

    #[test]
    fn variants_found_in_real_files_read_alike() {
        let text = whole_text();
        let expected = read(&text).unwrap();
        let variants = [
            text.replace('\n', "\r\n"),
            text.replace("P 1", "P\t1").replace("Q ", " Q  "),
            text.trim_end().to_owned(),
            format!("\u{feff}{text}\n \t\n"),
            text.replace("version 2", "version 2.0"),
            text.replace("height 4\nwidth 6\n", "width 6\nheight 4\n"),
        ];
        for variant in variants {
            assert_eq!(read(&variant).as_ref(), Ok(&expected), "{variant:?}");
            assert!(is_dynamic(variant.as_bytes()), "{variant:?}");
        }
    }

    #[test]
    fn written_scenarios_read_back() {
        let scenario = read(&whole_text()).unwrap();
        assert_eq!(write(&scenario), whole_text());
        let patches = patch::parse(patch::write(&scenario.patches).as_bytes()).unwrap();
        assert_eq!(parse(write(&scenario).as_bytes(), patches), Ok(scenario.clone()));
        let odd = DynamicScenario { cost_names: vec!["a b\n".into()], patch_file: " a\nb ".into(), ..scenario };
        let odd = read(&write(&odd)).unwrap();
        assert_eq!((odd.cost_names[0].as_str(), odd.patch_file.as_str()), ("a-b", "a b"));
    }

    #[test]
    fn each_version_refuses_the_other_by_name() {
        let fixed_text = "version 1\n0\ta.map\t6\t4\t0\t0\t1\t0\t1\n";
        assert!(message(fixed_text).starts_with("line 1: `version 1` is a scenario for a map that does not change"));
        assert!(!is_dynamic(fixed_text.as_bytes()) && !is_dynamic(b"") && !is_dynamic(b"version 2 3"));
        let other = fixed::parse(whole_text().as_bytes()).unwrap_err().to_string();
        assert!(other.starts_with("line 1: `version 2` is a dynamic scenario, whose map changes"), "{other}");
    }

    #[test]
    fn faults_are_reported_with_line_and_value() {
        assert!(message("").starts_with("the file is empty: a dynamic scenario starts with `version 2`"));
        assert!(message("hello\n").starts_with("line 1: expected `version 2` or `version 2.0`, found `hello`"));
        assert!(message("version 2\nheight 4\n").starts_with("the header has no `commands` line"));
        let faults = [
            ("height 4\n", "", "the header has no `height` line"),
            ("cost 1 octile\n", "", "the header has no `cost` line"),
            ("height 4", "width 4", "line 3: the header has a second `width` line"),
            ("height 4", "height x", "line 2: `height x`: expected a number of cells after `height`"),
            ("height 4", "height", "line 2: `height`: expected a number of cells"),
            ("height 4", "height 0", "in the header: a map of 6 x 0 cells is empty"),
            ("height 4", "height 99999999", "in the header: a map of 6 x 99999999 cells is too large"),
            ("height 4", "depth 4", "line 2: `depth 4` is not a header line of a dynamic scenario"),
            ("cost 1 octile", "cost 2 octile", "line 4: `cost 2 octile`: expected as many names"),
            ("cost 1", "cost 9999999999999", "line 4: `cost 9999999999999 octile`: expected as many names"),
            ("patch a b.patch", "patch", "line 5: `patch`: expected the name of a file"),
            ("commands", "commands 3", "line 6: `commands 3` is not a header line"),
            ("Q 0 0", "R 0 0", "line 7: `R 0 0 0 5 0 5` is not a command: expected `P batch"),
            ("Q 0 0 0", "Q 0 0", "line 7: expected 6 columns after `Q`, found 5: batch, start x and y"),
            ("P 1 0 2 0", "P 1 0 2 0 3", "line 8: expected 4 columns after `P`, found 5: batch, patch, x, y"),
            ("P 1 0 2 0", "P 1 2 2 0", "line 8: there is no patch 2: the scenario has 2, numbered from 0"),
            ("P 1 0 2 0", "P -1 0 2 0", "line 8: batch `-1` is not a whole number from 0"),
            ("P 1 0 2 0", "P 1 0 2 3", "line 8: patch 0 of 1 x 2 cells does not lie on the map at 2,3: that has 6 x 4"),
            ("P 1 0 2 0", "P 1 0 4294967295 0", "line 8: patch 0 of 1 x 2 cells does not lie"),
            ("Q 0 0 0 5 0", "Q 0 0 0 6 0", "line 7: goal 6,0 is off the map: x must be below 6 and y below 4"),
            ("Q 0 0 0 5 0 5", "Q 0 0 0 5 0 -2", "line 7: cost `-2` is not a length from 0, or -1 where"),
            ("Q 0 0 0 5 0 5", "Q 0 0 0 5 0 inf", "line 7: cost `inf` is not a length"),
        ];
        for (from, to, expected) in faults {
            let found = message(&whole_text().replacen(from, to, 1));
            assert!(found.starts_with(expected), "{from} -> {to}: {found}");
        }
        assert!(parse(b"version 2\n\xff", Vec::new()).unwrap_err().to_string().starts_with("line 2, column 1: byte"));
    }

    #[test]
    fn answers_agree_to_the_last_digit_unless_the_file_is_rounded() {
        // 8119 straight moves and 5741 diagonal ones differ by 0.0001 in length.
        let (exact, near) = (GridCost::new(8119, 0), GridCost::new(0, 5741));
        let agree = |other: &str, cost: GridCost| {
            let text = format!("{HEADER}Q 0 0 0 5 0 8119\nQ 0 0 0 5 0 {other}\n");
            let scenario = read(&text).unwrap();
            let optima = scenario.optima().unwrap();
            let [first, _] = scenario.queries().collect::<Vec<_>>()[..] else { panic!("two queries") };
            optima.agree(first, Some(cost.into()))
        };
        assert_eq!([exact, near].map(|cost| agree("6.2426406871193", cost)), [true, false]);
        assert_eq!([exact, near].map(|cost| agree("6.24", cost)), [true, true]);
        let other = read(&whole_text().replace("octile", "tile")).unwrap();
        assert_eq!(other.optima(), None);
    }
}
