//! The SVG writer: cells of one colour become one path of rectangles, merged over rows with equal runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::formats::draw::legend::{Legend, Patch};
use crate::formats::draw::{Colour, Disc, DrawError, MAX_SVG_CELLS, Picture, Stroke};

impl Picture {
    /// The picture as SVG, with its own background.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::formats::draw::Picture;
    /// let svg = Picture::new(&"..@".parse::<Grid>()?).to_svg()?;
    /// assert!(svg.starts_with("<svg") && svg.contains("M2 0h1v1h-1z"), "the wall");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the map has more than [`MAX_SVG_CELLS`] cells.
    pub fn to_svg(&self) -> Result<String, DrawError> {
        let (width, height) = (self.grid.width(), self.grid.height());
        if u64::from(width) * u64::from(height) > MAX_SVG_CELLS {
            return Err(DrawError::TooManyCells { width, height });
        }
        let legend = self.legend();
        let mut svg = self.head(legend.as_ref());
        svg += "<g shape-rendering=\"crispEdges\">\n";
        for (colour, outline) in rectangles(&self.cell_colours(), width as usize) {
            svg.extend(["<path fill=\"", &colour.to_string(), "\" d=\"", &outline, "\"/>\n"]);
        }
        svg += "</g>\n<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n";
        svg.extend(self.discs.iter().map(|disc| circle(disc, f64::from(self.scale))));
        svg.extend(self.strokes().iter().map(|stroke| element(stroke, f64::from(self.scale))));
        svg += "</g>\n";
        if let Some(legend) = &legend {
            self.add_legend_to(&mut svg, legend);
        }
        svg += "</svg>\n";
        Ok(svg)
    }

    /// The opening tag, with one unit per cell, and the background.
    fn head(&self, legend: Option<&Legend>) -> String {
        let (width, height, free) = (self.grid.width(), self.grid.height(), Colour::FREE);
        let [wide, high] = match legend {
            Some(legend) => [legend.width, legend.height],
            None => [width, height].map(|side| u64::from(side) * u64::from(self.scale)),
        };
        let [view_width, view_height] = [wide, high].map(|side| in_cells(side as f64 / f64::from(self.scale)));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {view_width} {view_height}\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{free}\"/>\n"
        )
    }

    /// Adds the legend, in pixels.
    fn add_legend_to(&self, svg: &mut String, legend: &Legend) {
        let scale = 1.0 / f64::from(self.scale);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<g transform=\"scale({scale})\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        );
        for Patch { x, y, width, height, colour } in &legend.patches {
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\" shape-rendering=\"crispEdges\"/>"
            );
        }
        svg.extend(legend.strokes.iter().map(|stroke| element(stroke, 1.0)));
        *svg += "</g>\n";
    }
}

/// A number of cells, rounded to a thousandth.
fn in_cells(number: f64) -> f64 {
    (1000.0 * number).round() / 1000.0
}

/// The rectangles of each colour except that of free cells, as path data. A run of cells grows downwards while the next
/// row has the same run in the same colour.
fn rectangles(colours: &[Colour], width: usize) -> BTreeMap<Colour, String> {
    let mut outlines = BTreeMap::new();
    let mut growing = BTreeMap::new();
    let no_row: &[Colour] = &[];
    for (y, row) in colours.chunks_exact(width).chain([no_row]).enumerate() {
        let mut next = BTreeMap::new();
        for (x, len, colour) in runs(row).filter(|&(.., colour)| colour != Colour::FREE) {
            let top = growing.remove(&(x, len, colour)).unwrap_or(y);
            next.insert((x, len, colour), top);
        }
        for ((x, len, colour), top) in std::mem::replace(&mut growing, next) {
            let outline: &mut String = outlines.entry(colour).or_default();
            // Writing to a string cannot fail.
            let _ = write!(outline, "M{x} {top}h{len}v{}h-{len}z", y - top);
        }
    }
    outlines
}

/// The runs of equal colour in a row: the start and length of each.
fn runs(row: &[Colour]) -> impl Iterator<Item = (usize, usize, Colour)> + '_ {
    let mut x = 0;
    row.chunk_by(|a, b| a == b).map(move |run| {
        let start = x;
        x += run.len();
        (start, run.len(), run[0])
    })
}

/// A disc to scale: its edge, which is inside its radius, and a tint.
fn circle(disc: &Disc, scale: f64) -> String {
    let Disc { middle: (x, y), radius, colour } = disc;
    let edge = (Disc::EDGE / scale).min(*radius);
    format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{:.3}\" fill=\"{colour}\" fill-opacity=\"{}\" stroke=\"{colour}\" stroke-width=\"{edge:.3}\"/>\n",
        radius - edge / 2.0,
        Disc::OPACITY
    )
}

/// A line or a disc.
fn element(stroke: &Stroke, scale: f64) -> String {
    let Stroke { points, width, colour } = stroke;
    let width = width / scale;
    match points[..] {
        [] => String::new(),
        [(x, y)] => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{:.3}\" fill=\"{colour}\"/>\n", width / 2.0),
        _ => {
            let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let points = points.join(" ");
            format!("<polyline points=\"{points}\" stroke=\"{colour}\" stroke-width=\"{width:.3}\"/>\n")
        }
    }
}
