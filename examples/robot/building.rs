//! A map of a building, as `map_server` would have saved it: 12 by 6 metres, in cells of 5 centimetres.

use std::fs;
use std::path::{Path, PathBuf};

use super::Result;

const WIDTH: u32 = 240;
const HEIGHT: u32 = 120;

/// Shades of the image: what they mean is for the YAML file to say.
const FREE: u8 = 254;
const UNKNOWN: u8 = 205;
const OCCUPIED: u8 = 0;

const YAML: &str = "\
image: building.pgm
resolution: 0.05
origin: [0.0, 0.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
";

/// A rectangle of cells: the first column and row, and those behind the last.
type Rectangle = [u32; 4];

const INSIDE: Rectangle = [9, 9, 231, 111];

/// A store where nobody has been, though its doors are open.
const STORE: Rectangle = [94, 9, 148, 44];

#[rustfmt::skip]
const OCCUPIED_RECTANGLES: [Rectangle; 20] = [
    // Walls between rooms, with doors.
    [70, 9, 73, 26], [70, 46, 73, 80], [70, 100, 73, 111],
    [168, 9, 171, 50], [168, 70, 171, 92],
    // Those of the store.
    [91, 9, 94, 18], [91, 36, 94, 47], [148, 9, 151, 18], [148, 36, 151, 47], [94, 44, 148, 47],
    // Desks, and a shelf.
    [9, 9, 40, 17], [9, 44, 17, 74], [50, 58, 58, 80], [36, 103, 62, 111],
    // Benches in the hall.
    [96, 103, 128, 111], [112, 58, 140, 62],
    // A kitchen: the worktop, the island, the window seat.
    [180, 9, 231, 16], [224, 16, 231, 44], [184, 34, 206, 44], [224, 66, 231, 104],
];

/// Round tables and pillars: column and row of the middle, and the radius.
const ROUND: [[u32; 3]; 6] = [[38, 38, 8], [92, 76, 4], [118, 84, 4], [144, 78, 4], [152, 104, 5], [200, 88, 9]];

/// Writes the map into a folder: an image, and a file that says what it means and where it lies.
pub(crate) fn write(folder: &Path) -> Result<PathBuf> {
    let mut image = format!("P5\n{WIDTH} {HEIGHT}\n255\n").into_bytes();
    image.extend((0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| shade(x, y))));
    fs::write(folder.join("building.pgm"), image)?;
    let yaml = folder.join("building.yaml");
    fs::write(&yaml, YAML)?;
    Ok(yaml)
}

fn shade(x: u32, y: u32) -> u8 {
    let is_in = |[left, top, right, bottom]: Rectangle| (left..right).contains(&x) && (top..bottom).contains(&y);
    let is_round = |[middle_x, middle_y, radius]: [u32; 3]| {
        x.abs_diff(middle_x).pow(2) + y.abs_diff(middle_y).pow(2) <= radius * (radius + 1)
    };
    let [left, top, right, bottom] = INSIDE;
    if OCCUPIED_RECTANGLES.into_iter().any(is_in) || ROUND.into_iter().any(is_round) {
        OCCUPIED
    } else if is_in(STORE) {
        UNKNOWN
    } else if is_in(INSIDE) {
        FREE
    } else if is_in([left - 3, top - 3, right + 3, bottom + 3]) {
        OCCUPIED
    } else {
        UNKNOWN
    }
}
