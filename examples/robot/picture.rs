//! The drive as a picture. Its bytes depend on the map and on the way alone.

use octile::formats::draw::{Colour, Picture};
use octile::formats::{LoadOptions, Unknown, load_with};
use octile::{Cell, Grid, Path};

use super::{Drive, FilePath, RADIUS, Result, along};

const UNKNOWN: Colour = Colour(0xbf, 0xc5, 0xcf);
/// Where the robot's middle cannot be.
const MARGIN: Colour = Colour(0xf7, 0xe1, 0xc4);
const CRATE: Colour = Colour(0xc4, 0x6a, 0x1f);
/// The way as it was planned first, and the robot on it.
const BEFORE: Colour = Colour(0x3d, 0x6f, 0xc9);

/// How far apart the robot is drawn along a way, in metres.
const STEP: f64 = 0.5;

/// Draws the map, the crate, and the robot on both ways, as a PNG.
pub(crate) fn draw(map: &FilePath, drive: &Drive) -> Result<Vec<u8>> {
    let unknown_is_free = load_with(map, &LoadOptions::default().unknown(Unknown::Free))?.grid;
    let picture = Picture::new(&drive.map)
        .ground(&only_in(&unknown_is_free, &drive.map), UNKNOWN)
        .ground(&only_in(&drive.map, &drive.robot.engine.grid()), MARGIN)
        .cells(&only_in(&drive.map, &drive.map_with_crate), CRATE);
    let (before, after) = (points(&drive.way)?, points(&drive.way_around)?);
    let radius = drive.robot.place.metres_to_cells(RADIUS);
    let picture = picture
        .discs(steps(drive, &drive.way, &before, super::SEEN_AT), radius, BEFORE)
        .discs(steps(drive, &drive.way_around, &after, 1.0), radius, Colour::PATH)
        .point_line(drive.way.vertices()?, BEFORE)
        .path(&drive.way_around);
    Ok(picture.ends(drive.from, drive.to).to_png()?)
}

/// The cells that are free on one map, and not on another.
fn only_in(map: &Grid, other: &Grid) -> Vec<Cell> {
    map.cells().filter(|&cell| map.is_free(cell) && !other.is_free(cell)).collect()
}

/// The points of a way, in cells.
fn points(path: &Path) -> Result<Vec<(f64, f64)>> {
    Ok(path.vertices()?.map(|point| (point.x(), point.y())).collect())
}

/// Where the robot is drawn, up to a part of a way.
fn steps(drive: &Drive, path: &Path, points: &[(f64, f64)], end: f64) -> Vec<(f64, f64)> {
    let count = (path.metres(&drive.robot.place) * end / STEP).ceil() as u32;
    (0..=count).map(|step| along(points, end * f64::from(step) / f64::from(count.max(1)))).collect()
}
