//! The game as an animated picture. Its bytes depend on the game alone.
//!
//! A pixel has a ground and, on the floor, at most one ink of some strength. These make the number of its colour in the
//! palette. The floor is darker and lighter by turns, in bands as far from the army's rallying point as their number
//! says: where a building drops, the bands behind it move.

use std::ops::RangeInclusive;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use octile::{Cell, GridCost};

use super::squad::Unit;
use super::world::{Building, World};
use super::{Result, Size};

/// Pixels a cell.
const SCALE: u32 = 6;
/// How long a frame is shown, in hundredths of a second; the last one is shown longer.
const DELAY: u16 = 8;
const LAST_DELAY: u16 = 80;
/// How wide the bands on the floor are, in cells.
const BAND: f64 = 5.0;

/// The grounds that can have ink on them come first.
#[rustfmt::skip]
const GROUNDS: [[u8; 3]; 11] = [
    [0xf8, 0xf5, 0xee], // floor
    [0xf1, 0xec, 0xe1], // every other band of it
    [0xe2, 0xda, 0xc9], // floor in the shade of a wall
    [0x8a, 0x97, 0xa6], // rock
    [0x6d, 0x7b, 0x8c], // its edge
    [0xc4, 0x8a, 0x5a], // a roof
    [0x8f, 0x5f, 0x3a], // its edge
    [0xff, 0x5d, 0x3b], // a building that lands
    [0xff, 0xd1, 0x66], // one that has just landed
    [0x2a, 0x2f, 0x45], // the pole of a flag
    [0xff, 0xb7, 0x03], // the flag
];
const FLOOR: u8 = 0;
const OTHER_FLOOR: u8 = 1;
const SHADE: u8 = 2;
const ROCK: u8 = 3;
const EDGE: u8 = 4;
const ROOF: u8 = 5;
const EAVES: u8 = 6;
const FLASH: u8 = 7;
const GLOW: u8 = 8;
const POLE: u8 = 9;
const FLAG: u8 = 10;
/// As many grounds can have ink on them.
const FLOORS: u8 = 3;

/// The colours of squads, and of the army.
const INKS: [[u8; 3]; 7] = [
    [0xd6, 0x28, 0x39],
    [0x1c, 0x6d, 0xd0],
    [0x2b, 0x93, 0x48],
    [0xf0, 0x7f, 0x13],
    [0x7b, 0x2c, 0xbf],
    [0x0b, 0x83, 0x92],
    [0x2a, 0x2f, 0x45],
];
const ARMY: u8 = 6;
/// Strengths of ink: from 1 to this.
const STRONGEST: u8 = 5;
/// The strength of a path.
const FAINT: u8 = 3;
/// No colour: the pixel stays as it was.
const UNCHANGED: u8 = 255;

/// Plays a game and films it.
pub(crate) fn shoot(size: &Size) -> Result<Vec<u8>> {
    let (width, height) = ((size.width * SCALE) as u16, (size.height * SCALE) as u16);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut world = World::new(size)?;
    let mut before = vec![UNCHANGED; usize::from(width) * usize::from(height)];
    for tick in 1..=size.ticks {
        world.tick()?;
        let picture = Picture::of(&world).colours();
        let changed =
            picture.iter().zip(&before).map(|(&new, &old)| if new == old { UNCHANGED } else { new }).collect();
        encoder.write_frame(&Frame {
            delay: if tick < size.ticks { DELAY } else { LAST_DELAY },
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            width,
            height,
            buffer: changed,
            ..Frame::default()
        })?;
        before = picture;
    }
    drop(encoder);
    Ok(bytes)
}

/// All colours that a pixel can have.
fn palette() -> Vec<u8> {
    let mixed = |ground: [u8; 3], ink: [u8; 3], strength: u8| {
        let (strength, all) = (u16::from(strength), u16::from(STRONGEST));
        [0, 1, 2].map(|i| ((u16::from(ground[i]) * (all - strength) + u16::from(ink[i]) * strength) / all) as u8)
    };
    let inked = |ground| {
        INKS.into_iter().flat_map(move |ink| (1..=STRONGEST).map(move |strength| mixed(ground, ink, strength)))
    };
    let inked = GROUNDS[..usize::from(FLOORS)].iter().flat_map(|&ground| inked(ground));
    let mut colours: Vec<[u8; 3]> = GROUNDS.into_iter().chain(inked).collect();
    colours.resize(usize::from(UNCHANGED) + 1, [0; 3]);
    colours.concat()
}

/// A frame.
struct Picture {
    width: u32,
    pixels: Vec<Pixel>,
}

#[derive(Clone, Copy)]
struct Pixel {
    ground: u8,
    ink: u8,
    strength: u8,
}

impl Pixel {
    fn colour(self) -> u8 {
        let inks = INKS.len() as u8 * STRONGEST;
        match self.strength {
            0 => self.ground,
            _ => GROUNDS.len() as u8 + self.ground * inks + self.ink * STRONGEST + self.strength - 1,
        }
    }
}

impl Picture {
    fn of(world: &World) -> Self {
        let (width, height) = (world.caves.width() * SCALE, world.caves.height() * SCALE);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = pixels.map(|(x, y)| Pixel { ground: ground(world, x, y), ink: 0, strength: 0 }).collect();
        let mut picture = Self { width, pixels };
        for building in &world.buildings {
            picture.build(building, world.clock);
        }
        for unit in &world.units {
            picture.route(unit);
        }
        for &at in &world.army.units {
            let middle = middle(at, 1);
            picture.line(middle, middle, 1.9, STRONGEST, ARMY);
        }
        for unit in &world.units {
            let (middle, radius) = (middle(unit.at, unit.side), f64::from(unit.side * SCALE) / 2.0 - 0.3);
            picture.line(middle, middle, radius, STRONGEST, colour(unit));
        }
        picture.flag(world.army.rally());
        picture
    }

    fn colours(self) -> Vec<u8> {
        self.pixels.into_iter().map(Pixel::colour).collect()
    }

    fn build(&mut self, building: &Building, now: u32) {
        let Building { upper_left: a, lower_right: b, since } = *building;
        let (left, top, right, bottom) = (a.x * SCALE, a.y * SCALE, (b.x + 1) * SCALE - 1, (b.y + 1) * SCALE - 1);
        let age = now - since;
        for y in top..=bottom {
            for x in left..=right {
                let is_edge = x == left || x == right || y == top || y == bottom;
                self.pixels[(y * self.width + x) as usize].ground = match age {
                    0 | 2 => FLASH,
                    1 | 3 | 4 => GLOW,
                    _ if is_edge => EAVES,
                    _ => ROOF,
                };
            }
        }
    }

    /// The way that a unit still has to go, as a thin line.
    fn route(&mut self, unit: &Unit) {
        let mut from = middle(unit.at, unit.side);
        for cell in unit.way() {
            let to = middle(cell, unit.side);
            self.line(from, to, 0.4 * f64::from(unit.side), FAINT, colour(unit));
            from = to;
        }
    }

    /// A flag on the rallying point.
    fn flag(&mut self, rally: Cell) {
        let (x, y) = (rally.x * SCALE + SCALE / 2, rally.y * SCALE + SCALE / 2);
        self.fill(x - 1..=x, y.saturating_sub(24)..=y, POLE);
        for row in 0..11 {
            let (y, wide) = ((y + row).saturating_sub(23), 8 + row.abs_diff(5));
            self.fill(x + 1..=x + wide, y..=y, if row == 0 || row == 10 { POLE } else { FLAG });
        }
    }

    fn fill(&mut self, columns: RangeInclusive<u32>, rows: RangeInclusive<u32>, ground: u8) {
        for y in rows {
            for x in columns.clone() {
                self.pixels[(y * self.width + x) as usize] = Pixel { ground, ink: 0, strength: 0 };
            }
        }
    }

    /// A line with round ends; its strength falls off over one pixel at the sides.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), radius: f64, strength: u8, ink: u8) {
        let columns = range(from.0.min(to.0), from.0.max(to.0), radius);
        for y in range(from.1.min(to.1), from.1.max(to.1), radius) {
            for x in columns.clone() {
                let inside = radius + 0.5 - distance((f64::from(x) + 0.5, f64::from(y) + 0.5), from, to);
                let strength = (inside.clamp(0.0, 1.0) * f64::from(strength)).round() as u8;
                if let Some(pixel) = self.pixels.get_mut((y * self.width + x) as usize)
                    && pixel.ground < FLOORS
                    && (strength > pixel.strength || strength == STRONGEST)
                {
                    (pixel.ink, pixel.strength) = (ink, strength);
                }
            }
        }
    }
}

/// The ground of a pixel without buildings: rock with an edge, floor with a shade below the rock.
fn ground(world: &World, x: u32, y: u32) -> u8 {
    let is_floor = |x: u32, y: u32| world.caves.is_free((x / SCALE, y / SCALE));
    let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    match is_floor(x, y) {
        true if (1..=2).any(|up| y < up || !is_floor(x, y - up)) => SHADE,
        true => floor(world, Cell::new(x / SCALE, y / SCALE)),
        false if around.iter().any(|&(x, y)| is_floor(x, y)) => EDGE,
        false => ROCK,
    }
}

/// In which band around the rallying point a cell is.
fn floor(world: &World, cell: Cell) -> u8 {
    let distance = world.army.field.cost(cell).map_or(0.0, GridCost::length);
    if ((distance / BAND) as u32).is_multiple_of(2) { FLOOR } else { OTHER_FLOOR }
}

fn colour(unit: &Unit) -> u8 {
    (unit.squad % u32::from(ARMY)) as u8
}

/// The middle of the square that stands on a cell.
fn middle(cell: Cell, side: u32) -> (f64, f64) {
    let middle = |i: u32| (f64::from(i) + f64::from(side) / 2.0) * f64::from(SCALE);
    (middle(cell.x), middle(cell.y))
}

/// The pixels that a line of some radius can touch.
fn range(low: f64, high: f64, radius: f64) -> RangeInclusive<u32> {
    (low - radius - 1.0).max(0.0) as u32..=(high + radius + 1.0) as u32
}

/// From a point to a line.
fn distance((x, y): (f64, f64), (ax, ay): (f64, f64), (bx, by): (f64, f64)) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    let (x, y) = (x - ax - along * dx, y - ay - along * dy);
    (x * x + y * y).sqrt()
}
