//! A robot: a ROS map in metres, a path in any direction, and a crate in the way.
//!
//! ```text
//! cargo run --release -p octile --example robot --features image
//! ```
//!
//! The example writes a small map of a building first, as `map_server` would have saved it, so that it runs as it is. Give it the
//! YAML file of a map of yours, and start and goal in metres, to plan on that: `-- map.yaml 1.5 2 8 3.5`.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path as FilePath;
use std::{env, fs};

use octile::{Cell, Corner, Edits, Ends, Engine, Georeference, Grid, Path, Spot, Squeeze, TautSight};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Half the width of the robot, in metres.
const RADIUS: f64 = 0.3;

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let folder = tempfile::tempdir()?;
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => drive(&write_map(folder.path())?, (0.9, 0.9), (10.9, 3.5), &mut io::stdout()),
        [map, numbers @ ..] => {
            let numbers = numbers.iter().map(|number| Ok(number.parse()?)).collect::<Result<Vec<f64>>>()?;
            let [x, y, goal_x, goal_y] = numbers[..] else {
                return Err("usage: robot [MAP.yaml X Y GOAL_X GOAL_Y]".into());
            };
            drive(FilePath::new(map), (x, y), (goal_x, goal_y), &mut io::stdout())
        }
    }
}

/// A position in metres.
type Position = (f64, f64);

/// Plans, finds a crate on the way, and plans again.
pub(crate) fn drive(map: &FilePath, from: Position, to: Position, out: &mut impl Write) -> Result<()> {
    // doc: load
    let file = octile::load(map)?; // unknown space is blocked
    let place = file.georeference.ok_or("the map does not say where it lies")?;
    let grid = widened(&file.grid, RADIUS / place.resolution)?;
    let config = TautSight::default().squeeze(Squeeze::Forbidden).ends(Ends::Centres); // from the centres of cells
    let engine = Engine::new(config, &grid)?;
    // doc: end

    let goal = cell(&place, to)?;
    let path = plan(&engine, cell(&place, from)?, goal)?;
    tell(out, "the way", &path, &place)?;

    let (at, ahead) = longest_line(&path.spots()?.collect::<Vec<_>>());
    let (x, y) = position(&place, ahead.into());
    writeln!(out, "a crate at {x:.2}, {y:.2}")?;

    // doc: crate
    let at = free_cell(&engine.grid(), at).ok_or("the robot is inside a wall")?;
    engine.apply(&block_around(&engine.grid(), ahead, (RADIUS + 0.25) / place.resolution, at))?;
    let path = plan(&engine, at, goal)?; // from where the robot is
    // doc: end
    tell(out, "the way around it", &path, &place)
}

fn plan(engine: &Engine, from: Cell, to: Cell) -> Result<Path> {
    Ok(engine.find(from, to)?.ok_or("there is no way")?)
}

fn cell(place: &Georeference, (x, y): Position) -> Result<Cell> {
    Ok(place.world_to_cell(x, y).ok_or("that is off the map")?)
}

/// Where a point of a path is, in metres: the centre of a cell, or a corner, half a cell up and to the left of the centre of its cell.
fn position(place: &Georeference, spot: Spot) -> Position {
    let (x, y) = place.cell_to_world(cell_of(spot));
    if spot.as_centre().is_some() {
        return (x, y);
    }
    let ((sin, cos), half) = (place.origin[2].sin_cos(), place.resolution / 2.0);
    (x - half * cos - half * sin, y - half * sin + half * cos)
}

/// The cell with this centre, or with this corner at its upper left.
fn cell_of(spot: Spot) -> Cell {
    Cell::new(spot.x() as u32, spot.y() as u32)
}

// doc: widen
/// The map for a robot of some radius in cells: what is too near to an obstacle is blocked, and so is the edge of the map.
fn widened(grid: &Grid, radius: f64) -> Result<Grid> {
    let reach = radius.ceil() as u32;
    let is_clear = |cell: Cell| {
        let near = (0..=2 * reach).flat_map(|y| (0..=2 * reach).map(move |x| (x, y)));
        let mut near =
            near.filter(|&(x, y)| f64::from(x.abs_diff(reach)).hypot(f64::from(y.abs_diff(reach))) <= radius);
        near.all(|(x, y)| grid.is_free(((cell.x + x).wrapping_sub(reach), (cell.y + y).wrapping_sub(reach))))
    };
    Ok(Grid::from_fn(grid.width(), grid.height(), is_clear)?)
}
// doc: end

/// What changes when something appears at a corner: all cells within a radius are blocked, but for the one where the robot is.
fn block_around(grid: &Grid, middle: Corner, radius: f64, robot: Cell) -> Edits {
    let distance = |cell: Cell| {
        let from = |at: u32, middle: u32| f64::from(at) + 0.5 - f64::from(middle);
        from(cell.x, middle.x).hypot(from(cell.y, middle.y))
    };
    let mut edits = Edits::new();
    for cell in grid.cells().filter(|&cell| cell != robot && distance(cell) <= radius) {
        edits.block(cell);
    }
    edits
}

/// Where the longest straight line of a path begins, and the corner nearest to its middle: there the crate will be.
fn longest_line(spots: &[Spot]) -> (Spot, Corner) {
    let lines = spots.windows(2).map(|ends| (ends[0], ends[1]));
    let longest = lines.max_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1)));
    let (from, to) = longest.unwrap_or((spots[0], spots[0]));
    let middle = |a: f64, b: f64| a.midpoint(b).round() as u32;
    (from, Corner::new(middle(from.x(), to.x()), middle(from.y(), to.y())))
}

/// A free cell of the four around a corner, or the one whose centre it is: queries are about cells.
fn free_cell(grid: &Grid, spot: Spot) -> Option<Cell> {
    let cell = cell_of(spot);
    let around = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| (cell.x.wrapping_sub(x), cell.y.wrapping_sub(y)));
    around.into_iter().map(Cell::from).find(|&cell| grid.is_free(cell))
}

fn tell(out: &mut impl Write, what: &str, path: &Path, place: &Georeference) -> Result<()> {
    writeln!(out, "{what}: {:.2} m", path.length() * place.resolution)?;
    for spot in path.spots()? {
        let (x, y) = position(place, spot);
        writeln!(out, "  {x:.2}, {y:.2}")?;
    }
    Ok(())
}

/// Writes a map as `map_server` does: an image, and a file that says what it means and where it lies.
pub(crate) fn write_map(folder: &FilePath) -> Result<std::path::PathBuf> {
    // A building of 12 by 5 metres, at a tenth of a metre a cell: three rooms along a corridor.
    let is_free = |cell: Cell| {
        let outside = cell.x < 2 || cell.y < 2 || cell.x >= 118 || cell.y >= 48;
        let corridor_wall = (20..22).contains(&cell.y)
            && ![(12, 24), (56, 68), (96, 108)].iter().any(|&(a, b)| (a..b).contains(&cell.x));
        let room_wall = cell.y < 20 && ((40..42).contains(&cell.x) || (80..82).contains(&cell.x));
        let pillar = (44..50).contains(&cell.x) && (36..42).contains(&cell.y);
        !(outside || corridor_wall || room_wall || pillar)
    };
    fs::write(folder.join("building.pgm"), octile::image::to_pgm(&Grid::from_fn(120, 50, is_free)?))?;
    let yaml = folder.join("building.yaml");
    fs::write(&yaml, "image: building.pgm\nresolution: 0.1\norigin: [0.0, 0.0, 0.0]\nnegate: 0\n")?;
    Ok(yaml)
}
