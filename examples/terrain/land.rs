//! The land: what kind of ground each cell is, as a drawing.

use octile::grid::Terrain;

use super::Result;

pub(crate) const GRASS: u8 = b'.';
pub(crate) const PAVED: u8 = b'=';
pub(crate) const TRACK: u8 = b'-';
pub(crate) const MUD: u8 = b'm';
pub(crate) const FOREST: u8 = b'f';
pub(crate) const WATER: u8 = b'~';
pub(crate) const FLOOD: u8 = b'w';

/// Their names, in the order of the table.
pub(crate) const NAMES: [(u8, &str); 7] = [
    (TRACK, "track"),
    (MUD, "mud"),
    (PAVED, "paved"),
    (GRASS, "grass"),
    (FOREST, "forest"),
    (WATER, "water"),
    (FLOOD, "flood"),
];

/// A river between two woods, and some rocks (`#`), which nobody has a price for. A track crosses it in the north, a
/// paved road in the south.
const DRAWING: [&str; 27] = [
    ".....................~~~....................",
    ".....fffff...........~~~~..fff..............",
    "....fffffff...........~~~.fffff.............",
    "....fffffff...........~~~~fffff.............",
    ".....fffff.............~~~..................",
    "...--------------------------------------...",
    "...-...................~~~..............-...",
    "...-...................~~~...........#..-...",
    "...-....###............~~~..........###.-...",
    "...-....###..fffff.....~~~.......f..###.-...",
    "...-......fffffffff...~~~~.....fffff###.-...",
    "...-....ffffffffffff..~~~.....fffffff#..-...",
    "...-...ffffffffffff..~~~~....fffffffff..-...",
    "...-..fffffffffffff..~~~.....fffffffff..-...",
    "...-..fffffffffffff.~~~~....ffffffffff..-...",
    "...-..fffffffffffff.~~~....ffffffffff...-...",
    "...-...fffffffffff.~~~~....fffffffff....-...",
    "...-....fffffffff..~~~.....fffffff......-...",
    "...-......fffff....~~~......fffff.......-...",
    "...-...............~~~..................-...",
    "...................~~~............#.........",
    "...............###.~~~..........#####...f...",
    "...............###.~~~............#...fffff.",
    "...................~~~~...............fffff.",
    "..###.....========================....fffff.",
    "..###...............~~~.................f...",
    ".....................~~~....................",
];

pub(crate) fn land() -> Result<Terrain> {
    let (width, height) = (DRAWING[0].len() as u32, DRAWING.len() as u32);
    Ok(Terrain::new(width, height, DRAWING.concat().into_bytes())?)
}

/// What rain makes of ground.
pub(crate) fn in_rain(class: u8) -> u8 {
    match class {
        TRACK => MUD,
        WATER => FLOOD,
        class => class,
    }
}
