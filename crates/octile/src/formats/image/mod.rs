//! Images as maps: PNG, PGM, and ROS `map_server` files with their image.
//!
//! A pixel is a cell. Light pixels are free, dark and transparent ones blocked. A ROS file (module `ros`) can set other
//! thresholds, and states where the map lies in the world ([`Georeference`]). Reading needs the feature `image`.

#[cfg(feature = "image")]
mod pgm;
#[cfg(feature = "image")]
mod read;
#[cfg(feature = "image")]
pub mod ros;
#[cfg(feature = "image")]
mod yaml;

#[cfg(feature = "image")]
pub use self::read::{ImageError, parse, terrain};
use crate::geometry::Cell;
pub use crate::grid::Georeference;
use crate::grid::Grid;

/// Writes a map as a PGM image, with white for free cells and black for blocked ones.
///
/// ```
/// let grid: octile::Grid = ".@".parse()?;
/// assert_eq!(octile::formats::image::to_pgm(&grid), b"P5\n2 1\n255\n\xff\x00");
/// # Ok::<(), octile::formats::ascii::AsciiError>(())
/// ```
pub fn to_pgm(grid: &Grid) -> Vec<u8> {
    let mut bytes = format!("P5\n{} {}\n255\n", grid.width(), grid.height()).into_bytes();
    for y in 0..grid.height() {
        bytes.extend((0..grid.width()).map(|x| if grid.is_free(Cell::new(x, y)) { 255 } else { 0 }));
    }
    bytes
}
