//! The PNG writer: cells are squares of pixels; lines and discs are blended by how much of each pixel they cover.

use png::{BitDepth, ColorType, Encoder, EncodingError};

use crate::formats::draw::legend::Patch;
use crate::formats::draw::{Colour, Disc, DrawError, MAX_PIXELS, Picture, Position, Stroke};

impl Picture {
    /// The picture as a PNG file.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::formats::image;
    /// use octile::formats::draw::Picture;
    /// let grid: Grid = ".@\n..".parse()?;
    /// let png = Picture::new(&grid).scale(1).to_png()?;
    /// assert_eq!(image::parse(&png)?, grid);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it would have more than [`MAX_PIXELS`] pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        let canvas = self.paint()?;
        canvas.encode().map_err(|error| DrawError::Encoding { reason: error.to_string() })
    }

    fn paint(&self) -> Result<Canvas, DrawError> {
        let legend = self.legend();
        let [width, height] = match &legend {
            Some(legend) => [legend.width, legend.height],
            None => [self.grid.width(), self.grid.height()].map(|side| u64::from(side) * u64::from(self.scale)),
        };
        if width > MAX_PIXELS || height > MAX_PIXELS || width * height > MAX_PIXELS {
            return Err(DrawError::TooManyPixels { width, height });
        }
        let mut canvas = Canvas { width: width as usize, height: height as usize, bytes: Vec::new() };
        canvas.fill_cells(&self.cell_colours(), self.grid.width() as usize, self.scale as usize);
        for disc in &self.discs {
            canvas.disc(disc, f64::from(self.scale));
        }
        for stroke in self.strokes() {
            canvas.stroke(&stroke, f64::from(self.scale));
        }
        if let Some(legend) = legend {
            legend.patches.iter().for_each(|patch| canvas.patch(patch));
            legend.strokes.iter().for_each(|stroke| canvas.stroke(stroke, 1.0));
        }
        Ok(canvas)
    }
}

/// Rows of pixels, three bytes each.
struct Canvas {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Canvas {
    fn encode(&self) -> Result<Vec<u8>, EncodingError> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.write_header()?.write_image_data(&self.bytes)?;
        Ok(file)
    }

    /// Draws each cell of a map as a square; the area right of and below the map is white.
    fn fill_cells(&mut self, colours: &[Colour], map_width: usize, scale: usize) {
        self.bytes = Vec::with_capacity(self.width * self.height * 3);
        for row in colours.chunks_exact(map_width) {
            let start = self.bytes.len();
            for &Colour(r, g, b) in row {
                self.bytes.extend([r, g, b].iter().cycle().take(3 * scale));
            }
            let end = start + 3 * self.width;
            self.bytes.resize(end, u8::MAX);
            for _ in 1..scale {
                self.bytes.extend_from_within(start..end);
            }
        }
        self.bytes.resize(self.width * self.height * 3, u8::MAX);
    }

    fn patch(&mut self, patch: &Patch) {
        let Patch { x, y, width, height, colour: Colour(r, g, b) } = *patch;
        for y in y..y + height {
            let start = 3 * (y as usize * self.width + x as usize);
            let row = &mut self.bytes[start..start + 3 * width as usize];
            row.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&[r, g, b]));
        }
    }

    /// Draws an edge inside the radius, and a tint within the edge.
    fn disc(&mut self, disc: &Disc, scale: f64) {
        let ((x, y), radius) = ((disc.middle.0 * scale, disc.middle.1 * scale), disc.radius * scale);
        let reach = radius + 1.0;
        for row in pixels(y - reach, y + reach, self.height) {
            for column in pixels(x - reach, x + reach, self.width) {
                let distance = (column as f64 + 0.5 - x).hypot(row as f64 + 0.5 - y);
                let inside = (radius + 0.5 - distance).clamp(0.0, 1.0);
                let within_edge = (radius - Disc::EDGE + 0.5 - distance).clamp(0.0, 1.0);
                let tint = inside - within_edge + within_edge * Disc::OPACITY;
                self.blend(column, row, disc.colour, tint.clamp(0.0, 1.0));
            }
        }
    }

    fn stroke(&mut self, stroke: &Stroke, scale: f64) {
        let points: Vec<Position> = stroke.points.iter().map(|&(x, y)| (x * scale, y * scale)).collect();
        let radius = stroke.width / 2.0;
        if let [point] = points[..] {
            self.capsule(point, point, radius, stroke.colour);
        }
        for leg in points.windows(2) {
            self.capsule(leg[0], leg[1], radius, stroke.colour);
        }
    }

    /// Draws all points within `radius` of the segment from `a` to `b`: a line with round ends.
    fn capsule(&mut self, a: Position, b: Position, radius: f64, colour: Colour) {
        let (top, bottom) = if a.1 <= b.1 { (a, b) } else { (b, a) };
        let reach = radius + 1.0;
        for y in pixels(top.1 - reach, bottom.1 + reach, self.height) {
            // Only this part of the segment comes near the row, so only pixels around it can be covered.
            let middle = y as f64 + 0.5;
            let [from, to] = [middle - reach, middle + reach].map(|y| x_at(top, bottom, y));
            for x in pixels(from.min(to) - reach, from.max(to) + reach, self.width) {
                let distance = distance_to_segment((x as f64 + 0.5, middle), a, b);
                self.blend(x, y, colour, (radius + 0.5 - distance).clamp(0.0, 1.0));
            }
        }
    }

    fn blend(&mut self, x: usize, y: usize, colour: Colour, coverage: f64) {
        let index = 3 * (y * self.width + x);
        let pixel = &mut self.bytes[index..index + 3];
        let Colour(r, g, b) = Colour(pixel[0], pixel[1], pixel[2]).towards(colour, coverage);
        pixel.copy_from_slice(&[r, g, b]);
    }
}

/// The pixels between two coordinates and below `end`.
fn pixels(from: f64, to: f64, end: usize) -> std::ops::Range<usize> {
    from.max(0.0) as usize..(to.max(0.0).ceil() as usize).min(end)
}

/// The x of the segment at height `y`, or of its nearer end if it does not reach that height.
fn x_at(top: Position, bottom: Position, y: f64) -> f64 {
    if y <= top.1 {
        top.0
    } else if y >= bottom.1 {
        bottom.0
    } else {
        top.0 + (bottom.0 - top.0) * (y - top.1) / (bottom.1 - top.1)
    }
}

fn distance_to_segment(point: Position, a: Position, b: Position) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (px, py) = (point.0 - a.0, point.1 - a.1);
    let square = dx * dx + dy * dy;
    let part = if square > 0.0 { ((px * dx + py * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    (px - part * dx).hypot(py - part * dy)
}
