//! MovingAI `.scen` files: problems with the lengths of their shortest paths.
//!
//! A line `version 1`, then one line per problem with nine columns: bucket, map, the map's width and height, start x
//! and y, goal x and y, length. The reader accepts what real files contain: tabs or spaces, `version 1.0`, CRLF, blank
//! lines, no newline at the end, and map paths that do not exist. Map names with blanks need tabs between the columns.

use std::fmt::Write as _;

use super::dynamic;
use crate::formats::text::{self, NotText};
use crate::geometry::{Cell, PathCost};
use crate::grid::Grid;
use crate::planner::End;

/// The maximum difference between a length in a file and the true one: some files round to two decimals.
pub const TOLERANCE: f64 = 0.0051;

/// The minimum number of decimals of an unrounded length over terrain.
const DECIMALS: usize = 7;

/// The maximum relative error of an unrounded length.
const EXACT: f64 = 1e-12;

/// The versions that this reader accepts.
pub(super) const VERSION: [&str; 2] = ["1", "1.0"];

/// The number of columns of a line.
const COLUMNS: usize = 9;

/// The problems of a file, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// The problems.
    pub problems: Vec<Problem>,
}

/// A query with the length of its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The bucket, a class of lengths: problem lengths divided by 4 in the benchmark's own files.
    pub bucket: u32,
    /// The map's path as stated in the file, which often does not exist.
    pub map: String,
    /// The number of cells in a row of the map.
    pub width: u32,
    /// The number of rows of the map.
    pub height: u32,
    /// The start of the path.
    pub start: Cell,
    /// The goal of the path.
    pub goal: Cell,
    /// The length of a shortest path, rounded. 0 between different cells means that no path exists.
    pub length: f64,
}

impl Problem {
    /// The length of a shortest path as stated in the file; `None` if the file states that no path exists.
    ///
    /// ```
    /// use octile::formats::movingai::scen;
    /// let scenario = scen::parse(b"version 1\n0 a.map 3 2 0 0 2 1 2.41421\n0 a.map 3 2 0 0 2 0 0\n")?;
    /// assert_eq!(scenario.problems[0].optimum(), Some(2.41421));
    /// assert_eq!(scenario.problems[1].optimum(), None);
    /// # Ok::<(), scen::ScenError>(())
    /// ```
    pub fn optimum(&self) -> Option<f64> {
        (self.length > 0.0 || self.start == self.goal).then_some(self.length)
    }

    /// Whether a planner's answer (`None`: no path) matches the file, within the rounding of files. Over terrain, where
    /// paths may differ by less than files round, an unrounded length must match to the last digit.
    ///
    /// ```
    /// use octile::GridCost;
    /// use octile::formats::movingai::scen;
    /// let scenario = scen::parse(b"version 1\n0 a.map 3 2 0 0 2 1 2.41421\n")?;
    /// assert!(scenario.problems[0].agrees(Some(GridCost::new(1, 1).into())));
    /// assert!(!scenario.problems[0].agrees(Some(GridCost::new(3, 0).into())) && !scenario.problems[0].agrees(None));
    /// # Ok::<(), scen::ScenError>(())
    /// ```
    pub fn agrees(&self, cost: Option<PathCost>) -> bool {
        match (self.optimum(), cost) {
            (Some(length), Some(cost)) => (cost.length() - length).abs() <= tolerance(length, cost),
            (None, None) => true,
            _ => false,
        }
    }

    /// Checks that the problem fits `grid`: the map has the right size, and both ends lie on it.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::formats::movingai::scen;
    /// let scenario = scen::parse(b"version 1\n0 a.map 3 2 0 0 2 1 2.41421\n")?;
    /// assert!(scenario.problems[0].check_fits(&Grid::open(3, 2)?).is_ok());
    /// assert!(scenario.problems[0].check_fits(&Grid::open(2, 3)?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ScenError::OtherSize`] or [`ScenError::OffMap`].
    pub fn check_fits(&self, grid: &Grid) -> Result<(), ScenError> {
        let (width, height) = (grid.width(), grid.height());
        if (self.width, self.height) != (width, height) {
            return Err(ScenError::OtherSize {
                map: text::excerpt(&self.map),
                expected: (self.width, self.height),
                found: (width, height),
            });
        }
        for (end, cell) in [(End::Start, self.start), (End::Goal, self.goal)] {
            if !grid.contains(cell) {
                return Err(ScenError::OffMap { end, cell, width, height });
            }
        }
        Ok(())
    }
}

/// The file is not a scenario, or a problem does not fit the map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScenError {
    /// It is empty.
    #[error("the file is empty: a MovingAI scenario starts with `version 1`")]
    Empty,
    /// It is not text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// It is a scenario whose map changes: see [`dynamic`].
    #[error(
        "line {line}: `version 2` is a dynamic scenario, whose map changes: expected `version 1`, for a map that does not change"
    )]
    Dynamic {
        /// Line, from 1.
        line: usize,
    },
    /// It does not start with a known version.
    #[error("line {line}: expected `version 1` or `version 1.0`, found `{found}`")]
    Version {
        /// Line, from 1.
        line: usize,
        /// The line, shortened.
        found: String,
    },
    /// A line has too few or too many columns.
    #[error(
        "line {line}: expected {COLUMNS} columns, found {found}: bucket, map, width, height, start x and y, goal x and y, length"
    )]
    Columns {
        /// Line, from 1.
        line: usize,
        /// The number of columns in this line.
        found: usize,
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
    /// The problem was made for a map of another size.
    #[error(
        "the scenario is for a map of {} x {} cells (`{map}`), this one has {} x {}",
        .expected.0, .expected.1, .found.0, .found.1
    )]
    OtherSize {
        /// The map's path in the file, shortened.
        map: String,
        /// Width and height in the file.
        expected: (u32, u32),
        /// Width and height of the map.
        found: (u32, u32),
    },
    /// An end of the problem is off the map.
    #[error("{end} {cell} of a problem is off the map: x must be below {width} and y below {height}")]
    OffMap {
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

/// Reads a scenario.
///
/// ```
/// use octile::formats::movingai::scen;
/// let scenario = scen::parse(b"version 1\n0\ta.map\t3\t2\t0\t0\t2\t1\t2.41421\n")?;
/// assert_eq!((scenario.problems[0].map.as_str(), scenario.problems[0].width), ("a.map", 3));
/// assert!(scen::parse(b"version 2\n").is_err());
/// # Ok::<(), scen::ScenError>(())
/// ```
///
/// # Errors
/// If the file is not a scenario. The message gives the line and the value.
pub fn parse(bytes: &[u8]) -> Result<Scenario, ScenError> {
    let text = text::from_utf8(bytes)?;
    let mut lines = (1..).zip(text.split('\n').map(str::trim_ascii)).filter(|(_, line)| !line.is_empty());
    let (line, version) = lines.next().ok_or(ScenError::Empty)?;
    if dynamic::is_dynamic(version.as_bytes()) {
        return Err(ScenError::Dynamic { line });
    }
    if !VERSION.iter().any(|&number| version.split_ascii_whitespace().eq(["version", number])) {
        return Err(ScenError::Version { line, found: text::excerpt(version) });
    }
    let problems = lines.map(|(line, text)| parse_problem(line, text)).collect::<Result<_, _>>()?;
    Ok(Scenario { problems })
}

/// Writes a scenario in version 1, with tabs. Tabs and line ends in map names become blanks.
///
/// ```
/// use octile::formats::movingai::scen;
/// let text = "version 1\n0\ta.map\t3\t2\t0\t0\t2\t1\t2.41421\n";
/// assert_eq!(scen::write(&scen::parse(text.as_bytes())?), text);
/// # Ok::<(), scen::ScenError>(())
/// ```
pub fn write(scenario: &Scenario) -> String {
    let mut text = String::from("version 1\n");
    for Problem { bucket, map, width, height, start, goal, length } in &scenario.problems {
        let map = map.replace(['\t', '\n'], " ");
        let _ = writeln!(
            text,
            "{bucket}\t{map}\t{width}\t{height}\t{}\t{}\t{}\t{}\t{length}",
            start.x, start.y, goal.x, goal.y
        );
    }
    text
}

/// The maximum difference between a length in a file and the length of a cost.
fn tolerance(length: f64, cost: PathCost) -> f64 {
    let is_exact = matches!(cost, PathCost::Priced { .. }) && !is_rounded(length);
    if is_exact { exact_tolerance(length) } else { TOLERANCE }
}

/// Whether a length in a file has so few decimals that it may be rounded.
pub(super) fn is_rounded(length: f64) -> bool {
    length.to_string().split_once('.').is_none_or(|(_, decimals)| decimals.len() < DECIMALS)
}

/// The maximum difference between an unrounded length and the true one.
pub(super) fn exact_tolerance(length: f64) -> f64 {
    EXACT * length.max(1.0)
}

fn parse_problem(line: usize, text: &str) -> Result<Problem, ScenError> {
    let words = || text.split_ascii_whitespace();
    // Splits at tabs first: between tabs, a map's name may contain blanks.
    let fields = columns(text.split('\t').map(str::trim_ascii)).or_else(|| columns(words()));
    let [bucket, map, width, height, start_x, start_y, goal_x, goal_y, length] =
        fields.ok_or_else(|| ScenError::Columns { line, found: words().count() })?;
    let whole = |column, text: &str| number(line, column, text, "a whole number from 0", |_| true);
    Ok(Problem {
        bucket: whole("bucket", bucket)?,
        map: map.to_owned(),
        width: whole("width", width)?,
        height: whole("height", height)?,
        start: Cell::new(whole("start x", start_x)?, whole("start y", start_y)?),
        goal: Cell::new(whole("goal x", goal_x)?, whole("goal y", goal_y)?),
        length: number(line, "length", length, "a length from 0", |length: &f64| length.is_finite() && *length >= 0.0)?,
    })
}

/// The fields, if their number is right.
fn columns<'a>(mut fields: impl Iterator<Item = &'a str>) -> Option<[&'a str; COLUMNS]> {
    let mut found = [""; COLUMNS];
    for field in &mut found {
        *field = fields.next()?;
    }
    fields.next().is_none().then_some(found)
}

fn number<T: std::str::FromStr>(
    line: usize,
    column: &'static str,
    text: &str,
    expected: &'static str,
    accept: impl Fn(&T) -> bool,
) -> Result<T, ScenError> {
    let value = text.parse().ok().filter(accept);
    value.ok_or_else(|| ScenError::Number { line, column, found: text::excerpt(text), expected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::GridCost;

    const ROW: &str = "2\tmaps/dao/arena.map\t49\t48\t1\t11\t5\t12\t4.41421";

    fn with_row(row: &str) -> Result<Scenario, ScenError> {
        parse(format!("version 1\n{row}\n").as_bytes())
    }

    fn message(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    fn problem(start: (u32, u32), goal: (u32, u32), length: f64) -> Problem {
        let cell = |(x, y)| Cell::new(x, y);
        Problem { bucket: 0, map: "m".into(), width: 9, height: 9, start: cell(start), goal: cell(goal), length }
    }

    #[test]
    fn columns_are_read_in_order() {
        let expected = Problem {
            bucket: 2,
            map: "maps/dao/arena.map".to_owned(),
            width: 49,
            height: 48,
            start: Cell::new(1, 11),
            goal: Cell::new(5, 12),
            length: 4.41421,
        };
        assert_eq!(with_row(ROW).unwrap().problems, [expected]);
    }

    #[test]
    fn variants_found_in_real_files_read_alike() {
        let expected = with_row(ROW).unwrap();
        let variants = [
            format!("version 1.0\n{}\n", ROW.replace('\t', " ")),
            format!("version\t1\r\n{ROW}\r\n"),
            format!("version 1\n{ROW}"),
            format!("\u{feff}version 1\n\n  {}  \n\n \t\n", ROW.replace('\t', " \t ")),
            format!("version 1\n{ROW}\t\n"),
            format!("version 1\n{}\n", ROW.replace('\t', "\t\t")),
        ];
        for variant in variants {
            assert_eq!(parse(variant.as_bytes()).as_ref(), Ok(&expected), "{variant:?}");
        }
        assert_eq!(parse(b"version 1").unwrap().problems, []);
    }

    #[test]
    fn between_tabs_a_map_name_may_contain_blanks() {
        let row = ROW.replace("arena", "big arena");
        assert_eq!(with_row(&row).unwrap().problems[0].map, "maps/dao/big arena.map");
        assert!(matches!(with_row(&row.replace('\t', " ")), Err(ScenError::Columns { line: 2, found: 10 })));
    }

    #[test]
    fn written_scenarios_read_back() {
        let scenario = Scenario { problems: vec![problem((1, 2), (3, 4), 2.0 * 2.0_f64.sqrt()); 3] };
        assert_eq!(parse(write(&scenario).as_bytes()), Ok(scenario));
        let odd = Scenario { problems: vec![Problem { map: "a\tb\nc".to_owned(), ..problem((0, 0), (0, 0), 0.0) }] };
        assert_eq!(parse(write(&odd).as_bytes()).unwrap().problems[0].map, "a b c");
    }

    #[test]
    fn faults_are_reported_with_line_and_value() {
        assert!(message("").starts_with("the file is empty"));
        assert!(message("\r\n \n").starts_with("the file is empty"));
        assert!(message(ROW).starts_with("line 1: expected `version 1` or `version 1.0`, found `2\\tmaps/dao/arena"));
        assert!(message("version 3\n").ends_with("found `version 3`"));
        assert!(message("\nversion 2.0\n").starts_with("line 2: `version 2` is a dynamic scenario"));
        assert!(message("version 1\n\n1 2 3\n").starts_with("line 3: expected 9 columns, found 3"));
        assert!(with_row(&format!("{ROW}\t7")).unwrap_err().to_string().contains("found 10"));
        for (from, to, expected) in [
            ("2\tmaps", "-2\tmaps", "line 2: bucket `-2` is not a whole number from 0"),
            ("\t48\t", "\t4.5\t", "line 2: height `4.5` is not a whole number from 0"),
            ("\t49\t", "\t4294967296\t", "line 2: width `4294967296` is not a whole number from 0"),
            ("\t11\t", "\t-11\t", "line 2: start y `-11` is not a whole number from 0"),
            ("\t12\t", "\tx\t", "line 2: goal y `x` is not a whole number from 0"),
            ("4.41421", "NaN", "line 2: length `NaN` is not a length from 0"),
            ("4.41421", "inf", "line 2: length `inf` is not a length from 0"),
            ("4.41421", "1e999", "line 2: length `1e999` is not a length from 0"),
            ("4.41421", "-1", "line 2: length `-1` is not a length from 0"),
            ("4.41421", "4,4", "line 2: length `4,4` is not a length from 0"),
        ] {
            assert_eq!(with_row(&ROW.replacen(from, to, 1)).unwrap_err().to_string(), expected);
        }
        assert!(parse(b"version 1\n\xff").unwrap_err().to_string().starts_with("line 2, column 1: byte 0xff"));
    }

    #[test]
    fn answers_agree_within_the_rounding_of_files() {
        let cost = PathCost::from(GridCost::new(1, 1));
        let posed = |length| problem((0, 0), (2, 1), length);
        for length in [2.414_213_56, 2.41, 2.419, 2.4094] {
            assert!(posed(length).agrees(Some(cost)), "{length}");
        }
        for length in [2.42, 2.408, 0.0] {
            assert!(!posed(length).agrees(Some(cost)), "{length}");
        }
        assert!(!posed(2.41).agrees(None));
    }

    #[test]
    fn lengths_over_terrain_agree_to_the_last_digit_if_they_were_not_rounded() {
        let (cost, other) = (GridCost::new(42, 1), GridCost::new(1, 30)); // quarters: 0.003 apart
        let [cost, other] = [cost, other].map(|counts| PathCost::Priced { counts, parts: 4 });
        assert!((cost.length() - other.length()).abs() < TOLERANCE);
        let exact = problem((0, 0), (2, 1), cost.length());
        assert!(exact.agrees(Some(cost)) && !exact.agrees(Some(other)));
        let rounded = problem((0, 0), (2, 1), (cost.length() * 1000.0).round() / 1000.0);
        assert!(rounded.agrees(Some(cost)) && rounded.agrees(Some(other)));
        assert!(!rounded.agrees(None));
    }

    #[test]
    fn length_0_between_different_cells_means_no_path() {
        assert_eq!(problem((0, 0), (2, 1), 0.0).optimum(), None);
        assert!(problem((0, 0), (2, 1), 0.0).agrees(None));
        assert_eq!(problem((2, 1), (2, 1), 0.0).optimum(), Some(0.0));
        assert!(problem((2, 1), (2, 1), 0.0).agrees(Some(GridCost::ZERO.into())));
        assert!(!problem((2, 1), (2, 1), 0.0).agrees(None));
    }

    #[test]
    fn a_problem_for_another_map_does_not_fit() {
        let grid = Grid::open(9, 9).unwrap();
        assert_eq!(problem((0, 0), (8, 8), 0.0).check_fits(&grid), Ok(()));
        let error = problem((0, 0), (8, 9), 0.0).check_fits(&grid).unwrap_err();
        assert_eq!(error.to_string(), "goal 8,9 of a problem is off the map: x must be below 9 and y below 9");
        let error = problem((0, 0), (8, 8), 0.0).check_fits(&Grid::open(9, 7).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "the scenario is for a map of 9 x 9 cells (`m`), this one has 9 x 7");
    }
}
