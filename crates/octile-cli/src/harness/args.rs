//! Arguments shared by several commands, checked before any work begins.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::slice;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use octile::formats::{LoadOptions, MapFile, Pricing, Unknown};
use octile::geometry::ParseError;
use octile::grid::{Agent, Convention, Georeference, Room};
use octile::{Catalog, Cell, Grid, Movement, Output, PathQuery, Planner, PlannerSpec};

use super::indexes::IndexFiles;

/// The planner, its movement rule and its inputs.
#[derive(Args, Debug)]
pub struct PlannerArgs {
    /// The planner: `name` or `name:key=value,...`; see `octile planners` [default: corner-sweep; astar under another
    /// rule than `octile`; one that supports terrain on a map with prices]
    #[arg(long, value_name = "SPEC")]
    pub planner: Option<PlannerSpec>,

    #[command(flatten)]
    /// The rule.
    pub movement: MovementArg,

    #[command(flatten)]
    /// Which cells are free, and what they cost.
    pub read: ReadArgs,

    #[command(flatten)]
    /// The index files.
    pub index: IndexArg,
}

impl PlannerArgs {
    /// The planner given, or the fastest one that supports the map and needs no preparation.
    pub fn spec(&self, catalog: &Catalog, grid: &Grid) -> Result<PlannerSpec> {
        self.planner.clone().map_or_else(|| Ok(catalog.parse(default_planner(catalog, grid))?), Ok)
    }

    /// Builds the planner for a map of this name, with the index files, each of which must be used.
    pub fn build(&self, spec: &PlannerSpec, grid: &Grid, map: &str, catalog: &Catalog) -> Result<Box<dyn Planner>> {
        let indexes = IndexFiles::open(&self.index, grid, catalog)?;
        indexes.check_used(slice::from_ref(spec), &[], catalog)?;
        indexes.planner(spec, grid, map)
    }
}

/// The fastest planner of a catalog that supports the map and needs no preparation.
fn default_planner(catalog: &Catalog, grid: &Grid) -> &'static str {
    match (grid.movement(), grid.convention()) {
        (Movement::Octile, None) => "corner-sweep",
        (Movement::Octile, Some(_)) if knows(catalog, TERRAIN_PLANNER) => TERRAIN_PLANNER,
        _ => "astar",
    }
}

/// The fastest planner on maps with prices.
pub(crate) const TERRAIN_PLANNER: &str = "terrain-jump";

/// Whether a catalog has a planner of this name.
pub(crate) fn knows(catalog: &Catalog, name: &str) -> bool {
    catalog.planners().iter().any(|entry| entry.name() == name)
}

/// The index files.
#[derive(Args, Clone, Debug)]
pub struct IndexArg {
    /// An index file of `octile build`, which the planner reads instead of building that index; may be given once per
    /// kind. The planner's own key index=FILE takes precedence
    #[arg(long = "index", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Read index files into memory, at most 1 GiB each, instead of mapping them: slower to open, but safe if another
    /// program truncates a file in use, which would otherwise kill the command
    #[arg(long)]
    pub read_index: bool,
}

/// The movement rule.
#[derive(Args, Clone, Copy, Debug)]
pub struct MovementArg {
    /// The legal moves: `octile` (8 neighbours, no corner cutting), `tile` (4 neighbours) or `octile-cutting` (8
    /// neighbours, a diagonal may cut one corner)
    #[arg(long, value_name = "RULE", default_value = "octile", hide_possible_values = true, value_parser = movement())]
    pub movement: Movement,
}

fn movement() -> impl TypedValueParser<Value = Movement> {
    PossibleValuesParser::new(Movement::ALL.map(Movement::name)).try_map(|name| name.parse::<Movement>())
}

/// How a map is read: which cells are free, and what they cost.
#[derive(Args, Clone, Debug, Default)]
pub struct ReadArgs {
    /// Whether the unknown cells of a ROS map or a costmap are `blocked` or `free`; other maps have none
    #[arg(long, value_name = "STATE", default_value = "blocked", hide_possible_values = true, value_parser = unknown())]
    pub unknown: Unknown,

    /// The prices of cells: a price file, with a line `LETTER PRICE` for each letter of the map or `GREY PRICE` for
    /// grey levels of an image, from 1 to 255, or 0 for blocked; or `costmap`, for images and ROS maps with the costs
    /// of Nav2; or `occupancy`, for ROS maps. A drawing with digits contains its prices
    #[arg(long, value_name = "FILE|costmap|occupancy")]
    pub prices: Option<PathBuf>,

    /// How the cost of a move follows from prices: `average` is the mean of the cells that it touches, `enter` the
    /// price of the cell entered [default: average]
    #[arg(long, value_name = "HOW", hide_possible_values = true, value_parser = convention())]
    pub convention: Option<Convention>,
}

impl ReadArgs {
    /// The options for the library. Reads the price file.
    pub fn options(&self) -> Result<LoadOptions> {
        let options = LoadOptions::default().unknown(self.unknown).convention(self.convention.unwrap_or_default());
        let Some(prices) = &self.prices else { return Ok(options) };
        let named = prices.to_str().and_then(Pricing::named);
        Ok(options.prices(named.map_or_else(|| Ok(Pricing::from(octile::formats::load_prices(prices)?)), anyhow::Ok)?))
    }

    /// Refuses a convention for a map without prices, where it has no effect.
    pub fn check(&self, grid: &Grid, map: &str) -> Result<()> {
        match self.convention.filter(|_| grid.convention().is_none()) {
            None => Ok(()),
            Some(convention) => bail!(
                "{map} has no prices, so --convention {convention} has no effect: give --prices FILE, or leave it out"
            ),
        }
    }

    /// Refuses these arguments for a dynamic scenario, whose map has neither unknown cells nor prices.
    pub(crate) fn ensure_unused(&self, file: &Path) -> Result<()> {
        let written = self.written();
        ensure!(
            written.is_empty(),
            "{} is a dynamic scenario, whose map has neither prices nor unknown cells: leave out{written}",
            file.display()
        );
        Ok(())
    }

    /// These arguments as written on the command line.
    pub(crate) fn written(&self) -> String {
        let unknown = (self.unknown != Unknown::default()).then(|| format!(" --unknown {}", self.unknown));
        let prices = self.prices.as_ref().map(|prices| format!(" --prices {}", prices.display()));
        let convention = self.convention.map(|convention| format!(" --convention {convention}"));
        unknown.into_iter().chain(prices).chain(convention).collect()
    }
}

fn convention() -> impl TypedValueParser<Value = Convention> {
    PossibleValuesParser::new(Convention::ALL.map(Convention::name)).try_map(|name| name.parse::<Convention>())
}

fn unknown() -> impl TypedValueParser<Value = Unknown> {
    PossibleValuesParser::new(Unknown::ALL.map(Unknown::name)).try_map(|name| name.parse::<Unknown>())
}

/// The size of the agent.
#[derive(Args, Clone, Debug, Default)]
pub struct AgentArgs {
    /// Find paths for a square of K x K cells, whose upper left cell is on the cells of the path
    // Let a leading minus reach both parsers, whose messages are clearer.
    #[arg(long, value_name = "K", value_parser = side, conflicts_with = "radius", allow_hyphen_values = true)]
    pub size: Option<u32>,

    /// Find paths for a disc of this radius, in cells, such as 3 or 3.5, or on a ROS map in metres, such as 0.22m: the
    /// path keeps this distance from blocked cells and from the edge of the map
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    pub radius: Option<Radius>,
}

impl AgentArgs {
    /// The agent, on a map of this name, which may have a georeference.
    pub fn agent(&self, georeference: Option<&Georeference>, map: &str) -> Result<Agent> {
        Ok(match (self.size, &self.radius) {
            (Some(size), _) => Agent::square(size)?,
            (None, Some(radius)) => Agent::disc(radius.cells(georeference, map)?)?,
            (None, None) => Agent::POINT,
        })
    }
}

fn side(text: &str) -> Result<u32, String> {
    let side = text.parse().ok().filter(|&side| side > 0);
    side.ok_or_else(|| "expected a whole number of cells from 1".to_owned())
}

/// A radius in cells or in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Radius {
    /// As the user wrote it. Messages quote this, as the number may be rounded.
    text: String,
    length: f64,
    in_metres: bool,
}

impl Radius {
    /// The radius in cells. A radius in metres needs a map with a known cell size.
    pub fn cells(&self, georeference: Option<&Georeference>, map: &str) -> Result<f64> {
        match georeference {
            _ if !self.in_metres => Ok(self.length),
            Some(georeference) => Ok(georeference.metres_to_cells(self.length)),
            None => bail!(
                "{map} does not say how large its cells are, as ROS maps do: give --radius in cells, without the m of {}",
                self.text
            ),
        }
    }
}

impl FromStr for Radius {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, in_metres) = text.strip_suffix('m').map_or((text, false), |number| (number, true));
        let length = number.parse().ok().filter(|length: &f64| length.is_finite() && *length >= 0.0);
        let length = length.ok_or("expected a number from 0, of cells, such as 3.5, or of metres, such as 0.22m")?;
        Ok(Self { text: text.to_owned(), length, in_metres })
    }
}

impl AgentArgs {
    /// The agent, and the map of the cells where it fits.
    pub fn fit(&self, file: &MapFile, is_any_angle: bool, map: &str) -> Result<(Agent, Grid)> {
        let agent = self.agent(file.georeference.as_ref(), map)?;
        let room = if is_any_angle { Room::Cell } else { Room::Centre };
        Ok((agent, file.grid.for_agent(agent, room)))
    }
}

impl AgentArgs {
    /// Refuses an end that is free but where the agent does not fit. A planner would call it blocked.
    pub fn ensure_fits(&self, grid: &Grid, fitting: &Grid, cell: Cell) -> Result<()> {
        ensure!(
            !grid.is_free(cell) || fitting.is_free(cell),
            "{cell} is free, but too close to blocked cells for {}: choose a cell with more room, or add --nearest to `octile solve`",
            match (self.size, &self.radius) {
                (Some(side), _) => format!("a square of {side} x {side} cells"),
                (None, Some(Radius { text, in_metres: true, .. })) => format!("a disc with a radius of {text}"),
                (None, Some(Radius { text, .. })) => format!("a disc with a radius of {text} cells"),
                (None, None) => "a point".to_owned(),
            }
        );
        Ok(())
    }
}

/// A place on a map: a cell, or a point in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// As the user wrote it. Messages quote this, as the numbers may be rounded.
    text: String,
    point: (f64, f64),
    /// The cell, if the numbers are those of a cell.
    cell: Option<Cell>,
}

impl Place {
    /// The cell of this place, on a map that may have a georeference; `in_metres` if places are given in metres.
    pub fn cell(&self, georeference: Option<&Georeference>, in_metres: bool, map: &str) -> Result<Cell> {
        let Self { text, point: (x, y), cell } = self;
        match (georeference, cell) {
            (_, Some(cell)) if !in_metres => Ok(*cell),
            _ if !in_metres => {
                bail!("`{text}` is not a cell: write whole numbers from 0, as in 12,40; or add --metres")
            }
            (None, _) => {
                bail!("{map} does not say where it lies in the world, as ROS maps do: give cells, without --metres")
            }
            (Some(place), _) => place.world_to_cell(*x, *y).with_context(|| format!("{text} in metres is off {map}")),
        }
    }
}

impl FromStr for Place {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let point = || text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
        let (cell, point) = match text.parse::<Cell>() {
            Ok(cell) => (Some(cell), (cell.x.into(), cell.y.into())),
            Err(error) => (None, point().ok_or(error)?),
        };
        Ok(Self { text: text.to_owned(), point, cell })
    }
}

/// Parses a maximum length of paths.
pub fn max_cost(text: &str) -> Result<f64, String> {
    let cost = text.parse().ok().filter(|&cost: &f64| cost >= 0.0);
    cost.ok_or_else(|| "expected a length from 0, such as 20 or 35.5".to_owned())
}

/// `--from` and `--to`, both or neither.
#[derive(Args, Debug)]
pub struct EndsArgs {
    /// The start: column and row, counted from 0 at the top left
    // A leading minus must reach the cell's own parser, whose message is clearer.
    #[arg(long, value_name = "X,Y", requires = "to", allow_hyphen_values = true)]
    pub from: Option<Cell>,

    /// The goal
    #[arg(long, value_name = "X,Y", requires = "from", allow_hyphen_values = true)]
    pub to: Option<Cell>,
}

impl EndsArgs {
    /// Both ends, if they are given.
    #[must_use]
    pub fn ends(&self) -> Option<(Cell, Cell)> {
        self.from.zip(self.to)
    }

    /// Both ends, if they are given; they must be free cells of the map. Called before anything is built for the
    /// search.
    pub fn ends_on(&self, grid: &Grid) -> Result<Option<(Cell, Cell)>> {
        let ends = self.ends();
        if let Some((from, to)) = ends {
            PathQuery::new(from, to).check(grid)?;
        }
        Ok(ends)
    }
}

/// Parses a number that must not be 0.
pub fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number from 1".to_owned())
}

/// The maximum number of threads: more than the cores of any machine that a map needs.
pub const MAX_JOBS: usize = 1024;

/// Parses a number of threads.
pub fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let jobs = text.parse().ok().filter(|jobs: &NonZeroUsize| jobs.get() <= MAX_JOBS);
    jobs.ok_or_else(|| format!("expected a whole number from 1 to {MAX_JOBS}: more threads than cores gain nothing"))
}

/// Parses the value of `--output`.
pub fn output_kind() -> impl TypedValueParser<Value = Output> {
    PossibleValuesParser::new(OUTPUTS.map(|(name, _)| name)).map(|name| {
        OUTPUTS.into_iter().find(|(known, _)| *known == name).map_or_else(Output::default, |(_, output)| output)
    })
}

/// The value of `--output` for an output.
pub fn output_name(output: Output) -> &'static str {
    OUTPUTS.into_iter().find(|(_, known)| *known == output).map_or("waypoints", |(name, _)| name)
}

const OUTPUTS: [(&str, Output); 3] =
    [("waypoints", Output::Waypoints), ("cells", Output::Cells), ("cost", Output::Cost)];

/// The output file of a picture; its ending chooses the format.
#[derive(Clone, Debug)]
pub struct PictureFile {
    /// The file.
    pub path: PathBuf,
    /// The format, by the ending.
    pub format: PictureFormat,
}

/// The formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Cells as pixels.
    Png,
    /// Shapes, sharp at any size.
    Svg,
}

impl PictureFile {
    /// A file whose ending names a picture format.
    pub fn new(path: PathBuf) -> Result<Self> {
        let format = match extension(&path).as_deref() {
            Some("png") => PictureFormat::Png,
            Some("svg") => PictureFormat::Svg,
            _ => bail!("the name of a picture must end in .png or .svg"),
        };
        Ok(Self { path, format })
    }

    /// The command-line parser.
    pub fn parser() -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().try_map(Self::new)
    }
}

/// The ending of a file's name, in lower case.
pub fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Clap's message as one sentence: without its `error:`, the usage lines and the line breaks.
pub fn sentence(rendered: &str) -> String {
    let message = rendered.strip_prefix("error: ").unwrap_or(rendered);
    let message = message.split("\n\nUsage:").next().unwrap_or(message);
    let message = message.split("\n\nFor more information").next().unwrap_or(message);
    let words = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = message.split("\n\n").map(words).collect::<Vec<_>>().join("; ");
    format!("{sentence} (--help tells more)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_messages_become_one_sentence() {
        let rendered =
            "error: required:\n  --from <X,Y>\n\nUsage: octile solve\n\nFor more information, try '--help'.\n";
        assert_eq!(sentence(rendered), "required: --from <X,Y> (--help tells more)");
        let rendered = "error: unknown 'sole'\n\n  tip: say 'solve'\n\nUsage: octile <COMMAND>\n";
        assert_eq!(sentence(rendered), "unknown 'sole'; tip: say 'solve' (--help tells more)");
    }

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        agent: AgentArgs,
        #[command(flatten)]
        read: ReadArgs,
    }

    fn line(args: &[&str]) -> Result<Line, clap::Error> {
        clap::Parser::try_parse_from([&["octile"], args].concat())
    }

    fn agent(args: &[&str], georeference: Option<&Georeference>) -> Result<Agent> {
        line(args)?.agent.agent(georeference, "hall.map")
    }

    #[test]
    fn agents_are_given_in_cells_or_in_metres() {
        let place = Georeference::new(&Grid::open(3, 3).unwrap(), 0.05, [0.0; 3]);
        assert_eq!(agent(&[], None).unwrap(), Agent::POINT);
        assert_eq!(agent(&["--size", "3"], None).unwrap(), Agent::square(3).unwrap());
        assert_eq!(agent(&["--radius", "3"], None).unwrap(), Agent::disc(3.0).unwrap());
        assert_eq!(agent(&["--radius=3.5"], Some(&place)).unwrap(), Agent::disc(3.5).unwrap());
        assert_eq!(agent(&["--radius", "0.25m"], Some(&place)).unwrap(), Agent::disc(5.0).unwrap());
        assert_eq!(agent(&["--radius", "0m"], Some(&place)).unwrap(), Agent::POINT);
    }

    #[test]
    fn invalid_agents_are_refused_in_one_sentence() {
        let refused = |args: &[&str]| agent(args, None).unwrap_err().to_string();
        for size in ["0", "-1", "1.5", "4294967296", "big"] {
            assert!(refused(&["--size", size]).contains("a whole number of cells from 1"), "{size}");
        }
        for radius in ["-1", "", "m", "3 m", "nan", "inf", "1e999", "-0.1m", "3cm"] {
            assert!(refused(&["--radius", radius]).contains("expected a number from 0, of cells"), "{radius}");
        }
        assert!(refused(&["--size", "2", "--radius", "1"]).contains("cannot be used with"));
        let expected = "hall.map does not say how large its cells are, as ROS maps do: give --radius in cells, without the m of 0.22m";
        assert_eq!(refused(&["--radius", "0.22m"]), expected);
        let tiny = Georeference::new(&Grid::open(3, 3).unwrap(), f64::MIN_POSITIVE, [0.0; 3]);
        assert!(agent(&["--radius", "9e9m"], Some(&tiny)).unwrap_err().to_string().contains("finite"));
    }

    #[test]
    fn unknown_cells_are_blocked_by_default() {
        assert_eq!(line(&[]).unwrap().read.unknown, Unknown::Blocked);
        assert_eq!(line(&["--unknown", "free"]).unwrap().read.unknown, Unknown::Free);
        assert!(line(&["--unknown", "maybe"]).is_err());
    }

    #[test]
    fn the_ending_chooses_the_picture_format() {
        assert_eq!(PictureFile::new("a.PNG".into()).unwrap().format, PictureFormat::Png);
        assert_eq!(PictureFile::new("a.b.svg".into()).unwrap().format, PictureFormat::Svg);
        assert!(PictureFile::new("a.jpg".into()).is_err());
        assert!(PictureFile::new("png".into()).is_err());
    }
}
