//! Distance fields: colours by cost, and lines of equal cost.

use super::{Colour, Contour, Fill, Picture, Position, centre};
use crate::geometry::Cell;
use crate::services::Field;

/// The colours from the goals to the farthest cells. None is as dark as a wall.
const RAMP: [Colour; 7] = [
    Colour(0xff, 0xf4, 0xb8),
    Colour(0xc6, 0xe5, 0x9c),
    Colour(0x74, 0xcd, 0xa4),
    Colour(0x3f, 0xac, 0xb9),
    Colour(0x43, 0x83, 0xc6),
    Colour(0x63, 0x5c, 0xb8),
    Colour(0x8a, 0x4a, 0xa0),
];

/// The maximum number of shades of the ramp.
const SHADES: f64 = 255.0;

/// The approximate number of lines of equal cost.
const CONTOURS: f64 = 24.0;

impl Picture {
    /// Colours cells by their costs in a field, from light at the goals to dark far away, with lines of equal cost, and
    /// marks the goals. Free cells without a cost are grey. The prices of cells are hidden, so the picture has no
    /// legend of prices.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Field, Grid};
    /// let field = Field::new(&"....@..".parse::<Grid>()?, &[(0, 0)])?;
    /// let svg = Picture::new(field.grid()).field(&field).to_svg()?;
    /// assert!(svg.contains(&format!("<path fill=\"{}\" d=\"M5 0h2v1h-2z\"/>", Colour::PRUNED)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn field(mut self, field: &Field) -> Self {
        let heights = Heights::new(field);
        let free = || field.grid().cells().filter(|&cell| field.grid().is_free(cell));
        let colour = |cell| heights.at(cell).map_or(Colour::PRUNED, |cost| shade(cost / heights.greatest));
        self.fills.push(Fill::new(&free().collect::<Vec<_>>(), free().map(colour).collect()));
        self.has_legend = false;
        self.contours.extend(heights.contours());
        self.goals.extend(field.goals().iter().map(|&goal| centre(goal)));
        self
    }
}

/// The colour at a position from 0 to 1 along the ramp.
fn shade(part: f64) -> Colour {
    Colour::on_ramp(&RAMP, (part * SHADES).round() / SHADES)
}

/// The costs of a field as lengths.
struct Heights {
    width: usize,
    /// Row by row; NaN where there is no cost.
    costs: Vec<f64>,
    /// At least 1.
    greatest: f64,
}

impl Heights {
    fn new(field: &Field) -> Self {
        let cost = |cell| field.length(cell).unwrap_or(f64::NAN);
        let costs: Vec<f64> = field.grid().cells().map(cost).collect();
        let greatest = costs.iter().copied().filter(|cost| !cost.is_nan()).fold(1.0, f64::max);
        Self { width: field.grid().width() as usize, costs, greatest }
    }

    fn at(&self, cell: Cell) -> Option<f64> {
        let cost = *self.costs.get(cell.y as usize * self.width + cell.x as usize)?;
        (!cost.is_nan()).then_some(cost)
    }

    /// The interval between lines of equal cost: 1, 2 or 5, times a power of ten.
    fn interval(&self) -> f64 {
        let least = self.greatest / CONTOURS;
        let steps = (0..8).flat_map(|noughts| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(noughts)));
        steps.into_iter().find(|&step| step >= least).unwrap_or(least)
    }

    /// The lines of equal cost, as segments between the centres of four cells that all have a cost.
    fn contours(&self) -> Vec<Contour> {
        let (interval, height) = (self.interval(), self.costs.len() / self.width);
        let mut contours = Vec::new();
        for (x, y) in (1..height).flat_map(|y| (1..self.width).map(move |x| (x - 1, y - 1))) {
            let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
            let costs = corners.map(|(x, y)| self.costs[y * self.width + x]);
            let (least, greatest) = (costs.into_iter().fold(f64::MAX, f64::min), costs.into_iter().fold(0.0, f64::max));
            if costs.into_iter().any(f64::is_nan) {
                continue;
            }
            let first = (least / interval).floor() as u64 + 1;
            for level in (first..).map(|number| number as f64 * interval).take_while(|&level| level <= greatest) {
                let colour = shade(level / self.greatest).towards(Colour::WALL, 0.5);
                contours.extend(crossing(corners, costs, level).map(|(from, to)| Contour { from, to, colour }));
            }
        }
        contours
    }
}

/// The segment where a level crosses a square of cells, between two of its sides. If it crosses all four sides, only
/// the first of the two segments is returned.
fn crossing(corners: [(usize, usize); 4], costs: [f64; 4], level: f64) -> Option<(Position, Position)> {
    let middle = |(x, y): (usize, usize)| (x as f64 + 0.5, y as f64 + 0.5);
    let mut points = (0..4).filter_map(|side| {
        let (one, other) = (side, (side + 1) % 4);
        let is_crossed = (costs[one] < level) != (costs[other] < level);
        let part = (level - costs[one]) / (costs[other] - costs[one]);
        let (a, b) = (middle(corners[one]), middle(corners[other]));
        is_crossed.then_some((a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part))
    });
    Some((points.next()?, points.next()?))
}
