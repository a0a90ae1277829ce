//! Pictures of maps, searches and paths, as SVG and (with the feature `image`) as PNG.
//!
//! A picture has these layers, from bottom to top: free cells and walls, coloured ground, coloured cells, tints of
//! visible areas, discs to scale, lines of equal cost, outlines, hops, lines, and the marks of start and goals. Lines
//! and marks have a visible width in pixels, however small the cells are.
//!
//! On a map with [prices](crate::grid::Convention), cells with higher prices are darker, searches let that show
//! through, and a legend below the map lists the prices.
//!
//! # Example
//! ```
//! use octile::formats::draw::Picture;
//! use octile::{Cell, Finder, Path, Query};
//! use octile::formats::generate;
//! use octile::planner::Trace;
//!
//! let grid = generate::rooms(64, 64, 16, 1)?;
//! let (start, goal) = (Cell::new(1, 1), Cell::new(63, 63));
//! let (mut path, mut trace) = (Path::new(), Trace::default());
//! Finder::new("jps", &grid)?.plan_probed(Query::new(start, goal), &mut path, &mut trace)?;
//! let picture = Picture::new(&grid).seen(&trace.seen).expanded(&trace.expanded).path(&path).ends(start, goal);
//! assert!(picture.to_svg()?.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod field;
mod legend;
mod letters;
#[cfg(feature = "image")]
mod png;
mod search;
mod sight;
mod svg;

use std::fmt;

use self::legend::PriceScale;
use self::sight::Sight;
use crate::geometry::{Cell, Corner, Point, order};
use crate::grid::Grid;
use crate::path::Path;

/// Without a chosen scale, the longer side of a picture has at most this many pixels, unless the map has more cells.
const DEFAULT_SIDE: u32 = 1600;

/// Without a chosen scale, a cell has at most this many pixels a side.
const DEFAULT_SCALE_MAX: u32 = 80;

/// The maximum number of pixels of a PNG.
pub const MAX_PIXELS: u64 = 1 << 26;

/// The maximum number of cells of a map drawn as SVG.
pub const MAX_SVG_CELLS: u64 = 1 << 24;

/// A picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The PNG would be too large.
    #[error(
        "a PNG of {width} x {height} pixels is too large: at most {MAX_PIXELS} pixels in all; use a smaller scale or draw \
         a smaller map"
    )]
    TooManyPixels {
        /// The number of pixels in a row.
        width: u64,
        /// The number of rows of pixels.
        height: u64,
    },
    /// The map is too large for an SVG, which spells out every wall.
    #[error("a map of {width} x {height} cells is too large for SVG: at most {MAX_SVG_CELLS} cells; draw it as PNG")]
    TooManyCells {
        /// The number of cells in a row of the map.
        width: u32,
        /// The number of rows of the map.
        height: u32,
    },
    /// The PNG could not be encoded.
    #[error("the PNG could not be encoded: {reason}")]
    Encoding {
        /// The encoder's message.
        reason: String,
    },
}

/// A colour: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Free cells.
    pub const FREE: Self = Self(0xfb, 0xfa, 0xf6);
    /// Blocked cells.
    pub const WALL: Self = Self(0x2b, 0x30, 0x3a);
    /// Cells that a search saw without expanding them.
    pub const SEEN: Self = Self(0xf3, 0xd6, 0x8f);
    /// The cells that a search expanded first.
    pub const EXPANDED_FIRST: Self = Self(0x9f, 0xdd, 0xc8);
    /// The cells that a search expanded last.
    pub const EXPANDED_LAST: Self = Self(0x45, 0x72, 0xcc);
    /// Pruned ground, which a query need not enter.
    pub const PRUNED: Self = Self(0xd3, 0xd5, 0xd9);
    /// The ground inside blocked areas.
    pub const AREA: Self = Self(0xe4, 0xd9, 0xf1);
    /// The walls of blocked areas.
    pub const AREA_WALL: Self = Self(0xb3, 0x8a, 0xe0);
    /// The entrances of blocked areas.
    pub const ENTRANCE: Self = Self(0xe6, 0x6a, 0x00);
    /// Row gates.
    pub const ROW_GATE: Self = Self(0x8e, 0xc7, 0xf0);
    /// Column gates.
    pub const COLUMN_GATE: Self = Self(0xf6, 0xb9, 0x8f);
    /// Cells that are both row and column gates.
    pub const BOTH_GATES: Self = Self(0xe2, 0xdd, 0xd6);
    /// Outlines of rectangles.
    pub const RECTANGLE: Self = Self(0x8a, 0x93, 0xa6);
    /// Areas visible from the corners that a search expanded.
    pub const SIGHT: Self = Self(0x45, 0x72, 0xcc);
    /// Lines of sight that a search tested, and the corners where they begin.
    pub const HOP: Self = Self(0x45, 0x72, 0xcc);
    /// Paths.
    pub const PATH: Self = Self(0xd8, 0x1b, 0x60);
    /// The start.
    pub const START: Self = Self(0x1b, 0x8a, 0x3a);
    /// The goal.
    pub const GOAL: Self = Self(0xd8, 0x1b, 0x60);
    /// The rim around lines and marks.
    pub const RIM: Self = Self(0xff, 0xff, 0xff);

    /// The colour `part` of the way from this one to `other`, from 0 to 1.
    fn towards(self, other: Self, part: f64) -> Self {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// The colour at a position from 0 to 1 along a ramp of colours.
    fn on_ramp(ramp: &[Self], part: f64) -> Self {
        let place = part * (ramp.len() - 1) as f64;
        let first = (place as usize).min(ramp.len() - 2);
        ramp[first].towards(ramp[first + 1], place - first as f64)
    }

    /// The colour of a search over ground of another colour: it keeps its hue and gets darker on darker ground.
    fn over(self, ground: Self) -> Self {
        let light = |Self(r, g, b): Self| 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b);
        self.towards(Self(0, 0, 0), 0.5 * (1.0 - light(ground) / light(Self::FREE)).max(0.0))
    }
}

impl fmt::Display for Colour {
    /// As in SVG: `#rrggbb`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// A picture: a map, and what is drawn on it.
#[derive(Clone, Debug)]
pub struct Picture {
    grid: Grid,
    scale: u32,
    /// From bottom to top, below the fills.
    ground: Vec<Fill>,
    /// From bottom to top.
    fills: Vec<Fill>,
    /// Above the fills.
    sights: Vec<Sight>,
    /// Above the sights, from bottom to top.
    discs: Vec<Disc>,
    /// Above the discs.
    contours: Vec<Contour>,
    /// Outlines, below the lines.
    rectangles: Vec<(Cell, Cell)>,
    /// Above the rectangles, from bottom to top.
    outlines: Vec<Outline>,
    /// Above the outlines, below the lines.
    hops: Vec<(Position, Position)>,
    /// From bottom to top.
    lines: Vec<Line>,
    ends: Option<(Position, Position)>,
    /// The goals of fields.
    goals: Vec<Position>,
    /// Whether a legend of the map's prices, if it has any, is drawn below it.
    has_legend: bool,
}

/// Coloured cells. The colours are spread evenly over the cells, in order.
#[derive(Clone, Debug)]
struct Fill {
    cells: Vec<Cell>,
    colours: Vec<Colour>,
    /// Whether the prices of cells show through.
    is_thin: bool,
}

impl Fill {
    fn new(cells: &[Cell], colours: Vec<Colour>) -> Self {
        Self { cells: cells.to_vec(), colours, is_thin: false }
    }

    fn thin(self) -> Self {
        Self { is_thin: true, ..self }
    }
}

/// A disc to scale with a translucent inside.
#[derive(Clone, Debug)]
struct Disc {
    middle: Position,
    /// In cells.
    radius: f64,
    colour: Colour,
}

impl Disc {
    /// The opacity of the inside.
    const OPACITY: f64 = 0.16;
    /// The width of its edge, in pixels.
    const EDGE: f64 = 1.8;
}

/// A segment of a line of equal cost.
#[derive(Clone, Debug)]
struct Contour {
    from: Position,
    to: Position,
    colour: Colour,
}

#[derive(Clone, Debug)]
struct Outline {
    points: Vec<Cell>,
    colour: Colour,
    is_dashed: bool,
}

#[derive(Clone, Debug)]
struct Line {
    points: Vec<Position>,
    colour: Colour,
}

impl Picture {
    /// A picture of the map alone.
    pub fn new(grid: &Grid) -> Self {
        let longer_side = grid.width().max(grid.height());
        let scale = (DEFAULT_SIDE / longer_side).clamp(1, DEFAULT_SCALE_MAX);
        Self {
            grid: grid.clone(),
            scale,
            ground: Vec::new(),
            fills: Vec::new(),
            sights: Vec::new(),
            discs: Vec::new(),
            contours: Vec::new(),
            rectangles: Vec::new(),
            outlines: Vec::new(),
            hops: Vec::new(),
            lines: Vec::new(),
            ends: None,
            goals: Vec::new(),
            has_legend: true,
        }
    }

    /// Draws every cell as a square of `pixels_per_cell` pixels, at least 1. By default pictures are between 800 and
    /// 1600 pixels wide or high; smaller for maps with fewer than ten cells a side, and larger for maps with more than
    /// 1600.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::formats::draw::Picture;
    /// let svg = Picture::new(&Grid::open(30, 20)?).scale(4).to_svg()?;
    /// assert!(svg.contains("width=\"120\" height=\"80\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn scale(mut self, pixels_per_cell: u32) -> Self {
        self.scale = pixels_per_cell.max(1);
        self
    }

    /// Omits the legend of maps with prices.
    ///
    /// ```
    /// use octile::Grid;
    /// use octile::formats::draw::Picture;
    /// let picture = Picture::new(&"129".parse::<Grid>()?).scale(20);
    /// assert!(!picture.to_svg()?.contains("height=\"20\" viewBox"));
    /// assert!(picture.without_legend().to_svg()?.contains("height=\"20\" viewBox"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_legend(mut self) -> Self {
        self.has_legend = false;
        self
    }

    /// Colours the cells that a search expanded, in that order: light first, darker towards the end.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Cell, Grid};
    /// let svg = Picture::new(&Grid::open(3, 3)?).expanded(&[Cell::new(1, 1)]).to_svg()?;
    /// assert!(svg.contains(&Colour::EXPANDED_FIRST.to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expanded(mut self, cells: &[Cell]) -> Self {
        let steps = 24;
        let step = |step| Colour::EXPANDED_FIRST.towards(Colour::EXPANDED_LAST, f64::from(step) / f64::from(steps - 1));
        self.fills.push(Fill::new(cells, (0..steps).map(step).collect()).thin());
        self
    }

    /// Colours the cells that a search saw, below all other coloured cells: expanded cells keep the colour of
    /// those.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Cell, Grid};
    /// let cell = [Cell::new(1, 1)];
    /// let picture = Picture::new(&Grid::open(3, 3)?).expanded(&cell);
    /// assert_eq!(picture.clone().seen(&cell).to_svg()?, picture.to_svg()?, "it was expanded");
    /// assert!(picture.seen(&[Cell::new(2, 2)]).to_svg()?.contains(&Colour::SEEN.to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn seen(mut self, cells: &[Cell]) -> Self {
        self.fills.insert(0, Fill::new(cells, vec![Colour::SEEN]).thin());
        self
    }

    /// Colours cells, above those coloured before. Cells off the map are ignored.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Cell, Grid};
    /// let svg = Picture::new(&Grid::open(3, 3)?).cells(&[Cell::new(1, 1), Cell::new(9, 9)], Colour(255, 0, 0)).to_svg()?;
    /// assert!(svg.contains("<path fill=\"#ff0000\" d=\"M1 1h1v1h-1z\"/>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cells(mut self, cells: &[Cell], colour: Colour) -> Self {
        self.fills.push(Fill::new(cells, vec![colour]));
        self
    }

    /// Colours ground: below all coloured cells, even those added earlier, but above ground coloured before.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Cell, Grid};
    /// let cell = [Cell::new(1, 1)];
    /// let svg = Picture::new(&Grid::open(3, 3)?).seen(&cell).ground(&cell, Colour::AREA).to_svg()?;
    /// assert!(svg.contains(&Colour::SEEN.to_string()) && !svg.contains(&Colour::AREA.to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ground(mut self, cells: &[Cell], colour: Colour) -> Self {
        self.ground.push(Fill::new(cells, vec![colour]));
        self
    }

    /// Tints the free cells [visible](crate::planner::Trace::sights) from some points of a search. Each sight is a
    /// viewpoint with the first and the last of adjacent visible corners. A cell with one corner out of sight gets a
    /// lighter tint. Overlapping tints mix.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Grid, Point};
    /// use octile::geometry::Corner;
    /// let eye = Point::corner(Corner::new(1, 0));
    /// let sights = [0, 1].map(|y| (eye, Corner::new(0, y), Corner::new(2, y)));
    /// let svg = Picture::new(&Grid::open(6, 6)?).sight(sights, Colour::START).to_svg()?;
    /// assert!(svg.contains("M0 0h2v1h-2z"), "the two cells between the corners");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sight(mut self, sights: impl IntoIterator<Item = (Point, Corner, Corner)>, colour: Colour) -> Self {
        self.sights.push(Sight { sights: sights.into_iter().collect(), colour });
        self
    }

    /// Draws discs to scale, below all lines: for example a robot on its way, with its radius in cells. The centres are
    /// in cells from the left and from the top, as in [`Point::x`] and [`Point::y`]. What is below shows through. Discs
    /// whose radius or position is invalid are ignored.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::Grid;
    /// let svg = Picture::new(&Grid::open(9, 9)?).discs([(3.5, 2.25), (4.0, f64::NAN)], 1.5, Colour::PATH).to_svg()?;
    /// assert_eq!(svg.matches("<circle cx=\"3.5\" cy=\"2.25\" r=\"1.4").count(), 1);
    /// assert_eq!(svg.matches("<circle").count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn discs(mut self, middles: impl IntoIterator<Item = (f64, f64)>, radius: f64, colour: Colour) -> Self {
        let is_disc = |&(x, y): &Position| x.is_finite() && y.is_finite() && radius.is_finite() && radius > 0.0;
        self.discs.extend(middles.into_iter().filter(is_disc).map(|middle| Disc { middle, radius, colour }));
        self
    }

    /// Draws the outlines of rectangles, each from its upper left to its lower right cell, both included.
    ///
    /// ```
    /// use octile::{Cell, Grid};
    /// use octile::formats::draw::Picture;
    /// let svg = Picture::new(&Grid::open(9, 9)?).rectangles(&[(Cell::new(1, 1), Cell::new(3, 2))]).to_svg()?;
    /// assert!(svg.contains("points=\"1,1 4,1 4,3 1,3 1,1\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rectangles(mut self, rectangles: &[(Cell, Cell)]) -> Self {
        self.rectangles.extend_from_slice(rectangles);
        self
    }

    /// Draws a thin line through the centres of cells, below paths and other lines: the walls of an area, for example.
    #[must_use]
    pub fn outline(mut self, points: &[Cell], colour: Colour) -> Self {
        self.outlines.push(Outline { points: points.to_vec(), colour, is_dashed: false });
        self
    }

    /// Like [`outline`](Picture::outline), but dashed, for lines that can be passed.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Cell, Grid};
    /// let line = [Cell::new(0, 0), Cell::new(8, 0)];
    /// let picture = Picture::new(&Grid::open(9, 9)?);
    /// let lines = |picture: Picture| picture.to_svg().unwrap().matches("<polyline").count();
    /// assert_eq!(lines(picture.clone().outline(&line, Colour::AREA_WALL)), 1);
    /// assert!(lines(picture.dashed(&line, Colour::ENTRANCE)) > 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dashed(mut self, points: &[Cell], colour: Colour) -> Self {
        self.outlines.push(Outline { points: points.to_vec(), colour, is_dashed: true });
        self
    }

    /// Draws the [lines of sight that a search tested](crate::planner::Trace::taut_hops) as thin lines with a dot at
    /// the start of each, below all other lines.
    ///
    /// ```
    /// use octile::formats::draw::Picture;
    /// use octile::{Cell, Grid, Point};
    /// use octile::geometry::Corner;
    /// let hop = (Point::centre(Cell::new(0, 0)), Point::corner(Corner::new(5, 2)));
    /// let svg = Picture::new(&Grid::open(6, 6)?).hops(&[hop]).to_svg()?;
    /// assert!(svg.contains("points=\"0.5,0.5 5,2\"") && svg.contains("<circle cx=\"0.5\" cy=\"0.5\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hops(mut self, hops: &[(Point, Point)]) -> Self {
        self.hops.extend(hops.iter().map(|&(from, to)| (at(from), at(to))));
        self
    }

    /// Draws a path as a line: a grid path through the centres of its cells, an any-angle path through its ends and
    /// turning corners. A path without points is not drawn.
    ///
    /// ```
    /// use octile::{Grid, Path};
    /// use octile::formats::draw::Picture;
    /// let path = Path::through([(0, 0), (2, 2), (5, 2)]).unwrap();
    /// let svg = Picture::new(&Grid::open(6, 6)?).path(&path).to_svg()?;
    /// assert!(svg.contains("points=\"0.5,0.5 2.5,2.5 5.5,2.5\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn path(self, path: &Path) -> Self {
        match (path.vertices(), path.waypoints()) {
            (Ok(points), _) => self.point_line(points, Colour::PATH),
            (_, Ok(waypoints)) => self.line(&waypoints.collect::<Vec<_>>(), Colour::PATH),
            _ => self,
        }
    }

    /// Draws a line through the centres of cells, above those drawn before: a straightened path, for example.
    #[must_use]
    pub fn line(mut self, points: &[Cell], colour: Colour) -> Self {
        self.lines.push(Line { points: points.iter().map(|&cell| centre(cell)).collect(), colour });
        self
    }

    /// Like [`line`](Picture::line), through the corners of cells.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::Grid;
    /// use octile::geometry::Corner;
    /// let corners = [Corner::new(0, 0), Corner::new(5, 2)];
    /// let svg = Picture::new(&Grid::open(6, 6)?).corner_line(&corners, Colour::PATH).to_svg()?;
    /// assert!(svg.contains("points=\"0,0 5,2\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn corner_line(self, corners: &[Corner], colour: Colour) -> Self {
        self.point_line(corners.iter().map(|&corner| Point::corner(corner)), colour)
    }

    /// Like [`line`](Picture::line), through corners and centres of cells: the points of an [any-angle
    /// path](Path::vertices).
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Cell, Grid, Point};
    /// use octile::geometry::Corner;
    /// let points = [Point::centre(Cell::new(0, 0)), Point::corner(Corner::new(5, 2))];
    /// let svg = Picture::new(&Grid::open(6, 6)?).point_line(points, Colour::PATH).to_svg()?;
    /// assert!(svg.contains("points=\"0.5,0.5 5,2\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn point_line(mut self, points: impl IntoIterator<Item = Point>, colour: Colour) -> Self {
        self.lines.push(Line { points: points.into_iter().map(at).collect(), colour });
        self
    }

    /// Marks the start with a disc and the goal with a ring.
    ///
    /// ```
    /// use octile::formats::draw::{Colour, Picture};
    /// use octile::{Cell, Grid};
    /// let svg = Picture::new(&Grid::open(6, 6)?).ends(Cell::new(0, 0), Cell::new(5, 2)).to_svg()?;
    /// assert!(svg.contains("<circle cx=\"5.5\" cy=\"2.5\"") && svg.contains(&Colour::GOAL.to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ends(mut self, start: Cell, goal: Cell) -> Self {
        self.ends = Some((centre(start), centre(goal)));
        self
    }

    /// Like [`ends`](Picture::ends), at corners.
    #[must_use]
    pub fn corner_ends(mut self, start: Corner, goal: Corner) -> Self {
        self.ends = Some((place(start), place(goal)));
        self
    }

    /// Like [`ends`](Picture::ends), at corners or centres.
    #[must_use]
    pub fn point_ends(self, start: Point, goal: Point) -> Self {
        match (start.as_corner(), goal.as_corner(), start.as_centre(), goal.as_centre()) {
            (Some(start), Some(goal), ..) => self.corner_ends(start, goal),
            (.., Some(start), Some(goal)) => self.ends(start, goal),
            _ => self,
        }
    }

    /// The colour of every cell, row by row.
    fn cell_colours(&self) -> Vec<Colour> {
        let prices = PriceScale::new(&self.grid).map(|scale| scale.colours());
        let ground = |cell| match &prices {
            Some(colours) => colours[usize::from(self.grid.price(cell))],
            None if self.grid.is_free(cell) => Colour::FREE,
            None => Colour::WALL,
        };
        let mut colours: Vec<Colour> = self.grid.cells().map(ground).collect();
        self.ground.iter().for_each(|fill| self.fill(fill, &mut colours, None));
        let under = prices.map(|_| colours.clone());
        self.fills.iter().for_each(|fill| self.fill(fill, &mut colours, under.as_deref()));
        for sight in &self.sights {
            sight.tint(&self.grid, &mut colours);
        }
        colours
    }

    /// Colours cells; if the fill is thin, the colours `under` it show through.
    fn fill(&self, Fill { cells, colours: ramp, is_thin }: &Fill, colours: &mut [Colour], under: Option<&[Colour]>) {
        let under = under.filter(|_| *is_thin);
        for (order, &cell) in cells.iter().enumerate().filter(|(_, cell)| self.grid.contains(**cell)) {
            let index = cell.y as usize * self.grid.width() as usize + cell.x as usize;
            let colour = ramp[order * ramp.len() / cells.len()];
            colours[index] = under.map_or(colour, |under| colour.over(under[index]));
        }
    }

    /// Everything above the cells, from bottom to top.
    fn strokes(&self) -> Vec<Stroke> {
        let scale = f64::from(self.scale);
        let mut strokes = Vec::new();
        let width = (0.3 * scale).clamp(3.0, 12.0);
        let rim = (0.25 * width).max(1.0);
        for &Contour { from, to, colour } in &self.contours {
            strokes.push(Stroke { points: vec![from, to], width: (0.12 * scale).clamp(1.3, 3.0), colour });
        }
        for &(min, max) in &self.rectangles {
            let (left, top) = (f64::from(min.x), f64::from(min.y));
            let (right, bottom) = (f64::from(max.x) + 1.0, f64::from(max.y) + 1.0);
            let points = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
            strokes.push(Stroke { points, width: (0.1 * scale).clamp(1.0, 3.0), colour: Colour::RECTANGLE });
        }
        for outline in &self.outlines {
            outline.add_to(&mut strokes, scale);
        }
        self.add_hops_to(&mut strokes);
        for Line { points, colour } in &self.lines {
            strokes.push(Stroke { points: points.clone(), width: width + 2.0 * rim, colour: Colour::RIM });
            strokes.push(Stroke { points: points.clone(), width, colour: *colour });
        }
        self.add_marks_to(&mut strokes, rim);
        strokes
    }

    /// Adds discs for starts and rings for goals.
    fn add_marks_to(&self, strokes: &mut Vec<Stroke>, rim: f64) {
        let size = (0.7 * f64::from(self.scale)).clamp(14.0, 28.0);
        let starts = self.ends.iter().map(|&(start, _)| (start, Colour::START));
        let goals = self.ends.iter().map(|&(_, goal)| goal).chain(self.goals.iter().copied());
        let mut disc = |at, width, colour| strokes.push(Stroke { points: vec![at], width, colour });
        for (at, colour) in starts.chain(goals.clone().map(|goal| (goal, Colour::GOAL))) {
            disc(at, size + 2.0 * rim, Colour::RIM);
            disc(at, size, colour);
        }
        goals.for_each(|goal| disc(goal, 0.5 * size, Colour::RIM));
    }

    /// Adds all lines first, so that none covers a dot, and each dot once.
    fn add_hops_to(&self, strokes: &mut Vec<Stroke>) {
        let width = (0.08 * f64::from(self.scale)).clamp(0.7, 2.0);
        let stroke = |points, width| Stroke { points, width, colour: Colour::HOP };
        strokes.extend(self.hops.iter().map(|&(from, to)| stroke(vec![from, to], width)));
        let mut dots: Vec<Position> = self.hops.iter().map(|&(from, _)| from).collect();
        order::sort_by(&mut dots, |a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        dots.dedup();
        strokes.extend(dots.into_iter().map(|dot| stroke(vec![dot], 5.0 * width)));
    }
}

impl Outline {
    fn add_to(&self, strokes: &mut Vec<Stroke>, scale: f64) {
        let width = (0.25 * scale).clamp(1.5, 5.0);
        let points: Vec<Position> = self.points.iter().map(|&cell| centre(cell)).collect();
        let stroke = |points| Stroke { points, width, colour: self.colour };
        if self.is_dashed {
            // Round ends add one line width to every dash, so a gap of four widths shows as three.
            let dashes =
                points.windows(2).flat_map(|leg| dashes(leg[0], leg[1], 2.0 * width / scale, 4.0 * width / scale));
            strokes.extend(dashes.map(stroke));
        } else {
            strokes.push(stroke(points));
        }
    }
}

/// The maximum number of gaps of a dashed segment, about as many as one across the largest picture has. A segment that
/// leaves the map by far gets wider gaps.
const MOST_GAPS: f64 = 10_000.0;

/// Splits a segment into dashes of length `length` with gaps of about `gap`; the first and last dash touch its ends.
fn dashes(a: Position, b: Position, length: f64, gap: f64) -> impl Iterator<Item = Vec<Position>> {
    let whole = (b.0 - a.0).hypot(b.1 - a.1);
    let gaps = ((whole - length) / (length + gap)).round().clamp(0.0, MOST_GAPS);
    let part = if gaps > 0.0 { (length / whole).min(1.0) } else { 1.0 };
    let at = move |part: f64| (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
    (0..=gaps as u32).map(move |i| {
        let start = (1.0 - part) * f64::from(i) / gaps.max(1.0);
        vec![at(start), at(start + part)]
    })
}

/// A position on the map in cells; centres of cells are at halves.
type Position = (f64, f64);

/// A line with round ends and joins; a disc if it has only one point.
struct Stroke {
    points: Vec<Position>,
    /// In pixels.
    width: f64,
    colour: Colour,
}

fn at(point: Point) -> Position {
    (point.x(), point.y())
}

fn place(corner: Corner) -> Position {
    at(Point::corner(corner))
}

fn centre(cell: Cell) -> Position {
    (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
