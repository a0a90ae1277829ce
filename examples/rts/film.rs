//! The game as an animated picture. Its bytes depend on the game alone.
//!
//! A pixel has a ground and at most one ink on it, of one colour and some strength. Ground, colour and strength make the number of its
//! colour in the palette.

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use octile::{Cell, Grid};

use super::{Building, Result, Size, Unit, World};

/// Pixels a cell.
const SCALE: u32 = 5;
/// How long a frame is shown, in hundredths of a second; the last one is shown longer.
const DELAY: u16 = 8;
const LAST_DELAY: u16 = 80;

#[rustfmt::skip]
const GROUNDS: [[u8; 3]; 8] = [
    [0xf6, 0xf2, 0xe9], // floor
    [0xe4, 0xdc, 0xcc], // floor in the shade of a wall
    [0x8a, 0x97, 0xa6], // rock
    [0x6d, 0x7b, 0x8c], // its edge
    [0xc4, 0x8a, 0x5a], // a roof
    [0x8f, 0x5f, 0x3a], // its edge
    [0xff, 0x5d, 0x3b], // a building that lands
    [0xff, 0xd1, 0x66], // one that has just landed
];
const FLOOR: u8 = 0;
const SHADE: u8 = 1;
const ROCK: u8 = 2;
const EDGE: u8 = 3;
const ROOF: u8 = 4;
const EAVES: u8 = 5;
const FLASH: u8 = 6;
const GLOW: u8 = 7;

const INKS: [[u8; 3]; 6] = [
    [0xd6, 0x28, 0x39],
    [0x1c, 0x6d, 0xd0],
    [0x2b, 0x93, 0x48],
    [0xf0, 0x7f, 0x13],
    [0x7b, 0x2c, 0xbf],
    [0x0b, 0x83, 0x92],
];
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
    let on = |ground| {
        let inks =
            INKS.into_iter().flat_map(move |ink| (1..=STRONGEST).map(move |strength| mixed(ground, ink, strength)));
        std::iter::once(ground).chain(inks)
    };
    let mut colours: Vec<[u8; 3]> = GROUNDS.into_iter().flat_map(on).collect();
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
        let ink = if self.strength == 0 { 0 } else { 1 + self.ink * STRONGEST + self.strength - 1 };
        self.ground * (1 + inks) + ink
    }
}

impl Picture {
    fn of(world: &World) -> Self {
        let (width, height) = (world.caves.width() * SCALE, world.caves.height() * SCALE);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = pixels.map(|(x, y)| Pixel { ground: rock(&world.caves, x, y), ink: 0, strength: 0 }).collect();
        let mut picture = Self { width, pixels };
        for building in &world.buildings {
            picture.build(building, world.clock);
        }
        for unit in &world.units {
            picture.route(unit);
        }
        for unit in &world.units {
            picture.dot(unit);
        }
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
        let mut from = middle(unit.at);
        for &cell in &unit.route {
            let to = middle(cell);
            self.line(from, to, 0.8, FAINT, unit);
            from = to;
        }
    }

    fn dot(&mut self, unit: &Unit) {
        self.line(middle(unit.at), middle(unit.at), 3.5, STRONGEST, unit);
    }

    /// A line with round ends; its strength falls off over one pixel at the sides.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), radius: f64, strength: u8, unit: &Unit) {
        let ink = (unit.squad as usize % INKS.len()) as u8;
        let columns = range(from.0.min(to.0), from.0.max(to.0), radius);
        for y in range(from.1.min(to.1), from.1.max(to.1), radius) {
            for x in columns.clone() {
                let inside = radius + 0.5 - distance((f64::from(x) + 0.5, f64::from(y) + 0.5), from, to);
                let strength = (inside.clamp(0.0, 1.0) * f64::from(strength)).round() as u8;
                if let Some(pixel) = self.pixels.get_mut((y * self.width + x) as usize)
                    && (strength > pixel.strength || strength == STRONGEST)
                {
                    (pixel.ink, pixel.strength) = (ink, strength);
                }
            }
        }
    }
}

/// The ground of a pixel before anything is built: rock with an edge, floor with a shade below the rock.
fn rock(caves: &Grid, x: u32, y: u32) -> u8 {
    let is_floor = |x: u32, y: u32| caves.is_free((x / SCALE, y / SCALE));
    let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    match is_floor(x, y) {
        true if (1..=2).any(|up| y < up || !is_floor(x, y - up)) => SHADE,
        true => FLOOR,
        false if around.iter().any(|&(x, y)| is_floor(x, y)) => EDGE,
        false => ROCK,
    }
}

fn middle(cell: Cell) -> (f64, f64) {
    let middle = |i: u32| (f64::from(i) + 0.5) * f64::from(SCALE);
    (middle(cell.x), middle(cell.y))
}

/// The pixels that a line of some radius can touch.
fn range(low: f64, high: f64, radius: f64) -> std::ops::RangeInclusive<u32> {
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
