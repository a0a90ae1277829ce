//! Prices in pictures: the colours of cells, and the legend below the map.

use super::{Colour, Picture, Stroke, letters};
use crate::grid::Grid;

/// From the lowest prices to the highest. Each step darkens by the same amount, so that the order shows in print and to
/// colour-blind readers. No colour is as dark as a wall, and none is used for searches, paths or ends.
const RAMP: [Colour; 6] = [
    Colour::FREE,
    Colour(0xea, 0xd7, 0xc0),
    Colour(0xd7, 0xb6, 0x94),
    Colour(0xbf, 0x92, 0x6c),
    Colour(0xa5, 0x74, 0x51),
    Colour(0x89, 0x57, 0x3b),
];

/// A legend lists up to this many prices one by one; beyond that it shows a scale.
const MOST_ENTRIES: usize = 12;

/// The prices that a scale may label, apart from its ends.
const STEPS: [u8; 8] = [1, 2, 5, 10, 20, 50, 100, 200];

/// The number of shades of a scale.
const SHADES: u64 = 48;

/// The prices that occur on a map, with their colours.
pub(super) struct PriceScale {
    /// In increasing order.
    prices: Vec<u8>,
}

impl PriceScale {
    /// The scale of a map; `None` if it has no prices.
    pub(super) fn new(grid: &Grid) -> Option<Self> {
        let ground = grid.ground()?;
        let occurs = |&price: &u8| ground.counts()[usize::from(price)] > 0;
        Some(Self { prices: (1..=u8::MAX).filter(occurs).map(|price| price * ground.unit()).collect() })
    }

    /// The colour of each price.
    pub(super) fn colours(&self) -> [Colour; 256] {
        let mut colours = [Colour::WALL; 256];
        for (rank, &price) in self.prices.iter().enumerate() {
            colours[usize::from(price)] = Colour::on_ramp(&RAMP, self.place(rank, price));
        }
        colours
    }

    fn is_short(&self) -> bool {
        self.prices.len() <= MOST_ENTRIES
    }

    /// The position of a price from the lowest, 0, to the highest, 1: on a logarithmic scale. If the legend lists
    /// prices one by one, the rank counts half, so that no two prices look the same.
    fn place(&self, rank: usize, price: u8) -> f64 {
        let times = self.times(price);
        if !self.is_short() {
            return times;
        }
        f64::midpoint(times, rank as f64 / (self.prices.len() - 1).max(1) as f64)
    }

    /// The position of a price on a logarithmic scale from the lowest, 0, to the highest, 1.
    fn times(&self, price: u8) -> f64 {
        let [least, price, greatest] = [self.prices[0], price, self.prices[self.prices.len() - 1]].map(f64::from);
        if least < greatest { (price / least).ln() / (greatest / least).ln() } else { 0.0 }
    }
}

/// A rectangle in pixels.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) x: u64,
    pub(super) y: u64,
    pub(super) width: u64,
    pub(super) height: u64,
    pub(super) colour: Colour,
}

/// The legend below a map, in pixels from the upper left corner of the picture.
pub(super) struct Legend {
    /// The width of the whole picture, which may be wider than the map.
    pub(super) width: u64,
    /// The height of the whole picture.
    pub(super) height: u64,
    /// From bottom to top.
    pub(super) patches: Vec<Patch>,
    /// Above the patches.
    pub(super) strokes: Vec<Stroke>,
}

impl Picture {
    /// The legend, if the picture has one.
    pub(super) fn legend(&self) -> Option<Legend> {
        let scale = PriceScale::new(&self.grid).filter(|scale| self.has_legend && !scale.prices.is_empty())?;
        let size = [self.grid.width(), self.grid.height()].map(|side| u64::from(side) * u64::from(self.scale));
        let mut writer = Writer::new(size);
        if scale.is_short() {
            writer.entries(&scale);
        } else {
            writer.bar(&scale);
        }
        Some(writer.finish())
    }
}

/// A legend being drawn.
struct Writer {
    /// The size of the map.
    size: [u64; 2],
    /// The height of digits; all other sizes derive from it.
    text: u64,
    /// The right end of what is drawn so far.
    right: u64,
    /// The top of the current row.
    top: u64,
    /// The position of the next item in the row.
    x: u64,
    patches: Vec<Patch>,
    strokes: Vec<Stroke>,
}

impl Writer {
    /// Starts with the word that says what the numbers are.
    fn new(size: [u64; 2]) -> Self {
        let text = (size[0].max(size[1]) / 64).clamp(11, 24);
        let (x, top) = (text, size[1] + text);
        let mut writer = Self { size, text, right: 0, top, x, patches: Vec::new(), strokes: Vec::new() };
        writer.x = writer.label("price", x, top + text / 4) + text;
        writer
    }

    fn width_of(&self, text: &str) -> u64 {
        letters::width(text, self.text as f64).ceil() as u64
    }

    /// Writes a text at a position and returns its right end.
    fn label(&mut self, text: &str, x: u64, y: u64) -> u64 {
        self.strokes.extend(letters::write(text, (x as f64, y as f64), self.text as f64, Colour::WALL));
        let end = x + self.width_of(text);
        self.right = self.right.max(end);
        end
    }

    /// Draws a rectangle with a one-pixel frame in the current row.
    fn framed(&mut self, width: u64, fill: impl FnOnce(&mut Vec<Patch>, Patch)) {
        let height = self.text + self.text / 2;
        let frame = Patch { x: self.x, y: self.top, width, height, colour: Colour::RECTANGLE };
        self.patches.push(frame.clone());
        let Patch { x, y, .. } = frame;
        let inside = Patch { x: x + 1, y: y + 1, width: width - 2, height: height - 2, ..frame };
        fill(&mut self.patches, inside);
        self.right = self.right.max(x + width);
    }

    /// Draws a patch and a number for each price, in as many rows as needed.
    fn entries(&mut self, scale: &PriceScale) {
        let (text, first, colours) = (self.text, self.x, scale.colours());
        let patch = 2 * text;
        for &price in &scale.prices {
            let (number, colour) = (price.to_string(), colours[usize::from(price)]);
            let width = patch + text / 2 + self.width_of(&number);
            if self.x > first && self.x + width + text > self.size[0] {
                (self.x, self.top) = (first, self.top + 2 * text);
            }
            self.framed(patch, |patches, inside| patches.push(Patch { colour, ..inside }));
            self.x = self.label(&number, self.x + patch + text / 2, self.top + text / 4) + 3 * text / 2;
        }
    }

    /// Draws all shades side by side, with numbers below.
    fn bar(&mut self, scale: &PriceScale) {
        let (text, first) = (self.text, self.x);
        let step = (self.size[0].saturating_sub(first + 2 * text) / SHADES).clamp(text / 5, text);
        self.framed(step * SHADES + 2, |patches, inside| {
            let colour = |number: u64| Colour::on_ramp(&RAMP, number as f64 / (SHADES - 1) as f64);
            let shades = 0..SHADES;
            patches.extend(shades.map(|number| Patch {
                x: inside.x + number * step,
                width: step,
                colour: colour(number),
                ..inside
            }));
        });
        self.top += 2 * text;
        let (least, greatest) = (scale.prices[0], scale.prices[scale.prices.len() - 1]);
        let mut taken: Vec<(u64, u64)> = Vec::new();
        let between = STEPS.into_iter().filter(|step| (least + 1..greatest).contains(step));
        for price in [least, greatest].into_iter().chain(between) {
            let (number, middle) = (price.to_string(), first + (scale.times(price) * (step * SHADES) as f64) as u64);
            let width = self.width_of(&number);
            let (from, to) = (middle - width / 2, middle - width / 2 + width);
            // Numbers that would touch others are left out; those at the ends come first.
            if taken.iter().all(|&(start, end)| to + text / 2 < start || end + text / 2 < from) {
                self.label(&number, from, self.top);
                taken.push((from, to));
            }
        }
    }

    fn finish(self) -> Legend {
        let Self { size: [map_width, map_height], text, right, top, .. } = self;
        let (width, height) = (map_width.max(right + text), top + 5 * text / 2);
        // Covers what the map's lines draw beyond its edges.
        let below = Patch { x: 0, y: map_height, width, height: height - map_height, colour: Colour::RIM };
        let beside = Patch { x: map_width, y: 0, width: width - map_width, height: map_height, colour: Colour::RIM };
        let patches = [below, beside].into_iter().chain(self.patches).filter(|patch| patch.width > 0).collect();
        Legend { width, height, patches, strokes: self.strokes }
    }
}
