//! A robot: a ROS map in metres, a path in any direction that keeps clear of walls, and a crate in the way.
//!
//! ```text
//! cargo run --release -p octile --example robot --features image
//! cargo run --release -p octile --example robot --features image -- --png robot.png
//! ```
//!
//! The example writes a small map of a building first, as `map_server` would have saved it, so that it runs as it is;
//! `--map FOLDER` keeps that. Give it the YAML file of a map of yours, and start and goal in metres, to plan on that:
//! `-- map.yaml 1.5 2 8 3.5`.

#[path = "robot/building.rs"]
pub(crate) mod building;
#[path = "robot/picture.rs"]
pub(crate) mod picture;

use std::error::Error;
use std::io::{self, Write};
use std::path::Path as FilePath;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{env, fs};

use octile::geometry::Endpoints;
use octile::grid::{Agent, Georeference};
use octile::{Answer, Cell, Edits, Engine, Grid, Path, Query, TautSight};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Half the width of the robot, in metres.
const RADIUS: f64 = 0.22;

/// The side of the crate, in metres; less than the robot is wide, so that no part of it is off the map.
const CRATE: f64 = 0.4;

/// Which part of its way the robot has gone when it sees the crate, and at which part of the way that stands.
const SEEN_AT: f64 = 0.45;
const CRATE_AT: f64 = 0.68;

/// From the office to the worktop in the kitchen, on the map of the example.
pub(crate) const FROM: Position = (1.2, 1.1);
pub(crate) const TO: Position = (10.9, 5.1);

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let folder = tempfile::tempdir()?;
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => drive(&building::write(folder.path())?, FROM, TO, &mut io::stdout()).map(drop),
        ["--map", folder] => building::write(FilePath::new(folder)).map(drop),
        ["--png", file] => {
            let map = building::write(folder.path())?;
            Ok(fs::write(file, picture::draw(&map, &drive(&map, FROM, TO, &mut io::sink())?)?)?)
        }
        [map, x, y, goal_x, goal_y] => {
            let (from, to) = ((x.parse()?, y.parse()?), (goal_x.parse()?, goal_y.parse()?));
            drive(FilePath::new(map), from, to, &mut io::stdout()).map(drop)
        }
        _ => Err("usage: robot [--map FOLDER | --png FILE | MAP.yaml X Y GOAL_X GOAL_Y]".into()),
    }
}

/// A position in metres.
type Position = (f64, f64);

/// What happened on a drive.
pub(crate) struct Drive {
    robot: Robot,
    map: Grid,
    map_with_crate: Grid,
    from: Cell,
    to: Cell,
    way: Path,
    way_around: Path,
}

/// Plans, finds a crate on the way, and plans again.
pub(crate) fn drive(map: &FilePath, from: Position, to: Position, out: &mut impl Write) -> Result<Drive> {
    // doc: load
    let file = octile::load(map)?; // unknown cells are blocked
    let place = file.georeference.ok_or("the map does not say where it lies")?;
    let engine = Engine::new(TautSight::default().ends(Endpoints::Centres), &file.grid)?; // from the centres of cells
    // doc: end
    // doc: radius
    let agent = Agent::disc(place.metres_to_cells(RADIUS))?;
    let robot = Robot { engine: engine.for_agent(agent)?, place, stop: AtomicBool::new(false) };
    // doc: end
    let answer = robot.ask(from, to)?;
    robot.tell(out, "the way", &answer)?;
    let way = answer.into_path()?.ok_or("there is no way")?;

    let points: Vec<Position> = way.to_world(&place)?.collect();
    let (at, ahead) = (along(&points, SEEN_AT), along(&points, CRATE_AT));
    writeln!(out, "at {:.2}, {:.2} it sees a crate at {:.2}, {:.2}", at.0, at.1, ahead.0, ahead.1)?;
    let (first, last) = square(robot.cell(ahead)?, place.metres_to_cells(CRATE));

    // doc: crate
    engine.apply(Edits::new().block_rect(first, last))?; // the crate's own cells
    let is_still_free = robot.engine.still_valid(&way);
    let answer = robot.ask(at, to)?; // from where the robot is
    // doc: end
    writeln!(out, "the way is {}", if is_still_free { "still free" } else { "blocked" })?;
    robot.tell(out, "the way around it", &answer)?;
    let way_around = answer.into_path()?.ok_or("there is no way around it")?;
    let (from, to) = (robot.cell(from)?, robot.cell(to)?);
    Ok(Drive { robot, map: file.grid, map_with_crate: engine.grid(), from, to, way, way_around })
}

/// Who drives: an engine for its size, on a map that lies in the world.
struct Robot {
    engine: Engine,
    place: Georeference,
    /// Set by whoever wants it to stop thinking.
    stop: AtomicBool,
}

impl Robot {
    // doc: ask
    /// A way from one position to another, or from and to the nearest cells where the robot fits.
    fn ask(&self, from: Position, to: Position) -> Result<Answer> {
        let query = Query::new(self.cell(from)?, self.cell(to)?).nearest_ends();
        Ok(self.engine.ask(query.within(Duration::from_mins(1)).cancelled_by(&self.stop))?)
    }

    fn cell(&self, (x, y): Position) -> Result<Cell> {
        Ok(self.place.world_to_cell(x, y).ok_or("that is off the map")?)
    }
    // doc: end

    // doc: tell
    fn tell(&self, out: &mut impl Write, what: &str, answer: &Answer) -> Result<()> {
        let Some(path) = answer.path()? else { return Ok(writeln!(out, "{what}: {}", answer.status().name())?) };
        writeln!(out, "{what}: {:.2} m", path.metres(&self.place))?;
        for (x, y) in path.to_world(&self.place)? {
            writeln!(out, "  {x:.2}, {y:.2}")?;
        }
        if answer.away() > 0.0 {
            let away = self.place.cells_to_metres(answer.away());
            writeln!(out, "  it ends {away:.2} m away from the goal, as near as the robot fits")?;
        }
        Ok(())
    }
    // doc: end
}

/// The point at a part of the way along a line, from 0 at its start to 1 at its end.
fn along(points: &[Position], part: f64) -> Position {
    let length = |leg: &[Position]| (leg[1].0 - leg[0].0).hypot(leg[1].1 - leg[0].1);
    let mut left = part * points.windows(2).map(length).sum::<f64>();
    for leg in points.windows(2) {
        let whole = length(leg);
        if left < whole {
            let at = |a: f64, b: f64| a + (b - a) * left / whole;
            return (at(leg[0].0, leg[1].0), at(leg[0].1, leg[1].1));
        }
        left -= whole;
    }
    points[points.len() - 1]
}

/// The first and the last cell of a square with its middle in a cell.
fn square(middle: Cell, side: f64) -> (Cell, Cell) {
    let half = (side / 2.0).floor() as u32;
    let first = Cell::new(middle.x.saturating_sub(half), middle.y.saturating_sub(half));
    (first, Cell::new(middle.x + half, middle.y + half))
}
